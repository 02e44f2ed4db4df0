/* reader_time.c - the period of a question, "in 2025", and the date that it
 * is about, "joined in 2025". */
#include "field.h"
#include "reader.h"
#include "base/banned.h"

static void period_set(struct question_reader *reader, struct window window)
{
    struct question *q = reader->question;
    if (!window_is_set(&q->window))
        q->window = window;
    else
        reader_object(reader, "two periods are given, “%.*s” and “%.*s”",
                      STR_ARG(q->window.words), STR_ARG(window.words));
}

static void compare_periods(struct question_reader *reader,
                            const struct window *window)
{
    enum time_unit unit = window->ranges[0].unit;
    bool same = unit;
    for (size_t i = 1; i < window->n; i++)
        same = same && window->ranges[i].unit == unit;
    if (!window->versus || window->n < 2)
        return;
    if (same)
        dimension_add(reader, (struct asked_dimension){.grain = unit});
    else
        reader_object(reader, "I can compare days, weeks, months, quarters or "
                              "years side by side, but not these periods");
}

bool period_read(struct question_reader *reader)
{
    struct window window;
    struct str problem;
    const struct window *before =
        reader->before ? &reader->before->window : NULL;
    size_t n = window_read(reader->arena, &reader->words, reader->at, before,
                           &window, &problem);
    if (problem.len) {
        if (!reader->question->problem.len)
            reader->question->year_of = window.yearless;
        reader_object(reader, "%.*s", STR_ARG(problem));
        reader->at++;
        return true;
    }
    if (!n || reader_match(reader, reader->at).n_words > n)
        return false;
    if (window.n && reader->compare && window.n > 1)
        window.versus = true;
    compare_periods(reader, &window);
    period_set(reader, window);
    reader->at += n;
    return true;
}

bool participle_at(const struct question_reader *reader, size_t at)
{
    static const char words[] =
        "born hired employed registered joined enrolled opened founded "
        "established launched released";
    return reader_in(reader, at, words);
}

/* One of the fields is of the things named last, or none was named. */
static bool of_near(const struct question_reader *reader,
                    const struct choice *fields)
{
    for (size_t i = 0; i < fields->n; i++)
        if (fields->terms[i].dataset == reader->near)
            return true;
    return reader->near == SIZE_MAX;
}

/* A date field with its period: "joined in 2025", "order date after …". */
bool dated_read(struct question_reader *reader)
{
    struct choice what = reader_match(reader, reader->at);
    struct choice fields = choice_of(reader->arena, what, TERM_FIELD);
    const struct ontology *o = reader->lexicon->ontology;
    size_t n = 0;
    for (size_t i = 0; i < fields.n; i++) {
        const struct term *term = &fields.terms[i];
        if (field_is_date(&o->datasets[term->dataset].fields[term->index]))
            fields.terms[n++] = *term;
    }
    fields.n = n;
    struct window window;
    struct str problem;
    size_t after = reader->at + what.n_words;
    /* "Customers hired in 2003": it is their agents who were hired. */
    if (participle_at(reader, reader->at) && what.n_words == 1 &&
        !of_near(reader, &fields))
        reader_object(reader,
                      "“%.*s” is a date of other things than those named",
                      STR_ARG(what.words));
    static const char verbs[] = "is was are were";
    after += what.n && reader_in(reader, after, verbs);
    if (!n || choice_has(&what, TERM_METRIC) || choice_has(&what, TERM_DATASET))
        return false;
    size_t taken = window_read(reader->arena, &reader->words, after, NULL,
                               &window, &problem);
    if (!taken && what.n_words == 1 && grain_follows(reader, after)) {
        reader->question->window_field = fields; /* "joined each year" */
        reader->at = after;
        return true;
    }
    if (!taken)
        return false;
    window.words = reader_span(reader, reader->at, after + taken);
    period_set(reader, window);
    reader->question->window_field = fields;
    reader->at = after + taken;
    return true;
}

/* Participles and the names of the dates that they are about. */
static const struct {
    const char *phrases, *dates;
} participles[] = {
    {"born", "birth date|date of birth|birthday|born on"},
    {"signed up|registered|joined|enrolled",
     "registration date|sign up date|joining date|join date|joined on|"
     "registered on|enrollment date"},
    {"hired|employed", "hire date|hiring date|hired on|date of hire"},
    {"opened", "opening date|opened on|open date"},
    {"founded|established", "founding date|founded on|foundation date"},
    {"launched|released", "launch date|release date|launched on|released on"},
};

/* The date of the things named last that has one of the names; n is 0 when there is
 * none. */
static struct choice date_called(const struct question_reader *reader,
                                 const char *names)
{
    const struct ontology *o = reader->lexicon->ontology;
    struct str rest = str_of(names), name;
    while (str_split(&rest, '|', &name)) {
        struct choice found =
            vocabulary_find(&reader->lexicon->vocabulary, name);
        struct choice fields = choice_of(reader->arena, found, TERM_FIELD);
        for (size_t i = 0; i < fields.n; i++) {
            struct term *term = &fields.terms[i];
            if (term->dataset == reader->near &&
                field_is_date(&o->datasets[term->dataset].fields[term->index]))
                return (struct choice){term, 1, name, 1};
        }
    }
    return (struct choice){.n = 0};
}

bool participle_read(struct question_reader *reader)
{
    struct choice date = {.n = 0};
    size_t n = 0;
    for (size_t i = 0; i < sizeof participles / sizeof *participles && !n;
         i++) {
        n = reader_phrase(reader, reader->at, participles[i].phrases);
        if (n)
            date = date_called(reader, participles[i].dates);
    }
    if (!n || !date.n)
        return false;
    struct window window;
    struct str problem;
    size_t after = reader->at + n;
    size_t taken = window_read(reader->arena, &reader->words, after, NULL,
                               &window, &problem);
    if (!taken || problem.len)
        return false;
    struct asked_filter *filter = filter_new(reader, FILTER_TIME, false);
    filter->what = date;
    filter->window = window;
    filter->words = reader_span(reader, reader->at, after + taken);
    reader->at = after + taken;
    return true;
}
