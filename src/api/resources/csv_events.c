/* csv_events.c - renders the event log for the CSV analyst's stream; see
 * csv_events.h. Values are copied as the JSON text that they are. */
#include "csv_events.h"
#include "base/json.h"
#include "base/scan.h"
#include "base/banned.h"

static const struct csv_event {
    const char *type, *event;
    const char *from, *to; /* the member, and its name there */
    const char *or_from;   /* when there is no `from` */
    bool named;            /* has the tool's name */
} events[] = {
    {"message_chunk", "token", "chunk", "text", NULL, false},
    {"tool_call", "tool_call", "args", "input", NULL, true},
    {"tool_start", "tool_call", "args", "input", NULL, true},
    {"tool_result", "tool_result", "result", "output", "error", true},
    {"tool_end", "tool_result", "result", "output", "error", true},
    {"tool_error", "tool_result", "error", "output", "result", true},
};

/* The rest of the line that begins with `field`. */
static struct str line_of(struct str frame, const char *field)
{
    struct str line, name = str_of(field);
    while (str_split(&frame, '\n', &line))
        if (str_starts(line, name))
            return str_from(line, name.len);
    return STR("");
}

static void put_event(struct buf *out, const struct csv_event *e,
                      struct str data)
{
    struct json_writer w;
    struct str value = scan_get(data, e->from);
    if (!value.len && e->or_from)
        value = scan_get(data, e->or_from);
    buf_printf(out, "event: %s\ndata: ", e->event);
    json_writer_init(&w, out);
    json_put_object(&w);
    if (e->named)
        json_field_raw(&w, "name", scan_get(data, "name"));
    json_field_raw(&w, e->to, value.len ? value : STR("null"));
    json_put_object_end(&w);
    buf_text(out, "\n\n");
}

static void put_frame(struct buf *out, struct str frame)
{
    struct str type = line_of(frame, "event: ");
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (str_is(type, events[i].type))
            put_event(out, &events[i], line_of(frame, "data: "));
}

void csv_events_put(struct buf *out, struct str frames)
{
    while (frames.len) {
        ptrdiff_t end = str_find(frames, STR("\n\n"));
        size_t n = end < 0 ? frames.len : (size_t)end;
        put_frame(out, str_cut(frames, 0, n));
        frames = str_from(frames, end < 0 ? n : n + 2);
    }
}
