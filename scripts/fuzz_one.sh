#!/bin/sh
# Runs one libFuzzer program for some seconds on its corpus, which it leaves as it is.
#
#   scripts/fuzz_one.sh PROGRAM CORPUS SECONDS [libFuzzer option...]
#
# The same seed every time, so that a test run repeats; explore with `-seed=0` after SECONDS. An input
# that breaks the program is kept beside it, in PROGRAM.found/.
set -eu
program=$1 corpus=$2 seconds=$3
shift 3

if [ ! -d "$corpus" ] || [ -z "$(ls -A "$corpus")" ]; then
  echo "The corpus $corpus is empty or missing: a fuzz target needs a few inputs to start from." >&2
  exit 1
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT INT TERM
mkdir -p "$program.found"
# New inputs go to the first directory; the corpus is only read.
"$program" -seed=1 -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 \
  -verbosity=1 -artifact_prefix="$program.found/" "$@" "$scratch" "$corpus" </dev/null
