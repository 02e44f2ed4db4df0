/* The examples and rules of the WHATWG standard, each with every split. */
#include "base/buf.h"
#include "net/sse_decoder.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

/* Events as one line of text: type|data; */
static bool write_down(void *who, const struct sse_event *e)
{
    buf_printf(who, "%.*s|%.*s;", STR_ARG(e->type), STR_ARG(e->data));
    return true;
}

static struct buf decode(struct str stream, size_t first, size_t size,
                         size_t max_event)
{
    struct buf out;
    struct sse_decoder d;
    buf_init(&out, NULL);
    sse_decoder_init(&d, max_event, write_down, &out);
    bool well = sse_decoder_feed(&d, str_cut(stream, 0, first));
    for (size_t at = first; at < stream.len; at += size)
        well = sse_decoder_feed(&d, str_cut(stream, at, size));
    if (!well)
        buf_text(&out, "STOPPED");
    sse_decoder_done(&d);
    return out;
}

static void expect_within(struct str stream, const char *events, size_t max)
{
    for (size_t first = 0; first <= stream.len; first++) {
        for (size_t size = 1; size <= 3; size++) {
            struct buf out = decode(stream, first, size, max);
            assert_string_equal(buf_cstr(&out), events);
            buf_done(&out);
        }
        struct buf out = decode(stream, first, stream.len + 1, max);
        assert_string_equal(buf_cstr(&out), events);
        buf_done(&out);
    }
}

#define expect(stream, events) expect_within(STR(stream), events, 4096)

static void test_data_lines_are_joined(void **state)
{
    (void)state;
    expect("data: YHOO\ndata: +2\ndata: 10\n\n", "message|YHOO\n+2\n10;");
}

static void test_the_standards_stream_gives_its_events(void **state)
{
    (void)state;
    expect(": test stream\n\ndata: first event\nid: 1\n\n"
           "data:second event\nid\n\ndata:  third event\n\n",
           "message|first event;message|second event;"
           "message| third event;");
    expect("data\n\ndata\ndata\n\ndata:", "message|;message|\n;");
    expect("data:test\n\ndata: test\n\n", "message|test;message|test;");
}

static void test_all_line_ends_are_ends(void **state)
{
    (void)state;
    expect("data: a\r\n\r\ndata: b\r\rdata: c\n\ndata: d\r\n\n",
           "message|a;message|b;message|c;message|d;");
    expect("data: a\r\n\rdata: b\n\r\n", "message|a;message|b;");
}

static void test_a_type_holds_for_one_event(void **state)
{
    (void)state;
    expect("event: add\ndata: 1\n\ndata: 2\n\nevent: gone\n\ndata: 3\n\n",
           "add|1;message|2;message|3;");
    expect("event: a\nevent: b\ndata: 1\n\n", "b|1;");
    expect("event: a\nevent:\ndata: 1\n\n", "message|1;");
}

static void test_what_is_no_field_is_skipped(void **state)
{
    (void)state;
    expect(":\n: ping\nretry: 100\nfoo: bar\nDATA: x\n data: y\ndata: z\n\n",
           "message|z;");
}

static void test_one_mark_of_byte_order_is_skipped(void **state)
{
    (void)state;
    expect("\xef\xbb\xbf"
           "data: a\n\n",
           "message|a;");
    expect("\xef\xbb\xbf\xef\xbb\xbf"
           "data: a\n\ndata: b\n\n",
           "message|b;");
    expect("\xef\xbb"
           "data: a\n\ndata: b\n\n",
           "message|b;");
    expect("data: \xef\xbb\xbf"
           "a\n\n",
           "message|\xef\xbb\xbf"
           "a;");
}

static void test_a_cut_event_is_dropped(void **state)
{
    (void)state;
    expect("data: a\n\ndata: b\n", "message|a;");
    expect("data: a\n\ndata: b", "message|a;");
    expect("data: a\r\n\r", "message|a;");
    expect("", "");
}

static void test_bad_utf8_is_replaced(void **state)
{
    (void)state;
    expect("data: a\xff"
           "b\n\n",
           "message|a\xef\xbf\xbd"
           "b;");
    expect("data: \xe4\xbd\xa0\n\n", "message|\xe4\xbd\xa0;");
}

static void test_an_event_that_is_too_large_stops_it(void **state)
{
    (void)state;
    expect_within(STR("data: a\n\ndata: 0123456789abcdef\n\ndata: c\n\n"),
                  "message|a;STOPPED", 16);
    expect_within(STR("data: a\n\ndata: 01234567\ndata: 01234567\n\n"),
                  "message|a;STOPPED", 16);
    expect_within(STR("data: 0123456789\n\ndata: 0123456789\n\n"),
                  "message|0123456789;message|0123456789;", 16);
}

static bool only_one(void *who, const struct sse_event *e)
{
    (void)e;
    ++*(int *)who;
    return false;
}

static void test_the_reader_may_stop_it(void **state)
{
    (void)state;
    int seen = 0;
    struct sse_decoder d;
    sse_decoder_init(&d, 100, only_one, &seen);
    assert_false(sse_decoder_feed(&d, STR("data: a\n\ndata: b\n\n")));
    assert_false(sse_decoder_feed(&d, STR("data: c\n\n")));
    assert_int_equal(seen, 1);
    sse_decoder_done(&d);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_data_lines_are_joined),
        cmocka_unit_test(test_the_standards_stream_gives_its_events),
        cmocka_unit_test(test_all_line_ends_are_ends),
        cmocka_unit_test(test_a_type_holds_for_one_event),
        cmocka_unit_test(test_what_is_no_field_is_skipped),
        cmocka_unit_test(test_one_mark_of_byte_order_is_skipped),
        cmocka_unit_test(test_a_cut_event_is_dropped),
        cmocka_unit_test(test_bad_utf8_is_replaced),
        cmocka_unit_test(test_an_event_that_is_too_large_stops_it),
        cmocka_unit_test(test_the_reader_may_stop_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
