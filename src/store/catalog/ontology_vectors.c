/* ontology_vectors.c - converts vectors to the forms in which they are
 * stored. */
#include "ontology_vectors.h"
#include "base/crypto.h"
#include "../rows.h"
#include <arpa/inet.h>
#include <math.h>
#include "base/banned.h"

static step_fn pgvector_known, convert_due;

enum {
    REAL_OID = 700,
    CONVERT_INLINE = 128 * 1024, /* bytes: takes less than a millisecond */
};

static const struct statement pgvector_statement = {
    .name = "ontologies.pgvector",
    .again = true,
    .sql = "select " PGVECTOR_IS_THERE,
};

static void vectors_done(void *what)
{
    struct stored_vectors *v = what;
    buf_done(&v->hex);
    buf_done(&v->elements);
}

struct stored_vectors *stored_vectors_new(struct flow *f, struct store *store,
                                          const float *vectors, size_t n,
                                          size_t dimensions)
{
    struct stored_vectors *v = here(f, struct stored_vectors);
    *v = (struct stored_vectors){
        .store = store, .vectors = vectors, .n = n, .dimensions = dimensions};
    buf_init(&v->hex, NULL);
    buf_init(&v->elements, NULL);
    defer(f, vectors_done, v);
    return v;
}

static size_t vectors_size(const struct stored_vectors *v)
{
    return v->n * v->dimensions * sizeof(float);
}

struct next stored_vectors_begin(struct flow *f)
{
    struct stored_vectors *v = locals(f, struct stored_vectors);
    if (vectors_size(v) <= LARGE_VECTORS)
        return go(f, convert_due);
    v->query = query_new(f, v->store->system, &pgvector_statement);
    query_begin(f, v->query);
    return await(f, pgvector_known);
}

static struct next pgvector_known(struct flow *f)
{
    struct stored_vectors *v = locals(f, struct stored_vectors);
    v->searchable = ROW_VALUE(boolean, row_slices(v->query, 0));
    return go(f, convert_due);
}

/* ---- the forms -------------------------------------------------------- */

static void put_uint32(struct buf *out, uint32_t n)
{
    n = htonl(n);
    buf_bytes(out, &n, sizeof n);
}

void put_real_array(struct buf *out, const float *elements, size_t n)
{
    const uint32_t head[] = {1 /* dimension */, 0 /* no NULL */, REAL_OID,
                             (uint32_t)n, 1 /* lower bound */};
    buf_reserve(out, sizeof head + n * 2 * sizeof(uint32_t));
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        put_uint32(out, head[i]);
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &elements[i], sizeof bits);
        put_uint32(out, sizeof bits);
        put_uint32(out, bits);
    }
}

/* pgvector accepts no NaN and no infinity. */
static bool all_finite(const float *elements, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(elements[i]))
            return false;
    return true;
}

static void vectors_put_hex(struct stored_vectors *v)
{
    struct arena spare;
    size_t size = v->dimensions * sizeof(float);
    arena_init(&spare, 0);
    buf_reserve(&v->hex, v->n * (2 * size + 1) + 1);
    for (size_t d = 0; d < v->n && size; d++) {
        struct arena_mark mark = arena_mark(&spare);
        if (d)
            buf_char(&v->hex, ',');
        buf_str(&v->hex,
                hex_encode(&spare, v->vectors + d * v->dimensions, size));
        arena_reset(&spare, mark);
    }
    arena_done(&spare);
}

static void vectors_convert(void *what)
{
    struct stored_vectors *v = what;
    size_t n = v->n * v->dimensions;
    vectors_put_hex(v);
    if (v->searchable && all_finite(v->vectors, n))
        put_real_array(&v->elements, v->vectors, n);
}

static struct next convert_due(struct flow *f)
{
    struct stored_vectors *v = locals(f, struct stored_vectors);
    if (vectors_size(v) <= CONVERT_INLINE)
        vectors_convert(v);
    else
        work_begin(f, &v->work, vectors_convert, v);
    return await(f, row_none);
}

void query_vectors(struct flow *f, struct query *q, struct stored_vectors *v)
{
    if (v->elements.len)
        query_bytes(q, buf_view(&v->elements));
    else
        query_null(q);
    query_text(q, buf_cstr(&v->hex));
    query_int(f, q, (int64_t)v->dimensions);
}
