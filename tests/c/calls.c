/*
 * Long calls: options of every size and their defaults, tree search, matches, self-play, and the callback that stops
 * them.
 */

#include <stddef.h>

#include "check.h"
#include "petteia.h"

#define OK(call) CHECK((call) == PETTEIA_OK)
#define REFUSED(call) CHECK((call) == PETTEIA_INVALID_ARGUMENT)

static const char *const starts[][2] = {
    {"tictac", "X"}, {"breakdown", "4 5 2 2"}, {"reversi", "6 6"}, {"quarto", ""}};

static petteia_position *start(const char *game, const char *parameters) {
  petteia_position *position = NULL;
  OK(petteia_position_new(game, parameters, &position));
  return position;
}

static const char *last_error(void) {
  static char text[512];
  size_t length;
  OK(petteia_last_error(text, sizeof text, &length));
  return text;
}

/* How a test hears of progress: when it stops the call, and what it was told last. */
struct listener {
  unsigned calls, stop_at;
  petteia_progress last;
};

static bool listen(const petteia_progress *progress, void *user) {
  struct listener *listener = (struct listener *)user;
  CHECK(progress->seconds > listener->last.seconds && progress->done >= listener->last.done);
  CHECK(progress->total == 0 || progress->done <= progress->total);
  listener->last = *progress;
  return ++listener->calls == listener->stop_at;
}

/* Structs end where their last member ends, so that a new member makes them larger. */
#define ENDS_WITH(type, member) \
  CHECK(sizeof(type) == offsetof(type, member) + sizeof(((type *)0)->member) && offsetof(type, size) == 0)

static void test_defaults(void) {
  petteia_perft_options perft;
  petteia_playouts_options playouts;
  petteia_solve_options solve;
  petteia_analysis_options analysis;
  petteia_mcts_options mcts;
  petteia_choose_options choose;
  petteia_match_options match;
  petteia_selfplay_options selfplay;
  ENDS_WITH(petteia_perft_options, threads);
  ENDS_WITH(petteia_playouts_options, threads);
  ENDS_WITH(petteia_solve_options, empties_to_winner);
  ENDS_WITH(petteia_analysis_options, lines);
  ENDS_WITH(petteia_mcts_options, threads);
  ENDS_WITH(petteia_choose_options, user);
  ENDS_WITH(petteia_match_options, threads);
  ENDS_WITH(petteia_selfplay_options, max_plies);
  OK(petteia_perft_options_init(&perft));
  OK(petteia_playouts_options_init(&playouts));
  OK(petteia_solve_options_init(&solve));
  OK(petteia_analysis_options_init(&analysis));
  OK(petteia_mcts_options_init(&mcts));
  OK(petteia_choose_options_init(&choose));
  OK(petteia_match_options_init(&match));
  OK(petteia_selfplay_options_init(&selfplay));
  CHECK(perft.callback == NULL && playouts.callback == NULL && solve.callback == NULL && analysis.callback == NULL);
  CHECK(mcts.callback == NULL && choose.callback == NULL && match.callback == NULL && selfplay.callback == NULL);
  CHECK(perft.size == sizeof perft && perft.threads == 1 && perft.table_bytes == 0);
  CHECK(playouts.seed == 0 && playouts.first == 0 && playouts.threads == 1);
  CHECK(solve.size == sizeof solve && solve.node_limit == 0 && solve.time_limit == 0 && solve.table_bytes == 0);
  CHECK(solve.threads == 1 && solve.one_best == 0 && solve.empties_to_winner == 0 && solve.user == NULL);
  CHECK(analysis.node_limit == 0 && analysis.time_limit == 0 && analysis.depth == 0 && analysis.lines == 1);
  CHECK(mcts.simulations == 1000 && mcts.time_limit == 0 && mcts.seed == 0 && mcts.threads == 1);
  CHECK_TEXT(mcts.evaluator, "playout");
  CHECK(match.seed == 0 && match.max_plies == 10000 && match.threads == 1);
  CHECK(selfplay.seed == 0 && selfplay.first == 0 && selfplay.max_plies == UINT64_MAX);
}

/* Newer headers, and structs that were never filled. (The unit tests of src/capi/options.rs have older headers.) */
static void test_sizes(void) {
  /* No version had a struct that ended before one of the members of the first. */
  static const size_t wrong[] = {0,
                                 1,
                                 7,
                                 9,
                                 1 << 20,
                                 offsetof(petteia_playouts_options, callback),
                                 offsetof(petteia_playouts_options, seed),
                                 offsetof(petteia_playouts_options, first),
                                 offsetof(petteia_playouts_options, threads),
                                 sizeof(petteia_playouts_options) - 1,
                                 sizeof(petteia_playouts_options) + 1,
                                 (size_t)-1,
                                 (size_t)-8};
  struct {
    petteia_playouts_options known;
    uint64_t later;
  } newer;
  petteia_position *position = start("tictac", "X");
  petteia_tally expected, tally;
  petteia_playouts_options options;
  char message[200];
  unsigned i;
  OK(petteia_playouts_options_init(&options));
  options.seed = 5;
  OK(petteia_position_playouts(position, 50, &options, &expected));
  /* A newer program has an option that this library does not know, and leaves it as it is. */
  memset(&newer, 0x55, sizeof newer);
  OK(petteia_playouts_options_defaults(&newer.known, sizeof newer));
  CHECK(newer.known.size == sizeof newer && newer.later == 0 && newer.known.threads == 1);
  newer.known.seed = 5;
  OK(petteia_position_playouts(position, 50, &newer.known, &tally));
  CHECK(memcmp(&tally, &expected, sizeof tally) == 0);
  newer.later = 1;
  tally.plies = 77;
  REFUSED(petteia_position_playouts(position, 50, &newer.known, &tally));
  CHECK(strstr(last_error(), "petteia_playouts_options has options that this version does not know") != NULL);
  for (i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    options.size = wrong[i];
    REFUSED(petteia_position_playouts(position, 50, &options, &tally));
    CHECK(strstr(last_error(), "expected a struct filled by petteia_playouts_options_init") != NULL);
    REFUSED(petteia_playouts_options_defaults(&options, wrong[i]));
    snprintf(message, sizeof message,
             "invalid size %zu: expected sizeof(petteia_playouts_options), which is %zu in this version", wrong[i],
             sizeof options);
    CHECK_TEXT(last_error(), message);
  }
  CHECK(options.seed == 5 && options.threads == 1);
  CHECK(tally.plies == 77 && options.size == (size_t)-8);
  petteia_position_free(position);
}

static void test_tree_search(void) {
  petteia_branch branches[64], again[64];
  petteia_tree tree, second;
  petteia_mcts_options options;
  petteia_position *position;
  struct listener listener = {0, 2, {0, 0, 0, 0, 0, 0}};
  size_t count, all, i;
  unsigned game, evaluator, threads;
  for (game = 0; game < 4; ++game) {
    uint32_t legal[64];
    size_t moves;
    position = start(starts[game][0], starts[game][1]);
    OK(petteia_position_legal_actions(position, legal, 64, &moves));
    for (evaluator = 0; evaluator < 2; ++evaluator) {
      for (threads = 1; threads < 3; ++threads) {
        uint64_t visits = 0;
        OK(petteia_mcts_options_init(&options));
        options.simulations = 300;
        options.seed = 3;
        options.threads = threads;
        options.evaluator = evaluator ? "estimate" : "playout";
        OK(petteia_position_mcts(position, &options, branches, 64, &count, &tree));
        /* There are fewer if the position is solved before. */
        CHECK(count == moves && tree.simulations > 0);
        CHECK(tree.simulations == 300 || (tree.simulations < 300 && tree.best.exact));
        for (i = 0; i < count; ++i) {
          CHECK(branches[i].action == legal[i] && branches[i].value >= -1 && branches[i].value <= 1);
          CHECK(branches[i].exact == 0 || branches[i].exact == 1);
          CHECK(branches[i].action != tree.best.action || memcmp(&branches[i], &tree.best, sizeof tree.best) == 0);
          visits += branches[i].visits;
        }
        CHECK(visits == tree.simulations);
        OK(petteia_position_mcts(position, &options, again, 1, &all, &second));
        CHECK(all == count && memcmp(again, branches, sizeof *again) == 0);
        CHECK(memcmp(&second.best, &tree.best, sizeof tree.best) == 0);
      }
    }
    petteia_position_free(position);
  }

  OK(petteia_position_parse("tictac", "XX_/OO_/___ X", &position));
  OK(petteia_position_mcts(position, NULL, NULL, 0, &count, &tree));
  CHECK(count == 5 && tree.best.action == 2 && tree.best.exact == 1 && tree.best.value == 1);
  petteia_position_free(position);

  /* Without an end, this would take years. */
  position = start("reversi", "8 8");
  OK(petteia_mcts_options_init(&options));
  options.simulations = UINT64_MAX;
  options.threads = 2;
  options.time_limit = 0.02;
  OK(petteia_position_mcts(position, &options, branches, 64, &count, &tree));
  options.time_limit = 1e300;
  options.callback = listen;
  options.user = &listener;
  OK(petteia_position_mcts(position, &options, branches, 64, &count, &tree));
  CHECK(listener.calls == 2 && listener.last.total == UINT64_MAX && count == 4 && tree.simulations > 0);

  tree.simulations = count = 77;
  options.simulations = 0;
  REFUSED(petteia_position_mcts(position, &options, branches, 64, &count, &tree));
  CHECK_TEXT(last_error(), "invalid simulations 0: expected 1 or more");
  options.simulations = 1;
  options.time_limit = -1;
  REFUSED(petteia_position_mcts(position, &options, branches, 64, &count, &tree));
  options.time_limit = 0;
  options.evaluator = "guess";
  CHECK(petteia_position_mcts(position, &options, branches, 64, &count, &tree) == PETTEIA_PARSE_ERROR);
  CHECK_TEXT(last_error(), "invalid evaluator \"guess\": expected playout or estimate");
  options.evaluator = "\xff";
  CHECK(petteia_position_mcts(position, &options, branches, 64, &count, &tree) == PETTEIA_NOT_UTF8);
  petteia_position_free(position);
  OK(petteia_position_parse("tictac", "XXX/OO_/___ -", &position));
  CHECK(petteia_position_mcts(position, NULL, branches, 64, &count, &tree) == PETTEIA_UNAVAILABLE);
  CHECK(count == 77 && tree.simulations == 77);
  petteia_position_free(position);
}

static uint64_t games_of(const petteia_score *score) {
  uint64_t games = 0;
  unsigned i;
  for (i = 0; i < 3; ++i) {
    games += score->as_first[i] + score->as_second[i];
  }
  return games;
}

static void test_matches(void) {
  petteia_match_options options;
  petteia_score score, again;
  petteia_position *position;
  struct listener listener = {0, 2, {0, 0, 0, 0, 0, 0}};
  unsigned game;
  OK(petteia_match_options_init(&options));
  options.seed = 9;
  for (game = 0; game < 4; ++game) {
    position = start(starts[game][0], starts[game][1]);
    options.threads = 1;
    OK(petteia_match("myopic", "random", position, 21, &options, &score));
    CHECK(games_of(&score) == 21 && score.as_first[0] + score.as_first[1] + score.as_first[2] == 11);
    options.threads = 3;
    OK(petteia_match("myopic", "random", position, 21, &options, &again));
    CHECK(memcmp(&score, &again, sizeof score) == 0);
    options.max_plies = 0;
    OK(petteia_match("myopic", "random", position, 4, &options, &score));
    CHECK(score.as_first[1] == 2 && score.as_second[1] == 2);
    options.max_plies = 10000;
    petteia_position_free(position);
  }
  position = start("tictac", "X");
  OK(petteia_match("perfect", "random", position, 20, NULL, &score));
  CHECK(score.as_first[2] == 0 && score.as_second[2] == 0 && score.as_first[0] > 0);
  options.callback = listen;
  options.user = &listener;
  CHECK(petteia_match("random", "random", position, UINT64_MAX, &options, &score) == PETTEIA_STOPPED);
  CHECK(listener.calls == 2 && listener.last.done > 0 && listener.last.total == UINT64_MAX);
  CHECK_TEXT(last_error(), "the callback stopped the call");
  CHECK(petteia_match("clever", "random", position, 1, NULL, &score) == PETTEIA_PARSE_ERROR);
  CHECK(petteia_match("random", "", position, 1, NULL, &score) == PETTEIA_PARSE_ERROR);
  petteia_position_free(position);
  OK(petteia_position_parse("tictac", "XXX/OO_/___ -", &position));
  CHECK(petteia_match("random", "random", position, 1, NULL, &score) == PETTEIA_UNAVAILABLE);
  CHECK_TEXT(last_error(), "the game is over: expected a position with a player to move");
  CHECK(games_of(&score) == 20);
  petteia_position_free(position);
}

/* Games of self-play, replayed as they come. */
struct games {
  const petteia_position *start;
  uint64_t next;
  unsigned stop_after;
  bool has_values;
  petteia_tally tally;
};

static bool replay(const petteia_played_game *game, void *user) {
  struct games *games = (struct games *)user;
  petteia_position *position = NULL;
  petteia_outcome outcome;
  size_t ply;
  CHECK(game->number == games->next++);
  CHECK((game->values != NULL) == games->has_values);
  OK(petteia_position_clone(games->start, &position));
  for (ply = 0; ply < game->plies; ++ply) {
    CHECK(!games->has_values || (game->values[ply] >= -1 && game->values[ply] <= 1));
    OK(petteia_position_play(position, game->actions[ply]));
  }
  OK(petteia_position_outcome(position, &outcome));
  CHECK(outcome == game->outcome);
  petteia_position_free(position);
  games->tally.first_wins += outcome == PETTEIA_FIRST_WINS;
  games->tally.second_wins += outcome == PETTEIA_SECOND_WINS;
  games->tally.draws += outcome == PETTEIA_DRAW;
  games->tally.plies += game->plies;
  return games->stop_after > 0 && --games->stop_after == 0;
}

static bool ignore(const petteia_played_game *game, void *user) {
  ++*(uint64_t *)user;
  return game->plies == 0;
}

static void test_selfplay(void) {
  petteia_selfplay_options options;
  petteia_playouts_options random;
  petteia_tally tally;
  struct listener listener = {0, 2, {0, 0, 0, 0, 0, 0}};
  struct games games;
  petteia_position *over = NULL;
  uint64_t received = 0;
  unsigned game;
  OK(petteia_selfplay_options_init(&options));
  OK(petteia_playouts_options_init(&random));
  for (game = 0; game < 4; ++game) {
    petteia_position *position = start(starts[game][0], starts[game][1]);
    memset(&games, 0, sizeof games);
    games.start = position;
    games.next = options.first = random.first = 10;
    options.seed = random.seed = 4;
    OK(petteia_selfplay("random", position, 57, &options, replay, &games));
    OK(petteia_position_playouts(position, 57, &random, &tally));
    CHECK(games.next == 67 && memcmp(&tally, &games.tally, sizeof tally) == 0);
    games.next = 10;
    games.has_values = true;
    OK(petteia_selfplay("mcts:10", position, 3, &options, replay, &games));
    CHECK(games.next == 13);
    /* The receiver stops it; so does the callback, with whole games only. */
    games.next = 10;
    games.has_values = false;
    games.stop_after = 6;
    CHECK(petteia_selfplay("random", position, 57, &options, replay, &games) == PETTEIA_STOPPED);
    CHECK(games.next == 16);
    /* A game that is cut off is in progress. */
    options.max_plies = 2;
    games.next = 10;
    OK(petteia_selfplay("myopic", position, 2, &options, replay, &games));
    CHECK(games.next == 12);
    options.max_plies = UINT64_MAX;
    petteia_position_free(position);
  }
  games.start = start("tictac", "X");
  options.first = 1;
  REFUSED(petteia_selfplay("random", games.start, UINT64_MAX, &options, ignore, &received));
  CHECK(petteia_selfplay("nobody", games.start, 1, &options, ignore, &received) == PETTEIA_PARSE_ERROR);
  CHECK(received == 0);
  options.first = 0;
  options.callback = listen;
  options.user = &listener;
  CHECK(petteia_selfplay("random", games.start, UINT64_MAX, &options, ignore, &received) == PETTEIA_STOPPED);
  CHECK(listener.calls == 2 && received >= listener.last.done && listener.last.total == UINT64_MAX);
  petteia_position_free((petteia_position *)games.start);
  received = 0;
  OK(petteia_position_parse("tictac", "XXX/OO_/___ -", &over));
  CHECK(petteia_selfplay("random", over, 1, NULL, ignore, &received) == PETTEIA_UNAVAILABLE && received == 0);
  petteia_position_free(over);
}

int main(void) {
  test_defaults();
  test_sizes();
  test_tree_search();
  test_matches();
  test_selfplay();
  return PASSED();
}
