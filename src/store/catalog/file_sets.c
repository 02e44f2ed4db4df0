/* file_sets.c - file sets: added, profiled, settled, listed. */
#include "store/file_sets.h"
#include "store/audit.h"
#include "../rows.h"
#include "base/banned.h"

static step_fn file_set_added, file_set_profiled, file_sets_listed,
    files_listed;

/* ---- uploading ---------------------------------------------------------- */

static const struct statement add_statement = {
    .name = "file_sets.add",
    .sql = "insert into file_sets (owner_id, name, description)"
           " values ($1::uuid, $2, nullif($3, '')) returning id",
};

struct next file_set_add_begin(struct flow *f)
{
    struct file_set_add *a = locals(f, struct file_set_add);
    struct query *q = a->query = query_new(f, a->store->system, &add_statement);
    query_str(f, q, a->owner_id);
    query_str(f, q, a->name);
    query_str(f, q, a->description);
    query_begin(f, q);
    return await(f, file_set_added);
}

static struct next file_set_added(struct flow *f)
{
    struct file_set_add *a = locals(f, struct file_set_add);
    a->id = ROW_VALUE(uuid, row_copies(a->query, 0, flow_keep(f)));
    return back(f);
}

static const struct statement profile_statement = {
    .name = "file_sets.profile",
    .sql = "with found as (select * from json_to_recordset($2::json)"
           "     as x(place int, format text, rows bigint, tables json)),"
           " changed as (update file_sets set status = 'preparing',"
           "     prompts = $3::json, name = coalesce(nullif($6, ''), name),"
           "     description = coalesce(nullif($7, ''), description),"
           "     updated_at = now()"
           "   where id = $1::uuid and status = 'uploading'"
           "     and deleted_at is null returning id, name),"
           " kept as (update files f set tables = x.tables, format = x.format,"
           "     rows = x.rows from found x, changed c"
           "   where f.file_set_id = c.id and f.place = x.place),"
           " unread as (delete from files f using changed c"
           "   where f.file_set_id = c.id"
           "     and f.place not in (select place from found)),"
           " noted as (" SQL_AUDIT " select nullif($4, '')::uuid,"
           "   'file_set.uploaded', 'file_set', id::text,"
           "   jsonb_build_object('name', name), $5 from changed)"
           " select id from changed",
};

struct next file_set_profile_begin(struct flow *f)
{
    struct file_set_profile *p = locals(f, struct file_set_profile);
    struct query *q = p->query =
        query_new(f, p->store->system, &profile_statement);
    query_str(f, q, p->set_id);
    query_str(f, q, p->files);
    query_str(f, q, p->prompts);
    query_str(f, q, p->user_id);
    query_str(f, q, p->request_id);
    query_str(f, q, p->name);
    query_str(f, q, p->description);
    query_begin(f, q);
    return await(f, file_set_profiled);
}

static struct next file_set_profiled(struct flow *f)
{
    const struct file_set_profile *p = locals(f, struct file_set_profile);
    return p->query->n_rows ? back(f) : fail(f, ERR_NOT_FOUND);
}

static const struct statement share_statement = {
    .name = "file_sets.share",
    .again = true,
    .sql = "with reached as (update connections set visibility = 'shared',"
           "     updated_at = now() where file_set_id = $1::uuid returning id),"
           " models as (update semantic_models set visibility = 'shared'"
           "   where connection_id in (select id from reached) returning id)"
           " update ontologies set visibility = 'shared'"
           "   where semantic_model_id in (select id from models)",
};

struct next file_set_share_begin(struct flow *f)
{
    struct file_set_share *s = locals(f, struct file_set_share);
    s->query = query_new(f, s->store->system, &share_statement);
    query_str(f, s->query, s->set_id);
    query_begin(f, s->query);
    return await(f, row_none);
}

/* ---- lists -------------------------------------------------------------- */

#define VISIBLE \
    " where s.deleted_at is null and s.status <> 'uploading'" \
    "   and (s.owner_id = $1::uuid or $2::boolean or exists (select" \
    "     from connections c where c.file_set_id = s.id" \
    "       and c.visibility = 'shared'))" \
    "   and ($3 = '' or s.id = nullif($3, '')::uuid)"

#define FILE_SET_ROW(FIRST, X) \
    FIRST(uuid, id, "p.id", "id") \
    X(text, name, "p.name", "name") \
    X(text, description, "p.description", "description") \
    X(json, prompts, "coalesce(p.prompts, '[]')", "prompts") \
    X(text, version_hash, \
      "(select encode(sha256(convert_to(string_agg(f.sha256, ','" \
      "   order by f.place), 'UTF8')), 'hex') from files f" \
      "   where f.file_set_id = p.id)", \
      "version_hash") \
    X(text, status, "p.status", "status") \
    X(text, failure, "p.failure", "failure") \
    X(uuid, owner_id, "p.owner_id", "owner_id") \
    X(uuid, connection_id, "p.connection_id", "connection_id") \
    X(uuid, model_id, "p.semantic_model_id", "semantic_model_id") \
    X(uuid, ontology_id, "p.ontology_id", "ontology_id") \
    X(json, files, \
      "(select count(*) from files f where f.file_set_id = p.id)", \
      "file_count") \
    X(json, bytes, \
      "(select coalesce(sum(bytes), 0) from files f" \
      "   where f.file_set_id = p.id)", \
      "bytes") \
    X(json, rows, \
      "(select coalesce(sum(f.rows), 0) from files f" \
      "   where f.file_set_id = p.id)", \
      "rows") \
    X(time, created_at, "rfc3339(p.created_at)", "created_at") \
    X(time, updated_at, "rfc3339(p.updated_at)", "updated_at") \
    X(int64, total, "t.total")
#define FILE_SET_COLUMNS ROW_SQL(FILE_SET_ROW)
ROW_STRUCT(file_set_row, FILE_SET_ROW);

/* A page past the end is one row that has the total alone. */
static const struct statement page_statement = {
    .name = "file_sets.page",
    .again = true,
    .sql = "select " FILE_SET_COLUMNS
           " from (select count(*) as total from file_sets s" VISIBLE ") t"
           " left join (select s.* from file_sets s" VISIBLE
           "   order by s.created_at desc, s.id"
           "   limit $4::int offset $5::int) p on true"
           " order by p.created_at desc, p.id",
};

struct next file_set_page_begin(struct flow *f)
{
    struct file_set_page *p = locals(f, struct file_set_page);
    struct query *q = p->query =
        query_new(f, p->store->system, &page_statement);
    query_str(f, q, p->user_id);
    query_bool(q, p->all);
    query_str(f, q, p->set_id);
    query_page(f, q, p->page, p->page_size);
    query_begin(f, q);
    return await(f, file_sets_listed);
}

static struct next file_sets_listed(struct flow *f)
{
    struct file_set_page *p = locals(f, struct file_set_page);
    struct file_set_row first = file_set_row_at(p->query, 0);
    p->query = rows_keep_page(f, p->query, first.id);
    p->total = first.total;
    p->owner_id = first.owner_id;
    return back(f);
}

void file_set_write(struct json_writer *w, const struct query *q, int row)
{
    struct file_set_row s = file_set_row_at(q, row);
    ROW_WRITE(FILE_SET_ROW, w, &s);
}

/* ---- files -------------------------------------------------------------- */

#define FILE_ROW(FIRST, X) \
    FIRST(uuid, id, "id") \
    X(text, name, "name") \
    X(text, format, "format") \
    X(text, sha256, "sha256") \
    X(int32, place, "place") \
    X(int64, bytes, "bytes") \
    X(int64, rows, "rows") \
    X(json, tables, "coalesce(tables, '[]')")
#define FILE_COLUMNS ROW_SQL(FILE_ROW)

static const struct statement files_statement = {
    .name = "files.list",
    .again = true,
    .sql = "select " FILE_COLUMNS " from files where file_set_id = $1::uuid"
           " order by place",
};

struct next file_list_begin(struct flow *f)
{
    struct file_list *l = locals(f, struct file_list);
    l->query = query_new(f, l->store->system, &files_statement);
    query_str(f, l->query, l->set_id);
    query_begin(f, l->query);
    return await(f, files_listed);
}

static struct next files_listed(struct flow *f)
{
    struct file_list *l = locals(f, struct file_list);
    l->query = rows_keep(f, l->query);
    l->n = (size_t)l->query->n_rows;
    l->files = arena_new_array(flow_keep(f), struct stored_file, l->n);
    for (size_t i = 0; i < l->n; i++)
        ROW_READ(FILE_ROW, &l->files[i], row_slices(l->query, (int)i));
    return back(f);
}
