/* user_watch.c - learns of users that any process has changed.
 *
 * The flow reads the table when the database notifies it (a trigger), and every
 * WATCH_MS in case a notice was lost. It costs one index query, however many
 * streams are open. Changed users lose their cached roles, and the requests of
 * disabled users are stopped. */
#include "access.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "loop/wait.h"
#include "store/store.h"
#include <stddef.h>
#include "base/banned.h"

enum { WATCH_MS = 2000, LOOK_MEMORY = 4 * 1024 * 1024 };

struct user_watch {
    struct api *api;
    struct wait wait;
    struct child look;
    struct user_changes changes;
};

static struct next users_look_due(struct flow *f), users_looked(struct flow *f),
    users_look_begin(struct flow *f), changes_known(struct flow *f);

static struct next users_look_due(struct flow *f)
{
    struct user_watch *w = locals(f, struct user_watch);
    child_begin(f, &w->look, users_look_begin, w, "users", LOOK_MEMORY);
    /* while the database is unreachable, no user changes */
    op_tolerate(&w->look.op);
    return await(f, users_looked);
}

static struct next users_looked(struct flow *f)
{
    struct user_watch *w = locals(f, struct user_watch);
    wait_begin(f, &w->wait, &w->api->access->wake, WATCH_MS);
    return await(f, users_look_due);
}

static struct next users_look_begin(struct flow *f)
{
    struct user_watch *w = locals(f, struct user_watch);
    w->changes =
        (struct user_changes){.store = agent_store(w->api->options.agent)};
    return call(f, user_changes_begin, &w->changes, changes_known);
}

/* Closes the user's streams without a terminal event, because a disabled user
 * may not see how the run ends. */
static void stop_disabled(struct api *a, const struct user_change_seen *user)
{
    struct str runs = user->runs, id;
    for (struct request *q = a->live; q; q = q->next_live)
        if (str_eq(q->user.id, user->id))
            flow_stop(q->flow, ERR_UNAUTHORIZED);
    while (runs.len && str_split(&runs, ',', &id))
        agent_cancel_run(a->options.agent, id);
}

static struct next changes_known(struct flow *f)
{
    struct user_watch *w = locals(f, struct user_watch);
    for (size_t i = 0; i < w->changes.n; i++) {
        user_cache_drop(w->changes.rows[i].id);
        if (!w->changes.rows[i].active)
            stop_disabled(w->api, &w->changes.rows[i]);
    }
    return back(f);
}

static void start_watch(struct api *a);

static void watch_over(struct flow *f, enum err how, void *who)
{
    struct user_watch *w = who;
    struct api *a = w->api;
    (void)f;
    (void)how;
    mem_free(w);
    a->access->watch = NULL;
    if (a->access->closing)
        api_free_if_over(a);
    else
        start_watch(a); /* out of memory */
}

static void start_watch(struct api *a)
{
    struct user_watch *w = mem_new(struct user_watch);
    w->api = a;
    a->access->watch =
        flow_start(users_look_due, w,
                   &(struct flow_options){
                       .kind = "user watch", .on_end = watch_over, .who = w});
}

static void on_notice(struct notice_listener *h, enum notice what,
                      struct str id)
{
    struct access *c = container_of(h, struct access, hearer);
    (void)id;
    if (what == NOTICE_CHANGED || what == NOTICE_MISSED)
        wake_up(&c->wake);
}

static struct notices *user_notices(const struct api *a)
{
    return agent_store(a->options.agent)->notices;
}

void user_watch_open(struct api *a)
{
    a->access->hearer.hear = on_notice;
    notices_add_listener(user_notices(a), &a->access->hearer);
    start_watch(a);
}

void user_watch_close(struct api *a)
{
    notices_remove_listener(user_notices(a), &a->access->hearer);
    if (a->access->watch)
        flow_cancel(a->access->watch);
}
