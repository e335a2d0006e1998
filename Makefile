# iodyno: two commands do everything. `make help` lists the rest.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
WHEELS := target/wheels
RUST_SOURCES   := $(shell find crates -type f) Cargo.toml Cargo.lock
PYTHON_SOURCES := $(shell find python -type f -not -name '*.so' -not -path '*/__pycache__/*')

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## List what there is to make
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

.PHONY: report
report: $(VENV)/.installed ## Set up, measure this machine's disk in about three minutes, write out/report.html and .pdf
	@mkdir -p out
	@sync # what set-up wrote is on the disk before the measurement, and not in its way
	$(BIN)/iodyno measure . --study quick --store out/runs.db -o out/report.html -o out/report.pdf

.PHONY: test
test: tools check rust-test python-test docs-check ## Set up and pass every test

.PHONY: check
check: $(VENV)/.tested ## Format, lint and types
	cargo fmt --check
	cargo clippy --locked --release --all-targets -- -D warnings
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

# Their own profile is in Cargo.toml. Without the examples: `make check` sees that they compile.
.PHONY: rust-test
rust-test: ## Rust tests, optimised
	cargo test --locked --profile tests --workspace --quiet --tests
	cargo test --locked --profile tests --workspace --quiet --doc

# Tests that put no load on storage: on all processors at once.
WITHOUT_LOAD := tests/unit tests/property tests/theory tests/snapshot tests/e2e/test_report_pages.py \
	tests/e2e/test_fio_places.py tests/e2e/test_fio_sizes.py tests/e2e/test_fio_walks.py
# Tests that nothing goes on beside: they compare rates and costs, or look for a loop device that nobody has; those of the
# guest boot it once for all. Points of 0.3 s on a loop device can be two writes long beside others.
ALONE := tests/conformance/test_cost.py tests/e2e/test_fio_at_once.py tests/e2e/test_operations_devices.py \
	tests/e2e/test_targets_devices.py tests/vm
# The others load files and devices of their own, and judge data, counts, errors and messages, however slow the machine
# is. Most of their time they wait, so several at once on each processor.
AT_ONCE := 4

.PHONY: python-test
python-test: $(VENV)/.tested ## Python tests, against the installed wheel
	$(BIN)/python -m pytest -n auto --dist worksteal $(WITHOUT_LOAD)
	$(BIN)/python -m pytest -n $(AT_ONCE) --dist worksteal $(addprefix --ignore=,$(WITHOUT_LOAD) $(ALONE))
	$(BIN)/python -m pytest $(ALONE)

.PHONY: bench
bench: $(VENV)/.installed ## Speed of the virtual lab, cost of an I/O and agreement beside fio, in turns on files made here (20 minutes)
	$(BIN)/python benches/lab_speed.py
	@mkdir -p out
	$(BIN)/python benches/engine_cost.py . --json out/engine-cost.json
	$(BIN)/python benches/agreement.py .
	$(BIN)/python benches/open_loop.py .

.PHONY: docs-check
docs-check: $(VENV)/.tested ## Generated pages are up to date
	$(BIN)/python tools/generate_docs.py --check
	$(BIN)/python -m iodyno.validation --check docs/validation.md

.PHONY: docs
docs: $(VENV)/.tested ## Generate the reference pages, the validation and the message catalogues again
	$(BIN)/python tools/generate_docs.py
	$(BIN)/python -m iodyno.validation docs/validation.md
	PYTHONPATH=python $(BIN)/python -m iodyno.export.reference > docs/reference/export.md
	PYTHONPATH=python $(BIN)/python -m iodyno.report.extraction

.PHONY: format
format: $(VENV)/.tested ## Format every source
	cargo fmt
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

.PHONY: tools
tools: ## Tools that some tests need: install them where CI asks, else name them
	@sh tools/test_tools.sh

.PHONY: lock
lock: $(VENV)/.tested ## Pin the Python dependencies anew
	$(BIN)/pip install --quiet uv
	sh tools/lock.sh $(BIN)/uv

.PHONY: clean
clean: ## Remove everything that was made here
	rm -rf $(VENV) target out .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

# A virtual environment with what running needs, then with what testing needs.
$(VENV)/.run: requirements/run.lock
	@sh tools/requirements.sh $(PYTHON)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(VENV)/.dev: requirements/dev.lock $(VENV)/.run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

# The wheel, as it ships, installed.
$(VENV)/.installed: $(VENV)/.run pyproject.toml README.md $(RUST_SOURCES) $(PYTHON_SOURCES)
	@rm -rf $(WHEELS)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/maturin build --release --locked --quiet --interpreter $(BIN)/python --out $(WHEELS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall $(WHEELS)/*.whl
	@touch $@

$(VENV)/.tested: $(VENV)/.dev $(VENV)/.installed
	@touch $@
