/* connection_rows.c - connections as the API shows and changes them. */
#include "rows.h"
#include "sources.h"
#include "store/audit.h"
#include "store/connections.h"
#include "base/banned.h"

/* ---- lists -------------------------------------------------------------- */

#define VISIBLE                                                                \
    " where (c.owner_id = $1::uuid or c.visibility = 'shared'"                 \
    "     or $2::boolean) and ($3 = '' or c.id = nullif($3, '')::uuid)"

enum {
    ID, NAME, DESCRIPTION, TYPE, HOST, PORT, DATABASE, USERNAME, CREDENTIAL, SSL,
    OPTIONS, VISIBILITY, OWNER, TESTED_AT, TEST_RESULT, TEST_MESSAGE, CREATED,
    UPDATED, TOTAL
};

/* A page past the end still tells the total. Of our own cluster the socket is
 * nobody's business. */
static const struct statement page_statement = {
    .name = "connections.page",
    .again = true,
    .sql = "select p.id, p.name, p.description, p.db_type,"
           "   case when p.embedded then 'localhost' else p.host end, p.port,"
           "   p.database_name, p.username, p.password_sealed is not null,"
           "   p.use_ssl, json_build_object('sslMode', coalesce("
           "     p.options ->> 'sslmode', case when p.use_ssl then 'require'"
           "       else 'disable' end),"
           "     'rootCertificates', p.options ->> 'sslrootcert',"
           "     'shareRows', coalesce(p.options ->> 'shareRows', 'all')),"
           "   p.visibility, p.owner_id, " SQL_TIME("p.last_tested_at") ","
           "   p.last_test_result, p.last_test_message,"
           "   " SQL_TIME("p.created_at") ", " SQL_TIME("p.updated_at") ","
           "   t.total"
           " from (select count(*) as total from connections c" VISIBLE ") t"
           " left join (select c.* from connections c" VISIBLE
           "   order by c.name, c.id limit $4::int offset $5::int) p on true"
           " order by p.name, p.id",
};

static struct next connections_listed(struct flow *f);

struct next connection_page_begin(struct flow *f)
{
    struct connection_page *p = locals(f, struct connection_page);
    struct query *q = p->query =
        query_new(f, p->store->system, &page_statement);
    query_str(f, q, p->user_id);
    query_bool(q, p->all);
    query_str(f, q, p->connection_id);
    query_int(f, q, p->page_size);
    query_int(f, q, (int64_t)(p->page - 1) * p->page_size);
    query_begin(f, q);
    return await(f, connections_listed);
}

static struct next connections_listed(struct flow *f)
{
    struct connection_page *p = locals(f, struct connection_page);
    struct query *q = p->query = rows_keep(f, p->query);
    p->total = query_cell_int(q, 0, TOTAL);
    if (query_is_null(q, 0, ID))
        q->n_rows = 0;
    if (q->n_rows)
        p->owner_id = query_cell(q, 0, OWNER);
    return back(f);
}

void connection_write(struct json_writer *w, const struct query *q, int row)
{
    row_field_str(w, "id", q, row, ID);
    row_field_str(w, "name", q, row, NAME);
    row_field_str(w, "description", q, row, DESCRIPTION);
    row_field_str(w, "dbType", q, row, TYPE);
    row_field_str(w, "host", q, row, HOST);
    row_field_raw(w, "port", q, row, PORT);
    row_field_str(w, "databaseName", q, row, DATABASE);
    row_field_str(w, "username", q, row, USERNAME);
    json_field_bool(w, "hasCredential", query_cell_bool(q, row, CREDENTIAL));
    json_field_bool(w, "useSsl", query_cell_bool(q, row, SSL));
    row_field_raw(w, "options", q, row, OPTIONS);
    row_field_str(w, "visibility", q, row, VISIBILITY);
    row_field_str(w, "ownerId", q, row, OWNER);
    row_field_str(w, "lastTestedAt", q, row, TESTED_AT);
    json_put_key(w, "lastTestResult");
    if (query_is_null(q, row, TEST_RESULT))
        json_put_null(w);
    else
        json_put_bool(w, query_cell_bool(q, row, TEST_RESULT));
    row_field_str(w, "lastTestMessage", q, row, TEST_MESSAGE);
    row_field_str(w, "createdAt", q, row, CREATED);
    row_field_str(w, "updatedAt", q, row, UPDATED);
}

/* ---- one with its secret ------------------------------------------------- */

static struct next connection_loaded(struct flow *f);

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
    if (!source_row(f, l->store, q, &l->is))
        return fail_because(f, ERR_INTERNAL, SOURCE_SEALED);
    l->is.store = l->store;
    l->is.password = arena_str(flow_keep(f), l->is.password);
    l->changed_at = query_cell(q, 0, SOURCE_CHANGED_AT);
    return back(f);
}

/* ---- removal ------------------------------------------------------------ */

/* Models that are being removed go with it, unless a run still needs them. */
static const struct statement remove_statement = {
    .name = "connections.remove",
    .sql = "with it as materialized (select id, name from connections"
           "   where id = $2::uuid for update),"
           " needed as materialized (select s.name from semantic_models s"
           "   where s.connection_id = $2::uuid and s.deleted_at is null"
           "   order by s.name limit 100),"
           " going as (delete from semantic_models s using it"
           "   where s.connection_id = it.id and s.deleted_at is not null"
           "     and not exists (select from needed) and not exists (select"
           "       from runs r join data_chats c on c.id = r.chat_id"
           "       join ontologies o on o.id = c.ontology_id"
           "       where o.semantic_model_id = s.id and r.ended_at is null)),"
           " gone as (delete from connections c using it where c.id = it.id"
           "     and not exists (select from needed)"
           "   returning c.id, c.name),"
           " noted as (" SQL_AUDIT " select nullif($1, '')::uuid,"
           "   'connection.deleted',"
           "   'connection', id::text, jsonb_build_object('name', name), $3"
           "   from gone)"
           " select exists (select from it), exists (select from gone),"
           "   coalesce((select json_agg(name) from needed), '[]')",
};

static struct next connection_removed(struct flow *f);

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
    r->found = r->query->op.status == ERR_CONFLICT; /* a run still needs it */
    if (r->found)
        return back(f);
    if (r->query->op.status != OK)
        return fail(f, r->query->op.status);
    r->found = query_cell_bool(r->query, 0, 0);
    r->removed = query_cell_bool(r->query, 0, 1);
    r->models = arena_str(flow_keep(f), query_cell(r->query, 0, 2));
    return back(f);
}

/* ---- tests -------------------------------------------------------------- */

/* Not a change of the connection: pools to it go on. */
static const struct statement tested_statement = {
    .name = "connections.tested",
    .again = true,
    .sql = "update connections set last_tested_at = now(),"
           "   last_test_result = $2::boolean, last_test_message = $3"
           " where id = $1::uuid",
};

static struct next test_noted(struct flow *f)
{
    return back(f);
}

struct next connection_tested_begin(struct flow *f)
{
    struct connection_tested *t = locals(f, struct connection_tested);
    t->query = query_new(f, t->store->system, &tested_statement);
    query_str(f, t->query, t->id);
    query_bool(t->query, t->good);
    query_str(f, t->query, t->message);
    query_begin(f, t->query);
    return await(f, test_noted);
}

/* ---- another key -------------------------------------------------------- */

static const struct statement sealed_statement = {
    .name = "connections.sealed",
    .again = true,
    .sql = "select id, encode(password_sealed, 'hex') from connections"
           " where password_sealed is not null order by id",
};

/* Not one that was changed meanwhile. */
static const struct statement reseal_statement = {
    .name = "connections.reseal",
    .sql = "update connections set password_sealed = decode($3, 'hex')"
           " where id = $1::uuid and password_sealed = decode($2, 'hex')",
};

static struct next sealed_read(struct flow *f), reseal_next(struct flow *f),
    resealed(struct flow *f);

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
        struct str hex = query_cell(r->query, r->at, 1), bytes, password;
        if (hex_decode(flow_here(f), hex, &bytes) &&
            seal_open(flow_here(f), r->store->key, bytes, &password))
            continue; /* by this key already */
        if (!source_unseal(f, r->store, hex, &password)) {
            r->unopened++;
            continue;
        }
        bytes = seal(flow_here(f), r->store->key, password);
        r->update = query_new(f, r->store->system, &reseal_statement);
        query_str(f, r->update, query_cell(r->query, r->at, 0));
        query_str(f, r->update, hex);
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
