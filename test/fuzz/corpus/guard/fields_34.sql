select ((select o from orders o order by id limit 1)).total
