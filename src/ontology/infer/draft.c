/* draft.c - datasets, fields and relationships of a first model: each table
 * becomes a dataset, each column a field, each link a relationship. Metrics are
 * in draft_metrics.c. */
#include "../known.h"
#include "draft.h"
#include "base/utf8.h"
#include "ontology/osi_write.h"
#include "../sql_name.h"
#include "base/banned.h"

enum { COMMENT_BYTES = 1000, NAME_BYTES = 200 };

/* ---- names
 * ------------------------------------------------------------------ */

void draft_names_init(struct draft_names *names, struct arena *arena)
{
    names->arena = arena;
    map_init(&names->seen, arena);
}

static struct str on_one_line(struct arena *arena, struct str s)
{
    char *copy = arena_cstr(arena, utf8_cut(s, NAME_BYTES));
    struct str out = str_of(copy);
    for (size_t i = 0; i < out.len; i++)
        if ((unsigned char)copy[i] < 0x20 || copy[i] == 0x7f)
            copy[i] = ' ';
    out = str_trim(out);
    return out.len ? out : STR("unnamed");
}

struct str draft_name(struct draft_names *names, struct str name)
{
    struct str wanted = on_one_line(names->arena, name), it = wanted;
    for (int n = 2; map_get(&names->seen, sql_fold(names->arena, it)); n++)
        it = arena_printf(names->arena, "%.*s_%d", STR_ARG(wanted), n);
    map_put(&names->seen, sql_fold(names->arena, it), names);
    return it;
}

struct str draft_words(struct arena *arena, struct str name)
{
    struct name_words w = name_words(arena, name);
    struct buf out;
    buf_init(&out, arena);
    for (size_t i = 0; i < w.n; i++)
        buf_printf(&out, "%s%.*s", i ? " " : "", STR_ARG(w.items[i]));
    return buf_finish(&out);
}

/* "Order ID" */
static struct str field_label(struct arena *arena, struct str name)
{
    struct name_words w = name_words(arena, name);
    struct buf out;
    buf_init(&out, arena);
    for (size_t i = 0; i < w.n; i++) {
        size_t at = out.len + (i > 0);
        bool initials = str_is(w.items[i], "id") || str_is(w.items[i], "url") ||
                        str_is(w.items[i], "uuid");
        buf_printf(&out, "%s%.*s", i ? " " : "", STR_ARG(w.items[i]));
        for (size_t k = at; k < out.len && (initials || (i == 0 && k == at));
             k++)
            if (out.ptr[k] >= 'a' && out.ptr[k] <= 'z')
                out.ptr[k] = (char)(out.ptr[k] - 32);
    }
    return buf_finish(&out);
}

/* ---- fields
 * ----------------------------------------------------------------- */

static const char *const datatypes[] = {
    [COLUMN_INTEGER] = "Integer", [COLUMN_NUMBER] = "Decimal",
    [COLUMN_TEXT] = "String",     [COLUMN_ENUM] = "String",
    [COLUMN_UUID] = "String",     [COLUMN_BOOLEAN] = "Boolean",
    [COLUMN_DATE] = "Date",       [COLUMN_TIMESTAMP] = "DateTime",
    [COLUMN_TIME] = "Time",       [COLUMN_OTHER] = "Opaque"};

static struct str field_datatype(const struct catalog_column *c)
{
    if (c->kind == COLUMN_NUMBER && c->floating)
        return STR("Float");
    if (c->kind == COLUMN_TIMESTAMP && c->zoned)
        return STR("DateTimeTz");
    return str_of(datatypes[c->kind]);
}

static struct str as_sentence(struct arena *arena, struct str text)
{
    text = str_trim(utf8_cut(text, COMMENT_BYTES));
    bool ends = str_ends(text, STR(".")) || str_ends(text, STR("!")) ||
                str_ends(text, STR("?"));
    return arena_printf(arena, "%.*s%s", STR_ARG(text),
                        text.len && !ends ? "." : "");
}

static struct str describe_field(struct arena *arena,
                                 const struct catalog_column *c)
{
    struct str comment = as_sentence(arena, c->comment);
    if (!c->least.len || str_eq(c->least, c->greatest))
        return comment;
    return arena_printf(arena, "%.*s%sFrom %.*s to %.*s.", STR_ARG(comment),
                        comment.len ? " " : "", STR_ARG(c->least),
                        STR_ARG(c->greatest));
}

/* What a reader must know of a column that refers to several tables. */
static struct str many_note(struct arena *arena, const struct catalog_table *t,
                            const struct catalog_column *c)
{
    if (c->many != MANY_NAMED && c->many != MANY_FOUND)
        return STR("");
    struct str teller = on_one_line(arena, t->columns[c->teller].name);
    return arena_printf(arena,
                        "Refers to rows of several tables; \"%.*s\" says of "
                        "which one. A join needs a condition on it.",
                        STR_ARG(teller));
}

static void draft_field(struct arena *arena, const struct catalog_table *t,
                        const struct catalog_column *c,
                        struct draft_names *names, struct field *f)
{
    struct buf expression;
    buf_init(&expression, arena);
    osi_write_name(&expression, c->name);
    *f = (struct field){.name = draft_name(names, c->name),
                        .expression = buf_finish(&expression),
                        .column = c->name,
                        .label = field_label(arena, c->name),
                        .description = describe_field(arena, c),
                        .datatype = field_datatype(c)};
    f->is_time = c->kind == COLUMN_DATE || c->kind == COLUMN_TIMESTAMP ||
                 c->kind == COLUMN_TIME;
    f->hints.examples = c->labels.n ? c->labels : c->samples;
    f->hints.instructions = many_note(arena, t, c);
}

/* ---- datasets
 * --------------------------------------------------------------- */

static struct str_list columns(struct arena *arena,
                               const struct catalog_table *t,
                               const size_t *places, size_t n)
{
    struct str_list list = {arena_new_array(arena, struct str, n + 1), n};
    for (size_t i = 0; i < n; i++)
        list.items[i] = t->columns[places[i]].name;
    return list;
}

static void put_rows(struct buf *out, const struct catalog_table *t)
{
    long long n = t->rows;
    if (n < 0)
        return;
    if (out->len)
        buf_char(out, ' ');
    if (n == 0)
        buf_text(out, "No rows yet.");
    else
        buf_printf(out, "%s%lld row%s.", t->exact_rows ? "" : "About ", n,
                   n == 1 ? "" : "s");
}

static struct str describe_table(struct arena *arena,
                                 const struct catalog_table *t)
{
    static const char *const kinds[] = {[TABLE_PLAIN] = "",
                                        [TABLE_VIEW] = "A view.",
                                        [TABLE_MATERIALIZED] =
                                            "A materialized view.",
                                        [TABLE_FOREIGN] = "A foreign table."};
    struct buf out;
    buf_init(&out, arena);
    buf_str(&out, as_sentence(arena, t->comment));
    if (kinds[t->kind][0])
        buf_printf(&out, "%s%s", out.len ? " " : "", kinds[t->kind]);
    put_rows(&out, t);
    return buf_finish(&out);
}

static void draft_keys(struct arena *arena, const struct catalog_table *t,
                       struct dataset *d)
{
    d->unique_keys = arena_new_array(arena, struct str_list, t->n_keys + 1);
    for (size_t k = 0; k < t->n_keys; k++) {
        const struct catalog_key *key = &t->keys[k];
        struct str_list list = columns(arena, t, key->columns, key->n);
        if (!key->primary) {
            d->unique_keys[d->n_unique_keys++] = list;
            continue;
        }
        d->primary_key = list;
        for (size_t i = 0; i < key->n; i++)
            d->fields[key->columns[i]].is_key = true;
    }
}

/* Says that a key is a guess. */
static void draft_doubt(struct arena *arena, const struct catalog_table *t,
                        struct dataset *d)
{
    const struct catalog_key *key = catalog_primary(t);
    struct buf out;
    if (!key || !catalog_key_is_guess(key))
        return;
    buf_init(&out, arena);
    buf_text(&out, "The primary key is a guess: none is declared, and ");
    if (key->unseen)
        buf_text(&out, "there are no rows.");
    else
        buf_printf(&out, "only %lld rows show no value twice.",
                   (long long)key->rows);
    d->hints.instructions = buf_finish(&out);
}

static void draft_synonym(struct arena *arena, const struct catalog_table *t,
                          struct dataset *d)
{
    struct str words = draft_words(arena, t->name);
    if (!words.len || str_eq_nocase(words, d->name))
        return;
    d->hints.synonyms.items = arena_new(arena, struct str);
    d->hints.synonyms.items[0] = words;
    d->hints.synonyms.n = 1;
}

static void draft_dataset(struct arena *arena, const struct catalog_table *t,
                          struct str name, struct dataset *d)
{
    struct draft_names names;
    struct buf source;
    buf_init(&source, arena);
    osi_write_name(&source, t->schema);
    buf_char(&source, '.');
    osi_write_name(&source, t->name);
    *d = (struct dataset){.name = name,
                          .source = buf_finish(&source),
                          .schema = t->schema,
                          .table = t->name,
                          .description = describe_table(arena, t),
                          .n_fields = t->n_columns};
    d->fields = arena_new_array(arena, struct field, t->n_columns + 1);
    draft_names_init(&names, arena);
    for (size_t i = 0; i < t->n_columns; i++)
        draft_field(arena, t, &t->columns[i], &names, &d->fields[i]);
    draft_keys(arena, t, d);
    draft_doubt(arena, t, d);
    draft_synonym(arena, t, d);
}

/* The name of a table, with its schema if several schemas have such a table. */
static void draft_datasets(struct arena *arena, const struct catalog *c,
                           struct ontology *o)
{
    struct draft_names names;
    struct map counts;
    draft_names_init(&names, arena);
    map_init(&counts, arena);
    for (size_t i = 0; i < c->n_tables; i++) {
        struct str key = sql_fold(arena, c->tables[i].name);
        size_t *n = map_get(&counts, key);
        if (!n)
            map_put(&counts, key, n = arena_new(arena, size_t));
        ++*n;
    }
    o->datasets = arena_new_array(arena, struct dataset, c->n_tables + 1);
    o->n_datasets = c->n_tables;
    for (size_t i = 0; i < c->n_tables; i++) {
        const struct catalog_table *t = &c->tables[i];
        size_t *n = map_get(&counts, sql_fold(arena, t->name));
        struct str name = t->name;
        if (*n > 1 && !str_is(t->schema, "public"))
            name = arena_printf(arena, "%.*s_%.*s", STR_ARG(t->schema),
                                STR_ARG(t->name));
        draft_dataset(arena, t, draft_name(&names, name), &o->datasets[i]);
    }
}

/* ---- relationships
 * ----------------------------------------------------------- */

/* "orders_customers"; with a role "orders_billing_address". */
static struct str link_name(struct arena *arena, const struct ontology *o,
                            const struct catalog_link *l, bool several)
{
    struct str from = o->datasets[l->from].name, to = o->datasets[l->to].name;
    struct buf out;
    buf_init(&out, arena);
    buf_printf(&out, "%.*s_", STR_ARG(from));
    if (l->role.len)
        buf_printf(&out, "%.*s_", STR_ARG(l->role));
    if (several && !l->role.len)
        buf_str(&out, o->datasets[l->from].fields[l->from_columns[0]].name);
    else
        buf_str(&out, to);
    return buf_finish(&out);
}

static bool is_one_of_several(const struct catalog *c, size_t at)
{
    size_t same = 0;
    for (size_t i = 0; i < c->n_links && c->n_links < 5000; i++)
        same += c->links[i].from == c->links[at].from &&
                c->links[i].to == c->links[at].to &&
                c->links[i].origin != LINK_SUGGESTED;
    return same > 1 || c->links[at].from == c->links[at].to;
}

/* A reference that is never NULL says so; a key needs no word. */
static void note_required(struct dataset *d, const struct catalog_table *t,
                          const struct catalog_link *l)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct catalog_column *c = &t->columns[l->from_columns[i]];
        d->fields[l->from_columns[i]].required =
            c->required && !str_list_contains(d->primary_key, c->name);
    }
}

static void draft_links(struct arena *arena, const struct catalog *c,
                        struct ontology *o)
{
    struct draft_names names;
    draft_names_init(&names, arena);
    o->relationships =
        arena_new_array(arena, struct relationship, c->n_links + 1);
    for (size_t i = 0; i < c->n_links; i++) {
        const struct catalog_link *l = &c->links[i];
        const struct catalog_table *from = &c->tables[l->from],
                                   *to = &c->tables[l->to];
        if (l->origin == LINK_SUGGESTED)
            continue;
        struct str name = link_name(arena, o, l, is_one_of_several(c, i));
        note_required(&o->datasets[l->from], from, l);
        o->relationships[o->n_relationships++] = (struct relationship){
            .name = draft_name(&names, name),
            .from = l->from,
            .to = l->to,
            .from_columns = columns(arena, from, l->from_columns, l->n),
            .to_columns = columns(arena, to, l->to_columns, l->n),
            .to_is_key = catalog_is_key(to, l->to_columns, l->n),
            .hints.instructions = l->evidence};
    }
}

/* A model reads the description as a note of the owner, and the name of a
 * database, or of a file, is anybody's text. */
static struct str describe_database(struct arena *arena, struct str name)
{
    bool plain = name.len > 0 && name.len < 64;
    for (size_t i = 0; i < name.len && plain; i++)
        plain = str_is_alnum(name.ptr[i]) || name.ptr[i] == '_' ||
                name.ptr[i] == '-' || name.ptr[i] == '.';
    return plain ? arena_printf(arena, "The database %.*s.", STR_ARG(name))
                 : STR("The database of a connection.");
}

struct ontology *draft_ontology(struct arena *arena, const struct catalog *c,
                                struct str name)
{
    struct ontology *o = arena_new(arena, struct ontology);
    o->name = on_one_line(arena, name);
    o->description = describe_database(arena, c->database);
    draft_datasets(arena, c, o);
    draft_links(arena, c, o);
    draft_metrics(arena, c, o);
    return o;
}
