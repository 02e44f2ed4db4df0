/* chart_row.h - charts in SQL: rows of message_charts, as `x`. */
#pragma once
#include "rows.h"

#define CHART_ROW(FIRST, X) \
    FIRST(text, media_type, "x.media_type") \
    X(text, base64, "base64(x.bytes)")
#define CHART_COLUMNS ROW_SQL(CHART_ROW)

/* The end of a step whose query selected CHART_COLUMNS: media type and bytes,
 * in the flow's keep. Changes nothing when there is no row. */
struct next chart_take(struct flow *f, const struct query *q,
                       struct str *media_type, struct str *bytes);

/* A JSON array of all charts of a message, as charts_restore takes it; NULL
 * when there is none. What follows is the message's id and a closing
 * parenthesis. */
#define SQL_CHARTS_OF \
    "(select json_agg(json_build_object('step', x.step_id," \
    "   'data', base64(x.bytes)) order by x.n)" \
    " from message_charts x where x.message_id = "
