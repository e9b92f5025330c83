#ifndef __PLAYER_H__
#define __PLAYER_H__

#include "board.h"
#include "pool.h"

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
