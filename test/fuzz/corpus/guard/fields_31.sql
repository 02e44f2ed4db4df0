select u.a from (select 1 as a union all select 2) u
