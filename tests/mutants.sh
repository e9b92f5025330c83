#!/usr/bin/env bash
# Changes the rules, notation and outcomes of the four games in small ways, one at a time, with cargo-mutants, which it
# installs if it is missing, and lists the changes that no test of the rules notices. .cargo/mutants.toml says which
# files are changed.
#
#   tests/mutants.sh K/N [GAME]...   makes the K-th of N parts of the changes, in a copy of the sources in
#                                    target/mutants/K, to these games (all without arguments)
set -euo pipefail
cd "$(dirname "$0")/.."

VERSION=25.3.1
GAMES=(tictac breakdown quarto reversi)
part=${1%/*} parts=${1#*/} chosen=("${@:2}")
[ ${#chosen[@]} -gt 0 ] || chosen=("${GAMES[@]}")
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

# Makes changes to a game, with tests that are not of other games: `mutants GAME PASS "TESTS TO SKIP" ARGUMENTS...`. That
# some are missed (status 2) or never end (3) is no failure.
mutants() {
  local game=$1 folder=$out/$2/$1 skipped
  read -ra skipped <<<"$3"
  for other in "${GAMES[@]}"; do
    [ "$other" = "$game" ] || skipped+=("${other}::" "${other}_")
  done
  mkdir -p "$folder"
  # The first test that notices a change ends the run: that option of the test runner is not stable yet.
  PATH=$tools/bin:$PATH RUSTC_BOOTSTRAP=1 cargo mutants --in-place --file "src/$game/*.rs" --output "$folder" "${@:4}" \
    -- -- -Zunstable-options --fail-fast --test-threads=1 "${skipped[@]/#/--skip=}" || [[ $? == [23] ]]
}

# Makes the changes again that an earlier pass has missed: `again GAME EARLIER PASS "TESTS TO SKIP" ARGUMENTS...`.
again() {
  mapfile -t left < <(sed 's/[][\.|*?+(){}^$]/\\&/g' "$out/$2/$1/mutants.out/missed.txt" 2>/dev/null)
  if [ ${#left[@]} -gt 0 ]; then
    mutants "$1" "$3" "$4" "${@:5}" "${left[@]/#/--re=^}"
  fi
}

# A change takes seconds, of which most are its build. So all are made with the game's quick tests alone, without
# optimisation; then those that nobody noticed, with the laws and the unit tests; then the rest, optimised, with the
# game's slow tests.
SLOW="every_ply_is_the_oracles boards_at_the_limit_answer canonical_form_is_the_same random_games_agree
  numbers_do_not_panic classes_are_counted every_size_is_what complete_games_are playouts_are_the_games"
OTHER="work:: vector:: search:: solve:: endgame:: playout:: selfplay:: svg:: drawn:: avx2:: board_maps_are_all"
for game in "${chosen[@]}"; do
  rm -rf "$out"/{quick,laws,careful}/"$game"
  export CARGO_PROFILE_MUTANTS_OPT_LEVEL=0
  mutants "$game" quick "${SLOW//$'\n'/ }" --cargo-arg=--test="$game" --shard "$((part - 1))/$parts"
  again "$game" quick laws "$OTHER" --cargo-arg=--lib --cargo-arg=--test=laws
  export CARGO_PROFILE_MUTANTS_OPT_LEVEL=1
  again "$game" laws careful "" --cargo-arg=--test="$game"
done

missed=$(find "$out/careful" -name missed.txt -exec cat {} + 2>/dev/null || true)
echo "$missed"
[ -z "$missed" ]
