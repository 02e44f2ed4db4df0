/* graph_search.c - see store/graph_search.h.
 *
 *   search_due -> searched -> back
 *                    | Neo4j lacks this version
 *                    \-> schema_due … -> counted -> datasets_due … ->
 *                        edges_due … -> marked -> old_due … -> search_due
 *
 * The nodes of a version are complete when its marker (SextantOntology) exists.
 * Batches are written in order, so the number of nodes says where an
 * interrupted projection goes on. Every write is a MERGE: two processes may
 * project the same version at a time. The two versions that were projected last
 * are kept, because runs in progress use the version before. */
#include "store/graph_search.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "neo4j.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

static struct next search_due(struct flow *f), searched(struct flow *f),
    schema_due(struct flow *f), schema_made(struct flow *f),
    counted(struct flow *f), datasets_due(struct flow *f),
    datasets_put(struct flow *f), edges_due(struct flow *f),
    edges_put(struct flow *f), marked(struct flow *f), old_due(struct flow *f),
    old_deleted(struct flow *f), search_ended(struct flow *f);

enum {
    TOTAL_MS = 10000,    /* a run waits so long for a projection */
    STATEMENT_MS = 5000, /* or what is left of it */
    DATASETS = 16,       /* a batch; about 300 KB with 1,536 dimensions */
    EDGES = 256,
    OLD = 1000,
    YAML_MOST = 24000,
    SCHEMA_TEXT = 320,
};

struct graph_work {
    struct graph_search in;
    struct neo4j_query query;
    uint64_t until;
    size_t at;      /* schema, datasets or edges that are done */
    bool projected; /* by this search */
    char schema[SCHEMA_TEXT];
};

/* Writes the parameters that every statement about a version has. */
static struct json_writer *version_statement(struct graph_work *g,
                                             const char *cypher)
{
    struct json_writer *w = neo4j_statement(&g->query, cypher);
    json_field_text(w, "ontology", g->in.held->id);
    json_field_int(w, "version", g->in.held->version);
    return w;
}

static struct next run_statement(struct flow *f, struct graph_work *g,
                                 step_fn *then, const char *name)
{
    uint64_t now = clock_ms();
    if (now >= g->until)
        return fail_because(f, ERR_UNAVAILABLE,
                            "Neo4j is still being filled with this version");
    uint64_t left = g->until - now;
    g->query.total_ms = left < STATEMENT_MS ? (unsigned)left : STATEMENT_MS;
    return flow_call(f, neo4j_query_begin, "neo4j_query_begin", &g->query, then,
                     name, NULL, NULL);
}
#define run_then(f, g, step) run_statement(f, g, step, #step)

struct next graph_search_begin(struct flow *f)
{
    const struct graph_search *in = locals(f, struct graph_search);
    if (!neo4j_may_ask(in->store->neo4j))
        return fail_because(f, ERR_UNAVAILABLE, "Neo4j failed a moment ago");
    struct graph_work *g = here(f, struct graph_work);
    *g = (struct graph_work){.in = *in, .until = clock_ms() + TOTAL_MS};
    neo4j_query_init(f, &g->query, in->store->neo4j);
    return call(f, search_due, g, search_ended);
}

static struct next search_ended(struct flow *f)
{
    return back(f);
}

/* ---- the search --------------------------------------------------------- */

/* %.9g tells every float from its neighbors. */
static void put_vector(struct json_writer *w, const float *v, size_t n)
{
    char text[32];
    json_put_array(w);
    for (size_t i = 0; i < n; i++) {
        snprintf(text, sizeof text, "%.9g", isfinite(v[i]) ? v[i] : 0);
        json_put_raw(w, str_of(text));
    }
    json_put_array_end(w);
}

/* Neo4j's similarity is (1 + cosine) / 2. The nearest datasets, and those that
 * are as near as the last of them: similarity_offer decides between equals. */
static const char search_cypher[] =
    "MATCH (:SextantOntology {ontology: $ontology, version: $version})"
    " MATCH (n:SextantDataset {ontology: $ontology, version: $version})"
    " WITH n.position AS position, coalesce(2 *"
    "   vector.similarity.cosine(n.embedding, $question) - 1, 0) AS score"
    " ORDER BY score DESC"
    " WITH collect([position, score]) AS found"
    " UNWIND found AS one"
    " WITH one, found[CASE WHEN size(found) < $most THEN size(found)"
    "   ELSE $most END - 1][1] AS least"
    " WHERE one[1] >= least"
    " RETURN one[0], one[1]";

static struct next search_due(struct flow *f)
{
    struct graph_work *g = locals(f, struct graph_work);
    const struct similarity *s = g->in.search;
    struct json_writer *w = version_statement(g, search_cypher);
    json_field_int(w, "most", (int64_t)s->top_k);
    json_put_key(w, "question");
    put_vector(w, s->query, s->dimensions);
    return run_then(f, g, searched);
}

static struct next searched(struct flow *f)
{
    struct graph_work *g = locals(f, struct graph_work);
    const json_t *rows = g->query.rows;
    size_t n = g->in.held->model->n_datasets;
    if (json_array_size(rows) == 0 && n > 0) {
        if (g->projected)
            return fail_because(f, ERR_UNAVAILABLE,
                                "Neo4j lost what it was filled with");
        g->at = 0;
        return go(f, schema_due);
    }
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const json_t *position = json_array_get(row, 0);
        json_int_t at = json_integer_value(position);
        if (json_is_integer(position) && at >= 0 && (size_t)at < n)
            similarity_offer(
                g->in.search,
                (struct similar){(size_t)at, (float)json_number_value(
                                                 json_array_get(row, 1))});
    }
    return back(f);
}

/* ---- the schema --------------------------------------------------------- */

/* Other applications may use the label Dataset: ours is SextantDataset. The
 * vector index serves other clients of the graph. */
static const char *const schema[] = {
    "CREATE CONSTRAINT sextant_dataset IF NOT EXISTS"
    " FOR (n:SextantDataset) REQUIRE n.key IS UNIQUE",
    "CREATE CONSTRAINT sextant_ontology IF NOT EXISTS"
    " FOR (n:SextantOntology) REQUIRE n.key IS UNIQUE",
    "CREATE INDEX sextant_dataset_version IF NOT EXISTS"
    " FOR (n:SextantDataset) ON (n.ontology, n.version)",
    "CREATE VECTOR INDEX sextant_embedding_%zu IF NOT EXISTS"
    " FOR (n:SextantEmbedding%zu) ON (n.embedding)"
    " OPTIONS {indexConfig: {`vector.dimensions`: %zu,"
    " `vector.similarity_function`: 'cosine'}}"};
enum { SCHEMA = sizeof schema / sizeof *schema };

static const char count_cypher[] =
    "MATCH (n:SextantDataset {ontology: $ontology, version: $version})"
    " RETURN count(n)";

static struct next schema_due(struct flow *f)
{
    struct graph_work *g = locals(f, struct graph_work);
    size_t size = g->in.held->dimensions;
    if (g->at == SCHEMA || neo4j_has_schema(g->query.neo4j, size)) {
        neo4j_note_schema(g->query.neo4j, size);
        version_statement(g, count_cypher);
        return run_then(f, g, counted);
    }
    if (g->at < SCHEMA - 1) {
        neo4j_statement(&g->query, schema[g->at]);
        return run_then(f, g, schema_made);
    }
    snprintf(g->schema, sizeof g->schema, schema[SCHEMA - 1], size, size, size);
    neo4j_statement(&g->query, g->schema);
    return run_then(f, g, schema_made);
}

static struct next schema_made(struct flow *f)
{
    locals(f, struct graph_work)->at++;
    return go(f, schema_due);
}

static struct next counted(struct flow *f)
{
    struct graph_work *g = locals(f, struct graph_work);
    const json_t *row = json_array_get(g->query.rows, 0);
    json_int_t n = json_integer_value(json_array_get(row, 0));
    g->at = n > 0 ? (size_t)n : 0;
    return go(f, datasets_due);
}

/* ---- nodes and relationships -------------------------------------------- */

static void put_dataset_key(struct json_writer *w, const char *name,
                            const struct graph_work *g, size_t dataset)
{
    char key[UUID_SIZE + 48];
    snprintf(key, sizeof key, "%s/%d/%zu", g->in.held->id, g->in.held->version,
             dataset);
    json_field_text(w, name, key);
}

static bool is_zero(const float *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (v[i] != 0)
            return false;
    return true;
}

static void put_dataset(struct json_writer *w, const struct graph_work *g,
                        size_t i)
{
    const struct cached_ontology *held = g->in.held;
    const struct dataset *d = &held->model->datasets[i];
    const float *vector = held->vectors + i * held->dimensions;
    json_put_object(w);
    put_dataset_key(w, "key", g, i);
    json_field_object(w, "set");
    json_field_text(w, "ontology", held->id);
    json_field_int(w, "version", held->version);
    json_field_int(w, "position", (int64_t)i);
    json_field_str(w, "name", d->name);
    json_field_str(w, "description", d->description);
    json_field_str(w, "source", d->source);
    json_field_str(w, "yaml", utf8_cut(d->yaml, YAML_MOST));
    json_field_str(w, "embeddingModel", held->embedding_model);
    json_put_key(w, "embedding");
    if (is_zero(vector, held->dimensions)) /* no cosine */
        json_put_null(w);
    else
        put_vector(w, vector, held->dimensions);
    json_put_object_end(w);
    json_put_object_end(w);
}

static struct next datasets_due(struct flow *f)
{
    struct graph_work *g = locals(f, struct graph_work);
    const struct cached_ontology *held = g->in.held;
    if (g->at >= held->model->n_datasets) {
        g->at = 0;
        return go(f, edges_due);
    }
    snprintf(g->schema, sizeof g->schema,
             "UNWIND $rows AS row MERGE (n:SextantDataset {key: row.key})"
             " SET n:Dataset:SextantEmbedding%zu, n += row.set",
             held->dimensions);
    struct json_writer *w = neo4j_statement(&g->query, g->schema);
    json_field_array(w, "rows");
    for (size_t i = g->at; i < held->model->n_datasets && i < g->at + DATASETS;
         i++)
        put_dataset(w, g, i);
    json_put_array_end(w);
    return run_then(f, g, datasets_put);
}

static struct next datasets_put(struct flow *f)
{
    locals(f, struct graph_work)->at += DATASETS;
    return go(f, datasets_due);
}

static void put_edge(struct json_writer *w, const struct graph_work *g,
                     size_t i)
{
    const struct relationship *r = &g->in.held->model->relationships[i];
    json_put_object(w);
    json_field_int(w, "position", (int64_t)i);
    put_dataset_key(w, "from", g, r->from);
    put_dataset_key(w, "to", g, r->to);
    json_field_object(w, "set");
    json_field_str(w, "name", r->name);
    json_field_str(w, "description", r->description);
    json_field_strs(w, "fromColumns", r->from_columns.items, r->from_columns.n);
    json_field_strs(w, "toColumns", r->to_columns.items, r->to_columns.n);
    json_field_bool(w, "toIsKey", r->to_is_key);
    json_put_object_end(w);
    json_put_object_end(w);
}

static const char edges_cypher[] =
    "UNWIND $rows AS row MATCH (a:SextantDataset {key: row.from}),"
    " (b:SextantDataset {key: row.to})"
    " MERGE (a)-[r:RELATES_TO {position: row.position}]->(b) SET r += row.set";

static const char mark_cypher[] =
    "MERGE (o:SextantOntology {key: $ontology + '/' + toString($version)})"
    " SET o.ontology = $ontology, o.version = $version, o.name = $name,"
    " o.projectedAt = timestamp()";

static struct next edges_due(struct flow *f)
{
    struct graph_work *g = locals(f, struct graph_work);
    const struct ontology *o = g->in.held->model;
    if (g->at >= o->n_relationships) {
        struct json_writer *w = version_statement(g, mark_cypher);
        json_field_str(w, "name", o->name);
        return run_then(f, g, marked);
    }
    struct json_writer *w = neo4j_statement(&g->query, edges_cypher);
    json_field_array(w, "rows");
    for (size_t i = g->at; i < o->n_relationships && i < g->at + EDGES; i++)
        put_edge(w, g, i);
    json_put_array_end(w);
    return run_then(f, g, edges_put);
}

static struct next edges_put(struct flow *f)
{
    locals(f, struct graph_work)->at += EDGES;
    return go(f, edges_due);
}

/* ---- older versions ----------------------------------------------------- */

/* Markers first: none may claim a version that is partly deleted. */
static const char unmark_cypher[] =
    "MATCH (o:SextantOntology {ontology: $ontology})"
    " WITH o ORDER BY o.projectedAt DESC SKIP 2 DELETE o";

static const char old_cypher[] =
    "MATCH (o:SextantOntology {ontology: $ontology})"
    " WITH collect(o.version) AS kept"
    " MATCH (n:SextantDataset {ontology: $ontology})"
    " WHERE n.version < $version AND NOT n.version IN kept"
    " WITH n LIMIT $most DETACH DELETE n RETURN count(*)";

static struct next marked(struct flow *f)
{
    struct graph_work *g = locals(f, struct graph_work);
    g->projected = true;
    version_statement(g, unmark_cypher);
    return run_then(f, g, old_due);
}

static struct next old_due(struct flow *f)
{
    struct graph_work *g = locals(f, struct graph_work);
    struct json_writer *w = version_statement(g, old_cypher);
    json_field_int(w, "most", OLD);
    return run_then(f, g, old_deleted);
}

static struct next old_deleted(struct flow *f)
{
    struct graph_work *g = locals(f, struct graph_work);
    const json_t *row = json_array_get(g->query.rows, 0);
    if (json_integer_value(json_array_get(row, 0)) >= OLD)
        return go(f, old_due);
    return go(f, search_due);
}
