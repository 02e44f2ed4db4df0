/* sweep.c - every story, with every trouble, at every place where it can come.
 *
 *   sweep MODEL [STORY [TROUBLE [K]]]
 *
 * One line of TAP for a story and a trouble. Leaks are looked for behind each
 * story; to find the trouble and the case that leaks, name them. With k, that
 * case alone, with each deed printed. */
#include "base/clock.h"
#include "base/log.h"
#include "base/map.h"
#include "loop/flow.h"
#include "scene.h"
#include "steps.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/banned.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#else
#define __lsan_do_recoverable_leak_check() 0
#endif

enum { MOST_SHOWN = 5 };

/* Short stacks and a small quarantine: half the time. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "malloc_context_size=8:quarantine_size_mb=16";
}

static char now_telling[160];
static struct map visited;
static int n_tests, n_failed, n_cases;

/* ---- the trail ---------------------------------------------------------- */

static void on_step(struct flow *f, const char *name)
{
    (void)f;
    if (!map_get(&visited, str_of(name)))
        map_put(&visited, str_of(name), (void *)name);
}

static int print_missing(void)
{
    int n = 0, all = 0;
    for (const struct step_name *s = step_names; s->step; s++, all++)
        if (!map_get(&visited, str_of(s->step))) {
            printf("# never visited: %s of %s\n", s->step, s->file);
            n++;
        }
    printf("# %d of %d steps visited\n", all - n, all);
    return n;
}

/* ---- the cases ---------------------------------------------------------- */

static void on_abort(int signal_number)
{
    static const char head[] = "\nBail out! aborted in ";
    (void)signal_number;
    if (write(STDOUT_FILENO, head, sizeof head - 1) < 0 ||
        write(STDOUT_FILENO, now_telling, strlen(now_telling)) < 0)
        _exit(3);
    signal(SIGABRT, SIG_DFL);
    raise(SIGABRT);
}

static bool tell(const struct story *s, enum trouble t, unsigned k,
                 struct case_counts *counts)
{
    snprintf(now_telling, sizeof now_telling, "%s: %s, at %u\n", s->name,
             trouble_word(t), k);
    n_cases++;
    return scene_tell(s, t, k, counts);
}

static void report(bool ok, const char *name, const char *what, unsigned cases)
{
    n_failed += !ok;
    printf("%sok %d - %s: %s (%u cases)\n", ok ? "" : "not ", ++n_tests, name,
           what, cases);
    fflush(stdout);
}

static unsigned places(enum trouble t, const struct case_counts *c)
{
    if (t == TROUBLE_MEMORY)
        return c->blocks;
    return trouble_counts_ops(t) ? c->ops : c->deeds;
}

/* `only_this`: looks for leaks behind it, which takes its time. */
static void sweep_trouble(const struct story *s, enum trouble t, unsigned most,
                          bool only_this)
{
    unsigned bad = 0;
    struct case_counts ignored;
    for (unsigned k = 1; k <= most && bad < MOST_SHOWN; k++)
        bad += !tell(s, t, k, &ignored);
    if (only_this && __lsan_do_recoverable_leak_check())
        bad++;
    report(bad == 0, s->name, trouble_word(t), most);
}

static void sweep_story(const struct story *s, int only)
{
    struct case_counts whole;
    bool ok = tell(s, TROUBLE_NONE, 0, &whole);
    report(ok, s->name, "as recorded", 1);
    if (!ok)
        return;
    printf("# %s: %u ops, %u deeds, %u blocks\n", s->name, whole.ops,
           whole.deeds, whole.blocks);
    for (int t = TROUBLE_NONE + 1; t < TROUBLE_COUNT; t++)
        if ((only < 0 || only == t) &&
            (t != TROUBLE_LONG_OUTAGE || s->lasting))
            sweep_trouble(s, t, places(t, &whole), only == t);
    if (only < 0)
        report(!__lsan_do_recoverable_leak_check(), s->name,
               "nothing leaked", 0);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int number_of(const char *text)
{
    int64_t n = 0;
    return str_to_int64(str_of(text), &n) ? (int)n : 0;
}

int main(int argc, char **argv)
{
    const char *story = argc > 2 ? argv[2] : NULL;
    int trouble = argc > 3 ? number_of(argv[3]) : -1;
    double began = seconds();
    if (argc < 2)
        return 2;
    signal(SIGABRT, on_abort);
    log_to_fd(open("/dev/null", O_WRONLY | O_CLOEXEC));
    map_init(&visited, NULL);
    flow_on_step = on_step;
    scenes_open(argv[1]);
    if (argc > 4) {
        struct case_counts ignored;
        log_to_fd(STDERR_FILENO);
        world.telling = true;
        for (const struct story *s = stories; s->name; s++)
            if (!strcmp(s->name, story))
                n_failed += !tell(s, trouble, (unsigned)number_of(argv[4]),
                                  &ignored);
        scenes_close();
        map_done(&visited);
        return n_failed != 0;
    }
    for (const struct story *s = stories; s->name; s++)
        if (!story || !strcmp(s->name, story))
            sweep_story(s, trouble);
    if (!story) {
        int missing = print_missing();
        report(missing == 0, "all stories", "every step is visited", 1);
    }
    printf("1..%d\n# %d cases in %.1f s\n", n_tests, n_cases,
           seconds() - began);
    scenes_close();
    map_done(&visited);
    return n_failed != 0;
}
