/* infer_links.c - decides which guesses become relationships.
 *
 * For each column the guess with the best match of names that the data confirm
 * becomes a link. If two match equally well, neither does. The others are
 * suggested to a person, unless the data contradict them. */
#include "base/buf.h"
#include "infer.h"
#include <stdlib.h>
#include "base/banned.h"

enum {
    NEARLY_PERCENT = 95, /* of the values, if the name is clear */
    OFFERED_A_COLUMN = 2,
    OFFERED_MOST = 100,
    TELLING_VALUES = 5,  /* this many texts that are all keys are no accident */
    TELLING_PHRASES = 3, /* if the name has several words */
};

enum verdict { NO, OFFER, NAMED, HOLDS };

static bool is_plain_match(enum name_match match)
{
    return match == MATCH_TABLE || match == MATCH_ROLE || match == MATCH_KEY ||
           match == MATCH_CORE;
}

static bool all_found(const struct link_guess *g)
{
    return g->asked && g->values > 0 && g->found == g->values;
}

static bool nearly_all(const struct link_guess *g)
{
    return g->asked && g->values > 0 &&
           g->found * 100 >= g->values * NEARLY_PERCENT;
}

/* Each row descends from a root, and no row refers to itself. */
static bool is_tree(const struct link_guess *g)
{
    return g->tree && all_found(g) && g->loops == 0 && g->targets > 0 &&
           g->reached == g->targets;
}

/* The words of the column name occur in every row that it refers to, and in few
 * others. */
static bool is_hinted(const struct link_guess *g)
{
    int64_t others = g->targets - g->pointed;
    return g->role_words.n && g->pointed > 0 && g->hinted == g->pointed &&
           g->strangers * 4 <= others;
}

static bool is_telling(const struct catalog *c, const struct link_guess *g)
{
    enum column_kind kind = c->tables[g->from].columns[g->from_columns[0]].kind;
    return g->match == MATCH_NONE && (g->refers || g->codes) &&
           (kind == COLUMN_UUID ||
            (kind == COLUMN_TEXT && g->values >= TELLING_VALUES));
}

/* Two columns of one name may mean different things (name, city): the values
 * decide. */
static enum verdict judge_bare(const struct link_guess *g)
{
    if (g->phrase && g->values >= TELLING_PHRASES && all_found(g))
        return HOLDS;
    if (g->values < TELLING_VALUES || g->found * 2 < g->values)
        return NO;
    return nearly_all(g) ? HOLDS : OFFER;
}

static enum verdict judge_guess(const struct catalog *c,
                                const struct link_guess *g)
{
    bool plain = is_plain_match(g->match);
    if (g->bare)
        return g->asked ? judge_bare(g) : NO;
    if (g->asked && g->values == 0)
        return plain ? NAMED : NO;
    if (!g->asked) /* no time, or no permission to read */
        return plain ? OFFER : NO;
    if (g->targets == 0)
        return plain ? OFFER : NO;
    if (g->match == MATCH_NONE) {
        if (!all_found(g))
            return NO;
        return is_tree(g) || is_hinted(g) || is_telling(c, g) ? HOLDS
               : g->refers                                    ? OFFER
                                                              : NO;
    }
    if (g->vague)
        return all_found(g) ? OFFER : NO;
    if (all_found(g) || (plain && nearly_all(g)))
        return HOLDS;
    return plain && g->found ? OFFER : NO;
}

/* ---- the evidence
 * ---------------------------------------------------------- */

static void put_columns(struct buf *out, const struct catalog_table *t,
                        const size_t *columns, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "%s%.*s", i ? ", " : "",
                   STR_ARG(t->columns[columns[i]].name));
}

static void put_match(struct buf *out, const struct catalog *c,
                      const struct link_guess *g)
{
    const struct catalog_table *to = &c->tables[g->to];
    put_columns(out, &c->tables[g->from], g->from_columns, g->n);
    switch (g->match) {
    case MATCH_TABLE:
        buf_text(out, g->n > 1 ? " have the names of the key of "
                               : " is named after ");
        break;
    case MATCH_ROLE:
        buf_text(out, " names a role of ");
        break;
    case MATCH_CORE:
        buf_text(out, " ends in the name of the key of ");
        break;
    case MATCH_KEY:
        buf_text(out, " has the name of the key of ");
        break;
    case MATCH_LAST_WORDS:
        buf_text(out, " has the last word of ");
        break;
    case MATCH_PREFIX:
        buf_text(out, " begins the name of ");
        break;
    case MATCH_PERSON:
        buf_text(out, " says who did it, perhaps one of ");
        break;
    case MATCH_NONE:
        buf_text(out, g->codes ? " holds codes, as does the key of "
                               : " refers to something, perhaps ");
        break;
    }
    buf_str(out, to->name);
}

static void put_values(struct buf *out, const struct link_guess *g)
{
    if (!g->asked) {
        buf_text(out, "; its values were not checked.");
    } else if (g->values == 0) {
        buf_text(out, "; by its name only: it has no values.");
    } else if (g->targets == 0) {
        buf_text(out, "; the other table is empty.");
    } else {
        buf_printf(out, "; %lld of its %s%lld distinct values exist there.",
                   (long long)g->found, g->whole ? "" : "first ",
                   (long long)g->values);
    }
}

static struct str evidence_text(struct arena *arena, const struct catalog *c,
                                const struct link_guess *g)
{
    struct buf out;
    buf_init(&out, arena);
    buf_text(&out, "No foreign key is declared: ");
    put_match(&out, c, g);
    put_values(&out, g);
    if (is_tree(g))
        buf_text(&out, " The rows form a tree.");
    else if (g->match == MATCH_NONE && is_hinted(g))
        buf_printf(&out, " \"%.*s\" occurs in the rows it refers to.",
                   STR_ARG(g->role_words.items[0]));
    const struct catalog_key *key = catalog_primary(&c->tables[g->to]);
    if (key && key->found && !key->unseen && catalog_key_is_guess(key))
        buf_printf(&out,
                   " The key is not declared either; %lld rows show no value "
                   "twice: a guess.",
                   (long long)key->rows);
    return buf_finish(&out);
}

/* ---- choosing
 * --------------------------------------------------------------- */

struct links {
    struct arena *arena;
    struct catalog *catalog;
    size_t offered;
};

static void add_link(struct links *l, const struct link_guess *g,
                     enum link_origin origin)
{
    struct catalog_link *link = &l->catalog->links[l->catalog->n_links++];
    *link = (struct catalog_link){.from = g->from,
                                  .to = g->to,
                                  .n = g->n,
                                  .origin = origin,
                                  .role = g->role};
    link->from_columns = arena_new_array(l->arena, size_t, g->n);
    link->to_columns = arena_new_array(l->arena, size_t, g->n);
    for (size_t i = 0; i < g->n; i++) {
        link->from_columns[i] = g->from_columns[i];
        link->to_columns[i] = g->to_columns[i];
    }
    link->evidence = evidence_text(l->arena, l->catalog, g);
}

/* Orders the guesses of one column: a higher rank is a better guess. */
static int guess_rank(const struct link_guess *g)
{
    int more = 0;
    if (g->match == MATCH_NONE)
        more = is_tree(g) ? 2 : is_hinted(g) ? 1 : 0;
    int loose = g->loose < 7 ? (int)g->loose : 7;
    return g->match * 64 + more * 16 + g->near * 8 - loose;
}

/* Best rank first; then the smaller table. */
static int by_worth(const void *a, const void *b)
{
    const struct link_guess *const *x = a, *const *y = b;
    int order = guess_rank(*y) - guess_rank(*x);
    if (order)
        return order;
    if ((*x)->targets != (*y)->targets)
        return (*x)->targets < (*y)->targets ? -1 : 1;
    return *x < *y ? -1 : *x > *y;
}

static void suggest_links(struct links *l, struct link_guess **all, size_t n,
                          const struct link_guess *taken)
{
    size_t here = 0;
    for (size_t i = 0; i < n && here < OFFERED_A_COLUMN; i++) {
        enum verdict v = judge_guess(l->catalog, all[i]);
        bool weaker = taken && (all[i]->match == MATCH_NONE ||
                                all[i]->near < taken->near);
        if (all[i] == taken || v == NO || weaker || l->offered >= OFFERED_MOST)
            continue;
        add_link(l, all[i], LINK_SUGGESTED);
        here++;
        l->offered++;
    }
}

static struct catalog_column *column_of(const struct links *l,
                                        const struct link_guess *g)
{
    return &l->catalog->tables[g->from].columns[g->from_columns[0]];
}

/* Another column seems to say of which table the rows are, and half of the
 * values are keys of one table at least. */
static bool is_of_many(const struct links *l, struct link_guess **all, size_t n)
{
    if (column_of(l, all[0])->many != MANY_PERHAPS)
        return false;
    for (size_t i = 0; i < n; i++)
        if (all[i]->asked && all[i]->values > 0 &&
            all[i]->found * 2 >= all[i]->values)
            return true;
    return false;
}

/* Chooses among the guesses of one column, or judges one of several columns. */
static void choose_link(struct links *l, struct link_guess **all, size_t n)
{
    const struct link_guess *best = NULL;
    bool shared = false;
    for (size_t i = 0; i < n && all[i]->n == 1; i++)
        column_of(l, all[i])->refers |=
            all[i]->refers || is_plain_match(all[i]->match);
    if (all[0]->n == 1 && is_of_many(l, all, n)) {
        column_of(l, all[0])->many = MANY_FOUND;
        return;
    }
    qsort(all, n, sizeof *all, by_worth);
    for (size_t i = 0; i < n; i++) {
        enum verdict v = judge_guess(l->catalog, all[i]);
        if (v != HOLDS && v != NAMED)
            continue;
        if (!best)
            best = all[i];
        else if (guess_rank(best) == guess_rank(all[i]))
            shared = true;
    }
    if (best && !shared)
        add_link(l, best,
                 judge_guess(l->catalog, best) == HOLDS ? LINK_CONFIRMED
                                                        : LINK_BY_NAME);
    suggest_links(l, all, n, shared ? NULL : best);
}

static bool same_columns(const struct link_guess *a, const struct link_guess *b)
{
    return a->from == b->from && a->n == 1 && b->n == 1 &&
           a->from_columns[0] == b->from_columns[0];
}

void infer_links(struct arena *arena, struct catalog *c,
                 const struct link_guess *guesses, size_t n)
{
    struct links l = {.arena = arena, .catalog = c};
    struct catalog_link *links =
        arena_new_array(arena, struct catalog_link, c->n_links + n + 1);
    const struct link_guess **group =
        arena_new_array(arena, const struct link_guess *, n + 1);
    for (size_t i = 0; i < c->n_links; i++)
        links[i] = c->links[i];
    c->links = links;
    for (size_t i = 0, size; i < n; i += size) {
        size = 1;
        while (i + size < n && same_columns(&guesses[i], &guesses[i + size]))
            size++;
        for (size_t k = 0; k < size; k++)
            group[k] = &guesses[i + k];
        choose_link(&l, (struct link_guess **)group, size);
    }
}
