/* Finding the datasets of a question. */
#include "model_help.h"
#include "ontology/similarity.h"
#include <math.h>
#include "../leave_out.h"
#include "base/banned.h"

static float likeness(const char *a, const char *b)
{
    float x[LEXICAL_DIMENSIONS], y[LEXICAL_DIMENSIONS];
    lexical_embed(str_of(a), x);
    lexical_embed(str_of(b), y);
    return cosine(x, y, LEXICAL_DIMENSIONS);
}

static void search_all(struct arena *arena, struct similarity *s)
{
    similarity_begin(arena, s);
    while (similarity_continue(s, SIZE_MAX))
        continue;
}

static void test_forms_of_a_word_are_one_word(void **state)
{
    static const char *const pairs[][2] = {
        {"orders", "order"},       {"categories", "category"},
        {"movies", "movie"},       {"boxes", "box"},
        {"branches", "branch"},    {"addresses", "address"},
        {"purchased", "purchase"}, {"purchasing", "purchase"},
        {"shipped", "ship"},       {"billing", "bill"},
        {"ORDERS", "orders"},      {"companies", "company"},
        {"sales", "sale"},         {"status", "status"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (likeness(pairs[i][0], pairs[i][1]) < 0.999f)
            fail_msg("%s, %s: %g", pairs[i][0], pairs[i][1],
                     (double)likeness(pairs[i][0], pairs[i][1]));
}

static void test_identifiers_fall_apart(void **state)
{
    (void)state;
    assert_true(likeness("shippingAddress", "shipping address") > 0.999f);
    assert_true(likeness("shipping_address", "ShippingAddress") > 0.999f);
    assert_true(likeness("HTTPServer", "http server") > 0.999f);
    assert_true(likeness("address22line", "address 22 line") > 0.999f);
}

static void test_words_that_differ_are_not_alike(void **state)
{
    (void)state;
    assert_true(fabsf(likeness("customer", "warehouse")) < 0.2f);
    assert_true(likeness("inventory", "inventories held") > 0.6f);
    assert_true(likeness("warehouses", "warehousekeeper") > 0.1f);
}

static void test_a_text_without_words_is_all_zeros(void **state)
{
    float v[LEXICAL_DIMENSIONS];
    (void)state;
    lexical_embed(STR("the of -- ? a"), v);
    for (size_t i = 0; i < LEXICAL_DIMENSIONS; i++)
        assert_true(v[i] == 0);
    lexical_embed((struct str){NULL, 0}, v);
    assert_true(cosine(v, v, LEXICAL_DIMENSIONS) == 0);
}

static void test_a_vector_has_length_one_and_is_always_the_same(void **state)
{
    float v[LEXICAL_DIMENSIONS], w[LEXICAL_DIMENSIONS];
    double sum = 0;
    (void)state;
    lexical_embed(STR("revenue of customers by region"), v);
    lexical_embed(STR("revenue of customers by region"), w);
    assert_memory_equal(v, w, sizeof v);
    for (size_t i = 0; i < LEXICAL_DIMENSIONS; i++)
        sum += (double)v[i] * v[i];
    assert_true(fabs(sum - 1) < 1e-5);
}

/* Vectors are stored. When this fails, LEXICAL_VERSION must be raised. */
static void test_vectors_are_those_of_this_version(void **state)
{
    float v[LEXICAL_DIMENSIONS];
    long sum = 0;
    (void)state;
    lexical_embed(STR("Purchases of customers by region, 2024"), v);
    for (size_t i = 0; i < LEXICAL_DIMENSIONS; i++)
        sum += lroundf(v[i] * 100) * (long)(i + 1);
    assert_int_equal(LEXICAL_VERSION, 2);
    assert_int_equal(sum, -5594);
}

static void test_long_and_foreign_words_do_no_harm(void **state)
{
    struct buf text;
    float v[LEXICAL_DIMENSIONS];
    buf_init(&text, *state);
    for (int i = 0; i < 100000; i++)
        buf_char(&text, 'x');
    lexical_embed(buf_view(&text), v);
    assert_true(likeness("\xc3\x9cmsatz je Quartal", "\xc3\x9cmsatz") > 0.4f);
}

static void test_cosines_are_exact_for_any_length(void **state)
{
    float a[23], b[23];
    (void)state;
    for (size_t n = 1; n <= 23; n++) {
        double ab = 0, aa = 0, bb = 0;
        for (size_t i = 0; i < n; i++) {
            a[i] = (float)((int)(i * 7 % 5) - 2) + 0.5f;
            b[i] = (float)((int)(i * 3 % 7) - 3);
            ab += (double)a[i] * b[i];
            aa += (double)a[i] * a[i];
            bb += (double)b[i] * b[i];
        }
        assert_true(fabs(cosine(a, b, n) - ab / sqrt(aa * bb)) < 1e-5);
        assert_true(fabs(cosine(a, a, n) - 1.0) < 1e-5);
    }
    a[0] = NAN;
    assert_true(cosine(a, b, 23) == 0);
}

static void test_the_best_come_first_and_ties_go_by_name(void **state)
{
    const struct ontology *o = model_read(
        *state, STR("[{name: c, table: c}, {name: a, table: a}, {name: b, "
                    "table: b}, {name: d, table: d}]"));
    static const float vectors[] = {1, 0, 0, 1, 1, 0, 0, 0};
    static const float query[] = {2, 0};
    struct similarity s = {.ontology = o,
                           .vectors = vectors,
                           .dimensions = 2,
                           .query = query,
                           .top_k = 10};
    search_all(*state, &s);
    assert_int_equal(s.n_best, 4);
    assert_int_equal(s.best[0].dataset, 2);
    assert_int_equal(s.best[1].dataset, 0);
    assert_int_equal(s.best[2].dataset, 1);
    assert_true(s.best[0].score == 1 && s.best[3].score == 0);
    s.top_k = 1;
    search_all(*state, &s);
    assert_int_equal(s.n_best, 1);
    assert_int_equal(s.best[0].dataset, 2);
    s.top_k = 0;
    search_all(*state, &s);
    assert_int_equal(s.n_best, 0);
}

static void test_a_search_in_pieces_finds_what_the_whole_finds(void **state)
{
    enum { DATASETS = 40, DIMENSIONS = 37 };
    struct buf text;
    struct similarity whole, pieces;
    float *vectors = arena_new_array(*state, float, DATASETS *DIMENSIONS);
    unsigned seed = 7;
    buf_init(&text, *state);
    for (int i = 0; i < DATASETS; i++)
        buf_printf(&text, "%s{name: d%d, table: t%d}", i ? ", " : "[", i, i);
    buf_char(&text, ']');
    for (size_t i = 0; i < DATASETS * DIMENSIONS; i++) {
        seed = seed * 1103515245u + 12345u;
        vectors[i] = (float)((int)(seed >> 16) % 200 - 100);
    }
    whole = (struct similarity){.ontology = model_read(*state, buf_view(&text)),
                                .vectors = vectors,
                                .dimensions = DIMENSIONS,
                                .query = vectors + 5 * DIMENSIONS,
                                .top_k = 9};
    pieces = whole;
    search_all(*state, &whole);
    similarity_begin(*state, &pieces);
    int turns = 1;
    while (similarity_continue(&pieces, 3 * DIMENSIONS))
        turns++;
    assert_int_equal(turns, 14);
    assert_int_equal(pieces.n_best, 9);
    assert_int_equal(pieces.best[0].dataset, 5);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(pieces.best[i].dataset, whole.best[i].dataset);
}

struct asked {
    const char *question, *dataset;
};

/* Tries all questions; a failure lists those whose dataset was not found. */
static void finds_all(struct arena *arena, const struct ontology *o,
                      const struct asked *asked, size_t n)
{
    float query[LEXICAL_DIMENSIONS];
    const float *vectors = ontology_lexical_vectors(arena, o);
    struct buf missed;
    buf_init(&missed, arena);
    for (size_t i = 0; i < n; i++) {
        struct similarity s = {.ontology = o,
                               .vectors = vectors,
                               .dimensions = LEXICAL_DIMENSIONS,
                               .query = query,
                               .top_k = 1};
        lexical_embed(str_of(asked[i].question), query);
        search_all(arena, &s);
        struct str name = o->datasets[s.best[0].dataset].name;
        if (!str_is(name, asked[i].dataset))
            buf_printf(&missed, "%s: %.*s\n", asked[i].question, STR_ARG(name));
    }
    assert_string_equal(buf_cstr(&missed), "");
}

static void test_questions_find_their_dataset_in_tpcds(void **state)
{
    static const struct asked asked[] = {
        {"Which shoppers have an email address?", "customer"},
        {"total sales by month", "store_sales"},
        {"What was the net profit last year?", "store_sales"},
        {"List all branches in Texas", "store"},
        {"How many employees work in each store?", "store"},
        {"Which product brands are most expensive?", "item"},
        {"products by category", "item"},
        {"What is the current price of each item?", "item"},
        {"Show quarterly calendar", "date_dim"},
        {"customer full names", "customer"},
        {"average quantity of units sold", "store_sales"},
        {"Where are our retail locations?", "store"},
        {"Which days are in fiscal quarter 2024Q1?", "date_dim"},
        {"Find the customer with number 1234", "customer"},
        {"SKU of merchandise in the department shoes", "item"},
    };
    struct str text = model_shared(*state, "osi/tpcds-1.0.yaml");
    if (!text.len)
        leave_out("SEXTANT_SHARED_DATA is not set");
    finds_all(*state, model_read(*state, text), asked,
              sizeof asked / sizeof *asked);
}

static void test_questions_find_their_dataset_in_the_demo(void **state)
{
    static const struct asked asked[] = {
        {"Which stores are in Houston?", "stores"},
        {"How many employees does each branch have?", "stores"},
        {"Which customers joined in 2024?", "customers"},
        {"List clients in the corporate segment", "customers"},
        {"loyalty members by home city", "customers"},
        {"What are the most expensive products?", "products"},
        {"Which brands do we sell?", "products"},
        {"unit cost of goods by category", "products"},
        {"How many orders were cancelled?", "orders"},
        {"orders by payment method", "orders"},
        {"Which sales channel is used most, online or in store?", "orders"},
        {"average discount percent per order line", "order_items"},
        {"What quantity was sold per line item?", "order_items"},
        {"How many days did stockouts last?", "stockouts"},
        {"days of outage per month", "stockouts"},
    };
    struct str text = model_demo(*state);
    if (!text.len)
        leave_out("SEXTANT_SHARED_DATA is not set");
    finds_all(*state, model_read(*state, text), asked,
              sizeof asked / sizeof *asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        model_test(test_forms_of_a_word_are_one_word),
        model_test(test_identifiers_fall_apart),
        model_test(test_words_that_differ_are_not_alike),
        model_test(test_a_text_without_words_is_all_zeros),
        model_test(test_a_vector_has_length_one_and_is_always_the_same),
        model_test(test_vectors_are_those_of_this_version),
        model_test(test_long_and_foreign_words_do_no_harm),
        model_test(test_cosines_are_exact_for_any_length),
        model_test(test_the_best_come_first_and_ties_go_by_name),
        model_test(test_a_search_in_pieces_finds_what_the_whole_finds),
        model_test(test_questions_find_their_dataset_in_tpcds),
        model_test(test_questions_find_their_dataset_in_the_demo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
