#ifndef MOVE_H
#define MOVE_H

#include <stdexcept>
#include <string>

struct ParseError : std::runtime_error {
    ParseError() : std::runtime_error("Parse error.") {}
};

struct Move {
    int number;
    char player, row, column;

    explicit Move(const std::string& line);
    std::string toString() const;
};

#endif
