#!/usr/bin/env python3
"""Finds wording that reads as translated, in comments, docs and texts.

    words.py            lists each place, exit 1 if there is one
    words.py --count    places a file, most first

The list holds words and phrases that well-known C projects hardly use where this
tree once used them often. A line that needs one says so with `words: ok`."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# phrase -> what to write
INSTEAD = {
    r"behind (?:it|that|this|them|the (?:last|first|end|next))": "after",
    r"whoever": "the user, a process, anyone who",
    r"nobody": "no one, no process, nothing",
    r"beside(?!s)": "next to, in addition to",
    r"anew": "again",
    r"stands? (?:still|in|at|on|for|behind|before|between|against|once|twice|there)":
        "is, is in, hangs",
    r"(?:is|are|was|were|be|been) told": "report, show, say (active)",
    r"tells? of": "describes, reports",
    r"mend(?:s|ed|ing)?": "fix, repair",
    r"so many": "this many",
    r"of (?:his|her|one's) own": "its own, their own",
    r"(?:he|she) (?:has|is|may|wants|can|was|does)": "they",
    r"goes by": "uses",
    r"(?:in|to) line": "queued, in the queue",
}
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
HASH = re.compile(r"#[^\n]*|\"\"\".*?\"\"\"", re.S)
FOLDERS = ("src", "include", "docs", "sandbox", "bench", "test", "sql", "deploy",
           ".ci", "web/src", "README.md", "CONTRIBUTING.md", "Makefile")
SKIP = re.compile(r"corpus|node_modules|docs/notes|test/data|\.json$|\.sql$|\.yaml$"
                  r"|\.png$|\.txt$|\.ci/words\.py$")


def prose(path):
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".md":
        return [(0, text)]
    pattern = COMMENT if path.suffix in (".c", ".h", ".def", ".ts", ".tsx") else HASH
    return [(m.start(), m.group(0)) for m in pattern.finditer(text)]


def places(path):
    text = path.read_text(encoding="utf-8", errors="replace")
    for start, part in prose(path):
        for pattern, instead in INSTEAD.items():
            for m in re.finditer(rf"\b{pattern}\b", part, re.I):
                line = text.count("\n", 0, start + m.start()) + 1
                if "words: ok" not in text.splitlines()[line - 1]:
                    yield line, m.group(0), instead


def main():
    names = subprocess.run(["git", "ls-files", *FOLDERS], cwd=ROOT, text=True,
                           capture_output=True, check=True).stdout.splitlines()
    counts = {}
    for name in names:
        if SKIP.search(name):
            continue
        found = sorted(places(ROOT / name))
        if found:
            counts[name] = len(found)
        if "--count" not in sys.argv:
            for line, word, instead in found:
                print(f"{name}:{line}: {word!r}: write {instead}")
    if "--count" in sys.argv:
        for name, n in sorted(counts.items(), key=lambda x: -x[1]):
            print(n, name)
        print(sum(counts.values()), "in", len(counts), "files")
    return 1 if counts else 0


if __name__ == "__main__":
    sys.exit(main())
