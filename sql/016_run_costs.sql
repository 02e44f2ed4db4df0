-- What a run costs: fewer checks, fewer indexes, fewer plans. Nothing of this changes
-- what is stored, except that a trace may share the beginning of its prompt with an
-- earlier call of its run.

-- In the order in which the journal locks them: runs in progress wait for this
-- migration, and it for them, but never both.
lock table runs, run_events, run_artifacts, llm_traces in access exclusive mode;

-- ---- what the journal and the end of a run write --------------------------------

-- A foreign key is checked for each row, some forty times a run. The journal has
-- locked the row of its run, so the run is there; what a run leaves is deleted by
-- triggers.
alter table run_events drop constraint run_events_message_id_fkey;
alter table run_artifacts drop constraint run_artifacts_message_id_fkey;
alter table llm_traces drop constraint llm_traces_message_id_fkey;

create function delete_run_record() returns trigger language plpgsql as $$
begin
    delete from run_events where message_id = old.message_id;
    delete from run_artifacts where message_id = old.message_id;
    delete from llm_traces where message_id = old.message_id;
    return null;
end $$;
create trigger runs_delete_record after delete on runs
    for each row execute function delete_run_record();

-- The user's row was locked for each run and once more for its tokens: runs of one
-- user kept lists of locks there. A run is deleted with its chat or its build, and
-- these with their user.
alter table runs drop constraint runs_user_id_fkey;
alter table token_usage drop constraint token_usage_user_id_fkey;

create function delete_token_usage() returns trigger language plpgsql as $$
begin
    delete from token_usage where user_id = old.id;
    return null;
end $$;
create trigger users_delete_token_usage after delete on users
    for each row execute function delete_token_usage();

-- ---- traces --------------------------------------------------------------------

-- A call is found by its run and its place there, never by its id.
alter table llm_traces drop constraint llm_traces_pkey;
alter table llm_traces add constraint llm_traces_call
    primary key using index llm_traces_call;

-- A prompt that continues an earlier one of its run: the call that had its first
-- `shared_messages` messages. `prompt_messages` has only the others.
alter table llm_traces add column shared_call integer,
                       add column shared_messages integer;

-- The messages of a call, with those that it shares with earlier ones.
create function prompt_of(p_message uuid, p_call integer)
returns text language sql stable as $$
    with recursive part as (
        select t.prompt_messages, t.shared_call,
               coalesce(t.shared_messages, 0) as before, null::integer as most
          from llm_traces t
         where t.message_id = p_message and t.call_index = p_call
         union all
        select t.prompt_messages, t.shared_call, coalesce(t.shared_messages, 0),
               least(part.most, part.before)
          from part
          join llm_traces t on t.message_id = p_message
                           and t.call_index = part.shared_call)
    select '[' || string_agg(m.value::text, ',' order by before + m.n) || ']'
      from part,
           json_array_elements(prompt_messages) with ordinality as m(value, n)
     where most is null or before + m.n <= most
$$;

-- ---- progress ------------------------------------------------------------------

-- The tokens that a run has used, written with each phase: "<prompt> <completion>
-- <total> <cached> <reasoning> <cost> ", then "~" when some were estimated and "?"
-- when some have no price. They were a part of the artifact
-- `so_far`, which each phase wrote again.
alter table runs add column tokens text;

-- ---- indexes -------------------------------------------------------------------

-- While lease_until had an index, each renewal of a lease wrote an entry into all
-- indexes of `runs`. Open runs are few: runs_live finds them all. Runs of a chat are
-- found by runs_of_chat, open answers by data_chat_messages_generating.
drop index runs_lease;
drop index runs_chat;
drop index data_chat_messages_open;

-- Each run leaves eight old rows here and two there. By default a vacuum waits until a
-- fifth of a table is dead.
alter table runs set (autovacuum_vacuum_scale_factor = 0.02);
alter table data_chats set (autovacuum_vacuum_scale_factor = 0.02);

-- ---- plans ---------------------------------------------------------------------

-- These were planned for each call, which took longer than to execute them.
alter function count_tokens() set plan_cache_mode = force_generic_plan;

create or replace function chat_is_busy(p_chat uuid)
returns boolean language plpgsql stable as $$
begin
    return exists (select from data_chat_messages m
                    where m.chat_id = p_chat and m.status = 'generating');
end $$;

-- claim_runs of 002, with one more outcome:
--   costly   the user's runs have cost p_cost today (UTC); 0: no limit
-- and with one plan. It is made for any number of claims: each lookup has a limit, so
-- that none becomes a scan of a table that was small then.
create function claim_runs(p_messages uuid[], p_chats uuid[], p_users uuid[],
                           p_full boolean[], p_owner text, p_limit integer,
                           p_lease_ms integer, p_tokens bigint, p_cost bigint)
returns setof text language plpgsql
set plan_cache_mode = force_generic_plan as $$
begin
    if p_limit > 0 then
        perform from users where id = any (p_users) order by id
            for no key update;
    end if;
    -- A claim needs no disk flush of its own: the first commit of the run that a
    -- user can see flushes it too.
    perform set_config('synchronous_commit', 'off', true);
    return query
    with asked as (
        select a.*, row_number() over (partition by a.message order by a.n)
                        as repeated
          from unnest(p_messages, p_chats, p_users, p_full)
               with ordinality as a(message, chat, owner_id, is_full, n)
    ), users_of as (
        select u.id,
               p_tokens > 0 and p_tokens <= used.tokens as spent,
               p_cost > 0 and p_cost <= used.cost as costly,
               case when p_limit > 0 then
                   (select count(*) from runs r
                     where r.user_id = u.id and r.ended_at is null
                       and r.lease_until > now()
                       and r.build_id is null) end as running
          from (select distinct a.owner_id as id from asked a) u
          left join lateral (select * from used_today(u.id)) used
            on p_tokens > 0 or p_cost > 0
    ), judged as (
        select a.*, u.running,
               case when m.status is null then 'missing'
                    when m.status <> 'generating' or a.repeated > 1
                         or (select true from runs r
                              where r.message_id = a.message limit 1)
                    then 'taken'
                    when u.spent then 'spent'
                    when u.costly then 'costly'
                    when a.is_full then 'full' end as refusal
          from asked a
          join users_of u on u.id = a.owner_id
          left join lateral (
              select m.status from data_chat_messages m
               where m.id = a.message and m.chat_id = a.chat
                 and m.role = 'assistant'
                 and (select true from data_chats c
                       where c.id = a.chat and c.owner_id = a.owner_id
                         and c.deleted_at is null limit 1)
               limit 1) m on true
    ), placed as (
        select j.*, row_number() over (
                   partition by j.owner_id, j.refusal is null order by j.n)
                       as place
          from judged j
    ), settled as (
        select p.n, p.message, p.chat, p.owner_id,
               case when p.refusal is not null then p.refusal
                    when p.running + p.place > p_limit then 'busy'
               end as refusal
          from placed p
    ), made as (
        insert into runs (message_id, chat_id, user_id, owner, lease_until)
        select s.message, s.chat, s.owner_id, p_owner,
               now() + p_lease_ms * interval '1 millisecond'
          from settled s where s.refusal is null
            on conflict (message_id) do nothing
        returning message_id
    )
    select coalesce(s.refusal, case when made.message_id is null
                                    then 'taken' else 'claimed' end)
      from settled s left join made on made.message_id = s.message
                                   and s.refusal is null
     order by s.n;
end $$;
