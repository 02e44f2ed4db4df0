/* connections.c - connections: added, replaced, found by name, and as libpq's
 * connection string. */
#include "store/connections.h"
#include "store/audit.h"
#include "db/conninfo.h"
#include "../rows.h"
#include <stdio.h>
#include "base/banned.h"

static step_fn connection_added, connection_put_done, connection_found;

static const char *const share_words[] = {"all", "aggregates", "none"};

const char *share_word(enum share_rows share)
{
    return share_words[share];
}

bool share_of_word(struct str word, enum share_rows *share)
{
    for (int i = 0; i < 3; i++)
        if (str_is(word, share_words[i])) {
            *share = (enum share_rows)i;
            return true;
        }
    return false;
}

#define OPTIONS \
    "jsonb_strip_nulls(jsonb_build_object('sslmode', $10::text," \
    "   'sslrootcert', nullif($11, ''), 'shareRows', nullif($12, 'all')," \
    "   'allowSuperuser', nullif($13::boolean, false)," \
    "   'timeZone', nullif(nullif($15, ''), 'UTC')," \
    "   'schema', nullif($17, ''), 'auth', nullif($18, '')))"

static const struct statement add_statement = {
    .name = "connections.add",
    .sql =
        "insert into connections (owner_id, name, host, port, database_name,"
        "   username, password_sealed, visibility, embedded, use_ssl, options,"
        "   description, db_type)"
        " values ($1::uuid, $2, $3, $4::int, $5, $6,"
        "   decode(nullif($7, ''), 'hex'), $8, $9::boolean, $10 <> 'disable',"
        "   " OPTIONS ", nullif($14, ''), $16)"
        " on conflict (owner_id, name) do update set host = excluded.host,"
        "   port = excluded.port, database_name = excluded.database_name,"
        "   username = excluded.username, use_ssl = excluded.use_ssl,"
        "   password_sealed = excluded.password_sealed,"
        "   visibility = excluded.visibility, embedded = excluded.embedded,"
        "   options = excluded.options, db_type = excluded.db_type,"
        "   updated_at = clock_timestamp()"
        "   where not $19::boolean and connections.file_set_id is null"
        " returning id",
};

/* Only a change of visibility is audited. */
static const struct statement put_statement = {
    .name = "connections.put",
    .sql =
        "with changed as (update connections c set name = $2, host = $3,"
        "   port = $4::int, database_name = $5, username = $6,"
        "   password_sealed = decode(nullif($7, ''), 'hex'), visibility = $8,"
        "   embedded = $9::boolean, use_ssl = $10 <> 'disable',"
        "   options = " OPTIONS ", description = nullif($14, ''),"
        "   db_type = case when file_set_id is null then $16 else db_type end,"
        "   updated_at = clock_timestamp()"
        "   from (select id as old_id, visibility as was from connections"
        "     where id = $1::uuid for update) old"
        "   where c.id = old.old_id returning c.*, old.was),"
        " noted as (" SQL_AUDIT " select $19::uuid, 'connection.' ||"
        "     case visibility when 'shared' then 'shared' else 'unshared' end,"
        "   'connection', id::text, jsonb_build_object('name', name), $20"
        "   from changed where visibility <> was)"
        " select id from changed",
};

static void connection_put_params(struct flow *f, struct query *q,
                                  struct str id, const struct connection_add *c,
                                  const struct store *s)
{
    struct str sealed = {"", 0};
    if (c->password.len) {
        struct str bytes = seal(flow_here(f), s->key, c->password);
        sealed = hex_encode(flow_here(f), bytes.ptr, bytes.len);
    }
    query_str(f, q, id);
    query_str(f, q, c->name);
    query_str(f, q, c->host);
    query_int(f, q, c->port);
    query_str(f, q, c->database);
    query_str(f, q, c->username);
    query_str(f, q, sealed);
    query_text(q, c->shared ? "shared" : "private");
    query_bool(q, c->embedded);
    query_text(q, tls_word(c->tls));
    query_str(f, q, c->root_certificates);
    query_text(q, share_word(c->share_rows));
    query_bool(q, c->allow_superuser);
    query_str(f, q, c->description);
    query_str(f, q, c->time_zone);
    query_text(q, connection_type_word(c->type));
    query_str(f, q, c->schema);
    query_text(q, c->token ? "jwt" : "");
}

struct next connection_add_begin(struct flow *f)
{
    struct connection_add *c = locals(f, struct connection_add);
    struct query *q = c->query = query_new(f, c->store->system, &add_statement);
    connection_put_params(f, q, c->owner_id, c, c->store);
    query_bool(q, c->fresh);
    query_begin(f, q);
    return await(f, connection_added);
}

static struct next connection_added(struct flow *f)
{
    struct connection_add *c = locals(f, struct connection_add);
    c->taken = c->query->n_rows == 0;
    if (!c->taken)
        c->id = ROW_VALUE(uuid, row_copies(c->query, 0, flow_keep(f)));
    return back(f);
}

struct next connection_put_begin(struct flow *f)
{
    struct connection_put *p = locals(f, struct connection_put);
    p->query = query_new(f, p->store->system, &put_statement);
    connection_put_params(f, p->query, p->id, p->as, p->store);
    query_str(f, p->query, p->user_id);
    query_str(f, p->query, p->request_id);
    query_begin(f, p->query);
    op_tolerate(&p->query->op);
    return await(f, connection_put_done);
}

static struct next connection_put_done(struct flow *f)
{
    struct connection_put *p = locals(f, struct connection_put);
    p->taken = p->query->op.status == ERR_CONFLICT;
    if (p->query->op.status != OK && !p->taken)
        return fail(f, p->query->op.status);
    return back(f);
}

static const struct statement find_statement = {
    .name = "connections.find",
    .again = true,
    .sql = "select id from connections c where name = $2"
           " and (owner_id = $1::uuid or visibility = 'shared')"
           " and " SQL_CONNECTION_SHOWN
           " order by owner_id = $1::uuid desc limit 1",
};

struct next connection_find_begin(struct flow *f)
{
    struct connection_find *c = locals(f, struct connection_find);
    c->query = query_new(f, c->store->system, &find_statement);
    query_str(f, c->query, c->owner_id);
    query_str(f, c->query, c->name);
    query_begin(f, c->query);
    return await(f, connection_found);
}

static struct next connection_found(struct flow *f)
{
    struct connection_find *c = locals(f, struct connection_find);
    if (c->query->n_rows)
        c->id = ROW_VALUE(uuid, row_copies(c->query, 0, flow_keep(f)));
    return back(f);
}

static void put_certificates(const struct store *s,
                             const struct connection_add *c, struct buf *out,
                             int *certificates)
{
    if (c->tls < TLS_VERIFY_CA)
        return;
    if (c->root_certificates.len == 0) {
        conninfo_put(out, "sslrootcert", s->ca_file);
        return;
    }
    *certificates = certificates_open(c->root_certificates);
    conninfo_put_certificates(out, *certificates);
}

void connection_conninfo(const struct store *s, const struct connection_add *c,
                         struct buf *out, int *certificates)
{
    char port[16];
    snprintf(port, sizeof port, "%d", c->port);
    *certificates = -1;
    buf_init(out, NULL);
    conninfo_put(out, "host", c->embedded ? s->embedded_socket : c->host);
    conninfo_put(out, "port", str_of(port));
    conninfo_put(out, "dbname", c->database);
    conninfo_put(out, "user", c->username);
    if (c->password.len)
        conninfo_put(out, "password", c->password);
    conninfo_put(out, "sslmode",
                 str_of(tls_word(c->embedded ? TLS_DISABLE : c->tls)));
    if (!c->embedded)
        put_certificates(s, c, out, certificates);
}
