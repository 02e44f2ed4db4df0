/* graph_store.c - projects ontologies to the graph stores, one after another,
 * and drops them. */
#include "store/graph_store.h"
#include "base/banned.h"

static step_fn project_next, drop_next;

static const struct graph_store *const stores[] = {&postgres_graph,
                                                   &neo4j_graph};
enum { STORES = sizeof stores / sizeof *stores };

struct next graphs_project_begin(struct flow *f)
{
    locals(f, struct graph_projection)->at = 0;
    return go(f, project_next);
}

static struct next project_next(struct flow *f)
{
    struct graph_projection *p = locals(f, struct graph_projection);
    if (p->at == STORES)
        return back(f);
    const struct graph_store *store = stores[p->at++];
    if (!store->project_begin)
        return go(f, project_next);
    return flow_call(f, store->project_begin, store->name, p, project_next,
                     "project_next", NULL, NULL);
}

struct next graphs_drop_begin(struct flow *f)
{
    locals(f, struct graph_projection)->at = 0;
    return go(f, drop_next);
}

static struct next drop_next(struct flow *f)
{
    struct graph_projection *p = locals(f, struct graph_projection);
    if (p->at == STORES)
        return back(f);
    const struct graph_store *store = stores[p->at++];
    return flow_call(f, store->drop_begin, store->name, p, drop_next,
                     "drop_next", NULL, NULL);
}
