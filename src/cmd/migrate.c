/* migrate.c - `sextant migrate up|status`. */
#include "db/migrate.h"
#include "cli.h"
#include "config/places.h"
#include "help.h"
#include "programs.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

struct migrate_command {
    struct cli cli;
    bool up;
    struct migrate work;
};

static struct next migrations_known(struct flow *f);

static struct next migrate_command_begin(struct flow *f)
{
    struct migrate_command *m = locals(f, struct migrate_command);
    struct cli *c = &m->cli;
    const char *data = places_data(&c->arena, &c->config);
    if (!data)
        return fail_because(f, ERR_NOT_FOUND,
                            "the folder with sql/ was not found; set DATA_DIR");
    m->work.directory = arena_printf(&c->arena, "%s/sql", data).ptr;
    m->work.conninfo =
        engine_direct_conninfo(&c->arena, &c->config, &c->home).ptr;
    return call(f, m->up ? migrate_up : migrate_status, &m->work,
                migrations_known);
}

static struct next migrations_known(struct flow *f)
{
    const struct migrate *work = &locals(f, struct migrate_command)->work;
    for (int i = 0; i < work->n; i++) {
        const struct migration *m = &work->list[i];
        printf("%-40.*s %.*s\n", STR_ARG(m->name),
               STR_ARG(m->applied ? m->applied_at : STR("not applied")));
    }
    return back(f);
}

int cmd_migrate(int argc, char **argv)
{
    static struct migrate_command m;
    struct arguments args;
    if (!cli_read(&m.cli, "migrate", argc, argv, NULL, &args))
        return EXIT_USAGE;
    m.up = args.n == 1 && !strcmp(args.items[0], "up");
    if (!m.up && (args.n != 1 || strcmp(args.items[0], "status") != 0))
        return usage_error("migrate", NULL);
    m.cli.any_schema = true;
    return cli_run(&m.cli, migrate_command_begin, &m);
}
