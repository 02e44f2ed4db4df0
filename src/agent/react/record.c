/* record.c - what the ReAct agent keeps: results of its rounds, their checks, and
 * what a later process or a later question needs of them. */
#include "../checks.h"
#include "../kept_rows.h"
#include "agent/results.h"
#include "base/utf8.h"
#include "guard/guard.h"
#include "ontology/graph.h"
#include "react.h"
#include "base/banned.h"

enum { RESULTS_MOST = 60 }; /* of one run, in its message */

const char *react_round_name(int round)
{
    static const char *const names[TOOL_LOOP_ROUNDS] = {
        "round_0",  "round_1",  "round_2",  "round_3",  "round_4",
        "round_5",  "round_6",  "round_7",  "round_8",  "round_9",
        "round_10", "round_11", "round_12", "round_13", "round_14"};
    return names[round];
}

/* ---- results -------------------------------------------------------------- */

/* The caller fills it at once, and asks for no memory in between: that may run
 * out. */
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

static void take_python(struct run *r, const struct python_tool *p)
{
    struct python_result *result = run_python_result(r, p);
    struct step_result *s = add_result(r, STR("[]"));
    if (!s)
        return;
    *s = (struct step_result){.step_id = (int64_t)r->results->n_results,
                              .description = STR("Python"),
                              .strategy = STEP_PYTHON,
                              .python_result = result};
}

/* What the model of the data says against the query's text: the model can still
 * correct it. Its words quote no data. */
static void put_findings(struct run *r, struct loop_call *c, struct str sql)
{
    struct query_findings found;
    struct query_outline outline;
    struct arena_mark mark = arena_mark(&r->scratch);
    query_recall(&r->ontology->judged, &r->scratch, r->ontology->model, sql,
                 &found, &outline);
    struct str wrong = findings_to_mend(&r->scratch, &found);
    if (wrong.len)
        c->result = arena_printf(&r->arena,
                                 "%.*s\n\nA check of this query "
                                 "failed:\n%.*s",
                                 STR_ARG(c->result), STR_ARG(wrong));
    arena_reset(&r->scratch, mark);
}

void react_take_results(struct tool_loop *x, struct loop_round *round)
{
    struct run *r = x->run;
    size_t before = r->results ? r->results->n_results : 0;
    for (size_t i = 0; i < x->n_calls; i++) {
        const struct tool_run *t = &x->calls[i].tool;
        bool asked = str_is(x->calls[i].asked.name, "query_database");
        if (t->query && asked) {
            r->latest_results = before;
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

/* ---- checks --------------------------------------------------------------- */

/* The results that the answer rests on: those of the last round with a query. */
static struct step_results latest_results(const struct run *r)
{
    size_t n = r->results ? r->results->n_results : 0;
    if (!n)
        return (struct step_results){NULL, 0};
    return (struct step_results){r->results->results + r->latest_results,
                                 n - r->latest_results};
}

static int64_t rows_of(const struct step_results *results)
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
    struct buf why;
    buf_init(&why, &r->arena);
    report->checks =
        arena_new_array(&r->arena, struct verification_check, n + 1);
    for (size_t i = 0; i < n; i++) {
        struct verification_check c = checks[i];
        c.message = arena_str(&r->arena, c.message);
        report->checks[report->n_checks++] = c;
        if (!c.passed && c.severity == CHECK_FAIL)
            buf_printf(&why, "%s%.*s: %.*s", why.len ? "; " : "",
                       STR_ARG(c.name), STR_ARG(c.message));
    }
    checks_decide(report, r->results, n > 0);
    report->diagnosis = n ? buf_view(&why) : STR("There was nothing to check.");
    r->report = report;
}

void react_check(struct run *r)
{
    struct verification_check checks[CHECKS_BY_CODE];
    const struct step_results latest = latest_results(r);
    if (rows_of(&latest) == ROW_COUNT_NULL)
        return;
    struct arena_mark mark = arena_mark(&r->scratch);
    size_t n = checks_by_code(
        &r->scratch,
        &(struct checks_of){.ontology = r->ontology->model,
                            .judged = &r->ontology->judged,
                            .results = &latest,
                            .full_data = r->full_data + r->latest_results},
        checks);
    put_report(r, checks, n);
    arena_reset(&r->scratch, mark);
}

/* ---- takeover ------------------------------------------------------------- */

static bool take_round(struct flow *f, struct run *r,
                       const struct run_artifacts *stored, struct str body)
{
    struct artifact_problem problem;
    struct loop_round *round = &r->rounds->items[r->rounds->n];
    json_t *v = json_read(body, NULL);
    if (v)
        defer(f, json_drop, v);
    if (!v ||
        !artifact_read_back(&r->arena, &loop_round_type, v, round, &problem) ||
        round->n_rows != round->n_results)
        return false;
    size_t before = r->results ? r->results->n_results : 0;
    r->rounds->n++;
    for (size_t i = 0; i < round->n_results; i++) {
        struct str rows;
        if (!kept_rows_take(&r->arena, stored, before + i, round->rows[i],
                            &rows))
            return false;
        struct step_result *s = add_result(r, rows);
        if (s)
            *s = round->results[i];
        if (s && s->sql_result)
            r->latest_results = before;
    }
    return true;
}

bool react_resume(struct flow *f, struct run *r,
                  const struct run_artifacts *stored)
{
    r->phase = r->output ? PHASE_DONE : PHASE_REACT;
    r->rounds = arena_new(&r->arena, struct loop_rounds);
    r->rounds->items =
        arena_new_array(&r->arena, struct loop_round, TOOL_LOOP_ROUNDS);
    for (int n = 0; n < TOOL_LOOP_ROUNDS; n++) {
        const struct run_artifact *found = NULL;
        for (size_t i = 0; i < stored->n; i++)
            if (str_is(stored->items[i].kind, react_round_name(n)))
                found = &stored->items[i];
        if (!found)
            break;
        if (!take_round(f, r, stored, found->body))
            return false;
    }
    react_check(r);
    return true;
}

/* ---- lineage -------------------------------------------------------------- */

/* Datasets and relationships that the queries used, each once. */
struct used {
    size_t *datasets, n_datasets;
    size_t *joins, n_joins;
};

static void add_once(size_t *items, size_t *n, size_t item)
{
    for (size_t i = 0; i < *n; i++)
        if (items[i] == item)
            return;
    items[(*n)++] = item;
}

static void use_query(struct run *r, struct arena *a, struct str sql,
                      struct used *u)
{
    const struct ontology *o = r->ontology->model;
    struct guard_verdict verdict;
    struct query_findings found;
    struct query_outline outline;
    guard_check(a, sql, &(struct guard_policy){.any_relation = true}, &verdict);
    for (size_t i = 0; verdict.ok && i < verdict.n_relations; i++) {
        const struct dataset *d = ontology_dataset(o, verdict.relations[i]);
        if (d)
            add_once(u->datasets, &u->n_datasets, dataset_index(o, d));
    }
    query_recall(&r->ontology->judged, a, o, sql, &found, &outline);
    for (size_t i = 0; i < outline.n_joins; i++)
        add_once(u->joins, &u->n_joins, outline.joins[i]);
}

static struct used used_of(struct run *r)
{
    const struct ontology *o = r->ontology->model;
    struct used u = {
        .datasets = arena_new_array(&r->arena, size_t, o->n_datasets + 1),
        .joins = arena_new_array(&r->arena, size_t, o->n_relationships + 1)};
    struct arena_mark mark = arena_mark(&r->scratch);
    for (size_t i = 0; r->results && i < r->results->n_results; i++) {
        const struct sql_result *s = r->results->results[i].sql_result;
        if (s)
            use_query(r, &r->scratch, s->sql, &u);
    }
    arena_reset(&r->scratch, mark);
    return u;
}

size_t react_datasets(struct run *r, struct str **names)
{
    if (!r->ontology) {
        *names = NULL;
        return 0;
    }
    struct used u = used_of(r);
    *names = arena_new_array(&r->arena, struct str, u.n_datasets + 1);
    for (size_t i = 0; i < u.n_datasets; i++)
        (*names)[i] = r->ontology->model->datasets[u.datasets[i]].name;
    return u.n_datasets;
}

static struct lineage_join join_of(struct arena *a, const struct ontology *o,
                                   const struct relationship *rel)
{
    struct str from = o->datasets[rel->from].name,
               to = o->datasets[rel->to].name;
    struct buf on;
    buf_init(&on, a);
    for (size_t i = 0; i < rel->from_columns.n && i < rel->to_columns.n; i++)
        buf_printf(&on, "%s%.*s.%.*s = %.*s.%.*s", i ? " AND " : "",
                   STR_ARG(from), STR_ARG(rel->from_columns.items[i]),
                   STR_ARG(to), STR_ARG(rel->to_columns.items[i]));
    return (struct lineage_join){from, to, buf_finish(&on)};
}

struct data_lineage *react_lineage(struct run *r)
{
    const struct ontology *o = r->ontology->model;
    struct data_lineage *l = arena_new(&r->arena, struct data_lineage);
    struct used u = used_of(r);
    const struct step_results latest = latest_results(r);
    l->grain = STR("");
    l->row_count = rows_of(&latest);
    l->datasets = arena_new_array(&r->arena, struct str, u.n_datasets + 1);
    for (size_t i = 0; i < u.n_datasets; i++)
        l->datasets[l->n_datasets++] = o->datasets[u.datasets[i]].name;
    l->joins = arena_new_array(&r->arena, struct lineage_join, u.n_joins + 1);
    for (size_t i = 0; i < u.n_joins; i++)
        l->joins[l->n_joins++] =
            join_of(&r->arena, o, &o->relationships[u.joins[i]]);
    for (size_t i = 0; r->results && i < r->results->n_results; i++) {
        const struct sql_result *s = r->results->results[i].sql_result;
        l->truncated = l->truncated || (s && s->truncated);
    }
    return l;
}

/* ---- for later questions -------------------------------------------------- */

static void put_cut(struct buf *out, struct str text)
{
    buf_str(out, utf8_first(text, DIGEST_CHARACTERS));
}

/* Seed 001: each call with its name, arguments and result, 200 characters of
 * each. The results tell rows: they stand after the border. */
struct str react_digest(struct run *r)
{
    struct buf out;
    buf_init(&out, &r->arena);
    for (size_t i = 0;
         r->results && i < r->results->n_results && out.len < DIGEST_BYTES;
         i++) {
        const struct step_result *s = &r->results->results[i];
        buf_text(&out, out.len ? ". " : "");
        buf_text(&out, s->sql_result ? "query_database: " : "run_python: ");
        put_cut(&out,
                s->sql_result ? s->sql_result->sql : s->python_result->code);
    }
    buf_char(&out, DIGEST_BORDER);
    if (out.len < DIGEST_BYTES)
        buf_str(&out, utf8_cut(buf_view(&r->notes), DIGEST_BYTES - out.len));
    return buf_view(&out);
}
