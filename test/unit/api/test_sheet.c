/* Rows as an Excel workbook: which cell becomes what. That spreadsheets open it
 * is the stories' to show. */
#include "export/sheet.h"
#include "export/cells.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

enum { PART_MOST = 1 << 20, LOCAL_HEAD = 30 };

static unsigned get16(const char *at)
{
    return (unsigned char)at[0] | (unsigned)(unsigned char)at[1] << 8;
}

static unsigned get32(const char *at)
{
    return get16(at) | get16(at + 2) << 16;
}

/* The bytes of the last file, as the directory at the archive's end leads there. */
static char *last_file(const struct buf *zip)
{
    static char text[PART_MOST];
    const char *end = zip->ptr + zip->len - 22;
    assert_int_equal(get32(end), 0x06054b50);
    const char *entry = zip->ptr + get32(end + 16);
    for (unsigned n = get16(end + 10); n > 1; n--)
        entry += 46 + get16(entry + 28);
    assert_int_equal(get32(entry), 0x02014b50);
    const char *at = zip->ptr + get32(entry + 42);
    assert_int_equal(get32(at), 0x04034b50);
    z_stream z = {.next_in = (Bytef *)at + LOCAL_HEAD + get16(at + 26),
                  .avail_in = get32(entry + 20),
                  .next_out = (Bytef *)text,
                  .avail_out = PART_MOST - 1};
    assert_int_equal(inflateInit2(&z, -MAX_WBITS), Z_OK);
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    inflateEnd(&z);
    assert_int_equal(z.total_out, get32(entry + 24));
    assert_int_equal(crc32(0, (Bytef *)text, (uInt)z.total_out),
                     get32(entry + 16));
    text[z.total_out] = '\0';
    return text;
}

/* What becomes of one cell of a column of that type. */
static void one(const char *type, struct str cell, const char *xml)
{
    struct sheet s;
    struct buf out;
    const struct str name = STR("c"), types = str_of(type);
    buf_init(&out, NULL);
    sheet_begin(&s, &out, &name, &types, 1);
    assert_true(sheet_row(&s, &cell));
    sheet_end(&s);
    sheet_done(&s);
    char *row = strstr(last_file(&out), "</row><row>");
    assert_non_null(row);
    row += strlen("</row><row>");
    *strstr(row, "</row>") = '\0';
    assert_string_equal(row, xml);
    buf_done(&out);
}

static void text(struct str cell, const char *xml)
{
    char whole[512];
    snprintf(whole, sizeof whole,
             "<c t=\"inlineStr\"><is>"
             "<t xml:space=\"preserve\">%s</t></is></c>",
             xml);
    one("text", cell, whole);
}

static void test_numbers_are_numbers_while_they_stay_whole(void **state)
{
    (void)state;
    one("int4", STR("-7"), "<c><v>-7</v></c>");
    one("numeric", STR("123456789012345"), "<c><v>123456789012345</v></c>");
    one("numeric", STR("0.0012345678901234500"),
        "<c><v>0.0012345678901234500</v></c>");
    one("int8", STR("1234567890123456"),
        "<c t=\"inlineStr\"><is><t xml:space=\"preserve\">1234567890123456</t>"
        "</is></c>");
    one("float8", STR("0.30000000000000004"),
        "<c><v>0.30000000000000004</v></c>");
    one("float8", STR("1e+20"), "<c><v>1e+20</v></c>");
    one("float8", STR("NaN"),
        "<c t=\"inlineStr\"><is><t xml:space=\"preserve\">NaN</t></is></c>");
    text(STR("12"), "12");
}

static void test_dates_are_dates_where_there_is_such_a_day(void **state)
{
    (void)state;
    one("date", STR("2025-01-01"), "<c s=\"2\"><v>45658</v></c>");
    one("date", STR("1900-03-01"), "<c s=\"2\"><v>61</v></c>");
    one("date", STR("1900-02-28"),
        "<c t=\"inlineStr\"><is><t xml:space=\"preserve\">1900-02-28</t></is></c>");
    one("date", STR("infinity"),
        "<c t=\"inlineStr\"><is><t xml:space=\"preserve\">infinity</t></is></c>");
    one("timestamp", STR("2025-01-01 12:00:00"),
        "<c s=\"3\"><v>45658.5</v></c>");
    one("timestamptz", STR("2025-01-01 18:00:00.000+00"),
        "<c s=\"3\"><v>45658.75</v></c>");
    one("date", STR(""),
        "<c t=\"inlineStr\"><is><t xml:space=\"preserve\">"
        "</t></is></c>");
}

static void test_nothing_is_no_cell_and_truth_is_truth(void **state)
{
    (void)state;
    one("text", (struct str){NULL, 0}, "<c/>");
    one("bool", STR("t"), "<c t=\"b\"><v>1</v></c>");
    one("bool", STR("f"), "<c t=\"b\"><v>0</v></c>");
}

static void test_any_text_is_well_formed(void **state)
{
    (void)state;
    text(STR("=1+1"), "=1+1");
    text(STR("a<b>&\"c\""), "a&lt;b&gt;&amp;\"c\"");
    text(STR("a\x01\r\n\tb"), "a_x0001__x000D_\n\tb");
    text(STR("_x0041_ _x41_"), "_x005F_x0041_ _x41_");
    text((struct str){"a\xff", 2}, "a\xef\xbf\xbd");
    text(STR("\uffff"), "_xFFFF_");
}

static void test_a_long_text_is_cut_in_excels_units(void **state)
{
    (void)state;
    static char long_one[40000 * 4];
    for (int i = 0; i < 40000; i++)
        memcpy(long_one + (ptrdiff_t)i * 4, "\U0001f600", 4);
    struct sheet s;
    struct buf out;
    const struct str name = STR("c"), type = STR("text");
    const struct str cell = {long_one, sizeof long_one};
    buf_init(&out, NULL);
    sheet_begin(&s, &out, &name, &type, 1);
    sheet_row(&s, &cell);
    sheet_end(&s);
    sheet_done(&s);
    const char *from = strstr(last_file(&out), "\U0001f600");
    assert_int_equal(strstr(from, "</t>") - from, 32766 / 2 * 4);
    buf_done(&out);
}

static void test_a_sheet_takes_no_more_rows_than_excel(void **state)
{
    (void)state;
    struct sheet s;
    struct buf out;
    const struct str name = STR("c"), type = STR("int4"), cell = STR("1");
    int n = 0;
    buf_init(&out, NULL);
    sheet_begin(&s, &out, &name, &type, 1);
    for (; sheet_row(&s, &cell); n++)
        buf_clear(&out);
    assert_int_equal(n, 1048576 - 1);
    sheet_done(&s); /* without an end */
    buf_done(&out);
}

static void test_digits_that_count(void **state)
{
    (void)state;
    assert_int_equal(cell_digits(STR("-00120.3400")), 5);
    assert_int_equal(cell_digits(STR("0.00")), 0);
    assert_int_equal(cell_digits(STR("1.5e300")), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_are_numbers_while_they_stay_whole),
        cmocka_unit_test(test_dates_are_dates_where_there_is_such_a_day),
        cmocka_unit_test(test_nothing_is_no_cell_and_truth_is_truth),
        cmocka_unit_test(test_any_text_is_well_formed),
        cmocka_unit_test(test_a_long_text_is_cut_in_excels_units),
        cmocka_unit_test(test_a_sheet_takes_no_more_rows_than_excel),
        cmocka_unit_test(test_digits_that_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
