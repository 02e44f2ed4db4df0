/* boards.h - boards: pinned answers with their queries and latest rows.
 *
 *   board   cards in an order; it belongs to one user
 *   card    the question, query, chart and rows of a step of an answer. A card
 *           is stale when its query no longer fits the semantic model
 *   result  the rows, as they are in messages: columns, columnTypes, data (JSON
 *           text of an array of objects), rowCount, truncated */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

enum {
    BOARDS_MOST = 50, /* of one user */
    CARDS_MOST = 30,  /* of one board */
    BOARD_NAME_MOST = 200,
    CARD_TITLE_MOST = 500,
    CARD_WIDTH = 6,
    CARD_WIDTH_MOST = 12,
};

/* One statement about a board of the user. Each function says which of the
 * fields in the middle it reads. */
struct board_query {
    struct store *store;
    struct str user_id, board_id, request_id;

    struct str card_id, name, title, question, period, chart, cards;
    struct str message_id;
    int step_id, width, page, page_size;

    /* Out */
    bool found;     /* the board, or the card */
    bool room;      /* add, pin: there was room for one more */
    bool is_answer; /* pin: the answer is the user's and has that step */
    struct str id;  /* of what was made */
    int64_t total;
    struct query *query; /* rows for board_write or card_write, kept */
};

/* Subflows; their locals are a struct board_query. */

/* The user's boards, the one that changed last first: page, page_size. */
step_fn board_list_begin;
/* A board: board_id. */
step_fn board_read_begin;
/* Adds a board: name. */
step_fn board_add_begin;
/* Renames a board (`name`, unless it has no ptr) and arranges its cards
 * (`cards`: JSON [{"id","width"}] in their order, unless it has no ptr). */
step_fn board_change_begin;
step_fn board_remove_begin;

/* The cards of a board in their order, or the one of card_id. */
step_fn card_list_begin;
/* Pins a step of an answer: message_id, step_id, title, question, period, chart
 * (JSON, or empty), width. */
step_fn card_pin_begin;
/* Changes a card: title and width (0), unless they are empty; chart, unless it
 * has no ptr (JSON, "null" for none). */
step_fn card_change_begin;
step_fn card_remove_begin;

/* Write the members of an object. */
void board_write(struct json_writer *w, const struct query *q, int row);
void card_write(struct json_writer *w, const struct query *q, int row);

/* ---- running the queries again ------------------------------------------- */

/* What is needed to check or run the query of a card. */
struct card_source {
    struct str id, sql;
    struct str ontology_id; /* empty: it is gone, or the user may not see it */
    struct str connection_id, connection_changed_at, database, db_type;
    int version;         /* of the ontology */
    int checked_version; /* against which the query was checked */
};

/* Reads those of a board, or of one card. */
struct card_sources {
    struct store *store;
    struct str user_id, board_id;
    struct str card_id;        /* may be empty */
    bool all;                  /* the user sees all ontologies */
    struct card_source *items; /* out, kept */
    size_t n;
    struct query *query;
};
struct next card_sources_begin(struct flow *f);

/* Stores that a card was checked, and what became of a refresh. A version that
 * is older than the stored one changes nothing but the rows. */
struct card_outcome {
    struct store *store;
    struct str card_id;
    int checked_version; /* 0: it was not checked */
    struct str problem;  /* why it does not fit the model; empty: it does */
    bool ran;            /* it was refreshed: `error` or `result` counts */
    struct str error;    /* a sentence; empty: it succeeded */
    struct str result;   /* JSON */
};
struct next card_outcome_begin(struct flow *f);
