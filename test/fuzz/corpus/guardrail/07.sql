select a.freight, b.nothing from orders a join orders b on a.customer_id = b.customer_id and a.day < b.day, (values (1, 2)) v(x, y)
