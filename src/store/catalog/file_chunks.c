/* file_chunks.c - the bytes of uploaded files: appended in chunks, read in
 * pieces, so that a file of any size takes little memory here. */
#include "store/file_sets.h"
#include "../rows.h"
#include <assert.h>
#include "base/banned.h"

static step_fn file_added, chunk_appended, file_ended, file_found, piece_read;

/* ---- writing ------------------------------------------------------------ */

static const struct statement add_statement = {
    .name = "files.add",
    .sql = "insert into files (file_set_id, place, name, format)"
           " values ($1::uuid, $2::int, $3, $4) returning id",
};

struct next file_add_begin(struct flow *f)
{
    struct file_add *a = locals(f, struct file_add);
    struct query *q = a->query = query_new(f, a->store->system, &add_statement);
    query_str(f, q, a->set_id);
    query_int(f, q, a->place);
    query_str(f, q, a->name);
    query_str(f, q, a->format);
    query_begin(f, q);
    return await(f, file_added);
}

static struct next file_added(struct flow *f)
{
    struct file_add *a = locals(f, struct file_add);
    a->id = ROW_VALUE(uuid, row_copies(a->query, 0, flow_keep(f)));
    return back(f);
}

/* The quota counts what is not hidden: who deletes a set has its room at
 * once. */
#define APPENDED_ROW(FIRST, X) \
    FIRST(boolean, alive, "exists (select from alive)") \
    X(boolean, kept, "exists (select from kept)")
#define APPENDED_COLUMNS ROW_SQL(APPENDED_ROW)

static const struct statement append_statement = {
    .name = "file_chunks.append",
    .sql = "with alive as (select f.id, s.id as set_id, s.owner_id from files f"
           "   join file_sets s on s.id = f.file_set_id where f.id = $2::uuid"
           "     and s.status = 'uploading' and s.deleted_at is null),"
           " used as (select coalesce(sum(o.bytes), 0) as bytes"
           "   from file_sets s join files o on o.file_set_id = s.id"
           "   where s.deleted_at is null"
           "     and s.owner_id = (select owner_id from alive)),"
           " fits as (select id, set_id from alive, used"
           "   where used.bytes + length($1::bytea) <= $4::bigint),"
           " counted as (update files f set bytes = f.bytes + length($1::bytea)"
           "   from fits where f.id = fits.id),"
           " touched as (update file_sets s set updated_at = now() from fits"
           "   where s.id = fits.set_id),"
           " kept as (insert into file_chunks (file_id, n, bytes)"
           "   select id, $3::int, $1::bytea from fits returning n)"
           " select " APPENDED_COLUMNS,
};

struct next file_append_begin(struct flow *f)
{
    struct file_append *a = locals(f, struct file_append);
    struct query *q = a->query =
        query_new(f, a->store->system, &append_statement);
    query_bytes(q, a->bytes);
    query_str(f, q, a->file_id);
    query_int(f, q, a->n);
    query_int(f, q, a->quota);
    query_begin(f, q);
    return await(f, chunk_appended);
}

static struct next chunk_appended(struct flow *f)
{
    struct file_append *a = locals(f, struct file_append);
    ROW_READ(APPENDED_ROW, a, row_slices(a->query, 0));
    return back(f);
}

static const struct statement end_statement = {
    .name = "files.end",
    .again = true,
    .sql = "update files f set sha256 = $2 from file_sets s"
           " where f.id = $1::uuid and s.id = f.file_set_id"
           "   and s.status = 'uploading' and s.deleted_at is null",
};

struct next file_end_begin(struct flow *f)
{
    struct file_end *e = locals(f, struct file_end);
    e->query = query_new(f, e->store->system, &end_statement);
    query_str(f, e->query, e->file_id);
    query_str(f, e->query, e->sha256);
    query_begin(f, e->query);
    return await(f, file_ended);
}

static struct next file_ended(struct flow *f)
{
    const struct file_end *e = locals(f, struct file_end);
    return e->query->affected ? back(f) : fail(f, ERR_NOT_FOUND);
}

/* ---- reading ------------------------------------------------------------ */

#define FOUND_FILE_ROW(FIRST, X) FIRST(uuid, id, "id") X(int64, bytes, "bytes")
#define FOUND_FILE_COLUMNS ROW_SQL(FOUND_FILE_ROW)

static const struct statement find_statement = {
    .name = "files.find",
    .again = true,
    .sql = "select " FOUND_FILE_COLUMNS " from files where sha256 = $1 limit 1",
};

struct next file_find_begin(struct flow *f)
{
    struct file_find *x = locals(f, struct file_find);
    x->query = query_new(f, x->store->system, &find_statement);
    query_str(f, x->query, x->sha256);
    query_begin(f, x->query);
    return await(f, file_found);
}

static struct next file_found(struct flow *f)
{
    struct file_find *x = locals(f, struct file_find);
    x->found = x->query->n_rows > 0;
    if (x->found)
        ROW_READ(FOUND_FILE_ROW, x, row_copies(x->query, 0, flow_keep(f)));
    return back(f);
}

/* Stored without compression, so that a part is read without the rest. */
static const struct statement piece_statement = {
    .name = "file_chunks.piece",
    .again = true,
    .sql = "select substring(bytes from $3::int for $4::int) from file_chunks"
           " where file_id = $1::uuid and n = $2::int",
};

struct next file_piece_begin(struct flow *f)
{
    struct file_piece *p = locals(f, struct file_piece);
    struct query *q = p->query =
        query_new(f, p->store->system, &piece_statement);
    assert(p->offset % FILE_PIECE_BYTES == 0);
    query_str(f, q, p->file_id);
    query_int(f, q, p->offset / FILE_CHUNK_BYTES);
    query_int(f, q, p->offset % FILE_CHUNK_BYTES + 1);
    query_int(f, q, FILE_PIECE_BYTES);
    query_begin(f, q);
    return await(f, piece_read);
}

/* PostgreSQL answers \x and hexadecimal digits. */
static struct next piece_read(struct flow *f)
{
    struct file_piece *p = locals(f, struct file_piece);
    struct str hex = {0};
    if (p->query->n_rows)
        hex = str_from(ROW_VALUE(text, row_slices(p->query, 0)), 2);
    p->len = hex.len / 2;
    if (p->len > FILE_PIECE_BYTES)
        return fail(f, ERR_INTERNAL);
    for (size_t i = 0; i < p->len; i++)
        p->to[i] = (char)(str_hex_digit(hex.ptr[2 * i]) * 16 +
                          str_hex_digit(hex.ptr[2 * i + 1]));
    return back(f);
}
