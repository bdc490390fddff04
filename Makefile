# The commands that people use. CMakePresets.json holds the builds behind them.
#
#   make          release build            -> build/release/muster
#   make run      everything from scratch: dependencies, build, and the demonstration
#   make test     everything from scratch: dependencies, builds, and every test
#   make check    format, layers, style, clang-tidy; no build
#   make bench    the canonical workload, in figures
#   make deps     installs by apt what is missing (Debian 12; root or sudo)
#   make fuzz     every fuzz target for FUZZ_SECONDS (60) each, from a fresh seed
#   make format   rewrites the C++ files as clang-format wants them
#   make install  to PREFIX (/usr/local)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60

.PHONY: all build deps run test check bench fuzz format install clean
.DEFAULT_GOAL := all

all:
	@scripts/deps.sh check
	@$(MAKE) --no-print-directory build

build:
	@mkdir -p build/release
	@cmake --preset release >build/release/configure.log 2>&1 || { cat build/release/configure.log >&2; exit 1; }
	@CCACHE_NOHASHDIR=1 cmake --build --preset release --target muster

deps:
	@scripts/deps.sh test

run:
	@scripts/deps.sh build
	@$(MAKE) --no-print-directory build
	@exec build/release/muster demo

test:
	@scripts/deps.sh test
	@exec scripts/test.sh

check:
	@exec scripts/check.sh

bench: all
	@exec scripts/bench.sh

fuzz:
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz
	@set -e; for corpus in tests/fuzz/corpus/*; do name=$${corpus##*/}; \
	  scripts/fuzz_one.sh build/fuzz/tests/$${name}_fuzz $$corpus $(FUZZ_SECONDS) -seed=0; done

format:
	@exec scripts/check_format.sh --fix

install: all
	@cmake --install build/release --prefix $(PREFIX)

clean:
	rm -rf build
