/* infer_guess.c - guesses which columns refer to which keys, by names and
 * types.
 *
 * For each column, in this order: tables that its name names, keys of the
 * same name, keys of the same core (infer_core.h), tables that end in its words,
 * tables that begin with them or that it abbreviates, the table of users, and at
 * last small tables and the table itself. Keys of several columns are guessed
 * separately, by the names of all their columns. */
#include "base/buf.h"
#include "infer_core.h"
#include "../sql_name.h"
#include <stdlib.h>
#include "base/banned.h"

enum {
    TABLES_TRIED = 6,   /* tables of one name */
    TAILS_LOOKED = 200, /* tables that end in one word */
    BEGIN_LETTERS = 3,  /* of a table name, at least */
    NAMELESS_MOST = 12, /* tables tried for a column that names no table */
    NAMELESS_IN_ALL = 600,
    SQUASHED_LETTERS =
        4, /* of a table name within "billtoaddressid", at least */
    CODE_TABLES = 6,
    GUESSES_MOST = 40000,
};

struct guesses {
    struct arena *arena;
    const struct catalog *catalog;
    struct table_names names;
    struct name_cores cores;
    struct map keys;   /* tables by the name of a single-column key */
    unsigned *foreign; /* columns of each table that are keys of others, + 1;
                          0: not counted yet */
    struct link_guess *items;
    size_t n, cap, nameless;
    size_t *small; /* tables that a column may refer to without naming them */
    size_t n_small;
    size_t users; /* the table of users; n_tables: none */
    /* Of the current column */
    size_t table, column, first;
    struct column_name name;
};

static const struct catalog_column *column_at(const struct guesses *g)
{
    return &g->catalog->tables[g->table].columns[g->column];
}

/* ---- the key of a table that the column may hold
 * -------------------------- */

/* The key column of the same name, else of the same last word (country_code:
 * code), else the primary key, else the first. */
static size_t key_for(const struct guesses *g, const struct catalog_table *t)
{
    const struct catalog_column *from = column_at(g);
    size_t best = t->n_columns;
    int best_rank = 0;
    for (size_t k = 0; k < t->n_keys; k++) {
        if (t->keys[k].n != 1)
            continue;
        size_t at = t->keys[k].columns[0];
        const struct catalog_column *to = &t->columns[at];
        if (!kinds_comparable(from, to))
            continue;
        struct name_words w = name_words(g->arena, to->name);
        const struct name_words *own = &g->name.words;
        bool last =
            w.n && own->n && str_eq(w.one[w.n - 1], own->one[own->n - 1]);
        int rank = str_eq_nocase(from->name, to->name) ? 4
                   : last                              ? 3
                   : t->keys[k].primary                ? 2
                                                       : 1;
        if (rank > best_rank) {
            best_rank = rank;
            best = at;
        }
    }
    return best;
}

static struct link_guess *new_guess(struct guesses *g)
{
    if (g->n == g->cap) {
        size_t cap = g->cap ? 2 * g->cap : 64;
        struct link_guess *more =
            arena_new_array(g->arena, struct link_guess, cap);
        for (size_t i = 0; i < g->n; i++)
            more[i] = g->items[i];
        g->items = more;
        g->cap = cap;
    }
    return &g->items[g->n++];
}

/* The words before the one that names the table: the role. */
static struct str role_of(struct guesses *g, size_t words)
{
    struct buf role;
    buf_init(&role, g->arena);
    for (size_t i = 0; i < words; i++)
        buf_printf(&role, "%s%.*s", i ? "_" : "",
                   STR_ARG(g->name.words.items[i]));
    return buf_finish(&role);
}

/* payment_id of payments identifies its own rows. */
static bool names_itself(struct guesses *g)
{
    const struct name_words *own = &g->names.words[g->table];
    return str_eq(name_joined(g->arena, &g->name.words, 0, g->name.stem),
                  name_joined(g->arena, own, 0, own->n));
}

static bool is_guessed(const struct guesses *g, size_t table)
{
    for (size_t i = g->first; i < g->n; i++)
        if (g->items[i].to == table)
            return true;
    return false;
}

static bool add_guess(struct guesses *g, size_t table, enum name_match match,
                      size_t role_words)
{
    const struct catalog_table *to = &g->catalog->tables[table];
    size_t key = key_for(g, to);
    /* flight_number counts the rows of flights, and refers to none of them. */
    bool itself = table == g->table && (key == g->column || names_itself(g));
    if (key == to->n_columns || itself || is_guessed(g, table) ||
        g->n >= GUESSES_MOST)
        return false;
    struct link_guess *x = new_guess(g);
    *x = (struct link_guess){.from = g->table,
                             .to = table,
                             .n = 1,
                             .match = match,
                             .refers = g->name.refers,
                             .tree = table == g->table};
    x->near = str_eq(to->schema, g->catalog->tables[g->table].schema);
    x->from_columns[0] = g->column;
    x->to_columns[0] = key;
    x->role = role_of(g, role_words);
    return true;
}

static void add_guesses(struct guesses *g, const struct tables_of_name *same,
                        enum name_match match, size_t role_words)
{
    for (size_t i = 0; same && i < same->n && i < TABLES_TRIED; i++)
        add_guess(g, same->tables[i], match, role_words);
}

/* ---- by name
 * -------------------------------------------------------------- */

/* "customerid"; "billtoaddressid" by the longest table name at its end. */
static void guess_squashed(struct guesses *g)
{
    struct str name = g->name.squashed;
    for (size_t from = 0; from + SQUASHED_LETTERS <= name.len || !from;
         from++) {
        size_t before = g->n;
        add_guesses(
            g, table_names_find(&g->names.whole, str_cut(name, from, name.len)),
            from ? MATCH_ROLE : MATCH_TABLE, 0);
        for (size_t i = before; i < g->n; i++)
            g->items[i].role = arena_str(g->arena, str_cut(name, 0, from));
        if (g->n > before)
            return;
    }
}

static void guess_tables(struct guesses *g)
{
    size_t stem = g->name.stem;
    if (column_is_plural(&g->name))
        return;
    if (g->name.squashed.len)
        guess_squashed(g);
    for (size_t from = 0; from < stem; from++) {
        struct str name = name_joined(g->arena, &g->name.words, from, stem);
        add_guesses(g, table_names_find(&g->names.whole, name),
                    from ? MATCH_ROLE : MATCH_TABLE, from);
    }
}

/* The column has the name, the core or the initials of a key of another
 * table. */
static bool is_foreign(struct guesses *g, size_t table, size_t column)
{
    struct str name = g->catalog->tables[table].columns[column].name;
    struct arena_mark mark = arena_mark(g->arena);
    bool named =
        tables_have_other(map_get(&g->keys, sql_fold(g->arena, name)), table) ||
        tables_have_other(core_of_key(&g->cores, table, column).tables, table);
    arena_reset(g->arena, mark);
    return named ||
           tables_have_other(core_initials(&g->cores, table, column), table);
}

/* How many columns are foreign. When tables have keys of one name, the one with
 * the fewest such columns is where it is at home: articles, and not
 * stock(article, plant). */
static unsigned foreign_columns(struct guesses *g, size_t table)
{
    unsigned n = 0;
    if (g->foreign[table])
        return g->foreign[table] - 1;
    for (size_t i = 0; i < g->catalog->tables[table].n_columns; i++)
        n += is_foreign(g, table, i);
    g->foreign[table] = n + 1;
    return n;
}

/* The column begins with the name of the table: state_name of state. */
static bool begins_with_table(const struct guesses *g, size_t table)
{
    const struct name_words *own = &g->names.words[table];
    const struct name_words *w = &g->name.words;
    size_t i = 0;
    while (i < own->n && i < w->n && str_eq(own->one[i], w->one[i]))
        i++;
    return own->n && i == own->n;
}

/* How far from home the key is in that table. */
static unsigned distance(struct guesses *g, size_t table)
{
    return begins_with_table(g, table) ? 0 : foreign_columns(g, table) + 1;
}

static void add_homes(struct guesses *g, const struct tables_of_name *same,
                      enum name_match match, struct str role)
{
    size_t before = g->n;
    add_guesses(g, same, match, 0);
    for (size_t i = before; i < g->n; i++) {
        g->items[i].loose = distance(g, g->items[i].to);
        g->items[i].role = role;
        g->items[i].phrase = g->name.words.n > 1;
    }
}

static void guess_keys(struct guesses *g)
{
    const struct catalog_column *column = column_at(g);
    bool refers = g->name.refers || g->name.squashed.len;
    if (!g->name.stem ||
        (!refers && column->kind != COLUMN_TEXT && column->kind != COLUMN_UUID))
        return;
    const struct tables_of_name *same =
        map_get(&g->keys, sql_fold(g->arena, column->name));
    if (!same || same->n > 3)
        return;
    size_t before = g->n;
    add_homes(g, same, MATCH_KEY, STR(""));
    for (size_t i = before; i < g->n; i++)
        g->items[i].bare = !refers;
}

/* Of the guesses since `from`, those whose key has the column's own name. */
static void keep_named_keys(struct guesses *g, size_t from)
{
    size_t kept = from;
    for (size_t i = from; i < g->n; i++) {
        const struct link_guess *x = &g->items[i];
        const struct catalog_table *to = &g->catalog->tables[x->to];
        if (x->to == g->table ||
            !str_eq_nocase(to->columns[x->to_columns[0]].name,
                           column_at(g)->name))
            continue;
        g->items[kept] = *x;
        g->items[kept++].refers = true;
    }
    g->n = kept;
}

/* "aid" of artists; then the longest key whose core ends the name. */
static void guess_cores(struct guesses *g)
{
    const struct catalog_column *column = column_at(g);
    size_t before = g->n;
    add_homes(g, core_initials(&g->cores, g->table, g->column), MATCH_KEY,
              STR(""));
    keep_named_keys(g, before);
    struct core_match core = core_of_key(&g->cores, g->table, g->column);
    if (g->n > before || !core.tables ||
        (!core.refers && column->kind != COLUMN_TEXT &&
         column->kind != COLUMN_UUID))
        return;
    add_homes(g, core.tables, MATCH_CORE, core.role);
    for (size_t i = before; i < g->n; i++) {
        g->items[i].bare = !core.refers;
        g->items[i].refers = core.refers;
    }
}

/* Words that end the names of many tables. */
static bool is_common(struct str word)
{
    static const char *const list[] = {"type",  "status",   "state", "kind",
                                       "group", "category", "class", "level",
                                       "code",  "item",     NULL};
    return word_among(word, list);
}

/* Tables whose names end in the words of the column. Those that begin like the
 * column's own table come first (type_id of posts: post_types). */
static void guess_tail(struct guesses *g, const struct tables_of_name *same,
                       size_t from, bool kin)
{
    const struct name_words *own = &g->names.words[g->table];
    size_t stem = g->name.stem, tried = 0;
    for (size_t i = 0;
         same && i < same->n && i < TAILS_LOOKED && tried < TABLES_TRIED; i++) {
        const struct name_words *w = &g->names.words[same->tables[i]];
        bool starts = own->n && w->n && str_eq(own->one[0], w->one[0]);
        bool itself = same->tables[i] == g->table && from == 0;
        if (starts != kin || itself ||
            !add_guess(g, same->tables[i], MATCH_LAST_WORDS, from))
            continue;
        struct link_guess *x = &g->items[g->n - 1];
        x->loose = (unsigned)(w->n - (stem - from)) - (kin && from == 0);
        x->vague = from && (same->n > 1 || is_common(w->one[w->n - 1]));
        tried++;
    }
}

static void guess_tails(struct guesses *g)
{
    size_t stem = g->name.stem;
    if (!g->name.refers)
        return;
    for (size_t from = 0; from < stem; from++) {
        const struct tables_of_name *same = table_names_find(
            &g->names.tails, name_joined(g->arena, &g->name.words, from, stem));
        guess_tail(g, same, from, true);
        guess_tail(g, same, from, false);
    }
}

/* The index of the first name that does not sort before `name`. */
static size_t lower_bound(const struct table_names *names, struct str name)
{
    size_t from = 0, to = names->n;
    while (from < to) {
        size_t middle = (from + to) / 2;
        if (str_cmp(names->sorted[middle].name, name) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* A table name of one word, abbreviated; a number (item_no) names no table. */
static void guess_beginnings(struct guesses *g)
{
    static const char *const counts[] = {"no", "nr", "num", "number", NULL};
    size_t stem = g->name.stem;
    if (!g->name.refers || !stem ||
        word_among(g->name.words.items[g->name.words.n - 1], counts))
        return;
    struct str name = name_joined(g->arena, &g->name.words, 0, stem);
    if (name.len < BEGIN_LETTERS)
        return;
    size_t at = lower_bound(&g->names, name);
    for (size_t i = 0; i < TABLES_TRIED && at + i < g->names.n &&
                       str_starts(g->names.sorted[at + i].name, name);
         i++) {
        size_t table = g->names.sorted[at + i].table;
        if (g->names.words[table].n == 1)
            add_guess(g, table, MATCH_PREFIX, 0);
    }
}

/* Tables of one word that the stem abbreviates. */
static void guess_abbreviated(struct guesses *g)
{
    if (!g->name.refers || g->name.stem != 1)
        return;
    struct str stem = g->name.words.items[0];
    size_t at = lower_bound(&g->names, str_cut(stem, 0, 1));
    for (size_t i = 0; i < TAILS_LOOKED && at + i < g->names.n; i++) {
        const struct sorted_name *it = &g->names.sorted[at + i];
        if (!it->name.len || it->name.ptr[0] != stem.ptr[0])
            return;
        if (g->names.words[it->table].n == 1 &&
            name_abbreviates(stem, it->name))
            add_guess(g, it->table, MATCH_PREFIX, 0);
    }
}

/* ---- without a name
 * ------------------------------------------------------- */

/* "parent" refers to its own table, like "parent_id". */
static bool is_kin(const struct column_name *c)
{
    static const char *const list[] = {"parent",      "manager",   "supervisor",
                                       "predecessor", "successor", "root",
                                       "previous",    "mgr",       NULL};
    return c->words.n && word_among(c->words.one[c->words.n - 1], list);
}

static void keep_role_words(struct guesses *g)
{
    struct str_list words = {NULL, 0};
    words.items = arena_new_array(g->arena, struct str, g->name.stem + 1);
    for (size_t i = 0; i < g->name.stem; i++)
        if (g->name.words.one[i].len >= 4)
            words.items[words.n++] = g->name.words.one[i];
    for (size_t i = g->first; i < g->n; i++)
        g->items[i].role_words = words;
}

static void guess_somebody(struct guesses *g)
{
    if (g->users < g->catalog->n_tables && column_names_person(&g->name))
        add_guess(g, g->users, MATCH_PERSON, g->name.stem);
}

/* Small tables first: a reference that does not name its table is usually to a
 * list of persons, kinds or states. */
static void guess_nameless(struct guesses *g)
{
    size_t tried = 0;
    if ((!(g->name.refers && g->name.stem) && !is_kin(&g->name)) ||
        names_itself(g))
        return;
    /* A ticket has an assignee, and the assignee is no ticket. */
    bool own = !column_names_person(&g->name) ||
               table_user_rank(&g->names.words[g->table]);
    if (own)
        add_guess(g, g->table, MATCH_NONE, 0);
    for (size_t i = 0; i < g->n_small && tried < NAMELESS_MOST &&
                       g->nameless < NAMELESS_IN_ALL && g->name.refers;
         i++) {
        bool added = (own || g->small[i] != g->table) &&
                     add_guess(g, g->small[i], MATCH_NONE, 0);
        tried += added;
        g->nameless += added;
    }
    keep_role_words(g);
}

/* origin and destination hold the codes of airports, and name neither the table
 * nor its key. Only a key of text that no other table contains can prove it. */
static void guess_codes(struct guesses *g)
{
    const struct catalog *c = g->catalog;
    if (!column_has_codes(column_at(g)))
        return;
    for (size_t i = 0, tried = 0;
         i < g->n_small && tried < CODE_TABLES && g->nameless < NAMELESS_IN_ALL;
         i++) {
        const struct catalog_table *t = &c->tables[g->small[i]];
        const struct catalog_key *key = catalog_primary(t);
        if (!key || key->n != 1 ||
            t->columns[key->columns[0]].kind != COLUMN_TEXT ||
            !add_guess(g, g->small[i], MATCH_NONE, 0))
            continue;
        g->items[g->n - 1].codes = true;
        g->items[g->n - 1].role = role_of(g, g->name.words.n);
        tried++;
        g->nameless++;
    }
}

/* ---- a column
 * ------------------------------------------------------------- */

/* A key that is not declared may be that of another table too: it is at home
 * where fewer columns refer to others. */
static void guess_home(struct guesses *g)
{
    const struct catalog_key *key =
        catalog_primary(&g->catalog->tables[g->table]);
    if (!key || !key->found || key->unseen)
        return;
    size_t first = g->n, kept = first;
    guess_keys(g);
    if (g->n == first)
        guess_cores(g);
    for (size_t i = first; i < g->n; i++)
        if (g->items[i].loose < distance(g, g->table))
            g->items[kept++] = g->items[i];
    g->n = kept;
}

static void guess_column(struct guesses *g)
{
    const struct catalog_table *t = &g->catalog->tables[g->table];
    const struct catalog_column *column = column_at(g);
    bool own_key = catalog_is_single_key(t, g->column);
    g->first = g->n;
    if (!kinds_comparable(column, column) || column->many == MANY_NAMED ||
        column_is_linked(g->catalog, g->table, g->column))
        return;
    g->name = column_words(g->arena, column->name);
    if (!names_itself(g)) /* course_number of courses is none of its keys */
        guess_tables(g);
    if (own_key) { /* a key refers to another table by its full name */
        guess_home(g);
        return;
    }
    guess_keys(g);
    if (g->n == g->first)
        guess_cores(g);
    guess_tails(g);
    if (g->n == g->first)
        guess_beginnings(g);
    if (g->n == g->first)
        guess_abbreviated(g);
    if (g->n == g->first)
        guess_somebody(g);
    if (g->n == g->first)
        guess_nameless(g);
    if (g->n == g->first)
        guess_codes(g);
}

/* ---- keys of several columns
 * ----------------------------------------------- */

static size_t column_named(const struct catalog_table *t, struct str name)
{
    size_t i = 0;
    while (i < t->n_columns && !str_eq_nocase(t->columns[i].name, name))
        i++;
    return i;
}

static bool are_linked(const struct catalog *c, size_t from, size_t to)
{
    for (size_t i = 0; i < c->n_links; i++)
        if (c->links[i].from == from && c->links[i].to == to)
            return true;
    return false;
}

/* Two tables of facts have a site and a day in common; neither is the master of
 * the other. */
static bool names_time(struct guesses *g, struct str column)
{
    static const char *const times[] = {"date", "day",  "week",   "month",
                                        "time", "hour", "period", NULL};
    struct name_words w = name_words(g->arena, column);
    for (size_t i = 0; i < w.n; i++)
        if (word_among(w.one[i], times))
            return true;
    return false;
}

static void guess_composite(struct guesses *g, size_t from, size_t to,
                            const struct catalog_key *key)
{
    const struct catalog_table *t = &g->catalog->tables[to];
    const struct catalog_table *s = &g->catalog->tables[from];
    struct link_guess x = {.from = from,
                           .to = to,
                           .n = key->n,
                           .match = MATCH_TABLE,
                           .refers = true};
    for (size_t i = 0; i < key->n; i++) {
        const struct catalog_column *part = &t->columns[key->columns[i]];
        size_t at = column_named(s, part->name);
        if (at == s->n_columns || !kinds_comparable(&s->columns[at], part))
            return;
        x.from_columns[i] = at;
        x.to_columns[i] = key->columns[i];
        x.vague |= names_time(g, part->name);
    }
    /* Two tables with the same key: the direction is unknown. */
    if (catalog_is_key(s, x.from_columns, x.n) || g->n >= GUESSES_MOST ||
        are_linked(g->catalog, from, to))
        return;
    *new_guess(g) = x;
}

/* Compares only tables that have the first column of the key. */
static void guess_composites(struct guesses *g)
{
    const struct catalog *c = g->catalog;
    struct map holders;
    column_holders(g->arena, c, &holders);
    for (size_t i = 0; i < c->n_tables; i++) {
        const struct catalog_key *key = catalog_primary(&c->tables[i]);
        if (!key || key->n < 2 || key->n > LINK_COLUMNS)
            continue;
        struct str first = c->tables[i].columns[key->columns[0]].name;
        const struct tables_of_name *same =
            map_get(&holders, sql_fold(g->arena, first));
        for (size_t k = 0; same && k < same->n && k < 200; k++)
            if (same->tables[k] != i)
                guess_composite(g, same->tables[k], i, key);
    }
}

/* ---- all
 * ------------------------------------------------------------------ */

static void note_keys(struct guesses *g)
{
    const struct catalog *c = g->catalog;
    map_init(&g->keys, g->arena);
    for (size_t i = 0; i < c->n_tables; i++) {
        const struct catalog_table *t = &c->tables[i];
        for (size_t k = 0; k < t->n_keys; k++)
            if (t->keys[k].n == 1)
                table_names_put(
                    g->arena, &g->keys,
                    sql_fold(g->arena, t->columns[t->keys[k].columns[0]].name),
                    i);
    }
}

struct small_table {
    size_t table;
    int64_t rows;
};

static int by_rows(const void *a, const void *b)
{
    const struct small_table *x = a, *y = b;
    if (x->rows != y->rows)
        return x->rows < y->rows ? -1 : 1;
    return x->table < y->table ? -1 : 1;
}

static void note_small(struct guesses *g)
{
    const struct catalog *c = g->catalog;
    struct small_table *found =
        arena_new_array(g->arena, struct small_table, c->n_tables + 1);
    for (size_t i = 0; i < c->n_tables; i++) {
        const struct catalog_table *t = &c->tables[i];
        if (t->n_keys && t->rows != 0 && t->kind != TABLE_VIEW)
            found[g->n_small++] = (struct small_table){i, t->rows};
    }
    qsort(found, g->n_small, sizeof *found, by_rows);
    g->small = arena_new_array(g->arena, size_t, g->n_small + 1);
    for (size_t i = 0; i < g->n_small; i++)
        g->small[i] = found[i].table;
}

/* The only table of users, else of employees, and so on; n_tables if several
 * are equally likely. */
static void note_users(struct guesses *g)
{
    size_t n = g->catalog->n_tables;
    int best = 0;
    g->users = n;
    for (size_t i = 0; i < n; i++) {
        int likely = table_user_rank(&g->names.words[i]);
        if (!likely || likely < best)
            continue;
        g->users = likely > best ? i : n;
        best = likely;
    }
}

size_t infer_guesses(struct arena *arena, const struct catalog *c,
                     struct link_guess **out)
{
    struct guesses g = {.arena = arena, .catalog = c};
    table_names_make(arena, c, &g.names);
    name_cores_make(arena, c, &g.names, &g.cores);
    name_cores_note_keys(&g.cores);
    note_keys(&g);
    g.foreign = arena_new_array(arena, unsigned, c->n_tables + 1);
    note_small(&g);
    note_users(&g);
    guess_composites(&g);
    for (g.table = 0; g.table < c->n_tables; g.table++)
        for (g.column = 0; g.column < c->tables[g.table].n_columns; g.column++)
            guess_column(&g);
    *out = g.items;
    return g.n;
}
