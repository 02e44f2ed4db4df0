/* similarity.c - cosine similarity of vectors, and a search for the datasets
 * most similar to a question that can stop after any number of vectors. */
#include "ontology/similarity.h"
#include "base/buf.h"
#include <math.h>
#include <string.h>
#include "base/banned.h"

/* Four floats, which fit the vector registers of every supported CPU. Four such
 * sums at once, so that no addition waits for the previous one. */
typedef float lanes __attribute__((vector_size(16)));
enum { LANES = sizeof(lanes) / sizeof(float), SUMS = 4 };

static lanes lanes_at(const float *p)
{
    lanes v;
    memcpy(&v, p, sizeof v);
    return v;
}

static float sum_of(const lanes sums[SUMS])
{
    lanes v = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    return (v[0] + v[1]) + (v[2] + v[3]);
}

/* The dot products of a with b and of b with b; b is read from memory once. */
static float dots(const float *a, const float *b, size_t n, float *b_with_b)
{
    lanes ab[SUMS] = {{0}}, bb[SUMS] = {{0}};
    float ab_rest = 0, bb_rest = 0;
    size_t i = 0;
    for (; i + SUMS * LANES <= n; i += SUMS * LANES)
        for (size_t k = 0; k < SUMS; k++) {
            lanes y = lanes_at(b + i + k * LANES);
            ab[k] += lanes_at(a + i + k * LANES) * y;
            bb[k] += y * y;
        }
    for (; i < n; i++) {
        ab_rest += a[i] * b[i];
        bb_rest += b[i] * b[i];
    }
    *b_with_b = sum_of(bb) + bb_rest;
    return sum_of(ab) + ab_rest;
}

static float length_of(const float *a, size_t n)
{
    float squares;
    dots(a, a, n, &squares);
    return sqrtf(squares);
}

static float cosine_known(const float *a, float length_a, const float *b,
                          size_t n)
{
    float squares, product = dots(a, b, n, &squares);
    float lengths = length_a * sqrtf(squares);
    float score = lengths > 0 ? product / lengths : 0;
    if (!(score >= -1)) /* also when it is not a number */
        return score < -1 ? -1 : 0;
    return score > 1 ? 1 : score;
}

float cosine(const float *a, const float *b, size_t n)
{
    return cosine_known(a, length_of(a, n), b, n);
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
    /* Repeated, so that its name weighs more than its fields. */
    for (int i = 0; i < 4; i++)
        add_text(&out, dataset->name);
    for (int i = 0; i < 2; i++) {
        add_text(&out, dataset->label);
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

float *ontology_lexical_vectors(struct arena *arena, const struct ontology *o)
{
    float *vectors =
        arena_new_array(arena, float, o->n_datasets *LEXICAL_DIMENSIONS);
    for (size_t i = 0; i < o->n_datasets; i++) {
        struct arena_mark mark = arena_mark(arena);
        lexical_embed(dataset_embedding_text(arena, &o->datasets[i]),
                      vectors + i * LEXICAL_DIMENSIONS);
        arena_reset(arena, mark);
    }
    return vectors;
}

void similarity_begin(struct arena *arena, struct similarity *s)
{
    size_t n = s->ontology->n_datasets;
    s->top_k = n < s->top_k ? n : s->top_k;
    s->best = arena_new_array(arena, struct similar, s->top_k + 1);
    s->n_best = s->at = 0;
    s->query_length = length_of(s->query, s->dimensions);
}

static bool better(const struct similarity *s, const struct similar *a,
                   const struct similar *b)
{
    const struct dataset *datasets = s->ontology->datasets;
    return a->score != b->score ? a->score > b->score
                                : str_cmp(datasets[a->dataset].name,
                                          datasets[b->dataset].name) < 0;
}

/* Inserts it in order; the last one is dropped if the list is full. */
void similarity_offer(struct similarity *s, struct similar one)
{
    size_t at = s->n_best;
    if (at == s->top_k && (at == 0 || !better(s, &one, &s->best[at - 1])))
        return;
    if (at < s->top_k)
        s->n_best++;
    else
        at--;
    for (; at > 0 && better(s, &one, &s->best[at - 1]); at--)
        s->best[at] = s->best[at - 1];
    s->best[at] = one;
}

bool similarity_continue(struct similarity *s, size_t most)
{
    size_t vectors = s->dimensions ? most / s->dimensions : most;
    size_t n = s->ontology->n_datasets, end = s->at + (vectors ? vectors : 1);
    for (end = end < n ? end : n; s->at < end; s->at++)
        similarity_offer(
            s, (struct similar){s->at,
                                cosine_known(s->query, s->query_length,
                                             s->vectors + s->at * s->dimensions,
                                             s->dimensions)});
    return s->at < n;
}
