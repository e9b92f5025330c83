#include "square.h"
#include "bug.h"
#include "exceptions.h"

Square::Square(Vaxis v, Haxis h) : v(v), h(h), p(nullptr) {}

Vaxis Square::getV() const { return v; }
void Square::setV(Vaxis v) { this->v = v; }
Haxis Square::getH() const { return h; }
void Square::setH(Haxis h) { this->h = h; }

const Piece &Square::getPiece() const
{
    if (isEmpty()) throw SquareException(*this, "empty");
    return *p;
}

void Square::setPiece(const Piece *p) { this->p = p; }
bool Square::isEmpty() const { return p == nullptr; }
bool Square::isOnFirstDiagonal() const { return int(v) == int(h); }
bool Square::isOnSecondDiagonal() const { return int(v) + int(h) == (buggy("second_diagonal_wrong") ? N : N - 1); }
std::string Square::toString() const { return std::string{ROWS[v], COLUMNS[h]}; }
