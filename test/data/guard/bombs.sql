-- expect: too_costly

select array_agg(a.id) from orders a, orders b

select array_agg(a.id) from orders a cross join customers b

select json_agg(a) from orders a join customers b on true

select jsonb_agg(a.notes) from orders a join customers b on 1 = 1

select string_agg(a.notes, '') from orders a inner join customers b on a.id = a.id

select string_agg(a.notes, ',') from orders a, customers b where a.status = 'completed' and b.city = 'Oslo'

select array_agg(b.name) from orders a, customers b where a.total > 10 or b.id is not null

select json_object_agg(a.id, b.id) from orders a cross join orders b

select jsonb_object_agg(a.id::text || '-' || b.id, b.status) from orders a, orders b

select array_agg(a.id) from orders a join orders b on a.id <> b.id

select array_agg(a.id) from orders a join orders b on a.id < b.id

select array_agg(a.id) from orders a join orders b on a.id >= b.id and a.id >= b.customer_id

select array_agg(a.id) from orders a left join orders b on a.id = b.id or true

select array_agg(a.id) from orders a left join orders b on coalesce(a.id = b.id, true)

select array_agg(a.id) from orders a join orders b on (a.id > 0) = (b.id > 0)

select array_agg(a.id) from orders a join orders b on a.id * 0 = b.id * 0

select array_agg(a.id) from orders a join orders b on a.id = a.id + 0 * b.id

select array_agg(a.id) from orders a join orders b on not (a.id = b.id)

select array_agg(a.id) from orders a join orders b on a.id is distinct from b.id

select array_agg(a.id) from orders a join orders b on a.id not in (b.id, b.customer_id)

select array_agg(a.id) from orders a join orders b on a.status !~ b.status

select array_agg(a.id) from orders a join orders b on a.total between 0 and 1000000

select array_agg(a.id) from orders a, orders b where a.id in (select id from customers)

select array_agg(p.id) from (select 1 as k, id from orders) p join (select 1 as k, id from orders) q on p.k = q.k

select array_agg(p.id) from (select 1 as k, id from orders) p join (select 1 as k, id from orders) q using (k)

with a as (select id from orders), b as (select id from customers) select array_agg(a.id) from a, b

with p as (select a.id from orders a cross join orders b) select jsonb_agg(p.id) from p

with p as (select a.id from orders a, orders b) select status, array_agg(p.id) from p, products group by status

select jsonb_agg(q) from (select a.id, b.name from orders a, customers b) q

select a.id, array(select b.id from orders b, customers c) from orders a

select array(select a.id from orders a, orders b)

select array_length(array(select a.total from orders a cross join products p where a.total > 5), 1)

select jsonb_agg(x) from (select array(select id from orders) as x from customers) q

select jsonb_agg(q.ids) from (select array_agg(id) as ids from orders) q, customers c

select array_agg(x) from orders o, unnest((select array_agg(id) from customers)) x

select a.status, array_agg(b.id) from orders a, orders b group by a.status

select 1, array_agg(b.id) from orders a, orders b group by 1

select array_agg(b.id) over () from orders a, orders b

select array_agg(b.id) over (partition by a.status) from orders a, orders b

select string_agg(b.name, '') filter (where a.id > 3) from orders a, customers b

select array_agg(o.id) from orders o left join lateral (select id from customers) c on true

select (select array_agg(o.id) from customers c, orders o)

select count(*) from orders where id = any((select array_agg(a.id) from orders a, orders b)::int[])

select range_agg(int4range(a.id, a.id + 1)) from orders a, orders b

select array_agg(j.id) from (orders a cross join customers b) as j(id)

select array_agg(o.id) from orders o tablesample system (50), customers c

select array_agg(x) from generate_series(1, 3000) x, generate_series(1, 3000) y

select jsonb_agg(x) from generate_series(1, 100000) x, generate_series(1, 100) y

select string_agg(o.notes, '') from orders o, generate_series(1, 10000)

select array_agg(o.id) from orders o cross join generate_series('2020-01-01'::date, '2024-12-31', '1 day') d

select json_agg(d) from generate_series(now() - interval '900000 hours', now(), '1 hour') d

select json_agg(n) from generate_series(1, (select 9000000)) n

with recursive t(n) as (select 1 union all select n + 1 from t where n < 90000) select array_agg(a.n) from t a, t b

with recursive t(n, s) as (select 1, 'x' union all select n + 1, s || repeat('y', 100000) from t where n < 5000) select length(s) from t

select percentile_cont(0.5) within group (order by a.total) from orders a, orders b

select mode() within group (order by a.status) from orders a cross join orders b

select count(distinct a.notes) from orders a join customers b on true

select array_agg(x order by x) from (select a.id + b.id as x from orders a, orders b) q

select ts_headline(repeat('ab cd ', 40000), 'ab <-> cd')

select ts_headline('english', repeat('ab ', 80000) || 'cd', 'ab <-> cd'::tsquery)

select ts_headline('simple', string_agg(body, ' '), 'fox'::tsquery) from documents

select ts_headline(concat(repeat('x ', 60000), body), to_tsquery('x')) from documents

select ts_headline('english', array_to_string(array(select body from documents), ' '), websearch_to_tsquery('fox'), 'MaxFragments=10')

select ts_headline('english', rpad(body, 200000, 'ab '), 'ab'::tsquery) from documents

select ts_headline(jsonb_agg(body), 'fox'::tsquery) from documents

select to_tsvector('simple', repeat('x y z ', 40000) || repeat('x y z ', 40000) || repeat('x y z ', 40000) || repeat('x y z ', 40000) || repeat('x y z ', 40000))

select to_tsvector(repeat('x y ', id * 1000)) from orders

select ts_rank_cd(to_tsvector(repeat('a b ', 60000)), ('a' || repeat(' & b', 10000))::tsquery)

select to_tsvector(repeat('a b ', 60000)) @@ (repeat('a <-> b <-> ', 5000) || 'c')::tsquery

select jsonb_path_query(payload, '$.**.**.**') from events

select payload @? '$.**.a.**.b.**' from events

select payload @@ '$.**.**.** == 1' from events

select jsonb_path_query('[[[[[[[[[[1]]]]]]]]]]', '$.**.**.**.**.**.**.**.**')

select jsonb_path_query_array(payload, 'strict $ ? (exists($.**.** ? (exists($[*]))))') from events

select jsonb_path_exists(payload, '$.items[*] ? (exists($.items[*] ? (exists($.items[*] ? (@.sku > 3)))))') from events

select jsonb_path_query('1', '$[0,0,0,0,0,0,0,0,0,0][0,0,0,0,0,0,0,0,0,0][0,0,0,0,0,0,0,0,0,0][0,0,0,0,0,0,0,0,0,0][0,0,0,0,0,0,0,0,0,0][0,0,0,0,0,0,0,0,0,0][0,0,0,0,0,0,0,0,0,0]')

select jsonb_path_query('{"a":1}', '$.keyvalue().keyvalue().keyvalue().keyvalue().keyvalue().keyvalue().keyvalue().keyvalue().keyvalue().keyvalue().keyvalue().keyvalue().keyvalue().keyvalue()')

select jsonb_path_exists(jsonb_agg(g), '$[*] ? ($[*] == "x")') from generate_series(1, 100000) g

select jsonb_path_query((select jsonb_agg(id) from orders), '$[*] ? (exists($[*] ? (@ < 0)))')

select jsonb_path_query_array(jsonb_agg(o.total), '$[*] ? (@ > $[*])') from orders o

select jsonb_path_query_array(('{"a":' || repeat('[', 3000) || repeat(']', 3000) || '}')::jsonb, '$.**.**')

select jsonb_path_query(payload, ('$' || repeat('.**', 10))::jsonpath) from events

select jsonb_path_query(payload, p::jsonpath) from events, (select '$.**.**.**.**' as p) q

select jsonb_path_query(payload, ('$.' || chr(42) || chr(42) || '.' || chr(42) || chr(42))::jsonpath) from events

select translate(repeat('x', 250000), repeat('y', 250000), 'z')

select length(translate(repeat(name, 10000), repeat(name, 10000), '')) from customers

select btrim(repeat('x', 100000), repeat('y', 100000) || 'x')

select trim(leading repeat('é', 50000) from repeat('e', 100000))

select rtrim(repeat('é', 100000), repeat('y', 100000) || 'é')

select strpos(repeat('a', 250000), 'b' || repeat('a', 125000))

select position('b' || repeat('a', 125000) in repeat('a', 250000))

select replace(repeat('a', 250000), 'b' || repeat('a', 125000), '')

select split_part(repeat('a', 250000), 'b' || repeat('a', 125000), 2)

select string_to_array(repeat('a', 250000), 'b' || repeat('a', 125000))

select count(*) from string_to_table(repeat('a', 250000), 'b' || repeat('a', 125000))

select strpos((select string_agg(notes, '') from orders), (select string_agg(name, '') from customers))

select repeat('a', 250000) like '%' || repeat('a', 125000) || 'b%'

select lpad(name, 200000, 'a') ilike '%' || rpad('a', 100000, 'a') || 'b%' from customers

select repeat('a', 250000) not like concat('%', repeat('a', 125000), 'b%')

select repeat('a', 200000) like any (array['%' || repeat('a', 100000) || 'b%', 'x'])

select to_date(repeat('1', 250000), repeat('YYYY', 60000))

select array_agg(x) @> array_agg(x + 1) from generate_series(1, 100000) x

select array_agg(x::text) && array_agg((-x)::text) from generate_series(1, 100000) x

select array_agg(x) <@ array_agg(x) from generate_series(1, 90000) x

select array_fill(1, array[30000]) && array_fill(2, array[30000])

select array(select id from orders) @> array(select id from customers)

select (select array_agg(id) from orders) && (select array_agg(id) from customers)

select jsonb_agg(x) @> jsonb_agg(100000 - x) from generate_series(1, 100000) x

select jsonb_agg(x::text) ?| array_agg((-x)::text) from generate_series(1, 100000) x

select jsonb_agg(x::text) ?& array_agg(x::text) from generate_series(1, 100000) x

select jsonb_agg('a' || x) - array_agg('b' || x) from generate_series(1, 100000) x

select jsonb_contains(jsonb_agg(x), jsonb_agg(-x)) from generate_series(1, 100000) x

select array_agg(x.id) from orders a, lateral (select b.id from orders b where b.id > a.id) x

select array_agg(x.id) from orders a cross join lateral (select b.id from orders b where b.id <> a.id) x

select array_agg(x) from regexp_split_to_table(repeat('a,', 100000), ',') x, regexp_split_to_table(repeat('a,', 100000), ',') y

select array_agg(x.a) from jsonb_to_recordset((select jsonb_agg(o) from orders o)) as x(a int), jsonb_to_recordset((select jsonb_agg(o) from orders o)) as y(a int)

select translate(repeat(body, 100), repeat(body, 100), '') from documents

select ts_headline(repeat(body, 200), 'fox'::tsquery) from documents

select ts_headline(string_agg(body, ' '), 'fox'::tsquery) from documents group by title

select polygon(16000, circle '<(0,0),1>') && polygon(16000, circle '<(5,5),1>')

select array_agg(a.id) from orders a natural join (select 1 as zzz from orders) b

select array_agg(p.x) from (select id as x from orders) p natural join (select id as y from orders) q

select array_agg(a.id) from orders a join orders b on a.id - a.id = b.id - b.id

select array_agg(total) from orders, customers where total = total

select array_to_string(array_agg(id), (select string_agg(notes, '') from orders)) from orders

select concat_ws((select string_agg(notes, '') from orders), variadic (select array_agg(name) from customers))

select polygon(2000, circle '<(0,0),1>') <-> polygon(2000, circle '<(50,5),1>')

select polygon(1000, circle '<(0,0),1>') <-> polygon(1000, circle '<(50,5),1>')

select array_agg(j) from (orders a cross join customers b) as j

select array_agg(a.id) from orders a join customers b using (customer_id) as u cross join items c

select array_agg(k.x) from ((orders a cross join customers b) as j cross join items c) as k(x)

select ('['||repeat('1,',50000)||'2]')::jsonb @> ('['||repeat('2,',50000)||'2]')::jsonb

select string_to_array(repeat('1,',50000)||'2',',') && string_to_array(repeat('3,',50000)||'3',',')

select string_to_array(repeat('1,',50000)||'2',',') && array_fill('3'::text, array[30000])

select array_fill(''::text, array[200000]) && array_fill('a'::text, array[30000])

select string_to_array(repeat('a',50000), null) <@ string_to_array(repeat('b',50000), null)

select ('{'||repeat('1,',50000)||'2}')::int[] @> ('{'||repeat('2,',50000)||'2}')::int[]

select ('['||repeat('"a",',30000)||'2]')::jsonb - string_to_array(repeat('b,',30000),',')

with a as (select string_to_array(repeat('1,',50000)||'2',',') x) select 1 from a where x && array_fill('3'::text, array[30000])

with a(s) as (select '1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,'), b(s) as (select s||s||s||s||s||s||s||s from a), c(s) as (select s||s||s||s||s||s||s||s from b), d(s) as (select s||s||s||s||s||s||s||s from c) select string_to_array(s, ',') <@ string_to_array(s || '0', ',') from d

select length(normalize('a' || repeat(U&'\0301\0327', 60000)))

select 'a' || repeat(U&'\0301\0327', 60000) is nfd normalized

select normalize(string_agg(U&'\0301\0327', ''), nfkc) from orders

select array_agg(a.id) from orders a, orders b where a.id = b.id or null::int is null

select array_agg(a.id) from orders a join orders b on a.id = b.id or nullif(1, 1) is null

select array_agg(a.id) from orders a join orders b on a.id = b.id or (a.id + null) is null

select array_agg(a.id) from orders a join (select null::int as z, id from orders) b on a.id = b.id or b.z is null

select array_agg(a.x) from (select k,x from (select 1 as k, id as x from orders) z) a join (select k,x from (select 1 as k, id as x from orders) z) b using (k)

select array_agg(a.x) from (select * from (select 1 as k, id as x from orders) z) a join (select z.*, 2 as n from (select 1 as k, id as y from orders) z) b using (k)

select array_agg(a.x) from (select k, x from (select 1 as k, id as x from orders) z) a natural join (select z.k, z.x as y from (select 1 as k, id as x from orders) z) b

select array_agg(a.x) from (select abs(1) as k, id as x from orders) a join (select abs(1) as k, id as x from orders) b using (k)

select array_agg(a.x) from (select lower(upper('a')) as k, id as x from orders) a join (select left('abc', 1) as k, id as x from orders) b on a.k = b.k

select array_agg(a.x) from (select (select 1) as k, id as x from orders) a join (select (select 1) as k, id as x from orders) b using (k)

with z as (select 1 as k, id as x from orders), a as (select k, x from z), b as (select z.k, x from z) select array_agg(a.x) from a join b on a.k = b.k

select array_agg(a.x) from (select 1 as k, id as x from orders union all select 1, id from orders) a join (select 1 as k, id as x from orders) b using (k)

select array_agg(a.x) from (select k, o.id as x from orders o, (select 1) v(k)) a join (select k, o.id as x from orders o cross join (values (1)) v(k)) b using (k)

select array_agg(a.x) from (select k, o.id as x from orders o, (select max(id) as k from orders) m) a join (select k, o.id as x from orders o, (select max(id) as k from orders) m) b using (k)

select array_agg(a.x) from (select k, o.id as x from orders o, (select id as k from orders limit 1) m) a join (select k, o.id as x from orders o, (select id as k from orders limit 1) m) b using (k)

select array(select max(o.id) from orders a, orders b) from customers o group by o.id

select array(select count(o) from orders a, orders b) from customers o group by o.id

select array(select string_agg(o.name, ',') from orders a cross join orders b) from customers o group by o.id

select array_agg(x) from (select 1 as x from orders a, orders b order by 1 fetch first 1 rows with ties) q

select array(select 1 as x from orders a, orders b order by 1 fetch first 5 rows with ties)

select array_agg(g) from generate_series((random()*1)::bigint, 1000000000 + (random()*1)::bigint) g

select array_agg(a) from generate_series((random()*1)::int, 9000 + (random()*1)::int) a, generate_series((random()*1)::int, 9000 + (random()*1)::int) b

select jsonb_agg(g) from (select generate_series((random()*1)::bigint, 1000000000 + (random()*1)::bigint) g) q

select array_agg(g) from generate_series(to_timestamp(0), now(), '1 second') g

select array_agg(g) from generate_series(timestamptz 'epoch', now(), '1 second') g

select array_agg(g) from generate_series(make_timestamptz(1970, 1, 1, 0, 0, 0), now(), '1 second') g

select array_agg(g) from generate_series('1 Jan 1970'::timestamptz, now(), '1 second') g

select array_agg(g) from generate_series(date_trunc('millennium', now()), now(), '1 second') g

select array_agg(g) from generate_series(date_trunc('dec' || 'ade', now()), now(), '1 second') g

select array_agg(g) from generate_series(1, 900, (random()+1)::numeric/1000000) g

select array_agg(g) from generate_series(1, 900, 1 / (1000000 + random())) g

select jsonb_agg(g) from (select generate_series(1, 900, (random()+1)::numeric/1000000) g) q

select array_agg(g) from generate_series('Jan 1 1970', now(), '1 second') g

select array_agg(g) from generate_series(make_timestamp(1, 1, 1, 0, 0, 0), now(), '1 hour') g

select array_agg(g) from generate_series(to_timestamp(-62135596800), now(), '1 hour') g

select array_agg(g) from generate_series(to_timestamp(1 - 1), now(), '1 minute') g

select array_agg(x.v) from orders o join lateral (select o.id as k, b.id as v from events b) x on x.k = o.id
