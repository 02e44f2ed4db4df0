/* progress.c - shows the progress of a run on standard error. */
#include "ask.h"
#include "base/clock.h"
#include "base/utf8.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

bool colours_for(int fd)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(fd) && (!no || !*no) && (!term || strcmp(term, "dumb") != 0);
}

void progress_init(struct progress *p, bool silent)
{
    *p = (struct progress){.silent = silent,
                           .live = isatty(STDERR_FILENO),
                           .colours = colours_for(STDERR_FILENO)};
}

/* Copies the text as a single line. */
static void copy_line(char *out, size_t size, struct str s)
{
    struct buf line;
    buf_init(&line, NULL);
    utf8_put_plain(&line, s);
    for (size_t i = 0; i < line.len; i++)
        if (line.ptr[i] == '\n' || line.ptr[i] == '\t')
            line.ptr[i] = ' ';
    snprintf(out, size, "%.*s", STR_ARG(utf8_cut(buf_view(&line), size - 1)));
    buf_done(&line);
}

static double phase_seconds(const struct progress *p)
{
    return (double)(clock_ms() - p->phase_since) / 1000;
}

static void draw_line(struct progress *p)
{
    static const char *const spinner[] = {"|", "/", "-", "\\"};
    fprintf(stderr, "\r\033[K%s %s: %s", spinner[p->turn % 4], p->phase,
            p->doing);
    fflush(stderr);
    p->open = true;
}

static void close_line(struct progress *p)
{
    if (p->open)
        fprintf(stderr, "\r\033[K");
    p->open = false;
}

static void hold_line(struct progress *p)
{
    size_t n = strlen(p->held);
    snprintf(p->held + n, sizeof p->held - n, "%s: %s\n", p->phase, p->doing);
}

static void release_held(struct progress *p)
{
    fputs(p->held, stderr);
    p->held[0] = '\0';
    p->begun = true;
}

static void show_activity(struct progress *p, struct str what)
{
    copy_line(p->doing, sizeof p->doing, what);
    if (p->live)
        draw_line(p);
    else if (p->begun)
        fprintf(stderr, "%s: %s\n", p->phase, p->doing);
    else
        hold_line(p);
}

static void show_phase_end(struct progress *p)
{
    if (!p->live)
        return;
    close_line(p);
    fprintf(stderr, "%s%s%s %.1f s\n", p->colours ? "\033[32m" : "", p->phase,
            p->colours ? "\033[0m" : "", phase_seconds(p));
}

static void show_tool(struct progress *p, const json_t *data)
{
    char text[100];
    struct str name = json_get_text(data, "name");
    int64_t step = json_get_int(data, "stepId", 0);
    if (step)
        snprintf(text, sizeof text, "%.*s (step %lld)", STR_ARG(name),
                 (long long)step);
    else
        snprintf(text, sizeof text, "%.*s", STR_ARG(name));
    show_activity(p, str_of(text));
}

void progress_event(struct progress *p, struct str type, const json_t *data)
{
    if (p->silent)
        return;
    if (str_is(type, "phase_complete") || str_is(type, "run_status"))
        release_held(p);
    if (str_is(type, "phase_start")) {
        copy_line(p->phase, sizeof p->phase, json_get_text(data, "phase"));
        p->phase_since = clock_ms();
        show_activity(p, json_get_text(data, "description"));
    } else if (str_is(type, "phase_complete")) {
        show_phase_end(p);
    } else if (str_is(type, "step_start")) {
        show_activity(p, json_get_text(data, "description"));
    } else if (str_is(type, "tool_start") || str_is(type, "tool_call")) {
        show_tool(p, data);
    } else if (str_is(type, "tool_error") ||
               (str_is(type, "tool_result") &&
                json_get_text(data, "error").len)) {
        show_activity(p, json_get_text(data, "error"));
    } else if (str_is(type, "llm_call_start")) {
        if (!p->phase[0]) /* an agent without phases: show its name */
            copy_line(p->phase, sizeof p->phase, json_get_text(data, "phase"));
        show_activity(p, json_get_text(data, "purpose"));
    } else if (str_is(type, "run_status")) {
        show_activity(p, json_get_text(data, "reason"));
    }
}

void progress_tick(struct progress *p)
{
    p->turn++;
    if (p->open)
        draw_line(p);
}

void progress_end(struct progress *p)
{
    close_line(p);
}
