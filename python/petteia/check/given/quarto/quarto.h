// Written for petteia from the course's document, for submissions without the course's own file.

#ifndef PETTEIA_QUARTO_H
#define PETTEIA_QUARTO_H

#include <string>

const int N = 4;
const int NP = N * N;

enum Height { SHORT, TALL };
enum Color { BEIGE, SEPIA };
enum Shape { CIRCLE, SQUARE };
enum Top { HOLLOW, SOLID };
enum Vaxis { A, B, C, D };
enum Haxis { H1, H2, H3, H4 };

// The letter of each value, and the four tables in the order of the attributes.
extern const char HCODE[], CCODE[], SCODE[], TCODE[];
extern const char *ALLCODE[];

#endif
