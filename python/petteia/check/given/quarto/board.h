// Written for petteia from the course's document, for submissions without the course's own file.

#ifndef PETTEIA_BOARD_H
#define PETTEIA_BOARD_H

#include "piece.h"
#include "quarto.h"
#include "square.h"
#include <string>

class Board {
    Square grid[N][N];

public:
    Board();
    Square &getSquare(Vaxis v, Haxis h);
    Square &getEmptySquare(Vaxis v, Haxis h);
    Square &getEmptySquare(const std::string &s);
    void place(Piece &p, Square &sq);
    bool isWinning(const Piece &p, const Square &sq);
    std::string toString() const;
};

#endif
