/* run_frames.c - reads events of a run from its event log, page by page. */
#include "store/runs.h"
#include "../chart_row.h"
#include "store/charts.h"
#include "base/banned.h"

static step_fn frames_read;

enum { FRAME_BATCHES = 64 }; /* of a page */

/* The first row has the state of the run; the others are batches, and have
 * their first three columns alone. Content and metadata come with the last
 * page. */
#define FRAMES_ROW(FIRST, X) \
    FIRST(int64, first, "null::bigint") \
    X(int64, last, "newest") \
    X(text, frames, "null::text") \
    X(boolean, ended, "ended") \
    X(text, status, "status") \
    X(text, content, "case when complete then content end") \
    X(json, metadata, "case when complete then metadata::text end") \
    X(json, charts, \
      "case when complete then " SQL_CHARTS_OF "run.id) end::text") \
    X(int64, trimmed, "trimmed")
#define FRAMES_COLUMNS ROW_SQL(FRAMES_ROW)
ROW_STRUCT(frames_row, FRAMES_ROW);

/* How a page follows from the CTE `run`. */
#define SQL_PAGE \
    " page as (select * from (select first, last, frames," \
    "     sum(octet_length(frames)) over (order by first)" \
    "       - octet_length(frames) as before" \
    "   from (select * from run_events" \
    "     where message_id = (select id from run)" \
    "       and last > $3::bigint order by first limit $4::int) b) s" \
    "   where before < $6::bigint)," \
    " the_end as (select ended and $4::int > 0 and" \
    "     coalesce((select max(last) from page)," \
    "       greatest($3::bigint, trimmed)) >= coalesce(newest, 0)" \
    "     as complete" \
    "   from run)" \
    " select " FRAMES_COLUMNS " from run, the_end" \
    " union all (select first, last, frames, null, null, null, null, null," \
    "   null from page order by first)"

static const struct statement frames_statement = {
    .name = "runs.frames",
    .again = true,
    .sql = "with run as (select m.id, m.status, m.content, m.metadata,"
           "     r.ended_at is not null as"
           "     ended, coalesce(r.trimmed, 0) as trimmed,"
           "     greatest((select max(last) from run_events"
           "       where message_id = m.id), r.trimmed) as newest"
           "   from data_chat_messages m"
           "   join data_chats c on c.id = m.chat_id"
           "   left join runs r on r.message_id = m.id"
           "   where m.id = $1::uuid and c.owner_id = $2::uuid"
           "     and (c.deleted_at is null or $5::boolean)"
           "     and m.role = 'assistant')," SQL_PAGE,
};

/* The metadata is the last event. Builds of an earlier version have no row of
 * `runs` and no log, but a number of changes. */
static const struct statement build_frames_statement = {
    .name = "runs.frames.build",
    .again = true,
    .sql = "with run as (select b.id, b.status, null::text as content,"
           "     model_run_end(b.id) as metadata,"
           "     b.status <> 'running' as ended,"
           "     coalesce(r.trimmed, 0) as trimmed, greatest((select max(last)"
           "       from run_events where message_id = b.id), r.trimmed,"
           "       case when r.message_id is null then b.changes - 1 end)"
           "       as newest"
           "   from model_runs_now b left join runs r on r.build_id = b.id"
           "   where b.id = $1::uuid"
           "     and (b.owner_id = $2::uuid or $5::boolean))," SQL_PAGE,
};

struct next run_frames_begin(struct flow *f)
{
    struct run_frames *r = locals(f, struct run_frames);
    r->query =
        query_new(f, r->store->system,
                  r->is_build ? &build_frames_statement : &frames_statement);
    query_str(f, r->query, r->message_id);
    query_str(f, r->query, r->user_id);
    query_int(f, r->query, r->after);
    query_int(f, r->query, r->head ? 0 : FRAME_BATCHES);
    query_bool(r->query, r->is_build ? r->all : r->opened);
    query_int(f, r->query, RUN_FRAMES_BYTES);
    query_begin(f, r->query);
    return await(f, frames_read);
}

static void frames_join(struct flow *f, struct run_frames *r)
{
    const struct query *q = r->query;
    struct buf out;
    size_t size = 0;
    buf_init(&out, flow_keep(f));
    for (int i = 1; i < q->n_rows; i++)
        size += frames_row_at(q, i).frames.len;
    buf_reserve(&out, size);
    for (int i = 1; i < q->n_rows; i++) {
        struct frames_row batch = frames_row_at(q, i);
        if (batch.first <= r->last)
            batch.frames = journal_frames_after(batch.frames, r->last);
        buf_str(&out, batch.frames);
        r->last = batch.last;
    }
    r->frames = buf_view(&out);
    r->more = q->n_rows > 1 && r->last < r->newest;
}

static struct str frames_metadata(struct flow *f, const struct frames_row *run)
{
    struct buf out;
    buf_init(&out, flow_keep(f));
    buf_reserve(&out, run->metadata.len + 2 * run->charts.len);
    charts_restore(&out, run->metadata, run->charts);
    return buf_view(&out);
}

static struct next frames_read(struct flow *f)
{
    struct run_frames *r = locals(f, struct run_frames);
    r->last = r->after;
    r->found = r->query->n_rows > 0;
    if (!r->found)
        return back(f);
    struct frames_row run = frames_row_at(r->query, 0);
    r->newest = run.last;
    r->trimmed = run.trimmed;
    r->ended = run.ended;
    r->status = arena_str(flow_keep(f), run.status);
    r->content = arena_str(flow_keep(f), run.content);
    r->metadata = frames_metadata(f, &run);
    frames_join(f, r);
    return back(f);
}
