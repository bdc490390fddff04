#!/usr/bin/env python3
"""Every page and file that a page or a comment names is there, and every decision is in the index.

  check_docs.py [ROOT]        exit code 1 and one line a dead link
  check_docs.py --self-test   on a small tree with known faults
"""
import pathlib
import re
import sys
import tempfile

LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")
NAMED = re.compile(r"(?<![\w/.])((?:docs|scripts|cmake|bench|data)/[\w./-]*\w\.(?:md|py|sh|cmake|json|ndjson|csv))\b")
SKIPPED = {"build", "node_modules", ".git"}


def files(root):
    for path in sorted(root.rglob("*")):
        if not SKIPPED & set(path.relative_to(root).parts) and path.is_file():
            yield path


def check(root):
    problems = []
    for path in files(root):
        shown = path.relative_to(root)
        is_page = path.suffix == ".md"
        if not is_page and path.suffix not in (".h", ".cc", ".cmake", ".sh"):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            named = [(target, root / target) for target in NAMED.findall(line)]
            if is_page:
                named = [(target, path.parent / target) for target in LINK.findall(line) if ":" not in target]
            for target, place in named:
                if not place.exists():
                    problems.append(f"{shown}:{number}: {target} doesn't exist")
    decisions = root / "docs" / "decisions"
    index = (decisions / "README.md").read_text(encoding="utf-8") if decisions.exists() else ""
    for page in sorted(decisions.glob("[0-9]*.md")):
        if f"({page.name})" not in index:
            problems.append(f"docs/decisions/README.md: {page.name} is missing")
    return problems


def self_test():
    tree = {
        "README.md": "[a](docs/a.md) [b](docs/b.md#part) [c](https://example.org/c) [d](docs/d.md)\n",
        "docs/a.md": "[up](../README.md) [down](a.md) [gone](gone.md)\n",
        "docs/b.md": "",
        "docs/decisions/README.md": "[0001](0001-a.md)\n",
        "docs/decisions/0001-a.md": "",
        "docs/decisions/0002-b.md": "",
        "src/base/x.h": "// see docs/a.md and docs/none.md\n",
    }
    with tempfile.TemporaryDirectory() as scratch:
        for file, text in tree.items():
            path = pathlib.Path(scratch, file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        problems = check(pathlib.Path(scratch))
    expected = ["README.md:1: docs/d.md doesn't exist", "docs/a.md:1: gone.md doesn't exist",
                "src/base/x.h:1: docs/none.md doesn't exist", "docs/decisions/README.md: 0002-b.md is missing"]
    passed = problems == expected
    print("check_docs: self-test passed" if passed else f"self-test: got {problems}")
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
