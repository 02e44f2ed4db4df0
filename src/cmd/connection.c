/* connection.c - `sextant connection add|list|remove|reseal|role`: connections
 * to sources. */
#include "base/json.h"
#include "config/suggest.h"
#include "store/connections.h"
#include "cli.h"
#include "help.h"
#include "programs.h"
#include "say.h"
#include "source_certificates.h"
#include "store/source_check.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum { MOST_NAME = 255 };

struct connection_command {
    struct cli cli;
    struct cli_user user;
    bool superuser_too;
    struct connection_add add;
    bool replaces;
    struct str was; /* its old address, without the user */
    struct source_check check;
    struct connection_remove remove;
    struct connection_reseal reseal;
    struct query *query;
};

/* ---- add ----------------------------------------------------------------- */

static struct next rights_known(struct flow *f), owner_known(struct flow *f),
    same_name_known(struct flow *f), added(struct flow *f);

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
    c->check.target = &c->add;
    return call(f, source_check_begin, &c->check, rights_known);
}

static void tell_rights(const struct source_check *s)
{
    say(stdout, "PostgreSQL %.*s, %lld relations readable\n",
        STR_ARG(s->version), (long long)s->readable);
    if (s->superuser)
        printf("warning: this role is a superuser\n");
    if (s->writable || s->creates)
        printf("warning: this role may also write (%lld relations%s). Sextant "
               "reads only, but a role that cannot write is safer\n",
               (long long)s->writable, s->creates ? ", and make new ones" : "");
    if (s->definers)
        say(stdout,
            "warning: this role may execute %lld functions that run with the "
            "rights of their owner (SECURITY DEFINER): %.*s%s. Queries that "
            "would call them are refused; revoke execute on them from public "
            "all the same\n",
            (long long)s->definers, STR_ARG(s->definer_names),
            s->definers > 5 ? ", …" : "");
}

static struct next rights_known(struct flow *f)
{
    struct connection_command *c = locals(f, struct connection_command);
    if (c->check.superuser && !c->superuser_too)
        return fail_because(
            f, ERR_VALIDATION,
            "\"%.*s\" is a superuser there, and nothing that a model writes "
            "should run as one. Give a role that may only read, or "
            "--allow-superuser if you must",
            STR_ARG(c->add.username));
    tell_rights(&c->check);
    return call(f, cli_user_begin, &c->user, owner_known);
}

static struct next owner_known(struct flow *f)
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
        c->was = arena_str(flow_keep(f), query_cell(c->query, 0, 0));
    return call(f, connection_add_begin, &c->add, added);
}

static struct next added(struct flow *f)
{
    struct connection_command *c = locals(f, struct connection_command);
    struct str now =
        arena_printf(flow_keep(f), "%.*s:%d/%.*s", STR_ARG(c->add.host),
                     c->add.port, STR_ARG(c->add.database));
    say(stdout, "Connection \"%.*s\" is %s (%.*s, %s)", STR_ARG(c->add.name),
        c->replaces ? "replaced" : "added", STR_ARG(c->add.id),
        c->add.shared ? "shared" : "private");
    if (c->replaces && !str_eq(c->was, now))
        say(stdout, ": it led to %.*s; models on it now read %.*s",
            STR_ARG(c->was), STR_ARG(now));
    printf(".\n");
    return back(f);
}

/* ---- list and remove ----------------------------------------------------- */

static const struct statement list_statement = {
    .name = "cmd.connections",
    .again = true,
    .sql = "select c.name, c.username || '@' || c.host || ':' || c.port || '/'"
           "   || c.database_name, c.visibility, u.email, c.embedded,"
           "   coalesce(c.options ->> 'shareRows', 'all')"
           " from connections c join users u on u.id = c.owner_id"
           " order by c.name, u.email",
};

static const struct statement find_statement = {
    .name = "cmd.connections.find",
    .again = true,
    .sql = "select id from connections where name = $1",
};

static struct next listed(struct flow *f), found_by_name(struct flow *f),
    removed(struct flow *f), resealed(struct flow *f);

static struct next list_begin(struct flow *f)
{
    struct connection_command *c = locals(f, struct connection_command);
    c->query = query_new(f, c->cli.engine.pool, &list_statement);
    query_begin(f, c->query);
    return await(f, listed);
}

static struct next listed(struct flow *f)
{
    const struct query *q = locals(f, struct connection_command)->query;
    for (int i = 0; i < q->n_rows; i++)
        say(stdout, "%-20.*s %-50.*s %-8.*s %-10.*s %.*s\n",
            STR_ARG(query_cell(q, i, 0)),
            STR_ARG(query_cell_bool(q, i, 4) ? STR("(embedded)")
                                             : query_cell(q, i, 1)),
            STR_ARG(query_cell(q, i, 2)), STR_ARG(query_cell(q, i, 5)),
            STR_ARG(query_cell(q, i, 3)));
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
        return fail_because(f, ERR_CONFLICT,
                            "several users have a connection \"%.*s\"; they "
                            "remove theirs themselves",
                            STR_ARG(c->add.name));
    c->remove.store = c->cli.engine.store;
    c->remove.id = arena_str(flow_keep(f), query_cell(c->query, 0, 0));
    return call(f, connection_remove_begin, &c->remove, removed);
}

static struct str names_of(struct arena *arena, struct str array)
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

static struct next removed(struct flow *f)
{
    struct connection_command *c = locals(f, struct connection_command);
    if (!c->remove.removed)
        return fail_because(f, ERR_CONFLICT,
                            "\"%.*s\" has models: %.*s; delete them, or import "
                            "them for another connection first",
                            STR_ARG(c->add.name),
                            STR_ARG(names_of(flow_here(f), c->remove.models)));
    say(stdout, "Connection \"%.*s\" is removed.\n", STR_ARG(c->add.name));
    return back(f);
}

/* ---- sealing with a new key ---------------------------------------------- */

static struct next reseal_begin(struct flow *f)
{
    struct connection_command *c = locals(f, struct connection_command);
    c->reseal.store = c->cli.engine.store;
    return call(f, connection_reseal_begin, &c->reseal, resealed);
}

static struct next resealed(struct flow *f)
{
    const struct connection_reseal *r =
        &locals(f, struct connection_command)->reseal;
    printf("%lld passwords are sealed anew.\n", (long long)r->resealed);
    if (r->unopened)
        return fail_because(f, ERR_CONFLICT,
                            "%lld passwords can be opened by neither "
                            "CREDENTIALS_KEY nor CREDENTIALS_KEY_PREVIOUS; add "
                            "those connections again",
                            (long long)r->unopened);
    return back(f);
}

/* ---- a role that may only read ------------------------------------------- */

static struct str quoted(struct arena *arena, const char *name)
{
    struct buf out;
    buf_init(&out, arena);
    buf_char(&out, '"');
    for (; *name; name++) {
        if (*name == '"')
            buf_char(&out, '"');
        buf_char(&out, *name);
    }
    buf_char(&out, '"');
    return buf_finish(&out);
}

static void print_schema(struct str role, struct str schema)
{
    printf("revoke create on schema %.*s from public;\n"
           "grant usage on schema %.*s to %.*s;\n"
           "grant select on all tables in schema %.*s to %.*s;\n"
           "-- and what is made there later, by whoever runs this:\n"
           "alter default privileges in schema %.*s grant select on tables to "
           "%.*s;\n",
           STR_ARG(schema), STR_ARG(schema), STR_ARG(role), STR_ARG(schema),
           STR_ARG(role), STR_ARG(schema), STR_ARG(role));
}

static struct str literal(struct arena *arena, struct str text)
{
    struct buf out;
    buf_init(&out, arena);
    buf_char(&out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\'')
            buf_char(&out, '\'');
        buf_char(&out, text.ptr[i]);
    }
    buf_char(&out, '\'');
    return buf_finish(&out);
}

/* By default PUBLIC may execute every function. The script revokes that for
 * functions that run as their owner, if the one who runs it may do so, and
 * names the rest. */
static void print_functions(struct arena *arena, struct str role)
{
    printf(
        "-- functions that run with the rights of their owner "
        "(SECURITY DEFINER) may be\n-- called by everybody, in queries "
        "too: not any more. Roles that need one get a\n-- grant of their "
        "own: grant execute on function … to …\n"
        "do $sextant$\ndeclare f record;\nbegin\n"
        "  for f in select p.oid, p.oid::regprocedure as name,\n"
        "      case p.prokind when 'p' then 'procedure' else 'function' end "
        "as kind,\n"
        "      pg_has_role(p.proowner, 'usage') as ours\n"
        "    from pg_proc p join pg_namespace n on n.oid = p.pronamespace\n"
        "    where p.prosecdef and p.prorettype <> 'trigger'::regtype\n"
        "      and n.nspname not in ('pg_catalog', 'information_schema')\n"
        "      and has_function_privilege(%.*s, p.oid, 'execute') loop\n"
        "    if f.ours then\n"
        "      execute format('revoke execute on %%s %%s from public', "
        "f.kind, f.name);\n"
        "    end if;\n"
        "    if has_function_privilege(%.*s, f.oid, 'execute') then\n"
        "      raise warning '%% may still be executed: its owner has to "
        "revoke that', f.name;\n"
        "    end if;\n"
        "  end loop;\nend $sextant$;\n"
        "-- and those made later, by whoever runs this, for all roles; for you "
        "to decide:\n-- alter default privileges revoke execute on functions "
        "from public;\n",
        STR_ARG(literal(arena, role)), STR_ARG(literal(arena, role)));
}

/* Prints a script for psql, to be run by a superuser or the database's
 * owner. */
static int print_role(struct connection_command *c, const struct words *words)
{
    struct arena *arena = &c->cli.arena;
    struct str role = quoted(arena, words->items[1]);
    struct str database =
        quoted(arena, words->n > 2 ? words->items[2] : "DATABASE");
    printf(
        "-- A role that may read and nothing else. Run it in psql, connected "
        "to the\n-- database, as its owner or a superuser; then give the role "
        "a password:\n--   \\password %.*s\n"
        "create role %.*s login nosuperuser nocreatedb nocreaterole "
        "noreplication\n    nobypassrls connection limit 32;\n"
        "alter role %.*s set default_transaction_read_only = on;\n"
        "alter role %.*s set statement_timeout = '60s';\n"
        "alter role %.*s set temp_file_limit = '1GB'; -- a superuser alone may\n"
        "revoke temporary on database %.*s from public;\n"
        "grant connect on database %.*s to %.*s;\n",
        STR_ARG(role), STR_ARG(role), STR_ARG(role), STR_ARG(role),
        STR_ARG(role), STR_ARG(database), STR_ARG(database), STR_ARG(role));
    if (words->n <= 3)
        print_schema(role, STR("public"));
    for (int i = 3; i < words->n; i++)
        print_schema(role, quoted(arena, words->items[i]));
    print_functions(arena, str_of(words->items[1]));
    arena_done(arena);
    return EXIT_OK;
}

/* ---- the command --------------------------------------------------------- */

static bool take_add(struct connection_command *c, const struct words *words)
{
    struct str why, root_file;
    if (words->n != 3)
        return false;
    c->add.name = str_trim(str_of(words->items[1]));
    if (!c->add.name.len || c->add.name.len > MOST_NAME) {
        fprintf(stderr, "sextant connection: a name has 1 to 255 characters\n");
        return false;
    }
    if (connection_parse_url(&c->cli.arena, str_of(words->items[2]), &c->add,
                             &root_file, &why) &&
        (!root_file.len ||
         source_certificates(&c->cli.arena, root_file,
                             &c->add.root_certificates, &why)))
        return true;
    fprintf(stderr, "sextant connection: the address: %.*s\n", STR_ARG(why));
    return false;
}

/* What is wrong with the arguments, if we can say it better than the usage. */
static const char *wrong_words(struct connection_command *c,
                               const struct words *words)
{
    static const char *const verbs[] = {"add", "list", "remove", "reseal",
                                        "role"};
    const char *verb = words->n ? words->items[0] : "add";
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (!strcmp(verb, verbs[i]))
            return NULL;
    const char *near =
        suggest(str_of(verb), verbs, sizeof verbs / sizeof *verbs);
    return arena_printf(&c->cli.arena, "there is no \"%s\"%s%s%s", verb,
                        near ? "; did you mean " : "", near ? near : "",
                        near ? "?" : "")
        .ptr;
}

static bool take_words(struct connection_command *c, const struct words *words)
{
    const char *verb = words->n ? words->items[0] : "";
    if (!strcmp(verb, "add") && take_add(c, words)) {
        c->cli.begin = add_begin;
    } else if (!strcmp(verb, "list") && words->n == 1) {
        c->cli.begin = list_begin;
    } else if (!strcmp(verb, "remove") && words->n == 2) {
        c->add.name = str_of(words->items[1]);
        c->cli.begin = remove_begin;
    } else if (!strcmp(verb, "reseal") && words->n == 1) {
        c->cli.begin = reseal_begin;
    }
    return c->cli.begin != NULL;
}

int cmd_connection(int argc, char **argv)
{
    static struct connection_command c;
    bool shared = false, private = false;
    const char *owner = NULL, *share = "all";
    const struct option own[] = {{"share-rows", NULL, &share},
                                 {"shared", &shared, NULL},
                                 {"private", &private, NULL},
                                 {"allow-superuser", &c.superuser_too, NULL},
                                 {"owner", NULL, &owner},
                                 {0}};
    struct words words;
    cli_init(&c.cli, "connection");
    if (!options_read(&c.cli.arena, argc, argv, own, &words, &c.cli.config))
        return EXIT_WRONG_USE;
    if (shared && private)
        return wrong_use("connection", "--shared and --private are opposites");
    c.user = (struct cli_user){.cli = &c.cli, .email = str_of(owner)};
    c.add.shared = shared || (!private && !owner);
    c.add.superuser_too = c.superuser_too;
    c.cli.locals = &c;
    if (!share_of_word(str_of(share), &c.add.share_rows)) {
        fprintf(stderr,
                "sextant connection: --share-rows is all, aggregates or "
                "none, not %s\n",
                share);
        return EXIT_WRONG_USE;
    }
    if (words.n > 1 && !strcmp(words.items[0], "role"))
        return print_role(&c, &words);
    return take_words(&c, &words)
               ? cli_run(&c.cli)
               : wrong_use("connection", wrong_words(&c, &words));
}
