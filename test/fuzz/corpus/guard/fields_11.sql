select exists (select 1 where u.exec_sql is not null) from unnest(array['x']) u
