/* A logic.c as a student might write it: that of tests/zoo, which takes no NULL, with a game_free that does. */

#define game_free free_game
#include "../zoo/breakdown/logic.c"
#undef game_free

void game_free(game *g);

void game_free(game *g) {
  if (g != NULL) free_game(g);
}
