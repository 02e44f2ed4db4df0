"""Opens an Excel workbook with limits. openpyxl finds and reads the sheets; the texts
that cells share are read here, faster and with a bound."""

import re
import warnings
from xml.etree import ElementTree

from .archive import Archive
from .identify import Unreadable

MOST_SHEETS = 32
MOST_TEXTS = 2_000_000
MOST_CELLS = 25_000_000  # of all sheets together
_MARKS_OF_A_CELL = 4     # "<c><v></v></c>"
_CHUNK = 1 << 20
_SPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_TEXT = re.compile(rb"<(\w{1,50}:)?si[\s/>]")
_FORMULA = re.compile(rb"<(\w{1,50}:)?f[\s/>]")


def open_workbook(path, computed, texts=None):
    """Returns an object with `wb`, `shared_strings`, `calculated` (the names of the
    sheets with formulas) and `count` (of all sheets; those beyond MOST_SHEETS are not
    read). `computed`: with the values that formulas had, else with the formulas;
    `texts`: the shared strings of the other one, if it is open."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reader = _reader_of(Archive(path), computed, texts)
            reader.read()
            return reader
    except (MemoryError, Unreadable):
        raise
    except Exception:
        raise Unreadable("The Excel file is damaged or protected.") from None


def _reader_of(archive, computed, texts):
    from openpyxl.reader.excel import ExcelReader

    class Reader(ExcelReader):
        """Reads nothing but what tables need: no links, charts and themes."""

        def __init__(self):
            self.archive, self.valid_files = archive, archive.namelist()
            self.read_only, self.data_only = True, computed
            self.keep_vba = self.keep_links = self.rich_text = False
            self.shared_strings = texts or []
            self.calculated = set()

        def read_strings(self):
            if not texts:
                self._read_texts()

        def _read_texts(self):
            from openpyxl.xml.constants import SHARED_STRINGS
            part = self.package.find(SHARED_STRINGS)
            if part is not None:
                with archive.open(part.PartName[1:]) as source:
                    _check(source)
                    self.shared_strings = list(_texts(source))

        def read_worksheets(self):
            sheets = list(self.parser.find_sheets())
            self.count = len(sheets)
            sheets = [(sheet, rel) for sheet, rel in sheets[:MOST_SHEETS]
                      if rel.target in self.valid_files]
            room = MOST_CELLS * _MARKS_OF_A_CELL
            for sheet, rel in sheets:
                with archive.open(rel.target) as source:
                    marks, has_formulas = _looked_through(source, room)
                room -= marks
                if has_formulas:
                    self.calculated.add(sheet.name)
            self.parser.find_sheets = lambda: sheets
            super().read_worksheets()

        def nothing(self, *_):
            pass

        read_properties = read_custom = read_theme = nothing
        read_chartsheet = nothing
    return Reader()


def _check(source):
    """Counts the texts, which takes a small part of the time to read them."""
    count, before = 0, b""
    while chunk := source.read(_CHUNK):
        text, end = before + chunk, 0
        for found in _TEXT.finditer(text):
            count, end = count + 1, found.end()
        if count > MOST_TEXTS:
            raise Unreadable("The workbook has too many different texts; at most "
                             f"{MOST_TEXTS // 1_000_000} million are possible.")
        before = text[max(end, len(text) - 64):]
    source.seek(0)


def _looked_through(source, room):
    """(how many marks a sheet has, whether some are formulas). To read its cells takes a
    hundred times as long."""
    count, before, has_formulas = 0, b"", False
    while chunk := source.read(_CHUNK):
        count += chunk.count(b"<")
        if count > room:
            raise Unreadable("The workbook has too many cells; at most "
                             f"{MOST_CELLS // 1_000_000} million are possible.")
        has_formulas = has_formulas or bool(_FORMULA.search(before + chunk))
        before = chunk[-64:]
    return count, has_formulas


def _texts(source):
    """What a cell shows: without the readings of Asian scripts (rPh)."""
    for _, node in ElementTree.iterparse(source):
        if node.tag == _SPACE + "si":
            pieces = [node.findtext(_SPACE + "t") or ""]
            pieces += [run.findtext(_SPACE + "t") or ""
                       for run in node.iterfind(_SPACE + "r")]
            node.clear()
            yield "".join(pieces).replace("x005F_", "")
