-- Queries that answer their question: the guardrails and rules must find nothing. The
-- first line of a block names the model and the question.

-- hospital: For each patient, when was the first admission and to which department?
SELECT a.patient_id, a.admitted_at, a.department_id
FROM admissions a
JOIN (SELECT patient_id, MIN(admission_id) AS first_admission_id FROM admissions GROUP BY patient_id) f
  ON f.first_admission_id = a.admission_id

-- subscriptions: What was the recurring revenue at the end of each month of 2025?
WITH month_ends AS (
  SELECT account_id, date_trunc('month', snapshot_date) AS month, MAX(snapshot_date) AS last_day
  FROM mrr_snapshots WHERE snapshot_date >= '2025-01-01' AND snapshot_date < '2026-01-01'
  GROUP BY account_id, date_trunc('month', snapshot_date)
)
SELECT me.month, SUM(m.mrr) AS mrr_at_month_end
FROM month_ends me JOIN mrr_snapshots m ON m.account_id = me.account_id AND m.snapshot_date = me.last_day
GROUP BY me.month ORDER BY me.month

-- hospital: Which departments have had no urgent admission?
SELECT d.department_id, d.name
FROM departments d
LEFT JOIN admissions a ON a.department_id = d.department_id AND a.urgent
WHERE a.admission_id IS NULL

-- subscriptions: How many accounts have at least one open ticket?
SELECT COUNT(*) AS accounts FROM accounts a
WHERE EXISTS (SELECT 1 FROM tickets t WHERE t.account_id = a.account_id AND t.closed_at IS NULL)

-- hospital: What percent of all treatment costs falls on each category?
SELECT p.category, SUM(t.cost) AS cost,
       ROUND(100.0 * SUM(t.cost) / SUM(SUM(t.cost)) OVER (), 2) AS percent_of_total
FROM treatments t JOIN procedures p ON t.procedure_code = p.procedure_code
GROUP BY p.category ORDER BY cost DESC

-- subscriptions: How many users started their first session on a phone?
WITH ranked AS (
  SELECT user_id, device, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY started_at, session_id) AS rn
  FROM sessions
)
SELECT COUNT(*) AS users FROM ranked WHERE rn = 1 AND device = 'phone'

-- hospital: How many patients were admitted on each day in Vienna?
SELECT (a.admitted_at AT TIME ZONE 'Europe/Vienna')::date AS day, COUNT(DISTINCT a.patient_id) AS patients
FROM admissions a GROUP BY 1 ORDER BY 1

-- subscriptions: How many sessions were there in each week, in Vienna time?
SELECT date_trunc('week', started_at, 'Europe/Vienna') AS week, COUNT(*) AS sessions
FROM sessions GROUP BY week ORDER BY week

-- hospital: What is the average stay and its part that is urgent, by hospital?
SELECT h.name, SUM(a.bed_days)::numeric / NULLIF(COUNT(a.admission_id), 0) AS average_stay,
       COUNT(*) FILTER (WHERE a.urgent) * 1.0 / NULLIF(COUNT(*), 0) AS urgent_share
FROM admissions a
JOIN departments d ON d.department_id = a.department_id
JOIN hospitals h ON h.hospital_id = d.hospital_id
GROUP BY h.hospital_id, h.name

-- subscriptions: How many agents does each team lead have?
SELECT lead.agent_id, lead.name AS team_lead, COUNT(ag.agent_id) AS agents
FROM agents lead JOIN agents ag ON ag.team_lead_id = lead.agent_id
GROUP BY lead.agent_id, lead.name ORDER BY agents DESC

-- hospital: Show all physicians below physician 4 with their level
WITH RECURSIVE tree AS (
  SELECT physician_id, full_name, supervisor_id, 1 AS level FROM physicians WHERE supervisor_id = 4
  UNION ALL
  SELECT p.physician_id, p.full_name, p.supervisor_id, tree.level + 1
  FROM physicians p JOIN tree ON p.supervisor_id = tree.physician_id
)
SELECT physician_id, full_name, level FROM tree ORDER BY level, full_name

-- subscriptions: Which subscriptions were active at any time in March 2025 and what was invoiced for them?
SELECT s.subscription_id, COALESCE(SUM(i.amount), 0) AS invoiced
FROM subscriptions s
LEFT JOIN invoices i ON i.subscription_id = s.subscription_id
  AND i.issued_on >= '2025-03-01' AND i.issued_on < '2025-04-01'
WHERE s.started_on < '2025-04-01' AND (s.cancelled_on IS NULL OR s.cancelled_on >= '2025-03-01')
GROUP BY s.subscription_id

-- hospital: Which physicians have no admissions outside the departments 1 to 3?
SELECT ph.physician_id, ph.full_name FROM physicians ph
WHERE ph.physician_id NOT IN (
  SELECT a.physician_id FROM admissions a WHERE a.physician_id IS NOT NULL AND a.department_id NOT IN (1, 2, 3)
)

-- subscriptions: How many users either opened a ticket or had a session in June 2025?
SELECT COUNT(*) AS users FROM (
  SELECT opened_by AS user_id FROM tickets
  WHERE opened_by IS NOT NULL AND opened_at >= '2025-06-01' AND opened_at < '2025-07-01'
  UNION
  SELECT user_id FROM sessions WHERE started_at >= '2025-06-01' AND started_at < '2025-07-01'
) seen

-- hospital: How much do the treatments of a patient cost on average?
SELECT AVG(per_patient.cost) AS average_cost_per_patient
FROM (
  SELECT a.patient_id, SUM(t.cost) AS cost
  FROM treatments t JOIN admissions a ON a.admission_id = t.admission_id
  GROUP BY a.patient_id
) per_patient

-- subscriptions: Compare the session length of each user with the average of the user averages of the account
WITH per_user AS (
  SELECT u.account_id, u.user_id, AVG(s.seconds) AS user_average
  FROM sessions s JOIN users u ON u.user_id = s.user_id GROUP BY u.account_id, u.user_id
)
SELECT account_id, user_id, user_average,
       AVG(user_average) OVER (PARTITION BY account_id) AS average_of_users
FROM per_user

-- hospital: How many treatments last how long, in classes of 15 minutes?
SELECT (t.minutes / 15) * 15 AS from_minute, COUNT(*) AS treatments
FROM treatments t GROUP BY 1 ORDER BY 1

-- subscriptions: How many whole minutes does the longest session of each device last?
SELECT device, MAX(seconds) / 60 AS minutes, MAX(seconds) % 60 AS seconds FROM sessions GROUP BY device

-- hospital: What was the most expensive treatment of each admission?
SELECT DISTINCT ON (t.admission_id) t.admission_id, t.treatment_id, t.cost
FROM treatments t ORDER BY t.admission_id, t.cost DESC NULLS LAST

-- subscriptions: Which plan is the cheapest in each tier?
SELECT tier, name, monthly_price FROM (
  SELECT p.*, RANK() OVER (PARTITION BY p.tier ORDER BY p.monthly_price ASC) AS place FROM plans p
) x WHERE place = 1

-- hospital: What share of patients has no insurer?
SELECT COUNT(*) FILTER (WHERE insurer_id IS NULL)::numeric / NULLIF(COUNT(*), 0) AS share_without_insurer
FROM patients

-- subscriptions: What was the last ticket of each account and who handled it?
SELECT a.account_id, a.company, last_ticket.ticket_id, ag.name AS agent
FROM accounts a
LEFT JOIN LATERAL (
  SELECT t.ticket_id, t.assigned_to FROM tickets t WHERE t.account_id = a.account_id
  ORDER BY t.opened_at DESC LIMIT 1
) last_ticket ON true
LEFT JOIN agents ag ON ag.agent_id = last_ticket.assigned_to

-- hospital: Who are the five youngest patients?
SELECT patient_id, full_name, born_on FROM patients ORDER BY born_on DESC LIMIT 5

-- subscriptions: How much was paid in 2025?
SELECT SUM(amount) AS paid FROM invoices WHERE paid_on >= '2025-01-01' AND paid_on < '2026-01-01'

-- hospital: How many treatments has each physician ordered?
SELECT ph.physician_id, ph.full_name, COUNT(*) AS treatments
FROM treatments t
JOIN admissions a ON a.admission_id = t.admission_id
JOIN physicians ph ON ph.physician_id = a.physician_id
GROUP BY ph.physician_id, ph.full_name

-- subscriptions: Which three agents close their tickets fastest?
SELECT ag.agent_id, ag.name, AVG(t.closed_at - t.opened_at) AS time_to_close
FROM tickets t JOIN agents ag ON ag.agent_id = t.assigned_to
WHERE t.closed_at IS NOT NULL
GROUP BY ag.agent_id, ag.name ORDER BY time_to_close LIMIT 3

-- hospital: What are the top five procedures by cost, in alphabetical order?
WITH top AS (
  SELECT t.procedure_code, SUM(t.cost) AS cost FROM treatments t
  GROUP BY t.procedure_code ORDER BY cost DESC LIMIT 5
)
SELECT pr.title, top.cost FROM top JOIN procedures pr USING (procedure_code) ORDER BY pr.title

-- subscriptions: How many of the users that signed up in each month had a session in the month after?
WITH cohort AS (
  SELECT user_id, date_trunc('month', signed_up_at AT TIME ZONE 'Europe/Vienna') AS month FROM users
), activity AS (
  SELECT DISTINCT user_id, date_trunc('month', started_at AT TIME ZONE 'Europe/Vienna') AS month FROM sessions
)
SELECT c.month, COUNT(*) AS users, COUNT(a.user_id) AS returned,
       ROUND(100.0 * COUNT(a.user_id) / COUNT(*), 1) AS percent_returned
FROM cohort c LEFT JOIN activity a ON a.user_id = c.user_id AND a.month = c.month + INTERVAL '1 month'
GROUP BY c.month ORDER BY c.month

-- hospital: Running total of treatment costs by month
SELECT month, cost, SUM(cost) OVER (ORDER BY month) AS running_cost
FROM (SELECT date_trunc('month', performed_on)::date AS month, SUM(cost) AS cost FROM treatments GROUP BY 1) m
ORDER BY month

-- subscriptions: How did the revenue of each quarter change from the quarter before?
WITH q AS (
  SELECT date_trunc('quarter', issued_on) AS quarter, SUM(amount - tax) AS revenue FROM invoices GROUP BY 1
)
SELECT quarter, revenue, revenue - LAG(revenue) OVER (ORDER BY quarter) AS change,
       revenue / NULLIF(LAG(revenue) OVER (ORDER BY quarter), 0) - 1 AS growth
FROM q ORDER BY quarter

-- hospital: What is the median stay, by department and hospital?
SELECT h.name AS hospital, d.name AS department,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY a.bed_days) AS median_days
FROM admissions a JOIN departments d USING (department_id) JOIN hospitals h USING (hospital_id)
GROUP BY h.name, d.department_id, d.name

-- subscriptions: How many accounts and users were active on phones and in total?
SELECT COUNT(DISTINCT u.account_id) AS accounts,
       COUNT(DISTINCT s.user_id) FILTER (WHERE s.device = 'phone') AS phone_users,
       COUNT(DISTINCT s.user_id) AS active_users
FROM sessions s JOIN users u ON u.user_id = s.user_id

-- hospital: Admissions and treatment costs of each department side by side
WITH adm AS (SELECT department_id, COUNT(*) AS admissions FROM admissions GROUP BY department_id),
     tre AS (SELECT a.department_id, SUM(t.cost) AS cost FROM treatments t JOIN admissions a USING (admission_id) GROUP BY a.department_id)
SELECT d.department_id, d.name, COALESCE(adm.admissions, 0) AS admissions, COALESCE(tre.cost, 0) AS cost
FROM departments d
LEFT JOIN adm ON adm.department_id = d.department_id
LEFT JOIN tre ON tre.department_id = d.department_id

-- subscriptions: What is the current recurring revenue by region?
SELECT c.region, SUM(m.mrr) AS mrr
FROM mrr_snapshots m JOIN accounts a USING (account_id) JOIN countries c USING (country_code)
WHERE m.snapshot_date = (SELECT MAX(snapshot_date) FROM mrr_snapshots)
GROUP BY c.region

-- hospital: How did the number of occupied beds change from one day to the next?
SELECT today.department_id, today.census_date, today.beds_occupied - yesterday.beds_occupied AS change
FROM bed_census today
JOIN bed_census yesterday ON yesterday.department_id = today.department_id
  AND yesterday.census_date = today.census_date - 1

-- subscriptions: How many accounts cancelled in 2025 and then subscribed again?
SELECT COUNT(DISTINCT old.account_id) AS accounts
FROM subscriptions old
JOIN subscriptions renewed ON renewed.account_id = old.account_id AND renewed.started_on > old.cancelled_on
WHERE old.cancelled_on BETWEEN '2025-01-01' AND '2025-12-31'

-- hospital: How many admissions of Anna Gruber were there in each department?
SELECT p.full_name, d.name AS department, COUNT(*) AS admissions
FROM admissions a JOIN patients p ON p.patient_id = a.patient_id
JOIN departments d ON d.department_id = a.department_id
WHERE p.full_name = 'Anna Gruber' GROUP BY p.full_name, d.department_id, d.name

-- subscriptions: Revenue for every month of 2025, with zero for months without invoices
SELECT m.month::date AS month, COALESCE(SUM(i.amount - i.tax), 0) AS revenue
FROM generate_series(date '2025-01-01', date '2025-12-01', interval '1 month') AS m(month)
LEFT JOIN invoices i ON i.issued_on >= m.month AND i.issued_on < m.month + interval '1 month'
GROUP BY m.month ORDER BY m.month

-- hospital: What share of the admissions was readmitted within 30 days of discharge?
SELECT AVG(CASE WHEN EXISTS (
         SELECT 1 FROM admissions later WHERE later.patient_id = a.patient_id
         AND later.admitted_at > a.discharged_at AND later.admitted_at <= a.discharged_at + INTERVAL '30 days'
       ) THEN 1.0 ELSE 0 END) AS readmission_share
FROM admissions a WHERE a.discharged_at IS NOT NULL

-- subscriptions: Which account groups bring the most revenue, counting subsidiaries with their parent?
SELECT COALESCE(parent.account_id, a.account_id) AS group_id, COALESCE(parent.company, a.company) AS group_name,
       SUM(i.amount - i.tax) AS revenue
FROM accounts a
LEFT JOIN accounts parent ON parent.account_id = a.parent_account_id
JOIN subscriptions s ON s.account_id = a.account_id
JOIN invoices i ON i.subscription_id = s.subscription_id
GROUP BY 1, 2 ORDER BY revenue DESC LIMIT 10

-- subscriptions: How many new users joined in each month of 2025, and how many of them came by an invitation?
select date_trunc('month', signed_up_at at time zone 'Europe/Vienna')::date as month, count(*) as users,
       count(invited_by) as invited, round(100.0 * count(invited_by) / count(*), 1) as percent_invited
from users where signed_up_at >= '2025-01-01' and signed_up_at < '2026-01-01' group by 1 order by 1

-- hospital: Which physicians earn their department most treatments, top 3 in each department?
select department_id, full_name, treatments from (
  select ph.department_id, ph.physician_id, ph.full_name, count(t.treatment_id) as treatments,
         dense_rank() over (partition by ph.department_id order by count(t.treatment_id) desc) as place
  from physicians ph join admissions a using (physician_id) join treatments t using (admission_id)
  group by ph.department_id, ph.physician_id, ph.full_name
) x where place <= 3 order by department_id, place

-- subscriptions: What is the share of cancelled subscriptions of each plan?
select plan_id, sum(case when cancelled_on is not null then 1 else 0 end)::numeric / count(*) as share_cancelled
from subscriptions group by plan_id

-- hospital: How many patients have been admitted more than twice?
select count(*) as patients from (select patient_id from admissions group by patient_id having count(*) > 2) x

-- subscriptions: How many users have signed in only once?
with once as (select user_id, count(*) as sessions from sessions group by user_id)
select count(*) filter (where sessions = 1) as users from once

-- hospital: What is the highest and the lowest cost of a treatment in each category?
select p.category, max(t.cost) as highest, min(t.cost) as lowest
from treatments t join procedures p using (procedure_code) group by p.category order by highest limit 20

-- subscriptions: For each account, the first invoice and its amount
select s.account_id, i.invoice_id, i.amount from invoices i join subscriptions s using (subscription_id)
where i.invoice_id = (select min(x.invoice_id) from invoices x join subscriptions y using (subscription_id) where y.account_id = s.account_id)

-- hospital: How many patients came for their first admission in each month?
select date_trunc('month', first_at at time zone 'Europe/Vienna') as month, count(*) as patients
from (select patient_id, min(admitted_at) as first_at from admissions group by patient_id) f
group by 1 order by 1

-- subscriptions: Which accounts have lower recurring revenue at the end of the year than at its start?
select a.account_id, a.company, s.mrr as at_start, e.mrr as at_end
from accounts a
join mrr_snapshots s on s.account_id = a.account_id and s.snapshot_date = date '2025-01-01'
join mrr_snapshots e on e.account_id = a.account_id and e.snapshot_date = date '2025-12-31'
where e.mrr < s.mrr

-- hospital: Average number of occupied beds per day, by department
select department_id, avg(beds_occupied) as average_beds from bed_census group by department_id

-- subscriptions: Average recurring revenue over the days of 2025
select avg(day_mrr) as average_mrr from (
  select snapshot_date, sum(mrr) as day_mrr from mrr_snapshots
  where snapshot_date between '2025-01-01' and '2025-12-31' group by snapshot_date) d

-- hospital: Which patients have been treated by the physician that referred them?
select distinct p.patient_id, p.full_name
from patients p join admissions a on a.patient_id = p.patient_id and a.physician_id = p.referring_physician_id

-- subscriptions: Which tickets were opened by users of another account?
select t.ticket_id from tickets t join users u on u.user_id = t.opened_by where u.account_id <> t.account_id

-- hospital: How many admissions were there with no treatment at all?
select count(*) as admissions from admissions a
where not exists (select 1 from treatments t where t.admission_id = a.admission_id)

-- subscriptions: What percentage of tickets has a satisfaction of 4 or more, by agent?
select ag.agent_id, ag.name, 100.0 * avg(case when t.satisfaction >= 4 then 1 else 0 end) as percent_satisfied
from agents ag join tickets t on t.assigned_to = ag.agent_id
where t.satisfaction is not null group by ag.agent_id, ag.name

-- hospital: Costs billed in March 2025
select sum(cost) as billed from treatments where billed_on >= '2025-03-01' and billed_on < '2025-04-01'

-- subscriptions: How many days do customers take to pay, on average?
select avg(paid_on - issued_on) as days_to_pay from invoices where paid_on is not null

-- hospital: For each hospital, the department with the fewest admissions
select distinct on (h.hospital_id) h.name as hospital, d.name as department, count(a.admission_id) as admissions
from hospitals h join departments d using (hospital_id) left join admissions a using (department_id)
group by h.hospital_id, h.name, d.department_id, d.name
order by h.hospital_id, count(a.admission_id)

-- subscriptions: What share of all revenue comes from European accounts?
select sum(i.amount - i.tax) filter (where c.region = 'Europe') / sum(i.amount - i.tax) as share
from invoices i join subscriptions s using (subscription_id) join accounts a using (account_id)
join countries c using (country_code)

-- hospital: What percentage of the total cost is surgery, by hospital?
with total as (select sum(cost) as cost from treatments)
select h.hospital_id, h.name, 100.0 * sum(t.cost) / max(total.cost) as percent
from treatments t join procedures p using (procedure_code) join admissions a using (admission_id)
join departments d using (department_id) join hospitals h using (hospital_id) cross join total
where p.category = 'Surgery' group by h.hospital_id, h.name

-- subscriptions: Sessions of the last seven days by device and day in Vienna
select (started_at at time zone 'Europe/Vienna')::date as day, device, count(*) as sessions
from sessions
where started_at >= (date_trunc('day', now() at time zone 'Europe/Vienna') - interval '7 days') at time zone 'Europe/Vienna'
group by 1, 2

-- hospital: Show each supervisor with the number of their physicians and the names
select s.physician_id, s.full_name as supervisor, count(*) as physicians, string_agg(p.full_name, ', ' order by p.full_name) as names
from physicians p join physicians s on s.physician_id = p.supervisor_id
group by s.physician_id, s.full_name

-- subscriptions: Which users were invited by someone from another account?
select u.user_id, u.display_name, inviter.display_name as invited_by
from users u join users inviter on inviter.user_id = u.invited_by where inviter.account_id <> u.account_id

-- hospital: How many admissions followed a transfer, and from which department did they come?
select prev.department_id as from_department, count(*) as admissions
from admissions a join admissions prev on prev.admission_id = a.transfer_from_id group by prev.department_id

-- subscriptions: Monthly churn: which part of the subscriptions active at the start of a month was cancelled in it?
with months as (
  select m::date as month from generate_series(date '2025-01-01', date '2025-12-01', interval '1 month') m
)
select month, count(*) as active,
       count(*) filter (where s.cancelled_on >= month and s.cancelled_on < month + interval '1 month')::numeric / count(*) as churn
from months join subscriptions s on s.started_on < month and (s.cancelled_on is null or s.cancelled_on >= month)
group by month order by month

-- hospital: How many full days do patients stay, in classes of seven days?
select case when bed_days < 7 then 'under a week' when bed_days < 14 then 'one week' else 'longer' end as class, count(*) as admissions
from admissions group by 1

-- subscriptions: How many accounts were created each year and are there in total so far?
select extract(year from created_at at time zone 'Europe/Vienna') as year, count(*) as accounts,
       sum(count(*)) over (order by extract(year from created_at at time zone 'Europe/Vienna')) as total_so_far
from accounts group by 1

-- hospital: Which pairs of patients share the same name and date of birth?
select a.patient_id, b.patient_id as other_patient_id, a.full_name
from patients a join patients b on a.full_name = b.full_name and a.born_on = b.born_on and a.patient_id < b.patient_id

-- subscriptions: How many plans does each account have, and which pay for the same plan twice?
select account_id, count(distinct plan_id) as plans, count(*) > count(distinct plan_id) as twice
from subscriptions where cancelled_on is null group by account_id

-- hospital: Which five admissions were the shortest?
select admission_id, discharged_at - admitted_at as stay from admissions where discharged_at is not null order by stay limit 5

-- subscriptions: Name three sample accounts in Austria
select account_id, company from accounts where country_code = 'AT' limit 3

-- northwind: Revenue per month of 1997 with months without orders as zero
with months as (
  select d::date as month_start from generate_series('1997-01-01'::timestamp, '1997-12-01'::timestamp, interval '1 month') as g(d)
)
select m.month_start, coalesce(sum(od.unit_price * od.quantity * (1 - od.discount)), 0) as revenue
from months m
left join orders o on o.order_date >= m.month_start and o.order_date < (m.month_start + interval '1 month')
left join order_details od on od.order_id = o.order_id
group by m.month_start order by m.month_start

-- northwind: How many days does it take on average to ship an order, by shipper?
select s.shipper_id, s.company_name, avg(o.shipped_date - o.order_date) as average_days
from orders o join shippers s on s.shipper_id = o.ship_via
where o.shipped_date is not null group by s.shipper_id, s.company_name

-- northwind: How many orders were shipped late, and what share of all orders is that?
select count(*) filter (where shipped_date > required_date) as late_orders,
       round(100.0 * count(*) filter (where shipped_date > required_date) / count(*), 2) as percent_late
from orders

-- northwind: How many orders are shipped and not shipped?
select shipped_date is not null as shipped, count(*) as orders from orders group by 1

-- northwind: Which employees report to someone who reports to no one?
select e.employee_id, e.last_name, m.last_name as manager
from employees e join employees m on m.employee_id = e.reports_to
where m.reports_to is null

-- northwind: For each employee, how many direct reports do they have?
select m.employee_id, m.first_name || ' ' || m.last_name as manager,
       (select count(*) from employees e where e.reports_to = m.employee_id) as direct_reports
from employees m

-- northwind: Which customers bought in 1996 but not in 1997?
select customer_id from orders where extract(year from order_date) = 1996
except
select customer_id from orders where extract(year from order_date) = 1997

-- northwind: The customers that make up the top half of revenue
with r as (
  select o.customer_id, sum(od.unit_price * od.quantity * (1 - od.discount)) as revenue
  from orders o join order_details od using (order_id) group by o.customer_id
), c as (
  select customer_id, revenue, sum(revenue) over (order by revenue desc, customer_id) as running, sum(revenue) over () as total from r
)
select customer_id, revenue, running / total as cumulative_share from c where running - revenue < total / 2 order by revenue desc

-- northwind: Which products have never been ordered in Germany?
select p.product_id, p.product_name from products p
where p.product_id not in (
  select od.product_id from order_details od join orders o on o.order_id = od.order_id where o.ship_country = 'Germany')

-- northwind: What is the share of each category of the revenue in each country?
select c.country, p.category_id,
       sum(od.unit_price * od.quantity) / sum(sum(od.unit_price * od.quantity)) over (partition by c.country) as share
from order_details od join orders o using (order_id) join customers c using (customer_id) join products p using (product_id)
group by c.country, p.category_id

-- northwind: What is the average order value in each country?
select country, avg(order_value) as average_order_value from (
  select c.country, o.order_id, sum(od.unit_price * od.quantity * (1 - od.discount)) as order_value
  from orders o join customers c on c.customer_id = o.customer_id join order_details od on od.order_id = o.order_id
  group by c.country, o.order_id) x group by country

-- northwind: What are the three cheapest products that are not discontinued?
select product_name, unit_price from products where discontinued = 0 order by unit_price limit 3

-- northwind: How many customers have ordered at least ten times?
with n as (select customer_id, count(*) as orders from orders group by customer_id having count(*) >= 10)
select count(*) as customers from n

-- northwind: How many orders has each customer placed, and when was the latest?
select c.customer_id, c.company_name, count(o.order_id) as orders, max(o.order_date) as latest
from customers c left join orders o using (customer_id) group by c.customer_id, c.company_name

-- northwind: Compare Nancy Davolio and Andrew Fuller by number of orders
select e.last_name, count(o.order_id) as orders from employees e join orders o using (employee_id)
where e.last_name in ('Davolio', 'Fuller') group by e.last_name

-- chinook: How many tracks are longer than five minutes, by genre?
select g.name as genre, count(*) as tracks from track t join genre g using (genre_id)
where t.milliseconds > 5 * 60 * 1000 group by g.genre_id, g.name

-- chinook: How long are the albums in minutes, rounded down?
select al.album_id, al.title, sum(t.milliseconds) / 60000 as minutes
from album al join track t using (album_id) group by al.album_id, al.title

-- chinook: Which artist has the most albums?
select ar.artist_id, ar.name, count(*) as albums from artist ar join album al using (artist_id)
group by ar.artist_id, ar.name order by albums desc fetch first row only

-- chinook: How many different artists are on each playlist?
select pl.playlist_id, pl.name, count(distinct al.artist_id) as artists
from playlist pl join playlist_track pt using (playlist_id) join track t using (track_id) join album al using (album_id)
group by pl.playlist_id, pl.name

-- chinook: Which customers spent more than the average customer?
with s as (select customer_id, sum(total) as spent from invoice group by customer_id)
select customer_id, spent from s where spent > (select avg(spent) from s) order by spent desc

-- chinook: What percentage of customers has bought jazz?
select 100.0 * count(distinct i.customer_id) / (select count(*) from customer) as percent
from invoice i join invoice_line il using (invoice_id) join track t using (track_id) join genre g using (genre_id)
where g.name = 'Jazz'

-- chinook: What share of revenue in the USA is rock?
select sum(il.unit_price * il.quantity) filter (where g.name = 'Rock') / sum(il.unit_price * il.quantity) as share_rock
from invoice_line il join invoice i using (invoice_id) join track t using (track_id) join genre g using (genre_id)
where i.billing_country = 'USA'

-- chinook: What share of total revenue do the customers in the USA bring in each year?
select extract(year from i.invoice_date) as year,
       sum(i.total) / (select sum(x.total) from invoice x where extract(year from x.invoice_date) = extract(year from min(i.invoice_date))) as share
from invoice i where i.billing_country = 'USA' group by 1

-- chinook: Who is the employee with the fewest customers?
select e.employee_id, e.last_name, count(c.customer_id) as customers
from employee e left join customer c on c.support_rep_id = e.employee_id
group by e.employee_id, e.last_name order by customers, e.employee_id limit 1

-- chinook: List employees with their boss, also the one without
select e.first_name, e.last_name, coalesce(b.first_name || ' ' || b.last_name, 'none') as boss
from employee e left join employee b on b.employee_id = e.reports_to

-- chinook: Which invoices have more than ten lines?
select i.invoice_id, count(*) as lines from invoice i join invoice_line il on il.invoice_id = i.invoice_id
group by i.invoice_id having count(*) > 10

-- chinook: How many invoices were there for each customer's first month?
with first as (select customer_id, date_trunc('month', min(invoice_date)) as month from invoice group by customer_id)
select f.month, count(*) as invoices from first f join invoice i on i.customer_id = f.customer_id
and date_trunc('month', i.invoice_date) = f.month group by f.month

-- retail: How many orders per customer and year, and what did they spend?
select c.customer_id, c.full_name, extract(year from o.order_date) as year,
       count(distinct o.order_id) as orders, sum(i.line_total) as spent
from customers c join orders o using (customer_id) join order_items i using (order_id)
where o.status = 'completed' group by c.customer_id, c.full_name, extract(year from o.order_date)

-- retail: What percentage of orders was returned in each channel?
select channel, round(avg((status = 'returned')::int) * 100, 1) as percent_returned from orders group by channel

-- retail: Sales per square foot by store
select s.store_id, s.store_name, sum(i.line_total) / s.square_feet as sales_per_square_foot
from stores s join orders o using (store_id) join order_items i using (order_id)
where o.status = 'completed' group by s.store_id, s.store_name, s.square_feet

-- retail: Which products are often bought together with product 7?
select b.product_id, count(*) as orders
from order_items a join order_items b on b.order_id = a.order_id and b.product_id <> a.product_id
where a.product_id = 7 group by b.product_id order by orders desc limit 10

-- retail: How long after joining did customers place their first order, on average?
select avg(f.first_order - c.joined_on) as average_days
from customers c join (select customer_id, min(order_date) as first_order from orders group by customer_id) f using (customer_id)

-- retail: How many customers joined in each month of 2025?
select date_trunc('month', joined_on)::date as month, count(*) as customers from customers
where joined_on >= '2025-01-01' and joined_on < '2026-01-01' group by 1

-- retail: Revenue of customers that joined in 2024, by month of order
select date_trunc('month', o.order_date)::date as month, sum(i.line_total) as revenue
from customers c join orders o using (customer_id) join order_items i using (order_id)
where c.joined_on between '2024-01-01' and '2024-12-31' and o.status = 'completed' group by 1

-- retail: What is the revenue of stores that opened before 2020?
with old as (select store_id from stores where opened_on < '2020-01-01')
select sum(i.line_total) as revenue from order_items i join orders o using (order_id) join old using (store_id)
where o.status = 'completed'

-- hospital: For each treatment, the days until it was billed, by category
select p.category, avg(t.billed_on - t.performed_on) as average_days, max(t.billed_on - t.performed_on) as longest
from treatments t join procedures p using (procedure_code) group by p.category

-- hospital: How many treatments are not yet billed, by month?
select date_trunc('month', performed_on)::date as month, count(*) as treatments
from treatments where billed_on is null or billed_on > current_date group by 1

-- subscriptions: Which share of the sessions is on phones, by account?
select u.account_id, count(*) filter (where s.device = 'phone')::float / count(*) as share
from sessions s join users u using (user_id) group by u.account_id

-- subscriptions: How many users do accounts have on average?
select avg(users) as average_users from (
  select a.account_id, count(u.user_id) as users from accounts a left join users u using (account_id) group by a.account_id) x

-- subscriptions: Which agent in each team closed the most tickets?
with n as (
  select ag.team_lead_id, ag.agent_id, ag.name, count(*) as tickets
  from tickets t join agents ag on ag.agent_id = t.assigned_to where t.closed_at is not null
  group by ag.team_lead_id, ag.agent_id, ag.name
)
select n.team_lead_id, n.name, n.tickets from n
where n.tickets = (select max(m.tickets) from n m where m.team_lead_id = n.team_lead_id)

-- subscriptions: How many users used the service on a phone in May 2025?
SELECT COUNT(DISTINCT CASE WHEN device = 'phone' THEN user_id END) AS users
FROM sessions
WHERE date_trunc('month', started_at AT TIME ZONE 'Europe/Vienna') = '2025-05-01'

-- subscriptions: How many companies opened tickets?
select count(distinct t.account_id) as accounts
from tickets t join accounts a on a.account_id = t.account_id

-- northwind: How many orders did each customer place per year, on average?
with yearly as (select customer_id, extract(year from order_date) as year, count(*) as orders from orders group by 1, 2)
select customer_id, avg(orders) as average_orders from yearly group by customer_id

-- northwind: How many customers ordered in both 1997 and 1998?
with o as (select distinct customer_id, extract(year from order_date) as year from orders)
select count(*) as customers from o a join o b on b.customer_id = a.customer_id where a.year = 1997 and b.year = 1998

-- northwind: How many order lines were there per order, by country?
with lines as (select o.order_id, c.country, od.product_id from orders o join customers c using (customer_id) join order_details od using (order_id))
select country, count(*)::numeric / count(distinct order_id) as lines_per_order from lines group by country

-- northwind: How many first orders were placed in each month?
with numbered as (select o.*, row_number() over (partition by customer_id order by order_date, order_id) as n from orders o)
select date_trunc('month', order_date) as month, count(*) as customers from numbered where n = 1 group by 1

-- northwind: Number of customers by size class of their orders
with totals as (select o.customer_id, sum(od.unit_price * od.quantity) as total from orders o join order_details od using (order_id) group by o.customer_id),
classes as (select customer_id, case when total < 1000 then 'small' when total < 10000 then 'medium' else 'large' end as class from totals)
select class, count(*) as customers from classes group by class

-- northwind: Orders shipped each month of 1997
with s as (select order_id, date_trunc('month', shipped_date) as month from orders where shipped_date >= '1997-01-01' and shipped_date < '1998-01-01')
select month, count(*) as orders from s group by month order by month

-- northwind: Revenue by category name
with lines as (select c.category_name, od.unit_price * od.quantity * (1 - od.discount) as amount
  from order_details od join products p using (product_id) join categories c using (category_id))
select category_name, sum(amount) as revenue from lines group by category_name

-- northwind: Freight of orders by shipper, with the shipper's name
with f as (select s.company_name as shipper, o.freight from orders o join shippers s on s.shipper_id = o.ship_via)
select shipper, sum(freight) as freight from f group by shipper

-- northwind: How many customers share a contact title?
select contact_title, count(*) as customers from customers group by contact_title having count(*) > 1

-- northwind: Which customer names occur more than once?
select company_name, count(*) from customers group by company_name having count(*) > 1

-- northwind: What was the last order of each employee and its freight?
select e.employee_id, l.order_id, l.freight
from employees e left join lateral (select o.order_id, o.freight from orders o where o.employee_id = e.employee_id order by o.order_date desc, o.order_id desc limit 1) l on true

-- chinook: How many tracks does each album have, for albums by Queen?
with queen as (select al.album_id, al.title from album al join artist ar using (artist_id) where ar.name = 'Queen')
select q.title, count(t.track_id) as tracks from queen q left join track t using (album_id) group by q.album_id, q.title

-- chinook: How many different tracks were sold of each genre?
with sold as (select distinct il.track_id, t.genre_id from invoice_line il join track t using (track_id))
select g.name, count(*) as tracks from sold s join genre g using (genre_id) group by g.genre_id, g.name

-- chinook: The share of each media type in the number of tracks
with n as (select media_type_id, count(*) as tracks from track group by media_type_id)
select m.name, n.tracks * 100.0 / (select sum(tracks) from n) as percent from n join media_type m using (media_type_id)

-- chinook: What is the average invoice total by country, and how does it compare with the average of all invoices?
select billing_country, avg(total) as average, (select avg(total) from invoice) as overall from invoice group by billing_country

-- chinook: Which sales agents supported the most invoices?
with i as (select c.support_rep_id as employee_id, inv.invoice_id from invoice inv join customer c using (customer_id))
select e.employee_id, e.last_name, count(*) as invoices from i join employee e using (employee_id) group by e.employee_id, e.last_name order by invoices desc limit 3

-- chinook: Who reports to whom?
with m as (select employee_id, first_name || ' ' || last_name as manager from employee)
select e.first_name || ' ' || e.last_name as employee, m.manager from employee e left join m on m.employee_id = e.reports_to

-- chinook: How many employees does each manager have, with names?
with e as (select employee_id, last_name, reports_to from employee)
select m.employee_id, m.last_name as manager, count(*) as employees from e join employee m on m.employee_id = e.reports_to group by m.employee_id, m.last_name

-- retail: How many returning customers bought in 2025?
select count(*) as customers from (
  select o.customer_id from orders o where o.order_date >= '2025-01-01' and o.status = 'completed'
  group by o.customer_id having count(*) > 1) r

-- retail: How many orders contained more than three products?
with o as (select order_id, count(distinct product_id) as products from order_items group by order_id)
select count(*) as orders from o where products > 3

-- retail: How many orders of loyalty members included a discount?
with d as (select o.order_id, i.order_item_id from orders o join customers c using (customer_id) join order_items i using (order_id)
           where c.loyalty_member and i.discount_percent > 0)
select count(distinct order_id) as orders from d

-- retail: Share of each category in each region's revenue
with r as (select s.region, p.category, sum(i.line_total) as revenue
  from order_items i join orders o using (order_id) join stores s using (store_id) join products p using (product_id)
  where o.status = 'completed' group by s.region, p.category),
t as (select region, sum(revenue) as revenue from r group by region)
select r.region, r.category, r.revenue / t.revenue as share from r join t using (region)

-- retail: What share of the revenue comes from each region and category?
with r as (select s.region, p.category, sum(i.line_total) as revenue
  from order_items i join orders o using (order_id) join stores s using (store_id) join products p using (product_id)
  where o.status = 'completed' group by s.region, p.category)
select region, category, revenue / (select sum(revenue) from r) as share from r

-- retail: What percentage of the revenue of 2025 did web orders in the West bring, by store?
select o.store_id, 100.0 * sum(i.line_total) filter (where o.channel = 'web') / sum(i.line_total) as percent
from order_items i join orders o using (order_id) join stores s using (store_id)
where s.region = 'West' and o.status = 'completed' and o.order_date >= '2025-01-01' and o.order_date < '2026-01-01' group by o.store_id

-- hospital: How long after the previous admission of the patient does a readmission happen?
with a as (select patient_id, admission_id, admitted_at, lag(discharged_at) over (partition by patient_id order by admitted_at) as previous from admissions)
select avg(admitted_at - previous) as gap, count(*) as readmissions from a where previous is not null

-- hospital: Number of patients by the department of their first admission
with f as (select a.patient_id, a.department_id from admissions a
  where not exists (select 1 from admissions b where b.patient_id = a.patient_id and b.admitted_at < a.admitted_at))
select department_id, count(*) as patients from f group by department_id

-- hospital: How many treatments took place on the day of admission?
select count(*) as treatments from treatments t join admissions a using (admission_id)
where t.performed_on = (a.admitted_at at time zone 'Europe/Vienna')::date

-- hospital: How many beds were free at the end of each month, by hospital?
with last as (select department_id, max(census_date) as day from bed_census group by department_id, date_trunc('month', census_date))
select d.hospital_id, l.day, sum(b.beds_total - b.beds_occupied) as free_beds
from last l join bed_census b on b.department_id = l.department_id and b.census_date = l.day join departments d on d.department_id = b.department_id
group by d.hospital_id, l.day

-- subscriptions: How many accounts had more than one plan at the same time?
select count(distinct a.account_id) as accounts from subscriptions a
join subscriptions b on b.account_id = a.account_id and b.subscription_id <> a.subscription_id
and b.started_on < coalesce(a.cancelled_on, 'infinity') and a.started_on < coalesce(b.cancelled_on, 'infinity')

-- subscriptions: How many tickets were opened each week of 2025, also weeks without?
with weeks as (select generate_series(date '2024-12-30', date '2025-12-29', interval '1 week')::date as week)
select w.week, count(t.ticket_id) as tickets from weeks w
left join tickets t on t.opened_at >= w.week and t.opened_at < w.week + 7
group by w.week order by w.week

-- shipping: How long does a leg take from Hamburg to New York, on average?
SELECT AVG(l.arrived_at - l.departed_at) AS duration FROM sea.legs l
JOIN sea.ports f ON f.port_id = l.from_port_id JOIN sea.ports t ON t.port_id = l.to_port_id
WHERE f.name = 'Hamburg' AND t.name = 'New York'

-- shipping: Which routes between countries are used most?
SELECT f.country_iso AS origin, t.country_iso AS destination, COUNT(*) AS legs
FROM sea.legs l JOIN sea.ports f ON f.port_id = l.from_port_id JOIN sea.ports t ON t.port_id = l.to_port_id
GROUP BY 1, 2 ORDER BY legs DESC LIMIT 10

-- shipping: What was paid in each quarter?
SELECT date_trunc('quarter', paid_on) AS quarter, SUM(amount) AS paid FROM sea.charges WHERE paid_on IS NOT NULL GROUP BY 1

-- shipping: How many bookings were loaded in May 2025?
SELECT COUNT(*) AS bookings FROM sea.bookings WHERE loaded_on >= '2025-05-01' AND loaded_on < '2025-06-01'

-- shipping: How many customers did each customer refer?
SELECT r.customer_id, r.customer_name AS referrer, COUNT(*) AS customers
FROM sea.customers c JOIN sea.customers r ON r.customer_id = c.referred_by GROUP BY r.customer_id, r.customer_name

-- shipping: Which charges are more than twice the average of their kind?
SELECT charge_id, kind, amount FROM (SELECT c.*, AVG(amount) OVER (PARTITION BY kind) AS usual FROM sea.charges c) x WHERE amount > 2 * usual

-- shipping: How many customers have never booked?
SELECT COUNT(*) AS customers FROM sea.customers c LEFT JOIN sea.bookings b ON b.customer_id = c.customer_id WHERE b.booking_id IS NULL

-- shipping: Stock of empty containers at the last day of each month by port
WITH ranked AS (
  SELECT s.*, ROW_NUMBER() OVER (PARTITION BY port_id, date_trunc('month', day) ORDER BY day DESC) AS rn FROM sea.port_stock s)
SELECT p.country_iso, p.name, r.day, r.empty_containers FROM ranked r JOIN sea.ports p USING (port_id) WHERE r.rn = 1

-- shipping: Average stock of each port in 2025
SELECT p.port_id, p.name, AVG(s.empty_containers) AS average_stock FROM sea.port_stock s JOIN sea.ports p USING (port_id)
WHERE s.day BETWEEN '2025-01-01' AND '2025-12-31' GROUP BY p.port_id, p.name

-- shipping: What share of the bookings was cancelled, by continent of the customer?
SELECT co.continent, AVG(CASE WHEN b.status = 'cancelled' THEN 1.0 ELSE 0.0 END) AS share_cancelled
FROM sea.bookings b JOIN sea.customers c USING (customer_id) JOIN sea.countries co ON co.iso = c.country_iso GROUP BY co.continent

-- shipping: What share of all charges is storage for each customer?
SELECT b.customer_id, SUM(ch.amount) / (SELECT SUM(amount) FROM sea.charges) AS share_of_all
FROM sea.charges ch JOIN sea.bookings b USING (booking_id) WHERE ch.kind = 'storage' GROUP BY b.customer_id

-- shipping: How much later than booked are bookings loaded, in whole weeks?
SELECT (loaded_on - booked_on) / 7 AS weeks, COUNT(*) AS bookings FROM sea.bookings WHERE loaded_on IS NOT NULL GROUP BY 1 ORDER BY 1

-- shipping: Which vessel waited longest between two legs?
SELECT l.vessel_id, l.departed_at - before.arrived_at AS waited
FROM sea.legs l JOIN sea.legs before ON before.leg_id = l.previous_leg_id ORDER BY waited DESC NULLS LAST LIMIT 1

-- shipping: Number of bookings and containers for the ten biggest customers, sorted by name
SELECT * FROM (
  SELECT c.customer_id, c.customer_name, COUNT(b.booking_id) AS bookings, SUM(b.containers) AS containers
  FROM sea.customers c JOIN sea.bookings b USING (customer_id) GROUP BY c.customer_id, c.customer_name
  ORDER BY containers DESC LIMIT 10) top ORDER BY customer_name

-- shipping: Legs and bookings by vessel
SELECT v.vessel_id, v.vessel_name, COUNT(DISTINCT l.leg_id) AS legs, COUNT(b.booking_id) AS bookings
FROM sea.vessels v LEFT JOIN sea.legs l USING (vessel_id) LEFT JOIN sea.bookings b USING (leg_id) GROUP BY v.vessel_id, v.vessel_name

-- shipping: Miles of each vessel in the current year
SELECT v.vessel_name, SUM(l.miles) AS miles FROM sea.legs l JOIN sea.vessels v USING (vessel_id)
WHERE l.departed_at >= date_trunc('year', now()) GROUP BY v.vessel_id, v.vessel_name

-- shipping: The first charge of every booking
SELECT ch.booking_id, ch.charge_id, ch.amount FROM sea.charges ch
JOIN (SELECT booking_id, MIN(charge_id) AS charge_id FROM sea.charges GROUP BY booking_id) f ON f.charge_id = ch.charge_id

-- shipping: Days with less than 100 empty containers, by port, with the day before
SELECT t.port_id, t.day, t.empty_containers, y.empty_containers AS day_before
FROM sea.port_stock t LEFT JOIN sea.port_stock y ON y.port_id = t.port_id AND y.day = t.day - 1 WHERE t.empty_containers < 100

-- shipping: How many bookings per customer on average?
SELECT COUNT(*)::numeric / COUNT(DISTINCT customer_id) AS bookings_per_customer FROM sea.bookings

-- shipping: Compare Hamburg and Rotterdam by the number of arrivals
SELECT p.name, COUNT(*) AS arrivals FROM sea.legs l JOIN sea.ports p ON p.port_id = l.to_port_id
WHERE p.name IN ('Hamburg', 'Rotterdam') GROUP BY p.name

-- shipping: Bookings per month of 2025 with zero for quiet months
WITH m AS (SELECT generate_series('2025-01-01'::date, '2025-12-01'::date, '1 month'::interval)::date AS month)
SELECT m.month, COUNT(b.booking_id) AS bookings FROM m LEFT JOIN sea.bookings b ON date_trunc('month', b.booked_on) = m.month GROUP BY m.month

-- shipping: Names of vessels that appear twice
SELECT vessel_name, COUNT(*) AS vessels FROM sea.vessels GROUP BY vessel_name HAVING COUNT(*) > 1

-- shipping: How many distinct ports did each vessel visit?
SELECT l.vessel_id, COUNT(DISTINCT p) AS ports FROM (SELECT vessel_id, from_port_id AS p FROM sea.legs UNION SELECT vessel_id, to_port_id FROM sea.legs) l GROUP BY l.vessel_id

-- shipping: Customers whose charges are all paid
SELECT c.customer_id, c.customer_name FROM sea.customers c
WHERE EXISTS (SELECT 1 FROM sea.bookings b JOIN sea.charges ch USING (booking_id) WHERE b.customer_id = c.customer_id)
AND NOT EXISTS (SELECT 1 FROM sea.bookings b JOIN sea.charges ch USING (booking_id) WHERE b.customer_id = c.customer_id AND ch.paid_on IS NULL)

-- shipping: On how many days was something booked or loaded?
SELECT COUNT(*) AS days FROM (SELECT booked_on AS day FROM sea.bookings UNION SELECT loaded_on FROM sea.bookings) x

-- shipping: What amount has come in so far?
SELECT SUM(c.amount) AS charged_amount FROM sea.charges c WHERE c.paid_on <= NOW()

-- hospital: What do the treatments cost that we had to charge by now?
SELECT SUM(t.cost) AS due FROM treatments t WHERE t.billed_on IS NOT NULL AND CURRENT_DATE > t.billed_on

-- hospital: What does a treatment cost, averaged over the departments?
SELECT AVG(d.mean) AS cost FROM (
  SELECT a.department_id, AVG(t.cost) AS mean FROM treatments t JOIN admissions a ON a.admission_id = t.admission_id
  GROUP BY a.department_id
) d

-- hospital: Which three physicians treat most economically?
SELECT a.physician_id, AVG(t.cost) AS cost FROM treatments t JOIN admissions a ON a.admission_id = t.admission_id
GROUP BY a.physician_id ORDER BY cost LIMIT 3

-- subscriptions: Which is the most affordable plan?
SELECT p.plan_id, p.name, p.monthly_price FROM plans p ORDER BY p.monthly_price LIMIT 1

-- hospital: How many discharges were there in each month?
SELECT date_trunc('month', a.discharged_at AT TIME ZONE 'Europe/Vienna') AS month, COUNT(*) AS discharges
FROM admissions a WHERE a.discharged_at IS NOT NULL GROUP BY 1 ORDER BY 1

-- shipping: How many deliveries were there in 2025?
SELECT COUNT(*) AS deliveries FROM sea.bookings b WHERE b.delivered_on >= '2025-01-01' AND b.delivered_on < '2026-01-01'

-- shipping: Number of cancellations by month
SELECT date_trunc('month', b.cancelled_on) AS month, COUNT(*) AS cancellations FROM sea.bookings b
WHERE b.cancelled_on IS NOT NULL GROUP BY 1 ORDER BY 1

-- shipping: How many containers does a booking of each customer have on average, weighted with the miles of its leg?
SELECT b.customer_id, SUM(b.containers * l.miles)::numeric / NULLIF(SUM(l.miles), 0) AS weighted_containers
FROM sea.bookings b JOIN sea.legs l ON l.leg_id = b.leg_id
GROUP BY b.customer_id

-- subscriptions: What is the average invoice, weighted with the price of the plan?
SELECT ROUND(SUM(i.amount * p.monthly_price) / SUM(p.monthly_price), 2) AS weighted_invoice
FROM invoices i
JOIN subscriptions s ON s.subscription_id = i.subscription_id
JOIN plans p ON p.plan_id = s.plan_id

-- rail: For each run, how long is the stretch that leads back?
SELECT r.run_id, s.length_km FROM rail.runs r
JOIN rail.stretches s ON s.start_code = r.end_code AND s.end_code = r.start_code

-- rail: Which runs end in the home town of a customer who has an order?
SELECT DISTINCT r.run_id FROM rail.runs r
JOIN rail.customers c ON c.home_code = r.end_code
JOIN rail.orders o ON o.customer_id = c.customer_id

-- rail: What part of the seats was sold with each maker?
WITH sold AS (
  SELECT r.run_id, r.unit_id, COUNT(t.line_no) AS tickets FROM rail.runs r
  LEFT JOIN rail.tickets t ON t.run_id = r.run_id GROUP BY r.run_id, r.unit_id
)
SELECT y.maker, 1.0 * SUM(sold.tickets) / SUM(y.seats) AS sold_part
FROM sold JOIN rail.units u ON u.unit_id = sold.unit_id JOIN rail.unit_types y ON y.type_id = u.type_id
GROUP BY y.maker

-- rail: How many days before the run are tickets bought, on average, by class?
SELECT t.class, AVG(r.run_day - CAST(o.ordered_at AT TIME ZONE 'Europe/Zurich' AS date)) AS days_before
FROM rail.tickets t JOIN rail.runs r ON r.run_id = t.run_id JOIN rail.orders o ON o.order_id = t.order_id
GROUP BY t.class

-- rail: How often does each start code occur among the runs, next to the stretches from there?
WITH a AS (SELECT start_code, COUNT(*) AS runs FROM rail.runs GROUP BY start_code),
     b AS (SELECT start_code, COUNT(*) AS stretches FROM rail.stretches GROUP BY start_code)
SELECT b.start_code, b.stretches, COALESCE(a.runs, 0) AS runs FROM b LEFT JOIN a ON a.start_code = b.start_code

-- rail: How many passes began in each month of 2025?
SELECT date_trunc('month', starts_on) AS month, COUNT(*) AS passes FROM rail.passes
WHERE starts_on >= '2025-01-01' AND starts_on < '2026-01-01' GROUP BY 1

-- rail: How many passes started this year?
SELECT COUNT(*) AS passes FROM rail.passes WHERE starts_on >= date_trunc('year', CURRENT_DATE)

-- rail: What is the value of the passes that expire in March 2025?
SELECT SUM(price) AS value FROM rail.passes WHERE ends_on BETWEEN '2025-03-01' AND '2025-03-31'

-- rail: What did people pay for the runs of May 2025, by class?
SELECT t.class, SUM(t.fare) AS fares FROM rail.tickets t JOIN rail.runs r USING (run_id)
WHERE r.run_day BETWEEN '2025-05-01' AND '2025-05-31' GROUP BY t.class

-- rail: Average delay of each month
SELECT date_trunc('month', run_day) AS month, AVG(late_minutes) AS delay FROM rail.runs GROUP BY 1

-- rail: Which stations is no customer at home in?
SELECT s.code FROM rail.stations s WHERE s.code NOT IN (SELECT c.home_code FROM rail.customers c)

-- subscriptions: How many people use or opened a ticket for each account?
SELECT account_id, COUNT(*) AS people FROM (
  SELECT account_id, user_id FROM users
  UNION
  SELECT account_id, opened_by FROM tickets
) p GROUP BY account_id

-- shipping: Bookings of each leg, with those of the customers from Greece
WITH taken AS (
  SELECT l.leg_id, b.booking_id, COALESCE(c.country_iso, '?') AS country_iso
  FROM sea.legs l LEFT JOIN sea.bookings b ON b.leg_id = l.leg_id LEFT JOIN sea.customers c ON c.customer_id = b.customer_id
)
SELECT leg_id, COUNT(booking_id) AS bookings FROM taken WHERE country_iso IN ('GR', '?') GROUP BY leg_id

-- rail: Which nicknames do several units have?
SELECT nickname, COUNT(*) AS units FROM rail.units GROUP BY nickname HAVING COUNT(*) > 1

-- chinook: Which titles occur on two or more albums?
SELECT title, COUNT(album_id) AS albums FROM album GROUP BY title HAVING COUNT(album_id) >= 2

-- rail: What is the mean of the average delays of all stretches?
SELECT AVG(delay) AS mean_delay FROM (
  SELECT start_code, end_code, AVG(late_minutes) AS delay FROM rail.runs GROUP BY start_code, end_code) x

-- hospital: What does a treatment cost on average if each physician counts equally?
SELECT AVG(mean_cost) AS cost FROM (
  SELECT a.physician_id, AVG(t.cost) AS mean_cost FROM treatments t
  JOIN admissions a ON a.admission_id = t.admission_id GROUP BY a.physician_id) x

-- northwind: For each product, what is its share of the revenue of its category?
SELECT p.category_id, p.product_id,
       SUM(od.unit_price * od.quantity) / SUM(SUM(od.unit_price * od.quantity)) OVER (PARTITION BY p.category_id) AS share
FROM order_details od JOIN products p ON p.product_id = od.product_id GROUP BY p.category_id, p.product_id

-- subscriptions: Accounts for each country with the percentage of the accounts in the region
SELECT c.region, c.country_code, COUNT(*) AS accounts,
       100.0 * COUNT(*) / SUM(COUNT(*)) OVER (PARTITION BY c.region) AS pct
FROM countries c JOIN accounts a ON a.country_code = c.country_code GROUP BY c.region, c.country_code

-- rail: Which are the best-performing stretches, by average delay?
SELECT start_code, end_code, AVG(late_minutes) AS avg_delay FROM rail.runs
GROUP BY start_code, end_code ORDER BY avg_delay LIMIT 3

-- northwind: What is the best price for product 7?
SELECT MIN(unit_price) AS best_price FROM order_details WHERE product_id = 7

-- rail: How many kilometers did each customer travel?
SELECT o.customer_id, SUM(s.length_km) AS km
FROM rail.tickets t JOIN rail.orders o ON o.order_id = t.order_id JOIN rail.runs r ON r.run_id = t.run_id
JOIN rail.stretches s ON s.start_code = r.start_code AND s.end_code = r.end_code
GROUP BY o.customer_id

-- rail: How far did unit 12 run in 2025 and in 2024?
SELECT SUM(x.length_km) AS km FROM (
  SELECT s.length_km FROM rail.runs r JOIN rail.stretches s USING (start_code, end_code) JOIN rail.units u USING (unit_id)
  WHERE u.unit_id = 12 AND r.run_day BETWEEN '2025-01-01' AND '2025-12-31'
  UNION ALL
  SELECT s.length_km FROM rail.runs r JOIN rail.stretches s USING (start_code, end_code) JOIN rail.units u USING (unit_id)
  WHERE u.unit_id = 12 AND r.run_day BETWEEN '2024-01-01' AND '2024-12-31') x

-- subscriptions: For every country, its share of the accounts of each region
SELECT c.region, c.country_code, 1.0 * COUNT(*) / SUM(COUNT(*)) OVER (PARTITION BY c.region) AS share
FROM countries c JOIN accounts a ON a.country_code = c.country_code GROUP BY c.region, c.country_code

-- rail: Which unit type is the emptiest, by the seats that are free on average?
with free as (select u.type_id, r.run_id, max(y.seats) - count(t.line_no) as free_seats from rail.runs r
join rail.units u on u.unit_id = r.unit_id join rail.unit_types y on y.type_id = u.type_id
left join rail.tickets t on t.run_id = r.run_id group by u.type_id, r.run_id)
select type_id, avg(free_seats) as free_seats from free group by type_id order by free_seats desc limit 1

-- rail: What share of all tickets was sold in class 1?
select 100.0 * count(*) / (select count(*) from rail.tickets) as percent from rail.tickets where class = '1'

-- rail: What is the latest of the first runs of each unit?
select max(first_run) as latest_first_run from (select unit_id, min(run_day) as first_run from rail.runs group by unit_id) as f

-- rail: On how many days did a pass begin or end?
with moved as (select starts_on as day from rail.passes union select ends_on from rail.passes)
select count(*) as days from moved

-- northwind: What share of the freight of the last day with orders went to each country?
select ship_country, sum(freight) / (select sum(freight) from orders
where order_date = (select max(order_date) from orders)) as share from orders o
where o.order_date = (select max(order_date) from orders) group by ship_country

-- northwind: What share of the freight of German customers' orders goes to each country?
select ship_country, sum(freight) / (select sum(freight) from orders
where customer_id in (select customer_id from customers where country = 'Germany')) as share
from orders o where o.customer_id in (select customer_id from customers where country = 'Germany')
group by ship_country

-- subscriptions: How many tickets of each agent were settled in February 2026?
select assigned_to, count(*) filter (where closed_at >= timestamptz '2026-02-01 00:00 Europe/Vienna'
and closed_at < timestamptz '2026-03-01 00:00 Europe/Vienna') as settled from tickets group by assigned_to
