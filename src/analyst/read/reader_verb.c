/* reader_verb.c - verbs, which are read and not skipped: a verb that says nothing
 * beyond its noun (verbs.def); what things have, "with a coupon", "have no
 * orders", "placed an order"; and a verb for its noun, "never ordered", "how much
 * did we sell". */
#include "code.h"
#include "field.h"
#include "reader.h"
#include "sql/expression.h"
#include "base/banned.h"

enum { CLAUSE_WORDS = 8 };

static const struct verb {
    const char *forms, *nouns;
    bool yields; /* its noun is a figure */
} verbs[] = {
#define VERB(forms, nouns) {forms, nouns, false},
#define YIELD(forms, nouns) {forms, nouns, true},
#include "verbs.def"
#undef VERB
#undef YIELD
};

static const char auxiliaries[] =
    "is are was were be been being has have had did do does that which who "
    "we i they us ever";

/* The verb at the word; NULL: it is none of the list. */
static const struct verb *verb_at(const struct question_reader *reader,
                                  size_t at)
{
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (reader_in(reader, at, verbs[i].forms))
            return &verbs[i];
    return NULL;
}

const char *verb_nouns(const struct question_reader *reader, size_t at)
{
    const struct verb *verb = verb_at(reader, at);
    return verb ? verb->nouns : NULL;
}

static bool is_noun_of(const struct question_reader *reader, size_t at,
                       const char *nouns)
{
    const struct question_word *word = reader_word(reader, at);
    if (word->kind != WORD_PLAIN || !reader_match(reader, at).n)
        return false;
    return *nouns == '*' || list_has(nouns, word->stem);
}

/* The noun right before the verb, or before its auxiliaries: "orders that were
 * placed", "orders did each store place". */
static bool noun_before(const struct question_reader *reader, size_t at,
                        const char *nouns)
{
    static const char asks[] = "did do does have has had were was are is";
    size_t first = at > CLAUSE_WORDS ? at - CLAUSE_WORDS : 0, left = at;
    while (left > first && reader_in(reader, left - 1, auxiliaries))
        left--;
    if (left && is_noun_of(reader, left - 1, nouns))
        return true;
    for (size_t i = at; i > first + 1; i--)
        if (reader_in(reader, i - 1, asks))
            return is_noun_of(reader, i - 2, nouns);
    return false;
}

static size_t skip_articles(const struct question_reader *reader, size_t at)
{
    static const char words[] =
        "us the a an any their our some most least fewest highest lowest";
    enum filter_comparison comparison;
    size_t n = comparison_at(reader, at, &comparison);
    if (n && word_count(reader_word(reader, at + n)))
        return at + n + 1;
    while (reader_in(reader, at, words))
        at++;
    return at;
}

/* "The most revenue" ranks; "products that generate revenue" are some of them. */
static bool noun_after_verb(const struct question_reader *reader, size_t at,
                            const struct verb *verb)
{
    static const char ranks[] = "most least fewest highest lowest";
    size_t noun = skip_articles(reader, at + 1);
    return is_noun_of(reader, noun, verb->nouns) &&
           (!verb->yields || reader_in(reader, noun - 1, ranks));
}

/* "Appointments that took place": a verb of several words. */
static bool event_read(struct question_reader *reader)
{
    size_t n = reader_phrase(reader, reader->at,
                             "took place|take place|takes place|taken place");
    if (!n || !noun_before(reader, reader->at, "*"))
        return false;
    reader->at += n;
    return true;
}

/* "Amount donated": the figure before is one of donations. */
static bool figure_before(const struct question_reader *reader, size_t at,
                          const char *nouns)
{
    const struct ontology *o = reader->lexicon->ontology;
    struct choice what = {.n = 0};
    if (at)
        what = reader_match(reader, at - 1);
    for (size_t i = 0; i < what.n; i++) {
        const struct term *term = &what.terms[i];
        const struct dataset *d = &o->datasets[term->dataset];
        if (term->kind != TERM_FIELD ||
            !field_is_number(&d->fields[term->index]) ||
            !list_has(nouns, singular(reader->arena, d->name)))
            return false;
    }
    return what.n && reader->question->n_measures;
}

bool verb_read(struct question_reader *reader)
{
    size_t at = reader->at;
    if (event_read(reader))
        return true;
    const struct verb *verb = verb_at(reader, at);
    if (reader->superlative) /* "the highest paid employee" */
        return false;
    if (verb && figure_before(reader, at, verb->nouns)) {
        reader->passive = at + 1;
        reader->at++;
        return true;
    }
    if (!verb || (reader_match(reader, at).n && !reader_verb(reader, at)) ||
        (!noun_before(reader, at, verb->nouns) &&
         !noun_after_verb(reader, at, verb)))
        return false;
    reader->passive = at + 1;
    reader->at++;
    return true;
}

/* ---- what things have ------------------------------------------------------ */

/* The same without "do" before "not". */
static size_t holding_bare(const struct question_reader *reader, size_t at,
                           bool *negated)
{
    static const char holds[] = "have has had having with use uses used using";
    static const char lacks[] = "missing lacking lack lacks";
    size_t n = 0, quantity;
    const char *nouns = verb_nouns(reader, at);
    if (reader_in(reader, at, lacks)) {
        *negated = true;
        quantity = reader_phrase(reader, at + 1, "a|an|any|the");
        return quantity ? 1 + quantity : 0;
    }
    bool never = reader_in(reader, at, "never not");
    if (never) {
        n++;
        nouns = verb_nouns(reader, at + n);
    }
    *negated = never;
    if (reader_is(reader, at + n, "without") && never)
        return 0; /* a negation of a negation */
    if (reader_is(reader, at + n, "without"))
        *negated = true;
    else if (!reader_in(reader, at + n, holds) && !nouns)
        return 0;
    n++;
    if (reader_is(reader, at + n, "not") && !*negated) {
        *negated = true;
        n++;
        if (verb_nouns(reader, at + n)) /* "have not placed" */
            n++;
    } else if (reader_is(reader, at + n, "never")) {
        *negated = true;
        n++;
        if (verb_nouns(reader, at + n) || reader_in(reader, at + n, holds))
            n++;
    }
    quantity = reader_phrase(reader, at + n,
                             "at least one|one or more|a|an|any|some|the");
    bool none = reader_is(reader, at + n, "no");
    if (none && *negated)
        return 0;
    *negated = *negated || none;
    n += none ? 1 : quantity;
    n += none && reader_in(reader, at + n, "any");
    return *negated || quantity ? n : 0;
}

/* "have no", "do not have a", "without a", "placed at least one". Returns how many
 * words. */
static size_t holding_at(const struct question_reader *reader, size_t at,
                         bool *negated)
{
    static const char asks[] = "do does did";
    size_t skip =
        reader_in(reader, at, asks) && reader_is(reader, at + 1, "not");
    size_t n = holding_bare(reader, at + skip, negated);
    return n ? n + skip : 0;
}

static bool flag_held(struct question_reader *reader, struct choice fields,
                      bool negated, size_t from, size_t to)
{
    struct asked_filter *filter = filter_new(reader, FILTER_FIELD, negated);
    filter->comparison = IS_TRUE;
    filter->what = fields;
    filter->words = reader_span(reader, from, to);
    reader->at = to;
    return true;
}

/* "No phone on file", "no gender recorded". Returns how many words. */
static size_t kept_at(const struct question_reader *reader, size_t at)
{
    return reader_phrase(
        reader, at,
        "on file|on record|recorded|registered|stored|noted|specified|given|"
        "entered|listed");
}

static bool field_held(struct question_reader *reader, struct choice fields,
                       bool negated, size_t from, size_t to)
{
    /* A discount of 0 may be none; no height or id is 0, and a limit of 0 is one. */
    static const char never_zero[] =
        "height weight mass length width depth diameter radius thickness age "
        "year altitude elevation latitude longitude speed population area "
        "limit temperature threshold rating rank grade";
    const struct field *field = first_field(reader, &fields);
    const struct term *term = &fields.terms[0];
    bool refers =
        field_is_id(field) ||
        field_refers(reader->lexicon->ontology, term->dataset, term->index);
    if (field_is_number(field) && !refers &&
        !name_has(field->name, never_zero) &&
        !name_has(fields.words, never_zero))
        reader_object(
            reader,
            "“%.*s” is a number, and those with 0 may have none, too; "
            "say for example “%.*s over 0” or “unknown %.*s”",
            STR_ARG(fields.words), STR_ARG(fields.words),
            STR_ARG(fields.words));
    struct asked_filter *filter = filter_new(reader, FILTER_FIELD, !negated);
    size_t kept = kept_at(reader, to);
    to += kept;
    if (kept && reader_window(reader, to))
        reader_object(reader, "I do not see when “%.*s” was recorded",
                      STR_ARG(fields.words));
    filter->comparison = IS_MISSING;
    filter->what = fields;
    filter->words = reader_span(reader, from, to);
    reader->at = to;
    return true;
}

/* A condition on the noun, or words that the noun is only the beginning of. */
static bool is_qualified(const struct question_reader *reader, size_t at)
{
    enum filter_comparison comparison;
    static const char signs[] =
        "is are was were = == : between in of contains containing equals like "
        "that which who whose not from for before after";
    bool loose;
    return comparison_at(reader, at, &comparison) ||
           (value_length(reader, at, &loose) && !loose) ||
           (reader_in(reader, at, signs) && !reader_window(reader, at)) ||
           reader_word(reader, at)->kind == WORD_NUMBER ||
           reader_word(reader, at)->kind == WORD_QUOTED;
}

/* A verb among the words takes the noun; stockouts are not sold. */
static bool takes_noun(const struct question_reader *reader, size_t from,
                       size_t noun)
{
    for (size_t i = from; i < noun; i++) {
        const char *nouns = verb_nouns(reader, i);
        if (nouns && !is_noun_of(reader, noun, nouns))
            return false;
    }
    return true;
}

/* "With unknown height", "excluding unknown birth dates"; an unknown status may be a
 * status that is called so. */
static bool unknown_read(struct question_reader *reader)
{
    static const char leads[] =
        "with of having have has had that who which whose are is were was "
        "excluding except without ignoring not and but";
    static const char leaves[] = "excluding except without ignoring not";
    static const char articles[] = "a an the any their";
    static const char words[] = "unknown missing unspecified unrecorded";
    size_t from = reader->at, at = from, left_out = 0;
    for (; reader_in(reader, at, leads); at++)
        left_out += reader_in(reader, at, leaves);
    while (at > from && reader_in(reader, at, articles))
        at++;
    if (left_out > 1 || !reader_in(reader, at, words))
        return false;
    at++;
    while (reader_in(reader, at, articles))
        at++;
    struct choice what = reader_match(reader, at);
    const struct field *field = first_field(reader, &what);
    size_t to = at + what.n_words;
    bool sure = field && (field_is_number(field) || field_is_date(field));
    if (!sure || choice_has(&what, TERM_DATASET) ||
        choice_has(&what, TERM_METRIC) || field_is_flag(field) ||
        is_qualified(reader, to))
        return false;
    struct asked_filter *filter =
        filter_new(reader, FILTER_FIELD, left_out > 0);
    filter->comparison = IS_MISSING;
    filter->what = choice_of(reader->arena, what, TERM_FIELD);
    filter->words = reader_span(reader, from, to);
    reader->at = to;
    return true;
}

/* The words at `at` are the field's name without its last word, which says that it
 * refers to something: "mentor" of mentor_id. Returns how many words. */
static size_t reference_words(const struct question_reader *reader, size_t at,
                              const struct field *field)
{
    static const char keys[] = "id code key fk number";
    struct str parts[12];
    size_t n = full_words(reader->arena, field->name, parts, 12);
    if (n < 2 || !list_has(keys, parts[n - 1]))
        return 0;
    for (size_t i = 0; i + 1 < n; i++)
        if (!str_eq(reader_word(reader, at + i)->stem,
                    word_stem(reader->arena, parts[i])))
            return 0;
    return n - 1;
}

/* The only reference of the things named last that is called so; n is 0 when there
 * is none, or when the words name something themselves. */
static struct choice reference_at(const struct question_reader *reader,
                                  size_t at)
{
    const struct ontology *o = reader->lexicon->ontology;
    struct choice named = reader_match(reader, at), found = {.n = 0};
    bool other = choice_has(&named, TERM_FIELD) ||
                 choice_has(&named, TERM_DATASET) ||
                 choice_has(&named, TERM_METRIC);
    if (reader->near == SIZE_MAX)
        return found;
    const struct dataset *d = &o->datasets[reader->near];
    for (size_t i = 0; i < d->n_fields; i++) {
        size_t n = reference_words(reader, at, &d->fields[i]);
        if (!n || !field_refers(o, reader->near, i) ||
            (other && named.n_words >= n))
            continue;
        if (found.n)
            return (struct choice){.n = 0};
        struct term term = {TERM_FIELD, WEIGHT_NAME, reader->near, i};
        found =
            choice_one(reader->arena, term, reader_span(reader, at, at + n), n);
    }
    return found;
}

/* The only column of the things named last that refers to these rows, "referee" by
 * ref_id; n is 0 when there is none, or when the rows refer to the things, too. */
static struct choice reference_to(const struct question_reader *reader,
                                  size_t at)
{
    const struct ontology *o = reader->lexicon->ontology;
    struct choice named = reader_match(reader, at);
    struct choice rows = choice_of(reader->arena, named, TERM_DATASET);
    size_t near = reader->near, n = 0, field = SIZE_MAX;
    if (rows.n != 1 || near == SIZE_MAX || rows.terms[0].dataset == near)
        return (struct choice){.n = 0};
    for (size_t i = 0; i < o->n_relationships; i++) {
        const struct relationship *r = &o->relationships[i];
        size_t to = rows.terms[0].dataset;
        n += (r->from == near && r->to == to) ||
             (r->from == to && r->to == near);
        if (r->from == near && r->to == to && r->from_columns.n == 1)
            field =
                field_of_column(&o->datasets[near], r->from_columns.items[0]);
    }
    if (n != 1 || field == SIZE_MAX)
        return (struct choice){.n = 0};
    struct term term = {TERM_FIELD, WEIGHT_NAME, near, field};
    return choice_one(reader->arena, term, named.words, named.n_words);
}

/* "Without a mentor", where mentor_id refers to one. */
static bool reference_held(struct question_reader *reader, bool negated,
                           size_t from, size_t at)
{
    struct choice what = reference_at(reader, at);
    if (!what.n && !word_is_plural(reader_word(reader, at)))
        what = reference_to(reader, at);
    size_t to = at + what.n_words;
    if (!what.n || is_qualified(reader, to) || reader_window(reader, to))
        return false;
    struct asked_filter *filter = filter_new(reader, FILTER_FIELD, !negated);
    filter->comparison = IS_MISSING;
    filter->what = what;
    filter->words = reader_span(reader, from, to);
    reader->at = to;
    return true;
}

/* "Have not resolved": the participle is no thing to have, and none of the dates that
 * it names is one of the things named last. */
static bool is_deed_of_others(const struct question_reader *reader, size_t at,
                              const struct choice *what)
{
    static const char ends[] = "? . ! yet so";
    struct choice dates = dates_of(reader, *what);
    if (!dates.n || what->n_words != 1 || choice_has(what, TERM_DATASET) ||
        (at + 1 < reader->words.n && !reader_in(reader, at + 1, ends)) ||
        !is_participle(reader_word(reader, at)->lower))
        return false;
    for (size_t i = 0; i < dates.n; i++)
        if (dates.terms[i].dataset == reader->near)
            return false;
    return true;
}

bool holding_read(struct question_reader *reader)
{
    bool negated;
    size_t from = reader->at, n = holding_at(reader, from, &negated);
    if (unknown_read(reader))
        return true;
    if (n && !takes_noun(reader, from, from + n))
        return false;
    if (n && reference_held(reader, negated, from, from + n))
        return true;
    struct choice what = reader_match(reader, from + n);
    size_t to = from + n + what.n_words;
    const struct field *field = first_field(reader, &what);
    struct choice fields = choice_of(reader->arena, what, TERM_FIELD);
    struct choice rows = choice_of(reader->arena, what, TERM_DATASET);
    if (n && is_deed_of_others(reader, from + n, &what))
        reader_object(reader,
                      "“%.*s” is a date of other things than those named",
                      STR_ARG(what.words));
    if (!n || !what.n || is_qualified(reader, to) ||
        (reader->near != SIZE_MAX && rows.n &&
         rows.terms[0].dataset == reader->near))
        return false;
    if (rows.n && reader->near != SIZE_MAX)
        return rows_held(reader, rows, negated, from, to, "");
    if (!field || choice_has(&what, TERM_METRIC) || rows.n)
        return false;
    return field_is_flag(field) ? flag_held(reader, fields, negated, from, to)
                                : field_held(reader, fields, negated, from, to);
}

/* ---- how much was sold ------------------------------------------------------ */

/* Another figure follows: "how much did we sell in units". */
static bool is_figure_ahead(const struct question_reader *reader)
{
    for (size_t i = reader->at + 1; i < reader->words.n; i++) {
        struct choice what = reader_match(reader, i);
        const struct field *field = first_field(reader, &what);
        if (choice_has(&what, TERM_METRIC) || (field && field_is_number(field)))
            return true;
    }
    return false;
}

bool sold_read(struct question_reader *reader)
{
    static const char forms[] = "sell sells sold";
    static const char asks[] = "did do does have has had";
    size_t at = reader->at, much = 0;
    while (much < at && !reader_is(reader, much, "much"))
        much++;
    struct choice metric =
        choice_of(reader->arena,
                  vocabulary_find(&reader->lexicon->vocabulary, STR("sales")),
                  TERM_METRIC);
    if (!reader_in(reader, at, forms) || !metric.n ||
        !reader_in(reader, much + 1, asks) || reader->question->n_measures ||
        reader->function || reader_match(reader, at + 1).n ||
        is_figure_ahead(reader))
        return false;
    metric.words = STR("sales");
    metric.n_words = 1;
    measure_add(reader, (struct asked_measure){.function = FUNCTION_NONE,
                                               .what = metric});
    question_note(reader->question,
                  arena_printf(reader->arena, "What does “%.*s” mean?",
                               STR_ARG(reader_span(reader, at, at + 1))),
                  STR("Sales are measured."));
    reader->at++;
    return true;
}
