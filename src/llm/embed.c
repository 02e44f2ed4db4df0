/* embed.c - embeddings: texts to vectors, in batches. Each batch is one request
 * of retry_loop.c. */
#include "base/clock.h"
#include "base/json.h"
#include "base/scan.h"
#include "call_span.h"
#include "llm/provider.h"
#include "retry_loop.h"
#include <float.h>
#include <math.h>
#include <string.h>
#include "base/banned.h"

enum { BATCH = 32 }; /* texts: a reply of 0.7 MB, parsed in about 10 ms */

struct embed_batch {
    struct llm_embedding *job;
    struct span span;
    struct retry_loop loop;
    size_t from, n;
    struct buf reply;
    bool *seen; /* of each text of the batch */
    uint64_t began_ms;
};

static step_fn embed_batch_begin, embed_batch_received, embed_batch_failed;

/* ---- the request -------------------------------------------------------- */

static void write_embed_request(struct retry_loop *l, struct llm_terms *terms,
                                struct buf *body)
{
    struct embed_batch *b = l->who;
    const struct llm_model *m = l->model;
    struct json_writer w;
    (void)terms; /* has no optional parameters */
    json_writer_init(&w, body);
    json_put_object(&w);
    if (!m->deployment.len)
        json_field_str(&w, "model", m->name);
    json_field_strs(&w, "input", b->job->texts + b->from, b->n);
    json_field_text(&w, "encoding_format", "float");
    if (str_starts(m->name, STR("text-embedding-3")))
        json_field_int(&w, "dimensions", b->job->dimensions);
    json_put_object_end(&w);
}

/* ---- the reply ---------------------------------------------------------- */

static void batch_reset(struct retry_loop *l)
{
    struct embed_batch *b = l->who;
    buf_clear(&b->reply);
}

static bool batch_on_bytes(struct retry_loop *l, struct str bytes)
{
    struct embed_batch *b = l->who;
    retry_loop_useful(l);
    buf_str(&b->reply, bytes);
    return true;
}

static bool read_vector(struct scan *s, float *out, int dimensions)
{
    int n = 0;
    if (!scan_array(s))
        return false;
    for (; scan_element(s); n++) {
        double d = scan_real(s, NAN);
        if (!(fabs(d) <= (double)FLT_MAX))
            return false;
        if (n < dimensions)
            out[n] = (float)d;
    }
    return n == dimensions;
}

static bool read_item(struct embed_batch *b, struct scan *s)
{
    struct str key, vector = {0};
    int64_t index = -1;
    if (!scan_object(s))
        return false;
    while (scan_member(s, &key)) {
        if (str_is(key, "index"))
            index = scan_int(s, -1);
        else if (str_is(key, "embedding"))
            vector = scan_skip(s);
        else
            scan_skip(s);
    }
    if (index < 0 || (size_t)index >= b->n || b->seen[index])
        return false;
    b->seen[index] = true;
    int width = b->job->dimensions;
    struct scan v = scan_of(vector);
    return read_vector(
        &v, b->job->vectors + (b->from + (size_t)index) * (size_t)width, width);
}

static bool read_items(struct embed_batch *b, struct scan *s)
{
    size_t n = 0;
    if (!scan_array(s))
        return false;
    for (; scan_element(s); n++)
        if (!read_item(b, s))
            return false;
    return n == b->n;
}

static void count_usage(struct embed_batch *b, struct str usage)
{
    int64_t n = scan_get_int(usage, "prompt_tokens", 0);
    b->job->usage.prompt += n;
    b->job->usage.total += n;
}

static bool read_reply(struct embed_batch *b)
{
    struct scan s = scan_of(buf_view(&b->reply));
    struct str key;
    bool whole = false;
    memset(b->seen, 0, b->n * sizeof *b->seen);
    if (!scan_object(&s))
        return false;
    while (scan_member(&s, &key)) {
        if (str_is(key, "data"))
            whole = read_items(b, &s);
        else if (str_is(key, "usage"))
            count_usage(b, scan_skip(&s));
        else
            scan_skip(&s);
    }
    return whole && !s.bad;
}

static void batch_assess(struct retry_loop *l, struct retry_facts *facts)
{
    facts->whole = facts->how == OK && read_reply(l->who);
}

/* ---- the steps ---------------------------------------------------------- */

static void embed_batch_done(void *what)
{
    struct embed_batch *b = what;
    if (b->span.open) /* the flow was stopped */
        embed_span_end(&b->span, b->job, ERR_CANCELLED);
    buf_done(&b->reply);
}

struct next llm_embed_begin(struct flow *f)
{
    struct llm_embedding *job = locals(f, struct llm_embedding);
    job->usage = (struct llm_usage){0};
    job->problem = (struct str){0};
    if (!job->model->provider->embeds || job->dimensions <= 0) {
        job->problem = STR("This provider has no embeddings.");
        return fail_with(f, ERR_MODEL_REFUSED, job->problem);
    }
    struct arena *memory = job->memory ? job->memory : flow_keep(f);
    job->vectors =
        arena_new_array(memory, float, job->n_texts *(size_t)job->dimensions);
    struct embed_batch *b = here(f, struct embed_batch);
    b->job = job;
    span_begin(&b->span, job->trace);
    b->began_ms = clock_ms();
    b->seen = arena_new_array(flow_here(f), bool, BATCH);
    defer(f, embed_batch_done, b);
    job->work = b;
    return go(f, embed_batch_begin);
}

static unsigned time_left(const struct embed_batch *b)
{
    uint64_t spent = clock_ms() - b->began_ms;
    unsigned total = b->job->total_ms ? b->job->total_ms : 60 * 1000;
    return spent < total ? total - (unsigned)spent : 1;
}

static struct next embed_batch_begin(struct flow *f)
{
    struct llm_embedding *job = locals(f, struct llm_embedding);
    struct embed_batch *b = job->work;
    if (b->from == job->n_texts) {
        embed_span_end(&b->span, job, OK);
        return back(f);
    }
    size_t rest = job->n_texts - b->from;
    b->n = rest < BATCH ? rest : BATCH;
    b->loop = (struct retry_loop){
        .model = job->model,
        .endpoint = LLM_EMBEDDINGS,
        .total_ms = time_left(b),
        .trace = span_trace(&b->span),
        .write = write_embed_request,
        .reset = batch_reset,
        .on_bytes = batch_on_bytes,
        .assess = batch_assess,
        .who = b,
    };
    return attempt(f, retry_loop_begin, &b->loop, embed_batch_received,
                   embed_batch_failed);
}

static struct next embed_batch_received(struct flow *f)
{
    struct embed_batch *b = locals(f, struct llm_embedding)->work;
    b->from += b->n;
    return go(f, embed_batch_begin);
}

static struct next embed_batch_failed(struct flow *f)
{
    struct llm_embedding *job = locals(f, struct llm_embedding);
    struct embed_batch *b = job->work;
    embed_span_end(&b->span, job, failure(f));
    job->problem =
        arena_str(job->memory ? job->memory : flow_keep(f), b->loop.problem);
    return fail_with(f, failure(f), job->problem);
}
