# make alone prints the targets. What they need is set up in .venv; nothing else on the machine changes.
# What needs an environment of its own, or much time, is in .ci/noxfile.py.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KERNELS := $(filter-out %.so,$(wildcard polyrouge/counting/compiled/kernels/*.*))
READY := $(VENV)/.installed-test-all $(VENV)/.installed-peers
# Tests that need more than a light environment, or more than minutes: markers of pyproject.toml.
GROUPS := browser or cluster or hub or languages or peers or process or slow or training

# A new process imports what an earlier one has compiled: tests start hundreds.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help app demo docs lint types test test-all ready groups snapshot benchmark clean

help: ## these lines
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1: \2/p' Makefile

demo: $(VENV)/.installed-demo ## score Chinese through evaluate.load, compare two systems, write a report
	$(BIN)/python examples/demo.py

app: $(VENV)/.installed-app ## the page, on this machine
	$(BIN)/python app.py

test: lint ## the tests of minutes: every layer, the metric through evaluate too
	$(BIN)/python -m pytest -n logical --maxprocesses 8 --dist worksteal

test-all: ## all the rest, after `make test`: types, documents, and tests of every group
	$(MAKE) -j ready
	$(MAKE) -j types docs groups

ready: $(READY)

# Much of the time the tests wait, for browsers, servers and clusters: four at once.
groups: $(READY) $(VENV)/.compiled
	HYPOTHESIS_PROFILE=ci $(BIN)/python -m pytest -n 4 --dist loadgroup --durations=40 -m "$(GROUPS)"

# What needs a package that is not there keeps its old values.
snapshot: $(VENV)/.installed-test ## write what follows from the code: snapshot, file for ports, sentences of the catalogue, tables in documents; read the diff
	$(BIN)/python tests/helpers/snapshot.py
	$(BIN)/python tests/conformance/conformance.py
	$(BIN)/python tests/helpers/catalogue_sentences.py
	$(BIN)/python tests/helpers/derived_texts.py

lint: $(VENV)/.installed-test ## ruff
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/.installed-test-all ## the type checker
	$(BIN)/basedpyright

# A warning, such as a link that leads nowhere or a name without a docstring's argument, is an error.
docs: $(or $(wildcard $(VENV)/.installed-test-all),$(VENV)/.installed-docs) ## the documents as a site, in site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

benchmark: $(VENV)/.installed-benchmark ## speed beside other packages
	$(BIN)/python -m benchmarks

# pip knows groups of dependencies since 25.1.
$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$@ -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"

# On Linux, PyPI's torch brings some gigabytes of CUDA along. The build for the CPU alone (200 MB) is taken where pip knows
# of it: PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu make test
# One stamp for the package, whose kernels are compiled once and whenever they change, and one for each group of
# pyproject.toml, or set of extras: a second run installs nothing. Python compiles what it imports; pip would compile all of
# torch and Spark.
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
$(VENV)/.installed: pyproject.toml .ci/build_kernels.py $(KERNELS) | $(VENV)/bin/python
	$(PIP_INSTALL) -e .
	touch $@

$(VENV)/.installed-demo: WHAT = "polyrouge[evaluate]"
$(VENV)/.installed-app: WHAT = "polyrouge[page]"
$(VENV)/.installed-%: WHAT = --group $*
$(VENV)/.installed-%: $(VENV)/.installed
	$(PIP_INSTALL) $(WHAT)
	touch $@

$(VENV)/.installed-peers: pyproject.toml .ci/install_peers.py | $(VENV)/bin/python
	$(BIN)/python .ci/install_peers.py $(VENV)
	touch $@

# What takes long to compile, once: four workers would each do so when they begin.
$(VENV)/.compiled: $(VENV)/.installed-test-all
	$(BIN)/python -c "import evaluate, gradio, mcp.server, nltk, playwright.sync_api, pyspark.sql, ray.data, sklearn, torchmetrics"
	touch $@

clean: ## remove what these made
	rm -rf $(VENV) .nox build dist site *.egg-info .pytest_cache .ruff_cache .hypothesis mutants
