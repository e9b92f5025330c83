/*
 * Many threads at once, each with its own games, boards and errors; and handles that move between threads.
 */

#include <pthread.h>

#include "breakdown.h"
#include "check.h"
#include "petteia.h"

#define THREADS 8
#define ROUNDS 40

/* Like CHECK, but without the counter, which is not for several threads. */
#define MUST(condition)                                                                   \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      fprintf(stderr, "%s:%d: check failed: %s\n", __FILE__, __LINE__, #condition);       \
      exit(1);                                                                            \
    }                                                                                     \
  } while (0)

struct job {
  unsigned number;
  petteia_position *start; /* made by the main thread, freed by this one */
  petteia_tally tally;
};

/* One handler serves all threads. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned reported = 0;

static void count(const char *message, void *user) {
  (void)message;
  pthread_mutex_lock(&lock);
  ++*(unsigned *)user;
  pthread_mutex_unlock(&lock);
}

static void play_breakdown(struct job *job) {
  game *g = new_game(2, 3, 5 + job->number, 6, job->number % 2 ? BITS : MATRIX);
  unsigned i;
  for (i = 0; game_outcome(g) == IN_PROGRESS && i < 200; ++i) {
    g->next = i % 2 ? WHITE_NEXT : BLACK_NEXT;
    if (!drop_stick(g, (i * 7 + job->number) % g->b->width, (int)(i % 3))) {
      breakdown(g);
    }
  }
  board_get(g->b, make_pos(99, 99)); /* an error for the handler */
  game_free(g);
}

static void play_reversi(struct job *job, unsigned round) {
  petteia_position *game = NULL;
  uint32_t actions[64];
  size_t moves, i = round;
  char text[256], wrong[16];
  MUST(petteia_reversi_new(2 + job->number % 7, 2 + round % 7, &game) == PETTEIA_OK);
  while (petteia_position_legal_actions(game, actions, 64, &moves) == PETTEIA_OK && moves > 0) {
    MUST(petteia_position_play(game, actions[i++ % moves]) == PETTEIA_OK);
  }
  /* every thread has its own last error */
  sprintf(wrong, "x%u", job->number);
  MUST(petteia_position_play_notation(game, wrong) == PETTEIA_PARSE_ERROR);
  MUST(petteia_last_error(text, sizeof text, &moves) == PETTEIA_OK);
  sprintf(wrong, "\"x%u\"", job->number);
  MUST(strstr(text, wrong) != NULL);
  petteia_position_free(game);
}

static void *work(void *argument) {
  struct job *job = (struct job *)argument;
  petteia_playouts_options options;
  unsigned round;
  for (round = 0; round < ROUNDS; ++round) {
    play_breakdown(job);
    play_reversi(job, round);
  }
  MUST(petteia_playouts_options_init(&options) == PETTEIA_OK);
  options.first = job->number * 50;
  options.seed = 1;
  MUST(petteia_position_playouts(job->start, 50, &options, &job->tally) == PETTEIA_OK);
  petteia_position_free(job->start);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  struct job jobs[THREADS];
  petteia_position *start = NULL;
  petteia_tally whole, sum = {0, 0, 0, 0};
  petteia_playouts_options options;
  unsigned i;
  petteia_set_error_handler(count, &reported);
  CHECK(petteia_quarto_new(&start) == PETTEIA_OK);
  for (i = 0; i < THREADS; ++i) {
    memset(&jobs[i], 0, sizeof jobs[i]);
    jobs[i].number = i;
    CHECK(petteia_position_clone(start, &jobs[i].start) == PETTEIA_OK);
    CHECK(pthread_create(&threads[i], NULL, work, &jobs[i]) == 0);
  }
  for (i = 0; i < THREADS; ++i) {
    CHECK(pthread_join(threads[i], NULL) == 0);
    sum.first_wins += jobs[i].tally.first_wins;
    sum.second_wins += jobs[i].tally.second_wins;
    sum.draws += jobs[i].tally.draws;
    sum.plies += jobs[i].tally.plies;
  }
  CHECK(reported == THREADS * ROUNDS);
  CHECK(petteia_playouts_options_init(&options) == PETTEIA_OK);
  options.seed = 1;
  options.threads = 2;
  CHECK(petteia_position_playouts(start, THREADS * 50, &options, &whole) == PETTEIA_OK);
  CHECK(memcmp(&whole, &sum, sizeof sum) == 0);
  petteia_position_free(start);
  return PASSED();
}
