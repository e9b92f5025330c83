/*
 * A Reversi engine in a few lines: alpha-beta search with a transposition table, on two 64-bit words.
 *
 *     engine [DEPTH]            plays a game against itself, searching 6 plies or as many as DEPTH says
 *     engine DEPTH POSITION     finds the best move of a position, given as its text
 *
 * A player who cannot move is skipped, so that values are negated when the turn passes, not at every move.
 */

#include <petteia.h>
#include <stdio.h>
#include <stdlib.h>

#define INFINITE 30000
#define WIN 10000 /* every finished game is worth more than any estimate */
#define ENTRIES (1u << 18)

/* What a search has found out about a position; the tiles are all of its key, since the player to move comes first. */
typedef struct {
  uint64_t own, opponent;
  int16_t value;
  int8_t depth, bound; /* the value is exact (0), at least as high (1) or at most as high (-1) */
  int8_t best;         /* the square to try first, or -1 */
} entry;

static entry table[ENTRIES];
static uint64_t nodes;
static uint32_t width, height;

/* Exits with the library's error message if a call failed. */
static void must(petteia_status status) {
  if (status != PETTEIA_OK) {
    char message[512];
    size_t length;
    petteia_last_error(message, sizeof message, &length);
    fprintf(stderr, "engine: %s\n", message);
    exit(1);
  }
}

/* The number of squares in a set. */
static int count(uint64_t set) {
  set -= set >> 1 & UINT64_C(0x5555555555555555);
  set = (set & UINT64_C(0x3333333333333333)) + (set >> 2 & UINT64_C(0x3333333333333333));
  return (int)(((set + (set >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) * UINT64_C(0x0101010101010101) >> 56);
}

/* The number of the lowest square of a set, which is not empty. */
static int lowest(uint64_t set) {
  return count((set & (0 - set)) - 1);
}

/* Moves, and corners even more, are worth more than tiles as long as the game goes on. */
static int estimate(uint64_t own, uint64_t opponent, uint64_t moves, uint64_t replies) {
  uint64_t corners = PETTEIA_REVERSI_SQUARE(0, 0) | PETTEIA_REVERSI_SQUARE(width - 1, 0) |
                     PETTEIA_REVERSI_SQUARE(0, height - 1) | PETTEIA_REVERSI_SQUARE(width - 1, height - 1);
  return 10 * (count(moves) - count(replies)) + 50 * (count(own & corners) - count(opponent & corners));
}

static entry *slot(uint64_t own, uint64_t opponent) {
  uint64_t hash = (own * UINT64_C(0x9e3779b97f4a7c15)) ^ (opponent * UINT64_C(0xc2b2ae3d27d4eb4f));
  return &table[(hash ^ hash >> 32) % ENTRIES];
}

/* The value for the player whose tiles come first and whose turn it is, unless it is outside of alpha to beta. */
static int search(uint64_t own, uint64_t opponent, int depth, int alpha, int beta, int *best) {
  uint64_t moves = petteia_reversi_moves(own, opponent, width, height);
  int value = -INFINITE, lower = alpha, first = -1, found = -1;
  entry *known = slot(own, opponent);
  ++nodes;
  if (moves == 0) {
    int difference = count(own) - count(opponent);
    if (petteia_reversi_moves(opponent, own, width, height) != 0) {
      return -search(opponent, own, depth, -beta, -alpha, best); /* skipped: the same ply, for the other player */
    }
    return difference == 0 ? 0 : difference > 0 ? WIN + difference : difference - WIN;
  }
  if (depth == 0) {
    return estimate(own, opponent, moves, petteia_reversi_moves(opponent, own, width, height));
  }
  if (known->own == own && known->opponent == opponent) {
    bool enough = known->bound == 0 || (known->bound > 0 ? known->value >= beta : known->value <= alpha);
    if (known->depth == depth && enough && best == NULL) return known->value;
    first = known->best;
  }
  while (moves != 0) {
    int square = first >= 0 && (moves >> first & 1) ? first : lowest(moves);
    uint64_t bit = UINT64_C(1) << square, flips = petteia_reversi_flips((uint32_t)square, own, opponent);
    int next = -search(opponent & ~flips, own | flips | bit, depth - 1, -beta, -lower, NULL);
    moves &= ~bit;
    first = -1;
    if (next > value) {
      value = next;
      found = square;
    }
    if (value > lower) lower = value;
    if (lower >= beta) break;
  }
  known->own = own;
  known->opponent = opponent;
  known->value = (int16_t)value;
  known->depth = (int8_t)depth;
  known->bound = (int8_t)(value >= beta ? 1 : value <= alpha ? -1 : 0);
  known->best = (int8_t)found;
  if (best != NULL) *best = found;
  return value;
}

/* The action that the engine plays in a position that is not over; in the opening, any of the centre squares will do. */
static uint32_t choose(const petteia_position *position, int depth, int *value) {
  petteia_player turn;
  uint64_t tiles[2], legal;
  int d, best;
  must(petteia_position_turn(position, &turn));
  must(petteia_reversi_tiles(position, PETTEIA_FIRST, &tiles[0]));
  must(petteia_reversi_tiles(position, PETTEIA_SECOND, &tiles[1]));
  must(petteia_reversi_legal(position, &legal));
  best = lowest(legal);
  *value = 0;
  if (count(tiles[0] | tiles[1]) >= 4) {
    for (d = 1; d <= depth; ++d) {
      *value = search(tiles[turn], tiles[1 - turn], d, -INFINITE, INFINITE, &best);
    }
  }
  return (uint32_t)best / 8 * width + (uint32_t)best % 8;
}

int main(int argc, char **argv) {
  int depth = argc > 1 ? atoi(argv[1]) : 6, value;
  petteia_position *game = NULL;
  char text[128];
  size_t length;
  bool over;
  if (depth < 1 || depth > 60) {
    fprintf(stderr, "engine: invalid depth %s: expected 1 to 60\n", argv[1]);
    return 1;
  }
  must(argc > 2 ? petteia_position_parse("reversi", argv[2], &game) : petteia_position_new("reversi", "8 8", &game));
  must(petteia_reversi_size(game, &width, &height));
  for (must(petteia_position_is_over(game, &over)); !over; must(petteia_position_is_over(game, &over))) {
    uint32_t action = choose(game, depth, &value);
    must(petteia_position_notation(game, action, text, sizeof text, &length));
    if (argc > 2) {
      printf("%s, value %d, %lu nodes\n", text, value, (unsigned long)nodes);
      break;
    }
    printf("%s ", text);
    must(petteia_position_play(game, action));
  }
  if (over) {
    must(petteia_position_text(game, text, sizeof text, &length));
    printf("%s\n", text);
  }
  petteia_position_free(game);
  return 0;
}
