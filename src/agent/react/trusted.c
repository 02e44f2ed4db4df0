/* trusted.c - trusted answers in a run of the ReAct agent.
 *
 * The query of the trusted answer to a question is the first round, made by code.
 * From then on the model may draw and must write; it has no tool that reads other
 * data, so that the answer rests on the trusted query alone. If that query fails,
 * its round is forgotten, and the model begins as if there were no trusted
 * answer. Queries of similar questions are examples in the prompt.
 *
 *   react_trusted_begin -> (search) -> answer_known -> (examples)
 *       -> examples_known */
#include "agent/results.h"
#include "base/json.h"
#include "react.h"
#include "base/banned.h"

static const char *const drawing_tools[] = {"run_python", NULL};

static struct next answer_known(struct flow *f), examples_known(struct flow *f);

static struct next find_examples(struct flow *f, struct run *r)
{
    struct trusted_comparison *x = &react_of(r)->loop->comparison;
    x->run = r;
    x->out = &r->arena;
    return call(f, trusted_examples_begin, x, examples_known);
}

struct next react_trusted_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct trusted_search *x = &react_of(r)->loop->search;
    if (react_of(r)->n_rounds) /* of an earlier attempt: it has been decided */
        return react_is_trusted(r) ? back(f) : find_examples(f, r);
    react_of(r)->trusted = NULL;
    x->run = r;
    return call(f, trusted_search_begin, x, answer_known);
}

static struct str query_arguments(struct arena *arena, struct str sql)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, arena);
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_str(&w, "sql", sql);
    json_put_object_end(&w);
    return buf_finish(&out);
}

static struct next answer_known(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct react_loop *l = react_of(r)->loop;
    if (!l->search.usable) {
        if (r->attempt > 1)
            trusted_mark_record(r, NULL);
        return find_examples(f, r);
    }
    react_of(r)->trusted = trusted_search_mark(&l->search);
    l->trusted_call = (struct llm_tool_call){
        .id = STR("trusted"),
        .name = STR("query_database"),
        .arguments = query_arguments(&r->arena, l->search.match.sql)};
    return back(f);
}

static struct next examples_known(struct flow *f)
{
    return back(f);
}

/* ---- in the loop ---------------------------------------------------------- */

/* A dry run shows the prompt, but has no state of this kind. */
bool react_is_trusted(const struct run *r)
{
    return react_variant(r) && react_of(r)->trusted && r->results &&
           r->results->n_results && r->results->results[0].sql_result;
}

const char *const *react_tools(const struct run *r)
{
    return react_is_trusted(r) ? drawing_tools : react_variant(r)->tools;
}

bool react_drop_trusted(struct tool_loop *x)
{
    struct run *r = x->run;
    struct react_state *s = react_of(r);
    if (!s->trusted || x->n_rounds != 1 || !x->calls[0].tool.failed)
        return false;
    s->trusted = NULL;
    trusted_mark_record(r, NULL);
    x->n_rounds = 0;
    x->n_given = 0;
    return true;
}
