/* trusted.c - `sextant trusted list|add|remove|import|export`: trusted answers
 * (docs/trusted-answers.md), for operators.
 *
 *   trusted_begin -> acting_known -> ontology_named -> ontology_seen
 *     -> ontology_loaded -> the action */
#include "agent/trusted.h"
#include "base/clock.h"
#include "cli.h"
#include "eval/set.h"
#include "help.h"
#include "programs.h"
#include "say.h"
#include "store/trusted_answers.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

enum { MS_PER_DAY = 86400000, PAGE = 100 };

enum trusted_action { LIST, ADD, REMOVE, IMPORT, EXPORT, ACTIONS };
static const char *const trusted_verbs[ACTIONS] = {"list", "add", "remove",
                                                   "import", "export"};

struct trusted_command {
    struct cli cli;
    enum trusted_action action;
    const char *ontology, *path;
    struct eval_set set;
    struct cli_user user;
    struct cli_ontology named;
    struct ontology_page seen;
    struct ontology_acquire hold;
    struct trusted_recheck recheck;
    struct trusted_page page;
    struct trusted_add add;
    struct trusted_remove remove;
};

static struct next trusted_begin(struct flow *f), acting_known(struct flow *f),
    ontology_named(struct flow *f), ontology_seen(struct flow *f),
    ontology_loaded(struct flow *f), answers_added(struct flow *f),
    answers_checked(struct flow *f), answers_listed(struct flow *f),
    trusted_answer_gone(struct flow *f);

#define COMMAND_OF(f) locals(f, struct trusted_command)

/* ---- who, and which ontology ---------------------------------------------- */

static struct next trusted_begin(struct flow *f)
{
    struct trusted_command *c = COMMAND_OF(f);
    struct store *s = c->cli.engine.store;
    c->recheck.store = c->page.store = c->add.store = c->remove.store =
        c->seen.store = c->hold.store = s;
    c->recheck.all = c->page.all = c->seen.all = true;
    c->page.page = c->seen.page = c->seen.page_size = 1;
    c->page.page_size = PAGE;
    c->add.memory = &c->cli.arena;
    c->user.cli = &c->cli;
    return call(f, cli_user_begin, &c->user, acting_known);
}

static struct next acting_known(struct flow *f)
{
    struct trusted_command *c = COMMAND_OF(f);
    bool all = c->action == LIST && !c->ontology;
    c->recheck.user_id = c->page.user_id = c->add.user_id = c->remove.user_id =
        c->seen.user_id = c->user.id;
    if (c->action == REMOVE)
        return call(f, trusted_remove_begin, &c->remove, trusted_answer_gone);
    if (all)
        return call(f, trusted_recheck_begin, &c->recheck, answers_checked);
    c->named = (struct cli_ontology){.cli = &c->cli,
                                     .wanted = c->ontology ? str_of(c->ontology)
                                                           : c->set.ontology};
    return call(f, cli_ontology_begin, &c->named, ontology_named);
}

static struct next ontology_named(struct flow *f)
{
    struct trusted_command *c = COMMAND_OF(f);
    if (c->named.n > 1 && c->named.wanted.len)
        return fail_because(f, ERR_CONFLICT,
                            "several ontologies are called \"%.*s\"; give the "
                            "id of one",
                            STR_ARG(c->named.wanted));
    c->seen.ontology_id = c->named.id;
    c->recheck.ontology_id = c->page.ontology_id = c->named.id;
    if (c->action == LIST || c->action == EXPORT)
        return call(f, trusted_recheck_begin, &c->recheck, answers_checked);
    return call(f, ontology_page_begin, &c->seen, ontology_seen);
}

static struct next ontology_seen(struct flow *f)
{
    struct trusted_command *c = COMMAND_OF(f);
    c->hold.id = c->named.id;
    c->hold.version = c->seen.version;
    return call(f, ontology_acquire_begin, &c->hold, ontology_loaded);
}

/* ---- add and import ------------------------------------------------------- */

static struct next ontology_loaded(struct flow *f)
{
    struct trusted_command *c = COMMAND_OF(f);
    c->add.held = c->hold.held;
    return call(f, trusted_add_begin, &c->add, answers_added);
}

static void print_refusal(const struct trusted_command *c,
                          const struct trusted_candidate *refused)
{
    if (refused->line)
        say(stderr, "%s:%d: ", c->path, refused->line);
    say(stderr, "%s: %.*s\n", refused->field, STR_ARG(refused->problem));
}

static struct next answers_added(struct flow *f)
{
    struct trusted_command *c = COMMAND_OF(f);
    const struct trusted_put *put = &c->add.put;
    for (size_t i = 0; i < c->add.n; i++)
        if (c->add.items[i].problem.len)
            print_refusal(c, &c->add.items[i]);
    if (!put->found)
        return fail(f, ERR_NOT_FOUND);
    if (!put->room)
        return fail_because(f, ERR_CONFLICT,
                            "an ontology has at most %d trusted answers",
                            TRUSTED_MOST);
    if (put->id.len && c->action == ADD)
        say(stdout, "%.*s\n", STR_ARG(put->id));
    else if (c->action != ADD) /* no set was read to count in */
        printf("%d added, %d replaced, %zu refused, %zu skipped\n", put->added,
               put->replaced, c->add.n_refused, c->set.n - c->add.n);
    if (c->add.n_refused)
        c->cli.status = EXIT_FAILED;
    return back(f);
}

/* ---- list and export ------------------------------------------------------ */

static struct next answers_checked(struct flow *f)
{
    struct trusted_command *c = COMMAND_OF(f);
    if (c->action == EXPORT) {
        c->page.state = STR("trusted");
        c->page.page_size = TRUSTED_MOST;
    }
    return call(f, trusted_page_begin, &c->page, answers_listed);
}

static struct next answers_listed(struct flow *f)
{
    struct trusted_command *c = COMMAND_OF(f);
    const struct query *q = c->page.query;
    if (c->action == EXPORT) {
        struct buf out;
        buf_init(&out, flow_here(f));
        trusted_set_write(&out, q, c->named.name);
        fwrite(out.ptr, 1, out.len, stdout);
        return back(f);
    }
    for (int i = 0; i < q->n_rows; i++) {
        struct trusted_line t = trusted_line_at(q, i);
        say(stdout, "%.*s  %-7.*s  %.*s: %.*s\n", STR_ARG(t.id),
            STR_ARG(t.state), STR_ARG(t.ontology_name), STR_ARG(t.question));
        if (t.problem.len)
            say(stdout, "    %.*s\n", STR_ARG(t.problem));
    }
    if (q->n_rows < PAGE)
        return back(f);
    c->page.page++;
    return call(f, trusted_page_begin, &c->page, answers_listed);
}

/* ---- remove --------------------------------------------------------------- */

static struct next trusted_answer_gone(struct flow *f)
{
    struct trusted_command *c = COMMAND_OF(f);
    if (!c->remove.found)
        return fail_because(f, ERR_NOT_FOUND, "there is no trusted answer %.*s",
                            STR_ARG(c->remove.id));
    return back(f);
}

/* ---- the command line ----------------------------------------------------- */

/* "-" is standard input. */
static bool read_whole(struct arena *arena, const char *path, size_t most,
                       struct str *text)
{
    char *bytes = arena_alloc(arena, most + 2);
    bool given = !strcmp(path, "-");
    int fd = given ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : 1;
    size_t len = 0;
    while (got > 0 && len <= most) {
        got = read(fd, bytes + len, most + 1 - len);
        len += got > 0 ? (size_t)got : 0;
    }
    if (got < 0)
        fprintf(stderr, "sextant trusted: %s: %s\n", path, strerror(errno));
    if (fd >= 0 && !given)
        close(fd);
    *text = (struct str){bytes, len};
    return got >= 0;
}

/* Returns false after printing what is wrong with the file. */
static bool read_set(struct trusted_command *c)
{
    struct arena *arena = &c->cli.arena;
    struct str text, line, rest;
    struct buf problems;
    bool csv = str_ends(str_of(c->path), STR(".csv"));
    buf_init(&problems, arena);
    if (!read_whole(arena, c->path, EVAL_MOST_BYTES, &text))
        return false;
    bool good = csv ? eval_set_read_csv(arena, text, &c->set, &problems)
                    : eval_set_read_yaml(arena, text, &c->set, &problems);
    rest = buf_view(&problems);
    while (!good && str_split(&rest, '\n', &line))
        if (line.len)
            say(stderr, "%s:%.*s\n", c->path, STR_ARG(line));
    c->add.items =
        arena_new_array(arena, struct trusted_candidate, c->set.n + 1);
    for (size_t i = 0; i < c->set.n; i++) {
        const struct eval_question *q = &c->set.questions[i];
        if (q->n_sql)
            c->add.items[c->add.n++] =
                (struct trusted_candidate){.question = q->question,
                                           .sql = q->sql[0],
                                           .day = clock_parse_day(q->asked),
                                           .line = q->line};
    }
    return good;
}

static bool read_one(struct trusted_command *c, const struct arguments *args)
{
    struct trusted_candidate *one =
        arena_new(&c->cli.arena, struct trusted_candidate);
    *one = (struct trusted_candidate){.question = str_of(args->items[1]),
                                      .sql = str_of(args->items[2]),
                                      .day = clock_wall_ms() / MS_PER_DAY};
    c->add.items = one;
    c->add.n = 1;
    return !str_is(one->sql, "-") ||
           read_whole(&c->cli.arena, "-", 4 * TRUSTED_SQL_MOST, &one->sql);
}

int cmd_trusted(int argc, char **argv)
{
    static const int words[ACTIONS] = {1, 3, 2, 2, 1};
    static struct trusted_command c;
    const struct option own[] = {{"ontology", NULL, &c.ontology}, {0}};
    struct arguments args;
    if (!cli_read(&c.cli, "trusted", argc, argv, own, &args))
        return EXIT_USAGE;
    while (c.action < ACTIONS &&
           (!args.n || strcmp(args.items[0], trusted_verbs[c.action]) != 0))
        c.action++;
    if (c.action == ACTIONS || args.n != words[c.action])
        return usage_error("trusted", NULL);
    c.path = c.action == IMPORT ? args.items[1] : "";
    if (c.action == REMOVE && !uuid_valid(str_of(args.items[1])))
        return usage_error("trusted", "the id must be a UUID");
    if (c.action == REMOVE)
        c.remove.id = str_of(args.items[1]);
    if (c.action == ADD && !read_one(&c, &args))
        return EXIT_FAILED;
    if (c.action == IMPORT && !read_set(&c))
        return EXIT_FAILED;
    return cli_run(&c.cli, trusted_begin, &c);
}
