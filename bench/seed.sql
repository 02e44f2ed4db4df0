-- The 1000 chats that the load client uses, with ids that it knows. They use the newest
-- ontology and belong to the newest user with a token:
--   psql "$DATABASE_URL" -f bench/seed.sql
insert into data_chats (id, name, ontology_id, owner_id, llm_provider)
select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
       'Bench ' || n, o.id,
       coalesce((select id from users where email <> 'cli@localhost'
                  order by created_at desc limit 1), o.owner_id), 'openai'
  from generate_series(1, 1000) n,
       (select id, owner_id from ontologies where status = 'ready'
         order by created_at desc limit 1) o
    on conflict (id) do update set ontology_id = excluded.ontology_id,
       owner_id = excluded.owner_id;
-- Each has ten messages, as the load client's chats have in use: five answers of 1,200
-- characters, and what their runs did.
with said as (
    insert into data_chat_messages (chat_id, role, content, created_at)
    select c.id, case k % 2 when 0 then 'user' else 'assistant' end,
           case k % 2 when 0 then 'Why is Houston underperforming?'
                else repeat('Houston sold less than the others. ', 34) end, now()
      from (select id from data_chats where name like 'Bench %' order by id) c,
           generate_series(0, 9) k
     where not exists (select from data_chat_messages m where m.chat_id = c.id)
    returning id, chat_id, role),
ran as (
    insert into runs (message_id, chat_id, user_id, phase, ended_at)
    select s.id, c.id, c.owner_id, 'done', now()
      from said s join data_chats c on c.id = s.chat_id where s.role = 'assistant')
insert into run_artifacts (message_id, kind, body)
select id, 'digest', repeat('Query 1: revenue by city and month, 60 rows. ', 18)
  from said where role = 'assistant';
-- A message follows the one before it.
update data_chat_messages m
   set parent_id = (select id from data_chat_messages p
                     where p.chat_id = m.chat_id and p.seq < m.seq
                     order by p.seq desc limit 1)
 where m.parent_id is null
   and m.chat_id in (select id from data_chats where name like 'Bench %');
update data_chats set message_count = 10 where name like 'Bench %' and message_count = 0;
-- As autovacuum does within a minute of such a load: without statistics the planner
-- sorts the table for each page.
analyze data_chats, data_chat_messages;
