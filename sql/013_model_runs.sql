-- Models that are being built from live databases (POST /api/semantic-models/runs).
--
-- A run belongs to the process that began it and renews its lease every second.
-- Nothing of the model is stored before the end: so nobody takes over a run whose
-- process is gone. It has failed then, and is begun anew by whoever wants it.

create table semantic_model_runs (
    id                uuid primary key default gen_random_uuid(),
    owner_id          uuid not null references users on delete cascade,
    connection_id     uuid not null references connections on delete cascade,
    database_name     text, -- null: the connection's own
    name              text not null,
    visibility        text not null,
    selected_schemas  text[] not null, -- none: all
    selected_tables   text[] not null,
    instructions      text,
    status            text not null default 'running',
    stage             text not null default 'connecting',
    done              integer not null default 0,
    total             integer not null default 0,
    changes           bigint not null default 1, -- counts up; ids of its events
    error_code        text,
    error             text,
    found             json, -- warnings, and relationships for a person to judge
    semantic_model_id uuid references semantic_models on delete set null,
    process           text not null,
    lease_until       timestamptz not null,
    created_at        timestamptz not null default now(),
    updated_at        timestamptz not null default now(),
    ended_at          timestamptz
);
create index semantic_model_runs_owner on semantic_model_runs (owner_id, created_at);
create index semantic_model_runs_connection on semantic_model_runs (connection_id);
create index semantic_model_runs_model on semantic_model_runs (semantic_model_id);
create index semantic_model_runs_live on semantic_model_runs (lease_until)
    where status = 'running';
create index semantic_model_runs_ended on semantic_model_runs (ended_at);

-- Runs whose process is gone have failed, from the moment their lease was over.
create function end_lost_model_runs() returns void language sql as $$
    update semantic_model_runs
       set status = 'failed', error_code = 'UNAVAILABLE',
           error = 'The process that built it is gone. Start it again.',
           changes = changes + 1, ended_at = lease_until, updated_at = now()
     where status = 'running' and lease_until < now()
$$;

-- The same for whoever looks before that was written.
create view model_runs_now as
    select r.id, r.owner_id, r.connection_id, r.database_name, r.name, r.visibility,
           r.selected_schemas, r.selected_tables, r.instructions, r.stage, r.done,
           r.total, r.found, r.semantic_model_id, r.created_at, r.updated_at,
           case when lost then 'failed' else r.status end as status,
           case when lost then 'UNAVAILABLE' else r.error_code end as error_code,
           case when lost then 'The process that built it is gone. Start it again.'
                else r.error end as error,
           case when lost then r.changes + 1 else r.changes end as changes,
           case when lost then r.lease_until else r.ended_at end as ended_at
      from semantic_model_runs r
      cross join lateral (
          select r.status = 'running' and r.lease_until < now() as lost) l;

-- Begins a run, unless
--   missing   there is no such connection that the user may see
--   busy      another one reads the same schemas, or makes the user's model of that
--             name; its id is told when it is the user's
--   taken     the user's model of that name is of another database
--   full      the user has p_user_most of them, or the process p_process_most
-- `replaces`: there is a model of that name already. `database`: the one to be read.
create function start_model_run(
    p_owner uuid, p_all boolean, p_connection uuid, p_database text, p_name text,
    p_visibility text, p_schemas text[], p_tables text[], p_instructions text,
    p_process text, p_lease_ms integer, p_user_most integer, p_process_most integer)
returns table (outcome text, run uuid, replaces boolean, database text) language plpgsql as $$
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
        return query select 'missing', null::uuid, false, null::text;
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
                                         then other.id end, false,
                            null::text;
        return;
    end if;
    select coalesce(s.database_name, c.database_name) = its_database
           and c.id = p_connection as same into other
      from semantic_models s join connections c on c.id = s.connection_id
     where s.owner_id = p_owner and s.name = p_name and s.deleted_at is null;
    replaces := found;
    if replaces and not other.same then
        return query select 'taken', null::uuid, false, null::text;
        return;
    end if;
    if p_process_most <= (select count(*) from semantic_model_runs
                           where status = 'running' and process = p_process)
       or p_user_most <= (select count(*) from semantic_model_runs
                           where status = 'running' and owner_id = p_owner) then
        return query select 'full', null::uuid, false, null::text;
        return;
    end if;
    return query
        insert into semantic_model_runs (owner_id, connection_id, database_name, name,
            visibility, selected_schemas, selected_tables, instructions, process,
            lease_until)
        values (p_owner, p_connection, p_database, p_name, p_visibility, p_schemas,
            p_tables, p_instructions, p_process,
            now() + p_lease_ms * interval '1 ms')
        returning 'started', id, start_model_run.replaces, its_database;
end $$;

-- The last words of a run that is not over yet. Whoever builds it finds out within
-- a second, and whoever follows it at once.
create function end_model_run(p_id uuid, p_process text, p_status text, p_code text,
                              p_error text, p_found json)
returns boolean language plpgsql as $$
begin
    update semantic_model_runs
       set status = p_status, error_code = p_code, error = p_error, found = p_found,
           changes = changes + 1, ended_at = now(), updated_at = now()
     where id = p_id and status = 'running'
       and (p_process is null or process = p_process and lease_until > now());
    if found then
        perform pg_notify('sextant', 'wrote ' || p_id);
    end if;
    return found;
end $$;
