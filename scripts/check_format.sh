#!/bin/sh
# Every C++ file is as clang-format writes it. `scripts/check_format.sh --fix` rewrites them.
set -eu
cd "$(dirname "$0")/.."
mode="--dry-run -Werror"
[ "${1:-}" != --fix ] || mode="-i"
# shellcheck disable=SC2086  # two options
find src tests bench cmake \( -name '*.h' -o -name '*.cc' \) -print0 | xargs -0 clang-format $mode
