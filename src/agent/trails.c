#include "agent/trails.h"
#include "agent_state.h"
#include "base/json.h"
#include "base/log.h"
#include "base/banned.h"

enum {
    ASKED_MOST = 200 * UUID_SIZE, /* bytes; what is beyond is not told */
    TELLER_MEMORY = 4 * 1024 * 1024,
    TELL_MS = 1000, /* then whoever asked has gone on without it */
};

/* ---- lines ---------------------------------------------------------------- */

struct look {
    struct str message_id;
    struct arena *arena;
    void (*put)(void *who, struct str line);
    void *who;
};

static void look_at(struct flow *f, void *who)
{
    const struct look *l = who;
    struct str label = flow_label_of(f), run = STR("run ");
    if (str_starts(label, run) &&
        str_eq(str_from(label, run.len), l->message_id))
        l->put(l->who, flow_tell(f, l->arena));
}

void trail_each(struct str message_id, struct arena *arena,
                void (*put)(void *who, struct str line), void *who)
{
    struct look l = {message_id, arena, put, who};
    flow_each(look_at, &l);
}

static void put_line(void *who, struct str line)
{
    json_put_str(who, line);
}

/* ---- told to others ------------------------------------------------------- */

static struct next tell_begin(struct flow *f), told(struct flow *f);

static bool is_here(const struct agent *a, struct str message_id)
{
    const struct run *r = a->runs;
    while (r && !str_is(message_id, r->message_id))
        r = r->next_live;
    return r != NULL;
}

/* {"<id>":["line", …], …} of those that were asked for. */
static struct str take_trails(struct flow *f, struct agent *a)
{
    struct str asked = buf_view(&a->teller.asked), id;
    struct buf out;
    struct json_writer w;
    buf_init(&out, flow_here(f));
    json_write_to(&w, &out);
    json_put_object(&w);
    while (str_split(&asked, ' ', &id)) {
        if (!id.len)
            continue;
        json_put_key_str(&w, id);
        json_put_array(&w);
        trail_each(id, flow_here(f), put_line, &w);
        json_put_array_end(&w);
    }
    json_put_object_end(&w);
    buf_done(&a->teller.asked);
    return buf_view(&out);
}

static struct next tell_begin(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    struct run_trails *t = &a->teller.write;
    t->store = a->store;
    t->deadline_ms = TELL_MS;
    t->trails = take_trails(f, a);
    return call(f, run_trails_write_begin, t, told);
}

static struct next told(struct flow *f)
{
    return back(f);
}

static void teller_start(struct agent *a);

/* Others may have been asked for meanwhile. */
static void tell_over(struct flow *f, enum err how, void *who)
{
    struct agent *a = who;
    (void)f;
    if (how != OK)
        log_line(LOG_WARN, "trails not told", "%s", err_name(how));
    a->teller.flow = NULL;
    if (how == OK && !a->closing && a->teller.asked.len) {
        teller_start(a);
        return;
    }
    buf_done(&a->teller.asked);
    agent_free_if_over(a);
}

/* It runs when all ids of a notice have been heard. */
static void teller_start(struct agent *a)
{
    a->teller.flow =
        flow_start(tell_begin, a,
                   &(struct flow_options){.kind = "teller",
                                          .memory_limit = TELLER_MEMORY,
                                          .on_end = tell_over,
                                          .who = a});
}

void teller_ask(struct agent *a, struct str message_id)
{
    struct teller *t = &a->teller;
    if (a->closing || !is_here(a, message_id) ||
        str_find(buf_view(&t->asked), message_id) >= 0 ||
        t->asked.len + UUID_SIZE > ASKED_MOST)
        return;
    buf_char(&t->asked, ' ');
    buf_str(&t->asked, message_id);
    if (!t->flow)
        teller_start(a);
}
