-- The CSV analyst: threads, and what is kept of its runs.
--
-- A thread is a chat that a client names by a text of its own.

alter table data_chats add column thread_id text
    check (thread_id is null or length(thread_id) between 1 and 255);
create unique index data_chats_thread on data_chats (owner_id, thread_id)
    where thread_id is not null and deleted_at is null;

-- One row for each run that has ended: the latest query, plan or code, and its
-- result. The answer's text is in the message.
create table run_capsules (
    run_id       uuid primary key references data_chat_messages
                     on delete cascade,
    created_at   timestamptz not null default now(),
    dataset_id   text not null,
    question     text not null,
    query_mode   text not null, -- chat, sql, plan, python
    plan_json    json,
    compiled_sql text,
    python_code  text,
    status       text not null, -- succeeded, rejected, failed
    result_json  json,
    error_json   json,
    exec_time_ms bigint not null default 0
);

-- Ends a run as finish_run does, and writes its capsule. Text that cannot be
-- stored costs the capsule, not the run.
create function finish_run_capsule(p_message uuid, p_epoch integer,
                                   p_status text, p_content text,
                                   p_metadata json, p_chat_name text,
                                   p_charts json, p_capsule text)
returns boolean language plpgsql as $$
declare
    c json;
begin
    if not finish_run(p_message, p_epoch, p_status, p_content, p_metadata,
                      p_chat_name, p_charts) then
        return false;
    end if;
    begin
        c := p_capsule::json;
        insert into run_capsules (run_id, dataset_id, question, query_mode,
                                  plan_json, compiled_sql, python_code, status,
                                  result_json, error_json, exec_time_ms)
        values (p_message, c->>'dataset_id', c->>'question', c->>'query_mode',
                nullif(c->>'plan_json', '')::json, c->>'compiled_sql',
                c->>'python_code', c->>'status', c->'result_json',
                nullif(c->>'error_json', '')::json,
                coalesce((c->>'exec_time_ms')::bigint, 0))
            on conflict do nothing;
    exception when data_exception then
        raise warning 'the capsule of run % was not stored: %', p_message,
                      sqlerrm;
    end;
    return true;
end $$;

-- The ontology that a client means by the id of an upload or of an ontology, if
-- the user may see it.
create function dataset_ontology(p_user uuid, p_dataset uuid, p_all boolean,
                                 out ontology uuid, out status text,
                                 out is_file boolean)
language sql stable as $$
    select o.id,
           case when s.status in ('uploading', 'preparing', 'failed')
                then s.status else o.status end,
           exists (select from file_sets x
                    where x.ontology_id = o.id and x.deleted_at is null)
      from (select 1) one
      left join file_sets s on s.id = p_dataset and s.deleted_at is null
      join ontologies o on o.id = coalesce(s.ontology_id, p_dataset)
     where o.deleted_at is null
       and (o.owner_id = p_user or o.visibility = 'shared' or p_all)
     union all
    select null, s.status, true from file_sets s
     where s.id = p_dataset and s.deleted_at is null
       and s.ontology_id is null and (s.owner_id = p_user or p_all)
     limit 1
$$;

-- Asks a question in a thread, which is made if there is none of that name.
-- Outcomes, besides those of ask_question:
--   no_dataset     the user has no such dataset
--   not_ready      it cannot be asked yet; `detail` is its status
--   other_dataset  the thread is about another one
--   other_agent    the thread has another agent
--   no_sandbox     it needs the sandbox, which p_sandbox says there is none of
create function ask_thread(p_user uuid, p_thread text, p_dataset uuid,
                           p_agent text, p_all boolean, p_content text,
                           p_name text, p_sandbox boolean,
                           out outcome text, out chat uuid, out answer uuid,
                           out detail text)
language plpgsql as $$
declare
    d record;
    c data_chats;
begin
    -- As a claim, this needs no disk flush of its own: the client hears of it
    -- after the run's first commit.
    perform set_config('synchronous_commit', 'off', true);
    select * into d from dataset_ontology(p_user, p_dataset, p_all);
    if d.status is null then
        outcome := 'no_dataset';
        return;
    end if;
    if d.ontology is null or d.status <> 'ready' then
        outcome := 'not_ready';
        detail := d.status;
        return;
    end if;
    if d.is_file and not p_sandbox then
        outcome := 'no_sandbox';
        return;
    end if;
    insert into data_chats (owner_id, ontology_id, name, agent, thread_id)
    values (p_user, d.ontology, p_name, coalesce(nullif(p_agent, ''), 'csv'),
            p_thread)
        on conflict (owner_id, thread_id)
            where thread_id is not null and deleted_at is null
            do nothing
    returning * into c;
    if not found then
        select * into c from data_chats
         where owner_id = p_user and thread_id = p_thread
           and deleted_at is null;
    end if;
    if c.ontology_id <> d.ontology then
        outcome := 'other_dataset';
        return;
    end if;
    if p_agent <> '' and c.agent <> p_agent then
        outcome := 'other_agent';
        detail := c.agent;
        return;
    end if;
    chat := c.id;
    select q.outcome, q.answer into outcome, answer
      from ask_question(p_user, c.id, p_content, null, '', '', null) q;
end $$;
