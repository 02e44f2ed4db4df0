-- Pairs in forms that a language model writes, for a ski resort, in the form of ../rules.sql.

-- ski left_join_filtered: For every instructor, the tips received in 2024, also those who got none.
select i.instructor_id, i.full_name, coalesce(sum(t.amount),0) as tips from instructors i left join lessons l
on l.instructor_id=i.instructor_id join tips t on t.lesson_id=l.lesson_id and t.paid_on>='2024-01-01' group by
i.instructor_id, i.full_name
-- right
select i.instructor_id, i.full_name, coalesce(sum(t.amount),0) as tips from instructors i left join lessons l
on l.instructor_id=i.instructor_id left join tips t on t.lesson_id=l.lesson_id and t.paid_on>='2024-01-01'
group by i.instructor_id, i.full_name

-- ski left_join_filtered: All huts with the number of lessons for beginners that ended there, zero included
with h as (select hu.hut_id, hu.hut_name, le.lesson_id, le.level from huts hu left join lessons le using
(hut_id)) select hut_id, hut_name, count(lesson_id) as lessons from h where level = 'beginner' group by 1, 2
-- right
with h as (select hu.hut_id, hu.hut_name, le.lesson_id, le.level from huts hu left join lessons le on
le.hut_id = hu.hut_id and le.level = 'beginner') select hut_id, hut_name, count(lesson_id) as lessons from h
group by 1, 2

-- ski left_join_filtered: List every lift and its snow depth on 1 January 2024 if measured.
select l.lift_name, s.depth_cm from lifts l left join lateral (select depth_cm, measured_on from snow where
snow.lift_id = l.lift_id) s on true where s.measured_on = date '2024-01-01'
-- right
select l.lift_name, s.depth_cm from lifts l left join lateral (select depth_cm, measured_on from snow where
snow.lift_id = l.lift_id and measured_on = date '2024-01-01') s on true

-- ski left_join_filtered: Guests with the hut of their lessons, all guests
select g.guest_id, g.full_name, h.hut_name from guests g left join lessons l using (guest_id) inner join huts
h using (hut_id)
-- right
select g.guest_id, g.full_name, h.hut_name from guests g left join lessons l using (guest_id) left join huts h
using (hut_id)

-- ski limit_without_order: Which three lifts have the longest waits on average?
select l.lift_id, l.lift_name, avg(r.wait_minutes) as average_wait from lifts l join rides r using (lift_id)
group by 1,2 limit 3
-- right
select l.lift_id, l.lift_name, avg(r.wait_minutes) as average_wait from lifts l join rides r using (lift_id)
group by 1,2 order by 3 desc nulls last limit 3

-- ski limit_without_order: The latest snow reading of each lift
select distinct on (s.lift_id) s.lift_id, s.measured_on, s.depth_cm from snow s
-- right
select distinct on (s.lift_id) s.lift_id, s.measured_on, s.depth_cm from snow s order by s.lift_id,
s.measured_on desc

-- ski limit_without_order: What is the latest snow depth at each lift?
with r as (select lift_id, depth_cm, row_number() over (partition by lift_id) as rn from snow) select lift_id,
depth_cm from r where rn = 1
-- right
with r as (select lift_id, depth_cm, row_number() over (partition by lift_id order by measured_on desc) as rn
from snow) select lift_id, depth_cm from r where rn = 1

-- ski limit_without_order: First lesson level of every guest
select distinct guest_id, first_value(level) over (partition by guest_id) as first_level from lessons
-- right
select distinct guest_id, first_value(level) over (partition by guest_id order by held_at) as first_level from
lessons

-- ski limit_without_order: Each lift with its most recent depth
select l.lift_name, x.depth_cm from lifts l left join lateral (select s.depth_cm from snow s where s.lift_id =
l.lift_id limit 1) x on true
-- right
select l.lift_name, x.depth_cm from lifts l left join lateral (select s.depth_cm from snow s where s.lift_id =
l.lift_id order by s.measured_on desc limit 1) x on true

-- ski wrong_end: Which hut is the busiest by nights booked?
select h.hut_id, h.hut_name, sum(b.nights) as nights from huts h join bookings b using (hut_id) group by
h.hut_id, h.hut_name order by nights limit 1
-- right
select h.hut_id, h.hut_name, sum(b.nights) as nights from huts h join bookings b using (hut_id) group by
h.hut_id, h.hut_name order by nights desc limit 1

-- ski wrong_end: Which lift is the oldest in each valley?
select distinct on (valley_id) valley_id, lift_name, built_on from lifts order by valley_id, built_on desc
-- right
select distinct on (valley_id) valley_id, lift_name, built_on from lifts order by valley_id, built_on

-- ski wrong_end: What is the coldest day that we measured?
select measured_on, temperature from snow where temperature = (select max(temperature) from snow)
-- right
select measured_on, temperature from snow where temperature = (select min(temperature) from snow)

-- ski wrong_end: Who is the tallest guest of each country?
select home_country, full_name, height_cm from (select g.*, rank() over (partition by home_country order by
height_cm) as rk from guests g) q where rk = 1
-- right
select home_country, full_name, height_cm from (select g.*, rank() over (partition by home_country order by
height_cm desc) as rk from guests g) q where rk = 1

-- ski wrong_end: Name the highest-lying huts, five of them
select hut_name, altitude_m from huts order by altitude_m asc limit 5
-- right
select hut_name, altitude_m from huts order by altitude_m desc limit 5

-- ski wrong_end: When was the latest ride of each pass?
select pass_id, min(scanned_at) as latest_ride from rides group by pass_id
-- right
select pass_id, max(scanned_at) as latest_ride from rides group by pass_id

-- ski wrong_end: When did each guest take a lesson first?
select g.guest_id, max(l.held_at) as first_lesson_at from guests g join lessons l using (guest_id) group by
g.guest_id
-- right
select g.guest_id, min(l.held_at) as first_lesson_at from guests g join lessons l using (guest_id) group by
g.guest_id

-- ski wrong_end: Which instructor is the cheapest per hour?
with w as (select instructor_id, full_name, hourly_wage from instructors) select * from w order by hourly_wage
desc fetch first 1 rows only
-- right
with w as (select instructor_id, full_name, hourly_wage from instructors) select * from w order by hourly_wage
fetch first 1 rows only

-- ski union_loses_rows: What did lessons and tips bring in together?
select sum(money) from (select fee as money from lessons union (select amount from tips)) as m
-- right
select sum(money) from (select fee as money from lessons union all (select amount from tips)) as m

-- ski union_loses_rows: Number of purchases (passes and bookings) per guest
with p as (select guest_id, sold_on as day from passes union select guest_id, booked_at::date from bookings)
select guest_id, count(*) as purchases from p group by guest_id
-- right
with p as (select guest_id, sold_on as day from passes union all select guest_id, booked_at::date from
bookings) select guest_id, count(*) as purchases from p group by guest_id

-- ski union_loses_rows: Average spend per purchase over passes and hut bookings
select round(avg(x.v)::numeric, 2) as avg_spend from (select price::numeric as v from passes union distinct
select amount::numeric from bookings) x
-- right
select round(avg(x.v)::numeric, 2) as avg_spend from (select price::numeric as v from passes union all select
amount::numeric from bookings) x

-- ski not_in_null: Which huts never had a lesson end there?
select hut_id, hut_name from huts where hut_id not in (select le.hut_id from lessons le where le.level =
'beginner')
-- right
select hut_id, hut_name from huts where hut_id not in (select le.hut_id from lessons le where le.level =
'beginner' and le.hut_id is not null)

-- ski not_in_null: Which instructors supervise no one?
select full_name from instructors i where not (i.instructor_id in (select supervisor_id from instructors))
-- right
select full_name from instructors i where not exists (select from instructors x where x.supervisor_id =
i.instructor_id)

-- ski not_in_null: How many guests have not recruited another?
with r as (select distinct recruited_by from guests) select count(*) as guests from guests where guest_id <>
all (select recruited_by from r)
-- right
with r as (select distinct recruited_by from guests where recruited_by is not null) select count(*) as guests
from guests where guest_id <> all (select recruited_by from r)

-- ski integer_division: Share of lessons that are for beginners, by instructor
select instructor_id, count(*) filter (where level = 'beginner') / count(*) as beginner_share from lessons
group by instructor_id
-- right
select instructor_id, count(*) filter (where level = 'beginner')::numeric / count(*) as beginner_share from
lessons group by instructor_id

-- ski integer_division: Rides per pass in each season
with a as (select season, count(distinct pass_id) p, count(ride_id) r from passes left join rides using
(pass_id) group by 1) select season, r / nullif(p, 0) as rides_per_pass from a
-- right
with a as (select season, count(distinct pass_id) p, count(ride_id) r from passes left join rides using
(pass_id) group by 1) select season, r::float / nullif(p, 0) as rides_per_pass from a

-- ski integer_division: How many kilometres long is each lift?
select lift_name, length_m / 1000 as km from lifts
-- right
select lift_name, length_m / 1000.0 as km from lifts

-- ski metric_name: Pass revenue by season
select season, sum(price) as pass_revenue from passes group by season
-- right
select season, sum(price) - sum(coalesce(discount, 0)) as pass_revenue from passes group by season

-- ski metric_name: Pass revenue by grade
select grade, sum(price - discount) as pass_revenue from passes group by 1
-- right
select grade, sum(price - case when discount is null then 0 else discount end) as pass_revenue from passes
group by 1

-- ski metric_name: What is the fee per hour of each instructor?
select instructor_id, avg(fee / hours) as fee_per_hour from lessons group by instructor_id
-- right
select instructor_id, sum(fee) / sum(hours) as fee_per_hour from lessons group by instructor_id

-- ski count_of_joined_rows: How many lessons with tips did each instructor give?
select l.instructor_id, count(*) as lessons from lessons l join tips t using (lesson_id) group by 1
-- right
select l.instructor_id, count(distinct lesson_id) as lessons from lessons l join tips t using (lesson_id)
group by 1

-- ski count_of_joined_rows: How many lifts does each valley have that were used in 2024?
select v.valley_name, count(*) as lifts from valleys v join lifts l on l.valley_id = v.valley_id join rides r
on r.lift_id = l.lift_id where extract(year from r.scanned_at) = 2024 group by v.valley_id, v.valley_name
having count(*) > 0
-- right
select v.valley_name, count(distinct l.lift_id) as lifts from valleys v join lifts l on l.valley_id =
v.valley_id join rides r on r.lift_id = l.lift_id where extract(year from r.scanned_at) = 2024 group by
v.valley_id, v.valley_name having count(*) > 0

-- ski count_of_joined_rows: Number of passes of each guest who rode
select q.guest_id, count(1) as n_passes from (select p.guest_id, p.pass_id, r.ride_id from passes p inner join
rides r on p.pass_id = r.pass_id) q group by q.guest_id
-- right
select q.guest_id, count(distinct q.pass_id) as n_passes from (select p.guest_id, p.pass_id, r.ride_id from
passes p inner join rides r on p.pass_id = r.pass_id) q group by q.guest_id

-- ski count_of_values: How many guests took lessons in each level?
select level, count(guest_id) as guests from lessons group by level
-- right
select level, count(distinct guest_id) as guests from lessons group by level

-- ski count_of_values: How many lifts were ridden per day?
select r.scanned_at::date as day, count(r.lift_id) as lifts_used from rides r group by 1
-- right
select r.scanned_at::date as day, count(distinct r.lift_id) as lifts_used from rides r group by 1

-- ski count_of_values: How many guests come from each country?
select home_country, count(distinct full_name) as guests from guests group by home_country
-- right
select home_country, count(distinct guest_id) as guests from guests group by home_country

-- ski count_of_values: How many instructors taught in 2024?
select count(i) as instructors from (select l.instructor_id as i from lessons l where l.held_at >=
'2024-01-01' and l.held_at < '2025-01-01') t
-- right
select count(distinct i) as instructors from (select l.instructor_id as i from lessons l where l.held_at >=
'2024-01-01' and l.held_at < '2025-01-01') t

-- ski average_of_averages: What is the average wait overall?
select avg(w) from (select lift_id, avg(wait_minutes) as w from rides group by lift_id) x
-- right
select avg(wait_minutes) from rides

-- ski average_of_averages: Average price of a pass per season
with g as (select season, grade, avg(price) as p from passes group by season, grade) select season,
round(avg(p), 2) as average_price from g group by season
-- right
select season, round(avg(price), 2) as average_price from passes group by season

-- ski average_of_averages: Average tip per lesson across all instructors
with t as (select l.instructor_id, sum(t.amount) / count(distinct l.lesson_id) as per_lesson from lessons l
join tips t using (lesson_id) group by 1) select avg(per_lesson) as tip_per_lesson from t
-- right
with t as (select l.instructor_id, sum(t.amount) as a, count(distinct l.lesson_id) as n from lessons l join
tips t using (lesson_id) group by 1) select sum(a) / sum(n) as tip_per_lesson from t

-- ski group_by_name: Lesson income by instructor
select i.full_name, sum(l.fee) as lesson_income from lessons l join instructors i using (instructor_id) group
by 1 order by 2 desc
-- right
select i.full_name, sum(l.fee) as lesson_income from lessons l join instructors i using (instructor_id) group
by i.instructor_id, 1 order by 2 desc

-- ski group_by_name: Nights booked at each hut
with b as (select h.hut_name as hut, b.nights from huts h join bookings b on b.hut_id = h.hut_id) select hut,
sum(nights) as nights from b group by hut
-- right
with b as (select h.hut_id, h.hut_name as hut, b.nights from huts h join bookings b on b.hut_id = h.hut_id)
select hut, sum(nights) as nights from b group by hut_id, hut

-- ski group_by_name: Rank the guests by what they paid for passes
select trim(g.full_name) as guest, sum(p.price) as paid, dense_rank() over (order by sum(p.price) desc) as
place from guests g join passes p using (guest_id) group by trim(g.full_name)
-- right
select trim(g.full_name) as guest, sum(p.price) as paid, dense_rank() over (order by sum(p.price) desc) as
place from guests g join passes p using (guest_id) group by g.guest_id, trim(g.full_name)

-- ski wrong_total: What share of the passes of season 2024 has each grade?
select grade, 100.0*count(*)/(select count(*) from passes) as pct from passes where season = 2024 group by
grade
-- right
select grade, 100.0*count(*)/(select count(*) from passes where season = 2024) as pct from passes where season
= 2024 group by grade

-- ski wrong_total: Within valley 3, what share of the lifts is of each kind?
with total as (select count(*) as n from lifts) select kind, round(100.0*count(*)/max(total.n), 1) as pct from
lifts, total where valley_id = 3 group by kind
-- right
with total as (select count(*) as n from lifts where valley_id = 3) select kind,
round(100.0*count(*)/max(total.n), 1) as pct from lifts, total where valley_id = 3 group by kind

-- ski wrong_total: Of the revenue with grade A passes, what share came from each season?
select season, sum(price)/(select sum(price) from passes) as share from passes where grade = 'A' group by
season
-- right
select season, sum(price)/(select sum(price) from passes where grade = 'A') as share from passes where grade =
'A' group by season

-- ski wrong_total: What share of all passes is sold in each season?
select p.season, 100.0*count(*)/(select count(*) from passes q where q.grade = 'A') as pct from passes p group
by p.season
-- right
select p.season, 100.0*count(*)/(select count(*) from passes q) as pct from passes p group by p.season

-- ski wrong_total: For each valley, the share of each kind of lift
select valley_id, kind, count(*) / sum(count(*)) over () as share from lifts group by valley_id, kind
-- right
select valley_id, kind, count(*) / sum(count(*)) over (partition by valley_id) as share from lifts group by
valley_id, kind

-- ski wrong_total: What percentage of the bookings of hut 7 in 2024 does each month have?
select date_trunc('month', b.arrives_on) as month, 100.0 * sum(b.amount) / t.total as pct from bookings b
cross join (select sum(amount) as total from bookings where hut_id = 7) t where b.hut_id = 7 and b.arrives_on
>= '2024-01-01' and b.arrives_on < '2025-01-01' group by 1, t.total
-- right
select date_trunc('month', b.arrives_on) as month, 100.0 * sum(b.amount) / t.total as pct from bookings b
cross join (select sum(amount) as total from bookings where hut_id = 7 and arrives_on >= '2024-01-01' and
arrives_on < '2025-01-01') t where b.hut_id = 7 and b.arrives_on >= '2024-01-01' and b.arrives_on <
'2025-01-01' group by 1, t.total

-- ski time_zone_shift: Rides per day in Vienna time
select date_trunc('day', r.scanned_at) at time zone 'Europe/Vienna' as day, count(*) as rides from rides r
group by 1
-- right
select date_trunc('day', r.scanned_at at time zone 'Europe/Vienna') as day, count(*) as rides from rides r
group by 1

-- ski time_zone_shift: Lessons per hour of the day in Vienna
select extract(hour from held_at at time zone 'Europe/Vienna') as hour, count(*) as lessons from lessons group
by 1
-- right
select extract(hour from held_at at time zone 'UTC' at time zone 'Europe/Vienna') as hour, count(*) as lessons
from lessons group by 1

-- ski time_zone_shift: Registrations per month, Vienna
with g as (select guest_id, timezone('Europe/Vienna', timezone('UTC', registered_at)) as t from guests) select
to_char(t, 'YYYY-MM') as month, count(*) as guests from g group by 1
-- right
with g as (select guest_id, timezone('Europe/Vienna', registered_at) as t from guests) select to_char(t,
'YYYY-MM') as month, count(*) as guests from g group by 1

-- ski time_zone_shift: Rides by local day in Vienna
select (scanned_at::date at time zone 'Europe/Vienna')::date as day, count(*) as rides from rides group by 1
-- right
select (scanned_at at time zone 'Europe/Vienna')::date as day, count(*) as rides from rides group by 1

-- ski time_zone_shift: Monthly registrations in Vienna time
select date_trunc('month', registered_at)::timestamp at time zone 'Europe/Vienna' as month, count(*) as guests
from guests group by 1
-- right
select date_trunc('month', registered_at at time zone 'Europe/Vienna') as month, count(*) as guests from
guests group by 1

-- ski self_join_direction: Which instructors are supervised by Eva Kern?
select i.instructor_id, i.full_name from instructors i where exists (select 1 from instructors x where
x.supervisor_id = i.instructor_id and x.full_name = 'Eva Kern')
-- right
select i.instructor_id, i.full_name from instructors i where exists (select 1 from instructors x where
x.instructor_id = i.supervisor_id and x.full_name = 'Eva Kern')

-- ski self_join_direction: List the supervisees of Eva Kern.
select b.full_name from instructors a join instructors b on b.instructor_id = a.supervisor_id where
a.full_name = 'Eva Kern'
-- right
select b.full_name from instructors a join instructors b on b.supervisor_id = a.instructor_id where
a.full_name = 'Eva Kern'

-- ski self_join_direction: Each lift with the lift it replaced
select n.lift_name as lift, o.lift_name as replaced_lift from lifts n left join lifts o on o.replaces_lift_id
= n.lift_id
-- right
select n.lift_name as lift, o.lift_name as replaced_lift from lifts n left join lifts o on n.replaces_lift_id
= o.lift_id

-- ski self_join_direction: Which lift replaced lift Gamsbahn?
select o.lift_name from lifts n join lifts o on n.replaces_lift_id = o.lift_id where n.lift_name = 'Gamsbahn'
-- right
select n.lift_name from lifts n join lifts o on n.replaces_lift_id = o.lift_id where o.lift_name = 'Gamsbahn'

-- ski self_join_direction: How many guests did each guest recruit?
select r.guest_id, r.full_name as recruiter, count(g.guest_id) as recruits from guests r left join guests g on
g.guest_id = r.recruited_by group by r.guest_id, r.full_name
-- right
select r.guest_id, r.full_name as recruiter, count(g.guest_id) as recruits from guests r left join guests g on
g.recruited_by = r.guest_id group by r.guest_id, r.full_name

-- ski other_date: Pass revenue per month of 2024
select to_char(valid_from, 'YYYY-MM') as month, sum(price - coalesce(discount, 0)) as pass_revenue from passes
where valid_from between '2024-01-01' and '2024-12-31' group by 1
-- right
select to_char(sold_on, 'YYYY-MM') as month, sum(price - coalesce(discount, 0)) as pass_revenue from passes
where sold_on between '2024-01-01' and '2024-12-31' group by 1

-- ski other_date: Lesson income in 2023 and in 2024 by level
select level, sum(fee) filter (where extract(year from booked_on) = 2023) as y2023, sum(fee) filter (where
extract(year from booked_on) = 2024) as y2024 from lessons group by level
-- right
select level, sum(fee) filter (where extract(year from held_at) = 2023) as y2023, sum(fee) filter (where
extract(year from held_at) = 2024) as y2024 from lessons group by level

-- ski other_date: How much did bookings of March 2024 bring per hut?
with b as (select hut_id, amount, booked_at from bookings) select hut_id, sum(amount) as amount from b where
date_trunc('month', booked_at) = '2024-03-01' group by hut_id
-- right
with b as (select hut_id, amount, arrives_on from bookings) select hut_id, sum(amount) as amount from b where
date_trunc('month', arrives_on) = '2024-03-01' group by hut_id

-- ski joins_follow_model: Tips per instructor
select i.instructor_id, i.full_name, sum(t.amount) as tips from instructors i join lessons l on l.lesson_id =
i.instructor_id join tips t on t.lesson_id = l.lesson_id group by 1, 2
-- right
select i.instructor_id, i.full_name, sum(t.amount) as tips from instructors i join lessons l on
l.instructor_id = i.instructor_id join tips t on t.lesson_id = l.lesson_id group by 1, 2

-- ski joins_follow_model: Which guests took a lesson?
select g.full_name from guests g where g.guest_id in (select l.lesson_id from lessons l)
-- right
select g.full_name from guests g where g.guest_id in (select l.guest_id from lessons l)

-- ski joins_follow_model: Bookings per hut in each valley
select v.valley_name, h.hut_id, count(*) as bookings from valleys v join huts h on h.hut_id = v.valley_id,
bookings b where b.hut_id = h.hut_id group by v.valley_id, v.valley_name, h.hut_id
-- right
select v.valley_name, h.hut_id, count(*) as bookings from valleys v join huts h on h.valley_id = v.valley_id,
bookings b where b.hut_id = h.hut_id group by v.valley_id, v.valley_name, h.hut_id

-- ski joins_follow_model: Which guests have no pass?
select g.guest_id, g.full_name from guests g where not exists (select 1 from passes p where p.pass_id =
g.guest_id)
-- right
select g.guest_id, g.full_name from guests g where not exists (select 1 from passes p where p.guest_id =
g.guest_id)
