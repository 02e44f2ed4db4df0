/* nearest.c - the question nearest to a refused one that can be answered. It is
 * built from the parts that were understood, and tried before it is offered. */
#include "analysis.h"
#include "read/field.h"
#include "base/edit_distance.h"
#include "base/banned.h"

enum { TRIES_MOST = 12, NAMES_MOST = 3, TEXT_MOST = 300 };

struct attempt {
    const struct analysis *a;
    size_t tries;
    bool whole; /* only what adds up over the groups */
};

/* No value is to be looked up, which may find that there is none. */
static bool knows_values(const struct bound_query *query)
{
    for (size_t i = 0; i < query->n_conditions; i++)
        for (size_t j = 0; j < query->conditions[i].n_searches; j++)
            if (!query->conditions[i].searches[j].known)
                return false;
    return true;
}

static bool is_answerable(struct attempt *attempt, struct str question)
{
    const struct analysis *a = attempt->a;
    struct analysis trial;
    struct analyst_context context = {.ontology = a->context->ontology,
                                      .question = question,
                                      .today = a->context->today};
    if (attempt->tries++ >= TRIES_MOST || !question.len ||
        question.len > TEXT_MOST ||
        str_eq_nocase(question, str_trim(a->context->question)))
        return false;
    struct arena_mark mark = arena_mark(a->arena);
    analysis_make_with(a->arena, &context, &a->lexicon, &trial);
    bool answerable = trial.kind == ANALYSIS_DATA && knows_values(trial.query);
    if (answerable && attempt->whole)
        answerable = trial.query->measures[0].adds;
    arena_reset(a->arena, mark);
    return answerable;
}

/* The text with `part` replaced, in one line of single spaces. */
static struct str replaced(struct arena *arena, struct str text,
                           struct str part, struct str with)
{
    ptrdiff_t at = str_find(text, part);
    struct buf out;
    if (at < 0)
        return STR("");
    struct str whole =
        arena_printf(arena, "%.*s%.*s%.*s", (int)at, text.ptr, STR_ARG(with),
                     STR_ARG(str_from(text, (size_t)at + part.len)));
    buf_init(&out, arena);
    for (size_t i = 0; i < whole.len; i++) {
        char c = whole.ptr[i];
        bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        bool after = out.len && out.ptr[out.len - 1] != ' ';
        if (!space)
            buf_char(&out, c);
        else if (after)
            buf_char(&out, ' ');
    }
    return str_trim(buf_view(&out));
}

enum { SLIPS_MOST = 2 };

/* "revenue" for "revnue": one noun is put for another. A name that only contains
 * the word, "selling price" for "sell", makes no sentence. */
static bool is_spelt_like(struct str word, struct str name)
{
    return word.len > 2 * SLIPS_MOST && edit_distance(word, name) <= SLIPS_MOST;
}

/* The question reads as a sentence, so that a word cannot just be left out: it may
 * be the verb, or what an article belongs to. */
static bool is_sentence(const struct question_words *words)
{
    static const char verbs[] =
        "did do does were are is was has have had can could most least";
    static const char asks[] = "which who where when why how";
    static const char leads[] = "what what's whats much";
    if (words->n && word_in(&words->items[0], asks))
        return true;
    for (size_t i = 1; i < words->n; i++)
        if (word_in(&words->items[i], verbs) &&
            !(i == 1 && word_in(&words->items[0], leads)))
            return true;
    return false;
}

/* The text has a word of the list. */
static bool holds_word(struct str text, const char *list)
{
    struct str word;
    while (str_split(&text, ' ', &word))
        if (list_has(list, word))
            return true;
    return false;
}

static bool is_unknown(const struct question *q, const char *list)
{
    for (size_t i = 0; i < q->n_unknown; i++)
        if (holds_word(q->unknown[i], list))
            return true;
    return false;
}

/* Without its negation, a question is its opposite. */
static bool is_negated(const struct question *q)
{
    return is_unknown(
        q, "not no never without nor neither none except excluding excluded "
           "but nobody isn't isnt aren't arent wasn't wasnt weren't werent "
           "don't dont doesn't doesnt didn't didnt haven't havent hasn't hasnt "
           "hadn't hadnt won't wont can't cant cannot unless minus");
}

/* Without what it is compared with, or that it is the future, a question is another
 * one. */
static bool is_limited(const struct question *q)
{
    return is_unknown(
        q, "more less than over under above below between least most longer "
           "shorter older younger higher lower larger smaller bigger fewer "
           "later earlier both only until before after within since vs versus "
           "by first last");
}

static bool is_of_future(const struct question *q)
{
    return is_unknown(q, "will would should forecast predict prediction "
                         "expect expected projected tomorrow");
}

/* What is left begins with "of", or ends with "we". */
static bool is_torn(struct str text)
{
    static const char joints[] = "of by from for and per in with to";
    static const char ends[] =
        "of by from for and per in with to we i they that who which the a";
    struct str rest = text, first, word, last = STR("");
    while (str_split(&rest, ' ', &word))
        last = word;
    rest = text;
    return !str_split(&rest, ' ', &first) || list_has(joints, first) ||
           list_has(ends, last) || holds_word(text, "that who which") ||
           str_find(text, STR(" ,")) >= 0 || str_find(text, STR(" .")) >= 0 ||
           str_find(text, STR(" of and ")) >= 0 ||
           str_find(text, STR(" the of ")) >= 0;
}

/* The question with names of the model for its unknown words, or without them. */
static struct str without_unknown(struct attempt *attempt,
                                  const struct question *q, bool sentence)
{
    const struct analysis *a = attempt->a;
    struct str text = a->context->question;
    for (size_t i = 0; i < q->n_unknown; i++) {
        struct str_list near =
            vocabulary_near(&a->lexicon.vocabulary, q->unknown[i], NAMES_MOST);
        struct str left = text;
        for (size_t k = 0; k < q->n_unknown; k++)
            if (k != i)
                left = replaced(a->arena, left, q->unknown[k], STR(""));
        for (size_t j = 0; j < near.n; j++) {
            /* A field by its own name, else with that of its dataset. */
            ptrdiff_t dot = str_find_char(near.items[j], '.');
            struct str name =
                spoken(a->arena, str_from(near.items[j], (size_t)(dot + 1)));
            if (sentence &&
                (q->n_unknown > 1 || !is_spelt_like(q->unknown[i], name)))
                continue;
            struct str trial = replaced(a->arena, left, q->unknown[i], name);
            if (is_answerable(attempt, trial))
                return trial;
            trial = replaced(a->arena, left, q->unknown[i],
                             spoken(a->arena, near.items[j]));
            if (dot >= 0 && !sentence && is_answerable(attempt, trial))
                return trial;
        }
    }
    if (sentence || !q->n_unknown || is_limited(q))
        return STR("");
    for (size_t i = 0; i < q->n_unknown; i++)
        text = replaced(a->arena, text, q->unknown[i], STR(""));
    return !is_torn(text) && is_answerable(attempt, text) ? text : STR("");
}

/* ---- from its parts --------------------------------------------------------- */

enum { METRICS_OFFERED = 8 };

/* What is asked for: "number of " "stores", "list " "stores", "" "revenue". */
struct head {
    const char *lead;
    struct str noun; /* empty: nothing that can be said */
};

/* "Campaigns" for "campaign"; a name that is a plural already stays. */
static struct str in_plural(struct arena *arena, struct str noun)
{
    static const char hissing[] = "s x z ch sh";
    bool y = noun.len > 1 && str_ends(noun, STR("y")) &&
             !list_has("a e i o u", str_cut(noun, noun.len - 2, 1));
    if (!str_eq_nocase(singular(arena, noun), spoken(arena, noun)))
        return noun;
    return y ? arena_printf(arena, "%.*sies", (int)noun.len - 1, noun.ptr)
             : arena_printf(arena, "%.*s%s", STR_ARG(noun),
                            list_ends(hissing, noun) ? "es" : "s");
}

/* Neither a number of things nor a list of them is near to "why do stores close". */
static bool wants_neither(const struct question_words *words)
{
    static const char asks[] =
        "what what's whats how why when where did does do "
        "is are was were can could has have had";
    static const char counts[] = "many number count";
    for (size_t i = 0; i < words->n; i++)
        if (word_in(&words->items[i], counts))
            return false;
    return words->n && word_in(&words->items[0], asks);
}

/* The first measure, or the things that are named: how many there are, or where
 * rows are asked for, a list of them. */
static struct head head_of(const struct analysis *a, const struct question *q,
                           const struct question_words *words)
{
    static const char *const functions[] = {
        "",         "number of ", "number of ", "total ",
        "average ", "minimum ",   "maximum ",   "median "};
    static const char rows[] = "list show display find give get who which name";
    const struct asked_measure *m = &q->measures[0];
    const struct choice *things = q->n_mentions ? &q->mentions[0] : &q->subject;
    const struct term *term = q->subject.n ? &q->subject.terms[0] : NULL;
    bool counts = q->n_measures && m->function == FUNCTION_COUNT;
    bool lists =
        !q->n_dimensions && words->n && word_in(&words->items[0], rows);
    if (counts && !q->n_dimensions && wants_neither(words))
        return (struct head){"", STR("")};
    if (q->n_measures)
        return (struct head){functions[m->function],
                             counts ? in_plural(a->arena, m->what.words)
                                    : m->what.words};
    if (term && term->kind == TERM_FIELD && /* "what quantity" */
        field_is_number(
            &a->context->ontology->datasets[term->dataset].fields[term->index]))
        return (struct head){"", q->subject.words};
    if (choice_has(things, TERM_DATASET) && !q->top.ranked &&
        (q->n_dimensions || !wants_neither(words)))
        return (struct head){lists ? "list " : "number of ",
                             in_plural(a->arena, things->words)};
    return (struct head){"", STR("")};
}

static struct str head_text(struct arena *arena, const struct head *head)
{
    return arena_printf(arena, "%s%.*s", head->lead, STR_ARG(head->noun));
}

/* " by city by month" */
static struct str groups(struct arena *arena, const struct question *q,
                         const struct head *head)
{
    struct buf out;
    buf_init(&out, arena);
    for (size_t i = 0; i < q->n_dimensions; i++) {
        const struct asked_dimension *d = &q->dimensions[i];
        struct str words = d->part == PART_HOUR ? STR("hour")
                           : d->part            ? STR("weekday")
                           : d->grain           ? str_of(unit_words[d->grain])
                                                : d->what.words;
        if (words.len && str_find(head->noun, words) < 0)
            buf_printf(&out, " by %.*s", STR_ARG(words));
    }
    if (!q->n_dimensions && q->subject.n &&
        str_find(head->noun, q->subject.words) < 0)
        buf_printf(&out, " by %.*s", STR_ARG(q->subject.words));
    return buf_view(&out);
}

/* A value that may hold a verb, "Peacock performing". */
static bool is_doubtful(const struct asked_filter *filter)
{
    for (size_t i = 0; i < filter->n_values; i++) {
        struct str rest = filter->values[i].text, word;
        while (filter->kind == FILTER_SEARCH && !filter->values[i].samples &&
               str_split(&rest, ' ', &word))
            if (word.len && word.ptr[0] >= 'a' && word.ptr[0] <= 'z')
                return true;
    }
    return false;
}

/* The filters as written. One that has the noun, "of cancelled orders", takes its
 * place in the head. False: the noun has another part there, "to the Leeds branch",
 * so that nothing can be said of it. */
static bool conditions(struct arena *arena, const struct question *q,
                       struct head *head, struct str *where)
{
    static const char negations[] = "not never";
    static const char joints[] = "to in at for from by with on";
    struct str noun = head->noun;
    struct buf out;
    buf_init(&out, arena);
    for (size_t i = 0; i < q->n_filters; i++) {
        struct str words = q->filters[i].words, rest = words, first;
        if (is_doubtful(&q->filters[i]) || !str_split(&rest, ' ', &first))
            continue;
        bool of = str_eq_nocase(first, STR("of"));
        struct str bare = in_plural(arena, of ? rest : words);
        if (list_has(negations, first) && q->filters[i].kind == FILTER_EXISTS)
            buf_printf(&out, " who have %.*s", STR_ARG(words));
        else if (list_has("is are was were", first))
            buf_printf(&out, " that are%.*s",
                       STR_ARG(str_from(words, first.len)));
        else if (!noun.len || !str_ends(bare, noun))
            buf_printf(&out, " %.*s", STR_ARG(words));
        else if (list_has(joints, first))
            return false;
        else
            head->noun = bare;
    }
    *where = buf_view(&out);
    return true;
}

/* "Top 5 stores by revenue"; empty: nothing is ranked, or by what is not known, as
 * of "the most popular". */
static struct str ranking(struct arena *arena, const struct question *q,
                          const struct head *head)
{
    const struct choice *group =
        q->n_dimensions ? &q->dimensions[0].what : &q->subject;
    /* The number of treatments of each treatment ranks nothing. */
    struct str things = in_plural(arena, group->words);
    if (!group->words.len || !q->top.ranked || !q->n_measures ||
        str_eq_nocase(things, in_plural(arena, head->noun)))
        return STR("");
    return arena_printf(arena, "%s %zu %.*s by %.*s",
                        q->top.lowest ? "bottom" : "top",
                        q->top.n > 1 ? q->top.n : 5, STR_ARG(things),
                        STR_ARG(head_text(arena, head)));
}

/* "Delivered in March": the period is of a deed that is not known. */
static bool is_of_unknown(const struct question *q)
{
    for (size_t i = 0; i < q->n_unknown; i++) {
        const char *end = q->unknown[i].ptr + q->unknown[i].len;
        const char *when = q->window.words.ptr;
        if (when == end + sizeof " " - 1 || when == end + sizeof " in " - 1)
            return true;
    }
    return false;
}

/* How often the text denies something. */
static size_t denials(struct arena *arena, struct str text)
{
    static const char words[] =
        "not no never without nor neither none except excluding excluded";
    struct question_words all = words_read(arena, text);
    size_t n = 0;
    for (size_t i = 0; i < all.n; i++)
        n += word_in(&all.items[i], words);
    return n;
}

/* What is offered with a condition denies what the question denies: the no-shows are
 * not near to all but them. */
static bool keeps_denials(const struct attempt *attempt, struct str trial)
{
    const struct analysis *a = attempt->a;
    return denials(a->arena, trial) >= denials(a->arena, a->context->question);
}

/* The head with all of the other parts, because without one of them it is another
 * question; one that was not `asked` for needs a part. */
static struct str with_parts(struct attempt *attempt, const struct question *q,
                             struct head head, bool asked)
{
    struct arena *arena = attempt->a->arena;
    struct str plain = head_text(arena, &head);
    struct str by = groups(arena, q, &head);
    struct str where = STR(""), when = STR("");
    if (is_of_unknown(q))
        return STR("");
    if (!is_negated(q) && !conditions(arena, q, &head, &where))
        return STR("");
    struct str measure = head_text(arena, &head);
    struct str top = ranking(arena, q, &head);
    if (q->window.words.len)
        when = arena_printf(arena, " %.*s", STR_ARG(q->window.words));
    const struct {
        struct str head, by, where, when;
    } trials[] = {{top, STR(""), where, when}, {measure, by, where, when}};
    attempt->tries = 0;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        bool bare = str_eq(trials[i].head, plain) && !trials[i].by.len &&
                    !trials[i].where.len && !trials[i].when.len;
        if (!trials[i].head.len || (bare && !asked))
            continue;
        struct str trial =
            arena_printf(arena, "%.*s%.*s%.*s%.*s", STR_ARG(trials[i].head),
                         STR_ARG(trials[i].by), STR_ARG(trials[i].where),
                         STR_ARG(trials[i].when));
        bool denies = !trials[i].where.len || keeps_denials(attempt, trial);
        if (denies && is_answerable(attempt, trial))
            return trial;
    }
    return STR("");
}

/* An unknown word before the group says which is wanted, "the strongest city", and so
 * does a superlative; another one after it is what the group did. */
static bool qualifies_group(const struct question *q)
{
    const struct choice *group =
        q->subject.n ? &q->subject : &q->dimensions[0].what;
    for (size_t i = 0; i < q->n_unknown; i++)
        if (group->words.len && q->unknown[i].ptr > group->words.ptr &&
            !str_ends(q->unknown[i], STR("est")))
            return false;
    return true;
}

/* Where something that is not known was asked for by a group, one of the model's
 * first metrics is offered; "what was our profit in 2024" has none near to it. */
static struct str from_parts(struct attempt *attempt, const struct question *q,
                             const struct question_words *words)
{
    const struct ontology *o = attempt->a->context->ontology;
    struct str nearest = STR("");
    struct head head = head_of(attempt->a, q, words);
    bool per =
        q->subject.n && q->n_dimensions && q->top.ranked &&
        (!q->dimensions[0].what.n ||
         !term_same(&q->subject.terms[0], &q->dimensions[0].what.terms[0]));
    if (per) /* "which genre has the most fines per loan" */
        return nearest;
    if (head.noun.len)
        return with_parts(attempt, q, head, q->n_measures > 0);
    attempt->whole = true;
    bool grouped = (q->n_dimensions || q->subject.n) && !q->n_filters &&
                   qualifies_group(q);
    for (size_t i = 0;
         grouped && !nearest.len && i < METRICS_OFFERED && i < o->n_metrics;
         i++) {
        head.noun = spoken(attempt->a->arena, o->metrics[i].name);
        nearest = with_parts(attempt, q, head, false);
    }
    return nearest;
}

static void put_left_out(struct str words, struct str nearest, struct buf *out)
{
    struct str trimmed = str_trim(words);
    if (trimmed.len && str_find_nocase(nearest, trimmed) < 0)
        buf_printf(out, "%s“%.*s”", out->len ? ", " : "", STR_ARG(trimmed));
}

/* What limits the question, and is not in the one that is offered. */
static struct str left_out_of(const struct analysis *a,
                              const struct question *q, struct str nearest)
{
    struct buf out;
    buf_init(&out, a->arena);
    for (size_t i = 0; i < q->n_unknown; i++)
        put_left_out(q->unknown[i], nearest, &out);
    for (size_t i = 0; i < q->n_filters; i++)
        put_left_out(q->filters[i].words, nearest, &out);
    for (size_t i = 0; i < q->n_havings; i++)
        put_left_out(q->havings[i].words, nearest, &out);
    put_left_out(q->window.words, nearest, &out);
    return buf_view(&out);
}

struct str analysis_nearest(const struct analysis *a, struct str *left_out)
{
    struct attempt attempt = {.a = a};
    struct question *q = arena_new(a->arena, struct question);
    question_read(&a->lexicon, a->context->question, NULL, q);
    struct question_words words = words_read(a->arena, a->context->question);
    struct str nearest = STR("");
    *left_out = STR("");
    if (is_of_future(q))
        return nearest;
    if (!is_negated(q))
        nearest = without_unknown(&attempt, q, is_sentence(&words));
    if (nearest.len)
        return nearest;
    nearest = from_parts(&attempt, q, &words);
    *left_out = left_out_of(a, q, nearest);
    return nearest;
}
