/* Rows of runs as structs, over a pretended database. */
#include "base/clock.h"
#include "store/claims.h"
#include "store/runs.h"
#include "store/users.h"
#include "../fake_scene.h"
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
    pool = fake_scene_open("system");
    arena_init(&memory, 0);
    store = store_open(
        &(struct store_options){.system = pool, .key = key, .lease_ms = 30000});
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    store_close(&store);
    fake_scene_close(&pool);
    arena_done(&memory);
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
    flow = flow_start(
        ask_first, &a,
        &(struct flow_options){.kind = "ask", .on_end = ask_over, .who = &a});
    assert_true(fake_time_until(&a.over, 60000));
    return a.how;
}

/* ---- claims ------------------------------------------------------------- */

static enum claim_outcome outcome;

static void note_claim(void *what)
{
    outcome = ((struct run_claim *)what)->outcome;
}

static struct run_claim claim_of(const char *message_id)
{
    return (struct run_claim){.store = store,
                              .message_id = str_of(message_id),
                              .chat_id = STR(ID),
                              .user_id = STR(ID)};
}

static void test_each_word_of_a_claim_is_its_outcome(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        enum claim_outcome outcome;
    } cases[] = {{"claimed", CLAIMED},          {"missing", CLAIM_MISSING},
                 {"busy", CLAIM_BUSY},          {"spent", CLAIM_SPENT},
                 {"full", CLAIM_FULL},          {"taken", CLAIM_TAKEN},
                 {"anything else", CLAIM_TAKEN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *cells[] = {cases[i].word, NULL};
        const struct fake_rows rows[] = {{.statement = "runs.claim",
                                          .n_columns = 2,
                                          .n_rows = 1,
                                          .cells = cells},
                                         {0}};
        struct run_claim c = claim_of(ID);
        fake_db.rows = rows;
        assert_int_equal(ask(run_claim_begin, &c, note_claim), OK);
        assert_int_equal(outcome, cases[i].outcome);
    }
}

/* It names the clock and no outcome. */
static void test_a_claim_that_comes_too_late_is_not_made(void **state)
{
    (void)state;
    const char *cells[] = {NULL, "1700000000000"};
    const struct fake_rows rows[] = {{.statement = "runs.claim",
                                      .n_columns = 2,
                                      .n_rows = 1,
                                      .cells = cells},
                                     {0}};
    struct run_claim c = claim_of(ID);
    fake_db.rows = rows;
    assert_int_equal(ask(run_claim_begin, &c, note_claim),
                     ERR_DATABASE_UNAVAILABLE);
    assert_true(lease_not_after(store) >= 1700000000000);
    assert_true(lease_not_after(store) <= 1700000000000 + store->lease_ms);
}

/* Several ask at once. */
enum { ASKERS = 5 };
static struct run_claim claims[ASKERS];
static struct asking askers[ASKERS];
static struct flow *flows[ASKERS];
static char asked_for[ASKERS * 2][512]; /* the ids of each statement */
static int n_asked;

static bool rang;

static void ring(struct timer *t)
{
    (void)t;
    rang = true;
}

static void pass(unsigned ms)
{
    struct timer timer = {0};
    rang = false;
    timer_start(&timer, ms, ring);
    assert_true(fake_time_until(&rang, 60000));
}

static void look_away(void *what)
{
    (void)what;
}

static void note_statement(const struct query *q)
{
    if (str_is(str_of(q->statement->name), "runs.claim"))
        snprintf(asked_for[n_asked++], sizeof asked_for[0], "%s", q->params[0]);
}

static void start_askers(void)
{
    n_asked = 0;
    fake_db.on_query = note_statement;
    for (int i = 0; i < ASKERS; i++) {
        static const char *const ids[ASKERS] = {"a", "b", "c", "d", "e"};
        claims[i] = claim_of(ids[i]);
        askers[i] = (struct asking){
            .begin = run_claim_begin, .what = &claims[i], .look = look_away};
        flows[i] = flow_start(ask_first, &askers[i],
                              &(struct flow_options){.kind = "ask",
                                                     .on_end = ask_over,
                                                     .who = &askers[i]});
    }
}

static void finish_askers(void)
{
    for (int i = 0; i < ASKERS; i++)
        assert_true(fake_time_until(&askers[i].over, 60000));
}

static void test_claims_of_one_moment_go_together(void **state)
{
    (void)state;
    const char *cells[] = {"claimed", NULL, "taken",   NULL,
                           "busy",    NULL, "missing", NULL};
    const struct fake_rows rows[] = {{.statement = "runs.claim",
                                      .n_columns = 2,
                                      .n_rows = 4,
                                      .cells = cells},
                                     {0}};
    fake_db.rows = rows;
    start_askers();
    claims[4].limit = 7; /* has another limit */
    finish_askers();
    assert_int_equal(n_asked, 2);
    assert_string_equal(asked_for[0], "{a,b,c,d}");
    assert_string_equal(asked_for[1], "{e}");
    assert_int_equal(claims[0].outcome, CLAIMED);
    assert_int_equal(claims[1].outcome, CLAIM_TAKEN);
    assert_int_equal(claims[2].outcome, CLAIM_BUSY);
    assert_int_equal(claims[3].outcome, CLAIM_MISSING);
    assert_int_equal(claims[4].outcome, CLAIMED);
}

static void
test_a_claim_that_was_stopped_costs_no_other_one_its_own(void **state)
{
    (void)state;
    const char *cells[] = {"claimed", NULL,   "claimed", NULL,      "taken",
                           NULL,      "busy", NULL,      "missing", NULL};
    const struct fake_rows rows[] = {{.statement = "runs.claim",
                                      .n_columns = 2,
                                      .n_rows = 5,
                                      .cells = cells},
                                     {0}};
    fake_db.rows = rows;
    fake_db.query_ms = 100;
    start_askers();
    pass(10);
    flow_cancel(flows[1]);
    finish_askers();
    assert_int_equal(n_asked, 1);
    assert_int_equal(askers[1].how, ERR_CANCELLED);
    assert_int_equal(claims[2].outcome, CLAIM_TAKEN);
    assert_int_equal(claims[4].outcome, CLAIM_MISSING);
}

static struct next way_made(struct flow *f)
{
    struct asking *a = locals(f, struct asking);
    a->over = true;
    return back(f);
}

static struct next make_way(struct flow *f)
{
    struct asking *a = locals(f, struct asking);
    claims_yield_begin(f, a->what, store);
    return await(f, way_made);
}

static void start_making_way(struct asking *a, struct claims_yield *l)
{
    *a = (struct asking){.what = l};
    flow_start(make_way, a, &(struct flow_options){.kind = "way"});
}

static void test_who_has_his_run_makes_way_for_claims(void **state)
{
    (void)state;
    struct asking first, second;
    struct claims_yield lulls[2];
    start_making_way(&first, &lulls[0]);
    pass(1);
    assert_true(first.over); /* no claim waits */
    fake_db.query_ms = 100;
    start_askers();
    claims[4].limit = 7; /* a statement of its own, after the others */
    pass(10);
    start_making_way(&second, &lulls[1]);
    pass(60);
    assert_false(second.over);
    finish_askers();
    assert_true(second.over);
}

/* Slow claims do not delay a yield without end. */
static void test_making_way_has_an_end(void **state)
{
    (void)state;
    struct asking way;
    struct claims_yield lull;
    fake_db.query_ms = 5000;
    start_askers();
    claims[4].limit = 7;
    pass(10);
    start_making_way(&way, &lull);
    pass(1000);
    assert_true(way.over);
    assert_false(askers[0].over);
    finish_askers();
}

static bool holds_c(const struct query *q)
{
    return str_find(str_of(q->params[0]), STR("c")) >= 0;
}

static void test_a_claim_that_is_refused_is_refused_alone(void **state)
{
    (void)state;
    const char *cells[] = {"claimed", NULL};
    const struct fake_rows rows[] = {{.statement = "runs.claim",
                                      .n_columns = 2,
                                      .n_rows = 1,
                                      .cells = cells},
                                     {0}};
    fake_db.rows = rows;
    fake_db.refuses = holds_c;
    start_askers();
    finish_askers();
    assert_int_equal(n_asked, 4); /* each that the database took */
    for (int i = 0; i < ASKERS; i++)
        assert_int_equal(askers[i].how, i == 2 ? ERR_INTERNAL : OK);
    for (int i = 0; i < ASKERS; i++)
        if (i != 2)
            assert_int_equal(claims[i].outcome, CLAIMED);
}

/* ---- load --------------------------------------------------------------- */

static const char *const load_cells[] = {
    "chat",    "user",      "ontology", "connection", "4",     "ready",
    NULL,      "How many?", "t",        "1",          "0",     "planner",
    "17",      "0",         "f",        "2026-11-21", "f",     NULL,
    "all",     NULL,        "pipeline", "Asia/Tokyo", "32400", "7",
    "dataset", "5 6 11",    "42"};
static const char *const history_cells[] = {"assistant",    "later", "complete",
                                            "digest of it", "user",  "earlier",
                                            "complete",     NULL};
static const struct fake_rows load_rows[] = {{.statement = "runs.load",
                                              .n_columns = 27,
                                              .n_rows = 1,
                                              .cells = load_cells},
                                             {.statement = "runs.history",
                                              .n_columns = 4,
                                              .n_rows = 2,
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
    assert_int_equal(l->cost_today, 42);
    assert_true(str_is(l->tokens, "7 8 15 ~"));
    assert_true(l->cancel_requested);
    assert_true(str_is(l->connection_changed_at, "2026-11-21"));
    assert_int_equal((int)l->turns.n, 2);
    const struct run_turn *turns = turns_read(&l->turns, l->memory);
    assert_true(turns[0].from_user); /* the oldest first */
    assert_true(str_is(turns[0].content, "earlier"));
    assert_int_equal(turns[0].digest.len, 0);
    assert_true(str_is(turns[1].digest, "digest of it"));
    assert_true(str_is(l->time_zone, "Asia/Tokyo"));
    assert_int_equal((int)l->zone_seconds, 32400);
    assert_int_equal(l->max_steps, 7);
}

static void test_a_run_is_loaded_with_its_history_oldest_first(void **state)
{
    (void)state;
    struct run_load l = {.store = store,
                         .message_id = STR(ID),
                         .memory = &memory,
                         .history_limit = 10};
    fake_db.rows = load_rows;
    struct fake_run *r = fake_db_run(ID, 3);
    r->phase_after = 11;
    snprintf(r->tokens, sizeof r->tokens, "7 8 15 ~");
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
    struct run_load l = {
        .store = store, .message_id = STR(ID), .memory = &memory};
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
    struct run_artifacts a = {
        .store = store, .message_id = STR(ID), .memory = &memory};
    assert_int_equal(ask(run_artifacts_begin, &a, look_at_none), OK);
    struct fake_run *r = fake_db_run(ID, 1);
    fake_db_put_artifact(r, "plan", STR("{}"));
    fake_db_put_artifact(r, "rows", STR("[1]"));
    r->last = 12;
    r->last_call = 3;
    a = (struct run_artifacts){
        .store = store, .message_id = STR(ID), .memory = &memory};
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
    struct run_finish x = {.store = store,
                           .message_id = STR(ID),
                           .epoch = epoch,
                           .status = STR("complete"),
                           .content = STR("42"),
                           .metadata = STR("{}")};
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

static unsigned bits_of(const char *const *words, int n)
{
    unsigned bits = 0;
    for (int i = 0; i < n; i++)
        bits |= permission_bits(str_of(words[i]));
    return bits;
}

static void test_a_wildcard_stands_for_the_actions_of_one_resource(void **state)
{
    (void)state;
    static const char *const data_agent[] = {
        "data_agent:read", "data_agent:write", "data_agent:delete"};
    static const char *const settings[] = {"user_settings:read",
                                           "user_settings:write"};
    assert_int_equal(permission_bits(STR("data_agent:*")),
                     bits_of(data_agent, 3));
    assert_int_equal(permission_bits(STR("user_settings:*")),
                     bits_of(settings, 2));
    assert_int_equal(permission_bits(STR("admin:*")),
                     permission_bits(STR("admin:all")));
    static const char *const nothing[] = {"*",
                                          "*:*",
                                          ":*",
                                          "*:read",
                                          "data_agent",
                                          "data_agent:",
                                          "data*:read",
                                          "data_agent*",
                                          "data:*",
                                          "user:*",
                                          "data_agent:r*",
                                          "data_agent:**",
                                          "data_agent:*:*",
                                          "DATA_AGENT:*",
                                          " data_agent:*",
                                          "data_agent:* ",
                                          "data_agent:read:*",
                                          "data_agent:all",
                                          ""};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        assert_int_equal(permission_bits(str_of(nothing[i])), 0);
}

#define STORE_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STORE_TEST(test_each_word_of_a_claim_is_its_outcome),
        STORE_TEST(test_a_claim_that_comes_too_late_is_not_made),
        STORE_TEST(test_claims_of_one_moment_go_together),
        STORE_TEST(test_a_claim_that_was_stopped_costs_no_other_one_its_own),
        STORE_TEST(test_a_claim_that_is_refused_is_refused_alone),
        STORE_TEST(test_who_has_his_run_makes_way_for_claims),
        STORE_TEST(test_making_way_has_an_end),
        STORE_TEST(test_a_run_is_loaded_with_its_history_oldest_first),
        STORE_TEST(test_a_run_that_is_not_there_is_not_found),
        STORE_TEST(test_artifacts_come_with_the_last_numbers),
        STORE_TEST(test_only_the_epoch_that_holds_a_run_finishes_it),
        STORE_TEST(test_only_runs_that_are_named_are_renewed),
        STORE_TEST(test_roles_grow_from_viewer_to_admin),
        STORE_TEST(test_a_wildcard_stands_for_the_actions_of_one_resource),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
