/* key_source.c - a service flow that fetches a JWK Set and refreshes it.
 *
 *   fetch -> keep the new set -> wait for the next refresh or for a request ->
 *   fetch … */
#include "key_source.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "loop/wait.h"
#include "net/http_client.h"
#include "base/banned.h"

enum {
    REFRESH_MS = 5 * 60 * 1000,
    AGAIN_MS = 60 * 1000, /* minimum between fetches that unknown keys cause */
    RETRY_MS = 1000,      /* doubled up to AGAIN_MS until a set is known */
    MOST_BYTES = 256 * 1024,
    CONNECT_MS = 3000,
    TOTAL_MS = 8000,
    PATIENCE_MS = 10000,
    FETCH_MEMORY = 1024 * 1024,
};

struct key_source {
    const char *url;
    struct jwk_set *keys;
    struct flow *service;
    struct wake wake;
    struct wait wait;
    struct child fetch;
    struct http_call call;
    struct key_news *waiting;
    bool fetching, closing;
    uint64_t asked_ms; /* the latest fetch that an unknown key caused */
    unsigned retry_ms;
};

const struct jwk_set *key_source_keys(const struct key_source *ks)
{
    return ks->keys;
}

/* ---- waiting ------------------------------------------------------------- */

static void news_cancel(struct op *op)
{
    struct key_news *n = (struct key_news *)op, **at = &n->source->waiting;
    while (*at != n)
        at = &(*at)->next;
    *at = n->next;
    op_complete(op, ERR_CANCELLED);
}

bool key_news_begin(struct flow *f, struct key_news *n, struct key_source *ks)
{
    if (!ks->fetching && ks->asked_ms && clock_ms() - ks->asked_ms < AGAIN_MS)
        return false;
    if (!ks->fetching) {
        ks->asked_ms = clock_ms();
        ks->fetching = true; /* counts as started already */
        wake_up(&ks->wake);
    }
    *n = (struct key_news){.source = ks, .next = ks->waiting};
    ks->waiting = n;
    begin(f, &n->op, "keys", news_cancel);
    op_deadline(&n->op, PATIENCE_MS);
    op_tolerate(&n->op);
    return true;
}

static void answer_waiting(struct key_source *ks)
{
    while (ks->waiting) {
        struct key_news *n = ks->waiting;
        ks->waiting = n->next;
        op_complete(&n->op, OK);
    }
}

/* ---- the service --------------------------------------------------------- */

static struct next fetch_due(struct flow *f), fetch_over(struct flow *f),
    refresh_due(struct flow *f), fetch_begin(struct flow *f),
    set_fetched(struct flow *f);

static struct next fetch_due(struct flow *f)
{
    struct key_source *ks = locals(f, struct key_source);
    ks->fetching = true;
    child_begin(f, &ks->fetch, fetch_begin, ks, "keys", FETCH_MEMORY);
    op_tolerate(&ks->fetch.op);
    return await(f, fetch_over);
}

static struct next fetch_over(struct flow *f)
{
    struct key_source *ks = locals(f, struct key_source);
    ks->fetching = false;
    answer_waiting(ks);
    ks->retry_ms = ks->retry_ms * 2 < AGAIN_MS ? ks->retry_ms * 2 : AGAIN_MS;
    wait_begin(f, &ks->wait, &ks->wake, ks->keys ? REFRESH_MS : ks->retry_ms);
    return await(f, refresh_due);
}

static struct next refresh_due(struct flow *f)
{
    return go(f, fetch_due);
}

static struct next fetch_begin(struct flow *f)
{
    struct key_source *ks = locals(f, struct key_source);
    static const struct str headers[] = {
        {"Accept: application/json", sizeof "Accept: application/json" - 1}};
    ks->call = (struct http_call){.method = "GET",
                                  .url = str_of(ks->url),
                                  .headers = headers,
                                  .n_headers = 1,
                                  .connect_ms = CONNECT_MS,
                                  .first_ms = TOTAL_MS,
                                  .total_ms = TOTAL_MS,
                                  .max_bytes = MOST_BYTES};
    http_call_begin(f, &ks->call);
    op_tolerate(&ks->call.op);
    return await(f, set_fetched);
}

static void log_fetch_failure(const struct http_call *c, const char *why)
{
    if (c->op.status != OK)
        log_line(LOG_WARN, "keys not fetched", "%s", c->detail);
    else if (c->status != 200)
        log_line(LOG_WARN, "keys not fetched", "status %d", c->status);
    else
        log_line(LOG_WARN, "keys not fetched", "%s", why);
}

static struct next set_fetched(struct flow *f)
{
    struct key_source *ks = locals(f, struct key_source);
    const struct http_call *c = &ks->call;
    const char *why = NULL;
    struct jwk_set *set = c->op.status == OK && c->status == 200
                              ? jwk_set_read(buf_view(&c->reply), &why)
                              : NULL;
    if (!set) {
        log_fetch_failure(c, why);
        return back(f);
    }
    if (!ks->keys || jwk_set_count(ks->keys) != jwk_set_count(set))
        log_line(LOG_INFO, "keys fetched", "%zu", jwk_set_count(set));
    jwk_set_free(&ks->keys);
    ks->keys = set;
    return back(f);
}

/* ---- open and close ------------------------------------------------------ */

static void service_start(struct key_source *ks);

static void service_over(struct flow *f, enum err how, void *who)
{
    struct key_source *ks = who;
    (void)f;
    (void)how;
    ks->fetching = false;
    answer_waiting(ks);
    if (!ks->closing) { /* out of memory */
        ks->fetching = true;
        service_start(ks);
        return;
    }
    jwk_set_free(&ks->keys);
    mem_free(ks);
}

static void service_start(struct key_source *ks)
{
    ks->service = flow_start(fetch_due, ks,
                             &(struct flow_options){.kind = "key source",
                                                    .on_end = service_over,
                                                    .who = ks});
}

struct key_source *key_source_open(const char *url)
{
    struct key_source *ks = mem_new(struct key_source);
    ks->url = url;
    ks->retry_ms = RETRY_MS / 2;
    ks->fetching = true;
    service_start(ks);
    return ks;
}

void key_source_close(struct key_source **at)
{
    struct key_source *ks = *at;
    *at = NULL;
    if (!ks)
        return;
    ks->closing = true;
    flow_cancel(ks->service);
}
