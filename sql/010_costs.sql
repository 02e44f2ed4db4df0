-- What model calls cost, in billionths of the currency of MODEL_PRICES; null: the
-- model had no price.
alter table llm_traces add column cached_tokens integer not null default 0,
                       add column reasoning_tokens integer not null default 0,
                       add column cost bigint;
alter table token_usage add column chat_id uuid, -- outlives the chat
                        add column cost bigint not null default 0;
create index token_usage_chat on token_usage (chat_id, at)
    where chat_id is not null;

create or replace function count_tokens() returns trigger
language plpgsql as $$
declare
    used bigint;
    price bigint;
begin
    select sum(total_tokens), coalesce(sum(cost), 0) into used, price
      from llm_traces where message_id = new.message_id;
    if used > 0 then
        insert into token_usage (user_id, tokens, chat_id, cost)
        values (new.user_id, used, new.chat_id, price);
    end if;
    return null;
end $$;

-- What a user has used today (UTC).
create function used_today(p_user uuid, out tokens bigint, out cost bigint)
language sql stable as $$
    select coalesce(sum(t.tokens), 0)::bigint, coalesce(sum(t.cost), 0)::bigint
      from token_usage t
     where t.user_id = p_user
       and t.at >= date_trunc('day', now() at time zone 'UTC')
                   at time zone 'UTC'
$$;
