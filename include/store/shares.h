/* shares.h - public links to chats.
 *
 * A link has a token of 256 random bits. Only its SHA-256 is stored, so the
 * token is shown once, when it is made. The link shows the branch that ended in
 * the chat's latest message at that time; later messages are not in it. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

/* Makes a link, which replaces an earlier one. */
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

/* Reads the link of a chat. */
struct share_read {
    struct store *store;
    struct str user_id, chat_id;
    bool chat_found, found; /* out: a chat of that user; a share of it */
    struct query *query;
};
struct next share_read_begin(struct flow *f);
/* Writes createdAt, expiresAt and includeSql of a made or read share. */
void share_write(struct json_writer *w, const struct query *q);

/* Deletes the link of a chat. */
struct share_end {
    struct store *store;
    struct str user_id, chat_id, request_id;
    bool found; /* out */
    struct query *query;
};
struct next share_end_begin(struct flow *f);

/* Reads what a link shows. Not found: an unknown or expired token, a hidden
 * chat, or a disabled owner. */
struct share_open {
    struct store *store;
    struct str token;
    /* Out */
    bool found;
    struct query *query;
};
struct next share_open_begin(struct flow *f);
/* Writes the members of the object: name, times, messages. */
void share_open_write(struct json_writer *w, const struct query *q);

/* Reads a chart that a link shows. */
struct share_chart {
    struct store *store;
    struct str token, message_id;
    int n;
    /* Out: ptr is NULL when there is no such chart */
    struct str media_type, bytes;
    struct query *query;
};
struct next share_chart_begin(struct flow *f);
