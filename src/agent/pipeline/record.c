/* record.c - what the pipeline records besides its artifacts, where it resumes
 * after a takeover, and what later questions may know of it. */
#include "../kept_rows.h"
#include "base/utf8.h"
#include "pipeline.h"
#include "trusted.h"
#include "base/banned.h"

/* ---- rows --------------------------------------------------------------- */

void pipeline_record_rows(struct run *r)
{
    size_t n = r->results->n_results;
    struct str *marks = arena_new_array(&r->scratch, struct str, n + 1);
    struct buf out;
    struct json_writer w;
    for (size_t i = 0; i < n; i++)
        marks[i] = kept_rows_mark(&r->scratch, r->full_data[i]);
    buf_init(&out, NULL); /* no jump while it is held */
    json_writer_init(&w, &out);
    json_put_strs(&w, marks, n);
    journal_artifact(r->log, "rows", buf_view(&out));
    buf_done(&out);
}

/* Without all rows the executor, which made them, runs again. */
static bool restore_rows(struct flow *f, struct run *r,
                         const struct run_artifacts *stored, struct str body)
{
    json_t *v = json_read(body, NULL);
    if (!v)
        return false;
    defer(f, json_drop, v);
    size_t n = json_array_size(v);
    struct str *rows = arena_new_array(&r->arena, struct str, n + 1);
    for (size_t i = 0; i < n; i++)
        if (!kept_rows_take(&r->arena, stored, i,
                            json_text(json_array_get(v, i)), &rows[i]))
            return true;
    r->full_data = rows;
    return true;
}

bool pipeline_restore(struct flow *f, struct run *r,
                      const struct run_artifacts *stored,
                      const struct run_artifact *record)
{
    return !str_is(record->kind, "rows") ||
           restore_rows(f, r, stored, record->body);
}

/* ---- resume ------------------------------------------------------------- */

/* A phase needs what the ones before it left; without it the run starts at the
 * first phase whose artifact is missing. An answer that reads no data needs
 * none of them but the plan. */
static enum phase first_possible(const struct run *r, enum phase wanted)
{
    const struct pipeline *p = pipeline_of(r);
    if (!p->plan)
        return PHASE_PLANNER;
    if (wanted == PHASE_DONE && (r->output || p->plan->should_clarify))
        return PHASE_DONE;
    if (wanted == PHASE_DONE)
        wanted = PHASE_EXPLAINER;
    if (p->plan->complexity == PLAN_CONVERSATIONAL || p->cannot_answer)
        return wanted;
    if (wanted > PHASE_NAVIGATOR && !p->join_plan)
        return PHASE_NAVIGATOR;
    if (wanted > PHASE_SQL_BUILDER && !p->queries)
        return PHASE_SQL_BUILDER;
    if (wanted > PHASE_EXECUTOR && !(r->results && r->full_data))
        return PHASE_EXECUTOR;
    return wanted;
}

bool pipeline_resume(struct flow *f, struct run *r,
                     const struct run_artifacts *stored)
{
    (void)f;
    (void)stored;
    enum phase phase = phase_of(r->load.phase);
    if (phase > PHASE_DONE)
        return false;
    trusted_restored(r);
    r->phase = first_possible(r, phase);
    r->revision = r->load.revision;
    if (r->revision && r->report && r->phase < PHASE_VERIFIER)
        pipeline_of(r)->diagnosis = r->report->diagnosis;
    return true;
}

size_t pipeline_datasets(struct run *r, struct str **names)
{
    const struct join_plan *j = pipeline_of(r)->join_plan;
    size_t n = j ? j->n_relevant_datasets : 0;
    *names = arena_new_array(&r->arena, struct str, n + 1);
    for (size_t i = 0; i < n; i++)
        (*names)[i] = j->relevant_datasets[i].name;
    return n;
}

/* ---- digest ------------------------------------------------------------- */

static void put_note(struct buf *out, const char *what, struct str text)
{
    if (text.len && out->len < DIGEST_BYTES)
        buf_printf(out, ". %s: %.*s", what,
                   STR_ARG(utf8_first(text, DIGEST_CHARACTERS)));
}

static void put_lineage(struct buf *out, const struct data_lineage *l)
{
    put_note(out, "Period", l->time_window);
    for (size_t i = 0; i < l->n_filters; i++)
        put_note(out, "Filter", l->filters[i]);
    for (size_t i = 0; i < l->n_joins; i++)
        put_note(out, "Joined", l->joins[i].on);
    if (l->row_count != ROW_COUNT_NULL)
        buf_printf(out, ". Rows: %lld%s", (long long)l->row_count,
                   l->truncated ? " and more" : "");
}

struct str pipeline_digest(struct run *r)
{
    const struct pipeline *p = pipeline_of(r);
    struct buf out;
    buf_init(&out, &r->arena);
    if (!p->plan)
        return STR("");
    buf_printf(&out, "Plan: %.*s", STR_ARG(p->plan->intent));
    if (p->join_plan && p->join_plan->n_relevant_datasets) {
        buf_text(&out, ". Datasets:");
        for (size_t i = 0; i < p->join_plan->n_relevant_datasets; i++)
            buf_printf(&out, " %.*s",
                       STR_ARG(p->join_plan->relevant_datasets[i].name));
    }
    for (size_t i = 0; p->queries && i < p->queries->n_queries; i++)
        buf_printf(&out, ". SQL: %.*s",
                   STR_ARG(utf8_cut(p->queries->queries[i].full_sql, 600)));
    if (r->output && r->output->data_lineage)
        put_lineage(&out, r->output->data_lineage);
    buf_char(&out, DIGEST_BORDER);
    if (out.len < DIGEST_BYTES)
        buf_str(&out,
                utf8_cut(buf_view(&r->calls.notes), DIGEST_BYTES - out.len));
    return buf_view(&out);
}
