/* record.c - what the scientist records besides its artifacts, where it resumes
 * after a takeover, and what its answer says of itself. */
#include "../checks.h"
#include "../context.h"
#include "agent/answer.h"
#include "agent/results.h"
#include "base/utf8.h"
#include "scientist.h"
#include "base/banned.h"

/* ---- records ------------------------------------------------------------ */

void scientist_record_attempt(struct run *r, bool emit)
{
    const struct scientist *s = scientist_of(r);
    run_record_artifact(r, record_name("attempt", (size_t)s->n_attempts).text,
                        &code_attempt_type, &s->attempts[s->n_attempts - 1],
                        emit);
}

void scientist_keep_rows(struct run *r)
{
    const struct step_results *all = r->results;
    size_t n = all ? all->n_results : 0;
    r->full_data = arena_new_array(&r->arena, struct str, n + 1);
    for (size_t i = 0; i < n; i++)
        r->full_data[i] = all->results[i].sql_result
                              ? all->results[i].sql_result->data
                              : STR("[]");
}

bool scientist_restore(struct flow *f, struct run *r,
                       const struct run_artifacts *stored,
                       const struct run_artifact *record)
{
    struct scientist *s = scientist_of(r);
    struct artifact_problem problem;
    (void)stored;
    for (int i = 0; i < SCIENTIST_ATTEMPTS; i++) {
        if (!str_is(record->kind, record_name("attempt", (size_t)i + 1).text))
            continue;
        json_t *v = json_read(record->body, NULL);
        if (!v)
            return false;
        defer(f, json_drop, v);
        s->n_attempts = s->n_attempts > i + 1 ? s->n_attempts : i + 1;
        return artifact_read_back(&r->arena, &code_attempt_type, v,
                                  &s->attempts[i], &problem);
    }
    return true;
}

/* An attempt that ran when its process ended counts: it is not run again. */
bool scientist_resume(struct flow *f, struct run *r,
                      const struct run_artifacts *stored)
{
    struct scientist *s = scientist_of(r);
    (void)f;
    (void)stored;
    if (!r->results)
        s->execution = NULL;
    if (r->results &&
        (r->results->n_results != 1 || !r->results->results[0].python_result))
        return false;
    scientist_keep_rows(r);
    struct code_attempt *last =
        s->n_attempts ? &s->attempts[s->n_attempts - 1] : NULL;
    if (last && !s->execution && !last->error.len)
        last->error = STR("It was interrupted: the server that ran it ended.");
    r->phase = scientist_first_possible(r);
    return true;
}

/* ---- what was checked --------------------------------------------------- */

void scientist_report(struct run *r)
{
    struct arena *a = &r->arena;
    const struct code_execution *e = scientist_of(r)->execution;
    struct verification_report *report =
        arena_new(a, struct verification_report);
    report->checks = arena_new_array(a, struct verification_check, 1);
    if (e)
        report->checks[report->n_checks++] = (struct verification_check){
            .name = STR("code_ran"),
            .passed = true,
            .severity = CHECK_FAIL,
            .message = arena_printf(a,
                                    "The code ran without an error, at "
                                    "attempt %lld.",
                                    (long long)e->attempt)};
    checks_decide(report, r->results, false);
    report->diagnosis =
        e ? STR("Whether the code computes what was asked was not checked; "
                "the text was held against its result.")
          : STR("This is general knowledge of the language model: nothing was "
                "computed from the data, and nothing was checked.");
    r->report = report;
    run_record_artifact(r, "report", &verification_report_type, report, false);
}

void scientist_add_caveats(struct run *r)
{
    const struct code_execution *e = scientist_of(r)->execution;
    for (size_t i = 0; e && i < e->n_notes && i < CAVEATS_OF_KIND; i++)
        run_add_caveat(r, e->notes[i]);
}

/* ---- lineage ------------------------------------------------------------ */

/* Those that were described to the model, and given to its code. */
size_t scientist_datasets(struct run *r, struct str **names)
{
    size_t *found, n = 0;
    if (r->ontology && scientist_of(r)->n_attempts)
        n = context_found(&r->arena, r, &found);
    n = n < SCIENTIST_TABLES ? n : SCIENTIST_TABLES;
    *names = arena_new_array(&r->arena, struct str, n + 1);
    for (size_t i = 0; i < n; i++)
        (*names)[i] = r->ontology->model->datasets[found[i]].name;
    return n;
}

struct data_lineage *scientist_lineage(struct run *r)
{
    struct data_lineage *l = arena_new(&r->arena, struct data_lineage);
    const struct sql_result *s = r->results->results[0].sql_result;
    l->grain = STR("");
    l->row_count = s ? s->row_count : ROW_COUNT_NULL;
    l->truncated = s && s->truncated;
    l->n_datasets = scientist_datasets(r, &l->datasets);
    return l;
}

/* ---- for later questions ------------------------------------------------ */

struct str scientist_digest(struct run *r)
{
    const struct scientist *s = scientist_of(r);
    struct buf out;
    buf_init(&out, &r->arena);
    if (s->plan && s->plan->reasoning.len)
        buf_printf(&out, "Plan: %.*s. ",
                   STR_ARG(utf8_first(s->plan->reasoning, DIGEST_CHARACTERS)));
    if (s->execution)
        buf_printf(&out, "Code: %.*s",
                   STR_ARG(utf8_cut(s->attempts[s->n_attempts - 1].code,
                                    DIGEST_BYTES / 2)));
    buf_char(&out, DIGEST_BORDER);
    if (s->execution)
        buf_printf(&out, ". Result: %.*s",
                   STR_ARG(utf8_first(s->execution->result_str,
                                      3 * DIGEST_CHARACTERS)));
    return buf_view(&out);
}

/* ---- metadata ----------------------------------------------------------- */

static void put_text(struct json_writer *w, const char *key, struct str text)
{
    if (text.ptr)
        json_field_str(w, key, text);
    else
        json_field_null(w, key);
}

/* Plotly figures, and charts by their numbers among those of the answer. */
static void put_figures(struct json_writer *w, const struct run *r,
                        const struct code_execution *e)
{
    size_t charts = e ? run_count_charts(r) : 0;
    json_field_array(w, "figures");
    for (size_t i = 0; e && i < e->n_figures; i++) {
        json_put_object(w);
        json_field_raw(w, "plotly", e->figures[i]);
        json_put_object_end(w);
    }
    for (size_t i = 0; i < charts; i++) {
        json_put_object(w);
        json_field_int(w, "chart", (int64_t)i);
        json_put_object_end(w);
    }
    json_put_array_end(w);
}

static void put_failed(struct json_writer *w, const struct scientist *s)
{
    json_field_array(w, "failed_attempts");
    for (int i = 0; i < s->n_attempts; i++)
        if (s->attempts[i].error.len)
            artifact_encode(w, &code_attempt_type, &s->attempts[i]);
    json_put_array_end(w);
}

void scientist_put_metadata(struct json_writer *w, struct run *r)
{
    const struct scientist *s = scientist_of(r);
    const struct code_execution *e = s->execution;
    const struct str none = {NULL, 0};
    bool gave_up = !e && s->n_attempts == SCIENTIST_ATTEMPTS;
    if (!s->plan)
        return;
    json_field_object(w, "finalOutput");
    put_text(w, "explanation", r->output ? r->output->narrative : none);
    put_text(w, "evaluation", s->evaluation ? s->evaluation->evaluation : none);
    put_text(w, "code", e ? s->attempts[s->n_attempts - 1].code : none);
    json_put_key(w, "plan");
    artifact_encode(w, &scientist_plan_type, s->plan);
    put_text(w, "output_type",
             e         ? e->output_type
             : gave_up ? STR("error")
                       : none);
    put_figures(w, r, e);
    put_text(w, "result_str", e ? e->result_str : none);
    put_failed(w, s);
    put_text(w, "error", gave_up ? s->attempts[s->n_attempts - 1].error : none);
    json_put_object_end(w);
}
