-- Trusted answers: questions whose query an owner of the ontology, or an admin,
-- vouches for. The same question is answered by this query; similar ones get it
-- as an example.

create table trusted_answers (
    id              uuid primary key default gen_random_uuid(),
    ontology_id     uuid not null references ontologies on delete cascade,
    question        text not null,
    wording         text not null, -- how questions are compared: the words,
    bound_values    text not null, -- and the values in them, a JSON array
    -- what words such as "last month" meant when the query was written, if the
    -- query has that as fixed dates; empty: it may be used at any time
    period          text not null default '',
    sql             text not null,
    message_id      uuid, -- the answer that was marked
    step_id         integer,
    added_by        uuid references users on delete set null,
    added_by_name   text not null,
    added_at        timestamptz not null default now(),
    -- The version of the ontology that it was last checked against, and why it
    -- did not pass; null: it passed.
    checked_version integer not null,
    problem         text
);
create unique index trusted_answers_question
    on trusted_answers (ontology_id, md5(wording), md5(bound_values));
create index trusted_answers_listed on trusted_answers (ontology_id, added_at);
create index trusted_answers_message on trusted_answers (message_id);
create index trusted_answers_user on trusted_answers (added_by);

-- Adds checked questions of one ontology, none of them twice, or replaces the
-- queries of those that it has. A question that has this query already keeps who
-- added it and when. The outcome is 'full' when there would be more than
-- p_most, and then nothing changes; no row: the ontology is gone.
create function put_trusted_answers(p_ontology uuid, p_user uuid, p_items json,
                                    p_most integer, p_request text)
returns table (answer_id uuid, outcome text) language plpgsql as $$
declare
    had     integer;
    fresh   integer;
    by_name text;
begin
    perform from ontologies o where o.id = p_ontology and o.deleted_at is null
        for no key update;
    if not found then
        return;
    end if;
    select coalesce(nullif(u.display_name, ''), u.email) into by_name
      from users u where u.id = p_user;
    select count(*) into had from trusted_answers t
     where t.ontology_id = p_ontology;
    select count(*) into fresh
      from json_to_recordset(p_items) as x(wording text, bound_values text)
     where not exists (select from trusted_answers t
                        where t.ontology_id = p_ontology
                          and md5(t.wording) = md5(x.wording)
                          and md5(t.bound_values) = md5(x.bound_values));
    if had + fresh > p_most then
        return query select null::uuid, 'full';
        return;
    end if;
    return query with put as (
        insert into trusted_answers as t (ontology_id, question, wording,
            bound_values, period, sql, message_id, step_id, added_by,
            added_by_name, checked_version)
        select p_ontology, x.question, x.wording, x.bound_values, x.period,
               x.sql, x.message_id, x.step_id, p_user, coalesce(by_name, ''),
               x.checked_version
          from json_to_recordset(p_items) as x(question text, wording text,
               bound_values text, period text, sql text, message_id uuid,
               step_id integer, checked_version integer)
        on conflict (ontology_id, md5(wording), md5(bound_values)) do update
           set question = excluded.question, sql = excluded.sql,
               period = excluded.period, message_id = excluded.message_id,
               step_id = excluded.step_id,
               checked_version = excluded.checked_version, problem = null,
               added_by = case when t.sql = excluded.sql then t.added_by
                               else excluded.added_by end,
               added_by_name = case when t.sql = excluded.sql
                                    then t.added_by_name
                                    else excluded.added_by_name end,
               added_at = case when t.sql = excluded.sql then t.added_at
                               else excluded.added_at end
        returning t.id, t.xmax = 0 as is_new),
    noted as (
        insert into audit_events (actor_id, action, target_type, target,
                                  details, request_id)
        select p_user, 'trusted_answer.added', 'trusted_answer', put.id::text,
               jsonb_build_object('ontologyId', p_ontology), p_request
          from put)
    select put.id, case when put.is_new then 'added' else 'replaced' end
      from put;
end $$;
