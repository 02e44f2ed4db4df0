#include "store/ontologies.h"
#include "base/mem.h"
#include "ontology/columns.h"
#include "ontology/model_json.h"
#include "rows.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

/* ---- in memory ---------------------------------------------------------- */

enum { CACHED = 64, PROBLEM = 256 };

struct ontology_cache {
    struct held_ontology *first;
};

static void held_free(struct held_ontology *h)
{
    for (size_t i = 0; i < PASSED_TEXTS; i++)
        mem_free(h->passed[i]);
    arena_done(&h->arena);
    mem_free(h);
}

static struct held_ontology *find(struct store *s, struct str id, int version)
{
    if (!s->ontologies)
        s->ontologies = mem_new(struct ontology_cache);
    for (struct held_ontology *h = s->ontologies->first; h; h = h->next)
        if (h->version == version && str_is(id, h->id))
            return h;
    return NULL;
}

/* Drops what nobody holds beyond the cache's size, the oldest first. */
static void trim(struct ontology_cache *c)
{
    int count = 0;
    for (struct held_ontology **at = &c->first; *at;) {
        struct held_ontology *h = *at;
        if (++count <= CACHED || h->holders) {
            at = &h->next;
            continue;
        }
        *at = h->next;
        held_free(h);
    }
}

void ontology_cache_free(struct store *s)
{
    while (s->ontologies && s->ontologies->first) {
        struct held_ontology *h = s->ontologies->first;
        s->ontologies->first = h->next;
        held_free(h);
    }
    mem_free(s->ontologies);
    s->ontologies = NULL;
}

bool ontology_passed(const struct held_ontology *held, struct str sql)
{
    for (size_t i = 0; i < PASSED_TEXTS && held->passed[i]; i++)
        if (str_is(sql, held->passed[i]))
            return true;
    return false;
}

void ontology_pass(struct held_ontology *held, struct str sql)
{
    if (sql.len > PASSED_MOST || memchr(sql.ptr, 0, sql.len))
        return;
    char **place = &held->passed[held->n_passed++ % PASSED_TEXTS];
    mem_free(*place);
    *place = mem_copy(sql.ptr, sql.len);
}

static void let_go(void *held)
{
    ((struct held_ontology *)held)->holders--;
}

static struct next hold(struct flow *f, struct held_ontology *h)
{
    struct ontology_hold *o = locals(f, struct ontology_hold);
    h->holders++;
    defer_kept(f, let_go, h);
    o->held = h;
    return back(f);
}

static const struct statement hold_statement = {
    .name = "ontologies.hold",
    .again = true,
    .sql = "select s.model::text, o.embedding_model, o.embedding_size,"
           "   (select encode(string_agg(e.vector, ''::bytea order by e.dataset),"
           "      'base64') from ontology_embeddings e"
           "      where e.ontology_id = o.id), o.version"
           " from ontologies o join semantic_models s"
           "   on s.id = o.semantic_model_id"
           " where o.id = $1::uuid and o.status = 'ready'"
           "   and o.deleted_at is null",
};

static struct next ontology_read(struct flow *f);

struct next ontology_hold_begin(struct flow *f)
{
    struct ontology_hold *o = locals(f, struct ontology_hold);
    struct held_ontology *h = find(o->store, o->id, o->version);
    if (h)
        return hold(f, h);
    o->query = query_new(f, o->store->system, &hold_statement);
    query_str(f, o->query, o->id);
    query_begin(f, o->query);
    return await(f, ontology_read);
}

/* PostgreSQL breaks base64 into lines. */
static struct str without_breaks(struct arena *arena, struct str text)
{
    char *out = arena_alloc(arena, text.len + 1);
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] != '\n')
            out[n++] = text.ptr[i];
    return (struct str){out, n};
}

static void take_vectors(struct held_ontology *h, const struct query *q,
                         struct str text)
{
    struct str bytes;
    size_t dimensions = (size_t)query_cell_int(q, 0, 2);
    if (!dimensions || !base64_decode(&h->arena, text, &bytes) ||
        bytes.len != h->model->n_datasets * dimensions * sizeof(float))
        return;
    h->embedding_model = arena_str(&h->arena, query_cell(q, 0, 1));
    h->vectors = (const float *)(const void *)bytes.ptr;
    h->dimensions = dimensions;
}

/* What the heap holds is made last, when no memory of the flow is asked for any
 * more. */
static struct held_ontology *held_new(struct query *q, struct str id,
                                      struct str vectors, char why[PROBLEM])
{
    struct str text = query_cell(q, 0, 0), problem = STR("not JSON");
    json_t *json = json_loadb(text.ptr, text.len, 0, NULL);
    struct held_ontology *h = mem_new(struct held_ontology);
    arena_init(&h->arena, 0);
    h->model = json ? ontology_from_json(&h->arena, json, &problem) : NULL;
    json_decref(json);
    if (!h->model) {
        snprintf(why, PROBLEM, "%.*s", STR_ARG(problem));
        held_free(h);
        return NULL;
    }
    memcpy(h->id, id.ptr, UUID_SIZE - 1);
    h->version = (int)query_cell_int(q, 0, 4);
    h->relations = ontology_relations(&h->arena, h->model);
    take_vectors(h, q, vectors);
    return h;
}

static struct next ontology_read(struct flow *f)
{
    struct ontology_hold *o = locals(f, struct ontology_hold);
    char why[PROBLEM];
    if (o->query->n_rows == 0)
        return fail(f, ERR_NOT_FOUND);
    int version = (int)query_cell_int(o->query, 0, 4);
    struct held_ontology *held = find(o->store, o->id, version);
    if (held) /* others began to read it at the same time */
        return hold(f, held);
    struct str vectors =
        without_breaks(flow_here(f), query_cell(o->query, 0, 3));
    struct held_ontology *h = held_new(o->query, o->id, vectors, why);
    if (!h)
        return fail_because(f, ERR_INTERNAL, "stored model: %s", why);
    h->next = o->store->ontologies->first;
    o->store->ontologies->first = h;
    trim(o->store->ontologies);
    return hold(f, h);
}

/* ---- lists -------------------------------------------------------------- */

#define VISIBLE                                                                \
    " where o.deleted_at is null and (o.owner_id = $1::uuid"                   \
    "     or o.visibility = 'shared' or $2::boolean)"                          \
    "   and ($3 = '' or o.id = nullif($3, '')::uuid)"                          \
    "   and ($6 = '' or o.semantic_model_id = nullif($6, '')::uuid)"

/* A page past the end still tells the total. */
static const struct statement page_statement = {
    .name = "ontologies.page",
    .again = true,
    .sql = "select p.id, p.name, p.description, p.semantic_model_id, p.owner_id,"
           "   p.status, p.visibility, p.dataset_count, p.node_count,"
           "   p.relationship_count, " SQL_TIME("p.created_at") ","
           "   " SQL_TIME("p.updated_at") ", t.total, p.version,"
           "   p.failure, p.embedding_model"
           " from (select count(*) as total from ontologies o" VISIBLE ") t"
           " left join (select o.* from ontologies o" VISIBLE
           "   order by o.created_at desc, o.id limit $4::int offset $5::int)"
           "   p on true order by p.created_at desc, p.id",
};

static struct next ontologies_listed(struct flow *f);

struct next ontology_page_begin(struct flow *f)
{
    struct ontology_page *p = locals(f, struct ontology_page);
    struct query *q = p->query = query_new(f, p->store->system, &page_statement);
    query_str(f, q, p->user_id);
    query_bool(q, p->all);
    query_str(f, q, p->ontology_id);
    query_int(f, q, p->page_size);
    query_int(f, q, (int64_t)(p->page - 1) * p->page_size);
    query_str(f, q, p->model_id);
    query_begin(f, q);
    return await(f, ontologies_listed);
}

static struct next ontologies_listed(struct flow *f)
{
    struct ontology_page *p = locals(f, struct ontology_page);
    struct query *q = p->query = rows_keep(f, p->query);
    p->total = query_cell_int(q, 0, 12);
    if (query_is_null(q, 0, 0))
        q->n_rows = 0;
    if (q->n_rows) {
        p->owner_id = query_cell(q, 0, 4);
        p->status = query_cell(q, 0, 5);
        p->version = (int)query_cell_int(q, 0, 13);
    }
    return back(f);
}

void ontology_write(struct json_writer *w, const struct query *q, int row)
{
    static const char *const texts[] = {"id", "name", "description",
                                        "semanticModelId", "ownerId", "status",
                                        "visibility"};
    static const char *const counts[] = {"datasetCount", "nodeCount",
                                         "relationshipCount"};
    for (int i = 0; i < 7; i++)
        row_field_str(w, texts[i], q, row, i);
    for (int i = 0; i < 3; i++)
        json_field_raw(w, counts[i], query_cell(q, row, 7 + i));
    row_field_str(w, "failure", q, row, 14);
    row_field_str(w, "embeddingModel", q, row, 15);
    json_field_str(w, "createdAt", query_cell(q, row, 10));
    json_field_str(w, "updatedAt", query_cell(q, row, 11));
}
