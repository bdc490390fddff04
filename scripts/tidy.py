#!/usr/bin/env python3
"""clang-tidy over src/, each source again only when it, a header of ours below it or .clang-tidy changed.

  tidy.py [FILE...]    default: every source of src/ but those of tests and benchmarks
"""
import concurrent.futures
import hashlib
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
STAMPS = ROOT / "build" / "tidy"
# What CMakeLists.txt defines for single files.
DEFINITIONS = [f'-DMUSTER_OPENAPI_PATH="{SOURCE}/api/openapi.json"', f'-DMUSTER_SOURCE_DIR="{ROOT}"']
OWN_INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def closure(path, seen):
    """`path` and every file of ours that it includes."""
    if path not in seen:
        seen.add(path)
        for include in OWN_INCLUDE.findall(path.read_text()):
            if (SOURCE / include).exists():
                closure(SOURCE / include, seen)
    return seen


def stamp_of(path):
    digest = hashlib.sha256((ROOT / ".clang-tidy").read_bytes())
    for part in sorted(closure(path, set())):
        digest.update(part.read_bytes())
    return STAMPS / f"{path.relative_to(SOURCE).as_posix().replace('/', '__')}.{digest.hexdigest()[:32]}"


def tidy(path):
    stamp = stamp_of(path)
    if stamp.exists():
        return ""
    result = subprocess.run(["clang-tidy", "--quiet", str(path), "--", "-std=c++20", "-Wall", "-Wextra",
                             "-Wthread-safety", f"-I{SOURCE}", *DEFINITIONS],
                            capture_output=True, text=True, check=False)
    if result.returncode:
        return result.stdout + result.stderr
    for old in STAMPS.glob(stamp.name.rsplit(".", 1)[0] + ".*"):
        old.unlink()
    stamp.touch()
    return ""


def main():
    STAMPS.mkdir(parents=True, exist_ok=True)
    files = [pathlib.Path(f).resolve() for f in sys.argv[1:]]
    files = files or [p for p in sorted(SOURCE.rglob("*.cc"))
                      if not re.search(r"_(test|bench)\.cc$|/testing/", p.as_posix())]
    failed = False
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for output in pool.map(tidy, files):
            if output:
                failed = True
                print(output)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
