-- Sextant demo data: the rights of the role that answers questions.
-- Run after data.sql in the demo database, as the owner of the tables.
-- The role sextant_demo_reader and the rights on the database itself, CONNECT
-- for the role and nothing for PUBLIC, are set up by the program before this.

REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO sextant_demo_reader;
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO sextant_demo_reader;

-- Settings of the role. A client can change them, but the role owns nothing
-- and may write nothing, whatever they are set to.
ALTER ROLE sextant_demo_reader SET default_transaction_read_only = on;
ALTER ROLE sextant_demo_reader SET statement_timeout = '30s';
ALTER ROLE sextant_demo_reader SET lock_timeout = '5s';
ALTER ROLE sextant_demo_reader SET idle_in_transaction_session_timeout = '60s';
ALTER ROLE sextant_demo_reader SET search_path = public;
ALTER ROLE sextant_demo_reader SET work_mem = '16MB';

-- Anybody may call these by default: large objects would be a place to write,
-- advisory locks a way to get in the way of other connections. Only a superuser
-- can take that back; for another owner the script goes on without, silently.
SET client_min_messages = error;
DO $$
DECLARE
    f regprocedure;
BEGIN
    FOR f IN
        SELECT p.oid::regprocedure
        FROM pg_catalog.pg_proc p
        WHERE p.pronamespace = 'pg_catalog'::regnamespace
          AND (p.proname ~ '^lo_(creat|create|open|close|from_bytea|put|get|unlink|lseek|lseek64|tell|tell64|truncate|truncate64|import|export)$'
               OR p.proname IN ('loread', 'lowrite')
               OR p.proname ~ '^pg_(try_)?advisory_')
        ORDER BY p.oid
    LOOP
        BEGIN
            EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', f);
        EXCEPTION WHEN insufficient_privilege THEN
            NULL;
        END;
    END LOOP;

    BEGIN
        ALTER ROLE sextant_demo_reader SET temp_file_limit = '256MB';
    EXCEPTION WHEN insufficient_privilege THEN
        NULL;
    END;
END
$$;

RESET client_min_messages;
