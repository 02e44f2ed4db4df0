select lower.exec_sql from lower('x')
