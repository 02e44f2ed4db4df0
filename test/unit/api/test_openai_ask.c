/* The request and the errors of the OpenAI API. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "protocols/frames.h"
#include "protocols/openai_ask.h"
#include <string.h>
#include "base/banned.h"

#define SAYS(role, text) "{\"role\":\"" role "\",\"content\":" text "}"
#define ASKS(messages, more) \
    "{\"model\":\"m\",\"messages\":[" messages "]" more "}"
#define QUESTION SAYS("user", "\"q\"")

static const struct {
    const char *body, *question, *turns, *param;
} asks[] = {
    {ASKS(QUESTION, ""), "q", "[]", NULL},
    {ASKS(SAYS("user", "\" q \""), ",\"n\":1,\"tools\":[],\"stop\":null"), "q",
     "[]", NULL},
    {ASKS(SAYS("system", "\"s\"") "," SAYS("user", "\"a\"") "," SAYS(
              "user", "[{\"type\":\"text\",\"text\":\"b\"}]"),
          ""),
     "a\n\nb", "[]", NULL},
    {ASKS(SAYS("assistant", "\"hello\"") "," QUESTION "," SAYS(
              "assistant", "\"x \"") "," QUESTION,
          ""),
     "q", "[{\"question\":\"q\",\"answer\":\"x \"}]", NULL},
    {ASKS(QUESTION "," SAYS("assistant", "\"x\"") "," SAYS(
              "assistant", "\"y\"") "," QUESTION,
          ""),
     "q", "[{\"question\":\"q\",\"answer\":\"x\\n\\ny\"}]", NULL},
    {ASKS(QUESTION "," SAYS("assistant", "\"x\""), ""), NULL, NULL, "messages"},
    {ASKS(SAYS("user", "\"  \""), ""), NULL, NULL, "messages"},
    {ASKS(SAYS("user", "3"), ""), NULL, NULL, "messages"},
    {ASKS("", ""), NULL, NULL, "messages"},
    {ASKS("1", ""), NULL, NULL, "messages"},
    {"{\"messages\":[" QUESTION "]}", NULL, NULL, "model"},
    {ASKS(QUESTION, ",\"n\":2"), NULL, NULL, "n"},
    {ASKS(QUESTION, ",\"logprobs\":true"), NULL, NULL, "logprobs"},
    {ASKS(QUESTION, ",\"stream\":\"yes\""), NULL, NULL, "stream"},
    {ASKS(QUESTION, ",\"stream_options\":{}"), NULL, NULL, "stream_options"},
};

static void test_reads_a_conversation(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        struct arena arena;
        struct openai_ask a;
        arena_init(&arena, 0);
        json_t *body = json_read(str_of(asks[i].body), NULL);
        assert_non_null(body);
        bool good = openai_ask_read(&arena, body, &a);
        assert_int_equal(good, asks[i].param == NULL);
        if (good) {
            assert_string_equal(arena_cstr(&arena, a.question),
                                asks[i].question);
            assert_string_equal(arena_cstr(&arena, a.turns), asks[i].turns);
        } else {
            assert_string_equal(a.param, asks[i].param);
            assert_true(a.problem.len > 0);
        }
        json_decref(body);
        arena_done(&arena);
    }
}

static void test_errors_have_their_form(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out, NULL);
    openai_error_put(&out, 400, STR("no \"x\""), "n", "bad");
    openai_put_error(&out, ERR_UNAUTHORIZED, STR("Who?"), STR(""), STR("id"));
    assert_string_equal(
        buf_cstr(&out),
        "{\"error\":{\"message\":\"no \\\"x\\\"\",\"type\":"
        "\"invalid_request_error\",\"param\":\"n\",\"code\":\"bad\"}}"
        "{\"error\":{\"message\":\"Who?\",\"type\":\"invalid_request_error\","
        "\"param\":null,\"code\":\"invalid_api_key\"}}");
    buf_done(&out);
}

static void test_frames_are_taken_apart(void **state)
{
    (void)state;
    struct str frames = STR(
        "event: a\ndata: {}\nid: 1\n\nevent: b\ndata: {\"x\":1}\n\nevent: c");
    struct frame f;
    assert_true(frame_next(&frames, &f) && str_is(f.type, "a"));
    assert_true(frame_next(&frames, &f) && str_is(f.data, "{\"x\":1}"));
    assert_true(frame_next(&frames, &f) && str_is(f.type, "c") && !f.data.len);
    assert_false(frame_next(&frames, &f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_a_conversation),
        cmocka_unit_test(test_errors_have_their_form),
        cmocka_unit_test(test_frames_are_taken_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
