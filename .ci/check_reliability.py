#!/usr/bin/env python3
"""Checks that every test named in docs/reliability.md exists, and that every fault
in its table names one."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROWS = 39


def sources(where):
    kind, _, name = where.partition("/")
    if kind == "story":
        return [ROOT / "test/story" / f"test_{name}.py"]
    if kind == "unit":
        return [ROOT / "test/unit" / f"{name}.c"]
    return sorted((ROOT / "test/sandbox").glob("*.py"))


def problems(number, shown_by):
    found = 0
    for group in shown_by.split(";"):
        where, _, tests = group.strip().partition(": ")
        if not tests:
            found += where == "the sweep"
            continue
        texts = [p.read_text() for p in sources(where) if p.exists()]
        for test in re.split(r",\s*", tests.replace("†", "")):
            if any(re.search(rf"\btest_{test.strip()}\b", text) for text in texts):
                found += 1
            else:
                yield f"row {number}: {where} has no test_{test.strip()}"
    if not found:
        yield f"row {number}: no test shows it"


def main():
    rows = re.findall(r"^\| (\d+) \|.*\| ([^|]*) \|$",
                      (ROOT / "docs/reliability.md").read_text(), re.M)
    wrong = [] if [int(n) for n, _ in rows] == list(range(1, ROWS + 1)) else [
        f"docs/reliability.md: rows 1 to {ROWS} are expected"]
    for number, shown_by in rows:
        wrong += problems(number, shown_by)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
