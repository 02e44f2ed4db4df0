-- Queries for the blind test of rules that answer their question, in the form of
-- ../right_asked.sql.

-- university: Which courses have never been offered?
SELECT c.course_id, c.code, c.title
FROM courses c
LEFT JOIN sections s ON s.course_id = c.course_id
WHERE s.section_id IS NULL
ORDER BY c.code

-- university: Which instructors have neither a mentor nor a student whom they advise?
SELECT i.instructor_id, i.full_name
FROM instructors i
WHERE i.mentor_id IS NULL
  AND NOT EXISTS (SELECT 1 FROM students st WHERE st.advisor_id = i.instructor_id)

-- university: The five courses with the most enrollments, in alphabetical order
SELECT code, title, enrollments
FROM (
  SELECT c.code, c.title, COUNT(*) AS enrollments
  FROM enrollments e
  JOIN sections s USING (section_id)
  JOIN courses c USING (course_id)
  GROUP BY c.course_id, c.code, c.title
  ORDER BY COUNT(*) DESC
  LIMIT 5
) top5
ORDER BY title, code

-- university: Which instructor has been working here the longest?
SELECT instructor_id, full_name, hired_on
FROM instructors
ORDER BY hired_on
LIMIT 1

-- university: Show me a few sample enrollments with the student's number and the course code
SELECT st.student_number, c.code, e.enrolled_at, e.grade_points
FROM enrollments e
JOIN students st ON st.student_id = e.student_id
JOIN sections s ON s.section_id = e.section_id
JOIN courses c ON c.course_id = s.course_id
LIMIT 5

-- university: What is the most recent term for which grades have been entered?
SELECT t.label
FROM terms t
WHERE EXISTS (
  SELECT 1 FROM sections s JOIN enrollments e ON e.section_id = s.section_id
  WHERE s.term_id = t.term_id AND e.grade_points IS NOT NULL)
ORDER BY t.starts_on DESC
LIMIT 1

-- university: What percentage of the enrolled students in each program dropped at least one section?
SELECT p.program_id, p.title, p.degree,
       ROUND(100.0 * COUNT(DISTINCT e.student_id) FILTER (WHERE e.dropped_at IS NOT NULL)
             / COUNT(DISTINCT e.student_id), 1) AS pct_dropped
FROM programs p
JOIN students st ON st.program_id = p.program_id
JOIN enrollments e ON e.student_id = st.student_id
GROUP BY p.program_id, p.title, p.degree

-- university: How many people teach a section or advise a student?
SELECT COUNT(*) AS people
FROM (
  SELECT instructor_id FROM sections WHERE instructor_id IS NOT NULL
  UNION
  SELECT advisor_id FROM students WHERE advisor_id IS NOT NULL
) active

-- university: Which courses have to be passed, directly or indirectly, before course 20?
WITH RECURSIVE needed AS (
  SELECT p.required_course_id AS course_id
  FROM prerequisites p
  WHERE p.course_id = 20
  UNION
  SELECT p.required_course_id
  FROM prerequisites p
  JOIN needed n ON p.course_id = n.course_id
)
SELECT c.code, c.title
FROM needed n
JOIN courses c ON c.course_id = n.course_id
ORDER BY c.code

-- university: What is the average class size, not counting students who dropped?
SELECT AVG(size) AS average_class_size
FROM (
  SELECT s.section_id, COUNT(e.student_id) AS size
  FROM sections s
  LEFT JOIN enrollments e ON e.section_id = s.section_id AND e.dropped_at IS NULL
  GROUP BY s.section_id
) sizes

-- university: If every department counts the same, what is the mean of the departments' average grades?
WITH dept AS (
  SELECT c.department_id, AVG(e.grade_points) AS dept_avg
  FROM enrollments e
  JOIN sections s ON s.section_id = e.section_id
  JOIN courses c ON c.course_id = s.course_id
  GROUP BY c.department_id
)
SELECT AVG(dept_avg) AS mean_of_departments FROM dept

-- university: Which students took the same course more than once, and how often?
SELECT e.student_id, st.student_number, c.code, COUNT(*) AS times_taken
FROM enrollments e
JOIN students st ON st.student_id = e.student_id
JOIN sections s ON s.section_id = e.section_id
JOIN courses c ON c.course_id = s.course_id
GROUP BY e.student_id, st.student_number, c.course_id, c.code
HAVING COUNT(*) > 1
ORDER BY times_taken DESC, st.student_number

-- university: Who are the top three students of each program by grade point average weighted with credits?
WITH gpa AS (
  SELECT st.program_id, st.student_id, st.full_name,
         SUM(e.grade_points * c.credits) / NULLIF(SUM(c.credits), 0) AS gpa
  FROM students st
  JOIN enrollments e ON e.student_id = st.student_id
  JOIN sections s ON s.section_id = e.section_id
  JOIN courses c ON c.course_id = s.course_id
  WHERE e.grade_points IS NOT NULL
  GROUP BY st.program_id, st.student_id, st.full_name
), ranked AS (
  SELECT g.*, ROW_NUMBER() OVER (PARTITION BY program_id ORDER BY gpa DESC, student_id) AS place
  FROM gpa g
)
SELECT program_id, place, student_id, full_name, ROUND(gpa, 2) AS gpa
FROM ranked
WHERE place <= 3
ORDER BY program_id, place

-- university: Tuition billed by month with the running total of the year 2024
SELECT month, billed, SUM(billed) OVER (ORDER BY month) AS billed_to_date
FROM (
  SELECT date_trunc('month', issued_on)::date AS month, SUM(amount) AS billed
  FROM tuition_invoices
  WHERE issued_on >= DATE '2024-01-01' AND issued_on < DATE '2025-01-01'
  GROUP BY 1
) m
ORDER BY month

-- university: On which weekday do students enroll most often (local time)?
SELECT to_char(e.enrolled_at AT TIME ZONE 'America/Toronto', 'FMDay') AS weekday, COUNT(*) AS enrollments
FROM enrollments e
GROUP BY 1
ORDER BY enrollments DESC
LIMIT 1

-- university: How many grades were entered on each local day of December 2024?
SELECT date_trunc('day', e.graded_at AT TIME ZONE 'UTC' AT TIME ZONE 'America/Toronto')::date AS day,
       COUNT(*) AS grades
FROM enrollments e
WHERE e.graded_at AT TIME ZONE 'UTC' AT TIME ZONE 'America/Toronto' >= TIMESTAMP '2024-12-01'
  AND e.graded_at AT TIME ZONE 'UTC' AT TIME ZONE 'America/Toronto' < TIMESTAMP '2025-01-01'
GROUP BY 1
ORDER BY 1

-- university: How much tuition is overdue today, by program?
SELECT p.program_id, p.title, p.degree, SUM(ti.amount) AS overdue
FROM tuition_invoices ti
JOIN students st ON st.student_id = ti.student_id
JOIN programs p ON p.program_id = st.program_id
WHERE ti.paid_on IS NULL AND ti.due_on < CURRENT_DATE
GROUP BY p.program_id, p.title, p.degree
ORDER BY overdue DESC

-- university: Which invoices fall due in the first half of February 2025?
SELECT ti.invoice_id, ti.student_id, ti.amount, ti.due_on
FROM tuition_invoices ti
WHERE ti.due_on BETWEEN DATE '2025-02-01' AND DATE '2025-02-15'
ORDER BY ti.due_on, ti.invoice_id

-- university: How many days pass on average between issue and payment of an invoice, by term?
SELECT t.label, AVG(ti.paid_on - ti.issued_on) AS days_to_pay
FROM tuition_invoices ti
JOIN terms t ON t.term_id = ti.term_id
WHERE ti.paid_on IS NOT NULL
GROUP BY t.term_id, t.label, t.starts_on
ORDER BY t.starts_on

-- university: Which instructors were hired before their own mentor?
SELECT i.instructor_id, i.full_name, i.hired_on, m.full_name AS mentor, m.hired_on AS mentor_hired_on
FROM instructors i
JOIN instructors m ON i.mentor_id = m.instructor_id
WHERE i.hired_on < m.hired_on

-- university: How many mentees does each instructor have?
SELECT m.instructor_id, m.full_name, COUNT(mentee.instructor_id) AS mentees
FROM instructors m
LEFT JOIN instructors mentee ON mentee.mentor_id = m.instructor_id
GROUP BY m.instructor_id, m.full_name
ORDER BY mentees DESC, m.instructor_id

-- university: What share of its faculty's billed tuition does each program bring?
SELECT d.faculty, p.program_id, p.title, p.degree,
       SUM(ti.amount) / SUM(SUM(ti.amount)) OVER (PARTITION BY d.faculty) AS share_of_faculty
FROM tuition_invoices ti
JOIN students st ON st.student_id = ti.student_id
JOIN programs p ON p.program_id = st.program_id
JOIN departments d ON d.department_id = p.department_id
GROUP BY d.faculty, p.program_id, p.title, p.degree

-- university: How many instructors were hired in each decade?
SELECT EXTRACT(YEAR FROM hired_on)::int / 10 * 10 AS decade, COUNT(*) AS instructors
FROM instructors
GROUP BY 1
ORDER BY 1

-- university: Which students were not enrolled in any section of Fall 2024?
SELECT st.student_id, st.student_number, st.full_name
FROM students st
WHERE st.student_id NOT IN (
  SELECT e.student_id
  FROM enrollments e
  JOIN sections s ON s.section_id = e.section_id
  JOIN terms t ON t.term_id = s.term_id
  WHERE t.label = 'Fall 2024')

-- university: What part of the seats of each course's sections is taken by students who stayed?
WITH taken AS (
  SELECT s.section_id, s.course_id, s.capacity, COUNT(e.student_id) AS seated
  FROM sections s
  LEFT JOIN enrollments e ON e.section_id = s.section_id AND e.dropped_at IS NULL
  GROUP BY s.section_id, s.course_id, s.capacity
)
SELECT c.code, SUM(seated) AS seats_taken, SUM(capacity) AS seats,
       ROUND(SUM(seated) * 1.0 / SUM(capacity), 3) AS utilisation
FROM taken
JOIN courses c ON c.course_id = taken.course_id
GROUP BY c.course_id, c.code
ORDER BY utilisation DESC

-- university: List the pairs of students of the same program who have the same advisor
SELECT a.student_number AS first_student, b.student_number AS second_student, a.advisor_id
FROM students a
JOIN students b ON b.advisor_id = a.advisor_id AND b.program_id = a.program_id AND a.student_id < b.student_id
ORDER BY 1, 2

-- university: Enrollments and billed tuition side by side for each term
WITH en AS (
  SELECT s.term_id, COUNT(*) AS enrollments
  FROM enrollments e JOIN sections s ON s.section_id = e.section_id
  GROUP BY s.term_id
), bi AS (
  SELECT ti.term_id, SUM(ti.amount) AS tuition_billed
  FROM tuition_invoices ti
  GROUP BY ti.term_id
)
SELECT t.label, COALESCE(en.enrollments, 0) AS enrollments, COALESCE(bi.tuition_billed, 0) AS tuition_billed
FROM terms t
LEFT JOIN en ON en.term_id = t.term_id
LEFT JOIN bi ON bi.term_id = t.term_id
ORDER BY t.starts_on

-- university: Passed and failed grades by degree
SELECT p.degree,
       COUNT(*) FILTER (WHERE e.grade_points >= 1.0) AS passed,
       COUNT(*) FILTER (WHERE e.grade_points < 1.0) AS failed,
       COUNT(*) FILTER (WHERE e.grade_points IS NULL) AS without_grade
FROM enrollments e
JOIN students st ON st.student_id = e.student_id
JOIN programs p ON p.program_id = st.program_id
GROUP BY p.degree

-- university: What is the median grade in each faculty?
SELECT d.faculty, percentile_cont(0.5) WITHIN GROUP (ORDER BY e.grade_points) AS median_grade
FROM enrollments e
JOIN sections s ON s.section_id = e.section_id
JOIN courses c ON c.course_id = s.course_id
JOIN departments d ON d.department_id = c.department_id
WHERE e.grade_points IS NOT NULL
GROUP BY d.faculty

-- university: By how much did the number of enrollments change from term to term?
WITH per_term AS (
  SELECT t.term_id, t.label, t.starts_on, COUNT(e.student_id) AS enrollments
  FROM terms t
  LEFT JOIN sections s ON s.term_id = t.term_id
  LEFT JOIN enrollments e ON e.section_id = s.section_id
  GROUP BY t.term_id, t.label, t.starts_on
)
SELECT label, enrollments,
       enrollments - LAG(enrollments) OVER (ORDER BY starts_on) AS change,
       ROUND(100.0 * (enrollments - LAG(enrollments) OVER (ORDER BY starts_on))
             / NULLIF(LAG(enrollments) OVER (ORDER BY starts_on), 0), 1) AS change_pct
FROM per_term
ORDER BY starts_on

-- university: Which students have taken every course of level 100 of the department CS?
SELECT st.student_id, st.student_number
FROM students st
WHERE NOT EXISTS (
  SELECT 1 FROM courses c
  JOIN departments d ON d.department_id = c.department_id
  WHERE d.code = 'CS' AND c.level = 100
    AND NOT EXISTS (
      SELECT 1 FROM enrollments e
      JOIN sections s ON s.section_id = e.section_id
      WHERE s.course_id = c.course_id AND e.student_id = st.student_id))

-- university: Which departments have no head, or one who was hired after 2010?
SELECT d.department_id, d.name, h.full_name AS head, h.hired_on
FROM departments d
LEFT JOIN instructors h ON h.instructor_id = d.head_id
WHERE h.instructor_id IS NULL OR h.hired_on >= DATE '2011-01-01'

-- university: How many students from abroad does each department's programs have, counting unknown countries as abroad?
SELECT d.name, COUNT(*) AS students_from_abroad
FROM students st
JOIN programs p ON p.program_id = st.program_id
JOIN departments d ON d.department_id = p.department_id
WHERE st.country IS DISTINCT FROM 'CA'
GROUP BY d.department_id, d.name

-- university: Number of enrollments for every month of 2024, with zero for quiet months
SELECT m.month::date AS month, COUNT(e.student_id) AS enrollments
FROM generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-12-01', INTERVAL '1 month') AS m(month)
LEFT JOIN enrollments e
       ON e.enrolled_at >= m.month AT TIME ZONE 'America/Toronto'
      AND e.enrolled_at < (m.month + INTERVAL '1 month') AT TIME ZONE 'America/Toronto'
GROUP BY m.month
ORDER BY m.month

-- university: For each student, which course did they enroll in last?
SELECT DISTINCT ON (e.student_id) e.student_id, c.code, e.enrolled_at
FROM enrollments e
JOIN sections s ON s.section_id = e.section_id
JOIN courses c ON c.course_id = s.course_id
ORDER BY e.student_id, e.enrolled_at DESC

-- university: List the students in the weakest quarter by average grade
SELECT student_id, full_name, ROUND(mean, 2) AS mean_grade
FROM (
  SELECT st.student_id, st.full_name, AVG(e.grade_points) AS mean,
         NTILE(4) OVER (ORDER BY AVG(e.grade_points)) AS quarter
  FROM students st
  JOIN enrollments e ON e.student_id = st.student_id
  WHERE e.grade_points IS NOT NULL
  GROUP BY st.student_id, st.full_name
) q
WHERE quarter = 1
ORDER BY mean

-- university: How many titles are used by more than one course, and by how many courses each?
SELECT c.title, COUNT(*) AS courses
FROM courses c
GROUP BY c.title
HAVING COUNT(*) > 1

-- university: Compare each course's pass rate with the pass rate of its whole department
WITH by_course AS (
  SELECT c.department_id, c.code,
         COUNT(*) FILTER (WHERE e.grade_points >= 1.0) AS passed, COUNT(e.grade_points) AS graded
  FROM enrollments e
  JOIN sections s ON s.section_id = e.section_id
  JOIN courses c ON c.course_id = s.course_id
  GROUP BY c.department_id, c.course_id, c.code
)
SELECT department_id, code,
       passed::numeric / NULLIF(graded, 0) AS course_pass_rate,
       (SUM(passed) OVER w)::numeric / NULLIF(SUM(graded) OVER w, 0) AS department_pass_rate
FROM by_course
WINDOW w AS (PARTITION BY department_id)

-- university: Which sections have more students than seats?
SELECT s.section_id, c.code, t.label, s.capacity, COUNT(*) AS enrolled
FROM sections s
JOIN courses c ON c.course_id = s.course_id
JOIN terms t ON t.term_id = s.term_id
JOIN enrollments e ON e.section_id = s.section_id
GROUP BY s.section_id, c.code, t.label, s.capacity
HAVING COUNT(*) > s.capacity

-- university: Which instructors teach courses of a department other than their own?
SELECT DISTINCT i.instructor_id, i.full_name, own.name AS own_department, host.name AS host_department
FROM sections s
JOIN instructors i ON i.instructor_id = s.instructor_id
JOIN departments own ON own.department_id = i.department_id
JOIN courses c ON c.course_id = s.course_id
JOIN departments host ON host.department_id = c.department_id
WHERE own.department_id <> host.department_id

-- airline: Which aircraft in service have not flown since September 2025 began?
SELECT a.tail_number, a.type_code
FROM aircraft a
LEFT JOIN flights f
       ON f.tail_number = a.tail_number AND f.departure_date >= DATE '2025-09-01' AND f.status = 'flown'
WHERE a.retired_on IS NULL AND f.flight_id IS NULL

-- airline: Which five routes are the most punctual, that is, have the smallest average delay?
SELECT f.origin, f.destination, AVG(f.delay_minutes) AS avg_delay
FROM flights f
WHERE f.delay_minutes IS NOT NULL
GROUP BY f.origin, f.destination
ORDER BY avg_delay
LIMIT 5

-- airline: What is the oldest aircraft that is still in service?
SELECT tail_number, type_code, delivered_on
FROM aircraft
WHERE retired_on IS NULL
ORDER BY delivered_on ASC
LIMIT 1

-- airline: Punctuality by month of 2025
SELECT to_char(departure_date, 'YYYY-MM') AS month,
       SUM(CASE WHEN delay_minutes <= 15 THEN 1 ELSE 0 END) * 1.0 / COUNT(delay_minutes) AS punctuality
FROM flights
WHERE departure_date >= '2025-01-01' AND departure_date < '2026-01-01'
GROUP BY 1
ORDER BY 1

-- airline: How many passengers are in the loyalty programme?
SELECT COUNT(loyalty_no) AS passengers_in_programme
FROM passengers

-- airline: How many bookings and how many tickets were sold through each channel?
SELECT b.channel, COUNT(DISTINCT b.booking_ref) AS bookings, COUNT(t.segment_no) AS tickets
FROM bookings b
LEFT JOIN tickets t ON t.booking_ref = b.booking_ref
GROUP BY b.channel

-- airline: What is the average revenue per booking?
SELECT AVG(total) AS revenue_per_booking
FROM (SELECT booking_ref, SUM(fare) AS total FROM tickets GROUP BY booking_ref) t

-- airline: How many cities do we serve, and how many airports?
SELECT COUNT(DISTINCT city) AS cities, COUNT(*) AS airports
FROM airports
WHERE iata IN (SELECT origin FROM flights UNION SELECT destination FROM flights)

-- airline: Flights by city of departure in 2025
SELECT ap.city, COUNT(*) AS flights
FROM flights f
JOIN airports ap ON ap.iata = f.origin
WHERE f.departure_date >= DATE '2025-01-01' AND f.departure_date < DATE '2026-01-01'
GROUP BY ap.city
ORDER BY flights DESC

-- airline: Local hour of the scheduled departures at each origin
SELECT f.origin, EXTRACT(HOUR FROM f.scheduled_departure AT TIME ZONE ap.utc_zone) AS local_hour, COUNT(*) AS departures
FROM flights f
JOIN airports ap ON ap.iata = f.origin
GROUP BY 1, 2
ORDER BY 1, 2

-- airline: How many minutes pass on average between booking and confirmation?
SELECT AVG(EXTRACT(EPOCH FROM (b.confirmed_at AT TIME ZONE 'UTC') - b.booked_at) / 60) AS minutes_to_confirm
FROM bookings b
WHERE b.confirmed_at IS NOT NULL

-- airline: How many bookings were confirmed on each Lisbon day in May 2025?
SELECT ((b.confirmed_at AT TIME ZONE 'UTC') AT TIME ZONE 'Europe/Lisbon')::date AS day, COUNT(*) AS bookings
FROM bookings b
WHERE ((b.confirmed_at AT TIME ZONE 'UTC') AT TIME ZONE 'Europe/Lisbon')::date BETWEEN '2025-05-01' AND '2025-05-31'
GROUP BY 1
ORDER BY 1

-- airline: Ticket revenue per month of booking in 2025 and its share of the year
WITH monthly AS (
  SELECT date_trunc('month', b.booked_at AT TIME ZONE 'Europe/Lisbon') AS month, SUM(t.fare) AS revenue
  FROM bookings b
  JOIN tickets t ON t.booking_ref = b.booking_ref
  WHERE b.booked_at >= '2025-01-01 00:00 Europe/Lisbon'::timestamptz
    AND b.booked_at < '2026-01-01 00:00 Europe/Lisbon'::timestamptz
  GROUP BY 1
)
SELECT month::date, revenue, revenue / (SELECT SUM(revenue) FROM monthly) AS share_of_year
FROM monthly
ORDER BY month

-- airline: What did passengers pay for flights that departed in August 2025, by route?
SELECT f.origin, f.destination, SUM(t.fare) AS fares
FROM flights f
JOIN tickets t ON t.flight_id = f.flight_id
WHERE f.departure_date BETWEEN DATE '2025-08-01' AND DATE '2025-08-31'
GROUP BY f.origin, f.destination

-- airline: How many days before departure do people book, on average, by cabin?
SELECT t.cabin, AVG(f.departure_date - (b.booked_at AT TIME ZONE 'Europe/Lisbon')::date) AS days_ahead
FROM tickets t
JOIN bookings b ON b.booking_ref = t.booking_ref
JOIN flights f ON f.flight_id = t.flight_id
WHERE f.departure_date >= (b.booked_at AT TIME ZONE 'Europe/Lisbon')::date
GROUP BY t.cabin

-- airline: Show the whole chain of command above crew member 25
WITH RECURSIVE chain AS (
  SELECT c.crew_id, c.full_name, c.supervisor_id, 0 AS steps
  FROM crew c WHERE c.crew_id = 25
  UNION ALL
  SELECT boss.crew_id, boss.full_name, boss.supervisor_id, chain.steps + 1
  FROM chain
  JOIN crew boss ON boss.crew_id = chain.supervisor_id
)
SELECT crew_id, full_name, steps FROM chain WHERE steps > 0 ORDER BY steps

-- airline: Which crew members have the same supervisor as crew member 12?
SELECT peer.crew_id, peer.full_name
FROM crew me
JOIN crew peer ON peer.supervisor_id = me.supervisor_id AND peer.crew_id <> me.crew_id
WHERE me.crew_id = 12

-- airline: Which crew members are based at another airport than their supervisor?
SELECT c.crew_id, c.full_name, c.base_airport, s.full_name AS supervisor, s.base_airport AS supervisor_base
FROM crew c
INNER JOIN crew s ON c.supervisor_id = s.crew_id
WHERE c.base_airport <> s.base_airport

-- airline: For rebooked bookings, how do the old and the new price compare?
WITH price AS (
  SELECT t.booking_ref, SUM(t.fare) AS total FROM tickets t GROUP BY t.booking_ref
)
SELECT nb.booking_ref, op.total AS old_price, np.total AS new_price, np.total - op.total AS difference
FROM bookings nb
JOIN bookings ob ON ob.booking_ref = nb.rebooked_from
JOIN price np ON np.booking_ref = nb.booking_ref
JOIN price op ON op.booking_ref = ob.booking_ref

-- airline: Which bookings have not been replaced by another one?
SELECT b.booking_ref, b.channel
FROM bookings b
WHERE b.booking_ref NOT IN (SELECT r.rebooked_from FROM bookings r WHERE r.rebooked_from IS NOT NULL)

-- airline: Which crew members have not worked on a flight in July 2025?
SELECT c.crew_id, c.full_name
FROM crew c
WHERE c.crew_id NOT IN (
  SELECT ca.crew_id
  FROM crew_assignments ca
  JOIN flights f ON f.flight_id = ca.flight_id
  WHERE f.departure_date >= '2025-07-01' AND f.departure_date < '2025-08-01')

-- airline: Load factor of each aircraft type: boarded tickets per seat over all flown flights
WITH seats_taken AS (
  SELECT f.flight_id, f.tail_number, COUNT(t.segment_no) AS boarded
  FROM flights f
  LEFT JOIN tickets t ON t.flight_id = f.flight_id AND t.boarded
  WHERE f.status = 'flown' AND f.tail_number IS NOT NULL
  GROUP BY f.flight_id, f.tail_number
)
SELECT ty.type_code, SUM(st.boarded)::numeric / SUM(ty.seats) AS load_factor
FROM seats_taken st
JOIN aircraft a ON a.tail_number = st.tail_number
JOIN aircraft_types ty ON ty.type_code = a.type_code
GROUP BY ty.type_code

-- airline: How many flights were flown without any passenger on board?
SELECT COUNT(*) AS empty_flights
FROM flights f
WHERE f.status = 'flown'
  AND NOT EXISTS (SELECT 1 FROM tickets t WHERE t.flight_id = f.flight_id AND t.boarded)

-- airline: How many full hours and remaining minutes was crew member 7 on duty in June 2025?
SELECT SUM(ca.duty_minutes) / 60 AS hours, SUM(ca.duty_minutes) % 60 AS minutes
FROM crew_assignments ca
JOIN flights f ON f.flight_id = ca.flight_id
WHERE ca.crew_id = 7 AND f.departure_date >= DATE '2025-06-01' AND f.departure_date < DATE '2025-07-01'

-- airline: Duty hours per crew member in 2025, the busiest first
SELECT c.crew_id, c.full_name, ROUND(SUM(ca.duty_minutes / 60.0), 1) AS duty_hours
FROM crew c
JOIN crew_assignments ca ON ca.crew_id = c.crew_id
JOIN flights f ON f.flight_id = ca.flight_id
WHERE f.departure_date >= DATE '2025-01-01' AND f.departure_date < DATE '2026-01-01'
GROUP BY c.crew_id, c.full_name
ORDER BY duty_hours DESC

-- airline: Number of flights by delay in steps of 15 minutes
SELECT f.delay_minutes / 15 * 15 AS delay_from, COUNT(*) AS flights
FROM flights f
WHERE f.delay_minutes IS NOT NULL
GROUP BY 1
ORDER BY 1

-- airline: What is the busiest day at each airport by departures?
SELECT origin, departure_date, departures
FROM (
  SELECT f.origin, f.departure_date, COUNT(*) AS departures,
         RANK() OVER (PARTITION BY f.origin ORDER BY COUNT(*) DESC) AS r
  FROM flights f
  GROUP BY f.origin, f.departure_date
) d
WHERE r = 1
ORDER BY origin, departure_date

-- airline: Which airport is the nearest to Lisbon (LIS)?
SELECT r.destination, ap.name, r.distance_km
FROM routes r
JOIN airports ap ON ap.iata = r.destination
WHERE r.origin = 'LIS'
ORDER BY r.distance_km
LIMIT 1

-- airline: Departures and arrivals of each airport in one table
SELECT ap.iata, ap.name, COALESCE(dep.n, 0) AS departures, COALESCE(arr.n, 0) AS arrivals
FROM airports ap
LEFT JOIN (SELECT origin, COUNT(*) AS n FROM flights GROUP BY origin) dep ON dep.origin = ap.iata
LEFT JOIN (SELECT destination, COUNT(*) AS n FROM flights GROUP BY destination) arr ON arr.destination = ap.iata
ORDER BY departures DESC

-- airline: Total movements (departures plus arrivals) of each airport
SELECT iata, COUNT(*) AS movements
FROM (
  SELECT f.origin AS iata FROM flights f WHERE f.status <> 'cancelled'
  UNION ALL
  SELECT f.destination FROM flights f WHERE f.status <> 'cancelled'
) m
GROUP BY iata
ORDER BY movements DESC

-- airline: Which outbound routes have no flight back in the other direction?
SELECT o.origin, o.destination
FROM routes o
LEFT JOIN routes back ON back.origin = o.destination AND back.destination = o.origin
WHERE back.origin IS NULL

-- airline: Which gold passengers have spent more than the average gold passenger?
WITH spend AS (
  SELECT p.passenger_id, p.full_name, SUM(t.fare) AS spent
  FROM passengers p
  JOIN bookings b ON b.passenger_id = p.passenger_id
  JOIN tickets t ON t.booking_ref = b.booking_ref
  WHERE p.tier = 'gold'
  GROUP BY p.passenger_id, p.full_name
)
SELECT passenger_id, full_name, spent
FROM spend
WHERE spent > (SELECT AVG(spent) FROM spend)
ORDER BY spent DESC

-- airline: First and last flight of each aircraft
SELECT f.tail_number, MIN(f.departure_date) AS first_flight, MAX(f.departure_date) AS last_flight
FROM flights f
WHERE f.tail_number IS NOT NULL AND f.status = 'flown'
GROUP BY f.tail_number

-- airline: How long did each aircraft wait between two flights on average, in hours?
WITH gaps AS (
  SELECT f.tail_number,
         f.actual_departure - LAG(f.actual_departure) OVER (PARTITION BY f.tail_number ORDER BY f.actual_departure) AS gap
  FROM flights f
  WHERE f.actual_departure IS NOT NULL AND f.tail_number IS NOT NULL
)
SELECT tail_number, AVG(EXTRACT(EPOCH FROM gap)) / 3600 AS avg_gap_hours
FROM gaps
WHERE gap IS NOT NULL
GROUP BY tail_number

-- airline: Show any three bookings by passengers without a known country, as an example
SELECT b.booking_ref, b.booked_at, b.channel
FROM bookings b
JOIN passengers p ON p.passenger_id = b.passenger_id
WHERE p.country IS NULL
LIMIT 3

-- airline: Average fare by cabin and tier, also for passengers outside the programme
SELECT t.cabin, COALESCE(p.tier, 'none') AS tier, AVG(t.fare) AS average_fare
FROM tickets t
JOIN bookings b ON b.booking_ref = t.booking_ref
JOIN passengers p ON p.passenger_id = b.passenger_id
GROUP BY t.cabin, COALESCE(p.tier, 'none')
ORDER BY 1, 2

-- airline: On how many days of June 2025 did each route have a cancellation?
SELECT f.origin, f.destination, COUNT(DISTINCT f.departure_date) AS days_with_cancellation
FROM flights f
WHERE f.status = 'cancelled' AND f.departure_date >= '2025-06-01' AND f.departure_date < '2025-07-01'
GROUP BY f.origin, f.destination

-- airline: How many crew members were on each flight on average, by origin?
SELECT f.origin, AVG(n.crew_on_board) AS avg_crew
FROM flights f
JOIN (
  SELECT ca.flight_id, COUNT(*) AS crew_on_board
  FROM crew_assignments ca
  GROUP BY ca.flight_id
) n ON n.flight_id = f.flight_id
GROUP BY f.origin

-- airline: What share of the cancelled flights left from each country?
SELECT ap.country, COUNT(*) * 100.0 / SUM(COUNT(*)) OVER () AS pct_of_cancellations
FROM flights f
JOIN airports ap ON ap.iata = f.origin
WHERE f.status = 'cancelled'
GROUP BY ap.country
ORDER BY pct_of_cancellations DESC

-- airline: Who is the most recently hired captain?
SELECT crew_id, full_name, hired_on
FROM crew
WHERE role = 'captain'
ORDER BY hired_on DESC NULLS LAST
FETCH FIRST 1 ROW ONLY

-- lettings: Which units are vacant today?
SELECT u.building_id, u.unit_no, u.bedrooms, u.list_rent
FROM units u
LEFT JOIN leases l
       ON l.building_id = u.building_id AND l.unit_no = u.unit_no
      AND l.starts_on <= CURRENT_DATE AND (l.ends_on IS NULL OR l.ends_on >= CURRENT_DATE)
WHERE l.lease_id IS NULL
ORDER BY 1, 2

-- lettings: How many units were occupied on 1 July 2025 in each building, out of how many?
SELECT b.building_id, b.name, COUNT(*) AS units,
       COUNT(*) FILTER (WHERE EXISTS (
         SELECT 1 FROM leases l
         WHERE l.building_id = u.building_id AND l.unit_no = u.unit_no
           AND l.starts_on <= DATE '2025-07-01' AND COALESCE(l.ends_on, 'infinity') >= DATE '2025-07-01')) AS occupied
FROM buildings b
JOIN units u ON u.building_id = b.building_id
GROUP BY b.building_id, b.name

-- lettings: What is the newest building, and who manages it?
SELECT b.name, b.built_year, s.full_name AS manager
FROM buildings b
JOIN staff s ON s.staff_id = b.manager_id
ORDER BY b.built_year DESC
LIMIT 1

-- lettings: Which tenants are the youngest? Give me five.
SELECT tenant_id, full_name, born_on
FROM tenants
ORDER BY born_on DESC
LIMIT 5

-- lettings: Which three buildings had the worst average inspection score in 2025?
SELECT i.building_id, b.name, AVG(i.score) AS average_score
FROM inspections i
JOIN buildings b ON b.building_id = i.building_id
WHERE i.inspected_on >= DATE '2025-01-01' AND i.inspected_on < DATE '2026-01-01'
GROUP BY i.building_id, b.name
ORDER BY average_score ASC
LIMIT 3

-- lettings: Which charges are overdue and by how much are they short?
SELECT c.charge_id, c.lease_id, c.kind, c.due_on, c.amount - COALESCE(SUM(r.amount), 0) AS open_amount
FROM charges c
LEFT JOIN receipts r ON r.charge_id = c.charge_id
WHERE c.due_on < CURRENT_DATE
GROUP BY c.charge_id, c.lease_id, c.kind, c.due_on, c.amount
HAVING c.amount > COALESCE(SUM(r.amount), 0)
ORDER BY open_amount DESC

-- lettings: Billed and collected amounts for each month of 2024
WITH b AS (
  SELECT date_trunc('month', c.due_on) AS m, SUM(c.amount) AS billed
  FROM charges c
  WHERE c.due_on >= '2024-01-01' AND c.due_on < '2025-01-01'
  GROUP BY 1
), r AS (
  SELECT date_trunc('month', received_on) AS m, SUM(amount) AS collected
  FROM receipts
  WHERE received_on >= '2024-01-01' AND received_on < '2025-01-01'
  GROUP BY 1
)
SELECT COALESCE(b.m, r.m)::date AS month, COALESCE(b.billed, 0) AS billed, COALESCE(r.collected, 0) AS collected
FROM b
FULL JOIN r ON r.m = b.m
ORDER BY 1

-- lettings: How much money reached the bank in March 2025, by day of banking?
SELECT r.banked_on, SUM(r.amount) AS banked
FROM receipts r
WHERE r.banked_on BETWEEN DATE '2025-03-01' AND DATE '2025-03-31'
GROUP BY r.banked_on
ORDER BY r.banked_on

-- lettings: How many days do we take on average to bring a cheque to the bank?
SELECT AVG(r.banked_on - r.received_on) AS days
FROM receipts r
WHERE r.method = 'cheque'

-- lettings: Number of new leases per quarter of 2024
SELECT EXTRACT(QUARTER FROM l.signed_on) AS quarter, COUNT(*) AS leases
FROM leases l
WHERE l.signed_on BETWEEN '2024-01-01' AND '2024-12-31'
GROUP BY 1
ORDER BY 1

-- lettings: How many leases start in each month of 2025?
SELECT EXTRACT(MONTH FROM l.starts_on)::int AS month, COUNT(*) AS leases_starting
FROM leases l
WHERE l.starts_on >= DATE '2025-01-01' AND l.starts_on < DATE '2026-01-01'
GROUP BY 1
ORDER BY 1

-- lettings: Rent of each unit compared with the average list rent of units with as many bedrooms
SELECT u.building_id, u.unit_no, u.bedrooms, u.list_rent,
       u.list_rent - AVG(u.list_rent) OVER (PARTITION BY u.bedrooms) AS above_average
FROM units u

-- lettings: By how many percent did the rent rise at each renewal?
SELECT n.lease_id, o.monthly_rent AS old_rent, n.monthly_rent AS new_rent,
       ROUND(100 * (n.monthly_rent - o.monthly_rent) / o.monthly_rent, 1) AS rise_pct
FROM leases n
JOIN leases o ON n.previous_lease_id = o.lease_id

-- lettings: What part of the leases has been renewed, by building?
SELECT l.building_id, b.name,
       AVG(CASE WHEN EXISTS (SELECT 1 FROM leases nxt WHERE nxt.previous_lease_id = l.lease_id) THEN 1.0 ELSE 0.0 END) AS renewed
FROM leases l
JOIN buildings b ON b.building_id = l.building_id
GROUP BY l.building_id, b.name

-- lettings: Which leases were never renewed?
SELECT l.lease_id, l.building_id, l.unit_no, l.ends_on
FROM leases l
LEFT JOIN leases nxt ON nxt.previous_lease_id = l.lease_id
WHERE nxt.lease_id IS NULL

-- lettings: Which tenants have recommended us to the most people?
SELECT t.tenant_id, t.full_name, COUNT(*) AS referrals
FROM tenants t
JOIN tenants newcomer ON newcomer.referred_by = t.tenant_id
GROUP BY t.tenant_id, t.full_name
ORDER BY referrals DESC
LIMIT 10

-- lettings: How many people report to each team lead, directly or through others?
WITH RECURSIVE under AS (
  SELECT s.team_lead_id AS lead_id, s.staff_id FROM staff s WHERE s.team_lead_id IS NOT NULL
  UNION ALL
  SELECT u.lead_id, s.staff_id
  FROM under u
  JOIN staff s ON s.team_lead_id = u.staff_id
)
SELECT lead.staff_id, lead.full_name, COUNT(*) AS people
FROM under
JOIN staff lead ON lead.staff_id = under.lead_id
GROUP BY lead.staff_id, lead.full_name

-- lettings: Which building managers were hired after the lead of their team?
SELECT DISTINCT m.staff_id, m.full_name, m.hired_on, lead.full_name AS lead_name, lead.hired_on AS lead_hired_on
FROM buildings b
JOIN staff m ON m.staff_id = b.manager_id
JOIN staff lead ON lead.staff_id = m.team_lead_id
WHERE m.hired_on > lead.hired_on

-- lettings: How many hours does it take on average to close an urgent work order?
SELECT ROUND(AVG(EXTRACT(EPOCH FROM w.closed_at - w.opened_at) / 3600)::numeric, 1) AS hours_to_close
FROM work_orders w
WHERE w.priority = 'urgent' AND w.closed_at IS NOT NULL

-- lettings: Work orders opened per Sydney day in the last week of August 2025
SELECT (w.opened_at AT TIME ZONE 'Australia/Sydney')::date AS day, COUNT(*) AS work_orders
FROM work_orders w
WHERE w.opened_at >= TIMESTAMP '2025-08-25 00:00' AT TIME ZONE 'Australia/Sydney'
  AND w.opened_at < TIMESTAMP '2025-09-01 00:00' AT TIME ZONE 'Australia/Sydney'
GROUP BY day
ORDER BY day

-- lettings: How long after opening does a work order reach the vendor, in hours?
SELECT AVG(EXTRACT(EPOCH FROM w.logged_at - (w.opened_at AT TIME ZONE 'UTC'))) / 3600.0 AS hours
FROM work_orders w
WHERE w.logged_at IS NOT NULL

-- lettings: Which work orders were logged at the vendor on a weekend in Sydney?
SELECT w.work_order_id, w.logged_at AT TIME ZONE 'UTC' AT TIME ZONE 'Australia/Sydney' AS logged_local
FROM work_orders w
WHERE EXTRACT(ISODOW FROM timezone('Australia/Sydney', timezone('UTC', w.logged_at))) IN (6, 7)
ORDER BY w.work_order_id

-- lettings: Which vendors have no open work order?
SELECT v.vendor_id, v.trading_name, v.trade
FROM vendors v
WHERE v.vendor_id NOT IN (
  SELECT w.vendor_id FROM work_orders w WHERE w.closed_at IS NULL AND w.vendor_id IS NOT NULL)

-- lettings: Which buildings have had no urgent repair in 2025?
SELECT b.building_id, b.name
FROM buildings b
WHERE b.building_id NOT IN (
  SELECT w.building_id FROM work_orders w
  WHERE w.priority = 'urgent' AND w.opened_at >= '2025-01-01 00:00 Australia/Sydney'::timestamptz)

-- lettings: Repair cost for each unit with the share that it has in its building's repairs in units
SELECT w.building_id, w.unit_no, SUM(w.cost) AS repair_cost,
       SUM(w.cost) / SUM(SUM(w.cost)) OVER (PARTITION BY w.building_id) AS share_of_building
FROM work_orders w
WHERE w.unit_no IS NOT NULL
GROUP BY w.building_id, w.unit_no

-- lettings: What percentage of all repair costs goes to each trade, unassigned orders included?
SELECT COALESCE(v.trade, 'unassigned') AS trade,
       ROUND(100 * SUM(w.cost) / (SELECT SUM(cost) FROM work_orders), 1) AS pct
FROM work_orders w
LEFT JOIN vendors v ON v.vendor_id = w.vendor_id
GROUP BY 1
ORDER BY pct DESC

-- lettings: Cost per job and labour per job by priority
SELECT w.priority, AVG(w.cost) AS cost_per_job, AVG(w.labour_minutes) AS minutes_per_job
FROM work_orders w
GROUP BY w.priority

-- lettings: How many names of vendors belong to more than one firm?
SELECT COUNT(*) AS shared_names
FROM (
  SELECT v.trading_name FROM vendors v GROUP BY v.trading_name HAVING COUNT(*) > 1
) dup

-- lettings: How many buildings are there per suburb and decade of construction?
SELECT suburb, built_year - built_year % 10 AS decade, COUNT(*) AS buildings
FROM buildings
GROUP BY suburb, built_year - built_year % 10

-- lettings: Who has rented units in more than one building?
SELECT t.tenant_id, t.full_name, COUNT(DISTINCT l.building_id) AS buildings
FROM tenants t
JOIN leases l ON l.tenant_id = t.tenant_id
GROUP BY t.tenant_id, t.full_name
HAVING COUNT(DISTINCT l.building_id) > 1

-- lettings: How many tenants can we write to by email, and how many not?
SELECT COUNT(email) AS with_email, COUNT(*) - COUNT(email) AS without_email
FROM tenants

-- lettings: How many people do we know, counting tenants and staff?
SELECT COUNT(*) AS people
FROM (
  SELECT 'tenant' AS kind, tenant_id AS id FROM tenants
  UNION
  SELECT 'staff', staff_id FROM staff
) known

-- lettings: Money owed to us and money that we spend, by building, since 2025 began
SELECT building_id, SUM(charged) AS charged, SUM(spent) AS spent, SUM(charged) - SUM(spent) AS net
FROM (
  SELECT l.building_id, c.amount AS charged, 0 AS spent
  FROM charges c
  JOIN leases l ON l.lease_id = c.lease_id
  WHERE c.due_on >= DATE '2025-01-01'
  UNION ALL
  SELECT w.building_id, 0, w.cost
  FROM work_orders w
  WHERE w.opened_at >= '2025-01-01 00:00+11'
) flows
GROUP BY building_id

-- lettings: What was the last inspection of each unit, and what did it score?
SELECT u.building_id, u.unit_no, last.inspected_on, last.score
FROM units u
LEFT JOIN LATERAL (
  SELECT i.inspected_on, i.score
  FROM inspections i
  WHERE i.building_id = u.building_id AND i.unit_no = u.unit_no
  ORDER BY i.inspected_on DESC
  LIMIT 1
) last ON TRUE

-- lettings: Which units scored lower in their latest inspection than in the one before?
WITH h AS (
  SELECT building_id, unit_no, inspected_on, score,
         LAG(score) OVER w AS score_before,
         ROW_NUMBER() OVER (PARTITION BY building_id, unit_no ORDER BY inspected_on DESC) AS rn
  FROM inspections
  WINDOW w AS (PARTITION BY building_id, unit_no ORDER BY inspected_on)
)
SELECT building_id, unit_no, inspected_on, score_before, score
FROM h
WHERE rn = 1 AND score < score_before

-- lettings: On average, how many inspections has a unit had, by building?
SELECT per_unit.building_id, AVG(per_unit.n) AS inspections_per_unit
FROM (
  SELECT u.building_id, u.unit_no, COUNT(i.inspected_on) AS n
  FROM units u
  LEFT JOIN inspections i ON i.building_id = u.building_id AND i.unit_no = u.unit_no
  GROUP BY u.building_id, u.unit_no
) per_unit
GROUP BY per_unit.building_id

-- lettings: What is the highest, the lowest and the average monthly rent by number of bedrooms?
SELECT u.bedrooms, MAX(l.monthly_rent) AS highest, MIN(l.monthly_rent) AS lowest, ROUND(AVG(l.monthly_rent), 2) AS average
FROM leases l
JOIN units u ON u.building_id = l.building_id AND u.unit_no = l.unit_no
GROUP BY u.bedrooms
ORDER BY u.bedrooms

-- lettings: Which tenants reported a repair in a unit that they do not rent?
SELECT w.work_order_id, w.reported_by, w.building_id, w.unit_no
FROM work_orders w
WHERE w.reported_by IS NOT NULL AND w.unit_no IS NOT NULL
  AND NOT EXISTS (
    SELECT 1 FROM leases l
    WHERE l.tenant_id = w.reported_by AND l.building_id = w.building_id AND l.unit_no = w.unit_no)

-- lettings: Rent per square meter of the leases that run today, the dearest first
SELECT l.lease_id, l.building_id, l.unit_no, ROUND(l.monthly_rent / u.area_sqm, 2) AS rent_per_sqm
FROM leases l
JOIN units u USING (building_id, unit_no)
WHERE CURRENT_DATE >= l.starts_on AND (l.ends_on IS NULL OR CURRENT_DATE <= l.ends_on)
ORDER BY rent_per_sqm DESC

-- lettings: Which methods of payment do people use the least, by number of receipts?
SELECT r.method, COUNT(*) AS receipts
FROM receipts r
GROUP BY r.method
ORDER BY receipts
LIMIT 2

-- gaming: Which games have never been reviewed?
SELECT g.game_id, g.title
FROM games g
LEFT JOIN reviews r USING (game_id)
WHERE r.review_id IS NULL

-- gaming: Number of purchases kept and refunded for each game, games without purchases included
SELECT g.game_id, g.title,
       COUNT(pu.purchase_id) - COUNT(pu.refunded_at) AS kept,
       COUNT(pu.refunded_at) AS refunded
FROM games g
LEFT JOIN purchases pu ON pu.game_id = g.game_id
GROUP BY g.game_id, g.title

-- gaming: Refund rate by studio
SELECT s.studio_id, s.name,
       1.0 * SUM(CASE WHEN pu.refunded_at IS NOT NULL THEN 1 ELSE 0 END) / COUNT(*) AS refund_rate
FROM purchases pu
JOIN games g ON pu.game_id = g.game_id
JOIN studios s ON g.studio_id = s.studio_id
GROUP BY s.studio_id, s.name

-- gaming: Gross sales per genre; a game of two genres counts in both
SELECT ge.label, SUM(pu.price_cents) * 0.01 AS gross_sales
FROM purchases pu
JOIN game_genres gg ON gg.game_id = pu.game_id
JOIN genres ge ON ge.genre_code = gg.genre_code
GROUP BY ge.label

-- gaming: How many players have bought a game and never played it?
SELECT COUNT(DISTINCT pu.player_id) AS players
FROM purchases pu
WHERE pu.gifted_to IS NULL
  AND NOT EXISTS (
    SELECT 1 FROM play_sessions ps
    WHERE ps.player_id = pu.player_id AND ps.game_id = pu.game_id)

-- gaming: What is the average rating of each studio's games if each game counts once?
SELECT studio_id, AVG(game_stars) AS mean_of_games
FROM (
  SELECT g.studio_id, g.game_id, AVG(r.stars) AS game_stars
  FROM games g
  JOIN reviews r ON r.game_id = g.game_id
  GROUP BY g.studio_id, g.game_id
) x
GROUP BY studio_id

-- gaming: Average stars of each studio over all reviews
SELECT st.studio_id, st.name, AVG(r.stars) AS average_stars
FROM reviews r
JOIN games g ON g.game_id = r.game_id
JOIN studios st ON st.studio_id = g.studio_id
GROUP BY st.studio_id, st.name

-- gaming: How much time does an average player spend per day of play?
WITH days AS (
  SELECT ps.player_id, (ps.started_at AT TIME ZONE 'America/Sao_Paulo')::date AS day, SUM(ps.minutes) AS minutes
  FROM play_sessions ps
  GROUP BY 1, 2
)
SELECT AVG(minutes) AS minutes_per_player_day FROM days

-- gaming: How many daily active players were there in each week of June 2025 on average?
WITH dau AS (
  SELECT (ps.started_at AT TIME ZONE 'America/Sao_Paulo')::date AS day, COUNT(DISTINCT ps.player_id) AS players
  FROM play_sessions ps
  WHERE ps.started_at >= '2025-06-01 00:00-03' AND ps.started_at < '2025-07-01 00:00-03'
  GROUP BY 1
)
SELECT date_trunc('week', day)::date AS week, AVG(players) AS average_daily_players
FROM dau
GROUP BY 1
ORDER BY 1

-- gaming: At which local hour are the fewest sessions started?
SELECT EXTRACT(HOUR FROM ps.started_at AT TIME ZONE 'America/Sao_Paulo') AS hour, COUNT(*) AS sessions
FROM play_sessions ps
GROUP BY 1
ORDER BY sessions, hour
LIMIT 1

-- gaming: Reviews per local day in March 2025
SELECT (r.posted_at AT TIME ZONE 'UTC' AT TIME ZONE 'America/Sao_Paulo')::date AS day, COUNT(*) AS reviews
FROM reviews r
WHERE (r.posted_at AT TIME ZONE 'UTC' AT TIME ZONE 'America/Sao_Paulo')::date BETWEEN '2025-03-01' AND '2025-03-31'
GROUP BY 1
ORDER BY 1

-- gaming: How many sales did we have today so far?
SELECT COUNT(*) AS sales
FROM purchases pu
WHERE pu.purchased_at >= date_trunc('day', now() AT TIME ZONE 'America/Sao_Paulo') AT TIME ZONE 'America/Sao_Paulo'

-- gaming: How many days pass between purchase and settlement, by month of purchase in 2025?
SELECT date_trunc('month', pu.purchased_at AT TIME ZONE 'America/Sao_Paulo')::date AS month,
       AVG(pu.settled_on - (pu.purchased_at AT TIME ZONE 'America/Sao_Paulo')::date) AS days
FROM purchases pu
WHERE pu.purchased_at >= '2025-01-01 00:00-03' AND pu.purchased_at < '2026-01-01 00:00-03'
GROUP BY 1
ORDER BY 1

-- gaming: How much was settled in dollars in each week of May 2025?
SELECT date_trunc('week', pu.settled_on)::date AS week, SUM(pu.price_cents) / 100.0 AS settled
FROM purchases pu
WHERE pu.settled_on >= '2025-05-01' AND pu.settled_on < '2025-06-01'
GROUP BY 1
ORDER BY 1

-- gaming: Which sales of September 2025 had not been settled by the end of that month?
SELECT pu.purchase_id, pu.purchased_at, pu.settled_on
FROM purchases pu
WHERE pu.purchased_at >= '2025-09-01 00:00-03' AND pu.purchased_at < '2025-10-01 00:00-03'
  AND (pu.settled_on IS NULL OR pu.settled_on > DATE '2025-09-30')

-- gaming: Price of the games in whole dollars, and how many games have that price
SELECT base_price_cents / 100 AS whole_dollars, COUNT(*) AS games
FROM games
GROUP BY 1
ORDER BY 1

-- gaming: What is the cheapest game of each studio?
SELECT DISTINCT ON (g.studio_id) g.studio_id, g.game_id, g.title, g.base_price_cents / 100.0 AS price
FROM games g
ORDER BY g.studio_id, g.base_price_cents, g.game_id

-- gaming: Rank the studios by gross sales; the studio with the most sales is number 1
SELECT RANK() OVER (ORDER BY SUM(pu.price_cents) DESC) AS place, s.name, SUM(pu.price_cents) / 100.0 AS gross_sales
FROM studios s
JOIN games g ON g.studio_id = s.studio_id
JOIN purchases pu ON pu.game_id = g.game_id
GROUP BY s.studio_id, s.name
ORDER BY place

-- gaming: Which player was the first to unlock each achievement?
SELECT game_id, achievement_no, player_id, unlocked_at
FROM (
  SELECT u.*, ROW_NUMBER() OVER (PARTITION BY u.game_id, u.achievement_no ORDER BY u.unlocked_at) AS rn
  FROM unlocks u
) first
WHERE rn = 1

-- gaming: Which achievement is the rarest in each game?
WITH n AS (
  SELECT a.game_id, a.achievement_no, a.title, COUNT(u.player_id) AS players
  FROM achievements a
  LEFT JOIN unlocks u ON u.game_id = a.game_id AND u.achievement_no = a.achievement_no
  GROUP BY a.game_id, a.achievement_no, a.title
)
SELECT game_id, achievement_no, title, players
FROM n
WHERE players = (SELECT MIN(m.players) FROM n m WHERE m.game_id = n.game_id)

-- gaming: Who has collected the most achievement points?
SELECT p.player_id, p.display_name, SUM(a.points) AS points
FROM unlocks u
JOIN achievements a ON a.game_id = u.game_id AND a.achievement_no = u.achievement_no
JOIN players p ON p.player_id = u.player_id
GROUP BY p.player_id, p.display_name
ORDER BY points DESC
LIMIT 1

-- gaming: What part of the points of each game has each of its players reached?
WITH possible AS (
  SELECT game_id, SUM(points) AS total FROM achievements GROUP BY game_id
), reached AS (
  SELECT u.player_id, u.game_id, SUM(a.points) AS points
  FROM unlocks u
  JOIN achievements a ON (a.game_id, a.achievement_no) = (u.game_id, u.achievement_no)
  GROUP BY u.player_id, u.game_id
)
SELECT r.game_id, r.player_id, ROUND(r.points::numeric / p.total, 2) AS part
FROM reached r
JOIN possible p ON p.game_id = r.game_id

-- gaming: How many players own each game, bought or received as a gift?
SELECT game_id, COUNT(*) AS owners
FROM (
  SELECT game_id, player_id FROM purchases WHERE gifted_to IS NULL AND refunded_at IS NULL
  UNION
  SELECT game_id, gifted_to FROM purchases WHERE gifted_to IS NOT NULL AND refunded_at IS NULL
) o
GROUP BY game_id

-- gaming: Total hours on mobile devices and on others
SELECT kind, SUM(minutes) / 60.0 AS play_hours
FROM (
  SELECT 'mobile' AS kind, minutes FROM play_sessions WHERE device IN ('phone', 'tablet')
  UNION ALL
  SELECT 'other', minutes FROM play_sessions WHERE device NOT IN ('phone', 'tablet')
) k
GROUP BY kind

-- gaming: Which players have never invited anyone?
SELECT p.player_id, p.handle
FROM players p
WHERE p.player_id NOT IN (SELECT COALESCE(q.invited_by, -1) FROM players q)

-- gaming: Which independent studios have no game in the genre puzzle?
SELECT s.studio_id, s.name
FROM studios s
WHERE s.parent_studio_id IS NULL
  AND s.studio_id NOT IN (
    SELECT g.studio_id
    FROM games g
    JOIN game_genres gg ON gg.game_id = g.game_id
    JOIN genres ge ON ge.genre_code = gg.genre_code
    WHERE ge.label = 'Puzzle' AND g.studio_id IS NOT NULL)

-- gaming: Show each studio with the studio that owns it, if any
SELECT s.name AS studio, owner.name AS owned_by
FROM studios s
LEFT JOIN studios owner ON owner.studio_id = s.parent_studio_id
ORDER BY s.name

-- gaming: How many years after the original did each remake come out?
SELECT r.game_id, r.title, EXTRACT(YEAR FROM age(r.released_on, o.released_on)) AS years_later
FROM games r
JOIN games o ON o.game_id = r.remake_of

-- gaming: Which players signed up within a week of the player who invited them?
SELECT p.player_id, p.signed_up_at, inviter.player_id AS inviter_id, inviter.signed_up_at AS inviter_signed_up_at
FROM players p
JOIN players inviter ON inviter.player_id = p.invited_by
WHERE p.signed_up_at - inviter.signed_up_at BETWEEN INTERVAL '0' AND INTERVAL '7 days'

-- gaming: How many gifts went to a player in another country than the giver's?
SELECT COUNT(*) AS gifts_abroad
FROM purchases pu
JOIN players giver ON giver.player_id = pu.player_id
JOIN players receiver ON receiver.player_id = pu.gifted_to
WHERE giver.country <> receiver.country

-- gaming: Play hours and gross sales of each game in 2025
WITH h AS (
  SELECT game_id, SUM(minutes) / 60.0 AS play_hours
  FROM play_sessions
  WHERE started_at >= '2025-01-01 00:00-03' AND started_at < '2026-01-01 00:00-03'
  GROUP BY game_id
), s AS (
  SELECT game_id, SUM(price_cents) / 100.0 AS gross_sales
  FROM purchases
  WHERE purchased_at >= '2025-01-01 00:00-03' AND purchased_at < '2026-01-01 00:00-03'
  GROUP BY game_id
)
SELECT g.game_id, g.title, COALESCE(h.play_hours, 0) AS play_hours, COALESCE(s.gross_sales, 0) AS gross_sales
FROM games g
LEFT JOIN h ON h.game_id = g.game_id
LEFT JOIN s ON s.game_id = g.game_id

-- gaming: What share of Brazil's sales of 2025 falls on each month?
SELECT to_char(pu.purchased_at AT TIME ZONE 'America/Sao_Paulo', 'YYYY-MM') AS month,
       SUM(pu.price_cents)::numeric / SUM(SUM(pu.price_cents)) OVER () AS share
FROM purchases pu
JOIN players p ON p.player_id = pu.player_id
WHERE p.country = 'BR'
  AND pu.purchased_at >= '2025-01-01 00:00-03' AND pu.purchased_at < '2026-01-01 00:00-03'
GROUP BY 1
ORDER BY 1

-- gaming: What is the share of each country in the sales of each studio?
SELECT g.studio_id, COALESCE(p.country, 'unknown') AS country,
       ROUND(100.0 * SUM(pu.price_cents) / SUM(SUM(pu.price_cents)) OVER (PARTITION BY g.studio_id), 1) AS pct
FROM purchases pu
JOIN games g ON g.game_id = pu.game_id
JOIN players p ON p.player_id = pu.player_id
GROUP BY g.studio_id, COALESCE(p.country, 'unknown')
ORDER BY g.studio_id, pct DESC

-- gaming: How many different display names are there among the players?
SELECT COUNT(DISTINCT display_name) AS display_names FROM players

-- gaming: How many games of each title exist, for titles with more than one?
SELECT title, COUNT(*) AS games
FROM games
GROUP BY title
HAVING COUNT(*) > 1

-- gaming: How many copies did the games with the title Game 2 sell together?
SELECT g.title, COUNT(*) AS copies
FROM purchases pu
JOIN games g ON g.game_id = pu.game_id
WHERE g.title = 'Game 2'
GROUP BY g.title

-- gaming: What did players who invited others spend on average, compared with those who did not?
SELECT inviter, AVG(spent) AS avg_spent_usd
FROM (
  SELECT p.player_id,
         EXISTS (SELECT 1 FROM players q WHERE q.invited_by = p.player_id) AS inviter,
         COALESCE(SUM(pu.price_cents), 0) / 100.0 AS spent
  FROM players p
  LEFT JOIN purchases pu ON pu.player_id = p.player_id
  GROUP BY p.player_id
) t
GROUP BY inviter

-- gaming: Give me the ten longest sessions with the name of the game, the longest first
SELECT ps.session_id, ps.minutes, g.title
FROM (SELECT * FROM play_sessions ORDER BY minutes DESC LIMIT 10) ps
JOIN games g ON g.game_id = ps.game_id
ORDER BY ps.minutes DESC

-- gaming: Of the players who bought something in 2025, how many bought again within 30 days of their first purchase that year?
WITH firsts AS (
  SELECT player_id, MIN(purchased_at) AS first_at
  FROM purchases
  WHERE purchased_at >= '2025-01-01 00:00-03' AND purchased_at < '2026-01-01 00:00-03'
  GROUP BY player_id
)
SELECT COUNT(*) AS buyers,
       COUNT(*) FILTER (WHERE EXISTS (
         SELECT 1 FROM purchases pu
         WHERE pu.player_id = f.player_id
           AND pu.purchased_at > f.first_at AND pu.purchased_at <= f.first_at + INTERVAL '30 days')) AS bought_again
FROM firsts f

-- gaming: After how many hours is a purchase refunded, in the median, by country of the buyer?
SELECT COALESCE(p.country, 'unknown') AS country,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY EXTRACT(EPOCH FROM pu.refunded_at - pu.purchased_at) / 3600) AS median_hours
FROM purchases pu
JOIN players p USING (player_id)
WHERE pu.refunded_at IS NOT NULL
GROUP BY 1
