"""Writes a C file that holds text files: embed.py OUT FILE…"""
import json
import pathlib
import sys


def literal(text):
    lines = text.splitlines(keepends=True) or [""]
    return "\n        ".join(json.dumps(line, ensure_ascii=True)
 for line in lines)


out, *files = sys.argv[1:]
with open(out, "w", encoding="utf-8") as c:
    c.write('#include "prompts.h"\n#include <stddef.h>\n\n'
            "const struct prompt_file prompt_files[] = {\n")
    for name in files:
        path = pathlib.Path(name)
        text = path.read_text(encoding="utf-8")
        if not text.isascii():
            sys.exit(f"{name}: prompts are written in ASCII")
        c.write(f'    {{"{path.stem}",\n        {literal(text)}}},\n')
    c.write("    {NULL, NULL}};\n")
