/* Reads of uploaded files, against a sandbox that follows a script. */
#include "../run_flow.h"
#include "base/log.h"
#include "base/json.h"
#include "db/read.h"
#include "engine/duckdb.h"
#include "loop/loop.h"
#include "net/http_client.h"
#include "script_server.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

#define HASH "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define OTHER "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define TABLES "[{\"name\":\"orders\",\"sha256\":\"" HASH "\"}]"
#define REPLY(status, body) \
    SEND("HTTP/1.1 " status "\r\nContent-Type: application/json\r\n" \
         "Connection: close\r\n\r\n" body), \
        CLOSE
#define OK_BODY(rows, error) \
    "{\"columns\":[{\"name\":\"n\",\"type\":\"int8\"}],\"rows\":" rows \
    ",\"moreRows\":false,\"cutValues\":false,\"executionTimeMs\":7," \
    "\"error\":" error "}"
#define FAULT(kind) \
    "{\"kind\":\"" kind "\",\"message\":\"It is so.\",\"position\":3}"

static struct script_server *server;
static struct duckdb_options options;
static struct source *source;
static char address[64];
static unsigned supplied;

static struct next supply(struct flow *f)
{
    const struct duckdb_supply *s = locals(f, struct duckdb_supply);
    supplied++;
    assert_int_equal(s->n_missing, 1);
    assert_true(str_is(s->missing[0], HASH));
    assert_true(str_is(s->user_id, "ann"));
    return back(f);
}

static int set_up(void **state)
{
    (void)state;
    log_to_fd(open("/dev/null", O_WRONLY | O_CLOEXEC));
    loop_open();
    http_client_open(&(struct http_client_options){0});
    server = script_server_open(NULL);
    snprintf(address, sizeof address, "http://127.0.0.1:%d",
             script_server_port(server));
    options = (struct duckdb_options){.url = str_of(address), .supply = supply};
    source = duckdb_open(&options, STR(TABLES), STR("Europe/Berlin"));
    supplied = 0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    duckdb_close(&source);
    script_server_close(&server);
    http_client_close();
    loop_close();
    return 0;
}

/* ---- one read ----------------------------------------------------------- */

static struct outcome {
    struct read *r;
    struct read_options options;
    enum err status;
    int n_rows;
    bool more_rows;
    char cell[40], sqlstate[6], message[400];
    int position;
    bool cancels;
} outcome;

static struct next read_over(struct flow *f)
{
    struct outcome *o = locals(f, struct outcome);
    struct read *r = o->r;
    o->status = r->op.status;
    o->n_rows = r->n_rows;
    o->more_rows = r->more_rows;
    o->position = r->position;
    str_copy(o->sqlstate, sizeof o->sqlstate, str_of(r->sqlstate));
    str_copy(o->message, sizeof o->message, r->message);
    if (r->op.status == OK && !r->options.on_row && r->n_rows) {
        read_rows(r, flow_here(f));
        str_copy(o->cell, sizeof o->cell, r->cells[0]);
        assert_true(str_is(r->columns[0].name, "n"));
        assert_true(str_is(r->columns[0].type, "int8"));
        assert_int_equal(r->elapsed_ms, 7);
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
        op_cancel(&o->r->op);
    return await(f, read_over);
}

static struct read_options plain(void)
{
    return (struct read_options){.source = source,
                                 .sql = STR("select count(*) as n from orders"),
                                 .own = true,
                                 .max_rows = 5,
                                 .timeout_ms = 2000,
                                 .user_id = STR("ann")};
}

static void ask(void)
{
    outcome = (struct outcome){.options = plain()};
    assert_int_equal(run_flow(read_due, &outcome), OK);
}

#define PLAY(...) \
    static const struct script_step script_[] = {__VA_ARGS__}; \
    static const struct script_step *const scripts_[] = {script_}; \
    script_server_play(server, scripts_, 1)

/* ---- the tests ---------------------------------------------------------- */

static void test_a_read_is_one_request(void **state)
{
    (void)state;
    PLAY(REPLY("200 OK", OK_BODY("[[\"42\"]]", "null")), END);
    ask();
    assert_int_equal(outcome.status, OK);
    assert_int_equal(outcome.n_rows, 1);
    assert_string_equal(outcome.cell, "42");
    json_t *body = json_read(script_server_body(server), NULL);
    assert_non_null(body);
    assert_true(
        str_is(json_get_text(body, "sql"), "select count(*) as n from orders"));
    assert_int_equal(json_get_int(body, "maxRows", 0), 5);
    assert_true(str_is(json_get_text(body, "timeZone"), "Europe/Berlin"));
    assert_true(json_number_value(json_object_get(body, "timeout")) == 2.0);
    assert_int_equal(json_array_size(json_object_get(body, "tables")), 1);
    json_decref(body);
    assert_true(str_find(script_server_head(server), STR("X-Sandbox-User")) >
                0);
    assert_true(str_find(script_server_head(server), STR("/query")) > 0);
}

static void check_error(enum err status, const char *sqlstate)
{
    ask();
    assert_int_equal(outcome.status, status);
    assert_string_equal(outcome.sqlstate, sqlstate);
    assert_string_equal(outcome.message, "It is so");
    assert_int_equal(outcome.position, 3);
}

static void test_errors_are_those_of_a_database(void **state)
{
    (void)state;
    {
        PLAY(REPLY("200 OK", OK_BODY("[]", FAULT("policy"))), END);
        check_error(ERR_SQL_REFUSED, "42501");
    }
    {
        PLAY(REPLY("200 OK", OK_BODY("[]", FAULT("sql"))), END);
        check_error(ERR_SQL_FAILED, "42000");
    }
    {
        PLAY(REPLY("200 OK", OK_BODY("[]", FAULT("data"))), END);
        check_error(ERR_SQL_FAILED, "22000");
    }
    {
        PLAY(REPLY("200 OK", OK_BODY("[]", FAULT("memory"))), END);
        check_error(ERR_SQL_FAILED, "53200");
    }
    {
        PLAY(REPLY("200 OK", OK_BODY("[]", FAULT("timeout"))), END);
        check_error(ERR_TIMEOUT, "57014");
    }
}

static void test_missing_files_are_sent_and_only_its_own(void **state)
{
    (void)state;
    static const struct script_step lacks[] = {
        REPLY("404 Not Found",
              "{\"missing\":[\"" OTHER "\",\"" HASH "\",\"../x\",7]}"),
        END};
    static const struct script_step answers[] = {
        REPLY("200 OK", OK_BODY("[[\"1\"]]", "null")), END};
    static const struct script_step *const scripts[] = {lacks, answers};
    script_server_play(server, scripts, 2);
    ask();
    assert_int_equal(outcome.status, OK);
    assert_int_equal(supplied, 1);
}

static void test_files_that_stay_missing_end_the_read(void **state)
{
    (void)state;
    PLAY(REPLY("404 Not Found", "{\"missing\":[\"" HASH "\"]}"), END);
    ask();
    assert_int_equal(outcome.status, ERR_DATABASE_UNAVAILABLE);
    assert_int_equal(supplied, 2);
}

static void test_the_sandbox_says_why_it_cannot_be_used(void **state)
{
    (void)state;
    PLAY(REPLY("503 Service Unavailable",
               "{\"message\":\"No module named 'duckdb'\"}"),
         END);
    ask();
    assert_int_equal(outcome.status, ERR_DATABASE_UNAVAILABLE);
    assert_non_null(
        strstr(outcome.message, "It says: No module named 'duckdb'."));
}

static void test_no_sandbox_is_a_clear_error(void **state)
{
    (void)state;
    options.off = true;
    ask();
    assert_int_equal(outcome.status, ERR_DATABASE_UNAVAILABLE);
    assert_string_equal(
        outcome.message,
        "The sandbox, which reads the files, is not available.");
    assert_non_null(strstr(source_problem(source), "disabled"));
    options.off = false;
    PLAY(REPLY("200 OK", "{\"columns\":[]}"), END);
    ask();
    assert_int_equal(outcome.status, ERR_DATABASE_UNAVAILABLE);
}

static void test_a_busy_sandbox_is_asked_again(void **state)
{
    (void)state;
    static const struct script_step busy[] = {
        REPLY("503 Service Unavailable", "{}"), END};
    static const struct script_step answers[] = {
        REPLY("200 OK", OK_BODY("[[\"1\"]]", "null")), END};
    static const struct script_step *const scripts[] = {busy, answers};
    script_server_play(server, scripts, 2);
    outcome = (struct outcome){.options = plain()};
    outcome.options.patient = true;
    assert_int_equal(run_flow(read_due, &outcome), OK);
    assert_int_equal(outcome.status, OK);
}

static void test_a_cancelled_read_leaves_no_request(void **state)
{
    (void)state;
    PLAY(STALL, END);
    outcome = (struct outcome){.options = plain(), .cancels = true};
    assert_int_equal(run_flow(read_due, &outcome), OK);
    assert_int_equal(outcome.status, ERR_CANCELLED);
    assert_int_equal(http_client_count().in_flight, 0);
}

/* ---- rows that are handed out ------------------------------------------- */

static struct handing {
    int rows, before; /* it went on */
    bool held;
    struct timer timer;
    struct read *r;
} handing;

static void resume(struct timer *t)
{
    (void)t;
    handing.before = handing.rows;
    read_hold(handing.r, false);
}

static void on_row(struct read *r, const struct str *cells, int n)
{
    assert_int_equal(n, 1);
    assert_true(str_is(cells[0], "12345678"));
    handing.rows++;
    if (handing.held)
        return;
    handing.held = true;
    handing.r = r;
    read_hold(r, true);
    timer_start(&handing.timer, 100, resume);
}

/* A reader that is held gets little more until it goes on. */
static void test_a_held_read_waits(void **state)
{
    enum { ROWS = 60000 };
    static struct buf text;
    (void)state;
    handing = (struct handing){0};
    buf_text(&text, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
                    "{\"columns\":[{\"name\":\"n\",\"type\":\"int8\"}],"
                    "\"rows\":[[\"12345678\"]");
    for (int i = 1; i < ROWS; i++)
        buf_text(&text, ",[\"12345678\"]");
    buf_text(&text, "],\"moreRows\":false,\"cutValues\":false,"
                    "\"executionTimeMs\":7,\"error\":null}");
    const struct script_step script[] = {
        {SCRIPT_SEND, buf_view(&text), 0}, CLOSE, END};
    const struct script_step *const scripts[] = {script};
    script_server_play(server, scripts, 1);
    outcome = (struct outcome){.options = plain()};
    outcome.options.max_rows = ROWS;
    outcome.options.on_row = on_row;
    assert_int_equal(run_flow(read_due, &outcome), OK);
    assert_int_equal(outcome.status, OK);
    assert_int_equal(handing.rows, ROWS);
    assert_in_range(handing.before, 1, ROWS / 2);
    buf_done(&text);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_a_read_is_one_request),
        CASE(test_errors_are_those_of_a_database),
        CASE(test_missing_files_are_sent_and_only_its_own),
        CASE(test_files_that_stay_missing_end_the_read),
        CASE(test_the_sandbox_says_why_it_cannot_be_used),
        CASE(test_no_sandbox_is_a_clear_error),
        CASE(test_a_busy_sandbox_is_asked_again),
        CASE(test_a_cancelled_read_leaves_no_request),
        CASE(test_a_held_read_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
