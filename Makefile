# Two commands matter: `make lab` to read, `make test` to check. All set up what they need.
# Reading has an environment of its own, with nothing in it but what a reader needs.
PYTHON ?= python3
LAB := .venv
ALL := .venv-test
PY := $(ALL)/bin/python
PORT ?= 8000
DRAW_WITH ?= matplotlib pillow

.DEFAULT_GOAL := help
.PHONY: help lab test notebooks redraw homework student-archive student-branch wheel release check grade questions solutions figures \
  bench site handouts serve test-homework test-browser hub-trial clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' Makefile

lab: $(LAB)/.ready ## open JupyterLab at the first notebook (LAB_ARGS="..." adds options)
	$(LAB)/bin/python -m jupyterlab --ServerApp.root_dir=notebooks \
	  --ContentsManager.hide_globs=homework --ContentsManager.hide_globs=__pycache__ \
	  --LabApp.default_url=/lab/tree/01_algorithm.ipynb $(LAB_ARGS)

test: $(ALL)/.ready ## check style, all tests and every output of every notebook (ONLY="files")
	$(PY) -m ruff check .
	$(PY) -m pytest $(or $(ONLY),-n 2 --dist loadfile --no-loadscope-reorder)

notebooks: $(ALL)/.ready ## re-execute the notebooks and store them in their normal form (ONLY="files")
	$(PY) -m tools.refresh $(ONLY)

redraw: $(ALL)/.ready ## upgrade what draws, re-execute all notebooks, and name the new versions
	$(PY) -m pip install --quiet --upgrade $(DRAW_WITH)
	$(PY) -m tools.refresh --redraw

homework: $(ALL)/.ready ## cut the students' homework into build/homework/release (SEED=7: on other data)
	$(PY) -m grading release $(if $(SEED),--seed '$(SEED)')

student-archive: $(ALL)/.ready ## the collection with that homework, without solutions: a zip in build/
	$(PY) -m grading archive $(if $(REPOSITORY),--repository '$(REPOSITORY)')

student-branch: $(ALL)/.ready ## commit that copy to the branch students (PUSH=origin pushes it)
	$(PY) -m grading branch $(if $(REPOSITORY),--repository '$(REPOSITORY)')
	$(if $(PUSH),git push '$(PUSH)' students)

wheel: $(ALL)/.ready ## the library as a wheel, in build/dist
	rm -rf build/dist build/lib
	$(PY) -m pip wheel --quiet --no-deps --wheel-dir build/dist .

release: handouts figures questions wheel student-archive ## all that a release carries, in build/release; the site offers it
	rm -rf build/release && mkdir -p build/release
	cd build && for part in handouts figures questions; do ../$(PY) -m zipfile -c release/$$part.zip $$part/; done
	cp build/dist/*.whl build/perceptron-students.zip build/release
	$(PY) -m web.build $(if $(PYODIDE),--pyodide '$(PYODIDE)')
	cd build && ../$(PY) -m zipfile -c release/site.zip site/

check: $(LAB)/.ready ## say what would be graded in a homework of your own: make check HW=path
	@cd "$$(dirname '$(HW)')" && test -d checks || { echo 'Name your notebook, which has the folder checks beside it: make check HW=path'; exit 1; }
	@cd "$$(dirname '$(HW)')" && '$(abspath $(LAB))/bin/python' -m checks "$$(basename '$(HW)')"

grade: $(ALL)/.ready ## grade homework: make grade SUBMISSIONS=dir (ONLY=ann FOR=moodle JOBS=2)
	@test -n '$(SUBMISSIONS)' || { echo 'Name the folder of submissions: make grade SUBMISSIONS=dir'; exit 1; }
	$(PY) -m grading grade '$(SUBMISSIONS)' $(if $(ONLY),--only '$(ONLY)') $(if $(FOR),--for '$(FOR)') \
	  $(if $(JOBS),--jobs '$(JOBS)') $(GRADE_ARGS)

questions: $(ALL)/.ready ## export the question bank for Moodle (GIFT) and Canvas (QTI): build/questions
	$(PY) -m tools.bank

solutions: $(ALL)/.ready ## the lecturer's page with all worked solutions: build/solutions.html
	$(PY) -m tools.solutions

figures: $(ALL)/.ready ## every figure, for slides and dark pages and as SVG and PDF: build/figures
	$(PY) -m tools.figures slide dark vector

bench: $(ALL)/.ready ## measure speed against its peers, for about 5 minutes: benchmarks/RESULTS.md
	OPENBLAS_NUM_THREADS=1 MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=2000000000 $(PY) -m benchmarks

site: $(ALL)/.ready-site ## build pages, slides and live notebooks into build/site (PYODIDE=folder to host it)
	$(PY) -m web.build $(if $(PYODIDE),--pyodide '$(PYODIDE)')

handouts: site ## print every page and deck of the site to PDF, into build/handouts
	$(PY) -m web.handouts

serve: $(ALL)/.ready ## show the built site on this machine (PORT=8000)
	$(PY) -m web.serve --port $(PORT)

test-homework: $(ALL)/.ready ## grade right, wrong and hostile submissions, as a plain user
	$(PY) -m pytest -n 2 --dist loadfile tests/homework

test-browser: $(ALL)/.ready-browser ## try notebooks, pages, slides and live notebooks in a real Chromium
	$(PY) -m pytest -n 2 --dist loadfile tests/browser

hub-trial: $(ALL)/.ready-browser build/hub/.ready student-archive ## twelve users of a real JupyterHub run lesson 03 at once
	$(PY) -m tests.hub_trial build/hub --browser

clean: ## remove the environments and everything that was built
	rm -rf $(LAB) $(ALL) build *.egg-info .pytest_cache .ruff_cache .hypothesis
	find . -type d \( -name __pycache__ -o -name .ipynb_checkpoints \) -prune -exec rm -rf {} +

$(LAB)/.ready: WHAT := -e '.[lab]'
$(ALL)/.ready: WHAT := -c constraints.txt -e '.[test]'
$(ALL)/.ready: constraints.txt
$(LAB)/.ready $(ALL)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'Python 3.11 or newer is needed; name it with: make PYTHON=/path/to/python3 ...'; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || \
	  { echo 'Python lacks its venv module; on Debian or Ubuntu install python3-venv.'; exit 1; }
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --upgrade pip
	$(@D)/bin/python -m pip install --quiet $(WHAT)
	@touch $@

$(ALL)/.ready-site: $(ALL)/.ready
	$(PY) -m pip install --quiet -c constraints.txt -e '.[site]'
	@touch $@

$(ALL)/.ready-browser: $(ALL)/.ready-site
	$(PY) -m pip install --quiet -c constraints.txt -e '.[browser]'
	@touch $@

# The hub's own environment, its users' environment, and the proxy between them.
build/hub/.ready: pyproject.toml
	$(PYTHON) -m venv build/hub/hub
	build/hub/hub/bin/python -m pip install --quiet jupyterhub
	$(PYTHON) -m venv build/hub/user
	build/hub/user/bin/python -m pip install --quiet '.[lab]' jupyterhub nbgitpuller
	build/hub/user/bin/jupyter labextension disable --level=sys_prefix @jupyterlab/apputils-extension:announcements
	npm install --silent --prefix build/hub configurable-http-proxy
	@touch $@
