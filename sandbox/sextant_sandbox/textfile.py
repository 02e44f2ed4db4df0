"""CSV and TSV: how a text is cut into cells."""

import csv
import os

from . import identify, kinds, names
from .engine import text
from .identify import Unreadable

MOST_COLUMNS = 8192
_SAMPLE = 256 << 10     # characters, to find the delimiter
_CELLS = 50_000        # looked at first to find the types
_DELIMITERS = [",", ";", "\t", "|"]
_MOST_CELL = 8 << 20
_NUMBERS = {"int8", "numeric", "float8", "comma"}
_TIMES = {"date", "timestamp"}
_FIELDS = {"delimiter", "header", "encoding", "columns", "loose"}


class Text:
    """A text as the engine reads it. `loose`: its rows have different lengths or its
    quotes do not match, so that Python has cut and rewritten it."""

    def __init__(self, connection, path, directory, encoding=None):
        self.connection, self.directory = connection, directory
        self.notes = []
        self.encoding, again = identify.encoding_of(path)
        if encoding is not None and encoding != self.encoding:
            raise Unreadable("The file is not the one that was read before.")
        self.path = path
        if again:
            self.path = os.path.join(directory, "text.csv")
            replaced = identify.write_as_utf8(path, self.encoding, self.path)
            if self.encoding == "cp1252":
                self.notes.append("The file is not UTF-8: it was read as "
                                  "Latin-1 (Windows-1252).")
            if replaced:
                self.notes.append(f"{replaced} characters could not be read.")

    def source(self, delimiter, header, count):
        """SQL for a from clause; its columns are c0, c1 and so on."""
        columns = ", ".join(f"'c{n}': 'VARCHAR'" for n in range(count))
        return (f"read_csv({text(self.path)}, auto_detect = false, "
                f"delim = {text(delimiter)}, quote = '\"', escape = '\"', "
                f"header = {str(header).lower()}, nullstr = '', "
                "strict_mode = true, null_padding = false, "
                f"max_line_size = {_MOST_CELL}, buffer_size = {_MOST_CELL}, "
                f"columns = {{{columns}}})")

    def rewrite(self, delimiter, header, count):
        """Cuts the text in Python, and writes rows of `count` cells."""
        target = os.path.join(self.directory, "rows.csv")
        csv.field_size_limit(_MOST_CELL)
        try:
            short, long = self._rewrite(delimiter, count, target, csv.QUOTE_MINIMAL)
        except csv.Error:
            try:
                short, long = self._rewrite(delimiter, count, target,
                                            csv.QUOTE_NONE)
            except csv.Error:
                raise Unreadable("The file has cells that are too "
                                 "large.") from None
        self.path = target
        if short:
            self.notes.append(f"{short} lines have too few cells: the last "
                              "ones are empty.")
        if long:
            self.notes.append(f"{long} lines have too many cells: the last "
                              "ones were left out.")

    def _rewrite(self, delimiter, count, target, quoting):
        short = long = 0
        with open(self.path, encoding="utf-8", errors="replace",
                  newline="") as source, \
                open(target, "w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, delimiter=delimiter)
            for row in csv.reader(source, delimiter=delimiter,
                                  quoting=quoting):
                if not row:
                    continue
                short += len(row) < count
                long += len(row) > count
                row = row[:count] + [""] * (count - len(row))
                writer.writerow(row)
        return short, long


def first_rows(path, delimiter, most=_SAMPLE):
    """The rows of the beginning; without the last one if it is cut."""
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        sample = file.read(most)
        whole = len(sample) < most
    csv.field_size_limit(_MOST_CELL)
    lines = sample.splitlines(keepends=True)
    try:
        rows = [row for row in csv.reader(lines, delimiter=delimiter) if row]
    except csv.Error:
        rows = [line.split(delimiter) for line in sample.splitlines() if line]
    if not whole and len(rows) > 1:
        rows.pop()
    return rows


def delimiter_of(path):
    """The character that cuts most rows into the same number of cells."""
    best, chosen = (0, 0), ","
    for delimiter in _DELIMITERS:
        lengths = [len(row) for row in first_rows(path, delimiter)]
        if not lengths:
            raise Unreadable("The file has no text.")
        usual = max(set(lengths), key=lengths.count)
        score = lengths.count(usual) / len(lengths)
        if lengths[0] > 1 and usual > 1 and (round(score, 2), usual) > best:
            best, chosen = (round(score, 2), usual), delimiter
    return chosen


class Draft:
    """A table that can be made: the select that gives its rows, its columns as `read`
    tells them, and what people should know."""

    def __init__(self, select, read, notes):
        self.select, self.read, self.notes = select, read, notes


def draft(connection, path, directory, wanted=None):
    """The Draft of a text; `wanted` is what an earlier one had as `read`."""
    if wanted is not None:
        return _again(connection, path, directory, wanted)
    source = Text(connection, path, directory)
    delimiter = delimiter_of(source.path)
    rows = first_rows(source.path, delimiter)
    count = len(rows[0])
    if count > MOST_COLUMNS:
        raise Unreadable(f"The file has {count} columns; "
                         f"at most {MOST_COLUMNS} are possible.")
    loose = not _strict(connection, source, delimiter, count)
    if loose:
        source.rewrite(delimiter, True, count)
    header, guesses = _header(connection, source, delimiter, rows)
    columns = _columns(rows[0], header, guesses, source.notes)
    read = {"encoding": source.encoding, "delimiter": delimiter,
            "header": header, "loose": loose, "columns": columns}
    return Draft(_select(source, read), read, source.notes)


def _again(connection, path, directory, read):
    if not _is_read(read):
        raise Unreadable("The file was read in a way that is unknown here.")
    source = Text(connection, path, directory, read["encoding"])
    if read["loose"]:
        source.rewrite(read["delimiter"], read["header"], len(read["columns"]))
    return Draft(_select(source, read), read, source.notes)


def _is_read(read):
    return (_FIELDS <= set(read) and read["delimiter"] in _DELIMITERS
            and isinstance(read["columns"], list)
            and 0 < len(read["columns"]) <= MOST_COLUMNS
            and all(kinds.is_told(c) and isinstance(c.get("name"), str)
                    for c in read["columns"]))


def _strict(connection, source, delimiter, count):
    """Whether the engine can cut the whole text."""
    try:
        connection.execute("select count(*) from "
                           + source.source(delimiter, True, count))
        return True
    except MemoryError:
        raise
    except Exception as error:
        if type(error).__name__ == "OutOfMemoryException":
            raise
        return False


def _header(connection, source, delimiter, rows):
    """(whether the first row has the titles, the types of the columns)."""
    count = len(rows[0])
    guesses = _guesses(connection, source, delimiter, True, count)
    if any(not cell.strip() for cell in rows[0]) and len(rows) == 1:
        return True, guesses
    if not _first_is_data(connection, rows, guesses):
        return True, guesses
    return False, _guesses(connection, source, delimiter, False, count)


def _first_is_data(connection, rows, guesses):
    """The first row is no header if each of its cells has the type of its column, and
    one of them is no text. Years are titles, unless they are also below."""
    if len(rows) == 1:
        return all(_is_number(cell) for cell in rows[0])
    typed = [n for n, guess in enumerate(guesses) if guess.name != "text"]
    if not typed:
        return False
    years = [n for n in typed if _is_year(rows[0][n])]
    if len(years) == len(typed) and len(years) > 1 and not all(
            _is_year(row[n]) for row in rows[1:20] for n in years
            if n < len(row)):
        return False
    alone = kinds.guess_cells(connection, [rows[0][n] for n in typed])
    filled = [(guesses[n].name, guess.name) for n, guess in zip(typed, alone)
              if rows[0][n].strip()]
    return bool(filled) and all(map(_alike, filled))


def _alike(pair):
    return pair[0] == pair[1] or set(pair) <= _NUMBERS or set(pair) <= _TIMES


def _is_number(cell):
    try:
        float(cell)
        return True
    except ValueError:
        return False


def _is_year(cell):
    return len(cell) == 4 and cell.isascii() and cell.isdigit() \
        and "1800" <= cell <= "2200"


def _guesses(connection, source, delimiter, header, count):
    """Guesses from the first rows, which are then tried on all of them."""
    whole = source.source(delimiter, header, count)
    columns = [f"c{n}" for n in range(count)]
    most = max(100, _CELLS // count)
    first = f"(from {whole} limit {most})"
    guesses = kinds.guess(connection, first, columns)
    seen = connection.execute(f"select count(*) from {first}").fetchone()[0]
    wrong = kinds.misfits(connection, whole, columns, guesses) \
        if seen == most else []
    if wrong:
        again = kinds.guess(connection, whole, [columns[n] for n in wrong])
        for n, guess in zip(wrong, again):
            guesses[n] = guess
    return guesses


def _columns(titles, header, guesses, notes):
    if not header:
        titles = [""] * len(titles)
        notes.append("The file has no line with titles.")
    wanted = [names.identifier(title, f"column{n + 1}")
              for n, title in enumerate(titles)]
    columns = []
    for name, title, guess in zip(names.all_unique(wanted), titles, guesses):
        about = {"name": name, **guess.told()}
        title = title.strip()[:500]
        if title and title != name:
            about["title"] = title
        if guess.doubtful:
            order = "month first" if "mdy/" in guess.forms else "day first"
            notes.append(f"The dates of {name} could be read with day or "
                         f"month first: they were read {order}.")
        elif len(guess.forms) > 1:
            notes.append(f"{name} has dates in {len(guess.forms)} forms.")
        columns.append(about)
    return columns


def _select(source, read):
    """The select that gives the typed table."""
    shown = ", ".join(
        f'{kinds.expression(about, f"c{n}")} as '
        f'"{about["name"].replace(chr(34), chr(34) * 2)}"'
        for n, about in enumerate(read["columns"]))
    whole = source.source(read["delimiter"], bool(read["header"]),
                          len(read["columns"]))
    return f"select {shown} from {whole}"
