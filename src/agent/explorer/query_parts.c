/* query_parts.c - finds the clauses of a SELECT by the words at its top level;
 * see query_parts.h. The statement has passed statement_check, and the engine
 * parses what is built of the parts, so a wrong guess costs only an error. */
#include "query_parts.h"
#include "base/banned.h"

enum { ITEMS_MOST = 64 };

struct part_range {
    size_t from, to; /* tokens */
};

struct part_reader {
    struct arena *arena;
    const struct query_tokens *tokens;
    size_t select, from, rows_end, group, group_end;
    struct part_range items[ITEMS_MOST]; /* of the select list */
    size_t n_items;
};

/* ---- clauses ------------------------------------------------------------ */

static bool is_one_of_words(const struct query_tokens *t, size_t i,
                            const char *const *words)
{
    for (; *words; words++)
        if (query_token_is(t, i, *words))
            return true;
    return false;
}

/* The next of the words at the top level, from token i on. */
static size_t find_words(const struct query_tokens *t, size_t i,
                         const char *const *words)
{
    while (i < t->n &&
           !(t->items[i].depth == 0 && is_one_of_words(t, i, words)))
        i++;
    return i;
}

static bool find_clauses(struct part_reader *p)
{
    static const char *const select[] = {"select", NULL};
    static const char *const from[] = {"from", NULL};
    static const char *const ends[] = {"group",  "having", "order",
                                       "limit",  "offset", "qualify",
                                       "window", "using",  NULL};
    static const char *const others[] = {"union",  "intersect", "except",
                                         "window", "qualify",   NULL};
    const struct query_tokens *t = p->tokens;
    if (find_words(t, 0, others) < t->n)
        return false;
    p->select = find_words(t, 0, select);
    p->from = find_words(t, p->select + 1, from);
    while (p->from < t->n && query_token_is(t, p->from - 1, "distinct"))
        p->from = find_words(t, p->from + 1, from);
    if (p->from >= t->n || (p->select > 0 && !query_token_is(t, 0, "with")))
        return false;
    p->rows_end = find_words(t, p->from + 1, ends);
    while (query_token_is(t, p->rows_end, "using") &&
           query_token_sign(t, p->rows_end + 1, '(')) /* of a join */
        p->rows_end = find_words(t, p->rows_end + 1, ends);
    p->group = p->group_end = t->n;
    if (query_token_is(t, p->rows_end, "group")) {
        p->group = p->rows_end + 2;
        p->group_end = find_words(t, p->group, ends);
    }
    return true;
}

/* Cuts at the commas of the level of token `from`. */
static size_t split_items(const struct query_tokens *t, size_t from, size_t to,
                          struct part_range *items)
{
    size_t n = 0;
    int depth = from < to ? t->items[from].depth : 0;
    for (size_t start = from, i = from; i <= to && n < ITEMS_MOST; i++) {
        bool comma =
            i < to && query_token_sign(t, i, ',') && t->items[i].depth == depth;
        if (i < to && !comma)
            continue;
        if (start < i)
            items[n++] = (struct part_range){start, i};
        start = i + 1;
    }
    return n;
}

/* ---- items -------------------------------------------------------------- */

/* Without "AS name" at its end. */
static struct part_range without_alias(const struct query_tokens *t,
                                       struct part_range item)
{
    if (item.to - item.from > 2 && query_token_is(t, item.to - 2, "as") &&
        t->items[item.to - 2].depth == t->items[item.from].depth)
        item.to -= 2;
    return item;
}

static struct str text_of_range(const struct part_reader *p,
                                struct part_range item)
{
    return query_tokens_text(p->tokens, item.from, item.to);
}

static bool is_aggregate(const struct query_tokens *t, size_t i)
{
    static const char *const names[] = {
        "avg",           "mean",      "sum",        "median",
        "min",           "max",       "stddev",     "stddev_samp",
        "variance",      "var_samp",  "stddev_pop", "var_pop",
        "quantile_cont", "quantile",  "count",      "corr",
        "favg",          "fsum",      "mode",       "quantile_disc",
        "product",       "arg_max",   "arg_min",    "string_agg",
        "list",          "any_value", "first",      "last",
        "regr_slope",    "count_if",  "countif",    "bool_and",
        "bool_or",       NULL};
    return is_one_of_words(t, i, names) && query_token_sign(t, i + 1, '(');
}

/* The first aggregate call in the item; its end: none. */
static size_t find_aggregate(const struct query_tokens *t,
                             struct part_range item)
{
    while (item.from < item.to && !is_aggregate(t, item.from))
        item.from++;
    return item.from;
}

/* `name` is what the select list calls an item, or its number. */
static const struct part_range *named_item(const struct part_reader *p,
                                           struct part_range name)
{
    const struct query_tokens *t = p->tokens;
    int64_t number;
    if (name.to - name.from != 1)
        return NULL;
    const struct query_token *word = &t->items[name.from];
    if (word->kind == QUERY_NUMBER && str_to_int64(word->text, &number))
        return number >= 1 && (size_t)number <= p->n_items
                   ? &p->items[number - 1]
                   : NULL;
    for (size_t i = 0; i < p->n_items; i++) {
        const struct part_range *item = &p->items[i];
        bool alias =
            item->to - item->from > 2 && query_token_is(t, item->to - 2, "as");
        if (alias &&
            str_eq_nocase(query_token_name(p->arena, &t->items[item->to - 1]),
                          query_token_name(p->arena, word)))
            return item;
    }
    return NULL;
}

/* GROUP BY ALL groups by what is no aggregate. */
static void read_groups(struct part_reader *p, struct query_parts *out)
{
    const struct query_tokens *t = p->tokens;
    struct part_range groups[ITEMS_MOST];
    size_t n = split_items(t, p->group, p->group_end, groups);
    if (n == 1 && query_token_is(t, p->group, "all")) {
        n = 0;
        for (size_t i = 0; i < p->n_items; i++)
            if (find_aggregate(t, p->items[i]) == p->items[i].to)
                groups[n++] = without_alias(t, p->items[i]);
    }
    if (n == 0)
        return;
    const struct part_range *item = named_item(p, groups[0]);
    out->group = text_of_range(p, item ? without_alias(t, *item) : groups[0]);
}

static void read_call(const struct part_reader *p, size_t call,
                      struct query_parts *out)
{
    const struct query_tokens *t = p->tokens;
    struct part_range args[ITEMS_MOST];
    size_t close = t->items[call + 1].partner;
    size_t n = split_items(t, call + 2, close, args);
    if (query_token_is(t, close + 1, "filter") ||
        query_token_is(t, close + 1, "over") || n == 0)
        return;
    if (query_token_is(t, call, "corr") && n == 2) {
        out->kind = MEASURE_CORRELATION;
        out->measure = text_of_range(p, args[0]);
        out->other = text_of_range(p, args[1]);
    } else if (query_token_is(t, call, "count") && out->kind == MEASURE_NONE) {
        out->kind = MEASURE_ROWS;
    } else if (!query_token_is(t, call, "count") && out->kind <= MEASURE_ROWS) {
        args[0].from += query_token_is(t, args[0].from, "distinct");
        out->kind = MEASURE_VALUE;
        out->measure = text_of_range(p, args[0]);
    }
}

static void read_measure(const struct part_reader *p, struct query_parts *out)
{
    for (size_t i = 0; i < p->n_items; i++) {
        size_t call = find_aggregate(p->tokens, p->items[i]);
        if (call < p->items[i].to)
            read_call(p, call, out);
    }
}

/* Rows that are not grouped: one column is a value, two may correlate. */
static void read_raw(const struct part_reader *p, struct query_parts *out)
{
    const struct query_tokens *t = p->tokens;
    if (out->group.len || p->n_items == 0 || p->n_items > 2 ||
        query_token_sign(t, p->items[0].from, '*'))
        return;
    out->measure = text_of_range(p, without_alias(t, p->items[0]));
    out->kind = MEASURE_VALUE;
    if (p->n_items == 2) {
        out->other = text_of_range(p, without_alias(t, p->items[1]));
        out->kind = MEASURE_CORRELATION;
    }
}

/* FROM is the table, perhaps with an alias, until its end or WHERE. */
static bool is_one_table(const struct part_reader *p, struct str table)
{
    const struct query_tokens *t = p->tokens;
    size_t i = p->from + 1;
    if (i >= t->n ||
        !str_eq_nocase(query_token_name(p->arena, &t->items[i]), table))
        return false;
    i++;
    i += query_token_is(t, i, "as");
    if (i < p->rows_end && !query_token_is(t, i, "where"))
        i++;
    return i >= p->rows_end || query_token_is(t, i, "where");
}

bool query_parts_read(struct arena *arena, const struct query_tokens *tokens,
                      struct str table, struct query_parts *out)
{
    struct part_reader *p = arena_new(arena, struct part_reader);
    *p = (struct part_reader){.arena = arena, .tokens = tokens};
    *out = (struct query_parts){.with = STR("")};
    if (!find_clauses(p))
        return false;
    size_t first = p->select + 1;
    first += query_token_is(tokens, first, "distinct") ||
             query_token_is(tokens, first, "all");
    p->n_items = split_items(tokens, first, p->from, p->items);
    out->with = query_tokens_text(tokens, 0, p->select);
    out->rows = query_tokens_text(tokens, p->from, p->rows_end);
    out->one_table = is_one_table(p, table);
    read_groups(p, out);
    read_measure(p, out);
    if (out->kind == MEASURE_NONE)
        read_raw(p, out);
    return true;
}
