-- Queries that contradict their semantic model. The first line of a block names the
-- model, the expected finding, and a part of the message.

-- northwind fan_out: join with order_details repeats rows of orders
select sum(o.freight) from orders o join order_details od on od.order_id = o.order_id

-- northwind fan_out: join with order_details repeats rows of orders
select c.country, sum(o.freight) as freight, sum(od.quantity) as units
from customers c join orders o using (customer_id) join order_details od using (order_id)
group by c.country

-- northwind fan_out: sum(freight)
select sum(freight) from orders, order_details where orders.order_id = order_details.order_id

-- northwind fan_out: sum(freight)
select sum(o.freight) from orders o left join order_details od on od.order_id = o.order_id

-- northwind fan_out: sum(freight)
select sum(o.freight) from orders o cross join order_details od

-- northwind fan_out: sum(freight)
select sum(freight) from orders natural join order_details

-- northwind fan_out: already repeats these values
select sum(d.freight) from (select o.order_id, o.freight from orders o
  join order_details od on od.order_id = o.order_id) d

-- northwind fan_out: already repeats these values
with base as (select o.*, od.quantity from orders o join order_details od on od.order_id = o.order_id)
select ship_country, sum(freight) from base group by ship_country

-- northwind fan_out: repeats rows of t 
with totals as (select customer_id, sum(freight) as freight from orders group by customer_id)
select sum(t.freight) from totals t join orders o on o.customer_id = t.customer_id

-- northwind fan_out: sum(units_in_stock)
select p.category_id, sum(p.units_in_stock) from products p
join order_details od on od.product_id = p.product_id group by p.category_id

-- northwind fan_out: count(order_id)
select c.country, count(o.order_id) as orders
from customers c join orders o on o.customer_id = c.customer_id
join order_details od on od.order_id = o.order_id
group by c.country

-- northwind fan_out: count(customer_id)
select c.country, count(c.customer_id) as customers
from customers c join orders o on o.customer_id = c.customer_id group by c.country

-- northwind mild_fan_out: avg(freight)
select avg(o.freight) from orders o join order_details od on od.order_id = o.order_id

-- northwind fan_out: sum(freight
select date_trunc('month', o.order_date), sum(o.freight + od.unit_price * od.quantity) as total
from orders o join order_details od on od.order_id = o.order_id group by 1

-- northwind fan_out: sum(freight
select sum(case when od.discount > 0 then o.freight else 0 end)
from orders o join order_details od on od.order_id = o.order_id

-- northwind fan_out: sum(freight
select sum(coalesce(o.freight, 0)) from orders o join order_details od on od.order_id = o.order_id

-- northwind fan_out: sum(freight)
select sum(od.quantity) as units from order_details od
having sum(od.quantity) > (select sum(o.freight) from orders o join order_details x on x.order_id = o.order_id)

-- northwind fan_out: sum(freight)
select e.last_name, sum(o.freight)
from employees e join orders o on o.employee_id = e.employee_id
join employee_territories et on et.employee_id = e.employee_id
group by e.last_name

-- northwind fan_out: chasm
select e.employee_id, sum(o.freight)
from employees e join employee_territories et on et.employee_id = e.employee_id
join orders o on o.employee_id = e.employee_id
group by e.employee_id

-- northwind fan_out: chasm
select e.employee_id, count(o.order_id) as orders, count(et.territory_id) as territories
from employees e
left join orders o on o.employee_id = e.employee_id
left join employee_territories et on et.employee_id = e.employee_id
group by e.employee_id

-- northwind fan_out: counts pairs
select e.employee_id, count(*) from employees e
join orders o on o.employee_id = e.employee_id
join employee_territories et on et.employee_id = e.employee_id
group by e.employee_id

-- northwind fan_out: sum(freight)
select o.order_id, sum(o.freight) over (partition by o.customer_id) as customer_freight
from orders o join order_details od on od.order_id = o.order_id

-- northwind fan_out: sum(freight)
select sum(o.freight) from orders o
join lateral (select od.product_id from order_details od where od.order_id = o.order_id) x on true

-- northwind fan_out: sum(freight)
select sum(o.freight) from orders o
join (select order_id, product_id, sum(quantity) as q from order_details group by order_id, product_id) x
  on x.order_id = o.order_id

-- northwind fan_out: already repeats these values
select sum(x.freight) from (
  select o.freight from orders o join order_details od on od.order_id = o.order_id
  union all
  select o.freight from orders o) x

-- northwind fan_out: sum(freight)
select sum(o.freight) from orders o
join (select distinct order_id, discount from order_details) d on d.order_id = o.order_id

-- northwind other_columns: employees.employee_id
select e.last_name, sum(o.freight) from orders o join employees e on e.employee_id = o.ship_via
group by e.last_name

-- northwind other_columns: shippers.shipper_id
select s.company_name from orders o join shippers s on s.shipper_id = o.employee_id

-- northwind other_columns: customers.company_name
select c.company_name, o.order_id from customers c join orders o on o.ship_name = c.company_name

-- northwind unrelated: categories
select c.category_name, count(distinct s.supplier_id) from suppliers s
join categories c on c.category_id = s.supplier_id group by 1

-- northwind unknown: did you mean freight
select sum(o.freigt) from orders o

-- northwind unknown: total_amount in orders
select customer_id, sum(total_amount) from orders group by customer_id

-- northwind unknown: The model has no table order_detail; there is order_details
select sum(quantity) from order_detail

-- northwind unknown: no table sales; it has
select sum(amount) from sales

-- northwind unknown: is called p
select p.product_name from order_details od where od.quantity > 1

-- northwind unknown: say which
select order_id from orders o join order_details od on od.order_id = o.order_id

-- northwind unknown: no column units in x
select x.units from (select order_id, sum(quantity) as total from order_details group by order_id) x

-- northwind unknown: did you mean company_name
select c.companyname from customers c

-- northwind unknown: no column price
with p as (select product_id, unit_price from products) select sum(price) from p

-- northwind unknown: no column discount in orders
select o.order_id from orders o where exists
  (select 1 from customers c where c.customer_id = o.customer_id and o.discount > 0)

-- northwind unknown: is called o
select x.n from orders o join (select count(*) as n from order_details od where od.order_id = o.order_id) x on true

-- chinook fan_out: join with invoice_line repeats rows of invoice
select c.country, sum(i.total) from customer c join invoice i using (customer_id)
join invoice_line il using (invoice_id) group by c.country

-- chinook fan_out: repeats rows of invoice
select g.name, sum(i.total) from invoice i
join invoice_line il on il.invoice_id = i.invoice_id
join track t on t.track_id = il.track_id
join genre g on g.genre_id = t.genre_id group by g.name

-- chinook fan_out: sum(milliseconds)
select al.title, sum(t.milliseconds) from album al join track t on t.album_id = al.album_id
join playlist_track pt on pt.track_id = t.track_id group by al.album_id, al.title

-- chinook fan_out: sum(milliseconds)
select sum(t.milliseconds) from track t join invoice_line il on il.track_id = t.track_id

-- chinook fan_out: count(album_id)
select ar.name, count(al.album_id) as albums from artist ar
join album al on al.artist_id = ar.artist_id join track t on t.album_id = al.album_id group by ar.name

-- chinook fan_out: chasm
select t.track_id, sum(il.quantity) from track t
join invoice_line il on il.track_id = t.track_id
join playlist_track pt on pt.track_id = t.track_id group by t.track_id

-- chinook fan_out: count(customer_id)
select e.last_name, count(c.customer_id) as customers, sum(i.total)
from employee e join customer c on c.support_rep_id = e.employee_id
join invoice i on i.customer_id = c.customer_id group by e.last_name

-- chinook other_columns: follows no relationship
select ar.name from artist ar join album al on al.album_id = ar.artist_id

-- chinook unknown: did you mean invoice_date
select invoicedate from invoice

-- chinook unknown: genre_name
select genre_name, count(*) from track join genre using (genre_id) group by genre_name

-- retail fan_out: chasm
select s.city, sum(i.line_total) as revenue, sum(k.days_out) as days
from stores s join orders o on o.store_id = s.store_id
join order_items i on i.order_id = o.order_id
join stockouts k on k.store_id = s.store_id
group by s.city

-- retail fan_out: sum(square_feet)
select s.region, sum(s.square_feet) from stores s join orders o on o.store_id = s.store_id group by s.region

-- retail fan_out: sum(employees)
select s.city, sum(i.line_total) / sum(s.employees) as per_head
from stores s join orders o on o.store_id = s.store_id join order_items i on i.order_id = o.order_id
group by s.city

-- retail fan_out: chasm
select p.product_id, sum(i.quantity), sum(k.days_out) from products p
left join order_items i on i.product_id = p.product_id
left join stockouts k on k.product_id = p.product_id group by p.product_id

-- retail mild_fan_out: avg(square_feet)
select avg(s.square_feet) from stores s join orders o on o.store_id = s.store_id

-- retail unrelated: customers.home_city
select c.full_name, s.store_name from customers c join stores s on s.city = c.home_city

-- retail unknown: revenue
select s.city, sum(o.revenue) from stores s join orders o on o.store_id = s.store_id group by s.city

-- retail unknown: did you mean line_total
select sum(linetotal) from order_items

-- northwind mild_fan_out: lists them more than once
select c.country, string_agg(c.company_name, ', ') from customers c
join orders o on o.customer_id = c.customer_id group by c.country

-- northwind mild_fan_out: array_agg(company_name
select array_agg(c.company_name order by o.order_date) from customers c join orders o using (customer_id)

-- northwind mild_fan_out: jsonb_agg
select c.country, jsonb_agg(jsonb_build_object('name', c.company_name, 'city', c.city))
from customers c join orders o on o.customer_id = c.customer_id group by c.country

-- northwind mild_fan_out: already repeats these values
select string_agg(d.company_name, ', ') from (select c.company_name from customers c
  join orders o on o.customer_id = c.customer_id) d

-- northwind mild_fan_out: array(company_name)
select c.country, array(select k.company_name from customers k join orders o using (customer_id)
  where k.country = c.country) from customers c group by c.country

-- northwind mild_fan_out: string_agg
select c.country, string_agg(p.product_name, ', ') from customers c
join orders o on o.customer_id = c.customer_id join order_details od on od.order_id = o.order_id
join products p on p.product_id = od.product_id group by c.country

-- northwind fan_out: already repeats these values
select sum(m) from (select od.order_id, od.product_id, max(o.freight) as m from orders o
  join order_details od on od.order_id = o.order_id group by od.order_id, od.product_id) x

-- northwind fan_out: already repeats these values
select sum(f) from (select d.order_id, d.product_id, max(d.freight) as f
  from (select od.order_id, od.product_id, o.freight from orders o join order_details od using (order_id)) d
  group by d.order_id, d.product_id) x

-- northwind fan_out: already repeats these values
with lines as (select od.order_id, od.product_id, o.freight from orders o join order_details od using (order_id)),
     picked as (select order_id, product_id, min(freight) as least, max(freight) as most from lines group by 1, 2)
select sum(most - least), sum(most) from picked

-- northwind fan_out: already repeats these values
select sum(coalesce(m, 0)) from (select od.order_id, od.product_id, round(max(o.freight) * 1.1, 2) as m
  from order_details od join orders o on o.order_id = od.order_id group by 1, 2) x

-- northwind mild_fan_out: already repeats these values
select avg(m) from (select o.order_id, min(c.contact_title), max(e.salary_rank) as m from
  (select employee_id, reports_to as salary_rank from employees) e
  join orders o on o.employee_id = e.employee_id join customers c on c.customer_id = o.customer_id group by o.order_id) x

-- northwind fan_out: already repeats
select sum(f) from (select od.order_id, od.product_id, (array_agg(o.freight))[1] as f from orders o join order_details od using (order_id) group by 1, 2) x

-- northwind fan_out: already repeats
select sum(m) from (select od.order_id, od.product_id, max(o.freight) m from orders o join order_details od using (order_id) group by 1,2 union all select 1, 1, 0) u

-- northwind fan_out: already repeats
select sum(max(o.freight)) over () from orders o join order_details od using (order_id) group by od.order_id, od.product_id

-- northwind fan_out: already repeats
select sum(m) from (select od.product_id, max(d.freight) m from order_details od join (select order_id, freight from orders) d using (order_id) group by od.product_id, od.order_id) u

-- northwind fan_out: already repeats
select sum(t) from (select o.order_id, od.product_id, o.freight + max(od.quantity) as t from orders o join order_details od using (order_id) group by o.order_id, od.product_id) x

-- northwind mild_fan_out: lists them more than once
select string_agg(c.company_name, ',') over (partition by c.country) from customers c join orders o using (customer_id)

-- northwind mild_fan_out: lists them more than once
select json_agg(c) from customers c join orders o using (customer_id)

-- northwind mild_fan_out: lists them more than once
select json_agg(d) from (select c.company_name from customers c join orders o using (customer_id)) d

-- northwind mild_fan_out: lists them more than once
select array(select d.company_name from (select c.company_name from customers c join orders o using (customer_id)) d)

-- northwind mild_fan_out: lists them more than once
select json_build_object('a', json_agg(c.company_name)) from customers c join orders o using (customer_id)

-- northwind fan_out: already repeats these values
select order_id, sum(freight) from (
  select od.product_id, o.order_id, max(o.freight) as freight
  from orders o join order_details od using (order_id) group by 1, 2) x group by order_id

-- northwind fan_out: already repeats these values
select date_trunc('year', month), sum(weight) from (
  select date_trunc('month', o.order_date) as month, c.customer_id, max(length(c.company_name)) as weight
  from orders o join customers c using (customer_id) group by 1, 2) x group by 1

-- northwind fan_out: already repeats these values
select sum(weight) from (
  select distinct date_trunc('month', o.order_date) as month, c.customer_id, length(c.company_name) as weight
  from orders o join customers c using (customer_id)) x

-- northwind fan_out: already repeats these values
select p.category_id, sum(x.freight) from (
  select od.product_id, o.order_id, max(o.freight) as freight
  from orders o join order_details od using (order_id) group by 1, 2) x
join products p on p.product_id = x.product_id group by p.category_id

-- northwind fan_out: sum(
select date_trunc('month', o.order_date), c.customer_id,
  sum(max(length(c.company_name))) over (partition by c.customer_id) as weight
from orders o join customers c using (customer_id) group by 1, 2

-- northwind unknown: did you mean freight
select sum((o).freigt) from orders o

-- northwind fan_out: sum(freight)
select sum(o.freight) as freight from orders o
join (select product_id, min(order_id) as first_order from order_details group by product_id) f
  on f.first_order = o.order_id

-- northwind fan_out: sum(freight)
select sum(o.freight) from orders o join order_details b on b.order_id = o.order_id - 1

-- shipping fan_out: sum(capacity): the join with
select l.from_port_id, 1.0 * sum(b.containers) / sum(v.capacity) as load_factor
from sea.bookings b join sea.legs l on l.leg_id = b.leg_id join sea.vessels v on v.vessel_id = l.vessel_id
group by l.from_port_id

-- shipping mild_fan_out: right if each of these has it again
select l.from_port_id, sum(v.capacity) as offered from sea.legs l
join sea.vessels v on v.vessel_id = l.vessel_id group by l.from_port_id

-- shipping fan_out: sum(miles): the join with bookings
select sum(l.miles) from sea.legs l join sea.bookings b on b.leg_id = l.leg_id

-- subscriptions mild_fan_out: sum(monthly_price) takes the value of a row of plans once for each row of subscriptions
select p.tier, sum(p.monthly_price) as recurring from subscriptions s join plans p on p.plan_id = s.plan_id
where s.cancelled_on is null group by p.tier

-- shipping mild_fan_out: repeats rows
select avg(y.day - x.day) as days from sea.legs l join sea.bookings b on b.leg_id = l.leg_id
join sea.port_stock x on x.port_id = l.from_port_id and x.day = l.departed_at::date
join sea.port_stock y on y.port_id = l.to_port_id and y.day = l.arrived_at::date

-- subscriptions mild_fan_out: takes the value of a row of plans once for each row of invoices
select date_trunc('month', i.issued_on) as month, sum(p.monthly_price) as list_price
from invoices i join subscriptions s using (subscription_id) join plans p using (plan_id) group by 1

-- subscriptions mild_fan_out: takes the value of a row of plans once for each row of subscriptions
select sum(x.monthly_price) from (
  select p.monthly_price from subscriptions s join plans p on p.plan_id = s.plan_id where s.cancelled_on is null
  union all
  select p.monthly_price from subscriptions s join plans p on p.plan_id = s.plan_id where s.cancelled_on > current_date) x

-- shipping fan_out: already repeats
select sum(x.capacity) from (
  select v.capacity from sea.bookings b join sea.legs l using (leg_id) join sea.vessels v using (vessel_id)) x
