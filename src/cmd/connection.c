/* connection.c - `sextant connection add|list|remove`: databases to ask about. */
#include "store/connections.h"
#include "cli.h"
#include "programs.h"
#include "source_check.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum { MOST_NAME = 255 };

struct connection_command {
    struct cli cli;
    struct cli_user user;
    bool superuser_too;
    struct connection_add add;
    struct source_check check;
    struct query *query;
};

static const char usage_text[] =
    "usage: sextant connection add NAME postgresql://user:password@host:5432/"
    "database[?sslmode=verify-full&sslrootcert=FILE] [--private] "
    "[--allow-superuser] [--owner EMAIL] "
    "[--share-rows all|aggregates|none]\n"
    "       sextant connection list\n"
    "       sextant connection remove NAME\n";

/* ---- add ---------------------------------------------------------------- */

static struct next rights_known(struct flow *f), owner_known(struct flow *f),
    added(struct flow *f);

static struct next add_begin(struct flow *f)
{
    struct connection_command *c = locals(f, struct connection_command);
    c->add.store = c->cli.engine.store;
    c->check.target = &c->add;
    return call(f, source_check_begin, &c->check, rights_known);
}

static void tell_rights(const struct source_check *s)
{
    printf("PostgreSQL %.*s, %lld relations readable\n", STR_ARG(s->version),
           (long long)s->readable);
    if (s->superuser)
        printf("warning: this role is a superuser\n");
    if (s->writable || s->creates)
        printf("warning: this role may also write (%lld relations%s). Sextant "
               "reads only, but a role that cannot write is safer\n",
               (long long)s->writable,
               s->creates ? ", and make new ones" : "");
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
    return call(f, connection_add_begin, &c->add, added);
}

static struct next added(struct flow *f)
{
    struct connection_command *c = locals(f, struct connection_command);
    printf("Connection \"%.*s\" is added (%.*s, %s).\n", STR_ARG(c->add.name),
           STR_ARG(c->add.id), c->add.shared ? "shared" : "private");
    return back(f);
}

/* ---- list and remove ---------------------------------------------------- */

static const struct statement list_statement = {
    .name = "cmd.connections",
    .again = true,
    .sql = "select c.name, c.username || '@' || c.host || ':' || c.port || '/'"
           "   || c.database_name, c.visibility, u.email, c.embedded,"
           "   coalesce(c.options ->> 'shareRows', 'all')"
           " from connections c join users u on u.id = c.owner_id"
           " order by c.name, u.email",
};

static const struct statement remove_statement = {
    .name = "cmd.connections.remove",
    .sql = "delete from connections where name = $1 returning id",
};

static struct next listed(struct flow *f), removed(struct flow *f);

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
        printf("%-20.*s %-50.*s %-8.*s %-10.*s %.*s\n",
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
    c->query = query_new(f, c->cli.engine.pool, &remove_statement);
    query_str(f, c->query, c->add.name);
    query_begin(f, c->query);
    op_tolerate(&c->query->op);
    return await(f, removed);
}

static struct next removed(struct flow *f)
{
    struct connection_command *c = locals(f, struct connection_command);
    if (c->query->op.status == ERR_CONFLICT)
        return fail_because(f, ERR_CONFLICT,
                            "\"%.*s\" has models; import them for another "
                            "connection first", STR_ARG(c->add.name));
    if (c->query->op.status != OK)
        return fail(f, c->query->op.status);
    if (!c->query->n_rows)
        return fail_because(f, ERR_NOT_FOUND, "there is no connection \"%.*s\"",
                            STR_ARG(c->add.name));
    printf("Connection \"%.*s\" is removed.\n", STR_ARG(c->add.name));
    return back(f);
}

/* ---- the command -------------------------------------------------------- */

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
        (!root_file.len || source_certificates(&c->cli.arena, root_file,
                                               &c->add.root_certificates,
                                               &why)))
        return true;
    fprintf(stderr, "sextant connection: the address: %.*s\n", STR_ARG(why));
    return false;
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
    }
    return c->cli.begin != NULL;
}

int cmd_connection(int argc, char **argv)
{
    static struct connection_command c;
    bool shared = false, private = false;
    const char *owner = NULL, *share = "all";
    const struct option own[] = {
        {"share-rows", NULL, &share},
        {"shared", &shared, NULL}, {"private", &private, NULL},
        {"allow-superuser", &c.superuser_too, NULL}, {"owner", NULL, &owner},
        {0}};
    struct words words;
    cli_init(&c.cli, "connection");
    if (!options_read(&c.cli.arena, argc, argv, own, &words, &c.cli.config))
        return EXIT_WRONG_USE;
    c.user = (struct cli_user){.cli = &c.cli, .email = str_of(owner)};
    c.add.shared = shared || (!private && !owner);
    c.cli.locals = &c;
    if (!share_of_word(str_of(share), &c.add.share_rows)) {
        fprintf(stderr, "sextant connection: --share-rows is all, aggregates or "
                        "none, not %s\n", share);
        return EXIT_WRONG_USE;
    }
    if (take_words(&c, &words))
        return cli_run(&c.cli);
    fputs(usage_text, stderr);
    return EXIT_WRONG_USE;
}
