#include "bug.h"
#include "player.h"
#include <cstdlib>
#include <iostream>

int main(int argc, char **argv)
{
    if (argc < 3) return 1;
    Board board;
    Pool pool;
    Player *human = getHumanPlayer(&board, &pool);
    Player *myopic = getMyopicPlayer(&board, &pool, argc > 3 ? unsigned(std::strtoul(argv[3], nullptr, 10)) : 0);
    Player *players[2];
    for (int i = 0; i < 2; i++) players[i] = argv[i + 1][0] == 'h' ? human : myopic;
    std::cout << board.toString() << std::endl << pool.toString() << std::endl;
    for (int turn = 0; turn < (buggy("draw_after_15") ? NP - 1 : NP); turn++) {
        int i = buggy("same_player_selects") ? 0 : turn % 2, j = 1 - i;
        std::cout << "Player " << i + 1 << "'s turn to select a piece" << (buggy("turn_without_colon") ? "" : ":") << std::endl;
        Piece &p = players[i]->selectPiece();
        std::cout << p.toString() << " selected." << std::endl << std::endl;
        std::cout << "Player " << j + 1 << "'s turn to select a square:" << std::endl;
        Square &sq = players[j]->selectSquare(p);
        std::cout << sq.toString() << " selected." << std::endl << std::endl;
        board.place(p, sq);
        std::cout << board.toString() << std::endl << pool.toString() << std::endl;
        if (board.isWinning(p, sq)) {
            std::cout << "Player " << (buggy("loser_wins") ? i : j) + 1 << " has won!" << std::endl;
            return 0;
        }
    }
    std::cout << "It is a draw." << std::endl;
    while (buggy("hangs_after_the_draw")) {
    }
    return 0;
}
