/* navigator.c - finds the datasets and join paths for a plan.
 *
 *   navigator_begin -> (agent/tool_loop.c) -> explored
 *
 * The model explores the ontology with tools and leaves notes. Code makes the
 * join plan from the ontology, so it has only datasets and joins that exist.
 * Where several paths are equally good, the notes decide by naming
 * relationships. */
#include "../context.h"
#include "agent/tool_loop.h"
#include "joins.h"
#include "ontology/graph.h"
#include "pipeline.h"
#include "trusted.h"
#include "base/one_line.h"
#include "base/banned.h"

enum { ROUNDS = 8 };

static const char *const navigator_tools[] = {
    "list_datasets", "get_dataset_details", "get_relationships", NULL};

struct exploration {
    struct tool_loop loop;
    struct phase_inputs inputs;
    struct str paths; /* that connect the plan's datasets */
};

static struct next explored(struct flow *f);

static struct str matched_datasets(struct run *r, struct arena *a)
{
    struct buf known;
    buf_init(&known, a);
    for (size_t i = 0; i < r->discovery.n_matched; i++) {
        const struct dataset *d =
            &r->ontology->model->datasets[r->discovery.matched[i].dataset];
        buf_text(&known, "- ");
        one_line_put(&known, d->name, 0);
        buf_text(&known, ": ");
        one_line_put(&known, d->description, 0);
        buf_char(&known, '\n');
    }
    return buf_view(&known);
}

static struct llm_message *compose(struct consult *t, struct arena *a)
{
    struct run *r = t->run;
    const struct exploration *x = t->who;
    size_t budget = agent_settings(r->agent)->prompt_budget;
    const struct prompt_hole holes[] = {
        {"question", r->load.question, 0},
        {"plan", context_plan(a, r), budget / 2},
        {"datasets", matched_datasets(r, a), budget / 4},
        {"paths", context_lines(a, x->paths), budget / 4},
        {"diagnosis", context_diagnosis(a, r), 4000},
        {NULL, STR(""), 0}};
    return prompt_fill(a, "navigator", holes);
}

static struct str paths_of_plan(struct flow *f, struct run *r)
{
    struct arena *a = flow_here(f);
    struct arena_mark mark = arena_mark(a);
    struct join_tree tree;
    joins_of_plan(a, r, &tree);
    struct str paths =
        arena_str(&r->scratch, joins_report(a, r->ontology->model, &tree));
    arena_reset(a, mark);
    return paths;
}

struct next navigator_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (pipeline_of(r)->trusted) {
        trusted_joins(f, r);
        return back(f);
    }
    struct exploration *x = here(f, struct exploration);
    x->inputs = (struct phase_inputs){
        .task = TASK_NAVIGATE, .run = r, .loop = &x->loop};
    x->paths = paths_of_plan(f, r);
    x->loop = (struct tool_loop){.run = r,
                                 .purpose = "tool_exploration",
                                 .tools = navigator_tools,
                                 .memory = &r->scratch,
                                 .max_rounds = ROUNDS,
                                 .sums_up = true,
                                 .consult = {.run = r,
                                             .phase = PHASE_NAVIGATOR,
                                             .compose = compose,
                                             .who = x,
                                             .inputs = &x->inputs}};
    r->consult = &x->loop.consult;
    return call(f, tool_loop_begin, &x->loop, explored);
}

/* ---- the join plan, by code --------------------------------------------- */

static void put_notes(struct run *r, struct join_plan *plan,
                      const struct join_tree *tree, struct str missing)
{
    const struct ontology *o = r->ontology->model;
    struct join_tree open = *tree;
    struct buf notes;
    buf_init(&notes, &r->arena);
    buf_str(&notes, str_trim(r->consult->llm.content));
    if (missing.len)
        buf_printf(&notes, "\nNot in the ontology: %.*s.", STR_ARG(missing));
    for (size_t i = 0; i < tree->n_apart; i++)
        buf_printf(&notes, "\n%.*s Do not join them.",
                   STR_ARG(joins_apart(&r->arena, o, &tree->apart[i])));
    struct joins_perhaps guessed;
    joins_guess(&r->arena, r, tree, &guessed);
    for (size_t i = 0; i < guessed.n; i++)
        buf_printf(
            &notes, "\n%.*s",
            STR_ARG(joins_perhaps_text(&r->arena, o, &guessed.items[i])));
    open.n_apart = 0;
    if (open.n_choices)
        buf_printf(&notes,
                   "\nNot decided; take what the question means, never "
                   "two at once, and say which in your notes:\n%.*s",
                   STR_ARG(joins_report(&r->arena, o, &open)));
    plan->notes = str_trim(buf_view(&notes));
}

/* Emits each pair as a failed call of get_relationships. */
static void emit_unconnected(struct run *r, const struct join_tree *tree)
{
    const struct ontology *o = r->ontology->model;
    for (size_t i = 0; i < tree->n_apart; i++) {
        const struct dataset_pair *pair = &tree->apart[i];
        struct buf args;
        struct json_writer w;
        buf_init(&args, &r->arena);
        json_writer_init(&w, &args);
        json_put_object(&w);
        json_field_str(&w, "from", o->datasets[pair->a].name);
        json_field_str(&w, "to", o->datasets[pair->b].name);
        json_put_object_end(&w);
        struct tracked_call *c =
            run_tool_started(r, PHASE_NAVIGATOR, 0, STR(""),
                             STR("get_relationships"), buf_view(&args));
        run_tool_ended(r, c, joins_apart(&r->arena, o, pair), true);
    }
}

static struct cannot_answer *cannot_answer_datasets(struct run *r,
                                                    struct str missing)
{
    const struct ontology *o = r->ontology->model;
    struct cannot_answer *c = arena_new(&r->arena, struct cannot_answer);
    c->reason = arena_printf(&r->arena,
                             "None of the datasets that the question needs is "
                             "in the ontology.");
    c->missing_datasets = arena_new_array(&r->arena, struct str, 64);
    struct str name;
    while (missing.len && c->n_missing_datasets < 64 &&
           str_split(&missing, ',', &name))
        c->missing_datasets[c->n_missing_datasets++] = str_trim(name);
    c->available_datasets =
        arena_new_array(&r->arena, struct str, o->n_datasets + 1);
    for (size_t i = 0; i < o->n_datasets; i++)
        c->available_datasets[c->n_available_datasets++] = o->datasets[i].name;
    return c;
}

static struct cannot_answer *cannot_answer_joins(struct run *r,
                                                 const struct join_tree *tree)
{
    const struct ontology *o = r->ontology->model;
    struct cannot_answer *c = cannot_answer_datasets(r, STR(""));
    c->reason =
        STR("No join path of the ontology connects the datasets that the "
            "question needs together.");
    c->missing_joins =
        arena_new_array(&r->arena, struct str, tree->n_apart + 1);
    for (size_t i = 0; i < tree->n_apart; i++)
        c->missing_joins[c->n_missing_joins++] =
            joins_apart(&r->arena, o, &tree->apart[i]);
    return c;
}

/* The datasets of the plan that are not in the ontology. */
static struct str missing_names(struct run *r)
{
    const struct pipeline *p = pipeline_of(r);
    struct buf out;
    buf_init(&out, &r->arena);
    for (size_t s = 0; s < p->plan->n_steps; s++)
        for (size_t d = 0; d < p->plan->steps[s].n_datasets; d++) {
            struct str name = p->plan->steps[s].datasets[d];
            if (!ontology_dataset(r->ontology->model, name) &&
                str_find(buf_view(&out), name) < 0)
                buf_printf(&out, "%s%.*s", out.len ? ", " : "", STR_ARG(name));
        }
    return buf_view(&out);
}

static struct next explored(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct pipeline *p = pipeline_of(r);
    struct str missing = missing_names(r);
    struct join_tree tree;
    p->join_plan = arena_new(&r->arena, struct join_plan);
    joins_of_plan(flow_here(f), r, &tree);
    p->cannot_answer =
        tree.n_asked == 0 ? cannot_answer_datasets(r, missing) : NULL;
    size_t n_open =
        joins_decide(r->ontology->model, &tree, r->consult->llm.content);
    joins_put(r, p->join_plan, &tree, n_open);
    tree.n_choices = n_open;
    put_notes(r, p->join_plan, &tree, missing);
    emit_unconnected(r, &tree);
    if (joins_leave_no_step(r, &tree))
        p->cannot_answer = cannot_answer_joins(r, &tree);
    return back(f);
}
