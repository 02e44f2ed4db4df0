/* nearest.c - the question nearest to a refused one that can be answered. It is
 * built from the parts that were understood, and tried before it is offered. */
#include "analysis.h"
#include "base/banned.h"

enum { TRIES_MOST = 12, NAMES_MOST = 3, TEXT_MOST = 300 };

struct attempt {
    const struct analysis *a;
    size_t tries;
};

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
    arena_reset(a->arena, mark);
    return trial.kind == ANALYSIS_DATA;
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

/* The question with names of the model for its unknown words, or without them. */
static struct str without_unknown(struct attempt *attempt,
                                  const struct question *q)
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
            struct str name = str_from(near.items[j], (size_t)(dot + 1));
            struct str trial =
                replaced(a->arena, left, q->unknown[i], spoken(a->arena, name));
            if (is_answerable(attempt, trial))
                return trial;
            trial = replaced(a->arena, left, q->unknown[i],
                             spoken(a->arena, near.items[j]));
            if (dot >= 0 && is_answerable(attempt, trial))
                return trial;
        }
    }
    for (size_t i = 0; i < q->n_unknown; i++)
        text = replaced(a->arena, text, q->unknown[i], STR(""));
    return q->n_unknown && is_answerable(attempt, text) ? text : STR("");
}

static struct str measure_words(struct arena *arena,
                                const struct asked_measure *m)
{
    static const char *const words[] = {"",         "number of ", "number of ",
                                        "total ",   "average ",   "minimum ",
                                        "maximum ", "median "};
    return arena_printf(arena, "%s%.*s", words[m->function],
                        STR_ARG(m->what.words));
}

/* The first measure with as many of the other parts as can be answered. */
static struct str from_parts(struct attempt *attempt, const struct question *q)
{
    struct arena *arena = attempt->a->arena;
    struct str measure = {NULL, 0}, by = {NULL, 0}, where = {NULL, 0};
    if (q->n_measures)
        measure = measure_words(arena, &q->measures[0]);
    else if (q->n_mentions)
        measure = arena_printf(arena, "number of %.*s",
                               STR_ARG(q->mentions[0].words));
    if (!measure.len)
        return STR("");
    const struct choice *group = q->n_dimensions ? &q->dimensions[0].what
                                 : q->subject.n  ? &q->subject
                                                 : NULL;
    if (group && group->words.len)
        by = arena_printf(arena, " by %.*s", STR_ARG(group->words));
    if (q->n_filters && q->filters[0].words.len)
        where = arena_printf(arena, " %.*s", STR_ARG(q->filters[0].words));
    struct str top = STR("");
    if (group && q->top.ranked && q->n_measures)
        top = arena_printf(arena, "%s 5 %.*s by %.*s",
                           q->top.lowest ? "bottom" : "top",
                           STR_ARG(group->words), STR_ARG(measure));
    const struct str trials[] = {
        top,
        arena_printf(arena, "%.*s%.*s%.*s", STR_ARG(measure), STR_ARG(by),
                     STR_ARG(where)),
        arena_printf(arena, "%.*s%.*s", STR_ARG(measure), STR_ARG(by)),
        arena_printf(arena, "%.*s%.*s", STR_ARG(measure), STR_ARG(where)),
        measure};
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        if (is_answerable(attempt, trials[i]))
            return trials[i];
    return STR("");
}

struct str analysis_nearest(const struct analysis *a)
{
    struct attempt attempt = {.a = a};
    struct question *q = arena_new(a->arena, struct question);
    question_read(&a->lexicon, a->context->question, NULL, q);
    struct str nearest = without_unknown(&attempt, q);
    return nearest.len ? nearest : from_parts(&attempt, q);
}
