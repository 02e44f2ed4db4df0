"""Files that are too large in one way or another: what has room is read, and what was
left out is said; what is hostile is refused before it costs much."""

import io
import zipfile

import pytest
from conftest import Server
from files import post, problem, reference, rows, table, tables
from made import parquet, replaced, row, sheet, with_texts, workbook

LENGTHS = """
print({name: (len(frame), list(frame.columns)) for name, frame in datasets.items()})
"""


# ---- data frames -----------------------------------------------------------------

@pytest.fixture(scope="module")
def small():
    server = Server(environment={"PYTHON_MEMORY_LIMIT_MB": "96"}).drain()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def large(small):
    return table(small, parquet(
        "select i, repeat('x', 40) || i as s, nullif(i, 3) as m "
        "from range(1500000) q(i)"), "large.parquet")


def frames(server, code, *known):
    status, answer = post(server, "/execute", code=code, timeout=60,
                          tables=[reference(t) for t in known])
    assert status == 200, answer
    return answer


def test_tables_that_do_not_fit_are_cut(small, large):
    little = table(small, b"a,b\n1,x\n2,y\n", "little.csv")
    answer = frames(small, LENGTHS + "print(large.s.iloc[-1] == 'x' * 40 + "
                    "str(len(large) - 1))", large, little)
    assert answer["returnCode"] == 0, answer
    assert "'little': (2, ['a', 'b'])" in answer["stdout"]
    assert answer["stdout"].endswith("True\n")
    (cut,) = answer["cut"]
    assert cut["name"] == "large" and cut["of"] == 1_500_000
    assert 10_000 < cut["rows"] < 1_500_000
    assert f"'large': ({cut['rows']}, " in answer["stdout"]


def test_a_single_table_that_is_cut_is_df(small, large):
    answer = frames(small, "print(len(df) == len(large), df.m.dtype)", large)
    assert answer["stdout"] == "True Int64\n" and answer["cut"]


def test_tables_that_fit_are_whole(server):
    known = table(server, b"a\n1\n2\n")
    answer = frames(server, "print(len(df))", known)
    assert answer["stdout"] == "2\n" and "cut" not in answer


# ---- profiles ------------------------------------------------------------------------

def test_an_estimate_is_marked(server):
    """Many different values are estimated, unless the column may be a key."""
    known = table(server, parquet(
        "select i as id, i % 20000 as many, i % 10 as few "
        "from range(60000) q(i)"), "t.parquet")
    id_, many, few = known["columns"]
    assert many["approximate"] is True and 15_000 < many["distinct"] < 25_000
    assert "approximate" not in id_ and id_["distinct"] == 60_000
    assert "approximate" not in few and few["distinct"] == 10


# ---- workbooks -----------------------------------------------------------------------

def problem_of(server, data):
    return problem(server, data, "t.xlsx")


def test_shared_texts_are_those_that_cells_show(server):
    known = table(server, with_texts(
        "<si><t>title</t></si><si><r><t>a </t></r><r><rPr/><t>b</t></r>"
        "<rPh sb='0' eb='1'><t>reading</t></rPh></si><si/>"
        "<si><t xml:space='preserve'> c </t></si>",
        "".join(f'<row r="{n}"><c r="A{n}" t="s"><v>{n - 1}</v></c>'
                f'<c r="B{n}" t="inlineStr"><is><t>x</t></is></c></row>'
                for n in range(1, 5))), "t.xlsx")
    assert rows(server, "select title from t", known) == [
        ["a b"], [None], [" c "]]


def test_too_many_texts_are_refused(server):
    assert problem_of(server, with_texts("<si/>" * 2_100_000, "")) == \
        "The workbook has too many different texts; at most 2 million are possible."


def test_too_many_cells_are_refused(server):
    assert problem_of(server, sheet(row(1, "a") + "<" * 101_000_000)) == \
        "The workbook has too many cells; at most 25 million are possible."


def test_an_archive_of_too_many_files_is_refused(server):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        for n in range(20_000):
            file.writestr(f"{n:0200}", "")
    assert problem_of(server, archive.getvalue()) == \
        "The file is a ZIP archive of too many files."


def test_a_part_that_becomes_too_large_is_refused(server):
    data = replaced(workbook(("S", [["x"]])), "xl/styles.xml",
                    "<a>" + "<b/>" * 20_000_000 + "</a>")
    assert problem_of(server, data) == \
        "The file becomes too large when it is unpacked."


def test_sheets_without_a_table_are_named(server):
    answer = tables(server, workbook(
        ("A", [["x"], [1]]), ("Nothing", []), ("B", [["y"], [2]])), "t.xlsx")
    assert [t["sheet"] for t in answer["tables"]] == ["A", "B"]
    assert answer["tables"][0]["notes"] == [
        "There is no table in the sheet Nothing."]
    answer = tables(server, workbook(
        *((f"S{n}", [["x"], [n]]) for n in range(34))), "t.xlsx")
    assert len(answer["tables"]) == 32
    assert answer["tables"][0]["notes"] == [
        "The workbook has 34 sheets: the first 32 were read."]


def test_a_row_of_a_sheet_may_be_long(server):
    long = "x" * 100_000
    known = table(server, sheet(row(1, "a", "b") + row(2, long, "y")), "t.xlsx")
    assert rows(server, "select length(a), b from t", known) == [
        ["100000", "y"]]
