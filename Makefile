# Two commands matter: `make demo` and `make test`. Both set up what they need, and are quick when run again.
.DEFAULT_GOAL := help
.PHONY: help setup demo check test hosts inspect stress reference clean
.PHONY: bench bench-capture bench-diagnostics bench-reaim bench-rebind bench-retrieval bench-server bench-stopping bench-storage bench-study
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

help:  ## This list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

setup: $(VENV)/.ready  ## Debian packages (only the missing ones), a venv, and the project in it

$(VENV)/.ready: pyproject.toml scripts/setup.sh
	@PYTHON="$(PYTHON)" VENV="$(VENV)" bash scripts/setup.sh

demo: setup  ## Record on a real application, replay at another resolution, and show the pictures
	@$(BIN)/echopath demo --out demo-out

check: setup  ## Format, lint, types, import direction
	@$(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/mypy && $(BIN)/mypy tests bench \
	  && $(BIN)/basedpyright && $(BIN)/lint-imports

test: check  ## The whole suite; a skipped desktop test is a failure
	@ECHOPATH_REQUIRE_DESKTOP=1 $(BIN)/pytest

hosts: setup  ## Claude Code, Codex and the Inspector from npm, into the cache folder, and the tests with them
	@bash scripts/hosts.sh && $(BIN)/pytest tests/hosts

inspect: setup  ## Open the MCP Inspector on the server
	@bash scripts/hosts.sh --inspect $(foreach V,DISPLAY XAUTHORITY,$(if $($V),-e $V=$($V))) \
	  $(abspath $(BIN))/echopath serve

bench: bench-capture bench-reaim bench-rebind bench-retrieval bench-server bench-stopping bench-storage bench-study bench-diagnostics  ## Every benchmark

bench-capture: setup  ## What ActionLens adds to a click, and the bytes of a run
	@$(BIN)/python -m bench.capture

bench-diagnostics: setup  ## The paper's five diagnostics over the study's library (STORE=folder for another)
	@$(BIN)/python -m bench.diagnostics --docs docs/diagnostics.md $(if $(STORE),--library $(STORE))

bench-reaim: setup  ## Re-aiming: right, wrong, refused, and its speed (CASES=targets.json IMAGES=folder)
	@$(BIN)/python -m bench.reaim $(if $(CASES),--cases "$(CASES)") $(if $(IMAGES),--images "$(IMAGES)") $(ARGS)

bench-rebind: setup  ## Declared inputs take new values, nothing else can be changed
	@$(BIN)/python -m bench.rebind

bench-server: setup  ## What our server adds to a bare one, a replayed step to a bare click; start, memory, lists, tokens
	@$(BIN)/python -m bench.server --docs docs/hosts.md

bench-stopping: setup  ## How long a server takes to leave when told to in the middle of typing
	@$(BIN)/python -m bench.stopping

bench-storage: setup  ## Bytes of a memory over its steps (SCREENS=folder with targets.json for real screens)
	@$(BIN)/python -m bench.storage $(if $(SCREENS),--screens $(SCREENS))

bench-study: setup  ## The two-pass study and the refusal study on real applications (docs/results.md)
	@bash scripts/bench-setup.sh
	@$(BIN)/python -m bench.study --docs docs/results.md $(STUDY)

stress: setup  ## Two writers and 10,000 operations; kill -9, 100 times each in promote, import and add; 50 servers at work
	@ECHOPATH_STRESS=full ECHOPATH_REQUIRE_DESKTOP=1 $(BIN)/pytest -rP tests/memory_store/test_stress.py \
	  tests/e2e/test_kill_replay.py tests/actionlens/test_kill.py

reference: setup  ## Write docs/reference.md from the code
	@PYTHONPATH=. $(BIN)/python scripts/reference.py

bench-retrieval: setup  ## Finding memories: recall, near misses, time (LIBRARY= QUERIES= NEGATIVES= for a set of yours)
	@$(BIN)/python -m bench.retrieval $(if $(LIBRARY),--library $(LIBRARY)) $(if $(QUERIES),--queries $(QUERIES)) \
	  $(if $(NEGATIVES),--negatives $(NEGATIVES)) $(if $(WRITE),--write $(WRITE)) $(if $(TABLE),--table $(TABLE))

clean:  ## Remove the venv and what was generated
	@rm -rf $(VENV) dist build demo-out bench-out .pytest_cache .mypy_cache .ruff_cache .hypothesis
