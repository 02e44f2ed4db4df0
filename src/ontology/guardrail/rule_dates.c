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

static bool is_clause_end(struct str text, size_t i)
{
    char c = text.ptr[i];
    return c == ';' || c == '\n' ||
           (c == '.' && (i + 1 >= text.len || text.ptr[i + 1] == ' ' ||
                         text.ptr[i + 1] == '\n'));
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

/* "shipped_date is the day on which it left": what a column holds, and not which
 * one to take. The sentence begins with the name (from, end), and says nothing
 * of periods or reports. */
static bool is_gloss(struct str text, size_t from, size_t end)
{
    static const char *const verbs[] = {
        " is ",       " are ",    " was ",       " holds ",   " has ",
        " contains ", " stores ", " shows ",     " records ", " gives ",
        ": ",         " = ",      " column is ", NULL};
    static const char *const rules[] = {"period",  "report",  "month",  "year",
                                        "quarter", "week",    "always", "use ",
                                        "default", "revenue", NULL};
    size_t begin = from, stop = end;
    while (begin > 0 && !is_clause_end(text, begin - 1))
        begin--;
    while (stop < text.len && !is_clause_end(text, stop))
        stop++;
    struct str before = str_trim(str_cut(text, begin, from - begin));
    struct str clause = str_cut(text, begin, stop - begin);
    struct str after = str_cut(text, end, stop - end);
    /* "sessions.local_started", "The local_started" */
    if (str_find_char(before, ' ') >= 0 ||
        !(before.len == 0 || str_ends(before, STR(".")) ||
          str_eq_nocase(before, STR("the"))))
        return false;
    for (const char *const *r = rules; *r; r++)
        if (str_find_nocase(clause, str_of(*r)) >= 0)
            return false;
    for (const char *const *v = verbs; *v; v++)
        if (str_starts(after, str_of(*v)))
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
        if (whole && !is_negated(text, from) && !is_gloss(text, from, end))
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

/* ---- what the query takes ------------------------------------------------ */

/* A group by this is one by a time, and not by a duration or by whether there is
 * one. */
static bool is_calendar(struct guardrail_check *j, const struct shape_value *v)
{
    const struct shape_value *inner = rule_resolve(v);
    enum value_type type = rule_type(j, v);
    return inner && type != TYPE_BOOLEAN && type != TYPE_INTERVAL &&
           !type_is_integer(type) && inner->form != SHAPE_FORM_NOT_NULL;
}

/* Its parts have another column than this one: `closed_on - signed_on` is a time
 * between two days. */
static bool has_other(const struct shape_value *v,
                      const struct shape_value *column)
{
    for (size_t i = 0; i < v->n_parts; i++) {
        const struct shape_value *other = rule_column(v->parts[i]);
        if (other && (other->source != column->source ||
                      other->column != column->column))
            return true;
    }
    return false;
}

/* The time column of a period: of a condition that compares it with no other
 * column, or of a group. NULL: none. */
static const struct shape_value *period_column(struct guardrail_check *j,
                                               const struct shape_value *v,
                                               bool condition)
{
    const struct shape_value *column = rule_column(v), *named = column;
    if (column && column->source->kind == SHAPE_QUERY) {
        const struct shape_value *inner = rule_resolve(column);
        column = inner && !rule_holds(inner, NULL) ? rule_column(inner) : NULL;
    }
    if (!column || !type_is_time(rule_type(j, column)) ||
        !origin_of(column).source)
        return NULL;
    if (!condition)
        return is_calendar(j, v) ? column : NULL;
    if (v->kind != SHAPE_RANGE && v->kind != SHAPE_EQUAL)
        return NULL;
    if (has_other(v, named))
        return NULL;
    for (size_t i = 0; i < v->n_parts; i++)
        if (has_other(v->parts[i], named))
            return NULL;
    return column;
}

/* Verbs whose forms have other letters, and those that say the same. */
static const char *const alike[] = {
    "paid|pay|pays|paying|payment|payments",
    "sent|send|sends|sending",
    "sold|sell|sells|selling|sale|sales",
    "bought|buy|buys|buying|purchased",
    "left|leave|leaves|leaving",
    "built|build|builds|building",
    "born|birth|birthday|birthdays",
    "starts|start|begin|begins|began|begun|beginning|started|starting",
    "ends|end|expire|expires|expired|expiring|expiry|expiration|ended|ending",
    "begins|begin|began|begun|beginning|start|starts|started|starting",
    NULL};

/* The forms of a word that a question may use: "shipped", "ship", "shipment";
 * "discharged", "discharges"; "delivered", "delivery"; "starts", "started";
 * "cancelled", "cancellation". */
static void put_forms(struct buf *out, struct str word)
{
    static const char *const endings[] = {
        "",     "s",    "e",     "es",     "ed",  "d", "ing",
        "ings", "ment", "ments", "al",     "als", "y", "ies",
        "ion",  "ions", "ation", "ations", NULL};
    static const char *const ends[] = {"ed", "es", "s", "ing", NULL};
    enum { STEM = 3 };
    struct str stem = word;
    for (const char *const *e = ends; *e; e++) {
        struct str end = str_of(*e);
        if (stem.len != word.len || word.len < end.len + STEM ||
            !str_ends(word, end) || str_ends(word, STR("ss")))
            continue;
        stem = str_cut(word, 0, word.len - end.len);
        for (const char *const *f = endings; *f; f++)
            buf_printf(out, "|%.*s%s", STR_ARG(stem), *f);
    }
    for (const char *const *e = endings; *e; e++)
        buf_printf(out, "|%.*s%s", STR_ARG(word), *e);
    if (stem.len > STEM && stem.ptr[stem.len - 1] == stem.ptr[stem.len - 2]) {
        stem = str_cut(stem, 0, stem.len - 1);
        for (const char *const *e = endings; *e; e++)
            buf_printf(out, "|%.*s%s", STR_ARG(stem), *e);
    }
    for (const char *const *a = alike; *a; a++) {
        struct str list = str_of(*a), first;
        if (str_split(&list, '|', &first) && str_eq(first, word))
            buf_printf(out, "|%.*s", STR_ARG(list));
    }
}

/* The words by which a question asks for this column. */
static struct str words_of(struct guardrail_check *j, struct str column)
{
    static const char *const plain[] = {
        "date", "time", "at", "on",       "by",        "of",  "to",
        "day",  "dt",   "ts", "datetime", "timestamp", "utc", NULL};
    struct name_words w = name_words(j->arena, column);
    struct buf out;
    buf_init(&out, j->arena);
    buf_str(&out, column);
    for (size_t i = 0; i < w.n; i++)
        if (!word_among(w.items[i], plain))
            put_forms(&out, w.items[i]);
        else if (str_is(w.items[i], "by")) /* deliver_by */
            buf_text(&out, "|due|deadline");
    return buf_view(&out);
}

/* The same without the name of the rows: "renewals" does not ask for renewed_at. */
static struct str words_but(struct guardrail_check *j, struct str column,
                            const struct dataset *d)
{
    struct str words = words_of(j, column), word;
    struct name_words of = name_words(j->arena, d->name);
    struct buf out;
    buf_init(&out, j->arena);
    while (str_split(&words, '|', &word)) {
        bool name = false;
        for (size_t i = 0; i < of.n; i++)
            name = name || str_eq(word, of.one[i]) || str_eq(word, of.items[i]);
        if (!name)
            buf_printf(&out, "|%.*s", STR_ARG(word));
    }
    return buf_view(&out);
}

static bool measures(const struct shape_select *s)
{
    for (size_t i = 0; i < s->n_aggregates; i++)
        if (!s->aggregates[i]->windowed)
            return true;
    return false;
}

struct periods {
    const struct shape_value **items; /* time columns */
    size_t n;
};

enum { PERIODS_MOST = 32 };

/* col < current_date without another bound is a state (due, expired), and no
 * period. */
static bool is_past(const struct shape_value *c,
                    const struct shape_value **column)
{
    bool less = str_is(c->word, "<") || str_is(c->word, "<=");
    bool more = str_is(c->word, ">") || str_is(c->word, ">=");
    if (c->kind != SHAPE_RANGE || c->n_parts != 2 || (!less && !more))
        return false;
    const struct shape_value *now = c->parts[less ? 1 : 0];
    bool today = now->form == SHAPE_FORM_NOW ||
                 (now->form == SHAPE_FORM_CALL && str_is(now->word, "now"));
    *column = c->parts[less ? 0 : 1];
    return today && (*column)->kind == SHAPE_COLUMN;
}

/* The condition is the only one on its column, and says that it is past. */
static bool is_state(const struct shape_select *s,
                     const struct shape_value *condition)
{
    const struct shape_value *column;
    if (!is_past(condition, &column))
        return false;
    for (size_t i = 0; i < s->n_conditions; i++) {
        const struct shape_value *other = rule_column(s->conditions[i]);
        bool bound = s->conditions[i] != condition &&
                     s->conditions[i]->form != SHAPE_FORM_NOT_NULL;
        if (bound && other && other->source == column->source &&
            other->column == column->column)
            return false;
    }
    return true;
}

static void add_period(struct periods *p, const struct shape_value *column)
{
    if (column && p->n < PERIODS_MOST)
        p->items[p->n++] = column;
}

/* The periods of FILTER and of CASE within aggregates. */
static void add_aside(struct guardrail_check *j, const struct shape_value *v,
                      bool condition, struct periods *p)
{
    const struct shape_value *column;
    if (v->query || j->looked++ >= RULE_STEPS)
        return;
    if (condition && v->kind != SHAPE_AND) {
        if (!is_past(v, &column))
            add_period(p, period_column(j, v, true));
        return;
    }
    for (size_t i = 0; i < v->n_parts; i++)
        add_aside(j, v->parts[i], condition, p);
    for (size_t i = 0; i < v->n_aside; i++)
        add_aside(j, v->aside[i], true, p);
}

/* The periods of a SELECT, also those of derived tables that pass on the rows
 * which it aggregates. */
static void add_periods(struct guardrail_check *j, const struct shape_select *s,
                        struct periods *p)
{
    for (size_t i = 0; i < s->n_conditions; i++)
        if (!is_state(s, s->conditions[i]))
            add_period(p, period_column(j, s->conditions[i], true));
    for (size_t i = 0; i < s->n_groups; i++)
        add_period(p, period_column(j, s->groups[i], false));
    for (size_t i = 0; i < s->n_aggregates; i++)
        if (!s->aggregates[i]->windowed)
            add_aside(j, s->aggregates[i], false, p);
    for (size_t i = 0;
         i < s->n_sources && p->n < PERIODS_MOST && j->looked++ < RULE_STEPS;
         i++)
        if (rule_passes_rows(s->sources[i]))
            add_periods(j, s->sources[i]->query, p);
}

static bool takes(const struct periods *p, struct column_origin of,
                  struct str column)
{
    for (size_t i = 0; i < p->n; i++) {
        struct column_origin o = origin_of(p->items[i]);
        if (o.source->table == of.source->table &&
            str_eq_nocase(rule_column_name(o), column))
            return true;
    }
    return false;
}

/* ---- dates of another dataset -------------------------------------------- */

/* A sentence of the model about dates, and what it speaks for: all measures that
 * it names, or those of one metric or of one dataset. */
struct told {
    struct str clause;
    const struct metric *metric;
    const struct dataset *dataset;
};

/* The clause names this column of the dataset; *denied: as one not to take. */
static bool clause_names(struct guardrail_check *j, struct str clause,
                         const struct dataset *d, struct str column,
                         bool *denied)
{
    struct str name =
        arena_printf(j->arena, "%.*s.%.*s", STR_ARG(d->name), STR_ARG(column));
    ptrdiff_t at = str_find_nocase(clause, name);
    j->looked += 1 + clause.len / 16;
    if (at < 0)
        at = str_find_nocase(clause, column);
    *denied = at >= 0 && is_negated(clause, (size_t)at);
    return mentions(clause, name);
}

/* The time field that a clause tells to take, and its dataset. */
static const struct field *told_in(struct guardrail_check *j, struct str clause,
                                   const struct dataset **of)
{
    bool denied;
    for (size_t i = 0; i < j->o->n_datasets; i++) {
        const struct dataset *d = &j->o->datasets[i];
        for (size_t k = 0; k < d->n_fields && j->looked < RULE_STEPS; k++)
            if (d->fields[k].is_time && d->fields[k].column.len &&
                clause_names(j, clause, d, d->fields[k].column, &denied)) {
                *of = d;
                return &d->fields[k];
            }
    }
    return NULL;
}

static bool computes_from(struct guardrail_check *j, const struct metric *m,
                          const struct dataset *d, struct str column)
{
    struct str name =
        arena_printf(j->arena, "%.*s.%.*s", STR_ARG(d->name), STR_ARG(column));
    return str_find_nocase(m->expression, name) >= 0;
}

/* The clause speaks of a metric that is computed from this column. */
static bool speaks_of_measure(struct guardrail_check *j, struct str clause,
                              const struct dataset *d, struct str column)
{
    for (size_t i = 0; i < j->o->n_metrics; i++) {
        const struct metric *m = &j->o->metrics[i];
        if (computes_from(j, m, d, column) &&
            str_find_nocase(clause, spaced(j, m->name)) >= 0)
            return true;
    }
    return false;
}

/* "Lots of a period …", "a period means … for entries": the clause speaks of the
 * rows of this dataset, and of periods. */
static bool speaks_of_rows(struct guardrail_check *j, struct str clause,
                           const struct dataset *d)
{
    static const char *const periods[] = {"period", "month", "quarter", "year",
                                          NULL};
    bool of_periods = false;
    struct str names = arena_printf(j->arena, "%.*s|%.*s",
                                    STR_ARG(rule_names_of(j, d)),
                                    STR_ARG(spaced(j, d->name))),
               name;
    for (const char *const *p = periods; *p; p++)
        of_periods = of_periods || str_find_nocase(clause, str_of(*p)) >= 0;
    while (of_periods && str_split(&names, '|', &name))
        for (size_t at = 0; name.len;) {
            ptrdiff_t found = str_find_nocase(str_from(clause, at), name);
            if (found < 0)
                break;
            size_t from = at + (size_t)found;
            at = from + name.len;
            while (at < clause.len && is_word_char(clause.ptr[at]))
                at++;
            size_t more = at - from - name.len;
            bool begins = from == 0 || !is_word_char(clause.ptr[from - 1]);
            bool column = at < clause.len && clause.ptr[at] == '.' &&
                          at + 1 < clause.len &&
                          is_word_char(clause.ptr[at + 1]);
            if (begins && more <= 2 && !column)
                return true;
        }
    return false;
}

/* "A period means auctions.closed_at": for what refers to an auction, too, and
 * for all of which the clause denies the date. */
static bool speaks_of_all(struct guardrail_check *j, struct str clause,
                          const struct dataset *d, const struct dataset *of,
                          bool denied)
{
    static const char *const all[] = {"period means", "periods mean",
                                      "period is", "period always means", NULL};
    bool said = false;
    clause = str_trim(clause);
    for (const char *const *p = all; *p; p++) {
        ptrdiff_t at = str_find_nocase(clause, str_of(*p));
        said = said || (at >= 0 && at <= 2); /* "A period …", "Period …" */
    }
    if (!said || str_find_nocase(clause, STR(" for ")) >= 0)
        return false;
    if (denied)
        return true;
    for (size_t i = 0; i < j->o->n_relationships; i++)
        if (&j->o->datasets[j->o->relationships[i].from] == d &&
            &j->o->datasets[j->o->relationships[i].to] == of)
            return true;
    return false;
}

/* The column of a call that measures, or none: count(*). False: it measures
 * nothing. */
static bool measured_by(const struct shape_value *call, struct column_origin *o)
{
    static const char *const adding[] = {"sum", "avg", NULL};
    bool count = str_is(call->function, "count");
    if (call->windowed || !(count || word_among(call->function, adding)))
        return false;
    const struct shape_value *column = rule_column(call);
    column = column ? rule_resolve(column) : NULL;
    *o = column ? origin_of(column) : (struct column_origin){0};
    return o->source || count;
}

static bool measures_metric(struct guardrail_check *j,
                            const struct shape_select *s,
                            const struct metric *m)
{
    bool counts = str_find_nocase(m->expression, STR("count(")) == 0;
    for (size_t i = 0; i < s->n_aggregates; i++) {
        struct column_origin o;
        if (!measured_by(s->aggregates[i], &o))
            continue;
        const struct dataset *d = rule_dataset(j, o);
        if ((counts && str_is(s->aggregates[i]->function, "count")) ||
            (d && computes_from(j, m, d, rule_column_name(o))))
            return true;
    }
    return false;
}

/* The model tells to take this field; with `s`, a metric only for what it measures. */
static bool is_told(struct guardrail_check *j, const struct dataset *d,
                    const struct field *f, const struct shape_select *s)
{
    if (is_named_in(j, j->o->hints.instructions, f) ||
        is_named_in(j, d->hints.instructions, f))
        return true;
    for (size_t i = 0; i < j->o->n_metrics; i++) {
        const struct metric *m = &j->o->metrics[i];
        bool of = false;
        for (size_t k = 0; k < m->n_datasets; k++)
            of = of || &j->o->datasets[m->datasets[k]] == d;
        of = of && (!s || measures_metric(j, s, m));
        if (of && (is_named_in(j, m->description, f) ||
                   is_named_in(j, m->hints.instructions, f)))
            return true;
    }
    return false;
}

/* The first time field of the dataset that the model tells to take, or NULL. */
static const struct field *told_field(struct guardrail_check *j,
                                      const struct dataset *d,
                                      const struct shape_select *s)
{
    for (size_t i = 0; i < d->n_fields; i++)
        if (d->fields[i].is_time && d->fields[i].column.len &&
            is_told(j, d, &d->fields[i], s))
            return &d->fields[i];
    return NULL;
}

/* What is measured is of the metric or the dataset that the clause is written at;
 * or the clause names its metric, the dataset whose date it names, or `dated`,
 * the dataset of the period, whose date it denies. */
static bool measures_what(struct guardrail_check *j,
                          const struct shape_select *s, const struct told *t,
                          const struct dataset *of, const struct dataset *dated,
                          bool denied, bool *rows)
{
    for (size_t i = 0; i < s->n_aggregates; i++) {
        struct column_origin o;
        if (!measured_by(s->aggregates[i], &o))
            continue;
        bool adds = !str_is(s->aggregates[i]->function, "count");
        const struct dataset *d = rule_dataset(j, o);
        if (t->metric) {
            if (d && computes_from(j, t->metric, d, rule_column_name(o)))
                return true;
            continue;
        }
        if (adds && d && !t->dataset &&
            ((d == of && denied) ||
             speaks_of_measure(j, t->clause, d, rule_column_name(o))))
            return true;
        *rows = true;
        if ((!d || d == dated) &&
            (t->dataset == dated ||
             (!t->dataset && (speaks_of_rows(j, t->clause, dated) ||
                              speaks_of_all(j, t->clause, dated, of, denied)))))
            return true;
        *rows = false;
    }
    return false;
}

/* The rows of the dataset are periods themselves. */
static bool is_calendar_of(struct guardrail_check *j, const struct dataset *d)
{
    static const char *const periods[] = {
        "term", "period",   "calendar", "quarter", "season", "semester",
        "date", "day",      "month",    "year",    "week",   "fiscal",
        "time", "campaign", "event",    NULL};
    struct name_words w = name_words(j->arena, d->name);
    for (size_t i = 0; i < w.n; i++)
        if (word_among(w.one[i], periods))
            return true;
    return false;
}

/* The words by which a question would ask for this date: its own, and the things
 * that have it. */
static struct str asked_by(struct guardrail_check *j, const struct dataset *d,
                           struct str column)
{
    struct buf out;
    struct str names = rule_names_of(j, d), name;
    buf_init(&out, j->arena);
    buf_printf(&out, "%.*s|%.*s", STR_ARG(words_of(j, column)),
               STR_ARG(spaced(j, d->name)));
    while (str_split(&names, '|', &name))
        if (name.len)
            buf_printf(&out, "|%.*s|%.*ss", STR_ARG(name), STR_ARG(name));
    return buf_view(&out);
}

/* "Fare income means orders.ordered_at, never runs.run_day". */
static bool judge_clause(struct guardrail_check *j,
                         const struct shape_select *s, const struct periods *p,
                         const struct told *t)
{
    const struct dataset *of = NULL;
    const struct field *told = told_in(j, t->clause, &of);
    for (size_t i = 0; told && i < p->n; i++) {
        struct column_origin o = origin_of(p->items[i]);
        const struct dataset *d = rule_dataset(j, o);
        bool taken = str_eq_nocase(rule_column_name(o), told->column);
        /* other columns of its dataset: told_field, unless it is a metric of
         * another one that tells */
        if (is_calendar_of(j, d) || (d == of && (taken || !t->metric)))
            return false;
    }
    for (size_t i = 0; told && i < p->n; i++) {
        struct column_origin o = origin_of(p->items[i]);
        const struct dataset *d = rule_dataset(j, o);
        const struct field *f = rule_field(j, o);
        bool denied, rows = false;
        if (clause_names(j, t->clause, d, rule_column_name(o), &denied) ||
            !measures_what(j, s, t, of, d, denied, &rows) ||
            (!denied && f && is_told(j, d, f, NULL)))
            continue;
        /* its rows are what is measured: their name says nothing of the date */
        rule_broken(j, RULE_OTHER_DATE, ASKS_WITHOUT,
                    rows || t->metric ? words_but(j, rule_column_name(o), d)
                                      : asked_by(j, d, rule_column_name(o)),
                    "The period is of %.*s.%.*s; the model names %.*s.%.*s for "
                    "it.",
                    STR_ARG(d->name), STR_ARG(rule_column_name(o)),
                    STR_ARG(of->name), STR_ARG(told->name));
        return true;
    }
    return false;
}

static bool judge_text(struct guardrail_check *j, const struct shape_select *s,
                       const struct periods *p, struct str text,
                       struct told told)
{
    size_t from = 0;
    text = str_cut(text, 0, TEXT_MOST);
    for (size_t i = 0; text.len && i <= text.len && j->looked < RULE_STEPS;
         i++) {
        if (i < text.len && !is_clause_end(text, i))
            continue;
        told.clause = str_cut(text, from, i - from);
        if (judge_clause(j, s, p, &told))
            return true;
        from = i + 1;
    }
    return false;
}

static void judge_clauses(struct guardrail_check *j,
                          const struct shape_select *s, const struct periods *p)
{
    const struct ontology *o = j->o;
    if (!p->n || judge_text(j, s, p, o->hints.instructions, (struct told){0}))
        return;
    for (size_t i = 0; i < o->n_datasets; i++)
        if (judge_text(j, s, p, o->datasets[i].hints.instructions,
                       (struct told){.dataset = &o->datasets[i]}))
            return;
    for (size_t i = 0; i < o->n_metrics; i++) {
        const struct told t = {.metric = &o->metrics[i]};
        if (judge_text(j, s, p, o->metrics[i].description, t) ||
            judge_text(j, s, p, o->metrics[i].hints.instructions, t))
            return;
    }
}

void judge_dates(struct guardrail_check *j, struct shape_select *s)
{
    struct periods p = {
        arena_new_array(j->arena, const struct shape_value *, PERIODS_MOST), 0};
    if (measures(s))
        add_periods(j, s, &p);
    for (size_t i = 0; i < p.n; i++) {
        struct column_origin o = origin_of(p.items[i]);
        const struct dataset *d = rule_dataset(j, o);
        const struct field *f = rule_field(j, o);
        const struct field *told = told_field(j, d, s);
        if (!f || !told || is_told(j, d, f, NULL) || takes(&p, o, told->column))
            continue;
        rule_broken(j, RULE_OTHER_DATE, ASKS_WITHOUT,
                    words_but(j, rule_column_name(o), d),
                    "The period is of %.*s.%.*s; the model names %.*s for it.",
                    STR_ARG(d->name), STR_ARG(rule_column_name(o)),
                    STR_ARG(told->name));
        return;
    }
    judge_clauses(j, s, &p);
}
