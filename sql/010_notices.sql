-- Changed users are told of at once, and the audit has an end.

-- Those who listen look at users.updated_at when they hear it (003).
create function users_notify() returns trigger language plpgsql as $$
begin
    perform pg_notify('sextant', 'changed ' || new.id);
    return null;
end $$;
create trigger users_notify after update of is_active, roles on users
    for each row when (old.is_active is distinct from new.is_active or
                       old.roles is distinct from new.roles)
    execute function users_notify();

-- Removes up to `p_most` events of the audit older than `p_days`. Answers how
-- many it did.
create function trim_audit(p_days integer, p_most integer)
returns integer language sql as $$
    with due as (
        select id from audit_events
         where at < now() - p_days * interval '1 day'
         order by at, id limit p_most for update skip locked),
    gone as (
        delete from audit_events a using due where a.id = due.id returning 1)
    select count(*)::integer from gone
$$;
