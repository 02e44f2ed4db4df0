-- Queries near the rules that answer their question, in the form of ../right_asked.sql.

-- library: Which five people on the staff joined last?
SELECT staff_id, full_name, started_on FROM staff ORDER BY started_on DESC, staff_id LIMIT 5

-- library: Which loan has lasted the longest?
SELECT loan_id, lent_at, returned_at - lent_at AS lasted FROM loans WHERE returned_at IS NOT NULL
ORDER BY lasted DESC, loan_id LIMIT 1

-- library: What was the first loan of the five readers who joined last?
SELECT r.reader_id, r.full_name, min(l.lent_at) AS first_loan
FROM (SELECT reader_id, full_name FROM readers ORDER BY joined_on DESC, reader_id LIMIT 5) r
LEFT JOIN loans l ON l.reader_id = r.reader_id GROUP BY r.reader_id, r.full_name

-- library: Who is our youngest reader?
SELECT reader_id, full_name, birth_date FROM readers WHERE birth_date IS NOT NULL ORDER BY birth_date DESC LIMIT 1

-- library: The ten most recent loans of the readers who have been with us the longest
SELECT l.loan_id, l.lent_at FROM loans l
WHERE l.reader_id IN (SELECT reader_id FROM readers ORDER BY joined_on LIMIT 20)
ORDER BY l.lent_at DESC, l.loan_id LIMIT 10

-- library: The loan of each reader that lasted the longest
SELECT DISTINCT ON (l.reader_id) l.reader_id, l.loan_id, l.returned_at - l.lent_at AS lasted
FROM loans l WHERE l.returned_at IS NOT NULL ORDER BY l.reader_id, l.returned_at - l.lent_at DESC, l.loan_id

-- library: How many different readers have borrowed, been fined or invited somebody?
SELECT count(*) AS readers FROM (
  SELECT reader_id FROM loans
  UNION SELECT l.reader_id FROM fines f JOIN loans l ON l.loan_id = f.loan_id
  UNION SELECT invited_by FROM readers WHERE invited_by IS NOT NULL) x

-- library: Loans, renewals and fines of each branch, one under the other
SELECT what, sum(n) AS n FROM (
  SELECT 'loans' AS what, c.branch_id, count(*) AS n FROM loans l JOIN copies c ON c.copy_id = l.copy_id GROUP BY c.branch_id
  UNION SELECT 'renewals', c.branch_id, count(*) FROM renewals r JOIN loans l ON l.loan_id = r.loan_id JOIN copies c ON c.copy_id = l.copy_id GROUP BY c.branch_id
  UNION SELECT 'fines', c.branch_id, count(*) FROM fines f JOIN loans l ON l.loan_id = f.loan_id JOIN copies c ON c.copy_id = l.copy_id GROUP BY c.branch_id) x
GROUP BY what

-- library: How many loans were rated, and how well on average, per genre?
SELECT w.genre, count(l.stars) AS stars_given, avg(l.stars) AS mean_stars
FROM loans l JOIN copies c ON c.copy_id = l.copy_id JOIN works w ON w.work_id = c.work_id GROUP BY w.genre

-- library: Loans of each reader of branch 3, and next to it the loans of the branch
SELECT l.reader_id, count(*) AS loans, sum(count(*)) OVER () AS of_branch
FROM loans l JOIN copies c ON c.copy_id = l.copy_id WHERE c.branch_id = 3 GROUP BY l.reader_id

-- library: Readers of 2023 and 2024
SELECT count(DISTINCT reader_id) FILTER (WHERE lent_at >= '2023-01-01' AND lent_at < '2024-01-01') AS readers_2023,
       count(DISTINCT reader_id) FILTER (WHERE lent_at >= '2024-01-01' AND lent_at < '2025-01-01') AS readers_2024
FROM loans

-- library: Loans of 2023 and of 2024 for each reader
SELECT reader_id, count(loan_id) FILTER (WHERE extract(year FROM lent_at) = 2023) AS loans_2023,
       count(loan_id) FILTER (WHERE extract(year FROM lent_at) = 2024) AS loans_2024
FROM loans GROUP BY reader_id

-- library: The moving average over three months of the monthly mean rating
SELECT date_trunc('month', lent_at) AS month, avg(stars) AS stars,
       avg(avg(stars)) OVER (ORDER BY date_trunc('month', lent_at) ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS moving
FROM loans GROUP BY 1 ORDER BY 1

-- library: How many loans does a reader make on average?
SELECT avg(n) AS loans FROM (SELECT reader_id, count(*) AS n FROM loans GROUP BY reader_id) x

-- library: Which branches have a mean rating above the mean of all branches' means?
SELECT branch_id, stars FROM (
  SELECT c.branch_id, avg(l.stars) AS stars, avg(avg(l.stars)) OVER () AS mean_of_means
  FROM loans l JOIN copies c ON c.copy_id = l.copy_id GROUP BY c.branch_id) x WHERE stars > mean_of_means

-- library: How many fines does a branch charge on average, and how much?
SELECT avg(n) AS fines, avg(total) AS total FROM (
  SELECT c.branch_id, count(*) AS n, sum(f.amount) AS total
  FROM fines f JOIN loans l ON l.loan_id = f.loan_id JOIN copies c ON c.copy_id = l.copy_id GROUP BY c.branch_id) x

-- library: Which readers share a name, and how many of them?
SELECT DISTINCT full_name, count(*) OVER (PARTITION BY full_name) AS readers FROM readers

-- library: How many works are there under each title?
SELECT work_title, count(*) AS works FROM works GROUP BY work_title ORDER BY works DESC

-- library: Each reader's loans next to the reader's total
SELECT r.reader_id, r.full_name, l.loan_id, count(*) OVER (PARTITION BY r.reader_id, r.full_name) AS loans
FROM readers r JOIN loans l ON l.reader_id = r.reader_id

-- library: The longest work of each genre
SELECT DISTINCT ON (genre) genre, work_title, pages FROM works ORDER BY genre, pages DESC, work_id

-- library: Shelf times of reader 3, as moments
SELECT loan_id, shelf_time AT TIME ZONE 'Europe/Rome' AS moment FROM loans WHERE reader_id = 3

-- library: At which hour, in Rome, are books lent?
WITH t AS (SELECT lent_at AT TIME ZONE 'UTC' AS moment FROM loans)
SELECT extract(hour FROM moment AT TIME ZONE 'Europe/Rome') AS hour, count(*) AS loans FROM t GROUP BY 1 ORDER BY 1

-- library: Loans since midnight of 1 May 2024 in Rome
SELECT count(*) AS loans FROM loans WHERE lent_at AT TIME ZONE 'UTC' >= '2024-05-01 00:00+02'

-- library: Everyone on the staff with those whom they mentor
WITH mentored AS (SELECT staff_id, full_name, mentor_id FROM staff WHERE mentor_id IS NOT NULL)
SELECT s.staff_id, s.full_name AS mentor, t.full_name AS mentored
FROM staff s JOIN mentored t ON t.mentor_id = s.staff_id

-- library: How many readers has each reader invited?
WITH invited AS (SELECT reader_id, invited_by FROM readers)
SELECT r.reader_id, r.full_name, count(i.reader_id) AS invited
FROM readers r LEFT JOIN invited i ON i.invited_by = r.reader_id GROUP BY r.reader_id, r.full_name

-- library: Fines charged in each month
SELECT date_trunc('month', charged_on) AS month, sum(amount) AS charged FROM fines GROUP BY 1 ORDER BY 1

-- library: How many copies did we buy in each year?
SELECT extract(year FROM bought_on) AS year, count(*) AS copies FROM copies GROUP BY 1 ORDER BY 1

-- library: How many readers joined in 2024, by branch?
SELECT home_branch_id, count(*) FILTER (WHERE joined_on >= '2024-01-01' AND joined_on < '2025-01-01') AS joined_2024
FROM readers GROUP BY home_branch_id

-- library: How many loans are overdue and not returned?
SELECT count(*) FILTER (WHERE due_on < current_date AND returned_at IS NULL) AS overdue FROM loans

-- library: By how much is the price of a copy above the fine, on average, for the fined loans?
SELECT avg(f.amount - c.price) AS difference
FROM fines f JOIN loans l ON l.loan_id = f.loan_id JOIN copies c ON c.copy_id = l.copy_id
