/* What processes tell one another, over a pretended database. */
#include "base/clock.h"
#include "store/journal.h"
#include "store/notices.h"
#include "../fake_scene.h"
#include <unistd.h>
#include "base/banned.h"

#define ID_1 "11111111-1111-4111-8111-111111111111"
#define ID_2 "22222222-2222-4222-8222-222222222222"

static struct pool *pool;
static struct notices *notices;
static struct journal *journal;
static char heard[8192];
static struct notice_listener hearer;

static void hear(struct notice_listener *h, enum notice what, struct str id)
{
    static const char letters[] = "CFfWXTARM";
    size_t n = strlen(heard);
    (void)h;
    snprintf(heard + n, sizeof heard - n, "%c%.*s ", letters[what],
             id.len ? 1 : 0, id.len ? id.ptr : "");
}

static int setup(void **state)
{
    (void)state;
    pool = fake_scene_open("system");
    notices = notices_open(pool);
    journal = journal_open(pool, notices);
    heard[0] = '\0';
    hearer.hear = hear;
    notices_add_listener(notices, &hearer);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    journal_close(&journal);
    notices_close(&notices);
    fake_scene_close(&pool);
    return 0;
}

static struct timer clock_timer;
static bool rang;

static void ring(struct timer *t)
{
    (void)t;
    rang = true;
}

static void let_pass(unsigned ms)
{
    rang = false;
    timer_start(&clock_timer, ms, ring);
    assert_true(fake_time_until(&rang, 10 * 60000));
}

static void begin_to_listen(void)
{
    notices_listen(notices, "host=nowhere");
    let_pass(5);
    assert_true(notices_up(notices));
    assert_string_equal(heard, "M ");
    heard[0] = '\0';
}

/* ---- saying and hearing ------------------------------------------------- */

static void test_what_gathers_is_said_in_one_statement_and_once(void **state)
{
    (void)state;
    begin_to_listen();
    notice_send(notices, NOTICE_CANCEL, STR(ID_1));
    notice_send(notices, NOTICE_CANCEL, STR(ID_2));
    notice_send(notices, NOTICE_CANCEL, STR(ID_1));
    notice_send(notices, NOTICE_FREE, STR(""));
    notice_send(notices, NOTICE_FREE, STR(""));
    let_pass(100);
    assert_string_equal(heard, "C1 C2 F ");
    assert_int_equal(notice_stats(notices).sent, 1);
    assert_int_equal(fake_db.notices, 2);
}

static void test_many_ids_go_into_several_payloads(void **state)
{
    (void)state;
    char id[UUID_SIZE];
    begin_to_listen();
    for (int i = 0; i < 400; i++) {
        snprintf(id, sizeof id, "%08x-1111-4111-8111-111111111111",
                 (unsigned)i);
        notice_send(notices, NOTICE_WROTE, str_of(id));
    }
    let_pass(100);
    assert_int_equal(fake_db.notices, 3);
    assert_int_equal(strlen(heard), 400 * 3);
    assert_int_equal(notice_stats(notices).sent, 1);
}

static void test_more_than_can_be_kept_is_dropped(void **state)
{
    (void)state;
    char id[UUID_SIZE];
    for (int i = 0; i < 3000; i++) {
        snprintf(id, sizeof id, "%08x-1111-4111-8111-111111111111",
                 (unsigned)i);
        notice_send(notices, NOTICE_FOLLOW, str_of(id));
    }
    assert_true(notice_stats(notices).dropped > 1000);
    let_pass(100);
}

static void test_what_cannot_be_sent_is_forgotten(void **state)
{
    (void)state;
    begin_to_listen();
    world_begin(TROUBLE_FAILS, 1);
    notice_send(notices, NOTICE_FREE, STR(""));
    let_pass(100);
    world_begin(TROUBLE_NONE, 0);
    assert_string_equal(heard, "");
    notice_send(notices, NOTICE_FREE, STR(""));
    let_pass(100);
    assert_string_equal(heard, "F ");
}

static void test_strange_words_and_ids_are_not_heard(void **state)
{
    (void)state;
    begin_to_listen();
    fake_notify(STR("restart"));
    fake_notify(STR(""));
    fake_notify(STR("cancel'; --"));
    fake_notify(STR("cancel not-an-id " ID_2 " 2222"));
    fake_notify(STR("changed"));
    assert_string_equal(heard, "C2 X ");
}

/* ---- the journal's part ------------------------------------------------- */

static void say(struct journal_entry *e, const char *text)
{
    struct json_writer *w = journal_event(e, EVENT_TEXT);
    json_field_text(w, "content", text);
    journal_event_end(e);
}

static void on_lost(void *who, enum err why)
{
    (void)who;
    (void)why;
}

static struct journal_entry *attach(const char *id)
{
    fake_db_run(id, 1);
    return journal_attach(journal, id, 1, 1, on_lost, NULL);
}

static void test_nobody_is_told_of_a_run_that_nobody_follows(void **state)
{
    (void)state;
    struct journal_entry *e = attach(ID_1);
    begin_to_listen();
    say(e, "a");
    let_pass(200);
    journal_end(e, STR("the end"));
    let_pass(200);
    assert_string_equal(heard, "");
    journal_detach(&e);
}

static void test_who_follows_is_told_of_each_commit_and_the_end(void **state)
{
    (void)state;
    struct journal_entry *e = attach(ID_1), *other = attach(ID_2);
    begin_to_listen();
    fake_notify(STR("follow " ID_1));
    let_pass(100); /* it may have missed something: reported at once */
    assert_string_equal(heard, "f1 W1 ");
    say(e, "a");
    say(other, "b");
    let_pass(100);
    assert_string_equal(heard, "f1 W1 W1 ");
    journal_end(e, STR("the end"));
    let_pass(100);
    assert_string_equal(heard, "f1 W1 W1 W1 ");
    let_pass(20000); /* it has not said so again */
    say(e, "c");
    let_pass(100);
    assert_string_equal(heard, "f1 W1 W1 W1 ");
    journal_detach(&e);
    journal_detach(&other);
}

static void test_who_came_before_the_run_is_told_too(void **state)
{
    (void)state;
    begin_to_listen();
    fake_notify(STR("follow " ID_1));
    struct journal_entry *e = attach(ID_1);
    say(e, "a");
    let_pass(100);
    assert_string_equal(heard, "f1 W1 ");
    journal_detach(&e);
}

static void test_a_reader_asks_for_runs_of_others_now_and_then(void **state)
{
    (void)state;
    struct journal_reader own = {.message_id = ID_1},
                          far = {.message_id = ID_2};
    struct journal_entry *e = attach(ID_1);
    journal_follow(journal, &own);
    journal_follow(journal, &far);
    journal_reader_request_notices(&far); /* it could not hear the answer */
    let_pass(100);
    assert_int_equal(fake_db.notices, 0);
    begin_to_listen();
    for (int i = 0; i < 5; i++) {
        journal_reader_request_notices(&own);
        journal_reader_request_notices(&far);
        let_pass(100);
    }
    assert_string_equal(heard, "f2 ");
    let_pass(5000);
    journal_reader_request_notices(&far);
    let_pass(100);
    assert_string_equal(heard, "f2 f2 ");
    journal_unfollow(&own);
    journal_unfollow(&far);
    journal_detach(&e);
}

static void test_news_wake_the_readers_of_that_run_a_gap_all(void **state)
{
    (void)state;
    struct journal_reader one = {.message_id = ID_1},
                          two = {.message_id = ID_2};
    begin_to_listen();
    journal_follow(journal, &one);
    journal_follow(journal, &two);
    fake_notify(STR("wrote " ID_2));
    assert_false(one.wake.pending);
    assert_true(two.wake.pending);
    fake_relisten();
    assert_true(one.wake.pending);
    journal_unfollow(&one);
    journal_unfollow(&two);
}

#define NOTICE_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        NOTICE_TEST(test_what_gathers_is_said_in_one_statement_and_once),
        NOTICE_TEST(test_many_ids_go_into_several_payloads),
        NOTICE_TEST(test_more_than_can_be_kept_is_dropped),
        NOTICE_TEST(test_what_cannot_be_sent_is_forgotten),
        NOTICE_TEST(test_strange_words_and_ids_are_not_heard),
        NOTICE_TEST(test_nobody_is_told_of_a_run_that_nobody_follows),
        NOTICE_TEST(test_who_follows_is_told_of_each_commit_and_the_end),
        NOTICE_TEST(test_who_came_before_the_run_is_told_too),
        NOTICE_TEST(test_a_reader_asks_for_runs_of_others_now_and_then),
        NOTICE_TEST(test_news_wake_the_readers_of_that_run_a_gap_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
