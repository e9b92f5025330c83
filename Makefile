# petteia: `make test` runs every test there is; `make bench` measures. Both do their own set-up.

CARGO ?= cargo
PYTHON ?= python3

.PHONY: test lint rust doc bin bench bench-peers clean

test: lint rust doc
	@echo "make test: all passed"

lint:
	$(CARGO) fmt --all -- --check
	$(CARGO) clippy --all-targets --all-features --locked -- -D warnings
	$(CARGO) clippy --no-default-features --locked -- -D warnings

rust:
	$(CARGO) test --all-features --locked

doc:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --no-deps --all-features --locked

# The command, and links with the names of the documents' executables.
bin:
	$(CARGO) build --release --locked
	cd target/release && for name in move-check game-check play game reversi; do ln -sf petteia $$name; done

bench:
	$(PYTHON) benches/report.py core
	$(PYTHON) benches/report.py search

bench-peers:
	$(PYTHON) benches/report.py peers

clean:
	$(CARGO) clean
