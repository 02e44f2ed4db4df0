/* metadata.c - what stays with the message: seed 000's metadata, the digest for
 * later questions, and the terminal event made of them. */
#include "agent/run.h"
#include "base/clock.h"
#include "base/scan.h"
#include "base/utf8.h"
#include "ontology/judgements.h"
#include "store/charts.h"
#include "base/banned.h"

/* ---- lineage ------------------------------------------------------------ */

static struct str join_condition(struct arena *a,
                                 const struct join_plan_edge *e)
{
    struct buf out;
    buf_init(&out, a);
    for (size_t i = 0; i < e->n_from_columns && i < e->n_to_columns; i++)
        buf_printf(&out, "%s%.*s.%.*s = %.*s.%.*s", i ? " AND " : "",
                   STR_ARG(e->from_dataset), STR_ARG(e->from_columns[i]),
                   STR_ARG(e->to_dataset), STR_ARG(e->to_columns[i]));
    return buf_finish(&out);
}

/* The relationships of the model that the queries of the results join along. */
static bool *joins_made(struct run *r)
{
    const struct ontology *o = r->ontology->model;
    bool *made = arena_new_array(&r->arena, bool, o->n_relationships + 1);
    for (size_t i = 0; r->results && i < r->results->n_results; i++) {
        const struct sql_result *s = r->results->results[i].sql_result;
        struct arena_mark mark = arena_mark(&r->arena);
        struct query_findings findings;
        struct query_outline outline = {0};
        if (s)
            query_recall(&r->ontology->judged, &r->arena, o, s->sql, &findings,
                         &outline);
        for (size_t k = 0; k < outline.n_joins; k++)
            made[outline.joins[k]] = true;
        arena_reset(&r->arena, mark);
    }
    return made;
}

static bool is_along(const struct ontology *o, const struct relationship *r,
                     const struct join_plan_edge *e)
{
    bool same = str_eq(o->datasets[r->from].name, e->from_dataset) &&
                str_eq(o->datasets[r->to].name, e->to_dataset);
    bool turned = str_eq(o->datasets[r->to].name, e->from_dataset) &&
                  str_eq(o->datasets[r->from].name, e->to_dataset);
    struct str_list from = turned && !same ? r->to_columns : r->from_columns;
    for (size_t i = 0; i < e->n_from_columns && (same || turned); i++)
        if (i >= from.n || !str_eq_nocase(from.items[i], e->from_columns[i]))
            return false;
    return same || turned;
}

static bool was_made(const struct ontology *o, const bool *made,
                     const struct join_plan_edge *edge)
{
    for (size_t i = 0; i < o->n_relationships; i++)
        if (made[i] && is_along(o, &o->relationships[i], edge))
            return true;
    return false;
}

/* Paths between two datasets may share edges. */
static bool is_listed(const struct data_lineage *l,
                      const struct join_plan_edge *e, struct str on)
{
    for (size_t i = 0; i < l->n_joins; i++)
        if (str_eq(l->joins[i].from, e->from_dataset) &&
            str_eq(l->joins[i].to, e->to_dataset) && str_eq(l->joins[i].on, on))
            return true;
    return false;
}

/* Where several paths were left to choose, those that the queries took. */
static void lineage_joins(struct run *r, struct data_lineage *l)
{
    const struct join_plan *j = r->join_plan;
    size_t n = 0;
    for (size_t p = 0; j && p < j->n_join_paths; p++)
        n += j->join_paths[p].n_edges;
    l->joins = arena_new_array(&r->arena, struct lineage_join, n + 1);
    const bool *made = n && j->n_join_paths > 1 ? joins_made(r) : NULL;
    for (size_t p = 0; n && p < j->n_join_paths; p++)
        for (size_t e = 0; e < j->join_paths[p].n_edges; e++) {
            const struct join_plan_edge *edge = &j->join_paths[p].edges[e];
            if (made && !was_made(r->ontology->model, made, edge))
                continue;
            struct str on = join_condition(&r->arena, edge);
            if (!is_listed(l, edge, on))
                l->joins[l->n_joins++] = (struct lineage_join){
                    edge->from_dataset, edge->to_dataset, on};
        }
}

struct data_lineage *run_lineage(struct run *r)
{
    struct data_lineage *l = arena_new(&r->arena, struct data_lineage);
    const struct join_plan *j = r->join_plan;
    l->row_count = ROW_COUNT_NULL;
    l->grain = r->plan->grain.ptr ? r->plan->grain : STR("");
    l->time_window = r->plan->time_window;
    l->filters = r->plan->filters;
    l->n_filters = r->plan->n_filters;
    l->datasets = arena_new_array(&r->arena, struct str,
                                  (j ? j->n_relevant_datasets : 0) + 1);
    for (size_t i = 0; j && i < j->n_relevant_datasets; i++)
        l->datasets[l->n_datasets++] = j->relevant_datasets[i].name;
    lineage_joins(r, l);
    for (size_t i = 0; r->results && i < r->results->n_results; i++) {
        const struct sql_result *s = r->results->results[i].sql_result;
        if (!s)
            continue;
        l->row_count =
            s->row_count + (l->row_count == ROW_COUNT_NULL ? 0 : l->row_count);
        l->truncated = l->truncated || s->truncated;
    }
    return l;
}

/* ---- metadata ----------------------------------------------------------- */

static void put_calls(struct json_writer *w, const struct tracked_call *first)
{
    for (const struct tracked_call *c = first; c; c = c->next) {
        json_put_object(w);
        if (c->id.len)
            json_field_str(w, "toolCallId", c->id);
        else
            json_field_text(w, "phase", phase_word(c->phase));
        if (c->step_id)
            json_field_int(w, "stepId", c->step_id);
        json_field_str(w, "name", c->name);
        json_field_raw(w, "args", c->args);
        json_field_raw(w, "result", c->result);
        if (c->id.len && c->failed)
            json_field_raw(w, "error", c->result);
        json_put_object_end(w);
    }
}

/* A record is an array: its elements, as they stand. */
static void put_record(struct json_writer *w, struct str record)
{
    if (record.len > 2)
        json_put_raw(w, str_cut(record, 1, record.len - 2));
}

static void put_all_calls(struct json_writer *w, const struct run *r)
{
    json_put_key(w, "toolCalls");
    json_put_array(w);
    for (size_t i = 0; r->told_calls && i < r->told_calls->n; i++)
        put_record(w, r->told_calls->records[i]);
    put_calls(w, r->calls);
    json_put_array_end(w);
}

static void put_artifact(struct json_writer *w, const char *key,
                         const struct artifact_type *type, const void *artifact)
{
    if (!artifact)
        return;
    json_put_key(w, key);
    artifact_encode(w, type, artifact);
}

static void put_list(struct json_writer *w, const char *key,
                     const struct artifact_type *type, const void *items,
                     size_t n, size_t size)
{
    json_put_key(w, key);
    json_put_array(w);
    for (size_t i = 0; i < n; i++)
        artifact_encode(w, type, (const char *)items + i * size);
    json_put_array_end(w);
}

static void put_discovery(struct json_writer *w, const struct run *r)
{
    json_put_key(w, "discovery");
    json_put_object(w);
    run_put_discovery(w, r);
    json_put_object_end(w);
}

static void put_error(struct json_writer *w, const struct run *r)
{
    char at[CLOCK_RFC3339_SIZE];
    clock_rfc3339(clock_wall_ms(), at);
    json_put_key(w, "error");
    json_put_object(w);
    json_field_str(w, "message", r->error_text);
    json_field_text(w, "code", err_code(r->error));
    json_field_text(w, "timestamp", at);
    json_put_object_end(w);
}

/* Charts lie beside the stored message; their places stay, empty. */
static void put_results(struct json_writer *w, const struct run *r, bool charts)
{
    json_put_key(w, "stepResults");
    json_put_array(w);
    for (size_t i = 0; i < r->results->n_results; i++) {
        struct step_result s = r->results->results[i];
        struct python_result p;
        if (s.python_result && !charts) {
            p = *s.python_result;
            p.n_charts = 0;
            s.python_result = &p;
        }
        artifact_encode(w, &step_result_type, &s);
    }
    json_put_array_end(w);
}

static void put_output(struct json_writer *w, const struct run *r, bool charts)
{
    struct explainer_output output = *r->output;
    if (!charts)
        output.n_charts = 0;
    put_artifact(w, "dataLineage", &data_lineage_type, output.data_lineage);
    put_artifact(w, "explainerOutput", &explainer_output_type, &output);
}

static void put_artifacts(struct json_writer *w, const struct run *r,
                          bool charts)
{
    put_artifact(w, "plan", &plan_type, r->plan);
    put_artifact(w, "joinPlan", &join_plan_type, r->join_plan);
    put_artifact(w, "cannotAnswer", &cannot_answer_type, r->cannot_answer);
    if (r->queries)
        put_list(w, "querySpecs", &query_spec_type, r->queries->queries,
                 r->queries->n_queries, sizeof *r->queries->queries);
    if (r->results)
        put_results(w, r, charts);
    put_artifact(w, "verificationReport", &verification_report_type, r->report);
    if (r->output)
        put_output(w, r, charts);
    if (r->outcome == RUN_CLARIFIES)
        put_list(w, "clarificationQuestions", &plan_clarification_type,
                 r->plan->clarification_questions,
                 r->plan->n_clarification_questions,
                 sizeof *r->plan->clarification_questions);
}

struct str run_so_far(struct run *r, struct arena *memory)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, memory);
    json_write_to(&w, &out);
    json_put_object(&w);
    run_put_tokens(&w, &r->tokens);
    put_discovery(&w, r);
    json_put_object_end(&w);
    return buf_view(&out);
}

const char *run_call_record(int which)
{
    static const char *const names[CALL_RECORDS] = {
        "calls_0",  "calls_1",  "calls_2",  "calls_3", "calls_4",  "calls_5",
        "calls_6",  "calls_7",  "calls_8",  "calls_9", "calls_10", "calls_11",
        "calls_12", "calls_13", "calls_14", "calls_15"};
    return names[which];
}

struct str run_new_calls(struct run *r, struct arena *memory)
{
    struct buf out;
    struct json_writer w;
    if (!r->calls)
        return STR("");
    buf_init(&out, memory);
    json_write_to(&w, &out);
    json_put_array(&w);
    put_calls(&w, r->calls);
    json_put_array_end(&w);
    return buf_view(&out);
}

void run_calls_told(struct run *r)
{
    if (r->n_told == CALL_RECORDS - 1)
        return;
    r->n_told++;
    r->calls = NULL;
    r->calls_end = &r->calls;
    arena_done(&r->call_memory);
    flow_arena_init(&r->call_memory, RUN_MEMORY);
}

struct str run_metadata(struct run *r, bool charts)
{
    struct buf out;
    struct json_writer w;
    struct str *names; /* first: the text then grows where it is */
    size_t n = r->kind->datasets(r, &names);
    buf_init(&out, &r->arena);
    json_write_to(&w, &out);
    json_put_object(&w);
    put_all_calls(&w, r);
    run_put_tokens(&w, &r->tokens);
    json_field_int(&w, "llmCallCount", r->call_index);
    json_field_int(&w, "startedAt", r->started_at);
    json_field_int(&w, "durationMs", r->duration_ms);
    json_put_key(&w, "datasetsUsed");
    json_put_array(&w);
    for (size_t i = 0; i < n; i++)
        json_put_str(&w, names[i]);
    json_put_array_end(&w);
    if (r->ontology)
        put_discovery(&w, r);
    put_artifacts(&w, r, charts);
    json_field_int(&w, "revisionsUsed", r->revision);
    json_field_bool(&w, "claimed", true);
    if (r->error != OK)
        put_error(&w, r);
    json_put_object_end(&w);
    return buf_finish(&out);
}

struct str run_charts(struct run *r)
{
    struct buf out;
    struct json_writer w;
    bool any = false;
    buf_init(&out, &r->arena);
    json_write_to(&w, &out);
    json_put_array(&w);
    for (size_t i = 0; r->results && i < r->results->n_results; i++) {
        const struct step_result *s = &r->results->results[i];
        const struct python_result *p = s->python_result;
        for (size_t c = 0; p && c < p->n_charts; c++) {
            json_put_object(&w);
            json_field_int(&w, "step", s->step_id);
            json_field_text(&w, "type", chart_media_type(p->charts[c]));
            json_field_str(&w, "data", p->charts[c]);
            json_put_object_end(&w);
            any = true;
        }
    }
    json_put_array_end(&w);
    return any ? buf_view(&out) : STR("");
}

/* ---- digest ------------------------------------------------------------- */

void run_note_answer(struct run *r, enum phase phase, struct str name,
                     struct str result)
{
    bool of_data = phase == PHASE_EXECUTOR || phase == PHASE_REACT;
    if (!of_data || !result.len || r->notes.len >= DIGEST_BYTES)
        return;
    if (!r->notes.ptr)
        buf_init(&r->notes, &r->arena);
    buf_printf(&r->notes, ". %.*s: %.*s", STR_ARG(name),
               STR_ARG(utf8_first(result, DIGEST_CHARACTERS)));
}

struct str run_digest(struct run *r)
{
    return r->kind->digest(r);
}

/* ---- the terminal event ------------------------------------------------- */

struct str run_terminal_frame(struct run *r)
{
    struct buf out;
    buf_init(&out, r->reserve.top ? &r->reserve : &r->arena);
    terminal_frame(&out, str_of(r->message_id), str_of(r->status), r->content,
                   r->told, journal_last(r->log) + 1);
    return buf_finish(&out);
}

void run_last_words(struct run *r)
{
    struct buf out;
    struct json_writer w;
    r->outcome = RUN_FAILED;
    r->status = "failed";
    r->error = r->error == OK ? ERR_NO_MEMORY : r->error;
    r->error_text = str_of(err_sentence(r->error));
    r->content = STR("");
    r->frame = (struct str){NULL, 0};
    buf_init(&out, &r->reserve);
    json_write_to(&w, &out);
    json_put_object(&w);
    run_put_tokens(&w, &r->tokens);
    json_field_int(&w, "llmCallCount", r->call_index);
    json_field_int(&w, "startedAt", r->started_at);
    json_field_bool(&w, "claimed", true);
    put_error(&w, r);
    json_put_object_end(&w);
    r->metadata = r->told = buf_finish(&out);
    r->charts = STR("");
}

void terminal_frame(struct buf *out, struct str message_id, struct str status,
                    struct str content, struct str metadata, int64_t id)
{
    struct json_writer w;
    bool failed = str_is(status, "failed");
    const char *type = failed ? "message_error" : "message_complete";
    /* Memory runs out here or not at all: what json_read gives is not lost. */
    buf_reserve(out, content.len + 2 * metadata.len + 512);
    buf_printf(out, "event: %s\ndata: ", type);
    json_write_to(&w, out);
    json_put_object(&w);
    json_field_text(&w, "type", type);
    if (failed) {
        json_t *m = json_read(metadata, NULL);
        const json_t *e = json_object_get(m, "error");
        struct str text = json_get_text(e, "message");
        struct str code = json_get_text(e, "code");
        json_field_str(&w, "message", text);
        json_field_str(&w, "error", text);
        json_field_str(&w, "code", code.len ? code : STR("INTERNAL"));
        json_decref(m);
    } else {
        json_field_str(&w, "messageId", message_id);
        json_field_str(&w, "content", content);
        json_field_str(&w, "status", status);
        json_field_raw(&w, "metadata", metadata.len ? metadata : STR("null"));
    }
    json_put_object_end(&w);
    buf_printf(out, "\nid: %lld\n\n", (long long)id);
}
