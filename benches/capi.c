/*
 * What the border costs, seen from C; benches/capi.rs runs it in turns with the same work in Rust.
 *
 *     capi handle GAME PARAMETERS PLIES    a line: the sum of all actions played, nanoseconds a call
 *     capi board                           a line an operation: nanoseconds through breakdown.h, and by hand
 */

#define _POSIX_C_SOURCE 200809L

#include <breakdown.h>
#include <inttypes.h>
#include <petteia.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* The same numbers as in benches/capi.rs, so that both play the same games. */
static uint64_t next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/* Three calls a ply: legal moves, play, outcome. */
static int bench_handle(const char *name, const char *parameters, long plies) {
  petteia_position *start = NULL, *game = NULL;
  uint64_t state = 88172645463325252u, sum = 0;
  double begin, end;
  long ply;
  if (petteia_position_new(name, parameters, &start) || petteia_position_clone(start, &game)) {
    return 1;
  }
  begin = now();
  for (ply = 0; ply < plies; ++ply) {
    uint32_t actions[256];
    size_t moves;
    petteia_outcome outcome;
    if (petteia_position_legal_actions(game, actions, 256, &moves)) return 1;
    sum += actions[next(&state) % moves];
    if (petteia_position_play(game, actions[state % moves])) return 1;
    if (petteia_position_outcome(game, &outcome)) return 1;
    if (outcome != PETTEIA_IN_PROGRESS) {
      petteia_position_free(game);
      if (petteia_position_clone(start, &game)) return 1;
    }
  }
  end = now();
  printf("%" PRIu64 " %f\n", sum, (end - begin) / (3.0 * (double)plies));
  petteia_position_free(game);
  petteia_position_free(start);
  return 0;
}

/* A place, made in place: make_pos is a call too. */
static pos at(unsigned int r, unsigned int c) {
  pos p;
  p.r = r;
  p.c = c;
  return p;
}

/* The document's bits board by hand, with its bounds check: a function call each, as from a board.c of its own. */

struct by_hand {
  unsigned int width, height;
  unsigned int *bits;
};

static void check_bounds(const struct by_hand *b, pos p) {
  if (p.r >= b->height || p.c >= b->width) {
    fprintf(stderr, "out of bounds\n");
    exit(1);
  }
}

__attribute__((noinline)) static cell hand_get(struct by_hand *b, pos p) {
  unsigned int i;
  check_bounds(b, p);
  i = p.r * b->width + p.c;
  return (cell)(b->bits[i / 16] >> (2 * (i % 16)) & 3);
}

__attribute__((noinline)) static void hand_set(struct by_hand *b, pos p, cell c) {
  unsigned int i, shift;
  check_bounds(b, p);
  i = p.r * b->width + p.c;
  shift = 2 * (i % 16);
  b->bits[i / 16] = (b->bits[i / 16] & ~(3u << shift)) | (unsigned int)c << shift;
}

#define ROUNDS 20000
#define WIDTH 20u
#define HEIGHT 15u

/* Times an operation on every place of the board, many times over, in nanoseconds each. */
#define TIMED(result, operation)                                    \
  do {                                                              \
    double begin = now();                                           \
    unsigned int round, r, c;                                       \
    for (round = 0; round < ROUNDS; ++round) {                      \
      for (r = 0; r < HEIGHT; ++r) {                                \
        for (c = 0; c < WIDTH; ++c) {                               \
          operation;                                                \
        }                                                           \
      }                                                             \
    }                                                               \
    result = (now() - begin) / ((double)ROUNDS * WIDTH * HEIGHT);   \
  } while (0)

static int bench_board(void) {
  board *b = board_new(WIDTH, HEIGHT, BITS);
  struct by_hand hand = {WIDTH, HEIGHT, NULL};
  unsigned long sum = 0, hand_sum = 0;
  double get, set, hand_get_time, hand_set_time;
  size_t words = (WIDTH * HEIGHT + 15) / 16;
  hand.bits = (unsigned int *)calloc(words, sizeof *hand.bits);
  TIMED(set, board_set(b, at(r, c), (cell)((r + c + round) % 3)));
  TIMED(hand_set_time, hand_set(&hand, at(r, c), (cell)((r + c + round) % 3)));
  TIMED(get, sum += board_get(b, at(r, c)));
  TIMED(hand_get_time, hand_sum += hand_get(&hand, at(r, c)));
  if (sum != hand_sum || sum == 0 || memcmp(b->u.bits, hand.bits, words * sizeof *hand.bits) != 0) {
    return 1;
  }
  printf("%f %f\n%f %f\n", get, hand_get_time, set, hand_set_time);
  board_free(b);
  free(hand.bits);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 5 && strcmp(argv[1], "handle") == 0) {
    return bench_handle(argv[2], argv[3], atol(argv[4]));
  }
  return argc == 2 && strcmp(argv[1], "board") == 0 ? bench_board() : 1;
}
