/* Whatever the question, nothing crashes, every plan is valid, and every query passes
 * the guard with the model's relations. Words come from the model and from the
 * grammar, in any order; the sequence is the same each time. */
#include "models.h"
#include "base/json.h"
#include "base/banned.h"

enum { QUESTIONS = 150, WORDS_MOST = 10 };

static uint32_t dice;

static size_t roll(size_t sides)
{
    dice = dice * 1664525u + 1013904223u;
    return (dice >> 8) % sides;
}

/* clang-format off: one word a line otherwise */
static const char *const glue[] = {"by",
                                   "per",
                                   "for",
                                   "in",
                                   "from",
                                   "with",
                                   "without",
                                   "where",
                                   "top 5",
                                   "bottom 3",
                                   "average",
                                   "total",
                                   "number of",
                                   "how many",
                                   "median",
                                   "highest",
                                   "lowest",
                                   "most",
                                   "over 10",
                                   "under 5",
                                   "between 1 and 9",
                                   "is",
                                   "not",
                                   "and",
                                   "or",
                                   ",",
                                   "excluding",
                                   "only",
                                   "2024",
                                   "in 2025",
                                   "last 6 months",
                                   "since 2024-03-01",
                                   "Q3 2025",
                                   "monthly",
                                   "by month",
                                   "over time",
                                   "share of",
                                   "as a chart",
                                   "which",
                                   "what",
                                   "each",
                                   "Houston",
                                   "online",
                                   "\"it's\"",
                                   "'x'",
                                   "more than 3",
                                   "sorted by",
                                   "ascending",
                                   "compare",
                                   "vs",
                                   "the",
                                   "of",
                                   "?",
                                   "contains",
                                   "starts with",
                                   "is missing",
                                   "max",
                                   "distinct",
                                   "5",
                                   "1,000",
                                   "best",
                                   "month",
                                   "who",
                                   "never",
                                   "have",
                                   "#",
                                   "across all",
                                   "instead",
                                   "why",
                                   "São Paulo",
                                   "`",
                                   "\\",
                                   "(",
                                   ")",
                                   ";",
                                   "%",
                                   "--",
                                   "O'Brien"};
/* clang-format on */

static void put_word(const struct ontology *o, struct buf *out)
{
    size_t pick = roll(10);
    const struct dataset *d = &o->datasets[roll(o->n_datasets)];
    if (pick < 5)
        buf_text(out, glue[roll(sizeof glue / sizeof *glue)]);
    else if (pick < 7 && o->n_metrics)
        buf_str(out, o->metrics[roll(o->n_metrics)].name);
    else if (pick == 7)
        buf_str(out, d->name);
    else
        buf_str(out, d->fields[roll(d->n_fields)].name);
}

static struct str any_question(struct arena *arena, const struct ontology *o)
{
    struct buf out;
    size_t n = 1 + roll(WORDS_MOST);
    buf_init(&out, arena);
    for (size_t i = 0; i < n; i++) {
        buf_text(&out, i ? " " : "");
        put_word(o, &out);
    }
    buf_cstr(&out);
    return buf_view(&out);
}

static size_t ask_anything(const char *model, uint32_t seed)
{
    size_t answered = 0;
    struct asked first;
    dice = seed;
    ask_one(&first, model, "hello");
    for (size_t i = 0; i < QUESTIONS; i++) {
        struct arena_mark mark = arena_mark(&first.arena);
        struct asked a;
        struct str question = any_question(&first.arena, first.model);
        const char *const chat[] = {i % 3 ? question.ptr : "visits by month",
                                    question.ptr, NULL};
        ask(&a, model, chat);
        struct step_results none = {.n_results = 0};
        struct str checks =
            analyst_verification(&a.arena, &a.context, &a.plan, &none);
        assert_int_equal(checks.len > 0, a.planned);
        assert_lacks(checks, "`");
        assert_true(asked_narrative(&a).len > 0);
        answered += a.planned;
        ask_done(&a);
        arena_reset(&first.arena, mark);
    }
    ask_done(&first);
    return answered;
}

static void test_any_words_in_any_order_are_borne(void **state)
{
    (void)state;
    /* Enough of them are questions for the guard to have been asked. */
    assert_in_range(ask_anything(shop_model, 1), QUESTIONS / 20, QUESTIONS);
    assert_in_range(ask_anything(odd_model, 2), QUESTIONS / 20, QUESTIONS);
    assert_in_range(ask_anything(flight_model, 3), QUESTIONS / 20, QUESTIONS);
}

static void test_a_model_may_be_almost_empty(void **state)
{
    (void)state;
    static const char model[] = "semantic_model:\n"
                                "- name: bare\n"
                                "  datasets:\n"
                                "  - {name: t, source: public.t, fields: []}\n";
    struct asked a;
    ask_one(&a, model, "number of t");
    assert_str(asked_sql(&a), "SELECT COUNT(*) AS t_count FROM public.t AS t");
    ask_done(&a);
    ask_one(&a, model, "what can you do?");
    assert_true(asked_narrative(&a).len > 0);
    ask_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_words_in_any_order_are_borne),
        cmocka_unit_test(test_a_model_may_be_almost_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
