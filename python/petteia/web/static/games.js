// How each game is laid out, drawn and described. Titles, parameters and rules come from the library.
//
// A layout is a list of grids; a grid has a size, labels and cells; a cell has its place in the grid (row, column),
// its rectangle in the picture, the move it stands for and, if it is part of the board, its place there (at).

export const CELL = 100;
const DARK = "#15181b", LIGHT = "#fffdf6";

const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
const sentence = (words) => words[0].toUpperCase() + words.slice(1);
const listed = (words) => words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** Returns a grid of squares, each of which stands for the move that `name` returns. */
function squares(id, label, rows, columns, name, columnNames, rowNames) {
  const cells = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [x, y] = [column * CELL, row * CELL];
      cells.push({ row, column, x, y, width: CELL, height: CELL, move: name(row, column), at: [row, column] });
    }
  }
  return { id, label, rows, columns, cells, columnNames, rowNames, box: [0, 0, columns * CELL, rows * CELL] };
}

const letters = (count, first) => Array.from({ length: count }, (_, i) => String.fromCharCode(first.charCodeAt(0) + i));
const numbers = (count) => Array.from({ length: count }, (_, i) => String(i + 1));
const lookUp = (view, at) => view.cells[at[0]][at[1]];

/** Adds to a description that the legal move would win, if it would. */
const orWin = (view, legal, words) => legal.wins.length ? `${words}, would win` : words;

// The gradients are in index.html, where all pictures share them.
const disc = (colour, shade) =>
  `<circle r="38" fill="url(#${colour}-disc)"/>` +
  `<circle r="29" fill="none" stroke="${shade}" stroke-width="2.5" opacity=".5"/>`;

const MARKS = {
  X: `<path d="M-24 -24L24 24M24 -24L-24 24" fill="none" stroke="${DARK}" stroke-width="15" stroke-linecap="round"/>`,
  O: `<circle r="26" fill="none" stroke="${LIGHT}" stroke-width="15"/>`,
};

const tictac = {
  board: "#5f7d99",
  layout: () => [{
    ...squares("board", "TicTac board", 3, 3, (r, c) => "ABC"[r] + (c + 1), numbers(3), letters(3, "A")),
    widest: "36rem",
  }],
  player: (view, side) => view.players[side],
  piece: (view, value) => value ? MARKS[view.players[value - 1]] : "",
  ghost: (view) => MARKS[view.players[view.turn]],
  describe: (view, cell) => [cell.move, lookUp(view, cell.at) ? view.players[lookUp(view, cell.at) - 1] : "empty"],
  would: (view, legal) => orWin(view, legal, `would be ${view.players[view.turn]}`),
  did: (view) => `took ${view.last}`,
};

const TILES = ["", disc("dark", "#5a6168"), disc("light", "#b9b19c")];

const reversi = {
  board: "#3d8862",
  /** Whether moves turn pieces over. */
  flips: true,
  layout: (view) => {
    const [columns, rows] = view.parameters.map(Number);
    const name = (r, c) => "abcdefgh"[c] + (r + 1);
    const label = `Reversi board, ${columns} by ${rows}`;
    return [squares("board", label, rows, columns, name, letters(columns, "a"), numbers(rows))];
  },
  player: (view, side) => view.players[side],
  piece: (view, value) => TILES[value],
  ghost: (view) => TILES[view.turn + 1],
  describe: (view, cell) => [cell.move, ["empty", ...view.players][lookUp(view, cell.at)]],
  would: (view, legal) => {
    const flips = legal.changes.length - 1;
    return flips ? `would flip ${flips}` : "would place a tile";
  },
  did: (view) => {
    const flips = view.before.flat().filter((was, i) => was && was !== view.cells.flat()[i]).length;
    return `played ${view.last}${flips ? ` and flipped ${plural(flips, "tile")}` : ""}`;
  },
  /** Returns a side's count of what decides the game. */
  count: (view, side) => view.cells.flat().filter((value) => value === side + 1).length,
  counted: "tiles",
};

const block = (colour, shade) =>
  `<rect x="-43" y="-43" width="86" height="86" rx="11" fill="url(#${colour}-block)"/>` +
  `<rect x="-33" y="-33" width="66" height="66" rx="7" fill="none" stroke="${shade}" stroke-width="2.5" opacity=".5"/>`;
const BLOCKS = ["", block("dark", "#5a6168"), block("light", "#b9b19c")];

/** Returns the label of a column or row of Breakdown. */
const columnName = (i) => i < 62 ? "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[i] : String(i);

const SLOT = 84, BANG = 92;

const breakdown = {
  board: "#a8703f",
  layout: (view) => {
    const [columns, rows] = view.parameters.map(Number);
    const names = Array.from({ length: columns }, (_, i) => columnName(i));
    const cells = [];
    // Two rows of slots above the board, the board itself, and the breakdown bar beneath it.
    for (const [row, kind] of [[0, "|"], [1, "-"]]) {
      names.forEach((name, column) => cells.push({
        row, column, kind: kind === "|" ? "upright" : "lying", x: column * CELL + 5, y: -2 * SLOT - 58 + row * SLOT,
        width: CELL - 10, height: SLOT - 8, move: kind + name,
      }));
    }
    for (let row = 0; row < rows; row++) {
      names.forEach((name, column) => cells.push({
        row: row + 2, column, x: column * CELL, y: row * CELL, width: CELL, height: CELL, at: [row, column],
        move: null, name,
      }));
    }
    const wide = Math.max(columns * CELL, 360);
    cells.push({
      row: rows + 2, column: 0, kind: "bang", x: (columns * CELL - wide) / 2 + 5, y: rows * CELL + 44, width: wide - 10,
      height: BANG - 10, move: "!",
    });
    const left = Math.min(0, (columns * CELL - wide) / 2);
    return [{
      id: "board", label: `Breakdown board, ${columns} columns, ${rows} rows, with slots above`, rows, columns, cells,
      columnNames: names, rowNames: Array.from({ length: rows }, (_, i) => columnName(i)), stands: true,
      box: [left, -2 * SLOT - 12, wide, rows * CELL + 2 * SLOT + BANG + 54],
    }];
  },
  player: (view, side) => view.players[side],
  piece: (view, value) => BLOCKS[value],
  ghost: (view) => BLOCKS[view.turn + 1],
  describe: (view, cell) => {
    if (cell.kind === "bang") return ["break down"];
    if (cell.kind) return [`${cell.kind} stick in column ${cell.move.slice(1)}`];
    return [`column ${cell.name}, row ${columnName(cell.at[0])}`, ["empty", ...view.players][lookUp(view, cell.at)]];
  },
  would: (view, legal) => {
    if (legal.move === "!") {
      return orWin(view, legal, legal.changes.length ? "cells would fall" : "nothing would fall");
    }
    const rows = legal.changes.map(([row]) => row);
    return orWin(view, legal, `would come to rest on row ${columnName(Math.max(...rows))}`);
  },
  did: (view) => {
    if (view.last === "!") return "broke everything down";
    return `dropped ${view.last[0] === "|" ? "an upright" : "a lying"} stick into column ${view.last.slice(1)}`;
  },
};

const ATTRIBUTES = [["short", "tall"], ["beige", "sepia"], ["circle", "square"], ["hollow", "solid"]];
const bits = (piece) => [8, 4, 2, 1].map((bit) => (piece & bit ? 1 : 0));
const codeOf = (piece) => bits(piece).map((bit, i) => ["ST", "BE", "CQ", "HO"][i][bit]).join("");
const pieceWords = (piece) => {
  const [height, colour, shape, top] = bits(piece).map((bit, i) => ATTRIBUTES[i][bit]);
  return `${height} ${colour} ${top} ${shape}`;
};

/** Draws a Quarto piece, seen from above at an angle, as in the library's pictures. */
function quartoPiece(piece) {
  const [tall, sepia, square, solid] = bits(piece);
  const [y, height] = tall ? [-24, 46] : [-2, 18];
  const [side, top] = sepia ? ["#5d3a20", "#8f6440"] : ["#e3cb98", "#f6e9cc"];
  const outline = square
    ? `M-34 ${y}l34 -17l34 17v${height}l-34 17l-34 -17z`
    : `M-31 ${y}a31 16 0 0 1 62 0v${height}a31 16 0 0 1 -62 0z`;
  const shadow = square
    ? `M0 ${y + 17}l34 -17v${height}l-34 17z`
    : `M0 ${y + 16}a31 16 0 0 0 31 -16v${height}a31 16 0 0 1 -31 16z`;
  const face = square ? `<path d="M-34 ${y}l34 -17l34 17l-34 17z"/>` : `<ellipse cy="${y}" rx="31" ry="16"/>`;
  return `<g stroke="#24150b" stroke-width="2" stroke-linejoin="round"><path d="${outline}" fill="${side}"/></g>` +
    `<path d="${shadow}" fill="#24150b" opacity=".3"/><g fill="${top}" stroke="#24150b" stroke-width="2">${face}</g>` +
    (solid ? "" : `<ellipse cy="${y}" rx="15" ry="8" fill="#24150b"/>`);
}

/** The height of the tray above the pool, which holds the piece in hand. */
export const HAND = 124;

/** Returns the number of the piece that belongs on a square of the pool: short ones above tall ones. */
const pooledAt = (cell) => 8 * cell.at[0] + cell.at[1];

const quarto = {
  board: "#4f8285",
  /** Whether the pieces belong to neither player. */
  shared: true,
  layout: () => [
    squares("board", "Quarto board", 4, 4, (r, c) => "ABCD"[r] + (c + 1), numbers(4), letters(4, "A")),
    {
      ...squares("pool", "Pieces to choose from", 2, 8, (r, c) => codeOf(8 * r + c), [], []), pool: true,
      // As wide as the board with its labels, so that their edges align.
      box: [-80, -HAND - 24, 886, 2 * CELL + HAND + 24],
    },
  ],
  player: (view, side) => `player ${view.players[side]}`,
  icon: (view, side) => `<text y="14">${view.players[side]}</text>`,
  piece: (view, value) => value < 0 ? "" : quartoPiece(value),
  ghost: (view) => view.hand === null ? "" : quartoPiece(view.hand),
  /** Returns the piece that lies on a square of the pool, or -1. */
  pooled: (view, cell) => {
    const piece = pooledAt(cell);
    return piece === view.hand || view.cells.flat().includes(piece) ? -1 : piece;
  },
  describe: (view, cell, grid) => {
    if (grid.pool) {
      const piece = pooledAt(cell);
      const taken = piece === view.hand ? "in hand" : "on the board";
      return [pieceWords(piece), quarto.pooled(view, cell) < 0 ? taken : "in the pool"];
    }
    const piece = lookUp(view, cell.at);
    return [cell.move, piece < 0 ? "empty" : pieceWords(piece)];
  },
  would: (view, legal) => view.hand === null ? "can be given" : orWin(view, legal, "can be played"),
  did: (view) => view.last.length === 4 ? "chose it" : `placed it on ${view.last}`,
  /** Returns the piece in hand of a position, or null: its text is the board, the hand and the player. */
  hand: (position) => {
    const hand = position.text.split(" ")[1];
    return hand === "-" ? null : parseInt(hand, 16);
  },
  todo: (view) => view.hand === null ? "gives a piece" : `places the ${pieceWords(view.hand)}`,
};

export const GAMES = { tictac, breakdown, reversi, quarto };

/** Returns what has just happened, as a sentence or two. */
export function happened(view) {
  const game = GAMES[view.game];
  if (!view.ply) return "A new game.";
  const mover = sentence(game.player(view, view.sides[view.ply - 1]));
  const told = `${mover} ${game.did(view)}.`;
  if (view.skipped === null) return told;
  return `${told} ${sentence(game.player(view, view.skipped))} cannot move and is skipped.`;
}

/** Returns whose turn it is or how the game ended, as a sentence. */
export function standing(view) {
  const game = GAMES[view.game];
  if (!view.over) return sentence(`${game.player(view, view.turn)} ${game.todo ? game.todo(view) : "to move"}.`);
  const counts = game.count && [0, 1].map((side) => game.count(view, side)).sort((a, b) => b - a).join(" to ");
  const how = counts ? ` with ${counts}` : "";
  return view.winner === null ? `The game is a draw${how}.` : sentence(`${game.player(view, view.winner)} wins${how}!`);
}

/** Returns the value of a finished game, for the first player. */
export function result(view) {
  const { count } = GAMES[view.game];
  const value = count ? count(view, 0) - count(view, 1) : view.winner === null ? 0 : 1 - 2 * view.winner;
  return { exact: true, value, best: [] };
}

/** Returns a value in a few words. */
export function worth(view, { exact, value, share, difference }) {
  const game = GAMES[view.game];
  const name = (side) => sentence(game.player(view, side));
  if (!exact) {
    const first = share >= 0.5;
    if (difference === null) return `about ${Math.round(100 * (first ? share : 1 - share))} % for ${name(first ? 0 : 1)}`;
    const most = Math.round(Math.abs(difference));
    return most ? `${name(difference > 0 ? 0 : 1)} by about ${most}` : "about even";
  }
  if (!value) return "a draw";
  const winner = name(value > 0 ? 0 : 1);
  return game.count ? `${winner} by ${Math.abs(value)}` : `${winner} ${view.over ? "has won" : "wins"}`;
}

/** Returns the first player's share of the evaluation bar, from 0 to 1. */
export function share(view, { exact, value, share, difference }) {
  const area = GAMES[view.game].count ? view.cells.flat().length : null;
  if (exact) return (1 + value / (area ?? 1)) / 2;
  return area === null ? share : Math.min(Math.max((1 + difference / area) / 2, 0), 1);
}

/** Returns what is known of the value and the best moves, as a sentence or two. */
export function advice(view, evaluation, thinking) {
  if (!evaluation) return thinking ? "Thinking…" : "Nothing is known yet.";
  const { exact, best, depth } = evaluation;
  const names = best.length > 4 ? [...best.slice(0, 3), `${best.length - 3} more`] : best;
  if (exact) return `With best play: ${worth(view, evaluation)}. Best now: ${listed(names)}.`;
  const how = thinking ? "thinking…" : `looked ${plural(depth, "move")} ahead`;
  return `No exact answer yet: ${worth(view, evaluation)}. Best so far: ${listed(names)} (${how}).`;
}
