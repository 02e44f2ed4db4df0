select q.x, q.b from (select 1 as a, 2 as b) as q(x)
