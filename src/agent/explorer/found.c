/* found.c - what an exploration has found, and its result; see found.h. */
#include "found.h"
#include "base/scan.h"
#include "base/utf8.h"
#include <limits.h>
#include "base/banned.h"

enum { INSIGHT_BYTES = 1000 };

/* Before those of later calls. */
static void insert(struct str *texts, unsigned *places, size_t *n,
                   unsigned place, struct str text)
{
    size_t at = (*n)++;
    for (; at > 0 && places[at - 1] > place; at--) {
        texts[at] = texts[at - 1];
        places[at] = places[at - 1];
    }
    texts[at] = text;
    places[at] = place;
}

/* ---- queries and charts ------------------------------------------------- */

/* The query without its rows. */
static struct str without_rows(struct arena *a, struct str kept)
{
    struct buf out;
    struct json_writer w;
    struct str query = scan_get(kept, "query");
    struct str reason = scan_get(kept, "reason");
    buf_init(&out, a);
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_raw(&w, "query", query.len ? query : STR("\"\""));
    json_field_raw(&w, "reason", reason.len ? reason : STR("\"\""));
    json_field_raw(&w, "result", STR("{\"columns\":[],\"rows\":[]}"));
    json_put_object_end(&w);
    return buf_finish(&out);
}

static void add_query(struct explorer_found *x, struct str kept, unsigned place)
{
    if (x->n_queries == FOUND_QUERIES)
        return;
    if (x->query_bytes + kept.len > FOUND_BYTES)
        kept = without_rows(x->memory, kept);
    else
        kept = arena_str(x->memory, kept);
    x->query_bytes += kept.len;
    insert(x->queries, x->query_places, &x->n_queries, place, kept);
}

/* A chart gets the id of its call as its first member. */
static void add_chart(struct explorer_found *x, struct str kept, struct str id,
                      unsigned place)
{
    if (x->n_charts == FOUND_CHARTS || kept.len < 2 ||
        x->chart_bytes + kept.len > FOUND_BYTES)
        return;
    x->chart_bytes += kept.len;
    insert(x->charts, x->chart_places, &x->n_charts, place,
           arena_printf(x->memory, "{\"id\":\"%.*s\"%s%.*s", STR_ARG(id),
                        kept.len > 2 ? "," : "", STR_ARG(str_from(kept, 1))));
}

static void add_insight(struct explorer_found *x, struct str text,
                        unsigned place)
{
    text = utf8_cut(str_trim(text), INSIGHT_BYTES);
    if (!text.len || x->n_insights == FOUND_INSIGHTS)
        return;
    for (size_t i = 0; i < x->n_insights; i++)
        if (str_eq(x->insights[i], text))
            return;
    insert(x->insights, x->insight_places, &x->n_insights, place,
           arena_str(x->memory, text));
}

void found_add(struct explorer_found *x, const struct explorer_call *call,
               struct str id, unsigned place)
{
    if (call->query_kept.len)
        add_query(x, call->query_kept, place);
    if (call->chart_kept.len)
        add_chart(x, call->chart_kept, id, place);
    add_insight(x, call->insight, place);
}

/* ---- the items of a summary --------------------------------------------- */

/* The text after "- ", "* " or "1. "; empty: the line is no item. */
static struct str item_of(struct str line)
{
    size_t digits = 0;
    line = str_trim(line);
    if (str_starts(line, STR("- ")) || str_starts(line, STR("* ")))
        return str_from(line, 2);
    while (digits < line.len && line.ptr[digits] >= '0' &&
           line.ptr[digits] <= '9')
        digits++;
    struct str rest = str_from(line, digits);
    bool item = digits > 0 && digits < 3 &&
                (str_starts(rest, STR(". ")) || str_starts(rest, STR(") ")));
    return item ? str_from(rest, 2) : STR("");
}

void found_add_items(struct explorer_found *x, struct str summary)
{
    struct str line;
    while (str_split(&summary, '\n', &line))
        add_insight(x, item_of(line), UINT_MAX);
}

/* ---- the result --------------------------------------------------------- */

static void put_list(struct json_writer *w, const char *key,
                     const struct str *items, size_t n)
{
    json_field_array(w, key);
    for (size_t i = 0; i < n; i++)
        json_put_raw(w, items[i]);
    json_put_array_end(w);
}

static void put_insights(struct json_writer *w, const struct explorer_found *x)
{
    json_field_array(w, "insights");
    for (size_t i = 0; i < x->n_insights; i++)
        json_put_str(w, x->insights[i]);
    json_put_array_end(w);
}

void explorer_put_result(struct json_writer *w, const struct explorer_found *x,
                         const struct exploration_end *end)
{
    json_put_object(w);
    json_field_text(w, "status",
                    end->error == OK ? "exploration_complete" : "error");
    json_field_str(w, "summary", end->summary);
    put_insights(w, x);
    put_list(w, "executedQueries", x->queries, x->n_queries);
    put_list(w, "charts", x->charts, x->n_charts);
    json_field_object(w, "metadata");
    json_field_int(w, "stepCount", end->steps);
    json_field_int(w, "tokensUsed", end->tokens);
    json_field_int(w, "durationMs", end->duration_ms);
    json_put_object_end(w);
    if (end->error != OK) {
        json_field_object(w, "error");
        json_field_text(w, "code", err_code(end->error));
        json_field_str(w, "message", end->error_text);
        json_put_object_end(w);
    }
    json_put_object_end(w);
}
