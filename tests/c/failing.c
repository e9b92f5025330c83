/*
 * Every function of both headers while memory is missing: each allocation of a call fails in turn, alone or with all that
 * follow. The call succeeds, or says that there is no memory, has changed nothing, and succeeds once there is memory.
 * (tests/capi.rs checks that no function is missing.)
 *
 * `failing limit` limits the memory of the process instead, takes all of it, and calls every function once.
 * `failing short` is for sanitizers and valgrind: fewer positions and allocations.
 */

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/resource.h>

#include "breakdown.h"
#include "check.h"
#include "petteia.h"

/* ---------------------------------------------------------------- An allocator that fails ---- */

#ifdef __cplusplus
extern "C" {
#define NOEXCEPT noexcept
#else
#define NOEXCEPT
#endif

/*
 * The program's own malloc is everybody's, but sanitizers and valgrind have theirs: there, the linker puts these functions
 * in front of it (-DWRAPPED -Wl,--wrap=malloc and so on).
 */
#ifdef WRAPPED
#define OUR(function) __wrap_##function
#define REAL(function) __real_##function
#else
#define OUR(function) function
#define REAL(function) __libc_##function
#endif

void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t count, size_t size);
void *REAL(realloc)(void *memory, size_t size);
void *REAL(memalign)(size_t alignment, size_t size);
void REAL(free)(void *memory);

#ifdef WRAPPED
void *OUR(malloc)(size_t size);
void *OUR(calloc)(size_t count, size_t size);
void *OUR(realloc)(void *memory, size_t size);
void *OUR(aligned_alloc)(size_t alignment, size_t size);
int OUR(posix_memalign)(void **memory, size_t alignment, size_t size);
void OUR(free)(void *memory);
void *memalign(size_t alignment, size_t size);
#endif

static bool armed = false, alone = false;
static long number = 0; /* of the allocations since it was armed */
static long failing = 0;
static long live = 0; /* how many blocks there are */

static bool fails(void) {
  long this_one;
  if (!__atomic_load_n(&armed, __ATOMIC_RELAXED)) {
    return false;
  }
  this_one = __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED);
  return alone ? this_one == failing : this_one >= failing;
}

static void *counted(void *memory) {
  if (memory != NULL) {
    __atomic_add_fetch(&live, 1, __ATOMIC_RELAXED);
  } else {
    errno = ENOMEM;
  }
  return memory;
}

void *OUR(malloc)(size_t size) NOEXCEPT { return counted(fails() ? NULL : REAL(malloc)(size)); }

void *OUR(calloc)(size_t count, size_t size) NOEXCEPT { return counted(fails() ? NULL : REAL(calloc)(count, size)); }

void *OUR(realloc)(void *memory, size_t size) NOEXCEPT {
  void *moved = fails() ? NULL : REAL(realloc)(memory, size);
  return memory == NULL ? counted(moved) : moved;
}

void *OUR(aligned_alloc)(size_t alignment, size_t size) NOEXCEPT {
  return counted(fails() ? NULL : REAL(memalign)(alignment, size));
}

int OUR(posix_memalign)(void **memory, size_t alignment, size_t size) NOEXCEPT {
  void *made = OUR(aligned_alloc)(alignment, size);
  if (made == NULL) {
    return ENOMEM;
  }
  *memory = made;
  return 0;
}

void OUR(free)(void *memory) NOEXCEPT {
  if (memory != NULL) {
    __atomic_sub_fetch(&live, 1, __ATOMIC_RELAXED);
  }
  REAL(free)(memory);
}

#ifdef __cplusplus
}
#endif

static void arm(long first, bool only) {
  number = 0;
  failing = first;
  alone = only;
  __atomic_store_n(&armed, true, __ATOMIC_SEQ_CST);
}

static void disarm(void) { __atomic_store_n(&armed, false, __ATOMIC_SEQ_CST); }

/* ---------------------------------------------------------------- Arguments and results ---- */

#define OK(call) CHECK((call) == PETTEIA_OK)

/* Small positions and such with memory of their own, and one on which calls use a thread; and how many moves are made. */
static const struct {
  const char *game, *parameters;
  int moves;
} starts[] = {{"reversi", "8 8", 30},         {"tictac", "O", 3},  {"breakdown", "4 5 2 2", 3},
              {"breakdown", "30 20 3 4", 9},  {"quarto", "", 9},   {"reversi", "5 6", 12},
              {"breakdown", "70 1 2 2", 4},   {"breakdown", "120 100 3 4", 4}};

#define STARTS (sizeof starts / sizeof starts[0])
#define LANES 3

static size_t which; /* of the starts */
static uint32_t first_action;
static char first_move[16], line[1 << 14], record[4096], unreadable[100001];
static size_t discard;
static unsigned errors = 0, received = 0;
static char error[256];

/* What calls may change. */
static petteia_position *position, *copied;
static petteia_vector *vector;
static petteia_bot *bot;
static petteia_solution *solution;
static petteia_tictac_evaluator *evaluator;
static petteia_quarto_myopic *myopic;
static game *played;
static board *matrix;

static petteia_vector_sizes sizes;
static petteia_vector_arrays arrays;
static uint8_t observations[LANES * 2 * 120 * 100], action_mask[LANES * 300], terminated[LANES];
static int8_t turns[LANES];
static float rewards[2 * LANES];
static int64_t actions[LANES];

/* What they write. */
typedef struct results {
  petteia_position *position;
  petteia_vector *vector;
  petteia_bot *bot;
  petteia_solution *solution;
  petteia_tictac_evaluator *evaluator;
  petteia_quarto_myopic *myopic;
  game *played;
  board *matrix;
  /* What is the same whenever a call succeeds. */
  struct {
    uint64_t words[2];
    int64_t parameter;
    size_t length, count;
    uint32_t numbers[64];
    uint16_t set;
    bool answer;
    petteia_tally tally;
    petteia_game game;
    petteia_player player;
    petteia_outcome outcome;
    petteia_score score;
    petteia_vector_sizes sizes;
    petteia_tictac_verdict verdict;
    petteia_tictac_move move;
    petteia_reversi_square squares[64];
    int code;
    char text[1 << 14];
    uint8_t cells[1 << 14];
  } same;
  petteia_parameter parameter;
  petteia_estimate estimate;
  petteia_analysis analysis;
  petteia_line lines[4];
  petteia_branch branches[4];
  petteia_tree tree;
  petteia_choice choice;
  petteia_value value;
  petteia_perft_options perft;
  petteia_playouts_options playouts;
  petteia_solve_options solve;
  petteia_analysis_options analyse;
  petteia_mcts_options mcts;
  petteia_choose_options choose;
  petteia_match_options match;
  petteia_selfplay_options selfplay;
} results;

static results out, before, expected;

#define TEXT out.same.text, sizeof out.same.text, &out.same.length

static void tell(const char *message, void *user) {
  (void)user;
  ++errors;
  strncpy(error, message, sizeof error - 1);
}

/* A callback of the program that uses the library itself. */
static bool go_on(const petteia_progress *progress, void *user) {
  bool over;
  (void)user;
  return progress->seconds < 0 || petteia_position_is_over(position, &over) != PETTEIA_OK;
}

static bool receive(const petteia_played_game *game, void *user) {
  (void)user;
  ++received;
  return game->plies == 0 && game->actions == NULL;
}

static const char *name;
static long missing; /* the allocation that fails */

/* Checks a condition, and says for which call and allocation it does not hold. */
#define HOLDS(condition)                                                                                   \
  do {                                                                                                     \
    ++checks;                                                                                              \
    if (!(condition)) {                                                                                    \
      fprintf(stderr, "%s on %s %s, allocation %ld%s: not %s (line %d): %s\n", name, starts[which].game,   \
              starts[which].parameters, missing, alone ? "" : " and all after it", #condition, __LINE__,   \
              message());                                                                                  \
      exit(1);                                                                                             \
    }                                                                                                      \
  } while (0)

static const char *message(void) {
  static char text[256];
  OK(petteia_last_error(text, sizeof text, &discard));
  return text;
}

static void fill(void) {
  memset(&out, 0x5a, sizeof out);
  memset(observations, 0x5a, sizeof observations);
  memset(actions, 0, sizeof actions);
}

static bool is_made(const void *handle) {
  uintptr_t filled;
  memset(&filled, 0x5a, sizeof filled);
  return (uintptr_t)handle != filled;
}

/* Frees what a call that succeeded has made. */
static void drop_results(void) {
  if (is_made(out.position)) petteia_position_free(out.position);
  if (is_made(out.vector)) petteia_vector_free(out.vector);
  if (is_made(out.bot)) petteia_bot_free(out.bot);
  if (is_made(out.solution)) petteia_solution_free(out.solution);
  if (is_made(out.evaluator)) petteia_tictac_evaluator_free(out.evaluator);
  if (is_made(out.myopic)) petteia_quarto_myopic_free(out.myopic);
  if (is_made(out.played)) game_free(out.played);
  if (is_made(out.matrix)) board_free(out.matrix);
}

static void drop_arguments(void) {
  petteia_position_free(position);
  petteia_position_free(copied);
  petteia_vector_free(vector);
  petteia_bot_free(bot);
  petteia_solution_free(solution);
  petteia_tictac_evaluator_free(evaluator);
  petteia_quarto_myopic_free(myopic);
  game_free(played);
  board_free(matrix);
  position = copied = NULL;
  vector = NULL;
  bot = NULL;
  solution = NULL;
  evaluator = NULL;
  myopic = NULL;
  played = NULL;
  matrix = NULL;
}

static void make_arguments(void) {
  petteia_solve_options options;
  petteia_position *start = NULL;
  uint32_t all[300], done[40];
  int moves;
  OK(petteia_position_new(starts[which].game, starts[which].parameters, &position));
  OK(petteia_position_clone(position, &start));
  for (moves = 0; moves < starts[which].moves; ++moves) {
    OK(petteia_position_legal_actions(position, all, 300, &discard));
    done[moves] = all[(size_t)(7 * moves) % discard];
    OK(petteia_position_play(position, done[moves]));
  }
  OK(petteia_record_format(start, done, (size_t)moves, record, sizeof record, &discard));
  CHECK(discard < sizeof record);
  OK(petteia_position_legal_actions(position, all, 300, &discard));
  first_action = all[discard - 1];
  OK(petteia_position_notation(position, first_action, first_move, sizeof first_move, &discard));
  OK(petteia_position_text(position, line, sizeof line, &discard));
  CHECK(discard < sizeof line);
  /* A copy to another game, or to another size, takes memory. */
  OK(petteia_position_new("breakdown", "20 20 2 2", &copied));
  OK(petteia_vector_new(position, LANES, 5, 1, PETTEIA_LOSE, &vector));
  OK(petteia_vector_get_sizes(vector, &sizes));
  CHECK(sizes.num_actions <= 300);
  OK(petteia_bot_new("alphabeta:nodes=200", 3, &bot));
  OK(petteia_solve_options_init(&options));
  options.node_limit = 100;
  options.table_bytes = 1 << 14;
  OK(petteia_solve(position, &options, &solution));
  OK(petteia_tictac_evaluator_new(&evaluator));
  OK(petteia_tictac_evaluator_push(evaluator, "1 X B2\n2 O", 10));
  OK(petteia_quarto_myopic_new(9, &myopic));
  played = new_game(2, 2, 70, 70, BITS);
  matrix = board_new(70, 70, MATRIX);
  CHECK(drop_stick(played, 3, 1) == 1);
  petteia_position_free(start);
}

/* What can be seen of the arguments, as one text. */
static const char *seen(int number) {
  static char texts[2][1 << 17];
  char *text = texts[number], *end = text + sizeof texts[0];
  petteia_tictac_verdict verdict;
  unsigned lane;
  for (lane = 0; lane < LANES + 2; ++lane) {
    petteia_position *lanes = lane == 0 ? position : copied;
    if (lane >= 2) {
      HOLDS(petteia_vector_position(vector, lane - 2, &lanes) == PETTEIA_OK);
    }
    OK(petteia_position_text(lanes, text, (size_t)(end - text), &discard));
    CHECK(discard < (size_t)(end - text));
    text += discard;
    if (lane >= 2) {
      petteia_position_free(lanes);
    }
  }
  OK(petteia_tictac_evaluator_verdict(evaluator, &verdict));
  *text++ = (char)('0' + verdict);
  *text++ = (char)('0' + board_get(played->b, make_pos(69, 3)));
  *text++ = (char)('0' + board_get(played->b, make_pos(69, 4)));
  *text++ = (char)('0' + board_get(matrix, make_pos(0, 0)));
  *text = 0;
  return texts[number];
}

/* ---------------------------------------------------------------- The calls ---- */

#define CALL(name) static petteia_status call_##name(void)

CALL(texts) {
  CHECK(petteia_status_message(PETTEIA_NO_MEMORY) != NULL && petteia_version() != NULL);
  petteia_set_error_handler(tell, NULL);
  out.same.count = petteia_game_count();
  return petteia_last_error(TEXT) == PETTEIA_OK ? PETTEIA_OK : PETTEIA_PANIC;
}
CALL(game_name) { return petteia_game_name(PETTEIA_QUARTO, TEXT); }
CALL(game_from_name) { return petteia_game_from_name("quarto", &out.same.game); }
CALL(no_game_from_name) { return petteia_game_from_name("chess", &out.same.game); }
CALL(unreadable_game) { return petteia_game_from_name(unreadable, &out.same.game); }
CALL(parameter_count) { return petteia_game_parameter_count(PETTEIA_REVERSI, &out.same.count); }
CALL(parameter) { return petteia_game_parameter(PETTEIA_REVERSI, 1, &out.parameter); }
CALL(no_parameter) { return petteia_game_parameter(PETTEIA_REVERSI, 2, &out.parameter); }
CALL(position_new) { return petteia_position_new(starts[which].game, starts[which].parameters, &out.position); }
CALL(position_default) { return petteia_position_new(starts[which].game, "", &out.position); }
CALL(position_of_none) { return petteia_position_new(starts[which].game, "1 2 3 4 5", &out.position); }
CALL(position_parse) { return petteia_position_parse(starts[which].game, line, &out.position); }
CALL(position_unreadable) { return petteia_position_parse(starts[which].game, unreadable, &out.position); }
CALL(position_clone) { return petteia_position_clone(position, &out.position); }
CALL(position_copy) { return petteia_position_copy(copied, position); }
CALL(position_free) {
  petteia_status status = petteia_position_clone(position, &out.position);
  if (status == PETTEIA_OK) {
    petteia_position_free(out.position);
    memset(&out.position, 0x5a, sizeof out.position);
  }
  return status;
}
CALL(position_equal) { return petteia_position_equal(position, copied, &out.same.answer); }
CALL(position_key) { return petteia_position_key(position, out.same.words); }
CALL(position_hash) { return petteia_position_hash(position, out.same.words); }
CALL(position_cells) { return petteia_position_cells(position, out.same.cells, sizeof out.same.cells, &out.same.length); }
CALL(position_game) { return petteia_position_game(position, &out.same.game); }
CALL(position_parameters) { return petteia_position_parameters(position, TEXT); }
CALL(position_parameter) { return petteia_position_parameter(position, "width", &out.same.parameter); }
CALL(position_player_name) { return petteia_position_player_name(position, PETTEIA_SECOND, TEXT); }
CALL(position_turn) { return petteia_position_turn(position, &out.same.player); }
CALL(position_outcome) { return petteia_position_outcome(position, &out.same.outcome); }
CALL(position_is_over) { return petteia_position_is_over(position, &out.same.answer); }
CALL(num_actions) { return petteia_position_num_actions(position, out.same.numbers); }
CALL(legal_actions) { return petteia_position_legal_actions(position, out.same.numbers, 64, &out.same.length); }
CALL(is_legal) { return petteia_position_is_legal(position, first_action, &out.same.answer); }
CALL(play) { return petteia_position_play(position, first_action); }
CALL(play_none) { return petteia_position_play(position, 100000); }
CALL(play_notation) { return petteia_position_play_notation(position, first_move); }
CALL(play_unreadable) { return petteia_position_play_notation(position, unreadable); }
CALL(action) { return petteia_position_action(position, first_move, out.same.numbers); }
CALL(notation) { return petteia_position_notation(position, first_action, TEXT); }
CALL(no_notation) { return petteia_position_notation(position, 100000, TEXT); }
CALL(position_text) { return petteia_position_text(position, TEXT); }
CALL(drawing) { return petteia_position_drawing(position, TEXT); }
CALL(svg) { return petteia_position_svg(position, TEXT); }
CALL(canonical) { return petteia_position_canonical(position, &out.position); }

CALL(defaults) {
  OK(petteia_perft_options_defaults(&out.perft, sizeof out.perft));
  OK(petteia_playouts_options_defaults(&out.playouts, sizeof out.playouts));
  OK(petteia_solve_options_defaults(&out.solve, sizeof out.solve));
  OK(petteia_analysis_options_defaults(&out.analyse, sizeof out.analyse));
  OK(petteia_mcts_options_defaults(&out.mcts, sizeof out.mcts));
  OK(petteia_choose_options_defaults(&out.choose, sizeof out.choose));
  OK(petteia_match_options_defaults(&out.match, sizeof out.match));
  return petteia_selfplay_options_defaults(&out.selfplay, sizeof out.selfplay);
}

static petteia_status perft(size_t threads, size_t table_bytes) {
  petteia_perft_options options;
  OK(petteia_perft_options_init(&options));
  options.callback = go_on;
  options.threads = threads;
  options.table_bytes = table_bytes;
  return petteia_position_perft(position, 2, &options, out.same.words);
}
CALL(perft) { return perft(1, 0); }
CALL(perft_with_table) { return perft(1, 1 << 17); }
CALL(perft_on_threads) { return perft(3, 1 << 10); }

static petteia_status playouts(size_t threads) {
  petteia_playouts_options options;
  OK(petteia_playouts_options_init(&options));
  options.threads = threads;
  return petteia_position_playouts(position, 3, &options, &out.same.tally);
}
CALL(playouts) { return playouts(1); }
CALL(playouts_on_threads) { return playouts(3); }

static petteia_status solve(size_t threads, size_t table_bytes) {
  petteia_solve_options options;
  OK(petteia_solve_options_init(&options));
  options.callback = go_on;
  options.node_limit = 300;
  options.table_bytes = table_bytes;
  options.threads = threads;
  return petteia_solve(position, &options, &out.solution);
}
CALL(solve) { return solve(1, 1 << 14); }
CALL(solve_in_room) { return solve(1, 1 << 20); }
CALL(solve_on_threads) { return solve(3, 1 << 18); }
CALL(solution_value) { return petteia_solution_value(solution, &out.value); }
CALL(solution_best) { return petteia_solution_best_actions(solution, out.same.numbers, 64, &out.same.length); }
CALL(solution_line) { return petteia_solution_line(solution, out.same.numbers, 64, &out.same.length); }
CALL(solution_free) {
  petteia_solution_free(solution);
  solution = NULL;
  return PETTEIA_OK;
}

CALL(evaluate) { return petteia_position_evaluate(position, &out.estimate); }
static petteia_status analyse(size_t threads, uint32_t depth) {
  petteia_analysis_options options;
  OK(petteia_analysis_options_init(&options));
  options.callback = go_on;
  options.node_limit = 400;
  options.depth = depth;
  options.lines = 3;
  options.threads = threads;
  return petteia_position_analyse(position, &options, out.lines, 4, &out.same.length, &out.analysis);
}
CALL(analyse) { return analyse(1, 0); }
CALL(analyse_to_a_depth) { return analyse(1, 2); }
CALL(analyse_on_threads) { return analyse(3, 0); }

static petteia_status mcts(size_t threads, const char *by) {
  petteia_mcts_options options;
  OK(petteia_mcts_options_init(&options));
  options.simulations = 40;
  options.evaluator = by;
  options.threads = threads;
  return petteia_position_mcts(position, &options, out.branches, 4, &out.same.length, &out.tree);
}
CALL(mcts) { return mcts(1, "playout"); }
CALL(mcts_by_estimates) { return mcts(1, "estimate"); }
CALL(mcts_by_nothing) { return mcts(1, "hope"); }
CALL(mcts_on_threads) { return mcts(3, "playout"); }

CALL(bot_new) { return petteia_bot_new("level:3", 1, &out.bot); }
CALL(no_bot) { return petteia_bot_new("clever", 1, &out.bot); }
CALL(bot_name) { return petteia_bot_name(bot, TEXT); }
CALL(bot_choose) {
  petteia_status status = petteia_bot_choose(bot, position, NULL, &out.choice);
  if (status == PETTEIA_OK) {
    out.same.numbers[0] = out.choice.action;
  }
  return status;
}
CALL(bot_free) {
  petteia_bot_free(bot);
  bot = NULL;
  return PETTEIA_OK;
}

static petteia_status match(const char *first, const char *second, size_t threads) {
  petteia_match_options options;
  OK(petteia_match_options_init(&options));
  options.callback = go_on;
  options.max_plies = 3;
  options.threads = threads;
  return petteia_match(first, second, position, 2, &options, &out.same.score);
}
CALL(match) { return match("mcts:10", "alphabeta:nodes=50", 1); }
CALL(match_of_others) { return match("perfect:50", "myopic", 1); }
CALL(match_on_threads) { return match("random", "level:2", 2); }

static petteia_status selfplay(const char *player) {
  petteia_selfplay_options options;
  OK(petteia_selfplay_options_init(&options));
  options.callback = go_on;
  options.max_plies = 4;
  return petteia_selfplay(player, position, 6, &options, receive, NULL);
}
CALL(selfplay) { return selfplay("random"); }
CALL(selfplay_by_search) { return selfplay("alphabeta:depth=1"); }

CALL(record_start) { return petteia_record_start(record, &out.position); }
CALL(record_last) { return petteia_record_last(record, &out.position); }
CALL(record_unreadable) { return petteia_record_last(unreadable, &out.position); }
CALL(record_actions) { return petteia_record_actions(record, out.same.numbers, 64, &out.same.length); }
CALL(record_format) {
  petteia_position *start = NULL;
  petteia_status status = petteia_position_new(starts[which].game, starts[which].parameters, &start);
  if (status == PETTEIA_OK) {
    uint32_t moves[1];
    moves[0] = starts[which].game[0] == 'r' ? 27 : 0;
    status = petteia_record_format(start, moves, 1, TEXT);
    petteia_position_free(start);
  }
  return status;
}
CALL(record_from_the_middle) { return petteia_record_format(position, NULL, 0, TEXT); }

CALL(vector_new) { return petteia_vector_new(position, 40, 1, 1, PETTEIA_REFUSE, &out.vector); }
CALL(vector_on_threads) { return petteia_vector_new(position, 600, 1, 3, PETTEIA_REFUSE, &out.vector); }
CALL(vector_free) {
  petteia_vector_free(vector);
  vector = NULL;
  return PETTEIA_OK;
}
CALL(vector_sizes) { return petteia_vector_get_sizes(vector, &out.same.sizes); }
CALL(vector_seed) { return petteia_vector_seed(vector, 8); }
CALL(vector_reset) { return petteia_vector_reset(vector, &arrays); }
CALL(vector_show) { return petteia_vector_show(vector, &arrays); }
CALL(vector_step) {
  actions[0] = actions[1] = first_action;
  actions[2] = -1;
  return petteia_vector_step(vector, actions, &arrays);
}
CALL(vector_random_actions) {
  petteia_status status = petteia_vector_random_actions(vector, actions);
  if (status == PETTEIA_OK) {
    out.same.parameter = actions[0] + 1000 * actions[1] + 1000000 * actions[2];
  }
  return status;
}
CALL(vector_rollout) { return petteia_vector_rollout(vector, 3, &arrays, &out.same.tally); }
CALL(vector_position) { return petteia_vector_position(vector, 1, &out.position); }
CALL(vector_set_position) {
  petteia_position *next = NULL;
  petteia_status status = petteia_position_clone(position, &next);
  if (status == PETTEIA_OK) {
    status = petteia_position_play(next, first_action);
  }
  if (status == PETTEIA_OK) {
    status = petteia_vector_set_position(vector, 1, next);
  }
  petteia_position_free(next);
  return status;
}
CALL(vector_set_other) { return petteia_vector_set_position(vector, 1, copied); }

CALL(tictac_new) { return petteia_tictac_new(PETTEIA_TICTAC_O, &out.position); }
CALL(tictac_get) { return petteia_tictac_get(position, 4, &out.same.player); }
CALL(tictac_parse_move) { return petteia_tictac_parse_move("2 O C2 # why not", 16, &out.same.move); }
CALL(tictac_parse_bytes) {
  static char bytes[70000];
  memset(bytes, 0xff, sizeof bytes);
  return petteia_tictac_parse_move(bytes, sizeof bytes, &out.same.move);
}
CALL(tictac_format_move) {
  static const petteia_tictac_move move = {2, PETTEIA_TICTAC_O, 7};
  return petteia_tictac_format_move(&move, TEXT);
}
CALL(tictac_evaluate) { return petteia_tictac_evaluate("1 X B2\n", 7, &out.same.verdict); }
CALL(tictac_verdict_line) { return petteia_tictac_verdict_line(PETTEIA_TICTAC_DRAW, TEXT); }
CALL(tictac_exit_code) { return petteia_tictac_exit_code(PETTEIA_TICTAC_PARSE_ERROR, &out.same.code); }
CALL(tictac_evaluator_new) { return petteia_tictac_evaluator_new(&out.evaluator); }
CALL(tictac_evaluator_free) {
  petteia_tictac_evaluator_free(evaluator);
  evaluator = NULL;
  return PETTEIA_OK;
}
CALL(tictac_evaluator_push) { return petteia_tictac_evaluator_push(evaluator, " B2\n", 4); }
CALL(tictac_evaluator_is_decided) { return petteia_tictac_evaluator_is_decided(evaluator, &out.same.answer); }
CALL(tictac_evaluator_verdict) { return petteia_tictac_evaluator_verdict(evaluator, &out.same.verdict); }

CALL(breakdown_new) { return petteia_breakdown_new(300, 200, 2, 2, &out.position); }
CALL(no_breakdown_new) { return petteia_breakdown_new(0, 200, 2, 2, &out.position); }
CALL(breakdown_get) { return petteia_breakdown_get(position, 0, 1, &out.same.player); }

CALL(reversi_new) { return petteia_reversi_new(8, 6, &out.position); }
CALL(reversi_from_tiles) {
  return petteia_reversi_from_tiles(4, 4, UINT64_C(0x40200), UINT64_C(0x20400), PETTEIA_FIRST, &out.position);
}
CALL(reversi_overlapping) { return petteia_reversi_from_tiles(4, 4, 3, 6, PETTEIA_FIRST, &out.position); }
CALL(reversi_size) { return petteia_reversi_size(position, out.same.numbers, out.same.numbers + 1); }
CALL(reversi_get) { return petteia_reversi_get(position, 3, 3, &out.same.player); }
CALL(reversi_tiles) { return petteia_reversi_tiles(position, PETTEIA_FIRST, out.same.words); }
CALL(reversi_count) { return petteia_reversi_count(position, PETTEIA_FIRST, out.same.numbers); }
CALL(reversi_legal) { return petteia_reversi_legal(position, out.same.words); }
CALL(reversi_find_move) { return petteia_reversi_find_move(position, 2, 2, out.same.words); }
CALL(reversi_play_move) { return petteia_reversi_play_move(position, first_action % 8, first_action / 8); }
CALL(reversi_play_none) { return petteia_reversi_play_move(position, 9, 9); }
CALL(reversi_bare) {
  out.same.words[0] = petteia_reversi_moves(UINT64_C(1) << 27, UINT64_C(1) << 28, 8, 8);
  out.same.words[1] = petteia_reversi_flips(29, UINT64_C(1) << 27, UINT64_C(1) << 28);
  return PETTEIA_OK;
}
CALL(reversi_all_positions) { return petteia_reversi_all_positions(8, 8, out.same.words); }
CALL(reversi_center_positions) { return petteia_reversi_center_positions(8, 8, out.same.words); }
CALL(reversi_set_squares) { return petteia_reversi_set_squares(~UINT64_C(0), out.same.squares, 64, &out.same.length); }
CALL(reversi_set_text) { return petteia_reversi_set_text(~UINT64_C(0), TEXT); }
CALL(reversi_move_text) { return petteia_reversi_move_text(1, 2, 77, TEXT); }

CALL(quarto_new) { return petteia_quarto_new(&out.position); }
CALL(quarto_piece) {
  return petteia_quarto_piece(PETTEIA_QUARTO_TALL, PETTEIA_QUARTO_SEPIA, PETTEIA_QUARTO_SQUARE, PETTEIA_QUARTO_SOLID,
                              out.same.numbers);
}
CALL(quarto_piece_code) { return petteia_quarto_piece_code(5, TEXT); }
CALL(quarto_parse_piece) { return petteia_quarto_parse_piece("SBCH", out.same.numbers); }
CALL(quarto_square_name) { return petteia_quarto_square_name(5, TEXT); }
CALL(quarto_parse_square) { return petteia_quarto_parse_square("B2", out.same.numbers); }
CALL(quarto_no_square) { return petteia_quarto_parse_square(unreadable, out.same.numbers); }
CALL(quarto_first_diagonal) { return petteia_quarto_is_on_first_diagonal(5, &out.same.answer); }
CALL(quarto_second_diagonal) { return petteia_quarto_is_on_second_diagonal(5, &out.same.answer); }
CALL(quarto_unused_piece) { return petteia_quarto_unused_piece(position, "TEQO", out.same.numbers); }
CALL(quarto_no_piece) { return petteia_quarto_unused_piece(position, unreadable, out.same.numbers); }
CALL(quarto_empty_square) { return petteia_quarto_empty_square(position, "D4", out.same.numbers); }
CALL(quarto_get) { return petteia_quarto_get(position, 0, out.same.numbers); }
CALL(quarto_hand) { return petteia_quarto_hand(position, out.same.numbers); }
CALL(quarto_unused_pieces) { return petteia_quarto_unused_pieces(position, &out.same.set); }
CALL(quarto_empty_squares) { return petteia_quarto_empty_squares(position, &out.same.set); }
CALL(quarto_is_winning) { return petteia_quarto_is_winning(position, 5, 5, &out.same.answer); }
CALL(quarto_winning_squares) { return petteia_quarto_winning_squares(position, 5, &out.same.set); }
CALL(quarto_bad_pieces) { return petteia_quarto_bad_pieces(position, &out.same.set); }
CALL(quarto_pool_drawing) { return petteia_quarto_pool_drawing(position, TEXT); }
CALL(quarto_myopic_new) { return petteia_quarto_myopic_new(7, &out.myopic); }
CALL(quarto_myopic_free) {
  petteia_quarto_myopic_free(myopic);
  myopic = NULL;
  return PETTEIA_OK;
}
CALL(quarto_select_piece) { return petteia_quarto_myopic_select_piece(myopic, position, out.same.numbers); }
CALL(quarto_select_square) { return petteia_quarto_myopic_select_square(myopic, position, 3, out.same.numbers); }

/* The status that functions of breakdown.h do not return. */
static petteia_status told(void) {
  if (errors == 0) {
    return PETTEIA_OK;
  }
  return strstr(error, "memory") != NULL ? PETTEIA_NO_MEMORY : PETTEIA_INVALID_ARGUMENT;
}
CALL(board_new) {
  board *made = board_new(90, 80, MATRIX);
  if (made != NULL) {
    out.matrix = made;
  }
  return told();
}
CALL(no_board_new) { return board_new(0, 80, MATRIX) == NULL ? told() : PETTEIA_PANIC; }
CALL(board_free) {
  board *made = board_new(9, 8, BITS);
  board_free(made);
  return told();
}
CALL(board_show) {
  board_show(matrix);
  return told();
}
CALL(board_get) {
  out.same.numbers[0] = board_get(matrix, make_pos(1, 2));
  return told();
}
CALL(no_board_get) { return board_get(matrix, make_pos(100, 2)) == EMPTY ? told() : PETTEIA_PANIC; }
CALL(board_set) {
  board_set(matrix, make_pos(0, 0), BLACK);
  return told();
}
CALL(new_game) {
  game *made = new_game(2, 3, 90, 80, BITS);
  if (made != NULL) {
    out.played = made;
  }
  return told();
}
CALL(game_free) {
  game_free(new_game(2, 3, 9, 8, MATRIX));
  return told();
}
CALL(drop_stick) {
  int dropped = drop_stick(played, 4, 0);
  if (errors == 0) {
    out.same.code = dropped;
  }
  return told();
}
CALL(breakdown) {
  breakdown(played);
  return told();
}
CALL(game_outcome) {
  outcome result = game_outcome(played);
  if (errors == 0) {
    out.same.code = (int)result;
  }
  return told();
}

/* Long calls start a thread on large boards, and others start some whatever the board. */
enum threads { NEVER, IF_LARGE, ALWAYS };

#define CALL_OF(name) {#name, call_##name, NEVER}
#define LONG(name) {#name, call_##name, IF_LARGE}
#define FORKS(name) {#name, call_##name, ALWAYS}
static const struct {
  const char *name;
  petteia_status (*call)(void);
  enum threads threads;
} calls[] = {
    CALL_OF(texts), CALL_OF(game_name), CALL_OF(game_from_name), CALL_OF(no_game_from_name), CALL_OF(unreadable_game),
    CALL_OF(parameter_count), CALL_OF(parameter), CALL_OF(no_parameter), CALL_OF(position_new),
    CALL_OF(position_default), CALL_OF(position_of_none), CALL_OF(position_parse), CALL_OF(position_unreadable),
    CALL_OF(position_clone), CALL_OF(position_copy), CALL_OF(position_free), CALL_OF(position_equal),
    CALL_OF(position_key), CALL_OF(position_hash), CALL_OF(position_cells), CALL_OF(position_game),
    CALL_OF(position_parameters), CALL_OF(position_parameter), CALL_OF(position_player_name), CALL_OF(position_turn),
    CALL_OF(position_outcome), CALL_OF(position_is_over), CALL_OF(num_actions), CALL_OF(legal_actions),
    CALL_OF(is_legal), CALL_OF(play), CALL_OF(play_none), CALL_OF(play_notation), CALL_OF(play_unreadable),
    CALL_OF(action), CALL_OF(notation), CALL_OF(no_notation), CALL_OF(position_text), CALL_OF(drawing), CALL_OF(svg),
    CALL_OF(canonical), CALL_OF(defaults), LONG(perft), LONG(perft_with_table), FORKS(perft_on_threads),
    LONG(playouts), FORKS(playouts_on_threads), LONG(solve), LONG(solve_in_room), FORKS(solve_on_threads),
    CALL_OF(solution_value), CALL_OF(solution_best), CALL_OF(solution_line), CALL_OF(solution_free),
    CALL_OF(evaluate), LONG(analyse), LONG(analyse_to_a_depth), FORKS(analyse_on_threads), LONG(mcts),
    LONG(mcts_by_estimates), CALL_OF(mcts_by_nothing), FORKS(mcts_on_threads), CALL_OF(bot_new), CALL_OF(no_bot),
    CALL_OF(bot_name), LONG(bot_choose), CALL_OF(bot_free), LONG(match), LONG(match_of_others),
    FORKS(match_on_threads), LONG(selfplay), LONG(selfplay_by_search), CALL_OF(record_start), CALL_OF(record_last),
    CALL_OF(record_unreadable), CALL_OF(record_actions), CALL_OF(record_format), CALL_OF(record_from_the_middle),
    CALL_OF(vector_new), FORKS(vector_on_threads), CALL_OF(vector_free), CALL_OF(vector_sizes), CALL_OF(vector_seed),
    CALL_OF(vector_reset), CALL_OF(vector_show), CALL_OF(vector_step), CALL_OF(vector_random_actions),
    CALL_OF(vector_rollout), CALL_OF(vector_position), CALL_OF(vector_set_position), CALL_OF(vector_set_other),
    CALL_OF(tictac_new), CALL_OF(tictac_get), CALL_OF(tictac_parse_move), CALL_OF(tictac_parse_bytes),
    CALL_OF(tictac_format_move), CALL_OF(tictac_evaluate), CALL_OF(tictac_verdict_line), CALL_OF(tictac_exit_code),
    CALL_OF(tictac_evaluator_new), CALL_OF(tictac_evaluator_free), CALL_OF(tictac_evaluator_push),
    CALL_OF(tictac_evaluator_is_decided), CALL_OF(tictac_evaluator_verdict), CALL_OF(breakdown_new),
    CALL_OF(no_breakdown_new), CALL_OF(breakdown_get), CALL_OF(reversi_new), CALL_OF(reversi_from_tiles),
    CALL_OF(reversi_overlapping), CALL_OF(reversi_size), CALL_OF(reversi_get), CALL_OF(reversi_tiles),
    CALL_OF(reversi_count), CALL_OF(reversi_legal), CALL_OF(reversi_find_move), CALL_OF(reversi_play_move),
    CALL_OF(reversi_play_none), CALL_OF(reversi_bare), CALL_OF(reversi_all_positions),
    CALL_OF(reversi_center_positions), CALL_OF(reversi_set_squares), CALL_OF(reversi_set_text),
    CALL_OF(reversi_move_text), CALL_OF(quarto_new), CALL_OF(quarto_piece), CALL_OF(quarto_piece_code),
    CALL_OF(quarto_parse_piece), CALL_OF(quarto_square_name), CALL_OF(quarto_parse_square), CALL_OF(quarto_no_square),
    CALL_OF(quarto_first_diagonal), CALL_OF(quarto_second_diagonal), CALL_OF(quarto_unused_piece),
    CALL_OF(quarto_no_piece), CALL_OF(quarto_empty_square), CALL_OF(quarto_get), CALL_OF(quarto_hand),
    CALL_OF(quarto_unused_pieces), CALL_OF(quarto_empty_squares), CALL_OF(quarto_is_winning),
    CALL_OF(quarto_winning_squares), CALL_OF(quarto_bad_pieces), CALL_OF(quarto_pool_drawing),
    CALL_OF(quarto_myopic_new), CALL_OF(quarto_myopic_free), CALL_OF(quarto_select_piece),
    CALL_OF(quarto_select_square), CALL_OF(board_new), CALL_OF(no_board_new), CALL_OF(board_free),
    CALL_OF(board_show), CALL_OF(board_get), CALL_OF(no_board_get), CALL_OF(board_set), CALL_OF(new_game),
    CALL_OF(game_free), CALL_OF(drop_stick), CALL_OF(breakdown), CALL_OF(game_outcome)};

#define CALLS (sizeof calls / sizeof calls[0])

/* ---------------------------------------------------------------- The checks ---- */

/* Makes arguments anew. */
static void renew(void) {
  drop_arguments();
  make_arguments();
  fill();
  errors = 0;
}

/* Calls with memory, on new arguments; leaves what it wrote in `expected`, and returns the status. */
static petteia_status with_memory(petteia_status (*call)(void)) {
  petteia_status status;
  renew();
  status = call();
  memcpy(&expected, &out, sizeof out);
  drop_results();
  return status;
}

/* Checks a call that returned with a status, where `usual` is the one that it has with memory. */
static void check_call(petteia_status status, petteia_status usual, const char *was) {
  if (status == PETTEIA_NO_MEMORY) {
    HOLDS(memcmp(&out, &before, sizeof out) == 0);
    HOLDS(strcmp(seen(1), was) == 0);
    HOLDS(errors > 0 || message()[0] != 0);
  } else {
    HOLDS(status == usual);
    drop_results();
    renew();
  }
}

/* Lets each of the first allocations of a call fail in turn, and of a call that makes hundreds some of the others. */
#define EACH 300

static void test_call(size_t index, long step) {
  petteia_status (*call)(void) = calls[index].call;
  petteia_status usual;
  /* Where a thread is started, its first allocation alone is certain to be noticed; see petteia.h. */
  const bool forks = calls[index].threads == ALWAYS || (calls[index].threads == IF_LARGE && which == STARTS - 1);
  int only;
  name = calls[index].name;
  missing = 0;
  usual = with_memory(call);
  for (only = 0; only < 2; ++only) {
    petteia_status status;
    renew();
    for (missing = 1;; missing += forks ? 1000000 : missing < EACH ? step : missing / 20) {
      const char *was = seen(0);
      fill();
      memcpy(&before, &out, sizeof out);
      errors = 0;
      arm(missing, only != 0);
      status = call();
      disarm();
      if (number < missing) {
        break;
      }
      check_call(status, usual, was);
    }
    /* There is memory again, and nothing was changed. */
    HOLDS(status == usual);
    HOLDS(memcmp(&out.same, &expected.same, sizeof out.same) == 0);
    drop_results();
  }
}

/* The weights of Reversi's evaluation are made by the first call that needs them, and only once there is memory. */
static void test_weights(long step) {
  which = 0;
  name = "evaluate";
  OK(petteia_position_new("reversi", "8 8", &position));
  for (missing = 1;; missing += step) {
    petteia_status status;
    fill();
    memcpy(&before, &out, sizeof out);
    arm(missing, missing % 2 == 0);
    status = petteia_position_evaluate(position, &out.estimate);
    disarm();
    if (number < missing) {
      HOLDS(status == PETTEIA_OK && missing > 5);
      break;
    }
    HOLDS(status == PETTEIA_NO_MEMORY && memcmp(&out, &before, sizeof out) == 0);
  }
  petteia_position_free(position);
  position = NULL;
}

/* The first calls of a thread, and its first errors, without any memory. */
static void *in_thread(void *user) {
  petteia_position *made = NULL;
  size_t length = 77;
  char text[128] = "same";
  petteia_status statuses[4];
  (void)user;
  arm(1, false);
  statuses[0] = petteia_last_error(text, sizeof text, &length);
  statuses[1] = petteia_position_play(position, 100000);
  statuses[2] = petteia_position_clone(position, &made);
  statuses[3] = petteia_last_error(text, sizeof text, &length);
  disarm();
  CHECK(statuses[0] == PETTEIA_OK && statuses[2] == PETTEIA_NO_MEMORY && statuses[3] == PETTEIA_OK);
  CHECK(statuses[1] == PETTEIA_ILLEGAL_MOVE || statuses[1] == PETTEIA_NO_MEMORY);
  CHECK_TEXT(text, "not enough memory for the call");
  CHECK(length == 30 && made == NULL);
  return NULL;
}

static void test_thread(void) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, in_thread, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
}

/* Takes all memory, in pieces that can be given back. */
static void **take_all(void) {
  void **all = NULL;
  size_t size;
  for (size = 1 << 20; size >= 16; size /= 2) {
    for (;;) {
      void **piece = (void **)REAL(malloc)(size);
      if (piece == NULL) {
        break;
      }
      *piece = (void *)all;
      all = piece;
    }
  }
  return all;
}

static void give_back(void **all) {
  while (all != NULL) {
    void **next = (void **)*all;
    REAL(free)((void *)all);
    all = next;
  }
}

/* Calls every function once while there is no memory at all. */
static void test_limit(void) {
  struct rlimit limit;
  size_t index, failed = 0;
  limit.rlim_cur = limit.rlim_max = 256u << 20;
  CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
  for (which = 0; which < STARTS; ++which) {
    for (index = 0; index < CALLS; ++index) {
      petteia_status status, usual;
      const char *was;
      void **all;
      name = calls[index].name;
      usual = with_memory(calls[index].call);
      renew();
      was = seen(0);
      memcpy(&before, &out, sizeof out);
      all = take_all();
      status = calls[index].call();
      give_back(all);
      failed += status == PETTEIA_NO_MEMORY;
      check_call(status, usual, was);
      errors = 0;
      HOLDS(calls[index].call() == usual);
      drop_results();
    }
  }
  CHECK(failed > 300);
}

int main(int argc, char **argv) {
  FILE *printed = stdout;
  /* Not every allocation, and not from every position: under sanitizers, and the slower valgrind. */
  const bool is_short = argc > 1 && strcmp(argv[1], "short") == 0;
  const bool is_tiny = argc > 1 && strcmp(argv[1], "tiny") == 0;
  const long step = is_tiny ? 293 : is_short ? 29 : 1;
  long blocks = 0;
  size_t index;
  memset(unreadable, 'x', sizeof unreadable - 1);
  arrays.observations = observations;
  arrays.action_mask = action_mask;
  arrays.turns = turns;
  arrays.rewards = rewards;
  arrays.terminated = terminated;
  petteia_set_error_handler(tell, NULL);
  stdout = fopen("/dev/null", "w"); /* what board_show prints */
  CHECK(stdout != NULL);
  if (argc > 1 && strcmp(argv[1], "limit") == 0) {
    test_limit();
  } else {
    test_weights(17 * step);
    for (which = 0; which < STARTS; which += is_tiny ? STARTS : is_short ? 3 : 1) {
      make_arguments();
      test_thread();
      for (index = 0; index < CALLS; ++index) {
        drop_arguments();
        blocks = live;
        test_call(index, step);
        drop_arguments();
        /* A few blocks are kept of what is done for the first time, such as to start a thread. */
        HOLDS(live <= blocks + 4);
      }
    }
  }
  drop_arguments();
  fclose(stdout);
  stdout = printed;
  return PASSED();
}
