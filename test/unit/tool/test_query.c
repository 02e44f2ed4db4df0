/* The guard checks a query once; a query that it refuses never runs. Then: rows
 * as JSON. */
#include "tool/tool.h"
#include "../fake_scene.h"
#include "base/banned.h"

static struct str relations[] = {STR("orders")};
static struct cached_ontology ontology;
static struct tool_context context;
static struct pool *pool;

static int setup(void **state)
{
    (void)state;
    pool = fake_scene_open("source");
    ontology = (struct cached_ontology){.relations = {relations, 1}};
    context = (struct tool_context){.ontology = &ontology,
                                    .sql_max_rows = 10,
                                    .sql_max_bytes = 10000,
                                    .source = pool_source(pool)};
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    fake_scene_close(&pool);
    for (size_t i = 0; i < PASSED_TEXTS; i++) {
        free(ontology.passed[i].sql);
        free(ontology.passed[i].calls);
    }
    return 0;
}

struct tool_asking {
    struct query_tool tool;
    struct arena memory;
    bool over;
};

static void asked(struct flow *f, enum err how, void *who)
{
    (void)f;
    assert_int_equal(how, OK);
    ((struct tool_asking *)who)->over = true;
}

/* Whether the query was run; `why` of the answer has the error. */
static bool runs(const char *sql)
{
    struct tool_asking a = {
        .tool = {.context = &context, .sql = str_of(sql), .memory = &a.memory}};
    unsigned before = fake_db.reads;
    arena_init(&a.memory, 0);
    flow_start(
        query_tool_begin, &a.tool,
        &(struct flow_options){.kind = "ask", .on_end = asked, .who = &a});
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
    assert_null(ontology_passed_calls(&ontology, STR("select 1 from orders")));
    assert_true(runs("select 1 from orders;"));
    assert_non_null(
        ontology_passed_calls(&ontology, STR("select 1 from orders")));
    assert_null(ontology_passed_calls(&ontology, STR("select 1 from order")));
    assert_null(ontology_passed_calls(&ontology, STR("select 1 from orders2")));
    assert_null(ontology_passed_calls(&ontology, STR("")));
    assert_int_equal(ontology.n_passed, 1);
    assert_true(runs("select 1 from orders"));
    assert_int_equal(ontology.n_passed, 1); /* not twice */
}

static void test_a_text_that_passed_is_not_judged_again(void **state)
{
    (void)state;
    assert_true(runs("select 1 from orders"));
    ontology.relations.n = 0; /* would be refused if it were checked again */
    assert_true(runs("select 1 from orders"));
    assert_false(runs("select 2 from orders"));
    context.share_rows =
        SHARE_AGGREGATES; /* whether it is aggregated must be known */
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
    assert_null(ontology_passed_calls(&ontology, STR("select 0 from orders")));
    assert_non_null(
        ontology_passed_calls(&ontology, STR("select 1 from orders")));
    snprintf(sql, sizeof sql, "select '%0*d' from orders", PASSED_MOST, 0);
    assert_true(runs(sql));
    assert_null(ontology_passed_calls(&ontology, str_of(sql)));
}

/* ---- rows as JSON ------------------------------------------------------- */

enum { COLUMNS = 3, ROWS = 300 };
static char text[8192];
static const char *cells[ROWS * COLUMNS];
static const char *const names[] = {"id", "say \"what\"", "part"};
static const char *const types[] = {"int4", "text", "float8"};
static struct fake_rows large = {.n_columns = COLUMNS,
                                 .n_rows = ROWS,
                                 .cells = cells,
                                 .names = names,
                                 .types = types};
static unsigned turns; /* steps that wrote rows */

static void count_turns(struct flow *f, const char *step)
{
    (void)f;
    turns += !strcmp(step, "rows_encode_on");
}

static const struct fake_rows *give_large(struct str sql)
{
    (void)sql;
    return &large;
}

/* The same rows by json_write in one go. */
static struct str written(struct arena *memory, int rows)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, memory);
    json_writer_init(&w, &out);
    json_put_array(&w);
    for (int i = 0; i < rows; i++) {
        json_put_object(&w);
        json_field_raw(&w, "id", str_of(cells[i * COLUMNS]));
        json_put_key_str(&w, str_of(names[1]));
        json_put_str(&w, str_of(cells[i * COLUMNS + 1]));
        if (cells[i * COLUMNS + 2])
            json_field_raw(&w, "part", STR("0.5"));
        else
            json_field_null(&w, "part");
        json_put_object_end(&w);
    }
    json_put_array_end(&w);
    return buf_view(&out);
}

static void make_cells(size_t len)
{
    static const char letters[] =
        "plain \"quoted\" \n\t\\ \x01\x7f \u00fc\u4e2d ";
    for (size_t i = 0; i < len; i++)
        text[i] = letters[i % (sizeof letters - 1)];
    text[len] = '\0';
    for (int i = 0; i < ROWS; i++) {
        cells[i * COLUMNS] = i % 2 ? "7" : "-12";
        cells[i * COLUMNS + 1] = text;
        cells[i * COLUMNS + 2] = i % 3 ? "0.5" : NULL;
    }
}

/* Queries all rows; the result is in `memory`. */
static struct query_tool all_rows(struct arena *memory)
{
    struct tool_asking a = {.tool = {.context = &context,
                                     .max_rows = ROWS,
                                     .sql = STR("select 1 from orders"),
                                     .memory = memory,
                                     .json_memory = memory}};
    turns = 0;
    fake_db.on_read = give_large;
    flow_on_step = count_turns;
    flow_start(
        query_tool_begin, &a.tool,
        &(struct flow_options){.kind = "ask", .on_end = asked, .who = &a});
    assert_true(fake_time_until(&a.over, 10000));
    flow_on_step = NULL;
    fake_db.on_read = NULL;
    assert_int_equal(a.tool.n_rows, large.n_rows);
    return a.tool;
}

static void test_a_large_result_is_written_in_several_turns(void **state)
{
    (void)state;
    struct arena memory;
    arena_init(&memory, 0);
    make_cells(sizeof text - 1 - (sizeof text - 1) % 36);
    struct query_tool t = all_rows(&memory);
    assert_in_range(turns, 4, 20);
    assert_true(str_eq(t.json, written(&memory, ROWS)));
    /* json_first has as many rows as a message may hold, and only they are
     * kept. */
    assert_in_range(t.json_first.len, 1000, QUERY_FIRST_BYTES + 1);
    assert_in_range(t.n_shown, 1, QUERY_FIRST_ROWS);
    int first = 0;
    while (written(&memory, first).len < t.json_first.len)
        first++;
    assert_true(str_eq(t.json_first, written(&memory, first)));
    assert_true(written(&memory, first + 1).len > QUERY_FIRST_BYTES);
    arena_done(&memory);
}

static void
test_of_a_small_result_a_message_has_the_first_hundred_rows(void **state)
{
    (void)state;
    struct arena memory;
    arena_init(&memory, 0);
    make_cells(36);
    struct query_tool t = all_rows(&memory);
    assert_int_equal(turns, 1);
    assert_int_equal(t.n_shown, ROWS);
    assert_true(str_eq(t.json, written(&memory, ROWS)));
    assert_true(str_eq(t.json_first, written(&memory, QUERY_FIRST_ROWS)));
    arena_done(&memory);
}

static void test_of_no_rows_there_is_an_empty_array(void **state)
{
    (void)state;
    struct arena memory;
    arena_init(&memory, 0);
    large.n_rows = 0;
    struct query_tool t = all_rows(&memory);
    large.n_rows = ROWS;
    assert_true(str_is(t.json, "[]") && str_is(t.json_first, "[]"));
    arena_done(&memory);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_a_text_that_passed_is_known_by_its_letters),
        CASE(test_a_text_that_passed_is_not_judged_again),
        CASE(test_what_was_refused_is_refused_again),
        CASE(test_the_oldest_are_forgotten_and_long_ones_never_kept),
        CASE(test_a_large_result_is_written_in_several_turns),
        CASE(test_of_a_small_result_a_message_has_the_first_hundred_rows),
        CASE(test_of_no_rows_there_is_an_empty_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
