"""Writes the functions that a query may call as a table in C, from the list of the
sandbox, so that browser and server allow the same: functions.py OUT FUNCTIONS"""
import runpy
import sys

out, source = sys.argv[1:]
lists = runpy.run_path(source)


def table(name, words):
    lines = "".join(f'    "{word}",\n' for word in sorted(words))
    return f"\nconst char *const {name}[] = {{\n{lines}    NULL}};\n"


with open(out, "w", encoding="ascii") as c:
    c.write('#include "explorer/statement.h"\n#include <stddef.h>\n')
    c.write(table("explorer_scalars", lists["SCALARS"]))
    c.write(table("explorer_table_functions", lists["TABLES"]))
