/* model_run_stream.c - follows the build of a semantic model from any process:
 * sends its row whenever it changes, until the build ends. */
#include "base/compiler.h"
#include "base/clock.h"
#include "net/sse.h"
#include "../request.h"
#include "store/model_runs.h"
#include <stddef.h>
#include "base/banned.h"

enum {
    POLL_MS = 1000, /* in case a notice is lost */
    QUEUE_BYTES = 256 * 1024,
    LOOK_MEMORY = 1024 * 1024,
};

struct following {
    struct request *request;
    struct model_run_page page;
    struct notice_listener hearer;
    struct wake wake;
    struct wait wait;
    struct child look;
    struct sse *sse; /* NULL: disconnected, or everything was sent */
    int64_t at;      /* the last event that the client has */
};

static struct next run_known(struct flow *f),
    build_follow_begin(struct flow *f), row_look_due(struct flow *f),
    row_looked(struct flow *f), build_stream_over(struct flow *f),
    row_look_begin(struct flow *f), row_read(struct flow *f);

struct next model_runs_follow(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct following *s = keep(f, struct following);
    s->request = q;
    s->page = (struct model_run_page){.store = request_store(q),
                                      .user_id = q->user.id,
                                      .all = request_may(q, MAY_ADMIN),
                                      .page = 1,
                                      .page_size = 1};
    q->state = s;
    if (!request_uuid(q, "id", &s->page.run_id) || !request_position(q, &s->at))
        return back(f);
    return call(f, model_run_page_begin, &s->page, run_known);
}

/* ---- open and close ------------------------------------------------------ */

static void on_notice(struct notice_listener *h, enum notice what,
                      struct str id)
{
    struct following *s = container_of(h, struct following, hearer);
    if (what == NOTICE_MISSED ||
        (what == NOTICE_WROTE && str_eq(id, s->page.run_id)))
        wake_up(&s->wake);
}

static void on_follower_gone(struct sse *sse, void *who)
{
    struct following *s = who;
    (void)sse;
    s->sse = NULL;
    wake_up(&s->wake);
}

static void close_build_stream(void *what)
{
    struct following *s = what;
    notices_remove_listener(s->page.store->notices, &s->hearer);
    if (s->sse)
        sse_close(&s->sse);
}

static struct next run_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct following *s = q->state;
    if (!s->page.query->n_rows)
        return reply_refusal(f, ERR_NOT_FOUND, "Run not found");
    q->answered = true;
    s->sse = sse_open(q->x, &(struct sse_options){
                                .heartbeat_ms = q->api->options.heartbeat_ms,
                                .queue_bytes = QUEUE_BYTES,
                                .on_closed = on_follower_gone,
                                .who = s});
    s->hearer.hear = on_notice;
    notices_add_listener(s->page.store->notices, &s->hearer);
    defer_kept(f, close_build_stream, s);
    s->wake.pending = true; /* look at once: earlier notices are lost */
    return call(f, build_follow_begin, s, build_stream_over);
}

/* ---- following ----------------------------------------------------------- */

static struct next build_follow_begin(struct flow *f)
{
    struct following *s = locals(f, struct following);
    int64_t left = s->request->until_ms - clock_wall_ms();
    if (!s->sse || left <= 0)
        return back(f);
    wait_begin(f, &s->wait, &s->wake,
               left < POLL_MS ? (uint64_t)left : POLL_MS);
    return await(f, row_look_due);
}

static struct next row_look_due(struct flow *f)
{
    struct following *s = locals(f, struct following);
    if (!s->sse)
        return back(f);
    child_begin(f, &s->look, row_look_begin, s, "look", LOOK_MEMORY);
    op_tolerate(&s->look.op);
    return await(f, row_looked);
}

static struct next row_looked(struct flow *f)
{
    return go(f, build_follow_begin);
}

static struct next build_stream_over(struct flow *f)
{
    return back(f);
}

/* ---- one look, in a flow of its own -------------------------------------- */

static struct next row_look_begin(struct flow *f)
{
    return call(f, model_run_page_begin, &locals(f, struct following)->page,
                row_read);
}

static void send_change(struct flow *f, struct following *s,
                        const struct model_run_event *news)
{
    struct buf data, frame;
    struct json_writer w;
    buf_init(&data, flow_here(f));
    buf_init(&frame, flow_here(f));
    json_writer_init(&w, &data);
    json_put_object(&w);
    model_run_event_write(&w, s->page.query, 0);
    json_put_object_end(&w);
    sse_frame(&frame, str_of(news->type), buf_view(&data), news->id);
    sse_send(s->sse, buf_view(&frame));
    s->at = news->id;
}

/* The connection was deleted, and the build's row with it. */
static void send_gone(struct flow *f, struct following *s)
{
    struct buf frame;
    const char *why = err_sentence(ERR_CANCELLED);
    buf_init(&frame, flow_here(f));
    sse_frame(&frame, STR("run_error"),
              arena_printf(flow_here(f),
                           "{\"type\":\"run_error\",\"runId\":\"%.*s\","
                           "\"code\":\"%s\",\"message\":\"%s\","
                           "\"error\":\"%s\"}",
                           STR_ARG(s->page.run_id), err_code(ERR_CANCELLED),
                           why, why),
              s->at + 1);
    sse_send(s->sse, buf_view(&frame));
}

static struct next row_read(struct flow *f)
{
    struct following *s = locals(f, struct following);
    struct model_run_event news = {.ended = true};
    if (!s->sse)
        return back(f);
    if (s->page.query->n_rows)
        model_run_event(s->page.query, 0, &news);
    else
        send_gone(f, s);
    if (news.id > s->at)
        send_change(f, s, &news);
    if (news.ended)
        sse_close(&s->sse);
    return back(f);
}
