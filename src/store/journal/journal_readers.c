/* journal_readers.c - readers of runs: those of this process get frames after
 * the commit, those of other processes a notice that there are new events. */
#include "base/compiler.h"
#include "base/clock.h"
#include "journal_state.h"
#include <string.h>
#include "base/banned.h"

enum {
    FOLLOW_AGAIN_MS = 4000, /* a reader repeats its request for notices */
    FOLLOWED_MS = 15000,    /* how long a request is valid */
};

static struct journal_reader **readers_bucket(struct journal *j,
                                              struct str message_id)
{
    return &j->readers[str_hash(message_id) % BUCKETS];
}

static struct journal_reader *readers_of(const struct journal *j,
                                         const char *message_id)
{
    return j->readers[str_hash(str_of(message_id)) % BUCKETS];
}

void journal_follow(struct journal *j, struct journal_reader *r)
{
    struct journal_reader **first = readers_bucket(j, str_of(r->message_id));
    r->journal = j;
    r->prev = NULL;
    r->next = *first;
    if (*first)
        (*first)->prev = r;
    *first = r;
}

void journal_unfollow(struct journal_reader *r)
{
    if (!r->journal)
        return;
    *(r->prev ? &r->prev->next
              : readers_bucket(r->journal, str_of(r->message_id))) = r->next;
    if (r->next)
        r->next->prev = r->prev;
    r->journal = NULL;
}

struct journal_entry *entry_find(const struct journal *j,
                                 const char *message_id)
{
    struct journal_entry *e = j->entries;
    while (e && (e->lost || strcmp(e->message_id, message_id)))
        e = e->next_entry;
    return e;
}

bool journal_writes(const struct journal *j, const char *message_id)
{
    const struct journal_entry *e = entry_find(j, message_id);
    return e && !e->detached && !e->unplaced;
}

bool journal_reader_is_current(const struct journal_reader *r)
{
    const struct journal_entry *e = entry_find(r->journal, r->message_id);
    return e && r->at >= e->committed;
}

/* Each frame ends with "\nid: <n>\n\n": skips those with n <= after. */
struct str journal_frames_after(struct str frames, int64_t after)
{
    struct str rest = frames;
    for (ptrdiff_t at; (at = str_find(rest, STR("\nid: "))) >= 0;) {
        struct str number = str_from(rest, (size_t)at + 5);
        ptrdiff_t end = str_find_char(number, '\n');
        int64_t id = 0;
        if (end < 0 || !str_to_int64(str_cut(number, 0, (size_t)end), &id) ||
            id > after)
            break;
        rest = str_from(number, (size_t)end + 2);
    }
    return rest;
}

/* ---- in this process ---------------------------------------------------- */

void readers_deliver(const struct journal_entry *e, int64_t first, int64_t last,
                     struct str frames)
{
    struct journal_reader *next;
    for (struct journal_reader *r = readers_of(e->journal, e->message_id); r;
         r = next) {
        next = r->next;
        if (strcmp(r->message_id, e->message_id) || r->ended || r->at >= last)
            continue;
        if (r->full || r->at + 1 != first || !r->on_frames(r, frames))
            wake_up(&r->wake); /* it missed some: it reads the table */
        else
            r->at = last;
    }
}

void journal_end(struct journal_entry *e, struct str frame)
{
    struct journal_reader *next;
    for (struct journal_reader *r = readers_of(e->journal, e->message_id); r;
         r = next) {
        next = r->next;
        if (strcmp(r->message_id, e->message_id) || r->ended)
            continue;
        if (!e->unplaced && r->at == e->next - 1 && !r->full)
            r->ended = r->on_end(r, frame);
        wake_up(&r->wake);
    }
    readers_notify(e);
}

void journal_end_readers(struct journal *j, const char *message_id)
{
    for (struct journal_reader *r = readers_of(j, message_id); r; r = r->next)
        if (!strcmp(r->message_id, message_id)) {
            r->cut = true;
            wake_up(&r->wake);
        }
}

void journal_wake_readers(struct journal *j, struct str message_id)
{
    for (struct journal_reader *r = *readers_bucket(j, message_id); r;
         r = r->next)
        if (str_is(message_id, r->message_id))
            wake_up(&r->wake);
}

/* ---- in other processes ------------------------------------------------- */

void journal_reader_request_notices(struct journal_reader *r)
{
    struct journal *j = r->journal;
    uint64_t now = clock_ms();
    if (!j->notices || !notices_up(j->notices) || now < r->ask_again ||
        journal_writes(j, r->message_id))
        return;
    r->ask_again = now + FOLLOW_AGAIN_MS;
    notice_send(j->notices, NOTICE_FOLLOW, str_of(r->message_id));
}

void readers_notify(const struct journal_entry *e)
{
    if (e->journal->notices && e->watched_until > clock_ms())
        notice_send(e->journal->notices, NOTICE_WROTE, str_of(e->message_id));
}

/* The first request is answered at once: the process may have read the table
 * before the last commit. */
static void journal_note_follower(struct journal *j, struct str id)
{
    char message_id[UUID_SIZE] = {0};
    uint64_t now = clock_ms();
    memcpy(message_id, id.ptr, UUID_SIZE - 1);
    struct journal_entry *e = entry_find(j, message_id);
    if (e) {
        bool known = e->watched_until > now;
        e->watched_until = now + FOLLOWED_MS;
        if (!known)
            readers_notify(e);
        return;
    }
    struct followed_run *x = &j->followed[j->next_followed++ % FOLLOWED_MOST];
    memcpy(x->message_id, message_id, UUID_SIZE);
    x->until = now + FOLLOWED_MS;
}

void entry_find_followers(struct journal_entry *e)
{
    const struct journal *j = e->journal;
    for (int i = 0; i < FOLLOWED_MOST; i++)
        if (!strcmp(j->followed[i].message_id, e->message_id) &&
            j->followed[i].until > e->watched_until)
            e->watched_until = j->followed[i].until;
}

void journal_on_notice(struct notice_listener *h, enum notice what,
                       struct str id)
{
    struct journal *j = container_of(h, struct journal, hearer);
    if (what == NOTICE_FOLLOW && id.len)
        journal_note_follower(j, id);
    else if (what == NOTICE_WROTE && id.len)
        journal_wake_readers(j, id);
    for (int i = 0; what == NOTICE_MISSED && i < BUCKETS; i++)
        for (struct journal_reader *r = j->readers[i]; r; r = r->next)
            wake_up(&r->wake);
}
