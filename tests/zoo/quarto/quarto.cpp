#include "quarto.h"

const char HEIGHTS[2] = {'S', 'T'}, COLORS[2] = {'B', 'E'}, SHAPES[2] = {'C', 'Q'}, TOPS[2] = {'H', 'O'};
const char ROWS[N] = {'A', 'B', 'C', 'D'}, COLUMNS[N] = {'1', '2', '3', '4'};
