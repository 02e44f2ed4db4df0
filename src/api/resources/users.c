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
};

static struct next users_found(struct flow *f), user_add_due(struct flow *f),
    account_made(struct flow *f), user_change_due(struct flow *f),
    account_changed(struct flow *f), user_reply_due(struct flow *f);

static struct user_work *user_work_new(struct flow *f)
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
    struct user_page *p = &user_work_new(f)->page;
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
static bool read_email(struct request *q, struct str *out)
{
    const json_t *v = json_object_get(q->body, "email");
    *out = str_trim(json_text(v));
    if (v && (!json_is_string(v) || !email_valid(*out)))
        request_invalid(q, "email", "must be an e-mail address");
    return v != NULL;
}

static bool read_display_name(struct request *q, struct str *out)
{
    const json_t *v = json_object_get(q->body, "displayName");
    *out = utf8_trim(json_text(v));
    if (v && !json_is_null(v) &&
        (!json_is_string(v) || utf8_count(*out) > NAME_MOST))
        request_invalid(q, "displayName", "must be at most 255 characters");
    return v != NULL;
}

static bool read_new_password(struct request *q, struct str *out)
{
    const json_t *v = json_object_get(q->body, "password");
    if (!v || json_is_null(v))
        return false;
    *out = arena_str(&q->memory, json_text(v));
    if (!json_is_string(v) || utf8_count(*out) < PASSWORD_LEAST ||
        out->len > PASSWORD_MOST)
        request_invalid(
            q, "password",
            "must have at least 8 characters and at most 1024 bytes");
    return true;
}

/* Reads words or {"name": word}; returns PostgreSQL array text. */
static const char *read_roles(struct request *q)
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
    return reply_refusal(f, ERR_RATE_LIMITED,
                         "Too many requests at once. Try again later.");
}

/* ---- POST /api/users ----------------------------------------------------- */

struct next users_create(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct user_work *u = user_work_new(f);
    struct str password;
    if (!request_body(q))
        return back(f);
    if (!read_email(q, &u->add.email))
        request_invalid(q, "email", "must be an e-mail address");
    read_display_name(q, &u->add.name);
    u->add.roles = json_object_get(q->body, "roles") ? str_of(read_roles(q))
                                                     : STR("{viewer}");
    bool with_password = read_new_password(q, &password);
    if (request_refused(q))
        return back(f);
    return with_password ? hash_password(f, password, user_add_due)
                         : go(f, user_add_due);
}

static struct next user_add_due(struct flow *f)
{
    struct user_work *u = REQUEST(f)->state;
    u->add.password_hash = str_of(u->hashing.made);
    if (u->hashing.password.len && !u->hashing.made[0])
        return fail(f, ERR_UNAVAILABLE);
    return call(f, user_add_begin, &u->add, account_made);
}

static struct next account_made(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct user_work *u = q->state;
    if (u->add.taken)
        return reply_refusal(f, ERR_CONFLICT, "Another user has this address.");
    u->status = 201;
    u->page.user_id = u->add.id;
    return call(f, user_page_begin, &u->page, user_reply_due);
}

/* ---- PATCH /api/users/:id, PUT /api/users/:id/roles ---------------------- */

struct next users_change(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct user_work *u = user_work_new(f);
    struct str email, name, password;
    if (!request_uuid(q, "id", &u->change.user_id) || !request_body(q))
        return back(f);
    if (read_email(q, &email))
        u->change.email = arena_cstr(&q->memory, email);
    if (read_display_name(q, &name))
        u->change.name = arena_cstr(&q->memory, name);
    if (request_bool_given(q, "isActive", &u->active))
        u->change.active = &u->active;
    bool with_password = read_new_password(q, &password);
    if (request_refused(q))
        return back(f);
    return with_password ? hash_password(f, password, user_change_due)
                         : go(f, user_change_due);
}

struct next users_set_roles(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct user_work *u = user_work_new(f);
    if (!request_uuid(q, "id", &u->change.user_id) || !request_body(q))
        return back(f);
    u->change.roles = read_roles(q);
    if (request_refused(q))
        return back(f);
    return go(f, user_change_due);
}

static struct next user_change_due(struct flow *f)
{
    struct user_work *u = REQUEST(f)->state;
    if (u->hashing.password.len && !u->hashing.made[0])
        return fail(f, ERR_UNAVAILABLE);
    if (u->hashing.password.len)
        u->change.password_hash = u->hashing.made;
    return call(f, user_change_begin, &u->change, account_changed);
}

static struct next account_changed(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct user_work *u = q->state;
    switch (u->change.outcome) {
    case USER_MISSING:
        return reply_refusal(f, ERR_NOT_FOUND, "User not found");
    case USER_LAST_ADMIN:
        return reply_refusal(f, ERR_CONFLICT, "This is the last active admin.");
    case USER_TAKEN:
        return reply_refusal(f, ERR_CONFLICT, "Another user has this address.");
    case USER_CHANGED:
        break;
    }
    user_cache_drop(u->change.user_id);
    u->status = 200;
    u->page.user_id = u->change.user_id;
    return call(f, user_page_begin, &u->page, user_reply_due);
}

/* The streams of a user who was disabled here close at once. */
static struct next user_reply_due(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct user_work *u = q->state;
    struct api_reply r;
    if (!u->page.query->n_rows)
        return fail(f, ERR_NOT_FOUND);
    reply_open_object(q, &r);
    user_write_for_admin(&r.w, u->page.query, 0);
    reply_send_object(q, &r, u->status);
    wake_up(&q->api->access->wake);
    return back(f);
}
