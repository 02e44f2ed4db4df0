#include "store/chats.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "rows.h"
#include "store/search.h"
#include <inttypes.h>
#include <string.h>
#include "base/banned.h"

/* ---- lists -------------------------------------------------------------- */

/* Milliseconds since 1970; rendering forty times of a page is not for SQL. */
#define MS(column) "(date_part('epoch', " column ") * 1000)::bigint"

#define CHAT_COLUMNS \
    "c.id, c.name, c.ontology_id, c.owner_id, c.llm_provider, c.agent, " MS( \
        "c.created_at") ", " MS("c.updated_at") ", o.name, " \
                                                "o.status, o.dataset_count, c.message_count"

/* The page is cut first, so that its rows alone are joined and written; a page
 * past the end still tells the total. */
#define CHAT_PAGE(total, chats, order) \
    "select " CHAT_COLUMNS ", t.total" \
    " from (select (" total ") as total) t" \
    " left join (select * from " chats " order by " order \
    "   limit $2::int offset $3::int) c on true" \
    " left join ontologies o on o.id = c.ontology_id order by " order

#define SHOWN "owner_id = $1::uuid and deleted_at is null"
#define ALL_CHATS "data_chats c where " SHOWN
#define ALL_COUNTED \
    "select coalesce((select chats from chat_counts" \
    "   where owner_id = $1::uuid), 0)"
#define FOUND_CHATS "found c"
#define FOUND_COUNTED "select count(*) from found"
#define FIND \
    "with found as materialized (select * from data_chats where " SHOWN \
    "   and ($4 = '' or ontology_id = nullif($4, '')::uuid)" \
    "   and ($5 = '' or strpos(lower(name), lower($5)) > 0" \
    "     or id in (select chat_id from data_chat_messages" \
    "       where $6 <> '' and content <> ''" \
    "         and to_tsvector('simple', left(content, 50000))" \
    "           @@ to_tsquery('simple', $6)))) "

static const struct chat_order {
    const char *sort_by;
    bool ascending;
    struct statement all, found;
} chat_orders[] = {
#define ORDER(key, way, order) \
    { \
        #key, \
        sizeof #way == sizeof "asc", \
        {.sql = CHAT_PAGE(ALL_COUNTED, ALL_CHATS, order), \
         .name = "chats." #key "." #way, \
         .again = true}, \
        {.sql = FIND CHAT_PAGE(FOUND_COUNTED, FOUND_CHATS, order), \
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
    .sql = "select " CHAT_COLUMNS ", 1 from data_chats c"
           " join ontologies o on o.id = c.ontology_id"
           " where c.owner_id = $1::uuid and c.id = $2::uuid"
           "   and c.deleted_at is null",
};

static struct next chats_listed(struct flow *f);

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
    bool all = !p->search.len && !p->ontology_id.len;
    struct query *q =
        query_new(f, p->store->system, all ? &order->all : &order->found);
    query_str(f, q, p->user_id);
    query_int(f, q, p->page_size);
    query_int(f, q, (int64_t)(p->page - 1) * p->page_size);
    if (all)
        return q;
    query_str(f, q, p->ontology_id);
    query_str(f, q, p->search);
    query_str(f, q, search_query(flow_here(f), p->search));
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
    p->query = rows_keep(f, p->query);
    p->total = p->query->n_rows ? query_cell_int(p->query, 0, 12) : 0;
    if (p->query->n_rows && query_is_null(p->query, 0, 0))
        p->query->n_rows = 0; /* the total alone */
    return back(f);
}

static void put_time(struct json_writer *w, const char *key,
                     const struct query *q, int row, int column)
{
    char text[CLOCK_RFC3339_SIZE];
    clock_rfc3339(query_cell_int(q, row, column), text);
    json_field_text(w, key, text);
}

void chat_write(struct json_writer *w, const struct query *q, int row)
{
    static const char *const keys[] = {"id",      "name",        "ontologyId",
                                       "ownerId", "llmProvider", "agent"};
    for (int i = 0; i < 6; i++)
        row_field_str(w, keys[i], q, row, i);
    put_time(w, "createdAt", q, row, 6);
    put_time(w, "updatedAt", q, row, 7);
    json_put_key(w, "ontology");
    json_put_object(w);
    json_field_str(w, "id", query_cell(q, row, 2));
    json_field_str(w, "name", query_cell(q, row, 8));
    json_field_str(w, "status", query_cell(q, row, 9));
    json_field_raw(w, "datasetCount", query_cell(q, row, 10));
    json_put_object_end(w);
    json_field_raw(w, "messageCount", query_cell(q, row, 11));
}

struct str chat_tag(struct arena *arena, const struct query *q, int row,
                    struct str shown)
{
    return arena_printf(arena, "\"%.*s.%016" PRIx64 "\"",
                        STR_ARG(query_cell(q, row, 7)), str_hash(shown));
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

static struct next chat_named(struct flow *f);

struct next chat_naming_begin(struct flow *f)
{
    struct chat_naming *n = locals(f, struct chat_naming);
    struct query *q = query_new(f, n->store->system, &naming_statement);
    query_str(f, q, n->chat_id);
    query_str(f, q, chat_name_of(n->question));
    query_begin(f, q);
    return await(f, chat_named);
}

static struct next chat_named(struct flow *f)
{
    return back(f);
}

/* ---- create ------------------------------------------------------------- */

static const struct statement create_statement = {
    .name = "chats.create",
    .sql =
        "with o as materialized (select id, status from ontologies"
        "   where id = $2::uuid and deleted_at is null"
        "     and (owner_id = $1::uuid or visibility = 'shared' or $5::boolean)),"
        " made as (insert into data_chats (owner_id, ontology_id, name, named,"
        "     llm_provider, agent) select $1::uuid, id,"
        "     case when $3 = '' then 'New chat' else $3 end, $3 <> '',"
        "     nullif($4, ''), coalesce(nullif($6, ''), 'pipeline')"
        "     from o where status = 'ready' returning id)"
        " select exists (select from o), (select id from made)",
};

static struct next chat_created(struct flow *f);

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
    c->ontology_found = query_cell_bool(c->query, 0, 0);
    c->ontology_ready = !query_is_null(c->query, 0, 1);
    c->id = arena_str(flow_keep(f), query_cell(c->query, 0, 1));
    return back(f);
}

/* ---- change ------------------------------------------------------------- */

/* Digits between a quote and a full stop stand in no other place of a list of our
 * tags: to be found in the list is to be one of it. */
static const struct statement change_statement = {
    .name = "chats.change",
    .sql =
        "with chat as materialized (select id, updated_at from data_chats"
        "   where id = $2::uuid and " SHOWN " for no key update),"
        " fits as materialized (select id from chat where $3 in ('', '*')"
        "   or strpos($3, '\"' || " MS(
            "updated_at") " || '.') > 0),"
                          " changed as (update data_chats c set updated_at = now(),"
                          "     name = case when $4 = '' then name else $4 end,"
                          "     named = named or $4 <> '',"
                          "     llm_provider = case when $5::boolean then nullif($6, '')"
                          "       else llm_provider end"
                          "   from fits where c.id = fits.id and ($4 <> '' or $5::boolean))"
                          " select exists (select from chat), exists (select from fits)",
};

static struct next chat_changed(struct flow *f);

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
    query_begin(f, q);
    return await(f, chat_changed);
}

static struct next chat_changed(struct flow *f)
{
    struct chat_change *c = locals(f, struct chat_change);
    c->found = query_cell_bool(c->query, 0, 0);
    c->matched = query_cell_bool(c->query, 0, 1);
    return back(f);
}
