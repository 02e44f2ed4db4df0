/* analysis_cache.c - a ring of the latest analyses. Each entry has an arena of
 * its own, so that the oldest one can be freed alone. */
#include "ontology/analysis_cache.h"
#include "base/mem.h"
#include "base/banned.h"

struct judgement {
    struct arena arena; /* holds all of it */
    struct str sql;
    struct query_findings findings;
    struct query_outline outline;
};

static void copy_analysis(struct arena *arena,
                          const struct query_findings *from,
                          const struct query_outline *from_outline,
                          struct query_findings *findings,
                          struct query_outline *outline)
{
    *findings = *from;
    findings->items = arena_new_array(arena, struct query_finding, from->n + 1);
    for (size_t i = 0; i < from->n; i++) {
        findings->items[i] = from->items[i];
        findings->items[i].message = arena_str(arena, from->items[i].message);
        findings->items[i].asked_of = arena_str(arena, from->items[i].asked_of);
    }
    *outline = *from_outline;
    outline->outputs = arena_new_array(arena, struct outline_output,
                                       from_outline->n_outputs + 1);
    for (size_t i = 0; i < from_outline->n_outputs; i++) {
        outline->outputs[i] = from_outline->outputs[i];
        outline->outputs[i].name =
            arena_str(arena, from_outline->outputs[i].name);
    }
    outline->joins = arena_new_array(arena, size_t, from_outline->n_joins + 1);
    for (size_t i = 0; i < from_outline->n_joins; i++)
        outline->joins[i] = from_outline->joins[i];
}

static const struct judgement *cache_find(const struct analysis_cache *known,
                                          struct str sql)
{
    for (size_t i = 0; i < ANALYSIS_CACHE_SIZE && known->held[i]; i++)
        if (str_eq(known->held[i]->sql, sql))
            return known->held[i];
    return NULL;
}

static void cache_drop(struct analysis_cache *known, struct judgement **place)
{
    if (!*place)
        return;
    known->bytes -= (*place)->arena.total;
    arena_done(&(*place)->arena);
    mem_free(*place);
    *place = NULL;
}

static void cache_put(struct analysis_cache *known, struct str sql,
                      const struct query_findings *findings,
                      const struct query_outline *outline)
{
    struct judgement *j = mem_new(struct judgement);
    arena_init(&j->arena, 0);
    j->sql = arena_str(&j->arena, sql);
    copy_analysis(&j->arena, findings, outline, &j->findings, &j->outline);
    if (j->arena.total > ANALYSIS_MOST) {
        arena_done(&j->arena);
        mem_free(j);
        return;
    }
    struct judgement **place = &known->held[known->n++ % ANALYSIS_CACHE_SIZE];
    cache_drop(known, place);
    *place = j;
    known->bytes += j->arena.total;
}

void analysis_cache_get(struct analysis_cache *known, struct arena *arena,
                        const struct ontology *o, struct str sql,
                        struct query_findings *findings,
                        struct query_outline *out)
{
    const struct judgement *j = known ? cache_find(known, sql) : NULL;
    if (j) {
        copy_analysis(arena, &j->findings, &j->outline, findings, out);
        return;
    }
    query_analyze(arena, o, sql, findings, out);
    if (known && sql.len <= ANALYSIS_TEXT_MOST)
        cache_put(known, sql, findings, out);
}

void analysis_cache_done(struct analysis_cache *known)
{
    for (size_t i = 0; i < ANALYSIS_CACHE_SIZE; i++)
        cache_drop(known, &known->held[i]);
}
