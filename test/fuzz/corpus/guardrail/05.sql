select (select max(quantity) from order_items i where i.order_id = o.order_id), count(distinct o.customer_id), avg(freight) filter (where freight > 0) from orders o group by rollup(1, o.day)
