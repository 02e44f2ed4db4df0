/* ontology_vectors.h - vectors of datasets as parameters of statements.
 *
 * They are stored as bytes, which this program reads and searches. Those of a
 * large ontology are stored a second time, as real[], where pgvector is there:
 * PostgreSQL searches them (store/vector_search.h) and no process holds them.
 * It is there when the system database has its type, found by its search_path;
 * whoever administers that has made the extension. */
#pragma once
#include "base/buf.h"
#include "db/query.h"
#include "loop/wait.h"
#include "store/store.h"

/* Another's type of that name has not its operators. */
#define PGVECTOR_IS_THERE \
    "exists (select from pg_depend d join pg_extension x" \
    "     on x.oid = d.refobjid and x.extname = 'vector'" \
    "   where d.classid = 'pg_type'::regclass" \
    "     and d.objid = to_regtype('vector') and d.deptype = 'e'" \
    "     and d.refclassid = 'pg_extension'::regclass)"

/* Bytes; with more of them the vectors of an ontology are large. */
enum { LARGE_VECTORS = 32 * 1024 * 1024 };

/* Megabytes of them are written on another thread. */
struct stored_vectors {
    struct store *store;
    const float *vectors; /* n * dimensions; NULL, with dimensions 0: none */
    size_t n, dimensions;
    /* Out, until the frame of stored_vectors_new ends */
    struct buf hex;      /* of each vector, parted by commas */
    struct buf elements; /* all as one real[], binary; empty: they shall not be
                            searched there */
    /* private */
    bool searchable;
    struct query *query;
    struct work work;
};
struct stored_vectors *stored_vectors_new(struct flow *f, struct store *store,
                                          const float *vectors, size_t n,
                                          size_t dimensions);
struct next stored_vectors_begin(struct flow *f);

/* `elements`, or NULL: the first parameter. */
void query_elements(struct query *q, const struct stored_vectors *v);

/* A real[] as PostgreSQL receives it in binary form. */
void put_real_array(struct buf *out, const float *elements, size_t n);

/* Rows for the table `it` (id) of $1, elements, of the text `hex` and the number
 * `dimensions`. */
#define PUT_VECTORS(it, hex, dimensions) \
    " vectors as (insert into ontology_embeddings (ontology_id, dataset," \
    "     vector, elements) select " it ".id, v.n - 1, decode(v.hex, 'hex')," \
    "     ($1::real[])[((v.n - 1) * " dimensions "::int + 1)::int" \
    "       : (v.n * " dimensions "::int)::int]" \
    "   from " it ", string_to_table(" hex ", ',') with ordinality as" \
    "     v(hex, n) where v.hex <> ''" \
    "   on conflict (ontology_id, dataset) do update set" \
    "     vector = excluded.vector, elements = excluded.elements)"
