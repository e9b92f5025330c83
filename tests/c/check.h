/* Checks for the test programs, which report where they failed and are counted. */

#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned checks = 0;

/* Ends the program, with the place and the condition on stderr, unless the condition holds. */
#define CHECK(condition)                                                                  \
  do {                                                                                    \
    ++checks;                                                                             \
    if (!(condition)) {                                                                   \
      fprintf(stderr, "%s:%d: check failed: %s\n", __FILE__, __LINE__, #condition);       \
      exit(1);                                                                            \
    }                                                                                     \
  } while (0)

/* Checks that two texts are equal, and shows both if they are not. */
#define CHECK_TEXT(got, expected)                                                                  \
  do {                                                                                             \
    ++checks;                                                                                      \
    if (strcmp((got), (expected)) != 0) {                                                          \
      fprintf(stderr, "%s:%d: got\n%s\ninstead of\n%s\n", __FILE__, __LINE__, (got), (expected)); \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

/* The last line of a program. */
#define PASSED() (printf("%s: %u checks passed\n", __FILE__, checks), 0)

#endif /* CHECK_H */
