// The programs in the documentation run.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { STATIC } from "./static.mjs";

const ROOT = new URL("../../", import.meta.url);

for (const name of ["README.md", "docs/javascript.md"]) {
  const programs = [...readFileSync(new URL(name, ROOT), "utf8").matchAll(/```js\n(.*?)```/gs)];
  assert.ok(programs.length > 0, name);
  for (const [number, [, program]] of programs.entries()) {
    test(`${name}, program ${number + 1}`, () => {
      const input = program.replaceAll('from "petteia"', `from ${JSON.stringify(new URL("petteia.js", STATIC))}`);
      assert.notEqual(input, program);
      const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module"], { input, encoding: "utf8" });
      assert.equal(status, 0, stderr);
      // What a comment says is printed.
      for (const [, said] of program.matchAll(/console\.log\(.*\); \/\/ (true .*)$/gm)) assert.ok(stdout.includes(said), stdout);
      assert.ok(stdout.length > 20);
    });
  }
}
