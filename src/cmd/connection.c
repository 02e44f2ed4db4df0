/* connection.c - `sextant connection add|list|remove|reseal|role`: connections
 * to sources. */
#include "base/json.h"
#include "config/suggest.h"
#include "store/connections.h"
#include "store/rows.h"
#include "cli.h"
#include "help.h"
#include "programs.h"
#include "say.h"
#include "source_certificates.h"
#include "store/source_check.h"
#include "store/time_zones.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum { MOST_NAME = 255 };

struct connection_command {
    struct cli cli;
    struct cli_user user;
    bool allow_superuser;
    struct connection_add add;
    bool replaces;
    struct str was; /* its old address, without the user */
    struct source_check check;
    struct time_zone_find zone;
    struct connection_remove remove;
    struct connection_reseal reseal;
    struct query *query;
};

/* ---- add ----------------------------------------------------------------- */

static struct next add_zone_known(struct flow *f),
    add_check_due(struct flow *f), add_rights_known(struct flow *f),
    add_owner_known(struct flow *f), same_name_known(struct flow *f),
    connection_added(struct flow *f);

static const struct statement same_name_statement = {
    .name = "cmd.connections.same_name",
    .again = true,
    .sql = "select host || ':' || port || '/' || database_name"
           " from connections where owner_id = $1::uuid and name = $2",
};

static struct next add_begin(struct flow *f)
{
    struct connection_command *c = locals(f, struct connection_command);
    c->add.store = c->cli.engine.store;
    if (!source_host_allowed(c->add.store, c->add.host))
        return fail_because(f, ERR_VALIDATION,
                            "CONNECTION_HOSTS does not allow the host %.*s",
                            STR_ARG(c->add.host));
    c->zone.store = c->add.store;
    c->zone.name = c->add.time_zone;
    return c->zone.name.len
               ? call(f, time_zone_find_begin, &c->zone, add_zone_known)
               : go(f, add_check_due);
}

static struct next add_zone_known(struct flow *f)
{
    struct connection_command *c = locals(f, struct connection_command);
    if (!c->zone.known)
        return fail_because(f, ERR_VALIDATION,
                            "\"%.*s\" is no time zone of the tz database, such "
                            "as Europe/Berlin",
                            STR_ARG(c->add.time_zone));
    c->add.time_zone = c->zone.name;
    return go(f, add_check_due);
}

static struct next add_check_due(struct flow *f)
{
    struct connection_command *c = locals(f, struct connection_command);
    c->check.target = &c->add;
    return call(f, source_check_begin, &c->check, add_rights_known);
}

static void print_rights(const struct source_check *s)
{
    say(stdout, "%s %.*s, %lld relations readable\n",
        s->target->type == CONNECTION_TRINO ? "Trino" : "PostgreSQL",
        STR_ARG(s->version), (long long)s->readable);
    if (s->superuser)
        printf("warning: this role is a superuser\n");
    if (s->writable || s->creates)
        printf("warning: this role may also write (%lld relations%s). Sextant "
               "only reads, but a read-only role is safer\n",
               (long long)s->writable,
               s->creates ? ", and create new ones" : "");
    if (s->definers)
        say(stdout,
            "warning: this role may execute %lld functions with the rights of "
            "their owner (SECURITY DEFINER): %.*s%s. Queries that call them "
            "are refused, but revoke execute on them from public as well\n",
            (long long)s->definers, STR_ARG(s->definer_names),
            s->definers > 5 ? ", …" : "");
}

static struct next add_rights_known(struct flow *f)
{
    struct connection_command *c = locals(f, struct connection_command);
    if (c->check.superuser && !c->allow_superuser)
        return fail_because(
            f, ERR_VALIDATION,
            "\"%.*s\" is a superuser, and queries of a model must not run as "
            "one. Use a role that may only read, or --allow-superuser if you "
            "must",
            STR_ARG(c->add.username));
    if (!c->check.knows_zone)
        return fail_because(f, ERR_VALIDATION,
                            "the database does not know the time zone %.*s",
                            STR_ARG(c->add.time_zone));
    print_rights(&c->check);
    return call(f, cli_user_begin, &c->user, add_owner_known);
}

static struct next add_owner_known(struct flow *f)
{
    struct connection_command *c = locals(f, struct connection_command);
    c->add.owner_id = c->user.id;
    c->query = query_new(f, c->cli.engine.pool, &same_name_statement);
    query_str(f, c->query, c->add.owner_id);
    query_str(f, c->query, c->add.name);
    query_begin(f, c->query);
    return await(f, same_name_known);
}

static struct next same_name_known(struct flow *f)
{
    struct connection_command *c = locals(f, struct connection_command);
    c->replaces = c->query->n_rows > 0;
    if (c->replaces)
        c->was = ROW_VALUE(text, row_copies(c->query, 0, flow_keep(f)));
    return call(f, connection_add_begin, &c->add, connection_added);
}

static struct next connection_added(struct flow *f)
{
    struct connection_command *c = locals(f, struct connection_command);
    if (c->add.taken)
        return fail_because(f, ERR_CONFLICT,
                            "\"%.*s\" is a connection over uploaded files, and "
                            "cannot be replaced by one to a database",
                            STR_ARG(c->add.name));
    struct str now =
        arena_printf(flow_keep(f), "%.*s:%d/%.*s", STR_ARG(c->add.host),
                     c->add.port, STR_ARG(c->add.database));
    say(stdout, "Connection \"%.*s\" is %s (%.*s, %s)", STR_ARG(c->add.name),
        c->replaces ? "replaced" : "added", STR_ARG(c->add.id),
        c->add.shared ? "shared" : "private");
    if (c->replaces && !str_eq(c->was, now))
        say(stdout, ": its address was %.*s; its models now read %.*s",
            STR_ARG(c->was), STR_ARG(now));
    printf(".\n");
    return back(f);
}

/* ---- list and remove ----------------------------------------------------- */

#define LISTED_ROW(FIRST, X) \
    FIRST(text, name, "c.name") \
    X(text, address, \
      "case when c.embedded then '(embedded)' else c.username || '@'" \
      "   || c.host || ':' || c.port || '/' || c.database_name end") \
    X(text, visibility, "c.visibility") \
    X(text, owner, "u.email") \
    X(text, share_rows, "coalesce(c.options ->> 'shareRows', 'all')") \
    X(text, time_zone, "coalesce(c.options ->> 'timeZone', 'UTC')")
#define LISTED_COLUMNS ROW_SQL(LISTED_ROW)
ROW_STRUCT(listed_row, LISTED_ROW);

static const struct statement list_statement = {
    .name = "cmd.connections",
    .again = true,
    .sql = "select " LISTED_COLUMNS
           " from connections c join users u on u.id = c.owner_id"
           " where " SQL_CONNECTION_SHOWN " order by c.name, u.email",
};

static const struct statement find_statement = {
    .name = "cmd.connections.find",
    .again = true,
    .sql = "select id from connections c where name = $1"
           " and " SQL_CONNECTION_SHOWN,
};

static struct next connections_listed(struct flow *f),
    found_by_name(struct flow *f), connection_removed(struct flow *f),
    connections_resealed(struct flow *f);

static struct next list_begin(struct flow *f)
{
    struct connection_command *c = locals(f, struct connection_command);
    c->query = query_new(f, c->cli.engine.pool, &list_statement);
    query_begin(f, c->query);
    return await(f, connections_listed);
}

static struct next connections_listed(struct flow *f)
{
    const struct query *q = locals(f, struct connection_command)->query;
    for (int i = 0; i < q->n_rows; i++) {
        struct listed_row row = listed_row_at(q, i);
        bool zoned = !str_is(row.time_zone, "UTC");
        say(stdout, "%-20.*s %-50.*s %-8.*s %-10.*s %.*s%s%.*s\n",
            STR_ARG(row.name), STR_ARG(row.address), STR_ARG(row.visibility),
            STR_ARG(row.share_rows), STR_ARG(row.owner), zoned ? " " : "",
            STR_ARG(zoned ? row.time_zone : STR("")));
    }
    return back(f);
}

static struct next remove_begin(struct flow *f)
{
    struct connection_command *c = locals(f, struct connection_command);
    c->query = query_new(f, c->cli.engine.pool, &find_statement);
    query_str(f, c->query, c->add.name);
    query_begin(f, c->query);
    return await(f, found_by_name);
}

static struct next found_by_name(struct flow *f)
{
    struct connection_command *c = locals(f, struct connection_command);
    if (!c->query->n_rows)
        return fail_because(f, ERR_NOT_FOUND, "there is no connection \"%.*s\"",
                            STR_ARG(c->add.name));
    if (c->query->n_rows > 1)
        return fail_because(
            f, ERR_CONFLICT,
            "several users have a connection \"%.*s\"; each must remove their "
            "own",
            STR_ARG(c->add.name));
    c->remove.store = c->cli.engine.store;
    c->remove.id = ROW_VALUE(uuid, row_copies(c->query, 0, flow_keep(f)));
    return call(f, connection_remove_begin, &c->remove, connection_removed);
}

static struct str quoted_names(struct arena *arena, struct str array)
{
    struct buf out;
    json_t *names = json_read(array, NULL);
    buf_init(&out, arena);
    for (size_t i = 0; i < json_array_size(names); i++)
        buf_printf(&out, "%s\"%.*s\"", i ? ", " : "",
                   STR_ARG(json_text(json_array_get(names, i))));
    json_decref(names);
    return buf_finish(&out);
}

static struct next connection_removed(struct flow *f)
{
    struct connection_command *c = locals(f, struct connection_command);
    if (c->remove.of_files)
        return fail_because(f, ERR_CONFLICT,
                            "\"%.*s\" is a connection over uploaded files; "
                            "delete the dataset instead",
                            STR_ARG(c->add.name));
    if (!c->remove.removed)
        return fail_because(
            f, ERR_CONFLICT,
            "semantic models use \"%.*s\": %.*s; delete them, or import them "
            "for another connection, first",
            STR_ARG(c->add.name),
            STR_ARG(quoted_names(flow_here(f), c->remove.models)));
    say(stdout, "Connection \"%.*s\" is removed.\n", STR_ARG(c->add.name));
    return back(f);
}

/* ---- sealing with a new key ---------------------------------------------- */

static struct next reseal_begin(struct flow *f)
{
    struct connection_command *c = locals(f, struct connection_command);
    c->reseal.store = c->cli.engine.store;
    return call(f, connection_reseal_begin, &c->reseal, connections_resealed);
}

static struct next connections_resealed(struct flow *f)
{
    const struct connection_reseal *r =
        &locals(f, struct connection_command)->reseal;
    printf("%lld passwords were encrypted with the new key.\n",
           (long long)r->resealed);
    if (r->unopened)
        return fail_because(
            f, ERR_CONFLICT,
            "%lld passwords can be decrypted with neither CREDENTIALS_KEY nor "
            "CREDENTIALS_KEY_PREVIOUS; add those connections again",
            (long long)r->unopened);
    return back(f);
}

/* ---- a role that may only read ------------------------------------------- */

/* The text as an SQL identifier (") or literal ('). */
static struct str sql_quote(struct arena *arena, const char *text, char quote)
{
    struct buf out;
    buf_init(&out, arena);
    buf_char(&out, quote);
    for (; *text; text++) {
        if (*text == quote)
            buf_char(&out, quote);
        buf_char(&out, *text);
    }
    buf_char(&out, quote);
    return buf_finish(&out);
}

static void print_schema_grants(struct str role, struct str schema)
{
    printf(
        "revoke create on schema %.*s from public;\ngrant usage on schema "
        "%.*s to %.*s;\ngrant select on all tables in schema %.*s to %.*s;\n"
        "-- and on tables created later by the role that runs this:\nalter "
        "default privileges in schema %.*s grant select on tables to %.*s;\n",
        STR_ARG(schema), STR_ARG(schema), STR_ARG(role), STR_ARG(schema),
        STR_ARG(role), STR_ARG(schema), STR_ARG(role));
}

/* By default PUBLIC may execute every function. The script revokes that for
 * functions that run as their owner, if the one who runs it may do so, and
 * names the rest. */
static void print_function_grants(struct arena *arena, const char *name)
{
    struct str role = sql_quote(arena, name, '\'');
    printf(
        "-- functions that run with the rights of their owner (SECURITY "
        "DEFINER) may by\n-- default be called by every role, also in "
        "queries. This revokes it. Roles that\n-- need one get a grant: grant "
        "execute on function … to …\ndo $sextant$\ndeclare f record;\nbegin\n "
        " for f in select p.oid, p.oid::regprocedure as name,\n      case "
        "p.prokind when 'p' then 'procedure' else 'function' end as kind,\n   "
        "   pg_has_role(p.proowner, 'usage') as ours\n    from pg_proc p join "
        "pg_namespace n on n.oid = p.pronamespace\n    where p.prosecdef and "
        "p.prorettype <> 'trigger'::regtype\n      and n.nspname not in "
        "('pg_catalog', 'information_schema')\n      and "
        "has_function_privilege(%.*s, p.oid, 'execute') loop\n    if f.ours "
        "then\n      execute format('revoke execute on %%s %%s from public', "
        "f.kind, f.name);\n    end if;\n    if has_function_privilege(%.*s, "
        "f.oid, 'execute') then\n      raise warning '%% may still be "
        "executed: its owner has to revoke that', f.name;\n    end if;\n  end "
        "loop;\nend $sextant$;\n-- optional: the same for functions created "
        "later by the role that runs this:\n-- alter default privileges "
        "revoke execute on functions from public;\n",
        STR_ARG(role), STR_ARG(role));
}

/* Prints a script for psql, to be run by a superuser or the database's
 * owner. */
static int print_role(struct connection_command *c,
                      const struct arguments *args)
{
    struct arena *arena = &c->cli.arena;
    struct str role = sql_quote(arena, args->items[1], '"');
    struct str database =
        sql_quote(arena, args->n > 2 ? args->items[2] : "DATABASE", '"');
    printf(
        "-- A role that may only read. Run it in psql, connected to the\n-- "
        "database, as its owner or a superuser; then give the role a "
        "password:\n--   \\password %.*s\ncreate role %.*s login nosuperuser "
        "nocreatedb nocreaterole noreplication\n    nobypassrls connection "
        "limit 32;\nalter role %.*s set default_transaction_read_only = on;\n"
        "alter role %.*s set statement_timeout = '60s';\nalter role %.*s set "
        "temp_file_limit = '1GB'; -- a superuser alone may\nrevoke temporary "
        "on database %.*s from public;\ngrant connect on database %.*s to "
        "%.*s;\n",
        STR_ARG(role), STR_ARG(role), STR_ARG(role), STR_ARG(role),
        STR_ARG(role), STR_ARG(database), STR_ARG(database), STR_ARG(role));
    if (args->n <= 3)
        print_schema_grants(role, STR("public"));
    for (int i = 3; i < args->n; i++)
        print_schema_grants(role, sql_quote(arena, args->items[i], '"'));
    print_function_grants(arena, args->items[1]);
    arena_done(arena);
    return EXIT_OK;
}

/* ---- the command --------------------------------------------------------- */

static bool read_add_arguments(struct connection_command *c,
                               const struct arguments *args)
{
    struct str why, root_file;
    if (args->n != 3)
        return false;
    c->add.name = str_trim(str_of(args->items[1]));
    if (!c->add.name.len || c->add.name.len > MOST_NAME) {
        fprintf(stderr, "sextant connection: a name has 1 to 255 characters\n");
        return false;
    }
    if (connection_parse_url(&c->cli.arena, str_of(args->items[2]), &c->add,
                             &root_file, &why) &&
        (!root_file.len ||
         source_certificates(&c->cli.arena, root_file,
                             &c->add.root_certificates, &why)))
        return true;
    fprintf(stderr, "sextant connection: invalid address: %.*s\n",
            STR_ARG(why));
    return false;
}

/* What is wrong with the arguments, if we can say it better than the usage. */
static const char *wrong_verb(struct connection_command *c,
                              const struct arguments *args)
{
    static const char *const verbs[] = {"add", "list", "remove", "reseal",
                                        "role"};
    const char *verb = args->n ? args->items[0] : "add";
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (!strcmp(verb, verbs[i]))
            return NULL;
    const char *near =
        suggest(str_of(verb), verbs, sizeof verbs / sizeof *verbs);
    return arena_printf(&c->cli.arena, "unknown action \"%s\"%s%s%s", verb,
                        near ? "; did you mean " : "", near ? near : "",
                        near ? "?" : "")
        .ptr;
}

/* The first step of the command; NULL: wrong usage. */
static step_fn *action_of(struct connection_command *c,
                          const struct arguments *args)
{
    const char *verb = args->n ? args->items[0] : "";
    if (!strcmp(verb, "add") && read_add_arguments(c, args))
        return add_begin;
    if (!strcmp(verb, "list") && args->n == 1)
        return list_begin;
    if (!strcmp(verb, "remove") && args->n == 2) {
        c->add.name = str_of(args->items[1]);
        return remove_begin;
    }
    return !strcmp(verb, "reseal") && args->n == 1 ? reseal_begin : NULL;
}

int cmd_connection(int argc, char **argv)
{
    static struct connection_command c;
    bool shared = false, private = false;
    const char *owner = NULL, *share = "all", *zone = NULL;
    const struct option own[] = {{"share-rows", NULL, &share},
                                 {"time-zone", NULL, &zone},
                                 {"shared", &shared, NULL},
                                 {"private", &private, NULL},
                                 {"allow-superuser", &c.allow_superuser, NULL},
                                 {"owner", NULL, &owner},
                                 {0}};
    struct arguments args;
    if (!cli_read(&c.cli, "connection", argc, argv, own, &args))
        return EXIT_USAGE;
    if (shared && private)
        return usage_error("connection",
                           "--shared and --private exclude each other");
    c.user = (struct cli_user){.cli = &c.cli, .email = str_of(owner)};
    c.add.shared = shared || (!private && !owner);
    c.add.allow_superuser = c.allow_superuser;
    c.add.time_zone = str_of(zone);
    if (!share_of_word(str_of(share), &c.add.share_rows)) {
        fprintf(stderr,
                "sextant connection: --share-rows must be all, aggregates or "
                "none, not %s\n",
                share);
        return EXIT_USAGE;
    }
    if (args.n > 1 && !strcmp(args.items[0], "role"))
        return print_role(&c, &args);
    step_fn *begin = action_of(&c, &args);
    return begin ? cli_run(&c.cli, begin, &c)
                 : usage_error("connection", wrong_verb(&c, &args));
}
