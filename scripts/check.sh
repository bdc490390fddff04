#!/bin/sh
# The checks that need no build: format, layers, style, headers, clang-tidy. All run; the exit code is
# that of the worst. The whole takes seconds, but clang-tidy's first time.
set -u
cd "$(dirname "$0")/.." || exit 1
failed=
run() {
  name=$1
  shift
  "$@" || { failed="$failed $name"; echo "make check: $name failed" >&2; }
}
run format scripts/check_format.sh
run layers python3 scripts/check_layers.py
run style python3 scripts/check_style.py
run headers python3 scripts/check_headers.py
run docs python3 scripts/check_docs.py
run tidy python3 scripts/tidy.py
if [ -n "$failed" ]; then
  echo "make check: failed:$failed" >&2
  exit 1
fi
echo "make check: all good"
