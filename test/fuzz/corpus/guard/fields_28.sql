select q.int4, q.text, q.status from (select 1::int4, 'x'::text, status::text from orders) q
