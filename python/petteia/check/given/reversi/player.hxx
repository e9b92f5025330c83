// Written for petteia from the course's document, for submissions without the course's own file.

#pragma once

#include <ostream>

enum class Player { dark, light, neither };

inline Player other_player(Player player)
{
    return player == Player::dark ? Player::light : player == Player::light ? Player::dark : Player::neither;
}

inline std::ostream &operator<<(std::ostream &out, Player player)
{
    return out << (player == Player::dark ? 'D' : player == Player::light ? 'L' : '_');
}
