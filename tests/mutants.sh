#!/usr/bin/env bash
# Changes the rules, notation and outcomes of the four games in small ways, one at a time, with cargo-mutants, which it
# installs if it is missing, and lists the changes that no test of the rules notices. .cargo/mutants.toml says which
# files are changed.
#
#   tests/mutants.sh K/N   makes the K-th of N parts of the changes, in a copy of the sources in target/mutants/K
set -euo pipefail
cd "$(dirname "$0")/.."

VERSION=25.3.1
GAMES=(tictac breakdown quarto reversi)
part=${1%/*} parts=${1#*/}
tools=$PWD/target/tools
out=$PWD/target/mutants/$part

if [ "$("$tools/bin/cargo-mutants" mutants --version 2>/dev/null)" != "cargo-mutants $VERSION" ]; then
  cargo install cargo-mutants --locked --version "$VERSION" --root "$tools" --target-dir "$tools/build"
fi
mkdir -p "$out/sources"
git ls-files -z | xargs -0 cp --parents --target-directory "$out/sources"
cd "$out/sources"
unset CARGO_TARGET_DIR

# Each game with its own tests alone: a mutant takes seconds, of which most are its build.
status=0
for game in "${GAMES[@]}"; do
  others=()
  for other in "${GAMES[@]}"; do
    [ "$other" = "$game" ] || others+=(--skip "${other}::" --skip "${other}_")
  done
  for rest in work vector search solve endgame playout selfplay svg drawn; do
    others+=(--skip "${rest}::")
  done
  PATH=$tools/bin:$PATH cargo mutants --in-place --file "src/$game/*.rs" --shard "$((part - 1))/$parts" \
    --output "$out/$game" -- --lib --test "$game" --test laws -- "${others[@]}" || status=$?
done
cat "$out"/*/mutants.out/{missed,timeout}.txt
exit "$status"
