/* vectors.c - the vectors by which questions find datasets; see
 * agent/vectors.h. */
#include "agent/vectors.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "ontology/similarity.h"
#include "base/banned.h"

/* Embedding models read 8,000 tokens of a text. */
enum { EMBED_MS = 60000, VECTOR_SIZE = 1536, TEXT_BYTES = 24000 };

static struct next embedded(struct flow *f), not_embedded(struct flow *f),
    embedding_counted(struct flow *f);

bool vectors_are_of(struct str embedding_model, const struct llm_model *m)
{
    return m && str_starts(embedding_model, m->name) &&
           (embedding_model.len == m->name.len ||
            embedding_model.ptr[m->name.len] == ':');
}

/* The definition of a dataset, as prompts have it. */
static struct str replaces_model(struct arena *a, const struct dataset *d)
{
    return d->yaml.len ? utf8_cut(d->yaml, TEXT_BYTES)
                       : dataset_embedding_text(a, d);
}

struct next dataset_vectors_begin(struct flow *f)
{
    struct dataset_vectors *v = locals(f, struct dataset_vectors);
    const struct ontology *o = v->model;
    if (!v->with || !o->n_datasets)
        return go(f, not_embedded);
    struct str *texts = arena_new_array(v->memory, struct str, o->n_datasets);
    for (size_t d = 0; d < o->n_datasets; d++)
        texts[d] = replaces_model(v->memory, &o->datasets[d]);
    v->embedding = (struct llm_embedding){.model = v->with,
                                          .texts = texts,
                                          .n_texts = o->n_datasets,
                                          .dimensions = VECTOR_SIZE,
                                          .total_ms = EMBED_MS,
                                          .memory = v->memory};
    v->began_ms = clock_ms();
    return attempt(f, llm_embed_begin, &v->embedding, embedded, not_embedded);
}

/* The end: what was used is counted, if it can be. */
static struct next count_embedding(struct flow *f, bool failed)
{
    struct dataset_vectors *v = locals(f, struct dataset_vectors);
    struct llm_usage used = {0};
    if (v->agent && v->embedding.model)
        agent_count_embedding(v->agent, &v->embedding, clock_ms() - v->began_ms,
                              failed, &used);
    if (!used.total)
        return back(f);
    v->used = (struct model_run_tokens){.store = agent_store(v->agent),
                                        .user_id = v->user_id,
                                        .tokens = used.total,
                                        .cost = used.cost};
    return attempt(f, model_run_tokens_begin, &v->used, embedding_counted,
                   embedding_counted);
}

static struct next embedding_counted(struct flow *f)
{
    return back(f);
}

static struct next embedded(struct flow *f)
{
    struct dataset_vectors *v = locals(f, struct dataset_vectors);
    v->embedding_model = arena_printf(
        v->memory, "%.*s:%d", STR_ARG(v->with->name), EMBEDDING_TEXT_VERSION);
    v->vectors = v->embedding.vectors;
    v->dimensions = VECTOR_SIZE;
    return count_embedding(f, false);
}

static struct next not_embedded(struct flow *f)
{
    struct dataset_vectors *v = locals(f, struct dataset_vectors);
    if (v->with)
        v->problem = v->embedding.problem;
    v->embedding_model = arena_printf(v->memory, "lexical:%d", LEXICAL_VERSION);
    v->vectors = ontology_lexical_vectors(v->memory, v->model);
    v->dimensions = LEXICAL_DIMENSIONS;
    return count_embedding(f, true);
}

void dataset_vectors_into(const struct dataset_vectors *v,
                          struct ontology_import *import)
{
    import->embedding_model = v->embedding_model;
    import->vectors = v->vectors;
    import->dimensions = v->dimensions;
}
