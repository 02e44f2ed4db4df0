/* body_stream.c - what lies between the parser and the reader of a streamed
 * body: the bytes that were not taken, and its end. */
#include "http_connection.h"
#include "base/compiler.h"
#include <assert.h>
#include "base/banned.h"

static size_t untaken(const struct exchange *e)
{
    return e->body.len - e->stream.taken;
}

/* ---- for the connection ------------------------------------------------- */

void body_stream_arrived(struct exchange *e, size_t bytes)
{
    e->stream.arrived += bytes;
    if (bytes)
        wake_up(&e->stream.wake);
}

void body_stream_whole(struct exchange *e)
{
    e->body_comes = false;
    wake_up(&e->stream.wake);
}

void body_stream_break(struct exchange *e, enum err how, struct str why)
{
    if (e->stream.broken == OK || how == ERR_CANCELLED) {
        e->stream.broken = how;
        e->stream.why = why;
    }
    wake_up(&e->stream.wake);
}

bool body_stream_takes(const struct exchange *e)
{
    return e->stream.broken == OK && untaken(e) < STREAM_BYTES;
}

/* ---- for the reader ----------------------------------------------------- */

int64_t body_stream_length(const struct http_exchange *x)
{
    return container_of(x, const struct exchange, face)->stream.length;
}

struct str body_stream_bytes(const struct http_exchange *x)
{
    const struct exchange *e = container_of(x, const struct exchange, face);
    return str_from(buf_view(&e->body), e->stream.taken);
}

void body_stream_take(struct http_exchange *x, size_t n)
{
    struct exchange *e = container_of(x, struct exchange, face);
    assert(n <= untaken(e));
    e->stream.taken += n;
    if (!untaken(e)) {
        buf_clear(&e->body);
        e->stream.taken = 0;
    } else if (e->stream.taken >= STREAM_BYTES) {
        buf_drop(&e->body, e->stream.taken);
        e->stream.taken = 0;
    }
    if (e->connection && e->body_comes)
        http_connection_touch(e->connection);
}

bool body_stream_is_whole(const struct http_exchange *x)
{
    const struct exchange *e = container_of(x, const struct exchange, face);
    return !e->body_comes;
}

enum err body_stream_broken(const struct http_exchange *x, struct str *why)
{
    const struct exchange *e = container_of(x, const struct exchange, face);
    *why = e->stream.why;
    return e->stream.broken;
}

void body_stream_wait(struct flow *f, struct wait *w, struct http_exchange *x)
{
    struct exchange *e = container_of(x, struct exchange, face);
    if (e->connection && e->body_comes && !e->body.len)
        http_connection_continue(e->connection);
    wait_begin(f, w, &e->stream.wake, 0);
}
