/* rule_order.c - does a query take the end of the order that the question asks
 * for? Only of measures and times: a rank or a position is best when small. */
#include "rule.h"
#include "../words.h"
#include "base/banned.h"

static bool is_place(struct guardrail_check *j, struct str name)
{
    static const char *const places[] = {
        "place",  "priority", "level",   "grade",   "tier",     "order",
        "seed",   "rn",       "row",     "ranking", "gap",      "error",
        "errors", "distance", "latency", "rank",    "position", NULL};
    enum { PLACES_LAST = 15 }; /* from here on also as the first word */
    struct name_words w = name_words(j->arena, name);
    return w.n && (word_among(w.items[0], places + PLACES_LAST) ||
                   word_among(w.items[w.n - 1], places));
}

/* The name of the sorted value: of its column, or of the output that it is. */
static struct str name_of(const struct shape_select *s,
                          const struct shape_value *v)
{
    for (size_t i = 0; i < s->n_outputs; i++)
        if (s->outputs[i].value == v)
            return s->outputs[i].name;
    const struct shape_value *column = rule_column(v);
    return column ? column->source->columns[column->column] : STR("");
}

/* The name that a time has in its table, or the name in the query. */
static struct str column_of(const struct shape_value *v, struct str name)
{
    struct column_origin o = origin_of(v);
    return o.source ? rule_column_name(o) : name;
}

/* -x turns the order. */
static bool is_negative(const struct shape_value *v)
{
    return v->kind == SHAPE_SUM && v->n_parts == 1 && str_is(v->word, "-");
}

static void judge_end(struct guardrail_check *j, const struct shape_select *s,
                      const struct shape_value *key, bool descending)
{
    bool down = descending != is_negative(key);
    struct str name = name_of(s, key);
    enum value_type type = rule_type(j, key);
    const struct shape_value *inner = rule_resolve(key);
    bool measure = (type == TYPE_INTEGER || type == TYPE_BIGINT ||
                    type == TYPE_NUMBER || type == TYPE_INTERVAL ||
                    (type == TYPE_UNKNOWN && rule_holds(inner, NULL)));
    if (inner->kind == SHAPE_CONSTANT || inner->windowed || is_place(j, name) ||
        (inner->kind == SHAPE_COLUMN && rule_is_key(j, origin_of(inner))))
        return;
    if (measure)
        rule_broken(j, RULE_WRONG_END, down ? ASKS_LEAST : ASKS_MOST, name,
                    "The query keeps the rows with the %s %.*s, and the "
                    "question asks for the %s.",
                    down ? "largest" : "smallest",
                    STR_ARG(name.len ? name : STR("values")),
                    down ? "lowest" : "highest");
    else if (type_is_time(type))
        rule_broken(j, RULE_WRONG_END, down ? ASKS_EARLIEST : ASKS_LATEST,
                    column_of(key, name),
                    "The query keeps the rows with the %s %.*s, and the "
                    "question asks for the %s.",
                    down ? "latest" : "earliest",
                    STR_ARG(name.len ? name : STR("times")),
                    down ? "earliest" : "latest");
}

static bool is_rank(const struct shape_value *v)
{
    return v->kind == SHAPE_ROW_NUMBER ||
           (v->windowed && v->order && v->form == SHAPE_FORM_CALL &&
            (str_is(v->word, "rank") || str_is(v->word, "dense_rank")));
}

/* Conditions on a rank that a derived table computes. */
static void judge_ranks(struct guardrail_check *j, const struct shape_select *s)
{
    for (size_t i = 0; i < s->n_conditions; i++) {
        const struct shape_source *source;
        const struct shape_value *v =
            rule_limited_number(s->conditions[i], &source);
        if (v && is_rank(v) && v->order)
            judge_end(j, source->query, v->order, v->descending);
    }
}

/* price = (SELECT max(price) FROM …). Times are left alone: the latest day of a
 * balance says nothing of the account that is asked for. */
static void judge_extremes(struct guardrail_check *j,
                           const struct shape_select *s)
{
    for (size_t i = 0; i < s->n_conditions; i++) {
        const struct shape_value *c = s->conditions[i];
        for (size_t k = 0; c->kind == SHAPE_EQUAL && k < c->n_parts; k++) {
            const struct shape_select *q = c->parts[k]->query;
            if (!q || q->n_arms || q->n_outputs != 1)
                continue;
            const struct shape_value *v = q->outputs[0].value;
            bool top = str_is(v->function, "max");
            if (v->kind == SHAPE_AGGREGATE && v->n_parts == 1 &&
                (top || str_is(v->function, "min")) &&
                !type_is_time(rule_type(j, v->parts[0])))
                judge_end(j, q, v->parts[0], top);
        }
    }
}

/* ---- outputs named for one end ------------------------------------------- */

/* The end of its values that an output is named for: 1 for max_… and, of times,
 * latest_…, -1 for min_… and first_…, 0 for none. "last_year_…" is of another year. */
static int end_named(struct guardrail_check *j, struct str name, bool time)
{
    static const char *const most[] = {"max", "maximum", NULL};
    static const char *const least[] = {"min", "minimum", NULL};
    static const char *const last[] = {"latest", "last", "newest", NULL};
    static const char *const first[] = {"earliest", "first", "oldest", NULL};
    static const char *const spans[] = {"year",  "quarter", "month",   "week",
                                        "day",   "season",  "half",    "class",
                                        "night", "chance",  "weekday", NULL};
    struct name_words w = name_words(j->arena, name);
    if (!w.n || (w.n > 2 && word_among(w.one[1], spans)))
        return 0;
    if (word_among(w.items[0], most) || word_among(w.items[0], least))
        return word_among(w.items[0], most) ? 1 : -1;
    if (!time)
        return 0;
    bool recent =
        w.n > 1 && str_is(w.items[0], "most") && str_is(w.items[1], "recent");
    return recent || word_among(w.items[0], last) ? 1
           : word_among(w.items[0], first)        ? -1
                                                  : 0;
}

/* min(day) AS latest_day, of the rows of a table and not of rows that are each
 * the first or the last of something. */
static void judge_named_end(struct guardrail_check *j, struct shape_select *s,
                            const struct shape_output *out)
{
    const struct shape_value *v = rule_peel(out->value);
    if (v->kind == SHAPE_SUBQUERY && v->query && v->query->n_outputs == 1) {
        s = v->query;
        v = rule_peel(s->outputs[0].value);
    }
    bool top = v->kind == SHAPE_AGGREGATE && str_is(v->function, "max");
    bool bottom = v->kind == SHAPE_AGGREGATE && str_is(v->function, "min");
    if ((!top && !bottom) || v->n_parts != 1 || (v->n_aside && !v->windowed) ||
        v->parts[0]->kind != SHAPE_COLUMN)
        return;
    struct column_origin o = origin_of(v->parts[0]);
    bool time = type_is_time(rule_type(j, v->parts[0]));
    int end = end_named(j, out->name, time);
    if (!o.source || end == 0 || (end > 0) == top ||
        end_named(j, rule_column_name(o), time) != 0 ||
        (v->parts[0]->source->kind != SHAPE_TABLE &&
         !rule_passes_rows(v->parts[0]->source)) ||
        rule_picks_rows(s) || !rule_rows_of(j, s).select)
        return;
    rule_broken(j, RULE_WRONG_END, ASKS_ANYTHING, STR(""),
                "%.*s is %.*s(%.*s), the %s one.", STR_ARG(out->name),
                STR_ARG(v->function), STR_ARG(rule_column_name(o)),
                time  ? top ? "latest" : "earliest"
                : top ? "largest"
                      : "smallest");
}

void judge_order(struct guardrail_check *j, struct shape_select *s)
{
    /* DISTINCT ON keeps the first row by what follows its own values */
    size_t first = s->n_distinct_on;
    if ((s->limited || first) && first < s->n_sorts)
        judge_end(j, s, s->sorts[first].value, s->sorts[first].descending);
    judge_ranks(j, s);
    judge_extremes(j, s);
    for (size_t i = 0; i < s->n_outputs; i++)
        judge_named_end(j, s, &s->outputs[i]);
}
