"""Writes a C file with the names of all steps that files define: steps.py OUT FILE…

A step is a function of a flow alone that answers a struct next."""
import pathlib
import re
import sys

STEP = re.compile(r"^(?:static )?struct next (\w+)\(struct flow \*f\)\n\{", re.M)
# Called by steps, as the end of several.
HELPERS = {"found", "give_up", "no_sandbox", "save_answer", "signed_out", "too_often",
           "wait_for_turn"}

out, *files = sys.argv[1:]
with open(out, "w", encoding="utf-8") as c:
    c.write('#include "steps.h"\n#include <stddef.h>\n\n'
            "const struct step_name step_names[] = {\n")
    for name in files:
        path = pathlib.Path(name)
        for step in STEP.findall(path.read_text(encoding="utf-8")):
            if step not in HELPERS:
                c.write(f'    {{"{step}", "{path.name}"}},\n')
    c.write("    {NULL, NULL}};\n")
