/*
 * petteia.hpp: handles that own, copy and move; exceptions with their status; ranges, texts, options and callbacks.
 */

#include <algorithm>
#include <type_traits>
#include <unordered_map>

#include "check.h"
#include "petteia.hpp"

using petteia::Position;

/* Checks that an expression throws an exception of a class, with a status, and with a message that begins in some way. */
#define THROWS(expression, exception, expected, begins)                            \
  do {                                                                             \
    bool thrown = false;                                                           \
    try {                                                                          \
      (void)(expression);                                                          \
    } catch (const petteia::exception &error) {                                    \
      thrown = true;                                                               \
      CHECK(error.status() == (expected));                                         \
      CHECK(std::string_view(error.what()).substr(0, strlen(begins)) == (begins)); \
    }                                                                              \
    CHECK(thrown);                                                                 \
  } while (0)

static_assert(std::is_base_of_v<std::runtime_error, petteia::Error>);
static_assert(std::is_base_of_v<std::invalid_argument, petteia::IllegalMove>);
static_assert(std::is_nothrow_move_constructible_v<Position> && std::is_copy_constructible_v<Position>);
static_assert(std::is_nothrow_move_constructible_v<petteia::Bot> && !std::is_copy_constructible_v<petteia::Bot>);

static void test_handles() {
  Position game("reversi", "6 6"), copy = game;
  CHECK(copy == game && copy.handle() != game.handle());
  copy.play("c3").play(copy.action("d3"));
  CHECK(copy != game && copy.text() == "______/______/__DL__/______/______/______ D");
  const petteia_position *handle = game.handle();
  game = copy;
  CHECK(game == copy && game.handle() == handle);
  const Position &same = game;
  game = same;
  CHECK(game == copy);
  game = Position("tictac");
  CHECK(game.game() == PETTEIA_TICTAC && game.parameters() == "X");
  Position moved = std::move(copy);
  CHECK(moved.text() == "______/______/__DL__/______/______/______ D");
  /* What was moved from can be assigned to, and throws otherwise. */
  THROWS(copy.text(), InvalidArgument, PETTEIA_NULL_POINTER, "position is NULL");
  THROWS(moved = copy, InvalidArgument, PETTEIA_NULL_POINTER, "src is NULL");
  CHECK(moved.text() == "______/______/__DL__/______/______/______ D");
  copy = moved;
  CHECK(copy == moved);
  const Position taken(petteia::detail::value_of<petteia_position *>(petteia_quarto_new));
  CHECK(taken.game() == PETTEIA_QUARTO);
  const petteia::MyopicHandle myopic(petteia::detail::value_of<petteia_quarto_myopic *>(
      [](petteia_quarto_myopic **made) { return petteia_quarto_myopic_new(1, made); }));
  CHECK(myopic != nullptr);
}

static void test_errors() {
  Position game("tictac");
  THROWS(Position("chess"), ParseError, PETTEIA_PARSE_ERROR, "invalid game \"chess\"");
  THROWS(Position("reversi", "9 9"), ParseError, PETTEIA_PARSE_ERROR, "invalid");
  THROWS(Position(std::string_view("reversi\0", 8)), ParseError, PETTEIA_PARSE_ERROR, "a text with a NUL in it");
  THROWS(Position("\xff"), ParseError, PETTEIA_NOT_UTF8, "game is not UTF-8");
  game.play("B2");
  THROWS(game.play("B2"), IllegalMove, PETTEIA_ILLEGAL_MOVE, "illegal move \"B2\" in tictac \"___/_X_/___ O\"");
  THROWS(game.play(4u), IllegalMove, PETTEIA_ILLEGAL_MOVE, "illegal move \"B2\"");
  THROWS(game.notation(9), InvalidArgument, PETTEIA_INVALID_ARGUMENT, "invalid action 9: expected a number below 9");
  THROWS(game.parameter("width"), InvalidArgument, PETTEIA_INVALID_ARGUMENT, "invalid parameter \"width\"");
  THROWS(Position::parse("tictac", "XXX/OO_/___ -").evaluate(), Error, PETTEIA_UNAVAILABLE, "");
  CHECK(game.text() == "___/_X_/___ O");
  /* All of them are what the standard library knows. */
  try {
    game.play("B2");
    CHECK(false);
  } catch (const std::invalid_argument &error) {
    CHECK(strlen(error.what()) > 0);
  }
}

static void test_positions() {
  Position game("breakdown", "30 20 2 3");
  std::size_t count = 0;
  for (petteia::Action action : game.moves()) {
    CHECK(game.is_legal(action) && game.action(game.notation(action)) == action);
    CHECK(game.after(action) != game);
    ++count;
  }
  CHECK(count == 60 && game.moves().size() == 60 && game.num_actions() == 61 && !game.is_legal(59));
  const petteia::Moves moves = Position("breakdown", "70 3 2 3").moves();
  CHECK(moves.size() == 140 && moves[139] == 140 && std::is_sorted(moves.begin(), moves.end()));
  petteia::Moves copied = moves;
  CHECK(std::equal(copied.begin(), copied.end(), moves.begin()) && copied.begin() != moves.begin());
  CHECK(game.parameter("height") == 20 && game.player_name(PETTEIA_SECOND) == "white");
  CHECK(game.text().size() == 31 * 20 + 5 && game.cells().size() == 600);
  CHECK(game.drawing().size() > 600 && game.svg().substr(0, 4) == "<svg");
  CHECK(!game.key() && Position("reversi").key());
  CHECK(Position("tictac").after("A1").canonical() == Position("tictac").after("C3").canonical());

  const Position over = Position::parse("tictac", "O_O/XXX/_OX -");
  CHECK(over.is_over() && over.turn() == PETTEIA_NOBODY && over.outcome() == PETTEIA_FIRST_WINS);
  const petteia::Moves none = over.moves();
  CHECK(none.empty() && none.begin() == none.end());
  CHECK(over.cells() == (std::vector<std::uint8_t>{2, 0, 2, 1, 1, 1, 0, 2, 1}));

  std::unordered_map<Position, int> seen;
  seen[over] = 1;
  ++seen[Position::parse("tictac", "O_O/XXX/_OX -")];
  CHECK(seen.size() == 1 && seen[over] == 2);

  const std::string line = "reversi 8 8: d4 e4 e5 d5 e3";
  CHECK(petteia::record(Position::first_of(line), petteia::record_actions(line)) == line);
  CHECK(Position::last_of(line).turn() == PETTEIA_SECOND);
  CHECK(petteia::record(Position("quarto"), {}) == "quarto:");
  CHECK(petteia::games() == (std::vector<std::string>{"tictac", "breakdown", "reversi", "quarto"}));
}

static void test_long_calls() {
  const Position start("tictac"), reversi("reversi");
  petteia::PerftOptions counting;
  counting.threads = 2;
  CHECK(start.perft(9) == 127872 && start.perft(9, counting) == 127872);
  petteia::PlayoutsOptions playing;
  playing.seed = 7;
  CHECK(start.playouts(100, playing).plies == start.playouts(100, playing).plies);
  CHECK(start.evaluate().win >= 0);

  const petteia::Solution solution = Position("reversi", "4 4").solve();
  CHECK(solution.exact && solution.value == -3 && solution.best_actions.size() == 4 && !solution.line.empty());
  petteia::AnalysisOptions analysing;
  analysing.lines = 3;
  analysing.node_limit = 2000;
  const petteia::Analysis analysis = reversi.analyse(analysing);
  CHECK(analysis.lines.size() == 3 && analysis.nodes <= 2000);
  analysing.lines = UINT32_MAX;
  CHECK(reversi.analyse(analysing).lines.size() == 4);
  petteia::MctsOptions searching;
  searching.simulations = 50;
  searching.evaluator = "estimate";
  const petteia::Tree tree = start.mcts(searching);
  CHECK(tree.branches.size() == 9 && tree.simulations == 50);

  petteia::Bot bot("level:2", 5), other = std::move(bot);
  CHECK(other.name() == "level:2" && start.is_legal(other.choose(start).action));
  THROWS(petteia::Bot("clever"), ParseError, PETTEIA_PARSE_ERROR, "invalid player \"clever\"");
  const petteia::Score score = petteia::match("perfect", "random", start, 10);
  CHECK(score.games() == 10 && score.lost() == 0 && score.share() >= 0.5);

  std::vector<std::string> records;
  petteia::selfplay("random", start, 5, [&](const petteia::PlayedGame &game) {
    records.push_back(petteia::record(start, {game.actions, game.actions + game.plies}));
    return false;
  });
  CHECK(records.size() == 5 && records[0].substr(0, 9) == "tictac X:" && records[0] != records[1]);
}

/* Callbacks stop calls, by what they return and by what they throw. */
static void test_callbacks() {
  const Position reversi("reversi");
  unsigned calls = 0;
  petteia::PlayoutsOptions playing;
  playing.on_progress = [&](const petteia::Progress &progress) {
    CHECK(progress.total == UINT64_MAX);
    return ++calls == 2;
  };
  THROWS(reversi.playouts(UINT64_MAX, playing), Stopped, PETTEIA_STOPPED, "the callback stopped the call");
  CHECK(calls == 2);
  petteia::SolveOptions solving;
  solving.on_progress = [](const petteia::Progress &) -> bool { throw std::string("enough"); };
  bool caught = false;
  try {
    reversi.solve(solving);
  } catch (const std::string &thrown) {
    caught = thrown == "enough";
  }
  CHECK(caught);
  caught = false;
  unsigned received = 0;
  try {
    petteia::selfplay("random", reversi, 100, [&](const petteia::PlayedGame &) -> bool {
      if (++received == 3) throw 7;
      return false;
    });
  } catch (int thrown) {
    caught = thrown == 7;
  }
  CHECK(caught && received == 3);
  THROWS(petteia::selfplay("random", reversi, 100, [](const petteia::PlayedGame &) { return true; }), Stopped,
         PETTEIA_STOPPED, "");
  /* The options can be used again. */
  playing.on_progress = nullptr;
  CHECK(reversi.playouts(10, playing).draws <= 10);
}

int main() {
  test_handles();
  test_errors();
  test_positions();
  test_long_calls();
  test_callbacks();
  return PASSED();
}
