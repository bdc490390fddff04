#!/bin/sh
# The canonical workload that our figures come from; bench/README.md says what it is.
set -eu
cd "$(dirname "$0")/.."
export MUSTER_BINARY="${MUSTER_BINARY:-$PWD/build/release/muster}"
exec bench/run.sh "$@"
