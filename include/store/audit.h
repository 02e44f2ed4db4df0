/* audit.h - what was done with access and with what others rely on.
 *
 * An event names who did what to which thing: who may come in, who may do what,
 * settings of the system, what was deleted or shared. It holds no secret and no
 * content. Events are never changed. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

/* For a statement that changes something, so that both happen or none:
 *   "with gone as (update … returning id), noted as (" SQL_AUDIT
 *   " select $1::uuid, 'chat.deleted', 'chat', id::text, '{}', $2 from gone)"
 * Columns: actor, action, target's type, target, details (jsonb), request. */
#define SQL_AUDIT \
    "insert into audit_events (actor_id, action, target_type, target, details," \
    " request_id)"

/* What has become visible to all, or to its owner alone again: `from` has the row
 * as it is with its `was`, the visibility before. */
#define SQL_AUDIT_SHARED(kind, actor, request, from) \
    SQL_AUDIT " select " actor ", '" kind ".' || case visibility" \
              "   when 'shared' then 'shared' else 'unshared' end, '" kind \
              "'," \
              "   id::text, jsonb_build_object('name', name), " request \
              " from " from " where visibility <> was"

/* One event on its own. */
struct audit_write {
    struct store *store;
    struct str actor_id; /* empty: nobody with an account */
    const char *action;  /* "login.failed": the thing, a dot, what happened */
    const char *target_type; /* "user"; NULL: none */
    struct str target;       /* its id or name; may be empty */
    struct str details;      /* a JSON object; empty: {} */
    struct str request_id;
    struct query *query; /* private */
};
struct next audit_write_begin(struct flow *f);

/* A page, the newest first. */
struct audit_page {
    struct store *store;
    struct str action;   /* empty: all; "user." means all that begin so */
    struct str actor;    /* a user's id or address; empty: all */
    struct str from, to; /* RFC 3339; empty: no bound; `to` is exclusive */
    int page, page_size;
    struct query *query; /* rows; kept */
    int64_t total;
};
struct next audit_page_begin(struct flow *f);
/* The members of one event's object. */
void audit_event_write(struct json_writer *w, const struct query *q, int row);
