"""The plan of a statement, as the engine explains it: nothing is executed."""

import json

from . import guard

_MOST = 200_000
_EXPLAIN = "explain (format json) "
_COLUMNS = """select table_name, columns from (
    select view_name as table_name from duckdb_views() where not internal)
    join (select table_name, list(lower(column_name)) as columns
          from duckdb_columns() where not internal group by table_name)
    using (table_name)"""
_ENCODE = json.JSONEncoder(ensure_ascii=False).encode
ABOUT = {"columns": [{"name": "QUERY PLAN", "type": "json"}],
         "moreRows": False, "cutValues": 0}


def explain(connection, statement, tables):
    """The rows of the answer: one cell, the tree of the engine. In the engine, each of
    the tables is called t: a scan gets the name of the only table that has its
    columns, or none."""
    plan = dict(connection.execute(_EXPLAIN + statement).fetchall())
    trees = json.loads(plan["physical_plan"])
    known = [(name, set(columns)) for name, columns
             in connection.execute(_COLUMNS).fetchall() if name in tables]
    _name_tables(trees, known)
    text = _ENCODE(trees)
    if len(text.encode("utf-8", "replace")) > _MOST:
        raise guard.Refused("The plan is too large to be shown.")
    return [_ENCODE([text])]


def _name_tables(trees, known):
    pending = list(trees)
    while pending:
        node = pending.pop()
        pending.extend(node.get("children", []))
        about = node.get("extra_info", {})
        if "Table" not in about:
            continue
        columns = about.get("Projections", [])
        columns = {str(name).lower() for name in
                   (columns if isinstance(columns, list) else [columns])}
        fitting = [name for name, has in known if columns <= has]
        about["Table"] = fitting[0] if len(fitting) == 1 else ""
