"""What a run costs PostgreSQL: every statement with its count, time and write-ahead log,
the commits, the bytes sent, and the log of each table and index. These figures, except
for the time, hardly depend on the load of the machine."""
import json
import re
import subprocess

# Of the server; pg_walinspect is an extension alone.
SETTINGS = ("shared_preload_libraries=pg_stat_statements", "pg_stat_statements.track=all",
            "pg_stat_statements.track_planning=on", "track_wal_io_timing=off")
DATABASES = ("sextant", "bench")

STATEMENTS = """
select d.datname, s.toplevel, s.query, s.calls, s.rows,
       s.total_exec_time + s.total_plan_time as ms, s.wal_bytes, s.wal_records,
       s.shared_blks_hit + s.shared_blks_read as blocks
  from pg_stat_statements s join pg_database d on d.oid = s.dbid"""

TOTALS = """
select pg_current_wal_lsn() as lsn, w.wal_records, w.wal_fpi, w.wal_bytes, w.wal_sync,
       d.xact_commit
  from pg_stat_wal w, pg_stat_database d where d.datname = current_database()"""

# A record belongs to its first block's relation; what has none is said by its kind.
LOG = """
select coalesce(c.relname, w.resource_manager) as name,
       case when c.relkind = 'i' or t.indrelid is not null then 'index'
            when c.relname is null then '' else 'table' end as kind,
       count(*) as records, sum(w.record_length - w.fpi_length) as bytes,
       sum(w.fpi_length) as pages
  from (select *, substring(block_ref from 'rel [0-9]+/([0-9]+)/')::oid as database,
               substring(block_ref from 'rel [0-9]+/[0-9]+/([0-9]+)')::oid as node
          from pg_get_wal_records_info('{}', '{}')) w
  left join pg_database d on d.datname = current_database()
  left join pg_class c on w.database = d.oid and c.relfilenode = w.node
  left join pg_index t on t.indexrelid = c.oid
 group by 1, 2 order by sum(w.record_length) desc"""

TABLES = """
select relname as name, n_tup_ins as inserts, n_tup_upd as updates,
       n_tup_hot_upd as hot, n_tup_del as deletes,
       (select count(*) from pg_index i where i.indrelid = relid) as indexes
  from pg_stat_user_tables where n_tup_ins + n_tup_upd + n_tup_del > 0 order by 1"""


def short(query):
    """A statement in one line: its verbs and the tables that they name."""
    text = " ".join(query.split())
    made = re.match(r"(?:select|SELECT) (?:[\w, .:()]*from )?(\w+)\(\$1", text)
    if made:
        return made.group(1) + "()"
    if text.lower().startswith("with"):
        parts = re.findall(r"(insert into \w+|update \w+|delete from \w+)", text)
        if parts:
            return "with … " + ", ".join(parts)
    return text[:72] + ("…" if len(text) > 72 else "")


class Bill:
    """Counts from its making until `end`."""

    def __init__(self, postgres):
        self.postgres = postgres
        for name in DATABASES:
            self.psql(name, "create extension if not exists pg_stat_statements")
        self.psql("sextant", "create extension if not exists pg_walinspect")
        # A checkpoint writes whole pages again: the measured runs pay for that as
        # runs do that follow one.
        self.psql("sextant", "checkpoint; select pg_stat_reset()")
        self.psql("bench", "select pg_stat_reset()")
        self.psql("sextant", "select pg_stat_statements_reset()")
        self.wire = self.wire_bytes()
        self.before = self.rows("sextant", TOTALS)[0]

    def psql(self, database, text):
        return subprocess.run(
            [self.postgres.bin / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1",
             "-p", str(self.postgres.port), "-U", "sextant", database, "-c", text],
            check=True, capture_output=True, text=True).stdout

    def rows(self, database, query):
        return json.loads(self.psql(
            database, f"select coalesce(json_agg(q), '[]') from ({query}) q"))

    def wire_bytes(self):
        """The bytes that PostgreSQL has received and sent, over its open connections."""
        out = subprocess.run(["ss", "-tinH", "sport", "=", f":{self.postgres.port}"],
                             capture_output=True, text=True).stdout
        return [sum(map(int, re.findall(rf"\b{name}:(\d+)", out)))
                for name in ("bytes_received", "bytes_sent")]

    def end(self, runs):
        """The tables, as Markdown; figures of one run."""
        after = self.rows("sextant", TOTALS)[0]
        statements = [s for s in self.rows("sextant", STATEMENTS)
                      if "pg_stat_" not in s["query"]]
        wire = [b - a for a, b in zip(self.wire, self.wire_bytes())]
        self.psql("sextant", "select pg_stat_force_next_flush()")
        tables = self.rows("sextant", TABLES)
        commits = self.rows("sextant", TOTALS)[0]["xact_commit"] - self.before["xact_commit"]
        log = self.rows("sextant", LOG.format(self.before["lsn"], after["lsn"]))
        spent = {name: after[name] - self.before[name]
                 for name in ("wal_records", "wal_fpi", "wal_bytes", "wal_sync")}
        return "\n\n".join([
            self.totals(runs, spent, commits, wire, log),
            self.statements([s for s in statements if s["toplevel"]], runs),
            self.statements([s for s in statements if not s["toplevel"]], runs,
                            "inside functions and checks of foreign keys"),
            self.tables(tables, runs), self.log(log, runs)])

    @staticmethod
    def totals(runs, spent, commits, wire, log):
        pages = sum(row["pages"] for row in log)
        return "\n".join([
            "| a run | |", "|---|---|",
            f"| write-ahead log | {spent['wal_bytes'] / runs / 1024:.1f} KB |",
            f"| … of these whole pages after a checkpoint | {pages / runs / 1024:.1f} KB |",
            f"| … records | {spent['wal_records'] / runs:.1f} |",
            f"| flushes of the log to disk | {spent['wal_sync'] / runs:.2f} |",
            f"| transactions in the system database | {commits / runs:.2f} |",
            f"| bytes to PostgreSQL | {wire[0] / runs / 1024:.1f} KB |",
            f"| bytes from PostgreSQL | {wire[1] / runs / 1024:.1f} KB |"])

    @staticmethod
    def statements(statements, runs, title="statement"):
        lines = [f"| {title} | calls | ms | rows | blocks | log, bytes |", "|---|---|---|---|---|---|"]
        for s in sorted(statements, key=lambda s: -s["ms"]):
            if s["calls"] / runs < 0.02 and s["ms"] / runs < 0.01:
                continue
            where = "source: " if s["datname"] == "bench" else ""
            lines.append(f"| {where}{short(s['query'])} | {s['calls'] / runs:.2f} "
                         f"| {s['ms'] / runs:.3f} | {s['rows'] / runs:.1f} "
                         f"| {s['blocks'] / runs:.0f} | {s['wal_bytes'] / runs:,.0f} |")
        total = sum(s["ms"] for s in statements) / runs
        return "\n".join(lines + [f"| together | {sum(s['calls'] for s in statements) / runs:.2f} "
                                  f"| {total:.3f} | | | "
                                  f"{sum(s['wal_bytes'] for s in statements) / runs:,.0f} |"])

    @staticmethod
    def tables(tables, runs):
        lines = ["| table | inserted | updated | … in place (HOT) | deleted | index entries |",
                 "|---|---|---|---|---|---|"]
        for t in tables:
            entries = (t["inserts"] + t["updates"] - t["hot"]) * t["indexes"]
            if (t["inserts"] + t["updates"] + t["deletes"]) / runs >= 0.02:
                lines.append(f"| {t['name']} | {t['inserts'] / runs:.2f} | {t['updates'] / runs:.2f} "
                             f"| {t['hot'] / runs:.2f} | {t['deletes'] / runs:.2f} "
                             f"| {entries / runs:.1f} |")
        return "\n".join(lines)

    @staticmethod
    def log(log, runs):
        lines = ["| log of | | records | bytes | whole pages, bytes |", "|---|---|---|---|---|"]
        for row in log:
            if (row["bytes"] + row["pages"]) / runs >= 20:
                lines.append(f"| {row['name']} | {row['kind']} | {row['records'] / runs:.2f} "
                             f"| {row['bytes'] / runs:,.0f} | {row['pages'] / runs:,.0f} |")
        return "\n".join(lines)
