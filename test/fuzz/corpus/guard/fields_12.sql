select (select max(1) from (select 1 as exec_sql) a, orders t join customers c on a.exec_sql is not null) from lower('x') a
