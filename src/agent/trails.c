/* trails.c - the trails of this process's runs; see agent/trails.h. */
#include "agent/trails.h"
#include "agent_state.h"
#include "base/json.h"
#include "base/log.h"
#include "base/banned.h"

enum {
    IDS_BYTES =
        200 * UUID_SIZE, /* bytes; what is beyond is not trails_written */
    WRITER_MEMORY = 4 * 1024 * 1024,
    WRITE_MS = 1000, /* then the process that asked has gone on */
};

/* ---- lines -------------------------------------------------------------- */

struct trail_lookup {
    struct str message_id;
    struct arena *arena;
    void (*put)(void *who, struct str line);
    void *who;
};

static void trail_of_flow(struct flow *f, void *who)
{
    const struct trail_lookup *l = who;
    struct str label = flow_get_label(f), run = STR("run ");
    if (str_starts(label, run) &&
        str_eq(str_from(label, run.len), l->message_id))
        l->put(l->who, flow_describe(f, l->arena));
}

void trails_of_run(struct str message_id, struct arena *arena,
                   void (*put)(void *who, struct str line), void *who)
{
    struct trail_lookup l = {message_id, arena, put, who};
    flow_each(trail_of_flow, &l);
}

static void put_line(void *who, struct str line)
{
    json_put_str(who, line);
}

/* ---- for other processes ------------------------------------------------ */

static struct next trails_due(struct flow *f), trails_written(struct flow *f);

/* {"<id>":["line", …], …} of the runs that were asked for. */
static struct str trails_json(struct flow *f, struct agent *a)
{
    struct str asked = buf_view(&a->trail_writer.ids), id;
    struct buf out;
    struct json_writer w;
    buf_init(&out, flow_here(f));
    json_writer_init(&w, &out);
    json_put_object(&w);
    while (str_split(&asked, ' ', &id)) {
        if (!id.len)
            continue;
        json_put_key_str(&w, id);
        json_put_array(&w);
        trails_of_run(id, flow_here(f), put_line, &w);
        json_put_array_end(&w);
    }
    json_put_object_end(&w);
    buf_done(&a->trail_writer.ids);
    return buf_view(&out);
}

static struct next trails_due(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    struct run_trails *t = &a->trail_writer.write;
    t->store = a->store;
    t->deadline_ms = WRITE_MS;
    t->trails = trails_json(f, a);
    return call(f, run_trails_write_begin, t, trails_written);
}

static struct next trails_written(struct flow *f)
{
    return back(f);
}

static void trail_writer_start(struct agent *a);

/* More runs may have been asked for meanwhile. */
static void on_trails_end(struct flow *f, enum err how, void *who)
{
    struct agent *a = who;
    (void)f;
    if (how != OK)
        log_line(LOG_WARN, "trails not written", "%s", err_name(how));
    a->trail_writer.flow = NULL;
    if (how == OK && !a->closing && a->trail_writer.ids.len) {
        trail_writer_start(a);
        return;
    }
    buf_done(&a->trail_writer.ids);
    agent_free_if_over(a);
}

/* The flow begins when all ids of a notice have been added. */
static void trail_writer_start(struct agent *a)
{
    a->trail_writer.flow =
        flow_start(trails_due, a,
                   &(struct flow_options){.kind = "trails",
                                          .memory_limit = WRITER_MEMORY,
                                          .on_end = on_trails_end,
                                          .who = a});
}

void trail_writer_add(struct agent *a, struct str message_id)
{
    struct trail_writer *t = &a->trail_writer;
    if (a->closing || !agent_find_run(a, message_id) ||
        str_find(buf_view(&t->ids), message_id) >= 0 ||
        t->ids.len + UUID_SIZE > IDS_BYTES)
        return;
    buf_char(&t->ids, ' ');
    buf_str(&t->ids, message_id);
    if (!t->flow)
        trail_writer_start(a);
}
