#!/usr/bin/env python3
"""Checks rules of the source tree that a compiler does not check.

A file includes only its own floor and the floors that its row lists. Every .c file
includes base/banned.h last. Files and lines have a maximum length. The tree contains
no paths of one machine and no download addresses.
"""

import os
import pathlib
import re
import subprocess
import sys

ABOVE = ("base loop net db engine guard artifact ontology llm analyst store tool "
         "agent api config supervisor").split()

# The table in docs/architecture.md: floor -> the floors that it may include.
FLOORS = {
    "base": [],
    "loop": ["base"],
    "net": ["base", "loop"],
    "db": ["base", "loop"],
    "engine": ["base", "loop", "net", "db"],
    "guard": ["base"],
    "artifact": ["base"],
    "ontology": ["base", "guard"],
    "llm": ["base", "loop", "net", "artifact"],
    "analyst": ["base", "guard", "ontology", "artifact"],
    "store": ["base", "loop", "db", "net", "ontology", "artifact"],
    "tool": ["base", "loop", "db", "engine", "net", "guard", "ontology", "artifact",
             "store"],
    "agent": ABOVE[:ABOVE.index("agent")],
    "api": ABOVE[:ABOVE.index("api")],
    "config": ["base"],
    "supervisor": ["base", "loop", "config"],
    "cmd": ABOVE,
}

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
MOST_LINES, MOST_COLUMNS = 700, 100
# In pieces, so that this check does not find its own file.
STRANGE = [
    re.compile(r"[\"'\s(=]/(?:wo" r"rk|fa" r"rm)/[a-z.]"),
    re.compile(r"/ro" r"ot/\.py" r"env"),
    re.compile(r"\"resolved\": \"htt" r"p"),
]
TEXT = {".c", ".h", ".def", ".py", ".sh", ".md", ".build", ".yaml", ".yml",
        ".sql", ".json", ".txt", ".in", ""}


def tracked(root):
    """The files under version control, or all files if there is no repository."""
    got = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=root, capture_output=True, text=True)
    if got.returncode == 0:
        return [root / name for name in got.stdout.splitlines()]
    return [p for p in root.rglob("*") if "build" not in p.parts[0:1]]


def leaves(path, floor, name):
    """Whether an include leaves src/<floor> by way of ../."""
    if not name.startswith("../"):
        return False
    whole = os.path.normpath(path.parent / name)
    return not whole.startswith(f"src/{floor}/")


def includes(path, floor, text):
    allowed = set(FLOORS[floor]) | {floor}
    for match in INCLUDE.finditer(text):
        target = match.group(1).split("/")[0]
        line = text.count("\n", 0, match.start()) + 1
        if "/" in match.group(1) and target in FLOORS:
            if target not in allowed:
                yield f"{path}:{line}: {floor} may not include {target}"
        elif leaves(path, floor, match.group(1)):
            yield f"{path}:{line}: an include leaves its floor"


def last_include(path, text):
    found = [name for name in INCLUDE.findall(text) if name.endswith(".h")]
    if not found or found[-1] != "base/banned.h":
        yield f"{path}: \"base/banned.h\" must be the last include"


def shape(path, text):
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        yield f"{path}: {len(lines)} lines; {MOST_LINES} are the most"
    for number, line in enumerate(lines, 1):
        if len(line) > MOST_COLUMNS:
            yield f"{path}:{number}: {len(line)} columns"
        if "\t" in line:
            yield f"{path}:{number}: a tab"


def floor_of(path):
    parts = path.parts
    if len(parts) > 2 and parts[0] in ("src", "include") and parts[1] in FLOORS:
        return parts[1]
    return None


def problems_of(root, full):
    path = full.relative_to(root)
    text = full.read_text(encoding="utf-8", errors="replace")
    floor = floor_of(path)
    if floor:
        yield from includes(path, floor, text)
    if path.suffix == ".c" and path.parts[0] == "src":
        yield from last_include(path, text)
    if floor and path.suffix in (".c", ".h"):
        yield from shape(path, text)
    if path.parts[0] == "src" and path.suffix == ".c" and not floor:
        yield f"{path}: it belongs to no floor"
    for pattern in STRANGE:
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: {match.group(0).strip()!r} is of one machine"


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    problems = []
    for full in tracked(root):
        corpus = "corpus" in full.parts
        if full.is_file() and full.suffix in TEXT and not corpus:
            problems += problems_of(root, full)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
