/* In another style: reads with getchar, words everything differently, and draws lines around what it prints. */

#include "logic.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static int typed(void)
{
    int first = getchar(), ch = first;
    while (ch != '\n' && ch != EOF) ch = getchar();
    if (first == EOF) {
        fprintf(stderr, "Nobody is there any more\n");
        exit(2);
    }
    return first;
}

static int index_of(int ch)
{
    return isdigit(ch) ? ch - '0' : isupper(ch) ? ch - 'A' + 10 : islower(ch) ? ch - 'a' + 36 : -1;
}

static int turn_of(game *g)
{
    printf("%s: ", g->next == BLACK_NEXT ? "Black" : "White");
    int ch = typed(), col;
    if (ch == '!') {
        breakdown(g);
        printf("Timber!\n");
        return 1;
    }
    if (ch != '|' && ch != '-') return printf("%c is not a move, try |, - or !\n", ch), 0;
    printf("In which column, white or black friend? ");
    col = index_of(typed());
    if (col < 0) return printf("Columns are 0-9, A-Z, a-z\n"), 0;
    if (!drop_stick(g, col, ch == '|')) return printf("Sorry, that is full\n"), 0;
    return 1;
}

int main(int argc, char **argv)
{
    unsigned int w = 0, h = 0, k = 0, q = 0, i = 1;
    enum type type = MATRIX;
    while (i < (unsigned int)argc) {
        switch (argv[i][1]) {
            case 'm': type = MATRIX; break;
            case 'b': type = BITS; break;
            case 'w': w = atoi(argv[++i]); break;
            case 'h': h = atoi(argv[++i]); break;
            case 'k': k = atoi(argv[++i]); break;
            case 'q': q = atoi(argv[++i]); break;
        }
        i++;
    }
    game *g = new_game(k, q, w, h, type);
    outcome how = game_outcome(g);
    printf("Welcome to Breakdown!\n=====================\n\n");
    while (how == IN_PROGRESS) {
        board_show(g->b);
        printf("\n");
        while (!turn_of(g)) {
        }
        printf("---------------------\n");
        how = game_outcome(g);
        g->next = g->next == BLACK_NEXT ? WHITE_NEXT : BLACK_NEXT;
    }
    board_show(g->b);
    if (how == DRAW) printf("\nThe game is a tie.\n");
    else printf("\nCongratulations, %s won and %s lost\n", how == BLACK_WIN ? "black" : "white", how == BLACK_WIN ? "white" : "black");
    game_free(g);
    return 0;
}
