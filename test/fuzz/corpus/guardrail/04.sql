select distinct on (customer_id) * from orders union all select o.* from orders o where o.order_id in (select order_id from order_items) 
