"""Table references of a request: {name, sha256, format, sheet, read}."""

import hashlib
import json
import re

MOST_TABLES = 256
VERSION = 1  # of the tables in the cache; with another one they are made again
_NAME = re.compile(r"[^\W\d]\w{0,126}")
# The engine's own views; a table of this name would give access to them.
_RESERVED = ("duckdb_", "pg_", "sqlite_", "pragma_", "information_schema")
HASH = re.compile(r"[0-9a-f]{64}")


class BadReference(ValueError):
    """The reference is malformed; the text is for the caller."""


class Reference:
    """`key` is the hash of all that determines the contents of the table."""

    def __init__(self, fields, place):
        if not isinstance(fields, dict):
            raise BadReference(f"tables[{place}] must be an object")
        self.name = _text(fields, "name", place)
        self.sha256 = _text(fields, "sha256", place)
        self.format = _text(fields, "format", place)
        self.sheet = fields.get("sheet")
        self.read = fields.get("read")
        if not is_name(self.name):
            raise BadReference(f"tables[{place}].name is not an identifier")
        if not HASH.fullmatch(self.sha256):
            raise BadReference(f"tables[{place}].sha256 is not a hash in hex")
        if not isinstance(self.sheet, (str, type(None))):
            raise BadReference(f"tables[{place}].sheet must be a string")
        if not isinstance(self.read, dict):
            raise BadReference(f"tables[{place}].read must be an object")
        self.key = key_of(self.sha256, self.format, self.sheet, self.read)


def is_name(text):
    return bool(_NAME.fullmatch(text)) and \
        not text.lower().startswith(_RESERVED)


def key_of(sha256, kind, sheet, read):
    told = json.dumps([VERSION, sha256, kind, sheet, read], sort_keys=True)
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def _text(fields, name, place):
    value = fields.get(name)
    if not isinstance(value, str):
        raise BadReference(f"tables[{place}].{name} must be a string")
    return value


def parse(value):
    """The references of a request; raises BadReference."""
    if not isinstance(value, list):
        raise BadReference("tables must be an array")
    if len(value) > MOST_TABLES:
        raise BadReference(f"there may be {MOST_TABLES} tables")
    found = [Reference(fields, place) for place, fields in enumerate(value)]
    names = [reference.name.lower() for reference in found]
    if len(set(names)) < len(names):
        raise BadReference("two tables have the same name")
    return found
