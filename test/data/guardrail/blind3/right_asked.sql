-- Queries that answer their question, in the form of ../right_asked.sql.

-- water: How many customers do we have?
select count(*) as customers from customers

-- water: How many customers of each type signed up since 2021?
select customer_type, count(*) as customers from customers where signed_up_on >= '2021-01-01' group by customer_type order by customers desc

-- water: What was the billed amount per month in 2024?
select date_trunc('month', issued_on)::date as month, sum(amount) as billed_amount from invoices where issued_on >= '2024-01-01' and issued_on < '2025-01-01' group by 1 order by 1

-- water: What percentage of invoices is fully paid, by customer type?
select c.customer_type, round(100.0 * count(i.paid_on) / count(*), 1) as paid_share from invoices i join customers c using (customer_id) group by c.customer_type

-- water: Which three districts used the most water in 2024?
select d.district_id, d.district_name, sum(r.volume_m3) as m3 from readings r join meters m using (meter_id) join premises p using (premise_id) join districts d using (district_id)
where r.read_at >= '2024-01-01' and r.read_at < '2025-01-01' group by d.district_id, d.district_name order by m3 desc limit 3

-- water: Show the first reading of each meter.
select r.* from readings r join (select meter_id, min(reading_id) as first_id from readings group by meter_id) f on f.first_id = r.reading_id order by r.meter_id

-- water: What was each customer's balance at the last month end?
select customer_id, balance from account_balances where as_of = (select max(as_of) from account_balances)

-- water: What did all customers together owe at the end of each month of 2024?
select as_of, sum(balance) as owed from account_balances where as_of between '2024-01-01' and '2024-12-31' group by as_of order by as_of

-- water: How did the total balance change from month to month?
select as_of, sum(balance) as owed, sum(balance) - lag(sum(balance)) over (order by as_of) as change from account_balances group by as_of order by as_of

-- water: Which premises have no meter?
select p.premise_id, p.street from premises p left join meters m on m.premise_id = p.premise_id where m.meter_id is null

-- water: Which customers have no premises?
select customer_id, customer_name from customers c where not exists (select 1 from premises p where p.customer_id = c.customer_id)

-- water: Which customers never got an invoice?
select customer_id, customer_name from customers where customer_id not in (select customer_id from invoices)

-- water: Which meters replaced an older one, and which?
select new.serial_number as new_meter, old.serial_number as old_meter, new.installed_on from meters new join meters old on old.meter_id = new.replaces_meter_id

-- water: For each meter that has been replaced, what is its successor?
select old.meter_id, old.serial_number, succ.serial_number as successor from meters old join meters succ on succ.replaces_meter_id = old.meter_id

-- water: How many technicians does each supervisor supervise?
select s.technician_id, s.technician_name, count(*) as supervised from technicians t join technicians s on s.technician_id = t.supervisor_id group by s.technician_id, s.technician_name order by supervised desc

-- water: Who earns more per hour than their supervisor?
select t.technician_id, t.technician_name, t.hourly_rate, s.hourly_rate as supervisor_rate from technicians t, technicians s where t.supervisor_id = s.technician_id and t.hourly_rate > s.hourly_rate

-- water: How many customers were referred by another customer?
select count(*) from customers where referred_by is not null

-- water: Which customers referred others?
select r.customer_id, r.customer_name, count(c.customer_id) as referred from customers r join customers c on c.referred_by = r.customer_id group by r.customer_id, r.customer_name

-- water: What is the median labor time per kind of work order?
select kind, percentile_cont(0.5) within group (order by labor_minutes) as median_minutes from work_orders where labor_minutes is not null group by kind

-- water: What is the average time to close a work order in hours by kind?
select kind, avg(extract(epoch from closed_at - opened_at)) / 3600 as mean_hours from work_orders where closed_at is not null group by kind

-- water: How many work orders were opened in each month of 2024, by kind?
select date_trunc('month', opened_at) as month, count(*) filter (where kind = 'leak') as leaks, count(*) filter (where kind = 'pressure') as pressure, count(*) as work_orders
from work_orders where opened_at >= '2024-01-01' and opened_at < '2025-01-01' group by 1 order by 1

-- water: How many readings were taken each day of May 2024 in Denver time?
select (read_at at time zone 'America/Denver')::date as day, count(*) as readings from readings where read_at >= timestamptz '2024-05-01 00:00 America/Denver' and read_at < timestamptz '2024-06-01 00:00 America/Denver' group by 1 order by 1

-- water: At what hour of the day, Chicago time, do payments arrive?
select extract(hour from received_at at time zone 'UTC' at time zone 'America/Chicago') as hour, count(*) as payments from payments group by 1 order by 1

-- water: Show the payments of each day in Denver time during the first week of 2024.
with p as (select payment_id, amount, (received_at at time zone 'utc') at time zone 'America/Denver' as local from payments)
select local::date as day, count(*) as payments, sum(amount) as amount from p where local >= '2024-01-01' and local < '2024-01-08' group by 1 order by 1

-- water: How much is still unpaid on invoices, by customer?
select c.customer_id, c.customer_name, sum(i.amount - coalesce(p.paid, 0)) as unpaid
from invoices i join customers c using (customer_id) left join (select invoice_id, sum(amount) as paid from payments group by invoice_id) p using (invoice_id)
group by c.customer_id, c.customer_name having sum(i.amount - coalesce(p.paid, 0)) > 0 order by unpaid desc

-- water: Which invoices are overdue today?
select invoice_id, customer_id, due_on, amount from invoices where paid_on is null and due_on < current_date order by due_on

-- water: How many days after issue are invoices paid on average?
select avg(paid_on - issued_on) as mean_days from invoices where paid_on is not null

-- water: How many invoices were paid in March 2024?
select count(*) as invoices_paid from invoices where paid_on >= '2024-03-01' and paid_on < '2024-04-01'

-- water: How many meters were installed each year?
select extract(year from installed_on)::int as year, count(*) as meters from meters group by 1 order by 1

-- water: What share of the billed amount of 2024 came from each customer type?
select c.customer_type, round(100 * sum(i.amount) / sum(sum(i.amount)) over (), 1) as pct from invoices i join customers c using (customer_id)
where i.issued_on >= '2024-01-01' and i.issued_on < '2025-01-01' group by c.customer_type

-- water: What share of each district's consumption is from each meter model?
select d.district_name, m.model, 100.0 * sum(r.volume_m3) / sum(sum(r.volume_m3)) over (partition by d.district_id) as pct
from readings r join meters m using (meter_id) join premises p using (premise_id) join districts d using (district_id) group by d.district_id, d.district_name, m.model order by 1, 3 desc

-- water: Which two customers have the highest billing in each customer type?
with t as (select c.customer_type, c.customer_id, c.customer_name, sum(i.amount) as billed from invoices i join customers c using (customer_id) group by 1, 2, 3)
select * from (select t.*, row_number() over (partition by customer_type order by billed desc) as rn from t) x where rn <= 2 order by customer_type, rn

-- water: Give me the latest closed work order of every technician.
select distinct on (t.technician_id) t.technician_id, t.technician_name, w.work_order_id, w.closed_at from technicians t join work_orders w using (technician_id)
where w.closed_at is not null order by t.technician_id, w.closed_at desc

-- water: What did technician Tess Young's jobs cost in parts?
select sum(w.parts_cost) as parts_spend from work_orders w join technicians t using (technician_id) where t.technician_name = 'Tess Young'

-- water: Show parts spend per district and kind with subtotals.
select d.district_name, w.kind, sum(w.parts_cost) as parts_spend from work_orders w join premises p using (premise_id) join districts d using (district_id)
group by grouping sets ((d.district_name, w.kind), (d.district_name), ()) order by 1, 2

-- water: How many work orders were opened on each day of February 2024, days without any included?
select d::date as day, count(w.work_order_id) as work_orders from generate_series(date '2024-02-01', date '2024-02-29', interval '1 day') d
left join work_orders w on w.opened_at >= d and w.opened_at < d + interval '1 day' group by d order by d

-- water: How many people are there per customer premises in each district? Population per premise.
select d.district_name, d.population::numeric / count(p.premise_id) as people_per_premise from districts d join premises p using (district_id) where d.population is not null group by d.district_id, d.district_name, d.population

-- water: What is the average consumption per reading, by method?
select method, avg(volume_m3) as average_consumption from readings group by method

-- water: Which customers have more than one premise?
select c.customer_id, c.customer_name, count(*) as premises from customers c join premises p on p.customer_id = c.customer_id group by c.customer_id having count(*) > 1

-- water: How many different technicians read meters in 2024?
select count(distinct technician_id) as technicians from readings where technician_id is not null and read_at >= '2024-01-01' and read_at < '2025-01-01'

-- water: How many names are shared by several customers?
select count(*) from (select customer_name from customers group by customer_name having count(*) > 1) d

-- water: How much late fee did we charge by quarter?
select date_trunc('quarter', issued_on)::date as quarter, coalesce(sum(late_fee), 0) as late_fees from invoices group by 1 order by 1

-- water: What is the net billed amount of 2023?
select sum(amount) - sum(coalesce(late_fee, 0)) as net_billed from invoices where issued_on >= '2023-01-01' and issued_on < '2024-01-01'

-- water: Which work orders have no technician yet?
select work_order_id, kind, opened_at from work_orders where technician_id is null and closed_at is null order by opened_at

-- water: Which technicians had no job in December 2024?
select technician_id, technician_name from technicians where technician_id not in (select technician_id from work_orders where opened_at >= '2024-12-01' and opened_at < '2025-01-01' and technician_id is not null)

-- water: Show five example invoices.
select * from invoices limit 5

-- water: How much did each payment channel bring in per year?
select channel, extract(year from received_at)::int as year, sum(amount) as received from payments group by channel, year order by channel, year

-- water: Compare consumption of June 2024 with June 2023 per district.
with c as (select p.district_id, sum(r.volume_m3) filter (where r.read_at >= '2023-06-01' and r.read_at < '2023-07-01') as june_2023,
 sum(r.volume_m3) filter (where r.read_at >= '2024-06-01' and r.read_at < '2024-07-01') as june_2024 from readings r join meters m using (meter_id) join premises p using (premise_id) group by p.district_id)
select d.district_name, c.june_2023, c.june_2024, round(100.0 * (c.june_2024 - c.june_2023) / nullif(c.june_2023, 0), 1) as change_pct from c join districts d using (district_id)

-- water: How late are readings typed in on average, in days?
select avg(entered_on - (read_at at time zone 'UTC')::date) as mean_days from readings

-- water: What is the invoice before each invoice of customer 12, and how did the amount change?
select invoice_id, issued_on, amount, amount - lag(amount) over (order by issued_on) as change from invoices where customer_id = 12 order by issued_on

-- water: Which customer type has the lowest average invoice?
select customer_type from customers join invoices using (customer_id) group by customer_type order by avg(amount) limit 1

-- water: Who is our most recently hired technician?
select technician_id, technician_name, hired_on from technicians where hired_on = (select max(hired_on) from technicians)

-- water: How many customers have an email address and how many do not?
select count(email) as with_email, count(*) - count(email) as without_email from customers

-- airline: How many flights were flown in 2024?
select count(*) as flights from flights where status = 'flown' and scheduled_departure >= '2024-01-01' and scheduled_departure < '2025-01-01'

-- airline: What is the completion rate per origin airport?
select a.airport_code, a.airport_name, 100.0 * count(*) filter (where f.status = 'flown') / count(*) as completion_rate from flights f join airports a on a.airport_code = f.origin_code group by a.airport_code, a.airport_name order by 3

-- airline: How many flights went between each pair of cities in 2024?
select o.city as from_city, d.city as to_city, count(*) as flights from flights f join airports o on o.airport_code = f.origin_code join airports d on d.airport_code = f.destination_code where f.scheduled_departure >= '2024-01-01' and f.scheduled_departure < '2025-01-01' group by o.city, d.city order by flights desc

-- airline: Ticket revenue per quarter?
select date_trunc('quarter', f.scheduled_departure) as quarter, sum(s.fare) as ticket_revenue from segments s join flights f on f.flight_id = s.flight_id group by 1 order by 1

-- airline: What is the average fare by cabin on routes from Oslo?
select s.cabin, avg(s.fare) as average_fare from segments s join flights f using (flight_id) where f.origin_code = 'OSL' group by s.cabin

-- airline: How many bookings were made per channel in 2024?
select channel, count(*) as bookings from bookings where booked_at >= '2024-01-01' and booked_at < '2025-01-01' group by channel order by bookings desc

-- airline: Which aircraft has the most seats?
select tail_number, model, seats from aircraft where seats = (select max(seats) from aircraft)

-- airline: Who is the longest-serving pilot?
select pilot_id, pilot_name, hired_on from pilots order by hired_on asc limit 1

-- airline: List each pilot with their mentor.
select p.pilot_id, p.pilot_name, m.pilot_name as mentor_name from pilots p left join pilots m on m.pilot_id = p.mentor_id order by p.pilot_id

-- airline: How many pilots does each mentor mentor?
select m.pilot_id, m.pilot_name, count(p.pilot_id) as mentees from pilots m left join pilots p on p.mentor_id = m.pilot_id where exists (select 1 from pilots x where x.mentor_id = m.pilot_id) group by m.pilot_id, m.pilot_name

-- airline: Which pilots mentor no one?
select p.pilot_id, p.pilot_name from pilots p left join pilots c on c.mentor_id = p.pilot_id where c.pilot_id is null

-- airline: How many flights did each pilot fly in 2024, zero included?
select p.pilot_id, p.pilot_name, count(f.flight_id) as flights from pilots p left join crew_assignments c on c.pilot_id = p.pilot_id
left join flights f on f.flight_id = c.flight_id and f.scheduled_departure >= '2024-01-01' and f.scheduled_departure < '2025-01-01' group by p.pilot_id, p.pilot_name order by flights desc

-- airline: Which pairs of pilots flew together most often? Top five.
select a.pilot_id as first_pilot, b.pilot_id as second_pilot, count(*) as flights from crew_assignments a join crew_assignments b on a.flight_id = b.flight_id and a.pilot_id < b.pilot_id group by 1, 2 order by flights desc limit 5

-- airline: What share of flights was more than 15 minutes late, by month of 2024?
select date_trunc('month', scheduled_departure)::date as month, 100.0 * sum(case when delay_minutes > 15 then 1 else 0 end) / count(delay_minutes) as late_pct
from flights where status = 'flown' and scheduled_departure >= '2024-01-01' and scheduled_departure < '2025-01-01' group by 1 order by 1

-- airline: How was punctuality per aircraft model?
select a.model, avg(case when f.delay_minutes <= 15 then 1.0 when f.delay_minutes > 15 then 0 end) as punctuality from flights f join aircraft a using (aircraft_id) group by a.model

-- airline: How full were our flown flights in 2024 on average, seats boarded over seats offered, by model?
with load as (select f.flight_id, a.model, a.seats, count(s.segment_id) filter (where s.boarded) as boarded from flights f join aircraft a using (aircraft_id) left join segments s using (flight_id)
 where f.status = 'flown' and f.scheduled_departure >= '2024-01-01' and f.scheduled_departure < '2025-01-01' group by f.flight_id, a.model, a.seats)
select model, round(100.0 * sum(boarded) / sum(seats), 2) as load_pct from load group by model

-- airline: How many passengers are in each tier?
select coalesce(tier, 'not enrolled') as tier, count(*) as passengers from passengers group by 1

-- airline: Which gold passengers never complained?
select p.passenger_id, p.passenger_name from passengers p where p.tier = 'gold' and not exists (select 1 from bookings b join segments s using (booking_id) join complaints c using (segment_id) where b.passenger_id = p.passenger_id)

-- airline: Which passengers have not booked since 2024 began?
select p.passenger_id, p.passenger_name from passengers p left join bookings b on b.passenger_id = p.passenger_id and b.booked_at >= '2024-01-01' where b.booking_id is null

-- airline: Show the top three passengers by fares in each tier.
with spent as (select p.tier, p.passenger_id, p.passenger_name, sum(s.fare) as fares from passengers p join bookings b using (passenger_id) join segments s using (booking_id) where p.tier is not null group by p.tier, p.passenger_id, p.passenger_name)
select tier, passenger_id, passenger_name, fares from (select *, dense_rank() over (partition by tier order by fares desc) as r from spent) z where r <= 3 order by tier, fares desc

-- airline: What are the last known mileage points of every passenger?
select distinct on (passenger_id) passenger_id, month_end, points from mileage_balances order by passenger_id, month_end desc

-- airline: What was the average mileage balance at the end of 2023, by tier?
select p.tier, avg(m.points) as mean_points from mileage_balances m join passengers p using (passenger_id) where m.month_end = '2023-12-31' group by p.tier

-- airline: How many points did each gold member gain from the end of 2023 to the end of 2024?
select p.passenger_id, p.passenger_name, e.points - s.points as gained from passengers p join mileage_balances s on s.passenger_id = p.passenger_id and s.month_end = '2023-12-31'
join mileage_balances e on e.passenger_id = p.passenger_id and e.month_end = '2024-12-31' where p.tier = 'gold' order by gained desc

-- airline: How many complaints were filed in each category in 2024, and how many are still open?
select category, count(*) as complaints, count(*) filter (where resolved_on is null) as open from complaints where filed_on >= '2024-01-01' and filed_on < '2025-01-01' group by category

-- airline: How much compensation did we pay per origin airport?
select f.origin_code, sum(c.compensation) as compensation_paid from complaints c join segments s using (segment_id) join flights f using (flight_id) group by f.origin_code order by 2 desc nulls last

-- airline: How many days does it take to resolve a complaint, average and 90th percentile?
select avg(resolved_on - filed_on) as mean_days, percentile_disc(0.9) within group (order by resolved_on - filed_on) as p90_days from complaints where resolved_on is not null

-- airline: How many complaints per thousand boarded segments do we get by cabin?
select s.cabin, 1000.0 * count(c.complaint_id) / count(distinct s.segment_id) as per_thousand from segments s left join complaints c on c.segment_id = s.segment_id where s.boarded group by s.cabin

-- airline: Show bookings by hour of the day in Copenhagen time.
select date_part('hour', booked_at at time zone 'UTC' at time zone 'Europe/Copenhagen') as hour, count(*) as bookings from bookings group by 1 order by 1

-- airline: How many flights leave per weekday in Oslo time?
select to_char(scheduled_departure at time zone 'Europe/Oslo', 'Dy') as weekday, count(*) as flights from flights group by 1 order by 2 desc

-- airline: What is the first flight of each aircraft?
select f.flight_id, f.flight_number, f.aircraft_id, f.scheduled_departure from flights f where f.scheduled_departure = (select min(x.scheduled_departure) from flights x where x.aircraft_id = f.aircraft_id)

-- airline: What was the previous flight of each aircraft and how long was the gap?
select aircraft_id, flight_id, scheduled_departure - lag(arrived_at) over (partition by aircraft_id order by scheduled_departure) as ground_time from flights where status = 'flown' order by aircraft_id, scheduled_departure

-- airline: Which airports have no departures?
select airport_code, airport_name from airports where airport_code not in (select origin_code from flights)

-- airline: Which aircraft did not fly after June 2024?
select tail_number from aircraft a where not exists (select from flights f where f.aircraft_id = a.aircraft_id and f.scheduled_departure >= '2024-07-01')

-- airline: How many different aircraft served each route?
select origin_code, destination_code, count(distinct aircraft_id) as aircraft from flights where status = 'flown' group by origin_code, destination_code order by aircraft desc

-- airline: What percentage of fares within each booking channel is business?
select b.channel, round(100 * sum(s.fare) filter (where s.cabin = 'business') / sum(s.fare), 1) as business_pct from segments s join bookings b using (booking_id) group by b.channel

-- airline: What share of all fares does each origin country earn?
with c as (select a.country, sum(s.fare) as fares from segments s join flights f using (flight_id) join airports a on a.airport_code = f.origin_code group by a.country)
select country, fares / sum(fares) over () as share from c order by share desc

-- airline: How many checked bags do we carry per boarded segment with a record?
select sum(bags)::numeric / count(bags) as bags_per_segment from segments where boarded

-- airline: How many bookings were cancelled in October 2024?
select count(*) as cancelled_bookings from bookings where cancelled_on between '2024-10-01' and '2024-10-31'

-- airline: Number of new loyalty members each year?
select extract(year from enrolled_on)::int as year, count(*) as new_members from passengers where enrolled_on is not null group by 1 order by 1

-- airline: Who invited the most passengers?
select i.passenger_id, i.passenger_name, count(*) as invited from passengers p join passengers i on p.invited_by = i.passenger_id group by i.passenger_id, i.passenger_name order by invited desc limit 1

-- airline: Whom did passenger 12 invite?
select guest.passenger_id, guest.passenger_name from passengers host join passengers guest on guest.invited_by = host.passenger_id where host.passenger_id = 12

-- airline: Show the average fare of economy and of business and the difference.
select avg(fare) filter (where cabin = 'economy') as economy, avg(fare) filter (where cabin = 'business') as business, avg(fare) filter (where cabin = 'business') - avg(fare) filter (where cabin = 'economy') as difference from segments

-- airline: Rolling seven-day count of flown flights in March 2024?
select day, flights, sum(flights) over (order by day range between interval '6 days' preceding and current row) as seven_days from (
 select scheduled_departure::date as day, count(*) as flights from flights where status = 'flown' and scheduled_departure >= '2024-03-01' and scheduled_departure < '2024-04-01' group by 1) d order by day

-- airline: How many flights were there per week in autumn 2024, weeks without flights as zero?
with weeks as (select generate_series(timestamptz '2024-09-02', timestamptz '2024-11-25', interval '1 week') as week)
select w.week::date, count(f.flight_id) as flights from weeks w left join flights f on date_trunc('week', f.scheduled_departure) = w.week group by w.week order by w.week

-- airline: Which pilots' medical certificates expire within 90 days?
select pilot_id, pilot_name, medical_until from pilots where medical_until between current_date and current_date + 90 order by medical_until

-- airline: Which pilots are based in Bergen?
select p.pilot_id, p.pilot_name from pilots p join airports a on a.airport_code = p.base_code where a.city = 'Bergen'

-- airline: What is the median fare per booking?
select percentile_cont(0.5) within group (order by total) as median_booking from (select booking_id, sum(fare) as total from segments group by booking_id) t

-- airline: What is the average number of segments per booking?
select avg(n) as segments_per_booking from (select booking_id, count(*) as n from segments group by booking_id) b

-- airline: On days with flights, how many were there on average, per month of 2024?
select date_trunc('month', day) as month, avg(flights) as flights_per_day from (select scheduled_departure::date as day, count(*) as flights from flights where scheduled_departure >= '2024-01-01' and scheduled_departure < '2025-01-01' group by 1) d group by 1 order by 1

-- airline: For each flight number, which was the most delayed departure?
select f.flight_number, x.flight_id, x.delay_minutes from (select distinct flight_number from flights) f cross join lateral (select flight_id, delay_minutes from flights g where g.flight_number = f.flight_number and g.delay_minutes is not null order by g.delay_minutes desc limit 1) x

-- airline: Which Swedish passengers flew business at least twice?
select p.passenger_id, p.passenger_name, count(*) as business_segments from passengers p join bookings b using (passenger_id) join segments s using (booking_id)
where p.nationality = 'Sweden' and s.cabin = 'business' and s.boarded group by p.passenger_id, p.passenger_name having count(*) >= 2

-- airline: How old are our passengers on average by tier?
select tier, avg(extract(year from age(date '2025-01-01', born_on))) as mean_age from passengers where tier is not null group by tier

-- airline: How many passengers and how many segments did each flight of 10 May 2024 have?
select f.flight_id, f.flight_number, count(distinct b.passenger_id) as passengers, count(s.segment_id) as segments from flights f left join segments s using (flight_id) left join bookings b using (booking_id) where f.scheduled_departure >= '2024-05-10' and f.scheduled_departure < '2024-05-11' group by f.flight_id, f.flight_number

-- foundry: What was the order value of 2024?
select sum(l.quantity * l.unit_price * (1 - l.discount)) as order_value from order_lines l join orders o on o.order_id = l.order_id where o.ordered_on >= '2024-01-01' and o.ordered_on < '2025-01-01'

-- foundry: Order value per product family and year?
select p.family, extract(year from o.ordered_on)::int as year, sum(l.quantity * l.unit_price * (1 - l.discount)) as order_value from order_lines l join orders o using (order_id) join products p using (product_id) group by p.family, year order by 1, 2

-- foundry: Which five clients had the highest order value?
select c.client_id, c.client_name, sum(l.quantity * l.unit_price * (1 - l.discount)) as order_value from clients c join orders o using (client_id) join order_lines l using (order_id) group by c.client_id order by order_value desc limit 5

-- foundry: What is the scrap rate by plant?
select p.plant_name, sum(b.scrap_units)::numeric / nullif(sum(b.good_units + b.scrap_units), 0) as scrap_rate from batches b join machines m using (machine_id) join plants p using (plant_id) group by p.plant_id, p.plant_name

-- foundry: Scrap rate per month of 2024?
select date_trunc('month', poured_at)::date as month, round(100.0 * sum(scrap_units) / sum(good_units + scrap_units), 2) as scrap_rate from batches where poured_at >= '2024-01-01' and poured_at < '2025-01-01' group by 1 order by 1

-- foundry: Energy per good unit by machine kind?
select m.kind, sum(b.energy_kwh)::numeric / sum(b.good_units) as energy_per_unit from batches b join machines m using (machine_id) group by m.kind

-- foundry: Which machine had the least downtime in 2024?
select m.machine_id, p.plant_name, m.machine_name, sum(s.minutes) / 60.0 as downtime_hours from stoppages s join machines m using (machine_id) join plants p using (plant_id) where s.began_at >= '2024-01-01' and s.began_at < '2025-01-01' group by m.machine_id, p.plant_name, m.machine_name order by downtime_hours limit 1

-- foundry: How many stoppages began in each hour of the day in Berlin?
select extract(hour from (began_at at time zone 'UTC') at time zone 'Europe/Berlin')::int as hour, count(*) as stoppages from stoppages group by 1 order by 1

-- foundry: How many batches were poured per day in Berlin in January 2024?
select (poured_at at time zone 'Europe/Berlin')::date as day, count(*) as batches from batches where poured_at >= '2024-01-01 00:00 Europe/Berlin' and poured_at < '2024-02-01 00:00 Europe/Berlin' group by 1 order by 1

-- foundry: Who manages whom?
select e.employee_id, e.employee_name, m.employee_name as manager_name from employees e left join employees m on e.manager_id = m.employee_id

-- foundry: How many direct reports does each manager have?
select manager_id, count(*) as direct_reports from employees where manager_id is not null group by manager_id order by direct_reports desc

-- foundry: Who works under employee 1, at any level?
with recursive t as (select employee_id, employee_name, 0 as level from employees where employee_id = 1 union all select e.employee_id, e.employee_name, t.level + 1 from employees e join t on e.manager_id = t.employee_id)
select * from t where level > 0 order by level

-- foundry: Show the chain of managers above employee 40.
with recursive up as (select employee_id, employee_name, manager_id, 0 as step from employees where employee_id = 40 union all select m.employee_id, m.employee_name, m.manager_id, up.step + 1 from up join employees m on m.employee_id = up.manager_id)
select employee_id, employee_name, step from up where step > 0 order by step

-- foundry: Which employees manage no one?
select e.employee_id, e.employee_name from employees e where e.employee_id not in (select m.manager_id from employees m where m.manager_id is not null)

-- foundry: Which employees work in another plant than their manager?
select e.employee_id, e.employee_name from employees e join employees m on m.employee_id = e.manager_id where e.plant_id <> m.plant_id

-- foundry: Which parts go into product P-1029?
select c.child_product_id, ch.product_code, ch.product_name, c.units from components c join products pa on pa.product_id = c.parent_product_id join products ch on ch.product_id = c.child_product_id where pa.product_code = 'P-1029'

-- foundry: In which products is P-1005 used?
select pa.product_code, pa.product_name, c.units from products ch join components c on c.child_product_id = ch.product_id join products pa on pa.product_id = c.parent_product_id where ch.product_code = 'P-1005'

-- foundry: Which products have no components?
select product_id, product_code from products p where not exists (select 1 from components c where c.parent_product_id = p.product_id)

-- foundry: What is the current stock of every product?
select p.product_code, p.product_name, s.counted_on, s.units from products p join lateral (select counted_on, units from stock_levels x where x.product_id = p.product_id order by counted_on desc limit 1) s on true

-- foundry: How many units were in stock in total at the end of each quarter of 2024?
select counted_on, sum(units) as units from stock_levels where counted_on in ('2024-03-31', '2024-06-30', '2024-09-30', '2024-12-31') group by counted_on order by counted_on

-- foundry: What was the average month-end stock per product in 2024?
select p.product_code, avg(s.units) as mean_stock from stock_levels s join products p using (product_id) where s.counted_on between '2024-01-01' and '2024-12-31' group by p.product_id, p.product_code

-- foundry: Which products' stock fell between November and December 2024?
select a.product_id, a.units as november, b.units as december from stock_levels a join stock_levels b on b.product_id = a.product_id and b.counted_on = date '2024-12-31' where a.counted_on = date '2024-11-30' and b.units < a.units

-- foundry: How many orders were shipped late in 2024?
select count(*) as late_orders from orders where shipped_on > promised_on and shipped_on >= '2024-01-01' and shipped_on < '2025-01-01'

-- foundry: What share of orders placed in each quarter was shipped on time?
select date_trunc('quarter', ordered_on)::date as quarter, round(100.0 * count(*) filter (where shipped_on <= promised_on) / nullif(count(*) filter (where shipped_on is not null), 0), 1) as on_time_pct from orders group by 1 order by 1

-- foundry: Average days from order to dispatch by country?
select c.country, avg(o.shipped_on - o.ordered_on) as mean_days from orders o join clients c using (client_id) where o.shipped_on is not null group by c.country

-- foundry: Which orders are still open?
select order_id, client_id, ordered_on, promised_on from orders where shipped_on is null and status = 'open' order by promised_on

-- foundry: How many orders did each client place, clients without orders too?
select c.client_id, c.client_name, count(o.order_id) as orders from clients c left join orders o on o.client_id = c.client_id group by c.client_id, c.client_name order by orders desc

-- foundry: How many orders contain brakes?
select count(distinct l.order_id) as orders from order_lines l join products p using (product_id) where p.family = 'brakes'

-- foundry: What is the average number of lines per order?
select count(*)::numeric / count(distinct order_id) as lines_per_order from order_lines

-- foundry: How large is the average order in value?
select avg(v) as mean_order from (select order_id, sum(quantity * unit_price * (1 - discount)) as v from order_lines group by order_id) o

-- foundry: What share of each country's order value comes from each product family?
select c.country, p.family, 100 * sum(l.quantity * l.unit_price * (1 - l.discount)) / sum(sum(l.quantity * l.unit_price * (1 - l.discount))) over (partition by c.country) as pct
from order_lines l join orders o using (order_id) join clients c using (client_id) join products p using (product_id) group by c.country, p.family order by 1, 3 desc

-- foundry: What percentage of total units ordered in 2023 were flanges?
select 100.0 * sum(l.quantity) filter (where p.product_name like 'Flange%') / sum(l.quantity) as pct from order_lines l join products p using (product_id) join orders o using (order_id) where o.ordered_on >= '2023-01-01' and o.ordered_on < '2024-01-01'

-- foundry: First pass rate by inspector?
select e.employee_id, e.employee_name, avg(case when i.passed then 1.0 else 0 end) as first_pass_rate from inspections i join employees e on e.employee_id = i.inspector_id group by e.employee_id, e.employee_name order by 3

-- foundry: Mean hardness per product family for batches of 2024?
select p.family, avg(i.hardness) as mean_hardness from inspections i join batches b using (batch_id) join products p using (product_id) where b.poured_at >= '2024-01-01' and b.poured_at < '2025-01-01' group by p.family

-- foundry: Which batches were never inspected?
select b.batch_id, b.poured_at from batches b left join inspections i using (batch_id) where i.inspection_id is null

-- foundry: How many batches were inspected, and how many inspections were made, in 2024?
select count(distinct batch_id) as batches, count(*) as inspections from inspections where inspected_on >= '2024-01-01' and inspected_on < '2025-01-01'

-- foundry: What were the defects in the first inspection of each batch?
select i.batch_id, i.inspected_on, i.defects from inspections i join (select batch_id, min(inspection_id) as inspection_id from inspections group by batch_id) f on f.inspection_id = i.inspection_id

-- foundry: Latest batch on each machine?
select * from (select b.machine_id, b.batch_id, b.poured_at, row_number() over (partition by b.machine_id order by b.poured_at desc) as rn from batches b) x where rn = 1

-- foundry: Which batch poured right before a failed inspection on the same machine?
select i.inspection_id, b.batch_id, prev.batch_id as previous_batch from inspections i join batches b using (batch_id) cross join lateral (select p.batch_id from batches p where p.machine_id = b.machine_id and p.poured_at < b.poured_at order by p.poured_at desc limit 1) prev where not i.passed

-- foundry: How does each batch's scrap compare with the batch with the previous number?
select b.batch_id, b.scrap_units, p.scrap_units as previous_scrap from batches b join batches p on p.batch_id = b.batch_id - 1 order by b.batch_id

-- foundry: Total minutes lost per reason, with a grand total?
select coalesce(reason, 'all') as reason, sum(minutes) as minutes from stoppages group by rollup (reason)

-- foundry: Which plants had more than 30 hours of downtime in a month?
select p.plant_name, date_trunc('month', s.began_at) as month, sum(s.minutes) / 60.0 as downtime_hours from stoppages s join machines m using (machine_id) join plants p using (plant_id) group by p.plant_name, 2 having sum(s.minutes) > 1800 order by 2, 1

-- foundry: How many whole hours did machine 3 stop in total?
select sum(minutes) / 60 as whole_hours from stoppages where machine_id = 3

-- foundry: How many units per hour did each machine make against its rating?
select m.machine_id, m.machine_name, m.rated_per_hour, sum(b.good_units) / (sum(extract(epoch from b.finished_at - b.poured_at)) / 3600) as units_per_hour from batches b join machines m using (machine_id) where b.finished_at is not null group by m.machine_id, m.machine_name, m.rated_per_hour

-- foundry: What's the total of machine downtime and planned service per plant, as one list of events?
select plant_name, sum(minutes) as minutes from (
 select m.plant_id, s.minutes from stoppages s join machines m using (machine_id) where s.reason <> 'planned service'
 union all select m.plant_id, s.minutes from stoppages s join machines m using (machine_id) where s.reason = 'planned service') e join plants using (plant_id) group by plant_name

-- foundry: How many employees either operated a batch or inspected one in 2024?
select count(*) as employees from (select operator_id from batches where poured_at >= '2024-01-01' and poured_at < '2025-01-01' and operator_id is not null union select inspector_id from inspections where inspected_on >= '2024-01-01' and inspected_on < '2025-01-01' and inspector_id is not null) x

-- foundry: Which employees both operate and inspect?
select employee_id, employee_name from employees where employee_id in (select operator_id from batches) and employee_id in (select inspector_id from inspections)

-- foundry: Two most energy-hungry batches per plant?
select plant_name, batch_id, energy_kwh from (select p.plant_name, b.batch_id, b.energy_kwh, row_number() over (partition by p.plant_id order by b.energy_kwh desc, b.batch_id) as n from batches b join machines m using (machine_id) join plants p using (plant_id)) t where n <= 2

-- foundry: Which client accounts does Anja Wolf (employee 20) look after?
select c.client_id, c.client_name from clients c join employees e on e.employee_id = c.account_manager_id where e.employee_id = 20

-- foundry: How many clients does each account manager have?
select e.employee_id, e.employee_name, count(*) as clients from clients c join employees e on e.employee_id = c.account_manager_id group by e.employee_id, e.employee_name order by clients desc

-- foundry: Order value per account manager in 2024?
select e.employee_id, e.employee_name, sum(l.quantity * l.unit_price * (1 - l.discount)) as order_value from employees e join clients c on c.account_manager_id = e.employee_id join orders o using (client_id) join order_lines l using (order_id) where o.ordered_on between '2024-01-01' and '2024-12-31' group by 1, 2

-- foundry: How many machines of each kind does each plant have?
select p.plant_name, count(*) filter (where m.kind = 'furnace') as furnaces, count(*) filter (where m.kind = 'press') as presses, count(*) filter (where m.kind = 'lathe') as lathes from plants p join machines m using (plant_id) group by p.plant_name

-- foundry: Which is the oldest machine in each plant?
select distinct on (plant_id) plant_id, machine_id, machine_name, commissioned_on from machines order by plant_id, commissioned_on

-- foundry: Cumulative order value over 2024 by month?
with m as (select date_trunc('month', o.ordered_on)::date as month, sum(l.quantity * l.unit_price * (1 - l.discount)) as order_value from orders o join order_lines l using (order_id) where o.ordered_on >= '2024-01-01' and o.ordered_on < '2025-01-01' group by 1)
select month, order_value, sum(order_value) over (order by month) as cumulative from m order by month

-- airline: How many flights did each pilot fly?
select pilot_id, count(*) as flights from crew_assignments group by pilot_id

-- airline: How many flights did each pilot command?
select p.pilot_id, p.pilot_name, count(*) as flights from pilots p join crew_assignments c using (pilot_id) where c.duty = 'commander' group by p.pilot_id, p.pilot_name

-- airline: How many pilots did each flight have?
select flight_id, count(*) as pilots from crew_assignments group by flight_id

-- airline: Which pilot flew the fewest flights?
select pilot_id, count(*) as flights from crew_assignments group by pilot_id having count(*) = (select min(n) from (select count(*) as n from crew_assignments group by pilot_id) z)

-- airline: How many flights were commanded in 2024?
select count(*) as flights from crew_assignments c join flights f using (flight_id) where c.duty = 'commander' and f.scheduled_departure >= '2024-01-01' and f.scheduled_departure < '2025-01-01'

-- airline: How many passengers had a mileage account at the end of 2023?
select count(*) as passengers from mileage_balances where month_end = '2023-12-31'

-- water: How many customers owed more than 200 dollars at the end of March 2024?
select count(*) as customers from account_balances where as_of = '2024-03-31' and balance > 200

-- water: How many customers owed more than 200 dollars at each month end?
select as_of, count(*) as customers from account_balances where balance > 200 group by as_of order by as_of

-- foundry: How many products are components of each product?
select parent_product_id, count(*) as components from components group by parent_product_id

-- foundry: How many products were out of stock at each counting?
select counted_on, count(*) as products from stock_levels where units = 0 group by counted_on

-- airline: How many flights did each pilot fly in 2024?
with flown as (select c.pilot_id, c.flight_id from crew_assignments c join flights f using (flight_id) where f.scheduled_departure >= '2024-01-01' and f.scheduled_departure < '2025-01-01') select p.pilot_id, p.pilot_name, count(x.flight_id) as flights from pilots p left join flown x on x.pilot_id = p.pilot_id group by p.pilot_id, p.pilot_name

-- airline: Average delay of each pilot's flights?
select p.pilot_id, p.pilot_name, avg(f.delay_minutes) as mean_delay from pilots p join crew_assignments c using (pilot_id) join flights f using (flight_id) group by p.pilot_id, p.pilot_name

-- airline: How many kilometres did each pilot fly in 2024?
select p.pilot_id, p.pilot_name, sum(f.distance_km) as km from pilots p join crew_assignments c using (pilot_id) join flights f using (flight_id) where f.scheduled_departure >= '2024-01-01' and f.scheduled_departure < '2025-01-01' group by p.pilot_id, p.pilot_name

-- airline: How many kilometres did the passengers of each tier fly?
select p.tier, sum(f.distance_km) as passenger_km from passengers p join bookings b using (passenger_id) join segments s using (booking_id) join flights f using (flight_id) where s.boarded group by p.tier

-- airline: What is the average age of passengers boarded per cabin (each trip counts)?
select s.cabin, avg(extract(year from age(f.scheduled_departure, p.born_on))) as mean_age from segments s join flights f using (flight_id) join bookings b using (booking_id) join passengers p using (passenger_id) where s.boarded group by s.cabin

-- foundry: What would the ordered quantities of 2024 be worth at list prices?
select sum(l.quantity * p.list_price) as list_value from order_lines l join products p using (product_id) join orders o using (order_id) where o.ordered_on >= '2024-01-01' and o.ordered_on < '2025-01-01'

-- foundry: Tonnes cast per plant?
with w as (select m.plant_id, b.good_units, p.weight_kg from batches b join machines m using (machine_id) join products p using (product_id)) select plant_id, sum(good_units * weight_kg) / 1000 as tonnes from w group by plant_id

-- foundry: How many technicians-hours... how many units did each operator pour?
with w as (select e.employee_id, e.employee_name, b.batch_id, b.good_units from employees e left join batches b on b.operator_id = e.employee_id) select employee_id, employee_name, sum(good_units) as units, count(batch_id) as batches from w group by employee_id, employee_name

-- foundry: What was the average stock value at list price in 2024?
select avg(v) as mean_value from (select s.counted_on, sum(s.units * p.list_price) as v from stock_levels s join products p using (product_id) where s.counted_on between '2024-01-01' and '2024-12-31' group by s.counted_on) x

-- water: Which customers live in more than one district?
select p.customer_id, count(distinct p.district_id) as districts from premises p group by p.customer_id having count(distinct p.district_id) > 1

-- water: Every meter's newest reading: how much did each method contribute?
with last as (select r.*, row_number() over (partition by meter_id order by read_at desc) as rn from readings r) select method, count(*) as meters, sum(volume_m3) as m3 from last where rn = 1 group by method

-- water: How many meters were read in each month of 2024?
select date_trunc('month', read_at) as month, count(distinct meter_id) as meters from readings where read_at >= '2024-01-01' and read_at < '2025-01-01' group by 1 order by 1

-- foundry: For each order, the largest line?
select distinct on (order_id) order_id, line_no, quantity * unit_price * (1 - discount) as value from order_lines order by order_id, value desc

-- airline: Seats offered and boarded per month of 2024?
with f as (select f.flight_id, date_trunc('month', f.scheduled_departure) as month, a.seats from flights f join aircraft a using (aircraft_id) where f.status = 'flown' and f.scheduled_departure >= '2024-01-01' and f.scheduled_departure < '2025-01-01'), b as (select flight_id, count(*) as boarded from segments where boarded group by flight_id) select month, sum(seats) as seats_offered, sum(coalesce(boarded, 0)) as boarded from f left join b using (flight_id) group by month order by month

-- foundry: Which employees have never inspected a batch?
select employee_id from employees except select inspector_id from inspections

-- airline: What share of all fares is business, by channel?
with b as (select b.channel, sum(s.fare) as fares from segments s join bookings b using (booking_id) where s.cabin = 'business' group by b.channel), t as (select sum(fare) as fares from segments) select b.channel, b.fares / t.fares as share from b, t

-- water: How many technicians and premises has each district?
select d.district_name, count(distinct t.technician_id) as technicians, count(distinct p.premise_id) as premises from districts d left join technicians t using (district_id) left join premises p using (district_id) group by d.district_id, d.district_name

-- airline: How many flights did each pilot fly?
select p.pilot_id, p.pilot_name, count(f.flight_id) as flights from pilots p join crew_assignments c using (pilot_id) join flights f using (flight_id) group by p.pilot_id, p.pilot_name

-- airline: How many flights did each pilot fly?
with r as (select p.pilot_id, p.pilot_name, f.flight_id from pilots p join crew_assignments c using (pilot_id) join flights f using (flight_id)) select pilot_id, pilot_name, count(flight_id) as flights from r group by pilot_id, pilot_name

-- airline: How many flights did each pilot fly in 2024?
with r as (select c.pilot_id, c.flight_id, f.scheduled_departure from crew_assignments c join flights f using (flight_id)) select pilot_id, count(flight_id) filter (where scheduled_departure >= '2024-01-01') as flights from r group by pilot_id

-- airline: How many kilometres did each pilot fly?
with r as (select c.pilot_id, f.flight_id, f.distance_km from crew_assignments c join flights f using (flight_id)) select pilot_id, sum(distance_km) as km from r group by pilot_id

-- airline: How many kilometres did each pilot fly?
select c.pilot_id, sum(f.distance_km) as km from crew_assignments c join flights f using (flight_id) group by c.pilot_id

-- airline: How many seats did we offer per model?
select a.model, sum(a.seats) as seats_offered from flights f join aircraft a using (aircraft_id) where f.status = 'flown' group by a.model

-- airline: How many seats did we offer per model?
with l as (select f.flight_id, a.model, a.seats from flights f join aircraft a using (aircraft_id) where f.status = 'flown') select model, sum(seats) as seats_offered from l group by model

-- airline: Load factor by model?
with b as (select flight_id, count(*) filter (where boarded) as boarded from segments group by flight_id) select a.model, 100.0 * sum(b.boarded) / sum(a.seats) as load_pct from flights f join aircraft a using (aircraft_id) left join b using (flight_id) where f.status = 'flown' group by a.model

-- foundry: What was the possible output of each plant if every batch ran an hour at the rated speed?
select m.plant_id, sum(m.rated_per_hour) as possible_units from batches b join machines m using (machine_id) group by m.plant_id

-- foundry: What did the ordered goods weigh in total, line by line?
select sum(l.quantity * p.weight_kg) as kg from order_lines l join products p using (product_id)

-- water: What did labor cost in 2024?
select sum(w.labor_minutes / 60.0 * t.hourly_rate) as labor_cost from work_orders w join technicians t using (technician_id) where w.opened_at >= '2024-01-01' and w.opened_at < '2025-01-01'

-- airline: What is the average aircraft size in seats per flown flight?
select avg(a.seats) as mean_seats from flights f join aircraft a using (aircraft_id) where f.status = 'flown'

-- water: Which customers have no premises?
select customer_id from customers where customer_id not in (select customer_id from premises)

-- foundry: Which clients never ordered?
select client_id, client_name from clients where client_id not in (select client_id from orders)

-- airline: Which passengers never booked?
select passenger_id from passengers where passenger_id not in (select passenger_id from bookings)

-- foundry: Which machines never had a stoppage?
select machine_id from machines where machine_id not in (select machine_id from stoppages)

-- foundry: Which batches were never inspected?
select batch_id from batches where batch_id not in (select batch_id from inspections)

-- airline: What is the load factor per origin?
with x as (select f.flight_id, f.origin_code, a.seats, count(s.segment_id) as sold from flights f join aircraft a using (aircraft_id) left join segments s using (flight_id) group by f.flight_id, f.origin_code, a.seats) select origin_code, 100.0 * sum(sold) / sum(seats) as load from x group by origin_code

-- airline: Seats offered per month
select month, sum(seats) as seats_offered from (select f.flight_id, date_trunc('month', f.scheduled_departure) as month, a.seats, count(s.*) as n from flights f join aircraft a using (aircraft_id) left join segments s using (flight_id) group by 1,2,3) x group by month

-- airline: How many pilots' flights were late?
with r as (select c.pilot_id, f.flight_id, f.delay_minutes from crew_assignments c join flights f using (flight_id)) select pilot_id, count(flight_id) filter (where delay_minutes > 15) as late_flights from r group by pilot_id

-- airline: Average delay by pilot
with r as (select c.pilot_id, f.delay_minutes from crew_assignments c join flights f using (flight_id)) select pilot_id, avg(delay_minutes) as mean_delay from r group by pilot_id

-- airline: Seats of our fleet
select sum(seats) as seats from aircraft where retired_on is null

-- foundry: Total weight ordered by family
with l as (select l.order_id, p.family, l.quantity * p.weight_kg as kg from order_lines l join products p using (product_id)) select family, sum(kg) as kg from l group by family

-- foundry: Number of inspections per operator
with r as (select e.employee_id, b.batch_id, i.inspection_id from employees e left join batches b on b.operator_id = e.employee_id left join inspections i using (batch_id)) select employee_id, count(inspection_id) as inspections from r group by employee_id

-- foundry: Number of batches per operator
with r as (select e.employee_id, b.batch_id from employees e left join batches b on b.operator_id = e.employee_id) select employee_id, count(batch_id) as batches from r group by employee_id

-- water: Invoices per customer and those late
with r as (select c.customer_id, i.invoice_id, i.paid_on, i.due_on from customers c left join invoices i using (customer_id)) select customer_id, count(invoice_id) as invoices, count(invoice_id) filter (where paid_on > due_on) as late from r group by customer_id

-- water: Labor cost by district
with r as (select p.district_id, w.labor_minutes, t.hourly_rate from work_orders w join premises p using (premise_id) join technicians t using (technician_id)) select district_id, sum(labor_minutes / 60.0 * hourly_rate) as labor_cost from r group by district_id

-- airline: How many passengers had points at the end of each month?
select month_end, count(*) as passengers from mileage_balances where points > 0 group by month_end

-- airline: How many months does each passenger have?
select passenger_id, count(*) as months from mileage_balances group by passenger_id

-- foundry: How many products does each count cover?
select counted_on, count(*) as products from stock_levels group by counted_on

-- foundry: How many components has product 20?
select count(*) as components from components where parent_product_id = 20

-- foundry: In how many products is product 3 a component?
select count(*) as products from components where child_product_id = 3

-- foundry: How many stoppages hit each machine?
select machine_id, count(*) as machine_stoppages from stoppages group by machine_id

-- foundry: How many batches were poured on each machine?
select machine_id, count(batch_id) as batches_poured from batches group by machine_id

-- foundry: How many orders were shipped in 2024?
select count(*) as orders_shipped from orders where shipped_on >= '2024-01-01' and shipped_on < '2025-01-01'

-- foundry: How many orders were placed by each client?
select client_id, count(order_id) as orders_placed from orders group by client_id

-- water: How many customers were charged a late fee?
select count(distinct customer_id) as customers_charged from invoices where late_fee is not null

-- water: How many meters were installed per model?
select model, count(meter_id) as meters_installed from meters group by model

-- water: How many late payers are there?
select count(distinct customer_id) as late_payers from invoices where paid_on > due_on

-- water: How many invoices were paid late per customer?
select customer_id, count(customer_id) as times_late from invoices where paid_on > due_on group by customer_id

-- airline: How many segments were flown by each passenger?
select b.passenger_id, count(s.segment_id) as segments_flown from bookings b join segments s using (booking_id) where s.boarded group by b.passenger_id

-- airline: How many complaints are there by category?
select category, count(*) as complaints_filed from complaints group by category

-- airline: How many inspectors: per plant
select count(*) as flights from flights where status = 'flown'

-- foundry: How many faulty batches did each plant have?
with faulty as (select distinct b.batch_id, m.plant_id from batches b join machines m using (machine_id) join inspections i using (batch_id) where i.defects > 0) select p.plant_name, count(*) as faulty_batches from faulty f join plants p using (plant_id) group by p.plant_name

-- foundry: How many inspections with defects did each plant have?
with faulty as (select m.plant_id, i.inspection_id, i.defects from batches b join machines m using (machine_id) join inspections i using (batch_id) where i.defects > 0) select p.plant_name, count(*) as inspections from faulty f join plants p using (plant_id) group by p.plant_name

-- foundry: How many order lines per country?
with l as (select o.client_id, o.order_id, l.line_no from orders o join order_lines l using (order_id)) select c.country, count(*) as lines from l join clients c using (client_id) group by c.country

-- water: How many readings did each technician take per district?
with r as (select r.reading_id, r.technician_id, p.district_id from readings r join meters m using (meter_id) join premises p using (premise_id)) select d.district_name, t.technician_id, count(*) as readings from r join districts d using (district_id) join technicians t using (technician_id) group by d.district_name, t.technician_id

-- foundry: How many employees never inspected?
select count(*) filter (where not exists (select 1 from inspections i where i.inspector_id = e.employee_id)) as never from employees e

-- foundry: Label inspectors
select employee_id, case when employee_id in (select inspector_id from inspections) then 'yes' else 'no' end as inspector from employees

-- foundry: Share of products never cast
select count(*) filter (where product_id not in (select product_id from batches)) as never from products

-- foundry: Operators that are no managers
select operator_id, count(*) as batches from batches group by operator_id having operator_id not in (select manager_id from employees where manager_id is not null)

-- airline: Flights that no one complained of
select count(*) filter (where status not in ('cancelled', 'planned')) as flown from flights

-- water: Technicians without supervisees
select technician_id, case when technician_id not in (select supervisor_id from technicians where supervisor_id > 0) then 1 else 0 end as chief from technicians

-- foundry: Within each plant, what percentage of the scrap does each product family make up?
with s as (select m.plant_id, pr.family, sum(b.scrap_units) as scrap from batches b join machines m using (machine_id) join products pr using (product_id) group by m.plant_id, pr.family) select p.plant_name, s.family, 100.0 * s.scrap / sum(s.scrap) over (partition by s.plant_id) as pct from s join plants p using (plant_id)

-- foundry: How is each family's scrap split among the plants?
with s as (select m.plant_id, pr.family, sum(b.scrap_units) as scrap from batches b join machines m using (machine_id) join products pr using (product_id) group by m.plant_id, pr.family) select p.plant_name, s.family, 100.0 * s.scrap / sum(s.scrap) over (partition by s.family) as pct from s join plants p using (plant_id)

-- foundry: What share of all scrap does each plant and product family have?
select m.plant_id, p.family, 100.0 * sum(b.scrap_units) / sum(sum(b.scrap_units)) over () as pct from batches b join machines m using (machine_id) join products p using (product_id) group by 1, 2

-- foundry: What share of each family's order value comes from each country?
select p.family, c.country, sum(l.quantity) * 1.0 / sum(sum(l.quantity)) over (partition by p.family) as share from order_lines l join products p using (product_id) join orders o using (order_id) join clients c using (client_id) group by 1, 2

-- airline: For each month of 2024, what share of the fares comes from each cabin?
select date_trunc('month', f.scheduled_departure) as month, s.cabin, sum(s.fare) / sum(sum(s.fare)) over (partition by date_trunc('month', f.scheduled_departure)) as share from segments s join flights f using (flight_id) where f.scheduled_departure >= '2024-01-01' and f.scheduled_departure < '2025-01-01' group by 1, 2

-- airline: Distribution of each channel's fares over the cabins
select b.channel, s.cabin, sum(s.fare) / sum(sum(s.fare)) over (partition by b.channel) as share from segments s join bookings b using (booking_id) group by 1, 2

-- airline: What share of our flights was cancelled?
select 100.0 * count(*) / (select count(*) from flights) as pct from flights where status = 'cancelled'

-- airline: What percentage of all passengers is gold?
select 100.0 * count(*) / (select count(*) from passengers) as pct from passengers where tier = 'gold'

-- airline: What share of passengers are gold members?
select 1.0 * count(*) / (select count(*) from passengers) as share from passengers where tier = 'gold'

-- foundry: What share of the order value is from France?
select sum(l.quantity * l.unit_price) / (select sum(quantity * unit_price) from order_lines) as share from order_lines l join orders o using (order_id) join clients c using (client_id) where c.country = 'France'

-- foundry: What is the French share of the order value?
select sum(l.quantity * l.unit_price) / (select sum(quantity * unit_price) from order_lines) as share from order_lines l join orders o using (order_id) join clients c using (client_id) where c.country = 'France'

-- foundry: What share of our order value do French clients bring?
select sum(l.quantity * l.unit_price) / (select sum(quantity * unit_price) from order_lines) as share from order_lines l join orders o using (order_id) join clients c using (client_id) where c.country = 'France'

-- water: What share of our work orders are leaks?
select 100.0 * count(*) / (select count(*) from work_orders) as pct from work_orders where kind = 'leak'

-- water: What portion of the readings is remote?
select 100.0 * count(*) / (select count(*) from readings) as pct from readings where method = 'remote'

-- water: By district and customer type, share of the total billing
select p.district_id, c.customer_type, sum(i.amount) / sum(sum(i.amount)) over () as share from invoices i join customers c using (customer_id) join (select distinct on (customer_id) customer_id, district_id from premises order by customer_id, premise_id) p using (customer_id) group by 1, 2

-- water: For each district, what share of all work orders does it have?
select p.district_id, 100.0 * count(*) / sum(count(*)) over () as pct from work_orders w join premises p using (premise_id) group by 1

-- foundry: Who works under employee 4?
with recursive t as (select employee_id, employee_name, manager_id from employees where employee_id = 4 union all select e.employee_id, e.employee_name, e.manager_id from employees e join t on e.manager_id = t.employee_id) select employee_id, employee_name from t

-- foundry: List the subordinates of employee 4
with recursive t as (select employee_id, employee_name, manager_id from employees where employee_id = 4 union all select e.employee_id, e.employee_name, e.manager_id from employees e join t on e.manager_id = t.employee_id) select employee_id, employee_name from t

-- foundry: Who reports to employee 4, directly or not?
with recursive t as (select employee_id, employee_name, manager_id from employees where employee_id = 4 union all select e.employee_id, e.employee_name, e.manager_id from employees e join t on e.manager_id = t.employee_id) select employee_id, employee_name from t

-- foundry: Show the reporting line of employee 4 up to the top
with recursive t as (select employee_id, employee_name, manager_id from employees where employee_id = 4 union all select e.employee_id, e.employee_name, e.manager_id from employees e join t on e.employee_id = t.manager_id) select employee_id, employee_name from t

-- foundry: Which managers are above employee 4?
with recursive t as (select employee_id, employee_name, manager_id from employees where employee_id = 4 union all select e.employee_id, e.employee_name, e.manager_id from employees e join t on e.employee_id = t.manager_id) select employee_id, employee_name from t

-- foundry: To whom does employee 4 report, directly or indirectly?
with recursive t as (select employee_id, employee_name, manager_id from employees where employee_id = 4 union all select e.employee_id, e.employee_name, e.manager_id from employees e join t on e.employee_id = t.manager_id) select employee_id, employee_name from t

-- foundry: Who does employee 4 report to, all the way up?
with recursive t as (select employee_id, employee_name, manager_id from employees where employee_id = 4 union all select e.employee_id, e.employee_name, e.manager_id from employees e join t on e.employee_id = t.manager_id) select employee_id, employee_name from t

-- foundry: Which employees does employee 4 manage, directly or indirectly?
with recursive t as (select employee_id, employee_name, manager_id from employees where employee_id = 4 union all select e.employee_id, e.employee_name, e.manager_id from employees e join t on e.manager_id = t.employee_id) select employee_id, employee_name from t

-- foundry: Who is the manager of Anja Wolf?
select employee_name from employees where employee_id in (select manager_id from employees where employee_name = 'Anja Wolf')

-- foundry: Whom does Anja Wolf report to?
select employee_name from employees where employee_id in (select manager_id from employees where employee_name = 'Anja Wolf')

-- foundry: Who reports to Anja Wolf?
select employee_name from employees where manager_id in (select employee_id from employees where employee_name = 'Anja Wolf')

-- foundry: Which employees does Anja Wolf manage?
select employee_name from employees where manager_id in (select employee_id from employees where employee_name = 'Anja Wolf')

-- foundry: Count the team of each manager
with recursive t as (select employee_id as root, employee_id from employees union all select t.root, e.employee_id from employees e join t on e.manager_id = t.employee_id) select root, count(*) - 1 as team from t group by root

-- water: Who supervises technician 9?
select technician_name from technicians where technician_id in (select supervisor_id from technicians where technician_id = 9)

-- water: Who is supervised by technician 2?
select technician_name from technicians where supervisor_id in (select technician_id from technicians where technician_id = 2)

-- water: Which meters replaced meter 5, in a chain?
with recursive c as (select meter_id from meters where meter_id = 5 union all select m.meter_id from meters m join c on m.replaces_meter_id = c.meter_id) select meter_id from c

-- water: For each district, how many technicians and work orders are there?
select p.district_id, count(distinct t.technician_id) as technicians, count(distinct w.work_order_id) as work_orders from work_orders w join premises p using (premise_id) join technicians t on t.district_id = p.district_id group by 1

-- water: Which work orders were handled by technicians of another district?
select w.work_order_id from work_orders w join premises p using (premise_id) join technicians t on t.technician_id = w.technician_id where t.district_id <> p.district_id

-- water: Which work orders were handled by a technician of the premise's district?
select w.work_order_id from work_orders w join technicians t using (technician_id) join premises p on p.premise_id = w.premise_id and p.district_id = t.district_id

-- water: Work orders per district name
select d.district_name, count(*) as work_orders from work_orders w join premises p using (premise_id) join districts d using (district_id) group by d.district_id, d.district_name

-- water: Meters and work orders per premise
select p.premise_id, count(distinct m.meter_id) as meters, count(distinct w.work_order_id) as work_orders from premises p left join meters m using (premise_id) left join work_orders w using (premise_id) group by 1

-- water: Readings taken at premises with open work orders
select distinct r.reading_id from readings r join meters m using (meter_id) join work_orders w on w.premise_id = m.premise_id where w.status = 'open'

-- foundry: Which inspectors work in the plant where the batch was poured?
select i.inspection_id from inspections i join batches b using (batch_id) join machines m using (machine_id) join employees e on e.employee_id = i.inspector_id and e.plant_id = m.plant_id

-- foundry: How many employees and machines does each plant have?
select m.plant_id, count(distinct e.employee_id) as employees, count(distinct m.machine_id) as machines from machines m join employees e using (plant_id) group by 1

-- foundry: Orders with lines of products in stock on the day they were ordered
select o.order_id, l.product_id, s.units from orders o join order_lines l using (order_id) join stock_levels s on s.product_id = l.product_id and s.counted_on = o.ordered_on

-- airline: Which flights left from an airport where their commander is based?
select f.flight_id from flights f join crew_assignments c using (flight_id) join pilots p on p.pilot_id = c.pilot_id and p.base_code = f.origin_code

-- airline: Connections: flights that leave where another one arrives
select a.flight_id, b.flight_id from flights a join flights b on b.origin_code = a.destination_code and b.scheduled_departure > a.arrived_at and b.scheduled_departure < a.arrived_at + interval '3 hours'

-- foundry: Batches with stoppages of their machine on the same day
select b.batch_id, s.stoppage_id from batches b join stoppages s on s.machine_id = b.machine_id and s.began_at::date = b.poured_at::date

-- foundry: How many orders were shipped within 75 days?
select count(*) as orders from orders where shipped_on - ordered_on <= 75

-- foundry: How many orders took at most 75 days to be sent?
select count(*) as orders from orders where shipped_on - ordered_on <= 75

-- foundry: How many orders fell due in 2024?
select count(*) as orders from orders where ship_by between '2024-01-01' and '2024-12-31'
