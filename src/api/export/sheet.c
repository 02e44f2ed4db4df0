/* sheet.c - writes the XML parts of a workbook into a zip archive. */
#include "sheet.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "cells.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

#define XML "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
#define MAIN "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
#define OFFICE \
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
#define PACKAGE "http://schemas.openxmlformats.org/package/2006/"
#define PART "application/vnd.openxmlformats-officedocument.spreadsheetml."

enum {
    TEXT_UNITS_MOST = 32767,
    DIGITS_KEPT = 15,
    DAY_MS = 86400000,
    EXCEL_DAY_OF_1970 = 25569, /* days since 1899-12-30 */
};
/* 1900-03-01. Excel counts a 29th of February 1900, which did not exist. */
#define EXCEL_BEGINS_MS (-25508 * (int64_t)DAY_MS)

/* Indexes into `cellXfs` of styles.xml. */
#define STYLE_NAME " s=\"1\""
#define STYLE_DATE " s=\"2\""
#define STYLE_TIME " s=\"3\""

static const struct {
    const char *name, *text;
} parts[] = {
    {"[Content_Types].xml",
     XML "<Types xmlns=\"" PACKAGE "content-types\">"
         "<Default Extension=\"rels\" ContentType="
         "\"application/vnd.openxmlformats-package.relationships+xml\"/>"
         "<Default Extension=\"xml\" ContentType=\"application/xml\"/>"
         "<Override PartName=\"/xl/workbook.xml\" ContentType=\"" PART
         "sheet.main+xml\"/>"
         "<Override PartName=\"/xl/styles.xml\" ContentType=\"" PART
         "styles+xml\"/>"
         "<Override PartName=\"/xl/worksheets/sheet1.xml\" ContentType=\"" PART
         "worksheet+xml\"/></Types>"},
    {"_rels/.rels",
     XML "<Relationships xmlns=\"" PACKAGE "relationships\">"
         "<Relationship Id=\"rId1\" Type=\"" OFFICE
         "/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"},
    {"xl/workbook.xml",
     XML "<workbook xmlns=\"" MAIN "\" xmlns:r=\"" OFFICE "\"><sheets>"
         "<sheet name=\"Result\" sheetId=\"1\" r:id=\"rId1\"/></sheets>"
         "</workbook>"},
    {"xl/_rels/workbook.xml.rels",
     XML "<Relationships xmlns=\"" PACKAGE "relationships\">"
         "<Relationship Id=\"rId1\" Type=\"" OFFICE
         "/worksheet\" Target=\"worksheets/sheet1.xml\"/>"
         "<Relationship Id=\"rId2\" Type=\"" OFFICE
         "/styles\" Target=\"styles.xml\"/></Relationships>"},
    {"xl/styles.xml", XML
     "<styleSheet xmlns=\"" MAIN "\"><numFmts count=\"2\">"
     "<numFmt numFmtId=\"164\" formatCode=\"yyyy\\-mm\\-dd\"/>"
     "<numFmt numFmtId=\"165\" formatCode=\"yyyy\\-mm\\-dd\\ hh:mm:ss\"/>"
     "</numFmts><fonts count=\"2\"><font><sz val=\"11\"/>"
     "<name val=\"Calibri\"/></font><font><b/><sz val=\"11\"/>"
     "<name val=\"Calibri\"/></font></fonts><fills count=\"2\"><fill>"
     "<patternFill patternType=\"none\"/></fill><fill>"
     "<patternFill patternType=\"gray125\"/></fill></fills>"
     "<borders count=\"1\"><border><left/><right/><top/><bottom/>"
     "<diagonal/></border></borders><cellStyleXfs count=\"1\">"
     "<xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/>"
     "</cellStyleXfs><cellXfs count=\"4\">"
     "<xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\"/>"
     "<xf numFmtId=\"0\" fontId=\"1\" fillId=\"0\" borderId=\"0\" xfId=\"0\" "
     "applyFont=\"1\"/>"
     "<xf numFmtId=\"164\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" "
     "applyNumberFormat=\"1\"/>"
     "<xf numFmtId=\"165\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" "
     "applyNumberFormat=\"1\"/>"
     "</cellXfs></styleSheet>"},
};

static const char sheet_head[] =
    XML "<worksheet xmlns=\"" MAIN "\"><sheetViews><sheetView "
        "workbookViewId=\"0\"><pane ySplit=\"1\" topLeftCell=\"A2\" "
        "activePane=\"bottomLeft\" state=\"frozen\"/></sheetView></sheetViews>"
        "<sheetData>";

/* ---- a cell -------------------------------------------------------------- */

static void put_value_cell(struct buf *out, const char *attributes,
                           struct str value)
{
    buf_printf(out, "<c%s><v>", attributes);
    buf_str(out, value);
    buf_text(out, "</v></c>");
}

static bool put_number_cell(struct buf *out, struct str type, struct str cell)
{
    static const char *const exact[] = {"int2",    "int4", "int8",
                                        "numeric", "oid",  NULL};
    static const char *const floating[] = {"float4", "float8", NULL};
    if (!cell_is_number(cell))
        return false;
    if (!str_is_one_of(type, floating) &&
        !(str_is_one_of(type, exact) && cell_digits(cell) <= DIGITS_KEPT))
        return false;
    put_value_cell(out, "", cell);
    return true;
}

/* "2026-03-01 12:30:00+01" without the "+01": times of a sheet have no zone,
 * so they show the hour of the connection's. */
static struct str without_zone(struct str cell)
{
    enum { SECONDS_END = 19 };
    for (size_t i = SECONDS_END; i < cell.len; i++)
        if (cell.ptr[i] == '+' || cell.ptr[i] == '-')
            return str_cut(cell, 0, i);
    return cell;
}

/* Reads PostgreSQL's ISO text of a date or time, as if it were UTC. */
static bool parse_cell_time(struct str cell, bool day, int64_t *ms)
{
    char text[40];
    cell = without_zone(cell);
    if (day ? cell.len != 10 : cell.len < 19 || cell.len > 32)
        return false;
    struct str hour = day ? STR("00:00:00") : str_from(cell, 11);
    int n = snprintf(text, sizeof text, "%.10sT%.*sZ", cell.ptr, STR_ARG(hour));
    return clock_parse_rfc3339((struct str){text, (size_t)n}, ms);
}

static bool put_time_cell(struct buf *out, struct str type, struct str cell)
{
    static const char *const times[] = {"timestamp", "timestamptz", NULL};
    char serial[32];
    int64_t ms;
    bool day = str_is(type, "date");
    if ((!day && !str_is_one_of(type, times)) ||
        !parse_cell_time(cell, day, &ms) || ms < EXCEL_BEGINS_MS)
        return false;
    int n = snprintf(serial, sizeof serial, "%.15g",
                     EXCEL_DAY_OF_1970 + (double)ms / DAY_MS);
    put_value_cell(out, day ? STYLE_DATE : STYLE_TIME,
                   (struct str){serial, (size_t)n});
    return true;
}

static bool put_boolean_cell(struct buf *out, struct str type, struct str cell)
{
    if (!str_is(type, "bool"))
        return false;
    put_value_cell(out, " t=\"b\"", str_is(cell, "t") ? STR("1") : STR("0"));
    return true;
}

/* A text of the form _xHHHH_ would be read as the character with that
 * number. */
static bool is_escape(struct str s)
{
    if (s.len < 7 || s.ptr[0] != '_' || s.ptr[1] != 'x' || s.ptr[6] != '_')
        return false;
    for (int i = 2; i < 6; i++)
        if (!strchr("0123456789abcdefABCDEF", s.ptr[i]))
            return false;
    return true;
}

static void put_xml_char(struct buf *out, struct str rest, struct str one)
{
    unsigned char c = (unsigned char)one.ptr[0];
    if (c == '<')
        buf_text(out, "&lt;");
    else if (c == '>')
        buf_text(out, "&gt;");
    else if (c == '&')
        buf_text(out, "&amp;");
    else if (c == '_' && is_escape(rest))
        buf_text(out, "_x005F_");
    else if (c < 0x20 && c != '\t' && c != '\n')
        buf_printf(out, "_x%04X_", c);
    else if (str_eq(one, STR("\uffff")) || str_eq(one, STR("\ufffe")))
        buf_text(out, str_eq(one, STR("\uffff")) ? "_xFFFF_" : "_xFFFE_");
    else
        buf_str(out, one);
}

static void put_text_cell(struct buf *out, const char *attributes,
                          struct str cell)
{
    int units = 0;
    buf_printf(out, "<c t=\"inlineStr\"%s><is><t xml:space=\"preserve\">",
               attributes);
    while (cell.len) {
        struct str one = utf8_first(cell, 1);
        units += one.len == 4 ? 2 : 1;
        if (units > TEXT_UNITS_MOST)
            break;
        put_xml_char(out, cell, one);
        cell = str_from(cell, one.len);
    }
    buf_text(out, "</t></is></c>");
}

static void put_repaired_text(struct buf *out, const char *attributes,
                              struct str cell)
{
    struct arena scratch;
    arena_init(&scratch, 0);
    put_text_cell(out, attributes, utf8_repair(&scratch, cell));
    arena_done(&scratch);
}

static void put_sheet_cell(struct buf *out, struct str type, struct str cell)
{
    if (!cell.ptr)
        buf_text(out, "<c/>");
    else if (!put_number_cell(out, type, cell) &&
             !put_time_cell(out, type, cell) &&
             !put_boolean_cell(out, type, cell))
        put_repaired_text(out, "", cell);
}

/* ---- the sheet ----------------------------------------------------------- */

static void put_name_row(struct sheet *s, const struct str *names)
{
    buf_text(&s->row, "<row>");
    for (size_t i = 0; i < s->n; i++)
        put_repaired_text(&s->row, STYLE_NAME, names[i]);
    buf_text(&s->row, "</row>");
    zip_write(&s->zip, buf_view(&s->row));
}

void sheet_begin(struct sheet *s, struct buf *out, const struct str *names,
                 const struct str *types, size_t n)
{
    *s = (struct sheet){.n = n};
    s->types = mem_new_array(struct str, n + 1);
    for (size_t i = 0; i < n; i++)
        s->types[i] =
            (struct str){mem_copy(types[i].ptr, types[i].len), types[i].len};
    buf_init(&s->row, NULL);
    zip_begin(&s->zip, out);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        zip_file(&s->zip, parts[i].name);
        zip_write(&s->zip, str_of(parts[i].text));
    }
    zip_file(&s->zip, "xl/worksheets/sheet1.xml");
    zip_write(&s->zip, str_of(sheet_head));
    put_name_row(s, names);
}

bool sheet_row(struct sheet *s, const struct str *cells)
{
    buf_clear(&s->row);
    buf_text(&s->row, "<row>");
    for (size_t i = 0; i < s->n; i++)
        put_sheet_cell(&s->row, s->types[i], cells[i]);
    buf_text(&s->row, "</row>");
    if (s->rows == SHEET_ROWS_MOST || !zip_has_room(&s->zip, s->row.len))
        return false;
    s->rows++;
    zip_write(&s->zip, buf_view(&s->row));
    return true;
}

void sheet_end(struct sheet *s)
{
    zip_write(&s->zip, STR("</sheetData></worksheet>"));
    zip_end(&s->zip);
}

void sheet_done(struct sheet *s)
{
    if (!s->types)
        return;
    for (size_t i = 0; i < s->n; i++)
        mem_free((void *)s->types[i].ptr);
    mem_free(s->types);
    buf_done(&s->row);
    zip_done(&s->zip);
    *s = (struct sheet){0};
}
