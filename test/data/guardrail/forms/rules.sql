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

-- library left_join_filtered: All works with their loans of stars 5, zero included
select w.work_id, count(l.loan_id) as loans from works w left join copies c on c.work_id=w.work_id left join
loans l on l.copy_id=c.copy_id where l.stars in (5) group by 1
-- right
select w.work_id, count(l.loan_id) as loans from works w left join copies c on c.work_id=w.work_id left join
loans l on l.copy_id=c.copy_id and l.stars in (5) group by 1

-- library left_join_filtered: Every reader with the fines, also those without
with x as (select r.reader_id, l.loan_id from readers r left join loans l using (reader_id)) select
x.reader_id, sum(f.amount) as fines from x join fines f on f.loan_id = x.loan_id group by 1
-- right
with x as (select r.reader_id, l.loan_id from readers r left join loans l using (reader_id)) select
x.reader_id, sum(f.amount) as fines from x left join fines f on f.loan_id = x.loan_id group by 1

-- library limit_without_order: Which loan is the latest of each reader?
select distinct on (reader_id) reader_id, loan_id, lent_at from loans order by reader_id
-- right
select distinct on (reader_id) reader_id, loan_id, lent_at from loans order by reader_id, lent_at desc

-- library limit_without_order: Which is the newest copy of each work?
select work_id, copy_id from (select *, row_number() over w as n from copies window w as (partition by
work_id)) t where n < 2
-- right
select work_id, copy_id from (select *, row_number() over w as n from copies window w as (partition by work_id
order by bought_on desc)) t where n < 2

-- library limit_without_order: Top ten readers by fines
select reader_id, total from (select l.reader_id, sum(f.amount) as total from loans l join fines f using
(loan_id) group by 1) t limit 10
-- right
select reader_id, total from (select l.reader_id, sum(f.amount) as total from loans l join fines f using
(loan_id) group by 1) t order by total desc limit 10

-- library wrong_end: What is the priciest copy of each branch?
select branch_id, copy_id, price from (select c.*, dense_rank() over (partition by branch_id order by price) k
from copies c) q where k = 1
-- right
select branch_id, copy_id, price from (select c.*, dense_rank() over (partition by branch_id order by price
desc) k from copies c) q where k = 1

-- library wrong_end: Which is the thickest book?
select work_title, pages from works where pages = (select min(w.pages) from works w)
-- right
select work_title, pages from works where pages = (select max(w.pages) from works w)

-- library wrong_end: When was each copy lent most recently?
select c.copy_id, min(l.lent_at) as most_recent_loan from copies c join loans l using (copy_id) group by 1
-- right
select c.copy_id, max(l.lent_at) as most_recent_loan from copies c join loans l using (copy_id) group by 1

-- library wrong_end: Which three branches have been open the longest?
select branch_name, opened_on from branches order by opened_on desc limit 3
-- right
select branch_name, opened_on from branches order by opened_on limit 3

-- library wrong_end: Which branch lends the most?
select b.branch_id, b.branch_name from branches b join copies c using (branch_id) join loans l using (copy_id)
group by 1,2 order by count(*) limit 1
-- right
select b.branch_id, b.branch_name from branches b join copies c using (branch_id) join loans l using (copy_id)
group by 1,2 order by count(*) desc limit 1

-- library wrong_end: Each reader's last loan date
select reader_id, (select min(l.lent_at) from loans l where l.reader_id = r.reader_id) as last_loan from
readers r
-- right
select reader_id, (select max(l.lent_at) from loans l where l.reader_id = r.reader_id) as last_loan from
readers r

-- library union_loses_rows: Money from fines and copies per year
select y, sum(m) from ((select extract(year from paid_on) y, amount m from fine_payments join fines using
(fine_id)) union (select extract(year from bought_on), price from copies)) s group by 1
-- right
select y, sum(m) from ((select extract(year from paid_on) y, amount m from fine_payments join fines using
(fine_id)) union all (select extract(year from bought_on), price from copies)) s group by 1

-- library not_in_null: Which staff mentor no one?
select s.staff_id from staff s where s.staff_id not in (select x.mentor_id from staff x where x.left_on is
null)
-- right
select s.staff_id from staff s where s.staff_id not in (select x.mentor_id from staff x where x.mentor_id is
not null)

-- library not_in_null: Share of readers who invited no one
select avg(case when r.reader_id not in (select invited_by from readers) then 1.0 else 0 end) as share from
readers r
-- right
select avg(case when r.reader_id not in (select invited_by from readers where invited_by is not null) then 1.0
else 0 end) as share from readers r

-- library integer_division: Loans per reader
select (select count(*) from loans) / (select count(*) from readers) as loans_per_reader
-- right
select (select count(*) from loans)::numeric / (select count(*) from readers) as loans_per_reader

-- library integer_division: Percent of loans rated 5 stars per branch
with t as (select c.branch_id, sum((l.stars = 5)::int) five, count(*) n from loans l join copies c using
(copy_id) group by 1) select branch_id, (five / n) * 100 as pct from t
-- right
with t as (select c.branch_id, sum((l.stars = 5)::int) five, count(*) n from loans l join copies c using
(copy_id) group by 1) select branch_id, (five * 100.0 / n) as pct from t

-- library metric_name: Average stars by genre
select w.genre, avg(coalesce(l.stars, 0)) as average_stars from loans l join copies c using (copy_id) join
works w using (work_id) group by 1
-- right
select w.genre, avg(l.stars) as average_stars from loans l join copies c using (copy_id) join works w using
(work_id) group by 1

-- library metric_name: Fine income
select avg(amount) as fine_income from fines
-- right
select sum(amount) as fine_income from fines

-- library count_of_joined_rows: How many loans with fines does each branch have?
select c.branch_id, count(*) as loans from copies c join loans l using (copy_id) join fines f using (loan_id)
group by 1
-- right
select c.branch_id, count(distinct l.loan_id) as loans from copies c join loans l using (copy_id) join fines f
using (loan_id) group by 1

-- library count_of_values: How many readers borrowed in 2024?
select count(reader_id) filter (where lent_at >= '2024-01-01') as readers from loans
-- right
select count(distinct reader_id) filter (where lent_at >= '2024-01-01') as readers from loans

-- library count_of_values: Number of branches that have each work
select work_id, count(branch_id) as num_branches from copies group by work_id
-- right
select work_id, count(distinct branch_id) as num_branches from copies group by work_id

-- library average_of_averages: What is the average rating of all loans?
select avg(s) as avg_stars from (select c.branch_id, avg(l.stars) s from loans l join copies c using (copy_id)
group by c.branch_id) b
-- right
select avg(l.stars) as avg_stars from loans l join copies c using (copy_id)

-- library average_of_averages: What share of loans has a fine, overall?
with b as (select c.branch_id, count(f.fine_id)::numeric / count(distinct l.loan_id) as r from copies c join
loans l using (copy_id) left join fines f using (loan_id) group by 1) select avg(r) as share from b
-- right
with b as (select c.branch_id, count(f.fine_id)::numeric as f, count(distinct l.loan_id) as n from copies c
join loans l using (copy_id) left join fines f using (loan_id) group by 1) select sum(f)/sum(n) as share from
b

-- library group_by_name: Loans by reader
select upper(r.full_name) as reader, count(*) as loans from readers r join loans l using (reader_id) group by
upper(r.full_name)
-- right
select upper(r.full_name) as reader, count(*) as loans from readers r join loans l using (reader_id) group by
r.reader_id, upper(r.full_name)

-- library group_by_name: Copies of each work
select w.work_title, count(*) as copies from works w join copies c using (work_id) group by w.work_title
-- right
select w.work_id, w.work_title, count(*) as copies from works w join copies c using (work_id) group by
w.work_id, w.work_title

-- library wrong_total: What share of the copies of branch 4 is of each genre?
select w.genre, 100.0 * count(*) / (select count(*) from copies) as pct from copies c join works w using
(work_id) where c.branch_id = 4 group by w.genre
-- right
select w.genre, 100.0 * count(*) / (select count(*) from copies where branch_id = 4) as pct from copies c join
works w using (work_id) where c.branch_id = 4 group by w.genre

-- library wrong_total: How are the 5 star loans distributed over the branches, in percent?
select c.branch_id, 100.0*count(*)/(select count(*) from loans) as pct from loans l join copies c using
(copy_id) where l.stars = 5 group by 1
-- right
select c.branch_id, 100.0*count(*)/(select count(*) from loans where stars = 5) as pct from loans l join
copies c using (copy_id) where l.stars = 5 group by 1

-- library wrong_total: For each branch, the percentage of its copies by genre
select c.branch_id, w.genre, count(*) * 100.0 / sum(count(*)) over () as pct from copies c join works w using
(work_id) group by 1, 2
-- right
select c.branch_id, w.genre, count(*) * 100.0 / sum(count(*)) over (partition by c.branch_id) as pct from
copies c join works w using (work_id) group by 1, 2

-- library wrong_total: What percentage of poetry works has each number of pages?
with all_works as (select count(*) as n from works) select pages, count(*) * 100.0 / (select n from all_works)
as pct from works where genre = 'poetry' group by pages
-- right
with all_works as (select count(*) as n from works where genre = 'poetry') select pages, count(*) * 100.0 /
(select n from all_works) as pct from works where genre = 'poetry' group by pages

-- library time_zone_shift: Returns per day in Paris time
select (date_trunc('day', returned_at) at time zone 'Europe/Paris')::date as day, count(*) as loans from loans
where returned_at is not null group by 1
-- right
select (date_trunc('day', returned_at at time zone 'Europe/Paris'))::date as day, count(*) as loans from loans
where returned_at is not null group by 1

-- library time_zone_shift: Loans per day in Paris time
select date_trunc('day', lent_at) at time zone 'UTC' at time zone 'Europe/Paris' as day, count(*) as loans
from loans group by 1
-- right
select date_trunc('day', lent_at at time zone 'UTC' at time zone 'Europe/Paris') as day, count(*) as loans
from loans group by 1

-- library self_join_direction: Who are the mentees of Ann Lee?
select s.full_name from staff s where s.staff_id = (select m.mentor_id from staff m where m.full_name = 'Ann
Lee')
-- right
select s.full_name from staff s where s.mentor_id = (select m.staff_id from staff m where m.full_name = 'Ann
Lee')

-- library self_join_direction: Which readers were invited by Tom?
select b.full_name from readers a join readers b on a.invited_by = b.reader_id where a.full_name = 'Tom'
-- right
select a.full_name from readers a join readers b on a.invited_by = b.reader_id where b.full_name = 'Tom'

-- library self_join_direction: How many mentees has each mentor?
select m.staff_id, count(*) as mentees from staff m join staff s on m.mentor_id = s.staff_id group by
m.staff_id
-- right
select m.staff_id, count(*) as mentees from staff m join staff s on s.mentor_id = m.staff_id group by
m.staff_id

-- library self_join_direction: Each reader with the one who invited them
select r.full_name, i.full_name as invited_by_name from readers r left join readers i on i.invited_by =
r.reader_id
-- right
select r.full_name, i.full_name as invited_by_name from readers r left join readers i on i.reader_id =
r.invited_by

-- library other_date: Fine income by month
select to_char(f.charged_on,'YYYY-MM') m, sum(f.amount) fine_income from fines f group by 1
-- right
select to_char(p.paid_on,'YYYY-MM') m, sum(f.amount) fine_income from fines f join fine_payments p using
(fine_id) group by 1

-- library other_date: Renewals in 2024
select count(*) as renewals from renewals where extract(year from renewed_at) = 2024
-- right
select count(*) as renewals from renewals r join loans l using (loan_id) where extract(year from l.lent_at) =
2024

-- library joins_follow_model: Fines by reader
select r.reader_id, sum(f.amount) from readers r join loans l on l.loan_id = r.reader_id join fines f on
f.loan_id = l.loan_id group by 1
-- right
select r.reader_id, sum(f.amount) from readers r join loans l on l.reader_id = r.reader_id join fines f on
f.loan_id = l.loan_id group by 1

-- library joins_follow_model: Copies never lent
select copy_id from copies where copy_id not in (select loan_id from loans)
-- right
select copy_id from copies where copy_id not in (select copy_id from loans where copy_id is not null)
