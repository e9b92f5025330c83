// Written for petteia from the course's document, for submissions without the course's own file.

#pragma once

#include "position_set.hxx"
#include <ge211.hxx>
#include <ostream>
#include <unordered_map>
#include <utility>

using Move = std::pair<ge211::Posn<int> const, Position_set>;
using Move_map = std::unordered_map<ge211::Posn<int>, Position_set>;

inline std::ostream &operator<<(std::ostream &out, Move const &move)
{
    return out << "Move{" << move.first << ", " << move.second << "}";
}
