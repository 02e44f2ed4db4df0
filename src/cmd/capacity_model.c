/* capacity_model.c - computes what a load needs. All parts are linear in the
 * number of runs; a peak hour is taken as twice the average. */
#include "capacity_model.h"
#include <math.h>
#include <string.h>
#include "base/banned.h"

enum { SECONDS_AN_HOUR = 3600, HOURS_A_DAY = 10, PEAK = 2 };
static const double busy_most = 0.5; /* of a core, so that nothing waits */

struct capacity_figures capacity_defaults(void)
{
    return (struct capacity_figures){
#define X(name, usual, about) .name = usual,
        CAPACITY_FIGURES(X)
#undef X
    };
}

static double *figure_named(struct capacity_figures *f, const char *wanted)
{
#define X(name, usual, about) \
    if (!strcmp(wanted, #name)) \
        return &f->name;
    CAPACITY_FIGURES(X)
#undef X
    return NULL;
}

bool capacity_read(const json_t *object, struct capacity_figures *figures,
                   struct str *problem)
{
    const char *name;
    json_t *value;
    *problem = STR("the file is no JSON object");
    if (!json_is_object(object))
        return false;
    json_object_foreach((json_t *)object, name, value)
    {
        double *at = figure_named(figures, name);
        *problem = str_of(name);
        if (!at || !json_is_number(value) || json_number_value(value) <= 0)
            return false;
        *at = json_number_value(value);
    }
    return true;
}

static const char *busiest(const struct capacity *c)
{
    if (c->python_cores >= c->postgres_cores &&
        c->python_cores >= c->worker_cores)
        return "the sandbox's cores";
    return c->postgres_cores >= c->worker_cores ? "PostgreSQL's cores"
                                                : "the workers' cores";
}

struct capacity capacity_of(const struct capacity_figures *f,
                            const struct capacity_load *load)
{
    struct capacity c = {.runs_per_s = load->users * load->questions_per_hour *
                                       PEAK / SECONDS_AN_HOUR};
    c.in_progress = c.runs_per_s * f->run_s;
    c.worker_cores = c.runs_per_s * f->worker_cpu_ms / 1000;
    c.postgres_cores = c.runs_per_s * f->postgres_cpu_ms / 1000;
    c.python_cores = c.runs_per_s * f->python_cpu_ms / 1000;
    c.workers = fmax(1, ceil(c.worker_cores / busy_most));
    c.memory_mb = c.workers * f->worker_mb +
                  c.in_progress * (f->run_kb + f->stream_kb) / 1024 +
                  load->users * f->stream_kb / 1024 +
                  fmax(1, ceil(c.python_cores / busy_most)) * f->python_mb;
    c.events_per_s = c.runs_per_s * f->events;
    c.disk_gb_per_day = load->users * load->questions_per_hour * HOURS_A_DAY *
                        f->stored_kb / 1024 / 1024;
    c.descriptors = ceil(load->users + c.in_progress * 2);
    c.first = busiest(&c);
    return c;
}

void capacity_tell(struct buf *out, const struct capacity_figures *f,
                   const struct capacity_load *load)
{
    struct capacity c = capacity_of(f, load);
    buf_printf(out,
               "%.0f users, %g questions an hour each, a peak of twice that:\n"
               "  runs          %.2f a second, %.0f in progress\n"
               "  workers       %.0f (%.2f cores busy)\n"
               "  PostgreSQL    %.2f cores busy, %.0f events a second\n"
               "  sandbox       %.2f cores busy\n"
               "  memory        %.0f MB, without PostgreSQL\n"
               "  descriptors   %.0f\n"
               "  disk          %.1f GB a day of ten hours\n"
               "Saturates first: %s.\n",
               load->users, load->questions_per_hour, c.runs_per_s,
               c.in_progress, c.workers, c.worker_cores, c.postgres_cores,
               c.events_per_s, c.python_cores, c.memory_mb, c.descriptors,
               c.disk_gb_per_day, c.first);
}
