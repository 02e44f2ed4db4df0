"""Excel workbooks: each sheet with a row of titles becomes a text, which is then read
like a CSV file."""

import csv
import datetime
import itertools
import os

from . import workbook
from .identify import Unreadable

MOST_COLUMNS = 8192
MOST_ROWS = 1_048_576  # Excel's


def write_texts(path, directory, only=None):
    """([(name of the sheet, path of its text)] of all sheets, or of those in `only`;
    sentences about those that were left out)."""
    values = workbook.open_workbook(path, True)
    formulas = None
    if values.calculated:
        formulas = workbook.open_workbook(path, False, values.shared_strings)
    written, empty = [], []
    for number, name in enumerate(values.wb.sheetnames):
        if only is not None and name not in only:
            continue
        sheet = values.wb[name]
        alike = formulas.wb[name] if name in values.calculated else None
        target = os.path.join(directory, f"sheet{number}.csv")
        if _write(sheet, alike, target):
            written.append((name, target))
        else:
            empty.append(name)
    if not written:
        raise Unreadable("The workbook has no sheet with a table.")
    return written, _left_out(empty, values.count)


def _left_out(empty, count):
    notes = []
    if empty:
        names = ", ".join(name[:60] for name in empty[:5])
        more = f" and {len(empty) - 5} more" if len(empty) > 5 else ""
        notes.append("There is no table in the sheet" + "s" * (len(empty) > 1)
                     + f" {names}{more}.")
    if count > workbook.MOST_SHEETS:
        notes.append(f"The workbook has {count} sheets: the first "
                     f"{workbook.MOST_SHEETS} were read.")
    return notes


def _damaged(title):
    return Unreadable(f"The sheet {title[:100]} is damaged.")


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
                    raise Unreadable(f"The sheet {sheet.title[:100]} has too many "
                                     "columns.")
                if any(cells):
                    cells += [""] * (width - len(cells))
                    writer.writerow(cells)
                    any_row = True
        except (Unreadable, MemoryError, OSError):
            raise
        except Exception:
            raise _damaged(sheet.title) from None
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
