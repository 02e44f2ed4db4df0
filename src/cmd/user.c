/* user.c - `sextant user`: accounts, for operators who cannot or need not sign
 * in.
 *
 * A password is asked for twice at the terminal, without echo, or is the first
 * line of standard input with --password-stdin. */
#include "base/password.h"
#include "base/utf8.h"
#include "cli.h"
#include "loop/wait.h"
#include "programs.h"
#include "say.h"
#include "store/accounts.h"
#include "store/rows.h"
#include "store/users.h"
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include "base/banned.h"

enum { LIST_PAGE = 100 };

enum action { ADD, LIST, PASSWORD, DISABLE, ENABLE, ACTIONS };

static const char *const action_words[ACTIONS] = {"add", "list", "password",
                                                  "disable", "enable"};

struct user_command {
    struct cli cli;
    enum action action;
    struct str email;
    const char *role, *name;
    bool from_stdin;
    char password[PASSWORD_MOST + 2], hash[PASSWORD_HASH_SIZE];
    bool hashed, active;
    struct work work;
    struct user_add add;
    struct user_change change;
    struct user_page page;
    struct query *query;
};

static struct next user_begin(struct flow *f), password_hashed(struct flow *f),
    account_added(struct flow *f), account_found(struct flow *f),
    account_changed(struct flow *f), accounts_read(struct flow *f);

/* ---- a password ---------------------------------------------------------- */

static bool read_secret_line(char *out, size_t size)
{
    if (!fgets(out, (int)size, stdin))
        return false;
    out[strcspn(out, "\r\n")] = '\0';
    return true;
}

static bool ask_password(const char *prompt, char *out, size_t size)
{
    struct termios shown, hidden;
    if (tcgetattr(STDIN_FILENO, &shown) != 0)
        return false;
    hidden = shown;
    hidden.c_lflag &= ~(tcflag_t)ECHO;
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
    fputs(prompt, stderr);
    bool got = read_secret_line(out, size);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown);
    fputc('\n', stderr);
    return got;
}

static bool ask_password_twice(struct user_command *u)
{
    char again[sizeof u->password];
    bool same = ask_password("Password: ", u->password, sizeof u->password) &&
                ask_password("Again: ", again, sizeof again) &&
                !strcmp(u->password, again);
    password_wipe(again, sizeof again);
    if (!same)
        fprintf(stderr, "sextant user: the passwords differ\n");
    return same;
}

/* Returns false after printing why. */
static bool read_password(struct user_command *u)
{
    if (!u->from_stdin && !isatty(STDIN_FILENO)) {
        fprintf(stderr, "sextant user: there is no terminal to ask for a "
                        "password; use --password-stdin\n");
        return false;
    }
    if (u->from_stdin ? !read_secret_line(u->password, sizeof u->password)
                      : !ask_password_twice(u))
        return false;
    struct str text = str_of(u->password);
    if (utf8_count(text) >= PASSWORD_LEAST && text.len <= PASSWORD_MOST)
        return true;
    fprintf(stderr,
            "sextant user: a password must have at least %d characters\n",
            PASSWORD_LEAST);
    return false;
}

static void hash_password(void *command)
{
    struct user_command *u = command;
    u->hashed = password_hash(str_of(u->password), u->hash);
    password_wipe(u->password, sizeof u->password);
}

/* ---- commands ------------------------------------------------------------ */

static const struct statement find_statement = {
    .name = "cmd.user_id",
    .again = true,
    .sql = "select id from users where lower(email) = lower($1)",
};

static struct next user_begin(struct flow *f)
{
    struct user_command *u = locals(f, struct user_command);
    u->add.store = u->change.store = u->page.store = u->cli.engine.store;
    u->page.page_size = LIST_PAGE;
    u->page.page = 1;
    if (u->action == LIST)
        return call(f, user_page_begin, &u->page, accounts_read);
    if (u->action != ADD && u->action != PASSWORD)
        return go(f, password_hashed);
    work_begin(f, &u->work, hash_password, u);
    return await(f, password_hashed);
}

static struct next password_hashed(struct flow *f)
{
    struct user_command *u = locals(f, struct user_command);
    bool wants = u->action == ADD || u->action == PASSWORD;
    if (wants && !u->hashed)
        return fail_because(f, ERR_NO_MEMORY,
                            "not enough memory to hash the password");
    if (u->action == ADD) {
        u->add.email = u->email;
        u->add.name = str_of(u->name);
        u->add.password_hash = str_of(u->hash);
        u->add.roles = arena_printf(&u->cli.arena, "{%s}", u->role);
        return call(f, user_add_begin, &u->add, account_added);
    }
    u->query = query_new(f, u->cli.engine.pool, &find_statement);
    query_str(f, u->query, u->email);
    query_begin(f, u->query);
    return await(f, account_found);
}

static struct next account_added(struct flow *f)
{
    struct user_command *u = locals(f, struct user_command);
    if (u->add.taken)
        return fail_because(f, ERR_CONFLICT, "the user %.*s exists already",
                            STR_ARG(u->email));
    printf("%.*s\n", STR_ARG(u->add.id));
    return back(f);
}

static struct next account_found(struct flow *f)
{
    struct user_command *u = locals(f, struct user_command);
    if (!u->query->n_rows)
        return fail_because(f, ERR_NOT_FOUND, "there is no user %.*s",
                            STR_ARG(u->email));
    u->change.user_id = ROW_VALUE(uuid, row_copies(u->query, 0, flow_keep(f)));
    u->active = u->action == ENABLE;
    if (u->action == PASSWORD)
        u->change.password_hash = u->hash;
    else
        u->change.active = &u->active;
    return call(f, user_change_begin, &u->change, account_changed);
}

static struct next account_changed(struct flow *f)
{
    struct user_command *u = locals(f, struct user_command);
    if (u->change.outcome == USER_LAST_ADMIN)
        return fail_because(f, ERR_CONFLICT, "%.*s is the last active admin",
                            STR_ARG(u->email));
    return back(f);
}

/* ---- listing ------------------------------------------------------------- */

static void print_account(struct user_row u)
{
    say(stdout, "%.*s\t%.*s\t%s%s\n", STR_ARG(u.email), STR_ARG(u.roles),
        u.active ? "active" : "disabled",
        u.has_password ? "" : ", without a password");
}

static struct next accounts_read(struct flow *f)
{
    struct user_command *u = locals(f, struct user_command);
    const struct query *q = u->page.query;
    for (int i = 0; i < q->n_rows; i++)
        print_account(user_row_of(q, i));
    if ((int64_t)u->page.page * LIST_PAGE >= u->page.total)
        return back(f);
    u->page.page++;
    return call(f, user_page_begin, &u->page, accounts_read);
}

/* ---- the command line ---------------------------------------------------- */

static bool read_action(struct user_command *u, const struct arguments *args)
{
    u->action = ACTIONS;
    for (int i = 0; args->n && i < ACTIONS; i++)
        if (!strcmp(args->items[0], action_words[i]))
            u->action = (enum action)i;
    if (args->n && !strcmp(args->items[0], "passwd")) /* as Unix names it */
        u->action = PASSWORD;
    u->email = args->n > 1 ? str_of(args->items[1]) : STR("");
    return u->action != ACTIONS && args->n == (u->action == LIST ? 1 : 2);
}

static bool read_user_arguments(struct user_command *u,
                                const struct arguments *args)
{
    const char *wrong = NULL;
    if (!read_action(u, args))
        wrong =
            "expected add, list, password, disable or enable, and an e-mail "
            "address";
    else if (u->action != LIST && !email_valid(u->email))
        wrong = "a user is identified by an e-mail address";
    else if (!role_permissions(str_of(u->role)))
        wrong = "--role takes viewer, contributor or admin";
    if (wrong)
        fprintf(stderr,
                "sextant user: %s\n`sextant help user` explains the command\n",
                wrong);
    return !wrong;
}

int cmd_user(int argc, char **argv)
{
    static struct user_command u;
    const struct option own[] = {{"role", NULL, &u.role},
                                 {"name", NULL, &u.name},
                                 {"password-stdin", &u.from_stdin, NULL},
                                 {0}};
    struct arguments args;
    u.role = "viewer";
    if (!cli_read(&u.cli, "user", argc, argv, own, &args) ||
        !read_user_arguments(&u, &args))
        return EXIT_USAGE;
    if ((u.action == ADD || u.action == PASSWORD) && !read_password(&u))
        return EXIT_FAILED;
    return cli_run(&u.cli, user_begin, &u);
}
