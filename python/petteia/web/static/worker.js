// Thinks for the page, on a thread of its own. A message is a question: { number, game, text } with a `computer` that
// is to move, or without one for an evaluation. The answers have the same number; the last one is `done`.
//
// A search listens to nobody: the page ends the worker to end it, and starts another.

import { COMPUTERS, MOVE, ROUNDS } from "./computers.js";

// Messages that come before the module is there wait for it.
const loaded = import("./petteia.js");

async function choose({ Bot }, position, computer) {
  const bot = new Bot(COMPUTERS[computer], { seed: null });
  try {
    const { move } = await bot.choose(position, { progress: ({ seconds }) => seconds > MOVE });
    return { move, done: true };
  } finally {
    bot.free();
  }
}

/** Yields what is known of a position, more and more: numbers are those of the first player. */
async function* evaluate({ analyse, solve }, position) {
  const sign = position.turn === 0 ? 1 : -1;
  for (const seconds of ROUNDS) {
    const { exact, value, bestMoves } = await solve(position, { timeLimit: seconds });
    if (exact) {
      yield { exact, value: sign * value, best: bestMoves };
      return;
    }
    const { depth, lines: [{ estimate, moves }] } = await analyse(position, { time: seconds });
    const { win, draw, difference } = estimate;
    const share = win + draw / 2;
    yield {
      exact, best: moves.slice(0, 1), depth,
      share: sign > 0 ? share : 1 - share,
      difference: difference === null ? null : sign * difference,
    };
  }
}

addEventListener("message", async ({ data: { number, game, text, computer } }) => {
  const answer = (found) => postMessage({ number, ...found });
  try {
    const engine = await loaded;
    const position = engine.Position.parse(game, text);
    if (computer) {
      answer(await choose(engine, position, computer));
      return;
    }
    for await (const evaluation of evaluate(engine, position)) answer({ evaluation });
    answer({ done: true });
  } catch (error) {
    answer({ done: true, error: error.message });
  }
});
