-- Queries of which the text and the model do not tell whether they are right:
-- "not judged" must be said, and nothing else.

-- chinook
select p.name, sum(t.milliseconds) from playlist p
join playlist_track pt on pt.playlist_id = p.playlist_id
join track t on t.track_id = pt.track_id group by p.name

-- northwind
select p.product_name, sum(o.freight) from orders o
join order_details od on od.order_id = o.order_id
join products p on p.product_id = od.product_id group by p.product_id, p.product_name

-- northwind
select b.label, sum(o.freight) from orders o
join (values (0, 50, 'low'), (50, 1000, 'high')) b(least, most, label)
  on o.freight >= b.least and o.freight < b.most group by b.label

-- northwind
select sum(o.freight) from orders o
join (select customer_id from orders where freight > 10 union all select customer_id from customers) u
  on u.customer_id = o.customer_id

-- northwind
select sum(distinct o.freight) from orders o join order_details od on od.order_id = o.order_id

-- retail
select sum(i.line_total) from order_items i join orders o on o.order_id = i.order_id
join unnest(array['web', 'store']) u(channel) on u.channel = o.channel

-- northwind
select sum(freight) from (select o.freight, row_number() over (partition by o.order_id, od.product_id order by 1) as rn
  from orders o join order_details od using (order_id)) x where rn = 1
