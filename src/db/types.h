/* types.h - PostgreSQL's built-in types: names by oid, and which are short.
 * Pure. */
#pragma once
#include <libpq-fe.h>
#include <stdbool.h>

/* "timestamptz", or NULL for what is not built in. */
const char *type_name(Oid type);
/* Its text is bounded (numbers, times, uuids …), so it need not be cut. */
bool type_is_short(Oid type);

enum { TYPE_BYTEA = 17 };
