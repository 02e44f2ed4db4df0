"""CSV and TSV: how a text is cut into cells."""

import csv
import os

from . import identify, kinds, layout, names
from .engine import text
from .identify import MOST_COLUMNS, Unreadable
from .layout import MOST_CELL

_CHUNK = 1 << 20
_CELLS = 50_000        # looked at first to find the types
_NUMBERS = {"int8", "numeric", "float8", "point", "comma"}
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
                f"max_line_size = {MOST_CELL}, buffer_size = {MOST_CELL}, "
                f"columns = {{{columns}}})")

    def cut(self, start, end):
        """Leaves out what is before the byte `start` and from the byte `end` on."""
        if not start and end is None:
            return
        target = os.path.join(self.directory, "table.csv")
        with open(self.path, "rb") as source, open(target, "wb") as out:
            source.seek(start)
            left = os.fstat(source.fileno()).st_size if end is None else end
            left -= start
            while left > 0 and (chunk := source.read(min(left, _CHUNK))):
                out.write(chunk)
                left -= len(chunk)
        self.path = target

    def rewrite(self, delimiter, count, of_sheet=False):
        """Cuts the text in Python, and writes rows of `count` cells. The rows of a sheet
        end with their last filled cell."""
        target = os.path.join(self.directory, "rows.csv")
        csv.field_size_limit(MOST_CELL)
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
        if short and not of_sheet:
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
                long += any(row[count:])
                row = row[:count] + [""] * (count - len(row))
                writer.writerow(row)
        return short, long


class Draft:
    """A table that can be made: the select that gives its rows, its columns as `read`
    tells them, and what people should know."""

    def __init__(self, select, read, notes):
        self.select, self.read, self.notes = select, read, notes


def draft(connection, path, directory, wanted=None, of_sheet=False):
    """The Draft of a text; `wanted` is what an earlier one had as `read`. `of_sheet`: the
    text was written from a sheet of a workbook."""
    if wanted is not None:
        return _again(connection, path, directory, wanted, of_sheet)
    source = Text(connection, path, directory)
    found = layout.find(source.path, of_sheet)
    delimiter, count = found.delimiter, found.width
    if count > MOST_COLUMNS:
        raise Unreadable(f"The file has {count} columns; "
                         f"at most {MOST_COLUMNS} are possible.")
    source.notes += found.notes
    source.cut(found.start, found.end)
    loose = of_sheet or not _strict(connection, source, delimiter, count)
    if loose:
        source.rewrite(delimiter, count, of_sheet)
    titles, *rows = found.rows
    titles = (found.titles or titles) + [""] * (count - len(titles))
    header, guesses = _header(connection, source, delimiter, count,
                              None if found.titles else [titles, *rows])
    columns = _columns(titles[:count], header, guesses, source.notes)
    columns = _not_empty(connection, source, delimiter, header, columns, guesses)
    read = {"encoding": source.encoding, "delimiter": delimiter, "header": header,
            "loose": loose, "columns": columns, "width": count,
            "start": found.start, "end": found.end}
    return Draft(_select(source, read), read, source.notes)


def _again(connection, path, directory, read, of_sheet):
    if not _is_read(read):
        raise Unreadable("The file was read in a way that is unknown here.")
    source = Text(connection, path, directory, read["encoding"])
    source.cut(read.get("start", 0), read.get("end"))
    if read["loose"] or of_sheet:
        source.rewrite(read["delimiter"], _width(read), of_sheet)
    return Draft(_select(source, read), read, source.notes)


def _width(read):
    return read.get("width", len(read["columns"]))


def _place(read, n):
    """The cell of a column: some cells of a row may belong to none."""
    return read["columns"][n].get("cell", n)


def _is_read(read):
    return (_FIELDS <= set(read) and read["delimiter"] in layout.DELIMITERS
            and isinstance(read["columns"], list)
            and 0 < len(read["columns"]) <= MOST_COLUMNS
            and all(kinds.is_told(c) and isinstance(c.get("name"), str)
                    for c in read["columns"])
            and _is_count(_width(read), MOST_COLUMNS)
            and _is_count(read.get("start", 0))
            and (read.get("end") is None or _is_count(read["end"]))
            and all(_is_count(_place(read, n), _width(read) - 1)
                    for n in range(len(read["columns"]))))


def _is_count(value, most=1 << 62):
    return type(value) is int and 0 <= value <= most


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


def _header(connection, source, delimiter, count, rows):
    """(whether the first row has the titles, the types of the columns). `rows`: the first
    ones, or None if it is known to have them."""
    guesses = _guesses(connection, source, delimiter, True, count)
    if rows is None or any(not cell.strip() for cell in rows[0]) and len(rows) == 1:
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
    kinds.settle(guesses, delimiter)
    seen = connection.execute(f"select count(*) from {first}").fetchone()[0]
    wrong = kinds.misfits(connection, whole, columns, guesses) \
        if seen == most else []
    if wrong:
        again = kinds.guess(connection, whole, [columns[n] for n in wrong])
        for n, guess in zip(wrong, again):
            guesses[n] = guess
        kinds.settle(guesses, delimiter)
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
        notes += _notes_of(name, guess)
        columns.append(about)
    return columns


def _notes_of(name, guess):
    """Sentences about what people may have meant otherwise."""
    notes = []
    if guess.forms and guess.doubtful:
        order = "month first" if any("mdy" in f for f in guess.forms) else "day first"
        notes.append(f"The dates of {name} could be read with day or month first: they "
                     f"were read {order}.")
    elif len(guess.forms) > 1:
        notes.append(f"{name} has dates in {len(guess.forms)} forms.")
    elif guess.doubtful:
        meaning = "thousands" if guess.name == "point" else "decimal commas"
        notes.append(f"The commas of {name} could separate thousands or decimals: they "
                     f"were read as {meaning}.")
    if guess.unit:
        notes.append(f"{name} is in %: 5% was read as 0.05." if guess.unit == "%" else
                     f"{name} is in {guess.unit}.")
    return notes


def _not_empty(connection, source, delimiter, header, columns, guesses):
    """The columns without those that have neither a title nor a value, unless that is all
    of them."""
    doubted = [n for n, about in enumerate(columns)
               if guesses[n].empty and about["name"] == f"column{n + 1}"
               and "title" not in about] if header else []
    if not doubted or len(doubted) == len(columns):
        return columns
    counts = ", ".join(f"count(nullif(trim(c{n}), ''))" for n in doubted)
    whole = source.source(delimiter, header, len(columns))
    row = connection.execute(f"select {counts} from {whole}").fetchone()
    gone = {n for n, count in zip(doubted, row) if not count}
    return [{**about, "cell": n} for n, about in enumerate(columns)
            if n not in gone] if gone else columns


def _select(source, read):
    """The select that gives the typed table."""
    shown = ", ".join(
        f'{kinds.expression(about, f"c{_place(read, n)}")} as '
        f'"{about["name"].replace(chr(34), chr(34) * 2)}"'
        for n, about in enumerate(read["columns"]))
    whole = source.source(read["delimiter"], bool(read["header"]), _width(read))
    return f"select {shown} from {whole}"
