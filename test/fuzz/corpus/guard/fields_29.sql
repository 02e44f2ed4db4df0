select q.id, q.total, q.twice from (select *, total * 2 as twice from orders) q
