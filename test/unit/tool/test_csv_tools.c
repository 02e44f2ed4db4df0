/* What the CSV analyst's tools say without a query. */
#include "tool/csv_tools.h"
#include "ontology/osi.h"
#include "../run_flow.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

#define MODEL(hidden) \
    "name: shop\n" \
    "ai_context:\n" \
    "  examples:\n" \
    "  - \"Wages? SQL: select wage from public.staff\"\n" \
    "  - \"The sum of the wages?\"\n" \
    "  - \"Cities? SQL: select city from public.staff\"\n" \
    "datasets:\n" \
    "- name: staff\n" \
    "  source: public.staff\n" \
    "  fields:\n" \
    "  - {name: city, expression: city}\n" \
    "  - {name: wage, expression: wage" hidden "}\n"

static struct arena arena;

/* What list_datasets answers over the model. */
static struct str listed(const char *text)
{
    static struct str relations[] = {STR("public.staff")};
    struct ontology *model;
    struct osi_report report;
    assert_true(osi_read(&arena, str_of(text), &model, &report));
    struct cached_ontology held = {.model = model, .relations = {relations, 1}};
    struct tool_context context = {.ontology = &held, .dataset_id = STR("d")};
    struct tool_run t = {.context = &context,
                         .name = STR("list_datasets"),
                         .arguments = STR("{}"),
                         .memory = &arena};
    assert_int_equal(run_flow(csv_tools.begin, &t), OK);
    return t.result;
}

static void test_examples_name_nothing_that_is_hidden(void **state)
{
    (void)state;
    struct str open = listed(MODEL("")),
               hides = listed(MODEL(", hidden: true"));
    assert_true(str_find(open, STR("select wage")) >= 0);
    assert_true(str_find(open, STR("The sum of the wages?")) >= 0);
    assert_true(str_find(hides, STR("wage")) < 0);
    assert_true(str_find(hides, STR("select city")) >= 0);
}

static int open_all(void **state)
{
    (void)state;
    loop_open();
    arena_init(&arena, 0);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    arena_done(&arena);
    loop_close();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples_name_nothing_that_is_hidden),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
