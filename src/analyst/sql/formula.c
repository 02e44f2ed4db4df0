/* formula.c - splits an aggregate expression into its aggregates, and finds
 * what a metric without columns counts. */
#include "expression.h"
#include "sql_text.h"
#include "read/words.h"
#include <stdint.h>
#include "base/banned.h"

static bool is_aggregate(struct str name)
{
    static const char names[] =
        "sum count avg min max stddev stddev_pop stddev_samp variance var_pop "
        "var_samp bool_and bool_or every any_value array_agg string_agg mode "
        "percentile_cont percentile_disc corr covar_pop covar_samp bit_and "
        "bit_or regr_slope regr_intercept regr_r2";
    return list_has(names, name);
}

static bool is_harmless(struct str name)
{
    static const char names[] =
        "min max bool_and bool_or every any_value bit_and bit_or";
    return list_has(names, name);
}

/* The token after an aggregate with its arguments, WITHIN GROUP and FILTER. */
static size_t aggregate_end(const struct sql_tokens *tokens, size_t open)
{
    size_t close = sql_closing(tokens, open);
    for (size_t i = close + 1; i < tokens->n;) {
        struct str name = tokens->items[i].name;
        size_t paren = str_is(name, "filter")   ? i + 1
                       : str_is(name, "within") ? i + 2
                                                : tokens->n;
        if (paren >= tokens->n || tokens->items[paren].kind != SQL_OPEN)
            break;
        close = sql_closing(tokens, paren);
        i = close + 1;
    }
    return close + 1 > tokens->n ? tokens->n : close + 1;
}

static void note_uses(const struct ontology *o, const struct sql_tokens *tokens,
                      size_t from, size_t to, bool *uses)
{
    for (size_t i = from; i + 1 < to; i++) {
        if (!sql_is_name(&tokens->items[i]) ||
            tokens->items[i + 1].kind != SQL_DOT)
            continue;
        for (size_t d = 0; d < o->n_datasets; d++)
            if (str_eq(o->datasets[d].name, tokens->items[i].name))
                uses[d] = true;
    }
}

static struct str tokens_text(const struct sql_tokens *tokens, size_t from,
                              size_t to)
{
    if (from >= to)
        return STR("");
    size_t start = tokens->items[from].from;
    return str_cut(tokens->text, start, tokens->items[to - 1].to - start);
}

/* The column is the key of its dataset, so counting it counts rows. */
static bool is_key(struct arena *arena, const struct ontology *o,
                   struct str column)
{
    for (size_t i = 0; i < o->n_datasets; i++) {
        const struct dataset *d = &o->datasets[i];
        if (d->primary_key.n == 1 &&
            str_eq(column, column_sql(arena, o, i, d->primary_key.items[0])))
            return true;
    }
    return false;
}

static void aggregate_read(struct arena *arena, const struct ontology *o,
                           const struct sql_tokens *tokens, size_t at,
                           size_t end, struct aggregate *aggregate)
{
    struct str name = tokens->items[at].name;
    size_t close = sql_closing(tokens, at + 1);
    bool distinct = str_is(tokens->items[at + 2].name, "distinct");
    bool plain = close + 1 == end;
    *aggregate = (struct aggregate){
        .sql = tokens_text(tokens, at, end),
        .uses = arena_new_array(arena, bool, o->n_datasets + 1),
        .harmless = distinct || is_harmless(name),
        .counts = str_is(name, "count"),
        .adds = !distinct && (str_is(name, "count") || str_is(name, "sum")),
        .grain = SIZE_MAX};
    struct str inside = tokens_text(tokens, at + 2, close);
    aggregate->rows = aggregate->counts && plain && !distinct &&
                      (str_is(inside, "*") || is_key(arena, o, inside));
    if (aggregate->counts && distinct && plain)
        aggregate->arg = tokens_text(tokens, at + 3, close);
    note_uses(o, tokens, at, end, aggregate->uses);
}

static bool names_columns(const struct sql_tokens *tokens, size_t from,
                          size_t to)
{
    for (size_t i = from; i + 1 < to; i++)
        if (sql_is_name(&tokens->items[i]) &&
            tokens->items[i + 1].kind == SQL_DOT)
            return true;
    return false;
}

static bool holds_word(const struct sql_tokens *tokens, const char *word)
{
    for (size_t i = 0; i < tokens->n; i++)
        if (tokens->items[i].kind == SQL_WORD &&
            str_is(tokens->items[i].name, word))
            return true;
    return false;
}

static struct str piece_text(struct arena *arena,
                             const struct sql_tokens *tokens, size_t from,
                             size_t to)
{
    struct str text = tokens_text(tokens, from, to);
    bool before = from && from < tokens->n &&
                  tokens->items[from].from > tokens->items[from - 1].to;
    bool after = to < tokens->n && to &&
                 tokens->items[to].from > tokens->items[to - 1].to;
    return arena_printf(arena, "%s%.*s%s", before ? " " : "", STR_ARG(text),
                        after && to > from ? " " : "");
}

static void formula_split(struct arena *arena, const struct ontology *o,
                          const struct sql_tokens *tokens, struct formula *f)
{
    size_t from = 0;
    f->aggregates = arena_new_array(arena, struct aggregate, tokens->n + 1);
    f->pieces = arena_new_array(arena, struct str, tokens->n + 2);
    for (size_t i = 0; i + 1 < tokens->n; i++) {
        if (tokens->items[i].kind != SQL_WORD ||
            tokens->items[i + 1].kind != SQL_OPEN ||
            !is_aggregate(tokens->items[i].name))
            continue;
        size_t end = aggregate_end(tokens, i + 1);
        f->pieces[f->n] = piece_text(arena, tokens, from, i);
        aggregate_read(arena, o, tokens, i, end, &f->aggregates[f->n++]);
        if (names_columns(tokens, from, i))
            f->problem = STR("it uses a column outside an aggregate");
        from = end;
        i = end - 1;
    }
    f->pieces[f->n] = piece_text(arena, tokens, from, tokens->n);
    if (names_columns(tokens, from, tokens->n))
        f->problem = STR("it uses a column outside an aggregate");
    f->bare = f->n == 1 && !f->pieces[0].len && !f->pieces[1].len;
}

void formula_read(struct arena *arena, const struct ontology *o,
                  struct str expression, size_t home, struct formula *f)
{
    f->problem = STR("");
    struct str sql =
        expression_sql(arena, o, expression, home, false, 0, &f->problem);
    if (f->problem.len)
        return;
    struct sql_tokens tokens = sql_read(arena, sql);
    if (holds_word(&tokens, "over") || holds_word(&tokens, "select")) {
        f->problem = STR("its expression holds a query or a window function");
        return;
    }
    formula_split(arena, o, &tokens, f);
    if (!f->n && !f->problem.len)
        f->problem = STR("its expression is no aggregate");
    for (size_t i = 0; i < f->n; i++) {
        bool any = false;
        for (size_t d = 0; d < o->n_datasets; d++)
            any = any || f->aggregates[i].uses[d];
        if (!any && home == SIZE_MAX)
            f->problem = STR("it does not say what it counts");
        else if (!any)
            f->aggregates[i].uses[home] = true;
    }
}

struct str formula_sql(struct arena *arena, const struct formula *f,
                       const struct str *aggregates)
{
    struct buf out;
    buf_init(&out, arena);
    for (size_t i = 0; i < f->n; i++) {
        buf_str(&out, f->pieces[i]);
        buf_str(&out, aggregates[i]);
    }
    buf_str(&out, f->pieces[f->n]);
    return str_trim(buf_view(&out));
}

/* ---- COUNT(*) ----------------------------------------------------------- */

static bool speaks_of(struct arena *arena, struct str text, struct str name)
{
    struct str parts[24];
    struct str key = words_key(arena, name);
    size_t n = name_parts(arena, text, parts, 24);
    for (size_t i = 0; i < n; i++) {
        struct buf joined;
        buf_init(&joined, arena);
        for (size_t j = i; j < n && j < i + 4; j++) {
            buf_str(&joined, word_stem(arena, parts[j]));
            if (str_eq(buf_view(&joined), key))
                return true;
        }
    }
    return false;
}

size_t metric_home(struct arena *arena, const struct ontology *o,
                   const struct metric *metric)
{
    size_t best = SIZE_MAX, longest = 0, roots = 0, root = SIZE_MAX;
    if (metric->n_datasets == 1)
        return metric->datasets[0];
    for (size_t i = 0; i < o->n_datasets; i++) {
        struct str name = o->datasets[i].name;
        bool said = speaks_of(arena, metric->name, name) ||
                    speaks_of(arena, metric->description, name);
        if (said && name.len > longest) {
            longest = name.len;
            best = i;
        }
    }
    for (size_t i = 0; i < o->n_datasets; i++) {
        bool pointed_at = false;
        for (size_t j = 0; j < o->n_relationships; j++)
            pointed_at = pointed_at || (o->relationships[j].to == i &&
                                        o->relationships[j].from != i);
        if (!pointed_at) {
            root = i;
            roots++;
        }
    }
    return best != SIZE_MAX ? best : roots == 1 ? root : SIZE_MAX;
}

/* The expression of a metric, without quotes and blanks. */
static struct str plain_formula(struct arena *arena, struct str expression)
{
    struct buf out;
    buf_init(&out, arena);
    for (size_t i = 0; i < expression.len; i++)
        if (expression.ptr[i] != '"' && expression.ptr[i] != ' ')
            buf_char(&out, expression.ptr[i]);
    return buf_view(&out);
}

bool formula_is_mean(struct arena *arena, const struct ontology *o,
                     size_t dataset, size_t field)
{
    const struct dataset *d = &o->datasets[dataset];
    struct str path = arena_printf(arena, "%.*s.%.*s", STR_ARG(d->name),
                                   STR_ARG(d->fields[field].name));
    path = plain_formula(arena, path);
    struct str mean = arena_printf(arena, "avg(%.*s)", STR_ARG(path));
    struct str sum = arena_printf(arena, "sum(%.*s)", STR_ARG(path));
    bool found = false;
    for (size_t i = 0; i < o->n_metrics; i++) {
        struct str it = plain_formula(arena, o->metrics[i].expression);
        if (str_eq_nocase(it, sum))
            return false;
        found = found || str_eq_nocase(it, mean);
    }
    return found;
}
