/* case.c - asks one question of a set and judges the answer. Golden queries are
 * judged by what is kept of their run (golden.h).
 *
 *   source -> chat -> asking -> what came back -> its results in full -> gold
 *   queries, one after the other, until one matches a result
 *
 * A result of up to a hundred rows is judged as it was sent. A longer one was
 * sent with its first rows only, so its query runs again. */
#include "base/utf8.h"
#include "db/read.h"
#include "eval.h"
#include "golden.h"
#include "store/capsules.h"
#include "store/chats.h"
#include "store/connections.h"
#include "tool/query_guard.h"
#include <stdio.h>
#include <stdlib.h>
#include "base/banned.h"

enum {
    MOST_STEPS = 20,
    MOST_ROWS = 100000,
    MOST_BYTES = 32 * 1024 * 1024,
    ANSWER_CHARACTERS = 600,
};

/* The result of one step of the answer. */
struct result {
    struct str sql;
    struct str *names;           /* of its columns */
    struct eval_rows wire, rows; /* rows: the complete result */
    int64_t row_count;
    bool truncated, complete;
};

struct case_judging {
    struct eval_case *c;
    struct source_open source;
    struct chat_create create;
    struct asking asking;
    struct capsule_read capsule;
    struct result results[MOST_STEPS];
    /* at: index of the result that is read, or of the gold query */
    size_t n_results, at;
    struct read *read;
    struct eval_rows gold;
};

static struct next case_source_opened(struct flow *f),
    case_chat_made(struct flow *f), answer_known(struct flow *f),
    results_begin(struct flow *f), result_read(struct flow *f),
    gold_begin(struct flow *f), gold_read(struct flow *f),
    golden_begin(struct flow *f), golden_known(struct flow *f),
    case_over(struct flow *f), case_failed(struct flow *f),
    judging_begin(struct flow *f);

struct next eval_case_begin(struct flow *f)
{
    struct case_judging *w = keep(f, struct case_judging); /* for asking */
    w->c = locals(f, struct eval_case);
    return attempt(f, judging_begin, w, case_over, case_failed);
}

static struct arena *case_memory(const struct case_judging *w)
{
    return &w->c->eval->cli.arena;
}

static struct next judging_begin(struct flow *f)
{
    struct case_judging *w = locals(f, struct case_judging);
    const struct eval *e = w->c->eval;
    w->source =
        (struct source_open){.store = e->cli.engine.store,
                             .connection_id = e->ontology.connection_id};
    return call(f, source_open_begin, &w->source, case_source_opened);
}

static struct next case_source_opened(struct flow *f)
{
    struct case_judging *w = locals(f, struct case_judging);
    const struct eval *e = w->c->eval;
    w->create =
        (struct chat_create){.store = e->cli.engine.store,
                             .user_id = e->user.id,
                             .ontology_id = e->ontology.id,
                             .all_ontologies = true,
                             .agent = e->set.agent,
                             .llm_provider = e->provider,
                             .name = utf8_first(w->c->question->id, 80)};
    return call(f, chat_create_begin, &w->create, case_chat_made);
}

static struct str what_is_asked(const struct eval_question *q)
{
    return q->golden ? q->golden->message : q->question;
}

static struct next case_chat_made(struct flow *f)
{
    struct case_judging *w = locals(f, struct case_judging);
    const struct eval *e = w->c->eval;
    if (!w->create.ontology_found || !w->create.ontology_ready)
        return fail_because(f, ERR_NOT_FOUND, "the ontology is not ready");
    w->asking = (struct asking){.engine = &e->cli.engine,
                                .user_id = e->user.id,
                                .chat_id = w->create.id,
                                .question = what_is_asked(w->c->question)};
    return call(f, asking_begin, &w->asking, answer_known);
}

/* ---- results ------------------------------------------------------------- */

static enum eval_action actual_action(const json_t *last)
{
    const json_t *metadata = json_object_get(last, "metadata");
    if (json_get_text(last, "error").len)
        return ACT_FAIL;
    if (str_is(json_get_text(last, "status"), "clarification_needed"))
        return ACT_CLARIFY;
    if (json_is_object(json_object_get(metadata, "cannotAnswer")))
        return ACT_REFUSE;
    return json_array_size(json_object_get(metadata, "stepResults"))
               ? ACT_ANSWER
               : ACT_TALK;
}

static struct eval_rows wire_rows(struct arena *arena, const json_t *result,
                                  const json_t *data)
{
    const json_t *columns = json_object_get(result, "columns");
    struct eval_rows rows = {.n_columns = json_array_size(columns),
                             .n_rows = json_array_size(data)};
    rows.cells =
        arena_new_array(arena, struct str, rows.n_rows * rows.n_columns + 1);
    for (size_t r = 0; r < rows.n_rows; r++)
        for (size_t c = 0; c < rows.n_columns; c++) {
            const json_t *v =
                json_object_get(json_array_get(data, r),
                                json_string_value(json_array_get(columns, c)));
            rows.cells[r * rows.n_columns + c] = json_cell_text(arena, v);
        }
    return rows;
}

static struct str *wire_names(struct arena *arena, const json_t *columns)
{
    size_t n = json_array_size(columns);
    struct str *names = arena_new_array(arena, struct str, n + 1);
    for (size_t i = 0; i < n; i++)
        names[i] = json_text(json_array_get(columns, i));
    return names;
}

static void take_step_result(struct flow *f, struct case_judging *w,
                             const json_t *result)
{
    struct result *r = &w->results[w->n_results++];
    json_t *data = json_read(json_get_text(result, "data"), NULL);
    defer_kept(f, json_drop, data);
    r->sql = json_get_text(result, "sql");
    r->row_count = json_get_int(result, "rowCount", 0);
    r->truncated = json_get_bool(result, "truncated", false) ||
                   json_get_bool(result, "valuesCut", false);
    r->wire = wire_rows(flow_here(f), result, data);
    r->names = wire_names(flow_here(f), json_object_get(result, "columns"));
    r->complete = !r->truncated && (int64_t)r->wire.n_rows == r->row_count;
    r->rows = r->wire;
}

static void take_step_results(struct flow *f, struct case_judging *w,
                              const json_t *metadata)
{
    const json_t *steps = json_object_get(metadata, "stepResults");
    struct buf sql;
    buf_init(&sql, case_memory(w));
    for (size_t i = 0; i < json_array_size(steps); i++) {
        const json_t *result =
            json_object_get(json_array_get(steps, i), "sqlResult");
        if (!json_is_object(result) || w->n_results == MOST_STEPS)
            continue;
        take_step_result(f, w, result);
        const struct result *r = &w->results[w->n_results - 1];
        buf_printf(&sql, "%s%.*s", sql.len ? ";\n\n" : "", STR_ARG(r->sql));
    }
    w->c->sql = buf_view(&sql);
}

static void take_figures(struct case_judging *w, const json_t *last)
{
    struct eval_case *c = w->c;
    const json_t *m = json_object_get(last, "metadata");
    const json_t *tokens = json_object_get(m, "tokensUsed");
    c->action = actual_action(last);
    c->message_id = arena_str(case_memory(w), w->asking.message_id);
    c->answer =
        arena_str(case_memory(w), utf8_first(json_get_text(last, "content"),
                                             ANSWER_CHARACTERS));
    c->revisions = json_get_int(m, "revisionsUsed", 0);
    c->prompt_tokens = json_get_int(tokens, "prompt", 0);
    c->cached_tokens = json_get_int(tokens, "cached", 0);
    c->completion_tokens = json_get_int(tokens, "completion", 0);
    c->estimated = json_get_bool(tokens, "estimated", false);
    c->duration_ms = json_get_int(m, "durationMs", 0);
    c->verified = str_is(
        json_get_text(json_object_get(m, "verificationReport"), "status"),
        "passed");
}

__attribute__((format(printf, 3, 4))) static struct next
judged(struct flow *f, bool right, const char *format, ...)
{
    struct case_judging *w = locals(f, struct case_judging);
    va_list args;
    va_start(args, format);
    w->c->why = arena_vprintf(case_memory(w), format, args);
    va_end(args);
    w->c->right = right;
    return back(f);
}

/* An answer that only talks and shows no data counts as a refusal. */
static bool acted_as_expected(const struct eval_case *c)
{
    enum eval_action wanted = c->question->expect;
    return c->action == wanted ||
           (wanted == ACT_REFUSE && c->action == ACT_TALK);
}

/* Keeps a result for the report. */
static void keep_result(struct case_judging *w, const struct result *r)
{
    w->c->found =
        eval_sample_take(case_memory(w), &r->wire, r->names,
                         (size_t)(r->row_count > 0 ? r->row_count : 0));
}

static struct next answer_known(struct flow *f)
{
    struct case_judging *w = locals(f, struct case_judging);
    const json_t *last = w->asking.last;
    struct eval_case *c = w->c;
    take_figures(w, last);
    take_step_results(f, w, json_object_get(last, "metadata"));
    if (w->n_results)
        keep_result(w, &w->results[w->n_results - 1]);
    if (c->question->golden)
        return go(f, golden_begin);
    if (c->action == ACT_FAIL)
        return judged(f, false, "failed: %.*s",
                      STR_ARG(json_get_text(last, "error")));
    if (!acted_as_expected(c))
        return judged(f, false, "%s expected, not %s",
                      eval_actions[c->question->expect],
                      eval_actions[c->action]);
    if (c->question->expect != ACT_ANSWER)
        return judged(f, true, "%s as expected", eval_actions[c->action]);
    if (!w->n_results)
        return judged(f, false, "no query returned a result");
    return go(f, results_begin);
}

/* ---- results in full ----------------------------------------------------- */

/* Runs a query that an answer was made from. The server's guard has passed it;
 * this guard adds what functions it calls. */
static struct next read_sql(struct flow *f, struct str sql, step_fn *then,
                            const char *then_name)
{
    struct case_judging *w = locals(f, struct case_judging);
    struct guard_policy policy = {.any_relation = true,
                                  .trino = source_dialect(w->source.opened) ==
                                           DIALECT_TRINO};
    struct guard_verdict verdict;
    query_guard(flow_here(f), &policy, source_dialect(w->source.opened), sql,
                &verdict);
    if (!verdict.ok)
        return judged(f, false, "a query was refused: %.*s",
                      STR_ARG(verdict.reason));
    const struct config *config = &w->c->eval->cli.config;
    w->read = here(f, struct read);
    w->read->options = (struct read_options){
        .source = w->source.opened,
        .sql = verdict.text,
        .calls = verdict.calls,
        .max_rows = MOST_ROWS,
        .max_bytes = MOST_BYTES,
        .timeout_ms = (unsigned)config->sql_query_timeout_ms};
    read_begin(f, w->read);
    op_tolerate(&w->read->op);
    return flow_await(f, then, then_name);
}

static struct eval_rows rows_read(struct flow *f, struct case_judging *w)
{
    struct read *r = w->read;
    read_rows(r, flow_here(f));
    return (struct eval_rows){.n_columns = (size_t)r->n_columns,
                              .n_rows = (size_t)r->n_rows,
                              .cells = r->cells};
}

static struct next results_begin(struct flow *f)
{
    struct case_judging *w = locals(f, struct case_judging);
    while (w->at < w->n_results && w->results[w->at].complete)
        w->at++;
    if (w->at < w->n_results)
        return read_sql(f, w->results[w->at].sql, result_read, "result_read");
    w->at = 0;
    return go(f, gold_begin);
}

static struct next result_read(struct flow *f)
{
    struct case_judging *w = locals(f, struct case_judging);
    struct result *r = &w->results[w->at];
    if (w->read->op.status == ERR_CANCELLED)
        return fail(f, ERR_CANCELLED);
    if (w->read->op.status == OK)
        r->rows = rows_read(f, w);
    r->complete = true;
    return go(f, results_begin);
}

/* ---- gold ---------------------------------------------------------------- */

static struct next gold_begin(struct flow *f)
{
    struct case_judging *w = locals(f, struct case_judging);
    const struct eval_case *c = w->c;
    if (w->at == c->question->n_sql)
        return judged(
            f, false,
            "different result: %zu rows and %zu columns; the gold query has "
            "%zu and %zu",
            c->found.all_rows, c->found.all_columns, c->wanted.all_rows,
            c->wanted.all_columns);
    return read_sql(f, w->c->question->sql[w->at], gold_read, "gold_read");
}

/* Checks the server itself: the result that was sent must be what the database
 * returns. */
static const char *machine_fault(struct flow *f, const struct case_judging *w,
                                 const struct result *r)
{
    const struct eval *e = w->c->eval;
    int64_t most = e->cli.config.sql_max_rows;
    int64_t wanted =
        (int64_t)w->gold.n_rows < most ? (int64_t)w->gold.n_rows : most;
    bool ordered = w->c->question->ordered;
    if (r->row_count != wanted)
        return "rows were lost";
    if (r->truncated != ((int64_t)w->gold.n_rows > most))
        return "the result is wrong about whether rows were cut";
    if (!eval_rows_same(flow_here(f), &w->gold, &r->wire, ordered) ||
        !eval_rows_same(flow_here(f), &w->gold, &r->rows, ordered))
        return "cells differ from the database's";
    return NULL;
}

/* Returns the result that is most like gold in its size; of several the last
 * one. */
static const struct result *nearest_result(const struct case_judging *w)
{
    const struct result *nearest = NULL;
    int most = -1;
    for (size_t i = 0; i < w->n_results; i++) {
        const struct result *r = &w->results[i];
        int likeness = 2 * (r->rows.n_columns >= w->gold.n_columns) +
                       (r->rows.n_rows == w->gold.n_rows);
        if (likeness >= most) {
            most = likeness;
            nearest = r;
        }
    }
    return nearest;
}

/* Keeps for the report the nearest result, that of the first gold query, and
 * how they differ. */
static void keep_difference(struct flow *f, struct case_judging *w)
{
    struct eval_case *c = w->c;
    const struct result *r = nearest_result(w);
    struct str *names =
        arena_new_array(flow_here(f), struct str, w->gold.n_columns + 1);
    for (size_t i = 0; i < w->gold.n_columns; i++)
        names[i] = w->read->columns[i].name;
    keep_result(w, r);
    c->wanted =
        eval_sample_take(case_memory(w), &w->gold, names, w->gold.n_rows);
    c->difference = arena_str(case_memory(w),
                              eval_difference(flow_here(f), &w->gold, &r->rows,
                                              c->question->ordered));
}

static struct next gold_read(struct flow *f)
{
    struct case_judging *w = locals(f, struct case_judging);
    const struct eval_question *q = w->c->question;
    const struct read *read = w->read;
    if (read->op.status == ERR_CANCELLED)
        return fail(f, ERR_CANCELLED);
    if (read->op.status != OK)
        return judged(f, false, "the gold query fails: %.*s",
                      STR_ARG(read->message.len
                                  ? read->message
                                  : str_of(err_sentence(read->op.status))));
    if (read->more_rows)
        return judged(
            f, false,
            "the gold query returns more than %d rows or %d MB: too much to "
            "compare",
            MOST_ROWS, MOST_BYTES / (1024 * 1024));
    w->gold = rows_read(f, w);
    if (w->c->eval->gold) {
        const char *fault = machine_fault(f, w, &w->results[w->n_results - 1]);
        if (fault)
            keep_difference(f, w);
        return judged(f, !fault, "%s", fault ? fault : "same as the database");
    }
    for (size_t i = w->n_results; i-- > 0;)
        if (eval_rows_alike(flow_here(f), &w->gold, &w->results[i].rows,
                            q->ordered))
            return judged(f, true, "%zu rows match gold query %zu",
                          w->gold.n_rows, w->at + 1);
    if (w->at == 0)
        keep_difference(f, w);
    w->at++;
    return go(f, gold_begin);
}

/* ---- golden queries ------------------------------------------------------ */

static struct next golden_begin(struct flow *f)
{
    struct case_judging *w = locals(f, struct case_judging);
    const struct eval *e = w->c->eval;
    w->capsule = (struct capsule_read){.store = e->cli.engine.store,
                                       .user_id = e->user.id,
                                       .run_id = w->asking.message_id};
    return call(f, capsule_read_begin, &w->capsule, golden_known);
}

/* For the report: what ran, and its first rows. */
static void keep_golden(struct flow *f, struct case_judging *w,
                        const struct golden_result *result)
{
    struct eval_case *c = w->c;
    struct eval_rows cells = golden_cells(flow_here(f), result);
    c->sql = arena_str(case_memory(w), capsule_ran(w->capsule.query));
    c->found = eval_sample_take(case_memory(w), &cells,
                                wire_names(flow_here(f), result->columns),
                                (size_t)result->row_count);
}

static struct next golden_known(struct flow *f)
{
    struct case_judging *w = locals(f, struct case_judging);
    const struct eval_question *q = w->c->question;
    const struct capsule_read *capsule = &w->capsule;
    if (!capsule->found)
        return judged(f, false, "nothing was kept of the run");
    json_t *kept = json_read(capsule_result(capsule->query), NULL);
    defer_kept(f, json_drop, kept);
    int64_t n = json_get_int(kept, "row_count", 0);
    const struct golden_result result = {.status = capsule->status,
                                         .error = capsule->error,
                                         .columns =
                                             json_object_get(kept, "columns"),
                                         .rows = json_object_get(kept, "rows"),
                                         .row_count = n > 0 ? n : 0};
    struct str why = golden_judge(flow_here(f), q->golden, &result, q->ordered);
    keep_golden(f, w, &result);
    return judged(f, !why.len, "%.*s",
                  STR_ARG(why.len ? why : STR("as the set has it")));
}

/* ---- the end ------------------------------------------------------------- */

static struct next case_over(struct flow *f)
{
    locals(f, struct eval_case)->over = true;
    return back(f);
}

static struct next case_failed(struct flow *f)
{
    struct eval_case *c = locals(f, struct eval_case);
    struct str why = failure_text(f);
    c->action = ACT_FAIL;
    c->why = arena_str(&c->eval->cli.arena,
                       why.len ? why : str_of(err_sentence(failure(f))));
    c->over = true;
    return back(f);
}
