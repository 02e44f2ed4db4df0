/* reader_time.c - the period of a question, "in 2025", and the date that it
 * is about, "joined in 2025". */
#include "field.h"
#include "reader.h"
#include "base/banned.h"

static void period_set(struct question_reader *reader, struct window window)
{
    struct question *q = reader->question;
    bool days = window.weekdays && !window.n && !window.relative;
    bool before = q->window.weekdays && !q->window.n && !q->window.relative;
    if (!window_is_set(&q->window) || (before && !days)) {
        window.weekdays |= q->window.weekdays;
        q->window = window;
    } else if (days && !q->window.weekdays) {
        q->window.weekdays = window.weekdays;
    } else
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

/* "Quotes from October" are those of October; "revenue from October" may go on, as
 * "from October on" does. Returns how many words; 0, and `window` stays, if it is
 * none of these. */
static size_t origin_at(struct question_reader *reader, size_t at,
                        const struct window *before, struct window *window)
{
    static const char ends[] = "on onward onwards to until till through and -";
    struct str problem;
    struct choice noun =
        at ? reader_match(reader, at - 1) : (struct choice){.n = 0};
    if (!reader_is(reader, at, "from") || !choice_has(&noun, TERM_DATASET) ||
        choice_has(&noun, TERM_METRIC))
        return 0;
    struct window own;
    size_t n = window_read(reader->arena, &reader->words, at + 1, before, &own,
                           &problem);
    if (!n || problem.len || reader_in(reader, at + 1 + n, ends))
        return 0;
    *window = own;
    return n + 1;
}

/* A field says which day of the week it is, or whether it is a weekend. */
static bool names_days(const struct question_reader *reader, size_t n)
{
    size_t words;
    for (size_t at = reader->at; at < reader->at + n; at++)
        if (!reader_in(reader, at, "the a") &&
            (reader_match(reader, at).n ||
             samples_match(&reader->lexicon->samples, &reader->words, at,
                           reader->words.n, &words)))
            return true;
    return false;
}

bool period_read(struct question_reader *reader)
{
    struct window window;
    struct str problem;
    const struct window *before =
        reader->before ? &reader->before->window : NULL;
    size_t n = window_read(reader->arena, &reader->words, reader->at, before,
                           &window, &problem);
    size_t origin =
        problem.len ? 0 : origin_at(reader, reader->at, before, &window);
    n = origin ? origin : n;
    if (problem.len) {
        if (!reader->question->problem.len)
            reader->question->year_of = window.yearless;
        reader_object(reader, "%.*s", STR_ARG(problem));
        reader->at++;
        return true;
    }
    if (!n || reader_match(reader, reader->at).n_words > n ||
        (window.weekdays && names_days(reader, n)))
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
        "established launched released left";
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

struct choice dates_of(const struct question_reader *reader, struct choice what)
{
    const struct ontology *o = reader->lexicon->ontology;
    struct choice dates = choice_of(reader->arena, what, TERM_FIELD);
    size_t n = 0;
    for (size_t i = 0; i < dates.n; i++) {
        const struct term *term = &dates.terms[i];
        if (field_is_date(&o->datasets[term->dataset].fields[term->index]))
            dates.terms[n++] = *term;
    }
    dates.n = n;
    return dates;
}

/* The name says when the deed was done and nothing else: start_date of "started", but
 * not planned_start_date. */
static bool says_deed(const struct question_reader *reader, struct str name,
                      struct str deed)
{
    static const char rest[] = "date day year time timestamp on at in of";
    struct str parts[6];
    size_t n = full_words(reader->arena, name, parts, 6), said = 0;
    for (size_t i = 0; i < n; i++) {
        struct str part = word_stem(reader->arena, parts[i]);
        bool same = str_eq(parts[i], deed) ||
                    (str_starts(deed, part) && part.len + 2 >= deed.len &&
                     str_ends(deed, STR("ed")));
        if (!same && !list_has(rest, parts[i]))
            return false;
        said += same;
    }
    return said == 1;
}

/* The only field of the things named last, of that kind, that says when the deed of
 * the word was done; n is 0 when there is none, or when the word names a thing. */
static struct choice when_done(const struct question_reader *reader,
                               bool (*kind)(const struct field *))
{
    const struct question_word *word = reader_word(reader, reader->at);
    struct choice what = reader_match(reader, reader->at);
    struct choice found = {.n = 0};
    if (reader->near == SIZE_MAX || choice_has(&what, TERM_DATASET) ||
        choice_has(&what, TERM_METRIC))
        return found;
    const struct dataset *d =
        &reader->lexicon->ontology->datasets[reader->near];
    for (size_t i = 0; i < d->n_fields; i++) {
        if (!kind(&d->fields[i]) ||
            !says_deed(reader, d->fields[i].name, word->lower))
            continue;
        if (found.n)
            return (struct choice){.n = 0};
        struct term term = {TERM_FIELD, WEIGHT_NAME, reader->near, i};
        found = choice_one(reader->arena, term, word->lower, 1);
    }
    return found;
}

/* A date field with its period: "joined in 2025", "order date after …". */
bool dated_read(struct question_reader *reader)
{
    struct choice what = reader_match(reader, reader->at);
    struct choice fields = dates_of(reader, what);
    struct window window;
    struct str problem;
    size_t after = reader->at + what.n_words;
    /* Projects have a date that is called started, but campaigns a start date. */
    if (!of_near(reader, &fields) && when_done(reader, field_is_date).n)
        return false;
    /* "Customers hired in 2003": it is their agents who were hired. */
    if (participle_at(reader, reader->at) && what.n_words == 1 &&
        !of_near(reader, &fields))
        reader_object(reader,
                      "“%.*s” is a date of other things than those named",
                      STR_ARG(what.words));
    static const char verbs[] = "is was are were us";
    after += what.n && reader_in(reader, after, verbs);
    if (!fields.n || choice_has(&what, TERM_METRIC) ||
        choice_has(&what, TERM_DATASET))
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

/* What happened in the window, said by the words from reader->at to before `to`. */
static void deed_filter(struct question_reader *reader, struct choice when,
                        struct window window, size_t to)
{
    struct asked_filter *filter = filter_new(reader, FILTER_TIME, false);
    filter->what = when;
    filter->window = window;
    filter->words = reader_span(reader, reader->at, to);
    reader->at = to;
}

/* "Museums opened before 1950", "where the open year is after 1950". */
bool year_read(struct question_reader *reader)
{
    static const char verbs[] = "is was";
    static const char leads[] = "before after since until between from in";
    struct choice what = reader_match(reader, reader->at);
    struct choice fields = choice_of(reader->arena, what, TERM_FIELD);
    const struct field *field = first_field(reader, &what);
    struct window window;
    struct str problem;
    bool named = field && field_is_year(field) && fields.n == what.n;
    if (!named)
        fields = when_done(reader, field_is_year);
    size_t at = reader->at + (named ? what.n_words : 1);
    at += named && reader_in(reader, at, verbs);
    size_t n = fields.n && reader_in(reader, at, leads)
                   ? window_read(reader->arena, &reader->words, at, NULL,
                                 &window, &problem)
                   : 0;
    if (!n || problem.len || (named && reader_is(reader, at, "in")))
        return false;
    deed_filter(reader, fields, window, at + n);
    return true;
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
    if (!date.n) {
        date = when_done(reader, field_is_date);
        n = date.n;
    }
    if (!n)
        return false;
    struct window window;
    struct str problem;
    size_t after = reader->at + n;
    size_t taken = window_read(reader->arena, &reader->words, after, NULL,
                               &window, &problem);
    if (!taken || problem.len)
        return false;
    deed_filter(reader, date, window, after + taken);
    return true;
}

/* ---- what has happened, or not yet ----------------------------------------- */

/* The words before a participle, "that have not been". Returns how many words. */
static size_t auxiliaries_at(const struct question_reader *reader, size_t at,
                             bool *negated)
{
    static const char words[] =
        "that which who have has had were was are is been already ever we us "
        "they you";
    static const char denials[] = "not never";
    size_t n = 0, denied = 0;
    for (;; n++) {
        bool denies = reader_in(reader, at + n, denials) ||
                      reader_phrase(reader, at + n, "yet to be");
        if (!denies && !reader_in(reader, at + n, words))
            break;
        denied += denies;
        n += reader_phrase(reader, at + n, "yet to be") ? 2 : 0;
    }
    *negated = denied > 0;
    return denied > 1 ? SIZE_MAX : n;
}

struct choice date_of_deed(const struct question_reader *reader, size_t dataset,
                           size_t at)
{
    struct choice what = reader_match(reader, at), own = {.n = 0};
    struct choice dates = dates_of(reader, what);
    if (what.n_words != 1 || choice_has(&what, TERM_METRIC) ||
        choice_has(&what, TERM_DATASET) ||
        !is_participle(reader_word(reader, at)->lower))
        return own;
    for (size_t i = 0; i < dates.n; i++)
        if (dates.terms[i].dataset == dataset) {
            if (own.n)
                return (struct choice){.n = 0};
            own = (struct choice){&dates.terms[i], 1, what.words, 1};
        }
    return own;
}

/* The word is also a value of the things: "returned" of a status. */
static bool is_own_value(const struct question_reader *reader, size_t at)
{
    size_t n = 0;
    const struct sample_list *samples = samples_match(
        &reader->lexicon->samples, &reader->words, at, at + 1, &n);
    for (size_t i = 0; samples && i < samples->n; i++)
        if (samples->items[i].dataset == reader->near)
            return true;
    return false;
}

bool done_read(struct question_reader *reader)
{
    static const char ends[] = "? . ! us yet already so";
    bool negated;
    size_t from = reader->at, n = auxiliaries_at(reader, from, &negated);
    if (n == SIZE_MAX || !from)
        return false;
    size_t at = from + n, after = at + 1;
    struct choice date = date_of_deed(reader, reader->near, at);
    after += reader_phrase(reader, after, "us so far|so far|us|yet|already");
    if (!date.n || is_own_value(reader, at) ||
        (after < reader->words.n && !reader_in(reader, after, ends)))
        return false;
    struct asked_filter *filter = filter_new(reader, FILTER_FIELD, !negated);
    filter->comparison = IS_MISSING;
    filter->what = date;
    filter->words = reader_span(reader, from, at + 1);
    question_note(reader->question,
                  arena_printf(reader->arena, "What does “%.*s” mean?",
                               STR_ARG(reader_span(reader, at, at + 1))),
                  arena_printf(reader->arena, "%.*s is %s.",
                               STR_ARG(field_path(
                                   reader->arena, reader->lexicon->ontology,
                                   date.terms[0].dataset, date.terms[0].index)),
                               negated ? "empty" : "set"));
    reader->at = after;
    return true;
}

/* The only date of the dataset that the word names alone; n is 0 when there is none,
 * or when something else of it is called so, too. */
static struct choice date_named(const struct question_reader *reader,
                                size_t dataset, struct str word)
{
    struct choice what = vocabulary_find(&reader->lexicon->vocabulary, word);
    struct choice own = {.words = word, .n_words = 1};
    const struct dataset *d = &reader->lexicon->ontology->datasets[dataset];
    for (size_t i = 0; i < what.n; i++) {
        if (what.terms[i].kind != TERM_FIELD)
            return (struct choice){.n = 0};
        if (what.terms[i].dataset != dataset)
            continue;
        if (own.n || !field_is_date(&d->fields[what.terms[i].index]))
            return (struct choice){.n = 0};
        own.terms = &what.terms[i];
        own.n = 1;
    }
    return own;
}

bool undone_read(struct question_reader *reader)
{
    struct str word = reader_word(reader, reader->at)->lower;
    struct str deed = str_from(word, 2);
    struct choice things = choice_of(
        reader->arena, reader_match(reader, reader->at + 1), TERM_DATASET);
    if (!str_starts(word, STR("un")) || !is_participle(deed) || things.n != 1 ||
        reader_match(reader, reader->at).n)
        return false;
    size_t dataset = things.terms[0].dataset, n = 0;
    const struct sample_list *samples =
        samples_match(&reader->lexicon->samples, &reader->words, reader->at,
                      reader->at + 1, &n);
    struct choice date = date_named(reader, dataset, deed);
    if (!date.n || samples)
        return false;
    struct asked_filter *filter = filter_new(reader, FILTER_FIELD, false);
    filter->comparison = IS_MISSING;
    filter->what = date;
    filter->words = reader_span(reader, reader->at, reader->at + 1);
    question_note(
        reader->question,
        arena_printf(reader->arena, "What does “%.*s” mean?", STR_ARG(word)),
        arena_printf(
            reader->arena, "%.*s is empty.",
            STR_ARG(field_path(reader->arena, reader->lexicon->ontology,
                               dataset, date.terms[0].index))));
    reader->at++;
    return true;
}
