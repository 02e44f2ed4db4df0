#include "ontology/similarity.h"
#include "base/buf.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

enum { LANES = 8 };

/* Eight sums side by side, so that no addition waits for the one before and the
 * compiler may use one register for several. */
static float dot(const float *restrict a, const float *restrict b, size_t n)
{
    float sums[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t lane = 0; lane < LANES; lane++)
            sums[lane] += a[i + lane] * b[i + lane];
    for (size_t lane = 0; i < n; i++, lane++)
        sums[lane] += a[i] * b[i];
    return ((sums[0] + sums[4]) + (sums[1] + sums[5])) +
           ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

static float cosine_known(const float *a, float length_a, const float *b,
                          size_t n)
{
    float lengths = length_a * sqrtf(dot(b, b, n));
    float score = lengths > 0 ? dot(a, b, n) / lengths : 0;
    if (!(score >= -1)) /* also when it is not a number */
        return score < -1 ? -1 : 0;
    return score > 1 ? 1 : score;
}

float cosine(const float *a, const float *b, size_t n)
{
    return cosine_known(a, sqrtf(dot(a, a, n)), b, n);
}

static void add_text(struct buf *out, struct str s)
{
    if (s.len) {
        buf_str(out, s);
        buf_char(out, '\n');
    }
}

static void add_list(struct buf *out, struct str_list list)
{
    for (size_t i = 0; i < list.n; i++)
        add_text(out, list.items[i]);
}

struct str dataset_embedding_text(struct arena *arena,
                                  const struct dataset *dataset)
{
    struct buf out;
    buf_init(&out, arena);
    /* What it is called weighs more than what is in it. */
    for (int i = 0; i < 4; i++)
        add_text(&out, dataset->name);
    for (int i = 0; i < 2; i++) {
        add_list(&out, dataset->hints.synonyms);
        add_text(&out, dataset->description);
    }
    for (size_t i = 0; i < dataset->n_fields; i++) {
        const struct field *field = &dataset->fields[i];
        add_text(&out, field->name);
        add_text(&out, field->label);
        add_list(&out, field->hints.synonyms);
        add_text(&out, field->description);
    }
    return buf_finish(&out);
}

float *ontology_embed_lexically(struct arena *arena, const struct ontology *o)
{
    float *vectors = arena_new_array(arena, float,
                                     o->n_datasets * LEXICAL_DIMENSIONS);
    for (size_t i = 0; i < o->n_datasets; i++) {
        struct arena_mark mark = arena_mark(arena);
        lexical_embed(dataset_embedding_text(arena, &o->datasets[i]),
                      vectors + i * LEXICAL_DIMENSIONS);
        arena_reset(arena, mark);
    }
    return vectors;
}

struct ranked {
    struct similar similar;
    struct str name;
};

static int by_score(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->similar.score != y->similar.score)
        return x->similar.score > y->similar.score ? -1 : 1;
    return str_cmp(x->name, y->name);
}

size_t similar_datasets(struct arena *arena, const struct ontology *o,
                        const float *vectors, size_t dimensions,
                        const float *query, size_t top_k, struct similar **out)
{
    size_t n = o->n_datasets, n_out = n < top_k ? n : top_k;
    *out = arena_new_array(arena, struct similar, n_out);
    struct arena_mark mark = arena_mark(arena);
    struct ranked *ranked = arena_new_array(arena, struct ranked, n);
    float length = sqrtf(dot(query, query, dimensions));
    for (size_t i = 0; i < n; i++) {
        ranked[i].similar.dataset = i;
        ranked[i].similar.score = cosine_known(
            query, length, vectors + i * dimensions, dimensions);
        ranked[i].name = o->datasets[i].name;
    }
    qsort(ranked, n, sizeof *ranked, by_score);
    for (size_t i = 0; i < n_out; i++)
        (*out)[i] = ranked[i].similar;
    arena_reset(arena, mark);
    return n_out;
}
