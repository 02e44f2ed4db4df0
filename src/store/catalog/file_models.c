/* file_models.c - see store/file_models.h. */
#include "store/file_models.h"
#include "../rows.h"
#include "base/banned.h"

static step_fn file_model_loaded, file_model_connected;

/* ---- the file set ------------------------------------------------------- */

#define FILE_MODEL_ROW(FIRST, X) \
    FIRST(uuid, owner_id, "s.owner_id") \
    X(text, name, "s.name") \
    X(text, description, "s.description") \
    X(text, files, \
      "(select json_agg(json_build_object('filename', f.name," \
      "   'tables', f.tables) order by f.place)" \
      " from files f where f.file_set_id = s.id and f.tables is not null)")
#define FILE_MODEL_COLUMNS ROW_SQL(FILE_MODEL_ROW)

static const struct statement load_statement = {
    .name = "file_models.load",
    .again = true,
    .sql = "select " FILE_MODEL_COLUMNS " from file_sets s"
           " where s.id = $1::uuid and s.deleted_at is null",
};

struct next file_model_load_begin(struct flow *f)
{
    struct file_model_load *l = locals(f, struct file_model_load);
    l->query = query_new(f, l->store->system, &load_statement);
    query_str(f, l->query, l->file_set_id);
    query_begin(f, l->query);
    return await(f, file_model_loaded);
}

static struct next file_model_loaded(struct flow *f)
{
    struct file_model_load *l = locals(f, struct file_model_load);
    if (!l->query->n_rows)
        return fail(f, ERR_NOT_FOUND);
    ROW_READ(FILE_MODEL_ROW, l, row_copies(l->query, 0, flow_keep(f)));
    return back(f);
}

/* ---- its connection ----------------------------------------------------- */

#define FILE_CONNECTION_ROW(FIRST, X) \
    FIRST(uuid, id, "id") \
    X(text, name, "name") \
    X(boolean, made, "made")
#define FILE_CONNECTION_COLUMNS ROW_SQL(FILE_CONNECTION_ROW)

enum { NAMES_MOST = 1000, CONNECT_TRIES = 5 };

/* The first name that is free. Another upload may take it at the same time:
 * then the insert is a conflict, and the next try finds another name. */
static const struct statement connect_statement = {
    .name = "file_models.connect",
    .sql = "with s as materialized (select * from file_sets"
           "   where id = $1::uuid and deleted_at is null for update),"
           " known as (select c.id, c.name, false as made from connections c"
           "   join s on c.file_set_id = s.id),"
           " free as (select s.*, t.tried from s cross join lateral ("
           "   select case n when 1 then s.name else s.name || ' ' || n end"
           "     as tried, n from generate_series(1, $2::int) n) t"
           "   where not exists (select from connections c"
           "       where c.owner_id = s.owner_id and c.name = t.tried)"
           "     and not exists (select from semantic_models m"
           "       where m.owner_id = s.owner_id and m.name = t.tried)"
           "   order by t.n limit 1),"
           " made as (insert into connections (owner_id, name, description,"
           "     db_type, host, port, database_name, username, file_set_id)"
           "   select owner_id, tried, description, 'duckdb', '', 0, '', '', id"
           "   from free where not exists (select from known)"
           "   returning id, name, true as made)"
           " select " FILE_CONNECTION_COLUMNS " from known"
           " union all select " FILE_CONNECTION_COLUMNS " from made",
};

struct next file_model_connect_begin(struct flow *f)
{
    struct file_model_connect *c = locals(f, struct file_model_connect);
    c->query = query_new(f, c->store->system, &connect_statement);
    query_str(f, c->query, c->file_set_id);
    query_int(f, c->query, NAMES_MOST);
    query_begin(f, c->query);
    op_tolerate(&c->query->op);
    return await(f, file_model_connected);
}

static struct next file_model_connected(struct flow *f)
{
    struct file_model_connect *c = locals(f, struct file_model_connect);
    enum err how = c->query->op.status;
    if (how == ERR_CONFLICT && ++c->tries < CONNECT_TRIES)
        return go(f, file_model_connect_begin);
    if (how != OK)
        return fail(f, how);
    if (!c->query->n_rows)
        return fail(f, ERR_NOT_FOUND);
    ROW_READ(FILE_CONNECTION_ROW, c, row_copies(c->query, 0, flow_keep(f)));
    return back(f);
}

/* ---- the end ------------------------------------------------------------ */

static const struct statement settle_statement = {
    .name = "file_models.settle",
    .sql = "with it as (update file_sets set updated_at = now(),"
           "     status = case when $5 = '' then 'ready' else 'failed' end,"
           "     failure = nullif($5, ''),"
           "     connection_id = nullif($2, '')::uuid,"
           "     semantic_model_id = nullif($3, '')::uuid,"
           "     ontology_id = nullif($4, '')::uuid"
           "   where id = $1::uuid returning id)"
           " delete from connections c using it where $5 <> ''"
           "   and c.file_set_id = it.id and not exists ("
           "     select from semantic_models m where m.connection_id = c.id)",
};

struct next file_model_settle_begin(struct flow *f)
{
    struct file_model_settle *s = locals(f, struct file_model_settle);
    s->query = query_new(f, s->store->system, &settle_statement);
    query_str(f, s->query, s->file_set_id);
    query_str(f, s->query, s->connection_id);
    query_str(f, s->query, s->model_id);
    query_str(f, s->query, s->ontology_id);
    query_str(f, s->query, s->failure);
    query_begin(f, s->query);
    return await(f, row_none);
}
