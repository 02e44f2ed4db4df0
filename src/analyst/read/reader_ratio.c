/* reader_ratio.c - figures made of two: "the ratio of orders to customers", "the
 * average number of tracks per album"; and several functions of one noun, "the
 * lowest, average and highest price". */
#include "field.h"
#include "reader.h"
#include "base/banned.h"

enum { FUNCTIONS_MOST = 5 };

/* ---- a ratio --------------------------------------------------------------- */

static struct asked_measure *measure_new(struct question_reader *reader,
                                         struct asked_measure measure)
{
    struct asked_measure *kept = arena_new(reader->arena, struct asked_measure);
    *kept = measure;
    return kept;
}

/* "the number of orders", "revenue", "authors". Returns how many words. */
static size_t side_at(struct question_reader *reader, size_t at,
                      struct asked_measure *side)
{
    enum function function = FUNCTION_NONE;
    size_t start = at;
    at += reader_is(reader, at, "the");
    struct choice what = reader_match(reader, at);
    if (!choice_has(&what, TERM_METRIC)) {
        at += function_at(reader, at, &function);
        what = reader_match(reader, at);
    }
    bool things = choice_has(&what, TERM_DATASET);
    const struct field *field = first_field(reader, &what);
    if (function == FUNCTION_NONE && things && !choice_has(&what, TERM_METRIC))
        function = FUNCTION_COUNT;
    if (!choice_has(&what, TERM_METRIC) && !things &&
        !(field && field_is_number(field)))
        return 0;
    if (!measure_make(reader, function, what, side))
        return 0;
    reader_mention(reader, what);
    return at + what.n_words - start;
}

bool ratio_read(struct question_reader *reader)
{
    struct asked_measure top, bottom;
    size_t at = reader->at, n;
    bool between = reader_is(reader, at + 1, "between");
    if (!reader_is(reader, at, "ratio") || reader_match(reader, at).n ||
        !(between || reader_is(reader, at + 1, "of")))
        return false;
    n = side_at(reader, at + 2, &top);
    at += 2 + n;
    if (!n || !(between ? reader_is(reader, at, "and")
                        : reader_in(reader, at, "to over")))
        return false;
    n = side_at(reader, at + 1, &bottom);
    if (!n)
        return false;
    top.over = measure_new(reader, bottom);
    measure_add(reader, top);
    reader->at = at + 1 + n;
    return true;
}

/* ---- an average over things ------------------------------------------------ */

/* A sum or a count, which can be divided by a number of things. */
static bool is_divisible(const struct question_reader *reader,
                         const struct asked_measure *m)
{
    const struct ontology *o = reader->lexicon->ontology;
    const struct field *field = first_field(reader, &m->what);
    if (m->function == FUNCTION_AVERAGE && field && field_is_number(field))
        return false;
    for (size_t i = 0; i < m->what.n; i++) {
        struct str e = {NULL, 0};
        if (m->what.terms[i].kind == TERM_METRIC)
            e = o->metrics[m->what.terms[i].index].expression;
        if (str_eq_nocase(str_cut(e, 0, 4), STR("sum(")) ||
            str_eq_nocase(str_cut(e, 0, 6), STR("count(")))
            return true;
    }
    return m->function == FUNCTION_COUNT || m->function == FUNCTION_SUM;
}

/* The things of "per album"; SIZE_MAX: none. */
static size_t things_per(const struct question *q)
{
    for (size_t i = 0; i < q->n_dimensions; i++)
        if (q->dimensions[i].per && !q->dimensions[i].grain &&
            choice_has(&q->dimensions[i].what, TERM_DATASET))
            return i;
    return SIZE_MAX;
}

/* The grain of "per month", and of "average monthly revenue"; SIZE_MAX: none. */
static size_t grain_per(const struct question *q)
{
    for (size_t i = 0; i < q->n_dimensions; i++)
        if (q->dimensions[i].per && q->dimensions[i].grain &&
            !q->dimensions[i].part)
            return i;
    return SIZE_MAX;
}

static size_t n_per(const struct question *q)
{
    size_t n = 0;
    for (size_t i = 0; i < q->n_dimensions; i++)
        n += q->dimensions[i].per;
    return n;
}

static void dimension_drop(struct question *q, size_t index)
{
    q->n_dimensions--;
    for (size_t i = index; i < q->n_dimensions; i++)
        q->dimensions[i] = q->dimensions[i + 1];
}

/* "Average freight per order": each order has one freight. */
static bool is_own_field(const struct question_reader *reader,
                         const struct asked_measure *m, struct choice things)
{
    struct choice rows = choice_of(reader->arena, things, TERM_DATASET);
    for (size_t i = 0; i < m->what.n; i++)
        if (m->what.terms[i].kind == TERM_FIELD &&
            m->what.terms[i].dataset == rows.terms[0].dataset)
            return true;
    return false;
}

static void divide_by(struct question_reader *reader, struct asked_measure *m,
                      size_t per)
{
    struct question *q = reader->question;
    struct choice things =
        choice_of(reader->arena, q->dimensions[per].what, TERM_DATASET);
    m->over = measure_new(
        reader,
        (struct asked_measure){.function = FUNCTION_DISTINCT, .what = things});
    if (m->function == FUNCTION_AVERAGE)
        m->function = FUNCTION_NONE;
    dimension_drop(q, per);
    question_note(q,
                  arena_printf(reader->arena, "An average over which %.*s?",
                               STR_ARG(things.words)),
                  STR("Those with at least one of the rows asked about."));
}

/* "Average number of orders per month", of those that have any. */
static void divide_by_time(struct question_reader *reader,
                           struct asked_measure *m, size_t per)
{
    struct question *q = reader->question;
    enum time_unit grain = q->dimensions[per].grain;
    m->over = measure_new(
        reader,
        (struct asked_measure){.function = FUNCTION_DISTINCT, .grain = grain});
    if (m->function == FUNCTION_AVERAGE)
        m->function = FUNCTION_NONE;
    dimension_drop(q, per);
    question_note(q,
                  arena_printf(reader->arena, "An average over which %ss?",
                               unit_words[grain]),
                  STR("Those with at least one of the rows asked about."));
}

/* Stars and grades say how good each is: a sum of them says nothing. */
static bool is_degree(const struct field *field)
{
    static const char words[] =
        "star stars rating ratings score scores grade grades rank level age "
        "price rate percent percentage pct temperature";
    return name_has(field->name, words);
}

void average_settle(struct question_reader *reader)
{
    struct question *q = reader->question;
    struct asked_measure *m = &q->measures[0];
    bool average = q->n_measures && m->function == FUNCTION_AVERAGE;
    size_t per = things_per(q), time = grain_per(q);
    const struct field *field = first_field(reader, &m->what);
    /* "The average number of credits": credits are a number already. */
    if (q->n_measures && reader->averaged && m->function == FUNCTION_COUNT &&
        field && field_is_number(field) &&
        !choice_has(&m->what, TERM_DATASET)) {
        if (per != SIZE_MAX && is_degree(field)) {
            reader_object(reader,
                          "%.*s do not add up; say “average %.*s by %.*s”",
                          STR_ARG(m->what.words), STR_ARG(m->what.words),
                          STR_ARG(q->dimensions[per].what.words));
            return;
        }
        bool own =
            per != SIZE_MAX && is_own_field(reader, m, q->dimensions[per].what);
        m->function = per == SIZE_MAX || own ? FUNCTION_AVERAGE : FUNCTION_SUM;
        if (own) /* "hours per agent", of which each agent has one number */
            dimension_drop(q, per);
        else if (per != SIZE_MAX)
            divide_by(reader, m, per);
        return;
    }
    if (!q->n_measures || !(average || reader->averaged) || m->over)
        return;
    if (average && per != SIZE_MAX &&
        is_own_field(reader, m, q->dimensions[per].what)) {
        reader_object(reader,
                      "there is one “%.*s” per %.*s; say “average %.*s” for "
                      "one figure, or “%.*s by %.*s” for a list",
                      STR_ARG(m->what.words),
                      STR_ARG(q->dimensions[per].what.words),
                      STR_ARG(m->what.words), STR_ARG(m->what.words),
                      STR_ARG(q->dimensions[per].what.words));
    } else if (average && per != SIZE_MAX && !is_divisible(reader, m)) {
        reader_object(
            reader,
            "“average %.*s per %.*s” may be one figure or a list; say "
            "“average %.*s by %.*s” for a list",
            STR_ARG(m->what.words), STR_ARG(q->dimensions[per].what.words),
            STR_ARG(m->what.words), STR_ARG(q->dimensions[per].what.words));
    } else if (is_divisible(reader, m)) {
        if (n_per(q) > 1)
            reader_object(reader,
                          "“average” over several things at once may be one "
                          "figure or a list; say “per” once");
        else if (per != SIZE_MAX && time == SIZE_MAX && q->n_measures == 1)
            divide_by(reader, m, per);
        else if (per == SIZE_MAX && time != SIZE_MAX && q->n_filters)
            /* Periods without such rows would not count. */
            reader_object(reader,
                          "“average” per %s may leave out those without such "
                          "rows; say “by %s” for a list",
                          unit_words[q->dimensions[time].grain],
                          unit_words[q->dimensions[time].grain]);
        else if (per == SIZE_MAX && time != SIZE_MAX && q->n_measures == 1 &&
                 !q->top.ranked)
            divide_by_time(reader, m, time);
        else
            reader_object(reader,
                          "“average” needs things to average over; say “per …” "
                          "with their name");
    } else if (reader->averaged && m->function == FUNCTION_NONE) {
        m->function = FUNCTION_AVERAGE;
    }
}

/* ---- several functions of one noun ----------------------------------------- */

/* "lowest" and "highest" in a list of functions. */
static size_t extreme_at(const struct question_reader *reader, size_t at,
                         enum function *function)
{
    static const char high[] = "highest largest biggest greatest";
    static const char low[] = "lowest smallest";
    if (reader_in(reader, at, high))
        *function = FUNCTION_MAXIMUM;
    else if (reader_in(reader, at, low))
        *function = FUNCTION_MINIMUM;
    else
        return function_at(reader, at, function);
    return 1;
}

bool functions_read(struct question_reader *reader)
{
    enum function functions[FUNCTIONS_MOST];
    size_t at = reader->at, n = 0, length;
    struct asked_measure measure;
    while (n < FUNCTIONS_MOST) {
        at += reader_is(reader, at, "the");
        length = extreme_at(reader, at, &functions[n]);
        if (!length)
            break;
        n++;
        at += length;
        if (!reader_in(reader, at, ", and &"))
            break;
        while (reader_in(reader, at, ", and &"))
            at++;
    }
    struct choice what = reader_match(reader, at);
    const struct field *field = first_field(reader, &what);
    if (n < 2 || !field || !field_is_number(field))
        return false;
    for (size_t i = 0; i < n; i++)
        if (measure_make(reader, functions[i], what, &measure))
            measure_add(reader, measure);
    reader->at = at + what.n_words;
    return true;
}
