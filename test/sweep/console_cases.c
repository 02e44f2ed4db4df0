/* console_cases.c - see consoles.h. */
#include "consoles.h"
#include <stddef.h>
#include "base/banned.h"

#define NOW "2026-11-22T12:00:00.000Z"
/* ---- the SQL console ------------------------------------------------------ */

#define ASKS(sql) "{\"ontologyId\":\"" SET "\",\"sql\":\"" sql "\"}"
#define RUN .method = "POST", .path = "/api/sql/run"
#define EXPLAIN .method = "POST", .path = "/api/sql/explain"

static const char *const plan_names[] = {"QUERY PLAN"};
static const char *const plan_types[] = {"json"};
static const char *const plan_cells[] = {
    "[{\"Plan\":{\"Node Type\":\"Seq Scan\",\"Relation Name\":\"customers\","
    "\"Schema\":\"public\",\"Total Cost\":1.5,\"Plan Rows\":3}}]"};
static const struct fake_rows plan = {.n_columns = 1,
                                      .n_rows = 1,
                                      .cells = plan_cells,
                                      .names = plan_names,
                                      .types = plan_types};
static const struct fake_rows broken = {.error = "it cannot be divided"};

static const struct fake_rows *read_plan(struct str sql)
{
    (void)sql;
    return &plan;
}

static const struct fake_rows *read_broken(struct str sql)
{
    (void)sql;
    return &broken;
}

static const struct fake_exchange of_files[] = {
    {.has = "/query",
     .form = FORM_RAW,
     .reply = "{\"columns\":[{\"name\":\"city\",\"type\":\"text\"}],\"rows\":"
              "[[\"Austin\"]],\"moreRows\":false,\"cutValues\":false,"
              "\"executionTimeMs\":3,\"error\":null}"},
    {0}};
static const struct fake_exchange of_trino[] = {
    {.has = "executing/q/y/1",
     .form = FORM_RAW,
     .reply = "{\"id\":\"q\",\"columns\":[{\"name\":\"city\",\"type\":"
              "\"varchar\",\"typeSignature\":{\"rawType\":\"varchar\","
              "\"arguments\":[]}}],\"data\":[[\"Austin\"]],\"stats\":{}}"},
    {.has = "/v1/statement",
     .form = FORM_RAW,
     .reply = "{\"id\":\"q\",\"nextUri\":\"http://trino.test:5432/v1/statement/"
              "executing/q/y/1\",\"stats\":{}}"},
    {0}};

/* ---- saved queries and history -------------------------------------------- */

#define SAVED(owner) \
    FAKE_ROWS("sql.saved", 9, CHAT, SET, "cities", GOOD_SQL, "t", "t", "ann", \
              NOW, owner)
#define PUT(name, taken, made) FAKE_ROWS(name, 3, taken, "t", made)
#define HISTORY \
    FAKE_ROWS("sql.history", 7, CHAT, GOOD_SQL, NOW, "complete", "2", "5", "")

/* ---- boards ---------------------------------------------------------------- */

#define BOARD_AT "/api/data-agent/boards/" ID
#define BOARD FAKE_ROWS("boards.read", 6, ID, "Sales", "1", NOW, NOW, "1")
#define CARD \
    FAKE_ROWS("boards.cards", 17, CHAT, "Cities", "By city?", GOOD_SQL, NULL, \
              NULL, "6", SET, "shop", NULL, NULL, "1", "{\"columns\":[]}", \
              NOW, "fresh", NULL, NULL)
#define BOARD_LIST FAKE_ROWS("boards.list", 6, ID, "Sales", "1", NOW, NOW, "1")

/* ---- reports ---------------------------------------------------------------- */

#define REPORT .method = "POST", .path = "/api/report"
#define ADMITTED FAKE_ROWS("explorer.admit", 3, "f", "f", "0")
#define TO_REPORT \
    "\"schema\":[{\"name\":\"city\",\"type\":\"text\"}]," \
    "\"sqlHistory\":[],\"charts\":[]}"
static const struct fake_exchange of_model[] = {
    {.has = "model.test", .reply = "# A report\n\nIt is about three cities."},
    {0}};

/* ---- an exploration at another process ------------------------------------- */

#define FRAME(n, what) "id: " n "\ndata: " what "\n\n"
#define STREAM_AT "/api/agentic-explore-bridge/" ID "/stream"
#define RUNS_THERE FAKE_ROWS("explorer.search", 1, CHAT)

enum { EVER = 1000000 };
static const struct console_part two_parts[] = {
    {0, false, 1, EVER, FRAME("1", "one") FRAME("2", "two")},
    {1, true, 3, EVER, FRAME("3", "[DONE]")},
    {0}};
/* Its process wrote all parts again, with other borders. */
static const struct console_part written_again[] = {
    {0, false, 1, 1, FRAME("1", "one")},
    {1, true, 2, 2, FRAME("3", "[DONE]")},
    {0, false, 3, EVER, FRAME("1", "one") FRAME("2", "two")},
    {1, true, 3, EVER, FRAME("3", "[DONE]")},
    {0}};
static const struct console_part none_comes[] = {{0}};

const struct console_case console_cases[] = {
    {.name = "a query",
     RUN,
     .body = ASKS(GOOD_SQL),
     .status = 200,
     .sends = "\"rowCount\":2",
     .failed = 400,
     .notes = true,
     .rows = {FAKE_ROWS("sql.note", 1, "")}},
    {.name = "a query whose client leaves",
     RUN,
     .body = ASKS(GOOD_SQL),
     .leaves = true,
     .status = 200,
     .sends = "\"rowCount\":2",
     .failed = 400,
     .notes = true,
     .rows = {FAKE_ROWS("sql.note", 1, "")}},
    {.name = "a query over files",
     RUN,
     .body = ASKS("select city from customers"),
     .source = OVER_FILES,
     .status = 200,
     .sends = "Austin",
     .failed = 400,
     .notes = true,
     .script = of_files,
     .rows = {FAKE_ROWS("sql.note", 1, "")}},
    {.name = "a query over files whose client leaves",
     RUN,
     .body = ASKS("select city from customers"),
     .source = OVER_FILES,
     .leaves = true,
     .status = 200,
     .sends = "Austin",
     .failed = 400,
     .notes = true,
     .script = of_files,
     .rows = {FAKE_ROWS("sql.note", 1, "")}},
    {.name = "a query of a cluster",
     RUN,
     .body = ASKS(GOOD_SQL),
     .source = OVER_TRINO,
     .status = 200,
     .sends = "Austin",
     .failed = 400,
     .notes = true,
     .script = of_trino,
     .rows = {FAKE_ROWS("sql.note", 1, "")}},
    {.name = "a query of a cluster whose client leaves",
     RUN,
     .body = ASKS(GOOD_SQL),
     .source = OVER_TRINO,
     .leaves = true,
     .status = 200,
     .sends = "Austin",
     .failed = 400,
     .notes = true,
     .script = of_trino,
     .rows = {FAKE_ROWS("sql.note", 1, "")}},
    {.name = "a query that fails",
     RUN,
     .body = ASKS(GOOD_SQL),
     .status = 400,
     .sends = "divided",
     .failed = 400,
     .notes = true,
     .on_read = read_broken,
     .rows = {FAKE_ROWS("sql.note", 1, "")}},
    {.name = "a query that writes",
     RUN,
     .body = ASKS("delete from public.customers"),
     .status = 400,
     .sends = "",
     .notes = true,
     .rows = {FAKE_ROWS("sql.note", 1, "")}},
    {.name = "a plan",
     EXPLAIN,
     .body = ASKS(GOOD_SQL),
     .status = 200,
     .sends = "\"plan\":",
     .failed = 400,
     .notes = true,
     .on_read = read_plan,
     .rows = {FAKE_ROWS("sql.note", 1, "")}},
    {.name = "a plan of a cluster",
     EXPLAIN,
     .body = ASKS(GOOD_SQL),
     .source = OVER_TRINO,
     .status = 409,
     .sends = "cannot be shown"},
    {.name = "saved queries",
     .method = "GET",
     .path = "/api/sql/queries?ontologyId=" SET,
     .status = 200,
     .sends = "\"state\":\"fits\"",
     .rows = {SAVED(ID)}},
    {.name = "a query is saved",
     .method = "POST",
     .path = "/api/sql/queries",
     .body = "{\"ontologyId\":\"" SET
             "\",\"name\":\"cities\",\"sql\":\"select 1\"}",
     .status = 201,
     .sends = "\"name\":\"cities\"",
     .rows = {PUT("sql.add", "f", CHAT), SAVED(ID)}},
    {.name = "a query whose name is taken",
     .method = "POST",
     .path = "/api/sql/queries",
     .body = "{\"ontologyId\":\"" SET
             "\",\"name\":\"cities\",\"sql\":\"select 1\"}",
     .status = 409,
     .sends = "of this name",
     .rows = {PUT("sql.add", "t", NULL)}},
    {.name = "a saved query is changed",
     .method = "PATCH",
     .path = "/api/sql/queries/" CHAT,
     .body = "{\"shared\":false}",
     .status = 200,
     .sends = "\"name\":\"cities\"",
     .rows = {PUT("sql.change", "f", CHAT), SAVED(ID)}},
    {.name = "a saved query of another",
     .method = "PATCH",
     .path = "/api/sql/queries/" CHAT,
     .body = "{\"shared\":false}",
     .status = 403,
     .sends = "another user",
     .rows = {SAVED(SET)}},
    {.name = "a saved query is removed",
     .method = "DELETE",
     .path = "/api/sql/queries/" CHAT,
     .status = 204,
     .sends = "",
     .rows = {SAVED(ID), FAKE_ROWS("sql.remove", 1, "t")}},
    {.name = "the functions",
     .method = "GET",
     .path = "/api/sql/functions",
     .status = 200,
     .sends = "\"count\""},
    {.name = "the history",
     .method = "GET",
     .path = "/api/sql/history?ontologyId=" SET,
     .status = 200,
     .sends = "\"outcome\":\"complete\"",
     .rows = {HISTORY}},
    {.name = "the history is cleared",
     .method = "DELETE",
     .path = "/api/sql/history?ontologyId=" SET,
     .status = 204,
     .sends = ""},
    {.name = "a query that the history does not have",
     .method = "DELETE",
     .path = "/api/sql/history/" CHAT,
     .status = 404,
     .sends = "not found"},
    {.name = "boards",
     .method = "GET",
     .path = "/api/data-agent/boards",
     .status = 200,
     .sends = "\"name\":\"Sales\"",
     .rows = {BOARD_LIST}},
    {.name = "a new board",
     .method = "POST",
     .path = "/api/data-agent/boards",
     .body = "{\"name\":\"Sales\"}",
     .status = 201,
     .sends = "\"name\":\"Sales\"",
     .rows = {FAKE_ROWS("boards.add", 1, ID), BOARD, CARD}},
    {.name = "a board",
     .method = "GET",
     .path = BOARD_AT,
     .status = 200,
     .sends = "\"title\":\"Cities\"",
     .rows = {BOARD, CARD}},
    {.name = "a board of another",
     .method = "GET",
     .path = BOARD_AT,
     .status = 404,
     .sends = "not found"},
    {.name = "a board is arranged",
     .method = "PATCH",
     .path = BOARD_AT,
     .body = "{\"cards\":[{\"id\":\"" CHAT "\",\"width\":12}]}",
     .status = 200,
     .sends = "\"title\":\"Cities\"",
     .rows = {FAKE_ROWS("boards.change", 1, "t"), BOARD, CARD}},
    {.name = "a board is removed",
     .method = "DELETE",
     .path = BOARD_AT,
     .status = 204,
     .sends = "",
     .rows = {FAKE_ROWS("boards.remove", 1, "t")}},
    {.name = "an answer is pinned",
     .method = "POST",
     .path = BOARD_AT "/cards",
     .body = "{\"messageId\":\"" CHAT "\"}",
     .status = 201,
     .sends = "\"title\":\"Cities\"",
     .rows = {FAKE_ROWS("trusted.source", 6, "By city?", GOOD_SQL, SET, "f",
                        "1795939200000", "1"),
              FAKE_ROWS("boards.pin", 2, "pinned", CHAT), CARD}},
    {.name = "a card is changed",
     .method = "PATCH",
     .path = BOARD_AT "/cards/" CHAT,
     .body = "{\"title\":\"Towns\"}",
     .status = 200,
     .sends = "\"title\":\"Cities\"",
     .rows = {FAKE_ROWS("boards.change_card", 1, "t"), CARD}},
    {.name = "a card is removed",
     .method = "DELETE",
     .path = BOARD_AT "/cards/" CHAT,
     .status = 204,
     .sends = "",
     .rows = {FAKE_ROWS("boards.remove_card", 1, "t")}},
    {.name = "a board is refreshed",
     .method = "POST",
     .path = BOARD_AT "/refresh",
     .status = 200,
     .sends = "\"title\":\"Cities\"",
     .cards = 2,
     .rows = {BOARD, CARD}},
    {.name = "a board is refreshed, and its client leaves",
     .method = "POST",
     .path = BOARD_AT "/refresh",
     .leaves = true,
     .status = 200,
     .sends = "\"title\":\"Cities\"",
     .rows = {BOARD, CARD}},
    {.name = "a board over files is refreshed",
     .method = "POST",
     .path = BOARD_AT "/refresh",
     .source = OVER_FILES,
     .status = 200,
     .sends = "\"title\":\"Cities\"",
     .cards = 2,
     .script = of_files,
     .rows = {BOARD, CARD}},
    {.name = "a board over a cluster is refreshed",
     .method = "POST",
     .path = BOARD_AT "/refresh",
     .source = OVER_TRINO,
     .status = 200,
     .sends = "\"title\":\"Cities\"",
     .cards = 2,
     .script = of_trino,
     .rows = {BOARD, CARD}},
    {.name = "a card is refreshed, and its query fails",
     .method = "POST",
     .path = BOARD_AT "/cards/" CHAT "/refresh",
     .status = 200,
     .sends = "\"title\":\"Cities\"",
     .cards = 2,
     .on_read = read_broken,
     .rows = {BOARD, CARD}},
    {.name = "a report",
     REPORT,
     .body = "{\"question\":\"What is in it?\"," TO_REPORT,
     .status = 200,
     .sends = "three cities",
     .failed = 502,
     .script = of_model,
     .rows = {ADMITTED}},
    {.name = "a report whose reader leaves",
     REPORT,
     .body = "{\"question\":\"What is in it?\"," TO_REPORT,
     .leaves = true,
     .status = 200,
     .sends = "three cities",
     .script = of_model,
     .rows = {ADMITTED}},
    {.name = "a report of a run",
     REPORT,
     .body = "{\"runId\":\"" CHAT "\"," TO_REPORT,
     .status = 200,
     .sends = "three cities",
     .failed = 502,
     .script = of_model,
     .rows = {ADMITTED,
              FAKE_ROWS("capsules.one", 16, ID, NOW, SET, "What?", "sql", NULL,
                        "select 1", NULL, "succeeded", "{}", NULL, "3",
                        "Three.", "thread-1", NULL, "f")}},
    {.name = "an exploration elsewhere",
     .method = "GET",
     .path = STREAM_AT,
     .status = 200,
     .sends = "[DONE]",
     .parts = two_parts,
     .rows = {RUNS_THERE}},
    {.name = "an exploration elsewhere whose reader leaves",
     .method = "GET",
     .path = STREAM_AT,
     .leaves = true,
     .status = 200,
     .sends = "[DONE]",
     .parts = two_parts,
     .rows = {RUNS_THERE}},
    {.name = "an exploration whose parts are written again",
     .method = "GET",
     .path = STREAM_AT,
     .status = 200,
     .sends = "[DONE]",
     .parts = written_again,
     .rows = {RUNS_THERE}},
    {.name = "an exploration whose process is gone",
     .method = "GET",
     .path = STREAM_AT,
     .status = 204,
     .sends = "",
     .parts = none_comes,
     .rows = {RUNS_THERE}},
    {.name = "no exploration",
     .method = "GET",
     .path = STREAM_AT,
     .status = 204,
     .sends = ""},
    {0}};
