// Calls the classes of a Quarto implementation: one command per line on stdin, one answer per line on stdout.

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

#include "board.h"
#include "exceptions.h"
#include "piece.h"
#include "player.h"
#include "pool.h"
#include "quarto.h"
#include "square.h"

#ifdef PETTEIA_NAMESPACE
using namespace PETTEIA_NAMESPACE;
#endif

static std::string one_line(const std::string &text)
{
    std::string line;
    for (char c : text) line += c == '\n' ? std::string("\\n") : std::string(1, c);
    return line;
}

// The text of an exception, where the given headers have one.
template <typename Error> static auto text(const Error &error, int) -> decltype(std::string(error.what()))
{
    return std::string(error.what());
}
template <typename Error> static std::string text(const Error &, long) { return ""; }

static Vaxis row(const std::string &name) { return static_cast<Vaxis>(name[0] - 'A'); }
static Haxis column(const std::string &name) { return static_cast<Haxis>(name[1] - '1'); }

static Piece piece_of(int i)
{
    return Piece(static_cast<Height>(i >> 3 & 1), static_cast<Color>(i >> 2 & 1), static_cast<Shape>(i >> 1 & 1),
                 static_cast<Top>(i & 1));
}

int main()
{
    Board board;
    Pool pool;
    Player *myopic = nullptr;
    std::string line, command, code, name;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::ostringstream answer;
        int i = 0, j = 0;
        words >> command;
        try {
            if (command == "piece") {
                words >> i;
                answer << piece_of(i).toString();
            } else if (command == "compare") {
                words >> i >> j;
                const Piece a = piece_of(i), b = piece_of(j);
                answer << a.compareHeight(b) << a.compareColor(b) << a.compareShape(b) << a.compareTop(b);
            } else if (command == "used") {
                words >> i;
                Piece p = piece_of(i);
                answer << p.isUsed();
                p.setUsed(true);
                answer << p.isUsed();
                p.setUsed(false);
                answer << p.isUsed();
            } else if (command == "pool") {
                answer << one_line(pool.toString());
            } else if (command == "get") {
                words >> code;
                answer << pool.getUnusedPiece(code).toString();
            } else if (command == "attributes") {
                words >> i;
                answer << pool.getUnusedPiece(static_cast<Height>(i >> 3 & 1), static_cast<Color>(i >> 2 & 1),
                                              static_cast<Shape>(i >> 1 & 1), static_cast<Top>(i & 1)).toString();
            } else if (command == "place") {
                words >> code >> name;
                board.place(pool.getUnusedPiece(code), board.getSquare(row(name), column(name)));
                answer << "placed";
            } else if (command == "square") {
                words >> name;
                Square sq(row(name), column(name));
                answer << sq.toString() << sq.isEmpty() << sq.isOnFirstDiagonal() << sq.isOnSecondDiagonal();
                answer << sq.getV() << sq.getH();
            } else if (command == "piece-on") {
                words >> name;
                answer << board.getSquare(row(name), column(name)).getPiece().toString();
            } else if (command == "is-empty") {
                words >> name;
                answer << board.getSquare(row(name), column(name)).isEmpty();
            } else if (command == "empty") {
                words >> name;
                answer << board.getEmptySquare(name).toString();
            } else if (command == "empty-at") {
                words >> name;
                answer << board.getEmptySquare(row(name), column(name)).toString();
            } else if (command == "winning") {
                words >> code >> name;
                answer << board.isWinning(pool.getUnusedPiece(code), board.getSquare(row(name), column(name)));
            } else if (command == "winning-on") {
                words >> name;
                Square &sq = board.getSquare(row(name), column(name));
                answer << board.isWinning(sq.getPiece(), sq);
            } else if (command == "board") {
                answer << one_line(board.toString());
            } else if (command == "myopic") {
                words >> i;
                myopic = getMyopicPlayer(&board, &pool, static_cast<unsigned int>(i));
                answer << "ready";
            } else if (command == "select-piece") {
                answer << myopic->selectPiece().toString();
            } else if (command == "select-square") {
                words >> code;
                answer << myopic->selectSquare(pool.getUnusedPiece(code)).toString();
            }
        } catch (const UsedPieceException &error) {
            answer << "UsedPieceException:" << one_line(text(error, 0));
        } catch (const SquareException &error) {
            answer << "SquareException:" << one_line(text(error, 0));
        } catch (...) {
            answer << "another exception";
        }
        std::cout << answer.str() << std::endl;
    }
    return 0;
}
