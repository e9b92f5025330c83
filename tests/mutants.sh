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
# The libraries for C would be linked anew for every change.
sed -i 's/^crate-type = .*/crate-type = ["rlib"]/' Cargo.toml

# Makes the changes to a game that the other arguments select, with its own tests alone.
mutants() {
  local game=$1 pass=$2 tests=(--cargo-arg=--test="$1" --cargo-arg=--test=laws) skipped=(${skipped[@]})
  for other in "${GAMES[@]}"; do
    [ "$other" = "$game" ] || skipped+=("${other}::" "${other}_")
  done
  [ "$pass" = quick ] || tests+=(--cargo-arg=--lib)
  rm -rf "$out/$game-$pass"
  PATH=$tools/bin:$PATH cargo mutants --in-place --file "src/$game/*.rs" --output "$out/$game-$pass" \
    "${tests[@]}" "${@:3}" -- -- "${skipped[@]/#/--skip=}"
}

# A change takes seconds, of which most are its build. So all are first made without optimisation, with the quick tests
# alone; then those that nobody noticed, with all.
SLOW=(every_ply_is_the_oracles boards_at_the_limit_answer canonical_form_is_the_same random_games_agree
  numbers_do_not_panic classes_are_counted every_size_is_what complete_games_are)
REST=(work:: vector:: search:: solve:: endgame:: playout:: selfplay:: svg:: drawn::)
for game in "${GAMES[@]}"; do
  skipped=("${SLOW[@]}")
  export CARGO_PROFILE_MUTANTS_OPT_LEVEL=0
  mutants "$game" quick --shard "$((part - 1))/$parts" || true
  mapfile -t left < <(cat "$out/$game-quick/mutants.out/"{missed,timeout}.txt | sed 's/[][\.|*?+(){}^$]/\\&/g')
  skipped=("${REST[@]}")
  export CARGO_PROFILE_MUTANTS_OPT_LEVEL=1
  [ ${#left[@]} = 0 ] || mutants "$game" careful "${left[@]/#/--re=^}" || true
done

missed=$(cat "$out"/*-careful/mutants.out/{missed,timeout}.txt)
echo "$missed"
[ -z "$missed" ]
