/* Reads of a Trino cluster, against a server that follows a script: pages,
 * faults, and what becomes of queries that no read waits for. */
#include "../run_flow.h"
#include "base/arena.h"
#include "base/log.h"
#include "db/read.h"
#include "engine/trino.h"
#include "net/http_client.h"
#include "script_server.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

enum { SCRIPTS = 8 };

static struct arena arena;
static struct script_server *server;
static struct source *source;
static struct script_step steps[SCRIPTS][3];
static const struct script_step *scripts[SCRIPTS];
static size_t n_scripts;

static void source_at(int port)
{
    source = trino_open(&(struct trino_options){.host = STR("127.0.0.1"),
                                                .port = port,
                                                .user = STR("ann"),
                                                .catalog = STR("tpch"),
                                                .schema = STR("tiny")});
}

static int set_up(void **state)
{
    (void)state;
    log_to_fd(open("/dev/null", O_WRONLY | O_CLOEXEC));
    arena_init(&arena, 0);
    loop_open();
    http_client_open(&(struct http_client_options){0});
    server = script_server_open(NULL);
    source_at(script_server_port(server));
    n_scripts = 0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    trino_close(&source);
    script_server_close(&server);
    http_client_close();
    loop_close();
    arena_done(&arena);
    return 0;
}

/* ---- scripts ------------------------------------------------------------- */

static void play(const char *status, const char *body, enum script_act then)
{
    struct script_step *s = steps[n_scripts];
    s[0] = (struct script_step){
        SCRIPT_SEND,
        arena_printf(&arena,
                     "HTTP/1.1 %s\r\nContent-Type: application/json\r\n"
                     "Content-Length: %zu\r\n\r\n%s",
                     status, strlen(body) + (then == SCRIPT_RESET), body),
        0};
    s[1] = (struct script_step){then, {0}, 0};
    scripts[n_scripts++] = s;
    script_server_play(server, scripts, n_scripts);
}

static void play_act(enum script_act act)
{
    steps[n_scripts][0] = (struct script_step){act, {0}, 0};
    scripts[n_scripts] = steps[n_scripts];
    n_scripts++;
    script_server_play(server, scripts, n_scripts);
}

/* A page with that next one and those rows of one bigint column "n". */
static const char *page(const char *next, const char *rows)
{
    struct str uri =
        next ? arena_printf(&arena,
                            ",\"nextUri\":\"http://127.0.0.1:%d/v1/statement/"
                            "%s\"",
                            script_server_port(server), next)
             : STR("");
    return arena_printf(
               &arena, "{\"id\":\"q\"%.*s%s%s%s,\"stats\":{}}", STR_ARG(uri),
               rows ? ",\"columns\":[{\"name\":\"n\",\"type\":\"bigint\","
                      "\"typeSignature\":{\"rawType\":\"bigint\","
                      "\"arguments\":[]}}],\"data\":["
                    : "",
               rows ? rows : "", rows ? "]" : "")
        .ptr;
}

/* ---- one read ------------------------------------------------------------ */

static struct outcome {
    struct read *r;
    struct read_options options;
    enum err status;
    int n_rows;
    bool more_rows;
    char cell[40], sqlstate[6], message[400];
    bool cancels;
    struct timer timer;
} outcome;

static void on_cancel_due(struct timer *t)
{
    (void)t;
    op_cancel(&outcome.r->op);
}

static struct next read_over(struct flow *f)
{
    struct outcome *o = locals(f, struct outcome);
    struct read *r = o->r;
    o->status = r->op.status;
    o->n_rows = r->n_rows;
    o->more_rows = r->more_rows;
    str_copy(o->sqlstate, sizeof o->sqlstate, str_of(r->sqlstate));
    str_copy(o->message, sizeof o->message, r->message);
    if (r->op.status == OK && !r->options.on_row && r->n_rows) {
        read_rows(r, flow_here(f));
        str_copy(o->cell, sizeof o->cell, r->cells[0]);
        assert_true(str_is(r->columns[0].name, "n"));
        assert_true(str_is(r->columns[0].type, "int8"));
    }
    return back(f);
}

static struct next read_due(struct flow *f)
{
    struct outcome *o = locals(f, struct outcome);
    o->r = here(f, struct read);
    o->r->options = o->options;
    read_begin(f, o->r);
    op_tolerate(&o->r->op);
    if (o->cancels)
        timer_start(&o->timer, 100, on_cancel_due);
    return await(f, read_over);
}

/* Until the query has been deleted, too. */
static void await_flows(void)
{
    uint64_t begun = clock_ms();
    while (flow_count()) {
        run_hangs(begun);
        loop_turn(true);
    }
}

static void ask_as(struct read_options options, bool cancels)
{
    outcome = (struct outcome){.options = options, .cancels = cancels};
    assert_int_equal(run_flow(read_due, &outcome), OK);
    await_flows();
}

static struct read_options plain(void)
{
    return (struct read_options){.source = source,
                                 .sql = STR("select n::bigint from t"),
                                 .own = true,
                                 .max_rows = 3,
                                 .timeout_ms = 3000};
}

static void ask(void)
{
    ask_as(plain(), false);
}

static bool last_is(const char *line)
{
    return str_starts(script_server_head(server), str_of(line));
}

/* ---- the tests ----------------------------------------------------------- */

static void test_a_read_follows_the_pages(void **state)
{
    (void)state;
    play("200 OK", page("queued/q/y/1", NULL), SCRIPT_END);
    play("200 OK", page("executing/q/y/2", "[41]"), SCRIPT_END);
    play("200 OK", page(NULL, "[42]"), SCRIPT_END);
    ask();
    assert_int_equal(outcome.status, OK);
    assert_int_equal(outcome.n_rows, 2);
    assert_string_equal(outcome.cell, "41");
    assert_int_equal(script_server_requests(server), 3);
    assert_true(last_is("GET /v1/statement/executing/q/y/2 "));
    struct str head = script_server_head(server);
    assert_true(str_find_nocase(head, STR("X-Trino-User: ann\r\n")) > 0);
    assert_true(str_find_nocase(head, STR("X-Trino-Catalog: tpch\r\n")) > 0);
    assert_true(str_find_nocase(head, STR("X-Trino-Schema: tiny\r\n")) > 0);
    assert_true(str_find_nocase(head, STR("X-Trino-Time-Zone: UTC\r\n")) > 0);
}

/* What a model wrote never means a table of the connection's own schema. */
static void test_a_name_without_schema_means_public(void **state)
{
    struct read_options options = plain();
    (void)state;
    options.own = false;
    options.calls = STR("[]");
    play("200 OK", page(NULL, "[1]"), SCRIPT_END);
    ask_as(options, false);
    assert_int_equal(outcome.status, OK);
    assert_true(str_find_nocase(script_server_head(server),
                                STR("X-Trino-Schema: public\r\n")) > 0);
    assert_true(
        str_is(script_server_body(server), "select cast(n as bigint) from t"));
}

static void test_a_query_that_is_not_read_to_its_end_is_deleted(void **state)
{
    (void)state;
    play("200 OK", page("executing/q/y/1", "[1],[2],[3],[4]"), SCRIPT_END);
    play("204 No Content", "", SCRIPT_END);
    ask();
    assert_int_equal(outcome.status, OK);
    assert_int_equal(outcome.n_rows, 3);
    assert_true(outcome.more_rows);
    assert_true(last_is("DELETE /v1/statement/executing/q/y/1 "));
    assert_int_equal(script_server_requests(server), 2);
}

static void test_a_busy_cluster_is_asked_again(void **state)
{
    (void)state;
    play("503 Service Unavailable", "", SCRIPT_END);
    play("502 Bad Gateway", "", SCRIPT_CLOSE);
    play("200 OK", page("executing/q/y/1", NULL), SCRIPT_END);
    play("503 Service Unavailable", "", SCRIPT_END);
    play("200 OK", page(NULL, "[7]"), SCRIPT_END);
    ask();
    assert_int_equal(outcome.status, OK);
    assert_string_equal(outcome.cell, "7");
    assert_int_equal(script_server_requests(server), 5);
}

static void test_a_page_that_breaks_off_is_fetched_again(void **state)
{
    (void)state;
    play("200 OK", page("executing/q/y/1", "[1]"), SCRIPT_END);
    play("200 OK", page(NULL, "[2]"), SCRIPT_RESET);
    play("200 OK", page(NULL, "[2]"), SCRIPT_END);
    ask();
    assert_int_equal(outcome.status, OK);
    assert_int_equal(outcome.n_rows, 2);
}

static void test_an_error_between_pages_is_a_sentence(void **state)
{
    (void)state;
    play("200 OK", page("executing/q/y/1", "[1]"), SCRIPT_END);
    play("200 OK",
         "{\"id\":\"q\",\"error\":{\"message\":\"Division by zero\","
         "\"errorName\":\"DIVISION_BY_ZERO\",\"errorType\":\"USER_ERROR\"}}",
         SCRIPT_END);
    ask();
    assert_int_equal(outcome.status, ERR_SQL_FAILED);
    assert_string_equal(outcome.sqlstate, "22000");
    assert_string_equal(outcome.message, "Division by zero");
}

static void test_another_host_is_never_asked(void **state)
{
    (void)state;
    play("200 OK",
         "{\"id\":\"q\",\"nextUri\":\"http://192.0.2.1/v1/statement/x\"}",
         SCRIPT_END);
    ask();
    assert_int_equal(outcome.status, ERR_DATABASE_UNAVAILABLE);
    assert_non_null(strstr(outcome.message, "another address"));
    assert_int_equal(script_server_requests(server), 1);
}

static void test_a_cancelled_read_deletes_its_query(void **state)
{
    uint64_t begun;
    (void)state;
    play("200 OK", page("executing/q/y/1", "[1]"), SCRIPT_END);
    play_act(SCRIPT_STALL);
    play("204 No Content", "", SCRIPT_END);
    begun = clock_ms();
    ask_as(plain(), true);
    assert_int_equal(outcome.status, ERR_CANCELLED);
    assert_true(last_is("DELETE /v1/statement/executing/q/y/1 "));
    assert_true(clock_ms() - begun < 3000); /* not the time of the page */
}

static void test_a_query_that_takes_too_long_is_deleted(void **state)
{
    struct read_options options = plain();
    (void)state;
    options.timeout_ms = 300;
    play("200 OK", page("executing/q/y/1", NULL), SCRIPT_END);
    play_act(SCRIPT_STALL);
    play("204 No Content", "", SCRIPT_END);
    ask_as(options, false);
    assert_int_equal(outcome.status, ERR_TIMEOUT);
    assert_true(last_is("DELETE /v1/statement/executing/q/y/1 "));
}

static void test_a_cluster_that_is_down_is_unavailable(void **state)
{
    int port = script_server_port(server);
    (void)state;
    script_server_close(&server);
    server = script_server_open(NULL);
    trino_close(&source);
    source_at(port);
    struct read_options options = plain();
    options.timeout_ms = 400;
    options.patient = true;
    ask_as(options, false);
    assert_int_equal(outcome.status, ERR_DATABASE_UNAVAILABLE);
    assert_non_null(strstr(outcome.message, "could not be reached"));
    assert_non_null(strstr(source_problem(source), "could not be reached"));
}

static void test_a_refused_password_is_a_sentence(void **state)
{
    (void)state;
    play("401 Unauthorized", "", SCRIPT_END);
    ask();
    assert_int_equal(outcome.status, ERR_DATABASE_UNAVAILABLE);
    assert_non_null(strstr(outcome.message, "password or token"));
}

static void test_what_is_no_page_ends_the_read(void **state)
{
    (void)state;
    play("200 OK", "<html>Log in</html>", SCRIPT_END);
    ask();
    assert_int_equal(outcome.status, ERR_DATABASE_UNAVAILABLE);
    assert_non_null(strstr(outcome.message, "no valid answer"));
}

static void test_a_text_that_trino_cannot_read_is_not_sent(void **state)
{
    struct read_options options = plain();
    (void)state;
    options.sql = STR("select distinct on (a) b from t");
    play("200 OK", page(NULL, "[1]"), SCRIPT_END);
    ask_as(options, false);
    assert_int_equal(outcome.status, ERR_SQL_FAILED);
    assert_non_null(strstr(outcome.message, "DISTINCT ON"));
    assert_int_equal(script_server_requests(server), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_a_read_follows_the_pages),
        TEST(test_a_name_without_schema_means_public),
        TEST(test_a_query_that_is_not_read_to_its_end_is_deleted),
        TEST(test_a_busy_cluster_is_asked_again),
        TEST(test_a_page_that_breaks_off_is_fetched_again),
        TEST(test_an_error_between_pages_is_a_sentence),
        TEST(test_another_host_is_never_asked),
        TEST(test_a_cancelled_read_deletes_its_query),
        TEST(test_a_query_that_takes_too_long_is_deleted),
        TEST(test_a_cluster_that_is_down_is_unavailable),
        TEST(test_a_refused_password_is_a_sentence),
        TEST(test_what_is_no_page_ends_the_read),
        TEST(test_a_text_that_trino_cannot_read_is_not_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
