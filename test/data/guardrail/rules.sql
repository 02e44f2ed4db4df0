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

-- hospital left_join_filtered: For every physician, how many treatments over 1000 euros did their admissions have in 2025? Include physicians without any.
WITH per_physician AS (
  SELECT p.physician_id, COUNT(t.treatment_id) AS big_treatments
  FROM physicians AS p
  LEFT JOIN admissions AS a USING (physician_id)
  LEFT JOIN treatments AS t USING (admission_id)
  WHERE t.cost > 1000 AND t.performed_on >= DATE '2025-01-01' AND t.performed_on < DATE '2026-01-01'
  GROUP BY p.physician_id
)
SELECT ph.physician_id, ph.full_name, pp.big_treatments
FROM physicians ph JOIN per_physician pp USING (physician_id)
ORDER BY ph.physician_id
-- right
WITH per_physician AS (
  SELECT p.physician_id, COUNT(t.treatment_id) AS big_treatments
  FROM physicians AS p
  LEFT JOIN admissions AS a USING (physician_id)
  LEFT JOIN treatments AS t ON t.admission_id = a.admission_id AND t.cost > 1000
    AND t.performed_on >= DATE '2025-01-01' AND t.performed_on < DATE '2026-01-01'
  GROUP BY p.physician_id
)
SELECT ph.physician_id, ph.full_name, pp.big_treatments
FROM physicians ph JOIN per_physician pp USING (physician_id)
ORDER BY ph.physician_id

-- subscriptions left_join_filtered: List all accounts with the last date on which they cancelled a subscription since 2025, also those that never did
SELECT acc.account_id, acc.company, lastc.last_cancel
FROM accounts acc
LEFT JOIN (
  SELECT account_id, MAX(cancelled_on) AS last_cancel FROM subscriptions GROUP BY 1
) lastc ON lastc.account_id = acc.account_id
WHERE lastc.last_cancel::date >= '2025-01-01'
ORDER BY acc.account_id
-- right
SELECT acc.account_id, acc.company, lastc.last_cancel
FROM accounts acc
LEFT JOIN (
  SELECT account_id, MAX(cancelled_on) AS last_cancel FROM subscriptions
  WHERE cancelled_on >= '2025-01-01' GROUP BY 1
) lastc ON lastc.account_id = acc.account_id
ORDER BY acc.account_id

-- subscriptions left_join_filtered: How many tickets did each agent get in March 2025? Show agents with zero too.
SELECT ag.agent_id, ag.name AS agent, COUNT(tk.ticket_id) AS tickets
FROM agents AS ag LEFT OUTER JOIN tickets AS tk ON ag.agent_id = tk.assigned_to
WHERE (tk.opened_at AT TIME ZONE 'Europe/Vienna')::date BETWEEN '2025-03-01' AND '2025-03-31'
GROUP BY ag.agent_id, ag.name
-- right
SELECT ag.agent_id, ag.name AS agent, COUNT(tk.ticket_id) AS tickets
FROM agents AS ag LEFT OUTER JOIN tickets AS tk ON ag.agent_id = tk.assigned_to
  AND (tk.opened_at AT TIME ZONE 'Europe/Vienna')::date BETWEEN '2025-03-01' AND '2025-03-31'
GROUP BY ag.agent_id, ag.name

-- subscriptions left_join_filtered: Revenue of every plan in 2025, including plans that sold nothing
select p.name, coalesce(sum(i.amount - i.tax), 0) as revenue
from plans p
left join subscriptions s on s.plan_id = p.plan_id
left join invoices i on i.subscription_id = s.subscription_id
where i.issued_on between '2025-01-01' and '2025-12-31'
group by p.plan_id, p.name
-- right
select p.name, coalesce(sum(i.amount - i.tax), 0) as revenue
from plans p
left join subscriptions s on s.plan_id = p.plan_id
left join invoices i on i.subscription_id = s.subscription_id
  and i.issued_on between '2025-01-01' and '2025-12-31'
group by p.plan_id, p.name

-- hospital left_join_filtered: List all departments with their urgent admissions, also departments without any
with a as (select admission_id, department_id, urgent from admissions)
select d.department_id, d.name, a.admission_id
from departments d left join a on a.department_id = d.department_id
where a.urgent = true
-- right
with a as (select admission_id, department_id, urgent from admissions)
select d.department_id, d.name, a.admission_id
from departments d left join a on a.department_id = d.department_id and a.urgent = true

-- chinook left_join_filtered: All customers with the number of their invoices over 10 dollars, with zero
select c.customer_id, count(i.invoice_id) as invoices
from customer c left join lateral (select * from invoice where invoice.customer_id = c.customer_id) i on true
where i.total > 10 group by c.customer_id
-- right
select c.customer_id, count(i.invoice_id) as invoices
from customer c left join lateral (select * from invoice where invoice.customer_id = c.customer_id and total > 10) i on true
group by c.customer_id

-- subscriptions limit_without_order: Which five plans have the most subscriptions?
WITH counts AS (
  SELECT plan_id, COUNT(*) AS subscriptions FROM subscriptions GROUP BY plan_id ORDER BY COUNT(*) DESC
)
SELECT p.name, c.subscriptions FROM counts c JOIN plans p ON p.plan_id = c.plan_id LIMIT 5
-- right
WITH counts AS (
  SELECT plan_id, COUNT(*) AS subscriptions FROM subscriptions GROUP BY plan_id
)
SELECT p.name, c.subscriptions FROM counts c JOIN plans p ON p.plan_id = c.plan_id
ORDER BY c.subscriptions DESC LIMIT 5

-- hospital limit_without_order: What was the first treatment of each urgent admission?
SELECT a.admission_id, first_t.procedure_code, first_t.performed_on
FROM admissions a
CROSS JOIN LATERAL (
  SELECT t.procedure_code, t.performed_on FROM treatments t WHERE t.admission_id = a.admission_id LIMIT 1
) AS first_t
WHERE a.urgent
-- right
SELECT a.admission_id, first_t.procedure_code, first_t.performed_on
FROM admissions a
CROSS JOIN LATERAL (
  SELECT t.procedure_code, t.performed_on FROM treatments t WHERE t.admission_id = a.admission_id
  ORDER BY t.performed_on, t.treatment_id LIMIT 1
) AS first_t
WHERE a.urgent

-- hospital limit_without_order: Which patient was admitted last?
select p.full_name, x.admitted_at
from (select patient_id, admitted_at from admissions order by admitted_at desc) x
join patients p on p.patient_id = x.patient_id
limit 1
-- right
select p.full_name, x.admitted_at
from admissions x
join patients p on p.patient_id = x.patient_id
order by x.admitted_at desc
limit 1

-- retail limit_without_order: Which ten customers spent the most?
with s as (select o.customer_id, sum(i.line_total) as spent, row_number() over (order by sum(i.line_total) desc) as n
           from orders o join order_items i using (order_id) where o.status = 'completed' group by o.customer_id)
select c.customer_id, c.full_name, s.spent from s join customers c using (customer_id) limit 10
-- right
with s as (select o.customer_id, sum(i.line_total) as spent, row_number() over (order by sum(i.line_total) desc) as n
           from orders o join order_items i using (order_id) where o.status = 'completed' group by o.customer_id)
select c.customer_id, c.full_name, s.spent from s join customers c using (customer_id) where s.n <= 10

-- hospital wrong_end: Which department had the highest occupancy in 2025?
SELECT department_id, name, occupancy FROM (
  SELECT d.department_id, d.name,
         SUM(b.beds_occupied)::numeric / NULLIF(SUM(b.beds_total), 0) AS occupancy,
         ROW_NUMBER() OVER (ORDER BY SUM(b.beds_occupied)::numeric / NULLIF(SUM(b.beds_total), 0) ASC) AS rn
  FROM bed_census b JOIN departments d ON d.department_id = b.department_id
  WHERE b.census_date BETWEEN '2025-01-01' AND '2025-12-31'
  GROUP BY d.department_id, d.name
) ranked WHERE rn = 1
-- right
SELECT department_id, name, occupancy FROM (
  SELECT d.department_id, d.name,
         SUM(b.beds_occupied)::numeric / NULLIF(SUM(b.beds_total), 0) AS occupancy,
         ROW_NUMBER() OVER (ORDER BY SUM(b.beds_occupied)::numeric / NULLIF(SUM(b.beds_total), 0) DESC NULLS LAST) AS rn
  FROM bed_census b JOIN departments d ON d.department_id = b.department_id
  WHERE b.census_date BETWEEN '2025-01-01' AND '2025-12-31'
  GROUP BY d.department_id, d.name
) ranked WHERE rn = 1

-- hospital wrong_end: Who are the three patients with the most days in bed?
SELECT p.patient_id, p.full_name, SUM(a.bed_days) AS days_in_bed
FROM patients p INNER JOIN admissions a USING (patient_id)
GROUP BY p.patient_id, p.full_name
ORDER BY 3
LIMIT 3
-- right
SELECT p.patient_id, p.full_name, SUM(a.bed_days) AS days_in_bed
FROM patients p INNER JOIN admissions a USING (patient_id)
GROUP BY p.patient_id, p.full_name
ORDER BY 3 DESC
LIMIT 3

-- subscriptions wrong_end: What are the three least popular plans by number of subscriptions?
SELECT pl.plan_id, pl.name, COUNT(s.subscription_id) AS subscriptions
FROM plans pl LEFT JOIN subscriptions s ON s.plan_id = pl.plan_id
GROUP BY pl.plan_id, pl.name
ORDER BY COUNT(s.subscription_id) DESC, pl.name
FETCH FIRST 3 ROWS ONLY
-- right
SELECT pl.plan_id, pl.name, COUNT(s.subscription_id) AS subscriptions
FROM plans pl LEFT JOIN subscriptions s ON s.plan_id = pl.plan_id
GROUP BY pl.plan_id, pl.name
ORDER BY COUNT(s.subscription_id), pl.name
FETCH FIRST 3 ROWS ONLY

-- subscriptions wrong_end: Which region has the largest recurring revenue today?
with today as (
  select c.region, sum(m.mrr) as mrr
  from mrr_snapshots m join accounts a on a.account_id = m.account_id
  join countries c on c.country_code = a.country_code
  where m.snapshot_date = current_date
  group by c.region
), ranked as (
  select region, mrr, rank() over (order by mrr) as place from today
)
select region, mrr from ranked where place = 1
-- right
with today as (
  select c.region, sum(m.mrr) as mrr
  from mrr_snapshots m join accounts a on a.account_id = m.account_id
  join countries c on c.country_code = a.country_code
  where m.snapshot_date = current_date
  group by c.region
), ranked as (
  select region, mrr, rank() over (order by mrr desc) as place from today
)
select region, mrr from ranked where place = 1

-- hospital wrong_end: When was the most recent treatment of admission 5?
select t.treatment_id, t.performed_on from treatments t where t.admission_id = 5 order by t.performed_on limit 1
-- right
select t.treatment_id, t.performed_on from treatments t where t.admission_id = 5 order by t.performed_on desc limit 1

-- retail wrong_end: Which store sold least in 2025?
with s as (
  select o.store_id, sum(i.line_total) as revenue from orders o join order_items i using (order_id)
  where o.status = 'completed' and o.order_date >= '2025-01-01' group by o.store_id)
select st.store_name, s.revenue from s join stores st using (store_id) order by s.revenue desc nulls last limit 1
-- right
with s as (
  select o.store_id, sum(i.line_total) as revenue from orders o join order_items i using (order_id)
  where o.status = 'completed' and o.order_date >= '2025-01-01' group by o.store_id)
select st.store_name, s.revenue from s join stores st using (store_id) order by s.revenue asc nulls last limit 1

-- subscriptions union_loses_rows: What is the total invoiced amount of the first and the third quarter of 2025?
SELECT SUM(q.amount) AS total_amount
FROM (
  SELECT i.amount FROM invoices i WHERE i.issued_on >= '2025-01-01' AND i.issued_on < '2025-04-01'
  UNION
  SELECT i.amount FROM invoices i WHERE i.issued_on >= '2025-07-01' AND i.issued_on < '2025-10-01'
) AS q
-- right
SELECT SUM(q.amount) AS total_amount
FROM (
  SELECT i.amount FROM invoices i WHERE i.issued_on >= '2025-01-01' AND i.issued_on < '2025-04-01'
  UNION ALL
  SELECT i.amount FROM invoices i WHERE i.issued_on >= '2025-07-01' AND i.issued_on < '2025-10-01'
) AS q

-- hospital union_loses_rows: How many admissions and how many treatments were there on each day?
WITH events AS (
  SELECT 'admission' AS kind, (admitted_at AT TIME ZONE 'Europe/Vienna')::date AS day FROM admissions
  UNION
  SELECT 'treatment', performed_on FROM treatments
)
SELECT day, COUNT(*) FILTER (WHERE kind = 'admission') AS admissions,
       COUNT(*) FILTER (WHERE kind = 'treatment') AS treatments
FROM events GROUP BY day ORDER BY day
-- right
WITH events AS (
  SELECT 'admission' AS kind, (admitted_at AT TIME ZONE 'Europe/Vienna')::date AS day FROM admissions
  UNION ALL
  SELECT 'treatment', performed_on FROM treatments
)
SELECT day, COUNT(*) FILTER (WHERE kind = 'admission') AS admissions,
       COUNT(*) FILTER (WHERE kind = 'treatment') AS treatments
FROM events GROUP BY day ORDER BY day

-- hospital union_loses_rows: What is the average cost of treatments that are either long or expensive category ones?
select avg(cost) as average_cost from (
  select cost from treatments where minutes > 60
  union
  select t.cost from treatments t join procedures p on p.procedure_code = t.procedure_code where p.category = 'Surgery'
) u
-- right
select avg(cost) as average_cost from (
  select treatment_id, cost from treatments where minutes > 60
  union
  select t.treatment_id, t.cost from treatments t join procedures p on p.procedure_code = t.procedure_code where p.category = 'Surgery'
) u

-- retail union_loses_rows: Total of quantities of web orders and of store orders
with q as (select i.quantity from order_items i join orders o using (order_id) where o.channel = 'web'
           union select i.quantity from order_items i join orders o using (order_id) where o.channel = 'store')
select sum(quantity) as units from q
-- right
with q as (select i.quantity from order_items i join orders o using (order_id) where o.channel = 'web'
           union all select i.quantity from order_items i join orders o using (order_id) where o.channel = 'store')
select sum(quantity) as units from q

-- hospital not_in_null: Which physicians have never referred a patient?
SELECT ph.physician_id, ph.full_name
FROM physicians ph
WHERE ph.physician_id NOT IN (SELECT pt.referring_physician_id FROM patients pt)
-- right
SELECT ph.physician_id, ph.full_name
FROM physicians ph
WHERE ph.physician_id NOT IN (SELECT pt.referring_physician_id FROM patients pt
                              WHERE pt.referring_physician_id IS NOT NULL)

-- subscriptions not_in_null: Which users have never opened a ticket?
SELECT u.user_id, u.display_name FROM users AS u
WHERE u.user_id <> ALL (SELECT t.opened_by FROM tickets AS t)
-- right
SELECT u.user_id, u.display_name FROM users AS u
WHERE NOT EXISTS (SELECT 1 FROM tickets AS t WHERE t.opened_by = u.user_id)

-- hospital not_in_null: How many admissions were not continued by a transfer?
WITH continued AS (SELECT DISTINCT transfer_from_id AS admission_id FROM admissions)
SELECT COUNT(*) AS admissions FROM admissions a
WHERE NOT (a.admission_id IN (SELECT c.admission_id FROM continued c))
-- right
WITH continued AS (SELECT DISTINCT transfer_from_id AS admission_id FROM admissions WHERE transfer_from_id > 0)
SELECT COUNT(*) AS admissions FROM admissions a
WHERE NOT (a.admission_id IN (SELECT c.admission_id FROM continued c))

-- subscriptions not_in_null: Which accounts have no subsidiaries?
select a.account_id, a.company from accounts a
where a.account_id not in (select distinct b.parent_account_id from accounts b)
-- right
select a.account_id, a.company from accounts a
where a.account_id not in (select distinct b.parent_account_id from accounts b where b.parent_account_id is not null)

-- hospital not_in_null: How many insurers insure none of our patients?
select count(*) as insurers from insurers i
where i.insurer_id not in (select p.insurer_id from patients p left join admissions a using (patient_id))
-- right
select count(*) as insurers from insurers i
left join patients p on p.insurer_id = i.insurer_id
where p.patient_id is null

-- subscriptions integer_division: What share of the tickets of each account was closed within a day?
SELECT t.account_id,
       COUNT(*) FILTER (WHERE t.closed_at - t.opened_at <= INTERVAL '1 day') / COUNT(*) AS share_within_a_day
FROM tickets t GROUP BY t.account_id
-- right
SELECT t.account_id,
       COUNT(*) FILTER (WHERE t.closed_at - t.opened_at <= INTERVAL '1 day')::numeric / COUNT(*) AS share_within_a_day
FROM tickets t GROUP BY t.account_id

-- hospital integer_division: What percentage of the beds was occupied in each department in June 2025?
WITH june AS (
  SELECT department_id, SUM(beds_occupied) AS occupied, SUM(beds_total) AS total
  FROM bed_census WHERE census_date >= '2025-06-01' AND census_date < '2025-07-01'
  GROUP BY department_id
)
SELECT department_id, ROUND(occupied / NULLIF(total, 0) * 100.0, 1) AS percent_occupied FROM june
-- right
WITH june AS (
  SELECT department_id, SUM(beds_occupied) AS occupied, SUM(beds_total) AS total
  FROM bed_census WHERE census_date >= '2025-06-01' AND census_date < '2025-07-01'
  GROUP BY department_id
)
SELECT department_id, ROUND(100.0 * occupied / NULLIF(total, 0), 1) AS percent_occupied FROM june

-- subscriptions integer_division: What is the average number of sessions per active user?
select count(session_id) / count(distinct user_id) as sessions_per_user from sessions
-- right
select count(session_id) / nullif(count(distinct user_id), 0)::float as sessions_per_user from sessions

-- hospital integer_division: How many hours does a treatment take in each category?
with m as (
  select p.category, sum(t.minutes) as minutes, count(*) as n
  from treatments t join procedures p using (procedure_code) group by 1
)
select category, cast(minutes / n as numeric) / 60 as hours from m
-- right
with m as (
  select p.category, sum(t.minutes) as minutes, count(*) as n
  from treatments t join procedures p using (procedure_code) group by 1
)
select category, cast(minutes as numeric) / n / 60 as hours from m

-- chinook integer_division: What share of the tracks has no composer?
select sum(case when composer is null then 1 else 0 end) / count(*) as share from track
-- right
select sum(case when composer is null then 1.0 else 0 end) / count(*) as share from track

-- hospital metric_name: What is the treatment cost of each category of procedures?
SELECT pr.category, SUM(tr.cost * tr.minutes) AS treatment_cost
FROM treatments tr JOIN procedures pr USING (procedure_code)
GROUP BY pr.category
-- right
SELECT pr.category, SUM(tr.cost) AS treatment_cost
FROM treatments tr JOIN procedures pr USING (procedure_code)
GROUP BY pr.category

-- subscriptions metric_name: What is the ARPA of each plan?
WITH billed AS (
  SELECT s.plan_id, i.amount - i.tax AS net FROM invoices i
  JOIN subscriptions s ON s.subscription_id = i.subscription_id
)
SELECT p.plan_id, p.name, AVG(b.net) AS arpa
FROM billed b JOIN plans p ON p.plan_id = b.plan_id GROUP BY p.plan_id, p.name
-- right
WITH billed AS (
  SELECT s.plan_id, s.account_id, i.amount - i.tax AS net FROM invoices i
  JOIN subscriptions s ON s.subscription_id = i.subscription_id
)
SELECT p.plan_id, p.name, SUM(b.net) / NULLIF(COUNT(DISTINCT b.account_id), 0) AS arpa
FROM billed b JOIN plans p ON p.plan_id = b.plan_id GROUP BY p.plan_id, p.name

-- hospital metric_name: What was the occupancy of each hospital in 2025?
SELECT h.name AS hospital, AVG(bc.beds_occupied::numeric / NULLIF(bc.beds_total, 0)) AS occupancy
FROM bed_census bc
JOIN departments d ON d.department_id = bc.department_id
JOIN hospitals h ON h.hospital_id = d.hospital_id
WHERE EXTRACT(YEAR FROM bc.census_date) = 2025
GROUP BY h.name
-- right
SELECT h.name AS hospital, SUM(bc.beds_occupied) * 1.0 / NULLIF(SUM(bc.beds_total), 0) AS occupancy
FROM bed_census bc
JOIN departments d ON d.department_id = bc.department_id
JOIN hospitals h ON h.hospital_id = d.hospital_id
WHERE EXTRACT(YEAR FROM bc.census_date) = 2025
GROUP BY h.name

-- subscriptions metric_name: Revenue by tier
select p.tier, sum(i.amount) as revenue
from invoices i join subscriptions s using (subscription_id) join plans p using (plan_id)
group by p.tier
-- right
select p.tier, sum(i.amount) - sum(i.tax) as revenue
from invoices i join subscriptions s using (subscription_id) join plans p using (plan_id)
group by p.tier

-- hospital metric_name: Average stay of each physician
select physician_id, round(avg(extract(epoch from discharged_at - admitted_at)) / 86400, 1) as average_stay
from admissions group by physician_id
-- right
select physician_id, round(sum(bed_days) * 1.0 / count(admission_id), 1) as average_stay
from admissions group by physician_id

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

-- hospital average_of_averages: What does a treatment cost on average?
WITH by_category AS (
  SELECT p.category, AVG(t.cost) AS avg_cost
  FROM treatments t INNER JOIN procedures p ON p.procedure_code = t.procedure_code
  GROUP BY p.category
)
SELECT ROUND(AVG(avg_cost), 2) AS average_cost FROM by_category
-- right
WITH by_category AS (
  SELECT p.category, SUM(t.cost) AS total_cost, COUNT(t.cost) AS n
  FROM treatments t INNER JOIN procedures p ON p.procedure_code = t.procedure_code
  GROUP BY p.category
)
SELECT ROUND(SUM(total_cost) / SUM(n), 2) AS average_cost FROM by_category

-- subscriptions average_of_averages: How long is a session on average in each region?
SELECT c.region, AVG(per_user.avg_seconds) AS average_seconds
FROM (
  SELECT se.user_id, SUM(se.seconds) * 1.0 / COUNT(*) AS avg_seconds FROM sessions se GROUP BY se.user_id
) per_user
JOIN users u ON u.user_id = per_user.user_id
JOIN accounts a ON a.account_id = u.account_id
JOIN countries c ON c.country_code = a.country_code
GROUP BY c.region
-- right
SELECT c.region, SUM(per_user.seconds) * 1.0 / SUM(per_user.n) AS average_seconds
FROM (
  SELECT se.user_id, SUM(se.seconds) AS seconds, COUNT(*) AS n FROM sessions se GROUP BY se.user_id
) per_user
JOIN users u ON u.user_id = per_user.user_id
JOIN accounts a ON a.account_id = u.account_id
JOIN countries c ON c.country_code = a.country_code
GROUP BY c.region

-- hospital average_of_averages: How long is the average stay in 2025?
select avg(m.avg_days) as average_days
from (
  select date_trunc('month', admitted_at at time zone 'Europe/Vienna') as month, avg(bed_days) as avg_days
  from admissions where admitted_at >= '2025-01-01' and admitted_at < '2026-01-01' group by 1
) m
-- right
select avg(m.days) as average_days_per_month
from (
  select date_trunc('month', admitted_at at time zone 'Europe/Vienna') as month, sum(bed_days) as days
  from admissions where admitted_at >= '2025-01-01' and admitted_at < '2026-01-01' group by 1
) m

-- chinook average_of_averages: What is the average length of a track in seconds?
with g as (select genre_id, avg(milliseconds) / 1000 as seconds from track group by genre_id)
select avg(seconds) as average_seconds from g
-- right
select avg(milliseconds) / 1000 as average_seconds from track

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

-- subscriptions time_zone_shift: How many sessions started on each day, in Vienna time?
SELECT (s.started_at AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Vienna')::date AS day, COUNT(*) AS sessions
FROM sessions s GROUP BY 1 ORDER BY 1
-- right
SELECT (s.started_at AT TIME ZONE 'Europe/Vienna')::date AS day, COUNT(*) AS sessions
FROM sessions s GROUP BY 1 ORDER BY 1

-- hospital time_zone_shift: How many treatments were performed on each day in Vienna?
SELECT date_trunc('day', t.performed_on AT TIME ZONE 'Europe/Vienna') AS day, COUNT(*) AS treatments
FROM treatments t GROUP BY date_trunc('day', t.performed_on AT TIME ZONE 'Europe/Vienna')
-- right
SELECT date_trunc('day', t.performed_on) AS day, COUNT(*) AS treatments
FROM treatments t GROUP BY date_trunc('day', t.performed_on)

-- hospital time_zone_shift: At which hour of the day are most patients admitted in Vienna?
WITH local AS (
  SELECT timezone('Europe/Vienna', timezone('UTC', a.admitted_at)) AS local_time FROM admissions a
)
SELECT EXTRACT(HOUR FROM local_time) AS hour, COUNT(*) AS admissions FROM local
GROUP BY 1 ORDER BY admissions DESC LIMIT 1
-- right
WITH local AS (
  SELECT timezone('Europe/Vienna', a.admitted_at) AS local_time FROM admissions a
)
SELECT EXTRACT(HOUR FROM local_time) AS hour, COUNT(*) AS admissions FROM local
GROUP BY 1 ORDER BY admissions DESC LIMIT 1

-- subscriptions time_zone_shift: How many sessions start in each hour of the user's clock?
select extract(hour from local_started at time zone 'Europe/Vienna') as hour, count(*) as sessions
from sessions group by 1
-- right
select extract(hour from local_started) as hour, count(*) as sessions
from sessions group by 1

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

-- shipping left_join_filtered: How many containers did each customer book in 2025? Also customers with none.
SELECT c.customer_id, c.customer_name, COALESCE(SUM(b.containers), 0) AS containers
FROM sea.customers c LEFT JOIN sea.bookings b ON b.customer_id = c.customer_id
WHERE date_part('year', b.booked_on) = 2025
GROUP BY c.customer_id, c.customer_name
-- right
SELECT c.customer_id, c.customer_name, COALESCE(SUM(b.containers) FILTER (WHERE date_part('year', b.booked_on) = 2025), 0) AS containers
FROM sea.customers c LEFT JOIN sea.bookings b ON b.customer_id = c.customer_id
GROUP BY c.customer_id, c.customer_name

-- shipping limit_without_order: What are the longest ten legs?
WITH l AS (SELECT leg_id, miles, RANK() OVER (ORDER BY miles DESC) AS place FROM sea.legs)
SELECT leg_id, miles FROM l LIMIT 10
-- right
WITH l AS (SELECT leg_id, miles, RANK() OVER (ORDER BY miles DESC) AS place FROM sea.legs)
SELECT leg_id, miles FROM l WHERE place <= 10

-- shipping wrong_end: Which vessel has the smallest capacity?
SELECT vessel_name, capacity FROM sea.vessels ORDER BY capacity DESC NULLS LAST LIMIT 1
-- right
SELECT vessel_name, capacity FROM sea.vessels ORDER BY capacity NULLS LAST LIMIT 1

-- shipping wrong_end: Show the latest booking of each customer
SELECT DISTINCT ON (b.customer_id) b.customer_id, b.booking_id, b.booked_on
FROM sea.bookings b ORDER BY b.customer_id, b.booked_on
-- right
SELECT DISTINCT ON (b.customer_id) b.customer_id, b.booking_id, b.booked_on
FROM sea.bookings b ORDER BY b.customer_id, b.booked_on DESC

-- shipping union_loses_rows: How many containers were booked or are empty in stock today?
SELECT SUM(n) AS containers FROM (
  SELECT containers AS n FROM sea.bookings WHERE status = 'open'
  UNION
  SELECT empty_containers FROM sea.port_stock WHERE day = CURRENT_DATE) x
-- right
SELECT SUM(n) AS containers FROM (
  SELECT containers AS n FROM sea.bookings WHERE status = 'open'
  UNION ALL
  SELECT empty_containers FROM sea.port_stock WHERE day = CURRENT_DATE) x

-- shipping not_in_null: Which legs have no following leg?
SELECT l.leg_id FROM sea.legs l WHERE l.leg_id NOT IN (SELECT n.previous_leg_id FROM sea.legs n WHERE n.vessel_id = l.vessel_id)
-- right
SELECT l.leg_id FROM sea.legs l LEFT JOIN sea.legs n ON n.previous_leg_id = l.leg_id WHERE n.leg_id IS NULL

-- shipping integer_division: How full is each leg?
WITH booked AS (SELECT leg_id, SUM(containers)::int AS booked FROM sea.bookings GROUP BY leg_id)
SELECT l.leg_id, COALESCE(b.booked, 0) / NULLIF(v.capacity, 0) AS load_factor
FROM sea.legs l JOIN sea.vessels v USING (vessel_id) LEFT JOIN booked b USING (leg_id)
-- right
WITH booked AS (SELECT leg_id, SUM(containers)::int AS booked FROM sea.bookings GROUP BY leg_id)
SELECT l.leg_id, COALESCE(b.booked, 0)::float8 / NULLIF(v.capacity, 0) AS load_factor
FROM sea.legs l JOIN sea.vessels v USING (vessel_id) LEFT JOIN booked b USING (leg_id)

-- shipping metric_name: Containers per booking of each customer
SELECT customer_id, MAX(containers) AS containers_per_booking FROM sea.bookings GROUP BY customer_id
-- right
SELECT customer_id, AVG(containers) AS containers_per_booking FROM sea.bookings GROUP BY customer_id

-- shipping count_of_joined_rows: How many bookings were charged for storage or customs?
SELECT COUNT(*) AS bookings FROM sea.bookings b INNER JOIN sea.charges ch ON ch.booking_id = b.booking_id
WHERE ch.kind IN ('storage', 'customs')
-- right
SELECT COUNT(*) AS bookings FROM sea.bookings b
WHERE EXISTS (SELECT 1 FROM sea.charges ch WHERE ch.booking_id = b.booking_id AND ch.kind IN ('storage', 'customs'))

-- shipping count_of_joined_rows: How many vessels called at each port in 2025?
SELECT p.port_id, p.name, COUNT(*) AS vessels
FROM sea.ports p JOIN sea.legs l ON l.to_port_id = p.port_id JOIN sea.vessels v ON v.vessel_id = l.vessel_id
WHERE l.arrived_at >= '2025-01-01' AND l.arrived_at < '2026-01-01' GROUP BY p.port_id, p.name
-- right
SELECT p.port_id, p.name, COUNT(DISTINCT v.vessel_id) AS vessels
FROM sea.ports p JOIN sea.legs l ON l.to_port_id = p.port_id JOIN sea.vessels v ON v.vessel_id = l.vessel_id
WHERE l.arrived_at >= '2025-01-01' AND l.arrived_at < '2026-01-01' GROUP BY p.port_id, p.name

-- shipping count_of_values: How many customers booked on each leg?
WITH b AS (SELECT * FROM sea.bookings WHERE status <> 'cancelled')
SELECT leg_id, COUNT(customer_id) AS customers FROM b GROUP BY leg_id
-- right
WITH b AS (SELECT * FROM sea.bookings WHERE status <> 'cancelled')
SELECT leg_id, COUNT(DISTINCT customer_id) AS customers FROM b GROUP BY leg_id

-- shipping average_of_averages: What is the average charge?
SELECT ROUND(AVG(k.average), 2) AS average_charge FROM (SELECT kind, AVG(amount)::numeric(12, 2) AS average FROM sea.charges GROUP BY kind) k
-- right
SELECT ROUND(AVG(amount), 2) AS average_charge FROM sea.charges

-- shipping group_by_name: How many legs ended in each port?
SELECT p.name AS port, COUNT(l.leg_id) AS legs FROM sea.legs l JOIN sea.ports p ON p.port_id = l.to_port_id GROUP BY p.name
-- right
SELECT p.country_iso, p.name AS port, COUNT(l.leg_id) AS legs FROM sea.legs l JOIN sea.ports p ON p.port_id = l.to_port_id GROUP BY p.country_iso, p.name

-- shipping group_by_name: Which customer was charged most?
WITH c AS (SELECT cu.customer_name, ch.amount FROM sea.charges ch JOIN sea.bookings b USING (booking_id) JOIN sea.customers cu USING (customer_id)),
t AS (SELECT customer_name, SUM(amount) AS charged FROM c GROUP BY customer_name)
SELECT customer_name, charged FROM t ORDER BY charged DESC LIMIT 1
-- right
WITH c AS (SELECT cu.customer_id, cu.customer_name, ch.amount FROM sea.charges ch JOIN sea.bookings b USING (booking_id) JOIN sea.customers cu USING (customer_id)),
t AS (SELECT customer_id, customer_name, SUM(amount) AS charged FROM c GROUP BY customer_id, customer_name)
SELECT customer_name, charged FROM t ORDER BY charged DESC LIMIT 1

-- shipping wrong_total: Percentage of the storage charges by customer
SELECT b.customer_id, 100 * SUM(ch.amount) / (SELECT SUM(amount) FROM sea.charges) AS percent
FROM sea.charges ch JOIN sea.bookings b USING (booking_id) WHERE ch.kind = 'storage' GROUP BY b.customer_id
-- right
SELECT b.customer_id, 100 * SUM(ch.amount) / (SELECT SUM(amount) FROM sea.charges WHERE kind = 'storage') AS percent
FROM sea.charges ch JOIN sea.bookings b USING (booking_id) WHERE ch.kind = 'storage' GROUP BY b.customer_id

-- shipping time_zone_shift: Departures by hour in Hamburg
SELECT EXTRACT(HOUR FROM l.departed_at + INTERVAL '1 hour') AS hour, COUNT(*) AS departures
FROM sea.legs l JOIN sea.ports p ON p.port_id = l.from_port_id WHERE p.name = 'Hamburg' GROUP BY 1
-- right
SELECT EXTRACT(HOUR FROM l.departed_at AT TIME ZONE p.time_zone) AS hour, COUNT(*) AS departures
FROM sea.legs l JOIN sea.ports p ON p.port_id = l.from_port_id WHERE p.name = 'Hamburg' GROUP BY 1

-- shipping self_join_direction: For each leg, the miles of the previous leg
SELECT l.leg_id, l.miles, previous.miles AS previous_miles
FROM sea.legs l LEFT JOIN sea.legs previous ON previous.previous_leg_id = l.leg_id
-- right
SELECT l.leg_id, l.miles, previous.miles AS previous_miles
FROM sea.legs l LEFT JOIN sea.legs previous ON previous.leg_id = l.previous_leg_id

-- shipping other_date: What was charged in each month of 2025?
SELECT to_char(ch.paid_on, 'YYYY-MM') AS month, SUM(ch.amount) AS charged_amount
FROM sea.charges ch WHERE ch.paid_on BETWEEN '2025-01-01' AND '2025-12-31' GROUP BY 1
-- right
SELECT to_char(ch.invoiced_on, 'YYYY-MM') AS month, SUM(ch.amount) AS charged_amount
FROM sea.charges ch WHERE ch.invoiced_on BETWEEN '2025-01-01' AND '2025-12-31' GROUP BY 1

-- shipping joins_follow_model: What was charged on each vessel?
SELECT v.vessel_id, v.vessel_name, SUM(ch.amount) AS charged_amount
FROM sea.charges ch JOIN sea.bookings b ON b.booking_id = ch.booking_id
JOIN sea.legs l ON l.leg_id = b.booking_id JOIN sea.vessels v ON v.vessel_id = l.vessel_id
GROUP BY v.vessel_id, v.vessel_name
-- right
SELECT v.vessel_id, v.vessel_name, SUM(ch.amount) AS charged_amount
FROM sea.charges ch JOIN sea.bookings b ON b.booking_id = ch.booking_id
JOIN sea.legs l ON l.leg_id = b.leg_id JOIN sea.vessels v ON v.vessel_id = l.vessel_id
GROUP BY v.vessel_id, v.vessel_name

-- shipping joins_follow_model: Empty containers in the ports of each continent today
SELECT co.continent, SUM(s.empty_containers) AS empty_containers
FROM sea.port_stock s JOIN sea.ports p ON p.port_id = s.empty_containers JOIN sea.countries co ON co.iso = p.country_iso
WHERE s.day = CURRENT_DATE GROUP BY co.continent
-- right
SELECT co.continent, SUM(s.empty_containers) AS empty_containers
FROM sea.port_stock s JOIN sea.ports p ON p.port_id = s.port_id JOIN sea.countries co ON co.iso = p.country_iso
WHERE s.day = CURRENT_DATE GROUP BY co.continent

-- hospital union_loses_rows: How many entries, admissions and treatments, does the file have for each day?
WITH entries AS (
  SELECT (admitted_at AT TIME ZONE 'Europe/Vienna')::date AS day FROM admissions
  UNION
  SELECT performed_on FROM treatments
)
SELECT day, COUNT(*) AS entries FROM entries GROUP BY day ORDER BY day
-- right
WITH entries AS (
  SELECT (admitted_at AT TIME ZONE 'Europe/Vienna')::date AS day FROM admissions
  UNION ALL
  SELECT performed_on FROM treatments
)
SELECT day, COUNT(*) AS entries FROM entries GROUP BY day ORDER BY day

-- shipping union_loses_rows: How often was something booked or loaded on each day?
SELECT x.day, COUNT(*) AS times FROM (SELECT booked_on AS day FROM sea.bookings UNION SELECT loaded_on FROM sea.bookings) x GROUP BY x.day
-- right
SELECT x.day, COUNT(*) AS times FROM (SELECT booked_on AS day FROM sea.bookings UNION ALL SELECT loaded_on FROM sea.bookings) x GROUP BY x.day

-- subscriptions count_of_values: How many accounts opened a ticket in May 2025?
SELECT COUNT(t.account_id) AS complaining_accounts FROM tickets t
WHERE t.opened_at >= '2025-05-01' AND t.opened_at < '2025-06-01'
-- right
SELECT COUNT(DISTINCT t.account_id) AS complaining_accounts FROM tickets t
WHERE t.opened_at >= '2025-05-01' AND t.opened_at < '2025-06-01'

-- shipping count_of_values: How many customers have cancelled a booking?
SELECT COUNT(*) AS cancelling_customers FROM sea.bookings b WHERE b.status = 'cancelled'
-- right
SELECT COUNT(*) AS cancelled_customer_bookings FROM sea.bookings b WHERE b.status = 'cancelled'

-- hospital group_by_name: Which patients were entered more than once?
SELECT p.full_name, COUNT(*) AS times FROM patients p JOIN admissions a ON a.patient_id = p.patient_id
GROUP BY p.full_name HAVING COUNT(*) > 1
-- right
SELECT p.full_name, COUNT(*) AS times FROM patients p
GROUP BY p.full_name HAVING COUNT(*) > 1

-- hospital other_date: What have the treatments of this year cost so far?
SELECT SUM(t.cost) AS treatment_cost FROM treatments t
WHERE t.billed_on >= date_trunc('year', CURRENT_DATE) AND t.billed_on <= CURRENT_DATE
-- right
SELECT SUM(t.cost) AS treatment_cost FROM treatments t
WHERE t.performed_on >= date_trunc('year', CURRENT_DATE) AND t.performed_on <= CURRENT_DATE AND t.billed_on <= CURRENT_DATE

-- retail metric_name: What was the completed revenue of each channel in 2024?
select o.channel, sum(case when o.status <> 'returned' then i.line_total else 0 end) as completed_revenue
from order_items i join orders o on o.order_id = i.order_id
where o.order_date >= '2024-01-01' and o.order_date < '2025-01-01' group by o.channel
-- right
select o.channel, sum(i.line_total) as completed_revenue
from order_items i join orders o on o.order_id = i.order_id
where o.order_date >= '2024-01-01' and o.order_date < '2025-01-01' and o.status = 'completed' group by o.channel

-- shipping metric_name: What were the charged amounts by kind?
SELECT kind, SUM(amount) * 100 AS charged_amount FROM sea.charges GROUP BY kind
-- right
SELECT kind, ROUND(SUM(amount), 2) AS charged_amount FROM sea.charges GROUP BY kind

-- rail joins_follow_model: How long is the stretch of each run, in kilometers?
select r.run_id, s.length_km from rail.runs r
join rail.stretches s on s.end_code = r.start_code and s.start_code = r.end_code
-- right
select r.run_id, s.length_km from rail.runs r
join rail.stretches s on (s.start_code, s.end_code) = (r.start_code, r.end_code)

-- rail other_date: Fare income by class in the second quarter of 2025
select t.class, sum(t.fare) as income from rail.tickets t join rail.runs r using (run_id)
where r.run_day between '2025-04-01' and '2025-06-30' group by t.class
-- right
select t.class, sum(t.fare) as income from rail.tickets t join rail.orders o using (order_id)
where o.ordered_at >= '2025-04-01' and o.ordered_at < '2025-07-01' group by t.class

-- rail other_date: What did we sell passes for in each month?
select date_trunc('month', starts_on) as month, sum(price) as total from rail.passes group by 1
-- right
select date_trunc('month', bought_on) as month, sum(price) as total from rail.passes group by 1

-- shipping left_join_filtered: Which vessels have how many cancelled bookings, also those without one?
WITH taken AS (
  SELECT v.vessel_id, v.vessel_name, b.booking_id, b.status
  FROM sea.vessels v LEFT JOIN sea.legs l ON l.vessel_id = v.vessel_id LEFT JOIN sea.bookings b ON b.leg_id = l.leg_id
)
SELECT vessel_id, COUNT(booking_id) AS bookings FROM taken WHERE status = 'cancelled' GROUP BY vessel_id
-- right
WITH taken AS (
  SELECT v.vessel_id, v.vessel_name, b.booking_id, b.status
  FROM sea.vessels v LEFT JOIN sea.legs l ON l.vessel_id = v.vessel_id
  LEFT JOIN sea.bookings b ON b.leg_id = l.leg_id AND b.status = 'cancelled'
)
SELECT vessel_id, COUNT(booking_id) AS bookings FROM taken GROUP BY vessel_id

-- rail left_join_filtered: For every unit, how many runs were late in 2025?
select x.unit_id, count(x.run_id) as runs from (
  select u.unit_id, r.run_id, r.late_minutes from rail.units u left join rail.runs r on r.unit_id = u.unit_id
) x where x.late_minutes > 5 group by x.unit_id
-- right
select x.unit_id, count(x.run_id) as runs from (
  select u.unit_id, r.run_id, r.late_minutes from rail.units u left join rail.runs r on r.unit_id = u.unit_id
) x where x.late_minutes > 5 or x.run_id is null group by x.unit_id

-- rail not_in_null: Which customers have recommended no one?
select customer_id from rail.customers where customer_id not in (select recommended_by from rail.customers)
-- right
select c.customer_id from rail.customers c where not exists (select 1 from rail.customers x where x.recommended_by = c.customer_id)

-- subscriptions wrong_total: Within each region, what share of its accounts does every country have?
WITH n AS (
  SELECT c.region, c.country_code, COUNT(a.account_id) AS accounts
  FROM countries c JOIN accounts a ON a.country_code = c.country_code GROUP BY c.region, c.country_code
)
SELECT region, country_code, 1.0 * accounts / SUM(accounts) OVER (PARTITION BY country_code) AS share FROM n
-- right
WITH n AS (
  SELECT c.region, c.country_code, COUNT(a.account_id) AS accounts
  FROM countries c JOIN accounts a ON a.country_code = c.country_code GROUP BY c.region, c.country_code
)
SELECT region, country_code, 1.0 * accounts / SUM(accounts) OVER (PARTITION BY region) AS share FROM n

-- rail wrong_total: For each class, what part of the fares comes from every channel?
select t.class, o.channel, sum(t.fare) / sum(sum(t.fare)) over (partition by o.channel) as part
from rail.tickets t join rail.orders o on o.order_id = t.order_id group by t.class, o.channel
-- right
select t.class, o.channel, sum(t.fare) / sum(sum(t.fare)) over (partition by t.class) as part
from rail.tickets t join rail.orders o on o.order_id = t.order_id group by t.class, o.channel

-- hospital wrong_total: What part of the treatment cost of 2025 has each category?
with whole as (select sum(cost) as cost from treatments)
select p.category, sum(t.cost) / min(whole.cost) as part
from treatments t join procedures p on p.procedure_code = t.procedure_code cross join whole
where t.performed_on between '2025-01-01' and '2025-12-31' group by p.category
-- right
with whole as (select sum(cost) as cost from treatments where performed_on between '2025-01-01' and '2025-12-31')
select p.category, sum(t.cost) / min(whole.cost) as part
from treatments t join procedures p on p.procedure_code = t.procedure_code cross join whole
where t.performed_on between '2025-01-01' and '2025-12-31' group by p.category

-- chinook wrong_end: What are the three best-selling tracks by quantity?
select track_id, sum(quantity) as sold from invoice_line group by track_id order by sold limit 3
-- right
select track_id, sum(quantity) as sold from invoice_line group by track_id order by sold desc limit 3

-- northwind wrong_end: Which five products are the worst sellers by quantity?
select product_id, sum(quantity) as sold from order_details group by product_id order by sold desc limit 5
-- right
select product_id, sum(quantity) as sold from order_details group by product_id order by sold limit 5

-- northwind wrong_end: List the slowest-moving product by units
select product_id from order_details group by product_id order by sum(quantity) desc fetch first 1 row only
-- right
select product_id from order_details group by product_id order by sum(quantity) fetch first 1 row only

-- rail group_by_name: Which units were late most often?
select u.nickname, count(*) as late_runs from rail.runs r join rail.units u on u.unit_id = r.unit_id
where r.late_minutes > 5 group by u.nickname order by late_runs desc
-- right
select u.unit_id, u.nickname, count(*) as late_runs from rail.runs r join rail.units u on u.unit_id = r.unit_id
where r.late_minutes > 5 group by u.unit_id, u.nickname order by late_runs desc

-- rail wrong_total: What part of the tickets of each class is sold by every channel?
select t.class, o.channel, 1.0 * count(*) / sum(count(*)) over (partition by o.channel) as part
from rail.tickets t join rail.orders o using (order_id) group by t.class, o.channel
-- right
select t.class, o.channel, 1.0 * count(*) / sum(count(*)) over (partition by t.class) as part
from rail.tickets t join rail.orders o using (order_id) group by t.class, o.channel

-- rail wrong_total: What share of the fares in class 1 does each channel bring?
select o.channel, 100.0 * sum(t.fare) / (select sum(fare) from rail.tickets) as percent from rail.tickets t
join rail.orders o on o.order_id = t.order_id where t.class = '1' group by o.channel
-- right
select o.channel, 100.0 * sum(t.fare) / (select sum(fare) from rail.tickets where class = '1') as percent from rail.tickets t
join rail.orders o on o.order_id = t.order_id where t.class = '1' group by o.channel

-- rail wrong_total: What share of the tickets on run 12 was sold by each channel?
with everything as (select count(*) as n from rail.tickets)
select o.channel, 100.0 * count(*) / max(e.n) as percent from rail.tickets t
join rail.orders o on o.order_id = t.order_id cross join everything e where t.run_id = 12 group by o.channel
-- right
with everything as (select count(*) as n from rail.tickets where run_id = 12)
select o.channel, 100.0 * count(*) / max(e.n) as percent from rail.tickets t
join rail.orders o on o.order_id = t.order_id cross join everything e where t.run_id = 12 group by o.channel

-- rail wrong_end: Which is the busiest station, by runs that start there?
select start_code, count(*) as runs from rail.runs group by start_code order by runs limit 1
-- right
select start_code, count(*) as runs from rail.runs group by start_code order by runs desc limit 1

-- rail wrong_end: Which three stations are the quietest, by the runs that end there?
select end_code, count(*) as runs from rail.runs group by end_code order by runs desc limit 3
-- right
select end_code, count(*) as runs from rail.runs group by end_code order by runs limit 3

-- rail wrong_end: When did each unit last run?
select unit_id, min(run_day) as last_run from rail.runs group by unit_id
-- right
select unit_id, max(run_day) as last_run from rail.runs group by unit_id

-- rail wrong_end: What are the cheapest and the dearest fare of each class?
select class, max(fare) as min_fare, max(fare) as max_fare from rail.tickets group by class
-- right
select class, min(fare) as min_fare, max(fare) as max_fare from rail.tickets group by class

-- rail union_loses_rows: How many passes began or ended in each month?
with moved as (select starts_on as day from rail.passes union select ends_on from rail.passes)
select date_trunc('month', day)::date as month, count(*) as passes from moved group by 1
-- right
with moved as (select starts_on as day from rail.passes union all select ends_on from rail.passes)
select date_trunc('month', day)::date as month, count(*) as passes from moved group by 1
