# Runs after the scientist's code: writes `fig` and `result` into files, within
# bounds. The server reads them as it would read any file of a stranger.


def _give_back(names, folder="/tmp"):
    import base64
    import datetime
    import decimal
    import json
    import math
    import os
    import sys

    import numpy as np
    import pandas as pd

    figures_most, figure_bytes = 6, 2 << 20
    rows_most, columns_most, result_bytes = 1000, 100, 256 << 10
    text_most, cell_most, items_most = 20000, 2000, 500
    left_out = 0

    # ---- cells --------------------------------------------------------------

    def cell(value):
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or value is pd.NaT or value is pd.NA:
            return None
        if isinstance(value, bool):
            return value
        if isinstance(value, int):
            return value if abs(value) < 1 << 53 else str(value)[:cell_most]
        if isinstance(value, float):
            return value if math.isfinite(value) else None
        if isinstance(value, decimal.Decimal):
            return float(value) if value.is_finite() else None
        if isinstance(value, datetime.datetime):
            text = value.isoformat(sep=" ")
            return text[:10] if text.endswith(" 00:00:00") else text
        if isinstance(value, datetime.date):
            return value.isoformat()
        return str(value)[:cell_most]

    def kind(values):
        known = {type(value) for value in values if value is not None}
        if known == {bool}:
            return "bool"
        if known == {int}:
            return "int8"
        if known and known <= {int, float}:
            return "float8"
        return "text"

    def is_number(value):
        return isinstance(value, (int, float)) and not isinstance(value, bool)

    # ---- the result ---------------------------------------------------------

    def table(columns, rows, count):
        """Columns by name, rows as lists: what fits into the bounds."""
        names_used, unique = set(), []
        for name in columns[:columns_most]:
            text = base = str(name)[:200] or "column"
            n = 2
            while text in names_used:
                text, n = f"{base}_{n}", n + 1
            names_used.add(text)
            unique.append(text)
        kept, size = [], 0
        for row in rows:
            line = [cell(value) for value in row[:columns_most]]
            size += len(json.dumps(line))
            if len(kept) == rows_most or size > result_bytes:
                break
            kept.append(line)
        kinds = [kind([row[i] for row in kept]) for i in range(len(unique))]
        return {"columns": [{"name": name, "type": type_}
                            for name, type_ in zip(unique, kinds)],
                "rows": kept, "rowCount": count, "more": count > len(kept)}

    def from_frame(frame):
        default = isinstance(frame.index, pd.RangeIndex) and frame.index.name is None
        whole = len(frame)
        frame = frame.iloc[:rows_most, :columns_most]
        columns = [" / ".join(map(str, name)) if isinstance(name, tuple) else name
                   for name in frame.columns]
        rows = [list(row) for row in frame.itertuples(index=False, name=None)]
        if not default:
            names = [name if name is not None else "index"
                     for name in frame.index.names]
            keys = [key if isinstance(key, tuple) else (key,)
                    for key in frame.index]
            rows = [list(key) + row for key, row in zip(keys, rows)]
            columns = names + columns
        return table(columns, rows, whole)

    def flatten(value, prefix, depth, into):
        for key, part in list(value.items())[:items_most]:
            name = f"{prefix}{key}"
            if isinstance(part, dict) and depth < 3:
                flatten(part, name + ".", depth + 1, into)
            elif np.isscalar(part) or part is None or isinstance(
                    part, (datetime.date, decimal.Decimal)):
                into.append((name, cell(part)))
            if len(into) >= items_most:
                return

    def from_dictionary(value):
        items = []
        flatten(value, "", 0, items)
        if not items:
            return None
        if all(is_number(part) for _, part in items) or len(items) > 30:
            return table(["name", "value"], [list(item) for item in items],
                         len(items))
        return table([name for name, _ in items], [[part for _, part in items]], 1)

    def text_of(value):
        if isinstance(value, (pd.DataFrame, pd.Series)):
            with pd.option_context("display.max_colwidth", 60):
                return value.head(50).to_string(max_rows=50)
        if isinstance(value, dict):
            return "\n".join(f"{key}: {text_of(part)}"
                             for key, part in list(value.items())[:items_most])
        return str(value)

    def result_of(value):
        if isinstance(value, pd.Index):
            value = value.to_series(index=range(len(value)))
        if isinstance(value, pd.DataFrame):
            return "frame", from_frame(value)
        if isinstance(value, pd.Series):
            name = value.name if value.name is not None else "value"
            return "frame", from_frame(value.to_frame(name))
        if isinstance(value, dict):
            return "dictionary", from_dictionary(value)
        if isinstance(value, np.ndarray) and value.ndim in (1, 2) and value.size:
            return "frame", from_frame(pd.DataFrame(value).add_prefix("column_"))
        if isinstance(value, (list, tuple, set)) and len(value):
            parts = list(value)[:rows_most]
            if all(isinstance(part, dict) for part in parts):
                return "frame", from_frame(pd.DataFrame(parts))
            if all(np.isscalar(part) for part in parts):
                return "frame", table(["result"], [[part] for part in parts],
                                      len(value))
            return "text", None
        if isinstance(value, str):
            return "text", None
        if np.isscalar(value) or isinstance(value, (datetime.date,
                                                    decimal.Decimal)):
            return "value", table(["result"], [[value]], 1)
        return "text", None

    # ---- figures ------------------------------------------------------------

    def plain(value):
        """Without the binary arrays of Plotly, and without NaN."""
        if isinstance(value, dict):
            if "bdata" in value and "dtype" in value:
                array = np.frombuffer(base64.b64decode(value["bdata"]),
                                      dtype=np.dtype(value["dtype"]))
                if "shape" in value:
                    array = array.reshape([int(part) for part in
                                           str(value["shape"]).split(",")])
                return plain(array.tolist())
            return {key: plain(part) for key, part in value.items()}
        if isinstance(value, (list, tuple)):
            return [plain(part) for part in value]
        if isinstance(value, float) and not math.isfinite(value):
            return None
        return value

    def figures_in(value):
        if value is None:
            return []
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, np.ndarray):
            value = list(value.flat)
        return list(value) if isinstance(value, (list, tuple)) else [value]

    def write(name, text):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def give_plotly(figure, n):
        text = json.dumps(plain(json.loads(figure.to_json())), allow_nan=False,
                          separators=(",", ":"))
        if len(text.encode()) > figure_bytes:
            return False
        write(f"figure_{n}.json", text)
        return True

    def give_drawing(figure, n):
        """Open figures are saved by the sandbox; others here."""
        pyplot = sys.modules.get("matplotlib.pyplot")
        is_open = pyplot is not None and any(
            pyplot.figure(number) is figure for number in pyplot.get_fignums())
        if not is_open:
            figure.savefig(os.path.join(folder, f"drawing_{n}.png"), format="png",
                           bbox_inches="tight", dpi=100)

    n = 0
    drawn = set()
    for figure in figures_in(names.get("fig")):
        if n == figures_most:
            left_out += 1
            continue
        try:
            if hasattr(figure, "to_plotly_json"):
                if give_plotly(figure, n):
                    n += 1
                else:
                    left_out += 1
                continue
            figure = getattr(figure, "figure", None) or figure
            if hasattr(figure, "savefig") and id(figure) not in drawn:
                drawn.add(id(figure))
                give_drawing(figure, len(drawn))
        except Exception:
            left_out += 1

    # ---- all ----------------------------------------------------------------

    found = {"kind": None, "text": "", "table": None}
    if names.get("result") is not None:
        try:
            found["kind"], found["table"] = result_of(names["result"])
            found["text"] = text_of(names["result"])[:text_most]
        except Exception as error:
            found["kind"] = "text"
            found["text"] = f"(the result cannot be shown: {type(error).__name__})"
    found["leftOut"] = left_out
    write("result.json", json.dumps(found, allow_nan=False))


_give_back(globals())
