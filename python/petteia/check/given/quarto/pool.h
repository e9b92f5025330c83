// Written for petteia from the course's document, for submissions without the course's own file.

#ifndef PETTEIA_POOL_H
#define PETTEIA_POOL_H

#include "piece.h"
#include <string>

class Pool {
    Piece pieces[NP];

    Piece &getUnusedPiece(int index);

public:
    Pool();
    Piece &getUnusedPiece(Height h, Color c, Shape s, Top t);
    Piece &getUnusedPiece(const std::string &in);
    std::string toString() const;
};

#endif
