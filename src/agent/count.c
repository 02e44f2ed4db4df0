/* count.c - counts runs, phases and model calls of this process, for
 * /metrics. */
#include "agent/run.h"
#include "base/clock.h"
#include "llm/provider.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

const char *const run_ending_words[RUN_ENDINGS] = {
    "complete", "clarification", "failed", "cancelled", "lost"};

static struct model_counters *model_of(struct agent_counters *c,
                                       const char *provider, struct str model)
{
    struct model_counters *m = c->models;
    model = str_cut(model, 0, sizeof m->model - 1);
    for (; m < c->models + c->n_models; m++)
        if (!strcmp(m->provider, provider) && str_is(model, m->model))
            return m;
    if (c->n_models == AGENT_COUNTED_MODELS)
        return m - 1;
    bool last = ++c->n_models == AGENT_COUNTED_MODELS;
    snprintf(m->provider, sizeof m->provider, "%s", last ? "other" : provider);
    snprintf(m->model, sizeof m->model, "%.*s",
             STR_ARG(last ? STR("other") : model));
    return m;
}

static void count_call(struct agent *a, const char *provider, struct str model,
                       const struct llm_usage *usage, uint64_t ms, bool failed)
{
    struct model_counters *m = model_of(agent_counters(a), provider, model);
    m->calls++;
    m->failures += failed;
    m->prompt_tokens += (uint64_t)usage->prompt;
    m->completion_tokens += (uint64_t)usage->completion;
    m->cached_tokens += (uint64_t)usage->cached;
    m->reasoning_tokens += (uint64_t)usage->reasoning;
    m->cost += (uint64_t)usage->cost;
    histogram_add(&m->durations, ms * 1000);
}

void agent_count_call(struct agent *a, const struct agent_provider *provider,
                      const struct llm_usage *usage, uint64_t ms, bool failed)
{
    count_call(a, provider->id, provider->model.name, usage, ms, failed);
}

void agent_count_embedding(struct agent *a, const struct llm_embedding *e,
                           uint64_t ms, bool failed, struct llm_usage *sum)
{
    struct llm_usage priced = e->usage;
    agent_price_call(a, e->model, &priced);
    if (priced.unpriced || !priced.total)
        return;
    count_call(a, e->model->provider->id, e->model->name, &priced, ms, failed);
    llm_usage_add(sum, &priced);
}

void agent_price_call(const struct agent *a, const struct llm_model *model,
                      struct llm_usage *usage)
{
    struct token_price price =
        prices_of(&agent_settings(a)->prices, model->name);
    usage->unpriced = !price.known && usage->total > 0;
    usage->cost =
        price_amount(&price, usage->prompt, usage->cached, usage->completion);
}

void agent_count_phase(struct agent *a, struct run *r)
{
    struct agent_counters *c = agent_counters(a);
    c->phases[r->phase]++;
    histogram_add(&c->phase_durations[r->phase],
                  (clock_ms() - r->phase_entered_ms) * 1000);
    run_phase_span_end(r, NULL);
}

static enum run_ending ending_of(const struct run *r)
{
    switch (r->end.outcome) {
    case RUN_ANSWERED:
        return RUN_ENDED_COMPLETE;
    case RUN_CLARIFIES:
        return RUN_ENDED_CLARIFICATION;
    case RUN_LOST:
        return RUN_ENDED_LOST;
    default:
        return r->end.error == ERR_CANCELLED ? RUN_ENDED_CANCELLED
                                             : RUN_ENDED_FAILED;
    }
}

void agent_count_run(struct agent *a, const struct run *r)
{
    struct agent_counters *c = agent_counters(a);
    c->runs[ending_of(r)][r->phase]++;
    histogram_add(&c->run_durations, (clock_ms() - r->started_ms) * 1000);
}
