/* What code checks of results, one check after the other. */
#include "base/arena.h"
#include "checks.h"
#include "ontology/osi.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include "base/banned.h"

static const char model_text[] =
    "datasets:\n"
    "- name: orders\n"
    "  table: orders\n"
    "  primary_key: [order_id]\n"
    "  fields: [{name: order_id}, {name: customer_id}, {name: total}]\n"
    "- name: lines\n"
    "  table: lines\n"
    "  primary_key: [line_id]\n"
    "  fields: [{name: line_id}, {name: order_id}, {name: amount}]\n"
    "- name: customers\n"
    "  table: customers\n"
    "  primary_key: [customer_id]\n"
    "  fields: [{name: customer_id}, {name: city}]\n"
    "relationships:\n"
    "- {name: of_customer, from: orders, to: customers,\n"
    "   from_columns: [customer_id], to_columns: [customer_id]}\n"
    "- {name: of_order, from: lines, to: orders,\n"
    "   from_columns: [order_id], to_columns: [order_id]}\n";

static struct arena arena;
static const struct ontology *model;

enum { STEPS_MOST = 3 };
static struct query_spec specs[STEPS_MOST];
static struct sql_result sql_results[STEPS_MOST];
static struct step_result step_results_made[STEPS_MOST];
static struct str rows[STEPS_MOST];
static size_t n_steps;
static struct plan plan;
static struct verification_check found[CHECKS_BY_CODE];
static size_t n_found;

static int set_up(void **state)
{
    struct ontology *o;
    struct osi_report report;
    (void)state;
    arena_init(&arena, 0);
    assert_true(osi_read(&arena, str_of(model_text), &o, &report));
    model = o;
    n_steps = 0;
    plan = (struct plan){.n_steps = 0};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_done(&arena);
    return 0;
}

/* A step of this SQL that announced and gave these columns, all of them of this
 * type, and these rows. */
static struct sql_result *step(const char *sql, const char *columns,
                               const char *type, const char *json,
                               int64_t n_rows)
{
    size_t i = n_steps++, n = 0;
    struct str rest = str_of(columns), name;
    struct str *names = arena_new_array(&arena, struct str, 8);
    struct str *types = arena_new_array(&arena, struct str, 8);
    while (str_split(&rest, ',', &name)) {
        types[n] = str_of(type);
        names[n++] = name;
    }
    specs[i] = (struct query_spec){.step_id = (int64_t)i + 1,
                                   .full_sql = str_of(sql),
                                   .expected_columns = names,
                                   .n_expected_columns = n};
    sql_results[i] = (struct sql_result){.row_count = n_rows,
                                         .columns = names,
                                         .n_columns = n,
                                         .column_types = types,
                                         .n_column_types = n,
                                         .sql = str_of(sql)};
    step_results_made[i] = (struct step_result){.step_id = (int64_t)i + 1,
                                                .sql_result = &sql_results[i]};
    rows[i] = str_of(json);
    return &sql_results[i];
}

static void check_all(void)
{
    const struct query_specs queries = {.queries = specs, .n_queries = n_steps};
    const struct step_results results = {.results = step_results_made,
                                         .n_results = n_steps};
    const struct checks_of of = {.ontology = model,
                                 .plan = &plan,
                                 .queries = &queries,
                                 .results = &results,
                                 .full_data = rows};
    n_found = checks_by_code(&arena, &of, found);
}

static const struct verification_check *named(const char *name)
{
    for (size_t i = 0; i < n_found; i++)
        if (str_is(found[i].name, name))
            return &found[i];
    return NULL;
}

static void assert_passed(const char *name)
{
    const struct verification_check *c = named(name);
    if (!c)
        fail_msg("there is no check %s", name);
    if (!c->passed)
        fail_msg("%s: %.*s", name, STR_ARG(c->message));
}

static void assert_found(const char *name, enum check_severity severity,
                         const char *piece)
{
    const struct verification_check *c = named(name);
    if (!c || c->passed)
        fail_msg("%s found nothing", name);
    assert_int_equal(c->severity, severity);
    if (str_find(c->message, str_of(piece)) < 0)
        fail_msg("%s: %.*s", name, STR_ARG(c->message));
}

#define BY_CITY \
    "select c.city, sum(o.total) as revenue from orders o join customers c " \
    "on c.customer_id = o.customer_id group by c.city"

static void test_a_right_result_passes_every_check(void **state)
{
    (void)state;
    step(BY_CITY, "city,revenue", "numeric",
         "[{\"city\":\"Austin\",\"revenue\":\"3.5\"},"
         "{\"city\":\"Waco\",\"revenue\":\"4\"}]",
         2);
    check_all();
    for (size_t i = 0; i < n_found; i++)
        assert_true(found[i].passed);
    assert_passed("tables_and_columns");
    assert_passed("joins_follow_model");
    assert_passed("fan_out");
    assert_passed("expected_columns");
    assert_passed("row_count");
    assert_passed("not_truncated");
    assert_passed("grain_unique");
    assert_passed("measures_not_null");
    assert_null(named("keys_not_null"));
    assert_null(named("totals_agree"));
}

static void test_fan_out_fails_and_what_is_not_judged_warns(void **state)
{
    (void)state;
    step("select sum(o.total) as total from orders o join lines l "
         "on l.order_id = o.order_id",
         "total", "numeric", "[{\"total\":\"3\"}]", 1);
    check_all();
    assert_found("fan_out", CHECK_FAIL, "Step 1: sum(total)");
    n_steps = 0;
    step("select sum(distinct o.total) as total from orders o join lines l "
         "on l.order_id = o.order_id",
         "total", "numeric", "[{\"total\":\"3\"}]", 1);
    check_all();
    assert_found("fan_out", CHECK_WARN, "Not judged.");
}

static void test_unknown_names_warn_since_nothing_ran(void **state)
{
    (void)state;
    step("select totl from orders", "totl", "numeric", "", 0);
    step_results_made[0].sql_result = NULL;
    step_results_made[0].error = STR("There is no column totl.");
    check_all();
    assert_found("tables_and_columns", CHECK_WARN, "did you mean total?");
    assert_null(named("fan_out"));
    assert_null(named("row_count"));
}

static void test_columns_are_compared_with_what_was_announced(void **state)
{
    (void)state;
    struct sql_result *r = step(BY_CITY, "city,revenue", "text", "[]", 0);
    r->columns = (struct str[]){STR("city"), STR("sales")};
    check_all();
    assert_found("expected_columns", CHECK_WARN,
                 "the result does not have revenue");
    r->n_columns = 1;
    check_all();
    assert_found("expected_columns", CHECK_FAIL,
                 "the result does not have revenue");
    assert_found("row_count", CHECK_WARN, "Step 1: no row was found.");
}

static void test_rows_that_were_left_out_are_told(void **state)
{
    (void)state;
    step(BY_CITY, "city,revenue", "text", "[]", 1000)->truncated = true;
    check_all();
    assert_found("not_truncated", CHECK_WARN, "first 1000 rows");
}

static void test_rows_that_stand_for_the_same_are_told(void **state)
{
    (void)state;
    step(
        "select c.city, sum(o.total) as revenue from orders o join customers c "
        "on c.customer_id = o.customer_id group by c.customer_id, c.city",
        "city,revenue", "numeric",
        "[{\"city\":\"Waco\",\"revenue\":1},{\"city\":\"Waco\",\"revenue\":2}]",
        2);
    check_all();
    assert_found("grain_unique", CHECK_WARN, "1 of 2 rows repeat");
    n_steps = 0;
    step("select order_id, total from orders", "order_id,total", "numeric",
         "[{\"order_id\":1,\"total\":1},{\"order_id\":2,\"total\":1}]", 2);
    check_all();
    assert_passed("grain_unique");
}

static void test_null_in_keys_and_measures_is_told(void **state)
{
    (void)state;
    step("select o.customer_id, sum(o.total) as total from orders o "
         "group by o.customer_id",
         "customer_id,total", "numeric",
         "[{\"customer_id\":null,\"total\":1},"
         "{\"customer_id\":2,\"total\":null},{\"customer_id\":3,\"total\":1}]",
         3);
    check_all();
    assert_found("keys_not_null", CHECK_WARN, "customer_id is NULL in 1 of 3");
    assert_found("measures_not_null", CHECK_WARN, "total is NULL in 1 of 3");
}

static void test_totals_of_two_steps_agree_or_it_is_told(void **state)
{
    (void)state;
    step("select sum(total) as total from orders", "total", "numeric",
         "[{\"total\":\"10.50\"}]", 1);
    step("select customer_id, sum(total) as total from orders "
         "group by customer_id",
         "customer_id,total", "numeric",
         "[{\"customer_id\":\"1\",\"total\":\"4.25\"},"
         "{\"customer_id\":\"2\",\"total\":\"6.25\"}]",
         2);
    check_all();
    assert_passed("totals_agree");
    rows[1] = STR("[{\"customer_id\":\"1\",\"total\":\"4.25\"}]");
    sql_results[1].row_count = 1;
    check_all();
    assert_found("totals_agree", CHECK_FAIL, "in step 1 to 10.5");
}

static void test_totals_under_other_filters_are_not_compared(void **state)
{
    (void)state;
    step("select sum(total) as total from orders", "total", "numeric",
         "[{\"total\":\"10\"}]", 1);
    step("select sum(total) as total from orders where order_id > 5", "total",
         "numeric", "[{\"total\":\"4\"}]", 1);
    step("select customer_id, sum(total) as total from orders "
         "group by customer_id order by 2 limit 1",
         "customer_id,total", "numeric",
         "[{\"customer_id\":\"1\",\"total\":\"3\"}]", 1);
    check_all();
    assert_null(named("totals_agree"));
}

static void test_rows_too_many_to_look_at_are_left_alone(void **state)
{
    (void)state;
    char *many = arena_alloc(&arena, 300 * 1024);
    for (size_t i = 0; i < 300 * 1024; i++)
        many[i] = ' ';
    step(BY_CITY, "city,revenue", "text", "[]", 2);
    rows[0] = (struct str){many, 300 * 1024};
    check_all();
    assert_null(named("grain_unique"));
    assert_passed("expected_columns");
}

static void test_values_that_the_data_do_not_have_are_told(void **state)
{
    (void)state;
    struct sql_result *r = step("select total from orders where state = 'x'",
                                "total", "numeric", "[]", 0);
    check_all();
    assert_null(named("values_exist"));
    r->no_rows = STR("");
    check_all();
    assert_passed("values_exist");
    r->no_rows = STR("No value of orders.state is “x”.");
    check_all();
    assert_found("values_exist", CHECK_WARN, "No value of orders.state");
}

/* A step after those with queries. */
static struct python_result *python_step(const char *code, const char *out)
{
    static struct python_result python;
    python = (struct python_result){.code = str_of(code), .out = str_of(out)};
    step_results_made[n_steps] =
        (struct step_result){.step_id = (int64_t)n_steps + 1,
                             .strategy = STEP_PYTHON,
                             .python_result = &python};
    specs[n_steps] = (struct query_spec){.step_id = 99};
    rows[n_steps] = STR("[]");
    n_steps++;
    return &python;
}

static void test_no_figure_rests_on_cut_rows(void **state)
{
    (void)state;
    struct sql_result *r = step("select order_id, total from orders",
                                "order_id,total", "numeric", "[]", 1000);
    struct python_result *p =
        python_step("print(step_1_data['total'].sum())", "12.5");
    check_all();
    assert_null(named("cut_rows_not_summed"));
    r->truncated = true;
    check_all();
    assert_found("cut_rows_not_summed", CHECK_FAIL,
                 "the Python of step 2 uses them");
    p->out = STR("The chart shows the first rows.");
    check_all();
    assert_found("cut_rows_not_summed", CHECK_WARN, "step 2");
    p->code = STR("print(step_11_data['total'].sum())");
    check_all();
    assert_passed("cut_rows_not_summed");
}

static void test_a_query_is_of_the_plans_period(void **state)
{
    static const struct {
        const char *where;
        bool named, moved;
    } cases[] = {
        {"d >= date '2026-10-01' and d < date '2026-11-01'", true, false},
        {"d between '2026-10-01' and '2026-10-31'", true, true},
        {"d > '2026-09-30' and d < '2026-11-01'", true, true},
        {"date_trunc('month', d) = '2026-10-01'", true, true},
        {"to_char(d, 'YYYY-MM') = '2026-10'", true, true},
        {"extract(year from d) = 2026 and extract(month from d) = 10", true,
         true},
        {"d >= date_trunc('month', current_date) - interval '1 month'", true,
         false},
        {"d >= date_trunc('month', current_date) - interval '1 month'", false,
         true},
        {"d >= date '2025-10-01' and d < date '2025-11-01'", false, false},
        {"d is not null", false, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct plan_period period = {.from = STR("2026-10-01"),
                                     .to = STR("2026-10-31"),
                                     .relative = true,
                                     .moved = cases[i].moved};
        struct str sql = arena_printf(
            &arena, "select sum(total) as total from orders where %s",
            cases[i].where);
        n_steps = 0;
        step(sql.ptr, "total", "numeric", "[{\"total\":1}]", 1);
        plan.period = NULL;
        check_all();
        assert_null(named("period_applied"));
        plan.period = &period;
        check_all();
        if (named("period_applied")->passed != cases[i].named)
            fail_msg("%s", cases[i].where);
        if (!cases[i].named)
            assert_found("period_applied", CHECK_FAIL,
                         "2026-10-01 to 2026-10-31");
    }
}

/* What a step may leave, and whether a report over such steps may pass. */
enum left {
    LEFT_ROWS,
    LEFT_NO_ROWS,
    LEFT_NULL,
    LEFT_NULL_AND_ZERO,
    LEFT_NULLS,
    LEFT_CHART_LOST,
    LEFT_ERROR,
    LEFT_SKIPPED,
    LEFT_PRINTED,
    LEFT_NOTHING
};

static struct step_result left_by(enum left what)
{
    static struct sql_result some = {.row_count = 3}, none = {.row_count = 0};
    static struct sql_result null = {.row_count = 1,
                                     .data = STR("[{\"a\":null,\"b\":null}]")};
    static struct sql_result null_and_zero = {
        .row_count = 1, .data = STR("[{\"a\":null,\"b\":0}]")};
    static struct sql_result nulls = {
        .row_count = 2, .data = STR("[{\"a\":null},{\"a\":null}]")};
    static struct python_result printed = {.out = {"4\n", 2}};
    static const struct step_result all[] = {
        [LEFT_ROWS] = {.sql_result = &some},
        [LEFT_NO_ROWS] = {.sql_result = &none},
        [LEFT_NULL] = {.sql_result = &null},
        [LEFT_NULL_AND_ZERO] = {.sql_result = &null_and_zero},
        [LEFT_NULLS] = {.sql_result = &nulls},
        [LEFT_CHART_LOST] = {.sql_result = &some, .error = {"no chart", 8}},
        [LEFT_ERROR] = {.error = {"no such column", 14}},
        [LEFT_SKIPPED] = {.error = {"skipped: step 1 failed", 22}},
        [LEFT_PRINTED] = {.python_result = &printed},
        [LEFT_NOTHING] = {.step_id = 0},
    };
    return all[what];
}

static void test_only_a_report_over_data_passes(void **state)
{
    static const struct {
        size_t n;
        enum left steps[3];
        enum verification_status ran; /* when no check failed */
    } cases[] = {
        {1, {LEFT_ROWS}, CHECKS_PASSED},
        {1, {LEFT_NO_ROWS}, CHECKS_PASSED},
        {1, {LEFT_CHART_LOST}, CHECKS_PASSED},
        {2, {LEFT_ERROR, LEFT_NO_ROWS}, CHECKS_PASSED},
        {1, {LEFT_NULL}, CHECKS_SKIPPED}, /* there is no figure */
        {1, {LEFT_NULLS}, CHECKS_SKIPPED},
        {2, {LEFT_NULL, LEFT_NULLS}, CHECKS_SKIPPED},
        {2, {LEFT_ERROR, LEFT_NULL}, CHECKS_SKIPPED},
        {2, {LEFT_NULL, LEFT_ROWS}, CHECKS_PASSED},
        {2, {LEFT_NULL, LEFT_NO_ROWS}, CHECKS_PASSED},
        {2, {LEFT_NULL, LEFT_NULL_AND_ZERO}, CHECKS_SKIPPED},
        {1, {LEFT_NULL_AND_ZERO}, CHECKS_PASSED}, /* a count of nothing */
        {1, {LEFT_ERROR}, CHECKS_SKIPPED},
        {3, {LEFT_ERROR, LEFT_SKIPPED, LEFT_SKIPPED}, CHECKS_SKIPPED},
        {2, {LEFT_SKIPPED, LEFT_PRINTED}, CHECKS_SKIPPED},
        {1, {LEFT_NOTHING}, CHECKS_SKIPPED},
        {0, {LEFT_NOTHING}, CHECKS_SKIPPED}, /* cannotAnswer: none was run */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct step_result steps[3];
        struct step_results results = {steps, cases[i].n};
        for (size_t k = 0; k < cases[i].n; k++)
            steps[k] = left_by(cases[i].steps[k]);
        struct verification_check check = {.severity = CHECK_FAIL};
        struct verification_report report = {.checks = &check, .passed = true};
        checks_decide(&report, &results, true);
        assert_int_equal(report.status, cases[i].ran);
        assert_int_equal(report.passed, cases[i].ran == CHECKS_PASSED);
        report.status = CHECKS_PASSED; /* whatever the model said */
        checks_decide(&report, &results, false);
        assert_int_equal(report.status, CHECKS_SKIPPED);
        assert_false(report.passed);
        report.n_checks = 1;
        checks_decide(&report, &results, true);
        assert_int_equal(report.status, CHECKS_FAILED);
        assert_false(report.passed);
    }
    struct verification_report talk = {.status = CHECKS_PASSED, .passed = true};
    checks_decide(&talk, NULL, true);
    assert_int_equal(talk.status, CHECKS_SKIPPED);
    assert_false(talk.passed);
}

#define checks_test(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        checks_test(test_a_right_result_passes_every_check),
        checks_test(test_fan_out_fails_and_what_is_not_judged_warns),
        checks_test(test_unknown_names_warn_since_nothing_ran),
        checks_test(test_columns_are_compared_with_what_was_announced),
        checks_test(test_rows_that_were_left_out_are_told),
        checks_test(test_rows_that_stand_for_the_same_are_told),
        checks_test(test_null_in_keys_and_measures_is_told),
        checks_test(test_totals_of_two_steps_agree_or_it_is_told),
        checks_test(test_totals_under_other_filters_are_not_compared),
        checks_test(test_values_that_the_data_do_not_have_are_told),
        checks_test(test_no_figure_rests_on_cut_rows),
        checks_test(test_a_query_is_of_the_plans_period),
        checks_test(test_only_a_report_over_data_passes),
        checks_test(test_rows_too_many_to_look_at_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
