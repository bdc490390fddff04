#!/usr/bin/env python3
"""The rules of CONTRIBUTING.md that a machine can hold: sizes, names, headers' form.

  check_style.py [ROOT]         exit code 1 and one line a violation
  check_style.py --sizes        the longest files and functions, and the median file
  check_style.py --self-test    on small files with known faults
"""
import pathlib
import re
import statistics
import sys
import tempfile

FILE_LINES_MAX = 800
FUNCTION_LINES_MAX = 70
VAGUE = r"(manager|helper|util|utils|utility|common|misc|info|impl)"
VAGUE_FILE = re.compile(rf"(^|_){VAGUE}(_|\.|$)")
VAGUE_TYPE = re.compile(
    r"\b(?:class|struct|namespace|enum(?: class)?)\s+(\w*(?:Manager|Helper|Util|Utils|Utility|Common|Misc|"
    r"Info|Impl)|util|utils|common|misc|helpers?|impl)\b")
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
SLEEP = re.compile(r"\b(sleep_for|sleep_until|usleep|nanosleep)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<][^">]+[">])', re.MULTILINE)
TYPE_HEAD = re.compile(r"^(?:template\s*<.*>\s*)?(?:class|struct|union|enum)\b(?!.*\)\s*(?:const)?\s*$)")


def blank_out(text):
    """The text with comments, literals and preprocessor lines blanked; lines stay where they are."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![\w])\'(?:\\.|[^\'\\\n])+\'|'
        r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.DOTALL | re.MULTILINE)
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def functions(text):
    """(name, first line, lines) of every function body at namespace or class scope."""
    code = blank_out(text)
    found = []
    scopes = []  # (is_function, name, first line)
    head_start = 0
    depth_of_parens = 0
    for at, char in enumerate(code):
        if char in "()":
            depth_of_parens += 1 if char == "(" else -1
        elif char == "{":
            head = code[head_start:at].strip()
            first = code.count("\n", 0, at - len(code[head_start:at].lstrip())) + 1
            inside = any(scope[0] for scope in scopes)
            is_function = (not inside and depth_of_parens == 0 and "(" in head
                           and not TYPE_HEAD.match(head) and not re.match(r"(inline )?namespace\b", head))
            name = re.search(r"([\w:~]+(?:\([^)]*\))?)\s*\(", head) if is_function else None
            scopes.append((is_function, name.group(1) if name else head, first))
            head_start = at + 1
        elif char == "}":
            if scopes:
                is_function, name, first = scopes.pop()
                if is_function:
                    found.append((name, first, code.count("\n", 0, at) + 2 - first))
            head_start = at + 1
        elif char == ";" and depth_of_parens == 0:
            head_start = at + 1
    return found


def check_cpp(path, shown, text):
    problems = []
    lines = text.count("\n")
    if lines > FILE_LINES_MAX:
        problems.append(f"{shown}: {lines} lines, over {FILE_LINES_MAX}")
    for name, first, length in functions(text):
        if length > FUNCTION_LINES_MAX:
            problems.append(f"{shown}:{first}: {name} has {length} lines, over {FUNCTION_LINES_MAX}")
    if path.suffix == ".h":
        if text.count("#pragma once") != 1:
            problems.append(f"{shown}: a header has one #pragma once")
        if not text.startswith("//"):
            problems.append(f"{shown}: a header begins with its contract, in a comment")
    includes = INCLUDE.findall(text)
    for include in sorted({i for i in includes if includes.count(i) > 1}):
        problems.append(f"{shown}: {include} is included twice")
    code = re.sub(r"//[^\n]*", "", text)
    for match in VAGUE_TYPE.finditer(code):
        problems.append(f"{shown}: {match.group(1)} is a name that says nothing")
    if shown.parts[0] == "src" and len(shown.parts) > 2 and path.name != "main.cc":
        if not re.search(rf"\bnamespace muster::{shown.parts[1]}\b", text):
            problems.append(f"{shown}: the namespace of its folder is muster::{shown.parts[1]}")
    if path.name.endswith("_test.cc") and (match := SLEEP.search(code)):
        problems.append(f"{shown}: {match.group()} in a test: advance virtual time, or wait for an event")
    return problems


def check_any(path, shown, text):
    problems = []
    if VAGUE_FILE.search(path.name.lower()):
        problems.append(f"{shown}: a file name that says nothing")
    if match := UNFINISHED.search(text):
        problems.append(f"{shown}: {match.group()}: finish it, or file an issue")
    return problems


def source_files(root):
    for folder in ("src", "tests", "bench"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".h", ".cc", ".py") and "node_modules" not in path.parts:
                yield path


def check(root):
    problems = []
    for path in source_files(root):
        shown = path.relative_to(root)
        text = path.read_text()
        problems += check_any(path, shown, text)
        if path.suffix != ".py":
            problems += check_cpp(path, shown, text)
    return problems


def print_sizes(root):
    files, bodies = [], []
    for path in source_files(root):
        text = path.read_text()
        files.append((text.count("\n"), path.relative_to(root)))
        if path.suffix != ".py":
            bodies += [(length, name, path.relative_to(root)) for name, _, length in functions(text)]
    print(f"{len(files)} files, {sum(f[0] for f in files)} lines, "
          f"median {statistics.median(f[0] for f in files):.0f}; {len(bodies)} functions")
    for length, shown in sorted(files, reverse=True)[:10]:
        print(f"  {length:5} {shown}")
    for length, name, shown in sorted(bodies, reverse=True)[:10]:
        print(f"  {length:5} {name} in {shown}")


def self_test():
    body = "  x = \"}\";  // {\n" * 71
    ok = "// What it is.\n#pragma once\nnamespace muster::base {\nclass A {\n};\n}\n"
    cases = [
        ("src/base/a.h", ok, None),
        ("src/base/a.h", ok.replace("#pragma once\n", ""), "one #pragma once"),
        ("src/base/a.h", ok[len("// What it is.\n"):], "begins with its contract"),
        ("src/base/a.h", ok.replace("::base", "::model"), "muster::base"),
        ("src/base/a.h", ok.replace("class A", "class CardManager"), "CardManager"),
        ("src/base/a_util.h", ok, "file name"),
        ("src/base/a.h", ok + "// TODO: more\n", "TODO"),
        ("src/base/a.h", ok + "\n" * 800, "over 800"),
        ("src/base/a.h", ok + "#include <b>\n#include <b>\n", "included twice"),
        ("src/base/a.h", ok + "namespace n {\nvoid F(int a) {\n" + body + "}\n}\n", "F has 73 lines"),
        ("src/base/a.h", ok + "class B {\n int G() const {\n" + body + "}\n};\n", "G has 73 lines"),
        ("src/base/a.h", ok + "class B {\n" + "  int b;\n" * 90 + "};\n", None),
        ("src/base/a.h", ok + "auto t = f({\n" + "{1},\n" * 90 + "});\n", None),
        ("src/base/a_test.cc", "namespace muster::base { void F() { usleep(1); } }\n", "usleep in a test"),
    ]
    failures = 0
    for file, text, expected in cases:
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch, file)
            path.parent.mkdir(parents=True)
            path.write_text(text)
            problems = check(pathlib.Path(scratch))
        if not (not problems if expected is None else any(expected in p for p in problems)):
            failures += 1
            print(f"self-test: {file}: expected {expected}, got {problems}")
    print(f"check_style: {len(cases) - failures} of {len(cases)} self-tests passed")
    return failures == 0


def main():
    arguments = sys.argv[1:]
    if arguments == ["--self-test"]:
        sys.exit(0 if self_test() else 1)
    root = pathlib.Path(__file__).parent.parent
    if arguments == ["--sizes"]:
        print_sizes(root)
        return
    problems = check(pathlib.Path(arguments[0]) if arguments else root)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
