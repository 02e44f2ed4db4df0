/* call.c - a chat call: writes the request, parses the reply while it streams
 * in (inside curl), and sets the Out fields at the end. retry_loop.c does the
 * HTTP requests and retries. */
#include "base/clock.h"
#include "base/utf8.h"
#include "call_span.h"
#include "llm/provider.h"
#include "models.h"
#include "net/sse_decoder.h"
#include "retry_loop.h"
#include "base/banned.h"

enum {
    MOST_EVENT = 2 * 1024 * 1024,
    LAST_WORDS_MS = 250,
    TOKEN_BYTES = 4,        /* of text, on average */
    MOST_TOKEN_BYTES = 8,   /* of text, at most, on average of a reply */
    MOST_EVENT_BYTES = 512, /* of an event that carries one token */
    MOST_WHOLE_BYTES = 64,  /* per token of a reply that is not a stream */
    UNTOLD_LIMIT = 32768,   /* tokens, if the request has no limit */
    SLACK = 64 * 1024,
};

struct llm_work {
    struct llm_call *call;
    struct retry_loop loop;
    struct span span;
    struct buf prompt; /* for the span, when it may hold content */
    struct llm_reply reply;
    struct sse_decoder events;
    struct buf whole; /* a reply that is not a stream */
    enum { FORM_UNKNOWN, FORM_STREAM, FORM_WHOLE } form;
    struct llm_usage spent; /* by all tries so far */
    size_t sent, received;  /* bytes, of the latest try */
    bool exceeded_limit;
};

static step_fn call_answered, call_failed, local_begin;

/* ---- receiving, inside curl --------------------------------------------- */

static void note_useful(struct llm_work *w)
{
    struct http_call *http = &w->loop.http;
    if (!w->call->first_ms)
        w->call->first_ms = (unsigned)(clock_ms() - w->loop.began_ms);
    if (w->reply.done)
        http->idle_ms = LAST_WORDS_MS; /* some servers end the stream late */
    retry_loop_useful(&w->loop);
}

/* Whether the reply exceeds the token limit, estimated from bytes so generously
 * that a server that honours the limit never gets here. */
static bool exceeds_limit(const struct llm_work *w)
{
    int sent = w->loop.terms.max_sent;
    size_t tokens = sent > 0 ? (size_t)sent : UNTOLD_LIMIT;
    size_t made = llm_reply_size(&w->reply);
    if (w->form == FORM_WHOLE)
        return w->received > tokens * MOST_WHOLE_BYTES + SLACK;
    return made > tokens * MOST_TOKEN_BYTES + TOKEN_BYTES ||
           w->received > tokens * MOST_EVENT_BYTES + MOST_EVENT + SLACK;
}

static void stop_receiving(struct llm_work *w)
{
    w->exceeded_limit = true;
    llm_reply_finish(&w->reply, LLM_LENGTH);
    w->reply.done = true;
}

static bool call_on_event(void *who, const struct sse_event *event)
{
    struct llm_work *w = who;
    struct llm_reply *r = &w->reply;
    if (r->done)
        return true;
    r->useful = false;
    const struct llm_provider *p = w->call->model->provider;
    if (!p->on_event(r, event->type, event->data) && !r->bad)
        r->bad = "an event of the stream";
    if (r->useful || r->done)
        note_useful(w);
    if (!r->done && exceeds_limit(w))
        stop_receiving(w);
    return !r->bad && !w->exceeded_limit;
}

/* Looks at the first byte, because some servers send a wrong content type. */
static void detect_form(struct llm_work *w, struct str bytes)
{
    struct str text = str_trim(bytes);
    if (text.len)
        w->form = *text.ptr == '{' ? FORM_WHOLE : FORM_STREAM;
}

static bool call_on_bytes(struct retry_loop *l, struct str bytes)
{
    struct llm_work *w = l->who;
    w->received += bytes.len;
    if (!w->reply.done && exceeds_limit(w)) {
        stop_receiving(w);
        return false;
    }
    if (w->form == FORM_UNKNOWN)
        detect_form(w, bytes);
    if (w->form == FORM_WHOLE) {
        retry_loop_useful(l);
        buf_str(&w->whole, bytes);
        return true;
    }
    if (sse_decoder_feed(&w->events, bytes))
        return true;
    if (!w->reply.bad && !w->exceeded_limit)
        w->reply.bad = "an event that is too large";
    return false;
}

/* ---- after each try ----------------------------------------------------- */

static void call_reset(struct retry_loop *l)
{
    struct llm_work *w = l->who;
    llm_reply_done(&w->reply);
    llm_reply_init(&w->reply, w->call);
    sse_decoder_done(&w->events);
    sse_decoder_init(&w->events, MOST_EVENT, call_on_event, w);
    buf_clear(&w->whole);
    w->form = FORM_UNKNOWN;
    w->sent = w->received = 0;
    w->exceeded_limit = false;
}

static void parse_whole(struct llm_work *w)
{
    struct arena repaired;
    arena_init(&repaired, 0);
    struct str text = buf_view(&w->whole);
    if (!utf8_valid(text))
        text = utf8_repair(&repaired, text);
    if (!w->call->model->provider->on_event(&w->reply, STR("whole"), text) &&
        !w->reply.bad)
        w->reply.bad = "the reply";
    arena_done(&repaired);
}

/* Whether there is text, a tool call, or a reason why there is neither. */
static bool has_content(const struct llm_reply *r)
{
    return r->content.len || r->n_tools || r->refusal.len ||
           r->finish == LLM_LENGTH || r->finish == LLM_FILTERED;
}

void llm_usage_add(struct llm_usage *sum, const struct llm_usage *u)
{
    sum->prompt += u->prompt;
    sum->completion += u->completion;
    sum->total += u->total;
    sum->cached += u->cached;
    sum->reasoning += u->reasoning;
    sum->cost += u->cost;
    sum->unpriced = sum->unpriced || u->unpriced;
    sum->estimated = sum->estimated || u->estimated;
}

/* Adds the usage that the server reported, or an estimate, because every try
 * counts towards the budget. */
static void count_usage(struct llm_work *w)
{
    const struct llm_reply *r = &w->reply;
    struct llm_usage u = r->usage;
    int64_t made = (int64_t)(llm_reply_size(r) + TOKEN_BYTES - 1) / TOKEN_BYTES;
    bool reported = r->usage_known && u.total > 0;
    bool cut =
        !r->finished || w->exceeded_limit; /* the final usage is missing */
    if (!reported)
        u.prompt = (int64_t)(w->sent + TOKEN_BYTES - 1) / TOKEN_BYTES;
    if (!reported || (cut && made > u.completion)) {
        u.completion = made;
        u.total = u.prompt + u.completion;
        u.estimated = true;
    }
    llm_usage_add(&w->spent, &u);
    w->call->usage_known = w->call->usage_known || reported;
}

static void call_assess(struct retry_loop *l, struct retry_facts *facts)
{
    struct llm_work *w = l->who;
    struct llm_reply *r = &w->reply;
    if (w->form == FORM_WHOLE && facts->how == OK)
        parse_whole(w);
    facts->has_stream_error = r->error != OK;
    if (r->error != OK) {
        facts->stream_error = r->error;
        vendor_take(&l->server_error, str_of(r->error_code),
                    buf_view(&r->error_text), l->model);
    }
    facts->shown = r->shown;
    facts->whole = r->finished && !r->bad && r->error == OK &&
                   facts->how != ERR_CANCELLED && has_content(r);
    count_usage(w);
}

/* ---- what the caller gets ----------------------------------------------- */

static struct str copy_buf(struct arena *memory, const struct buf *b)
{
    return b->len ? arena_str(memory, buf_view(b)) : (struct str){0};
}

static void set_tool_calls(struct llm_call *c, const struct llm_reply *r,
                           struct arena *memory)
{
    c->tool_calls = arena_new_array(memory, struct llm_tool_call, r->n_tools);
    for (size_t i = 0; i < r->n_tools; i++) {
        const struct llm_partial_tool *t = &r->tools[i];
        c->tool_calls[i] = (struct llm_tool_call){
            .id = t->id.len ? copy_buf(memory, &t->id)
                            : arena_printf(memory, "call_%zu", i + 1),
            .name = copy_buf(memory, &t->name),
            .arguments =
                t->arguments.len ? copy_buf(memory, &t->arguments) : STR("{}"),
        };
    }
    c->n_tool_calls = r->n_tools;
}

static void set_reply(struct llm_work *w, struct arena *memory)
{
    struct llm_call *c = w->call;
    const struct llm_reply *r = &w->reply;
    bool refused = r->refusal.len && !r->content.len && !r->n_tools;
    c->content = copy_buf(memory, refused ? &r->refusal : &r->content);
    set_tool_calls(c, r, memory);
    if (r->raw.len)
        c->raw =
            arena_printf(memory, "{\"role\":\"assistant\",\"content\":[%.*s]}",
                         STR_ARG(buf_view(&r->raw)));
    c->finish = refused ? LLM_FILTERED : r->finish;
    /* Some servers confuse these two; the content decides. */
    if (c->finish == LLM_STOP || c->finish == LLM_TOOL_CALLS)
        c->finish = c->n_tool_calls ? LLM_TOOL_CALLS : LLM_STOP;
}

static void set_figures(struct llm_work *w)
{
    struct llm_call *c = w->call;
    c->usage = w->spent;
    c->tries = w->loop.tries;
    c->exceeded_limit = w->exceeded_limit;
    c->temperature_sent = w->loop.terms.temperature_sent;
}

static void end_span(struct llm_work *w, enum err how)
{
    call_span_end(&w->span, w->call, buf_view(&w->prompt), how);
}

/* ---- the steps ---------------------------------------------------------- */

/* Estimates the size, so that the buffer need not grow: with a thousand calls
 * in flight, growing would fragment the heap. */
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

static void write_request(struct retry_loop *l, struct llm_terms *terms,
                          struct buf *body)
{
    struct llm_work *w = l->who;
    const struct llm_call *c = w->call;
    if (c->compose)
        c->compose(c->who);
    buf_reserve(body, request_size(c));
    call_span_keep_prompt(&w->prompt, c);
    c->model->provider->request(c, terms, body);
    w->sent = body->len;
    if (c->compose)
        c->let_go(c->who);
}

static void call_restart(void *who)
{
    struct llm_call *c = ((struct llm_work *)who)->call;
    c->on_restart(c->who);
}

static void call_wait(void *who, const char *reason, unsigned ms)
{
    struct llm_call *c = ((struct llm_work *)who)->call;
    if (c->on_wait)
        c->on_wait(c->who, reason, ms);
}

static void call_work_done(void *what)
{
    struct llm_work *w = what;
    if (w->span.open) /* the flow was stopped */
        end_span(w, ERR_CANCELLED);
    llm_reply_done(&w->reply);
    sse_decoder_done(&w->events);
    buf_done(&w->whole);
    buf_done(&w->prompt);
    w->call->work = NULL;
}

static void clear_out(struct llm_call *c)
{
    c->content = c->raw = c->problem = (struct str){0};
    c->tool_calls = NULL;
    c->n_tool_calls = 0;
    c->finish = LLM_INCOMPLETE;
    c->usage = (struct llm_usage){0};
    c->usage_known = c->exceeded_limit = false;
    c->tries = c->first_ms = 0;
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
    span_begin(&w->span, c->trace);
    llm_reply_init(&w->reply, c);
    w->loop = (struct retry_loop){
        .model = c->model,
        .endpoint = LLM_CHAT,
        .total_ms = c->total_ms,
        .max_bytes = SIZE_MAX, /* on_bytes enforces a limit */
        .slow_start = model_thinks(c->model),
        .trace = span_trace(&w->span),
        .write = write_request,
        .reset = call_reset,
        .on_bytes = call_on_bytes,
        .assess = call_assess,
        .on_restart = c->on_restart ? call_restart : NULL,
        .on_wait = call_wait,
        .who = w,
    };
    defer(f, call_work_done, w);
    return attempt(f, retry_loop_begin, &w->loop, call_answered, call_failed);
}

static struct arena *memory_of(struct flow *f, struct llm_call *c)
{
    return c->memory ? c->memory : flow_keep(f);
}

static struct next call_answered(struct flow *f)
{
    struct llm_call *c = locals(f, struct llm_call);
    set_figures(c->work);
    set_reply(c->work, memory_of(f, c));
    end_span(c->work, OK);
    return back(f);
}

static struct next call_failed(struct flow *f)
{
    struct llm_call *c = locals(f, struct llm_call);
    set_figures(c->work);
    end_span(c->work, failure(f));
    c->problem = arena_str(memory_of(f, c), c->work->loop.problem);
    return fail_with(f, failure(f), c->problem);
}

static struct next local_begin(struct flow *f)
{
    struct llm_call *c = locals(f, struct llm_call);
    struct span span;
    span_begin(&span, c->trace);
    c->tries = 1;
    c->finish = LLM_STOP;
    enum err how = c->model->provider->local->answer(c, memory_of(f, c));
    call_span_end(&span, c, STR(""), how);
    return how == OK ? back(f) : fail_with(f, how, c->problem);
}
