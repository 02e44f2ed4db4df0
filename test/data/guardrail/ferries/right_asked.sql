-- Queries near the rules that answer their question, in the form of ../right_asked.sql.

-- ferries: Every traveller with their tickets, if any
SELECT t.traveller_id, k.ticket_id FROM travellers t LEFT JOIN (bookings b JOIN tickets k ON k.booking_id = b.booking_id) ON b.traveller_id = t.traveller_id

-- ferries: Every ship with its home port and, if there are any, its sailings
SELECT sh.ship_id, p.port_name, s.sailing_id FROM ships sh LEFT JOIN sailings s ON s.ship_id = sh.ship_id JOIN ports p ON p.port_id = sh.home_port_id

-- ferries: Incidents and the crew of the ship, with the reporter if known
SELECT i.incident_id, r.full_name, c.crew_id FROM incidents i LEFT JOIN crew r ON r.crew_id = i.reporter_id
JOIN sailings s USING (sailing_id) JOIN crew c ON c.ship_id = s.ship_id AND (r.ship_id IS NULL OR c.crew_id <> r.crew_id)

-- ferries: Bookings and sailings of each day, whichever there are, with the ship
SELECT d.day, x.ship_id FROM (SELECT timetable_day AS day, sailing_id FROM sailings) d
FULL JOIN (SELECT reported_at::date AS day, sailing_id FROM incidents) i USING (day)
JOIN (SELECT timetable_day AS day, ship_id FROM sailings) x USING (day)

-- ferries: Sailings and incidents of each sailing, with the seats
SELECT sailing_id, i.incident_id, b.booking_id FROM sailings s LEFT JOIN incidents i USING (sailing_id) JOIN bookings b USING (sailing_id)

-- ferries: Sailings since the beginning of May in Oslo
SELECT count(*) AS sailings FROM sailings WHERE departs_at >= date_trunc('month', timestamp '2024-05-01') AT TIME ZONE 'Europe/Oslo'

-- ferries: Bookings of each Oslo day, by the moment at which it begins
SELECT date_trunc('day', b.booked_at AT TIME ZONE 'Europe/Oslo') AT TIME ZONE 'Europe/Oslo' AS begins, count(*) AS bookings FROM bookings b GROUP BY 1

-- ferries: Bookings of each Oslo day
SELECT date_trunc('day', b.booked_at, 'Europe/Oslo') AT TIME ZONE 'Europe/Oslo' AS day, count(*) AS bookings FROM bookings b GROUP BY 1

-- ferries: Bookings of each hour, in Oslo time
SELECT date_trunc('hour', b.booked_at) AT TIME ZONE 'Europe/Oslo' AS hour, count(*) AS bookings FROM bookings b GROUP BY 1

-- ferries: Each ship that has sailed, with its name
SELECT DISTINCT ON (sh.ship_id) sh.ship_id, sh.ship_name FROM ships sh JOIN sailings s USING (ship_id)

-- ferries: The countries of our travellers
SELECT DISTINCT ON (t.country) t.country FROM travellers t

-- ferries: Number the ports in the order of their names
SELECT row_number() OVER () AS no, port_name FROM (SELECT port_name FROM ports ORDER BY port_name) p

-- ferries: One example booking for each channel
SELECT DISTINCT ON (b.channel) b.channel, b.booking_id FROM bookings b

-- ferries: What share of all sailings did each ship make?
SELECT ship_id, count(*)::numeric / sum(count(*)) OVER () AS share FROM sailings GROUP BY ship_id

-- ferries: Who is Ana Berg supervised by?
SELECT b.crew_id, b.full_name FROM crew a JOIN crew b ON b.crew_id = a.supervisor_id WHERE a.full_name = 'Ana Berg'

-- ferries: Which ship was replaced by ship 12?
SELECT o.ship_id, o.ship_name FROM ships n JOIN ships o ON n.replaces_id = o.ship_id WHERE n.ship_id = 12

-- ferries: Which ship did ship 12 replace?
SELECT o.ship_id FROM ships o WHERE EXISTS (SELECT 1 FROM ships n WHERE n.replaces_id = o.ship_id AND n.ship_id = 12)
