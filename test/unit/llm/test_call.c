/* Calls against a server that does what a script says. */
#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "breaker.h"
#include "llm/llm.h"
#include "loop/loop.h"
#include "net/http_client.h"
#include "quirks.h"
#include "retry.h"
#include "script_server.h"
#include "vendor.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "../leave_out.h"

#define STREAM_HEAD                                                            \
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"                   \
    "Connection: close\r\n\r\n"
#define SAY(text) "data: {\"choices\":[{\"delta\":{\"content\":\"" text "\"}}]}\n\n"
#define STOP                                                                   \
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
#define USAGE                                                                  \
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":10,"                   \
    "\"completion_tokens\":5,\"total_tokens\":15}}\n\n"
#define DONE "data: [DONE]\n\n"
#define GOOD STREAM_HEAD SAY("Hello ") SAY("you") STOP USAGE DONE
#define ERROR_REPLY(status, more, body)                                        \
    "HTTP/1.1 " status "\r\nContent-Type: application/json\r\n" more           \
    "Connection: close\r\n\r\n" body

static const struct script_step good[] = {SEND(GOOD), CLOSE};
static const struct script_step busy[] = {
    SEND(ERROR_REPLY("503 No", "", "{\"error\":{\"type\":\"x\"}}")), CLOSE};
static const struct script_step failing[] = {
    SEND(ERROR_REPLY("500 No", "", "{\"error\":{\"type\":\"x\"}}")), CLOSE};
static const struct script_step cut[] = {
    SEND(STREAM_HEAD SAY("Hal") USAGE), CLOSE};

#define PLAY(...)                                                              \
    static const struct script_step *const scripts_[] = {__VA_ARGS__};         \
    script_server_play(server, scripts_, sizeof scripts_ / sizeof *scripts_)
#define SCRIPT(name, ...)                                                      \
    static const struct script_step name[] = {__VA_ARGS__}

static struct script_server *server;
static struct arena arena;
static struct llm_model model;
static const struct llm_message hello = {.role = LLM_USER,
                                         .content = STR("Hello?")};
static int log_fd[2];

static void use(const char *provider, const char *name)
{
    assert_true(llm_model_init(&model, str_of(provider), str_of(name)));
    model.base_url = arena_printf(&arena, "http://127.0.0.1:%d/v1",
                                  script_server_port(server));
    model.key = STR("sk-very-secret");
}

static int setup(void **state)
{
    (void)state;
    loop_open();
    http_client_open(&(struct http_client_options){0});
    server = script_server_open(NULL);
    arena_init(&arena, 0);
    use("openai", "gpt-4o");
    retry_wait_ms = 2;
    assert_int_equal(pipe2(log_fd, O_NONBLOCK), 0);
    log_to_fd(log_fd[1]);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(http_client_count().in_flight, 0);
    script_server_close(&server);
    http_client_close();
    loop_close();
    arena_done(&arena);
    quirks_forget();
    breakers_forget();
    log_to_fd(2);
    close(log_fd[0]);
    close(log_fd[1]);
    return 0;
}

static struct str log_text(void)
{
    static char text[65536];
    ssize_t n = read(log_fd[0], text, sizeof text);
    return (struct str){text, n > 0 ? (size_t)n : 0};
}

/* ---- a call and what became of it --------------------------------------- */

struct result {
    struct llm_call call;
    struct buf story; /* what the hooks were told */
    enum err status;
    unsigned ends;
};

static void on_text(void *who, struct str piece)
{
    struct result *r = who;
    buf_printf(&r->story, "%.*s", STR_ARG(piece));
}

static void on_restart(void *who)
{
    buf_text(&((struct result *)who)->story, "<restart>");
}

static void on_wait(void *who, const char *reason, unsigned ms)
{
    (void)ms;
    buf_printf(&((struct result *)who)->story, "<%s>", reason);
}

static struct next story_told(struct flow *f)
{
    return back(f);
}

static struct next story_begin(struct flow *f)
{
    struct result *r = locals(f, struct result);
    return call(f, llm_begin, &r->call, story_told);
}

static void on_end(struct flow *f, enum err how, void *who)
{
    struct result *r = who;
    (void)f;
    r->status = how;
    r->ends++;
}

static struct flow *start(struct result *r)
{
    struct llm_call *c = &r->call;
    c->model = &model;
    c->messages = &hello;
    c->n_messages = 1;
    c->memory = &arena;
    c->on_text = on_text;
    c->on_wait = on_wait;
    c->who = r;
    if (!c->total_ms)
        c->total_ms = 20000;
    buf_init(&r->story, &arena);
    return flow_start(story_begin, r,
                      &(struct flow_options){.kind = "test", .on_end = on_end,
                                             .who = r});
}

static void run(struct result *r)
{
    start(r);
    while (!r->ends)
        loop_turn(true);
    assert_int_equal(r->ends, 1);
}

static void expect_story(struct result *r, const char *story)
{
    assert_string_equal(buf_cstr(&r->story), story);
}

/* ---- answers ------------------------------------------------------------ */

static void test_an_answer_is_shown_as_it_comes(void **state)
{
    (void)state;
    SCRIPT(drip, DRIP(GOOD), CLOSE);
    PLAY(drip);
    struct result r = {0};
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
    SCRIPT(whole, DRIP("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                       "Connection: close\r\n\r\n{\"choices\":[{\"message\":"
                       "{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}],"
                       "\"usage\":{\"total_tokens\":3}}"), CLOSE);
    PLAY(whole);
    struct result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_true(str_is(r.call.content, "Hi"));
    assert_int_equal(r.call.usage.total, 3);
}

static void test_tool_calls_are_given(void **state)
{
    (void)state;
    SCRIPT(tools, SEND(STREAM_HEAD
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,"
        "\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}},"
        "{\"index\":1,\"function\":{\"name\":\"g\",\"arguments\":\"\"}}]},"
        "\"finish_reason\":\"stop\"}]}\n\n" DONE), CLOSE);
    PLAY(tools);
    struct result r = {0};
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
    SCRIPT(tools, SEND(STREAM_HEAD
        "event: content_block_start\ndata: {\"type\":\"content_block_start\","
        "\"content_block\":{\"type\":\"thinking\",\"thinking\":\"hm\","
        "\"signature\":\"s\"}}\n\n"
        "event: content_block_start\ndata: {\"type\":\"content_block_start\","
        "\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\","
        "\"input\":{}}}\n\nevent: message_delta\ndata: {\"type\":"
        "\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\n"
        "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"), CLOSE);
    PLAY(tools);
    use("anthropic", "claude-sonnet-4-6");
    struct result r = {0};
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
    struct result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_true(str_is(r.call.content, "Hello you"));
    assert_int_equal(r.call.tries, 1);
}

static void test_a_break_after_the_last_word_does_no_harm(void **state)
{
    (void)state;
    SCRIPT(breaks, SEND("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"
                        SAY("Hi") STOP), RESET);
    PLAY(breaks);
    struct result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_false(r.call.usage_known);
}

/* ---- tries -------------------------------------------------------------- */

static void test_a_busy_server_is_asked_again(void **state)
{
    (void)state;
    PLAY(busy, busy, good);
    struct result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_int_equal(r.call.tries, 3);
    expect_story(&r, "<model_unavailable><model_unavailable>Hello you");
}

static void compose(void *who)
{
    struct result *r = who;
    r->call.messages = &hello;
    r->call.n_messages = 1;
    buf_text(&r->story, "<composed>");
}

static void let_go(void *who)
{
    struct result *r = who;
    r->call.messages = NULL;
    r->call.n_messages = 0;
}

static void test_messages_are_composed_for_each_try_and_not_kept(void **state)
{
    (void)state;
    PLAY(busy, good);
    struct result r = {.call = {.compose = compose, .let_go = let_go}};
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
    struct result r = {0};
    run(&r);
    assert_int_equal(r.status, ERR_MODEL_UNAVAILABLE);
    assert_int_equal(script_server_requests(server), 3);
    assert_true(str_is(r.call.problem,
                       "The language model's server failed."));
}

static void test_an_overload_is_waited_out(void **state)
{
    (void)state;
    SCRIPT(full, SEND(ERROR_REPLY("529 No", "", "{\"type\":\"error\","
        "\"error\":{\"type\":\"overloaded_error\",\"message\":"
        "\"Overloaded\"}}")), CLOSE);
    PLAY(full, full, full, full, good);
    struct result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_int_equal(r.call.tries, 5);
}

static void test_a_limit_that_lasts_fails_when_time_is_up(void **state)
{
    (void)state;
    SCRIPT(limited, SEND(ERROR_REPLY("429 No", "", "{}")), CLOSE);
    PLAY(limited);
    struct result r = {.call = {.total_ms = 1100}};
    run(&r);
    assert_int_equal(r.status, ERR_MODEL_UNAVAILABLE);
    assert_true(r.call.tries > 3);
    assert_true(str_find(r.call.problem, STR("limits how often")) > 0);
}

static void test_an_overload_told_in_the_stream_is_one(void **state)
{
    (void)state;
    SCRIPT(full, SEND(STREAM_HEAD "event: error\ndata: {\"type\":\"error\","
        "\"error\":{\"type\":\"overloaded_error\",\"message\":"
        "\"Overloaded\"}}\n\n"), CLOSE);
    SCRIPT(fine, SEND(STREAM_HEAD
        "event: content_block_start\ndata: {\"type\":\"content_block_start\","
        "\"content_block\":{\"type\":\"text\",\"text\":\"Hi\"}}\n\n"
        "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":"
        "{\"stop_reason\":\"end_turn\"}}\n\n"
        "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"), CLOSE);
    PLAY(full, full, full, full, fine);
    use("anthropic", "claude-sonnet-4-6");
    struct result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_int_equal(r.call.tries, 5);
}

static void test_shown_text_is_not_shown_twice(void **state)
{
    (void)state;
    PLAY(cut, good);
    struct result r = {0};
    run(&r);
    assert_int_equal(r.status, ERR_BAD_REPLY);
    assert_int_equal(script_server_requests(server), 1);
    expect_story(&r, "Hal");
}

static void test_shown_text_is_voided_first(void **state)
{
    (void)state;
    PLAY(cut, good);
    struct result r = {.call = {.on_restart = on_restart}};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_true(str_is(r.call.content, "Hello you"));
    expect_story(&r, "Hal<restart><model_reply_incomplete>Hello you");
    assert_int_equal(r.call.usage.total, 30); /* of both tries */
}

static void test_an_error_in_the_stream_is_tried_again(void **state)
{
    (void)state;
    SCRIPT(fails, SEND(STREAM_HEAD "data: {\"error\":{\"type\":"
                                   "\"server_error\"}}\n\n" DONE), CLOSE);
    PLAY(fails, good);
    struct result r = {0};
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
    struct result r = {0};
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
    struct result r = {0};
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
    struct result r = {.call = {.total_ms = 50}};
    run(&r);
    assert_int_equal(r.status, ERR_TIMEOUT);
}

static void test_a_refused_key_is_told_the_operator_once(void **state)
{
    (void)state;
    SCRIPT(refused, SEND(ERROR_REPLY("401 No", "", "{\"error\":{\"message\":"
        "\"Incorrect API key provided: sk-very-secret\",\"code\":"
        "\"invalid_api_key\"}}")), CLOSE);
    PLAY(refused);
    for (int i = 0; i < 3; i++) {
        struct result r = {0};
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
    SCRIPT(quotes, SEND(ERROR_REPLY("500 No", "X: sk-very-secret\r\n",
        "{\"error\":{\"message\":\"key sk-very-secret\",\"type\":\"t\"}}")),
        CLOSE);
    PLAY(quotes, cut, failing);
    struct result r = {.call = {.on_restart = on_restart}};
    run(&r);
    assert_int_not_equal(r.status, OK);
    struct str log = log_text();
    assert_true(log.len > 0);
    assert_true(str_find(log, STR("sk-very-secret")) < 0);
    assert_true(str_find(r.call.problem, STR("sk-")) < 0);
}

/* ---- what a server does not take ---------------------------------------- */

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
    SCRIPT(no_temperature, SEND(ERROR_REPLY("400 No", "",
        "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\","
        "\"message\":\"`temperature` is deprecated for this model.\"}}")),
        CLOSE);
    PLAY(no_temperature, good, good);
    model.temperature = 0.2;
    struct result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_int_equal(r.call.tries, 1);
    assert_true(r.call.temperature_sent < 0);
    assert_false(body_has("temperature"));
    struct result next = {0};
    run(&next);
    assert_int_equal(next.status, OK);
    assert_int_equal(script_server_requests(server), 3);
    assert_false(body_has("temperature"));
    assert_true(str_find(log_text(), STR("parameter")) > 0);
}

static void test_the_other_name_of_the_limit_is_tried(void **state)
{
    (void)state;
    SCRIPT(no_max, SEND(ERROR_REPLY("400 No", "",
        "{\"error\":{\"message\":\"Unsupported parameter: 'max_tokens' is not "
        "supported with this model. Use 'max_completion_tokens' instead.\","
        "\"param\":\"max_tokens\",\"code\":\"unsupported_parameter\"}}")),
        CLOSE);
    PLAY(no_max, good);
    use("openai", "unheard-of");
    struct result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_true(body_has("max_completion_tokens"));
    assert_false(body_has("max_tokens"));
}

static void test_a_told_limit_is_kept_to(void **state)
{
    (void)state;
    SCRIPT(too_large, SEND(ERROR_REPLY("400 No", "",
        "{\"error\":{\"message\":\"max_tokens is too large: 16384. This model "
        "supports at most 4096 completion tokens.\",\"param\":"
        "\"max_completion_tokens\"}}")), CLOSE);
    PLAY(too_large, good);
    struct result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_true(str_find(script_server_body(server),
                         STR("\"max_completion_tokens\":4096")) > 0);
}

static void test_schemas_fall_back_to_asking(void **state)
{
    (void)state;
    SCRIPT(no_schema, SEND(ERROR_REPLY("400 No", "",
        "{\"error\":{\"message\":\"response_format type json_schema is not "
        "supported\"}}")), CLOSE);
    SCRIPT(no_object, SEND(ERROR_REPLY("422 No", "",
        "{\"detail\":[{\"loc\":[\"body\",\"response_format\"]}]}")), CLOSE);
    PLAY(no_schema, no_object, good);
    struct result r = {.call = {.schema_name = STR("plan"),
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
    SCRIPT(too_long, SEND(ERROR_REPLY("400 No", "",
        "{\"error\":{\"message\":\"This model's maximum context length is 8192 "
        "tokens. Reduce the messages or max_completion_tokens.\",\"code\":"
        "\"context_length_exceeded\"}}")), CLOSE);
    PLAY(too_long);
    struct result r = {0};
    run(&r);
    assert_int_equal(r.status, ERR_MODEL_REFUSED);
    assert_int_equal(script_server_requests(server), 1);
}

/* ---- the breaker -------------------------------------------------------- */

/* Calls at once against a server that fails the first tries. */
enum { CROWD = 12 };

static unsigned run_crowd(struct result *crowd, unsigned most_ms)
{
    unsigned well = 0;
    for (int i = 0; i < CROWD; i++) {
        crowd[i] = (struct result){.call = {.total_ms = most_ms}};
        start(&crowd[i]);
    }
    for (int i = 0; i < CROWD; i++) {
        while (!crowd[i].ends)
            loop_turn(true);
        well += crowd[i].status == OK;
    }
    return well;
}

static unsigned tries_of(const struct result *crowd)
{
    unsigned tries = 0;
    for (int i = 0; i < CROWD; i++)
        tries += crowd[i].call.tries;
    return tries;
}

static void test_an_outage_is_waited_out_by_all(void **state)
{
    (void)state;
    static struct result crowd[CROWD];
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

/* Who waits says so, and is counted; the time of the call bounds it. */
static void test_a_wait_for_a_server_is_bounded_and_told(void **state)
{
    (void)state;
    static struct result crowd[CROWD];
    struct llm_server told = {0};
    breaker_open_ms = 5000;
    PLAY(busy);
    for (int i = 0; i < CROWD; i++) {
        crowd[i] = (struct result){.call = {.total_ms = 1300}};
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
    struct breaker_turn turns[8];
    struct breaker *b = breaker_of("openai", STR("http://a:b@host.test/v1/x?k=s"));
    breaker_open_ms = 10;
    memset(turns, 0, sizeof turns);
    for (int i = 0; i < 8; i++)
        turns[i].breaker = b;
    for (int i = 0; i < 5; i++) {
        assert_int_equal(breaker_enter(&turns[i]), 0);
        breaker_end(&turns[i], BREAKER_FAILED);
    }
    int probes = 0;
    while (!probes) /* until its time is over */
        for (int i = 0; i < 8; i++)
            probes += breaker_enter(&turns[i]) == 0;
    assert_int_equal(probes, 1);
    for (int i = 0; i < 8; i++)
        if (turns[i].probes)
            breaker_heard(&turns[i]);
    struct llm_server told;
    llm_servers(&told, 1);
    assert_string_equal(told.address, "host.test/v1/x");
    assert_int_equal(told.waiting, 7);
    assert_int_equal(told.states[LLM_SERVER_CLOSED], 1);
    uint64_t first = turns[0].held_until;
    bool same = true; /* not all at the same instant */
    for (int i = 1; i < 8; i++)
        same = same && (turns[i].probes || turns[i].held_until == first);
    assert_false(same);
    for (int i = 0; i < 8; i++)
        breaker_leave(&turns[i]);
    llm_servers(&told, 1);
    assert_int_equal(told.waiting, 0);
    breaker_open_ms = 1000;
}

/* ---- what a server says ------------------------------------------------- */

static void test_a_refusal_is_told_in_the_servers_words(void **state)
{
    (void)state;
    SCRIPT(too_long, SEND(ERROR_REPLY("400 No", "", "{\"error\":{\"message\":"
        "\"This model's maximum context length is 8192 tokens.\\nReduce \\u0007"
        "it.\",\"code\":\"context_length_exceeded\"}}")), CLOSE);
    SCRIPT(unknown, SEND(ERROR_REPLY("404 No", "", "{\"type\":\"error\","
        "\"error\":{\"type\":\"not_found_error\",\"message\":"
        "\"model: claude-3-5-sonnet-20241022\"}}")), CLOSE);
    SCRIPT(large, SEND(ERROR_REPLY("413 No", "", "{\"error\":\"prompt is too "
        "long: 210000 tokens\"}")), CLOSE);
    SCRIPT(odd, SEND(ERROR_REPLY("422 No", "", "{\"detail\":[{\"loc\":[\"body\"]"
        ",\"msg\":\"field required\"}]}")), CLOSE);
    static const char *const words[] = {
        "maximum context length is 8192 tokens. Reduce",
        "claude-3-5-sonnet-20241022", "210000 tokens", "field required"};
    PLAY(too_long, unknown, large, odd);
    for (size_t i = 0; i < 4; i++) {
        struct result r = {0};
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
                 "20250929", "max_tokens: 144384 > 64000, the limit of "
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

/* ---- a reply without measure -------------------------------------------- */

static void test_an_endless_reply_ends_at_its_limit(void **state)
{
    (void)state;
    SCRIPT(endless, SEND(STREAM_HEAD), FLOOD(SAY("on and on and on and on ")));
    SCRIPT(pings, SEND(STREAM_HEAD), FLOOD(": ping ping ping ping ping\n\n"));
    SCRIPT(whole, SEND("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                       "Connection: close\r\n\r\n{\"choices\":[{\"message\":"
                       "{\"content\":\""), FLOOD("on and on and on and on "));
    PLAY(endless, pings, whole);
    for (int i = 0; i < 3; i++) {
        struct result r = {.call = {.max_output = 100}};
        run(&r);
        assert_int_equal(r.status, OK);
        assert_int_equal(r.call.finish, LLM_LENGTH);
        assert_true(r.call.overran);
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
    SCRIPT(zero, SEND(STREAM_HEAD SAY("Hello ") SAY("you") STOP
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":0,"
        "\"completion_tokens\":0,\"total_tokens\":0}}\n\n" DONE), CLOSE);
    PLAY(untold, zero);
    for (int i = 0; i < 2; i++) {
        struct result r = {0};
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
    struct result r = {0};
    run(&r);
    assert_int_equal(r.call.usage.total, 15);
    assert_false(r.call.usage.estimated);
}

/* ---- the end, in any case ----------------------------------------------- */

static void test_a_call_can_be_cancelled_at_any_moment(void **state)
{
    (void)state;
    SCRIPT(drip, DRIP(STREAM_HEAD SAY("a") STOP DONE), CLOSE);
    PLAY(cut, busy, drip);
    for (int turns = 0; turns < 80; turns++) {
        struct result r = {.call = {.on_restart = on_restart}};
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
        breakers_forget();
    }
}

static void test_a_call_survives_the_end_of_memory(void **state)
{
    (void)state;
    PLAY(good);
    unsigned failed = 0;
    for (unsigned n = 1; n <= 8; n++) {
        struct result r = {0};
        struct flow *f = start(&r);
        r.call.memory = NULL; /* the flow's own may end, the test's not */
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
    struct result r = {.call = {.inputs = &inputs}};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_true(str_is(r.call.content, "from here"));
    static const struct str nothing;
    struct result none = {.call = {.inputs = &nothing}};
    run(&none);
    assert_int_equal(none.status, ERR_MODEL_REFUSED);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

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
        CASE(test_a_call_can_be_cancelled_at_any_moment),
        CASE(test_a_call_survives_the_end_of_memory),
        CASE(test_a_local_provider_answers_without_a_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
