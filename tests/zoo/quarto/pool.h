#ifndef __POOL_H__
#define __POOL_H__

#include "piece.h"

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
