#!/usr/bin/env python3
"""Finds wording that reads like a translation, in comments and documentation.

    words.py [PATH…]    lists each place; the exit status is 1 if there is one
    words.py --count    lists the number of places in each file, most first
    words.py --texts    also reads string literals that are sentences

The list holds words that well-known C projects hardly ever use. A line that needs
one contains `words: ok`."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Pattern of whole words -> what to write instead.
INSTEAD = {
    r"behind": "after, past, under",
    r"(?:stands?|stood|standing)": "is, is in, remains, stops responding",
    r"told": "report, show, say (active)",
    r"tells? of": "describes, reports",
    r"(?:whoever|whomever)": "anyone who, the user who, any process that",
    r"nobody": "no one, no process, nothing",
    r"beside": "next to, in addition to",
    r"anew": "again",
    r"mend(?:s|ed|ing)?": "fix, repair",
    r"so many": "this many",
    r"of (?:his|her|one's) own": "its own, their own",
    r"(?:he|she|him|his|himself|herself)": "it (a process), they (a person)",
    r"(?:let|lets|letting) go(?: of)?": "release, free, drop",
    r"what is there": "the existing …, what exists",
    r"goes by": "uses, follows",
    r"(?:in|to|into) line": "queued, in the queue",
}
FORBIDDEN = {re.compile(rf"\b{pattern}\b", re.I): instead
             for pattern, instead in INSTEAD.items()}
# Idioms in which one of these words is right.
IDIOM = re.compile(
    r"\b(?:"
    r"behind\s+(?:\S+\s+){0,3}(?:proxy|proxies|balancer|pooler|firewall|nginx|PgBouncer)"
    r"|(?:leaves?|leaving|left)(?:\s+\S+){0,5}\s+behind"
    r"|(?:falls?|fell|lags?|lagging) behind"
    r"|stands? (?:for|out|in for)|stand-?(?:alone|ins?|by)|standing (?:order|orders)"
    r"|in line (?:with|\d+)"
    r")\b", re.I)

BLOCK, LINE = r"/\*.*?\*/", r"(?<![:\"'])//[^\n]*"
HASH, STRINGS = r"(?<![\w#&\"'])#[^\n]*", r'"""(?:.*?)"""'
C_LIKE = re.compile(f"{BLOCK}|{LINE}", re.S)
SQL = re.compile(rf"{BLOCK}|--[^\n]*", re.S)
SCRIPT = re.compile(f"{STRINGS}|{HASH}", re.S)
MARKUP = re.compile(r"<!--.*?-->", re.S)
LANGUAGE = {".c": C_LIKE, ".h": C_LIKE, ".def": C_LIKE, ".ts": C_LIKE,
            ".tsx": C_LIKE, ".mjs": C_LIKE, ".js": C_LIKE, ".css": C_LIKE,
            ".sql": SQL, ".html": MARKUP, ".svg": MARKUP}
# History, captured data, and this list.
SKIPPED = re.compile(r"(?:^|/)(?:corpus|node_modules|subprojects)/|^docs/notes/|^NEWS\.md$"
                     r"|\.(?:json|png|woff2?|ico|sha256)$|requirements.*\.txt$"
                     r"|^LICENSE$|^\.ci/words\.py$")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`([^`]*)`|\'((?:[^\'\\\n]|\\.)*)\'')


def passages(path, text, texts):
    """(offset, text) of everything in a file that is written for people."""
    if path.suffix in (".md", ".txt"):
        return [(0, text)]
    language = LANGUAGE.get(path.suffix, SCRIPT)
    found = [(m.start(), m.group(0)) for m in language.finditer(text)]
    if texts:
        found += [(m.start(), m.group(0)) for m in LITERAL.finditer(text)
                  if m.group(0).count(" ") > 1]
    return found


def places(path, texts=False):
    text = path.read_text(encoding="utf-8", errors="replace")
    lines = text.splitlines()
    for start, passage in passages(path, text, texts):
        plain = IDIOM.sub(lambda m: re.sub(r"\S", " ", m.group(0)), passage)
        for pattern, instead in FORBIDDEN.items():
            for match in pattern.finditer(plain):
                line = text.count("\n", 0, start + match.start()) + 1
                if "words: ok" not in lines[line - 1]:
                    yield line, match.group(0), instead


def tracked(paths):
    names = subprocess.run(["git", "ls-files", *paths], cwd=ROOT, text=True,
                           capture_output=True, check=True).stdout.splitlines()
    return [n for n in names if not SKIPPED.search(n) and (ROOT / n).is_file()]


def main():
    flags = {a for a in sys.argv[1:] if a.startswith("--")}
    counts = {}
    for name in tracked([a for a in sys.argv[1:] if a not in flags]):
        found = sorted(set(places(ROOT / name, "--texts" in flags)))
        if found:
            counts[name] = len(found)
        if "--count" not in flags:
            for line, word, instead in found:
                print(f"{name}:{line}: {word!r}: write {instead}")
    if "--count" in flags:
        for name, n in sorted(counts.items(), key=lambda x: -x[1]):
            print(n, name)
        print(sum(counts.values()), "in", len(counts), "files")
    return 1 if counts else 0


if __name__ == "__main__":
    sys.exit(main())
