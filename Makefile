# Two commands matter: `make demo` and `make test`. Both set up what they need, and are quick when run again.
.DEFAULT_GOAL := help
.PHONY: help setup demo check test hosts inspect stress reference walkthrough clean tables
.PHONY: bench bench-again bench-capture bench-diagnostics bench-peers bench-reaim bench-rebind bench-retrieval bench-server bench-stopping bench-storage bench-study
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
WORKERS ?= 2

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

SUITE := ECHOPATH_REQUIRE_DESKTOP=1 $(BIN)/pytest
test: check  ## The whole suite, on two desktops at once (WORKERS=); a skipped desktop test is a failure
	@$(SUITE) -n $(WORKERS) --dist loadfile || { \
	  echo "test: what failed beside others is run once more, alone; what fails then has failed" >&2; \
	  $(SUITE) --last-failed --last-failed-no-failures none --maxfail 5; }

hosts: setup  ## Claude Code, Codex and the Inspector from npm, into the cache folder, and the tests with them
	@bash scripts/hosts.sh && $(BIN)/pytest tests/hosts

inspect: setup  ## Open the MCP Inspector on the server
	@bash scripts/hosts.sh --inspect $(foreach V,DISPLAY XAUTHORITY,$(if $($V),-e $V=$($V))) \
	  $(abspath $(BIN))/echopath serve

BENCHES := $(shell grep -oE '^bench-[a-z]+' $(firstword $(MAKEFILE_LIST)) | sort)
LAST := bench-diagnostics  # it measures the library that the study makes
bench: setup  ## Every benchmark, one after the other; then their tables go into docs/ (CASES= IMAGES= SCREENS= N=)
	@$(BIN)/python -m bench.every $(filter-out $(LAST),$(BENCHES)) $(LAST)

tables: setup  ## Put the tables that benchmarks left in bench-out/results into docs/
	@$(BIN)/python -c 'from bench.tables import write_documents; print(*write_documents())'

bench-again: setup  ## The second, third and fourth run in applications that keep what the first has left
	@bash scripts/bench-setup.sh
	@$(BIN)/python -m bench.again

bench-capture: setup  ## What ActionLens adds to a click, and the bytes of a run
	@$(BIN)/python -m bench.capture

bench-diagnostics: setup  ## The paper's five diagnostics over the study's library (STORE=folder for another)
	@$(BIN)/python -m bench.diagnostics $(if $(STORE),--library $(STORE))

bench-reaim: setup  ## Re-aiming: right, wrong, refused, and its speed (CASES=targets.json IMAGES=folder)
	@bash scripts/bench-setup.sh others || echo "bench-reaim: what is not installed is left out"
	@$(BIN)/python -m bench.reaim $(if $(CASES),--cases "$(CASES)") $(if $(IMAGES),--images "$(IMAGES)") $(ARGS)

bench-peers: setup  ## Re-aiming against PyAutoGUI, guibot and Airtest, same cases (CASES= IMAGES= N=40)
	@$(BIN)/python -m bench.peers $(if $(CASES),--cases "$(CASES)") $(if $(IMAGES),--images "$(IMAGES)") $(if $(N),--limit $(N))

bench-rebind: setup  ## Declared inputs take new values, nothing else can be changed
	@$(BIN)/python -m bench.rebind

bench-server: setup  ## What our server adds to a bare one, a replayed step to a bare click; start, memory, lists, tokens
	@$(BIN)/python -m bench.server

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

walkthrough: setup  ## Play the story of docs/first-memory.md and docs/fallback.md again, and write down what was answered
	@$(BIN)/python scripts/walkthrough.py

reference: setup  ## Write docs/reference.md from the code
	@PYTHONPATH=. $(BIN)/python scripts/reference.py

bench-retrieval: setup  ## Finding memories: recall, near misses, time (LIBRARY= QUERIES= NEGATIVES= for a set of yours)
	@$(BIN)/python -m bench.retrieval $(if $(LIBRARY),--library $(LIBRARY)) $(if $(QUERIES),--queries $(QUERIES)) \
	  $(if $(NEGATIVES),--negatives $(NEGATIVES)) $(if $(LIBRARY),--table held-out)

clean:  ## Remove the venv and what was generated
	@rm -rf $(VENV) dist build demo-out bench-out .pytest_cache .mypy_cache .ruff_cache .hypothesis
