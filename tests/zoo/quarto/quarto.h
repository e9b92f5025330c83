#ifndef __QUARTO_H__
#define __QUARTO_H__

#include <string>

const int N = 4;
const int NP = N * N;

enum Height { SHORT, TALL };
enum Color { BEIGE, SEPIA };
enum Shape { CIRCLE, SQUARE };
enum Top { HOLLOW, SOLID };
enum Vaxis { A, B, C, D };
enum Haxis { H1, H2, H3, H4 };

extern const char HEIGHTS[2], COLORS[2], SHAPES[2], TOPS[2], ROWS[N], COLUMNS[N];

#endif
