/* programs.h - the Python that runs around the scientist's code: the files of
 * src/agent/scientist/python, which analyst/tell/embed.py turns into text. */
#pragma once

/* Imports what the prompts promise. */
extern const char program_before[];
/* Writes `fig` and `result` into files. */
extern const char program_after[];
