/* gather.c - see gather.h.
 *
 *   gather_begin -> details_given -> sample_due -> sample_given
 *                                        \__________/            */
#include "gather.h"
#include "base/banned.h"

enum { SAMPLE_ROWS = 3, SAMPLES_MOST = 6 };

static struct next details_given(struct flow *f), sample_due(struct flow *f),
    sample_given(struct flow *f);

static void put_name(struct json_writer *w, const struct gather *g, size_t i)
{
    const struct ontology *o = g->run->ontology->model;
    json_put_str(w, o->datasets[g->datasets[i]].name);
}

static struct str details_args(struct flow *f, const struct gather *g)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, flow_here(f));
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_array(&w, "datasetNames");
    for (size_t i = 0; i < g->n_datasets; i++)
        put_name(&w, g, i);
    json_put_array_end(&w);
    json_put_object_end(&w);
    return buf_view(&out);
}

static struct str sample_args(struct flow *f, const struct gather *g)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, flow_here(f));
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_put_key(&w, "datasetName");
    put_name(&w, g, g->at);
    json_field_int(&w, "limit", SAMPLE_ROWS);
    json_put_object_end(&w);
    return buf_view(&out);
}

#define run_tool(f, name, args, then) run_tool_then(f, name, args, then, #then)
static struct next run_tool_then(struct flow *f, const char *name,
                                 struct str args, step_fn *then,
                                 const char *then_name)
{
    struct gather *g = locals(f, struct gather);
    g->call = run_tool_started(g->run, g->phase, g->step_id, STR(""),
                               str_of(name), args);
    g->tool = here(f, struct tool_run);
    *g->tool = (struct tool_run){.context = &g->run->tools,
                                 .name = str_of(name),
                                 .arguments = g->call->args,
                                 .memory = &g->memory};
    return flow_call(f, tool_begin, "tool_begin", g->tool, then, then_name,
                     NULL, NULL);
}

static void free_memory(void *who)
{
    arena_done(who);
}

struct next gather_begin(struct flow *f)
{
    struct gather *g = locals(f, struct gather);
    flow_arena_init(&g->memory, RUN_MEMORY);
    defer(f, free_memory, &g->memory);
    buf_init(&g->text, &g->run->scratch);
    if (g->n_datasets == 0)
        return back(f);
    return run_tool(f, "get_dataset_details", details_args(f, g),
                    details_given);
}

/* A sample is chosen from twenty times as many rows: they are freed before the
 * next query waits. */
static void end_call(struct gather *g)
{
    run_tool_ended(g->run, g->call, g->tool->result, g->tool->failed);
    arena_done(&g->memory);
}

static struct next details_given(struct flow *f)
{
    struct gather *g = locals(f, struct gather);
    end_call(g);
    return go(f, sample_due);
}

static struct next sample_due(struct flow *f)
{
    struct gather *g = locals(f, struct gather);
    bool shown = g->run->tools.share_rows == SHARE_ALL;
    if (!shown || g->at == g->n_datasets || g->at == SAMPLES_MOST) {
        g->samples = buf_view(&g->text);
        return back(f);
    }
    return run_tool(f, "get_sample_data", sample_args(f, g), sample_given);
}

static struct next sample_given(struct flow *f)
{
    struct gather *g = locals(f, struct gather);
    const struct ontology *o = g->run->ontology->model;
    if (!g->tool->failed)
        buf_printf(&g->text, "%.*s:\n%.*s\n\n",
                   STR_ARG(o->datasets[g->datasets[g->at]].name),
                   STR_ARG(g->tool->result));
    end_call(g);
    g->at++;
    return go(f, sample_due);
}
