/* board_refresh.c - checks the queries of cards and runs them again.
 *
 *   board_refresh_begin -> cards_read -> (lanes) -> lanes_over
 *   lane_begin -> card_begin -> ontology_held -> source_opened -> rows_read
 *        ^  \________________________|_______________|____________/
 *        |________ card_settled <- store_card
 *
 * A few lanes share the list of cards: each takes the next one when it is done
 * with the one before. A lane is a child flow, so that its memory is freed. */
#include "agent/boards.h"
#include "agent/trusted.h"
#include "base/clock.h"
#include "base/banned.h"

enum {
    LANE_MEMORY = 32 * 1024 * 1024,
    STARTING_MS = 60000, /* later no further query is begun */
};

struct board_lane {
    struct child child; /* first */
    struct board_refresh *refresh;
    struct card_source *card;
    struct ontology_acquire ontology;
    struct source_open source;
    struct tool_context tools;
    struct query_tool query;
    struct card_outcome outcome;
    struct arena memory; /* of one card */
};

static struct next cards_read(struct flow *f), lanes_over(struct flow *f),
    lane_begin(struct flow *f), card_begin(struct flow *f),
    card_ontology_held(struct flow *f), card_source_opened(struct flow *f),
    card_rows_read(struct flow *f), card_settled(struct flow *f),
    card_failed(struct flow *f), card_stored(struct flow *f);

struct next board_refresh_begin(struct flow *f)
{
    struct board_refresh *b = locals(f, struct board_refresh);
    b->cards = (struct card_sources){.store = b->store,
                                     .user_id = b->user_id,
                                     .board_id = b->board_id,
                                     .card_id = b->card_id,
                                     .all = b->all};
    return call(f, card_sources_begin, &b->cards, cards_read);
}

static struct next cards_read(struct flow *f)
{
    struct board_refresh *b = locals(f, struct board_refresh);
    size_t n = b->cards.n;
    b->began_ms = clock_ms();
    b->lanes = arena_new_array(flow_keep(f), struct board_lane, BOARD_LANES);
    for (size_t i = 0; i < BOARD_LANES && i < n; i++) {
        struct board_lane *lane = &b->lanes[i];
        lane->refresh = b;
        child_begin(f, &lane->child, lane_begin, lane, "board lane",
                    LANE_MEMORY);
    }
    return n ? await(f, lanes_over) : back(f);
}

static struct next lanes_over(struct flow *f)
{
    return back(f);
}

/* ---- a lane --------------------------------------------------------------- */

static void lane_memory_done(void *memory)
{
    arena_done(memory);
}

static bool is_due(const struct board_refresh *b, const struct card_source *c)
{
    return !b->only_check ||
           (c->ontology_id.len && c->checked_version < c->version);
}

static struct next lane_begin(struct flow *f)
{
    struct board_lane *lane = locals(f, struct board_lane);
    struct board_refresh *b = lane->refresh;
    while (b->at < b->cards.n && !is_due(b, &b->cards.items[b->at]))
        b->at++;
    if (b->at == b->cards.n)
        return back(f);
    lane->card = &b->cards.items[b->at++];
    lane->outcome = (struct card_outcome){
        .store = b->store, .card_id = lane->card->id, .ran = !b->only_check};
    return attempt(f, card_begin, lane, card_settled, card_failed);
}

static struct next card_settled(struct flow *f)
{
    return go(f, lane_begin);
}

static struct next store_card(struct flow *f, struct str error)
{
    struct board_lane *lane = locals(f, struct board_lane);
    lane->outcome.error = error;
    return call(f, card_outcome_begin, &lane->outcome, card_stored);
}

static struct next card_stored(struct flow *f)
{
    return back(f);
}

/* The ontology or the source cannot be read, or the rows are too large. A check
 * is then made later. */
static struct next card_failed(struct flow *f)
{
    struct board_lane *lane = locals(f, struct board_lane);
    enum err why = failure(f);
    if (lane->refresh->only_check)
        return go(f, lane_begin);
    struct str text = failure_text(f);
    lane->outcome.error =
        arena_str(flow_keep(f), text.len ? text : str_of(err_sentence(why)));
    lane->outcome.result = STR("");
    return call(f, card_outcome_begin, &lane->outcome, card_settled);
}

/* ---- a card --------------------------------------------------------------- */

static struct next card_begin(struct flow *f)
{
    struct board_lane *lane = locals(f, struct board_lane);
    const struct card_source *c = lane->card;
    flow_arena_init(&lane->memory, LANE_MEMORY);
    defer(f, lane_memory_done, &lane->memory);
    if (!c->ontology_id.len)
        return store_card(f, STR("You have no access to its data."));
    if (clock_ms() - lane->refresh->began_ms > STARTING_MS)
        return store_card(f, STR("The other cards took too long. Refresh this "
                                 "card alone."));
    lane->ontology = (struct ontology_acquire){.store = lane->refresh->store,
                                               .id = c->ontology_id,
                                               .version = c->version};
    return call(f, ontology_acquire_begin, &lane->ontology, card_ontology_held);
}

static struct next card_ontology_held(struct flow *f)
{
    struct board_lane *lane = locals(f, struct board_lane);
    const struct card_source *c = lane->card;
    enum source_dialect dialect = str_is(c->db_type, "duckdb") ? DIALECT_DUCKDB
                                  : str_is(c->db_type, "trino")
                                      ? DIALECT_TRINO
                                      : DIALECT_POSTGRES;
    lane->outcome.checked_version = c->version;
    lane->outcome.problem = query_problem(&lane->memory, lane->ontology.held,
                                          dialect, c->database, c->sql);
    if (lane->outcome.problem.len || lane->refresh->only_check)
        return store_card(f, STR(""));
    lane->source = (struct source_open){.store = lane->refresh->store,
                                        .connection_id = c->connection_id,
                                        .database = c->database,
                                        .changed_at = c->connection_changed_at};
    return call(f, source_open_begin, &lane->source, card_source_opened);
}

static struct next card_source_opened(struct flow *f)
{
    struct board_lane *lane = locals(f, struct board_lane);
    const struct board_refresh *b = lane->refresh;
    lane->tools =
        (struct tool_context){.ontology = lane->ontology.held,
                              .source = lane->source.opened,
                              .sandbox = &b->settings->sandbox,
                              .store = b->store,
                              .sql_timeout_ms = b->settings->sql_timeout_ms,
                              .sql_max_rows = CARD_ROWS_MOST,
                              .sql_max_bytes = CARD_BYTES,
                              .text_budget = CARD_BYTES,
                              .share_rows = SHARE_ALL,
                              .user_id = b->user_id};
    lane->query = (struct query_tool){.context = &lane->tools,
                                      .sql = lane->card->sql,
                                      .max_rows = CARD_ROWS_MOST,
                                      .memory = &lane->memory,
                                      .json_memory = &lane->memory};
    return call(f, query_tool_begin, &lane->query, card_rows_read);
}

/* As it is in the steps of answers: `data` is JSON text. Names of columns may
 * make it much larger than the cells; then the first rows are kept. */
static struct str card_result(struct arena *arena, const struct query_tool *q)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, arena);
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_array(&w, "columns");
    for (int i = 0; i < q->n_columns; i++)
        json_put_str(&w, q->columns[i].name);
    json_put_array_end(&w);
    json_field_array(&w, "columnTypes");
    for (int i = 0; i < q->n_columns; i++)
        json_put_str(&w, q->columns[i].type);
    json_put_array_end(&w);
    json_field_str(&w, "data",
                   q->json.len <= CARD_JSON_BYTES ? q->json : q->json_first);
    json_field_int(&w, "rowCount", q->n_rows);
    json_field_bool(&w, "truncated", q->more_rows);
    json_put_object_end(&w);
    return buf_finish(&out);
}

static struct next card_rows_read(struct flow *f)
{
    struct board_lane *lane = locals(f, struct board_lane);
    if (lane->query.failed)
        return store_card(f, lane->query.error);
    lane->outcome.result = card_result(&lane->memory, &lane->query);
    return store_card(f, STR(""));
}
