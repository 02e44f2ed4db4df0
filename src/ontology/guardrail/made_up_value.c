/* made_up_value.c - evaluates a formula over the rows of made_up.c. */
#include "made_up_value.h"
#include "base/clock.h"
#include "../words.h"
#include <math.h>
#include <stdlib.h>
#include "base/banned.h"

enum { ROWS = 48, TODAY = 20011 };

struct evaluation {
    struct made_up *m;
    struct made_formula *f;
    size_t first; /* row of the set */
    size_t row;
    bool inside; /* an aggregate */
    bool kept[ROWS];
};

static const struct made_number unknown = {0, true};

static struct made_number number(double x)
{
    return (struct made_number){x, !isfinite(x)};
}

static struct made_number fail(struct evaluation *e)
{
    e->f->failed = true;
    return unknown;
}

/* ---- constants ----------------------------------------------------------- */

static bool read_number(struct str text, double *x)
{
    enum { DIGITS = 40 };
    char copy[DIGITS], *end;
    if (!text.len || text.len >= DIGITS)
        return false;
    str_copy(copy, sizeof copy, text);
    *x = strtod(copy, &end);
    return *end == 0;
}

/* "2025-01-31 12:00" */
static bool read_moment(struct str text, double *x)
{
    enum { DATE = 10, MINUTES_A_DAY = 1440 };
    int64_t day =
        text.len >= DATE ? clock_parse_day(str_cut(text, 0, DATE)) : -1;
    double hour, minute = 0;
    if (day < 0)
        return false;
    *x = (double)day;
    if (text.len >= DATE + 6 &&
        read_number(str_cut(text, DATE + 1, 2), &hour) &&
        read_number(str_cut(text, DATE + 4, 2), &minute))
        *x += (hour * 60 + minute) / MINUTES_A_DAY;
    return true;
}

/* "3 days", "1 month 2 days" in days */
static bool read_interval(struct str text, double *x)
{
    static const struct {
        const char *unit;
        double days;
    } units[] = {{"sec", 1.0 / 86400}, {"min", 1.0 / 1440}, {"hour", 1.0 / 24},
                 {"day", 1},           {"week", 7},         {"mon", 30},
                 {"year", 365.25}};
    struct str word;
    double n;
    *x = 0;
    text = str_trim(text);
    if (!text.len)
        return false;
    while (str_split(&text, ' ', &word)) {
        double days = 0;
        struct str unit;
        if (!read_number(word, &n) || !str_split(&text, ' ', &unit))
            return false;
        for (size_t i = 0; i < sizeof units / sizeof *units; i++)
            if (str_starts(unit, str_of(units[i].unit)))
                days = units[i].days;
        if (days == 0)
            return false;
        *x += n * days;
    }
    return true;
}

bool made_constant(const struct shape_value *v, struct made_number *x)
{
    enum { TEXTS = 1000 * 1000 };
    *x = (struct made_number){0};
    if (v->kind != SHAPE_CONSTANT)
        return false;
    switch (v->form) {
    case SHAPE_FORM_NULL:
        x->null = true;
        return true;
    case SHAPE_FORM_NOW:
        x->x = TODAY;
        return true;
    case SHAPE_FORM_BOOLEAN:
        x->x = str_is(v->word, "true");
        return true;
    case SHAPE_FORM_INTEGER:
    case SHAPE_FORM_DECIMAL:
        return read_number(v->word, &x->x);
    case SHAPE_FORM_TEXT:
        if (!read_number(v->word, &x->x) && !read_moment(v->word, &x->x) &&
            !read_interval(v->word, &x->x))
            x->x = TEXTS + made_up_number(str_hash(v->word), 0);
        return true;
    default:
        return false;
    }
}

bool made_is_list(const struct shape_value *v)
{
    return v->kind == SHAPE_OTHER && v->form == SHAPE_FORM_NONE && !v->query &&
           !v->cast.len && v->n_parts;
}

/* ---- conditions ---------------------------------------------------------- */

static struct made_number evaluate(struct evaluation *e,
                                   const struct shape_value *v);

static struct made_number compare(struct str sign, struct made_number a,
                                  struct made_number b)
{
    bool less = a.x<b.x - 1e-9, more = a.x> b.x + 1e-9;
    if (a.null || b.null)
        return unknown;
    if (str_is(sign, "<"))
        return number(less);
    if (str_is(sign, "<="))
        return number(!more);
    if (str_is(sign, ">"))
        return number(more);
    if (str_is(sign, ">="))
        return number(!less);
    return number((less || more) == (str_is(sign, "<>") || str_is(sign, "!=")));
}

static struct made_number negated(struct made_number x)
{
    return x.null ? x : number(x.x == 0);
}

/* AND, and OR if `any`. */
static struct made_number all_of(struct made_number a, struct made_number b,
                                 bool any)
{
    bool a_decides = !a.null && (a.x != 0) == any;
    bool b_decides = !b.null && (b.x != 0) == any;
    if (a_decides || b_decides)
        return number(any);
    return a.null || b.null ? unknown : number(!any);
}

static struct made_number evaluate_all(struct evaluation *e,
                                       const struct shape_value *v, bool any)
{
    struct made_number all = number(!any);
    for (size_t i = 0; i < v->n_parts; i++)
        all = all_of(all, evaluate(e, v->parts[i]), any);
    return all;
}

/* x BETWEEN a AND b, with the two as parts or as a list */
static struct made_number between(struct evaluation *e,
                                  const struct shape_value *v)
{
    const struct shape_value *ends = v;
    size_t first = 1;
    if (v->n_parts == 2 && made_is_list(v->parts[1])) {
        ends = v->parts[1];
        first = 0;
    }
    if (ends->n_parts != first + 2)
        return fail(e);
    struct made_number x = evaluate(e, v->parts[0]);
    return all_of(compare(STR(">="), x, evaluate(e, ends->parts[first])),
                  compare(STR("<="), x, evaluate(e, ends->parts[first + 1])),
                  false);
}

/* x IN (a, b) */
static struct made_number in_list(struct evaluation *e,
                                  const struct shape_value *v)
{
    struct made_number x = evaluate(e, v->parts[0]), any = number(0);
    const struct shape_value *list = v->parts[1];
    for (size_t i = 0; i < list->n_parts; i++)
        any = all_of(any, compare(STR("="), x, evaluate(e, list->parts[i])),
                     true);
    return any;
}

static bool is_condition(const struct shape_value *v)
{
    static const char *const signs[] = {"=",   "<>",      "!=",          "~~",
                                        "~~*", "!~~",     "!~~*",        "~",
                                        "~*",  "BETWEEN", "NOT BETWEEN", NULL};
    return v->kind == SHAPE_EQUAL || v->kind == SHAPE_RANGE ||
           v->kind == SHAPE_NULL || v->form == SHAPE_FORM_NOT_NULL ||
           (v->form == SHAPE_FORM_OPERATOR && word_among(v->word, signs));
}

/* It has columns, and a definition takes none of them. */
static bool is_foreign(const struct made_up *m, const struct shape_value *v,
                       bool *any)
{
    v = rule_resolve(v);
    struct column_origin o = origin_of(v);
    const struct made_column *c =
        v->kind == SHAPE_COLUMN && o.source ? made_column_of(m, o) : NULL;
    if (v->kind == SHAPE_COLUMN) {
        *any = true;
        return c && !c->of_model;
    }
    for (size_t i = 0; i < v->n_parts; i++)
        if (m->check->looked++ >= RULE_STEPS ||
            !is_foreign(m, v->parts[i], any))
            return false;
    return true;
}

static struct made_number evaluate_condition(struct evaluation *e,
                                             const struct shape_value *v)
{
    bool any = false;
    e->f->conditional = true;
    if (!e->f->defined && is_foreign(e->m, v, &any) && any) {
        e->f->restricted = true;
        return number(1);
    }
    if (v->kind == SHAPE_NULL || v->form == SHAPE_FORM_NOT_NULL) {
        struct made_number x = v->n_parts ? evaluate(e, v->parts[0]) : fail(e);
        return number(x.null == (v->kind == SHAPE_NULL));
    }
    if (str_is(v->word, "NOT BETWEEN"))
        return negated(between(e, v));
    bool list = v->n_parts == 2 && made_is_list(v->parts[1]);
    if (v->kind == SHAPE_RANGE && (v->n_parts == 3 || list))
        return between(e, v);
    if (v->n_parts != 2)
        return fail(e);
    if (list) {
        struct made_number in = in_list(e, v);
        return str_is(v->word, "<>") ? negated(in) : in;
    }
    if (v->form == SHAPE_FORM_OPERATOR && v->word.len &&
        str_find_char(v->word, '~') >= 0) {
        /* LIKE: holds in some rows for each pattern */
        struct made_number x = evaluate(e, v->parts[0]);
        struct made_number pattern = evaluate(e, v->parts[1]);
        uint64_t seed = (uint64_t)(x.x * 16 + pattern.x * 512);
        bool holds = (uint64_t)made_up_number(seed, 0) % 2;
        if (x.null || pattern.null)
            return unknown;
        return number(holds != str_starts(v->word, STR("!")));
    }
    return compare(v->kind == SHAPE_EQUAL ? STR("=") : v->word,
                   evaluate(e, v->parts[0]), evaluate(e, v->parts[1]));
}

/* ---- choices ------------------------------------------------------------- */

static struct made_number evaluate_case(struct evaluation *e,
                                        const struct shape_value *v)
{
    size_t first = str_is(v->word, "of"); /* CASE x WHEN … */
    struct made_number x = first ? evaluate(e, v->aside[0]) : unknown;
    size_t whens = v->n_aside - first;
    if (whens > v->n_parts)
        return fail(e);
    e->f->conditional = true;
    for (size_t i = 0; i < whens; i++) {
        struct made_number when = evaluate(e, v->aside[first + i]);
        if (first)
            when = compare(STR("="), x, when);
        if (!when.null && when.x != 0)
            return evaluate(e, v->parts[i]);
    }
    return v->n_parts > whens ? evaluate(e, v->parts[whens]) : unknown;
}

static struct made_number evaluate_choice(struct evaluation *e,
                                          const struct shape_value *v)
{
    struct made_number chosen = unknown;
    if (v->form == SHAPE_FORM_CASE)
        return evaluate_case(e, v);
    for (size_t i = 0; i < v->n_parts; i++) {
        struct made_number x = evaluate(e, v->parts[i]);
        if (chosen.null ||
            (!x.null && str_is(v->word, "IS_GREATEST") && x.x > chosen.x) ||
            (!x.null && str_is(v->word, "IS_LEAST") && x.x < chosen.x))
            chosen = x;
    }
    return chosen;
}

/* ---- aggregates ---------------------------------------------------------- */

static bool is_repeated(const double *seen, size_t n, double x)
{
    for (size_t i = 0; i < n; i++)
        if (seen[i] == x)
            return true;
    return false;
}

static struct made_number evaluate_aggregate(struct evaluation *e,
                                             const struct shape_value *v)
{
    double sum = 0, least = INFINITY, most = -INFINITY, seen[ROWS];
    size_t n = 0;
    if (v->windowed || e->inside || v->n_parts > 1)
        return fail(e);
    e->inside = true;
    for (e->row = 0; e->row < ROWS && !e->f->failed; e->row++) {
        bool kept = e->kept[e->row];
        for (size_t i = 0; kept && i < v->n_aside; i++) {
            struct made_number c = evaluate(e, v->aside[i]);
            e->f->conditional = true;
            kept = !c.null && c.x != 0;
        }
        struct made_number x =
            kept && v->n_parts ? evaluate(e, v->parts[0]) : number(1);
        if (!kept || x.null || (v->distinct && is_repeated(seen, n, x.x)))
            continue;
        seen[n++] = x.x;
        sum += x.x;
        least = fmin(least, x.x);
        most = fmax(most, x.x);
    }
    e->inside = false;
    e->row = 0;
    if (str_is(v->function, "count"))
        return number((double)n);
    if (!n)
        return unknown;
    if (str_is(v->function, "sum"))
        return number(sum);
    if (str_is(v->function, "avg"))
        return number(sum / (double)n);
    if (str_is(v->function, "min"))
        return number(least);
    if (str_is(v->function, "max"))
        return number(most);
    return number(made_up_number(str_hash(v->function), 0) + sum);
}

/* ---- other values -------------------------------------------------------- */

static struct made_number evaluate_column(struct evaluation *e,
                                          const struct shape_value *v)
{
    const struct shape_value *inner = rule_resolve(v);
    if (inner->kind == SHAPE_COLUMN) {
        struct column_origin o = origin_of(inner);
        const struct made_column *c = o.source ? made_column_of(e->m, o) : NULL;
        return c ? made_column_value(e->m, c,
                                     e->first + (e->inside ? e->row : 0))
                 : fail(e);
    }
    if (e->inside && shape_holds_aggregate(inner))
        return fail(e);
    return evaluate(e, inner);
}

static struct made_number evaluate_operator(struct evaluation *e,
                                            const struct shape_value *v)
{
    struct made_number a = evaluate(e, v->parts[0]), b = number(0);
    if (v->n_parts > 1)
        b = evaluate(e, v->parts[1]);
    if (a.null || b.null)
        return unknown;
    if (v->n_parts == 1)
        return number(str_is(v->word, "-") ? -a.x : a.x);
    if (str_is(v->word, "+"))
        return number(a.x + b.x);
    if (str_is(v->word, "-"))
        return number(a.x - b.x);
    if (str_is(v->word, "*"))
        return number(a.x * b.x);
    if (str_is(v->word, "/"))
        return b.x != 0 ? number(a.x / b.x) : unknown;
    if (str_is(v->word, "%"))
        return b.x != 0 ? number(fmod(a.x, b.x)) : unknown;
    return fail(e);
}

static struct made_number evaluate_call(struct evaluation *e,
                                        const struct shape_value *v)
{
    static const char *const same[] = {"round", "trunc", NULL};
    static const char *const today[] = {"now", "current_date", NULL};
    if (!v->n_parts)
        return word_among(v->word, today) ? number(TODAY) : fail(e);
    struct made_number x = evaluate(e, v->parts[0]);
    if (word_among(v->word, same) || x.null)
        return x;
    if (str_is(v->word, "abs"))
        return number(fabs(x.x));
    double sum = x.x;
    for (size_t i = 1; i < v->n_parts; i++) {
        struct made_number next = evaluate(e, v->parts[i]);
        if (str_is(v->word, "nullif"))
            return !next.null && next.x == x.x ? unknown : x;
        if (next.null)
            return unknown;
        sum = sum * 3 + next.x;
    }
    return number(made_up_number(str_hash(v->word), 0) / 10007 + sum);
}

static struct made_number evaluate(struct evaluation *e,
                                   const struct shape_value *v)
{
    struct made_number x;
    if (e->f->failed || e->m->check->looked++ >= RULE_STEPS)
        return fail(e);
    if (v->kind == SHAPE_COLUMN)
        return evaluate_column(e, v);
    if (v->kind == SHAPE_CONSTANT)
        return made_constant(v, &x) ? x : fail(e);
    if (v->kind == SHAPE_AGGREGATE)
        return evaluate_aggregate(e, v);
    if (v->kind == SHAPE_CHOICE)
        return evaluate_choice(e, v);
    if (v->query)
        return fail(e);
    if (v->kind == SHAPE_AND || v->form == SHAPE_FORM_OR) {
        e->f->conditional = true;
        return evaluate_all(e, v, v->form == SHAPE_FORM_OR);
    }
    if (v->form == SHAPE_FORM_NOT && v->n_parts == 1)
        return negated(evaluate(e, v->parts[0]));
    if (is_condition(v))
        return evaluate_condition(e, v);
    if (v->form == SHAPE_FORM_OPERATOR && v->n_parts && v->n_parts <= 2)
        return evaluate_operator(e, v);
    if (v->form == SHAPE_FORM_CALL)
        return evaluate_call(e, v);
    if (v->kind == SHAPE_OTHER && v->cast.len && v->n_parts == 1)
        return evaluate(e, v->parts[0]);
    return fail(e);
}

/* ---- the whole ----------------------------------------------------------- */

/* A filter that cannot be evaluated keeps all rows. */
static bool keep_rows(struct evaluation *e)
{
    struct made_formula *given = e->f;
    bool any = false;
    e->inside = true;
    for (e->row = 0; e->row < ROWS; e->row++) {
        bool kept = true;
        for (size_t i = 0; kept && i < e->m->n_filters; i++) {
            struct made_formula filter = {.value = e->m->filters[i],
                                          .defined = true};
            e->f = &filter;
            struct made_number x = evaluate(e, filter.value);
            kept = filter.failed || (!x.null && x.x != 0);
            e->m->unsure = e->m->unsure || filter.failed;
        }
        e->kept[e->row] = kept;
        any = any || kept;
    }
    e->inside = false;
    e->row = 0;
    e->f = given;
    return any;
}

double made_up_result(struct made_up *m, struct made_formula *f, size_t set)
{
    enum { APART = 1000 };
    struct evaluation e = {.m = m, .f = f, .first = set * APART};
    if (!keep_rows(&e))
        return NAN;
    struct made_number x = evaluate(&e, f->value);
    return x.null ? NAN : x.x;
}
