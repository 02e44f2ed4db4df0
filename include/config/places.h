/* places.h - where the program's own parts are: next to it in the build folder,
 * in the prefix it was installed under, or, for a program in a build folder of
 * the source tree, in that tree. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include "config/config.h"

/* The folder with sql/, sandbox/ and static/; NULL: not found. */
const char *places_data(struct arena *arena, const struct config *c);
/* The path of one of our programs ("sextant", "sextant-supervisor"); NULL: not
 * found. */
const char *places_program(struct arena *arena, const char *name);
/* The sandbox's Python: the setting, else the one next to this program
 * (build/venv, or PREFIX/lib/sextant/venv), else the system's. */
const char *places_python(struct arena *arena, const struct config *c);
