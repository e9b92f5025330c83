#ifndef __PIECE_H__
#define __PIECE_H__

#include "quarto.h"

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
