// Who plays besides people, and how long thinking takes: for the page and its workers.

/** The computer players by the names that links have, each with the library's bot. */
export const COMPUTERS = { random: "random", myopic: "myopic", mcts: "mcts:2000", perfect: "perfect:1000000" };

/** The seconds that a computer has for a move. */
export const MOVE = 5;

/** The seconds of the searches that follow each other for a hint: what is shown deepens from one to the next. */
export const ROUNDS = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2];
