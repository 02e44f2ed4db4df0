"""DuckDB in the zygote and in its children.

The zygote opens an empty database with one thread, which starts no other, so that the
children inherit it ready for use. A child attaches its tables, gives itself threads
and memory, and then locks the configuration: no file, no extension and no setting can
be reached from SQL any more.
"""

import os

from . import macros

MOST_THREADS = 4
_SETTINGS = """
set autoinstall_known_extensions = false;
set autoload_known_extensions = false;
set allow_community_extensions = false;
set python_enable_replacements = false;
set temp_directory = '';
set TimeZone = 'UTC';
set Calendar = 'gregorian';
set integer_division = true;
set default_null_order = 'nulls_last_on_asc_first_on_desc';
set errors_as_json = true;
set enable_progress_bar = false;
"""
_base = None


def open_once():
    """Opens the database and uses each part of it once; returns the connection. Raises
    ImportError if the package is missing, or is a version that lacks what is used."""
    global _base
    if _base is None:
        import duckdb
        try:
            _base = _opened(duckdb)
        except duckdb.Error as error:
            first = str(error).split("\n")[0][:200]
            raise ImportError(f"this version of duckdb cannot be used: {first}")
    return _base


def _opened(duckdb):
    duckdb.close()  # the import opens a database, with threads
    base = duckdb.connect(":memory:", config={"threads": 1})
    base.execute(_SETTINGS)
    for statement in macros.STATEMENTS:
        base.execute(statement)
    text = base.execute("select json_serialize_sql(?)",
                        ["select sum(a) from t"]).fetchone()[0]
    base.execute("select json_deserialize_sql(?)", [text]).fetchone()
    return base


def wake():
    """Uses the database in a child that waits for its request: after a fork the first
    statement takes some milliseconds longer, because its pages have to be mapped."""
    if _base is not None:
        _base.execute("select json_serialize_sql(?)",
                      ["select 1"]).fetchone()


def open_tables(plan, tables, time_zone="UTC", eighths=5):
    """The connection with these tables ([{name, file}]), locked. `eighths` of the memory
    of an execution are for the engine."""
    connection = open_once()
    if time_zone != "UTC":
        connection.execute(f"set TimeZone = {text(time_zone)}")
    _attach(connection, plan, tables)
    memory = plan.settings["memory"] * eighths // 8
    threads = min(os.cpu_count() or 1, MOST_THREADS)
    connection.execute(
        f"set memory_limit = '{memory // 1024}KiB'; set threads = {threads}; "
        "set enable_external_access = false; set lock_configuration = true")
    return connection


def _attach(connection, plan, tables):
    for number, table in enumerate(tables):
        path = os.path.join(plan.files, table["file"])
        connection.execute(
            f"attach {text(path)} as _{number} (read_only); "
            f"create view {quoted(table['name'])} as from _{number}.main.t")


def forget():
    """After the connection was closed: the next one is another database."""
    global _base
    _base = None


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def text(value):
    return "'" + value.replace("'", "''") + "'"
