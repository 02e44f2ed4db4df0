/* embed.c - texts to vectors, in batches, over the same talk as a call. */
#include "base/clock.h"
#include "base/json.h"
#include "base/scan.h"
#include "llm/provider.h"
#include "talk.h"
#include <float.h>
#include <math.h>
#include <string.h>
#include "base/banned.h"

enum { BATCH = 32 }; /* a reply of 0.7 MB, read in one go in some 10 ms */

struct batch {
    struct llm_embedding *job;
    struct talk talk;
    size_t from, n;
    struct buf reply;
    bool *seen; /* of each text of the batch */
    uint64_t began_ms;
};

static step_fn batch_begin, batch_heard, batch_failed;

/* ---- the request -------------------------------------------------------- */

static void write_request(struct talk *t, struct llm_terms *terms,
                          struct buf *body)
{
    struct batch *b = t->who;
    const struct llm_model *m = t->model;
    struct json_writer w;
    (void)terms; /* nothing sent may be left out */
    json_write_to(&w, body);
    json_put_object(&w);
    if (!m->deployment.len)
        json_field_str(&w, "model", m->name);
    json_put_key(&w, "input");
    json_put_array(&w);
    for (size_t i = 0; i < b->n; i++)
        json_put_str(&w, b->job->texts[b->from + i]);
    json_put_array_end(&w);
    json_field_text(&w, "encoding_format", "float");
    if (str_starts(m->name, STR("text-embedding-3")))
        json_field_int(&w, "dimensions", b->job->dimensions);
    json_put_object_end(&w);
}

/* ---- the reply ---------------------------------------------------------- */

static void forget(struct talk *t)
{
    struct batch *b = t->who;
    buf_clear(&b->reply);
}

static bool hear(struct talk *t, struct str bytes)
{
    struct batch *b = t->who;
    talk_useful(t);
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

static bool read_item(struct batch *b, struct scan *s)
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

static bool read_items(struct batch *b, struct scan *s)
{
    size_t n = 0;
    if (!scan_array(s))
        return false;
    for (; scan_element(s); n++)
        if (!read_item(b, s))
            return false;
    return n == b->n;
}

static void read_usage(struct batch *b, struct scan *s)
{
    struct llm_usage *u = &b->job->usage;
    struct str key;
    int64_t n = 0;
    if (!scan_object(s))
        return;
    while (scan_member(s, &key))
        if (str_is(key, "prompt_tokens"))
            n = scan_int(s, 0);
        else
            scan_skip(s);
    u->prompt += n;
    u->total += n;
}

static bool read_reply(struct batch *b)
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
            read_usage(b, &s);
        else
            scan_skip(&s);
    }
    return whole && !s.bad;
}

static void judge(struct talk *t, struct retry_facts *facts)
{
    facts->whole = facts->how == OK && read_reply(t->who);
}

/* ---- the steps ---------------------------------------------------------- */

static void batch_done(void *what)
{
    struct batch *b = what;
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
    struct batch *b = here(f, struct batch);
    b->job = job;
    b->began_ms = clock_ms();
    b->seen = arena_new_array(flow_here(f), bool, BATCH);
    defer(f, batch_done, b);
    job->work = b;
    return go(f, batch_begin);
}

static unsigned left(const struct batch *b)
{
    uint64_t spent = clock_ms() - b->began_ms;
    unsigned total = b->job->total_ms ? b->job->total_ms : 60 * 1000;
    return spent < total ? total - (unsigned)spent : 1;
}

static struct next batch_begin(struct flow *f)
{
    struct llm_embedding *job = locals(f, struct llm_embedding);
    struct batch *b = job->work;
    if (b->from == job->n_texts)
        return back(f);
    size_t rest = job->n_texts - b->from;
    b->n = rest < BATCH ? rest : BATCH;
    b->talk = (struct talk){
        .model = job->model,
        .endpoint = LLM_EMBEDDINGS,
        .total_ms = left(b),
        .trace = job->trace,
        .write = write_request,
        .forget = forget,
        .hear = hear,
        .judge = judge,
        .who = b,
    };
    return attempt(f, talk_begin, &b->talk, batch_heard, batch_failed);
}

static struct next batch_heard(struct flow *f)
{
    struct batch *b = locals(f, struct llm_embedding)->work;
    b->from += b->n;
    return go(f, batch_begin);
}

static struct next batch_failed(struct flow *f)
{
    struct llm_embedding *job = locals(f, struct llm_embedding);
    struct batch *b = job->work;
    job->problem =
        arena_str(job->memory ? job->memory : flow_keep(f), b->talk.problem);
    return fail_with(f, failure(f), job->problem);
}
