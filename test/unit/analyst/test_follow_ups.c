/* Follow-up questions. */
#include "models.h"
#include "base/banned.h"

static void test_a_follow_up_takes_over_what_it_does_not_say(void **state)
{
    (void)state;
    static const struct {
        const char *chat[5];
        const char *meant;
    } cases[] = {
        {{"revenue by city in 2025", "and by month?"},
         "revenue by city and month, 2025-01-01 to 2025-12-31"},
        {{"revenue by city in 2025", "by month"},
         "revenue by month, 2025-01-01 to 2025-12-31"},
        {{"revenue by city in 2025", "by month instead"},
         "revenue by month, 2025-01-01 to 2025-12-31"},
        {{"revenue by city in 2025", "same for 2024"},
         "revenue by city, 2024-01-01 to 2024-12-31"},
        {{"revenue by city", "only for online orders"},
         "revenue by city, orders.channel is online"},
        {{"revenue by city", "top 3"}, "revenue by city, the 3 highest"},
        {{"revenue for Houston by month", "what about Dallas?"},
         "revenue by month, stores.city is Dallas"},
        {{"revenue for Houston by month", "and for Dallas?"},
         "revenue by month, stores.city is Dallas"},
        {{"revenue by channel where status is completed",
          "where status is returned"},
         "revenue by channel, orders.status is returned"},
        {{"revenue by city", "and number of orders?"},
         "revenue and order count by city"},
        {{"revenue by city in Q3 2025", "and in Q4?"},
         "revenue by city, 2025-10-01 to 2025-12-31"},
        {{"revenue by city in 2025", "and by month?", "top 3"},
         "revenue by city and month, 2025-01-01 to 2025-12-31, the 3 highest"},
        /* A question that was refused is skipped. */
        {{"revenue by city", "weighted revenue by channel", "in 2025"},
         "revenue by city, 2025-01-01 to 2025-12-31"},
        {{"revenue by city", "thanks", "in 2025"},
         "revenue by city, 2025-01-01 to 2025-12-31"},
        /* A complete question is not a follow-up. */
        {{"revenue by city in 2025", "number of orders by channel"},
         "order count by channel"},
        {{"revenue by city in 2025", "What about revenue by channel?"},
         "revenue by channel"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct asked a;
        ask(&a, shop_model, cases[i].chat);
        assert_str(a.plan.intent, cases[i].meant);
        ask_done(&a);
    }
}

static void test_a_chart_can_be_asked_for_later(void **state)
{
    (void)state;
    struct asked a;
    ask(&a, shop_model,
        (const char *const[]){"revenue by city", "as a chart", NULL});
    const struct plan_step *last = &a.plan.steps[a.plan.n_steps - 1];
    assert_int_equal(last->strategy, STEP_PYTHON);
    struct str code = analyst_python(&a.arena, &a.context, &a.plan, last);
    assert_holds(code,
                 "CONFIG = json.loads(\"{\\\"dimensions\\\":[\\\"city\\\"]");
    ask_done(&a);
}

static void test_the_last_answer_can_be_explained(void **state)
{
    (void)state;
    struct asked a;
    ask(&a, shop_model,
        (const char *const[]){"revenue for Houston", "how did you get that?",
                              NULL});
    assert_false(a.planned);
    assert_holds(asked_narrative(&a), "revenue, stores.city is Houston");
    ask_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_follow_up_takes_over_what_it_does_not_say),
        cmocka_unit_test(test_a_chart_can_be_asked_for_later),
        cmocka_unit_test(test_the_last_answer_can_be_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
