#include "exceptions.h"
#include "piece.h"
#include "square.h"

SquareException::SquareException(const Square &sq, const std::string &state)
    : GameException(sq.toString() + " is " + state + ".") {}

UsedPieceException::UsedPieceException(const Piece &p) : GameException(p.toString() + " is already used.") {}

InvalidInputException::InvalidInputException(const std::string &input)
    : GameException(input + " is an invalid input.") {}
