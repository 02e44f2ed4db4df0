-- Runs on several processes and machines: cancelled by whoever hears of it, handed
-- over, trimmed.
--
-- What processes tell one another goes over the channel `sextant`: a word, then
-- message ids (include/store/notices.h).

alter table runs
    add column releases integer not null default 0, -- attempts that were given up
    add column trimmed  bigint  not null default 0; -- events up to it are gone

-- The text that a run has shown so far: its chunks without those that a restart
-- made void.
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

-- Ends a run that is to be cancelled, whoever has it: he finds that it has moved
-- on and writes nothing.
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

-- Asks for the end of a run. A message that nobody runs is ended here and now, as
-- is one whose owner is gone; one that lives has to be told. Answers whether there
-- is such a message (of that user's chat; of anybody's without a user), and
-- whether somebody has still to end it.
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
    if the_status = 'generating' then -- the row makes a late claim find it taken
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

-- Gives up the runs of a process; whoever is up hears of it.
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
