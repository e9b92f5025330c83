// Written for petteia from the course's document, for submissions without the course's own file.

#pragma once

#include "player.hxx"
#include "position_set.hxx"
#include <cstddef>
#include <ge211.hxx>
#include <ostream>
#include <vector>

class Board {
public:
    using Dimensions = ge211::Dims<int>;
    using Position = ge211::Posn<int>;
    using Rectangle = ge211::Rect<int>;

private:
    Dimensions dims_;
    Position_set dark_, light_;

    void check_(Position p) const
    {
        if (!all_positions().contains(p)) throw ge211::Client_logic_error("Board: position out of bounds");
    }

public:
    class reference {
        Board &board_;
        Position at_;

    public:
        reference(Board &board, Position at) : board_(board), at_(at) {}
        operator Player() const { return static_cast<Board const &>(board_)[at_]; }
        reference &operator=(Player player)
        {
            board_.dark_[at_] = player == Player::dark;
            board_.light_[at_] = player == Player::light;
            return *this;
        }
        reference &operator=(reference const &that) { return *this = Player(that); }
    };

    explicit Board(Dimensions dims) : dims_(dims)
    {
        if (dims.width < 2 || dims.height < 2) throw ge211::Client_logic_error("Board: dims too small");
        if (dims.width > 8 || dims.height > 8) throw ge211::Client_logic_error("Board: dims too large");
    }
    Dimensions dimensions() const { return dims_; }
    Player operator[](Position p) const
    {
        check_(p);
        return dark_[p] ? Player::dark : light_[p] ? Player::light : Player::neither;
    }
    reference operator[](Position p)
    {
        check_(p);
        return {*this, p};
    }
    void set_all(Position_set set, Player player)
    {
        for (Position p : set) (*this)[p] = player;
    }
    std::size_t count_player(Player player) const
    {
        std::size_t count = 0;
        for (Position p : all_positions()) count += (*this)[p] == player;
        return count;
    }
    bool good_position(Position p) const { return all_positions().contains(p); }
    Rectangle all_positions() const { return {0, 0, dims_.width, dims_.height}; }
    Rectangle center_positions() const { return {dims_.width / 2 - 1, dims_.height / 2 - 1, 2, 2}; }
    static std::vector<Dimensions> const &all_directions()
    {
        static std::vector<Dimensions> const directions{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1},
                                                        {0, 1},   {1, -1}, {1, 0},  {1, 1}};
        return directions;
    }
    bool operator==(Board const &that) const
    {
        return dims_ == that.dims_ && dark_ == that.dark_ && light_ == that.light_;
    }
    bool operator!=(Board const &that) const { return !(*this == that); }
};

inline std::ostream &operator<<(std::ostream &out, Board const &board)
{
    for (int y = 0; y < board.dimensions().height; ++y) {
        for (int x = 0; x < board.dimensions().width; ++x) out << board[{x, y}];
        out << '\n';
    }
    return out;
}
