// Written for petteia from the course's document, for submissions without the course's own file.

#ifndef PETTEIA_PIECE_H
#define PETTEIA_PIECE_H

#include "quarto.h"
#include <string>

class Piece {
    Height h;
    Color c;
    Shape s;
    Top t;
    bool used;

public:
    Piece(Height h = SHORT, Color c = BEIGE, Shape s = CIRCLE, Top t = HOLLOW);
    bool compareHeight(const Piece &p) const;
    bool compareColor(const Piece &p) const;
    bool compareShape(const Piece &p) const;
    bool compareTop(const Piece &p) const;
    bool isUsed() const;
    void setUsed(bool u);
    std::string toString() const;
};

#endif
