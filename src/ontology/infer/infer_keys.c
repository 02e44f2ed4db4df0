/* infer_keys.c - guesses which columns are the key of a table.
 *
 * In this order: the column named after the table (order_id of orders, oid,
 * orordid); a column named just "id"; the first column that refers to something
 * other than a table; the first column if it alone names another table (one row
 * extends one row there); the columns before one that counts within them
 * (order_id, line_no); the leading columns that each name another table together
 * (order_id, product_id of order_details); and the first two columns that refer
 * to anything. At last, if the first column is text: that column, if another
 * table has one of its name (carrier of airlines). */
#include "infer_core.h"
#include "../sql_name.h"
#include "base/banned.h"

enum { KEY_GUESSES = 10, WEAK_ROWS = 20 };

struct key_search {
    struct arena *arena;
    const struct catalog *catalog;
    struct table_names names;
    struct name_cores cores;
    struct map holders; /* tables by the names of their columns, */
    struct map firsts;  /* and by the first of them */
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
    return w->n == 1 && !other && name_abbreviates(stem, w->one[0]);
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

/* Counts rows within others: line_no, position, odlineno. */
static bool is_counter(struct key_search *k, size_t table, size_t column)
{
    static const char *const counts[] = {
        "no",  "nr",   "num",     "number", "seq",   "sequence", "position",
        "pos", "line", "ordinal", "idx",    "index", NULL};
    static const char *const ends[] = {"no", "nr", "seq", "pos", NULL};
    const struct catalog_column *x = &k->catalog->tables[table].columns[column];
    struct name_words w = name_words(k->arena, x->name);
    if (x->kind != COLUMN_INTEGER || !w.n)
        return false;
    if (word_among(w.items[w.n - 1], counts))
        return true;
    for (size_t i = 0; ends[i] && k->cores.shared[table]; i++)
        if (str_ends(w.items[w.n - 1], str_of(ends[i])))
            return true;
    return false;
}

struct leading_columns {
    size_t own, core; /* columns that name the table; n_columns: none */
    size_t bare, first, second, counter;
    size_t outer[LINK_COLUMNS];
    size_t n_outer;
};

static void add_outer(struct leading_columns *lead, size_t column)
{
    if (lead->n_outer < LINK_COLUMNS && column < 16)
        lead->outer[lead->n_outer++] = column;
}

static void classify_column(struct key_search *k, size_t table, size_t i,
                            struct leading_columns *lead)
{
    const struct catalog_table *t = &k->catalog->tables[table];
    size_t none = t->n_columns;
    struct column_name c = column_words(k->arena, t->columns[i].name);
    bool own = names_table(k, &c, table);
    bool core = core_names_own(&k->cores, table, i);
    bool other = core_names_other(&k->cores, table, i) ||
                 (!core && names_other(k, &c, table));
    bool inner = lead->n_outer || lead->own < none || lead->core < none ||
                 lead->first < none;
    if (!other && lead->counter == none && inner && is_counter(k, table, i))
        lead->counter = i;
    if (other && (!own || lead->own < none))
        add_outer(lead, i);
    if (own && lead->own == none)
        lead->own = i;
    else if (core && lead->core == none)
        lead->core = i;
    else if (other)
        return;
    else if (c.refers && !c.stem && lead->bare == none)
        lead->bare = i;
    else if ((c.refers || c.squashed.len) && lead->first == none)
        lead->first = i;
    else if (c.refers && lead->second == none)
        lead->second = i;
}

/* Several tables of the map have the column's name. */
static bool is_shared(struct key_search *k, const struct map *map, size_t table,
                      size_t column)
{
    struct str name = k->catalog->tables[table].columns[column].name;
    const struct tables_of_name *same = map_get(map, sql_fold(k->arena, name));
    return same && same->n > 1;
}

static bool is_guessed_alone(const struct key_search *k, size_t from,
                             size_t column)
{
    for (size_t i = from; i < k->n; i++)
        if (k->items[i].n == 1 && k->items[i].columns[0] == column)
            return true;
    return false;
}

static void guess_first_column(struct key_search *k, size_t table)
{
    const struct catalog_column *first = &k->catalog->tables[table].columns[0];
    if ((first->kind == COLUMN_TEXT || first->kind == COLUMN_UUID) &&
        is_shared(k, &k->holders, table, 0)) {
        add_key_guess(k, table, (size_t[]){0}, 1);
        k->items[k->n - 1].bare = true;
    }
}

/* A number within another table's rows is the key only if the rows show it. */
static void guess_own(struct key_search *k, size_t table, size_t column,
                      const struct leading_columns *lead)
{
    if (column == k->catalog->tables[table].n_columns)
        return;
    add_key_guess(k, table, &column, 1);
    k->items[k->n - 1].own = true;
    k->items[k->n - 1].bare = lead->n_outer && lead->outer[0] < column &&
                              is_counter(k, table, column);
}

/* The columns that name other tables, with one that counts within those before
 * it, and without it. */
static void guess_outer(struct key_search *k, size_t table,
                        struct leading_columns *lead)
{
    size_t none = k->catalog->tables[table].n_columns, before = 0;
    while (before < lead->n_outer && lead->outer[before] < lead->counter)
        before++;
    if (lead->counter < none && before && before < LINK_COLUMNS) {
        size_t counted[LINK_COLUMNS];
        for (size_t i = 0; i < before; i++)
            counted[i] = lead->outer[i];
        counted[before] = lead->counter;
        add_key_guess(k, table, counted, before + 1);
    }
    if (lead->n_outer > 1) {
        add_key_guess(k, table, lead->outer, lead->n_outer);
    } else if (lead->n_outer == 1) {
        if (lead->outer[0] == 0 && lead->own != 0 && lead->core != 0) {
            add_key_guess(k, table, lead->outer, 1);
            k->items[k->n - 1].weak = true;
        }
        size_t counter = lead->own < none ? lead->own : lead->first;
        if (counter < none && counter != lead->outer[0]) {
            lead->outer[lead->n_outer++] = counter;
            add_key_guess(k, table, lead->outer, lead->n_outer);
        }
    }
}

/* BestellNr and PosNr of Bestellposition: what names the table is that of
 * another, and a counter makes it unique. */
static void guess_counted(struct key_search *k, size_t table,
                          const struct leading_columns *lead)
{
    size_t none = k->catalog->tables[table].n_columns;
    size_t head = lead->own < lead->core ? lead->own : lead->core;
    if (lead->first < head)
        head = lead->first;
    bool within = lead->n_outer && lead->outer[0] < lead->counter;
    if (head < lead->counter && lead->counter < none && !within)
        add_key_guess(k, table, (size_t[]){head, lead->counter}, 2);
}

static void guess_table_keys(struct key_search *k, size_t table)
{
    const struct catalog_table *t = &k->catalog->tables[table];
    size_t before = k->n, none = t->n_columns;
    struct leading_columns lead = {none, none, none, none, none, none, {0}, 0};
    for (size_t i = 0; i < t->n_columns; i++)
        if (may_be_key(&t->columns[i]))
            classify_column(k, table, i, &lead);
    guess_own(k, table, lead.own, &lead);
    /* The first column says more than initials further on. */
    bool early = lead.first == 0;
    if (!early)
        guess_own(k, table, lead.core, &lead);
    if (lead.bare < none)
        add_key_guess(k, table, &lead.bare, 1);
    if (early || (lead.first == 1 && lead.first < none && !lead.n_outer)) {
        add_key_guess(k, table, &lead.first, 1);
        k->items[k->n - 1].bare = is_shared(k, &k->firsts, table, lead.first);
    }
    if (early && lead.core < none)
        add_key_guess(k, table, &lead.core, 1);
    if (lead.first == 0 && lead.second == 1 && !lead.n_outer)
        add_key_guess(k, table, (size_t[]){0, 1}, 2);
    guess_counted(k, table, &lead);
    guess_outer(k, table, &lead);
    if (!is_guessed_alone(k, before, 0))
        guess_first_column(k, table);
}

static void note_firsts(struct key_search *k)
{
    map_init(&k->firsts, k->arena);
    for (size_t i = 0; i < k->catalog->n_tables; i++)
        if (k->catalog->tables[i].n_columns)
            table_names_put(
                k->arena, &k->firsts,
                sql_fold(k->arena, k->catalog->tables[i].columns[0].name), i);
}

size_t infer_keys(struct arena *arena, const struct catalog *c,
                  struct key_guess **out)
{
    struct key_search k = {.arena = arena, .catalog = c};
    table_names_make(arena, c, &k.names);
    name_cores_make(arena, c, &k.names, &k.cores);
    column_holders(arena, c, &k.holders);
    note_firsts(&k);
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
    if (g->weak && g->rows < WEAK_ROWS)
        return false;
    return g->rows ? g->distinct == g->rows : g->n == 1 && !g->bare;
}

/* The primary key comes first, another one last. */
static void add_found_key(struct arena *arena, struct catalog_table *t,
                          const struct key_guess *g)
{
    bool primary = !catalog_primary(t);
    struct catalog_key *keys =
        arena_new_array(arena, struct catalog_key, t->n_keys + 1);
    keys[primary ? 0 : t->n_keys] = (struct catalog_key){.columns = g->columns,
                                                         .n = g->n,
                                                         .primary = primary,
                                                         .found = true,
                                                         .unseen = g->rows == 0,
                                                         .rows = g->rows};
    for (size_t i = 0; i < t->n_keys; i++)
        keys[i + primary] = t->keys[i];
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
        const struct catalog_key *key = catalog_primary(t);
        if (key_holds(&guesses[i]) &&
            (!key || (guesses[i].own && key->found && !key->unseen)))
            add_found_key(arena, t, &guesses[i]);
    }
}
