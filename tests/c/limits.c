/*
 * The largest boards, and memory that is not there: an error, not the end.
 *
 * It limits its own memory, which sanitizers and valgrind cannot bear: it is run plain.
 */

#define _POSIX_C_SOURCE 200809L

#include <sys/resource.h>

#include "breakdown.h"
#include "check.h"
#include "petteia.h"

static unsigned errors = 0;
static char last[256];

static void count(const char *message, void *user) {
  (void)user;
  ++errors;
  strncpy(last, message, sizeof last - 1);
}

/* Both corners of a board of the largest size there is. */
static void test_largest(unsigned int width, unsigned int height, enum type type) {
  board *b = board_new(width, height, type);
  pos corner = make_pos(height - 1, width - 1);
  CHECK(b != NULL && board_get(b, corner) == EMPTY);
  board_set(b, corner, WHITE);
  CHECK(board_get(b, corner) == WHITE && board_get(b, make_pos(0, 0)) == EMPTY);
  CHECK(board_get(b, make_pos(height, 0)) == EMPTY);
  board_free(b);
}

int main(void) {
  struct rlimit limit;
  petteia_position *position = NULL;
  petteia_set_error_handler(count, NULL);
  test_largest(1u << 14, 1u << 14, BITS);
  test_largest(1u << 14, 1u << 14, MATRIX);
  test_largest(1u << 28, 1, BITS);
  test_largest(1, 1u << 28, BITS);
  test_largest(1u << 28, 1, MATRIX);
  CHECK(errors == 5);
  CHECK(petteia_breakdown_new(1u << 14, 1u << 14, 2, 2, &position) == PETTEIA_OK);
  CHECK(petteia_position_play_notation(position, "|16383") == PETTEIA_OK);
  petteia_position_free(position);
  position = NULL;

  limit.rlim_cur = limit.rlim_max = 48u << 20;
  CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
  errors = 0;
  CHECK(board_new(1u << 14, 1u << 14, MATRIX) == NULL && errors == 1);
  CHECK_TEXT(last, "board_new: no memory for a board of 16384 x 16384");
  CHECK(board_new(1u << 14, 1u << 14, BITS) == NULL && errors == 2);
  CHECK(new_game(2, 2, 1u << 14, 1u << 14, MATRIX) == NULL && errors == 3);
  CHECK(petteia_breakdown_new(1u << 14, 1u << 14, 2, 2, &position) == PETTEIA_INVALID_ARGUMENT);
  CHECK(position == NULL);
  return PASSED();
}
