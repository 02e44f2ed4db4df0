/* question_set.h - writes questions and their queries as a set in YAML: the form
 * that `sextant eval` and the import of trusted answers read (docs/eval.md). */
#pragma once
#include "base/buf.h"

/* A question of a set. Texts have no control characters other than line feeds
 * and tabs, and no white space at their ends. */
struct question_set_item {
    struct str id, question, category, sql;
    struct str asked; /* a day, 2025-11-03; may be empty */
};

/* Appends the head of a set. */
void question_set_begin(struct buf *out, struct str name, struct str ontology);
/* Appends a question. */
void question_set_add(struct buf *out, const struct question_set_item *item);
/* The first day of a period (ontology/question_key.h), written to `out`, which
 * has room for 11 bytes. */
void question_set_day(struct str period, char out[11]);
