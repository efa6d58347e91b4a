# Two commands matter: `make demo` and `make test`. Both set up what they need, and are quick when run again.
.DEFAULT_GOAL := help
.PHONY: help setup demo test check bench bench-capture bench-reaim clean
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

help:  ## This list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

setup: $(VENV)/.ready  ## Debian packages (only the missing ones), a venv, and the project in it

$(VENV)/.ready: pyproject.toml scripts/setup.sh
	@PYTHON="$(PYTHON)" VENV="$(VENV)" bash scripts/setup.sh

demo: setup  ## Record on a real application, replay at another resolution, and show the pictures
	@$(BIN)/echopath demo

check: setup  ## Format, lint, types, import direction
	@$(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/mypy && $(BIN)/mypy tests bench \
	  && $(BIN)/basedpyright && $(BIN)/lint-imports

test: check  ## The whole suite; a skipped desktop test is a failure
	@ECHOPATH_REQUIRE_DESKTOP=1 $(BIN)/pytest

bench: bench-capture bench-reaim  ## Every benchmark

bench-capture: setup  ## What ActionLens adds to a click, and the bytes of a run
	@$(BIN)/python -m bench.capture

bench-reaim: setup  ## Re-aiming: right, wrong, refused, and its speed (CASES=targets.json IMAGES=folder)
	@$(BIN)/python -m bench.reaim $(if $(CASES),--cases "$(CASES)") $(if $(IMAGES),--images "$(IMAGES)") $(ARGS)

clean:  ## Remove the venv and what was generated
	@rm -rf $(VENV) dist build demo-out bench-out .pytest_cache .mypy_cache .ruff_cache .hypothesis
