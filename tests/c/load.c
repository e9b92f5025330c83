/*
 * Loads a library 3,000 times, uses it from another thread each time, and unloads it. Its argument is the library.
 *
 * The calls leave something behind in the thread (the last error) and in the process (threads of the library's own).
 */

#include "check.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>

#include "petteia.h"

/* Finds a function. C has no cast from the pointer that dlsym returns. */
#define FIND(function, library)                         \
  do {                                                  \
    void *found = dlsym(library, "petteia_" #function); \
    CHECK(found != NULL);                               \
    memcpy(&(function), &found, sizeof(function));      \
  } while (0)

static void *use(void *library) {
  petteia_status (*position_new)(const char *, const char *, petteia_position **);
  petteia_status (*perft_options_defaults)(petteia_perft_options *, size_t);
  petteia_status (*position_perft)(const petteia_position *, uint32_t, const petteia_perft_options *, uint64_t *);
  petteia_status (*last_error)(char *, size_t, size_t *);
  void (*position_free)(petteia_position *);
  petteia_position *position = NULL;
  petteia_perft_options options;
  uint64_t count = 0;
  size_t length = 0;
  FIND(position_new, library);
  FIND(perft_options_defaults, library);
  FIND(position_perft, library);
  FIND(last_error, library);
  FIND(position_free, library);
  CHECK(position_new("chess", "", &position) == PETTEIA_PARSE_ERROR);
  CHECK(last_error(NULL, 0, &length) == PETTEIA_OK && length > 0);
  CHECK(position_new("tictac", "X", &position) == PETTEIA_OK);
  CHECK(perft_options_defaults(&options, sizeof options) == PETTEIA_OK);
  options.threads = 2;
  CHECK(position_perft(position, 3, &options, &count) == PETTEIA_OK && count == 9 * 8 * 7);
  position_free(position);
  return NULL;
}

int main(int count, char **arguments) {
  int i;
  CHECK(count == 2);
  for (i = 0; i < 3000; ++i) {
    pthread_t thread;
    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) fprintf(stderr, "%s\n", dlerror());
    CHECK(library != NULL);
    CHECK(pthread_create(&thread, NULL, use, library) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(dlclose(library) == 0);
  }
  return PASSED();
}
