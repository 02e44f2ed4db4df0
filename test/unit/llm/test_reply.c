/* Recorded streams, each with every split of its bytes. */
#include "llm/provider.h"
#include "net/sse_decoder.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

/* ---- parsing ------------------------------------------------------------ */

struct ear {
    struct llm_call call;
    struct llm_reply reply;
    const struct llm_provider *provider;
    struct buf shown;
    bool well;
};

static void on_text(void *who, struct str piece)
{
    buf_str(&((struct ear *)who)->shown, piece);
}

static void open_ear(struct ear *ear, const char *provider)
{
    *ear = (struct ear){.provider = llm_provider_find(str_of(provider)),
                        .well = true};
    ear->call.on_text = on_text;
    ear->call.who = ear;
    llm_reply_init(&ear->reply, &ear->call);
}

static void close_ear(struct ear *ear)
{
    llm_reply_done(&ear->reply);
    buf_done(&ear->shown);
}

static bool on_event(void *who, const struct sse_event *e)
{
    struct ear *ear = who;
    ear->well =
        ear->well && ear->provider->on_event(&ear->reply, e->type, e->data);
    return true;
}

static void hear(struct ear *ear, struct str stream, size_t cut)
{
    struct sse_decoder d;
    sse_decoder_init(&d, 100000, on_event, ear);
    sse_decoder_feed(&d, str_cut(stream, 0, cut));
    sse_decoder_feed(&d, str_from(stream, cut));
    sse_decoder_done(&d);
}

/* The parsed reply, as one text. */
static const char *tell(const struct ear *ear, struct buf *out)
{
    static const char *const ends[] = {"stop", "tools", "length", "filtered"};
    const struct llm_reply *r = &ear->reply;
    buf_printf(out, "%s", ear->well && !r->bad ? "" : "BAD ");
    buf_str(out, buf_view(&r->content));
    if (r->refusal.len)
        buf_printf(out, " refusal:%.*s", STR_ARG(buf_view(&r->refusal)));
    for (size_t i = 0; i < r->n_tools; i++)
        buf_printf(out, " %.*s=%.*s(%.*s)", STR_ARG(buf_view(&r->tools[i].id)),
                   STR_ARG(buf_view(&r->tools[i].name)),
                   STR_ARG(buf_view(&r->tools[i].arguments)));
    buf_printf(out, " [%s%s]", r->finished ? ends[r->finish] : "open",
               r->done ? " done" : "");
    if (r->usage_known)
        buf_printf(out, " %d+%d=%d c%d r%d", (int)r->usage.prompt,
                   (int)r->usage.completion, (int)r->usage.total,
                   (int)r->usage.cached, (int)r->usage.reasoning);
    if (r->error != OK)
        buf_printf(out, " %s:%s", err_name(r->error), r->error_code);
    return buf_cstr(out);
}

static void expect_with(struct str schema, const char *provider,
                        struct str stream, const char *what, const char *raw)
{
    for (size_t cut = 0; cut <= stream.len; cut++) {
        struct ear ear;
        struct buf out = {0};
        open_ear(&ear, provider);
        ear.call.schema_name = schema;
        hear(&ear, stream, cut);
        assert_string_equal(tell(&ear, &out), what);
        assert_true(str_eq(buf_view(&ear.shown), buf_view(&ear.reply.content)));
        if (raw)
            assert_string_equal(buf_cstr(&ear.reply.raw), raw);
        buf_done(&out);
        close_ear(&ear);
    }
}

#define openai(stream, what) \
    expect_with((struct str){0}, "openai", STR(stream), what, NULL)
#define anthropic(stream, what, raw) \
    expect_with((struct str){0}, "anthropic", STR(stream), what, raw)

static void expect_whole(const char *provider, const char *json,
                         const char *what)
{
    struct ear ear;
    struct buf out = {0};
    open_ear(&ear, provider);
    ear.well = ear.provider->on_event(&ear.reply, STR("whole"), str_of(json));
    assert_string_equal(tell(&ear, &out), what);
    buf_done(&out);
    close_ear(&ear);
}

/* ---- openai ------------------------------------------------------------- */

#define DELTA(text) \
    "data: {\"choices\":[{\"index\":0,\"delta\":" text \
    ",\"finish_reason\":null}]}\n\n"
#define FINISH(why) \
    "data: {\"choices\":[{\"index\":0,\"delta\":{}," \
    "\"finish_reason\":\"" why "\"}]}\n\n"
#define DONE "data: [DONE]\n\n"

static void test_openai_text_with_usage(void **state)
{
    (void)state;
    openai(
        "data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\","
        "\"created\":1,\"model\":\"gpt-4o\",\"choices\":[{\"index\":0,"
        "\"delta\":{\"role\":\"assistant\",\"content\":\"\",\"refusal\":null}"
        ",\"logprobs\":null,\"finish_reason\":null}],\"usage\":null,"
        "\"obfuscation\":\"abc\"}\n\n" DELTA("{\"content\":\"Hello \\u00e9\"}")
            DELTA("{\"content\":\"\xe4\xbd\xa0 \\\"q\\\"\"}") FINISH(
                "stop") "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":10,"
                        "\"completion_tokens\":5,\"total_tokens\":15,"
                        "\"prompt_tokens_details\":{\"cached_tokens\":4,\"audio_tokens\":0},"
                        "\"completion_tokens_details\":{\"reasoning_tokens\":2}}}\n\n" DONE,
        "Hello \xc3\xa9\xe4\xbd\xa0 \"q\" [stop done] 10+5=15 c4 r2");
}

static void test_openai_tool_calls_are_joined_by_index(void **state)
{
    (void)state;
    openai(
        DELTA(
            "{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"type\":"
            "\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"\"}"
            "}]}") DELTA("{\"tool_calls\":[{\"index\":1,\"id\":\"b\",\"function\":"
                         "{\"name\":\"g\",\"arguments\":\"{\"}}]}")
            DELTA("{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":"
                  "\"{\\\"x\\\"\"}},{\"index\":1,\"function\":{\"arguments\":"
                  "\"}\"}}]}")
                DELTA(
                    "{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":"
                    "\":1}\"}}]}") FINISH("tool_calls") DONE,
        " a=f({\"x\":1}) b=g({}) [tools done]");
}

static void test_openai_tool_calls_of_other_servers(void **state)
{
    (void)state;
    /* no index; arguments as an object; the same index twice; no id */
    openai(
        DELTA("{\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"f\","
              "\"arguments\":{\"x\":[1,2]}}}]}")
            DELTA("{\"tool_calls\":[{\"id\":\"b\",\"function\":{\"name\":\"g\","
                  "\"arguments\":\"{}\"}}]}") FINISH("stop"),
        " a=f({\"x\":[1,2]}) b=g({}) [stop]");
    openai(DELTA("{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":"
                 "{\"name\":\"f\",\"arguments\":\"{}\"}}]}")
               DELTA("{\"tool_calls\":[{\"index\":0,\"id\":\"b\",\"function\":"
                     "{\"name\":\"g\",\"arguments\":\"{}\"}}]}")
                   FINISH("tool_calls"),
           " a=f({}) b=g({}) [tools]");
    openai(DELTA("{\"tool_calls\":[{\"index\":7,\"function\":{\"name\":\"f\","
                 "\"arguments\":null}}]}") FINISH("tool_calls"),
           " =f() [tools]");
}

static void test_openai_refusals_and_ends(void **state)
{
    (void)state;
    openai(DELTA("{\"refusal\":\"I can\"}") DELTA("{\"refusal\":\"not.\"}")
               FINISH("stop") DONE,
           " refusal:I cannot. [stop done]");
    openai(DELTA("{\"content\":\"a\"}") FINISH("length") DONE,
           "a [length done]");
    openai(DELTA("{\"content\":\"a\"}") FINISH("content_filter") DONE,
           "a [filtered done]");
    openai(DELTA("{\"content\":\"a\"}") FINISH("eos"), "a [stop]");
    openai(DELTA("{\"content\":\"a\"}") DONE, "a [open done]");
    openai(DELTA("{\"content\":\"a\"}"), "a [open]");
}

static void test_openai_oddities_are_skipped(void **state)
{
    (void)state;
    openai(": ping\n\n"
           "data: {\"choices\":[],\"prompt_filter_results\":[{\"x\":{}}]}\n\n"
           "event: other\ndata: {\"type\":\"new\",\"choices\":null}\n\n" DELTA(
               "null") DELTA("{\"content\":null}") DELTA("{\"content\":[1,2]}")
               DELTA("{\"reasoning_content\":\"hm\",\"content\":\"ok\"}")
                   FINISH("stop") DONE,
           "ok [stop done]");
}

static void test_openai_errors_in_the_stream(void **state)
{
    (void)state;
    openai(
        DELTA(
            "{\"content\":\"a\"}") "data: {\"error\":{\"message\":\"m\",\"type\":\"server_error\","
                                   "\"code\":null}}\n\n",
        "a [open] ERR_MODEL_UNAVAILABLE:server_error");
    openai("data: {\"error\":{\"type\":\"invalid_request_error\"}}\n\n",
           " [open] ERR_MODEL_REFUSED:invalid_request_error");
    openai("data: {\"error\":null,\"choices\":[]}\n\n", " [open]");
    openai("data: {\"error\":\"out of memory\"}\n\n",
           " [open] ERR_MODEL_UNAVAILABLE:");
}

static void test_openai_garbage_is_bad(void **state)
{
    (void)state;
    openai("data: <html>\n\n", "BAD  [open]");
    openai("data: {\"choices\":[{\"delta\":{\"content\":\"a\"\n\n",
           "BAD a [open]");
    openai("data: [1]\n\n", "BAD  [open]");
}

static void test_openai_whole_replies(void **state)
{
    (void)state;
    expect_whole(
        "openai",
        "{\"id\":\"x\",\"choices\":[{\"index\":0,\"message\":{\"role\":"
        "\"assistant\",\"content\":\"Hi\",\"tool_calls\":[{\"id\":\"a\","
        "\"type\":\"function\",\"function\":{\"name\":\"f\","
        "\"arguments\":\"{}\"}},{\"id\":\"b\",\"function\":{\"name\":"
        "\"f\",\"arguments\":\"{}\"}}]},\"finish_reason\":"
        "\"tool_calls\"}],\"usage\":{\"prompt_tokens\":1,"
        "\"completion_tokens\":2}}",
        "Hi a=f({}) b=f({}) [tools done] 1+2=3 c0 r0");
    expect_whole("openai", "{\"choices\":[{\"message\":", "BAD  [open done]");
}

static void test_too_many_tool_calls_are_bad(void **state)
{
    (void)state;
    struct buf json = {0}, out = {0};
    struct ear ear;
    buf_text(&json, "{\"choices\":[{\"message\":{\"tool_calls\":[");
    for (int i = 0; i < 100; i++)
        buf_printf(&json, "%s{\"id\":\"i%d\",\"function\":{\"name\":\"f\"}}",
                   i ? "," : "", i);
    buf_text(&json, "]}}]}");
    open_ear(&ear, "openai");
    ear.provider->on_event(&ear.reply, STR("whole"), buf_view(&json));
    assert_non_null(ear.reply.bad);
    assert_int_equal(ear.reply.n_tools, LLM_MOST_TOOL_CALLS);
    close_ear(&ear);
    buf_done(&json);
    buf_done(&out);
}

/* ---- anthropic ---------------------------------------------------------- */

#define EVENT(type, rest) \
    "event: " type "\ndata: {\"type\":\"" type "\"" rest "}\n\n"
#define START(block) \
    EVENT("content_block_start", ",\"index\":0,\"content_block\":" block)
#define PIECE(delta) \
    EVENT("content_block_delta", ",\"index\":0,\"delta\":" delta)
#define BLOCK_STOP EVENT("content_block_stop", ",\"index\":0")
#define MESSAGE_START \
    EVENT("message_start", \
          ",\"message\":{\"id\":\"m\",\"role\":\"assistant\",\"content\":[]," \
          "\"usage\":{\"input_tokens\":10,\"cache_read_input_tokens\":3," \
          "\"cache_creation_input_tokens\":2,\"output_tokens\":1}}")
#define MESSAGE_END(why) \
    EVENT("message_delta", \
          ",\"delta\":{\"stop_reason\":\"" why "\"," \
          "\"stop_sequence\":null},\"usage\":{\"output_tokens\":7," \
          "\"output_tokens_details\":{\"thinking_tokens\":4}}") \
    EVENT("message_stop", "")

static void test_anthropic_thoughts_words_and_tools(void **state)
{
    (void)state;
    anthropic(
        MESSAGE_START EVENT("ping", "") START(
            "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}")
            PIECE("{\"type\":\"thinking_delta\",\"thinking\":\"Let \"}") PIECE(
                "{\"type\":\"thinking_delta\",\"thinking\":\"me \\\"see\\\"\"}")
                PIECE(
                    "{\"type\":\"signature_delta\",\"signature\":\"c2ln+/=\"}")
                    BLOCK_STOP START(
                        "{\"type\":\"redacted_thinking\",\"data\":\"zz\"}") BLOCK_STOP
                        START("{\"type\":\"text\",\"text\":\"\"}") PIECE(
                            "{\"type\":\"text_delta\",\"text\":\"I \"}")
                            PIECE("{\"type\":\"text_delta\",\"text\":\"look.\"}") PIECE(
                                "{\"type\":\"citations_delta\",\"citation\":{}}")
                                BLOCK_STOP START(
                                    "{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"f\","
                                    "\"input\":{}}")
                                    PIECE(
                                        "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"x\\\"\"}")
                                        PIECE(
                                            "{\"type\":\"input_json_delta\",\"partial_json\":\":1}\"}")
                                            BLOCK_STOP START(
                                                "{\"type\":\"tool_use\",\"id\":\"t2\",\"name\":\"g\","
                                                "\"input\":{}}")
                                                BLOCK_STOP EVENT(
                                                    "new_kind_of_event",
                                                    ",\"x\":1")
                                                    MESSAGE_END("tool_use"),
        "I look. t1=f({\"x\":1}) t2=g() [tools done] 15+7=22 c3 r4",
        "{\"type\":\"thinking\",\"thinking\":\"Let me \\\"see\\\"\","
        "\"signature\":\"c2ln+/=\"},"
        "{\"type\":\"redacted_thinking\",\"data\":\"zz\"},"
        "{\"type\":\"text\",\"text\":\"I look.\"},"
        "{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"f\","
        "\"input\":{\"x\":1}},"
        "{\"type\":\"tool_use\",\"id\":\"t2\",\"name\":\"g\",\"input\":{}}");
}

static void test_anthropic_answers_by_the_schemas_tool(void **state)
{
    (void)state;
    expect_with(
        STR("plan"), "anthropic",
        STR(MESSAGE_START START(
            "{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"plan\","
            "\"input\":{}}")
                PIECE(
                    "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"a\\\"\"}")
                    PIECE(
                        "{\"type\":\"input_json_delta\",\"partial_json\":\":1}\"}")
                        BLOCK_STOP MESSAGE_END("tool_use")),
        "{\"a\":1} [tools done] 15+7=22 c3 r4",
        "{\"type\":\"text\",\"text\":\"{\\\"a\\\":1}\"}");
}

static void test_anthropic_ends(void **state)
{
    (void)state;
    static const char *const ends[][2] = {
        {"end_turn", "stop"},     {"stop_sequence", "stop"},
        {"max_tokens", "length"}, {"model_context_window_exceeded", "length"},
        {"refusal", "filtered"},  {"something_new", "stop"}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct buf json = {0}, what = {0};
        buf_printf(&json,
                   "{\"type\":\"message\",\"content\":[{\"type\":\"text\""
                   ",\"text\":\"a\"}],\"stop_reason\":\"%s\"}",
                   ends[i][0]);
        buf_printf(&what, "a [%s done]", ends[i][1]);
        expect_whole("anthropic", buf_cstr(&json), buf_cstr(&what));
        buf_done(&json);
        buf_done(&what);
    }
    anthropic(MESSAGE_START START("{\"type\":\"text\",\"text\":\"\"}")
                  PIECE("{\"type\":\"text_delta\",\"text\":\"a\"}") BLOCK_STOP,
              "a [open] 15+1=16 c3 r0", NULL);
}

static void test_anthropic_without_event_names(void **state)
{
    (void)state;
    anthropic("data: {\"type\":\"content_block_start\",\"index\":0,"
              "\"content_block\":{\"type\":\"text\",\"text\":\"a\"}}\n\n"
              "data: {\"index\":0,\"delta\":{\"text\":\"b\",\"type\":"
              "\"text_delta\"},\"type\":\"content_block_delta\"}\n\n"
              "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":"
              "\"end_turn\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
              "ab [stop done]", "{\"type\":\"text\",\"text\":\"ab\"}");
}

static void test_anthropic_errors_in_the_stream(void **state)
{
    (void)state;
    anthropic(MESSAGE_START EVENT(
                  "error", ",\"error\":{\"type\":"
                           "\"overloaded_error\",\"message\":\"Overloaded\"}"),
              " [open done] 15+1=16 c3 r0 "
              "ERR_MODEL_UNAVAILABLE:overloaded_error",
              NULL);
    anthropic(EVENT("error", ",\"error\":{\"type\":\"invalid_request_error\"}"),
              " [open done] ERR_MODEL_REFUSED:invalid_request_error", NULL);
}

static void test_anthropic_whole_replies(void **state)
{
    (void)state;
    expect_whole("anthropic",
                 "{\"id\":\"m\",\"type\":\"message\",\"content\":[{\"type\":"
                 "\"thinking\",\"thinking\":\"t\",\"signature\":\"s\"},"
                 "{\"type\":\"text\",\"text\":\"Hi\"},{\"type\":\"tool_use\","
                 "\"id\":\"t\",\"name\":\"f\",\"input\":{\"x\":1}}],"
                 "\"stop_reason\":\"tool_use\",\"usage\":{\"input_tokens\":1,"
                 "\"output_tokens\":2}}",
                 "Hi t=f({\"x\":1}) [tools done] 1+2=3 c0 r0");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_openai_text_with_usage),
        cmocka_unit_test(test_openai_tool_calls_are_joined_by_index),
        cmocka_unit_test(test_openai_tool_calls_of_other_servers),
        cmocka_unit_test(test_openai_refusals_and_ends),
        cmocka_unit_test(test_openai_oddities_are_skipped),
        cmocka_unit_test(test_openai_errors_in_the_stream),
        cmocka_unit_test(test_openai_garbage_is_bad),
        cmocka_unit_test(test_openai_whole_replies),
        cmocka_unit_test(test_too_many_tool_calls_are_bad),
        cmocka_unit_test(test_anthropic_thoughts_words_and_tools),
        cmocka_unit_test(test_anthropic_answers_by_the_schemas_tool),
        cmocka_unit_test(test_anthropic_ends),
        cmocka_unit_test(test_anthropic_without_event_names),
        cmocka_unit_test(test_anthropic_errors_in_the_stream),
        cmocka_unit_test(test_anthropic_whole_replies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
