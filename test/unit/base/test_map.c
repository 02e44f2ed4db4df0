/* Lookup, order, removal and growth of the map. */
#include "base/map.h"
#include "base/random.h"
#include "base_test.h"
#include "base/banned.h"

enum { MANY = 3000 };

static char keys[MANY][16];
static int values[MANY];

static struct str key(int i)
{
    snprintf(keys[i], sizeof keys[i], "key %d", i);
    return str_of(keys[i]);
}

static void test_what_was_put_is_found_in_its_order(void **state)
{
    (void)state;
    struct map m;
    map_init(&m, NULL);
    assert_null(map_get(&m, STR("none")));
    assert_null(map_remove(&m, STR("none")));
    assert_null(map_next(&m, NULL));
    for (int i = 0; i < MANY; i++)
        map_put(&m, key(i), &values[i]);
    assert_int_equal(m.count, MANY);
    int i = 0;
    for (struct map_entry *e = NULL; (e = map_next(&m, e)); i++) {
        assert_ptr_equal(e->value, &values[i]);
        assert_ptr_equal(map_get(&m, key(i)), &values[i]);
    }
    assert_int_equal(i, MANY);
    map_put(&m, key(5), &values[6]);
    assert_ptr_equal(map_get(&m, key(5)), &values[6]);
    assert_int_equal(m.count, MANY);
    map_done(&m);
    assert_int_equal(m.count, 0);
}

static void test_keys_may_be_empty_or_hold_a_nul(void **state)
{
    (void)state;
    struct map m;
    map_init(&m, NULL);
    map_put(&m, STR(""), &values[0]);
    map_put(&m, STR("a\0b"), &values[1]);
    map_put(&m, STR("a\0c"), &values[2]);
    assert_ptr_equal(map_get(&m, (struct str){NULL, 0}), &values[0]);
    assert_ptr_equal(map_get(&m, STR("a\0b")), &values[1]);
    assert_null(map_get(&m, STR("a")));
    map_done(&m);
}

/* After one of eight was removed, growth must keep the table searchable. */
static void test_the_map_grows_after_a_removal(void **state)
{
    (void)state;
    for (int removed = 1; removed <= 8; removed++) {
        struct map m;
        map_init(&m, NULL);
        for (int i = 0; i < 8; i++)
            map_put(&m, key(i), &values[i]);
        for (int i = 0; i < removed; i++)
            assert_ptr_equal(map_remove(&m, key(i)), &values[i]);
        for (int i = 8; i < 200; i++)
            map_put(&m, key(i), &values[i]);
        for (int i = 0; i < 200; i++)
            assert_ptr_equal(map_get(&m, key(i)),
                             i < removed ? NULL : &values[i]);
        map_done(&m);
    }
}

/* Random operations, compared with a plain array. */
static void test_any_order_of_changes_is_kept_track_of(void **state)
{
    (void)state;
    enum { KEYS = 97, CHANGES = 40000 };
    bool there[KEYS] = {false};
    size_t count = 0;
    struct map m;
    map_init(&m, NULL);
    for (int n = 0; n < CHANGES; n++) {
        int i = (int)random_below(KEYS);
        if (random_below(2)) {
            map_put(&m, key(i), &values[i]);
            count += !there[i];
            there[i] = true;
        } else {
            assert_ptr_equal(map_remove(&m, key(i)),
                             there[i] ? &values[i] : NULL);
            count -= there[i];
            there[i] = false;
        }
        assert_int_equal(m.count, count);
        int other = (int)random_below(KEYS);
        assert_ptr_equal(map_get(&m, key(other)),
                         there[other] ? &values[other] : NULL);
    }
    assert_true(m.cap_entries < 1024); /* growth drops removed entries */
    map_done(&m);
}

static void test_a_map_lives_in_an_arena_as_well(void **state)
{
    (void)state;
    struct arena a;
    struct map m;
    arena_init(&a, 0);
    map_init(&m, &a);
    for (int i = 0; i < 500; i++)
        map_put(&m, key(i), &values[i]);
    for (int i = 0; i < 500; i++)
        assert_ptr_equal(map_get(&m, key(i)), &values[i]);
    map_done(&m);
    arena_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_put_is_found_in_its_order),
        cmocka_unit_test(test_keys_may_be_empty_or_hold_a_nul),
        cmocka_unit_test(test_the_map_grows_after_a_removal),
        cmocka_unit_test(test_any_order_of_changes_is_kept_track_of),
        cmocka_unit_test(test_a_map_lives_in_an_arena_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
