/* shares.h - chats that whoever has a link may read.
 *
 * A link is a token of 256 random bits; only its SHA-256 is kept, so that it is
 * told once, when it is made. It shows the branch that ended in the chat's latest
 * message at that time: what is asked later is not in it. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

/* Makes the link, or another one in the place of the one there was. */
struct share_make {
    struct store *store;
    struct str user_id, chat_id, request_id;
    struct str expires_at; /* RFC 3339; empty: never */
    bool include_sql;      /* SQL and rows are shown too */
    /* Out */
    bool found; /* the chat */
    bool made;  /* it has messages */
    struct str token;
    struct query *query; /* a row for share_write, kept */
};
struct next share_make_begin(struct flow *f);

struct share_read {
    struct store *store;
    struct str user_id, chat_id;
    bool found; /* out: a share of a chat of that user */
    struct query *query;
};
struct next share_read_begin(struct flow *f);
/* createdAt, expiresAt, includeSql of a made or read share. */
void share_write(struct json_writer *w, const struct query *q);

struct share_end {
    struct store *store;
    struct str user_id, chat_id, request_id;
    bool found; /* out */
    struct query *query;
};
struct next share_end_begin(struct flow *f);

/* What the link shows to anybody. Not found: no such token, or it is over, its
 * chat removed, its user disabled. */
struct share_open {
    struct store *store;
    struct str token;
    /* Out */
    bool found;
    struct query *query;
};
struct next share_open_begin(struct flow *f);
/* The members of the object: name, times, messages. */
void share_open_write(struct json_writer *w, const struct query *q);

struct share_chart {
    struct store *store;
    struct str token, message_id;
    int n;
    /* Out: ptr NULL: there is none */
    struct str media_type, bytes;
    struct query *query;
};
struct next share_chart_begin(struct flow *f);
