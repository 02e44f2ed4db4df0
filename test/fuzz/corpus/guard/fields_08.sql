select (q).exec_sql from (select 'x'::text as a) q
