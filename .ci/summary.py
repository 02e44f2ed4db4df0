#!/usr/bin/env python3
"""Counts the results in JUnit files and step lines ("ok name", "not ok name").

usage: summary.py FOLDER    reads *.xml and *.steps there; the last line of output
is "N passed, N failed"; the exit status is 1 if something failed or nothing ran.
A case that failed in NAME.xml and passed in NAME.again.xml, its second run, counts
as passed, and is listed.

       summary.py --red-units BUILD    lists the failed tests of meson's last run,
one on a line, as arguments for `meson test`."""

import json
import pathlib
import sys
import xml.etree.ElementTree as tree


def name_of(case):
    return f"{case.get('classname', '')}::{case.get('name', '')}"


def count_junit(path):
    passed, failed, skipped = 0, [], []
    for case in tree.parse(path).iter("testcase"):
        name = name_of(case)
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


def count(path):
    try:
        return (count_junit if path.suffix == ".xml" else count_steps)(path)
    except tree.ParseError as error:
        return 0, [f"{path.name}: {error}"], []


def passed_again(path):
    """The names of the cases that passed in their second run."""
    again = path.with_suffix(".again.xml")
    if path.suffix != ".xml" or not again.exists():
        return set()
    try:
        cases = list(tree.parse(again).iter("testcase"))
    except tree.ParseError:
        return set()
    return {name_of(case) for case in cases
            if all(case.find(tag) is None for tag in ("failure", "error", "skipped"))}


def red_units(folder):
    for line in (folder / "meson-logs" / "testlog.json").read_text().splitlines():
        test = json.loads(line)
        if test["result"] not in ("OK", "SKIP", "EXPECTEDFAIL"):
            print(test["name"].split(" / ")[-1])


def main():
    if sys.argv[1] == "--red-units":
        red_units(pathlib.Path(sys.argv[2]))
        return 0
    folder = pathlib.Path(sys.argv[1])
    passed, failed, skipped, second = 0, [], [], []
    for path in sorted(folder.iterdir()):
        if path.suffix not in (".xml", ".steps") or path.name.endswith(".again.xml"):
            continue
        some_passed, some_failed, some_skipped = count(path)
        again = passed_again(path)
        second += [name for name in some_failed if name in again]
        failed += [name for name in some_failed if name not in again]
        passed += some_passed
        skipped += some_skipped
    passed += len(second)
    for name in second:
        print(f"passed at the second try: {name}")
    for name in skipped:
        print(f"skipped: {name}")
    for name in failed:
        print(f"failed: {name}")
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
