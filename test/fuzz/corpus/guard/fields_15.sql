select (o.status).exec_sql from orders o
