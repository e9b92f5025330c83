/*
 * petteia.hpp: petteia.h for C++17 and later. There is nothing to link with but the C library: -lpetteia.
 *
 *     petteia::Position game("reversi", "8 8");
 *     for (petteia::Action action : game.moves()) { ... }
 *     game.play("d4");
 *
 * Conventions:
 *
 * - Classes own their handles and free them. A Position is copied by value, a Bot is only moved. What was moved from can
 *   be assigned to and destroyed; all else throws.
 * - A call that fails throws an InvalidArgument, which is a std::invalid_argument, or an Error, which is a
 *   std::runtime_error. Both have the status(); what() is the message of petteia_last_error. Nothing was changed.
 * - Options are the structs of petteia.h with their defaults filled in. Their `on_progress` is a std::function that
 *   returns true to stop the call; what it throws stops the call too, and comes out of it.
 * - handle() is for all functions of petteia.h that this header has no name for.
 * - For threads, the rules of petteia.h hold: const members may be called from several threads at once.
 */

#ifndef PETTEIA_HPP
#define PETTEIA_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "petteia.h"

namespace petteia {

using Status = petteia_status;
using Player = petteia_player;
using Outcome = petteia_outcome;
using Tally = petteia_tally;
using Estimate = petteia_estimate;
using Choice = petteia_choice;
using PlayedGame = petteia_played_game;

/* A move, by its number; Position::notation gives its text. */
using Action = std::uint32_t;

/* What went wrong while a call ran: there is nothing to choose from, too little memory, it was stopped. */
class Error : public std::runtime_error {
 public:
  Error(Status status, const std::string &message) : std::runtime_error(message), status_(status) {}
  Status status() const noexcept { return status_; }

 private:
  Status status_;
};

/* The callback stopped the call. */
class Stopped : public Error {
 public:
  using Error::Error;
};

/* An argument that is out of range, of the wrong game, or unreadable. */
class InvalidArgument : public std::invalid_argument {
 public:
  InvalidArgument(Status status, const std::string &message) : std::invalid_argument(message), status_(status) {}
  Status status() const noexcept { return status_; }

 private:
  Status status_;
};

/* A text that does not follow its format. */
class ParseError : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

/* A move that is not legal. The position is unchanged. */
class IllegalMove : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

namespace detail {

/* Returns the text that a function writes: call(buffer, capacity, length). */
template <class Call>
std::string text_of(Call call);

[[noreturn]] inline void fail(Status status, const std::string &message) {
  switch (status) {
    case PETTEIA_PARSE_ERROR:
    case PETTEIA_NOT_UTF8:
      throw ParseError(status, message);
    case PETTEIA_ILLEGAL_MOVE:
      throw IllegalMove(status, message);
    case PETTEIA_NULL_POINTER:
    case PETTEIA_INVALID_ARGUMENT:
    case PETTEIA_WRONG_GAME:
      throw InvalidArgument(status, message);
    case PETTEIA_STOPPED:
      throw Stopped(status, message);
    default:
      throw Error(status, message);
  }
}

/* Throws the thread's last error if a call failed. */
inline void check(Status status) {
  if (status != PETTEIA_OK) {
    fail(status,
         text_of([](char *buf, std::size_t cap, std::size_t *len) { return petteia_last_error(buf, cap, len); }));
  }
}

template <class Call>
std::string text_of(Call call) {
  std::string text(255, '\0');
  std::size_t length = 0;
  check(call(text.data(), text.size() + 1, &length));
  if (length > text.size()) {
    text.resize(length);
    check(call(text.data(), text.size() + 1, &length));
  }
  text.resize(length);
  return text;
}

/* Returns a text with a NUL at its end, and none inside. */
inline std::string terminated(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) {
    fail(PETTEIA_PARSE_ERROR, "a text with a NUL in it: expected one without");
  }
  return std::string(text);
}

/* Returns the array that a function writes: call(elements, capacity, length). */
template <class T, class Call>
std::vector<T> array_of(Call call) {
  std::size_t length = 0;
  check(call(nullptr, std::size_t{0}, &length));
  std::vector<T> elements(length);
  check(call(elements.data(), length, &length));
  return elements;
}

/* Returns the value that a function writes. */
template <class T, class Call>
T value_of(Call call) {
  T value{};
  check(call(&value));
  return value;
}

/* Frees a handle. */
template <class T, void (*Free)(T *)>
struct Freed {
  void operator()(T *handle) const noexcept { Free(handle); }
};

template <class T, void (*Free)(T *)>
using Handle = std::unique_ptr<T, Freed<T, Free>>;

/* Calls a C++ function from C: what it throws waits until the call into the library is over. */
template <class T>
struct Listener {
  const std::function<bool(const T &)> &function;
  std::exception_ptr thrown;

  static bool hear(const T *news, void *user) noexcept {
    auto *self = static_cast<Listener *>(user);
    try {
      return self->function(*news);
    } catch (...) {
      self->thrown = std::current_exception();
      return true;
    }
  }

  void check(Status status) const {
    if (thrown) std::rethrow_exception(thrown);
    detail::check(status);
  }
};

/* A struct of options with its defaults, and a C++ function in place of the callback. */
template <class Struct, Status (*Fill)(Struct *, std::size_t)>
struct Options : Struct {
  /* Called about every 10 milliseconds; returns true to stop the call. */
  std::function<bool(const petteia_progress &)> on_progress;

  Options() : Struct() { detail::check(Fill(this, sizeof(Struct))); }

  /* Makes a call with these options: call(options). */
  template <class Call>
  void with(Call call) const {
    Listener<petteia_progress> listener{on_progress, nullptr};
    Struct given = *this;
    if (on_progress) {
      given.callback = &Listener<petteia_progress>::hear;
      given.user = &listener;
    }
    listener.check(call(static_cast<const Struct *>(&given)));
  }
};

}  // namespace detail

using Progress = petteia_progress;
using PerftOptions = detail::Options<petteia_perft_options, petteia_perft_options_defaults>;
using PlayoutsOptions = detail::Options<petteia_playouts_options, petteia_playouts_options_defaults>;
using SolveOptions = detail::Options<petteia_solve_options, petteia_solve_options_defaults>;
using AnalysisOptions = detail::Options<petteia_analysis_options, petteia_analysis_options_defaults>;
using MctsOptions = detail::Options<petteia_mcts_options, petteia_mcts_options_defaults>;
using ChooseOptions = detail::Options<petteia_choose_options, petteia_choose_options_defaults>;
using MatchOptions = detail::Options<petteia_match_options, petteia_match_options_defaults>;
using SelfplayOptions = detail::Options<petteia_selfplay_options, petteia_selfplay_options_defaults>;

/* Owning handles for the objects of petteia.h that have no class here. */
using VectorHandle = detail::Handle<petteia_vector, petteia_vector_free>;
using MyopicHandle = detail::Handle<petteia_quarto_myopic, petteia_quarto_myopic_free>;
using EvaluatorHandle = detail::Handle<petteia_tictac_evaluator, petteia_tictac_evaluator_free>;

/* The legal moves of a position, in increasing order: a range, which keeps what it was when the position changes. */
class Moves {
 public:
  using value_type = Action;
  using const_iterator = const Action *;
  using iterator = const_iterator;

  explicit Moves(const petteia_position *position) {
    detail::check(petteia_position_legal_actions(position, few_.data(), few_.size(), &size_));
    if (size_ > few_.size()) {
      many_.resize(size_);
      detail::check(petteia_position_legal_actions(position, many_.data(), size_, &size_));
    }
  }

  const Action *data() const noexcept { return many_.empty() ? few_.data() : many_.data(); }
  const_iterator begin() const noexcept { return data(); }
  const_iterator end() const noexcept { return data() + size_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  Action operator[](std::size_t i) const noexcept { return data()[i]; }

 private:
  std::array<Action, 64> few_;
  std::vector<Action> many_;
  std::size_t size_ = 0;
};

/* The exact value of a position, and the moves that achieve it. */
struct Solution : petteia_value {
  std::vector<Action> best_actions;
  std::vector<Action> line;
};

/* The best moves of a position, best first, and how much was searched. */
struct Analysis : petteia_analysis {
  std::vector<petteia_line> lines;
};

/* The result of a tree search: a branch for each legal move, the best of them, and the number of simulations. */
struct Tree : petteia_tree {
  std::vector<petteia_branch> branches;
};

/* A position of any game. */
class Position {
 public:
  /* The starting position of a game, with its parameters as words, such as "8 8"; none are the defaults. */
  explicit Position(std::string_view game, std::string_view parameters = {}) {
    const std::string name = detail::terminated(game), words = detail::terminated(parameters);
    take([&](petteia_position **made) { return petteia_position_new(name.c_str(), words.c_str(), made); });
  }

  /* Takes over a position of petteia.h, which is not NULL. */
  explicit Position(petteia_position *owned) : handle_(owned) {}

  /* The position of a game with a text. */
  static Position parse(std::string_view game, std::string_view line) {
    const std::string name = detail::terminated(game), text = detail::terminated(line);
    return made([&](petteia_position **place) { return petteia_position_parse(name.c_str(), text.c_str(), place); });
  }

  /* The first and the last position of a record, such as "reversi 8 8: d4 e4". */
  static Position first_of(std::string_view record) {
    const std::string line = detail::terminated(record);
    return made([&](petteia_position **place) { return petteia_record_start(line.c_str(), place); });
  }
  static Position last_of(std::string_view record) {
    const std::string line = detail::terminated(record);
    return made([&](petteia_position **place) { return petteia_record_last(line.c_str(), place); });
  }

  Position(const Position &other) {
    take([&](petteia_position **made) { return petteia_position_clone(other.handle(), made); });
  }
  Position &operator=(const Position &other) {
    if (handle_ == nullptr) return *this = Position(other);
    detail::check(petteia_position_copy(handle(), other.handle()));
    return *this;
  }
  Position(Position &&) noexcept = default;
  Position &operator=(Position &&) noexcept = default;
  ~Position() = default;

  petteia_position *handle() noexcept { return handle_.get(); }
  const petteia_position *handle() const noexcept { return handle_.get(); }

  petteia_game game() const { return get<petteia_game>(petteia_position_game); }
  std::string parameters() const { return text_by(petteia_position_parameters); }
  std::int64_t parameter(std::string_view name) const {
    const std::string text = detail::terminated(name);
    return detail::value_of<std::int64_t>(
        [&](std::int64_t *value) { return petteia_position_parameter(handle(), text.c_str(), value); });
  }
  std::string player_name(Player player) const {
    return detail::text_of([&](char *buf, std::size_t cap, std::size_t *len) {
      return petteia_position_player_name(handle(), player, buf, cap, len);
    });
  }

  /* The player to move; PETTEIA_NOBODY if the game is over. A move does not always pass the turn: see petteia.h. */
  Player turn() const { return get<Player>(petteia_position_turn); }
  Outcome outcome() const { return get<Outcome>(petteia_position_outcome); }
  bool is_over() const { return get<bool>(petteia_position_is_over); }

  Moves moves() const { return Moves(handle()); }
  std::uint32_t num_actions() const { return get<std::uint32_t>(petteia_position_num_actions); }
  bool is_legal(Action action) const {
    return detail::value_of<bool>([&](bool *legal) { return petteia_position_is_legal(handle(), action, legal); });
  }
  Action action(std::string_view notation) const {
    const std::string text = detail::terminated(notation);
    return detail::value_of<Action>(
        [&](Action *action) { return petteia_position_action(handle(), text.c_str(), action); });
  }
  std::string notation(Action action) const {
    return detail::text_of([&](char *buf, std::size_t cap, std::size_t *len) {
      return petteia_position_notation(handle(), action, buf, cap, len);
    });
  }

  /* Plays a legal move. */
  Position &play(Action action) {
    detail::check(petteia_position_play(handle(), action));
    return *this;
  }
  Position &play(std::string_view notation) {
    detail::check(petteia_position_play_notation(handle(), detail::terminated(notation).c_str()));
    return *this;
  }

  /* The position after a legal move. */
  Position after(Action action) const { return std::move(Position(*this).play(action)); }
  Position after(std::string_view notation) const { return std::move(Position(*this).play(notation)); }

  std::string text() const { return text_by(petteia_position_text); }
  std::string drawing() const { return text_by(petteia_position_drawing); }
  std::string svg() const { return text_by(petteia_position_svg); }
  std::vector<std::uint8_t> cells() const {
    return detail::array_of<std::uint8_t>([&](std::uint8_t *cells, std::size_t cap, std::size_t *len) {
      return petteia_position_cells(handle(), cells, cap, len);
    });
  }
  Position canonical() const {
    return made([&](petteia_position **place) { return petteia_position_canonical(handle(), place); });
  }
  std::uint64_t hash() const { return get<std::uint64_t>(petteia_position_hash); }

  /* The key, which only equal positions of the same game and parameters share; none if two numbers cannot hold it. */
  std::optional<std::array<std::uint64_t, 2>> key() const {
    std::array<std::uint64_t, 2> key{};
    const Status status = petteia_position_key(handle(), key.data());
    if (status == PETTEIA_UNAVAILABLE) return std::nullopt;
    detail::check(status);
    return key;
  }

  std::uint64_t perft(std::uint32_t depth, const PerftOptions &options = {}) const {
    std::uint64_t count = 0;
    options.with([&](auto *given) { return petteia_position_perft(handle(), depth, given, &count); });
    return count;
  }
  Tally playouts(std::uint64_t games, const PlayoutsOptions &options = {}) const {
    Tally tally{};
    options.with([&](auto *given) { return petteia_position_playouts(handle(), games, given, &tally); });
    return tally;
  }

  /* How the game is likely to end, from a look at the position alone. */
  Estimate evaluate() const { return get<Estimate>(petteia_position_evaluate); }

  Solution solve(const SolveOptions &options = {}) const {
    detail::Handle<petteia_solution, petteia_solution_free> found;
    options.with([&](auto *given) {
      petteia_solution *owned = nullptr;
      const Status status = petteia_solve(handle(), given, &owned);
      found.reset(owned);
      return status;
    });
    const auto actions = [&](auto list) {
      return detail::array_of<Action>(
          [&](Action *out, std::size_t cap, std::size_t *len) { return list(found.get(), out, cap, len); });
    };
    Solution solution{};
    detail::check(petteia_solution_value(found.get(), &solution));
    solution.best_actions = actions(petteia_solution_best_actions);
    solution.line = actions(petteia_solution_line);
    return solution;
  }

  Analysis analyse(const AnalysisOptions &options = {}) const {
    Analysis analysis{};
    const std::size_t most = moves().size();
    const std::size_t asked = options.lines > 0 ? options.lines : 1;
    std::size_t count = 0;
    analysis.lines.resize(asked < most ? asked : most);
    options.with([&](auto *given) {
      return petteia_position_analyse(handle(), given, analysis.lines.data(), analysis.lines.size(), &count, &analysis);
    });
    analysis.lines.resize(count);
    return analysis;
  }

  Tree mcts(const MctsOptions &options = {}) const {
    Tree tree{};
    std::size_t count = 0;
    tree.branches.resize(moves().size());
    options.with([&](auto *given) {
      return petteia_position_mcts(handle(), given, tree.branches.data(), tree.branches.size(), &count, &tree);
    });
    return tree;
  }

  friend bool operator==(const Position &a, const Position &b) {
    return detail::value_of<bool>(
        [&](bool *equal) { return petteia_position_equal(a.handle(), b.handle(), equal); });
  }
  friend bool operator!=(const Position &a, const Position &b) { return !(a == b); }

 private:
  detail::Handle<petteia_position, petteia_position_free> handle_;

  template <class Make>
  void take(Make make) {
    petteia_position *made = nullptr;
    detail::check(make(&made));
    handle_.reset(made);
  }

  template <class Make>
  static Position made(Make make) {
    petteia_position *made = nullptr;
    detail::check(make(&made));
    return Position(made);
  }

  template <class T>
  T get(Status (*read)(const petteia_position *, T *)) const {
    T value{};
    detail::check(read(handle(), &value));
    return value;
  }

  std::string text_by(Status (*write)(const petteia_position *, char *, std::size_t, std::size_t *)) const {
    return detail::text_of(
        [&](char *buf, std::size_t cap, std::size_t *len) { return write(handle(), buf, cap, len); });
  }
};

/* A computer player, for one game: see petteia_bot_new for the names. */
class Bot {
 public:
  explicit Bot(std::string_view name, std::uint64_t seed = 0) {
    petteia_bot *made = nullptr;
    detail::check(petteia_bot_new(detail::terminated(name).c_str(), seed, &made));
    handle_.reset(made);
  }

  petteia_bot *handle() noexcept { return handle_.get(); }
  const petteia_bot *handle() const noexcept { return handle_.get(); }

  std::string name() const {
    return detail::text_of(
        [&](char *buf, std::size_t cap, std::size_t *len) { return petteia_bot_name(handle(), buf, cap, len); });
  }

  Choice choose(const Position &position, const ChooseOptions &options = {}) {
    Choice choice{};
    options.with([&](auto *given) { return petteia_bot_choose(handle(), position.handle(), given, &choice); });
    return choice;
  }

 private:
  detail::Handle<petteia_bot, petteia_bot_free> handle_;
};

/* The result of a match for the first of its players. */
struct Score : petteia_score {
  std::uint64_t won() const noexcept { return as_first[0] + as_second[0]; }
  std::uint64_t drawn() const noexcept { return as_first[1] + as_second[1]; }
  std::uint64_t lost() const noexcept { return as_first[2] + as_second[2]; }
  std::uint64_t games() const noexcept { return won() + drawn() + lost(); }
  /* The share of points, a draw counting half a point; 0 without games. */
  double share() const noexcept {
    const auto played = static_cast<double>(games());
    return played > 0 ? (static_cast<double>(won()) + static_cast<double>(drawn()) / 2) / played : 0;
  }
};

/* Lets two computer players, by their names, play games from a position. */
inline Score match(std::string_view first, std::string_view second, const Position &start, std::uint64_t games,
                   const MatchOptions &options = {}) {
  const std::string one = detail::terminated(first), other = detail::terminated(second);
  Score score{};
  options.with([&](auto *given) {
    return petteia_match(one.c_str(), other.c_str(), start.handle(), games, given, &score);
  });
  return score;
}

/* Lets a computer player, by its name, play games against itself, and hands each to `receive`; that returns true to stop. */
inline void selfplay(std::string_view player, const Position &start, std::uint64_t games,
                     const std::function<bool(const PlayedGame &)> &receive, const SelfplayOptions &options = {}) {
  using Receiver = detail::Listener<PlayedGame>;
  const std::string name = detail::terminated(player);
  Receiver receiver{receive, nullptr};
  options.with([&](auto *given) {
    const Status status =
        petteia_selfplay(name.c_str(), start.handle(), games, given, &Receiver::hear, &receiver);
    if (receiver.thrown) std::rethrow_exception(receiver.thrown);
    return status;
  });
}

/* The actions of a record, such as "reversi 8 8: d4 e4". */
inline std::vector<Action> record_actions(std::string_view record) {
  const std::string line = detail::terminated(record);
  return detail::array_of<Action>([&](Action *actions, std::size_t cap, std::size_t *len) {
    return petteia_record_actions(line.c_str(), actions, cap, len);
  });
}

/* The record of a game: actions, played from its start. */
inline std::string record(const Position &start, const std::vector<Action> &actions) {
  return detail::text_of([&](char *buf, std::size_t cap, std::size_t *len) {
    return petteia_record_format(start.handle(), actions.data(), actions.size(), buf, cap, len);
  });
}

/* The names of all games. */
inline std::vector<std::string> games() {
  std::vector<std::string> names;
  for (std::size_t game = 0; game < petteia_game_count(); ++game) {
    names.push_back(detail::text_of([&](char *buf, std::size_t cap, std::size_t *len) {
      return petteia_game_name(static_cast<petteia_game>(game), buf, cap, len);
    }));
  }
  return names;
}

}  // namespace petteia

/* Positions as keys of std::unordered_map. */
template <>
struct std::hash<petteia::Position> {
  std::size_t operator()(const petteia::Position &position) const {
    return static_cast<std::size_t>(position.hash());
  }
};

#endif /* PETTEIA_HPP */
