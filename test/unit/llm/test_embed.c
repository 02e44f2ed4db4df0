/* Embeddings against a scripted server. */
#include "base/json.h"
#include "base/log.h"
#include "breaker.h"
#include "llm/llm.h"
#include "loop/loop.h"
#include "net/http_client.h"
#include "retry.h"
#include "script_server.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#define REPLY(body) \
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" \
    "Connection: close\r\n\r\n" body
#define ITEM(index, vector) "{\"index\":" index ",\"embedding\":" vector "}"
#define USAGE "\"usage\":{\"prompt_tokens\":4,\"total_tokens\":4}"

static struct script_server *server;
static struct arena arena;
static struct llm_model model;

static int setup(void **state)
{
    (void)state;
    loop_open();
    http_client_open(&(struct http_client_options){0});
    server = script_server_open(NULL);
    arena_init(&arena, 0);
    assert_true(
        llm_model_init(&model, STR("openai"), STR("text-embedding-3-small")));
    model.base_url =
        arena_printf(&arena, "http://127.0.0.1:%d", script_server_port(server));
    retry_wait_ms = 2;
    log_level_set(LOG_ERROR);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    script_server_close(&server);
    http_client_close();
    loop_close();
    arena_done(&arena);
    breakers_reset();
    return 0;
}

struct embed_result {
    struct llm_embedding job;
    enum err status;
    bool ended;
};

static struct next told(struct flow *f)
{
    return back(f);
}

static struct next ask(struct flow *f)
{
    return call(f, llm_embed_begin, &locals(f, struct embed_result)->job, told);
}

static void on_end(struct flow *f, enum err how, void *who)
{
    (void)f;
    ((struct embed_result *)who)->status = how;
    ((struct embed_result *)who)->ended = true;
}

static void run(struct embed_result *r)
{
    r->job.model = &model;
    r->job.memory = &arena;
    r->job.total_ms = 20000;
    flow_start(
        ask, r,
        &(struct flow_options){.kind = "test", .on_end = on_end, .who = r});
    while (!r->ended)
        loop_turn(true);
}

static void play(const char *reply)
{
    static struct script_step script[2];
    static const struct script_step *const scripts[] = {script};
    script[0] = (struct script_step){SCRIPT_SEND, str_of(reply), 0};
    script[1] = (struct script_step)CLOSE;
    script_server_play(server, scripts, 1);
}

static const struct str two[] = {STR("one"), STR("tw\"o")};

static void test_vectors_come_in_the_order_of_the_texts(void **state)
{
    (void)state;
    play(REPLY("{\"data\":[" ITEM("1", "[3,-4.5e0]") "," ITEM(
        "0", "[0.25,2]") "]," USAGE "}"));
    struct embed_result r = {
        .job = {.texts = two, .n_texts = 2, .dimensions = 2}};
    run(&r);
    assert_int_equal(r.status, OK);
    static const float want[] = {0.25f, 2, 3, -4.5f};
    assert_memory_equal(r.job.vectors, want, sizeof want);
    assert_int_equal(r.job.usage.prompt, 4);
    assert_true(str_is(script_server_body(server),
                       "{\"model\":\"text-embedding-3-small\",\"input\":"
                       "[\"one\",\"tw\\\"o\"],\"encoding_format\":\"float\","
                       "\"dimensions\":2}"));
    assert_true(str_starts(script_server_head(server),
                           STR("POST /v1/embeddings HTTP/1.1\r\n")));
}

static void test_a_call_is_a_child_of_its_trace(void **state)
{
    (void)state;
    struct trace trace;
    trace_from_uuid(&trace, STR("4bf92f35-77b3-4da6-a3ce-929d0e0e4736"));
    play(REPLY("{\"data\":[" ITEM("0", "[1]") "," ITEM("1", "[2]") "]}"));
    struct embed_result r = {
        .job = {.texts = two, .n_texts = 2, .dimensions = 1, .trace = &trace}};
    run(&r);
    assert_int_equal(r.status, OK);
    struct str head = script_server_head(server);
    assert_true(str_find(head, STR("traceparent: 00-"
                                   "4bf92f3577b34da6a3ce929d0e0e4736-")) > 0);
    assert_true(str_find(head, str_of(trace.span_id)) < 0);
}

static void test_what_does_not_fit_is_a_bad_reply(void **state)
{
    (void)state;
    static const char *const bad[] = {
        REPLY("{\"data\":[" ITEM("0", "[1,2]") "]}"),
        REPLY("{\"data\":[" ITEM("0", "[1,2]") "," ITEM("0", "[1,2]") "]}"),
        REPLY("{\"data\":[" ITEM("0", "[1,2]") "," ITEM("2", "[1,2]") "]}"),
        REPLY("{\"data\":[" ITEM("0", "[1,2]") "," ITEM("1", "[1]") "]}"),
        REPLY("{\"data\":[" ITEM("0", "[1,2]") "," ITEM("1", "[1,2,3]") "]}"),
        REPLY("{\"data\":[" ITEM("0", "[1,2]") "," ITEM("1", "[1,null]") "]}"),
        REPLY("{\"data\":[" ITEM("0", "[1,2]") "," ITEM("1", "[1,1e39]") "]}"),
        REPLY("{\"data\":[" ITEM("0", "[1,2]") "," ITEM("1", "\"AAAA\"") "]}"),
        REPLY("{\"data\":[" ITEM("0", "[1,2]")),
        REPLY("{}"),
        REPLY("no")};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        play(bad[i]);
        struct embed_result r = {
            .job = {.texts = two, .n_texts = 2, .dimensions = 2}};
        run(&r);
        assert_int_equal(r.status, ERR_BAD_REPLY);
        assert_int_equal(script_server_requests(server), 3);
        assert_true(r.job.problem.len > 0);
        breakers_reset();
    }
}

static void test_many_texts_go_in_batches(void **state)
{
    (void)state;
    enum { N = 80, BATCH = 32 };
    static struct str texts[N];
    struct script_step scripts[3][2];
    const struct script_step *list[3];
    for (int b = 0; b < 3; b++) {
        struct buf out;
        buf_init(&out, &arena);
        buf_text(&out, REPLY("{\"data\":["));
        int n = b < 2 ? BATCH : N - 2 * BATCH;
        for (int i = n - 1; i >= 0; i--)
            buf_printf(&out, "%s" ITEM("%d", "[%d]"), i < n - 1 ? "," : "", i,
                       b * BATCH + i);
        buf_text(&out, "]," USAGE "}");
        scripts[b][0] = (struct script_step){SCRIPT_SEND, buf_view(&out), 0};
        scripts[b][1] = (struct script_step)CLOSE;
        list[b] = scripts[b];
    }
    script_server_play(server, list, 3);
    for (int i = 0; i < N; i++)
        texts[i] = STR("x");
    struct embed_result r = {
        .job = {.texts = texts, .n_texts = N, .dimensions = 1}};
    run(&r);
    assert_int_equal(r.status, OK);
    for (int i = 0; i < N; i++)
        assert_true(r.job.vectors[i] == (float)i);
    assert_int_equal(r.job.usage.total, 12);
}

static void test_no_texts_need_no_server(void **state)
{
    (void)state;
    struct embed_result r = {.job = {.dimensions = 3}};
    run(&r);
    assert_int_equal(r.status, OK);
}

static void test_anthropic_has_no_embeddings(void **state)
{
    (void)state;
    assert_true(
        llm_model_init(&model, STR("anthropic"), STR("claude-opus-4-7")));
    struct embed_result r = {
        .job = {.texts = two, .n_texts = 2, .dimensions = 2}};
    run(&r);
    assert_int_equal(r.status, ERR_MODEL_REFUSED);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        CASE(test_vectors_come_in_the_order_of_the_texts),
        CASE(test_what_does_not_fit_is_a_bad_reply),
        CASE(test_many_texts_go_in_batches),
        CASE(test_no_texts_need_no_server),
        CASE(test_a_call_is_a_child_of_its_trace),
        CASE(test_anthropic_has_no_embeddings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
