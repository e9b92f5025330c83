// What the page shows of a game, all of it computed from its record and a ply.

import { GAMES as DECLARED, ParseError, PetteiaError, Record } from "./petteia.js";
import { GAMES } from "./games.js";

export { PetteiaError };

/** The longest record in characters: longer than any real game, and read in less than a second. */
const LONGEST = 20_000;

/** The largest parameter on the page: the most columns and rows that the library's pictures show. */
const LARGEST = 64;

/** What looks like the headers of a record; whether they are right is for the library to say. */
const HEADERS = /^(?:\[\S+ "(?:[^"\\]|\\.)*"\] )*/s;

/** The games by name, as they are declared, with the values of their parameters that the page offers. */
export const declared = Object.fromEntries(
  DECLARED.filter(({ name }) => Object.hasOwn(GAMES, name)).map((game) => [game.name, {
    ...game,
    parameters: game.parameters.map((parameter) =>
      parameter.words ? parameter : { ...parameter, most: Math.min(parameter.most, LARGEST) }),
    presets: game.presets.map(({ name, parameters }) => ({ name, values: Object.values(parameters).map(String) })),
  }]));

/** Returns the game of a record and its parameters. */
function described(text) {
  const [name, ...parameters] = text.replace(HEADERS, "").split(":", 1)[0].split(" from ", 1)[0].split(" ");
  return { name, parameters };
}

/** Refuses what is too large to show: a board of 2^28 cells is valid, and would take its memory first. */
function refuseLarge(text) {
  if (text.length > LONGEST) {
    throw new ParseError(`record of ${text.length} characters: expected at most ${LONGEST}`);
  }
  const { name, parameters: words } = described(text);
  const { parameters } = DECLARED.find((game) => game.name === name) ?? { parameters: [] };
  parameters.slice(0, words.length).forEach((parameter, i) => {
    const word = words[i];
    if (!(parameter.most > LARGEST) || !/^[0-9]+$/.test(word) || Number(word) <= LARGEST) return;
    const shown = word.length < 20 ? word : `of ${word.length} digits`;
    throw new ParseError(`invalid ${parameter.name} ${shown}: expected at most ${LARGEST} on the page`);
  });
}

/** A game that is played on the page: what its record says first, its positions, and its moves. Immutable. */
export class Line {
  constructor(head, positions, moves) {
    this.head = head;
    this.positions = positions;
    this.moves = moves;
    /** The turn at every ply, and null where the game is over. */
    this.turns = positions.map((position) => position.turn);
  }

  /** Reads a record. */
  static parse(text) {
    refuseLarge(text);
    const { positions, moves } = Record.parse(text);
    return new Line(text.slice(0, text.lastIndexOf(":") + 1), positions, moves);
  }

  get text() { return [this.head, ...this.moves].join(" "); }

  /** Returns the game with another move after some of its plies. */
  play(ply, move) {
    const after = this.positions[ply].play(move);
    return new Line(this.head, [...this.positions.slice(0, ply + 1), after], [...this.moves.slice(0, ply), move]);
  }

  /** Returns what the page shows at a ply. */
  at(ply) { return new View(this, ply); }
}

/** Returns what a cell is on the page: where Quarto has no piece, it is -1. */
const valueOf = (cell) => (cell === 255 ? -1 : cell);

/** Returns the cells of a position in rows. */
function rowsOf(position) {
  const cells = Array.from(position.cells, valueOf);
  const columns = position.parameters.width ?? Math.sqrt(cells.length);
  return Array.from({ length: cells.length / columns }, (_, row) => cells.slice(row * columns, (row + 1) * columns));
}

/** A game at a ply: moves in notation, players 0 and 1, cells in rows. */
export class View {
  #winning = null;

  constructor(line, ply) {
    const position = line.positions[ply];
    const { name, parameters } = described(line.text);
    Object.assign(this, { line, ply, position, parameters, game: name, moves: line.moves, sides: line.turns });
    this.record = line.text;
    this.players = position.players;
    this.turn = line.turns[ply];
    this.over = position.isOver;
    this.winner = position.outcome?.winner ?? null;
    this.last = ply ? line.moves[ply - 1] : null;
    this.bytes = position.cells;
    this.cells = rowsOf(position);
    this.before = ply ? rowsOf(line.positions[ply - 1]) : this.cells;
    this.hand = GAMES[name].hand?.(position) ?? null;
    this.legal = position.moves.map((move, i) => new Legal(this, move, position.actions[i]));
  }

  /** Who has just been skipped: the opponent of a player who moves twice in a row. */
  get skipped() {
    const mover = this.ply ? this.sides[this.ply - 1] : null;
    return declared[this.game].skips && mover !== null && mover === this.turn ? 1 - mover : null;
  }

  /** The cells that have won, in games that have such cells, as rows and columns. */
  get winning() {
    this.#winning ??= this.placesOf(this.position);
    return this.#winning;
  }

  placesOf(position) {
    const columns = this.cells[0].length;
    return position.winning.map((cell) => [Math.floor(cell / columns), cell % columns]);
  }

  /** The library's picture of the position. */
  get picture() { return this.position.svg({ last: this.last }); }
}

/** A legal move and what it would do, which is found out when it is asked for. */
class Legal {
  #view;
  #action;
  #done = null;

  constructor(view, move, action) {
    this.move = move;
    this.#view = view;
    this.#action = action;
  }

  get #effect() {
    this.#done ??= this.#play();
    return this.#done;
  }

  #play() {
    const { bytes, cells: [{ length: columns }], position } = this.#view;
    const after = position.play(this.#action);
    const changes = [];
    after.cells.forEach((cell, i) => {
      if (cell !== bytes[i]) changes.push([Math.floor(i / columns), i % columns, valueOf(cell)]);
    });
    return { changes, wins: after.isOver ? this.#view.placesOf(after) : [] };
  }

  /** The cells that it would change, with their new values. */
  get changes() { return this.#effect.changes; }

  /** The cells that would win. */
  get wins() { return this.#effect.wins; }
}
