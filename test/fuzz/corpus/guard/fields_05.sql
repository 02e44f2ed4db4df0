select exec_sql.exec_sql from jsonb_array_elements_text('["x"]') exec_sql
