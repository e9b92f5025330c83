#include "pool.h"
#include "bug.h"
#include "exceptions.h"

Pool::Pool()
{
    for (int i = 0; i < NP; i++) {
        pieces[i] = Piece(Height(i >> 3 & 1), Color(i >> 2 & 1), Shape(i >> 1 & 1), Top(i & 1));
    }
}

Piece &Pool::getUnusedPiece(int index)
{
    if (pieces[index].isUsed()) throw UsedPieceException(pieces[index]);
    return pieces[index];
}

Piece &Pool::getUnusedPiece(Height h, Color c, Shape s, Top t) { return getUnusedPiece(h << 3 | c << 2 | s << 1 | t); }

Piece &Pool::getUnusedPiece(const std::string &in)
{
    for (int i = 0; i < NP; i++) {
        if (pieces[i].toString() == in) return getUnusedPiece(i);
    }
    throw InvalidInputException(in);
}

std::string Pool::toString() const
{
    std::string upper, lower;
    for (int i = 0; i < NP; i++) {
        if (!pieces[i].isUsed() || buggy("pool_lists_all")) {
            upper += pieces[i].toString().substr(0, 2) + " ";
            lower += pieces[i].toString().substr(2) + " ";
        }
    }
    return upper.empty() ? "" : "Available:\n" + upper + "\n" + lower + "\n";
}
