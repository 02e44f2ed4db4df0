/* W3C Trace Context: parsing and writing of headers. */
#include "base/trace.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

#define ID "4bf92f3577b34da6a3ce929d0e0e4736"
#define SPAN "00f067aa0ba902b7"
#define GOOD "00-" ID "-" SPAN "-01"

static void test_a_good_header_is_read_and_written_the_same(void **state)
{
    (void)state;
    struct trace t;
    char text[TRACEPARENT_SIZE];
    assert_true(trace_parse(&t, STR(GOOD)));
    assert_string_equal(t.trace_id, ID);
    assert_string_equal(t.span_id, SPAN);
    assert_true(t.sampled);
    trace_parent(&t, text);
    assert_string_equal(text, GOOD);
    assert_true(trace_parse(&t, STR("00-" ID "-" SPAN "-00")));
    assert_false(t.sampled);
    assert_true(trace_parse(&t, STR("cc-" ID "-" SPAN "-03-what comes later")));
    assert_true(t.sampled);
}

static void test_a_malformed_header_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "00",
        "00-" ID "-" SPAN,
        GOOD "-",
        GOOD "0",
        GOOD "-more",
        "ff-" ID "-" SPAN "-01",
        "0g-" ID "-" SPAN "-01",
        "00-00000000000000000000000000000000-" SPAN "-01",
        "00-" ID "-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-" SPAN "-01",
        "00_" ID "-" SPAN "-01",
        "00-" ID "-" SPAN "-0x",
        "cc-" ID "-" SPAN "-01.later"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct trace t;
        if (trace_parse(&t, str_of(bad[i])))
            fail_msg("taken: %s", bad[i]);
    }
}

static void test_a_child_stays_in_the_trace_with_a_span_of_its_own(void **state)
{
    (void)state;
    struct trace t, child;
    trace_begin(&t, STR(GOOD));
    assert_string_equal(t.trace_id, ID);
    assert_string_not_equal(t.span_id, SPAN);
    trace_child(&child, &t);
    assert_string_equal(child.trace_id, ID);
    assert_string_not_equal(child.span_id, t.span_id);
    assert_int_equal(strlen(child.span_id), SPAN_ID_SIZE - 1);
}

static void test_without_a_good_header_a_new_trace_begins(void **state)
{
    (void)state;
    struct trace t, other, again;
    char text[TRACEPARENT_SIZE];
    trace_begin(&t, STR("nonsense"));
    trace_begin(&other, STR(""));
    assert_string_not_equal(t.trace_id, other.trace_id);
    trace_parent(&t, text);
    assert_true(trace_parse(&again, str_of(text)));
}

static void test_a_run_has_the_trace_of_its_id(void **state)
{
    (void)state;
    struct trace t, again;
    trace_from_uuid(&t, STR("4bf92f35-77b3-4da6-a3ce-929d0e0e4736"));
    trace_from_uuid(&again, STR("4bf92f35-77b3-4da6-a3ce-929d0e0e4736"));
    assert_string_equal(t.trace_id, ID);
    assert_string_equal(again.trace_id, ID);
    assert_string_not_equal(again.span_id, t.span_id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_good_header_is_read_and_written_the_same),
        cmocka_unit_test(test_a_malformed_header_is_refused),
        cmocka_unit_test(
            test_a_child_stays_in_the_trace_with_a_span_of_its_own),
        cmocka_unit_test(test_without_a_good_header_a_new_trace_begins),
        cmocka_unit_test(test_a_run_has_the_trace_of_its_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
