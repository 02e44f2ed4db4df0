/* found.h - what an exploration has found so far, and its result as JSON. */
#pragma once
#include "base/err.h"
#include "base/json.h"
#include "tools.h"

enum {
    FOUND_QUERIES = 60,
    FOUND_CHARTS = 20,
    FOUND_INSIGHTS = 20,
    FOUND_BYTES = 512 * 1024, /* of the queries with their rows; beyond that
                                 without rows. The same of the charts */
};

/* Zeroed but for the memory: nothing was found. Each list is in the order of
 * the calls, however late a call is over. */
struct explorer_found {
    struct arena *memory;              /* of all texts; outlives this */
    struct str queries[FOUND_QUERIES]; /* JSON objects */
    struct str charts[FOUND_CHARTS];   /* likewise */
    struct str insights[FOUND_INSIGHTS];
    /* Of their calls; 0 for what was kept before this process had the run. */
    unsigned query_places[FOUND_QUERIES], chart_places[FOUND_CHARTS],
        insight_places[FOUND_INSIGHTS];
    size_t n_queries, n_charts, n_insights;
    size_t query_bytes, chart_bytes;
};

/* Keeps what a concluded call leaves; `id` is the call's, and of its chart;
 * `place` is its number among the calls of the exploration. What is beyond the
 * limits is dropped. Copies. */
void found_add(struct explorer_found *found, const struct explorer_call *call,
               struct str id, unsigned place);
/* Keeps the list items of the summary as insights. Copies. */
void found_add_items(struct explorer_found *found, struct str summary);

struct exploration_end {
    enum err error;        /* OK: complete */
    struct str error_text; /* its sentence */
    struct str summary;
    int steps;
    int64_t tokens, duration_ms;
};
/* Writes the result: the object of docs/notes/2026-11-23-explorer.md, 3. */
void explorer_put_result(struct json_writer *w,
                         const struct explorer_found *found,
                         const struct exploration_end *end);
