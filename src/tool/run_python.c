/* run_python.c - runs code in the sandbox service (sandbox/README.md) by an
 * HTTP call. If the service fails, it is called once more. If it lacks files of
 * the tables, it gets them, and is asked again.
 *
 *   python_tool_begin -> python_answered -> (supply) -> files_supplied
 *          ^_________________________________________________/ */
#include "base/clock.h"
#include "base/crypto.h"
#include "base/one_line.h"
#include "engine/sandbox_refusal.h"
#include "net/http_client.h"
#include "store/charts.h"
#include "tool/sandbox_files.h"
#include "tool/tool.h"
#include <string.h>
#include "base/banned.h"

/* One file may be dropped while another one is sent. */
enum { SUPPLIES = 3 };

static struct next python_answered(struct flow *f),
    files_supplied(struct flow *f), files_not_supplied(struct flow *f);

static struct python_counts counts;

const struct python_counts *python_counts(void)
{
    return &counts;
}

static void write_column_types(struct json_writer *w,
                               const struct python_data *d)
{
    json_put_key_str(w, d->name);
    json_put_object(w);
    for (size_t i = 0; i < d->n_columns; i++) {
        json_put_key_str(w, d->columns[i]);
        json_put_str(w, d->types[i]);
    }
    json_put_object_end(w);
}

/* The body as parts: the rows are not copied, because they may be large and may
 * occur under two names; the text around them is in one buffer. */
struct python_body {
    struct buf around;
    struct json_writer w;
    struct str *parts;
    size_t n, at; /* parts, and the bytes of `around` that are in them */
};

static void end_text_part(struct python_body *b)
{
    b->parts[b->n++] = (struct str){NULL, b->around.len - b->at};
    b->at = b->around.len;
}

static void put_rows_part(struct python_body *b, const struct python_data *d)
{
    json_put_key_str(&b->w, d->name);
    end_text_part(b);
    b->parts[b->n++] = d->json;
    b->w.comma = true;
}

/* What a request over files, or with code around its code, has besides. */
static void write_surroundings(struct json_writer *w,
                               const struct python_tool *t)
{
    if (t->tables.len)
        json_field_raw(w, "tables", t->tables);
    if (t->before.len)
        json_field_str(w, "before", t->before);
    if (t->after.len)
        json_field_str(w, "after", t->after);
    if (!t->n_take)
        return;
    json_field_strs(w, "take", t->take, t->n_take);
}

static void write_python_request(struct python_body *b,
                                 const struct python_tool *t)
{
    struct json_writer *w = &b->w;
    json_put_object(w);
    json_field_str(w, "code", t->code);
    json_field_real(w, "timeout", t->context->python_timeout_ms / 1000.0);
    write_surroundings(w, t);
    json_field_object(w, "data");
    for (size_t i = 0; i < t->n_data; i++)
        put_rows_part(b, &t->data[i]);
    json_put_object_end(w);
    json_field_object(w, "columnTypes");
    for (size_t i = 0; i < t->n_data; i++)
        write_column_types(w, &t->data[i]);
    json_put_object_end(w);
    json_put_object_end(w);
    end_text_part(b);
}

/* Every second part is in `around`; its pointer is set when the buffer no
 * longer grows. */
static void set_request(struct flow *f, const struct python_tool *t,
                        struct http_call *http)
{
    struct python_body b = {
        .parts = arena_new_array(flow_here(f), struct str, 2 * t->n_data + 1)};
    buf_init(&b.around, flow_here(f));
    json_writer_init(&b.w, &b.around);
    write_python_request(&b, t);
    const char *at = b.around.ptr;
    for (size_t i = 0; i < b.n; i += 2) {
        b.parts[i].ptr = at;
        at += b.parts[i].len;
    }
    http->parts = b.parts;
    http->n_parts = b.n;
}

/* A pseudonym by which the sandbox shares its slots fairly among users. */
static struct str user_header(struct flow *f, struct str user_id)
{
    enum { SHOWN_BYTES = 16 };
    uint8_t digest[SHA256_SIZE];
    struct arena *here = flow_here(f);
    sha256(arena_printf(here, "sandbox user %.*s", STR_ARG(user_id)), digest);
    return arena_printf(here, "X-Sandbox-User: %.*s",
                        STR_ARG(hex_encode(here, digest, SHOWN_BYTES)));
}

static struct next sandbox_unavailable(struct flow *f, const char *why)
{
    struct python_tool *t = locals(f, struct python_tool);
    t->failed = t->unavailable = true;
    counts.unavailable++;
    t->error =
        arena_printf(t->memory, "The Python sandbox is not available%s%s.",
                     *why ? ": " : "", why);
    return back(f);
}

/* Ends the span of an execution; `error` as for span_end. */
static void python_span_end(struct python_tool *t, const char *error)
{
    struct json_writer *w =
        span_end(&t->span, SPAN_CLIENT, STR("execute_tool run_python"), error);
    if (!w)
        return;
    span_put_text(w, "gen_ai.operation.name", STR("execute_tool"));
    span_put_text(w, "gen_ai.tool.name", STR("run_python"));
    span_put_text(w, "gen_ai.tool.type", STR("function"));
    if (t->http->status)
        span_put_int(w, "http.response.status_code", t->http->status);
    if (span_content())
        span_put_text(w, "gen_ai.tool.call.arguments", t->code);
    span_close(w);
}

/* The flow was stopped while the code ran. */
static void python_span_stop(void *what)
{
    struct python_tool *t = what;
    if (t->span.open)
        python_span_end(t, err_code(ERR_CANCELLED));
}

struct next python_tool_begin(struct flow *f)
{
    struct python_tool *t = locals(f, struct python_tool);
    const struct sandbox *s = t->context->sandbox;
    if (s->off)
        return sandbox_unavailable(f, "it is disabled");
    struct str *headers = arena_new_array(flow_here(f), struct str, 5);
    size_t n = 0;
    headers[n++] = STR("Content-Type: application/json");
    headers[n++] = STR("X-Sandbox-Images: once");
    if (s->token.len)
        headers[n++] = arena_printf(flow_here(f), "Authorization: Bearer %.*s",
                                    STR_ARG(s->token));
    span_begin(&t->span, t->context->trace);
    defer(f, python_span_stop, t);
    if (span_trace(&t->span))
        headers[n++] = trace_header(flow_here(f), span_trace(&t->span));
    if (t->context->user_id.len)
        headers[n++] = user_header(f, t->context->user_id);
    struct str base = s->url.len ? s->url : STR("http://sandbox");
    t->http = here(f, struct http_call);
    *t->http = (struct http_call){
        .method = "POST",
        .url = arena_printf(flow_here(f), "%.*s/execute", STR_ARG(base)),
        .unix_socket = s->unix_socket,
        .headers = headers,
        .n_headers = n,
        .first_ms = t->context->python_timeout_ms + 15000,
        .idle_ms = 10000,
        .total_ms = t->context->python_timeout_ms + 20000};
    set_request(f, t, t->http);
    t->asked_us = clock_us();
    http_call_begin(f, t->http);
    op_tolerate(&t->http->op);
    return await(f, python_answered);
}

/* Only files that were asked for, each once. */
static void read_taken(struct python_tool *t, const json_t *taken)
{
    t->taken = arena_new_array(t->memory, struct python_taken, t->n_take + 1);
    t->n_taken = 0;
    for (size_t i = 0; i < t->n_take; i++) {
        const json_t *text =
            json_object_getn(taken, t->take[i].ptr, t->take[i].len);
        if (json_is_string(text))
            t->taken[t->n_taken++] = (struct python_taken){
                t->take[i], arena_str(t->memory, json_text(text))};
    }
}

/* Tables of which the code saw only the first rows. */
static void read_cut(struct python_tool *t, const json_t *cut)
{
    enum { TOLD_MOST = 16, NAME_MOST = 63 };
    struct buf out;
    buf_init(&out, t->memory);
    for (size_t i = 0; i < json_array_size(cut) && i < TOLD_MOST; i++) {
        const json_t *v = json_array_get(cut, i);
        buf_text(&out, out.len ? " " : "");
        one_line_put(&out, json_get_text(v, "name"), NAME_MOST);
        buf_printf(&out,
                   " was cut: only its first %lld of %lld rows fit into the "
                   "memory of the sandbox, so figures are of these rows alone.",
                   (long long)json_get_int(v, "rows", 0),
                   (long long)json_get_int(v, "of", 0));
    }
    t->cut = buf_view(&out);
}

static bool read_python_reply(struct python_tool *t, const json_t *v)
{
    struct arena *a = t->memory;
    const json_t *charts = json_object_get(v, "charts");
    if (!json_is_object(v) ||
        !json_is_integer(json_object_get(v, "returnCode")))
        return false;
    t->out = arena_str(a, json_get_text(v, "stdout"));
    t->err = arena_str(a, json_get_text(v, "stderr"));
    t->elapsed_ms = json_get_int(v, "executionTimeMs", 0);
    t->charts = arena_new_array(a, struct str, json_array_size(charts) + 1);
    for (size_t i = 0; i < json_array_size(charts); i++) {
        struct str chart = json_text(json_array_get(charts, i));
        if (chart_media_type(chart)) /* the sandbox is not trusted */
            t->charts[t->n_charts++] = arena_str(a, chart);
    }
    read_taken(t, json_object_get(v, "taken"));
    read_cut(t, json_object_get(v, "cut"));
    struct str error = json_get_text(v, "error");
    if (error.len || json_get_int(v, "returnCode", 0) != 0) {
        t->failed = true;
        t->error = arena_str(a, error.len ? error : STR("The code failed."));
    }
    return true;
}

/* ---- files that the sandbox lacks --------------------------------------- */

static struct next supply_files(struct flow *f)
{
    struct python_tool *t = locals(f, struct python_tool);
    struct sandbox_supply *s = here(f, struct sandbox_supply);
    struct str *missing = NULL;
    size_t n = 0;
    if (t->context->store && t->supplies++ < SUPPLIES)
        n = sandbox_missing(f, buf_view(&t->http->reply), t->tables, &missing);
    if (!n)
        return sandbox_unavailable(f, "it lacks the files");
    *s = (struct sandbox_supply){.store = t->context->store,
                                 .sandbox = t->context->sandbox,
                                 .user_id = t->context->user_id,
                                 .sha256s = missing,
                                 .n = n};
    return attempt(f, sandbox_supply_begin, s, files_supplied,
                   files_not_supplied);
}

static struct next files_supplied(struct flow *f)
{
    return go(f, python_tool_begin);
}

static struct next files_not_supplied(struct flow *f)
{
    const struct str text = failure_text(f);
    if (failure(f) == ERR_NO_MEMORY)
        return fail(f, ERR_NO_MEMORY);
    return sandbox_unavailable(f, text.len ? arena_cstr(flow_here(f), text)
                                           : err_sentence(failure(f)));
}

static struct next python_answered(struct flow *f)
{
    struct python_tool *t = locals(f, struct python_tool);
    const struct http_call *h = t->http;
    if (h->op.status == ERR_CANCELLED)
        return fail(f, ERR_CANCELLED);
    if (h->op.status == OK && (h->status == 200 || h->status == 408)) {
        json_t *v = json_read_lenient(buf_view(&h->reply), NULL);
        if (v)
            defer(f, json_drop, v);
        if (v && read_python_reply(t, v)) {
            counts.executions++;
            counts.failures += t->failed;
            histogram_add(&counts.durations, clock_us() - t->asked_us);
            python_span_end(t, t->failed ? "code_failed" : NULL);
            return back(f);
        }
    }
    bool lacks_files = h->op.status == OK && h->status == 404 && t->tables.len;
    python_span_end(t, lacks_files ? "files_missing"
                                   : err_code(ERR_SANDBOX_UNAVAILABLE));
    if (lacks_files)
        return supply_files(f);
    if (++t->tries < 2)
        return go(f, python_tool_begin); /* a new process may succeed */
    struct str why =
        h->op.status == OK
            ? sandbox_refusal(flow_here(f), h->status, buf_view(&h->reply))
            : STR("");
    return sandbox_unavailable(f, arena_cstr(flow_here(f), why));
}
