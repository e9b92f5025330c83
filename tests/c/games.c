/*
 * The functions of each game besides the common handle: the operations of its document.
 */

#include "check.h"
#include "petteia.h"

#define OK(call) CHECK((call) == PETTEIA_OK)

static char text[2048];
static size_t length;

#define TEXT text, sizeof text, &length

static const char *last_error(void) {
  OK(petteia_last_error(TEXT));
  return text;
}

/* ---- TicTac ---- */

static void check_verdict(const char *record, petteia_tictac_verdict expected, const char *line, int exit_code) {
  petteia_tictac_verdict verdict, streamed;
  petteia_tictac_evaluator *evaluator = NULL;
  int code = -1;
  size_t i;
  OK(petteia_tictac_evaluate(record, strlen(record), &verdict));
  CHECK(verdict == expected);
  OK(petteia_tictac_verdict_line(verdict, TEXT));
  CHECK_TEXT(text, line);
  OK(petteia_tictac_exit_code(verdict, &code));
  CHECK(code == exit_code);
  /* The same, a byte at a time. */
  OK(petteia_tictac_evaluator_new(&evaluator));
  for (i = 0; i < strlen(record); ++i) {
    OK(petteia_tictac_evaluator_push(evaluator, record + i, 1));
  }
  OK(petteia_tictac_evaluator_verdict(evaluator, &streamed));
  CHECK(streamed == expected);
  petteia_tictac_evaluator_free(evaluator);
}

static void test_tictac_records(void) {
  const char bytes[] = {'1', ' ', 'X', ' ', 'B', '2', ' ', '#', '\0', '\xff', '\n'};
  petteia_tictac_evaluator *evaluator = NULL;
  petteia_tictac_verdict verdict;
  bool decided;
  check_verdict("", PETTEIA_TICTAC_NEW_GAME, "Game in progress: New game.", 0);
  check_verdict("1 O B2", PETTEIA_TICTAC_X_TURN, "Game in progress: X's turn.", 0);
  check_verdict("1 X B2\n", PETTEIA_TICTAC_O_TURN, "Game in progress: O's turn.", 0);
  check_verdict("1 X B2\n2 O C2 # Oops...\n3 X C3\n4 O A1\n5 X B3\n6 O A3\n7 X B1\n", PETTEIA_TICTAC_X_WINS,
                "Game over: X wins.", 0);
  check_verdict("1 O A1\n2 X B1\n3 O A2\n4 X B2\n5 O A3", PETTEIA_TICTAC_O_WINS, "Game over: O wins.", 0);
  check_verdict("1 X A1\n2 O A2\n3 X A3\n4 O B2\n5 X B1\n6 O B3\n7 X C2\n8 O C1\n9 X C3\n", PETTEIA_TICTAC_DRAW,
                "Game over: Draw.", 0);
  check_verdict("1 X B2\n\n", PETTEIA_TICTAC_PARSE_ERROR, "Parse error.", 1);
  check_verdict("1 X B2\n2 O B2\n", PETTEIA_TICTAC_INVALID_MOVE, "Invalid move.", 2);
  /* Records are bytes: a comment may contain any, even NUL. */
  OK(petteia_tictac_evaluate(bytes, sizeof bytes, &verdict));
  CHECK(verdict == PETTEIA_TICTAC_O_TURN);
  OK(petteia_tictac_evaluate(NULL, 0, &verdict));
  CHECK(verdict == PETTEIA_TICTAC_NEW_GAME);

  OK(petteia_tictac_evaluator_new(&evaluator));
  OK(petteia_tictac_evaluator_push(evaluator, "1 X B", 5));
  OK(petteia_tictac_evaluator_verdict(evaluator, &verdict));
  CHECK(verdict == PETTEIA_TICTAC_PARSE_ERROR); /* if it ended here */
  OK(petteia_tictac_evaluator_push(evaluator, "2\nx", 3));
  OK(petteia_tictac_evaluator_push(evaluator, NULL, 0));
  OK(petteia_tictac_evaluator_is_decided(evaluator, &decided));
  CHECK(!decided);
  OK(petteia_tictac_evaluator_push(evaluator, "\n", 1));
  OK(petteia_tictac_evaluator_is_decided(evaluator, &decided));
  CHECK(decided);
  petteia_tictac_evaluator_free(evaluator);
  CHECK(petteia_tictac_verdict_line((petteia_tictac_verdict)8, TEXT) == PETTEIA_INVALID_ARGUMENT);
}

static void test_tictac_moves(void) {
  petteia_tictac_move move = {0, PETTEIA_TICTAC_X, 0};
  petteia_position *game = NULL;
  petteia_player owner;
  const char *line = "2  o\tc2 # oops\n";
  OK(petteia_tictac_parse_move(line, strlen(line), &move));
  CHECK(move.number == 2 && move.player == PETTEIA_TICTAC_O && move.square == 7);
  OK(petteia_tictac_format_move(&move, TEXT));
  CHECK_TEXT(text, "2 O C2");
  CHECK(petteia_tictac_parse_move("1 X D1", 6, &move) == PETTEIA_PARSE_ERROR);
  CHECK(petteia_tictac_parse_move(NULL, 0, &move) == PETTEIA_PARSE_ERROR);
  CHECK(move.number == 2);
  move.number = 0;
  CHECK(petteia_tictac_format_move(&move, TEXT) == PETTEIA_INVALID_ARGUMENT);
  move.number = 257;
  CHECK(petteia_tictac_format_move(&move, TEXT) == PETTEIA_INVALID_ARGUMENT);
  CHECK_TEXT(last_error(), "invalid move number 257: expected 1 to 9");
  move.number = 1;
  move.square = 9;
  CHECK(petteia_tictac_format_move(&move, TEXT) == PETTEIA_INVALID_ARGUMENT);

  OK(petteia_tictac_new(PETTEIA_TICTAC_O, &game));
  OK(petteia_position_play_notation(game, "B2"));
  OK(petteia_tictac_get(game, 4, &owner));
  CHECK(owner == PETTEIA_FIRST);
  OK(petteia_tictac_get(game, 0, &owner));
  CHECK(owner == PETTEIA_NOBODY);
  CHECK(petteia_tictac_get(game, 9, &owner) == PETTEIA_INVALID_ARGUMENT);
  petteia_position_free(game);
  game = NULL;
  CHECK(petteia_tictac_new((petteia_tictac_mark)2, &game) == PETTEIA_INVALID_ARGUMENT && game == NULL);
}

/* ---- Breakdown ---- */

static void test_breakdown(void) {
  petteia_position *game = NULL;
  petteia_player owner;
  OK(petteia_breakdown_new(7, 6, 2, 3, &game));
  OK(petteia_position_play_notation(game, "|4"));
  OK(petteia_position_play_notation(game, "-5"));
  OK(petteia_breakdown_get(game, 5, 4, &owner));
  CHECK(owner == PETTEIA_FIRST);
  OK(petteia_breakdown_get(game, 5, 6, &owner));
  CHECK(owner == PETTEIA_SECOND);
  OK(petteia_breakdown_get(game, 0, 0, &owner));
  CHECK(owner == PETTEIA_NOBODY);
  CHECK(petteia_breakdown_get(game, 6, 0, &owner) == PETTEIA_INVALID_ARGUMENT);
  CHECK(petteia_breakdown_get(game, 0, 4294967295u, &owner) == PETTEIA_INVALID_ARGUMENT);
  CHECK(petteia_reversi_get(game, 0, 0, &owner) == PETTEIA_WRONG_GAME);
  CHECK_TEXT(last_error(), "a breakdown position: expected a reversi position");
  petteia_position_free(game);
  game = NULL;
  CHECK(petteia_breakdown_new(0, 6, 2, 3, &game) == PETTEIA_INVALID_ARGUMENT);
  CHECK(petteia_breakdown_new(7, 6, 0, 3, &game) == PETTEIA_INVALID_ARGUMENT);
  CHECK(petteia_breakdown_new(7, 6, 2, 0, &game) == PETTEIA_INVALID_ARGUMENT);
  CHECK(petteia_breakdown_new(4294967295u, 4294967295u, 2, 2, &game) == PETTEIA_INVALID_ARGUMENT);
  CHECK(game == NULL);
}

/* ---- Reversi ---- */

static void test_reversi_sets(void) {
  uint64_t set = PETTEIA_REVERSI_SQUARE(2, 3) | PETTEIA_REVERSI_SQUARE(0, 7);
  petteia_reversi_square squares[3];
  OK(petteia_reversi_set_text(set, TEXT));
  CHECK_TEXT(text, "{{0, 7}, {2, 3}}");
  OK(petteia_reversi_set_text(0, TEXT));
  CHECK_TEXT(text, "{}");
  OK(petteia_reversi_set_squares(set, squares, 3, &length));
  CHECK(length == 2 && squares[0].x == 0 && squares[0].y == 7 && squares[1].x == 2 && squares[1].y == 3);
  OK(petteia_reversi_set_squares(~set, NULL, 0, &length));
  CHECK(length == 62);
  OK(petteia_reversi_all_positions(8, 8, &set));
  CHECK(set == UINT64_MAX);
  OK(petteia_reversi_all_positions(3, 2, &set));
  CHECK(set == 0x0707);
  OK(petteia_reversi_center_positions(7, 4, &set));
  CHECK(set == (UINT64_C(0x0303) << 10));
  CHECK(petteia_reversi_all_positions(9, 8, &set) == PETTEIA_INVALID_ARGUMENT);
  CHECK(petteia_reversi_center_positions(1, 8, &set) == PETTEIA_INVALID_ARGUMENT);
  OK(petteia_reversi_move_text(2, 6, UINT64_C(0x04040400000000), TEXT));
  CHECK_TEXT(text, "Move{{2, 6}, {{2, 4}, {2, 5}, {2, 6}}}");
  CHECK(petteia_reversi_move_text(8, 0, 1, TEXT) == PETTEIA_INVALID_ARGUMENT);
}

static void test_reversi_game(void) {
  static const unsigned opening[][2] = {{3, 3}, {4, 3}, {4, 4}, {3, 4}};
  petteia_position *game = NULL, *same = NULL;
  uint64_t gained, dark, light, legal;
  unsigned i, width, height, count;
  petteia_player owner;
  bool equal;
  OK(petteia_reversi_new(8, 8, &game));
  for (i = 0; i < 4; ++i) {
    OK(petteia_reversi_play_move(game, opening[i][0], opening[i][1]));
  }
  OK(petteia_reversi_size(game, &width, &height));
  CHECK(width == 8 && height == 8);
  OK(petteia_reversi_find_move(game, 4, 2, &gained));
  CHECK(gained == (PETTEIA_REVERSI_SQUARE(4, 2) | PETTEIA_REVERSI_SQUARE(4, 3)));
  OK(petteia_reversi_move_text(4, 2, gained, TEXT));
  CHECK_TEXT(text, "Move{{4, 2}, {{4, 2}, {4, 3}}}");
  OK(petteia_reversi_find_move(game, 0, 0, &gained));
  CHECK(gained == 0);
  OK(petteia_reversi_find_move(game, 4294967295u, 9, &gained));
  CHECK(gained == 0);
  OK(petteia_reversi_legal(game, &legal));
  OK(petteia_reversi_set_text(legal, TEXT));
  CHECK_TEXT(text, "{{2, 4}, {3, 5}, {4, 2}, {5, 3}}");
  CHECK(petteia_reversi_play_move(game, 0, 0) == PETTEIA_ILLEGAL_MOVE);
  CHECK(petteia_reversi_play_move(game, 8, 8) == PETTEIA_ILLEGAL_MOVE);
  OK(petteia_reversi_play_move(game, 4, 2));
  OK(petteia_reversi_get(game, 4, 3, &owner));
  CHECK(owner == PETTEIA_FIRST);
  OK(petteia_reversi_get(game, 7, 7, &owner));
  CHECK(owner == PETTEIA_NOBODY);
  CHECK(petteia_reversi_get(game, 8, 0, &owner) == PETTEIA_INVALID_ARGUMENT);
  OK(petteia_reversi_count(game, PETTEIA_FIRST, &count));
  CHECK(count == 4);
  OK(petteia_reversi_count(game, PETTEIA_NOBODY, &count));
  CHECK(count == 59);
  CHECK(petteia_reversi_count(game, (petteia_player)3, &count) == PETTEIA_INVALID_ARGUMENT);

  OK(petteia_reversi_tiles(game, PETTEIA_FIRST, &dark));
  OK(petteia_reversi_tiles(game, PETTEIA_SECOND, &light));
  OK(petteia_reversi_from_tiles(8, 8, dark, light, PETTEIA_SECOND, &same));
  OK(petteia_position_equal(game, same, &equal));
  CHECK(equal);
  petteia_position_free(same);
  same = NULL;
  CHECK(petteia_reversi_from_tiles(8, 8, dark, light | dark, PETTEIA_SECOND, &same) == PETTEIA_INVALID_ARGUMENT);
  CHECK(petteia_reversi_from_tiles(8, 8, dark, light, PETTEIA_NOBODY, &same) == PETTEIA_INVALID_ARGUMENT);
  CHECK(petteia_reversi_from_tiles(4, 4, dark, light, PETTEIA_SECOND, &same) == PETTEIA_INVALID_ARGUMENT);
  CHECK(petteia_reversi_from_tiles(9, 9, dark, light, PETTEIA_SECOND, &same) == PETTEIA_INVALID_ARGUMENT);
  CHECK(petteia_reversi_new(8, 1, &same) == PETTEIA_INVALID_ARGUMENT);
  CHECK(petteia_quarto_hand(game, &count) == PETTEIA_WRONG_GAME);
  CHECK(same == NULL);
  petteia_position_free(game);
}

/* ---- Quarto ---- */

static void test_quarto_pieces(void) {
  unsigned piece = 99, square = 99;
  bool on;
  OK(petteia_quarto_piece(PETTEIA_QUARTO_SHORT, PETTEIA_QUARTO_SEPIA, PETTEIA_QUARTO_SQUARE, PETTEIA_QUARTO_SOLID,
                          &piece));
  CHECK(piece == 7);
  OK(petteia_quarto_piece_code(piece, TEXT));
  CHECK_TEXT(text, "SEQO");
  OK(petteia_quarto_parse_piece("TBCH", &piece));
  CHECK(piece == 8);
  CHECK(petteia_quarto_parse_piece("tbch", &piece) == PETTEIA_PARSE_ERROR && piece == 8);
  CHECK(petteia_quarto_piece_code(16, TEXT) == PETTEIA_INVALID_ARGUMENT);
  CHECK(petteia_quarto_piece((petteia_quarto_height)2, PETTEIA_QUARTO_BEIGE, PETTEIA_QUARTO_CIRCLE,
                             PETTEIA_QUARTO_HOLLOW, &piece) == PETTEIA_INVALID_ARGUMENT);
  OK(petteia_quarto_parse_square("B4", &square));
  CHECK(square == 7);
  OK(petteia_quarto_square_name(square, TEXT));
  CHECK_TEXT(text, "B4");
  CHECK(petteia_quarto_parse_square("E1", &square) == PETTEIA_PARSE_ERROR);
  CHECK(petteia_quarto_square_name(16, TEXT) == PETTEIA_INVALID_ARGUMENT);
  OK(petteia_quarto_is_on_first_diagonal(5, &on));
  CHECK(on);
  OK(petteia_quarto_is_on_second_diagonal(5, &on));
  CHECK(!on);
  CHECK(petteia_quarto_is_on_second_diagonal(16, &on) == PETTEIA_INVALID_ARGUMENT);
}

static void test_quarto_board(void) {
  petteia_position *game = NULL;
  unsigned piece, square;
  uint16_t set;
  bool wins;
  OK(petteia_record_last("quarto: SBCH A1 SBCO A2 SBQH A3 TEQO B2 SEQH", &game));
  OK(petteia_quarto_hand(game, &piece));
  CHECK(piece == 6);
  OK(petteia_quarto_get(game, 5, &piece));
  CHECK(piece == 15);
  CHECK(petteia_quarto_get(game, 15, &piece) == PETTEIA_UNAVAILABLE);
  CHECK_TEXT(last_error(), "D4 is empty.");
  CHECK(petteia_quarto_unused_piece(game, "SBCH", &piece) == PETTEIA_UNAVAILABLE);
  CHECK_TEXT(last_error(), "SBCH is already used.");
  CHECK(petteia_quarto_unused_piece(game, "ABCD", &piece) == PETTEIA_PARSE_ERROR);
  CHECK_TEXT(last_error(), "ABCD is an invalid input.");
  CHECK(petteia_quarto_empty_square(game, "B2", &square) == PETTEIA_UNAVAILABLE);
  CHECK_TEXT(last_error(), "B2 is not empty.");
  OK(petteia_quarto_unused_piece(game, "TECH", &piece));
  OK(petteia_quarto_empty_square(game, "A4", &square));
  CHECK(piece == 12 && square == 3);
  OK(petteia_quarto_is_winning(game, 6, square, &wins));
  CHECK(wins);
  OK(petteia_quarto_is_winning(game, piece, square, &wins));
  CHECK(!wins);
  CHECK(petteia_quarto_is_winning(game, 16, square, &wins) == PETTEIA_INVALID_ARGUMENT);
  CHECK(petteia_quarto_is_winning(game, 6, 16, &wins) == PETTEIA_INVALID_ARGUMENT);
  OK(petteia_quarto_winning_squares(game, 6, &set));
  CHECK(set == 1u << 3);
  OK(petteia_quarto_unused_pieces(game, &set));
  CHECK(set == (0xffffu & ~(1u << 0 | 1u << 1 | 1u << 2 | 1u << 15)));
  OK(petteia_quarto_empty_squares(game, &set));
  CHECK(set == (0xffffu & ~(7u | 1u << 5)));
  OK(petteia_quarto_bad_pieces(game, &set));
  CHECK((set & 1u << 12) == 0 && (set & 1u << 4) != 0);
  OK(petteia_quarto_pool_drawing(game, TEXT));
  CHECK_TEXT(text,
             "Available:\nSB SE SE SE SE TB TB TB TB TE TE TE \nQO CH CO QH QO CH CO QH QO CH CO QH \n");
  petteia_position_free(game);
}

/* The game of two myopic players that share one stream of random numbers, with seed 2019. */
static void test_quarto_myopic(void) {
  const char *expected =
      "quarto: SECO A3 TECO A1 SBCH D4 SEQH C2 TBCH D3 SBCO D2 TEQH C3 SEQO B2 TEQO C1 SBQO A2";
  petteia_position *game = NULL, *first = NULL;
  petteia_quarto_myopic *player = NULL;
  petteia_outcome outcome = PETTEIA_IN_PROGRESS;
  uint32_t actions[32];
  size_t count = 0;
  unsigned piece, square;
  OK(petteia_quarto_new(&game));
  OK(petteia_position_clone(game, &first));
  OK(petteia_quarto_myopic_new(2019, &player));
  while (outcome == PETTEIA_IN_PROGRESS) {
    OK(petteia_quarto_myopic_select_piece(player, game, &piece));
    OK(petteia_position_play(game, piece));
    OK(petteia_quarto_myopic_select_square(player, game, piece, &square));
    OK(petteia_position_play(game, 16 + square));
    actions[count++] = piece;
    actions[count++] = 16 + square;
    OK(petteia_position_outcome(game, &outcome));
  }
  CHECK(outcome == PETTEIA_FIRST_WINS);
  OK(petteia_record_format(first, actions, count, TEXT));
  CHECK_TEXT(text, expected);
  CHECK(petteia_quarto_hand(game, &piece) == PETTEIA_UNAVAILABLE);
  petteia_position_free(game);
  game = NULL;
  OK(petteia_record_last("quarto: SBCH A1 SBCO A2 TBCH A3 TEQO A4 SBQH B1 SBQO B2 SEQH B3 TBCO B4 SECH C1 TECO C2 "
                         "TBQH C3 SEQO C4 TBQO D1 TECH D2 SECO D3 TEQH D4",
                         &game));
  CHECK(petteia_quarto_myopic_select_piece(player, game, &piece) == PETTEIA_UNAVAILABLE);
  CHECK(petteia_quarto_myopic_select_square(player, game, 0, &square) == PETTEIA_UNAVAILABLE);
  OK(petteia_quarto_pool_drawing(game, TEXT));
  CHECK_TEXT(text, "");
  petteia_position_free(game);
  petteia_position_free(first);
  petteia_quarto_myopic_free(player);
}

int main(void) {
  test_tictac_records();
  test_tictac_moves();
  test_breakdown();
  test_reversi_sets();
  test_reversi_game();
  test_quarto_pieces();
  test_quarto_board();
  test_quarto_myopic();
  return PASSED();
}
