/*
 * Checks a TicTac game record as it is read, and prints the verdict. The exit code, 0, 1 or 2, is that of the
 * document, the assignment listed in README.md.
 *
 *     tictac < RECORD
 */

#include <petteia.h>
#include <stdio.h>

int main(void) {
  petteia_tictac_evaluator *evaluator = NULL;
  petteia_tictac_verdict verdict = PETTEIA_TICTAC_NEW_GAME;
  char piece[4096], line[64];
  size_t size, length;
  int exit_code = 1;
  if (petteia_tictac_evaluator_new(&evaluator) != PETTEIA_OK) {
    return 1;
  }
  while ((size = fread(piece, 1, sizeof piece, stdin)) > 0) {
    petteia_tictac_evaluator_push(evaluator, piece, size);
  }
  petteia_tictac_evaluator_verdict(evaluator, &verdict);
  petteia_tictac_verdict_line(verdict, line, sizeof line, &length);
  petteia_tictac_exit_code(verdict, &exit_code);
  puts(line);
  petteia_tictac_evaluator_free(evaluator);
  return exit_code;
}
