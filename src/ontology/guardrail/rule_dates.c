/* rule_dates.c - is the period of the date column that the model names?
 *
 * Instructions and the descriptions of metrics name it: "A period means
 * orders.order_date". A query that measures something and takes its period from
 * another time column of the same dataset is a mistake, unless the question
 * speaks of that one. */
#include "rule.h"
#include "base/buf.h"
#include "../words.h"
#include "base/banned.h"

enum { NEGATION_BYTES = 40, TEXT_MOST = 16 * 1024 };

static bool is_word_char(char c)
{
    return str_is_alnum(c) || c == '_';
}

/* "not", "never", "instead of", "rather than" before it in its sentence. */
static bool is_negated(struct str text, size_t at)
{
    static const char *const words[] = {"not ",        "never ", "instead of",
                                        "rather than", "don't",  NULL};
    size_t from = at > NEGATION_BYTES ? at - NEGATION_BYTES : 0;
    for (size_t i = from; i < at; i++)
        if (text.ptr[i] == '.' && i + 1 < at && text.ptr[i + 1] == ' ')
            from = i + 1;
    struct str before = str_cut(text, from, at - from);
    for (const char *const *w = words; *w; w++)
        if (str_find_nocase(before, str_of(*w)) >= 0)
            return true;
    return false;
}

static bool mentions(struct str text, struct str name)
{
    size_t at = 0;
    if (name.len < 3)
        return false;
    text = str_cut(text, 0, TEXT_MOST);
    for (;;) {
        ptrdiff_t found = str_find_nocase(str_from(text, at), name);
        if (found < 0)
            return false;
        size_t from = at + (size_t)found, end = from + name.len;
        bool whole = (from == 0 || !is_word_char(text.ptr[from - 1])) &&
                     (end >= text.len || !is_word_char(text.ptr[end]));
        if (whole && !is_negated(text, from))
            return true;
        at = end;
    }
}

static struct str spaced(struct guardrail_check *j, struct str name)
{
    char *copy = arena_alloc(j->arena, name.len + 1);
    for (size_t i = 0; i < name.len; i++)
        copy[i] = name.ptr[i] == '_' ? ' ' : name.ptr[i];
    return (struct str){copy, name.len};
}

static bool is_named_in(struct guardrail_check *j, struct str text,
                        const struct field *f)
{
    if (j->looked >= RULE_STEPS)
        return false;
    j->looked += 1 + text.len / 16;
    return text.len && (mentions(text, f->name) || mentions(text, f->column) ||
                        mentions(text, spaced(j, f->name)));
}

/* The model tells to take this field for periods. */
static bool is_told(struct guardrail_check *j, const struct dataset *d,
                    const struct field *f)
{
    if (is_named_in(j, j->o->hints.instructions, f) ||
        is_named_in(j, d->hints.instructions, f))
        return true;
    for (size_t i = 0; i < j->o->n_metrics; i++) {
        const struct metric *m = &j->o->metrics[i];
        bool of = false;
        for (size_t k = 0; k < m->n_datasets; k++)
            of = of || &j->o->datasets[m->datasets[k]] == d;
        if (of && (is_named_in(j, m->description, f) ||
                   is_named_in(j, m->hints.instructions, f)))
            return true;
    }
    return false;
}

/* The first time field of the dataset that the model tells to take, or NULL. */
static const struct field *told_field(struct guardrail_check *j,
                                      const struct dataset *d)
{
    for (size_t i = 0; i < d->n_fields; i++)
        if (d->fields[i].is_time && d->fields[i].column.len &&
            is_told(j, d, &d->fields[i]))
            return &d->fields[i];
    return NULL;
}

/* ---- what the query takes ------------------------------------------------ */

/* The time column of a period: of a condition that compares it with no other
 * column, or of a group. NULL: none. */
static const struct shape_value *period_column(struct guardrail_check *j,
                                               const struct shape_value *v,
                                               bool condition)
{
    const struct shape_value *column = rule_column(v);
    if (!column || !type_is_time(rule_type(j, column)) ||
        !origin_of(column).source)
        return NULL;
    if (!condition)
        return column;
    if (v->kind != SHAPE_RANGE && v->kind != SHAPE_EQUAL)
        return NULL;
    for (size_t i = 0; i < v->n_parts; i++) {
        const struct shape_value *other = rule_column(v->parts[i]);
        if (other && (other->source != column->source ||
                      other->column != column->column))
            return NULL;
    }
    return column;
}

/* The forms of a word that a question may use: "shipped", "ship", "shipment". */
static void put_forms(struct buf *out, struct str word)
{
    static const char *const endings[] = {"",     "s",     "ed", "d", "ing",
                                          "ment", "ments", "al", NULL};
    struct str stem = word;
    if (stem.len > 4 && str_ends(stem, STR("ed")))
        stem = str_cut(stem, 0, stem.len - 2);
    for (const char *const *e = endings; *e; e++)
        buf_printf(out, "|%.*s%s", STR_ARG(stem), *e);
    if (stem.len > 3 && stem.ptr[stem.len - 1] == stem.ptr[stem.len - 2]) {
        stem = str_cut(stem, 0, stem.len - 1);
        for (const char *const *e = endings; *e; e++)
            buf_printf(out, "|%.*s%s", STR_ARG(stem), *e);
    }
    buf_printf(out, "|%.*s", STR_ARG(word));
}

static struct str words_of(struct guardrail_check *j, struct str column)
{
    static const char *const plain[] = {"date",     "time",      "at", "on",
                                        "day",      "dt",        "ts", "utc",
                                        "datetime", "timestamp", NULL};
    struct name_words w = name_words(j->arena, column);
    struct buf out;
    buf_init(&out, j->arena);
    buf_str(&out, column);
    for (size_t i = 0; i < w.n; i++)
        if (!word_among(w.items[i], plain))
            put_forms(&out, w.items[i]);
    return buf_view(&out);
}

static bool measures(const struct shape_select *s)
{
    for (size_t i = 0; i < s->n_aggregates; i++)
        if (!s->aggregates[i]->windowed)
            return true;
    return false;
}

/* Conditions, then groups: the i-th period, or NULL. */
static const struct shape_value *
period_at(struct guardrail_check *j, const struct shape_select *s, size_t i)
{
    return i < s->n_conditions
               ? period_column(j, s->conditions[i], true)
               : period_column(j, s->groups[i - s->n_conditions], false);
}

static bool takes(struct guardrail_check *j, const struct shape_select *s,
                  struct column_origin of, struct str column)
{
    for (size_t i = 0; i < s->n_conditions + s->n_groups; i++) {
        const struct shape_value *v = period_at(j, s, i);
        struct column_origin o = v ? origin_of(v) : (struct column_origin){0};
        if (o.source && o.source->table == of.source->table &&
            str_eq_nocase(rule_column_name(o), column))
            return true;
    }
    return false;
}

void judge_dates(struct guardrail_check *j, struct shape_select *s)
{
    for (size_t i = 0; measures(s) && i < s->n_conditions + s->n_groups; i++) {
        const struct shape_value *v = period_at(j, s, i);
        if (!v)
            continue;
        struct column_origin o = origin_of(v);
        const struct dataset *d = rule_dataset(j, o);
        const struct field *f = rule_field(j, o);
        const struct field *told = told_field(j, d);
        if (!f || !told || is_told(j, d, f) || takes(j, s, o, told->column))
            continue;
        rule_broken(j, RULE_OTHER_DATE, ASKS_WITHOUT,
                    words_of(j, rule_column_name(o)),
                    "The period is of %.*s.%.*s; the model names %.*s for it.",
                    STR_ARG(d->name), STR_ARG(rule_column_name(o)),
                    STR_ARG(told->name));
        return;
    }
}
