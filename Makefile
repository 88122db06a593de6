# Every target does its own set-up: a virtual environment in .venv, made once and renewed when
# a pyproject.toml changes. Needed beforehand: make and Python 3.11 or newer.

VENV := .venv
BIN := $(VENV)/bin
PROGRAMS := chromium-headless-shell fonts-liberation gnugo
WORKERS ?= 2
# Many of all tests wait for other processes: three workers keep two cores busy.
TEST_WORKERS ?= 3
MINUTES ?= 60
SEED ?= 1
PLUGINS := $(wildcard plugins/*/pyproject.toml)
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& command -v $$name && break; done)

# Each test process computes with one thread: there are as many processes as there is work for. Python
# saves its bytecode, since hundreds of processes are started.
TEST_ENV := OMP_NUM_THREADS=1 MKL_NUM_THREADS=1 NUMBA_NUM_THREADS=1 MPLBACKEND=Agg PYTHONDONTWRITEBYTECODE=
# Each process runs whole files, or a folder that shares a cluster; `tests/order.py` begins with the longest.
OPTIONS := -q --no-loadscope-reorder
PYTEST := $(TEST_ENV) $(BIN)/python -m pytest $(OPTIONS)

.DEFAULT_GOAL := help
.PHONY: help setup style quick changed test nightly js mutants chaos attacks demo bench race docs docs-serve pictures dist warmup clean

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

setup: $(VENV)/installed ## make .venv with Meeple, its plug-ins and the tools of its tests

style: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

quick: style ## check style, then run the tests that start no process and take under half a second (120 s)
	$(PYTEST) -n $(WORKERS) -m 'not slow' --durations=10

changed: style $(VENV)/programs ## check style and types, then run the tests that the change against main can reach
	$(BIN)/mypy
	$(TEST_ENV) $(BIN)/python -m tests.changed -n $(TEST_WORKERS) $(OPTIONS)

test: style $(VENV)/programs ## check style and types, then run all tests but the nightly ones (minutes)
	$(BIN)/mypy & types=$$!; $(TEST_ENV) $(BIN)/meeple warmup && wait $$types
	$(PYTEST) -n $(TEST_WORKERS) --durations=30

nightly: setup $(VENV)/programs ## run the tests that take long and seldom find anything new, listed in docs/testing.md (hours)
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -n $(WORKERS) -m bounds
	$(PYTEST) -n $(WORKERS) -m 'nightly and not bounds' --durations=30

js: ## check types, style and format of the page's modules (needs node; fetches TypeScript and ESLint)
	npx --yes --package typescript@5 tsc --project jsconfig.json
	npx --yes eslint@9 src/meeple/server/static/js src/meeple/arena/report 'plugins/*/src/**/*.js'

mutants: setup ## mutate the code, and count the mutants that no test notices (long)
	$(TEST_ENV) $(BIN)/python -m bench.mutants --workers $(WORKERS) $(TARGETS)

chaos: setup ## play at a server while processes die and others attack, and check that nothing is lost (an hour)
	$(BIN)/python -m bench.chaos --minutes $(MINUTES) --seed $(SEED)

attacks: setup ## measure how long a quiet client waits during each attack on the server and the host
	$(BIN)/python -m bench.chaos --attacks

demo: $(VENV)/installed-learn ## learn Hex 5x5 in a few minutes, and see the generations play each other
	$(BIN)/meeple demo

bench: $(VENV)/installed-bench ## measure speed, against other programs if they are installed
	$(BIN)/python -m bench

race: $(VENV)/installed-race ## learn Connect Four in equal CPU time by Meeple, pgx and OpenSpiel, and compare (four hours)
	$(BIN)/python -m bench.race --draw docs/images/race.svg

docs: $(VENV)/installed-docs ## write the documentation site to build/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet
	@echo "Open build/docs/index.html, or run make docs-serve (its search needs a server)."

docs-serve: $(VENV)/installed-docs ## serve the documentation site, and renew it while you write
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs serve

pictures: $(VENV)/installed-docs ## draw the pictures of the documentation site anew
	$(BIN)/python -m docs.pictures

dist: setup ## build the sdists and wheels of Meeple and its plug-ins in dist, the same bytes each time
	$(BIN)/python -m hatchling build
	for plugin in $(PLUGINS:%/pyproject.toml=%); do \
		(cd $$plugin && $(CURDIR)/$(BIN)/python -m hatchling build --directory $(CURDIR)/dist) || exit; done

warmup: setup ## compile every game and search once, into the cache
	$(BIN)/meeple warmup

clean: ## remove .venv and everything that was built, but no run
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/installed: pyproject.toml $(PLUGINS) | $(VENV)/bin/pip
	$(BIN)/python -m pip install --disable-pip-version-check -e '.[test]' $(PLUGINS:%/pyproject.toml=-e ./%)
	@touch $@

# The demo and the site need no tools of tests.
$(VENV)/installed-learn $(VENV)/installed-docs: $(VENV)/installed-%: pyproject.toml | $(VENV)/bin/pip
	@echo "Installing Meeple with [$*] in $(VENV) (minutes; once)."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[$*]'
	@touch $@

$(VENV)/installed-%: $(VENV)/installed
	$(BIN)/python -m pip install --disable-pip-version-check -e '.[$*]'
	@touch $@

# The page is tested in Chromium, and it draws text; GNU Go is another program that plays by GTP.
# Chromium's headless shell draws no window, which saves a third of the time of the tests of the page.
# Root gets them installed where Debian is, for anybody else the tests of the page look for a browser
# themselves, and tests are skipped without these programs.
$(VENV)/programs: Makefile | $(VENV)/installed
	@if ! { command -v chromium-headless-shell >/dev/null && test -x /usr/games/gnugo; } \
			&& [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -q; \
		for program in $(PROGRAMS); do apt-get install -q -y --no-install-recommends $$program || true; done; \
	fi
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || echo "No Chromium here: the tests of the page look for another browser, or are skipped (on Debian: sudo apt install $(PROGRAMS))." >&2
	@touch $@

# Debian keeps `venv` in a package of its own: root gets it installed, anybody else is told how.
$(VENV)/bin/pip:
	@test -n "$(PYTHON)" || { echo "Meeple needs Python 3.11 or newer; none was found (name one with PYTHON=...)." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		package=$$($(PYTHON) -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'); \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			apt-get update -q && apt-get install -q -y --no-install-recommends $$package; \
		else \
			echo "Python's venv module is missing: install it (on Debian and Ubuntu: sudo apt install $$package), then run make again." >&2; exit 1; \
		fi; }
	$(PYTHON) -m venv --clear $(VENV)
