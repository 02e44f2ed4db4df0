/* live_runs.c - runs in progress, for admins: list and cancel.
 *
 *   page -> ask the owning processes for trails -> (pause -> look)… -> answer
 *
 * A run's trail is what its flows wait for and did recently. The trail of a run
 * in another process comes through its row (agent/trails.h). The answer does
 * not wait longer than some hundred milliseconds for it. */
#include "agent/trails.h"
#include "loop/wait.h"
#include "question.h"
#include "../request.h"
#include "store/audit.h"
#include "store/live_runs.h"
#include "store/notices.h"
#include "store/runs.h"
#include "base/banned.h"

enum { FIRST_LOOK_MS = 50, LAST_LOOK_MS = 400 }; /* doubled each time */

static struct next live_runs_found(struct flow *f),
    trails_wait_begin(struct flow *f), trails_look_due(struct flow *f),
    trails_looked(struct flow *f), trails_known(struct flow *f),
    run_owner_known(struct flow *f), cancel_asked(struct flow *f),
    cancel_noted(struct flow *f);

/* ---- GET /api/admin/runs ------------------------------------------------- */

struct live_run_listing {
    struct live_run_page page;
    struct run_trails_read elsewhere;
    struct pause pause;
    unsigned wait_ms;
};

struct next live_runs_list(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct live_run_listing *l = keep(f, struct live_run_listing);
    q->state = l;
    l->page.store = l->elsewhere.store = request_store(q);
    if (!request_paging(q, &l->page.page, &l->page.page_size, 50))
        return back(f);
    return call(f, live_run_page_begin, &l->page, live_runs_found);
}

/* The runs of the page that other processes own, as PostgreSQL array text
 * ("{}": none). */
static struct str ask_for_trails(struct request *q,
                                 const struct live_run_page *p)
{
    struct buf ids;
    buf_init(&ids, &q->memory);
    buf_char(&ids, '{');
    for (int i = 0; i < p->query->n_rows; i++) {
        struct str id = live_run_id(p->query, i);
        if (!live_run_is_elsewhere(p->store, p->query, i))
            continue;
        notice_send(p->store->notices, NOTICE_TELL, id);
        buf_printf(&ids, "%s%.*s", ids.len > 1 ? "," : "", STR_ARG(id));
    }
    buf_char(&ids, '}');
    return buf_view(&ids);
}

static struct next live_runs_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct live_run_listing *l = q->state;
    if (!notices_up(
            l->page.store->notices)) /* notices do not arrive, so do not wait */
        return go(f, trails_known);
    l->elsewhere.ids = ask_for_trails(q, &l->page);
    l->elsewhere.since = l->page.at;
    l->wait_ms = FIRST_LOOK_MS;
    return str_is(l->elsewhere.ids, "{}") ? go(f, trails_known)
                                          : go(f, trails_wait_begin);
}

static struct next trails_wait_begin(struct flow *f)
{
    struct live_run_listing *l = REQUEST(f)->state;
    pause_begin(f, &l->pause, l->wait_ms);
    return await(f, trails_look_due);
}

static struct next trails_look_due(struct flow *f)
{
    struct live_run_listing *l = REQUEST(f)->state;
    return call(f, run_trails_read_begin, &l->elsewhere, trails_looked);
}

static struct next trails_looked(struct flow *f)
{
    struct live_run_listing *l = REQUEST(f)->state;
    l->wait_ms *= 2;
    return l->elsewhere.waits && l->wait_ms <= LAST_LOOK_MS
               ? go(f, trails_wait_begin)
               : go(f, trails_known);
}

static void put_trail_line(void *who, struct str line)
{
    json_put_str(who, line);
}

static void put_trail(struct request *q, struct json_writer *w,
                      struct str message_id)
{
    const struct live_run_listing *l = q->state;
    struct str told = run_trail_of(&l->elsewhere, message_id);
    json_put_key(w, "trail");
    if (told.len) {
        json_put_raw(w, told);
        return;
    }
    json_put_array(w);
    trails_of_run(message_id, &q->memory, put_trail_line, w);
    json_put_array_end(w);
}

static struct next trails_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct live_run_page *p =
        &((struct live_run_listing *)q->state)->page;
    struct api_reply r;
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

/* ---- POST /api/admin/runs/:id/cancel ------------------------------------- */

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
    return call(f, run_owner_begin, &s->owner, run_owner_known);
}

static struct next run_owner_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct stopping *s = q->state;
    if (!s->owner.found)
        return reply_refusal(f, ERR_NOT_FOUND, "Run not found");
    s->cancel.message_id = s->owner.message_id;
    s->cancel.user_id = s->owner.user_id;
    return call(f, run_cancel_begin, &s->cancel, cancel_asked);
}

static struct next cancel_asked(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct stopping *s = q->state;
    agent_cancel_run(q->api->options.agent, s->cancel.message_id);
    journal_wake_readers(request_store(q)->journal, s->cancel.message_id);
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
    question_reply_cancel(q, &s->cancel);
    return back(f);
}
