/* budget.c - the memory that one simple question may use, measured with a story
 * of the sweep: `budget MODEL`.
 *
 * The figures are below and may be exceeded by a fifth. Allocations are those
 * of our code and of libraries linked statically (--wrap). An intended change
 * updates the figure. */
#include "../../src/agent/phases.h"
#include "agent/run.h"
#include "base/log.h"
#include "loop/flow.h"
#include "scene.h"
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

static struct {
    bool on;
    size_t count, bytes, most; /* allocations; held now, and at most */
} heap;

static struct {
    size_t run, scratch, flow; /* arenas at their largest */
} arenas;

/* ---- the heap ----------------------------------------------------------- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void __wrap_free(void *p);

static void note(void *p)
{
    heap.count += heap.on;
    heap.bytes += malloc_usable_size(p);
    if (heap.on && heap.bytes > heap.most)
        heap.most = heap.bytes;
}

/* Memory that a library allocated by itself is not counted. */
static void forget(void *p)
{
    size_t size = p ? malloc_usable_size(p) : 0;
    heap.bytes -= size < heap.bytes ? size : heap.bytes;
}

void *__wrap_malloc(size_t size)
{
    void *p = __real_malloc(size);
    note(p);
    return p;
}

void *__wrap_calloc(size_t n, size_t size)
{
    void *p = __real_calloc(n, size);
    note(p);
    return p;
}

void *__wrap_realloc(void *p, size_t size)
{
    forget(p);
    p = __real_realloc(p, size);
    note(p);
    return p;
}

void __wrap_free(void *p)
{
    forget(p);
    __real_free(p);
}

/* ---- the arenas --------------------------------------------------------- */

static void raise_to(size_t *most, size_t n)
{
    if (n > *most)
        *most = n;
}

static void on_step(struct flow *f, const char *name)
{
    static const struct run *run;
    if (!strcmp(name, "work_over"))
        run = locals(f, struct run);
    raise_to(&arenas.flow, flow_here(f)->total + flow_keep(f)->total);
    if (!strcmp(name, "phase_over"))
        raise_to(&arenas.scratch, locals(f, struct phases)->run->scratch.total);
    if (run && !strcmp(name, "run_over")) {
        raise_to(&arenas.run, run->arena.total);
        run = NULL;
    }
}

/* ---- against what is recorded ------------------------------------------- */

static int n_tests, n_failed;

static void weigh(const char *what, size_t measured, size_t recorded)
{
    bool ok = measured <= recorded + recorded / 5;
    n_failed += !ok;
    printf("%sok %d - %s: %zu, recorded %zu\n", ok ? "" : "not ", ++n_tests,
           what, measured, recorded);
    if (measured < recorded / 2)
        printf("# half of it: record the new figure\n");
}

int main(int argc, char **argv)
{
    struct case_counts counts;
    if (argc < 2)
        return 2;
    log_to_fd(open("/dev/null", O_WRONLY | O_CLOEXEC));
    scenes_open(argv[1]);
    bool told = scene_tell(&stories[0], TROUBLE_NONE, 0, &counts); /* warm */
    size_t before = heap.bytes;
    heap.on = true;
    flow_on_step = on_step;
    told = told && scene_tell(&stories[0], TROUBLE_NONE, 0, &counts);
    heap.on = false;
    printf("%sok %d - the story is told\n", told ? "" : "not ", ++n_tests);
    weigh("heap allocations", heap.count, 1282);
    weigh("heap bytes at most", heap.most - before, 167000);
    weigh("arena blocks taken", counts.blocks, 455);
    weigh("bytes of the run's arena", arenas.run, 17200);
    weigh("bytes of its scratch arena", arenas.scratch, 8080);
    weigh("bytes of a flow's arenas at most", arenas.flow, 35200);
    printf("1..%d\n", n_tests);
    scenes_close();
    return n_failed != 0 || !told;
}
