/* Where a program written for the course looks for its board. */
#include "../breakdown.h"
