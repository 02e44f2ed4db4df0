-- Builds of semantic models are runs: a build has a row of `runs`, and with it the
-- lease, the epoch, the events, the checkpoints and the takeover of every run. What
-- was asked for, and what came of it, stays in semantic_model_runs, as a question and
-- its answer stay in data_chat_messages.
--
-- Servers of the version before may still be running. Their builds have no row of
-- `runs`, but a process and a lease in semantic_model_runs, as before.

-- A run has either a chat or a build. Messages are deleted with their chat alone,
-- which deletes its runs too.
alter table runs
    drop constraint runs_message_id_fkey,
    alter column chat_id drop not null,
    add column build_id uuid references semantic_model_runs on delete cascade;
create unique index runs_build on runs (build_id) where build_id is not null;

alter table semantic_model_runs
    alter column process drop not null,     -- these two: of builds without
    alter column lease_until drop not null, -- a row of `runs`
    add column describe boolean not null default true;

-- ---- runs of chats, as before --------------------------------------------------

-- The version before calls these two functions, and knows nothing of builds.

-- Takes over up to `p_most` runs of chats whose lease has expired.
create or replace function take_over_runs(p_owner text, p_lease_ms integer,
                                          p_most integer)
returns setof runs language sql as $$
    update runs r
       set owner = p_owner, epoch = r.epoch + 1, attempt = r.attempt + 1,
           lease_until = now() + p_lease_ms * interval '1 millisecond'
     where r.message_id in (
               select message_id from runs
                where ended_at is null and lease_until < now()
                  and build_id is null
                order by lease_until
                limit p_most
                  for update skip locked)
 returning r.*
$$;

-- As in 001, but builds do not count towards p_limit.
create or replace function claim_runs(p_messages uuid[], p_chats uuid[],
                                      p_users uuid[], p_full boolean[],
                                      p_owner text, p_limit integer,
                                      p_lease_ms integer, p_tokens bigint)
returns setof text language plpgsql as $$
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
               p_tokens > 0 and p_tokens <= (
                   select coalesce(sum(t.tokens), 0) from token_usage t
                    where t.user_id = u.id
                      and t.at >= date_trunc('day', now() at time zone 'UTC')
                                  at time zone 'UTC') as spent,
               case when p_limit > 0 then
                   (select count(*) from runs r
                     where r.user_id = u.id and r.ended_at is null
                       and r.lease_until > now()
                       and r.build_id is null) end as running
          from (select distinct a.owner_id as id from asked a) u
    ), judged as (
        select a.*, u.running,
               case when m.status is null then 'missing'
                    when m.status <> 'generating' or a.repeated > 1
                         or exists (select from runs r
                                     where r.message_id = a.message)
                    then 'taken'
                    when u.spent then 'spent'
                    when a.is_full then 'full' end as refusal
          from asked a
          join users_of u on u.id = a.owner_id
          left join lateral (
              select m.status from data_chat_messages m
               where m.id = a.message and m.chat_id = a.chat
                 and m.role = 'assistant'
                 and exists (select from data_chats c
                              where c.id = a.chat and c.owner_id = a.owner_id
                                and c.deleted_at is null)
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

-- ---- takeover ------------------------------------------------------------------

-- Takes over up to `p_most` runs of any kind whose lease has expired.
create function take_over_any_runs(p_owner text, p_lease_ms integer,
                                   p_most integer)
returns setof runs language sql as $$
    update runs r
       set owner = p_owner, epoch = r.epoch + 1, attempt = r.attempt + 1,
           lease_until = now() + p_lease_ms * interval '1 millisecond'
     where r.message_id in (
               select message_id from runs
                where ended_at is null and lease_until < now()
                order by lease_until
                limit p_most
                  for update skip locked)
 returning r.*
$$;

-- ---- builds --------------------------------------------------------------------

-- Runs as the API shows them. The progress of a build in progress is an artifact of
-- its run: {"stage", "done", "total", "at": ms since 1970}.
create view model_runs_shown as
    select n.id, n.owner_id, n.connection_id, n.database_name, n.name, n.visibility,
           n.selected_schemas, n.selected_tables, n.instructions, n.status,
           n.error_code, n.error, n.found, n.semantic_model_id,
           coalesce(p.now->>'stage', n.stage) as stage,
           coalesce((p.now->>'done')::integer, n.done) as done,
           coalesce((p.now->>'total')::integer, n.total) as total,
           n.created_at, n.ended_at,
           coalesce(to_timestamp((p.now->>'at')::double precision / 1000),
                    n.updated_at) as updated_at
      from model_runs_now n
      left join lateral (select a.body::json as now from run_artifacts a
                          where a.message_id = n.id and a.kind = 'progress'
                            and n.status = 'running') p on true;

-- The last event of a run that has ended.
create function model_run_end(p_id uuid) returns json language sql stable as $$
    select case when r.status = 'complete' then json_build_object(
               'type', 'run_complete', 'runId', r.id, 'semanticModelId', s.id,
               'datasetCount', s.dataset_count,
               'relationshipCount', s.relationship_count,
               'metricCount', s.metric_count)
           else json_build_object(
               'type', 'run_error', 'runId', r.id, 'code', r.error_code,
               'message', r.error, 'error', r.error) end
      from model_runs_now r
      left join semantic_models s on s.id = r.semantic_model_id
                                 and s.deleted_at is null
     where r.id = p_id
$$;

-- Starts a run, which p_process owns. Outcomes as in 001; `run` is its id.
create function start_model_run(
    p_owner uuid, p_all boolean, p_connection uuid, p_database text, p_name text,
    p_visibility text, p_schemas text[], p_tables text[], p_instructions text,
    p_describe boolean, p_process text, p_lease_ms integer, p_user_most integer,
    p_process_most integer)
returns table (outcome text, run uuid) language plpgsql as $$
declare
    its_database text;
    other        record;
begin
    perform pg_advisory_xact_lock(hashtextextended('start_model_run', 0));
    perform end_lost_model_runs();
    select coalesce(p_database, c.database_name) into its_database
      from connections c
     where c.id = p_connection
       and (c.owner_id = p_owner or c.visibility = 'shared' or p_all);
    if not found then
        return query select 'missing', null::uuid;
        return;
    end if;
    select r.id, r.owner_id into other
      from semantic_model_runs r join connections c on c.id = r.connection_id
     where r.status = 'running'
       and (r.owner_id = p_owner and r.name = p_name
         or r.connection_id = p_connection
            and coalesce(r.database_name, c.database_name) = its_database
            and (r.selected_schemas && p_schemas
              or cardinality(r.selected_schemas) = 0 or cardinality(p_schemas) = 0))
     order by r.owner_id = p_owner desc limit 1;
    if found then
        return query select 'busy', case when other.owner_id = p_owner or p_all
                                         then other.id end;
        return;
    end if;
    if exists (select from semantic_models s join connections c
                 on c.id = s.connection_id
                where s.owner_id = p_owner and s.name = p_name
                  and s.deleted_at is null
                  and not (c.id = p_connection and its_database =
                           coalesce(s.database_name, c.database_name))) then
        return query select 'taken', null::uuid;
        return;
    end if;
    if p_process_most <= (select count(*) from runs
                           where owner = p_process and ended_at is null
                             and build_id is not null)
       or p_user_most <= (select count(*) from semantic_model_runs
                           where status = 'running' and owner_id = p_owner) then
        return query select 'full', null::uuid;
        return;
    end if;
    return query
        with build as (
            insert into semantic_model_runs (owner_id, connection_id, database_name,
                name, visibility, selected_schemas, selected_tables, instructions,
                describe)
            values (p_owner, p_connection, p_database, p_name, p_visibility,
                p_schemas, p_tables, p_instructions, p_describe)
            returning id)
        insert into runs (message_id, build_id, user_id, owner, lease_until, phase)
        select id, id, p_owner, p_process, now() + p_lease_ms * interval '1 ms',
               'building' from build
        returning 'started', message_id;
end $$;

-- Writes why a run has ended without a model, and tells its readers.
create function settle_model_run(p_id uuid, p_status text, p_code text, p_error text)
returns void language sql as $$
    update semantic_model_runs r
       set status = p_status, error_code = p_code, error = p_error,
           stage = n.stage, done = n.done, total = n.total, ended_at = now(),
           updated_at = now()
      from model_runs_shown n
     where r.id = p_id and n.id = p_id and r.status = 'running';
    select pg_notify('sextant', 'wrote ' || p_id);
$$;

-- Ends a run that failed. False: it has another owner, or has ended.
create function finish_model_run(p_id uuid, p_epoch integer, p_status text,
                                 p_code text, p_error text)
returns boolean language plpgsql as $$
begin
    update runs set ended_at = now(), lease_until = null, phase = 'done'
     where build_id = p_id and epoch = p_epoch and ended_at is null;
    if not found then
        return false;
    end if;
    perform settle_model_run(p_id, p_status, p_code, p_error);
    return true;
end $$;

-- Ends a run for its user, whichever process owns it; the owner finds another
-- epoch. Does nothing when the run has ended.
create function cancel_model_run(p_id uuid, p_code text, p_error text)
returns void language plpgsql as $$
begin
    update runs set epoch = epoch + 1, owner = null, lease_until = null,
           phase = 'done', ended_at = now(), cancel_requested = true
     where build_id = p_id and ended_at is null;
    perform settle_model_run(p_id, 'cancelled', p_code, p_error);
end $$;
