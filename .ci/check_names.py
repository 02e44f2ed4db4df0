#!/usr/bin/env python3
"""Two rules about the C sources that a compiler does not check.

The tag of a struct or union belongs to one type in the whole tree, so that a search
for it finds one definition. Every file opens with a comment that says what it does."""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEFINITION = re.compile(r"^[ \t]*(?:typedef\s+|static\s+|const\s+)*"
                        r"(?:struct|union)\s+(\w+)[ \t]*\n?[ \t]*\{", re.M)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


def sources():
    for folder in ("include", "src"):
        for path in sorted((ROOT / folder).rglob("*.[ch]")):
            yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


def main():
    defined = collections.defaultdict(list)
    problems = []
    for path, text in sources():
        if not text.startswith(("/*", "#pragma once\n/*", "#pragma once\n\n/*")):
            problems.append(f"{path}:1: no comment says what the file does")
        code = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)
        for match in DEFINITION.finditer(code):
            line = code.count("\n", 0, match.start(1)) + 1
            defined[match.group(1)].append(f"{path}:{line}")
    for tag, where in sorted(defined.items()):
        if len(where) > 1:
            problems.append(f"struct {tag} is defined {len(where)} times: "
                            + ", ".join(where))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
