/* set_yaml.c - reads a set in YAML with libyaml's document tree.
 *
 * The file is the user's own, but aliases are refused, because a tree with them
 * may be infinite. */
#include "base/utf8.h"
#include "golden_yaml.h"
#include "set_reading.h"
#include <string.h>
#include <yaml.h>
#include "base/banned.h"

struct yaml_reader {
    struct arena *arena;
    struct buf *problems;
    struct eval_set *set;
    yaml_document_t document;
};

static int node_line(const yaml_node_t *node)
{
    return (int)node->start_mark.line + 1;
}

struct str yaml_node_text(const yaml_node_t *node)
{
    if (node->type != YAML_SCALAR_NODE)
        return STR("");
    return (struct str){(const char *)node->data.scalar.value,
                        node->data.scalar.length};
}

static bool expect_kind(struct yaml_reader *r, const yaml_node_t *node,
                        yaml_node_type_t type, const char *what)
{
    if (node->type != type)
        set_problem(r->problems, node_line(node), "%s", what);
    return node->type == type;
}

static void read_yaml_values(struct yaml_reader *r, struct eval_question *q,
                             struct str name, const yaml_node_t *node)
{
    bool list = node->type == YAML_SEQUENCE_NODE && str_is(name, "also");
    const yaml_node_item_t *item =
        list ? node->data.sequence.items.start : NULL;
    if (!list && node->type != YAML_SCALAR_NODE) {
        set_problem(r->problems, node_line(node), "%.*s is a text",
                    STR_ARG(utf8_first(name, 40)));
        return;
    }
    if (!list &&
        !set_member(r->arena, q, name, yaml_node_text(node), r->problems))
        set_problem(r->problems, node_line(node), "a question has no %.*s",
                    STR_ARG(utf8_first(name, 40)));
    for (; list && item < node->data.sequence.items.top; item++) {
        yaml_node_t *value = yaml_document_get_node(&r->document, *item);
        if (expect_kind(r, value, YAML_SCALAR_NODE,
                        "also must be a list of queries"))
            set_member(r->arena, q, name, yaml_node_text(value), r->problems);
    }
}

static void read_yaml_question(struct yaml_reader *r, const yaml_node_t *node)
{
    if (!expect_kind(r, node, YAML_MAPPING_NODE,
                     "a question must be a mapping: id, question, sql …"))
        return;
    struct eval_question *q = &r->set->questions[r->set->n++];
    q->line = node_line(node);
    if (r->set->golden) {
        golden_read(r->arena, &r->document, node, q, r->set->n, r->problems);
        return;
    }
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++)
        read_yaml_values(
            r, q,
            yaml_node_text(yaml_document_get_node(&r->document, pair->key)),
            yaml_document_get_node(&r->document, pair->value));
}

static void read_yaml_questions(struct yaml_reader *r, const yaml_node_t *node)
{
    if (!expect_kind(r, node, YAML_SEQUENCE_NODE, "questions must be a list"))
        return;
    const yaml_node_item_t *item = node->data.sequence.items.start;
    size_t n = (size_t)(node->data.sequence.items.top - item);
    if (n > EVAL_MOST_QUESTIONS) {
        set_problem(r->problems, node_line(node), "more than %d questions",
                    EVAL_MOST_QUESTIONS);
        return;
    }
    r->set->questions = arena_new_array(r->arena, struct eval_question, n + 1);
    for (; item < node->data.sequence.items.top; item++)
        read_yaml_question(r, yaml_document_get_node(&r->document, *item));
}

static void read_yaml_agent(struct yaml_reader *r, const yaml_node_t *v)
{
    struct str agent = yaml_node_text(v);
    if (!str_is(agent, "csv") && !str_is(agent, "scientist"))
        set_problem(r->problems, node_line(v),
                    "agent must be csv or scientist");
    r->set->agent = arena_str(r->arena, agent);
}

static void read_yaml_member(struct yaml_reader *r, const yaml_node_t *key,
                             const yaml_node_t *v)
{
    struct str name = yaml_node_text(key);
    if (str_is(name, "name"))
        r->set->name = arena_str(r->arena, yaml_node_text(v));
    else if (str_is(name, "ontology") || str_is(name, "dataset") ||
             str_is(name, "dataset_id"))
        r->set->ontology = arena_str(r->arena, yaml_node_text(v));
    else if (str_is(name, "agent"))
        read_yaml_agent(r, v);
    else if (str_is(name, "questions") || str_is(name, "golden_queries"))
        read_yaml_questions(r, v);
    else
        set_problem(r->problems, node_line(key), "a set has no %.*s",
                    STR_ARG(utf8_first(name, 40)));
}

/* What kind of set it is says any of its members, before they are read. */
static void read_yaml_root(struct yaml_reader *r, const yaml_node_t *root)
{
    if (!expect_kind(r, root, YAML_MAPPING_NODE,
                     "a set must be a mapping: name, ontology, questions"))
        return;
    const yaml_node_pair_t *start = root->data.mapping.pairs.start;
    const yaml_node_pair_t *top = root->data.mapping.pairs.top;
    for (const yaml_node_pair_t *pair = start; pair < top; pair++)
        r->set->golden = r->set->golden ||
                         golden_set_has(yaml_node_text(
                             yaml_document_get_node(&r->document, pair->key)));
    if (r->set->golden)
        r->set->agent = STR("csv");
    for (const yaml_node_pair_t *pair = start; pair < top; pair++)
        read_yaml_member(r, yaml_document_get_node(&r->document, pair->key),
                         yaml_document_get_node(&r->document, pair->value));
}

/* Returns false with a problem if there are aliases. */
static bool without_aliases(struct str text, struct buf *problems)
{
    yaml_parser_t parser;
    bool fine = true;
    if (!yaml_parser_initialize(&parser))
        return false;
    yaml_parser_set_input_string(&parser, (const unsigned char *)text.ptr,
                                 text.len);
    for (bool ended = false; fine && !ended;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            set_problem(problems, (int)parser.problem_mark.line + 1,
                        "not YAML: %s",
                        parser.problem ? parser.problem : "not readable");
            fine = false;
            break;
        }
        ended = event.type == YAML_STREAM_END_EVENT;
        if (event.type == YAML_ALIAS_EVENT) {
            set_problem(problems, (int)event.start_mark.line + 1,
                        "aliases are not allowed");
            fine = false;
        }
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return fine;
}

bool eval_set_read_yaml(struct arena *arena, struct str text,
                        struct eval_set *set, struct buf *problems)
{
    struct yaml_reader r = {.arena = arena, .problems = problems, .set = set};
    yaml_parser_t parser;
    *set = (struct eval_set){0};
    if (!without_aliases(text, problems) || !yaml_parser_initialize(&parser))
        return false;
    yaml_parser_set_input_string(&parser, (const unsigned char *)text.ptr,
                                 text.len);
    if (yaml_parser_load(&parser, &r.document)) {
        const yaml_node_t *root = yaml_document_get_root_node(&r.document);
        if (root)
            read_yaml_root(&r, root);
        yaml_document_delete(&r.document);
    }
    yaml_parser_delete(&parser);
    return set_check(arena, set, problems);
}
