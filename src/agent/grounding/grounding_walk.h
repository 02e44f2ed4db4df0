/* grounding_walk.h - one walk over the sentences of a narrative. */
#pragma once
#include "compare.h"
#include "emphasis.h"
#include "grounding.h"

enum { MENTIONS_MOST = SUBJECTS_MOST };

/* What the words of a sentence say about all of its figures. */
struct sentence_tone {
    bool weekdays, average, signs, negative, ratio, shown, ranked, changes,
        differs, of_whole, rest, denied, of_those, target, combined, adds_up,
        present, losers, winners, rises, falls; /* see struct grounding_scope */
    bool **concerned;                           /* likewise */
    size_t window;                              /* see struct grounding_scope */
    size_t released; /* where the first word is that releases */
    size_t listed;
    struct scope_rows *all, *flagged, *unflagged; /* see grounding_scope */
    struct scope_rows *of[MENTIONS_MOST]; /* of each table; NULL: a period */
};

enum walk_stage {
    WALK_TEXT,      /* the text is to be split */
    WALK_LANGUAGE,  /* its words are being counted */
    WALK_SEEK,      /* its figures are being found */
    WALK_FACTS,     /* the results are being indexed */
    WALK_SENTENCES, /* a sentence is to begin */
    WALK_FIGURES,   /* of the sentence */
    WALK_WORDS,     /* its names and comparisons */
    WALK_OVER
};

struct grounding_walk {
    struct arena *arena;
    struct facts facts;
    struct wording wording;
    struct fact_figures figures;
    size_t read; /* words, then bytes, of the text */
    struct language_count {
        size_t common, foreign, n;
    } language;
    bool english;
    struct grounding *out;
    enum walk_stage stage;
    struct str text;
    struct emphasis emphasis;        /* the text without marks, which is read */
    struct arena_mark mark;          /* before the sentence */
    size_t sentence, figure, claims; /* at the start of the sentence: the next
                                      * of each */
    size_t next_figure;              /* of the sentence */
    struct compare_walk compare;
    struct grounding_sentence now;
    struct sentence_tone tone;
    struct row_mention mentions[MENTIONS_MOST], subjects[MENTIONS_MOST];
};

/* The words of the sentence that is being read. */
const struct wording_word *walk_words(const struct grounding_walk *w);
/* Whether one of them has one of the roles. */
bool walk_says(const struct grounding_walk *w, uint32_t roles);
/* Whether it has a word of the list. */
bool walk_has(const struct grounding_walk *w, const char *list);
/* Whether a part of the text is inside a text of rows that is named. */
bool walk_in_mention(const struct grounding_walk *w, size_t from, size_t to);
/* The word before (step -1) or after (step 1) a place; empty: none. */
struct str walk_word_beside(const struct grounding_walk *w, size_t place,
                            int step);
/* The name of the column of a table's row that the place is in; empty: the
 * sentence is no row. */
struct str walk_name_above(const struct grounding_walk *w, size_t place);
/* Finds what the sentence names: the texts and the periods of rows, in its order. */
void walk_find_mentions(struct grounding_walk *w);
/* Whether a word of the sentence that is no part of a text of rows has one of the
 * roles. */
bool walk_tone_says(const struct grounding_walk *w, uint32_t roles);
/* Whether the sentence names two texts of a column, or two periods. */
bool walk_compares(const struct grounding_walk *w);
/* Finds the rows of the mentions, and of all of them together. */
void walk_tone_rows(struct grounding_walk *w);
/* Prepares walk_scope for the sentence and its mentions. */
void walk_tone(struct grounding_walk *w);
/* Whether the rows of one of several texts or periods that the figure may be of
 * show it: "Q2 was ahead of Q1: 1,409 and 1,255". */
bool walk_shows_one(struct grounding_walk *w, size_t figure);
/* Whether the rows of its text and of one of another column that was named before
 * show the figure: "truck trips rose at the Quay by 5 and in the Valley by 2". */
bool walk_shows_carried(struct grounding_walk *w, size_t figure);
/* Whether the rows of all texts of one column that follow the figure, up to the next one,
 * show it together: "the 29 people added in Sales and Finance". */
bool walk_shows_group(struct grounding_walk *w, size_t figure);
/* Whether the figure is of two texts together that no row has both: "Hydro made
 * 5 on the Coast", where no hydro is. */
bool walk_names_no_row(struct grounding_walk *w, size_t figure);
/* "Q2", of `q2_sales`: the time of a column, and not of rows. */
bool walk_is_of_column(const struct grounding_walk *w,
                       const struct figure *period);
/* Whether some row is of the period. */
bool walk_has_rows_of(struct grounding_walk *w, const struct figure *period);
/* Whether two figures in brackets after the figure compare: "twice as much (8 vs.
 * 4)". */
bool walk_compares_pair(const struct grounding_walk *w, size_t figure);
/* Describes what a figure of the sentence is about. */
void walk_scope(struct grounding_walk *w, size_t figure,
                struct grounding_scope *scope);
