# make run         open the example workflow (without a display: run it and
#                  write its pictures to output/)
# make test        check the code with ruff and mypy and run all tests but the slow ones, on
#                  two processes (PROCESSES=n for another number)
# make types       check the types of the library with mypy
# make test-slow   run the slow ones, and look for new examples of properties
# make test-hostile  20,000 hostile files, settings and arguments (SEED=0)
# make test-screen the real canvas on a virtual screen (Xvfb; with window frames, if a
#                  window manager is installed), from a fresh installation:
#                  pictures of all widgets in output/screen, and what is cut off
# make test-lowest the tests with the lowest versions that setup.py allows, in
#                  .venv-lowest (TESTS=tests/svm for some of them)
# make test-pythons  the tests with each of PYTHONS that is installed, on the PATH or with
#                  pyenv, in .venv-VERSION
# make venv        only make .venv and install into it
# make bench       run the benchmarks (treebanks: STRUCTPRED_TREEBANKS, else
#                  ../shared/treebanks)
# make doc         build the documentation as a website, into doc/_build
# make doc-images  redraw the pictures of the documentation, and write the help
#                  pages of the canvas
#
# PYTHON=/path/to/python3 chooses the Python that .venv is made with.

VENV = .venv
PY = $(VENV)/bin/python
INSTALLED = $(VENV)/.installed
WORKFLOW = workflows/110-first-parser.ows
TREEBANKS = $(or $(STRUCTPRED_TREEBANKS),../shared/treebanks)
SANDBOX = sh tools/sandbox.sh
PROCESSES = 2
# Each process has files of its own, so that fixtures are made and code is compiled once.
SHARED = -n $(PROCESSES) --dist worksteal
# A display that Qt should not use is none.
DISPLAYED = [ "$$QT_QPA_PLATFORM" != offscreen ] && \
    { [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || [ "$$(uname)" = Darwin ]; }

PYTHONS = 3.10 3.12 3.13
TESTS = tests
ELSEWHERE = $(SANDBOX) $$venv/bin/python -m pytest -m "not slow" $(SHARED) $(TESTS)

.PHONY: run test types test-slow test-hostile test-screen test-lowest test-pythons venv bench doc doc-images

run: $(INSTALLED)
	@if $(DISPLAYED); then \
	    $(PY) tools/check_qt.py && $(PY) -m Orange.canvas $(WORKFLOW); \
	else \
	    $(SANDBOX) $(PY) tools/check_qt.py && \
	    $(SANDBOX) $(PY) -m orange_structpred.widgets.common.run_workflow \
	        $(WORKFLOW) --pictures output; \
	fi

# While mypy is at it, what most tests need is compiled, once for all of their processes.
test: $(INSTALLED)
	@$(SANDBOX) $(PY) tools/check_qt.py
	@$(SANDBOX) $(PY) -m orange_structpred cache --fill > /dev/null 2>&1 & \
	    $(PY) -m ruff check . && $(PY) -m mypy; found=$$?; wait; exit $$found
	@$(SANDBOX) $(PY) -m pytest -m "not slow" $(SHARED)

types: $(INSTALLED)
	@$(PY) -m mypy

test-slow: $(INSTALLED)
	@$(SANDBOX) $(PY) tools/check_qt.py
	@$(SANDBOX) $(PY) -m pytest -m slow
	@$(SANDBOX) $(PY) -m pytest -m "hypothesis and not slow" \
	    --hypothesis-profile explore

test-hostile: $(INSTALLED)
	@$(SANDBOX) $(PY) -m tests.hostile --seed $(or $(SEED),0)

test-screen: $(INSTALLED)
	@$(PY) -m tests.screen $(if $(FONT),--font "$(FONT)")

# The lowest versions have no wheels for the newest Pythons. What only the tests need is
# as new as it can be beside the lowest versions.
test-lowest: $(INSTALLED)
	@set -e; venv=.venv-lowest; \
	python="$(PYTHON)"; \
	for version in 3.10 3.11; do \
	    python=$${python:-$$(sh tools/find_python.sh $$version || true)}; done; \
	PYTHON="$$python" sh tools/make_venv.sh $$venv; \
	$(PY) tools/lowest_versions.py > $$venv/lowest.txt; \
	$$venv/bin/python -m pip install --disable-pip-version-check -q \
	    -c $$venv/lowest.txt -e ".[test]"; \
	$(ELSEWHERE)

test-pythons:
	@set -e; for version in $(PYTHONS); do \
	    venv=.venv-$$version; \
	    if ! python=$$(sh tools/find_python.sh $$version); then \
	        echo "== Python $$version is not installed"; continue; fi; \
	    echo "== Python $$version"; \
	    PYTHON=$$python sh tools/make_venv.sh $$venv; \
	    $$venv/bin/python -m pip install --disable-pip-version-check -q -e ".[test]"; \
	    $(ELSEWHERE); \
	done

venv: $(INSTALLED)

bench: $(INSTALLED)
	@$(PY) benchmarks/decoders.py
	@$(PY) benchmarks/library.py
	@$(PY) benchmarks/graphs.py
	@for name in reading find gram explicit crossing kernel closing search; do \
	    echo "== $$name"; \
	    $(PY) benchmarks/$$name.py --treebanks "$(TREEBANKS)" || exit 1; \
	done

doc: $(INSTALLED)
	@$(PY) -m pip install --disable-pip-version-check -q -e ".[doc]"
	@$(PY) -m sphinx -W --keep-going -q -b html doc doc/_build
	@echo "doc/_build/index.html"

doc-images: $(INSTALLED)
	@$(SANDBOX) $(PY) doc/make_images.py
	@$(PY) doc/make_help.py

$(PY):
	@PYTHON="$(PYTHON)" sh tools/make_venv.sh $(VENV)

# The project itself is linked, not copied, so that only what it requires can
# make another installation necessary.
$(INSTALLED): setup.py pyproject.toml | $(PY)
	$(PY) -m pip install --disable-pip-version-check -q -e ".[test]"
	@touch $@
