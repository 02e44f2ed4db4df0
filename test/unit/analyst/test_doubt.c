/* Words that are spelt like a name of the model and mean another thing. Each refusal has a twin that is answered. */
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
    struct asked a;
    ask_one(&a, club_model, question);
    if (a.planned)
        fail_msg("%s: %.*s", question, STR_ARG(asked_sql(&a)));
    assert_holds(a.plan.intent, why);
    ask_done(&a);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_done_is_not_what_is_there),
        cmocka_unit_test(test_how_much_is_no_number_of_rows),
        cmocka_unit_test(test_a_value_that_names_a_date_has_the_period),
        cmocka_unit_test(test_a_value_of_two_columns_of_one_table_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
