# Every target does its own set-up in a fresh clone; Python 3.11 or newer, pip and make are all it needs.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip
INSTALL := $(PIP) install -q -c constraints.txt
# The editable install links to single files, so a new module is seen only after this (under 2 s).
LINK := $(PIP) install -q -e . --no-build-isolation --no-deps
# A folder's time changes when a file comes or goes, not when one is edited: just when the links are out of date.
# Their paths are absolute: `play` by itself is a target too, and would start the server.
FOLDERS := $(abspath $(shell find envs agents training configs play cli -type d ! -name __pycache__))
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.NOTPARALLEL:
.PHONY: play evaluate benchmark test test-long check clean

# The table in the browser.
play: .venv/play
	$(LINK)
	$(BIN)/gipfelsturm play

# The scripted players' win rates: one mind beside the published ones, and pairs in real time over seconds a play.
evaluate: .venv/linked
	$(BIN)/gipfelsturm evaluate --published
	$(BIN)/gipfelsturm evaluate --preset normal hard expert blitz --tempo brisk steady slow --games 5000

# Steps per CPU second, beside Gymnasium's own CartPole.
benchmark: .venv/linked
	$(BIN)/gipfelsturm benchmark

test: .venv/dev
	$(LINK)
	$(BIN)/python -m pytest

test-long: .venv/dev
	$(LINK)
	$(BIN)/python -m pytest -m long

check: .venv/dev
	$(LINK)
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/mypy tests $(wildcard benchmarks/*.py)
	$(BIN)/lint-imports --no-logo

# Back to a fresh clone, .venv included: its editable install links into build/.
clean:
	rm -rf .venv build dist *.egg-info
	rm -rf .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps of what is installed. `dev` holds all that `base` does.
.venv/created:
	$(PYTHON) -m venv .venv
	touch $@

.venv/base: .venv/created pyproject.toml constraints.txt
	@echo "Installing the dependencies (a minute or two the first time)"
	$(INSTALL) setuptools wheel
	$(INSTALL) --no-build-isolation -e .
	touch $@

.venv/dev: .venv/created pyproject.toml constraints.txt
	@echo "Installing the dependencies, the learners and the tools (a few minutes the first time)"
	$(INSTALL) setuptools wheel
	$(INSTALL) --no-build-isolation -e ".[dev,train,play]"
	touch .venv/base .venv/play $@

.venv/play: .venv/created pyproject.toml constraints.txt
	@echo "Installing the dependencies and the server (a minute or two the first time)"
	$(INSTALL) setuptools wheel
	$(INSTALL) --no-build-isolation -e ".[play]"
	touch .venv/base $@

.venv/linked: .venv/base $(FOLDERS)
	$(LINK)
	touch $@
