#ifndef __BOARD_H__
#define __BOARD_H__

#include "square.h"

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
