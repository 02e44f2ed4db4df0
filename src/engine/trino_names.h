/* trino_names.h - names of result columns, each once: Trino allows two columns of
 * one name. Pure. */
#pragma once
#include "base/arena.h"
#include "base/str.h"

/* Changes all but the first of equal names: a second "id" becomes "id_2". */
void trino_unique_names(struct arena *arena, struct str *names, int n);
