/* osi_write.c - builds the tree of a model and writes it as YAML. Names that
 * are plain words are written plain and all other texts in double quotes, so
 * that no reader takes one for a number or a date. */
#include "ontology/osi_write.h"
#include "../sql_name.h"
#include "edit_text.h"
#include "../words.h"
#include <string.h>
#include "base/banned.h"

#define OSI_VERSION "0.2.0.dev0"

/* ---- nodes
 * ----------------------------------------------------------------- */

/* A list or a mapping while it is built. */
struct branch {
    struct arena *arena;
    struct tree *tree, *last;
};

static struct branch new_branch(struct arena *arena, enum tree_kind kind)
{
    return (struct branch){arena, edit_node_new(arena, kind), NULL};
}

static void append_child(struct branch *b, struct tree *child)
{
    if (b->last)
        b->last->next = child;
    else
        b->tree->first = child;
    b->last = child;
    b->tree->n++;
}

/* Words that YAML readers do not take for texts. */
static bool is_word_of_yaml(struct str s)
{
    static const char *const list[] = {"true", "false", "yes",  "no",
                                       "on",   "off",   "null", "y",
                                       "n",    "nan",   "inf",  NULL};
    for (size_t i = 0; list[i]; i++)
        if (str_eq_nocase(s, str_of(list[i])))
            return true;
    return false;
}

static bool is_bare(struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        bool letter =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        bool inner = (c >= '0' && c <= '9') || c == '.';
        if (!letter && !(inner && i))
            return false;
    }
    return s.len && !is_word_of_yaml(s);
}

static struct tree *text_node(struct arena *arena, struct str s)
{
    struct tree *t = edit_node_new(arena, TREE_TEXT);
    if (!s.ptr)
        s = STR("");
    t->text = s;
    t->style = is_bare(s) ? TREE_PLAIN : TREE_DOUBLE;
    return t;
}

static void put_value(struct branch *map, const char *key, struct tree *value)
{
    struct tree *k = edit_node_new(map->arena, TREE_TEXT);
    k->text = str_of(key);
    k->key = k;
    value->key = k;
    append_child(map, value);
}

static struct branch put_list(struct branch *map, const char *key)
{
    struct branch list = new_branch(map->arena, TREE_LIST);
    put_value(map, key, list.tree);
    return list;
}

static struct branch put_map(struct branch *map, const char *key)
{
    struct branch inner = new_branch(map->arena, TREE_MAP);
    put_value(map, key, inner.tree);
    return inner;
}

static void put_text(struct branch *map, const char *key, struct str s)
{
    if (s.len)
        put_value(map, key, text_node(map->arena, s));
}

static void append_text_list(struct branch *list, struct str_list items)
{
    for (size_t i = 0; i < items.n; i++)
        append_child(list, text_node(list->arena, items.items[i]));
}

static void put_texts(struct branch *map, const char *key,
                      struct str_list items)
{
    if (!items.n)
        return;
    struct branch list = put_list(map, key);
    append_text_list(&list, items);
}

/* ---- parts of a model
 * ------------------------------------------------------- */

static void put_hints(struct branch *map, const struct hints *h)
{
    if (!h->instructions.len && !h->synonyms.n && !h->examples.n)
        return;
    struct branch context = put_map(map, "ai_context");
    put_text(&context, "instructions", h->instructions);
    put_texts(&context, "synonyms", h->synonyms);
    put_texts(&context, "examples", h->examples);
}

static void put_expression(struct branch *map, struct str expression,
                           struct str dialect)
{
    struct branch e = put_map(map, "expression");
    struct branch list = put_list(&e, "dialects");
    struct branch one = new_branch(map->arena, TREE_MAP);
    append_child(&list, one.tree);
    put_text(&one, "dialect", dialect.len ? dialect : STR("ANSI_SQL"));
    put_text(&one, "expression", expression);
}

static void put_true(struct branch *map, const char *key)
{
    struct tree *yes = text_node(map->arena, STR("true"));
    yes->style = TREE_PLAIN;
    put_value(map, key, yes);
}

static struct tree *field_tree(struct arena *arena, const struct field *f)
{
    struct branch map = new_branch(arena, TREE_MAP);
    put_text(&map, "name", f->name);
    put_expression(&map, f->expression, f->dialect);
    if (f->is_time) {
        struct branch dimension = put_map(&map, "dimension");
        put_true(&dimension, "is_time");
    }
    put_text(&map, "label", f->label);
    put_text(&map, "description", f->description);
    put_text(&map, "datatype", f->datatype);
    if (f->required)
        put_true(&map, "required");
    put_hints(&map, &f->hints);
    return map.tree;
}

static void put_unique_keys(struct branch *map, const struct dataset *d)
{
    if (!d->n_unique_keys)
        return;
    struct branch keys = put_list(map, "unique_keys");
    for (size_t i = 0; i < d->n_unique_keys; i++) {
        struct branch key = new_branch(map->arena, TREE_LIST);
        append_text_list(&key, d->unique_keys[i]);
        append_child(&keys, key.tree);
    }
}

static struct tree *dataset_tree(struct arena *arena, const struct dataset *d)
{
    struct branch map = new_branch(arena, TREE_MAP);
    put_text(&map, "name", d->name);
    put_text(&map, "source", d->source);
    put_texts(&map, "primary_key", d->primary_key);
    put_unique_keys(&map, d);
    put_text(&map, "description", d->description);
    put_hints(&map, &d->hints);
    if (d->n_fields) {
        struct branch fields = put_list(&map, "fields");
        for (size_t i = 0; i < d->n_fields; i++)
            append_child(&fields, field_tree(arena, &d->fields[i]));
    }
    return map.tree;
}

static struct tree *relationship_tree(struct arena *arena,
                                      const struct ontology *o,
                                      const struct relationship *r)
{
    struct branch map = new_branch(arena, TREE_MAP);
    put_text(&map, "name", r->name);
    put_text(&map, "from", o->datasets[r->from].name);
    put_text(&map, "to", o->datasets[r->to].name);
    put_texts(&map, "from_columns", r->from_columns);
    put_texts(&map, "to_columns", r->to_columns);
    put_text(&map, "description", r->description);
    put_hints(&map, &r->hints);
    return map.tree;
}

static struct tree *metric_tree(struct arena *arena, const struct metric *m)
{
    struct branch map = new_branch(arena, TREE_MAP);
    put_text(&map, "name", m->name);
    put_expression(&map, m->expression, m->dialect);
    put_text(&map, "description", m->description);
    put_text(&map, "datatype", m->datatype);
    put_hints(&map, &m->hints);
    return map.tree;
}

/* ---- the whole
 * --------------------------------------------------------------- */

static void put_datasets(struct branch *model, struct ontology *o)
{
    struct arena *arena = model->arena;
    struct branch list = put_list(model, "datasets");
    for (size_t i = 0; i < o->n_datasets; i++) {
        struct tree *dataset = dataset_tree(arena, &o->datasets[i]);
        struct buf own;
        buf_init(&own, arena);
        tree_emit(dataset, &own);
        o->datasets[i].yaml = buf_finish(&own);
        append_child(&list, dataset);
    }
}

static void put_relations(struct branch *model, const struct ontology *o)
{
    struct branch list = {0};
    if (o->n_relationships)
        list = put_list(model, "relationships");
    for (size_t i = 0; i < o->n_relationships; i++)
        append_child(&list,
                     relationship_tree(model->arena, o, &o->relationships[i]));
    if (o->n_metrics)
        list = put_list(model, "metrics");
    for (size_t i = 0; i < o->n_metrics; i++)
        append_child(&list, metric_tree(model->arena, &o->metrics[i]));
}

void osi_write(struct arena *arena, struct ontology *o, struct buf *out)
{
    struct branch root = new_branch(arena, TREE_MAP);
    struct tree *version = text_node(arena, STR(OSI_VERSION));
    version->style = TREE_DOUBLE;
    put_value(&root, "version", version);
    struct branch models = put_list(&root, "semantic_model");
    struct branch model = new_branch(arena, TREE_MAP);
    append_child(&models, model.tree);
    put_text(&model, "name", o->name);
    put_text(&model, "description", o->description);
    put_hints(&model, &o->hints);
    put_datasets(&model, o);
    put_relations(&model, o);
    o->version = STR(OSI_VERSION);
    tree_emit(root.tree, out);
}

/* ---- names in SQL
 * ------------------------------------------------------------- */

/* Reserved words of PostgreSQL: they need quotes as names. */
static bool is_reserved(struct str name)
{
    static const char *const list[] = {"all",
                                       "analyse",
                                       "analyze",
                                       "and",
                                       "any",
                                       "array",
                                       "as",
                                       "asc",
                                       "asymmetric",
                                       "authorization",
                                       "between",
                                       "binary",
                                       "both",
                                       "case",
                                       "cast",
                                       "check",
                                       "collate",
                                       "collation",
                                       "column",
                                       "concurrently",
                                       "constraint",
                                       "create",
                                       "cross",
                                       "current_catalog",
                                       "current_date",
                                       "current_role",
                                       "current_schema",
                                       "current_time",
                                       "current_timestamp",
                                       "current_user",
                                       "default",
                                       "deferrable",
                                       "desc",
                                       "distinct",
                                       "do",
                                       "else",
                                       "end",
                                       "except",
                                       "false",
                                       "fetch",
                                       "for",
                                       "foreign",
                                       "freeze",
                                       "from",
                                       "full",
                                       "grant",
                                       "group",
                                       "having",
                                       "ilike",
                                       "in",
                                       "initially",
                                       "inner",
                                       "intersect",
                                       "into",
                                       "is",
                                       "isnull",
                                       "join",
                                       "lateral",
                                       "leading",
                                       "left",
                                       "like",
                                       "limit",
                                       "localtime",
                                       "localtimestamp",
                                       "natural",
                                       "not",
                                       "notnull",
                                       "null",
                                       "offset",
                                       "on",
                                       "only",
                                       "or",
                                       "order",
                                       "outer",
                                       "overlaps",
                                       "placing",
                                       "primary",
                                       "references",
                                       "returning",
                                       "right",
                                       "select",
                                       "session_user",
                                       "similar",
                                       "some",
                                       "symmetric",
                                       "table",
                                       "tablesample",
                                       "then",
                                       "to",
                                       "trailing",
                                       "true",
                                       "union",
                                       "unique",
                                       "user",
                                       "using",
                                       "variadic",
                                       "verbose",
                                       "when",
                                       "where",
                                       "window",
                                       "with",
                                       NULL};
    return word_among(name, list);
}

static bool is_folded(struct str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        if (!(c >= 'a' && c <= 'z') && c != '_' && !(i && c >= '0' && c <= '9'))
            return false;
    }
    return name.len > 0;
}

void osi_write_name(struct buf *out, struct str name)
{
    if (is_folded(name) && !is_reserved(name))
        buf_str(out, name);
    else
        buf_quoted(out, name, '"');
}
