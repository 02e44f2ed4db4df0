select (greatest('x', 'y')).exec_sql
