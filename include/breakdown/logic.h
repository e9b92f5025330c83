/* Where a program written for the course looks for the rules. */
#include "../breakdown.h"
