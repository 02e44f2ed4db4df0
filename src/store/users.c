#include "store/users.h"
#include "base/clock.h"
#include <string.h>
#include "base/banned.h"

/* Known for CACHE_MS; behind FRESH_MS one request reads anew while the others go
 * on with what is known. */
enum { CACHE = 1024, FRESH_MS = 4000, CACHE_MS = 5000 };

/* A direct-mapped cache by hash of the id: small, and a miss costs one query. */
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

static struct cached_user *slot_of(struct str id)
{
    return &cache[str_hash(id) % CACHE];
}

/* The row is made on first sight; its roles decide when there are any. */
static const struct statement token_statement = {
    .name = "users.of_token",
    .sql = "with made as (insert into users (id, email, roles)"
           "   select $1::uuid, $2, $3::text[] where $4::boolean"
           "   on conflict do nothing"
           "   returning roles, is_active)"
           " select array_to_string(roles, ','), is_active from made union all"
           " select array_to_string(roles, ','), is_active from users"
           "   where id = $1::uuid",
};

static struct next token_user_found(struct flow *f);

struct next user_of_token_begin(struct flow *f)
{
    struct user_of_token *u = locals(f, struct user_of_token);
    struct cached_user *c = slot_of(u->id);
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
        return fail(f, ERR_UNAUTHORIZED); /* or the address is another's */
    unsigned stored = roles_permissions(query_cell(u->query, 0, 0));
    u->active = query_cell_bool(u->query, 0, 1);
    u->permissions = stored ? stored : u->claimed;
    struct cached_user *c = slot_of(u->id);
    *c = (struct cached_user){.permissions = stored,
                              .active = u->active,
                              .fresh = clock_ms() + FRESH_MS,
                              .until = clock_ms() + CACHE_MS};
    memcpy(c->id, u->id.ptr, UUID_SIZE - 1);
    return back(f);
}

void user_forget(struct str id)
{
    struct cached_user *c = slot_of(id);
    if (str_is(id, c->id))
        c->until = 0;
}

/* ---- changes ------------------------------------------------------------ */

/* A transaction that ends late is seen late: so it looks back further than to
 * the last time. */
static const struct statement changes_statement = {
    .name = "users.changes",
    .again = true,
    .sql = "with changed as (select id, is_active from users"
           "   where updated_at > clock_timestamp()"
           "     - $1::int * interval '1 millisecond'),"
           " stopped as (update runs r set cancel_requested = true"
           "   from changed c where r.user_id = c.id and not c.is_active"
           "     and r.ended_at is null and not r.cancel_requested)"
           " select c.id, c.is_active, array_to_string(array("
           "   select r.message_id from runs r where r.user_id = c.id"
           "     and r.ended_at is null and not c.is_active), ',')"
           " from changed c",
};

static struct next changes_read(struct flow *f);

struct next user_changes_begin(struct flow *f)
{
    struct user_changes *u = locals(f, struct user_changes);
    u->query = query_new(f, u->store->system, &changes_statement);
    query_int(f, u->query, USER_CHANGES_MS);
    query_begin(f, u->query);
    return await(f, changes_read);
}

static struct next changes_read(struct flow *f)
{
    struct user_changes *u = locals(f, struct user_changes);
    const struct query *q = u->query;
    u->n = (size_t)q->n_rows;
    u->rows = arena_new_array(flow_keep(f), struct user_change_seen, u->n + 1);
    for (int i = 0; i < q->n_rows; i++)
        u->rows[i] = (struct user_change_seen){
            .id = arena_str(flow_keep(f), query_cell(q, i, 0)),
            .active = query_cell_bool(q, i, 1),
            .runs = arena_str(flow_keep(f), query_cell(q, i, 2))};
    return back(f);
}

/* ---- the command line --------------------------------------------------- */

static const struct statement ensure_statement = {
    .name = "users.ensure",
    .sql = "insert into users (email, roles) values ($1, array[lower($2)])"
           " on conflict (lower(email)) do update set roles ="
           "   array[lower($2)], updated_at = now() returning id",
};

static struct next user_ensured(struct flow *f);

struct next user_ensure_begin(struct flow *f)
{
    struct user_ensure *u = locals(f, struct user_ensure);
    u->query = query_new(f, u->store->system, &ensure_statement);
    query_str(f, u->query, u->email);
    query_str(f, u->query, u->role);
    query_begin(f, u->query);
    return await(f, user_ensured);
}

static struct next user_ensured(struct flow *f)
{
    struct user_ensure *u = locals(f, struct user_ensure);
    u->id = arena_str(flow_keep(f), query_cell(u->query, 0, 0));
    return back(f);
}
