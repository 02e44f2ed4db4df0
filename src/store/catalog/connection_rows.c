/* connection_rows.c - connections as rows: listed, loaded with their secret,
 * removed, marked as tested, and sealed again with another key. */
#include "../rows.h"
#include "sources.h"
#include "store/audit.h"
#include "store/connections.h"
#include "base/banned.h"

static step_fn connections_listed, connection_loaded, connection_removed,
    sealed_read, reseal_next, resealed;

/* ---- lists -------------------------------------------------------------- */

/* A connection over files is hidden with its file set. */
#define VISIBLE \
    " where (c.owner_id = $1::uuid or c.visibility = 'shared'" \
    "     or $2::boolean) and ($3 = '' or c.id = nullif($3, '')::uuid)" \
    "   and " SQL_CONNECTION_SHOWN

#define OPTIONS_SHOWN \
    "'sslMode', coalesce(p.options ->> 'sslmode'," \
    "   case when p.use_ssl then 'require' else 'disable' end)," \
    " 'rootCertificates', p.options ->> 'sslrootcert'," \
    " 'shareRows', coalesce(p.options ->> 'shareRows', 'all')," \
    " 'timeZone', coalesce(p.options ->> 'timeZone', 'UTC')"

#define CONNECTION_ROW(FIRST, X) \
    FIRST(uuid, id, "p.id", "id") \
    X(text, name, "p.name", "name") \
    X(text, description, "p.description", "description") \
    X(text, type, "p.db_type", "dbType") \
    X(text, host, "case when p.embedded then 'localhost' else p.host end", \
      "host") \
    X(json, port, "p.port", "port") \
    X(text, database, "p.database_name", "databaseName") \
    X(text, username, "p.username", "username") \
    X(boolean, credential, "p.password_sealed is not null", "hasCredential") \
    X(boolean, use_ssl, "p.use_ssl", "useSsl") \
    X(json, options, \
      "case when p.db_type = 'trino' then json_build_object(" OPTIONS_SHOWN \
      "   , 'schema', p.options ->> 'schema'," \
      "   'authentication', coalesce(p.options ->> 'auth', 'password'))" \
      " else json_build_object(" OPTIONS_SHOWN ") end", \
      "options") \
    X(text, visibility, "p.visibility", "visibility") \
    X(uuid, owner_id, "p.owner_id", "ownerId") \
    X(time, tested_at, "rfc3339(p.last_tested_at)", "lastTestedAt") \
    X(json, test_result, "to_json(p.last_test_result)", "lastTestResult") \
    X(text, test_message, "p.last_test_message", "lastTestMessage") \
    X(time, created_at, "rfc3339(p.created_at)", "createdAt") \
    X(time, updated_at, "rfc3339(p.updated_at)", "updatedAt") \
    X(int64, total, "t.total")
#define CONNECTION_COLUMNS ROW_SQL(CONNECTION_ROW)
ROW_STRUCT(connection_row, CONNECTION_ROW);

/* A page past the end is one row that has the total alone. The socket of the
 * embedded cluster is not shown. */
static const struct statement page_statement = {
    .name = "connections.page",
    .again = true,
    .sql = "select " CONNECTION_COLUMNS
           " from (select count(*) as total from connections c" VISIBLE ") t"
           " left join (select c.* from connections c" VISIBLE
           "   order by c.name, c.id limit $4::int offset $5::int) p on true"
           " order by p.name, p.id",
};

struct next connection_page_begin(struct flow *f)
{
    struct connection_page *p = locals(f, struct connection_page);
    struct query *q = p->query =
        query_new(f, p->store->system, &page_statement);
    query_str(f, q, p->user_id);
    query_bool(q, p->all);
    query_str(f, q, p->connection_id);
    query_page(f, q, p->page, p->page_size);
    query_begin(f, q);
    return await(f, connections_listed);
}

static struct next connections_listed(struct flow *f)
{
    struct connection_page *p = locals(f, struct connection_page);
    struct connection_row first = connection_row_at(p->query, 0);
    p->query = rows_keep_page(f, p->query, first.id);
    p->total = first.total;
    p->owner_id = first.owner_id;
    return back(f);
}

void connection_write(struct json_writer *w, const struct query *q, int row)
{
    struct connection_row c = connection_row_at(q, row);
    ROW_WRITE(CONNECTION_ROW, w, &c);
}

/* ---- one with its password
 * ------------------------------------------------- */

struct next connection_load_begin(struct flow *f)
{
    struct connection_load *l = locals(f, struct connection_load);
    l->query = query_new(f, l->store->system, &source_statement);
    query_str(f, l->query, l->connection_id);
    query_begin(f, l->query);
    return await(f, connection_loaded);
}

static struct next connection_loaded(struct flow *f)
{
    struct connection_load *l = locals(f, struct connection_load);
    const struct query *q = l->query = rows_keep(f, l->query);
    if (!q->n_rows)
        return fail(f, ERR_NOT_FOUND);
    struct source_row row = source_row_at(q, 0);
    if (!source_unpack(f, l->store, &row, &l->is))
        return fail_because(f, ERR_INTERNAL, SOURCE_SEALED);
    l->is.store = l->store;
    l->is.password = arena_str(flow_keep(f), l->is.password);
    return back(f);
}

/* ---- removal ------------------------------------------------------------ */

#define CONNECTION_REMOVED_ROW(FIRST, X) \
    FIRST(boolean, found, "exists (select from it)") \
    X(boolean, removed, "exists (select from gone)") \
    X(boolean, of_files, \
      "exists (select from it where file_set_id is not null)") \
    X(json, models, "coalesce((select json_agg(name) from needed), '[]')")
#define CONNECTION_REMOVED_COLUMNS ROW_SQL(CONNECTION_REMOVED_ROW)

/* Hidden models are deleted with it, unless a run needs them. */
static const struct statement remove_statement = {
    .name = "connections.remove",
    .sql = "with it as materialized (select id, name, file_set_id"
           "   from connections where id = $2::uuid for update),"
           " needed as materialized (select s.name from semantic_models s"
           "   where s.connection_id = $2::uuid and s.deleted_at is null"
           "   order by s.name limit 100),"
           " going as (delete from semantic_models s using it"
           "   where s.connection_id = it.id and s.deleted_at is not null"
           "     and it.file_set_id is null"
           "     and not exists (select from needed) and not exists (select"
           "       from runs r join data_chats c on c.id = r.chat_id"
           "       join ontologies o on o.id = c.ontology_id"
           "       where o.semantic_model_id = s.id and r.ended_at is null)),"
           " gone as (delete from connections c using it where c.id = it.id"
           "     and it.file_set_id is null"
           "     and not exists (select from needed)"
           "   returning c.id, c.name),"
           " noted as (" SQL_AUDIT " select nullif($1, '')::uuid,"
           "   'connection.deleted',"
           "   'connection', id::text, jsonb_build_object('name', name), $3"
           "   from gone)"
           " select " CONNECTION_REMOVED_COLUMNS,
};

struct next connection_remove_begin(struct flow *f)
{
    struct connection_remove *r = locals(f, struct connection_remove);
    struct query *q = r->query =
        query_new(f, r->store->system, &remove_statement);
    query_str(f, q, r->user_id);
    query_str(f, q, r->id);
    query_str(f, q, r->request_id);
    query_begin(f, q);
    op_tolerate(&q->op);
    return await(f, connection_removed);
}

static struct next connection_removed(struct flow *f)
{
    struct connection_remove *r = locals(f, struct connection_remove);
    r->models = STR("[]");
    r->found = r->query->op.status == ERR_CONFLICT; /* a run needs it */
    if (r->found)
        return back(f);
    if (r->query->op.status != OK)
        return fail(f, r->query->op.status);
    ROW_READ(CONNECTION_REMOVED_ROW, r, row_copies(r->query, 0, flow_keep(f)));
    return back(f);
}

/* ---- tests -------------------------------------------------------------- */

/* It does not change updated_at, so that open pools are kept. */
static const struct statement tested_statement = {
    .name = "connections.tested",
    .again = true,
    .sql = "update connections set last_tested_at = now(),"
           "   last_test_result = $2::boolean, last_test_message = $3"
           " where id = $1::uuid",
};

struct next connection_tested_begin(struct flow *f)
{
    struct connection_tested *t = locals(f, struct connection_tested);
    t->query = query_new(f, t->store->system, &tested_statement);
    query_str(f, t->query, t->id);
    query_bool(t->query, t->good);
    query_str(f, t->query, t->message);
    query_begin(f, t->query);
    return await(f, row_none);
}

/* ---- another key -------------------------------------------------------- */

#define SEALED_ROW(FIRST, X) \
    FIRST(uuid, id, "id") \
    X(hex, password, "encode(password_sealed, 'hex')")
#define SEALED_COLUMNS ROW_SQL(SEALED_ROW)
ROW_STRUCT(sealed_row, SEALED_ROW);

static const struct statement sealed_statement = {
    .name = "connections.sealed",
    .again = true,
    .sql = "select " SEALED_COLUMNS " from connections"
           " where password_sealed is not null order by id",
};

/* Only if it has not changed since it was read. */
static const struct statement reseal_statement = {
    .name = "connections.reseal",
    .sql = "update connections set password_sealed = decode($3, 'hex')"
           " where id = $1::uuid and password_sealed = decode($2, 'hex')",
};

struct next connection_reseal_begin(struct flow *f)
{
    struct connection_reseal *r = locals(f, struct connection_reseal);
    r->query = query_new(f, r->store->system, &sealed_statement);
    query_begin(f, r->query);
    return await(f, sealed_read);
}

static struct next sealed_read(struct flow *f)
{
    struct connection_reseal *r = locals(f, struct connection_reseal);
    r->query = rows_keep(f, r->query);
    return go(f, reseal_next);
}

static struct next reseal_next(struct flow *f)
{
    struct connection_reseal *r = locals(f, struct connection_reseal);
    for (; r->at < r->query->n_rows; r->at++) {
        struct sealed_row row = sealed_row_at(r->query, r->at);
        struct str bytes, password;
        if (hex_decode(flow_here(f), row.password, &bytes) &&
            seal_open(flow_here(f), r->store->key, bytes, &password))
            continue; /* with this key already */
        if (!source_unseal(f, r->store, row.password, &password)) {
            r->unopened++;
            continue;
        }
        bytes = seal(flow_here(f), r->store->key, password);
        r->update = query_new(f, r->store->system, &reseal_statement);
        query_str(f, r->update, row.id);
        query_str(f, r->update, row.password);
        query_str(f, r->update, hex_encode(flow_here(f), bytes.ptr, bytes.len));
        query_begin(f, r->update);
        return await(f, resealed);
    }
    return back(f);
}

static struct next resealed(struct flow *f)
{
    struct connection_reseal *r = locals(f, struct connection_reseal);
    r->resealed += r->update->affected;
    r->at++;
    return go(f, reseal_next);
}
