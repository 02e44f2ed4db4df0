/* Routing between phases: every combination of what decides it. */
#include "llm/provider.h"
#include "pipeline/pipeline.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static void test_after_the_planner(void **state)
{
    (void)state;
    for (int asks = 0; asks < 2; asks++)
        for (size_t questions = 0; questions < 3; questions++)
            for (int kind = PLAN_SIMPLE; kind <= PLAN_CONVERSATIONAL; kind++) {
                struct plan plan = {.should_clarify = asks,
                                    .n_clarification_questions = questions,
                                    .complexity = kind};
                enum phase wanted = asks && questions ? PHASE_DONE
                                    : kind == PLAN_CONVERSATIONAL
                                        ? PHASE_EXPLAINER
                                        : PHASE_NAVIGATOR;
                assert_int_equal(route_after_planner(&plan), wanted);
            }
}

static void test_after_the_navigator(void **state)
{
    (void)state;
    struct cannot_answer cannot = {0};
    assert_int_equal(route_after_navigator(&cannot), PHASE_EXPLAINER);
    assert_int_equal(route_after_navigator(NULL), PHASE_SQL_BUILDER);
}

static void test_after_the_verifier(void **state)
{
    (void)state;
    static const char *const targets[] = {
        NULL, "", "navigator", "sql_builder", "planner", "Navigator"};
    assert_int_equal(route_after_verifier(NULL, 0), PHASE_EXPLAINER);
    for (int status = CHECKS_PASSED; status <= CHECKS_SKIPPED; status++)
        for (int revisions = 0; revisions <= REVISIONS_MOST + 1; revisions++)
            for (size_t t = 0; t < sizeof targets / sizeof *targets; t++) {
                struct verification_report report = {
                    .status = status, .recommended_target = str_of(targets[t])};
                enum phase wanted = PHASE_EXPLAINER;
                if (status == CHECKS_FAILED && revisions < REVISIONS_MOST)
                    wanted = targets[t] && !strcmp(targets[t], "navigator")
                                 ? PHASE_NAVIGATOR
                                 : PHASE_SQL_BUILDER;
                assert_int_equal(route_after_verifier(&report, revisions),
                                 wanted);
            }
}

static void test_a_run_walks_the_phases_in_order(void **state)
{
    (void)state;
    struct plan plan = {.complexity = PLAN_ANALYTICAL};
    struct verification_report report = {.status = CHECKS_PASSED};
    struct pipeline pipeline = {.plan = &plan};
    struct run r = {.state = &pipeline, .report = &report};
    static const enum phase walk[] = {PHASE_NAVIGATOR, PHASE_SQL_BUILDER,
                                      PHASE_EXECUTOR,  PHASE_VERIFIER,
                                      PHASE_EXPLAINER, PHASE_DONE};
    for (size_t i = 0; i < sizeof walk / sizeof *walk; i++) {
        r.phase = pipeline_route(&r);
        assert_int_equal(r.phase, walk[i]);
    }
    assert_int_equal(r.revision, 0);
    assert_int_equal(pipeline.diagnosis.len, 0);
}

static void test_the_built_in_analyst_is_not_asked_again(void **state)
{
    (void)state;
    static const struct llm_local local;
    static const struct llm_provider provider = {.local = &local};
    const struct agent_provider analyst = {.model.provider = &provider};
    struct verification_report report = {.status = CHECKS_FAILED};
    struct pipeline pipeline = {0};
    struct run r = {.state = &pipeline,
                    .report = &report,
                    .provider = &analyst,
                    .phase = PHASE_VERIFIER};
    assert_int_equal(pipeline_route(&r), PHASE_EXPLAINER);
    assert_int_equal(r.revision, 0);
}

static void test_a_revision_is_counted_and_carries_its_diagnosis(void **state)
{
    (void)state;
    struct verification_report report = {.status = CHECKS_FAILED,
                                         .diagnosis = STR("rows twice"),
                                         .recommended_target =
                                             STR("navigator")};
    struct pipeline pipeline = {0};
    struct run r = {.state = &pipeline, .report = &report};
    for (int n = 1; n <= REVISIONS_MOST; n++) {
        r.phase = PHASE_VERIFIER;
        assert_int_equal(pipeline_route(&r), PHASE_NAVIGATOR);
        assert_int_equal(r.revision, n);
        assert_true(str_is(pipeline.diagnosis, "rows twice"));
    }
    r.phase = PHASE_VERIFIER;
    assert_int_equal(pipeline_route(&r), PHASE_EXPLAINER);
    assert_int_equal(r.revision, REVISIONS_MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_after_the_planner),
        cmocka_unit_test(test_after_the_navigator),
        cmocka_unit_test(test_after_the_verifier),
        cmocka_unit_test(test_a_run_walks_the_phases_in_order),
        cmocka_unit_test(test_the_built_in_analyst_is_not_asked_again),
        cmocka_unit_test(test_a_revision_is_counted_and_carries_its_diagnosis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
