/*
 * The memory of breakdown.h: the layout of the structs and boards, which a program may read and write.
 */

#include <stddef.h>

#include "breakdown.h"
#include "check.h"
#include "petteia.h"

#define FIELD(type, member) (sizeof(((type *)0)->member))

/* The offsets that follow from the course's definitions, on any machine. */
static void test_layout(void) {
  CHECK(sizeof(pos) == 2 * sizeof(unsigned int));
  CHECK(offsetof(pos, r) == 0 && offsetof(pos, c) == sizeof(unsigned int));
  CHECK(sizeof(cell) == sizeof(unsigned int) && sizeof(enum type) == sizeof(unsigned int));
  CHECK(sizeof(board_rep) == sizeof(void *));
  CHECK(offsetof(board, width) == 0 && FIELD(board, width) == sizeof(unsigned int));
  CHECK(offsetof(board, height) == sizeof(unsigned int));
  CHECK(offsetof(board, type) == 2 * sizeof(unsigned int));
  CHECK(offsetof(board, u) == 2 * sizeof(void *) && FIELD(board, u) == sizeof(void *));
  CHECK(sizeof(board) == 3 * sizeof(void *));
  CHECK(offsetof(game, stick) == 0 && offsetof(game, square) == sizeof(unsigned int));
  CHECK(offsetof(game, b) == sizeof(void *) && offsetof(game, next) == 2 * sizeof(void *));
  CHECK(sizeof(game) == 3 * sizeof(void *));
  CHECK(EMPTY == 0 && BLACK == 1 && WHITE == 2 && MATRIX == 0 && BITS == 1);
  CHECK(BLACK_NEXT == 0 && WHITE_NEXT == 1);
  CHECK(BLACK_WIN == 0 && WHITE_WIN == 1 && DRAW == 2 && IN_PROGRESS == 3);

  CHECK(sizeof(petteia_status) == sizeof(unsigned int) && sizeof(bool) == 1);
  CHECK(sizeof(petteia_game) == sizeof(unsigned int));
  CHECK(PETTEIA_TICTAC == 0 && PETTEIA_BREAKDOWN == 1 && PETTEIA_REVERSI == 2 && PETTEIA_QUARTO == 3);
  CHECK(offsetof(petteia_parameter, fallback) == 2 * sizeof(void *) && FIELD(petteia_parameter, fallback) == 4);
  CHECK(offsetof(petteia_parameter, words) % sizeof(void *) == 0);
  CHECK(sizeof(petteia_tally) == 32 && offsetof(petteia_tally, plies) == 24);
  CHECK(sizeof(petteia_tictac_move) == 12 && offsetof(petteia_tictac_move, square) == 8);
  CHECK(sizeof(petteia_reversi_square) == 8 && offsetof(petteia_reversi_square, y) == 4);
}

static void test_matrix(void) {
  board *b = board_new(7, 6, MATRIX);
  unsigned int r, c;
  for (r = 0; r < 6; ++r) {
    for (c = 0; c < 7; ++c) {
      CHECK(b->u.matrix[r][c] == EMPTY);
      b->u.matrix[r][c] = (cell)((r + c) % 3);
    }
  }
  for (r = 0; r < 6; ++r) {
    for (c = 0; c < 7; ++c) {
      CHECK(board_get(b, make_pos(r, c)) == (cell)((r + c) % 3));
    }
  }
  board_set(b, make_pos(5, 6), EMPTY);
  CHECK(b->u.matrix[5][6] == EMPTY && b->u.matrix[5][5] == BLACK);
  /* A program may even swap rows. */
  {
    cell *row = b->u.matrix[0];
    b->u.matrix[0] = b->u.matrix[5];
    b->u.matrix[5] = row;
  }
  CHECK(board_get(b, make_pos(5, 1)) == BLACK && board_get(b, make_pos(0, 1)) == EMPTY);
  board_free(b);
}

static void test_bits(void) {
  board *b = board_new(5, 3, BITS);
  unsigned int i;
  CHECK(b->u.bits[0] == 0);
  for (i = 0; i < 15; ++i) {
    board_set(b, make_pos(i / 5, i % 5), (cell)(i % 3));
  }
  CHECK(b->u.bits[0] == 0x24924924u);
  b->u.bits[0] = 0x2u << 28; /* the last cell alone */
  for (i = 0; i < 15; ++i) {
    CHECK(board_get(b, make_pos(i / 5, i % 5)) == (i == 14 ? WHITE : EMPTY));
  }
  board_free(b);

  b = board_new(17, 1, BITS); /* the last cell is in a second word */
  board_set(b, make_pos(0, 16), BLACK);
  CHECK(b->u.bits[0] == 0 && b->u.bits[1] == 1);
  board_free(b);
}

/* Both representations agree after the same steps. */
static void test_agreement(void) {
  game *g[2];
  unsigned int seed = 1, i, r, c, k;
  for (k = 0; k < 2; ++k) {
    g[k] = new_game(3, 4, 11, 9, k == 0 ? MATRIX : BITS);
  }
  for (i = 0; i < 300; ++i) {
    unsigned int col;
    int vertical, fitted[2];
    seed = seed * 1103515245u + 12345u;
    col = (seed >> 16) % 12;
    vertical = (int)(seed >> 28 & 1);
    for (k = 0; k < 2; ++k) {
      g[k]->next = i % 2 ? WHITE_NEXT : BLACK_NEXT;
      fitted[k] = drop_stick(g[k], col, vertical);
      if (i % 7 == 6) {
        breakdown(g[k]);
      }
    }
    CHECK(fitted[0] == fitted[1] && game_outcome(g[0]) == game_outcome(g[1]));
    for (r = 0; r < 9; ++r) {
      for (c = 0; c < 11; ++c) {
        CHECK(g[0]->b->u.matrix[r][c] == board_get(g[1]->b, make_pos(r, c)));
      }
    }
  }
  game_free(g[0]);
  game_free(g[1]);
}

int main(void) {
  test_layout();
  test_matrix();
  test_bits();
  test_agreement();
  return PASSED();
}
