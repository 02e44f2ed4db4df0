/* osi_dataset.c - reads datasets and their fields. */
#include "base/utf8.h"
#include "expression.h"
#include "../known.h"
#include "../sql_name.h"
#include "base/banned.h"

static const char *const dataset_keys[] = {
    "name",        "source", "table",      "description",       "primary_key",
    "unique_keys", "fields", "ai_context", "custom_extensions", "synonyms",
    "label",       "hidden", NULL};
static const char *const source_keys[] = {"source", "table", NULL};
static const char *const field_keys[] = {"name",
                                         "expression",
                                         "dimension",
                                         "label",
                                         "description",
                                         "datatype",
                                         "data_type",
                                         "type",
                                         "ai_context",
                                         "synonyms",
                                         "is_time",
                                         "primary_key",
                                         "is_primary_key",
                                         "custom_extensions",
                                         "hidden",
                                         "required",
                                         NULL};
static const char *const datatype_keys[] = {"datatype", "data_type", "type",
                                            NULL};
static const char *const flat_key_keys[] = {"primary_key", "is_primary_key",
                                            NULL};

static bool is_time_type(struct str datatype)
{
    struct str head = str_cut(datatype, 0, 4);
    return str_eq_nocase(head, STR("date")) || str_eq_nocase(head, STR("time"));
}

/* The column, if the expression is just that, perhaps with its dataset. */
static struct str column_of(struct osi_reader *reader, const struct dataset *d,
                            struct str expression)
{
    struct sql_name name;
    if (!sql_name_read(reader->arena, expression, &name) || !name.proper)
        return STR("");
    if (name.n == 1)
        return name.parts[0];
    bool own = name.n == 2 && (str_eq_nocase(name.parts[0], d->name) ||
                               str_eq_nocase(name.parts[0], d->table));
    return own ? name.parts[1] : STR("");
}

static void read_expression(struct osi_reader *reader, const struct dataset *d,
                            const struct tree *map, struct field *field)
{
    const struct tree *node = reader_value(map, "expression");
    struct expression e = osi_expression_read(reader, node);
    if (!node) {
        if (!reader->flat)
            reader_warn(reader, map,
                        "expression is missing; the field is read as the "
                        "column of its name");
        e.text = field->name;
    }
    field->expression = e.text;
    field->dialect = e.dialect;
    field->column = node ? column_of(reader, d, e.text) : field->name;
    struct guard_verdict verdict;
    struct arena_mark mark = arena_mark(reader->arena);
    size_t notes = reader->n_kept[OSI_WARNING] + reader->n_kept[OSI_ERROR];
    if (!field->column.len)
        osi_expression_check(reader, &e, &verdict);
    if (reader->n_kept[OSI_WARNING] + reader->n_kept[OSI_ERROR] == notes)
        arena_reset(reader->arena, mark);
}

static void read_field(struct osi_reader *reader, const struct dataset *d,
                       const struct tree *map, struct field *field)
{
    reader_warn_unknown_keys(reader, map, field_keys);
    field->name = reader_name(reader, map, reader_value(map, "name"), "name");
    field->description = reader_text(reader, reader_value(map, "description"));
    field->label = reader_text(reader, reader_value(map, "label"));
    field->datatype = reader_datatype(reader, reader_pick(map, datatype_keys));
    field->hints = reader_hints(reader, map);
    const struct tree *dimension = reader_value(map, "dimension");
    const struct tree *is_time = reader_value(map, "is_time");
    if (dimension && reader_is_map(reader, dimension) &&
        reader_value(dimension, "is_time"))
        is_time = reader_value(dimension, "is_time");
    field->is_time =
        reader_bool(reader, is_time, is_time_type(field->datatype));
    field->hidden = reader_bool(reader, reader_value(map, "hidden"), false);
    field->required = reader_bool(reader, reader_value(map, "required"), false);
    field->is_key = reader_bool(reader, reader_pick(map, flat_key_keys), false);
    read_expression(reader, d, map, field);
}

static void read_fields(struct osi_reader *reader, struct dataset *d,
                        const struct tree *list)
{
    struct reader_names names;
    reader_names_init(&names, reader, "field");
    if (!list)
        return;
    d->fields = arena_new_array(reader->arena, struct field, list->n);
    for (const struct tree *item = list->first; item; item = item->next) {
        if (!reader_is_map(reader, item))
            continue;
        struct field *field = &d->fields[d->n_fields];
        read_field(reader, d, item, field);
        reader_names_check(&names, reader, reader_value(item, "name"),
                           field->name);
        d->n_fields += field->name.len > 0;
    }
}

static struct str key_column(const struct field *field)
{
    return field->column.len ? field->column : field->name;
}

/* The primary key as the fields declare it in the flat form. */
static void keys_from_fields(struct osi_reader *reader, struct dataset *d)
{
    d->primary_key.items =
        arena_new_array(reader->arena, struct str, d->n_fields);
    for (size_t i = 0; i < d->n_fields; i++)
        if (d->fields[i].is_key)
            d->primary_key.items[d->primary_key.n++] =
                key_column(&d->fields[i]);
}

static void read_primary_key(struct osi_reader *reader, struct dataset *d,
                             const struct tree *node)
{
    if (!node) {
        keys_from_fields(reader, d);
        return;
    }
    d->primary_key = reader_texts(reader, node);
    if (!d->primary_key.n && node->kind == TREE_LIST)
        reader_error(reader, node, "primary_key has no column");
    for (size_t i = 0; i < d->n_fields; i++)
        d->fields[i].is_key =
            str_list_contains(d->primary_key, d->fields[i].name) ||
            str_list_contains(d->primary_key, key_column(&d->fields[i]));
}

static void read_unique_keys(struct osi_reader *reader, struct dataset *d,
                             const struct tree *list)
{
    if (!list)
        return;
    d->unique_keys = arena_new_array(reader->arena, struct str_list, list->n);
    for (const struct tree *item = list->first; item; item = item->next) {
        struct str_list key = reader_texts(reader, item);
        if (key.n)
            d->unique_keys[d->n_unique_keys++] = key;
        else if (item->kind == TREE_LIST && !item->first)
            reader_error(reader, item, "a unique key without columns");
    }
}

static void read_query(struct osi_reader *reader, struct dataset *d,
                       const struct tree *at, struct str query)
{
    struct guard_verdict verdict;
    struct guard_policy policy = {.any_relation = true};
    guard_check(reader->arena, query, &policy, &verdict);
    if (!verdict.ok)
        reader_error(reader, at, "the query as source is refused: %.*s",
                     STR_ARG(verdict.reason));
    else
        d->query_relations =
            (struct str_list){verdict.relations, verdict.n_relations};
}

/* Characters that no table name has, quoted or not: it must be a statement. */
static bool is_statement(struct str source)
{
    return str_find_char(source, '(') >= 0 || str_find_char(source, ')') >= 0 ||
           str_find_char(source, ';') >= 0;
}

static void read_source(struct osi_reader *reader, struct dataset *d,
                        const struct tree *map)
{
    const struct tree *at = reader_pick(map, source_keys);
    struct sql_name name;
    d->source = reader_text(reader, at);
    struct str query = sql_source_query(d->source);
    if (!d->source.len) {
        if (!at || at->kind == TREE_TEXT)
            reader_error(reader, at ? at : map,
                         at ? "source is empty" : "source is missing");
    } else if (query.len) {
        read_query(reader, d, at, query);
    } else if (!sql_name_read(reader->arena, d->source, &name) ||
               (!name.proper && is_statement(d->source))) {
        reader_error(reader, at,
                     "source must be a table (database.schema.table) or a "
                     "query");
    } else {
        if (name.n > 3)
            reader_warn(reader, at, "only the last two parts count");
        d->table = name.parts[name.n - 1];
        d->schema = name.n > 1 ? name.parts[name.n - 2] : STR("public");
    }
}

static void emit(struct osi_reader *reader, struct dataset *d,
                 const struct tree *map)
{
    struct buf out;
    buf_init(&out, reader->arena);
    tree_emit(map, &out);
    buf_cstr(&out);
    d->yaml = buf_view(&out);
}

static void warn_of_keys(struct osi_reader *reader, const struct dataset *d,
                         const struct tree *map)
{
    const struct tree *key = reader_value(map, "primary_key");
    if (!key || key->kind != TREE_LIST || !d->n_fields)
        return;
    for (const struct tree *v = key->first; v; v = v->next) {
        struct dataset fields = {.fields = d->fields, .n_fields = d->n_fields};
        struct str column = str_trim(v->text);
        if (v->kind == TREE_TEXT && !dataset_has_column(&fields, column))
            reader_warn(reader, v, "the key column \"%.*s\" is not a field",
                        STR_ARG(utf8_cut(column, 80)));
    }
}

/* A dataset of which nothing is visible is hidden as a whole. */
static bool hides_all_fields(const struct dataset *d)
{
    for (size_t i = 0; i < d->n_fields; i++)
        if (!d->fields[i].hidden)
            return false;
    return d->n_fields > 0;
}

static void read_dataset(struct osi_reader *reader, const struct tree *map,
                         struct dataset *d)
{
    reader_warn_unknown_keys(reader, map, dataset_keys);
    d->name = reader_name(reader, map, reader_value(map, "name"), "name");
    read_source(reader, d, map);
    d->label = reader_text(reader, reader_value(map, "label"));
    d->description = reader_text(reader, reader_value(map, "description"));
    d->hidden = reader_bool(reader, reader_value(map, "hidden"), false);
    d->hints = reader_hints(reader, map);
    read_fields(reader, d, reader_list(reader, tree_get(map, "fields")));
    d->hidden = d->hidden || hides_all_fields(d);
    read_primary_key(reader, d, reader_value(map, "primary_key"));
    read_unique_keys(reader, d,
                     reader_list(reader, tree_get(map, "unique_keys")));
    warn_of_keys(reader, d, map);
    emit(reader, d, map);
}

void osi_read_datasets(struct osi_reader *reader, const struct tree *list)
{
    struct ontology *model = reader->model;
    struct reader_names names;
    if (!list)
        return;
    reader_names_init(&names, reader, "dataset");
    bool one = list->kind == TREE_MAP;
    model->datasets =
        arena_new_array(reader->arena, struct dataset, one ? 1 : list->n);
    for (const struct tree *item = one ? list : list->first; item;
         item = one ? NULL : item->next) {
        if (!reader_is_map(reader, item))
            continue;
        struct dataset *d = &model->datasets[model->n_datasets++];
        read_dataset(reader, item, d);
        reader_names_check(&names, reader, reader_value(item, "name"), d->name);
    }
}
