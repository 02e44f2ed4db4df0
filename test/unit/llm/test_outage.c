/* Calls to a server that fails, is overloaded, refuses, or never stops
 * sending. */
#include "call_scene.h"
#include "vendor.h"

/* ---- overload ----------------------------------------------------------- */

static void test_an_overload_is_waited_out(void **state)
{
    (void)state;
    SCRIPT(
        full,
        SEND(ERROR_REPLY("529 No", "",
                         "{\"type\":\"error\","
                         "\"error\":{\"type\":\"overloaded_error\",\"message\":"
                         "\"Overloaded\"}}")),
        CLOSE);
    PLAY(full, full, full, full, good);
    struct call_result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_int_equal(r.call.tries, 5);
}

static void test_a_limit_that_lasts_fails_when_time_is_up(void **state)
{
    (void)state;
    SCRIPT(limited, SEND(ERROR_REPLY("429 No", "", "{}")), CLOSE);
    PLAY(limited);
    struct call_result r = {.call = {.total_ms = 1100}};
    run(&r);
    assert_int_equal(r.status, ERR_MODEL_UNAVAILABLE);
    assert_true(r.call.tries > 3);
    assert_true(str_find(r.call.problem, STR("limits the rate")) > 0);
}

static void test_an_overload_told_in_the_stream_is_one(void **state)
{
    (void)state;
    SCRIPT(full,
           SEND(STREAM_HEAD
                "event: error\ndata: {\"type\":\"error\","
                "\"error\":{\"type\":\"overloaded_error\",\"message\":"
                "\"Overloaded\"}}\n\n"),
           CLOSE);
    SCRIPT(
        fine,
        SEND(
            STREAM_HEAD
            "event: content_block_start\ndata: {\"type\":\"content_block_start\","
            "\"content_block\":{\"type\":\"text\",\"text\":\"Hi\"}}\n\n"
            "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":"
            "{\"stop_reason\":\"end_turn\"}}\n\n"
            "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"),
        CLOSE);
    PLAY(full, full, full, full, fine);
    use("anthropic", "claude-sonnet-4-6");
    struct call_result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_int_equal(r.call.tries, 5);
}

/* ---- the circuit breaker ------------------------------------------------ */

/* Concurrent calls to a server that fails the first tries. */
enum { CROWD = 12 };

static unsigned run_crowd(struct call_result *crowd, unsigned most_ms)
{
    unsigned well = 0;
    for (int i = 0; i < CROWD; i++) {
        crowd[i] = (struct call_result){.call = {.total_ms = most_ms}};
        start(&crowd[i]);
    }
    for (int i = 0; i < CROWD; i++) {
        while (!crowd[i].ends)
            loop_turn(true);
        well += crowd[i].status == OK;
    }
    return well;
}

static unsigned tries_of(const struct call_result *crowd)
{
    unsigned tries = 0;
    for (int i = 0; i < CROWD; i++)
        tries += crowd[i].call.tries;
    return tries;
}

static void test_an_outage_is_waited_out_by_all(void **state)
{
    (void)state;
    static struct call_result crowd[CROWD];
    struct llm_server told;
    breaker_open_ms = 40;
    PLAY(busy, busy, busy, busy, busy, busy, busy, busy, busy, busy, busy, busy,
         busy, busy, good);
    assert_int_equal(run_crowd(crowd, 20000), CROWD);
    breaker_open_ms = 1000;
    assert_int_equal(tries_of(crowd), 14 + CROWD);
    assert_int_equal(llm_servers(&told, 1), 1);
    assert_int_equal(told.opens, 1);
    assert_int_equal(told.waiting, 0);
    assert_int_equal(told.states[LLM_SERVER_CLOSED], 1);
    assert_string_equal(told.provider, "openai");
}

/* A waiting call reports it and is counted; its timeout bounds the wait. */
static void test_a_wait_for_a_server_is_bounded_and_told(void **state)
{
    (void)state;
    static struct call_result crowd[CROWD];
    struct llm_server told = {0};
    breaker_open_ms = 5000;
    PLAY(busy);
    for (int i = 0; i < CROWD; i++) {
        crowd[i] = (struct call_result){.call = {.total_ms = 1300}};
        start(&crowd[i]);
    }
    while (told.waiting < CROWD && !crowd[0].ends) {
        loop_turn(true);
        llm_servers(&told, 1);
    }
    assert_int_equal(told.waiting, CROWD);
    assert_int_equal(told.opens, 1);
    assert_int_equal(told.states[LLM_SERVER_OPEN], 1);
    unsigned requests = script_server_requests(server);
    for (int i = 0; i < CROWD; i++)
        while (!crowd[i].ends)
            loop_turn(true);
    for (int i = 0; i < CROWD; i++) {
        assert_int_equal(crowd[i].status, ERR_MODEL_UNAVAILABLE);
        assert_true(str_ends(buf_view(&crowd[i].story),
                             STR("<model_unavailable><model_unavailable>")));
        assert_true(str_find(crowd[i].call.problem, STR("kept failing")) > 0);
    }
    assert_int_equal(script_server_requests(server), requests);
    llm_servers(&told, 1);
    assert_int_equal(told.waiting, 0);
    breaker_open_ms = 1000;
}

static void test_one_call_probes_at_a_time(void **state)
{
    (void)state;
    struct breaker_ticket turns[8];
    struct breaker *b =
        breaker_of("openai", STR("http://a:b@host.test/v1/x?k=s"));
    breaker_open_ms = 10;
    memset(turns, 0, sizeof turns);
    for (int i = 0; i < 8; i++)
        turns[i].breaker = b;
    for (int i = 0; i < 5; i++) {
        assert_int_equal(breaker_acquire(&turns[i]), 0);
        breaker_report(&turns[i], BREAKER_FAILURE);
    }
    int probes = 0;
    while (!probes) /* until its time is over */
        for (int i = 0; i < 8; i++)
            probes += breaker_acquire(&turns[i]) == 0;
    assert_int_equal(probes, 1);
    for (int i = 0; i < 8; i++)
        if (turns[i].probe)
            breaker_useful(&turns[i]);
    struct llm_server told;
    llm_servers(&told, 1);
    assert_string_equal(told.address, "host.test/v1/x");
    assert_int_equal(told.waiting, 7);
    assert_int_equal(told.states[LLM_SERVER_CLOSED], 1);
    uint64_t first = turns[0].held_until;
    bool same = true; /* not all at the same moment */
    for (int i = 1; i < 8; i++)
        same = same && (turns[i].probe || turns[i].held_until == first);
    assert_false(same);
    for (int i = 0; i < 8; i++)
        breaker_cancel(&turns[i]);
    llm_servers(&told, 1);
    assert_int_equal(told.waiting, 0);
    breaker_open_ms = 1000;
}

/* ---- error messages ----------------------------------------------------- */

static void test_a_refusal_is_told_in_the_servers_words(void **state)
{
    (void)state;
    SCRIPT(
        too_long,
        SEND(ERROR_REPLY(
            "400 No", "",
            "{\"error\":{\"message\":"
            "\"This model's maximum context length is 8192 tokens.\\nReduce \\u0007"
            "it.\",\"code\":\"context_length_exceeded\"}}")),
        CLOSE);
    SCRIPT(
        unknown,
        SEND(ERROR_REPLY("404 No", "",
                         "{\"type\":\"error\","
                         "\"error\":{\"type\":\"not_found_error\",\"message\":"
                         "\"model: claude-3-5-sonnet-20241022\"}}")),
        CLOSE);
    SCRIPT(large,
           SEND(ERROR_REPLY("413 No", "",
                            "{\"error\":\"prompt is too "
                            "long: 210000 tokens\"}")),
           CLOSE);
    SCRIPT(odd,
           SEND(ERROR_REPLY("422 No", "",
                            "{\"detail\":[{\"loc\":[\"body\"]"
                            ",\"msg\":\"field required\"}]}")),
           CLOSE);
    static const char *const words[] = {
        "maximum context length is 8192 tokens. Reduce",
        "claude-3-5-sonnet-20241022", "210000 tokens", "field required"};
    PLAY(too_long, unknown, large, odd);
    for (size_t i = 0; i < 4; i++) {
        struct call_result r = {0};
        run(&r);
        assert_int_equal(r.status, ERR_MODEL_REFUSED);
        assert_true(str_find(r.call.problem, str_of(words[i])) > 0);
        assert_true(str_find(log_text(), str_of(words[i])) > 0);
    }
}

static void expect_clean(const char *says, const char *becomes)
{
    struct vendor_error e;
    vendor_take(&e, STR("x"), str_of(says), &model);
    assert_string_equal(e.words, becomes);
}

static void test_what_a_server_says_tells_no_secret(void **state)
{
    (void)state;
    model.extra_headers = STR("X-Team: blue-whale-42\nX-A: b");
    expect_clean("bad key sk-very-secret, sorry", "bad key [hidden], sorry");
    expect_clean("(sk-abcdefgh...xyz)", "([hidden])");
    expect_clean("header Authorization: Bearer abc.def is odd",
                 "header Authorization: Bearer [hidden] is odd");
    expect_clean("x-api-key: hunter2x", "x-api-key: [hidden]");
    expect_clean("api_key=hunter2x", "[hidden]");
    expect_clean("team blue-whale-42 has none", "team [hidden] has none");
    expect_clean("0123456789abcdef0123456789abcdef no", "[hidden] no");
    expect_clean("see https://bob:pw@host.test/a/b?key=1 now",
                 "see https://host.test/a/b now");
    expect_clean("max_tokens: 144384 > 64000, the limit of claude-sonnet-4-5-"
                 "20250929",
                 "max_tokens: 144384 > 64000, the limit of "
                 "claude-sonnet-4-5-20250929");
    expect_clean("at most 4096 completion tokens", "at most 4096 completion "
                                                   "tokens");
    expect_clean("a\r\n\t b\x01", "a b\xEF\xBF\xBD");
}

static void test_what_a_server_says_is_bounded(void **state)
{
    (void)state;
    char text[5000];
    struct vendor_error e;
    memset(text, 'a', sizeof text - 1);
    for (size_t i = 9; i < sizeof text - 1; i += 10)
        text[i] = ' ';
    text[sizeof text - 1] = '\0';
    vendor_take(&e, str_of(text), str_of(text), &model);
    assert_true(strlen(e.words) <= VENDOR_WORDS + 3);
    assert_true(str_ends(str_of(e.words), STR("…")));
    vendor_read(&e, STR("<html>413</html>"), &model);
    assert_string_equal(e.words, "");
    vendor_read(&e, STR(""), &model);
    assert_string_equal(e.words, "");
}

/* ---- an endless reply --------------------------------------------------- */

static void test_an_endless_reply_ends_at_its_limit(void **state)
{
    (void)state;
    SCRIPT(endless, SEND(STREAM_HEAD), FLOOD(SAY("on and on and on and on ")));
    SCRIPT(pings, SEND(STREAM_HEAD), FLOOD(": ping ping ping ping ping\n\n"));
    SCRIPT(whole,
           SEND("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                "Connection: close\r\n\r\n{\"choices\":[{\"message\":"
                "{\"content\":\""),
           FLOOD("on and on and on and on "));
    PLAY(endless, pings, whole);
    for (int i = 0; i < 3; i++) {
        struct call_result r = {.call = {.max_output = 100}};
        run(&r);
        assert_int_equal(r.status, OK);
        assert_int_equal(r.call.finish, LLM_LENGTH);
        assert_true(r.call.exceeded_limit);
        assert_int_equal(r.call.tries, 1);
        assert_true(r.call.content.len <= 1000);
        assert_true(i > 0 || r.call.content.len >= 400);
        assert_true(r.call.usage.estimated);
        assert_true(i > 0 || r.call.usage.completion >= 100);
    }
}

static void test_usage_that_is_not_told_is_estimated(void **state)
{
    (void)state;
    SCRIPT(untold, SEND(STREAM_HEAD SAY("Hello ") SAY("you") STOP DONE), CLOSE);
    SCRIPT(zero,
           SEND(STREAM_HEAD SAY("Hello ") SAY("you") STOP
                "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":0,"
                "\"completion_tokens\":0,\"total_tokens\":0}}\n\n" DONE),
           CLOSE);
    PLAY(untold, zero);
    for (int i = 0; i < 2; i++) {
        struct call_result r = {0};
        run(&r);
        assert_int_equal(r.status, OK);
        assert_false(r.call.usage_known);
        assert_true(r.call.usage.estimated);
        assert_int_equal(r.call.usage.completion, 3);
        size_t sent = script_server_body(server).len;
        assert_int_equal(r.call.usage.prompt, (sent + 3) / 4);
        assert_int_equal(r.call.usage.total,
                         r.call.usage.prompt + r.call.usage.completion);
    }
}

static void test_told_usage_is_not_estimated(void **state)
{
    (void)state;
    PLAY(good);
    struct call_result r = {0};
    run(&r);
    assert_int_equal(r.call.usage.total, 15);
    assert_false(r.call.usage.estimated);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        CASE(test_an_overload_is_waited_out),
        CASE(test_a_limit_that_lasts_fails_when_time_is_up),
        CASE(test_an_overload_told_in_the_stream_is_one),
        CASE(test_an_outage_is_waited_out_by_all),
        CASE(test_a_wait_for_a_server_is_bounded_and_told),
        CASE(test_one_call_probes_at_a_time),
        CASE(test_a_refusal_is_told_in_the_servers_words),
        CASE(test_what_a_server_says_tells_no_secret),
        CASE(test_what_a_server_says_is_bounded),
        CASE(test_an_endless_reply_ends_at_its_limit),
        CASE(test_usage_that_is_not_told_is_estimated),
        CASE(test_told_usage_is_not_estimated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
