#!/usr/bin/env bash
# Searches for inputs that break a law of fuzz/src, with cargo-fuzz, which it installs if it is missing.
#
#   fuzz/run.sh search SECONDS   searches that long, divided evenly among all targets; finds go to fuzz/found, which
#                                git ignores, and inputs that break a law to fuzz/artifacts
#   fuzz/run.sh minimise         adds the finds to fuzz/corpus, and keeps there what is needed to reach the same code
set -euo pipefail
cd "$(dirname "$0")"

VERSION=0.13.1
TOOLCHAIN=${TOOLCHAIN:-nightly}
# Longer inputs are slower, and reach nothing more.
LONGEST=400
# The most files of a corpus.
MOST=60

export CARGO_TARGET_DIR=$PWD/../target/fuzz
tools=$PWD/../target/tools
logs=$CARGO_TARGET_DIR/logs
mapfile -t targets < <(basename --suffix=.rs fuzz_targets/*.rs)

fuzz() {
  PATH=$tools/bin:$PATH cargo "+$TOOLCHAIN" fuzz "$1" --fuzz-dir . "${@:2}"
}

prepare() {
  if ! command -v rustup >/dev/null; then
    echo "fuzz/run.sh: rustup is missing; fuzzing needs a $TOOLCHAIN toolchain" >&2
    exit 1
  fi
  rustup run "$TOOLCHAIN" rustc --version >/dev/null 2>&1 || rustup toolchain install "$TOOLCHAIN" --profile minimal
  if [ "$("$tools/bin/cargo-fuzz" --version 2>/dev/null)" != "cargo-fuzz $VERSION" ]; then
    cargo install cargo-fuzz --locked --version "$VERSION" --root "$tools" --target-dir "$CARGO_TARGET_DIR/install"
  fi
  mkdir -p "$logs"
  fuzz build
}

search() {
  local each=$(($1 / ${#targets[@]})) failed=()
  prepare
  for target in "${targets[@]}"; do
    mkdir -p "found/$target"
    echo "$target: $each seconds"
    fuzz run "$target" "found/$target" "corpus/$target" -- -max_total_time=$((each > 0 ? each : 1)) \
      -max_len=$LONGEST -timeout=20 -print_final_stats=1 >"$logs/$target" 2>&1 || failed+=("$target")
  done
  printf '\n%-18s %11s %9s %9s %9s\n' target executions 'a second' coverage features
  for target in "${targets[@]}"; do
    awk -v target="$target" '
      /stat::number_of_executed_units/ { executions = $2 }
      /stat::average_exec_per_sec/ { speed = $2 }
      / cov: / { for (i = 1; i < NF; i++) { if ($i == "cov:") edges = $(i + 1); if ($i == "ft:") features = $(i + 1) } }
      END { printf "%-18s %11s %9s %9s %9s\n", target, executions, speed, edges, features }' "$logs/$target"
  done
  for target in "${failed[@]}"; do
    echo "$target: broken; see target/fuzz/logs/$target and fuzz/artifacts/$target" >&2
  done
  [ ${#failed[@]} = 0 ]
}

# Prints the files of a corpus, given what libFuzzer noted about them while merging: first the one that reaches most,
# then the one that adds most to it, and so on.
choose() {
  python3 - "$1" "$MOST" <<'END'
import sys

lines = open(sys.argv[1]).read().splitlines()
names = lines[2 : 2 + int(lines[0])]
reached = {}
for kind, number, *features in map(str.split, lines[2 + len(names) :]):
    if kind == "FT":
        reached[names[int(number)]] = set(features)
for _ in range(int(sys.argv[2])):
    best = max(reached, key=lambda name: len(reached[name]), default=None)
    if not best or not reached[best]:
        break
    print(best)
    known = set(reached[best])
    for features in reached.values():
        features -= known
END
}

minimise() {
  prepare
  for target in "${targets[@]}"; do
    mkdir -p "found/$target"
    local fresh
    fresh=$(mktemp -d)
    mkdir "$fresh/all"
    # By the code that is reached, not by how often: that would keep many times as many files.
    fuzz run "$target" "$fresh/all" "found/$target" "corpus/$target" -- -set_cover_merge=1 -use_counters=0 \
      -max_len=$LONGEST -merge_control_file="$fresh/control" >"$logs/$target.merge" 2>&1
    mkdir "$fresh/corpus"
    choose "$fresh/control" | xargs cp -t "$fresh/corpus"
    # Inputs that once broke a law, or nearly do, stay.
    find "corpus/$target" -name 'kept-*' -exec cp -t "$fresh/corpus" {} +
    rm -rf "corpus/$target"
    mv "$fresh/corpus" "corpus/$target"
    rm -rf "$fresh"
    echo "$target: $(find "corpus/$target" -type f | wc -l) files"
  done
}

case "${1:-}" in
  search) search "${2:?seconds}" ;;
  minimise) minimise ;;
  *) sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 1 ;;
esac
