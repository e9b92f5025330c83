/*
 * petteia_solve: known values in all games, limits, and cancelling.
 */

#include "check.h"
#include "petteia.h"

#define OK(call) CHECK((call) == PETTEIA_OK)

static petteia_position *parse(const char *game, const char *text) {
  petteia_position *position = NULL;
  OK(petteia_position_parse(game, text, &position));
  return position;
}

/* Solves a position, checks its line by playing it, and returns the value; `moves` gets the best moves' notation. */
static petteia_value solve(const petteia_position *position, const petteia_solve_options *options, char *moves) {
  petteia_solution *solution = NULL;
  petteia_position *after = NULL;
  petteia_value value;
  uint32_t actions[64];
  size_t count, length, i;
  OK(petteia_solve(position, options, &solution));
  OK(petteia_solution_value(solution, &value));
  OK(petteia_solution_best_actions(solution, actions, 64, &count));
  CHECK(count <= 64 && (count > 0 || !value.exact));
  *moves = '\0';
  for (i = 0; i < count; ++i) {
    CHECK(i == 0 || actions[i - 1] < actions[i]);
    moves += strlen(strcat(moves, i > 0 ? " " : ""));
    OK(petteia_position_notation(position, actions[i], moves, 8, &length));
  }
  OK(petteia_solution_line(solution, NULL, 0, &length));
  OK(petteia_solution_line(solution, actions, 64, &count));
  CHECK(count == length && (count > 0 || !value.exact));
  OK(petteia_position_clone(position, &after));
  for (i = 0; i < count; ++i) {
    OK(petteia_position_play(after, actions[i]));
  }
  petteia_position_free(after);
  petteia_solution_free(solution);
  CHECK(value.exact == (value.lower == value.upper) && value.value == value.lower && value.seconds >= 0);
  return value;
}

static void test_values(void) {
  static const struct {
    const char *game, *text;
    int empties, value;
    const char *best;
  } known[] = {
      {"tictac", "X_O/_X_/___ O", 0, 0, "C3"},
      {"tictac", "XX_/OO_/___ X", 0, 1, "A3"},
      {"reversi", "____/_LD_/_DL_/____ D", 0, -8, "b1 a2 d3 c4"},
      {"reversi", "____/_LD_/_DL_/____ D", 1, -10, "b1 a2 d3 c4"},
      {"breakdown", "../../**/oo b 2 2", 0, 1, "-0"},
      {"quarto", "012./..../..../.... 4 1", 0, 1, "A4"},
  };
  unsigned i, threads, one;
  for (i = 0; i < sizeof known / sizeof *known; ++i) {
    for (threads = 0; threads < 3; ++threads) {
      for (one = 0; one < 2; ++one) {
        petteia_solve_options options;
        char moves[512];
        petteia_position *position = parse(known[i].game, known[i].text);
        petteia_value value;
        OK(petteia_solve_options_init(&options));
        options.threads = threads;
        options.one_best = (int)one;
        options.empties_to_winner = known[i].empties;
        value = solve(position, &options, moves);
        CHECK(value.exact && value.value == known[i].value);
        if (!one) {
          CHECK_TEXT(moves, known[i].best);
        }
        petteia_position_free(position);
      }
    }
  }
}

static bool count_calls(const petteia_progress *progress, void *user) {
  CHECK(progress->lower <= progress->upper && progress->seconds >= 0);
  return ++*(int *)user > 2;
}

static void test_limits(void) {
  petteia_position *position = NULL, *over = parse("tictac", "XXX/OO_/___ -");
  petteia_position *start = parse("tictac", "___/___/___ X");
  petteia_solve_options options;
  petteia_solution *solution = NULL;
  petteia_value value;
  char moves[512];
  int calls = 0;
  OK(petteia_solve_options_init(&options));
  OK(petteia_position_new("reversi", "8 8", &position));

  options.node_limit = 1000;
  value = solve(position, &options, moves);
  CHECK(!value.exact && value.lower == -64 && value.upper == 64 && value.nodes < 100000);
  CHECK_TEXT(moves, "");
  options.node_limit = 0;
  options.time_limit = 0.01;
  CHECK(!solve(position, &options, moves).exact);
  options.time_limit = 1e-300;
  CHECK(!solve(start, &options, moves).exact);
  options.time_limit = 0;
  options.callback = count_calls;
  options.user = &calls;
  options.threads = 2;
  CHECK(!solve(position, &options, moves).exact && calls == 3);

  options.time_limit = -1;
  CHECK(petteia_solve(position, &options, &solution) == PETTEIA_INVALID_ARGUMENT);
  options.time_limit = 0.0 / (options.table_bytes > 0 ? 1.0 : 0.0);
  CHECK(petteia_solve(position, &options, &solution) == PETTEIA_INVALID_ARGUMENT);
  options.time_limit = 0;
  options.table_bytes = (size_t)-1;
  CHECK(petteia_solve(position, &options, &solution) == PETTEIA_NO_MEMORY);
  CHECK(petteia_solve(over, NULL, &solution) == PETTEIA_UNAVAILABLE);
  petteia_position_free(position);
  petteia_position_free(over);
  petteia_position_free(start);

  position = parse("tictac", "X_O/_X_/___ O");
  options.table_bytes = 0;
  options.empties_to_winner = 1;
  CHECK(petteia_solve(position, &options, &solution) == PETTEIA_WRONG_GAME);
  CHECK(solution == NULL);
  value = solve(position, NULL, moves);
  CHECK(value.exact && value.value == 0);
  petteia_position_free(position);
}

int main(void) {
  test_values();
  test_limits();
  return PASSED();
}
