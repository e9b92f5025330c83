/*
 * Evidence in the style of the course: it includes the course's three headers and tests all their functions, on boards
 * of both types. It compiles with -Iinclude/breakdown alone.
 */

#include "board.h"
#include "check.h"
#include "logic.h"
#include "pos.h"

/* Checks a board against a text: rows from the top, separated by '/', with '.', '*' and 'o' for the cells. */
static void check_board(board *b, const char *rows) {
  unsigned int r, c;
  for (r = 0; r < b->height; ++r) {
    for (c = 0; c < b->width; ++c) {
      CHECK(".*o"[board_get(b, make_pos(r, c))] == rows[r * (b->width + 1) + c]);
    }
  }
}

/* Fills a board from such a text. */
static void fill_board(board *b, const char *rows) {
  unsigned int r, c;
  for (r = 0; r < b->height; ++r) {
    for (c = 0; c < b->width; ++c) {
      char symbol = rows[r * (b->width + 1) + c];
      board_set(b, make_pos(r, c), symbol == '*' ? BLACK : symbol == 'o' ? WHITE : EMPTY);
    }
  }
}

/* Checks the outcome of a game with the given board. */
static void check_outcome(unsigned int stick, unsigned int square, unsigned int width, unsigned int height,
                          enum type type, const char *rows, outcome expected) {
  game *g = new_game(stick, square, width, height, type);
  fill_board(g->b, rows);
  CHECK(game_outcome(g) == expected);
  check_board(g->b, rows);
  game_free(g);
}

static void test_pos(void) {
  pos p = make_pos(3, 7);
  CHECK(p.r == 3 && p.c == 7);
}

static void test_board(enum type type) {
  board *b = board_new(4, 5, type);
  CHECK(b->width == 4 && b->height == 5 && b->type == type);
  check_board(b, "..../..../..../..../....");
  board_set(b, make_pos(0, 0), BLACK);
  board_set(b, make_pos(4, 3), WHITE);
  board_set(b, make_pos(2, 1), BLACK);
  check_board(b, "*.../..../.*../..../...o");
  board_set(b, make_pos(2, 1), WHITE); /* an occupied cell is overwritten */
  board_set(b, make_pos(0, 0), EMPTY);
  check_board(b, "..../..../.o../..../...o");
  board_free(b);
  board_free(NULL);
}

/* The example game of the document, move by move. */
static void test_example_game(enum type type) {
  game *g = new_game(2, 2, 4, 5, type);
  CHECK(g->stick == 2 && g->square == 2 && g->next == BLACK_NEXT);
  check_board(g->b, "..../..../..../..../....");
  CHECK(game_outcome(g) == IN_PROGRESS);

  CHECK(drop_stick(g, 0, 1));
  check_board(g->b, "..../..../..../*.../*...");
  CHECK(g->next == BLACK_NEXT); /* the caller changes the turn */
  g->next = WHITE_NEXT;
  CHECK(drop_stick(g, 2, 0));
  check_board(g->b, "..../..../..../*.../*.oo");
  g->next = BLACK_NEXT;
  CHECK(drop_stick(g, 0, 0));
  check_board(g->b, "..../..../**../*.../*.oo");
  g->next = WHITE_NEXT;
  CHECK(drop_stick(g, 1, 0));
  check_board(g->b, "..../.oo./**../*.../*.oo");
  CHECK(game_outcome(g) == IN_PROGRESS);
  g->next = BLACK_NEXT;
  breakdown(g);
  check_board(g->b, "..../..../*.../*oo./**oo");
  CHECK(g->next == BLACK_NEXT);
  breakdown(g); /* nothing is left to fall */
  check_board(g->b, "..../..../*.../*oo./**oo");
  CHECK(game_outcome(g) == IN_PROGRESS);
  game_free(g);
  game_free(NULL);
}

static void test_no_room(enum type type) {
  game *g = new_game(2, 3, 3, 3, type);
  CHECK(drop_stick(g, 1, 1));
  CHECK(!drop_stick(g, 1, 1)); /* one free row is too few for an upright stick */
  CHECK(!drop_stick(g, 2, 0)); /* past the right edge */
  CHECK(!drop_stick(g, 3, 1)); /* no such column */
  CHECK(!drop_stick(g, 4294967295u, 0) && !drop_stick(g, 4294967295u, 1));
  check_board(g->b, ".../.*./.*.");
  g->next = WHITE_NEXT;
  CHECK(drop_stick(g, 0, -7)); /* any number but 0 is vertical */
  CHECK(drop_stick(g, 1, 0));
  check_board(g->b, ".oo/o*./o*.");
  CHECK(!drop_stick(g, 0, 0) && !drop_stick(g, 1, 0));
  check_board(g->b, ".oo/o*./o*.");
  game_free(g);
}

static void test_breakdown(enum type type) {
  game *g = new_game(2, 3, 4, 4, type);
  fill_board(g->b, "*o.*/..../.*../o.o.");
  breakdown(g);
  check_board(g->b, "..../..../*o../o*o*");
  game_free(g);
}

static void test_outcome(enum type type) {
  /* squares, on overhangs too, whoever moved */
  check_outcome(2, 2, 4, 5, type, "..../..../..../**../**oo", BLACK_WIN);
  check_outcome(2, 2, 4, 5, type, "oo../oo../..../*.../*...", WHITE_WIN);
  check_outcome(2, 2, 4, 5, type, "..../..../..../**oo/**oo", DRAW);
  check_outcome(2, 3, 5, 4, type, ".****/****o/o***o/..*o.", BLACK_WIN);
  check_outcome(2, 3, 5, 4, type, ".****/****o/o*o*o/..*o.", IN_PROGRESS);
  /* a full board, and one with an unusable cell */
  check_outcome(2, 2, 2, 2, type, "*o/o*", DRAW);
  check_outcome(2, 2, 3, 3, type, "o*./oo*/o**", DRAW);
  /* no stick fits, but a breakdown still changes something */
  check_outcome(3, 2, 3, 3, type, "*o./..o/*o*", IN_PROGRESS);
  check_outcome(2, 2, 2, 2, type, "*./*.", IN_PROGRESS);
  /* sticks and squares of unusual sizes */
  check_outcome(1, 1, 1, 1, type, ".", IN_PROGRESS);
  check_outcome(1, 1, 1, 1, type, "o", WHITE_WIN);
  check_outcome(9, 2, 3, 3, type, ".../.../...", DRAW);
  check_outcome(2, 9, 3, 3, type, "***/***/***", DRAW);
}

int main(void) {
  enum type types[] = {MATRIX, BITS};
  int i;
  test_pos();
  for (i = 0; i < 2; ++i) {
    test_board(types[i]);
    test_example_game(types[i]);
    test_no_room(types[i]);
    test_breakdown(types[i]);
    test_outcome(types[i]);
  }
  return PASSED();
}
