// The value types of the graphics library that the Reversi course uses, so that a Model is tested without a window.
// Written for petteia; the names are the library's.

#ifndef PETTEIA_GE211_HXX
#define PETTEIA_GE211_HXX

#include <cstddef>
#include <functional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ge211 {

template <typename T> struct Dims {
    T width{}, height{};
    Dims() = default;
    Dims(T width, T height) : width(width), height(height) {}
    Dims operator+(Dims that) const { return {T(width + that.width), T(height + that.height)}; }
    Dims operator-(Dims that) const { return {T(width - that.width), T(height - that.height)}; }
    Dims operator*(T by) const { return {T(width * by), T(height * by)}; }
    Dims operator/(T by) const { return {T(width / by), T(height / by)}; }
    Dims &operator+=(Dims that) { return *this = *this + that; }
    Dims &operator-=(Dims that) { return *this = *this - that; }
    Dims &operator*=(T by) { return *this = *this * by; }
    bool operator==(Dims that) const { return width == that.width && height == that.height; }
    bool operator!=(Dims that) const { return !(*this == that); }
};
template <typename T> Dims<T> operator*(T by, Dims<T> dims) { return dims * by; }

template <typename T> struct Posn {
    T x{}, y{};
    Posn() = default;
    Posn(T x, T y) : x(x), y(y) {}
    Posn operator+(Dims<T> by) const { return {T(x + by.width), T(y + by.height)}; }
    Posn operator-(Dims<T> by) const { return {T(x - by.width), T(y - by.height)}; }
    Dims<T> operator-(Posn that) const { return {T(x - that.x), T(y - that.y)}; }
    Posn &operator+=(Dims<T> by) { return *this = *this + by; }
    Posn &operator-=(Dims<T> by) { return *this = *this - by; }
    bool operator==(Posn that) const { return x == that.x && y == that.y; }
    bool operator!=(Posn that) const { return !(*this == that); }
    Posn left_by(T by) const { return {T(x - by), y}; }
    Posn right_by(T by) const { return {T(x + by), y}; }
    Posn up_by(T by) const { return {x, T(y - by)}; }
    Posn down_by(T by) const { return {x, T(y + by)}; }
};
template <typename T> std::ostream &operator<<(std::ostream &out, Posn<T> p)
{
    return out << '{' << p.x << ", " << p.y << '}';
}
template <typename T> std::ostream &operator<<(std::ostream &out, Dims<T> d)
{
    return out << '{' << d.width << ", " << d.height << '}';
}

template <typename T> struct Rect {
    T x{}, y{}, width{}, height{};
    Rect() = default;
    Rect(T x, T y, T width, T height) : x(x), y(y), width(width), height(height) {}
    static Rect from_top_left(Posn<T> p, Dims<T> d) { return {p.x, p.y, d.width, d.height}; }
    Posn<T> top_left() const { return {x, y}; }
    Posn<T> bottom_right() const { return {T(x + width), T(y + height)}; }
    Dims<T> dimensions() const { return {width, height}; }
    bool contains(Posn<T> p) const { return x <= p.x && p.x < x + width && y <= p.y && p.y < y + height; }
    bool operator==(Rect that) const { return top_left() == that.top_left() && dimensions() == that.dimensions(); }
    bool operator!=(Rect that) const { return !(*this == that); }

    // Column by column, as the library goes.
    class iterator {
        Rect rect;
        Posn<T> at;

    public:
        using value_type = Posn<T>;
        using reference = Posn<T>;
        using pointer = Posn<T> const *;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::input_iterator_tag;
        iterator(Rect rect, Posn<T> at) : rect(rect), at(at) {}
        Posn<T> operator*() const { return at; }
        Posn<T> const *operator->() const { return &at; }
        iterator &operator++()
        {
            if (++at.y == rect.y + rect.height) at = {T(at.x + 1), rect.y};
            return *this;
        }
        iterator operator++(int)
        {
            iterator old = *this;
            ++*this;
            return old;
        }
        bool operator==(iterator const &that) const { return at == that.at; }
        bool operator!=(iterator const &that) const { return at != that.at; }
    };
    using const_iterator = iterator;
    iterator begin() const { return {*this, height > 0 ? top_left() : Posn<T>(T(x + width), y)}; }
    iterator end() const { return {*this, Posn<T>(T(x + width), y)}; }
};

class Client_logic_error : public std::logic_error {
public:
    explicit Client_logic_error(std::string const &message) : std::logic_error(message) {}
    Client_logic_error(std::string const &who, std::string const &message) : std::logic_error(who + ": " + message) {}
};
namespace exceptions {
using ge211::Client_logic_error;
}
namespace geometry {
using ge211::Dims;
using ge211::Posn;
using ge211::Rect;
}

}

namespace std {
template <typename T> struct hash<ge211::Posn<T>> {
    size_t operator()(ge211::Posn<T> p) const { return hash<T>{}(p.x) * 31 + hash<T>{}(p.y); }
};
template <typename T> struct hash<ge211::Dims<T>> {
    size_t operator()(ge211::Dims<T> d) const { return hash<T>{}(d.width) * 31 + hash<T>{}(d.height); }
};
}

#endif
