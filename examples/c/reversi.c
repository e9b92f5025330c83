/*
 * Plays Reversi against itself: each player makes the move that gains the most squares.
 *
 *     reversi [WIDTH HEIGHT]
 */

#include <petteia.h>
#include <stdio.h>
#include <stdlib.h>

/* Exits with the library's error message if a call failed. */
static void must(petteia_status status) {
  if (status != PETTEIA_OK) {
    char message[512];
    size_t length;
    petteia_last_error(message, sizeof message, &length);
    fprintf(stderr, "reversi: %s\n", message);
    exit(1);
  }
}

/* Returns the number of squares in a set. */
static size_t count(uint64_t set) {
  size_t squares = 0;
  must(petteia_reversi_set_squares(set, NULL, 0, &squares));
  return squares;
}

int main(int argc, char **argv) {
  unsigned int width = argc > 1 ? (unsigned int)strtoul(argv[1], NULL, 10) : 8;
  unsigned int height = argc > 2 ? (unsigned int)strtoul(argv[2], NULL, 10) : 8;
  petteia_position *game = NULL;
  petteia_reversi_square squares[64];
  unsigned int dark, light;
  char board[128];
  size_t moves, length;
  uint64_t legal;
  must(petteia_reversi_new(width, height, &game));
  for (must(petteia_reversi_legal(game, &legal)); legal != 0; must(petteia_reversi_legal(game, &legal))) {
    uint64_t gained, most = 0;
    size_t i, best = 0;
    must(petteia_reversi_set_squares(legal, squares, 64, &moves));
    for (i = 0; i < moves; ++i) {
      must(petteia_reversi_find_move(game, squares[i].x, squares[i].y, &gained));
      if (count(gained) > count(most)) {
        most = gained;
        best = i;
      }
    }
    must(petteia_reversi_play_move(game, squares[best].x, squares[best].y));
  }
  must(petteia_position_drawing(game, board, sizeof board, &length));
  must(petteia_reversi_count(game, PETTEIA_FIRST, &dark));
  must(petteia_reversi_count(game, PETTEIA_SECOND, &light));
  printf("%sdark %u, light %u\n", board, dark, light);
  petteia_position_free(game);
  return 0;
}
