#include "player.h"
#include "bug.h"
#include "exceptions.h"
#include <cstdlib>
#include <iostream>

class HumanPlayer : public Player {
public:
    HumanPlayer() : Player(nullptr, nullptr) {}

    void sit(Board *b, Pool *p)
    {
        board = b;
        pool = p;
    }

    Piece &selectPiece() override
    {
        for (;;) {
            std::string word = ask(buggy("prompt_without_colon") ? "Enter a piece" : "Enter a piece:");
            try {
                return pool->getUnusedPiece(word);
            } catch (const UsedPieceException &e) {
                if (!buggy("no_message_for_used")) std::cout << e.what() << std::endl;
            } catch (const InvalidInputException &e) {
                while (buggy("hangs_on_invalid")) {
                }
                std::cout << e.what() << std::endl;
            }
        }
    }

    Square &selectSquare(const Piece &) override
    {
        for (;;) {
            std::string word = ask("Enter a position:");
            try {
                return board->getEmptySquare(word);
            } catch (const GameException &e) {
                std::cout << e.what() << std::endl;
            }
        }
    }

private:
    static std::string ask(const char *prompt)
    {
        std::string word;
        std::cout << prompt;
        if (!(std::cin >> word)) std::exit(1);
        return word;
    }
};

class MyopicPlayer : public Player {
public:
    MyopicPlayer() : Player(nullptr, nullptr) {}

    void sit(Board *b, Pool *p)
    {
        board = b;
        pool = p;
    }

    Piece &selectPiece() override
    {
        Piece *good[NP], *all[NP];
        int goods = 0, alls = 0;
        for (int i = 0; i < NP; i++) {
            try {
                Piece &p = pool->getUnusedPiece(Height(i >> 3 & 1), Color(i >> 2 & 1), Shape(i >> 1 & 1), Top(i & 1));
                all[alls++] = &p;
                if (!winning(p)) good[goods++] = &p;
            } catch (const UsedPieceException &) {
            }
        }
        if (goods && !buggy("myopic_bad_piece")) return *good[rand() % goods];
        return *all[rand() % alls];
    }

    Square &selectSquare(const Piece &p) override
    {
        Square *empty[NP];
        int count = 0;
        if (Square *sq = winning(p)) return *sq;
        for (int i = 0; i < NP; i++) {
            Square &sq = board->getSquare(Vaxis(i / N), Haxis(i % N));
            if (sq.isEmpty()) empty[count++] = &sq;
        }
        return *empty[rand() % count];
    }

private:
    Square *winning(const Piece &p)
    {
        Square *found = nullptr;
        for (int i = 0; i < NP && !(found && !buggy("myopic_last_square")); i++) {
            Square &sq = board->getSquare(Vaxis(i / N), Haxis(i % N));
            if (sq.isEmpty() && board->isWinning(p, sq)) found = &sq;
        }
        return found;
    }
};

static HumanPlayer human;
static MyopicPlayer myopic;

Player *getHumanPlayer(Board *b, Pool *p)
{
    human.sit(b, p);
    return &human;
}

Player *getMyopicPlayer(Board *b, Pool *p, unsigned int seed)
{
    srand(seed);
    myopic.sit(b, p);
    return &myopic;
}
