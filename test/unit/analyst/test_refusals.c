/* Refusals: the answer names what was not understood. */
#include "models.h"
#include "base/banned.h"

static void test_unknown_words_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *question, *words;
    } cases[] = {
        {"weighted revenue by city", "“weighted”"},
        {"revenue by colour", "“colour”"},
        {"revenue forecast for next month", "“forecast”"},
        {"revenue growth by month", "“growth”"},
        {"running total of revenue by month", "“running”"},
        {"revenue by city why", "“why”"},
        {"average salary by city", "“salary”"},
        {"revenue by city; drop table orders", "“drop table”"},
        {"delete all orders", "“delete”"},
        {"longest orders", "“longest”"},
        {"revenue excluding foo by city", "“excluding foo”"},
        {"how many products have never been sold", "“never”"},
        {"revenue by city 12345", "“12345”"},
        {"correlation between revenue and freight", "“correlation between”"},
        {"revenue by city over 5", "“over 5”"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct asked a;
        ask_one(&a, shop_model, cases[i].question);
        if (a.planned)
            fail_msg("%s was answered", cases[i].question);
        assert_holds(a.plan.intent, cases[i].words);
        assert_holds(asked_narrative(&a), cases[i].words);
        assert_holds(asked_narrative(&a), "without a language model");
        ask_done(&a);
    }
}

static void test_near_names_are_offered(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, shop_model, "price by category");
    assert_false(a.planned);
    assert_holds(a.plan.intent, "products.unit_price");
    ask_done(&a);
}

static void test_what_would_be_wrong_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *question, *why;
    } cases[] = {
        {"revenue in March", "does not say of which year"},
        {"revenue in 2024 by city in 2025", "two periods are given"},
        {"average revenue by city", "things to average over"},
        {"total of product id by category", "which is a key"},
        {"sum of segment by city", "which is no number"},
        {"highest revenue", "what is to be ranked"},
        {"Which city has the best customers?", "“best” does not say by what"},
        {"Which city has the most valuable customers?",
         "“valuable” does not say by what"},
        {"Which city has the largest orders?", "name a measure"},
        {"revenue excluding 2024", "leave out a period"},
        {"revenue in the first half of 2025 vs the second half of 2025",
         "side by side"},
        {"share of revenue", "a share needs a breakdown"},
        {"share of average order value by city", "does not add up"},
        {"revenue per square feet by city", "ratio"},
        {"revenue with revenue over 5", "compares groups"},
        {"list orders by month", "what is to be listed"},
        {"revenue where freight is cheap", "is a number"},
        {"number of products in 2025", "has no date for products"},
        {"what about Dallas?", "what is to be measured"},
        {"why", "of what you want to know why"},
        {"why is average order value falling", "figures that add up"},
        {"why is Houston better than Dallas in 2025", "for one value"},
        {"2025-13-45 revenue", "is no date"},
        {"average freight by city in euros", "convert them to euros"},
        {"revenue by city we channel", "as something that is done"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct asked a;
        ask_one(&a, shop_model, cases[i].question);
        if (a.planned)
            fail_msg("%s was answered", cases[i].question);
        assert_holds(a.plan.intent, cases[i].why);
        ask_done(&a);
    }
}

static void test_what_was_assumed_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *question, *assumption;
    } cases[] = {
        {"freight by channel", "It is added up."},
        {"unit price by category", "Its average is taken."},
        {"revenue in 2025", "orders.order_date."},
        {"revenue for Houston", "A value of stores.city."},
        {"orders by channel", "They are counted."},
        {"revenue last month", "2025-10-01 to 2025-10-31, counted from today, "
                               "2025-11-21; the data's last complete period "
                               "of that length if they end before "
                               "2025-10-01."},
        {"revenue in the latest month",
         "Up to the month of the latest orders.order_date in the data that is "
         "not after today."},
        {"revenue trend", "By month."},
        {"top products by number of stockouts", "Ten."},
        {"number of customers by category", "Through order_items;"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct asked a;
        struct str found = {NULL, 0};
        ask_one(&a, shop_model, cases[i].question);
        if (!a.planned)
            fail_msg("%s: %.*s", cases[i].question, STR_ARG(a.plan.intent));
        for (size_t j = 0; j < a.plan.n_ambiguities; j++)
            if (str_find(a.plan.ambiguities[j].assumption,
                         str_of(cases[i].assumption)) >= 0)
                found = a.plan.ambiguities[j].assumption;
        if (!found.len)
            fail_msg("%s: “%s” is not said", cases[i].question,
                     cases[i].assumption);
        ask_done(&a);
    }
}

/* The assumptions whose question begins like this, in their order. */
static void assert_notes(const char *question, const char *begins,
                         const char *wanted)
{
    struct asked a;
    struct buf out;
    ask_one(&a, shop_model, question);
    if (!a.planned)
        fail_msg("%s: %.*s", question, STR_ARG(a.plan.intent));
    buf_init(&out, &a.arena);
    for (size_t i = 0; i < a.plan.n_ambiguities; i++) {
        const struct plan_ambiguity *said = &a.plan.ambiguities[i];
        if (str_starts(said->question, str_of(begins)))
            buf_printf(&out, "%s%.*s %.*s", out.len ? " " : "",
                       STR_ARG(said->question), STR_ARG(said->assumption));
    }
    assert_str(buf_view(&out), wanted);
    ask_done(&a);
}

static void test_the_date_of_each_measure_is_said(void **state)
{
    (void)state;
    static const char both[] =
        "Which date counts for revenue? orders.order_date. "
        "Which date counts for number of stockouts? stockouts.started_on.";
    assert_notes("revenue and number of stockouts in 2025", "Which date", both);
    assert_notes("revenue and number of stockouts by month", "Which date",
                 both);
    assert_notes("revenue and number of orders in 2025", "Which date",
                 "Which date counts? orders.order_date.");
}

/* Groups are made of rows, so a group without rows does not exist. */
static void test_that_those_with_none_do_not_count_is_said(void **state)
{
    (void)state;
    static const char customers[] =
        "Does every customer count? No, only those with "
        "at least one of the orders asked about.";
    static const struct {
        const char *question, *note;
    } cases[] = {
        {"which two customers have the fewest orders", customers},
        {"customers with fewer than 3 orders", customers},
        {"customers with at most 3 orders", customers},
        {"customers with between 0 and 2 orders", customers},
        {"customers with between 1 and 2 orders", ""},
        {"bottom 3 months by number of orders",
         "Does every month count? No, only those with at least one of the orders "
         "asked about."},
        {"top 3 customers by number of orders", ""},
        {"customers with more than 3 orders", ""},
        {"which channel has the fewest orders", ""},
        {"which city has the lowest average order value", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_notes(cases[i].question, "Does every", cases[i].note);
}

static void test_talk_needs_no_data(void **state)
{
    (void)state;
    static const struct {
        const char *question, *answer;
    } cases[] = {
        {"hello", "Hello!"},
        {"Good morning", "Hello!"},
        {"thanks, that was great!", "You are welcome."},
        {"what can you do?", "*measure* by *dimension*"},
        {"", "*measure* by *dimension*"},
        {"what data do you have?", "**stockouts**"},
        {"which metrics are there?", "**average_order_value**"},
        {"describe orders", "**freight**"},
        {"what fields does stores have?", "**square_feet**"},
        {"how is revenue calculated?", "`SUM(order_items.line_total)`"},
        {"what does AOV mean?", "**average_order_value**"},
        {"explain your last answer", "no answer yet"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct asked a;
        ask_one(&a, shop_model, cases[i].question);
        assert_false(a.planned);
        assert_int_equal(a.plan.complexity, PLAN_CONVERSATIONAL);
        assert_holds(asked_narrative(&a), cases[i].answer);
        ask_done(&a);
    }
}

static void test_examples_can_be_answered(void **state)
{
    (void)state;
    const char *const models[] = {shop_model, odd_model, flight_model};
    for (size_t i = 0; i < 3; i++) {
        struct asked a;
        struct str examples[6];
        ask_one(&a, models[i], "hello");
        size_t n = analyst_examples(&a.arena, a.model, examples, 6);
        assert_in_range(n, 2, 6);
        for (size_t j = 0; j < n; j++) {
            struct plan plan;
            struct analyst_context context = a.context;
            context.question = examples[j];
            if (!analyst_plan(&a.arena, &context, &plan))
                fail_msg("%.*s: %.*s", STR_ARG(examples[j]),
                         STR_ARG(plan.intent));
        }
        ask_done(&a);
    }
}

static void test_an_amount_of_a_year_is_no_year(void **state)
{
    (void)state;
    static const char model[] =
        "semantic_model:\n"
        "- name: staff\n"
        "  datasets:\n"
        "  - name: sellers\n"
        "    source: public.sellers\n"
        "    fields:\n"
        "    - {name: sales_last_year, expression: sales_last_year,\n"
        "       datatype: Decimal}\n";
    struct asked a;
    ask_one(&a, model, "number of sellers in 2020");
    assert_false(a.planned);
    assert_holds(a.plan.intent, "the model has no date for sellers");
    ask_done(&a);
}

/* The memory of each try is freed, and the number of tries is limited. */
static void test_examples_of_tables_apart_are_soon_given_up(void **state)
{
    (void)state;
    enum { TABLES = 400, ROOM = 48 * 1024 * 1024 };
    struct arena arena;
    struct buf text;
    struct ontology *o;
    struct osi_report report;
    struct str examples[6];
    arena_init(&arena, ROOM);
    buf_init(&text, &arena);
    buf_text(&text, "semantic_model:\n- name: apart\n  datasets:\n");
    for (int i = 0; i < TABLES; i++)
        buf_printf(&text,
                   "  - {name: t%d, source: t%d, fields: [{name: name, "
                   "expression: name, datatype: String}]}\n",
                   i, i);
    assert_true(osi_read(&arena, buf_view(&text), &o, &report));
    assert_int_equal(analyst_examples(&arena, o, examples, 6), 4);
    assert_str(examples[0], "What is the number of t0?");
    arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unknown_words_are_named),
        cmocka_unit_test(test_near_names_are_offered),
        cmocka_unit_test(test_what_would_be_wrong_is_refused),
        cmocka_unit_test(test_what_was_assumed_is_said),
        cmocka_unit_test(test_the_date_of_each_measure_is_said),
        cmocka_unit_test(test_that_those_with_none_do_not_count_is_said),
        cmocka_unit_test(test_talk_needs_no_data),
        cmocka_unit_test(test_examples_can_be_answered),
        cmocka_unit_test(test_an_amount_of_a_year_is_no_year),
        cmocka_unit_test(test_examples_of_tables_apart_are_soon_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
