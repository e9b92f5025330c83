#include "exceptions.h"

SquareException::SquareException(const Square &square, const std::string &state)
    : text(square.toString() + " is " + state + ".") {}
const char *SquareException::what() const noexcept { return text.c_str(); }

UsedPieceException::UsedPieceException(const Piece &piece) : text(piece.toString() + " is already used.") {}
const char *UsedPieceException::what() const noexcept { return text.c_str(); }

InvalidInputException::InvalidInputException(const std::string &input) : text(input + " is an invalid input.") {}
const char *InvalidInputException::what() const noexcept { return text.c_str(); }
