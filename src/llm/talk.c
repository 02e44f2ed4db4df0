/* talk.c - the story:
 *
 *   talk_begin     what stays the same for all tries is made ready
 *   try_begin      the server is asked; while it keeps failing, after a wait
 *   try_ended      the verdict: accepted, asked again (at once without a
 *                  parameter, or after a wait), or failed
 */
#include "talk.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "loop/wait.h"
#include "quirks.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum {
    TOTAL_MS = 300 * 1000,
    FIRST_MS = 30 * 1000,
    IDLE_MS = 30 * 1000,
    MOST_REPLY = 8 * 1024 * 1024,
    MOST_ERROR = 64 * 1024,
};

static step_fn try_begin, try_ended;

/* ---- the exchange ------------------------------------------------------- */

static bool on_body(struct http_call *c, struct str bytes)
{
    struct talk *t = c->who;
    if (c->status >= 200 && c->status <= 299)
        return t->hear(t, bytes);
    http_call_useful(c);
    if (t->error.len < MOST_ERROR)
        buf_str(&t->error, str_cut(bytes, 0, MOST_ERROR - t->error.len));
    return true;
}

void talk_useful(struct talk *t)
{
    http_call_useful(&t->http);
    breaker_heard(&t->turn);
}

static void add_lines(struct talk *t, struct str text)
{
    struct str line;
    while (str_split(&text, '\n', &line))
        if (line.len && t->n_lines < TALK_MOST_HEADERS)
            t->lines[t->n_lines++] = line;
}

static void write_address(struct talk *t)
{
    const struct llm_model *m = t->model;
    m->provider->url(m, t->endpoint, &t->url);
    m->provider->headers(m, &t->headers);
    add_lines(t, STR("Content-Type: application/json"));
    add_lines(t, buf_view(&t->headers));
    add_lines(t, m->extra_headers);
    if (t->trace && t->n_lines < TALK_MOST_HEADERS)
        t->lines[t->n_lines++] = (struct str){
            t->trace_line, sizeof "traceparent: " - 1 + TRACEPARENT_SIZE - 1};
}

static void name_span(struct talk *t)
{
    char text[TRACEPARENT_SIZE];
    struct trace child;
    trace_child(&child, t->trace);
    trace_parent(&child, text);
    snprintf(t->trace_line, sizeof t->trace_line, "traceparent: %s", text);
}

static void write_body(struct http_call *c, struct buf *body)
{
    struct talk *t = c->who;
    t->terms.sent = 0;
    t->terms.temperature_sent = -1;
    t->write(t, &t->terms, body);
}

static unsigned left(const struct talk *t)
{
    uint64_t spent = clock_ms() - t->began_ms;
    return spent < t->total_ms ? t->total_ms - (unsigned)spent : 0;
}

static void ask(struct flow *f, struct talk *t)
{
    unsigned left_ms = left(t);
    t->http = (struct http_call){
        .method = "POST",
        .url = buf_view(&t->url),
        .headers = t->lines,
        .n_headers = t->n_lines,
        .write_body = write_body,
        .first_ms = t->patient || left_ms < FIRST_MS ? left_ms : FIRST_MS,
        .idle_ms = IDLE_MS,
        .total_ms = left_ms,
        .max_bytes = t->max_bytes ? t->max_bytes : MOST_REPLY,
        .judges = true,
        .on_body = on_body,
        .who = t,
    };
    http_call_begin(f, &t->http);
    op_tolerate(&t->http.op);
}

/* ---- the verdict -------------------------------------------------------- */

static struct retry_facts facts_of(struct talk *t)
{
    struct retry_facts facts = {
        .how = t->http.op.status,
        .status = t->http.status,
        .told = ERR_MODEL_UNAVAILABLE,
        .can_restart = t->on_restart != NULL,
        .tries = t->tries,
        .retry_after_ms = t->http.retry_after_ms,
        .should_retry = t->http.should_retry,
        .left_ms = left(t),
        .chance = (double)random_below(1000) / 1000,
    };
    t->said = (struct vendor_error){0};
    if (facts.status >= 200 && facts.status <= 299)
        t->judge(t, &facts);
    else if (facts.status)
        vendor_read(&t->said, buf_view(&t->error), t->model);
    facts.code = str_of(t->said.code);
    return facts;
}

static void leave_breaker(struct talk *t, const struct retry_facts *facts)
{
    enum breaker_verdict how = BREAKER_WELL;
    if (retry_is_outage(facts))
        how = BREAKER_FAILED;
    else if (facts->how == ERR_CANCELLED)
        how = BREAKER_UNKNOWN;
    else if (facts->status == 429)
        how = BREAKER_LIMITED;
    breaker_end(&t->turn, how);
}

static void tell_log(struct talk *t, const struct retry_facts *facts)
{
    if (facts->status == 401 || facts->status == 403) {
        if (breaker_may_alarm(t->turn.breaker))
            log_line(LOG_ERROR, "a model's server refused our key",
                     "%s, status %d %s", t->model->provider->id, facts->status,
                     t->said.code);
        return;
    }
    const char *said = *t->said.words    ? t->said.words
                       : *t->http.detail ? t->http.detail
                                         : "no usable reply";
    log_line(LOG_WARN, "a try at a model failed",
             "%s %.*s, try %u, status %d %s: %s", t->model->provider->id,
             STR_ARG(t->model->name), t->tries, facts->status, t->said.code,
             said);
}

static struct next give_up(struct flow *f, struct talk *t,
                           const struct retry_verdict *v)
{
    if (v->asks_too_much)
        t->problem = arena_printf(
            flow_keep(f),
            "The language model's server asks to wait %lld seconds, which is "
            "longer than this may take.",
            (long long)(t->http.retry_after_ms + 999) / 1000);
    else if (v->quotable && *t->said.words)
        t->problem = arena_printf(flow_keep(f), "%s It says: %s", v->sentence,
                                  t->said.words);
    else
        t->problem = str_of(v->sentence);
    return fail_with(f, v->why, t->problem);
}

static struct next wait_and_retry(struct flow *f, struct talk *t, bool shown,
                                  const struct retry_verdict *v)
{
    if (shown && t->on_restart)
        t->on_restart(t->who);
    if (t->on_wait)
        t->on_wait(t->who, v->reason, v->wait_ms);
    pause_begin(f, &t->pause, v->wait_ms);
    return await(f, try_begin);
}

static bool asks_for_less(struct talk *t)
{
    bool refused = t->http.op.status == OK &&
                   (t->http.status == 400 || t->http.status == 422);
    return refused && left(t) && quirks_learn(&t->terms, buf_view(&t->error));
}

/* ---- the steps ---------------------------------------------------------- */

static void talk_done(void *what)
{
    struct talk *t = what;
    breaker_leave(&t->turn);
    buf_done(&t->url);
    buf_done(&t->headers);
    buf_done(&t->error);
}

struct next talk_begin(struct flow *f)
{
    struct talk *t = locals(f, struct talk);
    defer(f, talk_done, t);
    if (!t->total_ms)
        t->total_ms = TOTAL_MS;
    t->began_ms = clock_ms();
    t->terms = quirks_of(t->model);
    write_address(t);
    t->turn.breaker = breaker_of(t->model->provider->id, buf_view(&t->url));
    return go(f, try_begin);
}

/* The server keeps failing. Clients are told when a wait begins, not each time
 * that the line moves. */
static struct next wait_in_line(struct flow *f, struct talk *t, unsigned ms)
{
    unsigned left_ms = left(t);
    uint64_t now = clock_ms();
    if (ms > left_ms)
        ms = left_ms;
    if (t->on_wait && now >= t->told_until) {
        t->on_wait(t->who, "model_unavailable", ms);
        t->told_until = now + ms;
    }
    wait_begin(f, &t->waiting, &t->turn.wake, ms);
    return await(f, try_begin);
}

static struct next try_begin(struct flow *f)
{
    struct talk *t = locals(f, struct talk);
    if (!left(t)) {
        t->problem = STR("The language model's server kept failing for as long "
                         "as this may take.");
        return fail_with(f, ERR_MODEL_UNAVAILABLE, t->problem);
    }
    unsigned wait_ms = breaker_enter(&t->turn);
    if (wait_ms)
        return wait_in_line(f, t, wait_ms);
    t->tries++;
    if (t->trace)
        name_span(t);
    t->forget(t);
    buf_clear(&t->error);
    ask(f, t);
    return await(f, try_ended);
}

static struct next try_ended(struct flow *f)
{
    struct talk *t = locals(f, struct talk);
    struct retry_facts facts = facts_of(t);
    leave_breaker(t, &facts);
    if (asks_for_less(t)) {
        t->tries--; /* it was our mistake, not a failure of theirs */
        return go(f, try_begin);
    }
    struct retry_verdict v = retry_judge(&facts);
    if (v.move == RETRY_ACCEPT) {
        quirks_keep(t->model, &t->terms);
        return back(f);
    }
    tell_log(t, &facts);
    if (v.move == RETRY_FAIL)
        return give_up(f, t, &v);
    return wait_and_retry(f, t, facts.shown, &v);
}
