/* boards.h - runs the queries of a board's cards again (store/boards.h).
 *
 * Each query passes the guard and the guardrails of its semantic model again,
 * and runs on the ontology's source like any query of an answer: read-only and
 * bounded. A card whose query fails keeps its rows, with the sentence of the
 * failure. */
#pragma once
#include "agent/agent.h"
#include "store/boards.h"

enum {
    BOARD_LANES = 3,         /* queries of one board at a time */
    CARD_ROWS_MOST = 1000,   /* that are stored */
    CARD_BYTES = 128 * 1024, /* of their cells */
    CARD_JSON_BYTES = 512 * 1024
};

/* A subflow; its locals are the struct, which lives as long as the flow. */
struct board_refresh {
    struct store *store;
    const struct agent_settings *settings;
    struct str user_id, board_id;
    struct str card_id; /* may be empty: all cards */
    bool all;           /* the user sees all ontologies */
    /* Only checks cards whose semantic model has changed. */
    bool only_check;
    /* private */
    struct card_sources cards;
    struct board_lane *lanes;
    size_t at; /* the next card */
    uint64_t began_ms;
};
struct next board_refresh_begin(struct flow *f);
