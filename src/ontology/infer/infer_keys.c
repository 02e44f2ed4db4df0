/* infer_keys.c - guesses which columns are the key of a table.
 *
 * In this order: the column named after the table (order_id of orders); a
 * column named just "id"; the first column that refers to something other
 * than a table; the first column if it alone names another table (one row
 * extends one row there); the leading columns that each name another table
 * together (order_id, product_id of order_details), perhaps with one that
 * counts within them (line_no); and the first two columns that refer to
 * anything. If no name helps: the first column, if it is text and another
 * table has a column of that name (carrier of airlines). */
#include "infer.h"
#include "../sql_name.h"
#include "base/banned.h"

enum { KEY_GUESSES = 6 };

struct key_search {
    struct arena *arena;
    const struct catalog *catalog;
    struct table_names names;
    struct map holders; /* tables by the names of their columns */
    struct key_guess *items;
    size_t n;
};

static void add_key_guess(struct key_search *k, size_t table,
                          const size_t *columns, size_t n)
{
    struct key_guess *g = &k->items[k->n++];
    *g = (struct key_guess){.table = table, .n = n};
    g->columns = arena_new_array(k->arena, size_t, n);
    for (size_t i = 0; i < n; i++)
        g->columns[i] = columns[i];
}

static bool may_be_key(const struct catalog_column *column)
{
    return column->kind == COLUMN_INTEGER || column->kind == COLUMN_TEXT ||
           column->kind == COLUMN_UUID ||
           (column->kind == COLUMN_NUMBER && !column->floating);
}

/* The stem of the column is the name of the table, or its last words. */
static bool names_table(struct key_search *k, const struct column_name *c,
                        size_t table)
{
    const struct name_words *w = &k->names.words[table];
    struct str stem = c->squashed.len
                          ? c->squashed
                          : name_joined(k->arena, &c->words, 0, c->stem);
    if (!stem.len || (!c->refers && !c->squashed.len))
        return false;
    if (str_eq(stem, name_joined(k->arena, w, 0, w->n)))
        return true;
    bool other = table_names_find(&k->names.whole, stem) != NULL;
    for (size_t from = 1; from < w->n && !other; from++)
        if (str_eq(stem, name_joined(k->arena, w, from, w->n)))
            return true;
    return false;
}

static bool is_another(const struct map *names, struct str name, size_t table)
{
    const struct tables_of_name *same = table_names_find(names, name);
    return same && (same->n > 1 || same->tables[0] != table);
}

static bool names_other(struct key_search *k, const struct column_name *c,
                        size_t table)
{
    for (size_t from = 0; from < c->stem && c->refers; from++) {
        struct str name = name_joined(k->arena, &c->words, from, c->stem);
        if (is_another(&k->names.whole, name, table) ||
            is_another(&k->names.tails, name, table))
            return true;
    }
    return is_another(&k->names.whole, c->squashed, table);
}

struct leading_columns {
    size_t own, bare, first, second; /* columns; n_columns: none */
    size_t outer[LINK_COLUMNS];
    size_t n_outer;
};

static void classify_columns(struct key_search *k, size_t table,
                             struct leading_columns *lead)
{
    const struct catalog_table *t = &k->catalog->tables[table];
    for (size_t i = 0; i < t->n_columns; i++) {
        struct column_name c = column_words(k->arena, t->columns[i].name);
        if (!may_be_key(&t->columns[i]))
            continue;
        bool other = names_other(k, &c, table);
        if (names_table(k, &c, table) && lead->own == t->n_columns)
            lead->own = i;
        else if (c.refers && !c.stem && lead->bare == t->n_columns)
            lead->bare = i;
        else if (other && lead->n_outer < LINK_COLUMNS && i < 16)
            lead->outer[lead->n_outer++] = i;
        else if ((c.refers || c.squashed.len) && !other &&
                 lead->first == t->n_columns)
            lead->first = i;
        else if (c.refers && !other && lead->second == t->n_columns)
            lead->second = i;
    }
}

static bool is_held_elsewhere(struct key_search *k, size_t table, size_t column)
{
    struct str name = k->catalog->tables[table].columns[column].name;
    const struct tables_of_name *same =
        map_get(&k->holders, sql_fold(k->arena, name));
    return same && same->n > 1;
}

static void guess_first_column(struct key_search *k, size_t table)
{
    const struct catalog_column *first = &k->catalog->tables[table].columns[0];
    if ((first->kind == COLUMN_TEXT || first->kind == COLUMN_UUID) &&
        is_held_elsewhere(k, table, 0)) {
        add_key_guess(k, table, (size_t[]){0}, 1);
        k->items[k->n - 1].bare = true;
    }
}

static void guess_table_keys(struct key_search *k, size_t table)
{
    const struct catalog_table *t = &k->catalog->tables[table];
    size_t before = k->n;
    struct leading_columns lead = {.own = t->n_columns,
                                   .bare = t->n_columns,
                                   .first = t->n_columns,
                                   .second = t->n_columns};
    classify_columns(k, table, &lead);
    if (lead.own < t->n_columns)
        add_key_guess(k, table, &lead.own, 1);
    if (lead.bare < t->n_columns)
        add_key_guess(k, table, &lead.bare, 1);
    if (lead.first == 0 ||
        (lead.first == 1 && lead.first < t->n_columns && !lead.n_outer))
        add_key_guess(k, table, &lead.first, 1);
    if (lead.first == 0 && lead.second == 1 && !lead.n_outer)
        add_key_guess(k, table, (size_t[]){0, 1}, 2);
    if (lead.n_outer > 1) {
        add_key_guess(k, table, lead.outer, lead.n_outer);
    } else if (lead.n_outer == 1) {
        if (lead.outer[0] == 0)
            add_key_guess(k, table, lead.outer, 1);
        size_t counter = lead.own < t->n_columns ? lead.own : lead.first;
        lead.outer[lead.n_outer++] = counter;
        if (counter < t->n_columns)
            add_key_guess(k, table, lead.outer, lead.n_outer);
    }
    if (k->n == before)
        guess_first_column(k, table);
}

size_t infer_keys(struct arena *arena, const struct catalog *c,
                  struct key_guess **out)
{
    struct key_search k = {.arena = arena, .catalog = c};
    table_names_make(arena, c, &k.names);
    column_holders(arena, c, &k.holders);
    k.items =
        arena_new_array(arena, struct key_guess, c->n_tables * KEY_GUESSES + 1);
    for (size_t i = 0; i < c->n_tables; i++)
        if (!catalog_primary(&c->tables[i]) && c->tables[i].n_columns)
            guess_table_keys(&k, i);
    *out = k.items;
    return k.n;
}

/* Without rows a guess holds only for a single column with a telling name. */
static bool key_holds(const struct key_guess *g)
{
    if (!g->asked || g->missing)
        return false;
    return g->rows ? g->distinct == g->rows : g->n == 1 && !g->bare;
}

static void add_found_key(struct arena *arena, struct catalog_table *t,
                          const struct key_guess *g)
{
    struct catalog_key *keys =
        arena_new_array(arena, struct catalog_key, t->n_keys + 1);
    keys[0] = (struct catalog_key){.columns = g->columns,
                                   .n = g->n,
                                   .primary = true,
                                   .found = true,
                                   .unseen = g->rows == 0};
    for (size_t i = 0; i < t->n_keys; i++)
        keys[i + 1] = t->keys[i];
    t->keys = keys;
    t->n_keys++;
}

void infer_apply_keys(struct arena *arena, struct catalog *c,
                      const struct key_guess *guesses, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct catalog_table *t = &c->tables[guesses[i].table];
        if (guesses[i].asked && guesses[i].whole) {
            t->rows = guesses[i].rows;
            t->exact_rows = true;
        }
        if (!catalog_primary(t) && key_holds(&guesses[i]))
            add_found_key(arena, t, &guesses[i]);
    }
}
