select c.exec_sql from coalesce('a', 'b') c
