"""The gold questions, and the answers that psql returns."""
import json
from decimal import Decimal, InvalidOperation
from functools import cached_property

import yaml

from kit.places import STORY


class Question:
    def __init__(self, database, entry, source):
        self.database, self.source = database, source
        self.id, self.text = entry["id"], entry["question"]
        self.kind, self.sql = entry["kind"], entry.get("sql")
        self.tables = entry["tables"]
        self.ordered = entry.get("ordered", False)
        self.chart = entry.get("chart", False)
        self.python = entry.get("python", False)
        self.builtin = entry.get("builtin", False)
        self.follow_up_of = entry.get("follow_up_of")
        self.refusal = entry.get("refusal")
        self.count = entry.get("rows")

    @cached_property
    def answer(self):
        """Columns and rows of the gold SQL as psql prints them."""
        sql = self.sql.rstrip().rstrip(";")
        columns, *rows = self.source.table(self.database, sql)
        assert len(rows) == self.count, f"{self.id}: psql gives {len(rows)} rows"
        return columns, rows

    @property
    def columns(self):
        return self.answer[0]

    @property
    def rows(self):
        return self.answer[1]

    def __repr__(self):
        return f"{self.database}:{self.id}"


def load(name, database, source):
    with open(STORY / "questions" / f"{name}.yaml", encoding="utf-8") as file:
        return [Question(database, entry, source) for entry in yaml.safe_load(file)]


def ids(name, wanted=lambda entry: True):
    """Ids for a test's parameters, without a database."""
    with open(STORY / "questions" / f"{name}.yaml", encoding="utf-8") as file:
        return [entry["id"] for entry in yaml.safe_load(file) if wanted(entry)]


def cell(value):
    """A value as text in a form that can be compared, whatever program rendered it."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "t" if value else "f"
    text = str(value)
    try:
        return str(Decimal(text).normalize() + 0)
    except InvalidOperation:
        return text


def rows_of(sql_result):
    """Rows of a step's stored result, in the order of its columns."""
    return [[cell(row.get(column)) for column in sql_result["columns"]]
            for row in json.loads(sql_result["data"])]


def same_rows(found, wanted, ordered, most=None):
    """Whether all rows are the same; of more than `most` rows, the first `most` must be
    among the wanted ones."""
    wanted = [[cell(value) for value in row] for row in wanted]
    if most is not None and len(wanted) > most:
        left = [tuple(row) for row in wanted]
        known = set(left)
        return len(found) == most and all(tuple(row) in known for row in found)
    if ordered:
        return found == wanted
    def key(row):
        return tuple((value is None, value or "") for value in row)
    return sorted(found, key=key) == sorted(wanted, key=key)
