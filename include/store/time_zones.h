/* time_zones.h - names of time zones, as PostgreSQL's tz database has them. */
#pragma once
#include "db/query.h"
#include "store/store.h"

enum { TIME_ZONE_NAME_MOST = 64 };

/* Is the text formed like the name of a zone ("Europe/Berlin")? It need not
 * exist. Such a text may be put between quotes in SQL. */
bool time_zone_is_name(struct str text);

/* Looks a name up in the system database, regardless of case. */
struct time_zone_find {
    struct store *store;
    struct str name; /* in; out: as the database writes it, in keep */
    bool known;      /* out */
    struct query *query;
};
/* Subflow (locals: time_zone_find). A text that is not formed like a name is
 * not known. */
struct next time_zone_find_begin(struct flow *f);
