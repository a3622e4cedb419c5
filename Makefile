# Two commands on a fresh machine: `make demo` and `make test`. uv is used when it is there.
PYTHON ?= python3
VENV := .venv
# Where bytecode is not kept, each process that a test starts compiles the project anew.
unexport PYTHONDONTWRITEBYTECODE
BIN := $(VENV)/bin
# A file is one worker's: what its tests share is made once. The dear ones come first, by their names.
SHARED := --dist loadfile --no-loadscope-reorder
UV := $(shell command -v uv 2>/dev/null)
ifdef UV
CREATE = $(UV) venv -q --allow-existing --python $(PYTHON) $(VENV)
INSTALL = $(UV) pip install -q --python $(BIN)/python -c requirements.lock
else
CREATE = $(PYTHON) -m venv $(VENV)
INSTALL = $(BIN)/python -m pip install -q --disable-pip-version-check -c requirements.lock
endif

.PHONY: demo quick test test-slow lint bench requirements mutations docs fingerprint lock clean

$(BIN)/python:
	$(CREATE)

$(VENV)/.run: pyproject.toml requirements.lock | $(BIN)/python
	$(INSTALL) -e ".[run]"
	touch $@

$(VENV)/.test: pyproject.toml requirements.lock | $(BIN)/python
	$(INSTALL) -e ".[test]"
	touch $@ $(VENV)/.run

demo: $(VENV)/.run
	$(BIN)/evreview demo -o out/demo

# While one works: a run takes 3 minutes. tests/tiers.py says what it leaves out.
quick: $(VENV)/.test
	$(BIN)/pytest -n 2 $(SHARED) -m "not slow"

# What CI runs.
test: $(VENV)/.test lint
	$(BIN)/pytest -n 2 $(SHARED)

test-slow: $(VENV)/.test
	$(BIN)/pytest -n 2 $(SHARED) -m slow

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.test
	$(BIN)/python -m bench.run

requirements: $(VENV)/.test
	$(BIN)/python -m tests.requirements

# Every row of tests/mutations.csv; CI tries a sample.
mutations: $(VENV)/.test
	$(BIN)/python -m tests.mutations

# The parts of kept pages that are made from the code, pictures where Chromium is, the site: build/site/index.html.
docs: $(VENV)/.test
	$(BIN)/python -m tests.generated
	$(BIN)/python -m tools.pictures
	$(BIN)/python -m tools.site.build

# Which answers changed since tools/fingerprint.txt was written: none, unless the change says so.
fingerprint: $(VENV)/.test
	$(BIN)/python -m tools.fingerprint

# From an environment that holds nothing but the project, so no leftover gets into the lock.
lock:
	rm -rf build/lock
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install -q --disable-pip-version-check -e ".[test,parquet]"
	build/lock/bin/python -m pip freeze --exclude-editable > requirements.lock

clean:
	rm -rf $(VENV) out build dist
