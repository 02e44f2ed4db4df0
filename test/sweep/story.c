/* story.c - the stories of the sweep: what the model, the sandbox and the
 * database answer, and how the run ends. */
#include "story.h"
#include <string.h>
#include "base/banned.h"

/* ---- what the model says ------------------------------------------------ */

#define STEP(id, text, strategy, needs, datasets) \
    "{\"id\":" #id ",\"description\":\"" text "\",\"strategy\":\"" strategy \
    "\",\"dependsOn\":[" needs "],\"datasets\":[" datasets \
    "],\"expectedOutput\":null}"
#define PLAN(complexity, steps) \
    "{\"complexity\":\"" complexity "\",\"intent\":\"Revenue by city\"," \
    "\"metrics\":[\"revenue\"],\"dimensions\":[\"city\"]," \
    "\"timeWindow\":null,\"filters\":[],\"grain\":\"one row a city\"," \
    "\"ambiguities\":[{\"question\":\"which cities\"," \
    "\"assumption\":\"all\"}],\"acceptanceChecks\":[\"one row a city\"]," \
    "\"shouldClarify\":false,\"clarificationQuestions\":[],\"answers\":[]," \
    "\"steps\":[" steps "]}"
#define BOTH "\"orders\",\"customers\""
#define SIMPLE PLAN("simple", STEP(1, "Revenue by city", "sql", "", BOTH))
#define SPEC(id, sql) \
    "{\"stepId\":" #id ",\"description\":null,\"pilotSql\":null," \
    "\"fullSql\":\"" sql "\",\"expectedColumns\":[\"city\"],\"notes\":null}"
#define QUERIES(specs) "{\"queries\":[" specs "]}"
#define GOOD_SQL \
    "select c.city, count(*) as orders, sum(o.total) as revenue " \
    "from public.orders o join public.customers c " \
    "on c.customer_id = o.customer_id group by c.city order by c.city"
#define BROKEN_SQL "select total as broken from public.orders"
#define HOPELESS_SQL "select total as hopeless from public.orders"
#define INVENTED_SQL "select invented from public.orders"

#define PLANS(text) {.has = "You are the Planner", .reply = text}
#define EXPLORES \
    {.has = "You are the Navigator", \
     .form = FORM_TOOLS, \
     .times = 1, \
     .reply = "get_relationships {}\n" \
              "get_dataset_details {\"datasetNames\":[\"orders\",\"nope\"]}\n" \
              "drop_tables {}"}
#define NOTES {.has = "You are the Navigator", .reply = "Join on customer_id."}
#define BUILDS(text) {.has = "You are the SQL Builder", .reply = text}
#define VERIFIES \
    {.has = "You are the Verifier", \
     .reply = "Here:\n```python\nprint('verify')\n```"}
#define DRAWS \
    {.has = "You are the Python analyst", \
     .reply = "```python\nprint('draw')\n```"}
#define EXPLAINS \
    {.has = "You are the Explainer", \
     .reply = "Austin made **120.50**, Houston nothing that we know of."}

/* The ReAct agent. */
#define ACTS(calls) \
    {.has = "You are an expert data analyst", \
     .form = FORM_TOOLS, \
     .times = 1, \
     .reply = calls}
#define ANSWERS \
    {.has = "You are an expert data analyst", \
     .reply = "Austin made **120.50**, Houston nothing that we know of."}
#define QUERY_ARGUMENTS(sql) "query_database {\"sql\":\"" sql "\"}\n"
#define DRAW_ARGUMENTS "run_python {\"code\":\"print('draw')\"}\n"

/* ---- what the sandbox says ---------------------------------------------- */

#define RAN(out, charts) \
    "{\"stdout\":\"" out "\",\"stderr\":\"\",\"charts\":[" charts "]," \
    "\"returnCode\":0,\"executionTimeMs\":12}"
#define CHECKS(passed, diagnosis, target) \
    RAN("{\\\"checks\\\":[{\\\"name\\\":\\\"grain\\\",\\\"passed\\\":" passed \
        ",\\\"severity\\\":\\\"fail\\\",\\\"message\\\":\\\"m\\\"}]," \
        "\\\"diagnosis\\\":\\\"" diagnosis \
        "\\\",\\\"recommendedTarget\\\":" target "}\\n", \
        "")
#define SANDBOX(code, body) \
    {.has = "/execute", .and_has = code, .form = FORM_RAW, .reply = body}
#define PASSES SANDBOX("verify", CHECKS("true", "", "null"))
#define DRAWN SANDBOX("draw", RAN("a chart", "\"iVBORw0KGgo=\""))

#define DRAWS_SUMMARY \
    {.has = "You are the Explainer", \
     .form = FORM_TOOLS, \
     .times = 1, \
     .reply = DRAW_ARGUMENTS DRAW_ARGUMENTS}

static const struct fake_exchange simple[] = {
    PLANS(SIMPLE), EXPLORES, NOTES,  BUILDS(QUERIES(SPEC(1, GOOD_SQL))),
    VERIFIES,      EXPLAINS, PASSES, {0}};

/* The builder answers with this limit only when it sees the example, and not at
 * all when it sees the query that does not fit the model. */
static const struct fake_exchange with_examples[] = {
    PLANS(SIMPLE),
    EXPLORES,
    NOTES,
    {.has = "You are the SQL Builder", .and_has = "planet", .reply = "{}"},
    {.has = "You are the SQL Builder",
     .and_has = "revenue by customer",
     .reply = QUERIES(SPEC(1, GOOD_SQL " limit 77"))},
    BUILDS(QUERIES(SPEC(1, GOOD_SQL))),
    VERIFIES,
    EXPLAINS,
    PASSES,
    {0}};

/* The Explainer states what the rows do not show, and corrects it. */
static const struct fake_exchange corrects_text[] = {
    PLANS(SIMPLE),
    NOTES,
    BUILDS(QUERIES(SPEC(1, GOOD_SQL))),
    VERIFIES,
    {.has = "You are the Explainer",
     .times = 1,
     .reply = "Revenue grew to **9,999,999.00**."},
    EXPLAINS,
    PASSES,
    {0}};

/* The Explainer draws a chart, once, before it writes. */
static const struct fake_exchange summary[] = {
    PLANS(SIMPLE), NOTES,  BUILDS(QUERIES(SPEC(1, GOOD_SQL))),
    VERIFIES,      PASSES, DRAWS_SUMMARY,
    EXPLAINS,      DRAWN,  {0}};

static const struct fake_exchange parallel[] = {
    PLANS(PLAN("analytical",
               STEP(1, "Revenue", "sql", "", BOTH) "," STEP(
                   2, "Products", "sql", "",
                   "\"products\"") "," STEP(3, "Chart", "python", "1,2",
                                            "") "," STEP(4, "Both",
                                                         "sql_then_python", "1",
                                                         "\"orders\""))),
    NOTES,
    BUILDS(QUERIES(SPEC(1, GOOD_SQL) "," SPEC(4, GOOD_SQL) "," SPEC(
        2,
        "select name from public.products") "," SPEC(2,
                                                     "select 2") "," SPEC(3,
                                                                          "select 3"))),
    DRAWS,
    VERIFIES,
    EXPLAINS,
    DRAWN,
    PASSES,
    {0}};

/* Step 1 is repaired; step 2 cannot be; step 3 needs step 2; step 4 fails in
 * Python; step 5 has no query at all. */
static const struct fake_exchange repair[] = {
    PLANS(PLAN(
        "analytical",
        STEP(1, "Repaired", "sql", "", BOTH) "," STEP(
            2, "Hopeless", "sql", "",
            "\"orders\"") "," STEP(3, "Skipped", "python", "2",
                                   "") "," STEP(4, "Raises", "python", "1",
                                                "") "," STEP(5, "Forgotten",
                                                             "sql", "",
                                                             "\"orders\""))),
    NOTES,
    BUILDS(QUERIES(SPEC(1, BROKEN_SQL) "," SPEC(2, HOPELESS_SQL))),
    {.has = "You are the Executor",
     .and_has = "total as broken",
     .reply = "```sql\n" GOOD_SQL "\n```"},
    {.has = "You are the Executor", .reply = "```sql\n" HOPELESS_SQL "\n```"},
    DRAWS,
    VERIFIES,
    EXPLAINS,
    SANDBOX("draw", "{\"stdout\":\"\",\"stderr\":\"Traceback\",\"charts\":[],"
                    "\"returnCode\":1,\"executionTimeMs\":3,"
                    "\"error\":\"KeyError: city\"}"),
    SANDBOX("verify", RAN("no report", "")),
    {0}};

static const struct fake_rows broken = {.error =
                                            "column \"broken\" does not exist"};

static const struct fake_rows *repair_reads(struct str sql)
{
    bool bad = str_find(sql, STR("broken")) >= 0 ||
               str_find(sql, STR("hopeless")) >= 0;
    return bad ? &broken : NULL;
}

/* A column that the ontology does not have: reported once, then corrected. */
static const struct fake_exchange corrected[] = {
    PLANS(SIMPLE),
    NOTES,
    {.has = "You are the SQL Builder",
     .and_has = "no column invented",
     .reply = QUERIES(SPEC(1, GOOD_SQL))},
    BUILDS(QUERIES(SPEC(1, INVENTED_SQL))),
    VERIFIES,
    EXPLAINS,
    PASSES,
    {0}};

/* The model repeats it: the step fails before anything runs. */
static const struct fake_exchange invented[] = {
    PLANS(SIMPLE),
    NOTES,
    BUILDS(QUERIES(SPEC(1, INVENTED_SQL))),
    VERIFIES,
    EXPLAINS,
    PASSES,
    {0}};

static const struct fake_exchange revision[] = {
    PLANS(SIMPLE),
    EXPLORES,
    NOTES,
    BUILDS(QUERIES(SPEC(1, GOOD_SQL))),
    VERIFIES,
    EXPLAINS,
    {.has = "/execute",
     .form = FORM_RAW,
     .times = 1,
     .reply = CHECKS("false", "rows twice", "\\\"sql_builder\\\"")},
    {.has = "/execute",
     .form = FORM_RAW,
     .times = 1,
     .reply = CHECKS("false", "", "\\\"navigator\\\"")},
    PASSES,
    {0}};

static const struct fake_exchange never_right[] = {
    PLANS(SIMPLE),
    NOTES,
    BUILDS(QUERIES(SPEC(1, GOOD_SQL))),
    VERIFIES,
    EXPLAINS,
    SANDBOX("verify", CHECKS("false", "still twice", "null")),
    {0}};

static const struct fake_exchange clarification[] = {
    PLANS("{\"complexity\":\"simple\",\"intent\":\"unclear\","
          "\"shouldClarify\":true,\"clarificationQuestions\":["
          "{\"key\":\"window\",\"question\":\"Which year?\","
          "\"assumption\":\"2025\"}],\"steps\":[]}"),
    {0}};

/* The model asks again, which it may not. */
static const struct fake_exchange clarified[] = {
    PLANS("{\"complexity\":\"conversational\",\"intent\":\"unclear\","
          "\"shouldClarify\":true,\"clarificationQuestions\":["
          "{\"key\":\"window\",\"question\":\"Which year?\","
          "\"assumption\":\"2025\"}],\"answers\":[{\"key\":\"window\","
          "\"value\":\"2024\",\"by\":\"answer\"}],\"steps\":[]}"),
    EXPLAINS,
    {0}};

static const struct fake_exchange cannot[] = {
    PLANS(PLAN("simple", STEP(1, "Unicorns", "sql", "", "\"unicorns\""))),
    EXPLORES,
    NOTES,
    EXPLAINS,
    {0}};

static const struct fake_exchange conversational[] = {
    PLANS("{\"complexity\":\"conversational\",\"intent\":\"a greeting\"}"),
    EXPLAINS,
    {0}};

static const struct fake_exchange sandbox_gone[] = {
    PLANS(PLAN("analytical", STEP(1, "Revenue", "sql", "", BOTH) "," STEP(
                                 2, "Chart", "python", "1", ""))),
    NOTES,
    BUILDS(QUERIES(SPEC(1, GOOD_SQL))),
    DRAWS,
    VERIFIES,
    EXPLAINS,
    {.has = "/execute", .reply = NULL},
    {0}};

static const struct fake_exchange bad_reply[] = {
    {.has = "You are the Planner",
     .and_has = "Your reply cannot be used",
     .reply = SIMPLE},
    PLANS("{\"complexity\":\"simple\",\"shouldClarify\":true,\"steps\":[]}"),
    NOTES,
    BUILDS(QUERIES(SPEC(1, GOOD_SQL))),
    VERIFIES,
    EXPLAINS,
    PASSES,
    {0}};

static const struct fake_exchange never_fits[] = {PLANS("I would rather not."),
                                                  {0}};

/* Queries, and calls of what does not exist; a chart; the answer. */
static const struct fake_exchange react[] = {
    ACTS(QUERY_ARGUMENTS(
        GOOD_SQL) "get_dataset_details "
                  "{\"datasetNames\":[\"orders\",\"nope\"]}\n"
                  "list_datasets {}\n"
                  "get_sample_data {\"datasetName\":\"orders\",\"limit\":3}\n"
                  "drop_tables {}"),
    ACTS(DRAW_ARGUMENTS),
    ANSWERS,
    DRAWN,
    {0}};

/* A query that fails, one that writes, and broken arguments. */
static const struct fake_exchange react_errs[] = {
    ACTS(QUERY_ARGUMENTS(BROKEN_SQL)
             QUERY_ARGUMENTS("delete from orders") "query_database {}\n"
                                                   "run_python [1]"),
    ACTS(QUERY_ARGUMENTS(GOOD_SQL)),
    ANSWERS,
    {0}};

/* It never answers. */
static const struct fake_exchange react_on_and_on[] = {
    {.has = "You are an expert data analyst",
     .form = FORM_TOOLS,
     .reply = "list_datasets {}"},
    {0}};
static const struct fake_exchange react_talks[] = {ANSWERS, {0}};
static const struct fake_exchange react_is_mute[] = {
    {.has = "You are an expert data analyst", .reply = ""}, {0}};
static const struct fake_exchange react_sandbox_gone[] = {
    ACTS(QUERY_ARGUMENTS(GOOD_SQL)),
    ACTS(DRAW_ARGUMENTS),
    ANSWERS,
    {.has = "/execute", .reply = NULL},
    {0}};

/* The scientist. */
#define DECIDES(code, evaluation) \
    {.has = "You are a data analysis planning assistant", \
     .reply = "{\"needs_code\":" code ",\"needs_evaluation\":" evaluation \
              ",\"needs_explanation\":true,\"reasoning\":\"r\"}"}
#define CODES \
    {.has = "who writes Python code", \
     .reply = "```python\nresult = compute()\n```"}
#define CORRECTS(times_) \
    {.has = "who fixes broken Python", \
     .times = times_, \
     .reply = "result = corrected()"}
#define EVALUATES \
    {.has = "who evaluates the results of code", .reply = "120.50 is most."}
#define COMMUNICATES \
    {.has = "You are a data science communicator", \
     .reply = "The revenue is **120.50**."}
#define COMPUTED \
    "{\"stdout\":\"\",\"stderr\":\"\",\"charts\":[\"iVBORw0KGgo=\"]," \
    "\"returnCode\":0,\"executionTimeMs\":12,\"taken\":{\"result.json\":" \
    "\"{\\\"kind\\\":\\\"value\\\",\\\"text\\\":\\\"120.5\\\"," \
    "\\\"leftOut\\\":0,\\\"table\\\":{\\\"columns\\\":[{\\\"name\\\":" \
    "\\\"revenue\\\",\\\"type\\\":\\\"float8\\\"}],\\\"rows\\\":[[120.5]]," \
    "\\\"more\\\":false}}\",\"figure_0.json\":\"{\\\"data\\\":[{\\\"type\\\":" \
    "\\\"bar\\\",\\\"y\\\":[120.5]}]}\",\"figure_1.json\":\"{}\"}}"
#define RAISES \
    "{\"stdout\":\"\",\"stderr\":\"Traceback of " FAKE_VALUE "\"," \
    "\"charts\":[],\"returnCode\":1,\"executionTimeMs\":3," \
    "\"error\":\"KeyError: '" FAKE_VALUE "'\"}"

/* A process that takes the run over may correct code that was interrupted. */
static const struct fake_exchange scientist[] = {
    DECIDES("true", "true"),
    CODES,
    EVALUATES,
    COMMUNICATES,
    SANDBOX("compute()", COMPUTED),
    CORRECTS(0),
    SANDBOX("corrected()", COMPUTED),
    {0}};
static const struct fake_exchange scientist_thrice[] = {
    DECIDES("true", "false"),
    CODES,
    {.has = "who fixes broken Python",
     .and_has = "result = worse()",
     .reply = "result = corrected()"},
    {.has = "who fixes broken Python", .reply = "result = worse()"},
    COMMUNICATES,
    SANDBOX("compute()", RAISES),
    SANDBOX("worse()", RAISES),
    SANDBOX("corrected()", COMPUTED),
    {0}};
static const struct fake_exchange scientist_gives_up[] = {
    DECIDES("true", "true"),
    CODES,
    {.has = "who fixes broken Python", .times = 1, .reply = "```\n```"},
    CORRECTS(0),
    SANDBOX("compute()", RAISES),
    SANDBOX("corrected()", RAISES),
    {0}};
static const struct fake_exchange scientist_concept[] = {
    DECIDES("false", "true"), COMMUNICATES, {0}};
static const struct fake_exchange scientist_mute[] = {
    DECIDES("true", "false"),
    CODES,
    SANDBOX("compute()", COMPUTED),
    {.has = "You are a data science communicator",
     .form = FORM_RAW,
     .status = 400,
     .reply = "{\"error\":{\"message\":\"no\",\"code\":\"nope\"}}"},
    CORRECTS(0),
    SANDBOX("corrected()", COMPUTED),
    {0}};
static const struct fake_exchange scientist_sandbox_gone[] = {
    DECIDES("true", "false"),
    CODES,
    CORRECTS(0),
    {.has = "/execute", .reply = NULL},
    {0}};
/* After two attempts there is one. */
static const struct fake_exchange scientist_resumes[] = {
    {.has = "who fixes broken Python",
     .and_has = "interrupted",
     .reply = "result = corrected()"},
    COMMUNICATES,
    SANDBOX("corrected()", COMPUTED),
    {0}};
static const struct fake_exchange scientist_explains[] = {COMMUNICATES, {0}};

/* ---- the CSV analyst ---------------------------------------------------- */

#define IS_CSV "You are a data analyst. You help people explore one dataset"
#define CSV_ACTS(calls) \
    {.has = IS_CSV, .form = FORM_TOOLS, .times = 1, .reply = calls}
#define CSV_ANSWERS \
    {.has = IS_CSV, \
     .reply = "Austin made **120.50**, Houston nothing that we know of."}
#define CSV_SQL(sql) \
    "execute_sql {\"dataset_id\":\"33333333-3333-4333-8333-333333333333\",\"sql\":\"" sql \
    "\"}\n"
#define CSV_PLAN(plan) "execute_query_plan {\"plan\":" plan "}\n"
#define CSV_PYTHON "execute_python {\"python_code\":\"print('draw')\"}\n"
#define CSV_RAN \
    SANDBOX("draw", "{\"stdout\":\"a chart\",\"stderr\":\"\",\"charts\":[" \
                    "\"iVBORw0KGgo=\"],\"returnCode\":0," \
                    "\"executionTimeMs\":12,\"taken\":{" \
                    "\"sextant_result.json\":\"{\\\"columns\\\":[\\\"a\\\"]," \
                    "\\\"rows\\\":[[1],[2]],\\\"row_count\\\":2}\"}}")

/* Every tool, then the answer. */
static const struct fake_exchange csv[] = {
    CSV_ACTS("list_datasets {}\nget_dataset_schema {}\n"),
    CSV_ACTS(CSV_SQL(GOOD_SQL) CSV_PLAN(
        "{\"table\":\"orders\",\"select\":[{\"column\":\"total\"}]}")),
    CSV_ACTS(CSV_PYTHON),
    CSV_ANSWERS,
    CSV_RAN,
    {0}};

/* What a tool refuses; a query that fails; arguments that are none. */
static const struct fake_exchange csv_errs[] = {
    CSV_ACTS(
        CSV_SQL(BROKEN_SQL) CSV_SQL("delete from orders") CSV_PLAN("7")
            CSV_PLAN("{\"table\":\"order\"}") CSV_PLAN("{\"dataset_id\":\"x\"}")
                CSV_SQL("") "execute_sql [1]\nget_dataset_schema "
                            "{\"dataset_id\":\"x\"}\nexecute_python {}\n"
                            "drop_tables {}"),
    CSV_ACTS("execute_sql {\"dataset_id\":\"x\",\"sql\":\"select 1\"}\n"
             "execute_query_plan {}\nexecute_query_plan "
             "{\"dataset_id\":\"x\",\"plan\":{}}\nexecute_python "
             "{\"dataset_id\":\"x\"}\n"),
    CSV_ACTS(CSV_SQL(GOOD_SQL)),
    CSV_ANSWERS,
    {0}};

/* It calls tools until it may no longer, then it sums up. */
static const struct fake_exchange csv_on_and_on[] = {
    {.has = IS_CSV,
     .and_has = "\"tool_choice\":\"none\"",
     .reply = "There are four tables."},
    {.has = IS_CSV, .form = FORM_TOOLS, .reply = "list_datasets {}"},
    {0}};
static const struct fake_exchange csv_python[] = {CSV_RAN, {0}};
static const struct fake_exchange csv_python_fails[] = {
    SANDBOX("boom", "{\"stdout\":\"\",\"stderr\":\"ValueError: boom\","
                    "\"charts\":[],\"returnCode\":1,\"executionTimeMs\":12}"),
    {0}};
static const struct fake_exchange csv_sandbox_gone[] = {
    {.has = "/execute", .reply = NULL}, {0}};

/* ---- the explorer over files -------------------------------------------- */

#define IS_EXPLORER "You are a data analyst. You explore one table"
#define EXPLORER_ACTS(calls) \
    {.has = IS_EXPLORER, .form = FORM_TOOLS, .times = 1, .reply = calls}
#define EXPLORER_ANSWERS \
    {.has = IS_EXPLORER, .reply = "Austin leads.\n\n- Austin: 3"}
#define EXPLORER_SQL "select city, n from t_parsed"
#define EXPLORER_ROWS \
    "{\"columns\":[{\"name\":\"city\",\"type\":\"text\"},{\"name\":\"n\"," \
    "\"type\":\"int8\"}],\"rows\":[[\"Austin\",\"3\"]],\"moreRows\":false," \
    "\"cutValues\":false,\"executionTimeMs\":3,\"error\":null}"
#define EXPLORER_QUERIES \
    {.has = "/query", .form = FORM_RAW, .reply = EXPLORER_ROWS}

/* Every tool, then the summary. */
static const struct fake_exchange explorer[] = {
    EXPLORER_ACTS("executeSQLQuery {\"query\":\"" EXPLORER_SQL
                  "\",\"reason\":\"r\"}\nprofileData {}\n"),
    EXPLORER_ACTS(
        "createVisualization {\"chartType\":\"bar\",\"title\":\"T\","
        "\"sqlQuery\":\"" EXPLORER_SQL "\",\"vegaLiteSpec\":{\"mark\":\"bar\","
        "\"encoding\":{\"x\":{\"field\":\"city\"}}}}\n"
        "validateAnalysis {\"finding\":\"f\",\"relatedQuery\":\"select city, "
        "avg(total) from t_parsed group by 1\"}\nexecuteSQLQuery {\"query\":"
        "\"drop table t_parsed\"}\n"),
    EXPLORER_ANSWERS,
    EXPLORER_QUERIES,
    {0}};
static const struct fake_exchange explorer_errs[] = {
    EXPLORER_ACTS("executeSQLQuery {\"query\":\"" EXPLORER_SQL "\"}\n"),
    EXPLORER_ANSWERS,
    {.has = "/query",
     .form = FORM_RAW,
     .reply = "{\"columns\":[],\"rows\":[],\"moreRows\":false,\"cutValues\":"
              "false,\"executionTimeMs\":3,\"error\":{\"kind\":\"sql\","
              "\"message\":\"no\",\"position\":1}}"},
    {0}};

/* A vector of four numbers near that of a dataset. */
#define EMBEDS \
    {.has = "/embeddings", \
     .form = FORM_RAW, \
     .reply = "{\"data\":[{\"index\":0,\"embedding\":[0.5,0.5,0.5,0.5]}]," \
              "\"usage\":{\"prompt_tokens\":3,\"total_tokens\":3}}"}
static const struct fake_exchange embedding[] = {
    EMBEDS,
    PLANS("{\"complexity\":\"conversational\",\"intent\":\"hello\"}"),
    EXPLAINS,
    {0}};
/* Neo4j answers a statement that has `part` with rows. */
#define GRAPH(part, rows) \
    {.has = part, \
     .form = FORM_RAW, \
     .status = 202, \
     .reply = "{\"data\":{\"fields\":[],\"values\":[" rows "]}}"}
#define GRAPH_IS_FILLED \
    GRAPH("CREATE ", ""), GRAPH("RETURN count(n)", "[0]"), \
        GRAPH("MERGE (n:SextantDataset", ""), \
        GRAPH("MERGE (a)-[r:RELATES_TO", ""), \
        GRAPH("MERGE (o:SextantOntology", ""), GRAPH("SKIP 2 DELETE o", ""), \
        {.has = "DETACH DELETE n", \
         .form = FORM_RAW, \
         .times = 1, \
         .reply = "{\"data\":{\"values\":[[1000]]}}"}, \
        GRAPH("DETACH DELETE n", "[0]")
static const struct fake_exchange embedding_neo4j[] = {
    EMBEDS,
    {.has = "collect([position",
     .form = FORM_RAW,
     .times = 1,
     .reply = "{\"data\":{\"values\":[]}}"},
    GRAPH_IS_FILLED,
    GRAPH("collect([position", "[1,0.875],[7,1],[\"no\",1]"),
    PLANS("{\"complexity\":\"conversational\",\"intent\":\"hello\"}"),
    EXPLAINS,
    {0}};
static const struct fake_exchange embedding_neo4j_gone[] = {
    EMBEDS,
    {.has = "collect([position", .reply = NULL},
    PLANS("{\"complexity\":\"conversational\",\"intent\":\"hello\"}"),
    EXPLAINS,
    {0}};
static const struct fake_exchange embedding_gone[] = {
    {.has = "/embeddings", .reply = NULL},
    PLANS("{\"complexity\":\"conversational\",\"intent\":\"hello\"}"),
    EXPLAINS,
    {0}};

/* No code for the checks, whatever is asked. */
static const struct fake_exchange verifier_gone[] = {
    PLANS(SIMPLE),
    NOTES,
    BUILDS(QUERIES(SPEC(1, GOOD_SQL))),
    {.has = "You are the Verifier",
     .form = FORM_RAW,
     .status = 400,
     .reply = "{\"error\":{\"message\":\"no\",\"code\":\"nope\"}}"},
    EXPLAINS,
    {0}};

/* There are results, but the model does not write the answer. */
#define BAD(status_code, body) \
    {.has = "You are the Explainer", \
     .form = FORM_RAW, \
     .status = status_code, \
     .reply = body}
#define BLANK \
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"  \"}}]}\n\n" \
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":" \
    "\"stop\"}]}\n\ndata: [DONE]\n\n"
static const struct fake_exchange explainer_gone[] = {
    PLANS(SIMPLE),
    NOTES,
    BUILDS(QUERIES(SPEC(1, GOOD_SQL))),
    VERIFIES,
    BAD(400, "{\"error\":{\"message\":\"no\",\"code\":\"nope\"}}"),
    PASSES,
    {0}};
static const struct fake_exchange explainer_silent[] = {
    PLANS(SIMPLE),
    NOTES,
    BUILDS(QUERIES(SPEC(1, GOOD_SQL))),
    VERIFIES,
    BAD(200, BLANK),
    PASSES,
    {0}};
static const struct fake_exchange talk_silent[] = {
    PLANS("{\"complexity\":\"conversational\",\"intent\":\"hello\"}"),
    BAD(200, BLANK),
    {0}};

/* Values that no model may see come by every way there is: rows and samples,
 * sentences of the database, what Python printed, a diagnosis. An explainer
 * that gets them would have no answer. */
#define GROUPS_SHOWN \
    {.has = "You are the Explainer", \
     .and_has = "Houston", \
     .reply = "Houston is among them."}
#define OF_VALUES(code, body) \
    {.has = code, \
     .and_has = FAKE_VALUE, \
     .form = FORM_RAW, \
     .times = 1, \
     .reply = body}
static const struct fake_exchange groups_alone[] = {
    PLANS(PLAN("analytical", STEP(1, "Revenue", "sql", "", BOTH) "," STEP(
                                 2, "Products", "sql", "", "\"products\""))),
    NOTES,
    BUILDS(QUERIES(
        SPEC(1, GOOD_SQL) "," SPEC(2, "select name from public.products"))),
    VERIFIES,
    GROUPS_SHOWN,
    EXPLAINS,
    OF_VALUES("print('verify')",
              CHECKS("false", FAKE_VALUE " twice", "\\\"sql_builder\\\"")),
    PASSES,
    {0}};
static const struct fake_exchange no_values[] = {
    PLANS(PLAN("analytical", STEP(1, "Repaired", "sql", "", BOTH) "," STEP(
                                 2, "Chart", "python", "1", ""))),
    NOTES,
    BUILDS(QUERIES(SPEC(1, BROKEN_SQL))),
    {.has = "You are the Executor", .reply = "```sql\n" GOOD_SQL "\n```"},
    DRAWS,
    VERIFIES,
    GROUPS_SHOWN,
    EXPLAINS,
    OF_VALUES("print('draw')", RAN(FAKE_VALUE, "")),
    SANDBOX("verify", CHECKS("true", FAKE_VALUE, "null")),
    SANDBOX("draw", RAN("3 rows", "")),
    {0}};

static const char *const secret_names[] = {"city", "orders", "revenue"};
static const char *const secret_types[] = {"text", "int8", "numeric"};
static const char *const secret_cells[] = {FAKE_VALUE,           "3", "120.50",
                                           FAKE_VALUE " Street", "2", NULL};
static const struct fake_rows secret_rows = {.n_columns = 3,
                                             .n_rows = 2,
                                             .cells = secret_cells,
                                             .names = secret_names,
                                             .types = secret_types};
static const struct fake_rows quoting = {
    .error = "invalid input syntax for type numeric: \"" FAKE_VALUE "\""};

static const struct fake_rows *secret_reads(struct str sql)
{
    return str_find(sql, STR("broken")) >= 0 ? &quoting : &secret_rows;
}

static const struct fake_rows *groups_read(struct str sql)
{
    return str_find(sql, STR("group by")) >= 0 ? NULL : secret_reads(sql);
}

/* What Python prints of rows that no model may see. */
static const struct fake_exchange react_no_values[] = {
    ACTS(QUERY_ARGUMENTS(GOOD_SQL) QUERY_ARGUMENTS(
        BROKEN_SQL) "get_sample_data {\"datasetName\":\"orders\",\"limit\":3}"),
    ACTS(DRAW_ARGUMENTS),
    ANSWERS,
    SANDBOX("draw", RAN(FAKE_VALUE, "")),
    {0}};

/* Values that the data write in another way, or do not have: the first query is
 * corrected, the second is not, and its correction fails. */
#define SALES_OF(city) \
    "select c.city, sum(o.total) as revenue from public.orders o join " \
    "public.customers c on c.customer_id = o.customer_id where c.city = '" city \
    "' group by c.city"
static const struct fake_exchange values[] = {
    PLANS(PLAN("analytical", STEP(1, "Austin", "sql", "",
                                  BOTH) "," STEP(2, "Waco", "sql", "", BOTH))),
    NOTES,
    BUILDS(QUERIES(SPEC(1, SALES_OF("aUSTIN")) "," SPEC(2, SALES_OF("Wako")))),
    {.has = "You are the Executor",
     .and_has = "aUSTIN",
     .reply = "```sql\n" GOOD_SQL "\n```"},
    {.has = "You are the Executor", .reply = "```sql\n" BROKEN_SQL "\n```"},
    VERIFIES,
    EXPLAINS,
    PASSES,
    {0}};

/* The model gives up: code writes the answer. */
static const struct fake_exchange no_values_there[] = {
    PLANS(SIMPLE),
    NOTES,
    BUILDS(QUERIES(SPEC(1, SALES_OF("Wako")))),
    {.has = "You are the Executor",
     .reply = "```sql\n" SALES_OF("Wako") "\n```"},
    VERIFIES,
    EXPLAINS,
    PASSES,
    {0}};

static const struct fake_exchange react_values[] = {
    ACTS(QUERY_ARGUMENTS(SALES_OF("Wako"))), ANSWERS, {0}};

static const struct fake_rows *nothing_reads(struct str sql)
{
    (void)sql;
    return &broken;
}

static const char *const cities[] = {"Austin", "f", "Waco", "f"};
static const struct fake_rows city_rows = {
    .n_columns = 2,
    .names = (const char *const[]){"value", "matches"},
    .types = (const char *const[]){"text", "bool"},
    .cells = cities,
    .n_rows = 2};
static const struct fake_rows no_rows = {
    .n_columns = 2,
    .names = (const char *const[]){"city", "revenue"},
    .types = (const char *const[]){"text", "numeric"},
    .cells = cities,
    .n_rows = 0};

static const struct fake_rows *value_reads(struct str sql)
{
    if (str_find(sql, STR("bool_or(matches)")) >= 0)
        return &city_rows;
    bool unknown = str_find(sql, STR("'aUSTIN'")) >= 0 ||
                   str_find(sql, STR("'Wako'")) >= 0;
    return unknown ? &no_rows : repair_reads(sql);
}

/* More rows than are read: their totals are computed. */
static const char *many_cells[1001] = {[0 ... 1000] = "120.50"};
static const char *const many_names[] = {"revenue"};
static const char *const many_types[] = {"numeric"};
static const struct fake_rows many_rows = {.n_columns = 1,
                                           .n_rows = 1001,
                                           .cells = many_cells,
                                           .names = many_names,
                                           .types = many_types};
static const char *const total_cells[] = {"5000", "602500.25"};
static const char *const total_names[] = {"all_rows", "sum_1"};
static const char *const total_types[] = {"int8", "numeric"};
static const struct fake_rows total_rows = {.n_columns = 2,
                                            .n_rows = 1,
                                            .cells = total_cells,
                                            .names = total_names,
                                            .types = total_types};
static const struct fake_rows *cut_reads(struct str sql)
{
    return str_find(sql, STR("all_rows")) >= 0 ? &total_rows : &many_rows;
}

/* The data end years before last month. */
#define APRIL_SQL \
    "select sum(total) as revenue from public.orders where ordered_on >= date " \
    "'2020-04-01' and ordered_on < date '2020-05-01'"
static const struct fake_exchange period[] = {
    PLANS("{\"complexity\":\"simple\",\"intent\":\"Revenue last month\","
          "\"timeWindow\":\"last month\",\"period\":{\"from\":\"2026-10-"
          "01\",\"to\":\"2026-10-31\",\"unit\":\"month\",\"relative\":"
          "true,\"field\":\"orders.ordered_on\"},\"steps\":[" STEP(
              1, "Revenue", "sql", "", BOTH) "]}"),
    NOTES,
    {.has = "You are the SQL Builder",
     .and_has = "2020-04-01",
     .reply = QUERIES(SPEC(1, APRIL_SQL))},
    BUILDS(QUERIES(SPEC(1, APRIL_SQL))), /* the latest date was not read */
    VERIFIES,
    EXPLAINS,
    PASSES,
    {0}};

static const char *const last_day[] = {"2020-05-17"};
static const struct fake_rows end_rows = {
    .n_columns = 1,
    .names = (const char *const[]){"data_end"},
    .types = (const char *const[]){"date"},
    .cells = last_day,
    .n_rows = 1};

static const struct fake_rows *end_reads(struct str sql)
{
    return str_find(sql, STR("AS data_end")) >= 0 ? &end_rows : NULL;
}
/* It calls none. */
static const struct fake_exchange no_model[] = {{0}};

/* ---- the stories -------------------------------------------------------- */

#define TAKEN(at) \
    {.name = "taken over at " at, \
     .script = simple, \
     .status = "complete", \
     .says = "120.50", \
     .phase = at, \
     .attempt = 2}

const struct story stories[] = {
    {.name = "simple",
     .script = simple,
     .status = "complete",
     .says = "120.50",
     .lasting = true},
    {.name = "text corrected",
     .script = corrects_text,
     .status = "complete",
     .says = "\"narrative_grounded\""},
    {.name = "summary chart",
     .script = summary,
     .status = "complete",
     .says = "[{\"step\":2,\"type\":\"image/png\","
             "\"data\":\"iVBORw0KGgo=\"}]"},
    {.name = "parallel",
     .script = parallel,
     .status = "complete",
     .says = "iVBORw0KGgo="},
    {.name = "repair",
     .script = repair,
     .on_read = repair_reads,
     .status = "complete",
     .says = "skipped: step 2 failed"},
    {.name = "values",
     .script = values,
     .on_read = value_reads,
     .status = "complete",
     .says = "the nearest is “Waco”"},
    {.name = "no such values",
     .script = no_values_there,
     .on_read = value_reads,
     .status = "complete",
     .says = "There is no figure to tell"},
    {.name = "period",
     .script = period,
     .on_read = end_reads,
     .status = "complete",
     .says = "2020-04-01 to 2020-04-30"},
    {.name = "react, no such values",
     .agent = "react",
     .script = react_values,
     .on_read = value_reads,
     .status = "complete",
     .says = "There is no figure to tell"},
    {.name = "cut",
     .script = simple,
     .on_read = cut_reads,
     .status = "complete",
     .says = "602500.25"},
    {.name = "react, cut",
     .agent = "react",
     .script = react,
     .on_read = cut_reads,
     .status = "complete",
     .says = "602500.25"},
    {.name = "trusted",
     .script = simple,
     .trusted = GOOD_SQL,
     .status = "complete",
     .says = "\"trusted\":{\"id\":"},
    {.name = "trusted, taken over",
     .script = simple,
     .trusted = GOOD_SQL,
     .phase = "executor",
     .attempt = 2,
     .status = "complete",
     .says = "\"trusted\":{\"id\":"},
    {.name = "trusted query fails",
     .script = simple,
     .trusted = BROKEN_SQL,
     .on_read = repair_reads,
     .status = "complete",
     .says = "\"revisionsUsed\":1"},
    {.name = "react, trusted",
     .agent = "react",
     .script = react_talks,
     .trusted = GOOD_SQL,
     .status = "complete",
     .says = "\"trusted\":{\"id\":"},
    {.name = "react, trusted, taken over",
     .agent = "react",
     .script = react_talks,
     .trusted = GOOD_SQL,
     .phase = "react",
     .attempt = 2,
     .status = "complete",
     .says = "\"trusted\":{\"id\":"},
    {.name = "react, trusted query fails",
     .agent = "react",
     .script = react,
     .trusted = BROKEN_SQL,
     .on_read = repair_reads,
     .status = "complete",
     .says = "120.50"},
    {.name = "react, examples",
     .agent = "react",
     .script = react_talks,
     .similar = true,
     .status = "complete",
     .says = "I looked nothing up"},
    {.name = "trusted query is stale",
     .script = simple,
     .trusted = INVENTED_SQL,
     .status = "complete",
     .says = "120.50"},
    {.name = "examples",
     .script = with_examples,
     .similar = true,
     .status = "complete",
     .says = "limit 77"},
    {.name = "corrected",
     .script = corrected,
     .status = "complete",
     .says = "120.50"},
    {.name = "invented",
     .script = invented,
     .status = "complete",
     .says = "There is no column invented"},
    {.name = "revision",
     .script = revision,
     .status = "complete",
     .says = "\"revisionsUsed\":2"},
    {.name = "never right",
     .script = never_right,
     .status = "complete",
     .says = "Maximum revision attempts reached."},
    {.name = "clarification",
     .script = clarification,
     .status = "clarification_needed",
     .says = "Which year?"},
    {.name = "clarified",
     .script = clarified,
     .clarified = true,
     .status = "complete",
     .says = "I looked nothing up"},
    {.name = "suggested",
     .script = clarified,
     .clarified = true,
     .capture = "ask",
     .status = "complete",
     .says = "I looked nothing up"},
    {.name = "cannot answer",
     .script = cannot,
     .status = "complete",
     .says = "\"missingDatasets\":[\"unicorns\"]"},
    {.name = "conversational",
     .script = conversational,
     .status = "complete",
     .says = "I looked nothing up"},
    {.name = "queued",
     .script = conversational,
     .queued = true,
     .status = "complete",
     .says = "I looked nothing up"},
    {.name = "watched",
     .script = conversational,
     .watched = true,
     .status = "complete",
     .says = "I looked nothing up"},
    {.name = "sandbox gone",
     .script = sandbox_gone,
     .status = "complete",
     .says = "Not verified."},
    {.name = "verifier gone",
     .script = verifier_gone,
     .status = "complete",
     .says = "\"status\":\"skipped\""},
    {.name = "explainer gone",
     .script = explainer_gone,
     .status = "complete",
     .says = "written without the language model"},
    {.name = "explainer silent",
     .script = explainer_silent,
     .status = "complete",
     .says = "its reply had no text"},
    {.name = "talk silent",
     .script = talk_silent,
     .status = "failed",
     .says = "MODEL_UNAVAILABLE"},
    {.name = "bad reply",
     .script = bad_reply,
     .status = "complete",
     .says = "\"llmCallCount\":6"},
    {.name = "never fits",
     .script = never_fits,
     .status = "failed",
     .says = "MODEL_UNAVAILABLE"},
    {.name = "embedding",
     .script = embedding,
     .embeds = true,
     .status = "complete",
     .says = "I looked nothing up"},
    {.name = "embedding by pgvector",
     .script = embedding,
     .embeds = true,
     .by_pgvector = true,
     .status = "complete",
     .says = "\"score\":0.75"},
    {.name = "embedding by neo4j",
     .script = embedding_neo4j,
     .embeds = true,
     .neo4j = true,
     .status = "complete",
     .says = "\"graphStore\":\"neo4j\""},
    {.name = "embedding, neo4j gone",
     .script = embedding_neo4j_gone,
     .embeds = true,
     .neo4j = true,
     .status = "complete",
     .says = "\"graphStore\":\"builtin\""},
    {.name = "embedding gone",
     .script = embedding_gone,
     .embeds = true,
     .status = "complete",
     .says = "I looked nothing up"},
    {.name = "groups alone",
     .script = groups_alone,
     .on_read = groups_read,
     .share = "aggregates",
     .status = "complete",
     .says = "Houston is among"},
    {.name = "no values",
     .script = no_values,
     .on_read = secret_reads,
     .share = "none",
     .status = "complete",
     .says = "what the results do not show"},
    {.name = "react",
     .agent = "react",
     .script = react,
     .status = "complete",
     .says = "iVBORw0KGgo=",
     .lasting = true},
    {.name = "react errs",
     .agent = "react",
     .script = react_errs,
     .on_read = repair_reads,
     .status = "complete",
     .says = "120.50"},
    {.name = "react on and on",
     .agent = "react",
     .script = react_on_and_on,
     .status = "failed",
     .says = "BUDGET"},
    {.name = "react talks",
     .agent = "react",
     .script = react_talks,
     .status = "complete",
     .says = "I looked nothing up"},
    {.name = "react is mute",
     .agent = "react",
     .script = react_is_mute,
     .status = "failed",
     .says = "MODEL_UNAVAILABLE"},
    {.name = "react, sandbox gone",
     .agent = "react",
     .script = react_sandbox_gone,
     .status = "complete",
     .says = "120.50"},
    {.name = "react, no values",
     .agent = "react",
     .script = react_no_values,
     .on_read = secret_reads,
     .share = "none",
     .status = "complete",
     .says = "120.50"},
    {.name = "react taken over",
     .agent = "react",
     .script = react_talks,
     .phase = "react",
     .attempt = 2,
     .status = "complete",
     .says = "\"name\":\"query_database\""},
    {.name = "react damaged",
     .agent = "react",
     .script = react_talks,
     .phase = "react",
     .attempt = 2,
     .damaged = "round_0",
     .status = "failed",
     .says = "INTERNAL"},
    {.name = "scientist",
     .agent = "scientist",
     .script = scientist,
     .status = "complete",
     .says = "\"output_type\":\"visualization\"",
     .lasting = true},
    {.name = "scientist, third attempt",
     .agent = "scientist",
     .script = scientist_thrice,
     .status = "complete",
     .says = "\"attempt\":2,\"code\":\"result = "
             "worse()\""},
    {.name = "scientist gives up",
     .agent = "scientist",
     .script = scientist_gives_up,
     .status = "complete",
     .says = "failed after 3 attempts"},
    {.name = "scientist, a concept",
     .agent = "scientist",
     .script = scientist_concept,
     .status = "complete",
     .says = "nothing was checked"},
    {.name = "scientist is mute",
     .agent = "scientist",
     .script = scientist_mute,
     .status = "complete",
     .says = "without the language model"},
    {.name = "scientist, sandbox gone",
     .agent = "scientist",
     .script = scientist_sandbox_gone,
     .status = "failed",
     .says = "sandbox is not available"},
    {.name = "scientist, no tables",
     .agent = "scientist",
     .script = scientist,
     .on_read = nothing_reads,
     .status = "failed",
     .says = "No table could be read"},
    {.name = "scientist, no values",
     .agent = "scientist",
     .script = scientist_thrice,
     .on_read = secret_reads,
     .share = "none",
     .status = "complete",
     .says = "120.5"},
    {.name = "scientist taken over",
     .agent = "scientist",
     .script = scientist_resumes,
     .phase = "code",
     .attempt = 2,
     .status = "complete",
     .says = "\"attempt\":2,\"code\":\"result = "
             "two()\""},
    {.name = "scientist taken over to explain",
     .agent = "scientist",
     .script = scientist_explains,
     .phase = "explain",
     .attempt = 2,
     .status = "complete",
     .says = "120.5"},
    {.name = "scientist damaged",
     .agent = "scientist",
     .script = scientist_resumes,
     .phase = "code",
     .attempt = 2,
     .damaged = "attempt_1",
     .status = "failed",
     .says = "INTERNAL"},
    {.name = "csv",
     .agent = "csv",
     .script = csv,
     .status = "complete",
     .says = "\"query_mode\":\"python\"",
     .lasting = true},
    {.name = "csv errs",
     .agent = "csv",
     .script = csv_errs,
     .on_read = repair_reads,
     .status = "complete",
     .says = "\"status\":\"succeeded\""},
    {.name = "csv on and on",
     .agent = "csv",
     .script = csv_on_and_on,
     .status = "complete",
     .says = "\"query_mode\":\"chat\""},
    {.name = "csv, no values",
     .agent = "csv",
     .script = csv,
     .on_read = secret_reads,
     .share = "none",
     .status = "complete",
     .says = "\"query_mode\":\"python\""},
    {.name = "explorer",
     .agent = "explorer",
     .script = explorer,
     .files = true,
     .status = "complete",
     .says = "exploration_complete"},
    {.name = "explorer errs",
     .agent = "explorer",
     .script = explorer_errs,
     .files = true,
     .share = "none",
     .status = "complete",
     .says = "exploration_complete"},
    {.name = "explorer over a database",
     .agent = "explorer",
     .script = explorer,
     .status = "failed",
     .says = "uploaded files"},
    {.name = "csv sql",
     .agent = "csv",
     .question = "Sql: " GOOD_SQL,
     .script = no_model,
     .status = "complete",
     .says = "\"query_mode\":\"sql\"",
     .lasting = true},
    {.name = "csv sql errs",
     .agent = "csv",
     .question = "SQL: delete from orders",
     .script = no_model,
     .status = "complete",
     .says = "\"status\":\"rejected\""},
    {.name = "csv plan",
     .agent = "csv",
     .question = "PLAN: {\"table\":\"orders\","
                 "\"select\":[{\"column\":"
                 "\"total\"}]}",
     .script = no_model,
     .status = "complete",
     .says = "\"query_mode\":\"plan\""},
    {.name = "csv python",
     .agent = "csv",
     .question = "python: print('draw', orders)",
     .script = csv_python,
     .status = "complete",
     .says = "\"rows\":[[1],[2]]"},
    {.name = "csv python fails",
     .agent = "csv",
     .question = "python: print('boom')",
     .script = csv_python_fails,
     .status = "complete",
     .says = "PYTHON_ERROR"},
    {.name = "csv python, sandbox gone",
     .agent = "csv",
     .question = "python: print('draw')",
     .script = csv_sandbox_gone,
     .status = "complete",
     .says = "\"status\":\"failed\""},
    {.name = "csv taken over",
     .agent = "csv",
     .script = (const struct fake_exchange[]){CSV_ANSWERS, {0}},
     .phase = "csv",
     .attempt = 2,
     .status = "complete",
     .says = "\"query_mode\":\"chat\""},
    {.name = "dry run",
     .agent = "dry_run",
     .script = no_model,
     .status = "complete",
     .says = "## SQL Builder: ",
     .lasting = true},
    {.name = "dry run, no values",
     .agent = "dry_run",
     .script = no_model,
     .on_read = secret_reads,
     .share = "none",
     .status = "complete",
     .says = "## SQL Builder: "},
    {.name = "no such agent",
     .agent = "wizard",
     .script = simple,
     .status = "failed",
     .says = "INTERNAL"},
    TAKEN("planner"),
    TAKEN("navigator"),
    TAKEN("sql_builder"),
    TAKEN("executor"),
    TAKEN("verifier"),
    TAKEN("explainer"),
    TAKEN("done"),
    {.name = "overdue",
     .script = simple,
     .phase = "executor",
     .attempt = 2,
     .age_ms = 700000,
     .status = "failed",
     .says = "TIMEOUT"},
    {.name = "worn out, record kept",
     .script = simple,
     .phase = "executor",
     .attempt = 4,
     .status = "failed",
     .says = "\"plan\":{"},
    {.name = "worn out",
     .script = simple,
     .phase = "executor",
     .attempt = 4,
     .status = "failed",
     .says = "ATTEMPTS_EXCEEDED"},
    {.name = "damaged record",
     .script = simple,
     .phase = "executor",
     .attempt = 2,
     .damaged = "plan",
     .status = "failed",
     .says = "INTERNAL"},
    {.name = "no such provider",
     .script = simple,
     .provider = "anthropic",
     .status = "failed",
     .says = "MODEL_UNAVAILABLE"},
    {.name = "ontology not ready",
     .script = simple,
     .ontology_status = "failed",
     .status = "failed",
     .says = "NO_DATASETS"},
    {.name = "broken model",
     .script = simple,
     .model = "{\"name\":3}",
     .status = "failed",
     .says = "INTERNAL"},
    {.name = "budget",
     .script = simple,
     .max_calls = 2,
     .status = "failed",
     .says = "BUDGET"},
    {0}};

/* ---- what a run leaves -------------------------------------------------- */

const struct artifact_record record[] = {
    {"plan", SIMPLE, "planner"},
    {"trusted",
     "{\"id\":\"33333333-3333-4333-8333-333333333333\","
     "\"by\":\"ann@example.org\",\"at\":\"2026-11-21T00:00:00.000Z\"}",
     "planner"},
    {"join_plan",
     "{\"relevantDatasets\":[{\"name\":\"orders\",\"description\":\"\","
     "\"source\":\"public.orders\",\"yaml\":\"\"},{\"name\":\"customers\","
     "\"description\":\"\",\"source\":\"public.customers\",\"yaml\":\"\"}],"
     "\"joinPaths\":[{\"datasets\":[\"orders\",\"customers\"],\"edges\":[{"
     "\"fromDataset\":\"orders\",\"toDataset\":\"customers\","
     "\"fromColumns\":[\"customer_id\"],\"toColumns\":[\"customer_id\"],"
     "\"relationshipName\":\"orders_customer\"}]}],\"notes\":\"\"}",
     "navigator"},
    {"queries", QUERIES(SPEC(1, GOOD_SQL)), "sql_builder"},
    {"results",
     "{\"results\":[{\"stepId\":1,\"description\":\"Revenue by city\","
     "\"strategy\":\"sql\",\"sqlResult\":{\"rowCount\":2,"
     "\"columns\":[\"city\",\"orders\",\"revenue\"],"
     "\"columnTypes\":[\"text\",\"int8\",\"numeric\"],"
     "\"data\":\"[{\\\"city\\\":\\\"Austin\\\",\\\"orders\\\":3,\\\"revenue\\\":120.50},"
     "{\\\"city\\\":\\\"Houston\\\",\\\"orders\\\":2,\\\"revenue\\\":null}]\",\"truncated\":false,"
     "\"valuesCut\":false,\"elapsedMs\":1,\"sql\":\"select 1\"},"
     "\"pythonResult\":null,\"error\":null}]}",
     "executor"},
    {"rows",
     "[\"[{\\\"city\\\":\\\"Austin\\\",\\\"orders\\\":3,\\\"revenue\\\":120.50},"
     "{\\\"city\\\":\\\"Houston\\\",\\\"orders\\\":2,\\\"revenue\\\":null}]\"]",
     "executor"},
    {"report",
     "{\"status\":\"passed\",\"passed\":true,\"checks\":[],\"diagnosis\":\"\","
     "\"recommendedTarget\":null}",
     "verifier"},
    {"output",
     "{\"narrative\":\"Austin made 120.50\",\"dataLineage\":null,"
     "\"caveats\":[],\"charts\":[]}",
     "explainer"},
    {"round_0",
     "{\"content\":\"\",\"raw\":\"\",\"calls\":[{\"id\":\"c1\","
     "\"name\":\"query_database\",\"arguments\":\"{}\","
     "\"result\":\"| city |\",\"failed\":false}],\"results\":[{\"stepId\":1,"
     "\"description\":\"Query\",\"strategy\":\"sql\",\"sqlResult\":{"
     "\"rowCount\":1,\"columns\":[\"city\"],\"columnTypes\":[\"text\"],"
     "\"data\":\"[{\\\"city\\\":\\\"Austin\\\"}]\",\"truncated\":false,"
     "\"valuesCut\":false,\"elapsedMs\":1,\"sql\":\"select c.city from "
     "public.customers c\"},\"pythonResult\":null,\"error\":null}],"
     "\"rows\":[\"[{\\\"city\\\":\\\"Austin\\\"}]\"]}",
     "react"},
    {"plan",
     "{\"needs_code\":true,\"needs_evaluation\":false,"
     "\"needs_explanation\":true,\"reasoning\":\"r\"}",
     "plan"},
    {"attempt_1",
     "{\"attempt\":1,\"code\":\"result = one()\",\"error\":\"NameError: x\"}",
     "plan"},
    {"attempt_2", "{\"attempt\":2,\"code\":\"result = two()\",\"error\":null}",
     "plan"},
    {"execution",
     "{\"attempt\":2,\"output_type\":\"analysis\",\"result_str\":\"120.5\","
     "\"figures\":[],\"notes\":[]}",
     "code"},
    {"results",
     "{\"results\":[{\"stepId\":1,\"description\":\"Python\","
     "\"strategy\":\"python\",\"sqlResult\":{\"rowCount\":1,"
     "\"columns\":[\"revenue\"],\"columnTypes\":[\"float8\"],"
     "\"data\":\"[{\\\"revenue\\\":120.5}]\",\"truncated\":false,"
     "\"valuesCut\":false,\"elapsedMs\":0,\"sql\":null},"
     "\"pythonResult\":{\"code\":\"result = two()\",\"stdout\":\"\","
     "\"stderr\":\"\",\"charts\":[]},\"error\":null}]}",
     "code"},
    {"calls_0",
     "[{\"toolCallId\":\"c1\",\"name\":\"query_database\",\"args\":{},"
     "\"result\":\"| city |\"}]",
     "react"},
    {0}};
