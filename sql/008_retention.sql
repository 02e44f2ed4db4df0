-- What is kept of runs that are over, and for how long.

-- Runs are trimmed in the order in which they ended; a kind's mark is the last
-- one done. Whoever holds the mark's row trims, others pass by.
create table trim_marks (
    kind       text primary key,
    ended_at   timestamptz not null default '-infinity',
    message_id uuid not null default '00000000-0000-0000-0000-000000000000'
);
insert into trim_marks (kind) values ('events'), ('traces'), ('charts');
create index runs_ended on runs (ended_at, message_id)
    where ended_at is not null;

-- Removes one kind of what up to `p_most` runs left that ended more than
-- `p_days` ago: `events` (with the artifacts that only a takeover needs),
-- `traces` or `charts`. Answers how many runs it did.
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
