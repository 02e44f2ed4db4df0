/* gate.c - libyaml checks a text before libfyaml: the first half of tree_read.
 *
 * libfyaml 0.7.12 hangs or crashes on some texts, so it never reads text
 * from outside (see link.c). libyaml's events also let us refuse what a
 * model does not need before anything is expanded: anchors, aliases, tags,
 * merge keys, several documents, too much depth or size. The texts of the
 * nodes come from libyaml, too, because libfyaml misreads some: it returns
 * 'a''''b' as a''', and an empty literal at the end as a NUL. */
#include "ontology/osi.h"
#include "tree.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>
#include "base/banned.h"

struct gate_level {
    bool map;
    bool key_next;
    size_t node;
};

struct gate {
    yaml_parser_t parser;
    struct str text;
    struct tree *nodes; /* NULL: only check and count */
    char *room;
    struct tree_count *count;
    struct tree_problem *problem;
    size_t documents, depth;
    struct gate_level levels[OSI_MAX_DEPTH + 1];
};

__attribute__((format(printf, 3, 4))) static bool
gate_refuse(struct gate *gate, yaml_mark_t mark, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(gate->problem->message, sizeof gate->problem->message, format,
              args);
    va_end(args);
    gate->problem->line = (int)mark.line + 1;
    gate->problem->column = (int)mark.column + 1;
    return false;
}

static bool parser_refused(struct gate *gate)
{
    yaml_parser_t *p = &gate->parser;
    const char *problem = p->problem ? p->problem : "not readable";
    if (p->error == YAML_READER_ERROR) {
        gate_refuse(gate, p->mark, "not YAML: %s", problem);
        tree_locate(gate->text, p->problem_offset, gate->problem);
        return false;
    }
    if (p->context)
        return gate_refuse(gate, p->problem_mark, "not YAML: %s %s", problem,
                           p->context);
    return gate_refuse(gate, p->problem_mark, "not YAML: %s", problem);
}

static bool expects_key(const struct gate *gate)
{
    if (gate->depth == 0)
        return false;
    const struct gate_level *level = &gate->levels[gate->depth - 1];
    return level->map && level->key_next;
}

/* Counts a node, which is a key, a value or an item of its level, and writes it
 * if there is room for nodes. */
static bool add_node(struct gate *gate, const yaml_event_t *event,
                     enum tree_kind kind, enum tree_style style)
{
    struct gate_level *level =
        gate->depth ? &gate->levels[gate->depth - 1] : NULL;
    if (gate->count->nodes >= OSI_MAX_NODES)
        return gate_refuse(gate, event->start_mark, "more than %d nodes",
                           OSI_MAX_NODES);
    if (gate->nodes) {
        struct tree *node = &gate->nodes[gate->count->nodes];
        node->kind = kind;
        node->style = style;
        node->line = (int)event->start_mark.line + 1;
        node->column = (int)event->start_mark.column + 1;
        if (level && !(level->map && level->key_next))
            gate->nodes[level->node].n++;
    }
    gate->count->nodes++;
    if (level)
        level->key_next = !level->key_next;
    return true;
}

static bool read_collection(struct gate *gate, const yaml_event_t *event,
                            enum tree_kind kind, const yaml_char_t *anchor,
                            const yaml_char_t *tag)
{
    if (anchor)
        return gate_refuse(gate, event->start_mark, "anchors are not allowed");
    if (tag)
        return gate_refuse(gate, event->start_mark, "tags are not allowed");
    if (gate->depth >= OSI_MAX_DEPTH)
        return gate_refuse(gate, event->start_mark, "more than %d levels deep",
                           OSI_MAX_DEPTH);
    if (expects_key(gate))
        return gate_refuse(gate, event->start_mark, "a key must be a text");
    size_t node = gate->count->nodes;
    if (!add_node(gate, event, kind, TREE_PLAIN))
        return false;
    gate->levels[gate->depth++] = (struct gate_level){
        .map = kind == TREE_MAP, .key_next = true, .node = node};
    return true;
}

static enum tree_style style_of(yaml_scalar_style_t style)
{
    switch (style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE:
        return TREE_SINGLE;
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
        return TREE_DOUBLE;
    case YAML_LITERAL_SCALAR_STYLE:
    case YAML_FOLDED_SCALAR_STYLE:
        return TREE_BLOCK;
    default:
        return TREE_PLAIN;
    }
}

static bool read_scalar(struct gate *gate, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    size_t len = event->data.scalar.length;
    enum tree_style style = style_of(event->data.scalar.style);
    bool key = expects_key(gate);
    if (event->data.scalar.anchor)
        return gate_refuse(gate, event->start_mark, "anchors are not allowed");
    if (event->data.scalar.tag)
        return gate_refuse(gate, event->start_mark, "tags are not allowed");
    if (key && style == TREE_PLAIN && len == 2 && !memcmp(text, "<<", 2))
        return gate_refuse(gate, event->start_mark,
                           "merge keys are not allowed");
    if (key && len > OSI_MAX_KEY)
        return gate_refuse(gate, event->start_mark,
                           "a key of more than %d bytes", OSI_MAX_KEY);
    if (memchr(text, 0, len))
        return gate_refuse(gate, event->start_mark, "a text may not hold NUL");
    if (!add_node(gate, event, TREE_TEXT, style))
        return false;
    if (gate->nodes) {
        memcpy(gate->room, text, len + 1);
        struct tree *node = &gate->nodes[gate->count->nodes - 1];
        node->text = (struct str){gate->room, len};
        gate->room += len + 1;
    }
    gate->count->room += len + 1;
    return true;
}

static bool read_document(struct gate *gate, const yaml_event_t *event)
{
    if (gate->documents++)
        return gate_refuse(gate, event->start_mark, "more than one document");
    if (event->data.document_start.tag_directives.start !=
        event->data.document_start.tag_directives.end)
        return gate_refuse(gate, event->start_mark, "tags are not allowed");
    return true;
}

static bool check_event(struct gate *gate, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return read_document(gate, event);
    case YAML_ALIAS_EVENT:
        return gate_refuse(gate, event->start_mark, "aliases are not allowed");
    case YAML_SCALAR_EVENT:
        return read_scalar(gate, event);
    case YAML_SEQUENCE_START_EVENT:
        return read_collection(gate, event, TREE_LIST,
                               event->data.sequence_start.anchor,
                               event->data.sequence_start.tag);
    case YAML_MAPPING_START_EVENT:
        return read_collection(gate, event, TREE_MAP,
                               event->data.mapping_start.anchor,
                               event->data.mapping_start.tag);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        gate->depth--;
        return true;
    default:
        return true;
    }
}

static bool read_events(struct gate *gate)
{
    for (bool ended = false; !ended;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&gate->parser, &event))
            return parser_refused(gate);
        bool fine = check_event(gate, &event);
        ended = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
        if (!fine)
            return false;
    }
    if (gate->count->nodes == 0)
        return gate_refuse(gate, (yaml_mark_t){0}, "the text is empty");
    return true;
}

bool tree_gate(struct str text, struct tree *nodes, char *room,
               struct tree_count *count, struct tree_problem *problem)
{
    struct gate gate = {.text = text,
                        .nodes = nodes,
                        .room = room,
                        .count = count,
                        .problem = problem};
    *count = (struct tree_count){0};
    if (!yaml_parser_initialize(&gate.parser))
        return gate_refuse(&gate, (yaml_mark_t){0}, "no memory to read it");
    yaml_parser_set_encoding(&gate.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&gate.parser, (const unsigned char *)text.ptr,
                                 text.len);
    bool fine = read_events(&gate);
    yaml_parser_delete(&gate.parser);
    return fine;
}
