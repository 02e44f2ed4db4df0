-- The schema of the system database: users, connections, semantic models, chats,
-- and the runs that answer questions.
--
--   1. Values as the API shows them
--   2. Users, sign-ins, settings, audit
--   3. Catalog: connections, semantic models, ontologies
--   4. Chats and messages
--   5. Runs
--   6. Journal: events, artifacts, traces, tokens
--   7. Runs: claim, lease, takeover, end
--   8. Building semantic models from databases
--   9. Preferences
--   10. Retention
--
-- Processes notify one another on the channel `sextant`: a word, then ids of
-- messages (include/store/notices.h).

-- ---- 1. Values as the API shows them -------------------------------------------
--
-- The planner inlines these functions: they cost nothing.

-- RFC 3339 in UTC with milliseconds.
create function rfc3339(t timestamptz) returns text language sql stable
return to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- Milliseconds since 1970.
create function epoch_ms(t timestamptz) returns bigint language sql stable
return (date_part('epoch', t) * 1000)::bigint;

-- Base64 in one line (RFC 4648).
create function base64(bytes bytea) returns text language sql immutable
return translate(encode(bytes, 'base64'), E'\n', '');

-- ---- 2. Users, sign-ins, settings, audit ---------------------------------------

create table users (
    id                uuid primary key default gen_random_uuid(),
    email             text not null,
    display_name      text,
    password_hash     text, -- null: signs in elsewhere
    roles             text[] not null default '{viewer}',
    is_active         boolean not null default true,
    profile_image_url text,
    last_login_at     timestamptz,
    created_at        timestamptz not null default now(),
    updated_at        timestamptz not null default now()
);
create unique index users_email on users (lower(email));
create index users_updated on users (updated_at);

-- Processes find changed users by updated_at.
create function users_touch() returns trigger language plpgsql as $$
begin
    new.updated_at := clock_timestamp();
    return new;
end $$;
create trigger users_touch before update on users
    for each row when (old.* is distinct from new.*)
    execute function users_touch();

-- Tells processes at once that permissions have changed.
create function users_notify() returns trigger language plpgsql as $$
begin
    perform pg_notify('sextant', 'changed ' || new.id);
    return null;
end $$;
create trigger users_notify after update of is_active, roles on users
    for each row when (old.is_active is distinct from new.is_active or
                       old.roles is distinct from new.roles)
    execute function users_notify();

-- Has no foreign keys: an event outlives the user and the thing that it names.
create table audit_events (
    id          bigint generated always as identity primary key,
    at          timestamptz not null default clock_timestamp(),
    actor_id    uuid,          -- null: the system, or the command line
    action      text not null, -- 'user.disabled'
    target_type text not null default '',
    target      text not null default '', -- an id, in most cases
    details     jsonb not null default '{}',
    request_id  text not null default ''
);
create index audit_events_at on audit_events (at desc, id desc);

-- A family is one sign-in; each of its tokens replaces the one before. Only hashes
-- of tokens are stored.
create table refresh_families (
    id         uuid primary key default gen_random_uuid(),
    user_id    uuid not null references users on delete cascade,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    revoked_at timestamptz
);
create index refresh_families_user on refresh_families (user_id);
create index refresh_families_expires on refresh_families (expires_at);

create table refresh_tokens (
    hash       bytea primary key, -- SHA-256
    family_id  uuid not null references refresh_families on delete cascade,
    created_at timestamptz not null default now(),
    rotated_at timestamptz -- when it was first used
);
create index refresh_tokens_family on refresh_tokens (family_id, created_at);

-- Failed sign-ins with an address, whether or not a user has it.
create table login_failures (
    account  bytea primary key, -- SHA-256 of the address in lower case
    failures integer not null default 1,
    since    timestamptz not null default now()
);
create index login_failures_since on login_failures (since);

create table user_settings (
    user_id          uuid primary key references users on delete cascade,
    theme            text not null default 'system',
    profile          jsonb not null default '{}',
    default_provider text,
    notifications    jsonb not null default '{}',
    version          integer not null default 1,
    updated_at       timestamptz not null default now()
);

-- Has exactly one row.
create table system_settings (
    one           boolean primary key default true check (one),
    features      jsonb not null default '{}',
    agent_configs jsonb not null default '{}',
    version       integer not null default 1,
    updated_at    timestamptz not null default now(),
    updated_by    uuid
);
insert into system_settings default values;

-- Begins a session.
create function open_session(p_user uuid, p_hash bytea, p_lifetime_ms bigint)
returns void language plpgsql as $$
declare
    the_family uuid;
begin
    delete from refresh_families where expires_at < now() - interval '1 day';
    insert into refresh_families (user_id, expires_at)
    values (p_user, now() + p_lifetime_ms * interval '1 millisecond')
    returning id into the_family;
    insert into refresh_tokens (hash, family_id) values (p_hash, the_family);
    update users set last_login_at = now() where id = p_user;
end $$;

-- Exchanges a refresh token for the next one. A token that was used before gets a
-- sibling for 20 seconds (two tabs may wake at once). Later reuse means that it
-- was stolen: the whole family is revoked.
create function rotate_session(p_hash bytea, p_next bytea, p_lifetime_ms bigint,
                               p_request text)
returns table (outcome text, user_id uuid, email text)
language plpgsql as $$
declare
    f refresh_families;
    t refresh_tokens;
    u users;
begin
    select * into t from refresh_tokens r where r.hash = p_hash;
    if not found then
        return query select 'unknown', null::uuid, null::text;
        return;
    end if;
    select * into f from refresh_families r where r.id = t.family_id for update;
    select * into u from users r where r.id = f.user_id;
    if f.revoked_at is not null or f.expires_at < now() or not u.is_active then
        return query select 'ended', u.id, u.email;
        return;
    end if;
    select * into t from refresh_tokens r where r.hash = p_hash; -- as locked
    if t.rotated_at < now() - interval '20 seconds' then
        update refresh_families r set revoked_at = now() where r.id = f.id;
        insert into audit_events (actor_id, action, target_type, target,
                                  request_id)
        values (u.id, 'session.reuse', 'session', f.id::text, p_request);
        return query select 'stolen', u.id, u.email;
        return;
    end if;
    if (select count(*) from refresh_tokens r
         where r.family_id = f.id
           and r.created_at > now() - interval '20 seconds') >= 20 then
        return query select 'often', u.id, u.email;
        return;
    end if;
    update refresh_tokens r set rotated_at = now()
     where r.hash = p_hash and r.rotated_at is null;
    insert into refresh_tokens (hash, family_id) values (p_next, f.id);
    update refresh_families r
       set expires_at = now() + p_lifetime_ms * interval '1 millisecond'
     where r.id = f.id;
    return query select 'rotated', u.id, u.email;
end $$;

-- Changes a user; null leaves a value as it is. The last active admin stays one. A
-- new password and a disabled account end the user's sessions; a disabled account
-- also cancels the user's runs.
create function change_user(p_user uuid, p_email text, p_name text,
                            p_active boolean, p_password text, p_roles text[],
                            p_actor uuid, p_request text)
returns text language plpgsql as $$
declare
    u users;
begin
    perform pg_advisory_xact_lock(hashtext('sextant.admins'));
    select * into u from users where id = p_user for update;
    if not found then
        return 'missing';
    end if;
    if u.is_active and 'admin' = any (u.roles)
       and not (coalesce(p_active, true)
                and 'admin' = any (coalesce(p_roles, u.roles)))
       and not exists (select from users where id <> p_user and is_active
                          and 'admin' = any (roles)) then
        return 'last admin';
    end if;
    update users
       set email = coalesce(p_email, email),
           display_name = case when p_name is null then display_name
                               else nullif(p_name, '') end,
           is_active = coalesce(p_active, is_active),
           password_hash = coalesce(p_password, password_hash),
           roles = coalesce(p_roles, roles)
     where id = p_user;
    if p_password is not null or not coalesce(p_active, true) then
        update refresh_families set revoked_at = now()
         where user_id = p_user and revoked_at is null;
    end if;
    if not coalesce(p_active, true) then
        update runs set cancel_requested = true
         where user_id = p_user and ended_at is null and not cancel_requested;
    end if;
    insert into audit_events (actor_id, action, target_type, target, details,
                              request_id)
    values (p_actor,
            case when p_active is distinct from u.is_active
                      and p_active is not null
                 then case when p_active then 'user.enabled'
                           else 'user.disabled' end
                 when p_roles is not null then 'user.roles'
                 when p_password is not null then 'user.password'
                 else 'user.changed' end,
            'user', p_user::text,
            jsonb_strip_nulls(jsonb_build_object(
                'email', p_email, 'isActive', p_active,
                'rolesBefore', case when p_roles is not null
                                    then to_jsonb(u.roles) end,
                'roles', to_jsonb(p_roles))),
            p_request);
    return 'changed';
end $$;

-- ---- 3. Catalog: connections, semantic models, ontologies ----------------------

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
    password_sealed   bytea, -- encrypted with CREDENTIALS_KEY
    use_ssl           boolean not null default false,
    -- sslmode, sslrootcert, shareRows, allowSuperuser (without which a connection
    -- whose role is a superuser is refused)
    options           jsonb not null default '{}',
    visibility        text not null default 'private',
    embedded          boolean not null default false, -- Sextant's own cluster
    last_tested_at    timestamptz,
    last_test_result  boolean,
    last_test_message text,
    created_at        timestamptz not null default now(),
    updated_at        timestamptz not null default now(),
    unique (owner_id, name)
);
create index connections_visible on connections (name, id);

-- What has deleted_at is hidden; a sweep deletes it a minute later, with its chats.
create table semantic_models (
    id                 uuid primary key default gen_random_uuid(),
    owner_id           uuid not null references users on delete cascade,
    connection_id      uuid not null references connections,
    database_name      text, -- null: the connection's
    name               text not null,
    description        text,
    source_text        text not null, -- as imported, with order and comments
    model              json not null, -- the canonical form that processes read
    osi_version        text,
    dataset_count      integer not null default 0,
    relationship_count integer not null default 0,
    metric_count       integer not null default 0,
    visibility         text not null default 'private',
    created_at         timestamptz not null default now(),
    updated_at         timestamptz not null default now(),
    deleted_at         timestamptz,
    unique (owner_id, name)
);
create index semantic_models_connection on semantic_models (connection_id);
create index semantic_models_deleted on semantic_models (deleted_at)
    where deleted_at is not null;

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
    version            integer not null default 1, -- counts changes
    visibility         text not null default 'private',
    created_at         timestamptz not null default now(),
    updated_at         timestamptz not null default now(),
    deleted_at         timestamptz
);
create index ontologies_owner on ontologies (owner_id, created_at);
create index ontologies_model on ontologies (semantic_model_id);
create index ontologies_unsettled on ontologies (updated_at)
    where deleted_at is not null or status = 'creating';

create table ontology_embeddings (
    ontology_id uuid not null references ontologies on delete cascade,
    dataset     integer not null, -- its position in the model
    vector      bytea not null,   -- float4, little endian
    elements    real[],           -- the same for pgvector, in large ontologies
    primary key (ontology_id, dataset)
);

-- ---- 4. Chats and messages -----------------------------------------------------

create table data_chats (
    id            uuid primary key default gen_random_uuid(),
    name          text not null,
    named         boolean not null default true, -- false: before the first question
    ontology_id   uuid not null references ontologies on delete cascade,
    owner_id      uuid not null references users on delete cascade,
    llm_provider  text,
    agent         text not null default 'pipeline',
    message_count integer not null default 0,
    created_at    timestamptz not null default now(),
    updated_at    timestamptz not null default now(),
    deleted_at    timestamptz -- hidden; a sweep deletes it a minute later
);
create index data_chats_ontology on data_chats (ontology_id);
create index data_chats_shown on data_chats (owner_id, updated_at desc, id)
    include (deleted_at);
create index data_chats_removed on data_chats (deleted_at)
    where deleted_at is not null;

-- The number of a user's chats, without hidden ones. Each page of the list shows
-- it, and chats are listed far more often than they are made.
create table chat_counts (
    owner_id uuid primary key references users on delete cascade,
    chats    integer not null
);

-- When the owner is deleted, the count is already gone: the update changes nothing.
create function count_chat() returns trigger language plpgsql as $$
begin
    if tg_op <> 'INSERT' and old.deleted_at is null then
        update chat_counts set chats = chats - 1
         where owner_id = old.owner_id;
    end if;
    if tg_op <> 'DELETE' and new.deleted_at is null then
        insert into chat_counts as c (owner_id, chats) values (new.owner_id, 1)
            on conflict (owner_id) do update set chats = c.chats + 1;
    end if;
    return null;
end $$;
create trigger chats_made after insert on data_chats
    for each row execute function count_chat();
create trigger chats_gone after delete on data_chats
    for each row execute function count_chat();
create trigger chats_hidden after update of owner_id, deleted_at on data_chats
    for each row when (old.owner_id <> new.owner_id
                       or old.deleted_at is distinct from new.deleted_at)
    execute function count_chat();

-- Messages form a tree. The parent of a question is an answer (null: the question
-- starts a branch), the parent of an answer is its question. There is no foreign
-- key on parent_id: messages are deleted with their chat only.
create table data_chat_messages (
    id                 uuid primary key default gen_random_uuid(),
    seq                bigint generated always as identity,
    chat_id            uuid not null references data_chats on delete cascade,
    parent_id          uuid,
    role               text not null, -- user, assistant
    content            text not null default '',
    metadata           json,
    status             text not null default 'complete',
    llm_provider       text, -- of this answer; null: the chat's
    idempotency_key    text,
    idempotency_digest bytea, -- of the request that had the key
    created_at         timestamptz not null default now()
);
create index data_chat_messages_chat on data_chat_messages (chat_id, seq);
create index data_chat_messages_open on data_chat_messages (created_at)
    where status = 'generating';
create index data_chat_messages_generating on data_chat_messages (chat_id)
    where status = 'generating';
create index data_chat_messages_siblings on data_chat_messages
    (coalesce(parent_id, chat_id), seq);
create unique index data_chat_messages_key on data_chat_messages
    (chat_id, idempotency_key) where idempotency_key is not null;
-- Full-text search reads the beginning of a message: a tsvector has a size limit.
create index data_chat_messages_words on data_chat_messages
    using gin (to_tsvector('simple', left(content, 50000))) where content <> '';

create table message_feedback (
    message_id uuid primary key references data_chat_messages on delete cascade,
    rating     text not null, -- up, down
    reason     text not null default '',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

-- Charts of an answer, in order. The metadata of the message has empty lists in
-- their place.
create table message_charts (
    message_id uuid not null references data_chat_messages on delete cascade,
    n          integer not null,
    step_id    integer not null,
    media_type text not null,
    bytes      bytea not null,
    primary key (message_id, n)
);
alter table message_charts alter column bytes set storage external;

-- What a public link shows: the branch that ends in `leaf_id`.
create table chat_shares (
    chat_id     uuid primary key references data_chats on delete cascade,
    token_hash  bytea not null unique, -- SHA-256
    leaf_id     uuid not null,
    include_sql boolean not null default false,
    expires_at  timestamptz,
    created_at  timestamptz not null default now()
);

-- A chat has at most one answer that is not finished, whether or not its run was
-- claimed.
create function chat_is_busy(p_chat uuid)
returns boolean language sql stable as $$
    select exists (select from data_chat_messages m
                    where m.chat_id = p_chat and m.status = 'generating')
$$;

-- Adds a question and the placeholder of its answer. It locks the chat's row first,
-- so that concurrent calls see each other's messages. `p_parent`: an answer's id,
-- 'root', or '' for the chat's latest message. Outcomes:
--   made
--   missing    there is no such chat of that user
--   no_parent  the parent is not an answer of the chat
--   busy       an answer of the chat is not finished
--   existed    p_answer is a message already
--   repeated   the key came before with the same question
--   reused     the key came before with another question
create function ask_question(p_user uuid, p_chat uuid, p_content text,
                             p_answer uuid, p_parent text, p_key text,
                             p_digest bytea,
                             out outcome text, out question uuid,
                             out answer uuid, out parent uuid,
                             out asked_at timestamptz)
language plpgsql as $$
declare
    known bytea;
begin
    perform from data_chats
      where id = p_chat and owner_id = p_user and deleted_at is null
        for no key update;
    if not found then
        outcome := 'missing';
        return;
    end if;
    if exists (select from data_chat_messages where id = p_answer) then
        outcome := 'existed';
        return;
    end if;
    if p_key <> '' then
        select q.id, q.parent_id, q.created_at, q.idempotency_digest
          into question, parent, asked_at, known
          from data_chat_messages q
         where q.chat_id = p_chat and q.idempotency_key = p_key;
        if found then
            outcome := case when known = p_digest then 'repeated'
                            else 'reused' end;
            select id into answer from data_chat_messages
             where coalesce(parent_id, chat_id) = question
             order by seq limit 1;
            return;
        end if;
    end if;
    if p_parent = '' then
        select id into parent from data_chat_messages
         where chat_id = p_chat order by seq desc limit 1;
    elsif p_parent <> 'root' then
        select id into parent from data_chat_messages
         where id = p_parent::uuid and chat_id = p_chat and role = 'assistant';
        if not found then
            outcome := 'no_parent';
            return;
        end if;
    end if;
    if chat_is_busy(p_chat) then
        outcome := 'busy';
        return;
    end if;
    insert into data_chat_messages (chat_id, parent_id, role, content,
                                    idempotency_key, idempotency_digest)
    values (p_chat, parent, 'user', p_content, nullif(p_key, ''),
            case when p_key <> '' then p_digest end)
    returning id, created_at into question, asked_at;
    insert into data_chat_messages (id, chat_id, parent_id, role, status)
    values (coalesce(p_answer, gen_random_uuid()), p_chat, question,
            'assistant', 'generating')
    returning id into answer;
    update data_chats
       set updated_at = now(), message_count = message_count + 2
     where id = p_chat;
    outcome := 'made';
end $$;

-- Adds another answer to the question of an answer. Outcomes:
--   made
--   missing  there is no such answer of that user
--   busy     an answer of the chat is not finished
--   open     that answer itself is not finished
create function answer_again(p_user uuid, p_answer uuid, p_provider text,
                             out outcome text, out chat uuid,
                             out question uuid, out answer uuid,
                             out parent uuid, out content text,
                             out asked_at timestamptz,
                             out answered_at timestamptz)
language plpgsql as $$
declare
    old data_chat_messages;
begin
    select c.id into chat
      from data_chat_messages m join data_chats c on c.id = m.chat_id
     where m.id = p_answer and m.role = 'assistant'
       and c.owner_id = p_user and c.deleted_at is null
       for no key update of c;
    if not found then
        outcome := 'missing';
        return;
    end if;
    select * into old from data_chat_messages where id = p_answer;
    if old.status = 'generating' then
        outcome := 'open';
        return;
    end if;
    if chat_is_busy(chat) then
        outcome := 'busy';
        return;
    end if;
    select m.id, m.parent_id, m.content, m.created_at
      into question, parent, content, asked_at
      from data_chat_messages m
     where m.chat_id = chat and m.role = 'user' and m.seq < old.seq
       and (m.id = old.parent_id or old.parent_id is null)
     order by m.seq desc limit 1;
    insert into data_chat_messages (chat_id, parent_id, role, status,
                                    llm_provider)
    values (chat, question, 'assistant', 'generating',
            nullif(p_provider, ''))
    returning id, created_at into answer, answered_at;
    update data_chats c
       set updated_at = now(), message_count = c.message_count + 1
     where c.id = chat;
    outcome := 'made';
end $$;

-- ---- 5. Runs --------------------------------------------------------------------

-- A run is the work on one answer. Its owner is the process that has claimed it,
-- until the lease expires. Each claim counts the epoch up. Every write of an owner
-- names its epoch, and changes nothing when the row has another.
create table runs (
    message_id       uuid primary key
                     references data_chat_messages on delete cascade,
    chat_id          uuid not null references data_chats on delete cascade,
    user_id          uuid not null references users on delete cascade,
    owner            text, -- null: given up, or ended from outside
    epoch            integer not null default 1,
    lease_until      timestamptz,
    phase            text not null default 'planner',
    attempt          integer not null default 1,
    releases         integer not null default 0, -- attempts that were given up
    revision         integer not null default 0,
    phase_after      bigint not null default 0, -- last event before the phase
    trimmed          bigint not null default 0, -- events up to it were deleted
    cancel_requested boolean not null default false,
    -- What its flows do, written by the owner when an admin asks for it (notice
    -- `tell`): a JSON array of lines, and its time
    trail            json,
    trail_at         timestamptz,
    started_at       timestamptz not null default now(),
    ended_at         timestamptz
);
create index runs_live on runs (user_id) where ended_at is null;
create index runs_chat on runs (chat_id) where ended_at is null;
create index runs_lease on runs (lease_until) where ended_at is null;
create index runs_of_chat on runs (chat_id); -- for deleting a chat
create index runs_ended on runs (ended_at, message_id)
    where ended_at is not null;

-- ---- 6. Journal: events, artifacts, traces, tokens -----------------------------

-- A row is a batch: the events of one commit, as frames of the event stream.
create table run_events (
    message_id uuid not null references runs on delete cascade,
    first      bigint not null,
    last       bigint not null,
    frames     text not null,
    primary key (message_id, first)
);

-- What a phase hands to later phases, and what a takeover resumes from.
create table run_artifacts (
    message_id uuid not null references runs on delete cascade,
    kind       text not null,
    body       text not null,
    primary key (message_id, kind)
);

-- A row is one call of a language model.
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

-- These texts have some KB each, are written once and hardly read. lz4 takes a
-- fifth of pglz's time, which was a fifth of this database's time for a run. A
-- server without lz4 uses pglz.
do $$
begin
    alter table run_events alter frames set compression lz4;
    alter table run_artifacts alter body set compression lz4;
    alter table llm_traces alter prompt_messages set compression lz4,
                           alter response_content set compression lz4,
                           alter tool_calls set compression lz4;
    alter table data_chat_messages alter content set compression lz4,
                                   alter metadata set compression lz4;
exception when feature_not_supported then
    raise notice 'no lz4 in this server';
end $$;

-- One row a run, added when it ends: runs of one user that end at the same time do
-- not wait for each other. It outlives the chat.
create table token_usage (
    user_id uuid not null references users on delete cascade,
    at      timestamptz not null default now(),
    tokens  bigint not null
);
create index token_usage_user on token_usage (user_id, at);

create function count_tokens() returns trigger language plpgsql as $$
declare
    used bigint;
begin
    select sum(total_tokens) into used
      from llm_traces where message_id = new.message_id;
    if used > 0 then
        insert into token_usage (user_id, tokens) values (new.user_id, used);
    end if;
    return null;
end $$;
create trigger runs_count_tokens after update of ended_at on runs
    for each row when (old.ended_at is null and new.ended_at is not null)
    execute function count_tokens();

-- ---- 7. Runs: claim, lease, takeover, end --------------------------------------

-- Claims a batch of answers for p_owner. Array elements belong together; it answers
-- one outcome for each, in their order:
--   missing  there is no such answer in that chat of that user
--   taken    claimed before, also earlier in the arrays, or finished
--   spent    the user has used p_tokens today (UTC); 0: no limit
--   full     its p_full is set, and no refusal but `busy` applies
--   busy     p_limit runs of the user are in progress; 0: no limit
--   claimed
-- With a limit it locks the users, in the order of their ids: claims of one user
-- wait for each other, and two batches do not deadlock. Every lookup is by key: a
-- plan for many rows would scan tables that were never analyzed.
create function claim_runs(p_messages uuid[], p_chats uuid[], p_users uuid[],
                           p_full boolean[], p_owner text, p_limit integer,
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
                       and r.lease_until > now()) end as running
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

-- Takes over up to `p_most` runs whose lease has expired.
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

-- Gives up the runs of a process, and notifies the others.
create function release_runs(p_owner text)
returns integer language plpgsql as $$
declare
    n integer;
begin
    update runs set lease_until = now(), releases = releases + 1
     where owner = p_owner and ended_at is null and lease_until > now();
    get diagnostics n = row_count;
    if n > 0 then
        perform pg_notify('sextant', 'free');
    end if;
    return n;
end $$;

-- Ends a run and writes its message, once. False: the run has another owner. True
-- also for the epoch that has ended it before, whose answer may have been lost. A
-- chat without a name gets p_chat_name. `p_charts`: [{"step": 1, "type":
-- "image/png", "data": base64}], in their order.
create function finish_run(p_message uuid, p_epoch integer, p_status text,
                           p_content text, p_metadata json, p_chat_name text,
                           p_charts json default null)
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
    insert into message_charts (message_id, n, step_id, media_type, bytes)
    select p_message, n - 1, (c->>'step')::integer, c->>'type',
           decode(c->>'data', 'base64')
      from json_array_elements(coalesce(p_charts, '[]')) with ordinality as e(c, n)
        on conflict do nothing;
    return true;
end $$;

-- The text that a run has streamed so far: its chunks, without those that a restart
-- of a phase voided.
create function shown_text(p_message uuid)
returns text language sql stable as $$
    with frame as materialized (
        select m[1] as type, m[2]::json as data, m[3]::bigint as id
          from run_events e,
               regexp_matches(e.frames,
                   '^event: (message_chunk|phase_restart)\ndata: ([^\n]*)\nid: ([0-9]+)$',
                   'gn') m
         where e.message_id = p_message)
    select coalesce(string_agg(c.data->>'chunk', '' order by c.id), '')
      from frame c
     where c.type = 'message_chunk'
       and not exists (select from frame r
                        where r.type = 'phase_restart' and r.id > c.id
                          and (r.data->>'afterId')::bigint < c.id)
$$;

-- Ends a run that is to be cancelled, whichever process owns it. The next write of
-- that process finds another epoch, and changes nothing.
create function end_cancelled_run(p_message uuid)
returns boolean language plpgsql as $$
begin
    update runs set epoch = epoch + 1, owner = null, lease_until = null,
           phase = 'done', ended_at = now()
     where message_id = p_message and ended_at is null and cancel_requested;
    if not found then
        return false;
    end if;
    update data_chat_messages
       set status = 'failed', content = shown_text(p_message),
           metadata = json_build_object(
               'claimed', true,
               'error', json_build_object(
                   'message', 'The run was cancelled.', 'code', 'CANCELLED'))
     where id = p_message;
    update data_chats c set updated_at = now()
      from runs r where r.message_id = p_message and c.id = r.chat_id;
    perform pg_notify('sextant', 'wrote ' || p_message);
    return true;
end $$;

-- Requests the end of a run. A message that no process runs, and a run whose lease
-- has expired, end at once. Answers whether there is such a message (p_user null:
-- of any user), and whether an owner still has to end its run.
create function cancel_run(p_message uuid, p_user uuid)
returns table (known boolean, running boolean) language plpgsql as $$
declare
    the_status text;
    the_chat   uuid;
    the_owner  uuid;
    alive      boolean;
begin
    select m.status, c.id, c.owner_id into the_status, the_chat, the_owner
      from data_chat_messages m join data_chats c on c.id = m.chat_id
     where m.id = p_message and m.role = 'assistant'
       and (p_user is null or c.owner_id = p_user and c.deleted_at is null);
    if not found then
        return query select false, false;
        return;
    end if;
    if the_status = 'generating' then -- with the row, a late claim is `taken`
        insert into runs (message_id, chat_id, user_id, phase, ended_at)
        values (p_message, the_chat, the_owner, 'done', now())
        on conflict do nothing;
        if found then
            update data_chat_messages
               set status = 'failed',
                   metadata = json_build_object('error', json_build_object(
                       'message', 'The run was cancelled.', 'code', 'CANCELLED'))
             where id = p_message;
            perform pg_notify('sextant', 'wrote ' || p_message);
            return query select true, false;
            return;
        end if;
    end if;
    update runs set cancel_requested = true
     where message_id = p_message and ended_at is null
    returning lease_until > now() into alive;
    if not found then
        return query select true, false;
    elsif alive then
        return query select true, true;
    else
        perform end_cancelled_run(p_message);
        return query select true, false;
    end if;
end $$;

-- As cancel_run, and answers the message's status, and whether a cancel has ended
-- it or will. A message that had ended before keeps its status.
create function cancel_answer(p_message uuid, p_user uuid, out known boolean,
                              out running boolean, out status text,
                              out cancelled boolean)
language plpgsql as $$
begin
    select c.known, c.running into known, running
      from cancel_run(p_message, p_user) c;
    select m.status,
           running or (m.status = 'failed' and coalesce(
               m.metadata -> 'error' ->> 'code' = 'CANCELLED', false))
      into status, cancelled
      from data_chat_messages m where m.id = p_message;
end $$;

-- ---- 8. Building semantic models from databases --------------------------------

-- A run belongs to the process that started it, which renews the lease every second.
-- No part of the model is stored before the end, so there is no takeover: a run
-- whose lease has expired has failed, and a user starts it again.
create table semantic_model_runs (
    id                uuid primary key default gen_random_uuid(),
    owner_id          uuid not null references users on delete cascade,
    connection_id     uuid not null references connections on delete cascade,
    database_name     text, -- null: the connection's
    name              text not null,
    visibility        text not null,
    selected_schemas  text[] not null, -- empty: all
    selected_tables   text[] not null,
    instructions      text,
    status            text not null default 'running',
    stage             text not null default 'connecting',
    done              integer not null default 0,
    total             integer not null default 0,
    changes           bigint not null default 1, -- ids of its events
    error_code        text,
    error             text,
    found             json, -- warnings, and relationships to review
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

-- Marks runs whose lease has expired as failed.
create function end_lost_model_runs() returns void language sql as $$
    update semantic_model_runs
       set status = 'failed', error_code = 'UNAVAILABLE',
           error = 'The process that built it is gone. Start it again.',
           changes = changes + 1, ended_at = lease_until, updated_at = now()
     where status = 'running' and lease_until < now()
$$;

-- The runs as if end_lost_model_runs had just been called.
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

-- Starts a run. Outcomes:
--   started
--   missing  there is no such connection that the user may see
--   busy     another run reads the same schemas, or makes a model of that name for
--            the user; `run` is its id if the user may see it
--   taken    the user's model of that name belongs to another database
--   full     the user has p_user_most runs, or the process p_process_most
-- `replaces`: a model of that name exists. `database`: the one to read.
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

-- Ends a run unless it has ended. Its process finds out within a second, readers
-- of its stream at once. p_process null: on behalf of a user.
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

-- ---- 9. Preferences ------------------------------------------------------------

-- What a user set by hand, or answered to a run's questions.
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
create index data_agent_preferences_ontology on data_agent_preferences
    (ontology_id) where ontology_id is not null;

-- Sets the value of a key in a scope. Answers no row when the user already has
-- `p_most` preferences and this would be another one.
create function put_preference(p_user uuid, p_ontology uuid, p_key text,
                               p_value text, p_source text, p_most integer)
returns setof data_agent_preferences language sql as $$
    insert into data_agent_preferences (user_id, ontology_id, key, value, source)
    select p_user, p_ontology, p_key, p_value, p_source
     where (select count(*) from data_agent_preferences
             where user_id = p_user) < p_most
        or exists (select from data_agent_preferences
                    where user_id = p_user and key = p_key
                      and ontology_id is not distinct from p_ontology)
        on conflict (user_id,
                     coalesce(ontology_id, '00000000-0000-0000-0000-000000000000'),
                     key)
        do update set value = excluded.value, source = excluded.source,
                      updated_at = clock_timestamp()
 returning *
$$;

-- The preferences that apply in an ontology: its own before global ones.
create function effective_preferences(p_user uuid, p_ontology uuid)
returns setof data_agent_preferences language sql stable as $$
    select distinct on (key) *
      from data_agent_preferences
     where user_id = p_user
       and (ontology_id is null or ontology_id = p_ontology)
       and (key <> 'auto_capture_mode' or ontology_id is null)
     order by key, ontology_id nulls last
$$;

-- ---- 10. Retention -------------------------------------------------------------

-- Runs are trimmed in the order in which they ended. The mark of a kind is the last
-- run that was trimmed; a process that has locked its row trims, others skip it.
create table trim_marks (
    kind       text primary key,
    ended_at   timestamptz not null default '-infinity',
    message_id uuid not null default '00000000-0000-0000-0000-000000000000'
);
insert into trim_marks (kind) values ('events'), ('traces'), ('charts');

-- Deletes one kind of what up to `p_most` runs left that ended more than `p_days`
-- ago: `events` (with the artifacts that a takeover needs), `traces` or `charts`.
-- Answers the number of runs.
create function trim_runs(p_kind text, p_days integer, p_most integer)
returns integer language plpgsql as $$
declare
    mark trim_marks;
    ids  uuid[];
begin
    select * into mark from trim_marks where kind = p_kind
       for update skip locked;
    if not found then
        return 0;
    end if;
    select array_agg(r.message_id order by r.ended_at, r.message_id) into ids
      from (select message_id, ended_at from runs
             where ended_at is not null
               and (ended_at, message_id) > (mark.ended_at, mark.message_id)
               and ended_at < now() - p_days * interval '1 day'
             order by ended_at, message_id limit p_most) r;
    if ids is null then
        return 0;
    end if;
    if p_kind = 'events' then
        update runs r set trimmed = e.last
          from (select message_id, max(last) as last from run_events
                 where message_id = any(ids) group by message_id) e
         where r.message_id = e.message_id;
        delete from run_events where message_id = any(ids);
        delete from run_artifacts
         where message_id = any(ids) and kind <> 'digest';
    elsif p_kind = 'traces' then
        delete from llm_traces where message_id = any(ids);
    else
        delete from message_charts where message_id = any(ids);
    end if;
    update trim_marks t set ended_at = r.ended_at, message_id = r.message_id
      from runs r
     where t.kind = p_kind and r.message_id = ids[cardinality(ids)];
    return cardinality(ids);
end $$;

-- Deletes up to `p_most` audit events that are older than `p_days`. Answers their
-- number.
create function trim_audit(p_days integer, p_most integer)
returns integer language sql as $$
    with due as (
        select id from audit_events
         where at < now() - p_days * interval '1 day'
         order by at, id limit p_most for update skip locked),
    gone as (
        delete from audit_events a using due where a.id = due.id returning 1)
    select count(*)::integer from gone
$$;
