/* The event log as the CSV analyst's stream has it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "resources/csv_events.h"
#include <string.h>
#include "base/banned.h"

static const struct {
    const char *log, *events;
} vectors[] = {
    {"event: message_chunk\ndata: {\"type\":\"message_chunk\",\"chunk\":\"a "
     "\\\"b\\\"\\n\"}\nid: 3\n\n",
     "event: token\ndata: {\"text\":\"a \\\"b\\\"\\n\"}\n\n"},
    {"event: tool_call\ndata: {\"type\":\"tool_call\",\"toolCallId\":\"c\","
     "\"name\":\"execute_sql\",\"args\":{\"sql\":\"select 1\"}}\nid: 4\n\n",
     "event: tool_call\ndata: {\"name\":\"execute_sql\",\"input\":{\"sql\":"
     "\"select 1\"}}\n\n"},
    {"event: tool_result\ndata: {\"type\":\"tool_result\",\"toolCallId\":\"c\","
     "\"name\":\"execute_sql\",\"result\":\"{}\"}\nid: 5\n\n",
     "event: tool_result\ndata: {\"name\":\"execute_sql\",\"output\":\"{}\"}\n"
     "\n"},
    {"event: tool_error\ndata: {\"type\":\"tool_error\",\"phase\":\"code\","
     "\"name\":\"run_python\",\"error\":\"no\"}\nid: 6\n\n",
     "event: tool_result\ndata: {\"name\":\"run_python\",\"output\":\"no\"}\n"
     "\n"},
    {"event: tool_start\ndata: {\"type\":\"tool_start\",\"name\":\"x\",\"args\":"
     "{}}\nid: 7\n\nevent: token_update\ndata: {}\nid: 8\n\nevent: "
     "message_chunk\ndata: {\"chunk\":\"y\"}\nid: 9\n\n",
     "event: tool_call\ndata: {\"name\":\"x\",\"input\":{}}\n\nevent: "
     "token\ndata: {\"text\":\"y\"}\n\n"},
    {"event: message_complete\ndata: {\"content\":\"z\"}\nid: 10\n\n", ""},
    {"event: message_chunk\ndata: nothing\nid: 1\n\n",
     "event: token\ndata: {\"text\":null}\n\n"},
    {"event: message_chunk", "event: token\ndata: {\"text\":null}\n\n"},
    {"\n\n\n\n", ""},
    {"", ""},
};

static void test_events_of_the_log_become_those_of_the_stream(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        struct buf out;
        buf_init(&out, NULL);
        csv_events_put(&out, str_of(vectors[i].log));
        assert_string_equal(buf_cstr(&out), vectors[i].events);
        buf_done(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_of_the_log_become_those_of_the_stream)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
