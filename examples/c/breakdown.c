/*
 * Breakdown for two people at one keyboard, with the API of the course, breakdown.h.
 *
 *     breakdown [WIDTH HEIGHT STICK SQUARE]
 *
 * A move is one line: |4 drops an upright stick into column 4, -B a lying one with its left end in column B, and ! is
 * the breakdown.
 */

#include <breakdown.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the column with a label, as board_show prints it, or a column that no board has. */
static unsigned int column(char label) {
  static const char labels[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const char *found = label ? strchr(labels, label) : NULL;
  return found ? (unsigned int)(found - labels) : ~0u;
}

/* Plays a typed move, and returns whether it was legal. */
static int play(game *g, const char *line) {
  switch (line[0]) {
    case '|': return drop_stick(g, column(line[1]), 1);
    case '-': return drop_stick(g, column(line[1]), 0);
    case '!': breakdown(g); return 1;
    default: return 0;
  }
}

int main(int argc, char **argv) {
  static const char *results[] = {"Black wins!", "White wins!", "It is a draw."};
  unsigned int sizes[4] = {4, 5, 2, 2};
  char line[80];
  game *g;
  int i;
  for (i = 0; i < 4 && i + 1 < argc; ++i) {
    sizes[i] = (unsigned int)strtoul(argv[i + 1], NULL, 10);
  }
  g = new_game(sizes[2], sizes[3], sizes[0], sizes[1], BITS);
  board_show(g->b);
  while (game_outcome(g) == IN_PROGRESS) {
    printf("%s: ", g->next == BLACK_NEXT ? "Black" : "White");
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin)) {
      fprintf(stderr, "the game is not over\n");
      game_free(g);
      return 1;
    }
    if (play(g, line)) {
      g->next = g->next == BLACK_NEXT ? WHITE_NEXT : BLACK_NEXT;
      printf("\n");
      board_show(g->b);
    } else {
      printf("That is not a legal move.\n");
    }
  }
  printf("\n%s\n", results[game_outcome(g)]);
  game_free(g);
  return 0;
}
