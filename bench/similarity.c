/* similarity.c - measures a search in the vectors of a large ontology.
 *
 * It generates the same 10,000 vectors of 1,536 floats each time. It prints the
 * median of whole searches, and the longest slice that blocks the loop, in
 * milliseconds of this thread. Goals: under 15 ms, under 5 ms. */
#include "base/arena.h"
#include "ontology/similarity.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "base/banned.h"

enum {
    DATASETS = 10000,
    DIMENSIONS = 1536,
    SEARCHES = 40,
    A_TURN = 512 * 1024
}; /* as in agent/pipeline/discovery.c */

static float number(void)
{
    static unsigned x = 2463534242u;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return (float)x / 4294967296.0f - 0.5f;
}

static double milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* One search in slices, as a run does it. */
static double search(const struct ontology *o, const float *vectors,
                     double *longest)
{
    struct arena memory;
    arena_init(&memory, 0);
    double whole = 0;
    struct similarity s = {.ontology = o,
                           .vectors = vectors,
                           .top_k = 10,
                           .dimensions = DIMENSIONS,
                           .query = vectors + (size_t)7 * DIMENSIONS};
    similarity_begin(&memory, &s);
    for (bool more = true; more;) {
        double began = milliseconds();
        more = similarity_continue(&s, A_TURN);
        double took = milliseconds() - began;
        whole += took;
        *longest = took > *longest ? took : *longest;
    }
    if (!s.n_best || s.best[0].dataset != 7)
        abort();
    arena_done(&memory);
    return whole;
}

int main(void)
{
    struct arena model;
    double took[SEARCHES], longest = 0;
    arena_init(&model, 0);
    size_t n = (size_t)DATASETS * DIMENSIONS;
    float *vectors = arena_new_array(&model, float, n);
    struct ontology *o = arena_new(&model, struct ontology);
    o->n_datasets = DATASETS;
    o->datasets = arena_new_array(&model, struct dataset, DATASETS);
    for (size_t i = 0; i < DATASETS; i++)
        o->datasets[i].name = arena_printf(&model, "dataset_%zu", i);
    for (size_t i = 0; i < n; i++)
        vectors[i] = number();
    for (size_t i = 0; i < SEARCHES; i++)
        took[i] = search(o, vectors, &longest);
    qsort(took, SEARCHES, sizeof *took, by_size);
    printf("similarity, %d vectors of %d floats: %.2f ms, at most %.2f ms; "
           "%.2f ms at once (%d searches)\n",
           DATASETS, DIMENSIONS, took[SEARCHES / 2], took[SEARCHES - 1],
           longest, SEARCHES);
    arena_done(&model);
    return 0;
}
