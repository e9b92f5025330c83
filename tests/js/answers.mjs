// Answers questions about positions, for tests/python/test_javascript.py: a list in, a list out, both JSON.

import { readFileSync } from "node:fs";

import { STATIC } from "./static.mjs";

const petteia = await import(new URL("petteia.js", STATIC));

const answer = async ([what, game, text, ...given]) => {
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
