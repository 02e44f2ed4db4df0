/* time_zones.c - looks up names of time zones; see store/time_zones.h. */
#include "store/time_zones.h"
#include "../rows.h"
#include <ctype.h>
#include "base/banned.h"

static step_fn time_zone_found;

bool time_zone_is_name(struct str text)
{
    if (!text.len || text.len > TIME_ZONE_NAME_MOST ||
        !isalpha((unsigned char)text.ptr[0]))
        return false;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        bool sign = c == '/' || c == '_' || c == '-' || c == '+';
        if (c >= 0x80 || !(isalnum(c) || sign))
            return false;
    }
    return true;
}

/* "localtime" and the like depend on the machine; "posix/" and "right/" are
 * copies, the second of which counts leap seconds. */
static const struct statement find_statement = {
    .name = "time_zones.find",
    .again = true,
    .sql = "select name from pg_catalog.pg_timezone_names"
           " where lower(name) = lower($1)"
           "   and name !~ '^(posix|right)/'"
           "   and name not in ('localtime', 'posixrules', 'Factory')"
           " limit 1",
};

struct next time_zone_find_begin(struct flow *f)
{
    struct time_zone_find *z = locals(f, struct time_zone_find);
    z->known = false;
    if (!time_zone_is_name(z->name))
        return back(f);
    z->query = query_new(f, z->store->system, &find_statement);
    query_str(f, z->query, z->name);
    query_begin(f, z->query);
    return await(f, time_zone_found);
}

static struct next time_zone_found(struct flow *f)
{
    struct time_zone_find *z = locals(f, struct time_zone_find);
    z->known = z->query->n_rows > 0;
    if (z->known)
        z->name = ROW_VALUE(text, row_copies(z->query, 0, flow_keep(f)));
    return back(f);
}
