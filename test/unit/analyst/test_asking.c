/* Ambiguous questions are asked back, and an answer picks an option. */
#include "models.h"
#include "base/banned.h"

static void assert_asks(const char *model, const char *question,
                        const char *asked, const char *assumed)
{
    struct asked a;
    ask_one(&a, model, question);
    assert_false(a.planned);
    if (!a.plan.should_clarify || a.plan.n_clarification_questions != 1)
        fail_msg("%s: %.*s", question, STR_ARG(a.plan.intent));
    const struct plan_clarification *q = &a.plan.clarification_questions[0];
    assert_str(q->question, asked);
    assert_str(q->assumption, assumed);
    assert_true(q->key.len > 0);
    ask_done(&a);
}

static void assert_reply(const char *model, const char *reply, const char *part)
{
    struct asked a;
    ask_one(&a, model, reply);
    if (!a.planned)
        fail_msg("%s: %.*s", reply, STR_ARG(a.plan.intent));
    assert_holds(asked_sql(&a), part);
    ask_done(&a);
}

static void test_by_what_things_are_ranked(void **state)
{
    (void)state;
    assert_asks(shop_model, "top 5 customers",
                "By what are they ranked: revenue, order count, average order "
                "value or margin of margins?",
                "revenue");
    assert_reply(
        shop_model,
        "top 5 customers\n\nClarifications:\n- By what are they ranked: "
        "revenue or order count?: order count",
        "order_count DESC");
    assert_reply(shop_model,
                 "top 5 customers\n\nClarifications:\n- By what?: by freight",
                 "SUM(orders.freight)");
    assert_reply(shop_model,
                 "top 5 customers\n\nClarifications:\n- By what?: any",
                 "revenue DESC");
}

static void test_any_measure_may_stand_for_a_judgement(void **state)
{
    (void)state;
    static const char asked[] =
        "By what are they ranked: revenue, order count, average order "
        "value or margin of margins?";
    assert_asks(shop_model, "Who is our most popular customer?", asked,
                "revenue");
    assert_asks(shop_model, "Which customer is doing best?", asked, "revenue");
}

static void test_how_much_of_what(void **state)
{
    (void)state;
    assert_asks(
        shop_model, "How much did \"Frank Lopez\" buy from us?",
        "What is to be measured: revenue, order count, average order value "
        "or sales density?",
        "revenue");
    assert_reply(
        shop_model,
        "How much is \"Frank Lopez\"?\n\nClarifications:\n- What is to be "
        "measured: revenue or order count?: order count",
        "order_count");
}

static void test_a_word_of_several_metrics(void **state)
{
    (void)state;
    assert_asks(
        shop_model, "Which customer is the most orderly?",
        "What is meant by “orderly”: order count or average order value?",
        "order count");
    assert_reply(
        shop_model,
        "Which customer is the most orderly?\n\nClarifications:\n- Which?: "
        "order count",
        "order_count DESC");
}

static void test_which_way_leads_there(void **state)
{
    (void)state;
    assert_asks(flight_model, "number of flights by city",
                "Which “city” of flights is meant: origin airport id or "
                "destination airport id?",
                "origin airport id");
    assert_reply(flight_model,
                 "number of flights by city\n\nClarifications:\n- Which one?: "
                 "destination",
                 "flights.destination_airport_id = airports.airport_id");
}

static void test_a_quarter_of_which_year(void **state)
{
    (void)state;
    assert_asks(shop_model, "revenue in Q1", "Of which year is “Q1”?", "2025");
    assert_reply(
        shop_model,
        "revenue in Q1\n\nClarifications:\n- Of which year is “Q1”?: 2024",
        "'2024-01-01'");
}

static void
test_an_answer_that_fits_nothing_is_not_asked_about_again(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, flight_model,
            "number of flights by city\n\nClarifications:\n- Which?: Tuesday");
    assert_false(a.planned);
    assert_false(a.plan.should_clarify);
    ask_done(&a);
}

static void test_what_follows_leans_on_the_answered_question(void **state)
{
    (void)state;
    struct asked a;
    ask(&a, shop_model,
        (const char *[]){
            "top 5 customers\n\nClarifications:\n- By what?: revenue",
            "and in 2025?", NULL});
    assert_true(a.planned);
    assert_holds(asked_sql(&a), "LIMIT 5");
    assert_holds(asked_sql(&a), "2025");
    ask_done(&a);
}

/* A sale's customer is one join away, its shop two, the shop's chain three. */
static const char chain_model[] =
    "semantic_model:\n"
    "- name: chain\n"
    "  datasets:\n"
    "  - name: sales\n"
    "    source: public.sales\n"
    "    fields:\n"
    "    - {name: customer_id, expression: customer_id, datatype: Integer}\n"
    "    - {name: till_id, expression: till_id, datatype: Integer}\n"
    "    - {name: channel, expression: channel, datatype: String}\n"
    "    - {name: amount, expression: amount, datatype: Decimal}\n"
    "  - name: customers\n"
    "    source: public.customers\n"
    "    primary_key: [customer_id]\n"
    "    fields:\n"
    "    - {name: customer_id, expression: customer_id, datatype: Integer}\n"
    "    - {name: country, expression: country, datatype: String}\n"
    "    - {name: segment, expression: segment, datatype: String}\n"
    "  - name: tills\n"
    "    source: public.tills\n"
    "    primary_key: [till_id]\n"
    "    fields:\n"
    "    - {name: till_id, expression: till_id, datatype: Integer}\n"
    "    - {name: shop_id, expression: shop_id, datatype: Integer}\n"
    "  - name: shops\n"
    "    source: public.shops\n"
    "    primary_key: [shop_id]\n"
    "    fields:\n"
    "    - {name: shop_id, expression: shop_id, datatype: Integer}\n"
    "    - {name: owner_id, expression: owner_id, datatype: Integer}\n"
    "    - {name: country, expression: country, datatype: String}\n"
    "    - {name: channel, expression: channel, datatype: String}\n"
    "    - {name: region, expression: region, datatype: String}\n"
    "  - name: owners\n"
    "    source: public.owners\n"
    "    primary_key: [owner_id]\n"
    "    fields:\n"
    "    - {name: owner_id, expression: owner_id, datatype: Integer}\n"
    "    - {name: segment, expression: segment, datatype: String}\n"
    "    - {name: region, expression: region, datatype: String}\n"
    "  relationships:\n"
    "  - {name: sale_customer, from: sales, to: customers,\n"
    "     from_columns: [customer_id], to_columns: [customer_id]}\n"
    "  - {name: sale_till, from: sales, to: tills,\n"
    "     from_columns: [till_id], to_columns: [till_id]}\n"
    "  - {name: till_shop, from: tills, to: shops,\n"
    "     from_columns: [shop_id], to_columns: [shop_id]}\n"
    "  - {name: shop_owner, from: shops, to: owners,\n"
    "     from_columns: [owner_id], to_columns: [owner_id]}\n"
    "  metrics:\n"
    "  - {name: revenue, expression: SUM(sales.amount)}\n";

static void test_one_join_does_not_tell_two_fields_apart(void **state)
{
    (void)state;
    assert_asks(chain_model, "revenue by country",
                "Which “country” is meant: country of customers or "
                "country of shops?",
                "country of customers");
    assert_reply(chain_model, "revenue by shop country", "shops.country");
    assert_reply(chain_model, "revenue by customer country",
                 "customers.country");
    assert_reply(chain_model, "revenue by channel", "sales.channel");
    assert_reply(chain_model, "revenue by segment", "customers.segment");
    assert_reply(chain_model, "revenue by region", "shops.region");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_join_does_not_tell_two_fields_apart),
        cmocka_unit_test(test_by_what_things_are_ranked),
        cmocka_unit_test(test_any_measure_may_stand_for_a_judgement),
        cmocka_unit_test(test_how_much_of_what),
        cmocka_unit_test(test_a_word_of_several_metrics),
        cmocka_unit_test(test_which_way_leads_there),
        cmocka_unit_test(test_a_quarter_of_which_year),
        cmocka_unit_test(
            test_an_answer_that_fits_nothing_is_not_asked_about_again),
        cmocka_unit_test(test_what_follows_leans_on_the_answered_question),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
