# Everything a newcomer needs: `make demo` to see it work, `make test` to see that it does.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test lint format bench clean

demo: $(VENV)/installed ## build the graph of the bundled example and say where its page is
	$(BIN)/whywire build examples/news.jsonl --out out/demo --title "Eight invented stories"

test: $(VENV)/developer ## run every test
	$(BIN)/python -m pytest

lint: $(VENV)/developer ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/developer ## put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/developer ## time a build of the example against its bare forward passes
	$(BIN)/python lab/experiments/build_time.py examples/news.jsonl

clean: ## forget the environment and everything built
	rm -rf $(VENV) out build dist

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(VENV)/bin/python
	$(PIP) install --editable .
	touch $@

$(VENV)/developer: pyproject.toml lab/pyproject.toml | $(VENV)/bin/python
	$(PIP) install --editable '.[dev]' --editable lab
	touch $@ $(VENV)/installed
