#include "board.h"
#include "bug.h"
#include "exceptions.h"

Board::Board()
{
    for (int v = 0; v < N; v++) {
        for (int h = 0; h < N; h++) grid[v][h] = Square(Vaxis(v), Haxis(h));
    }
}

Square &Board::getSquare(Vaxis v, Haxis h) { return grid[v][h]; }

Square &Board::getEmptySquare(Vaxis v, Haxis h)
{
    Square &sq = getSquare(v, h);
    if (buggy("crashes_on_occupied") && !sq.isEmpty()) __builtin_trap();
    if (!sq.isEmpty()) throw SquareException(sq, buggy("thrown_with_other_words") ? "empty" : "not empty");
    return sq;
}

Square &Board::getEmptySquare(const std::string &s)
{
    if (s.size() != 2 || s[0] < 'A' || s[0] > 'D' || s[1] < '1' || s[1] > '4') throw InvalidInputException(s);
    return getEmptySquare(Vaxis(s[0] - 'A'), Haxis(s[1] - '1'));
}

void Board::place(Piece &p, Square &sq)
{
    sq.setPiece(&p);
    p.setUsed(!buggy("place_forgets_used"));
}

bool Board::isWinning(const Piece &p, const Square &sq)
{
    int v = sq.getV(), h = sq.getH();
    if (buggy("not_placed_only") && !sq.isEmpty()) return false;
    for (int way = 0; way < 4; way++) {
        if (way == 2 && v != h) continue;
        if (way == 3 && (v + h != N - 1 || buggy("misses_second_diagonal"))) continue;
        if (way == 1 && buggy("misses_columns")) continue;
        bool height = true, color = true, shape = true, top = true, whole = true;
        for (int i = 0; i < N && whole; i++) {
            const Square &other = way == 0 ? grid[v][i] : way == 1 ? grid[i][h] : way == 2 ? grid[i][i] : grid[i][N - 1 - i];
            if (other.getV() == v && other.getH() == h) continue;
            whole = !other.isEmpty();
            if (!whole) continue;
            height = height && p.compareHeight(other.getPiece());
            color = color && p.compareColor(other.getPiece());
            shape = shape && p.compareShape(other.getPiece());
            top = top && p.compareTop(other.getPiece());
        }
        if (whole && (height || color || shape || top) && !buggy("needs_same_on_all")) return true;
        if (whole && buggy("needs_same_on_all") && height + color + shape + top >= 2) return true;
    }
    return false;
}

std::string Board::toString() const
{
    // As right as without: some copies of the header show the rows like this.
    const std::string more = buggy("rows_with_one_space_more") ? " " : "";
    const std::string edge = "  +----+----+----+----+\n";
    std::string text = "    1    2    3    4\n" + edge;
    for (int v = 0; v < N; v++) {
        std::string upper = more + std::string(1, char((buggy("board_in_upper_case") ? 'A' : 'a') + v)) + " |", lower = more + "  |";
        for (int h = 0; h < N; h++) {
            std::string code = grid[v][h].isEmpty() ? "    " : grid[v][h].getPiece().toString();
            upper += " " + code.substr(0, 2) + " |";
            lower += " " + code.substr(2) + " |";
        }
        text += upper + "\n" + lower + "\n" + edge;
    }
    return text;
}
