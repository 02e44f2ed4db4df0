/* http_exchange.c - the life of an exchange, and what a handler can ask of
 * it. */
#include "http_connection.h"
#include "base/compiler.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/random.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum { SPARES = 64, SPARE_BYTES = 8192, REQUEST_ID_MAX = 64 };

/* ---- life --------------------------------------------------------------- */

struct exchange *http_exchange_new(struct http_connection *c)
{
    struct http_server *s = c->server;
    struct exchange *e = s->spare;
    struct arena arena;
    if (e) {
        s->spare = e->next;
        s->spares--;
        arena = e->face.arena;
    } else {
        e = mem_new(struct exchange);
        arena_init(&arena, 0);
    }
    *e = (struct exchange){.server = s, .connection = c};
    e->face.arena = arena;
    e->face.started_ms = clock_ms();
    buf_init(&e->body, NULL);
    buf_init(&e->headers, &e->face.arena);
    s->exchanges++;
    return e;
}

void http_exchange_free(struct exchange *e)
{
    struct http_server *s = e->server;
    buf_done(&e->body);
    if (s->spares < SPARES && e->face.arena.total <= SPARE_BYTES) {
        arena_reset(&e->face.arena, (struct arena_mark){0});
        e->next = s->spare;
        s->spare = e;
        s->spares++;
    } else {
        arena_done(&e->face.arena);
        mem_free(e);
    }
    http_server_exchange_freed(s);
}

void http_exchange_free_ended(struct http_server *s)
{
    while (s->ended) {
        struct exchange *e = s->ended;
        s->ended = e->next;
        http_exchange_free(e);
    }
}

static void count_response(const struct exchange *e)
{
    struct http_counts *counts = &e->server->counts;
    unsigned hundreds = (unsigned)e->status / 100;
    counts->status[hundreds < 6 ? hundreds : 0]++;
    counts->bytes += e->sent;
    counts->cut += e->cut;
}

void http_exchange_end(struct exchange *e)
{
    assert(!e->ended && "an exchange is ended once");
    struct http_server *s = e->server;
    e->ended = e->answered = true;
    e->connection = NULL;
    e->next = s->ended;
    s->ended = e;
    count_response(e);
    if (s->options.on_ended && !s->closing)
        s->options.on_ended(&e->face, e->status, s->options.who);
    http_access_log(e);
    if (s->closing)
        http_server_wake(s);
}

void http_exchange_disconnected(struct exchange *e)
{
    e->connection = NULL;
    e->cut = true;
    if (e->body_comes)
        body_stream_break(e, ERR_CANCELLED, STR("The client disconnected."));
    if (!e->handed)
        http_exchange_free(e);
    else if (e->face.on_gone)
        e->face.on_gone(&e->face);
}

/* ---- handing over ------------------------------------------------------- */

static bool request_id_valid(struct str id)
{
    for (size_t i = 0; i < id.len; i++) {
        char c = id.ptr[i];
        if (!str_is_alnum(c) && c != '.' && c != '_' && c != '-')
            return false;
    }
    return id.len >= 1 && id.len <= REQUEST_ID_MAX;
}

struct str http_exchange_request_id(struct exchange *e)
{
    struct str id = http_get_header(&e->face, "x-request-id");
    if (request_id_valid(id))
        return id;
    char *fresh = arena_alloc(&e->face.arena, UUID_SIZE);
    uuid_new(fresh);
    return (struct str){fresh, UUID_SIZE - 1};
}

void http_exchange_hand_over(struct exchange *e)
{
    struct http_exchange *x = &e->face;
    const struct http_server_options *options = &e->server->options;
    x->body = buf_view(&e->body);
    x->peer = arena_str(&x->arena, str_of(e->connection->peer));
    x->request_id = http_exchange_request_id(e);
    trace_begin(&x->trace, http_get_header(x, "traceparent"));
    e->head_only = str_is(x->method, "HEAD");
    e->handed = true;
    e->server->counts.requests++;
    if (str_is(x->path, "*")) {
        http_set_header(x, "Allow",
                        STR("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"));
        http_reply(x, 204, NULL, (struct str){0});
        return;
    }
    options->on_request(x, options->who);
}

/* ---- reading it --------------------------------------------------------- */

struct str http_get_header(const struct http_exchange *x, const char *name)
{
    struct str wanted = str_of(name);
    for (size_t i = 0; i < x->n_headers; i++) {
        if (str_eq_nocase(x->headers[i].name, wanted))
            return x->headers[i].value;
    }
    return (struct str){0};
}

bool http_get_query(struct http_exchange *x, const char *name, struct str *out)
{
    struct str rest = x->query, pair, key;
    while (str_split(&rest, '&', &pair)) {
        struct str value = pair;
        str_split(&value, '=', &key);
        if (http_percent_decode(&x->arena, key, true, &key) &&
            str_is(key, name))
            return http_percent_decode(&x->arena, value, true, out);
    }
    return false;
}

bool http_disconnected(const struct http_exchange *x)
{
    const struct exchange *e = container_of(x, struct exchange, face);
    return !e->connection && !e->ended;
}

bool http_answered(const struct http_exchange *x)
{
    return container_of(x, struct exchange, face)->answered;
}

bool http_ended(const struct http_exchange *x)
{
    return container_of(x, struct exchange, face)->ended;
}

/* ---- ending it without a response --------------------------------------- */

void http_abort(struct http_exchange *x)
{
    struct exchange *e = container_of(x, struct exchange, face);
    struct http_connection *c = e->connection;
    if (c) {
        c->exchange = NULL;
        http_connection_reset(c);
    }
    e->cut = true;
    http_exchange_end(e);
}
