/* audit.h - audit events: who did what to which thing.
 *
 * They record changes of accounts and permissions, of system settings, and what
 * was deleted or shared. An event has no secret and no content, and is never
 * changed. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

/* For a statement that makes a change, so that change and event commit
 * together:
 *   "with gone as (update … returning id), noted as (" SQL_AUDIT
 *   " select $1::uuid, 'chat.deleted', 'chat', id::text, '{}', $2 from gone)"
 * Columns: actor, action, target's type, target, details (jsonb), request. */
#define SQL_AUDIT \
    "insert into audit_events (actor_id, action, target_type, target," \
    " details, request_id)"

/* Writes one event. */
struct audit_write {
    struct store *store;
    struct str actor_id;     /* empty: not a user */
    const char *action;      /* "login.failed" */
    const char *target_type; /* "user"; NULL: none */
    struct str target;       /* its id or name; may be empty */
    struct str details;      /* a JSON object; empty: {} */
    struct str request_id;
};
struct next audit_write_begin(struct flow *f);

/* A page of events, the newest first. */
struct audit_page {
    struct store *store;
    struct str action;   /* empty: all; "user.": all that start with it */
    struct str actor;    /* a user's id or address; empty: all */
    struct str from, to; /* RFC 3339; empty: no bound; `to` is exclusive */
    int page, page_size;
    struct query *query; /* rows; kept */
    int64_t total;
};
struct next audit_page_begin(struct flow *f);
/* Writes the members of an event's object. */
void audit_event_write(struct json_writer *w, const struct query *q, int row);
