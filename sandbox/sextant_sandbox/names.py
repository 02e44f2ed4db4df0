"""Names for tables and columns: lower case, identifiers without quotes, unique."""

import re
import unicodedata

MOST = 60  # characters, so that a number fits after it within PostgreSQL's 63
_RESERVED = frozenset("""
all analyse analyze and anti any array as asc asof asymmetric authorization
binary both case cast check collate collation column concurrently constraint
create cross current_catalog current_date current_role current_schema
current_time current_timestamp current_user default deferrable desc describe
distinct do else end except false fetch for foreign freeze from full
generated glob grant group having ilike in initially inner intersect into is
isnull join lambda lateral leading left like limit localtime localtimestamp
map natural not notnull null offset on only or order outer overlaps pivot
pivot_longer pivot_wider placing positional primary qualify references
returning right rowid select semi session_user show similar some struct
summarize symmetric system_user table tablesample then to trailing true
try_cast union unique unpivot user using values variadic verbose when where
window with
""".split())
_INTERNAL = ("duckdb_", "pg_", "sqlite_", "pragma_", "information_schema")


def identifier(title, otherwise):
    """The identifier closest to a title of the file; `otherwise` if nothing of it can
    be used."""
    text = unicodedata.normalize("NFKC", title[:1000]).lower()
    text = "".join(c if c.isalnum() or c == "_" else "_" for c in text)
    text = re.sub("_+", "_", text).strip("_")
    text = _shortened(unicodedata.normalize("NFC", text)).rstrip("_")
    if not text:
        return otherwise
    if not (text[0].isalpha() or text[0] == "_"):
        text = f"{otherwise[0]}_{text}"
    if text.startswith(_INTERNAL):
        text = "t_" + text
    if text in _RESERVED:
        text += "_"
    return text if re.fullmatch(r"[^\W\d]\w*", text) else otherwise


def _shortened(text):
    """At most 60 bytes, as PostgreSQL would cut it later."""
    return text.encode()[:MOST].decode(errors="ignore")


def unique(name, taken):
    """The name, with a number if it is in the set `taken`, to which it is added."""
    found, number = name, 1
    while found.lower() in taken:
        number += 1
        found = f"{name}_{number}"
    taken.add(found.lower())
    return found


def all_unique(wanted):
    """The names in order, made unique; linear also if all are the same."""
    taken, last, result = {n.lower() for n in wanted}, {}, []
    seen = set()
    for name in wanted:
        key = name.lower()
        if key in seen:
            number = last.get(key, 1) + 1
            while f"{key}_{number}" in taken:
                number += 1
            last[key] = number
            name = f"{name}_{number}"
            taken.add(name.lower())
        seen.add(key)
        result.append(name)
    return result
