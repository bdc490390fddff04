#!/bin/sh
# The canonical workload: a table on standard output, and build/bench/figures.json.
#
#   bench/run.sh            a few minutes, the figures that we quote
#   bench/run.sh --quick    a second each, for a first look
#   bench/run.sh --json     JSON instead of the table
set -eu
cd "$(dirname "$0")/.."
muster="${MUSTER_BINARY:-$PWD/build/release/muster}"
if [ ! -x "$muster" ]; then
  echo "bench/run.sh: $muster is missing: run make first, or name the program in MUSTER_BINARY." >&2
  exit 1
fi
json=no
for argument; do
  if [ "$argument" = --json ]; then json=yes; fi
done

mkdir -p build/bench
echo "$(uname -m), $(nproc) processors, $("$muster" --version)" >&2
if [ "$json" = yes ]; then
  "$muster" bench --suite "$@" | tee build/bench/figures.json
else
  "$muster" bench --suite --figures build/bench/figures.json "$@"
fi
