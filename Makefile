# Everything needs only Python 3.11 or newer and make; the rest is installed into .venv the first time.
#
#   make play          the whole service on one terminal, at http://127.0.0.1:8000
#   make install       what the service needs and no tools of the tests, for a server
#   make quick         lint, types and the tests that need no server, in about a minute
#   make test          lint, types and all tests (make test ARGS="-k letters" for some)
#   make thorough      the same, and every position of every game looked at by everybody
#   make fuzz          100,000 odd requests to a running service, on both databases
#   make format        lay out code, templates and style sheets
#   make bench         how fast it all is, beside the targets (ARGS="engine pages" for some)
#   make mutants       whether the tests of a title notice broken rules (ARGS="--sample 200")
#   make screenshots   the pictures in docs/
#   make words         collect the sentences to translate, for the languages in templates/languages
#   make lock          pin the newest versions of all dependencies
#   make clean         remove what can be made again; games under var/ stay

# What an operating system brings along is built with every optimisation, and runs all this a seventh faster than a Python
# that was compiled without; so it goes first, if it is new enough and can make an environment.
USABLE := import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(firstword $(foreach one,/usr/bin/python3 python3,$(shell $(one) -c '$(USABLE)' 2>/dev/null && echo $(one))) python3)
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
PIP := -m pip --quiet --disable-pip-version-check
CODE := engine service workers migrations tests
# What pytest makes of a test file is kept, also where the environment forbids it: each worker would do it anew.
unexport PYTHONDONTWRITEBYTECODE
# Side by side: style, types and the start of the tests would each leave a core idle.
TOGETHER := $(MAKE) --no-print-directory --jobs=2
# One more than there are cores: tests also wait, for servers, browsers and other processes.
WORKERS := $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
SHEETS := $(wildcard service/web/static/*.css) $(wildcard templates/titles/*/style.css)
LAY_OUT := $(BIN)/css-beautify --indent-size 2 --end-with-newline --disable-newline-between-rules
LANGUAGES := templates/languages
SENTENCES := $(LANGUAGES)/messages.pot
# English stands in the sources themselves; other languages are compiled from what translators wrote.
SPEAK := $(if $(wildcard $(LANGUAGES)/*/LC_MESSAGES/*.po),$(BIN)/pybabel --quiet compile --directory $(LANGUAGES),true)

.PHONY: play install quick test thorough suite fuzz lint style types format bench mutants screenshots words lock clean
.DEFAULT_GOAL := play

play: $(INSTALLED)
	@$(BIN)/hikyaku up

install:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], sep="\n")' \
	  | $(BIN)/python $(PIP) install --constraint requirements.lock --requirement /dev/stdin setuptools
	$(BIN)/python $(PIP) install --no-deps --no-build-isolation --editable .
	@$(SPEAK)

quick: $(INSTALLED)
	@$(TOGETHER) style types suite ONLY='-m "not slow"'

test: $(INSTALLED)
	@$(TOGETHER) style types suite

suite: $(INSTALLED)
	$(PYTEST) $(ONLY) $(ARGS)

thorough: export HIKYAKU_THOROUGH := 1
thorough: test

fuzz: export HIKYAKU_FUZZ ?= 50000
fuzz: $(INSTALLED)
	$(PYTEST) tests/service/test_fuzz.py $(ARGS)

lint: style types

style: $(INSTALLED)
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/djlint --check templates
	@for sheet in $(SHEETS); do \
	  $(LAY_OUT) $$sheet | cmp -s - $$sheet || { echo "$$sheet is not laid out as it should be: make format"; exit 1; }; done

types: $(INSTALLED)
	$(BIN)/mypy

# djlint ends with 1 when it has changed something; what it could not mend, lint will say.
format: $(INSTALLED)
	$(BIN)/ruff check --fix-only $(CODE)
	$(BIN)/ruff format $(CODE)
	@$(BIN)/djlint --reformat --quiet templates || true
	@for sheet in $(SHEETS); do $(LAY_OUT) --replace $$sheet; done

bench: $(INSTALLED)
	$(BIN)/python -m tests.bench $(ARGS)

mutants: $(INSTALLED)
	$(BIN)/python -m tests.mutants $(ARGS)

screenshots: $(INSTALLED)
	$(BIN)/python -m tests.screenshots $(ARGS)

$(INSTALLED): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Hikyaku needs Python 3.11 or newer, and $(PYTHON) is not. Name another one: make PYTHON=python3.12"; exit 1; }
	@echo "Installing into $(VENV), once ..."
	@$(PYTHON) -m venv $(VENV) || { \
	  echo "Python could not make $(VENV). On Debian and Ubuntu that takes the package python3-venv."; exit 1; }
	@$(BIN)/python $(PIP) install --requirement requirements.lock
	@$(BIN)/python $(PIP) install --no-deps --no-build-isolation --editable .
	@$(SPEAK)
	@touch $@

# A new language: make words LANGUAGE=de, then write into templates/languages/de/LC_MESSAGES/messages.po.
words: $(INSTALLED)
	@$(BIN)/pybabel --quiet extract --mapping-file pyproject.toml --keywords "marked told ntold:1,2" --output-file $(SENTENCES) .
	@[ -z "$(LANGUAGE)" ] || $(BIN)/pybabel init --input-file $(SENTENCES) --output-dir $(LANGUAGES) --locale $(LANGUAGE)
	@$(if $(wildcard $(LANGUAGES)/*/LC_MESSAGES/*.po),$(BIN)/pybabel update --input-file $(SENTENCES) --output-dir $(LANGUAGES))
	@$(SPEAK)

# Names and versions only: where packages come from is the business of the machine that installs them.
lock:
	rm -rf build/lock
	$(PYTHON) -m venv build/lock
	build/lock/bin/python $(PIP) install --upgrade setuptools
	build/lock/bin/python -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	  print(*p["dependencies"], *sum(p["optional-dependencies"].values(), []), sep="\n")' > build/wanted.txt
	build/lock/bin/python $(PIP) install --requirement build/wanted.txt
	{ echo "# Made by make lock. Everything the service and its tests need, pinned."; \
	  build/lock/bin/python $(PIP) freeze --all --exclude pip; } > requirements.lock
	rm -rf build

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +
