/*
 * The common handle for positions of all games: how petteia.h is used, and what it guarantees.
 */

#include "check.h"
#include "petteia.h"

/* A call that must succeed. */
#define OK(call) CHECK((call) == PETTEIA_OK)

static char text[4096];
static size_t length;

#define TEXT text, sizeof text, &length

static petteia_position *start(const char *game, const char *parameters) {
  petteia_position *position = NULL;
  OK(petteia_position_new(game, parameters, &position));
  return position;
}

static const char *text_of(const petteia_position *position) {
  OK(petteia_position_text(position, TEXT));
  CHECK(length == strlen(text));
  return text;
}

static const char *last_error(void) {
  OK(petteia_last_error(TEXT));
  return text;
}

/* The full message of an error, the short text of a status, and the version. */
static void test_errors(void) {
  petteia_position *position = NULL;
  petteia_status status = petteia_position_new("chess", "", &position);
  CHECK(strstr(last_error(), "invalid game \"chess\": expected one of tictac, breakdown, reversi, quarto"));
  CHECK(status == PETTEIA_PARSE_ERROR && position == NULL);
  CHECK_TEXT(petteia_status_message(status), "a text does not follow its format");
  CHECK_TEXT(petteia_status_message(PETTEIA_OK), "ok");
  CHECK_TEXT(petteia_status_message(PETTEIA_UNAVAILABLE), "not available in this position");
  CHECK_TEXT(petteia_status_message((petteia_status)15), "unknown status");
  CHECK_TEXT(petteia_version(), PETTEIA_VERSION);
  sprintf(text, "%d.%d.%d", PETTEIA_VERSION_MAJOR, PETTEIA_VERSION_MINOR, PETTEIA_VERSION_PATCH);
  CHECK_TEXT(text, PETTEIA_VERSION);
}

/* Every game with its defaults, and its properties. */
static void test_games(void) {
  static const struct {
    const char *name, *parameters, *text, *first, *second;
    unsigned actions, moves;
  } games[] = {
      {"tictac", "X", "___/___/___ X", "X", "O", 9, 9},
      {"breakdown", "4 5 2 2", "..../..../..../..../.... b 2 2", "black", "white", 9, 8},
      {"reversi", "8 8", "________/________/________/________/________/________/________/________ D", "dark", "light",
       64, 4},
      {"quarto", "", "..../..../..../.... - 1", "1", "2", 32, 16},
  };
  unsigned i;
  for (i = 0; i < 4; ++i) {
    petteia_position *position = start(games[i].name, ""), *other = NULL;
    petteia_game game;
    petteia_player turn;
    petteia_outcome outcome;
    uint32_t actions[64], count;
    uint64_t hash, other_hash;
    bool answer;
    OK(petteia_position_game(position, &game));
    CHECK(game == (petteia_game)i);
    OK(petteia_game_name(game, TEXT));
    CHECK_TEXT(text, games[i].name);
    OK(petteia_position_parameters(position, TEXT));
    CHECK_TEXT(text, games[i].parameters);
    OK(petteia_position_player_name(position, PETTEIA_FIRST, TEXT));
    CHECK_TEXT(text, games[i].first);
    OK(petteia_position_player_name(position, PETTEIA_SECOND, TEXT));
    CHECK_TEXT(text, games[i].second);
    OK(petteia_position_turn(position, &turn));
    CHECK(turn == PETTEIA_FIRST);
    OK(petteia_position_outcome(position, &outcome));
    CHECK(outcome == PETTEIA_IN_PROGRESS);
    OK(petteia_position_is_over(position, &answer));
    CHECK(!answer);
    OK(petteia_position_num_actions(position, &count));
    CHECK(count == games[i].actions);
    OK(petteia_position_legal_actions(position, actions, 64, &length));
    CHECK(length == games[i].moves);
    CHECK_TEXT(text_of(position), games[i].text);
    OK(petteia_position_parse(games[i].name, games[i].text, &other));
    OK(petteia_position_equal(position, other, &answer));
    CHECK(answer);
    OK(petteia_position_hash(position, &hash));
    OK(petteia_position_hash(other, &other_hash));
    CHECK(hash == other_hash);
    OK(petteia_position_play(other, actions[0]));
    OK(petteia_position_equal(position, other, &answer));
    CHECK(!answer);
    OK(petteia_position_svg(position, TEXT));
    CHECK(strncmp(text, "<svg", 4) == 0);
    petteia_position_free(position);
    petteia_position_free(other);
  }
}

/* The list of games: numbers to names and back. */
static void test_game_list(void) {
  petteia_game game = PETTEIA_QUARTO, i;
  unsigned count = (unsigned)petteia_game_count();
  char expected[100];
  CHECK(count > PETTEIA_QUARTO);
  for (i = PETTEIA_TICTAC; (unsigned)i < count; i = (petteia_game)(i + 1)) {
    OK(petteia_game_name(i, TEXT));
    OK(petteia_game_from_name(text, &game));
    CHECK(game == i);
  }
  CHECK(petteia_game_name((petteia_game)count, TEXT) == PETTEIA_INVALID_ARGUMENT);
  sprintf(expected, "invalid game %u: expected 0 to %u", count, count - 1);
  CHECK_TEXT(last_error(), expected);
  game = PETTEIA_REVERSI;
  CHECK(petteia_game_from_name("chess", &game) == PETTEIA_PARSE_ERROR);
  CHECK(strstr(last_error(), "invalid game \"chess\": expected one of tictac, breakdown, reversi, quarto"));
  CHECK(petteia_game_from_name("Reversi", &game) == PETTEIA_PARSE_ERROR);
  CHECK(petteia_game_from_name("", &game) == PETTEIA_PARSE_ERROR);
  CHECK(petteia_game_from_name("\xff", &game) == PETTEIA_NOT_UTF8);
  CHECK(game == PETTEIA_REVERSI);
}

/* The parameters of every game: their declarations, and their values in positions. */
static void test_parameters(void) {
  static const char *const marks[] = {"X", "O", NULL};
  static const struct {
    petteia_game game;
    size_t index;
    petteia_parameter parameter;
    const char *start; /* parameters among which this one has the value below */
    int64_t value;
  } known[] = {
      {PETTEIA_TICTAC, 0, {"first", "Who begins", 0, 0, 1, marks}, "O", 1},
      {PETTEIA_BREAKDOWN, 0, {"width", "Number of columns", 4, 1, 1u << 28, NULL}, "7 6 5 3", 7},
      {PETTEIA_BREAKDOWN, 1, {"height", "Number of rows", 5, 1, 1u << 28, NULL}, "7 6 5 3", 6},
      {PETTEIA_BREAKDOWN, 2, {"stick", "Length of a stick", 2, 1, UINT32_MAX, NULL}, "1 1 4294967295 3", UINT32_MAX},
      {PETTEIA_BREAKDOWN, 3, {"square", "Side of the square that wins", 2, 1, UINT32_MAX, NULL}, "7 6 5 3", 3},
      {PETTEIA_REVERSI, 0, {"width", "Number of columns", 8, 2, 8, NULL}, "6 4", 6},
      {PETTEIA_REVERSI, 1, {"height", "Number of rows", 8, 2, 8, NULL}, "6 4", 4},
  };
  size_t rows = sizeof known / sizeof *known, row = 0, game, count, index, word;
  petteia_parameter parameter;
  petteia_position *position;
  int64_t value;
  char name[16];
  for (game = 0; game < petteia_game_count(); ++game) {
    OK(petteia_game_name((petteia_game)game, name, sizeof name, &length));
    OK(petteia_game_parameter_count((petteia_game)game, &count));
    position = start(name, "");
    for (index = 0; index < count; ++index, ++row) {
      const petteia_parameter *expected;
      petteia_position *other;
      CHECK(row < rows && known[row].game == (petteia_game)game && known[row].index == index);
      expected = &known[row].parameter;
      other = start(name, known[row].start);
      OK(petteia_game_parameter((petteia_game)game, index, &parameter));
      CHECK_TEXT(parameter.name, expected->name);
      CHECK_TEXT(parameter.about, expected->about);
      CHECK(parameter.fallback == expected->fallback);
      CHECK(parameter.least == expected->least && parameter.most == expected->most);
      CHECK((parameter.words == NULL) == (expected->words == NULL));
      for (word = 0; parameter.words && word <= parameter.most; ++word) {
        CHECK_TEXT(parameter.words[word], expected->words[word]);
      }
      CHECK(!parameter.words || parameter.words[word] == NULL);
      OK(petteia_position_parameter(position, parameter.name, &value));
      CHECK(value == (int64_t)parameter.fallback);
      OK(petteia_position_parameter(other, parameter.name, &value));
      CHECK(value == known[row].value);
      petteia_position_free(other);
    }
    parameter.name = "unwritten";
    CHECK(petteia_game_parameter((petteia_game)game, count, &parameter) == PETTEIA_INVALID_ARGUMENT);
    CHECK(petteia_game_parameter((petteia_game)game, SIZE_MAX, &parameter) == PETTEIA_INVALID_ARGUMENT);
    CHECK_TEXT(parameter.name, "unwritten");
    value = 77;
    CHECK(petteia_position_parameter(position, "", &value) == PETTEIA_INVALID_ARGUMENT && value == 77);
    CHECK(petteia_position_parameter(position, "Width", &value) == PETTEIA_INVALID_ARGUMENT && value == 77);
    CHECK(petteia_position_parameter(position, "\xff", &value) == PETTEIA_NOT_UTF8 && value == 77);
    petteia_position_free(position);
  }
  CHECK(row == rows);
  CHECK(petteia_game_parameter_count((petteia_game)7, &count) == PETTEIA_INVALID_ARGUMENT && count == 0);
  CHECK(petteia_game_parameter((petteia_game)7, 0, &parameter) == PETTEIA_INVALID_ARGUMENT);
  CHECK(petteia_game_parameter(PETTEIA_REVERSI, 2, &parameter) == PETTEIA_INVALID_ARGUMENT);
  CHECK_TEXT(last_error(), "invalid parameter 2: expected one of reversi's: width, height");
  position = start("quarto", "");
  CHECK(petteia_position_parameter(position, "width", &value) == PETTEIA_INVALID_ARGUMENT);
  CHECK_TEXT(last_error(), "invalid parameter \"width\": expected none, since quarto has no parameters");
  petteia_position_free(position);
}

/* Moves by action and by notation; an illegal one leaves the position as it was. */
static void test_play(void) {
  petteia_position *game = start("breakdown", "4 5 2 2"), *before = NULL;
  static const char *moves[] = {"|0", "-2", "-0", "-1", "!"};
  uint32_t action = 99, actions[9];
  bool equal;
  unsigned i;
  for (i = 0; i < 5; ++i) {
    OK(petteia_position_action(game, moves[i], &action));
    OK(petteia_position_notation(game, action, TEXT));
    CHECK_TEXT(text, moves[i]);
    if (i % 2) {
      OK(petteia_position_play(game, action));
    } else {
      OK(petteia_position_play_notation(game, moves[i]));
    }
  }
  CHECK_TEXT(text_of(game), "..../..../*.../*oo./**oo w 2 2");
  OK(petteia_position_drawing(game, TEXT));
  CHECK_TEXT(text, "  0123\n\n0 ....\n1 ....\n2 *...\n3 *oo.\n4 **oo\n");

  OK(petteia_position_clone(game, &before));
  CHECK(petteia_position_play_notation(game, "-3") == PETTEIA_ILLEGAL_MOVE);
  CHECK_TEXT(last_error(),
             "illegal move \"-3\" in breakdown \"..../..../*.../*oo./**oo w 2 2\": "
             "the legal moves are |0 |1 |2 |3 -0 -1 -2 !");
  CHECK(petteia_position_play_notation(game, "|9") == PETTEIA_ILLEGAL_MOVE);
  CHECK(petteia_position_play_notation(game, "") == PETTEIA_PARSE_ERROR);
  CHECK(petteia_position_play_notation(game, "|0 ") == PETTEIA_PARSE_ERROR);
  CHECK(petteia_position_play_notation(game, "\xff|0") == PETTEIA_NOT_UTF8);
  CHECK(petteia_position_play(game, 7) == PETTEIA_ILLEGAL_MOVE);
  CHECK(petteia_position_play(game, 9) == PETTEIA_ILLEGAL_MOVE);
  CHECK(petteia_position_play(game, 4294967295u) == PETTEIA_ILLEGAL_MOVE);
  action = 42;
  CHECK(petteia_position_action(game, "|4", &action) == PETTEIA_ILLEGAL_MOVE && action == 42);
  CHECK(petteia_position_action(game, "x", &action) == PETTEIA_PARSE_ERROR && action == 42);
  CHECK(petteia_position_notation(game, 9, TEXT) == PETTEIA_INVALID_ARGUMENT);
  OK(petteia_position_equal(game, before, &equal));
  CHECK(equal);

  /* the array convention: any capacity, and always the full length */
  OK(petteia_position_legal_actions(game, NULL, 0, &length));
  CHECK(length == 8);
  actions[2] = 99;
  OK(petteia_position_legal_actions(game, actions, 2, &length));
  CHECK(length == 8 && actions[0] == 0 && actions[1] == 1 && actions[2] == 99);
  petteia_position_free(game);
  petteia_position_free(before);
}

/* The text convention: any capacity, a NUL if there is room, and always the full length. */
static void test_text(void) {
  petteia_position *game = start("tictac", "O");
  const char *full = "___/___/___ O";
  size_t cap, i;
  char buf[32];
  for (cap = 0; cap < 20; ++cap) {
    size_t kept = cap == 0 ? 0 : cap - 1 < 13 ? cap - 1 : 13;
    memset(buf, '#', sizeof buf);
    length = 0;
    OK(petteia_position_text(game, cap ? buf : NULL, cap, &length));
    CHECK(length == 13);
    CHECK(memcmp(buf, full, kept) == 0);
    CHECK(cap == 0 || buf[kept] == '\0');
    for (i = cap; i < sizeof buf; ++i) {
      CHECK(buf[i] == '#');
    }
  }
  length = 77;
  memset(buf, '#', sizeof buf);
  CHECK(petteia_position_text(game, NULL, 1, &length) == PETTEIA_NULL_POINTER && length == 77);
  CHECK(petteia_position_text(game, buf, sizeof buf, NULL) == PETTEIA_NULL_POINTER && buf[0] == '#');
  petteia_position_free(game);
}

static void test_parse(void) {
  petteia_position *position = NULL;
  petteia_outcome outcome;
  petteia_player turn;
  bool over;
  size_t none = 9;
  OK(petteia_position_parse("tictac", "O_O/XXX/_OX -", &position));
  OK(petteia_position_outcome(position, &outcome));
  OK(petteia_position_turn(position, &turn));
  OK(petteia_position_is_over(position, &over));
  OK(petteia_position_legal_actions(position, NULL, 0, &none));
  CHECK(outcome == PETTEIA_FIRST_WINS && turn == PETTEIA_NOBODY && over && none == 0);
  CHECK(petteia_position_play(position, 1) == PETTEIA_ILLEGAL_MOVE);
  petteia_position_free(position);

  position = NULL;
  CHECK(petteia_position_parse("tictac", "O_O/XXX/_OX X", &position) == PETTEIA_PARSE_ERROR);
  CHECK(petteia_position_parse("reversi", "O_O/XXX/_OX -", &position) == PETTEIA_PARSE_ERROR);
  CHECK(petteia_position_parse("quarto", "", &position) == PETTEIA_PARSE_ERROR);
  CHECK(petteia_position_parse("quarto", "\xc3\x28", &position) == PETTEIA_NOT_UTF8);
  CHECK_TEXT(last_error(), "line is not UTF-8: invalid utf-8 sequence of 1 bytes from index 0");
  CHECK(petteia_position_parse("chess", "___/___/___ X", &position) == PETTEIA_PARSE_ERROR);
  CHECK(strstr(last_error(), "invalid game \"chess\": expected one of tictac, breakdown, reversi, quarto"));
  CHECK(petteia_position_parse("\xff", "___/___/___ X", &position) == PETTEIA_NOT_UTF8);
  CHECK(petteia_position_new("reversi", "9 9", &position) == PETTEIA_PARSE_ERROR);
  CHECK(petteia_position_new("quarto", "4", &position) == PETTEIA_PARSE_ERROR);
  CHECK(petteia_position_new("Reversi", "8 8", &position) == PETTEIA_PARSE_ERROR);
  CHECK(position == NULL);
}

/* Stops a call the second time that it is asked. */
static bool stop_soon(const petteia_progress *progress, void *user) {
  CHECK(progress->done <= progress->total && progress->seconds > 0 && progress->nodes == 0);
  return ++*(int *)user == 2;
}

/* Counting on threads and with a table, and stopping it. */
static void test_counting(void) {
  petteia_position *game = start("reversi", "8 8");
  petteia_perft_options options;
  uint64_t count = 0;
  int asked = 0;
  OK(petteia_perft_options_init(&options));
  CHECK(options.size == sizeof options && options.threads == 1 && options.table_bytes == 0);
  CHECK(options.callback == NULL && options.user == NULL);
  OK(petteia_position_perft(game, 9, &options, &count));
  CHECK(count == 38208);
  options.threads = 2;
  options.table_bytes = 1 << 20;
  OK(petteia_position_perft(game, 10, &options, &count));
  CHECK(count == 220736);
  options.callback = stop_soon;
  options.user = &asked;
  CHECK(petteia_position_perft(game, 60, &options, &count) == PETTEIA_STOPPED);
  CHECK(asked == 2 && count == 220736);
  CHECK_TEXT(last_error(), "the callback stopped the call");
  options.callback = NULL;
  options.table_bytes = SIZE_MAX;
  CHECK(petteia_position_perft(game, 60, &options, &count) == PETTEIA_NO_MEMORY && count == 220736);
  options.threads = 0;
  options.table_bytes = 1;
  OK(petteia_position_perft(game, 2, &options, &count));
  CHECK(count == 12);
  CHECK_TEXT(petteia_status_message(PETTEIA_STOPPED), "stopped by the caller");
  petteia_position_free(game);
}

/* Counting, random games, symmetry. */
static void test_whole_operations(void) {
  petteia_position *game = start("tictac", "X"), *corner = start("tictac", "X"), *a = NULL, *b = NULL;
  petteia_tally whole, half, rest;
  petteia_playouts_options options;
  uint64_t count = 0;
  int asked = 0;
  bool equal;
  OK(petteia_position_perft(game, 9, NULL, &count));
  CHECK(count == 127872);
  OK(petteia_position_perft(game, 0, NULL, &count));
  CHECK(count == 1);
  OK(petteia_playouts_options_init(&options));
  CHECK(options.seed == 0 && options.first == 0 && options.threads == 1);
  options.seed = 7;
  OK(petteia_position_playouts(game, 1000, &options, &whole));
  OK(petteia_position_playouts(game, 400, &options, &half));
  options.first = 400;
  options.threads = 3;
  OK(petteia_position_playouts(game, 600, &options, &rest));
  CHECK(whole.first_wins + whole.second_wins + whole.draws == 1000);
  CHECK(whole.first_wins == half.first_wins + rest.first_wins);
  CHECK(whole.second_wins == half.second_wins + rest.second_wins);
  CHECK(whole.draws == half.draws + rest.draws && whole.plies == half.plies + rest.plies);
  options.first = UINT64_MAX;
  CHECK(petteia_position_playouts(game, 1, &options, &rest) == PETTEIA_INVALID_ARGUMENT);
  OK(petteia_position_playouts(game, 0, &options, &rest));
  CHECK(rest.plies == 0);
  /* Without being stopped, this would take years. */
  options.first = 0;
  options.callback = stop_soon;
  options.user = &asked;
  CHECK(petteia_position_playouts(game, UINT64_MAX, &options, &rest) == PETTEIA_STOPPED);
  CHECK(asked == 2 && rest.plies == 0);
  OK(petteia_position_play_notation(game, "A1"));
  OK(petteia_position_play_notation(corner, "C3"));
  OK(petteia_position_canonical(game, &a));
  OK(petteia_position_canonical(corner, &b));
  OK(petteia_position_equal(a, b, &equal));
  CHECK(equal);
  petteia_position_free(game);
  petteia_position_free(corner);
  petteia_position_free(a);
  petteia_position_free(b);
}

static void test_record(void) {
  const char *line = "reversi 8 8: d4 e4 e5 d5 e3";
  petteia_position *first = NULL, *last = NULL;
  uint32_t actions[8];
  size_t count;
  OK(petteia_record_start(line, &first));
  OK(petteia_record_last(line, &last));
  OK(petteia_record_actions(line, actions, 8, &count));
  CHECK(count == 5 && actions[0] == 27 && actions[4] == 20);
  OK(petteia_record_format(first, actions, count, TEXT));
  CHECK_TEXT(text, line);
  OK(petteia_record_format(first, NULL, 0, TEXT));
  CHECK_TEXT(text, "reversi 8 8:");
  CHECK_TEXT(text_of(last), "________/________/____D___/___DD___/___LD___/________/________/________ L");
  OK(petteia_record_format(last, NULL, 0, TEXT));
  CHECK_TEXT(text, "reversi 8 8 from ________/________/____D___/___DD___/___LD___/________/________/________ L:");
  actions[1] = 64;
  CHECK(petteia_record_format(first, actions, 2, TEXT) == PETTEIA_ILLEGAL_MOVE);
  CHECK(strncmp(last_error(), "ply 2: illegal move \"action 64\"", 31) == 0);
  petteia_position_free(first);
  petteia_position_free(last);

  first = NULL;
  CHECK(petteia_record_start("reversi 8 8: d4 d4", &first) == PETTEIA_ILLEGAL_MOVE);
  CHECK(strncmp(last_error(), "ply 2: illegal move \"d4\"", 24) == 0);
  CHECK(petteia_record_last("reversi 8 8: d4  e4", &first) == PETTEIA_PARSE_ERROR);
  CHECK(petteia_record_last("tictac X", &first) == PETTEIA_PARSE_ERROR);
  CHECK(petteia_record_last("", &first) == PETTEIA_PARSE_ERROR);
  CHECK(petteia_record_last("\xff", &first) == PETTEIA_NOT_UTF8);
  CHECK(first == NULL);
  OK(petteia_record_last("breakdown 4 5 2 2: |0 -2 -0 -1 !", &first));
  CHECK_TEXT(text_of(first), "..../..../*.../*oo./**oo w 2 2");
  petteia_position_free(first);

  /* From any position, with headers, and as fgets reads it. */
  line = "[first \"Ada: \\\"A\\\"\"] [date \"1971\"] reversi 4 4 from ____/_LD_/_DL_/____ D: a2 a1\n";
  OK(petteia_record_start(line, &first));
  OK(petteia_record_last(line, &last));
  OK(petteia_record_actions(line, actions, 8, &count));
  CHECK(count == 2 && actions[0] == 4 && actions[1] == 0);
  CHECK_TEXT(text_of(first), "____/_LD_/_DL_/____ D");
  CHECK_TEXT(text_of(last), "L___/DLD_/_DL_/____ D");
  OK(petteia_record_format(first, actions, count, TEXT));
  CHECK_TEXT(text, "reversi 4 4 from ____/_LD_/_DL_/____ D: a2 a1");
  petteia_position_free(first);
  petteia_position_free(last);
  first = NULL;
  CHECK(petteia_record_start("[First \"Ada\"] quarto:", &first) == PETTEIA_PARSE_ERROR);
  CHECK(petteia_record_start("quarto:\n\n", &first) == PETTEIA_PARSE_ERROR);
  CHECK(petteia_record_start("reversi 8 8 from ____/_LD_/_DL_/____ D:", &first) == PETTEIA_PARSE_ERROR);
  CHECK(first == NULL);
}

int main(void) {
  test_errors();
  test_games();
  test_game_list();
  test_parameters();
  test_play();
  test_text();
  test_parse();
  test_counting();
  test_whole_operations();
  test_record();
  return PASSED();
}
