/*
 * Lists the legal moves of a Quarto endgame, and how often each wins in random games.
 *
 *     quarto [TEXT]
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
    fprintf(stderr, "quarto: %s\n", message);
    exit(1);
  }
}

int main(int argc, char **argv) {
  const char *text = argc > 1 ? argv[1] : "0f1./2e3d/4.5./.... 6 1";
  petteia_position *game = NULL;
  petteia_player turn;
  uint32_t actions[32];
  size_t moves, length, i;
  char drawing[512], name[8];
  must(petteia_position_parse("quarto", text, &game));
  must(petteia_position_drawing(game, drawing, sizeof drawing, &length));
  must(petteia_position_turn(game, &turn));
  must(petteia_position_legal_actions(game, actions, 32, &moves));
  printf("%s", drawing);
  for (i = 0; i < moves; ++i) {
    petteia_position *next = NULL;
    petteia_tally tally;
    must(petteia_position_clone(game, &next));
    must(petteia_position_play(next, actions[i]));
    must(petteia_position_playouts(next, 10000, NULL, &tally));
    must(petteia_position_notation(game, actions[i], name, sizeof name, &length));
    printf("%-4s wins %5.1f %%\n", name,
           (double)(turn == PETTEIA_FIRST ? tally.first_wins : tally.second_wins) / 100.0);
    petteia_position_free(next);
  }
  petteia_position_free(game);
  return 0;
}
