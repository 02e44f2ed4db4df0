/* config_file.c - reads the settings file: YAML, one mapping of names to
 * values.
 *
 * It handles libyaml's events one by one, without a tree: a scalar is a value,
 * a list of scalars is one value with commas. Anything deeper, anchors, tags
 * and a second document are refused with their line. */
#include "config_value.h"
#include <stdio.h>
#include <yaml.h>
#include "base/banned.h"

enum { MOST_ENTRIES = 500 };

enum where { OUTSIDE, NAME, VALUE, LIST };

struct file_parser {
    struct arena *arena;
    struct config_entry *entries;
    size_t n;
    enum where where;
    struct buf list;
    struct str why;
};

static bool refuse_event(struct file_parser *r, const yaml_event_t *event,
                         const char *reason)
{
    r->why = arena_printf(r->arena, "%zu, column %zu: %s",
                          event->start_mark.line + 1,
                          event->start_mark.column + 1, reason);
    return false;
}

static struct str scalar_of(const struct file_parser *r,
                            const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    struct str s = {text, event->data.scalar.length};
    bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (plain && (str_is(s, "~") || str_is(s, "null")))
        s.len = 0;
    return arena_str(r->arena, s);
}

static bool take_scalar(struct file_parser *r, const yaml_event_t *event)
{
    struct str text = scalar_of(r, event);
    if (event->data.scalar.anchor || event->data.scalar.tag)
        return refuse_event(r, event, "settings cannot have anchors or tags");
    switch (r->where) {
    case NAME:
        if (r->n == MOST_ENTRIES)
            return refuse_event(r, event, "too many settings");
        r->entries[r->n++] =
            (struct config_entry){.name = text,
                                  .line = (int)event->start_mark.line + 1,
                                  .column = (int)event->start_mark.column + 1};
        r->where = VALUE;
        return true;
    case VALUE:
        r->entries[r->n - 1].value = text;
        r->where = NAME;
        return true;
    case LIST:
        if (str_find_char(text, ',') >= 0)
            return refuse_event(r, event, "a list item contains a comma");
        buf_printf(&r->list, "%s%.*s", r->list.len ? "," : "", STR_ARG(text));
        return true;
    default:
        /* An empty document is a single empty scalar. */
        return text.len == 0 ||
               refuse_event(r, event,
                            "this is not a mapping of names to values");
    }
}

static bool list_begins(struct file_parser *r, const yaml_event_t *event)
{
    if (r->where != VALUE)
        return refuse_event(r, event,
                            "a list can only be the value of a setting");
    r->where = LIST;
    buf_init(&r->list, r->arena);
    return true;
}

static bool handle_event(struct file_parser *r, const yaml_event_t *event,
                         int *documents)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return take_scalar(r, event);
    case YAML_MAPPING_START_EVENT:
        if (r->where != OUTSIDE)
            return refuse_event(r, event, "settings cannot be nested");
        r->where = NAME;
        return true;
    case YAML_MAPPING_END_EVENT:
        r->where = OUTSIDE;
        return true;
    case YAML_SEQUENCE_START_EVENT:
        return list_begins(r, event);
    case YAML_SEQUENCE_END_EVENT:
        r->entries[r->n - 1].value = buf_view(&r->list);
        r->where = NAME;
        return true;
    case YAML_ALIAS_EVENT:
        return refuse_event(r, event, "settings cannot have aliases");
    case YAML_DOCUMENT_START_EVENT:
        return ++*documents == 1 ||
               refuse_event(r, event, "there is a second document");
    default:
        return true;
    }
}

static void set_parse_error(struct file_parser *r, const yaml_parser_t *parser)
{
    r->why = arena_printf(r->arena, "%zu, column %zu: %s",
                          parser->problem_mark.line + 1,
                          parser->problem_mark.column + 1,
                          parser->problem ? parser->problem : "not YAML");
}

static bool handle_events(struct file_parser *r, yaml_parser_t *parser)
{
    bool more = true, good = true;
    int documents = 0;
    while (good && more) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            set_parse_error(r, parser);
            return false;
        }
        more = event.type != YAML_STREAM_END_EVENT;
        good = handle_event(r, &event, &documents);
        yaml_event_delete(&event);
    }
    return good;
}

bool config_file_read(struct arena *arena, struct str text,
                      struct config_entry **entries, size_t *n, struct str *why)
{
    yaml_parser_t parser;
    struct file_parser r = {.arena = arena};
    r.entries = arena_new_array(arena, struct config_entry, MOST_ENTRIES);
    if (!yaml_parser_initialize(&parser)) {
        *why = STR("0: out of memory");
        return false;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text.ptr,
                                 text.len);
    bool good = handle_events(&r, &parser);
    yaml_parser_delete(&parser);
    *entries = r.entries;
    *n = r.n;
    *why = r.why;
    return good;
}
