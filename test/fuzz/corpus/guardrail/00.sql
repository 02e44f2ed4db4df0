select c.city, sum(o.freight) from customers c join orders o using (customer_id) join order_items i on i.order_id = o.order_id group by c.city having count(*) > 1 order by 2 desc limit 5
