/* record.c - the results of the ReAct agent's rounds: their checks, their
 * records for a takeover, and what later questions may know of them. */
#include "../checks.h"
#include "../cut_totals.h"
#include "../kept_rows.h"
#include "agent/results.h"
#include "base/utf8.h"
#include "react.h"
#include "tool/csv_tools.h"
#include "tool/disclosure.h"
#include "base/banned.h"

enum {
    RESULTS_MOST = 60, /* of one run, in its message */
    PYTHON_ROWS_BYTES = 16 * 1024,
};

void react_record_round(struct run *r, int n, const struct loop_round *round)
{
    run_record_artifact(r, record_name("round", (size_t)n).text,
                        &loop_round_type, round, false);
}

/* ---- results ------------------------------------------------------------ */

/* The caller must fill the result without allocating: the step may end there
 * when memory runs out. NULL: there are RESULTS_MOST. */
static struct step_result *add_result(struct run *r, struct str rows)
{
    struct arena *a = &r->arena;
    if (!r->results) {
        struct step_results *all = arena_new(a, struct step_results);
        all->results = arena_new_array(a, struct step_result, RESULTS_MOST);
        r->full_data = arena_new_array(a, struct str, RESULTS_MOST);
        r->results = all;
    }
    size_t at = r->results->n_results;
    if (at == RESULTS_MOST)
        return NULL;
    r->full_data[at] = rows;
    r->results->n_results++;
    return &r->results->results[at];
}

static void take_query(struct run *r, const struct query_tool *q)
{
    struct sql_result *result =
        run_sql_result(r, q, arena_str(&r->arena, q->sql));
    struct step_result *s = add_result(r, q->json);
    if (!s)
        return;
    *s = (struct step_result){.step_id = (int64_t)r->results->n_results,
                              .description = STR("Query"),
                              .strategy = STEP_SQL,
                              .sql_result = result};
}

/* Its rows, if it returned any, are an object with columns and rows. */
static void take_python(struct run *r, const struct python_tool *p)
{
    struct python_result *result = run_python_result(r, p);
    struct str rows = csv_python_rows(&r->rows, p);
    if (rows.len) /* the answer may state what is in them */
        result->out =
            arena_printf(&r->arena, "%.*s\n%.*s", STR_ARG(result->out),
                         STR_ARG(utf8_cut(rows, PYTHON_ROWS_BYTES)));
    struct step_result *s = add_result(r, rows.len ? rows : STR("[]"));
    if (!s)
        return;
    *s = (struct step_result){.step_id = (int64_t)r->results->n_results,
                              .description = STR("Python"),
                              .strategy = STEP_PYTHON,
                              .python_result = result};
}

bool react_runs_query(const struct run *r, struct str name)
{
    return str_is_one_of(name, react_variant(r)->queries);
}

struct str react_result_with(struct run *r, struct str result, const char *key,
                             struct str text)
{
    struct buf out;
    if (!str_starts(result, STR("{")) || !str_ends(result, STR("}")))
        return arena_printf(&r->arena, "%.*s\n\n%.*s", STR_ARG(result),
                            STR_ARG(text));
    buf_init(&out, &r->arena);
    buf_printf(
        &out, "%.*s,\"%s\":", STR_ARG(str_cut(result, 0, result.len - 1)), key);
    json_quote(&out, text);
    buf_char(&out, '}');
    return buf_finish(&out);
}

/* Adds what the ontology says against the query to the tool's result, so that
 * the model can correct it. Findings quote no data. */
static void put_findings(struct run *r, struct loop_call *c, struct str sql)
{
    struct query_findings found;
    struct query_outline outline;
    struct arena_mark mark = arena_mark(&r->scratch);
    analysis_cache_get(&r->ontology->judged, &r->scratch, r->ontology->model,
                       sql, &found, &outline);
    findings_for_question(&r->scratch, &found, r->load.question);
    struct str wrong = findings_to_repair(&r->scratch, &found);
    if (wrong.len)
        c->result = react_result_with(
            r, c->result, "check",
            arena_printf(&r->scratch, "A check of this query failed:\n%.*s",
                         STR_ARG(wrong)));
    arena_reset(&r->scratch, mark);
}

void react_take_results(struct tool_loop *x, struct loop_round *round)
{
    struct run *r = x->run;
    size_t before = r->results ? r->results->n_results : 0;
    for (size_t i = 0; i < x->n_calls; i++) {
        const struct tool_run *t = &x->calls[i].tool;
        bool asked = react_runs_query(r, x->calls[i].asked.name);
        if (t->query && asked) {
            react_of(r)->latest_results = before;
            take_query(r, t->query);
            put_findings(r, &round->calls[i], t->query->sql);
        }
        if (t->python)
            take_python(r, t->python);
    }
    if (!r->results)
        return;
    round->results = r->results->results + before;
    round->n_results = r->results->n_results - before;
    round->n_rows = round->n_results;
    round->rows = arena_new_array(&r->arena, struct str, round->n_rows + 1);
    for (size_t i = 0; i < round->n_rows; i++)
        round->rows[i] = kept_rows_mark(&r->arena, r->full_data[before + i]);
}

/* The results of a round are in the order of its calls. */
void react_tell_totals(struct tool_loop *x, struct loop_round *round)
{
    struct run *r = x->run;
    for (size_t i = 0, at = 0; i < x->n_calls && at < round->n_results; i++) {
        const struct tool_run *t = &x->calls[i].tool;
        bool queried =
            t->query && str_is(x->calls[i].asked.name, "query_database");
        const struct sql_result *s = round->results[at].sql_result;
        if (queried && s && s->n_totals &&
            disclose_rows(r->tools.share_rows, s))
            round->calls[i].result = arena_printf(
                &r->arena, "%.*s\n\n%.*s", STR_ARG(round->calls[i].result),
                STR_ARG(cut_totals_text(&r->scratch, s)));
        at += queried || t->python;
    }
}

/* ---- checks ------------------------------------------------------------- */

struct step_results react_latest_results(const struct run *r)
{
    size_t n = r->results ? r->results->n_results : 0;
    size_t first = react_of(r)->latest_results;
    if (!n || !r->results->results)
        return (struct step_results){NULL, 0};
    return (struct step_results){r->results->results + first, n - first};
}

int64_t react_row_count(const struct step_results *results)
{
    int64_t rows = ROW_COUNT_NULL;
    for (size_t i = 0; i < results->n_results; i++) {
        const struct sql_result *s = results->results[i].sql_result;
        if (s)
            rows = s->row_count + (rows == ROW_COUNT_NULL ? 0 : rows);
    }
    return rows;
}

static void put_report(struct run *r, const struct verification_check *checks,
                       size_t n)
{
    struct verification_report *report =
        arena_new(&r->arena, struct verification_report);
    report->checks =
        arena_new_array(&r->arena, struct verification_check, n + 1);
    for (size_t i = 0; i < n; i++) {
        report->checks[i] = checks[i];
        report->checks[i].message = arena_str(&r->arena, checks[i].message);
    }
    report->n_checks = n;
    report->diagnosis = n ? checks_failures(&r->arena, report)
                          : STR("There was nothing to check.");
    checks_decide(report, r->results, n > 0);
    r->report = report;
}

void react_check(struct run *r)
{
    struct verification_check checks[CHECKS_BY_CODE];
    const struct step_results latest = react_latest_results(r);
    if (react_row_count(&latest) == ROW_COUNT_NULL)
        return;
    struct arena_mark mark = arena_mark(&r->scratch);
    size_t n = checks_by_code(
        &r->scratch,
        &(struct checks_of){.ontology = r->ontology->model,
                            .judged = &r->ontology->judged,
                            .question = r->load.question,
                            .results = &latest,
                            .full_data =
                                r->full_data + react_of(r)->latest_results},
        checks);
    put_report(r, checks, n);
    arena_reset(&r->scratch, mark);
}

/* ---- takeover ----------------------------------------------------------- */

static bool take_round(struct flow *f, struct run *r,
                       const struct run_artifacts *stored, struct str body)
{
    struct artifact_problem problem;
    struct react_state *s = react_of(r);
    struct loop_round *round = &s->rounds[s->n_rounds];
    json_t *v = json_read(body, NULL);
    if (v)
        defer(f, json_drop, v);
    if (!v ||
        !artifact_read_back(&r->arena, &loop_round_type, v, round, &problem) ||
        round->n_rows != round->n_results)
        return false;
    size_t before = r->results ? r->results->n_results : 0;
    s->n_rounds++;
    for (size_t i = 0; i < round->n_results; i++) {
        struct str rows;
        if (!kept_rows_take(&r->arena, stored, before + i, round->rows[i],
                            &rows))
            return false;
        struct step_result *s = add_result(r, rows);
        if (s)
            *s = round->results[i];
        if (s && s->sql_result)
            react_of(r)->latest_results = before;
    }
    if (react_variant(r)->round_kept)
        react_variant(r)->round_kept(r, round, before);
    return true;
}

bool react_resume(struct flow *f, struct run *r,
                  const struct run_artifacts *stored)
{
    r->phase = r->output ? PHASE_DONE : react_variant(r)->phase;
    if (react_of(r)->trusted && !react_of(r)->trusted->id.len)
        react_of(r)->trusted = NULL; /* its query failed */
    for (int n = 0; n < TOOL_LOOP_ROUNDS; n++) {
        const struct run_artifact *found = NULL;
        for (size_t i = 0; i < stored->n; i++)
            if (str_is(stored->items[i].kind,
                       record_name("round", (size_t)n).text))
                found = &stored->items[i];
        if (!found)
            break;
        if (!take_round(f, r, stored, found->body))
            return false;
    }
    react_check(r);
    return true;
}

/* ---- for later questions ------------------------------------------------ */

static void put_cut(struct buf *out, struct str text)
{
    buf_str(out, utf8_first(text, DIGEST_CHARACTERS));
}

/* The name, the arguments and the result of each call, 200 characters of each.
 * Results quote rows, so they come after the border. */
struct str react_digest(struct run *r)
{
    struct buf out;
    buf_init(&out, &r->arena);
    for (size_t i = 0;
         r->results && i < r->results->n_results && out.len < DIGEST_BYTES;
         i++) {
        const struct step_result *s = &r->results->results[i];
        buf_text(&out, out.len ? ". " : "");
        buf_printf(&out, "%s: ",
                   s->sql_result ? react_variant(r)->queries[0]
                                 : react_variant(r)->python);
        put_cut(&out,
                s->sql_result ? s->sql_result->sql : s->python_result->code);
    }
    buf_char(&out, DIGEST_BORDER);
    if (out.len < DIGEST_BYTES)
        buf_str(&out,
                utf8_cut(buf_view(&r->calls.notes), DIGEST_BYTES - out.len));
    return buf_view(&out);
}
