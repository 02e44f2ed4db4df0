/* lookup.c - the values of queries that found nothing, after a round of the
 * ReAct agent: what is missing goes into the result and to the model, which can
 * correct its query in the next round.
 *
 *   round_lookup_begin -> call_due <-> call_looked_up */
#include "react.h"
#include "llm/provider.h"
#include "tool/disclosure.h"
#include "base/banned.h"

static struct next call_due(struct flow *f), call_looked_up(struct flow *f);

struct next round_lookup_begin(struct flow *f)
{
    struct round_lookup *l = locals(f, struct round_lookup);
    l->call = 0;
    if (l->loop->direct || l->loop->run->provider->model.provider->local)
        return back(f);
    return go(f, call_due);
}

/* The results of a round are in the order of its calls (record.c). */
static struct next call_due(struct flow *f)
{
    struct round_lookup *l = locals(f, struct round_lookup);
    struct run *r = l->loop->run;
    for (; l->call < l->loop->n_calls; l->call++) {
        const struct tool_loop_call *c = &l->loop->calls[l->call];
        bool queried = c->tool.query && react_runs_query(r, c->asked.name);
        if (queried && value_lookup_due(c->tool.query))
            break;
        l->result += queried || c->tool.python;
    }
    if (l->call == l->loop->n_calls || !r->results ||
        l->result >= r->results->n_results ||
        !r->results->results[l->result].sql_result)
        return back(f);
    l->lookup = (struct value_lookup){
        .run = r,
        .phase = r->phase,
        .sql = r->results->results[l->result].sql_result->sql};
    return call(f, value_lookup_begin, &l->lookup, call_looked_up);
}

static struct next call_looked_up(struct flow *f)
{
    struct round_lookup *l = locals(f, struct round_lookup);
    struct run *r = l->loop->run;
    struct loop_call *c = &l->round->calls[l->call];
    struct str missing = l->lookup.missing;
    bool all = r->tools.share_rows == SHARE_ALL;
    r->results->results[l->result].sql_result->no_rows = missing;
    if (missing.len)
        c->result = react_result_with(
            r, c->result, "note",
            arena_printf(&r->arena, "The query found nothing. %.*s",
                         STR_ARG(all ? missing
                                     : STR("The data do not have a value that "
                                           "it looks for."))));
    l->result++;
    l->call++;
    return go(f, call_due);
}
