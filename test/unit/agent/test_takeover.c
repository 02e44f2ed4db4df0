/* Leases over a pretended database: runs of lost processes are taken over, and
 * what a process gave up is given back. */
#include "agent_state.h"
#include "agent_test.h"
#include "base/banned.h"

enum { LEASE_MS = 30000, ORPHANS = 60, AT_ONCE = 8 };

static int64_t most_asked;      /* the largest batch that was asked for */
static unsigned most_restoring; /* records that were read at once */
static unsigned renewals;
static bool renewal_fails;

static void note(const struct query *q)
{
    const char *name = q->statement->name;
    int64_t most = 0;
    if (!strcmp(name, "runs.take_over")) {
        str_to_int64(str_of(q->params[2]), &most);
        most_asked = most > most_asked ? most : most_asked;
    }
    renewals += !strcmp(name, "runs.renew");
    if (test.agent && test.agent->takeover.restoring > most_restoring)
        most_restoring = test.agent->takeover.restoring;
}

static bool refuses(const struct query *q)
{
    return renewal_fails && !strcmp(q->statement->name, "runs.renew");
}

static bool rang;

static void ring(struct timer *t)
{
    (void)t;
    rang = true;
}

/* Virtual time passes. */
static void pass(uint64_t ms)
{
    struct timer timer = {0};
    rang = false;
    timer_start(&timer, ms, ring);
    assert_true(fake_time_until(&rang, ms + 1));
}

static int takeover_setup(void **state)
{
    int failed = agent_setup(state);
    most_asked = 0;
    most_restoring = renewals = 0;
    renewal_fails = false;
    fake_db.on_query = note;
    fake_db.refuses = refuses;
    return failed;
}

/* Rows of a process that does not renew them. */
static void make_orphans(unsigned lease_ms)
{
    for (int i = 0; i < ORPHANS; i++) {
        char id[UUID_SIZE];
        snprintf(id, sizeof id, "22222222-2222-4222-8222-%012d", i);
        struct fake_run *r = fake_db_run(id, 1);
        r->ours = false;
        r->lease_until = clock_ms() + lease_ms;
    }
}

static unsigned taken(void)
{
    unsigned n = 0;
    for (size_t i = 0; i < fake_db.n_runs; i++)
        n += fake_db.runs[i].attempt > 1;
    return n;
}

static void
test_all_runs_of_a_lost_process_are_taken_when_their_lease_ends(void **state)
{
    (void)state;
    pass(100); /* the first look is over */
    make_orphans(17000);
    pass(17000 - 1);
    assert_int_equal(taken(), 0);
    pass(1000);
    assert_int_equal(taken(), ORPHANS);
    assert_true(most_restoring > 0 && most_restoring <= AT_ONCE);
}

static void test_a_lease_that_ends_early_is_noticed_between_looks(void **state)
{
    (void)state;
    pass(LEASE_MS / 3 + 100); /* the next look is a third of a lease away */
    make_orphans(LEASE_MS / 3 + 500);
    pass(LEASE_MS / 3);
    assert_int_equal(taken(), 0);
    pass(1000);
    assert_int_equal(taken(), ORPHANS);
}

static void test_no_more_is_taken_over_than_there_is_room_for(void **state)
{
    (void)state;
    struct ticket *tickets[5];
    test.agent->admission.most = 5;
    for (int i = 0; i < 5; i++)
        tickets[i] = agent_ticket(test.agent, STR("another user"));
    pass(100);
    make_orphans(1000);
    pass(LEASE_MS);
    assert_true(taken() >= 1); /* they do not wait for ever */
    assert_true(taken() <= 4); /* one each third of a lease */
    assert_int_equal(most_asked, 1);
    for (int i = 0; i < 3; i++)
        ticket_leave(&tickets[i]);
    pass(LEASE_MS / 3 + 1000); /* each that ends makes room for the next */
    assert_int_equal(taken(), ORPHANS + 1); /* and the run of the test */
    assert_int_equal(most_asked, 3);
    for (int i = 3; i < 5; i++)
        ticket_leave(&tickets[i]);
}

/* A database that was blocked executes a query that no flow waits for. */
static void test_a_takeover_that_comes_too_late_takes_nothing(void **state)
{
    (void)state;
    pass(100);                           /* the database's clock is known */
    test.store->lease_ms = LEASE_MS / 2; /* a third is less than its deadline */
    fake_db.query_ms = LEASE_MS / 6 + 1000;
    make_orphans(1000);
    pass(LEASE_MS);
    assert_int_equal(taken(), 0);
    fake_db.query_ms = 1;
    pass(2 * LEASE_MS);
    assert_int_equal(taken(), ORPHANS + 1); /* and the run of the test */
}

/* It waits in the queue, so that nothing happens to it. */
static struct fake_run *start_waiting_run(struct ticket **other)
{
    static const char id[] = "33333333-3333-4333-8333-333333333333";
    struct fake_run *r = fake_db_run(id, 1);
    test.agent->admission.most = 1;
    test.agent->admission.most_waiting = 1;
    *other = agent_ticket(test.agent, STR("another user"));
    agent_start_run(test.agent, str_of(id), STR(""),
                    agent_ticket(test.agent, STR("user")), NULL);
    return r;
}

static void test_a_stopped_process_gives_back_what_it_gave_up(void **state)
{
    (void)state;
    struct ticket *other;
    struct fake_run *r = start_waiting_run(&other);
    pass(1000);
    assert_int_equal(renewals, 1);
    fake_time_jump(LEASE_MS * 2 / 3 + 500); /* less than the lease */
    uint64_t awake = clock_ms();
    while (r->attempt == 1 && clock_ms() < awake + LEASE_MS)
        pass(1);
    assert_true(clock_ms() - awake < 100);
    assert_int_equal(r->attempt, 2);
    assert_int_equal(r->releases, 0); /* a run may be what stopped it */
    ticket_leave(&other);
}

static void test_a_process_that_cannot_renew_gives_its_runs_back(void **state)
{
    (void)state;
    struct ticket *other;
    struct fake_run *r = start_waiting_run(&other);
    pass(1000);
    renewal_fails = true;
    pass(LEASE_MS * 2 / 3);
    assert_int_equal(r->attempt, 2);
    assert_int_equal(r->releases, 1); /* it was given up, not lost */
    ticket_leave(&other);
}

static void
test_a_failed_renewal_is_tried_again_before_runs_are_given_up(void **state)
{
    (void)state;
    struct ticket *other;
    struct fake_run *r = start_waiting_run(&other);
    pass(1000);
    renewal_fails = true;
    pass(LEASE_MS / 3 + 1000);
    renewal_fails = false;
    pass(LEASE_MS);
    assert_int_equal(r->attempt, 1);
    assert_int_equal(agent_runs(test.agent), 1);
    ticket_leave(&other);
}

#define TAKEOVER_TEST(name) \
    cmocka_unit_test_setup_teardown(name, takeover_setup, agent_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TAKEOVER_TEST(
            test_all_runs_of_a_lost_process_are_taken_when_their_lease_ends),
        TAKEOVER_TEST(test_a_lease_that_ends_early_is_noticed_between_looks),
        TAKEOVER_TEST(test_no_more_is_taken_over_than_there_is_room_for),
        TAKEOVER_TEST(test_a_takeover_that_comes_too_late_takes_nothing),
        TAKEOVER_TEST(test_a_stopped_process_gives_back_what_it_gave_up),
        TAKEOVER_TEST(test_a_process_that_cannot_renew_gives_its_runs_back),
        TAKEOVER_TEST(
            test_a_failed_renewal_is_tried_again_before_runs_are_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
