# Each target makes its own environment from the locked, hashed requirement files; only python3, git and make are needed.
PYTHON ?= python3
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help demo test test-site test-agents lint bench example lock clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

.venv/ready: requirements/dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "wikimem needs Python 3.11 or later")'
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

demo: .venv/ready ## Show the product on the example sessions, in a temporary vault
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh tests/example/demo.sh

test: .venv/ready ## Run all tests
	$(BIN)/python -m pytest

.venv/browser: .venv/ready requirements/site.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/site.txt
	@command -v chromium chromium-browser google-chrome >/dev/null || $(BIN)/python -m playwright install chromium
	@touch $@

test-site: .venv/browser ## Run the tests of the site in a real browser, with pictures in build/pictures
	WIKIMEM_BROWSER=required WIKIMEM_SHOTS=build/pictures $(BIN)/python -m pytest tests/site_browser

.venv/agents: .venv/ready tests/real_agents/package.json tests/real_agents/package-lock.json
	mkdir -p .venv/agents
	cp tests/real_agents/package.json tests/real_agents/package-lock.json .venv/agents
	npm ci --prefix .venv/agents --ignore-scripts --no-audit --no-fund --loglevel=error
	node .venv/agents/node_modules/@anthropic-ai/claude-code/install.cjs
	.venv/agents/node_modules/.bin/claude --version
	.venv/agents/node_modules/.bin/codex --version
	@touch $@

test-agents: .venv/agents ## Run the tests with the real Claude Code and Codex, offline (needs npm)
	WIKIMEM_AGENTS=$(CURDIR)/.venv/agents $(BIN)/python -m pytest tests/real_agents

lint: .venv/ready ## Check style, types and the import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/ready ## Print the figures of the benchmarks: make bench DATA=folder
	$(BIN)/python benchmarks/capture.py $(DATA)

example: .venv/ready ## Capture and compile the example sessions into sources/ and wiki/ again
	$(BIN)/python tests/example/rebuild.py

lock: ## Lock the requirement files again (needs uv)
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate pyproject.toml -o requirements/run.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate pyproject.toml requirements/dev.in -o requirements/dev.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -c requirements/dev.txt requirements/site.in -o requirements/site.txt

clean: ## Remove what the other targets made
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache dist
