/* neo4j.c - statements to a Neo4j server; see neo4j.h.
 *
 *   neo4j_query_begin -> statement_answered -> back
 *
 * Whatever Neo4j answers is untrusted: it is read with limits, and callers take
 * from it only what they can check. */
#include "neo4j.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "base/mem.h"
#include "base/one_line.h"
#include "store/graph_search.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

static struct next statement_answered(struct flow *f);

enum {
    CONNECT_MS = 1000,
    REPLY_BYTES = 8 * 1024 * 1024,
    FIRST_PAUSE_MS = 1000,
    LONGEST_PAUSE_MS = 30000,
};

struct neo4j {
    char *url;           /* of the statements */
    char *authorization; /* a header; NULL: none */
    uint64_t paused_until;
    unsigned pause_ms; /* the latest; 0: the last statement succeeded */
    size_t schema_of;  /* dimensions of the latest index, 0: none */
};

static char *authorization_header(struct arena *a,
                                  const struct neo4j_options *o)
{
    if (!o->password)
        return NULL;
    struct str both = arena_printf(a, "%s:%s", o->user, o->password);
    struct str header = arena_printf(a, "Authorization: Basic %.*s",
                                     STR_ARG(base64_encode(a, both)));
    return mem_copy(header.ptr, header.len);
}

struct neo4j *neo4j_new(const struct neo4j_options *o)
{
    if (!o->url)
        return NULL;
    struct arena a;
    arena_init(&a, 0);
    struct str base = str_of(o->url);
    while (base.len && base.ptr[base.len - 1] == '/')
        base.len--;
    struct str url =
        arena_printf(&a, "%.*s/db/%s/query/v2", STR_ARG(base), o->database);
    struct neo4j *n = mem_new(struct neo4j);
    n->url = mem_copy(url.ptr, url.len);
    n->authorization = authorization_header(&a, o);
    arena_done(&a);
    return n;
}

void neo4j_free(struct neo4j **at)
{
    struct neo4j *n = *at;
    *at = NULL;
    if (!n)
        return;
    mem_free(n->url);
    mem_free(n->authorization);
    mem_free(n);
}

bool neo4j_may_ask(const struct neo4j *n)
{
    return clock_ms() >= n->paused_until;
}

bool neo4j_has_schema(const struct neo4j *n, size_t dimensions)
{
    return n->schema_of == dimensions;
}

void neo4j_note_schema(struct neo4j *n, size_t dimensions)
{
    n->schema_of = dimensions;
}

/* Each failure in a row doubles the pause. An emptied server has lost the
 * schema, too. */
static void neo4j_pause(struct neo4j *n)
{
    n->pause_ms = n->pause_ms ? n->pause_ms * 2 : FIRST_PAUSE_MS;
    if (n->pause_ms > LONGEST_PAUSE_MS)
        n->pause_ms = LONGEST_PAUSE_MS;
    n->paused_until = clock_ms() + n->pause_ms;
    n->schema_of = 0;
}

/* ---- a statement -------------------------------------------------------- */

static void reply_forget(struct neo4j_query *q)
{
    json_decref(q->reply);
    q->reply = NULL;
    q->rows = NULL;
}

static void statement_done(void *what)
{
    struct neo4j_query *q = what;
    reply_forget(q);
    buf_done(&q->body);
}

void neo4j_query_init(struct flow *f, struct neo4j_query *q,
                      struct neo4j *neo4j)
{
    *q = (struct neo4j_query){.neo4j = neo4j};
    buf_init(&q->body, NULL);
    defer(f, statement_done, q);
}

struct json_writer *neo4j_statement(struct neo4j_query *q, const char *cypher)
{
    struct json_writer *w = &q->parameters;
    reply_forget(q);
    buf_clear(&q->body);
    json_writer_init(w, &q->body);
    json_put_object(w);
    json_field_text(w, "statement", cypher);
    json_field_object(w, "parameters");
    return w;
}

struct next neo4j_query_begin(struct flow *f)
{
    struct neo4j_query *q = locals(f, struct neo4j_query);
    struct neo4j *n = q->neo4j;
    struct str *headers = arena_new_array(flow_here(f), struct str, 3);
    size_t n_headers = 0;
    headers[n_headers++] = STR("Content-Type: application/json");
    headers[n_headers++] = STR("Accept: application/json");
    if (n->authorization)
        headers[n_headers++] = str_of(n->authorization);
    json_put_object_end(&q->parameters);
    json_put_object_end(&q->parameters);
    q->http = here(f, struct http_call);
    *q->http = (struct http_call){.method = "POST",
                                  .url = str_of(n->url),
                                  .headers = headers,
                                  .n_headers = n_headers,
                                  .body = buf_view(&q->body),
                                  .connect_ms = CONNECT_MS,
                                  .first_ms = q->total_ms,
                                  .idle_ms = q->total_ms,
                                  .total_ms = q->total_ms,
                                  .max_bytes = REPLY_BYTES};
    http_call_begin(f, q->http);
    op_tolerate(&q->http->op);
    return await(f, statement_answered);
}

/* The sentence of the first error. */
static struct str reply_problem(struct flow *f, const struct neo4j_query *q)
{
    const json_t *errors = json_object_get(q->reply, "errors");
    struct str said = json_get_text(json_array_get(errors, 0), "message");
    struct buf line;
    buf_init(&line, flow_here(f));
    one_line_put(&line, said, NEO4J_PROBLEM);
    return buf_view(&line);
}

static struct next statement_failed(struct flow *f, struct neo4j_query *q)
{
    const struct http_call *h = q->http;
    if (h->op.status == ERR_CANCELLED)
        return fail(f, ERR_CANCELLED);
    neo4j_pause(q->neo4j);
    if (h->op.status == ERR_TIMEOUT)
        return fail_because(f, ERR_UNAVAILABLE, "Neo4j did not answer in time");
    if (h->op.status != OK)
        return fail_because(f, ERR_UNAVAILABLE, "Neo4j cannot be reached: %s",
                            h->detail);
    if (h->status == 401 || h->status == 403)
        return fail_because(f, ERR_UNAVAILABLE,
                            "Neo4j refuses NEO4J_USER and NEO4J_PASSWORD");
    struct str said = reply_problem(f, q);
    if (h->status == 404 && !said.len)
        return fail_because(f, ERR_UNAVAILABLE,
                            "NEO4J_URI has no Query API, which Neo4j 5.19 and "
                            "later have");
    return fail_because(f, ERR_UNAVAILABLE, "Neo4j answered %d: %.*s",
                        h->status, STR_ARG(said));
}

static struct next statement_answered(struct flow *f)
{
    struct neo4j_query *q = locals(f, struct neo4j_query);
    const struct http_call *h = q->http;
    if (h->op.status == OK)
        q->reply = json_read(buf_view(&h->reply), NULL);
    const json_t *rows =
        json_object_get(json_object_get(q->reply, "data"), "values");
    if (h->op.status != OK || h->status / 100 != 2 || !json_is_array(rows))
        return statement_failed(f, q);
    q->neo4j->pause_ms = 0;
    q->rows = rows;
    return back(f);
}
