/* duckdb.c - see engine/duckdb.h. A read is an op that a flow of its own works
 * for:
 *
 *   query_due -> query_answered -> back
 *                      | 404: call the supply
 *                      |-> files_supplied -> query_due
 *                      | the sandbox is busy or restarts
 *                      \-> sandbox_awaited -> query_due */
#include "engine/duckdb.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "db/read.h"
#include "duckdb_reply.h"
#include "engine/sandbox_refusal.h"
#include "loop/wait.h"
#include "net/http_client.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum {
    TRIES = 3,
    SUPPLIES = 2,       /* the cache may drop a file again before its use */
    PAUSE_MS = 300,     /* before another try */
    BUSY_MS = 2000,     /* a read that is not patient waits this long */
    QUEUE_MS = 30000,   /* in the sandbox's queue, and to load the files */
    SUPPLY_MS = 300000, /* all: with the sending of files */
    MISSING_BYTES = 64 * 1024,
    MISSING_FILES = 64,
    MEMORY = 1024 * 1024, /* of the flow, without the rows */
};

struct duckdb_source {
    struct source source; /* first */
    const struct duckdb_options *options;
    char *tables;
    char *time_zone; /* "": UTC */
    char problem[320];
};

struct duckdb_read {
    struct read *read;
    struct duckdb_source *source;
    struct flow *flow; /* NULL: it has ended */
    char *sql, *user;
    unsigned timeout_ms;
    uint64_t until; /* monotonic ms: no try begins later */
    int tries, supplies;
    struct http_call *http; /* of the current try */
    struct duckdb_reply reply;
    struct buf body;    /* of the request */
    struct buf missing; /* the body of a 404 or 503 */
    struct duckdb_supply supply;
    struct pause pause;
    bool held;
};

static struct next query_due(struct flow *f), query_answered(struct flow *f),
    files_supplied(struct flow *f), sandbox_awaited(struct flow *f);

static const char unavailable[] =
    "The sandbox, which reads the files, is not available.";

static struct next query_unavailable(struct flow *f, struct duckdb_read *d,
                                     const char *why)
{
    snprintf(d->source->problem, sizeof d->source->problem, "%s%s%s",
             unavailable, *why ? " " : "", why);
    return fail_because(f, ERR_DATABASE_UNAVAILABLE, "%s", unavailable);
}

/* ---- the request -------------------------------------------------------- */

/* Made once, for all tries. */
static struct str query_body(struct duckdb_read *d)
{
    struct json_writer w;
    if (d->body.len)
        return buf_view(&d->body);
    json_writer_init(&w, &d->body);
    json_put_object(&w);
    json_field_raw(&w, "tables", d->source->source.tables);
    json_field_text(&w, "sql", d->sql);
    if (d->source->time_zone[0])
        json_field_text(&w, "timeZone", d->source->time_zone);
    if (d->read->options.explain)
        json_field_bool(&w, "explain", true);
    json_field_int(&w, "maxRows", d->reply.max_rows);
    json_field_int(&w, "maxBytes", (int64_t)d->reply.max_bytes);
    json_field_real(&w, "timeout", d->timeout_ms / 1000.0);
    json_put_object_end(&w);
    return buf_view(&d->body);
}

/* A pseudonym by which the sandbox shares its slots fairly among users. */
static struct str user_header(struct arena *arena, const char *user)
{
    enum { SHOWN_BYTES = 16 };
    uint8_t digest[SHA256_SIZE];
    sha256(arena_printf(arena, "sandbox user %s", user), digest);
    return arena_printf(arena, "X-Sandbox-User: %.*s",
                        STR_ARG(hex_encode(arena, digest, SHOWN_BYTES)));
}

static bool on_query_body(struct http_call *c, struct str bytes)
{
    struct duckdb_read *d = c->who;
    if (c->status == 200)
        return duckdb_reply_take(&d->reply, bytes);
    if (c->status != 404 && c->status != 503)
        return true; /* the status says enough */
    if (d->missing.len + bytes.len > MISSING_BYTES)
        return false;
    buf_str(&d->missing, bytes);
    return true;
}

static void set_headers(struct flow *f, const struct duckdb_read *d,
                        struct http_call *http)
{
    const struct duckdb_options *o = d->source->options;
    struct str *headers = arena_new_array(flow_here(f), struct str, 3);
    size_t n = 0;
    headers[n++] = STR("Content-Type: application/json");
    if (o->token.len)
        headers[n++] = arena_printf(flow_here(f), "Authorization: Bearer %.*s",
                                    STR_ARG(o->token));
    if (d->user[0])
        headers[n++] = user_header(flow_here(f), d->user);
    http->headers = headers;
    http->n_headers = n;
}

static struct next query_due(struct flow *f)
{
    struct duckdb_read *d = locals(f, struct duckdb_read);
    const struct duckdb_options *o = d->source->options;
    if (o->off)
        return query_unavailable(f, d, "It is disabled.");
    struct str base = o->url.len ? o->url : STR("http://sandbox");
    unsigned most = d->timeout_ms + QUEUE_MS;
    duckdb_reply_done(&d->reply);
    buf_clear(&d->missing);
    d->http = here(f, struct http_call);
    *d->http = (struct http_call){
        .method = "POST",
        .url = arena_printf(flow_here(f), "%.*s/query", STR_ARG(base)),
        .unix_socket = o->unix_socket,
        .body = query_body(d),
        .first_ms = most,
        .idle_ms = most, /* a reader may hold the answer back */
        .total_ms = most,
        /* every byte of a text may be escaped */
        .max_bytes = 8 * d->reply.max_bytes + 64 * 1024 * 1024,
        .on_body = on_query_body,
        .who = d};
    set_headers(f, d, d->http);
    d->tries++;
    http_call_begin(f, d->http);
    op_tolerate(&d->http->op);
    return await(f, query_answered);
}

/* ---- the answer --------------------------------------------------------- */

static bool is_hash(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (str_hex_digit(s.ptr[i]) < 0)
            return false;
    return s.len == 64;
}

/* The hashes of a 404; none when it is no such answer. The sandbox gets only
 * files of this source, whatever it asks for. */
static void read_missing(struct flow *f, struct duckdb_read *d)
{
    json_t *v = json_read(buf_view(&d->missing), NULL);
    const json_t *list = json_object_get(v, "missing");
    size_t n = json_array_size(list);
    struct str *missing = arena_new_array(flow_here(f), struct str, n + 1);
    if (v)
        defer(f, json_drop, v);
    d->supply = (struct duckdb_supply){.who = d->source->options->who,
                                       .user_id = str_of(d->user),
                                       .missing = missing};
    for (size_t i = 0; i < n && i < MISSING_FILES; i++) {
        struct str hash = json_text(json_array_get(list, i));
        if (is_hash(hash) && str_find(d->source->source.tables, hash) >= 0)
            missing[d->supply.n_missing++] = hash;
    }
}

/* The limits of the answer's error, as those of a database (db/read.h). */
static enum err query_error(struct duckdb_read *d)
{
    static const struct {
        enum err err;
        const char *sqlstate;
    } errors[] = {[DUCKDB_FINE] = {OK, ""},
                  [DUCKDB_POLICY] = {ERR_SQL_REFUSED, "42501"},
                  [DUCKDB_SQL] = {ERR_SQL_FAILED, "42000"},
                  [DUCKDB_DATA] = {ERR_SQL_FAILED, "22000"},
                  [DUCKDB_TIMEOUT] = {ERR_TIMEOUT, "57014"},
                  [DUCKDB_MEMORY] = {ERR_SQL_FAILED, "53200"}};
    struct read *r = d->read;
    struct str sql = str_of(d->sql);
    snprintf(r->sqlstate, sizeof r->sqlstate, "%s",
             errors[d->reply.fault].sqlstate);
    r->message = d->reply.message;
    if (r->message.len && r->message.ptr[r->message.len - 1] == '.')
        r->message.len--; /* callers write sentences around it */
    if ((size_t)d->reply.position <= utf8_count(sql) + 1)
        r->position = d->reply.position;
    return errors[d->reply.fault].err;
}

static struct next query_answered_well(struct flow *f, struct duckdb_read *d)
{
    struct read *r = d->read;
    enum err how = query_error(d);
    if (how != OK)
        return fail(f, how);
    r->n_columns = d->reply.n_columns;
    r->n_rows = d->reply.n_rows;
    r->more_rows = d->reply.more_rows;
    r->cut_values = d->reply.cut_values;
    return back(f);
}

/* Rows that were handed out cannot be taken back. */
static bool query_may_retry(const struct duckdb_read *d)
{
    bool handed = d->read->options.on_row && d->reply.n_rows;
    return d->tries < TRIES && !handed && clock_ms() < d->until;
}

/* Out of memory, the sandbox ends a connection or answers 5xx; 429 and 503 say
 * that it is busy. */
static bool is_passing(const struct http_call *h)
{
    return h->op.status == ERR_BAD_GATEWAY ||
           (h->op.status == OK && (h->status == 429 || h->status >= 500));
}

static struct next query_answered(struct flow *f)
{
    struct duckdb_read *d = locals(f, struct duckdb_read);
    const struct http_call *h = d->http;
    if (h->op.status == ERR_CANCELLED || h->op.status == ERR_TIMEOUT)
        return fail(f, h->op.status);
    if (h->op.status == OK && h->status == 200 &&
        duckdb_reply_is_whole(&d->reply))
        return query_answered_well(f, d);
    if (h->op.status == OK && h->status == 404) {
        read_missing(f, d);
        const struct duckdb_options *o = d->source->options;
        if (d->supply.n_missing && o->supply && d->supplies++ < SUPPLIES)
            return call(f, o->supply, &d->supply, files_supplied);
        return query_unavailable(f, d, "It lacks the files.");
    }
    if (is_passing(h) && query_may_retry(d)) {
        pause_begin(f, &d->pause, PAUSE_MS);
        return await(f, sandbox_awaited);
    }
    log_line(LOG_WARN, "sandbox query", "status %d, %s%s%s", h->status,
             err_name(h->op.status), d->reply.problem ? ": " : "",
             d->reply.problem ? d->reply.problem : h->detail);
    struct str said =
        sandbox_refusal(flow_here(f), h->status, buf_view(&d->missing));
    if (!said.len)
        return query_unavailable(
            f, d, d->reply.problem ? "It sent no valid answer." : "");
    struct next next = query_unavailable(
        f, d, arena_printf(flow_here(f), "It says: %.*s.", STR_ARG(said)).ptr);
    d->read->message = str_of(d->source->problem); /* as the sandbox says it */
    return next;
}

static struct next files_supplied(struct flow *f)
{
    struct duckdb_read *d = locals(f, struct duckdb_read);
    d->tries = 0; /* the query itself has not been tried */
    return go(f, query_due);
}

static struct next sandbox_awaited(struct flow *f)
{
    locals(f, struct duckdb_read)->pause = (struct pause){0};
    return go(f, query_due);
}

/* ---- the op ------------------------------------------------------------- */

static void duckdb_read_done(void *what)
{
    struct read *r = what;
    struct duckdb_read *d = r->state;
    r->state = NULL;
    if (!d)
        return;
    assert(!d->flow && "a read ends after its work");
    duckdb_reply_done(&d->reply);
    buf_done(&d->body);
    buf_done(&d->missing);
    mem_free(d->sql);
    mem_free(d->user);
    mem_free(d);
}

static bool is_of_supply(enum err how)
{
    return how != OK && how != ERR_SQL_FAILED && how != ERR_SQL_REFUSED &&
           how != ERR_TIMEOUT && how != ERR_CANCELLED && how != ERR_NO_MEMORY &&
           how != ERR_DATABASE_UNAVAILABLE;
}

static void duckdb_read_ended(struct flow *f, enum err how, void *who)
{
    struct duckdb_read *d = who;
    struct read *r = d->read;
    d->flow = NULL;
    d->http = NULL;
    r->elapsed_ms = (unsigned)d->reply.elapsed_ms;
    if (how == ERR_DATABASE_UNAVAILABLE && !r->message.len)
        r->message = STR(unavailable);
    if (is_of_supply(how)) {
        log_line(LOG_WARN, "sandbox files", "%s: %.*s", err_name(how),
                 STR_ARG(failure_text(f)));
        how = ERR_DATABASE_UNAVAILABLE;
    }
    op_complete(&r->op, how);
}

static void duckdb_read_cancel(struct op *op)
{
    struct duckdb_read *d = ((struct read *)op)->state;
    if (d->flow)
        flow_cancel(d->flow);
}

static void on_reply_row(void *who, const struct str *cells, int n)
{
    struct duckdb_read *d = who;
    d->read->n_columns = d->reply.n_columns;
    d->read->options.on_row(d->read, cells, n);
}

static void duckdb_read_begin(struct flow *f, struct read *r)
{
    const struct read_options *o = &r->options;
    defer(f, duckdb_read_done, r);
    struct duckdb_read *d = r->state = mem_new(struct duckdb_read);
    d->read = r;
    d->source = (struct duckdb_source *)o->source;
    d->sql = mem_copy(o->sql.ptr ? o->sql.ptr : "", o->sql.len);
    d->user = mem_copy(o->user_id.ptr ? o->user_id.ptr : "", o->user_id.len);
    d->timeout_ms = o->timeout_ms ? o->timeout_ms : 30000;
    d->until = clock_ms() + (o->patient ? d->timeout_ms : BUSY_MS);
    d->reply.max_rows = o->max_rows > 0 ? o->max_rows : 1000;
    d->reply.max_bytes = o->max_bytes ? o->max_bytes : 16 * 1024 * 1024;
    d->reply.on_row = o->on_row ? on_reply_row : NULL;
    d->reply.who = d;
    begin(f, &r->op, "read", duckdb_read_cancel);
    op_deadline(&r->op, d->timeout_ms + SUPPLY_MS);
    d->flow = flow_start(query_due, d,
                         &(struct flow_options){.kind = "files",
                                                .memory_limit = MEMORY,
                                                .on_end = duckdb_read_ended,
                                                .who = d});
}

/* ---- rows --------------------------------------------------------------- */

static struct str *duckdb_read_names(const struct read *r, struct arena *arena)
{
    const struct duckdb_reply *reply = &((struct duckdb_read *)r->state)->reply;
    struct str *names =
        arena_new_array(arena, struct str, (size_t)reply->n_columns + 1);
    for (int i = 0; i < reply->n_columns; i++)
        names[i] = utf8_repair(arena, reply->columns[i].name);
    return names;
}

static struct str *duckdb_read_types(const struct read *r, struct arena *arena)
{
    const struct duckdb_reply *reply = &((struct duckdb_read *)r->state)->reply;
    struct str *types =
        arena_new_array(arena, struct str, (size_t)reply->n_columns + 1);
    for (int i = 0; i < reply->n_columns; i++)
        types[i] = arena_str(arena, reply->columns[i].type);
    return types;
}

static size_t duckdb_read_n_cells(const struct read *r)
{
    return ((struct duckdb_read *)r->state)->reply.n_kept;
}

static struct str duckdb_read_cell(const struct read *r, size_t i)
{
    return duckdb_reply_cell(&((struct duckdb_read *)r->state)->reply, i);
}

static void duckdb_read_hold(struct read *r, bool held)
{
    struct duckdb_read *d = r->state;
    if (!d || !d->http || d->held == held)
        return;
    d->held = held;
    http_call_hold(d->http, held);
}

/* ---- the source --------------------------------------------------------- */

static const char *duckdb_problem(const struct source *source)
{
    return ((const struct duckdb_source *)source)->problem;
}

static const struct source_engine duckdb_engine = {
    .dialect = DIALECT_DUCKDB,
    .name = "DuckDB",
    .unavailable = unavailable,
    .read_begin = duckdb_read_begin,
    .read_names = duckdb_read_names,
    .read_types = duckdb_read_types,
    .read_n_cells = duckdb_read_n_cells,
    .read_cell = duckdb_read_cell,
    .read_hold = duckdb_read_hold,
    .problem = duckdb_problem};

struct source *duckdb_open(const struct duckdb_options *options,
                           struct str tables, struct str time_zone)
{
    struct duckdb_source *s = mem_new(struct duckdb_source);
    s->options = options;
    s->tables = mem_copy(tables.ptr, tables.len);
    s->time_zone = mem_copy(time_zone.ptr ? time_zone.ptr : "", time_zone.len);
    s->source = (struct source){.engine = &duckdb_engine,
                                .tables = {s->tables, tables.len}};
    return &s->source;
}

void duckdb_close(struct source **source)
{
    struct duckdb_source *s = (struct duckdb_source *)*source;
    *source = NULL;
    mem_free(s->tables);
    mem_free(s->time_zone);
    mem_free(s);
}
