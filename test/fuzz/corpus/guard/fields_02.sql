select distinct on (o.exec_sql) 1 from lower('x') o
