-- What limits the runs of a user: tokens of the day, and room.

-- A row a run, written when it ends, so that runs of one user that end together
-- do not wait for each other; it outlives the chat.
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

-- As claim_run before it, with two more limits: p_tokens of a day (UTC), 0 for
-- none; and p_full, with which nothing is claimed. Whether the message is there,
-- and claimed already, is judged before any limit.
create function claim_run(p_message uuid, p_chat uuid, p_user uuid, p_owner text,
                          p_limit integer, p_lease_ms integer, p_tokens bigint,
                          p_full boolean)
returns text language plpgsql as $$
declare
    refusal text;
    outcome text;
begin
    if p_tokens > 0 and p_tokens <= (
           select coalesce(sum(tokens), 0) from token_usage
            where user_id = p_user
              and at >= date_trunc('day', now() at time zone 'UTC')
                        at time zone 'UTC') then
        refusal := 'spent';
    elsif p_full then
        refusal := 'full';
    else
        return claim_run(p_message, p_chat, p_user, p_owner, p_limit, p_lease_ms);
    end if;
    select case when m.status <> 'generating'
                     or exists (select from runs where message_id = m.id)
                then 'taken' else refusal end
      into outcome
      from data_chat_messages m
      join data_chats c on c.id = m.chat_id
     where m.id = p_message and m.chat_id = p_chat and m.role = 'assistant'
       and c.owner_id = p_user and c.deleted_at is null;
    return coalesce(outcome, 'missing');
end $$;
