"""What a file is, by its contents: its name and its announced format may be wrong."""

import codecs

# About as many columns of numbers fit into the memory of a reader by default.
MOST_COLUMNS = 5000
_HEAD = 64 << 10
_CHUNK = 1 << 20
_OTHERS = [
    (b"\xd0\xcf\x11\xe0", "an old or protected Office file; save it as .xlsx "
     "without a password"),
    (b"\x1f\x8b", "compressed with gzip; unpack it first"),
    (b"BZh", "compressed with bzip2; unpack it first"),
    (b"\xfd7zXZ", "compressed with xz; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd; unpack it first"),
    (b"7z\xbc\xaf", "a 7z archive; unpack it first"),
    (b"Rar!", "a RAR archive; unpack it first"),
    (b"%PDF", "a PDF document, not a table"),
    (b"\x89PNG", "an image, not a table"),
    (b"\xff\xd8\xff", "an image, not a table"),
    (b"GIF8", "an image, not a table"),
    (b"SQLite format 3", "an SQLite database; export its tables as CSV"),
    (b"\x7fELF", "a program, not a table"),
]
_MARKS = [(codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"),
          (codecs.BOM_UTF32_BE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"),
          (codecs.BOM_UTF16_BE, "utf-16")]


class Unreadable(Exception):
    """The file gives no table; the text is a sentence about "the file"."""


def format_of(path):
    """One of xlsx, parquet, jsonl, text; raises Unreadable."""
    with open(path, "rb") as file:
        head = file.read(_HEAD)
        size = file.seek(0, 2)
        file.seek(max(0, size - 4))
        tail = file.read(4)
    if not head:
        raise Unreadable("The file is empty.")
    if head.startswith(b"PAR1"):
        if tail != b"PAR1" or size < 12:
            raise Unreadable("The file is Parquet, but its end is missing.")
        return "parquet"
    if head.startswith((b"PK\3\4", b"PK\5\6")):
        return _archive(path)
    for mark, what in _OTHERS:
        if head.startswith(mark):
            raise Unreadable(f"The file is {what}.")
    return "jsonl" if _looks_like_json(head) else "text"


def _archive(path):
    from .archive import Archive
    with Archive(path) as archive:
        names = set(archive.namelist())
    if "xl/workbook.xml" in names:
        return "xlsx"
    if "xl/workbook.bin" in names:
        raise Unreadable("The file is a binary Excel file; save it as .xlsx.")
    raise Unreadable("The file is a ZIP archive, not a table; unpack it first.")


def _looks_like_json(head):
    text = head.removeprefix(codecs.BOM_UTF8).lstrip()
    if text.startswith(b"{"):
        return text[1:].lstrip()[:1] in (b'"', b"}")
    return text.startswith(b"[") and text[1:].lstrip()[:1] in (b"{", b"]")


def encoding_of(path):
    """(Python's name of the encoding, whether it must be rewritten as UTF-8)."""
    with open(path, "rb") as file:
        head = file.read(_HEAD)
        for mark, name in _MARKS:
            if head.startswith(mark):
                return name, True
        if _is_wide(head):
            return ("utf-16-le" if head[1:2] == b"\0" else "utf-16-be"), True
        if head.count(b"\0") > len(head) // 100:
            raise Unreadable("The file is not text.")
        return _of_bytes(file)


def _of_bytes(file):
    decoder = codecs.getincrementaldecoder("utf-8")()
    file.seek(0)
    zeros = False
    try:
        while chunk := file.read(_CHUNK):
            zeros = zeros or b"\0" in chunk
            decoder.decode(chunk)
        decoder.decode(b"", True)
    except UnicodeDecodeError:
        return "cp1252", True
    return "utf-8", zeros


def _is_wide(head):
    """UTF-16 without a mark: every other byte of plain text is zero."""
    even, odd = head[0:2000:2], head[1:2000:2]
    half = min(len(even), len(odd))
    return half > 1 and max(even.count(0), odd.count(0)) > half * 0.7 \
        and min(even.count(0), odd.count(0)) < half * 0.1


def write_as_utf8(path, encoding, target):
    """Copies a text. Bytes that the encoding does not have become U+FFFD, and NUL
    goes. Returns the number of the former."""
    replaced = 0
    with open(path, encoding=encoding, errors="replace", newline="") as source, \
            open(target, "w", encoding="utf-8", newline="") as out:
        while text := source.read(_CHUNK):
            replaced += text.count("\ufffd")
            out.write(text.replace("\0", ""))
    return replaced
