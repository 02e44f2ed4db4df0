"""Files of all kinds: a table or a clear sentence."""

import datetime
import io
import zipfile

import pytest
from files import problem, query, rows, table, tables, types
from made import parquet, row, sheet, workbook


def one(server, data, filename="t.csv"):
    known = table(server, data, filename)
    return known, rows(server, f"select * from {known['name']}", known)


# ---- text ------------------------------------------------------------------------

@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_delimiters_and_line_ends(server, delimiter, end):
    lines = ["a", "b", "c"], ["1", "x, y", "2024-01-02"], ["2", 'say ""hi""', ""]
    text = end.join(delimiter.join(f'"{c}"' for c in line) for line in lines)
    known, found = one(server, text.encode())
    assert known["read"]["delimiter"] == delimiter
    assert found == [["1", "x, y", "2024-01-02"], ["2", 'say "hi"', None]]
    assert types(known)[2] == ("c", "date")


@pytest.mark.parametrize("encoding, mark", [
    ("utf-8", b""), ("utf-8", b"\xef\xbb\xbf"), ("utf-16", b""),
    ("utf-16-le", b""), ("utf-16-be", b"\xfe\xff"), ("latin-1", b""),
    ("cp1252", b"")])
def test_encodings(server, encoding, mark):
    data = mark + "stadt,n\nKöln,1\nMünchen,2\nGent,3\n".encode(encoding)
    known, found = one(server, data)
    assert found == [["Köln", "1"], ["München", "2"], ["Gent", "3"]]
    assert types(known) == [("stadt", "text"), ("n", "int8")]
    assert any("Latin-1" in note for note in known["notes"]) == (
        encoding in ("latin-1", "cp1252"))


def test_quoted_newlines(server):
    _, found = one(server, b'a,b\n"one\ntwo",1\n"three\r\nfour",2\n')
    assert found == [["one\ntwo", "1"], ["three\r\nfour", "2"]]


def test_one_column(server):
    known, found = one(server, b"city\nBonn\nUlm\n")
    assert types(known) == [("city", "text")] and found == [["Bonn"], ["Ulm"]]


def test_header_only(server):
    known, found = one(server, b"a,b,c\n")
    assert [n for n, _ in types(known)] == ["a", "b", "c"] and found == []
    assert known["rows"] == 0 and "has no rows" in known["notes"][-1]


def test_no_header(server):
    known, found = one(server, b"1,2.5,x\n2,3.5,y\n")
    assert types(known) == [("column1", "int8"), ("column2", "numeric"),
                            ("column3", "text")]
    assert len(found) == 2


def test_years_are_titles(server):
    known, found = one(server, b"country,2019,2020\nA,1,2\nB,3,4\n")
    assert [n for n, _ in types(known)] == ["country", "c_2019", "c_2020"]
    assert known["columns"][1]["title"] == "2019" and len(found) == 2


def test_five_thousand_columns(server):
    header = ",".join(f"c{n}" for n in range(5000))
    row = ",".join(str(n) for n in range(5000))
    known = tables(server, f"{header}\n{row}\n{row}\n".encode(), "t.csv",
                   timeout=120)["tables"][0]
    assert len(known["columns"]) == 5000 and known["rows"] == 2
    assert rows(server, "select c4999 from t", known, timeout=120) == [
        ["4999"]] * 2


def test_too_many_columns(server):
    assert "at most 5000" in problem(server, b"," * 9000 + b"\n")


def test_titles_become_names(server):
    header = ('Order ID,order id,"Größe (cm)",2024,select,user,,a.b,"x""y",'
              "%,PG_x,ORDER ID 2")
    known = table(server, (header + "\n" + ",".join("1" * 12) + "\n").encode())
    assert [n for n, _ in types(known)] == [
        "order_id", "order_id_3", "größe_cm", "c_2024", "select_", "user_",
        "column7", "a_b", "x_y", "column10", "t_pg_x", "order_id_2"]
    assert known["columns"][2]["title"] == "Größe (cm)"


def test_types_of_texts(server):
    known, found = one(server, (
        b"zip,big,huge,money,real,exp,yes,uuid,at,zone,clock,mixed,none,na\n"
        b"01234,9007199254740993,123456789012345678901234567890,12.10,0.1234567,"
        b"1e5,true,5f3c2b1a-0000-4000-8000-000000000001,2024-01-02 03:04:05,"
        b"2024-01-02T03:04:05+02:00,03:04,1,,1\n"
        b"99999,1,2,3,1,2.5e-3,FALSE,5F3C2B1A-0000-4000-8000-000000000002,"
        b"2024-01-02,2024-01-02 03:04:05Z,23:59:59,x,,NA\n"))
    assert [t for _, t in types(known)] == [
        "text", "int8", "numeric", "numeric", "float8", "float8", "bool",
        "uuid", "timestamp", "timestamptz", "time", "text", "text", "int8"]
    assert found[0] == [
        "01234", "9007199254740993", "123456789012345678901234567890", "12.10",
        "0.1234567", "100000", "t", "5f3c2b1a-0000-4000-8000-000000000001",
        "2024-01-02 03:04:05", "2024-01-02 01:04:05+00", "03:04:00", "1", None,
        "1"]
    assert found[1][3] == "3.00" and found[1][13] is None


@pytest.mark.parametrize("values, expected, note", [
    ("2024-01-05 2024-12-31", "2024-01-05 2024-12-31", None),
    ("05.01.2024 31.12.2024", "2024-01-05 2024-12-31", None),
    ("01/25/2024 12/31/2024", "2024-01-25 2024-12-31", None),
    ("25/01/2024 31/12/2024", "2024-01-25 2024-12-31", None),
    ("01/02/2024 03/04/2024", "2024-01-02 2024-03-04", "month first"),
    ("2024/1/5 2024/12/31", "2024-01-05 2024-12-31", None),
    ("2024-01-05 31.12.2024 06/30/2024", "2024-01-05 2024-12-31 2024-06-30",
     "3 forms"),
    ("5-Jan-2024 31-Dec-2024", "2024-01-05 2024-12-31", None)])
def test_forms_of_dates(server, values, expected, note):
    known, found = one(server, ("d\n" + "\n".join(values.split()) + "\n").encode())
    assert types(known) == [("d", "date")], known
    assert [row[0] for row in found] == expected.split()
    assert any(note in n for n in known["notes"]) if note \
        else known["notes"] == []


def test_what_is_no_date_stays_text(server):
    for values in ("2024-13-45", "31.02.2024", "99/99/2024", "2024-01-05 x"):
        known, found = one(server, ("d\n" + "\n".join(values.split(" "))).encode())
        assert types(known)[0][1] == "text", values


def test_decimal_commas(server):
    known, found = one(server, b"a;b\n1,50;1.234,5\n2;-0,25\n")
    assert [t for _, t in types(known)] == ["numeric", "numeric"]
    assert found == [["1.50", "1234.50"], ["2.00", "-0.25"]]


def test_a_late_value_changes_the_type(server):
    count = 60_000
    lines = [b"n,d"] + [b"%d,2024-01-01" % n for n in range(count)]
    known = table(server, b"\n".join(lines + [b"x,1.1.2024"]))
    assert types(known) == [("n", "text"), ("d", "date")]
    assert rows(server, "select count(*), count(n), count(d), max(d) from t",
                known) == [[str(count + 1)] * 3 + ["2024-01-01"]]


def test_rows_of_different_lengths(server):
    known, found = one(server, b"a,b,c\n1,2\n3,4,5,6\n7,8,9\n")
    assert found == [["1", "2", None], ["3", "4", "5"], ["7", "8", "9"]]
    assert any("1 lines have too few" in n for n in known["notes"])
    assert any("1 lines have too many" in n for n in known["notes"])


@pytest.mark.parametrize("data", [
    b'a,b\n"1,2\n3,4\n', b'a,b\n1,"2" x\n3,4\n', b'a,b\n"1"2,3\n',
    b"a,b\n\n\n1,2\n\n", b"a\r1\r2\r", b"a,b\n1,2\n\0\0,3\n", b"\n\na\n1\n",
    b"a,a,a\n1,2,3\n", b",,\n,,\n", b"a\n" + b"x" * 100_000 + b"\n",
    b"=cmd()\n=1+1\n@x\n", b"\xff\xfe", b"a\xff\xff\xff\n", b'"', b",", b"x",
    "a\n\U0001f600\u202e\n".encode(), b"a,b\n" + b'"' * 1001 + b"\n"])
def test_dirty_texts(server, data):
    answer = tables(server, data, "t.csv")
    assert len(answer["tables"]) + len(answer["problems"]) == 1
    for known in answer["tables"]:
        rows(server, "select * from t", known)
    for about in answer["problems"]:
        assert about["message"].endswith(".") and "/" not in about["message"]


def test_formulas_in_a_text_stay_text(server):
    _, found = one(server, b"a,b\n=1+1,x\n\"=HYPERLINK(\"\"x\"\")\",y\n")
    assert found == [["=1+1", "x"], ['=HYPERLINK("x")', "y"]]


# ---- other formats -------------------------------------------------------------------

def test_a_workbook(server):
    data = workbook(
        ("Sales 2024", [[], ["Day", "Amount", "Paid", "City"],
                        [datetime.date(2024, 1, 5), 1.5, True, "Bonn"],
                        [datetime.datetime(2024, 1, 6), 2, False, None]]),
        ("Empty", []), ("Notes", [["k"], ["=1+1"]]))
    answer = tables(server, data, "Book.xlsx")
    assert [t["name"] for t in answer["tables"]] == ["book_sales_2024",
                                                     "book_notes"]
    first, second = answer["tables"]
    assert types(first) == [("day", "date"), ("amount", "numeric"),
                            ("paid", "bool"), ("city", "text")]
    assert rows(server, "select * from book_sales_2024", first) == [
        ["2024-01-05", "1.5", "t", "Bonn"], ["2024-01-06", "2.0", "f", None]]
    assert rows(server, "select * from book_notes", second) == [["=1+1"]]


def test_json(server):
    known, found = one(server, b'{"a": 1, "b": "x", "c": {"d": [1, 2]}}\n'
                       b'{"a": 2.5, "b": null, "e": true}\n', "t.jsonl")
    assert types(known) == [("a", "float8"), ("b", "text"), ("c", "json"),
                            ("e", "bool")]
    assert found == [["1", "x", '{"d":[1,2]}', None], ["2.5", None, None, "t"]]
    known, found = one(server, b'[{"a": 1}, {"a": 2}]', "t.json")
    assert found == [["1"], ["2"]]
    assert "line" in problem(server, b'{"a": 1}\n{"a": \n', "t.jsonl")


def test_mislabelled_files(server):
    known, found = one(server, b'{"a": 1}\n', "t.csv")
    assert known["format"] == "jsonl" and found == [["1"]]
    known, found = one(server, b"a,b\n1,2\n", "t.parquet")
    assert known["format"] == "csv" and "read as CSV" in known["notes"][-1]
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a.csv", "a\n1\n")
    assert problem(server, archive.getvalue()) == \
        "The file is a ZIP archive, not a table; unpack it first."


@pytest.mark.parametrize("data", [
    b"PAR1", b"PAR1" + b"x" * 100 + b"PAR1", b"PK\3\4" + b"x" * 50,
    b"\xd0\xcf\x11\xe0" + b"x" * 600, b"\x1f\x8b\x08\0", b"\0" * 5000,
    b"\x7fELF" + b"\0" * 50, b"[{", b"{\"a\"", b"SQLite format 3\0"])
def test_what_is_no_table(server, data):
    message = problem(server, data, "t.csv")
    assert message.endswith(".") and "/" not in message and "\n" not in message


def test_a_cut_workbook(server):
    data = workbook(("a", [["x"], [1]]))
    assert problem(server, data[:len(data) // 2], "t.xlsx") == \
        "The file is a damaged ZIP archive or Excel file."


def test_an_archive_bomb(server):
    """A workbook that is a thousand times as large when it is unpacked."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("xl/workbook.xml", "<workbook>" + " " * 150_000_000)
    assert problem(server, archive.getvalue(), "t.xlsx").endswith(".")


LAUGHS = '<!DOCTYPE w [<!ENTITY a0 "ha">' + "".join(
    f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12)) + "]>"
OUTSIDE = '<!DOCTYPE w [<!ENTITY a11 SYSTEM "file:///etc/passwd">]>'
TWO = row(1, "a", "b") + row(2, "1", "x")
ALL = '<dimension ref="A1:XFD1048576"/>'


@pytest.mark.parametrize("cells, before", [
    (row(1, "a") + row(2, "&a11;"), LAUGHS),
    (row(1, "a") + row(2, "&a11;"), OUTSIDE),
    ("<x>" * 50_000, ""), ('<row r="1"><c r="ZZZZZ1"><v>1</v></c></row>', ""),
    ('<row r="1"><c r="A1" t="s"><v>77</v></c></row>', "")],
    ids=["laughs", "outside", "deep", "column", "string"])
def test_hostile_sheets(server, cells, before):
    message = problem(server, sheet(cells, before), "t.xlsx")
    assert message.endswith(".") and "root" not in message


@pytest.mark.parametrize("last, found", [
    (2, []), (1_048_576, [["2", "y"]]), (2_000_000_000, [])])
def test_a_sheet_says_that_it_is_huge(server, last, found):
    """Whole columns may have a format; or an attacker makes it count to 2e9."""
    end = row(last, "2", "y") if last > 2 else ""
    _, got = one(server, sheet(TWO + end, dimension=ALL), "t.xlsx")
    assert got == [["1", "x"]] + found


def test_a_sheet_says_that_it_is_small(server):
    _, got = one(server, sheet(TWO, dimension='<dimension ref="A1"/>'), "t.xlsx")
    assert got == [["1", "x"]]


# Name, the engine's type, PostgreSQL's type, then expressions and their texts.
TYPES = [
    ("flag", "boolean", "bool", ("true", "t"), ("false", "f")),
    ("tiny", "tinyint", "int8", ("-128", "-128"), ("127", "127")),
    ("small", "smallint", "int8", ("-32768", "-32768"), ("32767", "32767")),
    ("whole", "integer", "int8", ("-2147483648", "-2147483648"),
     ("2147483647", "2147483647")),
    ("big", "bigint", "int8", ("-9223372036854775808", "-9223372036854775808"),
     ("9223372036854775807", "9223372036854775807")),
    ("utiny", "utinyint", "int8", ("0", "0"), ("255", "255")),
    ("ubig", "ubigint", "numeric", ("0", "0"),
     ("18446744073709551615", "18446744073709551615")),
    ("money", "decimal(9, 2)", "numeric", ("-9999999.99", "-9999999.99"),
     ("0", "0.00")),
    ("widest", "decimal(38, 0)", "numeric", ("-" + "9" * 38, "-" + "9" * 38),
     ("9" * 38, "9" * 38)),
    ("finest", "decimal(38, 37)", "numeric", ("0", "0." + "0" * 37),
     ("9." + "9" * 37, "9." + "9" * 37)),
    ("single", "float", "float8", ("0.1", "0.1"), ("'-inf'", "-Infinity")),
    ("real", "double", "float8", ("1.7976931348623157e308",
                                  "1.7976931348623157e+308"),
     ("'nan'", "NaN")),
    ("least", "double", "float8", ("5e-324", "5e-324"), ("1e15", "1e+15")),
    ("name", "varchar", "text", ("''", ""), ("'ä\U0001f600' || chr(9)",
                                             "ä\U0001f600\t")),
    ("bytes", "blob", "bytea", ("''", "\\x"), ("'\\x00\\xFF'", "\\x00ff")),
    ("day", "date", "date", ("'0001-01-01'", "0001-01-01"),
     ("'9999-12-31'", "9999-12-31")),
    ("clock", "time", "time", ("'00:00:00'", "00:00:00"),
     ("'23:59:59.999999'", "23:59:59.999999")),
    ("at", "timestamp", "timestamp", ("'1970-01-01'", "1970-01-01 00:00:00"),
     ("'2024-02-29 23:59:59.5'", "2024-02-29 23:59:59.5")),
    ("zoned", "timestamptz", "timestamptz", (
        "'2024-01-01 00:00:00+02'", "2023-12-31 22:00:00+00"),
     ("'2024-07-01 12:00:00.000001+00'", "2024-07-01 12:00:00.000001+00")),
    ("key", "uuid", "uuid", ("'00000000-0000-0000-0000-000000000000'",
                             "00000000-0000-0000-0000-000000000000"),
     ("'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'",
      "ffffffff-ffff-ffff-ffff-ffffffffffff")),
    ("listed", "integer[]", "json", ("[]", "[]"), ("[1, null]", "[1,null]")),
    ("record", "struct(a integer, b varchar)", "json",
     ("{'a': 1, 'b': 'x'}", '{"a":1,"b":"x"}'),
     ("{'a': null, 'b': '\"'}", '{"a":null,"b":"\\""}')),
    ("kind", "enum('x', 'y')", "text", ("'x'", "x"), ("'y'", "y")),
]


def test_each_type_of_a_parquet_file(server):
    """Nulls and extremes come back as PostgreSQL would write them."""
    selects = [", ".join(
        f"cast({line[3 + n][0] if n < 2 else 'null'} as {line[1]}) as {line[0]}"
        for line in TYPES) for n in range(3)]
    known, found = one(server, parquet(" union all ".join(
        f"select {s}" for s in selects)), "t.parquet")
    assert known["format"] == "parquet"
    assert types(known) == [(line[0], line[2]) for line in TYPES]
    for n, line in enumerate(TYPES):
        assert [r[n] for r in found] == [line[3][1], line[4][1], None], line
    assert [c["nulls"] for c in known["columns"]] == [1] * len(TYPES)


# What only a statement can make: the type and the text.
VALUES = [
    ("1::tinyint", "int2", "1"), ("1::integer", "int4", "1"),
    ("170141183460469231731687303715884105727::hugeint", "numeric",
     "170141183460469231731687303715884105727"),
    ("'1 year 2 months -3 days 04:05:06'::interval", "interval",
     "1 year 2 mons -3 days 04:05:06"),
    ("'101'::bit", "varbit", "101"), ("null", None, None),
    ("0.1::float", "float4", "0.1"), ("1e6::float", "float4", "1e+06"),
    ("'-0.0'::double", "float8", "-0"), ("1e-5::double", "float8", "1e-05"),
    ("123456789012345680::double", "float8", "1.2345678901234568e+17"),
    ("1.50::numeric", "numeric", "1.5"), ("7 / 2", None, "3"),
    ("date '2024-01-01' - date '2023-01-01'", "int8", "365"),
    ("map {'a': 1}", "json", '{"a":1}'), ("[[1], [2]]", "json", "[[1],[2]]"),
    ("'0044-03-15 (BC)'::date", "date", "0044-03-15 BC"),
    ("'infinity'::timestamp", "timestamp", "infinity"),
    ("time '24:00:00'", "time", "24:00:00"),
    ("'{\"a\": 1}'::json", "json", '{"a": 1}'),
    ("chr(0)", "text", "\ufffd"),
]


def test_each_type_of_a_statement(server):
    answer = query(server, "select " + ", ".join(
        f"{value} as c{n}" for n, (value, _, _) in enumerate(VALUES)))
    assert answer["error"] is None, answer["error"]
    for (value, kind, text), column, cell in zip(
            VALUES, answer["columns"], answer["rows"][0]):
        assert cell == text and kind in (None, column["type"]), (
            value, cell, column)


def test_titles_of_a_parquet_file_are_hostile(server):
    known, found = one(server, parquet(
        'select 1 as "a""; drop table t; --", 2 as "../x", 3 as "A", 4 as "é", '
        '5 as "select"'), "../../t.parquet")
    assert [n for n, _ in types(known)] == [
        "a_drop_table_t", "x", "a", "é", "select_"]
    assert known["name"] == "t" and found == [["1", "2", "3", "4", "5"]]


def test_a_parquet_file_of_many_rows(server):
    """Small on disk: it ends within what a build may have."""
    answer = tables(server, parquet(
        "select 'x' as a from range(5000000)"), "t.parquet", timeout=2)
    assert len(answer["tables"]) + len(answer["problems"]) == 1
    for about in answer["problems"]:
        assert about["message"].endswith(".")
