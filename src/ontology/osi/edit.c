/* edit.c - see ontology/osi_edit.h: reads the edits, finds what they are about,
 * and changes it by edit_text.c. */
#include "ontology/osi_edit.h"
#include "base/utf8.h"
#include "edit_text.h"
#include "hidden.h"
#include <string.h>
#include "base/banned.h"

enum edit_kind {
    EDIT_MODEL = 1,
    EDIT_DATASET = 2,
    EDIT_FIELD = 4,
    EDIT_METRIC = 8,
    EDIT_RELATIONSHIP = 16,
    EDIT_PARTS = EDIT_METRIC | EDIT_RELATIONSHIP, /* come and go */
    EDIT_ALL = 31,
};

static const struct edit_kind_name {
    const char *name, *list;
    enum edit_kind kind;
} kind_names[] = {{"model", NULL, EDIT_MODEL},
                  {"dataset", "datasets", EDIT_DATASET},
                  {"field", "fields", EDIT_FIELD},
                  {"metric", "metrics", EDIT_METRIC},
                  {"relationship", "relationships", EDIT_RELATIONSHIP}};

enum value_form { FORM_TEXT, FORM_NAME, FORM_BOOL, FORM_NAMES, FORM_TEXTS };

/* What can be set, in the order in which new keys are written. */
static const struct edit_value {
    const char *name; /* in an edit */
    const char *key;  /* in the text; of ai_context if `context` */
    enum value_form form;
    unsigned kinds;
    size_t most;
    bool needed; /* null is not allowed */
    bool context;
} edit_values[] = {
    {"name", "name", FORM_NAME, EDIT_PARTS, EDIT_NAME_MOST, true, false},
    {"label", "label", FORM_NAME, EDIT_DATASET | EDIT_FIELD | EDIT_METRIC,
     EDIT_NAME_MOST, false, false},
    {"from", "from", FORM_NAME, EDIT_RELATIONSHIP, EDIT_NAME_MOST, true, false},
    {"to", "to", FORM_NAME, EDIT_RELATIONSHIP, EDIT_NAME_MOST, true, false},
    {"fromColumns", "from_columns", FORM_NAMES, EDIT_RELATIONSHIP,
     EDIT_NAME_MOST, true, false},
    {"toColumns", "to_columns", FORM_NAMES, EDIT_RELATIONSHIP, EDIT_NAME_MOST,
     true, false},
    {"expression", "expression", FORM_TEXT, EDIT_METRIC, EDIT_EXPRESSION_MOST,
     true, false},
    {"datatype", "datatype", FORM_NAME, EDIT_METRIC, EDIT_NAME_MOST, false,
     false},
    {"description", "description", FORM_TEXT, EDIT_ALL, EDIT_TEXT_MOST, false,
     false},
    {"hidden", "hidden", FORM_BOOL, EDIT_DATASET | EDIT_FIELD, 0, false, false},
    {"instructions", "instructions", FORM_TEXT, EDIT_ALL, EDIT_TEXT_MOST, false,
     true},
    {"synonyms", "synonyms", FORM_NAMES, EDIT_ALL, EDIT_NAME_MOST, false, true},
    {"examples", "examples", FORM_TEXTS, EDIT_MODEL, EDIT_TEXT_MOST, false,
     true},
};

enum { VALUES = sizeof edit_values / sizeof *edit_values };

/* One edit, as it was read. */
struct edit {
    size_t at; /* in the list */
    const struct edit_kind_name *what;
    struct str op, dataset, name;
    const json_t *values;
};

struct editing {
    struct edit_text text;
    struct arena *arena;
    struct edit edit;
    struct osi_edited *out;
};

/* ---- problems ------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static bool
refuse_edit(struct editing *e, const char *field, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    e->out->problem = arena_vprintf(e->arena, format, args);
    va_end(args);
    e->out->field = arena_printf(e->arena, "edits/%zu%s%s", e->edit.at,
                                 *field ? "/" : "", field);
    return false;
}

static bool refuse_value(struct editing *e, const struct edit_value *v,
                         const char *problem)
{
    const char *field = arena_printf(e->arena, "values/%s", v->name).ptr;
    return refuse_edit(e, field, "%s %s", v->name, problem);
}

/* ---- values as nodes ------------------------------------------------------ */

static bool text_fits(struct editing *e, const struct edit_value *v,
                      struct str text, bool one_line)
{
    if (!text.len)
        return refuse_value(e, v, "must not be empty");
    if (utf8_count(text) > v->most)
        return refuse_value(e, v, "is too long");
    if (one_line && str_has_control(text))
        return refuse_value(e, v, "must be on one line");
    return true;
}

static struct tree *list_node(struct editing *e, const struct edit_value *v,
                              const json_t *list)
{
    struct tree *node = edit_node_new(e->arena, TREE_LIST);
    size_t i;
    const json_t *item;
    if (!json_is_array(list) || json_array_size(list) > EDIT_ITEMS_MOST) {
        refuse_value(e, v, "must be a list of at most 50 texts");
        return NULL;
    }
    json_array_foreach(list, i, item)
    {
        struct str text = str_trim(json_text(item));
        if (!text_fits(e, v, text, v->form == FORM_NAMES))
            return NULL;
        edit_node_item(node, edit_node_text(e->arena, text));
    }
    return node;
}

/* The value as a node; NULL after a refusal. */
static struct tree *value_node(struct editing *e, const struct edit_value *v,
                               const json_t *json)
{
    if (v->form == FORM_NAMES || v->form == FORM_TEXTS)
        return list_node(e, v, json);
    if (v->form == FORM_BOOL) {
        struct tree *node = edit_node_text(e->arena, STR("true"));
        node->style = TREE_PLAIN;
        if (!json_is_true(json))
            refuse_value(e, v, "must be true or false");
        return json_is_true(json) ? node : NULL;
    }
    if (!json_is_string(json)) {
        refuse_value(e, v, "must be a text");
        return NULL;
    }
    struct str text = str_trim(json_text(json));
    return text_fits(e, v, text, v->form == FORM_NAME)
               ? edit_node_text(e->arena, text)
               : NULL;
}

/* ---- what an edit is about ------------------------------------------------ */

static struct tree *named_item(struct tree *list, struct str name)
{
    bool one = list && list->kind == TREE_MAP; /* the only dataset */
    struct tree *item = one ? list : list ? list->first : NULL;
    for (; item; item = one ? NULL : item->next) {
        const struct tree *own = tree_get(item, "name");
        if (own && str_eq(str_trim(own->text), name))
            return item;
    }
    return NULL;
}

static struct tree *refuse_missing(struct editing *e, const char *what,
                                   const char *field, struct str name)
{
    refuse_edit(e, field, "there is no %s \"%.*s\"", what,
                STR_ARG(utf8_cut(name, 80)));
    return NULL;
}

static struct tree *refuse_short_form(struct editing *e)
{
    refuse_edit(e, "kind",
                "this text has only datasets; upload it in the full form "
                "(semantic_model) to change this");
    return NULL;
}

static struct tree *find_field(struct editing *e)
{
    struct tree *dataset =
        named_item(osi_datasets_node(e->text.root), e->edit.dataset);
    if (!dataset)
        return refuse_missing(e, "dataset", "dataset", e->edit.dataset);
    struct tree *field = named_item(tree_get(dataset, "fields"), e->edit.name);
    return field ? field : refuse_missing(e, "field", "name", e->edit.name);
}

/* The node that the edit is about; NULL after a refusal. */
static struct tree *find_target(struct editing *e)
{
    const struct edit_kind_name *what = e->edit.what;
    struct tree *model = osi_model_node(e->text.root);
    if (what->kind == EDIT_FIELD)
        return find_field(e);
    if (what->kind != EDIT_DATASET && !model)
        return refuse_short_form(e);
    if (what->kind == EDIT_MODEL)
        return model;
    struct tree *list = what->kind == EDIT_DATASET
                            ? osi_datasets_node(e->text.root)
                            : tree_get(model, what->list);
    struct tree *item = named_item(list, e->edit.name);
    return item ? item : refuse_missing(e, what->name, "name", e->edit.name);
}

/* ---- setting a value ------------------------------------------------------ */

/* The key after which a new one comes: the nearest before it in the list. */
static const char *key_before(const struct tree *map,
                              const struct edit_value *v)
{
    for (const struct edit_value *w = v; w-- > edit_values;)
        if (!w->context && tree_get(map, w->key))
            return w->key;
    return tree_get(map, "name") ? "name" : NULL;
}

/* An expression keeps its form: a text stays a text, dialects become ANSI SQL
 * alone, because the others would say something else. */
static struct tree *expression_node(struct editing *e, struct tree *text,
                                    const struct tree *map)
{
    const struct tree *old = tree_get(map, "expression");
    bool plain = old ? old->kind == TREE_TEXT
                     : !tree_get(e->text.root, "semantic_model");
    if (plain)
        return text;
    struct tree *whole = edit_node_new(e->arena, TREE_MAP);
    struct tree *list = edit_node_new(e->arena, TREE_LIST);
    struct tree *item = edit_node_new(e->arena, TREE_MAP);
    edit_node_key(e->arena, item, "dialect",
                  edit_node_text(e->arena, STR("ANSI_SQL")));
    edit_node_key(e->arena, item, "expression", text);
    edit_node_item(list, item);
    edit_node_key(e->arena, whole, "dialects", list);
    return whole;
}

/* ai_context as a map: a plain text in it is the instructions. */
static struct tree *context_map(struct editing *e, const struct tree *map)
{
    const struct tree *old = tree_get(map, "ai_context");
    struct tree *whole = edit_node_new(e->arena, TREE_MAP);
    if (old && old->kind == TREE_TEXT && str_trim(old->text).len)
        edit_node_key(e->arena, whole, "instructions",
                      edit_node_text(e->arena, str_trim(old->text)));
    return whole;
}

static bool put_context(struct editing *e, struct tree *map,
                        const struct edit_value *v, struct tree *value)
{
    struct tree *context = tree_get(map, "ai_context");
    bool is_map = context && context->kind == TREE_MAP;
    bool beside = !strcmp(v->key, "synonyms") && tree_get(map, "synonyms") &&
                  !(is_map && tree_get(context, "synonyms"));
    if (beside)
        context = map;
    if (!value && context && (is_map || beside))
        edit_text_drop(&e->text, context, v->key);
    else if (!value && context && !strcmp(v->key, "instructions"))
        edit_text_drop(&e->text, map, "ai_context");
    if (!value)
        return true;
    if (is_map || beside) {
        edit_text_put(&e->text, context, v->key, value, NULL);
        return true;
    }
    struct tree *whole = context_map(e, map);
    struct tree *old = tree_get(whole, v->key);
    if (old)
        old->text = value->text, old->style = value->style;
    else
        edit_node_key(e->arena, whole, v->key, value);
    edit_text_put(&e->text, map, "ai_context", whole, NULL);
    return true;
}

static bool set_value(struct editing *e, const struct edit_value *v,
                      const json_t *json)
{
    bool empty_list = json_is_array(json) && !json_array_size(json);
    bool gone = json_is_null(json) || json_is_false(json) ||
                (json_is_string(json) && !str_trim(json_text(json)).len) ||
                empty_list;
    if (gone && v->needed)
        return refuse_value(e, v, "must not be empty");
    if (json_is_false(json) && v->form != FORM_BOOL)
        return refuse_value(e, v, "must be a text");
    struct tree *value = gone ? NULL : value_node(e, v, json);
    struct tree *map = !gone && !value ? NULL : find_target(e);
    if (!map)
        return false;
    if (v->context)
        return put_context(e, map, v, value);
    if (!value)
        edit_text_drop(&e->text, map, v->key);
    else
        edit_text_put(&e->text, map, v->key,
                      !strcmp(v->key, "expression")
                          ? expression_node(e, value, map)
                          : value,
                      key_before(map, v));
    return true;
}

/* ---- one edit ------------------------------------------------------------- */

static const struct edit_value *value_named(const char *name,
                                            enum edit_kind kind)
{
    for (size_t i = 0; i < VALUES; i++)
        if (!strcmp(edit_values[i].name, name) && (edit_values[i].kinds & kind))
            return &edit_values[i];
    return NULL;
}

static bool check_values(struct editing *e)
{
    const struct edit *edit = &e->edit;
    const char *name;
    json_t *value;
    if (!json_is_object(edit->values) || !json_object_size(edit->values))
        return refuse_edit(e, "values", "values are missing");
    json_object_foreach((json_t *)edit->values, name, value)
    {
        if (!value_named(name, edit->what->kind))
            return refuse_edit(e, "values", "\"%.40s\" of a %s cannot be set",
                               name, edit->what->name);
    }
    return true;
}

/* In the order of the list above; the name comes last, because it finds the
 * node. */
static bool set_values(struct editing *e)
{
    if (!check_values(e) || !find_target(e))
        return false;
    for (size_t i = 1; i <= VALUES; i++) {
        const struct edit_value *v = &edit_values[i % VALUES];
        const json_t *value = json_object_get(e->edit.values, v->name);
        if (!value || !(v->kinds & e->edit.what->kind))
            continue;
        if (!set_value(e, v, value))
            return false;
        if (e->text.broken)
            return refuse_edit(e, "", "the text becomes larger than 256 KB");
    }
    return true;
}

static void add_item(struct editing *e, struct tree *model, struct tree *item)
{
    const char *name = e->edit.what->list;
    struct tree *list = tree_get(model, name);
    if (list && list->kind == TREE_LIST && list->first) {
        edit_text_add(&e->text, list, item);
        return;
    }
    struct tree *fresh = edit_node_new(e->arena, TREE_LIST);
    edit_node_item(fresh, item);
    edit_text_put(&e->text, model, name, fresh, NULL);
}

static bool check_needed(struct editing *e)
{
    for (size_t i = 0; i < VALUES; i++) {
        const struct edit_value *v = &edit_values[i];
        if (v->needed && (v->kinds & e->edit.what->kind) &&
            !json_object_get(e->edit.values, v->name))
            return refuse_value(e, v, "is missing");
    }
    return true;
}

/* A new item has the values that it needs; the others are set afterwards. */
static bool add_part(struct editing *e)
{
    struct tree *model = osi_model_node(e->text.root);
    struct tree *item = edit_node_new(e->arena, TREE_MAP);
    if (!check_values(e) || !check_needed(e))
        return false;
    if (!model)
        return refuse_short_form(e) != NULL;
    e->edit.name = str_trim(json_get_text(e->edit.values, "name"));
    if (named_item(tree_get(model, e->edit.what->list), e->edit.name))
        return refuse_edit(e, "values/name", "there is already a %s \"%.*s\"",
                           e->edit.what->name, STR_ARG(e->edit.name));
    for (size_t i = 0; i < VALUES; i++) {
        const struct edit_value *v = &edit_values[i];
        if (!v->needed || !(v->kinds & e->edit.what->kind))
            continue;
        struct tree *value =
            value_node(e, v, json_object_get(e->edit.values, v->name));
        if (!value)
            return false;
        if (!strcmp(v->key, "expression"))
            value = expression_node(e, value, item);
        edit_node_key(e->arena, item, v->key, value);
    }
    add_item(e, model, item);
    return set_values(e);
}

static bool remove_part(struct editing *e)
{
    struct tree *item = find_target(e);
    if (!item)
        return false;
    edit_text_remove(&e->text, item);
    return true;
}

static bool make_edit(struct editing *e)
{
    const struct edit *edit = &e->edit;
    bool parts = edit->what->kind & EDIT_PARTS;
    if (str_is(edit->op, "set"))
        return set_values(e);
    if (!parts)
        return refuse_edit(e, "op", "a %s can only be set", edit->what->name);
    if (str_is(edit->op, "add"))
        return add_part(e);
    if (str_is(edit->op, "remove"))
        return remove_part(e);
    return refuse_edit(e, "op", "op must be set, add or remove");
}

static bool read_edit(struct editing *e, size_t at, const json_t *json)
{
    struct str kind = json_get_text(json, "kind");
    e->edit = (struct edit){.at = at,
                            .op = json_get_text(json, "op"),
                            .dataset = json_get_text(json, "dataset"),
                            .name = json_get_text(json, "name"),
                            .values = json_object_get(json, "values")};
    for (size_t i = 0; i < sizeof kind_names / sizeof *kind_names; i++)
        if (str_is(kind, kind_names[i].name))
            e->edit.what = &kind_names[i];
    return e->edit.what || refuse_edit(e, "kind",
                                       "kind must be model, dataset, field, "
                                       "metric or relationship");
}

/* ---- all edits ------------------------------------------------------------ */

/* Where the metrics with new expressions are; those that a later edit has
 * removed or renamed are not found. */
static void note_expressions(struct editing *e, const json_t *edits)
{
    struct str_list *list = &e->out->expressions;
    struct tree *model = osi_model_node(e->text.root);
    size_t i;
    const json_t *edit;
    list->items = arena_new_array(e->arena, struct str, json_array_size(edits));
    json_array_foreach(edits, i, edit)
    {
        const json_t *values = json_object_get(edit, "values");
        struct str name = str_trim(json_get_text(values, "name"));
        if (!name.len)
            name = json_get_text(edit, "name");
        struct tree *item = named_item(tree_get(model, "metrics"), name);
        if (json_object_get(values, "expression") && item)
            list->items[list->n++] = tree_path(e->arena, item);
    }
}

bool osi_edit(struct arena *arena, struct str text, const json_t *edits,
              struct osi_edited *out)
{
    struct editing e = {.arena = arena, .out = out};
    size_t i;
    const json_t *edit;
    *out = (struct osi_edited){.text = text};
    if (!json_is_array(edits) || !json_array_size(edits) ||
        json_array_size(edits) > EDITS_MOST) {
        out->field = STR("edits");
        out->problem = STR("edits must be a list of 1 to 20 edits");
        return false;
    }
    if (!edit_text_begin(&e.text, arena, text))
        return refuse_edit(&e, "", "the stored text is not YAML");
    json_array_foreach(edits, i, edit)
    {
        if (!read_edit(&e, i, edit) || !make_edit(&e))
            return false;
    }
    note_expressions(&e, edits);
    out->text = e.text.text;
    out->rewritten = e.text.rewritten;
    return true;
}

struct str osi_edit_doubt(const struct osi_edited *edited,
                          const struct osi_report *report)
{
    for (size_t i = 0; i < report->n_findings; i++) {
        const struct osi_finding *f = &report->findings[i];
        for (size_t j = 0; j < edited->expressions.n; j++) {
            struct str path = edited->expressions.items[j];
            struct str rest = str_from(f->path, path.len);
            if (str_starts(f->path, path) &&
                str_starts(rest, STR("/expression")))
                return f->message;
        }
    }
    return STR("");
}
