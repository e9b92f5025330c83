/* Where a program written for the course looks for its places on the board. */
#include "../breakdown.h"
