/* rules.h - mistakes in a query that its text, the types and the semantic model
 * show before it runs.
 *
 * rules.def is the list; docs/rules.md explains it to people. A rule of which
 * the words of the question decide names in its finding what these must ask
 * (enum asked_for). */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>

struct query_rule {
    const char *id;
    bool grave;           /* the result is wrong; else it may be */
    const char *sentence; /* what is wrong, as a general rule */
    const char *remedy;   /* what to write instead */
};

enum { QUERY_RULES = 16 };
/* All rules, in the order of rules.def; *n is their number, QUERY_RULES. */
const struct query_rule *query_rules(size_t *n);

/* The rule of that id, or NULL. */
const struct query_rule *query_rule_named(struct str id);

/* What a question must ask for a finding to be a mistake. */
enum asked_for {
    ASKS_ANYTHING,
    ASKS_MOST,     /* the highest of this, and not the lowest as well */
    ASKS_LEAST,    /* the lowest of this, and not the highest as well */
    ASKS_LATEST,   /* the most recent by this column */
    ASKS_EARLIEST, /* the oldest by this column */
    ASKS_COUNT_OF, /* how many of these: names, separated by '|' */
    ASKS_WITHIN,   /* a share within a part of the whole */
    ASKS_OVERALL,  /* a share of the whole */
    ASKS_SHARE_OF, /* a share of what this word restricts: "of online sales" */
    ASKS_SHARE_IN, /* a share within each of these, and not of those after '>' */
    ASKS_THINGS,   /* about these, and not about their names */
    ASKS_BELOW,    /* those under one, and none above */
    ASKS_ABOVE,    /* those above one, and none under */
    ASKS_WITHOUT,  /* none of these words, separated by '|' */
};

/* Does the question ask for this? `of` is as in struct query_finding. At most
 * the first ASKS_WORDS words of the question are read. */
enum { ASKS_WORDS = 400 };
bool question_asks(struct arena *arena, struct str question,
                   enum asked_for asked, struct str of);
