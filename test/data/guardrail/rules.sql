-- Pairs of queries for rules.def. The first line of a block names the model, the
-- rule and the question; then come the query that breaks the rule, a line
-- "-- right", and its twin, in which nothing may be found.

-- northwind left_join_filtered: How many orders over 100 of freight has each customer placed, also those without?
select c.customer_id, count(o.order_id) as orders from customers c
left join orders o on o.customer_id = c.customer_id where o.freight > 100 group by c.customer_id
-- right
select c.customer_id, count(o.order_id) as orders from customers c
left join orders o on o.customer_id = c.customer_id and o.freight > 100 group by c.customer_id

-- chinook left_join_filtered: List every artist with the albums whose title begins with A
select ar.artist_id, al.title from artist ar left join album al on al.artist_id = ar.artist_id
where al.title like 'A%'
-- right
select ar.artist_id, al.title from artist ar left join album al on al.artist_id = ar.artist_id
where al.title like 'A%' or al.album_id is null

-- retail left_join_filtered: Which products have no sales or sales of web orders?
select p.product_id, o.order_id from products p left join order_items i on i.product_id = p.product_id
left join orders o on o.order_id = i.order_id where o.channel in ('web', 'app')
-- right
select p.product_id, o.order_id from products p left join order_items i on i.product_id = p.product_id
left join orders o on o.order_id = i.order_id where coalesce(o.channel, 'none') in ('web', 'app', 'none')

-- shop left_join_filtered: Revenue of each city in 2024, also of cities without orders
select c.city, sum(o.total) as revenue from orders o right join customers c on c.customer_id = o.customer_id
where lower(c.city) <> 'x' and o.ordered_on >= date '2024-01-01' group by c.city
-- right
select c.city, sum(o.total) as revenue from orders o right join customers c on c.customer_id = o.customer_id
and o.ordered_on >= date '2024-01-01' where lower(c.city) <> 'x' group by c.city

-- northwind limit_without_order: Which five products bring the most revenue?
select p.product_id, sum(od.quantity) as units from products p
join order_details od on od.product_id = p.product_id group by p.product_id limit 5
-- right
select p.product_id, sum(od.quantity) as units from products p
join order_details od on od.product_id = p.product_id group by p.product_id order by units desc limit 5

-- chinook limit_without_order: What is the total of the ten largest invoices?
select sum(x.total) from (select total from invoice limit 10) x
-- right
select sum(x.total) from (select total from invoice order by total desc limit 10) x

-- retail limit_without_order: Which store sold first?
select o.store_id, o.order_date from orders o where o.status = 'completed' limit 1
-- right
select o.store_id from orders o where o.order_id = 7 limit 1

-- chinook wrong_end: Which three customers spent the most?
select i.customer_id, sum(i.total) as spent from invoice i group by i.customer_id order by spent limit 3
-- right
select i.customer_id, sum(i.total) as spent from invoice i group by i.customer_id order by spent desc limit 3

-- northwind wrong_end: What are the top 10 products by price?
select p.product_name, p.unit_price from products p order by p.unit_price asc limit 10
-- right
select p.product_name, p.unit_price from products p order by p.unit_price desc limit 10

-- retail wrong_end: Which store has the lowest revenue?
select s.store_name, sum(i.line_total) as revenue from order_items i join orders o on o.order_id = i.order_id
join stores s on s.store_id = o.store_id group by s.store_name order by sum(i.line_total) desc limit 1
-- right
select s.store_name, sum(i.line_total) as revenue from order_items i join orders o on o.order_id = i.order_id
join stores s on s.store_id = o.store_id group by s.store_name order by sum(i.line_total) limit 1

-- chinook wrong_end: Which track sold the most units in each genre?
select genre_id, track_id from (select t.genre_id, t.track_id,
  rank() over (partition by t.genre_id order by sum(il.quantity)) as place
  from track t join invoice_line il on il.track_id = t.track_id group by t.genre_id, t.track_id) x where place = 1
-- right
select genre_id, track_id from (select t.genre_id, t.track_id,
  rank() over (partition by t.genre_id order by sum(il.quantity) desc) as place
  from track t join invoice_line il on il.track_id = t.track_id group by t.genre_id, t.track_id) x where place = 1

-- northwind wrong_end: What are the five most recent orders?
select order_id, order_date from orders order by order_date limit 5
-- right
select order_id, order_date from orders order by order_date desc limit 5

-- northwind union_loses_rows: What is the average freight of German orders and those shipped by carrier 1, taken together?
select avg(x.freight) from (select freight from orders where ship_country = 'Germany'
  union select freight from orders where ship_via = 1) x
-- right
select avg(x.freight) from (select order_id, freight from orders where ship_country = 'Germany'
  union select order_id, freight from orders where ship_via = 1) x

-- retail union_loses_rows: How many units moved in total, sold or out of stock?
select u.product_id, sum(u.n) as n from (select product_id, sum(quantity) as n from order_items group by product_id
  union select product_id, sum(days_out) as n from stockouts group by product_id) u group by u.product_id
-- right
select u.product_id, sum(u.n) as n from (select product_id, sum(quantity) as n from order_items group by product_id
  union all select product_id, sum(days_out) as n from stockouts group by product_id) u group by u.product_id

-- chinook not_in_null: Which employees manage no one?
select e.employee_id from employee e where e.employee_id not in (select reports_to from employee)
-- right
select e.employee_id from employee e
where e.employee_id not in (select reports_to from employee where reports_to is not null)

-- northwind not_in_null: Which customers never ordered?
select c.company_name from customers c where not (c.customer_id in (select o.customer_id from orders o))
-- right
select c.company_name from customers c
where not exists (select 1 from orders o where o.customer_id = c.customer_id)

-- chinook not_in_null: Which customers have no support agent on the list?
select count(*) as customers from customer where support_rep_id <> all (select e.reports_to from employee e)
-- right
select count(*) as customers from customer where support_rep_id not in (select e.employee_id from employee e)

-- retail integer_division: What share of the orders was returned?
select count(*) filter (where status = 'returned') / count(*) as share from orders
-- right
select 1.0 * count(*) filter (where status = 'returned') / count(*) as share from orders

-- chinook integer_division: How many minutes of music are on each album?
select t.album_id, sum(t.milliseconds) / 60000 as minutes from track t group by t.album_id
-- right
select t.album_id, sum(t.milliseconds) / 60000.0 as minutes from track t group by t.album_id

-- northwind integer_division: What share of the products is discontinued, in percent?
select round((100 * sum(discontinued) / count(product_id))::numeric, 1) as percent from products
-- right
select round(100 * sum(discontinued)::numeric / count(product_id), 1) as percent from products

-- northwind integer_division: Into which decades do the birth years of the employees fall?
select count(case when extract(year from birth_date) < 1950 then 1 end) / count(*) as share from employees
-- right
select extract(year from birth_date)::int / 10 * 10 as decade, count(*) as people from employees group by 1

-- northwind metric_name: What is the revenue of each category?
select p.category_id, sum(od.unit_price * od.quantity) as revenue from order_details od
join products p on p.product_id = od.product_id group by p.category_id
-- right
select p.category_id, round(sum(od.quantity * od.unit_price - od.quantity * od.unit_price * od.discount)::numeric, 2) as revenue
from order_details od join products p on p.product_id = od.product_id group by p.category_id

-- retail metric_name: What is the gross margin?
select sum(i.line_total - i.quantity * p.unit_cost) / sum(i.quantity * i.unit_price) as gross_margin
from order_items i join products p on p.product_id = i.product_id
-- right
select round(100.0 * sum(i.line_total - p.unit_cost * i.quantity) / sum(i.line_total), 2) as gross_margin
from order_items i join products p on p.product_id = i.product_id

-- chinook metric_name: What is the average invoice total by country?
select billing_country, sum(total) / count(distinct customer_id) as average_invoice_total from invoice group by 1
-- right
select billing_country, sum(total) / count(total) as average_invoice_total from invoice group by 1

-- northwind count_of_joined_rows: How many orders were shipped to each country?
select o.ship_country, count(*) as orders from orders o
join order_details od on od.order_id = o.order_id group by o.ship_country
-- right
select o.ship_country, count(distinct o.order_id) as orders from orders o
join order_details od on od.order_id = o.order_id group by o.ship_country

-- retail count_of_joined_rows: How many customers bought something online?
select count(*) from customers c join orders o on o.customer_id = c.customer_id where o.channel = 'web'
-- right
select count(*) from customers c
where exists (select 1 from orders o where o.customer_id = c.customer_id and o.channel = 'web')

-- chinook count_of_joined_rows: How many invoices does each customer have, also those without one?
select c.customer_id, count(*) as invoices from customer c
left join invoice i on i.customer_id = c.customer_id group by c.customer_id
-- right
select c.customer_id, count(i.invoice_id) as invoices from customer c
left join invoice i on i.customer_id = c.customer_id group by c.customer_id

-- retail count_of_values: How many customers ordered in 2025?
select count(o.customer_id) as customers from orders o where o.order_date >= date '2025-01-01'
-- right
select count(distinct o.customer_id) as customers from orders o where o.order_date >= date '2025-01-01'

-- northwind count_of_values: In how many countries do our customers live?
select count(country) as countries from customers
-- right
select count(distinct country) as countries from customers

-- chinook count_of_values: How many customers bought rock?
select count(*) from invoice where total > 5
-- right
select count(distinct customer_id) from invoice where total > 5

-- northwind count_of_values: How many employees have sold something?
select count(distinct e.last_name) as employees from employees e join orders o on o.employee_id = e.employee_id
-- right
select count(distinct e.employee_id) as employees from employees e join orders o on o.employee_id = e.employee_id

-- northwind average_of_averages: What is the average freight of an order?
select avg(x.f) from (select customer_id, avg(freight) as f from orders group by customer_id) x
-- right
select sum(x.f) / sum(x.n) from (select customer_id, sum(freight) as f, count(freight) as n from orders group by customer_id) x

-- chinook average_of_averages: What does an invoice amount to on average?
with m as (select date_trunc('month', invoice_date) as month, sum(total) / count(*) as average from invoice group by 1)
select round(avg(m.average), 2) from m
-- right
with m as (select date_trunc('month', invoice_date) as month, sum(total) as total from invoice group by 1)
select round(avg(m.total), 2) as average_month from m

-- northwind group_by_name: How many orders did each employee take?
select e.last_name, count(*) as orders from employees e join orders o on o.employee_id = e.employee_id group by e.last_name
-- right
select e.last_name, count(*) as orders from employees e join orders o on o.employee_id = e.employee_id
group by e.employee_id, e.last_name

-- chinook group_by_name: How often was each track sold?
select t.name, sum(il.quantity) as units from track t join invoice_line il on il.track_id = t.track_id group by t.name
-- right
select t.name, sum(il.quantity) as units from track t join invoice_line il on il.track_id = t.track_id
group by t.track_id, t.name

-- retail group_by_name: What did each customer spend?
select c.full_name, sum(i.line_total) as spent from customers c join orders o on o.customer_id = c.customer_id
join order_items i on i.order_id = o.order_id group by c.full_name
-- right
select c.segment, sum(i.line_total) as spent from customers c join orders o on o.customer_id = c.customer_id
join order_items i on i.order_id = o.order_id group by c.segment

-- northwind wrong_total: What share of the freight of 1997 went to each country?
select ship_country, sum(freight) / (select sum(freight) from orders) as share from orders
where order_date >= date '1997-01-01' and order_date < date '1998-01-01' group by ship_country
-- right
select ship_country, sum(freight) / (select sum(freight) from orders
where order_date < date '1998-01-01' and order_date >= date '1997-01-01') as share from orders
where order_date >= date '1997-01-01' and order_date < date '1998-01-01' group by ship_country

-- chinook wrong_total: What share of all sales does each country have?
select billing_country, 100.0 * sum(total) / sum(sum(total)) over (partition by billing_country) as percent
from invoice group by billing_country
-- right
select billing_country, 100.0 * sum(total) / sum(sum(total)) over () as percent
from invoice group by billing_country

-- retail wrong_total: What share of the revenue does each category have?
with total as (select sum(i.line_total) as amount from order_items i where i.discount_percent = 0)
select p.category, sum(i.line_total) / t.amount as share from order_items i
join products p on p.product_id = i.product_id cross join total t group by p.category, t.amount
-- right
with total as (select sum(i.line_total) as amount from order_items i)
select p.category, sum(i.line_total) / t.amount as share from order_items i
join products p on p.product_id = i.product_id cross join total t group by p.category, t.amount

-- retail wrong_total: What is the share of each brand within its category?
select p.category, p.brand, sum(i.line_total) / sum(sum(i.line_total)) over () as share
from order_items i join products p on p.product_id = i.product_id group by p.category, p.brand
-- right
select p.category, p.brand, sum(i.line_total) / sum(sum(i.line_total)) over (partition by p.category) as share
from order_items i join products p on p.product_id = i.product_id group by p.category, p.brand

-- visits time_zone_shift: How many visits were there on each day in Berlin?
select date_trunc('day', (v.started_at at time zone 'UTC') at time zone 'Europe/Berlin') as day, count(*) as visits
from visits v group by 1
-- right
select date_trunc('day', v.started_at at time zone 'Europe/Berlin') as day, count(*) as visits from visits v group by 1

-- visits time_zone_shift: How many visits began in each local hour?
select extract(hour from v.local_start at time zone 'Europe/Berlin') as hour, count(*) as visits from visits v group by 1
-- right
select extract(hour from v.local_start at time zone 'UTC' at time zone 'Europe/Berlin') as hour, count(*) as visits
from visits v group by 1

-- visits time_zone_shift: How many visits were there on each day?
select (v.started_at - interval '5 hours')::date as day, count(*) as visits from visits v group by 1
-- right
select (v.started_at at time zone 'America/New_York')::date as day, count(*) as visits from visits v group by 1

-- northwind self_join_direction: Who is the manager of each employee?
select e.last_name as employee, m.last_name as manager from employees e join employees m on m.reports_to = e.employee_id
-- right
select e.last_name as employee, m.last_name as manager from employees e join employees m on m.employee_id = e.reports_to

-- chinook self_join_direction: How many people report to each manager?
select e.employee_id, count(m.employee_id) as reports from employee e
left join employee m on e.reports_to = m.employee_id group by e.employee_id
-- right
select e.employee_id, count(m.employee_id) as reports from employee e
left join employee m on m.reports_to = e.employee_id group by e.employee_id

-- northwind other_date: What was the freight in 1997?
select sum(freight) as total_freight from orders where shipped_date >= date '1997-01-01' and shipped_date < date '1998-01-01'
-- right
select sum(freight) as total_freight from orders where order_date >= date '1997-01-01' and order_date < date '1998-01-01'

-- visits other_date: What was the income of each month?
select date_trunc('month', synced_at) as month, sum(fee) as income from visits group by 1
-- right
select date_trunc('month', started_at) as month, sum(fee) as income from visits group by 1

-- northwind joins_follow_model: Which customer placed which order?
select c.company_name, o.order_id from orders o join customers c on c.city = o.ship_city
-- right
select c.company_name, o.order_id from orders o join customers c on c.customer_id = o.customer_id and c.city = o.ship_city

-- chinook joins_follow_model: What has each customer paid?
select c.customer_id, sum(i.total) as paid from customer c join invoice i on i.invoice_id = c.customer_id group by c.customer_id
-- right
select c.customer_id, sum(i.total) as paid from customer c join invoice i on i.customer_id = c.customer_id group by c.customer_id

-- retail joins_follow_model: What does each store sell?
select s.store_name, sum(i.line_total) as revenue from order_items i join orders o on o.order_id = i.order_id
join stores s on s.store_id = o.customer_id group by s.store_name
-- right
select s.store_name, sum(i.line_total) as revenue from order_items i join orders o on o.order_id = i.order_id
join stores s on s.store_id = o.store_id group by s.store_name

-- hospital count_of_joined_rows: How many admissions with at least one surgery did each hospital have?
SELECT h.hospital_id, h.name, COUNT(*) AS admissions
FROM hospitals h
JOIN departments d ON d.hospital_id = h.hospital_id
JOIN admissions a ON a.department_id = d.department_id
JOIN treatments t ON t.admission_id = a.admission_id
JOIN procedures pr ON pr.procedure_code = t.procedure_code
WHERE pr.category = 'Surgery'
GROUP BY h.hospital_id, h.name
-- right
SELECT h.hospital_id, h.name, COUNT(DISTINCT a.admission_id) AS admissions
FROM hospitals h
JOIN departments d ON d.hospital_id = h.hospital_id
JOIN admissions a ON a.department_id = d.department_id
JOIN treatments t ON t.admission_id = a.admission_id
JOIN procedures pr ON pr.procedure_code = t.procedure_code
WHERE pr.category = 'Surgery'
GROUP BY h.hospital_id, h.name

-- subscriptions count_of_joined_rows: How many subscriptions are there in each tier, and what did they bring?
SELECT p.tier, COUNT(*) AS subscription_count, SUM(i.amount - i.tax) AS revenue
FROM plans p
JOIN subscriptions s USING (plan_id)
LEFT JOIN invoices i USING (subscription_id)
GROUP BY p.tier
-- right
SELECT p.tier, COUNT(DISTINCT s.subscription_id) AS subscription_count, SUM(i.amount - i.tax) AS revenue
FROM plans p
JOIN subscriptions s USING (plan_id)
LEFT JOIN invoices i USING (subscription_id)
GROUP BY p.tier

-- hospital count_of_joined_rows: How many patients from Graz were admitted in 2025?
WITH in_2025 AS (
  SELECT p.patient_id, p.city FROM patients p
  JOIN admissions a ON a.patient_id = p.patient_id
  WHERE a.admitted_at >= TIMESTAMPTZ '2025-01-01 00:00 Europe/Vienna'
    AND a.admitted_at < TIMESTAMPTZ '2026-01-01 00:00 Europe/Vienna'
)
SELECT COUNT(*) FROM in_2025 WHERE city = 'Graz'
-- right
WITH in_2025 AS (
  SELECT DISTINCT p.patient_id, p.city FROM patients p
  JOIN admissions a ON a.patient_id = p.patient_id
  WHERE a.admitted_at >= TIMESTAMPTZ '2025-01-01 00:00 Europe/Vienna'
    AND a.admitted_at < TIMESTAMPTZ '2026-01-01 00:00 Europe/Vienna'
)
SELECT COUNT(*) FROM in_2025 WHERE city = 'Graz'

-- hospital count_of_joined_rows: How many departments treat patients with each insurer?
with visits as (
  select i.name as insurer, d.department_id
  from insurers i join patients p using (insurer_id) join admissions a using (patient_id)
  join departments d on d.department_id = a.department_id
)
select insurer, count(*) as departments from visits group by insurer
-- right
with visits as (
  select i.name as insurer, d.department_id
  from insurers i join patients p using (insurer_id) join admissions a using (patient_id)
  join departments d on d.department_id = a.department_id
)
select insurer, count(distinct department_id) as departments from visits group by insurer

-- northwind count_of_joined_rows: How many orders contain a product of each category?
with lines as (select p.category_id, o.order_id from orders o join order_details od using (order_id) join products p using (product_id))
select category_id, count(*) as orders from lines group by category_id
-- right
with lines as (select p.category_id, o.order_id from orders o join order_details od using (order_id) join products p using (product_id))
select category_id, count(distinct order_id) as orders from lines group by category_id

-- subscriptions count_of_values: How many accounts got an invoice in 2025?
SELECT COUNT(s.account_id) AS accounts
FROM subscriptions s
WHERE EXISTS (SELECT 1 FROM invoices i WHERE i.subscription_id = s.subscription_id
              AND i.issued_on BETWEEN '2025-01-01' AND '2025-12-31')
-- right
SELECT COUNT(DISTINCT s.account_id) AS accounts
FROM subscriptions s
WHERE EXISTS (SELECT 1 FROM invoices i WHERE i.subscription_id = s.subscription_id
              AND i.issued_on BETWEEN '2025-01-01' AND '2025-12-31')

-- hospital count_of_values: How many different patients did each physician admit?
SELECT ph.physician_id, ph.full_name, COUNT(adm.patient_id) AS number_of_patients
FROM physicians ph LEFT JOIN admissions adm ON adm.physician_id = ph.physician_id
GROUP BY ph.physician_id, ph.full_name
-- right
SELECT ph.physician_id, ph.full_name, COUNT(DISTINCT adm.patient_id) AS number_of_patients
FROM physicians ph LEFT JOIN admissions adm ON adm.physician_id = ph.physician_id
GROUP BY ph.physician_id, ph.full_name

-- subscriptions count_of_values: How many agents answered tickets in April 2025?
with april as (
  select ticket_id, assigned_to from tickets
  where opened_at >= '2025-04-01' and opened_at < '2025-05-01'
)
select count(assigned_to) as agents from april
-- right
with april as (
  select ticket_id, assigned_to from tickets
  where opened_at >= '2025-04-01' and opened_at < '2025-05-01'
)
select count(distinct assigned_to) as agents from april

-- chinook count_of_values: How many customers bought something in 2024?
select count(i.customer_id) as number_of_customers from invoice i
where i.invoice_date >= '2024-01-01' and i.invoice_date < '2025-01-01'
-- right
select count(distinct i.customer_id) as number_of_customers from invoice i
where i.invoice_date >= '2024-01-01' and i.invoice_date < '2025-01-01'

-- hospital group_by_name: What did the treatments of each physician cost?
SELECT ph.full_name AS physician, SUM(t.cost) AS treatment_cost
FROM physicians ph
JOIN admissions a ON a.physician_id = ph.physician_id
JOIN treatments t ON t.admission_id = a.admission_id
GROUP BY ph.full_name ORDER BY treatment_cost DESC
-- right
SELECT ph.full_name AS physician, SUM(t.cost) AS treatment_cost
FROM physicians ph
JOIN admissions a ON a.physician_id = ph.physician_id
JOIN treatments t ON t.admission_id = a.admission_id
GROUP BY ph.physician_id, ph.full_name ORDER BY treatment_cost DESC

-- subscriptions group_by_name: Which users spent the most time in the service in 2025?
WITH usage AS (
  SELECT u.display_name, s.seconds FROM sessions s JOIN users u ON s.user_id = u.user_id
  WHERE s.started_at >= '2025-01-01 00:00+01' AND s.started_at < '2026-01-01 00:00+01'
)
SELECT display_name, SUM(seconds) AS seconds FROM usage GROUP BY 1 ORDER BY 2 DESC LIMIT 10
-- right
WITH usage AS (
  SELECT u.user_id, u.display_name, s.seconds FROM sessions s JOIN users u ON s.user_id = u.user_id
  WHERE s.started_at >= '2025-01-01 00:00+01' AND s.started_at < '2026-01-01 00:00+01'
)
SELECT display_name, SUM(seconds) AS seconds FROM usage GROUP BY user_id, 1 ORDER BY 2 DESC LIMIT 10

-- hospital group_by_name: How many admissions did each department have?
SELECT d.name AS department, COUNT(a.admission_id) AS admissions
FROM departments d LEFT JOIN admissions a ON a.department_id = d.department_id
GROUP BY d.name
-- right
SELECT h.name AS hospital, d.name AS department, COUNT(a.admission_id) AS admissions
FROM departments d JOIN hospitals h ON h.hospital_id = d.hospital_id
LEFT JOIN admissions a ON a.department_id = d.department_id
GROUP BY h.name, d.department_id, d.name

-- subscriptions group_by_name: How many tickets did each agent close?
with closed as (
  select t.ticket_id, ag.name as agent_name from tickets t join agents ag on ag.agent_id = t.assigned_to
  where t.closed_at is not null
)
select agent_name, count(ticket_id) as tickets from closed group by agent_name order by tickets desc
-- right
with closed as (
  select t.ticket_id, ag.agent_id, ag.name as agent_name from tickets t join agents ag on ag.agent_id = t.assigned_to
  where t.closed_at is not null
)
select agent_name, count(ticket_id) as tickets from closed group by agent_id, agent_name order by tickets desc

-- northwind group_by_name: What is the revenue of each employee?
with sales as (
  select e.last_name, od.unit_price * od.quantity * (1 - od.discount) as amount
  from employees e join orders o using (employee_id) join order_details od using (order_id)
)
select last_name, sum(amount) as revenue from sales group by last_name
-- right
with sales as (
  select e.employee_id, e.last_name, od.unit_price * od.quantity * (1 - od.discount) as amount
  from employees e join orders o using (employee_id) join order_details od using (order_id)
)
select last_name, sum(amount) as revenue from sales group by employee_id, last_name

-- chinook group_by_name: How many tracks are on each playlist?
select pl.name, count(pt.track_id) as tracks from playlist pl join playlist_track pt using (playlist_id) group by pl.name
-- right
select pl.name, count(pt.track_id) as tracks from playlist pl join playlist_track pt using (playlist_id) group by pl.playlist_id, pl.name

-- hospital wrong_total: What share of the treatment cost of its hospital does each department have, within each hospital?
WITH dept AS (
  SELECT d.hospital_id, d.department_id, d.name, SUM(t.cost) AS cost
  FROM treatments t JOIN admissions a USING (admission_id) JOIN departments d USING (department_id)
  GROUP BY d.hospital_id, d.department_id, d.name
)
SELECT hospital_id, department_id, name, 100.0 * cost / SUM(cost) OVER () AS percent FROM dept
-- right
WITH dept AS (
  SELECT d.hospital_id, d.department_id, d.name, SUM(t.cost) AS cost
  FROM treatments t JOIN admissions a USING (admission_id) JOIN departments d USING (department_id)
  GROUP BY d.hospital_id, d.department_id, d.name
)
SELECT hospital_id, department_id, name, 100.0 * cost / SUM(cost) OVER (PARTITION BY hospital_id) AS percent FROM dept

-- subscriptions wrong_total: What share of the European revenue of 2025 comes from each plan?
SELECT p.plan_id, p.name,
       SUM(i.amount - i.tax) / (SELECT SUM(x.amount - x.tax) FROM invoices x WHERE x.issued_on BETWEEN '2025-01-01' AND '2025-12-31') AS share
FROM invoices i
JOIN subscriptions s ON s.subscription_id = i.subscription_id
JOIN plans p ON p.plan_id = s.plan_id
JOIN accounts a ON a.account_id = s.account_id
JOIN countries c ON c.country_code = a.country_code
WHERE c.region = 'Europe' AND i.issued_on BETWEEN '2025-01-01' AND '2025-12-31'
GROUP BY p.plan_id, p.name
-- right
SELECT p.plan_id, p.name,
       SUM(i.amount - i.tax) / SUM(SUM(i.amount - i.tax)) OVER () AS share
FROM invoices i
JOIN subscriptions s ON s.subscription_id = i.subscription_id
JOIN plans p ON p.plan_id = s.plan_id
JOIN accounts a ON a.account_id = s.account_id
JOIN countries c ON c.country_code = a.country_code
WHERE c.region = 'Europe' AND i.issued_on BETWEEN '2025-01-01' AND '2025-12-31'
GROUP BY p.plan_id, p.name

-- hospital wrong_total: Which share of the surgery costs does each physician account for?
select a.physician_id,
       sum(t.cost) / (select sum(cost) from treatments) as share_of_costs
from treatments t
join admissions a on a.admission_id = t.admission_id
join procedures p on p.procedure_code = t.procedure_code
where p.category = 'Surgery'
group by a.physician_id
-- right
select a.physician_id,
       sum(t.cost) / (select sum(x.cost) from treatments x join procedures y using (procedure_code) where y.category = 'Surgery') as share_of_costs
from treatments t
join admissions a on a.admission_id = t.admission_id
join procedures p on p.procedure_code = t.procedure_code
where p.category = 'Surgery'
group by a.physician_id

-- subscriptions wrong_total: What share of revenue does each plan have in its tier?
with r as (
  select p.tier, p.plan_id, sum(i.amount - i.tax) as revenue
  from invoices i join subscriptions s using (subscription_id) join plans p using (plan_id) group by 1, 2
), total as (select sum(revenue) as revenue from r)
select r.tier, r.plan_id, r.revenue / total.revenue as share from r cross join total
-- right
with r as (
  select p.tier, p.plan_id, sum(i.amount - i.tax) as revenue
  from invoices i join subscriptions s using (subscription_id) join plans p using (plan_id) group by 1, 2
), total as (select tier, sum(revenue) as revenue from r group by tier)
select r.tier, r.plan_id, r.revenue / total.revenue as share from r join total using (tier)

-- northwind wrong_total: What share of the revenue in Germany does each category have?
select p.category_id, sum(od.unit_price * od.quantity) / (select sum(unit_price * quantity) from order_details) as share
from order_details od join orders o using (order_id) join customers c using (customer_id) join products p using (product_id)
where c.country = 'Germany' group by p.category_id
-- right
select p.category_id, sum(od.unit_price * od.quantity) / (select sum(x.unit_price * x.quantity) from order_details x join orders using (order_id) join customers d using (customer_id) where d.country = 'Germany') as share
from order_details od join orders o using (order_id) join customers c using (customer_id) join products p using (product_id)
where c.country = 'Germany' group by p.category_id

-- hospital self_join_direction: List each physician with the name of their supervisor
SELECT p.full_name AS physician, s.full_name AS supervisor
FROM physicians p LEFT JOIN physicians s ON s.supervisor_id = p.physician_id
ORDER BY p.full_name
-- right
SELECT p.full_name AS physician, s.full_name AS supervisor
FROM physicians p LEFT JOIN physicians s ON p.supervisor_id = s.physician_id
ORDER BY p.full_name

-- subscriptions self_join_direction: Who invited the users of account 12?
SELECT u.user_id, u.display_name, (SELECT inviter.display_name FROM users inviter
                                   WHERE inviter.invited_by = u.user_id) AS inviter_name
FROM users u WHERE u.account_id = 12
-- right
SELECT u.user_id, u.display_name, (SELECT inviter.display_name FROM users inviter
                                   WHERE inviter.user_id = u.invited_by) AS inviter_name
FROM users u WHERE u.account_id = 12

-- subscriptions self_join_direction: For each user, how many users did they invite?
select u.user_id, u.display_name, count(i.user_id) as invited_users
from users u left join users i on u.invited_by = i.user_id
group by u.user_id, u.display_name
-- right
select u.user_id, u.display_name, count(i.user_id) as invited_users
from users u left join users i on i.invited_by = u.user_id
group by u.user_id, u.display_name

-- northwind self_join_direction: How many people report to each employee?
select e.employee_id, e.last_name, (select count(*) from employees m where m.employee_id = e.reports_to) as direct_reports
from employees e
-- right
select e.employee_id, e.last_name, (select count(*) from employees m where m.reports_to = e.employee_id) as direct_reports
from employees e

-- hospital other_date: What did the treatments of March 2025 cost?
SELECT SUM(t.cost) AS treatment_cost
FROM treatments t
WHERE t.billed_on >= DATE '2025-03-01' AND t.billed_on < DATE '2025-04-01'
-- right
SELECT SUM(t.cost) AS treatment_cost
FROM treatments t
WHERE t.performed_on >= DATE '2025-03-01' AND t.performed_on < DATE '2025-04-01'

-- subscriptions other_date: What was the revenue of each month of 2025?
WITH net AS (
  SELECT to_char(inv.paid_on, 'YYYY-MM') AS month, inv.amount - inv.tax AS net_amount
  FROM invoices inv WHERE EXTRACT(YEAR FROM inv.paid_on) = 2025
)
SELECT month, SUM(net_amount) AS revenue FROM net GROUP BY month ORDER BY month
-- right
WITH net AS (
  SELECT to_char(inv.issued_on, 'YYYY-MM') AS month, inv.amount - inv.tax AS net_amount
  FROM invoices inv WHERE EXTRACT(YEAR FROM inv.issued_on) = 2025
)
SELECT month, SUM(net_amount) AS revenue FROM net GROUP BY month ORDER BY month

-- hospital other_date: Treatment cost of each quarter
with t as (select date_trunc('quarter', billed_on)::date as quarter, cost from treatments)
select quarter, sum(cost) as treatment_cost from t group by quarter order by quarter
-- right
with t as (select date_trunc('quarter', performed_on)::date as quarter, cost from treatments)
select quarter, sum(cost) as treatment_cost from t group by quarter order by quarter

-- northwind other_date: How many orders were there in each month of 1997?
with o as (select order_id, date_trunc('month', required_date) as month from orders where extract(year from required_date) = 1997)
select month, count(*) as orders from o group by month order by month
-- right
with o as (select order_id, date_trunc('month', order_date) as month from orders where extract(year from order_date) = 1997)
select month, count(*) as orders from o group by month order by month

-- subscriptions joins_follow_model: How many tickets does each agent handle?
SELECT ag.agent_id, ag.name, COUNT(t.ticket_id) AS tickets
FROM agents ag JOIN tickets t ON t.ticket_id = ag.agent_id
GROUP BY ag.agent_id, ag.name
-- right
SELECT ag.agent_id, ag.name, COUNT(t.ticket_id) AS tickets
FROM agents ag JOIN tickets t ON t.assigned_to = ag.agent_id
GROUP BY ag.agent_id, ag.name

-- hospital joins_follow_model: What did the treatments of each department cost?
WITH t AS (SELECT treatment_id AS id, admission_id, cost FROM treatments)
SELECT d.department_id, d.name, SUM(t.cost) AS treatment_cost
FROM t JOIN admissions a ON a.admission_id = t.id
JOIN departments d ON d.department_id = a.department_id
GROUP BY d.department_id, d.name
-- right
WITH t AS (SELECT treatment_id AS id, admission_id, cost FROM treatments)
SELECT d.department_id, d.name, SUM(t.cost) AS treatment_cost
FROM t JOIN admissions a ON a.admission_id = t.admission_id
JOIN departments d ON d.department_id = a.department_id
GROUP BY d.department_id, d.name

-- subscriptions joins_follow_model: Revenue by plan
select p.name, sum(i.amount - i.tax) as revenue
from invoices i join subscriptions s on s.account_id = i.subscription_id
join plans p on p.plan_id = s.plan_id group by p.plan_id, p.name
-- right
select p.name, sum(i.amount - i.tax) as revenue
from invoices i join subscriptions s on s.subscription_id = i.subscription_id
join plans p on p.plan_id = s.plan_id group by p.plan_id, p.name

-- hospital joins_follow_model: Which hospital does each physician work in?
select ph.full_name, h.name from physicians ph join departments d on d.hospital_id = ph.department_id
join hospitals h on h.hospital_id = d.hospital_id
-- right
select ph.full_name, h.name from physicians ph join departments d on d.department_id = ph.department_id
join hospitals h on h.hospital_id = d.hospital_id

-- chinook joins_follow_model: Revenue by genre
with l as (select invoice_line_id as id, track_id, unit_price * quantity as amount from invoice_line)
select g.name, sum(l.amount) as revenue from l join track t on t.track_id = l.id join genre g using (genre_id) group by g.genre_id, g.name
-- right
with l as (select invoice_line_id as id, track_id, unit_price * quantity as amount from invoice_line)
select g.name, sum(l.amount) as revenue from l join track t on t.track_id = l.track_id join genre g using (genre_id) group by g.genre_id, g.name
