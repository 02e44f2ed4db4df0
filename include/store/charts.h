/* charts.h - images that an answer's Python drew.
 *
 * They lie beside the message, written in the commit that ends its run. In the
 * stored metadata their places are empty lists; they are put back where a
 * message is told as a whole. */
#pragma once
#include "base/buf.h"
#include "db/query.h"
#include "store/store.h"

/* "image/png" or "image/jpeg" when the text is base64 (RFC 4648, padded) of what
 * begins like one; else NULL. */
const char *chart_media_type(struct str base64);

/* Metadata with its charts: `charts` is a JSON array of {"step": id, "data":
 * base64}, in their order. Text that is not such metadata is left as it is. */
void charts_put_back(struct buf *out, struct str metadata, struct str charts);

#define SQL_BASE64(bytes) "translate(encode(" bytes ", 'base64'), E'\\n', '')"
/* That array, in SQL, of the message whose id is given; null: none. */
#define SQL_CHARTS(message_id) \
    "(select json_agg(json_build_object('step', x.step_id, 'data'," \
    "   " SQL_BASE64( \
        "x.bytes") ") order by x.n)" \
                   "   from message_charts x where x.message_id = " message_id \
                   ")"

/* One image. */
struct chart_read {
    struct store *store;
    struct str user_id, message_id;
    int n; /* from 0 */
    /* Out: ptr NULL: there is none */
    struct str media_type, bytes;
    struct query *query;
};
struct next chart_read_begin(struct flow *f);
/* The end of a step whose query gave media type and SQL_BASE64, or no row. */
struct next chart_take(struct flow *f, const struct query *q,
                       struct str *media_type, struct str *bytes);
