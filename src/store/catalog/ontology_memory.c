/* ontology_memory.c - the cache of ontologies: read from the database once,
 * held while runs use them, then kept within a budget of bytes.
 *
 *   ontology_acquire_begin -> ontology_read -> ontology_made
 *
 * A large one (a thousand tables are megabytes of JSON and of vectors) is
 * parsed on another thread. */
#include "../rows.h"
#include "ontology_vectors.h"
#include "base/mem.h"
#include "loop/wait.h"
#include "ontology/columns.h"
#include "ontology/model_json.h"
#include "ontology/similarity.h"
#include "store/ontologies.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

static step_fn ontology_read, ontology_made;

enum {
    BUDGET = 256 * 1024 * 1024, /* bytes of unused ontologies */
    MOST_HELD = 1024,           /* unused ontologies */
    LARGE = 128 * 1024,         /* bytes; more are parsed on another thread */
    PROBLEM = 256,
    FORGOTTEN = 0, /* a version that no lookup finds */
};

struct ontology_cache {
    struct cached_ontology *first; /* the most recently used first */
};

static void passed_free(struct passed_text *text)
{
    mem_free(text->sql);
    mem_free(text->calls);
    *text = (struct passed_text){0};
}

static void held_free(struct cached_ontology *h)
{
    for (size_t i = 0; i < PASSED_TEXTS; i++)
        passed_free(&h->passed[i]);
    analysis_cache_done(&h->judged);
    survey_free(&h->survey);
    arena_done(&h->arena);
    mem_free(h);
}

static void cache_put_first(struct ontology_cache *c, struct cached_ontology *h)
{
    h->next = c->first;
    c->first = h;
}

static struct cached_ontology *cache_find(struct store *s, struct str id,
                                          int version)
{
    if (!s->ontologies)
        s->ontologies = mem_new(struct ontology_cache);
    for (struct cached_ontology **at = &s->ontologies->first; *at;
         at = &(*at)->next) {
        struct cached_ontology *h = *at;
        if (h->version != version || !str_is(id, h->id))
            continue;
        *at = h->next;
        cache_put_first(s->ontologies, h);
        return h;
    }
    return NULL;
}

/* Frees unused ontologies beyond the budget, the least recently used first. */
static void cache_trim(struct ontology_cache *c)
{
    size_t bytes = 0, n = 0;
    for (struct cached_ontology **at = &c->first; *at;) {
        struct cached_ontology *h = *at;
        bytes += h->arena.total + h->judged.bytes + h->survey.bytes;
        if (h->holders ||
            (h->version != FORGOTTEN && bytes <= BUDGET && ++n <= MOST_HELD)) {
            at = &h->next;
            continue;
        }
        *at = h->next;
        held_free(h);
    }
}

void ontology_invalidate(struct cached_ontology *held)
{
    held->version = FORGOTTEN;
}

void ontology_cache_free(struct store *s)
{
    while (s->ontologies && s->ontologies->first) {
        struct cached_ontology *h = s->ontologies->first;
        s->ontologies->first = h->next;
        held_free(h);
    }
    mem_free(s->ontologies);
    s->ontologies = NULL;
}

const char *ontology_passed_calls(const struct cached_ontology *held,
                                  struct str sql)
{
    for (size_t i = 0; i < PASSED_TEXTS && held->passed[i].sql; i++)
        if (str_is(sql, held->passed[i].sql))
            return held->passed[i].calls;
    return NULL;
}

void ontology_pass(struct cached_ontology *held, struct str sql,
                   struct str calls)
{
    if (sql.len > PASSED_MOST || calls.len > PASSED_MOST ||
        memchr(sql.ptr, 0, sql.len))
        return;
    struct passed_text *place = &held->passed[held->n_passed++ % PASSED_TEXTS];
    passed_free(place);
    place->sql = mem_copy(sql.ptr, sql.len);
    place->calls = mem_copy(calls.ptr, calls.len);
}

static void held_release(void *held)
{
    ((struct cached_ontology *)held)->holders--;
}

static struct next held_acquire(struct flow *f, struct cached_ontology *h)
{
    struct ontology_acquire *o = locals(f, struct ontology_acquire);
    h->holders++;
    defer_kept(f, held_release, h);
    o->held = h;
    return back(f);
}

/* ---- reading ------------------------------------------------------------ */

#define HELD_ROW(FIRST, X) \
    FIRST(json, model, "s.model::text") \
    X(text, embedding_model, "o.embedding_model") \
    X(int64, dimensions, "o.embedding_size") \
    X(text, vectors, \
      "case when not p.searches then (select encode(" \
      "     string_agg(e.vector, ''::bytea order by e.dataset), 'base64')" \
      "   from ontology_embeddings e where e.ontology_id = o.id) end") \
    X(int32, version, "o.version") \
    X(boolean, by_pgvector, "p.searches")
#define HELD_COLUMNS ROW_SQL(HELD_ROW)
ROW_STRUCT(held_row, HELD_ROW);

/* Vectors are not read when pgvector can search all of them. */
static const struct statement hold_statement = {
    .name = "ontologies.hold",
    .again = true,
    .sql = "select " HELD_COLUMNS " from ontologies o join semantic_models s"
           "   on s.id = o.semantic_model_id,"
           " lateral (select " PGVECTOR_IS_THERE " and"
           "     o.dataset_count > 0 and o.dataset_count = (select"
           "       count(e.elements) from ontology_embeddings e"
           "       where e.ontology_id = o.id) as searches) p"
           " where o.id = $1::uuid and o.status = 'ready'"
           "   and o.deleted_at is null",
};

/* The job that parses a row. It may run on another thread, so it allocates
 * nothing from a flow. */
struct ontology_reading {
    struct work work;
    struct held_row row;          /* lives as long as the query's frame */
    struct cached_ontology *held; /* out; NULL: see why */
    char why[PROBLEM];
};

struct next ontology_acquire_begin(struct flow *f)
{
    struct ontology_acquire *o = locals(f, struct ontology_acquire);
    struct cached_ontology *h = cache_find(o->store, o->id, o->version);
    if (h)
        return held_acquire(f, h);
    o->query = query_new(f, o->store->system, &hold_statement);
    query_str(f, o->query, o->id);
    query_begin(f, o->query);
    return await(f, ontology_read);
}

/* PostgreSQL's encode() puts line breaks into base64. */
static struct str without_breaks(struct arena *arena, struct str text)
{
    char *out = arena_alloc(arena, text.len + 1);
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] != '\n')
            out[n++] = text.ptr[i];
    return (struct str){out, n};
}

static void reading_name_vectors(struct cached_ontology *h,
                                 const struct ontology_reading *r)
{
    h->embedding_model = arena_str(&h->arena, r->row.embedding_model);
    h->dimensions = (size_t)r->row.dimensions;
}

static void reading_vectors(struct cached_ontology *h,
                            const struct ontology_reading *r)
{
    struct arena spare;
    struct str bytes;
    h->by_pgvector = r->row.by_pgvector;
    if (h->by_pgvector) {
        reading_name_vectors(h, r);
        return;
    }
    arena_init(&spare, 0);
    struct str text = without_breaks(&spare, r->row.vectors);
    size_t dimensions = (size_t)r->row.dimensions;
    if (dimensions && base64_decode(&h->arena, text, &bytes) &&
        bytes.len == h->model->n_datasets * dimensions * sizeof(float)) {
        reading_name_vectors(h, r);
        h->vectors = (const float *)(const void *)bytes.ptr;
    }
    arena_done(&spare);
}

/* Lexical vectors find datasets when the question cannot be embedded with the
 * ontology's model. */
static void reading_lexical(struct cached_ontology *h)
{
    bool stored = h->vectors && h->dimensions == LEXICAL_DIMENSIONS &&
                  str_starts(h->embedding_model, STR("lexical"));
    h->lexical =
        stored ? h->vectors : ontology_lexical_vectors(&h->arena, h->model);
}

static void reading_run(void *what)
{
    struct ontology_reading *r = what;
    struct str problem = STR("not JSON");
    json_t *json = json_loadb(r->row.model.ptr, r->row.model.len, 0, NULL);
    struct cached_ontology *h = r->held = mem_new(struct cached_ontology);
    arena_init(&h->arena, 0);
    h->model = json ? ontology_from_json(&h->arena, json, &problem) : NULL;
    json_decref(json);
    if (!h->model) {
        snprintf(r->why, PROBLEM, "%.*s", STR_ARG(problem));
        held_free(h);
        r->held = NULL;
        return;
    }
    h->relations = ontology_relations(&h->arena, h->model);
    reading_vectors(h, r);
    reading_lexical(h);
}

static void reading_drop(void *what)
{
    struct ontology_reading *r = what;
    if (r->held)
        held_free(r->held);
}

static struct next ontology_read(struct flow *f)
{
    struct ontology_acquire *o = locals(f, struct ontology_acquire);
    const struct query *q = o->query;
    if (q->n_rows == 0)
        return fail(f, ERR_NOT_FOUND);
    struct held_row row = held_row_at(q, 0);
    struct cached_ontology *held = cache_find(o->store, o->id, row.version);
    if (held) /* another flow has read it in the meantime */
        return held_acquire(f, held);
    struct ontology_reading *r = o->reading = here(f, struct ontology_reading);
    r->row = row;
    defer(f, reading_drop, r);
    if (r->row.model.len + r->row.vectors.len < LARGE)
        reading_run(r);
    else
        work_begin(f, &r->work, reading_run, r);
    return await(f, ontology_made);
}

static struct next ontology_made(struct flow *f)
{
    struct ontology_acquire *o = locals(f, struct ontology_acquire);
    struct ontology_reading *r = o->reading;
    int version = r->row.version;
    if (!r->held)
        return fail_because(f, ERR_INTERNAL, "stored model: %s", r->why);
    struct cached_ontology *h = cache_find(o->store, o->id, version);
    if (h)
        return held_acquire(f, h);
    h = r->held;
    r->held = NULL;
    memcpy(h->id, o->id.ptr, UUID_SIZE - 1);
    h->version = version;
    cache_put_first(o->store->ontologies, h);
    cache_trim(o->store->ontologies);
    return held_acquire(f, h);
}
