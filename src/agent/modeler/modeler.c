/* modeler.c - builds a model step by step; see agent/modeler.h.
 *
 *   modeler_begin -> catalog_known -> samples_taken -> keys_guessed ->
 *   keys_tested -> links_guessed -> links_tested -> links_proved ->
 *   links_known -> described -> model_made
 *   modeler_begin -> checkpoint_known -> samples_taken, links_known or described
 *
 * Guesses, checkpoints and the model itself are computed on another thread. */
#include "modeling.h"
#include "ontology/draft.h"
#include "ontology/osi_write.h"
#include "base/banned.h"

static struct next checkpoint_known(struct flow *f),
    catalog_begin(struct flow *f), catalog_known(struct flow *f),
    samples_taken(struct flow *f), keys_guessed(struct flow *f),
    keys_tested(struct flow *f), links_guessed(struct flow *f),
    links_tested(struct flow *f), links_proved(struct flow *f),
    links_known(struct flow *f), described(struct flow *f),
    model_made(struct flow *f);

struct next modeler_begin(struct flow *f)
{
    struct modeler *m = locals(f, struct modeler);
    m->work = arena_new(m->memory, struct modeling);
    m->catalog.database = m->database;
    if (m->is_profiled)
        return go(f, samples_taken);
    if (!m->checkpoint.len)
        return go(f, catalog_begin);
    work_begin(f, &m->work->thread, checkpoint_read, m);
    return await(f, checkpoint_known);
}

static struct next checkpoint_known(struct flow *f)
{
    struct modeler *m = locals(f, struct modeler);
    m->work->thread = (struct work){0};
    switch (m->work->stage) {
    case STAGE_SAMPLES:
        return go(f, samples_taken);
    case STAGE_LINKS:
        return go(f, links_known);
    case STAGE_DESCRIPTIONS:
        return go(f, described);
    default:
        return go(f, catalog_begin);
    }
}

static struct next catalog_begin(struct flow *f)
{
    struct modeler *m = locals(f, struct modeler);
    if (m->on_progress)
        m->on_progress(m->who, "catalog", 0, 1);
    return call(f, catalog_read_begin, m, catalog_known);
}

static struct next catalog_known(struct flow *f)
{
    struct modeler *m = locals(f, struct modeler);
    if (m->no_samples)
        return go(f, samples_taken);
    probe_samples(m, &m->work->batch);
    return call(f, probe_batch_begin, &m->work->batch, samples_taken);
}

/* ---- on another thread: no flow touches the modeler meanwhile ----------- */

static void guess_keys(void *modeler)
{
    struct modeler *m = modeler;
    checkpoint_write(m, STAGE_SAMPLES);
    m->work->n_keys = infer_keys(m->memory, &m->catalog, &m->work->keys);
}

static void guess_links(void *modeler)
{
    struct modeler *m = modeler;
    struct modeling *w = m->work;
    infer_apply_keys(m->memory, &m->catalog, w->keys, w->n_keys);
    infer_mark_many(m->memory, &m->catalog);
    w->n_links = infer_guesses(m->memory, &m->catalog, &w->links);
}

static void join_links(void *modeler)
{
    struct modeler *m = modeler;
    infer_links(m->memory, &m->catalog, m->work->links, m->work->n_links);
    checkpoint_write(m, STAGE_LINKS);
}

static void make_model(void *modeler)
{
    struct modeler *m = modeler;
    struct buf text;
    checkpoint_write(m, STAGE_DESCRIPTIONS);
    m->model = draft_ontology(m->memory, &m->catalog, m->name);
    m->model->hints.instructions = m->instructions;
    buf_init(&text, m->memory);
    osi_write(m->memory, m->model, &text);
    m->text = buf_finish(&text);
}

static void tell_checkpoint(struct modeler *m)
{
    if (m->work->checkpoint.len)
        m->on_checkpoint(m->who, m->work->checkpoint);
    m->work->checkpoint = STR("");
}

/* ---- guesses and tests -------------------------------------------------- */

static struct next samples_taken(struct flow *f)
{
    struct modeler *m = locals(f, struct modeler);
    work_begin(f, &m->work->thread, guess_keys, m);
    return await(f, keys_guessed);
}

static struct next keys_guessed(struct flow *f)
{
    struct modeler *m = locals(f, struct modeler);
    tell_checkpoint(m);
    probe_keys(m, &m->work->batch);
    return call(f, probe_batch_begin, &m->work->batch, keys_tested);
}

static struct next keys_tested(struct flow *f)
{
    struct modeler *m = locals(f, struct modeler);
    m->work->thread = (struct work){0};
    work_begin(f, &m->work->thread, guess_links, m);
    return await(f, links_guessed);
}

static struct next links_guessed(struct flow *f)
{
    struct modeler *m = locals(f, struct modeler);
    probe_links(m, &m->work->batch);
    return call(f, probe_batch_begin, &m->work->batch, links_tested);
}

static struct next links_tested(struct flow *f)
{
    struct modeler *m = locals(f, struct modeler);
    probe_proofs(m, &m->work->batch);
    return call(f, probe_batch_begin, &m->work->batch, links_proved);
}

static struct next links_proved(struct flow *f)
{
    struct modeler *m = locals(f, struct modeler);
    m->work->thread = (struct work){0};
    work_begin(f, &m->work->thread, join_links, m);
    return await(f, links_known);
}

static struct next links_known(struct flow *f)
{
    struct modeler *m = locals(f, struct modeler);
    tell_checkpoint(m);
    return m->describer ? call(f, describe_begin, m, described)
                        : go(f, described);
}

static struct next described(struct flow *f)
{
    struct modeler *m = locals(f, struct modeler);
    m->work->thread = (struct work){0};
    work_begin(f, &m->work->thread, make_model, m);
    return await(f, model_made);
}

static struct next model_made(struct flow *f)
{
    tell_checkpoint(locals(f, struct modeler));
    return back(f);
}
