// Written for petteia from the course's document, for submissions without the course's own file.

#pragma once

#include "board.hxx"
#include "move.hxx"
#include "player.hxx"
#include <ge211.hxx>

class Model {
public:
    using Dimensions = Board::Dimensions;
    using Position = Board::Position;
    using Rectangle = Board::Rectangle;

    explicit Model(int size = 8);
    Model(int width, int height);
    Rectangle board() const;
    bool is_game_over() const { return turn() == Player::neither; }
    Player turn() const { return turn_; }
    Player winner() const { return winner_; }
    Player operator[](Position) const;
    Move const *find_move(Position) const;
    void play_move(Position);

    friend struct Test_access;

private:
    Player turn_ = Player::dark;
    Player winner_ = Player::neither;
    Board board_;
    Move_map next_moves_;

    Position_set find_flips_(Position start, Dimensions dir) const;
    Position_set evaluate_position_(Position) const;
    void compute_next_moves_();
    bool advance_turn_();
    void set_game_over_();
    void really_play_move_(Move move);
};
