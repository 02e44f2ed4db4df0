/* trino.c - see engine/trino.h. A query is worked for by a flow of its own, which
 * may outlive the read that began it:
 *
 *   query_due -> page_fetched -> page_due -> page_fetched … -> back
 *                     |  not read to its end, or given up
 *                     |-> query_left -> query_deleted -> back
 *                     |  the cluster is busy, or the connection broke
 *                     \-> cluster_awaited -> query_due or page_due
 *
 * The read ends as soon as its result is known; it holds the query for its rows
 * until its frame ends. */
#include "engine/trino.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "db/read.h"
#include "loop/wait.h"
#include "trino_address.h"
#include "trino_names.h"
#include "trino_reply.h"
#include "trino_sql.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum {
    BUSY_MS = 2000, /* a read that is not patient waits this long */
    PAUSE_MS = 60,  /* before the second try; then longer */
    PAUSE_MOST_MS = 2000,
    PAGE_MS = 15000, /* a page that is not ready is answered after 1 s */
    LEAVE_MS = 5000, /* for each try to delete a query */
    LEAVE_TRIES = 2,
    SPARE_S = 10, /* that the cluster gives a query beyond our own timeout */
    PAGE_BYTES = 16 * 1024 * 1024, /* as a tree, up to 20 times as much */
    MEMORY = 32 * 1024 * 1024,     /* of the flow, without the rows */
    REASON_BYTES = 200,
};

struct trino_source {
    struct source source; /* first */
    unsigned holders;     /* its owner, and the queries */
    char *base, *catalog, *schema, *ca_file, *pem, *headers;
    size_t headers_len;
    struct str *lines;
    size_t n_lines;
    struct http_trust trust;
    char problem[320];
};

struct trino_query {
    struct read *read; /* NULL: its result is known, or not wanted */
    struct trino_source *source;
    struct flow *flow;  /* NULL: it has ended */
    bool framed;        /* the read's frame has not ended */
    char *sql, *schema; /* `schema`: of names that have none */
    unsigned timeout_ms;
    uint64_t began, until, patience; /* monotonic ms */
    unsigned pause_ms;
    bool given_up;         /* no read waits for it any more */
    int leaves;            /* tries to delete it */
    struct http_call http; /* of the current or latest request */
    bool deletes, is_page; /* what it was; whether it brought a page */
    struct buf path;       /* of the next page; empty: none */
    struct trino_reply reply;
    struct pause pause;
    struct wake resumed;
    struct wait wait;
    bool held;
};

static struct next query_due(struct flow *f), request_due(struct flow *f),
    request_answered(struct flow *f), page_fetched(struct flow *f),
    page_due(struct flow *f), query_left(struct flow *f),
    query_deleted(struct flow *f), cluster_awaited(struct flow *f);

static const char unavailable[] = "The Trino cluster is not available.";

/* ---- the life of a source and of a query --------------------------------- */

static void trino_release(struct trino_source *s)
{
    if (--s->holders)
        return;
    explicit_bzero(s->headers, s->headers_len);
    mem_free(s->base);
    mem_free(s->catalog);
    mem_free(s->schema);
    mem_free(s->ca_file);
    mem_free(s->pem);
    mem_free(s->headers);
    mem_free(s->lines);
    mem_free(s);
}

static void query_free(struct trino_query *q)
{
    if (q->flow || q->framed)
        return;
    trino_reply_done(&q->reply);
    buf_done(&q->path);
    mem_free(q->sql);
    mem_free(q->schema);
    trino_release(q->source);
    mem_free(q);
}

/* The read's result is known. */
static void query_answer(struct trino_query *q, enum err how)
{
    struct read *r = q->read;
    if (!r)
        return;
    q->read = NULL;
    r->elapsed_ms = (unsigned)(clock_ms() - q->began);
    r->n_columns = q->reply.n_columns;
    r->n_rows = q->reply.n_rows;
    r->more_rows = q->reply.more_rows;
    r->cut_values = q->reply.cut_values;
    op_complete(&r->op, how);
}

static void query_fails(struct trino_query *q, enum err how,
                        const char *sqlstate, struct str message)
{
    struct read *r = q->read;
    if (!r)
        return;
    while (message.len && message.ptr[message.len - 1] == '.')
        message.len--; /* callers write sentences around it */
    snprintf(r->sqlstate, sizeof r->sqlstate, "%s", sqlstate);
    r->message = message;
    query_answer(q, how);
}

static void query_unavailable(struct trino_query *q, const char *why)
{
    struct trino_source *s = q->source;
    if (!q->read)
        return;
    snprintf(s->problem, sizeof s->problem, "%s%s%s", unavailable,
             *why ? " " : "", why);
    log_line(LOG_WARN, "trino", "%s", s->problem);
    query_fails(q, ERR_DATABASE_UNAVAILABLE, "", str_of(s->problem));
}

/* ---- requests ------------------------------------------------------------ */

/* The session of a query: the cluster itself ends one that takes too long, in
 * case that this process is gone. */
static size_t put_headers(struct arena *arena, const struct trino_query *q,
                          struct str **out)
{
    const struct trino_source *s = q->source;
    size_t n = s->n_lines;
    struct str *lines = *out = arena_new_array(arena, struct str, n + 2);
    memcpy(lines, s->lines, n * sizeof *lines);
    if (q->schema[0])
        lines[n++] = arena_printf(arena, "X-Trino-Schema: %s", q->schema);
    lines[n++] = arena_printf(arena, "X-Trino-Session: query_max_run_time=%us",
                              q->timeout_ms / 1000 + SPARE_S);
    return n;
}

/* A subflow; its locals are the query. It never fails: q->http says how it
 * went. */
static struct next request_due(struct flow *f)
{
    struct trino_query *q = locals(f, struct trino_query);
    const struct trino_source *s = q->source;
    bool first = !q->path.len;
    struct str *headers;
    size_t n_headers = put_headers(flow_here(f), q, &headers);
    uint64_t now = clock_ms();
    unsigned left = q->until > now ? (unsigned)(q->until - now) : 1;
    unsigned most = q->deletes ? LEAVE_MS : left < PAGE_MS ? left : PAGE_MS;
    q->http = (struct http_call){
        .method = q->deletes ? "DELETE"
                  : first    ? "POST"
                             : "GET",
        .url = arena_printf(
            flow_here(f), "%s%.*s", s->base,
            STR_ARG(first ? STR("/v1/statement") : buf_view(&q->path))),
        .headers = headers,
        .n_headers = n_headers,
        .body = first ? str_of(q->sql) : STR(""),
        .first_ms = most,
        .idle_ms = most,
        .total_ms = most,
        .trust = &s->trust,
        .max_bytes = PAGE_BYTES};
    q->is_page = false;
    http_call_begin(f, &q->http);
    op_tolerate(&q->http.op);
    return await(f, request_answered);
}

/* The page is taken here, while its bytes live. */
static struct next request_answered(struct flow *f)
{
    struct trino_query *q = locals(f, struct trino_query);
    const struct http_call *h = &q->http;
    if (!q->deletes && h->op.status == OK && h->status == 200) {
        q->is_page = true;
        trino_reply_take(&q->reply, buf_view(&h->reply));
    }
    return back(f);
}

static struct next query_due(struct flow *f)
{
    struct trino_query *q = locals(f, struct trino_query);
    return call(f, request_due, q, page_fetched);
}

/* ---- answers ------------------------------------------------------------- */

/* Busy, restarting, or lost on the way. */
static bool is_passing(const struct trino_query *q)
{
    const struct http_call *h = &q->http;
    int status = h->status;
    bool busy =
        status == 429 || status == 502 || status == 503 || status == 504;
    return h->op.status == ERR_BAD_GATEWAY || (h->op.status == OK && busy) ||
           (q->is_page && q->reply.fault == TRINO_STARTING);
}

/* Why a request got no page. */
static const char *request_problem(struct arena *arena,
                                   const struct trino_query *q)
{
    const struct http_call *h = &q->http;
    if (q->reply.fault == TRINO_STARTING)
        return "It is still starting.";
    if (h->op.status != OK)
        return arena_printf(arena, "It could not be reached: %s.",
                            h->detail[0] ? h->detail : err_name(h->op.status))
            .ptr;
    if (h->status == 401)
        return "It does not accept the user's password or token.";
    if (h->status == 403)
        return "It refuses this user.";
    return arena_printf(arena, "It answered with HTTP status %d.", h->status)
        .ptr;
}

/* The limits of an error as those of a database (db/read.h). */
static void query_failed_there(struct trino_query *q)
{
    static const struct {
        enum err err;
        const char *sqlstate;
    } errors[] = {[TRINO_SQL] = {ERR_SQL_FAILED, "42000"},
                  [TRINO_DATA] = {ERR_SQL_FAILED, "22000"},
                  [TRINO_DENIED] = {ERR_SQL_FAILED, "42501"},
                  [TRINO_TIMEOUT] = {ERR_TIMEOUT, "57014"},
                  [TRINO_STOPPED] = {ERR_SQL_FAILED, "57014"},
                  [TRINO_LIMIT] = {ERR_SQL_FAILED, "53200"},
                  [TRINO_FAILED] = {ERR_SQL_FAILED, "58000"}};
    query_fails(q, errors[q->reply.fault].err, errors[q->reply.fault].sqlstate,
                buf_view(&q->reply.message));
}

/* Takes the address of the next page. False: it leads elsewhere. */
static bool take_next(struct trino_query *q)
{
    struct str uri = buf_view(&q->reply.next_uri);
    struct str path = trino_same_origin(str_of(q->source->base), uri);
    buf_clear(&q->path);
    if (uri.len && !path.ptr)
        return false;
    buf_str(&q->path, path);
    return true;
}

static struct next query_leaves(struct flow *f, struct trino_query *q)
{
    return q->path.len ? go(f, query_left) : back(f);
}

static struct next query_pauses(struct flow *f, struct trino_query *q)
{
    int64_t asked = q->http.retry_after_ms;
    uint64_t left = q->patience - clock_ms();
    unsigned ms = q->pause_ms;
    if (asked > ms)
        ms = asked < PAUSE_MOST_MS ? (unsigned)asked : PAUSE_MOST_MS;
    if (ms > left)
        ms = (unsigned)left; /* then it is said that the cluster is away */
    q->pause_ms =
        2 * q->pause_ms < PAUSE_MOST_MS ? 2 * q->pause_ms : PAUSE_MOST_MS;
    q->pause = (struct pause){0};
    pause_begin(f, &q->pause, ms);
    op_tolerate(&q->pause.op); /* when given up: the query is yet to delete */
    return await(f, cluster_awaited);
}

static struct next page_missing(struct flow *f, struct trino_query *q)
{
    bool timed_out = clock_ms() >= q->until;
    if (!q->given_up && is_passing(q) && clock_ms() < q->patience) {
        return query_pauses(f, q);
    }
    if (!q->given_up && q->http.op.status == ERR_TIMEOUT && !timed_out &&
        q->path.len)
        return go(f, page_due);
    if (timed_out && q->path.len)
        query_fails(q, ERR_TIMEOUT, "57014", STR(""));
    else
        query_unavailable(q, request_problem(flow_here(f), q));
    return query_leaves(f, q);
}

static struct next page_fetched(struct flow *f)
{
    struct trino_query *q = locals(f, struct trino_query);
    if (!q->is_page || q->reply.fault == TRINO_STARTING)
        return page_missing(f, q);
    if (q->reply.problem) {
        query_unavailable(q, "It sent no valid answer.");
        log_line(LOG_WARN, "trino", "a page: %s", q->reply.problem);
        return query_leaves(f, q);
    }
    q->pause_ms = PAUSE_MS;
    if (!take_next(q)) {
        query_unavailable(q, "It sends its clients on to another address. A "
                             "proxy before it must pass on the host and the "
                             "scheme that were asked.");
        return back(f);
    }
    if (q->reply.fault != TRINO_FINE)
        query_failed_there(q);
    else if (trino_reply_is_full(&q->reply) || !q->path.len)
        query_answer(q, OK);
    if (!q->read || q->given_up)
        return query_leaves(f, q);
    return go(f, page_due);
}

/* Waits while the reader cannot take more. */
static struct next page_due(struct flow *f)
{
    struct trino_query *q = locals(f, struct trino_query);
    if (q->held && !q->given_up && clock_ms() < q->until) {
        q->wait = (struct wait){0};
        wait_begin(f, &q->wait, &q->resumed, q->until - clock_ms());
        return await(f, page_due);
    }
    if (q->given_up)
        return query_leaves(f, q);
    return call(f, request_due, q, page_fetched);
}

static struct next cluster_awaited(struct flow *f)
{
    struct trino_query *q = locals(f, struct trino_query);
    if (!q->given_up && clock_ms() >= q->patience)
        query_unavailable(q, request_problem(flow_here(f), q));
    if (q->given_up || !q->read)
        return query_leaves(f, q);
    q->reply.fault = TRINO_FINE;
    return q->path.len ? go(f, page_due) : go(f, query_due);
}

/* ---- the end of a query that was not read to its end --------------------- */

static struct next query_left(struct flow *f)
{
    struct trino_query *q = locals(f, struct trino_query);
    q->deletes = true;
    q->leaves++;
    return call(f, request_due, q, query_deleted);
}

static struct next query_deleted(struct flow *f)
{
    const struct trino_query *q = locals(f, struct trino_query);
    bool good = q->http.op.status == OK && q->http.status < 500;
    if (!good && q->leaves < LEAVE_TRIES)
        return go(f, query_left);
    if (!good)
        log_line(LOG_WARN, "trino",
                 "a query could not be cancelled; the cluster ends it by "
                 "itself");
    return back(f);
}

static void query_ended(struct flow *f, enum err how, void *who)
{
    struct trino_query *q = who;
    q->flow = NULL;
    if (q->read && how == OK)
        how = ERR_INTERNAL;
    if (q->read && failure_text(f).len)
        log_line(LOG_WARN, "trino", "%.*s", STR_ARG(failure_text(f)));
    query_answer(q, how);
    query_free(q);
}

/* ---- the op -------------------------------------------------------------- */

static void read_framed(void *what)
{
    struct read *r = what;
    struct trino_query *q = r->state;
    r->state = NULL;
    if (!q)
        return;
    q->framed = false;
    query_free(q);
}

/* The flow goes on until the query has been deleted. A request for a page ends
 * at once; the first one goes on, because its answer says what to delete. */
static void read_given_up(struct op *op)
{
    struct trino_query *q = ((struct read *)op)->state;
    q->given_up = true;
    q->held = false;
    if (q->path.len)
        op_cancel(&q->http.op);
    op_cancel(&q->pause.op);
    wake_up(&q->resumed);
    query_answer(q, ERR_CANCELLED);
}

static void on_reply_row(void *who, const struct str *cells, int n)
{
    struct trino_query *q = who;
    if (!q->read)
        return;
    q->read->n_columns = q->reply.n_columns;
    q->read->options.on_row(q->read, cells, n);
}

/* As Trino reads it, on the heap; NULL with *why. */
static char *query_text(struct str sql, struct buf *why)
{
    struct arena arena;
    struct str text, problem;
    arena_init(&arena, 0);
    bool good = trino_sql(&arena, sql, &text, &problem);
    char *out = good ? mem_copy(text.ptr ? text.ptr : "", text.len) : NULL;
    if (!good)
        buf_str(why, problem);
    arena_done(&arena);
    return out;
}

static struct next query_unwritable(struct flow *f)
{
    struct trino_query *q = locals(f, struct trino_query);
    query_fails(q, ERR_SQL_FAILED, "42000", buf_view(&q->reply.message));
    return back(f);
}

static void trino_read_begin(struct flow *f, struct read *r)
{
    const struct read_options *o = &r->options;
    defer(f, read_framed, r);
    struct trino_query *q = r->state = mem_new(struct trino_query);
    q->read = r;
    q->source = (struct trino_source *)o->source;
    q->source->holders++;
    q->framed = true;
    q->began = clock_ms();
    q->timeout_ms = o->timeout_ms ? o->timeout_ms : 30000;
    q->until = q->began + q->timeout_ms;
    q->patience = q->began + (o->patient ? q->timeout_ms : BUSY_MS);
    q->pause_ms = PAUSE_MS;
    q->reply.max_rows = o->max_rows > 0 ? o->max_rows : 1000;
    q->reply.max_bytes = o->max_bytes ? o->max_bytes : 16 * 1024 * 1024;
    q->reply.on_row = o->on_row ? on_reply_row : NULL;
    q->reply.who = q;
    struct str schema = o->own               ? str_of(q->source->schema)
                        : o->search_path.len ? o->search_path
                                             : STR("public");
    q->schema = mem_copy(schema.ptr, schema.len);
    q->sql = query_text(o->sql, &q->reply.message);
    begin(f, &r->op, "read", read_given_up);
    op_deadline(&r->op, q->timeout_ms + 1000);
    q->flow =
        flow_start_named(q->sql ? query_due : query_unwritable, "query_due", q,
                         &(struct flow_options){.kind = "trino",
                                                .memory_limit = MEMORY,
                                                .on_end = query_ended,
                                                .who = q});
}

/* ---- rows ---------------------------------------------------------------- */

static struct str *trino_read_names(const struct read *r, struct arena *arena)
{
    const struct trino_reply *reply = &((struct trino_query *)r->state)->reply;
    int n = reply->n_columns;
    struct str *names = arena_new_array(arena, struct str, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        names[i] = utf8_repair(arena, reply->columns[i].name);
    trino_unique_names(arena, names, n);
    return names;
}

static struct str *trino_read_types(const struct read *r, struct arena *arena)
{
    const struct trino_reply *reply = &((struct trino_query *)r->state)->reply;
    struct str *types =
        arena_new_array(arena, struct str, (size_t)reply->n_columns + 1);
    for (int i = 0; i < reply->n_columns; i++)
        types[i] = reply->columns[i].type;
    return types;
}

static size_t trino_read_n_cells(const struct read *r)
{
    return ((struct trino_query *)r->state)->reply.n_kept;
}

static struct str trino_read_cell(const struct read *r, size_t i)
{
    return trino_reply_cell(&((struct trino_query *)r->state)->reply, i);
}

static void trino_read_hold(struct read *r, bool held)
{
    struct trino_query *q = r->state;
    if (!q || q->held == held)
        return;
    q->held = held;
    if (!held)
        wake_up(&q->resumed);
}

/* ---- the source ---------------------------------------------------------- */

static const char *trino_problem(const struct source *source)
{
    return ((const struct trino_source *)source)->problem;
}

static const struct source_engine trino_engine = {
    .dialect = DIALECT_TRINO,
    .name = "Trino",
    .unavailable = unavailable,
    .read_begin = trino_read_begin,
    .read_names = trino_read_names,
    .read_types = trino_read_types,
    .read_n_cells = trino_read_n_cells,
    .read_cell = trino_read_cell,
    .read_hold = trino_read_hold,
    .problem = trino_problem};

static char *finished(struct buf *b)
{
    char *copy = mem_copy(b->ptr ? b->ptr : "", b->len);
    if (b->ptr)
        explicit_bzero(b->ptr, b->len);
    buf_done(b);
    return copy;
}

static void set_lines(struct trino_source *s, size_t n)
{
    const char *at = s->headers;
    s->lines = mem_new_array(struct str, n + 1);
    for (s->n_lines = 0; s->n_lines < n; s->n_lines++) {
        s->lines[s->n_lines] = str_of(at);
        at += s->lines[s->n_lines].len + 1;
    }
}

struct source *trino_open(const struct trino_options *options)
{
    struct trino_source *s = mem_new(struct trino_source);
    struct buf base = {0}, headers = {0};
    size_t n;
    s->holders = 1;
    s->catalog = mem_copy(options->catalog.ptr, options->catalog.len);
    s->source = (struct source){.engine = &trino_engine,
                                .tables = {"", 0},
                                .catalog = {s->catalog, options->catalog.len}};
    trino_base(&base, options);
    s->base = finished(&base);
    s->schema = mem_copy(options->schema.ptr ? options->schema.ptr : "",
                         options->schema.len);
    trino_headers(&headers, options, &n);
    s->headers_len = headers.len;
    s->headers = finished(&headers);
    set_lines(s, n);
    s->trust = options->trust;
    s->pem = mem_copy(options->trust.pem.ptr ? options->trust.pem.ptr : "",
                      options->trust.pem.len);
    s->trust.pem.ptr = s->pem;
    if (options->trust.ca_file) {
        struct str file = str_of(options->trust.ca_file);
        s->trust.ca_file = s->ca_file = mem_copy(file.ptr, file.len);
    }
    return &s->source;
}

void trino_close(struct source **source)
{
    trino_release((struct trino_source *)*source);
    *source = NULL;
}
