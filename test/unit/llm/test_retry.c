/* The decision after a try, as a table. */
#include "retry.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static struct retry_facts after(enum err how, int status)
{
    return (struct retry_facts){.how = how,
                                .status = status,
                                .tries = 1,
                                .retry_after_ms = -1,
                                .should_retry = -1,
                                .left_ms = 60000,
                                .chance = 0.5,
                                .stream_error = ERR_MODEL_UNAVAILABLE};
}

static void expect(struct retry_facts facts, enum retry_move move, enum err why)
{
    struct retry_verdict v = retry_decide(&facts);
    assert_int_equal(v.move, move);
    if (move != RETRY_ACCEPT) {
        assert_int_equal(move == RETRY_FAIL ? v.why : why, why);
        assert_true(v.sentence && *v.sentence);
    }
    assert_int_equal(v.reason != NULL, move == RETRY_AGAIN);
}

static void test_a_whole_reply_is_accepted(void **state)
{
    (void)state;
    struct retry_facts f = after(OK, 200);
    f.whole = true;
    expect(f, RETRY_ACCEPT, OK);
    f.how = ERR_BAD_GATEWAY; /* the connection broke after the last event */
    expect(f, RETRY_ACCEPT, OK);
}

static void test_what_may_pass_is_tried_again(void **state)
{
    (void)state;
    static const int passing[] = {408, 409, 429, 500, 502, 503, 504, 529};
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++)
        expect(after(OK, passing[i]), RETRY_AGAIN, ERR_MODEL_UNAVAILABLE);
    expect(after(ERR_BAD_GATEWAY, 0), RETRY_AGAIN, ERR_MODEL_UNAVAILABLE);
    expect(after(ERR_BAD_GATEWAY, 200), RETRY_AGAIN, ERR_BAD_REPLY);
    expect(after(OK, 200), RETRY_AGAIN, ERR_BAD_REPLY);
    expect(after(ERR_BAD_REPLY, 200), RETRY_AGAIN, ERR_BAD_REPLY);
    expect(after(ERR_TIMEOUT, 0), RETRY_AGAIN, ERR_TIMEOUT);
    expect(after(ERR_TIMEOUT, 200), RETRY_AGAIN, ERR_TIMEOUT);
}

static void test_a_refusal_is_not_tried_again(void **state)
{
    (void)state;
    static const int lasting[] = {301, 400, 401, 403, 404, 413, 422};
    for (size_t i = 0; i < sizeof lasting / sizeof *lasting; i++)
        expect(after(OK, lasting[i]), RETRY_FAIL, ERR_MODEL_REFUSED);
}

static void test_a_cancelled_try_is_the_last(void **state)
{
    (void)state;
    struct retry_facts f = after(ERR_CANCELLED, 0);
    struct retry_verdict v = retry_decide(&f);
    assert_int_equal(v.move, RETRY_FAIL);
    assert_int_equal(v.why, ERR_CANCELLED);
}

static void test_an_error_in_the_stream_decides(void **state)
{
    (void)state;
    struct retry_facts f = after(OK, 200);
    f.has_stream_error = true;
    expect(f, RETRY_AGAIN, ERR_MODEL_UNAVAILABLE);
    f.stream_error = ERR_MODEL_REFUSED;
    expect(f, RETRY_FAIL, ERR_MODEL_REFUSED);
}

static void test_the_server_may_say_whether(void **state)
{
    (void)state;
    struct retry_facts f = after(OK, 503);
    f.should_retry = 0;
    expect(f, RETRY_FAIL, ERR_MODEL_UNAVAILABLE);
    f = after(OK, 400);
    f.should_retry = 1;
    expect(f, RETRY_AGAIN, ERR_MODEL_REFUSED);
    f = after(OK, 401);
    f.should_retry = 1;
    expect(f, RETRY_FAIL, ERR_MODEL_REFUSED);
}

static void test_three_tries_are_all_after_a_failure(void **state)
{
    (void)state;
    static const int failing[] = {408, 409, 500, 502, 504};
    for (size_t i = 0; i < sizeof failing / sizeof *failing; i++) {
        struct retry_facts f = after(OK, failing[i]);
        f.tries = 2;
        expect(f, RETRY_AGAIN, ERR_MODEL_UNAVAILABLE);
        f.tries = 3;
        expect(f, RETRY_FAIL, ERR_MODEL_UNAVAILABLE);
    }
    struct retry_facts cut = after(ERR_BAD_GATEWAY, 200);
    cut.tries = 3;
    expect(cut, RETRY_FAIL, ERR_BAD_REPLY);
}

/* Rate limits and overloads pass at an unknown time: no limit of tries. */
static void test_limits_and_overloads_are_waited_out(void **state)
{
    (void)state;
    static const int passing[] = {429, 503, 529};
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++) {
        struct retry_facts f = after(OK, passing[i]);
        for (f.tries = 1; f.tries < 40; f.tries++)
            expect(f, RETRY_AGAIN, ERR_MODEL_UNAVAILABLE);
        f.left_ms = 900;
        expect(f, RETRY_FAIL, ERR_MODEL_UNAVAILABLE);
    }
}

static void test_the_last_wait_leaves_time_for_a_try(void **state)
{
    (void)state;
    struct retry_facts f = after(OK, 529);
    f.tries = 9;
    f.left_ms = 5000;
    assert_int_equal(retry_decide(&f).wait_ms, 4000);
}

static void test_a_wait_has_a_cap(void **state)
{
    (void)state;
    struct retry_facts f = after(OK, 503);
    f.tries = 30;
    f.left_ms = 3600 * 1000;
    assert_in_range(retry_decide(&f).wait_ms, 1000, 20000);
}

/* Repeated "Retry-After: 0" must not cause a storm of requests. */
static void test_an_empty_promise_is_not_believed_for_ever(void **state)
{
    (void)state;
    struct retry_facts f = after(OK, 429);
    f.retry_after_ms = 0;
    f.tries = 6;
    assert_true(retry_decide(&f).wait_ms >= 10000);
}

static void expect_words(struct retry_facts f, const char *word)
{
    f.left_ms = 0;
    struct retry_verdict v = retry_decide(&f);
    assert_int_equal(v.move, RETRY_FAIL);
    assert_non_null(strstr(v.sentence, word));
}

static void test_causes_have_their_own_words(void **state)
{
    (void)state;
    expect_words(after(OK, 408), "timed out");
    expect_words(after(OK, 429), "limits the rate");
    expect_words(after(OK, 503), "not available");
    expect_words(after(OK, 529), "overloaded");
    expect_words(after(OK, 500), "failed");
    expect_words(after(OK, 413), "too large");
    struct retry_facts told = after(OK, 200); /* in the stream */
    told.has_stream_error = true;
    expect_words(told, "ended its reply with");
    told.code = STR("overloaded_error");
    expect_words(told, "overloaded");
    told.code = STR("rate_limit_error");
    expect_words(told, "limits the rate");
    told.tries = 12;
    expect(told, RETRY_AGAIN, ERR_MODEL_UNAVAILABLE);
}

static void test_a_used_up_quota_does_not_pass(void **state)
{
    (void)state;
    struct retry_facts f = after(OK, 429);
    f.code = STR("insufficient_quota");
    expect(f, RETRY_FAIL, ERR_MODEL_REFUSED);
}

static void test_only_words_about_the_request_are_quotable(void **state)
{
    (void)state;
    static const struct {
        int status;
        bool quotable;
    } cases[] = {{400, true},  {404, true},  {413, true},
                 {422, true},  {401, false}, {403, false},
                 {429, false}, {500, false}, {529, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct retry_facts f = after(OK, cases[i].status);
        f.tries = 99;
        assert_int_equal(retry_decide(&f).quotable, cases[i].quotable);
    }
}

static void test_shown_text_is_only_voided_by_who_can(void **state)
{
    (void)state;
    struct retry_facts f = after(ERR_BAD_GATEWAY, 200);
    f.shown = true;
    expect(f, RETRY_FAIL, ERR_BAD_REPLY);
    f.can_restart = true;
    expect(f, RETRY_AGAIN, ERR_BAD_REPLY);
}

static void test_waits_grow_and_are_jittered(void **state)
{
    (void)state;
    unsigned before = 0;
    for (unsigned tries = 1; tries < 3; tries++) {
        struct retry_facts f = after(OK, 503);
        f.tries = tries;
        f.chance = 0;
        unsigned least = retry_decide(&f).wait_ms;
        f.chance = 1;
        unsigned most = retry_decide(&f).wait_ms;
        assert_true(least > before && most > least);
        before = least;
    }
}

static void test_retry_after_is_kept_to(void **state)
{
    (void)state;
    struct retry_facts f = after(OK, 429);
    f.retry_after_ms = 2000;
    struct retry_verdict v = retry_decide(&f);
    assert_int_equal(v.move, RETRY_AGAIN);
    assert_in_range(v.wait_ms, 2000, 2250); /* not all at the same moment */
    assert_string_equal(v.reason, "model_rate_limited");
    f.retry_after_ms = 0;
    assert_in_range(retry_decide(&f).wait_ms, 0, 250);
}

static void test_a_wait_beyond_the_budget_fails_now(void **state)
{
    (void)state;
    static const int64_t long_waits[] = {86400000, 59500, 4000000000LL};
    for (size_t i = 0; i < 3; i++) {
        struct retry_facts f = after(OK, 429);
        f.retry_after_ms = long_waits[i];
        struct retry_verdict v = retry_decide(&f);
        assert_int_equal(v.move, RETRY_FAIL);
        assert_true(v.asks_too_much);
    }
    struct retry_facts f = after(OK, 503);
    f.left_ms = 900;
    expect(f, RETRY_FAIL, ERR_MODEL_UNAVAILABLE);
    assert_false(retry_decide(&f).asks_too_much);
}

static void test_outages_are_told_from_refusals(void **state)
{
    (void)state;
    static const struct {
        enum err how;
        int status;
        bool outage;
    } cases[] = {
        {OK, 500, true},        {OK, 529, true},
        {OK, 408, true},        {ERR_BAD_GATEWAY, 0, 1},
        {ERR_TIMEOUT, 0, true}, {ERR_TIMEOUT, 200, true},
        {OK, 429, false},       {OK, 401, false},
        {OK, 400, false},       {ERR_CANCELLED, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct retry_facts f = after(cases[i].how, cases[i].status);
        assert_int_equal(retry_is_outage(&f), cases[i].outage);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_whole_reply_is_accepted),
        cmocka_unit_test(test_what_may_pass_is_tried_again),
        cmocka_unit_test(test_a_refusal_is_not_tried_again),
        cmocka_unit_test(test_a_cancelled_try_is_the_last),
        cmocka_unit_test(test_an_error_in_the_stream_decides),
        cmocka_unit_test(test_the_server_may_say_whether),
        cmocka_unit_test(test_three_tries_are_all_after_a_failure),
        cmocka_unit_test(test_limits_and_overloads_are_waited_out),
        cmocka_unit_test(test_the_last_wait_leaves_time_for_a_try),
        cmocka_unit_test(test_a_wait_has_a_cap),
        cmocka_unit_test(test_an_empty_promise_is_not_believed_for_ever),
        cmocka_unit_test(test_causes_have_their_own_words),
        cmocka_unit_test(test_a_used_up_quota_does_not_pass),
        cmocka_unit_test(test_only_words_about_the_request_are_quotable),
        cmocka_unit_test(test_shown_text_is_only_voided_by_who_can),
        cmocka_unit_test(test_waits_grow_and_are_jittered),
        cmocka_unit_test(test_retry_after_is_kept_to),
        cmocka_unit_test(test_a_wait_beyond_the_budget_fails_now),
        cmocka_unit_test(test_outages_are_told_from_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
