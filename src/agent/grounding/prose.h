/* prose.h - what words of English say in a sentence about results. */
#pragma once
#include "base/str.h"
#include <stdint.h>

enum prose_role {
    /* Frequent words of English, and of other languages: they tell which one a
     * text is in. */
    PROSE_FUNCTION = 1 << 0,
    PROSE_FOREIGN = 1 << 1,
    /* It may begin with a capital and is no name. */
    PROSE_COMMON = 1 << 2,
    /* A word before it, at the start of a sentence, is a name if it is not
     * known. */
    PROSE_NAME_VERB = 1 << 3,
    /* A figure after it need not be of the row that was named. */
    PROSE_RELEASE = 1 << 4,
    /* Of changes over time, and of differences: only with one of them is a
     * figure the difference or the ratio of two cells. */
    PROSE_CHANGE = 1 << 5,
    PROSE_DIFFERENCE = 1 << 6,
    /* The figure is a part of everything; what is left of everything. */
    PROSE_WHOLE = 1 << 7,
    PROSE_REST = 1 << 8,
    /* It makes a positive figure one of a negative cell. */
    PROSE_LOSS = 1 << 9,
    /* The figure may be one column divided by another. */
    PROSE_RATIO = 1 << 10,
    /* The sentence says that there are more rows. */
    PROSE_CUT = 1 << 11,
    /* Before a number of rows in an order, and for rows that are added up. */
    PROSE_RANK = 1 << 12,
    PROSE_SUM = 1 << 13,
    /* Before a figure that limits what was asked, and after a span of time. */
    PROSE_LIMIT = 1 << 14,
    PROSE_TIME_UNIT = 1 << 15,
    /* What a text counts of itself: "three points". */
    PROSE_THING = 1 << 16,
    /* A sentence with it tells no finding: it says what is not possible, or what
     * might be asked. */
    PROSE_EXCUSE = 1 << 17,
    PROSE_FINDING = 1 << 18,
    /* Comparisons with all rows, over time, and of two. */
    PROSE_HIGH = 1 << 19,
    PROSE_LOW = 1 << 20,
    PROSE_EXTREME = 1 << 21,
    PROSE_UP = 1 << 22,
    PROSE_DOWN = 1 << 23,
    PROSE_MORE = 1 << 24,
    PROSE_LESS = 1 << 25,
    /* It makes a comparison no statement: "not", "would". */
    PROSE_NEGATION = 1 << 26,
    /* The statement is not about all rows as a whole: "each", "only". */
    PROSE_SOME = 1 << 27,
    /* A range, an order, or a number of rows may begin with it. */
    PROSE_RANGE = 1 << 28,
    PROSE_ORDER = 1 << 29,
    PROSE_COUNT = 1 << 30,
};

/* The roles of a word in lower case, as bits. */
uint32_t prose_of(struct str word);
/* Whether the word has one of the roles. */
bool prose_says(struct str word, uint32_t roles);
