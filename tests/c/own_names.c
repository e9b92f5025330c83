/* A program that uses petteia.h alone, and has names of its own that breakdown.h also has. */

#include "check.h"
#include "petteia.h"

typedef struct board {
  petteia_position *position;
} board;

static board only;
double make_pos = 0.5;
int game_free[3] = {1, 2, 3};
char new_game = 'n';

board *board_new(const char *game, const char *parameters);
int board_get(double x);
void board_set(void);
void board_show(FILE *file, const board *b);
void board_free(board *b, int twice);
int drop_stick(int a);
int breakdown(int a);
int game_outcome(int a);

board *board_new(const char *game, const char *parameters) {
  return petteia_position_new(game, parameters, &only.position) == PETTEIA_OK ? &only : NULL;
}

int board_get(double x) { return (int)(x + make_pos); }
void board_set(void) { game_free[0] = 7; }
void board_show(FILE *file, const board *b) { fprintf(file, "%d\n", b == &only); }
void board_free(board *b, int twice) {
  petteia_position_free(twice ? NULL : b->position);
}
int drop_stick(int a) { return a + 1; }
int breakdown(int a) { return drop_stick(a) + 1; }
int game_outcome(int a) { return breakdown(a) + 1; }

int main(void) {
  petteia_position *copy = NULL;
  char text[100];
  size_t length;
  board *b = board_new("breakdown", "4 5 2 2");
  CHECK(b != NULL);
  CHECK(petteia_position_play_notation(b->position, "|0") == PETTEIA_OK);
  CHECK(petteia_position_play_notation(b->position, "-2") == PETTEIA_OK);
  CHECK(petteia_position_text(b->position, text, sizeof text, &length) == PETTEIA_OK);
  CHECK_TEXT(text, "..../..../..../*.../*.oo b 2 2");
  CHECK(petteia_position_clone(b->position, &copy) == PETTEIA_OK);
  petteia_position_free(copy);
  board_set();
  CHECK(board_get(2.5) == 3 && game_free[0] == 7 && new_game == 'n' && game_outcome(0) == 3);
  board_show(stdout, b);
  board_free(b, 0);
  return PASSED();
}
