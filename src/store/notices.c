/* notices.c - notices between processes: received, gathered, and sent.
 *
 *   sender_begin -> notices_waiting -> gathered -> send_begin -> sent
 *
 * A payload is a word and ids, separated by spaces. One statement sends all
 * payloads that have gathered. */
#include "store/notices.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/random.h"
#include "db/listen.h"
#include "db/query.h"
#include "loop/wait.h"
#include <string.h>
#include "base/banned.h"

static step_fn sender_begin, notices_waiting, gathered, send_begin, sent,
    send_done, send_failed;

enum { PAYLOAD_BYTES = 7000 }; /* PostgreSQL allows 7999 */

static const char *const words[NOTICE_COUNT] = {"cancel",   "free",    "follow",
                                                "wrote",    "changed", "tell",
                                                "answered", "read",    ""};

struct notices {
    struct pool *system;
    struct listener *listener;
    struct notice_listener *hearers;
    struct buf pending[NOTICE_COUNT]; /* ids, each after a space */
    bool said[NOTICE_COUNT];
    struct wake wake;
    struct wait wait;
    struct pause pause;
    bool closing;
    struct notice_stats stats;
};

/* ---- receiving ---------------------------------------------------------- */

static void notices_deliver(struct notices *n, enum notice what, struct str id)
{
    struct notice_listener *next;
    n->stats.heard++;
    for (struct notice_listener *h = n->hearers; h; h = next) {
        next = h->next;
        h->hear(h, what, id);
    }
}

static enum notice notice_of_word(struct str word)
{
    for (int i = 0; i < NOTICE_MISSED; i++)
        if (str_is(word, words[i]))
            return (enum notice)i;
    return NOTICE_COUNT;
}

/* A later version may send words that this one does not know: it ignores
 * them. */
static void on_notify(void *who, struct str channel, struct str payload)
{
    struct notices *n = who;
    struct str word, id;
    (void)channel;
    if (!str_split(&payload, ' ', &word) ||
        notice_of_word(word) == NOTICE_COUNT)
        return;
    if (!payload.ptr)
        notices_deliver(n, notice_of_word(word), STR(""));
    while (n->listener && str_split(&payload, ' ', &id))
        if (uuid_valid(id))
            notices_deliver(n, notice_of_word(word), id);
}

static void on_relisten(void *who)
{
    notices_deliver(who, NOTICE_MISSED, STR(""));
}

void notices_listen(struct notices *n, const char *conninfo)
{
    static const char *const channels[] = {NOTICE_CHANNEL, NULL};
    n->listener =
        listener_open(&(struct listener_options){.conninfo = conninfo,
                                                 .channels = channels,
                                                 .on_notify = on_notify,
                                                 .on_relisten = on_relisten,
                                                 .who = n});
}

bool notices_up(const struct notices *n)
{
    return n->listener && listener_is_up(n->listener);
}

void notices_add_listener(struct notices *n, struct notice_listener *h)
{
    h->next = n->hearers;
    n->hearers = h;
}

void notices_remove_listener(struct notices *n, struct notice_listener *h)
{
    struct notice_listener **at = &n->hearers;
    while (*at && *at != h)
        at = &(*at)->next;
    if (*at)
        *at = h->next;
}

/* ---- sending ------------------------------------------------------------ */

void notice_send(struct notices *n, enum notice what, struct str id)
{
    struct buf *b = &n->pending[what];
    n->stats.said++;
    if (n->closing || (n->said[what] && str_find(buf_view(b), id) >= 0))
        return;
    if (b->len + id.len >= NOTICE_PENDING_MOST) {
        n->stats.dropped++;
        return;
    }
    n->said[what] = true;
    if (id.len) {
        buf_char(b, ' ');
        buf_str(b, id);
    }
    wake_up(&n->wake);
}

struct notice_stats notice_stats(const struct notices *n)
{
    return n->stats;
}

static bool notices_pending(const struct notices *n)
{
    for (int i = 0; i < NOTICE_COUNT; i++)
        if (n->said[i])
            return true;
    return false;
}

/* Words and ids contain nothing to escape. */
static void notices_put_payloads(struct buf *out, struct notices *n)
{
    buf_char(out, '{');
    for (int i = 0; i < NOTICE_COUNT; i++) {
        struct str ids = buf_view(&n->pending[i]);
        for (bool first = n->said[i]; first || ids.len; first = false) {
            size_t most = PAYLOAD_BYTES / UUID_SIZE * UUID_SIZE;
            struct str some = str_cut(ids, 0, ids.len < most ? ids.len : most);
            buf_printf(out, "%s\"%s%.*s\"", out->len > 1 ? "," : "", words[i],
                       STR_ARG(some));
            ids = str_from(ids, some.len);
        }
        buf_done(&n->pending[i]);
        n->said[i] = false;
    }
    buf_char(out, '}');
}

/* Its commit does not wait for the disk: NOTIFY is not durable. */
static const struct statement say_statement = {
    .name = "notices.say",
    .sql = "select set_config('synchronous_commit', 'off', true),"
           " (select count(pg_notify('" NOTICE_CHANNEL "', payload))"
           "   from unnest($1::text[]) payload)",
};

static struct next sender_begin(struct flow *f)
{
    struct notices *n = locals(f, struct notices);
    if (n->closing)
        return back(f);
    if (notices_pending(n))
        return go(f, notices_waiting);
    wait_begin(f, &n->wait, &n->wake, 0);
    return await(f, notices_waiting);
}

static struct next notices_waiting(struct flow *f)
{
    struct notices *n = locals(f, struct notices);
    if (n->closing || !notices_pending(n))
        return go(f, sender_begin);
    pause_begin(f, &n->pause, NOTICE_LATE_MS);
    return await(f, gathered);
}

static struct next gathered(struct flow *f)
{
    return attempt(f, send_begin, locals(f, struct notices), send_done,
                   send_failed);
}

static struct next send_begin(struct flow *f)
{
    struct notices *n = locals(f, struct notices);
    struct query *q = query_new(f, n->system, &say_statement);
    struct buf payloads;
    buf_init(&payloads, flow_here(f));
    notices_put_payloads(&payloads, n);
    query_text(q, buf_cstr(&payloads));
    query_begin(f, q);
    return await(f, sent);
}

static struct next sent(struct flow *f)
{
    locals(f, struct notices)->stats.sent++;
    return back(f);
}

static struct next send_done(struct flow *f)
{
    return go(f, sender_begin);
}

/* Other processes read the tables before long. */
static struct next send_failed(struct flow *f)
{
    log_line(LOG_WARN, "notices not sent", "%s", err_name(failure(f)));
    return go(f, sender_begin);
}

static void sender_start(struct notices *n);

static void sender_ended(struct flow *f, enum err how, void *who)
{
    struct notices *n = who;
    (void)f;
    if (how != OK && !n->closing) {
        log_line(LOG_ERROR, "the sender of notices ended", "%s", err_name(how));
        sender_start(n);
    }
    if (!n->closing)
        return;
    for (int i = 0; i < NOTICE_COUNT; i++)
        buf_done(&n->pending[i]);
    mem_free(n);
}

static void sender_start(struct notices *n)
{
    flow_start(sender_begin, n,
               &(struct flow_options){
                   .kind = "notices", .on_end = sender_ended, .who = n});
}

struct notices *notices_open(struct pool *system)
{
    struct notices *n = mem_new(struct notices);
    n->system = system;
    sender_start(n);
    return n;
}

void notices_close(struct notices **at)
{
    struct notices *n = *at;
    *at = NULL;
    if (!n)
        return;
    if (n->listener)
        listener_close(&n->listener);
    n->hearers = NULL;
    n->closing = true;
    wake_up(&n->wake);
}
