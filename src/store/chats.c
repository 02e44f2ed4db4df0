/* chats.c - chats: listed, created, named, and changed. */
#include "store/chats.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "rows.h"
#include "store/search.h"
#include <inttypes.h>
#include <string.h>
#include "base/banned.h"

static step_fn chats_listed, chat_created, chat_changed;

/* ---- lists -------------------------------------------------------------- */

/* Times are milliseconds since 1970: to_char is slow for a page of forty
 * times. */
#define CHAT_ROW(FIRST, X) \
    FIRST(uuid, id, "c.id", "id") \
    X(text, name, "c.name", "name") \
    X(uuid, ontology_id, "c.ontology_id", "ontologyId") \
    X(uuid, owner_id, "c.owner_id", "ownerId") \
    X(text, llm_provider, "c.llm_provider", "llmProvider") \
    X(text, agent, "c.agent", "agent") \
    X(int64, created_ms, "epoch_ms(c.created_at)") \
    X(int64, updated_ms, "epoch_ms(c.updated_at)") \
    X(text, ontology_name, "o.name") \
    X(text, ontology_status, "o.status") \
    X(json, ontology_datasets, "o.dataset_count") \
    X(json, message_count, "c.message_count") \
    X(boolean, pinned, "c.pinned_at is not null", "pinned") \
    X(boolean, archived, "c.archived_at is not null", "archived") \
    X(uuid, match_id, "h.id") \
    X(text, match_text, "h.text") \
    X(int64, total, "t.total")
#define CHAT_COLUMNS ROW_SQL(CHAT_ROW)
ROW_STRUCT(chat_row, CHAT_ROW);

/* The limit applies before the join, so only the page's rows are joined. A page
 * past the end is one row that has the total alone. */
#define CHAT_PAGE(total, chats, order, match) \
    "select " CHAT_COLUMNS " from (select (" total ") as total) t" \
    " left join (select * from " chats " order by " order \
    "   limit $2::int offset $3::int) c on true" \
    " left join ontologies o on o.id = c.ontology_id" \
    " left join lateral (" match ") h on true order by " order
#define NO_MATCH "select null::uuid as id, null::text as text"

#define SHOWN "owner_id = $1::uuid and deleted_at is null"
#define ALL_CHATS "data_chats c where " SHOWN " and archived_at is null"
#define ALL_COUNTED \
    "select coalesce((select chats from chat_counts" \
    "   where owner_id = $1::uuid), 0) - (select count(*) from data_chats" \
    "   where " SHOWN " and archived_at is not null)"
#define FOUND_CHATS "found c"
#define FOUND_COUNTED "select count(*) from found"
#define FIND \
    "with found as materialized (select * from data_chats where " SHOWN \
    "   and ($7 = '' or (archived_at is not null) = nullif($7, '')::boolean)" \
    "   and ($8 = '' or (pinned_at is not null) = nullif($8, '')::boolean)" \
    "   and ($4 = '' or ontology_id = nullif($4, '')::uuid)" \
    "   and ($5 = '' or strpos(lower(name), lower($5)) > 0" \
    "     or id in (select chat_id from data_chat_messages" \
    "       where $6 <> '' and content <> ''" \
    "         and to_tsvector('simple', left(content, 50000))" \
    "           @@ to_tsquery('simple', $6)))) "
/* The first message that the search found, without the marks of Markdown
 * around its words. */
#define FIRST_MATCH \
    "select m.id, ts_headline('simple', regexp_replace(" \
    "     left(m.content, 50000), '[|*#`_[:space:]]+|-{3,}', ' ', 'g')," \
    "     to_tsquery('simple', $6), 'StartSel=\"\", StopSel=\"\"," \
    "     MinWords=10, MaxWords=20') as text" \
    "   from data_chat_messages m where m.chat_id = c.id and $6 <> ''" \
    "     and m.content <> ''" \
    "     and to_tsvector('simple', left(m.content, 50000))" \
    "       @@ to_tsquery('simple', $6) order by m.seq limit 1"

static const struct chat_order {
    const char *sort_by;
    bool ascending;
    struct statement all, found;
} chat_orders[] = {
#define ORDER(key, way, order) \
    { \
        #key, \
        sizeof #way == sizeof "asc", \
        {.sql = CHAT_PAGE(ALL_COUNTED, ALL_CHATS, order, NO_MATCH), \
         .name = "chats." #key "." #way, \
         .again = true, \
         .one_plan = true}, \
        {.sql = \
             FIND CHAT_PAGE(FOUND_COUNTED, FOUND_CHATS, order, FIRST_MATCH), \
         .name = "chats.found." #key "." #way, \
         .again = true}, \
    }
    ORDER(updatedAt, desc, "c.updated_at desc, c.id"),
    ORDER(updatedAt, asc, "c.updated_at, c.id desc"),
    ORDER(createdAt, desc, "c.created_at desc, c.id"),
    ORDER(createdAt, asc, "c.created_at, c.id desc"),
    ORDER(name, desc, "c.name desc, c.id"),
    ORDER(name, asc, "c.name, c.id desc"),
#undef ORDER
};

static const struct statement chat_statement = {
    .name = "chats.one",
    .again = true,
    .sql = "select " CHAT_COLUMNS " from data_chats c"
           " cross join (select 1 as total) t"
           " cross join (" NO_MATCH ") h"
           " join ontologies o on o.id = c.ontology_id"
           " where c.owner_id = $1::uuid and c.id = $2::uuid"
           "   and c.deleted_at is null",
};

static const struct chat_order *order_of(const struct chat_page *p)
{
    for (size_t i = 0; i < sizeof chat_orders / sizeof *chat_orders; i++)
        if (!strcmp(chat_orders[i].sort_by, p->sort_by) &&
            chat_orders[i].ascending == p->ascending)
            return &chat_orders[i];
    return &chat_orders[0];
}

static struct query *page_query(struct flow *f, struct chat_page *p)
{
    const struct chat_order *order = order_of(p);
    bool all = !p->search.len && !p->ontology_id.len && !p->pinned.len &&
               str_is(p->archived, "false");
    struct query *q =
        query_new(f, p->store->system, all ? &order->all : &order->found);
    query_str(f, q, p->user_id);
    query_page(f, q, p->page, p->page_size);
    if (all)
        return q;
    query_str(f, q, p->ontology_id);
    query_str(f, q, p->search);
    query_str(f, q, search_query(flow_here(f), p->search));
    query_str(f, q, p->archived);
    query_str(f, q, p->pinned);
    return q;
}

struct next chat_page_begin(struct flow *f)
{
    struct chat_page *p = locals(f, struct chat_page);
    if (p->chat_id.len) {
        p->query = query_new(f, p->store->system, &chat_statement);
        query_str(f, p->query, p->user_id);
        query_str(f, p->query, p->chat_id);
    } else {
        p->query = page_query(f, p);
    }
    query_begin(f, p->query);
    return await(f, chats_listed);
}

static struct next chats_listed(struct flow *f)
{
    struct chat_page *p = locals(f, struct chat_page);
    struct chat_row first = {0};
    if (p->query->n_rows)
        first = chat_row_at(p->query, 0);
    p->query = rows_keep_page(f, p->query, first.id);
    p->total = first.total;
    return back(f);
}

static void chat_put_time(struct json_writer *w, const char *key, int64_t ms)
{
    char text[CLOCK_RFC3339_SIZE];
    clock_rfc3339(ms, text);
    json_field_text(w, key, text);
}

void chat_write(struct json_writer *w, const struct query *q, int row)
{
    struct chat_row c = chat_row_at(q, row);
    ROW_WRITE(CHAT_ROW, w, &c);
    chat_put_time(w, "createdAt", c.created_ms);
    chat_put_time(w, "updatedAt", c.updated_ms);
    json_field_object(w, "ontology");
    json_field_str(w, "id", c.ontology_id);
    json_field_str(w, "name", c.ontology_name);
    json_field_str(w, "status", c.ontology_status);
    json_field_raw(w, "datasetCount", c.ontology_datasets);
    json_put_object_end(w);
    json_field_raw(w, "messageCount", c.message_count);
    if (!c.match_id.len)
        return;
    json_field_object(w, "match");
    json_field_str(w, "messageId", c.match_id);
    json_field_str(w, "text", c.match_text);
    json_put_object_end(w);
}

struct str chat_tag(struct arena *arena, const struct query *q, int row,
                    struct str shown)
{
    struct chat_row c = chat_row_at(q, row);
    return arena_printf(arena, "\"%" PRId64 ".%016" PRIx64 "\"", c.updated_ms,
                        str_hash(shown));
}

/* ---- name --------------------------------------------------------------- */

enum { NAME_CHARACTERS = 50 };

struct str chat_name_of(struct str question)
{
    struct str whole = utf8_trim(question);
    struct str first = utf8_first(whole, NAME_CHARACTERS);
    if (first.len < whole.len)
        for (size_t i = first.len; i > first.len / 2; i--)
            if (first.ptr[i - 1] == ' ')
                return str_trim(str_cut(first, 0, i));
    return first;
}

static const struct statement naming_statement = {
    .name = "chats.naming",
    .sql = "update data_chats set name = $2, named = true"
           " where id = $1::uuid and not named",
    .again = true,
};

struct next chat_naming_begin(struct flow *f)
{
    struct chat_naming *n = locals(f, struct chat_naming);
    struct query *q = query_new(f, n->store->system, &naming_statement);
    query_str(f, q, n->chat_id);
    query_str(f, q, chat_name_of(n->question));
    query_begin(f, q);
    return await(f, row_none);
}

/* ---- create ------------------------------------------------------------- */

#define CHAT_CREATED_ROW(FIRST, X) \
    FIRST(boolean, ontology_found, "exists (select from o)") \
    X(boolean, ontology_ready, "exists (select from made)") \
    X(uuid, id, "(select id from made)")
#define CHAT_CREATED_COLUMNS ROW_SQL(CHAT_CREATED_ROW)

static const struct statement create_statement = {
    .name = "chats.create",
    .sql =
        "with o as materialized (select id, status from ontologies"
        "   where id = $2::uuid and deleted_at is null"
        "     and (owner_id = $1::uuid or visibility = 'shared'"
        "       or $5::boolean)),"
        " made as (insert into data_chats (owner_id, ontology_id, name, named,"
        "     llm_provider, agent) select $1::uuid, id,"
        "     case when $3 = '' then 'New chat' else $3 end, $3 <> '',"
        "     nullif($4, ''), coalesce(nullif($6, ''), 'pipeline')"
        "     from o where status = 'ready' returning id)"
        " select " CHAT_CREATED_COLUMNS,
};

struct next chat_create_begin(struct flow *f)
{
    struct chat_create *c = locals(f, struct chat_create);
    struct query *q = c->query =
        query_new(f, c->store->system, &create_statement);
    query_str(f, q, c->user_id);
    query_str(f, q, c->ontology_id);
    query_str(f, q, c->name);
    query_str(f, q, c->llm_provider);
    query_bool(q, c->all_ontologies);
    query_str(f, q, c->agent);
    query_begin(f, q);
    return await(f, chat_created);
}

static struct next chat_created(struct flow *f)
{
    struct chat_create *c = locals(f, struct chat_create);
    ROW_READ(CHAT_CREATED_ROW, c, row_copies(c->query, 0, flow_keep(f)));
    return back(f);
}

/* ---- change ------------------------------------------------------------- */

#define CHAT_CHANGED_ROW(FIRST, X) \
    FIRST(boolean, found, "exists (select from chat)") \
    X(boolean, matched, "exists (select from fits)")
#define CHAT_CHANGED_COLUMNS ROW_SQL(CHAT_CHANGED_ROW)

/* A list of our entity tags has digits between a quote and a full stop only
 * where a tag begins, so finding them there means that the tag is listed. */
static const struct statement change_statement = {
    .name = "chats.change",
    .sql = "with chat as materialized (select id, updated_at from data_chats"
           "   where id = $2::uuid and " SHOWN " for no key update),"
           " fits as materialized (select id from chat where $3 in ('', '*')"
           "   or strpos($3, '\"' || epoch_ms(updated_at) || '.') > 0),"
           " changed as (update data_chats c set"
           "     updated_at = case when $4 <> '' or $5::boolean then now()"
           "       else updated_at end,"
           "     name = case when $4 = '' then name else $4 end,"
           "     named = named or $4 <> '',"
           "     llm_provider = case when $5::boolean then nullif($6, '')"
           "       else llm_provider end,"
           "     archived_at = case when $8 = '' then archived_at"
           "       when $8 = 'true' then coalesce(archived_at, now()) end,"
           "     pinned_at = case when $8 = 'true' or $7 = 'false' then null"
           "       when $7 = 'true' then coalesce(pinned_at, now())"
           "       else pinned_at end"
           "   from fits where c.id = fits.id and ($4 <> '' or $5::boolean"
           "     or $7 <> '' or $8 <> ''))"
           " select " CHAT_CHANGED_COLUMNS,
};

struct next chat_change_begin(struct flow *f)
{
    struct chat_change *c = locals(f, struct chat_change);
    struct query *q = c->query =
        query_new(f, c->store->system, &change_statement);
    query_str(f, q, c->user_id);
    query_str(f, q, c->chat_id);
    query_str(f, q, c->if_match);
    query_str(f, q, c->name);
    query_bool(q, c->set_provider);
    query_str(f, q, c->llm_provider);
    query_str(f, q, c->pinned);
    query_str(f, q, c->archived);
    query_begin(f, q);
    return await(f, chat_changed);
}

static struct next chat_changed(struct flow *f)
{
    struct chat_change *c = locals(f, struct chat_change);
    ROW_READ(CHAT_CHANGED_ROW, c, row_slices(c->query, 0));
    return back(f);
}
