/* restore.c - a run from its record: what earlier phases left, and the phase
 * that was under way. */
#include "agent/run.h"
#include "base/banned.h"

static json_t *read_json(struct flow *f, struct str body)
{
    json_t *v = json_read(body, NULL);
    if (v)
        defer(f, json_drop, v);
    return v;
}

static bool decode(struct flow *f, struct run *r, struct str body,
                   const struct artifact_type *type, void *out)
{
    struct artifact_problem problem;
    json_t *v = read_json(f, body);
    return v && artifact_decode(&r->arena, type, v, out, &problem);
}

static bool take_rows(struct flow *f, struct run *r, struct str body)
{
    json_t *v = read_json(f, body);
    size_t n = json_array_size(v);
    r->full_data = arena_new_array(&r->arena, struct str, n + 1);
    for (size_t i = 0; i < n; i++)
        r->full_data[i] = arena_str(&r->arena, json_text(json_array_get(v, i)));
    return v != NULL;
}

#define TAKE(word, field, T)                                                   \
    if (str_is(kind, word)) {                                                  \
        r->field = arena_new(&r->arena, struct T);                             \
        return decode(f, r, body, &T##_type, r->field);                        \
    }

static bool take(struct flow *f, struct run *r, struct str kind,
                 struct str body)
{
    TAKE("plan", plan, plan)
    TAKE("join_plan", join_plan, join_plan)
    TAKE("cannot_answer", cannot_answer, cannot_answer)
    TAKE("queries", queries, query_specs)
    TAKE("results", results, step_results)
    TAKE("report", report, verification_report)
    TAKE("output", output, explainer_output)
    return !str_is(kind, "rows") || take_rows(f, r, body);
}

/* A phase needs what the ones before it left; without it the run starts at the
 * first phase whose artifact is missing. An answer that reads no data needs none
 * of them but the plan. */
static enum phase first_possible(const struct run *r, enum phase wanted)
{
    if (!r->plan)
        return PHASE_PLANNER;
    if (wanted == PHASE_DONE && (r->output || r->plan->should_clarify))
        return PHASE_DONE;
    if (wanted == PHASE_DONE)
        wanted = PHASE_EXPLAINER;
    if (r->plan->complexity == PLAN_CONVERSATIONAL || r->cannot_answer)
        return wanted;
    if (wanted > PHASE_NAVIGATOR && !r->join_plan)
        return PHASE_NAVIGATOR;
    if (wanted > PHASE_SQL_BUILDER && !r->queries)
        return PHASE_SQL_BUILDER;
    if (wanted > PHASE_EXECUTOR && !(r->results && r->full_data))
        return PHASE_EXECUTOR;
    return wanted;
}

bool run_restore(struct flow *f, struct run *r,
                 const struct run_artifacts *stored)
{
    for (size_t i = 0; i < stored->n; i++)
        if (!take(f, r, stored->items[i].kind, stored->items[i].body))
            return false;
    enum phase phase = phase_of(r->load.phase);
    if (phase > PHASE_DONE)
        return false;
    r->phase = first_possible(r, phase);
    r->revision = r->load.revision;
    if (r->revision && r->report && r->phase < PHASE_VERIFIER)
        r->diagnosis = r->report->diagnosis;
    r->call_index = (int)stored->last_call + 1;
    r->restart_after = r->load.phase_after;
    return true;
}
