# Each target does all of its own set-up: a virtual environment in .venv, pip with constraints.txt.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint clean

demo: .venv/run.stamp
	$(BIN)/samehand prepare examples/corpus -o build/demo-store --force

test: .venv/dev.stamp lint
	$(BIN)/python -m pytest

lint: .venv/dev.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/run.stamp: pyproject.toml constraints.txt | .venv/bin/python
	$(BIN)/pip install --quiet -c constraints.txt -e '.[train]'
	@touch $@

.venv/dev.stamp: pyproject.toml constraints.txt | .venv/bin/python
	$(BIN)/pip install --quiet -c constraints.txt -e '.[dev]'
	@touch $@ .venv/run.stamp

clean:
	rm -rf .venv build
