// The rules in JavaScript against the same vectors as in C and Python: tests/data.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";

import { STATIC } from "./static.mjs";

const { Position, Record, game, solve } = await import(new URL("petteia.js", STATIC));

const data = (name) => readFileSync(new URL(`../data/${name}`, import.meta.url));
const vectors = (name) => JSON.parse(gunzipSync(data(`${name}.json.gz`)));
const lines = (name) => data(name).toString().split("\n").filter((line) => line && !line.startsWith("#"));

const PLAYERS = { dark: 0, light: 1, neither: null };

test("counts of move sequences", () => {
  let checked = 0;
  for (const line of lines("perft.txt")) {
    const [, head, counts] = line.match(/^([^:]*):(.*)$/);
    const [, name, how] = head.match(/^(\S+) ?(.*)$/);
    const start = how.startsWith("from ") ? Position.parse(name, how.slice(5)) : Record.parse(`${head}:`).start;
    for (const [i, word] of counts.trim().split(" ").entries()) {
      const count = word === "." || word === "" ? 0n : BigInt(word);
      if (count > 3_000_000n) break;
      assert.equal(start.perft(i + 1), count, `${head}, depth ${i + 1}`);
      assert.equal(start.perft(i + 1, { tableMb: 1 }), count, `${head}, depth ${i + 1}, with a table`);
      checked += 1;
    }
  }
  assert.ok(checked > 180, `${checked} counts`);
});

test("games of Reversi", () => {
  const square = ([x, y]) => "abcdefgh"[x] + (y + 1);
  for (const { width, height, plies, final, winner } of vectors("reversi").games) {
    let position = game("reversi", { width, height });
    for (const { turn, moves, played, counts } of plies) {
      assert.equal(position.players[position.turn], turn);
      assert.deepEqual([...position.moves].sort(), moves.map(([at]) => square(at)).sort());
      const before = position.text;
      const after = position.play(square(played));
      assert.equal(position.text, before);
      position = after;
      assert.deepEqual([1, 2].map((cell) => position.cells.filter((c) => c === cell).length), counts);
    }
    assert.equal(position.text.split(" ")[0].replaceAll("_", "."), final.join("/"));
    assert.deepEqual(position.outcome, { winner: PLAYERS[winner] });
    assert.deepEqual([position.isOver, position.turn, position.moves.length], [true, null, 0]);
  }
});

test("games of Quarto", () => {
  for (const { turns, winner } of vectors("quarto").games) {
    const moves = turns.flatMap(([piece, square]) => [piece, square]);
    const record = new Record(game("quarto"), moves);
    assert.deepEqual(record.last.outcome, { winner: [null, 0, 1][winner] });
    assert.deepEqual(Record.parse(record.text).moves, moves);
  }
});

test("games of Breakdown", () => {
  const label = (column) =>
    column < 62 ? "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[column] : String(column);
  const notation = (m) => (m === "!" ? m : m[0] + label(m[1]));
  const OUTCOMES = { in_progress: null, draw: { winner: null }, black_win: { winner: 0 }, white_win: { winner: 1 },
    black: { winner: 0 }, white: { winner: 1 } };
  let played = 0;
  for (const { w, h, k, q, steps, start_outcome: first } of vectors("breakdown").games) {
    let position = game("breakdown", { width: w, height: h, stick: k, square: q });
    assert.deepEqual(position.outcome, OUTCOMES[first]);
    for (const { m, ok, outcome, legal } of steps) {
      // The course lets its games go on after their end; positions do not.
      if (position.isOver) break;
      if (ok) {
        position = position.play(notation(m));
        played += 1;
      } else {
        assert.throws(() => position.play(notation(m)), { name: "IllegalMove" });
      }
      assert.ok(outcome in OUTCOMES, outcome);
      assert.deepEqual(position.outcome, OUTCOMES[outcome]);
      if (legal && !position.isOver) assert.deepEqual([...position.moves].sort(), legal.map(notation).sort());
    }
    assert.ok(Position.parse("breakdown", position.text).equals(position));
  }
  assert.ok(played > 1000, `${played} moves`);
});

test("endgames of Reversi", async () => {
  for (const line of lines("ffo.txt").slice(0, 6)) {
    const [, text, scores] = line.split("\t");
    const values = Object.fromEntries(scores.split(" ").map((score) => {
      const [move, value] = score.split("=");
      return [move, Number(value)];
    }));
    const best = Math.max(...Object.values(values));
    const found = await solve(Position.parse("reversi", text), { emptiesToWinner: true });
    assert.deepEqual([found.value, found.lower, found.upper, found.exact], [best, best, best, true]);
    assert.deepEqual([...found.bestMoves].sort(), Object.keys(values).filter((move) => values[move] === best).sort());
    assert.ok(found.bestMoves.includes(found.line[0]));
  }
});
