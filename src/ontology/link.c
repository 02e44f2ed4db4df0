/* link.c - libfyaml reads what the gate let through: second half of tree_read.
 *
 * Its tree is walked in document order beside the gate's nodes; both must have
 * the same shape, so that no text means one thing to one of them and another to
 * the other. Nothing is resolved or emitted here, and duplicate keys are let
 * through, because libfyaml's own check is quadratic; reader.c finds them. */
#include "tree.h"
#include <libfyaml.h>
#include <stdio.h>
#include "base/banned.h"

struct link {
    struct tree *nodes;
    size_t n, at;
    struct tree_problem *problem;
};

static bool differs(struct link *link)
{
    const struct tree *near =
        &link->nodes[link->at < link->n ? link->at : link->n - 1];
    link->problem->line = near->line;
    link->problem->column = near->column;
    snprintf(link->problem->message, sizeof link->problem->message,
             "this can be read in two ways; put it in quotes");
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

static struct tree *link_node(struct link *link, struct fy_node *fy);

/* Hangs a child behind the last one; how many came is compared at the end. */
struct children {
    struct tree *parent;
    struct tree **hook;
    size_t n;
};

static void hang(struct children *children, struct tree *child,
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

static bool link_list(struct link *link, struct tree *node, struct fy_node *fy)
{
    struct children children = {.parent = node, .hook = &node->first};
    struct fy_node *item;
    for (void *at = NULL; (item = fy_node_sequence_iterate(fy, &at));) {
        struct tree *child = link_node(link, item);
        if (!child)
            return false;
        hang(&children, child, NULL);
    }
    return children.n == node->n || differs(link);
}

static bool link_map(struct link *link, struct tree *node, struct fy_node *fy)
{
    struct children children = {.parent = node, .hook = &node->first};
    struct fy_node_pair *pair;
    for (void *at = NULL; (pair = fy_node_mapping_iterate(fy, &at));) {
        struct tree *key = link_node(link, fy_node_pair_key(pair));
        struct tree *value =
            key ? link_node(link, fy_node_pair_value(pair)) : NULL;
        if (!value)
            return false;
        hang(&children, value, key);
    }
    return children.n == node->n || differs(link);
}

static struct tree *link_node(struct link *link, struct fy_node *fy)
{
    struct tree *node = link->at < link->n ? &link->nodes[link->at] : NULL;
    bool fine = node && node->kind == kind_of(fy) &&
                !(fy && fy_node_is_alias(fy));
    if (!fine) {
        differs(link);
        return NULL;
    }
    link->at++;
    if (node->kind == TREE_LIST)
        fine = link_list(link, node, fy);
    else if (node->kind == TREE_MAP)
        fine = link_map(link, node, fy);
    return fine ? node : NULL;
}

static void first_error(struct fy_diag *diag, struct tree_problem *problem)
{
    void *at = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(diag, &at);
    snprintf(problem->message, sizeof problem->message, "not YAML: %.150s",
             error && error->msg ? error->msg : "not readable");
    problem->line = error ? error->line : 0;
    problem->column = error ? error->column : 0;
}

bool tree_link(struct str text, struct tree *nodes, size_t n,
               struct tree_problem *problem)
{
    struct link link = {.nodes = nodes, .n = n, .problem = problem};
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
        fy_document_build_from_string(&config, text.ptr, text.len);
    bool fine = false;
    if (!document)
        first_error(diag, problem);
    else if (link_node(&link, fy_document_root(document)))
        fine = link.at == link.n || differs(&link);
    if (document)
        fy_document_destroy(document);
    fy_diag_destroy(diag);
    return fine;
}
