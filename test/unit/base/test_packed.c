/* unpack returns what pack got. */
#include "base/packed.h"
#include "base/buf.h"
#include "base/random.h"
#include "base_test.h"
#include "base/banned.h"

static void comes_back(struct arena *memory, struct str text)
{
    struct packed p = pack(memory, text);
    assert_true(p.bytes.len <= text.len);
    assert_true(str_eq(unpack(&p, memory), text));
    assert_true(str_eq(unpack(&p, memory), text)); /* any number of times */
}

static void test_what_was_packed_comes_back(void **state)
{
    (void)state;
    struct arena memory;
    char noise[5000];
    arena_init(&memory, 0);
    comes_back(&memory, STR(""));
    comes_back(&memory, STR("a"));
    random_bytes(noise, sizeof noise);
    comes_back(&memory, (struct str){noise, sizeof noise});
    struct buf words;
    buf_init(&words, &memory);
    for (int i = 0; i < 40000; i++)
        buf_printf(&words, "Row %d of the answer is %u. ", i,
                   (unsigned)random_below(999));
    comes_back(&memory, buf_view(&words));
    arena_done(&memory);
}

static void test_words_become_small(void **state)
{
    (void)state;
    struct arena memory;
    struct buf words;
    arena_init(&memory, 0);
    buf_init(&words, &memory);
    for (int i = 0; i < 50; i++)
        buf_text(&words, "Revenue by city and month, the latest first. ");
    struct packed p = pack(&memory, buf_view(&words));
    assert_true(p.size == words.len);
    assert_true(p.bytes.len < words.len / 10);
    arena_done(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_packed_comes_back),
        cmocka_unit_test(test_words_become_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
