/* run_watch.c - follows a run until its end; see run_watch.h.
 *
 *   run_watch_begin -> watch_wait <-> watch_look_due -> watch_looked */
#include "run_watch.h"
#include "base/clock.h"
#include <string.h>
#include "base/banned.h"

enum { POLL_MS = 5000, MORE_PAGES_MS = 1, NO_ROOM_MS = 200 };
enum { LOOK_MEMORY = 64 * 1024 * 1024 };

static struct next watch_wait(struct flow *f), watch_look_due(struct flow *f),
    watch_looked(struct flow *f), watch_look_begin(struct flow *f),
    watch_read(struct flow *f);

static bool on_watched_frames(struct journal_reader *r, struct str frames)
{
    struct run_watch *w = r->who;
    return w->gone || !w->on_frames || w->on_frames(w, frames);
}

static bool on_watched_end(struct journal_reader *r, struct str frame)
{
    struct run_watch *w = r->who;
    (void)frame;
    w->ended = true;
    wake_up(&r->wake);
    return true;
}

static void watch_stop(void *watch)
{
    journal_unfollow(&((struct run_watch *)watch)->reader);
}

void run_watch_wake(struct run_watch *w)
{
    wake_up(&w->reader.wake);
}

struct next run_watch_begin(struct flow *f)
{
    struct run_watch *w = locals(f, struct run_watch);
    struct store *store = request_store(w->request);
    memcpy(w->reader.message_id, w->message_id.ptr, UUID_SIZE - 1);
    w->reader.on_frames = on_watched_frames;
    w->reader.on_end = on_watched_end;
    w->reader.who = w;
    w->frames.store = store;
    w->frames.user_id = w->request->user.id;
    journal_follow(store->journal, &w->reader);
    defer(f, watch_stop, w);
    return go(f, watch_wait);
}

static struct next watch_wait(struct flow *f)
{
    struct run_watch *w = locals(f, struct run_watch);
    int64_t left = w->request->until_ms - clock_wall_ms();
    if (w->ended || w->gone || w->reader.cut || left <= 0)
        return back(f);
    uint64_t ms = left < POLL_MS ? (uint64_t)left : POLL_MS;
    if (w->no_room)
        ms = NO_ROOM_MS;
    else if (w->again)
        ms = MORE_PAGES_MS;
    wait_begin(f, &w->wait, &w->reader.wake, ms);
    return await(f, watch_look_due);
}

static struct next watch_look_due(struct flow *f)
{
    struct run_watch *w = locals(f, struct run_watch);
    struct journal *j = request_store(w->request)->journal;
    w->no_room = false;
    bool current = journal_writes(j, w->reader.message_id) &&
                   journal_reader_is_current(&w->reader);
    if (w->ended || w->gone || w->reader.full || current)
        return go(f, watch_wait);
    journal_reader_request_notices(&w->reader);
    child_begin(f, &w->look, watch_look_begin, w, "look", LOOK_MEMORY);
    op_tolerate(&w->look.op);
    return await(f, watch_looked);
}

static struct next watch_looked(struct flow *f)
{
    return go(f, watch_wait);
}

static struct next watch_look_begin(struct flow *f)
{
    struct run_watch *w = locals(f, struct run_watch);
    w->frames.message_id = w->message_id;
    w->frames.after = w->reader.at;
    w->frames.opened = true;
    return call(f, run_frames_begin, &w->frames, watch_read);
}

static struct next watch_read(struct flow *f)
{
    struct run_watch *w = locals(f, struct run_watch);
    const struct run_frames *r = &w->frames;
    w->again = r->more;
    w->gone = w->gone || !r->found; /* deleted in the meantime */
    if (!r->found)
        return back(f);
    if (r->last > w->reader.at) {
        struct str frames = journal_frames_after(r->frames, w->reader.at);
        w->no_room = !on_watched_frames(&w->reader, frames);
        if (w->no_room)
            return back(f);
        w->reader.at = r->last;
    }
    w->ended = w->ended || (r->ended && !r->more);
    return back(f);
}
