"""Excel workbooks: each sheet with a row of titles becomes a text, which is then read
like a CSV file."""

import csv
import datetime
import itertools
import os
import re
import warnings

from .identify import Unreadable

MOST_SHEETS = 32
MOST_COLUMNS = 8192
MOST_ROWS = 1_048_576  # Excel's
_CHUNK = 1 << 20
_FORMULA = re.compile(rb"<(\w{1,50}:)?f[\s/>]")


def write_texts(path, directory, only=None):
    """[(name of the sheet, path of its text)] of all sheets, or of those in `only`."""
    values = _open(path, True)
    formulas = None
    written = []
    for number, name in enumerate(values.sheetnames[:MOST_SHEETS]):
        if only is not None and name not in only:
            continue
        sheet = values[name]
        if not hasattr(sheet, "iter_rows"):
            continue  # a chart
        alike = None
        if _has_formulas(sheet):
            formulas = formulas or _open(path, False)
            alike = formulas[name]
        target = os.path.join(directory, f"sheet{number}.csv")
        if _write(sheet, alike, target):
            written.append((name, target))
    if not written:
        raise Unreadable("The workbook has no sheet with a table.")
    return written


def _open(path, computed):
    import openpyxl
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # By its name, openpyxl would refuse it.
            return openpyxl.load_workbook(open(path, "rb"), read_only=True,
                                          data_only=computed)
    except MemoryError:
        raise
    except Exception:
        raise Unreadable("The Excel file is damaged or protected.") from None


def _has_formulas(sheet):
    """Whether to read the sheet a second time, which takes as long as the first."""
    before = b""
    try:
        with sheet._get_source() as source:
            while chunk := source.read(_CHUNK):
                if _FORMULA.search(before + chunk):
                    return True
                before = chunk[-64:]
    except MemoryError:
        raise
    except Exception:
        raise Unreadable(f"The sheet {sheet.title} is damaged.") from None
    return False


def _rows(sheet):
    """The rows up to Excel's last one. What the sheet says about its size may be wrong,
    and would make each row as wide."""
    sheet.reset_dimensions()
    return sheet.iter_rows(max_row=MOST_ROWS, values_only=True)


def _write(sheet, formulas, target):
    """Writes the rows of a sheet from its first one that is not empty; returns
    whether there are any. A formula gives its stored value, or itself as text."""
    width, any_row = None, False
    with open(target, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        try:
            for row, alike in zip(_rows(sheet), _rows(formulas) if formulas
                                  else itertools.repeat(())):
                cells = _cells(row, alike, width)
                if width is None:
                    width = _width(cells) or None
                    if width is None:
                        continue
                if width > MOST_COLUMNS:
                    raise Unreadable(f"The sheet {sheet.title} has too many "
                                     "columns.")
                if any(cells):
                    cells += [""] * (width - len(cells))
                    writer.writerow(cells)
                    any_row = True
        except (Unreadable, MemoryError, OSError):
            raise
        except Exception:
            raise Unreadable(f"The sheet {sheet.title} is damaged.") from None
    return any_row


def _cells(row, formulas, width):
    """The texts of a row, at most `width`."""
    if not formulas:
        return [_text(value) for value in row[:width]]
    return [_text(value if value is not None else formula)
            for value, formula in itertools.zip_longest(
                row[:width], formulas[:width])]


def _width(cells):
    while cells and not cells[-1]:
        cells.pop()
    return len(cells)


def _text(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 \
            else repr(value)
    if isinstance(value, datetime.datetime):
        plain = value.time() == datetime.time()
        return value.date().isoformat() if plain else value.isoformat(" ")
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return str(value)
