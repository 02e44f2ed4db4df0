/* neo4j_drop.c - deletes the graph of an ontology from Neo4j.
 *
 * It holds copies only, so a Neo4j that cannot be reached does not keep an
 * ontology from being deleted: what is left there is never read again, and the
 * log says so. */
#include "base/clock.h"
#include "base/log.h"
#include "neo4j.h"
#include "store/graph_store.h"
#include "base/banned.h"

static struct next unmarked(struct flow *f), nodes_deleted(struct flow *f),
    drop_failed(struct flow *f), drop_ended(struct flow *f),
    deletion_begin(struct flow *f);

enum { DELETE_MS = 5000, TOTAL_MS = 60000, BATCH = 1000 };

struct graph_deletion {
    struct str ontology_id;
    struct neo4j_query query;
    uint64_t until;
};

static const char unmark_cypher[] =
    "MATCH (o:SextantOntology {ontology: $ontology}) DELETE o";

static const char delete_cypher[] =
    "MATCH (n:SextantDataset {ontology: $ontology})"
    " WITH n LIMIT $most DETACH DELETE n RETURN count(*)";

static struct next neo4j_drop_begin(struct flow *f)
{
    struct graph_projection *p = locals(f, struct graph_projection);
    if (!p->store->neo4j)
        return back(f);
    struct graph_deletion *d = here(f, struct graph_deletion);
    d->ontology_id = p->ontology_id;
    neo4j_query_init(f, &d->query, p->store->neo4j);
    d->query.total_ms = DELETE_MS;
    d->until = clock_ms() + TOTAL_MS;
    return attempt(f, deletion_begin, d, drop_ended, drop_failed);
}

static struct next drop_ended(struct flow *f)
{
    return back(f);
}

static struct next drop_failed(struct flow *f)
{
    const struct graph_projection *p = locals(f, struct graph_projection);
    log_event(LOG_WARN, "graph left in Neo4j",
              (struct log_field[]){{"ontology", p->ontology_id},
                                   {"cause", failure_text(f)},
                                   {NULL, {0}}});
    return back(f);
}

static struct next deletion_begin(struct flow *f)
{
    struct graph_deletion *d = locals(f, struct graph_deletion);
    struct json_writer *w = neo4j_statement(&d->query, unmark_cypher);
    json_field_str(w, "ontology", d->ontology_id);
    return call(f, neo4j_query_begin, &d->query, unmarked);
}

static struct next unmarked(struct flow *f)
{
    struct graph_deletion *d = locals(f, struct graph_deletion);
    struct json_writer *w = neo4j_statement(&d->query, delete_cypher);
    json_field_str(w, "ontology", d->ontology_id);
    json_field_int(w, "most", BATCH);
    return call(f, neo4j_query_begin, &d->query, nodes_deleted);
}

static struct next nodes_deleted(struct flow *f)
{
    struct graph_deletion *d = locals(f, struct graph_deletion);
    const json_t *row = json_array_get(d->query.rows, 0);
    if (json_integer_value(json_array_get(row, 0)) < BATCH)
        return back(f);
    if (clock_ms() >= d->until)
        return fail_because(f, ERR_UNAVAILABLE, "Neo4j takes too long");
    return go(f, unmarked);
}

const struct graph_store neo4j_graph = {
    .name = "neo4j",
    .drop_begin = neo4j_drop_begin,
};
