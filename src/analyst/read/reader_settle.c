/* reader_settle.c - what can be decided only when all words have been read:
 * what a top n ranks, what a superlative or a dataset means that has no
 * other role, and which measures are shown. */
#include "field.h"
#include "person.h"
#include "reader.h"
#include "base/banned.h"

/* "Which city", "cities by revenue": what was named becomes the dimension. */
static void subject_settle(struct question_reader *reader)
{
    struct question *q = reader->question;
    bool ranked = q->top.ranked || reader->superlative_said || q->n_havings;
    bool asked = q->subject.n || reader->subject_grain;
    if (asked && (ranked || q->n_measures)) {
        struct asked_dimension d = {.grain = reader->subject_grain,
                                    .part = reader->subject_part,
                                    .what = q->subject,
                                    .ranked = true};
        dimension_add(reader, d);
    } else if (ranked && !q->n_dimensions && !reader->n_loose &&
               q->n_mentions && q->n_measures) {
        dimension_add(reader, (struct asked_dimension){.what = q->mentions[0],
                                                       .ranked = true});
        q->subject_one =
            q->subject_one || !str_ends(q->mentions[0].words, STR("s"));
    }
    for (size_t i = 0; i < reader->n_loose; i++) {
        struct asked_dimension d = reader->loose[i];
        d.ranked = d.ranked && ranked;
        dimension_add(reader, d);
        question_note(q,
                      arena_printf(reader->arena, "What is “%.*s” for?",
                                   STR_ARG(d.what.words)),
                      STR("It is what the figures are broken down by."));
    }
    if (reader->superlative_said && !q->top.n && q->n_dimensions &&
        !q->n_havings) {
        q->top.n = 1;
        if (!q->subject_one)
            reader_object(reader,
                          "the question does not say how many of the “%.*s” "
                          "are wanted; say for example “top 5”",
                          STR_ARG(q->dimensions[0].what.words));
    }
}

/* Words for what is added up: the highest revenue of a client is no single bill. */
static bool is_total(const struct question_reader *reader,
                     const struct asked_measure *m)
{
    static const char totals[] =
        "revenue turnover sales income earnings takings proceeds spending spend "
        "expenses expenditure costs profit volume";
    struct str rest = lower_case(reader->arena, m->what.words), word;
    while (str_split(&rest, ' ', &word))
        if (list_has(totals, word))
            return true;
    return false;
}

/* A month or year is ranked by what all of its rows make, not by the highest of
 * them; whether prices are to be added up is not said. */
static void check_best_time(struct question_reader *reader)
{
    struct question *q = reader->question;
    const struct asked_measure *m = &q->measures[0];
    bool time = reader->subject_grain != UNIT_NONE;
    for (size_t i = 0; i < q->n_dimensions; i++)
        time = time || (q->dimensions[i].ranked && q->dimensions[i].grain);
    if (time &&
        (m->function == FUNCTION_MAXIMUM || m->function == FUNCTION_MINIMUM))
        reader_object(
            reader, "“%.*s” may be the total of the period or its %s one",
            STR_ARG(m->what.words), q->top.lowest ? "lowest" : "highest");
}

/* "Highest price" ranks if there is something to rank; else it is the
 * maximum. */
static void superlative_settle(struct question_reader *reader)
{
    struct question *q = reader->question;
    if (!reader->superlative_said || !q->n_measures)
        return;
    struct asked_measure *m = &q->measures[0];
    bool field = m->function == FUNCTION_NONE &&
                 !choice_has(&m->what, TERM_METRIC) &&
                 choice_has(&m->what, TERM_FIELD);
    bool total = field && is_total(reader, m);
    if (field)
        m->function = total           ? FUNCTION_SUM
                      : q->top.lowest ? FUNCTION_MINIMUM
                                      : FUNCTION_MAXIMUM;
    bool things = q->subject.n || reader->subject_grain || ranks_who(reader);
    for (size_t i = 0; i < q->n_dimensions; i++)
        things = things || q->dimensions[i].ranked;
    if (field && !total)
        check_best_time(reader);
    if (field && !things) {
        reader->superlative_said = false;
        q->top = (struct top){.n = 0};
    }
}

/* Rows with a date are events, which are counted; others and persons may be wanted
 * as a list: "orders in Houston", but "restaurants in Houston". */
static bool happens(const struct question_reader *reader,
                    const struct choice *what)
{
    const struct ontology *o = reader->lexicon->ontology;
    for (size_t i = 0; i < what->n; i++) {
        const struct dataset *d = &o->datasets[what->terms[i].dataset];
        for (size_t j = 0; j < d->n_fields && !is_persons(reader->arena, d);
             j++)
            if (field_is_date(&d->fields[j]))
                return true;
    }
    return false;
}

/* "How much" asks for an amount, and the number of rows is none. */
static bool asks_amount(const struct question_reader *reader)
{
    for (size_t i = 0; i + 1 < reader->words.n; i++)
        if (reader_is(reader, i, "how") && reader_is(reader, i + 1, "much"))
            return true;
    return false;
}

/* The dataset of all that the filter is about; SIZE_MAX: there are several. A value
 * must say what kind of things they are, as a position or a category does. */
static size_t things_of(const struct question_reader *reader,
                        const struct asked_filter *filter)
{
    static const char kinds[] =
        "position role job occupation profession specialty speciality spec "
        "type typ kind category class genre species";
    const struct ontology *o = reader->lexicon->ontology;
    size_t found = SIZE_MAX;
    bool flag = filter->kind == FILTER_FIELD && filter->comparison == IS_TRUE;
    for (size_t i = 0; flag && i < filter->what.n; i++) {
        size_t dataset = filter->what.terms[i].dataset;
        if (i && dataset != found)
            return SIZE_MAX;
        found = dataset;
    }
    bool search = filter->kind == FILTER_SEARCH && !filter->negated;
    for (size_t i = 0; search && i < filter->n_values; i++) {
        const struct filter_value *v = &filter->values[i];
        const struct sample *one = v->samples ? v->samples->items : NULL;
        if (!one || v->samples->n > 1 || (i && one->dataset != found) ||
            !name_has(o->datasets[one->dataset].fields[one->field].name,
                      kinds) ||
            sample_is_spelled(&reader->lexicon->samples, one, v->text))
            return SIZE_MAX;
        found = one->dataset;
    }
    return found;
}

/* The filter whose words begin at the word; NULL: none does. */
static const struct asked_filter *filter_at(const struct question *q,
                                            const struct question_word *word)
{
    for (size_t i = 0; i < q->n_filters; i++)
        if (word->text.len && q->filters[i].words.ptr == word->text.ptr)
            return &q->filters[i];
    return NULL;
}

/* "How many non-smokers", "how many male goalkeepers": the rows that are so. */
static void described_count(struct question_reader *reader)
{
    size_t at = reader->function_to, dataset = SIZE_MAX;
    const struct asked_filter *filter = NULL;
    while (dataset == SIZE_MAX) {
        filter = filter_at(reader->question, reader_word(reader, at));
        if (!filter)
            return;
        dataset = things_of(reader, filter);
        const char *end = filter->words.ptr + filter->words.len;
        while (at < reader->words.n && reader_word(reader, at)->text.ptr < end)
            at++;
    }
    struct term rows = {TERM_DATASET, WEIGHT_NAME, dataset, dataset};
    reader->counted = choice_one(reader->arena, rows, filter->words, 1);
    reader->function = FUNCTION_NONE;
    measure_add(reader, (struct asked_measure){.function = FUNCTION_COUNT,
                                               .what = reader->counted});
}

/* "Number of", whose things come after what they are like: "completed sales". */
static void function_settle(struct question_reader *reader)
{
    struct question *q = reader->question;
    if (reader->function == FUNCTION_COUNT && !q->n_measures && !q->n_mentions)
        described_count(reader);
    if (reader->function && !q->n_measures && q->n_mentions) {
        struct asked_measure m = {.function = FUNCTION_COUNT,
                                  .what = q->mentions[0]};
        if (reader->function == FUNCTION_COUNT ||
            reader->function == FUNCTION_DISTINCT) {
            measure_add(reader, m);
            reader->counted =
                choice_of(reader->arena, q->mentions[0], TERM_DATASET);
            reader->function = FUNCTION_NONE;
        }
    }
}

static void count_settle(struct question_reader *reader)
{
    struct question *q = reader->question;
    bool broken = q->n_dimensions || q->n_filters || window_is_set(&q->window);
    for (size_t i = 0; i < q->n_filters; i++) /* asks for a list of them */
        if ((q->filters[i].comparison >= IS_OVER ||
             q->filters[i].kind == FILTER_EXISTS) &&
            !q->n_dimensions)
            broken = false;
    if (q->n_mentions && !q->n_dimensions && !happens(reader, &q->mentions[0]))
        broken = false;
    bool rows = (reader->who || reader->shows) && !q->n_dimensions;
    if (q->n_measures || !q->n_mentions || !broken || q->listing || rows ||
        q->opening != OPENS_ALONE || q->top.n || reader->superlative_said ||
        q->n_havings || asks_amount(reader))
        return;
    struct asked_measure m;
    if (measure_make(reader, FUNCTION_COUNT, q->mentions[0], &m)) {
        measure_add(reader, m);
        question_note(q,
                      arena_printf(reader->arena, "What about the %.*s?",
                                   STR_ARG(q->mentions[0].words)),
                      STR("They are counted."));
    }
}

static void having_settle(struct question_reader *reader)
{
    struct question *q = reader->question;
    for (size_t i = 0; i < q->n_havings; i++) {
        bool shown = false;
        for (size_t j = 0; j < q->n_measures; j++)
            shown = shown ||
                    (str_eq_nocase(q->measures[j].what.words,
                                   q->havings[i].measure.what.words) &&
                     q->measures[j].function == q->havings[i].measure.function);
        if (!shown)
            measure_add(reader, q->havings[i].measure);
    }
}

/* A number of rows that is true of none as well: "fewer than 3". */
static bool holds_of_none(const struct asked_having *h)
{
    bool zero = h->number.len == 1 && *h->number.ptr == '0';
    return h->comparison == IS_UNDER || h->comparison == IS_AT_MOST ||
           (zero && h->comparison != IS_OVER);
}

/* "Number of albums", as a metric or as rows that are counted. */
static bool counts_things(const struct question_reader *reader)
{
    const struct question *q = reader->question;
    const struct ontology *o = reader->lexicon->ontology;
    for (size_t i = 0; q->n_measures && i < q->measures[0].what.n; i++) {
        const struct term *term = &q->measures[0].what.terms[i];
        if (term->kind == TERM_METRIC &&
            str_eq_nocase(str_cut(o->metrics[term->index].expression, 0, 6),
                          STR("count(")))
            return true;
    }
    return reader->counted.n > 0;
}

/* The group has the number that is asked for itself. */
static bool asks_for_it(const struct question *q, const struct asked_having *h)
{
    const struct choice *own = &q->measures[0].what;
    const struct choice *its = &h->measure.what;
    for (size_t i = 0; i < own->n; i++)
        for (size_t j = 0; j < its->n; j++)
            if (term_same(&own->terms[i], &its->terms[j]))
                return true;
    return false;
}

/* "Albums per artist with more than 5 tracks": the albums or the artists? */
static void check_having(struct question_reader *reader)
{
    struct question *q = reader->question;
    if (!q->n_measures || !q->n_dimensions || !counts_things(reader))
        return;
    for (size_t i = 0; i < q->n_havings; i++) {
        if (q->havings[i].rows.n && !asks_for_it(q, &q->havings[i]))
            reader_object(reader, "I do not see what “%.*s” is about",
                          STR_ARG(q->havings[i].words));
    }
}

/* "The average age of singers": the figure is of the things named first. */
static bool sums_up(const struct question *q)
{
    const struct asked_measure *m = &q->measures[0];
    bool sums = m->function == FUNCTION_AVERAGE ||
                m->function == FUNCTION_MEDIAN ||
                m->function == FUNCTION_MINIMUM ||
                m->function == FUNCTION_MAXIMUM || m->function == FUNCTION_SUM;
    return sums && !m->over && q->n_mentions && m->what.n &&
           m->what.terms[0].kind == TERM_FIELD &&
           m->what.terms[0].dataset == q->mentions[0].terms[0].dataset;
}

/* "How many customers have more than 5 orders" counts customers, and "the average age
 * of singers with more than 3 songs" is one figure. */
static void having_counted(struct question_reader *reader)
{
    struct question *q = reader->question;
    size_t n = q->n_havings;
    bool figure = n && q->n_measures == 1 && sums_up(q) && !q->top.ranked;
    struct choice of = figure ? q->mentions[0] : reader->counted;
    if (!of.n || q->n_measures != 1 || q->n_dimensions || q->subject.n ||
        reader->subject_grain)
        return;
    for (size_t i = 0; i < n; i++) {
        const struct asked_having *h = &q->havings[i];
        if (h->rows.n && h->rows.terms[0].dataset == of.terms[0].dataset)
            return;
        if (!h->rows.n) {
            reader_object(reader,
                          "I cannot count the “%.*s” by “%.*s”; leave out the "
                          "number to have them listed",
                          STR_ARG(of.words), STR_ARG(h->words));
            return;
        }
        if (holds_of_none(h))
            reader_object(reader,
                          "“%.*s” does not say whether those with none count",
                          STR_ARG(h->words));
    }
    q->n_havings = 0;
    for (size_t i = 0; i < n; i++) {
        const struct asked_having *h = &q->havings[i];
        struct asked_filter *filter = filter_new(reader, FILTER_EXISTS, false);
        filter->what = h->rows;
        filter->comparison = h->comparison;
        filter->words = h->words;
        filter->values[filter->n_values++] =
            (struct filter_value){.text = h->number, .number = true};
        if (h->comparison == IS_BETWEEN)
            filter->values[filter->n_values++] =
                (struct filter_value){.text = h->number2, .number = true};
    }
}

/* ---- what was read, but came to nothing -------------------------------------- */

static bool has_pair(const struct question *q)
{
    for (size_t i = 0; i < q->n_filters; i++)
        if (q->filters[i].n_values > 1)
            return true;
    return q->n_dimensions || q->window.n > 1;
}

/* "Who scored the most goals": one of the persons, whom binding finds. */
static void who_settle(struct question_reader *reader)
{
    struct question *q = reader->question;
    if (!ranks_who(reader) || q->n_measures != 1)
        return;
    q->who = true;
    q->top.n = 1;
}

/* The words of the question that the measure has; of "how many visits", those of the
 * visits. */
static const char *measure_place(const struct question_reader *reader)
{
    const struct question *q = reader->question;
    const char *words = q->measures[0].what.words.ptr;
    struct str text = reader->words.text;
    bool said = words >= text.ptr && words < text.ptr + text.len;
    return said || !reader->counted.n ? words : reader->counted.words.ptr;
}

/* "How are we doing on fees": a figure that the model defines, or a number of rows. */
static void check_overview(struct question_reader *reader)
{
    const struct question *q = reader->question;
    const struct asked_measure *m = &q->measures[0];
    if (reader->overview && q->n_measures && m->function == FUNCTION_NONE &&
        !choice_has(&m->what, TERM_METRIC))
        reader_object(reader,
                      "“%.*s” may be their total or their average; say which",
                      STR_ARG(m->what.words));
}

static void leftovers_settle(struct question_reader *reader)
{
    struct question *q = reader->question;
    check_overview(reader);
    bool follows = q->opening != OPENS_ALONE, groups = q->n_dimensions;
    if (reader->function)
        reader_object(reader, "I do not see of what the function is taken");
    if (reader->compare && !has_pair(q) && !follows)
        reader_object(reader, "I do not see what is to be compared with what");
    /* "List customers with their number of orders": of each of them. */
    bool rows = q->listing || reader->shows;
    if (rows && q->n_measures && q->n_mentions && !groups && !q->n_havings &&
        q->mentions[0].words.ptr < measure_place(reader))
        reader_object(reader,
                      "the question asks for the “%.*s” and for a figure; say "
                      "“by %.*s” for that of each",
                      STR_ARG(q->mentions[0].words),
                      STR_ARG(q->mentions[0].words));
    if (reader->who && q->n_measures && !groups && !reader->counted.n &&
        !q->who)
        reader_object(reader, "“who” asks for people, and I do not see which");
    if (q->subject.n && !q->subject_all && groups && q->n_measures &&
        !q->top.ranked && !q->n_havings && !reader->superlative_said &&
        !follows)
        reader_object(reader,
                      "the question asks for some of the “%.*s” and does not "
                      "say which; say “by %.*s” for all of them",
                      STR_ARG(q->subject.words), STR_ARG(q->subject.words));
}

void question_settle(struct question_reader *reader)
{
    deeds_settle(reader);
    share_settle(reader);
    function_settle(reader);
    average_settle(reader);
    superlative_settle(reader);
    adjective_settle(reader);
    count_settle(reader);
    check_having(reader);
    having_counted(reader);
    having_settle(reader);
    subject_settle(reader);
    attributes_settle(reader);
    who_settle(reader);
    leftovers_settle(reader);
}
