/* first_admin.c - creates the first admin.
 *
 *   is there a user with a password? -> hash a random one -> insert -> print
 * it */
#include "first_admin.h"
#include "base/password.h"
#include "store/accounts.h"
#include <stdio.h>
#include "base/banned.h"

struct first_admin_work {
    struct first_admin asked, made;
    char password[PASSWORD_NEW_SIZE], hash[PASSWORD_HASH_SIZE];
};

static struct next admin_need_known(struct flow *f),
    admin_inserted(struct flow *f);

struct next first_admin_made_begin(struct flow *f)
{
    struct first_admin_made *m = locals(f, struct first_admin_made);
    struct first_admin_work *w = m->work = keep(f, struct first_admin_work);
    if (m->config->jwt_public_key || m->config->jwt_jwks_url)
        return back(f);
    w->asked.store = w->made.store = m->store;
    w->asked.email = w->made.email = str_of(m->config->admin_email);
    return call(f, first_admin_begin, &w->asked, admin_need_known);
}

static struct next admin_need_known(struct flow *f)
{
    struct first_admin_work *w = locals(f, struct first_admin_made)->work;
    if (!w->asked.wanted)
        return back(f);
    password_new(w->password);
    /* Hashed here and not on another thread: nothing else runs yet, and libuv
     * aborts when memory is too short for a thread. */
    if (!password_hash(str_of(w->password), w->hash))
        return fail_because(f, ERR_NO_MEMORY,
                            "not enough memory to hash its password (20 MB)");
    w->made.password_hash = str_of(w->hash);
    return call(f, first_admin_begin, &w->made, admin_inserted);
}

/* A line of text also where the log is JSON: a person reads it. */
static void print_password(const struct first_admin *made, const char *password)
{
    fprintf(
        stderr,
        FIRST_ADMIN_SAYS
        "%.*s with the password %s (shown only once; `sextant user password` "
        "sets another)\n",
        STR_ARG(made->email), password);
}

static struct next admin_inserted(struct flow *f)
{
    struct first_admin_work *w = locals(f, struct first_admin_made)->work;
    if (w->made.wanted)
        print_password(&w->made, w->password);
    password_wipe(w->password, sizeof w->password);
    return back(f);
}
