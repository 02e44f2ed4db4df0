/* today.c - the day of a run; see today.h. */
#include "today.h"
#include "analyst/period.h"
#include "base/banned.h"

enum { MS_PER_DAY = 86400000 };

int64_t run_today(const struct run *r)
{
    return r->started_at / MS_PER_DAY;
}

/* Queries of sources run in this zone (src/db/envelope.c). */
struct str run_zone(const struct run *r)
{
    (void)r;
    return STR("UTC");
}

struct str run_calendar(struct arena *arena, const struct run *r)
{
    return period_calendar(arena, run_today(r), run_zone(r));
}
