// The types of petteia.js. docs/javascript.md is the guide.

/** The version of the library. */
export const version: string;

export type GameName = "tictac" | "breakdown" | "reversi" | "quarto";

/** Players are numbers: 0 moves first, 1 second. */
export type Player = 0 | 1;

/** A parameter of a game: a number, or one of some words. */
export type Parameter =
  | { readonly name: string; readonly about: string; readonly default: number; readonly least: number; readonly most: number }
  | { readonly name: string; readonly about: string; readonly default: string; readonly words: readonly string[] };

export type Parameters = Readonly<{ [name: string]: number | string }>;

/** What a game says of itself. */
export interface Declaration {
  readonly name: GameName;
  /** For people, as is how it is won, in a sentence. */
  readonly title: string;
  readonly about: string;
  /** Whether a player who cannot move is skipped. */
  readonly skips: boolean;
  readonly parameters: readonly Parameter[];
  /** Popular parameters, the defaults first. */
  readonly presets: readonly { readonly name: string; readonly parameters: Parameters }[];
}

/** The four games. */
export const GAMES: readonly Declaration[];

/** Returns the start of a game. Parameters that are not given have their defaults. */
export function game(name: GameName, parameters?: Parameters): Position;

/** How a game ended: a winner, or null for a draw. */
export interface Outcome {
  readonly winner: Player | null;
}

/** How far a long call is; numbers that it does not know are 0, a total that it does not know is null. */
export interface Progress {
  readonly done: number;
  readonly total: number | null;
  readonly nodes: number;
  readonly seconds: number;
  readonly lower: number;
  readonly upper: number;
}

export interface Watched {
  /** Called about every 10 milliseconds; the call ends early once this has returned true. */
  progress?: (progress: Progress) => boolean | void | unknown;
}

/** A position of any of the games: an immutable value. */
export class Position {
  private constructor();
  /** Returns the position of a game that a text describes. */
  static parse(game: GameName, text: string): Position;
  readonly game: GameName;
  /** The position as one line, which `parse` takes. */
  readonly text: string;
  readonly parameters: Parameters;
  /** The legal moves, in the order of the actions; none when the game is over. */
  readonly moves: readonly string[];
  /** The same moves as numbers. */
  readonly actions: readonly number[];
  /** The player to move; null when the game is over. */
  readonly turn: Player | null;
  /** The names of the two players, such as "dark" and "light". */
  readonly players: readonly [string, string];
  readonly isOver: boolean;
  /** How the game ended; null in progress. */
  readonly outcome: Outcome | null;
  /** All actions of the game are below this number. */
  readonly numActions: number;
  /** The cells, row by row from the top: 0, or 1 or 2 for the player; in Quarto the number of the piece, or 255. */
  readonly cells: Uint8Array;
  /** The cells that have won, counted as those of `cells`; none where a game is not won by cells, as in Reversi. */
  readonly winning: readonly number[];
  /** Returns the number of a move. */
  action(move: string): number;
  /** Returns the notation of an action. */
  move(action: number): string;
  /** Returns the position after a move. */
  play(move: string | number): Position;
  /** Returns whether another position is the same. */
  equals(other: unknown): boolean;
  /** Returns the board, drawn. */
  toString(): string;
  toJSON(): { game: GameName; text: string };
  /** Returns a picture, as an SVG element, with the last move or the legal ones marked. */
  svg(options?: { last?: string | number | null; legal?: boolean; theme?: "auto" | "light" | "dark" }): string;
  /** Counts the sequences of exactly so many moves, with a table of so many megabytes. */
  perft(depth: number, options?: { tableMb?: number } & Watched): bigint;
}

/** A game that was played. Immutable. */
export class Record {
  constructor(start: Position, moves?: Iterable<string | number>);
  /** Returns the game that a line describes, such as `reversi 8 8: d4 e4`. */
  static parse(line: string): Record;
  readonly start: Position;
  readonly last: Position;
  /** All positions, the start first. */
  readonly positions: readonly Position[];
  readonly moves: readonly string[];
  /** The line. Only games from a start have one. */
  readonly text: string;
  toString(): string;
  /** Returns the game with one more move. */
  play(move: string | number): Record;
  /** Returns the game without its last move. */
  undo(): Record;
}

export interface Solution {
  /** For the player to move: the disc difference in Reversi, else 1, 0 or -1; null if a limit ended the search. */
  readonly value: number | null;
  readonly lower: number;
  readonly upper: number;
  readonly exact: boolean;
  readonly bestMoves: readonly string[];
  /** Best play by both sides, as far as it is known at no extra cost. */
  readonly line: readonly string[];
  readonly nodes: number;
  readonly seconds: number;
}

export interface SolveOptions extends Watched {
  /** Seconds. */
  timeLimit?: number | null;
  nodeLimit?: number | null;
  tableMb?: number;
  /** Counts empty squares for the winner, as in Reversi tournaments. */
  emptiesToWinner?: boolean;
  /** Finds all best moves, not just one. Default: true. */
  allBest?: boolean;
}

/** Finds the exact value of a position, its best moves, and a line of best play. */
export function solve(position: Position, options?: SolveOptions): Promise<Solution>;

/** How a game is likely to end for the player to move. */
export interface Estimate {
  readonly win: number;
  readonly draw: number;
  readonly loss: number;
  /** The expected disc difference; null in games that do not count squares. */
  readonly difference: number | null;
}

/** Estimates how a game will end, from a look at the position alone. */
export function evaluate(position: Position): Promise<Estimate>;

export interface Line {
  /** The move, and what is expected to follow. */
  readonly moves: readonly string[];
  readonly estimate: Estimate;
  /** Whether the value was proved. */
  readonly exact: boolean;
  readonly value: number | null;
}

export interface Analysis {
  readonly lines: readonly Line[];
  /** How many plies deep all moves were searched. */
  readonly depth: number;
  readonly nodes: number;
  readonly seconds: number;
}

export interface AnalyseOptions extends Watched {
  /** Seconds. */
  time?: number | null;
  nodes?: number | null;
  depth?: number | null;
  /** How many of the best moves are asked for. Default: 1. */
  lines?: number;
}

/** Finds the best moves within limits, best first; without a limit, it searches a million positions. */
export function analyse(position: Position, options?: AnalyseOptions): Promise<Analysis>;

export interface Branch {
  readonly move: string;
  readonly exact: boolean;
  readonly visits: number;
  /** The expected result for the player to move, from -1 to 1. */
  readonly value: number;
}

export interface Tree {
  readonly best: Branch;
  readonly branches: readonly Branch[];
  readonly simulations: number;
}

export interface MctsOptions extends Watched {
  simulations?: number;
  /** Seconds. */
  time?: number | null;
  /** null is a seed at random. */
  seed?: number | null;
  evaluator?: "playout" | "estimate";
}

/** Searches for a good move by Monte Carlo tree search. */
export function mcts(position: Position, options?: MctsOptions): Promise<Tree>;

export interface Tally {
  readonly wins: readonly [number, number];
  readonly draws: number;
  readonly plies: number;
}

/** Plays random games to their ends, and counts the results. */
export function playouts(position: Position, games: number, options?: { seed?: number | null } & Watched): Promise<Tally>;

export interface Choice {
  readonly move: string;
  readonly exact: boolean;
  readonly value: number | null;
  /** null for a player that did not look, as the random one. */
  readonly estimate: Estimate | null;
}

/** A computer player, by its name, such as "level:5", "alphabeta:time=0.5" or "random". One is for one game. */
export class Bot {
  constructor(name: string, options?: { seed?: number | null });
  /** Its full name, with how much it does for a move. */
  readonly name: string;
  choose(position: Position, options?: Watched): Promise<Choice>;
  /** Gives its memory back at once, rather than some time after nobody refers to it. */
  free(): void;
}

/** Loads the weights that searches of 8 by 8 Reversi need, which they load themselves if need be. */
export function loadWeights(): Promise<void>;

/** What all errors of this module have in common. */
export class PetteiaError extends Error {}
/** A text that does not follow its format. */
export class ParseError extends PetteiaError {}
/** A move that is not legal. */
export class IllegalMove extends PetteiaError {
  readonly move: string | number | null;
  readonly position: Position | null;
}
/** An argument that is out of range. */
export class InvalidArgument extends PetteiaError {}
/** Something that there is only in other games. */
export class WrongGame extends PetteiaError {}
/** Something that there is not now, such as a best move of a finished game. */
export class Unavailable extends PetteiaError {}
/** A call that its `progress` stopped. */
export class Stopped extends PetteiaError {}
/** Too little memory. */
export class NoMemory extends PetteiaError {}
/** The module ended amid a call; a fresh one is in its place, and nothing was lost. */
export class Crash extends PetteiaError {}
