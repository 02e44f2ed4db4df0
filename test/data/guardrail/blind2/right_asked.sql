-- Queries for the second blind test of rules that answer their question, in the
-- form of ../right_asked.sql.

-- exams: How many candidates are registered?
SELECT COUNT(*) AS candidates FROM candidates

-- exams: Which sitting was the first at each centre?
SELECT s.centre_id, s.sitting_id, s.starts_at FROM sittings s
JOIN (SELECT centre_id, MIN(sitting_id) AS first_id FROM (SELECT centre_id, sitting_id FROM sittings x WHERE starts_at = (SELECT MIN(y.starts_at) FROM sittings y WHERE y.centre_id = x.centre_id)) z GROUP BY centre_id) f ON f.first_id = s.sitting_id ORDER BY s.centre_id

-- exams: Show the first entry ever recorded for each candidate, with its grade
SELECT e.candidate_id, e.entry_id, e.grade
FROM entries e JOIN (SELECT candidate_id, MIN(entry_id) AS entry_id FROM entries GROUP BY candidate_id) f ON f.entry_id = e.entry_id ORDER BY e.candidate_id

-- exams: What was the balance of every centre at the end of 2024?
SELECT c.centre_id, c.centre_name, a.balance
FROM centres c JOIN centre_accounts a ON a.centre_id = c.centre_id
WHERE a.as_of = (SELECT MAX(x.as_of) FROM centre_accounts x WHERE x.centre_id = a.centre_id AND x.as_of <= DATE '2024-12-31') ORDER BY c.centre_id

-- exams: Total balance of all centres at the end of each quarter of 2024
WITH last_day AS (
 SELECT date_trunc('quarter', as_of) AS quarter, MAX(as_of) AS as_of FROM centre_accounts WHERE as_of BETWEEN '2024-01-01' AND '2024-12-31' GROUP BY 1)
SELECT l.quarter, SUM(a.balance) AS total_balance FROM last_day l JOIN centre_accounts a ON a.as_of = l.as_of GROUP BY l.quarter ORDER BY l.quarter

-- exams: How did the balance of each centre change from April to May 2025?
SELECT n.centre_id, n.balance - p.balance AS change
FROM centre_accounts n JOIN centre_accounts p ON p.centre_id = n.centre_id AND p.as_of = DATE '2025-04-30'
WHERE n.as_of = DATE '2025-05-31' ORDER BY change DESC

-- exams: Which months had a negative balance at centre C105?
SELECT to_char(a.as_of, 'YYYY-MM') AS month, a.balance FROM centre_accounts a JOIN centres c USING (centre_id)
WHERE c.centre_code = 'C105' AND a.balance < 0 ORDER BY a.as_of

-- exams: Who marked more than their chief examiner?
WITH n AS (SELECT x.examiner_id, x.full_name, x.chief_id, COUNT(m.marking_id) AS markings FROM examiners x LEFT JOIN markings m ON m.examiner_id = x.examiner_id GROUP BY x.examiner_id)
SELECT n.examiner_id, n.full_name, n.markings, c.markings AS of_the_chief FROM n JOIN n c ON c.examiner_id = n.chief_id WHERE n.markings > c.markings ORDER BY n.examiner_id

-- exams: How many examiners report to each chief?
SELECT c.examiner_id, c.full_name AS chief, COUNT(*) AS examiners FROM examiners x JOIN examiners c ON c.examiner_id = x.chief_id GROUP BY c.examiner_id, c.full_name ORDER BY examiners DESC

-- exams: List the examiners under Mr Shah
SELECT r.examiner_id, r.full_name FROM examiners c JOIN examiners r ON r.chief_id = c.examiner_id WHERE c.full_name = 'Mr Shah' ORDER BY r.examiner_id

-- exams: Which examiners lead no one?
SELECT x.examiner_id, x.full_name FROM examiners x LEFT JOIN examiners r ON r.chief_id = x.examiner_id WHERE r.examiner_id IS NULL ORDER BY 1

-- exams: Show the chain of chiefs above examiner 17
WITH RECURSIVE up AS (SELECT examiner_id, full_name, chief_id, 0 AS step FROM examiners WHERE examiner_id = 17
UNION ALL SELECT c.examiner_id, c.full_name, c.chief_id, u.step + 1 FROM up u JOIN examiners c ON c.examiner_id = u.chief_id)
SELECT step, examiner_id, full_name FROM up ORDER BY step

-- exams: What percentage of entries passed per subject?
SELECT sub.subject, ROUND(100.0 * COUNT(*) FILTER (WHERE e.grade <> 'U') / NULLIF(COUNT(e.grade), 0), 1) AS passed_percent
FROM entries e JOIN sittings s USING (sitting_id) JOIN papers p USING (paper_id) JOIN subjects sub USING (subject_id) GROUP BY sub.subject ORDER BY passed_percent DESC

-- exams: Pass rate by centre kind
SELECT COALESCE(c.kind, 'unknown') AS kind, COUNT(CASE WHEN e.grade <> 'U' THEN 1 END) * 1.0 / NULLIF(COUNT(e.grade), 0) AS pass_rate
FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id JOIN centres c ON c.centre_id = s.centre_id GROUP BY 1 ORDER BY 1

-- exams: How many entries got each grade, with subtotals per level?
SELECT p.level, e.grade, COUNT(*) AS entries FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id JOIN papers p ON p.paper_id = s.paper_id
WHERE e.grade IS NOT NULL GROUP BY ROLLUP (p.level, e.grade) ORDER BY p.level NULLS LAST, e.grade NULLS LAST

-- exams: Entry income by country and by faculty
SELECT c.country, sub.faculty, SUM(e.fee_paid) AS entry_income
FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id JOIN centres c ON c.centre_id = s.centre_id JOIN papers p ON p.paper_id = s.paper_id JOIN subjects sub ON sub.subject_id = p.subject_id
GROUP BY GROUPING SETS ((c.country), (sub.faculty)) ORDER BY c.country NULLS LAST, sub.faculty

-- exams: How many sittings were there in every month of 2024, including months without any?
SELECT m.month::date AS month, COUNT(s.sitting_id) AS sittings
FROM generate_series(DATE '2024-01-01', DATE '2024-12-01', INTERVAL '1 month') AS m(month)
LEFT JOIN sittings s ON s.starts_at >= m.month AND s.starts_at < m.month + INTERVAL '1 month' GROUP BY m.month ORDER BY m.month

-- exams: The three best marked entries of each paper
SELECT paper_id, entry_id, mark FROM (SELECT s.paper_id, e.entry_id, e.mark, ROW_NUMBER() OVER (PARTITION BY s.paper_id ORDER BY e.mark DESC, e.entry_id) AS n
FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id WHERE e.mark IS NOT NULL) t WHERE n <= 3 ORDER BY paper_id, n

-- exams: For each centre, its two latest inspections
SELECT c.centre_id, v.inspected_on, v.score FROM centres c
LEFT JOIN LATERAL (SELECT i.inspected_on, i.score FROM venues_inspected i WHERE i.centre_id = c.centre_id ORDER BY i.inspected_on DESC LIMIT 2) v ON true ORDER BY c.centre_id, v.inspected_on DESC

-- exams: Which centres have never been inspected?
SELECT c.centre_id, c.centre_name FROM centres c WHERE NOT EXISTS (SELECT 1 FROM venues_inspected v WHERE v.centre_id = c.centre_id) ORDER BY c.centre_id

-- exams: Which papers were never sat?
SELECT p.paper_id, p.title, p.level FROM papers p LEFT JOIN sittings s ON s.paper_id = p.paper_id WHERE s.sitting_id IS NULL ORDER BY p.paper_id

-- exams: Which subjects have no papers?
SELECT subject FROM subjects WHERE subject_id NOT IN (SELECT subject_id FROM papers)

-- exams: How many candidates sat at least one exam in 2024?
SELECT COUNT(DISTINCT e.candidate_id) AS candidates FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id
WHERE s.starts_at >= '2024-01-01' AND s.starts_at < '2025-01-01' AND e.mark IS NOT NULL

-- exams: How many entries does a candidate have on average?
SELECT ROUND(COUNT(*)::numeric / COUNT(DISTINCT candidate_id), 2) AS entries_per_candidate FROM entries

-- exams: What is the average number of entries per candidate, including candidates with none?
SELECT AVG(n) AS average_entries FROM (SELECT c.candidate_id, COUNT(e.entry_id) AS n FROM candidates c LEFT JOIN entries e ON e.candidate_id = c.candidate_id GROUP BY c.candidate_id) t

-- exams: Average mark per level in 2024
SELECT p.level, AVG(e.mark) AS average_mark FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id JOIN papers p ON p.paper_id = s.paper_id
WHERE s.starts_at >= '2024-01-01' AND s.starts_at < '2025-01-01' GROUP BY p.level ORDER BY p.level

-- exams: Average of the papers' mean marks, each paper counting once
SELECT AVG(mean_mark) AS average_of_papers FROM (SELECT s.paper_id, AVG(e.mark) AS mean_mark FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id GROUP BY s.paper_id) t

-- exams: Which candidates share their name with another candidate?
SELECT full_name, COUNT(*) AS candidates FROM candidates GROUP BY full_name HAVING COUNT(*) > 1 ORDER BY candidates DESC

-- exams: How many entries has candidate Amy Smith?
SELECT c.full_name, COUNT(e.entry_id) AS entries FROM candidates c LEFT JOIN entries e ON e.candidate_id = c.candidate_id WHERE c.full_name = 'Amy Smith' GROUP BY c.candidate_id, c.full_name

-- exams: How many entries were there per town in May and June 2024?
SELECT c.town, COUNT(e.entry_id) AS entries FROM centres c JOIN sittings s ON s.centre_id = c.centre_id JOIN entries e ON e.sitting_id = s.sitting_id
WHERE s.starts_at >= '2024-05-01' AND s.starts_at < '2024-07-01' GROUP BY c.town ORDER BY entries DESC

-- exams: How many days pass on average between lodging and deciding an appeal?
SELECT ROUND(AVG(decided_on - lodged_on), 1) AS average_days FROM appeals WHERE decided_on IS NOT NULL

-- exams: How many appeals are open?
SELECT COUNT(*) AS open_appeals FROM appeals WHERE decided_on IS NULL

-- exams: Appeals per month of 2024 and the share that raised the mark, of those decided
SELECT date_trunc('month', lodged_on)::date AS month, COUNT(*) AS appeals, ROUND(COUNT(*) FILTER (WHERE outcome = 'raised')::numeric / NULLIF(COUNT(outcome), 0), 2) AS raised_share
FROM appeals WHERE lodged_on >= '2024-01-01' AND lodged_on < '2025-01-01' GROUP BY 1 ORDER BY 1

-- exams: How many entries were appealed at least twice?
SELECT COUNT(*) AS entries FROM (SELECT entry_id FROM appeals GROUP BY entry_id HAVING COUNT(*) >= 2) t

-- exams: What share of the entries has been appealed?
SELECT ROUND(100.0 * (SELECT COUNT(DISTINCT entry_id) FROM appeals) / (SELECT COUNT(*) FROM entries), 2) AS appealed_percent

-- exams: At what local time in London do the sittings of 10 June 2024 to 30 June 2024 start?
SELECT sitting_id, starts_at AT TIME ZONE 'Europe/London' AS local_start FROM sittings
WHERE (starts_at AT TIME ZONE 'Europe/London')::date BETWEEN '2024-06-10' AND '2024-06-30' ORDER BY starts_at

-- exams: How many candidates registered on each weekday, London time?
SELECT to_char(registered_at AT TIME ZONE 'Europe/London', 'Day') AS weekday, COUNT(*) AS candidates FROM candidates GROUP BY 1 ORDER BY candidates DESC

-- exams: When were the entries for sitting 12 made?
SELECT entry_id, entered_at FROM entries WHERE sitting_id = 12 ORDER BY entered_at

-- exams: How many days before the exam do candidates enter, on average by level?
SELECT p.level, ROUND((AVG(EXTRACT(epoch FROM s.starts_at - e.entered_at)) / 86400)::numeric, 1) AS days_before FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id JOIN papers p ON p.paper_id = s.paper_id GROUP BY p.level ORDER BY p.level

-- exams: Largest difference between two markings of the same entry
SELECT a.entry_id, ABS(a.mark - b.mark) AS difference FROM markings a JOIN markings b ON b.entry_id = a.entry_id AND b.marking_id > a.marking_id ORDER BY difference DESC, a.entry_id LIMIT 1

-- exams: Which entries were marked by only one examiner?
SELECT entry_id FROM markings GROUP BY entry_id HAVING COUNT(DISTINCT examiner_id) = 1 ORDER BY entry_id

-- exams: How much did we pay each examiner for marking time in 2024?
SELECT x.examiner_id, x.full_name, ROUND(SUM(m.minutes_spent / 60.0 * x.hourly_rate), 2) AS pay FROM examiners x JOIN markings m ON m.examiner_id = x.examiner_id
WHERE m.marked_at >= '2024-01-01' AND m.marked_at < '2025-01-01' GROUP BY x.examiner_id, x.full_name ORDER BY pay DESC NULLS LAST

-- exams: Cumulative entry income over the months of 2024
WITH m AS (SELECT date_trunc('month', s.starts_at) AS month, SUM(e.fee_paid) AS entry_income FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id WHERE s.starts_at >= '2024-01-01' AND s.starts_at < '2025-01-01' GROUP BY 1)
SELECT month, entry_income, SUM(entry_income) OVER (ORDER BY month) AS cumulative FROM m ORDER BY month

-- exams: Entry income 2024 compared with 2023 by level
SELECT p.level, SUM(CASE WHEN s.starts_at >= '2023-01-01' AND s.starts_at < '2024-01-01' THEN e.fee_paid END) AS income_2023, SUM(CASE WHEN s.starts_at >= '2024-01-01' AND s.starts_at < '2025-01-01' THEN e.fee_paid END) AS income_2024
FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id JOIN papers p ON p.paper_id = s.paper_id GROUP BY p.level ORDER BY p.level

-- exams: Which centre had the fewest sittings?
SELECT c.centre_id, c.centre_name, COUNT(s.sitting_id) AS sittings FROM centres c LEFT JOIN sittings s ON s.centre_id = c.centre_id GROUP BY c.centre_id, c.centre_name ORDER BY sittings, c.centre_id LIMIT 1

-- exams: Who are the oldest five candidates?
SELECT candidate_id, full_name, born_on FROM candidates ORDER BY born_on NULLS LAST, candidate_id LIMIT 5

-- exams: Show ten example entries
SELECT entry_id, candidate_id, sitting_id, mark, grade FROM entries LIMIT 10

-- exams: What fee is still unpaid for entries of 2025?
SELECT SUM(p.fee) AS unpaid FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id JOIN papers p ON p.paper_id = s.paper_id WHERE e.fee_paid IS NULL AND NOT e.withdrawn AND s.starts_at >= '2025-01-01' AND s.starts_at < '2026-01-01'

-- exams: How does the share of each level in the entries of a centre look?
SELECT s.centre_id, p.level, COUNT(*) AS entries, ROUND(100.0 * COUNT(*) / SUM(COUNT(*)) OVER (PARTITION BY s.centre_id), 1) AS percent FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id JOIN papers p ON p.paper_id = s.paper_id GROUP BY s.centre_id, p.level ORDER BY s.centre_id, p.level

-- exams: How many candidates sat exams at a centre that is not their home centre?
SELECT COUNT(DISTINCT c.candidate_id) AS candidates FROM candidates c JOIN entries e ON e.candidate_id = c.candidate_id JOIN sittings s ON s.sitting_id = e.sitting_id WHERE s.centre_id <> c.centre_id

-- exams: How many candidates and how many examiners do we have?
SELECT (SELECT COUNT(*) FROM candidates) AS candidates, (SELECT COUNT(*) FROM examiners) AS examiners

-- exams: Median mark per subject
SELECT sub.subject, percentile_cont(0.5) WITHIN GROUP (ORDER BY e.mark) AS median_mark FROM entries e JOIN sittings s USING (sitting_id) JOIN papers p USING (paper_id) JOIN subjects sub USING (subject_id) GROUP BY sub.subject ORDER BY sub.subject

-- exams: How many full hours does each paper last, and how many minutes on top?
SELECT paper_id, title, minutes / 60 AS hours, minutes % 60 AS minutes FROM papers ORDER BY paper_id

-- exams: Which entry follows each candidate's entry: days between consecutive sittings of a candidate
SELECT e.candidate_id, s.starts_at, s.starts_at - LAG(s.starts_at) OVER (PARTITION BY e.candidate_id ORDER BY s.starts_at) AS since_last FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id ORDER BY e.candidate_id, s.starts_at

-- bakery: How many shops are open?
SELECT COUNT(*) AS open_shops FROM shops WHERE closed_on IS NULL

-- bakery: What was the revenue per month in 2024?
SELECT date_trunc('month', r.sold_at)::date AS month, SUM(l.quantity * l.unit_price - COALESCE(l.discount, 0)) AS revenue FROM receipts r JOIN receipt_lines l ON l.receipt_id = r.receipt_id
WHERE r.sold_at >= '2024-01-01' AND r.sold_at < '2025-01-01' GROUP BY 1 ORDER BY 1

-- bakery: Revenue of each day of February 2024, also days without sales
WITH days AS (SELECT d::date AS day FROM generate_series(DATE '2024-02-01', DATE '2024-02-29', INTERVAL '1 day') d),
sales AS (SELECT r.sold_at::date AS day, SUM(l.quantity * l.unit_price - COALESCE(l.discount, 0)) AS revenue FROM receipts r JOIN receipt_lines l USING (receipt_id) WHERE r.sold_at >= '2024-02-01' AND r.sold_at < '2024-03-01' GROUP BY 1)
SELECT days.day, COALESCE(sales.revenue, 0) AS revenue FROM days LEFT JOIN sales ON sales.day = days.day ORDER BY days.day

-- bakery: Average basket by region
SELECT g.region, SUM(l.quantity * l.unit_price - COALESCE(l.discount, 0)) / COUNT(DISTINCT r.receipt_id) AS average_basket FROM receipts r JOIN receipt_lines l ON l.receipt_id = r.receipt_id JOIN shops s ON s.shop_id = r.shop_id JOIN regions g ON g.region_id = s.region_id GROUP BY g.region ORDER BY g.region

-- bakery: What was on the shelf in each shop at the last count?
SELECT k.shop_id, SUM(k.on_hand) AS pieces FROM stock_counts k WHERE k.counted_on = (SELECT MAX(counted_on) FROM stock_counts) GROUP BY k.shop_id ORDER BY k.shop_id

-- bakery: Stock of rye bread at the last count of each month of 2024, over all shops
WITH ends AS (SELECT date_trunc('month', counted_on) AS month, MAX(counted_on) AS counted_on FROM stock_counts WHERE counted_on >= '2024-01-01' AND counted_on < '2025-01-01' GROUP BY 1)
SELECT e.month::date AS month, SUM(k.on_hand) AS pieces FROM ends e JOIN stock_counts k ON k.counted_on = e.counted_on JOIN products p ON p.product_id = k.product_id WHERE p.product_name = 'Rye' GROUP BY e.month ORDER BY e.month

-- bakery: How did the stock of product 3 in shop 4 change from week to week?
SELECT n.counted_on, n.on_hand, n.on_hand - p.on_hand AS change FROM stock_counts n LEFT JOIN stock_counts p ON p.shop_id = n.shop_id AND p.product_id = n.product_id AND p.counted_on = n.counted_on - 7
WHERE n.shop_id = 4 AND n.product_id = 3 ORDER BY n.counted_on

-- bakery: Average number of pieces on the shelf per product in 2025
SELECT p.product_id, p.product_name, ROUND(AVG(k.on_hand), 1) AS average_on_hand FROM stock_counts k JOIN products p ON p.product_id = k.product_id WHERE k.counted_on >= '2025-01-01' GROUP BY p.product_id, p.product_name ORDER BY average_on_hand DESC

-- bakery: Which employees earn more per hour than their manager?
SELECT e.employee_id, e.employee_name, e.hourly_wage, m.hourly_wage AS managers_wage FROM employees e JOIN employees m ON m.employee_id = e.manager_id WHERE e.hourly_wage > m.hourly_wage ORDER BY e.employee_id

-- bakery: How many people does each manager have?
SELECT m.employee_id, m.employee_name AS manager, COUNT(e.employee_id) AS people FROM employees m JOIN employees e ON e.manager_id = m.employee_id GROUP BY m.employee_id ORDER BY people DESC

-- bakery: Who are the people that manager 3 leads, directly or not?
WITH RECURSIVE t AS (SELECT employee_id, employee_name FROM employees WHERE manager_id = 3 UNION ALL SELECT e.employee_id, e.employee_name FROM employees e JOIN t ON e.manager_id = t.employee_id)
SELECT employee_id, employee_name FROM t ORDER BY employee_id

-- bakery: Which members have referred the most others? Top 3.
SELECT r.member_id, r.member_name, COUNT(m.member_id) AS referred FROM members r JOIN members m ON m.referred_by = r.member_id GROUP BY r.member_id, r.member_name ORDER BY referred DESC, r.member_id LIMIT 3

-- bakery: How many members were referred by someone who joined later than them?
SELECT COUNT(*) AS members FROM members m JOIN members r ON r.member_id = m.referred_by WHERE r.joined_on > m.joined_on

-- bakery: Which colleagues of the same shop were hired on the same month?
SELECT a.employee_id AS first_employee, b.employee_id AS second_employee FROM employees a JOIN employees b ON b.shop_id = a.shop_id AND b.employee_id > a.employee_id AND date_trunc('month', b.hired_on) = date_trunc('month', a.hired_on) ORDER BY 1, 2

-- bakery: Which products were never thrown away in March 2024?
SELECT p.product_id, p.product_name FROM products p WHERE NOT EXISTS (SELECT 1 FROM waste w WHERE w.product_id = p.product_id AND w.thrown_on BETWEEN '2024-03-01' AND '2024-03-31') ORDER BY p.product_id

-- bakery: Which members have no receipts at all?
SELECT m.member_id, m.member_name FROM members m LEFT JOIN receipts r ON r.member_id = m.member_id WHERE r.receipt_id IS NULL ORDER BY m.member_id

-- bakery: Employees who never took a catering order
SELECT employee_id, employee_name FROM employees WHERE employee_id NOT IN (SELECT taken_by FROM catering_orders WHERE taken_by IS NOT NULL) ORDER BY employee_id

-- bakery: Which product sells best in each shop?
SELECT shop_id, product_name, pieces FROM (SELECT r.shop_id, p.product_name, SUM(l.quantity) AS pieces, RANK() OVER (PARTITION BY r.shop_id ORDER BY SUM(l.quantity) DESC) AS place FROM receipt_lines l JOIN receipts r ON r.receipt_id = l.receipt_id JOIN products p ON p.product_id = l.product_id GROUP BY r.shop_id, p.product_id, p.product_name) t WHERE place = 1 ORDER BY shop_id

-- bakery: The slowest-moving five products by pieces sold
SELECT p.product_id, p.product_name, COALESCE(SUM(l.quantity), 0) AS pieces FROM products p LEFT JOIN receipt_lines l ON l.product_id = p.product_id GROUP BY p.product_id, p.product_name ORDER BY pieces, p.product_id LIMIT 5

-- bakery: The share of each category in the revenue of each region
SELECT g.region, p.category, SUM(l.quantity * l.unit_price - COALESCE(l.discount, 0)) / SUM(SUM(l.quantity * l.unit_price - COALESCE(l.discount, 0))) OVER (PARTITION BY g.region) AS share FROM receipt_lines l JOIN receipts r ON r.receipt_id = l.receipt_id JOIN shops s ON s.shop_id = r.shop_id JOIN regions g ON g.region_id = s.region_id JOIN products p ON p.product_id = l.product_id GROUP BY g.region, p.category ORDER BY 1, 3 DESC

-- bakery: What percentage of the revenue of 2024 was cake?
SELECT ROUND(100 * SUM(CASE WHEN p.category = 'cake' THEN l.quantity * l.unit_price - COALESCE(l.discount, 0) ELSE 0 END) / SUM(l.quantity * l.unit_price - COALESCE(l.discount, 0)), 1) AS cake_percent FROM receipt_lines l JOIN receipts r ON r.receipt_id = l.receipt_id JOIN products p ON p.product_id = l.product_id WHERE r.sold_at >= '2024-01-01' AND r.sold_at < '2025-01-01'

-- bakery: What percentage of the receipts was with a member card, by shop?
SELECT shop_id, ROUND(100.0 * COUNT(member_id) / COUNT(*), 1) AS member_percent FROM receipts GROUP BY shop_id ORDER BY shop_id

-- bakery: What part of the pieces sold was refunded, by product?
WITH sold AS (SELECT product_id, SUM(quantity) AS pieces FROM receipt_lines GROUP BY product_id), back AS (SELECT l.product_id, SUM(f.pieces) AS pieces FROM refunds f JOIN receipt_lines l ON l.receipt_id = f.receipt_id AND l.line_no = f.line_no GROUP BY l.product_id)
SELECT s.product_id, COALESCE(b.pieces, 0)::numeric / s.pieces AS refunded_part FROM sold s LEFT JOIN back b ON b.product_id = s.product_id ORDER BY refunded_part DESC

-- bakery: Refunded money per reason
SELECT COALESCE(reason, 'not said') AS reason, COUNT(*) AS refunds, SUM(amount) AS refunded FROM refunds GROUP BY 1 ORDER BY refunded DESC

-- bakery: Which receipts were refunded more than once?
SELECT receipt_id, COUNT(*) AS refunds FROM refunds GROUP BY receipt_id HAVING COUNT(*) > 1 ORDER BY receipt_id

-- bakery: How many receipts had a refund in 2024?
SELECT COUNT(DISTINCT f.receipt_id) AS receipts FROM refunds f WHERE f.refunded_on BETWEEN '2024-01-01' AND '2024-12-31'

-- bakery: Catering income in the second quarter of 2024 per shop
SELECT s.shop_id, s.shop_name, SUM(o.total) AS catering_income FROM catering_orders o JOIN shops s ON s.shop_id = o.shop_id WHERE o.due_on BETWEEN '2024-04-01' AND '2024-06-30' GROUP BY s.shop_id, s.shop_name ORDER BY catering_income DESC

-- bakery: Which catering orders are overdue?
SELECT order_id, due_on, total FROM catering_orders WHERE delivered_on IS NULL AND due_on < CURRENT_DATE ORDER BY due_on

-- bakery: How many catering orders were delivered late in 2024?
SELECT COUNT(*) AS late_orders FROM catering_orders WHERE delivered_on > due_on AND due_on >= '2024-01-01' AND due_on < '2025-01-01'

-- bakery: How long before the due day are catering orders placed, on average?
SELECT AVG(due_on - ordered_at::date) AS days_ahead FROM catering_orders

-- bakery: When were the last five catering orders taken, in Copenhagen time?
SELECT order_id, ordered_at AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Copenhagen' AS taken_at FROM catering_orders ORDER BY ordered_at DESC LIMIT 5

-- bakery: How many sales happen at each hour of the day in Oslo?
SELECT EXTRACT(hour FROM sold_at AT TIME ZONE 'Europe/Oslo') AS hour, COUNT(*) AS sales FROM receipts GROUP BY 1 ORDER BY 1

-- bakery: Price per guest of catering orders by channel
SELECT channel, SUM(total) / SUM(guests) AS price_per_guest FROM catering_orders WHERE guests IS NOT NULL GROUP BY channel ORDER BY channel

-- bakery: What share of the catering income was paid as a deposit?
SELECT SUM(deposit) / SUM(total) AS deposit_share FROM catering_orders

-- bakery: Hours worked per employee in May 2024
SELECT e.employee_id, e.employee_name, ROUND(SUM(EXTRACT(epoch FROM h.ends_at - h.starts_at) / 3600), 1) AS hours FROM employees e JOIN shifts h ON h.employee_id = e.employee_id WHERE h.starts_at >= '2024-05-01' AND h.starts_at < '2024-06-01' GROUP BY e.employee_id, e.employee_name ORDER BY hours DESC

-- bakery: How many employees worked in a shop that is not their own in 2024?
SELECT COUNT(DISTINCT e.employee_id) AS employees FROM employees e JOIN shifts h ON h.employee_id = e.employee_id AND h.shop_id <> e.shop_id WHERE h.starts_at >= '2024-01-01' AND h.starts_at < '2025-01-01'

-- bakery: Wage costs per shop of 2024
SELECT h.shop_id, ROUND(SUM(EXTRACT(epoch FROM h.ends_at - h.starts_at) / 3600 * e.hourly_wage), 2) AS wages FROM shifts h JOIN employees e ON e.employee_id = h.employee_id WHERE h.starts_at >= '2024-01-01' AND h.starts_at < '2025-01-01' GROUP BY h.shop_id ORDER BY h.shop_id

-- bakery: How many hours a week does the staff work on average?
SELECT AVG(weekly_hours) AS average_hours FROM employees WHERE left_on IS NULL

-- bakery: How many people left in 2024, by shop, including shops where no one left?
SELECT s.shop_id, s.shop_name, COUNT(e.employee_id) AS people_left FROM shops s LEFT JOIN employees e ON e.shop_id = s.shop_id AND e.left_on BETWEEN '2024-01-01' AND '2024-12-31' GROUP BY s.shop_id, s.shop_name ORDER BY s.shop_id

-- bakery: Pieces thrown away per category and reason, with totals
SELECT p.category, w.reason, SUM(w.pieces) AS pieces FROM waste w JOIN products p ON p.product_id = w.product_id GROUP BY CUBE (p.category, w.reason) ORDER BY 1, 2

-- bakery: Waste compared with sales for each product in 2024
SELECT p.product_name, s.sold, w.thrown FROM products p
LEFT JOIN (SELECT l.product_id, SUM(l.quantity) AS sold FROM receipt_lines l JOIN receipts r ON r.receipt_id = l.receipt_id WHERE r.sold_at >= '2024-01-01' AND r.sold_at < '2025-01-01' GROUP BY l.product_id) s ON s.product_id = p.product_id
LEFT JOIN (SELECT product_id, SUM(pieces) AS thrown FROM waste WHERE thrown_on BETWEEN '2024-01-01' AND '2024-12-31' GROUP BY product_id) w ON w.product_id = p.product_id ORDER BY w.thrown DESC NULLS LAST

-- bakery: Value of thrown goods at list price per region
SELECT g.region, SUM(w.pieces * p.list_price) AS value FROM waste w JOIN products p ON p.product_id = w.product_id JOIN shops s ON s.shop_id = w.shop_id JOIN regions g ON g.region_id = s.region_id GROUP BY g.region ORDER BY value DESC

-- bakery: What was the first receipt of each member and in which shop?
SELECT DISTINCT ON (member_id) member_id, receipt_id, shop_id, sold_at FROM receipts WHERE member_id IS NOT NULL ORDER BY member_id, sold_at

-- bakery: Members by number of receipts: how many have 0, 1 to 5, 6 to 10, more?
WITH n AS (SELECT m.member_id, COUNT(r.receipt_id) AS receipts FROM members m LEFT JOIN receipts r ON r.member_id = m.member_id GROUP BY m.member_id)
SELECT CASE WHEN receipts = 0 THEN '0' WHEN receipts <= 5 THEN '1-5' WHEN receipts <= 10 THEN '6-10' ELSE 'more' END AS class, COUNT(*) AS members FROM n GROUP BY 1 ORDER BY MIN(receipts)

-- bakery: How many members joined each month in 2023 and how many of them bought within 30 days?
SELECT date_trunc('month', m.joined_on)::date AS month, COUNT(*) AS members, COUNT(*) FILTER (WHERE EXISTS (SELECT 1 FROM receipts r WHERE r.member_id = m.member_id AND r.sold_at >= m.joined_on AND r.sold_at < m.joined_on + 30)) AS bought
FROM members m WHERE m.joined_on BETWEEN '2023-01-01' AND '2023-12-31' GROUP BY 1 ORDER BY 1

-- bakery: How many points have the members of each home shop on average?
SELECT home_shop_id, AVG(points) AS average_points FROM members WHERE home_shop_id IS NOT NULL GROUP BY home_shop_id ORDER BY home_shop_id

-- bakery: Money per month of 2024 from tills and catering together
SELECT month, SUM(money) AS money FROM (
SELECT date_trunc('month', r.sold_at)::date AS month, l.quantity * l.unit_price - COALESCE(l.discount, 0) AS money FROM receipts r JOIN receipt_lines l USING (receipt_id) WHERE r.sold_at >= '2024-01-01' AND r.sold_at < '2025-01-01'
UNION ALL SELECT date_trunc('month', due_on)::date, total FROM catering_orders WHERE due_on >= '2024-01-01' AND due_on < '2025-01-01') t GROUP BY month ORDER BY month

-- bakery: How many different members bought at the till or ordered catering?
SELECT COUNT(*) AS members FROM (SELECT member_id FROM receipts WHERE member_id IS NOT NULL UNION SELECT member_id FROM catering_orders WHERE member_id IS NOT NULL) t

-- bakery: Is the shop in Station Road with number 6 doing better in 2025 than in 2024?
SELECT EXTRACT(year FROM r.sold_at) AS year, SUM(l.quantity * l.unit_price - COALESCE(l.discount, 0)) AS revenue FROM receipts r JOIN receipt_lines l ON l.receipt_id = r.receipt_id WHERE r.shop_id = 6 AND r.sold_at >= '2024-01-01' GROUP BY 1 ORDER BY 1

-- bakery: Year over year growth of revenue per quarter
WITH q AS (SELECT date_trunc('quarter', r.sold_at) AS quarter, SUM(l.quantity * l.unit_price - COALESCE(l.discount, 0)) AS revenue FROM receipts r JOIN receipt_lines l ON l.receipt_id = r.receipt_id GROUP BY 1)
SELECT quarter, revenue, ROUND(100 * (revenue / LAG(revenue, 4) OVER (ORDER BY quarter) - 1), 1) AS growth_percent FROM q ORDER BY quarter

-- bakery: Which bread has the highest list price?
SELECT product_name, list_price FROM products WHERE category = 'bread' ORDER BY list_price DESC LIMIT 1

-- bakery: Names of products sold together with Coffee most often, top five
SELECT p.product_name, COUNT(DISTINCT l.receipt_id) AS receipts FROM receipt_lines l JOIN receipt_lines c ON c.receipt_id = l.receipt_id AND c.product_id <> l.product_id JOIN products k ON k.product_id = c.product_id AND k.product_name = 'Coffee' JOIN products p ON p.product_id = l.product_id GROUP BY p.product_id, p.product_name ORDER BY receipts DESC, p.product_name LIMIT 5

-- bakery: Average discount per line, lines without discount counted as zero
SELECT AVG(COALESCE(discount, 0)) AS average_discount FROM receipt_lines

-- bakery: For every cashier and shop, receipts in April 2024 and next to it those of all cashiers of the shop
SELECT r.shop_id, r.cashier_id, COUNT(*) AS receipts, SUM(COUNT(*)) OVER (PARTITION BY r.shop_id) AS of_shop FROM receipts r WHERE r.sold_at >= '2024-04-01' AND r.sold_at < '2024-05-01' AND r.cashier_id IS NOT NULL GROUP BY r.shop_id, r.cashier_id ORDER BY 1, 2

-- auction: How many lots were sold in 2024?
SELECT COUNT(*) AS sold_lots FROM lots l JOIN auctions a ON a.auction_id = l.auction_id WHERE l.sold AND a.closed_at >= '2024-01-01' AND a.closed_at < '2025-01-01'

-- auction: Sell-through rate per department
SELECT d.department, COUNT(*) FILTER (WHERE l.sold) * 1.0 / COUNT(*) AS sell_through FROM lots l JOIN auctions a ON a.auction_id = l.auction_id JOIN departments d ON d.department_id = a.department_id WHERE a.closed_at IS NOT NULL GROUP BY d.department ORDER BY sell_through DESC

-- auction: Hammer total per year and city
SELECT EXTRACT(year FROM a.closed_at) AS year, a.city, SUM(l.hammer_price) AS hammer_total FROM lots l JOIN auctions a ON a.auction_id = l.auction_id WHERE a.closed_at IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2

-- auction: Which bidder won each sold lot of auction 5?
SELECT l.lot_id, l.lot_no, w.bidder_id, w.amount FROM lots l CROSS JOIN LATERAL (SELECT b.bidder_id, b.amount FROM bids b WHERE b.lot_id = l.lot_id ORDER BY b.amount DESC, b.bid_id LIMIT 1) w WHERE l.auction_id = 5 AND l.sold ORDER BY l.lot_no

-- auction: What was the opening bid of each lot in auction 9?
SELECT b.lot_id, b.bid_id, b.amount FROM bids b JOIN (SELECT lot_id, MIN(bid_id) AS bid_id FROM bids GROUP BY lot_id) f ON f.bid_id = b.bid_id JOIN lots l ON l.lot_id = b.lot_id WHERE l.auction_id = 9 ORDER BY b.lot_id

-- auction: Sum of the opening bids per auction
WITH firsts AS (SELECT MIN(bid_id) AS bid_id FROM bids GROUP BY lot_id) SELECT l.auction_id, SUM(b.amount) AS opening_bids FROM firsts f JOIN bids b ON b.bid_id = f.bid_id JOIN lots l ON l.lot_id = b.lot_id GROUP BY l.auction_id ORDER BY l.auction_id

-- auction: What did the house owe in total at the end of 2024?
SELECT SUM(balance) AS owed FROM consignor_balances WHERE as_of = DATE '2024-12-31'

-- auction: What did we owe each consignor at the end of each year?
SELECT DISTINCT ON (consignor_id, EXTRACT(year FROM as_of)) consignor_id, EXTRACT(year FROM as_of) AS year, balance FROM consignor_balances ORDER BY consignor_id, EXTRACT(year FROM as_of), as_of DESC

-- auction: Latest balance per country of consignors
WITH latest AS (SELECT consignor_id, balance, ROW_NUMBER() OVER (PARTITION BY consignor_id ORDER BY as_of DESC) AS n FROM consignor_balances) SELECT c.country, SUM(b.balance) AS balance FROM latest b JOIN consignors c ON c.consignor_id = b.consignor_id WHERE b.n = 1 GROUP BY c.country ORDER BY c.country NULLS LAST

-- auction: Average month-end balance of each consignor in 2024
SELECT consignor_id, ROUND(AVG(balance), 2) AS average_balance FROM consignor_balances WHERE as_of BETWEEN '2024-01-01' AND '2024-12-31' GROUP BY consignor_id ORDER BY consignor_id

-- auction: Whose balance grew the most from March to April 2025?
SELECT c.consignor_id, c.consignor_name, n.balance - o.balance AS growth FROM consignors c JOIN consignor_balances o ON o.consignor_id = c.consignor_id AND o.as_of = '2025-03-31' JOIN consignor_balances n ON n.consignor_id = c.consignor_id AND n.as_of = '2025-04-30' ORDER BY growth DESC LIMIT 1

-- auction: Experts and the people who lead them
SELECT x.expert_id, x.expert_name, s.expert_name AS supervisor_name FROM experts x LEFT JOIN experts s ON s.expert_id = x.supervisor_id ORDER BY x.expert_id

-- auction: How many experts does each supervisor lead, zero included?
SELECT s.expert_id, s.expert_name, COUNT(x.expert_id) AS led FROM experts s LEFT JOIN experts x ON x.supervisor_id = s.expert_id GROUP BY s.expert_id, s.expert_name ORDER BY led DESC, s.expert_id

-- auction: Which consignors introduced others, and whom?
SELECT i.consignor_id AS introducer_id, i.consignor_name AS introducer, c.consignor_id, c.consignor_name FROM consignors i JOIN consignors c ON c.introduced_by = i.consignor_id ORDER BY 1, 3

-- auction: How much did the consignors whom each introducer brought us make in hammer prices?
SELECT i.consignor_id, i.consignor_name AS introducer, SUM(l.hammer_price) AS hammer_total FROM consignors c JOIN consignors i ON i.consignor_id = c.introduced_by JOIN lots l ON l.consignor_id = c.consignor_id GROUP BY i.consignor_id, i.consignor_name ORDER BY hammer_total DESC NULLS LAST

-- auction: Bidders who bid through an agent, with the agent's name
SELECT b.bidder_id, b.bidder_name, g.bidder_name AS agent FROM bidders b JOIN bidders g ON g.bidder_id = b.agent_id ORDER BY b.bidder_id

-- auction: How many bidders does each agent bid for?
SELECT g.bidder_id, g.bidder_name AS agent, COUNT(*) AS bidders FROM bidders g JOIN bidders b ON b.agent_id = g.bidder_id GROUP BY g.bidder_id, g.bidder_name ORDER BY bidders DESC

-- auction: Experts of the same supervisor in different departments
SELECT a.expert_id, b.expert_id AS other_id FROM experts a JOIN experts b ON b.supervisor_id = a.supervisor_id AND b.expert_id > a.expert_id WHERE b.department_id <> a.department_id ORDER BY 1, 2

-- auction: How many bidders have placed a bid in 2024?
SELECT COUNT(DISTINCT b.bidder_id) AS bidders FROM bids b WHERE b.placed_at >= '2024-01-01' AND b.placed_at < '2025-01-01'

-- auction: How many bids were placed per lot on average, by auction?
SELECT l.auction_id, ROUND(COUNT(b.bid_id)::numeric / COUNT(DISTINCT l.lot_id), 2) AS bids_per_lot FROM lots l LEFT JOIN bids b ON b.lot_id = l.lot_id GROUP BY l.auction_id ORDER BY l.auction_id

-- auction: What percentage of bids came online, where known?
SELECT ROUND(100.0 * COUNT(*) FILTER (WHERE online) / COUNT(online), 1) AS online_percent FROM bids

-- auction: How many bids were there in each hour of the day, Geneva time?
SELECT EXTRACT(hour FROM placed_at AT TIME ZONE 'Europe/Zurich')::int AS hour, COUNT(*) AS bids FROM bids GROUP BY 1 ORDER BY 1

-- auction: Visits to exhibitions by local hour in Vienna
SELECT EXTRACT(hour FROM (viewed_at AT TIME ZONE 'UTC') AT TIME ZONE 'Europe/Vienna')::int AS hour, COUNT(*) AS visits FROM viewings GROUP BY 1 ORDER BY 1

-- auction: Lots that no one valued
SELECT l.lot_id, l.lot_title FROM lots l LEFT JOIN valuations v ON v.lot_id = l.lot_id WHERE v.valuation_id IS NULL ORDER BY l.lot_id

-- auction: Bidders who never won anything
SELECT b.bidder_id, b.bidder_name FROM bidders b WHERE NOT EXISTS (SELECT 1 FROM payments p WHERE p.bidder_id = b.bidder_id) ORDER BY b.bidder_id

-- auction: Consignors without lots in 2024
SELECT c.consignor_id, c.consignor_name FROM consignors c WHERE c.consignor_id NOT IN (SELECT l.consignor_id FROM lots l JOIN auctions a ON a.auction_id = l.auction_id WHERE a.closed_at >= '2024-01-01' AND a.closed_at < '2025-01-01') ORDER BY 1

-- auction: Which bidders bid in both Paris and London?
SELECT b.bidder_id FROM bids b JOIN lots l ON l.lot_id = b.lot_id JOIN auctions a ON a.auction_id = l.auction_id WHERE a.city = 'Paris' INTERSECT SELECT b.bidder_id FROM bids b JOIN lots l ON l.lot_id = b.lot_id JOIN auctions a ON a.auction_id = l.auction_id WHERE a.city = 'London' ORDER BY 1

-- auction: The three most expensive lots of each department
WITH ranked AS (SELECT d.department, l.lot_id, l.lot_title, l.hammer_price, DENSE_RANK() OVER (PARTITION BY d.department_id ORDER BY l.hammer_price DESC) AS place FROM lots l JOIN auctions a ON a.auction_id = l.auction_id JOIN departments d ON d.department_id = a.department_id WHERE l.hammer_price IS NOT NULL)
SELECT department, lot_id, lot_title, hammer_price FROM ranked WHERE place <= 3 ORDER BY department, place

-- auction: Which auction had the lowest sell-through?
SELECT a.auction_id, a.title, AVG(CASE WHEN l.sold THEN 1.0 ELSE 0 END) AS sell_through FROM auctions a JOIN lots l ON l.auction_id = a.auction_id WHERE a.closed_at IS NOT NULL GROUP BY a.auction_id, a.title ORDER BY sell_through, a.auction_id LIMIT 1

-- auction: What is still unpaid?
SELECT SUM(amount) AS unpaid, COUNT(*) AS payments FROM payments WHERE paid_on IS NULL

-- auction: Unpaid amounts that are overdue by country of the bidder
SELECT b.country, SUM(p.amount) AS overdue FROM payments p JOIN bidders b ON b.bidder_id = p.bidder_id WHERE p.paid_on IS NULL AND p.due_on < CURRENT_DATE GROUP BY b.country ORDER BY overdue DESC

-- auction: Payments received per month of 2024 and method
SELECT date_trunc('month', paid_on)::date AS month, COALESCE(method, 'unknown') AS method, SUM(amount) AS received FROM payments WHERE paid_on BETWEEN '2024-01-01' AND '2024-12-31' GROUP BY 1, 2 ORDER BY 1, 2

-- auction: How many days late are payments on average, per method?
SELECT method, AVG(GREATEST(paid_on - due_on, 0)) AS average_days_late FROM payments WHERE paid_on IS NOT NULL GROUP BY method ORDER BY method

-- auction: How many lots have been paid in full?
SELECT COUNT(*) AS lots FROM (SELECT lot_id FROM payments GROUP BY lot_id HAVING COUNT(*) = COUNT(paid_on)) t

-- auction: Share of the payments of each method in the amount received
SELECT method, SUM(amount) / SUM(SUM(amount)) OVER () AS share FROM payments WHERE paid_on IS NOT NULL GROUP BY method ORDER BY share DESC

-- auction: What share of its city's hammer total does each auction have?
SELECT a.city, a.auction_id, a.title, SUM(l.hammer_price)::numeric / SUM(SUM(l.hammer_price)) OVER (PARTITION BY a.city) AS share FROM auctions a JOIN lots l ON l.auction_id = a.auction_id WHERE a.closed_at IS NOT NULL GROUP BY a.city, a.auction_id, a.title ORDER BY a.city, share DESC

-- auction: What part of the hammer total of 2024 came from lots above 5000 euros?
SELECT SUM(l.hammer_price) FILTER (WHERE l.hammer_price > 5000)::numeric / SUM(l.hammer_price) AS part FROM lots l JOIN auctions a ON a.auction_id = l.auction_id WHERE a.closed_at >= '2024-01-01' AND a.closed_at < '2025-01-01'

-- auction: How do hammer prices compare with the middle of the estimates?
SELECT AVG(l.hammer_price / ((l.low_estimate + l.high_estimate) / 2.0)) AS ratio FROM lots l WHERE l.sold

-- auction: Lots sold below the low estimate
SELECT lot_id, lot_title, low_estimate, hammer_price FROM lots WHERE sold AND hammer_price < low_estimate ORDER BY lot_id

-- auction: Commission per consignor from sold lots
SELECT c.consignor_id, c.consignor_name, ROUND(SUM(l.hammer_price * c.commission_percent / 100), 2) AS commission FROM consignors c JOIN lots l ON l.consignor_id = c.consignor_id WHERE l.sold GROUP BY c.consignor_id, c.consignor_name ORDER BY commission DESC NULLS LAST

-- auction: How many lots did each expert write, and how many valuations did each make?
SELECT x.expert_id, x.expert_name, (SELECT COUNT(*) FROM lots l WHERE l.expert_id = x.expert_id) AS lots, (SELECT COUNT(*) FROM valuations v WHERE v.expert_id = x.expert_id) AS valuations FROM experts x ORDER BY x.expert_id

-- auction: The latest valuation of each unsold lot
SELECT l.lot_id, l.lot_title, v.made_on, v.value FROM lots l JOIN valuations v ON v.lot_id = l.lot_id WHERE NOT l.sold AND v.valuation_id = (SELECT w.valuation_id FROM valuations w WHERE w.lot_id = l.lot_id ORDER BY w.made_on DESC, w.valuation_id DESC LIMIT 1) ORDER BY l.lot_id

-- auction: Valuations made in 2024 per department of the expert
SELECT d.department, COUNT(*) AS valuations, AVG(v.value) AS average_value FROM valuations v JOIN experts x ON x.expert_id = v.expert_id JOIN departments d ON d.department_id = x.department_id WHERE v.made_on BETWEEN '2024-01-01' AND '2024-12-31' GROUP BY d.department ORDER BY d.department

-- auction: Lots of which an expert valued the thing and also wrote the entry
SELECT DISTINCT l.lot_id, l.lot_title FROM lots l JOIN valuations v ON v.lot_id = l.lot_id AND v.expert_id = l.expert_id ORDER BY l.lot_id

-- auction: How many lots are there under each title?
SELECT lot_title, COUNT(*) AS lots FROM lots GROUP BY lot_title ORDER BY lots DESC

-- auction: Hammer total of the auction Rare Books that closed in 2024, each separately
SELECT a.auction_id, a.closed_at, SUM(l.hammer_price) AS hammer_total FROM auctions a JOIN lots l ON l.auction_id = a.auction_id WHERE a.title = 'Rare Books' AND a.closed_at >= '2024-01-01' AND a.closed_at < '2025-01-01' GROUP BY a.auction_id, a.closed_at ORDER BY a.closed_at

-- auction: How many auctions and lots per department, subtotals included?
SELECT d.department, a.city, COUNT(DISTINCT a.auction_id) AS auctions, COUNT(l.lot_id) AS lots FROM departments d JOIN auctions a ON a.department_id = d.department_id LEFT JOIN lots l ON l.auction_id = a.auction_id GROUP BY GROUPING SETS ((d.department, a.city), (d.department), ()) ORDER BY 1 NULLS LAST, 2 NULLS LAST

-- auction: Running hammer total of 2024, auction by auction
SELECT a.auction_id, a.title, a.closed_at, SUM(SUM(l.hammer_price)) OVER (ORDER BY a.closed_at, a.auction_id) AS running FROM auctions a JOIN lots l ON l.auction_id = a.auction_id WHERE a.closed_at >= '2024-01-01' AND a.closed_at < '2025-01-01' GROUP BY a.auction_id, a.title, a.closed_at ORDER BY a.closed_at

-- auction: How many visits did the exhibition of each auction have, also by unregistered visitors?
SELECT a.auction_id, a.title, COUNT(v.viewing_id) AS visits, COUNT(DISTINCT v.bidder_id) AS registered_visitors FROM auctions a LEFT JOIN viewings v ON v.auction_id = a.auction_id GROUP BY a.auction_id, a.title ORDER BY a.auction_id

-- auction: How many bidders from each country viewed an exhibition and then bid in that auction?
SELECT b.country, COUNT(DISTINCT b.bidder_id) AS bidders FROM bidders b JOIN viewings v ON v.bidder_id = b.bidder_id WHERE EXISTS (SELECT 1 FROM bids i JOIN lots l ON l.lot_id = i.lot_id WHERE i.bidder_id = b.bidder_id AND l.auction_id = v.auction_id) GROUP BY b.country ORDER BY bidders DESC

-- auction: Average number of active bidders per auction
SELECT AVG(bidders) AS average_bidders FROM (SELECT l.auction_id, COUNT(DISTINCT b.bidder_id) AS bidders FROM lots l JOIN bids b ON b.lot_id = l.lot_id GROUP BY l.auction_id) t

-- auction: Months of 2025 with no closed auction
SELECT m::date AS month FROM generate_series(DATE '2025-01-01', DATE '2025-12-01', INTERVAL '1 month') m WHERE NOT EXISTS (SELECT 1 FROM auctions a WHERE a.closed_at >= m AND a.closed_at < m + INTERVAL '1 month') ORDER BY 1
