/* types.h - PostgreSQL's built-in types: their names by oid, and which are
 * short. Pure. */
#pragma once
#include <libpq-fe.h>
#include <stdbool.h>

/* The name, such as "timestamptz"; NULL when the type is not built in. */
const char *type_name(Oid type);
/* True when its text is bounded (numbers, times, uuids …), so that it need not
 * be cut. */
bool type_is_short(Oid type);

enum { TYPE_BYTEA = 17 };
