/* sql_queries.c - what the SQL console keeps: saved queries and history.
 *
 *   sql_queries_list -> list_ontology_known -> list_read -> list_held
 *     -> query_judged <-> -> back
 *   sql_queries_add -> add_ontology_known -> query_put -> put_read
 *     -> put_ontology_known -> list_read -> …
 *   sql_queries_change -> change_read -> query_put -> …
 *   sql_queries_remove -> remove_read -> query_gone
 *
 * Whether a saved query still fits its semantic model is not stored: each is
 * judged when it is listed, so a changed model counts at once. */
#include "base/clock.h"
#include "base/utf8.h"
#include "guard/functions.h"
#include "loop/wait.h"
#include "ontology/guardrail.h"
#include "sql_text.h"
#include "store/ontologies.h"
#include "tool/query_guard.h"
#include "base/banned.h"

enum { SLICE_MS = 10, PROBLEM_CHARACTERS = 1000 };

static const char ontology_missing[] = "Ontology not found";
static const char query_missing[] = "Query not found";

struct sql_queries {
    struct console_ontology ontology;
    struct sql_query_list list;
    struct ontology_acquire hold;
    struct sql_query_put put;
    struct sql_query_remove remove;
    struct arena judging;
    struct api_reply reply;
    bool single;                  /* the answer is one query */
    bool named, written, sharing; /* what the body has */
    int row, status;
    uint64_t since_ms;
    struct pause pause;
};

static struct next list_ontology_known(struct flow *f),
    list_read(struct flow *f), list_held(struct flow *f),
    query_judged(struct flow *f), add_ontology_known(struct flow *f),
    change_read(struct flow *f), query_put(struct flow *f),
    put_read(struct flow *f), put_ontology_known(struct flow *f),
    remove_read(struct flow *f), query_gone(struct flow *f),
    history_read(struct flow *f), history_gone(struct flow *f);

static struct sql_queries *queries_of(struct flow *f)
{
    return REQUEST(f)->state;
}

static void queries_done(void *what)
{
    arena_done(&((struct sql_queries *)what)->judging);
}

static struct sql_queries *queries_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct sql_queries *s = keep(f, struct sql_queries);
    s->ontology.store = s->list.store = s->hold.store = s->put.store =
        s->remove.store = request_store(q);
    s->ontology.user_id = s->list.user_id = s->put.user_id = s->remove.user_id =
        q->user.id;
    s->ontology.all = s->list.all = request_may(q, MAY_ADMIN);
    s->put.request_id = s->remove.request_id = q->x->request_id;
    s->status = 200;
    flow_arena_init(&s->judging, 0);
    defer_kept(f, queries_done, s);
    q->state = s;
    return s;
}

void sql_text_of(struct request *q, struct str *out)
{
    *out = json_get_text(q->body, "sql");
    if (!utf8_trim(*out).len || utf8_count(*out) > SQL_TEXT_MOST)
        request_invalid(q, "sql", "must be 1 to 30000 characters");
}

/* ---- whether it fits ------------------------------------------------------ */

/* Why the query does not run over the model, or empty. Findings that concern
 * only its result do not count: the console shows them as warnings. */
static struct str saved_query_problem(struct sql_queries *s, struct str sql)
{
    struct cached_ontology *held = s->hold.held;
    struct guard_policy policy = query_policy(held, NULL);
    struct guard_verdict verdict;
    struct query_findings findings;
    struct query_outline outline;
    policy.trino = s->ontology.of_trino;
    policy.catalog = policy.trino ? s->ontology.database : STR("");
    query_guard(&s->judging, &policy,
                s->ontology.of_files ? DIALECT_DUCKDB : DIALECT_POSTGRES, sql,
                &verdict);
    if (!verdict.ok)
        return utf8_first(verdict.reason, PROBLEM_CHARACTERS);
    analysis_cache_get(&held->judged, &s->judging, held->model, verdict.text,
                       &findings, &outline);
    for (size_t i = 0; i < findings.n; i++)
        if (findings.items[i].kind == FINDING_UNKNOWN_TABLE ||
            findings.items[i].kind == FINDING_UNKNOWN_COLUMN)
            return utf8_first(findings.items[i].message, PROBLEM_CHARACTERS);
    return STR("");
}

static void put_judged(struct sql_queries *s, int row)
{
    struct json_writer *w = &s->reply.w;
    struct str problem =
        saved_query_problem(s, sql_query_fields(s->list.query, row).sql);
    if (!s->single)
        json_put_object(w);
    sql_query_write(w, s->list.query, row);
    json_field_text(w, "state", problem.len ? "stale" : "fits");
    if (problem.len)
        json_field_str(w, "problem", problem);
    else
        json_field_null(w, "problem");
    if (!s->single)
        json_put_object_end(w);
    arena_done(&s->judging);
}

/* A long query takes the guard some milliseconds. */
static struct next query_judged(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct sql_queries *s = q->state;
    while (s->row < s->list.query->n_rows) {
        put_judged(s, s->row++);
        if (clock_ms() - s->since_ms < SLICE_MS)
            continue;
        s->pause = (struct pause){0};
        pause_begin(f, &s->pause, 1);
        s->since_ms = clock_ms() + 1;
        return await(f, query_judged);
    }
    if (s->single) {
        reply_send_object(q, &s->reply, s->status);
        return back(f);
    }
    json_put_array_end(&s->reply.w);
    reply_send(q, &s->reply, s->status);
    return back(f);
}

/* ---- GET /api/sql/queries ------------------------------------------------- */

/* `ontologyId` of the query string, which must be there. */
static bool queried_ontology(struct request *q, struct str *out)
{
    request_uuid_query(q, "ontologyId", out);
    if (!out->len && !http_get_query(q->x, "ontologyId", &(struct str){0}))
        request_invalid(q, "ontologyId", "is missing");
    return !request_refused(q);
}

struct next sql_queries_list(struct flow *f)
{
    struct sql_queries *s = queries_new(f);
    if (!queried_ontology(REQUEST(f), &s->ontology.ontology_id))
        return back(f);
    s->list.ontology_id = s->ontology.ontology_id;
    return call(f, console_ontology_begin, &s->ontology, list_ontology_known);
}

static struct next list_ontology_known(struct flow *f)
{
    struct sql_queries *s = queries_of(f);
    if (!s->ontology.found)
        return reply_refusal(f, ERR_NOT_FOUND, ontology_missing);
    return call(f, sql_query_list_begin, &s->list, list_read);
}

static struct next list_read(struct flow *f)
{
    struct sql_queries *s = queries_of(f);
    s->hold.id = s->ontology.ontology_id;
    s->hold.version = s->ontology.version;
    return call(f, ontology_acquire_begin, &s->hold, list_held);
}

static struct next list_held(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct sql_queries *s = q->state;
    s->since_ms = clock_ms();
    if (s->single) {
        reply_open_object(q, &s->reply);
    } else {
        reply_open(q, &s->reply);
        json_put_array(&s->reply.w);
    }
    return go(f, query_judged);
}

/* ---- POST, PATCH ---------------------------------------------------------- */

static void read_query_body(struct request *q, struct sql_queries *s)
{
    const json_t *shared = json_object_get(q->body, "shared");
    s->named = request_text_given(q, "name", 1, SQL_NAME_MOST, &s->put.name);
    if (s->named && str_has_control(s->put.name))
        request_invalid(q, "name", "must not have control characters");
    s->written = json_object_get(q->body, "sql") != NULL;
    if (s->written)
        sql_text_of(q, &s->put.sql);
    s->sharing = shared && request_bool_given(q, "shared", &s->put.shared);
}

struct next sql_queries_add(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct sql_queries *s = queries_new(f);
    if (!request_body(q))
        return back(f);
    request_uuid_given(q, "ontologyId", &s->ontology.ontology_id);
    read_query_body(q, s);
    if (!s->named && !json_object_get(q->body, "name"))
        request_invalid(q, "name", "is missing");
    if (!s->written)
        request_invalid(q, "sql", "is missing");
    if (request_refused(q))
        return back(f);
    s->status = 201;
    return call(f, console_ontology_begin, &s->ontology, add_ontology_known);
}

static struct next add_ontology_known(struct flow *f)
{
    struct sql_queries *s = queries_of(f);
    if (!s->ontology.found)
        return reply_refusal(f, ERR_NOT_FOUND, ontology_missing);
    s->put.ontology_id = s->ontology.ontology_id;
    return call(f, sql_query_put_begin, &s->put, query_put);
}

struct next sql_queries_change(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct sql_queries *s = queries_new(f);
    if (!request_uuid(q, "id", &s->list.id) || !request_body(q))
        return back(f);
    read_query_body(q, s);
    if (request_refused(q))
        return back(f);
    return call(f, sql_query_list_begin, &s->list, change_read);
}

/* Only the owner: the query of somebody else can be saved under another name. */
static bool query_is_own(struct request *q, const struct sql_queries *s)
{
    if (!s->list.query->n_rows)
        reply_error(q, ERR_NOT_FOUND, query_missing);
    else if (!str_eq(s->list.owner_id, q->user.id))
        reply_error(q, ERR_FORBIDDEN, "This query belongs to another user.");
    else
        return true;
    return false;
}

static struct next change_read(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct sql_queries *s = q->state;
    struct sql_query_fields had;
    if (!query_is_own(q, s))
        return back(f);
    had = sql_query_fields(s->list.query, 0);
    s->put.id = s->list.id;
    s->ontology.ontology_id = s->put.ontology_id = had.ontology_id;
    if (!s->named)
        s->put.name = had.name;
    if (!s->written)
        s->put.sql = had.sql;
    if (!s->sharing)
        s->put.shared = had.shared;
    return call(f, sql_query_put_begin, &s->put, query_put);
}

/* The answer is the query as a list of one would show it. */
static struct next query_put(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct sql_queries *s = q->state;
    if (s->put.taken)
        return reply_refusal(f, ERR_CONFLICT,
                             "You have a query of this name already.");
    if (!s->put.id.len && !s->put.room)
        return reply_refusal(
            f, ERR_CONFLICT,
            arena_printf(&q->memory,
                         "You have %d saved queries over this ontology. Delete "
                         "some first.",
                         SQL_QUERIES_MOST)
                .ptr);
    if (!s->put.found)
        return reply_refusal(f, ERR_NOT_FOUND, query_missing);
    s->single = true;
    s->list = (struct sql_query_list){.store = s->put.store,
                                      .user_id = q->user.id,
                                      .id = s->put.made,
                                      .all = s->list.all};
    return call(f, sql_query_list_begin, &s->list, put_read);
}

static struct next put_read(struct flow *f)
{
    struct sql_queries *s = queries_of(f);
    if (!s->list.query->n_rows)
        return reply_refusal(f, ERR_NOT_FOUND, query_missing);
    return call(f, console_ontology_begin, &s->ontology, put_ontology_known);
}

static struct next put_ontology_known(struct flow *f)
{
    if (!queries_of(f)->ontology.found)
        return reply_refusal(f, ERR_NOT_FOUND, ontology_missing);
    return go(f, list_read);
}

/* ---- DELETE --------------------------------------------------------------- */

struct next sql_queries_remove(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct sql_queries *s = queries_new(f);
    if (!request_uuid(q, "id", &s->list.id))
        return back(f);
    return call(f, sql_query_list_begin, &s->list, remove_read);
}

static struct next remove_read(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct sql_queries *s = q->state;
    if (!request_for_owner(q, s->list.query->n_rows > 0, s->list.owner_id,
                           query_missing))
        return back(f);
    s->remove.id = s->list.id;
    return call(f, sql_query_remove_begin, &s->remove, query_gone);
}

static struct next query_gone(struct flow *f)
{
    if (!queries_of(f)->remove.found)
        return reply_refusal(f, ERR_NOT_FOUND, query_missing);
    reply_empty(REQUEST(f), 204);
    return back(f);
}

/* ---- GET /api/sql/functions ------------------------------------------------ */

struct next sql_functions(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct api_reply r;
    reply_open(q, &r);
    json_put_array(&r.w);
    for (const char *const *name = guard_function_names; *name; name++)
        json_put_str(&r.w, str_of(*name));
    json_put_array_end(&r.w);
    reply_send(q, &r, 200);
    return back(f);
}

/* ---- history -------------------------------------------------------------- */

struct next sql_history_list(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct sql_history *h = keep(f, struct sql_history);
    *h = (struct sql_history){.store = request_store(q), .user_id = q->user.id};
    q->state = h;
    if (!queried_ontology(q, &h->ontology_id))
        return back(f);
    return call(f, sql_history_begin, h, history_read);
}

static struct next history_read(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct sql_history *h = q->state;
    struct api_reply r;
    reply_open(q, &r);
    json_put_array(&r.w);
    for (int i = 0; i < h->query->n_rows; i++) {
        json_put_object(&r.w);
        sql_history_write(&r.w, h->query, i);
        json_put_object_end(&r.w);
    }
    json_put_array_end(&r.w);
    reply_send(q, &r, 200);
    return back(f);
}

static struct next begin_history_delete(struct flow *f,
                                        struct sql_history_delete *d)
{
    return call(f, sql_history_delete_begin, d, history_gone);
}

static struct sql_history_delete *history_delete_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct sql_history_delete *d = keep(f, struct sql_history_delete);
    *d = (struct sql_history_delete){.store = request_store(q),
                                     .user_id = q->user.id};
    q->state = d;
    return d;
}

struct next sql_history_clear(struct flow *f)
{
    struct sql_history_delete *d = history_delete_new(f);
    if (!queried_ontology(REQUEST(f), &d->ontology_id))
        return back(f);
    return begin_history_delete(f, d);
}

struct next sql_history_remove(struct flow *f)
{
    struct sql_history_delete *d = history_delete_new(f);
    if (!request_uuid(REQUEST(f), "id", &d->id))
        return back(f);
    return begin_history_delete(f, d);
}

static struct next history_gone(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct sql_history_delete *d = q->state;
    if (d->id.len && !d->deleted)
        return reply_refusal(f, ERR_NOT_FOUND, query_missing);
    reply_empty(q, 204);
    return back(f);
}
