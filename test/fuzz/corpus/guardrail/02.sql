select sum(freight) from (select o.freight, row_number() over (partition by o.order_id, i.line order by 1) n from orders o join order_items i using (order_id)) x where n = 1
