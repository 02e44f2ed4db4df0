-- The 200 chats that the load client uses, with ids that it knows. They use the newest
-- ontology and belong to the newest user with a token:
--   psql "$DATABASE_URL" -f bench/seed.sql
insert into data_chats (id, name, ontology_id, owner_id, llm_provider)
select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
       'Bench ' || n, o.id,
       coalesce((select id from users where email <> 'cli@localhost'
                  order by created_at desc limit 1), o.owner_id), 'openai'
  from generate_series(1, 200) n,
       (select id, owner_id from ontologies where status = 'ready'
         order by created_at desc limit 1) o
    on conflict (id) do update set ontology_id = excluded.ontology_id,
       owner_id = excluded.owner_id;
-- As autovacuum does within a minute of such a load: without statistics the planner
-- sorts the table for each page.
analyze data_chats;
