/* analysis.h - a question of a chat, fully thought through. */
#pragma once
#include "analyst/analyst.h"
#include "bind/query.h"

enum analysis_kind { ANALYSIS_DATA, ANALYSIS_TALK, ANALYSIS_REFUSED };

enum talk_kind {
    TALK_NONE,
    TALK_GREETING,
    TALK_THANKS,
    TALK_HELP,     /* what can you do? */
    TALK_DATASETS, /* what data is there? */
    TALK_METRICS,
    TALK_DATASET, /* what is in orders? */
    TALK_MEANING, /* how is revenue computed? */
    TALK_LAST     /* explain your last answer */
};

struct analysis {
    enum analysis_kind kind;
    enum talk_kind talk;
    struct term topic; /* of TALK_DATASET and TALK_MEANING */
    struct lexicon lexicon;
    struct bound_query *query; /* of ANALYSIS_DATA; for a why, that of step 1 */
    struct why *why;           /* NULL unless it is one */
    struct bound_query *earlier; /* the last one understood before, or NULL */
    struct str problem;          /* of ANALYSIS_REFUSED: one sentence */
    const struct clarification
        *ask; /* of it, when an answer would help; or NULL */
    struct str_list unknown;
    bool followed; /* leant on the one before */
};

void analysis_make(struct arena *arena, const struct analyst_context *context,
                   struct analysis *analysis);

/* The same with what was made of the model before. */
void analysis_make_with(struct arena *arena,
                        const struct analyst_context *context,
                        const struct lexicon *lexicon,
                        struct analysis *analysis);

/* talk.c */
enum talk_kind talk_kind_of(const struct lexicon *lexicon,
                            const struct question_words *words,
                            struct term *topic);
struct str talk_answer(struct arena *arena,
                       const struct analyst_context *context,
                       const struct analysis *analysis);

/* describe.c: the question as it was understood, in words. */
struct str query_words(const struct bound_query *query);
struct str measures_words(const struct bound_query *query);
struct str dimension_words(const struct bound_query *query, size_t dimension);
struct str window_words(const struct bound_query *query); /* empty: none */
struct str condition_words(const struct bound_query *query, size_t condition);
struct str grain_words(const struct bound_query *query);
/* What a top n is told for each of: "region and year". */
struct str groups_words(const struct bound_query *query);
/* Names of the datasets read, in the model's order. */
struct str_list query_datasets(struct bound_query *query);

/* Which steps the plan has, by id; 0: not there. */
struct step_ids {
    int64_t answer, total, lookup, ties, chart;
};
struct step_ids step_ids_of(struct bound_query *query);
