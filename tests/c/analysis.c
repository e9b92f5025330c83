/*
 * Estimates, analysis and computer players: known results in all games, limits, cancelling, bad arguments, and a game
 * between two players.
 */

#include "check.h"
#include "petteia.h"

#define OK(call) CHECK((call) == PETTEIA_OK)

static const char *const starts[][2] = {
    {"tictac", "X"}, {"breakdown", "4 5 2 2"}, {"reversi", "8 8"}, {"quarto", ""}};

static petteia_position *parse(const char *game, const char *text) {
  petteia_position *position = NULL;
  OK(petteia_position_parse(game, text, &position));
  return position;
}

static petteia_analysis_options no_options(void) {
  petteia_analysis_options options;
  OK(petteia_analysis_options_init(&options));
  return options;
}

static void check_estimate(const petteia_estimate *estimate, bool counts) {
  double sum = estimate->win + estimate->draw + estimate->loss;
  CHECK(estimate->win >= 0 && estimate->draw >= 0 && estimate->loss >= 0);
  CHECK(sum > 0.999999 && sum < 1.000001);
  CHECK(estimate->has_difference == 0 || (counts && estimate->has_difference == 1));
  CHECK(estimate->has_difference || estimate->difference == 0);
}

static void test_estimates(void) {
  petteia_position *over = parse("tictac", "XXX/OO_/___ -");
  petteia_estimate estimate = {7, 7, 7, 7, 7};
  unsigned i;
  for (i = 0; i < 4; ++i) {
    petteia_position *position = NULL;
    OK(petteia_position_new(starts[i][0], starts[i][1], &position));
    OK(petteia_position_evaluate(position, &estimate));
    check_estimate(&estimate, strcmp(starts[i][0], "reversi") == 0);
    petteia_position_free(position);
  }
  estimate.win = 7;
  CHECK(petteia_position_evaluate(over, &estimate) == PETTEIA_UNAVAILABLE && estimate.win == 7);
  petteia_position_free(over);
}

static void test_lines(void) {
  static petteia_line lines[64], again[64];
  petteia_analysis analysis, second;
  petteia_analysis_options options = no_options();
  petteia_position *position = NULL, *after = NULL;
  size_t count, all, i, k;
  unsigned game;
  options.node_limit = 3000;
  options.lines = 3;
  for (game = 0; game < 4; ++game) {
    OK(petteia_position_new(starts[game][0], starts[game][1], &position));
    OK(petteia_position_analyse(position, &options, lines, 64, &count, &analysis));
    CHECK(count == 3 && analysis.nodes > 0 && analysis.nodes <= 3000 && analysis.seconds >= 0);
    for (i = 0; i < count; ++i) {
      check_estimate(&lines[i].estimate, strcmp(starts[game][0], "reversi") == 0);
      CHECK(lines[i].length >= 1 && lines[i].length <= PETTEIA_LINE_LENGTH);
      CHECK(i == 0 || lines[i].actions[0] != lines[0].actions[0]);
      CHECK(lines[i].exact == 1 || (lines[i].exact == 0 && lines[i].value == 0));
      OK(petteia_position_clone(position, &after));
      for (k = 0; k < lines[i].length; ++k) {
        OK(petteia_position_play(after, lines[i].actions[k]));
      }
      petteia_position_free(after);
    }
    /* The same nodes give the same lines; a smaller array gets the first of them. */
    OK(petteia_position_analyse(position, &options, again, 1, &all, &second));
    CHECK(all == 3 && second.nodes == analysis.nodes && second.depth == analysis.depth);
    CHECK(again[0].length == lines[0].length && again[0].actions[0] == lines[0].actions[0]);
    CHECK(again[1].length == 0 || game > 0);
    OK(petteia_position_analyse(position, &options, NULL, 0, &all, &second));
    CHECK(all == 3);
    petteia_position_free(position);
  }

  position = parse("tictac", "XX_/OO_/___ X");
  OK(petteia_position_analyse(position, NULL, lines, 64, &count, &analysis));
  CHECK(count == 1 && lines[0].exact == 1 && lines[0].value == 1 && lines[0].actions[0] == 2);
  CHECK(lines[0].estimate.win == 1 && lines[0].length == 1);
  options = no_options();
  options.lines = UINT32_MAX;
  options.depth = 1;
  options.threads = 2;
  OK(petteia_position_analyse(position, &options, lines, 64, &count, &analysis));
  CHECK(count == 5 && analysis.depth == 1 && lines[0].actions[0] == 2);
  petteia_position_free(position);

  /* What is known needs no search, only a ranking with a tenth of the nodes. */
  OK(petteia_position_new("quarto", "", &position));
  for (i = 0; i < 2; ++i) {
    options = no_options();
    options.node_limit = i == 0 ? 5 : 1000;
    OK(petteia_position_analyse(position, &options, lines, 64, &count, &analysis));
    CHECK(lines[0].exact == 1 && lines[0].value == 0 && analysis.nodes <= options.node_limit / 10);
  }
  petteia_position_free(position);

  position = parse("reversi", "____/_LD_/_DL_/____ D");
  OK(petteia_position_analyse(position, NULL, lines, 64, &count, &analysis));
  CHECK(lines[0].exact == 1 && lines[0].value == -8 && lines[0].estimate.difference == -8);
  petteia_position_free(position);
}

static bool count_calls(const petteia_progress *progress, void *user) {
  CHECK(progress->lower <= progress->upper && progress->seconds > 0);
  CHECK(progress->done == progress->nodes && progress->total == 0);
  return ++*(int *)user > 2;
}

static void test_limits(void) {
  petteia_position *position = NULL, *over = parse("tictac", "XXX/OO_/___ -");
  petteia_analysis_options options = no_options();
  petteia_analysis analysis = {77, 77, 77};
  petteia_line line;
  size_t count = 77;
  int calls = 0;
  double zero = 0;
  memset(&line, 0x55, sizeof line);
  OK(petteia_position_new("reversi", "8 8", &position));

  options.time_limit = -1;
  CHECK(petteia_position_analyse(position, &options, &line, 1, &count, &analysis) == PETTEIA_INVALID_ARGUMENT);
  options.time_limit = zero / zero;
  CHECK(petteia_position_analyse(position, &options, &line, 1, &count, &analysis) == PETTEIA_INVALID_ARGUMENT);
  CHECK(petteia_position_analyse(over, NULL, &line, 1, &count, &analysis) == PETTEIA_UNAVAILABLE);
  /* A failed call has written nothing. */
  CHECK(count == 77 && analysis.depth == 77 && line.length == 0x55555555);

  options.time_limit = 0.01;
  OK(petteia_position_analyse(position, &options, &line, 1, &count, &analysis));
  CHECK(count == 1 && line.exact == 0);
  options.time_limit = 1e-300;
  OK(petteia_position_analyse(position, &options, &line, 1, &count, &analysis));
  CHECK(count == 1 && line.length >= 1);
  /* Without cancelling, this would never end. */
  options.time_limit = 1e300;
  options.callback = count_calls;
  options.user = &calls;
  options.threads = 2;
  OK(petteia_position_analyse(position, &options, &line, 1, &count, &analysis));
  CHECK(count == 1 && calls == 3);
  petteia_position_free(position);
  petteia_position_free(over);
}

static petteia_bot *bot_named(const char *name, uint64_t seed) {
  petteia_bot *bot = NULL;
  OK(petteia_bot_new(name, seed, &bot));
  return bot;
}

/* Plays a game between two players and returns a hash of its end. */
static uint64_t played(const char *game, const char *parameters, const char *first, const char *second, uint64_t seed) {
  petteia_position *position = NULL;
  petteia_bot *players[2];
  petteia_choice choice;
  petteia_player turn;
  uint64_t hash;
  bool over = false;
  unsigned plies;
  players[0] = bot_named(first, seed);
  players[1] = bot_named(second, seed + 1);
  OK(petteia_position_new(game, parameters, &position));
  for (plies = 0; plies < 200; ++plies) {
    OK(petteia_position_is_over(position, &over));
    if (over) {
      CHECK(petteia_bot_choose(players[0], position, NULL, &choice) == PETTEIA_UNAVAILABLE);
      break;
    }
    OK(petteia_position_turn(position, &turn));
    OK(petteia_bot_choose(players[turn == PETTEIA_FIRST ? 0 : 1], position, NULL, &choice));
    CHECK(choice.exact == 1 || (choice.exact == 0 && choice.value == 0));
    if (choice.has_estimate) {
      check_estimate(&choice.estimate, strcmp(game, "reversi") == 0);
    }
    OK(petteia_position_play(position, choice.action));
  }
  OK(petteia_position_hash(position, &hash));
  petteia_position_free(position);
  petteia_bot_free(players[0]);
  petteia_bot_free(players[1]);
  return hash;
}

static bool third_call(const petteia_progress *progress, void *user) {
  CHECK(progress->seconds > 0 && progress->total == 0);
  return ++*(unsigned *)user == 3;
}

/* Players that would think for hours have a move once they are told to stop, and are not asked again. */
static void test_cancelled_players(void) {
  static const char *const names[] = {"mcts:1000000000000", "perfect:1000000000000", "alphabeta:nodes=1000000000000",
                                      "alphabeta:time=100000", "alphabeta:depth=60"};
  petteia_position *position = NULL;
  petteia_choice choice;
  unsigned i;
  for (i = 0; i < sizeof names / sizeof *names; ++i) {
    petteia_bot *bot = bot_named(names[i], 0);
    petteia_choose_options options;
    unsigned calls = 0;
    OK(petteia_choose_options_init(&options));
    options.callback = third_call;
    options.user = &calls;
    OK(petteia_position_new("reversi", "8 8", &position));
    OK(petteia_bot_choose(bot, position, &options, &choice));
    CHECK(calls == 3 && choice.exact == 0);
    OK(petteia_position_play(position, choice.action));
    petteia_position_free(position);
    petteia_bot_free(bot);
  }
}

static void test_players(void) {
  static const char *const names[] = {"random", "myopic", "mcts:20", "perfect:500", "alphabeta:nodes=200",
                                      "alphabeta:depth=2", "level:1", "level:6"};
  static const char *const bad[] = {"", "clever", "level:0", "level:11", "alphabeta:time=-1", "mcts:0", "Random"};
  petteia_position *position = parse("tictac", "XX_/OO_/___ X");
  petteia_bot *bot = NULL;
  petteia_choice choice;
  char name[40];
  size_t length;
  unsigned i, game;
  for (i = 0; i < sizeof names / sizeof *names; ++i) {
    /* Each plays two of the games, to be quick under valgrind: a fresh player repeats its game. */
    for (game = i % 2; game < 4; game += 2) {
      const char *parameters = game == 2 ? "4 4" : starts[game][1];
      uint64_t hash = played(starts[game][0], parameters, names[i], names[i], 7);
      CHECK(game > 1 || played(starts[game][0], parameters, names[i], names[i], 7) == hash);
    }
  }
  for (i = 0; i < sizeof bad / sizeof *bad; ++i) {
    CHECK(petteia_bot_new(bad[i], 0, &bot) == PETTEIA_PARSE_ERROR && bot == NULL);
  }
  CHECK(petteia_bot_new("\xff", 0, &bot) == PETTEIA_NOT_UTF8 && bot == NULL);

  bot = bot_named("alphabeta", 0);
  OK(petteia_bot_name(bot, name, sizeof name, &length));
  CHECK_TEXT(name, "alphabeta:nodes=100000");
  CHECK(length == strlen(name));
  OK(petteia_bot_choose(bot, position, NULL, &choice));
  CHECK(choice.action == 2 && choice.exact == 1 && choice.value == 1);
  CHECK(choice.has_estimate == 1 && choice.estimate.win == 1);
  petteia_bot_free(bot);

  bot = bot_named("random", 0);
  OK(petteia_bot_choose(bot, position, NULL, &choice));
  CHECK(choice.has_estimate == 0 && choice.exact == 0 && choice.estimate.win == 0);
  petteia_bot_free(bot);
  petteia_position_free(position);
}

int main(void) {
  test_estimates();
  test_lines();
  test_limits();
  test_players();
  test_cancelled_players();
  return PASSED();
}
