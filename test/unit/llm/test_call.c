/* Calls: replies, retries, parameters that a server refuses. */
#include "call_scene.h"

/* ---- answers ------------------------------------------------------------ */

static void test_an_answer_is_shown_as_it_comes(void **state)
{
    (void)state;
    SCRIPT(drip, DRIP(GOOD), CLOSE);
    PLAY(drip);
    struct call_result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_true(str_is(r.call.content, "Hello you"));
    expect_story(&r, "Hello you");
    assert_int_equal(r.call.finish, LLM_STOP);
    assert_int_equal(r.call.usage.total, 15);
    assert_true(r.call.usage_known);
    assert_int_equal(r.call.tries, 1);
    assert_true(str_find(script_server_head(server),
                         STR("\r\nAuthorization: Bearer sk-very-secret\r\n")) >
                0);
}

static void test_a_server_that_does_not_stream_is_heard(void **state)
{
    (void)state;
    SCRIPT(whole,
           DRIP("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                "Connection: close\r\n\r\n{\"choices\":[{\"message\":"
                "{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}],"
                "\"usage\":{\"total_tokens\":3}}"),
           CLOSE);
    PLAY(whole);
    struct call_result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_true(str_is(r.call.content, "Hi"));
    assert_int_equal(r.call.usage.total, 3);
}

static void test_tool_calls_are_given(void **state)
{
    (void)state;
    SCRIPT(
        tools,
        SEND(STREAM_HEAD
             "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,"
             "\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}},"
             "{\"index\":1,\"function\":{\"name\":\"g\",\"arguments\":\"\"}}]},"
             "\"finish_reason\":\"stop\"}]}\n\n" DONE),
        CLOSE);
    PLAY(tools);
    struct call_result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_int_equal(r.call.finish, LLM_TOOL_CALLS);
    assert_int_equal(r.call.n_tool_calls, 2);
    assert_true(str_is(r.call.tool_calls[0].id, "a"));
    assert_true(str_is(r.call.tool_calls[1].id, "call_2"));
    assert_true(str_is(r.call.tool_calls[1].arguments, "{}"));
}

static void test_anthropic_gives_its_message_for_the_next_round(void **state)
{
    (void)state;
    SCRIPT(
        tools,
        SEND(
            STREAM_HEAD
            "event: content_block_start\ndata: {\"type\":\"content_block_start\","
            "\"content_block\":{\"type\":\"thinking\",\"thinking\":\"hm\","
            "\"signature\":\"s\"}}\n\n"
            "event: content_block_start\ndata: {\"type\":\"content_block_start\","
            "\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\","
            "\"input\":{}}}\n\nevent: message_delta\ndata: {\"type\":"
            "\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\n"
            "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"),
        CLOSE);
    PLAY(tools);
    use("anthropic", "claude-sonnet-4-6");
    struct call_result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_true(str_is(
        r.call.raw, "{\"role\":\"assistant\",\"content\":["
                    "{\"type\":\"thinking\",\"thinking\":\"hm\","
                    "\"signature\":\"s\"},{\"type\":\"tool_use\",\"id\":\"t\","
                    "\"name\":\"f\",\"input\":{}}]}"));
    assert_true(str_starts(script_server_head(server),
                           STR("POST /v1/messages HTTP/1.1\r\n")));
}

static void test_a_server_that_lingers_after_its_last_word(void **state)
{
    (void)state;
    SCRIPT(lingers, SEND(GOOD), STALL);
    PLAY(lingers);
    struct call_result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_true(str_is(r.call.content, "Hello you"));
    assert_int_equal(r.call.tries, 1);
}

static void test_a_break_after_the_last_word_does_no_harm(void **state)
{
    (void)state;
    SCRIPT(
        breaks,
        SEND("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n" SAY("Hi") STOP),
        RESET);
    PLAY(breaks);
    struct call_result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_false(r.call.usage_known);
}

/* ---- retries ------------------------------------------------------------ */

static void test_a_busy_server_is_asked_again(void **state)
{
    (void)state;
    PLAY(busy, busy, good);
    struct call_result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_int_equal(r.call.tries, 3);
    expect_story(&r, "<model_unavailable><model_unavailable>Hello you");
}

static void compose(void *who)
{
    struct call_result *r = who;
    r->call.messages = &hello;
    r->call.n_messages = 1;
    buf_text(&r->story, "<composed>");
}

static void let_go(void *who)
{
    struct call_result *r = who;
    r->call.messages = NULL;
    r->call.n_messages = 0;
}

static void test_messages_are_composed_for_each_try_and_not_kept(void **state)
{
    (void)state;
    PLAY(busy, good);
    struct call_result r = {.call = {.compose = compose, .let_go = let_go}};
    struct llm_call *c = &r.call;
    start(&r);
    let_go(&r);
    while (!r.ends) {
        loop_turn(true);
        assert_null(c->messages);
    }
    assert_int_equal(r.status, OK);
    expect_story(&r, "<composed><model_unavailable><composed>Hello you");
    assert_true(str_find(script_server_body(server), hello.content) > 0);
}

static void test_after_three_tries_it_fails(void **state)
{
    (void)state;
    PLAY(failing);
    struct call_result r = {0};
    run(&r);
    assert_int_equal(r.status, ERR_MODEL_UNAVAILABLE);
    assert_int_equal(script_server_requests(server), 3);
    assert_true(str_is(r.call.problem, "The language model's server failed."));
}

static void test_shown_text_is_not_shown_twice(void **state)
{
    (void)state;
    PLAY(cut, good);
    struct call_result r = {0};
    run(&r);
    assert_int_equal(r.status, ERR_BAD_REPLY);
    assert_int_equal(script_server_requests(server), 1);
    expect_story(&r, "Hal");
}

static void test_shown_text_is_voided_first(void **state)
{
    (void)state;
    PLAY(cut, good);
    struct call_result r = {.call = {.on_restart = on_restart}};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_true(str_is(r.call.content, "Hello you"));
    expect_story(&r, "Hal<restart><model_reply_incomplete>Hello you");
    assert_int_equal(r.call.usage.total, 30); /* of both tries */
}

static void test_an_error_in_the_stream_is_tried_again(void **state)
{
    (void)state;
    SCRIPT(fails,
           SEND(STREAM_HEAD "data: {\"error\":{\"type\":"
                            "\"server_error\"}}\n\n" DONE),
           CLOSE);
    PLAY(fails, good);
    struct call_result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_int_equal(r.call.tries, 2);
}

static void test_garbage_is_never_an_answer(void **state)
{
    (void)state;
    SCRIPT(html, SEND(STREAM_HEAD "<html>Hello</html>"), CLOSE);
    SCRIPT(bad_json, SEND(STREAM_HEAD "data: {\"choices\":[{\n\n" DONE), CLOSE);
    SCRIPT(empty, SEND(STREAM_HEAD STOP DONE), CLOSE);
    PLAY(html, bad_json, empty);
    struct call_result r = {0};
    run(&r);
    assert_int_equal(r.status, ERR_BAD_REPLY);
    assert_int_equal(script_server_requests(server), 3);
}

static void test_retry_after_beyond_the_budget_fails_now(void **state)
{
    (void)state;
    SCRIPT(later, SEND(ERROR_REPLY("429 No", "Retry-After: 86400\r\n", "{}")),
           CLOSE);
    PLAY(later);
    struct call_result r = {0};
    run(&r);
    assert_int_equal(r.status, ERR_MODEL_UNAVAILABLE);
    assert_int_equal(script_server_requests(server), 1);
    assert_true(str_find(r.call.problem, STR("86400 seconds")) > 0);
}

static void test_a_silent_server_ends_at_the_total(void **state)
{
    (void)state;
    SCRIPT(stall, SEND(STREAM_HEAD ": ping\n\n"), STALL);
    PLAY(stall);
    struct call_result r = {.call = {.total_ms = 50}};
    run(&r);
    assert_int_equal(r.status, ERR_TIMEOUT);
}

static void test_a_refused_key_is_told_the_operator_once(void **state)
{
    (void)state;
    SCRIPT(refused,
           SEND(ERROR_REPLY(
               "401 No", "",
               "{\"error\":{\"message\":"
               "\"Incorrect API key provided: sk-very-secret\",\"code\":"
               "\"invalid_api_key\"}}")),
           CLOSE);
    PLAY(refused);
    for (int i = 0; i < 3; i++) {
        struct call_result r = {0};
        run(&r);
        assert_int_equal(r.status, ERR_MODEL_REFUSED);
        assert_int_equal(r.call.tries, 1);
        assert_true(str_find(r.call.problem, STR("sk-")) < 0);
    }
    struct str log = log_text();
    ptrdiff_t first = str_find(log, STR("\"error\""));
    assert_true(first > 0);
    assert_true(str_find(str_from(log, (size_t)first + 1),
                         STR("\"level\":\"error\"")) < 0);
    assert_true(str_find(log, STR("sk-very-secret")) < 0);
}

static void test_no_key_in_any_log(void **state)
{
    (void)state;
    SCRIPT(
        quotes,
        SEND(ERROR_REPLY(
            "500 No", "X: sk-very-secret\r\n",
            "{\"error\":{\"message\":\"key sk-very-secret\",\"type\":\"t\"}}")),
        CLOSE);
    PLAY(quotes, cut, failing);
    struct call_result r = {.call = {.on_restart = on_restart}};
    run(&r);
    assert_int_not_equal(r.status, OK);
    struct str log = log_text();
    assert_true(log.len > 0);
    assert_true(str_find(log, STR("sk-very-secret")) < 0);
    assert_true(str_find(r.call.problem, STR("sk-")) < 0);
}

/* ---- refused parameters ------------------------------------------------- */

static bool body_has(const char *name)
{
    json_t *body = json_read(script_server_body(server), NULL);
    assert_non_null(body);
    bool has = json_object_get(body, name) != NULL;
    json_decref(body);
    return has;
}

static void test_a_refused_parameter_is_left_out_from_then_on(void **state)
{
    (void)state;
    SCRIPT(
        no_temperature,
        SEND(ERROR_REPLY(
            "400 No", "",
            "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\","
            "\"message\":\"`temperature` is deprecated for this model.\"}}")),
        CLOSE);
    PLAY(no_temperature, good, good);
    model.temperature = 0.2;
    struct call_result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_int_equal(r.call.tries, 1);
    assert_true(r.call.temperature_sent < 0);
    assert_false(body_has("temperature"));
    struct call_result next = {0};
    run(&next);
    assert_int_equal(next.status, OK);
    assert_int_equal(script_server_requests(server), 3);
    assert_false(body_has("temperature"));
    assert_true(str_find(log_text(), STR("parameter")) > 0);
}

static void test_the_other_name_of_the_limit_is_tried(void **state)
{
    (void)state;
    SCRIPT(
        no_max,
        SEND(ERROR_REPLY(
            "400 No", "",
            "{\"error\":{\"message\":\"Unsupported parameter: 'max_tokens' is not "
            "supported with this model. Use 'max_completion_tokens' instead.\","
            "\"param\":\"max_tokens\",\"code\":\"unsupported_parameter\"}}")),
        CLOSE);
    PLAY(no_max, good);
    use("openai", "unheard-of");
    struct call_result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_true(body_has("max_completion_tokens"));
    assert_false(body_has("max_tokens"));
}

static void test_a_told_limit_is_kept_to(void **state)
{
    (void)state;
    SCRIPT(
        too_large,
        SEND(ERROR_REPLY(
            "400 No", "",
            "{\"error\":{\"message\":\"max_tokens is too large: 16384. This model "
            "supports at most 4096 completion tokens.\",\"param\":"
            "\"max_completion_tokens\"}}")),
        CLOSE);
    PLAY(too_large, good);
    struct call_result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_true(str_find(script_server_body(server),
                         STR("\"max_completion_tokens\":4096")) > 0);
}

static void test_schemas_fall_back_to_asking(void **state)
{
    (void)state;
    SCRIPT(
        no_schema,
        SEND(ERROR_REPLY(
            "400 No", "",
            "{\"error\":{\"message\":\"response_format type json_schema is not "
            "supported\"}}")),
        CLOSE);
    SCRIPT(no_object,
           SEND(ERROR_REPLY(
               "422 No", "",
               "{\"detail\":[{\"loc\":[\"body\",\"response_format\"]}]}")),
           CLOSE);
    PLAY(no_schema, no_object, good);
    struct call_result r = {.call = {.schema_name = STR("plan"),
                                     .schema = STR("{\"type\":\"object\"}")}};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_int_equal(script_server_requests(server), 3);
    assert_false(body_has("response_format"));
    assert_true(str_find(script_server_body(server), STR("JSON Schema")) > 0);
}

static void test_other_refusals_are_final(void **state)
{
    (void)state;
    SCRIPT(
        too_long,
        SEND(ERROR_REPLY(
            "400 No", "",
            "{\"error\":{\"message\":\"This model's maximum context length is 8192 "
            "tokens. Reduce the messages or max_completion_tokens.\",\"code\":"
            "\"context_length_exceeded\"}}")),
        CLOSE);
    PLAY(too_long);
    struct call_result r = {0};
    run(&r);
    assert_int_equal(r.status, ERR_MODEL_REFUSED);
    assert_int_equal(script_server_requests(server), 1);
}

/* ---- the end, in any case ----------------------------------------------- */

static void test_a_call_can_be_cancelled_at_any_moment(void **state)
{
    (void)state;
    SCRIPT(drip, DRIP(STREAM_HEAD SAY("a") STOP DONE), CLOSE);
    PLAY(cut, busy, drip);
    for (int turns = 0; turns < 80; turns++) {
        struct call_result r = {.call = {.on_restart = on_restart}};
        struct flow *f = start(&r);
        for (int i = 0; i < turns && !r.ends; i++)
            loop_turn(true);
        if (!r.ends)
            flow_cancel(f);
        while (!r.ends)
            loop_turn(true);
        assert_int_equal(r.ends, 1);
        assert_true(r.status == OK || r.status == ERR_CANCELLED ||
                    r.status == ERR_MODEL_UNAVAILABLE);
        assert_int_equal(http_client_count().in_flight, 0);
        breakers_reset();
    }
}

static void test_a_call_survives_the_end_of_memory(void **state)
{
    (void)state;
    PLAY(good);
    unsigned failed = 0;
    for (unsigned n = 1; n <= 8; n++) {
        struct call_result r = {0};
        struct flow *f = start(&r);
        r.call.memory = NULL; /* the test's flow must not fail */
        (void)f;
        arena_fail_block(n);
        while (!r.ends)
            loop_turn(true);
        arena_fail_block(0);
        assert_true(r.status == OK || r.status == ERR_NO_MEMORY);
        failed += r.status == ERR_NO_MEMORY;
        assert_int_equal(r.ends, 1);
    }
    assert_true(failed > 0);
}

/* ---- providers in this process ------------------------------------------ */

static enum err answer(struct llm_call *c, struct arena *memory)
{
    c->content = arena_str(memory, *(const struct str *)c->inputs);
    return c->content.len ? OK : ERR_MODEL_REFUSED;
}

static void test_a_local_provider_answers_without_a_server(void **state)
{
    (void)state;
    static const struct llm_local local = {"builtin", answer};
    static const struct str inputs = STR("from here");
    llm_register_local(&local);
    assert_true(llm_model_init(&model, STR("builtin"), STR("any")));
    assert_true(str_is(llm_provider_id(&model), "builtin"));
    struct call_result r = {.call = {.inputs = &inputs}};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_true(str_is(r.call.content, "from here"));
    static const struct str nothing;
    struct call_result none = {.call = {.inputs = &nothing}};
    run(&none);
    assert_int_equal(none.status, ERR_MODEL_REFUSED);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        CASE(test_an_answer_is_shown_as_it_comes),
        CASE(test_a_server_that_does_not_stream_is_heard),
        CASE(test_tool_calls_are_given),
        CASE(test_anthropic_gives_its_message_for_the_next_round),
        CASE(test_a_server_that_lingers_after_its_last_word),
        CASE(test_a_break_after_the_last_word_does_no_harm),
        CASE(test_a_busy_server_is_asked_again),
        CASE(test_messages_are_composed_for_each_try_and_not_kept),
        CASE(test_after_three_tries_it_fails),
        CASE(test_shown_text_is_not_shown_twice),
        CASE(test_shown_text_is_voided_first),
        CASE(test_an_error_in_the_stream_is_tried_again),
        CASE(test_garbage_is_never_an_answer),
        CASE(test_retry_after_beyond_the_budget_fails_now),
        CASE(test_a_silent_server_ends_at_the_total),
        CASE(test_a_refused_key_is_told_the_operator_once),
        CASE(test_no_key_in_any_log),
        CASE(test_a_refused_parameter_is_left_out_from_then_on),
        CASE(test_the_other_name_of_the_limit_is_tried),
        CASE(test_a_told_limit_is_kept_to),
        CASE(test_schemas_fall_back_to_asking),
        CASE(test_other_refusals_are_final),
        CASE(test_a_call_can_be_cancelled_at_any_moment),
        CASE(test_a_call_survives_the_end_of_memory),
        CASE(test_a_local_provider_answers_without_a_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
