"""Functions of PostgreSQL that DuckDB lacks: macros, and the formats of to_char."""

_NUMBER = """
case when regexp_matches(f, '[,G]')
     then format('{:,.' || len(regexp_extract(f, '[.D]([09]*)', 1)) || 'f}',
                 v::double)
     else format('{:.' || len(regexp_extract(f, '[.D]([09]*)', 1)) || 'f}',
                 v::double) end
"""

STATEMENTS = [
    f"create macro to_char(v, f) as {_NUMBER}",
    "create macro initcap(s) as array_to_string(list_transform("
    "regexp_extract_all(lower(s), '[\\pL\\pN]+|[^\\pL\\pN]+'), "
    "lambda w: upper(w[1]) || w[2:]), '')",
    "create macro btrim(s) as trim(s), (s, c) as trim(s, c)",
    "create macro div(a, b) as trunc(a / b)",
    "create macro width_bucket(v, low, high, n) as "
    "case when v < low then 0 when v >= high then n + 1 "
    "else floor((v - low)::double / (high - low)::double * n)::bigint + 1 end",
    "create macro every(b) as bool_and(b)",
    "create macro json_agg(v) as to_json(list(v))",
    "create macro jsonb_agg(v) as to_json(list(v))",
    "create macro regexp_match(s, p) as "
    "case when regexp_matches(s, p) then [regexp_extract(s, p)] end",
    "create macro regexp_count(s, p) as len(regexp_extract_all(s, p))",
    "create macro clock_timestamp() as now()",
    "create macro statement_timestamp() as now()",
    "create macro make_interval(days) as to_days(days)",
    "create macro num_nulls(a) as (a is null)::bigint",
    "create macro date_bin(i, t, o) as time_bucket(i, t, o)",
    "create macro overlay(s, r, p, n) as "
    "left(s, p - 1) || r || substr(s, p + n)",
]

# The patterns of to_char that people use, longest first, as strftime has them; None
# is the quarter, which strftime does not have.
_PATTERNS = sorted([
    ("yyyy", "%Y"), ("iyyy", "%G"), ("yy", "%y"), ("month", "%B"),
    ("mon", "%b"), ("mm", "%m"), ("day", "%A"), ("dy", "%a"), ("ddd", "%j"),
    ("dd", "%d"), ("d", "%w"), ("hh24", "%H"), ("hh12", "%I"), ("hh", "%I"),
    ("mi", "%M"), ("ss", "%S"), ("ms", "%g"), ("us", "%f"), ("iw", "%V"),
    ("ww", "%W"), ("am", "%p"), ("pm", "%p"), ("a.m.", "%p"), ("p.m.", "%p"),
    ("fm", ""), ("q", None),
], key=lambda pattern: -len(pattern[0]))


def is_of_dates(pattern):
    """Whether a pattern of to_char is one for dates: others have only digits."""
    return any(c in "yYmMhHdDsSqQwW" for c in pattern.replace("FM", "")
               ) and not set(pattern) <= set("FM09.,GDSL$ ")


def pieces(pattern):
    """The pattern as a list of formats of strftime, and None for each quarter."""
    found, rest, lower = [""], 0, pattern.lower()
    while rest < len(pattern):
        if pattern[rest] == '"':
            end = pattern.find('"', rest + 1)
            end = len(pattern) if end < 0 else end
            found[-1] += pattern[rest + 1:end].replace("%", "%%")
            rest = end + 1
            continue
        for name, code in _PATTERNS:
            if lower.startswith(name, rest):
                rest += len(name)
                if code is None:
                    found += [None, ""]
                else:
                    found[-1] += code
                break
        else:
            found[-1] += pattern[rest].replace("%", "%%")
            rest += 1
    return [piece for piece in found if piece != ""]
