/* set.h - a set of questions and the expected answers.
 *
 * YAML:
 *   name: chinook
 *   ontology: chinook          # used when no --ontology is given
 *   questions:
 *     - id: top-artists
 *       question: Which five artists sold the most tracks?
 *       category: top-n
 *       ordered: true          # the order of rows matters
 *       sql: select …
 *       also: [select …]       # other results that are right as well
 *     - id: margins
 *       question: What is the margin of each album?
 *       asked: 2025-11-03      # the day on which "last month" was said
 *       category: unanswerable
 *       expect: refuse         # refuse, clarify, conversational
 *       why: there are prices, but no costs
 *
 * A set with golden queries (golden.h) says what results have instead.
 *
 * CSV: the first line has the same names, each further line one question. Every
 * column named `also` is one more accepted query. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include <stdbool.h>

enum eval_action { ACT_ANSWER, ACT_REFUSE, ACT_CLARIFY, ACT_TALK, ACT_FAIL };
/* "answer", "refuse", "clarify", "conversational", "fail" */
extern const char *const eval_actions[];

struct eval_question {
    struct str id, question, category, why;
    struct str asked; /* 2025-11-03; may be empty */
    struct str *sql;  /* gold first, then the others; none unless ACT_ANSWER */
    size_t n_sql;
    bool ordered;
    enum eval_action expect;
    const struct golden *golden; /* NULL: it is judged by its queries */
    int line;
};

struct eval_set {
    struct str name, ontology; /* may be empty */
    bool golden;               /* it has golden queries (golden.h) */
    struct str agent;          /* that answers them */
    struct eval_question *questions;
    size_t n;
};

enum { EVAL_MOST_QUESTIONS = 10000, EVAL_MOST_BYTES = 16 * 1024 * 1024 };

/* Parses a set; texts are copied into the arena. Returns false with a line for
 * each problem: "LINE: what is wrong". */
bool eval_set_read_yaml(struct arena *arena, struct str text,
                        struct eval_set *set, struct buf *problems);
/* The same for CSV. */
bool eval_set_read_csv(struct arena *arena, struct str text,
                       struct eval_set *set, struct buf *problems);
