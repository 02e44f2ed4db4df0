/* metrics.c - GET /metrics: the figures of all workers as Prometheus text. */
#include "base/crypto.h"
#include "base/mem.h"
#include "base/prices.h"
#include "figures.h"
#include "request.h"
#include <stdio.h>
#include "base/banned.h"

/* ---- the format ---------------------------------------------------------- */

static void put_metric_head(struct buf *out, const char *name, const char *type,
                            const char *help)
{
    buf_printf(out, "# HELP sextant_%s %s\n# TYPE sextant_%s %s\n", name, help,
               name, type);
}

static void put_counter(struct buf *out, const char *name, const char *help,
                        uint64_t value)
{
    put_metric_head(out, name, "counter", help);
    buf_printf(out, "sextant_%s %llu\n", name, (unsigned long long)value);
}

static void put_gauge(struct buf *out, const char *name, const char *help,
                      uint64_t value)
{
    put_metric_head(out, name, "gauge", help);
    buf_printf(out, "sextant_%s %llu\n", name, (unsigned long long)value);
}

/* Writes one sample. `labels` is `a="b",` or empty. */
static void put_sample(struct buf *out, const char *name, const char *labels,
                       const char *label, const char *value, uint64_t n)
{
    buf_printf(out, "sextant_%s{%s%s=\"%s\"} %llu\n", name, labels, label,
               value, (unsigned long long)n);
}

static void put_histogram(struct buf *out, const char *name, const char *labels,
                          const struct histogram *h)
{
    uint64_t sum = 0;
    struct str bare = str_of(labels); /* without the last comma */
    bare = str_cut(bare, 0, bare.len ? bare.len - 1 : 0);
    for (int i = 0; i <= HISTOGRAM_BOUNDS; i++) {
        char bound[24] = "+Inf";
        sum += h->counts[i];
        if (i < HISTOGRAM_BOUNDS)
            snprintf(bound, sizeof bound, "%g", histogram_bounds_s[i]);
        buf_printf(out, "sextant_%s_bucket{%sle=\"%s\"} %llu\n", name, labels,
                   bound, (unsigned long long)sum);
    }
    const char *open = bare.len ? "{" : "", *close = bare.len ? "}" : "";
    buf_printf(out, "sextant_%s_sum%s%.*s%s %g\n", name, open, STR_ARG(bare),
               close, (double)h->sum_us / 1e6);
    buf_printf(out, "sextant_%s_count%s%.*s%s %llu\n", name, open,
               STR_ARG(bare), close, (unsigned long long)sum);
}

/* Escapes a label's value, which a setting or a model server may have
 * chosen. */
static void put_label_value(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\\' || text.ptr[i] == '"')
            buf_char(out, '\\');
        buf_char(out, text.ptr[i] == '\n' ? ' ' : text.ptr[i]);
    }
}

/* ---- requests ------------------------------------------------------------ */

static const struct {
    const char *method, *pattern;
} routes[FIGURE_ROUTES + 1] = {
#define ROUTE(method, pattern, permission, handler, about) {method, pattern},
#include "api/routes.def"
#undef ROUTE
    {"other", "other"}};

static uint64_t sum_answers(const struct route_figures *r)
{
    uint64_t sum = 0;
    for (int i = 0; i < FIGURE_STATUSES; i++)
        sum += r->answers[i];
    return sum;
}

static void put_route(struct buf *out, int route, const struct route_figures *r)
{
    char labels[256], status[8];
    snprintf(labels, sizeof labels, "method=\"%s\",route=\"%s\",",
             routes[route].method, routes[route].pattern);
    for (int i = 0; i < FIGURE_STATUSES; i++) {
        snprintf(status, sizeof status, "%d", figure_status(i));
        if (r->answers[i])
            put_sample(out, "http_requests_total", labels, "status",
                       figure_status(i) ? status : "other", r->answers[i]);
    }
}

static void put_requests(struct buf *out, const struct figures *f)
{
    const struct route_figures *r = f->counts.routes;
    put_metric_head(out, "http_requests_total", "counter",
                    "Answered requests by route and status.");
    for (int i = 0; i <= FIGURE_ROUTES; i++)
        put_route(out, i, &r[i]);
    put_metric_head(
        out, "http_request_duration_seconds", "histogram",
        "Time from a request's first byte to the end of its answer; for event "
        "streams until they close.");
    for (int i = 0; i <= FIGURE_ROUTES; i++) {
        char labels[256];
        snprintf(labels, sizeof labels, "method=\"%s\",route=\"%s\",",
                 routes[i].method, routes[i].pattern);
        if (sum_answers(&r[i]))
            put_histogram(out, "http_request_duration_seconds", labels,
                          &r[i].durations);
    }
    put_counter(
        out, "http_refused_total",
        "Requests refused before routing: malformed, too large, too slow.",
        f->counts.refused);
    put_counter(out, "http_cut_total",
                "Answers that were cut off before their end.", f->counts.cut);
    put_counter(out, "http_response_bytes_total", "Bytes sent in answers.",
                f->counts.response_bytes);
    put_gauge(out, "http_connections", "Open client connections.",
              f->levels.connections);
    put_gauge(out, "event_streams", "Open event streams.", f->levels.streams);
    put_gauge(out, "event_stream_bytes", "Bytes queued for event streams.",
              f->levels.stream_bytes);
    put_counter(out, "event_streams_slow_total",
                "Event streams closed because the client did not read.",
                f->counts.slow_streams);
    put_metric_head(
        out, "first_event_duration_seconds", "histogram",
        "Time from a request that starts or follows a run to its first event.");
    put_histogram(out, "first_event_duration_seconds", "",
                  &f->counts.first_events);
}

/* ---- runs ---------------------------------------------------------------- */

static void put_runs(struct buf *out, const struct figures *f)
{
    char labels[64];
    put_metric_head(
        out, "runs_total", "counter",
        "Ended runs by outcome and by the phase in which they ended.");
    for (int i = 0; i < RUN_ENDINGS; i++)
        for (int p = 0; p <= PHASE_COUNT; p++) {
            snprintf(labels, sizeof labels, "outcome=\"%s\",",
                     run_ending_words[i]);
            put_sample(out, "runs_total", labels, "phase",
                       phase_word((enum phase)p), f->counts.runs[i][p]);
        }
    put_counter(out, "runs_started_total", "Runs started or taken over.",
                f->counts.runs_started);
    put_gauge(out, "runs_in_progress", "Runs in progress or in the queue.",
              f->levels.runs);
    put_gauge(out, "runs_waiting", "Runs in the queue.", f->levels.waiting);
    put_metric_head(out, "run_duration_seconds", "histogram",
                    "Duration of runs.");
    put_histogram(out, "run_duration_seconds", "", &f->counts.run_durations);
    put_metric_head(out, "phases_total", "counter", "Completed phases.");
    for (int p = 0; p < PHASE_COUNT; p++)
        put_sample(out, "phases_total", "", "phase", phase_word((enum phase)p),
                   f->counts.phases[p]);
    put_metric_head(out, "phase_duration_seconds", "histogram",
                    "Duration of phases.");
    for (int p = 0; p < PHASE_COUNT; p++) {
        snprintf(labels, sizeof labels, "phase=\"%s\",",
                 phase_word((enum phase)p));
        put_histogram(out, "phase_duration_seconds", labels,
                      &f->counts.phase_durations[p]);
    }
}

/* ---- models -------------------------------------------------------------- */

static const char *model_labels(struct buf *labels,
                                const struct model_counters *m)
{
    buf_clear(labels);
    buf_text(labels, "provider=\"");
    put_label_value(labels, str_of(m->provider));
    buf_text(labels, "\",model=\"");
    put_label_value(labels, str_of(m->model));
    buf_text(labels, "\",");
    return buf_cstr(labels);
}

static void put_model_counter(struct buf *out, const struct model_counters *m,
                              const char *name, const char *label,
                              const char *value, uint64_t n)
{
    struct buf labels;
    buf_init(&labels, NULL);
    put_sample(out, name, model_labels(&labels, m), label, value, n);
    buf_done(&labels);
}

#define EACH_MODEL(f, m) \
    for (const struct model_counters *m = (f)->models; \
         m < (f)->models + AGENT_COUNTED_MODELS && *m->provider; m++)

static void put_models(struct buf *out, const struct figures *f)
{
    struct buf labels;
    buf_init(&labels, NULL);
    put_metric_head(out, "model_calls_total", "counter",
                    "Calls of language models by outcome, retries included.");
    EACH_MODEL(f, m)
    {
        put_model_counter(out, m, "model_calls_total", "outcome", "ok",
                          m->calls - m->failures);
        put_model_counter(out, m, "model_calls_total", "outcome", "failed",
                          m->failures);
    }
    put_metric_head(out, "model_tokens_total", "counter",
                    "Tokens used by kind. Cached ones are a part of prompt, "
                    "reasoning ones of completion.");
    EACH_MODEL(f, m)
    {
        put_model_counter(out, m, "model_tokens_total", "kind", "prompt",
                          m->prompt_tokens);
        put_model_counter(out, m, "model_tokens_total", "kind", "completion",
                          m->completion_tokens);
        put_model_counter(out, m, "model_tokens_total", "kind", "cached",
                          m->cached_tokens);
        put_model_counter(out, m, "model_tokens_total", "kind", "reasoning",
                          m->reasoning_tokens);
    }
    put_metric_head(out, "model_cost_total", "counter",
                    "Cost of calls of language models, in the currency of "
                    "MODEL_PRICES; 0 without a price.");
    EACH_MODEL(f, m)
    {
        struct str bare = str_of(model_labels(&labels, m));
        buf_printf(out, "sextant_model_cost_total{%.*s} %.9g\n",
                   (int)bare.len - 1, bare.ptr, amount_real((int64_t)m->cost));
    }
    put_metric_head(out, "model_call_duration_seconds", "histogram",
                    "Duration of calls of language models.");
    EACH_MODEL(f, m)
    put_histogram(out, "model_call_duration_seconds", model_labels(&labels, m),
                  &m->durations);
    put_gauge(out, "outgoing_calls",
              "Calls to models and the sandbox in progress.",
              f->levels.model_calls);
    buf_done(&labels);
}

/* ---- model servers ------------------------------------------------------- */

#define EACH_SERVER(f, s) \
    for (const struct llm_server *s = (f)->servers; \
         s < (f)->servers + FIGURE_SERVERS && *s->provider; s++)

static void put_server(struct buf *out, const char *name,
                       const struct llm_server *s, const char *state,
                       uint64_t n)
{
    buf_printf(out, "sextant_%s{provider=\"", name);
    put_label_value(out, str_of(s->provider));
    buf_text(out, "\",address=\"");
    put_label_value(out, str_of(s->address));
    if (state)
        buf_printf(out, "\",state=\"%s", state);
    buf_printf(out, "\"} %llu\n", (unsigned long long)n);
}

static void put_servers(struct buf *out, const struct figures *f)
{
    static const char *const states[] = {"closed", "half_open", "open"};
    if (!*f->servers->provider)
        return; /* no server was called yet */
    put_metric_head(
        out, "model_breaker_workers", "gauge",
        "Workers by the state of their circuit breaker for a model server.");
    EACH_SERVER(f, s)
    for (int i = 0; i < LLM_SERVER_STATES; i++)
        put_server(out, "model_breaker_workers", s, states[i], s->states[i]);
    put_metric_head(
        out, "model_breaker_opens_total", "counter",
        "Times that a circuit breaker opened because the model server kept "
        "failing.");
    EACH_SERVER(f, s)
    put_server(out, "model_breaker_opens_total", s, NULL, s->opens);
    put_metric_head(out, "model_calls_waiting", "gauge",
                    "Calls waiting for a model server that keeps failing.");
    EACH_SERVER(f, s)
    put_server(out, "model_calls_waiting", s, NULL, s->waiting);
}

/* ---- databases, notices, sandbox, process -------------------------------- */

static void put_pools(struct buf *out, const struct levels *l)
{
    put_metric_head(
        out, "database_connections", "gauge",
        "Open connections to the system database (system) and to sources "
        "(source).");
    put_sample(out, "database_connections", "", "pool", "system",
               l->system_open);
    put_sample(out, "database_connections", "", "pool", "source",
               l->source_open);
    put_metric_head(out, "database_connections_busy", "gauge",
                    "Connections in use.");
    put_sample(out, "database_connections_busy", "", "pool", "system",
               l->system_busy);
    put_sample(out, "database_connections_busy", "", "pool", "source",
               l->source_busy);
    put_metric_head(out, "database_queries_waiting", "gauge",
                    "Queries waiting for a connection.");
    put_sample(out, "database_queries_waiting", "", "pool", "system",
               l->system_waiting);
    put_sample(out, "database_queries_waiting", "", "pool", "source",
               l->source_waiting);
}

static void put_database(struct buf *out, const struct counts *c)
{
    put_counter(out, "database_queries_total",
                "Queries to the system database.", c->queries);
    put_counter(out, "database_failures_total",
                "Failed queries to the system database.", c->query_failures);
    put_counter(out, "database_reconnects_total",
                "Lost connections to the system database that were reopened.",
                c->reconnects);
    put_counter(out, "journal_commits_total", "Committed batches of events.",
                c->commits);
    put_counter(out, "journal_events_total", "Recorded events.", c->events);
    put_counter(out, "journal_bytes_total", "Recorded bytes.",
                c->journal_bytes);
    put_counter(out, "journal_failures_total", "Batches that were retried.",
                c->journal_failures);
    put_metric_head(out, "journal_flush_duration_seconds", "histogram",
                    "Time from a batch's query to its commit.");
    put_histogram(out, "journal_flush_duration_seconds", "", &c->flushes);
}

static void put_notices(struct buf *out, const struct figures *f)
{
    const struct counts *c = &f->counts;
    put_gauge(out, "notices_listening",
              "Workers that receive notices from other processes.",
              f->levels.listening);
    put_counter(out, "notices_said_total", "Notices sent to other processes.",
                c->notices_said);
    put_counter(out, "notice_statements_total",
                "Statements that carried notices; one carries several.",
                c->notices_sent);
    put_counter(out, "notices_heard_total",
                "Received notices, including our own.", c->notices_heard);
    put_counter(
        out, "notices_dropped_total",
        "Dropped notices because too many waited; receivers find the changes "
        "when they poll.",
        c->notices_dropped);
}

static void put_sandbox(struct buf *out, const struct counts *c)
{
    put_metric_head(out, "sandbox_executions_total", "counter",
                    "Executions of Python code by outcome.");
    put_sample(out, "sandbox_executions_total", "", "outcome", "ok",
               c->executions - c->execution_failures);
    put_sample(out, "sandbox_executions_total", "", "outcome", "failed",
               c->execution_failures);
    put_sample(out, "sandbox_executions_total", "", "outcome", "unavailable",
               c->sandbox_unavailable);
    put_metric_head(
        out, "sandbox_execution_duration_seconds", "histogram",
        "Duration of executions of Python code, including the wait for a "
        "slot.");
    put_histogram(out, "sandbox_execution_duration_seconds", "",
                  &c->execution_durations);
}

static void put_loop(struct buf *out, const struct figures *f)
{
    uint64_t sum = 0;
    put_metric_head(out, "loop_lag_seconds", "histogram",
                    "Duration of a turn of the event loop.");
    for (int i = 0; i < LOOP_LAG_BUCKETS; i++) {
        char bound[24] = "+Inf";
        sum += f->counts.lag[i];
        if (i < LOOP_LAG_BUCKETS - 1)
            snprintf(bound, sizeof bound, "%g", loop_lag_bounds_ms[i] / 1000.0);
        buf_printf(out, "sextant_loop_lag_seconds_bucket{le=\"%s\"} %llu\n",
                   bound, (unsigned long long)sum);
    }
    buf_printf(out, "sextant_loop_lag_seconds_sum %g\n",
               (double)f->counts.lag_sum_us / 1e6);
    buf_printf(out, "sextant_loop_lag_seconds_count %llu\n",
               (unsigned long long)sum);
    put_metric_head(out, "loop_lag_max_seconds", "gauge",
                    "The longest turn of a live worker's event loop.");
    buf_printf(out, "sextant_loop_lag_max_seconds %g\n",
               (double)f->levels.loop_worst_us / 1e6);
}

static void put_process(struct buf *out, const struct figures *f)
{
    put_metric_head(out, "build_info", "gauge", "The running version.");
    buf_text(out, "sextant_build_info{version=\"" SEXTANT_VERSION "\"} 1\n");
    put_gauge(out, "workers", "Live worker processes of this machine.",
              f->levels.workers);
    put_gauge(out, "resident_memory_bytes", "Resident memory of the workers.",
              f->levels.resident_bytes);
    put_counter(
        out, "requests_unlogged_total",
        "Requests not logged because there were too many like them in one "
        "second.",
        f->counts.requests_unlogged);
    put_counter(out, "log_lines_dropped_total",
                "Dropped log lines: too many of a kind, or a slow reader.",
                f->counts.log_dropped);
}

static void put_spans(struct buf *out, const struct figures *f)
{
    put_metric_head(out, "spans_total", "counter",
                    "Spans for the OpenTelemetry collector by outcome: "
                    "exported, failed (refused or given up), dropped (the "
                    "queue was full).");
    put_sample(out, "spans_total", "", "outcome", "exported",
               f->counts.spans_exported);
    put_sample(out, "spans_total", "", "outcome", "failed",
               f->counts.spans_failed);
    put_sample(out, "spans_total", "", "outcome", "dropped",
               f->counts.spans_dropped);
    put_gauge(out, "spans_waiting", "Spans that wait for the collector.",
              f->levels.spans_waiting);
}

/* ---- the page ------------------------------------------------------------ */

static bool may_see_metrics(const struct request *q)
{
    struct str token = q->api->options.metrics_token;
    struct str value = http_get_header(q->x, "Authorization");
    bool loopback = str_starts(q->x->peer, STR("127.")) ||
                    str_is(q->x->peer, "::1") ||
                    str_starts(q->x->peer, STR("::ffff:127."));
    bool forwarded = http_get_header(q->x, "X-Forwarded-For").len ||
                     http_get_header(q->x, "Forwarded").len;
    if (!token.len)
        return loopback && !forwarded;
    return str_starts(value, STR("Bearer ")) && value.len == token.len + 7 &&
           crypto_equal(value.ptr + 7, token.ptr, token.len);
}

static void put_metrics(struct buf *out, struct figures_share *share)
{
    struct figures *f = mem_new(struct figures);
    figures_add_up(share, f);
    put_requests(out, f);
    put_runs(out, f);
    put_models(out, f);
    put_servers(out, f);
    put_pools(out, &f->levels);
    put_database(out, &f->counts);
    put_notices(out, f);
    put_sandbox(out, &f->counts);
    put_loop(out, f);
    put_spans(out, f);
    put_process(out, f);
    mem_free(f);
}

struct next metrics_show(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct buf out;
    if (!may_see_metrics(q))
        return reply_refusal(f, ERR_UNAUTHORIZED, NULL);
    buf_init(&out, NULL);
    put_metrics(&out, q->api->figures);
    q->answered = true;
    http_reply(q->x, 200, "text/plain; version=0.0.4; charset=utf-8",
               buf_view(&out));
    buf_done(&out);
    return back(f);
}
