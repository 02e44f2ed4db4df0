"""Adds an agent's lines to agents.def: overlay.py OUT AGENTS_DEF LINES SOURCE

Fails when the agent takes more than 60 lines: these, its source, and its line in
src/agent/meson.build."""
import pathlib
import sys

MOST = 60
out, agents, lines, source = map(pathlib.Path, sys.argv[1:])
added = lines.read_text()
total = added.count("\n") + source.read_text().count("\n") + 1
if total > MOST:
    sys.exit(f"an agent takes {total} lines; {MOST} are the most")
head, undef, tail = agents.read_text().rpartition("#undef AGENT\n")
if not undef:
    sys.exit(f"{agents} has another form")
out.write_text(head + added + undef + tail)
