/* preferences.c - preferences: listed, put, changed, deleted, read for a run,
 * and captured from the answers to its questions. */
#include "store/preferences.h"
#include "rows.h"
#include "base/banned.h"

static step_fn preferences_listed, preference_was_put, preference_changed,
    preference_gone, answers_captured;

static const char *const capture_words[] = {"off", "auto", "ask"};

bool capture_mode_of(struct str word, enum capture_mode *out)
{
    for (int i = 0; i < 3; i++)
        if (str_is(word, capture_words[i])) {
            *out = (enum capture_mode)i;
            return true;
        }
    return false;
}

/* ---- rows --------------------------------------------------------------- */

#define PREFERENCE_ROW(FIRST, X) \
    FIRST(boolean, place_found, "place.found") \
    X(uuid, id, "p.id", "id") \
    X(uuid, user_id, "p.user_id", "userId") \
    X(uuid, ontology_id, "p.ontology_id", "ontologyId") \
    X(text, key, "p.key", "key") \
    X(text, value, "p.value", "value") \
    X(text, source, "p.source", "source") \
    X(time, created_at, "rfc3339(p.created_at)", "createdAt") \
    X(time, updated_at, "rfc3339(p.updated_at)", "updatedAt")
#define PREFERENCE_COLUMNS ROW_SQL(PREFERENCE_ROW)
ROW_STRUCT(preference_row, PREFERENCE_ROW);

/* May the user see the ontology $2? Empty: none is named. $3: they see all. */
#define PLACE \
    "with place as materialized (select $2 = '' or exists (select" \
    "   from ontologies where id = nullif($2, '')::uuid" \
    "   and deleted_at is null" \
    "   and (owner_id = $1::uuid or visibility = 'shared'" \
    "     or $3::boolean)) as found)"

/* A row without an id says only whether the ontology was found. */
int preference_rows(const struct query *q)
{
    return q->n_rows && !preference_row_at(q, 0).id.len ? 0 : q->n_rows;
}

void preference_write(struct json_writer *w, const struct query *q, int row)
{
    struct preference_row p = preference_row_at(q, row);
    json_put_object(w);
    ROW_WRITE(PREFERENCE_ROW, w, &p);
    json_put_object_end(w);
}

/* ---- list --------------------------------------------------------------- */

static const struct statement list_statement = {
    .name = "preferences.list",
    .again = true,
    .sql = PLACE " select " PREFERENCE_COLUMNS
                 " from place left join data_agent_preferences p on place.found"
                 "   and p.user_id = $1::uuid and case $4"
                 "     when 'global' then p.ontology_id is null"
                 "     else $2 = '' or p.ontology_id = nullif($2, '')::uuid"
                 "       or ($4 = 'all' and p.ontology_id is null) end"
                 " order by p.ontology_id nulls first, p.key",
};

static const struct statement effective_list_statement = {
    .name = "preferences.list_effective",
    .again = true,
    .sql =
        PLACE " select " PREFERENCE_COLUMNS
              " from place left join effective_preferences($1::uuid,"
              "   nullif($2, '')::uuid) p on place.found and $4 = 'effective'"
              " order by p.key",
};

struct next preference_list_begin(struct flow *f)
{
    static const char *const words[] = {"all", "global", "ontology",
                                        "effective"};
    struct preference_list *l = locals(f, struct preference_list);
    struct query *q = l->query =
        query_new(f, l->store->system,
                  l->scope == SCOPE_EFFECTIVE ? &effective_list_statement
                                              : &list_statement);
    query_str(f, q, l->user_id);
    query_str(f, q, l->ontology_id);
    query_bool(q, l->all_ontologies);
    query_text(q, words[l->scope]);
    query_begin(f, q);
    return await(f, preferences_listed);
}

static struct next preferences_listed(struct flow *f)
{
    struct preference_list *l = locals(f, struct preference_list);
    l->ontology_found = preference_row_at(l->query, 0).place_found;
    l->query = rows_keep(f, l->query);
    return back(f);
}

/* ---- put and change ----------------------------------------------------- */

static const struct statement put_statement = {
    .name = "preferences.put",
    .sql = PLACE " select " PREFERENCE_COLUMNS
                 " from place left join lateral put_preference("
                 "   case when place.found then $1::uuid end,"
                 "   nullif($2, '')::uuid, $4, $5, $6,"
                 "   case when place.found then $7::int else 0 end) p on true",
};

struct next preference_put_begin(struct flow *f)
{
    struct preference_put *p = locals(f, struct preference_put);
    struct query *q = p->query = query_new(f, p->store->system, &put_statement);
    query_str(f, q, p->user_id);
    query_str(f, q, p->ontology_id);
    query_bool(q, p->all_ontologies);
    query_str(f, q, p->key);
    query_str(f, q, p->value);
    query_str(f, q, p->source);
    query_int(f, q, PREFERENCES_MOST);
    query_begin(f, q);
    return await(f, preference_was_put);
}

static struct next preference_was_put(struct flow *f)
{
    struct preference_put *p = locals(f, struct preference_put);
    p->ontology_found = preference_row_at(p->query, 0).place_found;
    p->room = preference_rows(p->query) > 0;
    p->query = rows_keep(f, p->query);
    return back(f);
}

static const struct statement change_statement = {
    .name = "preferences.change",
    .sql = "with mine as materialized (select id from data_agent_preferences"
           "   where id = $1::uuid and user_id = $2::uuid),"
           " p as (update data_agent_preferences set value = $3,"
           "     updated_at = clock_timestamp()"
           "   where id in (select id from mine)"
           "     and (key <> '" CAPTURE_KEY "' or $4::boolean) returning *)"
           " select " PREFERENCE_COLUMNS
           " from (select true as found from mine) place left join p on true",
};

struct next preference_change_begin(struct flow *f)
{
    struct preference_change *c = locals(f, struct preference_change);
    struct query *q = c->query =
        query_new(f, c->store->system, &change_statement);
    enum capture_mode mode;
    query_str(f, q, c->id);
    query_str(f, q, c->user_id);
    query_str(f, q, c->value);
    query_bool(q, capture_mode_of(c->value, &mode));
    query_begin(f, q);
    return await(f, preference_changed);
}

static struct next preference_changed(struct flow *f)
{
    struct preference_change *c = locals(f, struct preference_change);
    c->found = c->query->n_rows > 0;
    c->allowed = preference_rows(c->query) > 0;
    c->query = rows_keep(f, c->query);
    return back(f);
}

/* ---- delete ------------------------------------------------------------- */

static const struct statement delete_statement = {
    .name = "preferences.delete",
    .sql = "with gone as (delete from data_agent_preferences"
           "   where user_id = $1::uuid and id = $2::uuid returning id)"
           " select exists (select from gone)",
};

static const struct statement clear_statement = {
    .name = "preferences.clear",
    .sql = PLACE ", gone as (delete from data_agent_preferences"
                 "   where user_id = $1::uuid and (select found from place)"
                 "   and case when $2 = '' then key <> '" CAPTURE_KEY "'"
                 "     else ontology_id = nullif($2, '')::uuid end)"
                 " select found from place",
};

struct next preference_delete_begin(struct flow *f)
{
    struct preference_delete *d = locals(f, struct preference_delete);
    bool one = d->id.len > 0;
    struct query *q = d->query = query_new(
        f, d->store->system, one ? &delete_statement : &clear_statement);
    query_str(f, q, d->user_id);
    query_str(f, q, one ? d->id : d->ontology_id);
    if (!one)
        query_bool(q, d->all_ontologies);
    query_begin(f, q);
    return await(f, preference_gone);
}

static struct next preference_gone(struct flow *f)
{
    struct preference_delete *d = locals(f, struct preference_delete);
    d->found = ROW_VALUE(boolean, row_slices(d->query, 0));
    return back(f);
}

/* ---- for a run ---------------------------------------------------------- */

#define EFFECTIVE_ROW(FIRST, X) \
    FIRST(text, key, "key") \
    X(text, value, "value")
#define EFFECTIVE_COLUMNS ROW_SQL(EFFECTIVE_ROW)

static const struct statement effective_statement = {
    .name = "preferences.effective",
    .again = true,
    .sql = "select " EFFECTIVE_COLUMNS
           " from effective_preferences($1::uuid, $2::uuid)",
};

struct query *preferences_query_begin(struct flow *f, struct store *s,
                                      struct str user_id,
                                      struct str ontology_id)
{
    struct query *q = query_new(f, s->system, &effective_statement);
    query_str(f, q, user_id);
    query_str(f, q, ontology_id);
    query_begin(f, q);
    return q;
}

void preferences_read(struct arena *memory, const struct query *q,
                      struct preference_set *out)
{
    *out = (struct preference_set){.capture = CAPTURE_AUTO};
    out->items =
        arena_new_array(memory, struct preference, (size_t)q->n_rows + 1);
    for (int i = 0; i < q->n_rows; i++) {
        struct preference *item = &out->items[out->n];
        ROW_READ(EFFECTIVE_ROW, item, row_copies(q, i, memory));
        if (str_is(item->key, CAPTURE_KEY))
            capture_mode_of(item->value, &out->capture);
        else
            out->n++;
    }
}

#define CAPTURED_ROW(FIRST, X) \
    FIRST(text, key, "p.key") \
    X(text, value, "p.value")
#define CAPTURED_COLUMNS ROW_SQL(CAPTURED_ROW)

static const struct statement capture_statement = {
    .name = "preferences.capture",
    .again = true,
    .sql = "with due as materialized (select x.key, x.value"
           "   from json_to_recordset($5::json)"
           "     as x(key text, value text, given boolean)"
           "   where exists (select from runs where message_id = $1::uuid"
           "       and epoch = $2::int and ended_at is null)"
           "     and (x.given or not exists (select from data_agent_preferences"
           "       where user_id = $3::uuid and ontology_id = $4::uuid"
           "         and key = x.key and source = 'manual')))"
           " select " CAPTURED_COLUMNS " from due, lateral put_preference("
           "   $3::uuid, $4::uuid, due.key, due.value, 'auto_captured',"
           "   $6::int) p",
};

struct next preference_capture_begin(struct flow *f)
{
    struct preference_capture *c = locals(f, struct preference_capture);
    struct query *q = c->query =
        query_new(f, c->store->system, &capture_statement);
    query_str(f, q, c->message_id);
    query_int(f, q, c->epoch);
    query_str(f, q, c->user_id);
    query_str(f, q, c->ontology_id);
    query_str(f, q, c->learned);
    query_int(f, q, PREFERENCES_MOST);
    query_begin(f, q);
    return await(f, answers_captured);
}

static struct next answers_captured(struct flow *f)
{
    struct preference_capture *c = locals(f, struct preference_capture);
    const struct query *q = c->query;
    c->saved =
        arena_new_array(flow_keep(f), struct preference, (size_t)q->n_rows + 1);
    for (int i = 0; i < q->n_rows; i++)
        ROW_READ(CAPTURED_ROW, &c->saved[c->n_saved++],
                 row_copies(q, i, flow_keep(f)));
    return back(f);
}
