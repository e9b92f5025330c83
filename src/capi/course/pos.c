#include "course.h"

pos make_pos(unsigned int r, unsigned int c) { return petteia_course_make_pos(r, c); }
