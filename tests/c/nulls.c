/*
 * Every function of petteia.h gets NULL for each of its pointers in turn: it returns an error and changes nothing.
 * (tests/capi.rs checks that none is missing. handler.c has the functions of breakdown.h.)
 */

#include "check.h"
#include "petteia.h"

#define NUL(call) CHECK((call) == PETTEIA_NULL_POINTER && names_a_parameter())
#define OK(call) CHECK((call) == PETTEIA_OK)

static char buf[8] = "same";
static const size_t cap = sizeof buf;
static size_t len = 77;

/* Writes the message of the last error. */
static const char *last_error(void) {
  static char text[200];
  size_t length;
  OK(petteia_last_error(text, sizeof text, &length));
  return text;
}

/* Returns whether the last error begins with a single word, which is NULL. */
static bool names_a_parameter(void) {
  const char *message = last_error(), *space = strchr(message, ' ');
  return space != NULL && space > message && strncmp(space, " is NULL", 8) == 0;
}

/* The arguments for a text: NULL as a buffer with a capacity, and NULL for the length. */
#define NO_BUF NULL, 1, &len
#define NO_LEN buf, cap, NULL

static bool receive_none(const petteia_played_game *game, void *user) {
  CHECK(game == NULL && user == NULL); /* it is never called */
  return false;
}

static void test_any(petteia_position *p) {
  petteia_position *made = NULL;
  petteia_game game = PETTEIA_QUARTO;
  petteia_player player = PETTEIA_NOBODY;
  petteia_outcome outcome = PETTEIA_DRAW;
  petteia_tally tally = {1, 2, 3, 4};
  uint32_t number = 77, actions[4] = {77, 77, 77, 77};
  uint64_t large = 77;
  uint8_t cells[2] = {77, 77};
  int64_t parameter = 77;
  bool answer = true;
  petteia_solution *solution = NULL;
  petteia_solve_options options;
  petteia_value value = {0, 0, 0, 0, 77, 0};
  petteia_estimate estimate = {77, 0, 0, 0, 0};
  petteia_analysis_options limits;
  petteia_analysis analysis = {77, 0, 0};
  petteia_line line;
  petteia_bot *bot = NULL, *no_bot = NULL;
  petteia_choice choice;
  petteia_branch branch;
  petteia_tree tree;
  petteia_mcts_options mcts;
  petteia_score score;

  NUL(petteia_perft_options_init(NULL));
  NUL(petteia_perft_options_defaults(NULL, sizeof(petteia_perft_options)));
  NUL(petteia_playouts_options_defaults(NULL, sizeof(petteia_playouts_options)));
  NUL(petteia_solve_options_defaults(NULL, sizeof options));
  NUL(petteia_analysis_options_defaults(NULL, sizeof limits));
  NUL(petteia_mcts_options_defaults(NULL, sizeof mcts));
  NUL(petteia_choose_options_defaults(NULL, sizeof(petteia_choose_options)));
  NUL(petteia_match_options_defaults(NULL, sizeof(petteia_match_options)));
  NUL(petteia_selfplay_options_defaults(NULL, sizeof(petteia_selfplay_options)));
  OK(petteia_solve_options_init(&options));
  OK(petteia_analysis_options_init(&limits));
  OK(petteia_mcts_options_init(&mcts));

  /* It does not change the last error. */
  CHECK(petteia_last_error(NO_BUF) == PETTEIA_NULL_POINTER);
  CHECK(petteia_last_error(NO_LEN) == PETTEIA_NULL_POINTER);
  CHECK_TEXT(last_error(), "options is NULL");
  petteia_set_error_handler(NULL, NULL);

  NUL(petteia_game_name(PETTEIA_QUARTO, NO_BUF));
  NUL(petteia_game_name(PETTEIA_QUARTO, NO_LEN));
  NUL(petteia_game_from_name(NULL, &game));
  NUL(petteia_game_from_name("reversi", NULL));
  CHECK_TEXT(last_error(), "game is NULL");
  NUL(petteia_game_parameter_count(PETTEIA_REVERSI, NULL));
  NUL(petteia_game_parameter(PETTEIA_REVERSI, 0, NULL));
  NUL(petteia_position_new(NULL, "8 8", &made));
  NUL(petteia_position_new("reversi", NULL, &made));
  NUL(petteia_position_new("reversi", "8 8", NULL));
  NUL(petteia_position_parse("tictac", NULL, &made));
  NUL(petteia_position_parse("tictac", "___/___/___ X", NULL));
  NUL(petteia_position_clone(NULL, &made));
  NUL(petteia_position_clone(p, NULL));
  NUL(petteia_position_parse(NULL, "___/___/___ X", &made));
  NUL(petteia_position_copy(NULL, p));
  NUL(petteia_position_copy(p, NULL));
  NUL(petteia_position_copy(NULL, NULL));
  petteia_position_free(NULL);
  NUL(petteia_position_equal(NULL, p, &answer));
  NUL(petteia_position_equal(p, NULL, &answer));
  NUL(petteia_position_equal(p, p, NULL));
  NUL(petteia_position_hash(NULL, &large));
  NUL(petteia_position_hash(p, NULL));
  NUL(petteia_position_key(NULL, &large));
  NUL(petteia_position_key(p, NULL));
  NUL(petteia_position_cells(NULL, cells, 2, &len));
  NUL(petteia_position_cells(p, NULL, 1, &len));
  CHECK_TEXT(last_error(), "cells is NULL: expected room for cap elements, or a cap of 0");
  NUL(petteia_position_cells(p, cells, 2, NULL));
  CHECK_TEXT(last_error(), "len is NULL");
  NUL(petteia_position_game(NULL, &game));
  NUL(petteia_position_game(p, NULL));
  NUL(petteia_position_parameters(NULL, buf, cap, &len));
  NUL(petteia_position_parameters(p, NO_BUF));
  NUL(petteia_position_parameters(p, NO_LEN));
  NUL(petteia_position_parameter(NULL, "width", &parameter));
  NUL(petteia_position_parameter(p, NULL, &parameter));
  NUL(petteia_position_parameter(p, "width", NULL));
  NUL(petteia_position_player_name(NULL, PETTEIA_FIRST, buf, cap, &len));
  NUL(petteia_position_player_name(p, PETTEIA_FIRST, NO_BUF));
  NUL(petteia_position_player_name(p, PETTEIA_FIRST, NO_LEN));
  NUL(petteia_position_turn(NULL, &player));
  NUL(petteia_position_turn(p, NULL));
  CHECK_TEXT(last_error(), "turn is NULL");
  NUL(petteia_position_outcome(NULL, &outcome));
  NUL(petteia_position_outcome(p, NULL));
  NUL(petteia_position_is_over(NULL, &answer));
  NUL(petteia_position_is_over(p, NULL));

  NUL(petteia_solve(NULL, NULL, &solution));
  NUL(petteia_solve(p, NULL, NULL));
  NUL(petteia_solve(NULL, &options, &solution));
  NUL(petteia_solution_value(NULL, &value));
  NUL(petteia_solution_value(NULL, NULL));
  NUL(petteia_solution_best_actions(NULL, actions, 4, &len));
  NUL(petteia_solution_best_actions(NULL, NULL, 1, &len));
  NUL(petteia_solution_best_actions(NULL, actions, 4, NULL));
  NUL(petteia_solution_line(NULL, actions, 4, &len));
  NUL(petteia_solution_line(NULL, NULL, 1, &len));
  NUL(petteia_solution_line(NULL, actions, 4, NULL));
  petteia_solution_free(NULL);
  CHECK(solution == NULL && value.nodes == 77);

  line.length = 77;
  choice.action = 77;
  NUL(petteia_position_evaluate(NULL, &estimate));
  NUL(petteia_position_evaluate(p, NULL));
  NUL(petteia_position_analyse(NULL, NULL, &line, 1, &len, &analysis));
  NUL(petteia_position_analyse(NULL, &limits, &line, 1, &len, &analysis));
  NUL(petteia_position_analyse(p, &limits, NULL, 1, &len, &analysis));
  NUL(petteia_position_analyse(p, &limits, &line, 1, NULL, &analysis));
  NUL(petteia_position_analyse(p, &limits, &line, 1, &len, NULL));
  CHECK(estimate.win == 77 && analysis.nodes == 77 && line.length == 77);
  OK(petteia_bot_new("random", 0, &bot));
  NUL(petteia_bot_new(NULL, 0, &no_bot));
  NUL(petteia_bot_new("random", 0, NULL));
  NUL(petteia_bot_name(NULL, buf, cap, &len));
  NUL(petteia_bot_name(bot, NO_BUF));
  NUL(petteia_bot_name(bot, NO_LEN));
  NUL(petteia_bot_choose(NULL, p, NULL, &choice));
  NUL(petteia_bot_choose(bot, NULL, NULL, &choice));
  NUL(petteia_bot_choose(bot, p, NULL, NULL));
  CHECK(no_bot == NULL && choice.action == 77);
  OK(petteia_bot_choose(bot, p, NULL, &choice)); /* options may be NULL everywhere */
  petteia_bot_free(bot);
  petteia_bot_free(NULL);

  branch.action = 77;
  tree.simulations = 77;
  score.as_first[0] = 77;
  NUL(petteia_position_mcts(NULL, NULL, &branch, 1, &len, &tree));
  NUL(petteia_position_mcts(p, &mcts, NULL, 1, &len, &tree));
  NUL(petteia_position_mcts(p, NULL, &branch, 1, NULL, &tree));
  NUL(petteia_position_mcts(p, NULL, &branch, 1, &len, NULL));
  mcts.evaluator = NULL;
  NUL(petteia_position_mcts(p, &mcts, &branch, 1, &len, &tree));
  NUL(petteia_match(NULL, "random", p, 1, NULL, &score));
  NUL(petteia_match("random", NULL, p, 1, NULL, &score));
  NUL(petteia_match("random", "random", NULL, 1, NULL, &score));
  NUL(petteia_match("random", "random", p, 1, NULL, NULL));
  CHECK(score.as_first[0] == 77);
  OK(petteia_match("random", "random", p, 0, NULL, &score));
  CHECK(score.as_first[0] == 0);
  NUL(petteia_selfplay(NULL, p, 1, NULL, receive_none, NULL));
  NUL(petteia_selfplay("random", NULL, 1, NULL, receive_none, NULL));
  NUL(petteia_selfplay("random", p, 1, NULL, NULL, NULL));
  OK(petteia_selfplay("random", p, 0, NULL, receive_none, NULL)); /* no options and no user data */
  CHECK(branch.action == 77 && tree.simulations == 77);

  NUL(petteia_position_num_actions(NULL, &number));
  NUL(petteia_position_num_actions(p, NULL));
  NUL(petteia_position_legal_actions(NULL, actions, 4, &len));
  NUL(petteia_position_legal_actions(p, NULL, 1, &len));
  NUL(petteia_position_legal_actions(p, actions, 4, NULL));
  NUL(petteia_position_is_legal(NULL, 0, &answer));
  NUL(petteia_position_is_legal(p, 0, NULL));
  NUL(petteia_position_play(NULL, 0));
  NUL(petteia_position_play_notation(NULL, "A1"));
  NUL(petteia_position_play_notation(p, NULL));
  NUL(petteia_position_action(NULL, "A1", &number));
  NUL(petteia_position_action(p, NULL, &number));
  NUL(petteia_position_action(p, "A1", NULL));
  NUL(petteia_position_notation(NULL, 0, buf, cap, &len));
  NUL(petteia_position_notation(p, 0, NO_BUF));
  NUL(petteia_position_notation(p, 0, NO_LEN));
  NUL(petteia_position_text(NULL, buf, cap, &len));
  NUL(petteia_position_text(p, NO_BUF));
  NUL(petteia_position_text(p, NO_LEN));
  NUL(petteia_position_drawing(NULL, buf, cap, &len));
  NUL(petteia_position_drawing(p, NO_BUF));
  NUL(petteia_position_drawing(p, NO_LEN));
  NUL(petteia_position_svg(NULL, buf, cap, &len));
  NUL(petteia_position_svg(p, NO_BUF));
  NUL(petteia_position_svg(p, NO_LEN));
  NUL(petteia_position_canonical(NULL, &made));
  NUL(petteia_position_canonical(p, NULL));
  NUL(petteia_position_perft(NULL, 1, NULL, &large));
  NUL(petteia_position_perft(p, 1, NULL, NULL));
  CHECK(large == 77);
  OK(petteia_position_perft(p, 0, NULL, &large));
  CHECK(large == 1);
  large = 77;
  NUL(petteia_position_playouts(NULL, 1, NULL, &tally));
  NUL(petteia_position_playouts(p, 1, NULL, NULL));
  CHECK(tally.plies == 4);
  OK(petteia_position_playouts(p, 0, NULL, &tally));
  CHECK(tally.plies == 0);

  NUL(petteia_record_start(NULL, &made));
  NUL(petteia_record_start("quarto:", NULL));
  NUL(petteia_record_last(NULL, &made));
  NUL(petteia_record_last("quarto:", NULL));
  NUL(petteia_record_actions(NULL, actions, 4, &len));
  NUL(petteia_record_actions("quarto: SBCH", NULL, 1, &len));
  NUL(petteia_record_actions("quarto: SBCH", actions, 4, NULL));
  NUL(petteia_record_format(NULL, actions, 1, buf, cap, &len));
  NUL(petteia_record_format(p, NULL, 1, buf, cap, &len));
  NUL(petteia_record_format(p, actions, 0, NO_BUF));
  NUL(petteia_record_format(p, actions, 0, NO_LEN));

  CHECK(made == NULL && game == PETTEIA_QUARTO && player == PETTEIA_NOBODY && outcome == PETTEIA_DRAW);
  CHECK(number == 77 && actions[0] == 77 && large == 77 && answer);
  CHECK(parameter == 77 && cells[0] == 77);
}

static void test_tictac(petteia_position *p) {
  petteia_position *made = NULL;
  petteia_tictac_evaluator *evaluator = NULL, *other = NULL;
  petteia_tictac_move move = {1, PETTEIA_TICTAC_X, 7};
  petteia_tictac_verdict verdict = PETTEIA_TICTAC_DRAW;
  petteia_player owner = PETTEIA_SECOND;
  bool decided = true;
  int code = 77;
  OK(petteia_tictac_evaluator_new(&evaluator));

  NUL(petteia_tictac_new(PETTEIA_TICTAC_X, NULL));
  NUL(petteia_tictac_get(NULL, 0, &owner));
  NUL(petteia_tictac_get(p, 0, NULL));
  NUL(petteia_tictac_parse_move(NULL, 1, &move));
  NUL(petteia_tictac_parse_move("1 X A1", 6, NULL));
  NUL(petteia_tictac_format_move(NULL, buf, cap, &len));
  NUL(petteia_tictac_format_move(&move, NO_BUF));
  NUL(petteia_tictac_format_move(&move, NO_LEN));
  NUL(petteia_tictac_evaluate(NULL, 1, &verdict));
  NUL(petteia_tictac_evaluate("", 0, NULL));
  NUL(petteia_tictac_verdict_line(PETTEIA_TICTAC_DRAW, NO_BUF));
  NUL(petteia_tictac_verdict_line(PETTEIA_TICTAC_DRAW, NO_LEN));
  NUL(petteia_tictac_exit_code(PETTEIA_TICTAC_DRAW, NULL));
  NUL(petteia_tictac_evaluator_new(NULL));
  petteia_tictac_evaluator_free(NULL);
  NUL(petteia_tictac_evaluator_push(NULL, "1", 1));
  NUL(petteia_tictac_evaluator_push(evaluator, NULL, 1));
  NUL(petteia_tictac_evaluator_is_decided(NULL, &decided));
  NUL(petteia_tictac_evaluator_is_decided(evaluator, NULL));
  NUL(petteia_tictac_evaluator_verdict(NULL, &verdict));
  NUL(petteia_tictac_evaluator_verdict(evaluator, NULL));

  CHECK(made == NULL && other == NULL && move.square == 7 && verdict == PETTEIA_TICTAC_DRAW);
  CHECK(owner == PETTEIA_SECOND && decided && code == 77);
  petteia_tictac_evaluator_free(evaluator);
}

static void test_breakdown(petteia_position *p) {
  petteia_player owner = PETTEIA_SECOND;
  NUL(petteia_breakdown_new(4, 5, 2, 2, NULL));
  NUL(petteia_breakdown_get(NULL, 0, 0, &owner));
  NUL(petteia_breakdown_get(p, 0, 0, NULL));
  CHECK(owner == PETTEIA_SECOND);
}

static void test_reversi(petteia_position *p) {
  petteia_player owner = PETTEIA_SECOND;
  petteia_reversi_square squares[1] = {{77, 77}};
  unsigned width = 77, height = 77, count = 77;
  uint64_t set = 77;

  NUL(petteia_reversi_new(8, 8, NULL));
  NUL(petteia_reversi_from_tiles(8, 8, 0, 0, PETTEIA_FIRST, NULL));
  NUL(petteia_reversi_size(NULL, &width, &height));
  NUL(petteia_reversi_size(p, NULL, &height));
  NUL(petteia_reversi_size(p, &width, NULL));
  NUL(petteia_reversi_get(NULL, 0, 0, &owner));
  NUL(petteia_reversi_get(p, 0, 0, NULL));
  NUL(petteia_reversi_tiles(NULL, PETTEIA_FIRST, &set));
  NUL(petteia_reversi_tiles(p, PETTEIA_FIRST, NULL));
  NUL(petteia_reversi_count(NULL, PETTEIA_FIRST, &count));
  NUL(petteia_reversi_count(p, PETTEIA_FIRST, NULL));
  NUL(petteia_reversi_legal(NULL, &set));
  NUL(petteia_reversi_legal(p, NULL));
  NUL(petteia_reversi_find_move(NULL, 3, 3, &set));
  NUL(petteia_reversi_find_move(p, 3, 3, NULL));
  NUL(petteia_reversi_play_move(NULL, 3, 3));
  NUL(petteia_reversi_all_positions(8, 8, NULL));
  NUL(petteia_reversi_center_positions(8, 8, NULL));
  NUL(petteia_reversi_set_squares(1, NULL, 1, &len));
  NUL(petteia_reversi_set_squares(1, squares, 1, NULL));
  NUL(petteia_reversi_set_text(1, NO_BUF));
  NUL(petteia_reversi_set_text(1, NO_LEN));
  NUL(petteia_reversi_move_text(0, 0, 1, NO_BUF));
  NUL(petteia_reversi_move_text(0, 0, 1, NO_LEN));

  CHECK(owner == PETTEIA_SECOND && squares[0].x == 77);
  CHECK(width == 77 && height == 77 && count == 77 && set == 77);
}

static void test_quarto(petteia_position *p) {
  petteia_quarto_myopic *player = NULL;
  unsigned number = 77;
  uint16_t set = 77;
  bool answer = true;
  OK(petteia_quarto_myopic_new(1, &player));

  NUL(petteia_quarto_new(NULL));
  NUL(petteia_quarto_piece(PETTEIA_QUARTO_TALL, PETTEIA_QUARTO_SEPIA, PETTEIA_QUARTO_SQUARE, PETTEIA_QUARTO_SOLID, NULL));
  NUL(petteia_quarto_piece_code(0, NO_BUF));
  NUL(petteia_quarto_piece_code(0, NO_LEN));
  NUL(petteia_quarto_parse_piece(NULL, &number));
  NUL(petteia_quarto_parse_piece("SBCH", NULL));
  NUL(petteia_quarto_square_name(0, NO_BUF));
  NUL(petteia_quarto_square_name(0, NO_LEN));
  NUL(petteia_quarto_parse_square(NULL, &number));
  NUL(petteia_quarto_parse_square("A1", NULL));
  NUL(petteia_quarto_is_on_first_diagonal(0, NULL));
  NUL(petteia_quarto_is_on_second_diagonal(0, NULL));
  NUL(petteia_quarto_unused_piece(NULL, "SBCH", &number));
  NUL(petteia_quarto_unused_piece(p, NULL, &number));
  NUL(petteia_quarto_unused_piece(p, "SBCH", NULL));
  NUL(petteia_quarto_empty_square(NULL, "A1", &number));
  NUL(petteia_quarto_empty_square(p, NULL, &number));
  NUL(petteia_quarto_empty_square(p, "A1", NULL));
  NUL(petteia_quarto_get(NULL, 0, &number));
  NUL(petteia_quarto_get(p, 0, NULL));
  NUL(petteia_quarto_hand(NULL, &number));
  NUL(petteia_quarto_hand(p, NULL));
  NUL(petteia_quarto_unused_pieces(NULL, &set));
  NUL(petteia_quarto_unused_pieces(p, NULL));
  NUL(petteia_quarto_empty_squares(NULL, &set));
  NUL(petteia_quarto_empty_squares(p, NULL));
  NUL(petteia_quarto_is_winning(NULL, 0, 0, &answer));
  NUL(petteia_quarto_is_winning(p, 0, 0, NULL));
  NUL(petteia_quarto_winning_squares(NULL, 0, &set));
  NUL(petteia_quarto_winning_squares(p, 0, NULL));
  NUL(petteia_quarto_bad_pieces(NULL, &set));
  NUL(petteia_quarto_bad_pieces(p, NULL));
  NUL(petteia_quarto_pool_drawing(NULL, buf, cap, &len));
  NUL(petteia_quarto_pool_drawing(p, NO_BUF));
  NUL(petteia_quarto_pool_drawing(p, NO_LEN));
  NUL(petteia_quarto_myopic_new(1, NULL));
  petteia_quarto_myopic_free(NULL);
  NUL(petteia_quarto_myopic_select_piece(NULL, p, &number));
  NUL(petteia_quarto_myopic_select_piece(player, NULL, &number));
  NUL(petteia_quarto_myopic_select_piece(player, p, NULL));
  NUL(petteia_quarto_myopic_select_square(NULL, p, 0, &number));
  NUL(petteia_quarto_myopic_select_square(player, NULL, 0, &number));
  NUL(petteia_quarto_myopic_select_square(player, p, 0, NULL));

  CHECK(number == 77 && set == 77 && answer);
  petteia_quarto_myopic_free(player);
}

static void test_vector(petteia_position *p) {
  petteia_vector *vector = NULL, *made = NULL;
  petteia_position *position = NULL;
  petteia_vector_sizes sizes = {77, 77, 77, 77, 77};
  petteia_tally tally = {1, 2, 3, 4};
  static uint8_t observations[160], action_mask[64], terminated[1];
  static int8_t turns[1] = {77};
  static float rewards[2];
  int64_t actions[1] = {77};
  const petteia_vector_arrays all = {observations, action_mask, turns, rewards, terminated};
  petteia_vector_arrays arrays;
  size_t missing;

  NUL(petteia_vector_new(NULL, 1, 0, 1, PETTEIA_REFUSE, &made));
  NUL(petteia_vector_new(p, 1, 0, 1, PETTEIA_REFUSE, NULL));
  OK(petteia_vector_new(p, 1, 0, 1, PETTEIA_REFUSE, &vector));
  petteia_vector_free(NULL);
  NUL(petteia_vector_get_sizes(NULL, &sizes));
  NUL(petteia_vector_get_sizes(vector, NULL));
  NUL(petteia_vector_seed(NULL, 1));
  NUL(petteia_vector_reset(NULL, &all));
  NUL(petteia_vector_reset(vector, NULL));
  NUL(petteia_vector_show(NULL, &all));
  NUL(petteia_vector_show(vector, NULL));
  NUL(petteia_vector_step(NULL, actions, &all));
  NUL(petteia_vector_step(vector, NULL, &all));
  NUL(petteia_vector_step(vector, actions, NULL));
  NUL(petteia_vector_random_actions(NULL, actions));
  NUL(petteia_vector_random_actions(vector, NULL));
  NUL(petteia_vector_rollout(NULL, 1, &all, &tally));
  NUL(petteia_vector_rollout(vector, 1, NULL, &tally));
  NUL(petteia_vector_rollout(vector, 1, &all, NULL));
  NUL(petteia_vector_position(NULL, 0, &position));
  NUL(petteia_vector_position(vector, 0, NULL));
  NUL(petteia_vector_set_position(NULL, 0, p));
  NUL(petteia_vector_set_position(vector, 0, NULL));
  for (missing = 0; missing < 5; ++missing) {
    arrays = all;
    if (missing == 0) arrays.observations = NULL;
    if (missing == 1) arrays.action_mask = NULL;
    if (missing == 2) arrays.turns = NULL;
    if (missing == 3) arrays.rewards = NULL;
    if (missing == 4) arrays.terminated = NULL;
    NUL(petteia_vector_reset(vector, &arrays));
  }
  CHECK(made == NULL && position == NULL && sizes.num_envs == 77 && tally.plies == 4);
  CHECK(turns[0] == 77 && actions[0] == 77);
  petteia_vector_free(vector);
}

int main(void) {
  static const char *names[] = {"tictac", "breakdown", "reversi", "quarto"};
  static void (*const tests[])(petteia_position *) = {test_tictac, test_breakdown, test_reversi, test_quarto};
  int i;
  for (i = 0; i < 4; ++i) {
    petteia_position *position = NULL, *before = NULL;
    bool equal;
    OK(petteia_position_new(names[i], "", &position));
    OK(petteia_position_clone(position, &before));
    test_any(position);
    tests[i](position);
    test_vector(position);
    OK(petteia_position_equal(position, before, &equal));
    CHECK(equal);
    petteia_position_free(position);
    petteia_position_free(before);
  }
  CHECK(len == 77);
  CHECK_TEXT(buf, "same");
  return PASSED();
}
