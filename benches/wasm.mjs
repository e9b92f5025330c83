// Speed in JavaScript, on one thread, of counting and solving: node benches/wasm.mjs [FILE]
//
// FILE is what benches/portable.rs has printed for the same work: `make bench-wasm` compares the two.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { Position, game, solve } from "../python/petteia/web/static/petteia.js";

const RUNS = 8;

/** The position after so many plies, each played by a rule that needs no random numbers. */
function after(position, plies) {
  for (let ply = 0; ply < plies; ply += 1) position = position.play(position.moves[(7 * ply) % position.moves.length]);
  return position;
}

const start = Position.parse("reversi",
  "________/________/________/___LD___/___DL___/________/________/________ D");
const ffo40 = Position.parse("reversi",
  "L__LLLLD/_LLLLLLD/LLDDLLLD/LLDLLLDD/LLLLLLDD/___LLLLD/____L__D/________ D");
const perft = (position, depth, count) => () => assert.equal(position.perft(depth), count);
const solved = (position, value) => async () => {
  const found = await solve(position, { emptiesToWinner: position.game === "reversi" });
  assert.equal(found.value, value);
};

const WORK = {
  "perft reversi": perft(start, 10, 24_571_192n),
  "perft tictac": perft(game("tictac"), 9, 127_872n),
  "perft quarto": perft(game("quarto"), 6, 11_289_600n),
  "perft breakdown": perft(game("breakdown"), 7, 646_982n),
  "solve reversi": solved(ffo40, 38),
  "solve tictac": solved(game("tictac"), 0),
  "solve quarto": solved(after(game("quarto"), 12), 0),
  "solve breakdown": solved(game("breakdown", { width: 4, height: 4 }), 1),
};

const native = new Map();
if (process.argv[2]) {
  for (const line of readFileSync(process.argv[2], "utf8").trim().split("\n")) {
    const [name, milliseconds] = line.split("\t");
    native.set(name, Number(milliseconds));
  }
}

for (const [name, work] of Object.entries(WORK)) {
  // The engine of JavaScript first runs code that it has compiled in a hurry.
  await work();
  let least = Infinity;
  for (let run = 0; run < RUNS; run += 1) {
    const began = performance.now();
    await work();
    least = Math.min(least, performance.now() - began);
  }
  const share = native.has(name) ? `  ${((100 * native.get(name)) / least).toFixed(0)} % of native portable` : "";
  console.log(`${name.padEnd(16)} ${least.toFixed(1).padStart(8)} ms${share}`);
}
