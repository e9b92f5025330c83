/*
 * What a search needs of a position: copies, legality, keys, hashes and cells; moves on plain bitboards; refused moves;
 * and who moves next.
 */

#include "check.h"
#include "petteia.h"

#define OK(call) CHECK((call) == PETTEIA_OK)

#define STARTS 7

static const char *const starts[STARTS][2] = {{"tictac", "O"},          {"breakdown", "4 5 2 2"},
                                              {"breakdown", "9 9 2 3"}, {"breakdown", "30 20 3 4"},
                                              {"reversi", "8 8"},       {"reversi", "5 6"},
                                              {"quarto", ""}};

static char text[4096];
static size_t length;

static petteia_position *start(unsigned i) {
  petteia_position *position = NULL;
  OK(petteia_position_new(starts[i][0], starts[i][1], &position));
  return position;
}

static petteia_position *parse(const char *game, const char *line) {
  petteia_position *position = NULL;
  OK(petteia_position_parse(game, line, &position));
  return position;
}

static petteia_position *clone(const petteia_position *position) {
  petteia_position *copy = NULL;
  OK(petteia_position_clone(position, &copy));
  return copy;
}

static bool equal(const petteia_position *a, const petteia_position *b) {
  bool answer;
  OK(petteia_position_equal(a, b, &answer));
  return answer;
}

static const char *last_error(void) {
  OK(petteia_last_error(text, sizeof text, &length));
  return text;
}

/* Plays the legal move of some number; returns false if the game is over. */
static bool play_some(petteia_position *position, size_t number) {
  uint32_t actions[256];
  OK(petteia_position_legal_actions(position, actions, 256, &length));
  if (length == 0) {
    return false;
  }
  OK(petteia_position_play(position, actions[number % length]));
  return true;
}

/* Every position becomes a copy of every other, whatever it was before. */
static void test_copies(void) {
  petteia_position *positions[STARTS + 1], *dst, *before;
  unsigned i, k, ply;
  for (i = 0; i < STARTS; ++i) {
    positions[i] = start(i);
    for (ply = 0; ply < 3; ++ply) {
      play_some(positions[i], ply);
    }
  }
  positions[STARTS] = start(3);
  for (i = 0; i <= STARTS; ++i) {
    for (k = 0; k <= STARTS; ++k) {
      dst = clone(positions[i]);
      before = clone(positions[k]);
      OK(petteia_position_copy(dst, positions[k]));
      CHECK(equal(dst, positions[k]) && (i == k || !equal(dst, positions[i])));
      /* It is a position of its own. */
      play_some(dst, 1);
      CHECK(!equal(dst, positions[k]) && equal(positions[k], before));
      petteia_position_free(before);
      petteia_position_free(dst);
    }
    before = clone(positions[i]);
    OK(petteia_position_copy(positions[i], positions[i]));
    CHECK(equal(positions[i], before));
    petteia_position_free(before);
  }
  for (i = 0; i <= STARTS; ++i) {
    petteia_position_free(positions[i]);
  }
}

/* An action is legal if it is listed, and if it can be played. */
static void test_legality(void) {
  unsigned i;
  for (i = 0; i < STARTS; ++i) {
    petteia_position *position = start(i), *next = start(0);
    size_t ply = 0;
    do {
      uint32_t listed[256], actions, action;
      bool legal;
      size_t found = 0;
      OK(petteia_position_num_actions(position, &actions));
      OK(petteia_position_legal_actions(position, listed, 256, &length));
      for (action = 0; action < actions + 3; ++action) {
        bool expected = found < length && listed[found] == action;
        found += expected;
        OK(petteia_position_is_legal(position, action, &legal));
        CHECK(legal == expected);
        OK(petteia_position_copy(next, position));
        CHECK(petteia_position_play(next, action) == (expected ? PETTEIA_OK : PETTEIA_ILLEGAL_MOVE));
        CHECK(equal(next, position) != expected);
      }
      CHECK(found == length);
      OK(petteia_position_is_legal(position, UINT32_MAX, &legal));
      CHECK(!legal);
    } while (++ply < 60 && play_some(position, ply * ply));
    petteia_position_free(position);
    petteia_position_free(next);
  }
}

/* The message of a refused move is about the position as it was, even if that has changed or is gone. */
static void test_refused(void) {
  petteia_position *position = parse("tictac", "X__/___/___ O");
  CHECK(petteia_position_play(position, 0) == PETTEIA_ILLEGAL_MOVE);
  OK(petteia_position_play(position, 4));
  CHECK_TEXT(last_error(),
             "illegal move \"A1\" in tictac \"X__/___/___ O\": the legal moves are A2 A3 B1 B2 B3 C1 C2 C3");
  CHECK(petteia_position_play(position, 99) == PETTEIA_ILLEGAL_MOVE);
  petteia_position_free(position);
  CHECK_TEXT(last_error(),
             "illegal move \"action 99\" in tictac \"X__/_O_/___ X\": the legal moves are A2 A3 B1 B3 C1 C2 C3");

  position = start(3);
  CHECK(petteia_position_play(position, 58) == PETTEIA_ILLEGAL_MOVE);
  OK(petteia_position_play(position, 60));
  CHECK(strstr(last_error(), "illegal move \"-S\" in breakdown \"....") == text);
  petteia_position_free(position);
}

/* Bitboards give the moves and the flips of the handle. */
static void test_bitboards(void) {
  uint32_t width, height, square;
  unsigned skipped = 0;
  for (width = 2; width <= 8; ++width) {
    for (height = 2; height <= 8; ++height) {
      petteia_position *position = NULL;
      size_t ply;
      OK(petteia_reversi_new(width, height, &position));
      for (ply = 0; ply == 0 || play_some(position, ply * ply + width); ++ply) {
        uint64_t tiles[2], legal, gained, own, opponent;
        petteia_player turn;
        OK(petteia_reversi_tiles(position, PETTEIA_FIRST, &tiles[0]));
        OK(petteia_reversi_tiles(position, PETTEIA_SECOND, &tiles[1]));
        OK(petteia_position_turn(position, &turn));
        OK(petteia_reversi_legal(position, &legal));
        if (ply < 4) {
          continue;
        }
        own = tiles[turn == PETTEIA_SECOND];
        opponent = tiles[turn != PETTEIA_SECOND];
        CHECK(petteia_reversi_moves(own, opponent, width, height) == legal);
        CHECK(legal != 0 || petteia_reversi_moves(opponent, own, width, height) == 0);
        /* Whoever moved last moves again if the other has no move. */
        if (ply % 2 == (size_t)(turn == PETTEIA_FIRST)) {
          ++skipped;
        }
        for (square = 0; square < 64; ++square) {
          uint64_t bit = UINT64_C(1) << square, flips = petteia_reversi_flips(square, own, opponent);
          OK(petteia_reversi_find_move(position, square % 8, square / 8, &gained));
          CHECK(((legal & bit) != 0) == (gained != 0));
          CHECK(!(legal & bit) || (flips | bit) == gained);
          CHECK((flips & ~opponent) == 0 && (((own | opponent) & bit) == 0 || flips == 0));
        }
        CHECK(petteia_reversi_flips(64, own, opponent) == 0);
        CHECK(petteia_reversi_flips(UINT32_MAX, own, opponent) == 0);
      }
      petteia_position_free(position);
    }
  }
  CHECK(skipped > 0);
  /* What is no board has no moves. */
  {
    const uint64_t own = PETTEIA_REVERSI_SQUARE(3, 3), opponent = PETTEIA_REVERSI_SQUARE(4, 3);
    CHECK(petteia_reversi_moves(own, opponent, 8, 8) == PETTEIA_REVERSI_SQUARE(5, 3));
    CHECK(petteia_reversi_moves(own, opponent, 6, 4) == PETTEIA_REVERSI_SQUARE(5, 3));
    CHECK(petteia_reversi_moves(own, opponent, 5, 4) == 0);
    CHECK(petteia_reversi_moves(own, opponent, 4, 4) == 0 && petteia_reversi_moves(own, opponent, 6, 3) == 0);
    CHECK(petteia_reversi_moves(own, opponent | own, 8, 8) == 0);
    CHECK(petteia_reversi_moves(own, opponent, 9, 8) == 0 && petteia_reversi_moves(own, opponent, 8, 9) == 0);
    CHECK(petteia_reversi_moves(own, opponent, 1, 8) == 0 && petteia_reversi_moves(own, opponent, 8, 0) == 0);
    CHECK(petteia_reversi_moves(own, opponent, UINT32_MAX, 8) == 0);
    CHECK(petteia_reversi_moves(0, 0, 8, 8) == 0);
    CHECK(petteia_reversi_flips(29, own, opponent) == opponent);
    CHECK(petteia_reversi_flips(29, own, opponent | own) == 0);
    CHECK(petteia_reversi_flips(27, own, opponent) == 0 && petteia_reversi_flips(28, own, opponent) == 0);
  }
}

/* Positions have the same key exactly if they are equal, and then the same hash. */
static void test_keys(void) {
  enum { MOST = 200 };
  static petteia_position *positions[MOST];
  static uint64_t keys[MOST][2], hashes[MOST];
  unsigned i, game, a, b;
  for (i = 0; i < STARTS; ++i) {
    unsigned count = 0;
    bool keyless = i == 2 || i == 3;
    for (game = 0; game < 6; ++game) {
      petteia_position *position = start(i);
      size_t ply = 0;
      do {
        CHECK(count < MOST);
        keys[count][0] = keys[count][1] = 77;
        if (keyless) {
          CHECK(petteia_position_key(position, keys[count]) == PETTEIA_UNAVAILABLE);
          CHECK(keys[count][0] == 77 && keys[count][1] == 77);
        } else {
          OK(petteia_position_key(position, keys[count]));
        }
        OK(petteia_position_hash(position, &hashes[count]));
        positions[count++] = clone(position);
      } while (++ply < 30 && play_some(position, game * ply));
      petteia_position_free(position);
    }
    for (a = 0; a < count; ++a) {
      for (b = 0; b < a; ++b) {
        bool same = equal(positions[a], positions[b]);
        CHECK(keyless || same == (memcmp(keys[a], keys[b], sizeof keys[a]) == 0));
        CHECK(same == (hashes[a] == hashes[b]));
      }
    }
    while (count > 0) {
      petteia_position_free(positions[--count]);
    }
  }
  CHECK(strstr(last_error(), "no key for breakdown 30 20 3 4: expected a smaller board") != NULL);
  /* Only the turn differs. */
  {
    petteia_position *black = parse("breakdown", "*o../*.../*.../o... b 3 2");
    petteia_position *white = parse("breakdown", "*o../*.../*.../o... w 3 2");
    OK(petteia_position_key(black, keys[0]));
    OK(petteia_position_key(white, keys[1]));
    CHECK(memcmp(keys[0], keys[1], sizeof keys[0]) != 0);
    petteia_position_free(black);
    petteia_position_free(white);
  }
}

/* The cells are those that the games' own functions read. */
static void test_cells(void) {
  static const uint8_t tictac[] = {1, 0, 2, 0, 1, 0, 0, 0, 0};
  static const uint8_t quarto[] = {0, 255, 255, 255, 255, 15, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
  uint8_t cells[640];
  unsigned i;
  petteia_position *position = parse("tictac", "O_X/_O_/___ X");
  OK(petteia_position_cells(position, cells, sizeof cells, &length));
  CHECK(length == 9 && memcmp(cells, tictac, 9) == 0);
  /* As much as there is room for, and the number of all. */
  memset(cells, 77, sizeof cells);
  OK(petteia_position_cells(position, cells, 3, &length));
  CHECK(length == 9 && cells[2] == 2 && cells[3] == 77);
  OK(petteia_position_cells(position, NULL, 0, &length));
  CHECK(length == 9);
  petteia_position_free(position);

  position = parse("quarto", "0.../.f../..../.... 5 2");
  OK(petteia_position_cells(position, cells, sizeof cells, &length));
  CHECK(length == 16 && memcmp(cells, quarto, 16) == 0);
  petteia_position_free(position);

  for (i = 1; i <= 5; ++i) {
    bool reversi = i >= 4;
    int64_t width, height, x, y;
    size_t ply;
    position = start(i);
    for (ply = 0; ply < 25; ++ply) {
      play_some(position, ply);
    }
    OK(petteia_position_parameter(position, "width", &width));
    OK(petteia_position_parameter(position, "height", &height));
    OK(petteia_position_cells(position, cells, sizeof cells, &length));
    CHECK(length == (size_t)(width * height));
    for (y = 0; y < height; ++y) {
      for (x = 0; x < width; ++x) {
        petteia_player owner;
        OK(reversi ? petteia_reversi_get(position, (unsigned)x, (unsigned)y, &owner)
                   : petteia_breakdown_get(position, (unsigned)y, (unsigned)x, &owner));
        CHECK(cells[y * width + x] == (owner == PETTEIA_NOBODY ? 0 : owner == PETTEIA_FIRST ? 1 : 2));
      }
    }
    petteia_position_free(position);
  }
}

/* Which plies change the turn: what the header says for negamax. */
static void test_turns(void) {
  unsigned i, game, again[STARTS] = {0};
  for (i = 0; i < STARTS; ++i) {
    for (game = 0; game < 10; ++game) {
      petteia_position *position = start(i);
      petteia_player before, after;
      size_t ply;
      for (ply = 0; ply < 80; ++ply) {
        OK(petteia_position_turn(position, &before));
        if (!play_some(position, game * ply + ply / 3)) {
          break;
        }
        OK(petteia_position_turn(position, &after));
        again[i] += before == after;
        /* Whoever selects a piece hands it over; whoever places it selects the next. */
        CHECK(strcmp(starts[i][0], "quarto") != 0 || after == PETTEIA_NOBODY || (before == after) == (ply % 2 == 1));
      }
      petteia_position_free(position);
    }
    CHECK((again[i] > 0) == (strcmp(starts[i][0], "reversi") == 0 || strcmp(starts[i][0], "quarto") == 0));
  }
}

int main(void) {
  test_copies();
  test_legality();
  test_refused();
  test_bitboards();
  test_keys();
  test_cells();
  test_turns();
  return PASSED();
}
