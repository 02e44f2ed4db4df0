# The front door. `make demo` on a machine with git, make and sudo is enough.
#
#   make          build the program: build/sextant
#   make deps     install what it needs (apt, and a Python environment)
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
SEXTANT = build/sextant

.PHONY: all deps deps-test demo demo-stop check check-all bench fuzz install clean

all: build/build.ninja
	@ninja -C build
	@echo "Built $(SEXTANT)."

build/build.ninja: | needs-build
	@meson setup build -Dtests=false --prefix=$(PREFIX)

.PHONY: needs-build needs-run
needs-build:
	@.ci/packages build
needs-run:
	@.ci/packages run

deps:
	@.ci/packages --install build run
	@$(MAKE) --no-print-directory $(SANDBOX)

deps-test: deps
	@.ci/packages --install test
	@$(MAKE) --no-print-directory $(TESTS)
	@if [ -f test/story/package.json ]; then \
	    cd test/story && npm ci --no-audit --no-fund --loglevel=error; fi

# The packages that the sandbox's code may import, exactly those and no others.
$(SANDBOX): sandbox/requirements.txt
	@echo "Making the sandbox's Python environment (some minutes) …"
	@rm -rf build/venv && $(PYTHON) -m venv build/venv
	@build/venv/bin/pip install --quiet --disable-pip-version-check \
	    --require-hashes --only-binary :all: -r sandbox/requirements.txt
	@touch $@

$(TESTS): test/requirements.txt
	@rm -rf build/test-venv && $(PYTHON) -m venv build/test-venv
	@build/test-venv/bin/pip install --quiet --disable-pip-version-check \
	    --require-hashes --only-binary :all: -r test/requirements.txt
	@touch $@

demo:
	@.ci/packages build run >/dev/null 2>&1 || $(MAKE) --no-print-directory deps
	@$(MAKE) --no-print-directory $(SANDBOX)
	@$(MAKE) --no-print-directory all
	@.ci/demo "$(QUESTION)"

demo-stop:
	@$(SEXTANT) stop

check: all
	@.ci/check

check-all: all
	@.ci/check --all

bench: all
	@bench/run.py

fuzz:
	@.ci/fuzz 600

install: all
	@meson install -C build

clean:
	@rm -rf build-asan build-clang build-fuzz
	@ninja -C build -t clean >/dev/null 2>&1 || :
