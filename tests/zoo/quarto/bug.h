// A correct implementation, in which BUG=name in the environment turns on one named bug.

#ifndef __BUG_H__
#define __BUG_H__

#include <cstdlib>
#include <cstring>

inline bool buggy(const char *name)
{
    const char *bug = std::getenv("BUG");
    return bug && std::strcmp(bug, name) == 0;
}

#endif
