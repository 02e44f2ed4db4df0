/* http_client.c - the life of a call.
 *
 *   begin      finds its origin; the rest happens from the pump
 *   permit     waits until its origin has a permit left
 *   lookup     waits for the addresses of its host, if that is a name
 *   slot       waits until fewer than `connects` calls are connecting (a kept
 *              connection counts only until curl has found it)
 *   connect    curl has it, until on_connected
 *   answer     until the first useful byte; then stream
 *   over       in transfer_over, once, whatever happened
 *
 * The pump is an idle handle that runs once in the next loop turn, outside
 * curl. It does what the place that noticed it must not do. */
#include "net/http_client.h"
#include "base/compiler.h"
#include "base/clock.h"
#include "base/mem.h"
#include "loop/loop.h"
#include "multi.h"
#include "transfer.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum {
    CONNECT_MS = 5000,
    FIRST_MS = 30000,
    IDLE_MS = 30000,
    TOTAL_MS = 300000
};
enum { PERMITS = 512, CONNECTS = 8, TRANSFERS_KEPT = 64 };
enum { ROUNDS = 16, CONNECTIONS_MORE = 64 };

static struct http_client_options options;
static struct http_origin *proxy; /* NULL: none */
static uv_idle_t pump;
static unsigned connecting;                  /* in TRANSFER_CONNECT */
static struct transfer *slots, **slots_last; /* the queue for slots */
static struct transfer *endings;             /* the pump ends them */
static struct transfer *spare;
static unsigned n_spare;
static struct http_client_counts counts;

static void on_pump(uv_idle_t *handle);

static void pump_soon(void)
{
    uv_idle_start(&pump, on_pump);
}

struct http_client_counts http_client_count(void)
{
    return counts;
}

/* The origin whose host is looked up: the proxy, if there is one. */
static const struct http_origin *lookup_origin(const struct transfer *t)
{
    bool direct =
        t->call->unix_socket || t->call->public_only || t->call->trust;
    return proxy && !direct ? proxy : t->origin;
}

/* ---- states ------------------------------------------------------------- */

#define TO(s) (1u << TRANSFER_##s)
static const unsigned transitions[] = {
    [TRANSFER_NEW] = TO(PERMIT) | TO(OVER),
    [TRANSFER_PERMIT] = TO(LOOKUP) | TO(SLOT) | TO(OVER),
    [TRANSFER_LOOKUP] = TO(SLOT) | TO(OVER),
    [TRANSFER_SLOT] = TO(CONNECT) | TO(OVER),
    [TRANSFER_CONNECT] = TO(ANSWER) | TO(OVER),
    [TRANSFER_ANSWER] = TO(STREAM) | TO(OVER),
    [TRANSFER_STREAM] = TO(OVER),
    [TRANSFER_OVER] = 0,
};
#undef TO

static void on_transfer_due(struct timer *timer);

/* The deadline of its current state. */
static uint64_t transfer_due_at(const struct transfer *t)
{
    const struct http_call *c = t->call;
    uint64_t total = t->began_ms + c->total_ms, at = total;
    if (t->state == TRANSFER_LOOKUP || t->state == TRANSFER_CONNECT)
        at = t->state_ms + c->connect_ms;
    else if (t->state == TRANSFER_ANSWER)
        at = t->state_ms + c->first_ms;
    else if (t->state == TRANSFER_STREAM)
        at = t->useful_ms + c->idle_ms;
    return at < total ? at : total;
}

/* The timer may fire early, because on_due checks again; it must never be
 * late. */
static void transfer_watch_deadline(struct transfer *t)
{
    uint64_t at = transfer_due_at(t), now = clock_ms();
    if (!timer_running(&t->timer) || t->timer.at > at)
        timer_start(&t->timer, at > now ? at - now : 0, on_transfer_due);
}

static void transfer_move(struct transfer *t, enum transfer_state to)
{
    assert(transitions[t->state] & 1u << to &&
           "a transition that is not allowed");
    counts.waiting -= t->state == TRANSFER_PERMIT;
    counts.waiting += to == TRANSFER_PERMIT;
    connecting -= t->state == TRANSFER_CONNECT;
    connecting += to == TRANSFER_CONNECT;
    t->state = to;
    if (to == TRANSFER_OVER) {
        timer_stop(&t->timer);
        return;
    }
    t->state_ms = clock_ms();
    transfer_watch_deadline(t);
}

static const char *timeout_detail(const struct transfer *t)
{
    static const char *const late[] = {
        [TRANSFER_PERMIT] =
            "no permit before the timeout: too many calls at once",
        [TRANSFER_LOOKUP] = "the name lookup timed out",
        [TRANSFER_SLOT] = "no turn to connect before the timeout",
        [TRANSFER_CONNECT] = "connecting timed out",
        [TRANSFER_ANSWER] = "no answer in time",
        [TRANSFER_STREAM] = "the answer stalled",
    };
    if (clock_ms() >= t->began_ms + t->call->total_ms &&
        t->state >= TRANSFER_ANSWER)
        return "the total timeout of the call was exceeded";
    return late[t->state];
}

static void on_transfer_due(struct timer *timer)
{
    struct transfer *t = container_of(timer, struct transfer, timer);
    if (transfer_due_at(t) > clock_ms()) {
        transfer_watch_deadline(t);
        return;
    }
    transfer_explain(t, timeout_detail(t));
    transfer_end_soon(t, ERR_TIMEOUT);
}

/* ---- the end ------------------------------------------------------------ */

static void leave_queue(struct transfer **first, struct transfer ***last,
                        struct transfer *t)
{
    struct transfer **at = first;
    while (*at != t)
        at = &(*at)->next;
    *at = t->next;
    if (!*at)
        *last = at;
}

static void leave_queues(struct transfer *t)
{
    if (t->state == TRANSFER_PERMIT)
        leave_queue(&t->origin->first, &t->origin->last, t);
    else if (t->state == TRANSFER_SLOT)
        leave_queue(&slots, &slots_last, t);
    else if (t->state == TRANSFER_LOOKUP)
        resolver_cancel(&t->lookup);
}

static void transfer_free(struct transfer *t)
{
    if (n_spare == TRANSFERS_KEPT) {
        mem_free(t);
        return;
    }
    t->next = spare;
    spare = t;
    n_spare++;
}

static void transfer_over(struct transfer *t, enum err how)
{
    struct http_call *c = t->call;
    leave_queues(t);
    multi_remove(t);
    transfer_release(t);
    transfer_move(t, TRANSFER_OVER);
    if (t->has_permit) {
        t->origin->under_way--;
        pump_soon();
    }
    counts.in_flight--;
    c->state = NULL;
    transfer_free(t);
    op_complete(&c->op, how);
}

void transfer_end_soon(struct transfer *t, enum err how)
{
    if (t->ending == OK)
        t->ending = how;
    if (t->is_ending)
        return;
    t->is_ending = true;
    t->next_ending = endings;
    endings = t;
    pump_soon();
}

static void run_endings(void)
{
    while (endings) {
        struct transfer *t = endings;
        endings = t->next_ending;
        transfer_over(t, t->ending);
    }
}

static enum err curl_error(CURLcode result)
{
    switch (result) {
    case CURLE_OK:
        return OK;
    case CURLE_OPERATION_TIMEDOUT:
        return ERR_TIMEOUT;
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL:
        return ERR_BAD_REPLY;
    default:
        return ERR_BAD_GATEWAY;
    }
}

static void note_response(struct transfer *t)
{
    long status = 0, version = 0, connections = 0;
    curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(t->easy, CURLINFO_HTTP_VERSION, &version);
    curl_easy_getinfo(t->easy, CURLINFO_NUM_CONNECTS, &connections);
    counts.connections += (unsigned long)connections;
    t->call->status = (int)status;
    if (status && t->origin->tls)
        t->origin->http2 =
            version == CURL_HTTP_VERSION_2_0 ? HTTP2_YES : HTTP2_NO;
}

void transfer_finished(struct transfer *t, CURLcode result)
{
    struct http_call *c = t->call;
    note_response(t);
    if (t->is_ending)
        return;
    if (result == CURLE_OK && !t->head_is_whole)
        result = CURLE_GOT_NOTHING; /* to curl a head may end anywhere */
    enum err how = t->ending != OK ? t->ending : curl_error(result);
    if (how != OK && !c->detail[0])
        transfer_explain(t,
                         t->error[0] ? t->error : curl_easy_strerror(result));
    if (t->state == TRANSFER_CONNECT && how != OK && lookup_origin(t)->host)
        resolver_invalidate(lookup_origin(t)->host);
    transfer_over(t, how);
}

/* ---- up to the connection ----------------------------------------------- */

static void join_queue(struct transfer ***last, struct transfer *t)
{
    t->next = NULL;
    **last = t;
    *last = &t->next;
}

/* `addresses` NULL: its host is not a name. */
static void want_slot(struct transfer *t, const char *addresses)
{
    if (addresses)
        transfer_resolve(t, lookup_origin(t), addresses);
    transfer_move(t, TRANSFER_SLOT);
    join_queue(&slots_last, t);
}

static void lookup_failed(struct transfer *t, const char *why)
{
    snprintf(t->call->detail, sizeof t->call->detail,
             "no address for the name: %s", why);
    transfer_end_soon(t, ERR_BAD_GATEWAY);
}

static void on_lookup(struct lookup *l, const char *addresses, const char *why)
{
    struct transfer *t = container_of(l, struct transfer, lookup);
    if (addresses) {
        want_slot(t, addresses);
        pump_soon();
    } else {
        lookup_failed(t, why);
    }
}

static void permit_given(struct transfer *t)
{
    const char *addresses, *why;
    t->has_permit = true;
    t->origin->under_way++;
    if (!lookup_origin(t)->host) {
        want_slot(t, NULL);
        return;
    }
    transfer_move(t, TRANSFER_LOOKUP);
    t->lookup = (struct lookup){.done = on_lookup};
    if (!resolver_find(&t->lookup, lookup_origin(t)->host, &addresses, &why))
        return;
    if (addresses)
        want_slot(t, addresses);
    else
        lookup_failed(t, why);
}

static void give_permits(struct http_origin *o)
{
    while (o->first && o->under_way < origin_permits(o, options.permits)) {
        struct transfer *t = o->first;
        o->first = t->next;
        if (!o->first)
            o->last = &o->first;
        permit_given(t);
    }
}

static void transfer_connect(struct transfer *t)
{
    transfer_move(t, TRANSFER_CONNECT);
    if (!transfer_prepare(t, &options)) {
        transfer_end_soon(t, ERR_BAD_GATEWAY);
        return;
    }
    counts.started++;
    multi_add(t);
}

static void fill_slots(void)
{
    while (slots && connecting < options.connects) {
        struct transfer *t = slots;
        slots = t->next;
        if (!slots)
            slots_last = &slots;
        transfer_connect(t);
    }
}

static void on_pump(uv_idle_t *handle)
{
    uv_idle_stop(handle);
    run_endings();
    for (struct http_origin *o = origin_first(); o; o = o->next)
        give_permits(o);
    /* More than one round, because kept connections free their slot at once. */
    for (int round = 0; round < ROUNDS; round++) {
        fill_slots();
        multi_run_due();
        run_endings();
        if (!slots || connecting == options.connects)
            return;
    }
    pump_soon();
}

/* ---- from curl ---------------------------------------------------------- */

void transfer_connected(struct transfer *t)
{
    if (t->state != TRANSFER_CONNECT)
        return; /* curl opened a new connection after a dead one */
    transfer_move(t, TRANSFER_ANSWER);
    if (slots)
        pump_soon();
}

void transfer_useful(struct transfer *t)
{
    t->useful_ms = clock_ms();
    if (t->state == TRANSFER_ANSWER)
        transfer_move(t, TRANSFER_STREAM);
    else
        transfer_watch_deadline(t);
}

void http_call_useful(struct http_call *c)
{
    if (c->state)
        transfer_useful(c->state);
}

void http_call_hold(struct http_call *c, bool held)
{
    struct transfer *t = c->state;
    if (!t || !t->multi || t->is_ending)
        return;
    if (curl_easy_pause(t->easy, held ? CURLPAUSE_RECV : CURLPAUSE_CONT) !=
        CURLE_OK)
        transfer_end_soon(t, t->ending ? t->ending : ERR_BAD_REPLY);
}

void http_call_resume(struct http_call *c)
{
    struct transfer *t = c->state;
    if (!t || !t->paused || t->is_ending)
        return;
    t->paused = false;
    multi_resume(t);
}

/* ---- calls -------------------------------------------------------------- */

static void call_cancel(struct op *op)
{
    struct transfer *t = container_of(op, struct http_call, op)->state;
    if (multi_inside_curl() || t->is_ending)
        transfer_end_soon(t, ERR_CANCELLED);
    else
        transfer_over(t, ERR_CANCELLED);
}

static void call_done(void *what)
{
    struct http_call *c = what;
    buf_done(&c->reply);
}

static struct transfer *transfer_new(struct http_call *c)
{
    struct transfer *t = spare;
    if (t) {
        spare = t->next;
        n_spare--;
        *t = (struct transfer){0};
    } else {
        t = mem_new(struct transfer);
    }
    t->call = c;
    t->began_ms = clock_ms();
    return t;
}

static void set_defaults(struct http_call *c)
{
    c->connect_ms = c->connect_ms ? c->connect_ms : CONNECT_MS;
    c->first_ms = c->first_ms ? c->first_ms : FIRST_MS;
    c->idle_ms = c->idle_ms ? c->idle_ms : IDLE_MS;
    c->total_ms = c->total_ms ? c->total_ms : TOTAL_MS;
    c->status = 0;
    c->retry_after_ms = c->should_retry = -1;
    c->detail[0] = '\0';
    c->first_byte_ms = 0;
}

void http_call_begin(struct flow *f, struct http_call *c)
{
    defer(f, call_done, c); /* first, because it may fail the flow */
    buf_done(&c->reply);
    buf_init(&c->reply, NULL);
    set_defaults(c);
    begin(f, &c->op, "http", call_cancel);
    struct transfer *t = c->state = transfer_new(c);
    counts.in_flight++;
    t->origin = origin_find(c->url, c->unix_socket);
    if (!t->origin) {
        transfer_explain(t, "not an http address");
        transfer_end_soon(t, ERR_BAD_GATEWAY);
        return;
    }
    transfer_move(t, TRANSFER_PERMIT);
    join_queue(&t->origin->last, t);
    pump_soon();
}

/* ---- the client --------------------------------------------------------- */

void http_client_open(const struct http_client_options *wanted)
{
    static bool ready;
    if (!ready)
        curl_global_init(CURL_GLOBAL_DEFAULT);
    ready = true;
    options = *wanted;
    if (!options.permits)
        options.permits = PERMITS;
    if (!options.connects)
        options.connects = CONNECTS;
    counts = (struct http_client_counts){0};
    proxy = options.proxy ? origin_find(str_of(options.proxy), NULL) : NULL;
    assert(!options.proxy == !proxy && "a proxy is http://host:port");
    if (proxy)
        proxy->under_way++; /* keeps it from being freed */
    slots_last = &slots;
    uv_idle_init(loop_uv(), &pump);
    multis_open(options.permits + CONNECTIONS_MORE, pump_soon);
}

void http_client_close(void)
{
    assert(counts.in_flight == 0 && "a call is in flight");
    multis_close();
    transfers_close();
    resolver_close();
    if (proxy)
        proxy->under_way--;
    origins_close();
    for (; spare; n_spare--) {
        struct transfer *t = spare;
        spare = t->next;
        mem_free(t);
    }
    uv_close((uv_handle_t *)&pump, NULL);
}
