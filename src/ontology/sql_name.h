/* sql_name.h - names as SQL reads them, and the meaning of a `source`. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>

enum { SQL_NAME_PARTS = 4 };

struct sql_name {
    struct str parts[SQL_NAME_PARTS];
    size_t n;
    bool proper; /* each part is an identifier or in quotes */
};

/* Splits `a."B c".d` at its dots. A part that is an identifier is folded to
 * lower case; one in double quotes or backticks, or with other characters, is
 * taken as it is. False for an empty part, more than SQL_NAME_PARTS, or a quote
 * that does not end. */
bool sql_name_read(struct arena *arena, struct str text, struct sql_name *name);

/* A copy in `arena`, in lower case (ASCII only). */
struct str sql_fold(struct arena *arena, struct str text);

/* The query within a source, without a semicolon or the parentheses around it;
 * empty when the source is no query. */
struct str sql_source_query(struct str source);
