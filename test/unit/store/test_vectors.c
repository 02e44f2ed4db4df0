/* Vectors of large ontologies: how they are stored, where they are searched. */
#include "../../../src/store/catalog/ontology_vectors.h"
#include "run_flow.h"
#include "store/vector_search.h"
#include "../fake_scene.h"
#include <arpa/inet.h>
#include <math.h>
#include "base/banned.h"

#define ONTOLOGY "33333333-3333-4333-8333-333333333333"
#define MODEL \
    "{\"format\":1,\"name\":\"m\",\"datasets\":[" \
    "{\"name\":\"a\",\"source\":\"a\"},{\"name\":\"b\",\"source\":\"b\"}," \
    "{\"name\":\"c\",\"source\":\"c\"}]}"

enum { WIDE = 1 << 20, MANY = LARGE_VECTORS / WIDE / sizeof(float) + 1 };

static struct store *store;
static const char *there[] = {"t"};
static const char *hold_cells[] = {MODEL, "text-embedding-3-small",
                                   "2",   "AACAPwAAAAAAAIA/AAAAAAAAgD8AAAAA",
                                   "1",   "f"};
static const char *near_cells[] = {"2", "0.5", "0", "0.5", "1", "0.25"};
static struct fake_rows rows[] = {{.statement = "ontologies.pgvector",
                                   .n_columns = 1,
                                   .n_rows = 1,
                                   .cells = there},
                                  {.statement = "ontologies.hold",
                                   .n_columns = 6,
                                   .n_rows = 1,
                                   .cells = hold_cells},
                                  {.statement = "ontologies.search",
                                   .n_columns = 2,
                                   .n_rows = 3,
                                   .cells = near_cells},
                                  {0}};
static bool asked; /* whether pgvector is there */
static struct buf question;

static void on_query(const struct query *q)
{
    if (!strcmp(q->statement->name, "ontologies.pgvector"))
        asked = true;
    if (strcmp(q->statement->name, "ontologies.search"))
        return;
    buf_bytes(&question, q->params[0], (size_t)q->bytes);
}

/* Threads know nothing of pretended time. In the place of loop/wait.h's, by the
 * linker. */
static unsigned works;
void __wrap_work_begin(struct flow *f, struct work *w, void (*job)(void *what),
                       void *what);
void __wrap_work_begin(struct flow *f, struct work *w, void (*job)(void *what),
                       void *what)
{
    works++;
    begin(f, &w->op, "work", NULL);
    job(what);
    op_complete(&w->op, OK);
}

static int setup(void **state)
{
    static const uint8_t key[SEAL_KEY_SIZE];
    (void)state;
    struct pool *pool = fake_scene_open("system");
    fake_db.rows = rows;
    fake_db.on_query = on_query;
    there[0] = "t";
    hold_cells[5] = "f";
    asked = false;
    works = 0;
    buf_init(&question, NULL);
    store = store_open(
        &(struct store_options){.system = pool, .key = key, .lease_ms = 30000});
    return 0;
}

static int teardown(void **state)
{
    struct pool *pool = store->system;
    (void)state;
    buf_done(&question);
    store_close(&store);
    fake_scene_close(&pool);
    return 0;
}

static enum err run(step_fn *first, void *locals)
{
    struct run_flow r;
    run_flow_start(&r, first, locals);
    assert_true(fake_time_until(&r.ended, 60000));
    return r.how;
}

/* ---- storing ------------------------------------------------------------- */

struct given {
    const float *vectors;
    size_t n, dimensions;
    struct stored_vectors *stored;
    size_t hex, elements; /* bytes that came out */
    uint32_t head[6], last;
};

static struct next forms_written(struct flow *f)
{
    struct given *g = locals(f, struct given);
    const struct buf *e = &g->stored->elements;
    g->hex = g->stored->hex.len;
    g->elements = e->len;
    if (e->len) {
        memcpy(g->head, e->ptr, sizeof g->head);
        memcpy(&g->last, e->ptr + e->len - sizeof g->last, sizeof g->last);
    }
    return back(f);
}

static struct next store_them(struct flow *f)
{
    struct given *g = locals(f, struct given);
    g->stored = stored_vectors_new(f, store, g->vectors, g->n, g->dimensions);
    return call(f, stored_vectors_begin, g->stored, forms_written);
}

static struct given stored(float *vectors, size_t n, size_t dimensions)
{
    struct given g = {.vectors = vectors, .n = n, .dimensions = dimensions};
    assert_int_equal(run(store_them, &g), OK);
    assert_int_equal(g.hex, n ? n * (dimensions * 8 + 1) - 1 : 0);
    return g;
}

static void test_small_ones_are_stored_once_and_nobody_is_asked(void **state)
{
    (void)state;
    float vectors[] = {1, 0, 0.5f, -1};
    assert_int_equal(stored(vectors, 2, 2).elements, 0);
    assert_int_equal(stored(NULL, 0, 0).elements, 0);
    assert_false(asked || works);
}

static void test_what_takes_time_is_written_on_another_thread(void **state)
{
    (void)state;
    float *vectors = test_calloc(WIDE, sizeof *vectors);
    assert_int_equal(stored(vectors, 1, WIDE).elements, 0);
    assert_true(works == 1 && !asked);
    test_free(vectors);
}

static void test_large_ones_are_stored_twice_where_pgvector_is(void **state)
{
    (void)state;
    size_t n = (size_t)MANY * WIDE;
    float *vectors = test_calloc(n, sizeof *vectors);
    vectors[n - 1] = -2; /* C0000000 */
    struct given g = stored(vectors, MANY, WIDE);
    const uint32_t head[] = {htonl(1),           0,        htonl(700),
                             htonl((uint32_t)n), htonl(1), htonl(4)};
    assert_true(asked && works == 1); /* on another thread */
    assert_int_equal(g.elements, 20 + 8 * n);
    assert_memory_equal(g.head, head, sizeof head);
    assert_int_equal(g.last, htonl(0xC0000000));
    there[0] = "f";
    assert_int_equal(stored(vectors, MANY, WIDE).elements, 0);
    there[0] = "t";
    vectors[5] = INFINITY; /* pgvector takes none */
    assert_int_equal(stored(vectors, MANY, WIDE).elements, 0);
    test_free(vectors);
}

/* ---- searching ----------------------------------------------------------- */

struct look {
    struct ontology_acquire hold;
    struct vector_search search;
    struct similarity best;
    float question[2];
    size_t found[3];
    float scores[3];
};

static struct next compared(struct flow *f)
{
    struct look *l = locals(f, struct look);
    for (size_t i = 0; i < l->best.n_best; i++) {
        l->found[i] = l->best.best[i].dataset;
        l->scores[i] = l->best.best[i].score;
    }
    return back(f);
}

static struct next held(struct flow *f)
{
    struct look *l = locals(f, struct look);
    const struct cached_ontology *h = l->hold.held;
    l->best = (struct similarity){.ontology = h->model,
                                  .query = l->question,
                                  .vectors = h->vectors,
                                  .dimensions = h->dimensions,
                                  .top_k = 2};
    similarity_begin(flow_keep(f), &l->best);
    if (!h->by_pgvector)
        return go(f, compared);
    l->search =
        (struct vector_search){.store = store, .held = h, .search = &l->best};
    return call(f, vector_search_begin, &l->search, compared);
}

static struct next hold(struct flow *f)
{
    struct look *l = locals(f, struct look);
    l->hold = (struct ontology_acquire){
        .store = store, .id = STR(ONTOLOGY), .version = 1};
    return call(f, ontology_acquire_begin, &l->hold, held);
}

static struct look looked(enum err how)
{
    struct look l = {.question = {1, -2}};
    assert_int_equal(run(hold, &l), how);
    return l;
}

static void test_vectors_are_held_where_pgvector_cannot_search(void **state)
{
    (void)state;
    struct look l = looked(OK);
    assert_false(l.hold.held->by_pgvector);
    assert_non_null(l.hold.held->vectors);
    assert_int_equal(question.len, 0);
}

static void test_pgvector_is_asked_where_it_can_and_names_decide(void **state)
{
    (void)state;
    static const unsigned char asked_for[] = {
        0, 0, 0, 1, 0, 0, 0,    0,    0, 0, 2, 0xBC, 0, 0, 0,    2, 0, 0,
        0, 1, 0, 0, 0, 4, 0x3F, 0x80, 0, 0, 0, 0,    0, 4, 0xC0, 0, 0, 0};
    hold_cells[5] = "t";
    struct look l = looked(OK);
    assert_null(l.hold.held->vectors);
    assert_non_null(l.hold.held->lexical);
    assert_int_equal(question.len, sizeof asked_for);
    assert_memory_equal(question.ptr, asked_for, sizeof asked_for);
    assert_int_equal(l.best.n_best, 2);
    assert_int_equal(l.found[0], 0); /* "a" and "c" are as near */
    assert_int_equal(l.found[1], 2);
    assert_true(l.scores[0] == 0.5f && l.scores[1] == 0.5f);
}

static void test_what_is_forgotten_is_read_anew(void **state)
{
    (void)state;
    hold_cells[5] = "t";
    rows[2].n_rows = 0; /* another version by now */
    struct look l = looked(ERR_NOT_FOUND);
    rows[2].n_rows = 3;
    assert_true(l.hold.held->by_pgvector);
    ontology_invalidate(l.hold.held);
    hold_cells[5] = "f";
    l = looked(OK);
    assert_false(l.hold.held->by_pgvector);
    assert_int_equal(fake_db.queries, 3); /* two reads, one search */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_small_ones_are_stored_once_and_nobody_is_asked, setup,
            teardown),
        cmocka_unit_test_setup_teardown(
            test_what_takes_time_is_written_on_another_thread, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_large_ones_are_stored_twice_where_pgvector_is, setup,
            teardown),
        cmocka_unit_test_setup_teardown(
            test_vectors_are_held_where_pgvector_cannot_search, setup,
            teardown),
        cmocka_unit_test_setup_teardown(
            test_pgvector_is_asked_where_it_can_and_names_decide, setup,
            teardown),
        cmocka_unit_test_setup_teardown(test_what_is_forgotten_is_read_anew,
                                        setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
