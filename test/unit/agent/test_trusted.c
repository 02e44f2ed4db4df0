/* By whose functions the query of a trusted answer is judged. */
#include "agent_test.h"
#include "agent/trusted.h"
#include "base/banned.h"

static const char model[] = "name: shop\n"
                            "datasets:\n"
                            "- {name: shops, source: public.shops,\n"
                            "   fields: [{name: city, expression: city}]}\n";

static bool may_be_trusted(bool trino, const char *sql)
{
    return !trusted_problem(&test.memory, &test.held, trino,
                            trino ? STR("lake") : STR(""), str_of(sql))
                .len;
}

static void test_a_query_is_judged_by_the_functions_of_its_engine(void **state)
{
    static struct str relations[] = {STR("public.shops")};
    static const char *const of_trino = "select approx_distinct(city) as n "
                                        "from lake.public.shops";
    (void)state;
    test.held.model = test_ontology(model);
    test.held.relations = (struct str_list){relations, 1};
    assert_true(may_be_trusted(true, of_trino));
    assert_false(may_be_trusted(false, of_trino));
    assert_true(may_be_trusted(false, "select count(city) from public.shops"));
    assert_false(may_be_trusted(true, "select 1 from lake.public.other"));
    analysis_cache_done(&test.held.judged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AGENT_TEST(test_a_query_is_judged_by_the_functions_of_its_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
