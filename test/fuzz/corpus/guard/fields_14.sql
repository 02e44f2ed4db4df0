select (q.r).exec_sql from (select row('x') as r) q
