/* charts.h - images that Python code of a run drew.
 *
 * The commit that ends a run stores them in rows of their own. The metadata of
 * the message has empty lists in their place; a response with the whole message
 * puts the charts back. */
#pragma once
#include "base/buf.h"
#include "db/query.h"
#include "store/store.h"

/* "image/png" or "image/jpeg" when the text is base64 (RFC 4648, padded) of
 * what begins like one; else NULL. */
const char *chart_media_type(struct str base64);

/* Appends metadata with its charts to `out`: `charts` is a JSON array of
 * {"step": id, "data": base64}, in their order. Other text is appended as it
 * is. */
void charts_restore(struct buf *out, struct str metadata, struct str charts);

/* Reads one chart of a message of that user. */
struct chart_read {
    struct store *store;
    struct str user_id, message_id;
    int n; /* from 0 */
    /* Out: ptr is NULL when there is no such chart */
    struct str media_type, bytes;
    struct query *query; /* private */
};
struct next chart_read_begin(struct flow *f);
