select (v.column1).exec_sql from (values ('x')) v
