/* What looking datasets up for a prompt leaves in a run's memory. */
#include "agent_test.h"
#include "pipeline/gather.h"
#include "base/banned.h"

static struct next looked_up(struct flow *f)
{
    return back(f);
}

static struct next look_up(struct flow *f)
{
    return call(f, gather_begin, locals(f, struct gather), looked_up);
}

static void test_details_that_were_told_are_freed(void **state)
{
    (void)state;
    static const size_t orders = 0;
    struct gather g = {.run = test.run,
                       .phase = PHASE_SQL_BUILDER,
                       .datasets = &orders,
                       .n_datasets = 1};
    test.held.model = test_ontology(
        "name: shop\ndatasets:\n  - name: orders\n    source: public.orders\n"
        "    primary_key: [id]\n    description: Every order that a customer "
        "has ever sent, with its day and its sum.\n    fields:\n"
        "      - {name: id, expression: id}\n");
    test.run->tools = (struct tool_context){
        .ontology = &test.held, .text_budget = 24000, .share_rows = SHARE_NONE};
    flow_start(look_up, &g, &(struct flow_options){.kind = "look up"});
    fake_time_settle(1000);
    assert_non_null(g.call);
    assert_true(str_find(g.call->result, STR("orders")) >= 0);
    assert_int_equal(g.memory.total, 0);
    assert_int_equal(test.run->scratch.total, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AGENT_TEST(test_details_that_were_told_are_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
