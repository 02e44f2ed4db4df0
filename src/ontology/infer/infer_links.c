/* infer_links.c - what names and data say together.
 *
 * For each column the best of its guesses that holds becomes a relationship: by
 * how its name matches, and by nothing else where two match alike, then neither
 * is taken. The rest is offered when the data do not speak against it. */
#include "base/buf.h"
#include "infer.h"
#include <stdlib.h>
#include "base/banned.h"

enum {
    NEARLY_PERCENT = 95, /* of the values, where the name is plain */
    OFFERED_A_COLUMN = 2,
    OFFERED_MOST = 100,
    TELLING_VALUES = 5, /* so many texts that all are keys are no accident */
};

enum verdict { NO, OFFER, NAMED, HOLDS };

static bool is_plain_match(enum name_match match)
{
    return match == MATCH_TABLE || match == MATCH_ROLE || match == MATCH_KEY;
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

/* All rows hang on rows that refer to nothing, and none on itself. */
static bool is_tree(const struct link_guess *g)
{
    return g->tree && all_found(g) && g->loops == 0 && g->targets > 0 &&
           g->reached == g->targets;
}

/* What the column is called stands in every row it points at, and in few others. */
static bool is_hinted(const struct link_guess *g)
{
    int64_t others = g->targets - g->pointed;
    return g->role_words.n && g->pointed > 0 && g->hinted == g->pointed &&
           g->strangers * 4 <= others;
}

static bool is_telling(const struct catalog *c, const struct link_guess *g)
{
    enum column_kind kind = c->tables[g->from].columns[g->from_columns[0]].kind;
    return g->match == MATCH_NONE && g->refers &&
           (kind == COLUMN_UUID ||
            (kind == COLUMN_TEXT && g->values >= TELLING_VALUES));
}

/* Two columns of one name may be of two things (name, city): the values decide. */
static enum verdict judge_bare(const struct link_guess *g)
{
    if (g->values < TELLING_VALUES || g->found * 2 < g->values)
        return NO;
    return nearly_all(g) ? HOLDS : OFFER;
}

static enum verdict judge(const struct catalog *c, const struct link_guess *g)
{
    bool plain = is_plain_match(g->match);
    if (g->bare)
        return g->asked ? judge_bare(g) : NO;
    if (g->asked && g->values == 0)
        return plain ? NAMED : NO;
    if (!g->asked) /* there was no time, or no right to look */
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

/* ---- the evidence ---------------------------------------------------------- */

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
        buf_text(out,
                 g->n > 1 ? " are called as the key of " : " is named after ");
        break;
    case MATCH_ROLE:
        buf_text(out, " names a role of ");
        break;
    case MATCH_KEY:
        buf_text(out, " is called as the key of ");
        break;
    case MATCH_TAIL:
        buf_text(out, " has the last word of ");
        break;
    case MATCH_BEGIN:
        buf_text(out, " begins as the name of ");
        break;
    case MATCH_SOMEBODY:
        buf_text(out, " names somebody who did it, which is one of ");
        break;
    case MATCH_NONE:
        buf_text(out, " refers to something, perhaps ");
        break;
    }
    buf_printf(out, "%.*s and has the type of its key", STR_ARG(to->name));
}

static void put_values(struct buf *out, const struct link_guess *g)
{
    if (!g->asked) {
        buf_text(out, "; its values were not looked at.");
    } else if (g->values == 0) {
        buf_text(out, "; by its name only: it has no values.");
    } else if (g->targets == 0) {
        buf_text(out, "; the other table is empty.");
    } else {
        buf_printf(out, "; of its %s%lld distinct values %lld are there",
                   g->whole ? "" : "first ", (long long)g->values,
                   (long long)g->found);
        buf_text(out, ".");
    }
}

static struct str evidence(struct arena *arena, const struct catalog *c,
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
        buf_printf(&out, " \"%.*s\" stands in the rows it points at.",
                   STR_ARG(g->role_words.items[0]));
    const struct catalog_key *key = catalog_primary(&c->tables[g->to]);
    if (key && key->found && !key->unseen)
        buf_text(&out, " The key is not declared either; no value is in it "
                       "twice.");
    return buf_finish(&out);
}

/* ---- choosing --------------------------------------------------------------- */

struct links {
    struct arena *arena;
    struct catalog *catalog;
    size_t offered;
};

static void take(struct links *l, const struct link_guess *g,
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
    link->evidence = evidence(l->arena, l->catalog, g);
}

/* How much the guess is worth among those of its column. */
static int rank(const struct link_guess *g)
{
    int more = 0;
    if (g->match == MATCH_NONE)
        more = is_tree(g) ? 2 : is_hinted(g) ? 1 : 0;
    int loose = g->loose < 7 ? (int)g->loose : 7;
    return g->match * 64 + more * 16 + g->near * 8 - loose;
}

/* Of the table with the fewest rows beside those pointed at, first. */
static int by_worth(const void *a, const void *b)
{
    const struct link_guess *const *x = a, *const *y = b;
    int order = rank(*y) - rank(*x);
    if (order)
        return order;
    if ((*x)->targets != (*y)->targets)
        return (*x)->targets < (*y)->targets ? -1 : 1;
    return *x < *y ? -1 : *x > *y;
}

static void offer(struct links *l, struct link_guess **all, size_t n,
                  const struct link_guess *taken)
{
    size_t here = 0;
    for (size_t i = 0; i < n && here < OFFERED_A_COLUMN; i++) {
        enum verdict v = judge(l->catalog, all[i]);
        bool weaker = taken && (all[i]->match == MATCH_NONE ||
                                all[i]->near < taken->near);
        if (all[i] == taken || v == NO || weaker || l->offered >= OFFERED_MOST)
            continue;
        take(l, all[i], LINK_OFFERED);
        here++;
        l->offered++;
    }
}

/* The guesses of one column, or one of several columns. */
static void choose(struct links *l, struct link_guess **all, size_t n)
{
    const struct link_guess *best = NULL;
    bool shared = false;
    qsort(all, n, sizeof *all, by_worth);
    for (size_t i = 0; i < n; i++) {
        enum verdict v = judge(l->catalog, all[i]);
        if (v != HOLDS && v != NAMED)
            continue;
        if (!best)
            best = all[i];
        else if (rank(best) == rank(all[i]))
            shared = true;
    }
    if (best && !shared)
        take(l, best,
             judge(l->catalog, best) == HOLDS ? LINK_FOUND : LINK_NAMED);
    offer(l, all, n, shared ? NULL : best);
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
        choose(&l, (struct link_guess **)group, size);
    }
}
