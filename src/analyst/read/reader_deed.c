/* reader_deed.c - verbs that the model has a name for.
 *
 *   reference  a column that says who did something, cleaned_by, reports_to,
 *              support_rep_id: "who cleaned the most rooms", "rooms that Nora Quinn
 *              cleaned"
 *   link       a dataset whose rows say that it was done, attendances: "vets who
 *              attended Ethics"
 *   sale       goods that are sold or bought, by the quantity of the lines that
 *              refer to them: "how many tracks did Rock sell"
 *
 * Any other verb is an unknown word. */
#include "field.h"
#include "person.h"
#include "reader.h"
#include "sql/expression.h"
#include "base/banned.h"

/* ---- forms of a verb -------------------------------------------------------- */

/* "Clean" of cleans, cleaned, cleaning, so that its forms can be compared; no word
 * that people know. */
static struct str root_of(struct str word)
{
    static const char *const ends[] = {"ing", "ied", "ies", "ed", "es", "s"};
    enum { ROOT_LETTERS = 3 };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (str_ends(word, str_of(ends[i])) &&
            word.len >= ROOT_LETTERS + str_of(ends[i]).len) {
            word.len -= str_of(ends[i]).len;
            break;
        }
    if (word.len > ROOT_LETTERS &&
        (word.ptr[word.len - 1] == 'e' || word.ptr[word.len - 1] == 'y'))
        word.len--;
    if (word.len > ROOT_LETTERS &&
        word.ptr[word.len - 1] == word.ptr[word.len - 2])
        word.len--;
    return word;
}

/* "Attendance" is what is done by those who attend. */
static bool is_noun_of_root(struct str noun, struct str root)
{
    static const char ends[] =
        "ance ence ment ation ition tion ion al ing ure sion";
    enum { ROOT_LETTERS = 4 };
    if (root.len < ROOT_LETTERS || str_find_nocase(noun, root) != 0)
        return false;
    struct str rest = str_from(noun, root.len);
    return !rest.len || list_has(ends, rest) ||
           (rest.len == 1 && (*rest.ptr == 'e' || *rest.ptr == 'y'));
}

/* ---- what the model has of it ------------------------------------------------ */

/* The column of the relationship is called by the verb and how it relates:
 * cleaned_by, ship_via, support_rep_id. */
static bool is_called_by(struct arena *arena, const struct ontology *o,
                         const struct relationship *r, struct str root)
{
    static const char joints[] = "by to via";
    static const char roles[] = "rep agent officer manager";
    struct str parts[8];
    if (r->from_columns.n != 1)
        return false;
    const struct dataset *d = &o->datasets[r->from];
    size_t field = field_of_column(d, r->from_columns.items[0]);
    if (field == SIZE_MAX)
        return false;
    size_t n = full_words(arena, d->fields[field].name, parts, 8);
    bool id = n > 2 && str_eq(parts[n - 1], STR("id"));
    n -= id;
    return n == 2 && list_has(id ? roles : joints, parts[1]) &&
           str_eq(root_of(parts[0]), root);
}

/* The only relationship that is called so; NULL: there is none, or several. */
static const struct relationship *
reference_of(const struct question_reader *reader, struct str root)
{
    const struct ontology *o = reader->lexicon->ontology;
    const struct relationship *found = NULL;
    for (size_t i = 0; i < o->n_relationships; i++) {
        if (!is_called_by(reader->arena, o, &o->relationships[i], root))
            continue;
        if (found)
            return NULL;
        found = &o->relationships[i];
    }
    return found;
}

/* How many relationships lead from one dataset to the other. */
static size_t ways_between(const struct ontology *o, size_t from, size_t to)
{
    size_t n = 0;
    for (size_t i = 0; i < o->n_relationships; i++)
        n += o->relationships[i].from == from && o->relationships[i].to == to;
    return n;
}

/* The only dataset whose rows are called by the noun of the verb; SIZE_MAX. */
static size_t link_of(const struct question_reader *reader, struct str root)
{
    const struct ontology *o = reader->lexicon->ontology;
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < o->n_datasets; i++) {
        struct str parts[8];
        size_t n = full_words(reader->arena, o->datasets[i].name, parts, 8);
        if (!n ||
            !is_noun_of_root(word_stem(reader->arena, parts[n - 1]), root))
            continue;
        if (found != SIZE_MAX)
            return SIZE_MAX;
        found = i;
    }
    return found;
}

/* Each pair of rows that the dataset links is there once at most, so that its rows
 * are as many as what they lead to. */
static bool links_once(const struct ontology *o, size_t link, size_t a,
                       size_t b)
{
    const struct dataset *d = &o->datasets[link];
    size_t n = 0;
    for (size_t i = 0; i < o->n_relationships; i++) {
        const struct relationship *r = &o->relationships[i];
        bool end = r->from == link && (r->to == a || r->to == b) &&
                   r->from_columns.n == 1;
        for (size_t k = 0; end && k < d->primary_key.n; k++)
            n += str_eq_nocase(r->from_columns.items[0],
                               d->primary_key.items[k]);
    }
    return n == 2 && d->primary_key.n == 2;
}

/* ---- the words around it ------------------------------------------------------ */

/* The only dataset of the choice; SIZE_MAX. */
static size_t dataset_in(const struct question_reader *reader,
                         struct choice what)
{
    struct choice rows = choice_of(reader->arena, what, TERM_DATASET);
    return rows.n == 1 ? rows.terms[0].dataset : SIZE_MAX;
}

/* What is counted, ranked or listed. */
static size_t asked_things(const struct question_reader *reader)
{
    const struct question *q = reader->question;
    if (reader->list)
        return dataset_in(reader, list_things(reader));
    if (reader->counted.n)
        return dataset_in(reader, reader->counted);
    if (q->subject.n)
        return dataset_in(reader, q->subject);
    if (q->n_measures == 1 && choice_has(&q->measures[0].what, TERM_METRIC))
        return reader->near; /* "number of courses", by a metric */
    return q->n_mentions == 1 ? dataset_in(reader, q->mentions[0]) : SIZE_MAX;
}

static bool is_end(const struct question_reader *reader, size_t at)
{
    return at >= reader->words.n || reader_in(reader, at, "? . !");
}

/* Nothing follows but a period. */
static bool ends_or_dated(const struct question_reader *reader, size_t at)
{
    return is_end(reader, at) || reader_window(reader, at);
}

static bool is_denied(const struct question_reader *reader, size_t at)
{
    static const char words[] = "not never no without";
    for (size_t i = 0; i < at; i++)
        if (reader_in(reader, i, words))
            return true;
    return false;
}

/* A value ends right before the verb, "did Nora Quinn | clean": the words that no
 * reader took become one. NULL: there is none. */
static struct asked_filter *doer_before(struct question_reader *reader)
{
    struct question *q = reader->question;
    size_t at = reader->at;
    struct gap *gap = reader->n_gaps ? &reader->gaps[reader->n_gaps - 1] : NULL;
    if (gap && gap->to == at && reader_word(reader, gap->from)->capital &&
        reader_word(reader, at - 1)->capital && gap->from) {
        struct asked_filter *filter = filter_new(reader, FILTER_SEARCH, false);
        filter->words = reader_span(reader, gap->from, gap->to);
        value_add(reader, filter, gap->from, gap->to - gap->from);
        reader->n_gaps--;
        return filter;
    }
    struct asked_filter *last =
        q->n_filters ? &q->filters[q->n_filters - 1] : NULL;
    const char *before = at ? reader_word(reader, at - 1)->text.ptr +
                                  reader_word(reader, at - 1)->text.len
                            : NULL;
    bool adjacent = last && last->kind == FILTER_SEARCH && !last->negated &&
                    last->words.ptr + last->words.len == before;
    return adjacent ? last : NULL;
}

/* A value right after the words, "attended | Ethics". */
static struct asked_filter *value_after(struct question_reader *reader,
                                        size_t from, size_t at)
{
    bool loose = true;
    size_t n = value_length(reader, at, &loose);
    if (!n || loose || reader_match(reader, at).n_words > n ||
        !ends_or_dated(reader, at + n))
        return NULL;
    struct asked_filter *filter = filter_new(reader, FILTER_SEARCH, false);
    value_add(reader, filter, at, n);
    filter->words = reader_span(reader, from, at + n);
    reader->at = at + n;
    return filter;
}

/* "The most rooms" follows; *at is the word of the noun. */
static bool most_follows(const struct question_reader *reader, size_t *at,
                         struct choice *what)
{
    size_t n = reader_phrase(reader, *at, "the most|most");
    *at += n;
    *what = choice_of(reader->arena, reader_match(reader, *at), TERM_DATASET);
    return n && what->n == 1 &&
           word_is_plural(reader_word(reader, *at + what->n_words - 1)) &&
           ends_or_dated(reader, *at + what->n_words);
}

/* Those who did it are what is ranked, if nothing was named. */
static bool doer_ranked(struct question_reader *reader, size_t doer)
{
    struct question *q = reader->question;
    const struct dataset *d = &reader->lexicon->ontology->datasets[doer];
    struct term term = {TERM_DATASET, WEIGHT_NAME, doer, doer};
    if (!reader->who)
        return asked_things(reader) == doer;
    if (q->subject.n || q->n_mentions || !is_persons(reader->arena, d))
        return false;
    q->subject = choice_one(reader->arena, term, d->name, 1);
    q->subject_one = true;
    reader->who = false;
    return true;
}

/* ---- a reference --------------------------------------------------------------- */

static void refer(const struct question_reader *reader,
                  const struct relationship *r, struct asked_filter *filter)
{
    const struct ontology *o = reader->lexicon->ontology;
    const struct dataset *d = &o->datasets[r->from];
    size_t field = field_of_column(d, r->from_columns.items[0]);
    struct term term = {TERM_FIELD, WEIGHT_NAME, r->from, field};
    filter->kind = FILTER_FIELD;
    filter->comparison = IS;
    filter->deed = DEED_DATED;
    filter->what = choice_one(reader->arena, term, d->fields[field].name, 1);
}

/* "By", or how the column says it: "shipped via", "reporting to". */
static bool joins_doer(const struct question_reader *reader,
                       const struct relationship *r, size_t at)
{
    struct str name = r->from_columns.items[0];
    const struct question_word *word = reader_word(reader, at);
    return word_is(word, "by") || str_ends(name, word->lower);
}

static bool reference_read(struct question_reader *reader,
                           const struct relationship *r)
{
    const struct ontology *o = reader->lexicon->ontology;
    struct question *q = reader->question;
    size_t verb = reader->at, at = verb + 1;
    size_t things = asked_things(reader);
    struct choice object;
    struct term role = {TERM_ROLE, WEIGHT_NAME, r->to,
                        (size_t)(r - o->relationships)};
    if (most_follows(reader, &at, &object) &&
        object.terms[0].dataset == r->from && r->from != r->to &&
        is_end(reader, at + object.n_words) && q->n_roles < QUESTION_MENTIONS &&
        doer_ranked(reader, r->to)) {
        q->roles[q->n_roles++] =
            choice_one(reader->arena, role, reader_span(reader, verb, at), 1);
        reader->at = verb + 1;
        return true;
    }
    struct asked_filter *doer =
        things == r->from && ends_or_dated(reader, verb + 1)
            ? doer_before(reader)
            : NULL;
    if (doer)
        reader->at = verb + 1;
    else if (things == r->from && joins_doer(reader, r, verb + 1))
        doer = value_after(reader, verb, verb + 2);
    if (!doer)
        return false;
    refer(reader, r, doer);
    return true;
}

/* ---- a dataset between the two --------------------------------------------------- */

/* What it led to is counted, and may be counted once or each time. */
static bool check_once(struct question_reader *reader, size_t link, size_t a,
                       size_t b, struct str words)
{
    const struct ontology *o = reader->lexicon->ontology;
    if (links_once(o, link, a, b))
        return true;
    reader_object(reader,
                  "“%.*s” may count each of the %.*s once or each time; say "
                  "“number of %.*s” for each time",
                  STR_ARG(words), STR_ARG(o->datasets[b].name),
                  STR_ARG(spoken(reader->arena, o->datasets[link].name)));
    return false;
}

/* The only other dataset that it leads to; SIZE_MAX: there are several. */
static size_t other_end(const struct ontology *o, size_t link, size_t things)
{
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < o->n_datasets; i++) {
        if (i == things || !ways_between(o, link, i))
            continue;
        if (found != SIZE_MAX || ways_between(o, link, i) > 1)
            return SIZE_MAX;
        found = i;
    }
    return found;
}

static void mention_link(struct question_reader *reader, size_t link,
                         struct str words)
{
    struct question *q = reader->question;
    struct term term = {TERM_DATASET, WEIGHT_NAME, link, link};
    if (q->n_mentions < QUESTION_MENTIONS)
        q->mentions[q->n_mentions++] =
            choice_one(reader->arena, term, words, 1);
}

static bool link_read(struct question_reader *reader, size_t link)
{
    static const char joints[] = "by";
    const struct ontology *o = reader->lexicon->ontology;
    size_t verb = reader->at, at = verb + 1, things = asked_things(reader);
    struct str words = reader_span(reader, verb, verb + 1);
    struct choice object;
    if (most_follows(reader, &at, &object)) {
        size_t to = object.terms[0].dataset;
        size_t doer = other_end(o, link, to);
        if (doer == SIZE_MAX || ways_between(o, link, to) != 1 ||
            !is_end(reader, at + object.n_words) || !doer_ranked(reader, doer))
            return false;
        words = reader_span(reader, verb, at + object.n_words);
        check_once(reader, link, doer, to, words);
        mention_link(reader, link, words);
        reader->at = verb + 1;
        return true;
    }
    size_t other = things == SIZE_MAX ? SIZE_MAX : other_end(o, link, things);
    if (other == SIZE_MAX || ways_between(o, link, things) != 1)
        return false;
    bool counts = reader->counted.n || reader->question->n_measures;
    if (!reader->list && !counts && !links_once(o, link, other, things))
        return false; /* it may be a list */
    struct asked_filter *value =
        ends_or_dated(reader, verb + 1) ? doer_before(reader) : NULL;
    if (value)
        reader->at = verb + 1;
    else
        value = value_after(reader, verb,
                            verb + 1 + reader_in(reader, verb + 1, joints));
    if (!value)
        return false;
    if (!reader->list && !check_once(reader, link, other, things,
                                     reader_span(reader, 0, reader->at)))
        return true;
    value->deed = DEED_LINKED;
    value->through = link;
    value->near = other;
    return true;
}

/* ---- sales ------------------------------------------------------------------------ */

/* Lines of what was sold, and not of what was returned or is in stock. */
static bool is_sale(const struct dataset *d)
{
    static const char sales[] = "sale sales order orders invoice invoices";
    static const char others[] =
        "purchase return returns returned refund refunds stock inventory supply "
        "supplier vendor warehouse work quote quotes";
    return name_has(d->name, sales) && !name_has(d->name, others);
}

/* Some of the rows, or of what they belong to, may have been cancelled or returned,
 * so that not all of them are sales. */
static bool has_undone(const struct question_reader *reader, size_t lines)
{
    static const char undone[] =
        "cancelled canceled returned refunded void voided return refund";
    const struct lexicon *lexicon = reader->lexicon;
    struct str rest = str_of(undone), word;
    while (str_split(&rest, ' ', &word)) {
        const struct sample_list *list = samples_find(&lexicon->samples, word);
        for (size_t i = 0; list && i < list->n; i++) {
            size_t dataset = list->items[i].dataset;
            if (dataset == lines ||
                ways_between(lexicon->ontology, lines, dataset))
                return true;
        }
    }
    return false;
}

/* The only dataset that refers to the goods and has a quantity of them, and its
 * quantity; false: there is none, or several. */
static bool lines_of(const struct question_reader *reader, size_t goods,
                     size_t *lines, size_t *quantity)
{
    const struct ontology *o = reader->lexicon->ontology;
    static const char words[] = "quantity qty units";
    size_t found = 0;
    for (size_t i = 0; i < o->n_datasets; i++) {
        const struct dataset *d = &o->datasets[i];
        if (i == goods || ways_between(o, i, goods) != 1)
            continue;
        for (size_t k = 0; k < d->n_fields; k++)
            if (field_is_number(&d->fields[k]) && !field_is_id(&d->fields[k]) &&
                name_has(d->fields[k].name, words) &&
                !field_is_level(&d->fields[k])) {
                found++;
                *lines = i;
                *quantity = k;
            }
    }
    return found == 1 && is_sale(&o->datasets[*lines]) &&
           !has_undone(reader, *lines);
}

static void quantity_measured(struct question_reader *reader, size_t lines,
                              size_t quantity, struct str words)
{
    const struct ontology *o = reader->lexicon->ontology;
    struct term term = {TERM_FIELD, WEIGHT_NAME, lines, quantity};
    struct choice what = choice_one(
        reader->arena, term, o->datasets[lines].fields[quantity].name, 1);
    reader->question->n_measures = 0;
    reader->counted = (struct choice){.n = 0};
    measure_add(reader,
                (struct asked_measure){.function = FUNCTION_SUM, .what = what});
    question_note(
        reader->question,
        arena_printf(reader->arena, "How is “%.*s” counted?", STR_ARG(words)),
        arena_printf(reader->arena, "By the sum of %.*s.",
                     STR_ARG(field_path(reader->arena, o, lines, quantity))));
}

static bool sale_read(struct question_reader *reader)
{
    static const char sells[] = "sell sells sold";
    static const char buys[] = "buy buys bought purchase purchases purchased";
    static const char passive[] = "was were been";
    static const char sellers[] = "we they";
    const struct ontology *o = reader->lexicon->ontology;
    struct question *q = reader->question;
    size_t verb = reader->at, at = verb + 1, lines, quantity;
    struct str words = reader_span(reader, verb, verb + 1);
    bool buyer = reader_in(reader, verb, buys);
    if (reader->list || !(buyer || reader_in(reader, verb, sells)))
        return false;
    struct choice goods;
    if (most_follows(reader, &at, &goods)) {
        size_t doer = q->subject.n ? dataset_in(reader, q->subject) : SIZE_MAX;
        if (doer == SIZE_MAX || q->n_measures || reader->superlative_said ||
            !lines_of(reader, goods.terms[0].dataset, &lines, &quantity) ||
            is_buyers(reader->arena, &o->datasets[doer]) != buyer)
            return false;
        quantity_measured(reader, lines, quantity, words);
        reader->superlative_said = true;
        q->top.ranked = true;
        reader->at = at + goods.n_words;
        return true;
    }
    size_t counted = q->n_measures == 1 && !q->n_dimensions && reader->counted.n
                         ? dataset_in(reader, reader->counted)
                         : SIZE_MAX;
    if (counted == SIZE_MAX || !ends_or_dated(reader, verb + 1) ||
        q->measures[0].function == FUNCTION_DISTINCT ||
        !lines_of(reader, counted, &lines, &quantity))
        return false;
    struct asked_filter *doer = doer_before(reader);
    bool done = reader_in(reader, verb - 1, passive) ||
                (!buyer && reader_in(reader, verb - 1, sellers));
    if (!doer && !done)
        return false;
    if (doer) {
        doer->deed = buyer ? DEED_BOUGHT : DEED_SOLD;
        doer->near = buyer ? SIZE_MAX : counted;
    }
    quantity_measured(reader, lines, quantity, words);
    reader->at = verb + 1;
    return true;
}

/* ---- the verb ---------------------------------------------------------------------- */

/* The word is no verb, but a name: after "the", or before an operator. */
static bool is_named(const struct question_reader *reader, size_t at)
{
    static const char before[] =
        "the a an of by per each every which what with no many most in on for";
    return !at || reader_in(reader, at - 1, before) ||
           reader_match(reader, at).n_words > 1;
}

bool deed_named(const struct question_reader *reader, size_t at)
{
    const struct question_word *word = reader_word(reader, at);
    struct str root = root_of(word->lower);
    return word->kind == WORD_PLAIN && !word->capital &&
           (reader_in(reader, at, "sell sells sold buy buys bought") ||
            reference_of(reader, root) || link_of(reader, root) != SIZE_MAX);
}

/* The same at the verb. */
static bool verb_taken(struct question_reader *reader)
{
    size_t at = reader->at;
    const struct question_word *word = reader_word(reader, at);
    if (word->kind != WORD_PLAIN || word->capital || is_named(reader, at) ||
        is_denied(reader, at))
        return false;
    if (sale_read(reader))
        return true;
    struct str root = root_of(word->lower);
    const struct relationship *r = reference_of(reader, root);
    if (r)
        return reference_read(reader, r);
    size_t link = link_of(reader, root);
    return link != SIZE_MAX && link_read(reader, link);
}

bool deed_read(struct question_reader *reader)
{
    static const char pronouns[] = "who that which";
    size_t from = reader->at;
    reader->at += reader_in(reader, from, pronouns);
    if (verb_taken(reader))
        return true;
    reader->at = from;
    return false;
}

void deeds_settle(struct question_reader *reader)
{
    const struct question *q = reader->question;
    for (size_t i = 0; i < q->n_filters; i++)
        if ((q->filters[i].deed == DEED_LINKED ||
             q->filters[i].deed == DEED_DATED) &&
            window_is_set(&q->window))
            reader_object(reader,
                          "“%.*s” may be when it was done or a date of what "
                          "it was done with",
                          STR_ARG(q->window.words));
}
