/* live_runs.c - runs that are under way, for admins: seen, and stopped.
 *
 * A run's trail is what its flows wait for and what they did lately. It is known
 * in the process that answers the question, and to no other. */
#include "store/live_runs.h"
#include "request.h"
#include "store/audit.h"
#include "store/runs.h"
#include "base/banned.h"

static struct next runs_found(struct flow *f), owner_known(struct flow *f),
    cancel_asked(struct flow *f), cancel_noted(struct flow *f);

/* ---- GET /api/admin/runs --------------------------------------------------- */

struct trail {
    struct json_writer *w;
    struct arena *memory;
    struct str label; /* "run 7a90…" */
};

static void tell_flow(struct flow *f, void *who)
{
    const struct trail *t = who;
    if (str_eq(flow_label_of(f), t->label))
        json_put_str(t->w, flow_tell(f, t->memory));
}

static void put_trail(struct request *q, struct json_writer *w,
                      struct str message_id)
{
    struct trail t = {w, &q->memory,
                      arena_printf(&q->memory, "run %.*s", STR_ARG(message_id))};
    json_put_key(w, "trail");
    json_put_array(w);
    flow_each(tell_flow, &t);
    json_put_array_end(w);
}

struct next live_runs_list(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct live_run_page *p = keep(f, struct live_run_page);
    q->state = p;
    p->store = request_store(q);
    if (!request_paging(q, &p->page, &p->page_size, 50))
        return back(f);
    return call(f, live_run_page_begin, p, runs_found);
}

static struct next runs_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct live_run_page *p = q->state;
    struct reply r;
    reply_page_open(q, &r);
    for (int i = 0; i < p->query->n_rows; i++) {
        json_put_object(&r.w);
        live_run_write(&r.w, p->query, i);
        put_trail(q, &r.w, live_run_id(p->query, i));
        json_put_object_end(&r.w);
    }
    reply_page_send(q, &r, p->page, p->page_size, p->total);
    return back(f);
}

/* ---- POST /api/admin/runs/:id/cancel ---------------------------------------- */

struct stopping {
    struct run_owner owner;
    struct run_cancel cancel;
    struct audit_write audit;
};

struct next live_runs_cancel(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct stopping *s = keep(f, struct stopping);
    q->state = s;
    s->owner.store = s->cancel.store = s->audit.store = request_store(q);
    if (!request_uuid(q, "id", &s->owner.message_id))
        return back(f);
    return call(f, run_owner_begin, &s->owner, owner_known);
}

static struct next owner_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct stopping *s = q->state;
    if (!s->owner.found) {
        reply_error(q, ERR_NOT_FOUND, "Run not found");
        return back(f);
    }
    s->cancel.message_id = s->owner.message_id;
    s->cancel.user_id = s->owner.user_id;
    return call(f, run_cancel_begin, &s->cancel, cancel_asked);
}

static struct next cancel_asked(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct stopping *s = q->state;
    agent_cancel_run(q->api->options.agent, s->cancel.message_id);
    journal_nudge(request_store(q)->journal, s->cancel.message_id);
    s->audit.actor_id = q->user.id;
    s->audit.action = "run.cancelled";
    s->audit.target_type = "message";
    s->audit.target = s->cancel.message_id;
    s->audit.request_id = q->x->request_id;
    return call(f, audit_write_begin, &s->audit, cancel_noted);
}

static struct next cancel_noted(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct stopping *s = q->state;
    struct reply r;
    reply_open(q, &r);
    json_put_object(&r.w);
    json_field_str(&r.w, "messageId", s->cancel.message_id);
    json_field_bool(&r.w, "cancelled", true);
    json_put_object_end(&r.w);
    reply_send(q, &r, 200);
    return back(f);
}
