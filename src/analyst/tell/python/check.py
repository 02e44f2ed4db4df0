# Checks of the results, from the DataFrames step_N_data. CONFIG says what the
# answer must look like. Prints one line of JSON.
import pandas as pd

CHECKS = []


def check(name, passed, message, severity="fail"):
    CHECKS.append({"name": name, "passed": bool(passed), "severity": severity,
                   "message": str(message)})


def frame(step):
    found = globals().get(f"step_{step}_data")
    if isinstance(found, list):
        found = pd.DataFrame(found)
    return found if isinstance(found, pd.DataFrame) else None


def numbers(series):
    return pd.to_numeric(series, errors="coerce").astype("float64")


def near(a, b):
    return abs(a - b) <= 1e-6 * max(1.0, abs(a), abs(b))


def said(value):
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def check_columns(data):
    wanted = CONFIG["dimensions"] + CONFIG["measures"]
    missing = [c for c in wanted if c not in data.columns]
    check("expected_columns", not missing,
          f"missing: {', '.join(missing)}" if missing
          else f"all there: {', '.join(wanted)}")
    return not missing


def check_rows(data):
    if CONFIG["dimensions"]:
        check("rows_returned", len(data) > 0,
              f"{len(data)} rows" if len(data) else "no row matches", "warn")
    else:
        check("one_row", len(data) == 1, f"{len(data)} rows")
    if CONFIG["truncated"]:
        check("all_rows", False, "only the first rows were fetched", "warn")
    if CONFIG["top"]:
        check("top_size", len(data) <= CONFIG["top"],
              f"{len(data)} rows, at most {CONFIG['top']} wanted")


def check_grain(data):
    dimensions = CONFIG["dimensions"]
    if not dimensions:
        return
    doubled = int(data.duplicated(subset=dimensions).sum())
    things = CONFIG["things"]
    check("one_row_per_group", doubled == 0,
          "each combination of " + ", ".join(dimensions) + " occurs once"
          if not doubled else f"{doubled} rows repeat a combination of "
          + ", ".join(dimensions)
          + ("; different things may have one name" if things else ""),
          "warn" if things else "fail")


def check_measures(data):
    for name in CONFIG["measures"]:
        values = numbers(data[name])
        missing = int(values.isna().sum())
        check(f"{name}_present", missing == 0,
              "no value is missing" if not missing
              else f"{missing} of {len(values)} values are missing", "warn")
        if name in CONFIG["counts"]:
            odd = int(((values < 0) | (values % 1 != 0)).sum())
            check(f"{name}_is_a_count", odd == 0,
                  "whole numbers, none negative" if not odd
                  else f"{odd} values cannot be counts")


def check_order(data):
    name = CONFIG["sorted_by"]
    if not name or len(data) < 2:
        return
    if CONFIG["sorted_as"] == "time":
        values = pd.to_datetime(data[name], errors="coerce", utc=True)
        rising = values.dropna().is_monotonic_increasing
        check("in_order_of_time", rising, f"from early to late {name}")
        return
    values = numbers(data[name]).dropna()
    fine = values.is_monotonic_increasing if CONFIG["sorted_as"] == "rising" \
        else values.is_monotonic_decreasing
    check("in_order", fine, f"from low to high {name}" if CONFIG["sorted_as"] == "rising"
          else f"from high to low {name}")


def check_window(data):
    name = CONFIG["time_column"]
    if not name or not len(data):
        return
    values = pd.to_datetime(data[name], errors="coerce")
    if getattr(values.dt, "tz", None) is not None:
        values = values.dt.tz_localize(None)
    values = values.dropna()
    if CONFIG["ranges"]:
        inside = pd.Series(False, index=values.index)
        for first, last in CONFIG["ranges"]:
            here = pd.Series(True, index=values.index)
            if first:
                here &= values >= pd.Timestamp(first)
            if last:
                here &= values < pd.Timestamp(last)
            inside |= here
        out = int((~inside).sum())
        check("within_period", out == 0, "every date lies in the period"
              if not out else f"{out} dates lie outside the period")
    steps = {"month": "M", "quarter": "Q", "year": "Y", "day": "D",
             "week": "W"}
    step = steps.get(CONFIG["grain"])
    if step and len(values) and len(CONFIG["dimensions"]) == 1:
        seen = values.dt.to_period(step)
        wanted = (seen.max() - seen.min()).n + 1
        gaps = wanted - seen.nunique()
        check("no_gap_in_time", gaps == 0,
              f"{wanted} {CONFIG['grain']}s without a gap" if not gaps
              else f"{gaps} {CONFIG['grain']}s have no row", "warn")


def check_total(data):
    total = frame(CONFIG["total_step"]) if CONFIG["total_step"] else None
    if total is None or not len(total):
        return
    for name in CONFIG["adding"]:
        if name not in total.columns or name not in data.columns:
            continue
        whole = numbers(total[name]).fillna(0).iloc[0]
        parts = float(numbers(data[name]).fillna(0).sum())
        if CONFIG["partial"] or CONFIG["truncated"]:
            if (numbers(data[name]).fillna(0) >= 0).all() and whole >= 0:
                check(f"{name}_within_total", parts <= whole or near(parts, whole),
                      f"the rows hold {said(parts)} of {said(whole)}", "warn"
                      if CONFIG["truncated"] else "fail")
            continue
        check(f"{name}_adds_up", near(parts, whole),
              f"the groups add up to {said(parts)}, computed without groups it "
              f"is {said(whole)}")


def check_list(data):
    total = frame(CONFIG["total_step"]) if CONFIG["total_step"] else None
    name = CONFIG["listed"]
    if not name or total is None or name not in total.columns:
        return
    whole = int(numbers(total[name]).fillna(-1).iloc[0])
    fits = len(data) <= whole if CONFIG["truncated"] else len(data) == whole
    check("none_missing", fits, f"{len(data)} rows, counted by themselves {whole}")


def check_keys():
    keys = frame(CONFIG["keys_step"]) if CONFIG["keys_step"] else None
    if keys is None or not {"joined_rows", "own_rows"} <= set(keys.columns):
        return
    joined, own = (int(numbers(keys[c]).fillna(-1).iloc[0])
                   for c in ("joined_rows", "own_rows"))
    check("no_row_twice", joined == own, f"{own} rows, each of them once"
          if joined == own else f"{joined} joined rows of {own} different ones")


def check_shares(data):
    for name in CONFIG["shares"]:
        if CONFIG["partial"] or CONFIG["truncated"] or not len(data):
            continue
        whole = float(numbers(data[name]).sum())
        check(f"{name}_adds_up", abs(whole - 100) < 1e-6,
              f"the shares add up to {said(whole)} percent")


def check_values():
    if not CONFIG["lookup_step"]:
        return
    found = frame(CONFIG["lookup_step"])
    held = set()
    if found is not None and "matches" in found.columns:
        held = set(found.loc[numbers(found["matches"]) > 0, "value"])
    for value in CONFIG["values"]:
        check("value_found", value in held,
              f"{value} is in the data" if value in held
              else f"no field holds {value}")


def check_problem():
    if CONFIG["problem"]:
        check("values_have_one_place", False, CONFIG["problem"])
    if CONFIG["period_looked_up"]:
        check("period_in_data", not CONFIG["outside"],
              CONFIG["outside"] or "the data have days of the period")
    if CONFIG["absent_step"]:
        check("none_without_rows", not CONFIG["absent"],
              CONFIG["absent"] or "each group that there may be has rows")


def check_parts():
    """Each breakdown adds up to the whole, for every period and side."""
    whole = frame(2)
    for step in CONFIG["parts"]:
        part = frame(step)
        if whole is None or part is None or not len(whole):
            continue
        keys = [c for c in ("period", "side") if c in whole.columns]
        name = CONFIG["measures"][0]
        of_whole = numbers(whole[name]).groupby([whole[k] for k in keys]).sum()
        of_part = numbers(part[name]).groupby([part[k] for k in keys]).sum()
        fits = len(of_whole) == len(of_part) and all(
            near(of_part.get(k, 0.0), v) for k, v in of_whole.items())
        dimension = [c for c in part.columns if c not in keys + [name]]
        check(f"{'_'.join(dimension)}_adds_up", fits,
              "adds up to the whole" if fits else "does not add up to the whole")


def main():
    data = frame(1)
    check("query_ran", data is not None,
          "the query gave a result" if data is not None
          else CONFIG["error"] or "there is no result")
    if data is None:
        return
    if not len(data.columns):
        data = pd.DataFrame(columns=CONFIG["dimensions"] + CONFIG["measures"])
    if check_columns(data):
        check_rows(data)
        check_grain(data)
        check_measures(data)
        check_order(data)
        check_window(data)
        check_total(data)
        check_list(data)
        check_keys()
        check_shares(data)
    check_parts()
    check_values()
    check_problem()


# Checks that hold of any answer, such as that its columns are there, verify none.
FORMAL = ("query_ran", "expected_columns", "rows_returned", "one_row", "all_rows",
          "top_size")


def is_verified():
    return any(not c["passed"] or (c["name"] not in FORMAL
                                   and not c["name"].endswith(("_present", "_a_count")))
               for c in CHECKS)


main()
print("No check of this answer could have failed." if not is_verified() else json.dumps({"checks": CHECKS}))
