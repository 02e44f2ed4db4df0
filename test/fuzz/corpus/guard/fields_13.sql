select (select 'x').exec_sql
