/*
 * Errors of breakdown.h with a handler: it gets the message, the function returns its neutral value, nothing changes.
 */

#include "breakdown.h"
#include "check.h"
#include "petteia.h"

struct errors {
  unsigned count;
  char last[256];
};

static void remember(const char *message, void *user) {
  struct errors *errors = (struct errors *)user;
  ++errors->count;
  strncpy(errors->last, message, sizeof errors->last - 1);
}

static struct errors errors;

/* Checks that an expression, or a call without a value, reports one error with this message. */
#define CHECK_ERROR(what, message)       \
  do {                                   \
    unsigned before = errors.count;      \
    CHECK(what);                         \
    CHECK(errors.count == before + 1);   \
    CHECK_TEXT(errors.last, message);    \
  } while (0)
#define DO(call) ((call), 1)

static void test_null(void) {
  game *g = new_game(2, 2, 3, 3, MATRIX);
  board *b = g->b;
  CHECK_ERROR(DO(board_show(NULL)), "board_show: b is NULL");
  CHECK_ERROR(board_get(NULL, make_pos(0, 0)) == EMPTY, "board_get: b is NULL");
  CHECK_ERROR(DO(board_set(NULL, make_pos(0, 0), BLACK)), "board_set: b is NULL");
  CHECK_ERROR(drop_stick(NULL, 0, 1) == 0, "drop_stick: g is NULL");
  CHECK_ERROR(DO(breakdown(NULL)), "breakdown: g is NULL");
  CHECK_ERROR(game_outcome(NULL) == IN_PROGRESS, "game_outcome: g is NULL");
  g->b = NULL;
  CHECK_ERROR(drop_stick(g, 0, 1) == 0, "drop_stick: the game's board is NULL");
  CHECK_ERROR(DO(breakdown(g)), "breakdown: the game's board is NULL");
  CHECK_ERROR(game_outcome(g) == IN_PROGRESS, "game_outcome: the game's board is NULL");
  g->b = b;
  board_free(NULL); /* these two are fine */
  game_free(NULL);
  game_free(g);
}

static void test_sizes(void) {
  CHECK_ERROR(!board_new(0, 3, BITS), "board_new: invalid width 0: expected 1 or more");
  CHECK_ERROR(!board_new(3, 0, MATRIX), "board_new: invalid height 0: expected 1 or more");
  CHECK_ERROR(!board_new(16385, 16384, BITS),
              "board_new: invalid board size 16385 x 16384: expected at most 268435456 cells");
  CHECK_ERROR(!board_new(4294967295u, 4294967295u, MATRIX),
              "board_new: invalid board size 4294967295 x 4294967295: expected at most 268435456 cells");
  CHECK_ERROR(!board_new(3, 3, (enum type)2), "board_new: invalid board type 2: expected MATRIX or BITS");
  CHECK_ERROR(!new_game(0, 2, 3, 3, BITS), "new_game: invalid stick 0: expected 1 or more");
  CHECK_ERROR(!new_game(2, 0, 3, 3, BITS), "new_game: invalid square 0: expected 1 or more");
  CHECK_ERROR(!new_game(2, 2, 0, 3, BITS), "new_game: invalid width 0: expected 1 or more");
  CHECK_ERROR(!new_game(2, 2, 3, 0, BITS), "new_game: invalid height 0: expected 1 or more");
  CHECK_ERROR(!new_game(2, 2, 3, 3, (enum type)3), "new_game: invalid board type 3: expected MATRIX or BITS");
}

static void test_bounds(enum type type) {
  board *b = board_new(4, 5, type);
  CHECK_ERROR(board_get(b, make_pos(5, 0)) == EMPTY,
              "board_get: no cell at row 5, column 0: expected a row below 5 and a column below 4");
  CHECK_ERROR(board_get(b, make_pos(0, 4)) == EMPTY,
              "board_get: no cell at row 0, column 4: expected a row below 5 and a column below 4");
  CHECK_ERROR(DO(board_set(b, make_pos(4294967295u, 4294967295u), BLACK)),
              "board_set: no cell at row 4294967295, column 4294967295: "
              "expected a row below 5 and a column below 4");
  CHECK_ERROR(DO(board_set(b, make_pos(1, 1), (cell)3)),
              "board_set: invalid cell 3: expected EMPTY, BLACK or WHITE");
  CHECK(board_get(b, make_pos(1, 1)) == EMPTY);
  board_free(b);
}

/* Invalid values that the program writes into the structs are reported. */
static void test_overwritten(void) {
  game *g = new_game(2, 2, 3, 2, BITS);
  unsigned int *bits = g->b->u.bits;
  bits[0] = 3u << 10 | 1u; /* the pair 11 in the last cell */
  CHECK_ERROR(board_get(g->b, make_pos(1, 2)) == EMPTY,
              "board_get: invalid cell 3 at row 1, column 2: expected 0, 1 or 2");
  CHECK_ERROR(DO(board_show(g->b)), "board_show: invalid cell 3 at row 1, column 2: expected 0, 1 or 2");
  CHECK_ERROR(DO(breakdown(g)), "breakdown: invalid cell 3 at row 1, column 2: expected 0, 1 or 2");
  CHECK_ERROR(drop_stick(g, 2, 1) == 0, "drop_stick: invalid cell 3 at row 1, column 2: expected 0, 1 or 2");
  CHECK_ERROR(game_outcome(g) == IN_PROGRESS,
              "game_outcome: invalid cell 3 at row 1, column 2: expected 0, 1 or 2");
  CHECK(bits[0] == (3u << 10 | 1u)); /* nothing fell, nothing was dropped */
  board_set(g->b, make_pos(1, 2), WHITE); /* it can be repaired */
  CHECK(bits[0] == (2u << 10 | 1u));

  g->b->type = (enum type)3;
  CHECK_ERROR(board_get(g->b, make_pos(0, 0)) == EMPTY, "board_get: invalid board type 3: expected MATRIX or BITS");
  CHECK_ERROR(DO(board_set(g->b, make_pos(0, 0), BLACK)),
              "board_set: invalid board type 3: expected MATRIX or BITS");
  CHECK_ERROR(DO(board_show(g->b)), "board_show: invalid board type 3: expected MATRIX or BITS");
  CHECK_ERROR(DO(board_free(g->b)), "board_free: invalid board type 3: expected MATRIX or BITS");
  CHECK_ERROR(DO(game_free(g)), "game_free: invalid board type 3: expected MATRIX or BITS");
  g->b->type = BITS;

  g->b->u.bits = NULL;
  CHECK_ERROR(board_get(g->b, make_pos(0, 0)) == EMPTY, "board_get: the board has no memory");
  g->b->u.bits = bits;

  g->next = (turn)2;
  CHECK_ERROR(drop_stick(g, 2, 1) == 0, "drop_stick: invalid turn 2: expected BLACK_NEXT or WHITE_NEXT");
  g->next = BLACK_NEXT;
  g->stick = 0;
  CHECK_ERROR(drop_stick(g, 2, 1) == 0, "drop_stick: invalid stick 0: expected 1 or more");
  g->stick = 2;
  g->square = 0;
  CHECK_ERROR(game_outcome(g) == IN_PROGRESS, "game_outcome: invalid square 0: expected 1 or more");
  g->square = 2;
  CHECK(bits[0] == (2u << 10 | 1u));
  game_free(g);

  g = new_game(2, 2, 2, 2, MATRIX);
  g->b->u.matrix[0][1] = BLACK;
  {
    unsigned int made_up = 77;
    memcpy(&g->b->u.matrix[1][0], &made_up, sizeof made_up);
  }
  CHECK_ERROR(DO(breakdown(g)), "breakdown: invalid cell 77 at row 1, column 0: expected 0, 1 or 2");
  CHECK(g->b->u.matrix[0][1] == BLACK);
  game_free(g);
}

static unsigned depth = 0;

/* A handler may call the library, and even cause another error. */
static void nested(const char *message, void *user) {
  remember(message, user);
  if (++depth == 1) {
    board *b = board_new(2, 2, BITS);
    board_set(b, make_pos(9, 9), BLACK);
    board_free(b);
  }
}

static void test_nested(void) {
  unsigned before = errors.count;
  petteia_set_error_handler(nested, &errors);
  CHECK(board_new(0, 0, BITS) == NULL);
  CHECK(depth == 2 && errors.count == before + 2);
  CHECK_TEXT(errors.last, "board_set: no cell at row 9, column 9: expected a row below 2 and a column below 2");
  petteia_set_error_handler(NULL, NULL);
}

int main(void) {
  petteia_set_error_handler(remember, &errors);
  test_null();
  test_sizes();
  test_bounds(MATRIX);
  test_bounds(BITS);
  test_overwritten();
  test_nested();
  return PASSED();
}
