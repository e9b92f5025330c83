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

/*
 * Fills all memory with clones of a board, and copies boards of several sizes to another: whether there is room for none,
 * for one or for both of their planes, the other is as it was or a copy.
 */
static void test_copies(void) {
  enum { SIZES = 6, MOST = 200 };
  static petteia_position *sources[SIZES], *clones[MOST];
  petteia_position *small = NULL, *wide = NULL, *before = NULL;
  unsigned i, count = 0, failed = 0;
  bool equal;
  for (i = 0; i < SIZES; ++i) {
    CHECK(petteia_breakdown_new(1u << 12, (i + 1) << 9, 2, 2, &sources[i]) == PETTEIA_OK);
  }
  CHECK(petteia_breakdown_new(20, 20, 2, 2, &wide) == PETTEIA_OK);
  CHECK(petteia_position_play_notation(wide, "|3") == PETTEIA_OK);
  CHECK(petteia_position_clone(wide, &before) == PETTEIA_OK);
  CHECK(petteia_position_new("tictac", "O", &small) == PETTEIA_OK);
  while (count < MOST && petteia_position_clone(sources[SIZES - 1], &clones[count]) == PETTEIA_OK) {
    ++count;
  }
  CHECK(count > 0 && count < MOST);
  for (i = 0; i < SIZES; ++i) {
    petteia_status status = petteia_position_copy(wide, sources[i]);
    CHECK(status == PETTEIA_OK || status == PETTEIA_NO_MEMORY);
    failed += status == PETTEIA_NO_MEMORY;
    CHECK(petteia_position_equal(wide, status == PETTEIA_OK ? sources[i] : before, &equal) == PETTEIA_OK && equal);
    CHECK(petteia_position_copy(wide, before) == PETTEIA_OK);
  }
  CHECK(failed > 0);
  CHECK(petteia_position_copy(small, sources[SIZES - 1]) == PETTEIA_NO_MEMORY);
  CHECK(petteia_position_play_notation(small, "B2") == PETTEIA_OK);
  while (count > 0) {
    petteia_position_free(clones[--count]);
  }
  for (i = 0; i < SIZES; ++i) {
    petteia_position_free(sources[i]);
  }
  petteia_position_free(small);
  petteia_position_free(wide);
  petteia_position_free(before);
}

int main(void) {
  struct rlimit limit;
  petteia_position *position = NULL;
  petteia_vector *vector = NULL;
  petteia_solution *solution = NULL;
  petteia_solve_options options;
  petteia_perft_options counting;
  uint64_t leaves = 77;
  size_t length = 77;
  petteia_set_error_handler(count, NULL);
  CHECK(petteia_solve_options_init(&options) == PETTEIA_OK && petteia_perft_options_init(&counting) == PETTEIA_OK);
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
  counting.table_bytes = 1u << 30;
  CHECK(petteia_position_perft(position, 9, &counting, &leaves) == PETTEIA_NO_MEMORY);
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

  test_copies();

  /* There is room for a board, but not for a byte for each of its cells. */
  CHECK(petteia_breakdown_new(1u << 12, 3u << 12, 2, 2, &position) == PETTEIA_OK);
  CHECK(petteia_position_text(position, NULL, 0, &length) == PETTEIA_NO_MEMORY);
  CHECK(petteia_position_drawing(position, NULL, 0, &length) == PETTEIA_NO_MEMORY && length == 77);
  petteia_position_free(position);
  return PASSED();
}
