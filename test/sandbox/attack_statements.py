"""Statements that must be refused: `policy`, or an error of the syntax."""

FILES = """
select * from read_csv('/etc/passwd')
select * from read_csv_auto('/etc/passwd')
select * from read_text('/etc/passwd')
select * from read_text('/proc/self/environ')
select * from read_blob('/etc/shadow')
select * from read_blob('/proc/self/mem')
select * from read_parquet('/data/x')
select * from parquet_scan('/data/*')
select * from parquet_metadata('/data/x')
select * from parquet_schema('/data/x')
select * from parquet_kv_metadata('/data/x')
select * from parquet_file_metadata('/data/x')
select * from parquet_bloom_probe('/data/x', 'a', 1)
select * from read_json('/etc/passwd')
select * from read_json_auto('/etc/passwd')
select * from read_json_objects('/etc/passwd')
select * from read_json_objects_auto('/etc/passwd')
select * from read_ndjson('/etc/passwd')
select * from read_ndjson_auto('/etc/passwd')
select * from read_ndjson_objects('/etc/passwd')
select * from sniff_csv('/etc/passwd')
select * from glob('/*')
select * from glob('/data/*')
select * from '/etc/passwd'
select * from 'orders.csv'
select * from "/etc/passwd"
select * from "s3://bucket/a.parquet"
select * from 'https://example.com/a.csv'
from '/etc/passwd'
from read_text('/etc/hostname')
from 'file:///etc/passwd'
select (select content from read_text('/etc/passwd'))
select 1 where exists (from read_text('/etc/passwd'))
with a as (from read_text('/etc/passwd')) select * from a
with a as materialized (from glob('/*')) select * from a
select * from t, lateral (select * from read_text('/etc/passwd'))
select * from t join read_csv('/etc/passwd') p on true
select * from t union all select * from read_text('/etc/passwd')
select * from (values (1)) v where 1 in (select 1 from glob('/'))
select * from query('select 1')
select * from query_table('t')
select * from query_table(['t'])
select * from json_execute_serialized_sql('{}')
select json_serialize_sql('select 1')
select json_deserialize_sql('{}')
select json_serialize_plan('select 1')
select * from arrow_scan(1, 2, 3)
select * from pandas_scan(1)
select * from seq_scan('t')
select * from python_map_function()
READ_CSV('/etc/passwd')
select * from ReAd_TeXt('/etc/passwd')
select * from "read_text"('/etc/passwd')
select * from system.main.read_text('/etc/passwd')
select * from main.read_text('/etc/passwd')
select * from read_text/* */('/etc/passwd')
select * from read_text
 ('/etc/passwd')
select * from test_all_types()
select * from test_vector_types(null::int)
select * from repeat_row(1, num_rows = 10)
pivot (from read_text('/etc/passwd')) on content using count(*)
select * from (with "/etc/passwd" as (select 1) select 1), "/etc/passwd"
select * from (with "/data/x.csv" as (select 1) select 1), "/data/x.csv"
select * from (with "a.parquet" as (select 1) select 1), "a.parquet"
select * from (with "s3://b/a.csv" as (select 1) select 1), "s3://b/a.csv"
select * from (with known as (select 1) select 1), known
select * from read_duckdb('/data/x')
select * from t semi join (from read_text('/etc/passwd')) d on true
select n from t order by (select content from read_text('/etc/passwd'))
select n from t limit (select size from read_text('/etc/passwd'))
select count(*) filter (exists (from read_text('/etc/passwd'))) from t
select * from (pivot t on s in ('a') using first(getenv('HOME')))
"""

CHANGES = """
copy t to '/tmp/x.csv'
copy (select 1) to '/tmp/x.csv'
copy t from '/etc/passwd'
copy from database a to b
attach '/tmp/x.db'
attach ':memory:' as x
attach '/data/x' as y (read_only)
attach 'postgres://localhost' as p (type postgres)
detach memory
use memory
install httpfs
install httpfs from 'http://localhost/'
force install httpfs
load httpfs
load '/tmp/x.duckdb_extension'
update extensions
set memory_limit = '100GB'
set threads = 1000
set enable_external_access = true
set lock_configuration = false
set home_directory = '/'
set temp_directory = '/tmp'
set variable a = 1
reset memory_limit
reset all
pragma database_list
pragma version
pragma platform
pragma table_info('t')
pragma enable_profiling
pragma memory_limit = '1GB'
call pragma_version()
call duckdb_settings()
create table x (a int)
create table x as select 1
create or replace view t as select 1
create temp table x as select 1
create macro f() as 1
create schema s
create sequence q
create type e as enum ('a')
create secret s (type s3)
create index i on t (n)
insert into t values (1)
insert into _0.main.t values (1)
update t set n = 1
delete from t
truncate t
drop table t
drop view t
alter table t add column x int
merge into t using t u on true when matched then delete
begin
commit
rollback
checkpoint
vacuum
analyze
export database '/tmp/x'
import database '/tmp/x'
explain select 1
explain analyze select 1
prepare a as select 1
execute a
deallocate a
comment on table t is 'x'
with x as (insert into t values (1) returning *) select * from x
"""

SELVES = """
select version()
select current_setting('memory_limit')
select current_setting('home_directory')
select getenv('HOME')
select columns(lambda c: getenv(c)) from t
select * replace (getvariable('a') as n) from t
select list_transform(['HOME'], lambda x: getenv(x))
select [getenv(x) for x in ['HOME']]
select s.getenv() from t
select system.main.getenv('HOME')
select query('select 1')
select sum(n) over (partition by getenv('HOME')) from t
select n from t group by grouping sets ((getenv('x')), (n))
select finalize(sum(n) export_state) from t
select set_config('a', 'b', true)
select stats(n) from t
select * from sql_auto_complete('sel')
select * from enable_logging()
select getvariable('a')
select current_database()
select current_schema()
select current_schemas(true)
select current_catalog
select current_user
select session_user
select user
select current_query()
select current_connection_id()
select txid_current()
select in_search_path('a', 'b')
select write_log('x')
select error('x')
select nextval('s')
select pg_get_viewdef(1)
select pg_postmaster_start_time()
select inet_server_addr()
select has_table_privilege('t', 'select')
select col_description(1, 1)
select * from duckdb_settings()
select * from duckdb_settings
select * from duckdb_secrets()
select * from duckdb_tables()
select * from duckdb_views()
select * from duckdb_databases()
select * from duckdb_databases
select * from duckdb_functions()
select * from duckdb_extensions()
select * from duckdb_logs()
select * from duckdb_memory()
select * from duckdb_temporary_files()
select * from duckdb_variables()
select * from duckdb_external_file_cache()
select * from pragma_version()
select * from pragma_platform()
select * from pragma_database_size()
select * from pragma_storage_info('t')
select * from pragma_table_info('t')
select * from pragma_user_agent()
select * from pragma_database_list
select * from which_secret('a', 'b')
select * from information_schema.tables
select * from information_schema.columns
select * from pg_catalog.pg_class
select * from pg_class
select * from pg_settings
select * from sqlite_master
select * from main.sqlite_master
select * from system.information_schema.tables
select * from memory.main.t
select * from _0.main.t
select * from _0.t
select * from temp.main.t
show tables
show all tables
show databases
show t
describe t
describe select 1
summarize t
select * from (describe t)
select * from (show tables)
select * from (summarize t)
from (from pg_class)
with sqlite_master as (select 1) select * from sqlite_master
select * from (with pg_class as (select 1) select 1), pg_class
with recursive duckdb_settings as (select 1) from duckdb_settings
select $1
select ?
select $name
"""

SEVERAL = """
select 1; select 2
select 1;; select 2
select 1; drop table t
select 1;-- x|select 2
;select 1; select 2
select 1 /* ; */ ; attach 'x'
select 1) as x; copy t to '/tmp/x'; select * from (select 1
select 1) union all (select content from read_text('/etc/passwd')
select 1\u2028; drop table t
select 1\u00a0; set threads = 1
"""

EMPTY = ["", " ", ";", "-- x", "/* x */", "\n;\n"]


def _lines(text):
    """A line that begins with a space goes on the one before."""
    found = []
    for line in text.strip("\n").split("\n"):
        if line.startswith(" "):
            found[-1] += "\n" + line
        else:
            found.append(line.replace("|", "\n"))
    return found


STATEMENTS = [*_lines(FILES), *_lines(CHANGES), *_lines(SELVES),
              *_lines(SEVERAL), *EMPTY]

# They take all the memory or all the time that they are given.
BOMBS = {
    "cross join": "select count(*) from range(10000000) a, range(10000000) b, "
                  "range(100) c where a.range * b.range % 7 = c.range",
    "rows kept": "select list(r) from range(1000000000000) t(r)",
    "repeat": "select length(repeat(repeat('x', 1000000), 100000))",
    "long text": "select string_agg(repeat('x', 100000), '') "
                 "from range(1000000)",
    "recursion": "with recursive r as (select 1 n union all "
                 "select n + 1 from r) select max(n) from r",
    "recursion that grows": "with recursive r as (select 'x' s union all "
                            "select s || s from r) select length(s) from r",
    "sort": "select * from (select hash(r) h, r::varchar || repeat('y', 200) "
            "from range(1000000000) t(r)) order by h",
    "group": "select hash(r), count(*) from range(10000000000) t(r) "
             "group by 1 order by 2",
    "distinct": "select count(distinct r::varchar) "
                "from range(100000000000) t(r)",
    "window": "select sum(s) from (select sum(r) over (order by hash(r) rows "
              "between 1000000 preceding and current row) s "
              "from range(1000000000) t(r))",
    "list of lists": "select len(list_transform(range(100000), "
                     "lambda x: range(100000)))",
    "regular expression": "select count(*) from range(1000) r(n) where "
                          "regexp_matches(repeat('a', 50000000), '(a*)*b' || n)",
    "padding": "select length(lpad('x', 2000000000, 'y'))",
    "range list": "select len(range(100000000000))",
    "generate_series": "select count(*) from generate_series("
                       "timestamp '0001-01-01', timestamp '9999-01-01', "
                       "interval '1 microsecond')",
    "factorials": "select sum(r ** 20 % 7) from range(1000000000000) t(r)",
}
