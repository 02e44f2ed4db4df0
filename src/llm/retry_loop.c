/* retry_loop.c - the retries of a request to a model's server.
 *
 *   retry_loop_begin  prepares what is the same for all tries
 *   try_begin         sends the request; while the circuit breaker is open,
 *                     waits
 *   try_ended         accepts the reply; or tries again, at once without a
 *                     parameter that was refused, or after a backoff; or fails
 */
#include "retry_loop.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "loop/wait.h"
#include "quirks.h"
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

/* ---- a try -------------------------------------------------------------- */

static bool on_body(struct http_call *c, struct str bytes)
{
    struct retry_loop *l = c->who;
    if (c->status >= 200 && c->status <= 299)
        return l->on_bytes(l, bytes);
    http_call_useful(c);
    if (l->error.len < MOST_ERROR)
        buf_str(&l->error, str_cut(bytes, 0, MOST_ERROR - l->error.len));
    return true;
}

void retry_loop_useful(struct retry_loop *l)
{
    http_call_useful(&l->http);
    breaker_useful(&l->ticket);
}

static void add_headers(struct retry_loop *l, struct str text)
{
    struct str line;
    while (str_split(&text, '\n', &line))
        if (line.len && l->n_lines < RETRY_LOOP_MOST_HEADERS)
            l->lines[l->n_lines++] = line;
}

static size_t count_lines(struct str text)
{
    struct str line;
    size_t n = 0;
    while (str_split(&text, '\n', &line))
        n += line.len > 0;
    return n < RETRY_LOOP_MOST_HEADERS ? n : RETRY_LOOP_MOST_HEADERS;
}

static void prepare_request(struct flow *f, struct retry_loop *l)
{
    const struct llm_model *m = l->model;
    m->provider->url(m, l->endpoint, &l->url);
    m->provider->headers(m, &l->headers);
    size_t most =
        2 + count_lines(buf_view(&l->headers)) + count_lines(m->extra_headers);
    l->lines = arena_new_array(flow_here(f), struct str, most);
    add_headers(l, STR("Content-Type: application/json"));
    add_headers(l, buf_view(&l->headers));
    add_headers(l, m->extra_headers);
}

static void write_body(struct http_call *c, struct buf *body)
{
    struct retry_loop *l = c->who;
    l->terms.sent = 0;
    l->terms.temperature_sent = -1;
    l->write(l, &l->terms, body);
}

static unsigned time_left(const struct retry_loop *l)
{
    uint64_t spent = clock_ms() - l->began_ms;
    return spent < l->total_ms ? l->total_ms - (unsigned)spent : 0;
}

static void send_request(struct flow *f, struct retry_loop *l)
{
    unsigned left_ms = time_left(l);
    l->http = (struct http_call){
        .method = "POST",
        .url = buf_view(&l->url),
        .headers = l->lines,
        .n_headers = l->n_lines + (l->trace != NULL),
        .write_body = write_body,
        .first_ms = l->slow_start || left_ms < FIRST_MS ? left_ms : FIRST_MS,
        .idle_ms = IDLE_MS,
        .total_ms = left_ms,
        .max_bytes = l->max_bytes ? l->max_bytes : MOST_REPLY,
        .explicit_progress = true,
        .on_body = on_body,
        .who = l,
    };
    http_call_begin(f, &l->http);
    op_tolerate(&l->http.op);
}

/* ---- the decision ------------------------------------------------------- */

static struct retry_facts facts_of(struct retry_loop *l)
{
    struct retry_facts facts = {
        .how = l->http.op.status,
        .status = l->http.status,
        .stream_error = ERR_MODEL_UNAVAILABLE,
        .can_restart = l->on_restart != NULL,
        .tries = l->tries,
        .retry_after_ms = l->http.retry_after_ms,
        .should_retry = l->http.should_retry,
        .left_ms = time_left(l),
        .chance = (double)random_below(1000) / 1000,
    };
    l->server_error = (struct vendor_error){0};
    if (facts.status >= 200 && facts.status <= 299)
        l->assess(l, &facts);
    else if (facts.status)
        vendor_read(&l->server_error, buf_view(&l->error), l->model);
    facts.code = str_of(l->server_error.code);
    return facts;
}

static void report_to_breaker(struct retry_loop *l,
                              const struct retry_facts *facts)
{
    enum breaker_result how = BREAKER_SUCCESS;
    if (retry_is_outage(facts))
        how = BREAKER_FAILURE;
    else if (facts->how == ERR_CANCELLED)
        how = BREAKER_ABANDONED;
    else if (facts->status == 429)
        how = BREAKER_RATE_LIMITED;
    breaker_report(&l->ticket, how);
}

static void log_failure(struct retry_loop *l, const struct retry_facts *facts)
{
    if (facts->status == 401 || facts->status == 403) {
        if (breaker_may_alarm(l->ticket.breaker))
            log_line(LOG_ERROR, "a model's server refused our key",
                     "%s, status %d %s", l->model->provider->id, facts->status,
                     l->server_error.code);
        return;
    }
    const char *detail = *l->server_error.words ? l->server_error.words
                         : *l->http.detail      ? l->http.detail
                                                : "no usable reply";
    log_line(LOG_WARN, "a request to a model failed",
             "%s %.*s, try %u, status %d %s: %s", l->model->provider->id,
             STR_ARG(l->model->name), l->tries, facts->status,
             l->server_error.code, detail);
}

static struct next fail_loop(struct flow *f, struct retry_loop *l,
                             const struct retry_verdict *v)
{
    if (v->asks_too_much)
        l->problem = arena_printf(
            flow_keep(f),
            "The language model's server asks to wait %lld seconds, which is "
            "longer than the time limit.",
            (long long)(l->http.retry_after_ms + 999) / 1000);
    else if (v->quotable && *l->server_error.words)
        l->problem = arena_printf(flow_keep(f), "%s It says: %s", v->sentence,
                                  l->server_error.words);
    else
        l->problem = str_of(v->sentence);
    return fail_with(f, v->why, l->problem);
}

static struct next back_off(struct flow *f, struct retry_loop *l, bool shown,
                            const struct retry_verdict *v)
{
    if (shown && l->on_restart)
        l->on_restart(l->who);
    if (l->on_wait)
        l->on_wait(l->who, v->reason, v->wait_ms);
    pause_begin(f, &l->backoff, v->wait_ms);
    return await(f, try_begin);
}

static bool server_refused_parameter(struct retry_loop *l)
{
    bool refused = l->http.op.status == OK &&
                   (l->http.status == 400 || l->http.status == 422);
    return refused && time_left(l) &&
           quirks_learn(&l->terms, buf_view(&l->error));
}

/* ---- the steps ---------------------------------------------------------- */

static void retry_loop_done(void *what)
{
    struct retry_loop *l = what;
    breaker_cancel(&l->ticket);
    buf_done(&l->url);
    buf_done(&l->headers);
    buf_done(&l->error);
}

struct next retry_loop_begin(struct flow *f)
{
    struct retry_loop *l = locals(f, struct retry_loop);
    defer(f, retry_loop_done, l);
    if (!l->total_ms)
        l->total_ms = TOTAL_MS;
    l->began_ms = clock_ms();
    l->terms = quirks_of(l->model);
    prepare_request(f, l);
    l->ticket.breaker = breaker_of(l->model->provider->id, buf_view(&l->url));
    return go(f, try_begin);
}

/* Waits for the circuit breaker. Reports the wait once, not each time that the
 * call asks the breaker again. */
static struct next wait_for_breaker(struct flow *f, struct retry_loop *l,
                                    unsigned ms)
{
    unsigned left_ms = time_left(l);
    uint64_t now = clock_ms();
    if (ms > left_ms)
        ms = left_ms;
    if (l->on_wait && now >= l->reported_until) {
        l->on_wait(l->who, "model_unavailable", ms);
        l->reported_until = now + ms;
    }
    wait_begin(f, &l->queued, &l->ticket.wake, ms);
    return await(f, try_begin);
}

static struct next try_begin(struct flow *f)
{
    struct retry_loop *l = locals(f, struct retry_loop);
    if (!time_left(l)) {
        l->problem = STR("The language model's server kept failing until the "
                         "time limit.");
        return fail_with(f, ERR_MODEL_UNAVAILABLE, l->problem);
    }
    unsigned wait_ms = breaker_acquire(&l->ticket);
    if (wait_ms)
        return wait_for_breaker(f, l, wait_ms);
    l->tries++;
    if (l->trace) /* the last header */
        l->lines[l->n_lines] = trace_header(flow_here(f), l->trace);
    l->reset(l);
    buf_clear(&l->error);
    send_request(f, l);
    return await(f, try_ended);
}

static struct next try_ended(struct flow *f)
{
    struct retry_loop *l = locals(f, struct retry_loop);
    struct retry_facts facts = facts_of(l);
    report_to_breaker(l, &facts);
    if (server_refused_parameter(l)) {
        l->tries--; /* our request was wrong; the server did not fail */
        return go(f, try_begin);
    }
    struct retry_verdict v = retry_decide(&facts);
    if (v.move == RETRY_ACCEPT) {
        quirks_keep(l->model, &l->terms);
        return back(f);
    }
    log_failure(l, &facts);
    if (v.move == RETRY_FAIL)
        return fail_loop(f, l, &v);
    return back_off(f, l, facts.shown, &v);
}
