/* metadata.c - what is stored with the message of a run: its metadata, its
 * digest for later questions, its charts, and the terminal event that has
 * them. */
#include "agent/run.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "store/charts.h"
#include <stdio.h>
#include "base/banned.h"

/* ---- tool calls --------------------------------------------------------- */

static void put_calls(struct json_writer *w, const struct tracked_call *first)
{
    for (const struct tracked_call *c = first; c; c = c->next) {
        json_put_object(w);
        run_put_call(w, c);
        json_field_raw(w, "args", c->args);
        json_field_raw(w, "result", c->result);
        if (c->id.len && c->failed)
            json_field_raw(w, "error", c->result);
        json_put_object_end(w);
    }
}

/* The elements of a record, which is a JSON array. */
static void put_record(struct json_writer *w, struct str record)
{
    if (record.len > 2)
        json_put_raw(w, str_cut(record, 1, record.len - 2));
}

static void put_all_calls(struct json_writer *w, const struct run *r)
{
    const struct run_calls *recorded = r->calls.read_back;
    json_field_array(w, "toolCalls");
    for (size_t i = 0; recorded && i < recorded->n; i++)
        put_record(w, recorded->records[i]);
    put_calls(w, r->calls.first);
    json_put_array_end(w);
}

struct record_name record_name(const char *stem, size_t n)
{
    struct record_name name;
    snprintf(name.text, sizeof name.text, "%s_%zu", stem, n);
    return name;
}

struct record_name run_call_record_name(int which)
{
    return record_name("calls", (size_t)which);
}

struct str run_unrecorded_calls(struct run *r, struct arena *memory)
{
    struct buf out;
    struct json_writer w;
    if (!r->calls.first)
        return STR("");
    buf_init(&out, memory);
    json_writer_init(&w, &out);
    json_put_array(&w);
    put_calls(&w, r->calls.first);
    json_put_array_end(&w);
    return buf_view(&out);
}

void run_calls_recorded(struct run *r)
{
    if (r->calls.n_records == CALL_RECORDS - 1)
        return;
    r->calls.n_records++;
    r->calls.first = NULL;
    r->calls.end = &r->calls.first;
    arena_done(&r->calls.memory);
    flow_arena_init(&r->calls.memory, RUN_MEMORY);
}

/* ---- checkpoints -------------------------------------------------------- */

static void put_discovery(struct json_writer *w, const struct run *r)
{
    json_field_object(w, "discovery");
    run_put_discovery(w, r);
    json_put_object_end(w);
}

/* Once: the record "so_far". */
static void record_discovery(struct run *r, struct arena *memory)
{
    struct buf out;
    struct json_writer w;
    if (r->record.has_discovery)
        return;
    buf_init(&out, memory);
    json_writer_init(&w, &out);
    json_put_object(&w);
    put_discovery(&w, r);
    json_put_object_end(&w);
    journal_artifact(r->log, "so_far", buf_view(&out));
    r->record.has_discovery = true;
}

static void record_tokens(struct run *r)
{
    char text[JOURNAL_TOKENS_SIZE];
    const struct llm_usage *u = &r->tokens;
    snprintf(text, sizeof text, "%lld %lld %lld %lld %lld %lld %s%s",
             (long long)u->prompt, (long long)u->completion,
             (long long)u->total, (long long)u->cached, (long long)u->reasoning,
             (long long)u->cost, u->estimated ? "~" : "",
             u->unpriced ? "?" : "");
    journal_tokens(r->log, text);
}

static int64_t take_number(struct str *rest)
{
    int64_t n = 0;
    ptrdiff_t end = str_find_char(*rest, ' ');
    struct str word = end < 0 ? *rest : str_cut(*rest, 0, (size_t)end);
    *rest = end < 0 ? STR("") : str_from(*rest, (size_t)end + 1);
    return str_to_int64(word, &n) ? n : 0;
}

void run_restore_tokens(struct run *r, struct str tokens)
{
    struct llm_usage *u = &r->tokens;
    u->prompt = take_number(&tokens);
    u->completion = take_number(&tokens);
    u->total = take_number(&tokens);
    u->cached = take_number(&tokens);
    u->reasoning = take_number(&tokens);
    u->cost = take_number(&tokens);
    u->estimated = str_find_char(tokens, '~') >= 0;
    u->unpriced = str_find_char(tokens, '?') >= 0;
}

void run_record_progress(struct run *r)
{
    struct arena scratch;
    arena_init(&scratch, 0);
    struct str calls = run_unrecorded_calls(r, &scratch);
    if (calls.len) {
        journal_artifact(r->log, run_call_record_name(r->calls.n_records).text,
                         calls);
        run_calls_recorded(r);
    }
    record_discovery(r, &scratch);
    record_tokens(r);
    arena_done(&scratch);
}

/* ---- metadata ----------------------------------------------------------- */

static void put_error(struct json_writer *w, const struct run *r)
{
    char at[CLOCK_RFC3339_SIZE];
    clock_rfc3339(clock_wall_ms(), at);
    json_field_object(w, "error");
    json_field_str(w, "message", r->end.error_text);
    json_field_text(w, "code", err_code(r->end.error));
    json_field_text(w, "timestamp", at);
    json_put_object_end(w);
}

static void put_questions(struct json_writer *w, const struct run *r)
{
    json_field_array(w, "clarificationQuestions");
    for (size_t i = 0; i < r->n_questions; i++)
        artifact_encode(w, &plan_clarification_type, &r->questions[i]);
    json_put_array_end(w);
}

static void put_artifacts(struct json_writer *w, struct run *r, bool charts)
{
    if (r->kind)
        kind_put_metadata(w, r, charts);
    if (r->output && r->output->data_lineage) {
        json_put_key(w, "dataLineage");
        artifact_encode(w, &data_lineage_type, r->output->data_lineage);
    }
    if (r->end.outcome == RUN_CLARIFIES)
        put_questions(w, r);
}

struct str run_metadata(struct run *r, bool charts)
{
    struct buf out;
    struct json_writer w;
    struct str *names = NULL; /* before `out`, which then grows in place */
    size_t n = r->kind && r->kind->datasets ? r->kind->datasets(r, &names) : 0;
    buf_init(&out, &r->arena);
    json_writer_init(&w, &out);
    json_put_object(&w);
    put_all_calls(&w, r);
    run_put_tokens(&w, &r->tokens);
    json_field_int(&w, "llmCallCount", r->call_index);
    json_field_int(&w, "startedAt", r->started_at);
    json_field_int(&w, "durationMs", r->end.duration_ms);
    json_field_strs(&w, "datasetsUsed", names, n);
    if (r->ontology)
        put_discovery(&w, r);
    put_artifacts(&w, r, charts);
    json_field_int(&w, "revisionsUsed", r->revision);
    json_field_bool(&w, "claimed", true);
    if (r->end.error != OK)
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
    json_writer_init(&w, &out);
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

void run_note_result(struct run *r, enum phase phase, struct str name,
                     struct str result)
{
    const struct agent_kind *k = r->kind;
    bool reads_data = !k->names_phases || phase == k->data_phase;
    if (!reads_data || !result.len || r->calls.notes.len >= DIGEST_BYTES)
        return;
    if (!r->calls.notes.ptr)
        buf_init(&r->calls.notes, &r->arena);
    buf_printf(&r->calls.notes, ". %.*s: %.*s", STR_ARG(name),
               STR_ARG(utf8_first(result, DIGEST_CHARACTERS)));
}

struct str run_digest(struct run *r)
{
    return r->kind && r->kind->digest ? r->kind->digest(r) : STR("");
}

/* ---- the terminal event ------------------------------------------------- */

struct str run_terminal_frame(struct run *r)
{
    struct buf out;
    buf_init(&out, r->reserve.total ? &r->reserve : &r->arena);
    message_terminal_frame(&out, str_of(r->message_id), str_of(r->end.status),
                           r->end.content, r->end.metadata_with_charts,
                           journal_last(r->log) + 1);
    return buf_finish(&out);
}

void run_end_without_memory(struct run *r)
{
    struct buf out;
    struct json_writer w;
    r->end.outcome = RUN_FAILED;
    r->end.status = "failed";
    r->end.error = r->end.error == OK ? ERR_NO_MEMORY : r->end.error;
    r->end.error_text = str_of(err_sentence(r->end.error));
    r->end.content = STR("");
    r->end.frame = (struct str){NULL, 0};
    buf_init(&out, &r->reserve);
    json_writer_init(&w, &out);
    json_put_object(&w);
    run_put_tokens(&w, &r->tokens);
    json_field_int(&w, "llmCallCount", r->call_index);
    json_field_int(&w, "startedAt", r->started_at);
    json_field_bool(&w, "claimed", true);
    put_error(&w, r);
    json_put_object_end(&w);
    r->end.metadata = r->end.metadata_with_charts = buf_finish(&out);
    r->end.charts = r->end.capsule = STR("");
}

void message_terminal_frame(struct buf *out, struct str message_id,
                            struct str status, struct str content,
                            struct str metadata, int64_t id)
{
    struct json_writer w;
    bool failed = str_is(status, "failed");
    const char *type = failed ? "message_error" : "message_complete";
    /* Reserve first: a jump out of here after json_read would leak its
     * value. */
    buf_reserve(out, content.len + 2 * metadata.len + 512);
    buf_printf(out, "event: %s\ndata: ", type);
    json_writer_init(&w, out);
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
