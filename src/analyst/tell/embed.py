"""Writes a C file that holds programs as text: embed.py OUT HEADER FILE..."""
import json
import pathlib
import sys


def literal(text):
    lines = text.splitlines(keepends=True) or [""]
    return "\n    ".join(json.dumps(line) for line in lines)


out, header, *files = sys.argv[1:]
with open(out, "w", encoding="utf-8") as c:
    c.write(f'#include "{header}"\n')
    for name in files:
        path = pathlib.Path(name)
        text = path.read_text(encoding="ascii")
        c.write(f"\nconst char program_{path.stem}[] =\n    {literal(text)};\n")
