#include "quarto.h"

const char HCODE[] = {'S', 'T'}, CCODE[] = {'B', 'E'}, SCODE[] = {'C', 'Q'}, TCODE[] = {'H', 'O'};
const char *ALLCODE[] = {HCODE, CCODE, SCODE, TCODE};
