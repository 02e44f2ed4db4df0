-- Claims of one moment in one statement. The arrays go together; an outcome for
-- each comes back in their order:
--   missing  no such answer in that chat of that user's
--   taken    claimed before, also earlier in the arrays, or finished
--   spent    p_tokens of a day (UTC) are used up; 0: no limit
--   full     its p_full was set, and nothing else but `busy` stands against it
--   busy     p_limit runs of that user are under way; 0: no limit
--   claimed
-- Claims of one user wait for each other where there is a limit, in the order of
-- users, so that two batches never wait crosswise. Each look is by key: a plan
-- for many rows would read a table that was never analyzed.
create function claim_runs(p_messages uuid[], p_chats uuid[], p_users uuid[],
                           p_full boolean[], p_owner text, p_limit integer,
                           p_lease_ms integer, p_tokens bigint)
returns setof text language plpgsql as $$
begin
    if p_limit > 0 then
        perform from users where id = any (p_users) order by id
            for no key update;
    end if;
    -- A claim needs no flush of its own: whatever the run shows to anybody is
    -- committed later and takes the claim to the disk with it.
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
