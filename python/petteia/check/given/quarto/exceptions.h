// Written for petteia from the course's document, for submissions without the course's own file.

#ifndef PETTEIA_EXCEPTIONS_H
#define PETTEIA_EXCEPTIONS_H

#include "pool.h"
#include "square.h"
#include <exception>
#include <string>

class SquareException : public std::exception {
    const std::string text;

public:
    SquareException(const Square &square, const std::string &state);
    virtual const char *what() const noexcept;
};

class UsedPieceException : public std::exception {
    const std::string text;

public:
    UsedPieceException(const Piece &piece);
    virtual const char *what() const noexcept;
};

class InvalidInputException : public std::exception {
    const std::string text;

public:
    InvalidInputException(const std::string &input);
    virtual const char *what() const noexcept;
};

#endif
