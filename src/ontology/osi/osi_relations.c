/* osi_relations.c - reads relationships and metrics, after the datasets that
 * they name. */
#include "base/utf8.h"
#include "expression.h"
#include "../known.h"
#include "ontology/columns.h"
#include "ontology/graph.h"
#include "../sql_name.h"
#include "base/banned.h"

static const char *const relationship_keys[] = {
    "name",       "from",        "to",       "from_columns",      "to_columns",
    "ai_context", "description", "synonyms", "custom_extensions", NULL};
static const char *const metric_keys[] = {
    "name",       "expression", "description", "datatype",          "data_type",
    "ai_context", "synonyms",   "label",       "custom_extensions", NULL};

/* The dataset that a relationship names. OSI names match exactly. */
static const struct dataset *end_of(struct osi_reader *reader,
                                    const struct tree *map, const char *key)
{
    const struct ontology *model = reader->model;
    const struct tree *at = reader_value(map, key);
    struct str name = reader_name(reader, map, at, key);
    if (!name.len)
        return NULL;
    for (size_t i = 0; i < model->n_datasets; i++)
        if (str_eq(model->datasets[i].name, name))
            return &model->datasets[i];
    struct str shown = utf8_cut(name, 80);
    struct str_list near = {NULL, 0};
    if (reader_suggests(reader))
        near = ontology_nearest_datasets(reader->arena, model, name, 1);
    if (near.n)
        reader_error(reader, at,
                     "there is no dataset \"%.*s\"; is \"%.*s\" meant?",
                     STR_ARG(shown), STR_ARG(near.items[0]));
    else
        reader_error(reader, at, "there is no dataset \"%.*s\"",
                     STR_ARG(shown));
    return NULL;
}

static struct str_list columns_of(struct osi_reader *reader,
                                  const struct tree *map, const char *key)
{
    const struct tree *node = tree_get(map, key);
    struct str_list columns = {NULL, 0};
    if (node && !tree_is_null(node))
        columns = reader_texts(reader, node);
    if (!node)
        reader_error(reader, map, "%s is missing", key);
    else if (tree_is_null(node) || (node->kind == TREE_LIST && !node->first))
        reader_error(reader, node, "%s has no column", key);
    return columns;
}

static void warn_of_columns(struct osi_reader *reader, const struct dataset *d,
                            const struct tree *node)
{
    if (!d || !node || !d->n_fields || node->kind == TREE_MAP)
        return;
    bool one = node->kind == TREE_TEXT;
    for (const struct tree *v = one ? node : node->first; v;
         v = one ? NULL : v->next) {
        struct str column = str_trim(v->text);
        if (v->kind == TREE_TEXT && column.len &&
            !dataset_has_column(d, column))
            reader_warn(reader, v, "\"%.*s\" is not a field of %.*s",
                        STR_ARG(utf8_cut(column, 80)), STR_ARG(d->name));
    }
}

static void check_ends(struct osi_reader *reader, const struct tree *map,
                       const struct dataset *from, const struct dataset *to,
                       struct relationship *r)
{
    const struct tree *to_columns = tree_get(map, "to_columns");
    bool both = r->from_columns.n && r->to_columns.n;
    if (both && r->from_columns.n != r->to_columns.n)
        reader_error(reader, to_columns,
                     "from_columns has %zu columns, to_columns has %zu",
                     r->from_columns.n, r->to_columns.n);
    warn_of_columns(reader, from, tree_get(map, "from_columns"));
    warn_of_columns(reader, to, to_columns);
    if (!to || !r->to_columns.n)
        return;
    r->to_is_key = dataset_key_within(to, r->to_columns);
    if (!r->to_is_key)
        reader_warn(reader, to_columns,
                    "these are not the primary key nor a unique key of %.*s",
                    STR_ARG(to->name));
}

static void read_relationship(struct osi_reader *reader, const struct tree *map,
                              struct relationship *r)
{
    reader_warn_unknown_keys(reader, map, relationship_keys);
    r->name = reader_name(reader, map, reader_value(map, "name"), "name");
    r->description = reader_text(reader, reader_value(map, "description"));
    r->hints = reader_hints(reader, map);
    const struct dataset *from = end_of(reader, map, "from");
    const struct dataset *to = end_of(reader, map, "to");
    r->from_columns = columns_of(reader, map, "from_columns");
    r->to_columns = columns_of(reader, map, "to_columns");
    check_ends(reader, map, from, to, r);
    r->from = from ? dataset_index(reader->model, from) : 0;
    r->to = to ? dataset_index(reader->model, to) : 0;
}

void osi_read_relationships(struct osi_reader *reader, const struct tree *list)
{
    struct ontology *model = reader->model;
    struct reader_names names;
    if (!list)
        return;
    reader_names_init(&names, reader, "relationship");
    model->relationships =
        arena_new_array(reader->arena, struct relationship, list->n);
    for (const struct tree *item = list->first; item; item = item->next) {
        if (!reader_is_map(reader, item))
            continue;
        struct relationship *r =
            &model->relationships[model->n_relationships++];
        read_relationship(reader, item, r);
        reader_names_check(&names, reader, reader_value(item, "name"), r->name);
    }
}

/* ---- metrics: which datasets do their columns belong to?
 * -------------------- */

struct metric_reader {
    struct map places; /* struct column_place by column, in lower case */
    bool *touched;     /* by the current metric */
    size_t n_checked;  /* columns */
};

/* Enough for any real model; the worst text allowed would name hundreds of
 * thousands. */
enum { COLUMNS_CHECKED = 5000 };

/* The datasets that have a column of one name. */
struct column_place {
    size_t n, last;          /* datasets that have it */
    size_t n_keys, last_key; /* datasets of which it is a whole key */
};

static void place_add(struct osi_reader *reader, struct map *places,
                      struct str column, size_t dataset)
{
    struct str key = sql_fold(reader->arena, column);
    struct column_place *place = map_get(places, key);
    if (!place) {
        place = arena_new(reader->arena, struct column_place);
        map_put(places, key, place);
    }
    if (place->n && place->last == dataset)
        return;
    place->n++;
    place->last = dataset;
    if (dataset_key_within(&reader->model->datasets[dataset],
                           (struct str_list){&column, 1})) {
        place->n_keys++;
        place->last_key = dataset;
    }
}

static void place_all(struct osi_reader *reader, struct map *places,
                      struct str_list columns, size_t dataset)
{
    for (size_t i = 0; i < columns.n; i++)
        place_add(reader, places, columns.items[i], dataset);
}

static void place_columns(struct osi_reader *reader, struct map *places)
{
    const struct ontology *model = reader->model;
    for (size_t i = 0; i < model->n_datasets; i++) {
        const struct dataset *d = &model->datasets[i];
        for (size_t j = 0; j < d->n_fields; j++) {
            place_add(reader, places, d->fields[j].name, i);
            if (d->fields[j].column.len)
                place_add(reader, places, d->fields[j].column, i);
        }
        place_all(reader, places, d->primary_key, i);
        for (size_t j = 0; j < d->n_unique_keys; j++)
            place_all(reader, places, d->unique_keys[j], i);
        for (size_t j = 0; j < model->n_relationships; j++) {
            const struct relationship *r = &model->relationships[j];
            if (r->from == i)
                place_all(reader, places, r->from_columns, i);
            if (r->to == i)
                place_all(reader, places, r->to_columns, i);
        }
    }
}

/* Whether the dataset or that field of it is hidden. */
static bool is_hidden(const struct dataset *d, struct str column)
{
    bool hidden = d->hidden;
    for (size_t i = 0; i < d->n_fields; i++)
        hidden |=
            d->fields[i].hidden && (str_eq_nocase(d->fields[i].name, column) ||
                                    str_eq_nocase(d->fields[i].column, column));
    return hidden;
}

static void touch_qualified(struct osi_reader *reader,
                            const struct expression *e,
                            const struct guard_column *column, bool *touched,
                            struct metric *metric)
{
    const struct dataset *d = ontology_dataset(reader->model, column->relation);
    if (!d) {
        reader_warn(reader, e->at, "there is no dataset \"%.*s\"",
                    STR_ARG(utf8_cut(column->relation, 80)));
        return;
    }
    size_t index = dataset_index(reader->model, d);
    touched[index] = true;
    metric->hidden |= is_hidden(d, column->name);
    if (!str_is(column->name, "*") &&
        !ontology_has_column(reader->model, index, column->name))
        reader_warn(reader, e->at, "\"%.*s\" is not a field of %.*s",
                    STR_ARG(utf8_cut(column->name, 80)), STR_ARG(d->name));
}

static bool is_metric(const struct ontology *model, struct str name)
{
    for (size_t i = 0; i < model->n_metrics; i++)
        if (str_eq_nocase(model->metrics[i].name, name))
            return true;
    return false;
}

/* A column without its dataset belongs to the only dataset that has it, or
 * to the only one of which it is the key. */
static void touch_bare(struct osi_reader *reader, const struct map *places,
                       const struct expression *e, struct str name,
                       bool *touched, struct metric *metric)
{
    struct arena_mark mark = arena_mark(reader->arena);
    const struct column_place *place =
        map_get(places, sql_fold(reader->arena, name));
    arena_reset(reader->arena, mark);
    struct str shown = utf8_cut(name, 80);
    bool one = place && (place->n == 1 || place->n_keys == 1);
    size_t dataset = one ? place->n == 1 ? place->last : place->last_key : 0;
    if (one) {
        touched[dataset] = true;
        metric->hidden |= is_hidden(&reader->model->datasets[dataset], name);
    } else if (place) {
        reader_warn(reader, e->at,
                    "\"%.*s\" is a field of %zu datasets; name the dataset",
                    STR_ARG(shown), place->n);
    } else if (!is_metric(reader->model, name)) {
        reader_warn(reader, e->at, "\"%.*s\" is not a field of any dataset",
                    STR_ARG(shown));
    }
}

static void touch_datasets(struct osi_reader *reader,
                           struct metric_reader *metrics,
                           const struct expression *e,
                           const struct guard_verdict *verdict,
                           struct metric *metric)
{
    bool *touched = metrics->touched;
    size_t n = reader->model->n_datasets, n_touched = 0;
    for (size_t i = 0; i < n; i++)
        touched[i] = false;
    for (size_t i = 0; i < verdict->n_columns; i++) {
        const struct guard_column *column = &verdict->columns[i];
        if (++metrics->n_checked > COLUMNS_CHECKED) {
            reader_warn(reader, e->at, "too many columns to check them all");
            break;
        }
        if (column->relation.len)
            touch_qualified(reader, e, column, touched, metric);
        else if (!str_is(column->name, "*"))
            touch_bare(reader, &metrics->places, e, column->name, touched,
                       metric);
    }
    for (size_t i = 0; i < n; i++)
        n_touched += touched[i];
    metric->datasets = arena_new_array(reader->arena, size_t, n_touched);
    for (size_t i = 0; i < n; i++)
        if (touched[i])
            metric->datasets[metric->n_datasets++] = i;
}

static void read_metric(struct osi_reader *reader,
                        struct metric_reader *metrics, const struct tree *map,
                        struct metric *metric)
{
    reader_warn_unknown_keys(reader, map, metric_keys);
    metric->name = reader_name(reader, map, reader_value(map, "name"), "name");
    metric->label = reader_text(reader, reader_value(map, "label"));
    metric->description = reader_text(reader, reader_value(map, "description"));
    const struct tree *datatype = reader_value(map, "datatype");
    metric->datatype = reader_datatype(
        reader, datatype ? datatype : reader_value(map, "data_type"));
    metric->hints = reader_hints(reader, map);
    const struct tree *node = reader_value(map, "expression");
    if (!node)
        reader_error(reader, map, "expression is missing");
    struct expression e = osi_expression_read(reader, node);
    metric->expression = e.text;
    metric->dialect = e.dialect;
    struct guard_verdict verdict;
    if (osi_expression_check(reader, &e, &verdict))
        touch_datasets(reader, metrics, &e, &verdict, metric);
}

void osi_read_metrics(struct osi_reader *reader, const struct tree *list)
{
    struct ontology *model = reader->model;
    struct reader_names names;
    struct metric_reader metrics = {0};
    if (!list)
        return;
    reader_names_init(&names, reader, "metric");
    map_init(&metrics.places, reader->arena);
    place_columns(reader, &metrics.places);
    metrics.touched = arena_new_array(reader->arena, bool, model->n_datasets);
    model->metrics = arena_new_array(reader->arena, struct metric, list->n);
    for (const struct tree *item = list->first; item; item = item->next) {
        if (!reader_is_map(reader, item))
            continue;
        struct metric *metric = &model->metrics[model->n_metrics++];
        read_metric(reader, &metrics, item, metric);
        reader_names_check(&names, reader, reader_value(item, "name"),
                           metric->name);
    }
}
