/* dataset.c - the explorer as a kind of run; see dataset.h. Its rounds are those
 * of ReAct (../react), with the explorer's tools and prompt.
 *
 *   explorer_begin -> react_loop_begin -> explored
 *
 * What a round leaves is recorded with it, so that a process that takes the run
 * over has the queries and charts of the rounds before. */
#include "dataset.h"
#include "agent/answer.h"
#include "agent/results.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "ontology/columns.h"
#include "../context.h"
#include "base/banned.h"

enum { EXPLORATION_MS = 5 * 60 * 1000 };

static struct next explored(struct flow *f);

/* ---- the table ---------------------------------------------------------- */

/* How many of its columns the question names. */
static size_t columns_asked(const struct run *r, const struct dataset *d)
{
    size_t n = 0;
    for (size_t i = 0; i < d->n_fields; i++)
        n += d->fields[i].column.len > 1 &&
             str_find_nocase(r->load.question, d->fields[i].column) >= 0;
    return n;
}

/* The table that the question names, or else the one of whose columns it names
 * most, or else the first. */
static const struct dataset *chosen_dataset(const struct run *r)
{
    const struct ontology *o = r->ontology->model;
    const struct dataset *best = &o->datasets[0];
    for (size_t i = 0; o->n_datasets > 1 && i < o->n_datasets; i++) {
        const struct dataset *d = &o->datasets[i];
        if (str_find_nocase(r->load.question, d->name) >= 0)
            return d;
        if (columns_asked(r, d) > columns_asked(r, best))
            best = d;
    }
    return best;
}

static enum explorer_share share_of_run(const struct run *r)
{
    switch (r->tools.share_rows) {
    case SHARE_NONE:
        return EXPLORER_SHARE_NONE;
    case SHARE_AGGREGATES:
        return EXPLORER_SHARE_AGGREGATES;
    default:
        return EXPLORER_SHARE_ROWS;
    }
}

static void take_table(struct run *r, struct explorer_table *t,
                       const struct dataset *d)
{
    struct explorer_column *columns =
        arena_new_array(&r->arena, struct explorer_column, d->n_fields + 1);
    *t = (struct explorer_table){.columns = columns,
                                 .n_rows = -1,
                                 .share = share_of_run(r),
                                 .charts_have_rows = true};
    for (size_t i = 0; i < d->n_fields && t->n_columns < EXPLORER_COLUMNS; i++)
        if (d->fields[i].column.len)
            columns[t->n_columns++] = (struct explorer_column){
                d->fields[i].column, d->fields[i].datatype};
}

static void init_explorer(struct run *r)
{
    struct dataset_explorer *s = dataset_explorer_of(r);
    struct explorer *x = &s->explorer;
    s->dataset = chosen_dataset(r);
    x->run = r;
    x->question = r->load.question;
    x->description = s->dataset->description;
    x->conversation = context_conversation(&r->arena, r);
    x->max_steps = r->load.max_steps ? r->load.max_steps : TOOL_LOOP_ROUNDS;
    s->react.max_rounds = x->max_steps;
    x->place = dataset_place_begin;
    x->place_name = "dataset_place_begin";
    x->found.memory = &r->arena;
    take_table(r, &x->table, s->dataset);
    r->tools.explorer = x;
}

/* ---- the loop ----------------------------------------------------------- */

static struct llm_message *dataset_prompt(struct consult *t, struct arena *a)
{
    struct consult of_explorer = {
        .run = t->run, .who = &dataset_explorer_of(t->run)->explorer};
    return explorer_compose(&of_explorer, a);
}

/* An exploration has a shorter time than other runs, from its first claim. */
static void set_deadline(struct run *r)
{
    unsigned most = agent_settings(r->agent)->run_deadline_ms;
    uint64_t used = clock_ms() - r->started_ms;
    most = most < EXPLORATION_MS ? most : EXPLORATION_MS;
    if (r->work.flow)
        flow_deadline(r->work.flow, used < most ? most - (unsigned)used : 1);
}

static struct next explorer_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (r->phase == PHASE_DONE) /* taken over: it has only to be ended */
        return back(f);
    if (source_dialect(r->tools.source) != DIALECT_DUCKDB)
        return fail_with(f, ERR_NO_DATASETS,
                         STR("The explorer works over uploaded files. This "
                             "ontology is about a database."));
    init_explorer(r);
    set_deadline(r);
    journal_phase(r->log, r->phase, 0);
    return call(f, react_loop_begin, r, explored);
}

static struct next explored(struct flow *f)
{
    return back(f);
}

/* ---- records ------------------------------------------------------------ */

static void record_kept(struct run *r, struct dataset_explorer *s)
{
    struct explorer_found *found = &s->explorer.found;
    const struct explorer_kept kept = {
        .queries = found->queries + s->queries,
        .n_queries = found->n_queries - s->queries,
        .charts = found->charts + s->charts,
        .n_charts = found->n_charts - s->charts,
        .insights = found->insights + s->insights,
        .n_insights = found->n_insights - s->insights};
    if (kept.n_queries || kept.n_charts || kept.n_insights)
        run_record_artifact(r, record_name("found", (size_t)s->rounds).text,
                            &explorer_kept_type, &kept, false);
    s->queries = found->n_queries;
    s->charts = found->n_charts;
    s->insights = found->n_insights;
}

/* Also called for each round that is restored; those are recorded. */
static void dataset_round_kept(struct run *r, const struct loop_round *round,
                               size_t first)
{
    struct dataset_explorer *s = dataset_explorer_of(r);
    (void)round;
    (void)first;
    if (s->react.loop)
        record_kept(r, s);
    s->rounds++;
}

static void add_kept(struct explorer_found *found,
                     const struct explorer_kept *kept)
{
    for (size_t i = 0; i < kept->n_queries && found->n_queries < FOUND_QUERIES;
         i++) {
        found->query_bytes += kept->queries[i].len;
        found->queries[found->n_queries++] = kept->queries[i];
    }
    for (size_t i = 0; i < kept->n_charts && found->n_charts < FOUND_CHARTS;
         i++) {
        found->chart_bytes += kept->charts[i].len;
        found->charts[found->n_charts++] = kept->charts[i];
    }
    for (size_t i = 0;
         i < kept->n_insights && found->n_insights < FOUND_INSIGHTS; i++)
        found->insights[found->n_insights++] = kept->insights[i];
}

static bool take_kept(struct flow *f, struct run *r, struct str body)
{
    struct artifact_problem problem;
    struct explorer_kept kept = {0};
    json_t *v = json_read(body, NULL);
    if (v)
        defer(f, json_drop, v);
    if (!v ||
        !artifact_read_back(&r->arena, &explorer_kept_type, v, &kept, &problem))
        return false;
    add_kept(&dataset_explorer_of(r)->explorer.found, &kept);
    return true;
}

/* Records of a round that was not recorded itself are left: it runs again. */
static bool dataset_resume(struct flow *f, struct run *r,
                           const struct run_artifacts *stored)
{
    struct dataset_explorer *s = dataset_explorer_of(r);
    s->explorer.found.memory = &r->arena;
    s->rounds = 0;
    if (!react_resume(f, r, stored))
        return false;
    for (int n = 0; n < s->rounds; n++)
        for (size_t i = 0; i < stored->n; i++)
            if (str_is(stored->items[i].kind,
                       record_name("found", (size_t)n).text) &&
                !take_kept(f, r, stored->items[i].body))
                return false;
    s->queries = s->explorer.found.n_queries;
    s->charts = s->explorer.found.n_charts;
    s->insights = s->explorer.found.n_insights;
    return true;
}

/* ---- the result --------------------------------------------------------- */

static void put_exploration(struct json_writer *w, struct run *r)
{
    struct dataset_explorer *s = dataset_explorer_of(r);
    struct explorer_found *found = &s->explorer.found;
    struct str summary = r->output ? r->output->narrative : STR("");
    if (!found->memory)
        found->memory = &r->arena;
    found_add_items(found, summary);
    explorer_put_result(
        w, found,
        &(struct exploration_end){.error = r->end.error,
                                  .error_text = r->end.error_text,
                                  .summary = summary,
                                  .steps = s->rounds,
                                  .tokens = r->tokens.total,
                                  .duration_ms =
                                      (int64_t)(clock_ms() - r->started_ms)});
}

static void dataset_put_metadata(struct json_writer *w, struct run *r)
{
    json_put_key(w, "exploration");
    put_exploration(w, r);
}

/* What GET /runs and the report read of it (store/capsules.h). */
static struct str dataset_capsule(struct run *r)
{
    struct buf out;
    struct json_writer w;
    if (!r->state) /* it ended before it was loaded */
        return STR("");
    buf_init(&out, &r->arena);
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_str(&w, "dataset_id", r->load.dataset_id);
    json_field_str(&w, "question", r->load.question);
    json_field_text(&w, "query_mode", "chat");
    json_field_text(&w, "status", r->end.error == OK ? "succeeded" : "failed");
    json_put_key(&w, "result_json");
    put_exploration(&w, r);
    json_put_object_end(&w);
    return buf_finish(&out);
}

/* ---- what the summary may quote ------------------------------------------ */

/* Statistics and verdicts are no rows of the run. */
static bool is_quotable(const struct loop_call *c)
{
    return !c->failed && (str_is(c->name, "profileData") ||
                          str_is(c->name, "validateAnalysis"));
}

static struct str column_names(struct arena *a, const struct explorer_table *t)
{
    struct buf out;
    buf_init(&out, a);
    for (size_t i = 0; i < t->n_columns; i++)
        buf_printf(&out, "%.*s\n", STR_ARG(t->columns[i].name));
    return buf_finish(&out);
}

static size_t dataset_quotable(struct run *r, struct arena *a,
                               struct str **texts)
{
    const struct dataset_explorer *s = dataset_explorer_of(r);
    const struct react_state *state = &s->react;
    const struct loop_round *rounds =
        state->loop ? state->loop->loop.rounds : state->rounds;
    int n_rounds = state->loop ? state->loop->loop.n_rounds : state->n_rounds;
    size_t n = 0, most = 1;
    for (int i = 0; i < n_rounds; i++)
        most += rounds[i].n_calls;
    *texts = arena_new_array(a, struct str, most);
    (*texts)[n++] = column_names(a, &s->explorer.table);
    for (int i = 0; i < n_rounds; i++)
        for (size_t j = 0; j < rounds[i].n_calls; j++)
            if (is_quotable(&rounds[i].calls[j]))
                (*texts)[n++] = rounds[i].calls[j].result;
    return n;
}

/* ---- the kind ----------------------------------------------------------- */

static const char *const queries[] = {"executeSQLQuery", "createVisualization",
                                      NULL};

static const struct react_variant variant = {
    .phase = PHASE_EXPLORER,
    .purpose = "explorer_round",
    .set = &explorer_tools,
    .queries = queries,
    .python = "",
    .task = TASK_EXPLORER,
    .compose = dataset_prompt,
    .sums_up = true,
    .round_kept = dataset_round_kept,
};

static const struct kind_artifact artifacts[] = {
    RUN_ARTIFACT(results, PHASE_DONE, step_results, "stepResults"),
    RUN_ARTIFACT(report, PHASE_DONE, verification_report, "verificationReport"),
    RUN_ARTIFACT(output, PHASE_EXPLORER, explainer_output, "explainerOutput"),
    {0}};

const struct agent_kind explorer_kind = {
    .begin = explorer_begin,
    .begin_name = "explorer_begin",
    .variant = &variant,
    .state_size = sizeof(struct dataset_explorer),
    .artifacts = artifacts,
    .resume = dataset_resume,
    .digest = react_digest,
    .datasets = react_datasets,
    .lineage = react_lineage,
    .quotable = dataset_quotable,
    .put_metadata = dataset_put_metadata,
    .capsule = dataset_capsule,
};
