select status, string_agg(notes, ', ' order by id) from orders group by status

select string_agg(distinct city, ', ') from customers

select c.city, array_agg(o.id) from customers c join orders o on o.customer_id = c.id group by c.city

select array_agg(o.id) from customers c join orders o on o.customer_id = c.id

select json_agg(o) from customers c, orders o where o.customer_id = c.id and c.city = 'Oslo'

select jsonb_agg(o.id) from orders o join events e using (id) where e.kind = 'buy'

select array_agg(p.name order by p.name) from order_items i join products p on p.id = i.product_id join orders o on o.id = i.order_id

select o.id, json_agg(json_build_object('sku', p.id, 'n', i.quantity)) from orders o left join order_items i on i.order_id = o.id left join products p on p.id = i.product_id group by o.id

select c.name, array(select o.id from orders o where o.customer_id = c.id order by 1) from customers c

select json_agg(json_build_object('name', c.name, 'orders', (select json_agg(o) from orders o where o.customer_id = c.id))) from customers c

select json_agg(q) from (select customer_id, json_agg(o) as list from orders o group by customer_id) q

select c.id, x.list from customers c cross join lateral (select array_agg(o.id) as list from orders o where o.customer_id = c.id) x

select jsonb_agg(jsonb_build_object('c', c.id, 'x', x.id)) from customers c cross join lateral (select o.id from orders o where o.customer_id = c.id order by o.total desc limit 3) x

select a.product_id, b.product_id, count(*), array_agg(a.order_id) from order_items a join order_items b on a.order_id = b.order_id and a.product_id < b.product_id group by 1, 2

select m.name, string_agg(e.name, ', ') from employees e join employees m on e.manager_id = m.id group by m.name

select b.room, array_agg(o.id) from bookings b join orders o on o.order_date between b.starts and b.ends group by b.room

select b.id, array_agg(o.id) from bookings b join orders o on o.order_date >= b.starts and o.order_date < b.ends group by b.id

select array_agg(a.id) from bookings a join bookings b on a.starts < b.ends and a.ends > b.starts

select array_agg(a.id) from bookings a join bookings b on a.during && b.during

select array_agg(b.room) from bookings b join orders o on b.during @> o.order_date

select array_agg(p.name) from products p join customers c on p.name like '%' || c.name || '%'

select array_agg(o.id) from orders o join customers c on o.customer_id = any(array[c.id, c.id + 1])

select array_agg(o.id) from orders o join customers c on date_trunc('month', o.order_date) = date_trunc('month', c.created_at)

select array_agg(o.id) from orders o, customers c where c.id = o.customer_id or c.id = o.employee_id

select array_agg(name) from customers, orders where customer_id = customers.id

select array_agg(o.id) from orders o, customers c where customer_id = c.id

select array_agg(o.id) from orders o natural join order_items

select array_agg(o.id) from orders o where exists (select 1 from customers c where c.id = o.customer_id)

select d::date, array_agg(o.id) from generate_series(date '2023-01-01', date '2023-12-31', interval '1 day') d left join orders o on o.order_date = d::date group by d

select d::date, coalesce(sum(o.total), 0) from generate_series('2023-01-01'::date, '2023-12-31', '1 day') d left join orders o on o.order_date >= d and o.order_date < d + interval '1 day' group by 1

select c.name, array_agg(m order by m) from customers c cross join generate_series(1, 12) m group by c.name

select c.id, m.month, coalesce(sum(o.total), 0) from customers c cross join (select generate_series(date '2023-01-01', date '2023-12-01', interval '1 month')::date as month) m left join orders o on o.customer_id = c.id and date_trunc('month', o.order_date) = m.month group by c.id, m.month

select v.rate, sum(o.total * v.rate) from orders o cross join (values (0.1), (0.2), (0.3)) v(rate) group by v.rate

select jsonb_agg(q) from (select s.status, c.channel, count(o.id) as n from (select distinct status from orders) s cross join (select distinct channel from orders) c left join orders o on o.status = s.status and o.channel = c.channel group by 1, 2) q

select json_agg(row_to_json(t)) from (select s.status, m.m from (select distinct status from orders) s cross join generate_series(1, 12) m(m)) t

select string_agg(s.status || '/' || c.channel, ', ') from (select status from orders group by status) s, (select channel from orders group by channel) c

select array_agg(x) from generate_series(1, 1000) x

select array_agg(a * b) from generate_series(1, 100) a, generate_series(1, 100) b

select array_agg(o.id) from orders o, (values ('a'), ('b')) v(x)

with s as (select avg(total) as m from orders) select array_agg(o.id) from orders o cross join s where o.total > s.m

with top as (select id from customers order by credit_limit desc limit 5) select array_agg(o.id) from orders o join top on top.id = o.customer_id

select array_agg(o.id), t.n from orders o, (select count(*) as n from customers) t group by t.n

select percentile_cont(0.5) within group (order by o.total) from orders o join customers c on c.id = o.customer_id

select count(distinct o.customer_id) from orders o join bookings b on o.order_date >= b.starts

select count(distinct a.id) from orders a join orders b on a.total < b.total

select count(*), sum(a.total) from orders a cross join customers b

select e.name, (select string_agg(x.name, ', ') from employees x where x.salary > e.salary) from employees e

select customer_id, array_agg(id) over (partition by customer_id order by order_date) from orders

select translate(email, '()- ', '') from customers

select btrim(name, ' .,;-'), ltrim(email, 'x'), rtrim(city, '/') from customers

select * from customers where name like '%ust%' and email not ilike '%@spam.%'

select name from customers where name like any (array['%a%', '%b%'])

select strpos(notes, 'DROP'), position('x' in notes), split_part(email, '@', 2), replace(name, 'C', 'K') from orders join customers on customers.id = customer_id

select strpos(string_agg(name, ','), 'Customer 3') from customers

select string_to_array(string_agg(name, ','), ',') from customers

select repeat('*', length(name)) like '%*%' from customers

select to_date(to_char(order_date, 'YYYYMM'), 'YYYYMM') from orders

select name from products where tags @> array['a'] and tags && array['b', 'c']

select array_agg(distinct product_id) @> array[1, 2], order_id from order_items group by order_id

select a.order_id, b.order_id from (select order_id, array_agg(product_id) as p from order_items group by 1) a, (select order_id, array_agg(product_id) as p from order_items group by 1) b where a.p @> b.p

select array(select i.product_id from order_items i where i.order_id = o.id) && array[1, 2] from orders o

select id from events where payload @> '{"page": "/p1"}' and payload ?& array['page', 'items']

select payload - array['items', 'page'], payload - 'amount' from events

select jsonb_path_query(payload, '$.items[*].sku') from events

select jsonb_path_query(payload, '$.**.sku') from events

select jsonb_path_query(payload, '$.items[*] ? (@.qty > 1 && @.sku < 50).sku') from events

select jsonb_path_query_array(payload, '$.items[0 to 2].*'), jsonb_path_query_first(payload, '$.items[0, 1].qty') from events

select jsonb_path_exists(payload, '$.items[*] ? (@.sku == $.amount)') from events

select jsonb_path_exists(payload, '$.items[*] ? (@.tags[*] == "x" || exists(@.sub[*] ? (@.n > 1)))') from events

select jsonb_path_query_array(jsonb_agg(payload), '$[*].items[*] ? (@.qty >= 2)') from events

select jsonb_path_query(payload, ('$.' || kind)::jsonpath) from events

select k.value->>'key' from events, jsonb_path_query(payload, '$.keyvalue()') k(value)

select payload @? '$.items[*] ? (@.qty > 1)', payload @@ '$.amount > 3' from events

select ts_headline('english', body, websearch_to_tsquery('english', 'quick fox')) from documents

select ts_headline('english', title || ' ' || body, to_tsquery('fox'), 'StartSel=<b>, StopSel=</b>, MaxWords=35') from documents

select id, ts_rank_cd(to_tsvector('english', title || ' ' || body), q) from documents, plainto_tsquery('quick') q where to_tsvector('english', title || ' ' || body) @@ q

select word, count(*) from documents, regexp_split_to_table(lower(body), '\s+') word group by word order by 2 desc limit 20

select lexeme, nentry from unnest(to_tsvector('simple', (select string_agg(body, ' ') from documents))) as t(lexeme, positions, weights), lateral (select array_length(positions, 1) as nentry) n

with recursive t(id, path) as (select id, name::text from employees where manager_id is null union all select e.id, t.path || ' > ' || e.name from employees e join t on e.manager_id = t.id) select path, strpos(path, '>'), replace(path, ' > ', '/') from t

with recursive t(id, ids) as (select id, array[id] from employees where manager_id is null union all select e.id, t.ids || e.id from employees e join t on e.manager_id = t.id where not e.id = any(t.ids)) select id, ids @> array[1] from t

with recursive t(n, s) as (select 1, 'x' union all select n + 1, s || ', x' from t where n < 100) select s from t

select array_agg(o.id) from orders o join bookings b on b.starts <= o.order_date and (b.ends > o.order_date or b.ends is null)

select e.name, (select string_agg(o.status, ', ') from orders o where o.order_date >= e.hired_on and o.order_date < e.hired_on + 30) from employees e

select json_agg(q) from (select e.name, (select array_agg(o.id) from orders o where o.order_date between e.hired_on and e.hired_on + 30) as ids from employees e) q

select m[1], count(*) from documents, regexp_matches(body, '\w+', 'g') m group by 1

select p.name, s.size from products p, jsonb_to_recordset(p.attributes->'parts') as s(size int)

select array_agg(id) from (select id, total from orders) a natural join (select id, kind from events) b

select array_agg(b.id) from orders a join orders b on a.order_date - 1 = b.order_date

select concat_ws(', ', string_agg(name, ' '), string_agg(city, ' ')) from customers group by country

select p.name, q.name, p.location <-> q.location from places p, places q where p.id < q.id order by 3 limit 5

select polygon(12, circle '<(0,0),1>') <-> polygon(12, circle '<(5,5),1>'), polygon(64, circle(location, 1)) @> location from places

select array_agg(o.id) from orders o join customers c on (o.customer_id = c.id and c.city = 'X')

select array_agg(o.id) from orders o join (values (1, 'a'), (2, 'b')) v(id, name) on v.id = o.employee_id

select array_agg(o.id) from orders o join (select 1 as id, 'a' as name union all select 2, 'b') v on v.id = o.employee_id

select json_agg(o) from orders o join unnest(array[1, 2]) u on u = o.id

select json_agg(o.id) from orders o join generate_series(1, 12) m on m = extract(month from o.order_date)

select array_agg(o.id) from orders o left join customers c on c.id is not distinct from o.customer_id

select array_agg(a.id) from orders a join orders b on (a.customer_id, a.status) = (b.customer_id, b.status)

select array_agg(c.id) from customers c where (c.id, c.city) in (select customer_id, ship_country from orders)

select array_agg(p.id) from products p join events e on e.payload ? p.name

select array_agg(a.id) from orders a full join customers b on a.customer_id = b.id full join events c on coalesce(a.id, b.id) = c.user_id

select array_agg(o.id order by o.total desc) from orders o cross join (select max(order_date) as d from orders) m where o.order_date > m.d - 30

with monthly as (select date_trunc('month', order_date) m, sum(total) t from orders group by 1), stats as (select avg(t) a, stddev(t) s from monthly) select jsonb_agg(jsonb_build_object('m', m, 'z', (t - a) / s)) from monthly cross join stats

with a as (select customer_id, count(*) n from orders group by 1), b as (select user_id, count(*) k from events group by 1) select json_agg(json_build_object('c', c.name, 'n', a.n, 'k', b.k)) from customers c left join a on a.customer_id = c.id left join b on b.user_id = c.id

select c.name, (select array_agg(distinct p.category) from orders o join order_items i on i.order_id = o.id join products p on p.id = i.product_id where o.customer_id = c.id) from customers c

select string_agg(x.line, E'\n') from (select format('%s %s', s.status, count(*)) as line from orders s group by s.status) x

select array_agg(o.id) from orders as o, customers as c, order_items as i where o.customer_id = c.id and i.order_id = o.id and c.city = 'Oslo'

select percentile_cont(0.5) within group (order by b.order_date - a.order_date) from orders a join orders b on a.customer_id = b.customer_id and b.order_date > a.order_date

select count(distinct a.customer_id) from orders a, orders b where a.order_date < b.order_date and a.status = 'x'

select ts_headline('english', n.notes, to_tsquery('english', 'late & delivery')) from (select coalesce(notes, '') as notes from orders) n

select o.id from orders o where exists (select 1 from customers c where c.id = o.customer_id and strpos(c.name, o.ship_country) > 0)

select array_agg(id) from orders where status = any(array(select distinct status from orders where total > 100))

select array_fill(0, array[168]) @> array[1], string_to_array(repeat('a,', 10), ',') && array['a'] from orders

select normalize(name), name is normalized, normalize(name || ' ' || city, nfkc) from customers

select array_agg(a.id) from orders a join bookings b on a.id = b.order_id or b.order_id is null

select a.month, json_agg(a.total) from (select date_trunc('month', order_date) as month, total from orders) a join (select date_trunc('month', hired_on) as month, id from employees) b using (month) group by a.month

select json_agg(a) from (select q.k, q.n from (select status as k, count(*) as n from orders group by 1) q) a join (select q.k, q.m from (select kind as k, count(*) as m from events group by 1) q) b using (k)

select array_agg(a.x) from (select row_number() over () as k, id as x from orders) a join (select row_number() over () as k, id as x from customers) b using (k)

with d as (select generate_series(date '2023-01-01', date '2023-12-31', interval '1 day')::date as day) select json_agg(d.day) from d join orders o on o.order_date = d.day

select c.id, array(select max(o.total) from orders o where o.customer_id = c.id) from customers c

select c.name, array(select count(*) from orders o, order_items i) from customers c

select c.name, array(select sum(o.total * c.rate) from orders o, order_items i) from customers c

select array_agg(x.id) from customers c cross join lateral (select o.id from orders o where o.customer_id = c.id order by o.total desc fetch first 3 rows with ties) x

select array_agg(id) from (select id from orders order by total desc fetch first 10 rows with ties) q

select y, p.name, array_agg(o.id) from generate_series((select extract(year from min(order_date)) from orders)::int, (select extract(year from max(order_date)) from orders)::int) y cross join products p left join orders o on o.product_id = p.id and extract(year from o.order_date) = y group by y, p.name

select array_agg(d) from generate_series(date_trunc('year', now()), now(), '1 day') d

select json_agg(d) from generate_series((select date_trunc('month', min(order_date)) from orders), date_trunc('month', now()), interval '1 month') d

select array_agg(d) from generate_series(now() - interval '01:00:00', now(), '1 minute') d

select array_agg(d) from generate_series(date '2023-01-01', date '2023-12-31', interval '1 day' * 7) d

select json_agg(q) from (select b, count(o.id) from generate_series(0, (select max(total) from orders), (select max(total) from orders) / 10) b left join orders o on o.total >= b group by b) q

select p.name, json_agg(distinct c.city) from products p cross join customers c group by 1

select p.name, string_agg(distinct c.city, ', ') from products p cross join customers c group by p.name

select count(*) from generate_series((select min(created_at) from customers where city = 'Zone 1234'), now(), '1 minute') d

select array_agg(d) from generate_series(to_timestamp(1700000000), to_timestamp(1701000000), '1 day') d

select d, count(*) from generate_series((select make_date(extract(year from min(order_date))::int, 1, 1) from orders), now(), '1 minute') d group by d

select array_agg(x.v) from orders o join (select g.m as k, e.id as v from generate_series(1, 12) g(m) join events e on e.id = g.m) x on x.k = o.id

select array_agg(x.id) from orders o join (select t.id, t.user_id as k from events t tablesample system (10)) x on x.k = o.customer_id

select array_agg(o.id) from orders o join (select j.customer_id as k from (events e join customers c using (customer_id)) as j) x on x.k = o.customer_id join (select u.id as k from events e join customers c using (id) as u) y on y.k = o.id

select array_agg(o.id) from orders o cross join lateral (select c.id as k from customers c where c.id = o.customer_id) x
