/* otlp.c - sends batches of spans; see net/otlp.h.
 *
 *   export_begin -> batch_due -> (send_begin -> answered) -> batch_sent
 *        ^____________|_____________________________________|
 *
 * A batch that is to be sent again stays in `batch`, until `again_ms`. */
#include "net/otlp.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/pairs.h"
#include "base/random.h"
#include "base/span.h"
#include "loop/wait.h"
#include "net/http_client.h"
#include <string.h>
#include "base/banned.h"

enum { FIRST_PAUSE_MS = 1000, REPLY_MOST = 64 * 1024 };

static struct next export_begin(struct flow *f), batch_due(struct flow *f),
    send_begin(struct flow *f), answered(struct flow *f),
    batch_sent(struct flow *f);

static struct exporter {
    struct arena arena;
    struct str url, head; /* before the records of a batch */
    struct str headers[OTLP_HEADERS_MOST + 1];
    size_t n_headers;
    unsigned timeout_ms, delay_ms;
    struct flow *flow; /* NULL: nothing is exported */
    struct wake wake;
    struct wait wait;
    struct http_call http;
    struct str parts[3];
    struct span_batch *batch; /* being sent, or to be sent again */
    unsigned tries;
    uint64_t again_ms, stop_ms; /* when; 0: not */
    bool failing;               /* the log has said so */
} exporter;

static const char tail[] = "]}]}]}";

/* ---- what every request has ---------------------------------------------- */

static void put_resource_text(struct json_writer *w, struct str key,
                              struct str value)
{
    json_put_object(w);
    json_field_str(w, "key", key);
    json_field_object(w, "value");
    json_field_str(w, "stringValue", value);
    json_put_object_end(w);
    json_put_object_end(w);
}

static void put_resource(struct json_writer *w, const struct otlp_options *o)
{
    struct str list = str_of(o->attributes), name, value;
    put_resource_text(w, STR("service.name"), str_of(o->service));
    put_resource_text(w, STR("service.version"), str_of(o->version));
    while (pairs_next(&exporter.arena, &list, &name, &value))
        if (!str_is(name, "service.name") && !str_is(name, "service.version"))
            put_resource_text(w, name, value);
}

static struct str request_head(const struct otlp_options *o)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, &exporter.arena);
    buf_text(&out, "{\"resourceSpans\":[{\"resource\":{\"attributes\":[");
    json_writer_init(&w, &out);
    put_resource(&w, o);
    buf_text(&out, "]},\"scopeSpans\":[{\"scope\":");
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_text(&w, "name", "sextant");
    json_field_text(&w, "version", o->version);
    json_put_object_end(&w);
    buf_text(&out, ",\"spans\":[");
    return buf_view(&out);
}

static void add_header(struct str line)
{
    if (exporter.n_headers <= OTLP_HEADERS_MOST)
        exporter.headers[exporter.n_headers++] = line;
}

static void set_headers(const struct otlp_options *o)
{
    struct arena *a = &exporter.arena;
    struct str list = str_of(o->headers), name, value;
    add_header(STR("Content-Type: application/json"));
    while (pairs_next(a, &list, &name, &value))
        add_header(
            arena_printf(a, "%.*s: %.*s", STR_ARG(name), STR_ARG(value)));
}

/* The endpoint of all signals gets the path of traces. */
static struct str traces_url(struct arena *a, const struct otlp_options *o)
{
    if (o->traces_endpoint)
        return arena_str(a, str_of(o->traces_endpoint));
    struct str base = str_of(o->endpoint);
    while (base.len && base.ptr[base.len - 1] == '/')
        base.len--;
    return arena_printf(a, "%.*s/v1/traces", STR_ARG(base));
}

/* ---- the flow ------------------------------------------------------------ */

static bool is_late(void)
{
    return exporter.stop_ms && clock_ms() >= exporter.stop_ms;
}

static struct next export_begin(struct flow *f)
{
    struct exporter *x = locals(f, struct exporter);
    uint64_t now = clock_ms(), ms = x->delay_ms;
    if (x->stop_ms && !x->batch && !span_counts().waiting)
        return back(f);
    if (x->stop_ms)
        return go(f, batch_due);
    if (x->batch)
        ms = x->again_ms > now ? x->again_ms - now : 1;
    wait_begin(f, &x->wait, &x->wake, ms);
    return await(f, batch_due);
}

static struct next batch_due(struct flow *f)
{
    struct exporter *x = locals(f, struct exporter);
    if (is_late())
        return back(f);
    if (x->batch && clock_ms() < x->again_ms && !x->stop_ms)
        return go(f, export_begin); /* another batch is full */
    if (!x->batch) {
        x->batch = span_batch_take();
        x->tries = 0;
    }
    return x->batch ? call(f, send_begin, x, batch_sent) : go(f, export_begin);
}

static struct next send_begin(struct flow *f)
{
    struct exporter *x = locals(f, struct exporter);
    uint64_t now = clock_ms(), ms = x->timeout_ms;
    if (x->stop_ms && x->stop_ms < now + ms)
        ms = x->stop_ms > now ? x->stop_ms - now : 1; /* 0: the default */
    x->parts[0] = x->head;
    x->parts[1] = str_cut(buf_view(&x->batch->records), 0, x->batch->whole);
    x->parts[2] = STR(tail);
    x->http = (struct http_call){.method = "POST",
                                 .url = x->url,
                                 .headers = x->headers,
                                 .n_headers = x->n_headers,
                                 .parts = x->parts,
                                 .n_parts = 3,
                                 .first_ms = (unsigned)ms,
                                 .idle_ms = (unsigned)ms,
                                 .total_ms = (unsigned)ms,
                                 .max_bytes = REPLY_MOST};
    http_call_begin(f, &x->http);
    op_tolerate(&x->http.op);
    return await(f, answered);
}

/* A collector that accepts a request may still reject some of its spans. */
static size_t rejected_spans(const struct exporter *x)
{
    json_t *v = json_read(buf_view(&x->http.reply), NULL);
    const json_t *partial = json_object_get(v, "partialSuccess");
    const json_t *n = json_object_get(partial, "rejectedSpans");
    int64_t rejected = json_is_integer(n) ? json_integer_value(n) : 0;
    if (json_is_string(n) && !str_to_int64(json_text(n), &rejected))
        rejected = 0;
    json_decref(v);
    return rejected > 0 ? (size_t)rejected : 0;
}

/* An answer that broke off after its first line says nothing: the batch is sent
 * again, though the collector may have it. */
static bool may_retry(struct exporter *x)
{
    int s = x->http.status;
    enum err how = x->http.op.status;
    bool passes = s == 429 || s == 502 || s == 503 || s == 504;
    bool broke =
        s >= 200 && s <= 299 && (how == ERR_BAD_GATEWAY || how == ERR_TIMEOUT);
    return (!s || passes || broke) && ++x->tries < OTLP_TRIES && !x->stop_ms;
}

static void say(struct exporter *x, bool failing)
{
    if (failing == x->failing)
        return;
    x->failing = failing;
    if (failing)
        log_line(LOG_WARN, "traces cannot be exported", "status %d%s%s",
                 x->http.status, *x->http.detail ? ": " : "", x->http.detail);
    else
        log_line(LOG_INFO, "traces are exported again", "status %d",
                 x->http.status);
}

/* Retry-After, or a pause that doubles; at random, so that workers do not come
 * back at once. */
static uint64_t pause_ms(const struct exporter *x)
{
    uint64_t ms = (uint64_t)FIRST_PAUSE_MS << (x->tries - 1);
    ms = ms / 2 + random_below((unsigned)ms);
    if (x->http.retry_after_ms >= 0)
        ms = (uint64_t)x->http.retry_after_ms + random_below(FIRST_PAUSE_MS);
    return ms < OTLP_PAUSE_MOST_MS ? ms : OTLP_PAUSE_MOST_MS;
}

static struct next answered(struct flow *f)
{
    struct exporter *x = locals(f, struct exporter);
    bool taken = x->http.op.status == OK && x->http.status >= 200 &&
                 x->http.status <= 299;
    say(x, !taken);
    if (taken)
        span_batch_done(&x->batch, rejected_spans(x));
    else if (may_retry(x))
        x->again_ms = clock_ms() + pause_ms(x);
    else
        span_batch_done(&x->batch, x->batch->n);
    return back(f);
}

static struct next batch_sent(struct flow *f)
{
    return go(f, export_begin);
}

/* ---- open and stop ------------------------------------------------------- */

static void on_batch(void *who)
{
    wake_up(&((struct exporter *)who)->wake);
}

static void export_start(struct exporter *x);

/* A step that got no memory costs the batch that was being sent, not the export
 * of those that come. */
static void on_export_end(struct flow *f, enum err how, void *who)
{
    struct exporter *x = who;
    (void)f;
    x->flow = NULL;
    if (x->batch)
        span_batch_done(&x->batch, x->batch->n);
    if (how != OK && !x->stop_ms) {
        export_start(x);
        return;
    }
    span_queue_close();
    arena_done(&x->arena);
}

static void export_start(struct exporter *x)
{
    x->flow =
        flow_start(export_begin, x,
                   &(struct flow_options){
                       .kind = "otlp", .on_end = on_export_end, .who = x});
}

void otlp_open(const struct otlp_options *o)
{
    struct exporter *x = &exporter;
    if (!o->endpoint && !o->traces_endpoint)
        return;
    *x =
        (struct exporter){.timeout_ms = o->timeout_ms, .delay_ms = o->delay_ms};
    arena_init(&x->arena, 0);
    x->url = traces_url(&x->arena, o);
    x->head = request_head(o);
    set_headers(o);
    span_queue_open(&(struct span_queue_options){.most = o->queue_most,
                                                 .batch = o->batch_most,
                                                 .content = o->content,
                                                 .on_batch = on_batch,
                                                 .who = x});
    export_start(x);
}

void otlp_stop(unsigned ms)
{
    struct exporter *x = &exporter;
    if (!x->flow || x->stop_ms)
        return;
    x->stop_ms = clock_ms() + ms;
    if (x->http.op.owner)
        op_deadline(&x->http.op, ms);
    wake_up(&x->wake);
}

bool otlp_runs(void)
{
    return exporter.flow != NULL;
}
