-- Queries for which text and model do not show whether they are right: the guardrails
-- must report "not judged", and nothing else.

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
select sum(o.freight) from orders o
join (select order_id, jsonb_path_query('[1, 2]'::jsonb, '$[*]') as part from orders) x
  on x.order_id = o.order_id

-- northwind
select sum(freight) from (select o.freight, row_number() over (partition by o.order_id, od.product_id order by 1) as rn
  from orders o join order_details od using (order_id)) x where rn = 1

-- northwind
select sum(m) from (select od.product_id, max(o.freight) as m from orders o
  join order_details od on od.order_id = o.order_id group by od.product_id) x

-- northwind
select sum(m) from (select d.product_id, max(d.freight) as m
  from (select od.product_id, o.freight from orders o join order_details od using (order_id)) d
  group by d.product_id) x

-- northwind
select sum(m) from (select c.country, d.product_id, max(d.freight) as m
  from (select od.product_id, o.customer_id, o.freight from orders o join order_details od using (order_id)) d
  join customers c on c.customer_id = d.customer_id group by c.country, d.product_id) x

-- northwind
select sum(m) from (select od.product_id, max(o.freight) over (partition by o.order_id) as m
  from orders o join order_details od using (order_id)) x

-- northwind
select sum((select o.freight from orders o where o.order_id = od.order_id)) from order_details od

-- northwind
select sum(l.f) from order_details od cross join lateral (select o.freight as f from orders o where o.order_id = od.order_id) l

-- northwind
select sum(l.f) from order_details od cross join lateral (select max(o.freight) as f from orders o where o.order_id = od.order_id) l

-- northwind
select sum(f) from (select od.order_id, od.product_id, (select o.freight from orders o where o.order_id = od.order_id) as f from order_details od) x

-- northwind
select sum(m) from (select od.order_id, od.product_id, max(o.freight) m from orders o join order_details od using (order_id) group by rollup (1,2)) u

-- northwind
select sum(case when x.rn = 1 then x.m end) from (select o.order_id, max(o.freight) m, row_number() over (partition by o.order_id) rn from orders o join order_details od using (order_id) group by o.order_id, od.product_id) x

-- northwind
select sum(x.m) from orders o join lateral (select max(c.postal) m from (select customer_id, length(postal_code) postal from customers) c where c.customer_id = o.customer_id) x on true

-- northwind
select sum(f) filter (where rn = 1) from (select o.freight as f,
  row_number() over (partition by o.order_id, od.product_id) as rn from orders o join order_details od using (order_id)) x

-- northwind
select sum(m) from (select od.product_id, max(o.freight) over (partition by o.order_id order by od.product_id) as m
  from orders o join order_details od using (order_id)) x

-- northwind
select sum(m) from (select od.product_id, max(o.freight) over (partition by o.order_id, od.product_id) as m
  from orders o join order_details od using (order_id)) x

-- northwind
select sum(m) from (select o.order_id, od.product_id, max(max(o.freight)) over (partition by o.order_id) as m
  from orders o join order_details od using (order_id) group by 1, 2) x

-- northwind
select sum(m) from (select o.order_id, od.product_id,
  max(max(o.freight)) over (partition by o.order_id order by od.product_id) as m
  from orders o join order_details od using (order_id) group by 1, 2) x

-- chinook
select sum(t.milliseconds) from playlist p
join playlist_track pt on pt.playlist_id = p.playlist_id
join track t on t.track_id = pt.track_id where p.name = 'Music'

-- northwind
select m.month, sum(o.freight) as freight
from generate_series(date '1997-01-01', date '1997-12-01', interval '1 month') m(month)
left join orders o on o.order_date >= m.month and o.order_date < m.month + interval '2 months'
group by m.month

-- northwind
select m.month, sum(o.freight) as freight
from generate_series(date '1997-01-01', date '1997-12-01', interval '1 month') m(month)
left join orders o on o.order_date between m.month and m.month + interval '1 month'
group by m.month

-- northwind
with grid as (select m::date as month, s.shipper_id
  from generate_series(date '1997-01-01', date '1997-12-01', interval '1 month') m cross join shippers s)
select grid.month, sum(o.freight) as freight from grid
join orders o on o.order_date >= grid.month and o.order_date < grid.month + interval '1 month'
group by grid.month

-- northwind
with m as (select generate_series(date '1997-01-01', date '1997-12-01', interval '1 month')::date as month from shippers)
select m.month, sum(o.freight) as freight from m
left join orders o on date_trunc('month', o.order_date) = m.month group by m.month

-- northwind
with h as (select generate_series(timestamp '1997-01-01', timestamp '1997-12-31', interval '6 hours')::date as day)
select h.day, sum(o.freight) as freight from h left join orders o on o.order_date = h.day group by h.day
