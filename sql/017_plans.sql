-- Functions that PostgreSQL planned at each call. Nothing of what they answer changes.

-- A function that returns a table becomes a part of the statement that calls it, and
-- of its plan.
drop function used_today(uuid);
create function used_today(p_user uuid)
returns table (tokens bigint, cost bigint) language sql stable as $$
    select coalesce(sum(t.tokens), 0)::bigint, coalesce(sum(t.cost), 0)::bigint
      from token_usage t
     where t.user_id = p_user
       and t.at >= date_trunc('day', now() at time zone 'UTC')
                   at time zone 'UTC'
$$;
