/* Checks of plans beyond their fields, and the order of steps. */
#include "artifact/artifact.h"
#include "../arena_test.h"
#include "base/banned.h"

#define STEP(id, needs) \
    "{\"id\":" id \
    ",\"description\":\"d\",\"strategy\":\"sql\",\"dependsOn\":[" needs "]}"
#define PLAN(kind, more, steps) \
    "{\"complexity\":\"" kind "\",\"intent\":\"i\"" more ",\"steps\":[" steps \
    "]}"
#define ASK \
    ",\"clarificationQuestions\":[{\"question\":\"q\",\"assumption\":\"a\"}]"

static struct plan read_plan(const char *text)
{
    struct plan plan;
    struct artifact_problem problem;
    json_t *v = json_read(str_of(text), NULL);
    assert_non_null(v);
    assert_true(artifact_decode(&arena, &plan_type, v, &plan, &problem));
    json_decref(v);
    return plan;
}

static void test_a_plan_is_sound_or_says_why_not(void **state)
{
    (void)state;
    static const struct {
        const char *plan, *problem; /* NULL: sound */
    } cases[] = {
        {PLAN("simple", "", STEP("1", "")), NULL},
        {PLAN("simple", "", STEP("9", "") "," STEP("3", "9")), NULL},
        {PLAN("simple", "", STEP("1", "2") "," STEP("2", "")), NULL},
        {PLAN("conversational", "", ""), NULL},
        {PLAN("simple", ",\"shouldClarify\":true" ASK, ""), NULL},
        {PLAN("simple", "", ""),
         "steps: at least one is needed to answer from data"},
        {PLAN("analytical", ",\"shouldClarify\":true", ""),
         "steps: at least one is needed to answer from data"},
        {PLAN("simple", ASK, ""),
         "steps: at least one is needed to answer from data"},
        {PLAN("simple", "", STEP("0", "")),
         "steps[0].id: must be positive, not 0"},
        {PLAN("simple", "", STEP("1", "") "," STEP("-2", "")),
         "steps[1].id: must be positive, not -2"},
        {PLAN("simple", "", STEP("1", "") "," STEP("1", "")),
         "steps[1].id: is used twice: 1"},
        {PLAN("simple", "", STEP("1", "7")),
         "steps[0].dependsOn: no step has the id 7"},
        {PLAN("simple", "", STEP("1", "1")), "steps: dependsOn has a cycle"},
        {PLAN("simple", "", STEP("1", "2") "," STEP("2", "1")),
         "steps: dependsOn has a cycle"},
        {PLAN("simple", "",
              STEP("1", "") "," STEP("2", "4,1") "," STEP("3", "2") "," STEP(
                  "4", "3")),
         "steps: dependsOn has a cycle"},
        {PLAN("conversational", "", STEP("1", "5")),
         "steps[0].dependsOn: no step has the id 5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct artifact_problem problem = {""};
        struct plan plan = read_plan(cases[i].plan);
        assert_int_equal(plan_check(&plan, &problem), !cases[i].problem);
        assert_string_equal(problem.text,
                            cases[i].problem ? cases[i].problem : "");
    }
}

static void test_the_order_respects_needs_and_else_the_list(void **state)
{
    (void)state;
    struct plan plan =
        read_plan(PLAN("simple", "",
                       STEP("1", "3") "," STEP("2", "") "," STEP(
                           "3", "4") "," STEP("4", "") "," STEP("5", "2,4")));
    static const size_t wanted[] = {1, 3, 4, 2, 0};
    size_t *order = plan_order(&arena, &plan);
    assert_memory_equal(order, wanted, sizeof wanted);
    struct plan none = read_plan(PLAN("conversational", "", ""));
    assert_non_null(plan_order(&arena, &none));
}

static void test_steps_are_found_by_their_id(void **state)
{
    (void)state;
    struct plan plan =
        read_plan(PLAN("simple", "", STEP("7", "") "," STEP("3", "")));
    assert_ptr_equal(plan_find_step(&plan, 3), &plan.steps[1]);
    assert_null(plan_find_step(&plan, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(test_a_plan_is_sound_or_says_why_not),
        ARENA_TEST(test_the_order_respects_needs_and_else_the_list),
        ARENA_TEST(test_steps_are_found_by_their_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
