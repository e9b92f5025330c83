// The engines in JavaScript, over petteia.wasm, which lies beside this file: in browsers, Web Workers, Node and Deno.
// The types are in petteia.d.ts, the guide is docs/javascript.md.
//
// A position is a value: here it is its text, in the module a handle that lives as long as it is in use. So a module
// that has ended, because of a bug or for want of memory, is replaced by a fresh one, and nothing is lost.

/** Reads a file that lies beside this one. */
async function read(name) {
  const url = new URL(name, import.meta.url);
  // Node fetches no files; browsers and Deno do.
  if (url.protocol === "file:" && globalThis.process?.getBuiltinModule) {
    return new Response(globalThis.process.getBuiltinModule("node:fs").readFileSync(url), {
      headers: { "content-type": name.endsWith(".wasm") ? "application/wasm" : "" },
    });
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response;
}

async function compile() {
  const response = await read("petteia.wasm");
  // Some servers of static files do not know the type.
  return response.headers.get("content-type") === "application/wasm"
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

// ---------------------------------------------------------------------------------------------------------- errors

/** What all errors of this module have in common. */
export class PetteiaError extends Error {
  get name() { return this.constructor.name; }
}
/** A text that does not follow its format. */
export class ParseError extends PetteiaError {}
/** A move that is not legal, with the `move` and the `position`. */
export class IllegalMove extends PetteiaError {
  constructor(message, move = null, position = null) {
    super(message);
    this.move = move;
    this.position = position;
  }
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
/** The module ended amid a call; a fresh one is in its place. */
export class Crash extends PetteiaError {}

const ERRORS = {
  2: InvalidArgument, 3: ParseError, 4: ParseError, 5: IllegalMove, 6: WrongGame, 7: Unavailable, 9: Stopped,
  10: NoMemory,
};

// -------------------------------------------------------------------------------------------------------- the module

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** How many handles of positions are kept, in case they are asked for again. */
const KEPT = 32;

/** One instance of the module: its functions and its memory. */
class Instance {
  constructor(compiled) {
    /** What the module said when it ended. */
    this.lastWords = "";
    /** The handles of positions by their keys, the latest last. */
    this.handles = new Map();
    /** The `progress` of the calls under way, the latest last. */
    this.watchers = [];
    const imports = {
      now: () => performance.now(),
      panicked: (place, length) => { this.lastWords = decoder.decode(this.bytes(place, length)); },
      progressed: (place) => this.progressed(place),
    };
    this.wasm = new WebAssembly.Instance(compiled, { petteia: imports }).exports;
    this.wasm.petteia_wasm_start();
    this.callback = this.wasm.petteia_wasm_callback();
    /** Where results are written: 8 bytes for one of them, and a buffer for texts and lists. */
    this.out = this.take(8);
    this.size = 1 << 12;
    this.buffer = this.take(this.size);
  }

  bytes(place, length) { return new Uint8Array(this.wasm.memory.buffer, place, length); }

  // The memory has moved whenever it has grown, so a view is for one use.
  get view() { return new DataView(this.wasm.memory.buffer); }

  take(bytes) {
    // Addresses are signed here, and those from 2 GiB on negative.
    const place = this.wasm.petteia_wasm_take(bytes) >>> 0;
    if (place === 0) throw new NoMemory(`not enough memory for ${bytes} bytes`);
    return place;
  }

  /** Calls a function with the places of some bytes, which are zero, and gives these back. */
  with(sizes, body) {
    const places = [];
    try {
      for (const size of sizes) {
        places.push(this.take(size));
        this.bytes(places.at(-1), size).fill(0);
      }
      return body(...places);
    } finally {
      if (this === instance) places.forEach((place, i) => this.wasm.petteia_wasm_give_back(place, sizes[i]));
    }
  }

  /** Calls a function with the places of texts. */
  withTexts(texts, body) {
    const encoded = texts.map((text) => {
      if (text.includes("\0")) throw new ParseError(`a text with a NUL: ${JSON.stringify(text)}`);
      return encoder.encode(text);
    });
    return this.with(encoded.map((text) => text.length + 1), (...places) => {
      places.forEach((place, i) => this.bytes(place, encoded[i].length).set(encoded[i]));
      return body(...places);
    });
  }

  /** Calls a function of the module that returns a status. */
  call(name, ...values) {
    const status = this.run(name, ...values);
    if (status === 0) return;
    const message = this.textFrom((...buffer) => this.run("petteia_last_error", ...buffer));
    throw new (ERRORS[status] ?? PetteiaError)(message);
  }

  /** Calls a function of the module; if it ends the module, a fresh one takes its place. */
  run(name, ...values) {
    try {
      const result = this.wasm[name](...values);
      // A call from within `progress` may have ended it.
      if (this !== instance) throw new Crash("the module ended amid this call");
      return result;
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
      if (this === instance) renew();
      const words = this.lastWords || `${error.message}, after ${name}: too little memory, or a bug in petteia`;
      if (words.startsWith("no memory")) throw new NoMemory(words, { cause: error });
      throw new Crash(`the module ended: ${words}`, { cause: error });
    }
  }

  /** Gives an object back, unless it has ended with the module. */
  free(kind, handle) {
    if (this === instance) this.run(`petteia_${kind}_free`, handle);
  }

  /** Returns the text that a call writes to a buffer. */
  textFrom(write) {
    let length = this.size;
    for (;;) {
      this.grow(length + 1);
      write(this.buffer, this.size, this.out);
      length = this.view.getUint32(this.out, true);
      if (length < this.size) return decoder.decode(this.bytes(this.buffer, length));
    }
  }

  /** Returns the list that a call writes to a buffer, of elements with so many bytes. */
  listFrom(bytes, write, element) {
    let length = Math.floor(this.size / bytes);
    for (;;) {
      this.grow(length * bytes);
      const room = Math.floor(this.size / bytes);
      write(this.buffer, room, this.out);
      length = this.view.getUint32(this.out, true);
      if (length > room) continue;
      const view = this.view;
      return Array.from({ length }, (_, i) => element(view, this.buffer + i * bytes));
    }
  }

  /** Returns the bytes that a call writes to a buffer. */
  bytesFrom(write) {
    for (;;) {
      write(this.buffer, this.size, this.out);
      const length = this.view.getUint32(this.out, true);
      if (length <= this.size) return this.bytes(this.buffer, length).slice();
      this.grow(length);
    }
  }

  grow(bytes) {
    if (bytes <= this.size) return;
    const place = this.take(bytes);
    this.wasm.petteia_wasm_give_back(this.buffer, this.size);
    [this.buffer, this.size] = [place, bytes];
  }

  text(name, ...values) {
    return this.textFrom((...buffer) => this.call(name, ...values, ...buffer));
  }

  word(name, ...values) {
    this.call(name, ...values, this.out);
    return this.view.getUint32(this.out, true);
  }

  /** Returns the list of numbers that a function writes. */
  numbers(name, ...values) {
    return this.listFrom(4, (...buffer) => this.call(name, ...values, ...buffer), (view, at) => view.getUint32(at, true));
  }

  /** Returns the handle of a position, which is valid until the next position is asked for. */
  handle(position) {
    const key = `${position.game}\0${position.text}`;
    let handle = this.handles.get(key);
    if (handle === undefined) {
      handle = this.withTexts([position.game, position.text], (game, text) =>
        this.word("petteia_position_parse", game, text));
    }
    return this.keep(key, handle);
  }

  keep(key, handle) {
    const before = this.handles.get(key);
    if (before !== undefined) {
      // It may be in use, by a call whose `progress` asks for this.
      if (before !== handle) this.free("position", handle);
      this.handles.delete(key);
    }
    this.handles.set(key, before ?? handle);
    while (this.handles.size > KEPT && this.watchers.length === 0) {
      const [oldest, its] = this.handles.entries().next().value;
      this.handles.delete(oldest);
      this.free("position", its);
    }
    return before ?? handle;
  }

  /** Returns the position that a call makes. */
  position(name, ...values) {
    const handle = this.word(name, ...values);
    const game = GAMES[this.word("petteia_position_game", handle)].name;
    return this.adopt(game, handle);
  }

  adopt(game, handle) {
    const text = this.text("petteia_position_text", handle);
    this.keep(`${game}\0${text}`, handle);
    return made(game, text);
  }

  /** Makes a long call with options: `fill` writes them. */
  long(name, size, { progress }, fill, call) {
    if (progress !== undefined && typeof progress !== "function") {
      throw new TypeError("progress: expected a function");
    }
    return this.with([size], (options) => {
      this.call(`petteia_${name}_options_defaults`, options, size);
      const view = this.view;
      const watcher = { progress, error: null };
      if (progress) view.setUint32(options + 4, this.callback, true);
      fill(view, options);
      this.watchers.push(watcher);
      let result;
      try {
        result = call(options);
      } catch (error) {
        if (watcher.error === null) throw error;
      } finally {
        this.watchers.pop();
      }
      if (watcher.error !== null) throw watcher.error.thrown;
      return result;
    });
  }

  progressed(place) {
    const watcher = this.watchers.at(-1);
    const view = this.view;
    const number = (at) => Number(view.getBigUint64(place + at, true));
    try {
      return watcher.progress({
        done: number(0),
        total: number(8) || null,
        nodes: number(16),
        seconds: view.getFloat64(place + 24, true),
        lower: view.getInt32(place + 32, true),
        upper: view.getInt32(place + 36, true),
      }) === true;
    } catch (thrown) {
      // Nothing may be thrown through the module: it is kept until the call has ended.
      watcher.error = { thrown };
      return true;
    }
  }

  loadWeights(bytes) {
    this.with([bytes.length], (place) => {
      this.bytes(place, bytes.length).set(bytes);
      this.call("petteia_weights_load", place, bytes.length);
    });
  }
}

const compiled = await compile();
let instance = new Instance(compiled);
/** The bytes of the weights, once they are loaded, and the promise of them. */
let weights = null;
let loading = null;

function renew() {
  instance = new Instance(compiled);
  if (weights) instance.loadWeights(weights);
}

async function unpacked(response) {
  const bytes = new Uint8Array(await response.arrayBuffer());
  // A server may have unpacked it.
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Loads the weights that searches of 8 by 8 Reversi need; they load them themselves if need be. */
export async function loadWeights() {
  if (weights) return;
  loading ??= read("reversi.weights").then(unpacked);
  try {
    const bytes = await loading;
    if (weights) return;
    instance.loadWeights(bytes);
    weights = bytes;
  } catch (error) {
    // The next call tries again.
    loading = null;
    throw error;
  }
}

async function ready(position) {
  if (!(position instanceof Position)) throw new TypeError("position: expected a Position");
  if (position.game === "reversi" && position.parameters.width === 8 && position.parameters.height === 8) {
    await loadWeights();
  }
}

function text(place) {
  const bytes = new Uint8Array(instance.wasm.memory.buffer, place >>> 0);
  return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
}

/** The version of the library. */
export const version = text(instance.wasm.petteia_version());

function frozen(value) {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

/** The four games, each with its parameters and popular choices of them. */
export const GAMES = frozen(JSON.parse(instance.textFrom((...buffer) => instance.call("petteia_wasm_games", ...buffer))));

// --------------------------------------------------------------------------------------------------------- positions

/** What a position's constructor is called with from here alone. */
const KEY = Symbol("petteia");

function made(game, text) {
  return new Position(KEY, game, text);
}

/** A position of any of the games: an immutable value. */
export class Position {
  #game;
  #text;
  #known = new Map();

  constructor(key, game, text) {
    if (key !== KEY) throw new TypeError("a Position comes from game(), Position.parse() or play()");
    this.#game = game;
    this.#text = text;
  }

  /** Returns the position of a game that a text describes. */
  static parse(game, text) {
    strings({ game, text });
    return instance.withTexts([game, text], (...texts) => instance.position("petteia_position_parse", ...texts));
  }

  #once(name, make) {
    if (!this.#known.has(name)) this.#known.set(name, make(instance.handle(this)));
    return this.#known.get(name);
  }

  get game() { return this.#game; }
  get text() { return this.#text; }

  get parameters() {
    return this.#once("parameters", (handle) => {
      const { parameters } = GAMES.find(({ name }) => name === this.game);
      const values = instance.text("petteia_position_parameters", handle).split(" ");
      const pairs = parameters.map(({ name, words }, i) => [name, words ? values[i] : Number(values[i])]);
      return Object.freeze(Object.fromEntries(pairs));
    });
  }

  get actions() {
    return this.#once("actions", (handle) => Object.freeze(instance.numbers("petteia_position_legal_actions", handle)));
  }

  get moves() {
    const actions = this.actions;
    return this.#once("moves", () => Object.freeze(actions.map((action) => this.move(action))));
  }

  get turn() {
    return this.#once("turn", (handle) => [0, 1, null][instance.word("petteia_position_turn", handle)]);
  }

  get players() {
    return this.#once("players", (handle) =>
      Object.freeze([0, 1].map((player) => instance.text("petteia_position_player_name", handle, player))));
  }

  get isOver() { return this.turn === null; }

  get outcome() {
    return this.#once("outcome", (handle) => {
      const outcome = instance.word("petteia_position_outcome", handle);
      return outcome === 3 ? null : Object.freeze({ winner: [0, 1, null][outcome] });
    });
  }

  get numActions() {
    return this.#once("numActions", (handle) => instance.word("petteia_position_num_actions", handle));
  }

  /** The cells of the board, row by row from the top: 0, or 1 or 2 for the player; in Quarto the piece, or 255. */
  get cells() {
    const handle = instance.handle(this);
    return instance.bytesFrom((...buffer) => instance.call("petteia_position_cells", handle, ...buffer));
  }

  /** The cells that have won, counted as those of `cells`. */
  get winning() {
    return this.#once("winning", (handle) => Object.freeze(instance.numbers("petteia_wasm_winning", handle)));
  }

  /** Returns the number of a move. */
  action(move) {
    strings({ move });
    return instance.withTexts([move], (place) => instance.word("petteia_position_action", instance.handle(this), place));
  }

  /** Returns the notation of an action. */
  move(action) {
    return instance.text("petteia_position_notation", instance.handle(this), natural("action", action, 2 ** 32 - 1));
  }

  /** Returns the position after a move, given by its notation or its action. */
  play(move) {
    if (typeof move !== "string" && !Number.isInteger(move)) {
      throw new TypeError("move: expected a string or an integer");
    }
    const owner = instance;
    const handle = owner.word("petteia_position_clone", owner.handle(this));
    try {
      if (typeof move === "string") {
        instance.withTexts([move], (place) => instance.call("petteia_position_play_notation", handle, place));
      } else if (move >= 0 && move < 2 ** 32) {
        instance.call("petteia_position_play", handle, move);
      } else {
        throw new IllegalMove(`action ${move} is illegal in ${this.game} ${this.text}`);
      }
    } catch (error) {
      owner.free("position", handle);
      if (!(error instanceof IllegalMove || error instanceof ParseError)) throw error;
      throw new IllegalMove(error.message, move, this);
    }
    return owner.adopt(this.game, handle);
  }

  /** Returns whether another position is the same. */
  equals(other) {
    return other instanceof Position && other.game === this.game && other.text === this.text;
  }

  toString() { return instance.text("petteia_position_drawing", instance.handle(this)); }

  /** What `Position.parse` takes: for messages to workers, and for storage. */
  toJSON() { return { game: this.game, text: this.text }; }

  /** Returns a picture of the position: an SVG element. */
  svg({ last = null, legal = false, theme = "auto" } = {}) {
    const number = ["auto", "light", "dark"].indexOf(theme);
    if (number < 0) throw new InvalidArgument(`theme ${JSON.stringify(theme)}: expected auto, light or dark`);
    const action = typeof last === "string" ? this.action(last)
      : last === null ? -1 : natural("last", last, 2 ** 31 - 1);
    return instance.text("petteia_wasm_svg", instance.handle(this), action, legal ? 1 : 0, number);
  }

  /** Counts the sequences of so many legal moves. */
  perft(depth, { tableMb = 0, progress } = {}) {
    natural("depth", depth, 2 ** 32 - 1);
    const bytes = megabytes(tableMb);
    const handle = instance.handle(this);
    return instance.long("perft", 20, { progress }, (view, at) => view.setUint32(at + 12, bytes, true), (options) => {
      instance.call("petteia_position_perft", handle, depth, options, instance.out);
      return instance.view.getBigUint64(instance.out, true);
    });
  }
}

/** Returns the start of a game: `game("reversi", { width: 6, height: 6 })`. */
export function game(name, parameters = {}) {
  strings({ name });
  const known = GAMES.find((game) => game.name === name);
  if (!known) throw new ParseError(`no game ${JSON.stringify(name)}: expected ${GAMES.map(({ name }) => name).join(", ")}`);
  const unknown = Object.keys(parameters).find((key) => !known.parameters.some(({ name }) => name === key));
  if (unknown !== undefined) {
    const expected = known.parameters.map(({ name }) => name).join(", ") || "none";
    throw new InvalidArgument(`no parameter ${JSON.stringify(unknown)} of ${name}: expected ${expected}`);
  }
  const values = known.parameters.map((parameter) => String(parameters[parameter.name] ?? parameter.default));
  return instance.withTexts([name, values.join(" ")], (...texts) => instance.position("petteia_position_new", ...texts));
}

// ----------------------------------------------------------------------------------------------------------- records

/** A game that was played: where it started, and its moves. Immutable. */
export class Record {
  #positions;
  #moves;

  constructor(start, moves = []) {
    if (!(start instanceof Position)) throw new TypeError("start: expected a Position");
    const positions = [start];
    const played = [];
    for (const move of moves) {
      const before = positions.at(-1);
      try {
        positions.push(before.play(move));
      } catch (error) {
        if (!(error instanceof IllegalMove)) throw error;
        throw new IllegalMove(`ply ${positions.length}: ${error.message}`, move, before);
      }
      played.push(typeof move === "string" ? move : before.move(move));
    }
    this.#positions = Object.freeze(positions);
    this.#moves = Object.freeze(played);
  }

  /** Returns the game that a line describes, such as `reversi 8 8: d4 e4`. */
  static parse(line) {
    strings({ line });
    return instance.withTexts([line], (place) => {
      const start = instance.position("petteia_record_start", place);
      return new Record(start, instance.numbers("petteia_record_actions", place));
    });
  }

  get start() { return this.#positions[0]; }
  get last() { return this.#positions.at(-1); }
  get positions() { return this.#positions; }
  get moves() { return this.#moves; }

  get text() {
    const actions = Uint32Array.from(this.#moves, (move) => this.start.action(move));
    const start = instance.handle(this.start);
    return instance.with([4 * actions.length], (place) => {
      actions.forEach((action, i) => instance.view.setUint32(place + 4 * i, action, true));
      return instance.text("petteia_record_format", start, place, actions.length);
    });
  }

  toString() { return this.text; }

  /** Returns the game with one more move. */
  play(move) {
    const after = this.last.play(move);
    return this.#with([...this.#positions, after],
      [...this.#moves, typeof move === "string" ? move : this.last.move(move)]);
  }

  /** Returns the game without its last move. */
  undo() {
    if (this.#moves.length === 0) throw new Unavailable("no move to undo");
    return this.#with(this.#positions.slice(0, -1), this.#moves.slice(0, -1));
  }

  #with(positions, moves) {
    const record = new Record(positions[0]);
    record.#positions = Object.freeze(positions);
    record.#moves = Object.freeze(moves);
    return record;
  }
}

// ----------------------------------------------------------------------------------------------------------- engines

// They return promises, since the weights may have to be loaded first; then they keep their thread busy.

function strings(named) {
  for (const [name, value] of Object.entries(named)) {
    if (typeof value !== "string") throw new TypeError(`${name}: expected a string`);
  }
}

function natural(name, value, most = Number.MAX_SAFE_INTEGER) {
  if (!Number.isInteger(value)) throw new TypeError(`${name}: expected an integer`);
  if (value < 0 || value > most) throw new InvalidArgument(`${name} ${value}: expected 0 to ${most}`);
  return value;
}

function seconds(name, value) {
  if (value === null) return 0;
  if (typeof value !== "number") throw new TypeError(`${name}: expected a number`);
  if (!(value >= 0)) throw new InvalidArgument(`${name} ${value}: expected seconds, 0 or more`);
  // In the module, 0 is no limit.
  return Math.max(value, Number.MIN_VALUE);
}

function limit(name, value) {
  if (value === null) return 0n;
  const number = natural(name, value);
  if (number === 0) throw new InvalidArgument(`${name} 0: expected 1 or more`);
  return BigInt(number);
}

function megabytes(value) {
  return natural("tableMb", value, 2047) * 2 ** 20;
}

/** Returns a seed as it is, or one at random. */
function seedOf(seed) {
  if (seed === null) return BigInt(Math.floor(Math.random() * 2 ** 53));
  return BigInt(natural("seed", seed));
}

function estimateAt(view, at) {
  const [win, draw, loss, difference] = [0, 8, 16, 24].map((offset) => view.getFloat64(at + offset, true));
  return Object.freeze({ win, draw, loss, difference: view.getInt32(at + 32, true) ? difference : null });
}

/** Finds the exact value of a position, its best moves, and a line of best play. */
export async function solve(position, options = {}) {
  const { timeLimit = null, nodeLimit = null, tableMb = 0, emptiesToWinner = false, allBest = true } = options;
  const [time, nodes, bytes] = [seconds("timeLimit", timeLimit), limit("nodeLimit", nodeLimit), megabytes(tableMb)];
  await ready(position);
  const fill = (view, at) => {
    view.setBigUint64(at + 16, nodes, true);
    view.setFloat64(at + 24, time, true);
    view.setUint32(at + 32, bytes, true);
    view.setInt32(at + 40, allBest ? 0 : 1, true);
    view.setInt32(at + 44, emptiesToWinner ? 1 : 0, true);
  };
  const owner = instance;
  const handle = owner.handle(position);
  return owner.long("solve", 48, options, fill, (place) => {
    const solution = owner.word("petteia_solve", handle, place);
    try {
      const actions = (name) => {
        const actions = instance.numbers(`petteia_solution_${name}`, solution);
        return Object.freeze(actions.map((action) => position.move(action)));
      };
      const [bestMoves, line] = [actions("best_actions"), actions("line")];
      return instance.with([32], (place) => {
        instance.call("petteia_solution_value", solution, place);
        const view = instance.view;
        const exact = view.getInt32(place + 12, true) !== 0;
        return Object.freeze({
          value: exact ? view.getInt32(place, true) : null,
          lower: view.getInt32(place + 4, true),
          upper: view.getInt32(place + 8, true),
          exact, bestMoves, line,
          nodes: Number(view.getBigUint64(place + 16, true)),
          seconds: view.getFloat64(place + 24, true),
        });
      });
    } finally {
      owner.free("solution", solution);
    }
  });
}

/** How many bytes a `petteia_line` has, and where its moves are. */
const LINE = { bytes: 312, moves: 52, most: 64 };

/** Finds the best moves within limits, best first, with an estimate of how the game ends after each. */
export async function analyse(position, options = {}) {
  const { time = null, nodes = null, depth = null, lines = 1 } = options;
  const [most, plies] = [seconds("time", time), depth === null ? 0 : natural("depth", depth, 2 ** 32 - 1)];
  if (depth === 0) throw new InvalidArgument("depth 0: expected 1 or more");
  const [limited, wanted] = [limit("nodes", nodes), natural("lines", lines, 2 ** 32 - 1)];
  if (lines === 0) throw new InvalidArgument("lines 0: expected 1 or more");
  await ready(position);
  const fill = (view, at) => {
    view.setBigUint64(at + 16, limited, true);
    view.setFloat64(at + 24, most, true);
    view.setUint32(at + 36, plies, true);
    view.setUint32(at + 40, wanted, true);
  };
  const handle = instance.handle(position);
  const room = Math.min(wanted, position.actions.length);
  return instance.long("analysis", 48, options, fill, (place) =>
    instance.with([room * LINE.bytes, 24], (list, summary) => {
      instance.call("petteia_position_analyse", handle, place, list, room, instance.out, summary);
      const view = instance.view;
      const count = Math.min(room, view.getUint32(instance.out, true));
      const found = Array.from({ length: count }, (_, i) => {
        const at = list + i * LINE.bytes;
        const exact = view.getInt32(at + 40, true) !== 0;
        const actions = Array.from({ length: view.getUint32(at + 48, true) }, (_, ply) =>
          view.getUint32(at + LINE.moves + 4 * ply, true));
        return { estimate: estimateAt(view, at), exact, value: exact ? view.getInt32(at + 44, true) : null, actions };
      });
      // The notations come last: the view may not be valid then.
      const [searched, took] = [Number(view.getBigUint64(summary, true)), view.getFloat64(summary + 8, true)];
      return Object.freeze({
        depth: view.getUint32(summary + 16, true),
        nodes: searched,
        seconds: took,
        lines: Object.freeze(found.map(({ actions, ...line }) =>
          Object.freeze({ ...line, moves: Object.freeze(actions.map((action) => position.move(action))) }))),
      });
    }));
}

/** Estimates how a game will end, from a look at the position alone. */
export async function evaluate(position) {
  await ready(position);
  const handle = instance.handle(position);
  return instance.with([40], (place) => {
    instance.call("petteia_position_evaluate", handle, place);
    return estimateAt(instance.view, place);
  });
}

/** Searches for a good move by Monte Carlo tree search. */
export async function mcts(position, options = {}) {
  const { simulations = 1000, time = null, seed = 0, evaluator = "playout" } = options;
  const [games, most] = [BigInt(natural("simulations", simulations)), seconds("time", time)];
  const number = seedOf(seed);
  strings({ evaluator });
  await ready(position);
  const handle = instance.handle(position);
  const room = position.actions.length;
  // The notation comes last: the view may not be valid then.
  const branchAt = (view, at) => {
    const [action, exact] = [view.getUint32(at, true), view.getInt32(at + 4, true) !== 0];
    const [visits, value] = [Number(view.getBigUint64(at + 8, true)), view.getFloat64(at + 16, true)];
    return Object.freeze({ move: position.move(action), exact, visits, value });
  };
  return instance.withTexts([evaluator], (name) => instance.long("mcts", 48, options, (view, at) => {
    view.setBigUint64(at + 16, games, true);
    view.setFloat64(at + 24, most, true);
    view.setBigUint64(at + 32, number, true);
    view.setUint32(at + 40, name, true);
  }, (place) => instance.with([room * 24, 32], (list, tree) => {
    instance.call("petteia_position_mcts", handle, place, list, room, instance.out, tree);
    return Object.freeze({
      best: branchAt(instance.view, tree),
      simulations: Number(instance.view.getBigUint64(tree + 24, true)),
      branches: Object.freeze(Array.from({ length: room }, (_, i) => branchAt(instance.view, list + 24 * i))),
    });
  })));
}

/** Plays random games to their ends, and counts the results. */
export async function playouts(position, games, options = {}) {
  const { seed = 0 } = options;
  const [count, number] = [BigInt(natural("games", games)), seedOf(seed)];
  if (!(position instanceof Position)) throw new TypeError("position: expected a Position");
  const handle = instance.handle(position);
  const fill = (view, at) => view.setBigUint64(at + 16, number, true);
  return instance.long("playouts", 40, options, fill, (place) => instance.with([32], (tally) => {
    instance.call("petteia_position_playouts", handle, count, place, tally);
    const [first, second, draws, plies] = [0, 8, 16, 24].map((at) => Number(instance.view.getBigUint64(tally + at, true)));
    return Object.freeze({ wins: Object.freeze([first, second]), draws, plies });
  }));
}

/** Gives back the memory of players that nobody refers to any more. */
const forgotten = new FinalizationRegistry(({ owner, handle }) => {
  owner.free("bot", handle);
});

/** A computer player, by its name, such as "level:5", "alphabeta:time=0.5" or "random". One is for one game. */
export class Bot {
  #name;
  #seed;
  #held = null;

  constructor(name, { seed = null } = {}) {
    strings({ name });
    this.#name = name;
    this.#seed = seedOf(seed);
    // A name that there is not is told at once.
    this.#name = instance.text("petteia_bot_name", this.#handle());
  }

  /** Its full name, with how much it does for a move. */
  get name() { return this.#name; }

  /** The player in this instance of the module; one in an instance that has ended has forgotten its game. */
  #handle() {
    if (this.#held?.owner !== instance) {
      if (this.#held) forgotten.unregister(this);
      const handle = instance.withTexts([this.#name], (place) => instance.word("petteia_bot_new", place, this.#seed));
      this.#held = { owner: instance, handle };
      forgotten.register(this, this.#held, this);
    }
    return this.#held.handle;
  }

  /** Chooses a move. */
  async choose(position, options = {}) {
    await ready(position);
    const handle = instance.handle(position);
    const bot = this.#handle();
    return instance.long("choose", 12, options, () => {}, (place) => instance.with([56], (choice) => {
      instance.call("petteia_bot_choose", bot, handle, place, choice);
      const view = instance.view;
      const exact = view.getInt32(choice + 4, true) !== 0;
      const estimate = view.getInt32(choice + 12, true) ? estimateAt(view, choice + 16) : null;
      const value = exact ? view.getInt32(choice + 8, true) : null;
      return Object.freeze({ move: position.move(view.getUint32(choice, true)), exact, value, estimate });
    }));
  }

  /** Gives its memory back at once; it may go on playing, having forgotten the game. */
  free() {
    if (this.#held === null) return;
    forgotten.unregister(this);
    this.#held.owner.free("bot", this.#held.handle);
    this.#held = null;
  }
}
