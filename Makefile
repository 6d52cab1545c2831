# Two commands matter: `make lab` to read, `make test` to check. All set up .venv by themselves.
PYTHON ?= python3
PY := .venv/bin/python
READY := .venv/.ready
SITE_READY := .venv/.ready-site
BROWSER_READY := .venv/.ready-browser
PORT ?= 8000

.DEFAULT_GOAL := help
.PHONY: help lab test notebooks homework student-archive check grade bench site serve test-browser clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' Makefile

lab: $(READY) ## open JupyterLab at the first notebook (LAB_ARGS="..." adds options)
	$(PY) -m jupyterlab --ServerApp.root_dir=notebooks \
	  --ContentsManager.hide_globs=homework --ContentsManager.hide_globs=__pycache__ \
	  --LabApp.default_url=/lab/tree/01_algorithm.ipynb $(LAB_ARGS)

test: $(READY) ## check style, run all tests, re-run every notebook and compare its outputs
	$(PY) -m ruff check .
	$(PY) -m pytest

notebooks: $(READY) ## re-execute all notebooks and store them in their normal form
	$(PY) tests/refresh.py

homework: $(READY) ## cut the students' homework into build/homework/release (SEED=7: on other data)
	$(PY) -m grading release $(if $(SEED),--seed '$(SEED)')

student-archive: $(READY) ## the collection with that homework, without solutions: a zip in build/
	$(PY) -m grading archive

check: $(READY) ## say what would be graded in a homework of your own: make check HW=path
	@test -d '$(dir $(HW))checks' || { echo 'Name your notebook, which has the folder checks beside it: make check HW=path'; exit 1; }
	cd '$(dir $(HW))' && '$(abspath $(PY))' -m checks '$(notdir $(HW))'

grade: $(READY) ## grade a folder of homework: make grade SUBMISSIONS=dir
	@test -n '$(SUBMISSIONS)' || { echo 'Name the folder of submissions: make grade SUBMISSIONS=dir'; exit 1; }
	$(PY) -m grading grade '$(SUBMISSIONS)' $(GRADE_ARGS)

bench: $(READY) ## measure speed against its peers, for about 5 minutes: benchmarks/RESULTS.md
	$(PY) -m pip install --quiet -e '.[test,fast,bench]'
	OPENBLAS_NUM_THREADS=1 MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=2000000000 $(PY) -m benchmarks

site: $(SITE_READY) ## build pages, slides and live notebooks into build/site (PYODIDE=folder to host it)
	$(PY) -m web.build $(if $(PYODIDE),--pyodide '$(PYODIDE)')

serve: $(READY) ## show the built site on this machine (PORT=8000)
	$(PY) -m web.serve --port $(PORT)

test-browser: $(BROWSER_READY) ## try notebooks, pages, slides and live notebooks in a real Chromium
	$(PY) -m pytest tests/browser

clean: ## remove .venv and everything that was built
	rm -rf .venv build *.egg-info .pytest_cache .ruff_cache .hypothesis
	find . -type d \( -name __pycache__ -o -name .ipynb_checkpoints \) -prune -exec rm -rf {} +

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'Python 3.11 or newer is needed; name it with: make PYTHON=/path/to/python3 ...'; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || \
	  { echo 'Python lacks its venv module; on Debian or Ubuntu install python3-venv.'; exit 1; }
	$(PYTHON) -m venv .venv
	$(PY) -m pip install --quiet --upgrade pip
	$(PY) -m pip install --quiet -e '.[test]'
	@touch $(READY)

$(SITE_READY): $(READY)
	$(PY) -m pip install --quiet -e '.[site]'
	@touch $@

$(BROWSER_READY): $(SITE_READY)
	$(PY) -m pip install --quiet -e '.[browser]'
	@touch $@
