/* call.c - a model's answer to messages: the talk with its server, the events
 * heard inside curl, and, when it ended, the Out fields. */
#include "base/clock.h"
#include "base/utf8.h"
#include "llm/provider.h"
#include "models.h"
#include "net/sse_decoder.h"
#include "talk.h"
#include "base/banned.h"

enum {
    MOST_EVENT = 2 * 1024 * 1024,
    LAST_WORDS_MS = 250,
    TOKEN_BYTES = 4,        /* of text, as a rule */
    MOST_TOKEN_BYTES = 8,   /* in the mean of a reply; beyond, it is no token */
    MOST_EVENT_BYTES = 512, /* of an event that carries a token */
    MOST_WHOLE_BYTES = 64,  /* of a reply that is no stream, by token */
    UNTOLD_LIMIT = 32768,   /* tokens, where no limit was sent */
    SLACK = 64 * 1024,
};

struct llm_work {
    struct llm_call *call;
    struct talk talk;
    struct llm_reply reply;
    struct sse_decoder events;
    struct buf whole; /* a reply that is no stream */
    enum { FORM_UNKNOWN, FORM_STREAM, FORM_WHOLE } form;
    struct llm_usage spent; /* by all tries so far */
    size_t sent, heard;     /* bytes, of the latest try */
    bool overran;
};

static step_fn call_answered, call_failed, local_begin;

/* ---- hearing, inside curl ----------------------------------------------- */

static void note_useful(struct llm_work *w)
{
    struct http_call *http = &w->talk.http;
    if (!w->call->first_ms)
        w->call->first_ms = (unsigned)(clock_ms() - w->talk.began_ms);
    if (w->reply.done)
        http->idle_ms = LAST_WORDS_MS; /* some servers then keep us waiting */
    talk_useful(&w->talk);
}

/* Counted in bytes, generously: a server that keeps to the limit that it was
 * sent never gets here. */
static bool goes_on_for_ever(const struct llm_work *w)
{
    int sent = w->talk.terms.max_sent;
    size_t tokens = sent > 0 ? (size_t)sent : UNTOLD_LIMIT;
    size_t made = llm_reply_size(&w->reply);
    if (w->form == FORM_WHOLE)
        return w->heard > tokens * MOST_WHOLE_BYTES + SLACK;
    return made > tokens * MOST_TOKEN_BYTES + TOKEN_BYTES ||
           w->heard > tokens * MOST_EVENT_BYTES + MOST_EVENT + SLACK;
}

static void stop_hearing(struct llm_work *w)
{
    w->overran = true;
    llm_reply_finish(&w->reply, LLM_LENGTH);
    w->reply.done = true;
}

static bool on_event(void *who, const struct sse_event *event)
{
    struct llm_work *w = who;
    struct llm_reply *r = &w->reply;
    if (r->done)
        return true;
    r->useful = false;
    const struct llm_provider *p = w->call->model->provider;
    if (!p->hear(r, event->type, event->data) && !r->bad)
        r->bad = "an event of the stream";
    if (r->useful || r->done)
        note_useful(w);
    if (!r->done && goes_on_for_ever(w))
        stop_hearing(w);
    return !r->bad && !w->overran;
}

/* By its first byte, since not every server names the type right. */
static void find_form(struct llm_work *w, struct str bytes)
{
    struct str text = str_trim(bytes);
    if (text.len)
        w->form = *text.ptr == '{' ? FORM_WHOLE : FORM_STREAM;
}

static bool hear(struct talk *t, struct str bytes)
{
    struct llm_work *w = t->who;
    w->heard += bytes.len;
    if (!w->reply.done && goes_on_for_ever(w)) {
        stop_hearing(w);
        return false;
    }
    if (w->form == FORM_UNKNOWN)
        find_form(w, bytes);
    if (w->form == FORM_WHOLE) {
        talk_useful(t);
        buf_str(&w->whole, bytes);
        return true;
    }
    if (sse_decoder_feed(&w->events, bytes))
        return true;
    if (!w->reply.bad && !w->overran)
        w->reply.bad = "an event that is too large";
    return false;
}

/* ---- after each try ----------------------------------------------------- */

static void forget(struct talk *t)
{
    struct llm_work *w = t->who;
    llm_reply_done(&w->reply);
    llm_reply_init(&w->reply, w->call);
    sse_decoder_done(&w->events);
    sse_decoder_init(&w->events, MOST_EVENT, on_event, w);
    buf_clear(&w->whole);
    w->form = FORM_UNKNOWN;
    w->sent = w->heard = 0;
    w->overran = false;
}

static void hear_whole(struct llm_work *w)
{
    struct arena mended;
    arena_init(&mended, 0);
    struct str text = buf_view(&w->whole);
    if (!utf8_valid(text))
        text = utf8_repair(&mended, text);
    if (!w->call->model->provider->hear(&w->reply, STR("whole"), text) &&
        !w->reply.bad)
        w->reply.bad = "the reply";
    arena_done(&mended);
}

/* Words, a tool call, or a reason why there are none. */
static bool says_something(const struct llm_reply *r)
{
    return r->content.len || r->n_tools || r->refusal.len ||
           r->finish == LLM_LENGTH || r->finish == LLM_FILTERED;
}

static void add_usage(struct llm_usage *sum, const struct llm_usage *u)
{
    sum->prompt += u->prompt;
    sum->completion += u->completion;
    sum->total += u->total;
    sum->cached += u->cached;
    sum->reasoning += u->reasoning;
    sum->estimated = sum->estimated || u->estimated;
}

/* What the server told, and an estimate of what it did not: budgets count. */
static void count_usage(struct llm_work *w)
{
    const struct llm_reply *r = &w->reply;
    struct llm_usage u = r->usage;
    int64_t made = (int64_t)(llm_reply_size(r) + TOKEN_BYTES - 1) / TOKEN_BYTES;
    bool told = r->usage_known && u.total > 0;
    bool cut = !r->finished || w->overran; /* its last word on it is missing */
    if (!told)
        u.prompt = (int64_t)(w->sent + TOKEN_BYTES - 1) / TOKEN_BYTES;
    if (!told || (cut && made > u.completion)) {
        u.completion = made;
        u.total = u.prompt + u.completion;
        u.estimated = true;
    }
    add_usage(&w->spent, &u);
    w->call->usage_known = w->call->usage_known || told;
}

static void judge(struct talk *t, struct retry_facts *facts)
{
    struct llm_work *w = t->who;
    struct llm_reply *r = &w->reply;
    if (w->form == FORM_WHOLE && facts->how == OK)
        hear_whole(w);
    facts->heard_error = r->error != OK;
    if (r->error != OK) {
        facts->told = r->error;
        vendor_take(&t->said, str_of(r->error_code), buf_view(&r->error_text),
                    t->model);
    }
    facts->shown = r->shown;
    facts->whole = r->finished && !r->bad && r->error == OK &&
                   facts->how != ERR_CANCELLED && says_something(r);
    count_usage(w);
}

/* ---- what the caller gets ----------------------------------------------- */

static struct str copy(struct arena *memory, const struct buf *b)
{
    return b->len ? arena_str(memory, buf_view(b)) : (struct str){0};
}

static void give_tools(struct llm_call *c, const struct llm_reply *r,
                       struct arena *memory)
{
    c->tool_calls = arena_new_array(memory, struct llm_tool_call, r->n_tools);
    for (size_t i = 0; i < r->n_tools; i++) {
        const struct llm_heard_tool *t = &r->tools[i];
        c->tool_calls[i] = (struct llm_tool_call){
            .id = t->id.len ? copy(memory, &t->id)
                            : arena_printf(memory, "call_%zu", i + 1),
            .name = copy(memory, &t->name),
            .arguments =
                t->arguments.len ? copy(memory, &t->arguments) : STR("{}"),
        };
    }
    c->n_tool_calls = r->n_tools;
}

static void give_reply(struct llm_work *w, struct arena *memory)
{
    struct llm_call *c = w->call;
    const struct llm_reply *r = &w->reply;
    bool refused = r->refusal.len && !r->content.len && !r->n_tools;
    c->content = copy(memory, refused ? &r->refusal : &r->content);
    give_tools(c, r, memory);
    if (r->raw.len)
        c->raw =
            arena_printf(memory, "{\"role\":\"assistant\",\"content\":[%.*s]}",
                         STR_ARG(buf_view(&r->raw)));
    c->finish = refused ? LLM_FILTERED : r->finish;
    /* Servers mix these two words up; what was heard decides. */
    if (c->finish == LLM_STOP || c->finish == LLM_TOOL_CALLS)
        c->finish = c->n_tool_calls ? LLM_TOOL_CALLS : LLM_STOP;
}

static void give_figures(struct llm_work *w)
{
    struct llm_call *c = w->call;
    c->usage = w->spent;
    c->tries = w->talk.tries;
    c->overran = w->overran;
    c->temperature_sent = w->talk.terms.temperature_sent;
    c->took_ms = (unsigned)(clock_ms() - w->talk.began_ms);
}

/* ---- the steps ---------------------------------------------------------- */

/* About as much as it will be, so that it is not moved while it grows and leaves
 * no holes behind: a thousand wait for their answers at once. */
static size_t request_size(const struct llm_call *c)
{
    size_t size = 1024 + c->schema.len;
    for (size_t i = 0; i < c->n_messages; i++)
        size +=
            64 + c->messages[i].raw.len + c->messages[i].content.len * 9 / 8;
    for (size_t i = 0; i < c->n_tools; i++)
        size += 128 + c->tools[i].description.len + c->tools[i].parameters.len;
    return size;
}

static void write_request(struct talk *t, struct llm_terms *terms,
                          struct buf *body)
{
    struct llm_work *w = t->who;
    const struct llm_call *c = w->call;
    if (c->compose)
        c->compose(c->who);
    buf_reserve(body, request_size(c));
    c->model->provider->request(c, terms, body);
    w->sent = body->len;
    if (c->compose)
        c->let_go(c->who);
}

static void restart(void *who)
{
    struct llm_call *c = ((struct llm_work *)who)->call;
    c->on_restart(c->who);
}

static void waits(void *who, const char *reason, unsigned ms)
{
    struct llm_call *c = ((struct llm_work *)who)->call;
    if (c->on_wait)
        c->on_wait(c->who, reason, ms);
}

static void work_done(void *what)
{
    struct llm_work *w = what;
    llm_reply_done(&w->reply);
    sse_decoder_done(&w->events);
    buf_done(&w->whole);
    w->call->work = NULL;
}

static void clear_out(struct llm_call *c)
{
    c->content = c->raw = c->problem = (struct str){0};
    c->tool_calls = NULL;
    c->n_tool_calls = 0;
    c->finish = LLM_INCOMPLETE;
    c->usage = (struct llm_usage){0};
    c->usage_known = c->overran = false;
    c->tries = c->first_ms = c->took_ms = 0;
    c->temperature_sent = -1;
}

struct next llm_begin(struct flow *f)
{
    struct llm_call *c = locals(f, struct llm_call);
    clear_out(c);
    if (c->model->provider->local)
        return go(f, local_begin);
    struct llm_work *w = c->work = here(f, struct llm_work);
    w->call = c;
    llm_reply_init(&w->reply, c);
    w->talk = (struct talk){
        .model = c->model,
        .endpoint = LLM_CHAT,
        .total_ms = c->total_ms,
        .max_bytes = SIZE_MAX, /* hear judges */
        .patient = model_thinks(c->model),
        .trace = c->trace,
        .write = write_request,
        .forget = forget,
        .hear = hear,
        .judge = judge,
        .on_restart = c->on_restart ? restart : NULL,
        .on_wait = waits,
        .who = w,
    };
    defer(f, work_done, w);
    return attempt(f, talk_begin, &w->talk, call_answered, call_failed);
}

static struct arena *memory_of(struct flow *f, struct llm_call *c)
{
    return c->memory ? c->memory : flow_keep(f);
}

static struct next call_answered(struct flow *f)
{
    struct llm_call *c = locals(f, struct llm_call);
    give_figures(c->work);
    give_reply(c->work, memory_of(f, c));
    return back(f);
}

static struct next call_failed(struct flow *f)
{
    struct llm_call *c = locals(f, struct llm_call);
    give_figures(c->work);
    c->problem = arena_str(memory_of(f, c), c->work->talk.problem);
    return fail_with(f, failure(f), c->problem);
}

static struct next local_begin(struct flow *f)
{
    struct llm_call *c = locals(f, struct llm_call);
    uint64_t began = clock_ms();
    c->tries = 1;
    c->finish = LLM_STOP;
    enum err how = c->model->provider->local->answer(c, memory_of(f, c));
    c->took_ms = (unsigned)(clock_ms() - began);
    return how == OK ? back(f) : fail_with(f, how, c->problem);
}
