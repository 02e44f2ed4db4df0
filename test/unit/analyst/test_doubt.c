/* Words that are spelt like a name of the model and mean another thing, and groups
 * that have no rows. Each refusal has a twin that is answered. */
#include "models.h"
#include "base/banned.h"

static const char club_model[] =
    "semantic_model:\n"
    "- name: club\n"
    "  datasets:\n"
    "  - name: plans\n"
    "    source: public.plans\n"
    "    primary_key: [plan_id]\n"
    "    fields:\n"
    "    - {name: plan_id, expression: plan_id, datatype: Integer}\n"
    "    - {name: plan_name, expression: plan_name, datatype: String,\n"
    "       ai_context: {examples: [Basic, Premium, Founder]}}\n"
    "    - {name: tier, expression: tier, datatype: String,\n"
    "       ai_context: {examples: [Standard, Premium]}}\n"
    "  - name: members\n"
    "    source: public.members\n"
    "    primary_key: [member_id]\n"
    "    fields:\n"
    "    - {name: member_id, expression: member_id, datatype: Integer}\n"
    "    - {name: full_name, expression: full_name, datatype: String}\n"
    "    - {name: joined_on, expression: joined_on, datatype: Date}\n"
    "    - {name: cancelled_on, expression: cancelled_on, datatype: Date}\n"
    "    - {name: status, expression: status, datatype: String,\n"
    "       ai_context: {examples: [active, cancelled]}}\n"
    "  - name: refunds\n"
    "    source: public.refunds\n"
    "    primary_key: [refund_id]\n"
    "    fields:\n"
    "    - {name: refund_id, expression: refund_id, datatype: Integer}\n"
    "    - {name: requested_on, expression: requested_on, datatype: Date}\n"
    "    - {name: amount, expression: amount, datatype: Decimal}\n"
    "  relationships:\n"
    "  - {name: members_plans, from: members, to: plans,\n"
    "     from_columns: [plan_id], to_columns: [plan_id]}\n"
    "  - {name: refunds_members, from: refunds, to: members,\n"
    "     from_columns: [member_id], to_columns: [member_id]}\n"
    "  metrics:\n"
    "  - {name: number_of_refunds,\n"
    "     expression: COUNT(refunds.refund_id)}\n";

static void check_sql(const char *question, const char *sql)
{
    struct asked a;
    ask_one(&a, club_model, question);
    if (!a.planned)
        fail_msg("%s: %.*s", question, STR_ARG(a.plan.intent));
    assert_str(asked_sql(&a), sql);
    ask_done(&a);
}

static void check_refused(const char *question, const char *why)
{
    assert_refused(club_model, question, why);
}

static void test_what_is_done_is_not_what_is_there(void **state)
{
    (void)state;
    static const char why[] = "not as something that is done";
    check_refused("how much did we refund in 2025?", why);
    check_refused("what did we refund in 2025?", why);
    check_refused("how much did members refund in 2025?", why);
    check_refused("how much did our members refund?", why);
    check_refused("how many members did we refund in 2025?", why);
    check_sql("how many refunds did we have in 2025?",
              "SELECT COUNT(refunds.refund_id) AS number_of_refunds FROM "
              "public.refunds AS refunds WHERE (refunds.requested_on >= DATE "
              "'2025-01-01' AND refunds.requested_on < DATE '2026-01-01')");
}

static void test_how_much_is_no_number_of_rows(void **state)
{
    (void)state;
    check_refused("how much refund in 2025?", "");
    check_refused("how much for members in 2025?", "");
    check_sql("refunds in 2025",
              "SELECT COUNT(refunds.refund_id) AS number_of_refunds FROM "
              "public.refunds AS refunds WHERE (refunds.requested_on >= DATE "
              "'2025-01-01' AND refunds.requested_on < DATE '2026-01-01')");
}

static void test_a_value_that_names_a_date_has_the_period(void **state)
{
    (void)state;
    static const char dated[] =
        "SELECT COUNT(*) AS member_count FROM public.members AS members WHERE "
        "(members.cancelled_on >= DATE '2025-01-01' AND members.cancelled_on < "
        "DATE '2026-01-01')";
    check_sql("how many members cancelled in 2025?", dated);
    check_sql("how many members were cancelled in 2025?", dated);
    check_sql("how many members are cancelled?",
              "SELECT COUNT(*) AS member_count FROM public.members AS members "
              "WHERE LOWER(members.status) = 'cancelled'");
}

static void test_a_value_of_two_columns_of_one_table_is_refused(void **state)
{
    (void)state;
    static const char why[] = "a value of plans.plan_name and of plans.tier";
    check_refused("how many members are on Premium?", why);
    check_refused("number of members with Premium plans", why);
    check_sql("number of members where tier is Premium",
              "SELECT COUNT(*) AS member_count FROM public.members AS members "
              "JOIN public.plans AS plans ON members.plan_id = plans.plan_id "
              "WHERE LOWER(plans.tier) = 'premium'");
    check_sql("number of members on Standard",
              "SELECT COUNT(*) AS member_count FROM public.members AS members "
              "JOIN public.plans AS plans ON members.plan_id = plans.plan_id "
              "WHERE LOWER(plans.tier) = 'standard'");
}

/* ---- groups without rows --------------------------------------------------- */

static const struct query_spec *absent_of(const struct asked *a)
{
    for (size_t i = 0; i < a->specs.n_queries; i++) {
        const struct query_spec *spec = &a->specs.queries[i];
        if (spec->n_expected_columns == 1 &&
            str_eq(spec->expected_columns[0], STR("absent")))
            return spec;
    }
    return NULL;
}

static void check_absent(const char *question, const char *begins,
                         const char *ends)
{
    struct asked a;
    ask_one(&a, club_model, question);
    const struct query_spec *absent = absent_of(&a);
    assert_non_null(absent);
    if (!str_starts(absent->full_sql, str_of(begins)) ||
        !str_ends(absent->full_sql, str_of(ends)))
        fail_msg("%s: %.*s", question, STR_ARG(absent->full_sql));
    ask_done(&a);
}

static void check_no_absent(const char *question)
{
    struct asked a;
    ask_one(&a, club_model, question);
    assert_true(a.planned);
    assert_null(absent_of(&a));
    ask_done(&a);
}

static bool is_refused(const char *question, const char *rows,
                       struct cannot_answer *cannot)
{
    struct asked a;
    struct str column = STR("absent");
    ask_one(&a, club_model, question);
    const struct query_spec *absent = absent_of(&a);
    assert_non_null(absent);
    struct sql_result sql = {.columns = &column,
                             .n_columns = 1,
                             .data = str_of(rows),
                             .row_count = 1};
    struct step_result result = {.step_id = absent->step_id,
                                 .sql_result = &sql};
    struct step_results results = {.results = &result, .n_results = 1};
    bool refused = analyst_cannot(&a.arena, &a.context, &results, cannot);
    if (refused)
        assert_str(cannot->reason,
                   "I compare only each plan with at least one of the members "
                   "asked about, and there are others without any: 2.");
    ask_done(&a);
    return refused;
}

static void test_those_with_none_are_counted(void **state)
{
    (void)state;
    check_absent("which plan has the fewest members?",
                 "SELECT (SELECT COUNT(*) FROM public.plans AS plans) - "
                 "(SELECT COUNT(*) FROM (\nSELECT plans.plan_name",
                 ") AS q WHERE q.plan_name IS NOT NULL) AS absent");
    check_absent("which tier has the fewest members?",
                 "SELECT (SELECT COUNT(DISTINCT plans.tier) FROM public.plans "
                 "AS plans) - (SELECT COUNT(*) FROM (\nSELECT plans.tier",
                 ") AS q WHERE q.tier IS NOT NULL) AS absent");
    check_absent("plans with fewer than 3 members",
                 "SELECT (SELECT COUNT(*) FROM public.plans AS plans) - ",
                 ") AS q WHERE q.plan_name IS NOT NULL) AS absent");
    check_no_absent("which plan has the most members?");
    check_no_absent("plans with more than 3 members");
    check_no_absent("which status has the fewest members?");
    check_no_absent("which month has the fewest members?");
}

static void test_the_fewest_of_all_may_be_none(void **state)
{
    (void)state;
    struct cannot_answer cannot;
    assert_true(is_refused("which plan has the fewest members?",
                           "[{\"absent\": 2}]", &cannot));
    assert_false(is_refused("which plan has the fewest members?",
                            "[{\"absent\": 0}]", &cannot));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_done_is_not_what_is_there),
        cmocka_unit_test(test_how_much_is_no_number_of_rows),
        cmocka_unit_test(test_a_value_that_names_a_date_has_the_period),
        cmocka_unit_test(test_a_value_of_two_columns_of_one_table_is_refused),
        cmocka_unit_test(test_those_with_none_are_counted),
        cmocka_unit_test(test_the_fewest_of_all_may_be_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
