#include "pos.h"

pos make_pos(unsigned int r, unsigned int c) { return (pos){.r = r, .c = c}; }
