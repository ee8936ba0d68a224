# make app: set up and open the page on this machine.
# make docs: set up, build the documents as a site, in site/.
# make demo: set up, score the example data, print a table, write a report. make test: set up, lint, check types, test.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Tools whose tables and scores tests compare with; several overwrite each other's files, so each has its folder.
PEERS := lawrouge==2.0.0 multilingual-rouge py-rouge==1.1 pycocoevalcap==1.2 pyrouge rouge==1.0.1 rouge-chinese==1.0.3 \
  rouge-metric==1.0.1 sacrerouge==0.2.5 sumeval==0.2.2 torchmetrics==1.9.0
NEEDED_BY_PEERS := lightning-utilities six
# Releases that hold the tests of their packages, which polyrouge.compat must pass.
SUITES := pyrouge==0.1.3 rouge-chinese==1.0.3 rouge-metric==1.0.1 rouge-score==0.1.2 sumeval==0.2.2

# Harnesses that run this metric, in an environment of their own for what they pin. lighteval 0.13 calls what huggingface_hub 1
# and xxhash 4 have removed, and Transformers 5 has no summarization for evaluate to run.
INTEGRATIONS := evaluate==0.4.6 inspect-ai==0.3.285 lighteval==0.13.0 lm_eval[hf]==0.4.13 mlflow==3.17.2 'torch==2.13.*' \
  'transformers<5' 'xxhash<4' hypothesis pytest

.PHONY: app demo docs test test-versions test-integrations test-extras fuzz soak coverage mutation audit lint peers suites \
  benchmark space release-check clean

app: $(VENV)/.installed-page
	$(BIN)/python app.py

demo: $(VENV)/.installed-cli,report
	$(BIN)/python examples/compare_levels.py

# A warning, such as a link that leads nowhere or a name without a docstring's argument, is an error.
docs: $(VENV)/.installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

# The kernels are compiled before, as tests would otherwise share the machine with a compiler.
test: lint docs peers suites
	$(BIN)/python -m polyrouge compile
	$(BIN)/python -m pytest -n 2 --dist loadgroup

# Fast tests with the oldest allowed versions of the dependencies, and with the newest, on the oldest and newest Python that
# are allowed and found. uv finds the oldest versions.
test-versions: $(VENV)/uv/bin/uv
	.ci/test_versions $(VENV)/uv/bin/uv $(VENV)/versions

# Known vulnerabilities of the dependencies. It asks PyPI for its advisories, and fails where it gets no answer.
audit: $(VENV)/uv/bin/uv
	.ci/audit $(VENV)/uv/bin/uv $(VENV)/audit

# The real harnesses run the tasks of examples/harnesses, without a network; see docs/reliability.md.
test-integrations: $(VENV)/integrations/.installed
	HF_HUB_OFFLINE=1 $(VENV)/integrations/bin/python -m pytest tests/integrations

# Each extra for languages alone in a fresh environment, with the examples of docs/languages.md: EXTRAS="ja ko" for some.
EXTRAS ?=
test-extras:
	.ci/run_extras $(PYTHON) $(EXTRAS)

# Random settings and texts, plain against compiled; Chinese words, the kernel's against jieba's; damaged files and lines.
# Other inputs each time, for so many seconds; the seed is printed, POLYROUGE_FUZZ_SEED=... runs it again.
FUZZ_SECONDS ?= 600
fuzz: $(VENV)/.installed-test
	POLYROUGE_FUZZ_SECONDS=$(FUZZ_SECONDS) $(BIN)/python -m pytest -s -k fuzz tests/fuzzing tests/counting/test_jieba_kernel.py

# A page with visitors and a compute loop for so many minutes; memory, threads, descriptors and files must stay flat. Linux.
MINUTES ?= 60
soak: $(VENV)/.installed-test
	PYTHONPATH=.:tests/helpers $(BIN)/python tests/soak/soak.py --minutes $(MINUTES)

# What the Space's repository holds, in build/space. .github/workflows/release.yml puts it on the Hub.
space: $(VENV)/bin/python
	$(BIN)/python .ci/assemble_space.py

# Build what PyPI gets, check it, and run it from a fresh environment. TAG=v1.2.3 checks the tag and the changelog too.
# The archives have the time of the last commit, so that whoever builds them again gets the same bytes.
release-check: $(VENV)/.installed-release
	rm -rf dist
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python -m build --no-isolation
	$(BIN)/python -m twine check --strict dist/*
	TAG=$(TAG) $(BIN)/python .ci/check_release.py
	.ci/run_wheel $(PYTHON)

# Lines and branches of the package, by all tests and the processes that they start; its settings are in pyproject.toml.
coverage: $(VENV)/.installed-test
	$(BIN)/python -m coverage erase
	$(BIN)/python -m coverage run -m pytest
	$(BIN)/python -m coverage combine
	$(BIN)/python -m coverage report --fail-under 95

# Mutants of what counts, scores and compares; in the folder mutants. mutmut results names those that no test noticed.
MUTANTS ?=
mutation: $(VENV)/.installed-test
	$(BIN)/python -m mutmut run $(MUTANTS)

lint: $(VENV)/.installed-test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/basedpyright

peers: $(VENV)/.installed-peers

suites: $(VENV)/.installed-suites

benchmark: $(VENV)/.installed-benchmark
	$(BIN)/python -m benchmarks

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/uv/bin/uv: | $(VENV)/bin/python
	$(BIN)/python -m venv $(VENV)/uv
	$(VENV)/uv/bin/python -m pip install --quiet --disable-pip-version-check uv

# On Linux, PyPI's torch brings some gigabytes of CUDA along. The build for the CPU alone (200 MB) is taken where pip knows
# of it: PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu make test
# One stamp for each set of extras: a second run installs nothing.
$(VENV)/.installed-%: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[$*]"
	touch $@

$(VENV)/.installed-peers: Makefile | $(VENV)/bin/python
	for peer in $(PEERS); do \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --upgrade \
	    --target $(VENV)/peers/$${peer%%==*} $$peer || exit 1; \
	done
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(NEEDED_BY_PEERS)
	touch $@

$(VENV)/integrations/.installed: Makefile pyproject.toml
	$(PYTHON) -m venv $(VENV)/integrations
	$(VENV)/integrations/bin/python -m pip install --quiet --disable-pip-version-check -e . $(INTEGRATIONS)
	touch $@

$(VENV)/.installed-suites: Makefile | $(VENV)/bin/python
	rm -rf $(VENV)/suites
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: --dest $(VENV)/suites $(SUITES)
	for release in $(VENV)/suites/*.tar.gz; do tar -xzf $$release -C $(VENV)/suites || exit 1; done
	touch $@

clean:
	rm -rf $(VENV) build dist site *.egg-info .pytest_cache .ruff_cache .hypothesis mutants
