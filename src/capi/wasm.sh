#!/bin/sh
# The module for WebAssembly that pages load, python/petteia/web/static/petteia.wasm: `make wasm` makes it anew.
#
#     wasm.sh build FILE    builds it, and beside it FILE.txt, what it was made of, and reversi.weights
#     wasm.sh check         fails if the module in the repository was made of other sources than these
#     wasm.sh compiler      fails if there is no compiler for it
#
# With rustup, the compiler is there after `rustup target add wasm32-unknown-unknown`. Elsewhere, WASM_CARGO is a command
# that is used like cargo and builds for that target, and WASM_SYSROOT the folder of its compiler. Where there is
# binaryen's wasm-opt, it makes the module smaller by an eighth, and no slower.
set -eu
cd "$(dirname "$0")/../.."
static=python/petteia/web/static

# All that the module is made of: neither the command line nor what only C programs use, but that changes rarely.
sources() {
  { find src -name '*.rs' ! -path 'src/cli/*' ! -path 'src/bin/*'; echo Cargo.toml; echo src/capi/wasm.sh; } | LC_ALL=C sort
}

hash() {
  # Each with its name. The list is hashed, not the files in a row, so that nothing can move from one to the next.
  sources | xargs sha256sum | sha256sum | cut -d' ' -f1
}

compiler() {
  [ -n "${WASM_CARGO:-}" ] || [ -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ]
}

case ${1:-} in
  build)
    compiler || {
      echo "no compiler for WebAssembly: expected rustup's target wasm32-unknown-unknown, or WASM_CARGO" >&2
      exit 1
    }
    # Of what is there now, not when the compiler is done.
    sources=$(hash)
    # No path of this machine gets into it.
    RUSTFLAGS="-C target-feature=+simd128,+bulk-memory \
      --remap-path-prefix=$PWD/= \
      --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo \
      --remap-path-prefix=${WASM_SYSROOT:-$(rustc --print sysroot)}=rust"
    export RUSTFLAGS
    # shellcheck disable=SC2086
    ${WASM_CARGO:-cargo} rustc --profile wasm --no-default-features --features capi --lib --crate-type cdylib \
      --target wasm32-unknown-unknown --target-dir target/wasm
    cp target/wasm/wasm32-unknown-unknown/wasm/petteia.wasm "$2.part"
    # Cargo notes there which compiler it has used.
    made=$(grep -o 'rustc [0-9][^\\]*' target/wasm/.rustc_info.json | head -n 1)
    if wasm-opt -O2 --enable-simd --enable-bulk-memory --enable-mutable-globals --enable-sign-ext --enable-multivalue \
      --enable-nontrapping-float-to-int --enable-reference-types "$2.part" -o "$2.small" 2>/dev/null; then
      mv "$2.small" "$2.part"
      made="$made, $(wasm-opt --version)"
    fi
    {
      echo "# What petteia.wasm was made of: \`make wasm\` writes it."
      echo "compiler: $made"
      echo "sources: $sources"
      echo "module: $(sha256sum <"$2.part" | cut -d' ' -f1)"
    } >"$2.txt"
    mv "$2.part" "$2"
    # The weights of Reversi's evaluation are a file of their own beside it.
    gzip -9nc src/reversi/evaluation/weights.bin >"$(dirname "$2")/reversi.weights"
    ;;
  check)
    for line in "sources: $(hash)" "module: $(sha256sum <$static/petteia.wasm | cut -d' ' -f1)"; do
      grep -qxF "$line" $static/petteia.wasm.txt || {
        echo "$static/petteia.wasm is not what these sources make, but of others (${line%%:*}): \`make wasm\` makes it anew" >&2
        exit 1
      }
    done
    gzip -dc $static/reversi.weights | cmp -s - src/reversi/evaluation/weights.bin || {
      echo "$static/reversi.weights are not the weights of this library: \`make wasm\` makes them anew" >&2
      exit 1
    }
    ;;
  compiler) compiler ;;
  *) echo "usage: wasm.sh build FILE | check | compiler" >&2; exit 1 ;;
esac
