/* jansson reads what the writer writes. */
#include "base/json.h"
#include "base/random.h"
#include "base/utf8.h"
#include "base_test.h"
#include <math.h>
#include "base/banned.h"

static struct buf out;
static struct json_writer writer;

static int setup(void **state)
{
    (void)state;
    buf_init(&out, NULL);
    json_writer_init(&writer, &out);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    buf_done(&out);
    return 0;
}

static void test_commas_stand_between_and_nowhere_else(void **state)
{
    (void)state;
    struct json_writer *w = &writer;
    json_put_object(w);
    json_field_int(w, "a", -1);
    json_put_key(w, "b");
    json_put_array(w);
    json_put_null(w);
    json_put_object(w);
    json_put_object_end(w);
    json_put_array(w);
    json_put_array_end(w);
    json_put_bool(w, true);
    json_put_array_end(w);
    json_field_text(w, "c", NULL);
    json_field_raw(w, "d", STR("[1]"));
    json_field_null(w, "e");
    json_field_bool(w, "f", false);
    json_field_strs(w, "g", (struct str[]){STR("x"), STR("\"")}, 2);
    json_field_strs(w, "h", NULL, 0);
    json_put_object_end(w);
    assert_string_equal(buf_cstr(&out),
                        "{\"a\":-1,\"b\":[null,{},[],true],\"c\":null,"
                        "\"d\":[1],\"e\":null,\"f\":false,"
                        "\"g\":[\"x\",\"\\\"\"],\"h\":[]}");
}

/* Sixteen bytes are examined at a time: each position must be checked. */
static void test_a_special_byte_is_found_wherever_it_stands(void **state)
{
    (void)state;
    static const char specials[] = "\"\\\n\t\x01\x1f\x7f";
    for (const char *c = specials; *c; c++)
        for (size_t at = 0; at < 45; at++) {
            char text[45];
            memset(text, at % 2 ? 'x' : ' ', sizeof text);
            text[at] = *c;
            buf_clear(&out);
            json_quote(&out, (struct str){text, sizeof text});
            assert_true(memchr(out.ptr + 1, '\\', out.len - 2));
            json_t *back = json_loadb(out.ptr, out.len, JSON_DECODE_ANY, NULL);
            assert_true(json_string_length(back) == sizeof text &&
                        !memcmp(json_string_value(back), text, sizeof text));
            json_decref(back);
        }
}

static void test_every_byte_can_be_quoted_and_read_again(void **state)
{
    (void)state;
    for (int c = 1; c < 256; c++) {
        char text[3] = {'a', (char)c, 'b'};
        struct str s = {text, 3};
        buf_clear(&out);
        json_quote(&out, s);
        json_t *v = json_read(buf_view(&out), NULL);
        assert_non_null(v);
        if (c < 0x80)
            assert_true(str_eq(json_text(v), s));
        else
            assert_true(str_is(json_text(v), "a\xef\xbf\xbd"
                                             "b"));
        for (size_t i = 0; i < out.len; i++)
            assert_true((unsigned char)out.ptr[i] >= 0x20);
        json_decref(v);
    }
}

/* PostgreSQL refuses U+0000 in text. */
static void test_a_nul_is_written_as_a_replacement(void **state)
{
    (void)state;
    json_quote(&out, (struct str){"a\0b", 3});
    assert_string_equal(buf_cstr(&out), "\"a\\ufffdb\"");
}

static void test_random_bytes_are_written_as_valid_json(void **state)
{
    (void)state;
    for (int n = 0; n < 2000; n++) {
        unsigned char bytes[40];
        random_bytes(bytes, sizeof bytes);
        if (n % 2) /* mostly ASCII, so that escapes form */
            for (size_t i = 0; i < sizeof bytes; i += 1 + bytes[i] % 3)
                bytes[i] &= 0x7f;
        buf_clear(&out);
        json_quote(&out, (struct str){(char *)bytes, sizeof bytes});
        assert_true(utf8_valid(buf_view(&out)));
        json_t *v = json_read(buf_view(&out), NULL);
        assert_non_null(v);
        json_decref(v);
    }
}

static void test_reals_keep_their_value(void **state)
{
    (void)state;
    static const double reals[] = {0,      -0.0,    0.1,    1.0 / 3,
                                   1e-300, 1.7e308, 5e-324, 123456789.125,
                                   -2.5,   1e15,    1e21};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        buf_clear(&out);
        json_writer_init(&writer, &out);
        json_put_real(&writer, reals[i]);
        json_t *v = json_read(buf_view(&out), NULL);
        assert_non_null(v);
        assert_true(json_number_value(v) == reals[i]);
        json_decref(v);
    }
    buf_clear(&out);
    json_writer_init(&writer, &out);
    json_put_real(&writer, 0.1);
    assert_string_equal(buf_cstr(&out), "0.1"); /* the shortest */
}

static void test_what_is_not_finite_is_null(void **state)
{
    (void)state;
    json_put_array(&writer);
    json_put_real(&writer, (double)NAN);
    json_put_real(&writer, (double)INFINITY);
    json_put_real(&writer, (double)-INFINITY);
    json_put_array_end(&writer);
    assert_string_equal(buf_cstr(&out), "[null,null,null]");
}

static void test_integers_of_any_size_are_exact(void **state)
{
    (void)state;
    json_put_array(&writer);
    json_put_int(&writer, INT64_MIN);
    json_put_int(&writer, INT64_MAX);
    json_put_int(&writer, 0);
    json_put_array_end(&writer);
    assert_string_equal(buf_cstr(&out),
                        "[-9223372036854775808,9223372036854775807,0]");
    json_t *v = json_read(buf_view(&out), NULL);
    assert_true(json_integer_value(json_array_get(v, 0)) == INT64_MIN);
    json_decref(v);
}

static void test_a_tree_is_printed_as_it_was_read(void **state)
{
    (void)state;
    static const char text[] =
        "{\"z\":[1,2.5,\"\xc3\xa9\",null,{\"\":true}],\"a\":{},\"k\\n\":[]}";
    json_t *v = json_read(str_of(text), NULL);
    json_print_into(&out, v);
    assert_string_equal(buf_cstr(&out), text); /* keys in their order */
    json_t *again = json_loads(out.ptr, 0, NULL);
    assert_true(json_equal(v, again));
    json_decref(v);
    json_decref(again);
    struct arena a;
    arena_init(&a, 0);
    assert_true(str_is(json_print(&a, NULL), "null"));
    arena_done(&a);
}

#define WRITE_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WRITE_TEST(test_commas_stand_between_and_nowhere_else),
        WRITE_TEST(test_a_special_byte_is_found_wherever_it_stands),
        WRITE_TEST(test_every_byte_can_be_quoted_and_read_again),
        WRITE_TEST(test_a_nul_is_written_as_a_replacement),
        WRITE_TEST(test_random_bytes_are_written_as_valid_json),
        WRITE_TEST(test_reals_keep_their_value),
        WRITE_TEST(test_what_is_not_finite_is_null),
        WRITE_TEST(test_integers_of_any_size_are_exact),
        WRITE_TEST(test_a_tree_is_printed_as_it_was_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
