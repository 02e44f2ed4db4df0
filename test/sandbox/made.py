"""Files that the sandbox's own Python writes: the tests' Python lacks its packages."""

import functools
import io
import os
import subprocess
import tempfile
import zipfile

from conftest import PYTHON

_WORKBOOK = """
import datetime, openpyxl
book = openpyxl.Workbook()
book.remove(book.active)
for name, lines in {sheets!r}:
    sheet = book.create_sheet(name)
    for line in lines:
        sheet.append(line)
book.save({target!r})
"""


def made(code):
    """The bytes of the file {target} that a program writes; it is formatted with it."""
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "made")
        subprocess.run([PYTHON, "-c", code.replace("{target!r}", repr(target))],
                       check=True, timeout=120)
        with open(target, "rb") as file:
            return file.read()


@functools.cache
def _smallest():
    return workbook(("S", [["x"]]))


def workbook(*sheets):
    return made(_WORKBOOK.replace("{sheets!r}", repr(sheets)))


def parquet(select):
    return made(f"import duckdb\nduckdb.execute({_copy(select)!r} % "
                "{target!r})")


def _copy(select):
    return "set TimeZone = 'UTC'; copy (" + select.replace("%", "%%") + \
        ") to '%s' (format parquet)"


def sheet(rows, before="", dimension=""):
    """A workbook whose only sheet has these rows in XML, after a prologue."""
    return replaced(_smallest(), "xl/worksheets/sheet1.xml",
                    '<?xml version="1.0"?>' + before + '<worksheet xmlns="http://'
                    'schemas.openxmlformats.org/spreadsheetml/2006/main">'
                    f"{dimension}<sheetData>{rows}</sheetData></worksheet>")


def replaced(archive, name, content):
    """The archive with another member of this name."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, \
            zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.namelist():
            new.writestr(member, content if member == name
                         else old.read(member))
    return target.getvalue()


def with_texts(texts, rows):
    """A workbook whose only sheet has these rows, with shared strings, all in XML."""
    book = sheet(rows)
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        types = archive.read("[Content_Types].xml").decode()
    book = replaced(book, "[Content_Types].xml", types.replace(
        "</Types>", '<Override PartName="/xl/sharedStrings.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.spreadsheetml.'
        'sharedStrings+xml"/></Types>'))
    target = io.BytesIO(book)
    with zipfile.ZipFile(target, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/sharedStrings.xml", '<?xml version="1.0"?><sst '
                         'xmlns="http://schemas.openxmlformats.org/'
                         f'spreadsheetml/2006/main">{texts}</sst>')
    return target.getvalue()


def row(number, *cells):
    return f'<row r="{number}">' + "".join(
        f'<c r="{chr(65 + n)}{number}" t="inlineStr"><is><t>{cell}</t></is></c>'
        for n, cell in enumerate(cells)) + "</row>"
