/* reader_attribute.c - what is asked of the things in a list of them, or next to a
 * figure: "the top 5 products by revenue with their category and brand", "name and
 * city of the store with the most orders".
 *
 * Each of the things has one of it, so it groups nothing. It must be a field of the
 * things or of something that they belong to. */
#include "field.h"
#include "reader.h"
#include "sql/expression.h"
#include "base/banned.h"

/* ---- a list of names and fields -------------------------------------------- */

static bool has_own(const struct choice *what, size_t dataset)
{
    for (size_t i = 0; i < what->n; i++)
        if (what->terms[i].kind == TERM_FIELD &&
            what->terms[i].dataset == dataset)
            return true;
    return false;
}

/* "Number of orders", also where a field is called number; next to a figure also
 * "total revenue", or a metric that is not the price that each of the things has. */
static bool is_figure(const struct question_reader *reader, size_t at,
                      const struct attributes *all, const struct choice *match)
{
    enum function function = FUNCTION_NONE;
    size_t n = function_at(reader, at, &function);
    if (n > match->n_words || !all->beside)
        return n > match->n_words;
    return (n && reader_match(reader, at + n).n) ||
           (choice_has(match, TERM_METRIC) && !has_own(match, all->of));
}

size_t attribute_at(const struct question_reader *reader, size_t at,
                    const struct attributes *all, struct choice *what,
                    bool *key)
{
    size_t full = reader_phrase(reader, at, "full name|full names");
    *what = (struct choice){.n = 0};
    *key = false;
    if (full)
        return full;
    struct choice match = reader_match(reader, at);
    if (match.n_words < 2 && reader_in(reader, at, "name names"))
        return 1;
    *key = match.n_words < 2 && reader_in(reader, at, "id ids");
    if (*key)
        return 1;
    if (!choice_has(&match, TERM_FIELD) && !choice_has(&match, TERM_DATASET))
        return 0;
    if (is_figure(reader, at, all, &match))
        return 0;
    *what = match;
    return match.n_words;
}

static size_t joint_at(const struct question_reader *reader, size_t at)
{
    static const char words[] = "and & , the their its";
    size_t n = 0;
    while (reader_in(reader, at + n, words))
        n++;
    return n ? n : reader_phrase(reader, at, "as well as");
}

size_t attributes_at(const struct question_reader *reader, size_t at,
                     struct attributes *all)
{
    size_t from = at, joint = 0, n, n_before = all->n;
    do {
        struct choice what;
        bool key;
        at += joint;
        n = attribute_at(reader, at, all, &what, &key);
        if (!n || (what.n && all->n == ATTRIBUTES)) {
            all->n = n_before;
            return 0;
        }
        all->keys = all->keys || key;
        if (what.n)
            all->what[all->n++] = what;
        at += n;
        joint = joint_at(reader, at);
    } while (joint && !reader_is(reader, at, "the") &&
             attribute_at(reader, at + joint, all, &(struct choice){.n = 0},
                          &(bool){false}));
    return at - from;
}

struct choice own_fields(const struct question_reader *reader,
                         struct choice fields, size_t dataset)
{
    struct choice own = choice_of(reader->arena, fields, TERM_FIELD);
    size_t n = 0;
    for (size_t i = 0; i < own.n; i++)
        if (own.terms[i].dataset == dataset)
            own.terms[n++] = own.terms[i];
    own.n = n;
    return n ? own : fields;
}

struct choice attribute_own(const struct question_reader *reader,
                            struct choice what, size_t dataset)
{
    const struct dataset *d = &reader->lexicon->ontology->datasets[dataset];
    struct choice rows = choice_of(reader->arena, what, TERM_DATASET);
    struct choice own =
        own_fields(reader, choice_of(reader->arena, what, TERM_FIELD), dataset);
    bool has = own.n && own.terms[0].dataset == dataset;
    if (has && !(rows.n && field_is_id(&d->fields[own.terms[0].index])))
        return own;
    return rows.n ? rows : own;
}

struct choice field_choice(const struct question_reader *reader, size_t dataset,
                           size_t field)
{
    const struct dataset *d = &reader->lexicon->ontology->datasets[dataset];
    struct term term = {TERM_FIELD, WEIGHT_NAME, dataset, field};
    return choice_one(reader->arena, term,
                      spoken(reader->arena, d->fields[field].name), 1);
}

size_t key_field(const struct dataset *d)
{
    return d->primary_key.n == 1 ? field_of_column(d, d->primary_key.items[0])
                                 : SIZE_MAX;
}

/* ---- before what is measured ------------------------------------------------- */

/* A number may be what is measured. */
static bool has_figures(const struct question_reader *reader,
                        const struct attributes *all)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct field *field = first_field(reader, &all->what[i]);
        if (field && field_is_number(field) && !field_is_year(field) &&
            !choice_has(&all->what[i], TERM_DATASET))
            return true;
    }
    return false;
}

static bool holds_phrase(const struct question_reader *reader, size_t at,
                         const char *phrases)
{
    while (at < reader->words.n && !reader_phrase(reader, at, phrases))
        at++;
    return at < reader->words.n;
}

/* "Name and total salary of each hotel": a figure of each comes next. */
static bool figure_follows(const struct question_reader *reader, size_t at)
{
    static const char each[] = "of each|of every|for each|for every";
    enum function function = FUNCTION_NONE;
    size_t joint = joint_at(reader, at);
    size_t n = function_at(reader, at + joint, &function);
    struct choice what = reader_match(reader, at + joint);
    return joint && (n || choice_has(&what, TERM_METRIC)) &&
           !reader_in(reader, at + joint + n, "each every") &&
           holds_phrase(reader, at + joint, each);
}

/* "Of the top", "of the two stores with the most orders": things that are ranked.
 * *things: the word at which they begin. */
static bool ranked_follow(const struct question_reader *reader, size_t at,
                          size_t *things)
{
    static const char clauses[] = "with having who that which whose";
    static const char ranks[] =
        "the most|the fewest|the least|highest|lowest|largest|smallest|more than|"
        "at least|fewer than|less than|over|an average|average";
    if (!reader_in(reader, at, "of for"))
        return false;
    at += 1 + reader_is(reader, at + 1, "the");
    *things = at;
    if (reader_in(reader, at, "top bottom"))
        return true;
    at += word_count(reader_word(reader, at)) > 0;
    struct choice what = reader_match(reader, at);
    at += what.n_words;
    return choice_has(&what, TERM_DATASET) && reader_in(reader, at, clauses) &&
           holds_phrase(reader, at, ranks);
}

/* "[The two] stores with the most orders": the stores are what is asked for. */
static bool things_read(struct question_reader *reader, size_t at)
{
    struct question *q = reader->question;
    size_t count = word_count(reader_word(reader, at));
    at += count > 0;
    struct choice things =
        choice_of(reader->arena, reader_match(reader, at), TERM_DATASET);
    if (things.n != 1)
        return false;
    q->subject = things;
    q->subject_one =
        !word_is_plural(reader_word(reader, at + things.n_words - 1));
    if (count)
        q->top = (struct top){count, false, true};
    reader_mention(reader, things);
    reader->at = at + things.n_words;
    return true;
}

bool attributes_read(struct question_reader *reader)
{
    struct attributes all = {.beside = true, .of = SIZE_MAX};
    size_t things = 0, at = reader->at;
    if (reader->list || reader->begun)
        return false;
    size_t n = attributes_at(reader, at, &all);
    if (n && !has_figures(reader, &all) && figure_follows(reader, at + n)) {
        reader->beside = all;
        reader->at = at + n;
        return true;
    }
    bool only_name = !all.n && !all.keys;
    if (!n || only_name || !ranked_follow(reader, at + n, &things))
        return false;
    reader->beside = all;
    reader->at = things;
    if (!reader_in(reader, things, "top bottom"))
        things_read(reader, things);
    return true;
}

bool some_read(struct question_reader *reader)
{
    static const char clauses[] = "with having who that which whose";
    size_t at = reader->at;
    if (reader->list || reader->begun || reader->question->subject.n ||
        !word_count(reader_word(reader, at)))
        return false;
    struct choice what = reader_match(reader, at + 1);
    return choice_has(&what, TERM_DATASET) &&
           reader_in(reader, at + 1 + what.n_words, clauses) &&
           things_read(reader, at);
}

/* ---- after it ------------------------------------------------------------------ */

/* The things that are ranked or grouped so far; SIZE_MAX: none are. */
static size_t things_so_far(const struct question_reader *reader)
{
    const struct question *q = reader->question;
    struct choice rows = choice_of(reader->arena, q->subject, TERM_DATASET);
    for (size_t i = 0; !rows.n && i < q->n_dimensions; i++)
        rows = choice_of(reader->arena, q->dimensions[i].what, TERM_DATASET);
    if (!rows.n && q->n_mentions)
        rows = q->mentions[0];
    return rows.n ? rows.terms[0].dataset : SIZE_MAX;
}

bool its_read(struct question_reader *reader)
{
    static const char leads[] =
        "with their|with its|along with their|along with its|together with "
        "their|together with its|including their|including its|as well as "
        "their|as well as its|and their|and its|and his|and her";
    static const char bare[] = "their|its|his|her";
    struct attributes all = {.beside = true, .of = things_so_far(reader)};
    size_t at = reader->at, lead = reader_phrase(reader, at, leads);
    if (!lead && reader->joined)
        lead = reader_phrase(reader, at, bare);
    size_t n =
        lead && !reader->list ? attributes_at(reader, at + lead, &all) : 0;
    if (!n || reader->beside.n + all.n > ATTRIBUTES)
        return false;
    for (size_t i = 0; i < all.n; i++)
        reader->beside.what[reader->beside.n++] = all.what[i];
    reader->beside.keys = reader->beside.keys || all.keys;
    reader->at = at + lead + n;
    return true;
}

/* ---- whose they are -------------------------------------------------------------- */

/* The dimension of things of which it is asked: the only one, or the only one that
 * has such a field. SIZE_MAX: there is none, or several. */
static size_t owner_of(const struct question_reader *reader,
                       const struct choice *what)
{
    const struct question *q = reader->question;
    size_t only = SIZE_MAX, own = SIZE_MAX, n = 0, n_own = 0;
    for (size_t i = 0; i < q->n_dimensions; i++) {
        struct choice rows =
            choice_of(reader->arena, q->dimensions[i].what, TERM_DATASET);
        if (q->dimensions[i].grain || q->dimensions[i].beside || rows.n != 1)
            continue;
        n++;
        only = i;
        if (!has_own(what, rows.terms[0].dataset))
            continue;
        n_own++;
        own = i;
    }
    return n_own == 1 ? own : n == 1 ? only : SIZE_MAX;
}

static size_t owner_dataset(const struct question_reader *reader, size_t owner)
{
    return choice_of(reader->arena, reader->question->dimensions[owner].what,
                     TERM_DATASET)
        .terms[0]
        .dataset;
}

/* Adds a column, unless it is what the things are called. */
static void beside_add(struct question_reader *reader, struct choice what,
                       size_t owner)
{
    struct question *q = reader->question;
    size_t dataset = owner_dataset(reader, owner);
    const struct dataset *d = &reader->lexicon->ontology->datasets[dataset];
    what = attribute_own(reader, what, dataset);
    const struct term *t = &what.terms[0];
    bool label = what.n == 1 && t->kind == TERM_FIELD &&
                 t->dataset == dataset && t->index == dataset_label(d);
    if (label)
        return;
    if (q->n_dimensions == QUESTION_DIMENSIONS)
        reader_object(reader, "too many dimensions at once");
    else
        q->dimensions[q->n_dimensions++] = (struct asked_dimension){
            .what = what, .beside = true, .owner = owner};
}

static void no_owner(struct question_reader *reader, const struct choice *what)
{
    const struct question *q = reader->question;
    struct str words = q->n_mentions ? q->mentions[0].words : STR("…");
    if (q->listing && !q->n_measures) /* a list of it, which is refused later */
        return;
    reader_object(reader,
                  "I do not see of what “%.*s” is asked; say “by %.*s” for "
                  "the figure of each",
                  STR_ARG(what->words), STR_ARG(words));
}

void attributes_settle(struct question_reader *reader)
{
    struct question *q = reader->question;
    const struct attributes *all = &reader->beside;
    size_t groups = q->n_dimensions;
    for (size_t i = 0; i < all->n; i++) {
        size_t owner = owner_of(reader, &all->what[i]);
        if (owner == SIZE_MAX) {
            no_owner(reader, &all->what[i]);
            return;
        }
        beside_add(reader, all->what[i], owner);
    }
    if (!all->keys)
        return;
    size_t owner = owner_of(reader, &(struct choice){.n = 0});
    size_t dataset =
        owner == SIZE_MAX ? SIZE_MAX : owner_dataset(reader, owner);
    size_t key = owner == SIZE_MAX
                     ? SIZE_MAX
                     : key_field(&reader->lexicon->ontology->datasets[dataset]);
    if (key == SIZE_MAX || groups == QUESTION_DIMENSIONS)
        reader_object(reader, "I do not see whose id is asked for");
    else
        beside_add(reader, field_choice(reader, dataset, key), owner);
}
