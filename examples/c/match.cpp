/*
 * Lets two computer players play a match, and shows one of their games.
 *
 *     match [FIRST [SECOND [GAME [GAMES]]]]
 */

#include <cstdlib>
#include <iostream>
#include <petteia.hpp>

int main(int argc, char **argv) {
  const std::string first = argc > 1 ? argv[1] : "level:3", second = argc > 2 ? argv[2] : "level:1";
  const std::string game = argc > 3 ? argv[3] : "reversi";
  const std::uint64_t games = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 10;
  try {
    const petteia::Position start(game);
    petteia::MatchOptions options;
    options.seed = 1;
    options.threads = 2;
    options.on_progress = [](const petteia::Progress &progress) {
      return progress.seconds > 60; // that is enough
    };
    const petteia::Score score = petteia::match(first, second, start, games, options);
    std::cout << first << " against " << second << ", " << score.games() << " games of " << game << ": " << score.won()
              << " won, " << score.drawn() << " drawn, " << score.lost() << " lost\n";

    petteia::Bot players[] = {petteia::Bot(first, 1), petteia::Bot(second, 2)};
    std::vector<petteia::Action> actions;
    petteia::Position position = start;
    while (!position.is_over()) {
      actions.push_back(players[position.turn()].choose(position).action);
      position.play(actions.back());
    }
    std::cout << petteia::record(start, actions) << '\n' << position.drawing();
  } catch (const std::exception &error) {
    std::cerr << "match: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
