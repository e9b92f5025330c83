#include "Move.h"
#include <iostream>
#include <map>
#include <set>
#include <vector>

static const std::vector<std::set<std::string>> lines = {
    {"A1", "A2", "A3"}, {"B1", "B2", "B3"}, {"C1", "C2", "C3"}, {"A1", "B1", "C1"},
    {"A2", "B2", "C2"}, {"A3", "B3", "C3"}, {"A1", "B2", "C3"}, {"A3", "B2", "C1"}};

static bool wins(const std::map<std::string, char>& claimed, char player)
{
    for (const auto& line : lines) {
        bool whole = true;
        for (const auto& square : line) whole = whole && claimed.count(square) && claimed.at(square) == player;
        if (whole) return true;
    }
    return false;
}

int main()
{
    std::map<std::string, char> claimed;
    std::string line;
    char last = 0, winner = 0;
    while (std::getline(std::cin, line)) {
        // No move at all, and a newline: a new game.
        if (line.empty() && claimed.empty() && std::cin.peek() == EOF) break;
        try {
            Move move(line);
            std::string square{move.row, move.column};
            bool numbered = move.number == static_cast<int>(claimed.size()) + 1;
            if (winner || move.player == last || !numbered || !claimed.insert({square, move.player}).second) {
                std::cout << "Invalid move.\n";
                return 2;
            }
            last = move.player;
            if (wins(claimed, last)) winner = last;
        } catch (const ParseError& error) {
            std::cout << error.what() << "\n";
            return 1;
        }
    }
    if (winner) {
        std::cout << "Game over: " << winner << " wins.\n";
    } else if (claimed.size() == 9) {
        std::cout << "Game over: Draw.\n";
    } else if (claimed.empty()) {
        std::cout << "Game in progress: New game.\n";
    } else {
        std::cout << "Game in progress: " << (last == 'X' ? 'O' : 'X') << "'s turn.\n";
    }
}
