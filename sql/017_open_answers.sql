-- A chat has at most one answer that is not there yet, whether or not its run was
-- claimed; and a cancel says what became of its message.

create index data_chat_messages_generating on data_chat_messages (chat_id)
    where status = 'generating';

create function chat_is_busy(p_chat uuid)
returns boolean language sql stable as $$
    select exists (select from data_chat_messages m
                    where m.chat_id = p_chat and m.status = 'generating')
$$;

-- A question and the place of its answer. The chat's row is locked first, so
-- that whoever waited sees what the other one made. `p_parent`: an answer's id,
-- 'root', or '' for the chat's latest. Outcomes: made; missing (the chat);
-- no_parent; busy; existed (p_answer is a message); repeated, reused (the key
-- was given with the same, with another question).
create or replace function ask_question(p_user uuid, p_chat uuid, p_content text,
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

-- Another answer to the question of an answer. Outcomes: made, missing, busy,
-- open (that answer is not there yet).
create or replace function answer_again(p_user uuid, p_answer uuid, p_provider text,
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

-- Cancels as cancel_run() does, and says what became of the message: its status
-- now, and whether a cancel ended it, or is about to; a message that had ended
-- before keeps its status.
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
