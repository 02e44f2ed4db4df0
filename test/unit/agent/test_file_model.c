/* The profile of uploaded files as a catalog. */
#include "agent/file_model.h"
#include "ontology/catalog.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static struct arena arena;
static struct catalog catalog;

static int set_up(void **state)
{
    (void)state;
    arena_init(&arena, 0);
    catalog = (struct catalog){0};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_done(&arena);
    return 0;
}

static bool read_profile(const char *json)
{
    return file_model_catalog(&arena, str_of(json), &catalog);
}

static const struct catalog_column *column(size_t table, size_t i)
{
    return &catalog.tables[table].columns[i];
}

static void test_a_profile_becomes_a_catalog(void **state)
{
    (void)state;
    assert_true(read_profile(
        "[{\"filename\":\"Orders\\n2025.csv\",\"tables\":[{\"name\":\"orders\","
        "\"sheet\":null,\"rows\":300,\"columns\":["
        "{\"name\":\"id\",\"type\":\"int8\",\"nulls\":0,\"distinct\":300,"
        "\"min\":\"1\",\"max\":\"300\",\"samples\":[\"1\"]},"
        "{\"name\":\"city\",\"type\":\"text\",\"nulls\":3,\"distinct\":2,"
        "\"min\":\"Austin\",\"max\":\"Dallas\",\"title\":\"City Name\","
        "\"samples\":[\"Austin\",\"Dallas\"]},"
        "{\"name\":\"amount\",\"type\":\"numeric(18,2)\",\"nulls\":0,"
        "\"distinct\":9,\"min\":\"0.50\",\"max\":\"9\"},"
        "{\"name\":\"at\",\"type\":\"timestamptz\",\"nulls\":0,\"distinct\":2}"
        "]}]},{\"filename\":\"book.xlsx\",\"tables\":[{\"name\":\"people\","
        "\"sheet\":\"Staff\",\"rows\":2,\"columns\":["
        "{\"name\":\"email\",\"type\":\"text\",\"samples\":[\"a@b.org\"]},"
        "{\"name\":\"note\",\"type\":\"text\",\"distinct\":1,"
        "\"samples\":[\"ann@example.org\"]}]}]}]"));
    assert_int_equal(catalog.n_tables, 2);
    assert_int_equal(catalog.n_left_out, 0);
    const struct catalog_table *t = &catalog.tables[0];
    assert_true(str_is(t->schema, "main"));
    assert_true(str_is(t->name, "orders"));
    assert_true(str_is(t->comment, "From the file Orders 2025.csv."));
    assert_int_equal(t->rows, 300);
    assert_true(t->exact_rows);
    assert_int_equal(column(0, 0)->kind, COLUMN_INTEGER);
    assert_true(column(0, 0)->required);
    assert_true(str_is(column(0, 0)->greatest, "300"));
    assert_false(column(0, 1)->required);
    assert_int_equal(column(0, 1)->n_values, 297);
    assert_true(str_is(column(0, 1)->comment, "City Name"));
    assert_int_equal(column(0, 1)->samples.n, 2);
    assert_false(column(0, 1)->least.len); /* a range is of numbers and times */
    assert_int_equal(column(0, 2)->kind, COLUMN_NUMBER);
    assert_true(column(0, 3)->zoned);
    assert_true(str_is(catalog.tables[1].comment,
                       "From the file book.xlsx, sheet Staff."));
    assert_true(column(1, 0)->personal); /* by its name */
    assert_int_equal(column(1, 0)->samples.n, 0);
    assert_true(column(1, 1)->personal); /* by its values */
    assert_int_equal(column(1, 1)->samples.n, 0);
}

static void test_what_is_no_profile_gives_no_table(void **state)
{
    static const char *const texts[] = {
        "[]",
        "[7,null,{}]",
        "[{\"tables\":7}]",
        ("[{\"filename\":7,\"tables\":[7,{},{\"name\":\"\"},"
         "{\"name\":\"t\",\"columns\":[]},{\"name\":\"t\",\"columns\":{}}]}]"),
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        catalog = (struct catalog){0};
        assert_true(read_profile(texts[i]));
        assert_int_equal(catalog.n_tables, 0);
    }
    assert_false(read_profile("{}"));
    assert_false(read_profile("x"));
    assert_false(read_profile(""));
}

static void test_values_are_bounded(void **state)
{
    struct buf text;
    (void)state;
    buf_init(&text, &arena);
    buf_text(&text, "[{\"filename\":\"f\",\"tables\":[{\"name\":\"t\","
                    "\"rows\":9,\"columns\":[{\"name\":\"c\",\"type\":\"text\","
                    "\"nulls\":12,\"distinct\":3,\"samples\":[");
    for (int i = 0; i < 1000; i++)
        buf_printf(&text, "\"%0*d\",", i % 2 ? 5 : 5000, i);
    buf_text(&text, "null]}]}]}]");
    assert_true(read_profile(buf_cstr(&text)));
    assert_int_equal(catalog.n_tables, 1);
    assert_in_range(column(0, 0)->samples.n, 1, 12);
    assert_int_equal(column(0, 0)->samples.items[0].len, 5);
    assert_int_equal(column(0, 0)->n_values, 0);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_a_profile_becomes_a_catalog),
        CASE(test_what_is_no_profile_gives_no_table),
        CASE(test_values_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
