/* A correct implementation, in which BUG=name in the environment turns on one named bug. */

#ifndef _BUG_H
#define _BUG_H

#include <stdlib.h>
#include <string.h>

static inline int buggy(const char* name)
{
    static const char* bug;
    if (bug == NULL) {
        bug = getenv("BUG") ? getenv("BUG") : "";
    }
    return bug[0] && strcmp(bug, name) == 0;
}

#define BUGGY(name) buggy(#name)

#endif
