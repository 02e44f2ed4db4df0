select c.city, avg(case when 10.5 >= o.freight then 1.0 when o.freight between 11 and 12 then 0 end) as light,
  sum(i.quantity) filter (where o.day in ('2024-01-01', '2024-01-02') and not o.freight is null) * 0.01 as pieces
from orders o join customers c on (c.customer_id) = (o.customer_id) join order_items i using (order_id)
where o.day >= '2024-01-01' and coalesce(o.freight, 0) <> greatest(1, i.line) group by c.city
