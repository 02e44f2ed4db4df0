/* otlp.c - the export of traces, with every trouble at every place where it can
 * come: each span that ended is counted once as exported, failed or dropped, none
 * as exported that the collector did not take, later spans are exported all the
 * same, and the exporter ends in time.
 *
 *   otlp [CASE] */
#include "net/otlp.h"
#include "base/clock.h"
#include "base/span.h"
#include "drive.h"
#include "fake_http.h"
#include "fake_time.h"
#include "loop/loop.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

enum {
    QUEUE = 5,
    BATCH = 2,
    FIRST = 7, /* spans that end at once: two more than wait */
    LATER = 3, /* of each later time */
    TIMES = 3,
    APART_MS = 400000, /* all tries of a batch take less */
    STOP_MS = 2000,
};

/* ---- the cases ----------------------------------------------------------- */

#define SAYS(status_, reply_, times_) \
    {.has = "/v1/traces", \
     .form = FORM_RAW, \
     .status = status_, \
     .times = times_, \
     .reply = reply_}
static const struct fake_exchange accepts[] = {SAYS(200, "{}", 0), {0}};
static const struct fake_exchange is_busy[] = {
    SAYS(429, "{}", 1), SAYS(503, "", 1), SAYS(200, "", 0), {0}};
static const struct fake_exchange refuses[] = {
    SAYS(400, "{\"message\":\"no\"}", 1), SAYS(200, "{}", 0), {0}};
static const struct fake_exchange rejects[] = {
    SAYS(200,
         "{\"partialSuccess\":{\"rejectedSpans\":\"1\",\"errorMessage\":\"\"}}",
         1),
    SAYS(200, "{}", 0),
    {0}};

static const struct otlp_case {
    const char *name;
    const struct fake_exchange *script;
    unsigned failed; /* spans, when nothing goes wrong */
} cases[] = {{"a collector that takes all", accepts, 0},
             {"a busy collector", is_busy, 0},
             {"a collector that refuses a batch", refuses, BATCH},
             {"a collector that rejects a span", rejects, 1},
             {0}};

/* ---- one case ------------------------------------------------------------ */

static struct timer clock_timer;
static struct span_counts before;
static unsigned ended, taken, times, last_taken;
static bool stopped;
static uint64_t stopped_ms;

/* How many spans a request has. */
static unsigned spans_of(const struct http_call *c)
{
    unsigned n = 0;
    for (size_t i = 0; i < c->n_parts; i++) {
        struct str rest = c->parts[i];
        for (ptrdiff_t at; (at = str_find(rest, STR("\"spanId\""))) >= 0; n++)
            rest = str_from(rest, (size_t)at + 1);
    }
    return n;
}

static void on_call(const struct http_call *c, const char *reply)
{
    if (!reply || (c->status && c->status != 200))
        return;
    taken += spans_of(c);
    if (times == TIMES) /* those that ended last */
        last_taken += spans_of(c);
}

static void end_spans(unsigned n)
{
    struct trace all;
    trace_begin(&all, STR(""));
    all.sampled = true;
    for (unsigned i = 0; i < n; i++) {
        struct span s;
        span_begin(&s, &all);
        ended += span_is_recorded(&s);
        struct json_writer *w = span_end(&s, SPAN_INTERNAL, STR("work"), NULL);
        if (w)
            span_close(w);
    }
}

static void stop(void)
{
    if (stopped)
        return;
    stopped = true;
    stopped_ms = clock_ms();
    otlp_stop(STOP_MS);
}

static void on_time(struct timer *t)
{
    if (times++ == TIMES) {
        stop();
        return;
    }
    end_spans(LATER);
    timer_start(t, APART_MS, on_time);
}

static void open_case(const struct otlp_case *c, enum trouble t, unsigned k)
{
    loop_open();
    fake_http_open(c->script);
    fake_http.on_call = on_call;
    before = span_counts();
    ended = taken = last_taken = 0;
    times = 1;
    stopped = false;
    world_begin(t, k);
    otlp_open(&(struct otlp_options){.endpoint = "http://collector.test:4318/",
                                     .headers = "x-api-key=word",
                                     .service = "shop",
                                     .attributes = "team=data",
                                     .version = "1",
                                     .timeout_ms = 10000,
                                     .delay_ms = 5000,
                                     .queue_most = QUEUE,
                                     .batch_most = BATCH});
    end_spans(FIRST);
    timer_start(&clock_timer, APART_MS, on_time);
}

/* False: it goes on for more than its time. */
static bool run_to_the_end(void)
{
    do {
        while (flow_any_ready())
            loop_turn(false);
    } while (otlp_runs() && (!stopped || clock_ms() - stopped_ms <= STOP_MS) &&
             fake_time_step());
    return !otlp_runs();
}

static bool is_stopped(enum trouble t)
{
    return t >= TROUBLE_CANCEL && t <= TROUBLE_FAILS_CANCEL;
}

static const char *fault(const struct otlp_case *c, enum trouble t)
{
    struct span_counts now = span_counts();
    uint64_t exported = now.exported - before.exported,
             failed = now.failed - before.failed,
             dropped = now.dropped - before.dropped;
    if (now.waiting)
        return "spans still wait";
    if (exported + failed + dropped != ended)
        return "a span was not counted once";
    if (exported > taken)
        return "a span counts as exported that was not taken";
    if (dropped != FIRST - QUEUE && !is_stopped(t))
        return "other spans were dropped than did not fit";
    if (t == TROUBLE_NONE && failed != c->failed)
        return "other spans failed";
    if ((t == TROUBLE_NEVER || t == TROUBLE_LOSES_ANSWER) && failed > c->failed)
        return "a batch was not sent again";
    if ((t == TROUBLE_FAILS || t == TROUBLE_MEMORY) &&
        failed > c->failed + BATCH)
        return "more than a batch failed";
    if (t == TROUBLE_MEMORY && !last_taken)
        return "later spans were not exported";
    return NULL;
}

static bool tell(const void *one, enum trouble t, unsigned k,
                 struct case_counts *counts)
{
    const struct otlp_case *c = one;
    open_case(c, t, k);
    if (!run_to_the_end()) { /* its memory cannot be freed */
        printf("Bail out! %s: %s, at %u (%s): the exporter does not end\n",
               c->name, trouble_word(t), k, world.hit ? world.hit : "");
        exit(1);
    }
    timer_stop(&clock_timer);
    *counts = world_counts();
    const char *what = fault(c, t);
    http_client_close();
    world_end();
    if (!what && (world.in_flight || flow_count() || fake_time_timers()))
        what = "an op, a flow or a timer is left";
    if (what)
        printf("# %s: %s, at %u (%s): %s: %u ended, %u taken\n", c->name,
               trouble_word(t), k, world.hit ? world.hit : "", what, ended,
               taken);
    loop_close();
    return !what;
}

static bool concerns(const void *one, enum trouble t)
{
    (void)one;
    return t <= TROUBLE_FAILS_CANCEL || t == TROUBLE_MEMORY;
}

static void nothing(void)
{
}

int main(int argc, char **argv)
{
    drive_begin();
    world.cancel = stop;
    world.taken = world.release = world.ask_cancel = world.tell_cancel =
        nothing;
    for (const struct otlp_case *c = cases; c->name; c++)
        if (argc < 2 || !strcmp(c->name, argv[1]))
            drive_sweep(&(struct sweep){c->name, c, tell, concerns});
    if (argc < 2)
        drive_report_steps(NULL);
    return drive_end();
}
