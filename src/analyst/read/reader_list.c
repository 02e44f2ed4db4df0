/* reader_list.c - questions for things instead of figures: "list the clubs in Riga",
 * "names and heights of players from Spain", "which orders were shipped in May".
 *
 * A list has a row for each of the things: what it is called, and what else is asked
 * of it; or for each different value of a field. Only filters, a period and an order
 * may follow; with anything else it is no list. */
#include "beginning.h"
#include "field.h"
#include "reader.h"
#include "sql/expression.h"
#include "base/banned.h"

enum { BEFORE_THINGS = 3 }; /* "list all active female patients" */

struct list_reader {
    struct choice things; /* n is 0: different values are wanted */
    size_t things_at;
    struct choice different;
    struct attributes attributes; /* what is asked of the things */
    bool sorted;
    struct choice sort; /* n is 0: by what they are called */
    bool falling;
    bool asked; /* it says that a list is wanted */
};

/* ---- the beginning -------------------------------------------------------- */

/* "Show me", "what are". *asked: it says that a list is wanted. */
static size_t request_at(const struct question_reader *reader, size_t at,
                         bool *asked)
{
    static const char polite[] =
        "please|can you|could you|would you|i need|we need|i want|we want|"
        "i'd like|i would like|can you please|could you please";
    static const char whole[] = "a list of|the list of|a full list of|"
                                "the full list of|a complete list of|"
                                "the complete list of";
    static const char lists[] =
        "list|what are|what is|what were|what was|which are|who are|who were|"
        "which|what";
    static const char shows[] =
        "show me|show us|give me|give us|show|give|display|return|find|get|"
        "print";
    static const char after_name[] = "of and , &";
    size_t from = at;
    at += reader_phrase(reader, at, polite);
    size_t n = reader_phrase(reader, at, lists);
    if (!n && reader_is(reader, at, "name") &&
        !reader_in(reader, at + 1, after_name))
        n = 1;
    *asked = n > 0;
    n = n ? n : reader_phrase(reader, at, shows);
    at += n;
    if (reader_is(reader, at, "out")) /* "list out", "find out" */
        at += n > 0;
    n = reader_phrase(reader, at, whole);
    *asked = *asked || n;
    return at + n - from;
}

static size_t all_at(const struct question_reader *reader, size_t at)
{
    static const char words[] = "all the every each of any those our";
    size_t n = 0;
    while (reader_in(reader, at + n, words))
        n++;
    return n;
}

/* "Different cities of customers". */
static bool different_read(struct question_reader *reader,
                           struct list_reader *list)
{
    static const char leads[] = "different distinct unique";
    if (!reader_in(reader, reader->at, leads))
        return false;
    struct choice fields = choice_of(
        reader->arena, reader_match(reader, reader->at + 1), TERM_FIELD);
    size_t at = reader->at + 1 + fields.n_words;
    size_t link = reader_in(reader, at, "of for in among");
    size_t all = link ? all_at(reader, at + 1) : 0;
    struct choice of = choice_of(
        reader->arena, reader_match(reader, at + link + all), TERM_DATASET);
    if (link && of.n == 1) {
        fields = own_fields(reader, fields, of.terms[0].dataset);
        at += link + all + of.n_words;
        reader_mention(reader, of);
    }
    list->different = fields;
    list->things_at = 0;
    list->asked = true;
    reader->at = at;
    return fields.n == 1;
}

/* "Song titles": the songs, and what is asked of them. */
static bool both_found(const struct question_reader *reader, size_t at,
                       struct choice match, struct list_reader *list)
{
    struct choice rows =
        choice_of(reader->arena,
                  vocabulary_find(&reader->lexicon->vocabulary,
                                  reader_word(reader, at)->lower),
                  TERM_DATASET);
    struct choice fields = choice_of(reader->arena, match, TERM_FIELD);
    if (match.n_words != 2 || rows.n != 1 || fields.n != 1 ||
        fields.terms[0].dataset != rows.terms[0].dataset ||
        list->attributes.n == ATTRIBUTES)
        return false;
    list->attributes.what[list->attributes.n++] = fields;
    list->things = rows;
    list->things.n_words = 2;
    return true;
}

/* Finds the things, which only what they are like may come before. */
static bool things_find(const struct question_reader *reader, size_t at,
                        struct list_reader *list)
{
    static const char links[] =
        "for from in at by with of on to is are was were be and or not no "
        "without who that which have has had do does did how many much when "
        "where why whose whether can could should would will if i we you ' 's s";
    for (size_t i = at; i <= at + BEFORE_THINGS; i++) {
        struct choice match = reader_match(reader, i);
        list->things = choice_of(reader->arena, match, TERM_DATASET);
        list->things_at = i;
        if (list->things.n || both_found(reader, i, match, list))
            break;
        if (reader_word(reader, i)->kind != WORD_PLAIN ||
            reader_in(reader, i, links))
            return false;
    }
    size_t after = list->things_at + list->things.n_words;
    struct choice next = reader_match(reader, after);
    return list->things.n == 1 && !choice_has(&next, TERM_DATASET) &&
           !reader_in(reader, after, "' 's s");
}

/* "The actors of the houses" are actors, and not what is asked of houses. */
static bool is_things(const struct question_reader *reader, size_t at,
                      const struct list_reader *list)
{
    const struct choice *first = &list->attributes.what[0];
    return list->attributes.n == 1 && !list->attributes.keys &&
           choice_has(first, TERM_DATASET) &&
           word_is_plural(reader_word(reader, at + first->n_words - 1));
}

/* "The freight of orders" is a sum: orders have no name to tell them apart by. */
static bool are_figures(const struct question_reader *reader,
                        const struct list_reader *list)
{
    const struct ontology *o = reader->lexicon->ontology;
    bool figures = list->attributes.n > 0;
    for (size_t i = 0; i < list->attributes.n; i++) {
        const struct field *field =
            first_field(reader, &list->attributes.what[i]);
        figures = figures && field && field_is_number(field);
    }
    return figures &&
           dataset_label(&o->datasets[list->things.terms[0].dataset]) ==
               SIZE_MAX;
}

static bool head_read(struct question_reader *reader, struct list_reader *list)
{
    size_t at = request_at(reader, 0, &list->asked);
    bool request = at > 0;
    at += all_at(reader, at);
    reader->at = at;
    if (request && different_read(reader, list))
        return true;
    size_t n = attributes_at(reader, at, &list->attributes);
    if (n && reader_in(reader, at + n, "of for") &&
        !is_things(reader, at, list)) {
        list->asked = true;
        at += n + 1;
        at += all_at(reader, at);
    } else {
        list->attributes.n = 0;
        list->attributes.keys = false;
    }
    reader->at = at;
    return things_find(reader, at, list) && !are_figures(reader, list);
}

/* ---- the rest ------------------------------------------------------------- */

/* "With their height", "including the …". */
static bool tail_read(struct question_reader *reader, struct list_reader *list)
{
    static const char leads[] =
        "with their|with its|along with their|together with their|"
        "including their|and their|their|its";
    size_t lead = reader_phrase(reader, reader->at, leads);
    size_t n =
        lead ? attributes_at(reader, reader->at + lead, &list->attributes) : 0;
    if (lead && !n)
        reader_object(reader, "I do not know all that is asked of the %.*s",
                      STR_ARG(list->things.words));
    if (!n)
        return false;
    reader->at += lead + n;
    list->asked = true;
    return true;
}

/* "Newest first": by the day on which the things began or happened. */
static bool newest_read(struct question_reader *reader,
                        struct list_reader *list)
{
    static const char falling[] = "newest first|latest first|"
                                  "most recent first|most recent ones first";
    static const char rising[] = "oldest first|earliest first";
    size_t dataset = list->things.terms[0].dataset;
    const struct dataset *d = &reader->lexicon->ontology->datasets[dataset];
    size_t down = reader_phrase(reader, reader->at, falling);
    size_t n = down + reader_phrase(reader, reader->at, rising);
    size_t field = n ? event_field(reader->arena, d) : SIZE_MAX;
    if (n && field == SIZE_MAX)
        field = beginning_field(reader->arena, d);
    if (field == SIZE_MAX || list->sorted)
        return false;
    list->sort = field_choice(reader, dataset, field);
    list->falling = down > 0;
    list->sorted = true;
    reader->at += n;
    return true;
}

/* "Sorted by height, highest first", "alphabetically". */
static bool order_read(struct question_reader *reader, struct list_reader *list)
{
    static const char names[] = "alphabetically|in alphabetical order";
    static const char leads[] = "sorted by|ordered by|sort by|order by|"
                                "sort them by|order them by|in order of";
    static const char falling[] =
        "descending|desc|in descending order|highest first|largest first|"
        "latest first|newest first|from high to low|from highest to lowest|"
        "from the highest to the lowest|from largest to smallest|"
        "from the largest to the smallest|from most to least";
    static const char rising[] =
        "ascending|asc|in ascending order|lowest first|smallest first|"
        "earliest first|from low to high|from lowest to highest|"
        "from the lowest to the highest|from smallest to largest|"
        "from the smallest to the largest|from least to most";
    static const char old[] = "from oldest to youngest|oldest first|"
                              "from the oldest to the youngest";
    static const char young[] = "from youngest to oldest|youngest first|"
                                "from the youngest to the oldest";
    struct choice what;
    bool key;
    size_t n = reader_phrase(reader, reader->at, names);
    if (!list->sorted && n) {
        list->sorted = true;
        reader->at += n;
        return true;
    }
    n = reader_phrase(reader, reader->at, leads);
    size_t at = reader->at + n;
    at += n && reader_in(reader, at, "the their");
    n = n ? attribute_at(reader, at, &list->attributes, &what, &key) : 0;
    if (!n || key || list->sorted)
        return false;
    at += n;
    size_t comma = reader_is(reader, at, ",");
    size_t down = reader_phrase(reader, at + comma, falling);
    size_t up = reader_phrase(reader, at + comma, rising);
    /* The oldest have the highest age, and the first day of birth. */
    const struct field *field = first_field(reader, &what);
    bool date = field && field_is_date(field);
    if (date || (field && name_has(field->name, "age"))) {
        down += reader_phrase(reader, at + comma, date ? young : old);
        up += reader_phrase(reader, at + comma, date ? old : young);
    }
    list->falling = down > 0;
    list->sort = what;
    list->sorted = true;
    reader->at = at + (down + up ? comma + down + up : 0);
    return true;
}

bool list_read(struct question_reader *reader)
{
    struct list_reader *list = reader->list;
    if (!list)
        return false;
    if (list->things.n && reader->at == list->things_at) {
        reader_mention(reader, list->things);
        reader->at += list->things.n_words;
        return true;
    }
    return list->things.n && reader->at > list->things_at &&
           (tail_read(reader, list) || order_read(reader, list) ||
            newest_read(reader, list));
}

struct choice list_things(const struct question_reader *reader)
{
    return reader->list->things;
}

bool list_noise(const struct question_reader *reader)
{
    static const char words[] =
        "the a an is are was were been be that which who whom have has had "
        "there all any please for from in at on to with of and as it they but";
    return reader_in(reader, reader->at, words);
}

/* ---- the whole ------------------------------------------------------------ */

/* The column of the list that shows it already; SIZE_MAX: none does. */
static size_t column_of(const struct question_reader *reader,
                        const struct choice *what)
{
    const struct question *q = reader->question;
    size_t dataset = reader->list->things.terms[0].dataset;
    const struct dataset *d = &reader->lexicon->ontology->datasets[dataset];
    if (what->n == 1 && what->terms[0].kind == TERM_FIELD &&
        what->terms[0].dataset == dataset &&
        what->terms[0].index == dataset_label(d))
        return 0;
    for (size_t i = 1; i < q->n_dimensions; i++)
        if (what->n &&
            term_same(&q->dimensions[i].what.terms[0], &what->terms[0]))
            return i;
    return SIZE_MAX;
}

/* Adds a column, unless the list has it. */
static void column_add(struct question_reader *reader, struct choice what,
                       bool sorts)
{
    struct list_reader *list = reader->list;
    struct question *q = reader->question;
    what = attribute_own(reader, what, list->things.terms[0].dataset);
    size_t column = column_of(reader, &what);
    if (column == SIZE_MAX && q->n_dimensions == QUESTION_DIMENSIONS) {
        reader_object(reader, "a list has at most %d columns",
                      QUESTION_DIMENSIONS);
        return;
    }
    if (column == SIZE_MAX) {
        column = q->n_dimensions++;
        q->dimensions[column] = (struct asked_dimension){.what = what};
    }
    q->dimensions[column].sorts |= sorts;
    q->dimensions[column].falling |= sorts && list->falling;
}

/* Things without a name, such as orders, are shown by what they have. */
static void columns_default(struct question_reader *reader, size_t dataset)
{
    const struct ontology *o = reader->lexicon->ontology;
    const struct dataset *d = &o->datasets[dataset];
    for (size_t i = 0; i < d->n_fields; i++)
        if (reader->question->n_dimensions < QUESTION_DIMENSIONS &&
            !field_is_id(&d->fields[i]) && !field_refers(o, dataset, i))
            column_add(reader, field_choice(reader, dataset, i), false);
}

/* "Taller than 200": how tall they are. */
static void columns_compared(struct question_reader *reader, size_t dataset)
{
    struct question *q = reader->question;
    for (size_t i = 0; i < q->n_filters; i++) {
        const struct asked_filter *filter = &q->filters[i];
        struct choice own = own_fields(reader, filter->what, dataset);
        if (filter->kind == FILTER_FIELD && filter->comparison >= IS_OVER &&
            filter->comparison <= IS_BETWEEN && own.n == 1 &&
            own.terms[0].dataset == dataset &&
            q->n_dimensions < QUESTION_DIMENSIONS)
            column_add(reader, own, false);
    }
}

static void columns_settle(struct question_reader *reader)
{
    struct list_reader *list = reader->list;
    struct question *q = reader->question;
    size_t dataset = list->things.terms[0].dataset;
    const struct dataset *d = &reader->lexicon->ontology->datasets[dataset];
    bool named = dataset_label(d) != SIZE_MAX;
    q->dimensions[0] = (struct asked_dimension){
        .what = list->things, .sorts = true, .falling = list->falling};
    q->n_dimensions = 1;
    size_t key = key_field(d);
    if (list->attributes.keys && key == SIZE_MAX)
        reader_object(reader, "the %.*s have no single key",
                      STR_ARG(list->things.words));
    else if (list->attributes.keys && named)
        column_add(reader, field_choice(reader, dataset, key), false);
    for (size_t i = 0; i < list->attributes.n; i++)
        column_add(reader, list->attributes.what[i], false);
    if (list->sort.n) {
        q->dimensions[0].sorts = q->dimensions[0].falling = false;
        column_add(reader, list->sort, true);
    }
    if (!named && key == SIZE_MAX)
        reader_object(reader, "the model does not say what the %.*s are called",
                      STR_ARG(list->things.words));
    columns_compared(reader, dataset);
    if (!named && !list->attributes.n)
        columns_default(reader, dataset);
}

/* The different values, without that of rows that have none. */
static void different_settle(struct question_reader *reader)
{
    struct question *q = reader->question;
    struct choice what = reader->list->different;
    q->dimensions[0] = (struct asked_dimension){.what = what};
    q->n_dimensions = 1;
    struct asked_filter *filter = filter_new(reader, FILTER_FIELD, true);
    filter->what = what;
    filter->comparison = IS_MISSING;
    filter->words = what.words;
}

/* A filter is of the dataset, so that its name in the question was for that. */
static bool is_filtered(const struct question *q, size_t dataset)
{
    for (size_t i = 0; i < q->n_filters; i++) {
        const struct asked_filter *filter = &q->filters[i];
        if (filter->near == dataset)
            return true;
        for (size_t j = 0; j < filter->what.n; j++)
            if (filter->what.terms[j].dataset == dataset)
                return true;
    }
    return false;
}

/* All that was read are the things and what limits them. */
static bool is_list(const struct question_reader *reader)
{
    const struct question *q = reader->question;
    const struct list_reader *list = reader->list;
    size_t things = list->things.n ? list->things.terms[0].dataset
                                   : list->different.terms[0].dataset;
    for (size_t i = 0; i < q->n_mentions; i++) {
        size_t dataset = q->mentions[i].terms[0].dataset;
        if (dataset != things && !is_filtered(q, dataset))
            return false;
    }
    return (q->n_mentions || !list->things.n) && !q->n_unknown &&
           !q->problem.len && !q->n_measures && !q->n_havings &&
           !q->n_dimensions && !q->top.ranked && !q->top.n && !q->share &&
           !q->portion && !q->why && !q->compare && !q->subject.n &&
           q->chart == CHART_NONE && q->opening == OPENS_ALONE &&
           q->window.n <= 1 && !reader->superlative_said && !reader->function &&
           !reader->subject_grain && !reader->n_loose && !reader->compare;
}

enum list_request question_read_list(const struct lexicon *lexicon,
                                     struct str text, struct question *question)
{
    struct question_reader reader;
    struct list_reader list = {.things_at = 0};
    reader_init(&reader, lexicon, text, NULL, question);
    reader.list = &list;
    if (!head_read(&reader, &list))
        return LIST_NONE;
    reader.begun = true;
    reader_words(&reader);
    if (!is_list(&reader))
        return LIST_NONE;
    if (list.things.n)
        columns_settle(&reader);
    else
        different_settle(&reader);
    question->measures[0] =
        list.things.n ? (struct asked_measure){.function = FUNCTION_COUNT,
                                               .what = list.things}
                      : (struct asked_measure){.function = FUNCTION_DISTINCT,
                                               .what = list.different};
    question->n_measures = 1;
    question->lists = true;
    return list.asked ? LIST_ASKED : LIST_PERHAPS;
}
