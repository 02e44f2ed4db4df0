/* infer_core.c - finds the letters that tables and databases put before names,
 * and compares what is left of columns and keys. */
#include "infer_core.h"
#include "base/buf.h"
#include "../sql_name.h"
#include "base/banned.h"

enum {
    PREFIX_LETTERS = 2, /* of a shared beginning, at least */
    LEFT_LETTERS = 2,   /* of each name after it, at least */
    STEM_LETTERS = 2,   /* before "id" */
    BARE_LETTERS = 3,   /* of a core that does not end like a reference */
    INITIALS_MOST = 3,
    DATABASE_TABLES = 3, /* show a beginning of all tables, at least */
    CORE_TABLES = 3,     /* with one core: more say nothing */
    NAME_LETTERS = 63,   /* a longer name is no name of PostgreSQL */
};

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_separator(char c)
{
    return !str_is_alnum(c) && (unsigned char)c < 0x80;
}

/* A word begins at `at`: after a separator, or at a capital after a small
 * letter. */
static bool is_word_start(struct str name, size_t at)
{
    if (at == 0 || at >= name.len)
        return false;
    return is_separator(name.ptr[at - 1]) ||
           (is_upper(name.ptr[at]) && !is_upper(name.ptr[at - 1]));
}

size_t core_stem(struct str core, bool *refers)
{
    static const char *const endings[] = {
        "number", "uuid", "guid", "code", "key", "num", "ref", "id",
        "no",     "nr",   "cd",   "sk",   "pk",  "fk",  NULL};
    *refers = false;
    for (size_t i = 0; endings[i] && !*refers; i++)
        if (str_ends(core, str_of(endings[i]))) {
            *refers = true;
            core.len -= str_of(endings[i]).len;
        }
    return core.len;
}

/* Folded, without separators. */
static struct str letters_from(struct arena *arena, struct str name, size_t at)
{
    struct buf out;
    buf_init(&out, arena);
    for (size_t i = at; i < name.len && i < NAME_LETTERS; i++)
        if (!is_separator(name.ptr[i]))
            buf_char(&out, str_lower_char(name.ptr[i]));
    return buf_finish(&out);
}

/* ---- shared beginnings --------------------------------------------------- */

static bool has_humps(const struct catalog_table *t)
{
    for (size_t i = 0; i < t->n_columns; i++)
        for (size_t k = 1; k < t->columns[i].name.len; k++)
            if (is_upper(t->columns[i].name.ptr[k]) &&
                !is_upper(t->columns[i].name.ptr[k - 1]))
                return true;
    return false;
}

/* Back to the end of a word, if the names show where words end. */
static size_t whole_words(const struct catalog_table *t, size_t n)
{
    struct str name = t->columns[0].name;
    size_t at = n;
    while (at > 0 && !is_separator(name.ptr[at - 1]))
        at--;
    if (at > 0)
        return at;
    if (has_humps(t))
        while (n > 0 && !is_word_start(name, n))
            n--;
    return n;
}

static size_t shared_letters(const struct catalog_table *t)
{
    if (t->n_columns < 2)
        return 0;
    struct str first = t->columns[0].name;
    size_t n = first.len;
    for (size_t i = 0; i < t->n_columns; i++) {
        struct str name = t->columns[i].name;
        size_t same = 0;
        while (same < n && same + LEFT_LETTERS < name.len &&
               str_lower_char(name.ptr[same]) ==
                   str_lower_char(first.ptr[same]))
            same++;
        n = same;
    }
    n = whole_words(t, n);
    return n < PREFIX_LETTERS ? 0 : n;
}

/* The letter at `at` that most tables have, of those that agree so far. */
static char usual_letter(const struct catalog *c, const bool *agrees, size_t at)
{
    size_t counts[256] = {0}, best = 0;
    for (size_t i = 0; i < c->n_tables; i++)
        if (agrees[i] && at + LEFT_LETTERS < c->tables[i].name.len)
            counts[(unsigned char)str_lower_char(c->tables[i].name.ptr[at])]++;
    for (size_t i = 1; i < 256; i++)
        if (counts[i] > counts[best])
            best = i;
    return counts[best] * 10 >= c->n_tables * 6 ? (char)best : 0;
}

static struct str usual_beginning(struct arena *arena, const struct catalog *c)
{
    bool *agrees = arena_new_array(arena, bool, c->n_tables + 1);
    struct buf out;
    buf_init(&out, arena);
    for (size_t i = 0; i < c->n_tables; i++)
        agrees[i] = true;
    for (size_t at = 0; at < NAME_LETTERS && c->n_tables >= DATABASE_TABLES;
         at++) {
        char letter = usual_letter(c, agrees, at);
        if (!letter)
            break;
        for (size_t i = 0; i < c->n_tables; i++)
            agrees[i] = agrees[i] && at < c->tables[i].name.len &&
                        str_lower_char(c->tables[i].name.ptr[at]) == letter;
        buf_char(&out, letter);
    }
    struct str found = buf_finish(&out);
    return found.len < PREFIX_LETTERS ? STR("") : found;
}

static bool begins_as_database(const struct name_cores *x, struct str name)
{
    return x->database.len && name.len > x->database.len &&
           str_eq_nocase(str_cut(name, 0, x->database.len), x->database);
}

/* The core of the column after the letters that its table shares, folded and
 * without separators; in `arena`. */
static struct str column_core(const struct name_cores *x, struct arena *arena,
                              size_t table, size_t column)
{
    return letters_from(arena, x->catalog->tables[table].columns[column].name,
                        x->shared[table]);
}

/* After the letters of the database; empty if it does not begin so. */
static struct str database_core(const struct name_cores *x, struct str name)
{
    return begins_as_database(x, name)
               ? letters_from(x->arena, name, x->database.len)
               : STR("");
}

/* The core says which thing, not only that it is an identifier. */
static bool is_telling(struct str core, bool *refers)
{
    size_t stem = core_stem(core, refers);
    return *refers ? stem >= STEM_LETTERS : stem >= BARE_LETTERS;
}

/* ---- a column that names its own table ----------------------------------- */

/* "a" of artist, "ol" of order_lines. */
static bool are_initials(const struct name_words *table, struct str letters)
{
    if (table->n == 1)
        return str_starts(table->one[0], letters);
    if (letters.len != table->n)
        return false;
    for (size_t i = 0; i < table->n; i++)
        if (table->one[i].ptr[0] != letters.ptr[i])
            return false;
    return true;
}

/* The letters before "id" of a short name; else empty. */
static struct str initials_of(struct str folded)
{
    size_t n = folded.len;
    return n > 2 && n <= 2 + INITIALS_MOST && str_ends(folded, STR("id"))
               ? str_cut(folded, 0, n - 2)
               : STR("");
}

/* All columns look like initials: plays(aid, pid) is no home of either. */
static bool only_relates(const struct name_cores *x, size_t table)
{
    const struct catalog_table *t = &x->catalog->tables[table];
    size_t i = 0;
    while (i < t->n_columns &&
           initials_of(letters_from(x->arena, t->columns[i].name, 0)).len)
        i++;
    return i > 1 && i == t->n_columns;
}

static bool has_own_initials(const struct name_cores *x, size_t table,
                             size_t column)
{
    struct str name = x->catalog->tables[table].columns[column].name;
    struct str initials = initials_of(letters_from(x->arena, name, 0));
    return initials.len && x->names->words[table].n &&
           are_initials(&x->names->words[table], initials) &&
           !only_relates(x, table);
}

/* The stem of the core begins the table's name: slsno of slsmast. */
static bool begins_table(const struct name_cores *x, size_t table,
                         struct str core)
{
    bool refers;
    size_t stem = core_stem(core, &refers);
    struct str name = x->catalog->tables[table].name;
    size_t from = begins_as_database(x, name) ? x->database.len : 0;
    return refers && stem >= STEM_LETTERS &&
           str_starts(letters_from(x->arena, name, from),
                      str_cut(core, 0, stem));
}

static bool has_own_core(const struct name_cores *x, size_t table,
                         size_t column)
{
    struct str name = x->catalog->tables[table].columns[column].name;
    return (x->shared[table] &&
            begins_table(x, table, column_core(x, x->arena, table, column))) ||
           begins_table(x, table, database_core(x, name));
}

bool core_names_own(const struct name_cores *x, size_t table, size_t column)
{
    struct arena_mark mark = arena_mark(x->arena);
    bool own =
        has_own_initials(x, table, column) || has_own_core(x, table, column);
    arena_reset(x->arena, mark);
    return own;
}

bool tables_have_other(const struct tables_of_name *same, size_t table)
{
    return same && (same->n > 1 || same->tables[0] != table);
}

bool core_names_other(const struct name_cores *x, size_t table, size_t column)
{
    struct arena_mark mark = arena_mark(x->arena);
    struct str core = column_core(x, x->arena, table, column);
    bool other = tables_have_other(core_initials(x, table, column), table) ||
                 tables_have_other(table_names_find(&x->homes, core), table);
    arena_reset(x->arena, mark);
    return other;
}

const struct tables_of_name *core_initials(const struct name_cores *x,
                                           size_t table, size_t column)
{
    struct arena_mark mark = arena_mark(x->arena);
    struct str name = x->catalog->tables[table].columns[column].name;
    struct str folded = letters_from(x->arena, name, 0);
    const struct tables_of_name *same = table_names_find(&x->initials, folded);
    arena_reset(x->arena, mark);
    return same;
}

/* ---- the maps ------------------------------------------------------------ */

static void put_core(struct name_cores *x, struct map *map, struct str core,
                     size_t table)
{
    bool refers;
    const struct tables_of_name *same = table_names_find(map, core);
    bool known = same && same->tables[same->n - 1] == table;
    if (!known && is_telling(core, &refers))
        table_names_put(x->arena, map, core, table);
}

/* A column of its initials, or one whose core begins its name. */
static void note_home(struct name_cores *x, size_t table, size_t column)
{
    struct str name = x->catalog->tables[table].columns[column].name;
    if (has_own_initials(x, table, column))
        table_names_put(x->arena, &x->initials, letters_from(x->arena, name, 0),
                        table);
    if (!has_own_core(x, table, column))
        return;
    put_core(x, &x->homes, column_core(x, x->arena, table, column), table);
    put_core(x, &x->homes, database_core(x, name), table);
}

void name_cores_make(struct arena *arena, const struct catalog *c,
                     const struct table_names *names, struct name_cores *x)
{
    *x = (struct name_cores){.arena = arena, .catalog = c, .names = names};
    map_init(&x->initials, arena);
    map_init(&x->homes, arena);
    map_init(&x->keys, arena);
    x->shared = arena_new_array(arena, size_t, c->n_tables + 1);
    x->database = usual_beginning(arena, c);
    for (size_t i = 0; i < c->n_tables; i++)
        x->shared[i] = shared_letters(&c->tables[i]);
    for (size_t i = 0; i < c->n_tables; i++)
        for (size_t k = 0; k < c->tables[i].n_columns; k++)
            note_home(x, i, k);
}

void name_cores_note_keys(struct name_cores *x)
{
    const struct catalog *c = x->catalog;
    for (size_t i = 0; i < c->n_tables; i++) {
        const struct catalog_table *t = &c->tables[i];
        for (size_t k = 0; k < t->n_keys; k++) {
            size_t at = t->keys[k].columns[0];
            struct str name = t->columns[at].name;
            if (t->keys[k].n != 1)
                continue;
            put_core(x, &x->keys, letters_from(x->arena, name, 0), i);
            put_core(x, &x->keys, column_core(x, x->arena, i, at), i);
            put_core(x, &x->keys, database_core(x, name), i);
        }
    }
}

/* ---- a column and the keys ----------------------------------------------- */

static struct str role_text(struct arena *arena, struct str before)
{
    struct name_words w = name_words(arena, before);
    struct buf out;
    buf_init(&out, arena);
    for (size_t i = 0; i < w.n; i++)
        buf_printf(&out, "%s%.*s", i ? "_" : "", STR_ARG(w.items[i]));
    return buf_finish(&out);
}

struct core_match core_of_key(const struct name_cores *x, size_t table,
                              size_t column)
{
    struct str name = x->catalog->tables[table].columns[column].name;
    size_t shared = x->shared[table];
    for (size_t at = 0; at + LEFT_LETTERS < name.len && at < NAME_LETTERS;
         at++) {
        struct core_match m = {.tables = NULL};
        if (at > shared && !is_word_start(name, at))
            continue;
        struct arena_mark mark = arena_mark(x->arena);
        struct str core = letters_from(x->arena, name, at);
        bool telling = is_telling(core, &m.refers);
        m.tables = table_names_find(&x->keys, core);
        arena_reset(x->arena, mark);
        /* A word at the end says little without "id": first_name, name. */
        if (!telling || !m.tables || m.tables->n > CORE_TABLES ||
            (at > shared && !m.refers))
            continue;
        if (at > shared)
            m.role = role_text(x->arena, str_cut(name, shared, at - shared));
        return m;
    }
    return (struct core_match){.tables = NULL};
}
