"""Which statements may run: one SELECT that reads only the tables of its request and
calls only functions of the list.

DuckDB parses; this module judges the tree of the parser. The kernel confines the
process in any case: the guard gives clear refusals, and keeps what the engine would
tell about itself.

It also changes what PostgreSQL would do otherwise, see _Rewrite.
"""

import json
import re

from . import functions, macros

MOST_NODES = 400_000
_TABLES = {"BASE_TABLE", "SUBQUERY", "JOIN", "TABLE_FUNCTION", "EMPTY",
           "EMPTY_FROM", "EXPRESSION_LIST", "PIVOT", "CTE"}
_QUERIES = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE",
            "CTE_NODE"}
_CLASSES = {"COLUMN_REF", "CONSTANT", "FUNCTION", "CAST", "COMPARISON",
            "CONJUNCTION", "OPERATOR", "CASE", "BETWEEN", "STAR", "SUBQUERY",
            "WINDOW", "COLLATE", "LAMBDA", "LAMBDA_REF",
            "POSITIONAL_REFERENCE"}
_INTERNAL = ("duckdb_", "pg_", "sqlite_", "pragma_", "information_schema")
_SCHEMAS = ("", "main", "pg_catalog")
# The engine knows these where no column has the name.
_SESSION = {"current_catalog", "current_database", "current_role",
            "current_schema", "current_user", "session_user", "user"}
_QUANTILES = {"quantile_cont", "median"}
_EXPLICIT = re.compile(r"(numeric|decimal|dec)\s*\(\s*18\s*,\s*3\s*\)", re.I)


class Refused(Exception):
    """The statement is not allowed; the text says why."""


def judge(connection, sql, tables):
    """Returns (statement, rewritten, titles): the text of the one statement, a text
    that does what PostgreSQL does, or None if that is the same, and PostgreSQL's name
    of each item of the select list, or None. Raises Refused, and the engine's errors
    of the syntax."""
    statement = _one(connection, sql)
    answer = connection.execute("select json_serialize_sql(?)",
                                [statement]).fetchone()[0]
    try:
        tree = json.loads(answer)
    except RecursionError:
        raise Refused("The statement is nested too deeply.") from None
    if tree.get("error"):
        raise Refused("Only one SELECT statement is allowed.")
    rewrite = _Rewrite(statement)
    titles = _titles(tree["statements"][0]["node"])
    _walk(tree["statements"], {name.lower() for name in tables}, rewrite)
    if ";" in statement:
        statement = connection.execute("select json_deserialize_sql(?)",
                                       [answer]).fetchone()[0]
    if not rewrite.done:
        return statement, None, titles
    text = connection.execute("select json_deserialize_sql(?)",
                              [json.dumps(tree)]).fetchone()[0]
    return statement, text, titles


def _one(connection, sql):
    import duckdb
    statements = connection.extract_statements(sql)
    if not statements:
        raise Refused("The statement is empty.")
    if len(statements) > 1:
        raise Refused("Only one statement is allowed.")
    if statements[0].type != duckdb.StatementType.SELECT:
        raise Refused("Only SELECT statements are allowed.")
    return sql.rstrip(" \t\r\n;")


def _titles(node):
    """A name for each item that has none; None where the engine's name is as good."""
    while node.get("type") == "SET_OPERATION_NODE":
        if not isinstance(node.get("left"), dict):
            return None
        node = node["left"]
    items = node.get("select_list")
    return [_title(item) for item in items] if items else None


def _title(item):
    if item.get("alias"):
        return item["alias"]
    cast = item
    while cast.get("class") == "CAST":
        cast = cast["child"]
    if cast.get("class") == "COLUMN_REF" and cast is not item:
        return cast["column_names"][-1]
    if cast.get("class") in ("FUNCTION", "WINDOW") \
            and not cast.get("is_operator"):
        name = str(cast["function_name"]).lower()
        return {"count_star": "count"}.get(name, name)
    return None


def _walk(tree, tables, rewrite):
    """Visits each node of the tree without recursion."""
    pending, seen, read, common = [tree], 0, [], set()
    while pending:
        node = pending.pop()
        seen += 1
        if seen > MOST_NODES:
            raise Refused("The statement is too long.")
        if isinstance(node, list):
            pending.extend(n for n in node if isinstance(n, (dict, list)))
            continue
        if node.get("class") == "CONSTANT":
            continue  # its value is data, not tree
        _judge_node(node, read, common)
        rewrite.visit(node)
        pending.extend(v for v in node.values() if isinstance(v, (dict, list)))
    for name in common:
        if name.startswith(_INTERNAL):
            raise Refused(f"{name} is not a name for a subquery.")
    for name in read:
        if name.lower() not in tables and name.lower() not in common:
            raise Refused(_unknown(name, tables))


def _unknown(name, tables):
    shown = ", ".join(sorted(tables)[:20])
    return (f"There is no table {name[:100]}."
            + (f" There is {shown}." if shown else ""))


def _judge_node(node, read, common):
    kind = node.get("type")
    if "cte_map" in node:
        if kind not in _QUERIES:
            raise Refused("Only SELECT statements are allowed.")
        common.update(str(entry.get("key", "")).lower()
                      for entry in node["cte_map"].get("map", []))
    if isinstance(node.get("cte_name"), str):
        common.add(node["cte_name"].lower())
    if "class" in node:
        if node["class"] not in _CLASSES:
            raise Refused("Parameters are not allowed."
                          if node["class"] == "PARAMETER" else
                          "The statement uses something that is not allowed.")
        names = node.get("column_names") or [""]
        if len(names) == 1 and str(names[0]).lower() in _SESSION:
            raise Refused(f"{names[0]} is not allowed.")
    elif "sample" in node and "alias" in node:
        _judge_table(node, kind, read)
    if "function_name" in node:
        _judge_function(node)


def _judge_table(node, kind, read):
    if kind not in _TABLES:
        raise Refused("SHOW, DESCRIBE and SUMMARIZE are not allowed."
                      if kind == "SHOW_REF" else
                      "The statement reads something that is not allowed.")
    if kind == "BASE_TABLE":
        if node.get("catalog_name") or node.get("schema_name") not in (
                "", "main"):
            raise Refused("Only the tables of the files can be read.")
        read.append(str(node.get("table_name")))
    elif kind == "TABLE_FUNCTION":
        name = str(node.get("function", {}).get("function_name")).lower()
        if name not in functions.TABLES:
            raise Refused(f"The table function {name[:100]} is not allowed.")


def _judge_function(node):
    name = str(node["function_name"]).lower()
    if node.get("catalog") or node.get("schema", "") not in _SCHEMAS:
        raise Refused("Functions of other schemas are not allowed.")
    if name not in functions.SCALARS and name not in functions.OPERATORS \
            and name not in functions.TABLES:
        raise Refused(f"The function {name[:100]} is not allowed.")


class _Rewrite:
    """Where DuckDB computes something else than PostgreSQL:

    - The median and percentiles of a decimal are rounded to its scale: they are
      computed from float8.
    - `numeric` without a precision has three decimals: it gets ten.
    - `~` matches the whole text: it matches a part.
    - The quotient of a sum of whole numbers is whole: PostgreSQL's sum is numeric.
    - to_char and to_date have PostgreSQL's patterns.
    """

    def __init__(self, statement):
        self.done = False
        self.plain = not _EXPLICIT.search(statement)
        # The parser makes the function of the operator, too.
        self.searches = "regexp_full_match" not in statement.lower()

    def visit(self, node):
        kind = node.get("class")
        if kind == "FUNCTION" or kind == "WINDOW":
            self._function(node)
        elif kind == "CAST" and self.plain:
            self._cast(node)

    def _function(self, node):
        name = str(node["function_name"]).lower()
        if name in _QUANTILES:
            self._quantile(node)
        elif name == "regexp_full_match" and self.searches:
            node["function_name"] = "regexp_matches"
            self.done = True
        elif name in ("~*", "!~*"):
            self._match_any_case(node, name)
        elif name == "/" and len(node["children"]) == 2 \
                and any(map(_sums, node["children"])):
            node["children"][0] = _cast(node["children"][0], "DOUBLE")
            self.done = True
        elif name in ("to_char", "to_date", "to_timestamp") \
                and len(node["children"]) == 2:
            self._format(node, name)

    def _match_any_case(self, node, name):
        matches = {**node, "function_name": "regexp_matches", "alias": "",
                   "is_operator": False,
                   "children": [*node["children"], _text("i")]}
        alias = node.get("alias", "")
        node.clear()
        node.update({**matches, "alias": alias} if name == "~*" else {
            "class": "OPERATOR", "type": "OPERATOR_NOT", "alias": alias,
            "query_location": matches["query_location"],
            "children": [matches]})
        self.done = True

    def _format(self, node, name):
        value, form = node["children"]
        form = (form.get("value") or {}).get("value") \
            if form.get("class") == "CONSTANT" else None
        if not isinstance(form, str) or len(form) > 200 or (
                name == "to_char" and not macros.is_of_dates(form)):
            return
        alias, pieces = node.get("alias", ""), macros.pieces(form)
        if name == "to_char":
            made = _call(node, "concat", [
                _call(node, "quarter", [value]) if piece is None else
                _call(node, "strftime", [value, _text(piece)])
                for piece in pieces])
        else:
            made = _call(node, "strptime", [value, _text("".join(
                piece for piece in pieces if piece))])
            made = _cast(made, "DATE") if name == "to_date" else made
        node.clear()
        node.update({**made, "alias": alias})
        self.done = True

    def _quantile(self, node):
        orders = (node.get("order_bys") or {}).get("orders") or []
        if orders and len(node["children"]) <= 1 \
                and node["function_name"] != "median":
            orders[0]["expression"] = _cast(
                orders[0]["expression"], "DOUBLE")
        elif node["children"]:
            node["children"][0] = _cast(node["children"][0], "DOUBLE")
        self.done = True

    def _cast(self, node):
        kind = node.get("cast_type") or {}
        info = kind.get("type_info") or {}
        if kind.get("id") == "DECIMAL" and info.get("width") == 18 \
                and info.get("scale") == 3:
            info["width"], info["scale"] = 38, 10
            self.done = True


def _cast(node, kind):
    return {"class": "CAST", "type": "OPERATOR_CAST", "alias": "",
            "query_location": node.get("query_location", 0), "child": node,
            "cast_type": {"id": kind, "type_info": None}, "try_cast": False}


def _text(value):
    return {"class": "CONSTANT", "type": "VALUE_CONSTANT", "alias": "",
            "query_location": 0, "value": {
                "type": {"id": "VARCHAR", "type_info": None},
                "is_null": False, "value": value}}


def _call(node, name, children):
    return {**node, "alias": "", "function_name": name, "children": children,
            "is_operator": False}


def _sums(node):
    """Whether an operand is a sum of a column, perhaps in nullif or the like. A sum of
    constants, as in sum(case … then 1 …), is whole in PostgreSQL as well."""
    for _ in range(4):
        name = str(node.get("function_name", "")).lower()
        if name == "sum":
            return any(child.get("class") in ("COLUMN_REF", "FUNCTION")
                       for child in node.get("children", []))
        children = node.get("children")
        if not isinstance(children, list) or not children \
                or name not in ("nullif", "coalesce", "") \
                or not isinstance(children[0], dict):
            return False
        node = children[0]
    return False
