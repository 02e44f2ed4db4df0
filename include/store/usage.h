/* usage.h - what users and chats have used: answers, tokens, and what they cost
 * (base/prices.h). It is counted when a run ends, and stays when a chat is
 * deleted. */
#pragma once
#include "db/query.h"
#include "store/store.h"

struct usage_read {
    struct store *store;
    struct str user_id;
    struct str chat_id; /* only this chat of the user; empty: all */
    bool everyone;      /* of all users, with a list of them */
    int days;           /* before today, and today (UTC); not for a chat */
    /* Out, in the query's memory */
    struct str json;     /* an object; of a chat: {answers, tokens, cost}, else
                        {days} or {days, users}; empty: no such chat */
    struct query *query; /* private */
};
/* A subflow. Fails as queries do. */
struct next usage_read_begin(struct flow *f);
