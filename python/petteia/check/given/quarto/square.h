// Written for petteia from the course's document, for submissions without the course's own file.

#ifndef PETTEIA_SQUARE_H
#define PETTEIA_SQUARE_H

#include "piece.h"
#include "quarto.h"
#include <string>

class Square {
    Vaxis v;
    Haxis h;
    const Piece *p;

public:
    Square(Vaxis v = A, Haxis h = H1);
    Vaxis getV() const;
    void setV(Vaxis v);
    Haxis getH() const;
    void setH(Haxis h);
    const Piece &getPiece() const;
    void setPiece(const Piece *p);
    bool isEmpty() const;
    bool isOnFirstDiagonal() const;
    bool isOnSecondDiagonal() const;
    std::string toString() const;
};

#endif
