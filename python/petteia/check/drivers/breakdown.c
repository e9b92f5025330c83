/*
 * Calls the functions of a Breakdown implementation on request.
 *
 *     driver ANSWERS OUTPUT SECONDS MEGABYTES
 *
 * A request on stdin is a count and that many integers: calls, each a number and its arguments. The answers go to the
 * file ANSWERS, which petteia maps too, so they survive a crash. One byte on stdout says that a request is done. The
 * implementation's own output goes to the file OUTPUT.
 */

#define _GNU_SOURCE
#include "board.h"
#include "logic.h"
#include "pos.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NEW_GAME, DROP_STICK, BREAKDOWN, OUTCOME, SET, GET, SHOW, CELLS, WORDS, NEXT, FREE_GAME, SET_OFF, GET_OFF, MAKE_POS,
       NEW_BOARD, FREE_BOARD, STRUCT };

#define ANSWERS (1 << 18)
#define BLOCKS (1 << 14)

/* Shared with petteia's process. */
static volatile struct shared {
  int used;      /* integers in answers */
  int refused;   /* whether an allocation failed */
  int returned;  /* whether a call that should have ended the program returned */
  int answers[ANSWERS];
} *shared;

/* The memory allocated since the request began and not yet freed. */
static struct block { void *start; size_t size; } blocks[BLOCKS];
static int block_count, recording, lost;

static void *recorded(void *start, size_t size) {
  if (!start && size) {
    if (shared) shared->refused = 1;
  } else if (start && recording) {
    if (block_count < BLOCKS) {
      blocks[block_count].start = start;
      blocks[block_count++].size = size;
    } else {
      lost = 1;
    }
  }
  return start;
}

static void forget(const void *start) {
  int i;
  if (!start) return;
  for (i = block_count - 1; i >= 0; --i) {
    if (blocks[i].start == start) {
      blocks[i] = blocks[--block_count];
      return;
    }
  }
}

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifdef SANITIZED
#define RECORDS 1
int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t), void (*)(const volatile void *));
static void on_malloc(const volatile void *start, size_t size) { recorded((void *)start, size); }
static void on_free(const volatile void *start) { forget((const void *)start); }
#elif defined(__GLIBC__)
#define RECORDS 1
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void __libc_free(void *);
void *malloc(size_t size) { return recorded(__libc_malloc(size), size); }
void *calloc(size_t count, size_t size) { return recorded(__libc_calloc(count, size), count * size); }
void *realloc(void *start, size_t size) {
  void *moved = __libc_realloc(start, size);
  if (moved || !size) forget(start);
  return recorded(moved, size);
}
void free(void *start) {
  forget(start);
  __libc_free(start);
}
#else
#define RECORDS 0
#endif

static int output;
static double seconds;
static game *g;
static board *b;

static void answer(int value) {
  if (shared->used < ANSWERS) shared->answers[shared->used++] = value;
}

/* Limits the processor time from here on: SIGPROF kills a process that takes longer. */
static void start_clock(void) {
  struct itimerval timer = {{0, 0}, {0, 0}};
  timer.it_value.tv_sec = (time_t)seconds;
  timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
  setitimer(ITIMER_PROF, &timer, NULL);
}

/* Makes a call that should end the program, in a child process. */
static void answer_death(int call, pos p, int value) {
  int status = 0;
  pid_t child;
  shared->returned = 0;
  fflush(stdout);
  child = fork();
  if (child == 0) {
    start_clock();
    if (call == SET_OFF) board_set(b, p, (cell)value);
    else board_get(b, p);
    shared->returned = 1;
    _exit(0);
  }
  waitpid(child, &status, 0);
  answer(shared->returned);
  answer(WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status));
}

static void answer_show(void) {
  static char text[1 << 16];
  ssize_t i, length;
  fflush(stdout);
  if (ftruncate(output, 0)) _exit(3);
  lseek(output, 0, SEEK_SET);
  board_show(b);
  fflush(stdout);
  length = pread(output, text, sizeof text, 0);
  for (i = 0; i < length; ++i) answer((unsigned char)text[i]);
}

/* Answers with the size of the block that holds the bits, or -1 if it is unknown, and the words inside it. */
static void answer_words(void) {
  size_t i, count = ((size_t)b->width * b->height + 15) / 16, size = (size_t)-1;
  int j;
  for (j = 0; j < block_count; ++j) {
    if (blocks[j].start == (void *)b->u.bits) size = blocks[j].size;
  }
  answer(RECORDS && !lost ? (int)size : -1);
  if (size < count * sizeof(unsigned int)) count = size / sizeof(unsigned int);
  for (i = 0; i < count; ++i) answer((int)b->u.bits[i]);
}

static void answer_freed(void) {
  int i, bytes = 0;
  for (i = 0; i < block_count; ++i) bytes += (int)blocks[i].size;
  answer(RECORDS && !lost ? block_count : 0);
  answer(bytes);
}

static const int *call(const int *at) {
  unsigned int r, c;
  int length = shared->used, number = *at++, value;
  pos p;
  answer(0);
  switch (number) {
    case NEW_GAME:
      g = new_game((unsigned)at[3], (unsigned)at[4], (unsigned)at[1], (unsigned)at[2], at[0] ? BITS : MATRIX);
      at += 5;
      b = g ? g->b : NULL;
      answer(g != NULL && b != NULL);
      break;
    case STRUCT:
      answer((int)g->stick), answer((int)g->square), answer(g->next == BLACK_NEXT ? 0 : g->next == WHITE_NEXT ? 1 : 2);
      answer((int)b->width), answer((int)b->height), answer(b->type == MATRIX ? 0 : b->type == BITS ? 1 : 2);
      break;
    case DROP_STICK:
      value = drop_stick(g, (unsigned)at[0], at[1]);
      at += 2;
      answer(value != 0), answer(g->next == BLACK_NEXT ? 0 : g->next == WHITE_NEXT ? 1 : 2);
      break;
    case BREAKDOWN:
      breakdown(g);
      answer(g->next == BLACK_NEXT ? 0 : g->next == WHITE_NEXT ? 1 : 2);
      break;
    case OUTCOME: {
      outcome how = game_outcome(g);
      answer(how == BLACK_WIN ? 0 : how == WHITE_WIN ? 1 : how == DRAW ? 2 : how == IN_PROGRESS ? 3 : 4);
      answer(g->next == BLACK_NEXT ? 0 : g->next == WHITE_NEXT ? 1 : 2);
      break;
    }
    case SET:
      p.r = (unsigned)at[0], p.c = (unsigned)at[1];
      board_set(b, p, at[2] == 0 ? EMPTY : at[2] == 1 ? BLACK : WHITE);
      at += 3;
      break;
    case GET: {
      cell found;
      p.r = (unsigned)at[0], p.c = (unsigned)at[1];
      at += 2;
      found = board_get(b, p);
      answer(found == EMPTY ? 0 : found == BLACK ? 1 : found == WHITE ? 2 : 3);
      break;
    }
    case SHOW: answer_show(); break;
    case CELLS:
      for (r = 0; r < b->height; ++r) {
        for (c = 0; c < b->width; ++c) {
          cell found;
          p.r = r, p.c = c;
          found = board_get(b, p);
          answer(found == EMPTY ? 0 : found == BLACK ? 1 : found == WHITE ? 2 : 3);
        }
      }
      break;
    case WORDS: answer_words(); break;
    case NEXT: g->next = *at++ ? WHITE_NEXT : BLACK_NEXT; break;
    case FREE_GAME: game_free(g), g = NULL, b = NULL, answer_freed(); break;
    case SET_OFF:
      p.r = (unsigned)at[0], p.c = (unsigned)at[1];
      answer_death(number, p, at[2]);
      at += 3;
      break;
    case GET_OFF:
      p.r = (unsigned)at[0], p.c = (unsigned)at[1];
      answer_death(number, p, 0);
      at += 2;
      break;
    case MAKE_POS:
      p = make_pos((unsigned)at[0], (unsigned)at[1]);
      at += 2;
      answer((int)p.r), answer((int)p.c);
      break;
    case NEW_BOARD:
      b = board_new((unsigned)at[1], (unsigned)at[2], at[0] ? BITS : MATRIX);
      at += 3;
      answer(b != NULL);
      break;
    case FREE_BOARD: board_free(b), b = NULL, answer_freed(); break;
  }
  /* The length is written last: an answer without one is incomplete. */
  shared->answers[length] = shared->used - length;
  return at;
}

static int read_all(void *into, size_t size) {
  size_t got = 0;
  while (got < size) {
    ssize_t n = read(STDIN_FILENO, (char *)into + got, size - got);
    if (n <= 0) return 0;
    got += (size_t)n;
  }
  return 1;
}

int main(int argc, char **argv) {
  static int request[1 << 16];
  static char buffer[1 << 14];
  int count, answers, control = dup(STDOUT_FILENO);
  if (argc != 5) return 2;
  answers = open(argv[1], O_RDWR);
  output = open(argv[2], O_RDWR | O_APPEND);
  seconds = atof(argv[3]);
#ifndef SANITIZED
  {
    struct rlimit memory;
    memory.rlim_cur = memory.rlim_max = (rlim_t)atol(argv[4]) << 20;
    setrlimit(RLIMIT_AS, &memory);
  }
#endif
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, answers, 0);
  if (shared == MAP_FAILED || dup2(output, STDOUT_FILENO) < 0 || setvbuf(stdout, buffer, _IOFBF, sizeof buffer)) return 2;
#ifdef SANITIZED
  __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
#endif
  while (read_all(&count, sizeof count) && count >= 0 && count <= 1 << 16 && read_all(request, sizeof *request * (size_t)count)) {
    const int *at = request, *end = request + count;
    block_count = lost = 0;
    recording = 1;
    shared->used = shared->refused = 0;
    fflush(stdout);
    if (ftruncate(output, 0)) return 3;
    start_clock();
    while (at < end) at = call(at);
    fflush(stdout);
    recording = 0;
    if (write(control, "", 1) != 1) return 0;
  }
  return 0;
}
