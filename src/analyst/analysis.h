/* analysis.h - a question of a chat, understood as far as it goes: figures to
 * compute, talk, or a refusal with its reason. */
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
    struct arena *arena;
    const struct analyst_context *context;
    struct lexicon lexicon;
    enum analysis_kind kind;
    enum talk_kind talk;
    struct term topic;           /* of TALK_DATASET and TALK_MEANING */
    struct bound_query *query;   /* of ANALYSIS_DATA; of a why: of its step 1 */
    struct why *why;             /* NULL: the question does not ask why */
    struct bound_query *earlier; /* the last earlier question understood, or
                                    NULL */
    struct str problem;          /* of ANALYSIS_REFUSED: one sentence */
    const struct clarification
        *ask; /* of ANALYSIS_REFUSED: what to ask back, or
                                        NULL */
    const struct clarification_reply *reply; /* private: while a text is read */
};

/* Understands context->question after the earlier ones. */
void analysis_make(struct arena *arena, const struct analyst_context *context,
                   struct analysis *analysis);
/* The same with a lexicon of the context's ontology, for many questions in a
 * row. */
void analysis_make_with(struct arena *arena,
                        const struct analyst_context *context,
                        const struct lexicon *lexicon,
                        struct analysis *analysis);

/* nearest.c: the question nearest to a refused one that can be answered; empty:
 * none was found. */
struct str analysis_nearest(const struct analysis *analysis,
                            struct str *left_out);

/* tell/talk.c: whether the words are talk, and about which dataset or metric. */
enum talk_kind talk_kind_of(const struct lexicon *lexicon,
                            const struct question_words *words,
                            struct term *topic);
/* The reply to ANALYSIS_TALK, in Markdown. */
struct str talk_answer(const struct analysis *analysis);

/* tell/describe.c: the bound question in words. */
struct str query_words(const struct bound_query *query);
struct str measures_words(const struct bound_query *query);
/* "Highest" or "lowest", of days "latest" or "earliest". */
const char *rank_word(const struct bound_query *query);
/* What is ranked, in those words: "highest revenue", "earliest birth date". */
struct str ranked_words(const struct bound_query *query, struct str measure);
struct str dimension_words(const struct bound_query *query, size_t dimension);
struct str window_words(const struct bound_query *query); /* empty: none */
/* The same, with the days of a relative period by the calendar. */
struct str window_days(const struct bound_query *query);
struct str condition_words(const struct bound_query *query, size_t condition);
/* "one row for each city and year" */
struct str grain_words(const struct bound_query *query);
/* The dimensions within which a top n ranks: "region and year". */
struct str groups_words(const struct bound_query *query);
/* The text with a capital as its first letter (ASCII). */
struct str capitalized(struct arena *arena, struct str text);
/* The names of the datasets that the query reads, in the ontology's order. */
struct str_list query_datasets(struct bound_query *query);

/* tell/plan.c: the ids of the plan's steps; 0: the plan has no such step. */
struct step_ids {
    int64_t answer, total, keys, lookup, ties, chart, periods, absent, over;
};
struct step_ids step_ids_of(struct bound_query *query);
