/* accounts.c - the list of users, and how admins add and change them. */
#include "store/accounts.h"
#include "base/utf8.h"
#include "rows.h"
#include "store/audit.h"
#include "base/banned.h"

static step_fn user_page_read, user_added, user_changed, first_admin_known;

enum { EMAIL_MOST = 254 };

bool email_valid(struct str text)
{
    ptrdiff_t at = str_find_char(text, '@');
    if (at <= 0 || (size_t)at + 1 >= text.len || text.len > EMAIL_MOST ||
        !utf8_valid(text) ||
        str_find_char(str_from(text, (size_t)at + 1), '@') >= 0)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.ptr[i] <= ' ' || text.ptr[i] == 127)
            return false;
    return true;
}

/* ---- the list ----------------------------------------------------------- */

#define ACCOUNT_ROW(FIRST, X) \
    FIRST(int64, total, "(select count(*) from fitting)") \
    X(uuid, id, "p.id") \
    X(text, email, "p.email") \
    X(text, name, "coalesce(s.profile->>'displayName', p.display_name)") \
    X(text, image_url, \
      "coalesce(s.profile->>'profileImageUrl', p.profile_image_url)") \
    X(text, roles, "array_to_string(p.roles, ',')") \
    X(boolean, active, "p.is_active") \
    X(boolean, has_password, "p.password_hash is not null") \
    X(time, created_at, "rfc3339(p.created_at)") \
    X(time, updated_at, "rfc3339(p.updated_at)") \
    X(time, last_login_at, "rfc3339(p.last_login_at)")
#define ACCOUNT_COLUMNS ROW_SQL(ACCOUNT_ROW)
ROW_STRUCT(account_row, ACCOUNT_ROW);

/* A page past the end is one row that has the total alone. */
static const struct statement page_statement = {
    .name = "accounts.page",
    .again = true,
    .sql = "with fitting as (select * from users where"
           "     ($1 = '' or id = nullif($1, '')::uuid)"
           "     and ($2 = '' or position(lower($2) in lower(email)) > 0"
           "          or position(lower($2) in lower(display_name)) > 0)),"
           " page as (select * from fitting order by created_at, id"
           "   limit $3::int offset $4::bigint)"
           " select " ACCOUNT_COLUMNS
           " from (select 1) one left join page p on true"
           " left join user_settings s on s.user_id = p.id"
           " order by p.created_at, p.id",
};

struct next user_page_begin(struct flow *f)
{
    struct user_page *u = locals(f, struct user_page);
    struct query *q = u->query =
        query_new(f, u->store->system, &page_statement);
    query_str(f, q, u->user_id);
    query_str(f, q, u->search);
    query_page(f, q, u->page, u->page_size);
    query_begin(f, q);
    return await(f, user_page_read);
}

static struct next user_page_read(struct flow *f)
{
    struct user_page *u = locals(f, struct user_page);
    struct account_row first = account_row_at(u->query, 0);
    u->query = rows_keep_page(f, u->query, first.id);
    u->total = first.total;
    return back(f);
}

struct user_row user_row_of(const struct query *q, int row)
{
    struct account_row r = account_row_at(q, row);
    return (struct user_row){.id = r.id,
                             .email = r.email,
                             .roles = r.roles,
                             .active = r.active,
                             .has_password = r.has_password};
}

void user_write(struct json_writer *w, const struct query *q, int row)
{
    struct account_row r = account_row_at(q, row);
    struct str role;
    json_field_str(w, "id", r.id);
    json_field_str(w, "email", r.email);
    row_put_text(w, "displayName", r.name);
    row_put_text(w, "profileImageUrl", r.image_url);
    json_field_array(w, "roles");
    while (r.roles.len && str_split(&r.roles, ',', &role)) {
        json_put_object(w);
        json_field_str(w, "name", role);
        json_put_object_end(w);
    }
    json_put_array_end(w);
    json_field_bool(w, "isActive", r.active);
    json_field_str(w, "createdAt", r.created_at);
}

void user_write_for_admin(struct json_writer *w, const struct query *q, int row)
{
    struct account_row r = account_row_at(q, row);
    user_write(w, q, row);
    json_field_bool(w, "hasPassword", r.has_password);
    json_field_str(w, "updatedAt", r.updated_at);
    row_put_text(w, "lastLoginAt", r.last_login_at);
}

/* ---- add and change ----------------------------------------------------- */

static const struct statement add_statement = {
    .name = "accounts.add",
    .sql = "with made as (insert into users (email, display_name,"
           "   password_hash, roles) values ($1, nullif($2, ''),"
           "   nullif($3, ''), $4::text[]) on conflict do nothing"
           "   returning id, email, roles),"
           " noted as (" SQL_AUDIT " select nullif($5, '')::uuid, 'user.made',"
           "   'user', id::text, jsonb_build_object('email', email, 'roles',"
           "   to_jsonb(roles)), $6 from made)"
           " select id from made",
};

struct next user_add_begin(struct flow *f)
{
    struct user_add *u = locals(f, struct user_add);
    struct query *q = u->query = query_new(f, u->store->system, &add_statement);
    query_str(f, q, u->email);
    query_str(f, q, u->name);
    query_str(f, q, u->password_hash);
    query_str(f, q, u->roles);
    query_str(f, q, u->actor_id);
    query_str(f, q, u->request_id);
    query_begin(f, q);
    return await(f, user_added);
}

static struct next user_added(struct flow *f)
{
    struct user_add *u = locals(f, struct user_add);
    u->taken = u->query->n_rows == 0;
    if (!u->taken)
        u->id = ROW_VALUE(uuid, row_copies(u->query, 0, flow_keep(f)));
    return back(f);
}

static const struct statement change_statement = {
    .name = "accounts.change",
    .sql = "select change_user($1::uuid, $2, $3, $4::boolean, $5, $6::text[],"
           " nullif($7, '')::uuid, $8)",
};

struct next user_change_begin(struct flow *f)
{
    struct user_change *u = locals(f, struct user_change);
    struct query *q = u->query =
        query_new(f, u->store->system, &change_statement);
    query_str(f, q, u->user_id);
    query_text(q, u->email);
    query_text(q, u->name);
    query_text(q, u->active ? *u->active ? "t" : "f" : NULL);
    query_text(q, u->password_hash);
    query_text(q, u->roles);
    query_str(f, q, u->actor_id);
    query_str(f, q, u->request_id);
    query_begin(f, q);
    op_tolerate(&q->op);
    return await(f, user_changed);
}

static struct next user_changed(struct flow *f)
{
    struct user_change *u = locals(f, struct user_change);
    enum err how = u->query->op.status;
    if (how != OK && how != ERR_CONFLICT)
        return fail(f, how);
    struct str word =
        how == OK ? ROW_VALUE(text, row_slices(u->query, 0)) : STR("taken");
    u->outcome = str_is(word, "taken")        ? USER_TAKEN
                 : str_is(word, "missing")    ? USER_MISSING
                 : str_is(word, "last admin") ? USER_LAST_ADMIN
                                              : USER_CHANGED;
    return back(f);
}

/* ---- the first admin ---------------------------------------------------- */

/* When two servers start at once with one empty database, one of them adds the
 * admin. */
static const struct statement first_statement = {
    .name = "accounts.first",
    .sql = "with none as (select 1 where not exists (select from users"
           "   where password_hash is not null)),"
           " made as (insert into users as u (email, password_hash, roles)"
           "   select $1, $2, '{admin}' from none where $2 <> ''"
           "   on conflict (lower(email)) do update set"
           "     password_hash = excluded.password_hash,"
           "     roles = excluded.roles, is_active = true"
           "     where u.password_hash is null returning id),"
           " noted as (" SQL_AUDIT " select null::uuid, 'user.made', 'user',"
           "   id::text, jsonb_build_object('email', $1::text, 'roles',"
           "   jsonb_build_array('admin')), '' from made)"
           " select case when $2 = '' then exists (select from none)"
           "   else exists (select from made) end",
};

struct next first_admin_begin(struct flow *f)
{
    struct first_admin *a = locals(f, struct first_admin);
    struct query *q = a->query =
        query_new(f, a->store->system, &first_statement);
    query_str(f, q, a->email);
    query_str(f, q, a->password_hash);
    query_begin(f, q);
    return await(f, first_admin_known);
}

static struct next first_admin_known(struct flow *f)
{
    struct first_admin *a = locals(f, struct first_admin);
    a->wanted = ROW_VALUE(boolean, row_slices(a->query, 0));
    return back(f);
}
