select o.exec_sql from concat('delete from orders') o
