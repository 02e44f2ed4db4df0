-- Queries near the rules that answer their question, in the form of ../right_asked.sql.

-- ski: Which lift was built last in each valley?
select distinct on (valley_id) valley_id, lift_name, built_on from lifts order by valley_id, built_on desc

-- ski: One row per country and season that occurs
select distinct on (g.home_country, p.season) g.home_country, p.season from guests g join passes p using
(guest_id)

-- ski: The guests who ever rode, each once
select distinct on (g.guest_id) g.guest_id, g.full_name from guests g join passes p using (guest_id) join
rides r using (pass_id)

-- ski: How many different levels has each guest taken?
select guest_id, count(*) as levels from (select guest_id, level, row_number() over (partition by guest_id,
level) as rn from lessons) x where rn = 1 group by guest_id

-- ski: Number the lifts from one
select row_number() over () as nr, lift_name from lifts

-- ski: Which names occur more than once among huts?
select hut_name, valley_id from (select hut_name, valley_id, row_number() over (partition by hut_name) rn from
huts) x where rn > 1

-- ski: The latest snow depth of each lift
select lift_id, depth_cm from (select s.*, row_number() over (partition by lift_id order by measured_on desc)
as rn from snow s) x where rn = 1

-- ski: First and last reading of each lift
select distinct lift_id, first_value(depth_cm) over w as first_depth, last_value(depth_cm) over (partition by
lift_id order by measured_on rows between unbounded preceding and unbounded following) as last_depth from snow
window w as (partition by lift_id order by measured_on)

-- ski: Change of snow depth from reading to reading
select lift_id, measured_on, depth_cm - lag(depth_cm) over (partition by lift_id order by measured_on) as
change from snow

-- ski: Show any three lifts
select lift_name from lifts limit 3

-- ski: Some sample ride per lift
select distinct on (lift_id) lift_id, ride_id, scanned_at from rides

-- ski: The deepest snow at each lift
select lift_id, max(depth_cm) as deepest from snow group by lift_id

-- ski: Which lift had the deepest snow?
select lift_id, depth_cm from snow order by depth_cm desc nulls last limit 1

-- ski: On which day was it coldest?
select measured_on from snow order by temperature limit 1

-- ski: On which day was it warmest?
select measured_on from snow where temperature is not null order by temperature desc limit 1

-- ski: Which day was the coldest and how deep was the snow?
select measured_on, temperature, depth_cm from snow where temperature = (select min(temperature) from snow)

-- ski: Who is the oldest guest?
select full_name, born_on from guests where born_on is not null order by born_on limit 1

-- ski: Who are the three youngest guests?
select full_name, born_on from guests where born_on is not null order by born_on desc limit 3

-- ski: Which was the busiest lift on the quietest day?
with d as (select scanned_at::date as day, count(*) as n from rides group by 1 order by n limit 1) select
r.lift_id, count(*) as rides from rides r join d on r.scanned_at::date = d.day group by r.lift_id order by
rides desc limit 1

-- ski: Which instructor has the shortest lessons?
select instructor_id, avg(hours) as hours from lessons group by 1 order by 2 limit 1

-- ski: What is the cheapest pass grade in season 2024?
select grade, min(price) as cheapest from passes where season = 2024 group by grade order by cheapest limit 1

-- ski: Which valley is the busiest on the lifts?
select l.valley_id, count(*) as rides from rides r join lifts l using (lift_id) group by 1 order by rides desc
limit 1

-- ski: Which lift is the fastest to get onto, by wait minutes?
select lift_id, avg(wait_minutes) as wait_minutes from rides group by 1 order by 2 limit 1

-- ski: Which huts are the highest in altitude?
select hut_name, altitude_m from huts order by altitude_m desc limit 5

-- ski: The latest of the first rides
select max(first_ride) as last_first_ride from (select pass_id, min(scanned_at) as first_ride from rides group
by pass_id) x

-- ski: First lesson of each guest
select guest_id, min(held_at) as first_lesson from lessons group by guest_id

-- ski: First and last lesson of each guest
select guest_id, min(held_at) as first_lesson, max(held_at) as last_lesson from lessons group by guest_id

-- ski: First name in the alphabet
select min(full_name) as first_name, max(full_name) as last_name from guests

-- ski: The day of the first lesson of each guest with the level of it
select guest_id, max(held_at) filter (where rn = 1) as first_held, max(level) filter (where rn = 1) as
first_level from (select l.*, row_number() over (partition by guest_id order by held_at) as rn from lessons l)
x group by guest_id

-- ski: When was last year's first pass sold?
select min(sold_on) as last_year_first from passes where sold_on >= '2025-01-01' and sold_on < '2026-01-01'

-- ski: Instructors with their lessons' tips, only those with tips
select i.full_name, t.amount from instructors i join lessons l using (instructor_id) join tips t using
(lesson_id)

-- ski: All lifts with valley and depth
select l.lift_name, v.valley_name, s.depth_cm from lifts l left join snow s using (lift_id) join valleys v on
v.valley_id = l.valley_id

-- ski: All guests and their passes, with the country of their lessons' valley
select g.guest_id, g.full_name, p.pass_id, i.full_name as instructor from guests g left join passes p on
p.guest_id = g.guest_id join lessons l on l.guest_id = g.guest_id join instructors i on i.instructor_id =
l.instructor_id

-- ski: Every hut with its tips
select h.hut_id, h.hut_name, sum(x.amount) as tips from huts h left join (select l.hut_id, t.amount from
lessons l join tips t using (lesson_id)) x on x.hut_id = h.hut_id group by 1, 2

-- ski: Every hut with its tips
select h.hut_id, h.hut_name, sum(t.amount) as tips from huts h left join (lessons l join tips t on t.lesson_id
= l.lesson_id) on l.hut_id = h.hut_id group by 1, 2

-- ski: Every valley with its huts
select v.valley_name, h.hut_name from huts h join lifts l on l.valley_id = h.valley_id right join valleys v on
v.valley_id = h.valley_id

-- ski: Lifts with the one they replaced and its valley
select n.lift_name, o.lift_name as replaced_lift from lifts n left join lifts o on o.lift_id =
n.replaces_lift_id left join valleys v on v.valley_id = o.valley_id

-- ski: Which lifts were replaced, and when?
select o.lift_name, n.built_on as replaced_on from lifts n join lifts o on o.lift_id = n.replaces_lift_id

-- ski: Which lift was replaced by Gamsbahn?
select o.lift_name from lifts n join lifts o on n.replaces_lift_id = o.lift_id where n.lift_name = 'Gamsbahn'

-- ski: Which lift did Gamsbahn replace?
select o.lift_name from lifts n join lifts o on n.replaces_lift_id = o.lift_id where n.lift_name = 'Gamsbahn'

-- ski: What replaced Gamsbahn?
select n.lift_name from lifts n where n.replaces_lift_id = (select lift_id from lifts where lift_name =
'Gamsbahn')

-- ski: Who is the supervisor of Eva Kern?
select b.full_name from instructors a join instructors b on b.instructor_id = a.supervisor_id where
a.full_name = 'Eva Kern'

-- ski: Who supervises Eva Kern?
select full_name from instructors where instructor_id = (select supervisor_id from instructors where full_name
= 'Eva Kern')

-- ski: To whom does Eva Kern report?
select m.full_name from instructors i join instructors m on m.instructor_id = i.supervisor_id where
i.full_name = 'Eva Kern'

-- ski: Which instructors report to Eva Kern?
select i.full_name from instructors i join instructors m on m.instructor_id = i.supervisor_id where
m.full_name = 'Eva Kern'

-- ski: Who recruited Jan Moser?
select r.full_name from guests g join guests r on r.guest_id = g.recruited_by where g.full_name = 'Jan Moser'

-- ski: Which guests were recruited by Jan Moser?
select g.full_name from guests g join guests r on r.guest_id = g.recruited_by where r.full_name = 'Jan Moser'

-- ski: Colleagues of Eva Kern under the same supervisor
select b.full_name from instructors a join instructors b on b.supervisor_id = a.supervisor_id where
a.full_name = 'Eva Kern' and b.instructor_id <> a.instructor_id

-- ski: Instructors who supervise someone
select i.full_name from instructors i where exists (select 1 from instructors x where x.supervisor_id =
i.instructor_id)

-- ski: What share of all passes are grade A passes of each season?
select season, count(*)::numeric / (select count(*) from passes) as share from passes where grade = 'A' group
by season

-- ski: What share of passes was sold in grade A?
select (select count(*) from passes where grade = 'A')::numeric / (select count(*) from passes) as share

-- ski: What share of the lifts is in valley 3?
select count(*)::numeric / (select count(*) from lifts) as share from lifts where valley_id = 3

-- ski: What share of the overall pass revenue did each grade make in season 2024?
select grade, sum(price - coalesce(discount,0)) / (select sum(price - coalesce(discount,0)) from passes) as
share from passes where season = 2024 group by grade

-- ski: What percentage of the passes of season 2024 has each grade?
select grade, 100.0*count(*)/sum(count(*)) over () as pct from passes where season = 2024 group by grade

-- ski: Within valley 3, what share of the lifts is of each kind?
select kind, count(*)::numeric/(select count(*) from lifts l where l.valley_id = 3) as share from lifts where
valley_id = 3 group by kind

-- ski: For lift 3, what share of all rides is it?
select count(*)::numeric/(select count(*) from rides) as share from rides where lift_id = 3

-- ski: What share of the rides of season 2024 was on lift 3?
select count(*) filter (where r.lift_id = 3)::numeric / count(*) as share from rides r join passes p using
(pass_id) where p.season = 2024

-- ski: For each valley, what share of its lifts is a gondola?
select valley_id, avg(case when kind = 'gondola' then 1.0 else 0 end) as share from lifts group by valley_id

-- ski: For each kind of lift, its share of all lifts in each valley
select valley_id, kind, count(*)::numeric / sum(count(*)) over () as share from lifts group by valley_id, kind

-- ski: What share of each kind's lifts is in each valley?
select kind, valley_id, count(*)::numeric / sum(count(*)) over (partition by kind) as share from lifts group
by kind, valley_id

-- ski: Rides per day in Vienna time
select date_trunc('day', scanned_at at time zone 'Europe/Vienna')::date as day, count(*) as rides from rides
group by 1

-- ski: Rides per local day, with the moment at which it begins
select date_trunc('day', scanned_at at time zone 'Europe/Vienna') at time zone 'Europe/Vienna' as begins,
count(*) as rides from rides group by 1

-- ski: Rides per day in Vienna
select date_trunc('day', scanned_at, 'Europe/Vienna') at time zone 'Europe/Vienna' as day, count(*) as rides
from rides group by 1

-- ski: Rides per UTC day
select date_trunc('day', scanned_at) at time zone 'UTC' as day, count(*) as rides from rides group by 1

-- ski: Rides per hour, shown in Vienna time
select date_trunc('hour', scanned_at) at time zone 'Europe/Vienna' as hour, count(*) as rides from rides group
by 1

-- ski: Lessons per Vienna day
select (held_at at time zone 'UTC' at time zone 'Europe/Vienna')::date as day, count(*) as lessons from
lessons group by 1

-- ski: How many lifts were used in 2024?
select count(distinct lift_id) as lifts_used from rides where scanned_at >= '2024-01-01' and scanned_at <
'2025-01-01'

-- ski: How many rides does each lift have?
select lift_id, count(ride_id) as rides_used from rides group by lift_id

-- ski: Which guests have lessons but no pass?
select g.guest_id, g.full_name from guests g where g.guest_id in (select guest_id from lessons) and g.guest_id
not in (select guest_id from passes where guest_id is not null)

-- ski: Passes that were ridden
select pass_id from passes where pass_id in (select pass_id from rides)

-- ski: Lifts in valleys with huts
select lift_name from lifts where valley_id in (select valley_id from huts)

-- ski: Lesson income by instructor
select concat(i.full_name, ' (', i.instructor_id, ')') as instructor, sum(l.fee) as lesson_income from lessons
l join instructors i using (instructor_id) group by i.instructor_id, concat(i.full_name, ' (',
i.instructor_id, ')')

-- ski: How many guests share a name?
select lower(full_name) as name, count(*) as n from guests group by lower(full_name) having count(*) > 1

-- ski: How much did bookings of March 2024 bring per hut?
select hut_id, sum(amount) as amount from bookings where arrives_on >= '2024-03-01' and arrives_on <
'2024-04-01' group by hut_id

-- ski: How much was booked in March 2024 for each hut?
select hut_id, sum(amount) as amount from bookings where booked_at >= '2024-03-01' and booked_at <
'2024-04-01' group by hut_id

-- ski: Bookings by the month in which they were booked
select date_trunc('month', booked_at) as month, count(*) as bookings from bookings group by 1

-- ski: Average wait per lift
select lift_id, avg(wait_minutes) as average_wait from rides group by lift_id

-- ski: Lessons and tips together
select sum(v) from (select fee as v from lessons union all select amount from tips) x

-- ski: Passes sold per month
select date_trunc('month', sold_on) as month, count(*) as passes from passes group by 1

-- ski: Fee per hour by level
select level, round(sum(fee) / nullif(sum(hours), 0), 2) as fee_per_hour from lessons group by level

-- ski: Which hut has the fewest nights?
select h.hut_id, h.hut_name, coalesce(sum(b.nights),0) as nights from huts h left join bookings b using
(hut_id) group by 1,2 order by nights limit 1

-- ski: Guests who never took a lesson
select g.guest_id, g.full_name from guests g left join lessons l using (guest_id) where l.lesson_id is null

-- ski: How many kilometres of lift are there?
select sum(length_m) / 1000.0 as km from lifts

-- ski: Which lifts were built in the last three years?
select lift_name, built_on as last_built from lifts where built_on > current_date - interval '3 years' order
by built_on desc
