#!/bin/sh
# Builds what the tests need and runs all of them as one ctest run, whose summary comes last.
#
#   dev    every test, under AddressSanitizer and UBSan
#   tsan   what starts threads, under ThreadSanitizer (ctest cases tsan/...)
#   fuzz   the fuzz targets, a few seconds each (ctest cases fuzz/...)
#
#   scripts/test.sh [ctest option...]        e.g. scripts/test.sh -R '^base/'
set -eu
cd "$(dirname "$0")/.."
root=$PWD
export PATH="$root/build/tools:$PATH" CCACHE_NOHASHDIR=1
# Properties try the same cases in every run; RC_PARAMS= (empty) tries new ones.
export RC_PARAMS="${RC_PARAMS-seed=20240229}"

for preset in dev tsan fuzz; do
  echo "== $preset: configure and build ($(date -u +%T))"
  mkdir -p "build/$preset"
  if ! cmake --preset "$preset" >"build/$preset/configure.log" 2>&1; then
    cat "build/$preset/configure.log" >&2
    exit 1
  fi
  cmake --build --preset "$preset"
done

mkdir -p build/test
for preset in dev tsan fuzz; do
  echo "subdirs(\"$root/build/$preset\")"
done >build/test/CTestTestfile.cmake

# Sanitizers of this age can't stand the widest address space randomisation of newer kernels.
fixed_addresses=
if setarch "$(uname -m)" -R true 2>/dev/null; then fixed_addresses="setarch $(uname -m) -R"; fi

echo "== tests ($(date -u +%T))"
exec $fixed_addresses ctest --test-dir build/test --output-on-failure --no-tests=error \
  -j "$(nproc)" "$@" </dev/null
