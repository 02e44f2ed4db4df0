select count(*) from lower('x') o group by o.exec_sql
