"""What a careful reader sees in files that people export: tables below titles and above
totals, numbers of several countries, dates by the evidence of their file."""

import pytest
from files import problem, rows, table, tables, types
from made import made, workbook

# Name: the text, names and types of the columns, the rows (those up to an Ellipsis), and
# what a note must say (nothing: there are no notes).
LAYOUTS = {
    "separator": ("sep=;\na;b\n1;x\n2;y\n", "a int8, b text",
                  [["1", "x"], ["2", "y"]], "Line 1"),
    "separator_in_quotes": ('"sep=,"\na,b\n1;1,x\n2;2,y\n', "a text, b text",
                            [["1;1", "x"], ["2;2", "y"]], "Line 1"),
    "separator_that_is_rare": ("sep=|\na,x|b\n1,5|2\n", "a_x numeric, b int8",
                               [["1.5", "2"]], "Line 1"),
    "comments": ("# made by a program, version 2\n# on 2024-01-05\na,b\n1,x\n2,y\n",
                 "a int8, b text", [["1", "x"], ["2", "y"]], "Lines 1 and 2"),
    "comment_as_wide": ("# of Bonn, Ulm\ncity,n\nBonn,1\nUlm,2\n",
                        "city text, n int8", [["Bonn", "1"], ["Ulm", "2"]],
                        "Line 1"),
    "header_like_a_comment": ("#id\tpos\tref\n1\t5\tA\n2\t6\tC\n",
                              "id int8, pos int8, ref text",
                              [["1", "5", "A"], ["2", "6", "C"]], None),
    "header_below_comments": ("##source=x\n##date=2024\n#id\tpos\n1\t5\n2\t6\n",
                              "id int8, pos int8", [["1", "5"], ["2", "6"]],
                              "Lines 1 and 2"),
    "number_sign_as_title": ("#,name\n1,Bonn\n2,Ulm\n", "column1 int8, name text",
                             [["1", "Bonn"], ["2", "Ulm"]], None),
    "colours": ("colour,name\n#ff0000,red\n#00ff00,green\n",
                "colour text, name text",
                [["#ff0000", "red"], ["#00ff00", "green"]], None),
    "a_title": ("Sales report\nregion,year,amount\nNorth,2023,5\nSouth,2024,6\n",
                "region text, year int8, amount int8",
                [["North", "2023", "5"], ["South", "2024", "6"]], "Line 1"),
    "a_title_with_empty_cells": (
        "Sales report,,\n,,\nregion,year,amount\nNorth,2023,5\nSouth,2024,6\n",
        "region text, year int8, amount int8",
        [["North", "2023", "5"], ["South", "2024", "6"]], "Lines 1 and 2"),
    "titles_and_blank_lines": (
        "Sales report\nNorth and South\n\n\nregion,year,amount,paid\n"
        "North,2023,5,true\n", "region text, year int8, amount int8, paid bool",
        [["North", "2023", "5", "t"]], "Lines 1 to 4"),
    "a_title_over_two_columns": (
        "Sales, by region\n\nregion,year,amount\nNorth,2023,5\nSouth,2024,6\n",
        "region text, year int8, amount int8",
        [["North", "2023", "5"], ["South", "2024", "6"]], "Lines 1 and 2"),
    "a_title_over_more_columns": (
        "Sales, by region, by year, of us\n\nregion,amount\nNorth,5\nSouth,6\n",
        "region text, amount int8", [["North", "5"], ["South", "6"]],
        "Lines 1 and 2"),
    "a_title_with_its_value": (
        "Region:,North\nPrinted:,2024-01-05\n\nday,amount,paid\n"
        "2024-01-01,5,true\n2024-01-02,6,false\n",
        "day date, amount int8, paid bool",
        [["2024-01-01", "5", "t"], ["2024-01-02", "6", "f"]], "Lines 1 to 3"),
    "a_title_with_a_line_break": (
        '"Sales\nof 2024"\n\na,b\n1,x\n2,y\n', "a int8, b text",
        [["1", "x"], ["2", "y"]], "Lines 1 to 3"),
    "a_column_of_sentences": ("note\nHello, world\nNo, thanks\nYes, please\n",
                              "note text", [["Hello, world"], ["No, thanks"],
                                            ["Yes, please"]], None),
    "a_short_header": ("a,b\n1,2,3\n4,5,6\n", "a int8, b int8, column3 int8",
                       [["1", "2", "3"], ["4", "5", "6"]], "titles"),
    "a_long_header": ("a,b,c\n1,2\n3,4\n5,6\n", "a int8, b int8, c text",
                      [["1", "2", None], ["3", "4", None], ["5", "6", None]],
                      "too few"),
    "a_delimiter_at_the_end": ("a,b\n1,2,\n3,4,\n", "a int8, b int8",
                               [["1", "2"], ["3", "4"]], None),
    "a_total": ("city,n\nBonn,1\nUlm,2\n\nTotal,3\n", "city text, n int8",
                [["Bonn", "1"], ["Ulm", "2"]], "Line 5"),
    "a_total_in_a_file_of_empty_cells": (
        "city,n,m\nBonn,1,4\nUlm,2,5\n,,\nTotal,3,9\n",
        "city text, n int8, m int8", [["Bonn", "1", "4"], ["Ulm", "2", "5"]],
        "Line 5"),
    "a_total_below_the_last_line": ("city,n\nBonn,1\nUlm,2\nGesamt,3\n",
                                    "city text, n int8",
                                    [["Bonn", "1"], ["Ulm", "2"]], "Line 4"),
    "a_company_called_total": ("company,n\nShell,1\nEni,2\nTotal,7\n",
                               "company text, n int8",
                               [["Shell", "1"], ["Eni", "2"], ["Total", "7"]],
                               "Line 4"),
    "a_total_of_days": ("day,n\n2024-01-01,5\n2024-01-02,6\nTotal,11\n",
                        "day date, n int8",
                        [["2024-01-01", "5"], ["2024-01-02", "6"]], "Line 4"),
    "a_total_without_a_word": ("city,zip,n\nBonn,X1,1\nUlm,X2,2\n\n,,3\n",
                               "city text, zip text, n int8",
                               [["Bonn", "X1", "1"], ["Ulm", "X2", "2"]],
                               "Line 5"),
    "remarks": ("id,city,n\n1,Bonn,1\n2,Ulm,2\n\nSource: the town halls\n"
                "* preliminary, not yet checked\n", "id int8, city text, n int8",
                [["1", "Bonn", "1"], ["2", "Ulm", "2"]], "Lines 5 and 6"),
    "a_remark_as_wide": ("n,m\n1,5\n2,6\n\nSource: a, b\n", "n int8, m int8",
                         [["1", "5"], ["2", "6"]], "Line 5"),
    "groups_of_rows": ("city,n\nBonn,1\n\nUlm,2\n\nGent,3\n", "city text, n int8",
                       [["Bonn", "1"], ["Ulm", "2"], ["Gent", "3"]], None),
    "the_last_row_lacks_a_cell": ("city,n,m\nBonn,1,2\n\nUlm,2,\n",
                                  "city text, n int8, m int8",
                                  [["Bonn", "1", "2"], ["Ulm", "2", None]], None),
    "titles_and_totals": (
        "sep=;\n# export\nUmsatz;;\n\nOrt;Menge;Preis\nBonn;1;1,50\n"
        "Ulm;2;2,50\n\nSumme;3;4,00\nStand: heute;;\n",
        "ort text, menge int8, preis numeric",
        [["Bonn", "1", "1.50"], ["Ulm", "2", "2.50"]], "Lines 9 and 10"),
    "two_lines_of_titles": (
        "Region,2024,,2025,\n,Q1,Q2,Q1,Q2\nNorth,1,2,3,4\nSouth,5,6,7,8\n",
        "region text, c_2024_q1 int8, c_2024_q2 int8, c_2025_q1 int8, "
        "c_2025_q2 int8", [["North", "1", "2", "3", "4"],
                           ["South", "5", "6", "7", "8"]], "titles"),
    "double_and_empty_titles": ("a,,a,A\n1,2,3,4\n",
                                "a int8, column2 int8, a_2 int8, a_3 int8",
                                [["1", "2", "3", "4"]], None),
    "old_mac_lines": ("a,b\r1,x\r2,y\r", "a int8, b text",
                      [["1", "x"], ["2", "y"]], None),
    "mixed_lines": ("a,b\r\n1,x\n2,y\r\n", "a int8, b text",
                    [["1", "x"], ["2", "y"]], None),
    "a_separator_of_lines_in_a_cell": ("a,b\n1,x\u2028y\n2,z\n", "a int8, b text",
                                       [["1", "x\u2028y"], ["2", "z"]], None),
    "a_title_of_two_lines": ('"Amount\n(EUR)",b\n1,x\n2,y\n',
                             "amount_eur int8, b text",
                             [["1", "x"], ["2", "y"]], None),
}

# Name: the lines of a column (a header is put above), its type, its values, a note.
# A list of several columns is joined with the delimiter.
NUMBERS = {
    "thousands": (',', ['"1,234"', '"5,678"'], "int8", ["1234", "5678"], "thousands"),
    "thousands_and_less": (',', ['"1,234"', "56", '"-7,890,123"'], "int8",
                           ["1234", "56", "-7890123"], None),
    "thousands_with_cents": (',', ['"1,234.50"', "7.5"], "numeric",
                             ["1234.50", "7.50"], None),
    "thousands_in_tabs": ('\t', ["1,234.50", "12"], "numeric",
                          ["1234.50", "12.00"], None),
    "european": (';', ["1.234,50", "7,5"], "numeric", ["1234.50", "7.50"], None),
    "european_in_quotes": (',', ['"1.234,50"', '"7,5"'], "numeric",
                           ["1234.50", "7.50"], None),
    "european_millions": (';', ["1.234.567", "12"], "int8", ["1234567", "12"], None),
    "a_comma_below_one": (',', ['"0,123"', '"1,234"'], "numeric",
                          ["0.123", "1.234"], None),
    "semicolons_alone": (';', ["1,234", "5,678"], "numeric", ["1.234", "5.678"],
                         "decimal"),
    "points_stay_points": (',', ["1.234", "5.678"], "numeric", ["1.234", "5.678"],
                           None),
    "indian": (',', ['"12,34,567.50"', '"1,234"'], "numeric",
               ["1234567.50", "1234.00"], None),
    "swiss": (',', ["1'234.50", "7’000.00"], "numeric", ["1234.50", "7000.00"],
              None),
    "spaces": (';', ["1 234,50", "12"], "numeric", ["1234.50", "12.00"], None),
    "narrow_spaces": (';', ["1\u202f234,50", "1\u00a0234\u00a0567"], "numeric",
                      ["1234.50", "1234567.00"], None),
    "dollars": (',', ['"$1,234.50"', "$7", '"-$1,000"'], "numeric",
                ["1234.50", "7.00", "-1000.00"], "$"),
    "euros": (';', ["1.234,50 €", "7 €", "-3,00\u00a0€"], "numeric",
              ["1234.50", "7.00", "-3.00"], "€"),
    "codes": (',', ["USD 12.50", "USD 7"], "numeric", ["12.50", "7.00"], "USD"),
    "two_currencies": (',', ["$12.50", "€7.00"], "text", ["$12.50", "€7.00"], None),
    "per_cent": (',', ["12%", "7.5 %", "-1%"], "numeric", ["0.120", "0.075", "-0.010"],
                 "%"),
    "some_per_cent": (',', ["12%", "7"], "text", ["12%", "7"], None),
    "accountants": (',', ['"(1,234.50)"', "12.00"], "numeric", ["-1234.50", "12.00"],
                    None),
    "accountants_dollars": (',', ['"($1,234)"', '"$12"'], "int8", ["-1234", "12"], "$"),
    "marks_in_brackets": (',', ["(1)", "(2)"], "text", ["(1)", "(2)"], None),
    "a_minus_behind": (',', ["12.50-", "7.00"], "numeric", ["-12.50", "7.00"], None),
    "a_true_minus": (',', ["\u22125", "7"], "int8", ["-5", "7"], None),
    "postal_codes": (',', ["01234", "99999"], "text", ["01234", "99999"], None),
    "phones": (',', ["+4930123456", "+4930654321"], "text",
               ["+4930123456", "+4930654321"], None),
    "phones_in_groups": (',', ["123 456 789", "987 654 321"], "text",
                         ["123 456 789", "987 654 321"], None),
    "phones_with_zero": (',', ["030 123 456", "089 987 654"], "text",
                         ["030 123 456", "089 987 654"], None),
    "codes_with_zero_in_groups": (',', ['"0,123"', '"0,456,789"'], "text",
                                  ["0,123", "0,456,789"], None),
    "signed": (',', ["+5", "-3"], "int8", ["5", "-3"], None),
    "beyond_doubles": (',', ["9007199254740993", "1"], "int8",
                       ["9007199254740993", "1"], None),
    "beyond_bigints": (',', ["12345678901234567890", "1"], "numeric",
                       ["12345678901234567890", "1"], None),
    "beyond_decimals": (',', ["1" * 45, "1"], "text", ["1" * 45, "1"], None),
    "large_with_many_decimals": (',', ["9007199254740993.12345678", "1"], "numeric",
                                 ["9007199254740993.12345678", "1.00000000"], None),
    "large_beside_exponents": (',', ["9007199254740993", "1e3"], "text",
                               ["9007199254740993", "1e3"], None),
    "versions": (',', ["1.2.3", "1.10.0"], "text", ["1.2.3", "1.10.0"], None),
    "addresses": (',', ["192.168.100.200", "10.0.0.1"], "text",
                  ["192.168.100.200", "10.0.0.1"], None),
    "ranges": (',', ["1-5", "6-10"], "text", ["1-5", "6-10"], None),
    "units": (',', ["5 kg", "7 kg"], "text", ["5 kg", "7 kg"], None),
    "booleans": (',', ["TRUE", "false", ""], "bool", ["t", "f", None], None),
    "day_first": (',', ["31/12/2025", "01/02/2025"], "date",
                  ["2025-12-31", "2025-02-01"], None),
    "month_first": (',', ["12/31/2025", "01/02/2025"], "date",
                    ["2025-12-31", "2025-01-02"], None),
    "both_first": (',', ["12/31/2025", "31/12/2025"], "text",
                   ["12/31/2025", "31/12/2025"], None),
    "short_years": (',', ["31.12.25", "01.02.99"], "date",
                    ["2025-12-31", "1999-02-01"], None),
    "short_years_month_first": (',', ["12/31/25", "1/2/26"], "date",
                                ["2025-12-31", "2026-01-02"], None),
}

# Files where one column decides how another one is read.
FILES = {
    "decimal_commas_decide": ("a;b\n1,234;0,5\n5,678;1,25\n",
                              "a numeric, b numeric",
                              [["1.234", "0.50"], ["5.678", "1.25"]]),
    "decimal_commas_make_points_thousands": (
        "a;b\n1.234;0,5\n5.678;1,25\n", "a int8, b numeric",
        [["1234", "0.50"], ["5678", "1.25"]]),
    "points_make_commas_thousands": (
        'a;b\n1,234;0.5\n5,678;1.25\n', "a int8, b numeric",
        [["1234", "0.50"], ["5678", "1.25"]]),
    "decimal_commas_in_a_comma_file": (
        'a,b\n"1,234","0,5"\n"5,678","1,25"\n', "a numeric, b numeric",
        [["1.234", "0.50"], ["5.678", "1.25"]]),
    "a_day_decides": ("a,b\n31/12/2025,01/02/2025\n30/11/2025,03/04/2025\n",
                      "a date, b date", [["2025-12-31", "2025-02-01"],
                                         ["2025-11-30", "2025-04-03"]]),
}


def shown(known):
    return ", ".join(f"{name} {kind}" for name, kind in types(known))


def read(server, text, filename="t.csv"):
    data = text if isinstance(text, bytes) else text.encode()
    known = table(server, data, filename)
    return known, rows(server, f"select * from {known['name']}", known)


def says(known, note):
    return any(note in n for n in known["notes"]) if note else not known["notes"]


@pytest.mark.parametrize("case", LAYOUTS)
def test_layouts(server, case):
    text, expected, cells, note = LAYOUTS[case]
    known, found = read(server, text)
    assert (shown(known), found) == (expected, cells), known["notes"]
    assert says(known, note), known["notes"]


@pytest.mark.parametrize("case", NUMBERS)
def test_numbers(server, case):
    delimiter, lines, kind, cells, note = NUMBERS[case]
    text = delimiter.join("kv") + "\n" + "".join(
        f"x{delimiter}{line}\n" for line in lines)
    known, found = read(server, text)
    assert types(known) == [("k", "text"), ("v", kind)], known["notes"]
    assert [r[1] for r in found] == cells
    assert says(known, note), known["notes"]


@pytest.mark.parametrize("case", FILES)
def test_one_column_decides_about_another(server, case):
    text, expected, cells = FILES[case]
    known, found = read(server, text)
    assert (shown(known), found) == (expected, cells), known["notes"]


@pytest.mark.parametrize("encoding, mark", [
    ("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff"),
    ("utf-8", b"\xef\xbb\xbf"), ("cp1252", b""), ("latin-1", b"")])
def test_titles_in_each_encoding(server, encoding, mark):
    text = "sep=;\nUmsätze für Köln\n\nOrt;Größe\nKöln;1,50\nGent;2,25\n\nSumme;3,75\n"
    known, found = read(server, mark + text.encode(encoding))
    assert shown(known) == "ort text, größe numeric"
    assert found == [["Köln", "1.50"], ["Gent", "2.25"]]
    assert says(known, "Line 8")


def test_a_table_is_made_again_in_the_same_way(server):
    """A reference is all that another sandbox gets."""
    from files import reference
    text = "Report\n\n" + "Region;2024;;\n;Q1;Q2;Rate\nN;1,234.5;(7);5%\nM;1;2;3%\n\nTotal;9;9;\n"
    known, first = read(server, text)
    changed = dict(known, read={**known["read"], "again": 1})
    assert rows(server, "select * from t", changed) == first == [
        ["N", "1234.5", "-7", "0.05"], ["M", "1.0", "2", "0.03"]]
    assert reference(changed) != reference(known)


def test_a_late_number_with_a_comma(server):
    """The first rows do not show how numbers are written."""
    lines = ["n,m"] + [f"{n % 900},x" for n in range(60_000)]
    known = table(server, "\n".join([*lines, '"1,234",y']).encode())
    assert shown(known) == "n int8, m text"
    assert rows(server, "select max(n) from t", known) == [["1234"]]


def test_a_long_file_with_a_total(server):
    """The end is far from the beginning."""
    lines = ["Report", "", "n,m"] + [f"{n},{n * 2}" for n in range(60_000)]
    text = "\n".join([*lines, "", "Total,5", "Source: us"])
    known = table(server, text.encode())
    assert shown(known) == "n int8, m int8"
    assert says(known, "Lines 60005 and 60006"), known["notes"]
    assert rows(server, "select count(*), max(n) from t", known) == [
        ["60000", "59999"]]


def test_sixteen_thousand_columns(server):
    assert "at most 5000" in problem(server, b",".join(
        b"c%d" % n for n in range(16_000)) + b"\n" + b",".join(
        b"%d" % n for n in range(16_000)) + b"\n")


# ---- workbooks -------------------------------------------------------------------

def test_a_sheet_below_a_title(server):
    known, found = read(server, workbook(("S", [
        ["Sales"], [], ["region", "year", "amount"], ["North", 2023, 5.5],
        ["South", 2024, 6], [], ["Total", None, 11.5], ["Source: us"]])), "t.xlsx")
    assert shown(known) == "region text, year int8, amount numeric"
    assert found == [["North", "2023", "5.5"], ["South", "2024", "6.0"]]
    assert says(known, "Rows 1 and 2") and says(known, "Rows 7 and 8"), known["notes"]


def test_a_sheet_that_begins_below(server):
    known, found = read(server, workbook(("S", [
        [], [], [None, "a", "b"], [None, 1, "x"], [None, 2, None]])), "t.xlsx")
    assert shown(known) == "a int8, b text"
    assert found == [["1", "x"], ["2", None]] and known["notes"] == []


def test_a_sheet_whose_rows_end_early(server):
    known, found = read(server, workbook(("S", [
        ["a", "b", "c"], [1], [2, "x"], [3, "y", "z"]])), "t.xlsx")
    assert found == [["1", None, None], ["2", "x", None], ["3", "y", "z"]]
    assert known["notes"] == []


def book(code):
    return made("import openpyxl\nbook = openpyxl.Workbook()\nsheet = book.active\n"
                + code + "\nbook.save({target!r})\n")


def test_merged_titles(server):
    known, found = read(server, book("""
for line in (["Report"], ["Region", 2024, None, 2025, None],
             [None, "Q1", "Q2", "Q1", "Q2"], ["North", 1, 2, 3, 4],
             ["South", 5, 6, 7, 8]):
    sheet.append(line)
for cells in ("A1:E1", "A2:A3", "B2:C2", "D2:E2"):
    sheet.merge_cells(cells)"""), "t.xlsx")
    assert shown(known) == ("region text, c_2024_q1 int8, c_2024_q2 int8, "
                            "c_2025_q1 int8, c_2025_q2 int8")
    assert found == [["North", "1", "2", "3", "4"], ["South", "5", "6", "7", "8"]]


@pytest.mark.parametrize("state", ["hidden", "veryHidden"])
def test_hidden_sheets(server, state):
    answer = tables(server, book(f"""
sheet.title = "Shown"
for line in (["a"], [1]):
    sheet.append(line)
other = book.create_sheet("Salaries")
for line in (["b"], [2]):
    other.append(line)
other.sheet_state = {state!r}"""), "t.xlsx")
    assert [t["name"] for t in answer["tables"]] == ["t"]
    assert says(answer["tables"][0], "hidden"), answer["tables"][0]["notes"]


def test_formulas_without_values(server):
    known, found = read(server, workbook(("S", [
        ["k", "n"], ["x", 1], ["y", "=B2+1"]])), "t.xlsx")
    assert found == [["x", "1"], ["y", "=B2+1"]]
    assert says(known, "1 formula"), known["notes"]


def test_a_total_by_a_formula(server):
    known, found = read(server, workbook(("S", [
        ["k", "n"], ["x", 1], ["y", 2], ["Total", "=SUM(B2:B3)"]])), "t.xlsx")
    assert shown(known) == "k text, n int8"
    assert found == [["x", "1"], ["y", "2"]] and says(known, "Row 4")


def test_each_sheet_has_its_own_titles(server):
    answer = tables(server, workbook(
        ("One", [["T"], ["a", "b"], [1, 2]]), ("Two", [["c", "d"], [3, 4]])), "t.xlsx")
    assert [shown(t) for t in answer["tables"]] == ["a int8, b int8", "c int8, d int8"]


def test_numbers_as_texts_in_a_sheet(server):
    known, found = read(server, workbook(("S", [
        ["zip", "amount"], ["01234", "1,234.50"], ["99999", "7"]])), "t.xlsx")
    assert shown(known) == "zip text, amount numeric"
    assert found == [["01234", "1234.50"], ["99999", "7.00"]]
