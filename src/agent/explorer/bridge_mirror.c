/* bridge_mirror.c - the stream of a bridge for readers that are connected to
 * another process: a reader here that writes what it gets to the database, in
 * parts (store/explorer_runs.h), and sends a notice for each.
 *
 *   mirror_begin -> mirror_due <-> mirror_woken
 *                    | \ part_begin -> part_put -> part_done -> mirror_due
 *                    |              \ part_not_put
 *                    \ (remove) -> parts_removed
 *
 * It ends some time after the last part, when a part cannot be written, and when
 * no reader has asked for BRIDGE_ALONE_MS. */
#include "bridge_state.h"
#include "base/clock.h"
#include "base/mem.h"
#include "store/notices.h"
#include "../agent_state.h"
#include "base/banned.h"

enum {
    PART_BYTES = 256 * 1024,
    MIRROR_LOOK_MS = 5000,
    LINGER_MS = 10000, /* readers may still need the last part */
};

struct bridge_mirror {
    struct bridge_reader reader;
    struct bridge *bridge;
    struct wait wait;
    uint64_t asked_ms; /* the latest time that a reader asked for parts */
    uint64_t over_ms;  /* when the last part was written; 0: it was not */
    struct explorer_part part;
    struct explorer_parts_removal removal;
    int n_parts;
};

static struct next mirror_begin(struct flow *f), mirror_due(struct flow *f),
    mirror_woken(struct flow *f), part_begin(struct flow *f),
    part_put(struct flow *f), part_done(struct flow *f),
    part_not_put(struct flow *f), parts_removed(struct flow *f);

/* ---- the one that writes ------------------------------------------------ */

static void on_mirror_end(struct flow *f, enum err how, void *who)
{
    struct bridge_mirror *m = who;
    (void)f;
    (void)how;
    m->bridge->mirror = NULL;
    bridge_unfollow(&m->reader);
    mem_free(m);
}

void bridge_mirror(struct agent *a, struct str run_id)
{
    struct bridge *b = a->bridges;
    while (b && !str_is(run_id, b->run.message_id))
        b = b->next;
    if (!b || (b->chunks.over && b->read && !b->mirror))
        return;
    if (!b->mirror) {
        b->mirror = mem_new(struct bridge_mirror);
        b->mirror->bridge = b;
        bridge_follow(b, &b->mirror->reader);
        flow_start(mirror_begin, b->mirror,
                   &(struct flow_options){.kind = "mirror",
                                          .on_end = on_mirror_end,
                                          .who = b->mirror});
    }
    b->mirror->asked_ms = clock_ms();
}

static struct next mirror_begin(struct flow *f)
{
    return go(f, mirror_due);
}

/* No reader needs the parts any more. */
static bool is_mirror_over(const struct bridge_mirror *m)
{
    uint64_t now = clock_ms();
    return (m->over_ms && now - m->over_ms >= LINGER_MS) ||
           now - m->asked_ms >= BRIDGE_ALONE_MS || m->bridge->agent->closing;
}

static struct next mirror_due(struct flow *f)
{
    struct bridge_mirror *m = locals(f, struct bridge_mirror);
    m->removal = (struct explorer_parts_removal){
        .store = agent_store(m->bridge->agent),
        .run_id = str_of(m->bridge->run.message_id)};
    if (is_mirror_over(m))
        return attempt(f, explorer_parts_remove_begin, &m->removal,
                       parts_removed, parts_removed);
    if (m->reader.at < m->bridge->chunks.n)
        return attempt(f, part_begin, m, part_done, part_not_put);
    wait_begin(f, &m->wait, &m->reader.wake, MIRROR_LOOK_MS);
    return await(f, mirror_woken);
}

static struct next mirror_woken(struct flow *f)
{
    return go(f, mirror_due);
}

static struct next part_begin(struct flow *f)
{
    struct bridge_mirror *m = locals(f, struct bridge_mirror);
    struct str frames = bridge_frames(&m->reader, PART_BYTES);
    m->part =
        (struct explorer_part){.store = agent_store(m->bridge->agent),
                               .run_id = str_of(m->bridge->run.message_id),
                               .number = m->n_parts++,
                               .frames = arena_str(flow_here(f), frames),
                               .is_last = bridge_is_read(&m->reader)};
    return call(f, explorer_part_put_begin, &m->part, part_put);
}

static struct next part_put(struct flow *f)
{
    struct bridge_mirror *m = locals(f, struct bridge_mirror);
    notice_send(agent_store(m->bridge->agent)->notices, NOTICE_ANSWERED,
                m->part.run_id);
    if (m->part.is_last)
        m->over_ms = clock_ms();
    return back(f);
}

static struct next part_done(struct flow *f)
{
    return go(f, mirror_due);
}

static struct next part_not_put(struct flow *f)
{
    return back(f);
}

static struct next parts_removed(struct flow *f)
{
    return back(f);
}

/* ---- those that wait for parts ------------------------------------------ */

void bridge_watch(struct agent *a, struct bridge_watcher *w)
{
    w->next = a->bridge_watchers;
    a->bridge_watchers = w;
}

void bridge_unwatch(struct agent *a, struct bridge_watcher *w)
{
    struct bridge_watcher **at = &a->bridge_watchers;
    while (*at && *at != w)
        at = &(*at)->next;
    if (*at)
        *at = w->next;
}

void bridge_wake_watchers(struct agent *a, struct str run_id)
{
    for (struct bridge_watcher *w = a->bridge_watchers; w; w = w->next)
        if (str_is(run_id, w->run_id))
            wake_up(&w->wake);
}
