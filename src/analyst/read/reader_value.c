/* reader_value.c - values: what a filter compares with, and the words that
 * no other reader understood and that may be values. */
#include "code.h"
#include "field.h"
#include "person.h"
#include "reader.h"
#include "base/banned.h"

struct asked_filter *filter_new(struct question_reader *reader,
                                enum filter_kind kind, bool negated)
{
    struct question *q = reader->question;
    bool room = q->n_filters < QUESTION_FILTERS;
    struct asked_filter *filter =
        room ? &q->filters[q->n_filters++]
             : arena_new(reader->arena, struct asked_filter);
    if (!room)
        reader_object(reader, "too many filters at once");
    *filter = (struct asked_filter){
        .kind = kind, .negated = negated, .near = SIZE_MAX};
    reader->filtered = true;
    return filter;
}

const struct field *first_field(const struct question_reader *reader,
                                const struct choice *what)
{
    for (size_t i = 0; i < what->n; i++)
        if (what->terms[i].kind == TERM_FIELD)
            return &reader->lexicon->ontology->datasets[what->terms[i].dataset]
                        .fields[what->terms[i].index];
    return NULL;
}

struct choice noun_after(const struct question_reader *reader, size_t at)
{
    if (reader_verb(reader, at))
        return (struct choice){.n = 0};
    return reader_match(reader, at);
}

/* A mark within a name: AC/DC, R&B. */
static bool is_glued(const struct question_reader *reader, size_t at)
{
    static const char marks[] = "/ & . + '";
    const struct question_word *word = reader_word(reader, at);
    const struct question_word *next = reader_word(reader, at + 1);
    return word->kind == WORD_MARK && word_in(word, marks) && at &&
           at + 1 < reader->words.n && next->kind != WORD_MARK &&
           reader_word(reader, at - 1)->to == word->from &&
           next->from == word->to;
}

/* A first name and a last name of the same persons. */
static bool is_full_name(const struct question_reader *reader,
                         const struct sample_list *firsts,
                         const struct sample_list *lasts)
{
    const struct ontology *o = reader->lexicon->ontology;
    size_t first, last;
    for (size_t i = 0; i < firsts->n; i++) {
        const struct sample *s = &firsts->items[i];
        if (name_fields(&o->datasets[s->dataset], &first, &last) &&
            s->field == first && sample_of(lasts, s->dataset, last))
            return true;
    }
    return false;
}

/* The known value is only the beginning of a longer name: "Houston
 * Galleria". A second known value is separate. */
static bool is_longer_name(const struct question_reader *reader, size_t after,
                           const struct sample_list *known)
{
    size_t n;
    if (!reader_word(reader, after)->capital ||
        !reader_unknown(reader, after) ||
        reader_word(reader, after - 1)->owner ||
        !reader_word(reader, after - 1)->capital)
        return false;
    const struct sample_list *next = samples_match(
        &reader->lexicon->samples, &reader->words, after, reader->words.n, &n);
    return !next || is_full_name(reader, known, next);
}

size_t value_length(const struct question_reader *reader, size_t at,
                    bool *loose)
{
    size_t sampled = 0, n = 0;
    *loose = false;
    if (reader_word(reader, at)->kind == WORD_QUOTED)
        return 1;
    const struct sample_list *samples =
        samples_match(&reader->lexicon->samples, &reader->words, at,
                      reader->words.n, &sampled);
    struct choice match = reader_match(reader, at);
    if (samples && sampled >= match.n_words &&
        !is_longer_name(reader, at + sampled, samples))
        return sampled;
    static const char inner[] = "of the de la &";
    *loose = true;
    while (at + n < reader->words.n) {
        const struct question_word *word = reader_word(reader, at + n);
        bool letter = word->kind == WORD_PLAIN && word->lower.len == 1;
        bool digits = n && (word->kind == WORD_NUMBER || letter);
        bool bridge = n && word_in(word, inner) &&
                      reader_word(reader, at + n + 1)->capital &&
                      reader_word(reader, at + n - 1)->capital &&
                      reader_unknown(reader, at + n + 1);
        digits = digits && !reader_window(reader, at + n);
        if (!reader_unknown(reader, at + n) && !digits && !bridge &&
            !(n && is_glued(reader, at + n)))
            break;
        if (word->kind == WORD_QUOTED || deed_named(reader, at + n))
            break;
        *loose = *loose && !word->capital;
        n++;
        if (word->owner)
            break;
    }
    return n;
}

void value_add(struct question_reader *reader, struct asked_filter *filter,
               size_t at, size_t n)
{
    if (filter->n_values == FILTER_VALUES) {
        reader_object(reader, "too many values in one filter");
        return;
    }
    struct str text = reader_span(reader, at, at + n);
    const struct question_word *last = reader_word(reader, at + n - 1);
    if (last->owner && at + n < reader->words.n)
        text.len -= last->text.len - last->lower.len;
    const struct question_word *word = reader_word(reader, at);
    filter->values[filter->n_values++] = (struct filter_value){
        .text = word->kind == WORD_NUMBER ? word->number : text,
        .number = word->kind == WORD_NUMBER && n == 1,
        .samples = samples_find(&reader->lexicon->samples, text)};
}

size_t values_at(struct question_reader *reader, size_t at, bool numbers,
                 struct asked_filter *filter)
{
    static const char joints[] = "and or , & vs versus nor";
    size_t start = at, skip = 0;
    bool either = false;
    for (;;) {
        bool loose;
        size_t n = value_length(reader, at + skip, &loose);
        if (!n && numbers &&
            reader_word(reader, at + skip)->kind == WORD_NUMBER)
            n = 1;
        /* After "and" or a comma, only what looks like a value. */
        if (!n || (skip && loose && !filter->negated && !numbers))
            break;
        value_add(reader, filter, at + skip, n);
        at += skip + n;
        skip = 0;
        while (skip < 2 && reader_in(reader, at + skip, joints)) {
            filter->each |= reader_in(reader, at + skip, "and &");
            either |= reader_in(reader, at + skip, "or nor");
            if (reader_is(reader, at + skip, "vs") ||
                reader_is(reader, at + skip, "versus"))
                reader->compare = true;
            skip++;
        }
        if (!skip)
            break;
    }
    filter->each = filter->each && !either && filter->n_values > 1;
    return at - start;
}

bool both_read(struct question_reader *reader)
{
    static const char leads[] =
        "with both|have both|has both|had both|having both|placed both|made both";
    struct asked_filter pair[2];
    size_t from = reader->at, at = from, n = 0;
    at += reader_phrase(reader, at, leads);
    for (size_t i = 0; i < 2 && at > from; i++) {
        bool loose = true;
        n = value_length(reader, at, &loose);
        if (!n || loose || (i == 0 && !reader_is(reader, at + n, "and")))
            return false;
        pair[i] = (struct asked_filter){
            .kind = FILTER_SEARCH, .apart = true, .near = SIZE_MAX};
        value_add(reader, &pair[i], at, n);
        at += n + (i == 0);
    }
    struct choice things = noun_after(reader, at);
    if (at == from || !choice_has(&things, TERM_DATASET))
        return false;
    reader_mention(reader, things);
    at += things.n_words;
    for (size_t i = 0; i < 2; i++) {
        struct asked_filter *kept = filter_new(reader, FILTER_SEARCH, false);
        *kept = pair[i];
        kept->near = reader->near;
        kept->words = reader_span(reader, from, at);
    }
    reader->at = at;
    return true;
}

bool flag_is_value(const struct question_reader *reader, size_t at,
                   const struct choice *what)
{
    const struct field *field = first_field(reader, what);
    struct choice next = reader_match(reader, at + what->n_words);
    struct choice rows = choice_of(reader->arena, next, TERM_DATASET);
    size_t things = rows.n ? rows.terms[0].dataset : reader->near, n = 0;
    if (!field || !field_is_flag(field))
        return false;
    for (size_t i = 0; i < what->n; i++)
        if (what->terms[i].dataset == things)
            return false;
    const struct sample_list *samples = samples_match(
        &reader->lexicon->samples, &reader->words, at, reader->words.n, &n);
    for (size_t i = 0; samples && i < samples->n; i++)
        if (samples->items[i].dataset == things)
            return true;
    return false;
}

bool is_flag_alone(const struct field *field, const struct asked_filter *filter)
{
    struct flag flag;
    if (!field_flag(field, &flag))
        return false;
    for (size_t i = 0; i < filter->n_values && flag.yes.len; i++)
        if (str_eq_nocase(filter->values[i].text, flag.yes) ||
            str_eq_nocase(filter->values[i].text, flag.no))
            return false;
    return true;
}

bool is_sign_of(const struct question_reader *reader, size_t at,
                const struct field *field)
{
    const struct question_word *word = reader_word(reader, at);
    return word->kind == WORD_MARK && word->text.len &&
           field_has_code(field, word->text);
}

/* ---- gaps --------------------------------------------------------------- */

/* Words of analyses that the analyst does not do; they are never values. */
static bool is_method(const struct question_word *word)
{
    static const char words[] =
        "forecast predict predicted prediction projected expected estimated "
        "weighted cumulative running rolling moving growth correlation "
        "correlate explain why adjusted target regression cluster "
        "segmentation anomaly anomalies outlier outliers seasonal yoy mom "
        "change changed increase decrease difference versus standard "
        "deviation variance histogram percentile cohort retention churn never "
        "no none without not except excluding per each first last new recent "
        "latest popular expensive cheap cheapest most least more less than "
        "over under above below between only max min net gross rank ratio "
        "rate improve reduce write delete update insert old big small large "
        "long short good bad high low typical main key major similar same "
        "best worst next previous repeat returning selling sold lost drop "
        "create send remove";
    bool superlative = !word->capital && word->lower.len > 5 &&
                       str_ends(word->lower, STR("est"));
    return superlative || word_in(word, words);
}

/* What somebody does is no value either; "paid orders" have a status that the model
 * names. */
static bool is_deed(const struct question_word *word)
{
    static const char deeds[] =
        "get gets got pay pays paid give gives gave given receive receives "
        "received make makes made take takes took taken spend spends spent bring "
        "brings brought keep keeps kept hold holds held come comes came go goes "
        "went gone work works worked use uses used need needs needed file";
    return !word->capital && word->kind == WORD_PLAIN && word_in(word, deeds);
}

static void unknown_add(struct question_reader *reader, const struct gap *gap)
{
    static const char leads[] = "by per each every";
    struct question *q = reader->question;
    size_t from = gap->from;
    while (from + 1 < gap->to && reader_in(reader, from, leads))
        from++;
    if (q->n_unknown < sizeof q->unknown / sizeof *q->unknown)
        q->unknown[q->n_unknown++] = reader_span(reader, from, gap->to);
}

/* "Did Nora Quinn | treat": the word after the name, which is a verb; the end of the
 * gap: there is none. */
static size_t verb_in(const struct question_reader *reader,
                      const struct gap *gap)
{
    static const char asks[] = "did does do";
    size_t at = gap->from;
    if (!at || !reader_in(reader, at - 1, asks))
        return gap->to;
    while (at < gap->to && reader_word(reader, at)->capital)
        at++;
    return at > gap->from ? at : gap->to;
}

static void gap_settle(struct question_reader *reader, const struct gap *gap)
{
    size_t deed = verb_in(reader, gap);
    if (deed < gap->to) {
        unknown_add(reader, &(struct gap){deed, gap->to});
        return;
    }
    struct choice next = noun_after(reader, gap->to);
    bool capital = false, odd = false;
    for (size_t i = gap->from; i < gap->to; i++) {
        const struct question_word *word = reader_word(reader, i);
        capital |= (word->capital && i) || word->kind == WORD_QUOTED;
        odd |= is_method(word) || is_deed(word) ||
               (word->kind != WORD_PLAIN && word->kind != WORD_QUOTED);
    }
    bool first = !gap->from && reader_word(reader, 0)->capital && next.n;
    /* Between two nouns is a verb: "products contain orders". */
    bool verb = gap->from && reader_match(reader, gap->from - 1).n;
    bool noun =
        choice_has(&next, TERM_DATASET) && !verb && gap->to - gap->from <= 2;
    if (odd || !(capital || first || noun)) {
        unknown_add(reader, gap);
        return;
    }
    struct asked_filter *filter = filter_new(reader, FILTER_SEARCH, false);
    struct choice fields = choice_of(reader->arena, next, TERM_FIELD);
    filter->words = reader_span(reader, gap->from, gap->to);
    value_add(reader, filter, gap->from, gap->to - gap->from);
    if (choice_has(&next, TERM_DATASET))
        filter->near =
            choice_of(reader->arena, next, TERM_DATASET).terms[0].dataset;
    else if (fields.n && !choice_has(&next, TERM_METRIC) &&
             field_is_named(first_field(reader, &fields))) {
        filter->kind = FILTER_FIELD;
        filter->what = fields;
    }
}

void gaps_settle(struct question_reader *reader)
{
    for (size_t i = 0; i < reader->n_gaps; i++)
        gap_settle(reader, &reader->gaps[i]);
}
