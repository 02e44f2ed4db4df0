"""Excel workbooks: each sheet with a row of titles becomes a text, which is then read
like a CSV file."""

import csv
import datetime
import itertools
import os

from . import workbook
from .identify import MOST_COLUMNS, Unreadable

MOST_ROWS = 1_048_576  # Excel's


def write_texts(path, directory, only=None):
    """([(name of the sheet, path of its text, sentences about it)] of all sheets that are
    shown, or of those in `only`; sentences about those that were left out)."""
    values = workbook.open_workbook(path, True)
    formulas = None
    if values.calculated:
        formulas = workbook.open_workbook(path, False, values.shared_strings)
    written, empty = [], []
    hidden = _hidden(values.wb) if only is None else []
    for number, name in enumerate(values.wb.sheetnames):
        if name in hidden or only is not None and name not in only:
            continue
        sheet = values.wb[name]
        alike = formulas.wb[name] if name in values.calculated else None
        target = os.path.join(directory, f"sheet{number}.csv")
        any_row, bare = _write(sheet, alike, target)
        if any_row:
            written.append((name, target, _formulas(bare)))
        else:
            empty.append(name)
    if not written:
        raise Unreadable("The workbook has no sheet with a table.")
    return written, _left_out(empty, hidden, values.count)


def _hidden(book):
    """The names of hidden sheets; none if no other is there."""
    hidden = [name for name in book.sheetnames
              if book[name].sheet_state != "visible"]
    return hidden if len(hidden) < len(book.sheetnames) else []


def _formulas(count):
    if not count:
        return []
    return [f"{count} formula{'s' * (count > 1)} without a stored value: the text of a "
            "formula is shown instead. Open and save the workbook in a spreadsheet program."]


def _left_out(empty, hidden, count):
    notes = []
    if empty:
        notes.append(f"There is no table in the {_listed(empty)}.")
    if hidden:
        notes.append(f"Left out, because hidden: the {_listed(hidden)}.")
    if count > workbook.MOST_SHEETS:
        notes.append(f"The workbook has {count} sheets: the first "
                     f"{workbook.MOST_SHEETS} were read.")
    return notes


def _listed(sheets):
    names = ", ".join(name[:60] for name in sheets[:5])
    more = f" and {len(sheets) - 5} more" if len(sheets) > 5 else ""
    return "sheet" + "s" * (len(sheets) > 1) + f" {names}{more}"


def _damaged(title):
    return Unreadable(f"The sheet {title[:100]} is damaged.")


def _rows(sheet):
    """The rows up to Excel's last one. What the sheet says about its size may be wrong,
    and would make each row as wide."""
    sheet.reset_dimensions()
    return sheet.iter_rows(max_row=MOST_ROWS, values_only=True)


def _write(sheet, formulas, target):
    """Writes the rows of a sheet, each up to its last filled cell. Returns whether there
    are any, and how many formulas are in them as text, having no stored value."""
    blank, any_row, bare = 0, False, 0
    with open(target, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        try:
            for row, alike in zip(_rows(sheet), _rows(formulas) if formulas
                                  else itertools.repeat(())):
                cells, without = _cells(row, alike)
                if not cells:
                    blank += 1
                    continue
                if len(cells) > MOST_COLUMNS:
                    raise Unreadable(f"The sheet {sheet.title[:100]} has too many "
                                     "columns.")
                out.write("\r\n" * blank)
                writer.writerow(cells)
                blank, any_row, bare = 0, True, bare + without
        except (Unreadable, MemoryError, OSError):
            raise
        except Exception:
            raise _damaged(sheet.title) from None
    return any_row, bare


def _cells(row, formulas):
    """The texts of a row, without empty ones at its end, and the number of formulas that
    have no stored value."""
    bare = 0
    if formulas:
        bare = sum(value is None and formula is not None
                   for value, formula in itertools.zip_longest(row, formulas))
        row = [value if value is not None else formula
               for value, formula in itertools.zip_longest(row, formulas)]
    cells = [_text(value) for value in row]
    while cells and not cells[-1].strip():
        cells.pop()
    return cells, bare


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
