/* join_tree.c - measures how long it takes to connect the datasets of a plan.
 *
 * It generates the same model of 1,000 datasets and 3,000 relationships each time,
 * and connects 2 to 12 of its datasets. It prints the median and the maximum in
 * milliseconds of this thread. Goal: under 5 ms. */
#include "base/arena.h"
#include "ontology/graph.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "base/banned.h"

enum { DATASETS = 1000, RELATIONSHIPS = 3000, TREES = 200, ASKED_MOST = 12 };

/* xorshift: the same numbers everywhere. */
static unsigned number(void)
{
    static unsigned x = 2463534242u;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}

static struct ontology *model_make(struct arena *arena)
{
    struct ontology *o = arena_new(arena, struct ontology);
    o->n_datasets = DATASETS;
    o->datasets = arena_new_array(arena, struct dataset, DATASETS);
    o->relationships =
        arena_new_array(arena, struct relationship, RELATIONSHIPS);
    for (size_t i = 0; i < DATASETS; i++)
        o->datasets[i].name = arena_printf(arena, "dataset_%zu", i);
    while (o->n_relationships < RELATIONSHIPS) {
        struct relationship *r = &o->relationships[o->n_relationships++];
        r->name = arena_printf(arena, "relationship_%zu", o->n_relationships);
        r->from = number() % DATASETS;
        r->to = number() % DATASETS;
    }
    return o;
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

int main(void)
{
    struct arena model, memory;
    double took[TREES];
    size_t edges = 0;
    arena_init(&model, 0);
    const struct ontology *o = model_make(&model);
    for (size_t i = 0; i < TREES; i++) {
        size_t asked[ASKED_MOST], n = 2 + i % (ASKED_MOST - 1);
        struct join_tree tree;
        for (size_t k = 0; k < n; k++)
            asked[k] = number() % DATASETS;
        arena_init(&memory, 0);
        double began = milliseconds();
        ontology_join_tree(&memory, o, asked, n, &tree);
        took[i] = milliseconds() - began;
        edges += tree.n_edges;
        arena_done(&memory);
    }
    qsort(took, TREES, sizeof *took, by_size);
    printf("join tree, %d datasets, %d relationships: %.2f ms, at most %.2f ms "
           "(%d trees of %.1f edges)\n",
           DATASETS, RELATIONSHIPS, took[TREES / 2], took[TREES - 1], TREES,
           (double)edges / TREES);
    arena_done(&model);
    return 0;
}
