-- Pairs in forms that the blind sets do not have, in the form of ../rules.sql.

-- library wrong_end: Who has worked for us the longest?
SELECT staff_id, full_name, started_on FROM (
  SELECT s.staff_id, s.full_name, s.started_on, row_number() OVER (ORDER BY s.started_on DESC, s.staff_id) AS rn
  FROM staff s WHERE s.left_on IS NULL) x
WHERE rn = 1
-- right
SELECT staff_id, full_name, started_on FROM (
  SELECT s.staff_id, s.full_name, s.started_on, row_number() OVER (ORDER BY s.started_on, s.staff_id) AS rn
  FROM staff s WHERE s.left_on IS NULL) x
WHERE rn = 1

-- library wrong_end: Which reader joined first at each branch?
SELECT DISTINCT ON (r.home_branch_id) r.home_branch_id, r.reader_id, r.full_name, r.joined_on
FROM readers r ORDER BY r.home_branch_id, r.joined_on DESC, r.reader_id
-- right
SELECT DISTINCT ON (r.home_branch_id) r.home_branch_id, r.reader_id, r.full_name, r.joined_on
FROM readers r ORDER BY r.home_branch_id, r.joined_on, r.reader_id

-- library union_loses_rows: What have books and fines come to altogether, with the books at their price?
WITH money AS (
  (SELECT price AS amount FROM copies WHERE branch_id < 5
   UNION
   SELECT price FROM copies WHERE branch_id >= 5)
  UNION ALL
  SELECT amount FROM fines),
positive AS (SELECT amount FROM money WHERE amount > 0)
SELECT sum(amount) AS total FROM positive
-- right
WITH money AS (
  (SELECT price AS amount FROM copies WHERE branch_id < 5
   UNION ALL
   SELECT price FROM copies WHERE branch_id >= 5)
  UNION ALL
  SELECT amount FROM fines),
positive AS (SELECT amount FROM money WHERE amount > 0)
SELECT sum(amount) AS total FROM positive

-- library count_of_values: Readers of poetry and of crime, by branch
SELECT c.branch_id, count(CASE WHEN w.genre = 'poetry' THEN l.reader_id END) AS readers_of_poetry,
       count(CASE WHEN w.genre = 'crime' THEN l.reader_id END) AS readers_of_crime
FROM loans l JOIN copies c ON c.copy_id = l.copy_id JOIN works w ON w.work_id = c.work_id
GROUP BY c.branch_id
-- right
SELECT c.branch_id, count(DISTINCT CASE WHEN w.genre = 'poetry' THEN l.reader_id END) AS readers_of_poetry,
       count(DISTINCT CASE WHEN w.genre = 'crime' THEN l.reader_id END) AS readers_of_crime
FROM loans l JOIN copies c ON c.copy_id = l.copy_id JOIN works w ON w.work_id = c.work_id
GROUP BY c.branch_id

-- library count_of_values: How many readers have borrowed something?
SELECT count(*) AS readers FROM (
  SELECT DISTINCT r.full_name FROM readers r JOIN loans l ON l.reader_id = r.reader_id) x
-- right
SELECT count(*) AS readers FROM (
  SELECT DISTINCT r.reader_id FROM readers r JOIN loans l ON l.reader_id = r.reader_id) x

-- library average_of_averages: How many stars do the loans of each region get on average?
WITH by_branch AS (
  SELECT c.branch_id, avg(l.stars) AS stars FROM loans l JOIN copies c ON c.copy_id = l.copy_id GROUP BY c.branch_id)
SELECT b.region, round(sum(x.stars) / count(*), 2) AS stars
FROM by_branch x JOIN branches b ON b.branch_id = x.branch_id GROUP BY b.region
-- right
WITH by_branch AS (
  SELECT c.branch_id, sum(l.stars) AS stars, count(l.stars) AS rated
  FROM loans l JOIN copies c ON c.copy_id = l.copy_id GROUP BY c.branch_id)
SELECT b.region, round(sum(x.stars)::numeric / sum(x.rated), 2) AS stars
FROM by_branch x JOIN branches b ON b.branch_id = x.branch_id GROUP BY b.region

-- library average_of_averages: What part of the loans is late, over all branches?
SELECT avg(late) AS late_part FROM (
  SELECT c.branch_id, CASE WHEN count(*) > 0
         THEN count(CASE WHEN l.returned_at > l.due_on THEN 1 END)::numeric / count(*) ELSE 0 END AS late
  FROM loans l JOIN copies c ON c.copy_id = l.copy_id GROUP BY c.branch_id) x
-- right
SELECT sum(late)::numeric / sum(loans) AS late_part FROM (
  SELECT c.branch_id, count(CASE WHEN l.returned_at > l.due_on THEN 1 END) AS late, count(*) AS loans
  FROM loans l JOIN copies c ON c.copy_id = l.copy_id GROUP BY c.branch_id) x

-- library group_by_name: What did each reader borrow last?
SELECT full_name, work_id, lent_at FROM (
  SELECT r.full_name, c.work_id, l.lent_at,
         row_number() OVER (PARTITION BY r.full_name ORDER BY l.lent_at DESC) AS rn
  FROM readers r JOIN loans l ON l.reader_id = r.reader_id JOIN copies c ON c.copy_id = l.copy_id) x
WHERE rn = 1
-- right
SELECT full_name, work_id, lent_at FROM (
  SELECT r.full_name, c.work_id, l.lent_at,
         row_number() OVER (PARTITION BY r.reader_id ORDER BY l.lent_at DESC) AS rn
  FROM readers r JOIN loans l ON l.reader_id = r.reader_id JOIN copies c ON c.copy_id = l.copy_id) x
WHERE rn = 1

-- library group_by_name: The latest loan of every reader
SELECT DISTINCT ON (r.full_name) r.full_name, l.loan_id, l.lent_at
FROM readers r JOIN loans l ON l.reader_id = r.reader_id
ORDER BY r.full_name, l.lent_at DESC
-- right
SELECT DISTINCT ON (r.reader_id) r.full_name, l.loan_id, l.lent_at
FROM readers r JOIN loans l ON l.reader_id = r.reader_id
ORDER BY r.reader_id, l.lent_at DESC

-- library time_zone_shift: When, in Rome, were the loans of reader 7 made?
WITH mine AS (SELECT loan_id, lent_at AS made FROM loans WHERE reader_id = 7)
SELECT loan_id, made AT TIME ZONE 'Europe/Rome' AS made_in_rome FROM mine ORDER BY made
-- right
WITH mine AS (SELECT loan_id, lent_at AS made FROM loans WHERE reader_id = 7)
SELECT loan_id, made AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Rome' AS made_in_rome FROM mine ORDER BY made

-- library self_join_direction: Everyone on the staff with their mentor
SELECT s.staff_id, s.full_name, m.mentor
FROM staff s LEFT JOIN (SELECT staff_id, mentor_id, full_name AS mentor FROM staff WHERE left_on IS NULL) m
  ON m.mentor_id = s.staff_id
-- right
SELECT s.staff_id, s.full_name, m.mentor
FROM staff s LEFT JOIN (SELECT staff_id, mentor_id, full_name AS mentor FROM staff WHERE left_on IS NULL) m
  ON m.staff_id = s.mentor_id

-- library other_date: Fine income of 2023 and of 2024
SELECT sum(CASE WHEN f.charged_on >= '2023-01-01' AND f.charged_on < '2024-01-01' THEN f.amount END) AS y2023,
       sum(CASE WHEN f.charged_on >= '2024-01-01' AND f.charged_on < '2025-01-01' THEN f.amount END) AS y2024
FROM fines f
-- right
SELECT sum(CASE WHEN p.paid_on >= '2023-01-01' AND p.paid_on < '2024-01-01' THEN f.amount END) AS y2023,
       sum(CASE WHEN p.paid_on >= '2024-01-01' AND p.paid_on < '2025-01-01' THEN f.amount END) AS y2024
FROM fine_payments p JOIN fines f ON f.fine_id = p.fine_id

-- library other_date: How many renewals were there in each month?
SELECT month, count(*) AS renewals
FROM (SELECT date_trunc('month', renewed_at) AS month FROM renewals) x GROUP BY month ORDER BY month
-- right
SELECT month, count(*) AS renewals
FROM (SELECT date_trunc('month', l.lent_at) AS month FROM renewals r JOIN loans l ON l.loan_id = r.loan_id) x
GROUP BY month ORDER BY month

-- library other_date: Fine income of 2023 and of 2024
WITH y AS (SELECT fine_id, amount, date_part('year', charged_on) AS year FROM fines)
SELECT sum(amount) FILTER (WHERE year = 2023) AS y2023, sum(amount) FILTER (WHERE year = 2024) AS y2024 FROM y
-- right
WITH y AS (SELECT f.fine_id, f.amount, date_part('year', p.paid_on) AS year
  FROM fines f JOIN fine_payments p ON p.fine_id = f.fine_id)
SELECT sum(amount) FILTER (WHERE year = 2023) AS y2023, sum(amount) FILTER (WHERE year = 2024) AS y2024 FROM y
