/* listen.c - see listen.h. The happy path: on_up sends LISTEN, its answer puts
 * it into effect, and from then on a heartbeat is sent after each pause; its
 * answer must come before the connection stops resting. */
#include "db/listen.h"
#include "back_off.h"
#include "base/compiler.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "connection.h"
#include <stddef.h>
#include <string.h>
#include "base/banned.h"

enum { SETTLED_MS = 1000 };

struct listener {
    struct listener_options options;
    char *conninfo;
    struct buf sql; /* the LISTEN statements */
    /* NULL: it waits before it connects again */
    struct pg_connection *connection;
    struct timer timer; /* for the next attempt or heartbeat */
    bool up, away;
    uint64_t up_since;
    unsigned failures;
};

static struct listener *listener_of_timer(struct timer *t)
{
    return container_of(t, struct listener, timer);
}

static void on_heartbeat(struct timer *t)
{
    struct listener *l = listener_of_timer(t);
    connection_query(l->connection, "select 1");
    connection_rest(l->connection, l->options.heartbeat_ms / 3);
}

static void on_up(struct pg_connection *c)
{
    struct listener *l = c->who;
    connection_query(c, buf_cstr(&l->sql));
    connection_rest(c, l->options.connect_ms);
}

static void listener_holds(struct listener *l)
{
    l->up = true;
    l->up_since = clock_ms();
    if (l->away)
        log_line(LOG_INFO, "listening again", "%s", "");
    l->away = false;
    l->options.on_relisten(l->options.who);
}

static void on_result(struct pg_connection *c, PGresult *r)
{
    struct listener *l = c->who;
    if (r && PQresultStatus(r) == PGRES_FATAL_ERROR)
        connection_fail(c, PQresultErrorMessage(r));
    PQclear(r);
    if (r || c->failing)
        return;
    connection_settle(c);
    timer_start(&l->timer, l->options.heartbeat_ms, on_heartbeat);
    if (!l->up)
        listener_holds(l);
}

static void on_notified(struct pg_connection *c, const char *channel,
                        const char *payload)
{
    struct listener *l = c->who;
    l->options.on_notify(l->options.who, str_of(channel), str_of(payload));
}

static void listener_connect(struct listener *l);

static void on_retry(struct timer *t)
{
    listener_connect(listener_of_timer(t));
}

static void on_lost(struct pg_connection *c)
{
    struct listener *l = c->who;
    bool settled = l->up && clock_ms() - l->up_since >= SETTLED_MS;
    l->connection = NULL;
    l->up = false;
    if (settled)
        l->failures = 0;
    if (!l->away)
        log_line(LOG_WARN, "not listening", "%s", c->why);
    l->away = true;
    timer_start(&l->timer,
                settled ? 0 : back_off_ms(&l->failures, BACK_OFF_MOST_MS),
                on_retry);
}

static const struct connection_events events = {
    .up = on_up, .result = on_result, .notified = on_notified, .lost = on_lost};

static void listener_connect(struct listener *l)
{
    l->connection = connection_open(
        &(struct connection_options){.name = "listen",
                                     .conninfo = l->conninfo,
                                     .connect_ms = l->options.connect_ms,
                                     .events = &events,
                                     .who = l});
}

static void listen_append(struct buf *sql, const char *channel)
{
    buf_text(sql, "listen \"");
    for (; *channel; channel++) {
        if (*channel == '"')
            buf_char(sql, '"');
        buf_char(sql, *channel);
    }
    buf_text(sql, "\";");
}

struct listener *listener_open(const struct listener_options *options)
{
    struct listener *l = mem_new(struct listener);
    l->options = *options;
    l->conninfo = mem_copy(options->conninfo, strlen(options->conninfo));
    if (!l->options.connect_ms)
        l->options.connect_ms = 5000;
    if (!l->options.heartbeat_ms)
        l->options.heartbeat_ms = 30000;
    buf_init(&l->sql, NULL);
    for (const char *const *at = options->channels; *at; at++)
        listen_append(&l->sql, *at);
    listener_connect(l);
    return l;
}

void listener_close(struct listener **listener)
{
    struct listener *l = *listener;
    *listener = NULL;
    timer_stop(&l->timer);
    if (l->connection)
        connection_close(l->connection);
    explicit_bzero(l->conninfo, strlen(l->conninfo));
    mem_free(l->conninfo);
    buf_done(&l->sql);
    mem_free(l);
}

bool listener_is_up(const struct listener *l)
{
    return l->up;
}
