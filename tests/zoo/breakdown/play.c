#include "bug.h"
#include "logic.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int column(char label)
{
    static const char labels[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const char* found = strchr(labels, label);
    return found && label ? (int)(found - labels) : -1;
}

static char entry(void)
{
    char ch;
    if (scanf("%c%*c", &ch) != 1) {
        fprintf(stderr, "the input ends before the game\n");
        exit(1);
    }
    return ch;
}

/* Reads and makes a move of the player to move; returns whether it was a move. */
static int move(game* g)
{
    char how = entry();
    int col;
    if (how == '!') {
        breakdown(g);
        return 1;
    }
    if (how != '|' && how != '-') {
        if (!BUGGY(play_silent_about_input)) {
            printf("That is no move.\n");
        }
        return BUGGY(play_keeps_turn);
    }
    printf("Which column? ");
    col = column(entry());
    if (col < 0) {
        printf("That is no column.\n");
        return 0;
    }
    if (!drop_stick(g, (unsigned int)(col + (BUGGY(play_column_off) && col > 0)), how == '|')) {
        if (!BUGGY(play_silent_about_room)) {
            printf("There is no room.\n");
        }
        return 0;
    }
    return 1;
}

static void prompt(const char* player)
{
    if (BUGGY(play_other_prompts)) {
        printf("\nIt is the turn of player %s> ", player);
    } else {
        printf("\n%s%s ", player, BUGGY(play_without_colon) ? "" : ":");
    }
}

static const char letters[] = "whkq";

int main(int argc, char** argv)
{
    unsigned int numbers[4] = {0, 0, 0, 0};
    int i, kind = -1;
    game* g;
    for (i = 1; i < argc; i++) {
        const char* letter = strchr(letters, argv[i][1]);
        if (strcmp(argv[i], "-m") == 0 || strcmp(argv[i], "-b") == 0) {
            kind = argv[i][1] == 'b';
        } else if (letter && i + 1 < argc) {
            /* The bug: the third number is the stick's, whatever its letter. */
            numbers[BUGGY(play_reads_k_first) && i == 5 ? 2 : letter - letters] = (unsigned int)atoi(argv[i + 1]);
            i++;
        }
    }
    if (kind < 0 || !numbers[0] || !numbers[1] || !numbers[2] || !numbers[3]) {
        fprintf(stderr, "usage: play -w 5 -h 3 -k 2 -q 3 (-m or -b)\n");
        return 1;
    }
    g = new_game(numbers[2], numbers[3], numbers[0], numbers[1], kind ? BITS : MATRIX);
    if (BUGGY(play_white_first)) {
        g->next = WHITE_NEXT;
    }
    board_show(g->b);
    for (;;) {
        prompt(g->next == BLACK_NEXT ? "Black" : "White");
        if (!move(g)) {
            continue;
        }
        printf("\n");
        if (!BUGGY(play_redraws_nothing)) {
            board_show(g->b);
        }
        if (game_outcome(g) != IN_PROGRESS && !BUGGY(play_never_ends)) {
            break;
        }
        g->next = g->next == BLACK_NEXT ? WHITE_NEXT : BLACK_NEXT;
    }
    printf("\n%s\n", game_outcome(g) == DRAW ? "A draw!" : game_outcome(g) == BLACK_WIN ? "Black has won!" : "White has won!");
    if (BUGGY(play_reads_too_far)) {
        int* three = calloc(3, sizeof(int));
        i = 3;
        fprintf(stderr, "%s", three[i] > 0 ? " " : "");
        free(three);
    }
    while (BUGGY(play_loops_at_the_end)) {
    }
    game_free(g);
    return 0;
}
