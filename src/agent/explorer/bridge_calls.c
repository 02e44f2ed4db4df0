/* bridge_calls.c - tool calls that wait for the browser.
 *
 *   bridge_place_begin -> (open) -> call_opened -> call_due <-> call_woken
 *        \ call_not_opened            |  \ (take) -> call_looked
 *                                     v             \ look_failed
 *                                  call_over
 *
 * An answer comes in this process (bridge_answer), or another process leaves it
 * in the database and sends a notice (bridge_look). Notices may be lost, so the
 * call also looks now and then, and once more before it gives up. */
#include "bridge_state.h"
#include "agent/run.h"
#include "base/clock.h"
#include "base/compiler.h"
#include "store/explorer_calls.h"
#include "store/notices.h"
#include "../agent_state.h"
#include "base/banned.h"

enum { LOOK_MS = 3000, LOOK_OFTEN_MS = 500 };

static struct next call_opened(struct flow *f), call_not_opened(struct flow *f),
    call_due(struct flow *f), call_woken(struct flow *f),
    look_begin(struct flow *f), call_looked(struct flow *f),
    look_taken(struct flow *f), look_failed(struct flow *f),
    call_over(struct flow *f);

static struct bridge *bridge_of(const struct explorer_visit *v)
{
    return container_of(v->explorer, struct bridge, explorer);
}

/* ---- announcing --------------------------------------------------------- */

/* The earliest call that is not announced. */
static struct bridge_call *next_to_announce(const struct bridge *b)
{
    struct bridge_call *next = NULL;
    for (struct bridge_call *c = b->calls; c; c = c->next)
        if (!c->announced && (!next || c->number < next->number))
            next = c;
    return next;
}

/* Calls go to the browser in the model's order, whichever the database has
 * opened first: people read them, and their charts, in this order. */
static void announce(struct bridge *b)
{
    struct bridge_call *c;
    while ((c = next_to_announce(b)) && c->opened) {
        c->announced = true;
        bridge_say_call(b, c->visit);
    }
}

/* ---- waiting ------------------------------------------------------------ */

static void call_forget(void *call)
{
    struct bridge_call *c = call;
    struct bridge_call **at = &c->bridge->calls;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    buf_done(&c->body);
}

struct next bridge_place_begin(struct flow *f)
{
    struct explorer_visit *v = locals(f, struct explorer_visit);
    struct bridge *b = bridge_of(v);
    struct bridge_call *c = v->state = here(f, struct bridge_call);
    *c = (struct bridge_call){
        .bridge = b, .visit = v, .next = b->calls, .number = v->number};
    memcpy(c->id, v->id, UUID_SIZE);
    b->calls = c;
    defer(f, call_forget, c);
    c->open = here(f, struct explorer_call_open);
    *c->open = (struct explorer_call_open){.store = agent_store(b->agent),
                                           .id = str_of(c->id),
                                           .user_id = str_of(b->user_id),
                                           .wait_ms = BRIDGE_CALL_MS};
    return attempt(f, explorer_call_open_begin, c->open, call_opened,
                   call_not_opened);
}

static struct next call_not_opened(struct flow *f)
{
    struct explorer_visit *v = locals(f, struct explorer_visit);
    struct bridge_call *c = v->state;
    v->call->failure = STR("The query could not be sent to the browser, "
                           "because the server's database is unavailable.");
    c->announced = true; /* no other call waits for it */
    announce(c->bridge);
    return back(f);
}

static struct next call_opened(struct flow *f)
{
    struct explorer_visit *v = locals(f, struct explorer_visit);
    struct bridge_call *c = v->state;
    c->due_ms = clock_ms() + BRIDGE_CALL_MS;
    c->opened = true;
    return go(f, call_due);
}

static struct next call_due(struct flow *f)
{
    struct explorer_visit *v = locals(f, struct explorer_visit);
    struct bridge_call *c = v->state;
    const struct store *s = agent_store(c->bridge->agent);
    uint64_t now = clock_ms(), left = c->due_ms > now ? c->due_ms - now : 0;
    announce(c->bridge);
    if (c->answered || c->over)
        return go(f, call_over);
    c->over = !left;
    if (c->look || c->over)
        return attempt(f, look_begin, v, call_looked, look_failed);
    unsigned most = notices_up(s->notices) ? LOOK_MS : LOOK_OFTEN_MS;
    wait_begin(f, &c->wait, &c->wake, left < most ? left : most);
    return await(f, call_woken);
}

static struct next call_woken(struct flow *f)
{
    struct bridge_call *c = locals(f, struct explorer_visit)->state;
    c->look = true;
    return go(f, call_due);
}

/* ---- looking into the database ------------------------------------------ */

static struct next look_begin(struct flow *f)
{
    struct explorer_visit *v = locals(f, struct explorer_visit);
    struct bridge_call *c = v->state;
    struct explorer_call_take *t = c->take = here(f, struct explorer_call_take);
    *t = (struct explorer_call_take){.store = agent_store(c->bridge->agent),
                                     .id = str_of(c->id),
                                     .ends = c->over,
                                     .memory = v->call->memory};
    return call(f, explorer_call_take_begin, t, look_taken);
}

static struct next look_taken(struct flow *f)
{
    struct bridge_call *c = locals(f, struct explorer_visit)->state;
    struct str body = c->take->body;
    if (body.len && !c->answered) {
        c->answered = true;
        buf_str(&c->body, body);
    }
    return back(f);
}

static struct next call_looked(struct flow *f)
{
    struct bridge_call *c = locals(f, struct explorer_visit)->state;
    c->look = false;
    return go(f, call_due);
}

static struct next look_failed(struct flow *f)
{
    return go(f, call_looked);
}

static struct next call_over(struct flow *f)
{
    struct explorer_visit *v = locals(f, struct explorer_visit);
    struct bridge_call *c = v->state;
    if (c->answered)
        bridge_read_answer(f, v->call, buf_view(&c->body));
    else
        v->call->failure =
            arena_printf(v->call->memory, "Tool execution timeout after %dms",
                         BRIDGE_CALL_MS);
    return back(f);
}

/* ---- answers ------------------------------------------------------------ */

static struct bridge_call *call_find(const struct agent *a, struct str id)
{
    for (const struct bridge *b = a->bridges; b; b = b->next)
        for (struct bridge_call *c = b->calls; c; c = c->next)
            if (str_is(id, c->id))
                return c;
    return NULL;
}

static struct bridge_call *waiting_call(const struct agent *a,
                                        struct str user_id, struct str id)
{
    struct bridge_call *c = call_find(a, id);
    bool waits =
        c && !c->answered && !c->over && str_is(user_id, c->bridge->user_id);
    return waits ? c : NULL;
}

bool bridge_awaits(const struct agent *a, struct str user_id, struct str id)
{
    return waiting_call(a, user_id, id) != NULL;
}

bool bridge_answer(struct agent *a, struct str user_id, struct str id,
                   struct str body)
{
    struct bridge_call *c = waiting_call(a, user_id, id);
    if (!c)
        return false;
    c->answered = true;
    buf_str(&c->body, body);
    wake_up(&c->wake);
    return true;
}

void bridge_look(struct agent *a, struct str id)
{
    struct bridge_call *c = call_find(a, id);
    if (c)
        wake_up(&c->wake);
    bridge_wake_watchers(a, id);
}
