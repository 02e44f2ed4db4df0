/* reader_adjective.c - adjectives that name what they compare: "the most expensive
 * product", "the 3 tallest players", "which club is the oldest" rank by a field that
 * the things have, and "players taller than 200" are filtered by it.
 *
 * They are read only where the things have one such field: one that is called price,
 * or height, and nothing else; one day of birth, one on which they were founded.
 * Whatever has several, or none, is not ranked and not compared, and the adjective
 * stays an unknown word. */
#include "beginning.h"
#include "code.h"
#include "field.h"
#include "person.h"
#include "reader.h"
#include "unit.h"
#include "base/banned.h"

enum aspect {
    OF_NUMBER, /* a field that is called like one of the words */
    OF_PRICE,
    OF_AGE,  /* since when they are there, or how old they are */
    OF_LIFE, /* since when they are there */
    OF_TIME  /* when it was */
};

static const struct adjective {
    const char *than, *most; /* NULL: it has no such form */
    const char *fields;
    bool low; /* of little: younger, cheapest */
    enum aspect aspect;
} adjectives[] = {
    {"taller than", "tallest", "height", false, OF_NUMBER},
    {"heavier than", "heaviest", "weight mass", false, OF_NUMBER},
    {"lighter than", "lightest", "weight mass", true, OF_NUMBER},
    {"older than", "oldest|eldest", "age", false, OF_AGE},
    {"younger than", "youngest", "age", true, OF_AGE},
    {NULL, "newest", "", true, OF_LIFE},
    {NULL, "latest|most recent", "", true, OF_TIME},
    {NULL, "earliest", "", false, OF_TIME},
    {"longer than", "longest", "length duration runtime", false, OF_NUMBER},
    {"shorter than", "shortest", "height length duration runtime", true,
     OF_NUMBER},
    {"wider than", "widest", "width", false, OF_NUMBER},
    {"narrower than", "narrowest", "width", true, OF_NUMBER},
    {"deeper than", "deepest", "depth", false, OF_NUMBER},
    {"shallower than", "shallowest", "depth", true, OF_NUMBER},
    {"thicker than", "thickest", "thickness", false, OF_NUMBER},
    {"thinner than", "thinnest", "thickness", true, OF_NUMBER},
    {"faster than", "fastest", "speed", false, OF_NUMBER},
    {"slower than", "slowest", "speed", true, OF_NUMBER},
    {"bigger than|larger than", NULL, "size area", false, OF_NUMBER},
    {"smaller than", NULL, "size area", true, OF_NUMBER},
    {"more expensive than|costlier than|pricier than",
     "most expensive|most costly|priciest|costliest|dearest", "", false,
     OF_PRICE},
    {"less expensive than|cheaper than",
     "least expensive|least costly|most affordable|cheapest", "", true,
     OF_PRICE},
};

/* The adjective at the word in one of its forms; NULL: it is none. */
static const struct adjective *
adjective_at(const struct question_reader *reader, size_t at, bool most,
             size_t *n)
{
    for (size_t i = 0; i < sizeof adjectives / sizeof *adjectives; i++) {
        const struct adjective *a = &adjectives[i];
        const char *phrases = most ? a->most : a->than;
        *n = phrases ? reader_phrase(reader, at, phrases) : 0;
        if (*n)
            return a;
    }
    return NULL;
}

/* ---- what is compared ----------------------------------------------------- */

/* The words of the name without its unit. */
static size_t plain_words(const struct question_reader *reader,
                          const struct field *field, struct str *parts,
                          size_t most)
{
    size_t n = unit_less(reader->arena, field, parts, most);
    return n ? n : full_words(reader->arena, field->name, parts, most);
}

/* The name says price or fee, and nothing that makes it another one. */
static bool is_price(const struct question_reader *reader,
                     const struct dataset *dataset, const struct field *field)
{
    static const char prices[] = "price fee";
    static const char plain[] = "unit list retail standard base catalogue";
    struct str parts[12];
    struct str own = word_stem(reader->arena, dataset->name);
    size_t n = plain_words(reader, field, parts, 12);
    bool found = false;
    for (size_t i = 0; i < n; i++) {
        bool price = list_has(prices, parts[i]);
        if (!price && !list_has(plain, parts[i]) && !str_eq(parts[i], own))
            return false;
        found = found || price;
    }
    return found && field_is_number(field);
}

/* The field's name, without its unit and its dataset, is one of the words. */
static bool is_plain(const struct question_reader *reader,
                     const struct dataset *d, const struct field *field,
                     const char *words)
{
    struct str parts[12];
    struct str own = words_key(reader->arena, d->name);
    size_t n = plain_words(reader, field, parts, 12);
    size_t skip = n > 1 && str_eq(word_stem(reader->arena, parts[0]), own);
    return n == skip + 1 && field_is_number(field) &&
           list_has(words, parts[skip]);
}

/* The only number of the things that the adjective is about, with the unit if there
 * is one; SIZE_MAX: there is none. */
static size_t number_of(const struct question_reader *reader,
                        const struct dataset *d, const struct adjective *a,
                        struct str unit)
{
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < d->n_fields; i++) {
        const struct field *field = &d->fields[i];
        bool fits = a->aspect == OF_PRICE
                        ? is_price(reader, d, field)
                        : is_plain(reader, d, field, a->fields);
        if (!fits || (unit.len && !unit_is(reader->arena, field, unit)))
            continue;
        if (found != SIZE_MAX)
            return SIZE_MAX;
        found = i;
    }
    return found;
}

static struct choice field_of(const struct question_reader *reader,
                              size_t dataset, size_t field)
{
    const struct dataset *d = &reader->lexicon->ontology->datasets[dataset];
    struct term term = {TERM_FIELD, WEIGHT_NAME, dataset, field};
    if (field == SIZE_MAX)
        return (struct choice){.n = 0};
    return choice_one(reader->arena, term,
                      spoken(reader->arena, d->fields[field].name), 1);
}

/* Some of them have not taken place yet, so the last one may not be the latest. */
static bool is_planned(const struct question_reader *reader, size_t dataset)
{
    static const char nouns[] =
        "appointment booking reservation fixture event schedule";
    static const char *const states[] = {"scheduled", "planned", "upcoming",
                                         "booked",    "future",  NULL};
    const struct dataset *d = &reader->lexicon->ontology->datasets[dataset];
    for (size_t i = 0; states[i]; i++) {
        const struct sample_list *samples =
            samples_find(&reader->lexicon->samples, str_of(states[i]));
        for (size_t j = 0; samples && j < samples->n; j++)
            if (samples->items[j].dataset == dataset)
                return true;
    }
    return list_has(nouns, words_key(reader->arena, d->name));
}

/* They are called by a name or by their key, and not by a code that many share. */
static bool has_own_names(const struct dataset *d)
{
    static const char names[] =
        "name title fullname surname forename label model";
    size_t label = dataset_label(d);
    return label == SIZE_MAX || dataset_unique(d, &d->fields[label]) ||
           name_has(d->fields[label].name, names);
}

/* What the adjective ranks the things by; n is 0 when there is nothing, or several.
 * Lines of an order have a price, too, and no name to be called by. */
static struct choice ranked_by(const struct question_reader *reader,
                               size_t dataset, const struct adjective *a)
{
    const struct dataset *d = &reader->lexicon->ontology->datasets[dataset];
    size_t field = SIZE_MAX;
    bool dated = a->aspect >= OF_AGE;
    if (a->aspect == OF_AGE) {
        field = birth_field(reader->arena, d);
        if (field == SIZE_MAX)
            field = number_of(reader, d, a, STR(""));
        if (field == SIZE_MAX && !is_persons(reader->arena, d))
            field = beginning_field(reader->arena, d);
    } else if (a->low && dated && is_planned(reader, dataset)) {
        field = SIZE_MAX;
    } else if (a->aspect == OF_LIFE) {
        field = beginning_field(reader->arena, d);
    } else if (a->aspect == OF_TIME) {
        field = event_field(reader->arena, d);
    } else {
        field = number_of(reader, d, a, STR(""));
    }
    if ((!dated && dataset_label(d) == SIZE_MAX) || !has_own_names(d))
        field = SIZE_MAX;
    return field_of(reader, dataset, field);
}

/* ---- the tallest ---------------------------------------------------------- */

struct ranked {
    struct choice things;
    size_t to;  /* the word after the adjective, or after the things */
    bool one;   /* in the singular */
    bool owner; /* "the oldest player's" */
};

/* "Goalkeeper", of a position: a value that says what kind of things they are. */
static struct choice things_of_kind(const struct question_reader *reader,
                                    const struct sample_list *samples,
                                    size_t at)
{
    static const char kinds[] =
        "position role job occupation profession specialty speciality kind";
    const struct ontology *o = reader->lexicon->ontology;
    const struct sample *one = samples->items;
    struct term term = {TERM_DATASET, WEIGHT_NAME, one->dataset, one->dataset};
    if (samples->n != 1 ||
        !name_has(o->datasets[one->dataset].fields[one->field].name, kinds))
        return (struct choice){.n = 0};
    return choice_one(reader->arena, term, reader_word(reader, at)->text, 0);
}

/* The things after the adjective, which only what they are like comes before: "oldest
 * active player". Returns the word; SIZE_MAX: there are none. */
static size_t things_after(const struct question_reader *reader, size_t at,
                           struct choice *things)
{
    enum { WORDS_BEFORE = 3 };
    struct choice kind = {.n = 0};
    size_t noun = at;
    for (size_t end = at + WORDS_BEFORE; at <= end;) {
        struct choice match = reader_match(reader, at);
        const struct field *field = first_field(reader, &match);
        size_t n = 0;
        *things = choice_of(reader->arena, match, TERM_DATASET);
        if (things->n)
            return at;
        bool last = at >= reader->words.n || reader_in(reader, at, "? . in of");
        if (kind.n && last) {
            *things = kind;
            return noun;
        }
        const struct sample_list *samples = samples_match(
            &reader->lexicon->samples, &reader->words, at, end, &n);
        if (field && field_is_flag(field))
            n = match.n_words;
        else if (!samples)
            return SIZE_MAX;
        else
            kind = things_of_kind(reader, samples, at);
        at += n;
        noun = at - 1;
    }
    return SIZE_MAX;
}

/* "Which model is the most expensive": the things that are called so. */
static struct choice named_by(const struct question_reader *reader,
                              struct choice subject)
{
    const struct ontology *o = reader->lexicon->ontology;
    const struct term *t = subject.terms;
    if (subject.n != 1 || t->kind != TERM_FIELD ||
        dataset_label(&o->datasets[t->dataset]) != t->index)
        return (struct choice){.n = 0};
    struct term term = {TERM_DATASET, WEIGHT_NAME, t->dataset, t->dataset};
    return choice_one(reader->arena, term, subject.words, subject.n_words);
}

/* "Which club is the oldest", "which of the clubs is the oldest": the things. */
static bool things_before(const struct question_reader *reader, size_t at,
                          struct ranked *ranked)
{
    static const char copulas[] = "is are was were";
    const struct question *q = reader->question;
    size_t from = at;
    if (from && reader_is(reader, from - 1, "the"))
        from--;
    if (!from || !reader_in(reader, from - 1, copulas))
        return false;
    bool of = reader_phrase(reader, 0, "which of|which one of") > 0;
    bool named = of && q->n_mentions == 1 && !q->subject.n;
    struct choice subject = named ? q->mentions[0] : q->subject;
    ranked->things = choice_of(reader->arena, subject, TERM_DATASET);
    if (!ranked->things.n)
        ranked->things = named_by(reader, subject);
    ranked->one = of ? reader_in(reader, from - 1, "is was") : q->subject_one;
    return ranked->things.n > 0;
}

static bool things_find(const struct question_reader *reader, size_t at,
                        size_t after, struct ranked *ranked)
{
    const struct question *q = reader->question;
    struct choice things;
    size_t noun = things_after(reader, after, &things);
    *ranked = (struct ranked){.to = after};
    if (noun == SIZE_MAX)
        return things_before(reader, at, ranked);
    size_t end = noun + (things.n_words ? things.n_words : 1);
    ranked->things = things;
    ranked->one = !word_is_plural(reader_word(reader, end - 1));
    ranked->owner = reader_word(reader, end - 1)->owner;
    if (noun == after && things.n_words)
        ranked->to = end;
    return !q->subject.n;
}

/* The field is a day or a year, and those of the oldest are low. */
static bool is_when(const struct question_reader *reader,
                    const struct choice *by)
{
    const struct field *field = first_field(reader, by);
    return field_is_date(field) || field_is_year(field);
}

static void ranking_note(struct question_reader *reader, struct str adjective,
                         const struct choice *by, bool low)
{
    const char *extreme = is_when(reader, by) ? low ? "earliest" : "latest"
                          : low               ? "lowest"
                                              : "highest";
    question_note(reader->question,
                  arena_printf(reader->arena, "What does “%.*s” mean?",
                               STR_ARG(adjective)),
                  arena_printf(reader->arena, "The %s %.*s.", extreme,
                               STR_ARG(by->words)));
}

bool adjective_read(struct question_reader *reader)
{
    struct question *q = reader->question;
    size_t count = word_count(reader_word(reader, reader->at)), n;
    size_t at = reader->at + (count > 0);
    const struct adjective *a = adjective_at(reader, at, true, &n);
    size_t after = at + n;
    struct ranked ranked;
    if (a && !count) {
        count = word_count(reader_word(reader, after));
        after += count > 0;
    }
    if (!a || reader_match(reader, at).n || reader->function ||
        reader->superlative_said || q->n_measures || reader->n_loose ||
        (q->top.n && (count || q->top.lowest)) ||
        !things_find(reader, at, after, &ranked))
        return false;
    struct choice by = ranked_by(reader, ranked.things.terms[0].dataset, a);
    if (!by.n || ranked.things.n > 1)
        return false;
    /* "The oldest player's date of birth" is shown anyway. */
    struct choice next = reader_match(reader, ranked.to);
    if (ranked.owner && (next.n != 1 || !term_same(next.terms, by.terms)))
        return false;
    bool low = is_when(reader, &by) ? !a->low : a->low;
    measure_add(reader,
                (struct asked_measure){.function = low ? FUNCTION_MINIMUM
                                                       : FUNCTION_MAXIMUM,
                                       .what = by});
    if (!q->subject.n)
        q->subject = ranked.things;
    q->subject_one = ranked.one;
    q->top = (struct top){count ? count : q->top.n, low, true};
    reader->superlative_said = reader->ranked = true;
    if (ranked.to > after)
        reader_mention(reader, ranked.things);
    ranking_note(reader, reader_span(reader, at, at + n), &by, low);
    reader->at = ranked.to + (ranked.owner ? next.n_words : 0);
    return true;
}

void adjective_settle(struct question_reader *reader)
{
    const struct question *q = reader->question;
    if (!reader->ranked)
        return;
    if (q->n_measures > 1)
        reader_object(reader, "I can rank by one measure only");
    /* Those of whom it is not known would have no place. */
    if (reader->n_loose)
        reader_object(reader, "I do not see what “%.*s” is for",
                      STR_ARG(reader->loose[0].what.words));
    for (size_t i = 0; i < q->n_dimensions; i++) {
        const struct choice *what = &q->dimensions[i].what;
        const struct field *field = first_field(reader, what);
        if (field && field_is_number(field) && !field_is_year(field) &&
            !choice_has(what, TERM_DATASET))
            reader_object(reader,
                          "“by %.*s” may rank, too, and I can rank by one "
                          "measure only",
                          STR_ARG(what->words));
    }
}

bool adjective_begins(const struct question_reader *reader, size_t at)
{
    size_t n;
    return !reader_word(reader, at)->capital &&
           adjective_at(reader, at, true, &n);
}

/* ---- taller than ---------------------------------------------------------- */

/* Other things may be meant than those named last: "albums with songs longer than
 * 5". */
static bool is_of_others(const struct question_reader *reader, size_t at)
{
    static const char links[] = "that which who is are was were";
    enum { NOUN_WORDS = 2 };
    const struct question *q = reader->question;
    while (at && reader_in(reader, at - 1, links))
        at--;
    for (size_t n = 1; n <= NOUN_WORDS && n <= at; n++) {
        struct choice noun = reader_match(reader, at - n);
        struct choice rows = choice_of(reader->arena, noun, TERM_DATASET);
        if (rows.n && noun.n_words == n)
            return rows.terms[0].dataset != reader->near;
    }
    for (size_t i = 0; i < q->n_filters; i++)
        if (q->filters[i].kind == FILTER_EXISTS)
            return true;
    return q->n_havings > 0;
}

bool comparative_read(struct question_reader *reader)
{
    size_t from = reader->at, n;
    const struct adjective *a = adjective_at(reader, from, false, &n);
    const struct question_word *number = reader_word(reader, from + n);
    if (!a || number->kind != WORD_NUMBER || reader->near == SIZE_MAX ||
        is_of_others(reader, from))
        return false;
    size_t to = from + n + 1;
    struct str unit = reader_word(reader, to)->lower;
    if (!is_unit_word(unit))
        unit = STR("");
    const struct dataset *d =
        &reader->lexicon->ontology->datasets[reader->near];
    struct choice fields =
        field_of(reader, reader->near, number_of(reader, d, a, unit));
    if (!fields.n)
        return false;
    struct asked_filter *filter = filter_new(reader, FILTER_FIELD, false);
    filter->what = fields;
    filter->comparison = a->low ? IS_UNDER : IS_OVER;
    filter->values[filter->n_values++] =
        (struct filter_value){.text = number->number, .number = true};
    to += unit.len > 0;
    filter->words = reader_span(reader, from, to);
    question_note(
        reader->question,
        arena_printf(reader->arena, "What is “%.*s” about?",
                     STR_ARG(reader_span(reader, from, from + n))),
        arena_printf(reader->arena, "The %.*s.", STR_ARG(fields.words)));
    reader->at = to;
    return true;
}
