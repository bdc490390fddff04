#!/bin/sh
# Installs what Muster needs and this machine lacks, by apt. Does nothing, offline and in an instant,
# where nothing is missing.
#
#   scripts/deps.sh build    what `make` and `make run` need
#   scripts/deps.sh test     what `make test` and `make check` need too
#   scripts/deps.sh check    installs nothing: says what the build lacks, exit code 1 if anything
#
# SKIP_DEPS=1 trusts that all is there (for other distributions, where the packages' names differ).
set -eu
what=${1:-test}

build_packages="g++ cmake ninja-build ccache mold python3
  libabsl-dev libboost1.81-dev libsimdjson-dev librocksdb-dev libroaring-dev libs2-dev
  prometheus-cpp-dev libspdlog-dev libcli11-dev libtomlplusplus-dev
  libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev"
test_packages="clang libclang-rt-14-dev clang-format clang-tidy curl"

say() { printf '%s\n' "$*" >&2; }
die() { say "make deps: $*"; exit 1; }

[ -z "${SKIP_DEPS:-}" ] || exit 0

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  say "Muster is built and tested on Debian 12, and this machine has no apt-get."
  say "Install the counterparts of these packages, then say SKIP_DEPS=1 make ...:"
  say "$build_packages $test_packages" npm
  exit 1
fi

wanted=$build_packages
[ "$what" != test ] || wanted="$wanted $test_packages"
installed=" $(dpkg-query -W -f '${Package}=${db:Status-Status} ' 2>/dev/null || true)"
missing=
for package in $wanted; do
  case $installed in
    *" $package=installed "*) ;;
    *) missing="$missing $package" ;;
  esac
done
# Debian's npm brings hundreds of packages: only where no other is there.
if [ "$what" = test ] && ! command -v npm >/dev/null; then missing="$missing npm"; fi
promtool_dir=$(dirname "$0")/../build/tools
need_promtool=
if [ "$what" = test ] && ! command -v promtool >/dev/null && [ ! -x "$promtool_dir/promtool" ]; then
  need_promtool=1
fi

[ -n "$missing$need_promtool" ] || exit 0
if [ "$what" = check ]; then
  say "Missing:$missing"
  die "\`make deps\` installs what is missing (Debian 12, root or sudo)."
fi

as_root=
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null ||
    die "these are missing, and you are neither root nor is sudo there:$missing"
  as_root="sudo"
fi
say "make deps: installing${missing}${need_promtool:+ promtool}"
$as_root apt-get update -qq ||
  die "the package lists can't be fetched: is this machine offline? Wanted:$missing"
if [ -n "$missing" ]; then
  # shellcheck disable=SC2086  # a list of words
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends $missing </dev/null >&2 ||
    die "apt-get could not install$missing (see above). Is this machine offline, or not Debian 12?"
fi
if [ -n "$need_promtool" ]; then
  # Out of its package, not installed: that would start a Prometheus server on this machine.
  scratch=$(mktemp -d)
  chmod 755 "$scratch"
  (cd "$scratch" && apt-get download -qq prometheus && dpkg-deb -x prometheus_*.deb out) >&2 ||
    die "the package prometheus, for promtool, can't be fetched."
  mkdir -p "$promtool_dir"
  mv "$scratch/out/usr/bin/promtool" "$promtool_dir/promtool"
  rm -rf "$scratch"
fi
