-- A system database that has been used for long: 1,000 users, :chats chats with ten
-- messages each, and what their runs left. `bench/run.py --grown` adds it.
-- In bulk: without triggers, and with one index built afterwards.
begin;
set local session_replication_role = replica;
set local maintenance_work_mem = '256MB';
drop index data_chat_messages_words;

insert into users (id, email)
select gen_random_uuid(), 'user' || n || '@example.com' from generate_series(1, 1000) n;

insert into data_chats (name, ontology_id, owner_id, message_count, created_at, updated_at)
select 'Chat ' || n, (select id from ontologies limit 1), u.id, 10, t, t
  from generate_series(1, :chats) n
  join lateral (select now() - n * interval '1 minute' as t) a on true
  join (select id, row_number() over () - 1 as place from users
         where email like 'user%@example.com') u on u.place = n % 1000;

-- Five questions and their answers in each chat.
with made as (
    select c.id as chat, gen_random_uuid() as question, gen_random_uuid() as answer,
           c.created_at + k * interval '1 second' as t, k
      from data_chats c, generate_series(1, 5) k where c.name like 'Chat %'
     order by c.created_at, k)
insert into data_chat_messages (id, chat_id, parent_id, role, content, created_at)
select m.* from made, lateral (values
    (question, chat, null::uuid, 'user', 'Why is revenue of city ' || k || ' low?', t),
    (answer, chat, question, 'assistant',
     'Orders of city ' || k || ' were fewer than those of the other cities.', t))
    as m(id, chat, parent, role, content, t);

insert into runs (message_id, chat_id, user_id, owner, phase, started_at, ended_at)
select m.id, c.id, c.owner_id, 'grown', 'done', m.created_at, m.created_at + interval '5 seconds'
  from data_chat_messages m join data_chats c on c.id = m.chat_id
 where m.role = 'assistant' and c.name like 'Chat %';

insert into run_events (message_id, first, last, frames)
select message_id, 1, 1, E'event: message_start\ndata: {"type":"message_start"}\nid: 1\n\n'
  from runs r where owner = 'grown';
insert into run_artifacts (message_id, kind, body)
select message_id, 'digest', 'x' from runs where owner = 'grown';
insert into llm_traces (message_id, call_index, phase, purpose, provider, model,
    prompt_messages, started_at, completed_at, duration_ms)
select message_id, 0, 'planner', 'plan', 'openai', 'm', '[]', started_at, ended_at, 1
  from runs where owner = 'grown';
insert into token_usage (user_id, at, tokens)
select user_id, ended_at, 1000 from runs where owner = 'grown';

insert into chat_counts (owner_id, chats)
select owner_id, count(*) from data_chats where name like 'Chat %' group by 1;
create index data_chat_messages_words on data_chat_messages
    using gin (to_tsvector('simple', left(content, 50000))) where content <> '';
commit;
