/* span.c - begins and ends spans, and queues their records in batches. A record
 * is written straight into the last batch, so a span costs no allocation of its
 * own. */
#include "base/span.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include <assert.h>
#include <string.h>
#include "base/banned.h"

enum {
    BYTES_MOST = 16 * 1024 * 1024, /* of all batches */
    BATCH_BYTES = 1024 * 1024,
    CLOCK_STEP_US =
        50 * 1000, /* the wall clock was set when it is off by more */
    STATUS_ERROR = 2,
};

static struct span_queue {
    struct span_queue_options options;
    struct span_batch *first, *last; /* `last` takes records */
    size_t n, bytes;                 /* with those that are being sent */
    struct span_counts counts;
    struct json_writer writer;
    bool open;
} queue;

/* ---- spans --------------------------------------------------------------- */

void span_begin_as(struct span *s, const struct trace *own)
{
    *s = (struct span){.trace = *own, .began_us = clock_us(), .open = true};
}

void span_begin(struct span *s, const struct trace *parent)
{
    struct trace own = {0};
    if (parent && *parent->trace_id)
        trace_child(&own, parent);
    span_begin_as(s, &own);
}

const struct trace *span_trace(const struct span *s)
{
    return *s->trace.trace_id ? &s->trace : NULL;
}

bool span_is_recorded(const struct span *s)
{
    return queue.open && s->open && *s->trace.trace_id && s->trace.sampled;
}

bool span_content(void)
{
    return queue.open && queue.options.content;
}

/* ---- batches ------------------------------------------------------------- */

static struct span_batch *add_batch(void)
{
    struct span_batch *b = mem_new(struct span_batch);
    if (queue.last)
        queue.last->next = b;
    else
        queue.first = b;
    queue.last = b;
    return b;
}

static bool is_full(const struct span_batch *b)
{
    return b->n >= queue.options.batch || b->whole >= BATCH_BYTES;
}

/* The batch that takes the next record; NULL: there is no room. */
static struct span_batch *open_batch(void)
{
    if (queue.n >= queue.options.most || queue.bytes >= BYTES_MOST) {
        queue.counts.dropped++;
        return NULL;
    }
    struct span_batch *b = queue.last;
    if (!b || is_full(b))
        b = add_batch();
    b->records.len = b->whole; /* drops a record that was not closed */
    return b;
}

struct span_batch *span_batch_take(void)
{
    struct span_batch *b = queue.first;
    if (!b)
        return NULL;
    queue.first = b->next;
    if (!queue.first)
        queue.last = NULL;
    b->next = NULL;
    return b;
}

void span_batch_done(struct span_batch **at, size_t lost)
{
    struct span_batch *b = *at;
    *at = NULL;
    lost = lost < b->n ? lost : b->n;
    queue.counts.failed += lost;
    queue.counts.exported += b->n - lost;
    queue.n -= b->n;
    queue.bytes -= b->whole;
    buf_done(&b->records);
    mem_free(b);
}

/* ---- records ------------------------------------------------------------- */

/* The wall clock less the monotonic one. It stays the same while no one sets
 * the wall clock, so that a child never ends after its parent. */
static int64_t clock_offset_us(void)
{
    static int64_t offset;
    int64_t now = clock_wall_ms() * 1000 - (int64_t)clock_us();
    if (now - offset > CLOCK_STEP_US || offset - now > CLOCK_STEP_US)
        offset = now;
    return offset;
}

static void put_time(struct json_writer *w, const char *key, int64_t us)
{
    json_put_key(w, key);
    buf_char(w->out, '"');
    buf_int(w->out, us);
    buf_text(w->out, "000\"");
    w->comma = true;
}

static void put_ids(struct json_writer *w, const struct trace *t)
{
    json_field_text(w, "traceId", t->trace_id);
    json_field_text(w, "spanId", t->span_id);
    if (*t->parent_id)
        json_field_text(w, "parentSpanId", t->parent_id);
    json_field_int(w, "flags", 1);
}

static void put_status(struct json_writer *w, const char *error)
{
    if (!error)
        return;
    json_field_object(w, "status");
    json_field_int(w, "code", STATUS_ERROR);
    json_put_object_end(w);
}

struct json_writer *span_end(struct span *s, enum span_kind kind,
                             struct str name, const char *error)
{
    bool recorded = span_is_recorded(s);
    s->open = false;
    struct span_batch *b = recorded ? open_batch() : NULL;
    if (!b)
        return NULL;
    int64_t offset = clock_offset_us();
    struct json_writer *w = &queue.writer;
    json_writer_init(w, &b->records);
    w->comma = b->n > 0;
    json_put_object(w);
    put_ids(w, &s->trace);
    json_field_str(w, "name", utf8_first(name, 128));
    json_field_int(w, "kind", (int64_t)kind);
    put_time(w, "startTimeUnixNano", offset + (int64_t)s->began_us);
    put_time(w, "endTimeUnixNano", offset + (int64_t)clock_us());
    put_status(w, error);
    json_field_array(w, "attributes");
    if (error)
        span_put_text(w, "error.type", str_of(error));
    return w;
}

void span_close(struct json_writer *w)
{
    struct span_batch *b = queue.last;
    json_put_array_end(w);
    json_put_object_end(w);
    queue.bytes += b->records.len - b->whole;
    b->whole = b->records.len;
    b->n++;
    queue.n++;
    if (is_full(b) && queue.options.on_batch)
        queue.options.on_batch(queue.options.who);
}

static void put_attribute(struct json_writer *w, const char *key,
                          const char *type)
{
    json_put_object(w);
    json_field_text(w, "key", key);
    json_field_object(w, "value");
    json_put_key(w, type);
}

static void put_attribute_end(struct json_writer *w)
{
    json_put_object_end(w);
    json_put_object_end(w);
}

void span_put_text(struct json_writer *w, const char *key, struct str text)
{
    if (!text.len)
        return;
    put_attribute(w, key, "stringValue");
    json_put_str(w, str_cut(text, 0, SPAN_TEXT_MOST));
    put_attribute_end(w);
}

void span_put_int(struct json_writer *w, const char *key, int64_t n)
{
    put_attribute(w, key, "intValue");
    buf_char(w->out, '"');
    buf_int(w->out, n);
    buf_char(w->out, '"');
    w->comma = true;
    put_attribute_end(w);
}

void span_put_real(struct json_writer *w, const char *key, double n)
{
    put_attribute(w, key, "doubleValue");
    json_put_real(w, n);
    put_attribute_end(w);
}

void span_put_word_list(struct json_writer *w, const char *key,
                        const char *word)
{
    put_attribute(w, key, "arrayValue");
    json_put_object(w);
    json_field_array(w, "values");
    json_put_object(w);
    json_field_text(w, "stringValue", word);
    json_put_object_end(w);
    json_put_array_end(w);
    json_put_object_end(w);
    put_attribute_end(w);
}

/* ---- open and close ------------------------------------------------------ */

void span_queue_open(const struct span_queue_options *options)
{
    assert(!queue.open);
    queue.options = *options;
    queue.open = true;
}

void span_queue_close(void)
{
    for (struct span_batch *b; (b = span_batch_take());)
        span_batch_done(&b, b->n);
    queue.open = false;
}

struct span_counts span_counts(void)
{
    struct span_counts c = queue.counts;
    c.waiting = queue.n;
    return c;
}
