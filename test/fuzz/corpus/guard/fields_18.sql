select q.b from (select 'x' as a) as q(b), lateral (select q.a) z
