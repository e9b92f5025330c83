/*
 * The largest boards, and too little memory: an error, not a crash.
 *
 * It limits its own memory, so it does not run with sanitizers or valgrind.
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

static const char *last_error(void) {
  static char text[256];
  size_t length;
  CHECK(petteia_last_error(text, sizeof text, &length) == PETTEIA_OK);
  return text;
}

/* Checks two corners of a board of the largest size. */
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
  petteia_vector *vector = NULL;
  petteia_solution *solution = NULL;
  petteia_solve_options options = {0, 0, 0, 0, 0, 0, NULL, NULL};
  uint64_t leaves = 77;
  size_t length = 77;
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
  CHECK(petteia_breakdown_new(1u << 14, 1u << 14, 2, 2, &position) == PETTEIA_NO_MEMORY);
  CHECK(strncmp(last_error(), "no memory for a board of ", 25) == 0);
  CHECK(petteia_position_new("breakdown", "16384 16384 2 2", &position) == PETTEIA_NO_MEMORY);
  CHECK(petteia_record_last("breakdown 16384 16384 2 2: |0", &position) == PETTEIA_NO_MEMORY);
  CHECK(position == NULL);

  CHECK(petteia_position_new("reversi", "8 8", &position) == PETTEIA_OK);
  CHECK(petteia_vector_new(position, 1u << 24, 0, 1, PETTEIA_REFUSE, &vector) == PETTEIA_NO_MEMORY);
  CHECK(strncmp(last_error(), "no memory for a batch of environments of ", 41) == 0);
  CHECK(petteia_position_perft_with(position, 9, 1, 1u << 30, NULL, NULL, &leaves) == PETTEIA_NO_MEMORY);
  CHECK(strncmp(last_error(), "no memory for a transposition table of ", 39) == 0);
  options.table_bytes = 1u << 30;
  CHECK(petteia_solve(position, &options, &solution) == PETTEIA_NO_MEMORY);
  CHECK(vector == NULL && leaves == 77 && solution == NULL);
  CHECK_TEXT(petteia_status_message(PETTEIA_NO_MEMORY), "not enough memory");
  petteia_position_free(position);

  /* There is room for one such board, but not for many. */
  CHECK(petteia_breakdown_new(1u << 12, 1u << 12, 2, 2, &position) == PETTEIA_OK);
  CHECK(petteia_vector_new(position, 20, 0, 1, PETTEIA_REFUSE, &vector) == PETTEIA_NO_MEMORY && vector == NULL);
  petteia_position_free(position);

  /* There is room for a board, but not for a byte for each of its cells. */
  CHECK(petteia_breakdown_new(1u << 12, 3u << 12, 2, 2, &position) == PETTEIA_OK);
  CHECK(petteia_position_text(position, NULL, 0, &length) == PETTEIA_NO_MEMORY);
  CHECK(petteia_position_drawing(position, NULL, 0, &length) == PETTEIA_NO_MEMORY && length == 77);
  petteia_position_free(position);
  return PASSED();
}
