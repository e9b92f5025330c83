#!/usr/bin/env bash
# Runs the tests in Rust that use threads, raw memory or the C functions with AddressSanitizer and ThreadSanitizer. Both
# need a nightly compiler, and the standard library's source, to be built with them too; what is missing is installed.
#
#   tests/sanitize.sh [address|thread]...   both without arguments
set -euo pipefail
cd "$(dirname "$0")/.."

TOOLCHAIN=${TOOLCHAIN:-nightly}
TESTS=(--lib --test limits --test bots --test contest --test fuzz)

if ! command -v rustup >/dev/null; then
  echo "tests/sanitize.sh: rustup is missing; sanitizers need a $TOOLCHAIN toolchain" >&2
  exit 1
fi
rustup run "$TOOLCHAIN" rustc --version >/dev/null 2>&1 || rustup toolchain install "$TOOLCHAIN" --profile minimal
rustup component add rust-src --toolchain "$TOOLCHAIN"
host=$(rustc "+$TOOLCHAIN" --print host-tuple)

# Tests ask for more memory than there is, and fork while other threads run.
export ASAN_OPTIONS=allocator_may_return_null=1 TSAN_OPTIONS=allocator_may_return_null=1:die_after_fork=0

[ $# -gt 0 ] || set -- address thread
for sanitizer in "$@"; do
  echo "== ${sanitizer}"
  RUSTFLAGS=-Zsanitizer=$sanitizer CARGO_TARGET_DIR=target/sanitize/$sanitizer \
    cargo "+$TOOLCHAIN" test -Zbuild-std --target "$host" --all-features --locked --no-fail-fast "${TESTS[@]}"
done
