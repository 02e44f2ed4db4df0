/* boards.c - boards and their cards: listed, made, arranged, removed, and what
 * became of their queries. */
#include "store/boards.h"
#include "store/audit.h"
#include "rows.h"
#include "base/banned.h"

static step_fn boards_listed, board_rows_kept, board_was_added, board_settled,
    card_was_pinned, sources_read, outcome_stored;

/* ---- rows ----------------------------------------------------------------- */

#define BOARD_ROW(FIRST, X) \
    FIRST(uuid, id, "b.id", "id") \
    X(text, name, "b.name", "name") \
    X(int64, cards, \
      "(select count(*) from board_cards k where k.board_id = b.id)", \
      "cardCount") \
    X(time, created_at, "rfc3339(b.created_at)", "createdAt") \
    X(time, updated_at, "rfc3339(b.updated_at)", "updatedAt") \
    X(int64, total, "t.total")
#define BOARD_COLUMNS ROW_SQL(BOARD_ROW)
ROW_STRUCT(board_row, BOARD_ROW);

/* `data` is a text and stays one. */
#define CARD_ROW(FIRST, X) \
    FIRST(uuid, id, "c.id", "id") \
    X(text, title, "c.title", "title") \
    X(text, question, "c.question", "question") \
    X(text, sql, "c.sql", "sql") \
    X(text, period, "nullif(c.period, '')", "period") \
    X(json, chart, "c.chart", "chart") \
    X(int32, width, "c.width", "width") \
    X(uuid, ontology_id, "o.id", "ontologyId") \
    X(text, ontology_name, "o.name", "ontologyName") \
    X(uuid, message_id, "m.id", "messageId") \
    X(uuid, chat_id, "m.chat_id", "chatId") \
    X(json, step_id, "c.step_id", "stepId") \
    X(json, result, "c.result", "result") \
    X(time, rows_at, "rfc3339(c.rows_at)", "rowsAt") \
    X(text, state, \
      "case when o.id is null or c.problem is not null then 'stale'" \
      " when c.error is not null then 'failed' else 'fresh' end", \
      "state") \
    X(text, problem, \
      "case when o.id is null then 'Its data were deleted.'" \
      " else coalesce(c.problem, c.error) end", \
      "problem") \
    X(time, error_at, "rfc3339(c.error_at)", "failedAt")
#define CARD_COLUMNS ROW_SQL(CARD_ROW)
ROW_STRUCT(card_row, CARD_ROW);

void board_write(struct json_writer *w, const struct query *q, int row)
{
    struct board_row b = board_row_at(q, row);
    ROW_WRITE(BOARD_ROW, w, &b);
}

void card_write(struct json_writer *w, const struct query *q, int row)
{
    struct card_row c = card_row_at(q, row);
    ROW_WRITE(CARD_ROW, w, &c);
}

/* A query whose first two parameters are the user and the board. */
static struct query *board_query_new(struct flow *f,
                                     const struct statement *what)
{
    struct board_query *b = locals(f, struct board_query);
    struct query *q = b->query = query_new(f, b->store->system, what);
    query_str(f, q, b->user_id);
    query_str(f, q, b->board_id);
    return q;
}

static void query_json_or_null(struct flow *f, struct query *q, struct str json)
{
    if (json.ptr)
        query_str(f, q, json);
    else
        query_null(q);
}

/* ---- boards --------------------------------------------------------------- */

static const struct statement list_statement = {
    .name = "boards.list",
    .again = true,
    .sql = "select " BOARD_COLUMNS " from (select count(*) as total from boards"
           "   where owner_id = $1::uuid) t"
           " left join (select * from boards where owner_id = $1::uuid"
           "   order by updated_at desc, id limit $2::int offset $3::int) b"
           "   on true order by b.updated_at desc, b.id",
};

struct next board_list_begin(struct flow *f)
{
    struct board_query *b = locals(f, struct board_query);
    struct query *q = b->query =
        query_new(f, b->store->system, &list_statement);
    query_str(f, q, b->user_id);
    query_page(f, q, b->page, b->page_size);
    query_begin(f, q);
    return await(f, boards_listed);
}

static struct next boards_listed(struct flow *f)
{
    struct board_query *b = locals(f, struct board_query);
    struct board_row first = board_row_at(b->query, 0);
    b->query = rows_keep_page(f, b->query, first.id);
    b->total = first.total;
    return back(f);
}

static const struct statement read_statement = {
    .name = "boards.read",
    .again = true,
    .sql = "select " BOARD_COLUMNS " from boards b, (select 1 as total) t"
           " where b.owner_id = $1::uuid and b.id = $2::uuid",
};

struct next board_read_begin(struct flow *f)
{
    query_begin(f, board_query_new(f, &read_statement));
    return await(f, board_rows_kept);
}

static struct next board_rows_kept(struct flow *f)
{
    struct board_query *b = locals(f, struct board_query);
    b->query = rows_keep(f, b->query);
    b->found = b->query->n_rows > 0;
    return back(f);
}

static const struct statement add_statement = {
    .name = "boards.add",
    .sql = "select add_board($1::uuid, $2, $3::int)",
};

struct next board_add_begin(struct flow *f)
{
    struct board_query *b = locals(f, struct board_query);
    struct query *q = b->query = query_new(f, b->store->system, &add_statement);
    query_str(f, q, b->user_id);
    query_str(f, q, b->name);
    query_int(f, q, BOARDS_MOST);
    query_begin(f, q);
    return await(f, board_was_added);
}

static struct next board_was_added(struct flow *f)
{
    struct board_query *b = locals(f, struct board_query);
    b->id = ROW_VALUE(uuid, row_copies(b->query, 0, flow_keep(f)));
    b->room = b->id.len > 0;
    return back(f);
}

static const struct statement change_statement = {
    .name = "boards.change",
    .sql = "select change_board($1::uuid, $2::uuid, $3, $4::json)",
};

struct next board_change_begin(struct flow *f)
{
    const struct board_query *b = locals(f, struct board_query);
    struct query *q = board_query_new(f, &change_statement);
    query_json_or_null(f, q, b->name);
    query_json_or_null(f, q, b->cards);
    query_begin(f, q);
    return await(f, board_settled);
}

static const struct statement remove_statement = {
    .name = "boards.remove",
    .sql = "with gone as (delete from boards where owner_id = $1::uuid"
           "   and id = $2::uuid returning id),"
           " noted as (" SQL_AUDIT " select $1::uuid, 'board.deleted', 'board',"
           "   id::text, '{}', $3 from gone)"
           " select exists (select from gone)",
};

struct next board_remove_begin(struct flow *f)
{
    const struct board_query *b = locals(f, struct board_query);
    struct query *q = board_query_new(f, &remove_statement);
    query_str(f, q, b->request_id);
    query_begin(f, q);
    return await(f, board_settled);
}

static struct next board_settled(struct flow *f)
{
    struct board_query *b = locals(f, struct board_query);
    b->found = ROW_VALUE(boolean, row_slices(b->query, 0));
    return back(f);
}

/* ---- cards ---------------------------------------------------------------- */

static const struct statement cards_statement = {
    .name = "boards.cards",
    .again = true,
    .sql = "select " CARD_COLUMNS
           " from boards b join board_cards c on c.board_id = b.id"
           " left join ontologies o on o.id = c.ontology_id"
           "   and o.deleted_at is null"
           " left join lateral (select m.id, m.chat_id"
           "   from data_chat_messages m join data_chats h on h.id = m.chat_id"
           "   where m.id = c.message_id and h.deleted_at is null) m on true"
           " where b.owner_id = $1::uuid and b.id = $2::uuid"
           "   and ($3 = '' or c.id = nullif($3, '')::uuid)"
           " order by c.place, c.id",
};

struct next card_list_begin(struct flow *f)
{
    const struct board_query *b = locals(f, struct board_query);
    struct query *q = board_query_new(f, &cards_statement);
    query_str(f, q, b->card_id);
    query_begin(f, q);
    return await(f, board_rows_kept);
}

#define PIN_ROW(FIRST, X) \
    FIRST(text, outcome, "outcome") \
    X(uuid, id, "card")
#define PIN_COLUMNS ROW_SQL(PIN_ROW)
ROW_STRUCT(pin_row, PIN_ROW);

static const struct statement pin_statement = {
    .name = "boards.pin",
    .sql = "select " PIN_COLUMNS " from pin_card($1::uuid, $2::uuid, $3::uuid,"
           "   $4::int, $5, $6, $7, $8::json, $9::int, $10::int)",
};

struct next card_pin_begin(struct flow *f)
{
    const struct board_query *b = locals(f, struct board_query);
    struct query *q = board_query_new(f, &pin_statement);
    query_str(f, q, b->message_id);
    query_int(f, q, b->step_id);
    query_str(f, q, b->title);
    query_str(f, q, b->question);
    query_str(f, q, b->period);
    query_json_or_null(f, q, b->chart);
    query_int(f, q, b->width);
    query_int(f, q, CARDS_MOST);
    query_begin(f, q);
    return await(f, card_was_pinned);
}

static struct next card_was_pinned(struct flow *f)
{
    struct board_query *b = locals(f, struct board_query);
    struct pin_row row = pin_row_at(b->query, 0);
    b->found = !str_is(row.outcome, "no_board");
    b->room = !str_is(row.outcome, "full");
    b->is_answer = !str_is(row.outcome, "no_answer");
    b->id = arena_str(flow_keep(f), row.id);
    return back(f);
}

/* The board counts as changed, too. */
#define OF_CARD \
    " where c.id = $3::uuid and c.board_id = b.id and b.id = $2::uuid" \
    "   and b.owner_id = $1::uuid"

static const struct statement card_change_statement = {
    .name = "boards.change_card",
    .sql = "with changed as (update board_cards c set"
           "   title = coalesce(nullif($4, ''), c.title),"
           "   width = coalesce(nullif($5::int, 0), c.width),"
           "   chart = case when $6::json is null then c.chart"
           "     when json_typeof($6::json) = 'null' then null"
           "     else $6::json end from boards b" OF_CARD
           "   returning c.board_id),"
           " noted as (update boards set updated_at = now()"
           "   where id in (select board_id from changed))"
           " select exists (select from changed)",
};

struct next card_change_begin(struct flow *f)
{
    const struct board_query *b = locals(f, struct board_query);
    struct query *q = board_query_new(f, &card_change_statement);
    query_str(f, q, b->card_id);
    query_str(f, q, b->title);
    query_int(f, q, b->width);
    query_json_or_null(f, q, b->chart);
    query_begin(f, q);
    return await(f, board_settled);
}

static const struct statement card_remove_statement = {
    .name = "boards.remove_card",
    .sql = "with gone as (delete from board_cards c using boards b" OF_CARD
           "   returning c.board_id),"
           " noted as (update boards set updated_at = now()"
           "   where id in (select board_id from gone))"
           " select exists (select from gone)",
};

struct next card_remove_begin(struct flow *f)
{
    const struct board_query *b = locals(f, struct board_query);
    struct query *q = board_query_new(f, &card_remove_statement);
    query_str(f, q, b->card_id);
    query_begin(f, q);
    return await(f, board_settled);
}

/* ---- running the queries again -------------------------------------------- */

#define SOURCE_ROW(FIRST, X) \
    FIRST(uuid, id, "c.id") \
    X(text, sql, "c.sql") \
    X(uuid, ontology_id, "o.id") \
    X(uuid, connection_id, "s.connection_id") \
    X(text, connection_changed_at, "n.updated_at") \
    X(text, database, "s.database_name") \
    X(text, db_type, "n.db_type") \
    X(int32, version, "o.version") \
    X(int32, checked_version, "c.checked_version")
#define SOURCE_COLUMNS ROW_SQL(SOURCE_ROW)

static const struct statement sources_statement = {
    .name = "boards.sources",
    .again = true,
    .sql =
        "select " SOURCE_COLUMNS
        " from boards b join board_cards c on c.board_id = b.id"
        " left join ontologies o on o.id = c.ontology_id"
        "   and o.status = 'ready' and ontology_is_seen(o, $1::uuid, $4::boolean)"
        " left join semantic_models s on s.id = o.semantic_model_id"
        " left join connections n on n.id = s.connection_id"
        " where b.owner_id = $1::uuid and b.id = $2::uuid"
        "   and ($3 = '' or c.id = nullif($3, '')::uuid)"
        " order by c.place, c.id",
};

struct next card_sources_begin(struct flow *f)
{
    struct card_sources *c = locals(f, struct card_sources);
    struct query *q = c->query =
        query_new(f, c->store->system, &sources_statement);
    query_str(f, q, c->user_id);
    query_str(f, q, c->board_id);
    query_str(f, q, c->card_id);
    query_bool(q, c->all);
    query_begin(f, q);
    return await(f, sources_read);
}

static struct next sources_read(struct flow *f)
{
    struct card_sources *c = locals(f, struct card_sources);
    c->n = (size_t)c->query->n_rows;
    c->items = arena_new_array(flow_keep(f), struct card_source, c->n + 1);
    for (size_t i = 0; i < c->n; i++)
        ROW_READ(SOURCE_ROW, &c->items[i],
                 row_copies(c->query, (int)i, flow_keep(f)));
    return back(f);
}

static const struct statement outcome_statement = {
    .name = "boards.outcome",
    .again = true,
    .sql = "update board_cards c set"
           "   checked_version = greatest(c.checked_version, $2::int),"
           "   problem = case when $2::int >= c.checked_version and $2::int > 0"
           "     then nullif($3, '') else c.problem end,"
           "   error = case when $4::boolean then nullif($5, '')"
           "     else c.error end,"
           "   error_at = case when $4::boolean and $5 <> '' then now()"
           "     when $4::boolean then null else c.error_at end,"
           "   result = coalesce($6::json, c.result),"
           "   rows_at = case when $6::json is null then c.rows_at"
           "     else now() end"
           " where c.id = $1::uuid",
};

struct next card_outcome_begin(struct flow *f)
{
    struct card_outcome *c = locals(f, struct card_outcome);
    struct query *q = query_new(f, c->store->system, &outcome_statement);
    query_str(f, q, c->card_id);
    query_int(f, q, c->checked_version);
    query_str(f, q, c->problem);
    query_bool(q, c->ran);
    query_str(f, q, c->error);
    query_text(q, c->result.len ? c->result.ptr : NULL); /* large: not copied */
    query_begin(f, q);
    return await(f, outcome_stored);
}

static struct next outcome_stored(struct flow *f)
{
    return back(f);
}
