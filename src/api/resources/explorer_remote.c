/* explorer_remote.c - follows an exploration that another process runs: asks it
 * for the parts of its stream with notices, and reads them from the database
 * (store/explorer_runs.h).
 *
 *   explorer_follow_elsewhere -> run_known -> part_due <-> part_read
 *                                      | \ part_wanted -> part_due
 *                                      \ forget_run -> run_forgotten
 *
 * The answer begins with the first part; when none comes, the run has ended in
 * the meantime, or its process. It ends at the latest when a run must have. */
#include "explorer_remote.h"
#include "agent/bridge.h"
#include "base/clock.h"
#include "base/scan.h"
#include "net/sse.h"
#include "store/explorer_runs.h"
#include "store/notices.h"
#include "base/banned.h"

enum {
    STALL_MS = 30000,
    QUEUE_BYTES = 1024 * 1024,
    FULL_BYTES = 256 * 1024,
    FIRST_PART_MS = 5000, /* until the first part, at most */
    LOOK_MS = 1000,
    ASK_MS = 10000, /* the process of the run hears that often that the reader
                       is still here */
};

struct remote_stream {
    struct request *request; /* until it is answered */
    struct agent *agent;
    struct store *store;
    struct explorer_search search;
    struct explorer_part_read part;
    struct explorer_unlisting unlisting;
    struct bridge_watcher watcher;
    struct sse *sse; /* NULL: not open yet, or disconnected */
    bool gone, open, whole;
    int64_t last; /* number of the latest frame that was sent */
    int number;   /* of the next part */
    uint64_t began_ms, asked_ms;
    struct arena memory; /* of the current part */
    struct wait wait;
};

static struct next run_known(struct flow *f), part_due(struct flow *f),
    part_read(struct flow *f), part_wanted(struct flow *f),
    forget_run(struct flow *f), run_forgotten(struct flow *f);

static struct agent *the_agent(const struct request *q)
{
    return q->api->options.agent;
}

struct next explorer_follow_elsewhere(struct flow *f, struct str id,
                                      int64_t after)
{
    struct request *q = REQUEST(f);
    struct remote_stream *s = keep(f, struct remote_stream);
    q->state = s;
    s->request = q;
    s->agent = the_agent(q);
    s->store = request_store(q);
    s->last = after;
    s->search = (struct explorer_search){
        .store = s->store, .user_id = q->user.id, .id = id};
    return call(f, explorer_search_begin, &s->search, run_known);
}

/* ---- the client --------------------------------------------------------- */

static void on_remote_gone(struct sse *sse, void *who)
{
    struct remote_stream *s = who;
    (void)sse;
    s->sse = NULL;
    s->gone = true;
    wake_up(&s->watcher.wake);
}

static void on_remote_drained(struct sse *sse, void *who)
{
    struct remote_stream *s = who;
    (void)sse;
    wake_up(&s->watcher.wake);
}

static void close_remote(void *stream)
{
    struct remote_stream *s = stream;
    bridge_unwatch(s->agent, &s->watcher);
    sse_close(&s->sse);
    arena_done(&s->memory);
}

static void open_remote(struct remote_stream *s)
{
    struct request *q = s->request;
    s->open = true;
    q->answered = true;
    http_set_header(q->x, "x-vercel-ai-ui-message-stream", STR("v1"));
    s->sse = sse_open(q->x, &(struct sse_options){
                                .heartbeat_ms = q->api->options.heartbeat_ms,
                                .queue_bytes = QUEUE_BYTES,
                                .stall_ms = STALL_MS,
                                .on_closed = on_remote_gone,
                                .on_drained = on_remote_drained,
                                .who = s});
}

/* ---- frames ------------------------------------------------------------- */

/* The number of the frame at the beginning of `frames`: "id: 7\n…". */
static int64_t frame_number(struct str frames)
{
    int64_t n = 0;
    struct str line;
    if (!str_split(&frames, '\n', &line) || !str_starts(line, STR("id: ")) ||
        !str_to_int64(str_from(line, 4), &n))
        return 0;
    return n;
}

/* The frames that were not sent yet. False: some before them are missing. */
static bool new_frames(struct remote_stream *s, struct str *frames)
{
    int64_t n = frame_number(*frames);
    while (n && n <= s->last) {
        ptrdiff_t end = str_find(*frames, STR("\n\n"));
        *frames = end < 0 ? STR("") : str_from(*frames, (size_t)end + 2);
        n = frame_number(*frames);
    }
    return !n || n == s->last + 1;
}

static int64_t last_number(struct str frames, int64_t last)
{
    for (ptrdiff_t end; (end = str_find(frames, STR("\n\n"))) >= 0;
         frames = str_from(frames, (size_t)end + 2))
        last++;
    return last;
}

/* Sends what is new. A part that was written again may begin later than the
 * one before it ended: then all are read again, a moment later. */
static void send_part(struct remote_stream *s)
{
    struct str frames = s->part.frames;
    if (!new_frames(s, &frames)) {
        s->number = 0;
        return;
    }
    s->number++;
    s->last = last_number(frames, s->last);
    s->whole = s->part.is_last;
    if (s->sse && frames.len && s->whole)
        sse_send_last(s->sse, frames);
    else if (s->sse && frames.len)
        sse_send(s->sse, frames);
    if (s->sse && s->whole)
        sse_close(&s->sse);
}

/* ---- the parts ---------------------------------------------------------- */

static struct next run_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct remote_stream *s = q->state;
    if (!s->search.run_id.len) {
        reply_empty(q, 204);
        return back(f);
    }
    str_copy(s->watcher.run_id, UUID_SIZE, s->search.run_id);
    arena_init(&s->memory, 0);
    bridge_watch(s->agent, &s->watcher);
    defer_kept(f, close_remote, s);
    s->began_ms = clock_ms();
    return go(f, part_due);
}

static void ask_for_parts(struct remote_stream *s)
{
    uint64_t now = clock_ms();
    if (s->asked_ms && now - s->asked_ms < ASK_MS)
        return;
    s->asked_ms = now;
    notice_send(s->store->notices, NOTICE_READ, s->search.run_id);
}

/* The stream was sent: it is not resumed again. */
static struct next forget_run(struct flow *f)
{
    struct remote_stream *s = REQUEST(f)->state;
    s->unlisting = (struct explorer_unlisting){.store = s->store,
                                               .run_id = s->search.run_id};
    return call(f, explorer_unlist_begin, &s->unlisting, run_forgotten);
}

static struct next run_forgotten(struct flow *f)
{
    return back(f);
}

static struct next part_due(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct remote_stream *s = q->state;
    if (s->whole)
        return forget_run(f);
    if (s->gone || clock_ms() - s->began_ms > BRIDGE_MS + BRIDGE_ALONE_MS)
        return back(f);
    if (!s->open && clock_ms() - s->began_ms > FIRST_PART_MS) {
        reply_empty(q, 204);
        return back(f);
    }
    ask_for_parts(s);
    if (s->sse && sse_queued(s->sse) > FULL_BYTES)
        return go(f, part_wanted);
    arena_done(&s->memory);
    s->part = (struct explorer_part_read){.store = s->store,
                                          .run_id = s->search.run_id,
                                          .number = s->number,
                                          .memory = &s->memory};
    return call(f, explorer_part_read_begin, &s->part, part_read);
}

static struct next part_read(struct flow *f)
{
    struct remote_stream *s = REQUEST(f)->state;
    if (!s->part.found)
        return go(f, part_wanted);
    if (!s->open)
        open_remote(s);
    send_part(s);
    return s->number ? go(f, part_due) : go(f, part_wanted);
}

static struct next part_wanted(struct flow *f)
{
    struct remote_stream *s = REQUEST(f)->state;
    wait_begin(f, &s->wait, &s->watcher.wake, LOOK_MS);
    return await(f, part_due);
}
