/* reader_settle.c - what can be decided only when all words have been read:
 * what a top n ranks, what a superlative or a dataset means that has no
 * other role, and which measures are shown. */
#include "reader.h"
#include "base/banned.h"

/* "Which city", "cities by revenue": what was named becomes the dimension. */
static void subject_settle(struct question_reader *reader)
{
    struct question *q = reader->question;
    bool ranked = q->top.ranked || reader->superlative_said || q->n_havings;
    bool asked = q->subject.n || reader->subject_grain;
    if (asked && (ranked || q->n_measures)) {
        struct asked_dimension d = {
            .grain = reader->subject_grain, .what = q->subject, .ranked = true};
        dimension_add(reader, d);
    } else if (ranked && !q->n_dimensions && !reader->n_loose &&
               q->n_mentions && q->n_measures) {
        dimension_add(reader, (struct asked_dimension){.what = q->mentions[0],
                                                       .ranked = true});
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
        !q->n_havings)
        q->top.n = q->subject_one ? 1 : 10;
    if (q->top.n == 10 && reader->superlative_said && !q->subject_one)
        question_note(q, STR("How many are to be shown?"), STR("Ten."));
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
    if (field)
        m->function = q->top.lowest ? FUNCTION_MINIMUM : FUNCTION_MAXIMUM;
    bool things = q->subject.n || reader->subject_grain;
    for (size_t i = 0; i < q->n_dimensions; i++)
        things = things || q->dimensions[i].ranked;
    if (field && !things) {
        reader->superlative_said = false;
        q->top = (struct top){.n = 0};
    }
}

static void count_settle(struct question_reader *reader)
{
    struct question *q = reader->question;
    if (reader->function && !q->n_measures && q->n_mentions) {
        struct asked_measure m = {FUNCTION_COUNT, q->mentions[0]};
        if (reader->function == FUNCTION_COUNT ||
            reader->function == FUNCTION_DISTINCT)
            measure_add(reader, m);
    }
    bool broken = q->n_dimensions || q->n_filters || window_is_set(&q->window);
    if (q->n_measures || !q->n_mentions || !broken || q->listing ||
        q->opening != OPENS_ALONE || q->top.n || reader->superlative_said ||
        q->n_havings)
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

void question_settle(struct question_reader *reader)
{
    superlative_settle(reader);
    count_settle(reader);
    having_settle(reader);
    subject_settle(reader);
}
