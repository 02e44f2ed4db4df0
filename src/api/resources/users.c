/* users.c - accounts, for admins: list, create, change, set roles. */
#include "../auth/access.h"
#include "base/utf8.h"
#include "../auth/hashing.h"
#include "store/accounts.h"
#include "base/banned.h"

enum { NAME_MOST = 255, ROLES_MOST = 16 };

struct user_work {
    struct user_page page;
    struct user_add add;
    struct user_change change;
    struct hashing hashing;
    bool active;
    int status; /* of the response */
    step_fn *hashed;
};

static struct next users_found(struct flow *f), add_due(struct flow *f),
    user_made(struct flow *f), change_due(struct flow *f),
    user_altered(struct flow *f), user_told(struct flow *f);

static struct user_work *work_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct user_work *u = keep(f, struct user_work);
    u->page.store = u->add.store = u->change.store = request_store(q);
    u->add.actor_id = u->change.actor_id = q->user.id;
    u->add.request_id = u->change.request_id = q->x->request_id;
    u->page.page = u->page.page_size = 1;
    q->state = u;
    return u;
}

/* ---- GET /api/users ------------------------------------------------------ */

struct next users_list(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct user_page *p = &work_new(f)->page;
    request_search(q, &p->search);
    if (!request_paging(q, &p->page, &p->page_size, 20))
        return back(f);
    return call(f, user_page_begin, p, users_found);
}

static struct next users_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct user_page *p = &((struct user_work *)q->state)->page;
    reply_page(q, p->query, user_write_for_admin, p->page, p->page_size,
               p->total);
    return back(f);
}

/* ---- reading the body ---------------------------------------------------- */

/* Returns true if it is present and valid; problems are noted. */
static bool take_email(struct request *q, struct str *out)
{
    const json_t *v = json_object_get(q->body, "email");
    *out = str_trim(json_text(v));
    if (v && (!json_is_string(v) || !email_valid(*out)))
        request_invalid(q, "email", "must be an e-mail address");
    return v != NULL;
}

static bool take_name(struct request *q, struct str *out)
{
    const json_t *v = json_object_get(q->body, "displayName");
    *out = utf8_trim(json_text(v));
    if (v && !json_is_null(v) &&
        (!json_is_string(v) || utf8_count(*out) > NAME_MOST))
        request_invalid(q, "displayName", "must be at most 255 characters");
    return v != NULL;
}

static bool take_password(struct request *q, struct str *out)
{
    const json_t *v = json_object_get(q->body, "password");
    if (!v || json_is_null(v))
        return false;
    *out = arena_str(&q->memory, json_text(v));
    if (!json_is_string(v) || utf8_count(*out) < PASSWORD_LEAST ||
        out->len > PASSWORD_MOST)
        request_invalid(q, "password",
                        "must be 8 characters to 1024 bytes of text");
    return true;
}

/* Reads words or {"name": word}; returns PostgreSQL array text. */
static const char *take_roles(struct request *q)
{
    static const char *const known[] = {"viewer", "contributor", "admin"};
    const json_t *v = json_object_get(q->body, "roles"), *item;
    size_t i, n = json_array_size(v);
    struct buf out;
    bool good = n >= 1 && n <= ROLES_MOST, has[3] = {false};
    json_array_foreach(v, i, item)
    {
        struct str word = json_is_object(item) ? json_get_text(item, "name")
                                               : json_text(item);
        int at = 0;
        while (at < 3 && !str_eq_nocase(word, str_of(known[at])))
            at++;
        good = good && at < 3;
        if (at < 3)
            has[at] = true;
    }
    if (!good)
        request_invalid(q, "roles",
                        "must be a list of viewer, contributor, admin");
    buf_init(&out, &q->memory);
    for (int at = 0; at < 3; at++)
        if (has[at])
            buf_printf(&out, "%c%s", out.len ? ',' : '{', known[at]);
    buf_char(&out, '}');
    return buf_cstr(&out);
}

static struct next hash_password(struct flow *f, struct str password,
                                 step_fn *then)
{
    struct request *q = REQUEST(f);
    struct user_work *u = q->state;
    u->hashing.password = password;
    if (hashing_begin(f, &u->hashing))
        return flow_await(f, then, "hashed");
    reply_error(q, ERR_RATE_LIMITED, "Too much at once. Try later.");
    return back(f);
}

/* ---- POST /api/users ----------------------------------------------------- */

struct next users_create(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct user_work *u = work_new(f);
    struct str password;
    if (!request_body(q))
        return back(f);
    if (!take_email(q, &u->add.email))
        request_invalid(q, "email", "must be an e-mail address");
    take_name(q, &u->add.name);
    u->add.roles = json_object_get(q->body, "roles") ? str_of(take_roles(q))
                                                     : STR("{viewer}");
    bool with_password = take_password(q, &password);
    if (request_refused(q))
        return back(f);
    return with_password ? hash_password(f, password, add_due) : go(f, add_due);
}

static struct next add_due(struct flow *f)
{
    struct user_work *u = REQUEST(f)->state;
    u->add.password_hash = str_of(u->hashing.made);
    if (u->hashing.password.len && !u->hashing.made[0])
        return fail(f, ERR_UNAVAILABLE);
    return call(f, user_add_begin, &u->add, user_made);
}

static struct next user_made(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct user_work *u = q->state;
    if (u->add.taken) {
        reply_error(q, ERR_CONFLICT, "Another user has this address.");
        return back(f);
    }
    u->status = 201;
    u->page.user_id = u->add.id;
    return call(f, user_page_begin, &u->page, user_told);
}

/* ---- PATCH /api/users/:id, PUT /api/users/:id/roles ---------------------- */

static void take_active(struct request *q, struct user_work *u)
{
    const json_t *v = json_object_get(q->body, "isActive");
    if (!v)
        return;
    if (!json_is_boolean(v))
        request_invalid(q, "isActive", "must be true or false");
    u->active = json_is_true(v);
    u->change.active = &u->active;
}

struct next users_change(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct user_work *u = work_new(f);
    struct str email, name, password;
    if (!request_uuid(q, "id", &u->change.user_id) || !request_body(q))
        return back(f);
    if (take_email(q, &email))
        u->change.email = arena_cstr(&q->memory, email);
    if (take_name(q, &name))
        u->change.name = arena_cstr(&q->memory, name);
    take_active(q, u);
    bool with_password = take_password(q, &password);
    if (request_refused(q))
        return back(f);
    return with_password ? hash_password(f, password, change_due)
                         : go(f, change_due);
}

struct next users_set_roles(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct user_work *u = work_new(f);
    if (!request_uuid(q, "id", &u->change.user_id) || !request_body(q))
        return back(f);
    u->change.roles = take_roles(q);
    if (request_refused(q))
        return back(f);
    return go(f, change_due);
}

static struct next change_due(struct flow *f)
{
    struct user_work *u = REQUEST(f)->state;
    if (u->hashing.password.len && !u->hashing.made[0])
        return fail(f, ERR_UNAVAILABLE);
    if (u->hashing.password.len)
        u->change.password_hash = u->hashing.made;
    return call(f, user_change_begin, &u->change, user_altered);
}

static struct next user_altered(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct user_work *u = q->state;
    switch (u->change.outcome) {
    case USER_MISSING:
        reply_error(q, ERR_NOT_FOUND, "User not found");
        return back(f);
    case USER_LAST_ADMIN:
        reply_error(q, ERR_CONFLICT, "This is the last active admin.");
        return back(f);
    case USER_TAKEN:
        reply_error(q, ERR_CONFLICT, "Another user has this address.");
        return back(f);
    case USER_CHANGED:
        break;
    }
    user_forget(u->change.user_id);
    u->status = 200;
    u->page.user_id = u->change.user_id;
    return call(f, user_page_begin, &u->page, user_told);
}

/* The streams of a user who was disabled here close at once. */
static struct next user_told(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct user_work *u = q->state;
    struct reply r;
    if (!u->page.query->n_rows)
        return fail(f, ERR_NOT_FOUND);
    reply_open(q, &r);
    json_put_object(&r.w);
    user_write_for_admin(&r.w, u->page.query, 0);
    json_put_object_end(&r.w);
    reply_send(q, &r, u->status);
    wake_up(&q->api->access->wake);
    return back(f);
}
