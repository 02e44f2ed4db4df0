/* users.c - permissions of roles, and the roles of users with a cache. */
#include "store/users.h"
#include "base/clock.h"
#include "rows.h"
#include <string.h>
#include "base/banned.h"

static step_fn token_user_found, user_changes_read, user_ensured;

/* An entry is valid for CACHE_MS. After FRESH_MS one request reads the table
 * again, while the others use the entry. */
enum { CACHE = 1024, FRESH_MS = 4000, CACHE_MS = 5000 };

/* Direct-mapped by a hash of the id; a miss costs one query. */
static struct cached_user {
    char id[UUID_SIZE];
    unsigned permissions;
    bool active;
    uint64_t fresh, until;
} cache[CACHE];

static const char *const permission_words[] = {
#define X(name, word, viewer, contributor, admin) word,
    PERMISSIONS(X)
#undef X
};

const char *permission_word(enum permission p)
{
    return permission_words[p];
}

unsigned permission_bits(struct str word)
{
    unsigned bits = 0;
    bool all = str_ends(word, STR(":*"));
    for (int i = 0; i < PERMISSION_COUNT; i++)
        if (all ? str_starts(str_of(permission_words[i]),
                             str_cut(word, 0, word.len - 1))
                : str_is(word, permission_words[i]))
            bits |= 1u << i;
    return bits;
}

unsigned role_permissions(struct str role)
{
    bool viewer = str_eq_nocase(role, STR("viewer"));
    bool contributor = str_eq_nocase(role, STR("contributor"));
    bool admin = str_eq_nocase(role, STR("admin"));
    unsigned bits = 0;
#define X(name, word, may_viewer, may_contributor, may_admin) \
    if ((viewer && may_viewer) || (contributor && may_contributor) || \
        (admin && may_admin)) \
        bits |= 1u << MAY_##name;
    PERMISSIONS(X)
#undef X
    return bits;
}

static struct cached_user *cache_slot(struct str id)
{
    return &cache[str_hash(id) % CACHE];
}

#define TOKEN_USER_ROW(FIRST, X) \
    FIRST(text, roles, "array_to_string(roles, ',')") \
    X(boolean, active, "is_active")
#define TOKEN_USER_COLUMNS ROW_SQL(TOKEN_USER_ROW)
ROW_STRUCT(token_user_row, TOKEN_USER_ROW);

/* Adds the user when they are unknown and $4 is set. */
static const struct statement token_statement = {
    .name = "users.of_token",
    .sql = "with made as (insert into users (id, email, roles)"
           "   select $1::uuid, $2, $3::text[] where $4::boolean"
           "   on conflict do nothing"
           "   returning roles, is_active)"
           " select " TOKEN_USER_COLUMNS " from made union all"
           " select " TOKEN_USER_COLUMNS " from users where id = $1::uuid",
};

struct next user_of_token_begin(struct flow *f)
{
    struct user_of_token *u = locals(f, struct user_of_token);
    struct cached_user *c = cache_slot(u->id);
    uint64_t now = clock_ms();
    bool known = str_is(u->id, c->id) && now < c->until;
    if (known && now >= c->fresh) {
        c->fresh = c->until;
    } else if (known) {
        u->permissions = c->permissions ? c->permissions : u->claimed;
        u->active = c->active;
        return back(f);
    }
    u->query = query_new(f, u->store->system, &token_statement);
    query_str(f, u->query, u->id);
    query_str(f, u->query, u->email);
    query_str(f, u->query, u->first_roles);
    query_bool(u->query, u->provision);
    query_begin(f, u->query);
    return await(f, token_user_found);
}

unsigned roles_permissions(struct str roles)
{
    unsigned bits = 0;
    struct str role;
    while (str_split(&roles, ',', &role))
        bits |= role_permissions(role);
    return bits;
}

static struct next token_user_found(struct flow *f)
{
    struct user_of_token *u = locals(f, struct user_of_token);
    if (u->query->n_rows == 0)
        return fail(f, ERR_UNAUTHORIZED); /* or another user has the address */
    struct token_user_row row = token_user_row_at(u->query, 0);
    unsigned stored = roles_permissions(row.roles);
    u->active = row.active;
    u->permissions = stored ? stored : u->claimed;
    struct cached_user *c = cache_slot(u->id);
    *c = (struct cached_user){.permissions = stored,
                              .active = u->active,
                              .fresh = clock_ms() + FRESH_MS,
                              .until = clock_ms() + CACHE_MS};
    memcpy(c->id, u->id.ptr, UUID_SIZE - 1);
    return back(f);
}

void user_cache_drop(struct str id)
{
    struct cached_user *c = cache_slot(id);
    if (str_is(id, c->id))
        c->until = 0;
}

/* ---- changes ------------------------------------------------------------ */

#define USER_CHANGE_ROW(FIRST, X) \
    FIRST(uuid, id, "c.id") \
    X(boolean, active, "c.is_active") \
    X(text, runs, \
      "array_to_string(array(select r.message_id from runs r" \
      "   where r.user_id = c.id and r.ended_at is null" \
      "     and not c.is_active), ',')")
#define USER_CHANGE_COLUMNS ROW_SQL(USER_CHANGE_ROW)

/* It looks back further than to the last call, because a long transaction
 * commits rows with an earlier updated_at. */
static const struct statement changes_statement = {
    .name = "users.changes",
    .again = true,
    .sql = "with changed as (select id, is_active from users"
           "   where updated_at > clock_timestamp()"
           "     - $1::int * interval '1 millisecond'),"
           " stopped as (update runs r set cancel_requested = true"
           "   from changed c where r.user_id = c.id and not c.is_active"
           "     and r.ended_at is null and not r.cancel_requested)"
           " select " USER_CHANGE_COLUMNS " from changed c",
};

struct next user_changes_begin(struct flow *f)
{
    struct user_changes *u = locals(f, struct user_changes);
    u->query = query_new(f, u->store->system, &changes_statement);
    query_int(f, u->query, USER_CHANGES_MS);
    query_begin(f, u->query);
    return await(f, user_changes_read);
}

static struct next user_changes_read(struct flow *f)
{
    struct user_changes *u = locals(f, struct user_changes);
    const struct query *q = u->query;
    u->n = (size_t)q->n_rows;
    u->rows = arena_new_array(flow_keep(f), struct user_change_seen, u->n + 1);
    for (int i = 0; i < q->n_rows; i++)
        ROW_READ(USER_CHANGE_ROW, &u->rows[i], row_copies(q, i, flow_keep(f)));
    return back(f);
}

/* ---- the command line --------------------------------------------------- */

static const struct statement ensure_statement = {
    .name = "users.ensure",
    .sql = "insert into users (email, roles) values ($1, array[lower($2)])"
           " on conflict (lower(email)) do update set roles ="
           "   array[lower($2)], updated_at = now() returning id",
};

struct next user_upsert_begin(struct flow *f)
{
    struct user_upsert *u = locals(f, struct user_upsert);
    u->query = query_new(f, u->store->system, &ensure_statement);
    query_str(f, u->query, u->email);
    query_str(f, u->query, u->role);
    query_begin(f, u->query);
    return await(f, user_ensured);
}

static struct next user_ensured(struct flow *f)
{
    struct user_upsert *u = locals(f, struct user_upsert);
    u->id = ROW_VALUE(uuid, row_copies(u->query, 0, flow_keep(f)));
    return back(f);
}
