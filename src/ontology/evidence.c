/* evidence.c - see ontology/evidence.h. */
#include "ontology/evidence.h"
#include "base/buf.h"
#include "ontology/columns.h"
#include "ontology/graph.h"
#include "ontology/osi_write.h"
#include "base/banned.h"

/* ---- the value of a metric ------------------------------------------------ */

struct value_query {
    struct arena *arena;
    const struct ontology *o;
    struct join_tree tree;
    struct buf out;
    bool *joined; /* datasets in FROM */
};

/* A field whose name is no column: a query must define it. */
static bool is_defined(const struct dataset *d, const struct field *f)
{
    for (size_t i = 0; i < d->n_fields; i++)
        if (str_eq_nocase(d->fields[i].column, f->name))
            return false;
    return !str_eq_nocase(f->column, f->name);
}

/* The dataset under its own name, with its computed fields as columns. */
static void put_dataset(struct value_query *q, size_t dataset)
{
    const struct dataset *d = &q->o->datasets[dataset];
    struct str relation = dataset_relation(q->arena, d);
    size_t n = 0;
    q->joined[dataset] = true;
    for (size_t i = 0; i < d->n_fields; i++) {
        const struct field *f = &d->fields[i];
        if (!is_defined(d, f))
            continue;
        if (!n++) {
            buf_text(&q->out, "(select ");
            osi_write_name(&q->out, d->name);
            buf_text(&q->out, ".*");
        }
        buf_printf(&q->out, ", (\n%.*s\n) as ", STR_ARG(f->expression));
        osi_write_name(&q->out, f->name);
    }
    buf_text(&q->out, n ? " from " : "");
    buf_str(&q->out, relation);
    buf_text(&q->out, " as ");
    osi_write_name(&q->out, d->name);
    if (n) {
        buf_text(&q->out, ") as ");
        osi_write_name(&q->out, d->name);
    }
}

static void put_column(struct buf *out, struct str of, struct str column)
{
    osi_write_name(out, of);
    buf_char(out, '.');
    buf_quoted(out, column, '"');
}

static void put_condition(struct value_query *q, const struct relationship *r)
{
    for (size_t i = 0; i < r->from_columns.n; i++) {
        buf_text(&q->out, i ? " and " : "");
        put_column(&q->out, q->o->datasets[r->from].name,
                   r->from_columns.items[i]);
        buf_text(&q->out, " = ");
        put_column(&q->out, q->o->datasets[r->to].name, r->to_columns.items[i]);
    }
}

/* A dataset that no edge reaches as the one side: it has the finest rows. */
static size_t root_of(const struct value_query *q)
{
    for (size_t i = 0; i < q->tree.n_asked; i++) {
        bool one_side = false;
        for (size_t e = 0; e < q->tree.n_edges; e++)
            one_side |= q->o->relationships[q->tree.edges[e].relationship].to ==
                        q->tree.datasets[i];
        if (!one_side)
            return q->tree.datasets[i];
    }
    return q->tree.datasets[0];
}

/* Joins what an edge connects with the datasets that are there already; false
 * when there is no such edge. */
static bool put_next_join(struct value_query *q)
{
    for (size_t e = 0; e < q->tree.n_edges; e++) {
        const struct relationship *r =
            &q->o->relationships[q->tree.edges[e].relationship];
        if (q->joined[r->from] == q->joined[r->to])
            continue;
        buf_text(&q->out, "\nleft join ");
        put_dataset(q, q->joined[r->from] ? r->to : r->from);
        buf_text(&q->out, " on ");
        put_condition(q, r);
        return true;
    }
    return false;
}

struct str metric_value_sql(struct arena *arena, const struct ontology *o,
                            const struct metric *m, struct str *problem)
{
    struct value_query q = {.arena = arena, .o = o};
    *problem = STR("");
    if (!m->n_datasets) {
        *problem = STR("The expression names no field, so it is not clear "
                       "which rows it is about. Name one with its dataset.");
        return STR("");
    }
    ontology_join_tree(arena, o, m->datasets, m->n_datasets, &q.tree);
    if (q.tree.n_apart) {
        *problem = STR("No relationship connects the datasets that the "
                       "expression names.");
        return STR("");
    }
    q.joined = arena_new_array(arena, bool, o->n_datasets);
    buf_init(&q.out, arena);
    buf_printf(&q.out, "select (\n%.*s\n) as value\nfrom ",
               STR_ARG(m->expression));
    put_dataset(&q, root_of(&q));
    while (put_next_join(&q))
        continue;
    return buf_finish(&q.out);
}

/* ---- the rows of a relationship ------------------------------------------- */

static void put_columns(struct buf *out, const char *of,
                        struct str_list columns)
{
    for (size_t i = 0; i < columns.n; i++) {
        buf_printf(out, "%s%s.", i ? ", " : "", of);
        buf_quoted(out, columns.items[i], '"');
    }
}

static void put_equal(struct buf *out, const struct relationship *r)
{
    for (size_t i = 0; i < r->from_columns.n; i++) {
        buf_text(out, i ? " and o." : "o.");
        buf_quoted(out, r->to_columns.items[i], '"');
        buf_text(out, " = m.");
        buf_quoted(out, r->from_columns.items[i], '"');
    }
}

static void put_not_null(struct buf *out, const char *of,
                         struct str_list columns)
{
    for (size_t i = 0; i < columns.n; i++) {
        buf_printf(out, "%s%s.", i ? " and " : "", of);
        buf_quoted(out, columns.items[i], '"');
        buf_text(out, " is not null");
    }
}

struct str relationship_evidence_sql(struct arena *arena,
                                     const struct ontology *o,
                                     const struct relationship *r)
{
    struct str many = dataset_relation(arena, &o->datasets[r->from]);
    struct str one = dataset_relation(arena, &o->datasets[r->to]);
    struct buf out;
    buf_init(&out, arena);
    buf_text(&out, "with m as (select ");
    put_columns(&out, "t", r->from_columns);
    buf_printf(&out, " from %.*s as t limit %d)\nselect", STR_ARG(many),
               EVIDENCE_ROWS);
    buf_text(&out, " (select count(*) from m) as rows_read,\n"
                   " (select count(*) from m where ");
    put_not_null(&out, "m", r->from_columns);
    buf_text(&out, ") as rows_with_key,\n (select count(*) from m where "
                   "exists (select 1 from ");
    buf_printf(&out, "%.*s as o where ", STR_ARG(one));
    put_equal(&out, r);
    buf_printf(&out,
               ")) as rows_matched,\n (select count(*) from %.*s as o) "
               "as one_rows,\n (select count(*) from (select distinct ",
               STR_ARG(one));
    put_columns(&out, "o", r->to_columns);
    buf_printf(&out, " from %.*s as o where ", STR_ARG(one));
    put_not_null(&out, "o", r->to_columns);
    buf_text(&out, ") as k) as one_keys");
    return buf_finish(&out);
}
