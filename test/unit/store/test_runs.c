/* Rows of runs as structs, over a pretended database. */
#include "base/clock.h"
#include "fake_db.h"
#include "fake_time.h"
#include "loop/loop.h"
#include "store/runs.h"
#include "store/users.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#undef fail /* a step says it too */
#include "base/banned.h"

#define ID "11111111-1111-4111-8111-111111111111"

static struct pool *pool;
static struct store *store;
static struct arena memory;
static struct flow *flow;

static int setup(void **state)
{
    static const uint8_t key[SEAL_KEY_SIZE];
    (void)state;
    loop_open();
    fake_db_open();
    world_begin(TROUBLE_NONE, 0);
    arena_init(&memory, 0);
    pool = pool_open(&(struct pool_options){.name = "system"});
    store = store_open(&(struct store_options){.system = pool, .key = key,
                                               .lease_ms = 30000});
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    store_close(&store);
    fake_time_settle(60000);
    pool_close(&pool);
    world_end();
    fake_db_close();
    arena_done(&memory);
    assert_int_equal(flow_count(), 0);
    loop_close();
    return 0;
}

/* ---- one subflow, then a look at what it gave --------------------------- */

struct asking {
    step_fn *begin;
    void *what;
    void (*look)(void *what);
    bool over;
    enum err how;
};

static struct next told(struct flow *f)
{
    struct asking *a = locals(f, struct asking);
    a->look(a->what);
    return back(f);
}

static struct next ask_first(struct flow *f)
{
    struct asking *a = locals(f, struct asking);
    return call(f, a->begin, a->what, told);
}

static void ask_over(struct flow *f, enum err how, void *who)
{
    struct asking *a = who;
    (void)f;
    a->how = how;
    a->over = true;
}

static enum err ask(step_fn *begin, void *what, void (*look)(void *what))
{
    struct asking a = {.begin = begin, .what = what, .look = look};
    flow = flow_start(ask_first, &a,
                      &(struct flow_options){.kind = "ask", .on_end = ask_over,
                                             .who = &a});
    assert_true(fake_time_until(&a.over, 60000));
    return a.how;
}

/* ---- claims ------------------------------------------------------------- */

static enum claim_outcome outcome;

static void note_claim(void *what)
{
    outcome = ((struct run_claim *)what)->outcome;
}

static void test_each_word_of_a_claim_is_its_outcome(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        enum claim_outcome outcome;
    } cases[] = {{"claimed", CLAIMED}, {"missing", CLAIM_MISSING},
                 {"busy", CLAIM_BUSY}, {"spent", CLAIM_SPENT},
                 {"full", CLAIM_FULL}, {"taken", CLAIM_TAKEN},
                 {"anything else", CLAIM_TAKEN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *cells[] = {cases[i].word};
        const struct fake_rows rows[] = {
            {.statement = "runs.claim", .n_columns = 1, .n_rows = 1,
             .cells = cells}, {0}};
        struct run_claim c = {.store = store, .message_id = STR(ID),
                              .chat_id = STR(ID), .user_id = STR(ID)};
        fake_db.rows = rows;
        assert_int_equal(ask(run_claim_begin, &c, note_claim), OK);
        assert_int_equal(outcome, cases[i].outcome);
    }
}

/* ---- load --------------------------------------------------------------- */

static const char *const load_cells[] = {
    "chat", "user", "ontology", "connection", "4", "ready", NULL, "How many?",
    "t", "1", "0", "planner", "17", "0", "f", "2026-11-21"};
static const char *const history_cells[] = {
    "assistant", "later", "complete", "digest of it",
    "user", "earlier", "complete", NULL};
static const struct fake_rows load_rows[] = {
    {.statement = "runs.load", .n_columns = 16, .n_rows = 1,
     .cells = load_cells},
    {.statement = "runs.history", .n_columns = 4, .n_rows = 2,
     .cells = history_cells},
    {0}};

static void look_at_load(void *what)
{
    const struct run_load *l = what;
    assert_true(str_is(l->question, "How many?"));
    assert_true(str_is(l->chat_id, "chat"));
    assert_int_equal(l->ontology_version, 4);
    assert_int_equal(l->llm_provider.len, 0);
    assert_true(l->chat_named);
    assert_int_equal(l->epoch, 3);
    assert_int_equal(l->phase_after, 11);
    assert_true(l->cancel_requested);
    assert_true(str_is(l->connection_changed_at, "2026-11-21"));
    assert_int_equal(l->n_turns, 2);
    assert_true(l->turns[0].from_user); /* the oldest first */
    assert_true(str_is(l->turns[0].content, "earlier"));
    assert_int_equal(l->turns[0].digest.len, 0);
    assert_true(str_is(l->turns[1].digest, "digest of it"));
}

static void test_a_run_is_loaded_with_its_history_oldest_first(void **state)
{
    (void)state;
    struct run_load l = {.store = store, .message_id = STR(ID),
                         .memory = &memory, .history_limit = 10};
    fake_db.rows = load_rows;
    struct fake_run *r = fake_db_run(ID, 3);
    r->phase_after = 11;
    r->cancel_requested = true;
    assert_int_equal(ask(run_load_begin, &l, look_at_load), OK);
}

static void never(void *what)
{
    (void)what;
    assert_true(false);
}

static void test_a_run_that_is_not_there_is_not_found(void **state)
{
    (void)state;
    struct run_load l = {.store = store, .message_id = STR(ID),
                         .memory = &memory};
    assert_int_equal(ask(run_load_begin, &l, never), ERR_NOT_FOUND);
}

/* ---- artifacts ---------------------------------------------------------- */

static void look_at_artifacts(void *what)
{
    const struct run_artifacts *a = what;
    assert_int_equal(a->n, 2);
    assert_true(str_is(a->items[0].kind, "plan"));
    assert_true(str_is(a->items[1].body, "[1]"));
    assert_int_equal(a->last_event, 12);
    assert_int_equal(a->last_call, 3);
}

static void look_at_none(void *what)
{
    const struct run_artifacts *a = what;
    assert_int_equal(a->n, 0);
    assert_int_equal(a->last_event, 0);
    assert_int_equal(a->last_call, -1);
}

static void test_artifacts_come_with_the_last_numbers(void **state)
{
    (void)state;
    struct run_artifacts a = {.store = store, .message_id = STR(ID),
                              .memory = &memory};
    assert_int_equal(ask(run_artifacts_begin, &a, look_at_none), OK);
    struct fake_run *r = fake_db_run(ID, 1);
    fake_db_put_artifact(r, "plan", STR("{}"));
    fake_db_put_artifact(r, "rows", STR("[1]"));
    r->last = 12;
    r->last_call = 3;
    a = (struct run_artifacts){.store = store, .message_id = STR(ID),
                               .memory = &memory};
    assert_int_equal(ask(run_artifacts_begin, &a, look_at_artifacts), OK);
}

/* ---- finish, leases ----------------------------------------------------- */

static bool finished;

static void note_finish(void *what)
{
    finished = ((struct run_finish *)what)->finished;
}

static bool finish(int epoch)
{
    struct run_finish x = {.store = store, .message_id = STR(ID),
                           .epoch = epoch, .status = STR("complete"),
                           .content = STR("42"), .metadata = STR("{}")};
    assert_int_equal(ask(run_finish_begin, &x, note_finish), OK);
    return finished;
}

static void test_only_the_epoch_that_holds_a_run_finishes_it(void **state)
{
    (void)state;
    struct fake_run *r = fake_db_run(ID, 2);
    assert_false(finish(1));
    assert_true(finish(2));
    assert_true(finish(2)); /* its answer may have been lost */
    assert_int_equal(r->closings, 1);
    assert_string_equal(r->status, "complete");
}

static size_t renewed;

static void note_renewal(void *what)
{
    const struct run_renewal *r = what;
    renewed = r->n;
    if (r->n)
        assert_true(str_is(r->rows[0].message_id, ID));
}

static void test_only_runs_that_are_named_are_renewed(void **state)
{
    (void)state;
    struct fake_run *r = fake_db_run(ID, 2);
    struct run_renewal x = {.store = store, .ids = STR("{}")};
    r->lease_until = 1;
    assert_int_equal(ask(run_renewal_begin, &x, note_renewal), OK);
    assert_int_equal(renewed, 0);
    assert_int_equal(r->lease_until, 1);
    x = (struct run_renewal){.store = store, .ids = STR("{" ID "}")};
    assert_int_equal(ask(run_renewal_begin, &x, note_renewal), OK);
    assert_int_equal(renewed, 1);
    assert_true(r->lease_until > clock_ms());
}

/* ---- roles -------------------------------------------------------------- */

static void test_roles_grow_from_viewer_to_admin(void **state)
{
    (void)state;
    unsigned viewer = role_permissions(STR("viewer"));
    unsigned contributor = role_permissions(STR("Contributor"));
    unsigned admin = role_permissions(STR("ADMIN"));
    assert_int_equal(viewer & contributor, viewer);
    assert_int_equal(contributor & admin, contributor);
    assert_true(viewer != contributor && contributor != admin);
    assert_int_equal(role_permissions(STR("owner")), 0);
    assert_int_equal(role_permissions(STR("")), 0);
    assert_true(admin & permission_bits(STR("admin:all")));
    assert_false(contributor & permission_bits(STR("admin:all")));
    assert_int_equal(permission_bits(STR("admin")), 0);
}

#define STORE_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STORE_TEST(test_each_word_of_a_claim_is_its_outcome),
        STORE_TEST(test_a_run_is_loaded_with_its_history_oldest_first),
        STORE_TEST(test_a_run_that_is_not_there_is_not_found),
        STORE_TEST(test_artifacts_come_with_the_last_numbers),
        STORE_TEST(test_only_the_epoch_that_holds_a_run_finishes_it),
        STORE_TEST(test_only_runs_that_are_named_are_renewed),
        STORE_TEST(test_roles_grow_from_viewer_to_admin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
