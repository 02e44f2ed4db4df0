/* today.c - the day of a run; see today.h. */
#include "today.h"
#include "analyst/period.h"
#include "base/banned.h"

enum { MS_PER_DAY = 86400000 };

int64_t run_today(const struct run *r)
{
    return (r->started_at + r->load.zone_seconds * 1000) / MS_PER_DAY;
}

/* Queries of the source run in this zone, too (src/db/envelope.c). */
struct str run_zone(const struct run *r)
{
    return r->load.time_zone.len ? r->load.time_zone : STR("UTC");
}

struct str run_calendar(struct arena *arena, const struct run *r)
{
    return period_calendar(arena, run_today(r), run_zone(r));
}
