/* What the guard let through is not judged again, and nothing else passes. */
#include "base/log.h"
#include "fake_db.h"
#include "fake_time.h"
#include "loop/loop.h"
#include "tool/tool.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#undef fail /* a step says it too */
#include "base/banned.h"

static struct str relations[] = {STR("orders")};
static struct held_ontology ontology;
static struct tool_context context;

static int setup(void **state)
{
    (void)state;
    log_to_fd(open("/dev/null", O_WRONLY | O_CLOEXEC));
    loop_open();
    fake_db_open();
    world_begin(TROUBLE_NONE, 0);
    ontology = (struct held_ontology){.relations = {relations, 1}};
    context = (struct tool_context){
        .ontology = &ontology, .sql_max_rows = 10, .sql_max_bytes = 10000,
        .source = pool_open(&(struct pool_options){.name = "source"})};
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    fake_time_settle(60000);
    pool_close(&context.source);
    for (size_t i = 0; i < PASSED_TEXTS; i++) {
        free(ontology.passed[i].sql);
        free(ontology.passed[i].calls);
    }
    world_end();
    fake_db_close();
    assert_int_equal(flow_count(), 0);
    loop_close();
    return 0;
}

struct asking {
    struct query_tool tool;
    struct arena memory;
    bool over;
};

static void asked(struct flow *f, enum err how, void *who)
{
    (void)f;
    assert_int_equal(how, OK);
    ((struct asking *)who)->over = true;
}

/* Whether the text was run; the answer's `why` says what else. */
static bool runs(const char *sql)
{
    struct asking a = {.tool = {.context = &context, .sql = str_of(sql),
                                .memory = &a.memory}};
    unsigned before = fake_db.reads;
    arena_init(&a.memory, 0);
    flow_start(query_tool_begin, &a.tool,
               &(struct flow_options){.kind = "ask", .on_end = asked,
                                      .who = &a});
    assert_true(fake_time_until(&a.over, 10000));
    assert_int_equal(a.tool.failed, fake_db.reads == before);
    if (a.tool.failed)
        assert_int_equal(a.tool.why, ERR_SQL_REFUSED);
    arena_done(&a.memory);
    return fake_db.reads > before;
}

static void test_a_text_that_passed_is_known_by_its_letters(void **state)
{
    (void)state;
    assert_null(ontology_passed(&ontology, STR("select 1 from orders")));
    assert_true(runs("select 1 from orders;"));
    assert_non_null(ontology_passed(&ontology, STR("select 1 from orders")));
    assert_null(ontology_passed(&ontology, STR("select 1 from order")));
    assert_null(ontology_passed(&ontology, STR("select 1 from orders2")));
    assert_null(ontology_passed(&ontology, STR("")));
    assert_int_equal(ontology.n_passed, 1);
    assert_true(runs("select 1 from orders"));
    assert_int_equal(ontology.n_passed, 1); /* not twice */
}

static void test_a_text_that_passed_is_not_judged_again(void **state)
{
    (void)state;
    assert_true(runs("select 1 from orders"));
    ontology.relations.n = 0; /* judged now, it would be refused */
    assert_true(runs("select 1 from orders"));
    assert_false(runs("select 2 from orders"));
    context.share_rows = SHARE_AGGREGATES; /* what it tells of must be known */
    assert_false(runs("select 1 from orders"));
}

static void test_what_was_refused_is_refused_again(void **state)
{
    (void)state;
    assert_false(runs("delete from orders"));
    assert_false(runs("delete from orders"));
    assert_false(runs("select 1 from other"));
    assert_false(runs("select 1 from orders; drop table orders"));
    assert_int_equal(ontology.n_passed, 0);
}

static void test_the_oldest_are_forgotten_and_long_ones_never_kept(void **state)
{
    (void)state;
    char sql[PASSED_MOST + 64];
    for (int i = 0; i <= PASSED_TEXTS; i++) {
        snprintf(sql, sizeof sql, "select %d from orders", i);
        assert_true(runs(sql));
    }
    assert_null(ontology_passed(&ontology, STR("select 0 from orders")));
    assert_non_null(ontology_passed(&ontology, STR("select 1 from orders")));
    snprintf(sql, sizeof sql, "select '%0*d' from orders", PASSED_MOST, 0);
    assert_true(runs(sql));
    assert_null(ontology_passed(&ontology, str_of(sql)));
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_a_text_that_passed_is_known_by_its_letters),
        CASE(test_a_text_that_passed_is_not_judged_again),
        CASE(test_what_was_refused_is_refused_again),
        CASE(test_the_oldest_are_forgotten_and_long_ones_never_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
