-- Chats: counted, searched, branched, rated and shared; charts beside messages.

-- The list reads no messages and only as many chats as it shows. A removed chat
-- is hidden at once and goes a minute later (store/chat_removal.c).
alter table data_chats add column message_count integer not null default 0;
update data_chats c
   set message_count = (select count(*) from data_chat_messages m
                         where m.chat_id = c.id);
create index data_chats_shown on data_chats (owner_id, updated_at desc, id)
    include (deleted_at);
drop index data_chats_owner; -- the one above begins with its columns
create index data_chats_removed on data_chats (deleted_at)
    where deleted_at is not null;
create index runs_of_chat on runs (chat_id); -- for the end of a chat

-- A question follows an answer (null: the first of a branch from the start), an
-- answer follows its question. No foreign key: messages go with their chat.
alter table data_chat_messages
    add column parent_id          uuid,
    add column llm_provider       text,  -- of this answer alone
    add column idempotency_key    text,
    add column idempotency_digest bytea; -- of what was posted with it
update data_chat_messages m
   set parent_id = p.parent_id
  from (select id, lag(id) over (partition by chat_id order by seq) as parent_id
          from data_chat_messages) p
 where p.id = m.id;
create index data_chat_messages_siblings on data_chat_messages
    (coalesce(parent_id, chat_id), seq);
create unique index data_chat_messages_key on data_chat_messages
    (chat_id, idempotency_key) where idempotency_key is not null;
-- A tsvector has a limit of its own; an answer is found by how it begins.
create index data_chat_messages_words on data_chat_messages
    using gin (to_tsvector('simple', left(content, 50000))) where content <> '';

create table message_feedback (
    message_id uuid primary key references data_chat_messages on delete cascade,
    rating     text not null, -- up, down
    reason     text not null default '',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

-- Charts of an answer in the order in which they were made; stepResults of the
-- message's metadata holds empty lists in their places.
create table message_charts (
    message_id uuid not null references data_chat_messages on delete cascade,
    n          integer not null,
    step_id    integer not null,
    media_type text not null,
    bytes      bytea not null,
    primary key (message_id, n)
);
alter table message_charts alter column bytes set storage external;

-- What a link shows: the branch that ended in `leaf_id` when it was made.
create table chat_shares (
    chat_id     uuid primary key references data_chats on delete cascade,
    token_hash  bytea not null unique, -- SHA-256
    leaf_id     uuid not null,
    include_sql boolean not null default false,
    expires_at  timestamptz,
    created_at  timestamptz not null default now()
);

-- The latest claim of a message wins nothing: whoever waited for the user's row
-- looks again, so that a second claim of one message is told so, and not that
-- the limit is reached.
create or replace function claim_run(p_message uuid, p_chat uuid, p_user uuid,
                                     p_owner text, p_limit integer,
                                     p_lease_ms integer)
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
        if exists (select from runs where message_id = p_message) then
            return 'taken';
        end if;
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

-- A question and the place of its answer. The chat's row is locked first, so
-- that whoever waited sees what the other one made. `p_parent`: an answer's id,
-- 'root', or '' for the chat's latest. Outcomes: made; missing (the chat);
-- no_parent; busy; existed (p_answer is a message); repeated, reused (the key
-- was given with the same, with another question).
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
    if exists (select from runs where chat_id = p_chat and ended_at is null
                  and lease_until > now()) then
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

-- Another answer to the question of an answer. Outcomes: made, missing, busy,
-- open (that answer is not there yet).
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
    if exists (select from runs r where r.chat_id = chat and r.ended_at is null
                  and r.lease_until > now()) then
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

-- The end of a run with its charts: [{"step": 1, "type": "image/png", "data":
-- base64}] in their order. A second time changes nothing.
create function finish_run(p_message uuid, p_epoch integer, p_status text,
                           p_content text, p_metadata json, p_chat_name text,
                           p_charts json)
returns boolean language plpgsql as $$
begin
    if not finish_run(p_message, p_epoch, p_status, p_content, p_metadata,
                      p_chat_name) then
        return false;
    end if;
    insert into message_charts (message_id, n, step_id, media_type, bytes)
    select p_message, n - 1, (c->>'step')::integer, c->>'type',
           decode(c->>'data', 'base64')
      from json_array_elements(p_charts) with ordinality as e(c, n)
        on conflict do nothing;
    return true;
end $$;
