/* infer_many.c - finds columns that refer to rows of several tables: next to
 * sender_id a sender_type says of which table the row is.
 *
 * When the values of that other column name tables, this is certain. Otherwise
 * the data decide, when the links are tested; a column that names a table
 * (vehicle_id, next to vehicle_type) is a plain reference. */
#include "infer_core.h"
#include "base/banned.h"

enum { TELLER_VALUES = 20, BEGINNING = 3 };

struct many_search {
    struct arena *arena;
    struct catalog *catalog;
    struct table_names names;
    struct map keys; /* tables by the cores of the columns of their keys */
};

static const char *const tellers[] = {
    "type", "kind", "class", "table", "model", "entity", "object", "typ", NULL};

/* ---- the column that names the table -------------------------------- */

static bool may_tell(const struct catalog_table *t, size_t column)
{
    const struct catalog_column *c = &t->columns[column];
    bool few = !c->profiled || c->n_distinct <= TELLER_VALUES;
    return few && !catalog_is_single_key(t, column) &&
           (c->kind == COLUMN_TEXT || c->kind == COLUMN_ENUM ||
            c->kind == COLUMN_INTEGER || c->kind == COLUMN_BOOLEAN);
}

/* The columns of a table by their words without a gap: "sendertype". */
static void note_columns(struct arena *arena, const struct catalog_table *t,
                         struct map *columns)
{
    map_init(columns, arena);
    for (size_t i = 0; i < t->n_columns; i++) {
        struct name_words w = name_words(arena, t->columns[i].name);
        size_t *at = arena_new(arena, size_t);
        *at = i;
        map_put(columns, name_joined(arena, &w, 0, w.n), at);
    }
}

/* "sendertype" for "sender"; else "target" next to target_id, if that is a
 * text. n_columns: none. */
static size_t teller_of(struct arena *arena, const struct catalog_table *t,
                        const struct map *columns, struct str stem)
{
    const size_t *at = NULL;
    for (size_t i = 0; tellers[i] && !at; i++)
        at = map_get(columns,
                     arena_printf(arena, "%.*s%s", STR_ARG(stem), tellers[i]));
    if (at)
        return may_tell(t, *at) ? *at : t->n_columns;
    at = map_get(columns, stem);
    bool text = at && (t->columns[*at].kind == COLUMN_TEXT ||
                       t->columns[*at].kind == COLUMN_ENUM);
    return text && may_tell(t, *at) ? *at : t->n_columns;
}

/* ---- what names say ------------------------------------------------------ */

static const struct tables_of_name *table_called(const struct many_search *s,
                                                 struct arena *scratch,
                                                 struct str text)
{
    struct name_words w = name_words(scratch, text);
    return table_names_find(&s->names.whole, name_joined(scratch, &w, 0, w.n));
}

/* How many tables the values of the column name, up to two. */
static size_t tables_told(const struct many_search *s, struct arena *scratch,
                          const struct catalog_column *c)
{
    const struct str_list *list = c->labels.n ? &c->labels : &c->samples;
    size_t first = 0, told = 0;
    for (size_t i = 0; i < list->n && told < 2; i++) {
        const struct tables_of_name *same =
            table_called(s, scratch, list->items[i]);
        if (same && (!told || same->tables[0] != first)) {
            first = same->tables[0];
            told++;
        }
    }
    return told;
}

static bool begins_some_table(const struct many_search *s, struct str stem)
{
    size_t from = 0, to = s->names.n;
    while (from < to) {
        size_t middle = (from + to) / 2;
        if (str_cmp(s->names.sorted[middle].name, stem) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return stem.len >= BEGINNING && from < s->names.n &&
           str_starts(s->names.sorted[from].name, stem);
}

/* The column names a table, by its words, their beginning, or a key. */
static bool names_some_table(const struct many_search *s, struct arena *scratch,
                             const struct column_name *c, size_t stem,
                             struct str joined)
{
    for (size_t from = 0; from < stem; from++) {
        struct str name = name_joined(scratch, &c->words, from, stem);
        if (table_names_find(&s->names.whole, name) ||
            table_names_find(&s->names.tails, name))
            return true;
    }
    const struct tables_of_name *keyed = table_names_find(
        &s->keys, name_joined(scratch, &c->words, 0, c->words.n));
    return keyed || begins_some_table(s, joined) ||
           table_names_find(&s->names.whole, joined);
}

/* ---- all ----------------------------------------------------------------- */

static void mark_column(struct many_search *s, struct arena *scratch,
                        struct catalog_table *t, const struct map *columns,
                        size_t column)
{
    struct catalog_column *x = &t->columns[column];
    struct column_name c = column_words(scratch, x->name);
    struct str stem =
        c.squashed.len ? c.squashed : name_joined(scratch, &c.words, 0, c.stem);
    if (!stem.len || (!c.refers && !c.squashed.len) ||
        !kinds_comparable(x, x) || catalog_is_single_key(t, column))
        return;
    size_t teller = teller_of(scratch, t, columns, stem);
    if (teller == t->n_columns || teller == column)
        return;
    size_t told = tables_told(s, scratch, &t->columns[teller]);
    bool named = names_some_table(s, scratch, &c, c.stem, stem);
    bool telling = c.squashed.len || c.stem > 0;
    if (told > 1 || (told == 1 && !named))
        x->many = MANY_NAMED;
    else if (!named && telling)
        x->many = MANY_PERHAPS;
    x->teller = teller;
}

static void note_key_columns(struct many_search *s)
{
    const struct catalog *c = s->catalog;
    map_init(&s->keys, s->arena);
    for (size_t i = 0; i < c->n_tables; i++) {
        const struct catalog_table *t = &c->tables[i];
        for (size_t k = 0; k < t->n_keys; k++) {
            struct name_words w =
                name_words(s->arena, t->columns[t->keys[k].columns[0]].name);
            if (t->keys[k].n == 1)
                table_names_put(s->arena, &s->keys,
                                name_joined(s->arena, &w, 0, w.n), i);
        }
    }
}

void infer_mark_many(struct arena *arena, struct catalog *c)
{
    struct many_search s = {.arena = arena, .catalog = c};
    struct arena scratch;
    arena_init(&scratch, 0);
    table_names_make(arena, c, &s.names);
    note_key_columns(&s);
    for (size_t i = 0; i < c->n_tables; i++) {
        struct arena_mark mark = arena_mark(&scratch);
        struct map columns;
        note_columns(&scratch, &c->tables[i], &columns);
        for (size_t k = 0; k < c->tables[i].n_columns; k++)
            if (!column_is_linked(c, i, k))
                mark_column(&s, &scratch, &c->tables[i], &columns, k);
        arena_reset(&scratch, mark);
    }
    arena_done(&scratch);
}
