#include "piece.h"
#include "bug.h"

Piece::Piece(Height h, Color c, Shape s, Top t) : h(h), c(c), s(s), t(t), used(false) {}

bool Piece::compareHeight(const Piece &p) const { return h == p.h; }
bool Piece::compareColor(const Piece &p) const { return c == p.c; }
bool Piece::compareShape(const Piece &p) const { return buggy("swaps_shape_and_top") ? t == p.t : s == p.s; }
bool Piece::compareTop(const Piece &p) const { return buggy("swaps_shape_and_top") ? s == p.s : t == p.t; }
bool Piece::isUsed() const { return used; }
void Piece::setUsed(bool u) { used = u; }

std::string Piece::toString() const
{
    return std::string{HEIGHTS[h], COLORS[c], SHAPES[s], TOPS[t]};
}
