select 1

select 1;

SELECT 'DROP TABLE users; --' AS note

select * from orders

select * from public.orders limit 10

select o.* from orders o where o.status = 'completed' order by o.order_date desc nulls last limit 5 offset 10

select distinct status from orders order by 1

select distinct on (customer_id) customer_id, id, order_date from orders order by customer_id, order_date desc

select count(*) from orders

select count(*) as n, count(distinct customer_id) as customers, sum(total), avg(total)::numeric(12,2), min(total), max(total) from orders

select status, count(*) from orders group by status having count(*) > 1 order by count(*) desc

select date_trunc('month', order_date) as month, sum(total) as revenue from orders group by 1 order by 1

select date_trunc('month', order_date)::date as month, sum(total) as revenue from orders group by date_trunc('month', order_date) order by month

select to_char(order_date, 'YYYY-MM') as ym, round(sum(total), 2) from orders group by to_char(order_date, 'YYYY-MM')

select extract(year from order_date) as y, extract(quarter from order_date) q, sum(total) from orders group by 1, 2

select extract(epoch from (shipped_date - order_date) * interval '1 day') from orders

select extract(epoch from ordered_at)::bigint % 86400 from orders

select date_part('dow', order_date) as dow, count(*) from orders group by dow

select date_bin('15 minutes', happened_at, timestamp '2024-01-01') as bucket, count(*) from events group by bucket

select age(now(), created_at) from customers

select age(birth_date), extract(year from age(current_date, birth_date)) from customers

select now(), current_date, current_time, current_timestamp, localtime, localtimestamp, current_timestamp(0)

select current_date - interval '30 days', current_date - 30, now() - interval '1 year 2 months'

select * from orders where order_date >= current_date - interval '30 days'

select * from orders where order_date between '2024-01-01' and '2024-03-31'

select * from orders where order_date between date '2024-01-01' and date '2024-03-31' and status in ('completed', 'returned')

select * from orders where order_date >= '2024-01-01'::date and order_date < '2024-01-01'::date + interval '1 month'

select * from orders where ordered_at at time zone 'UTC' at time zone 'Europe/Berlin' > timestamp '2024-01-01 00:00:00'

select ordered_at at time zone 'America/New_York' as local, timezone('UTC', ordered_at) from orders

select o.id, c.name from orders o join customers c on c.id = o.customer_id

select o.id, c.name from orders o inner join customers c on c.id = o.customer_id left join employees e on e.id = o.employee_id

select c.name, coalesce(sum(o.total), 0) as spent from customers c left join orders o on o.customer_id = c.id group by c.id, c.name order by spent desc

select c.name from customers c right outer join orders o on o.customer_id = c.id full join employees e on e.id = o.employee_id

select * from orders natural join (select 1 as zzz) q

select order_id, p.name from order_items oi join products p on p.id = oi.product_id cross join (values (1), (2)) v(n)

select oi.order_id from order_items oi join (select id as order_id from orders) o using (order_id)

select * from order_items oi join (select id as order_id from orders) o using (order_id) as j where j.order_id > 1

select c.name, t.id from customers c cross join lateral (select o.id from orders o where o.customer_id = c.id order by o.order_date desc limit 3) t

select c.name, t.n from customers c left join lateral (select count(*) n from orders o where o.customer_id = c.id) t on true

select a.id, b.id from orders a, orders b where a.customer_id = b.customer_id and a.id < b.id limit 10

select a.name, b.name as manager from employees a left join employees b on a.manager_id = b.id

select * from (select status, sum(total) s from orders group by status) q where s > 100

select (select max(total) from orders) as top, (select count(*) from customers where is_active) as active

select id, total, total - (select avg(total) from orders) as diff from orders

select * from customers c where exists (select 1 from orders o where o.customer_id = c.id)

select * from customers c where not exists (select from orders o where o.customer_id = c.id)

select * from customers where id in (select customer_id from orders where total > 100)

select * from customers where id not in (select customer_id from orders where customer_id is not null)

select * from products where price > all (select avg(price) from products group by category)

select * from products where id = any (array[1, 2, 3]) or price >= some (select 5)

select * from products where (category, discontinued) in (('Toys', false), ('Books', true))

select * from orders where (order_date, id) > ('2023-05-01', 10) order by order_date, id limit 20

select row(1, 'a'), row(1, 2) = row(1, 2), (1, 2) < (2, 1)

select name, row_number() over (order by salary desc) from employees

select name, rank() over w, dense_rank() over w, percent_rank() over w, cume_dist() over w, ntile(4) over w from employees window w as (partition by department order by salary desc)

select id, total, lag(total) over (order by order_date), lead(total, 1, 0) over (order by order_date) from orders

select order_date, sum(total) over (order by order_date rows between unbounded preceding and current row) as running from orders

select order_date, avg(total) over (order by order_date rows between 6 preceding and current row) as ma7 from orders

select order_date, sum(total) over (order by order_date range between interval '7 days' preceding and current row) from orders

select id, sum(total) over (order by total groups between 1 preceding and 1 following exclude current row) from orders

select id, sum(total) over (order by total rows between unbounded preceding and unbounded following exclude ties) from orders

select id, first_value(total) over w, last_value(total) over w, nth_value(total, 2) over w from orders window w as (partition by customer_id order by order_date rows between unbounded preceding and unbounded following)

select customer_id, total, total / sum(total) over () as share, sum(total) filter (where status = 'completed') over (partition by customer_id) from orders

select count(*) filter (where status = 'completed') as done, count(*) filter (where status = 'cancelled')::float / nullif(count(*), 0) as rate from orders

select department, percentile_cont(0.5) within group (order by salary) as median, percentile_disc(0.9) within group (order by salary) from employees group by department

select percentile_cont(array[0.25, 0.5, 0.75]) within group (order by total) from orders

select mode() within group (order by status) from orders

select rank(500) within group (order by total), dense_rank(500) within group (order by total), cume_dist(500) within group (order by total), percent_rank(500) within group (order by total) from orders

select category, discontinued, count(*), grouping(category, discontinued) from products group by grouping sets ((category, discontinued), (category), ())

select category, discontinued, sum(price) from products group by rollup (category, discontinued) order by grouping(category), 1, 2

select category, discontinued, sum(price) from products group by cube (category, discontinued)

select ship_country, channel, status, count(*) from orders group by ship_country, rollup (channel, status)

select category, count(*) from products group by distinct rollup (category), rollup (category)

with monthly as (select date_trunc('month', order_date) m, sum(total) t from orders group by 1) select m, t, t - lag(t) over (order by m) as change from monthly order by m

with a as (select 1 as x), b as (select x + 1 as y from a) select * from a, b

with orders as (select * from orders where status = 'completed') select count(*) from orders

with x as materialized (select * from orders), y as not materialized (select * from customers) select count(*) from x join y on y.id = x.customer_id

with recursive t(n) as (select 1 union all select n + 1 from t where n < 100) select sum(n) from t

with recursive t(n) as (values (1) union all select n + 1 from t) select n from t limit 10

with recursive tree as (select id, name, manager_id, 1 as level, name::text as path from employees where manager_id is null union all select e.id, e.name, e.manager_id, t.level + 1, t.path || ' > ' || e.name from employees e join tree t on e.manager_id = t.id) select repeat('  ', level - 1) || name as name, level, path from tree order by path

with recursive r as (select id, array[id] as visited from employees where id = 1 union all select e.id, r.visited || e.id from r join employees e on e.manager_id = r.id where e.id <> all (r.visited)) select * from r

with recursive d as (select date '2024-01-01' as day union all select (day + interval '1 day')::date from d where day < date '2024-01-31') select d.day, count(o.id) from d left join orders o on o.order_date = d.day group by d.day order by d.day

with recursive fib(a, b) as (select 0, 1 union all select b, a + b from fib where b < 1000) select a from fib

with recursive g(id, name, depth) as (select id, name, 0 from employees union all select e.id, e.name, g.depth + 1 from g, employees e where e.manager_id = g.id and g.depth < 5) search depth first by id set ordering select * from g order by ordering

with recursive g(f) as (select 1 union all select e.id from g join employees e on e.manager_id = g.f) cycle f set is_cycle using path select * from g

with recursive s as (select min(customer_id) as c from orders union all select (select min(customer_id) from orders where customer_id > s.c) from s where s.c is not null) select count(*) from s

with pg_user as (select 7 as z) select z from pg_user

with t as (select min(total) as xmin, max(total) as xmax from orders) select xmin, t.xmax from t

select min(id) as ctid from orders order by ctid

select b.xmin from (select 1 as xmin) b

select id from orders union select id from customers

select id from orders union all select id from customers order by id limit 5

select id from orders intersect select id from customers except select id from employees

(select id from orders order by id limit 1) union all (select id from orders order by id desc limit 1)

select 'a' as k, count(*) from orders union all select 'b', count(*) from customers union all select 'c', count(*) from products

values (1, 'a'), (2, 'b')

select * from (values (1, 'one'), (2, 'two')) as v(n, word)

with v(a, b) as (values (1, 2), (3, 4)) select a + b from v

table orders

table orders limit 3

select * from only orders

select * from orders tablesample system (10)

select count(*) from orders tablesample bernoulli (50) repeatable (42)

select generate_series(1, 10)

select d::date from generate_series('2024-01-01'::date, '2024-12-31'::date, '1 day') d

select d::date, coalesce(sum(o.total), 0) from generate_series('2023-01-01'::date, '2023-12-31'::date, interval '1 day') d left join orders o on o.order_date = d::date group by 1 order by 1

select gs, gs * 2 from generate_series(1, 100, 5) as gs

select g.m from generate_series(date_trunc('year', current_date), current_date, '1 month'::interval) as g(m)

select generate_series((select min(order_date) from orders), (select max(order_date) from orders), interval '1 month')

select h from generate_series(timestamp '2024-01-01', timestamp '2024-01-31', '1 hour') h

select generate_series(0, 1, 0.1)

select x.n, y.n from generate_series(1, 12) x(n) cross join generate_series(1, 31) y(n)

select oi.order_id, n from order_items oi cross join lateral generate_series(1, oi.quantity) n

select (array['a', 'b', 'c'])[2], (array[1, 2, 3])[1:2], array[[1, 2], [3, 4]]

select name, tags[1], array_length(tags, 1), cardinality(tags) from products

select name, unnest(tags) as tag from products

select p.name, t.tag, t.ord from products p, unnest(p.tags) with ordinality as t(tag, ord)

select * from unnest(array[1, 2], array['a', 'b']) as u(a, b)

select * from rows from (generate_series(1, 3), unnest(array['a', 'b'])) as r(a, b)

select name from products where tags @> array['a'] and not tags && array['zzz'] and 'b' = any (tags)

select array_agg(name order by name) from products group by category

select array_agg(distinct category) filter (where price > 10) from products

select array_to_string(array_agg(name), ', '), string_agg(name, ', ' order by name desc) from products

select array_append(array[1], 2), array_prepend(0, array[1]), array_cat(array[1], array[2]), array_remove(array[1, 2], 1), array_replace(array[1, 2], 1, 3), array_position(array['a', 'b'], 'b'), array_positions(array[1, 1], 1)

select array(select id from orders where total > 1000), array_dims(array[1]), array_ndims(array[1]), array_lower(array[1], 1), array_upper(array[1], 1), trim_array(array[1, 2], 1)

select string_to_array('a,b,c', ','), string_to_table('a,b', ','), regexp_split_to_array('a b', '\s+'), regexp_split_to_table('a b', ' ')

select '{1,2,3}'::int[], '{a,b}'::text[], array[]::int[], cast(array[1, 2] as text[])

select payload->'items'->0->>'sku', payload->>'page', payload#>'{items,0}', payload#>>'{items,0,qty}' from events

select (payload->>'amount')::numeric as amount from events where payload ? 'page' and payload @> '{"page": "/p1"}' and payload ?| array['a', 'page'] and payload ?& array['page']

select jsonb_array_elements(payload->'items')->>'sku' from events

select e.id, i->>'sku' as sku from events e, jsonb_array_elements(e.payload->'items') i

select e.id, x.sku, x.qty from events e cross join lateral jsonb_to_recordset(e.payload->'items') as x(sku int, qty int)

select key, value from jsonb_each('{"a": 1}'::jsonb)

select k.key, count(*) from events, jsonb_each_text(payload) k group by k.key

select jsonb_object_keys(payload) from events

select (jsonb_each(payload)).key, (jsonb_each_text(payload)).value from events

select json_agg(o) from (select id, total from orders limit 3) o

select json_build_object('id', id, 'total', total) from orders

select jsonb_build_object('n', count(*), 'list', jsonb_agg(id)), jsonb_build_array(1, 'a') from orders

select json_object_agg(id, name), jsonb_object_agg(id, name) from products

select row_to_json(o), to_json(o.total), to_jsonb(o) from orders o

select jsonb_path_query(payload, '$.items[*] ? (@.qty > 1)'), jsonb_path_exists(payload, '$.page'), payload @? '$.items', payload @@ '$.amount > 3' from events

select jsonb_path_query_array(payload, '$.items[*].sku'), jsonb_path_query_first(payload, '$.items[0]') from events

select jsonb_set(payload, '{x}', '1'), jsonb_insert(payload, '{y}', '2'), payload - 'page', payload #- '{items,0}', payload || '{"z": 1}' from events

select jsonb_pretty(payload), jsonb_typeof(payload->'items'), json_typeof(raw), jsonb_array_length(payload->'items'), jsonb_strip_nulls(payload), json_extract_path_text(raw, 'a'), jsonb_extract_path(payload, 'items', '0') from events

select address['city'], address['geo']['lat'] from customers

select lower(name), upper(name), initcap(name), length(name), char_length(name), octet_length(name), bit_length(name) from customers

select trim(name), trim(both ' ' from name), trim(leading 'x' from name), ltrim(name), rtrim(name, 'x'), btrim(name, 'xy') from customers

select substring(name from 1 for 3), substring(name, 2), substr(name, 1, 2), left(name, 3), right(name, 2), substring(name from '[0-9]+'), substring(name similar '%#"[0-9]+#"%' escape '#') from customers

select position('a' in name), strpos(name, 'a'), split_part(email, '@', 2), reverse(name), repeat('ab', 3), replace(name, 'C', 'K'), translate(name, 'abc', 'xyz'), overlay(name placing 'X' from 1 for 2) from customers

select lpad(id::text, 10, '0'), rpad(name, 20), lpad(name, 15, '.') || '|' from customers

select concat(name, ' (', city, ')'), concat_ws(', ', name, city, country), name || ' - ' || city from customers

select format('%s has %s', name, id), format('%I.%L', 'a', 'b'), format('%-10s|%5s', name, id), format('%1$s %1$s', name) from customers

select regexp_replace(name, '[^a-z]', '', 'gi'), regexp_match(email, '(.+)@(.+)'), regexp_matches(name, '\d+', 'g'), regexp_count(name, 'a'), regexp_instr(name, '\d'), regexp_like(name, '^C'), regexp_substr(name, '\d+') from customers

select * from customers where name ~ '^C.*1$' or name ~* 'customer' or name !~ 'x' or name !~* 'y'

select * from customers where name like 'C%' and name not like '%x_' and name ilike '%cust%' and name like 'a\%%' escape '\' and name not ilike 'z'

select * from customers where name similar to '(C|K)ustomer [0-9]+' and name not similar to 'x'

select starts_with(name, 'C'), name ^@ 'C', ascii(name), chr(65), md5(name), encode(sha256(name::bytea), 'hex'), to_hex(255), quote_literal(name), quote_ident(name), quote_nullable(name) from customers

select E'tab\tnewline\n', U&'d\0061t\+000061', $$dollar; DROP TABLE x$$, $tag$it's$tag$, 'it''s', N'x', B'101', X'1F'

select 'foo'
'bar' as joined

select U&"d\0061ta" from (select 1 as data) q

select abs(-1), ceil(1.2), ceiling(1.2), floor(1.8), round(1.234, 2), round(1.5), trunc(1.99, 1), sign(-3), mod(7, 3), div(7, 3), power(2, 10), sqrt(16), cbrt(27), exp(1), ln(10), log(100), log(2, 8), pi(), degrees(1), radians(180), gcd(12, 8), lcm(4, 6), factorial(5), width_bucket(5, 0, 10, 5)

select 7 / 2, 7 % 2, 7 / 2.0, 2 ^ 3, |/ 25, ||/ 27, @ -5, 5 & 3, 5 | 3, 5 # 3, ~5, 1 << 4, 16 >> 2, -total, +total from orders

select sin(1), cos(1), tan(1), asin(0.5), acos(0.5), atan(1), atan2(1, 2), sinh(1), cosh(1), tanh(1), cot(1), sind(30)

select random(), floor(random() * 10)::int, gen_random_uuid()

select * from orders order by random() limit 10

select corr(quantity, unit_price), covar_pop(quantity, unit_price), covar_samp(quantity, unit_price), regr_slope(unit_price, quantity), regr_intercept(unit_price, quantity), regr_r2(unit_price, quantity), regr_count(unit_price, quantity), regr_avgx(unit_price, quantity), regr_avgy(unit_price, quantity), regr_sxx(unit_price, quantity), regr_sxy(unit_price, quantity), regr_syy(unit_price, quantity) from order_items

select stddev(total), stddev_pop(total), stddev_samp(total), variance(total), var_pop(total), var_samp(total) from orders

select bool_and(is_active), bool_or(is_active), every(is_active), bit_and(id), bit_or(id), bit_xor(id) from customers

select case when total > 100 then 'big' when total > 50 then 'medium' else 'small' end as size, count(*) from orders group by 1

select case status when 'completed' then 1 when 'returned' then -1 else 0 end from orders

select coalesce(shipped_date, order_date), nullif(total, 0), greatest(total, freight, 10), least(total, freight) from orders

select total is null, total is not null, is_active is true, is_active is not false, is_active is unknown, total is distinct from 5, total is not distinct from null from orders join customers on customers.id = orders.customer_id

select cast(total as integer), total::float8, total::double precision, total::real, total::bigint, total::smallint, total::decimal(10, 1), '5'::int, 'true'::boolean, '2024-01-01'::timestamp, '2024-01-01'::timestamptz, '10:00'::time, cast('1' as char(3)), cast('abc' as varchar(2)), 5::text, '1.5'::money from orders

select date '2024-01-01', time '10:00', timestamp '2024-01-01 10:00', timestamp with time zone '2024-01-01 10:00+00', interval '1 day', interval '1' month, interval '1-2' year to month, interval '3 hours 20 minutes', interval(0) '1.5 seconds', bool 'true', float8 '1.5', int4 '3', numeric '2.50', json '{}', jsonb '[1]', point '(1,2)', uuid '00000000-0000-0000-0000-000000000000'

select make_date(2024, 1, 31), make_time(10, 0, 0), make_timestamp(2024, 1, 1, 0, 0, 0), make_timestamptz(2024, 1, 1, 0, 0, 0), make_interval(days => 10, hours => 2), make_interval(0, 1), to_date('2024-01-31', 'YYYY-MM-DD'), to_timestamp(1700000000), to_timestamp('2024', 'YYYY'), to_number('1,234', '9,999'), to_char(1234.5, 'FM9,999.00'), to_char(now(), 'Day, DD Month YYYY HH24:MI:SS'), to_char(interval '1 day', 'DD'), isfinite(current_date), justify_days(interval '40 days'), justify_hours(interval '40 hours'), justify_interval(interval '1 month -1 hour')

select (date '2024-01-01', date '2024-02-01') overlaps (date '2024-01-15', interval '1 month')

select date(happened_at), count(*) from events group by date(happened_at)

select (date_trunc('month', order_date) + interval '1 month - 1 day')::date as month_end from orders

select order_date + 7, order_date - date '2024-01-01', order_date + interval '1 week' * 2, order_date + make_interval(months => 1) from orders

select extract(isodow from order_date), extract(week from order_date), extract(doy from order_date), extract(isoyear from order_date), extract(hour from ordered_at), extract(minute from duration) from orders join events on events.id = orders.id

select date_trunc('week', ordered_at, 'Europe/Berlin'), date_trunc('hour', ordered_at) from orders

select clock_timestamp() > statement_timestamp(), transaction_timestamp() = now(), timeofday() is not null

select * from bookings where during @> date '2024-01-05' and during && daterange('2024-01-01', '2024-02-01') and not isempty(during)

select lower(during), upper(during), lower_inc(during), upper_inf(during), during * daterange('2024-01-01', null), during -|- daterange('2024-03-01', '2024-03-02'), range_merge(during, daterange('2024-06-01', '2024-06-02')) from bookings

select room, range_agg(during), range_intersect_agg(during) from bookings group by room

select int4range(1, 10) @> 5, numrange(1.0, 2.0, '[]'), tsrange(starts, ends), tstzrange(now(), null), unnest('{[1,3),[5,7)}'::int4multirange), int8range(1, 5) + int8range(4, 9) from bookings

select room, starts, ends, starts - lag(ends) over (partition by room order by starts) as gap from bookings

select host(ip), network(ip), masklen(ip), ip << inet '10.0.0.0/8', family(ip), broadcast(ip), inet '1.2.3.4' <<= cidr '1.2.0.0/16' from events

select location <-> point(0, 0) as distance, location[0], area @> location, center(area), area(area), width(area), height(area) from places order by distance

select title, ts_rank(vector, plainto_tsquery('english', 'quick fox')) as rank from documents where vector @@ to_tsquery('english', 'quick & fox') order by rank desc

select ts_headline('english', body, websearch_to_tsquery('english', '"brown fox" -dog')), to_tsvector('simple', body) @@ phraseto_tsquery('simple', 'brown fox'), setweight(vector, 'A'), strip(vector), numnode(to_tsquery('a & b')) from documents

select "Order ID", "select", "delete", "from", "Drop", "user" from "Order Details" where "delete" = 'd'

select g."order", g."limit", g."table", g.updated_by, g.insert_time, g.deleted, g."grant" from "group" g

select "group".id from "group" where "group".deleted is not true

select update_date, created_at from customers where update_date > '2024-01-01' -- not an update; delete from x

select /* delete from orders; */ count(*) /* nested /* comment */ here */ from orders -- trailing

-- a comment first
select 1

/* block */ select id from orders where notes like '%; DROP TABLE%' or notes = 'INSERT INTO x VALUES (1)'

select 'UPDATE customers SET x = 1' as sql_text, 'pg_sleep(10)' as f, 'pg_catalog.pg_class' as t

select count(*) as "select", sum(total) as "DROP TABLE", max(id) as "pg_class" from orders

select name as user_name, 'x' as role, 1 as grant_count, 2 as "commit" from customers

select id "Order Number", total "Total (USD)" from orders

SELECT COUNT(*) FROM ORDERS WHERE STATUS = 'completed'

Select O.Id, C.Name From Orders As O Join Customers As C On C.Id = O.Customer_Id Where O.Total > 100;

select name collate "C" from customers order by name collate "C" desc, city collate "de-x-icu"

select * from orders order by total using > limit 3

select * from orders order by 2 desc, 1 asc nulls first fetch first 5 rows only

select * from orders order by total offset 5 rows fetch next 5 rows only

select * from orders order by total fetch first 3 rows with ties

select * from orders limit all

select id from orders limit (select count(*) / 10 from orders)

select pg_catalog.upper('x'), pg_catalog.count(*) from orders

select 1 operator(pg_catalog.+) 2

select orders.id, orders.total from orders where orders.status = 'completed'

select public.orders.id from public.orders

select o from orders o limit 1

select (o).total, (o).id from orders o

select (r).id from (select o as r from orders o) q

select count(*) from orders o where (o.customer_id, o.status) = (select customer_id, status from orders where id = 1)

select sum(quantity * unit_price * (1 - discount)) as revenue from order_items

select c.country, p.category, sum(oi.quantity * oi.unit_price) as revenue, rank() over (partition by c.country order by sum(oi.quantity * oi.unit_price) desc) as r from customers c join orders o on o.customer_id = c.id join order_items oi on oi.order_id = o.id join products p on p.id = oi.product_id where o.status <> 'cancelled' group by c.country, p.category having sum(oi.quantity) > 0 order by 1, 4

with ranked as (select customer_id, order_date, row_number() over (partition by customer_id order by order_date) rn from orders), firsts as (select customer_id, order_date as first_date from ranked where rn = 1) select date_trunc('month', first_date) as cohort, count(distinct o.customer_id) filter (where o.order_date < first_date + interval '30 days') as m1 from firsts f join orders o using (customer_id) group by 1 order by 1

with gaps as (select order_date, order_date - (row_number() over (order by order_date))::int as grp from (select distinct order_date from orders) d) select min(order_date), max(order_date), count(*) from gaps group by grp

with t as (select customer_id, max(order_date) as last_order, count(*) as frequency, sum(total) as monetary from orders group by customer_id) select *, ntile(5) over (order by last_order) as r, ntile(5) over (order by frequency) as f, ntile(5) over (order by monetary) as m from t

with sessions as (select *, sum(case when gap > interval '30 minutes' or gap is null then 1 else 0 end) over (partition by user_id order by happened_at) as session from (select *, happened_at - lag(happened_at) over (partition by user_id order by happened_at) as gap from events) e) select user_id, session, count(*) from sessions group by 1, 2

select p1.name, p2.name, count(*) from order_items a join order_items b on a.order_id = b.order_id and a.product_id < b.product_id join products p1 on p1.id = a.product_id join products p2 on p2.id = b.product_id group by 1, 2 order by 3 desc limit 10

select status, sum(case when channel = 'online' then total else 0 end) as online, sum(case when channel = 'store' then total end) as store from orders group by status

select s.status, m.month, coalesce(x.n, 0) from (select distinct status from orders) s cross join (select generate_series(1, 12) as month) m left join (select status, extract(month from order_date)::int as month, count(*) n from orders group by 1, 2) x on x.status = s.status and x.month = m.month

with totals as (select sum(total) t from orders), c as (select count(*) n from customers), p as (select count(*) n from products), e as (select count(*) n from employees) select * from totals, c, p, e

select * from (select 1 a) w, (select 2 b) x, (select 3 c) y, (select 4 d) z

select repeat('*', (count(*) / 10)::int) as bar, status from orders group by status

select category, lpad('', count(*)::int, '#') as bar from products group by category

select repeat('█', least(quantity, 50)) from order_items

select round(100.0 * count(*) filter (where status = 'returned') / count(*), 1) || '%' as returned from orders

select round((total / nullif(lag(total) over (order by order_date), 0) - 1) * 100, 2) as growth from orders

select exp(sum(ln(total))) as product, power(1 + 0.05, 10) as factor, 10 ^ 6 as million, 1e6, 1.5e-3, .5, 5. from orders where total > 0

select width_bucket(total, 0, 2000, 10) as bucket, count(*), min(total), max(total) from orders group by 1 order by 1

select width_bucket(total, array[100, 500, 1000]) from orders

select count(*), array_length(array_agg(distinct customer_id), 1) from orders

select num_nulls(shipped_date, notes), num_nonnulls(shipped_date, notes) from orders

select sum(x) from unnest(array[1, 2, 3]) as x

select string_agg(distinct status, '|' order by status) from orders

select customer_id, string_agg(id::text, ',' order by order_date) filter (where total > 10) from orders group by customer_id

select replace(replace(replace(replace(name, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;') from products

select regexp_replace(lower(trim(name)), '[^a-z0-9]+', '-', 'g') as slug from products

select id, x, y from orders o, lateral (select o.total * 2 as x) a, lateral (select a.x + 1 as y) b

select 1 where false

select null, true, false, 'x' as a where 1 = 1 and not false or null

select not is_active, is_active and id > 3 or name = 'x' from customers

select - - 1, 1 + +1, 1-1, 1--1
+ 2

select ((((1))))

select id from orders where id in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)

select id from orders where (status = 'completed' or status = 'returned') and (total > 10 or (freight > 5 and not (channel = 'online')))

select id from orders where status not in ('cancelled') and total not between 10 and 20 and total between symmetric 500 and 1

select jsonb_agg(jsonb_build_object('m', m, 't', t) order by m) from (select date_trunc('month', order_date) m, sum(total) t from orders group by 1) q

select json_agg(row_to_json(t)) from (select id, total from orders) t

select to_jsonb(array_agg(id)) from orders

select 'a' || 1, 'x' || null, array[1] || 2, array[1] || array[2], '[1]'::jsonb || '[2]'::jsonb

select decode('6869', 'hex'), encode('hi'::bytea, 'base64'), convert_from('hi'::bytea, 'UTF8'), sha256('x'::bytea), hashtext('x'), set_byte('abc'::bytea, 0, 65)

select normalize('é', NFC), 'é' is nfc normalized, unistr('\0441')

select bit_count(B'1011'), length('jose'::bytea, 'UTF8'), get_bit('a'::bytea, 0), '101'::bit(3), 5::bit(8), '1'::varbit

select array_to_json(array[1, 2]), json_strip_nulls(raw), json_array_length('[1]'), jsonb_path_match('{"a": 1}', '$.a == 1') from events

select any_x from (select max(name) as any_x from products) s

select sum(total) total, count(*) count, avg(total) avg, date_trunc('day', ordered_at) date, max(id) max from orders group by date_trunc('day', ordered_at)

select year, month, day, value, type, name, timestamp from (select 1 as year, 2 as month, 3 as day, 4 as value, 5 as type, 6 as name, 7 as timestamp) q

select o.id as order, c.name as left, c.city as "end" from orders o join customers c on c.id = o.customer_id

select tt.table_name, tt.column_name from (select 'a' as table_name, 'b' as column_name) tt

select e.name from employees e where e.salary > (select avg(salary) from employees where department = e.department)

select department, name, salary from (select *, rank() over (partition by department order by salary desc) rk from employees) t where rk <= 3

select sum(sum(total)) over (order by date_trunc('month', order_date)) as cumulative from orders group by date_trunc('month', order_date)

select count(*) over () as all_rows, id from orders limit 5

select max(total) - min(total) as spread, percentile_cont(0.75) within group (order by total) - percentile_cont(0.25) within group (order by total) as iqr from orders

select avg(total) as mean, (select percentile_cont(0.5) within group (order by total) from orders) as median, mode() within group (order by round(total)) from orders

select lag(total, 12) over (order by order_date) as year_before, total / lag(total, 12) over (order by order_date) - 1 as yoy from orders

select c.id from customers c left join orders o on o.customer_id = c.id and o.order_date >= current_date - interval '90 day' where o.id is null

select id, total, sum(total) over (partition by customer_id order by order_date, id) as running, row_number() over (partition by customer_id order by order_date desc) = 1 as is_last from orders

select greatest(date '2024-01-01', order_date), least('a', 'b'), coalesce(notes, 'none'), coalesce(null, null, 3) from orders

select (select json_agg(x) from (select * from products order by price desc limit 3) x) as top

select extract(year from order_date)::int as year, (array['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'])[extract(month from order_date)::int] as month from orders

select 'Ünïcödé', '日本語' as "列", '🎉' from orders limit 1

select null::int, null::text, null::date, cast(null as numeric)

select is_active::int, is_active::text, (total > 100)::int from customers join orders on orders.customer_id = customers.id

select count(*) from orders, customers where orders.customer_id = customers.id

select c.name, o.id, p.name, e.name from customers c, orders o, products p, employees e, order_items i where c.id = o.customer_id and i.order_id = o.id and p.id = i.product_id and e.id = o.employee_id

select least(1, 2) + greatest(3, 4) as s, mod(id, 2) = 0 as even, id % 2 as odd from orders

select lower(email) = lower('C1@EXAMPLE.COM'), email ilike '%@example.com', split_part(email, '@', 1) from customers

select parse_ident('a.b'), to_ascii('x', 'LATIN1'), generate_subscripts(array[1, 2], 1) from orders limit 1

select 1 as a union select 2 union select 3 order by a desc

with x as (select 1 as n), y as (select n from x union all select n + 1 from x) select (select count(*) from y), n from x

select * from (with inner_cte as (select id from orders) select * from inner_cte) q

select id from orders where id = (with m as (select max(id) as i from orders) select i from m)

select count(*) from orders where order_date >= date_trunc('quarter', current_date) - interval '3 months' and order_date < date_trunc('quarter', current_date)

select case when grouping(category) = 1 then 'Total' else category end as category, sum(price) from products group by rollup (category)

select channel, array_agg(total order by total desc) as totals, (array_agg(id order by total desc))[1] as best from orders group by channel

select (array_agg(name order by salary desc))[1:3] as top3, max(salary) - avg(salary) over_average from employees group by department

select sum(total) filter (where extract(year from order_date) = 2023) as y2023, sum(total) filter (where extract(year from order_date) = 2024) as y2024 from orders

select date_trunc('month', d)::date as month, count(*) filter (where extract(isodow from d) < 6) as working_days from generate_series(date '2024-01-01', date '2024-12-31', interval '1 day') d group by 1 order by 1

select e1.kind, e2.kind, avg(e2.happened_at - e1.happened_at) from events e1 join events e2 on e2.user_id = e1.user_id and e2.happened_at > e1.happened_at group by 1, 2

select abs(extract(epoch from happened_at - timestamptz '2024-01-01')) / 3600.0 as hours from events

select coalesce(nullif(trim(notes), ''), 'n/a') from orders

select total::text || ' USD', to_char(total, 'L999G999D99'), total::money from orders

select interval '1 day' * 3, interval '1 hour' / 2, 2 * duration, duration > interval '5 seconds', sum(duration) over () from events

with recursive x(i) as (values (0) union all select i + 1 from x where i < 101), z(ix, iy, cx, cy, x, y, i) as (select ix, iy, x::float, y::float, x::float, y::float, 0 from (select -2.2 + 0.031 * i, i from x) as xgen(x, ix) cross join (select -1.5 + 0.031 * i, i from x) as ygen(y, iy) union all select ix, iy, cx, cy, x * x - y * y + cx as x, y * x * 2 + cy, i + 1 from z where x * x + y * y < 16.0 and i < 27), zt(ix, iy, i) as (select ix, iy, max(i) as i from z group by iy, ix) select array_to_string(array_agg(substring(' .,,,-----++++%%%%@@@@#### ', greatest(i, 1), 1)), '') from zt group by iy order by iy

with recursive x(s, ind) as (select sud, position(' ' in sud) from (select '1 3'::text as sud) xx union all select substr(s, 1, ind - 1) || z || substr(s, ind + 1), position(' ' in substr(s, 1, ind - 1) || z || substr(s, ind + 1)) from x, (select gs::text as z from generate_series(1, 9) gs) z where ind > 0 and not exists (select null from generate_series(1, 9) lp where z.z = substr(s, lp, 1))) select s from x where ind = 0

select json_build_object('customers', (select json_agg(json_build_object('name', c.name, 'orders', (select json_agg(json_build_object('id', o.id, 'items', (select json_agg(row_to_json(i)) from order_items i where i.order_id = o.id))) from orders o where o.customer_id = c.id))) from customers c))

with days as (select generate_series(date '2023-01-01', date '2024-12-31', interval '1 day')::date as d) select a.d, b.d, c.d from days a join days b on b.d = a.d - 7 left join days c on c.d = a.d - 365 and c.d is not null limit 5

with e as (select extract(epoch from min(happened_at))::bigint as lo, extract(epoch from max(happened_at))::bigint as hi from events) select g from e, generate_series(lo, hi, 600) g

with recursive edges(a, b) as (values (1, 2), (2, 3), (3, 1)), walk(node, path) as (select 1, array[1] union all select e.b, w.path || e.b from walk w join edges e on e.a = w.node where not e.b = any (w.path)) select path from walk

with recursive parts as (select split_part('a,b,c', ',', 1) as part, 'a,b,c' as rest, 1 as n union all select split_part(rest, ',', n + 1), rest, n + 1 from parts where split_part(rest, ',', n + 1) <> '') select part, n from parts

select o.id, i.n from orders o join generate_series(1, 5) i(n) on i.n <= o.id % 5

select concat(variadic array['a', 'b']), json_extract_path_text(raw, variadic array['a']), format('%s-%s', variadic array['a', 'b']) from events

select id isnull, id notnull from orders

select name, (salary - avg(salary) over (partition by department)) / nullif(stddev_samp(salary) over (partition by department), 0) as z_score from employees

select case when count(*) = 0 then null else sum(case when total > 100 then 1.0 else 0.0 end) / count(*) end as ratio from orders

select * from orders o where o.total = (select max(total) from orders x where x.customer_id = o.customer_id) order by o.customer_id limit 100 offset 0

select (array_agg(o order by o.total desc))[1].id from orders o group by o.customer_id

select jsonb '{"a": [1, 2]}' @@ '$.a[*] > 1', jsonb '{"a": 1}' -> 'a', '{"a": {"b": 2}}'::json #>> '{a,b}', '["a"]'::jsonb ? 'a'

select (('{"a": 1}'::jsonb)->>'a')::int + 1, payload['page'], (payload->'items')[0]['sku'] from events

select substring('2024-05-06' from '(\d{4})-(\d{2})') as y, regexp_replace('abcabc', '(\w)\1', '\1', 'g'), regexp_matches('foobarbequebaz', '(bar)(beque)')

select 'x' as "a""b", 'y' as "ünï", "a""b" from (select 1 as "a""b") q

select generate_series(10, 1, -1), generate_series(-5, 5), abs(-5), repeat('x', - -5), substr('abc', -1), 5 - -3

with recursive tree as (select id, name, manager_id, name::text as path from employees where manager_id is null union all select x.id, x.name, x.manager_id, path || ' / ' || x.name from tree join employees x on x.manager_id = tree.id) select * from tree

with recursive tree as (select id as eid, name::text as path from employees where manager_id is null union all select id, path || ' / ' || name from tree join employees on manager_id = eid) select * from tree

select format('%s%%', round(1.5)), format('$%s', to_char(total, 'FM999,990.00')) from orders

select generate_series(current_date - 29, current_date, interval '1 day')

select repeat(' ', 4 * (n - 1)) || n from generate_series(1, 5) n

select power(1.05, 500), 2 ^ 500

select 1 for read only

select concat_ws(', ', name, city, country, segment, email) from customers

select array_to_string(array(select name from products order by 1), ', ')

with recursive nums as (select 1 as n union all select n + 1 from nums where n < 5000) select count(*) from nums

select string_agg(format('%s: %s', name, price), E'\n' order by price desc) from products

select regexp_replace(name, '(.)\1+', '\1', 'g') from customers

select date_trunc('day', ts) from (select now() as ts) q group by 1

select a.n * 10 + b.n from generate_series(0, 9) a(n), generate_series(0, 9) b(n)

with d as (select n from (values (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)) v(n)) select a.n + 10 * b.n + 100 * c.n + 1000 * e.n from d a cross join d b cross join d c cross join d e

select lpad(repeat('x', 3), 10), rpad(lpad(id::text, 5, '0'), 10, '-') from orders

select case when n % 15 = 0 then 'FizzBuzz' when n % 3 = 0 then 'Fizz' else n::text end from generate_series(1, 100) n

select histogram.bucket, repeat('■', (histogram.n * 50 / max(histogram.n) over ())::int) as bar from (select width_bucket(total, 0, 2000, 20) as bucket, count(*)::int as n from orders group by 1) histogram order by 1

with t as (select total, ntile(100) over (order by total) p from orders) select p, max(total) from t where p in (50, 90, 95, 99) group by p

select o.order_date, sum(o.total) over w as total_7d, avg(o.total) over w, count(*) over w from orders o window w as (order by o.order_date range between '6 days' preceding and current row)

select json_build_object('type', 'FeatureCollection', 'features', json_agg(json_build_object('type', 'Feature', 'geometry', json_build_object('type', 'Point', 'coordinates', json_build_array(location[0], location[1])), 'properties', to_jsonb(p) - 'location'))) from places p

select (extract(epoch from max(happened_at) - min(happened_at)) / 60)::int from events group by user_id

select * from (select distinct on (user_id) user_id, kind, happened_at from events order by user_id, happened_at desc) t where kind = 'cart'

with base as (select customer_id, min(date_trunc('month', order_date)) over (partition by customer_id) as cohort, date_trunc('month', order_date) as m from orders) select cohort, (extract(year from age(m, cohort)) * 12 + extract(month from age(m, cohort)))::int as idx, count(distinct customer_id) from base group by 1, 2 order by 1, 2

select sum(case when total is null then 1 end), count(*) - count(notes), 1.0 * count(notes) / count(*) from orders

select * from orders where to_tsvector(coalesce(notes, '')) @@ to_tsquery('drop & table')

select lower(left(name, 1)) || substr(name, 2), overlay(email placing '***' from 2 for 3) from customers

select sqrt(power(location[0] - 3, 2) + power(location[1] - 4, 2)) from places

select 6371 * acos(least(1, cos(radians(52.5)) * cos(radians(40)) * cos(radians(1)) + sin(radians(52.5)) * sin(radians(40))))

select ('x' || lpad(to_hex(id), 8, '0'))::bit(32)::int from orders

select md5(string_agg(id::text, ',' order by id)) from orders

select now() at time zone 'utc' - interval '5 minutes' * n from generate_series(0, 12) n

select status, channel, sum(total) from orders group by grouping sets ((status, channel), (status), ())

select status, channel, grouping(status, channel) as g, sum(total) from orders group by cube (status, channel) order by g, 1, 2

select extract(year from order_date) as y, extract(month from order_date) as m, sum(total) from orders group by rollup (1, 2)

select status, channel, count(*) from orders group by grouping sets (rollup (status), cube (channel))

select status, channel, count(*) from orders group by distinct rollup (status, channel), rollup (status, channel)

select ship_country, status, count(*) from orders group by ship_country, grouping sets ((status), ()) having grouping(status) = 0 or count(*) > 5

select customer_id, sum(total) as spend, ntile(10) over (order by sum(total) desc) as decile from orders group by customer_id

select customer_id, sum(total) as spend, sum(sum(total)) over (order by sum(total) desc rows unbounded preceding) / sum(sum(total)) over () as cumulative from orders group by customer_id

select date_trunc('month', order_date) as m, sum(total) as r, lag(sum(total)) over (order by date_trunc('month', order_date)) as prev, round(100.0 * (sum(total) / nullif(lag(sum(total)) over (order by date_trunc('month', order_date)), 0) - 1), 1) as growth from orders group by 1

with m as (select date_trunc('month', order_date)::date as month, sum(total) as revenue from orders group by 1) select month, revenue, revenue - lag(revenue, 12) over (order by month) as yoy from m order by month

with first_order as (select customer_id, min(order_date) as first_day from orders group by customer_id), activity as (select o.customer_id, date_trunc('month', f.first_day) as cohort, (extract(year from o.order_date) - extract(year from f.first_day)) * 12 + extract(month from o.order_date) - extract(month from f.first_day) as age from orders o join first_order f using (customer_id)) select cohort, age, count(distinct customer_id) from activity group by cohort, age order by cohort, age

with r as (select customer_id, order_date, row_number() over (partition by customer_id order by order_date desc, id desc) as rn from orders) select customer_id, order_date from r where rn = 1

with s as (select user_id, happened_at, happened_at - lag(happened_at) over (partition by user_id order by happened_at) > interval '30 minutes' as is_new from events), n as (select user_id, happened_at, count(*) filter (where is_new or is_new is null) over (partition by user_id order by happened_at) as session from s) select user_id, session, min(happened_at), max(happened_at), count(*) from n group by user_id, session

select kind, count(*) as n, count(*) * 100.0 / sum(count(*)) over () as pct from events group by kind

with f as (select user_id, min(happened_at) filter (where kind = 'view') as v, min(happened_at) filter (where kind = 'cart') as c, min(happened_at) filter (where kind = 'buy') as b from events group by user_id) select count(v), count(c) filter (where c > v), count(b) filter (where b > c) from f

select percentile_cont(array[0.25, 0.5, 0.75, 0.95]) within group (order by total) from orders

select channel, percentile_cont(0.5) within group (order by total desc nulls last) filter (where status = 'completed') from orders group by channel

select percentile_disc(0.1) within group (order by order_date), mode() within group (order by status) from orders

select rank(100) within group (order by total), dense_rank(100) within group (order by total), percent_rank(100) within group (order by total), cume_dist(100) within group (order by total) from orders

select percentile_cont(0.9) within group (order by shipped_date - order_date) from orders

select percentile_cont(0.5) within group (order by duration) from events

select avg(total) filter (where order_date >= date '2023-06-01') - avg(total) filter (where order_date < date '2023-06-01') from orders

select string_agg(distinct status, ', ' order by status) from orders

select customer_id, string_agg(to_char(order_date, 'YYYY-MM-DD') || ':' || total::text, '; ' order by order_date) from orders group by customer_id

select string_agg(name, E'\n' order by length(name), name collate "C") from products

select category, array_agg(name order by price desc nulls last) filter (where not discontinued) as names from products group by category

select category, (array_agg(name order by price desc))[1] as dearest, (array_agg(name order by price))[1:2] as cheapest from products group by category

select category, json_object_agg(name, price order by name) from products group by category

select jsonb_build_object('category', category, 'products', jsonb_agg(jsonb_build_object('name', name, 'price', price) order by price)) from products group by category

select json_agg(json_build_object('id', o.id, 'items', (select json_agg(i) from (select product_id, quantity from order_items oi where oi.order_id = o.id) i))) from orders o where o.id < 5

select c.id, x.* from customers c cross join lateral (select count(*) as n, max(order_date) as last_day from orders o where o.customer_id = c.id) x

select c.id, x.day from customers c left join lateral (select order_date as day from orders o where o.customer_id = c.id order by total desc fetch first 2 rows only) x on true

select * from customers c, lateral (select sum(total) as t from orders where customer_id = c.id) s, lateral (select s.t * 2 as double_t) d

select p.name, s.value::int as size from products p, lateral jsonb_array_elements_text(p.attributes -> 'sizes') as s(value)

select p.name, s.ord, s.size from products p cross join lateral jsonb_array_elements(p.attributes->'sizes') with ordinality as s(size, ord) where s.ord <= 2

select e.id, t.tag, t.n from events e left join lateral unnest(e.tags, e.scores) with ordinality as t(tag, score, n) on true

select u.a, u.b, u.i from unnest(array[1, 2, 3], array['x', 'y']) with ordinality u(a, b, i)

select * from rows from (json_to_recordset('[{"a":1,"b":"x"}]') as (a int, b text), generate_series(1, 2)) as r(a, b, n)

select * from rows from (unnest(array[1, 2]), generate_series(1, 3)) with ordinality as r(a, b, o)

select * from jsonb_to_record('{"a": 1, "b": [1, 2], "c": {"x": 5}}') as x(a int, b int[], c jsonb)

select x.* from events e, jsonb_to_recordset(e.payload -> 'items') as x(sku int, qty numeric(10, 2))

select distinct on (category) category, name, price from products order by category, price desc nulls last, name

select distinct on (date_trunc('month', order_date), channel) date_trunc('month', order_date) as m, channel, id from orders order by date_trunc('month', order_date), channel, total desc

select distinct (category, discontinued) from products

select all status from orders

select count(distinct (customer_id, status)) from orders

select count(*) filter (where total > (select avg(total) from orders)) from orders

select o.* from orders o where (o.customer_id, o.total) in (select customer_id, max(total) from orders group by customer_id)

select * from orders where total > any (select avg(total) from orders group by channel)

select * from orders where total >= all (select total from orders where total is not null)

select * from orders where (select count(*) from order_items i where i.order_id = orders.id) between 1 and 3

select * from customers where not exists (select 1 from orders where customer_id = customers.id and order_date > current_date - 90)

select * from products where id not in (select product_id from order_items where product_id is not null)

select id from customers except all select customer_id from orders

select customer_id from orders intersect all select id from customers

(select id, 'o' as src from orders order by id limit 3) union all (select id, 'c' from customers order by id limit 3) order by src, id

select 1 as n union select 2 union all select 2 order by n desc nulls first

((select id from orders) union (select id from customers)) except (select id from employees)

values (1, 'a'), (2, null) order by 1 desc limit 1 offset 1

select * from (values ('Q1', 100), ('Q2', 200)) as targets(quarter, amount) where amount > 150

select o.id, t.label from orders o join (values (0, 50, 'small'), (50, 500, 'medium'), (500, 100000, 'large')) as t(lo, hi, label) on o.total >= t.lo and o.total < t.hi

select t.label, count(o.id) from (values (date '2023-01-01', 'Q1'), (date '2023-04-01', 'Q2')) as t(start_day, label) left join orders o on o.order_date >= t.start_day and o.order_date < t.start_day + interval '3 months' group by t.label

with recursive n(i) as (values (1) union all select i + 1 from n where i < 100) select sum(i) from n

with recursive c as (select id, manager_id, name, 1 as depth, array[id] as path from employees where manager_id is null union all select e.id, e.manager_id, e.name, c.depth + 1, c.path || e.id from employees e join c on e.manager_id = c.id where not e.id = any (c.path) and c.depth < 10) select * from c order by path

with recursive days(d) as (select date '2024-02-01' union all select d + 1 from days where d < date '2024-02-29') select d, to_char(d, 'Dy') from days

with recursive x(a, b) as (select 1, 1 union select b, a + b from x where b < 500) select * from x

with recursive m(month) as (select date_trunc('month', min(order_date)) from orders union all select month + interval '1 month' from m where month < (select max(order_date) from orders)) select m.month, coalesce(sum(o.total), 0) from m left join orders o on date_trunc('month', o.order_date) = m.month group by m.month order by m.month

with recursive g as (select id, manager_id, 0 as lvl from employees where id = 5 union all select e.id, e.manager_id, g.lvl - 1 from employees e join g on e.id = g.manager_id) select count(*) from g

with a as materialized (select * from orders where status = 'completed'), b as not materialized (select customer_id, sum(total) s from a group by 1) select c.name, b.s from b join customers c on c.id = b.customer_id

with a as (select 1 as x), b as (select x + 1 as y from a), c as (select a.x, b.y from a, b) select * from c

with orders as (select id, total from orders where total > 10) select count(*) from orders

with o as (select * from orders) select (with inner_o as (select max(total) m from o) select m from inner_o) as top, count(*) from o

with t(a, b, c) as (select status, channel, sum(total) from orders group by 1, 2) select a, max(c) filter (where b = 'online') as online, max(c) filter (where b = 'store') as store from t group by a

select status, sum(case when extract(month from order_date) = 1 then total else 0 end) as jan, sum(case when extract(month from order_date) = 2 then total end) as feb from orders group by status

select case when total < 10 then '<10' when total between 10 and 99.99 then '10-100' else '100+' end as bucket, count(*), avg(total)::numeric(10, 2) from orders group by case when total < 10 then '<10' when total between 10 and 99.99 then '10-100' else '100+' end

select width_bucket(total, 0, 1000, 10) as bucket, count(*), min(total), max(total) from orders group by bucket order by bucket

select width_bucket(total, array[0, 10, 100, 1000]::numeric[]) as bucket, count(*) from orders group by 1

select floor(total / 50) * 50 as low, floor(total / 50) * 50 + 50 as high, count(*), repeat('#', (count(*) / 2)::int) as bar from orders group by 1, 2 order by 1

select name, salary, salary - avg(salary) over w as diff, salary / max(salary) over w as share, rank() over (w order by salary desc) from employees window w as (partition by department)

select id, total, sum(total) over w1, avg(total) over (w1 rows between 3 preceding and 1 preceding) from orders window w1 as (partition by customer_id order by order_date)

select id, count(*) over (partition by date_trunc('week', order_date) order by order_date range between unbounded preceding and current row) from orders

select id, total, max(total) over (order by order_date rows between 2 following and 5 following) from orders

select id, sum(total) over (order by id rows between unbounded preceding and current row exclude current row) from orders

select id, sum(total) over (order by customer_id groups between current row and unbounded following exclude group) from orders

select id, sum(total) over (order by order_date range between interval '1 month' preceding and interval '1 day' preceding) from orders

select id, sum(total) over (order by total range between 10 preceding and 10 following exclude no others) from orders

select id, lead(order_date, 2, date '9999-12-31') over (partition by customer_id order by order_date) from orders

select id, lag(total, 1, 0::numeric) over (partition by customer_id order by order_date) from orders

select id, nth_value(total, 3) over (order by id rows between unbounded preceding and unbounded following) from orders

select id, first_value(status) over (partition by customer_id order by order_date desc) from orders

select id, last_value(total) over (partition by customer_id order by order_date range between current row and unbounded following) from orders

select avg(sum(total)) over (order by date_trunc('day', ordered_at) rows 6 preceding) from orders group by date_trunc('day', ordered_at)

select count(*) filter (where status = 'returned') over () from orders

select row_number() over () as n, * from (select * from orders order by total desc limit 10) top

select * from (select *, dense_rank() over (partition by category order by price desc) as r from products) q where r <= 3

select regr_slope(total, extract(epoch from ordered_at)::float8 / 86400) as per_day, regr_intercept(total, extract(epoch from ordered_at)::float8 / 86400), regr_r2(total, freight), corr(total, freight) from orders

select stddev_samp(total) / nullif(avg(total), 0) as cv, (sum(total) - min(total) - max(total)) / nullif(count(*) - 2, 0) as trimmed from orders

with s as (select avg(total) as m, stddev(total) as sd from orders) select o.id, (o.total - s.m) / nullif(s.sd, 0) as z from orders o cross join s where abs((o.total - s.m) / nullif(s.sd, 0)) > 2

with q as (select percentile_cont(0.25) within group (order by total) as q1, percentile_cont(0.75) within group (order by total) as q3 from orders) select o.* from orders o, q where o.total > q.q3 + 1.5 * (q.q3 - q.q1)

select exp(avg(ln(total))) as geometric_mean from orders where total > 0

select count(*) / nullif(sum(1.0 / nullif(total, 0)), 0) as harmonic from orders

select sum(total) over (order by order_date) as running, sum(total) over () as all_time from orders where order_date >= date_trunc('year', date '2024-06-30') - interval '1 year'

select extract(century from order_date), extract(decade from order_date), extract(isoyear from order_date), extract(julian from order_date), extract(millennium from order_date) from orders

select extract(second from ordered_at), extract(milliseconds from ordered_at), extract(microseconds from ordered_at), extract(timezone from ordered_at), extract(timezone_hour from ordered_at) from orders

select date_part('epoch', ordered_at - created_at) / 3600 as hours from orders join customers c on c.id = orders.customer_id

select date_trunc('quarter', order_date) + interval '3 months' - interval '1 day' as quarter_end from orders

select to_char(order_date, 'IYYY-"W"IW') as iso_week, count(*) from orders group by 1

select to_char(total, 'FM999G999D00'), to_char(order_date, 'FMMonth FMDDth, YYYY'), to_char(ordered_at, 'YYYY-MM-DD"T"HH24:MI:SS.MSOF') from orders

select to_char(12345.678, '999,999.99'), to_char(-5, 'S9'), to_char(0.5, '90%'), to_char(485, 'RN'), to_char(interval '15h 2m 12s', 'HH24:MI:SS')

select age(date '2024-03-01', date '2023-02-28'), date '2024-03-01' - date '2023-02-28', (date '2024-03-01', date '2024-04-01') overlaps (date '2024-03-15', date '2024-05-01')

select interval 'P1Y2M3DT4H5M6S', interval '1' hour, interval '2 10:30' day to minute, interval '4' year, interval '90 minutes' / 2, 1.5 * interval '1 day', - interval '1 day'

select timestamp '2024-01-01 00:00' at time zone 'Europe/Madrid' at time zone 'UTC', timestamptz '2024-01-01 00:00+02' at time zone interval '-05:00'

select ordered_at at time zone 'utc' as u, (ordered_at at time zone 'Asia/Tokyo')::date as day, count(*) over (partition by (ordered_at at time zone 'Asia/Tokyo')::date) from orders

select current_date, current_timestamp(3), localtimestamp(0), now()::date, 'today'::date, 'yesterday'::date, 'now'::timestamptz, 'infinity'::timestamp, 'epoch'::timestamptz

select make_interval(years => 1, months => 2, weeks => 3, days => 4, hours => 5, mins => 6, secs => 7.5), make_timestamptz(2024, 3, 1, 10, 0, 0, 'UTC')

select date_bin(interval '1 hour', happened_at, timestamptz '2024-01-01') as h, kind, count(*) from events group by 1, 2 order by 1, 2

select d::date as day, count(e.id) from generate_series((select min(happened_at)::date from events), (select max(happened_at)::date from events), interval '1 day') as d left join events e on e.happened_at >= d and e.happened_at < d + interval '1 day' group by d order by d

select d.day, c.kind, count(e.*) from (select generate_series(date '2024-01-01', date '2024-01-07', interval '1 day')::date as day) d cross join (select distinct kind from events) c left join events e on e.happened_at::date = d.day and e.kind = c.kind group by d.day, c.kind

select generate_series(10, 1, -3), generate_series(1, 5), generate_series(date '2024-01-31', date '2024-12-31', '1 month')

select generate_series(0::numeric, 2, 0.25) as step

select * from generate_series('2024-01-01 00:00'::timestamptz, '2024-01-02 00:00', '6 hours') as g(t)

select n, n % 3 = 0 as fizz, case when n % 15 = 0 then 'FizzBuzz' when n % 3 = 0 then 'Fizz' when n % 5 = 0 then 'Buzz' else n::text end from generate_series(1, 100) n

select generate_subscripts(tags, 1) as i, tags[generate_subscripts(tags, 1)] as tag from products

select array_length(array[[1, 2, 3], [4, 5, 6]], 2), (array[[1, 2], [3, 4]])[2][1], array[1, 2] || array[[3, 4]], array_ndims(array[[1]])

select name from products where tags && array['a', 'z'] or tags @> '{b}' or tags <@ array['a', 'b', 't1'] or 'a' = all (tags) or cardinality(tags) = 0

select array(select distinct unnest(tags) from products order by 1) as all_tags

select array(select name from products where category = c.category order by name) from (select distinct category from products) c

select array_agg(array[product_id, quantity]) from order_items

select unnest(string_to_array('a|b|c', '|')) as part, string_to_array('a,,b', ',', ''), array_to_string(array['a', null, 'b'], '-', '?')

select trim_array(scores, 1), array_remove(scores, 1), array_position(scores, 3), array_replace(scores, 1, 100), array_positions(tags, 'x') from events

select sum(s) from events, unnest(scores) s

select e.id, (select max(s) from unnest(e.scores) as s) as best, (select avg(s) from unnest(e.scores) as t(s)) from events e

select array_fill(0, array[3]), array_fill('x'::text, array[2, 2])

select payload ->> 'page' as page, count(*) from events where payload ->> 'page' like '/p1%' group by payload ->> 'page' order by 2 desc

select payload #>> '{items,0,sku}' as sku, (payload #> '{items,0,qty}')::int as qty, payload -> 'items' -> -1 from events

select jsonb_path_query_array(payload, '$.items[*].qty ? (@ > $min)', '{"min": 1}') from events

select jsonb_path_query_first(payload, 'strict $.items[last].sku', '{}', true), jsonb_path_match(payload, '$.amount > 10') from events

select payload @> '{"items": [{"qty": 2}]}', payload <@ '{}'::jsonb, payload ? 'page', payload @? '$.items[*] ? (@.sku > 5)', payload @@ '$.amount == 3' from events

select jsonb_path_exists_tz('["2024-01-01T00:00:00Z"]', '$[*] ? (@.datetime() < "2025-01-01".datetime())')

select jsonb_set(payload, '{items,0,qty}', to_jsonb(5), false), jsonb_set_lax(payload, '{page}', null, true, 'delete_key'), payload - '{page,amount}'::text[], payload #- '{items,0}' from events

select k, jsonb_typeof(v), v from events, jsonb_each(payload) as t(k, v) where id = 1

select key, count(*) from events cross join lateral jsonb_object_keys(payload) as key group by key

select payload['items'][0]['sku'], payload['page'] from events

select (payload ->> 'amount')::numeric::money, coalesce((payload ->> 'missing')::int, 0) from events

select jsonb_object_agg(kind, n) from (select kind, count(*) n from events group by kind) k

select jsonb_object(array['a', 'b'], array['1', '2']), json_object('{a,1,b,2}'), jsonb_object('{{a,1},{b,2}}')

select to_jsonb(p) - 'tags' || jsonb_build_object('margin', p.price - p.cost) from products p

select row_to_json(x) from (select id, name from customers limit 2) x

select row_to_json(row(1, 'a')), to_json(array[1, 2]), array_to_json(array[[1, 2], [3, 4]]), json_strip_nulls('{"a": null}')

select json_array_length('[1,2]'), json_typeof('1'), json_extract_path('{"a":{"b":1}}', 'a', 'b'), json_extract_path_text('{"a":[1,2]}', 'a', '1')

select raw -> 'a', raw ->> 'a', raw #> '{a}', raw #>> '{a}' from events

select e.id from events e where exists (select 1 from jsonb_array_elements(e.payload -> 'items') as i where (i ->> 'qty')::int > 1)

select sum((i ->> 'qty')::int * p.price) from events e cross join lateral jsonb_array_elements(e.payload -> 'items') i join products p on p.id = (i ->> 'sku')::int

select regexp_replace(email, '^(.).*(@.*)$', '\1***\2') from customers

select regexp_replace(name, '\s+', ' ', 'g'), regexp_replace(name, '[[:punct:]]', '', 'g'), regexp_replace(name, '(\w+) (\w+)', '\2, \1') from customers

select (regexp_match(email, '^([^@]+)@([^.]+)\.(.+)$'))[2] as domain, count(*) from customers group by 1

select id, m[1] from customers, regexp_matches(name, '(\d)', 'g') as m

select regexp_split_to_table('one, two;three', '[,;]\s*') as w, regexp_split_to_array('a1b2', '\d')

select name from customers where name ~ '^Customer (1|2)\d?$' and email !~* '@test\.' and name ~* '(?i)customer'

select regexp_count('abcabc', 'abc', 1, 'i'), regexp_instr('abcabc', 'c', 1, 2), regexp_substr('abc123', '\d+', 1, 1), regexp_like('Abc', '^a', 'i')

select name from customers where name similar to '%(1|2|3)' or name like any (array['%1', '%2']) or name not ilike all (array['a%', 'b%'])

select name ilike '%ER 1%', name like 'C\_%' escape '\', name like 'C!%%' escape '!', name not like '' from customers

select split_part(email, '@', 2) as domain, split_part(email, '.', -1) as tld, left(email, strpos(email, '@') - 1) from customers

select initcap(lower(name)), concat_ws(' / ', city, country, null), format('%s (%s)', name, coalesce(city, '?')), overlay('abcdef' placing 'XY' from 3 for 2) from customers

select substring('foobar' from 'o.b'), substring('foobar' from 2 for 3), substring('foobar' similar '%#"o_b#"%' escape '#'), substring('foobar', 3), trim(trailing 'r' from 'bar'), position('o' in 'foo')

select lpad(id::text, 6, '0') as code, rpad(name, 12, '.') || to_char(id, '999') as line, repeat('-', 20) as rule from customers

select md5(email), encode(sha256(convert_to(coalesce(email, ''), 'UTF8')), 'hex'), hashtext(name) % 10 as shard, decode('aGk=', 'base64') from customers

select chr(8364), ascii('é'), length('日本語'), octet_length('日本語'), reverse('añb'), upper('straße'), normalize('é', nfd) is nfd normalized, 'x' is normalized, unistr('\0041')

select quote_literal(name), quote_nullable(null), quote_ident('a b'), translate(name, 'aeiou', '12345'), ascii(name), bit_length(name) from customers

select name collate "C" < 'x', name collate pg_catalog."default" from customers order by name collate "C" desc

select title, ts_rank_cd(vector, q) as rank, ts_headline(body, q, 'MaxFragments=2, MaxWords=10') from documents, to_tsquery('english', 'quick & (fox | dog) & !cat') q where vector @@ q order by rank desc

select title from documents where to_tsvector('english', title || ' ' || body) @@ websearch_to_tsquery('english', 'brown or "quick fox" -cat')

select to_tsvector('fat cats ate rats') @@ (plainto_tsquery('cat') && phraseto_tsquery('ate rats')), to_tsquery('a:*') || to_tsquery('b'), !! to_tsquery('c'), to_tsquery('a') <-> to_tsquery('b'), tsquery_phrase('a'::tsquery, 'b'::tsquery, 2)

select setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', body), 'B') from documents

select (tv).lexeme, (tv).positions from (select unnest(vector) as tv from documents) q

select lexeme, count(*) from documents, unnest(vector) as u(lexeme, positions, weights) group by lexeme order by 2 desc

select tsvector_to_array(vector), ts_filter(vector, '{a,b}'), ts_delete(vector, 'fox'), array_to_tsvector(array['a', 'b']), vector::text from documents

select room, during * daterange('2024-01-01', '2024-01-10') as part, upper(during) - lower(during) as nights, during @> date '2024-01-05', during << daterange('2024-06-01', null), during &< daterange('2024-01-01', '2024-02-01') from bookings

select a.id, b.id from bookings a join bookings b on a.room = b.room and a.id < b.id and a.during && b.during

select room, range_agg(during order by during) as busy, unnest(range_agg(during)) as part from bookings group by room

select room, datemultirange(daterange('2024-01-01', '2024-02-01')) - range_agg(during) as free from bookings group by room

select daterange(date '2024-01-01', date '2024-01-31', '[]'), int4range(1, 10, '(]') * int4range(5, 15), numrange(null, 5.5) @> 3.2, '[2024-01-01,2024-02-01)'::daterange, isempty('empty'::int4range), int8range(1, 5) -|- int8range(5, 9), lower_inf(numrange(null, 1))

select multirange(daterange('2024-01-01', '2024-01-05')), '{[1,3), [5,9)}'::int4multirange @> 6, range_merge('{[1,2),[8,9)}'::int4multirange)

select tstzrange(min(happened_at), max(happened_at), '[]') from events

select kind, range_intersect_agg(tstzrange(happened_at, happened_at + interval '1 day')) from events group by kind

select ip, host(ip), text(ip), set_masklen(ip, 24), network(set_masklen(ip, 24)), ip & inet '255.255.255.0', ip + 1, ip - inet '10.0.0.0', ip << cidr '10.0.0.0/8', ip >>= inet '10.0.0.1', inet_merge(ip, '10.0.1.0') from events

select set_masklen(ip::cidr, 16) as net, count(distinct ip) from events group by 1

select macaddr '08:00:2b:01:02:03', trunc(macaddr '08:00:2b:01:02:03'), macaddr8_set7bit(macaddr8 '08:00:2b:01:02:03:04:05')

select p.name, p.location <-> point(3, 3) as d, p.location <@ circle(point(0, 0), 3), p.area && box(point(1, 1), point(2, 2)), p.location[0] as x, p.location[1] as y from places p order by p.location <-> point(3, 3) limit 3

select polygon '((0,0),(1,0),(1,1))' @> point(0.5, 0.2), lseg(point(0, 0), point(1, 1)) ?|| lseg(point(0, 1), point(1, 2)), diameter(circle '<(0,0),2>'), npoints(polygon '((0,0),(1,0),(1,1))'), slope(point(0, 0), point(1, 2))

select total::int, total::text, total::float8::numeric(10, 1), '12'::smallint, 1::bool, 'yes'::boolean, 65::"char", '{"a":1}'::jsonb::text, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid, B'101'::bit(3)::int, 10::bit(8), x'ff'::int, '\xdeadbeef'::bytea from orders limit 1

select cast(order_date as timestamp with time zone), cast(total as varchar(20)), cast(status as char(10)), cast(null as int), cast('1 day' as interval day to second), cast(1 as double precision) from orders

select nullif(trim(notes), ''), coalesce(notes, status, 'none'), greatest(order_date, shipped_date, date '2023-01-01'), least(total, 100, freight * 10), total is distinct from freight, (status is null) is not true, not (total > 5), num_nonnulls(notes, shipped_date), num_nulls(notes) from orders

select total between symmetric 100 and 10, total not between 5 and 6, order_date not in ('2024-01-01', '2024-01-02'), status = any ('{completed,returned}'), status <> all (array['x']), (status, channel) = ('completed', 'online'), row(1, 2) is not null, (id, total) < (100, 50.0) from orders

select o.id, o.total from orders o order by o.status collate "C" asc nulls first, o.total using >, 1 offset 5 rows fetch next 10 rows only

select id from orders order by total desc fetch first 5 rows with ties

select id from orders limit all offset 0

select id from orders limit 10 * 2 offset (select 3)

select id from orders order by case when status = 'completed' then 0 else 1 end, abs(total - 50), id desc

select id as "Order №", total as "Total (€)", status as "naïve ""quoted"" name" from orders

select o."id", "o".total from public."orders" as "o" where "o"."status" = 'completed'

select "Order Details"."Unit Price" * 2 as "double price" from "Order Details" where "Order Details"."select" is not null

select g.id, g."order" + g."limit" from public."group" as g

select * from orders as o (id, cust) where cust = 3

select x.a from (select 1, 2) as x(a, b)

select count(*) from orders o join customers c on c.id = o.customer_id join order_items i on i.order_id = o.id join products p on p.id = i.product_id left join employees e on e.id = o.employee_id left join employees m on m.id = e.manager_id

select c.country, p.category, sum(i.quantity * i.unit_price * (1 - i.discount))::numeric(12, 2) as revenue from customers c join orders o on o.customer_id = c.id join order_items i on i.order_id = o.id join products p on p.id = i.product_id where o.status not in ('cancelled') group by c.country, p.category having sum(i.quantity) > 1 order by revenue desc nulls last limit 20

select a.id from (orders a join customers b on a.customer_id = b.id) join employees c on c.id = a.employee_id

select * from orders o natural left join (select id as customer_id, city from customers) c

select * from (orders o join customers c on c.id = o.customer_id) as j(order_id)

select coalesce(a.m, b.m) as m, a.n, b.n from (select date_trunc('month', order_date) m, count(*) n from orders group by 1) a full outer join (select date_trunc('month', created_at) m, count(*) n from customers group by 1) b on a.m = b.m

select p1.name, p2.name, count(*) as together from order_items a join order_items b on a.order_id = b.order_id and a.product_id < b.product_id join products p1 on p1.id = a.product_id join products p2 on p2.id = b.product_id group by 1, 2 order by 3 desc limit 10

select count(*) from orders tablesample bernoulli (10.5) repeatable (1) where total > 5

select avg(total) from public.orders as o tablesample system (25)

select only_.id from only orders as only_

select o.*, c.* from orders o, customers c where o.customer_id = c.id

select (o).id, (o).total from (select o from orders o) q

select (c).name from (select c from customers c limit 1) x

select o.id, o is null, o = o, row(o.*) from orders o limit 1

select count(o) from orders o

select (x).key, (x).value from (select jsonb_each(payload) as x from events) q

select (select row(min(id), max(id)) from orders) is not null

select exists (select from orders where total > 1000) as any_big, not exists (table customers) as none

select 'a'
'b'

select E'it\'s \u00e9 \x41', U&'\00e9\+01F600', U&'!00e9' uescape '!', $q$it's; drop table x$q$, $$a$$ || 'b', b'01', x'1f', n'nat'

select 1e3, .5, 5., 1.5e-10, 1e+2, 0.1 + 0.2 = 0.3, -1, +1, - -1, 2147483648, 9223372036854775808

select 5 <> 3, 5 != 3, 3 >= 2, 'a' || 1, 1 || 'a', 10 / 3.0, 10 % 3, 6 & 3, 6 | 1

select round(2.5), round(2.5::float8), round(-1234.567, -2), trunc(-1.9), ceil(-1.1), sign(0), mod(-7, 3), div(-7, 2), gcd(12, 18), lcm(4, 6), scale(1.50), trim_scale(1.500), min_scale(1.500), factorial(10), power(2, 0.5), sqrt(2), cbrt(8), exp(1), ln(2), log(2, 1024), log10(100)

select sum(total)::numeric(14, 2) as revenue, count(distinct customer_id) as customers, sum(total) / nullif(count(distinct customer_id), 0) as arpu from orders where order_date >= '2023-01-01' and order_date < '2024-01-01'

select bit_and(id), bit_or(id), bit_xor(id), bool_and(total > 0), bool_or(total > 1000), every(id > 0) from orders

select var_pop(total), var_samp(total), stddev_pop(total), covar_pop(total, freight), covar_samp(total, freight), regr_avgx(total, freight), regr_avgy(total, freight), regr_count(total, freight), regr_sxx(total, freight), regr_sxy(total, freight), regr_syy(total, freight) from orders

select avg(duration), sum(duration), justify_interval(sum(duration)), extract(epoch from sum(duration)) / 3600 as hours, max(duration) - min(duration) from events

select max(ip), min(ip), max(array[1, 2]), min(name collate "C") from events, customers where customers.id = events.id

select customer_id, max(order_date) - min(order_date) as lifetime, count(*)::numeric / nullif((max(order_date) - min(order_date)), 0) * 30 as per_month from orders group by customer_id having count(*) > 1

with rfm as (select customer_id, current_date - max(order_date) as recency, count(*) as frequency, sum(total) as monetary from orders group by 1) select *, ntile(5) over (order by recency desc) r, ntile(5) over (order by frequency) f, ntile(5) over (order by monetary) m from rfm

with t as (select order_date, sum(total) as v from orders group by 1), g as (select *, order_date - (row_number() over (order by order_date))::int as grp from t) select min(order_date), max(order_date), count(*) from g group by grp order by 3 desc

with d as (select *, sum(case when gap then 1 else 0 end) over (partition by room order by lower(during)) as island from (select *, lower(during) > lag(upper(during)) over (partition by room order by lower(during)) as gap from bookings) b) select room, island, min(lower(during)), max(upper(during)) from d group by room, island

with p as (select name, price, sum(price) over (order by price desc) / sum(price) over () as share from products) select name, case when share <= 0.8 then 'A' when share <= 0.95 then 'B' else 'C' end as abc from p

select channel, 100 * count(*) filter (where shipped_date - order_date <= 3) / nullif(count(shipped_date), 0) as on_time from orders group by channel

select e.department, e.name, e.salary, e.salary - m.salary as gap from employees e left join employees m on m.id = e.manager_id where e.salary > (select percentile_cont(0.9) within group (order by salary) from employees x where x.department = e.department)

select status as s, count(*) c from orders group by s order by c desc, s limit 3

select (total > 100)::int as big, count(*) from orders group by (total > 100)::int

select count(*) from (select distinct customer_id, product_id from orders o join order_items i on i.order_id = o.id) d

select * from (select * from (select id from orders) a) b

select (((1 + 2)) * (3)) as n

select 1 from orders where true group by () having count(*) > 0

select

select from orders

select;

select count(*) from orders where notes ilike '%drop table%' or notes = 'delete from x; --'

select 'insert into t values (1)' as example, "delete" from "Order Details" -- update

select /*+ SeqScan(o) */ * from orders o /* ; drop table orders */ where id = 1 -- ; delete

select * from orders where id = 1;

select * from orders where id = 1 ; ;

/* a /* nested */ comment */ select 1 -- end

select current_date - order_date as days_old, (current_date - order_date) / 7 as weeks from orders

select * from orders where order_date >= now() - interval '7 days' and ordered_at < date_trunc('day', now())

select extract(dow from order_date) in (0, 6) as weekend, avg(total) from orders group by 1

select to_char(date_trunc('month', order_date), 'Mon YY') as label, sum(total) from orders group by date_trunc('month', order_date) order by date_trunc('month', order_date)

select date_part('year', age(birth_date)) as years, count(*) from customers group by 1

select isfinite(order_date), order_date + time '10:00', order_date + interval '1 month' - interval '1 day', date 'epoch' + 19000 from orders

select justify_days(interval '45 days'), justify_hours(interval '30 hours'), interval '1 month' > interval '29 days', interval '1 day' * 2.5

select timezone('UTC', now()), timezone('America/New_York', timestamp '2024-01-01'), to_timestamp(0) at time zone 'utc', to_timestamp('05 Dec 2024', 'DD Mon YYYY'), to_date('20240131', 'YYYYMMDD')

select t.status, t.n, sum(t.n) over (order by t.n desc, t.status) from (select status, count(*)::int as n from orders group by status) as t

select min(x), max(x) from (select total from orders union all select price from products) as u(x)

select category, price, price > avg(price) over (partition by category) as above from products

select 1 where exists (select 1 from orders o where o.customer_id in (select id from customers where country = 'DE') and exists (select 1 from order_items i where i.order_id = o.id and i.product_id in (select id from products where category = 'Toys')))

select c.*, (select json_agg(t order by t.order_date desc) from (select o.id, o.order_date from orders o where o.customer_id = c.id order by o.order_date desc limit 3) t) as recent from customers c limit 5

select count(*) from orders where customer_id = (select id from customers where name = 'Customer 1' limit 1)

select o.id, coalesce((select sum(i.quantity) from order_items i where i.order_id = o.id), 0) as units from orders o

select department, count(*) filter (where salary > 3000) as high, array_agg(distinct title) as titles, string_agg(name, '/') filter (where manager_id is null) as boss from employees group by department

select upper(during), lower(name) from bookings, customers where bookings.id = customers.id

select random() < 0.5 as coin, floor(random() * 6 + 1)::int as die, gen_random_uuid() is not null

select setof_.n from generate_series(1, 3) as setof_(n)

select x, y from (select 1 as x) a, lateral (select a.x + 1 as y) b

select position('@' in email) > 0 as has_at, strpos(email, '.') from customers

select concat(id, '-', name, '-', created_at::date) from customers

select sum(quantity * unit_price) as gross, sum(quantity * unit_price * discount) as discounts, sum(quantity * unit_price * (1 - discount)) as net from order_items

select coalesce(category, 'All') as category, sum(price) from products group by rollup (category) order by grouping(category), 1

select id, json_build_array(id, total), jsonb_build_array(status, null), json_build_object('k', array[1, 2]) from orders limit 1

select count(*) as "count", sum(total) as "sum", max(total) as max, min(total) as min from orders

select total as value, status as type, channel as name, id as position from orders

select year, sum(t) from (select extract(year from order_date)::int as year, total as t from orders) y group by year

select day, hour, n from (select extract(dow from happened_at) as day, extract(hour from happened_at) as hour, count(*) as n from events group by 1, 2) h order by n desc

select first.id, second.id as next_id from orders first left join orders second on second.id = first.id + 1 limit 3

select key from (select name as key from products) t where key like 'P%'

select "user", "from" from "Order Details" where created_date between '2024-01-01' and '2024-12-31'

select o.id, c.name, rank() over (partition by c.country order by o.total desc nulls last) as rank from orders o left join customers c on (c.id = o.customer_id) where c.is_active is not false and o.notes is not null or o.total is null

select 'Größe' as "größe", length('ß'), '日本' || '語', E'\u65e5' = '日'

select sum(n) from (values (1), (2), (null)) as v(n)

select * from (table orders) t limit 1

select * from ((select 1 as a) union (select 2)) u

with t as (table products) select count(*) from t

with t as (values (1, 2), (3, 4)) select column1 + column2 from t

with recursive t(n) as (select 1 union all select n + 1 from t) select n from t limit 10

with recursive tree(id, name, path, cycle) as (select id, name, array[id], false from employees where manager_id is null union all select e.id, e.name, path || e.id, e.id = any (path) from employees e, tree where e.manager_id = tree.id and not cycle) select * from tree

with recursive walk as (select 1 as step, 100.0::float8 as v union all select step + 1, v * 1.01 from walk where step < 12) select step, round(v::numeric, 2) from walk

with recursive s(id, name, level) as (select id, name, 1 from employees where manager_id is null union all select e.id, e.name, s.level + 1 from employees e join s on s.id = e.manager_id) search breadth first by id set ord cycle id set looped using path select id, level, ord, looped from s order by ord

select any_row.name from customers any_row where any_row.id = (select max(id) from customers where id <= any_row.id)

select to_number('1,234.50', '9G999D99'), to_number('-12', 'S99'), money '12.50' * 2, '12.34'::money::numeric

select get_byte('\xff00'::bytea, 0), get_bit('\x01'::bytea, 0), set_byte('\x00'::bytea, 0, 1), bit_count('\xff'::bytea), length('\x0102'::bytea), encode('\x01'::bytea, 'escape')

select acos(1), asind(0.5), atan2(1, 1), degrees(pi()), radians(90), sinh(0), cotd(45), atanh(0.5)

select starts_with(name, 'C') and name ^@ 'Cust', parse_ident('a.b'), to_hex(255), to_ascii('x') from customers limit 1

select enum_like.v from (select unnest(array['low', 'high']) as v) enum_like order by array_position(array['low', 'high'], v)

select case status when 'completed' then 'done' else status end as s, count(*) from orders group by 1 order by array_position(array['done', 'returned'], case status when 'completed' then 'done' else status end)

select sum(total) filter (where channel = 'online') / sum(total) as online_share, count(*) filter (where notes is null) as silent from orders where status in ('completed', 'returned') and order_date between (select min(order_date) from orders) and (select max(order_date) from orders)

select c.segment, count(*) as customers, avg(o.n) as avg_orders from customers c join lateral (select count(*) as n from orders where customer_id = c.id) o on o.n > 0 group by c.segment order by customers desc nulls last

select lag(total) over (order by order_date) is null as is_first, total - lag(total, 1, total) over (order by order_date) as change from orders

select date_trunc('month', o.order_date) as month, c.country, sum(o.total), sum(sum(o.total)) over (partition by c.country order by date_trunc('month', o.order_date)) as running from orders o join customers c on c.id = o.customer_id group by 1, 2

select id, total, case when total > lag(total) over w then 'up' when total < lag(total) over w then 'down' else 'flat' end as trend from orders window w as (order by order_date, id)

select weekday, avg(n) from (select order_date, to_char(order_date, 'ID') as weekday, count(*) as n from orders group by 1, 2) d group by weekday order by weekday

with m as (select to_char(order_date, 'YYYY-MM') as month, count(*) n from orders group by 1) select month, repeat('█', n::int) from m

with m as (select date_trunc('quarter', order_date) as q, 'Total' as label, count(*) n from orders group by 1) select q, label, repeat('█', (n / 10)::int) from m

select status, repeat('█', (100 * count(*) / sum(count(*)) over ())::int) from orders group by 1

select lpad(extract(month from order_date)::text, 2, '0') from orders

select generate_series(0, date '2024-12-31' - date '2024-01-01')

select d::date from generate_series((select min(order_date) from orders), (select max(order_date) from orders), interval '1 day') d

select d from generate_series((extract(year from now())::int || '-01-01')::date, current_date, '1 month') d

select n from generate_series(1, extract(day from (date_trunc('month', current_date) + interval '1 month - 1 day'))::int) n

select (extract(year from order_date)::text || lpad(extract(month from order_date)::text, 2, '0'))::int as ym, count(*) from orders group by 1

select y from generate_series(2015, extract(year from current_date)::int) y

select v.kind, count(*) from products p join (values ('beer', '(ale|lager)+'), ('wine', 'wine.*red')) v(kind, pattern) on p.name ~* v.pattern group by 1

select regexp_replace(name, '^(.*), (.*)$', '\2 \1') from customers

select generate_series(0, (current_date - min(order_date)::date)) from orders

with recursive m(d) as (select date '2024-01-01' union all select (d + interval '1 month')::date from m where d < '2024-12-01') select * from m

with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000) select i from n

with recursive c as (select id, manager_id, 1 as depth from employees where manager_id is null union all select e.id, e.manager_id, c.depth + 1 from employees e join c on e.manager_id = c.id where e.salary > 1000000) select * from c

select unnest(string_to_array('a,b,c', ',')) x from orders

select e.key, count(*) from events, jsonb_each_text(payload) e group by 1

select rpad(name, greatest(length(name), 20), '.') from customers

select generate_series(1, count(*)::int) from orders

select n, log(2, n) from generate_series(1, 100) n

select date '2024-01-01' + n from generate_series(0, 364) n

select ('2024-' || m || '-01')::date from generate_series(1, 12) m

select to_date('2024' || lpad(m::text, 2, '0') || '01', 'YYYYMMDD') from generate_series(1, 12) m

select generate_series(date_trunc('month', now() - interval '11 months'), now(), '1 month')

select i.x from orders, unnest(array[1,2,3]) i(x), unnest(array['a','b','c']) j(y)

select n, t from (select count(*) as n from generate_series(1, 90000)) a, (select sum(g) as t from generate_series(1, 90000) g) b

select o.id, c.n, p.n, e.n, t.n from orders o, (select count(*) n from customers) c, (select count(*) n from products) p, (select count(*) n from employees) e, (select name n from products order by price limit 1) t

select power(max(total) / min(total), (365.25 / (max(order_date) - min(order_date)))::numeric) from orders

select status, repeat('█', (pct / 2.5)::int) from (select status, 100.0 * count(*) / sum(count(*)) over () as pct from orders group by status) x

select status, repeat('█', (sum(total) / 1000000)::int) from orders group by status

select status, repeat('#', (avg(total) * 0.05)::int) from orders group by status

select status, repeat('#', round(100 * random())::int) from orders

select g from orders, generate_series(0, (extract(epoch from now() - order_date) / 86400)::int) g

select g from orders, generate_series(0, extract(epoch from now() - order_date)::int / 86400) g

with m as (select status, count(*) n from orders where total > 0.05 group by 1) select status, repeat('█', n::int) from m

with m as (select status, count(*) n, total > 99999.5 as large from orders group by 1, 3) select status, large::int, repeat('█', n::int) from m

select n from events e cross join lateral generate_series(1, (e.payload->>'quantity')::int) n

select repeat('x', (payload->>'duration')::int), repeat('x', (payload#>>'{session,duration}')::int) from events

select repeat('x', json_extract_path_text(payload::json, 'session', 'duration')::int) from events

select repeat('x', substring(name from '[0-9]+$')::int), repeat('x', (regexp_match(name, 'number ([0-9]+)'))[1]::int) from customers

select repeat('x', split_part(name, 'Customer ', 2)::int) from customers

select substring(name from 1 for 3), regexp_replace(name, '(\d{3})(\d{3})(\d{4})', '\1-\2-\3') from customers

select substring(name from position('-' in name) + 1), substring(name from strpos(name, '-')), regexp_replace(name, '(\d+)(\d+)(\d+)', '\1-\2') from customers

select regexp_replace(name, '(\d+)(\d+)(\d+)', '\1-\2-\3') from customers where name similar to '(C|K)ustomer [0-9]+'

select regexp_replace(name, '(\d+)(\d+)(\d+)', '\1-\2-\3') from customers where name similar to '100#%' escape '#'

select count(*) from customers c cross join orders o cross join order_items i cross join products p where c.id = o.customer_id and o.id = i.order_id and p.id = i.product_id

select c.id, x.total, y.status, z.channel from customers c cross join lateral (select total from orders o where o.customer_id = c.id order by total limit 1) x cross join lateral (select status from orders o where o.customer_id = c.id order by order_date limit 1) y cross join lateral (select channel from orders o where o.customer_id = c.id limit 1) z

select c.id, x.total, y.status, z.name from customers c cross join lateral (select total from orders o where o.customer_id = c.id) x cross join lateral (select status from orders o where o.customer_id = c.id and o.total = x.total) y cross join lateral (select p.name from products p where p.price < x.total) z

with a as (select name from products order by price limit 1), b as (select name from products order by price desc limit 1), c as (select name from customers order by credit_limit limit 1), d as (select status from orders order by total desc fetch first 1 row only) select * from a cross join b cross join c cross join d

with s as (select distinct status from orders), c as (select distinct channel from orders), t as (select distinct ship_country from orders), m as (select date_trunc('month', order_date) as month from orders group by 1) select s.status, c.channel, t.ship_country, m.month, coalesce(sum(o.total), 0) from s cross join c cross join t cross join m left join orders o on o.status = s.status and o.channel = c.channel and o.ship_country = t.ship_country and date_trunc('month', o.order_date) = m.month group by 1, 2, 3, 4

with recursive loan(n, rest) as (select 1, 250000.0 union all select n + 1, rest * 1.005 - 2000 from loan where n < 360 and rest < 500000) select n, round(rest, 2) from loan

with recursive loan as (select 1 as n, 250000.0 as rest union all select l.n + 1, l.rest * 1.005 - 2000 from loan l where l.rest > 150000 and l.rest < 5000000 and l.n < 360) select count(*) from loan

with recursive t as (select id, total, 1 as n from orders where total < 1000000 union all select id, (total * 1.1)::numeric(12, 2), n + 1 from t where n < 3) select count(*) from t

with recursive months as (select date '2024-01-01' as month), t as (select id, 1 as n from orders union all select t.id, n + 1 from t, orders o where o.id = t.id and n < 3 and o.total < 1000000) select count(*) from t, months

select power(max(total) / min(total), 1.0 / nullif(count(*) - 1, 0)) - 1 from orders

select (max(total) / min(total)) ^ (1.0 / 4) - 1 from orders

select rpad('', (100 * total / sum(total) over ())::int, '*') from orders

select lpad(((total * 100)::int)::text, 12, '0') from orders

select repeat('*', (count(*) * 50.0 / max(count(*)) over ())::int) from orders group by status

select repeat('*', ceil(total / 0.25)::int) from orders

select repeat('*', width_bucket(total, 0, 1000.5, 10)) from orders

select g from generate_series(1, ceil((select count(*) from orders) / 20.0)::int) g

select g from orders, generate_series(0, floor(extract(epoch from shipped_date - order_date::timestamp) / 86400)::int) g

select g from orders, generate_series(0, extract(day from now() - order_date)::int) g

select g from orders, generate_series(1, greatest((total / 10.5)::int, 1)) g

select g from orders, generate_series(extract(year from order_date)::int, extract(year from now())::int) g

select repeat('█', round(n * 40.0 / max(n) over ())::int) from (select status, count(*) n from orders where total between 0.5 and 100.25 group by 1) x

select repeat('█', round(n)::int) from (select status, avg(total) * 0.19 n from orders where total > 0.5 group by 1 having sum(total) > 1000.5) x

select repeat('█', (n / 1.19)::int) from (select status, sum(total) n from orders where ship_country in ('DE') and total * 1.19 > 10 group by 1) x

select repeat('█', (score * 5)::int) from (select ntile(4) over (order by total) / 4.0 as score from orders) x

select repeat('█', score::int) from (select (case when total > 99.95 then 3.5 else 1.25 end) as score from orders) x

select repeat('█', score::int) from (select coalesce(total, 0.0) as score from orders) x

select repeat('█', score::int) from (select round(total::numeric, 2) + 0.005 as score from orders) x

select repeat('█', n::int) from (select percentile_cont(0.5) within group (order by total) as n from orders) x

select repeat('█', n::int) from (select count(*) filter (where total > 0.5) as n, 'Q1 2024 12345' as label from orders) x

select repeat('█', log(2,count(*)+1)::int) from orders group by status

select d, count(o.id) from generate_series(now() - interval '3 years', now(), '15 minutes') d left join orders o on o.created_at >= d and o.created_at < d + interval '15 minutes' group by d

select d from generate_series((select min(created_at) from orders), now(), interval '1 second') d

select d::date from generate_series(date_trunc('year', current_date - 30), current_date + 365, '1 day') d

select encode(sha256(email::bytea), 'hex') from customers

select o from lower('x') o

select o.o from lower('x') o

select o.c from lower('x') as o(c)

select o.o, o.ordinality from unnest(array['a']) with ordinality o

select u.u from unnest(array['a', 'b']) u

select u.u from unnest(string_to_array('a,b', ',')) u

select u.tag, u.n from products p, unnest(p.tags) with ordinality as u(tag, n)

select t.t from products p cross join lateral unnest(p.tags) t

select (o).ordinality, (o).c from unnest(array['a']) with ordinality as o(c)

select g.g from generate_series(1, 3) g

select generate_series.generate_series from generate_series(1, 3)

select g.n * 2 from generate_series(1, 3) as g(n)

select e.value ->> 'sku' from events, jsonb_array_elements(payload -> 'items') e

select e.value, e.ordinality from events, jsonb_array_elements(payload -> 'items') with ordinality e

select e.item ->> 'sku' from events, jsonb_array_elements(payload -> 'items') as e(item)

select kv.key, kv.value from events, jsonb_each(payload) kv

select kv.k, kv.value from events, jsonb_each_text(payload) as kv(k)

select (kv).key from events, jsonb_each_text(payload) kv

select x.a, x.b from json_to_record('{"a": 1, "b": "c"}') as x(a int, b text)

select x.sku from events e cross join lateral jsonb_to_recordset(e.payload -> 'items') as x(sku int, qty int) where x.qty > 1

select r.a, r.b, r.n from rows from (json_to_recordset('[{"a": 1, "b": "x"}]') as (a int, b text), generate_series(1, 2)) as r(a, b, n)

select r.a, r.unnest from rows from (generate_series(1, 3), unnest(array['a', 'b'])) as r(a)

select r.generate_series, r.unnest, r.ordinality from rows from (generate_series(1, 3), unnest(array['a', 'b'])) with ordinality r

select u.unnest from unnest(array[1], array[2]) as u(a)

select u.a, u.b from unnest(array[1, 2], array['x', 'y']) as u(a, b) order by u.a

select d.lexeme, d.positions from documents, unnest(vector) d

select u.lexeme from unnest(to_tsvector('simple', 'a b')) u

select c.c from current_date c

select c.c from coalesce('a', 'b') c

select s.s from string_to_table('a,b', ',') s

select k.k from events, jsonb_object_keys(payload) k

select m.m[1] from customers c, regexp_matches(c.email, '^(.)') m

select q.a, q.b from (select 1 as a, 2 as b) q

select (q).a, (q).b from (select 1 as a, 2 as b) q

select (q.*).a from (select 1 as a) q

select q.x, q.b from (select 1 as a, 2 as b) as q(x)

select v.column1, v.column2 from (values (1, 'a')) v

select v.id from (values (1), (2)) as v(id)

select q.count, q.max, q.coalesce, q."case", q."row", q.array, q.exists from (select count(*), max(total), coalesce(1, 2), case when true then 1 end, row(1), array[1], exists (select 1) from orders) q

select q.date_trunc, q.sum from (select date_trunc('month', order_date), sum(total) from orders group by 1) q order by q.sum

select q.int4, q.text, q.status from (select 1::int4, 'x'::text, status::text from orders) q

select q.nullif, q.greatest, q.least, q.grouping from (select nullif(1, 2), greatest(1, 2), least(1, 2), grouping(status) from orders group by status) q

select q.extract, q.current_date from (select extract(year from order_date), current_date from orders) q

select q.total, q.array_agg from (select (select max(total) as total from orders), (array_agg(id))[1] from orders) q

select q."?column?" from (select 1) q

select q.id, q.total, q.twice from (select *, total * 2 as twice from orders) q

select q.id, q.name, q.n from (select c.*, o.n from customers c join (select customer_id, count(*) as n from orders group by 1) o on o.customer_id = c.id) q

select a.id, b.id from orders a join orders b on b.id = a.id + 1

with t as (select id, total from orders) select t.id, (t).total from t

with t(a, b) as (select id, total from orders) select t.a, t.b from t

with t as (select * from orders), u as (select t.*, t.total * 2 as twice from t) select u.id, u.twice from u

with recursive t(n) as (select 1 union all select t.n + 1 from t where t.n < 5) select t.n from t

with recursive t as (select id, manager_id, 1 as level from employees where manager_id is null union all select e.id, e.manager_id, t.level + 1 from employees e join t on t.id = e.manager_id) select t.id, t.level from t

with recursive t as (select * from employees where manager_id is null union all select e.* from employees e join t on t.id = e.manager_id) select t.name, t.salary from t

with recursive t(id, m) as (select id, manager_id from employees union select e.id, e.manager_id from employees e join t on t.id = e.manager_id) search depth first by id set seq cycle id set looped using path select t.id, t.seq, t.looped, t.path from t

select u.a from (select 1 as a union all select 2) u

select u.status, u.n from (select status, count(*) as n from orders group by 1 union all select 'all', count(*) from orders) u order by u.n

select j.id, j.name from (orders o join customers c using (id)) as j

select j.customer_id, o.total, c.city from orders o join (select id as customer_id, city from customers) c using (customer_id) as j

select o.id, c.city, customer_id from orders o natural join (select id as customer_id, city from customers) c

select o.id from orders o join order_items i on i.order_id = o.id join products p on p.id = i.product_id and p.price > i.unit_price

select c.id, x.total from customers c left join lateral (select o.total from orders o where o.customer_id = c.id order by o.total desc limit 1) x on true

select c.name, (select count(*) from orders o where o.customer_id = c.id and o.total > c.credit_limit) from customers c

select o.id from orders o where exists (select 1 from order_items o where o.quantity > 3)

select s.w, (select max(s.v) from (select 1 as v) s) from (select 2 as w) s

select (select max(i.quantity) from order_items i join products o on o.id = i.product_id where o.price > 1) from orders o

select (array_agg(o order by o.id))[1].total from orders o

select (x.o).total, (x.o).id from (select o, row_number() over (order by o.id) as n from orders o) x where x.n = 1

select (first_value(o) over (order by o.id)).status from orders o

select (lag(o) over (order by o.id)).total from orders o

select ((select o from orders o order by id limit 1)).total

select u.id, u.total from unnest((select array_agg(o) from orders o)) as u(id, customer_id, employee_id, order_date, ordered_at, shipped_date, status, total)

select (row(1, 'a')).f1, (q.r).f2 from (select row(1, 2) as r) q

select public.orders.total, orders.id from public.orders

select o.total from public.orders as o where o.status = 'completed' group by o.total having max(o.id) > 1 order by o.total

select p.x, p.y from (select location[0] as x, location[1] as y from places) p

select t.name, t.value from (select name, unnest(tags) as value from products) t

select t.key, t.value from (select (jsonb_each(payload)).* from events) t

select "Order Details"."select", d."user" from "Order Details", "Order Details" d

select o.id from orders o tablesample system (10)

select o.id, o.total from orders as o(id, customer, employee) where o.customer > 1

select name.name, text.text from products p, unnest(p.tags) name, unnest(p.tags) text

select (o).total, (c).name from orders o join customers c on c.id = (o).customer_id

select (status).total from (select total from orders) status

select (e).key, (e).value from json_each('{"a": 1}') e

select (r.e).value from (select e from jsonb_each('{"a": 1}') e) r

select (q).n from (select count(*) as n from orders) q, (select max(total) from orders) m

select (q).n, (r).count from (select 1 as n) q, (select count(*) from orders) r

select v.v, w.w from unnest(array['a', 'b']) v, unnest(array[1, 2::numeric]) w

select x.x from unnest(array[array['a', null], array['b'::text, 'c']]) x

select tag.tag from products p, unnest(p.tags) tag

select (l).total from (select lag(o) over (order by id) as l from orders o) q

select a.id, (a).name from (select id, name from customers) a join orders o using (id)

select (o).status from orders o natural join (select 1 as id) one

with recursive r as (select * from employees where manager_id is null union all select e.* from employees e join r on e.manager_id = r.id where r.name <> '' and r.hired_on is not null) select name from r

select q.max from (select (select max(total) from orders)) q

select q.total from (select (select o.total from orders o limit 1)) q

select (row(1, 'a')).f2

select * from orders where total between 10 and 220 and id = 0 - '43'

select count(*) from orders o join customers c on c.id = o.customer_id where o.total - '5' > 0 - '7'
