/* today.c - the day of a run; see today.h. */
#include "today.h"
#include "analyst/period.h"
#include <string.h>
#include "base/banned.h"

enum { MS_PER_DAY = 86400000 };

int64_t run_today(const struct run *r)
{
    return (r->started_at + r->load.zone_seconds * 1000) / MS_PER_DAY;
}

/* Queries of the source run in this zone, too (src/db/envelope.c). */
static struct str run_zone(const struct run *r)
{
    return r->load.time_zone.len ? r->load.time_zone : STR("UTC");
}

/* The text is the same for nearly all runs of a day, and for some prompts of
 * each, so the latest one is kept. */
struct str run_calendar(struct arena *arena, const struct run *r)
{
    static struct {
        int64_t day;
        char zone[64], text[1024];
        size_t len;
    } latest;
    int64_t day = run_today(r);
    struct str zone = run_zone(r);
    if (latest.len && latest.day == day && str_is(zone, latest.zone))
        return arena_str(arena, (struct str){latest.text, latest.len});
    struct str text = period_calendar(arena, day, zone);
    if (text.len <= sizeof latest.text && zone.len < sizeof latest.zone) {
        latest.day = day;
        latest.len = text.len;
        memcpy(latest.text, text.ptr, text.len);
        memcpy(latest.zone, zone.ptr, zone.len);
        latest.zone[zone.len] = 0;
    }
    return text;
}
