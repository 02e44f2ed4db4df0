"""Excel workbooks: each sheet with a row of titles becomes a text, which is then read
like a CSV file."""

import csv
import datetime
import os
import warnings

from .identify import Unreadable

MOST_SHEETS = 32
MOST_COLUMNS = 8192


def write_texts(path, directory, only=None):
    """[(name of the sheet, path of its text)] of all sheets, or of those in `only`."""
    values = _open(path, True)
    formulas = _open(path, False)
    written = []
    for number, name in enumerate(values.sheetnames[:MOST_SHEETS]):
        if only is not None and name not in only:
            continue
        sheet = values[name]
        if not hasattr(sheet, "iter_rows"):
            continue  # a chart
        target = os.path.join(directory, f"sheet{number}.csv")
        if _write(sheet, formulas[name], target):
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


def _write(sheet, formulas, target):
    """Writes the rows of a sheet from its first one that is not empty; returns
    whether there are any. A formula gives its stored value, or itself as text."""
    width, any_row = None, False
    with open(target, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        try:
            for row, alike in zip(sheet.iter_rows(values_only=True),
                                  formulas.iter_rows(values_only=True)):
                cells = [_text(value if value is not None else formula)
                         for value, formula in zip(row, alike)]
                if width is None:
                    width = _width(cells)
                    if not width:
                        width = None
                        continue
                if width > MOST_COLUMNS:
                    raise Unreadable(f"The sheet {sheet.title} has too many "
                                     "columns.")
                if any(cells[:width]):
                    cells += [""] * (width - len(cells))
                    writer.writerow(cells[:width])
                    any_row = True
        except (Unreadable, MemoryError, OSError):
            raise
        except Exception:
            raise Unreadable(f"The sheet {sheet.title} is damaged.") from None
    return any_row


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
