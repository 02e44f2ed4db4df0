/* trace.c - reads and writes `traceparent` headers. */
#include "base/trace.h"
#include "base/random.h"
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

/* version "-" trace-id "-" parent-id "-" flags */
enum { TRACE_AT = 3, SPAN_AT = 36, FLAGS_AT = 53 };

static bool is_hex(struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
            return false;
    }
    return true;
}

static bool is_zero(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] != '0')
            return false;
    return true;
}

/* Whether the fields are where they should be. Later versions may add fields
 * after the flags; version "ff" is invalid. */
static bool has_shape(struct str s)
{
    if (s.len < TRACEPARENT_SIZE - 1 || s.ptr[2] != '-' || s.ptr[35] != '-' ||
        s.ptr[52] != '-' || !is_hex(str_cut(s, 0, 2)) ||
        str_is(str_cut(s, 0, 2), "ff"))
        return false;
    if (s.len == TRACEPARENT_SIZE - 1)
        return true;
    return !str_is(str_cut(s, 0, 2), "00") && s.ptr[55] == '-';
}

bool trace_parse(struct trace *out, struct str traceparent)
{
    if (!has_shape(traceparent))
        return false;
    struct str id = str_cut(traceparent, TRACE_AT, TRACE_ID_SIZE - 1);
    struct str span = str_cut(traceparent, SPAN_AT, SPAN_ID_SIZE - 1);
    struct str flags = str_cut(traceparent, FLAGS_AT, 2);
    if (!is_hex(id) || !is_hex(span) || !is_hex(flags) || is_zero(id) ||
        is_zero(span))
        return false;
    *out = (struct trace){.sampled = strchr("13579bdf", flags.ptr[1]) != NULL};
    memcpy(out->trace_id, id.ptr, id.len);
    memcpy(out->span_id, span.ptr, span.len);
    return true;
}

static void put_random_id(char *out, size_t digits)
{
    uint8_t bytes[16];
    random_bytes(bytes, digits / 2);
    bytes[0] |= 1; /* all zeros is not an id */
    sodium_bin2hex(out, digits + 1, bytes, digits / 2);
}

void trace_child(struct trace *out, const struct trace *parent)
{
    *out = *parent;
    memcpy(out->parent_id, parent->span_id, SPAN_ID_SIZE);
    put_random_id(out->span_id, SPAN_ID_SIZE - 1);
}

void trace_begin(struct trace *out, struct str traceparent)
{
    struct trace sender;
    if (traceparent.len && trace_parse(&sender, traceparent)) {
        trace_child(out, &sender);
        return;
    }
    *out = (struct trace){.sampled = true};
    put_random_id(out->trace_id, TRACE_ID_SIZE - 1);
    put_random_id(out->span_id, SPAN_ID_SIZE - 1);
}

void trace_from_uuid(struct trace *out, struct str uuid)
{
    size_t n = 0;
    *out = (struct trace){.sampled = true};
    for (size_t i = 0; i < uuid.len && n < TRACE_ID_SIZE - 1; i++)
        if (uuid.ptr[i] != '-')
            out->trace_id[n++] = uuid.ptr[i];
    put_random_id(out->span_id, SPAN_ID_SIZE - 1);
}

void trace_parent(const struct trace *t, char out[TRACEPARENT_SIZE])
{
    snprintf(out, TRACEPARENT_SIZE, "00-%s-%s-%s", t->trace_id, t->span_id,
             t->sampled ? "01" : "00");
}

struct str trace_header(struct arena *arena, const struct trace *t)
{
    char text[TRACEPARENT_SIZE];
    trace_parent(t, text);
    return arena_printf(arena, "traceparent: %s", text);
}
