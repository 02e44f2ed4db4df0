/* reader_group.c - dimensions, and how rows are ranked, sorted and drawn. */
#include "code.h"
#include "field.h"
#include "reader.h"
#include "base/banned.h"

static bool same_dimension(const struct asked_dimension *a,
                           const struct asked_dimension *b)
{
    if (a->grain || b->grain)
        return a->grain == b->grain && a->part == b->part;
    return a->what.n && b->what.n &&
           term_same(&a->what.terms[0], &b->what.terms[0]);
}

void dimension_add(struct question_reader *reader,
                   struct asked_dimension dimension)
{
    struct question *q = reader->question;
    for (size_t i = 0; i < q->n_dimensions; i++)
        if (same_dimension(&q->dimensions[i], &dimension)) {
            q->dimensions[i].ranked |= dimension.ranked;
            q->dimensions[i].per = q->dimensions[i].per && dimension.per;
            return;
        }
    if (q->n_dimensions == QUESTION_DIMENSIONS)
        reader_object(reader, "too many dimensions at once");
    else
        q->dimensions[q->n_dimensions++] = dimension;
}

/* ---- nouns -------------------------------------------------------------- */

static bool is_filler(const struct question_reader *reader, size_t at)
{
    static const char words[] =
        "the each every all their its our of a an different";
    return reader_in(reader, at, words);
}

/* A field or dataset after the words of its relationship, if any ("shipping
 * country"). Returns how many words. */
static size_t noun_at(struct question_reader *reader, size_t at,
                      struct choice *what)
{
    struct question *q = reader->question;
    size_t start = at;
    *what = reader_match(reader, at);
    while (what->n && what->terms[0].kind == TERM_ROLE) {
        struct choice next = reader_match(reader, at + what->n_words);
        if (!choice_has(&next, TERM_FIELD) && !choice_has(&next, TERM_DATASET))
            return 0;
        if (q->n_roles < QUESTION_MENTIONS)
            q->roles[q->n_roles++] = *what;
        at += what->n_words;
        *what = next;
    }
    if (!what->n ||
        (!choice_has(what, TERM_FIELD) && !choice_has(what, TERM_DATASET)))
        return 0;
    /* "customer home city": the dataset, then its field. */
    struct choice field = reader_match(reader, at + what->n_words);
    if (!choice_has(what, TERM_FIELD) && choice_has(&field, TERM_FIELD) &&
        !participle_at(reader, at + what->n_words)) {
        struct choice own = {.words = field.words, .n_words = field.n_words};
        own.terms = arena_new_array(reader->arena, struct term, field.n);
        for (size_t i = 0; i < field.n; i++)
            if (field.terms[i].kind == TERM_FIELD &&
                field.terms[i].dataset == what->terms[0].dataset)
                own.terms[own.n++] = field.terms[i];
        if (own.n) {
            at += what->n_words;
            *what = own;
            what->words = reader_span(reader, start, at + own.n_words);
        }
    } else if (at > start) {
        what->words = reader_span(reader, start, at + what->n_words);
    }
    return at + what->n_words - start;
}

/* "Day of the week", unless a field is called so. Returns how many words. */
static size_t part_at(const struct question_reader *reader, size_t at,
                      enum date_part *part)
{
    static const char weekdays[] =
        "day of the week|day of week|days of the week|"
        "weekday|weekdays|week day";
    static const char hours[] =
        "hour of the day|hour of day|hours of the day|hour|hours";
    size_t n = reader_phrase(reader, at, weekdays);
    *part = n ? PART_WEEKDAY : PART_NONE;
    if (!n && (n = reader_phrase(reader, at, hours)))
        *part = PART_HOUR;
    if (n && reader_match(reader, at).n_words < n)
        return n;
    *part = PART_NONE;
    return 0;
}

/* A grain of time or a noun, after "by". */
static size_t dimension_at(struct question_reader *reader, size_t at,
                           struct asked_dimension *dimension)
{
    size_t skip = 0;
    *dimension = (struct asked_dimension){.grain = UNIT_NONE};
    while (skip < 3 && is_filler(reader, at + skip))
        skip++;
    enum time_unit unit = unit_of(reader_word(reader, at + skip));
    size_t part = part_at(reader, at + skip, &dimension->part);
    if (part) {
        dimension->grain = UNIT_DAY;
        return skip + part;
    }
    struct choice match = reader_match(reader, at + skip);
    if (unit && match.n_words <= 1) {
        dimension->grain = unit;
        dimension->what = match;
        return skip + 1;
    }
    if (!match.n && reader_is(reader, at + skip, "date")) {
        dimension->grain = UNIT_DAY;
        return skip + 1;
    }
    size_t n = noun_at(reader, at + skip, &dimension->what);
    /* "By client name": clients are shown by theirs. */
    if (n && choice_has(&dimension->what, TERM_DATASET) &&
        reader_in(reader, at + skip + n, "name names"))
        n++;
    return n ? skip + n : 0;
}

/* ---- by … --------------------------------------------------------------- */

static size_t group_lead(const struct question_reader *reader, size_t at)
{
    return reader_phrase(
        reader, at,
        "broken down by|grouped by|group by|split by|parted by|broken by|"
        "for each|for every|in each|in every|of each|of every|by each|"
        "breakdown by|and by|then by|at each|comes from each|come from each|"
        "came from each|from each|with each|across the|"
        "across different|by|per|each|every|across|among");
}

/* "top 5 products by revenue": a measure comes after "by", not a dimension. */
static bool ranked_by(struct question_reader *reader, size_t at)
{
    struct question *q = reader->question;
    struct choice what = reader_match(reader, at);
    bool metric = choice_has(&what, TERM_METRIC);
    bool noun =
        choice_has(&what, TERM_FIELD) || choice_has(&what, TERM_DATASET);
    static const char functions[] =
        "number total average sum count median highest most lowest maximum "
        "minimum how distinct";
    bool function = reader_in(reader, at, functions) && !metric;
    const struct field *field = first_field(reader, &what);
    bool number =
        field && field_is_number(field) && !choice_has(&what, TERM_DATASET);
    bool open = !q->n_measures && !reader->function;
    if (!open || !(metric || function || (number && q->top.ranked)))
        return false;
    if (metric && noun && !q->top.ranked && !q->n_dimensions &&
        !reader->n_loose && !q->n_mentions)
        return false;
    q->top.ranked = true;
    reader->at = at;
    return true;
}

static void across_all(struct question_reader *reader, size_t at,
                       const struct asked_dimension *dimension)
{
    question_note(reader->question,
                  arena_printf(reader->arena, "What does “%.*s” mean?",
                               STR_ARG(reader_span(reader, reader->at, at))),
                  STR("All of them together, without a breakdown."));
    reader_mention(reader, dimension->what);
}

/* "Average number of orders per customer": a figure, which may be broken down. */
static bool is_averaged(const struct question_reader *reader)
{
    const struct question *q = reader->question;
    return reader->averaged ||
           (q->n_measures == 1 && q->measures[0].function == FUNCTION_AVERAGE);
}

/* "Revenue per employee", where employees is a number, is a ratio, and only
 * a metric can define one. "Per store by region" may be a ratio too. */
static void check_ratio(struct question_reader *reader,
                        const struct asked_dimension *d, size_t after)
{
    const struct field *field = first_field(reader, &d->what);
    if (!reader_is(reader, reader->at, "per") || d->grain)
        return;
    bool things = choice_has(&d->what, TERM_DATASET);
    bool number = field && field_is_number(field) && !things;
    bool parted =
        things && !is_averaged(reader) &&
        (reader_is(reader, after, "by") || reader->question->n_dimensions);
    if (!number && !parted)
        return;
    reader_object(reader,
                  "“per %.*s” may ask for a ratio, and the model has "
                  "no such metric; for a breakdown say “by %.*s”",
                  STR_ARG(d->what.words), STR_ARG(d->what.words));
}

bool grain_follows(struct question_reader *reader, size_t at)
{
    struct asked_dimension dimension;
    size_t lead = group_lead(reader, at);
    return lead && dimension_at(reader, at + lead, &dimension) &&
           dimension.grain;
}

/* "By customers in Texas" may be those who act, or a breakdown. */
static void check_agents(struct question_reader *reader, size_t at,
                         const struct asked_dimension *d)
{
    static const char qualifies[] = "in from with who that at whose living";
    const struct field *field = first_field(reader, &d->what);
    bool things = choice_has(&d->what, TERM_DATASET);
    bool flag = field && field_is_flag(field) && !things;
    bool qualified =
        (reader_in(reader, at, qualifies) && !reader_window(reader, at)) ||
        participle_at(reader, at);
    if (!reader_is(reader, reader->at, "by") ||
        !str_ends(d->what.words, STR("s")) || !(flag || (things && qualified)))
        return;
    reader_object(reader,
                  "“by %.*s” may ask for a breakdown or only for those; say "
                  "“per” or “of” instead",
                  STR_ARG(d->what.words));
}

/* A name of a dataset's rows, "rep" of rep_name, and a field that they have. */
static bool is_theirs(const struct question_reader *reader,
                      const struct term *name, const struct choice *next)
{
    const struct dataset *d =
        &reader->lexicon->ontology->datasets[name->dataset];
    if (name->kind != TERM_FIELD || (dataset_label(d) != name->index &&
                                     !field_is_id(&d->fields[name->index])))
        return false;
    for (size_t i = 0; i < next->n; i++)
        if (next->terms[i].kind == TERM_FIELD &&
            next->terms[i].dataset == name->dataset)
            return true;
    return false;
}

/* "By rep region": not by rep and by region. */
static void check_name_after(struct question_reader *reader, size_t at,
                             const struct choice *what)
{
    struct choice next = reader_match(reader, at);
    const struct field *field = first_field(reader, what);
    if (field && field_is_flag(field) && choice_has(&next, TERM_DATASET))
        reader_object(reader,
                      "“by %.*s %.*s” may be a breakdown or a condition",
                      STR_ARG(what->words), STR_ARG(next.words));
    for (size_t i = 0; i < what->n && !participle_at(reader, at); i++)
        if (is_theirs(reader, &what->terms[i], &next)) {
            reader_object(
                reader,
                "I know “%.*s” and “%.*s”, but nothing that is called both",
                STR_ARG(what->words), STR_ARG(next.words));
            return;
        }
}

/* "Orders placed by customers": those who place them, not a breakdown. */
static bool agent_read(struct question_reader *reader)
{
    struct choice what = reader_match(reader, reader->at + 1);
    if (!reader_is(reader, reader->at, "by") ||
        !choice_has(&what, TERM_DATASET) || !str_ends(what.words, STR("s")))
        return false;
    reader_mention(reader, what);
    reader->at += 1 + what.n_words;
    return true;
}

/* "Pickup", which tells relationships apart, is also how the date pickup_at of
 * the things named last begins. */
static struct choice date_led_by(const struct question_reader *reader,
                                 struct choice what)
{
    struct choice date = {.words = what.words, .n_words = what.n_words};
    if (reader->near == SIZE_MAX)
        return date;
    const struct dataset *d =
        &reader->lexicon->ontology->datasets[reader->near];
    for (size_t i = 0; i < d->n_fields && !date.n; i++) {
        struct str parts[4];
        size_t n = full_words(reader->arena, d->fields[i].name, parts, 4);
        if (n < 2 || !field_is_date(&d->fields[i]) ||
            !str_eq_nocase(parts[0], what.words))
            continue;
        struct term term = {TERM_FIELD, WEIGHT_TRUNCATED, reader->near, i};
        date = choice_one(reader->arena, term, what.words, what.n_words);
    }
    return date;
}

/* "By month of the due date": the date that is grouped. Returns how many words. */
static size_t grained_at(struct question_reader *reader, size_t at)
{
    static const char articles[] = "the their its";
    size_t skip = reader_is(reader, at, "of");
    if (!skip)
        return 0;
    skip += reader_in(reader, at + skip, articles);
    struct choice what = reader_match(reader, at + skip);
    struct choice dates = dates_of(reader, what);
    if (!dates.n && choice_has(&what, TERM_ROLE))
        dates = date_led_by(reader, what);
    if (!dates.n || choice_has(&what, TERM_METRIC) ||
        choice_has(&what, TERM_DATASET))
        return 0;
    if (reader->question->window_field.n)
        reader_object(reader, "two dates are named, “%.*s” and “%.*s”",
                      STR_ARG(reader->question->window_field.words),
                      STR_ARG(dates.words));
    reader->question->window_field = dates;
    return skip + what.n_words;
}

bool group_read(struct question_reader *reader)
{
    static const char joints[] = "and , & by x then per";
    size_t lead = group_lead(reader, reader->at), at = reader->at + lead, n;
    struct asked_dimension dimension;
    bool across = reader_is(reader, reader->at, "across");
    if (lead && reader->at == reader->passive && agent_read(reader))
        return true;
    if (!lead || ranked_by(reader, at))
        return lead > 0;
    n = dimension_at(reader, at, &dimension);
    if (!n)
        return false;
    if (by_thing_read(reader, dimension.what, at + n - dimension.what.n_words))
        return true;
    dimension.per = reader_is(reader, reader->at, "per");
    check_ratio(reader, &dimension, at + n);
    check_agents(reader, at + n, &dimension);
    /* "Nationalities among the players": those of the players. */
    if (reader_is(reader, reader->at, "among") &&
        choice_has(&dimension.what, TERM_DATASET)) {
        reader_mention(reader, dimension.what);
        reader->at = at + n;
        return true;
    }
    if (across && reader_is(reader, at, "all")) {
        across_all(reader, at + n, &dimension);
        reader->at = at + n;
        return true;
    }
    struct choice last;
    for (;;) {
        size_t skip = 0;
        bool per = dimension.per;
        last = dimension.what;
        dimension_add(reader, dimension);
        at += n;
        at += dimension.grain ? grained_at(reader, at) : 0;
        while (skip < 3 && reader_in(reader, at + skip, joints))
            skip++;
        struct choice next = reader_match(reader, at + skip);
        n = skip ? dimension_at(reader, at + skip, &dimension) : 0;
        /* "Per month and channel": per both. */
        dimension.per =
            skip && (reader_is(reader, at + skip - 1, "per") ||
                     (per && !reader_is(reader, at + skip - 1, "by")));
        bool by = skip && reader_is(reader, at + skip - 1, "by");
        /* "by city and revenue": revenue is another measure. */
        if (!n || (choice_has(&next, TERM_METRIC) && !by))
            break;
        at += skip;
    }
    check_name_after(reader, at, &last);
    reader->at = at;
    return true;
}

/* ---- grains ------------------------------------------------------------- */

/* The things have a frequency, or belong to one: weekly treatments are those that are
 * given each week. */
static bool have_frequency(const struct question_reader *reader, size_t dataset)
{
    static const char words[] =
        "freq frequency interval schedule recurrence cadence periodicity";
    const struct ontology *o = reader->lexicon->ontology;
    const struct dataset *d = &o->datasets[dataset];
    for (size_t i = 0; i < d->n_fields; i++)
        if (name_has(d->fields[i].name, words))
            return true;
    for (size_t i = 0; i < o->n_relationships; i++)
        if (o->relationships[i].from == dataset &&
            name_has(o->datasets[o->relationships[i].to].name, words))
            return true;
    return false;
}

/* "Weekly treatments": a grain, or what the things are called. */
static void check_adverb(struct question_reader *reader, size_t at)
{
    size_t n = 0;
    struct choice rows =
        choice_of(reader->arena, reader_match(reader, at + 1), TERM_DATASET);
    bool value = samples_match(&reader->lexicon->samples, &reader->words, at,
                               at + 1, &n) != NULL;
    if (rows.n && (value || have_frequency(reader, rows.terms[0].dataset)))
        reader_object(reader,
                      "“%.*s” may say how often each of them takes place, or "
                      "ask for a breakdown; say for example “by %s” for that",
                      STR_ARG(reader_span(reader, at, at + 1 + rows.n_words)),
                      unit_words[unit_of_adverb(reader_word(reader, at))]);
}

bool grain_read(struct question_reader *reader)
{
    static const char trends[] = "trend trends trending timeline";
    enum time_unit unit = unit_of_adverb(reader_word(reader, reader->at));
    size_t n = unit ? 1 : 0;
    bool over = reader_is(reader, reader->at, "over") &&
                reader_is(reader, reader->at + 1, "time");
    if (reader_match(reader, reader->at).n_words > 1)
        return false;
    if (!unit && (over || reader_in(reader, reader->at, trends))) {
        n = over ? 2 : 1;
        for (size_t i = 0; i < reader->question->n_dimensions; i++)
            if (reader->question->dimensions[i].grain)
                unit = reader->question->dimensions[i].grain;
        if (!unit) {
            unit = UNIT_MONTH;
            question_note(reader->question, STR("In what steps of time?"),
                          STR("By month."));
        }
    }
    if (!unit)
        return false;
    if (unit_of_adverb(reader_word(reader, reader->at)))
        check_adverb(reader, reader->at);
    bool averaged =
        reader->at && reader_in(reader, reader->at - 1, "average avg mean");
    dimension_add(reader,
                  (struct asked_dimension){.grain = unit, .per = averaged});
    reader->at += n;
    return true;
}

/* ---- top n -------------------------------------------------------------- */

static bool is_ranking(const struct question_reader *reader, size_t at,
                       bool *lowest)
{
    static const char high[] = "top best highest largest biggest greatest";
    static const char low[] = "bottom worst lowest smallest least";
    *lowest = reader_in(reader, at, low);
    return *lowest || reader_in(reader, at, high);
}

/* How many words "top 5" has, and how many rows it wants. */
static size_t ranking_at(const struct question_reader *reader, size_t at,
                         size_t *count, bool *lowest)
{
    static const char bare[] = "top bottom";
    if (is_ranking(reader, at, lowest)) {
        *count = word_count(reader_word(reader, at + 1));
        if (*count && !reader_is(reader, at + 2, "%"))
            return 2;
        *count = 0;
        return reader_in(reader, at, bare) ? 1 : 0;
    }
    *count = word_count(reader_word(reader, at));
    return *count && is_ranking(reader, at + 1, lowest) ? 2 : 0;
}

bool top_read(struct question_reader *reader)
{
    struct question *q = reader->question;
    struct asked_dimension dimension;
    size_t count = 0, at = reader->at;
    bool lowest = false;
    size_t n = ranking_at(reader, at, &count, &lowest);
    if (at && reader_is(reader, at - 1, "at")) /* "at least 45" */
        n = 0;
    if (!n || (!count && reader_match(reader, at).n_words > 1))
        return false;
    if (q->top.n) {
        reader_object(reader, "I can rank by one measure only");
        return false;
    }
    at += n;
    n = dimension_at(reader, at, &dimension);
    bool one = n && !str_ends(dimension.what.words, STR("s"));
    if (dimension.grain)
        one = !str_ends(reader_word(reader, at)->lower, STR("s"));
    if (!count && n)
        question_note(q, STR("How many are to be shown?"),
                      one ? STR("One.") : STR("Ten."));
    q->top = (struct top){count ? count : one ? 1 : 10, lowest, true};
    if (n) {
        dimension.ranked = true;
        dimension_add(reader, dimension);
    }
    reader->at = at + n;
    return true;
}

/* ---- sorting ------------------------------------------------------------ */

bool sort_read(struct question_reader *reader)
{
    static const char sorts[] = "sorted ordered ranked sort";
    struct question *q = reader->question;
    size_t at = reader->at;
    if (reader->list) /* which is sorted in ways of its own */
        return false;
    if (reader_is(reader, at, "in") && (reader_is(reader, at + 2, "order")))
        at++;
    static const char falling[] =
        "highest first|largest first|biggest first|most first";
    static const char rising[] = "lowest first|smallest first|least first";
    size_t down = reader_phrase(reader, at, falling);
    size_t first = down ? down : reader_phrase(reader, at, rising);
    if (first && (q->n_measures || reader->joined)) {
        q->top.lowest = !down;
        reader->at = at + first;
        return true;
    }
    bool up = reader_is(reader, at, "ascending");
    if (up || reader_is(reader, at, "descending")) {
        q->top.lowest = up;
        reader->at = at + 1 + reader_is(reader, at + 1, "order");
        return true;
    }
    if (reader_is(reader, at, "alphabetically")) {
        q->sort_by_name = reader_span(reader, at, at + 1);
        reader->at = at + 1;
        return true;
    }
    if (!reader_in(reader, at, sorts) || !reader_is(reader, at + 1, "by"))
        return false;
    struct choice what = reader_match(reader, at + 2);
    if (ranked_by(reader, at + 2))
        return true;
    bool known = false;
    for (size_t i = 0; i < q->n_measures; i++)
        known = known || str_eq_nocase(q->measures[i].what.words, what.words);
    if (!what.n || (!known && choice_has(&what, TERM_METRIC)))
        return false;
    if (!known)
        q->sort_by_name = what.words;
    reader->at = at + 2 + what.n_words;
    return true;
}

/* ---- which … ------------------------------------------------------------ */

/* "The name of the house with the most bookings": the house. "Names of all houses
 * and their number of bookings": each of them. */
static bool called_read(struct question_reader *reader)
{
    static const char leads[] =
        "names of|name of|full names of|full name of|titles of|title of";
    static const char all[] = "the all each every";
    struct question *q = reader->question;
    size_t at = reader->at, n = reader_phrase(reader, at, leads);
    bool each = false;
    for (at += n; reader_in(reader, at, all); at++)
        each = each || !reader_is(reader, at, "the");
    size_t count = word_count(reader_word(reader, at));
    at += count > 0;
    struct choice things =
        choice_of(reader->arena, reader_match(reader, at), TERM_DATASET);
    if (!n || things.n != 1 || reader->begun)
        return false;
    q->subject = things;
    q->subject_one =
        !word_is_plural(reader_word(reader, at + things.n_words - 1));
    q->subject_all = each || !q->subject_one;
    if (count)
        q->top = (struct top){count, false, true};
    reader_mention(reader, things);
    reader->at = at + things.n_words;
    return true;
}

/* "The most common voice", "which voice is the most frequent": of which there are the
 * most rows. */
bool common_read(struct question_reader *reader)
{
    static const char most[] = "the most common|the most frequent|most common|"
                               "most frequent|the commonest|commonest";
    static const char least[] =
        "the least common|the least frequent|least common|least frequent|"
        "the rarest|rarest";
    struct question *q = reader->question;
    size_t down = reader_phrase(reader, reader->at, most);
    size_t n = down ? down : reader_phrase(reader, reader->at, least);
    struct choice next = reader_match(reader, reader->at + n);
    bool after = !q->subject.n && next.n;
    struct choice what =
        choice_of(reader->arena, after ? next : q->subject, TERM_FIELD);
    const struct field *field = first_field(reader, &what);
    if (!n || what.n != 1 || !field_is_text(field) || q->n_measures ||
        reader->superlative || q->top.n || reader->list)
        return false;
    size_t dataset = what.terms[0].dataset;
    struct term rows = {TERM_DATASET, WEIGHT_NAME, dataset, dataset};
    struct choice counted =
        choice_one(reader->arena, rows,
                   reader->lexicon->ontology->datasets[dataset].name, 1);
    measure_add(reader, (struct asked_measure){.function = FUNCTION_COUNT,
                                               .what = counted});
    size_t end = reader->at + n + (after ? next.n_words : 0);
    q->subject = what;
    q->subject_one = !after || !word_is_plural(reader_word(reader, end - 1));
    q->top.lowest = !down;
    q->top.ranked = true;
    reader->superlative_said = true;
    reader->at = end;
    return true;
}

bool subject_read(struct question_reader *reader)
{
    static const char asks[] = "which what";
    struct question *q = reader->question;
    struct asked_dimension dimension;
    if (q->subject.n || reader->subject_grain)
        return false;
    if (called_read(reader) || some_read(reader))
        return true;
    if (!reader_in(reader, reader->at, asks))
        return false;
    size_t count = word_count(reader_word(reader, reader->at + 1));
    size_t first = reader->at + 1 + (count > 0);
    size_t n = dimension_at(reader, first, &dimension);
    struct choice match = reader_match(reader, first);
    bool metric =
        choice_has(&match, TERM_METRIC) && !choice_has(&match, TERM_DATASET);
    if (!n || metric)
        return false;
    q->subject = dimension.grain ? (struct choice){.n = 0} : dimension.what;
    reader->subject_grain = dimension.grain;
    reader->subject_part = dimension.part;
    q->subject_one = !word_is_plural(reader_word(reader, first + n - 1));
    if (count) /* "which three products" */
        q->top = (struct top){count, false, true};
    reader->at = first + n;
    return true;
}

/* ---- charts ------------------------------------------------------------- */

static enum chart kind_of(const struct question_reader *reader, size_t at)
{
    static const char bars[] = "bar column";
    if (reader_is(reader, at, "line"))
        return CHART_LINE;
    if (reader_in(reader, at, bars))
        return CHART_BAR;
    return reader_is(reader, at, "pie") ? CHART_PIE : CHART_NONE;
}

bool chart_read(struct question_reader *reader)
{
    static const char leads[] =
        "as in on with using make draw create into for a an the and me";
    static const char nouns[] =
        "chart charts graph graphs plot plots diagram visualise visualize "
        "visualisation visualization plotted charted graphically";
    size_t at = reader->at;
    while (at < reader->at + 3 && reader_in(reader, at, leads))
        at++;
    enum chart kind = kind_of(reader, at);
    if (!reader_in(reader, at + (kind != CHART_NONE), nouns))
        return false;
    reader->question->chart = kind ? kind : CHART_ANY;
    if (kind == CHART_PIE)
        question_note(reader->question, STR("A pie chart?"),
                      STR("Bars are drawn, which show differences better."));
    reader->at = at + (kind != CHART_NONE) + 1;
    return true;
}
