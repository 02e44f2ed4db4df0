#!/usr/bin/env python3
"""Adds up JUnit files and step lines ("ok name", "not ok name").

usage: summary.py FOLDER    reads *.xml and *.steps there; the last line printed
is "N passed, N failed"; the exit status is 1 when something failed or nothing
ran."""

import pathlib
import sys
import xml.etree.ElementTree as tree


def count_junit(path):
    passed, failed, skipped = 0, [], []
    for case in tree.parse(path).iter("testcase"):
        name = f"{case.get('classname', '')}::{case.get('name', '')}"
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(name)
        elif case.find("skipped") is not None:
            skipped.append(name)
        else:
            passed += 1
    return passed, failed, skipped


def count_steps(path):
    lines = path.read_text().splitlines()
    failed = [line[7:] for line in lines if line.startswith("not ok ")]
    return sum(line.startswith("ok ") for line in lines), failed, []


def main():
    folder = pathlib.Path(sys.argv[1])
    passed, failed, skipped = 0, [], []
    for path in sorted(folder.iterdir()):
        if path.suffix not in (".xml", ".steps"):
            continue
        count = count_junit if path.suffix == ".xml" else count_steps
        try:
            more = count(path)
        except tree.ParseError as error:
            more = (0, [f"{path.name}: {error}"], [])
        passed += more[0]
        failed += more[1]
        skipped += more[2]
    for name in skipped:
        print(f"skipped: {name}")
    for name in failed:
        print(f"failed: {name}")
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
