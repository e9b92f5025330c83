/*
 * What the border costs, seen from C; benches/capi.rs runs it in turns with the same work in Rust.
 *
 *     capi handle GAME PARAMETERS PLIES    a line: the sum of all actions played, nanoseconds a call
 *     capi board                           a line an operation: nanoseconds through breakdown.h, and by hand
 *     capi kit                             the same for what a search calls: a sum of its results, nanoseconds a call
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

/* The plies of a game of Reversi in its main phase, and the moves that were played. */
#define MOST 64

struct line {
  petteia_position *positions[MOST];
  uint64_t own[MOST], opponent[MOST];
  uint32_t actions[MOST];
  unsigned plies;
};

/* Plays a game at random, the same as in benches/capi.rs. */
static int play_line(struct line *line) {
  petteia_position *game = NULL;
  uint64_t state = 88172645463325252u;
  unsigned ply;
  line->plies = 0;
  if (petteia_position_new("reversi", "8 8", &game)) return 1;
  for (ply = 0;; ++ply) {
    uint32_t actions[MOST];
    size_t moves;
    petteia_player turn;
    if (petteia_position_legal_actions(game, actions, MOST, &moves)) return 1;
    if (moves == 0) break;
    actions[0] = actions[next(&state) % moves];
    if (ply >= 4) {
      unsigned i = line->plies++;
      line->actions[i] = actions[0];
      if (petteia_position_turn(game, &turn) || petteia_position_clone(game, &line->positions[i])) return 1;
      if (petteia_reversi_tiles(game, turn, &line->own[i])) return 1;
      if (petteia_reversi_tiles(game, (petteia_player)(1 - turn), &line->opponent[i])) return 1;
    }
    if (petteia_position_play(game, actions[0])) return 1;
  }
  petteia_position_free(game);
  return 0;
}

#define KIT_ROUNDS 20000

/* Times an operation on every ply of a line, many times over, and prints the sum and the nanoseconds each. */
#define KIT(line, operation)                                                              \
  do {                                                                                    \
    double begin = now();                                                                 \
    uint64_t sum = 0;                                                                     \
    unsigned round, i;                                                                    \
    for (round = 0; round < KIT_ROUNDS; ++round) {                                        \
      for (i = 0; i < (line)->plies; ++i) {                                               \
        operation;                                                                        \
      }                                                                                   \
    }                                                                                     \
    printf("%" PRIu64 " %f\n", sum, (now() - begin) / ((double)KIT_ROUNDS * (line)->plies)); \
  } while (0)

static int bench_kit(void) {
  static struct line line;
  petteia_position *copy = NULL;
  petteia_player turn;
  uint64_t hash;
  bool legal;
  unsigned i;
  if (play_line(&line) || petteia_position_new("reversi", "8 8", &copy)) return 1;
  KIT(&line, sum += make_pos(i, round).r);
  KIT(&line, sum += petteia_position_turn(line.positions[i], &turn) == PETTEIA_OK ? (uint64_t)turn : 7);
  KIT(&line, petteia_position_is_legal(line.positions[i], (7 * i + round) % 64, &legal); sum += legal);
  KIT(&line, sum += petteia_reversi_moves(line.own[i], line.opponent[i], 8, 8));
  KIT(&line, sum += petteia_reversi_flips(line.actions[i], line.own[i], line.opponent[i]));
  KIT(&line, sum += petteia_position_copy(copy, line.positions[i]) == PETTEIA_OK);
  KIT(&line, petteia_position_copy(copy, line.positions[i]);
      sum += petteia_position_play(copy, line.actions[i]) == PETTEIA_OK);
  KIT(&line, sum += petteia_position_hash(line.positions[i], &hash) == PETTEIA_OK);
  for (i = 0; i < line.plies; ++i) petteia_position_free(line.positions[i]);
  petteia_position_free(copy);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 5 && strcmp(argv[1], "handle") == 0) {
    return bench_handle(argv[2], argv[3], atol(argv[4]));
  }
  if (argc == 2 && strcmp(argv[1], "kit") == 0) {
    return bench_kit();
  }
  return argc == 2 && strcmp(argv[1], "board") == 0 ? bench_board() : 1;
}
