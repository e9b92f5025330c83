// Written for petteia from the course's document, for submissions without the course's own file.

#pragma once

#include <bitset>
#include <cstddef>
#include <ge211.hxx>
#include <initializer_list>
#include <iterator>
#include <ostream>

class Position_set {
    std::bitset<64> bits_;

    static std::size_t index_(ge211::Posn<int> p)
    {
        if (p.x < 0 || p.x > 7 || p.y < 0 || p.y > 7) throw ge211::Client_logic_error("Position_set: out of bounds");
        return std::size_t(8 * p.x + p.y);
    }

public:
    using value_type = ge211::Posn<int>;

    class reference {
        Position_set &set_;
        value_type at_;

    public:
        reference(Position_set &set, value_type at) : set_(set), at_(at) {}
        operator bool() const { return set_.bits_[index_(at_)]; }
        reference &operator=(bool value)
        {
            set_.bits_[index_(at_)] = value;
            return *this;
        }
        reference &operator=(reference const &that) { return *this = bool(that); }
    };

    class iterator {
        std::bitset<64> bits_;
        std::size_t at_;
        void skip_()
        {
            while (at_ < 64 && !bits_[at_]) ++at_;
        }

    public:
        using value_type = ge211::Posn<int>;
        using reference = value_type;
        using pointer = value_type const *;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::input_iterator_tag;
        iterator(std::bitset<64> bits, std::size_t at) : bits_(bits), at_(at) { skip_(); }
        value_type operator*() const { return {int(at_ / 8), int(at_ % 8)}; }
        iterator &operator++()
        {
            ++at_;
            skip_();
            return *this;
        }
        iterator operator++(int)
        {
            iterator old = *this;
            ++*this;
            return old;
        }
        bool operator==(iterator const &that) const { return at_ == that.at_; }
        bool operator!=(iterator const &that) const { return at_ != that.at_; }
    };
    using const_iterator = iterator;

    Position_set() = default;
    Position_set(std::initializer_list<value_type> positions)
    {
        for (value_type p : positions) bits_[index_(p)] = true;
    }
    bool empty() const { return bits_.none(); }
    std::size_t size() const { return bits_.count(); }
    void clear() { bits_.reset(); }
    bool operator[](value_type p) const { return bits_[index_(p)]; }
    reference operator[](value_type p) { return {*this, p}; }
    Position_set &operator|=(Position_set that) { return bits_ |= that.bits_, *this; }
    Position_set &operator&=(Position_set that) { return bits_ &= that.bits_, *this; }
    Position_set &operator^=(Position_set that) { return bits_ ^= that.bits_, *this; }
    Position_set operator|(Position_set that) const { return that |= *this; }
    Position_set operator&(Position_set that) const { return that &= *this; }
    Position_set operator^(Position_set that) const { return that ^= *this; }
    Position_set operator~() const
    {
        Position_set that;
        that.bits_ = ~bits_;
        return that;
    }
    bool operator==(Position_set that) const { return bits_ == that.bits_; }
    bool operator!=(Position_set that) const { return bits_ != that.bits_; }
    iterator begin() const { return {bits_, 0}; }
    iterator end() const { return {bits_, 64}; }
};

inline std::ostream &operator<<(std::ostream &out, Position_set set)
{
    char const *before = "{";
    for (ge211::Posn<int> p : set) {
        out << before << p;
        before = ", ";
    }
    return out << (set.empty() ? "{}" : "}");
}
