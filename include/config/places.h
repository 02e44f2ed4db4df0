/* places.h - where the program's own parts lie: beside it in the build folder,
 * in a prefix it was installed under, or, for a program in a build folder of the
 * source tree, in that tree. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include "config/config.h"

/* The folder that has sql/, sandbox/ and static/; NULL: not found. */
const char *places_data(struct arena *arena, const struct config *c);
/* A program of ours ("sextant", "sextant-supervisor"). NULL: not found. */
const char *places_program(struct arena *arena, const char *name);
/* The sandbox's Python: as set, the one beside this program (build/venv, or
 * PREFIX/lib/sextant/venv), else the system's. */
const char *places_python(struct arena *arena, const struct config *c);
