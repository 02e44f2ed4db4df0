/* ontology_vectors.h - vectors of datasets as parameters of statements.
 *
 * Vectors are stored as bytes, which a process reads and searches in memory.
 * The vectors of a large ontology are also stored as real[] when the system
 * database has the extension pgvector in its search_path: then PostgreSQL
 * searches them (store/vector_search.h) and no process holds them. */
#pragma once
#include "base/buf.h"
#include "db/query.h"
#include "loop/wait.h"
#include "store/store.h"

/* Checks the extension, because another type named vector lacks its
 * operators. */
#define PGVECTOR_IS_THERE \
    "exists (select from pg_depend d join pg_extension x" \
    "     on x.oid = d.refobjid and x.extname = 'vector'" \
    "   where d.classid = 'pg_type'::regclass" \
    "     and d.objid = to_regtype('vector') and d.deptype = 'e'" \
    "     and d.refclassid = 'pg_extension'::regclass)"

/* Vectors of more bytes are large. */
enum { LARGE_VECTORS = 32 * 1024 * 1024 };

/* The vectors in their stored forms; many are converted on another thread. */
struct stored_vectors {
    struct store *store;
    const float *vectors; /* n * dimensions; NULL, with dimensions 0: none */
    size_t n, dimensions;
    /* Out, until the frame of stored_vectors_new ends */
    struct buf hex;      /* of each vector, separated by commas */
    struct buf elements; /* all as one binary real[]; empty: not stored so */
    /* private */
    bool searchable;
    struct query *query;
    struct work work;
};
/* Allocates in the frame; the caller calls stored_vectors_begin (locals: it),
 * and `vectors` must live until that has ended. */
struct stored_vectors *stored_vectors_new(struct flow *f, struct store *store,
                                          const float *vectors, size_t n,
                                          size_t dimensions);
struct next stored_vectors_begin(struct flow *f);

/* The parameters $1 to $3 of SQL_STORE_VECTORS. */
void query_vectors(struct flow *f, struct query *q, struct stored_vectors *v);

/* Appends a real[] in PostgreSQL's binary format. */
void put_real_array(struct buf *out, const float *elements, size_t n);

/* Two CTEs that store the vectors of each ontology in `it` (id): elements are
 * $1, hex is $2, dimensions are $3. */
#define SQL_STORE_VECTORS \
    " given as materialized (select $2::text as hex, $3::int as size)," \
    " vectors as (insert into ontology_embeddings (ontology_id, dataset," \
    "     vector, elements) select it.id, v.n - 1, decode(v.hex, 'hex')," \
    "     ($1::real[])[((v.n - 1) * given.size + 1)::int" \
    "       : (v.n * given.size)::int]" \
    "   from it, given, string_to_table(given.hex, ',') with ordinality as" \
    "     v(hex, n) where v.hex <> ''" \
    "   on conflict (ontology_id, dataset) do update set" \
    "     vector = excluded.vector, elements = excluded.elements)"
