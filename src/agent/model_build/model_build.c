/* model_build.c - the kind of run that builds a semantic model from a live
 * database.
 *
 *   model_build_load -> order_known
 *   model_build_begin -> (building_begin -> source_opened -> describer_known ->
 *   modeling_due -> model_made -> tokens_counted -> storing_due -> store_due ->
 *   stored) -> built
 *                     \ not_built
 *
 * The modeler's checkpoints (agent/modeler.h) are an artifact of the run, so that
 * a takeover continues after the last of them. Another artifact is the progress,
 * which the API shows. The statement that stores the model also ends the run. */
#include "agent/modeler.h"
#include "agent/run.h"
#include "agent/vectors.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "store/model_runs.h"
#include "base/banned.h"

enum {
    PROGRESS_MS = 300,               /* between events of one stage */
    WORK_MEMORY = 512 * 1024 * 1024, /* a catalog of 10,000 tables */
    CANDIDATES_MOST = 200,
};

struct model_build {
    struct arena memory; /* of the order and of the model; without limit */
    bool opened;         /* the memory */
    struct model_run_load order;
    bool spent; /* its user may use no more tokens today */
    const char *stage;
    uint64_t told_ms; /* when its progress was written */

    struct source_open source;
    const struct agent_provider
        *describer; /* with the settings of the admin; may be NULL */
    struct settings_agent_config config;
    struct modeler modeler;
    struct model_run_tokens tokens;
    struct dataset_vectors vectors;
    struct ontology_import import;
};

static struct next model_build_load(struct flow *f),
    order_known(struct flow *f);
static struct next model_build_begin(struct flow *f),
    building_begin(struct flow *f), source_opened(struct flow *f),
    describer_known(struct flow *f), modeling_due(struct flow *f),
    model_made(struct flow *f), tokens_counted(struct flow *f),
    storing_due(struct flow *f), store_due(struct flow *f),
    stored(struct flow *f), built(struct flow *f), not_built(struct flow *f);

static const char storing[] = "storing";

/* ---- load and restore --------------------------------------------------- */

static void memory_done(void *build)
{
    arena_done(&((struct model_build *)build)->memory);
}

static struct next model_build_load(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct model_build *b = r->state;
    if (!b->opened) {
        arena_init(&b->memory, 0);
        b->opened = true;
        defer_kept(f, memory_done, b);
    }
    b->order = (struct model_run_load){.store = agent_store(r->agent),
                                       .id = str_of(r->message_id),
                                       .memory = &b->memory};
    return call(f, model_run_load_begin, &b->order, order_known);
}

static struct next order_known(struct flow *f)
{
    return back(f);
}

static bool restore(struct flow *f, struct run *r,
                    const struct run_artifacts *stored,
                    const struct run_artifact *record)
{
    struct model_build *b = r->state;
    (void)f;
    (void)stored;
    if (str_is(record->kind, "modeler"))
        b->modeler.checkpoint = arena_str(&b->memory, record->body);
    return true;
}

/* ---- progress ----------------------------------------------------------- */

static void put_progress(struct json_writer *w, const char *stage, size_t done,
                         size_t total)
{
    json_field_text(w, "stage", stage);
    json_field_int(w, "done", (int64_t)done);
    json_field_int(w, "total", (int64_t)total);
}

static void on_progress(void *who, const char *stage, size_t done, size_t total)
{
    struct run *r = who;
    struct model_build *b = r->state;
    struct buf out;
    struct json_writer w;
    if (b->stage == stage && clock_ms() - b->told_ms < PROGRESS_MS)
        return;
    b->stage = stage;
    b->told_ms = clock_ms();
    struct json_writer *event = journal_event(r->log, EVENT_RUN_PROGRESS);
    json_field_text(event, "runId", r->message_id);
    put_progress(event, stage, done, total);
    journal_event_end(r->log);
    buf_init(&out, NULL);
    json_writer_init(&w, &out);
    json_put_object(&w);
    put_progress(&w, stage, done, total);
    json_field_int(&w, "at", clock_wall_ms());
    json_put_object_end(&w);
    journal_artifact(r->log, "progress", buf_view(&out));
    buf_done(&out);
}

static void on_checkpoint(void *who, struct str checkpoint)
{
    journal_artifact(((struct run *)who)->log, "modeler", checkpoint);
}

static void on_described(void *who, const struct llm_usage *usage, uint64_t ms,
                         bool failed)
{
    struct run *r = who;
    struct model_build *b = r->state;
    struct llm_usage priced = *usage;
    agent_price_call(r->agent, &b->describer->model, &priced);
    llm_usage_add(&r->tokens, &priced);
    agent_count_call(r->agent, b->describer, &priced, ms, failed);
}

/* ---- the work ----------------------------------------------------------- */

static struct next model_build_begin(struct flow *f)
{
    return attempt(f, building_begin, locals(f, struct run), built, not_built);
}

static struct next building_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct model_build *b = r->state;
    on_progress(r, "connecting", 0, 0);
    b->source = (struct source_open){.store = agent_store(r->agent),
                                     .connection_id = b->order.connection_id,
                                     .database = b->order.database};
    return call(f, source_open_begin, &b->source, source_opened);
}

/* The built-in analyst cannot describe tables. */
static struct next source_opened(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct model_build *b = r->state;
    const struct agent_provider *p = agent_provider(r->agent, STR(""));
    int64_t most = agent_settings(r->agent)->tokens_per_day;
    int64_t cost = agent_settings(r->agent)->cost_per_day;
    if (source_dialect(b->source.opened) == DIALECT_DUCKDB)
        return fail_because(f, ERR_CONFLICT,
                            "This connection is over uploaded files, whose "
                            "model was made when they were uploaded.");
    b->spent = (most > 0 && b->order.tokens_today >= most) ||
               (cost > 0 && b->order.cost_today >= cost);
    if (b->spent || !b->order.describe || !p ||
        str_is(str_of(p->id), "builtin"))
        return go(f, modeling_due);
    b->describer = p;
    b->config = (struct settings_agent_config){.store = agent_store(r->agent),
                                               .provider = str_of(p->id)};
    return call(f, settings_agent_config_begin, &b->config, describer_known);
}

static struct next describer_known(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct model_build *b = r->state;
    b->describer =
        agent_provider_configured(&b->memory, b->describer, &b->config);
    return go(f, modeling_due);
}

/* A JSON array of names, which the API has checked. */
static struct str_list names_of(struct flow *f, struct arena *memory,
                                struct str json)
{
    json_t *v = json_read(json, NULL);
    if (v)
        defer(f, json_drop, v);
    struct str_list out = {
        arena_new_array(memory, struct str, json_array_size(v) + 1), 0};
    for (; out.n < json_array_size(v); out.n++)
        out.items[out.n] =
            arena_str(memory, json_text(json_array_get(v, out.n)));
    return out;
}

static struct next modeling_due(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct model_build *b = r->state;
    b->modeler = (struct modeler){
        .source = b->source.opened,
        .name = b->order.name,
        .database = b->order.database_name,
        .schemas = names_of(f, &b->memory, b->order.schemas),
        .tables = names_of(f, &b->memory, b->order.tables),
        .instructions = b->order.instructions,
        .no_samples = b->source.share_rows != SHARE_ALL,
        .describer = b->describer ? &b->describer->model : NULL,
        .memory = &b->memory,
        .checkpoint = b->modeler.checkpoint,
        .on_checkpoint = on_checkpoint,
        .on_progress = on_progress,
        .on_described = on_described,
        .who = r};
    return call(f, modeler_begin, &b->modeler, model_made);
}

static struct next model_made(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct model_build *b = r->state;
    if (!r->tokens.total)
        return go(f, tokens_counted);
    b->tokens = (struct model_run_tokens){.store = agent_store(r->agent),
                                          .user_id = b->order.owner_id,
                                          .tokens = r->tokens.total,
                                          .cost = r->tokens.cost};
    return call(f, model_run_tokens_begin, &b->tokens, tokens_counted);
}

/* The ontologies of a replaced model get vectors of the new one. */
static struct next tokens_counted(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct model_build *b = r->state;
    r->tokens.total = r->tokens.cost =
        0; /* the end of a run that failed counts the rest */
    if (!b->order.replaces)
        return go(f, storing_due);
    on_progress(r, "embedding", 0, 0);
    b->vectors =
        (struct dataset_vectors){.with = agent_settings(r->agent)->embedding,
                                 .model = b->modeler.model,
                                 .memory = &b->memory,
                                 .agent = r->agent,
                                 .user_id = b->order.owner_id};
    return call(f, dataset_vectors_begin, &b->vectors, storing_due);
}

/* ---- findings for the user ---------------------------------------------- */

static void put_columns(struct json_writer *w, const char *key,
                        const struct catalog_table *t, const size_t *columns,
                        size_t n)
{
    json_field_array(w, key);
    for (size_t i = 0; i < n; i++)
        json_put_str(w, t->columns[columns[i]].name);
    json_put_array_end(w);
}

static void put_table(struct json_writer *w, const char *key,
                      struct arena *arena, const struct catalog_table *t)
{
    json_field_str(
        w, key,
        arena_printf(arena, "%.*s.%.*s", STR_ARG(t->schema), STR_ARG(t->name)));
}

static void put_candidates(struct json_writer *w, struct arena *arena,
                           const struct catalog *c)
{
    size_t n = 0;
    json_put_array(w);
    for (size_t i = 0; i < c->n_links && n < CANDIDATES_MOST; i++) {
        const struct catalog_link *l = &c->links[i];
        const struct catalog_table *from = &c->tables[l->from],
                                   *to = &c->tables[l->to];
        if (l->origin != LINK_SUGGESTED)
            continue;
        json_put_object(w);
        put_table(w, "from", arena, from);
        put_columns(w, "fromColumns", from, l->from_columns, l->n);
        put_table(w, "to", arena, to);
        put_columns(w, "toColumns", to, l->to_columns, l->n);
        json_field_str(w, "evidence", l->evidence);
        json_put_object_end(w);
        n++;
    }
    json_put_array_end(w);
}

static void put_warnings(struct json_writer *w, struct arena *arena,
                         const struct model_build *b)
{
    const struct modeler *m = &b->modeler;
    size_t left_out = m->catalog.n_left_out, selected = m->tables.n;
    json_put_array(w);
    if (left_out)
        json_put_str(w, arena_printf(arena,
                                     "%zu tables were left out: there are "
                                     "too many, or their names are impossible.",
                                     left_out));
    if (selected > m->catalog.n_tables)
        json_put_str(w, arena_printf(arena,
                                     "Of %zu selected tables %zu can be "
                                     "read.",
                                     selected, m->catalog.n_tables));
    if (m->n_unread)
        json_put_str(w, arena_printf(arena,
                                     "%zu questions about the data were "
                                     "refused or took too long.",
                                     m->n_unread));
    if (b->spent && b->order.describe)
        json_put_text(w, "You have used up your tokens for today (UTC), so no "
                         "language model described the tables.");
    if (m->n_undescribed)
        json_put_str(
            w,
            arena_printf(
                arena, "The language model did not describe %zu tables%s%.*s.",
                m->n_undescribed, m->describer_problem.len ? ": " : "",
                STR_ARG(m->describer_problem)));
    json_put_array_end(w);
}

static struct str findings(struct model_build *b)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, &b->memory);
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_put_key(&w, "warnings");
    put_warnings(&w, &b->memory, b);
    json_put_key(&w, "candidates");
    put_candidates(&w, &b->memory, &b->modeler.catalog);
    json_put_object_end(&w);
    return buf_finish(&out);
}

/* ---- into the store ----------------------------------------------------- */

/* After the end of the run no event may follow. */
static struct next storing_due(struct flow *f)
{
    struct run *r = locals(f, struct run);
    on_progress(r, storing, 0, 0);
    journal_sync_begin(f, here(f, struct journal_sync), r->log);
    return await(f, store_due);
}

static struct next store_due(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct model_build *b = r->state;
    b->import =
        (struct ontology_import){.store = agent_store(r->agent),
                                 .owner_id = b->order.owner_id,
                                 .connection_id = b->order.connection_id,
                                 .database = b->order.database,
                                 .name = b->order.name,
                                 .source_text = b->modeler.text,
                                 .model = b->modeler.model,
                                 .shared = b->order.shared,
                                 .without_ontology = true,
                                 .run_id = str_of(r->message_id),
                                 .run_epoch = r->epoch,
                                 .found = findings(b)};
    dataset_vectors_into(&b->vectors, &b->import);
    return call(f, ontology_import_begin, &b->import, stored);
}

static struct next stored(struct flow *f)
{
    struct run *r = locals(f, struct run);
    const struct model_build *b = r->state;
    if (b->import.taken)
        return fail_because(
            f, ERR_CONFLICT,
            "You already have a model with this name, of another database.");
    r->end.finished = true;
    r->end.status = "complete";
    return back(f);
}

static struct next built(struct flow *f)
{
    return back(f);
}

/* The sentence of an error that its user can do something about. */
static struct next not_built(struct flow *f)
{
    struct run *r = locals(f, struct run);
    const struct model_build *b = r->state;
    enum err why = failure(f);
    if (why == ERR_NO_DATASETS)
        return fail_because(f, why,
                            "There is no table that this connection may read.");
    if (why == ERR_DATABASE_UNAVAILABLE && b->source.opened &&
        !failure_text(f).len && b->stage != storing)
        return fail_with(f, why, str_of(source_problem(b->source.opened)));
    if (why == ERR_DATABASE_UNAVAILABLE || why == ERR_SQL_FAILED ||
        why == ERR_CONFLICT || why == ERR_FORBIDDEN)
        return fail_with(f, why, failure_text(f));
    return fail(f, why);
}

const struct agent_kind model_build_kind = {
    .begin = model_build_begin,
    .begin_name = "model_build_begin",
    .state_size = sizeof(struct model_build),
    .artifacts = (const struct kind_artifact[]){{0}},
    .restore = restore,
    .load = model_build_load,
    .load_name = "model_build_load",
    .work_memory = WORK_MEMORY,
};
