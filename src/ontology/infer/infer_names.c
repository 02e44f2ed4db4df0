/* infer_names.c - compares the names of tables and columns as words. */
#include "infer.h"
#include "../sql_name.h"
#include <stdlib.h>
#include "base/banned.h"

enum {
    ABBREVIATION_LETTERS = 3,
    CODE_BYTES_LEAST = 3, /* of two letters are states, countries, tongues */
    CODE_BYTES = 12,
    CODES_LEAST = 5,
};

/* ---- tables
 * --------------------------------------------------------------- */

void table_names_put(struct arena *arena, struct map *map, struct str name,
                     size_t table)
{
    struct tables_of_name *same = map_get(map, name);
    if (!name.len)
        return;
    if (!same) {
        same = arena_new(arena, struct tables_of_name);
        map_put(map, name, same);
    }
    if (same->n == same->cap) {
        size_t cap = same->cap ? 2 * same->cap : 2;
        size_t *more = arena_new_array(arena, size_t, cap);
        for (size_t i = 0; i < same->n; i++)
            more[i] = same->tables[i];
        same->tables = more;
        same->cap = cap;
    }
    same->tables[same->n++] = table;
}

const struct tables_of_name *table_names_find(const struct map *map,
                                              struct str name)
{
    return name.len ? map_get(map, name) : NULL;
}

void column_holders(struct arena *arena, const struct catalog *c,
                    struct map *holders)
{
    map_init(holders, arena);
    for (size_t i = 0; i < c->n_tables; i++)
        for (size_t k = 0; k < c->tables[i].n_columns; k++)
            table_names_put(arena, holders,
                            sql_fold(arena, c->tables[i].columns[k].name), i);
}

/* Prefixes and suffixes of table names without a meaning of their own. */
static bool is_affix(struct str word)
{
    static const char *const list[] = {"tbl",  "tb",  "t",  "tab",   "dim",
                                       "fact", "stg", "vw", "v",     "mv",
                                       "ref",  "lkp", "lu", "table", NULL};
    return word_among(word, list);
}

/* The first word, if most tables have the same one ("wp_users", "wp_posts"). */
static struct str common_prefix(struct arena *arena, const struct catalog *c,
                                const struct name_words *words)
{
    struct map counts;
    map_init(&counts, arena);
    for (size_t i = 0; i < c->n_tables; i++) {
        if (words[i].n < 2)
            continue;
        size_t *count = map_get(&counts, words[i].items[0]);
        if (!count) {
            count = arena_new(arena, size_t);
            map_put(&counts, words[i].items[0], count);
        }
        if (++*count >= 3 && *count * 10 >= c->n_tables * 6)
            return words[i].items[0];
    }
    return STR("");
}

static struct name_words without_affix(struct name_words w, struct str prefix)
{
    bool front = w.n > 1 && (is_affix(w.items[0]) ||
                             (prefix.len && str_eq(w.items[0], prefix)));
    struct name_words out = w;
    for (size_t i = 1; i < w.n && front; i++) {
        out.items[i - 1] = w.items[i];
        out.one[i - 1] = w.one[i];
    }
    out.n -= front;
    if (out.n > 1 && is_affix(out.items[out.n - 1]))
        out.n--;
    return out;
}

static int by_name(const void *a, const void *b)
{
    const struct sorted_name *x = a, *y = b;
    int order = str_cmp(x->name, y->name);
    return order ? order : x->table < y->table ? -1 : x->table > y->table;
}

void table_names_make(struct arena *arena, const struct catalog *c,
                      struct table_names *names)
{
    *names = (struct table_names){.n = c->n_tables};
    map_init(&names->whole, arena);
    map_init(&names->tails, arena);
    names->words = arena_new_array(arena, struct name_words, c->n_tables + 1);
    names->sorted = arena_new_array(arena, struct sorted_name, c->n_tables + 1);
    for (size_t i = 0; i < c->n_tables; i++)
        names->words[i] = name_words(arena, c->tables[i].name);
    struct str prefix = common_prefix(arena, c, names->words);
    for (size_t i = 0; i < c->n_tables; i++) {
        struct name_words *w = &names->words[i];
        *w = without_affix(*w, prefix);
        struct str whole = name_joined(arena, w, 0, w->n);
        table_names_put(arena, &names->whole, whole, i);
        names->sorted[i] = (struct sorted_name){whole, i};
        for (size_t from = 1; from < w->n; from++)
            table_names_put(arena, &names->tails,
                            name_joined(arena, w, from, w->n), i);
    }
    qsort(names->sorted, names->n, sizeof *names->sorted, by_name);
}

/* ---- columns
 * -------------------------------------------------------------- */

/* "customer" of "customerid". */
static struct str squashed(struct arena *arena, const struct name_words *w)
{
    static const char *const endings[] = {"uuid", "guid", "code", "key",
                                          "id",   "no",   "nr",   NULL};
    struct str name = name_joined(arena, w, 0, w->n);
    for (size_t i = 0; endings[i]; i++) {
        struct str ending = str_of(endings[i]);
        if (name.len > ending.len + 1 && str_ends(name, ending)) {
            struct str stem = str_cut(name, 0, name.len - ending.len);
            struct name_words one = name_words(arena, stem);
            return name_joined(arena, &one, 0, one.n);
        }
    }
    if (name.len > 5 && str_starts(name, STR("id"))) { /* "idcliente" */
        struct name_words one = name_words(arena, str_from(name, 2));
        return name_joined(arena, &one, 0, one.n);
    }
    return STR("");
}

/* "id_client" says what "client_id" does. */
static void put_id_last(struct name_words *w)
{
    struct str first = w->n ? w->items[0] : STR("");
    size_t last = w->n - 1;
    if (w->n < 2 || !(str_is(first, "id") || str_is(first, "cod")) ||
        word_refers(w->items[last]))
        return;
    for (size_t i = 0; i < last; i++) {
        w->items[i] = w->items[i + 1];
        w->one[i] = w->one[i + 1];
    }
    w->items[last] = w->one[last] = STR("id");
}

struct column_name column_words(struct arena *arena, struct str name)
{
    struct column_name c = {.words = name_words(arena, name)};
    put_id_last(&c.words);
    size_t n = c.words.n;
    bool affix = n > 1 && str_is(c.words.items[0], "fk");
    for (size_t i = 1; affix && i < n; i++) {
        c.words.items[i - 1] = c.words.items[i];
        c.words.one[i - 1] = c.words.one[i];
    }
    c.words.n = n -= affix;
    c.stem = n;
    c.refers = affix;
    while (c.stem &&
           (word_refers(c.words.items[c.stem - 1]) ||
            (c.stem > 1 && word_is_preposition(c.words.items[c.stem - 1])))) {
        c.stem--;
        c.refers = true;
    }
    if (!c.refers)
        c.squashed = squashed(arena, &c.words);
    return c;
}

bool column_names_person(const struct column_name *c)
{
    static const char *const persons[] = {
        "author",   "editor",    "owner",    "creator",   "sender",
        "receiver", "recipient", "reviewer", "approver",  "assignee",
        "reporter", "moderator", "uploader", "requester", "updater",
        "modifier", "organizer", "mentor",   "follower",  NULL};
    static const char *const deeds[] = {
        "create",   "created", "update",   "updated",   "write",     "modified",
        "approved", "deleted", "assigned", "submitted", "uploaded",  "reported",
        "closed",   "opened",  "changed",  "added",     "published", "locked",
        "reviewed", "edited",  "posted",   "requested", NULL};
    static const char *const marks[] = {"by", "to", "uid", NULL};
    const struct name_words *w = &c->words;
    if (!c->refers || !c->stem)
        return false;
    return word_among(w->one[c->stem - 1], persons) ||
           (c->stem < w->n && word_among(w->items[c->stem], marks) &&
            word_among(w->items[c->stem - 1], deeds));
}

int table_user_rank(const struct name_words *table)
{
    static const char *const likely[] = {"member", "person", "staff",
                                         "employee", "user"};
    int n = (int)(sizeof likely / sizeof *likely);
    for (int i = n; i > 0 && table->n; i--)
        if (str_is(table->one[table->n - 1], likely[i - 1]))
            return i;
    return 0;
}

bool column_is_plural(const struct column_name *c)
{
    size_t last = c->words.n - 1;
    return c->words.n && !c->refers && !c->squashed.len &&
           !str_eq(c->words.items[last], c->words.one[last]);
}

bool column_has_codes(const struct catalog_column *c)
{
    struct str first = c->samples.n ? c->samples.items[0] : STR("");
    if (c->kind != COLUMN_TEXT || c->personal || first.len > CODE_BYTES ||
        first.len < CODE_BYTES_LEAST || c->n_distinct < CODES_LEAST)
        return false;
    for (size_t i = 0; i < c->samples.n; i++)
        if (c->samples.items[i].len != first.len ||
            str_find(c->samples.items[i], STR(" ")) >= 0)
            return false;
    return true;
}

bool name_abbreviates(struct str letters, struct str name)
{
    size_t at = 0, i = 0;
    if (letters.len < ABBREVIATION_LETTERS)
        return false;
    while (i < letters.len && i < name.len && letters.ptr[i] == name.ptr[i])
        i++;
    for (at = i; i && i < letters.len; i++, at++) {
        char c = letters.ptr[i];
        if (c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u')
            return false;
        while (at < name.len && name.ptr[at] != c)
            at++;
        if (at >= name.len)
            return false;
    }
    return i == letters.len;
}

/* ---- both
 * ----------------------------------------------------------------- */

bool kinds_comparable(const struct catalog_column *a,
                      const struct catalog_column *b)
{
    bool numbers = (a->kind == COLUMN_INTEGER || a->kind == COLUMN_NUMBER) &&
                   (b->kind == COLUMN_INTEGER || b->kind == COLUMN_NUMBER) &&
                   !a->floating && !b->floating;
    if (numbers)
        return true;
    if (a->kind != b->kind)
        return false;
    if (a->kind == COLUMN_ENUM)
        return str_eq(a->type, b->type);
    return a->kind == COLUMN_TEXT || a->kind == COLUMN_UUID;
}

bool column_is_linked(const struct catalog *c, size_t table, size_t column)
{
    for (size_t i = 0; i < c->n_links; i++) {
        const struct catalog_link *link = &c->links[i];
        for (size_t k = 0; k < link->n && link->from == table; k++)
            if (link->from_columns[k] == column)
                return true;
    }
    return false;
}
