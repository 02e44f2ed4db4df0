/* Which examples of a model are like the question. */
#include "agent_test.h"
#include "examples.h"
#include "base/banned.h"

static const char model[] =
    "name: shop\n"
    "ai_context:\n"
    "  examples:\n"
    "  - \"Which products sell best? SQL: select 2\"\n"
    "  - \"What is the revenue by city? SQL: select city from public.shops\"\n"
    "  - \"Revenue by city and secret? SQL: select pg_sleep(9)\"\n"
    "  - \"Revenue by city elsewhere? SQL: select 1 from hidden\"\n"
    "  - \"Revenue by city?\"\n"
    "datasets:\n"
    "- {name: shops, source: public.shops,\n"
    "   fields: [{name: city, expression: city}]}\n";

static void test_those_like_the_question_that_may_run_are_told(void **state)
{
    (void)state;
    static struct str relations[] = {STR("public.shops")};
    struct example found[EXAMPLES_MOST];
    test.held.model = test_ontology(model);
    test.held.relations = (struct str_list){relations, 1};
    test.run->load.question = STR("revenue by city");
    assert_int_equal(examples_like(&test.memory, test.run, found), 1);
    assert_true(str_is(found[0].sql, "select city from public.shops"));
    test.run->load.question = STR("zzz");
    assert_int_equal(examples_like(&test.memory, test.run, found), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AGENT_TEST(test_those_like_the_question_that_may_run_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
