/* token.c - `sextant token`: prints a signed access token for a user, who is
 * created if necessary. Nothing else goes to standard output. */
#include "api/api.h"
#include "cli.h"
#include "help.h"
#include "programs.h"
#include "store/accounts.h"
#include "store/users.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum { DAY_S = 86400, MOST_DAYS = 3650, USUAL_DAYS = 30 };

struct token {
    struct cli cli;
    struct cli_user user;
    int64_t days;
};

static struct next token_user_known(struct flow *f);

static struct next token_begin(struct flow *f)
{
    struct token *t = locals(f, struct token);
    return call(f, cli_user_begin, &t->user, token_user_known);
}

static struct next token_user_known(struct flow *f)
{
    struct token *t = locals(f, struct token);
    struct str secret = str_of(t->cli.config.jwt_secret), why;
    if (!secret.len && !home_jwt_secret(&t->cli.home, &secret, &why))
        return fail_with(f, ERR_INTERNAL, why);
    struct str text = jwt_sign(
        &t->cli.arena,
        &(struct jwt_grant){.secret = secret,
                            .user_id = t->user.id,
                            .email = t->user.email,
                            .issuer = str_of(t->cli.config.jwt_issuer),
                            .audience = str_of(t->cli.config.jwt_audience),
                            .lifetime_s = t->days * DAY_S});
    printf("%.*s\n", STR_ARG(text));
    return back(f);
}

static bool read_token_arguments(struct token *t, const char *days)
{
    const char *wrong = NULL;
    t->days = USUAL_DAYS;
    if (!email_valid(t->user.email))
        wrong = "--user takes an e-mail address";
    else if (!role_permissions(t->user.role))
        wrong = "--role takes viewer, contributor or admin";
    else if (days && (!str_to_int64(str_of(days), &t->days) || t->days < 1 ||
                      t->days > MOST_DAYS))
        wrong = "--days takes a number from 1 to 3650";
    else if (t->cli.config.jwt_public_key || t->cli.config.jwt_jwks_url)
        wrong = "with JWT_PUBLIC_KEY or JWT_JWKS_URL, only the owner of the "
                "private key can sign tokens";
    if (wrong)
        usage_error("token", wrong);
    return !wrong;
}

int cmd_token(int argc, char **argv)
{
    static struct token t;
    const char *user = NULL, *role = NULL, *days = NULL;
    const struct option own[] = {{"user", NULL, &user},
                                 {"role", NULL, &role},
                                 {"days", NULL, &days},
                                 {0}};
    struct arguments args;
    if (!cli_read(&t.cli, "token", argc, argv, own, &args))
        return EXIT_USAGE;
    t.user = (struct cli_user){
        .cli = &t.cli, .email = str_of(user), .role = str_of(role)};
    if (args.n || !read_token_arguments(&t, days))
        return EXIT_USAGE;
    return cli_run(&t.cli, token_begin, &t);
}
