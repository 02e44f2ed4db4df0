/* brief.h - what a language model is shown about an ontology: short, and safe
 * to put into a prompt.
 *
 * Texts of a model come from people and from comments of a database. Each
 * is on one line, without control characters, without what ends a fence,
 * and cut where it is longer than BRIEF_TEXT. All functions append to `out`. */
#pragma once
#include "base/buf.h"
#include "ontology/model.h"

enum { BRIEF_TEXT = 1000, BRIEF_EXPRESSION = 2000, BRIEF_SYNONYMS = 12 };

/* The model's description and its instructions, a line each; nothing when it
 * has neither. */
void brief_put_notes(const struct ontology *o, struct buf *out);

/* The datasets as YAML, a line for each field. Each gets an equal share of the
 * budget (bytes; 0: no limit), and what one does not need is shared by the
 * others. For a dataset that does not fit, its digest (ontology/text.h) takes
 * the place. The names of those go to `shortened`, separated by commas; NULL:
 * they are not wanted. */
void brief_put_datasets(const struct ontology *o, const size_t *datasets,
                        size_t n, size_t budget, struct buf *out,
                        struct buf *shortened);

/* "many to one: Who bought it. Note: only for orders after 2020." Cardinality,
 * description and instructions. */
void brief_put_relationship(const struct ontology *o,
                            const struct relationship *r, struct buf *out);
/* A line for each relationship of which both datasets are in `datasets` (all of
 * the model when n is 0): "- orders.customer_id -> customers.customer_id
 * (orders_customer), many to one: …". */
void brief_put_relationships(const struct ontology *o, const size_t *datasets,
                             size_t n, struct buf *out);

/* The metrics, a line each with its definition, synonyms and instructions;
 * those over `datasets` come first. With n 0 the order is the model's. */
void brief_put_metrics(const struct ontology *o, const size_t *datasets,
                       size_t n, struct buf *out);
