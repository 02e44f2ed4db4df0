-- Pairs for the blind test of rules, in the form of ../rules.sql: model, rule and question; the
-- query with one mistake; a line "-- right"; its correct twin.

-- university left_join_filtered: How many sections did each course have in Winter 2025, including courses that were not taught then?
SELECT c.course_id, c.code, COUNT(s.section_id) AS sections
FROM courses c
LEFT JOIN sections s ON s.course_id = c.course_id
LEFT JOIN terms t ON t.term_id = s.term_id
WHERE t.label = 'Winter 2025'
GROUP BY c.course_id, c.code
ORDER BY sections DESC, c.code
-- right
SELECT c.course_id, c.code, COUNT(s.section_id) AS sections
FROM courses c
LEFT JOIN (sections s JOIN terms t ON t.term_id = s.term_id AND t.label = 'Winter 2025')
       ON s.course_id = c.course_id
GROUP BY c.course_id, c.code
ORDER BY sections DESC, c.code

-- university limit_without_order: Which three instructors taught the most sections in the academic year 2024?
WITH load AS (
  SELECT s.instructor_id, COUNT(*) AS sections
  FROM sections s
  JOIN terms t ON t.term_id = s.term_id
  WHERE t.academic_year = 2024 AND s.instructor_id IS NOT NULL
  GROUP BY s.instructor_id
)
SELECT i.instructor_id, i.full_name, l.sections
FROM load l
JOIN instructors i ON i.instructor_id = l.instructor_id
LIMIT 3
-- right
WITH load AS (
  SELECT s.instructor_id, COUNT(*) AS sections
  FROM sections s
  JOIN terms t ON t.term_id = s.term_id
  WHERE t.academic_year = 2024 AND s.instructor_id IS NOT NULL
  GROUP BY s.instructor_id
)
SELECT i.instructor_id, i.full_name, l.sections
FROM load l
JOIN instructors i ON i.instructor_id = l.instructor_id
ORDER BY l.sections DESC, i.instructor_id
LIMIT 3

-- university wrong_end: Which course has the highest average grade?
SELECT code, title, avg_grade
FROM (
  SELECT c.code, c.title, AVG(e.grade_points) AS avg_grade,
         RANK() OVER (ORDER BY AVG(e.grade_points)) AS rnk
  FROM enrollments e
  JOIN sections s ON s.section_id = e.section_id
  JOIN courses c ON c.course_id = s.course_id
  WHERE e.grade_points IS NOT NULL
  GROUP BY c.course_id, c.code, c.title
) ranked
WHERE rnk = 1
-- right
SELECT code, title, avg_grade
FROM (
  SELECT c.code, c.title, AVG(e.grade_points) AS avg_grade,
         RANK() OVER (ORDER BY AVG(e.grade_points) DESC) AS rnk
  FROM enrollments e
  JOIN sections s ON s.section_id = e.section_id
  JOIN courses c ON c.course_id = s.course_id
  WHERE e.grade_points IS NOT NULL
  GROUP BY c.course_id, c.code, c.title
) ranked
WHERE rnk = 1

-- university union_loses_rows: How many credits did student S1012 take in Fall 2024 and Winter 2025 altogether?
SELECT SUM(x.credits) AS credits
FROM (
  SELECT c.credits
  FROM students st
  JOIN enrollments e ON e.student_id = st.student_id
  JOIN sections s ON s.section_id = e.section_id
  JOIN courses c ON c.course_id = s.course_id
  JOIN terms t ON t.term_id = s.term_id
  WHERE st.student_number = 'S1012' AND t.label = 'Fall 2024'
  UNION
  SELECT c.credits
  FROM students st
  JOIN enrollments e ON e.student_id = st.student_id
  JOIN sections s ON s.section_id = e.section_id
  JOIN courses c ON c.course_id = s.course_id
  JOIN terms t ON t.term_id = s.term_id
  WHERE st.student_number = 'S1012' AND t.label = 'Winter 2025'
) x
-- right
SELECT SUM(x.credits) AS credits
FROM (
  SELECT c.credits
  FROM students st
  JOIN enrollments e ON e.student_id = st.student_id
  JOIN sections s ON s.section_id = e.section_id
  JOIN courses c ON c.course_id = s.course_id
  JOIN terms t ON t.term_id = s.term_id
  WHERE st.student_number = 'S1012' AND t.label = 'Fall 2024'
  UNION ALL
  SELECT c.credits
  FROM students st
  JOIN enrollments e ON e.student_id = st.student_id
  JOIN sections s ON s.section_id = e.section_id
  JOIN courses c ON c.course_id = s.course_id
  JOIN terms t ON t.term_id = s.term_id
  WHERE st.student_number = 'S1012' AND t.label = 'Winter 2025'
) x

-- university not_in_null: Which instructors do not advise any student?
SELECT i.instructor_id, i.full_name
FROM instructors i
WHERE i.instructor_id NOT IN (SELECT advisor_id FROM students)
-- right
SELECT i.instructor_id, i.full_name
FROM instructors i
WHERE NOT EXISTS (SELECT 1 FROM students st WHERE st.advisor_id = i.instructor_id)

-- university integer_division: How many students are there per section on average in each term?
SELECT t.label, COUNT(e.student_id) / COUNT(DISTINCT s.section_id) AS students_per_section
FROM terms t
JOIN sections s ON s.term_id = t.term_id
LEFT JOIN enrollments e ON e.section_id = s.section_id
GROUP BY t.term_id, t.label
ORDER BY t.term_id
-- right
SELECT t.label, COUNT(e.student_id)::numeric / COUNT(DISTINCT s.section_id) AS students_per_section
FROM terms t
JOIN sections s ON s.term_id = t.term_id
LEFT JOIN enrollments e ON e.section_id = s.section_id
GROUP BY t.term_id, t.label
ORDER BY t.term_id

-- university metric_name: What is the pass rate of each department's courses?
SELECT d.code, d.name,
       COUNT(*) FILTER (WHERE e.grade_points >= 1.0)::numeric / COUNT(*) AS pass_rate
FROM departments d
JOIN courses c ON c.department_id = d.department_id
JOIN sections s ON s.course_id = c.course_id
JOIN enrollments e ON e.section_id = s.section_id
GROUP BY d.department_id, d.code, d.name
-- right
SELECT d.code, d.name,
       COUNT(*) FILTER (WHERE e.grade_points >= 1.0)::numeric / NULLIF(COUNT(e.grade_points), 0) AS pass_rate
FROM departments d
JOIN courses c ON c.department_id = d.department_id
JOIN sections s ON s.course_id = c.course_id
JOIN enrollments e ON e.section_id = s.section_id
GROUP BY d.department_id, d.code, d.name

-- university count_of_joined_rows: How many students of each program have ever enrolled in a section?
select p.program_id, p.title, p.degree, count(*) as students
from programs p
join students st on st.program_id = p.program_id
join enrollments e on e.student_id = st.student_id
group by p.program_id, p.title, p.degree
order by students desc
-- right
select p.program_id, p.title, p.degree, count(distinct st.student_id) as students
from programs p
join students st on st.program_id = p.program_id
join enrollments e on e.student_id = st.student_id
group by p.program_id, p.title, p.degree
order by students desc

-- university count_of_values: How many different courses has each instructor taught?
SELECT i.instructor_id, i.full_name, COUNT(s.course_id) AS courses
FROM instructors i
LEFT JOIN sections s ON s.instructor_id = i.instructor_id
GROUP BY i.instructor_id, i.full_name
-- right
SELECT i.instructor_id, i.full_name, COUNT(DISTINCT s.course_id) AS courses
FROM instructors i
LEFT JOIN sections s ON s.instructor_id = i.instructor_id
GROUP BY i.instructor_id, i.full_name

-- university average_of_averages: What was the mean grade over all graded enrollments of the academic year 2024?
WITH per_section AS (
  SELECT e.section_id, AVG(e.grade_points) AS section_mean
  FROM enrollments e
  JOIN sections s ON s.section_id = e.section_id
  JOIN terms t ON t.term_id = s.term_id
  WHERE t.academic_year = 2024
  GROUP BY e.section_id
)
SELECT ROUND(AVG(section_mean), 2) AS mean_grade FROM per_section
-- right
WITH graded AS (
  SELECT e.section_id, e.grade_points
  FROM enrollments e
  JOIN sections s ON s.section_id = e.section_id
  JOIN terms t ON t.term_id = s.term_id
  WHERE t.academic_year = 2024
)
SELECT ROUND(AVG(grade_points), 2) AS mean_grade FROM graded

-- university group_by_name: How much tuition was billed to each student in 2024?
SELECT st.full_name, SUM(ti.amount) AS billed
FROM tuition_invoices ti
JOIN students st ON st.student_id = ti.student_id
WHERE ti.issued_on >= DATE '2024-01-01' AND ti.issued_on < DATE '2025-01-01'
GROUP BY st.full_name
ORDER BY billed DESC
-- right
SELECT st.student_number, st.full_name, SUM(ti.amount) AS billed
FROM tuition_invoices ti
JOIN students st ON st.student_id = ti.student_id
WHERE ti.issued_on >= DATE '2024-01-01' AND ti.issued_on < DATE '2025-01-01'
GROUP BY st.student_id, st.student_number, st.full_name
ORDER BY billed DESC

-- university wrong_total: Within each faculty, what percentage of the enrollments falls on each department?
SELECT d.faculty, d.name,
       100.0 * COUNT(*) / SUM(COUNT(*)) OVER () AS pct
FROM enrollments e
JOIN sections s ON s.section_id = e.section_id
JOIN courses c ON c.course_id = s.course_id
JOIN departments d ON d.department_id = c.department_id
GROUP BY d.faculty, d.department_id, d.name
ORDER BY d.faculty, pct DESC
-- right
SELECT d.faculty, d.name,
       100.0 * COUNT(*) / SUM(COUNT(*)) OVER (PARTITION BY d.faculty) AS pct
FROM enrollments e
JOIN sections s ON s.section_id = e.section_id
JOIN courses c ON c.course_id = s.course_id
JOIN departments d ON d.department_id = c.department_id
GROUP BY d.faculty, d.department_id, d.name
ORDER BY d.faculty, pct DESC

-- university time_zone_shift: How many enrollments were made on each Toronto day of September 2024?
SELECT (e.enrolled_at AT TIME ZONE 'UTC' AT TIME ZONE 'America/Toronto')::date AS day,
       COUNT(*) AS enrollments
FROM enrollments e
WHERE e.enrolled_at >= '2024-09-01 00:00:00 America/Toronto'::timestamptz
  AND e.enrolled_at <  '2024-10-01 00:00:00 America/Toronto'::timestamptz
GROUP BY 1
ORDER BY 1
-- right
SELECT (e.enrolled_at AT TIME ZONE 'America/Toronto')::date AS day,
       COUNT(*) AS enrollments
FROM enrollments e
WHERE e.enrolled_at >= '2024-09-01 00:00:00 America/Toronto'::timestamptz
  AND e.enrolled_at <  '2024-10-01 00:00:00 America/Toronto'::timestamptz
GROUP BY 1
ORDER BY 1

-- university self_join_direction: List every instructor who has a mentor together with the mentor's name and rank
SELECT i.instructor_id, i.full_name, m.full_name AS mentor, m.academic_rank AS mentor_rank
FROM instructors i
JOIN instructors m ON m.mentor_id = i.instructor_id
ORDER BY i.instructor_id
-- right
SELECT i.instructor_id, i.full_name, m.full_name AS mentor, m.academic_rank AS mentor_rank
FROM instructors i
JOIN instructors m ON m.instructor_id = i.mentor_id
ORDER BY i.instructor_id

-- university other_date: How much tuition was billed in each month of 2025?
SELECT date_trunc('month', ti.due_on)::date AS month, SUM(ti.amount) AS tuition_billed
FROM tuition_invoices ti
WHERE ti.due_on >= DATE '2025-01-01' AND ti.due_on < DATE '2026-01-01'
GROUP BY 1
ORDER BY 1
-- right
SELECT date_trunc('month', ti.issued_on)::date AS month, SUM(ti.amount) AS tuition_billed
FROM tuition_invoices ti
WHERE ti.issued_on >= DATE '2025-01-01' AND ti.issued_on < DATE '2026-01-01'
GROUP BY 1
ORDER BY 1

-- university joins_follow_model: What is the average grade that each rank of instructor gives?
SELECT i.academic_rank, AVG(e.grade_points) AS average_grade
FROM enrollments e
JOIN sections s ON s.section_no = e.section_id
JOIN instructors i ON i.instructor_id = s.instructor_id
GROUP BY i.academic_rank
-- right
SELECT i.academic_rank, AVG(e.grade_points) AS average_grade
FROM enrollments e
JOIN sections s ON s.section_id = e.section_id
JOIN instructors i ON i.instructor_id = s.instructor_id
GROUP BY i.academic_rank

-- airline left_join_filtered: Show every aircraft with the number of its flights in August 2025, also those that stayed on the ground
SELECT a.tail_number, a.type_code, COUNT(f.flight_id) AS flights
FROM aircraft a
LEFT JOIN flights f ON f.tail_number = a.tail_number
WHERE f.departure_date BETWEEN DATE '2025-08-01' AND DATE '2025-08-31'
GROUP BY a.tail_number, a.type_code
ORDER BY flights DESC
-- right
SELECT a.tail_number, a.type_code, COUNT(f.flight_id) AS flights
FROM aircraft a
LEFT JOIN flights f ON f.tail_number = a.tail_number
                   AND f.departure_date BETWEEN DATE '2025-08-01' AND DATE '2025-08-31'
GROUP BY a.tail_number, a.type_code
ORDER BY flights DESC

-- airline limit_without_order: What are our ten longest routes?
SELECT r.origin, r.destination, r.distance_km
FROM routes r
FETCH FIRST 10 ROWS ONLY
-- right
SELECT r.origin, r.destination, r.distance_km
FROM routes r
ORDER BY r.distance_km DESC
FETCH FIRST 10 ROWS ONLY

-- airline wrong_end: Which airport had the fewest departures in June 2025?
SELECT ap.iata, ap.name, COUNT(f.flight_id) AS departures
FROM airports ap
LEFT JOIN flights f ON f.origin = ap.iata
     AND f.departure_date >= '2025-06-01' AND f.departure_date < '2025-07-01'
GROUP BY ap.iata, ap.name
ORDER BY departures DESC
LIMIT 1
-- right
SELECT ap.iata, ap.name, COUNT(f.flight_id) AS departures
FROM airports ap
LEFT JOIN flights f ON f.origin = ap.iata
     AND f.departure_date >= '2025-06-01' AND f.departure_date < '2025-07-01'
GROUP BY ap.iata, ap.name
ORDER BY departures
LIMIT 1

-- airline union_loses_rows: What is the revenue of each cabin from direct sales, that is, web and app together?
WITH direct AS (
  SELECT t.cabin, t.fare FROM tickets t
  JOIN bookings b ON b.booking_ref = t.booking_ref WHERE b.channel = 'web'
  UNION
  SELECT t.cabin, t.fare FROM tickets t
  JOIN bookings b ON b.booking_ref = t.booking_ref WHERE b.channel = 'app'
)
SELECT cabin, SUM(fare) AS revenue FROM direct GROUP BY cabin
-- right
WITH direct AS (
  SELECT t.cabin, t.fare FROM tickets t
  JOIN bookings b ON b.booking_ref = t.booking_ref WHERE b.channel = 'web'
  UNION ALL
  SELECT t.cabin, t.fare FROM tickets t
  JOIN bookings b ON b.booking_ref = t.booking_ref WHERE b.channel = 'app'
)
SELECT cabin, SUM(fare) AS revenue FROM direct GROUP BY cabin

-- airline not_in_null: Which aircraft have never been assigned to a flight?
select ac.tail_number, ty.maker, ty.model
from aircraft ac
join aircraft_types ty using (type_code)
where ac.tail_number not in (select f.tail_number from flights f where f.status = 'flown')
-- right
select ac.tail_number, ty.maker, ty.model
from aircraft ac
join aircraft_types ty using (type_code)
where ac.tail_number not in (select f.tail_number from flights f
                             where f.status = 'flown' and f.tail_number is not null)

-- airline integer_division: How many hours of duty per flight does each crew member have on average?
SELECT c.crew_id, c.full_name, SUM(ca.duty_minutes) / 60 / COUNT(*) AS hours_per_flight
FROM crew c
JOIN crew_assignments ca ON ca.crew_id = c.crew_id
GROUP BY c.crew_id, c.full_name
-- right
SELECT c.crew_id, c.full_name, SUM(ca.duty_minutes) / 60.0 / COUNT(*) AS hours_per_flight
FROM crew c
JOIN crew_assignments ca ON ca.crew_id = c.crew_id
GROUP BY c.crew_id, c.full_name

-- airline metric_name: What was the punctuality on each route in July 2025?
SELECT f.origin, f.destination,
       AVG(CASE WHEN f.delay_minutes <= 30 THEN 1.0 ELSE 0.0 END) AS punctuality
FROM flights f
WHERE f.delay_minutes IS NOT NULL
  AND f.departure_date >= DATE '2025-07-01' AND f.departure_date < DATE '2025-08-01'
GROUP BY f.origin, f.destination
-- right
SELECT f.origin, f.destination,
       AVG(CASE WHEN f.delay_minutes <= 15 THEN 1.0 ELSE 0.0 END) AS punctuality
FROM flights f
WHERE f.delay_minutes IS NOT NULL
  AND f.departure_date >= DATE '2025-07-01' AND f.departure_date < DATE '2025-08-01'
GROUP BY f.origin, f.destination

-- airline count_of_joined_rows: How many flights left from each airport in May 2025, with zero for airports that had none?
SELECT ap.iata, ap.city, COUNT(*) AS flights
FROM airports ap
LEFT OUTER JOIN flights f
  ON f.origin = ap.iata AND f.departure_date >= '2025-05-01' AND f.departure_date <= '2025-05-31'
GROUP BY ap.iata, ap.city
-- right
SELECT ap.iata, ap.city, COUNT(f.flight_id) AS flights
FROM airports ap
LEFT OUTER JOIN flights f
  ON f.origin = ap.iata AND f.departure_date >= '2025-05-01' AND f.departure_date <= '2025-05-31'
GROUP BY ap.iata, ap.city

-- airline count_of_values: How many different passengers flew on each route?
SELECT f.origin, f.destination, COUNT(b.passenger_id) AS passengers
FROM tickets t
JOIN bookings b ON b.booking_ref = t.booking_ref
JOIN flights f ON f.flight_id = t.flight_id
WHERE t.boarded
GROUP BY f.origin, f.destination
ORDER BY passengers DESC
-- right
SELECT f.origin, f.destination, COUNT(DISTINCT b.passenger_id) AS passengers
FROM tickets t
JOIN bookings b ON b.booking_ref = t.booking_ref
JOIN flights f ON f.flight_id = t.flight_id
WHERE t.boarded
GROUP BY f.origin, f.destination
ORDER BY passengers DESC

-- airline average_of_averages: What was the average delay of a flight in the summer of 2025 (June to August)?
SELECT AVG(daily.avg_delay) AS avg_delay
FROM (
  SELECT f.departure_date, AVG(f.delay_minutes) AS avg_delay
  FROM flights f
  WHERE f.departure_date >= DATE '2025-06-01' AND f.departure_date < DATE '2025-09-01'
  GROUP BY f.departure_date
) AS daily
-- right
SELECT SUM(daily.total_delay)::numeric / SUM(daily.n) AS avg_delay
FROM (
  SELECT f.departure_date, SUM(f.delay_minutes) AS total_delay, COUNT(f.delay_minutes) AS n
  FROM flights f
  WHERE f.departure_date >= DATE '2025-06-01' AND f.departure_date < DATE '2025-09-01'
  GROUP BY f.departure_date
) AS daily

-- airline group_by_name: Which passengers have boarded more than five flights?
SELECT p.full_name, COUNT(*) AS boarded_flights
FROM passengers p
JOIN bookings b ON b.passenger_id = p.passenger_id
JOIN tickets t ON t.booking_ref = b.booking_ref
WHERE t.boarded
GROUP BY p.full_name
HAVING COUNT(*) > 5
-- right
SELECT p.passenger_id, p.full_name, COUNT(*) AS boarded_flights
FROM passengers p
JOIN bookings b ON b.passenger_id = p.passenger_id
JOIN tickets t ON t.booking_ref = b.booking_ref
WHERE t.boarded
GROUP BY p.passenger_id, p.full_name
HAVING COUNT(*) > 5

-- airline wrong_total: What share of the business cabin's ticket revenue comes from each booking channel?
SELECT b.channel,
       SUM(t.fare) / (SELECT SUM(fare) FROM tickets) AS share
FROM tickets t
JOIN bookings b ON b.booking_ref = t.booking_ref
WHERE t.cabin = 'business'
GROUP BY b.channel
-- right
SELECT b.channel,
       SUM(t.fare) / (SELECT SUM(fare) FROM tickets WHERE cabin = 'business') AS share
FROM tickets t
JOIN bookings b ON b.booking_ref = t.booking_ref
WHERE t.cabin = 'business'
GROUP BY b.channel

-- airline time_zone_shift: At which hours of the day in Lisbon are bookings confirmed, and how many?
SELECT EXTRACT(HOUR FROM b.confirmed_at AT TIME ZONE 'Europe/Lisbon') AS hour_in_lisbon, COUNT(*) AS bookings
FROM bookings b
GROUP BY 1
ORDER BY 1
-- right
SELECT EXTRACT(HOUR FROM b.confirmed_at AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Lisbon') AS hour_in_lisbon, COUNT(*) AS bookings
FROM bookings b
GROUP BY 1
ORDER BY 1

-- airline self_join_direction: How many direct reports does each supervisor in the crew have?
SELECT sup.crew_id, sup.full_name, COUNT(rep.crew_id) AS direct_reports
FROM crew sup
JOIN crew rep ON sup.supervisor_id = rep.crew_id
GROUP BY sup.crew_id, sup.full_name
ORDER BY direct_reports DESC
-- right
SELECT sup.crew_id, sup.full_name, COUNT(rep.crew_id) AS direct_reports
FROM crew sup
JOIN crew rep ON rep.supervisor_id = sup.crew_id
GROUP BY sup.crew_id, sup.full_name
ORDER BY direct_reports DESC

-- airline other_date: What was the ticket revenue by cabin in July 2025?
SELECT t.cabin, SUM(t.fare) AS ticket_revenue
FROM tickets t
JOIN flights f ON f.flight_id = t.flight_id
WHERE f.departure_date >= DATE '2025-07-01' AND f.departure_date < DATE '2025-08-01'
GROUP BY t.cabin
-- right
SELECT t.cabin, SUM(t.fare) AS ticket_revenue
FROM tickets t
JOIN bookings b ON b.booking_ref = t.booking_ref
WHERE b.booked_at >= timestamp '2025-07-01' AT TIME ZONE 'Europe/Lisbon'
  AND b.booked_at < timestamp '2025-08-01' AT TIME ZONE 'Europe/Lisbon'
GROUP BY t.cabin

-- airline joins_follow_model: How many kilometers did each aircraft fly in June 2025?
SELECT f.tail_number, SUM(r.distance_km) AS km
FROM flights f
JOIN routes r ON r.origin = f.destination AND r.destination = f.origin
WHERE f.status = 'flown' AND f.tail_number IS NOT NULL
  AND f.departure_date >= DATE '2025-06-01' AND f.departure_date < DATE '2025-07-01'
GROUP BY f.tail_number
-- right
SELECT f.tail_number, SUM(r.distance_km) AS km
FROM flights f
JOIN routes r ON r.origin = f.origin AND r.destination = f.destination
WHERE f.status = 'flown' AND f.tail_number IS NOT NULL
  AND f.departure_date >= DATE '2025-06-01' AND f.departure_date < DATE '2025-07-01'
GROUP BY f.tail_number

-- lettings left_join_filtered: List all units with the number of urgent work orders, zero where there were none
SELECT u.building_id, u.unit_no, COUNT(w.work_order_id) AS urgent_orders
FROM units u
LEFT JOIN work_orders w ON w.building_id = u.building_id AND w.unit_no = u.unit_no
WHERE w.priority IN ('urgent')
GROUP BY u.building_id, u.unit_no
ORDER BY 1, 2
-- right
SELECT u.building_id, u.unit_no, COUNT(w.work_order_id) FILTER (WHERE w.priority IN ('urgent')) AS urgent_orders
FROM units u
LEFT JOIN work_orders w ON w.building_id = u.building_id AND w.unit_no = u.unit_no
GROUP BY u.building_id, u.unit_no
ORDER BY 1, 2

-- lettings limit_without_order: What is the rent of the newest lease of each unit?
SELECT u.building_id, u.unit_no,
       (SELECT l.monthly_rent FROM leases l
        WHERE l.building_id = u.building_id AND l.unit_no = u.unit_no
        LIMIT 1) AS newest_rent
FROM units u
-- right
SELECT u.building_id, u.unit_no,
       (SELECT l.monthly_rent FROM leases l
        WHERE l.building_id = u.building_id AND l.unit_no = u.unit_no
        ORDER BY l.starts_on DESC
        LIMIT 1) AS newest_rent
FROM units u

-- lettings wrong_end: For every tenant, show the most recent lease
SELECT DISTINCT ON (l.tenant_id) l.tenant_id, l.lease_id, l.building_id, l.unit_no, l.signed_on
FROM leases l
ORDER BY l.tenant_id, l.signed_on
-- right
SELECT DISTINCT ON (l.tenant_id) l.tenant_id, l.lease_id, l.building_id, l.unit_no, l.signed_on
FROM leases l
ORDER BY l.tenant_id, l.signed_on DESC

-- lettings union_loses_rows: What is the total of charges and repair costs of each building?
SELECT m.building_id, SUM(m.amount) AS turnover
FROM (
  SELECT l.building_id, c.amount
  FROM charges c JOIN leases l ON l.lease_id = c.lease_id
  UNION
  SELECT w.building_id, w.cost
  FROM work_orders w
) m
GROUP BY m.building_id
-- right
SELECT m.building_id, SUM(m.amount) AS turnover
FROM (
  SELECT l.building_id, c.amount
  FROM charges c JOIN leases l ON l.lease_id = c.lease_id
  UNION ALL
  SELECT w.building_id, w.cost
  FROM work_orders w
) m
GROUP BY m.building_id

-- lettings not_in_null: How many tenants have never referred anyone?
SELECT COUNT(*) AS tenants
FROM tenants t
WHERE t.tenant_id <> ALL (SELECT r.referred_by FROM tenants r)
-- right
SELECT COUNT(*) AS tenants
FROM tenants t
WHERE t.tenant_id <> ALL (SELECT r.referred_by FROM tenants r WHERE r.referred_by IS NOT NULL)

-- lettings integer_division: What percentage of the work orders of each building is urgent?
SELECT b.building_id, b.name,
       ROUND(COUNT(*) FILTER (WHERE w.priority = 'urgent') * 100 / COUNT(*), 1) AS urgent_pct
FROM work_orders w
JOIN buildings b ON b.building_id = w.building_id
GROUP BY b.building_id, b.name
-- right
SELECT b.building_id, b.name,
       ROUND(COUNT(*) FILTER (WHERE w.priority = 'urgent') * 100.0 / COUNT(*), 1) AS urgent_pct
FROM work_orders w
JOIN buildings b ON b.building_id = w.building_id
GROUP BY b.building_id, b.name

-- lettings metric_name: What is the cost per job of each trade?
SELECT v.trade, SUM(w.cost) / NULLIF(COUNT(w.closed_at), 0) AS cost_per_job
FROM work_orders w
JOIN vendors v ON v.vendor_id = w.vendor_id
GROUP BY v.trade
-- right
SELECT v.trade, SUM(w.cost) / NULLIF(COUNT(*), 0) AS cost_per_job
FROM work_orders w
JOIN vendors v ON v.vendor_id = w.vendor_id
GROUP BY v.trade

-- lettings count_of_joined_rows: How many units of each building have been let since 2023?
SELECT b.building_id, b.name, COUNT(*) AS units
FROM buildings b
JOIN units u ON u.building_id = b.building_id
JOIN leases l ON l.building_id = u.building_id AND l.unit_no = u.unit_no
WHERE l.signed_on >= DATE '2023-01-01'
GROUP BY b.building_id, b.name
-- right
SELECT b.building_id, b.name, COUNT(DISTINCT u.unit_no) AS units
FROM buildings b
JOIN units u ON u.building_id = b.building_id
JOIN leases l ON l.building_id = u.building_id AND l.unit_no = u.unit_no
WHERE l.signed_on >= DATE '2023-01-01'
GROUP BY b.building_id, b.name

-- lettings count_of_values: How many tenants has each suburb had?
SELECT b.suburb, COUNT(DISTINCT t.full_name) AS tenants
FROM leases l
JOIN tenants t ON t.tenant_id = l.tenant_id
JOIN buildings b ON b.building_id = l.building_id
GROUP BY b.suburb
-- right
SELECT b.suburb, COUNT(DISTINCT t.tenant_id) AS tenants
FROM leases l
JOIN tenants t ON t.tenant_id = l.tenant_id
JOIN buildings b ON b.building_id = l.building_id
GROUP BY b.suburb

-- lettings average_of_averages: What is the average score over all inspections since the start of 2025?
with by_building as (
  select building_id, avg(score) as s
  from inspections
  where inspected_on >= '2025-01-01'
  group by building_id
), overall as (
  select avg(s) as overall_score from by_building
)
select round(overall_score, 1) as score from overall
-- right
with by_building as (
  select building_id, sum(score) as s, count(score) as n
  from inspections
  where inspected_on >= '2025-01-01'
  group by building_id
), overall as (
  select sum(s) / sum(n) as overall_score from by_building
)
select round(overall_score, 1) as score from overall

-- lettings group_by_name: Which vendor cost us the most in 2024, and how much?
SELECT v.trading_name, SUM(w.cost) AS total_cost
FROM work_orders w
JOIN vendors v ON v.vendor_id = w.vendor_id
WHERE w.opened_at >= TIMESTAMP '2024-01-01' AT TIME ZONE 'Australia/Sydney'
  AND w.opened_at < TIMESTAMP '2025-01-01' AT TIME ZONE 'Australia/Sydney'
GROUP BY v.trading_name
ORDER BY total_cost DESC
LIMIT 1
-- right
SELECT v.vendor_id, v.trading_name, SUM(w.cost) AS total_cost
FROM work_orders w
JOIN vendors v ON v.vendor_id = w.vendor_id
WHERE w.opened_at >= TIMESTAMP '2024-01-01' AT TIME ZONE 'Australia/Sydney'
  AND w.opened_at < TIMESTAMP '2025-01-01' AT TIME ZONE 'Australia/Sydney'
GROUP BY v.vendor_id, v.trading_name
ORDER BY total_cost DESC
LIMIT 1

-- lettings wrong_total: For each building, what share of its charges does each kind of charge make up?
WITH by_kind AS (
  SELECT l.building_id, c.kind, SUM(c.amount) AS amount
  FROM charges c
  JOIN leases l ON l.lease_id = c.lease_id
  GROUP BY l.building_id, c.kind
)
SELECT building_id, kind, amount / SUM(amount) OVER (PARTITION BY kind) AS share
FROM by_kind
ORDER BY building_id, kind
-- right
WITH by_kind AS (
  SELECT l.building_id, c.kind, SUM(c.amount) AS amount
  FROM charges c
  JOIN leases l ON l.lease_id = c.lease_id
  GROUP BY l.building_id, c.kind
)
SELECT building_id, kind, amount / SUM(amount) OVER (PARTITION BY building_id) AS share
FROM by_kind
ORDER BY building_id, kind

-- lettings time_zone_shift: How many work orders were opened on each weekday, in Sydney time?
SELECT to_char(timezone('Australia/Sydney', timezone('UTC', w.opened_at)), 'ID') AS iso_weekday,
       COUNT(*) AS work_orders
FROM work_orders w
GROUP BY 1
ORDER BY 1
-- right
SELECT to_char(timezone('Australia/Sydney', w.opened_at), 'ID') AS iso_weekday,
       COUNT(*) AS work_orders
FROM work_orders w
GROUP BY 1
ORDER BY 1

-- lettings self_join_direction: For each renewed lease, show the new rent next to the rent of the lease before
SELECT l.lease_id, l.monthly_rent, prev.monthly_rent AS previous_rent,
       l.monthly_rent - prev.monthly_rent AS increase
FROM leases l
JOIN leases prev ON prev.previous_lease_id = l.lease_id
-- right
SELECT l.lease_id, l.monthly_rent, prev.monthly_rent AS previous_rent,
       l.monthly_rent - prev.monthly_rent AS increase
FROM leases l
JOIN leases prev ON prev.lease_id = l.previous_lease_id

-- lettings other_date: How much money did we collect per payment method in the first quarter of 2025?
SELECT r.method, SUM(r.amount) AS collected
FROM receipts r
WHERE EXTRACT(YEAR FROM r.banked_on) = 2025 AND EXTRACT(QUARTER FROM r.banked_on) = 1
GROUP BY r.method
ORDER BY collected DESC
-- right
SELECT r.method, SUM(r.amount) AS collected
FROM receipts r
WHERE EXTRACT(YEAR FROM r.received_on) = 2025 AND EXTRACT(QUARTER FROM r.received_on) = 1
GROUP BY r.method
ORDER BY collected DESC

-- lettings joins_follow_model: How much of the charges of each kind has been collected?
SELECT c.kind, SUM(r.amount) AS collected
FROM charges c
JOIN receipts r ON r.receipt_id = c.charge_id
GROUP BY c.kind
-- right
SELECT c.kind, SUM(r.amount) AS collected
FROM charges c
JOIN receipts r ON r.charge_id = c.charge_id
GROUP BY c.kind

-- gaming left_join_filtered: How many five-star reviews does every game have, also those with none?
WITH rated AS (
  SELECT g.game_id, g.title, r.review_id, r.stars
  FROM games g
  LEFT JOIN reviews r ON r.game_id = g.game_id
)
SELECT game_id, title, COUNT(review_id) AS five_star_reviews
FROM rated
WHERE stars = 5
GROUP BY game_id, title
-- right
WITH rated AS (
  SELECT g.game_id, g.title, r.review_id, r.stars
  FROM games g
  LEFT JOIN reviews r ON r.game_id = g.game_id AND r.stars = 5
)
SELECT game_id, title, COUNT(review_id) AS five_star_reviews
FROM rated
GROUP BY game_id, title

-- gaming limit_without_order: Which game has each player played for the longest time in total?
SELECT p.player_id, p.handle, top.game_id, top.minutes_played
FROM players p
CROSS JOIN LATERAL (
  SELECT ps.game_id, SUM(ps.minutes) AS minutes_played
  FROM play_sessions ps
  WHERE ps.player_id = p.player_id
  GROUP BY ps.game_id
  LIMIT 1
) top
-- right
SELECT p.player_id, p.handle, top.game_id, top.minutes_played
FROM players p
CROSS JOIN LATERAL (
  SELECT ps.game_id, SUM(ps.minutes) AS minutes_played
  FROM play_sessions ps
  WHERE ps.player_id = p.player_id
  GROUP BY ps.game_id
  ORDER BY SUM(ps.minutes) DESC
  LIMIT 1
) top

-- gaming wrong_end: What is the best-selling game of each genre by number of copies?
WITH copies AS (
  SELECT gg.genre_code, pu.game_id, COUNT(*) AS copies_sold
  FROM purchases pu
  JOIN game_genres gg ON gg.game_id = pu.game_id
  GROUP BY gg.genre_code, pu.game_id
), ranked AS (
  SELECT genre_code, game_id, copies_sold,
         ROW_NUMBER() OVER (PARTITION BY genre_code ORDER BY copies_sold ASC) AS rn
  FROM copies
)
SELECT genre_code, game_id, copies_sold FROM ranked WHERE rn = 1
-- right
WITH copies AS (
  SELECT gg.genre_code, pu.game_id, COUNT(*) AS copies_sold
  FROM purchases pu
  JOIN game_genres gg ON gg.game_id = pu.game_id
  GROUP BY gg.genre_code, pu.game_id
), ranked AS (
  SELECT genre_code, game_id, copies_sold,
         ROW_NUMBER() OVER (PARTITION BY genre_code ORDER BY copies_sold DESC) AS rn
  FROM copies
)
SELECT genre_code, game_id, copies_sold FROM ranked WHERE rn = 1

-- gaming union_loses_rows: What is the average length in minutes of sessions on phones and tablets?
SELECT AVG(mobile.minutes) AS avg_minutes
FROM (
  SELECT minutes FROM play_sessions WHERE device = 'phone'
  UNION
  SELECT minutes FROM play_sessions WHERE device = 'tablet'
) mobile
-- right
SELECT AVG(mobile.minutes) AS avg_minutes
FROM (
  SELECT minutes FROM play_sessions WHERE device = 'phone'
  UNION ALL
  SELECT minutes FROM play_sessions WHERE device = 'tablet'
) mobile

-- gaming not_in_null: Which players from Brazil have never received a game as a gift?
SELECT p.player_id, p.handle
FROM players p
WHERE p.country = 'BR'
  AND NOT (p.player_id IN (SELECT pu.gifted_to FROM purchases pu))
-- right
SELECT p.player_id, p.handle
FROM players p
LEFT JOIN purchases pu ON pu.gifted_to = p.player_id
WHERE p.country = 'BR' AND pu.purchase_id IS NULL

-- gaming integer_division: What part of the sessions of each game is played on a phone?
WITH s AS (
  SELECT ps.game_id, COUNT(*) AS all_sessions,
         SUM(CASE WHEN ps.device = 'phone' THEN 1 ELSE 0 END) AS phone_sessions
  FROM play_sessions ps
  GROUP BY ps.game_id
)
SELECT g.game_id, g.title, s.phone_sessions / s.all_sessions AS phone_part
FROM s
JOIN games g ON g.game_id = s.game_id
-- right
WITH s AS (
  SELECT ps.game_id, COUNT(*) AS all_sessions,
         SUM(CASE WHEN ps.device = 'phone' THEN 1 ELSE 0 END) AS phone_sessions
  FROM play_sessions ps
  GROUP BY ps.game_id
)
SELECT g.game_id, g.title, CAST(s.phone_sessions AS float) / s.all_sessions AS phone_part
FROM s
JOIN games g ON g.game_id = s.game_id

-- gaming metric_name: Gross sales of each studio in 2025
SELECT st.studio_id, st.name, SUM(pu.price_cents) AS gross_sales
FROM purchases pu
JOIN games g ON g.game_id = pu.game_id
JOIN studios st ON st.studio_id = g.studio_id
WHERE pu.purchased_at >= '2025-01-01 00:00-03' AND pu.purchased_at < '2026-01-01 00:00-03'
GROUP BY st.studio_id, st.name
-- right
SELECT st.studio_id, st.name, SUM(pu.price_cents / 100.0) AS gross_sales
FROM purchases pu
JOIN games g ON g.game_id = pu.game_id
JOIN studios st ON st.studio_id = g.studio_id
WHERE pu.purchased_at >= '2025-01-01 00:00-03' AND pu.purchased_at < '2026-01-01 00:00-03'
GROUP BY st.studio_id, st.name

-- gaming count_of_joined_rows: How many players have unlocked an achievement worth at least 100 points?
SELECT COUNT(*) AS players
FROM players p
JOIN unlocks u ON u.player_id = p.player_id
JOIN achievements a ON a.game_id = u.game_id AND a.achievement_no = u.achievement_no
WHERE a.points >= 100
-- right
SELECT COUNT(*) AS players
FROM players p
WHERE EXISTS (
  SELECT 1 FROM unlocks u
  JOIN achievements a ON a.game_id = u.game_id AND a.achievement_no = u.achievement_no
  WHERE u.player_id = p.player_id AND a.points >= 100)

-- gaming count_of_values: How many players from each country bought something in 2025?
SELECT COALESCE(p.country, '??') AS country, COUNT(pu.player_id) AS players
FROM purchases pu
JOIN players p ON p.player_id = pu.player_id
WHERE (pu.purchased_at AT TIME ZONE 'America/Sao_Paulo')::date BETWEEN '2025-01-01' AND '2025-12-31'
GROUP BY 1
-- right
SELECT COALESCE(p.country, '??') AS country, COUNT(DISTINCT pu.player_id) AS players
FROM purchases pu
JOIN players p ON p.player_id = pu.player_id
WHERE (pu.purchased_at AT TIME ZONE 'America/Sao_Paulo')::date BETWEEN '2025-01-01' AND '2025-12-31'
GROUP BY 1

-- gaming average_of_averages: How long is a play session on average on each device?
SELECT x.device, AVG(x.mean_minutes) AS minutes_per_session
FROM (
  SELECT ps.device, ps.player_id, SUM(ps.minutes)::numeric / COUNT(*) AS mean_minutes
  FROM play_sessions ps
  GROUP BY ps.device, ps.player_id
) x
GROUP BY x.device
-- right
SELECT x.device, SUM(x.total_minutes)::numeric / SUM(x.sessions) AS minutes_per_session
FROM (
  SELECT ps.device, ps.player_id, SUM(ps.minutes) AS total_minutes, COUNT(*) AS sessions
  FROM play_sessions ps
  GROUP BY ps.device, ps.player_id
) x
GROUP BY x.device

-- gaming group_by_name: Which games earned the most before refunds?
SELECT g.title, SUM(pu.price_cents) / 100.0 AS earned_usd
FROM purchases pu
JOIN games g ON g.game_id = pu.game_id
GROUP BY g.title
ORDER BY earned_usd DESC
-- right
SELECT g.game_id, g.title, SUM(pu.price_cents) / 100.0 AS earned_usd
FROM purchases pu
JOIN games g ON g.game_id = pu.game_id
GROUP BY g.game_id, g.title
ORDER BY earned_usd DESC

-- gaming wrong_total: What share of the play time in 2025 falls on each studio?
WITH total AS (
  SELECT SUM(minutes) AS minutes FROM play_sessions
)
SELECT st.studio_id, st.name, 1.0 * SUM(ps.minutes) / MAX(total.minutes) AS share
FROM play_sessions ps
JOIN games g ON g.game_id = ps.game_id
JOIN studios st ON st.studio_id = g.studio_id
CROSS JOIN total
WHERE ps.started_at >= '2025-01-01 00:00-03' AND ps.started_at < '2026-01-01 00:00-03'
GROUP BY st.studio_id, st.name
-- right
WITH total AS (
  SELECT SUM(minutes) AS minutes FROM play_sessions
  WHERE started_at >= '2025-01-01 00:00-03' AND started_at < '2026-01-01 00:00-03'
)
SELECT st.studio_id, st.name, 1.0 * SUM(ps.minutes) / MAX(total.minutes) AS share
FROM play_sessions ps
JOIN games g ON g.game_id = ps.game_id
JOIN studios st ON st.studio_id = g.studio_id
CROSS JOIN total
WHERE ps.started_at >= '2025-01-01 00:00-03' AND ps.started_at < '2026-01-01 00:00-03'
GROUP BY st.studio_id, st.name

-- gaming time_zone_shift: How many dollars were settled on each day of June 2025?
SELECT (pu.settled_on AT TIME ZONE 'America/Sao_Paulo')::date AS day,
       SUM(pu.price_cents) / 100.0 AS settled_usd
FROM purchases pu
WHERE pu.settled_on BETWEEN DATE '2025-06-01' AND DATE '2025-06-30'
GROUP BY 1
ORDER BY 1
-- right
SELECT pu.settled_on AS day,
       SUM(pu.price_cents) / 100.0 AS settled_usd
FROM purchases pu
WHERE pu.settled_on BETWEEN DATE '2025-06-01' AND DATE '2025-06-30'
GROUP BY 1
ORDER BY 1

-- gaming self_join_direction: How many players has each player invited?
SELECT p.player_id, p.handle, COUNT(friend.player_id) AS invited_players
FROM players p
LEFT JOIN players friend ON friend.player_id = p.invited_by
GROUP BY p.player_id, p.handle
ORDER BY invited_players DESC
-- right
SELECT p.player_id, p.handle, COUNT(friend.player_id) AS invited_players
FROM players p
LEFT JOIN players friend ON friend.invited_by = p.player_id
GROUP BY p.player_id, p.handle
ORDER BY invited_players DESC

-- gaming other_date: How did gross sales develop by month over the last twelve months?
SELECT to_char(pu.settled_on, 'YYYY-MM') AS month, SUM(pu.price_cents) / 100.0 AS gross_sales
FROM purchases pu
WHERE pu.settled_on >= date_trunc('month', CURRENT_DATE) - INTERVAL '12 months'
  AND pu.settled_on < date_trunc('month', CURRENT_DATE)
GROUP BY 1
ORDER BY 1
-- right
SELECT to_char(pu.purchased_at AT TIME ZONE 'America/Sao_Paulo', 'YYYY-MM') AS month, SUM(pu.price_cents) / 100.0 AS gross_sales
FROM purchases pu
WHERE pu.purchased_at AT TIME ZONE 'America/Sao_Paulo' >= date_trunc('month', CURRENT_DATE) - INTERVAL '12 months'
  AND pu.purchased_at AT TIME ZONE 'America/Sao_Paulo' < date_trunc('month', CURRENT_DATE)
GROUP BY 1
ORDER BY 1

-- gaming joins_follow_model: How many copies has each studio sold?
SELECT st.studio_id, st.name, COUNT(pu.purchase_id) AS copies
FROM purchases pu
JOIN games g ON g.game_id = pu.game_id
JOIN studios st ON st.studio_id = g.game_id
GROUP BY st.studio_id, st.name
-- right
SELECT st.studio_id, st.name, COUNT(pu.purchase_id) AS copies
FROM purchases pu
JOIN games g ON g.game_id = pu.game_id
JOIN studios st ON st.studio_id = g.studio_id
GROUP BY st.studio_id, st.name
