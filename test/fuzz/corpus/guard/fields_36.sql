select o.id, o.total from orders as o(id, customer, employee) where o.customer > 1
