# Each target does all of its own set-up: a virtual environment in .venv, pip with constraints.txt.
PYTHON ?= python3
BIN := .venv/bin
ESSAYS := examples/essays

.PHONY: demo test lint fuzz browser benchmark-quality release clean

demo: .venv/run.stamp
	$(BIN)/samehand verify $(ESSAYS)/anna-1.txt $(ESSAYS)/anna-2.txt
	$(BIN)/samehand verify $(ESSAYS)/anna-1.txt $(ESSAYS)/bruno-1.txt

# Files of tests side by side: what the tests of a file share, such as a server, is made once.
test: .venv/dev.stamp lint browser
	$(BIN)/python -m pytest -n 2 --dist loadfile

lint: .venv/dev.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# What reads files of strangers, a minute for each: python -m tests.fuzz.fuzz --help.
fuzz: .venv/dev.stamp
	$(BIN)/python -m tests.fuzz.fuzz

# The page is tested in a real browser. It is installed where that can be done without asking, as in a
# container; where there is none, those tests are skipped.
browser:
	@which chromium > /dev/null || [ "$$(id -u)" != 0 ] || ! which apt-get > /dev/null || \
	  (apt-get update && apt-get install -y --no-install-recommends chromium fonts-noto-core) > /dev/null 2>&1 || \
	  echo "Chromium could not be installed: the page's tests will be skipped."

# TRIALS: a folder with a folder a set; DATA: a folder with train (text to calibrate the peers on), dev (authors not
# met) and shift (text of the shift sets' genres); PEERS: those measured; MODEL: ours by default.
TRIALS ?= ../shared/trials
DATA ?= ../shared/data
PEERS ?= tfidf ppm delta cosine-delta
benchmark-quality: .venv/bench.stamp
	$(BIN)/python benchmarks/quality.py $(TRIALS) --train $(DATA)/train --dev $(DATA)/dev --shift $(DATA)/shift \
	  --peers $(PEERS) $(if $(MODEL),--model $(MODEL)) $(if $(shell which chromium),--browser chromium) --write

.venv/bin/python:
	$(PYTHON) -m venv .venv

# To judge: `pip install .`, which brings neither PyTorch nor anything else of an extra.
.venv/run.stamp: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Setting up samehand in .venv: fetches about 90 MB and takes 350 MB, most of it NumPy and Numba."
	$(BIN)/pip install --quiet -c constraints.txt -e .
	@touch $@

.venv/dev.stamp: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Setting up samehand in .venv with all extras and what tests need: fetches about 1 GB and takes"
	@echo "3.5 GB, most of it PyTorch; where that comes with CUDA, some 3 GB more of each."
	$(BIN)/pip install --quiet -c constraints.txt -e '.[dev]'
	@touch $@ .venv/run.stamp

.venv/bench.stamp: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Setting up samehand in .venv with all extras and the peers it is measured against: fetches more"
	@echo "than 1 GB and takes more than 3.5 GB; where PyTorch comes with CUDA, some 3 GB more of each."
	$(BIN)/pip install --quiet -c constraints.txt -e '.[bench]'
	@touch $@ .venv/dev.stamp .venv/run.stamp

# What a release takes along: all versions with hashes, for every platform, of the installation that judges
# and of all extras; a bill of materials; and the package.
LOCK := build/release/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
  -c constraints.txt pyproject.toml
release: | .venv/bin/python
	$(PYTHON) -m venv build/release
	build/release/bin/pip install --quiet uv cyclonedx-bom build
	$(LOCK) $(foreach extra,docs plots tables web,--extra $(extra)) -o requirements.lock
	$(LOCK) --extra all -o requirements-all.lock
	build/release/bin/python -m build --outdir dist
	build/release/bin/cyclonedx-py requirements requirements-all.lock --of JSON -o dist/samehand.cdx.json

clean:
	rm -rf .venv build
