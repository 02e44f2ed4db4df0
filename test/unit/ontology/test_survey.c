/* Dates and values of a source: queries, rows, words that name values, text. */
#include "model_help.h"
#include "ontology/survey.h"
#include "base/banned.h"

static const char text[] =
    "name: shop\n"
    "datasets:\n"
    "- name: customers\n"
    "  source: public.customers\n"
    "  fields:\n"
    "  - {name: id, expression: id, datatype: Integer}\n"
    "  - {name: city, expression: city, datatype: String}\n"
    "  - {name: segment, expression: '\"Seg ment\"', datatype: varchar(20)}\n"
    "  - {name: initial, expression: \"left(city, 1)\", datatype: String}\n"
    "  - {name: joined_on, expression: joined_on, datatype: Date}\n"
    "  - {name: seen_at, expression: seen_at, datatype: Timestamp}\n"
    "- {name: plain, source: public.plain,\n"
    "   fields: [{name: n, expression: n, datatype: Integer}]}\n";

enum { CITY = 1, SEGMENT = 2, JOINED = 4 };

static struct buf out;

static const struct ontology *shop(struct arena *arena)
{
    buf_init(&out, arena);
    return model_read(arena, str_of(text));
}

static struct survey_words words_of(const char *question)
{
    struct survey_words words;
    survey_words_of(str_of(question), &words);
    return words;
}

/* ---- queries ------------------------------------------------------------ */

static void test_first_and_last_dates_are_asked_in_one_query(void **state)
{
    struct surveyed_dataset d = {0};
    struct str sql = survey_times_sql(*state, shop(*state), 0, &d);
    assert_str(sql, "select min(joined_on)::text, max(joined_on)::text, "
                    "min(seen_at)::text, max(seen_at)::text from "
                    "\"public\".\"customers\" as t");
    assert_int_equal(d.n_times, 2);
    assert_int_equal(d.times[0].field, JOINED);
}

static void test_a_dataset_without_text_or_dates_is_not_asked(void **state)
{
    struct surveyed_dataset d = {0};
    const struct ontology *o = shop(*state);
    assert_int_equal(survey_times_sql(*state, o, 1, &d).len, 0);
    assert_int_equal(survey_values_sql(*state, o, 1, &d).len, 0);
}

static void test_values_are_those_of_columns_with_text(void **state)
{
    struct surveyed_dataset d = {0};
    struct str sql = survey_values_sql(*state, shop(*state), 0, &d);
    assert_int_equal(d.n_fields, 2); /* not of an expression */
    assert_int_equal(d.fields[1].field, SEGMENT);
    assert_true(str_find(sql, STR("city as c0, \"Seg ment\" as c1")) > 0);
    assert_true(str_find(sql, STR("limit 20000")) > 0);
}

static void
test_a_search_asks_for_words_of_fields_that_are_not_whole(void **state)
{
    struct surveyed_dataset d = {0};
    const struct ontology *o = shop(*state);
    struct survey_words w = words_of("customers of Austin'; drop table x");
    const size_t only[] = {0};
    survey_values_sql(*state, o, 0, &d);
    survey_words_mark(&w, o, only, 1);
    d.fields[1].whole = true;
    struct str sql = survey_search_sql(*state, o, 0, &d, &w);
    assert_true(str_find(sql, STR("c0::text ilike '%Austin%' or c0::text ilike "
                                  "'%drop%'")) > 0);
    assert_true(str_find(sql, STR("c1::text")) < 0);
    assert_true(str_find(sql, STR("%customers%")) < 0);
    d.fields[0].whole = true;
    assert_int_equal(survey_search_sql(*state, o, 0, &d, &w).len, 0);
}

/* ---- rows --------------------------------------------------------------- */

static struct survey survey;

static struct surveyed_dataset *looked_at(struct arena *arena,
                                          const struct ontology *o,
                                          const struct str *cells, int rows)
{
    struct surveyed_dataset seen = {0};
    const struct str dates[] = {
        STR("2020-01-31"), STR("2025-06-30"), {NULL, 0}, {NULL, 0}};
    survey_times_sql(arena, o, 0, &seen);
    survey_values_sql(arena, o, 0, &seen);
    struct surveyed_dataset *d = survey_begin_dataset(&survey, o, 0, &seen, 7);
    survey_keep_times(d, dates, 4);
    survey_keep_values(d, cells, rows, 3);
    survey_end_dataset(&survey, d);
    return d;
}

#define ROW(field, value, rows) STR(field), STR(value), STR(rows)
static const struct str cells[] = {ROW("-1", "", "30"),
                                   ROW("0", "Austin", "20"),
                                   ROW("0", "San Jos\xc3\xa9", "6"),
                                   ROW("0", "O'Fallon\n```", "4"),
                                   ROW("0", "12345", "1"),
                                   ROW("1", "Home", "18"),
                                   ROW("1", "Office", "12"),
                                   ROW("9", "of no field", "1"),
                                   ROW("x", "of no number", "1")};

static void test_dates_are_told_where_there_are_any(void **state)
{
    const struct ontology *o = shop(*state);
    const struct surveyed_dataset *d = looked_at(*state, o, cells, 9);
    survey_put_times(o, 0, d, &out);
    assert_str(buf_view(&out),
               "- customers.joined_on: 2020-01-31 to 2025-06-30\n");
    assert_ptr_equal(survey_of(&survey, 0), d);
    assert_null(survey_of(&survey, 1));
    assert_null(survey_of(&survey, 99));
    assert_true(survey.bytes > 0);
    survey_free(&survey);
}

static void test_lists_are_of_values_that_repeat_and_are_short(void **state)
{
    const struct ontology *o = shop(*state);
    const struct str once[] = {ROW("-1", "", "4"), ROW("0", "Ann", "1"),
                               ROW("0", "Bob", "1"), ROW("1", "Home", "1"),
                               ROW("1", "Office", "1")};
    const struct surveyed_dataset *d = looked_at(*state, o, once, 5);
    survey_put_few(o, 0, d, 1, &out); /* of the first field only */
    assert_str(buf_view(&out), "- customers.city has only: 'Ann', 'Bob'\n");
    buf_clear(&out);
    const struct str others[] = {
        ROW("-1", "", "40"), ROW("0", "Ann", "9"), ROW("0", "12", "9"),
        ROW("1", "a text that is rather long for a list of values", "9"),
        ROW("1", "Office", "9")};
    d = looked_at(*state, o, others, 5);
    survey_put_few(o, 0, d, 1, &out); /* a number is missing; one is long */
    assert_int_equal(out.len, 0);
    survey_free(&survey);
}

static void test_few_values_are_shown_quoted(void **state)
{
    const struct ontology *o = shop(*state);
    struct surveyed_dataset *d = looked_at(*state, o, cells, 9);
    d->fields[0].distinct--; /* but for the one without a letter */
    survey_put_few(o, 0, d, 1, &out);
    assert_str(buf_view(&out),
               "- customers.city has only: 'Austin', 'San Jos\xc3\xa9', "
               "'O''Fallon ``'\n"
               "- customers.segment has only: 'Home', 'Office'\n");
    buf_clear(&out);
    survey_put_few(o, 0, d, SURVEY_GROUP, &out); /* only groups of rows */
    assert_str(buf_view(&out),
               "- customers.segment has only: 'Home', 'Office'\n");
    survey_free(&survey);
}

static void test_a_table_that_was_not_read_to_its_end_is_not_whole(void **state)
{
    const struct ontology *o = shop(*state);
    const struct str some[] = {ROW("-1", "", "20000"), ROW("0", "Austin", "2"),
                               ROW("0", "Waco", "1")};
    const struct surveyed_dataset *d = looked_at(*state, o, some, 3);
    assert_false(d->fields[0].whole);
    survey_put_few(o, 0, d, 1, &out);
    assert_str(buf_view(&out), "- customers.city has, in the rows looked at: "
                               "'Austin', 'Waco'\n");
    survey_free(&survey);
}

static void test_rows_of_another_form_are_left_out(void **state)
{
    const struct ontology *o = shop(*state);
    struct surveyed_dataset *d = looked_at(*state, o, cells, 0);
    survey_keep_values(d, cells, 1, 2);
    assert_int_equal(d->fields[0].n, 0);
    survey_keep_times(d, NULL, 0);
    const struct str of_text[] = {STR("Ann"), STR("Zoe")};
    survey_keep_times(d, of_text, 2);
    assert_str(d->times[0].first, "2020-01-31");
    survey_free(&survey);
}

/* ---- words -------------------------------------------------------------- */

static void test_words_are_those_that_may_name_a_value(void **state)
{
    (void)state;
    struct survey_words w =
        words_of("How many orders in \xe2\x80\x9c"
                 "Austin\xe2\x80\x9d, AUSTIN and M\xc3\xbcnchen in 2024?");
    assert_int_equal(w.n, 4);
    assert_str(w.items[3], "2024");
    assert_true(w.of_model[3]);
    assert_str(w.items[0], "orders");
    assert_str(w.items[1], "Austin");
    assert_str(w.items[2], "M\xc3\xbcnchen");
}

static void test_a_long_question_has_a_bounded_number_of_words(void **state)
{
    struct buf question;
    struct survey_words w;
    buf_init(&question, *state);
    for (int i = 0; i < 2000; i++)
        buf_printf(&question, "word%d \xe2\x80", i);
    survey_words_of(buf_view(&question), &w);
    assert_int_equal(w.n, SURVEY_WORDS);
}

/* ---- hints -------------------------------------------------------------- */

static bool named(const char *question, const char *value)
{
    struct survey_words w = words_of(question);
    struct value_hints h;
    value_hints_begin(&h);
    value_hints_offer(&h, &w, 0, CITY, str_of(value));
    return h.n > 0;
}

static void test_a_value_is_named_exactly_or_nearly(void **state)
{
    (void)state;
    static const struct {
        const char *question, *value;
        bool named;
    } cases[] = {
        {"orders from austin", "Austin", true},
        {"orders from Asutin", "Austin", true},
        {"orders from Philadelfia", "Philadelphia", true},
        {"orders of gift cards", "gift_card", true},
        {"the Quail store", "Oklahoma City Quail", true},
        {"orders that were paid", "Pair", false},
        {"sales by country", "69 Salem Street", false},
        {"revenue in 2024", "Plan 2024", false},
        {"orders from austin", "Boston", false},
        {"orders by month", "The Month", false},
        {"orders", "", false},
        {"orders", "--- !!", false},
        {"", "Austin", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (named(cases[i].question, cases[i].value) != cases[i].named)
            fail_msg("%s: %s", cases[i].question, cases[i].value);
}

static void test_a_word_of_the_model_names_no_value_alone(void **state)
{
    const struct ontology *o = shop(*state);
    const size_t only[] = {0};
    struct survey_words w = words_of("customers by city in Oklahoma");
    struct value_hints h;
    survey_words_mark(&w, o, only, 1);
    value_hints_begin(&h);
    value_hints_offer(&h, &w, 0, CITY, STR("Kansas City"));
    assert_int_equal(h.n, 0);
    value_hints_offer(&h, &w, 0, CITY, STR("Oklahoma City"));
    value_hints_offer(&h, &w, 0, CITY, STR("City")); /* said whole */
    assert_int_equal(h.n, 2);
}

static void test_the_best_hints_are_kept_and_few_of_a_field(void **state)
{
    struct arena *arena = *state;
    struct survey_words w = words_of("orders from Austin");
    struct value_hints h;
    value_hints_begin(&h);
    for (int i = 0; i < 100; i++)
        value_hints_offer(&h, &w, 0, CITY,
                          arena_printf(arena, "Austin street number %d", i));
    value_hints_offer(&h, &w, 0, CITY, STR("Austin"));
    value_hints_offer(&h, &w, 0, CITY, STR("Austin"));
    assert_int_equal(h.n, SURVEY_HINTS_A_FIELD);
    assert_str(h.items[0].text, "Austin");
    for (size_t field = 0; field < 100; field++)
        value_hints_offer(&h, &w, 1, field, STR("Austin"));
    assert_int_equal(h.n, SURVEY_HINTS);
}

static void test_comparisons_are_bounded(void **state)
{
    struct arena *arena = *state;
    struct survey_words w = words_of("austinxxabcdefghijklm");
    struct value_hints h;
    value_hints_begin(&h);
    for (int i = 0; i < 50000; i++)
        value_hints_offer(&h, &w, 0, CITY,
                          arena_printf(arena, "austin%05dabcdefghij", i));
    assert_int_equal(h.left, 0);
    value_hints_offer(&h, &w, 0, CITY, STR("AUSTINXXABCDEFGHIJKLM"));
    assert_str(h.items[0].text, "AUSTINXXABCDEFGHIJKLM");
}

static void test_a_number_decides_between_values(void **state)
{
    (void)state;
    struct survey_words w = words_of("revenue of chair 2");
    struct value_hints h;
    value_hints_begin(&h);
    value_hints_offer(&h, &w, 0, CITY, STR("Chair 1"));
    value_hints_offer(&h, &w, 0, CITY, STR("Chair 2"));
    assert_str(h.items[0].text, "Chair 2");
    assert_str(survey_stem(STR("Lamps")), "Lamp");
    assert_str(survey_stem(STR("categories")), "categor");
    assert_str(survey_stem(STR("Austin")), "Austin");
}

static void test_hints_of_a_field_share_a_line(void **state)
{
    const struct ontology *o = shop(*state);
    struct survey_words w = words_of("home in Austin or San Jos\xc3\xa9");
    struct value_hints h;
    const struct surveyed_dataset *d = looked_at(*state, o, cells, 9);
    value_hints_begin(&h);
    value_hints_offer_all(&h, &w, 0, d, 1);
    survey_put_hints(o, &h, &out);
    assert_str(buf_view(&out), "- customers.city: 'Austin', 'San Jos\xc3\xa9'\n"
                               "- customers.segment: 'Home'\n");
    value_hints_begin(&h);
    value_hints_offer_all(&h, &w, 0, d, 10);
    assert_int_equal(h.n, 2); /* San José has fewer rows */
    survey_free(&survey);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        model_test(test_first_and_last_dates_are_asked_in_one_query),
        model_test(test_a_dataset_without_text_or_dates_is_not_asked),
        model_test(test_values_are_those_of_columns_with_text),
        model_test(test_a_search_asks_for_words_of_fields_that_are_not_whole),
        model_test(test_dates_are_told_where_there_are_any),
        model_test(test_lists_are_of_values_that_repeat_and_are_short),
        model_test(test_few_values_are_shown_quoted),
        model_test(test_a_table_that_was_not_read_to_its_end_is_not_whole),
        model_test(test_rows_of_another_form_are_left_out),
        model_test(test_words_are_those_that_may_name_a_value),
        model_test(test_a_long_question_has_a_bounded_number_of_words),
        model_test(test_a_value_is_named_exactly_or_nearly),
        model_test(test_a_word_of_the_model_names_no_value_alone),
        model_test(test_the_best_hints_are_kept_and_few_of_a_field),
        model_test(test_comparisons_are_bounded),
        model_test(test_a_number_decides_between_values),
        model_test(test_hints_of_a_field_share_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
