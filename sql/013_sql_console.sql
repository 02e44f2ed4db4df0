-- The SQL console: queries that people save, and the latest ones that they ran.

create table sql_queries (
    id          uuid primary key default gen_random_uuid(),
    ontology_id uuid not null references ontologies on delete cascade,
    owner_id    uuid not null references users on delete cascade,
    name        text not null,
    sql         text not null,
    shared      boolean not null, -- with everyone who may use the ontology
    created_at  timestamptz not null default now(),
    updated_at  timestamptz not null default now()
);
create unique index sql_queries_name
    on sql_queries (owner_id, ontology_id, lower(name));
create index sql_queries_ontology on sql_queries (ontology_id, lower(name));

create table sql_history (
    id          uuid primary key default gen_random_uuid(),
    user_id     uuid not null references users on delete cascade,
    ontology_id uuid not null references ontologies on delete cascade,
    at          timestamptz not null default clock_timestamp(),
    sql         text not null,
    outcome     text not null, -- 'complete', 'failed', 'refused', 'cancelled'
    row_count   integer not null default 0,
    elapsed_ms  integer not null default 0,
    problem     text
);
create index sql_history_user on sql_history (user_id, ontology_id, at desc);
create index sql_history_ontology on sql_history (ontology_id);

-- Notes a query that a user ran: in their history, where it takes the place of
-- the same text and of all but the latest p_most, and in the audit, which gets
-- the text without its literals. p_history false: in the audit alone.
create function note_sql_run(p_user uuid, p_ontology uuid, p_sql text,
                             p_outcome text, p_rows integer, p_ms integer,
                             p_problem text, p_history boolean,
                             p_most integer, p_action text, p_statement text,
                             p_request text)
returns void language plpgsql as $$
begin
    insert into audit_events (actor_id, action, target_type, target, details,
                              request_id)
    values (p_user, p_action, 'ontology', p_ontology::text,
            jsonb_build_object('statement', p_statement, 'outcome', p_outcome,
                               'rows', p_rows, 'elapsedMs', p_ms), p_request);
    if not p_history then
        return;
    end if;
    delete from sql_history h
     where h.user_id = p_user and h.ontology_id = p_ontology
       and (h.sql = p_sql or h.id in (
            select o.id from sql_history o
             where o.user_id = p_user and o.ontology_id = p_ontology
               and o.sql <> p_sql
             order by o.at desc, o.id desc offset p_most - 1));
    insert into sql_history (user_id, ontology_id, sql, outcome, row_count,
                             elapsed_ms, problem)
    select p_user, p_ontology, p_sql, p_outcome, p_rows, p_ms,
           nullif(p_problem, '')
     where exists (select from ontologies o where o.id = p_ontology)
       and exists (select from users u where u.id = p_user);
end $$;
