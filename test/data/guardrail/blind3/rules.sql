-- Pairs of a wrong and a right query about three databases, in the form of ../rules.sql.

-- water left_join_filtered: List every technician with the number of leak jobs opened in the last quarter of 2024, including technicians who had none.
select t.technician_id, t.technician_name, count(w.work_order_id) as leak_jobs
from technicians t left join work_orders w on w.technician_id = t.technician_id
where w.kind = 'leak' and w.opened_at >= '2024-10-01' and w.opened_at < '2025-01-01'
group by t.technician_id, t.technician_name order by leak_jobs desc
-- right
select t.technician_id, t.technician_name, count(w.work_order_id) as leak_jobs
from technicians t left join work_orders w on w.technician_id = t.technician_id
 and w.kind = 'leak' and w.opened_at >= '2024-10-01' and w.opened_at < '2025-01-01'
group by t.technician_id, t.technician_name order by leak_jobs desc

-- airline left_join_filtered: How many flights did each pilot command in July 2024? Show pilots without any as 0.
with roster as (
  select p.pilot_id, p.pilot_name, c.duty, f.flight_id, f.scheduled_departure
  from pilots p left join crew_assignments c on c.pilot_id = p.pilot_id left join flights f on f.flight_id = c.flight_id)
select pilot_id, pilot_name, count(flight_id) as flights_commanded from roster
where duty = 'commander' and scheduled_departure >= '2024-07-01' and scheduled_departure < '2024-08-01'
group by pilot_id, pilot_name order by 3 desc
-- right
with roster as (
  select p.pilot_id, p.pilot_name, c.duty, f.flight_id, f.scheduled_departure
  from pilots p left join crew_assignments c on c.pilot_id = p.pilot_id left join flights f on f.flight_id = c.flight_id)
select pilot_id, pilot_name, count(flight_id) filter (where duty = 'commander' and scheduled_departure >= '2024-07-01' and scheduled_departure < '2024-08-01') as flights_commanded
from roster group by pilot_id, pilot_name order by 3 desc

-- foundry left_join_filtered: For all clients, what was the order value in 2024? Clients who did not order should appear with zero.
select c.client_id, c.client_name, coalesce(sum(l.quantity * l.unit_price * (1 - l.discount)), 0) as order_value
from clients c
left join orders o using (client_id)
left join order_lines l using (order_id)
where extract(year from o.ordered_on) = 2024
group by c.client_id, c.client_name
-- right
select c.client_id, c.client_name, coalesce(sum(l.quantity * l.unit_price * (1 - l.discount)), 0) as order_value
from clients c
left join orders o on o.client_id = c.client_id and extract(year from o.ordered_on) = 2024
left join order_lines l using (order_id)
group by c.client_id, c.client_name

-- airline left_join_filtered: Show all aircraft and their total delay minutes in March 2024, also the ones that did not fly.
select a.tail_number, coalesce(sum(f.delay_minutes), 0) as delay_minutes
from flights f right join aircraft a on a.aircraft_id = f.aircraft_id
where f.status <> 'cancelled' and f.scheduled_departure >= '2024-03-01' and f.scheduled_departure < '2024-04-01'
group by a.tail_number
-- right
select a.tail_number, coalesce(sum(f.delay_minutes), 0) as delay_minutes
from (select * from flights where status <> 'cancelled' and scheduled_departure >= '2024-03-01' and scheduled_departure < '2024-04-01') f
right join aircraft a on a.aircraft_id = f.aircraft_id
group by a.tail_number

-- water limit_without_order: Which five customers owed the most at the end of 2024?
select c.customer_id, c.customer_name, b.balance, rank() over (order by b.balance desc) as position
from account_balances b join customers c on c.customer_id = b.customer_id
where b.as_of = date '2024-12-31' limit 5
-- right
select c.customer_id, c.customer_name, b.balance, rank() over (order by b.balance desc) as position
from account_balances b join customers c on c.customer_id = b.customer_id
where b.as_of = date '2024-12-31' order by position limit 5

-- airline limit_without_order: Show our ten latest bookings with the passenger's name.
select r.booking_id, r.booked_at, p.passenger_name
from (select booking_id, passenger_id, booked_at from bookings limit 10) r
join passengers p on p.passenger_id = r.passenger_id order by r.booked_at desc
-- right
select r.booking_id, r.booked_at, p.passenger_name
from (select booking_id, passenger_id, booked_at from bookings order by booked_at desc limit 10) r
join passengers p on p.passenger_id = r.passenger_id order by r.booked_at desc

-- foundry limit_without_order: For every batch poured in December 2024, what hardness did its latest inspection measure?
select b.batch_id, li.inspected_on, li.hardness
from batches b cross join lateral (select i.inspected_on, i.hardness from inspections i where i.batch_id = b.batch_id limit 1) li
where b.poured_at >= '2024-12-01' and b.poured_at < '2025-01-01' order by b.batch_id
-- right
select b.batch_id, li.inspected_on, li.hardness
from batches b cross join lateral (select i.inspected_on, i.hardness from inspections i where i.batch_id = b.batch_id order by i.inspected_on desc, i.inspection_id desc limit 1) li
where b.poured_at >= '2024-12-01' and b.poured_at < '2025-01-01' order by b.batch_id

-- water limit_without_order: Which meter model was installed first at each premise?
select p.premise_id, p.street, (select m.model from meters m where m.premise_id = p.premise_id limit 1) as first_model
from premises p order by p.premise_id
-- right
select p.premise_id, p.street, (select m.model from meters m where m.premise_id = p.premise_id order by m.installed_on limit 1) as first_model
from premises p order by p.premise_id

-- water wrong_end: Which technician has been with the utility the longest?
select technician_id, technician_name, hired_on from technicians order by hired_on desc limit 1
-- right
select technician_id, technician_name, hired_on from technicians order by hired_on limit 1

-- airline wrong_end: Which route had the highest average delay in 2024?
with d as (
 select origin_code, destination_code, avg(delay_minutes) as mean_delay
 from flights where status = 'flown' and scheduled_departure >= '2024-01-01' and scheduled_departure < '2025-01-01'
 group by origin_code, destination_code),
r as (select d.*, rank() over (order by mean_delay) as rk from d)
select origin_code, destination_code, mean_delay from r where rk = 1
-- right
with d as (
 select origin_code, destination_code, avg(delay_minutes) as mean_delay
 from flights where status = 'flown' and scheduled_departure >= '2024-01-01' and scheduled_departure < '2025-01-01'
 group by origin_code, destination_code),
r as (select d.*, rank() over (order by mean_delay desc) as rk from d)
select origin_code, destination_code, mean_delay from r where rk = 1

-- foundry wrong_end: Show the most recent batch poured on each machine.
select distinct on (m.machine_id) m.machine_id, m.machine_name, b.batch_id, b.poured_at
from machines m join batches b on b.machine_id = m.machine_id order by m.machine_id, b.poured_at
-- right
select distinct on (m.machine_id) m.machine_id, m.machine_name, b.batch_id, b.poured_at
from machines m join batches b on b.machine_id = m.machine_id order by m.machine_id, b.poured_at desc

-- foundry wrong_end: What is the cheapest product in our list?
select product_code, product_name, list_price from products where list_price = (select max(list_price) from products)
-- right
select product_code, product_name, list_price from products where list_price = (select min(list_price) from products)

-- water union_loses_rows: What did work orders opened in 2024 cost in total, parts and labor together?
select sum(cost) as total_cost from (
 select parts_cost as cost from work_orders where opened_at >= '2024-01-01' and opened_at < '2025-01-01'
 union
 select w.labor_minutes / 60.0 * t.hourly_rate from work_orders w join technicians t on t.technician_id = w.technician_id
 where w.opened_at >= '2024-01-01' and w.opened_at < '2025-01-01') x
-- right
select sum(cost) as total_cost from (
 select parts_cost as cost from work_orders where opened_at >= '2024-01-01' and opened_at < '2025-01-01'
 union all
 select w.labor_minutes / 60.0 * t.hourly_rate from work_orders w join technicians t on t.technician_id = w.technician_id
 where w.opened_at >= '2024-01-01' and w.opened_at < '2025-01-01') x

-- airline union_loses_rows: How many departures and arrivals together did each airport handle in 2024?
with movements as (
 select origin_code as airport, scheduled_departure::date as day from flights where status = 'flown'
 union
 select destination_code, scheduled_departure::date from flights where status = 'flown')
select airport, count(*) as movements from movements
where day between '2024-01-01' and '2024-12-31' group by airport order by 2 desc
-- right
with movements as (
 select origin_code as airport, scheduled_departure::date as day from flights where status = 'flown'
 union all
 select destination_code, scheduled_departure::date from flights where status = 'flown')
select airport, count(*) as movements from movements
where day between '2024-01-01' and '2024-12-31' group by airport order by 2 desc

-- foundry union_loses_rows: How many minutes did each machine stop because of power problems or tool wear?
with lost as (
 select machine_id, minutes from stoppages where reason = 'power'
 union select machine_id, minutes from stoppages where reason = 'tool wear')
select m.machine_id, m.machine_name, sum(lost.minutes) as minutes_lost
from lost join machines m using (machine_id) group by m.machine_id, m.machine_name
-- right
with lost as (
 select machine_id, minutes from stoppages where reason = 'power'
 union all select machine_id, minutes from stoppages where reason = 'tool wear')
select m.machine_id, m.machine_name, sum(lost.minutes) as minutes_lost
from lost join machines m using (machine_id) group by m.machine_id, m.machine_name

-- airline union_loses_rows: What is the average compensation across delay and baggage complaints?
select round(avg(compensation), 2) as mean_compensation
from (select compensation from complaints where category = 'delay' union select compensation from complaints where category = 'baggage') as both_kinds
-- right
select round(avg(compensation), 2) as mean_compensation
from (select compensation from complaints where category = 'delay' union all select compensation from complaints where category = 'baggage') as both_kinds

-- water not_in_null: Which technicians supervise no one?
select technician_id, technician_name from technicians where technician_id not in (select supervisor_id from technicians)
-- right
select technician_id, technician_name from technicians where technician_id not in (select supervisor_id from technicians where supervisor_id is not null)

-- airline not_in_null: Which aircraft were not scheduled on any flight in January 2024?
select a.tail_number, a.model from aircraft a
where a.aircraft_id not in (select f.aircraft_id from flights f where f.scheduled_departure >= '2024-01-01' and f.scheduled_departure < '2024-02-01')
-- right
select a.tail_number, a.model from aircraft a
where not exists (select 1 from flights f where f.aircraft_id = a.aircraft_id and f.scheduled_departure >= '2024-01-01' and f.scheduled_departure < '2024-02-01')

-- foundry not_in_null: In each plant, how many employees have never inspected a batch?
select plant_id, count(*) filter (where employee_id not in (select inspector_id from inspections)) as never_inspected
from employees where plant_id is not null group by plant_id
-- right
select plant_id, count(*) filter (where employee_id not in (select inspector_id from inspections where inspector_id is not null)) as never_inspected
from employees where plant_id is not null group by plant_id

-- water not_in_null: List the meters that have not been replaced by another meter.
with replaced as (select replaces_meter_id as meter_id from meters)
select m.meter_id, m.serial_number from meters m where m.meter_id not in (select meter_id from replaced)
-- right
with replaced as (select replaces_meter_id as meter_id from meters where replaces_meter_id is not null)
select m.meter_id, m.serial_number from meters m where m.meter_id not in (select meter_id from replaced)

-- foundry integer_division: What share of the pieces cast in 2024 was scrap, per product family?
select p.family, sum(b.scrap_units) / sum(b.good_units + b.scrap_units) as scrap_share
from batches b join products p using (product_id)
where b.poured_at >= '2024-01-01' and b.poured_at < '2025-01-01' group by p.family
-- right
select p.family, sum(b.scrap_units)::numeric / sum(b.good_units + b.scrap_units) as scrap_share
from batches b join products p using (product_id)
where b.poured_at >= '2024-01-01' and b.poured_at < '2025-01-01' group by p.family

-- airline integer_division: What percentage of booked segments was actually boarded, by cabin?
select cabin, round(count(*) filter (where boarded) / count(*) * 100, 1) as boarded_pct from segments group by cabin
-- right
select cabin, round(count(*) filter (where boarded) * 100.0 / count(*), 1) as boarded_pct from segments group by cabin

-- water integer_division: How many hours of labor did each technician log in 2024?
select t.technician_id, t.technician_name, sum(w.labor_minutes / 60) as labor_hours
from technicians t join work_orders w on w.technician_id = t.technician_id
where w.opened_at >= '2024-01-01' and w.opened_at < '2025-01-01' group by 1, 2
-- right
select t.technician_id, t.technician_name, sum(w.labor_minutes) / 60.0 as labor_hours
from technicians t join work_orders w on w.technician_id = t.technician_id
where w.opened_at >= '2024-01-01' and w.opened_at < '2025-01-01' group by 1, 2

-- airline integer_division: On average, how many bookings does a passenger who books make, for each tier?
with per_tier as (
 select p.tier, count(b.booking_id) as bookings, count(distinct p.passenger_id) as travellers
 from passengers p join bookings b on b.passenger_id = p.passenger_id where p.tier is not null group by p.tier)
select tier, bookings / travellers as bookings_per_passenger from per_tier order by 2 desc
-- right
with per_tier as (
 select p.tier, count(b.booking_id) as bookings, count(distinct p.passenger_id) as travellers
 from passengers p join bookings b on b.passenger_id = p.passenger_id where p.tier is not null group by p.tier)
select tier, bookings::numeric / travellers as bookings_per_passenger from per_tier order by 2 desc

-- foundry metric_name: What was the order value per month in 2024?
select date_trunc('month', o.ordered_on)::date as month, sum(l.quantity * l.unit_price) as order_value
from orders o join order_lines l on l.order_id = o.order_id
where o.ordered_on >= date '2024-01-01' and o.ordered_on < date '2025-01-01' group by 1 order by 1
-- right
select date_trunc('month', o.ordered_on)::date as month, sum(l.quantity * l.unit_price - l.quantity * l.unit_price * l.discount) as order_value
from orders o join order_lines l on l.order_id = o.order_id
where o.ordered_on >= date '2024-01-01' and o.ordered_on < date '2025-01-01' group by 1 order by 1

-- water metric_name: What is the net billed amount per customer type for 2023?
select c.customer_type, sum(i.amount - i.late_fee) as net_billed
from invoices i join customers c using (customer_id)
where i.issued_on between '2023-01-01' and '2023-12-31' group by c.customer_type
-- right
select c.customer_type, sum(i.amount - coalesce(i.late_fee, 0)) as net_billed
from invoices i join customers c using (customer_id)
where i.issued_on between '2023-01-01' and '2023-12-31' group by c.customer_type

-- foundry metric_name: Compare the first pass rate of the three plants.
with checks as (
 select m.plant_id, i.defects, i.passed from inspections i join batches b using (batch_id) join machines m using (machine_id))
select p.plant_name, avg(case when k.defects = 0 then 1.0 else 0.0 end) as first_pass_rate
from checks k join plants p using (plant_id) group by p.plant_name
-- right
with checks as (
 select m.plant_id, i.defects, i.passed from inspections i join batches b using (batch_id) join machines m using (machine_id))
select p.plant_name, avg(case when k.passed then 1.0 else 0.0 end) as first_pass_rate
from checks k join plants p using (plant_id) group by p.plant_name

-- airline metric_name: How was our punctuality in each quarter of 2024?
select date_trunc('quarter', scheduled_departure)::date as quarter,
 round(count(*) filter (where delay_minutes = 0)::numeric / nullif(count(delay_minutes), 0), 3) as punctuality
from flights where scheduled_departure >= '2024-01-01' and scheduled_departure < '2025-01-01' group by 1 order by 1
-- right
select date_trunc('quarter', scheduled_departure)::date as quarter,
 round(count(*) filter (where delay_minutes <= 15)::numeric / nullif(count(delay_minutes), 0), 3) as punctuality
from flights where scheduled_departure >= '2024-01-01' and scheduled_departure < '2025-01-01' group by 1 order by 1

-- water count_of_joined_rows: How many customers received an invoice above 190 dollars in 2024?
select count(*) as customers from customers c join invoices i on i.customer_id = c.customer_id
where i.amount > 190 and i.issued_on >= '2024-01-01' and i.issued_on < '2025-01-01'
-- right
select count(*) as customers from customers c
where exists (select 1 from invoices i where i.customer_id = c.customer_id and i.amount > 190 and i.issued_on >= '2024-01-01' and i.issued_on < '2025-01-01')

-- foundry count_of_joined_rows: For each country, how many orders included gears?
select c.country, count(*) as order_count
from clients c join orders o using (client_id) join order_lines l using (order_id) join products p using (product_id)
where p.family = 'gears' group by c.country order by order_count desc
-- right
select c.country, count(distinct o.order_id) as order_count
from clients c join orders o using (client_id) join order_lines l using (order_id) join products p using (product_id)
where p.family = 'gears' group by c.country order by order_count desc

-- airline count_of_joined_rows: How many complaints has each passenger of the gold tier filed? Include those without complaints.
select p.passenger_id, p.passenger_name, count(*) as complaints
from passengers p
left join bookings b on b.passenger_id = p.passenger_id
left join segments s on s.booking_id = b.booking_id
left join complaints c on c.segment_id = s.segment_id
where p.tier = 'gold' group by p.passenger_id, p.passenger_name
-- right
select p.passenger_id, p.passenger_name, count(c.complaint_id) as complaints
from passengers p
left join bookings b on b.passenger_id = p.passenger_id
left join segments s on s.booking_id = b.booking_id
left join complaints c on c.segment_id = s.segment_id
where p.tier = 'gold' group by p.passenger_id, p.passenger_name

-- foundry count_of_joined_rows: How many batches with at least one defect did each plant produce?
with faulty as (
 select m.plant_id, b.batch_id, i.defects from batches b
 join machines m on m.machine_id = b.machine_id join inspections i on i.batch_id = b.batch_id where i.defects > 0)
select p.plant_name, count(*) as faulty_batches from faulty f join plants p on p.plant_id = f.plant_id group by p.plant_name
-- right
with faulty as (
 select m.plant_id, b.batch_id, i.defects from batches b
 join machines m on m.machine_id = b.machine_id join inspections i on i.batch_id = b.batch_id where i.defects > 0)
select p.plant_name, count(distinct f.batch_id) as faulty_batches from faulty f join plants p on p.plant_id = f.plant_id group by p.plant_name

-- airline count_of_values: How many passengers booked through the app in 2024?
select count(passenger_id) as passengers from bookings where channel = 'app' and booked_at >= '2024-01-01' and booked_at < '2025-01-01'
-- right
select count(distinct passenger_id) as passengers from bookings where channel = 'app' and booked_at >= '2024-01-01' and booked_at < '2025-01-01'

-- water count_of_values: How many customers do we serve in each district?
select d.district_name, count(p.customer_id) as customer_count
from districts d left join premises p using (district_id) group by d.district_id, d.district_name
-- right
select d.district_name, count(distinct p.customer_id) as customer_count
from districts d left join premises p using (district_id) group by d.district_id, d.district_name

-- foundry count_of_values: By year, how many machines were affected by power stoppages, and for how long?
select extract(year from began_at)::int as year, count(machine_id) as machines_affected, sum(minutes) as minutes
from stoppages where reason = 'power' group by 1 order by 1
-- right
select extract(year from began_at)::int as year, count(distinct machine_id) as machines_affected, sum(minutes) as minutes
from stoppages where reason = 'power' group by 1 order by 1

-- airline count_of_values: How many different passengers flew to Copenhagen?
select count(distinct p.passenger_name) as passengers
from passengers p join bookings b using (passenger_id) join segments s using (booking_id) join flights f using (flight_id)
where f.destination_code = 'CPH' and s.boarded
-- right
select count(distinct p.passenger_id) as passengers
from passengers p join bookings b using (passenger_id) join segments s using (booking_id) join flights f using (flight_id)
where f.destination_code = 'CPH' and s.boarded

-- foundry average_of_averages: What is the average hardness of castings by plant?
select p.plant_name, avg(per_machine.mean_hardness) as average_hardness
from (select b.machine_id, avg(i.hardness) as mean_hardness from inspections i join batches b using (batch_id) group by b.machine_id) per_machine
join machines m using (machine_id) join plants p using (plant_id) group by p.plant_name
-- right
select p.plant_name, avg(i.hardness) as average_hardness
from inspections i join batches b using (batch_id) join machines m using (machine_id) join plants p using (plant_id) group by p.plant_name

-- airline average_of_averages: What was the overall share of flown flights in 2024?
with monthly as (
 select date_trunc('month', scheduled_departure) as month, 100.0 * count(*) filter (where status = 'flown') / count(*) as pct_flown
 from flights where scheduled_departure >= '2024-01-01' and scheduled_departure < '2025-01-01' group by 1)
select round(avg(pct_flown), 2) as share_flown from monthly
-- right
with monthly as (
 select date_trunc('month', scheduled_departure) as month, count(*) filter (where status = 'flown') as flown, count(*) as planned
 from flights where scheduled_departure >= '2024-01-01' and scheduled_departure < '2025-01-01' group by 1)
select round(100.0 * sum(flown) / sum(planned), 2) as share_flown from monthly

-- airline average_of_averages: Show the average fare of each cabin next to the average fare overall.
select cabin, avg(fare) as mean_fare, avg(avg(fare)) over () as overall_mean_fare from segments group by cabin
-- right
select cabin, avg(fare) as mean_fare, sum(sum(fare)) over () / sum(count(*)) over () as overall_mean_fare from segments group by cabin

-- water average_of_averages: How long does it take us on average to close a work order, across all districts, in hours?
with by_district as (
 select p.district_id, avg(extract(epoch from closed_at - opened_at) / 3600) as mean_hours, count(*) as orders
 from work_orders w join premises p using (premise_id) where closed_at is not null group by p.district_id)
select sum(mean_hours) / count(*) as mean_hours_to_close from by_district
-- right
with by_district as (
 select p.district_id, avg(extract(epoch from closed_at - opened_at) / 3600) as mean_hours, count(*) as orders
 from work_orders w join premises p using (premise_id) where closed_at is not null group by p.district_id)
select sum(mean_hours * orders) / sum(orders) as mean_hours_to_close from by_district

-- water group_by_name: Who are our ten customers with the highest billing in 2024?
select c.customer_name, sum(i.amount) as billed from customers c join invoices i using (customer_id)
where i.issued_on >= '2024-01-01' and i.issued_on < '2025-01-01' group by c.customer_name order by billed desc limit 10
-- right
select c.customer_id, c.customer_name, sum(i.amount) as billed from customers c join invoices i using (customer_id)
where i.issued_on >= '2024-01-01' and i.issued_on < '2025-01-01' group by c.customer_id, c.customer_name order by billed desc limit 10

-- airline group_by_name: Give me the last booking of every passenger.
select distinct on (p.passenger_name) p.passenger_name, b.booking_id, b.booked_at
from passengers p join bookings b on b.passenger_id = p.passenger_id order by p.passenger_name, b.booked_at desc
-- right
select distinct on (p.passenger_id) p.passenger_name, b.booking_id, b.booked_at
from passengers p join bookings b on b.passenger_id = p.passenger_id order by p.passenger_id, b.booked_at desc

-- foundry group_by_name: For each client, which order was the biggest by units?
with sized as (
 select c.client_id, c.client_name, o.order_id, sum(l.quantity) as units
 from clients c join orders o using (client_id) join order_lines l using (order_id) group by c.client_id, c.client_name, o.order_id),
ranked as (select client_name, order_id, units, row_number() over (partition by client_name order by units desc, order_id) as rn from sized)
select client_name, order_id, units from ranked where rn = 1
-- right
with sized as (
 select c.client_id, c.client_name, o.order_id, sum(l.quantity) as units
 from clients c join orders o using (client_id) join order_lines l using (order_id) group by c.client_id, c.client_name, o.order_id),
ranked as (select client_name, order_id, units, row_number() over (partition by client_id order by units desc, order_id) as rn from sized)
select client_name, order_id, units from ranked where rn = 1

-- foundry group_by_name: How many hours did each machine stop in 2024?
select m.machine_name, sum(s.minutes) / 60.0 as hours_down from machines m join stoppages s using (machine_id)
where s.began_at >= '2024-01-01' and s.began_at < '2025-01-01' group by m.machine_name order by 2 desc
-- right
select p.plant_name, m.machine_name, sum(s.minutes) / 60.0 as hours_down from machines m join stoppages s using (machine_id) join plants p using (plant_id)
where s.began_at >= '2024-01-01' and s.began_at < '2025-01-01' group by p.plant_name, m.machine_name order by 3 desc

-- water wrong_total: What share of the 2024 billing does each customer type account for?
select c.customer_type, round(100 * sum(i.amount) / (select sum(amount) from invoices), 2) as pct
from invoices i join customers c using (customer_id)
where i.issued_on >= '2024-01-01' and i.issued_on < '2025-01-01' group by c.customer_type
-- right
select c.customer_type, round(100 * sum(i.amount) / (select sum(amount) from invoices where issued_on >= '2024-01-01' and issued_on < '2025-01-01'), 2) as pct
from invoices i join customers c using (customer_id)
where i.issued_on >= '2024-01-01' and i.issued_on < '2025-01-01' group by c.customer_type

-- airline wrong_total: Within each cabin, what percentage of the fares comes from each booking channel?
select s.cabin, b.channel, 100 * sum(s.fare) / sum(sum(s.fare)) over () as pct_of_cabin
from segments s join bookings b using (booking_id) group by s.cabin, b.channel order by 1, 3 desc
-- right
select s.cabin, b.channel, 100 * sum(s.fare) / sum(sum(s.fare)) over (partition by s.cabin) as pct_of_cabin
from segments s join bookings b using (booking_id) group by s.cabin, b.channel order by 1, 3 desc

-- foundry wrong_total: How is each plant's scrap split among the product families, in percent?
with scrap as (
 select m.plant_id, pr.family, sum(b.scrap_units) as scrap from batches b join machines m using (machine_id) join products pr using (product_id) group by m.plant_id, pr.family)
select p.plant_name, s.family, 100.0 * s.scrap / sum(s.scrap) over (partition by s.family) as pct
from scrap s join plants p using (plant_id) order by 1, 2
-- right
with scrap as (
 select m.plant_id, pr.family, sum(b.scrap_units) as scrap from batches b join machines m using (machine_id) join products pr using (product_id) group by m.plant_id, pr.family)
select p.plant_name, s.family, 100.0 * s.scrap / sum(s.scrap) over (partition by s.plant_id) as pct
from scrap s join plants p using (plant_id) order by 1, 2

-- foundry wrong_total: What share of the French order value does each product family bring?
with french as (
 select p.family, sum(l.quantity * l.unit_price * (1 - l.discount)) as value
 from order_lines l join products p using (product_id) join orders o using (order_id) join clients c using (client_id)
 where c.country = 'France' group by p.family),
total as (select sum(quantity * unit_price * (1 - discount)) as value from order_lines)
select f.family, f.value / t.value as share from french f cross join total t order by share desc
-- right
with french as (
 select p.family, sum(l.quantity * l.unit_price * (1 - l.discount)) as value
 from order_lines l join products p using (product_id) join orders o using (order_id) join clients c using (client_id)
 where c.country = 'France' group by p.family),
total as (select sum(value) as value from french)
select f.family, f.value / t.value as share from french f cross join total t order by share desc

-- water time_zone_shift: How many readings were taken per day in June 2024, Chicago time?
select (read_at at time zone 'UTC' at time zone 'America/Chicago')::date as day, count(*) as readings from readings
where read_at >= '2024-06-01 00:00 America/Chicago' and read_at < '2024-07-01 00:00 America/Chicago' group by 1 order by 1
-- right
select (read_at at time zone 'America/Chicago')::date as day, count(*) as readings from readings
where read_at >= '2024-06-01 00:00 America/Chicago' and read_at < '2024-07-01 00:00 America/Chicago' group by 1 order by 1

-- foundry time_zone_shift: At which hour of the day in Berlin do stoppages begin most often?
select extract(hour from began_at at time zone 'Europe/Berlin') as hour, count(*) as n from stoppages group by 1 order by n desc limit 1
-- right
select extract(hour from began_at at time zone 'UTC' at time zone 'Europe/Berlin') as hour, count(*) as n from stoppages group by 1 order by n desc limit 1

-- airline time_zone_shift: How do bookings spread over the hours of the day, in Oslo time?
with local as (select booking_id, timezone('Europe/Oslo', booked_at) as local_time from bookings)
select to_char(local_time, 'HH24') as hour, count(*) as bookings from local group by 1 order by 1
-- right
with local as (select booking_id, timezone('Europe/Oslo', timezone('UTC', booked_at)) as local_time from bookings)
select to_char(local_time, 'HH24') as hour, count(*) as bookings from local group by 1 order by 1

-- water time_zone_shift: How much did we bill on each day of March 2024, in local Chicago time?
select (issued_on at time zone 'America/Chicago')::date as day, sum(amount) as billed from invoices
where issued_on >= '2024-03-01' and issued_on < '2024-04-01' group by 1 order by 1
-- right
select issued_on as day, sum(amount) as billed from invoices
where issued_on >= '2024-03-01' and issued_on < '2024-04-01' group by 1 order by 1

-- water self_join_direction: List each technician together with the name of their supervisor.
select t.technician_id, t.technician_name, s.technician_name as supervisor_name
from technicians t left join technicians s on s.supervisor_id = t.technician_id order by 1
-- right
select t.technician_id, t.technician_name, s.technician_name as supervisor_name
from technicians t left join technicians s on t.supervisor_id = s.technician_id order by 1

-- foundry self_join_direction: How many people report directly to each manager?
select m.employee_id, m.employee_name as manager, count(e.employee_id) as direct_reports
from employees m join employees e on m.manager_id = e.employee_id group by m.employee_id, m.employee_name order by 3 desc
-- right
select m.employee_id, m.employee_name as manager, count(e.employee_id) as direct_reports
from employees m join employees e on e.manager_id = m.employee_id group by m.employee_id, m.employee_name order by 3 desc

-- airline self_join_direction: Who invited each gold passenger to the loyalty program?
with inviters as (select passenger_id, passenger_name, invited_by from passengers)
select p.passenger_id, p.passenger_name, inviters.passenger_name as invited_by_name
from passengers p left join inviters on inviters.invited_by = p.passenger_id where p.tier = 'gold'
-- right
with inviters as (select passenger_id, passenger_name, invited_by from passengers)
select p.passenger_id, p.passenger_name, inviters.passenger_name as invited_by_name
from passengers p left join inviters on inviters.passenger_id = p.invited_by where p.tier = 'gold'

-- foundry self_join_direction: List everyone who works under employee 4, directly or indirectly.
with recursive team as (
 select employee_id, employee_name, manager_id from employees where employee_id = 4
 union all
 select e.employee_id, e.employee_name, e.manager_id from employees e join team t on e.employee_id = t.manager_id)
select employee_id, employee_name from team where employee_id <> 4
-- right
with recursive team as (
 select employee_id, employee_name, manager_id from employees where employee_id = 4
 union all
 select e.employee_id, e.employee_name, e.manager_id from employees e join team t on e.manager_id = t.employee_id)
select employee_id, employee_name from team where employee_id <> 4

-- water other_date: How much did we bill in the first quarter of 2024?
select sum(amount) as billed_amount from invoices where due_on >= date '2024-01-01' and due_on < date '2024-04-01'
-- right
select sum(amount) as billed_amount from invoices where issued_on >= date '2024-01-01' and issued_on < date '2024-04-01'

-- airline other_date: Show the ticket revenue per month of 2024.
select to_char(b.booked_at, 'YYYY-MM') as month, sum(s.fare) as ticket_revenue
from segments s join bookings b using (booking_id)
where b.booked_at >= '2024-01-01' and b.booked_at < '2025-01-01' group by 1 order by 1
-- right
select to_char(f.scheduled_departure, 'YYYY-MM') as month, sum(s.fare) as ticket_revenue
from segments s join flights f using (flight_id)
where f.scheduled_departure >= '2024-01-01' and f.scheduled_departure < '2025-01-01' group by 1 order by 1

-- foundry other_date: Compare the order value of 2023 and 2024 for each country.
select c.country,
 sum(l.quantity * l.unit_price * (1 - l.discount)) filter (where extract(year from o.shipped_on) = 2023) as order_value_2023,
 sum(l.quantity * l.unit_price * (1 - l.discount)) filter (where extract(year from o.shipped_on) = 2024) as order_value_2024
from orders o join order_lines l using (order_id) join clients c using (client_id) group by c.country
-- right
select c.country,
 sum(l.quantity * l.unit_price * (1 - l.discount)) filter (where extract(year from o.ordered_on) = 2023) as order_value_2023,
 sum(l.quantity * l.unit_price * (1 - l.discount)) filter (where extract(year from o.ordered_on) = 2024) as order_value_2024
from orders o join order_lines l using (order_id) join clients c using (client_id) group by c.country

-- foundry other_date: Compare the order value of 2023 and 2024 by country.
select c.country,
 sum(l.quantity * l.unit_price * (1 - l.discount)) filter (where extract(year from o.ship_by) = 2023) as order_value_2023,
 sum(l.quantity * l.unit_price * (1 - l.discount)) filter (where extract(year from o.ship_by) = 2024) as order_value_2024
from orders o join order_lines l using (order_id) join clients c using (client_id) group by c.country
-- right
select c.country,
 sum(l.quantity * l.unit_price * (1 - l.discount)) filter (where extract(year from o.ordered_on) = 2023) as order_value_2023,
 sum(l.quantity * l.unit_price * (1 - l.discount)) filter (where extract(year from o.ordered_on) = 2024) as order_value_2024
from orders o join order_lines l using (order_id) join clients c using (client_id) group by c.country

-- foundry other_date: How many batches did we make in each half of 2024?
select sum(case when finished_at < '2024-07-01' then 1 else 0 end) as first_half, sum(case when finished_at >= '2024-07-01' then 1 else 0 end) as second_half
from batches where finished_at >= '2024-01-01' and finished_at < '2025-01-01'
-- right
select sum(case when poured_at < '2024-07-01' then 1 else 0 end) as first_half, sum(case when poured_at >= '2024-07-01' then 1 else 0 end) as second_half
from batches where poured_at >= '2024-01-01' and poured_at < '2025-01-01'

-- water joins_follow_model: How many work orders did each technician handle?
select t.technician_id, t.technician_name, count(distinct w.work_order_id) as work_orders
from work_orders w join premises p on p.premise_id = w.premise_id join technicians t on t.district_id = p.district_id
group by t.technician_id, t.technician_name
-- right
select t.technician_id, t.technician_name, count(distinct w.work_order_id) as work_orders
from work_orders w join premises p on p.premise_id = w.premise_id join technicians t on t.technician_id = w.technician_id
group by t.technician_id, t.technician_name

-- airline joins_follow_model: What fares were sold on flights out of Helsinki?
select f.flight_id, f.flight_number, sum(s.fare) as fares from flights f join segments s on s.booking_id = f.flight_id
where f.origin_code = 'HEL' group by f.flight_id, f.flight_number
-- right
select f.flight_id, f.flight_number, sum(s.fare) as fares from flights f join segments s on s.flight_id = f.flight_id
where f.origin_code = 'HEL' group by f.flight_id, f.flight_number

-- foundry joins_follow_model: What is the mean number of defects found in batches of each product?
with inspected as (select b.product_id, i.defects from batches b, inspections i where i.inspector_id = b.operator_id)
select p.product_code, avg(x.defects) as mean_defects from inspected x join products p on p.product_id = x.product_id group by p.product_code
-- right
with inspected as (select b.product_id, i.defects from batches b, inspections i where i.batch_id = b.batch_id)
select p.product_code, avg(x.defects) as mean_defects from inspected x join products p on p.product_id = x.product_id group by p.product_code

-- airline joins_follow_model: Which cabin do the unresolved complaints come from?
select (select s.cabin from segments s where s.segment_id = c.complaint_id) as cabin, count(*) as unresolved
from complaints c where c.resolved_on is null group by 1
-- right
select (select s.cabin from segments s where s.segment_id = c.segment_id) as cabin, count(*) as unresolved
from complaints c where c.resolved_on is null group by 1

-- foundry not_in_null: How many employees never inspected a batch?
select sum(case when employee_id not in (select inspector_id from inspections) then 1 else 0 end) as never from employees
-- right
select sum(case when employee_id not in (select inspector_id from inspections where inspector_id is not null) then 1 else 0 end) as never from employees

-- foundry not_in_null: Which operators have never inspected?
select operator_id, count(*) as batches from batches group by operator_id having operator_id not in (select inspector_id from inspections)
-- right
select operator_id, count(*) as batches from batches group by operator_id having operator_id not in (select inspector_id from inspections where inspector_id is not null)

-- water count_of_values: How many unique customers paid late in 2024?
select count(i.customer_id) as late_payers from invoices i where i.paid_on > i.due_on and i.issued_on >= '2024-01-01'
-- right
select count(distinct i.customer_id) as late_payers from invoices i where i.paid_on > i.due_on and i.issued_on >= '2024-01-01'

-- foundry wrong_total: How is each plant's scrap split among the product families, in percent?
with s as (select m.plant_id, pr.family, sum(b.scrap_units) as scrap from batches b join machines m using (machine_id) join products pr using (product_id) group by m.plant_id, pr.family) select plant_id, family, 100.0 * scrap / sum(scrap) over () as pct from s
-- right
with s as (select m.plant_id, pr.family, sum(b.scrap_units) as scrap from batches b join machines m using (machine_id) join products pr using (product_id) group by m.plant_id, pr.family) select plant_id, family, 100.0 * scrap / sum(scrap) over (partition by plant_id) as pct from s

-- foundry wrong_total: What share of each plant's scrap does each product family make up?
with s as (select m.plant_id, pr.family, sum(b.scrap_units) as scrap from batches b join machines m using (machine_id) join products pr using (product_id) group by m.plant_id, pr.family) select plant_id, family, 100.0 * scrap / sum(scrap) over (partition by family) as pct from s
-- right
with s as (select m.plant_id, pr.family, sum(b.scrap_units) as scrap from batches b join machines m using (machine_id) join products pr using (product_id) group by m.plant_id, pr.family) select plant_id, family, 100.0 * scrap / sum(scrap) over (partition by plant_id) as pct from s

-- foundry wrong_total: For each plant, what percentage of the scrap is from each product family?
with s as (select p.plant_name, pr.family, sum(b.scrap_units) as scrap from batches b join machines m using (machine_id) join plants p using (plant_id) join products pr using (product_id) group by p.plant_name, pr.family) select plant_name, family, 100.0 * scrap / sum(scrap) over (partition by family) as pct from s
-- right
with s as (select p.plant_name, pr.family, sum(b.scrap_units) as scrap from batches b join machines m using (machine_id) join plants p using (plant_id) join products pr using (product_id) group by p.plant_name, pr.family) select plant_name, family, 100.0 * scrap / sum(scrap) over (partition by plant_name) as pct from s

-- foundry self_join_direction: Show all managers above employee 4, up to the top.
with recursive managers as (select employee_id, employee_name, manager_id from employees where employee_id = 4 union all select e.employee_id, e.employee_name, e.manager_id from employees e join managers m on e.manager_id = m.employee_id) select employee_id, employee_name from managers
-- right
with recursive managers as (select employee_id, employee_name, manager_id from employees where employee_id = 4 union all select e.employee_id, e.employee_name, e.manager_id from employees e join managers m on e.employee_id = m.manager_id) select employee_id, employee_name from managers

-- foundry self_join_direction: Who reports to Anja Wolf?
select employee_name from employees where employee_id in (select manager_id from employees where employee_name = 'Anja Wolf')
-- right
select employee_name from employees where manager_id in (select employee_id from employees where employee_name = 'Anja Wolf')

-- water joins_follow_model: How many work orders did each technician handle?
select t.technician_id, count(*) as work_orders from work_orders w join premises p using (premise_id) join technicians t using (district_id) group by t.technician_id
-- right
select t.technician_id, count(*) as work_orders from work_orders w join technicians t using (technician_id) group by t.technician_id

-- foundry joins_follow_model: Which operators poured batches with more than 20 scrap units?
select b.batch_id, e.employee_name from batches b join machines m using (machine_id) join employees e on e.plant_id = m.plant_id where b.scrap_units > 20
-- right
select b.batch_id, e.employee_name from batches b join employees e on e.employee_id = b.operator_id where b.scrap_units > 20
