# Two commands for users: `make demo` and `make test`. Each installs what it needs first.
VENV ?= .venv
# The interpreter that creates the virtual environment: 3.10 to 3.13.
PYTHON ?= $(shell for p in python3.12 python3.11 python3.13 python3.10 python3 python; do \
	$$p -c 'import sys; sys.exit(not (3, 10) <= sys.version_info < (3, 14))' 2>/dev/null && echo $$p && break; done)
BIN := $(VENV)/bin
STAMP := $(VENV)/.headwater-installed

export PYSPARK_PYTHON := $(abspath $(BIN)/python)
export PYSPARK_DRIVER_PYTHON := $(PYSPARK_PYTHON)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: setup java demo test replay check lint vscode-check vscode-smoke campaign bench format clean help

help:
	@echo 'make setup    a virtual environment with everything'
	@echo 'make demo     every pipeline of examples/: found, proved, rewritten, run before and after on local Spark'
	@echo 'make test     all tests, those on Spark included (Java 17)'
	@echo 'make check    format, lint, types, import contracts, fast tests, the extension (make lint: the first four)'
	@echo 'make replay   all tests in full, every specification before and after on Spark'
	@echo 'make campaign NAME=name [ARGS=...]   what takes minutes to hours; without a name, a list'
	@echo 'make bench NAME=name [ARGS=...]      a benchmark; without a name, a list'
	@echo 'make format   format and mend what ruff can'

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@test -n '$(PYTHON)' || { echo 'Headwater needs Python 3.10 to 3.13; set PYTHON=/path/to/python'; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo 'Cannot create $(VENV); on Debian and Ubuntu: sudo apt-get install python3-venv'; exit 1; }
	$(BIN)/python -m pip install --quiet -e '.[lsp,spark,cvc5,dev]' -c constraints.txt
	@touch $@

java:
	@.ci/java

demo: setup java
	$(BIN)/python -m benchmarks.demo

test: setup java
	$(BIN)/python -m pytest -q -m 'not spark' -n 2 --dist loadgroup
	$(BIN)/python -m pytest -q -m spark -n 2 --dist worksteal

# All tests, and all of each: `make test` runs a share of the longest (tests/conftest.py, tests/shares.py).
replay: setup java
	HEADWATER_REPLAY_SHARE=1 $(BIN)/python -m pytest -q -m 'not spark' -n 2 --dist loadgroup
	HEADWATER_REPLAY_SHARE=1 $(BIN)/python -m pytest -q -m spark -n 2 --dist worksteal

check: lint vscode-check
	$(BIN)/python -m pytest -q -m 'not spark' -n 2 --dist loadgroup

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Types, lint and tests of the extension that need no editor: some seconds. Node 20 or newer.
vscode-check: node_modules/.package-lock.json
	npm run --silent check
	npm test --silent

node_modules/.package-lock.json: package-lock.json
	npm ci --ignore-scripts --no-audit --no-fund

# Four scenarios of the packed extension in a real VS Code; `make campaign NAME=vscode` runs all. A machine of CI can be
# slow, and the first start compiles what the extension brings along: the longest wait is longer than by default.
vscode-smoke: setup
	HEADWATER_PATIENCE=$${HEADWATER_PATIENCE:-4} tests/vscode/run --grep @smoke

campaign: setup java
	$(BIN)/python -m tests.campaigns $(NAME) $(ARGS)

bench: setup java
	$(BIN)/python -m benchmarks $(NAME) $(ARGS)

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf demo-out spark-warehouse .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
