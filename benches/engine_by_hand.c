/*
 * The engine of examples/c/engine.c with moves and flips written by hand, as a program without petteia would have them:
 * what calls into the library are compared with. It visits the same nodes.
 */

#include <petteia.h>

/* Fills from a player's tiles over the opponent's, both ways along one axis, and one step beyond. */
static inline uint64_t hand_line(uint64_t own, uint64_t inner, int step) {
  uint64_t up = inner & (own << step), down = inner & (own >> step);
  uint64_t pairs_up, pairs_down;
  up |= inner & (up << step);
  down |= inner & (down >> step);
  pairs_up = inner & (inner << step);
  pairs_down = pairs_up >> step;
  up |= pairs_up & (up << 2 * step);
  down |= pairs_down & (down >> 2 * step);
  up |= pairs_up & (up << 2 * step);
  down |= pairs_down & (down >> 2 * step);
  return up << step | down >> step;
}

static inline uint64_t hand_moves(uint64_t own, uint64_t opponent, uint32_t width, uint32_t height) {
  const uint64_t inner = opponent & UINT64_C(0x7e7e7e7e7e7e7e7e);
  const uint64_t board = ((UINT64_C(1) << width) - 1) * UINT64_C(0x0101010101010101) >> (8 * (8 - height));
  const uint64_t reached = hand_line(own, inner, 1) | hand_line(own, inner, 7) | hand_line(own, opponent, 8) |
                           hand_line(own, inner, 9);
  return reached & board & ~(own | opponent);
}

/* Walks along one direction over the opponent's tiles; they flip if one of the player's comes after them. */
#define HAND_WALK(shifted)                                \
  do {                                                    \
    uint64_t run = 0, at = bit;                           \
    for (at = (shifted); at & inner; at = (shifted)) {    \
      run |= at;                                          \
    }                                                     \
    if (at & own) flips |= run;                           \
  } while (0)

static inline uint64_t hand_flips(uint32_t square, uint64_t own, uint64_t opponent) {
  const uint64_t bit = UINT64_C(1) << square;
  uint64_t inner = opponent, flips = 0;
  HAND_WALK(at << 8);
  HAND_WALK(at >> 8);
  inner &= UINT64_C(0x7e7e7e7e7e7e7e7e);
  HAND_WALK(at << 1);
  HAND_WALK(at >> 1);
  HAND_WALK(at << 7);
  HAND_WALK(at >> 7);
  HAND_WALK(at << 9);
  HAND_WALK(at >> 9);
  return flips;
}

#define petteia_reversi_moves hand_moves
#define petteia_reversi_flips hand_flips
#include "../examples/c/engine.c"
