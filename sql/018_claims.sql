-- claim_runs of 016, which added up what the user had used today once for each of its
-- claims, limits or not, so that claims took longer with each run of the day. Now it
-- does so once for each user, and only if there is a limit.
create or replace function claim_runs(
    p_messages uuid[], p_chats uuid[], p_users uuid[], p_full boolean[],
    p_owner text, p_limit integer, p_lease_ms integer, p_tokens bigint,
    p_cost bigint)
returns setof text language plpgsql
set plan_cache_mode = force_generic_plan as $$
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
    ), users_of as materialized (
        select u.id,
               case when p_tokens > 0 then p_tokens <= (
                   select used.tokens from used_today(u.id) used) end as spent,
               case when p_cost > 0 then p_cost <= (
                   select used.cost from used_today(u.id) used) end as costly,
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
                         or (select true from runs r
                              where r.message_id = a.message limit 1)
                    then 'taken'
                    when u.spent then 'spent'
                    when u.costly then 'costly'
                    when a.is_full then 'full' end as refusal
          from asked a
          join users_of u on u.id = a.owner_id
          left join lateral (
              select m.status from data_chat_messages m
               where m.id = a.message and m.chat_id = a.chat
                 and m.role = 'assistant'
                 and (select true from data_chats c
                       where c.id = a.chat and c.owner_id = a.owner_id
                         and c.deleted_at is null limit 1)
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
