/* Names as words, their singulars, and the distance of misspelt ones. */
#include "base/edit_distance.h"
#include "base/plural.h"
#include "model_help.h"
#include "words.h"
#include "base/banned.h"

static void test_a_plural_becomes_a_word_that_people_can_read(void **state)
{
    static const char *const pairs[][2] = {
        {"orders", "order"},       {"categories", "category"},
        {"addresses", "address"},  {"boxes", "box"},
        {"branches", "branch"},    {"people", "person"},
        {"criteria", "criterion"}, {"statuses", "status"},
        {"status", "status"},      {"analysis", "analysis"},
        {"series", "series"},      {"ads", "ad"},
        {"ties", "tie"},           {"tie", "tie"},
        {"movies", "movy"},        {"movie", "movy"},
        {"customer", "customer"},  {"", ""}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_str(plural_to_singular(*state, str_of(pairs[i][0])),
                   pairs[i][1]);
}

static void test_edits_and_swaps_are_counted_regardless_of_case(void **state)
{
    char long_name[EDIT_DISTANCE_LONGEST + 2] = "";
    (void)state;
    assert_int_equal(edit_distance(STR("Customers"), STR("custmoers")), 1);
    assert_int_equal(edit_distance(STR("port"), STR("ports")), 1);
    assert_int_equal(edit_distance(STR("kitten"), STR("sitting")), 3);
    assert_int_equal(edit_distance(STR(""), STR("abc")), 3);
    memset(long_name, 'x', EDIT_DISTANCE_LONGEST + 1);
    assert_true(edit_distance(str_of(long_name), STR("x")) == SIZE_MAX);
    long_name[EDIT_DISTANCE_LONGEST] = '\0';
    assert_int_equal(edit_distance(str_of(long_name), STR("x")),
                     EDIT_DISTANCE_LONGEST - 1);
}

static void test_a_name_is_split_where_its_words_begin(void **state)
{
    static const char *const names[] = {"customerID", "CUSTOMER_ID",
                                        "customer id", "CustomerId"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct name_words w = name_words(*state, str_of(names[i]));
        assert_int_equal(w.n, 2);
        assert_str(w.items[0], "customer");
        assert_str(w.items[1], "id");
    }
    struct name_words w = name_words(*state, STR("OrderLines"));
    assert_str(name_joined(*state, &w, 0, w.n), "orderline");
    assert_int_equal(name_words(*state, STR("a_b_c_d_e_f_g_h_i")).n,
                     NAME_WORDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        model_test(test_a_plural_becomes_a_word_that_people_can_read),
        model_test(test_edits_and_swaps_are_counted_regardless_of_case),
        model_test(test_a_name_is_split_where_its_words_begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
