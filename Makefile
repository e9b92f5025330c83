# `make play` opens the page, `make test` runs all tests, `make bench` runs the benchmarks. Each does its own set-up.
# `make fuzz TIME=600` searches for inputs that break a law, for that many seconds.
# `make mutants SHARD=1/8` changes the rules in an eighth of all small ways, and shows which changes no test notices.
# `make sanitize` runs the tests in Rust with AddressSanitizer and ThreadSanitizer.
# `make install PREFIX=...` installs the C library; `make uninstall PREFIX=...` removes it.

CARGO ?= cargo
PYTHON ?= python3

.PHONY: test checks play need lint rust models own-game doc wheel python bin bench bench-peers bench-page bench-cluster bench-check bench-strength train fuzz fuzz-minimise mutants sanitize library install uninstall clean

# Much of a build keeps one core busy, so two things are done at a time.
test: need
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=line checks
	@echo "make test: all passed"

checks: wheel lint rust models own-game doc python

need:
	@tests/need.sh valgrind pkg-config cmake chromium

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

# The command, and links named like the executables of the documents (the assignments listed in README.md).
bin:
	$(CARGO) build --release --locked
	cd target/release && for name in move-check game-check play game reversi; do ln -sf petteia $$name; done

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
	$(VENV)/bin/ruff format --check python tests/python examples/python benches
	$(VENV)/bin/ruff check python tests/python examples/python benches
	$(VENV)/bin/mypy python/petteia tests/python examples/python
	$(VENV)/bin/python -m mypy.stubtest petteia --mypy-config-file pyproject.toml --allowlist tests/python/stubtest.txt
	PETTEIA_BINARY=$(CURDIR)/target/debug/petteia $(VENV)/bin/python -m pytest --numprocesses=2 --dist=loadfile

# The page has its own virtual environment, created once and brought up to date with the source every time.
PLAY := target/play

play:
	test -x $(PLAY)/bin/python || $(PYTHON) -m venv $(PLAY)
	CARGO_TARGET_DIR=$(CURDIR)/target/python $(PLAY)/bin/python -m pip install --quiet --disable-pip-version-check ".[web]"
	$(PLAY)/bin/petteia play $(GAME)

# QUARTO=solver.c adds another Quarto solver, in C, to the comparison.
bench:
	$(PYTHON) benches/report.py core
	$(PYTHON) benches/report.py capi
	$(PYTHON) benches/report.py search $(QUARTO)

bench-peers:
	$(PYTHON) benches/report.py peers
	$(PYTHON) benches/report.py python
	$(PYTHON) benches/report.py vector

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

# The C library as installed. The shared library has a versioned soname, which the plain cargo build must not have, so
# it is built in a separate folder. The static library is linked into a single object in which only the functions of
# the headers are global: rustc's other global symbols would clash with a second Rust library.

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
INSTALL ?= install
OBJCOPY ?= objcopy

VERSION := $(shell sed -n 's/^version = "\(.*\)"$$/\1/p' Cargo.toml)
MAJOR := $(firstword $(subst ., ,$(VERSION)))
SONAME := libpetteia.so.$(MAJOR)
BUILT := target/install/release
SOURCES := $(shell find src -type f) Cargo.toml Cargo.lock
comma := ,
# Outside the system's library paths, programs need an rpath.
RPATH = $(if $(filter /usr /usr/local,$(PREFIX)),,-Wl$(comma)-rpath$(comma)$${libdir})

library: $(BUILT)/petteia.a

$(BUILT)/libpetteia.so: $(SOURCES)
	$(CARGO) rustc --release --locked --lib --no-default-features --features capi --crate-type cdylib,staticlib \
	  --target-dir target/install -- -C link-arg=-Wl,-soname,$(SONAME)
	touch $@

$(BUILT)/petteia.a: $(BUILT)/libpetteia.so
	nm --dynamic --defined-only --format=just-symbols $< >$(BUILT)/exported
	$(LD) --relocatable --gc-sections $$(sed 's/^/--undefined=/' $(BUILT)/exported) -o $(BUILT)/petteia.o $(BUILT)/libpetteia.a
	$(OBJCOPY) --keep-global-symbols=$(BUILT)/exported --strip-debug --remove-section=.llvmbc --remove-section=.llvmcmd \
	  $(BUILT)/petteia.o
	rm -f $@
	$(AR) rcs $@ $(BUILT)/petteia.o

FILL = sed -e 's|@PREFIX@|$(abspath $(PREFIX))|' -e 's|@LIBDIR@|$(abspath $(LIBDIR))|' \
  -e 's|@INCLUDEDIR@|$(abspath $(INCLUDEDIR))|' -e 's|@VERSION@|$(VERSION)|' -e 's|@MAJOR@|$(MAJOR)|' \
  -e 's|@RPATH@|$(RPATH)|' \
  -e "s|@INCLUDE_FROM_CMAKE@|$$(realpath -m --relative-to=$(LIBDIR)/cmake/petteia $(INCLUDEDIR))|"

install: library
	$(INSTALL) -d $(DESTDIR)$(INCLUDEDIR)/breakdown $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(LIBDIR)/cmake/petteia
	$(INSTALL) -m 644 include/petteia.h include/petteia.hpp include/breakdown.h $(DESTDIR)$(INCLUDEDIR)
	$(INSTALL) -m 644 include/breakdown/*.h $(DESTDIR)$(INCLUDEDIR)/breakdown
	$(INSTALL) -m 755 $(BUILT)/libpetteia.so $(DESTDIR)$(LIBDIR)/libpetteia.so.$(VERSION)
	ln -sf libpetteia.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libpetteia.so
	$(INSTALL) -m 644 $(BUILT)/petteia.a $(DESTDIR)$(LIBDIR)/libpetteia.a
	$(FILL) src/capi/petteia.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/petteia.pc
	for file in petteia-config.cmake petteia-config-version.cmake; do \
	  $(FILL) src/capi/$$file.in >$(DESTDIR)$(LIBDIR)/cmake/petteia/$$file || exit 1; done

uninstall:
	rm -f $(addprefix $(DESTDIR)$(INCLUDEDIR)/,petteia.h petteia.hpp breakdown.h)
	rm -f $(addprefix $(DESTDIR)$(INCLUDEDIR)/breakdown/,pos.h board.h logic.h)
	rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,libpetteia.a libpetteia.so $(SONAME) libpetteia.so.$(VERSION))
	rm -f $(DESTDIR)$(LIBDIR)/pkgconfig/petteia.pc $(DESTDIR)$(LIBDIR)/cmake/petteia/petteia-config*.cmake
	-rmdir $(DESTDIR)$(INCLUDEDIR)/breakdown $(DESTDIR)$(LIBDIR)/cmake/petteia

clean:
	$(CARGO) clean
