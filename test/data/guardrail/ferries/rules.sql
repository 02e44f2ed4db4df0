-- Pairs in more forms, over a model of ferries, in the form of ../rules.sql.

-- ferries left_join_filtered: List every traveller with their bookings and what each ticket cost.
SELECT t.traveller_id, t.full_name, b.booking_id, k.price
FROM travellers t LEFT JOIN bookings b ON b.traveller_id = t.traveller_id
JOIN tickets k ON k.booking_id = b.booking_id
-- right
SELECT t.traveller_id, t.full_name, b.booking_id, k.price
FROM travellers t LEFT JOIN bookings b ON b.traveller_id = t.traveller_id
LEFT JOIN tickets k ON k.booking_id = b.booking_id

-- ferries left_join_filtered: How many incidents has each ship had, including ships without sailings?
SELECT sh.ship_id, sh.ship_name, count(i.incident_id) AS incidents
FROM ships sh LEFT JOIN sailings s ON s.ship_id = sh.ship_id
INNER JOIN incidents i USING (sailing_id)
GROUP BY sh.ship_id, sh.ship_name
-- right
SELECT sh.ship_id, sh.ship_name, count(i.incident_id) AS incidents
FROM ships sh LEFT JOIN (sailings s INNER JOIN incidents i USING (sailing_id)) ON s.ship_id = sh.ship_id
GROUP BY sh.ship_id, sh.ship_name

-- ferries left_join_filtered: Every port with the names of the ships that are at home there and their crew, if any
WITH fleet AS (
  SELECT p.port_id, p.port_name, s.ship_id, s.ship_name FROM ports p LEFT JOIN ships s ON s.home_port_id = p.port_id)
SELECT f.port_name, f.ship_name, c.full_name FROM fleet f JOIN crew c ON c.ship_id = f.ship_id
-- right
WITH fleet AS (
  SELECT p.port_id, p.port_name, s.ship_id, s.ship_name FROM ports p LEFT JOIN ships s ON s.home_port_id = p.port_id)
SELECT f.port_name, f.ship_name, c.full_name FROM fleet f LEFT JOIN crew c ON c.ship_id = f.ship_id

-- ferries left_join_filtered: For each sailing its serious incidents, if there were any
SELECT s.sailing_id, s.departs_at, x.severity
FROM sailings s LEFT JOIN LATERAL (SELECT i.severity FROM incidents i WHERE i.sailing_id = s.sailing_id) x ON true
WHERE x.severity >= 4
-- right
SELECT s.sailing_id, s.departs_at, x.severity
FROM sailings s LEFT JOIN LATERAL (SELECT i.severity FROM incidents i WHERE i.sailing_id = s.sailing_id AND i.severity >= 4) x ON true

-- ferries left_join_filtered: How many sailings had each ship in 2024? Include ships without any.
SELECT sh.ship_id, sh.ship_name, count(s.sailing_id) AS sailings
FROM ships sh LEFT OUTER JOIN sailings s ON sh.ship_id = s.ship_id
WHERE date_trunc('year', s.departs_at) = DATE '2024-01-01'
GROUP BY 1, 2
-- right
SELECT sh.ship_id, sh.ship_name, count(s.sailing_id) AS sailings
FROM ships sh LEFT OUTER JOIN sailings s ON sh.ship_id = s.ship_id AND date_trunc('year', s.departs_at) = DATE '2024-01-01'
GROUP BY 1, 2

-- ferries limit_without_order: What was the latest sailing of each ship?
SELECT ship_id, sailing_id, departs_at FROM (
  SELECT s.*, row_number() OVER (PARTITION BY s.ship_id) AS rn FROM sailings s) x WHERE rn = 1
-- right
SELECT ship_id, sailing_id, departs_at FROM (
  SELECT s.*, row_number() OVER (PARTITION BY s.ship_id ORDER BY s.departs_at DESC) AS rn FROM sailings s) x WHERE rn = 1

-- ferries limit_without_order: The first booking of each traveller
SELECT DISTINCT ON (b.traveller_id) b.traveller_id, b.booking_id, b.booked_at FROM bookings b
-- right
SELECT DISTINCT ON (b.traveller_id) b.traveller_id, b.booking_id, b.booked_at FROM bookings b ORDER BY b.traveller_id, b.booked_at

-- ferries limit_without_order: Which channel did each traveller book by last?
SELECT DISTINCT ON (b.traveller_id) b.traveller_id, b.channel FROM bookings b ORDER BY b.traveller_id
-- right
SELECT DISTINCT ON (b.traveller_id) b.traveller_id, b.channel FROM bookings b ORDER BY b.traveller_id, b.booked_at DESC

-- ferries limit_without_order: By which channel did each traveller book first?
SELECT DISTINCT b.traveller_id, first_value(b.channel) OVER (PARTITION BY b.traveller_id) AS first_channel FROM bookings b
-- right
SELECT DISTINCT b.traveller_id, first_value(b.channel) OVER (PARTITION BY b.traveller_id ORDER BY b.booked_at) AS first_channel FROM bookings b

-- ferries limit_without_order: How long was it from each sailing of a ship to its next?
SELECT s.ship_id, s.departs_at, lead(s.departs_at) OVER (PARTITION BY s.ship_id) - s.departs_at AS pause FROM sailings s ORDER BY s.ship_id, s.departs_at
-- right
SELECT s.ship_id, s.departs_at, lead(s.departs_at) OVER (PARTITION BY s.ship_id ORDER BY s.departs_at) - s.departs_at AS pause FROM sailings s ORDER BY s.ship_id, s.departs_at

-- ferries limit_without_order: What are the three routes with the most sailings?
WITH n AS (SELECT route_id, count(*) AS sailings FROM sailings GROUP BY route_id),
ranked AS (SELECT route_id, sailings, rank() OVER () AS rk FROM n)
SELECT route_id, sailings FROM ranked WHERE rk <= 3
-- right
WITH n AS (SELECT route_id, count(*) AS sailings FROM sailings GROUP BY route_id),
ranked AS (SELECT route_id, sailings, rank() OVER (ORDER BY sailings DESC) AS rk FROM n)
SELECT route_id, sailings FROM ranked WHERE rk <= 3

-- ferries limit_without_order: Which three ports have the most ships at home?
WITH n AS (SELECT home_port_id, count(*) AS ships FROM ships GROUP BY 1 ORDER BY 2 DESC)
SELECT p.port_name, n.ships FROM n JOIN ports p ON p.port_id = n.home_port_id LIMIT 3
-- right
WITH n AS (SELECT home_port_id, count(*) AS ships FROM ships GROUP BY 1)
SELECT p.port_name, n.ships FROM n JOIN ports p ON p.port_id = n.home_port_id ORDER BY n.ships DESC LIMIT 3

-- ferries limit_without_order: What was the channel of each traveller's latest booking?
SELECT t.traveller_id, (SELECT b.channel FROM bookings b WHERE b.traveller_id = t.traveller_id LIMIT 1) AS last_channel FROM travellers t
-- right
SELECT t.traveller_id, (SELECT b.channel FROM bookings b WHERE b.traveller_id = t.traveller_id ORDER BY b.booked_at DESC LIMIT 1) AS last_channel FROM travellers t

-- ferries wrong_end: Which ship had the lowest mean delay?
WITH d AS (SELECT ship_id, avg(delay_minutes) AS mean_delay FROM sailings GROUP BY ship_id)
SELECT ship_id FROM d WHERE mean_delay = (SELECT max(mean_delay) FROM d)
-- right
WITH d AS (SELECT ship_id, avg(delay_minutes) AS mean_delay FROM sailings GROUP BY ship_id)
SELECT ship_id FROM d WHERE mean_delay = (SELECT min(mean_delay) FROM d)

-- ferries wrong_end: Who is the most recently hired person on each ship?
SELECT DISTINCT ON (c.ship_id) c.ship_id, c.full_name, c.hired_on FROM crew c ORDER BY c.ship_id, c.hired_on
-- right
SELECT DISTINCT ON (c.ship_id) c.ship_id, c.full_name, c.hired_on FROM crew c ORDER BY c.ship_id, c.hired_on DESC

-- ferries wrong_end: Which booking of each traveller was the most expensive?
SELECT x.traveller_id, x.booking_id, x.total FROM travellers t CROSS JOIN LATERAL (
  SELECT b.traveller_id, b.booking_id, sum(k.price) AS total FROM bookings b JOIN tickets k USING (booking_id)
  WHERE b.traveller_id = t.traveller_id GROUP BY b.booking_id ORDER BY total LIMIT 1) x
-- right
SELECT x.traveller_id, x.booking_id, x.total FROM travellers t CROSS JOIN LATERAL (
  SELECT b.traveller_id, b.booking_id, sum(k.price) AS total FROM bookings b JOIN tickets k USING (booking_id)
  WHERE b.traveller_id = t.traveller_id GROUP BY b.booking_id ORDER BY total DESC LIMIT 1) x

-- ferries union_loses_rows: What was the total of ticket prices and incident costs for each sailing?
SELECT sailing_id, sum(amount) AS total FROM (
  SELECT b.sailing_id, k.price AS amount FROM tickets k JOIN bookings b USING (booking_id)
  UNION
  SELECT i.sailing_id, i.cost FROM incidents i) m GROUP BY 1
-- right
SELECT sailing_id, sum(amount) AS total FROM (
  SELECT b.sailing_id, k.price AS amount FROM tickets k JOIN bookings b USING (booking_id)
  UNION ALL
  SELECT i.sailing_id, i.cost FROM incidents i) m GROUP BY 1

-- ferries not_in_null: Which crew members have never reported an incident?
WITH reporters AS (SELECT DISTINCT reporter_id FROM incidents)
SELECT c.crew_id, c.full_name FROM crew c WHERE c.crew_id NOT IN (SELECT reporter_id FROM reporters)
-- right
WITH reporters AS (SELECT DISTINCT reporter_id FROM incidents WHERE reporter_id IS NOT NULL)
SELECT c.crew_id, c.full_name FROM crew c WHERE c.crew_id NOT IN (SELECT reporter_id FROM reporters)

-- ferries not_in_null: Which ships are replaced by no other?
SELECT ship_id, ship_name FROM ships WHERE ship_id <> ALL (SELECT replaces_id FROM ships)
-- right
SELECT ship_id, ship_name FROM ships WHERE ship_id <> ALL (SELECT replaces_id FROM ships WHERE replaces_id IS NOT NULL)

-- ferries not_in_null: Which crew members supervise no one and have reported no incident?
SELECT c.crew_id FROM crew c WHERE c.crew_id NOT IN (
  SELECT supervisor_id FROM crew UNION SELECT reporter_id FROM incidents)
-- right
SELECT c.crew_id FROM crew c WHERE c.crew_id NOT IN (
  SELECT supervisor_id FROM crew WHERE supervisor_id IS NOT NULL UNION SELECT reporter_id FROM incidents WHERE reporter_id IS NOT NULL)

-- ferries integer_division: What part of each ship's sailings was late by more than ten minutes?
SELECT ship_id, count(*) FILTER (WHERE delay_minutes > 10) / NULLIF(count(*), 0) AS late_part FROM sailings GROUP BY ship_id
-- right
SELECT ship_id, count(*) FILTER (WHERE delay_minutes > 10)::numeric / NULLIF(count(*), 0) AS late_part FROM sailings GROUP BY ship_id

-- ferries integer_division: What part of its seats did each sailing sell?
WITH sold AS (SELECT b.sailing_id, sum(k.seats)::int AS seats FROM tickets k JOIN bookings b USING (booking_id) GROUP BY 1)
SELECT s.sailing_id, coalesce(sold.seats, 0) / sh.capacity AS used FROM sailings s JOIN ships sh USING (ship_id) LEFT JOIN sold USING (sailing_id)
-- right
WITH sold AS (SELECT b.sailing_id, sum(k.seats)::int AS seats FROM tickets k JOIN bookings b USING (booking_id) GROUP BY 1)
SELECT s.sailing_id, coalesce(sold.seats, 0)::numeric / sh.capacity AS used FROM sailings s JOIN ships sh USING (ship_id) LEFT JOIN sold USING (sailing_id)

-- ferries metric_name: Ticket revenue by channel
SELECT b.channel, sum(k.price * k.seats) AS "Ticket revenue" FROM tickets k JOIN bookings b USING (booking_id) GROUP BY b.channel
-- right
SELECT b.channel, sum(k.price - coalesce(k.discount, 0)) AS "Ticket revenue" FROM tickets k JOIN bookings b USING (booking_id) GROUP BY b.channel

-- ferries count_of_joined_rows: How many sailings with an incident had each ship?
SELECT s.ship_id, count(*) AS sailings FROM sailings s, incidents i WHERE i.sailing_id = s.sailing_id GROUP BY 1
-- right
SELECT s.ship_id, count(*) AS sailings FROM sailings s WHERE EXISTS (SELECT 1 FROM incidents i WHERE i.sailing_id = s.sailing_id) GROUP BY 1

-- ferries count_of_joined_rows: How many ships without a sailing, and how many in all, are at home in each port?
SELECT p.port_name, count(*) AS ships FROM ports p LEFT JOIN ships s ON s.home_port_id = p.port_id GROUP BY p.port_name
-- right
SELECT p.port_name, count(s.ship_id) AS ships FROM ports p LEFT JOIN ships s ON s.home_port_id = p.port_id GROUP BY p.port_name

-- ferries count_of_values: How many travellers booked online?
SELECT count(DISTINCT t.full_name) AS travellers FROM travellers t WHERE t.traveller_id IN (SELECT traveller_id FROM bookings WHERE channel = 'online')
-- right
SELECT count(DISTINCT t.traveller_id) AS travellers FROM travellers t WHERE t.traveller_id IN (SELECT traveller_id FROM bookings WHERE channel = 'online')

-- ferries average_of_averages: What is the mean delay of the sailings of each home port?
WITH d AS (SELECT s.ship_id, avg(s.delay_minutes) AS delay FROM sailings s GROUP BY s.ship_id)
SELECT sh.home_port_id, round(avg(d.delay)::numeric, 1) AS delay FROM d JOIN ships sh ON sh.ship_id = d.ship_id GROUP BY 1
-- right
WITH d AS (SELECT s.ship_id, sum(s.delay_minutes) AS total, count(s.delay_minutes) AS n FROM sailings s GROUP BY s.ship_id)
SELECT sh.home_port_id, round(sum(d.total)::numeric / sum(d.n), 1) AS delay FROM d JOIN ships sh ON sh.ship_id = d.ship_id GROUP BY 1

-- ferries average_of_averages: What is the average price of a ticket?
SELECT (SELECT avg(m) FROM (SELECT avg(price) AS m FROM tickets GROUP BY kind) x) AS average_price
-- right
SELECT (SELECT avg(price) FROM tickets) AS average_price

-- ferries group_by_name: What has each traveller spent on tickets?
SELECT t.full_name AS traveller, sum(k.price) AS spent FROM travellers t JOIN bookings b USING (traveller_id) JOIN tickets k USING (booking_id) GROUP BY 1 ORDER BY 2 DESC
-- right
SELECT t.full_name AS traveller, sum(k.price) AS spent FROM travellers t JOIN bookings b USING (traveller_id) JOIN tickets k USING (booking_id) GROUP BY t.traveller_id, 1 ORDER BY 2 DESC

-- ferries wrong_total: For each home port, what share of its sailings did each ship make?
WITH n AS (SELECT sh.home_port_id, sh.ship_id, count(*) AS sailings FROM sailings s JOIN ships sh USING (ship_id) GROUP BY 1, 2),
total AS (SELECT sum(sailings) AS all_sailings FROM n)
SELECT n.home_port_id, n.ship_id, n.sailings::numeric / total.all_sailings AS share FROM n CROSS JOIN total
-- right
WITH n AS (SELECT sh.home_port_id, sh.ship_id, count(*) AS sailings FROM sailings s JOIN ships sh USING (ship_id) GROUP BY 1, 2),
total AS (SELECT home_port_id, sum(sailings) AS all_sailings FROM n GROUP BY home_port_id)
SELECT n.home_port_id, n.ship_id, n.sailings::numeric / total.all_sailings AS share FROM n JOIN total USING (home_port_id)

-- ferries time_zone_shift: How many sailings left on each day, in Oslo time?
SELECT date_trunc('day', s.departs_at) AT TIME ZONE 'Europe/Oslo' AS day, count(*) AS sailings FROM sailings s GROUP BY 1
-- right
SELECT date_trunc('day', s.departs_at AT TIME ZONE 'Europe/Oslo') AS day, count(*) AS sailings FROM sailings s GROUP BY 1

-- ferries time_zone_shift: Sailings for each Oslo date
SELECT (s.departs_at::date AT TIME ZONE 'Europe/Oslo')::date AS day, count(*) AS sailings FROM sailings s GROUP BY 1
-- right
SELECT (s.departs_at AT TIME ZONE 'Europe/Oslo')::date AS day, count(*) AS sailings FROM sailings s GROUP BY 1

-- ferries time_zone_shift: Log entries of bookings for each hour of the day in Oslo
WITH h AS (SELECT date_trunc('hour', logged_at) AS hour, booking_id FROM bookings)
SELECT extract(hour FROM hour AT TIME ZONE 'Europe/Oslo') AS oslo_hour, count(*) AS bookings FROM h GROUP BY 1
-- right
WITH h AS (SELECT date_trunc('hour', logged_at) AS hour, booking_id FROM bookings)
SELECT extract(hour FROM hour AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Oslo') AS oslo_hour, count(*) AS bookings FROM h GROUP BY 1

-- ferries time_zone_shift: Bookings for each Oslo month
SELECT date_trunc('month', b.logged_at) AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Oslo' AS month, count(*) AS bookings FROM bookings b GROUP BY 1
-- right
SELECT date_trunc('month', b.logged_at AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Oslo') AS month, count(*) AS bookings FROM bookings b GROUP BY 1

-- ferries time_zone_shift: Revenue for each Oslo day
WITH d AS (SELECT date_trunc('day', s.departs_at) AS day, k.price FROM tickets k JOIN bookings b USING (booking_id) JOIN sailings s USING (sailing_id))
SELECT to_char(d.day AT TIME ZONE 'Europe/Oslo', 'YYYY-MM-DD') AS day, sum(d.price) AS prices FROM d GROUP BY 1
-- right
WITH d AS (SELECT date_trunc('day', s.departs_at AT TIME ZONE 'Europe/Oslo') AS day, k.price FROM tickets k JOIN bookings b USING (booking_id) JOIN sailings s USING (sailing_id))
SELECT to_char(d.day, 'YYYY-MM-DD') AS day, sum(d.price) AS prices FROM d GROUP BY 1

-- ferries self_join_direction: Who are the supervisees of Ana Berg?
SELECT c.crew_id, c.full_name FROM crew c WHERE EXISTS (
  SELECT 1 FROM crew a WHERE a.full_name = 'Ana Berg' AND a.supervisor_id = c.crew_id)
-- right
SELECT c.crew_id, c.full_name FROM crew c WHERE EXISTS (
  SELECT 1 FROM crew a WHERE a.full_name = 'Ana Berg' AND c.supervisor_id = a.crew_id)

-- ferries self_join_direction: Who is supervised by Ana Berg?
SELECT c.crew_id, c.full_name FROM crew c JOIN crew a ON c.crew_id = a.supervisor_id WHERE a.full_name = 'Ana Berg'
-- right
SELECT c.crew_id, c.full_name FROM crew c JOIN crew a ON c.supervisor_id = a.crew_id WHERE a.full_name = 'Ana Berg'

-- ferries self_join_direction: Which ships replaced ship 12?
SELECT n.ship_id, n.ship_name FROM ships n JOIN ships o ON o.replaces_id = n.ship_id WHERE o.ship_id = 12
-- right
SELECT n.ship_id, n.ship_name FROM ships n JOIN ships o ON n.replaces_id = o.ship_id WHERE o.ship_id = 12

-- ferries self_join_direction: Which ship does each ship replace?
SELECT s.ship_id, r.ship_id AS replaces FROM ships s LEFT JOIN ships r ON r.replaces_id = s.ship_id
-- right
SELECT s.ship_id, r.ship_id AS replaces FROM ships s LEFT JOIN ships r ON s.replaces_id = r.ship_id

-- ferries self_join_direction: How many incidents did the crew under each supervisor report?
SELECT boss.crew_id, boss.full_name, count(i.incident_id) AS incidents
FROM crew boss JOIN crew c ON boss.supervisor_id = c.crew_id JOIN incidents i ON i.reporter_id = c.crew_id
GROUP BY boss.crew_id, boss.full_name
-- right
SELECT boss.crew_id, boss.full_name, count(i.incident_id) AS incidents
FROM crew boss JOIN crew c ON c.supervisor_id = boss.crew_id JOIN incidents i ON i.reporter_id = c.crew_id
GROUP BY boss.crew_id, boss.full_name

-- ferries other_date: What was the ticket revenue in May 2024?
SELECT sum(k.price - coalesce(k.discount, 0)) AS ticket_revenue FROM tickets k JOIN bookings b USING (booking_id)
WHERE to_char(b.booked_at, 'YYYY-MM') = '2024-05'
-- right
SELECT sum(k.price - coalesce(k.discount, 0)) AS ticket_revenue FROM tickets k JOIN bookings b USING (booking_id) JOIN sailings s USING (sailing_id)
WHERE to_char(s.departs_at, 'YYYY-MM') = '2024-05'

-- ferries joins_follow_model: Which crew reported incidents?
SELECT c.crew_id, c.full_name, count(i.incident_id) AS incidents FROM crew c JOIN incidents i ON c.crew_id = i.incident_id GROUP BY c.crew_id, c.full_name
-- right
SELECT c.crew_id, c.full_name, count(i.incident_id) AS incidents FROM crew c JOIN incidents i ON c.crew_id = i.reporter_id GROUP BY c.crew_id, c.full_name

-- ferries joins_follow_model: How many seats were sold for each sailing?
SELECT s.sailing_id, (SELECT sum(k.seats) FROM tickets k JOIN bookings b ON k.ticket_id = b.booking_id WHERE b.sailing_id = s.sailing_id) AS seats FROM sailings s
-- right
SELECT s.sailing_id, (SELECT sum(k.seats) FROM tickets k JOIN bookings b ON k.booking_id = b.booking_id WHERE b.sailing_id = s.sailing_id) AS seats FROM sailings s

-- ferries limit_without_order: What was the water sample of the latest incident of each sailing?
SELECT sailing_id, water_sample_ph FROM (
  SELECT sailing_id, water_sample_ph, row_number() OVER (PARTITION BY sailing_id) AS n
  FROM incidents WHERE water_sample_ph IS NOT NULL) x
WHERE n = 1
-- right
SELECT sailing_id, water_sample_ph FROM (
  SELECT sailing_id, water_sample_ph,
    row_number() OVER (PARTITION BY sailing_id ORDER BY reported_at DESC) AS n
  FROM incidents WHERE water_sample_ph IS NOT NULL) x
WHERE n = 1

-- ferries left_join_filtered: Every ship with its number of long sailings, also ships that had none.
SELECT sh.ship_id, sh.ship_name, count(s.sailing_id) AS long_sailings
FROM ships sh LEFT JOIN sailings s ON s.ship_id = sh.ship_id
JOIN routes r ON r.route_id = s.route_id AND r.distance_nm > 100
GROUP BY sh.ship_id, sh.ship_name
-- right
SELECT sh.ship_id, sh.ship_name, count(r.route_id) AS long_sailings
FROM ships sh LEFT JOIN sailings s ON s.ship_id = sh.ship_id
LEFT JOIN routes r ON r.route_id = s.route_id AND r.distance_nm > 100
GROUP BY sh.ship_id, sh.ship_name

-- ferries fan_out: How many long routes did each ship sail on?
SELECT sh.ship_id, sh.ship_name, count(r.route_id) AS long_routes
FROM ships sh LEFT JOIN sailings s ON s.ship_id = sh.ship_id
LEFT JOIN routes r ON r.route_id = s.route_id AND r.distance_nm > 100
GROUP BY sh.ship_id, sh.ship_name
-- right
SELECT sh.ship_id, sh.ship_name, count(DISTINCT r.route_id) AS long_routes
FROM ships sh LEFT JOIN sailings s ON s.ship_id = sh.ship_id
LEFT JOIN routes r ON r.route_id = s.route_id AND r.distance_nm > 100
GROUP BY sh.ship_id, sh.ship_name
