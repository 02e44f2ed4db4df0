#include "drive.h"
#include "base/log.h"
#include "base/map.h"
#include "loop/flow.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/banned.h"

enum { MOST_SHOWN = 5 };

static struct map visited;
static unsigned n_tests, n_failed, n_told;
static unsigned every = 1; /* SWEEP_EVERY */

static void on_step(struct flow *f, const char *name)
{
    (void)f;
    if (!map_get(&visited, str_of(name)))
        map_put(&visited, str_of(name), (void *)name);
}

void drive_begin(void)
{
    int64_t n;
    const char *text = getenv("SWEEP_EVERY");
    if (text && str_to_int64(str_of(text), &n) && n > 0 && n < 1000)
        every = (unsigned)n;
    log_to_fd(open("/dev/null", O_WRONLY | O_CLOEXEC));
    map_init(&visited, NULL);
    flow_on_step = on_step;
}

static unsigned places_of(enum trouble t, const struct case_counts *counts)
{
    if (t == TROUBLE_MEMORY)
        return counts->blocks;
    return trouble_counts_ops(t) ? counts->ops : counts->deeds;
}

void drive_report(bool ok, const char *name, const char *what, unsigned cases)
{
    n_failed += !ok;
    printf("%sok %u - %s: %s (%u cases)\n", ok ? "" : "not ", ++n_tests, name,
           what, cases);
    fflush(stdout);
}

bool drive_undisturbed(const struct sweep *s, struct case_counts *whole)
{
    bool ok = s->tell(s->one, TROUBLE_NONE, 0, whole);
    n_told++;
    drive_report(ok, s->name, "undisturbed", 1);
    return ok;
}

void drive_trouble(const struct sweep *s, enum trouble t,
                   const struct case_counts *whole)
{
    unsigned most = places_of(t, whole), bad = 0, n = 0;
    struct case_counts ignored;
    /* With this shift, a check at every eighth place visits each step. */
    enum { SHIFT = 1 };
    for (unsigned k = 1 + (n_tests + SHIFT) % every;
         k <= most && bad < MOST_SHOWN; k += every, n++)
        bad += !s->tell(s->one, t, k, &ignored);
    n_told += n;
    drive_report(bad == 0, s->name, trouble_word(t), n);
}

void drive_sweep(const struct sweep *s)
{
    struct case_counts whole;
    if (!drive_undisturbed(s, &whole))
        return;
    for (enum trouble t = TROUBLE_NONE + 1; t < TROUBLE_COUNT; t++)
        if (s->concerns(s->one, t))
            drive_trouble(s, t, &whole);
}

void drive_report_steps(bool (*elsewhere)(const char *step))
{
    unsigned all = 0, missing = 0;
    for (const struct step_name *s = step_names; s->step; s++, all++)
        if (!(elsewhere && elsewhere(s->step)) &&
            !map_get(&visited, str_of(s->step))) {
            printf("# never visited: %s of %s\n", s->step, s->file);
            missing++;
        }
    printf("# %u of %u steps visited\n", all - missing, all);
    drive_report(missing == 0, "all", "every step is visited", 1);
}

int drive_end(void)
{
    map_done(&visited);
    printf("1..%u\n# %u cases\n", n_tests, n_told);
    return n_failed != 0;
}
