-- Boards of pinned answers; schedules that ask questions, and their webhooks.
--
--   1. Boards and their cards
--   2. Schedules, their runs, deliveries of webhooks
--   3. Schedules: fire, settle, notify

-- ---- 1. Boards and their cards --------------------------------------------------

create table boards (
    id         uuid primary key default gen_random_uuid(),
    owner_id   uuid not null references users on delete cascade,
    name       text not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
create index boards_owner on boards (owner_id, updated_at);

create table board_cards (
    id              uuid primary key default gen_random_uuid(),
    board_id        uuid not null references boards on delete cascade,
    place           integer not null, -- cards are shown in this order
    width           integer not null default 6, -- of 12
    title           text not null,
    question        text not null,
    sql             text not null,
    -- what words such as "last month" meant when the query was written, if the
    -- query has that as fixed dates; empty: it takes its dates from the clock
    period          text not null default '',
    chart           json, -- mark, x, y, series; null: only a table
    ontology_id     uuid references ontologies on delete set null,
    message_id      uuid, -- the answer that was pinned
    step_id         integer,
    result          json not null, -- columns, columnTypes, data, rowCount, truncated
    rows_at         timestamptz not null, -- when the query gave these rows
    -- The version of the ontology that the query was last checked against, and why
    -- it did not pass; null: it passed.
    checked_version integer not null,
    problem         text,
    error           text, -- of the latest refresh; null: it succeeded
    error_at        timestamptz,
    created_at      timestamptz not null default now()
);
create index board_cards_board on board_cards (board_id, place);
create index board_cards_ontology on board_cards (ontology_id);

-- Whether a user may see an ontology; p_all: they see all.
create function ontology_is_seen(o ontologies, p_user uuid, p_all boolean)
returns boolean language sql stable
return o.deleted_at is null
       and (o.owner_id = p_user or o.visibility = 'shared' or p_all);

-- Adds a board; null: the user has p_most.
create function add_board(p_user uuid, p_name text, p_most integer)
returns uuid language plpgsql as $$
declare
    made uuid;
begin
    perform from users where id = p_user for no key update;
    if (select count(*) from boards where owner_id = p_user) < p_most then
        insert into boards (owner_id, name) values (p_user, p_name)
        returning id into made;
    end if;
    return made;
end $$;

-- Pins a step of an answer to a board. Outcomes: made; no_board; no_answer; full.
create function pin_card(p_user uuid, p_board uuid, p_message uuid, p_step integer,
                         p_title text, p_question text, p_period text,
                         p_chart json, p_width integer, p_most integer,
                         out outcome text, out card uuid)
language plpgsql as $$
begin
    perform from boards where id = p_board and owner_id = p_user
        for no key update;
    if not found then
        outcome := 'no_board';
        return;
    end if;
    if (select count(*) from board_cards where board_id = p_board) >= p_most then
        outcome := 'full';
        return;
    end if;
    insert into board_cards (board_id, place, width, title, question, sql, period,
                             chart, ontology_id, message_id, step_id, result,
                             rows_at, checked_version)
    select p_board,
           (select coalesce(max(place), 0) + 1 from board_cards
             where board_id = p_board),
           p_width, p_title, p_question, r#>>'{sqlResult,sql}', p_period, p_chart,
           o.id, m.id, p_step,
           json_build_object('columns', r#>'{sqlResult,columns}',
                             'columnTypes', r#>'{sqlResult,columnTypes}',
                             'data', r#>'{sqlResult,data}',
                             'rowCount', r#>'{sqlResult,rowCount}',
                             'truncated', r#>'{sqlResult,truncated}'),
           m.created_at, 0
      from data_chat_messages m join data_chats c on c.id = m.chat_id
      join ontologies o on o.id = c.ontology_id
     cross join lateral json_array_elements(m.metadata->'stepResults') r
     where m.id = p_message and c.owner_id = p_user and c.deleted_at is null
       and m.status = 'complete' and r->>'stepId' = p_step::text
       and r#>>'{sqlResult,sql}' <> '' and r#>>'{sqlResult,data}' is not null
     limit 1
    returning id into card;
    outcome := case when card is null then 'no_answer' else 'made' end;
    update boards set updated_at = now() where id = p_board and card is not null;
end $$;

-- Renames a board (p_name not null) and arranges its cards: p_cards is an array of
-- {id, width}, in their new order; those that it does not name follow.
create function change_board(p_user uuid, p_board uuid, p_name text, p_cards json)
returns boolean language plpgsql as $$
begin
    update boards set name = coalesce(p_name, name), updated_at = now()
     where id = p_board and owner_id = p_user;
    if not found then
        return false;
    end if;
    with asked as (
        select (x->>'id')::uuid as id, (x->>'width')::int as width, n
          from json_array_elements(p_cards) with ordinality as a(x, n)
    ), placed as (
        select c.id, a.width,
               row_number() over (order by a.n nulls last, c.place, c.id) as place
          from board_cards c left join asked a on a.id = c.id
         where c.board_id = p_board
    )
    update board_cards c set place = p.place, width = coalesce(p.width, c.width)
      from placed p where c.id = p.id and p_cards is not null;
    return true;
end $$;

-- ---- 2. Schedules, their runs, deliveries of webhooks ---------------------------

create table schedules (
    id             uuid primary key default gen_random_uuid(),
    owner_id       uuid not null references users on delete cascade,
    ontology_id    uuid references ontologies on delete set null,
    chat_id        uuid references data_chats on delete set null, -- of its runs
    name           text not null,
    question       text not null,
    llm_provider   text,
    cron           text not null,
    time_zone      text not null,
    state          text not null default 'active', -- active, paused, stopped
    reason         text, -- why it stopped
    next_at        timestamptz, -- when it is due; null unless active
    -- column, take, test, amount, unit; null: none (agent/condition.h)
    condition      json,
    webhook_url    text,
    webhook_secret bytea, -- encrypted with CREDENTIALS_KEY
    webhook_on     text not null default 'condition', -- condition, failure, always
    webhook_sends  text not null default 'state',     -- state, value, rows
    created_at     timestamptz not null default now(),
    updated_at     timestamptz not null default now()
);
create index schedules_owner on schedules (owner_id, created_at);
create index schedules_due on schedules (next_at) where next_at is not null;
create index schedules_ontology on schedules (ontology_id);
create index schedules_chat on schedules (chat_id);

create table schedule_runs (
    id          uuid primary key default gen_random_uuid(),
    schedule_id uuid not null references schedules on delete cascade,
    due_at      timestamptz not null,
    message_id  uuid, -- the answer; null: it was not asked
    state       text not null default 'open', -- open, done, failed, skipped
    reason      text, -- why it failed, was skipped, or could not be judged
    value       text, -- of the condition's column: a decimal number
    previous    text, -- what it was compared with
    held        boolean, -- whether the condition held; null: not judged
    created_at  timestamptz not null default now(),
    ended_at    timestamptz,
    unique (schedule_id, due_at)
);
create index schedule_runs_open on schedule_runs (created_at) where state = 'open';

create table webhook_deliveries (
    id          uuid primary key default gen_random_uuid(),
    schedule_id uuid not null references schedules on delete cascade,
    run_id      uuid references schedule_runs on delete cascade,
    event       text not null,
    body        text not null,
    state       text not null default 'waiting', -- waiting, delivered, failed
    attempts    integer not null default 0,
    next_at     timestamptz not null default now(), -- of the next attempt
    status      integer, -- HTTP, of the latest attempt
    error       text,
    created_at  timestamptz not null default now(),
    ended_at    timestamptz
);
create index webhook_deliveries_due on webhook_deliveries (next_at)
    where state = 'waiting';
create index webhook_deliveries_of on webhook_deliveries (schedule_id, created_at);
create index webhook_deliveries_run on webhook_deliveries (run_id);

-- Why the owner may not ask about the ontology any more; null: they may.
create function schedule_problem(p_owner uuid, p_ontology uuid)
returns text language sql stable as $$
    select case
        when not exists (select from users u where u.id = p_owner and u.is_active)
            then 'The account of the owner is disabled.'
        when not exists (select from users u where u.id = p_owner
                           and u.roles && '{contributor,admin}')
            then 'The owner may no longer ask questions.'
        when not exists (select from ontologies o, users u
                          where o.id = p_ontology and u.id = p_owner
                            and ontology_is_seen(o, p_owner,
                                                 'admin' = any (u.roles)))
            then 'The owner no longer has access to the data.'
        when not exists (select from ontologies o where o.id = p_ontology
                            and o.status = 'ready')
            then 'The ontology is not ready.'
    end
$$;

-- The offsets of a time zone from yesterday on for five years, as JSON:
-- [[from, seconds ahead of UTC]], times in seconds since 1970 (base/cron.h). Days
-- are compared; only where two differ, quarters of an hour.
create function zone_offsets(p_zone text) returns json language sql stable as $$
    with days as (
        select d, extract(epoch from (d at time zone p_zone)
                                     - (d at time zone 'UTC'))::int as ahead
          from generate_series(date_trunc('day', now()) - interval '1 day',
                               now() + interval '5 years', interval '24 hours') d
    ), pairs as (
        select d, ahead, lead(d) over w as until, lead(ahead) over w as then_ahead
          from days window w as (order by d)
    ), found as (
        select q.d, p.then_ahead as ahead
          from pairs p cross join lateral (
              select min(m) as d
                from generate_series(p.d, p.until, interval '15 minutes') m
               where extract(epoch from (m at time zone p_zone)
                                        - (m at time zone 'UTC'))::int
                     = p.then_ahead) q
         where p.ahead <> p.then_ahead
        union all
        (select d, ahead from days order by d limit 1)
    )
    select json_agg(json_build_array(extract(epoch from d)::bigint, ahead)
                    order by d) from found
$$;

-- zone_offsets, or null when the database does not know the zone: a new version of
-- the time zone data may have dropped it.
create function known_zone_offsets(p_zone text) returns json
language plpgsql stable as $$
begin
    return zone_offsets(p_zone);
exception when invalid_parameter_value then
    return null;
end $$;

-- Adds a schedule (p_id null) or changes one. Null: the user has p_most, or has no
-- such schedule.
create function put_schedule(p_user uuid, p_id uuid, p_ontology uuid, p_name text,
    p_question text, p_provider text, p_cron text, p_zone text, p_state text,
    p_next bigint, p_condition json, p_url text, p_on text, p_sends text,
    p_secret bytea, p_most integer, p_request text)
returns uuid language plpgsql as $$
declare
    made uuid;
begin
    perform from users where id = p_user for no key update;
    if p_id is null then
        insert into schedules (owner_id, ontology_id, name, question, llm_provider,
                               cron, time_zone, state, next_at, condition,
                               webhook_url, webhook_on, webhook_sends,
                               webhook_secret)
        select p_user, p_ontology, p_name, p_question, p_provider, p_cron, p_zone,
               p_state, to_timestamp(p_next / 1000.0), p_condition, p_url, p_on,
               p_sends, p_secret
         where (select count(*) from schedules where owner_id = p_user) < p_most
        returning id into made;
    else
        update schedules
           set name = p_name, question = p_question, llm_provider = p_provider,
               cron = p_cron, time_zone = p_zone, state = p_state, reason = null,
               next_at = to_timestamp(p_next / 1000.0), condition = p_condition,
               webhook_url = p_url, webhook_on = p_on, webhook_sends = p_sends,
               webhook_secret = coalesce(p_secret, webhook_secret),
               updated_at = now()
         where id = p_id and owner_id = p_user
        returning id into made;
    end if;
    insert into audit_events (actor_id, action, target_type, target, details,
                              request_id)
    select p_user, case when p_id is null then 'schedule.added'
                        else 'schedule.changed' end,
           'schedule', made::text,
           jsonb_build_object('cron', p_cron, 'timeZone', p_zone,
                              'state', p_state, 'webhook', p_url is not null),
           p_request
     where made is not null;
    return made;
end $$;

-- ---- 3. Schedules: fire, settle, notify ----------------------------------------

-- Puts a delivery into the queue if the schedule wants one for this run. It sends
-- no more of the result than the owner chose.
create function notify_schedule(p_run uuid, p_rows json)
returns void language sql as $$
    insert into webhook_deliveries (schedule_id, run_id, event, body)
    select s.id, r.id, e.event,
           json_strip_nulls(json_build_object(
               'event', e.event, 'scheduleId', s.id, 'schedule', s.name,
               'runId', r.id, 'messageId', r.message_id, 'chatId', s.chat_id,
               'dueAt', rfc3339(r.due_at), 'state', r.state, 'reason', r.reason,
               'conditionHeld', r.held,
               'question', case when s.webhook_sends <> 'state'
                                then s.question end,
               'column', case when s.webhook_sends <> 'state'
                              then s.condition->>'column' end,
               'value', case when s.webhook_sends <> 'state' then r.value end,
               'previous', case when s.webhook_sends <> 'state'
                                then r.previous end,
               'rows', case when s.webhook_sends = 'rows' then p_rows end))::text
      from schedule_runs r join schedules s on s.id = r.schedule_id
     cross join lateral (
         select case when r.state = 'failed' then 'schedule.failed'
                     when r.held then 'schedule.condition_met'
                     else 'schedule.done' end as event) e
     where r.id = p_run and s.webhook_url is not null
       and case e.event when 'schedule.failed' then true
                        when 'schedule.condition_met'
                            then s.webhook_on in ('condition', 'always')
                        else s.webhook_on = 'always' end
$$;

-- Fires a schedule that is due: moves it to its next time and asks its question,
-- in a chat of its own. Only the caller that finds it due at p_due does so. A
-- question whose chat is still answered is skipped; a schedule whose owner may not
-- ask any more is stopped.
create function fire_schedule(p_id uuid, p_due bigint, p_next bigint,
                              p_runs_most integer,
                              out fired boolean, out message uuid, out chat uuid)
language plpgsql as $$
declare
    s       schedules;
    problem text;
    made    uuid;
    asked   record;
begin
    update schedules
       set next_at = to_timestamp(p_next / 1000.0)
     where id = p_id and state = 'active' and epoch_ms(next_at) = p_due
       and next_at <= now()
    returning * into s;
    fired := found;
    if not found then
        return;
    end if;
    problem := schedule_problem(s.owner_id, s.ontology_id);
    if p_next is null then
        problem := coalesce(problem, case
            when known_zone_offsets(s.time_zone) is null
                then format('The database no longer knows the time zone %s. '
                            'Choose another one.', s.time_zone)
            else 'It has no further time.' end);
    end if;
    delete from schedule_runs where id in (
        select id from schedule_runs where schedule_id = s.id and state <> 'open'
         order by due_at desc offset p_runs_most);
    insert into schedule_runs (schedule_id, due_at)
    values (s.id, to_timestamp(p_due / 1000.0)) returning id into made;
    if problem is not null then
        perform stop_schedule(s.id, problem);
        perform settle_schedule_run(made, 'failed', problem, null, null, null, null);
        return;
    end if;
    if s.chat_id is null or not exists (select from data_chats
                                         where id = s.chat_id
                                           and owner_id = s.owner_id
                                           and deleted_at is null) then
        insert into data_chats (name, ontology_id, owner_id, llm_provider)
        values (s.name, s.ontology_id, s.owner_id, s.llm_provider)
        returning id into s.chat_id;
        update schedules set chat_id = s.chat_id where id = s.id;
    end if;
    select * into asked from ask_question(s.owner_id, s.chat_id, s.question, null,
                                          'root', '', '');
    if asked.outcome <> 'made' then
        perform settle_schedule_run(made, 'skipped',
            'The answer before was still being written.', null, null, null, null);
        return;
    end if;
    message := asked.answer;
    chat := s.chat_id;
    update schedule_runs set message_id = message where id = made;
end $$;

-- Stops a schedule with a reason that its owner reads.
create function stop_schedule(p_id uuid, p_reason text) returns void
language sql as $$
    with gone as (
        update schedules set state = 'stopped', reason = p_reason, next_at = null,
               updated_at = now()
         where id = p_id and state <> 'stopped' returning id)
    insert into audit_events (action, target_type, target, details)
    select 'schedule.stopped', 'schedule', id::text,
           jsonb_build_object('reason', p_reason) from gone
$$;

-- Ends a run that is open; true: it was.
create function settle_schedule_run(p_run uuid, p_state text, p_reason text,
                                    p_value text, p_previous text, p_held boolean,
                                    p_rows json)
returns boolean language plpgsql as $$
begin
    update schedule_runs
       set state = p_state, reason = p_reason, value = p_value,
           previous = p_previous, held = p_held, ended_at = now()
     where id = p_run and state = 'open';
    if not found then
        return false;
    end if;
    perform notify_schedule(p_run, p_rows);
    return true;
end $$;
