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

.PHONY: setup java demo test replay check lint bench bench-synthesis bench-corpus bench-frontend edits mutation campaign exhaustive fuzz hostile conformance interleavings parity bench-lsp bench-scan bench-spark test-cluster hook vscode-check test-vscode test-vscode-smoke screenshots bench-vscode format clean help

help:
	@echo 'make demo    every pipeline of examples/: found, proved, rewritten, run before and after on local Spark'
	@echo 'make test    all tests, those on Spark included (Java 17)'
	@echo 'make replay  every specification and every problem of the suite, before and after on Spark'
	@echo 'make check   format, lint, types, import contracts, fast tests (make lint: without the tests)'
	@echo 'make bench   the benchmarks'
	@echo 'make bench-synthesis   the synthesis on benchmarks/suite, with ablations; writes docs/benchmarks/synthesis.md'
	@echo 'make bench-frontend [CORPUS=dir]   time and memory of the front end, cold and after edits'
	@echo 'make edits   thousands of edits: reading again must say what a first reading says'
	@echo 'make exhaustive   every plan of at most two operators on every small table, and a sample of them on Spark'
	@echo 'make fuzz   20,000 generated programs, rewritten and run before and after, 1,000 of them on Spark'
	@echo 'make mutation   proved solutions and the trusted base, altered: each change must be noticed'
	@echo 'make campaign NAME=adversarial|tables [RESUME=--resume]   programs that try to make a wrong rewrite look proved; tables of facts, altered'
	@echo 'make hostile   files made to take long: each must end'
	@echo 'make interleavings   a language server under 10,000 random edits, saves, requests and cancellations, and killed'
	@echo 'make parity   the command line and the language server on every example, problem and specification'
	@echo 'make bench-lsp   how long an editor waits for the language server'
	@echo 'make test-vscode   the packed extension in a real VS Code (test-vscode-smoke: five scenarios of it)'
	@echo 'make screenshots   docs/images, taken in a real VS Code'
	@echo 'make bench-vscode   how long a window takes to its first finding, activation, size'
	@echo 'make bench-spark [ROWS=n] [RESUME=--resume]   pipelines before and after on millions of rows'
	@echo 'make test-cluster   a scan on a standalone Spark cluster that loses a worker'
	@echo 'make bench-scan [CORPUS=dir]   files and lines per second of a scan, by engine, cold and warm, and its memory'
	@echo 'make hook    the pre-commit hook, installed by pre-commit and run'
	@echo 'make vscode-check   the VS Code extension: types, lint, tests that need no editor'
	@echo 'make bench-corpus CORPUS=dir [CASES=file]   coverage of real PySpark'

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
	$(BIN)/python -m pytest -q -m 'not spark' -n 2
	$(BIN)/python -m pytest -q -m spark -n 2 --dist loadfile

# All replays on Spark; `make test` runs every fourth.
replay: setup java
	HEADWATER_REPLAY_SHARE=1 $(BIN)/python -m pytest -q -m spark -n 2 --dist loadfile

check: lint
	$(BIN)/python -m pytest -q -m 'not spark' -n 2

# What `make check` has beside the tests; .ci/run runs it as well.
lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# A little more data and more runs than the demo; writes demo-out/bench.json.
bench: setup java
	$(BIN)/python -m benchmarks.demo --rows 5000000 --runs 3 --output demo-out/bench.json

# For a few problems or modes: .venv/bin/python -m benchmarks.synthesis --only games/ --modes full no-bounds
bench-synthesis: setup
	$(BIN)/python -m benchmarks.synthesis

# CORPUS holds one checked-out directory OWNER+NAME per repository; nothing in it is run.
bench-corpus: setup
	$(BIN)/python -m benchmarks.corpus --root '$(CORPUS)' $(if $(CASES),--cases '$(CASES)')

# With CORPUS, its large files as well, of which only numbers are kept. Some minutes.
bench-frontend: setup
	$(BIN)/python -m benchmarks.frontend $(if $(CORPUS),--corpus '$(CORPUS)')

# Some twenty minutes; `make test` has a part of them.
edits: setup
	HEADWATER_EDITS=40 $(BIN)/python -m pytest -q tests/frontend/test_incremental.py

# Every plan of at most two operators on every small table; SHARE=1 takes every filter over depth two (hours).
SHARE ?= 24
exhaustive: setup java
	$(BIN)/python -m tests.exhaustive --share $(SHARE)

# Hours on two busy cores; RESUME=--resume goes on where the last one ended.
PROGRAMS ?= 20000
fuzz: setup java
	$(BIN)/python -m tests.fuzz --programs $(PROGRAMS) --spark 1000 --jobs 2 $(RESUME)

# Hours; RESUME=--resume goes on where the last one ended. For a part: .venv/bin/python -m tests.campaigns.adversarial --help
NAME ?= adversarial
campaign: setup java
	$(BIN)/python -m tests.campaigns.$(NAME) $(if $(filter adversarial,$(NAME)),--programs $(PROGRAMS) --spark 1500 --jobs 2 $(RESUME))

# Files made to take long: each must end, with an answer or a line that says why there is none.
hostile: setup
	$(BIN)/python -m tests.hostile.large

# Hours on one core. For a part: .venv/bin/python -m tests.mutation --file proof/conditions.py --shard 0/10
mutation: setup
	$(BIN)/python -m tests.mutation --part all

# The tables of docs/semantics.md, errors included: some minutes. `make test` tries a part of the errors.
conformance: setup java
	$(BIN)/python -m tests.conformance check

STEPS ?= 10000
interleavings: setup
	$(BIN)/python -m tests.lsp.interleavings --steps $(STEPS)
	$(BIN)/python -m tests.lsp.kills

# Every example, problem and snippet, by both: half an hour. `make test` compares a sample.
parity: setup
	$(BIN)/python -m tests.lsp.parity

bench-lsp: setup
	$(BIN)/python -m benchmarks.lsp

# Some ten minutes; with CORPUS, a directory of repositories, their files as well.
bench-scan: setup java
	$(BIN)/python -m benchmarks.scan $(if $(CORPUS),--corpus '$(CORPUS)')

# A minute: pre-commit installs Headwater from this commit into an environment of its own.
hook: setup
	HEADWATER_HOOK=1 $(BIN)/python -m pytest -q tests/scan/test_hook.py

# On a quiet machine. RESUME=--resume goes on where the last run ended.
ROWS ?= 5000000
bench-spark: setup java
	$(BIN)/python -m benchmarks.spark --rows $(ROWS) $(RESUME)

test-cluster: setup java
	HEADWATER_CLUSTER=1 $(BIN)/python -m pytest -q tests/scan/test_cluster.py

# Types, lint and tests of the extension that need no editor: some seconds. Node 20 or newer.
vscode-check: node_modules/.package-lock.json
	npm run --silent check
	npm test --silent

node_modules/.package-lock.json: package-lock.json
	npm ci --ignore-scripts --no-audit --no-fund

# The packed extension in a real VS Code: installs a VS Code server, Chromium and Playwright where they are not there yet.
# For a few scenarios: tests/vscode/run scanning --grep cancel. On a busy machine: HEADWATER_PATIENCE=3.
test-vscode: setup
	tests/vscode/run --grep-invert @pictures

test-vscode-smoke: setup
	tests/vscode/run --grep @smoke

# docs/images, as the README and docs/extension.md show them.
screenshots: setup
	tests/vscode/run --grep @pictures
	$(BIN)/python -m tests.vscode.tour

bench-vscode: setup
	tests/vscode/run --config bench.config.ts

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf demo-out spark-warehouse .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
