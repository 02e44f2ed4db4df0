/* charts.c - charts of answers: recognized, put back into metadata, read. */
#include "store/charts.h"
#include "base/crypto.h"
#include "base/json.h"
#include "chart_row.h"
#include <string.h>
#include "base/banned.h"

static step_fn chart_read;

/* ---- what is a chart ---------------------------------------------------- */

static bool is_base64(struct str s)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz0123456789+/";
    static bool known[256];
    if (!known['A'])
        for (const char *c = letters; *c; c++)
            known[(unsigned char)*c] = true;
    size_t n = s.len;
    if (n % 4)
        return false;
    for (int i = 0; i < 2 && n && s.ptr[n - 1] == '='; i++)
        n--;
    for (size_t i = 0; i < n; i++)
        if (!known[(unsigned char)s.ptr[i]])
            return false;
    return true;
}

/* The file signatures in base64, cut to whole groups of three bytes. */
const char *chart_media_type(struct str base64)
{
    const char *type = NULL;
    if (str_starts(base64, STR("iVBORw0KGgo")))
        type = "image/png";
    else if (str_starts(base64, STR("/9j/")))
        type = "image/jpeg";
    return type && is_base64(base64) ? type : NULL;
}

/* ---- back into metadata
 * ----------------------------------------------------------- */

static void append_chart(json_t *list, const json_t *chart)
{
    json_array_append(list, json_object_get(chart, "data"));
}

static void put_into_step(json_t *metadata, const json_t *chart)
{
    json_t *results = json_object_get(metadata, "stepResults"), *result;
    size_t i;
    json_array_foreach(results, i,
                       result) if (json_get_int(result, "stepId", -1) ==
                                   json_get_int(chart, "step", -2))
        append_chart(
            json_object_get(json_object_get(result, "pythonResult"), "charts"),
            chart);
}

void charts_restore(struct buf *out, struct str metadata, struct str charts)
{
    json_t *list = charts.len ? json_read(charts, NULL) : NULL;
    json_t *v = list ? json_read(metadata, NULL) : NULL, *chart;
    size_t i;
    if (!json_is_object(v)) {
        buf_str(out, metadata);
    } else {
        json_array_foreach(list, i, chart)
        {
            put_into_step(v, chart);
            append_chart(json_object_get(json_object_get(v, "explainerOutput"),
                                         "charts"),
                         chart);
        }
        json_print_into(out, v);
    }
    json_decref(v);
    json_decref(list);
}

/* ---- one chart ---------------------------------------------------------- */

ROW_STRUCT(chart_row, CHART_ROW);

struct next chart_take(struct flow *f, const struct query *q,
                       struct str *media_type, struct str *bytes)
{
    if (q->n_rows == 0)
        return back(f);
    struct chart_row row = chart_row_at(q, 0);
    *media_type = arena_str(flow_keep(f), row.media_type);
    if (!base64_decode(flow_keep(f), row.base64, bytes))
        return fail(f, ERR_INTERNAL);
    return back(f);
}

static const struct statement chart_statement = {
    .name = "charts.one",
    .again = true,
    .sql = "select " CHART_COLUMNS " from message_charts x"
           " join data_chat_messages m on m.id = x.message_id"
           " join data_chats c on c.id = m.chat_id"
           " where x.message_id = $2::uuid and x.n = $3::int"
           "   and c.owner_id = $1::uuid and c.deleted_at is null",
};

struct next chart_read_begin(struct flow *f)
{
    struct chart_read *r = locals(f, struct chart_read);
    struct query *q = r->query =
        query_new(f, r->store->system, &chart_statement);
    query_str(f, q, r->user_id);
    query_str(f, q, r->message_id);
    query_int(f, q, r->n);
    query_begin(f, q);
    return await(f, chart_read);
}

static struct next chart_read(struct flow *f)
{
    struct chart_read *r = locals(f, struct chart_read);
    return chart_take(f, r->query, &r->media_type, &r->bytes);
}
