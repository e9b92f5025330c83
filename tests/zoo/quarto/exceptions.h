#ifndef __EXCEPTIONS_H__
#define __EXCEPTIONS_H__

#include <exception>
#include <string>

class Piece;
class Square;

class GameException : public std::exception {
    std::string message;

public:
    explicit GameException(const std::string &message) : message(message) {}
    const char *what() const noexcept override { return message.c_str(); }
};

class SquareException : public GameException {
public:
    SquareException(const Square &sq, const std::string &state);
};

class UsedPieceException : public GameException {
public:
    explicit UsedPieceException(const Piece &p);
};

class InvalidInputException : public GameException {
public:
    explicit InvalidInputException(const std::string &input);
};

#endif
