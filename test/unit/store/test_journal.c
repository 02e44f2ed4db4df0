/* The journal over a pretended database: what is written when, and who hears of
 * it. Time is virtual. */
#include "base/clock.h"
#include "store/journal.h"
#include "../fake_scene.h"
#include <unistd.h>
#include "base/banned.h"

#define ID_1 "11111111-1111-4111-8111-111111111111"
#define ID_2 "22222222-2222-4222-8222-222222222222"

static struct pool *pool;
static struct journal *journal;
static int n_lost;
static uint64_t write_times[64];
static int n_writes, n_again;

static bool is_write(const struct query *q)
{
    return str_starts(str_of(q->statement->name), STR("journal.write"));
}

static void on_query(const struct query *q)
{
    if (str_is(str_of(q->statement->name), "journal.write.again"))
        n_again++;
    if (is_write(q))
        write_times[n_writes++] = clock_ms();
}

static int setup(void **state)
{
    (void)state;
    pool = fake_scene_open("system");
    fake_db.on_query = on_query;
    journal = journal_open(pool, NULL);
    n_lost = n_writes = n_again = 0;
    fake_db.fails_with = ERR_DATABASE_UNAVAILABLE;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    journal_close(&journal);
    fake_scene_close(&pool);
    return 0;
}

static enum err lost_why;

static void on_lost(void *who, enum err why)
{
    lost_why = why;
    n_lost++;
    if (who)
        ++*(int *)who;
}

static struct journal_entry *attach(const char *id)
{
    fake_db_run(id, 1);
    return journal_attach(journal, id, 1, 1, on_lost, NULL);
}

static void say(struct journal_entry *e, const char *text)
{
    struct json_writer *w = journal_event(e, EVENT_TEXT);
    json_field_text(w, "content", text);
    journal_event_end(e);
}

/* For that long, whatever happens. */
static struct timer clock_timer;
static bool rang;

static void ring(struct timer *t)
{
    (void)t;
    rang = true;
}

static void let_pass(unsigned ms)
{
    rang = false;
    timer_start(&clock_timer, ms, ring);
    assert_true(fake_time_until(&rang, 10 * 60000));
}

/* ---- a reader ----------------------------------------------------------- */

struct listener {
    struct journal_reader reader;
    char text[8192];
    int calls, ends;
};

static bool on_frames(struct journal_reader *r, struct str frames)
{
    struct listener *l = r->who;
    const struct fake_run *run = fake_db_find(str_of(r->message_id));
    assert_true(r->at <= run->last); /* never before the commit */
    assert_false(l->ends);
    l->calls++;
    size_t n = strlen(l->text);
    assert_true(n + frames.len < sizeof l->text);
    memcpy(l->text + n, frames.ptr, frames.len);
    l->text[n + frames.len] = '\0';
    return true;
}

static bool on_end(struct journal_reader *r, struct str frame)
{
    struct listener *l = r->who;
    l->ends++;
    assert_true(str_is(frame, "the end"));
    return true;
}

static void follow(struct listener *l, const char *id, int64_t at)
{
    *l = (struct listener){
        .reader = {
            .at = at, .on_frames = on_frames, .on_end = on_end, .who = l}};
    snprintf(l->reader.message_id, UUID_SIZE, "%s", id);
    journal_follow(journal, &l->reader);
}

/* ---- writing ------------------------------------------------------------ */

static void test_events_are_numbered_and_rendered_as_frames(void **state)
{
    (void)state;
    struct journal_entry *e = attach(ID_1);
    say(e, "a");
    say(e, "b\n");
    assert_int_equal(journal_last(e), 2);
    let_pass(50);
    struct str events = buf_view(&fake_db.runs[0].events);
    assert_true(str_is(
        events,
        "event: text\ndata: {\"type\":\"text\",\"content\":\"a\"}\nid: 1\n\n"
        "event: text\ndata: {\"type\":\"text\",\"content\":\"b\\n\"}\nid: 2\n\n"));
    journal_detach(&e);
    assert_null(e);
}

static void test_a_batch_is_at_most_twenty_milliseconds_late(void **state)
{
    (void)state;
    struct journal_entry *e = attach(ID_1);
    let_pass(1000);
    uint64_t began = clock_ms();
    for (int i = 0; i < 10; i++) {
        say(e, "x");
        let_pass(1);
    }
    let_pass(100);
    assert_int_equal(n_writes, 1); /* and they went together */
    assert_true(write_times[0] - began <= JOURNAL_LATE_MS + fake_db.query_ms);
    assert_int_equal(fake_db.runs[0].last, 10);
    journal_detach(&e);
}

static void
test_what_comes_during_a_flush_is_gathered_for_the_next(void **state)
{
    (void)state;
    struct journal_entry *e = attach(ID_1);
    fake_db.query_ms = 5;
    say(e, "x");
    for (int i = 0; i < 100; i++) {
        let_pass(1);
        say(e, "x");
    }
    let_pass(100);
    assert_true(n_writes <= 6); /* one in 25 ms, not one an event */
    assert_int_equal(fake_db.runs[0].last, 101);
    assert_false(fake_db.runs[0].torn);
    journal_detach(&e);
}

static void test_runs_share_a_commit(void **state)
{
    (void)state;
    struct journal_entry *e[20];
    for (int i = 0; i < 20; i++) {
        char id[UUID_SIZE];
        uuid_new(id);
        e[i] = attach(id);
        say(e[i], "x");
    }
    let_pass(50);
    assert_int_equal(fake_db.commits, 1);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(fake_db.runs[i].last, 1);
        journal_detach(&e[i]);
    }
}

static void test_artifacts_replace_one_another_and_traces_gather(void **state)
{
    (void)state;
    struct journal_entry *e = attach(ID_1);
    journal_artifact(e, "plan", STR("{\"old\":1}"));
    journal_artifact(e, "rows", STR("[]"));
    journal_artifact(e, "plan", STR("{\"new\":2}"));
    journal_trace(e, STR("{}"), STR("[]"));
    journal_trace(e, STR("{}"), STR("[]"));
    journal_tokens(e, "5 6 11");
    journal_phase(e, PHASE_NAVIGATOR, 2);
    let_pass(50);
    const struct fake_run *r = &fake_db.runs[0];
    assert_true(str_is(fake_db_artifact(r, "plan"), "{\"new\":2}"));
    assert_true(str_is(fake_db_artifact(r, "rows"), "[]"));
    assert_int_equal(r->traces, 2);
    assert_string_equal(r->phase, "navigator");
    assert_int_equal(r->revision, 2);
    assert_int_equal(r->phase_after, 0);
    assert_string_equal(r->tokens, "5 6 11");
    assert_int_equal(r->last, 0);
    journal_artifact(e, "plan", STR("{}"));
    let_pass(50);
    assert_true(str_is(fake_db_artifact(r, "plan"), "{}"));
    journal_detach(&e);
}

static void test_a_detached_entry_is_still_written(void **state)
{
    (void)state;
    struct journal_entry *e = attach(ID_1);
    say(e, "last words");
    journal_detach(&e);
    assert_int_equal(journal_stats(journal).entries, 1);
    assert_false(journal_writes(journal, ID_1));
    let_pass(50);
    assert_int_equal(fake_db.runs[0].last, 1);
    assert_int_equal(journal_stats(journal).entries, 0);
}

static void test_closing_writes_what_is_pending(void **state)
{
    (void)state;
    struct journal_entry *e = attach(ID_1);
    say(e, "x");
    journal_detach(&e);
    journal_close(&journal);
    fake_time_settle(60000);
    assert_int_equal(fake_db.runs[0].last, 1);
}

static void test_a_sought_entry_goes_on_from_its_number(void **state)
{
    (void)state;
    struct journal_entry *e = attach(ID_1);
    fake_db.runs[0].last = 41;
    journal_seek(e, 42);
    say(e, "x");
    let_pass(50);
    assert_int_equal(journal_last(e), 42);
    assert_int_equal(fake_db.runs[0].last, 42);
    journal_detach(&e);
}

static void
test_readers_read_the_table_until_the_position_is_known(void **state)
{
    (void)state;
    struct listener l;
    fake_db_run(ID_1, 1);
    struct journal_entry *e =
        journal_attach(journal, ID_1, 1, 0, on_lost, NULL);
    follow(&l, ID_1, 0);
    assert_false(journal_writes(journal, ID_1));
    journal_end(e, STR("the end"));
    assert_false(l.reader.ended); /* its number would be wrong */
    assert_true(l.reader.wake.pending);
    journal_seek(e, 42);
    assert_true(journal_writes(journal, ID_1));
    assert_false(journal_reader_is_current(&l.reader));
    l.reader.at = 41; /* read from the table */
    journal_end(e, STR("the end"));
    assert_true(l.reader.ended);
    journal_unfollow(&l.reader);
    journal_detach(&e);
}

/* ---- syncs -------------------------------------------------------------- */

struct syncing {
    struct journal_entry *entry;
    struct journal_sync sync;
    enum err how;
    bool over;
    uint64_t at;
};

static struct next synced(struct flow *f)
{
    return back(f);
}

static struct next sync_first(struct flow *f)
{
    struct syncing *s = locals(f, struct syncing);
    journal_sync_begin(f, &s->sync, s->entry);
    return await(f, synced);
}

static void sync_over(struct flow *f, enum err how, void *who)
{
    struct syncing *s = who;
    (void)f;
    s->how = how;
    s->over = true;
    s->at = clock_ms();
}

static struct flow *sync_start(struct syncing *s, struct journal_entry *e)
{
    *s = (struct syncing){.entry = e};
    return flow_start(
        sync_first, s,
        &(struct flow_options){.kind = "sync", .on_end = sync_over, .who = s});
}

static void test_a_sync_answers_after_the_commit_and_hurries_it(void **state)
{
    (void)state;
    struct syncing s;
    struct journal_entry *e = attach(ID_1);
    let_pass(1000);
    uint64_t began = clock_ms();
    say(e, "x");
    sync_start(&s, e);
    assert_true(fake_time_until(&s.over, 1000));
    assert_int_equal(s.how, OK);
    assert_int_equal(fake_db.runs[0].last, 1);
    assert_true(s.at - began < JOURNAL_LATE_MS);
    sync_start(&s, e); /* nothing is pending */
    assert_true(fake_time_until(&s.over, 1000));
    assert_int_equal(n_writes, 1);
    journal_detach(&e);
}

static void
test_a_sync_during_a_flush_waits_for_what_came_after_it(void **state)
{
    (void)state;
    struct syncing s;
    struct journal_entry *e = attach(ID_1);
    fake_db.query_ms = 10;
    say(e, "x");
    let_pass(25); /* the first flush is under way */
    assert_int_equal(fake_db.commits, 0);
    say(e, "y");
    sync_start(&s, e);
    assert_true(fake_time_until(&s.over, 1000));
    assert_int_equal(fake_db.runs[0].last, 2);
    assert_int_equal(n_writes, 2);
    journal_detach(&e);
}

static void test_a_cancelled_sync_leaves_no_trace(void **state)
{
    (void)state;
    struct syncing s;
    struct journal_entry *e = attach(ID_1);
    say(e, "x");
    struct flow *f = sync_start(&s, e);
    flow_turn();
    flow_cancel(f);
    assert_true(fake_time_until(&s.over, 1000));
    assert_int_equal(s.how, ERR_CANCELLED);
    let_pass(50);
    assert_int_equal(fake_db.runs[0].last, 1);
    journal_detach(&e);
}

/* ---- losing ------------------------------------------------------------- */

static void test_a_run_that_moved_on_loses_its_entry_once(void **state)
{
    (void)state;
    struct syncing s[2];
    struct journal_entry *e = attach(ID_1), *other = attach(ID_2);
    fake_db.runs[0].epoch = 2;
    say(e, "x");
    say(other, "y");
    sync_start(&s[0], e);
    sync_start(&s[1], other);
    assert_true(fake_time_until(&s[0].over, 1000));
    assert_true(fake_time_until(&s[1].over, 1000));
    assert_int_equal(s[0].how, ERR_CONFLICTING_WRITE);
    assert_int_equal(s[1].how, OK);
    assert_int_equal(n_lost, 1);
    assert_int_equal(fake_db.runs[0].last, 0);
    assert_int_equal(fake_db.runs[1].last, 1);
    say(e, "nobody hears");
    sync_start(&s[0], e);
    assert_true(fake_time_until(&s[0].over, 1000));
    assert_int_equal(s[0].how, ERR_CONFLICTING_WRITE);
    assert_int_equal(n_lost, 1);
    journal_detach(&e);
    journal_detach(&other);
}

/* The old one and the new one in one batch: only the new one's is kept. */
static void test_of_two_epochs_of_a_run_one_is_kept(void **state)
{
    (void)state;
    struct listener l;
    struct journal_entry *old = attach(ID_1);
    fake_db.runs[0].epoch = 2;
    struct journal_entry *new =
        journal_attach(journal, ID_1, 2, 1, on_lost, NULL);
    follow(&l, ID_1, 0);
    say(old, "old");
    say(new, "new");
    let_pass(50);
    assert_int_equal(n_lost, 1);
    assert_true(str_find(str_of(l.text), STR("new")) > 0);
    assert_true(str_find(str_of(l.text), STR("old")) < 0);
    journal_unfollow(&l.reader);
    journal_detach(&old);
    journal_detach(&new);
}

static void
test_a_run_that_writes_too_much_for_a_dead_database_is_lost(void **state)
{
    (void)state;
    int lost = 0;
    fake_db_run(ID_1, 1);
    struct journal_entry *e =
        journal_attach(journal, ID_1, 1, 1, on_lost, &lost);
    char *large = calloc(1, 1024 * 1024 + 1);
    memset(large, 'x', 1024 * 1024);
    world_begin(TROUBLE_OUTAGE, 1);
    world.outage_most = 1000;
    for (int i = 0; i < 20; i++)
        say(e, large);
    assert_int_equal(lost, 1);
    free(large);
    world_begin(TROUBLE_NONE, 0);
    journal_detach(&e);
    let_pass(10000);
}

/* ---- failures ----------------------------------------------------------- */

static void test_a_failed_flush_is_written_again_as_it_was(void **state)
{
    (void)state;
    struct syncing s;
    struct listener l;
    struct journal_entry *e = attach(ID_1);
    follow(&l, ID_1, 0);
    world_begin(TROUBLE_OUTAGE, 1);
    world.outage_most = 4;
    say(e, "a");
    let_pass(100);
    assert_int_equal(fake_db.commits, 0);
    say(e, "b"); /* waits for the batch that failed */
    sync_start(&s, e);
    assert_true(fake_time_until(&s.over, 60000));
    assert_int_equal(s.how, OK);
    assert_int_equal(fake_db.runs[0].last, 2);
    assert_false(fake_db.runs[0].torn);
    assert_int_equal(journal_stats(journal).failures, 4);
    assert_int_equal(n_again, 1); /* what may be there already */
    assert_int_equal(l.calls, 2);
    journal_unfollow(&l.reader);
    journal_detach(&e);
}

/* The database is up and will not have what one of them wrote. */
static const char *poison;

static bool poisoned(const struct query *q)
{
    return poison && is_write(q) &&
           str_find((struct str){q->params[0], (size_t)q->bytes},
                    str_of(poison)) >= 0;
}

static void test_what_is_refused_costs_no_other_run_anything(void **state)
{
    (void)state;
    static const char *const ids[] = {ID_1, ID_2,
                                      "33333333-3333-4333-8333-333333333333",
                                      "44444444-4444-4444-8444-444444444444",
                                      "55555555-5555-4555-8555-555555555555"};
    struct journal_entry *e[5];
    struct syncing s;
    struct listener l;
    poison = "poison";
    fake_db.refuses = poisoned;
    for (int i = 0; i < 5; i++)
        e[i] = attach(ids[i]);
    follow(&l, ids[2], 0);
    for (int i = 0; i < 5; i++)
        say(e[i], i == 2 ? "a poison" : "fine");
    sync_start(&s, e[2]);
    assert_true(fake_time_until(&s.over, 60000));
    let_pass(1000);
    assert_int_equal(s.how, ERR_INTERNAL);
    assert_int_equal(n_lost, 1);
    assert_int_equal(lost_why, ERR_INTERNAL);
    for (int i = 0; i < 5; i++)
        assert_int_equal(fake_db.runs[i].last, i != 2);
    say(e[2], "its last words"); /* with a number that no reader has */
    let_pass(100);
    assert_int_equal(fake_db.runs[2].last, 1);
    assert_false(fake_db.runs[2].torn);
    assert_int_equal(l.calls, 1);
    say(e[2], "poison again");
    let_pass(3000);
    assert_int_equal(n_lost, 2);
    assert_int_equal(lost_why, ERR_CONFLICTING_WRITE);
    journal_unfollow(&l.reader);
    for (int i = 0; i < 5; i++)
        journal_detach(&e[i]);
}

/* A run that writes much must not keep the others from being written. */
static void test_who_waits_longest_is_written_first(void **state)
{
    (void)state;
    struct journal_entry *old = attach(ID_1), *new = attach(ID_2);
    char *large = calloc(1, 1024 * 1024 + 1);
    memset(large, 'x', 1024 * 1024);
    fake_db.query_ms = 10;
    say(new, large);
    say(new, large);
    say(old, "waits");
    say(new, large);
    let_pass(35); /* one flush: the large one, which was first */
    assert_int_equal(fake_db.runs[1].last, 3);
    say(new, large);
    say(new, large);
    let_pass(10);
    assert_int_equal(fake_db.runs[0].last, 1);
    assert_int_equal(fake_db.runs[1].last, 3);
    let_pass(50);
    assert_int_equal(fake_db.runs[1].last, 5);
    free(large);
    journal_detach(&old);
    journal_detach(&new);
}

/* ---- room --------------------------------------------------------------- */

struct asking {
    struct journal_entry *entry;
    struct journal_room room;
    enum err how;
    bool over;
};

static struct next room_given(struct flow *f)
{
    return back(f);
}

static struct next room_first(struct flow *f)
{
    struct asking *a = locals(f, struct asking);
    journal_room_begin(f, &a->room, a->entry);
    return await(f, room_given);
}

static void room_over(struct flow *f, enum err how, void *who)
{
    struct asking *a = who;
    (void)f;
    a->how = how;
    a->over = true;
}

static struct flow *ask_for_room(struct asking *a, struct journal_entry *e)
{
    *a = (struct asking){.entry = e};
    return flow_start(room_first, a,
                      &(struct flow_options){
                          .kind = "asking", .on_end = room_over, .who = a});
}

/* Its own record, or all together, are as large as they may be. */
static void fill(struct journal_entry *e, int how_often)
{
    char *large = calloc(1, JOURNAL_ROOM_RUN + 1);
    memset(large, 'x', JOURNAL_ROOM_RUN);
    for (int i = 0; i < how_often; i++)
        journal_trace(e, STR("{}"), (struct str){large, JOURNAL_ROOM_RUN});
    journal_trace(e, STR("{}"), STR("x"));
    free(large);
}

static void test_room_is_given_when_the_record_was_written(void **state)
{
    (void)state;
    struct journal_entry *e = attach(ID_1), *other = attach(ID_2);
    struct asking a, b;
    ask_for_room(&a, e);
    let_pass(1);
    assert_true(a.over);
    fake_db.query_ms = 500;
    fill(e, 1);
    ask_for_room(&a, e);
    ask_for_room(&b, other);
    let_pass(100);
    assert_false(a.over);
    assert_false(b.over); /* in order, though it has room itself */
    let_pass(20000);
    assert_true(a.over && b.over);
    assert_int_equal(a.how, OK);
    journal_detach(&e);
    journal_detach(&other);
}

static void test_room_is_given_to_some_at_a_time(void **state)
{
    (void)state;
    enum { MANY = 600 };
    struct journal_entry *e = attach(ID_1), *other = attach(ID_2);
    struct asking *all = calloc(MANY, sizeof *all);
    fake_db.query_ms = 500;
    fill(e, JOURNAL_ROOM / JOURNAL_ROOM_RUN);
    struct flow *left = ask_for_room(&all[0], other);
    for (int i = 1; i < MANY; i++)
        ask_for_room(&all[i], other);
    let_pass(100);
    assert_false(all[1].over);
    flow_cancel(left);
    let_pass(1);
    assert_int_equal(all[0].how, ERR_CANCELLED);
    let_pass(20000); /* also those that come after some that wrote nothing */
    for (int i = 1; i < MANY; i++)
        assert_true(all[i].over);
    free(all);
    journal_detach(&e);
    journal_detach(&other);
}

static void
test_a_commit_whose_answer_was_lost_is_not_written_twice(void **state)
{
    (void)state;
    struct syncing s;
    struct listener l;
    struct journal_entry *e = attach(ID_1);
    follow(&l, ID_1, 0);
    world_begin(TROUBLE_LOSES_ANSWER, 1);
    say(e, "a");
    sync_start(&s, e);
    assert_true(fake_time_until(&s.over, 60000));
    assert_int_equal(s.how, OK);
    assert_int_equal(fake_db.commits, 2);
    assert_int_equal(fake_db.runs[0].batches, 1);
    assert_int_equal(l.calls, 1);
    journal_unfollow(&l.reader);
    journal_detach(&e);
}

static void test_the_writer_survives_exhausted_memory(void **state)
{
    (void)state;
    struct journal_entry *e = attach(ID_1);
    for (unsigned k = 1; k < 8; k++) {
        struct syncing s;
        arena_fail_block(k);
        say(e, "x");
        sync_start(&s, e);
        assert_true(fake_time_until(&s.over, 60000));
        arena_fail_block(0);
        let_pass(10000);
        assert_int_equal(fake_db.runs[0].last, k);
    }
    journal_detach(&e);
}

/* ---- readers ------------------------------------------------------------ */

static void test_readers_get_contiguous_frames_after_the_commit(void **state)
{
    (void)state;
    struct listener l, stranger;
    struct journal_entry *e = attach(ID_1);
    follow(&l, ID_1, 0);
    follow(&stranger, ID_2, 0);
    say(e, "a");
    say(e, "b");
    assert_int_equal(l.calls, 0);
    let_pass(50);
    say(e, "c");
    let_pass(50);
    assert_int_equal(l.calls, 2);
    assert_int_equal(l.reader.at, 3);
    assert_true(str_is(buf_view(&fake_db.runs[0].events), l.text));
    assert_true(journal_reader_is_current(&l.reader));
    assert_int_equal(stranger.calls, 0);
    journal_unfollow(&l.reader);
    journal_unfollow(&stranger.reader);
    journal_detach(&e);
}

static void test_a_reader_with_a_gap_is_woken_instead(void **state)
{
    (void)state;
    struct listener behind, ahead;
    struct journal_entry *e = attach(ID_1);
    say(e, "a");
    let_pass(50);
    follow(&behind, ID_1, 0); /* has not read the first one yet */
    follow(&ahead, ID_1, 5);  /* got more from another process */
    say(e, "b");
    let_pass(50);
    assert_int_equal(behind.calls, 0);
    assert_true(behind.reader.wake.pending);
    assert_false(journal_reader_is_current(&behind.reader));
    assert_int_equal(ahead.calls, 0);
    behind.reader.at = 2; /* read from the table */
    say(e, "c");
    let_pass(50);
    assert_int_equal(behind.calls, 1);
    assert_true(str_starts(str_of(behind.text), STR("event: text\ndata: ")));
    assert_true(str_find(str_of(behind.text), STR("\nid: 3\n\n")) > 0);
    journal_unfollow(&behind.reader);
    journal_unfollow(&ahead.reader);
    journal_detach(&e);
}

static void test_the_end_comes_once_and_last(void **state)
{
    (void)state;
    struct listener l, behind;
    struct journal_entry *e = attach(ID_1);
    follow(&l, ID_1, 0);
    follow(&behind, ID_1, 7);
    say(e, "a");
    let_pass(50);
    journal_end(e, STR("the end"));
    journal_end(e, STR("the end"));
    assert_int_equal(l.ends, 1);
    assert_true(l.reader.ended);
    assert_int_equal(behind.ends, 0);
    assert_true(behind.reader.wake.pending);
    journal_unfollow(&l.reader);
    journal_unfollow(&behind.reader);
    journal_unfollow(&behind.reader); /* again: nothing */
    journal_detach(&e);
}

static bool unfollows_itself(struct journal_reader *r, struct str frames)
{
    (void)frames;
    ++*(int *)r->who;
    journal_unfollow(r);
    return true;
}

static void test_a_reader_may_leave_while_it_is_told(void **state)
{
    (void)state;
    int calls[3] = {0};
    struct journal_reader r[3];
    struct journal_entry *e = attach(ID_1);
    for (int i = 0; i < 3; i++) {
        r[i] = (struct journal_reader){.message_id = ID_1,
                                       .on_frames = unfollows_itself,
                                       .who = &calls[i]};
        journal_follow(journal, &r[i]);
    }
    say(e, "a");
    let_pass(50);
    say(e, "b");
    let_pass(50);
    for (int i = 0; i < 3; i++)
        assert_int_equal(calls[i], 1);
    journal_detach(&e);
}

static void test_a_nudge_wakes_the_readers_of_that_run(void **state)
{
    (void)state;
    struct listener one, two;
    follow(&one, ID_1, 0);
    follow(&two, ID_2, 0);
    journal_wake_readers(journal, STR(ID_1));
    assert_true(one.reader.wake.pending);
    assert_false(two.reader.wake.pending);
    journal_unfollow(&one.reader);
    journal_unfollow(&two.reader);
}

/* ---- pure ---------------------------------------------------------------- */

static void test_frames_after_a_number_are_cut_between_frames(void **state)
{
    (void)state;
    struct str all = STR("event: a\ndata: {}\nid: 9\n\n"
                         "event: b\ndata: {\"x\":\"\\nid: 99\"}\nid: 10\n\n"
                         "event: c\ndata: {}\nid: 11\n\n");
    struct str rest = journal_frames_after(all, 9);
    assert_true(str_starts(rest, STR("event: b")));
    assert_true(str_starts(journal_frames_after(all, 10), STR("event: c")));
    assert_int_equal(journal_frames_after(all, 11).len, 0);
    assert_int_equal(journal_frames_after(all, 400).len, 0);
    assert_true(str_eq(journal_frames_after(all, 0), all));
    assert_true(str_eq(journal_frames_after(all, 8), all));
    assert_int_equal(journal_frames_after(STR(""), 0).len, 0);
}

static void put_large(struct journal_entry *e, size_t size)
{
    char *text = calloc(1, size + 1);
    memset(text, 'y', size);
    struct json_writer *w = journal_event(e, EVENT_PHASE_ARTIFACT);
    json_put_key(w, "artifact");
    json_put_object(w);
    json_field_text(w, "note", "stays");
    json_field_text(w, "data", text);
    json_put_key(w, "charts");
    json_put_array(w);
    json_put_text(w, "small");
    json_put_array_end(w);
    json_put_object_end(w);
    journal_event_end(e);
    free(text);
}

static void test_large_fields_of_a_large_event_are_deferred(void **state)
{
    (void)state;
    struct journal_entry *e = attach(ID_1);
    put_large(e, EVENT_DEFER_BYTES / 2);
    let_pass(50);
    struct buf *events = &fake_db.runs[0].events;
    assert_true(str_find(buf_view(events), STR("deferred")) < 0);
    buf_clear(events);
    put_large(e, EVENT_DEFER_BYTES);
    let_pass(50);
    struct str frame = buf_view(events);
    assert_true(frame.len < 1024);
    assert_true(str_find(frame, STR("\"note\":\"stays\"")) > 0);
    assert_true(str_find(frame, STR("\"data\":{\"deferred\":true,\"bytes\":"
                                    "65538}")) > 0);
    assert_true(str_find(frame, STR("\"charts\":{\"deferred\":true,")) > 0);
    journal_detach(&e);
}

#define JOURNAL_TEST(name) \
    cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        JOURNAL_TEST(test_events_are_numbered_and_rendered_as_frames),
        JOURNAL_TEST(test_a_batch_is_at_most_twenty_milliseconds_late),
        JOURNAL_TEST(test_what_comes_during_a_flush_is_gathered_for_the_next),
        JOURNAL_TEST(test_runs_share_a_commit),
        JOURNAL_TEST(test_artifacts_replace_one_another_and_traces_gather),
        JOURNAL_TEST(test_a_detached_entry_is_still_written),
        JOURNAL_TEST(test_closing_writes_what_is_pending),
        JOURNAL_TEST(test_a_sought_entry_goes_on_from_its_number),
        JOURNAL_TEST(test_readers_read_the_table_until_the_position_is_known),
        JOURNAL_TEST(test_a_sync_answers_after_the_commit_and_hurries_it),
        JOURNAL_TEST(test_a_sync_during_a_flush_waits_for_what_came_after_it),
        JOURNAL_TEST(test_a_cancelled_sync_leaves_no_trace),
        JOURNAL_TEST(test_a_run_that_moved_on_loses_its_entry_once),
        JOURNAL_TEST(test_of_two_epochs_of_a_run_one_is_kept),
        JOURNAL_TEST(
            test_a_run_that_writes_too_much_for_a_dead_database_is_lost),
        JOURNAL_TEST(test_a_failed_flush_is_written_again_as_it_was),
        JOURNAL_TEST(test_what_is_refused_costs_no_other_run_anything),
        JOURNAL_TEST(test_who_waits_longest_is_written_first),
        JOURNAL_TEST(test_room_is_given_when_the_record_was_written),
        JOURNAL_TEST(test_room_is_given_to_some_at_a_time),
        JOURNAL_TEST(test_a_commit_whose_answer_was_lost_is_not_written_twice),
        JOURNAL_TEST(test_the_writer_survives_exhausted_memory),
        JOURNAL_TEST(test_readers_get_contiguous_frames_after_the_commit),
        JOURNAL_TEST(test_a_reader_with_a_gap_is_woken_instead),
        JOURNAL_TEST(test_the_end_comes_once_and_last),
        JOURNAL_TEST(test_a_reader_may_leave_while_it_is_told),
        JOURNAL_TEST(test_a_nudge_wakes_the_readers_of_that_run),
        JOURNAL_TEST(test_frames_after_a_number_are_cut_between_frames),
        JOURNAL_TEST(test_large_fields_of_a_large_event_are_deferred),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
