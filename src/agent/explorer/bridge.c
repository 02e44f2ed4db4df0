/* bridge.c - an exploration whose data stays in a browser: a run that is not
 * stored; see agent/bridge.h.
 *
 *   bridge_begin -> (the work) -> work_over -> tokens_due -> tokens_counted
 *       -> end_waits -> end_read -> (unlist) -> unlisted
 *                                                  \ tokens_failed -> tokens_due
 *   the work: bridge_work_begin -> (exploring_begin -> listed -> model_known
 *             -> (agent/tool_loop.c) -> loop_over) -> work_done
 *                                   \ exploring_failed
 *
 * It has a struct run, because the tool loop and its model calls need one, but
 * is none of the agent's runs: it has no row, no lease and no record, its
 * journal drops what is written, and another process never takes it over. */
#include "bridge_state.h"
#include "base/clock.h"
#include "base/compiler.h"
#include "base/log.h"
#include "base/mem.h"
#include "../agent_state.h"
#include "store/notices.h"
#include "base/banned.h"

enum {
    WORK_MEMORY = 64 * 1024 * 1024,
    CALLS_OF_STEP = 8,
    TOKEN_TRIES = 5,
    TOKENS_AGAIN_MS = 1000,
};

static struct next bridge_begin(struct flow *f),
    bridge_work_begin(struct flow *f), exploring_begin(struct flow *f),
    exploring_failed(struct flow *f), listed(struct flow *f),
    model_known(struct flow *f), loop_over(struct flow *f),
    work_done(struct flow *f), work_over(struct flow *f),
    tokens_due(struct flow *f), tokens_counted(struct flow *f),
    tokens_failed(struct flow *f), end_waits(struct flow *f),
    end_read(struct flow *f), unlisted(struct flow *f);

/* Its runs answer no message; only what the tool loop asks of a kind is
 * there. */
static const struct agent_kind bridge_kind = {.begin = bridge_begin,
                                              .begin_name = "bridge_begin"};

/* ---- its life ----------------------------------------------------------- */

static void on_alone(struct timer *t);

static void bridge_free(struct bridge *b)
{
    struct agent *a = b->agent;
    struct run *r = &b->run;
    struct bridge **at = &a->bridges;
    while (*at != b)
        at = &(*at)->next;
    *at = b->next;
    timer_stop(&b->alone);
    chunks_done(&b->chunks);
    arena_done(&b->memory);
    arena_done(&r->arena);
    mem_free(b);
    agent_free_if_over(a);
}

/* The end stays for a while when no one has read it. */
static void free_if_over(struct bridge *b)
{
    if (b->flow || b->readers)
        return;
    if (b->read || b->agent->closing || !b->chunks.over)
        bridge_free(b);
    else
        timer_start(&b->alone, BRIDGE_ALONE_MS, on_alone);
}

static void on_alone(struct timer *t)
{
    struct bridge *b = container_of(t, struct bridge, alone);
    if (b->flow) {
        bridge_cancel(b);
        return;
    }
    b->read = true;
    free_if_over(b);
}

void bridge_follow(struct bridge *b, struct bridge_reader *r)
{
    r->bridge = b;
    if (r->at > b->chunks.n)
        r->at = b->chunks.n;
    r->next = b->readers;
    b->readers = r;
    timer_stop(&b->alone);
    wake_up(&r->wake);
}

void bridge_unfollow(struct bridge_reader *r)
{
    struct bridge *b = r->bridge;
    struct bridge_reader **at = &b->readers;
    if (!b)
        return;
    r->bridge = NULL;
    while (*at != r)
        at = &(*at)->next;
    *at = r->next;
    if (b->flow && !b->readers)
        timer_start(&b->alone, BRIDGE_ALONE_MS, on_alone);
    free_if_over(b);
}

static void stop_work(struct bridge *b, enum err why)
{
    struct run *r = &b->run;
    if (r->work.flow)
        flow_stop(r->work.flow, why);
    else if (r->end.stop == OK)
        r->end.stop = why;
}

void bridge_cancel(struct bridge *b)
{
    stop_work(b, ERR_CANCELLED);
}

void bridges_stop(struct agent *a)
{
    struct bridge *next;
    for (struct bridge *b = a->bridges; b; b = next) {
        next = b->next;
        stop_work(b, ERR_UNAVAILABLE);
        for (struct bridge_reader *r = b->readers; r; r = r->next)
            wake_up(&r->wake);
        wake_up(&b->end_wake);
        free_if_over(b);
    }
}

static void on_bridge_end(struct flow *f, enum err how, void *who)
{
    struct bridge *b = who;
    struct run *r = &b->run;
    (void)f;
    b->flow = NULL;
    if (how != OK)
        log_line(LOG_ERROR, "exploration not ended", "%s", err_name(how));
    bridge_say_end(b, how == OK ? ERR_INTERNAL : how,
                   str_of(err_sentence(how == OK ? ERR_INTERNAL : how)));
    journal_detach(&r->log);
    buf_done(&r->visible);
    arena_done(&r->rows);
    arena_done(&r->scratch);
    arena_done(&r->calls.memory);
    free_if_over(b);
}

/* ---- starting ----------------------------------------------------------- */

static bool is_live(const struct bridge *b)
{
    return b->flow && !b->chunks.over;
}

bool bridge_has_room(const struct agent *a, struct str user_id,
                     struct str chat_id)
{
    int n = 0;
    for (const struct bridge *b = a->bridges; b; b = b->next)
        n += is_live(b) && str_is(user_id, b->user_id) &&
             !str_eq(chat_id, b->chat_id);
    return n < BRIDGES_OF_USER;
}

bool bridge_is_full(const struct agent *a)
{
    unsigned n = 0, most = a->settings.max_runs;
    for (const struct bridge *b = a->bridges; b; b = b->next)
        n++;
    return n >= (most && most < BRIDGES_MOST ? most : BRIDGES_MOST);
}

struct bridge *bridge_find(const struct agent *a, struct str user_id,
                           struct str id)
{
    for (struct bridge *b = a->bridges; b; b = b->next)
        if (str_is(user_id, b->user_id) && (is_live(b) || !b->read) &&
            (str_eq(id, b->chat_id) || str_is(id, b->run.message_id)))
            return b;
    return NULL;
}

void bridge_cancel_run(struct agent *a, struct str run_id)
{
    for (struct bridge *b = a->bridges; b; b = b->next)
        if (str_is(run_id, b->run.message_id))
            bridge_cancel(b);
}

static void take_order(struct bridge *b, const struct bridge_order *order)
{
    struct arena *a = &b->memory;
    struct explorer *x = &b->explorer;
    struct explorer_column *columns =
        arena_new_array(a, struct explorer_column, order->n_columns + 1);
    for (size_t i = 0; i < order->n_columns; i++)
        columns[i] = (struct explorer_column){arena_str(a, order->names[i]),
                                              arena_str(a, order->types[i])};
    *x =
        (struct explorer){.run = &b->run,
                          .table = {.columns = columns,
                                    .n_columns = order->n_columns,
                                    .n_rows = order->n_rows,
                                    .share = (enum explorer_share)order->share},
                          .question = arena_str(a, order->question),
                          .description = arena_str(a, order->description),
                          .sample = arena_str(a, order->sample),
                          .conversation = arena_str(a, order->conversation),
                          .max_steps = order->max_steps,
                          .place = bridge_place_begin,
                          .place_name = "bridge_place_begin",
                          .found = {.memory = &b->run.arena},
                          .refused = bridge_say_refused,
                          .concluded = bridge_say_result};
    b->chat_id = arena_str(a, order->chat_id);
    str_copy(b->user_id, sizeof b->user_id, order->user_id);
}

static void init_run(struct bridge *b, const struct bridge_order *order,
                     const struct trace *trace)
{
    struct run *r = &b->run;
    r->agent = b->agent;
    r->kind = &bridge_kind;
    r->attempt = 1;
    r->provider = order->provider;
    r->load.cost_today = order->cost_today;
    r->phase = PHASE_REACT; /* no one reads it: what is written is dropped */
    r->started_at = clock_wall_ms();
    r->started_ms = clock_ms();
    r->calls.end = &r->calls.first;
    memcpy(r->message_id, order->run_id, UUID_SIZE);
    trace_child(&r->trace, trace);
    run_span_begin(r);
    flow_arena_init(&r->arena, RUN_MEMORY);
    flow_arena_init(&r->rows, RUN_MEMORY);
    flow_arena_init(&r->scratch, RUN_MEMORY);
    flow_arena_init(&r->calls.memory, RUN_MEMORY);
    buf_init(&r->visible, NULL);
    r->tools = (struct tool_context){.trace = &r->parent,
                                     .store = b->agent->store,
                                     .explorer = &b->explorer};
    r->log = journal_attach_unstored(b->agent->store->journal, r->message_id);
}

struct bridge *bridge_start(struct agent *a, const struct bridge_order *order,
                            const struct trace *trace)
{
    struct bridge *earlier = bridge_find(a, order->user_id, order->chat_id);
    if (earlier) {
        bridge_cancel(earlier);
        earlier->read = true;
    }
    struct bridge *b = mem_new(struct bridge);
    b->agent = a;
    arena_init(&b->memory, 0);
    take_order(b, order);
    init_run(b, order, trace);
    b->next = a->bridges;
    a->bridges = b;
    bridge_say_start(b);
    b->flow = flow_start(bridge_begin, b,
                         &(struct flow_options){.kind = "exploration",
                                                .memory_limit = RUN_MEMORY,
                                                .on_end = on_bridge_end,
                                                .who = b});
    if (earlier)
        free_if_over(earlier);
    return b;
}

/* ---- the work ----------------------------------------------------------- */

static struct next bridge_begin(struct flow *f)
{
    struct bridge *b = locals(f, struct bridge);
    struct run *r = &b->run;
    unsigned most = agent_settings(b->agent)->run_deadline_ms;
    child_begin(f, &r->work, bridge_work_begin, b, "work", WORK_MEMORY);
    op_tolerate(&r->work.op);
    flow_deadline(r->work.flow, most < BRIDGE_MS ? most : BRIDGE_MS);
    if (r->end.stop != OK)
        flow_stop(r->work.flow, r->end.stop);
    return await(f, work_over);
}

static struct next bridge_work_begin(struct flow *f)
{
    return attempt(f, exploring_begin, locals(f, struct bridge), work_done,
                   exploring_failed);
}

static struct next exploring_begin(struct flow *f)
{
    struct bridge *b = locals(f, struct bridge);
    b->listing =
        (struct explorer_listing){.store = agent_store(b->agent),
                                  .run_id = str_of(b->run.message_id),
                                  .user_id = str_of(b->user_id),
                                  .chat_id = b->chat_id,
                                  .for_ms = BRIDGE_MS + BRIDGE_ALONE_MS};
    return call(f, explorer_list_begin, &b->listing, listed);
}

/* An earlier exploration of the chat may run in another process. */
static struct next listed(struct flow *f)
{
    struct bridge *b = locals(f, struct bridge);
    for (int i = 0; i < b->listing.query->n_rows; i++)
        notice_send(agent_store(b->agent)->notices, NOTICE_CANCEL,
                    explorer_earlier(&b->listing, i));
    b->config =
        (struct settings_agent_config){.store = agent_store(b->agent),
                                       .provider = str_of(b->run.provider->id)};
    return call(f, settings_agent_config_begin, &b->config, model_known);
}

/* The calls of a reply go out now. */
static void on_reply(struct tool_loop *x)
{
    struct bridge *b = container_of(x, struct bridge, loop);
    bridge_say_reply(b, x->consult.llm.content);
}

/* Between two rounds: frees the memory of the calls. */
static struct next round_over(struct flow *f)
{
    struct tool_loop *x = locals(f, struct tool_loop);
    struct bridge *b = container_of(x, struct bridge, loop);
    bridge_say_step_over(b);
    x->calls = NULL;
    x->n_calls = 0;
    arena_done(&b->run.scratch);
    arena_done(&b->run.calls.memory);
    b->run.calls.first = NULL;
    b->run.calls.end = &b->run.calls.first;
    return back(f);
}

static struct next model_known(struct flow *f)
{
    struct bridge *b = locals(f, struct bridge);
    struct run *r = &b->run;
    r->provider = agent_provider_configured(&r->arena, r->provider, &b->config);
    b->inputs = (struct phase_inputs){
        .task = TASK_EXPLORER, .run = r, .loop = &b->loop};
    b->loop = (struct tool_loop){.run = r,
                                 .purpose = "explorer_step",
                                 .set = &explorer_tools,
                                 .memory = &r->arena,
                                 .max_rounds = b->explorer.max_steps,
                                 .max_calls = CALLS_OF_STEP,
                                 .sums_up = true,
                                 .on_reply = on_reply,
                                 .round_over = round_over,
                                 .round_over_name = "round_over",
                                 .consult = {.run = r,
                                             .phase = r->phase,
                                             .compose = explorer_compose,
                                             .who = &b->explorer,
                                             .keeps_cut = true,
                                             .inputs = &b->inputs}};
    r->consult = &b->loop.consult;
    return call(f, tool_loop_begin, &b->loop, loop_over);
}

static struct next loop_over(struct flow *f)
{
    return back(f);
}

static struct next work_done(struct flow *f)
{
    return back(f);
}

/* Copies the sentence: this flow's memory is freed before the run ends. */
static struct next exploring_failed(struct flow *f)
{
    struct run *r = &locals(f, struct bridge)->run;
    r->end.error_text = arena_str(&r->arena, failure_text(f));
    return fail_with(f, failure(f), failure_text(f));
}

/* ---- the end ------------------------------------------------------------ */

static struct str sentence_of(const struct run *r, enum err why)
{
    if (why == ERR_CANCELLED)
        return STR("The run was cancelled.");
    if (why == ERR_TIMEOUT && !r->end.error_text.len)
        return STR("The exploration took too long, and was ended.");
    if (why == ERR_UNAVAILABLE)
        return STR("This process is shutting down.");
    return r->end.error_text.len ? r->end.error_text
                                 : str_of(err_sentence(why));
}

/* The log says that it took place, and nothing of its content. */
static void log_end(struct run *r, enum err how)
{
    run_span_end(r, how == OK ? "complete" : "failed", how);
    log_event(LOG_INFO, "exploration over",
              (struct log_field[]){{"run", str_of(r->message_id)},
                                   {"status", str_of(err_name(how))},
                                   {"traceId", str_of(r->trace.trace_id)},
                                   {NULL, {0}}});
}

static struct next work_over(struct flow *f)
{
    struct bridge *b = locals(f, struct bridge);
    struct run *r = &b->run;
    enum err how = r->work.op.status;
    bridge_say_end(b, how, how == OK ? STR("") : sentence_of(r, how));
    log_end(r, how);
    b->tokens = (struct model_run_tokens){.store = agent_store(b->agent),
                                          .user_id = str_of(b->user_id),
                                          .tokens = r->tokens.total,
                                          .cost = r->tokens.cost};
    return go(f, tokens_due);
}

static struct next tokens_due(struct flow *f)
{
    struct bridge *b = locals(f, struct bridge);
    return b->tokens.tokens > 0 ? attempt(f, model_run_tokens_begin, &b->tokens,
                                          tokens_counted, tokens_failed)
                                : go(f, tokens_counted);
}

static struct next tokens_counted(struct flow *f)
{
    return go(f, end_waits);
}

/* Until a reader has the end, other processes may ask for it. */
static struct next end_waits(struct flow *f)
{
    struct bridge *b = locals(f, struct bridge);
    if (b->read || b->agent->closing)
        return go(f, end_read);
    wait_begin(f, &b->end_wait, &b->end_wake, BRIDGE_ALONE_MS);
    return await(f, end_read);
}

/* If the row stays, it expires. */
static struct next end_read(struct flow *f)
{
    struct bridge *b = locals(f, struct bridge);
    b->read = true;
    b->unlisting = (struct explorer_unlisting){
        .store = agent_store(b->agent), .run_id = str_of(b->run.message_id)};
    return attempt(f, explorer_unlist_begin, &b->unlisting, unlisted, unlisted);
}

static struct next unlisted(struct flow *f)
{
    return back(f);
}

static struct next tokens_failed(struct flow *f)
{
    struct bridge *b = locals(f, struct bridge);
    if (++b->tries >= TOKEN_TRIES || b->agent->closing)
        return go(f, end_waits);
    pause_begin(f, &b->pause, TOKENS_AGAIN_MS);
    return await(f, tokens_due);
}
