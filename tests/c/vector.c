/*
 * Batches: every lane follows the rules of its game, whatever the number of threads.
 */

#include "check.h"
#include "petteia.h"

#define LANES 700
#define STEPS 60

#define OK(call) CHECK((call) == PETTEIA_OK)

struct buffers {
  petteia_vector_sizes sizes;
  petteia_vector_arrays arrays;
  int64_t *actions;
};

static struct buffers allocate(const petteia_vector *vector) {
  struct buffers b;
  OK(petteia_vector_get_sizes(vector, &b.sizes));
  b.arrays.observations =
      (uint8_t *)malloc(b.sizes.num_envs * b.sizes.planes * b.sizes.rows * b.sizes.columns);
  b.arrays.action_mask = (uint8_t *)malloc(b.sizes.num_envs * b.sizes.num_actions);
  b.arrays.turns = (int8_t *)malloc(b.sizes.num_envs);
  b.arrays.rewards = (float *)malloc(2 * b.sizes.num_envs * sizeof(float));
  b.arrays.terminated = (uint8_t *)malloc(b.sizes.num_envs);
  b.actions = (int64_t *)malloc(b.sizes.num_envs * sizeof(int64_t));
  return b;
}

static void release(struct buffers *b) {
  free(b->arrays.observations);
  free(b->arrays.action_mask);
  free(b->arrays.turns);
  free(b->arrays.rewards);
  free(b->arrays.terminated);
  free(b->actions);
}

/* Checks the arrays of a lane against its position. */
static void check_lane(const petteia_vector *vector, const struct buffers *b, size_t lane) {
  petteia_position *position = NULL;
  petteia_player turn;
  petteia_outcome outcome;
  uint32_t actions[64];
  size_t moves, i, marked = 0;
  const uint8_t *mask = b->arrays.action_mask + lane * b->sizes.num_actions;
  const float *rewards = b->arrays.rewards + 2 * lane;
  float first;
  OK(petteia_vector_position(vector, lane, &position));
  OK(petteia_position_turn(position, &turn));
  OK(petteia_position_outcome(position, &outcome));
  OK(petteia_position_legal_actions(position, actions, 64, &moves));
  for (i = 0; i < b->sizes.num_actions; ++i) {
    marked += mask[i];
  }
  CHECK(marked == moves);
  for (i = 0; i < moves; ++i) {
    CHECK(mask[actions[i]] == 1);
  }
  CHECK(b->arrays.turns[lane] == (turn == PETTEIA_NOBODY ? -1 : (int)turn));
  CHECK(b->arrays.terminated[lane] == (outcome != PETTEIA_IN_PROGRESS));
  first = outcome == PETTEIA_FIRST_WINS ? 1.0f : outcome == PETTEIA_SECOND_WINS ? -1.0f : 0.0f;
  CHECK(rewards[0] == first && rewards[1] == -first);
  petteia_position_free(position);
}

static void test_game(const char *game, const char *parameters) {
  petteia_position *start = NULL, *own = NULL;
  petteia_vector *one = NULL, *three = NULL, *rolled = NULL;
  struct buffers a, b, c;
  petteia_tally tally = {0, 0, 0, 0};
  uint64_t ended = 0, plies = 0;
  size_t i, step, cells;
  OK(petteia_position_new(game, parameters, &start));
  OK(petteia_vector_new(start, LANES, 5, 1, PETTEIA_REFUSE, &one));
  OK(petteia_vector_new(start, LANES, 6, 3, PETTEIA_REFUSE, &three));
  OK(petteia_vector_new(start, LANES, 5, 2, PETTEIA_REFUSE, &rolled));
  OK(petteia_vector_seed(three, 5));
  a = allocate(one);
  b = allocate(three);
  c = allocate(rolled);
  cells = a.sizes.planes * a.sizes.rows * a.sizes.columns;
  CHECK(a.sizes.num_envs == LANES);
  OK(petteia_vector_reset(one, &a.arrays));
  OK(petteia_vector_show(three, &b.arrays));
  for (step = 0; step < STEPS; ++step) {
    for (i = 0; i < LANES; ++i) {
      plies += !a.arrays.terminated[i];
    }
    OK(petteia_vector_random_actions(one, a.actions));
    OK(petteia_vector_random_actions(three, b.actions));
    CHECK(memcmp(a.actions, b.actions, LANES * sizeof(int64_t)) == 0);
    OK(petteia_vector_step(one, a.actions, &a.arrays));
    OK(petteia_vector_step(three, b.actions, &b.arrays));
    CHECK(memcmp(a.arrays.observations, b.arrays.observations, LANES * cells) == 0);
    CHECK(memcmp(a.arrays.action_mask, b.arrays.action_mask, LANES * a.sizes.num_actions) == 0);
    CHECK(memcmp(a.arrays.turns, b.arrays.turns, LANES) == 0);
    CHECK(memcmp(a.arrays.rewards, b.arrays.rewards, 2 * LANES * sizeof(float)) == 0);
    CHECK(memcmp(a.arrays.terminated, b.arrays.terminated, LANES) == 0);
    for (i = 0; i < LANES; ++i) {
      ended += a.arrays.terminated[i];
    }
    check_lane(one, &a, step * 11 % LANES);
    /* Setting a lane to its own position changes nothing, not even its random numbers. */
    OK(petteia_vector_position(one, step, &own));
    OK(petteia_vector_set_position(one, step, own));
    petteia_position_free(own);
  }
  OK(petteia_vector_rollout(rolled, STEPS, &c.arrays, &tally));
  CHECK(memcmp(a.arrays.observations, c.arrays.observations, LANES * cells) == 0);
  CHECK(tally.first_wins + tally.second_wins + tally.draws == ended);
  CHECK(tally.plies == plies);
  release(&a);
  release(&b);
  release(&c);
  petteia_vector_free(one);
  petteia_vector_free(three);
  petteia_vector_free(rolled);
  petteia_position_free(start);
}

static void test_illegal(void) {
  petteia_position *start = NULL, *other = NULL;
  petteia_vector *vector = NULL;
  struct buffers b;
  char text[400];
  size_t length;
  OK(petteia_position_new("tictac", "X", &start));
  CHECK(petteia_vector_new(start, 0, 0, 1, PETTEIA_REFUSE, &vector) == PETTEIA_INVALID_ARGUMENT);
  CHECK(petteia_vector_new(start, SIZE_MAX, 0, 1, PETTEIA_REFUSE, &vector) == PETTEIA_INVALID_ARGUMENT);
  CHECK(petteia_vector_new(start, 3, 0, 0, PETTEIA_REFUSE, &vector) == PETTEIA_INVALID_ARGUMENT);
  CHECK(petteia_vector_new(start, 3, 0, 1, (petteia_illegal)3, &vector) == PETTEIA_INVALID_ARGUMENT);
  CHECK(vector == NULL);

  OK(petteia_vector_new(start, 3, 0, 1, PETTEIA_REFUSE, &vector));
  b = allocate(vector);
  OK(petteia_vector_reset(vector, &b.arrays));
  b.actions[0] = 4, b.actions[1] = 9, b.actions[2] = -1;
  b.arrays.turns[0] = 77;
  CHECK(petteia_vector_step(vector, b.actions, &b.arrays) == PETTEIA_ILLEGAL_MOVE);
  OK(petteia_last_error(text, sizeof text, &length));
  CHECK(strncmp(text, "lane 1: illegal move", 20) == 0);
  CHECK(b.arrays.turns[0] == 77);
  CHECK(petteia_vector_position(vector, 3, &other) == PETTEIA_INVALID_ARGUMENT);
  CHECK(petteia_vector_set_position(vector, 3, start) == PETTEIA_INVALID_ARGUMENT);
  OK(petteia_vector_position(vector, 0, &other));
  OK(petteia_position_text(other, text, sizeof text, &length));
  CHECK_TEXT(text, "___/___/___ X");
  petteia_position_free(other);
  OK(petteia_position_parse("tictac", "XX_/OO_/___ X", &other));
  OK(petteia_vector_set_position(vector, 1, other));
  petteia_position_free(other);
  b.actions[1] = 2, b.actions[2] = 0;
  OK(petteia_vector_step(vector, b.actions, &b.arrays));
  CHECK(b.arrays.terminated[1] == 1 && b.arrays.rewards[2] == 1.0f && b.arrays.rewards[3] == -1.0f);
  OK(petteia_position_new("tictac", "O", &other));
  CHECK(petteia_vector_set_position(vector, 0, other) == PETTEIA_WRONG_GAME);
  OK(petteia_last_error(text, sizeof text, &length));
  CHECK_TEXT(text, "invalid position \"___/___/___ O\": expected one of tictac X");
  petteia_position_free(other);
  OK(petteia_position_new("quarto", "", &other));
  CHECK(petteia_vector_set_position(vector, 0, other) == PETTEIA_WRONG_GAME);
  petteia_position_free(other);
  petteia_vector_free(vector);

  OK(petteia_vector_new(start, 3, 0, 1, PETTEIA_LOSE, &vector));
  b.actions[0] = 0, b.actions[1] = 99, b.actions[2] = 8;
  OK(petteia_vector_step(vector, b.actions, &b.arrays));
  CHECK(b.arrays.terminated[0] == 0 && b.arrays.terminated[1] == 1);
  CHECK(b.arrays.rewards[2] == -1.0f && b.arrays.rewards[3] == 1.0f);
  OK(petteia_vector_set_position(vector, 1, start)); /* the lost game is forgotten */
  OK(petteia_vector_show(vector, &b.arrays));
  CHECK(b.arrays.terminated[1] == 0 && b.arrays.turns[1] == 0 && b.arrays.rewards[2] == 0.0f);
  petteia_vector_free(vector);
  release(&b);
  petteia_position_free(start);
}

int main(void) {
  test_game("tictac", "O");
  test_game("breakdown", "7 6 2 3");
  test_game("reversi", "6 5");
  test_game("quarto", "");
  test_illegal();
  return PASSED();
}
