-- Who may come in: sessions, failed sign-ins, what was done with access, and
-- settings of users and of the system.

alter table users
    add column profile_image_url text,
    add column last_login_at     timestamptz;
create index users_updated on users (updated_at);

-- Whoever changes a user is seen by every process that looks at updated_at.
create function users_touch() returns trigger language plpgsql as $$
begin
    new.updated_at := clock_timestamp();
    return new;
end $$;
create trigger users_touch before update on users
    for each row when (old.* is distinct from new.*)
    execute function users_touch();

-- Free to outlive whom they name.
create table audit_events (
    id          bigint generated always as identity primary key,
    at          timestamptz not null default clock_timestamp(),
    actor_id    uuid,          -- null: the system, or the command line
    action      text not null, -- 'user.disabled'
    target_type text not null default '',
    target      text not null default '', -- mostly an id
    details     jsonb not null default '{}',
    request_id  text not null default ''
);
create index audit_events_at on audit_events (at desc, id desc);

-- A family is one sign-in; its tokens follow one another. Only hashes are kept.
create table refresh_families (
    id         uuid primary key default gen_random_uuid(),
    user_id    uuid not null references users on delete cascade,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    revoked_at timestamptz
);
create index refresh_families_user on refresh_families (user_id);
create index refresh_families_expires on refresh_families (expires_at);

create table refresh_tokens (
    hash       bytea primary key, -- SHA-256
    family_id  uuid not null references refresh_families on delete cascade,
    created_at timestamptz not null default now(),
    rotated_at timestamptz -- when it was first used
);
create index refresh_tokens_family on refresh_tokens (family_id, created_at);

-- Failures of an account, whether there is one of that name or not.
create table login_failures (
    account  bytea primary key, -- SHA-256 of the address in lower case
    failures integer not null default 1,
    since    timestamptz not null default now()
);
create index login_failures_since on login_failures (since);

create table user_settings (
    user_id          uuid primary key references users on delete cascade,
    theme            text not null default 'system',
    profile          jsonb not null default '{}',
    default_provider text,
    notifications    jsonb not null default '{}',
    version          integer not null default 1,
    updated_at       timestamptz not null default now()
);

create table system_settings (
    one           boolean primary key default true check (one),
    features      jsonb not null default '{}',
    agent_configs jsonb not null default '{}',
    version       integer not null default 1,
    updated_at    timestamptz not null default now(),
    updated_by    uuid
);
insert into system_settings default values;

-- Begins a session.
create function open_session(p_user uuid, p_hash bytea, p_lifetime_ms bigint)
returns void language plpgsql as $$
declare
    the_family uuid;
begin
    delete from refresh_families where expires_at < now() - interval '1 day';
    insert into refresh_families (user_id, expires_at)
    values (p_user, now() + p_lifetime_ms * interval '1 millisecond')
    returning id into the_family;
    insert into refresh_tokens (hash, family_id) values (p_hash, the_family);
    update users set last_login_at = now() where id = p_user;
end $$;

-- Exchanges a refresh token for the next one. One that was used before gets a
-- sibling for 20 seconds (two tabs that wake at once); after that somebody has
-- stolen it, and the whole family ends.
create function rotate_session(p_hash bytea, p_next bytea, p_lifetime_ms bigint,
                               p_request text)
returns table (outcome text, user_id uuid, email text)
language plpgsql as $$
declare
    f refresh_families;
    t refresh_tokens;
    u users;
begin
    select * into t from refresh_tokens r where r.hash = p_hash;
    if not found then
        return query select 'unknown', null::uuid, null::text;
        return;
    end if;
    select * into f from refresh_families r where r.id = t.family_id for update;
    select * into u from users r where r.id = f.user_id;
    if f.revoked_at is not null or f.expires_at < now() or not u.is_active then
        return query select 'ended', u.id, u.email;
        return;
    end if;
    select * into t from refresh_tokens r where r.hash = p_hash; -- as locked
    if t.rotated_at < now() - interval '20 seconds' then
        update refresh_families r set revoked_at = now() where r.id = f.id;
        insert into audit_events (actor_id, action, target_type, target,
                                  request_id)
        values (u.id, 'session.reuse', 'session', f.id::text, p_request);
        return query select 'stolen', u.id, u.email;
        return;
    end if;
    if (select count(*) from refresh_tokens r
         where r.family_id = f.id
           and r.created_at > now() - interval '20 seconds') >= 20 then
        return query select 'often', u.id, u.email;
        return;
    end if;
    update refresh_tokens r set rotated_at = now()
     where r.hash = p_hash and r.rotated_at is null;
    insert into refresh_tokens (hash, family_id) values (p_next, f.id);
    update refresh_families r
       set expires_at = now() + p_lifetime_ms * interval '1 millisecond'
     where r.id = f.id;
    return query select 'rotated', u.id, u.email;
end $$;

-- Changes a user; null leaves a value as it is. The last active admin stays one.
-- A new password and a disabled account end its sessions; the latter its runs
-- too.
create function change_user(p_user uuid, p_email text, p_name text,
                            p_active boolean, p_password text, p_roles text[],
                            p_actor uuid, p_request text)
returns text language plpgsql as $$
declare
    u users;
begin
    perform pg_advisory_xact_lock(hashtext('sextant.admins'));
    select * into u from users where id = p_user for update;
    if not found then
        return 'missing';
    end if;
    if u.is_active and 'admin' = any (u.roles)
       and not (coalesce(p_active, true)
                and 'admin' = any (coalesce(p_roles, u.roles)))
       and not exists (select from users where id <> p_user and is_active
                          and 'admin' = any (roles)) then
        return 'last admin';
    end if;
    update users
       set email = coalesce(p_email, email),
           display_name = case when p_name is null then display_name
                               else nullif(p_name, '') end,
           is_active = coalesce(p_active, is_active),
           password_hash = coalesce(p_password, password_hash),
           roles = coalesce(p_roles, roles)
     where id = p_user;
    if p_password is not null or not coalesce(p_active, true) then
        update refresh_families set revoked_at = now()
         where user_id = p_user and revoked_at is null;
    end if;
    if not coalesce(p_active, true) then
        update runs set cancel_requested = true
         where user_id = p_user and ended_at is null and not cancel_requested;
    end if;
    insert into audit_events (actor_id, action, target_type, target, details,
                              request_id)
    values (p_actor,
            case when p_active is distinct from u.is_active
                      and p_active is not null
                 then case when p_active then 'user.enabled'
                           else 'user.disabled' end
                 when p_roles is not null then 'user.roles'
                 when p_password is not null then 'user.password'
                 else 'user.changed' end,
            'user', p_user::text,
            jsonb_strip_nulls(jsonb_build_object(
                'email', p_email, 'isActive', p_active,
                'rolesBefore', case when p_roles is not null
                                    then to_jsonb(u.roles) end,
                'roles', to_jsonb(p_roles))),
            p_request);
    return 'changed';
end $$;
