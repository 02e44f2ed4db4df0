/* Event streams: the bytes on the wire, callbacks at the end, and that parsers
 * built to the specifications understand the stream. */
#include "net_help.h"
#include "base/clock.h"
#include "base/json.h"
#include "loop/loop.h"
#include "net/sse.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <cmocka.h>
#include "../leave_out.h"
#include "base/banned.h"

static struct sse *stream;
static struct sse_options options;
static int closed, drained;

static void on_closed(struct sse *sse, void *who)
{
    assert_ptr_equal(sse, stream);
    assert_ptr_equal(who, &stream);
    closed++;
    stream = NULL;
}

static void on_drained(struct sse *sse, void *who)
{
    (void)sse;
    (void)who;
    drained++;
}

static void open_stream(struct http_exchange *x, void *who)
{
    (void)who;
    stream = sse_open(x, &options);
}

static struct client *streaming(struct sse_options wanted, int buffer)
{
    options = wanted;
    options.on_closed = on_closed;
    options.on_drained = on_drained;
    options.who = &stream;
    stream = NULL;
    closed = drained = 0;
    help_serve(http_default_limits);
    help.on_request = open_stream;
    struct client *c = client_open_small(help.port, buffer);
    client_send_text(c, "GET /events HTTP/1.1\r\nHost: a\r\n\r\n");
    client_wait_text(c, ": open\n\n");
    return c;
}

static bool is_closed(void *unused)
{
    (void)unused;
    return closed == 1;
}

static void test_a_stream_begins_with_its_headers_and_a_comment(void **state)
{
    (void)state;
    struct client *c = streaming((struct sse_options){0}, 0);
    sse_close(&stream);
    assert_null(stream);
    struct http_answer a = client_answer(c);
    assert_int_equal(a.status, 200);
    assert_true(str_is(answer_header(a, "Content-Type"), "text/event-stream"));
    assert_true(str_is(answer_header(a, "Cache-Control"), "no-cache"));
    assert_true(str_is(answer_header(a, "X-Accel-Buffering"), "no"));
    assert_true(str_is(a.body, ": open\n\n"));
    assert_int_equal(closed, 0);
    client_close(c);
}

static void test_frames_of_one_turn_are_one_chunk(void **state)
{
    (void)state;
    struct client *c = streaming((struct sse_options){0}, 0);
    buf_clear(&c->got);
    sse_send(stream, STR("event: a\ndata: {}\nid: 1\n\n"));
    sse_send(stream, STR("event: b\ndata: {}\nid: 2\n\n"));
    client_wait_text(c, "id: 2\n\n\r\n");
    assert_true(str_is(buf_view(&c->got), "32\r\nevent: a\ndata: {}\nid: 1\n\n"
                                          "event: b\ndata: {}\nid: 2\n\n\r\n"));
    sse_close(&stream);
    client_wait_text(c, "0\r\n\r\n");
    client_close(c);
}

static void test_the_connection_lives_on_after_a_stream(void **state)
{
    (void)state;
    struct client *c = streaming((struct sse_options){0}, 0);
    sse_close(&stream);
    client_answer(c);
    client_send_text(c, "GET /events HTTP/1.1\r\nHost: a\r\n\r\n");
    client_wait_text(c, ": open\n\n");
    sse_close(&stream);
    client_answer(c);
    client_close(c);
}

static void test_heartbeats_come_while_nothing_else_does(void **state)
{
    (void)state;
    uint64_t from = clock_ms();
    struct client *c = streaming((struct sse_options){.heartbeat_ms = 300}, 0);
    client_wait_text(c, ": keep-alive\n\n");
    assert_true(clock_ms() - from >= 200);
    buf_clear(&c->got);
    client_wait_text(c, ": keep-alive\n\n");
    assert_true(clock_ms() - from >= 400);
    buf_clear(&c->got);
    for (int i = 0; i < 50; i++) {
        from = clock_ms();
        sse_send(stream, STR("data: 1\n\n"));
        help_turn_for(10);
        if (clock_ms() - from > 100)
            leave_out("the machine stands still");
    }
    assert_true(str_find(buf_view(&c->got), STR("keep-alive")) < 0);
    sse_close(&stream);
    client_close(c);
}

static void test_heartbeats_of_many_streams_drift_apart(void **state)
{
    (void)state;
    struct sse *streams[64];
    struct client *clients[64];
    uint64_t from = clock_ms();
    clients[0] = streaming((struct sse_options){.heartbeat_ms = 1000}, 0);
    streams[0] = stream;
    for (int i = 1; i < 64; i++) {
        clients[i] = client_open(help.port);
        client_send_text(clients[i], "GET /e HTTP/1.1\r\nHost: a\r\n\r\n");
        client_wait_text(clients[i], ": open\n\n");
        streams[i] = stream;
    }
    help_turn_for(880);
    bool in_time = clock_ms() - from < 930;
    int beaten = 0;
    for (int i = 0; i < 64; i++) {
        beaten += str_find(buf_view(&clients[i]->got), STR("keep-alive")) >= 0;
        sse_close(&streams[i]);
        client_close(clients[i]);
    }
    if (!in_time)
        leave_out("the machine stands still");
    assert_true(beaten > 5 && beaten < 60);
}

static void test_a_client_that_leaves_is_told_once(void **state)
{
    (void)state;
    struct client *c = streaming((struct sse_options){0}, 0);
    client_reset(c);
    help_wait(is_closed, NULL);
    help_wait_connections(0);
}

static void test_a_client_that_shuts_its_side_is_served_on(void **state)
{
    (void)state;
    struct client *c = streaming((struct sse_options){0}, 0);
    client_shut(c);
    help_turn_for(30);
    assert_int_equal(closed, 0);
    sse_send(stream, STR("data: still\n\n"));
    client_wait_text(c, "data: still\n\n");
    client_close(c); /* noticed at a heartbeat */
    sse_send(stream, STR("data: x\n\n"));
    help_turn_for(10);
    for (int i = 0; i < 2000 && !closed; i++) {
        sse_send(stream, STR("data: x\n\n"));
        help_turn_for(10);
    }
    assert_int_equal(closed, 1);
}

static char kilobyte[1024];

static void fill(size_t bytes)
{
    memset(kilobyte, 'x', sizeof kilobyte);
    for (size_t i = 0; i < bytes && stream; i += sizeof kilobyte)
        sse_send(stream, (struct str){kilobyte, sizeof kilobyte});
}

static void test_a_reader_that_does_not_read_is_closed(void **state)
{
    (void)state;
    struct client *c = streaming(
        (struct sse_options){.stall_ms = 100, .heartbeat_ms = 20}, 4096);
    client_listen(c, false);
    fill(512 * 1024);
    help_wait(is_closed, NULL);
    help_wait_connections(0);
    client_close(c);
}

static void test_a_queue_that_stays_too_long_closes(void **state)
{
    (void)state;
    struct client *c = streaming(
        (struct sse_options){.stall_ms = 200, .queue_bytes = 65536}, 4096);
    client_listen(c, false);
    uint64_t from = clock_ms();
    while (!closed && clock_ms() - from < 100000) {
        if (stream && sse_queued(stream) < 200000)
            fill(50000);
        char some[2000]; /* it reads a little, so it is not stuck */
        assert_true(recv(c->fd, some, sizeof some, MSG_DONTWAIT) != 0);
        help_turn_for(20);
    }
    assert_int_equal(closed, 1);
    client_close(c);
}

static void test_far_too_much_closes_soon(void **state)
{
    (void)state;
    struct client *c =
        streaming((struct sse_options){.queue_bytes = 65536}, 4096);
    client_listen(c, false);
    for (int i = 0; i < 5; i++) {
        fill(1024 * 1024);
        loop_turn(false);
    }
    help_wait(is_closed, NULL);
    client_close(c);
}

/* ---- the budget of all streams ------------------------------------------ */

enum { SHARERS = 3 };
static struct sse *sharers[SHARERS];
static int n_sharers;

static void sharer_closed(struct sse *sse, void *who)
{
    (void)sse;
    *(struct sse **)who = NULL;
}

static void open_sharer(struct http_exchange *x, void *who)
{
    (void)who;
    struct sse **place = &sharers[n_sharers++];
    *place = sse_open(
        x, &(struct sse_options){.on_closed = sharer_closed, .who = place});
}

static struct client *sharer(void)
{
    int before = n_sharers;
    struct client *c = client_open_small(help.port, 4096);
    client_send_text(c, "GET /events HTTP/1.1\r\nHost: a\r\n\r\n");
    client_wait_text(c, ": open\n\n");
    assert_int_equal(n_sharers, before + 1);
    client_listen(c, false);
    return c;
}

static void burst(struct sse *sse, size_t bytes)
{
    char *some = malloc(bytes);
    memset(some, 'x', bytes);
    sse_send(sse, (struct str){some, bytes});
    free(some);
    loop_turn(false);
}

static bool third_has_room(void *unused)
{
    (void)unused;
    return sse_has_room(sharers[2], 1024);
}

/* The sum of the queues has a smaller bound than all queues have together:
 * without room, the stream that has read nothing for longest is closed. */
static void test_streams_share_a_budget_and_the_slowest_gives_way(void **state)
{
    enum { LARGE = 2 * 1024 * 1024 };
    (void)state;
    n_sharers = 0;
    help_serve(http_default_limits);
    help.on_request = open_sharer;
    struct client *c[] = {sharer(), sharer(), sharer()};
    uint64_t slow = sse_slow_count();
    burst(sharers[0], LARGE);
    burst(sharers[1], LARGE);
    assert_in_range(sse_queued_total(), LARGE, 2 * LARGE + 8192);
    assert_true(sse_has_room(sharers[2], 1024));
    sse_set_budget(sse_queued_total() * 3 /
                   4); /* the kernel takes less than that */
    assert_false(sse_has_room(sharers[2], 1024)); /* they may still read */
    help_wait(third_has_room, NULL);
    assert_null(sharers[0]);
    assert_non_null(sharers[1]);
    assert_int_equal(sse_slow_count(), slow + 1);
    burst(sharers[2], 1024);
    client_listen(c[2], true);
    client_wait_bytes(c[2], 1024); /* a client that reads is served */
    sse_close(&sharers[1]);        /* its queue is still counted and watched */
    assert_true(sse_queued_total() > LARGE / 4);
    client_close(c[1]);
    help_wait_connections(1);
    assert_true(sse_queued_total() < 8192);
    sse_close(&sharers[2]);
    client_close(c[0]);
    client_close(c[2]);
    sse_set_budget(64 * 1024 * 1024);
}

static bool is_drained_or_closed(void *unused)
{
    (void)unused;
    return closed || (drained > 0 && sse_queued(stream) == 0);
}

static void test_a_quick_reader_gets_all_of_a_burst(void **state)
{
    (void)state;
    struct client *c = streaming(
        (struct sse_options){.queue_bytes = 65536, .stall_ms = 60000}, 0);
    drained = 0;
    uint64_t from = clock_ms();
    fill(3 * 1024 * 1024);
    help_wait(is_drained_or_closed, NULL);
    if (closed && clock_ms() - from > 60)
        leave_out("the machine is too slow for a quick reader");
    help_turn_for(150);
    assert_int_equal(closed, 0);
    sse_close(&stream);
    assert_int_equal(client_answer(c).body.len, 8 + 3 * 1024 * 1024);
    client_close(c);
}

static void test_the_last_frame_may_be_larger_than_the_queue(void **state)
{
    (void)state;
    static char last[6 * 1024 * 1024];
    memset(last, 'y', sizeof last);
    struct client *c = streaming(
        (struct sse_options){.queue_bytes = 65536, .stall_ms = 60000}, 65536);
    client_listen(c, false);
    sse_send_last(stream, (struct str){last, sizeof last});
    help_turn_for(250);
    assert_int_equal(closed, 0);
    client_listen(c, true);
    sse_close(&stream);
    assert_int_equal(client_answer(c).body.len, 8 + sizeof last);
    client_close(c);
}

/* ---- frames ------------------------------------------------------------- */

static void put_frames(struct buf *out)
{
    sse_frame(out, STR("message_start"),
              STR("{\"type\":\"message_start\",\"n\":1}"), 1);
    buf_text(out, ": keep-alive\n\n");
    sse_frame(out, STR("text"), STR("{\"type\":\"text\",\n\"n\":2}"), 2);
    sse_frame(out, STR("text"),
              STR("{\"type\":\"text\",\"n\":3,\"s\":\"a\\n\\nb\"}"), -1);
}

static void test_a_frame_is_type_data_id(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, NULL);
    sse_frame(&b, STR("a"), STR("{}"), 7);
    sse_frame(&b, STR("b"), STR("1\r\n"), -1);
    assert_true(str_is(buf_view(&b),
                       "event: a\ndata: {}\nid: 7\n\nevent: b\ndata: 1  \n\n"));
    buf_done(&b);
}

static int events_read;

static void check_event(struct str type, struct str data)
{
    json_t *v = json_read(data, NULL);
    assert_non_null(v);
    assert_int_equal(json_get_int(v, "n", 0), ++events_read);
    if (type.ptr)
        assert_true(str_eq(json_get_text(v, "type"), type));
    json_decref(v);
}

static struct str without(struct str s, struct str prefix)
{
    assert_true(str_starts(s, prefix));
    return str_from(s, prefix.len);
}

/* 001: blocks between blank lines; the first line is the type, the second the
 * data; blocks that begin with a colon are skipped. */
static void test_the_reader_of_blocks_understands(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, NULL);
    put_frames(&b);
    struct str rest = buf_view(&b);
    events_read = 0;
    for (ptrdiff_t at; (at = str_find(rest, STR("\n\n"))) >= 0;) {
        struct str block = str_cut(rest, 0, (size_t)at), type, data;
        rest = str_from(rest, (size_t)at + 2);
        if (block.len == 0 || block.ptr[0] == ':')
            continue;
        assert_true(str_split(&block, '\n', &type));
        assert_true(str_split(&block, '\n', &data));
        check_event(without(type, STR("event: ")),
                    without(data, STR("data: ")));
    }
    assert_int_equal(rest.len, 0);
    assert_int_equal(events_read, 3);
    buf_done(&b);
}

/* 000: lines; those that begin with "data: " are whole JSON. */
static void test_the_reader_of_lines_understands(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, NULL);
    put_frames(&b);
    struct str rest = buf_view(&b), line;
    events_read = 0;
    while (str_split(&rest, '\n', &line)) {
        if (str_starts(line, STR("data: ")))
            check_event((struct str){0}, str_from(line, 6));
    }
    assert_int_equal(events_read, 3);
    buf_done(&b);
}

/* WHATWG HTML, 9.2.6. */
static void test_the_reader_of_the_standard_understands(void **state)
{
    (void)state;
    struct buf b;
    struct str type = {0}, data = {0}, id = {0};
    buf_init(&b, NULL);
    put_frames(&b);
    struct str rest = buf_view(&b), line, field;
    events_read = 0;
    while (str_split(&rest, '\n', &line)) {
        if (line.len == 0) {
            if (data.ptr)
                check_event(type, data);
            type = data = (struct str){0};
            continue;
        }
        struct str value = line;
        str_split(&value, ':', &field);
        if (str_starts(value, STR(" ")))
            value = str_from(value, 1);
        if (str_is(field, "event"))
            type = value;
        else if (str_is(field, "data"))
            data = value;
        else if (str_is(field, "id"))
            id = value;
        else
            assert_int_equal(field.len, 0); /* a comment, nothing else */
    }
    assert_int_equal(events_read, 3);
    assert_true(str_is(id, "2"));
    buf_done(&b);
}

int main(void)
{
#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, help_setup, help_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_a_stream_begins_with_its_headers_and_a_comment),
        TEST(test_frames_of_one_turn_are_one_chunk),
        TEST(test_the_connection_lives_on_after_a_stream),
        TEST(test_heartbeats_come_while_nothing_else_does),
        TEST(test_heartbeats_of_many_streams_drift_apart),
        TEST(test_a_client_that_leaves_is_told_once),
        TEST(test_a_client_that_shuts_its_side_is_served_on),
        TEST(test_a_reader_that_does_not_read_is_closed),
        TEST(test_a_queue_that_stays_too_long_closes),
        TEST(test_far_too_much_closes_soon),
        TEST(test_streams_share_a_budget_and_the_slowest_gives_way),
        TEST(test_a_quick_reader_gets_all_of_a_burst),
        TEST(test_the_last_frame_may_be_larger_than_the_queue),
        cmocka_unit_test(test_a_frame_is_type_data_id),
        cmocka_unit_test(test_the_reader_of_blocks_understands),
        cmocka_unit_test(test_the_reader_of_lines_understands),
        cmocka_unit_test(test_the_reader_of_the_standard_understands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
