with t as (select * from orders), u as (select t.*, t.total * 2 as twice from t) select u.id, u.twice from u
