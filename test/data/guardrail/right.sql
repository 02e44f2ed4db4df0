-- Queries that fit their semantic model: the guardrails must find nothing.
-- A block is one query; its first line names the model.

-- northwind
select count(*) as orders from orders

-- northwind
select sum(freight) as freight from orders where ship_country = 'Germany'

-- northwind
select c.country, sum(o.freight) as freight
from orders o join customers c on c.customer_id = o.customer_id
group by c.country order by freight desc

-- northwind
select sum(od.unit_price * od.quantity * (1 - od.discount)) as revenue from order_details od

-- northwind
select cat.category_name, sum(od.unit_price * od.quantity) as gross_revenue
from order_details od
join products p on p.product_id = od.product_id
join categories cat on cat.category_id = p.category_id
group by cat.category_name

-- northwind
select e.last_name, count(distinct o.order_id) as orders, sum(od.quantity) as units
from employees e
join orders o using (employee_id)
join order_details od using (order_id)
group by e.employee_id, e.last_name

-- northwind
select o.order_id, o.freight, sum(od.quantity) as units
from orders o join order_details od on od.order_id = o.order_id
group by o.order_id, o.freight

-- northwind
select c.company_name, t.total
from customers c
join (select o.customer_id, sum(o.freight) as total from orders o group by o.customer_id) t
  on t.customer_id = c.customer_id

-- northwind
with lines as (
  select order_id, sum(unit_price * quantity) as amount from order_details group by order_id)
select sum(o.freight) as freight, sum(l.amount) as amount
from orders o join lines l on l.order_id = o.order_id

-- northwind
with per_order as (
  select o.order_id, o.customer_id, sum(od.quantity) as units
  from orders o join order_details od on od.order_id = o.order_id
  group by o.order_id, o.customer_id)
select c.country, avg(p.units) as average_units
from per_order p join customers c on c.customer_id = p.customer_id
group by c.country

-- northwind
select sum(o.freight) as freight
from orders o
where exists (select 1 from order_details od where od.order_id = o.order_id and od.discount > 0)

-- northwind
select sum(freight) from orders
where order_id in (select order_id from order_details where product_id = 11)

-- northwind
select sum(o.freight) from orders o
where not exists (select 1 from order_details od join products p on p.product_id = od.product_id
                  where od.order_id = o.order_id and p.discontinued = 1)

-- northwind
select max(o.freight), min(o.freight), count(distinct o.order_id)
from orders o join order_details od on od.order_id = o.order_id

-- northwind
select e.last_name as employee, m.last_name as manager
from employees e left join employees m on m.employee_id = e.reports_to

-- northwind
select m.last_name, count(*) as reports
from employees e join employees m on m.employee_id = e.reports_to
group by m.employee_id, m.last_name

-- northwind
select r.region_description, count(*) as territories
from region r join territories t on t.region_id = r.region_id
group by r.region_description

-- northwind
select t.region_id, count(distinct et.employee_id) as employees
from territories t join employee_territories et on et.territory_id = t.territory_id
group by t.region_id

-- northwind
select s.company_name, sum(p.units_in_stock * p.unit_price) as value
from products p join suppliers s on s.supplier_id = p.supplier_id
group by s.supplier_id, s.company_name

-- northwind
select c.company_name from customers c
left join orders o on o.customer_id = c.customer_id
where o.order_id is null

-- northwind
select sum(o.freight) as freight_without_lines
from orders o left join order_details od on od.order_id = o.order_id
where od.order_id is null

-- northwind
select c.customer_id, sum(o.freight) as freight
from customers c left join orders o on o.customer_id = c.customer_id
group by c.customer_id

-- northwind
select date_trunc('month', o.order_date) as month, sum(od.unit_price * od.quantity) as gross_revenue
from orders o join order_details od on od.order_id = o.order_id
group by date_trunc('month', o.order_date) order by 1

-- northwind
with monthly as (
  select date_trunc('month', order_date) as month, sum(freight) as freight
  from orders group by 1)
select month, freight, lag(freight) over (order by month) as before,
       sum(freight) over (order by month) as running
from monthly

-- northwind
select distinct on (customer_id) customer_id, order_id, order_date
from orders order by customer_id, order_date desc

-- northwind
with latest as (
  select o.*, row_number() over (partition by o.customer_id order by o.order_date desc) as place
  from orders o)
select c.company_name, l.freight
from customers c join latest l on l.customer_id = c.customer_id and l.place = 1

-- northwind
with latest as (
  select customer_id, freight,
         row_number() over (partition by customer_id order by order_date desc) as place
  from orders)
select c.country, sum(l.freight) as latest_freight
from customers c join latest l on l.customer_id = c.customer_id
where l.place = 1
group by c.country

-- northwind
with orders_of as (select customer_id, count(*) as orders from orders group by customer_id),
     stock as (select supplier_id, sum(units_in_stock) as units from products group by supplier_id)
select (select sum(orders) from orders_of) as orders, (select sum(units) from stock) as units

-- northwind
select o.ship_country, sum(od.quantity) filter (where od.discount > 0) as discounted
from orders o join order_details od on od.order_id = o.order_id
group by o.ship_country
having sum(od.quantity) > 100

-- northwind
select c.country, sum(x.units) as units
from customers c
join orders o on o.customer_id = c.customer_id
join lateral (select sum(od.quantity) as units from order_details od
              where od.order_id = o.order_id) x on true
group by c.country

-- northwind
select o.order_id, (select sum(od.quantity) from order_details od where od.order_id = o.order_id) as units
from orders o

-- northwind
select country, sum(n) from (
  select country, count(*) as n from customers group by country
  union all
  select country, count(*) as n from suppliers group by country) x
group by country

-- northwind
select p.product_name, sum(od.quantity) as units,
       round(100.0 * sum(od.quantity) / sum(sum(od.quantity)) over (), 2) as share
from products p join order_details od on od.product_id = p.product_id
group by p.product_id, p.product_name

-- northwind
select s.company_name as shipper, avg(o.freight) as average_freight
from orders o join shippers s on s.shipper_id = o.ship_via
group by s.company_name

-- northwind
select sum(case when od.discount > 0 then od.quantity else 0 end) as discounted,
       sum(case when o.ship_country = 'USA' then 1 else 0 end) as lines
from order_details od join orders o on o.order_id = od.order_id

-- northwind
select a.product_id, b.product_id, count(*) as together
from order_details a join order_details b on b.order_id = a.order_id and b.product_id > a.product_id
group by a.product_id, b.product_id

-- northwind
select o.order_id, o.freight * od.quantity / t.units as share
from orders o
join order_details od on od.order_id = o.order_id
join (select order_id, sum(quantity) as units from order_details group by order_id) t
  on t.order_id = o.order_id

-- northwind
select p.category_id, sum(o.freight * od.quantity / t.units) as freight_by_units
from orders o
join order_details od on od.order_id = o.order_id
join products p on p.product_id = od.product_id
join (select order_id, sum(quantity) as units from order_details group by order_id) t
  on t.order_id = o.order_id
group by p.category_id

-- northwind
select et.employee_id, count(et.territory_id) as territories
from employee_territories et join employees e on e.employee_id = et.employee_id
group by et.employee_id

-- northwind
select count(*) from (select distinct o.customer_id, od.product_id
  from orders o join order_details od on od.order_id = o.order_id) pairs

-- northwind
select sum(d.freight) from (select distinct o.order_id, o.freight
  from orders o join order_details od on od.order_id = o.order_id
  where od.discount > 0) d

-- northwind
select c.country, count(o.order_id) as orders
from customers c left join orders o on o.customer_id = c.customer_id
group by c.country

-- northwind
select sum(o.freight) from orders o natural join customers c

-- northwind
select g.day, sum(o.freight)
from generate_series(date '1997-01-01', date '1997-01-31', interval '1 day') g(day)
left join orders o on o.order_date = g.day
group by g.day

-- northwind
select sum(o.freight) as freight, (select count(*) from order_details) as lines from orders o

-- northwind
select sum(o.freight) / m.most as share
from orders o cross join (select max(freight) as most from orders) m
group by m.most

-- chinook
select g.name, sum(il.unit_price * il.quantity) as revenue
from invoice_line il join track t on t.track_id = il.track_id join genre g on g.genre_id = t.genre_id
group by g.name

-- chinook
select c.country, sum(i.total) as total
from customer c join invoice i on i.customer_id = c.customer_id
group by c.country

-- chinook
select ar.name, count(distinct al.album_id) as albums, count(t.track_id) as tracks
from artist ar join album al on al.artist_id = ar.artist_id
join track t on t.album_id = al.album_id
group by ar.artist_id, ar.name

-- chinook
select p.playlist_id, sum(t.milliseconds) / 60000.0 as minutes
from playlist p
join playlist_track pt on pt.playlist_id = p.playlist_id
join track t on t.track_id = pt.track_id
group by p.playlist_id

-- chinook
select e.last_name, sum(i.total) as sales
from employee e join customer c on c.support_rep_id = e.employee_id
join invoice i on i.customer_id = c.customer_id
group by e.employee_id, e.last_name

-- chinook
select count(*) as tracks_in_playlists from playlist_track pt
join track t using (track_id) join playlist p using (playlist_id)

-- chinook
select sum(i.total) from invoice i
where i.invoice_id in (select il.invoice_id from invoice_line il join track t on t.track_id = il.track_id
                       where t.composer is not null)

-- chinook
with lines as (select il.quantity, t.unit_price, t.name from invoice_line il join track t on t.track_id = il.track_id)
select name, sum(quantity * unit_price) as list_value from lines group by name

-- chinook
select i.billing_country, percentile_cont(0.5) within group (order by i.total) as median
from invoice i join customer c on c.customer_id = i.customer_id group by i.billing_country

-- chinook
select t.name, rank() over (order by sum(il.quantity) desc) as place
from track t join invoice_line il on il.track_id = t.track_id
group by t.track_id, t.name

-- chinook
with recursive chain as (
  select employee_id, reports_to, 1 as depth from employee where reports_to is null
  union all
  select e.employee_id, e.reports_to, c.depth + 1 from employee e join chain c on c.employee_id = e.reports_to)
select depth, count(*) from chain group by depth

-- chinook
select extract(year from i.invoice_date) as year, sum(i.total) as total,
       count(*) filter (where i.total > 10) as large
from invoice i group by 1 order by 1

-- chinook
select c.customer_id, i.total, il.lines
from customer c
join (select customer_id, sum(total) as total from invoice group by customer_id) i using (customer_id)
join (select v.customer_id, count(*) as lines from invoice v join invoice_line l on l.invoice_id = v.invoice_id
      group by v.customer_id) il using (customer_id)

-- chinook
select string_agg(distinct g.name, ', ') from genre g join track t on t.genre_id = g.genre_id

-- retail
select s.city, sum(i.line_total) as revenue
from order_items i join orders o on o.order_id = i.order_id join stores s on s.store_id = o.store_id
group by s.city

-- retail
select s.city, sum(r.revenue) as revenue, sum(d.days) as days_out
from stores s
left join (select o.store_id, sum(i.line_total) as revenue from orders o
           join order_items i on i.order_id = o.order_id group by o.store_id) r on r.store_id = s.store_id
left join (select store_id, sum(days_out) as days from stockouts group by store_id) d on d.store_id = s.store_id
group by s.city

-- retail
select p.category, sum(i.line_total - i.quantity * p.unit_cost) as profit
from order_items i join products p on p.product_id = i.product_id
group by p.category

-- retail
select c.segment, sum(i.line_total) / count(distinct o.order_id) as order_value
from customers c join orders o on o.customer_id = c.customer_id
join order_items i on i.order_id = o.order_id
group by c.segment

-- retail
select coalesce(p.brand, 'none') as brand, sum(coalesce(i.quantity, 0)) as units
from products p left join order_items i on i.product_id = p.product_id
group by 1

-- retail
select s.store_name, sum(i.line_total) as revenue,
       sum(i.line_total) / nullif(max(s.square_feet), 0) as per_square_foot
from stores s join orders o on o.store_id = s.store_id join order_items i on i.order_id = o.order_id
group by s.store_name

-- retail
select o.order_id, sum(o2.quantity) from orders o, order_items o2
where o2.order_id = o.order_id and o.status = 'completed' group by o.order_id

-- retail
select s.store_name, sum(s.square_feet) over (partition by s.city) as city_feet from stores s

-- retail
select 'all' as what, sum(line_total) from order_items
union all
select o.channel, sum(i.line_total) from orders o join order_items i on i.order_id = o.order_id group by o.channel

-- retail
select s.city, s.region, sum(i.line_total)
from order_items i join orders o on o.order_id = i.order_id join stores s on s.store_id = o.store_id
group by rollup (s.region, s.city)

-- retail
select c.full_name, c.home_city, s.city
from customers c join orders o on o.customer_id = c.customer_id
join stores s on s.store_id = o.store_id and s.city = c.home_city

-- retail
select k.store_id, k.product_id, sum(k.days_out) as days, (select sum(i.quantity) from order_items i
  join orders o on o.order_id = i.order_id
  where o.store_id = k.store_id and i.product_id = k.product_id) as units
from stockouts k group by k.store_id, k.product_id

-- northwind
select sum(freight) from (select o.freight, row_number() over (partition by od.order_id order by od.quantity desc) as rn
  from orders o join order_details od using (order_id)) x where rn = 1

-- northwind
select c.country, string_agg(c.company_name, ', ' order by c.company_name) from customers c group by c.country

-- northwind
select o.order_id, string_agg(p.product_name, ', ') from orders o
join order_details od on od.order_id = o.order_id join products p on p.product_id = od.product_id group by o.order_id

-- northwind
select json_object_agg(o.order_id, c.company_name) from orders o join customers c on c.customer_id = o.customer_id

-- northwind
select c.country, array_agg(distinct c.company_name) from customers c
join orders o on o.customer_id = c.customer_id group by c.country

-- northwind
select p.product_name, string_agg(o.ship_city, ', ') from products p join order_details od using (product_id)
join orders o using (order_id) group by p.product_id, p.product_name

-- northwind
select c.company_name, array(select o.order_id from orders o where o.customer_id = c.customer_id) from customers c

-- northwind
select c.company_name, array(select distinct p.product_name from orders o join order_details od using (order_id)
  join products p using (product_id) where o.customer_id = c.customer_id) from customers c

-- northwind
select jsonb_agg(jsonb_build_object('order', o.order_id, 'customer', c.company_name)) from orders o
join customers c on c.customer_id = o.customer_id

-- northwind
select sum(m) from (select o.order_id, max(o.freight) as m from orders o
  join order_details od on od.order_id = o.order_id group by o.order_id) x

-- northwind
select sum(f) from (select d.order_id, max(d.freight) as f
  from (select od.order_id, od.product_id, o.freight from orders o join order_details od using (order_id)) d
  group by d.order_id) x

-- northwind
select avg(latest) from (select c.country, max(o.freight) as latest from customers c
  join orders o using (customer_id) group by c.country) x

-- northwind
select count(first_order) from (select od.product_id, min(o.order_date) as first_order from orders o
  join order_details od using (order_id) group by od.product_id) x

-- northwind
select sum(m * units) from (select p.product_id, extract(year from o.order_date) as year, max(p.unit_price) as m,
  sum(od.quantity) as units from products p join order_details od using (product_id)
  join orders o using (order_id) group by 1, 2) x

-- northwind
select company_name, sum(share) from (select c.company_name, o.freight / sum(o.freight) over () as share
  from customers c join orders o using (customer_id)) x group by company_name

-- northwind
select avg(moving) from (select o.order_date, avg(o.freight) over (order by o.order_date rows 6 preceding) as moving
  from orders o) x

-- northwind
select listing.* from (select c.country, string_agg(c.company_name || coalesce(o.ship_city,''), ',') from customers c join orders o using (customer_id) group by 1) listing

-- northwind
select sum(od.quantity * (select p.unit_price from products p where p.product_id = od.product_id)) from order_details od

-- northwind
select sum((select sum(od.quantity) from order_details od where od.order_id = o.order_id)) from orders o

-- northwind
select c.country, sum((select count(*) from orders o where o.customer_id = c.customer_id)) from customers c group by 1

-- northwind
select c.country, (select sum(o.freight) from orders o where o.customer_id = c.customer_id) f from customers c

-- northwind
select avg(f) from (select c.customer_id, (select sum(o.freight) from orders o where o.customer_id = c.customer_id) f from customers c) x

-- northwind
select c.country, sum(l.total) from customers c cross join lateral (
  select sum(o.freight) as total from orders o where o.customer_id = c.customer_id) l group by c.country

-- northwind
select od.order_id, sum(l.amount) from order_details od
cross join lateral (select od.quantity * od.unit_price as amount) l group by od.order_id

-- northwind
select avg(f) from (select c.country, (select count(*) from customers k where k.country = c.country) as f
  from customers c group by c.country) x

-- northwind
select month, sum(weight) from (
  select date_trunc('month', o.order_date) as month, c.customer_id, max(length(c.company_name)) as weight
  from orders o join customers c using (customer_id) group by 1, 2) x group by month

-- northwind
select product_id, sum(freight) from (
  select od.product_id, o.order_id, max(o.freight) as freight
  from orders o join order_details od using (order_id) group by 1, 2) x group by product_id

-- northwind
select month, sum(weight) from (
  select distinct date_trunc('month', o.order_date) as month, c.customer_id, length(c.company_name) as weight
  from orders o join customers c using (customer_id)) x group by month

-- northwind
select sum(freight) from (
  select od.product_id, o.order_id, max(o.freight) as freight
  from orders o join order_details od using (order_id) group by 1, 2) x where product_id = 1

-- northwind
select max(running) from (select date_trunc('month', o.order_date) as month,
  sum(sum(o.freight)) over (order by date_trunc('month', o.order_date)) as running
  from orders o group by 1) x

-- northwind
select avg(running) from (select date_trunc('month', o.order_date) as month,
  sum(sum(o.freight)) over (order by date_trunc('month', o.order_date)) as running
  from orders o group by 1) x

-- northwind
with monthly as (
  select date_trunc('month', o.order_date) as month, c.country, c.customer_id, max(length(c.company_name)) as weight
  from orders o join customers c using (customer_id) group by 1, 2, 3)
select month, country, sum(weight), avg(weight) from monthly group by month, country

-- northwind
select month, sum(weight) from (
  select distinct on (date_trunc('month', o.order_date), c.customer_id)
    date_trunc('month', o.order_date) as month, c.customer_id, length(c.company_name) as weight
  from orders o join customers c using (customer_id)
  order by date_trunc('month', o.order_date), c.customer_id) x group by month

-- northwind
select x.product_id, p.product_name, sum(x.freight) from (
  select od.product_id, o.order_id, max(o.freight) as freight
  from orders o join order_details od using (order_id) group by 1, 2) x
join products p on p.product_id = x.product_id group by x.product_id, p.product_name

-- northwind
select x.product_id, count(x.freight), string_agg(x.freight::text, ',') from (
  select od.product_id, o.order_id, max(o.freight) as freight
  from orders o join order_details od using (order_id) group by 1, 2) x group by x.product_id

-- northwind
select distinct month, sum(weight) over (partition by month) from (
  select date_trunc('month', o.order_date) as month, c.customer_id, max(length(c.company_name)) as weight
  from orders o join customers c using (customer_id) group by 1, 2) x

-- northwind
select date_trunc('month', o.order_date), c.customer_id,
  sum(max(length(c.company_name))) over (partition by date_trunc('month', o.order_date)) as weight
from orders o join customers c using (customer_id) group by 1, 2

-- northwind
select sum(o.freight) as freight from orders o
join (select customer_id, min(order_id) as first_order from orders group by customer_id) f
  on f.first_order = o.order_id

-- northwind
select c.country, sum(o.freight) as freight
from (select customer_id, max(order_id) as last_order from orders group by customer_id) l
join orders o on o.order_id = l.last_order join customers c on c.customer_id = o.customer_id
group by c.country

-- northwind
select sum(a.freight - b.freight) as change from orders a join orders b on b.order_id = a.order_id - 1

-- chinook
with m as (select date_trunc('month', invoice_date) as month, sum(total) as total from invoice group by 1)
select sum(n.total - p.total) as change from m n join m p on n.month = p.month + interval '1 month'

-- chinook
select sum(t.milliseconds) from playlist p
join playlist_track pt on pt.playlist_id = p.playlist_id
join track t on t.track_id = pt.track_id where p.playlist_id = 1

-- retail
select sum(i.line_total) from order_items i join (
  select date_trunc('month', order_date) as month, max(order_id) as last_order from orders group by 1) l
  on l.last_order = i.order_id

-- northwind
select m.month, sum(o.freight) as freight
from generate_series(date '1997-01-01', date '1997-12-01', interval '1 month') m(month)
left join orders o on o.order_date >= m.month and o.order_date < m.month + interval '1 month'
group by m.month

-- northwind
with weeks as (select w::date as first_day from generate_series(date '1997-01-06', date '1997-12-29', interval '7 days') w)
select first_day, sum(o.freight) as freight from weeks
join orders o on o.order_date between first_day and first_day + interval '7 days' - interval '1 day'
group by first_day

-- northwind
select count(*) as customers from customers c left join orders o on o.customer_id = c.customer_id
where o.order_id is null

-- shipping
with booked as (select leg_id, sum(containers) as booked from sea.bookings group by leg_id)
select l.from_port_id, 1.0 * sum(b.booked) / sum(v.capacity) as load_factor
from booked b join sea.legs l on l.leg_id = b.leg_id join sea.vessels v on v.vessel_id = l.vessel_id
group by l.from_port_id

-- shipping
select v.vessel_name, 1.0 * sum(b.containers) / v.capacity as share from sea.vessels v
join sea.legs l on l.vessel_id = v.vessel_id join sea.bookings b on b.leg_id = l.leg_id
group by v.vessel_id, v.vessel_name, v.capacity

-- hospital
select avg(a.discharged_at - p.born_on) from admissions a join patients p on p.patient_id = a.patient_id

-- shipping
select avg(y.day - x.day) as days from sea.legs l
join sea.port_stock x on x.port_id = l.from_port_id and x.day = l.departed_at::date
join sea.port_stock y on y.port_id = l.to_port_id and y.day = l.arrived_at::date
