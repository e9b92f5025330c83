// What petteia.js does besides the rules: values, records, engines, errors, limits, and what it does when things go wrong.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";

import { STATIC } from "./static.mjs";

const ROOT = new URL("../../", import.meta.url);

/** Debian's nodejs comes without it. */
const NPM = spawnSync("npm", ["--version"]).status === 0;

// The memories of all instances, and functions of theirs that a test replaces: read when they are called.
const memories = [];
const replaced = {};
let real;
const RealInstance = WebAssembly.Instance;
WebAssembly.Instance = function (...given) {
  const { exports } = new RealInstance(...given);
  memories.push(exports.memory);
  real = exports;
  const wrapped = Object.entries(exports).map(([name, value]) => [name,
    typeof value === "function" ? (...values) => (replaced[name] ?? value)(...values) : value]);
  return { exports: Object.fromEntries(wrapped) };
};

const petteia = await import(new URL("petteia.js", STATIC));
const { Bot, GAMES, Position, Record, analyse, evaluate, game, mcts, playouts, solve } = petteia;

const over = Position.parse("tictac", "XXX/OO_/___ -");

test("the games and their parameters", () => {
  assert.deepEqual(GAMES.map(({ name }) => name), ["tictac", "breakdown", "reversi", "quarto"]);
  const [first] = GAMES[0].parameters;
  assert.deepEqual([first.name, first.default, first.words], ["first", "X", ["X", "O"]]);
  const named = GAMES[1].parameters.map((parameter) => [parameter.name, parameter.default]);
  assert.deepEqual(named, [["width", 4], ["height", 5], ["stick", 2], ["square", 2]]);
  assert.deepEqual(GAMES.map(({ title, skips }) => [title, skips]),
    [["TicTac", false], ["Breakdown", false], ["Reversi", true], ["Quarto", false]]);
  for (const { name, about, presets } of GAMES) {
    assert.match(about, /\.$/);
    for (const { name: preset, parameters } of presets) {
      assert.equal(typeof preset, "string");
      assert.deepEqual(game(name, parameters).parameters, parameters);
    }
    assert.ok(game(name, presets[0].parameters).equals(game(name)));
  }
  assert.throws(() => { GAMES[0].presets[0].parameters.first = "O"; }, TypeError);
  assert.deepEqual(game("reversi", { width: 6 }).parameters, { width: 6, height: 8 });
  assert.deepEqual(game("tictac", { first: "O" }).parameters, { first: "O" });
  assert.equal(game("quarto").numActions, 32);
  assert.match(readFileSync(new URL("Cargo.toml", ROOT), "utf8"), new RegExp(`^version = "${petteia.version}"$`, "m"));
});

test("positions are immutable values", () => {
  const start = game("tictac");
  const after = start.play("B2");
  assert.deepEqual([start.text, after.text], ["___/___/___ X", "___/_X_/___ O"]);
  assert.ok(after.equals(Position.parse("tictac", after.text)) && !after.equals(start));
  assert.ok(after.equals(start.play(start.action("B2"))));
  assert.equal(start.move(4), "B2");
  assert.deepEqual(JSON.parse(JSON.stringify(after)), { game: "tictac", text: after.text });
  assert.throws(() => start.moves.push("D4"), TypeError);
  assert.throws(() => { start.text = ""; }, TypeError);
  assert.throws(() => new Position("tictac", "___/___/___ X"), TypeError);
  assert.match(start.svg({ last: null, legal: true, theme: "dark" }), /^<svg .*pet-legal/s);
  assert.notEqual(after.svg({ last: "B2" }), after.svg());
  assert.match(String(after), /X/);
  assert.deepEqual([...after.cells], [0, 0, 0, 0, 1, 0, 0, 0, 0]);
  assert.deepEqual([over.winning, start.winning], [[0, 1, 2], []]);
  const won = [["breakdown", "..../..../..../**../**oo - 2 2"], ["quarto", "0123/..../..../.... - -"]];
  assert.deepEqual(won.map((given) => Position.parse(...given).winning), [[12, 13, 16, 17], [0, 1, 2, 3]]);
  assert.deepEqual([over.isOver, over.turn, over.outcome, over.moves], [true, null, { winner: 0 }, []]);
});

test("more positions than are kept, and large ones", () => {
  const starts = Array.from({ length: 300 }, (_, i) => game("breakdown", { width: i + 1, height: 3 }));
  for (const [i, start] of starts.entries()) assert.equal(start.moves.length, 2 * (i + 1));
  const large = game("breakdown", { width: 1000, height: 1000 });
  assert.equal(large.play("|700").play("-3").text.length, large.text.length);
});

test("records", () => {
  const line = "reversi 8 8: d4 e4 e5 d5 e3";
  const record = Record.parse(line);
  assert.equal(record.text, line);
  assert.deepEqual(record.moves, ["d4", "e4", "e5", "d5", "e3"]);
  assert.equal(record.undo().text, "reversi 8 8: d4 e4 e5 d5");
  assert.ok(record.undo().play("e3").last.equals(record.last));
  assert.deepEqual([record.positions.length, record.positions[0].text], [6, record.start.text]);
  assert.equal(new Record(game("quarto")).text, "quarto:");
  assert.throws(() => new Record(game("quarto")).undo(), { name: "Unavailable" });
  assert.throws(() => Record.parse("reversi 8 8: d4 d4"), { name: "IllegalMove", message: /ply 2/ });
  assert.throws(() => new Record(game("tictac"), ["A1", "A1"]), { name: "IllegalMove", message: /ply 2/, move: "A1" });
  assert.throws(() => Record.parse("reversi 8 8 d4"), { name: "ParseError" });
});

test("errors say what is wrong", async () => {
  const start = game("reversi");
  const cases = [
    [() => start.play("a1"), "IllegalMove", /a1/],
    [() => start.play("d4 "), "IllegalMove", /"d4 "/],
    [() => start.play(64), "IllegalMove", /64/],
    [() => start.play(-1), "IllegalMove", /-1/],
    [() => start.play(0), "IllegalMove", /a1/],
    [() => start.play(1.5), "TypeError", /move/],
    [() => start.play(null), "TypeError", /move/],
    [() => start.action("x"), "ParseError", /"x"/],
    [() => start.action("\0"), "ParseError", /NUL/],
    [() => start.move(64), "InvalidArgument", /64/],
    [() => start.perft(-1), "InvalidArgument", /depth/],
    [() => start.perft("3"), "TypeError", /depth/],
    [() => start.perft(3, { tableMb: 1e9 }), "InvalidArgument", /tableMb/],
    [() => start.perft(3, { progress: 1 }), "TypeError", /progress/],
    [() => start.svg({ theme: "pink" }), "InvalidArgument", /pink/],
    [() => Position.parse("chess", ""), "ParseError", /chess/],
    [() => Position.parse("reversi", "é"), "ParseError", /é/],
    [() => Position.parse("reversi"), "TypeError", /text/],
    [() => game("chess"), "ParseError", /chess/],
    [() => game("reversi", { size: 8 }), "InvalidArgument", /size/],
    [() => game("reversi", { width: 9 }), "ParseError", /9/],
    [() => new Bot("genius"), "ParseError", /genius/],
    [() => solve("reversi"), "TypeError", /position/],
    [() => solve(start, { timeLimit: -1 }), "InvalidArgument", /timeLimit/],
    [() => solve(start, { timeLimit: NaN }), "InvalidArgument", /timeLimit/],
    [() => solve(start, { nodeLimit: 0 }), "InvalidArgument", /nodeLimit/],
    [() => solve(game("tictac"), { emptiesToWinner: true }), "WrongGame", /empt/],
    [() => solve(over), "Unavailable", /over/],
    [() => analyse(over), "Unavailable", /over/],
    [() => evaluate(over), "Unavailable", /over/],
    [() => mcts(over), "Unavailable", /over/],
    [() => new Bot("random").choose(over), "Unavailable", /over/],
    [() => mcts(start, { evaluator: "oracle" }), "ParseError", /oracle/],
    [() => analyse(start, { lines: 0 }), "InvalidArgument", /lines/],
    [() => analyse(start, { depth: 0 }), "InvalidArgument", /depth/],
  ];
  for (const [call, name, message] of cases) {
    // Those of engines are rejections.
    await assert.rejects(async () => call(), (error) => {
      assert.equal(error.name, name, `${call}: ${error.stack}`);
      assert.match(error.message, message);
      return name === "TypeError" ? error instanceof TypeError : error instanceof petteia.PetteiaError;
    });
  }
  assert.throws(() => start.play("a1"), { move: "a1", position: start });
});

test("exact values", async () => {
  const found = await solve(game("tictac"));
  assert.deepEqual([found.value, found.exact, found.bestMoves.length, found.line.length], [0, true, 9, 9]);
  const one = await solve(Position.parse("tictac", "XX_/OO_/___ X"), { allBest: false });
  assert.deepEqual([one.value, one.bestMoves], [1, ["A3"]]);
  const small = await solve(game("reversi", { width: 4, height: 4 }));
  assert.equal(small.exact, true);
  assert.ok(small.bestMoves.includes(small.line[0]));
});

test("limits of time and of nodes end a search", async () => {
  const start = game("reversi");
  for (const limit of [0, 0.05, 0.3]) {
    const began = performance.now();
    const found = await solve(start, { timeLimit: limit });
    const took = (performance.now() - began) / 1000;
    assert.equal(found.exact, false);
    assert.equal(found.value, null);
    assert.ok(found.lower <= found.upper);
    // The first time, the weights are loaded.
    assert.ok(took < limit + 1, `${took} seconds`);
  }
  const found = await solve(start, { nodeLimit: 5000 });
  assert.ok(found.nodes <= 5000 && !found.exact);
  const large = game("breakdown", { width: 64, height: 64, stick: 3, square: 3 });
  for (const time of [0.1, 0.3]) {
    const began = performance.now();
    await new Bot(`alphabeta:time=${time}`, { seed: 1 }).choose(large);
    const took = (performance.now() - began) / 1000;
    assert.ok(took < time + 1, `${took} seconds`);
  }
});

test("progress is told, and cancels", async () => {
  const start = game("reversi");
  const told = [];
  const found = await solve(start, { progress: (news) => told.push(news) === 3 });
  assert.deepEqual([told.length, found.exact], [3, false]);
  assert.ok(told[0].nodes <= told[2].nodes && told[2].seconds > 0 && told[0].total === null);
  assert.throws(() => start.perft(20, { progress: () => true }), { name: "Stopped" });
  await assert.rejects(playouts(start, 1e9, { progress: ({ done, total }) => done > 0 && total === 1e9 }), { name: "Stopped" });
  const tree = await mcts(start, { simulations: 1e9, progress: ({ done }) => done > 100 });
  assert.ok(tree.simulations > 100 && tree.simulations < 1e9);
  const { depth } = await analyse(start, { time: 60, progress: ({ seconds }) => seconds > 0.1 });
  assert.ok(depth > 0);
  const choice = await new Bot("alphabeta:time=60").choose(start, { progress: () => true });
  assert.ok(start.moves.includes(choice.move));
  // What it throws, the call throws, and the module lives on.
  const count = memories.length;
  await assert.rejects(solve(start, { progress: () => { throw new Error("enough"); } }), /enough/);
  assert.equal(memories.length, count);
});

test("progress may use the library", async () => {
  const start = game("reversi");
  const texts = [];
  await solve(start, { timeLimit: 0.2, progress: () => {
    let position = start;
    while (!position.isOver) position = position.play(position.moves[0]);
    texts.push(position.text);
    start.perft(3);
  } });
  assert.ok(texts.length > 1 && new Set(texts).size === 1);
});

test("analysis, estimates, tree search and random games", async () => {
  const win = Position.parse("tictac", "XX_/OO_/___ X");
  const found = await analyse(win, { lines: 9 });
  assert.equal(found.lines.length, 5);
  assert.deepEqual([found.lines[0].moves[0], found.lines[0].value, found.lines[0].exact], ["A3", 1, true]);
  const { win: w, draw, loss, difference } = await evaluate(game("reversi"));
  assert.ok(Math.abs(w + draw + loss - 1) < 1e-9 && difference !== null);
  assert.equal((await evaluate(game("quarto"))).difference, null);
  const tree = await mcts(win, { simulations: 500, seed: 7 });
  assert.equal(tree.best.move, "A3");
  assert.deepEqual(tree.branches.map(({ move }) => move), win.moves);
  assert.deepEqual(await mcts(win, { simulations: 500, seed: 7 }), tree);
  const tally = await playouts(win, 1000, { seed: 3 });
  assert.equal(tally.wins[0] + tally.wins[1] + tally.draws, 1000);
  assert.deepEqual(await playouts(win, 1000, { seed: 3 }), tally);
});

test("computers play whole games", async () => {
  for (const { name } of GAMES) {
    for (const level of ["random", "myopic", "level:1", "level:4", "mcts:50", "perfect:1000", "alphabeta:depth=2"]) {
      const bots = [new Bot(level, { seed: 5 }), new Bot("random", { seed: 6 })];
      let record = new Record(game(name));
      while (!record.last.isOver) {
        record = record.play((await bots[record.last.turn].choose(record.last)).move);
      }
      assert.equal(Record.parse(record.text).last.text, record.last.text);
      bots.forEach((bot) => bot.free());
    }
  }
});

test("memory stays flat over a hundred searches", async () => {
  const search = async (seed) => {
    const start = game("reversi");
    await analyse(start, { nodes: 3000, lines: 2 });
    await solve(start, { nodeLimit: 3000 });
    await mcts(start, { simulations: 200, seed });
    const bot = new Bot("alphabeta:nodes=3000", { seed });
    await bot.choose(start);
    bot.free();
    start.svg();
    Record.parse("reversi 8 8: d4 e4 e5 d5 e3");
    assert.throws(() => start.play("a1"));
  };
  for (let i = 0; i < 5; i += 1) await search(i);
  const before = memories.at(-1).buffer.byteLength;
  for (let i = 0; i < 100; i += 1) await search(i);
  assert.equal(memories.at(-1).buffer.byteLength, before);
});

test("a module that ends is replaced", async () => {
  const start = game("reversi");
  const bot = new Bot("level:2", { seed: 1 });
  await bot.choose(start);
  const count = memories.length;
  // Freeing what is no position reads memory that there is not.
  const trap = () => real.petteia_position_free(0x7fff_fff0);
  replaced.petteia_position_evaluate = trap;
  await assert.rejects(evaluate(start), { name: "Crash", message: /the module ended: memory access out of bounds/ });
  assert.equal(memories.length, count + 1);
  delete replaced.petteia_position_evaluate;
  // Positions, players and weights are there as before.
  assert.equal((await evaluate(start)).difference !== null, true);
  assert.ok(start.play("d4").moves.length > 0);
  assert.ok(start.moves.includes((await bot.choose(start)).move));
  // The message of a panic is told: the next module gets no weights, and looks for them.
  replaced.petteia_wasm_svg = trap;
  replaced.petteia_weights_load = () => 0;
  assert.throws(() => start.svg(), { name: "Crash" });
  delete replaced.petteia_weights_load;
  await assert.rejects(evaluate(start), { name: "Crash", message: /^the module ended: .*weights.*mod\.rs:\d+/ });
  // Amid a search, what is thrown ends it.
  await assert.rejects(solve(start, { progress: () => start.svg() }), { name: "Crash" });
  delete replaced.petteia_wasm_svg;
  assert.equal(memories.length, count + 4);
  assert.equal((await solve(start, { nodeLimit: 1000 })).exact, false);
});

test("a search of a large board is watched", async () => {
  const large = game("breakdown", { width: 64, height: 64, stick: 3, square: 9 });
  const stops = () => {
    let asked = 0;
    return { progress: () => ++asked === 3 };
  };
  assert.equal((await solve(large, stops())).exact, false);
  assert.ok((await analyse(large, { nodes: 1e9, ...stops() })).lines.length === 1);
  const { move } = await new Bot("perfect:1000000000", { seed: 1 }).choose(large, stops());
  assert.ok(large.moves.includes(move));
});

test("it is small enough", () => {
  const size = (name) => gzipSync(readFileSync(new URL(name, STATIC)), { level: 9 }).length;
  assert.ok(size("petteia.wasm") <= 300_000, `petteia.wasm: ${size("petteia.wasm")} bytes compressed`);
});

test("no path of a machine is in the module", () => {
  const text = readFileSync(new URL("petteia.wasm", STATIC), "latin1");
  assert.deepEqual(text.match(/\/(home|root|tmp|work|Users)\/[ -~]{0,60}/g), null);
});

test("npm packs what it takes to run", { skip: NPM ? false : "needs npm" }, () => {
  const folder = mkdtempSync(join(tmpdir(), "petteia-"));
  try {
    // Of a copy: what is added for the package is no file of the page, which others look at meanwhile.
    const at = (path) => join(folder, "clone", path);
    for (const path of ["python/petteia/web/static", "packaging/pages", "LICENSE-MIT", "LICENSE-APACHE"]) {
      cpSync(new URL(path, ROOT), at(path), { recursive: true });
    }
    const packed = spawnSync("npm", ["pack", "--json", "--pack-destination", folder],
      { cwd: at("python/petteia/web/static"), encoding: "utf8" });
    assert.equal(packed.status, 0, packed.stderr);
    execFileSync("tar", ["xzf", join(folder, `petteia-${petteia.version}.tgz`), "-C", folder]);
    const files = readdirSync(join(folder, "package")).sort();
    assert.deepEqual(files, ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "package.json", "petteia.d.ts", "petteia.js",
      "petteia.wasm", "petteia.wasm.txt", "reversi.weights"]);
    const manifest = JSON.parse(readFileSync(join(folder, "package", "package.json"), "utf8"));
    const { name, version, license, types, dependencies } = manifest;
    assert.deepEqual([name, version, license, types, dependencies],
      ["petteia", petteia.version, "MIT OR Apache-2.0", "./petteia.d.ts", undefined]);
    // As a program finds it that has installed it: the one in the README plays a game and solves its end.
    mkdirSync(join(folder, "node_modules"));
    renameSync(join(folder, "package"), join(folder, "node_modules", "petteia"));
    const [, program] = readFileSync(new URL("README.md", ROOT), "utf8").match(/```js\n(.*?)```/s);
    assert.ok(program.trim().split("\n").length <= 10);
    writeFileSync(join(folder, "own.mjs"), program);
    const said = execFileSync(process.execPath, [join(folder, "own.mjs")], { cwd: folder, encoding: "utf8" });
    assert.match(said, /^reversi 6 6: .*\bexact: true\b/s);
    // The weights, too.
    writeFileSync(join(folder, "large.mjs"), 'import { evaluate, game } from "petteia"; console.log(await evaluate(game("reversi")));');
    assert.match(execFileSync(process.execPath, [join(folder, "large.mjs")], { encoding: "utf8" }), /win: 0\.\d/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a worker is ended amid a search", async () => {
  const program = `
    const { parentPort } = await import("node:worker_threads");
    const { game, solve } = await import(${JSON.stringify(String(new URL("petteia.js", STATIC)))});
    await solve(game("reversi"), { progress: ({ nodes }) => { if (nodes > 0) parentPort.postMessage(nodes); } });`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
  const nodes = await new Promise((resolve, reject) => { worker.once("message", resolve); worker.once("error", reject); });
  assert.ok(nodes > 0);
  assert.equal(await worker.terminate(), 1);
});
