/* Keys of clarifying questions, and what a reply answers. */
#include "clarify.h"
#include "../arena_test.h"
#include "base/banned.h"

/* ---- keys --------------------------------------------------------------- */

static void test_keys_are_snake_case_and_each_stands_once(void **state)
{
    (void)state;
    struct plan_clarification q[] = {
        {.key = STR("Default Time-Window!"), .question = STR("a")},
        {.key = STR("default_time_window"), .question = STR("b")},
        {.question = STR(" What time window should I use? ")},
        {.key = STR("auto_capture_mode"), .question = STR("Off?")},
        {.key = STR("?!"), .question = STR("...")},
        {.key = STR("数据 Größe"), .question = STR("c")}};
    static const char *const wanted[] = {"default_time_window",
                                         "default_time_window_2",
                                         "what_time_window_should_i_use",
                                         "auto_capture_mode_2",
                                         "clarification",
                                         "数据_größe"};
    struct plan plan = {.should_clarify = true,
                        .clarification_questions = q,
                        .n_clarification_questions = 6};
    clarify_settle(&arena, &plan);
    for (int i = 0; i < 6; i++)
        assert_true(str_is(q[i].key, wanted[i]));
}

static void test_a_plan_that_does_not_clarify_has_no_questions(void **state)
{
    (void)state;
    struct plan_clarification q = {.key = STR("k"), .question = STR("q")};
    struct plan plan = {.clarification_questions = &q,
                        .n_clarification_questions = 1};
    clarify_settle(&arena, &plan);
    assert_int_equal(plan.n_clarification_questions, 0);
    plan.should_clarify = true;
    clarify_settle(&arena, &plan);
    assert_false(plan.should_clarify);
}

static size_t read_asked(struct str json, struct plan_clarification **asked)
{
    json_t *v = json_read(json, NULL);
    size_t n = clarify_read(&arena, v, asked);
    json_decref(v);
    return n;
}

static void test_what_was_asked_is_read_from_the_metadata(void **state)
{
    (void)state;
    struct plan_clarification *asked;
    assert_int_equal(read_asked(STR(""), &asked), 0);
    assert_int_equal(read_asked(STR("{\"a\":1}"), &asked), 0);
    assert_int_equal(
        read_asked(STR("[7,{\"key\":\"a\"},{\"question\":\"q\","
                       "\"assumption\":\"n\"},{\"key\":\"k\","
                       "\"question\":\"q\",\"assumption\":\"n\"}]"),
                   &asked),
        1);
    assert_true(str_is(asked[0].key, "k"));
}

/* ---- answers ------------------------------------------------------------ */

static struct plan_clarification asked[] = {
    {STR("window"), STR("Which period?"), STR("the last 6 months")},
    {STR("measure"), STR("Which measure: revenue or margin?"), STR("revenue")}};
static struct learned *learned;

static size_t learn_with(const char *reply, const struct plan *plan)
{
    return clarify_learn(&arena, asked, 2, str_of(reply), plan, &learned);
}

static size_t learn(const char *reply)
{
    static const struct plan nothing;
    return learn_with(reply, &nothing);
}

static void assert_learned(size_t i, const char *key, const char *value,
                           bool given)
{
    assert_true(str_is(learned[i].key, key));
    assert_true(str_is(learned[i].value, value));
    assert_int_equal(learned[i].given, given);
}

static void test_answers_are_the_users_own_words(void **state)
{
    (void)state;
    assert_int_equal(learn("Sales?\n\nClarifications:\n"
                           "- Which period?:  2025: all of it \n"
                           "- Which measure: revenue or margin?: margin\nin %"),
                     2);
    assert_learned(0, "window", "2025: all of it", true);
    assert_learned(1, "measure", "margin\nin %", true);
    assert_true(str_is(learned[0].question, "Which period?"));
    assert_int_equal(learn("Sales?\n\nClarifications:\n"
                           "- Which measure: revenue or margin?: margin\n"
                           "- Which period?: 2025"),
                     2);
    assert_learned(0, "window", "2025", true);
    assert_learned(1, "measure", "margin", true);
}

static void test_who_proceeds_takes_the_assumptions(void **state)
{
    (void)state;
    assert_int_equal(learn("Sales?\n\nClarifications:\n"
                           "- Which period?: the last 6 months\n"
                           "- Which measure: revenue or margin?: revenue"),
                     2);
    assert_learned(0, "window", "the last 6 months", false);
    assert_learned(1, "measure", "revenue", false);
}

static void test_what_was_left_open_is_not_learned(void **state)
{
    (void)state;
    assert_int_equal(learn("Sales?\n\nClarifications:\n- Which period?: \n"
                           "- Which measure: revenue or margin?: margin"),
                     1);
    assert_learned(0, "measure", "margin", true);
    assert_int_equal(learn("Sales?\n\nClarifications:\nnothing"), 0);
    assert_int_equal(learn("Something else: how many stores?"), 0);
    assert_int_equal(learn("x\n\nClarifications:\nsee - Which period?: 2025"),
                     0);
}

static void test_of_another_reply_the_planner_says_what_it_answers(void **state)
{
    (void)state;
    struct plan_answer answers[] = {
        {STR("window"), STR(" last year "), ANSWER_GIVEN},
        {STR("measure"), STR("whatever"), ANSWER_ASSUMED},
        {STR("auto_capture_mode"), STR("off"), ANSWER_GIVEN},
        {STR("invented"), STR("value"), ANSWER_GIVEN}};
    struct plan plan = {.answers = answers, .n_answers = 4};
    assert_int_equal(learn_with("last year please", &plan), 2);
    assert_learned(0, "window", "last year", true);
    assert_learned(1, "measure", "revenue", false); /* as it was asked */
    /* A listed reply says it itself. */
    assert_int_equal(
        learn_with("x\n\nClarifications:\n- Which period?: 2025", &plan), 1);
    assert_learned(0, "window", "2025", true);
}

static void test_a_novel_is_no_preference(void **state)
{
    (void)state;
    static char reply[6000];
    int n = (int)str_of("x\n\nClarifications:\n- Which period?: ").len;
    memcpy(reply, "x\n\nClarifications:\n- Which period?: ", (size_t)n);
    memset(reply + n, 'y', 2000);
    assert_int_equal(learn(reply), 1);
    reply[n + 2000] = 'y';
    assert_int_equal(learn(reply), 0);
}

static void test_a_few_words_answer_the_one_question(void **state)
{
    (void)state;
    struct str listed =
        STR("Sales\n\nClarifications:\n- Which period?: in 2025");
    struct str question = STR("Sales"),
               other = STR("How many stores are there?");
    assert_true(str_eq(
        clarify_listed(&arena, asked, 1, question, STR(" in 2025 ")), listed));
    assert_true(
        str_eq(clarify_listed(&arena, asked, 1, question, listed), listed));
    assert_true(
        str_eq(clarify_listed(&arena, asked, 1, question, other), other));
    assert_true(str_is(clarify_listed(&arena, asked, 2, question, STR("2025")),
                       "2025"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(test_keys_are_snake_case_and_each_stands_once),
        ARENA_TEST(test_a_plan_that_does_not_clarify_has_no_questions),
        ARENA_TEST(test_what_was_asked_is_read_from_the_metadata),
        ARENA_TEST(test_answers_are_the_users_own_words),
        ARENA_TEST(test_who_proceeds_takes_the_assumptions),
        ARENA_TEST(test_what_was_left_open_is_not_learned),
        ARENA_TEST(test_of_another_reply_the_planner_says_what_it_answers),
        ARENA_TEST(test_a_novel_is_no_preference),
        ARENA_TEST(test_a_few_words_answer_the_one_question),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
