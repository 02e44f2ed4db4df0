/* sweep.c - every story, with every trouble, at every place where it can come.
 *
 *   sweep MODEL [STORY [TROUBLE [K]]]
 *
 * One line of TAP for a story and a trouble. Leaks are looked for after each
 * story; to find the trouble and the case that leaks, name them. With k, that
 * case alone, with each deed printed. */
#include "base/log.h"
#include "drive.h"
#include "scene.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* Short stacks and a small quarantine: half the time. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "malloc_context_size=8:quarantine_size_mb=16";
}

static char now_telling[160];

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

static bool tell(const void *one, enum trouble t, unsigned k,
                 struct case_counts *counts)
{
    const struct story *s = one;
    snprintf(now_telling, sizeof now_telling, "%s: %s, at %u\n", s->name,
             trouble_word(t), k);
    return scene_tell(s, t, k, counts);
}

static bool concerns(const void *one, enum trouble t)
{
    return t != TROUBLE_LONG_OUTAGE || ((const struct story *)one)->lasting;
}

static void report_leaks(const char *name)
{
    drive_report(!__lsan_do_recoverable_leak_check(), name, "nothing leaked",
                 0);
}

/* `only`: that trouble alone; below zero: each. */
static void sweep_story(const struct story *s, int only)
{
    const struct sweep sweep = {s->name, s, tell, concerns};
    struct case_counts whole;
    if (only < 0)
        drive_sweep(&sweep);
    else if (drive_undisturbed(&sweep, &whole) && only < TROUBLE_COUNT)
        drive_trouble(&sweep, (enum trouble)only, &whole);
    report_leaks(s->name);
}

static const struct story *story_named(const char *name)
{
    for (const struct story *s = stories; s->name; s++)
        if (!strcmp(s->name, name))
            return s;
    fprintf(stderr, "no story %s\n", name);
    exit(2);
}

static int number_of(const char *text)
{
    int64_t n = 0;
    return str_to_int64(str_of(text), &n) ? (int)n : 0;
}

/* That case alone, with each deed printed. */
static bool show(const struct story *s, int trouble, int k)
{
    struct case_counts ignored;
    log_to_fd(STDERR_FILENO);
    world.telling = true;
    return tell(s, (enum trouble)trouble, (unsigned)k, &ignored);
}

int main(int argc, char **argv)
{
    int trouble = argc > 3 ? number_of(argv[3]) : -1;
    if (argc < 2)
        return 2;
    signal(SIGABRT, on_abort);
    drive_begin();
    scenes_open(argv[1]);
    if (argc > 4) {
        drive_report(show(story_named(argv[2]), trouble, number_of(argv[4])),
                     argv[2], "one case", 1);
    } else if (argc > 2) {
        sweep_story(story_named(argv[2]), trouble);
    } else {
        for (const struct story *s = stories; s->name; s++)
            sweep_story(s, -1);
        drive_report_steps(NULL);
    }
    scenes_close();
    return drive_end();
}
