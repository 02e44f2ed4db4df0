/* call_scene.h - calls against a scripted server, shared by the tests of
 * calls. */
#pragma once
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
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* No test uses all of them. */
#define MAYBE __attribute__((unused))
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#define STREAM_HEAD \
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" \
    "Connection: close\r\n\r\n"
#define SAY(text) \
    "data: {\"choices\":[{\"delta\":{\"content\":\"" text "\"}}]}\n\n"
#define STOP \
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
#define USAGE \
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":10," \
    "\"completion_tokens\":5,\"total_tokens\":15}}\n\n"
#define DONE "data: [DONE]\n\n"
#define GOOD STREAM_HEAD SAY("Hello ") SAY("you") STOP USAGE DONE
#define ERROR_REPLY(status, more, body) \
    "HTTP/1.1 " status "\r\nContent-Type: application/json\r\n" more \
    "Connection: close\r\n\r\n" body

MAYBE static const struct script_step good[] = {SEND(GOOD), CLOSE};
MAYBE static const struct script_step busy[] = {
    SEND(ERROR_REPLY("503 No", "", "{\"error\":{\"type\":\"x\"}}")), CLOSE};
MAYBE static const struct script_step failing[] = {
    SEND(ERROR_REPLY("500 No", "", "{\"error\":{\"type\":\"x\"}}")), CLOSE};
MAYBE static const struct script_step cut[] = {
    SEND(STREAM_HEAD SAY("Hal") USAGE), CLOSE};

#define PLAY(...) \
    static const struct script_step *const scripts_[] = {__VA_ARGS__}; \
    script_server_play(server, scripts_, sizeof scripts_ / sizeof *scripts_)
#define SCRIPT(name, ...) static const struct script_step name[] = {__VA_ARGS__}

static struct script_server *server;
static struct arena arena;
static struct llm_model model;
static const struct llm_message hello = {.role = LLM_USER,
                                         .content = STR("Hello?")};
static int log_fd[2];

MAYBE static void use(const char *provider, const char *name)
{
    assert_true(llm_model_init(&model, str_of(provider), str_of(name)));
    model.base_url = arena_printf(&arena, "http://127.0.0.1:%d/v1",
                                  script_server_port(server));
    model.key = STR("sk-very-secret");
}

MAYBE static int setup(void **state)
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

MAYBE static int teardown(void **state)
{
    (void)state;
    assert_int_equal(http_client_count().in_flight, 0);
    script_server_close(&server);
    http_client_close();
    loop_close();
    arena_done(&arena);
    quirks_reset();
    breakers_reset();
    log_to_fd(2);
    close(log_fd[0]);
    close(log_fd[1]);
    return 0;
}

MAYBE static struct str log_text(void)
{
    static char text[65536];
    ssize_t n = read(log_fd[0], text, sizeof text);
    return (struct str){text, n > 0 ? (size_t)n : 0};
}

/* ---- a call and its result ---------------------------------------------- */

struct call_result {
    struct llm_call call;
    struct buf story; /* arguments of the callbacks */
    enum err status;
    unsigned ends;
};

MAYBE static void on_text(void *who, struct str piece)
{
    struct call_result *r = who;
    buf_printf(&r->story, "%.*s", STR_ARG(piece));
}

MAYBE static void on_restart(void *who)
{
    buf_text(&((struct call_result *)who)->story, "<restart>");
}

MAYBE static void on_wait(void *who, const char *reason, unsigned ms)
{
    (void)ms;
    buf_printf(&((struct call_result *)who)->story, "<%s>", reason);
}

MAYBE static struct next story_told(struct flow *f)
{
    return back(f);
}

MAYBE static struct next story_begin(struct flow *f)
{
    struct call_result *r = locals(f, struct call_result);
    return call(f, llm_begin, &r->call, story_told);
}

MAYBE static void on_end(struct flow *f, enum err how, void *who)
{
    struct call_result *r = who;
    (void)f;
    r->status = how;
    r->ends++;
}

MAYBE static struct flow *start(struct call_result *r)
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
    return flow_start(
        story_begin, r,
        &(struct flow_options){.kind = "test", .on_end = on_end, .who = r});
}

MAYBE static void run(struct call_result *r)
{
    start(r);
    while (!r->ends)
        loop_turn(true);
    assert_int_equal(r->ends, 1);
}

MAYBE static void expect_story(struct call_result *r, const char *story)
{
    assert_string_equal(buf_cstr(&r->story), story);
}
