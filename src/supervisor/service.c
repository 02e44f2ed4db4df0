/* service.c - a flow that starts a process, waits for its end, and starts it
 * again after a pause. */
#include "service.h"
#include "base/clock.h"
#include "base/log.h"
#include "plain_log.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

enum { FIRST_WAIT_MS = 200, LONGEST_WAIT_MS = 10000, GOOD_LIFE_MS = 5000 };

static struct next life_begin(struct flow *f),
    life_process_ended(struct flow *f), life_over(struct flow *f),
    next_life_begin(struct flow *f);

static struct next service_begin(struct flow *f)
{
    struct service *s = locals(f, struct service);
    return attempt(f, life_begin, s, life_over, life_over);
}

static void process_gone(void *what)
{
    struct service *s = what;
    s->process = NULL;
    plain_log_close(&s->log);
}

/* Its output goes where ours goes, or through plain_log. */
static void start_life(struct flow *f, struct service *s,
                       struct process_options *options)
{
    int fd = 2;
    if (s->speaks_plain)
        s->log = plain_log_open(s->name, &fd);
    options->stdout_fd = options->stderr_fd = fd;
    process_begin(f, s->process, options);
    if (fd != 2)
        close(fd);
}

static struct next life_begin(struct flow *f)
{
    struct service *s = locals(f, struct service);
    struct process_options options = {0};
    s->since = clock_ms();
    if (!s->describe(s, flow_here(f), &options))
        return fail(f, ERR_UNAVAILABLE);
    s->process = here(f, struct process);
    defer(f, process_gone, s);
    s->lives++;
    start_life(f, s, &options);
    if (s->on_start)
        s->on_start(s);
    return await(f, life_process_ended);
}

static struct next life_process_ended(struct flow *f)
{
    struct service *s = locals(f, struct service);
    const struct process *p = s->process;
    log_line(LOG_WARN, "service ended", "%s: %s %d after %llu s", s->name,
             p->exit_signal ? "signal" : "status",
             p->exit_signal ? p->exit_signal : (int)p->exit_status,
             (unsigned long long)((clock_ms() - s->since) / 1000));
    return back(f);
}

static struct next life_over(struct flow *f)
{
    struct service *s = locals(f, struct service);
    if (clock_ms() - s->since >= GOOD_LIFE_MS || !s->wait_ms)
        s->wait_ms = FIRST_WAIT_MS;
    else if (s->wait_ms * 2 <= LONGEST_WAIT_MS)
        s->wait_ms *= 2;
    else
        s->wait_ms = LONGEST_WAIT_MS;
    pause_begin(f, &s->pause, s->wait_ms);
    return await(f, next_life_begin);
}

static struct next next_life_begin(struct flow *f)
{
    return go(f, service_begin);
}

static void on_service_end(struct flow *f, enum err how, void *who)
{
    struct service *s = who;
    (void)f;
    (void)how;
    s->flow = NULL;
    s->over = true;
    if (s->wake)
        wake_up(s->wake);
}

void service_start(struct service *s)
{
    s->flow =
        flow_start(service_begin, s,
                   &(struct flow_options){
                       .kind = "service", .on_end = on_service_end, .who = s});
    flow_label(s->flow, str_of(s->name));
}

void service_stop(struct service *s)
{
    if (s->flow)
        flow_cancel(s->flow);
    else if (!s->over)
        on_service_end(NULL, OK, s);
}

void service_signal(struct service *s, int signal_number)
{
    if (s->process)
        process_signal(s->process, signal_number);
}
