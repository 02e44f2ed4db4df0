/* cli_ontology.c - finds the ontology that a command asks about. */
#include "cli.h"
#include "store/rows.h"
#include "base/banned.h"

#define ONTOLOGY_ROW(FIRST, X) \
    FIRST(uuid, id, "o.id") \
    X(text, name, "o.name") \
    X(uuid, connection_id, "s.connection_id")
#define ONTOLOGY_COLUMNS ROW_SQL(ONTOLOGY_ROW)

static const struct statement ontology_statement = {
    .name = "cmd.ontologies",
    .again = true,
    .sql = "select " ONTOLOGY_COLUMNS " from ontologies o"
           " join semantic_models s on s.id = o.semantic_model_id"
           " where o.status = 'ready' and o.deleted_at is null"
           " and ($1 = '' or o.name = $1 or o.id::text = $1"
           "   or exists (select from file_sets x where x.id::text = $1"
           "     and x.ontology_id = o.id and x.deleted_at is null))"
           " order by o.updated_at desc, o.id",
};

enum { NAMES_SHOWN = 5 };

static const struct statement names_statement = {
    .name = "cmd.ontologies.names",
    .again = true,
    .sql = "select o.name from ontologies o"
           " where o.status = 'ready' and o.deleted_at is null"
           " group by o.name order by max(o.updated_at) desc, o.name limit 6",
};

static struct next ontologies_known(struct flow *f),
    names_known(struct flow *f);

struct next cli_ontology_begin(struct flow *f)
{
    struct cli_ontology *o = locals(f, struct cli_ontology);
    o->query = query_new(f, o->cli->engine.pool, &ontology_statement);
    query_str(f, o->query, o->wanted);
    query_begin(f, o->query);
    return await(f, ontologies_known);
}

static struct next ontologies_known(struct flow *f)
{
    struct cli_ontology *o = locals(f, struct cli_ontology);
    struct arena *arena = &o->cli->arena;
    const struct query *q = o->query;
    o->n = q->n_rows;
    if (!o->n && o->wanted.len) {
        o->query = query_new(f, o->cli->engine.pool, &names_statement);
        query_begin(f, o->query);
        return await(f, names_known);
    }
    if (!o->n)
        return fail_because(
            f, ERR_NOT_FOUND,
            "there is no ontology yet: run `sextant demo load`, or `sextant "
            "connection add` and `sextant import`");
    ROW_READ(ONTOLOGY_ROW, o, row_copies(q, 0, arena));
    return back(f);
}

/* It does not exist: the message lists those that do, newest first. */
static struct next names_known(struct flow *f)
{
    struct cli_ontology *o = locals(f, struct cli_ontology);
    const struct query *q = o->query;
    struct buf names;
    buf_init(&names, flow_here(f));
    for (int i = 0; i < q->n_rows && i < NAMES_SHOWN; i++) {
        buf_text(&names, i ? ", " : "; there are: ");
        buf_str(&names, ROW_VALUE(text, row_slices(q, i)));
    }
    if (q->n_rows > NAMES_SHOWN)
        buf_text(&names, ", …");
    return fail_because(f, ERR_NOT_FOUND, "there is no ontology \"%.*s\"%.*s",
                        STR_ARG(o->wanted), STR_ARG(buf_view(&names)));
}
