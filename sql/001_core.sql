-- Users, what they may ask about, their chats, and the runs that answer.
--
-- A run is a row of `runs`; its durable trail is run_events (batches of rendered
-- frames), run_artifacts (what each phase handed on) and llm_traces. Every write
-- of a run names its epoch and changes nothing when the row has moved on.

create table users (
    id            uuid primary key default gen_random_uuid(),
    email         text not null,
    display_name  text,
    password_hash text,
    roles         text[] not null default '{viewer}',
    is_active     boolean not null default true,
    created_at    timestamptz not null default now(),
    updated_at    timestamptz not null default now()
);
create unique index users_email on users (lower(email));

create table connections (
    id                uuid primary key default gen_random_uuid(),
    owner_id          uuid not null references users on delete cascade,
    name              text not null,
    description       text,
    db_type           text not null default 'postgresql',
    host              text not null,
    port              integer not null default 5432,
    database_name     text not null,
    username          text not null,
    password_sealed   bytea,
    use_ssl           boolean not null default false,
    options           jsonb not null default '{}',
    visibility        text not null default 'private',
    embedded          boolean not null default false, -- our own cluster's socket
    last_tested_at    timestamptz,
    last_test_result  boolean,
    last_test_message text,
    created_at        timestamptz not null default now(),
    updated_at        timestamptz not null default now(),
    unique (owner_id, name)
);

create table semantic_models (
    id            uuid primary key default gen_random_uuid(),
    owner_id      uuid not null references users on delete cascade,
    connection_id uuid not null references connections,
    name          text not null,
    description   text,
    source_text   text not null, -- as it came: order and comments kept
    model         json not null, -- the canonical form that the server reads
    visibility    text not null default 'private',
    created_at    timestamptz not null default now(),
    updated_at    timestamptz not null default now(),
    unique (owner_id, name)
);

create table ontologies (
    id                 uuid primary key default gen_random_uuid(),
    owner_id           uuid not null references users on delete cascade,
    semantic_model_id  uuid not null references semantic_models on delete cascade,
    name               text not null,
    description        text,
    status             text not null default 'creating',
    failure            text,
    dataset_count      integer not null default 0,
    node_count         integer not null default 0,
    relationship_count integer not null default 0,
    embedding_model    text,    -- null: not embedded
    embedding_size     integer,
    version            integer not null default 1, -- counts up with each change
    visibility         text not null default 'private',
    created_at         timestamptz not null default now(),
    updated_at         timestamptz not null default now()
);
create index ontologies_owner on ontologies (owner_id, created_at);

create table ontology_embeddings (
    ontology_id uuid not null references ontologies on delete cascade,
    dataset     integer not null, -- place in the model
    vector      bytea not null,   -- float4, little endian
    primary key (ontology_id, dataset)
);

create table data_chats (
    id           uuid primary key default gen_random_uuid(),
    name         text not null,
    named        boolean not null default true, -- false: until the first question
    ontology_id  uuid not null references ontologies on delete cascade,
    owner_id     uuid not null references users on delete cascade,
    llm_provider text,
    agent        text not null default 'pipeline',
    created_at   timestamptz not null default now(),
    updated_at   timestamptz not null default now(),
    deleted_at   timestamptz
);
create index data_chats_owner on data_chats (owner_id, updated_at desc);
create index data_chats_ontology on data_chats (ontology_id);

create table data_chat_messages (
    id         uuid primary key default gen_random_uuid(),
    seq        bigint generated always as identity,
    chat_id    uuid not null references data_chats on delete cascade,
    role       text not null,
    content    text not null default '',
    metadata   json,
    status     text not null default 'complete',
    created_at timestamptz not null default now()
);
create index data_chat_messages_chat on data_chat_messages (chat_id, seq);
create index data_chat_messages_open on data_chat_messages (created_at)
    where status = 'generating';

create table runs (
    message_id       uuid primary key
                     references data_chat_messages on delete cascade,
    chat_id          uuid not null references data_chats on delete cascade,
    user_id          uuid not null references users on delete cascade,
    owner            text,
    epoch            integer not null default 1,
    lease_until      timestamptz,
    phase            text not null default 'planner',
    attempt          integer not null default 1,
    revision         integer not null default 0,
    phase_after      bigint not null default 0, -- last event before the phase
    cancel_requested boolean not null default false,
    started_at       timestamptz not null default now(),
    ended_at         timestamptz
);
create index runs_live on runs (user_id) where ended_at is null;
create index runs_chat on runs (chat_id) where ended_at is null;
create index runs_lease on runs (lease_until) where ended_at is null;

create table run_events (
    message_id uuid not null references runs on delete cascade,
    first      bigint not null,
    last       bigint not null,
    frames     text not null,
    primary key (message_id, first)
);

create table run_artifacts (
    message_id uuid not null references runs on delete cascade,
    kind       text not null,
    body       text not null,
    primary key (message_id, kind)
);

create table llm_traces (
    id                uuid primary key default gen_random_uuid(),
    message_id        uuid not null
                      references data_chat_messages on delete cascade,
    phase             text not null,
    call_index        integer not null,
    step_id           integer,
    purpose           text not null,
    provider          text not null,
    model             text not null,
    temperature       numeric(3, 2),
    structured_output boolean not null default false,
    prompt_messages   json not null,
    response_content  text,
    tool_calls        json,
    prompt_tokens     integer not null default 0,
    completion_tokens integer not null default 0,
    total_tokens      integer not null default 0,
    started_at        timestamptz not null,
    completed_at      timestamptz not null,
    duration_ms       integer not null,
    error             text,
    created_at        timestamptz not null default now()
);
create unique index llm_traces_call on llm_traces (message_id, call_index);

create table data_agent_preferences (
    id          uuid primary key default gen_random_uuid(),
    user_id     uuid not null references users on delete cascade,
    ontology_id uuid references ontologies on delete cascade,
    key         varchar(255) not null,
    value       text not null,
    source      varchar(20) not null default 'manual',
    created_at  timestamptz not null default now(),
    updated_at  timestamptz not null default now()
);
create unique index data_agent_preferences_key on data_agent_preferences
    (user_id, coalesce(ontology_id, '00000000-0000-0000-0000-000000000000'), key);

-- Claims a message for a run of `p_owner`, once. The user's row is locked so that
-- two claims of one user are counted one after the other.
create function claim_run(p_message uuid, p_chat uuid, p_user uuid, p_owner text,
                          p_limit integer, p_lease_ms integer)
returns text language plpgsql as $$
declare
    found_status text;
begin
    select m.status into found_status
      from data_chat_messages m
      join data_chats c on c.id = m.chat_id
     where m.id = p_message and m.chat_id = p_chat and m.role = 'assistant'
       and c.owner_id = p_user and c.deleted_at is null;
    if not found then
        return 'missing';
    end if;
    if found_status <> 'generating'
       or exists (select from runs where message_id = p_message) then
        return 'taken';
    end if;
    if p_limit > 0 then
        perform from users where id = p_user for no key update;
        if (select count(*) from runs
             where user_id = p_user and ended_at is null
               and lease_until > now()) >= p_limit then
            return 'busy';
        end if;
    end if;
    -- A claim needs no flush of its own: whatever the run shows to anybody is
    -- committed later and takes the claim to the disk with it.
    perform set_config('synchronous_commit', 'off', true);
    insert into runs (message_id, chat_id, user_id, owner, lease_until)
    values (p_message, p_chat, p_user, p_owner,
            now() + p_lease_ms * interval '1 millisecond')
    on conflict (message_id) do nothing;
    if not found then
        return 'taken';
    end if;
    return 'claimed';
end $$;

-- Takes over up to `p_most` runs whose lease has run out.
create function take_over_runs(p_owner text, p_lease_ms integer, p_most integer)
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

-- Ends a run with its message, once; false when it has moved on, and true again
-- for the epoch that has ended it, whose answer may have been lost. A chat that
-- has no name of its own yet is named.
create function finish_run(p_message uuid, p_epoch integer, p_status text,
                           p_content text, p_metadata json, p_chat_name text)
returns boolean language plpgsql as $$
declare
    the_chat uuid;
begin
    update runs set ended_at = now(), lease_until = null, phase = 'done'
     where message_id = p_message and epoch = p_epoch and ended_at is null
    returning chat_id into the_chat;
    if not found then
        return exists (select from runs
                        where message_id = p_message and epoch = p_epoch
                          and ended_at is not null and owner is not null);
    end if;
    update data_chat_messages
       set status = p_status, content = p_content, metadata = p_metadata
     where id = p_message;
    update data_chats
       set updated_at = now(),
           name = case when named or p_chat_name = '' then name
                       else p_chat_name end,
           named = named or p_chat_name <> ''
     where id = the_chat;
    return true;
end $$;
