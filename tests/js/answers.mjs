// Answers questions about positions, for tests/python/test_javascript.py: a list in, a list out, both JSON.

import { readFileSync } from "node:fs";

import { STATIC } from "./static.mjs";

const petteia = await import(new URL("petteia.js", STATIC));
/** What the page shows of a record at a ply. */
async function shown(record, ply) {
  const { Line } = await import(new URL("view.js", STATIC));
  const view = Line.parse(record).at(ply);
  const names = ["game", "parameters", "players", "moves", "cells", "before", "over", "turn", "winner", "winning", "skipped",
    "hand", "last", "record"];
  const legal = view.legal.map(({ move, changes, wins }) => ({ move, changes, wins }));
  return { ...Object.fromEntries(names.map((name) => [name, view[name]])), legal };
}

const answer = async ([what, game, text, ...given]) => {
  if (what === "shown") return shown(game, text);
  const position = petteia.Position.parse(game, text);
  if (what === "choose") {
    const [name, options] = given;
    return new petteia.Bot(name, options).choose(position);
  }
  return what in position ? position[what] : petteia[what](position, ...given);
};

const answers = [];
for (const question of JSON.parse(readFileSync(0, "utf8"))) answers.push(await answer(question));
console.log(JSON.stringify(answers));
