#!/usr/bin/env python3
"""Checks the table of expectations in docs/frontend.md: all 31 are there, each names
stories that exist and that test_browser.py runs, or says what is open."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROW = re.compile(r"^\| (\d+) \| ([^|]+) \| ([^|]*)\| ([^|]*)\|$", re.M)


def wrong_rows():
    table = (ROOT / "docs/frontend.md").read_text().partition("### The expectations")[2]
    run = set(re.findall(r'story\("(\w+)"',
                         (ROOT / "test/story/test_browser.py").read_text()))
    rows = ROW.findall(table)
    if [int(row[0]) for row in rows] != list(range(1, 32)):
        yield "the expectations are not 1 to 31"
    for number, _, stories, is_open in rows:
        names = re.findall(r"`(\w+)`", stories)
        if not names and not is_open.strip():
            yield f"{number} has no story, and does not say why"
        for name in names:
            if name not in run or not (ROOT / f"web/story/{name}.mjs").exists():
                yield f"{number}: no test runs the story {name}"


wrong = list(wrong_rows())
for line in wrong:
    print(f"docs/frontend.md: expectation {line}")
sys.exit(bool(wrong))
