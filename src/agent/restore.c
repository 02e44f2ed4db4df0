/* restore.c - restores a run from its record: artifacts, tokens, tool calls,
 * and the phase to continue with. What belongs to a kind, the kind restores.
 *
 * A run whose work failed before that is restored at its end:
 *
 *   run_salvage_begin -> salvage_due -> record_read -> row_read ->
 *   ontology_held
 * / */
#include "agent/run.h"
#include "agent_state.h"
#include "ground.h"
#include "base/log.h"
#include "base/prices.h"
#include <math.h>
#include "base/banned.h"

/* A stored score lost its digits after the fourth, and will lose them again. */
#define HALF_DIGIT 0.00005

static json_t *read_json(struct flow *f, struct str body)
{
    json_t *v = json_read(body, NULL);
    if (v)
        defer(f, json_drop, v);
    return v;
}

/* ---- tokens, discovery, tool calls -------------------------------------- */

static struct str keep_text(struct run *r, const json_t *v, const char *key)
{
    return arena_str(&r->arena, json_get_text(v, key));
}

static int64_t number(const json_t *v, const char *key)
{
    return json_integer_value(json_object_get(v, key));
}

static struct str json_kept(struct run *r, const json_t *v)
{
    struct buf out;
    buf_init(&out, &r->arena);
    json_print_into(&out, v);
    return buf_view(&out);
}

static void note_results(struct run *r, const json_t *calls)
{
    for (size_t i = 0; i < json_array_size(calls); i++) {
        const json_t *v = json_array_get(calls, i);
        run_note_result(r, phase_of(json_get_text(v, "phase")),
                        json_get_text(v, "name"), json_get_text(v, "result"));
    }
}

/* Of the last record, which the next checkpoint writes again. */
static void restore_calls(struct run *r, const json_t *calls)
{
    for (size_t i = 0; i < json_array_size(calls); i++) {
        const json_t *v = json_array_get(calls, i);
        struct tracked_call *c =
            arena_new(&r->calls.memory, struct tracked_call);
        *c = (struct tracked_call){
            .phase = phase_of(json_get_text(v, "phase")),
            .step_id = number(v, "stepId"),
            .id = keep_text(r, v, "toolCallId"),
            .failed = json_object_get(v, "error") != NULL,
            .name = keep_text(r, v, "name"),
            .args = json_kept(r, json_object_get(v, "args")),
            .result = json_kept(r, json_object_get(v, "result"))};
        *r->calls.end = c;
        r->calls.end = &c->next;
    }
    note_results(r, calls);
}

static void restore_discovery(struct run *r, const json_t *v)
{
    const struct ontology *o = r->ontology->model;
    const json_t *matched = json_object_get(v, "matchedDatasets");
    struct discovery *d = &r->discovery;
    size_t n = json_array_size(matched);
    *d = (struct discovery){.embedding_ms = number(v, "embeddingDurationMs"),
                            .search_ms = number(v, "vectorSearchDurationMs"),
                            .fetch_ms = number(v, "yamlFetchDurationMs"),
                            .with_yaml = (size_t)number(v, "datasetsWithYaml")};
    struct str graph_store = json_get_text(v, "graphStore");
    d->asked_neo4j = graph_store.len > 0;
    d->by_neo4j = str_is(graph_store, "neo4j");
    d->matched = arena_new_array(&r->arena, struct discovered, n + 1);
    for (size_t i = 0; i < n; i++) {
        const json_t *m = json_array_get(matched, i);
        struct str name = json_get_text(m, "name");
        for (size_t k = 0; k < o->n_datasets; k++)
            if (str_eq(o->datasets[k].name, name))
                d->matched[d->n_matched++] = (struct discovered){
                    k, (float)(json_number_value(json_object_get(m, "score")) +
                               HALF_DIGIT)};
    }
}

/* Without a cost, the tokens had no price. */
static void restore_cost(struct run *r, const json_t *cost)
{
    r->tokens.unpriced = !json_is_number(cost) && r->tokens.total > 0;
    r->tokens.cost = llround(json_number_value(cost) * MONEY_NANO);
}

/* The record of an earlier version has the tokens, too. */
static bool restore_progress(struct flow *f, struct run *r, struct str body)
{
    json_t *v = read_json(f, body);
    const json_t *tokens = json_object_get(v, "tokensUsed");
    if (!v)
        return false;
    r->record.has_discovery = true;
    r->tokens.prompt = number(tokens, "prompt");
    r->tokens.completion = number(tokens, "completion");
    r->tokens.total = number(tokens, "total");
    r->tokens.cached = number(tokens, "cached");
    r->tokens.reasoning = number(tokens, "reasoning");
    restore_cost(r, json_object_get(tokens, "cost"));
    r->tokens.estimated = json_get_bool(tokens, "estimated", false);
    restore_discovery(r, json_object_get(v, "discovery"));
    return true;
}

static bool restore_record(struct flow *f, struct run *r,
                           const struct run_artifacts *stored,
                           const struct run_artifact *record)
{
    if (str_is(record->kind, "so_far"))
        return restore_progress(f, r, record->body);
    return kind_restore(f, r, stored, record);
}

static bool restore_call_records(struct flow *f, struct run *r,
                                 const struct run_artifacts *stored)
{
    for (int n = 0; n < CALL_RECORDS; n++)
        for (size_t i = 0; i < stored->n; i++) {
            const struct run_artifact *a = &stored->items[i];
            if (!str_is(a->kind, run_call_record_name(n).text))
                continue;
            json_t *v = read_json(f, a->body);
            if (!v)
                return false;
            if (n == CALL_RECORDS - 1)
                restore_calls(r, v);
            else
                note_results(r, v);
            r->calls.n_records = n < CALL_RECORDS - 1 ? n + 1 : n;
        }
    return true;
}

bool run_restore(struct flow *f, struct run *r,
                 const struct run_artifacts *stored)
{
    r->record.restored = true;
    for (size_t i = 0; i < stored->n; i++)
        if (!restore_record(f, r, stored, &stored->items[i])) {
            log_event(LOG_ERROR, "artifact cannot be read",
                      (struct log_field[]){{"run", str_of(r->message_id)},
                                           {"kind", stored->items[i].kind},
                                           {NULL, {0}}});
            return false;
        }
    if (r->load.tokens.len)
        run_restore_tokens(r, r->load.tokens);
    if (!restore_call_records(f, r, stored))
        return false;
    r->call_index = (int)stored->last_call + 1;
    r->record.restart_after = r->load.phase_after;
    if (!r->kind->resume)
        r->phase = r->output ? PHASE_DONE : r->phase;
    return !r->kind->resume || r->kind->resume(f, r, stored);
}

/* ---- a run whose work is over ------------------------------------------- */

static struct next salvage_due(struct flow *f), record_read(struct flow *f),
    row_read(struct flow *f), ontology_held(struct flow *f),
    salvaged(struct flow *f);

struct next run_salvage_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct restore_slot *s = here(f, struct restore_slot);
    r->record.artifacts = here(f, struct run_artifacts);
    *s = (struct restore_slot){.agent = r->agent};
    defer(f, restore_slot_leave, s);
    restore_slot_begin(f, s);
    return await(f, salvage_due);
}

static struct next salvage_due(struct flow *f)
{
    struct run *r = locals(f, struct run);
    *r->record.artifacts =
        (struct run_artifacts){.store = agent_store(r->agent),
                               .memory = &r->scratch,
                               .message_id = str_of(r->message_id)};
    return call(f, run_artifacts_begin, r->record.artifacts, record_read);
}

static struct next record_read(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (!r->record.located)
        journal_seek(r->log, r->record.artifacts->last_event + 1);
    r->record.located = true;
    r->load = (struct run_load){.store = agent_store(r->agent),
                                .message_id = str_of(r->message_id),
                                .memory = &r->arena};
    return call(f, run_load_begin, &r->load, row_read);
}

static struct next row_read(struct flow *f)
{
    struct run *r = locals(f, struct run);
    enum agent_kind_id kind = r->load.agent;
    if (kind == AGENT_KINDS)
        return fail(f, ERR_INTERNAL);
    run_set_kind(r, agent_kind_of(kind));
    if (r->ontology)
        return go(f, ontology_held);
    r->waits.hold = here(f, struct ontology_acquire);
    *r->waits.hold =
        (struct ontology_acquire){.store = agent_store(r->agent),
                                  .id = r->load.ontology_id,
                                  .version = r->load.ontology_version};
    return call(f, ontology_acquire_begin, r->waits.hold, ontology_held);
}

static struct next ontology_held(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (!r->ontology) {
        r->ontology = r->waits.hold->held;
        r->ontology->holders++; /* until the run has ended */
    }
    if (!run_restore(f, r, r->record.artifacts))
        return fail(f, ERR_INTERNAL);
    return call(f, ground_stored_begin, r, salvaged);
}

static struct next salvaged(struct flow *f)
{
    return back(f);
}
