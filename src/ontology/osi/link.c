/* link.c - links the nodes of the gate by libfyaml's document: the second half
 * of tree_read.
 *
 * libfyaml never parses the original text: version 0.7.12 has a double free
 * on some texts that libyaml accepts, such as "? i:<TAB>::". It parses the
 * gate's nodes, written again in one plain form (JSON). Its tree is then
 * walked in document order together with the nodes and must have the same
 * shape. Nothing is resolved, and duplicate keys pass, because libfyaml's
 * own check for them is quadratic; reader.c finds them. */
#include "tree.h"
#include <libfyaml.h>
#include <stdio.h>
#include "base/banned.h"

struct tree_linker {
    struct tree *nodes;
    size_t n, at;
    struct tree_problem *problem;
};

static bool set_difference(struct tree_linker *link)
{
    const struct tree *near =
        &link->nodes[link->at < link->n ? link->at : link->n - 1];
    link->problem->line = near->line;
    link->problem->column = near->column;
    snprintf(link->problem->message, sizeof link->problem->message,
             "the two readers of YAML differ here");
    return false;
}

static enum tree_kind kind_of(struct fy_node *fy)
{
    switch (fy ? fy_node_get_type(fy) : FYNT_SCALAR) {
    case FYNT_SEQUENCE:
        return TREE_LIST;
    case FYNT_MAPPING:
        return TREE_MAP;
    default:
        return TREE_TEXT;
    }
}

static struct tree *link_node(struct tree_linker *link, struct fy_node *fy);

/* Children as they are added; their number is compared at the end. */
struct child_list {
    struct tree *parent;
    struct tree **hook;
    size_t n;
};

static void add_child(struct child_list *children, struct tree *child,
                      struct tree *key)
{
    child->parent = children->parent;
    child->key = key;
    child->place = children->n++;
    *children->hook = child;
    children->hook = &child->next;
    if (key) {
        key->parent = children->parent;
        key->key = key;
    }
}

static bool link_list(struct tree_linker *link, struct tree *node,
                      struct fy_node *fy)
{
    struct child_list children = {.parent = node, .hook = &node->first};
    struct fy_node *item;
    for (void *at = NULL; (item = fy_node_sequence_iterate(fy, &at));) {
        struct tree *child = link_node(link, item);
        if (!child)
            return false;
        add_child(&children, child, NULL);
    }
    return children.n == node->n || set_difference(link);
}

static bool link_map(struct tree_linker *link, struct tree *node,
                     struct fy_node *fy)
{
    struct child_list children = {.parent = node, .hook = &node->first};
    struct fy_node_pair *pair;
    for (void *at = NULL; (pair = fy_node_mapping_iterate(fy, &at));) {
        struct tree *key = link_node(link, fy_node_pair_key(pair));
        struct tree *value =
            key ? link_node(link, fy_node_pair_value(pair)) : NULL;
        if (!value)
            return false;
        add_child(&children, value, key);
    }
    return children.n == node->n || set_difference(link);
}

static struct tree *link_node(struct tree_linker *link, struct fy_node *fy)
{
    struct tree *node = link->at < link->n ? &link->nodes[link->at] : NULL;
    bool fine =
        node && node->kind == kind_of(fy) && !(fy && fy_node_is_alias(fy));
    if (!fine) {
        set_difference(link);
        return NULL;
    }
    link->at++;
    if (node->kind == TREE_LIST)
        fine = link_list(link, node, fy);
    else if (node->kind == TREE_MAP)
        fine = link_map(link, node, fy);
    return fine ? node : NULL;
}

static void set_first_error(struct fy_diag *diag, struct tree_problem *problem)
{
    void *at = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(diag, &at);
    snprintf(problem->message, sizeof problem->message, "not YAML: %.150s",
             error && error->msg ? error->msg : "not readable");
    problem->line = error ? error->line : 0;
    problem->column = error ? error->column : 0;
}

/* Writes the node at *at and its descendants, and moves *at past them. */
static void write_plain(const struct tree *nodes, size_t *at, struct buf *out)
{
    const struct tree *node = &nodes[(*at)++];
    bool map = node->kind == TREE_MAP;
    if (node->kind == TREE_TEXT) {
        tree_quote(node->text, out);
        return;
    }
    buf_char(out, map ? '{' : '[');
    for (size_t i = 0; i < node->n; i++) {
        buf_text(out, i ? ",\n" : "");
        if (map) {
            write_plain(nodes, at, out);
            buf_text(out, ": ");
        }
        write_plain(nodes, at, out);
    }
    buf_char(out, map ? '}' : ']');
}

bool tree_link(struct arena *arena, struct tree *nodes, size_t n,
               struct tree_problem *problem)
{
    struct buf plain;
    size_t written = 0;
    buf_init(&plain, arena);
    write_plain(nodes, &written, &plain);
    struct tree_linker link = {.nodes = nodes, .n = n, .problem = problem};
    struct fy_diag_cfg diag_config;
    fy_diag_cfg_default(&diag_config);
    struct fy_diag *diag = fy_diag_create(&diag_config);
    if (!diag) {
        snprintf(problem->message, sizeof problem->message,
                 "no memory to read it");
        return false;
    }
    fy_diag_set_collect_errors(diag, true);
    struct fy_parse_cfg config = {
        .flags = FYPCF_QUIET | FYPCF_ALLOW_DUPLICATE_KEYS | FYPCF_JSON_NONE |
                 FYPCF_SLOPPY_FLOW_INDENTATION,
        .diag = diag};
    struct fy_document *document =
        fy_document_build_from_string(&config, plain.ptr, plain.len);
    bool fine = false;
    if (!document)
        set_first_error(diag, problem);
    else if (link_node(&link, fy_document_root(document)))
        fine = link.at == link.n || set_difference(&link);
    if (document)
        fy_document_destroy(document);
    fy_diag_destroy(diag);
    return fine;
}
