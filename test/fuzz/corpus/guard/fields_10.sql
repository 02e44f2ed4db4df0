with c(b) as (select 'x'::text as a) select c.a from c
