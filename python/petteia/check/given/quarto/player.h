// Written for petteia from the course's document, for submissions without the course's own file.

#ifndef PETTEIA_PLAYER_H
#define PETTEIA_PLAYER_H

#include "board.h"
#include "piece.h"
#include "pool.h"
#include "square.h"

class Player {
protected:
    Board *board;
    Pool *pool;

public:
    Player(Board *board, Pool *pool) : board(board), pool(pool) {}
    virtual Piece &selectPiece() = 0;
    virtual Square &selectSquare(const Piece &p) = 0;
};

extern Player *getHumanPlayer(Board *b, Pool *p);
extern Player *getMyopicPlayer(Board *b, Pool *p, unsigned int seed);

#endif
