/* sse_decoder.c - bytes to lines, lines to fields, fields to events.
 *
 * A line that is complete within a piece is parsed in place; only one that
 * spans pieces is copied to `line`. */
#include "net/sse_decoder.h"
#include "base/utf8.h"
#include <string.h>
#include "base/banned.h"

void sse_decoder_init(struct sse_decoder *d, size_t max_event,
                      bool (*on_event)(void *who,
                                       const struct sse_event *event),
                      void *who)
{
    *d = (struct sse_decoder){
        .max_event = max_event, .on_event = on_event, .who = who};
}

void sse_decoder_done(struct sse_decoder *d)
{
    buf_done(&d->line);
    buf_done(&d->data);
    buf_done(&d->type);
}

static struct str valid_text(struct str s, struct arena *arena)
{
    return utf8_valid(s) ? s : utf8_repair(arena, s);
}

static void emit_event(struct sse_decoder *d, struct str data)
{
    struct arena repaired;
    arena_init(&repaired, 0);
    struct sse_event event = {
        d->type.len ? valid_text(buf_view(&d->type), &repaired)
                    : STR("message"),
        valid_text(data, &repaired),
    };
    if (!d->on_event(d->who, &event))
        d->over = true;
    arena_done(&repaired);
}

static void dispatch(struct sse_decoder *d)
{
    /* A line feed was appended after each data line; the last one is
     * removed. */
    if (d->has_data)
        emit_event(d, str_cut(buf_view(&d->data), 0, d->data.len - 1));
    buf_clear(&d->data);
    buf_clear(&d->type);
    d->has_data = false;
}

static void take_field(struct sse_decoder *d, struct str name, struct str value)
{
    if (str_is(name, "data")) {
        buf_str(&d->data, value);
        buf_char(&d->data, '\n');
        d->has_data = true;
    } else if (str_is(name, "event")) {
        buf_clear(&d->type);
        buf_str(&d->type, value);
    }
}

static void take_line(struct sse_decoder *d, struct str line)
{
    if (!line.len) {
        dispatch(d);
        return;
    }
    ptrdiff_t colon = str_find_char(line, ':');
    if (colon == 0)
        return; /* a comment */
    if (colon < 0) {
        take_field(d, line, (struct str){0});
        return;
    }
    struct str value = str_from(line, (size_t)colon + 1);
    if (value.len && *value.ptr == ' ')
        value = str_from(value, 1);
    take_field(d, str_cut(line, 0, (size_t)colon), value);
}

/* Offset of the first CR or LF, or s.len. */
static size_t line_end(struct str s)
{
    if (!s.len)
        return 0;
    const char *lf = memchr(s.ptr, '\n', s.len);
    size_t end = lf ? (size_t)(lf - s.ptr) : s.len;
    const char *cr = memchr(s.ptr, '\r', end);
    return cr ? (size_t)(cr - s.ptr) : end;
}

/* Skips a BOM at the start of the stream, even one that spans pieces. */
static struct str skip_bom(struct sse_decoder *d, struct str bytes)
{
    static const char bom[] = "\xef\xbb\xbf";
    while (bytes.len && d->bom_seen < 3 && *bytes.ptr == bom[d->bom_seen]) {
        d->bom_seen++;
        bytes = str_from(bytes, 1);
    }
    if (!bytes.len)
        return bytes;
    if (d->bom_seen < 3) /* not a BOM: these bytes begin a line */
        buf_bytes(&d->line, bom, d->bom_seen);
    d->started = true;
    return bytes;
}

/* Parses the bytes up to the first line end; *bytes is then what comes after
 * it. */
static void take_piece(struct sse_decoder *d, struct str *bytes)
{
    size_t end = line_end(*bytes);
    struct str head = str_cut(*bytes, 0, end);
    if (d->data.len + d->type.len + d->line.len + end > d->max_event) {
        d->over = true;
        return;
    }
    if (end == bytes->len) {
        buf_str(&d->line, head);
        *bytes = (struct str){0};
        return;
    }
    d->after_cr = bytes->ptr[end] == '\r';
    *bytes = str_from(*bytes, end + 1);
    if (d->line.len) {
        buf_str(&d->line, head);
        head = buf_view(&d->line);
    }
    take_line(d, head);
    buf_clear(&d->line);
}

bool sse_decoder_feed(struct sse_decoder *d, struct str bytes)
{
    if (!d->started)
        bytes = skip_bom(d, bytes);
    while (bytes.len && !d->over) {
        if (d->after_cr && *bytes.ptr == '\n') {
            d->after_cr = false;
            bytes = str_from(bytes, 1);
            continue;
        }
        d->after_cr = false;
        take_piece(d, &bytes);
    }
    return !d->over;
}
