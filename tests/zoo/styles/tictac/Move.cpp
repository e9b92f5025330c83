#include "Move.h"
#include <cctype>
#include <sstream>

// With streams, which read a leading zero as part of a number.
Move::Move(const std::string& line)
{
    std::istringstream in(line);
    std::string square;
    if (line.empty() || !std::isdigit(static_cast<unsigned char>(line[0])) || !(in >> number)) throw ParseError();
    if (number < 1 || number > 9 || !std::isspace(in.peek())) throw ParseError();
    in >> player;
    if (!in || !std::isspace(in.peek()) || !(in >> square) || square.size() != 2) throw ParseError();
    player = static_cast<char>(std::toupper(static_cast<unsigned char>(player)));
    row = static_cast<char>(std::toupper(static_cast<unsigned char>(square[0])));
    column = square[1];
    if ((player != 'X' && player != 'O') || row < 'A' || row > 'C' || column < '1' || column > '3') throw ParseError();
    std::string rest;
    if (in >> rest && rest[0] != '#') throw ParseError();
}

std::string Move::toString() const
{
    std::ostringstream out;
    out << number << ' ' << player << ' ' << row << column;
    return out.str();
}
