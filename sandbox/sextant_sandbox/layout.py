"""Where the table of a text is: below a line that names the separator, comments, titles and
blank lines, and above totals and remarks.

What is left out is decided by what the rows near both ends of the text show. A row between
two others of the table is data, whatever it says.
"""

import csv
import io
import itertools
import re

from .identify import Unreadable

DELIMITERS = [",", ";", "\t", "|"]
MOST_CELL = 8 << 20
_SAMPLE = 256 << 10  # characters at the beginning
_END = 64 << 10      # bytes at the end
_MOST_ROWS = 40      # of a block that is left out
_MOST_BLOCKS = 8     # below a table
_SEPARATOR = re.compile(r'"?sep=([,;|\t])"?[,;|\t]*', re.IGNORECASE)
_NOTHING = {"", "-", "na", "n/a", "null", "none", "nan", "true", "false"}
_VALUE = re.compile(r"\W{0,4}\d[\d.,:/ '’\u00a0\u202fTZ+-]*\W{0,4}")
_YEAR = re.compile(r"(1[89]|2[01])\d\d")
_TOTAL = re.compile(
    r"((grand |sub)?totals?|sum|overall|summe|gesamt(summe)?|insgesamt|total général|"
    r"somme|totale|suma|totaal|razem|итого|всего|合計|总计)\s*:?", re.IGNORECASE)


class Record:
    """A row of cells, where its line is, and the bytes from `start` to `end`. A row of a
    sheet has the number of the row instead of that of the line."""

    def __init__(self, cells, line, start, end):
        self.cells, self.line, self.start, self.end = cells, line, start, end
        self.filled = [n for n, cell in enumerate(cells) if cell.strip()]
        self.lone = len(self.filled) == 1

    def label(self):
        return self.cells[self.filled[0]].strip()


class Layout:
    """The bytes from `start` to `end` (None: to the last one) of a text are its table: rows
    of `width` cells. `rows` are the first ones, with that of the titles of columns, if
    there is one; `titles` are what two of them say together, else None. `notes` are
    sentences about what was left out."""

    def __init__(self, delimiter, width, rows, titles, start, end, notes):
        self.delimiter, self.width, self.rows = delimiter, width, rows
        self.titles, self.start, self.end, self.notes = titles, start, end, notes


class _Lines:
    """Counts the lines and bytes that a csv.reader takes."""

    def __init__(self, text):
        self.lines, self.count, self.bytes = io.StringIO(text, newline=""), 0, 0

    def __iter__(self):
        return self

    def __next__(self):
        line = next(self.lines)
        self.count += 1
        self.bytes += len(line.encode())
        return line


def _records(text, delimiter, of_sheet):
    csv.field_size_limit(MOST_CELL)
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
        lines, found = _Lines(text), []
        number = start = 0
        try:
            for cells in csv.reader(lines, delimiter=delimiter, quoting=quoting):
                found.append(Record(cells, number + 1, start, lines.bytes))
                number = len(found) if of_sheet else lines.count
                start = lines.bytes
            return found
        except csv.Error:
            pass
    raise Unreadable("The file has cells that are too large.")


def find(path, of_sheet=False):
    """The Layout of a text in UTF-8. `of_sheet`: it was written from a sheet, with commas,
    and its rows end with their last filled cell. Raises Unreadable."""
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        text = file.read(_SAMPLE)
        whole = len(text) < _SAMPLE
    named = _SEPARATOR.fullmatch(text[:40].split("\n")[0].rstrip("\r"))
    if of_sheet or named:
        delimiter = "," if of_sheet else named[1]
        records = _first(text, delimiter, whole, of_sheet)
    else:
        delimiter, records = _delimited(text, whole)
    top = _Top(records, of_sheet, 1 if named and not of_sheet else 0)
    last, base = (records, 0) if whole else _last(path, delimiter, of_sheet)
    return _layout(path, delimiter, top, last, base, whole, of_sheet)


def _first(text, delimiter, whole, of_sheet=False):
    records = _records(text, delimiter, of_sheet)
    if not whole and len(records) > 1:
        records.pop()
    if not any(record.cells for record in records):
        raise Unreadable("The file has no text.")
    return records


def _delimited(text, whole):
    """The delimiter that cuts most of all rows into the same number of cells, also that of
    the titles; and the rows. If none does, one that is rare, so that rows stay whole."""
    best, chosen = (0, 0), None
    for delimiter in DELIMITERS:
        records = _first(text, delimiter, whole)
        top = _Top(records)
        lengths = [len(r.cells) for r in records[top.place:] if r.cells]
        usual = max(set(lengths), key=lengths.count)
        count = sum(bool(r.filled) for r in records)
        score = round(lengths.count(usual) / max(1, count), 2), usual
        if lengths[0] > 1 and usual > 1 and score > best:
            best, chosen = score, (delimiter, records)
    if chosen is None:
        delimiter = min(DELIMITERS, key=text.count)
        chosen = delimiter, _first(text, delimiter, whole)
    return chosen


def _layout(path, delimiter, top, last, base, whole, of_sheet):
    records, notes = top.records, []
    header = records[top.place]
    above = top.place - bool(top.titles)
    if any(record.filled for record in records[:above]):
        notes.append(_left_out(of_sheet, 1, records[above].line - 1, "above the table"))
    if top.titles:
        notes.append("The titles of columns are in two rows, which were read together.")
    cells = len(top.titles or header.cells)
    table = [record for record in records[top.place:] if record.cells]
    width = max(cells, top.width)
    if cells < width and any(len(r.filled) and r.filled[-1] >= cells for r in table):
        notes.append(f"The row with titles has {cells} cells, but others have "
                     f"{width}: check which column a title belongs to.")
    else:
        width = cells
    body = last[top.place + 1:] if whole else last
    kept, doubtful = _bottom(body, width, whole)
    end = None
    if kept < len(body) or doubtful:
        number = 0 if whole else _number_at(path, base, of_sheet)
        if kept < len(body):
            gone = [r.line + number for r in body[kept:] if r.filled]
            end = base + body[kept].start
            notes.append(_left_out(of_sheet, gone[0], gone[-1], "below the table"))
        if doubtful:
            notes.append(f"{'Row' if of_sheet else 'Line'} {doubtful.line + number} looks "
                         "like a total. It was kept, because it may be a row like others.")
    rows = [r.cells for r in table if end is None or not whole or r.start < end]
    return Layout(delimiter, width, rows, top.titles,
                  header.start if top.place else 0, end, notes)


def _left_out(of_sheet, first, last, where):
    word = "Row" if of_sheet else "Line"
    if first >= last:
        return f"{word} {first}, {where}, was left out."
    return f"{word}s {first} {'and' if last == first + 1 else 'to'} {last}, {where}, " \
           "were left out."


# ---- above the table --------------------------------------------------------------

class _Top:
    """`place` of the row with the titles of the columns (of two such rows, the second
    one, and then `titles`), `width` of the rows."""

    def __init__(self, records, of_sheet=False, place=0):
        self.records, self.titles = records, None
        place = self._filled(place)
        after = self._below_comments(place)
        self.width = self._usual(after)
        place = self._header_of_comments(place, after)
        if place == after:
            place = self._below_blocks(place)
            place = self._below_titles(place, of_sheet)
        self.place = place
        self._two_rows()

    def _filled(self, place):
        """The first row from here on that is not blank; if all are, the first one."""
        for n in range(place, len(self.records)):
            if self.records[n].filled:
                return n
        return next(n for n, record in enumerate(self.records) if record.cells)

    def _next(self, place):
        """The row below, if it is not blank, else None."""
        below = self.records[place + 1:place + 2]
        return below[0] if below and below[0].filled else None

    def _below_comments(self, place):
        for n in range(place, len(self.records)):
            record = self.records[n]
            if record.filled and not record.cells[0].lstrip().startswith("#"):
                return n
        return place

    def _header_of_comments(self, place, after):
        """A comment directly above the rows has the titles if it is as wide, and begins
        with a word, or a value is below it."""
        if after == place:
            return place
        comment, below = self.records[after - 1], self.records[after]
        if not comment.filled or len(comment.cells) != self.width or self.width < 2:
            return after
        first = comment.cells[0].lstrip()[1:]
        if (first[:1] not in (" ", "#") and " " not in first) or (
                any(map(_is_value, below.cells))
                and not any(map(_is_value, comment.cells))):
            comment.cells[0] = first.strip() or "#"
            return after - 1
        return after

    def _usual(self, place):
        """The width of most rows; of those below a title if most rows are the title's."""
        lengths = [len(r.cells) for r in self.records[place:] if r.cells]
        usual = max(set(lengths), key=lambda n: (lengths.count(n), n))
        wide = list(itertools.dropwhile(lambda n: n == 1, lengths))
        if usual == 1 and len(wide) > 1 and len(lengths) - len(wide) <= _MOST_ROWS \
                and wide[0] == wide[1]:
            return wide[0]
        return usual

    def _below_blocks(self, place):
        """Below blocks of rows that are no rows of the table, each with a blank one after
        it: lone cells, or others than the table has."""
        while True:
            end = place
            while end < len(self.records) and self.records[end].filled:
                end += 1
            block = self.records[place:end]
            after = self._filled(end) if end < len(self.records) else 0
            if after <= end or self.width < 2 or not 0 < len(block) <= _MOST_ROWS:
                return place
            lone = all(r.lone for r in block)
            below = self.records[after]
            odd = all(r.lone or len(r.cells) > self.width
                      or len(r.filled) < len(below.filled) for r in block)
            if below.lone and not lone or not (lone or odd and _is_header(below)):
                return place
            place = after

    def _below_titles(self, place, of_sheet):
        """Below lone cells without a blank row after them, if a table follows."""
        end = place
        while end < len(self.records) and self.records[end].lone:
            end += 1
        table = [r for r in self.records[end:] if r.filled]
        if end == place or end - place > _MOST_ROWS or self.width < 2 or not table \
                or not self.records[end].filled:
            return place
        header, rows = table[0], table[1:]
        if len(header.filled) < 2:
            return place
        above = self.records[place:end]
        if not of_sheet and all(len(r.cells) == 1 for r in above):
            same = sum(len(r.cells) == len(header.cells) for r in table)
            spaced = sum(c.startswith(" ") for r in table for c in r.cells[1:])
            return end if same >= len(table) * 0.9 and \
                spaced * 2 < sum(len(r.cells) - 1 for r in table) else place
        plain = _is_header(header) and any(
            _is_value(c) for r in rows for c in r.cells)
        return end if plain or len(header.filled) > 2 else place

    def _two_rows(self):
        """Titles in two rows: cells of the first one span some of the second one, and
        values are below."""
        upper, lower = self.records[self.place], self._next(self.place)
        below = self._next(self.place + 1) if lower else None
        if below is None or len(upper.filled) < 2 or not _is_header(upper) \
                or not _is_header(lower) or not any(map(_is_value, below.cells)):
            return
        width = max(len(upper.cells), len(lower.cells))
        over = upper.cells + [""] * (width - len(upper.cells))
        under = lower.cells + [""] * (width - len(lower.cells))
        alone = [n for n in range(width) if over[n].strip() and not under[n].strip()]
        spanned = [n for n in range(1, width) if not over[n].strip()]
        if not alone or not spanned or not all(under[n].strip() for n in spanned):
            return
        titles, last = [], ""
        for one, two in zip(over, under):
            last = one.strip() or last
            titles.append(f"{last} {two.strip()}".strip())
        self.titles, self.place = titles, self.place + 1


def _is_value(cell):
    cell = cell.strip()
    return bool(_VALUE.fullmatch(cell)) or cell.lower() in ("true", "false")


def _is_header(record):
    """No cell is a value. A year may be a title."""
    return not any(_is_value(c) and not _YEAR.fullmatch(c.strip()) for c in record.cells)


# ---- below the table ---------------------------------------------------------------

def _last(path, delimiter, of_sheet):
    """The rows of the end of a long text, from the first line that begins there, and the
    byte at which it does."""
    with open(path, "rb") as file:
        base = max(0, file.seek(0, 2) - _END)
        file.seek(base)
        end = file.read()
    found = re.search(rb"\r\n|\n|\r", end)
    if not found:
        return [], 0
    text = end[found.end():].decode(errors="replace")
    if text.count("\ufffd"):
        return [], 0
    return _records(text, delimiter, of_sheet), base + found.end()


def _number_at(path, base, of_sheet):
    """The number of the lines, or of the rows of a sheet, before a byte."""
    count, left, ends = 0, base, (b"\n", b"\r")
    with open(path, "rb") as file:
        if of_sheet:
            text = io.TextIOWrapper(io.BytesIO(file.read(base)), encoding="utf-8",
                                    newline="")
            return sum(1 for _ in csv.reader(text))
        chunk = file.read(min(left, 1 << 20))
        end = ends[0] if ends[0] in chunk else ends[1]
        while chunk:
            count, left = count + chunk.count(end), left - len(chunk)
            chunk = file.read(min(left, 1 << 20))
    return count


def _bottom(records, width, whole):
    """(the place of the first row below the table, a row that looks like a total but was
    kept, or None). At least one row is above that place."""
    kept = _end(records, len(records))
    usual = sum(len(r.cells) == width for r in records if r.filled)
    if not whole and usual * 2 < len(records):
        return len(records), None
    for _ in range(_MOST_BLOCKS):
        start = kept
        while start and records[start - 1].filled:
            start -= 1
        block, table = records[start:kept], _filled(records[:start])
        if not table or not block or len(block) > _MOST_ROWS:
            break
        column = _Columns(table)
        if not all(column.is_other(record) for record in block):
            break
        kept = _end(records, start)
    table, last = _filled(records[:kept])[:-1], records[kept - 1] if kept else None
    doubtful = None
    if table and last.filled:
        total = _TOTAL.fullmatch(last.label())
        comment = last.lone and last.label().startswith("#")
        if comment or total and (_Columns(table).misses(last)
                                 or whole and _is_sum(table, last)):
            kept -= 1
        elif total:
            doubtful = last
    if kept == _end(records, len(records)):
        kept = len(records)
    return kept, doubtful


def _filled(records):
    return [record for record in records if record.filled]


def _end(records, end):
    while end and not records[end - 1].filled:
        end -= 1
    return end


class _Columns:
    """What the rows of a table have in common: which columns have only values, and
    whether the first one is always filled."""

    def __init__(self, records):
        width = max(len(r.cells) for r in records)
        self.values = [True] * width
        seen = [False] * width
        for record in records:
            for n in record.filled:
                cell = record.cells[n].strip()
                seen[n] = seen[n] or _is_value(cell)
                if not _is_value(cell) and cell.lower() not in _NOTHING:
                    self.values[n] = False
        self.values = [a and b for a, b in zip(self.values, seen)]
        self.first = all(r.filled[0] == 0 for r in records)
        self.width = width

    def misses(self, record):
        """Whether a cell is no value where all others are."""
        return any(n < self.width and self.values[n] and not _is_value(record.cells[n])
                   and record.cells[n].strip().lower() not in _NOTHING
                   for n in record.filled)

    def is_other(self, record):
        """Whether a row below a blank one is a total or a remark."""
        return (bool(_TOTAL.fullmatch(record.label())) or self.misses(record)
                or len(record.cells) > self.width
                or self.first and record.filled[0] > 0
                or self.width > 1 and record.lone
                and not self.values[record.filled[0]])


def _is_sum(table, last):
    """Whether a number of the last row is the sum of those above it."""
    for n in last.filled[1:]:
        for mark in ".,":
            total = _number(last.cells[n], mark)
            above = [_number(r.cells[n], mark) for r in table
                     if n in r.filled and r.cells[n].strip().lower() not in _NOTHING]
            if total and len(above) > 1 and None not in above \
                    and abs(sum(above) - total) <= abs(total) * 1e-3:
                return True
    return False


def _number(cell, mark):
    """What a cell has with this decimal mark, without grouping and units; or None."""
    digits = re.sub(r"[^\d.,]", "", cell).replace("," if mark == "." else ".", "")
    try:
        number = float(digits.replace(",", "."))
    except ValueError:
        return None
    return -number if re.search(r"[-\u2212(]", cell) else number
