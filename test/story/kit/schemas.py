"""Small databases without foreign keys, the truth about them, and how much of it a model
made from them has found (test/data/schemas/README.md)."""
import re
from dataclasses import dataclass, field

from kit.places import ROOT

FOLDER = ROOT / "test" / "data" / "schemas"


@dataclass
class Truth:
    links: set = field(default_factory=set)
    keys: set = field(default_factory=set)
    many: set = field(default_factory=set)
    sums: set = field(default_factory=set)
    never: set = field(default_factory=set)


def place(text):
    """"Table (a, b)" as ("table", "a,b")."""
    table, columns = re.fullmatch(r"(\S+) \((.+)\)", text.strip()).groups()
    return table.lower(), columns.replace(" ", "").lower()


def truth_of(text):
    it = Truth()
    kinds = {"key": it.keys, "many": it.many, "sum": it.sums,
             "never": it.never}
    for kind, rest in re.findall(r"^--! (\w+) (.+)$", text, re.M):
        if kind == "link":
            a, b = rest.split(" -> ")
            it.links.add(place(a) + place(b))
        else:
            kinds[kind].add(place(rest))
    return it


def tables_of(model):
    return {d["name"]: d["source"].rpartition(".")[2].strip('"').lower()
            for d in model["datasets"]}


def links_of(model):
    tables = tables_of(model)
    return {(tables[r["from"]], ",".join(r["from_columns"]).lower(),
             tables[r["to"]], ",".join(r["to_columns"]).lower())
            for r in model.get("relationships", [])}


def keys_of(model):
    tables = tables_of(model)
    return {(tables[d["name"]], ",".join(d["primary_key"]).lower())
            for d in model["datasets"] if "primary_key" in d}


def metrics_of(model, function):
    """The columns that a metric of one column applies the function to."""
    tables, found = tables_of(model), set()
    for m in model.get("metrics", []):
        text = m["expression"]["dialects"][0]["expression"]
        whole = re.fullmatch(function + r'\(("?)(.+?)\1\.("?)([^"]+)\3\)', text)
        if whole:
            found.add((tables[whole[2]], whole[4].lower()))
    return found


def marked_of(model):
    """The columns that are marked as referring to rows of several tables."""
    tables = tables_of(model)
    return {(tables[d["name"]], f["name"].lower())
            for d in model["datasets"] for f in d.get("fields", [])
            if "rows of several tables" in
            (f.get("ai_context") or {}).get("instructions", "")}
