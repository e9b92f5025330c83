// TicTac's two programs in one: move-check, and with -DGAME game-check. BUG=name in the environment turns on one bug.

#include <cctype>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

static bool buggy(const char *name)
{
    const char *bug = std::getenv("BUG");
    return bug && std::strcmp(bug, name) == 0;
}

struct Move {
    int number;
    char player;
    int row, column;
};

static bool blank(char c) { return std::isspace(static_cast<unsigned char>(c)); }
static char upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }

static bool parse(const std::string &line, Move &move)
{
    size_t i = 0;
    auto skip = [&] {
        size_t start = i;
        while (i < line.size() && blank(line[i])) i++;
        return i > start;
    };
    if (buggy("leading_space")) skip();
    if (buggy("crashes_on_empty") && line.empty()) __builtin_trap();
    if (i >= line.size() || line[i] < (buggy("accepts_zero") ? '0' : '1') || line[i] > '9') return false;
    move.number = line[i++] - '0';
    if (!skip() || i >= line.size()) return false;
    move.player = buggy("keeps_case") ? line[i] : upper(line[i]);
    if (upper(line[i]) != 'X' && upper(line[i]) != 'O') return false;
    i++;
    if (!skip() || i + 1 >= line.size()) return false;
    move.row = upper(line[i]) - 'A';
    move.column = line[i + 1] - '1';
    i += 2;
    if (move.row < 0 || move.row > 2 || move.column < 0 || move.column > 2) return false;
    bool space = skip() || buggy("comment_without_space");
    while (buggy("hangs_on_comment") && i < line.size() && line[i] == '#') {
    }
    return i == line.size() || (space && line[i] == '#') || (space && buggy("ignores_rest"));
}

static int finish(std::string text, int code)
{
    if (buggy("no_full_stop") && text.back() == '.') text.pop_back();
    std::cout << text << (buggy("no_newline") ? "" : "\n");
    if (buggy("exits_zero") || (buggy("exits_one") && code == 2)) code = buggy("exits_zero") ? 0 : 1;
    return code;
}

#ifndef GAME

int main()
{
    std::string line;
    Move move;
    std::getline(std::cin, line);
    if (!parse(line, move)) return finish("Parse error.", 1);
    return finish(std::to_string(move.number) + " " + move.player + " " + "ABC"[move.row] + "123"[move.column], 0);
}

#else

static char board[3][3];

static bool line_of(char player)
{
    bool down = true, up = true;
    for (int i = 0; i < 3; i++) {
        bool row = true, column = true;
        for (int j = 0; j < 3; j++) {
            row = row && board[i][j] == player;
            column = column && board[j][i] == player;
        }
        if (row || column) return true;
        down = down && board[i][i] == player;
        up = up && board[i][2 - i] == player;
    }
    return down || (up && !buggy("misses_diagonal"));
}

int main()
{
    std::string line;
    int count = 0;
    char last = 0, winner = 0;
    while (std::getline(std::cin, line)) {
        Move move;
        bool parsed = parse(line, move);
        if (buggy("rules_before_format") && (winner || count == 9)) return finish("Invalid move.", 2);
        if (!parsed) return finish("Parse error.", 1);
        if (buggy("stops_at_win") && winner) break;
        char &cell = board[move.row][move.column];
        bool number = move.number == count + 1 || buggy("ignores_numbers");
        bool player = last ? move.player != last : !buggy("x_must_begin") || move.player == 'X';
        if (winner || count == 9 || !number || !player || (cell && !buggy("overwrites"))) {
            return finish("Invalid move.", 2);
        }
        cell = last = move.player;
        count++;
        if (line_of(last) && !(buggy("win_on_nine_is_draw") && count == 9)) winner = last;
    }
    if (winner) return finish(std::string("Game over: ") + winner + " wins.", 0);
    if (count == 9) return finish("Game over: Draw.", 0);
    if (count == 0) return finish("Game in progress: New game.", 0);
    return finish(std::string("Game in progress: ") + (last == 'X' ? "O" : "X") + "'s turn.", 0);
}

#endif
