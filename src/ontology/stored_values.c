/* stored_values.c - the values that a query looks for; see
 * ontology/stored_values.h. */
#include "ontology/stored_values.h"
#include "base/map.h"
#include "base/utf8.h"
#include "nearest.h"
#include "ontology/columns.h"
#include <string.h>
#include "base/banned.h"

enum { VALUE_CHARACTERS = 60, STEM_LEAST = 2 };

/* ---- which values ------------------------------------------------------- */

static bool type_is_text(struct str type)
{
    static const char *const others[] = {
        "int",  "big",   "small", "serial", "num",      "dec",   "float",
        "real", "doub",  "money", "bool",   "date",     "time",  "interval",
        "uuid", "bytea", "json",  "long",   "currency", "fixed", NULL};
    for (const char *const *other = others; *other; other++)
        if (str_eq_nocase(str_cut(type, 0, strlen(*other)), str_of(*other)))
            return false;
    return true;
}

/* The field over a column; NULL: the model has the column only in a key or a
 * relationship. */
static const struct field *field_over(const struct dataset *d,
                                      struct str column)
{
    for (size_t i = 0; i < d->n_fields; i++)
        if (d->fields[i].column.len &&
            str_eq_nocase(d->fields[i].column, column))
            return &d->fields[i];
    return NULL;
}

static bool is_of_table(const struct dataset *d, const struct query_literal *l,
                        const struct str_list *read)
{
    if (!d->table.len)
        return false;
    if (l->table.len)
        return str_eq(d->table, l->table) &&
               (!l->schema.len || str_eq(d->schema, l->schema));
    for (size_t i = 0; i < read->n; i++) {
        struct str name = read->items[i];
        ptrdiff_t dot = str_find_char(name, '.');
        if (str_eq(str_from(name, (size_t)(dot + 1)), d->table))
            return true;
    }
    return false;
}

/* What is left of a pattern without its wildcards. */
static struct str stem_of(struct arena *arena, const struct sought_value *v)
{
    struct buf out;
    if (v->use == LITERAL_EQUAL)
        return v->text;
    buf_init(&out, arena);
    for (size_t i = 0; i < v->text.len; i++)
        if (v->text.ptr[i] && !strchr("%_\\", v->text.ptr[i]))
            buf_char(&out, v->text.ptr[i]);
    return str_trim(buf_view(&out));
}

static bool is_sought(const struct sought_value *list, size_t n,
                      const struct sought_value *v)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].dataset == v->dataset &&
            str_eq(list[i].column, v->column) && list[i].use == v->use &&
            str_eq(list[i].text, v->text))
            return true;
    return false;
}

static bool seek(struct arena *arena, const struct ontology *o,
                 const struct query_literal *l, size_t dataset,
                 struct sought_value *v)
{
    const struct dataset *d = &o->datasets[dataset];
    const struct field *field = field_over(d, l->column);
    if (!ontology_has_column(o, dataset, l->column) ||
        (field && (field->is_time || !type_is_text(field->datatype))))
        return false;
    *v = (struct sought_value){.dataset = dataset,
                               .column = l->column,
                               .name = field ? field->name : l->column,
                               .text = l->text,
                               .use = l->use,
                               .computed = l->computed};
    return l->text.len <= SOUGHT_BYTES && utf8_valid(l->text) &&
           (l->use == LITERAL_EQUAL || stem_of(arena, v).len >= STEM_LEAST);
}

size_t sought_values(struct arena *arena, const struct ontology *o,
                     struct str sql, struct sought_value *out)
{
    struct query_literals literals;
    struct guard_verdict verdict;
    size_t n = 0;
    query_literals_read(arena, sql, &literals);
    if (!literals.n)
        return 0;
    guard_check(arena, sql, &(struct guard_policy){.any_relation = true},
                &verdict);
    struct str_list read = {verdict.relations,
                            verdict.ok ? verdict.n_relations : 0};
    for (size_t i = 0; i < literals.n; i++) {
        const struct query_literal *l = &literals.items[i];
        if (l->use > LITERAL_ILIKE)
            continue;
        for (size_t d = 0; d < o->n_datasets && n < SOUGHT_MOST; d++)
            if (is_of_table(&o->datasets[d], l, &read) &&
                seek(arena, o, l, d, &out[n]) && !is_sought(out, n, &out[n]))
                n++;
    }
    return n;
}

/* ---- the query ---------------------------------------------------------- */

static struct str quoted(struct arena *arena, struct str text, char quote)
{
    struct buf out;
    buf_init(&out, arena);
    buf_quoted(&out, text, quote);
    return buf_view(&out);
}

/* '%text%' in lower case on the database's side; wildcards of the text are
 * escaped. */
static struct str like_literal(struct arena *arena, struct str text)
{
    struct buf out;
    buf_init(&out, arena);
    buf_char(&out, '%');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] && strchr("%_\\", text.ptr[i]))
            buf_char(&out, '\\');
        buf_char(&out, text.ptr[i]);
    }
    buf_char(&out, '%');
    return quoted(arena, buf_view(&out), '\'');
}

static struct str matches_sql(struct arena *arena, const struct sought_value *v,
                              struct str column)
{
    struct str text = quoted(arena, v->text, '\'');
    const char *sign = v->use == LITERAL_EQUAL  ? "="
                       : v->use == LITERAL_LIKE ? "LIKE"
                                                : "ILIKE";
    if (v->computed)
        return arena_printf(arena, "lower(%.*s) %s lower(%.*s)",
                            STR_ARG(column), sign, STR_ARG(text));
    return arena_printf(arena, "%.*s %s %.*s", STR_ARG(column), sign,
                        STR_ARG(text));
}

struct str sought_sql(struct arena *arena, const struct ontology *o,
                      const struct sought_value *v)
{
    struct str from = dataset_relation(arena, &o->datasets[v->dataset]);
    struct str name = quoted(arena, v->column, '"');
    struct str text =
        arena_printf(arena, "CAST(t.%.*s AS text)", STR_ARG(name));
    return arena_printf(
        arena,
        "SELECT value, bool_or(matches) AS matches\nFROM (\n"
        "(SELECT left(%.*s, 200) AS value, TRUE AS matches FROM %.*s AS t "
        "WHERE %.*s LIMIT 1)\nUNION ALL\n"
        "(SELECT DISTINCT left(%.*s, 200), FALSE FROM %.*s AS t "
        "WHERE lower(%.*s) LIKE lower(%.*s) LIMIT 20)\nUNION ALL\n"
        "(SELECT DISTINCT left(CAST(s.value AS text), 200), FALSE FROM "
        "(SELECT t.%.*s AS value FROM %.*s AS t WHERE t.%.*s IS NOT NULL LIMIT "
        "20000) AS s LIMIT 1000)\n) AS found\nGROUP BY value",
        STR_ARG(text), STR_ARG(from), STR_ARG(matches_sql(arena, v, text)),
        STR_ARG(text), STR_ARG(from), STR_ARG(text),
        STR_ARG(like_literal(arena, stem_of(arena, v))), STR_ARG(name),
        STR_ARG(from), STR_ARG(name));
}

/* ---- the answer --------------------------------------------------------- */

void sought_judge(struct arena *arena, const struct sought_value *v,
                  const struct str *values, const struct str *matches, size_t n,
                  struct sought_answer *answer)
{
    struct nearest nearest;
    *answer = (struct sought_answer){.exists = false};
    nearest_begin(&nearest, str_trim(stem_of(arena, v)));
    for (size_t i = 0; i < n; i++) {
        answer->exists = answer->exists || str_starts(matches[i], STR("t"));
        nearest_offer(&nearest, values[i]);
    }
    answer->near = nearest_names(arena, &nearest, SOUGHT_NEAREST);
    if (answer->near.n || n > SOUGHT_ALL_MOST)
        return;
    answer->all = true;
    answer->near.items = arena_new_array(arena, struct str, n + 1);
    for (size_t i = 0; i < n; i++)
        if (str_trim(values[i]).len)
            answer->near.items[answer->near.n++] = values[i];
}

static void put_value(struct buf *out, struct str value)
{
    struct str first = utf8_first(value, VALUE_CHARACTERS);
    buf_text(out, "“");
    size_t at = out->len;
    utf8_put_plain(out, first);
    for (; at < out->len; at++)
        if (out->ptr[at] == '\n' || out->ptr[at] == '\t')
            out->ptr[at] = ' ';
    buf_text(out, first.len < value.len ? "…”" : "”");
}

void sought_tell(const struct ontology *o, const struct sought_value *v,
                 const struct sought_answer *answer, struct buf *out)
{
    struct str_list near = answer->near;
    buf_printf(out, "No value of %.*s.%.*s is %s",
               STR_ARG(o->datasets[v->dataset].name), STR_ARG(v->name),
               v->use == LITERAL_EQUAL ? "" : "like ");
    put_value(out, v->text);
    for (size_t i = 0; i < near.n; i++) {
        if (i == 0)
            buf_text(out, answer->all   ? "; its values are "
                          : near.n == 1 ? "; the nearest is "
                                        : "; the nearest are ");
        else
            buf_text(out, i + 1 == near.n ? " and " : ", ");
        put_value(out, near.items[i]);
    }
    buf_char(out, '.');
}
