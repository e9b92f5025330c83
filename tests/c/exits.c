/*
 * Errors of breakdown.h without a handler: a message on stderr and exit(1), which flushes what the program printed. The
 * argument is the number of the error.
 */

#include "breakdown.h"
#include "check.h"
#include "petteia.h"

static void never(const char *message, void *user) {
  (void)message;
  (void)user;
  CHECK(0);
}

int main(int argc, char **argv) {
  game *g = new_game(2, 2, 3, 3, BITS);
  int number = argc > 1 ? atoi(argv[1]) : -1;
  petteia_set_error_handler(never, NULL);
  petteia_set_error_handler(NULL, NULL); /* back to exit(1) */
  printf("before");
  switch (number) {
    case 0: board_new(0, 1, MATRIX); break;
    case 1: new_game(1, 1, 1, 1, (enum type)9); break;
    case 2: board_show(NULL); break;
    case 3: board_get(g->b, make_pos(3, 0)); break;
    case 4: board_set(g->b, make_pos(0, 3), BLACK); break;
    case 5: board_set(g->b, make_pos(0, 0), (cell)3); break;
    case 6: drop_stick(NULL, 0, 0); break;
    case 7: breakdown(NULL); break;
    case 8: game_outcome(NULL); break;
    case 9: g->b->type = (enum type)2; game_free(g); break;
    default: CHECK(0);
  }
  printf(" and after");
  return 0;
}
