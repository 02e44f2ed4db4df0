/* chat_completions.c - the OpenAI API over ordinary runs: an ontology is a
 * model, and a conversation is a chat.
 *
 *   completions_create -> model_known -> (asked_run.h) -> completion_over
 *   openai_models_list, openai_models_get -> models_known
 *
 * The text of the answer is streamed as it is written; what the run does until
 * then is `reasoning_content`, which many clients show. A client that
 * disconnects cancels the run: it could not come back for the answer. */
#include "agent/run.h"
#include "asked_run.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/scan.h"
#include "base/utf8.h"
#include "frames.h"
#include "net/sse.h"
#include "openai_ask.h"
#include "base/banned.h"

enum {
    STALL_MS = 15000,
    QUEUE_BYTES = 1024 * 1024,
    FULL_BYTES = 32 * 1024,
};

struct completion {
    struct openai_ask ask;
    struct askable_list models;
    struct asked_run run;
    int64_t created_s;
    struct buf text; /* of the answer, as it came so far */
    size_t given;    /* bytes of it that the client has */
    struct sse *sse; /* NULL: there is none, or the client has gone */
};

static struct next model_known(struct flow *f), completion_over(struct flow *f),
    completion_failed(struct flow *f), models_known(struct flow *f);

/* ---- errors -------------------------------------------------------------- */

static struct next refuse_completion(struct flow *f, int status,
                                     struct str message, const char *param,
                                     const char *code)
{
    struct request *q = REQUEST(f);
    struct buf out;
    buf_init(&out, &q->memory);
    openai_error_put(&out, status, message, param, code);
    q->answered = true;
    http_set_header(q->x, "Cache-Control", STR("no-store"));
    http_reply(q->x, status, "application/json", buf_view(&out));
    return back(f);
}

/* The official clients repeat a request that failed on the server's side. A run
 * has repeated by itself what can be repeated. */
static void forbid_retry(struct request *q)
{
    http_set_header(q->x, "X-Should-Retry", STR("false"));
}

/* ---- models -------------------------------------------------------------- */

/* A name that stands for one ontology, and fits into a path; else the id. */
static struct str model_id(const struct askable *a)
{
    bool plain = a->only && a->name.len && !uuid_valid(a->name) &&
                 str_find_char(a->name, '/') < 0;
    return plain ? a->name : a->id;
}

static void put_model(struct json_writer *w, const struct askable *a)
{
    json_field_str(w, "id", model_id(a));
    json_field_text(w, "object", "model");
    json_field_int(w, "created", a->created_s);
    json_field_text(w, "owned_by", "sextant");
    json_field_str(w, "name", a->name);
    json_field_str(w, "description", a->description);
}

static struct next list_models(struct flow *f, struct str wanted)
{
    struct request *q = REQUEST(f);
    struct askable_list *l = keep(f, struct askable_list);
    *l = (struct askable_list){.store = request_store(q),
                               .user_id = q->user.id,
                               .all = request_may(q, MAY_ADMIN),
                               .wanted = wanted};
    q->state = l;
    return call(f, askable_list_begin, l, models_known);
}

struct next openai_models_list(struct flow *f)
{
    return list_models(f, STR(""));
}

struct next openai_models_get(struct flow *f)
{
    struct str id = request_param(REQUEST(f), "id");
    if (!id.len || !utf8_valid(id) || str_find_char(id, '\0') >= 0)
        return refuse_completion(f, 404, STR("There is no such model."),
                                 "model", "model_not_found");
    return list_models(f, id);
}

static struct next models_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct askable_list *l = q->state;
    struct api_reply r;
    if (l->wanted.len && !l->n)
        return refuse_completion(f, 404, STR("There is no such model."),
                                 "model", "model_not_found");
    reply_open_bare(q, &r);
    if (l->wanted.len) {
        put_model(&r.w, &l->items[0]);
        reply_send(q, &r, 200);
        return back(f);
    }
    json_field_text(&r.w, "object", "list");
    json_field_array(&r.w, "data");
    for (size_t i = 0; i < l->n; i++) {
        json_put_object(&r.w);
        put_model(&r.w, &l->items[i]);
        json_put_object_end(&r.w);
    }
    json_put_array_end(&r.w);
    reply_send(q, &r, 200);
    return back(f);
}

/* ---- asking -------------------------------------------------------------- */

static void drop_text(void *completion)
{
    buf_done(&((struct completion *)completion)->text);
}

static void on_exchange_gone(struct http_exchange *x)
{
    asked_run_gone(&((struct completion *)x->owner)->run);
}

struct next completions_create(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct completion *c = keep(f, struct completion);
    q->state = c;
    if (!request_body(q))
        return back(f);
    if (!openai_ask_read(&q->memory, q->body, &c->ask))
        return refuse_completion(f, 400, c->ask.problem, c->ask.param,
                                 c->ask.code);
    c->created_s = clock_wall_ms() / 1000;
    buf_init(&c->text, NULL);
    defer_kept(f, drop_text, c);
    c->models = (struct askable_list){.store = request_store(q),
                                      .user_id = q->user.id,
                                      .all = request_may(q, MAY_ADMIN),
                                      .wanted = c->ask.model};
    return call(f, askable_list_begin, &c->models, model_known);
}

static bool on_completion_frames(struct asked_run *r, struct str frames);
static void open_completion_stream(struct asked_run *r);
static void close_completion_stream(void *completion);

static struct next model_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct completion *c = q->state;
    struct str model = c->ask.model;
    if (!c->models.n)
        return refuse_completion(
            f, 404,
            arena_printf(&q->memory,
                         "The model '%.*s' does not exist or you may not use "
                         "it. GET /v1/models lists those that there are.",
                         STR_ARG(utf8_first(model, 100))),
            "model", "model_not_found");
    if (c->models.n > 1)
        return refuse_completion(f, 400,
                                 STR("Several ontologies have this name. Give "
                                     "the id that GET /v1/models shows."),
                                 "model", "invalid_value");
    c->run = (struct asked_run){.request = q,
                                .ontology_id = c->models.items[0].id,
                                .turns = c->ask.turns,
                                .n_turns = c->ask.n_turns,
                                .question = c->ask.question,
                                .ends_with_client = true,
                                .who = c};
    if (c->ask.streams) {
        c->run.on_start = open_completion_stream;
        c->run.on_frames = on_completion_frames;
        defer_kept(f, close_completion_stream, c);
    }
    q->x->owner = c;
    q->x->on_gone = on_exchange_gone;
    return attempt(f, asked_run_begin, &c->run, completion_over,
                   completion_failed);
}

/* ---- the answer as one object -------------------------------------------- */

static void put_head(struct json_writer *w, const struct completion *c,
                     const char *object)
{
    json_put_object(w);
    json_put_key(w, "id");
    buf_printf(w->out, "\"chatcmpl-%.*s\"", STR_ARG(c->run.message_id));
    w->comma = true;
    json_field_text(w, "object", object);
    json_field_int(w, "created", c->created_s);
    json_field_str(w, "model", c->ask.model);
}

static void put_usage(struct json_writer *w, const struct answer_read *a)
{
    json_field_object(w, "usage");
    json_field_int(w, "prompt_tokens", a->prompt_tokens);
    json_field_int(w, "completion_tokens", a->completion_tokens);
    json_field_int(w, "total_tokens", a->prompt_tokens + a->completion_tokens);
    json_put_object_end(w);
}

/* Where the answer is in Sextant, and whether its checks passed. */
static void put_origin(struct json_writer *w, const struct answer_read *a)
{
    json_field_object(w, "sextant");
    json_field_str(w, "answer_id", a->id);
    json_field_str(w, "chat_id", a->chat_id);
    json_field_str(w, "status", a->status);
    json_field_text(w, "verification",
                    a->verification.len ? a->verification.ptr : NULL);
    json_put_object_end(w);
}

static void reply_completion(struct request *q, const struct completion *c)
{
    const struct answer_read *a = &c->run.answer;
    struct api_reply r;
    buf_init(&r.out, &q->memory);
    json_writer_init(&r.w, &r.out);
    put_head(&r.w, c, "chat.completion");
    json_field_array(&r.w, "choices");
    json_put_object(&r.w);
    json_field_int(&r.w, "index", 0);
    json_field_object(&r.w, "message");
    json_field_text(&r.w, "role", "assistant");
    json_field_str(&r.w, "content", a->content);
    json_field_null(&r.w, "refusal");
    json_put_object_end(&r.w);
    json_field_null(&r.w, "logprobs");
    json_field_text(&r.w, "finish_reason", "stop");
    json_put_object_end(&r.w);
    json_put_array_end(&r.w);
    put_usage(&r.w, a);
    put_origin(&r.w, a);
    reply_send(q, &r, 200);
}

/* ---- the answer as chunks ------------------------------------------------ */

static void begin_chunk(struct buf *out, struct json_writer *w,
                        const struct completion *c)
{
    buf_text(out, "data: ");
    json_writer_init(w, out);
    put_head(w, c, "chat.completion.chunk");
    json_field_array(w, "choices");
}

static void end_chunk(struct buf *out, struct json_writer *w,
                      const struct completion *c)
{
    if (c->ask.with_usage)
        json_field_null(w, "usage");
    json_put_object_end(w);
    buf_text(out, "\n\n");
}

/* A chunk whose delta has one text; field NULL: none, and the end. */
static void put_delta(struct buf *out, const struct completion *c,
                      const char *field, struct str text)
{
    struct json_writer w;
    begin_chunk(out, &w, c);
    json_put_object(&w);
    json_field_int(&w, "index", 0);
    json_field_object(&w, "delta");
    if (field)
        json_field_str(&w, field, text);
    json_put_object_end(&w);
    json_field_null(&w, "logprobs");
    json_field_text(&w, "finish_reason", field ? NULL : "stop");
    json_put_object_end(&w);
    json_put_array_end(&w);
    if (!field)
        put_origin(&w, &c->run.answer);
    end_chunk(out, &w, c);
}

/* Gives the client the text up to `end` bytes. */
static void give_text(struct buf *out, struct completion *c, size_t end)
{
    if (end > c->given)
        put_delta(out, c, "content",
                  str_cut(buf_view(&c->text), c->given, end - c->given));
    c->given = end > c->given ? end : c->given;
}

/* White space waits for the text after it: an answer has none at its end. */
static void put_content(struct buf *out, struct completion *c, struct str text)
{
    buf_str(&c->text, text);
    size_t end = c->text.len;
    while (end > c->given && (unsigned char)c->text.ptr[end - 1] <= ' ')
        end--;
    give_text(out, c, end);
}

/* Text cannot be taken back from such a client. */
static void put_withdrawal(struct buf *out, struct completion *c)
{
    bool given = c->given > 0;
    buf_clear(&c->text);
    c->given = 0;
    if (!given)
        return;
    put_delta(out, c, "content",
              STR("\n\n*(The text above was withdrawn. The answer "
                  "follows.)*\n\n"));
}

static struct str text_field(struct buf *scratch, struct str data,
                             const char *name)
{
    struct scan s = scan_of(scan_get(data, name));
    buf_clear(scratch);
    scan_string(&s, scratch);
    return buf_view(scratch);
}

static void put_event(struct buf *out, struct buf *scratch,
                      struct completion *c, const struct frame *e)
{
    if (str_is(e->type, "message_chunk")) {
        put_content(out, c, text_field(scratch, e->data, "chunk"));
    } else if (str_is(e->type, "phase_restart")) {
        put_withdrawal(out, c);
    } else if (str_is(e->type, "phase_start")) {
        text_field(scratch, e->data, "description");
        buf_char(scratch, '\n');
        put_delta(out, c, "reasoning_content", buf_view(scratch));
    }
}

static bool on_completion_frames(struct asked_run *r, struct str frames)
{
    struct completion *c = r->who;
    struct buf out, scratch;
    struct frame e;
    if (!c->sse)
        return true;
    if (!sse_has_room(c->sse, frames.len))
        return false;
    buf_init(&out, NULL);
    buf_init(&scratch, NULL);
    while (frame_next(&frames, &e))
        put_event(&out, &scratch, c, &e);
    if (out.len)
        sse_send(c->sse, buf_view(&out));
    buf_done(&scratch);
    buf_done(&out);
    asked_run_pace(r, sse_queued(c->sse) > FULL_BYTES);
    return true;
}

static void on_completion_drained(struct sse *sse, void *who)
{
    (void)sse;
    asked_run_pace(&((struct completion *)who)->run, false);
}

static void on_completion_gone(struct sse *sse, void *who)
{
    struct completion *c = who;
    (void)sse;
    c->sse = NULL;
    asked_run_gone(&c->run);
}

static void close_completion_stream(void *completion)
{
    struct completion *c = completion;
    sse_close(&c->sse);
}

static void open_completion_stream(struct asked_run *r)
{
    struct completion *c = r->who;
    struct request *q = r->request;
    struct json_writer w;
    struct buf out;
    q->answered = true;
    c->sse = sse_open(q->x, &(struct sse_options){
                                .heartbeat_ms = q->api->options.heartbeat_ms,
                                .queue_bytes = QUEUE_BYTES,
                                .stall_ms = STALL_MS,
                                .on_closed = on_completion_gone,
                                .on_drained = on_completion_drained,
                                .who = c});
    buf_init(&out, NULL);
    begin_chunk(&out, &w, c);
    json_put_raw(&w, STR("{\"index\":0,\"delta\":{\"role\":\"assistant\","
                         "\"content\":\"\"},\"logprobs\":null,"
                         "\"finish_reason\":null}"));
    json_put_array_end(&w);
    end_chunk(&out, &w, c);
    sse_send(c->sse, buf_view(&out));
    buf_done(&out);
}

static void put_last_usage(struct buf *out, const struct completion *c)
{
    struct json_writer w;
    begin_chunk(out, &w, c);
    json_put_array_end(&w);
    put_usage(&w, &c->run.answer);
    json_put_object_end(&w);
    buf_text(out, "\n\n");
}

/* What the client does not have of the answer, and the end. */
static void put_rest(struct buf *out, struct completion *c)
{
    struct str content = c->run.answer.content;
    if (!str_starts(content, str_cut(buf_view(&c->text), 0, c->given)))
        put_withdrawal(out, c);
    buf_clear(&c->text);
    buf_str(&c->text, content);
    give_text(out, c, content.len);
    put_delta(out, c, NULL, STR(""));
    if (c->ask.with_usage)
        put_last_usage(out, c);
    buf_text(out, "data: [DONE]\n\n");
}

static void put_failure(struct buf *out, enum err e, struct str message)
{
    struct buf error;
    buf_init(&error, out->arena);
    openai_error_put(&error, err_status(e), message, NULL, NULL);
    buf_printf(out, "data: %.*s\n\n", STR_ARG(buf_view(&error)));
}

/* ---- the end ------------------------------------------------------------- */

/* Why there is no answer; OK: there is one. */
static enum err failure_of(const struct completion *c, struct str *message)
{
    const struct asked_run *r = &c->run;
    enum err e = r->refused;
    *message = str_of(r->why);
    if (!e && !r->ended) {
        e = ERR_UNAVAILABLE;
        *message = STR("The answer is not finished.");
    } else if (!e) {
        e = asked_run_error(&r->answer);
        *message = r->answer.error_text;
    }
    if (e && !message->len)
        *message = str_of(err_sentence(e));
    return e;
}

static void end_completion_stream(struct request *q, struct completion *c,
                                  enum err e, struct str message)
{
    struct buf out;
    buf_init(&out, &q->memory);
    if (e)
        put_failure(&out, e, message);
    else
        put_rest(&out, c);
    sse_send_last(c->sse, buf_view(&out));
    sse_close(&c->sse);
}

static struct next completion_over(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct completion *c = q->state;
    struct str message;
    enum err e = failure_of(c, &message);
    if (q->answered) {
        if (c->sse)
            end_completion_stream(q, c, e, message);
        return back(f);
    }
    if (!e) {
        reply_completion(q, c);
        return back(f);
    }
    if (!c->run.refused)
        forbid_retry(q);
    if (c->run.again_s)
        http_set_header(
            q->x, "Retry-After",
            arena_printf(&q->memory, "%lld", (long long)c->run.again_s));
    return reply_refusal(f, e, arena_cstr(&q->memory, message));
}

/* Something that the run needs was not there, perhaps in the middle of the
 * stream. */
static struct next completion_failed(struct flow *f)
{
    struct completion *c = REQUEST(f)->state;
    c->run.refused = failure(f);
    c->run.why = arena_cstr(flow_keep(f), failure_text(f));
    return go(f, completion_over);
}
