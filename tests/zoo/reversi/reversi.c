/* Reversi in the line protocol of docs/conformance.md. BUG=name in the environment turns on one bug. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int buggy(const char *name)
{
    const char *bug = getenv("BUG");
    return bug && strcmp(bug, name) == 0;
}

#define BUGGY(name) buggy(#name)

static int width, height;
static char cells[8][8];
static char turn, winner;

static char other(char player)
{
    return player == 'D' ? 'L' : 'D';
}

static int on_board(int x, int y)
{
    return x >= 0 && x < width && y >= 0 && y < height;
}

/* Marks the squares gained by a move in the main phase, and returns how many tiles it flips. */
static int gains(char player, int x, int y, char gained[8][8])
{
    int dx, dy, flipped = 0;
    memset(gained, 0, 64);
    if (!on_board(x, y) || cells[y][x] != '_') {
        return 0;
    }
    for (dx = -1; dx <= 1; dx++) {
        for (dy = -1; dy <= 1; dy++) {
            int n = 1, i;
            if ((!dx && !dy) || (BUGGY(forgets_diagonals) && dx && dy) || (BUGGY(flips_one_line) && flipped)) {
                continue;
            }
            while (on_board(x + n * dx, y + n * dy) && cells[y + n * dy][x + n * dx] == other(player)) {
                n++;
            }
            if (on_board(x + n * dx, y + n * dy) ? cells[y + n * dy][x + n * dx] != player
                                                 : !BUGGY(flips_to_the_edge)) {
                continue;
            }
            for (i = 1; i < n; i++) {
                gained[y + i * dy][x + i * dx] = 1;
                flipped++;
            }
        }
    }
    gained[y][x] = flipped > 0 && !BUGGY(find_without_itself);
    return flipped;
}

static int opening(void)
{
    int cx = width / 2 - BUGGY(wrong_centre) * (width % 2 == 0 && width > 2), cy = height / 2;
    return cells[cy - 1][cx - 1] == '_' || cells[cy - 1][cx] == '_' || cells[cy][cx - 1] == '_' || cells[cy][cx] == '_';
}

static int legal(char player, int x, int y, char gained[8][8])
{
    int cx = width / 2 - BUGGY(wrong_centre) * (width % 2 == 0 && width > 2), cy = height / 2;
    if (opening()) {
        int centre = (x == cx || x == cx - 1) && (y == cy || y == cy - 1);
        memset(gained, 0, 64);
        if (!on_board(x, y) || !(centre || BUGGY(no_opening)) || cells[y][x] != '_') {
            return 0;
        }
        gained[y][x] = !BUGGY(find_without_itself);
        return 1;
    }
    if (gains(player, x, y, gained)) {
        return 1;
    }
    return BUGGY(allows_empty_moves) && on_board(x, y) && cells[y][x] == '_';
}

static int can_move(char player)
{
    int x, y;
    char gained[8][8];
    for (x = 0; x < width; x++) {
        for (y = 0; y < height; y++) {
            if (legal(player, x, y, gained)) {
                return 1;
            }
        }
    }
    return 0;
}

static void judge(void)
{
    int x, y, lead = 0;
    for (x = 0; x < width; x++) {
        for (y = 0; y < height; y++) {
            lead += (cells[y][x] == 'D') - (cells[y][x] == 'L');
        }
    }
    if (BUGGY(fewest_win)) {
        lead = -lead;
    }
    winner = lead > 0 ? 'D' : lead < 0 ? 'L' : '_';
}

static void play(int x, int y, char gained[8][8])
{
    int i, j;
    for (i = 0; i < width; i++) {
        for (j = 0; j < height; j++) {
            if (gained[j][i]) {
                cells[j][i] = turn;
            }
        }
    }
    cells[y][x] = turn;
    if (BUGGY(crashes_in_the_corner) && x == 0 && y == 0 && !opening()) {
        abort();
    }
    if (can_move(other(turn))) {
        turn = other(turn);
    } else if (BUGGY(never_skips) && can_move(turn)) {
        turn = other(turn);
    } else if (!can_move(turn) || BUGGY(ends_when_skipped)) {
        while (BUGGY(hangs_at_the_end)) {
        }
        turn = '_';
        judge();
    }
    if (BUGGY(counts_too_early)) {
        judge();
    }
}

static void show(void)
{
    int x, y;
    char gained[8][8];
    for (y = 0; y < height; y++) {
        for (x = 0; x < width; x++) {
            putchar(cells[y][x]);
        }
        putchar('\n');
    }
    printf("turn %c\nwinner %c\nmoves", turn, winner);
    for (x = 0; x < width; x++) {
        for (y = 0; y < height; y++) {
            if (turn != '_' && legal(turn, x, y, gained)) {
                printf(" %d,%d", x, y);
            }
        }
    }
    printf("\n");
}

int main(void)
{
    char command[8], gained[8][8];
    int a, b, x, y;
    while (scanf("%7s %d %d", command, &a, &b) == 3) {
        if (strcmp(command, "new") == 0) {
            width = a;
            height = b;
            memset(cells, '_', sizeof cells);
            turn = BUGGY(light_first) ? 'L' : 'D';
            winner = '_';
            show();
        } else if (turn == '_' || !legal(turn, a, b, gained)) {
            printf(strcmp(command, "play") == 0 ? "illegal\n" : "none\n");
        } else if (strcmp(command, "play") == 0) {
            play(a, b, gained);
            show();
        } else {
            printf("gains");
            for (x = 0; x < width; x++) {
                for (y = 0; y < height; y++) {
                    if (gained[y][x]) {
                        printf(" %d,%d", x, y);
                    }
                }
            }
            printf("\n");
        }
    }
    return 0;
}
