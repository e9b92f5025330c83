# petteia: `make play` plays, `make test` runs every test there is, `make bench` measures. All do their own set-up.

CARGO ?= cargo
PYTHON ?= python3

.PHONY: test play lint rust doc python bench bench-peers bench-page clean

test: lint rust doc python
	@echo "make test: all passed"

lint:
	$(CARGO) fmt --all -- --check
	$(CARGO) clippy --all-targets --all-features --locked -- -D warnings
	$(CARGO) clippy --no-default-features --locked -- -D warnings
	$(CARGO) clippy --package petteia-python --locked -- -D warnings

rust:
	$(CARGO) test --all-features --locked

doc:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --no-deps --all-features --locked

# The Python tests run against the wheel, made from the source distribution and installed into a virtual environment of its
# own: what people get, not what lies in the source tree.
VENV := .venv
WHEELS := target/wheels

python:
	sh tests/need.sh chromium
	$(PYTHON) -m venv --clear $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r tests/python/requirements.txt
	rm -rf $(WHEELS)
	CARGO_TARGET_DIR=$(CURDIR)/target/python $(VENV)/bin/python -m build --outdir $(WHEELS)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check $(WHEELS)/*.whl
	$(VENV)/bin/ruff format --check python tests/python examples/python benches
	$(VENV)/bin/ruff check python tests/python examples/python benches
	$(VENV)/bin/mypy python/petteia tests/python examples/python
	$(VENV)/bin/python -m mypy.stubtest petteia
	$(VENV)/bin/python -m pytest

# The page has an environment of its own, which is made once and brought up to date with the source every time.
PLAY := target/play

play:
	test -x $(PLAY)/bin/python || $(PYTHON) -m venv $(PLAY)
	CARGO_TARGET_DIR=$(CURDIR)/target/python $(PLAY)/bin/python -m pip install --quiet --disable-pip-version-check ".[web]"
	$(PLAY)/bin/petteia play $(GAME)

bench:
	$(PYTHON) benches/report.py core

bench-peers:
	$(PYTHON) benches/report.py peers
	$(PYTHON) benches/report.py python

bench-page:
	$(VENV)/bin/python benches/page.py

clean:
	$(CARGO) clean
