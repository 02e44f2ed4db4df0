/* reader_filter.c - filters: "for Houston", "where channel is online", "with
 * price over 100", "excluding cancelled orders".
 *
 * A filter begins with a lead ("for", "where", "without"), which may be
 * missing before a field or a known value. After it comes a noun with its
 * condition, or a value whose field binding finds later. */
#include "code.h"
#include "field.h"
#include "reader.h"
#include "unit.h"
#include "base/banned.h"

struct filter_lead {
    size_t n;     /* how many words */
    bool negated; /* excluding, not … */
    bool twice;   /* "never without", which is refused */
    bool place;   /* in, at, from */
    bool with;    /* with, having: existence may be meant */
    bool by;      /* by, called: a name follows */
};

static const char negating[] =
    "excluding exclude excludes except without not ignoring non never "
    "neither";
static const char lead_words[] =
    "where with whose having who only restricted limited filtered "
    "for in from at on of to within inside via through";
static const char fillers[] =
    "the all is are was were that which been any their our those being a an "
    "just";

/* "by Iron Maiden": a name follows, not a dimension. */
static bool is_by_name(const struct question_reader *reader, size_t at)
{
    size_t sampled = 0;
    const struct question_word *word = reader_word(reader, at + 1);
    bool sample = samples_match(&reader->lexicon->samples, &reader->words,
                                at + 1, reader->words.n, &sampled);
    bool named = word->capital || word->kind == WORD_QUOTED || sample;
    static const char words[] = "by called named";
    return reader_in(reader, at, words) && named &&
           !reader_match(reader, at + 1).n && reader_unknown(reader, at + 1);
}

/* "who placed an order", "never had a stockout": existence is meant. */
static bool is_having(const struct question_reader *reader, size_t at)
{
    static const char holds[] = "have has had";
    static const char deeds[] = "placed made";
    static const char doers[] = "who that which have has had never not";
    return reader_in(reader, at, holds) ||
           (at && reader_in(reader, at, deeds) &&
            reader_in(reader, at - 1, doers));
}

/* "live in", "come from". */
static bool is_seat(const struct question_reader *reader, size_t at)
{
    static const char seats[] =
        "live lives living located based situated residing work works working";
    static const char origins[] = "come comes coming came originate";
    return (reader_in(reader, at, seats) && !reader_match(reader, at).n &&
            reader_in(reader, at + 1, "in at outside")) ||
           (reader_in(reader, at, origins) &&
            reader_is(reader, at + 1, "from"));
}

static struct filter_lead lead_at(const struct question_reader *reader,
                                  size_t at)
{
    struct filter_lead lead = {.n = 0};
    size_t joint = reader->filtered && (reader_is(reader, at, "and") ||
                                        reader_is(reader, at, "but"));
    bool other = reader_is(reader, at + joint, "other") &&
                 reader_is(reader, at + joint + 1, "than");
    lead.n = joint;
    if (other) {
        lead.negated = true;
        lead.n += 2;
    }
    for (;; lead.n++) {
        size_t here = at + lead.n;
        bool with = reader_is(reader, here, "with") ||
                    reader_is(reader, here, "having") ||
                    reader_is(reader, here, "without");
        enum filter_comparison comparison;
        if (comparison_at(reader, here, &comparison))
            break;
        if (reader_in(reader, here, negating) ||
            (lead.with && reader_is(reader, here, "no"))) {
            lead.twice |= lead.negated;
            lead.negated = true;
        } else if (reader_is(reader, here, "outside") && !lead.negated) {
            lead.negated = lead.place = true;
            lead.n += reader_is(reader, here + 1, "of");
        } else if (reader_in(reader, here, lead_words))
            lead.place |= reader_is(reader, here, "in") ||
                          reader_is(reader, here, "at") ||
                          reader_is(reader, here, "from") ||
                          reader_is(reader, here, "within");
        else if (is_seat(reader, here))
            lead.place = true;
        else if (is_by_name(reader, here))
            lead.by = true;
        else if (lead.n > joint && is_having(reader, here))
            with = true;
        else if (!(lead.n > joint && reader_in(reader, here, fillers)))
            break;
        lead.with |= with;
    }
    return lead.n > joint ? lead : (struct filter_lead){.n = 0};
}

/* The filter is complete: it has the words from `from` to before `to`. */
static void filter_done(struct question_reader *reader,
                        struct asked_filter *filter, size_t from, size_t to)
{
    filter->words = reader_span(reader, from, to);
    reader->at = to;
}

/* ---- a field and its condition ------------------------------------------ */

static size_t like_at(const struct question_reader *reader, size_t at,
                      enum filter_comparison *comparison)
{
    size_t n = reader_phrase(reader, at, "contains|containing|contain");
    size_t begins = reader_phrase(
        reader, at, "starts with|starting with|begins with|beginning with");
    size_t ends = reader_phrase(reader, at, "ends with|ending with");
    if (n || begins || ends)
        *comparison = n ? IS_LIKE : begins ? IS_BEGINS : IS_ENDS;
    return n + begins + ends;
}

static void number_filter(struct question_reader *reader,
                          const struct filter_lead *lead, struct choice fields,
                          const struct asked_having *amount, size_t from,
                          size_t to)
{
    struct asked_filter *filter =
        filter_new(reader, FILTER_FIELD, lead->negated);
    filter->what = fields;
    filter->comparison = amount->comparison;
    filter->values[filter->n_values++] =
        (struct filter_value){.text = amount->number, .number = true};
    if (amount->comparison == IS_BETWEEN)
        filter->values[filter->n_values++] =
            (struct filter_value){.text = amount->number2, .number = true};
    filter_done(reader, filter, from, to);
}

/* A metric or a number, then an amount: "revenue over 1000". */
static bool amount_read(struct question_reader *reader,
                        const struct filter_lead *lead, struct choice what,
                        size_t from, size_t at)
{
    struct question *q = reader->question;
    enum filter_comparison comparison;
    struct str number = {NULL, 0}, number2 = {NULL, 0};
    static const char is[] = "is are was were of";
    at += reader_in(reader, at, is);
    size_t n = amount_at(reader, at, &comparison, &number, &number2);
    const struct field *field = first_field(reader, &what);
    bool metric = choice_has(&what, TERM_METRIC);
    if (!n || (!metric && !(field && field_is_number(field))))
        return false;
    if (metric && q->n_havings < QUESTION_HAVINGS && !lead->negated) {
        struct asked_measure measure;
        measure_make(reader, FUNCTION_NONE, what, &measure);
        q->havings[q->n_havings++] =
            (struct asked_having){.measure = measure,
                                  .comparison = comparison,
                                  .number = number,
                                  .number2 = number2,
                                  .words = reader_span(reader, from, at + n)};
        reader->at = at + n;
        return true;
    }
    if (metric)
        return false;
    number_filter(reader, lead, choice_of(reader->arena, what, TERM_FIELD),
                  &(struct asked_having){.comparison = comparison,
                                         .number = number,
                                         .number2 = number2},
                  from, at + n);
    return true;
}

static bool time_read(struct question_reader *reader,
                      const struct filter_lead *lead, struct choice what,
                      size_t from, size_t at)
{
    struct window window;
    struct str problem;
    const struct field *field = first_field(reader, &what);
    bool negated;
    if (!reader_is(reader, at, "in"))
        at += equals_at(reader, at, &negated);
    if (!field || !field_is_date(field) || choice_has(&what, TERM_METRIC))
        return false;
    size_t n =
        window_read(reader->arena, &reader->words, at, NULL, &window, &problem);
    if (!n)
        return false;
    struct asked_filter *filter =
        filter_new(reader, FILTER_TIME, lead->negated);
    filter->what = choice_of(reader->arena, what, TERM_FIELD);
    filter->window = window;
    filter_done(reader, filter, from, at + n);
    return true;
}

/* The ontology names the value at the word, and of none of these fields. */
static bool is_of_other_field(const struct question_reader *reader, size_t at,
                              const struct choice *what)
{
    size_t n = 0;
    const struct sample_list *samples = samples_match(
        &reader->lexicon->samples, &reader->words, at, reader->words.n, &n);
    for (size_t i = 0; samples && i < samples->n; i++)
        for (size_t j = 0; j < what->n; j++)
            if (what->terms[j].kind == TERM_FIELD &&
                what->terms[j].dataset == samples->items[i].dataset &&
                what->terms[j].index == samples->items[i].field)
                return false;
    return samples != NULL;
}

static bool text_read(struct question_reader *reader,
                      const struct filter_lead *lead, struct choice what,
                      size_t from, size_t at)
{
    bool negated = false;
    enum filter_comparison comparison = IS;
    const struct field *field = first_field(reader, &what);
    size_t missing = missing_at(reader, at, field, &negated);
    size_t operator = missing ? missing : like_at(reader, at, &comparison);
    if (!field || choice_has(&what, TERM_METRIC))
        return false;
    if (!operator)
        operator = equals_at(reader, at, &negated);
    /* "customers in Canada" and "customers are in Canada" are not customers
     * of that name, and "products are out" is no product. */
    bool loose = false;
    value_length(reader, at + operator, &loose);
    if (choice_has(&what, TERM_DATASET) &&
        (!operator || loose || comparison == IS_LIKE ||
         reader_is(reader, at + operator - 1, "in")))
        return false;
    /* "Patients are female" are not patients of that name. */
    if (choice_has(&what, TERM_DATASET) && !missing &&
        is_of_other_field(reader, at + operator, &what))
        return false;
    /* "The highest rating in Chicago" is not a rating called Chicago. */
    if (operator == 1 && reader_is(reader, at, "in") &&
        (!lead->n || !field_is_text(field)))
        return false;
    struct asked_filter filter = {
        .kind = FILTER_FIELD,
        .near = SIZE_MAX,
        .negated = lead->negated != negated,
        .comparison = missing ? IS_MISSING : comparison,
        .what = choice_of(reader->arena, what, TERM_FIELD)};
    size_t n =
        missing ? 0 : values_at(reader, at + operator, operator > 0, &filter);
    if (!missing && !n && is_sign_of(reader, at + operator, field)) {
        value_add(reader, &filter, at + operator, 1);
        n = 1;
    }
    static const char yes[] = "true yes false no";
    if (!missing && is_flag_alone(field, &filter)) {
        bool said = operator && reader_in(reader, at + operator, yes);
        bool off = said && (reader_is(reader, at + operator, "false") ||
                            reader_is(reader, at + operator, "no"));
        if (!said && !lead->n)
            return false;
        filter.comparison = IS_TRUE;
        filter.n_values = 0;
        filter.negated = filter.negated != off;
        n = said;
        operator = said ? operator : 0;
    } else if (!missing && !n) {
        return false;
    }
    struct asked_filter *kept = filter_new(reader, FILTER_FIELD, false);
    *kept = filter;
    filter_done(reader, kept, from, at + operator + n);
    return true;
}

/* "Members cancelled in 2026": the word names a date that the period is of. */
static bool is_dated(const struct question_reader *reader, size_t at)
{
    struct choice what = reader_match(reader, at);
    const struct ontology *o = reader->lexicon->ontology;
    bool date = false;
    for (size_t i = 0; i < what.n; i++) {
        const struct term *t = &what.terms[i];
        date =
            date || (t->kind == TERM_FIELD &&
                     field_is_date(&o->datasets[t->dataset].fields[t->index]));
    }
    return date && reader_window(reader, at + what.n_words);
}

/* One row of a dataset: "store 5", "order #1001", "store Houston Galleria". */
static bool thing_read(struct question_reader *reader,
                       const struct filter_lead *lead, struct choice what,
                       size_t from, size_t at)
{
    struct choice datasets = choice_of(reader->arena, what, TERM_DATASET);
    size_t sign = reader_is(reader, at, "#") ? 1 : 0;
    bool number = reader_word(reader, at + sign)->kind == WORD_NUMBER;
    if (!datasets.n || reader_window(reader, at) || is_dated(reader, at) ||
        date_of_deed(reader, datasets.terms[0].dataset, at).n)
        return false;
    struct asked_filter filter = {.kind = FILTER_SEARCH,
                                  .negated = lead->negated,
                                  .named = lead->by,
                                  .near = datasets.terms[0].dataset};
    size_t n = 0;
    if (number) {
        filter.kind = FILTER_FIELD;
        filter.what = datasets;
        value_add(reader, &filter, at + sign, 1);
        n = sign + 1;
    } else {
        bool loose = false;
        if (!value_length(reader, at, &loose) || loose)
            return false;
        n = values_at(reader, at, false, &filter);
    }
    reader_mention(reader, datasets);
    struct asked_filter *kept = filter_new(reader, FILTER_FIELD, false);
    *kept = filter;
    filter_done(reader, kept, from, at + n);
    return true;
}

bool by_thing_read(struct question_reader *reader, struct choice things,
                   size_t at)
{
    const struct filter_lead by = {.n = 1, .by = true};
    size_t end = at + things.n_words;
    return reader_is(reader, reader->at, "by") &&
           reader_word(reader, end)->capital &&
           !word_is_plural(reader_word(reader, end - 1)) &&
           thing_read(reader, &by, things, reader->at, end);
}

/* A field that is set, or not: "orders with a coupon", "customers without
 * email". */
static bool presence_read(struct question_reader *reader,
                          const struct filter_lead *lead, struct choice what,
                          size_t from, size_t at)
{
    const struct field *field = first_field(reader, &what);
    if (!lead->with || !field || field_is_flag(field) ||
        choice_has(&what, TERM_METRIC) || choice_has(&what, TERM_DATASET))
        return false;
    struct asked_filter *filter =
        filter_new(reader, FILTER_FIELD, !lead->negated);
    filter->what = choice_of(reader->arena, what, TERM_FIELD);
    filter->comparison = IS_MISSING;
    filter_done(reader, filter, from, at);
    return true;
}

/* Rows of another dataset that exist, or not: "customers with orders",
 * "products without stockouts". */
static bool existence_read(struct question_reader *reader,
                           const struct filter_lead *lead, struct choice what,
                           size_t from, size_t at)
{
    struct choice datasets = choice_of(reader->arena, what, TERM_DATASET);
    return datasets.n && lead->with &&
           rows_held(reader, datasets, lead->negated, from, at, "");
}

/* "With average freight over 50": groups by a function of a field. */
static bool function_amount(struct question_reader *reader,
                            const struct filter_lead *lead, size_t from,
                            size_t at)
{
    struct question *q = reader->question;
    enum function function = FUNCTION_NONE;
    struct asked_having having = {.number = {NULL, 0}};
    size_t n = function_at(reader, at, &function);
    struct choice what = reader_match(reader, at + n);
    const struct field *field = first_field(reader, &what);
    size_t after = at + n + what.n_words;
    size_t amount = amount_at(reader, after, &having.comparison, &having.number,
                              &having.number2);
    if (!n || !amount || lead->negated || q->n_havings == QUESTION_HAVINGS ||
        reader_match(reader, at).n > 0 || !field || !field_is_number(field) ||
        function == FUNCTION_COUNT)
        return false;
    measure_make(reader, function, what, &having.measure);
    having.words = reader_span(reader, from, after + amount);
    q->havings[q->n_havings++] = having;
    reader->at = after + amount;
    return true;
}

/* "Titles with more than 500 pages": a number that each of the things has. */
static bool number_held(struct question_reader *reader,
                        const struct filter_lead *lead, struct choice what,
                        size_t from, size_t to,
                        const struct asked_having *amount)
{
    const struct field *field = first_field(reader, &what);
    struct choice fields = choice_of(reader->arena, what, TERM_FIELD);
    if (!field || !field_is_number(field) || has_unit(reader->arena, field) ||
        fields.n != what.n || fields.n != 1 ||
        fields.terms[0].dataset != reader->near)
        return false;
    number_filter(reader, lead, fields, amount, from, to);
    return true;
}

/* The amount comes before its noun: "with more than 5 orders", "with over
 * 1000 dollars of revenue". */
static bool amount_first(struct question_reader *reader,
                         const struct filter_lead *lead, size_t from, size_t at)
{
    struct question *q = reader->question;
    enum filter_comparison comparison;
    struct str number = {NULL, 0}, number2 = {NULL, 0};
    static const char joints[] = "of in worth different";
    size_t n = amount_at(reader, at, &comparison, &number, &number2);
    size_t noun = at + n;
    while (n && reader_in(reader, noun, joints))
        noun++;
    struct choice what = reader_match(reader, noun);
    bool metric = choice_has(&what, TERM_METRIC);
    if (n && number_held(reader, lead, what, from, noun + what.n_words,
                         &(struct asked_having){.comparison = comparison,
                                                .number = number,
                                                .number2 = number2}))
        return true;
    if (!n || lead->negated || q->n_havings == QUESTION_HAVINGS ||
        (!metric && !choice_has(&what, TERM_DATASET)))
        return false;
    struct asked_measure measure;
    measure_make(reader, metric ? FUNCTION_NONE : FUNCTION_COUNT, what,
                 &measure);
    q->havings[q->n_havings++] =
        (struct asked_having){measure,
                              comparison,
                              number,
                              number2,
                              reader_span(reader, from, noun + what.n_words),
                              choice_of(reader->arena, what, TERM_DATASET)};
    reader->at = noun + what.n_words;
    return true;
}

/* ---- a value without its field ------------------------------------------ */

/* "With us" does not mean the country US. */
static bool is_pronoun(const struct question_reader *reader, size_t at)
{
    const struct question_word *word = reader_word(reader, at);
    static const char pronouns[] = "us me it we you them";
    return word->kind == WORD_PLAIN && !word->capital &&
           word_in(word, pronouns);
}

/* "Riverside branch" is the one of that name, "Riverside branches" may be those
 * in a place. */
static bool is_one_of_name(const struct question_reader *reader, size_t at,
                           size_t end, const struct choice *next)
{
    return reader_word(reader, at)->capital &&
           !word_is_plural(reader_word(reader, end + next->n_words - 1));
}

/* "in Houston", "for the Gulf Coast region", "only online orders". */
static bool value_read(struct question_reader *reader,
                       const struct filter_lead *lead, size_t from, size_t at)
{
    struct asked_filter filter = {.kind = FILTER_SEARCH,
                                  .negated = lead->negated,
                                  .place = lead->place,
                                  .named = lead->by,
                                  .near = lead->by ? SIZE_MAX : reader->near};
    bool loose = false;
    size_t n = value_length(reader, at, &loose);
    /* To exclude something, it must surely be a value. */
    if (!n || (loose && lead->negated) ||
        (n == 1 && !lead->place && is_pronoun(reader, at)))
        return false;
    n = values_at(reader, at, false, &filter);
    size_t end = at + n;
    struct choice next = noun_after(reader, end);
    struct choice fields = choice_of(reader->arena, next, TERM_FIELD);
    bool operator, metric = choice_has(&next, TERM_METRIC);
    bool free = !equals_at(reader, end + next.n_words, &operator);
    if (choice_has(&next, TERM_DATASET) && free) {
        reader_mention(reader, next);
        filter.near = reader->near;
        if (is_one_of_name(reader, at, end, &next)) {
            filter.named = true;
            filter.place = false;
        }
        filter.each = filter.each && !lead->negated &&
                      !reader_in(reader, at - (at > 0), "in at within");
        end += next.n_words;
        /* "The most active customers" ranks by customers that are active. */
        if (reader->superlative &&
            (reader->question->subject.n || reader->subject_grain))
            superlative_applied(reader, next);
    } else if (fields.n && free && !metric &&
               field_is_named(first_field(reader, &fields))) {
        filter.kind = FILTER_FIELD;
        filter.what = fields;
        end += next.n_words;
    } else
        filter.each =
            filter.each && at && reader_in(reader, at - 1, "are were is was");
    struct asked_filter *kept = filter_new(reader, FILTER_SEARCH, false);
    *kept = filter;
    filter_done(reader, kept, from, end);
    return true;
}

static bool noun_condition(struct question_reader *reader,
                           const struct filter_lead *lead, struct choice what,
                           size_t from, size_t at)
{
    return amount_read(reader, lead, what, from, at) ||
           time_read(reader, lead, what, from, at) ||
           text_read(reader, lead, what, from, at) ||
           thing_read(reader, lead, what, from, at);
}

static bool leadless_read(struct question_reader *reader)
{
    struct filter_lead none = {.n = 0};
    struct choice what = reader_match(reader, reader->at);
    size_t at = reader->at;
    bool negated;
    if (amount_first(reader, &none, at, at))
        return true;
    if (!what.n || reader_verb(reader, at))
        return false;
    size_t after = at + what.n_words;
    const struct field *field = first_field(reader, &what);
    bool text = field && field_is_text(field);
    bool number = field && field_is_number(field) && !field_is_flag(field);
    if ((text || number) && !choice_has(&what, TERM_METRIC)) {
        bool loose = true;
        size_t value = value_length(reader, after, &loose);
        bool bare = (!value || loose) && !equals_at(reader, after, &negated) &&
                    !is_sign_of(reader, after, field);
        if (bare && text)
            return false;
        if (bare) /* "total fee so far" compares nothing */
            return amount_read(reader, &none, what, at, after) ||
                   thing_read(reader, &none, what, at, after);
    }
    return noun_condition(reader, &none, what, at, after);
}

/* "only in 2025": period_read takes the period. */
static bool period_follows(struct question_reader *reader,
                           const struct filter_lead *lead)
{
    for (size_t i = 1; i <= lead->n; i++) {
        if (!reader_window(reader, reader->at + i))
            continue;
        if (lead->negated)
            reader_object(reader, "I cannot leave out a period; say from "
                                  "when to when instead");
        reader->at += i;
        return true;
    }
    return false;
}

/* "in-store" is a value that begins like a preposition; "in store 5" is
 * not. */
static bool hidden_sample(struct question_reader *reader,
                          const struct filter_lead *lead)
{
    size_t n = 0, at = reader->at;
    bool found = samples_match(&reader->lexicon->samples, &reader->words, at,
                               reader->words.n, &n);
    if (!found || n < 2 || n <= lead->n)
        return false;
    const struct question_word *next = reader_word(reader, at + n);
    return next->kind != WORD_NUMBER && next->kind != WORD_QUOTED &&
           !(next->capital && reader_unknown(reader, at + n));
}

/* "Readings in Reading": the things cannot be in themselves, so the name is a
 * value. */
static bool namesake_read(struct question_reader *reader,
                          const struct filter_lead *lead, struct choice what,
                          size_t from, size_t at)
{
    if (!lead->place || what.n_words != 1 || !choice_has(&what, TERM_DATASET) ||
        what.terms[0].dataset != reader->near ||
        !reader_word(reader, at)->capital)
        return false;
    struct asked_filter *filter =
        filter_new(reader, FILTER_SEARCH, lead->negated);
    filter->place = true;
    value_add(reader, filter, at, 1);
    filter_done(reader, filter, from, at + 1);
    return true;
}

bool filter_read(struct question_reader *reader)
{
    struct filter_lead lead = lead_at(reader, reader->at);
    size_t from = reader->at, at = from + lead.n, sampled = 0;
    if (!lead.n)
        return leadless_read(reader);
    if (lead.twice)
        return false;
    if (hidden_sample(reader, &lead))
        return sample_read(reader);
    if (period_follows(reader, &lead))
        return true;
    struct choice what = reader_match(reader, at);
    samples_match(&reader->lexicon->samples, &reader->words, at,
                  reader->words.n, &sampled);
    if (amount_first(reader, &lead, from, at) ||
        function_amount(reader, &lead, from, at))
        return true;
    if (what.n && sampled <= what.n_words &&
        !flag_is_value(reader, at, &what)) {
        if (noun_condition(reader, &lead, what, from, at + what.n_words) ||
            presence_read(reader, &lead, what, from, at + what.n_words) ||
            existence_read(reader, &lead, what, from, at + what.n_words) ||
            namesake_read(reader, &lead, what, from, at))
            return true;
        if (lead.negated)
            return false;
        reader->at = at;
        return true;
    }
    if (value_read(reader, &lead, from, at))
        return true;
    return false;
}

/* ---- values without a preposition --------------------------------------- */

/* "Which goalkeeper" asks for one of them, and not for a figure. */
static bool is_which(const struct question_reader *reader, size_t at,
                     size_t end)
{
    size_t from = at;
    while (from && reader_in(reader, from - 1, "of the"))
        from--;
    return from && reader_in(reader, from - 1, "which what who") &&
           !reader_match(reader, end).n;
}

bool sample_read(struct question_reader *reader)
{
    size_t n = 0, at = reader->at;
    struct filter_lead none = {.n = 0};
    const struct sample_list *samples = samples_match(
        &reader->lexicon->samples, &reader->words, at, reader->words.n, &n);
    bool empty = n == 1 && reader_noise(reader, at);
    if (!samples || empty ||
        (n == 1 && reader_word(reader, at)->lower.len < 3 &&
         !reader_word(reader, at)->capital))
        return false;
    if (is_which(reader, at, at + n))
        reader_object(reader,
                      "“%.*s” is a value, and I do not see of which things it "
                      "is asked",
                      STR_ARG(reader_span(reader, at, at + n)));
    return value_read(reader, &none, at, at);
}
