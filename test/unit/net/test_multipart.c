/* Forms as browsers and tools write them, and malformed ones, each in pieces of
 * every size. */
#include "base/buf.h"
#include "net/multipart.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define TYPE "multipart/form-data; boundary=b"
#define HEAD(name) "Content-Disposition: form-data; name=\"" name "\"\r\n\r\n"
#define FILE_HEAD(parameters) \
    "Content-Disposition: form-data; name=\"f\"; " parameters "\r\n\r\n"

static void write_down(struct buf *out, const struct multipart *m,
                       enum multipart_event event)
{
    const struct multipart_part *p = &m->part;
    switch (event) {
    case MULTIPART_PART:
        buf_printf(out, "<%.*s", STR_ARG(p->name));
        if (p->has_filename)
            buf_printf(out, " %.*s", STR_ARG(p->filename));
        buf_char(out, '>');
        break;
    case MULTIPART_DATA:
        buf_str(out, m->data);
        break;
    case MULTIPART_PART_END:
        buf_text(out, "</>");
        break;
    case MULTIPART_END:
        buf_text(out, "END");
        break;
    default:
        buf_text(out, "BAD");
    }
}

static struct buf read_form(const char *type, struct str form, size_t piece)
{
    struct buf out;
    struct multipart *m = malloc(sizeof *m);
    bool over = !multipart_init(m, str_of(type));
    buf_init(&out, NULL);
    if (over)
        buf_text(&out, "NO FORM");
    for (size_t at = 0; at < form.len && !over; at += piece) {
        struct str bytes = str_cut(form, at, piece);
        while (bytes.len && !over) {
            enum multipart_event event = multipart_feed(m, &bytes);
            if (event != MULTIPART_MORE)
                write_down(&out, m, event);
            over = event == MULTIPART_BAD;
        }
    }
    free(m);
    return out;
}

static void expect_of(const char *type, struct str form, const char *wanted)
{
    for (size_t piece = 1; piece <= form.len + 1; piece++) {
        struct buf out = read_form(type, form, piece);
        assert_string_equal(buf_cstr(&out), wanted);
        buf_done(&out);
    }
}

#define expect(form, wanted) expect_of(TYPE, STR(form), wanted)

static void test_fields_and_files_are_read(void **state)
{
    (void)state;
    expect("--b\r\n" HEAD("name") "Sales\r\n--b\r\n" FILE_HEAD(
               "filename=\"a.csv\"") "x,y\r\n1,2\r\n\r\n--b--\r\n",
           "<name>Sales</><f a.csv>x,y\r\n1,2\r\n</>END");
}

static void test_what_is_around_the_form_is_ignored(void **state)
{
    (void)state;
    expect("pre\r\n--amble\r\n--b \t\r\n" HEAD("a") "1\r\n--b--epi\r\n--b\r\n",
           "<a>1</>END");
}

static void test_almost_a_boundary_is_data(void **state)
{
    (void)state;
    expect("--b\r\n" HEAD("a") "\r\r\n\r\n-\r\n--\r\n--B\r--b\n--b\r\n--b--",
           "<a>\r\r\n\r\n-\r\n--\r\n--B\r--b\n--b</>END");
    expect_of("multipart/form-data; boundary=\"--b--\"",
              STR("----b--\r\n" HEAD("a") "\r\n----b-\r\n----b----"),
              "<a>\r\n----b-</>END");
}

static void test_empty_parts_and_forms(void **state)
{
    (void)state;
    expect("--b--", "END");
    expect("--b\r\n" FILE_HEAD("filename=\"\"") "\r\n--b--", "<f ></>END");
}

static void test_names_have_quotes_and_other_letters(void **state)
{
    (void)state;
    expect("--b\r\n" FILE_HEAD(
               "filename=\"a\\\"b\\\\c%22;=\xc3\xa4.csv\"") "1\r\n--b--",
           "<f a\"b\\c\";=\xc3\xa4.csv>1</>END");
    expect("--b\r\n" FILE_HEAD("filename=\"C:\\x\\y.csv\"") "1\r\n--b--",
           "<f C:\\x\\y.csv>1</>END");
    expect("--b\r\ncontent-DISPOSITION:FORM-data;FileName=a.csv ; NAME=f;\r\n"
           "\r\n1\r\n--b--",
           "<f a.csv>1</>END");
}

static void test_other_headers_are_ignored(void **state)
{
    (void)state;
    expect("--b\r\nContent-Type: text/csv; a=\"\r\nX: y\r\n"
           "Content-Transfer-Encoding: Binary\r\n" HEAD("a") "1\r\n--b--",
           "<a>1</>END");
}

static void test_two_readers_would_differ(void **state)
{
    (void)state;
    static const char *const heads[] = {
        "",
        "X: y",
        "Content-Disposition: form-data",
        "Content-Disposition: attachment; name=a",
        "Content-Disposition: form-data; name=a; name=b",
        "Content-Disposition: form-data; name=a; filename=b; FILENAME=c",
        "Content-Disposition: form-data; name=a; filename=\"b",
        "Content-Disposition: form-data; name=a filename=b",
        "Content-Disposition: form-data; name",
        "Content-Disposition: form-data; name=",
        "Content-Disposition: form-data; name=a\r\nContent-Disposition: "
        "form-data; name=b",
        "Content-Disposition: form-data;\r\n name=a",
        "Content-Disposition form-data; name=a",
        "Content-Disposition : form-data; name=a",
        "Content-Disposition: form-data; name=a\nX: y",
        "Content-Disposition: form-data; name=a\r\n"
        "Content-Transfer-Encoding: base64",
    };
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        struct buf form;
        buf_init(&form, NULL);
        buf_printf(&form, "--b\r\n%s%s\r\ndata\r\n--b--", heads[i],
                   *heads[i] ? "\r\n" : "");
        expect_of(TYPE, buf_view(&form), "BAD");
        buf_done(&form);
    }
}

static void test_bad_boundaries(void **state)
{
    (void)state;
    expect("--b-x", "BAD");
    expect("--bb\r\n" HEAD("a"), "BAD");
    expect("--b\rx", "BAD");
    expect("--b\n", "BAD");
    expect("--b\r\n" HEAD("a") "1\r\n--bcd", "<a>1</>BAD");
}

static void test_what_is_too_large_is_bad(void **state)
{
    (void)state;
    char *name = malloc(6000);
    memset(name, 'n', 6000);
    for (size_t n = 1000; n <= 5000; n += 1000) {
        struct buf form;
        buf_init(&form, NULL);
        buf_printf(&form,
                   "--b\r\nContent-Disposition: form-data; name=%.*s\r\n"
                   "\r\n\r\n--b--",
                   (int)n, name);
        struct buf out = read_form(TYPE, buf_view(&form), 7);
        assert_int_equal(str_is(buf_view(&out), "BAD"), n > 1024);
        buf_done(&out);
        buf_done(&form);
    }
    free(name);
    struct buf pad;
    buf_init(&pad, NULL);
    buf_text(&pad, "--b");
    for (int i = 0; i < 300; i++)
        buf_char(&pad, ' ');
    struct buf out = read_form(TYPE, buf_view(&pad), 400);
    assert_true(str_is(buf_view(&out), "BAD"));
    buf_done(&out);
    buf_done(&pad);
}

static void test_types(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "multipart/form-data",
        "multipart/form-data;",
        "multipart/form-data; boundary",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=\"\"",
        "multipart/form-data; boundary=\"a \"",
        "multipart/form-data; boundary=\"a\\\"b\"",
        "multipart/form-data; boundary=a; boundary=b",
        "multipart/form-data; boundary=a b",
        "multipart/mixed; boundary=a",
        "text/csv; boundary=a",
        ("multipart/form-data; boundary="
         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_of(bad[i], STR("--a--"), "NO FORM");
    expect_of("Multipart/Form-Data;charset=x; BOUNDARY=\"a b'()+_,-./:=?\"",
              STR("--a b'()+_,-./:=?--"), "END");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_and_files_are_read),
        cmocka_unit_test(test_what_is_around_the_form_is_ignored),
        cmocka_unit_test(test_almost_a_boundary_is_data),
        cmocka_unit_test(test_empty_parts_and_forms),
        cmocka_unit_test(test_names_have_quotes_and_other_letters),
        cmocka_unit_test(test_other_headers_are_ignored),
        cmocka_unit_test(test_two_readers_would_differ),
        cmocka_unit_test(test_bad_boundaries),
        cmocka_unit_test(test_what_is_too_large_is_bad),
        cmocka_unit_test(test_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
