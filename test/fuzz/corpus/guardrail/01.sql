with t as (select order_id, sum(quantity) q from order_items group by 1) select sum(t.q), sum(o.freight) from orders o natural join t
