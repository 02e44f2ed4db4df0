/* discovery.c - which datasets may answer: the similarity of the question to
 * each.
 *
 * When the ontology was embedded by the configured model, that model embeds the
 * question, too; the vectors are compared here or, in large ontologies, by
 * pgvector (store/vector_search.h). In every other case lexical vectors decide.
 * When no dataset is similar, all of them are found.
 *
 * Where there is a Neo4j, it compares the ontology's own vectors
 * (store/graph_search.h). When it cannot, they are compared as without it.
 *
 *   discovery_begin -> (embed) -> question_embedded -> (search) -> best_known
 *          \_______________________ search_lexically __/    -> found */
#include "agent/run.h"
#include "agent/vectors.h"
#include "base/clock.h"
#include "base/log.h"
#include "ontology/similarity.h"
#include "store/graph_search.h"
#include "store/vector_search.h"
#include "trace.h"
#include "base/banned.h"

static struct next question_embedded(struct flow *f),
    embedding_failed(struct flow *f), search_failed(struct flow *f),
    search_lexically(struct flow *f), search_here(struct flow *f),
    neo4j_answered(struct flow *f), neo4j_failed(struct flow *f),
    best_known(struct flow *f), found(struct flow *f);

static bool embedded_by(const struct cached_ontology *o,
                        const struct llm_model *m)
{
    return (o->vectors || o->by_pgvector) &&
           vectors_are_of(o->embedding_model, m);
}

static void find_all(struct run *r)
{
    struct discovery *d = &r->discovery;
    size_t n = r->ontology->model->n_datasets;
    d->matched = arena_new_array(&r->arena, struct discovered, n + 1);
    for (size_t i = 0; i < n; i++)
        d->matched[i] = (struct discovered){i, 0};
    d->n_matched = n;
    d->fell_back = true;
}

/* ---- the search --------------------------------------------------------- */

/* Floats compared in one loop turn: less than a millisecond. */
enum { FLOATS_A_TURN = 512 * 1024 };

static struct next search_on(struct flow *f)
{
    if (similarity_continue(locals(f, struct run)->discovery.search,
                            FLOATS_A_TURN))
        return await(f, search_on); /* in the next turn */
    return go(f, best_known);
}

static struct next best_known(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct discovery *d = &r->discovery;
    const struct similarity *s = d->search;
    d->matched = arena_new_array(&r->arena, struct discovered, s->n_best + 1);
    d->n_matched = 0;
    for (size_t i = 0; i < s->n_best; i++)
        if (s->best[i].score > 0)
            d->matched[d->n_matched++] =
                (struct discovered){s->best[i].dataset, s->best[i].score};
    if (d->n_matched == 0)
        find_all(r);
    d->search_ms = (int64_t)(clock_ms() - d->started_ms) - d->embedding_ms;
    return go(f, found);
}

static struct next search(struct flow *f, const float *vectors,
                          size_t dimensions, const float *query)
{
    struct run *r = locals(f, struct run);
    struct similarity *s = r->discovery.search = here(f, struct similarity);
    *s = (struct similarity){
        .ontology = r->ontology->model,
        .vectors = vectors,
        .dimensions = dimensions,
        .query = query,
        .top_k = (size_t)agent_settings(r->agent)->vector_top_k};
    similarity_begin(flow_here(f), s);
    struct store *store = agent_store(r->agent);
    if (store->neo4j && vectors && vectors == r->ontology->vectors) {
        r->discovery.asked_neo4j = true;
        struct graph_search *g = here(f, struct graph_search);
        *g = (struct graph_search){
            .store = store, .held = r->ontology, .search = s};
        return attempt(f, graph_search_begin, g, neo4j_answered, neo4j_failed);
    }
    return go(f, search_here);
}

static struct next neo4j_answered(struct flow *f)
{
    locals(f, struct run)->discovery.by_neo4j = true;
    return go(f, best_known);
}

static struct next neo4j_failed(struct flow *f)
{
    const struct run *r = locals(f, struct run);
    log_event(LOG_WARN, "datasets found without Neo4j",
              (struct log_field[]){{"run", str_of(r->message_id)},
                                   {"cause", failure_text(f)},
                                   {NULL, {0}}});
    similarity_begin(flow_here(f), r->discovery.search);
    return go(f, search_here);
}

/* In the process; by pgvector when the vectors are not in memory. */
static struct next search_here(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct similarity *s = r->discovery.search;
    if (s->vectors)
        return go(f, search_on);
    struct vector_search *v = here(f, struct vector_search);
    *v = (struct vector_search){
        .store = agent_store(r->agent), .held = r->ontology, .search = s};
    return attempt(f, vector_search_begin, v, best_known, search_failed);
}

static struct next search_lexically(struct flow *f)
{
    struct run *r = locals(f, struct run);
    float *query = arena_new_array(flow_here(f), float, LEXICAL_DIMENSIONS);
    lexical_embed(r->load.question, query);
    return search(f, r->ontology->lexical, LEXICAL_DIMENSIONS, query);
}

void discovery_add(struct run *r, size_t dataset)
{
    struct discovery *d = &r->discovery;
    struct discovered *more =
        arena_new_array(&r->arena, struct discovered, d->n_matched + 1);
    for (size_t i = 0; i < d->n_matched; i++) {
        if (d->matched[i].dataset == dataset)
            return;
        more[i] = d->matched[i];
    }
    more[d->n_matched++] = (struct discovered){dataset, 0};
    d->matched = more;
}

/* ---- the event ---------------------------------------------------------- */

void run_put_discovery(struct json_writer *w, const struct run *r)
{
    const struct discovery *d = &r->discovery;
    json_field_int(w, "embeddingDurationMs", d->embedding_ms);
    json_field_int(w, "vectorSearchDurationMs", d->search_ms);
    json_field_int(w, "yamlFetchDurationMs", d->fetch_ms);
    json_field_array(w, "matchedDatasets");
    for (size_t i = 0; i < d->n_matched; i++) {
        json_put_object(w);
        json_field_str(
            w, "name",
            r->ontology->model->datasets[d->matched[i].dataset].name);
        json_field_real(w, "score",
                        (double)(int)(d->matched[i].score * 10000) / 10000);
        json_put_object_end(w);
    }
    json_put_array_end(w);
    json_field_int(w, "datasetsWithYaml", (int64_t)d->with_yaml);
    if (d->asked_neo4j)
        json_field_text(w, "graphStore", d->by_neo4j ? "neo4j" : "builtin");
}

static struct next found(struct flow *f)
{
    struct run *r = locals(f, struct run);
    r->discovery.with_yaml = r->discovery.n_matched;
    struct json_writer *w = journal_event(r->log, EVENT_DISCOVERY_COMPLETE);
    run_put_discovery(w, r);
    json_field_int(w, "preferencesLoaded", (int64_t)r->load.preferences.n);
    journal_event_end(r->log);
    return back(f);
}

struct next discovery_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    const struct llm_model *m = agent_settings(r->agent)->embedding;
    journal_event(r->log, EVENT_DISCOVERY_START);
    journal_event_end(r->log);
    r->discovery.started_ms = clock_ms();
    if (r->discovery.by_words || !embedded_by(r->ontology, m))
        return go(f, search_lexically);
    struct llm_embedding *e = r->discovery.embedding =
        here(f, struct llm_embedding);
    *e = (struct llm_embedding){.model = m,
                                .texts = &r->load.question,
                                .n_texts = 1,
                                .dimensions = (int)r->ontology->dimensions,
                                .total_ms = 10000,
                                .trace = &r->parent,
                                .memory = &r->arena};
    return attempt(f, llm_embed_begin, e, question_embedded, embedding_failed);
}

static void count_embedding(struct run *r, bool failed)
{
    struct discovery *d = &r->discovery;
    struct llm_usage used = {0};
    d->embedding_ms = (int64_t)(clock_ms() - d->started_ms);
    agent_count_embedding(r->agent, d->embedding, (uint64_t)d->embedding_ms,
                          failed, &used);
    if (!used.total)
        return;
    llm_usage_add(&r->tokens, &used);
    trace_write_embedding(r, &used, d->embedding_ms);
}

static struct next question_embedded(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct discovery *d = &r->discovery;
    count_embedding(r, false);
    return search(f, r->ontology->vectors, r->ontology->dimensions,
                  d->embedding->vectors);
}

/* Lexical vectors need no model. */
static struct next embedding_failed(struct flow *f)
{
    count_embedding(locals(f, struct run), true);
    return go(f, search_lexically);
}

/* Likewise. Forgetting the ontology makes the next run read the vectors, in
 * case pgvector is gone. */
static struct next search_failed(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (failure(f) == ERR_INTERNAL)
        ontology_invalidate(r->ontology);
    log_event(LOG_WARN, "datasets found by words",
              (struct log_field[]){{"run", str_of(r->message_id)},
                                   {"cause", str_of(err_name(failure(f)))},
                                   {NULL, {0}}});
    return go(f, search_lexically);
}
