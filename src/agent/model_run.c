/* model_run.c - one build of a semantic model; see agent/model_runs.h.
 *
 *   run   the outer flow: waits for the two below, then writes an error, if any
 *   work  connects, reads, makes the model, and stores it with the end of the
 *         row
 *   beat  writes the progress, renews the lease, and stops the work when the
 *         row was ended by someone else */
#include "agent/model_runs.h"
#include "agent/modeler.h"
#include "agent/vectors.h"
#include "agent_state.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "store/connections.h"
#include "store/model_runs.h"
#include "store/ontologies.h"
#include <string.h>
#include "base/banned.h"

enum {
    BEAT_MS = 300,
    QUIET_MS = 900, /* between beats without news; they notice a stop */
    WORK_MEMORY = 512 * 1024 * 1024, /* a catalog of 10,000 tables */
    BEAT_MEMORY = 1024 * 1024,
    END_RETRY_MS = 500,
    END_TRIES = 20, /* then its lease expires */
    CANDIDATES_MOST = 200,
};

struct model_run {
    struct agent *agent;
    struct model_run *next_live;
    char id[UUID_SIZE];
    struct arena memory; /* of the order and of the model; without limit */
    struct model_order order;
    struct child work, beat;
    struct wait wait;
    struct wake wake;
    struct pause pause;

    /* Progress of the work */
    const char *stage;
    size_t done, total;
    bool over;

    struct source_open source;
    const struct agent_provider
        *describer; /* with the settings of the admin; may be NULL */
    struct settings_agent_config config;
    struct modeler modeler;
    struct model_run_tokens tokens;
    struct dataset_vectors vectors;
    struct ontology_import import;

    struct model_run_renewal progress;
    uint64_t beat_ms;

    enum err stop; /* why it must stop; OK: it need not */
    bool settled;  /* its row has ended, by the work or by someone else */
    enum err error;
    struct str error_text;
    struct model_run_end end;
    int end_tries;
};

static struct next model_run_begin(struct flow *f), both_over(struct flow *f),
    end_due(struct flow *f), ended(struct flow *f), end_failed(struct flow *f),
    run_over(struct flow *f);
static struct next work_begins(struct flow *f), building_begin(struct flow *f),
    source_opened(struct flow *f), describer_known(struct flow *f),
    modeling_due(struct flow *f), model_made(struct flow *f),
    tokens_counted(struct flow *f), storing_due(struct flow *f),
    stored(struct flow *f), built(struct flow *f), not_built(struct flow *f);
static struct next beat_begin(struct flow *f), beat_due(struct flow *f),
    beat_written(struct flow *f), beat_failed(struct flow *f);

static const char storing[] = "storing";

static void stop_work(struct model_run *r, enum err why)
{
    if (r->stop == OK)
        r->stop = why;
    if (r->work.flow)
        flow_stop(r->work.flow, r->stop);
}

static void enter(struct model_run *r, const char *stage)
{
    r->stage = stage;
    r->done = r->total = 0;
}

/* ---- the outer flow ----------------------------------------------------- */

static struct next model_run_begin(struct flow *f)
{
    struct model_run *r = locals(f, struct model_run);
    if (r->stop)
        return go(f, both_over);
    child_begin(f, &r->work, work_begins, r, "model work", WORK_MEMORY);
    op_tolerate(&r->work.op);
    op_deadline(&r->work.op, r->agent->settings.run_deadline_ms);
    child_begin(f, &r->beat, beat_begin, r, "model beat", BEAT_MEMORY);
    op_tolerate(&r->beat.op);
    return await(f, both_over);
}

static const char *reason(const struct model_run *r)
{
    if (r->error == ERR_UNAVAILABLE && r->stop)
        return "The server was stopped while it built the model. Start it again.";
    if (r->error == ERR_NO_DATASETS)
        return "There is no table that this connection may read.";
    return err_sentence(r->error);
}

static struct next both_over(struct flow *f)
{
    struct model_run *r = locals(f, struct model_run);
    if (r->settled)
        return go(f, run_over);
    if (r->stop)
        r->error = r->stop;
    else if (r->error == OK)
        r->error = r->work.op.status ? r->work.op.status : ERR_INTERNAL;
    if (r->stop || !r->error_text.len)
        r->error_text = str_of(reason(r));
    return go(f, end_due);
}

static struct next end_due(struct flow *f)
{
    struct model_run *r = locals(f, struct model_run);
    r->end = (struct model_run_end){
        .store = r->agent->store,
        .id = str_of(r->id),
        .own = true,
        .status = r->error == ERR_CANCELLED ? "cancelled" : "failed",
        .code = err_code(r->error),
        .error = r->error_text};
    return attempt(f, model_run_end_begin, &r->end, ended, end_failed);
}

static struct next ended(struct flow *f)
{
    struct model_run *r = locals(f, struct model_run);
    if (r->end.ended)
        log_event(LOG_WARN, "model run failed",
                  (struct log_field[]){{"run", str_of(r->id)},
                                       {"code", str_of(err_code(r->error))},
                                       {"stage", str_of(r->stage)},
                                       {"cause", r->error_text},
                                       {NULL, {0}}});
    return go(f, run_over);
}

static struct next end_failed(struct flow *f)
{
    struct model_run *r = locals(f, struct model_run);
    if (++r->end_tries >= END_TRIES)
        return go(f, run_over);
    pause_begin(f, &r->pause, END_RETRY_MS);
    return await(f, end_due);
}

static struct next run_over(struct flow *f)
{
    return back(f);
}

/* ---- the work ----------------------------------------------------------- */

static void work_left(void *what)
{
    struct model_run *r = what;
    r->over = true;
    wake_up(&r->wake);
}

static struct next work_begins(struct flow *f)
{
    struct model_run *r = locals(f, struct model_run);
    defer(f, work_left, r);
    return attempt(f, building_begin, r, built, not_built);
}

static struct next building_begin(struct flow *f)
{
    struct model_run *r = locals(f, struct model_run);
    r->source = (struct source_open){.store = r->agent->store,
                                     .connection_id = r->order.connection_id,
                                     .database = r->order.database};
    return call(f, source_open_begin, &r->source, source_opened);
}

static void on_progress(void *who, const char *what, size_t done, size_t total)
{
    struct model_run *r = who;
    r->stage = what;
    r->done = done;
    r->total = total;
}

static void on_described(void *who, const struct llm_usage *usage, uint64_t ms,
                         bool failed)
{
    struct model_run *r = who;
    agent_count_call(r->agent, r->describer, usage, ms, failed);
}

/* The built-in analyst cannot describe tables. */
static struct next source_opened(struct flow *f)
{
    struct model_run *r = locals(f, struct model_run);
    const struct agent_provider *p = agent_provider(r->agent, STR(""));
    if (!r->order.describe || !p || str_is(str_of(p->id), "builtin"))
        return go(f, modeling_due);
    r->describer = p;
    r->config = (struct settings_agent_config){.store = r->agent->store,
                                               .provider = str_of(p->id)};
    return call(f, settings_agent_config_begin, &r->config, describer_known);
}

static struct next describer_known(struct flow *f)
{
    struct model_run *r = locals(f, struct model_run);
    r->describer =
        agent_provider_configured(&r->memory, r->describer, &r->config);
    return go(f, modeling_due);
}

static struct next modeling_due(struct flow *f)
{
    struct model_run *r = locals(f, struct model_run);
    r->modeler = (struct modeler){
        .source = r->source.pool,
        .name = r->order.name,
        .database = r->order.database_name,
        .schemas = r->order.schemas,
        .tables = r->order.tables,
        .instructions = r->order.instructions,
        .no_samples = r->source.share_rows != SHARE_ALL,
        .describer = r->describer ? &r->describer->model : NULL,
        .memory = &r->memory,
        .on_progress = on_progress,
        .on_described = on_described,
        .who = r};
    return call(f, modeler_begin, &r->modeler, model_made);
}

static struct next model_made(struct flow *f)
{
    struct model_run *r = locals(f, struct model_run);
    if (!r->modeler.described.total)
        return go(f, tokens_counted);
    r->tokens = (struct model_run_tokens){.store = r->agent->store,
                                          .user_id = r->order.owner_id,
                                          .tokens = r->modeler.described.total};
    return call(f, model_run_tokens_begin, &r->tokens, tokens_counted);
}

/* The ontologies of a replaced model get vectors of the new one. */
static struct next tokens_counted(struct flow *f)
{
    struct model_run *r = locals(f, struct model_run);
    if (!r->order.replaces)
        return go(f, storing_due);
    enter(r, "embedding");
    r->vectors = (struct dataset_vectors){.with = r->agent->settings.embedding,
                                          .model = r->modeler.model,
                                          .memory = &r->memory};
    return call(f, dataset_vectors_begin, &r->vectors, storing_due);
}

/* ---- findings for the user ---------------------------------------------- */

static void put_columns(struct json_writer *w, const char *key,
                        const struct catalog_table *t, const size_t *columns,
                        size_t n)
{
    json_put_key(w, key);
    json_put_array(w);
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
                         const struct modeler *m)
{
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
    if (m->n_undescribed)
        json_put_str(
            w,
            arena_printf(
                arena, "The language model did not describe %zu tables%s%.*s.",
                m->n_undescribed, m->describer_problem.len ? ": " : "",
                STR_ARG(m->describer_problem)));
    json_put_array_end(w);
}

static struct str findings(struct model_run *r)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, &r->memory);
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_put_key(&w, "warnings");
    put_warnings(&w, &r->memory, &r->modeler);
    json_put_key(&w, "candidates");
    put_candidates(&w, &r->memory, &r->modeler.catalog);
    json_put_object_end(&w);
    return buf_finish(&out);
}

/* ---- into the store ----------------------------------------------------- */

static struct next storing_due(struct flow *f)
{
    struct model_run *r = locals(f, struct model_run);
    enter(r, storing);
    r->import =
        (struct ontology_import){.store = r->agent->store,
                                 .owner_id = r->order.owner_id,
                                 .connection_id = r->order.connection_id,
                                 .database = r->order.database,
                                 .name = r->order.name,
                                 .source_text = r->modeler.text,
                                 .model = r->modeler.model,
                                 .shared = r->order.shared,
                                 .embedding_model = r->vectors.embedding_model,
                                 .vectors = r->vectors.vectors,
                                 .dimensions = r->vectors.dimensions,
                                 .without_ontology = true,
                                 .run_id = str_of(r->id),
                                 .found = findings(r)};
    return call(f, ontology_import_begin, &r->import, stored);
}

static struct next stored(struct flow *f)
{
    struct model_run *r = locals(f, struct model_run);
    if (r->import.taken)
        return fail_because(
            f, ERR_CONFLICT,
            "You already have a model with this name, of another database.");
    r->settled = true;
    log_event(LOG_INFO, "model run over",
              (struct log_field[]){{"run", str_of(r->id)},
                                   {"model", r->import.model_id},
                                   {NULL, {0}}});
    return back(f);
}

static struct next built(struct flow *f)
{
    return back(f);
}

static struct next not_built(struct flow *f)
{
    struct model_run *r = locals(f, struct model_run);
    r->error = failure(f);
    if (r->error == ERR_DATABASE_UNAVAILABLE || r->error == ERR_SQL_FAILED ||
        r->error == ERR_CONFLICT || r->error == ERR_FORBIDDEN)
        r->error_text = arena_str(&r->memory, failure_text(f));
    if (r->error == ERR_DATABASE_UNAVAILABLE && r->source.pool &&
        !r->error_text.len && r->stage != storing)
        r->error_text =
            arena_str(&r->memory, str_of(pool_problem(r->source.pool)));
    return back(f);
}

/* ---- the beat ----------------------------------------------------------- */

/* Work that was stopped before its first step does not wake the beat. */
static struct next beat_begin(struct flow *f)
{
    struct model_run *r = locals(f, struct model_run);
    if (r->over || !r->work.flow)
        return back(f);
    wait_begin(f, &r->wait, &r->wake, BEAT_MS);
    return await(f, beat_due);
}

static struct next beat_due(struct flow *f)
{
    struct model_run *r = locals(f, struct model_run);
    struct model_run_renewal *b = &r->progress;
    b->news =
        b->stage != r->stage || b->done != r->done || b->total != r->total;
    if (r->over || (!b->news && clock_ms() - r->beat_ms < QUIET_MS))
        return go(f, beat_begin);
    b->store = r->agent->store;
    b->id = str_of(r->id);
    b->stage = r->stage;
    b->done = r->done;
    b->total = r->total;
    return attempt(f, model_run_renewal_begin, b, beat_written, beat_failed);
}

/* Lost: the row has ended, or its user was disabled, and it has ended now. */
static struct next beat_written(struct flow *f)
{
    struct model_run *r = locals(f, struct model_run);
    r->beat_ms = clock_ms();
    if (r->progress.lost)
        stop_work(r, ERR_CANCELLED);
    return go(f, beat_begin);
}

static struct next beat_failed(struct flow *f)
{
    struct model_run *r = locals(f, struct model_run);
    if (clock_ms() - r->beat_ms > r->agent->store->lease_ms * 2 / 3)
        stop_work(r, ERR_DATABASE_UNAVAILABLE);
    r->progress.stage = NULL; /* the next beat writes it again */
    return go(f, beat_begin);
}

/* ---- for the agent ------------------------------------------------------ */

static void model_run_ended(struct flow *f, enum err how, void *who)
{
    struct model_run *r = who;
    struct agent *a = r->agent;
    struct model_run **at = &a->model_runs;
    (void)f;
    if (how != OK)
        log_event(LOG_ERROR, "model run not ended",
                  (struct log_field[]){{"run", str_of(r->id)},
                                       {"cause", str_of(err_name(how))},
                                       {NULL, {0}}});
    while (*at != r)
        at = &(*at)->next_live;
    *at = r->next_live;
    arena_done(&r->memory);
    mem_free(r);
    agent_free_if_over(a);
}

static struct str_list copy_list(struct arena *arena,
                                 const struct str_list *list)
{
    struct str_list out = {arena_new_array(arena, struct str, list->n + 1),
                           list->n};
    for (size_t i = 0; i < list->n; i++)
        out.items[i] = arena_str(arena, list->items[i]);
    return out;
}

static void take_order(struct model_run *r, const struct model_order *o)
{
    struct arena *m = &r->memory;
    r->order = *o;
    r->order.owner_id = arena_str(m, o->owner_id);
    r->order.connection_id = arena_str(m, o->connection_id);
    r->order.database = arena_str(m, o->database);
    r->order.database_name = arena_str(m, o->database_name);
    r->order.name = arena_str(m, o->name);
    r->order.instructions = arena_str(m, o->instructions);
    r->order.schemas = copy_list(m, &o->schemas);
    r->order.tables = copy_list(m, &o->tables);
}

void agent_start_model_run(struct agent *a, struct str id,
                           const struct model_order *order)
{
    struct model_run *r = mem_new(struct model_run);
    r->agent = a;
    memcpy(r->id, id.ptr, UUID_SIZE - 1);
    arena_init(&r->memory, 0);
    take_order(r, order);
    r->stage = r->progress.stage = "connecting"; /* as its row says */
    r->beat_ms = clock_ms();
    r->stop = a->releasing ? ERR_UNAVAILABLE : OK;
    r->next_live = a->model_runs;
    a->model_runs = r;
    struct flow *f = flow_start(
        model_run_begin, r,
        &(struct flow_options){
            .kind = "model run", .on_end = model_run_ended, .who = r});
    flow_label(f, arena_printf(&r->memory, "model run %s", r->id));
}

void agent_stop_model_run(struct agent *a, struct str id)
{
    for (struct model_run *r = a->model_runs; r; r = r->next_live)
        if (str_is(id, r->id)) {
            r->settled = true;
            stop_work(r, ERR_CANCELLED);
        }
}

void model_runs_release(struct agent *a)
{
    for (struct model_run *r = a->model_runs; r; r = r->next_live)
        stop_work(r, ERR_UNAVAILABLE);
}

unsigned agent_model_runs(const struct agent *a)
{
    unsigned n = 0;
    for (const struct model_run *r = a->model_runs; r; r = r->next_live)
        n++;
    return n;
}
