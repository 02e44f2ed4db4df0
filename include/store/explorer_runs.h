/* explorer_runs.h - explorations in browsers, as processes that do not run them
 * see them: that one is under way, and parts of its stream.
 *
 *   part   frames of the stream, sealed; the process of the run writes parts
 *          while a reader at another process wants them (NOTICE_READ)
 *
 * Rows that were left behind expire, and later explorations delete them. */
#pragma once
#include "db/query.h"
#include "store/store.h"

/* Lists a run for `for_ms`. */
struct explorer_listing {
    struct store *store;
    struct str run_id, user_id, chat_id;
    unsigned for_ms;
    struct query *query; /* out: a row for each earlier run of the chat, which
                            is listed no more; see explorer_earlier */
};
/* A subflow. Fails as queries do. */
struct next explorer_list_begin(struct flow *f);
/* The id of an earlier run of the chat; until the next step. */
struct str explorer_earlier(const struct explorer_listing *l, int row);

/* The run of the user with that id, or in the chat of that name. */
struct explorer_search {
    struct store *store;
    struct str user_id, id;
    struct str run_id;   /* out, in the flow's memory; empty: none is listed */
    struct query *query; /* private */
};
/* A subflow. Fails as queries do. */
struct next explorer_search_begin(struct flow *f);

/* The run is listed no more. */
struct explorer_unlisting {
    struct store *store;
    struct str run_id;
};
/* A subflow. Fails as queries do. */
struct next explorer_unlist_begin(struct flow *f);

/* Writes a part. The first one, 0, replaces all that there are. */
struct explorer_part {
    struct store *store;
    struct str run_id;
    int number;
    struct str frames;
    bool is_last;
};
/* A subflow. Fails as queries do. */
struct next explorer_part_put_begin(struct flow *f);

/* Deletes all parts of a run. */
struct explorer_parts_removal {
    struct store *store;
    struct str run_id;
};
/* A subflow. Fails as queries do. */
struct next explorer_parts_remove_begin(struct flow *f);

/* Reads the part with that number. */
struct explorer_part_read {
    struct store *store;
    struct str run_id;
    int number;
    struct arena *memory; /* of the frames */
    /* Out */
    bool found, is_last;
    struct str frames;
    struct query *query; /* private */
};
/* A subflow. Fails as queries do. */
struct next explorer_part_read_begin(struct flow *f);
