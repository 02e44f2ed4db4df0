/* connections.c - connections to sources: list, add, change, test, remove, and
 * list their tables. */
#include "base/clock.h"
#include "connection_body.h"
#include "store/catalog.h"
#include "store/source_check.h"
#include "store/time_zones.h"
#include <string.h>
#include "base/banned.h"

static const char connection_missing[] = "Connection not found";

struct connection_work {
    struct connection_page page;
    struct connection_load load;
    struct connection_add add;
    struct connection_put put;
    struct connection_remove remove;
    struct connection_tested tested;
    struct source_check check;
    struct catalog_list catalog;
    struct time_zone_find zone;
    struct str id;
    uint64_t since_ms;
    struct str message; /* of the test */
    step_fn *then;      /* continues when the user owns the connection, or
                         when its time zone is known */
    int status;         /* of the response */
};

static struct next connections_found(struct flow *f),
    zone_found(struct flow *f), create_due(struct flow *f),
    change_due(struct flow *f), connection_found(struct flow *f),
    connection_made(struct flow *f), connection_owner_known(struct flow *f),
    connection_change_due(struct flow *f), connection_loaded(struct flow *f),
    connection_remove_due(struct flow *f), connection_removed(struct flow *f),
    test_due(struct flow *f), test_begins(struct flow *f),
    source_rights_known(struct flow *f), source_not_reached(struct flow *f),
    test_over(struct flow *f), test_stored(struct flow *f),
    catalog_due(struct flow *f), catalog_known(struct flow *f);

static struct connection_work *connection_work_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct connection_work *x = keep(f, struct connection_work);
    x->page.store = x->load.store = x->add.store = x->put.store =
        x->remove.store = x->tested.store = x->catalog.store = x->zone.store =
            request_store(q);
    x->page.user_id = x->remove.user_id = x->put.user_id = x->add.owner_id =
        q->user.id;
    x->remove.request_id = x->put.request_id = q->x->request_id;
    x->page.all = request_may(q, MAY_ADMIN);
    x->page.page = x->page.page_size = 1;
    q->state = x;
    return x;
}

/* ---- GET /api/connections, GET /api/connections/:id ---------------------- */

struct next connections_list(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct connection_page *p = &connection_work_new(f)->page;
    if (!request_paging(q, &p->page, &p->page_size, 20))
        return back(f);
    return call(f, connection_page_begin, p, connections_found);
}

static struct next connections_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct connection_page *p =
        &((struct connection_work *)q->state)->page;
    reply_page(q, p->query, connection_write, p->page, p->page_size, p->total);
    return back(f);
}

struct next connections_get(struct flow *f)
{
    struct connection_work *x = connection_work_new(f);
    if (!request_uuid(REQUEST(f), "id", &x->page.connection_id))
        return back(f);
    x->status = 200;
    return call(f, connection_page_begin, &x->page, connection_found);
}

static struct next connection_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct connection_work *x = q->state;
    if (!x->page.query->n_rows)
        return reply_refusal(f, ERR_NOT_FOUND, connection_missing);
    return reply_row(f, x->page.query, connection_write, x->status);
}

/* Continues with `then` if the user owns the connection of :id or is an
 * admin. */
static struct next for_connection_owner(struct flow *f, step_fn *then)
{
    struct connection_work *x = REQUEST(f)->state;
    if (!request_uuid(REQUEST(f), "id", &x->id))
        return back(f);
    x->page.connection_id = x->id;
    x->then = then;
    return call(f, connection_page_begin, &x->page, connection_owner_known);
}

static struct next connection_owner_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct connection_work *x = q->state;
    if (!request_for_owner(q, x->page.query->n_rows, x->page.owner_id,
                           connection_missing))
        return back(f);
    return flow_go(f, x->then, "then");
}

/* ---- the time zone of x->add --------------------------------------------- */

/* Continues with `then` if the zone exists. */
static struct next with_known_zone(struct flow *f, step_fn *then)
{
    struct connection_work *x = REQUEST(f)->state;
    x->then = then;
    x->zone.name = x->add.time_zone;
    if (!x->zone.name.len)
        return flow_go(f, then, "then");
    return call(f, time_zone_find_begin, &x->zone, zone_found);
}

static struct next zone_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct connection_work *x = q->state;
    if (!x->zone.known)
        request_invalid(q, "options.timeZone", connection_no_zone);
    if (request_refused(q))
        return back(f);
    x->add.time_zone = x->zone.name;
    return flow_go(f, x->then, "then");
}

/* ---- POST /api/connections ----------------------------------------------- */

struct next connections_create(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct connection_work *x = connection_work_new(f);
    if (!request_body(q))
        return back(f);
    connection_body_new(q, &x->add);
    if (request_refused(q))
        return back(f);
    return with_known_zone(f, create_due);
}

static struct next create_due(struct flow *f)
{
    struct connection_work *x = REQUEST(f)->state;
    x->add.fresh = true;
    return call(f, connection_add_begin, &x->add, connection_made);
}

static struct next connection_made(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct connection_work *x = q->state;
    if (x->add.taken)
        return reply_refusal(f, ERR_CONFLICT,
                             "You already have a connection with this name.");
    x->page.connection_id = x->add.id;
    x->status = 201;
    return call(f, connection_page_begin, &x->page, connection_found);
}

/* ---- PATCH /api/connections/:id ------------------------------------------ */

struct next connections_change(struct flow *f)
{
    struct request *q = REQUEST(f);
    connection_work_new(f);
    if (!request_body(q))
        return back(f);
    return for_connection_owner(f, connection_change_due);
}

static struct next connection_change_due(struct flow *f)
{
    struct connection_work *x = REQUEST(f)->state;
    x->load.connection_id = x->id;
    return call(f, connection_load_begin, &x->load, connection_loaded);
}

static struct next change_stored(struct flow *f);

static struct next connection_loaded(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct connection_work *x = q->state;
    x->add = x->load.is;
    connection_body_change(q, &x->add);
    if (request_refused(q))
        return back(f);
    return with_known_zone(f, change_due);
}

static struct next change_due(struct flow *f)
{
    struct connection_work *x = REQUEST(f)->state;
    x->put.id = x->id;
    x->put.as = &x->add;
    return call(f, connection_put_begin, &x->put, change_stored);
}

static struct next change_stored(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct connection_work *x = q->state;
    if (x->put.taken)
        return reply_refusal(
            f, ERR_CONFLICT,
            "Its owner already has a connection with this name.");
    x->status = 200;
    return call(f, connection_page_begin, &x->page, connection_found);
}

/* ---- DELETE /api/connections/:id ----------------------------------------- */

struct next connections_remove(struct flow *f)
{
    connection_work_new(f);
    return for_connection_owner(f, connection_remove_due);
}

static struct next connection_remove_due(struct flow *f)
{
    struct connection_work *x = REQUEST(f)->state;
    x->remove.id = x->id;
    return call(f, connection_remove_begin, &x->remove, connection_removed);
}

static struct next connection_removed(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct connection_remove *r =
        &((struct connection_work *)q->state)->remove;
    if (!r->found)
        return reply_refusal(f, ERR_NOT_FOUND, connection_missing);
    if (r->removed)
        reply_empty(q, 204);
    else if (r->of_files)
        reply_error(q, ERR_CONFLICT,
                    "This connection is over uploaded files. Delete the "
                    "dataset instead.");
    else if (str_is(r->models, "[]"))
        reply_error(
            q, ERR_CONFLICT,
            "A question that uses it is still being cancelled. Try again in a "
            "moment.");
    else
        reply_error_with(
            q, ERR_CONFLICT,
            "Semantic models need this connection. Delete them "
            "first.",
            arena_printf(&q->memory, "{\"models\":%.*s}", STR_ARG(r->models)));
    return back(f);
}

/* ---- POST /api/connections/test, /api/connections/:id/test --------------- */

struct next connections_try(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct connection_work *x = connection_work_new(f);
    if (!request_body(q))
        return back(f);
    connection_body_new(q, &x->add);
    if (request_refused(q))
        return back(f);
    return with_known_zone(f, test_begins);
}

struct next connections_test(struct flow *f)
{
    connection_work_new(f);
    return for_connection_owner(f, test_due);
}

static struct next test_loaded(struct flow *f)
{
    struct connection_work *x = REQUEST(f)->state;
    x->add = x->load.is;
    return go(f, test_begins);
}

static struct next test_due(struct flow *f)
{
    struct connection_work *x = REQUEST(f)->state;
    x->load.connection_id = x->id;
    return call(f, connection_load_begin, &x->load, test_loaded);
}

static struct next test_begins(struct flow *f)
{
    struct connection_work *x = REQUEST(f)->state;
    x->check.target = &x->add;
    x->since_ms = clock_ms();
    if (!x->add.embedded && !x->add.of_files &&
        !source_host_allowed(x->add.store, x->add.host)) {
        x->message = STR("Connections to this host are not allowed.");
        return go(f, test_over);
    }
    return attempt(f, source_check_begin, &x->check, source_rights_known,
                   source_not_reached);
}

static struct next source_rights_known(struct flow *f)
{
    struct connection_work *x = REQUEST(f)->state;
    const struct source_check *s = &x->check;
    bool allowed = !s->superuser || x->add.allow_superuser;
    x->tested.good = allowed && s->knows_zone;
    if (!s->knows_zone)
        x->message = arena_printf(
            flow_keep(f), "The database does not know the time zone %.*s.",
            STR_ARG(x->add.time_zone));
    else if (!allowed)
        x->message = STR(
            "The role is a superuser, and queries of a model must not run as "
            "one. Use a role that may only read.");
    else if (s->writable || s->creates)
        x->message = STR(
            "Connected. The role may also write; a read-only role is safer.");
    else if (s->definers)
        x->message = STR(
            "Connected. The role may execute functions with the rights of "
            "their owner (SECURITY DEFINER); a role that may not is safer.");
    else if (!s->readable)
        x->message = STR("Connected, but the role cannot read any table.");
    else
        x->message = STR("Connected.");
    return go(f, test_over);
}

static struct next source_not_reached(struct flow *f)
{
    struct connection_work *x = REQUEST(f)->state;
    x->message = arena_str(flow_keep(f), failure_text(f));
    if (!x->message.len)
        x->message = str_of(err_sentence(failure(f)));
    return go(f, test_over);
}

static struct next test_over(struct flow *f)
{
    struct connection_work *x = REQUEST(f)->state;
    x->tested.id = x->id;
    x->tested.message = x->message;
    if (!x->id.len)
        return go(f, test_stored);
    return call(f, connection_tested_begin, &x->tested, test_stored);
}

static void put_rights(struct json_writer *w, const struct source_check *s)
{
    json_put_key(w, "rights");
    if (!s->version.len) {
        json_put_null(w);
        return;
    }
    json_put_object(w);
    json_field_bool(w, "superuser", s->superuser);
    json_field_bool(w, "createsObjects", s->creates);
    json_field_int(w, "readableTables", s->readable);
    json_field_int(w, "writableTables", s->writable);
    json_field_int(w, "definerFunctions", s->definers);
    json_put_object_end(w);
}

static struct next test_stored(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct connection_work *x = q->state;
    struct api_reply r;
    reply_open_object(q, &r);
    json_field_bool(&r.w, "success", x->tested.good);
    json_field_str(&r.w, "message", x->message);
    json_field_int(&r.w, "latencyMs", (int64_t)(clock_ms() - x->since_ms));
    json_field_text(&r.w, "serverVersion",
                    x->check.version.len ? x->check.version.ptr : NULL);
    put_rights(&r.w, &x->check);
    reply_send_object(q, &r, 200);
    return back(f);
}

/* ---- GET /api/connections/:id/databases… --------------------------------- */

static struct next catalog_look(struct flow *f, enum catalog_what what)
{
    struct request *q = REQUEST(f);
    struct connection_work *x = connection_work_new(f);
    struct catalog_list *c = &x->catalog;
    if (!request_uuid(q, "id", &x->id))
        return back(f);
    x->page.connection_id = c->connection_id = x->id;
    c->what = what;
    c->database = request_param(q, "db");
    c->schema = request_param(q, "schema");
    c->table = request_param(q, "table");
    request_search(q, &c->search);
    if (!request_paging(q, &c->page, &c->page_size, 100))
        return back(f);
    return call(f, connection_page_begin, &x->page, catalog_due);
}

struct next connections_databases(struct flow *f)
{
    return catalog_look(f, CATALOG_DATABASES);
}

struct next connections_schemas(struct flow *f)
{
    return catalog_look(f, CATALOG_SCHEMAS);
}

struct next connections_tables(struct flow *f)
{
    return catalog_look(f, CATALOG_TABLES);
}

struct next connections_columns(struct flow *f)
{
    return catalog_look(f, CATALOG_COLUMNS);
}

static struct next catalog_due(struct flow *f)
{
    struct connection_work *x = REQUEST(f)->state;
    if (!x->page.query->n_rows)
        return reply_refusal(f, ERR_NOT_FOUND, connection_missing);
    return call(f, catalog_list_begin, &x->catalog, catalog_known);
}

static struct next catalog_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct catalog_list *c =
        &((struct connection_work *)q->state)->catalog;
    struct api_reply r;
    if (!c->reached)
        return reply_refusal(f, ERR_BAD_GATEWAY,
                             arena_printf(&q->memory,
                                          "The database did not answer: %.*s",
                                          STR_ARG(c->problem))
                                 .ptr);
    reply_page_open(q, &r);
    for (int i = 0; i < c->n_rows; i++) {
        json_put_object(&r.w);
        catalog_write(&r.w, c, i);
        json_put_object_end(&r.w);
    }
    reply_page_send(q, &r, c->page, c->page_size, c->total);
    return back(f);
}
