/* The cache returns what query_analyze found, and only for the same query. */
#include "base/arena.h"
#include "ontology/analysis_cache.h"
#include "ontology/osi.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static const char model_text[] =
    "datasets:\n"
    "- name: orders\n"
    "  table: orders\n"
    "  primary_key: [order_id]\n"
    "  fields: [{name: order_id}, {name: total}]\n"
    "- name: lines\n"
    "  table: lines\n"
    "  primary_key: [line_id]\n"
    "  fields: [{name: line_id}, {name: order_id}, {name: amount}]\n"
    "relationships:\n"
    "- {name: of_order, from: lines, to: orders,\n"
    "   from_columns: [order_id], to_columns: [order_id]}\n";

#define FANS_OUT \
    "select o.order_id, sum(o.total) as revenue from orders o join lines l " \
    "on l.order_id = o.order_id group by o.order_id"

struct judged {
    struct arena arena;
    struct query_findings findings;
    struct query_outline outline;
};

static struct arena models;
static const struct ontology *model;
static struct analysis_cache known;

static int set_up(void **state)
{
    struct ontology *o;
    struct osi_report report;
    (void)state;
    arena_init(&models, 0);
    assert_true(osi_read(&models, str_of(model_text), &o, &report));
    model = o;
    known = (struct analysis_cache){0};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    analysis_cache_done(&known);
    assert_int_equal(known.bytes, 0);
    arena_done(&models);
    return 0;
}

static void judge(struct judged *j, struct analysis_cache *memory,
                  struct str sql)
{
    arena_init(&j->arena, 0);
    analysis_cache_get(memory, &j->arena, model, sql, &j->findings,
                       &j->outline);
}

static void assert_alike(const struct judged *a, const struct judged *b)
{
    assert_int_equal(a->findings.read, b->findings.read);
    assert_int_equal(a->findings.n, b->findings.n);
    for (size_t i = 0; i < a->findings.n; i++) {
        assert_int_equal(a->findings.items[i].kind, b->findings.items[i].kind);
        assert_int_equal(a->findings.items[i].grave,
                         b->findings.items[i].grave);
        assert_true(
            str_eq(a->findings.items[i].message, b->findings.items[i].message));
    }
    assert_int_equal(a->outline.n_outputs, b->outline.n_outputs);
    for (size_t i = 0; i < a->outline.n_outputs; i++) {
        const struct outline_output *x = &a->outline.outputs[i],
                                    *y = &b->outline.outputs[i];
        assert_true(str_eq(x->name, y->name) && x->key == y->key &&
                    x->aggregate == y->aggregate &&
                    x->additive == y->additive && x->print == y->print);
    }
    assert_true(a->outline.read == b->outline.read &&
                a->outline.grouped == b->outline.grouped &&
                a->outline.whole == b->outline.whole &&
                a->outline.from_hash == b->outline.from_hash &&
                a->outline.filter_hash == b->outline.filter_hash);
}

/* The text and memory of the first caller are freed before the second call. */
static void test_what_was_found_outlives_who_asked(void **state)
{
    struct judged fresh, first, again;
    char text[] = FANS_OUT;
    (void)state;
    judge(&fresh, NULL, STR(FANS_OUT));
    assert_true(fresh.findings.n > 0 && fresh.outline.n_outputs == 2);
    judge(&first, &known, (struct str){text, sizeof text - 1});
    memset(text, 'x', sizeof text);
    arena_done(&first.arena);
    assert_int_equal(known.n, 1);
    judge(&again, &known, STR(FANS_OUT));
    assert_int_equal(known.n, 1);
    assert_alike(&fresh, &again);
    arena_done(&again.arena);
    judge(&again, &known, STR(FANS_OUT));
    assert_alike(&fresh, &again);
    arena_done(&again.arena);
    arena_done(&fresh.arena);
}

static void test_another_text_is_judged_by_itself(void **state)
{
    struct judged j;
    (void)state;
    judge(&j, &known, STR(FANS_OUT));
    arena_done(&j.arena);
    judge(&j, &known, STR("select o.total from orders o"));
    assert_int_equal(known.n, 2);
    assert_int_equal(j.findings.n, 0);
    assert_int_equal(j.outline.n_outputs, 1);
    arena_done(&j.arena);
    judge(&j, &known, STR("select ("));
    assert_false(j.findings.read);
    arena_done(&j.arena);
}

static void test_a_few_are_held_and_large_texts_are_not(void **state)
{
    struct judged j;
    char text[ANALYSIS_TEXT_MOST + 64];
    (void)state;
    for (int i = 0; i < 3 * ANALYSIS_CACHE_SIZE; i++) {
        int n = snprintf(text, sizeof text, "select %d as n from orders", i);
        judge(&j, &known, (struct str){text, (size_t)n});
        assert_true(j.findings.read);
        arena_done(&j.arena);
    }
    size_t held = 0;
    for (int i = 0; i < ANALYSIS_CACHE_SIZE; i++)
        held += known.held[i] != NULL;
    assert_int_equal(held, ANALYSIS_CACHE_SIZE);
    assert_true(known.bytes <= ANALYSIS_CACHE_SIZE * ANALYSIS_MOST);
    int n = snprintf(text, sizeof text, "select 1 as n from orders%*s",
                     ANALYSIS_TEXT_MOST, "");
    judge(&j, &known, (struct str){text, (size_t)n});
    assert_true(j.findings.read);
    assert_int_equal(known.n, 3 * ANALYSIS_CACHE_SIZE);
    arena_done(&j.arena);
}

/* One column of a relationship alone is no join along it. */
static void test_the_joins_of_a_query_are_listed(void **state)
{
    (void)state;
    struct judged joined, again, apart;
    static const char text[] =
        "select sum(l.amount) as n from lines l where l.order_id in (1, 2) and "
        "exists (select 1 from orders o where o.total > 5)";
    judge(&joined, &known, STR(FANS_OUT));
    judge(&again, &known, STR(FANS_OUT));
    judge(&apart, &known, str_of(text));
    assert_int_equal(joined.outline.n_joins, 1);
    assert_int_equal(joined.outline.joins[0], 0);
    assert_int_equal(again.outline.n_joins, 1);
    assert_int_equal(apart.outline.n_joins, 0);
    assert_true(apart.outline.read);
    arena_done(&joined.arena);
    arena_done(&again.arena);
    arena_done(&apart.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_was_found_outlives_who_asked,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_another_text_is_judged_by_itself,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_few_are_held_and_large_texts_are_not, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_joins_of_a_query_are_listed,
                                        set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
