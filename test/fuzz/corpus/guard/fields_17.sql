select (lower('x')).exec_sql
