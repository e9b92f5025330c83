#ifndef _LOGIC_H
#define _LOGIC_H

#include "board.h"

enum turn { BLACK_NEXT, WHITE_NEXT };
typedef enum turn turn;

enum outcome { BLACK_WIN, WHITE_WIN, DRAW, IN_PROGRESS };
typedef enum outcome outcome;

struct game {
    unsigned int stick, square;
    board* b;
    turn next;
};
typedef struct game game;

game* new_game(unsigned int stick, unsigned int square, unsigned int width, unsigned int height, enum type type);
void game_free(game* g);
int drop_stick(game* g, unsigned int col, int vertical);
void breakdown(game* g);
outcome game_outcome(game* g);

#endif
