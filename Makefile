# `make` lists the targets. All of them work in the virtual environment .venv, which they make where it is missing.

.DEFAULT_GOAL := help

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# a file's tests stay in one process, so that what its fixtures build is built once
WORKERS := -n 2 --dist loadfile
# bytecode is kept whatever the environment says: the tests start the program a hundred times
export PYTHONDONTWRITEBYTECODE :=
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: help demo serve test test-all lint format docs results bench clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | while IFS='|' read -r name what; do printf '%-8s %s\n' "$$name" "$$what"; done

demo: $(VENV)/installed ## build the graph of the bundled example, and say where its page is
	$(BIN)/whywire build examples/news.jsonl --out out/demo --title "Eight invented stories"

serve: $(VENV)/serving ## serve the bundled example: the API and the pages, on this machine alone
	mkdir -p out
	$(BIN)/whywire serve --example --store out/whywire.db

test: $(VENV)/developer ## run the tests of every day: all but the slow ones, on SQLite and without a browser
	$(BIN)/python -m pytest $(WORKERS) -m "not slow and not browser and not postgresql" --hypothesis-profile quick

test-all: $(VENV)/developer ## run every test
	$(BIN)/python -m pytest $(WORKERS) --durations 20

lint: $(VENV)/developer ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/developer ## format the code, and mend what can be mended
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/docs ## build the documentation site in out/site; a dead link is an error
	$(BIN)/sphinx-build --quiet --fresh-env --fail-on-warning --keep-going --conf-dir docs . out/site

results: $(VENV)/developer ## render the pages of docs/results from their records and templates
	$(BIN)/python .ci/results.py

bench: $(VENV)/developer ## time a build of the example against its bare forward passes
	$(BIN)/python lab/experiments/build_time.py examples/news.jsonl

clean: ## remove the environment and everything built
	rm -rf $(VENV) out build dist

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(VENV)/bin/python
	$(PIP) install --editable .
	touch $@

$(VENV)/serving: pyproject.toml | $(VENV)/bin/python
	$(PIP) install --editable '.[service,feeds]'
	touch $@ $(VENV)/installed

$(VENV)/developer: pyproject.toml lab/pyproject.toml | $(VENV)/bin/python
	$(PIP) install --editable '.[dev]' --editable lab
	touch $@ $(VENV)/installed

$(VENV)/docs: pyproject.toml | $(VENV)/bin/python
	$(PIP) install --editable '.[docs]'
	touch $@ $(VENV)/installed
