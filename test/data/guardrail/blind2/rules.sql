-- Pairs for the second blind test of rules, in the form of ../rules.sql.

-- exams left_join_filtered: For every centre, how many entries were there for sittings in 2024? Also list centres without any.
SELECT c.centre_id, c.centre_name, COUNT(e.entry_id) AS entry_count
FROM centres c
LEFT JOIN sittings s ON s.centre_id = c.centre_id
LEFT JOIN entries e ON e.sitting_id = s.sitting_id
WHERE s.starts_at >= '2024-01-01' AND s.starts_at < '2025-01-01'
GROUP BY c.centre_id, c.centre_name ORDER BY entry_count DESC
-- right
SELECT c.centre_id, c.centre_name, COUNT(e.entry_id) AS entry_count
FROM centres c
LEFT JOIN sittings s ON s.centre_id = c.centre_id AND s.starts_at >= '2024-01-01' AND s.starts_at < '2025-01-01'
LEFT JOIN entries e ON e.sitting_id = s.sitting_id
GROUP BY c.centre_id, c.centre_name ORDER BY entry_count DESC

-- bakery left_join_filtered: List all products with the pieces thrown away in March 2024, including those without waste
WITH product_waste AS (
  SELECT p.product_id, p.product_name, w.pieces, w.thrown_on
  FROM products p LEFT JOIN waste w USING (product_id)
)
SELECT product_id, product_name, COALESCE(SUM(pieces), 0) AS pieces_thrown
FROM product_waste
WHERE thrown_on BETWEEN '2024-03-01' AND '2024-03-31'
GROUP BY product_id, product_name ORDER BY product_name
-- right
WITH product_waste AS (
  SELECT p.product_id, p.product_name, w.pieces
  FROM products p LEFT JOIN waste w ON w.product_id = p.product_id AND w.thrown_on BETWEEN '2024-03-01' AND '2024-03-31'
)
SELECT product_id, product_name, COALESCE(SUM(pieces), 0) AS pieces_thrown
FROM product_waste
GROUP BY product_id, product_name ORDER BY product_name

-- auction left_join_filtered: How many lots of auctions in Paris has each expert written up? Show experts with zero too.
SELECT x.expert_id, x.expert_name, COUNT(l.lot_id) AS lots
FROM lots l
JOIN auctions a ON a.auction_id = l.auction_id
RIGHT JOIN experts x ON x.expert_id = l.expert_id
WHERE a.city = 'Paris'
GROUP BY x.expert_id, x.expert_name ORDER BY lots DESC
-- right
SELECT x.expert_id, x.expert_name, COUNT(l.lot_id) AS lots
FROM lots l
JOIN auctions a ON a.auction_id = l.auction_id AND a.city = 'Paris'
RIGHT JOIN experts x ON x.expert_id = l.expert_id
GROUP BY x.expert_id, x.expert_name ORDER BY lots DESC

-- bakery left_join_filtered: For each member whose favourite shop is shop 3, how many catering orders did they place by phone?
SELECT m.member_id, m.member_name,
       SUM(CASE WHEN o.order_id IS NOT NULL THEN 1 ELSE 0 END) AS phone_orders
FROM members m LEFT OUTER JOIN catering_orders o ON m.member_id = o.member_id
WHERE m.home_shop_id = 3 AND LOWER(o.channel) = 'phone'
GROUP BY m.member_id, m.member_name ORDER BY m.member_id
-- right
SELECT m.member_id, m.member_name,
       SUM(CASE WHEN o.order_id IS NOT NULL THEN 1 ELSE 0 END) AS phone_orders
FROM members m LEFT OUTER JOIN catering_orders o ON m.member_id = o.member_id AND LOWER(o.channel) = 'phone'
WHERE m.home_shop_id = 3
GROUP BY m.member_id, m.member_name ORDER BY m.member_id

-- exams limit_without_order: Which 5 centres have held the most sittings?
SELECT c.centre_id, c.centre_name, COUNT(s.sitting_id) AS sittings
FROM centres c JOIN sittings s ON s.centre_id = c.centre_id
GROUP BY c.centre_id, c.centre_name
FETCH FIRST 5 ROWS ONLY
-- right
SELECT c.centre_id, c.centre_name, COUNT(s.sitting_id) AS sittings
FROM centres c JOIN sittings s ON s.centre_id = c.centre_id
GROUP BY c.centre_id, c.centre_name ORDER BY sittings DESC, c.centre_id
FETCH FIRST 5 ROWS ONLY

-- auction limit_without_order: What did the 10 most recently closed auctions make in hammer prices?
SELECT r.auction_id, r.title, r.closed_at, SUM(l.hammer_price) AS hammer_total
FROM (SELECT auction_id, title, closed_at FROM auctions WHERE closed_at IS NOT NULL LIMIT 10) r
JOIN lots l ON l.auction_id = r.auction_id
GROUP BY r.auction_id, r.title, r.closed_at ORDER BY r.closed_at DESC
-- right
SELECT r.auction_id, r.title, r.closed_at, SUM(l.hammer_price) AS hammer_total
FROM (SELECT auction_id, title, closed_at FROM auctions WHERE closed_at IS NOT NULL ORDER BY closed_at DESC LIMIT 10) r
JOIN lots l ON l.auction_id = r.auction_id
GROUP BY r.auction_id, r.title, r.closed_at ORDER BY r.closed_at DESC

-- bakery limit_without_order: How many receipts has our newest shop had?
SELECT COUNT(*) AS receipts FROM receipts
WHERE shop_id = (SELECT shop_id FROM shops WHERE closed_on IS NULL LIMIT 1)
-- right
SELECT COUNT(*) AS receipts FROM receipts
WHERE shop_id = (SELECT shop_id FROM shops WHERE closed_on IS NULL ORDER BY opened_on DESC LIMIT 1)

-- exams limit_without_order: What score did each centre get in its latest inspection?
SELECT c.centre_id, c.centre_name, v.inspected_on, v.score
FROM centres c
CROSS JOIN LATERAL (SELECT i.inspected_on, i.score FROM venues_inspected i WHERE i.centre_id = c.centre_id LIMIT 1) v
ORDER BY c.centre_id
-- right
SELECT c.centre_id, c.centre_name, v.inspected_on, v.score
FROM centres c
CROSS JOIN LATERAL (SELECT i.inspected_on, i.score FROM venues_inspected i WHERE i.centre_id = c.centre_id ORDER BY i.inspected_on DESC, i.inspection_id DESC LIMIT 1) v
ORDER BY c.centre_id

-- bakery wrong_end: Which shop had the highest revenue in 2024?
SELECT s.shop_id, s.shop_name, SUM(l.quantity * l.unit_price - COALESCE(l.discount, 0)) AS revenue
FROM shops s JOIN receipts r USING (shop_id) JOIN receipt_lines l USING (receipt_id)
WHERE r.sold_at >= '2024-01-01' AND r.sold_at < '2025-01-01'
GROUP BY s.shop_id, s.shop_name ORDER BY revenue LIMIT 1
-- right
SELECT s.shop_id, s.shop_name, SUM(l.quantity * l.unit_price - COALESCE(l.discount, 0)) AS revenue
FROM shops s JOIN receipts r USING (shop_id) JOIN receipt_lines l USING (receipt_id)
WHERE r.sold_at >= '2024-01-01' AND r.sold_at < '2025-01-01'
GROUP BY s.shop_id, s.shop_name ORDER BY revenue DESC LIMIT 1

-- exams wrong_end: Which entries got the lowest mark in each paper?
SELECT paper_id, entry_id, mark FROM (
  SELECT s.paper_id, e.entry_id, e.mark, RANK() OVER (PARTITION BY s.paper_id ORDER BY e.mark DESC) AS rk
  FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id WHERE e.mark IS NOT NULL) ranked
WHERE rk = 1 ORDER BY paper_id
-- right
SELECT paper_id, entry_id, mark FROM (
  SELECT s.paper_id, e.entry_id, e.mark, RANK() OVER (PARTITION BY s.paper_id ORDER BY e.mark) AS rk
  FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id WHERE e.mark IS NOT NULL) ranked
WHERE rk = 1 ORDER BY paper_id

-- auction wrong_end: Give the most recent valuation of each lot in auction 12
SELECT DISTINCT ON (v.lot_id) v.lot_id, l.lot_no, v.made_on, v.value
FROM valuations v JOIN lots l ON l.lot_id = v.lot_id
WHERE l.auction_id = 12
ORDER BY v.lot_id, v.made_on, v.valuation_id
-- right
SELECT DISTINCT ON (v.lot_id) v.lot_id, l.lot_no, v.made_on, v.value
FROM valuations v JOIN lots l ON l.lot_id = v.lot_id
WHERE l.auction_id = 12
ORDER BY v.lot_id, v.made_on DESC, v.valuation_id DESC

-- bakery wrong_end: Who is our longest-serving employee?
SELECT employee_id, employee_name, hired_on FROM employees
WHERE left_on IS NULL ORDER BY hired_on DESC LIMIT 1
-- right
SELECT employee_id, employee_name, hired_on FROM employees
WHERE left_on IS NULL ORDER BY hired_on LIMIT 1

-- bakery union_loses_rows: How much money came in altogether from the tills (before discounts) and from catering orders?
SELECT SUM(amount) AS total_money FROM (
  SELECT quantity * unit_price AS amount FROM receipt_lines
  UNION
  SELECT total FROM catering_orders) t
-- right
SELECT SUM(amount) AS total_money FROM (
  SELECT quantity * unit_price AS amount FROM receipt_lines
  UNION ALL
  SELECT total FROM catering_orders) t

-- auction union_loses_rows: How much was paid by card or transfer in 2024?
WITH paid AS (
  SELECT amount FROM payments WHERE method = 'card' AND paid_on BETWEEN '2024-01-01' AND '2024-12-31'
  UNION
  SELECT amount FROM payments WHERE method = 'transfer' AND paid_on BETWEEN '2024-01-01' AND '2024-12-31'
)
SELECT ROUND(SUM(amount), 2) AS paid_amount FROM paid
-- right
WITH paid AS (
  SELECT amount FROM payments WHERE method = 'card' AND paid_on BETWEEN '2024-01-01' AND '2024-12-31'
  UNION ALL
  SELECT amount FROM payments WHERE method = 'transfer' AND paid_on BETWEEN '2024-01-01' AND '2024-12-31'
)
SELECT ROUND(SUM(amount), 2) AS paid_amount FROM paid

-- exams union_loses_rows: For each country, how many sittings and inspections were there together?
SELECT ev.country, COUNT(*) AS events
FROM (SELECT c.country FROM sittings s JOIN centres c ON c.centre_id = s.centre_id
      UNION
      SELECT c.country FROM venues_inspected v JOIN centres c ON c.centre_id = v.centre_id) ev
GROUP BY ev.country ORDER BY events DESC
-- right
SELECT ev.country, COUNT(*) AS events
FROM (SELECT c.country FROM sittings s JOIN centres c ON c.centre_id = s.centre_id
      UNION ALL
      SELECT c.country FROM venues_inspected v JOIN centres c ON c.centre_id = v.centre_id) ev
GROUP BY ev.country ORDER BY events DESC

-- bakery union_loses_rows: Pieces thrown away, returned or left on the shelf per month of 2024?
WITH pieces AS (
  SELECT date_trunc('month', thrown_on) AS month, pieces AS n FROM waste
  UNION ALL
  SELECT date_trunc('month', refunded_on), pieces FROM refunds
  UNION
  SELECT date_trunc('month', counted_on), on_hand FROM stock_counts WHERE counted_on IN ('2024-01-28','2024-02-25','2024-03-31')
)
SELECT month, SUM(n) AS pieces FROM pieces
WHERE month >= '2024-01-01' AND month < '2025-01-01' GROUP BY month ORDER BY month
-- right
WITH pieces AS (
  SELECT date_trunc('month', thrown_on) AS month, pieces AS n FROM waste
  UNION ALL
  SELECT date_trunc('month', refunded_on), pieces FROM refunds
  UNION ALL
  SELECT date_trunc('month', counted_on), on_hand FROM stock_counts WHERE counted_on IN ('2024-01-28','2024-02-25','2024-03-31')
)
SELECT month, SUM(n) AS pieces FROM pieces
WHERE month >= '2024-01-01' AND month < '2025-01-01' GROUP BY month ORDER BY month

-- exams not_in_null: Which centres are not the home centre of any candidate?
SELECT centre_id, centre_name FROM centres WHERE centre_id NOT IN (SELECT centre_id FROM candidates)
-- right
SELECT centre_id, centre_name FROM centres WHERE centre_id NOT IN (SELECT centre_id FROM candidates WHERE centre_id IS NOT NULL)

-- bakery not_in_null: Which members bought nothing at the till in the second half of 2024?
WITH buyers AS (
  SELECT r.member_id FROM receipts r WHERE r.sold_at >= '2024-07-01' AND r.sold_at < '2025-01-01')
SELECT m.member_id, m.member_name FROM members m
WHERE m.member_id NOT IN (SELECT b.member_id FROM buyers b) ORDER BY m.member_id
-- right
WITH buyers AS (
  SELECT r.member_id FROM receipts r WHERE r.sold_at >= '2024-07-01' AND r.sold_at < '2025-01-01')
SELECT m.member_id, m.member_name FROM members m
WHERE NOT EXISTS (SELECT 1 FROM buyers b WHERE b.member_id = m.member_id) ORDER BY m.member_id

-- auction not_in_null: How many experts lead no one?
SELECT COUNT(*) AS experts FROM experts x
WHERE NOT x.expert_id IN (SELECT y.supervisor_id FROM experts y)
-- right
SELECT COUNT(*) AS experts FROM experts x
WHERE NOT EXISTS (SELECT 1 FROM experts y WHERE y.supervisor_id = x.expert_id)

-- auction not_in_null: Which bidders from Japan never came to an exhibition?
SELECT b.bidder_id, b.bidder_name FROM bidders b
WHERE b.country = 'Japan' AND b.bidder_id <> ALL (SELECT v.bidder_id FROM viewings v)
-- right
SELECT b.bidder_id, b.bidder_name FROM bidders b
WHERE b.country = 'Japan' AND b.bidder_id <> ALL (SELECT v.bidder_id FROM viewings v WHERE v.bidder_id IS NOT NULL)

-- exams integer_division: What percentage of entries was withdrawn, by level?
SELECT p.level, COUNT(*) FILTER (WHERE e.withdrawn) / COUNT(*) * 100 AS withdrawn_percent
FROM entries e JOIN sittings s USING (sitting_id) JOIN papers p USING (paper_id)
GROUP BY p.level ORDER BY p.level
-- right
SELECT p.level, COUNT(*) FILTER (WHERE e.withdrawn) * 100.0 / COUNT(*) AS withdrawn_percent
FROM entries e JOIN sittings s USING (sitting_id) JOIN papers p USING (paper_id)
GROUP BY p.level ORDER BY p.level

-- bakery integer_division: How many pieces does a receipt have on average, per shop?
SELECT r.shop_id, SUM(l.quantity) / COUNT(DISTINCT r.receipt_id) AS pieces_per_receipt
FROM receipts r JOIN receipt_lines l ON l.receipt_id = r.receipt_id
GROUP BY r.shop_id ORDER BY r.shop_id
-- right
SELECT r.shop_id, SUM(l.quantity)::numeric / COUNT(DISTINCT r.receipt_id) AS pieces_per_receipt
FROM receipts r JOIN receipt_lines l ON l.receipt_id = r.receipt_id
GROUP BY r.shop_id ORDER BY r.shop_id

-- auction integer_division: What share of the lots of each auction was sold?
WITH t AS (
  SELECT auction_id, COUNT(*) AS lots, SUM(CASE WHEN sold THEN 1 ELSE 0 END) AS sold_lots
  FROM lots GROUP BY auction_id)
SELECT a.auction_id, a.title, ROUND(t.sold_lots / NULLIF(t.lots, 0), 2) AS sold_share
FROM auctions a JOIN t ON t.auction_id = a.auction_id ORDER BY a.auction_id
-- right
WITH t AS (
  SELECT auction_id, COUNT(*) AS lots, SUM(CASE WHEN sold THEN 1 ELSE 0 END) AS sold_lots
  FROM lots GROUP BY auction_id)
SELECT a.auction_id, a.title, ROUND(t.sold_lots::numeric / NULLIF(t.lots, 0), 2) AS sold_share
FROM auctions a JOIN t ON t.auction_id = a.auction_id ORDER BY a.auction_id

-- exams integer_division: How far do candidates get on average, as a fraction of the highest mark of the paper, per subject?
SELECT sub.subject, AVG(e.mark / p.max_mark) AS fraction
FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id JOIN papers p ON p.paper_id = s.paper_id
JOIN subjects sub ON sub.subject_id = p.subject_id
GROUP BY sub.subject ORDER BY fraction DESC
-- right
SELECT sub.subject, AVG(e.mark / p.max_mark::numeric) AS fraction
FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id JOIN papers p ON p.paper_id = s.paper_id
JOIN subjects sub ON sub.subject_id = p.subject_id
GROUP BY sub.subject ORDER BY fraction DESC

-- exams metric_name: What is the pass rate of each level?
SELECT p.level, COUNT(*) FILTER (WHERE e.grade IN ('A', 'B', 'C'))::numeric / NULLIF(COUNT(e.grade), 0) AS pass_rate
FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id JOIN papers p ON p.paper_id = s.paper_id
GROUP BY p.level ORDER BY p.level
-- right
SELECT p.level, COUNT(*) FILTER (WHERE e.grade <> 'U')::numeric / NULLIF(COUNT(e.grade), 0) AS pass_rate
FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id JOIN papers p ON p.paper_id = s.paper_id
GROUP BY p.level ORDER BY p.level

-- bakery metric_name: Revenue by product category
SELECT p.category, SUM(l.quantity * l.unit_price) AS revenue
FROM receipt_lines l JOIN products p ON p.product_id = l.product_id
GROUP BY p.category ORDER BY revenue DESC
-- right
SELECT p.category, SUM(l.quantity * l.unit_price) - SUM(COALESCE(l.discount, 0)) AS revenue
FROM receipt_lines l JOIN products p ON p.product_id = l.product_id
GROUP BY p.category ORDER BY revenue DESC

-- auction metric_name: What is the average hammer price per department?
SELECT d.department, SUM(l.hammer_price)::numeric / COUNT(*) AS average_hammer
FROM lots l JOIN auctions a USING (auction_id) JOIN departments d USING (department_id)
GROUP BY d.department ORDER BY average_hammer DESC
-- right
SELECT d.department, SUM(l.hammer_price)::numeric / COUNT(l.hammer_price) AS average_hammer
FROM lots l JOIN auctions a USING (auction_id) JOIN departments d USING (department_id)
GROUP BY d.department ORDER BY average_hammer DESC

-- bakery metric_name: How has the average basket developed over the months of 2024?
WITH line_values AS (
  SELECT date_trunc('month', r.sold_at) AS month, l.quantity * l.unit_price - COALESCE(l.discount, 0) AS value
  FROM receipts r JOIN receipt_lines l ON l.receipt_id = r.receipt_id
  WHERE r.sold_at >= '2024-01-01' AND r.sold_at < '2025-01-01')
SELECT month, AVG(value) AS average_basket FROM line_values GROUP BY month ORDER BY month
-- right
WITH line_values AS (
  SELECT date_trunc('month', r.sold_at) AS month, r.receipt_id, l.quantity * l.unit_price - COALESCE(l.discount, 0) AS value
  FROM receipts r JOIN receipt_lines l ON l.receipt_id = r.receipt_id
  WHERE r.sold_at >= '2024-01-01' AND r.sold_at < '2025-01-01')
SELECT month, SUM(value) / COUNT(DISTINCT receipt_id) AS average_basket FROM line_values GROUP BY month ORDER BY month

-- bakery count_of_joined_rows: How many receipts did each shop have in March 2024?
SELECT r.shop_id, COUNT(*) AS receipts
FROM receipts r JOIN receipt_lines l ON l.receipt_id = r.receipt_id
WHERE r.sold_at >= '2024-03-01' AND r.sold_at < '2024-04-01'
GROUP BY r.shop_id ORDER BY r.shop_id
-- right
SELECT r.shop_id, COUNT(DISTINCT r.receipt_id) AS receipts
FROM receipts r JOIN receipt_lines l ON l.receipt_id = r.receipt_id
WHERE r.sold_at >= '2024-03-01' AND r.sold_at < '2024-04-01'
GROUP BY r.shop_id ORDER BY r.shop_id

-- exams count_of_joined_rows: How many entries have been marked so far, by subject?
SELECT sub.subject, COUNT(*) AS marked
FROM subjects sub JOIN papers p USING (subject_id) JOIN sittings s USING (paper_id) JOIN entries e USING (sitting_id)
JOIN markings m USING (entry_id)
GROUP BY sub.subject ORDER BY marked DESC
-- right
SELECT sub.subject, COUNT(*) AS marked
FROM subjects sub JOIN papers p USING (subject_id) JOIN sittings s USING (paper_id) JOIN entries e USING (sitting_id)
WHERE EXISTS (SELECT 1 FROM markings m WHERE m.entry_id = e.entry_id)
GROUP BY sub.subject ORDER BY marked DESC

-- auction count_of_joined_rows: Number of lots per consignor, with zero for those who have none
SELECT c.consignor_id, c.consignor_name, COUNT(*) AS lot_count
FROM consignors c LEFT JOIN lots l ON l.consignor_id = c.consignor_id
GROUP BY c.consignor_id, c.consignor_name ORDER BY lot_count DESC
-- right
SELECT c.consignor_id, c.consignor_name, COUNT(l.lot_id) AS lot_count
FROM consignors c LEFT JOIN lots l ON l.consignor_id = c.consignor_id
GROUP BY c.consignor_id, c.consignor_name ORDER BY lot_count DESC

-- auction count_of_joined_rows: How many auctions with sold lots did each city host in 2024?
WITH sales AS (
  SELECT a.auction_id, a.city, l.lot_id
  FROM auctions a JOIN lots l ON l.auction_id = a.auction_id AND l.sold
  WHERE a.closed_at >= '2024-01-01' AND a.closed_at < '2025-01-01')
SELECT city, COUNT(*) AS auctions FROM sales GROUP BY city ORDER BY auctions DESC
-- right
WITH sales AS (
  SELECT a.auction_id, a.city, l.lot_id
  FROM auctions a JOIN lots l ON l.auction_id = a.auction_id AND l.sold
  WHERE a.closed_at >= '2024-01-01' AND a.closed_at < '2025-01-01')
SELECT city, COUNT(DISTINCT auction_id) AS auctions FROM sales GROUP BY city ORDER BY auctions DESC

-- auction count_of_values: How many different bidders took part in each auction?
SELECT l.auction_id, COUNT(b.bidder_id) AS bidders
FROM lots l JOIN bids b ON b.lot_id = l.lot_id
GROUP BY l.auction_id ORDER BY l.auction_id
-- right
SELECT l.auction_id, COUNT(DISTINCT b.bidder_id) AS bidders
FROM lots l JOIN bids b ON b.lot_id = l.lot_id
GROUP BY l.auction_id ORDER BY l.auction_id

-- exams count_of_values: How many candidates are at home in each country?
SELECT c.country, COUNT(DISTINCT d.full_name) AS candidates
FROM candidates d JOIN centres c ON c.centre_id = d.centre_id
GROUP BY c.country ORDER BY candidates DESC
-- right
SELECT c.country, COUNT(DISTINCT d.candidate_id) AS candidates
FROM candidates d JOIN centres c ON c.centre_id = d.centre_id
GROUP BY c.country ORDER BY candidates DESC

-- bakery count_of_values: How many members went shopping in each quarter of 2024?
WITH visits AS (SELECT member_id, date_trunc('quarter', sold_at) AS quarter FROM receipts WHERE member_id IS NOT NULL)
SELECT quarter, COUNT(member_id) AS member_count FROM visits
WHERE quarter >= '2024-01-01' AND quarter < '2025-01-01' GROUP BY quarter ORDER BY quarter
-- right
WITH visits AS (SELECT member_id, date_trunc('quarter', sold_at) AS quarter FROM receipts WHERE member_id IS NOT NULL)
SELECT quarter, COUNT(DISTINCT member_id) AS member_count FROM visits
WHERE quarter >= '2024-01-01' AND quarter < '2025-01-01' GROUP BY quarter ORDER BY quarter

-- exams count_of_values: In how many centres were there sittings in 2023 and in 2024?
SELECT COUNT(centre_id) FILTER (WHERE extract(year FROM starts_at) = 2023) AS centres_2023,
       COUNT(centre_id) FILTER (WHERE extract(year FROM starts_at) = 2024) AS centres_2024
FROM sittings
-- right
SELECT COUNT(DISTINCT centre_id) FILTER (WHERE extract(year FROM starts_at) = 2023) AS centres_2023,
       COUNT(DISTINCT centre_id) FILTER (WHERE extract(year FROM starts_at) = 2024) AS centres_2024
FROM sittings

-- exams average_of_averages: What is the average mark of all entries in 2024?
SELECT AVG(paper_average) AS overall_average FROM (
  SELECT s.paper_id, AVG(e.mark) AS paper_average
  FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id
  WHERE s.starts_at >= '2024-01-01' AND s.starts_at < '2025-01-01' GROUP BY s.paper_id) p
-- right
SELECT SUM(mark_sum)::numeric / SUM(mark_count) AS overall_average FROM (
  SELECT s.paper_id, SUM(e.mark) AS mark_sum, COUNT(e.mark) AS mark_count
  FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id
  WHERE s.starts_at >= '2024-01-01' AND s.starts_at < '2025-01-01' GROUP BY s.paper_id) p

-- bakery average_of_averages: What is a catering order worth on average in each region?
WITH by_shop AS (
  SELECT o.shop_id, AVG(o.total) AS avg_total FROM catering_orders o GROUP BY o.shop_id)
SELECT g.region, ROUND(AVG(b.avg_total), 2) AS average_order
FROM by_shop b JOIN shops s ON s.shop_id = b.shop_id JOIN regions g ON g.region_id = s.region_id
GROUP BY g.region ORDER BY g.region
-- right
SELECT g.region, ROUND(AVG(o.total), 2) AS average_order
FROM catering_orders o JOIN shops s ON s.shop_id = o.shop_id JOIN regions g ON g.region_id = s.region_id
GROUP BY g.region ORDER BY g.region

-- auction average_of_averages: Show the mean hammer price of each department and the overall mean next to it
SELECT d.department, AVG(l.hammer_price) AS department_mean, AVG(AVG(l.hammer_price)) OVER () AS overall_mean
FROM lots l JOIN auctions a ON a.auction_id = l.auction_id JOIN departments d ON d.department_id = a.department_id
GROUP BY d.department ORDER BY d.department
-- right
SELECT d.department, AVG(l.hammer_price) AS department_mean,
       SUM(SUM(l.hammer_price)) OVER () / SUM(COUNT(l.hammer_price)) OVER () AS overall_mean
FROM lots l JOIN auctions a ON a.auction_id = l.auction_id JOIN departments d ON d.department_id = a.department_id
GROUP BY d.department ORDER BY d.department

-- exams average_of_averages: What percentage of the marked entries failed, per faculty?
WITH per_subject AS (
  SELECT sub.faculty, sub.subject_id, 100.0 * COUNT(*) FILTER (WHERE e.grade = 'U') / NULLIF(COUNT(e.grade), 0) AS failed_percent
  FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id JOIN papers p ON p.paper_id = s.paper_id
  JOIN subjects sub ON sub.subject_id = p.subject_id
  GROUP BY sub.faculty, sub.subject_id)
SELECT faculty, ROUND(AVG(failed_percent), 1) AS failed_percent FROM per_subject GROUP BY faculty ORDER BY faculty
-- right
WITH per_subject AS (
  SELECT sub.faculty, sub.subject_id, COUNT(*) FILTER (WHERE e.grade = 'U') AS failed, COUNT(e.grade) AS graded
  FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id JOIN papers p ON p.paper_id = s.paper_id
  JOIN subjects sub ON sub.subject_id = p.subject_id
  GROUP BY sub.faculty, sub.subject_id)
SELECT faculty, ROUND(100.0 * SUM(failed) / SUM(graded), 1) AS failed_percent FROM per_subject GROUP BY faculty ORDER BY faculty

-- exams group_by_name: Which candidates have made more than 8 entries?
SELECT c.full_name, COUNT(e.entry_id) AS entry_count
FROM candidates c JOIN entries e ON e.candidate_id = c.candidate_id
GROUP BY c.full_name HAVING COUNT(e.entry_id) > 8 ORDER BY entry_count DESC
-- right
SELECT c.candidate_id, c.full_name, COUNT(e.entry_id) AS entry_count
FROM candidates c JOIN entries e ON e.candidate_id = c.candidate_id
GROUP BY c.candidate_id HAVING COUNT(e.entry_id) > 8 ORDER BY entry_count DESC

-- bakery group_by_name: Revenue of each shop in 2024, best first
SELECT s.shop_name, SUM(l.quantity * l.unit_price - COALESCE(l.discount, 0)) AS revenue
FROM receipts r JOIN receipt_lines l ON l.receipt_id = r.receipt_id JOIN shops s ON s.shop_id = r.shop_id
WHERE r.sold_at >= '2024-01-01' AND r.sold_at < '2025-01-01'
GROUP BY 1 ORDER BY 2 DESC
-- right
SELECT s.shop_name, SUM(l.quantity * l.unit_price - COALESCE(l.discount, 0)) AS revenue
FROM receipts r JOIN receipt_lines l ON l.receipt_id = r.receipt_id JOIN shops s ON s.shop_id = r.shop_id
WHERE r.sold_at >= '2024-01-01' AND r.sold_at < '2025-01-01'
GROUP BY s.shop_id, 1 ORDER BY 2 DESC

-- auction group_by_name: What was the hammer total of each auction in Geneva?
WITH geneva AS (
  SELECT a.title, l.hammer_price FROM auctions a JOIN lots l USING (auction_id) WHERE a.city = 'Geneva')
SELECT title, SUM(hammer_price) AS hammer_total FROM geneva GROUP BY title ORDER BY hammer_total DESC
-- right
WITH geneva AS (
  SELECT a.auction_id, a.title, l.hammer_price FROM auctions a JOIN lots l USING (auction_id) WHERE a.city = 'Geneva')
SELECT title, SUM(hammer_price) AS hammer_total FROM geneva GROUP BY auction_id, title ORDER BY hammer_total DESC

-- exams group_by_name: How long does each examiner take for a marking on average?
SELECT DISTINCT x.full_name, AVG(m.minutes_spent) OVER (PARTITION BY x.full_name) AS average_minutes
FROM examiners x JOIN markings m ON m.examiner_id = x.examiner_id
ORDER BY average_minutes DESC
-- right
SELECT DISTINCT x.examiner_id, x.full_name, AVG(m.minutes_spent) OVER (PARTITION BY x.examiner_id) AS average_minutes
FROM examiners x JOIN markings m ON m.examiner_id = x.examiner_id
ORDER BY average_minutes DESC

-- bakery wrong_total: For each region, what share of its revenue does each product category have?
SELECT g.region, p.category,
       SUM(l.quantity * l.unit_price) / SUM(SUM(l.quantity * l.unit_price)) OVER () AS share
FROM receipt_lines l JOIN receipts r USING (receipt_id) JOIN shops s USING (shop_id) JOIN regions g USING (region_id)
JOIN products p ON p.product_id = l.product_id
GROUP BY g.region, p.category ORDER BY g.region, share DESC
-- right
SELECT g.region, p.category,
       SUM(l.quantity * l.unit_price) / SUM(SUM(l.quantity * l.unit_price)) OVER (PARTITION BY g.region) AS share
FROM receipt_lines l JOIN receipts r USING (receipt_id) JOIN shops s USING (shop_id) JOIN regions g USING (region_id)
JOIN products p ON p.product_id = l.product_id
GROUP BY g.region, p.category ORDER BY g.region, share DESC

-- auction wrong_total: What share of all hammer prices does each department and city contribute?
SELECT d.department, a.city, SUM(l.hammer_price) AS hammer,
       ROUND(100.0 * SUM(l.hammer_price) / SUM(SUM(l.hammer_price)) OVER (PARTITION BY d.department), 1) AS percent_of_total
FROM lots l JOIN auctions a ON a.auction_id = l.auction_id JOIN departments d ON d.department_id = a.department_id
GROUP BY d.department, a.city ORDER BY percent_of_total DESC
-- right
SELECT d.department, a.city, SUM(l.hammer_price) AS hammer,
       ROUND(100.0 * SUM(l.hammer_price) / SUM(SUM(l.hammer_price)) OVER (), 1) AS percent_of_total
FROM lots l JOIN auctions a ON a.auction_id = l.auction_id JOIN departments d ON d.department_id = a.department_id
GROUP BY d.department, a.city ORDER BY percent_of_total DESC

-- exams wrong_total: How is the entry income of 2024 split between the levels, in percent?
SELECT p.level, 100 * SUM(e.fee_paid) / (SELECT SUM(fee_paid) FROM entries) AS percent
FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id JOIN papers p ON p.paper_id = s.paper_id
WHERE s.starts_at >= '2024-01-01' AND s.starts_at < '2025-01-01'
GROUP BY p.level ORDER BY percent DESC
-- right
SELECT p.level, 100 * SUM(e.fee_paid) / (SELECT SUM(e2.fee_paid) FROM entries e2 JOIN sittings s2 ON s2.sitting_id = e2.sitting_id
       WHERE s2.starts_at >= '2024-01-01' AND s2.starts_at < '2025-01-01') AS percent
FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id JOIN papers p ON p.paper_id = s.paper_id
WHERE s.starts_at >= '2024-01-01' AND s.starts_at < '2025-01-01'
GROUP BY p.level ORDER BY percent DESC

-- bakery wrong_total: What share of the catering income of the North region does each channel have?
WITH grand AS (SELECT SUM(total) AS income FROM catering_orders),
north AS (
  SELECT o.channel, SUM(o.total) AS income
  FROM catering_orders o JOIN shops s ON s.shop_id = o.shop_id JOIN regions g ON g.region_id = s.region_id
  WHERE g.region = 'North' GROUP BY o.channel)
SELECT n.channel, n.income / t.income AS share FROM north n CROSS JOIN grand t ORDER BY share DESC
-- right
WITH north AS (
  SELECT o.channel, SUM(o.total) AS income
  FROM catering_orders o JOIN shops s ON s.shop_id = o.shop_id JOIN regions g ON g.region_id = s.region_id
  WHERE g.region = 'North' GROUP BY o.channel),
grand AS (SELECT SUM(income) AS income FROM north)
SELECT n.channel, n.income / t.income AS share FROM north n CROSS JOIN grand t ORDER BY share DESC

-- auction time_zone_shift: At which hour of the day, Paris time, are most bids placed?
SELECT EXTRACT(hour FROM b.placed_at AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Paris') AS hour, COUNT(*) AS bids
FROM bids b GROUP BY 1 ORDER BY bids DESC LIMIT 1
-- right
SELECT EXTRACT(hour FROM b.placed_at AT TIME ZONE 'Europe/Paris') AS hour, COUNT(*) AS bids
FROM bids b GROUP BY 1 ORDER BY bids DESC LIMIT 1

-- bakery time_zone_shift: When (Oslo time) were the catering orders 100 to 120 taken?
SELECT order_id, ordered_at AT TIME ZONE 'Europe/Oslo' AS taken_at_oslo
FROM catering_orders WHERE order_id BETWEEN 100 AND 120 ORDER BY order_id
-- right
SELECT order_id, ordered_at AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Oslo' AS taken_at_oslo
FROM catering_orders WHERE order_id BETWEEN 100 AND 120 ORDER BY order_id

-- exams time_zone_shift: Appeals lodged on each day of March 2024, New York calendar
SELECT (a.lodged_on AT TIME ZONE 'America/New_York')::date AS day, COUNT(*) AS appeals
FROM appeals a
WHERE (a.lodged_on AT TIME ZONE 'America/New_York')::date BETWEEN '2024-03-01' AND '2024-03-31'
GROUP BY 1 ORDER BY 1
-- right
SELECT a.lodged_on AS day, COUNT(*) AS appeals
FROM appeals a
WHERE a.lodged_on BETWEEN '2024-03-01' AND '2024-03-31'
GROUP BY 1 ORDER BY 1

-- auction time_zone_shift: How many visits does the exhibition get per hour of the day in Vienna?
WITH local AS (SELECT viewing_id, timezone('Europe/Vienna', viewed_at) AS seen FROM viewings)
SELECT date_part('hour', seen) AS hour, COUNT(*) AS visits FROM local GROUP BY 1 ORDER BY 1
-- right
WITH local AS (SELECT viewing_id, timezone('Europe/Vienna', timezone('UTC', viewed_at)) AS seen FROM viewings)
SELECT date_part('hour', seen) AS hour, COUNT(*) AS visits FROM local GROUP BY 1 ORDER BY 1

-- bakery self_join_direction: List every employee with the name of their manager
SELECT e.employee_id, e.employee_name AS employee, m.employee_name AS manager
FROM employees e JOIN employees m ON e.employee_id = m.manager_id ORDER BY e.employee_id
-- right
SELECT e.employee_id, e.employee_name AS employee, m.employee_name AS manager
FROM employees e JOIN employees m ON e.manager_id = m.employee_id ORDER BY e.employee_id

-- auction self_join_direction: How many experts does each supervisor lead?
SELECT sup.expert_id AS supervisor_id, sup.expert_name AS supervisor, COUNT(x.expert_id) AS led
FROM experts sup JOIN experts x ON sup.supervisor_id = x.expert_id
GROUP BY sup.expert_id, sup.expert_name ORDER BY led DESC
-- right
SELECT sup.expert_id AS supervisor_id, sup.expert_name AS supervisor, COUNT(x.expert_id) AS led
FROM experts sup JOIN experts x ON x.supervisor_id = sup.expert_id
GROUP BY sup.expert_id, sup.expert_name ORDER BY led DESC

-- bakery self_join_direction: Which members were referred, and by whom?
SELECT m.member_id, m.member_name AS member_name, r.member_name AS referrer_name
FROM members m INNER JOIN members r ON r.referred_by = m.member_id
ORDER BY m.member_id
-- right
SELECT m.member_id, m.member_name AS member_name, r.member_name AS referrer_name
FROM members m INNER JOIN members r ON m.referred_by = r.member_id
ORDER BY m.member_id

-- exams self_join_direction: Show each examiner with their chief examiner
WITH chiefs AS (SELECT examiner_id, full_name, chief_id FROM examiners)
SELECT e.examiner_id, e.full_name AS examiner, ch.full_name AS chief_examiner
FROM examiners e LEFT JOIN chiefs ch ON ch.chief_id = e.examiner_id ORDER BY e.examiner_id
-- right
WITH chiefs AS (SELECT examiner_id, full_name, chief_id FROM examiners)
SELECT e.examiner_id, e.full_name AS examiner, ch.full_name AS chief_examiner
FROM examiners e LEFT JOIN chiefs ch ON ch.examiner_id = e.chief_id ORDER BY e.examiner_id

-- exams other_date: How many entries were there in each month of 2024?
SELECT date_trunc('month', entered_at) AS month, COUNT(entry_id) AS entry_count
FROM entries WHERE entered_at >= '2024-01-01' AND entered_at < '2025-01-01' GROUP BY 1 ORDER BY 1
-- right
SELECT date_trunc('month', s.starts_at) AS month, COUNT(e.entry_id) AS entry_count
FROM entries e JOIN sittings s ON s.sitting_id = e.sitting_id
WHERE s.starts_at >= '2024-01-01' AND s.starts_at < '2025-01-01' GROUP BY 1 ORDER BY 1

-- bakery other_date: What was the revenue in March 2024?
SELECT SUM(l.quantity * l.unit_price - COALESCE(l.discount, 0)) AS revenue
FROM receipt_lines l JOIN receipts r ON r.receipt_id = l.receipt_id
WHERE r.booked_on BETWEEN DATE '2024-03-01' AND DATE '2024-03-31'
-- right
SELECT SUM(l.quantity * l.unit_price - COALESCE(l.discount, 0)) AS revenue
FROM receipt_lines l JOIN receipts r ON r.receipt_id = l.receipt_id
WHERE r.sold_at >= DATE '2024-03-01' AND r.sold_at < DATE '2024-04-01'

-- bakery other_date: Catering income per quarter
WITH o AS (SELECT extract(year FROM ordered_at) AS y, extract(quarter FROM ordered_at) AS q, total FROM catering_orders)
SELECT y AS year, q AS quarter, SUM(total) AS income FROM o GROUP BY y, q ORDER BY y, q
-- right
WITH o AS (SELECT extract(year FROM due_on) AS y, extract(quarter FROM due_on) AS q, total FROM catering_orders)
SELECT y AS year, q AS quarter, SUM(total) AS income FROM o GROUP BY y, q ORDER BY y, q

-- auction other_date: Compare the hammer prices of 2023 and 2024 by city
SELECT a.city,
       SUM(l.hammer_price) FILTER (WHERE l.received_on BETWEEN '2023-01-01' AND '2023-12-31') AS hammer_2023,
       SUM(l.hammer_price) FILTER (WHERE l.received_on BETWEEN '2024-01-01' AND '2024-12-31') AS hammer_2024
FROM lots l JOIN auctions a ON a.auction_id = l.auction_id GROUP BY a.city ORDER BY a.city
-- right
SELECT a.city,
       SUM(l.hammer_price) FILTER (WHERE a.closed_at >= '2023-01-01' AND a.closed_at < '2024-01-01') AS hammer_2023,
       SUM(l.hammer_price) FILTER (WHERE a.closed_at >= '2024-01-01' AND a.closed_at < '2025-01-01') AS hammer_2024
FROM lots l JOIN auctions a ON a.auction_id = l.auction_id GROUP BY a.city ORDER BY a.city

-- auction joins_follow_model: What is the highest bid on each lot of auction 7?
SELECT l.lot_id, l.lot_no, MAX(b.amount) AS highest_bid
FROM lots l JOIN bids b ON b.lot_id = l.lot_no WHERE l.auction_id = 7
GROUP BY l.lot_id, l.lot_no ORDER BY l.lot_no
-- right
SELECT l.lot_id, l.lot_no, MAX(b.amount) AS highest_bid
FROM lots l JOIN bids b ON b.lot_id = l.lot_id WHERE l.auction_id = 7
GROUP BY l.lot_id, l.lot_no ORDER BY l.lot_no

-- exams joins_follow_model: What is the average marking time for withdrawn and other entries?
SELECT e.withdrawn, AVG(m.minutes_spent) AS average_minutes
FROM markings m, entries e WHERE m.marking_id = e.entry_id GROUP BY e.withdrawn
-- right
SELECT e.withdrawn, AVG(m.minutes_spent) AS average_minutes
FROM markings m, entries e WHERE m.entry_id = e.entry_id GROUP BY e.withdrawn

-- auction joins_follow_model: How far from the hammer price are the valuations of each expert, on average?
SELECT expert_id, AVG(v.value - l.hammer_price) AS average_difference
FROM valuations v JOIN lots l USING (expert_id)
WHERE l.hammer_price IS NOT NULL GROUP BY expert_id ORDER BY expert_id
-- right
SELECT v.expert_id, AVG(v.value - l.hammer_price) AS average_difference
FROM valuations v JOIN lots l USING (lot_id)
WHERE l.hammer_price IS NOT NULL GROUP BY v.expert_id ORDER BY v.expert_id

-- exams joins_follow_model: How many sittings does each subject have?
WITH sat AS (SELECT s.sitting_id, p.subject_id FROM sittings s JOIN papers p ON p.subject_id = s.paper_id)
SELECT sub.subject, COUNT(DISTINCT sat.sitting_id) AS sittings
FROM subjects sub LEFT JOIN sat ON sat.subject_id = sub.subject_id GROUP BY sub.subject ORDER BY sittings DESC
-- right
WITH sat AS (SELECT s.sitting_id, p.subject_id FROM sittings s JOIN papers p ON p.paper_id = s.paper_id)
SELECT sub.subject, COUNT(DISTINCT sat.sitting_id) AS sittings
FROM subjects sub LEFT JOIN sat ON sat.subject_id = sub.subject_id GROUP BY sub.subject ORDER BY sittings DESC
