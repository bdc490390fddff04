#!/usr/bin/env python3
"""Holds every #include under src/ against the muster_folder lines of CMakeLists.txt.

Refused: an include of a folder or library that the line doesn't declare, a declared one that nothing
includes, a folder that uses one declared after it (so no cycle can be), test libraries outside tests,
and, in a CORE folder, threads, clocks, locks, files and sockets.

  check_layers.py [ROOT]        exit code 1 and one line a violation
  check_layers.py --self-test   on small trees with known faults
"""
import pathlib
import re
import sys
import tempfile

# The includes that belong to each name on a LIBRARIES line.
LIBRARY_PREFIXES = {
    "absl": ("absl/",),
    "asio": ("boost/",),
    "cli11": ("CLI/",),
    "prometheus": ("prometheus/",),
    "roaring": ("roaring/",),
    "rocksdb": ("rocksdb/",),
    "s2": ("s2/",),
    "simdjson": ("simdjson",),
    "spdlog": ("spdlog/",),
    "tomlplusplus": ("toml++/",),
}
TEST_LIBRARY_PREFIXES = ("gtest/", "gmock/", "rapidcheck", "benchmark/")
SHELL_HEADERS = re.compile(
    r"thread|mutex|shared_mutex|condition_variable|future|semaphore|latch|barrier|fstream|filesystem|"
    r"unistd\.h|fcntl\.h|poll\.h|time\.h|ctime|sys/.*|netinet/.*|arpa/.*|base/mutex\.h")
SHELL_WORDS = re.compile(
    r"\b(steady_clock|system_clock|high_resolution_clock|clock_gettime|gettimeofday|sleep_for|"
    r"sleep_until|random_device|getenv)\b|\bstd::(rand|thread|jthread)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)')
# Beside the port that they implement, so that a core's tests can use them; they are no part of the core.
PORT_IMPLEMENTATIONS = re.compile(r"src/journal/memory_storage\.(h|cc)$")
KEYWORDS = {"CORE", "THREADED", "USES", "LIBRARIES"}


class Folder:
    def __init__(self, name, is_core, uses, libraries):
        self.name = name
        self.is_core = is_core
        self.uses = uses
        self.libraries = libraries


def read_folders(cmake_text):
    """The muster_folder calls, in order."""
    folders = {}
    text = re.sub(r"#.*", "", cmake_text)
    for call in re.finditer(r"^\s*muster_folder\(([^)]*)\)", text, re.MULTILINE):
        words = call.group(1).split()
        lists = {"USES": [], "LIBRARIES": []}
        current = None
        for word in words[1:]:
            if word in lists:
                current = word
            elif word not in KEYWORDS:
                lists[current].append(word)
        folders[words[0]] = Folder(words[0], "CORE" in words, lists["USES"], lists["LIBRARIES"])
    return folders


def is_test(path):
    return bool(re.search(r"(_test|_bench)\.(cc|h)$|/testing/|/test_\w+\.(cc|h)$", path.as_posix()))


def library_of(include):
    for library, prefixes in LIBRARY_PREFIXES.items():
        if include.startswith(prefixes):
            return library
    return None


def strip_comments(text):
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), text, flags=re.DOTALL)
    return re.sub(r"//[^\n]*", "", text)


def check_file(path, shown, folder, folders, used):
    problems = []
    is_core = folder.is_core and not is_test(path) and not PORT_IMPLEMENTATIONS.search(shown.as_posix())
    for number, line in enumerate(strip_comments(path.read_text()).split("\n"), 1):
        where = f"{shown}:{number}"
        match = INCLUDE.match(line)
        if not match:
            if is_core and (word := SHELL_WORDS.search(line)):
                problems.append(f"{where}: {word.group()} in a core: hand time and chance in")
            continue
        include = match.group(1) or match.group(2)
        top = include.split("/")[0]
        if match.group(1) and top in folders and "/" in include:
            used.add(top)
            if top != folder.name and top not in folder.uses:
                problems.append(f"{where}: {folder.name} doesn't declare that it uses {top}")
        elif library := library_of(include):
            used.add(library)
            if library not in folder.libraries:
                problems.append(f"{where}: {folder.name} doesn't declare the library {library}")
        elif include.startswith(TEST_LIBRARY_PREFIXES):
            if not is_test(path):
                problems.append(f"{where}: a test library outside *_test and *_bench files")
        elif match.group(1):
            problems.append(f"{where}: \"{include}\": write folder/file.h, from src/")
        if is_core and SHELL_HEADERS.fullmatch(include):
            problems.append(f"{where}: {include} in a core, which has no thread, clock, lock or file")
    return problems


def check(root):
    folders = read_folders((root / "CMakeLists.txt").read_text())
    problems = []
    for directory in sorted(p for p in (root / "src").iterdir() if p.is_dir()):
        if directory.name not in folders and any(directory.rglob("*.*")):
            problems.append(f"src/{directory.name}: no muster_folder line in CMakeLists.txt")
    declared = set()
    for folder in folders.values():
        for use in folder.uses:
            if use not in declared:
                problems.append(f"CMakeLists.txt: {folder.name} uses {use}, which is not declared "
                                "before it: a layer only uses lower ones")
        declared.add(folder.name)
        files = sorted(p for p in (root / "src" / folder.name).rglob("*") if p.suffix in (".h", ".cc"))
        used = set()
        for path in files:
            problems += check_file(path, path.relative_to(root), folder, folders, used)
        for needless in [n for n in folder.uses + folder.libraries if files and n not in used]:
            problems.append(f"CMakeLists.txt: {folder.name} declares {needless}, which nothing there "
                            "includes")
    return problems


def self_test():
    good_lines = ("muster_folder(base USES LIBRARIES absl)\n"
                  "muster_folder(model CORE USES base LIBRARIES)  # a comment\n"
                  "muster_folder(node THREADED\n  USES base model LIBRARIES)\n")
    good = {
        "CMakeLists.txt": good_lines,
        "src/base/time.h": '#include <cstdint>\n#include "absl/status/status.h"\n',
        "src/model/card.h": '#include "base/time.h"\n',
        "src/model/card_test.cc": '#include "model/card.h"\n#include <gtest/gtest.h>\n#include <thread>\n',
        "src/node/node.cc": '#include "base/time.h"\n#include "model/card.h"\n#include <mutex>\n',
    }
    cases = [
        ("nothing wrong", {}, None),
        ("upward", {"src/base/up.cc": '#include "model/card.h"\n'}, "doesn't declare that it uses model"),
        ("undeclared library", {"src/model/a.cc": "#include <rocksdb/db.h>\n"}, "the library rocksdb"),
        ("commented include", {"src/model/a.cc": "// #include <rocksdb/db.h>\n"}, None),
        ("needless folder", {"src/node/node.cc": '#include "base/time.h"\n'}, "declares model"),
        ("needless library", {"src/base/time.h": ""}, "declares absl"),
        ("cycle", {"CMakeLists.txt": good_lines.replace("base USES", "base USES node")},
         "base uses node"),
        ("folder of no line", {"src/stray/a.h": ""}, "src/stray: no muster_folder"),
        ("lock in a core", {"src/model/a.cc": "#include <mutex>\n"}, "mutex in a core"),
        ("clock in a core", {"src/model/a.cc": "auto t = steady_clock::now();\n"}, "steady_clock"),
        ("test library", {"src/node/a.cc": "#include <gtest/gtest.h>\n"}, "a test library"),
        ("relative include", {"src/node/a.cc": '#include "node.h"\n'}, "write folder/file.h"),
    ]
    failures = 0
    for name, changes, expected in cases:
        with tempfile.TemporaryDirectory() as scratch:
            root = pathlib.Path(scratch)
            for file, text in {**good, **changes}.items():
                (root / file).parent.mkdir(parents=True, exist_ok=True)
                (root / file).write_text(text)
            problems = check(root)
        matches = not problems if expected is None else any(expected in p for p in problems)
        if not matches:
            failures += 1
            print(f"self-test: {name}: expected {expected}, got {problems}")
    print(f"check_layers: {len(cases) - failures} of {len(cases)} self-tests passed")
    return failures == 0


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
