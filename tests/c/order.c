/*
 * board_show and printf share one buffer, so their output appears in the order of the calls, on a terminal, in a pipe
 * and in a file that stdout was redirected to. The argument, if any, is such a file.
 */

#include "breakdown.h"
#include "check.h"

int main(int argc, char **argv) {
  board *b = board_new(3, 2, MATRIX);
  board *wide = board_new(64, 1, BITS);
  printf("first\n");
  board_show(b);
  printf("second, with no newline:");
  if (argc > 1) {
    CHECK(freopen(argv[1], "w", stdout) != NULL);
    printf("third, in a file\n");
  }
  board_set(b, make_pos(0, 0), BLACK);
  board_set(b, make_pos(1, 2), WHITE);
  board_show(b);
  printf("fourth\n");
  board_show(wide);
  fputs("fifth\n", stdout);
  board_free(b);
  board_free(wide);
  return 0;
}
