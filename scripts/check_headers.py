#!/usr/bin/env python3
"""Every header under src/ compiles alone.

thing.cc includes thing.h before anything else, so the build itself proves thing.h; a header without
such a source is compiled here, syntax only.

  check_headers.py [ROOT]        exit code 1 and the compiler's words
  check_headers.py --self-test   on a small tree with known faults
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)


def compile_alone(source_dir, header):
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-fsyntax-only", "-I", str(source_dir), "-x", "c++",
               "-include", str(header), "/dev/null"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.stderr if result.returncode else None


def check(root):
    source_dir = root / "src"
    problems, to_compile = [], []
    for header in sorted(source_dir.rglob("*.h")):
        shown = header.relative_to(source_dir).as_posix()
        source = header.with_suffix(".cc")
        if not source.exists():
            to_compile.append(header)
        elif (includes := INCLUDE.findall(source.read_text()))[:1] != [shown]:
            first = includes[0] if includes else "nothing"
            problems.append(f"src/{shown[:-2]}.cc: includes {first} first, not its own {shown}")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for header, errors in zip(to_compile, pool.map(lambda h: compile_alone(source_dir, h), to_compile)):
            if errors:
                problems.append(f"{header.relative_to(root)} doesn't compile alone:\n{errors}")
    return problems


def self_test():
    tree = {
        "src/base/good.h": "#pragma once\n#include <string>\ninline std::string f() { return {}; }\n",
        "src/base/alone.h": "#pragma once\ninline std::string f() { return {}; }\n",
        "src/base/late.h": "#pragma once\n",
        "src/base/late.cc": '#include <string>\n#include "base/late.h"\n',
    }
    with tempfile.TemporaryDirectory() as scratch:
        for file, text in tree.items():
            path = pathlib.Path(scratch, file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        problems = check(pathlib.Path(scratch))
    passed = (len(problems) == 2 and "late.cc: includes string first" in problems[0]
              and "src/base/alone.h doesn't compile alone" in problems[1])
    print("check_headers: self-test passed" if passed else f"self-test: got {problems}")
    return passed


def main():
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(0 if self_test() else 1)
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    problems = check(root)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
