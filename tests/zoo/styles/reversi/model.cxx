// The Reversi course's Model as a student hands it in: only this file.

#include "model.hxx"

Model::Model(int size) : Model(size, size) {}

Model::Model(int width, int height) : board_({width, height})
{
    compute_next_moves_();
}

Model::Rectangle Model::board() const
{
    return board_.all_positions();
}

Player Model::operator[](Position p) const
{
    return board_[p];
}

Move const *Model::find_move(Position p) const
{
    auto found = next_moves_.find(p);
    return found == next_moves_.end() ? nullptr : &*found;
}

void Model::play_move(Position p)
{
    if (is_game_over()) throw ge211::Client_logic_error("Model::play_move: game over");
    Move const *move = find_move(p);
    if (!move) throw ge211::Client_logic_error("Model::play_move: no such move");
    really_play_move_(*move);
}

Position_set Model::find_flips_(Position start, Dimensions dir) const
{
    Position_set flips;
    for (Position p = start + dir; board_.good_position(p); p += dir) {
        if (board_[p] == turn_) return flips;
        if (board_[p] == Player::neither) return {};
        flips[p] = true;
    }
    return {};
}

Position_set Model::evaluate_position_(Position p) const
{
    Position_set gained;
    if (board_[p] != Player::neither) return gained;
    for (auto dir : Board::all_directions()) gained |= find_flips_(p, dir);
    if (!gained.empty()) gained[p] = true;
    return gained;
}

void Model::compute_next_moves_()
{
    next_moves_.clear();
    for (auto p : board_.center_positions()) {
        if (board_[p] == Player::neither) next_moves_[p] = {p};
    }
    if (!next_moves_.empty()) return;
    for (auto p : board_.all_positions()) {
        Position_set gained = evaluate_position_(p);
        if (!gained.empty()) next_moves_[p] = gained;
    }
}

bool Model::advance_turn_()
{
    turn_ = other_player(turn_);
    compute_next_moves_();
    return !next_moves_.empty();
}

void Model::set_game_over_()
{
    turn_ = Player::neither;
    auto dark = board_.count_player(Player::dark), light = board_.count_player(Player::light);
    winner_ = dark > light ? Player::dark : light > dark ? Player::light : Player::neither;
}

void Model::really_play_move_(Move move)
{
    board_.set_all(move.second, turn_);
    if (!advance_turn_() && !advance_turn_()) set_game_over_();
}
