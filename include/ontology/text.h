/* text.h - descriptions of an ontology for language models and people.
 *
 * Budgets are in bytes; 0 is no limit. The text says itself what it leaves
 * out. No text ends within a code point. All functions append to `out`. */
#pragma once
#include "base/buf.h"
#include "ontology/model.h"

/* All datasets: "5 datasets available:\n\n- **customers**: Customer
 * master data (source: public.customers)", one line each, without a last
 * line feed. */
void dataset_list_markdown(const struct ontology *o, struct buf *out);

/* A short description of a dataset: name, source, description, keys, then a
 * line for each field with its type, description and synonyms. Over the
 * budget, fields first lose their descriptions; then the last ones are only
 * named: "… 380 more fields: a, b, c". Keys and time fields keep their lines
 * longest. */
void dataset_digest(const struct dataset *dataset, size_t budget,
                    struct buf *out);

/* The YAML of the datasets, joined by "\n---\n\n". Each gets an equal share
 * of the budget; what one does not need is shared by the others. If the YAML
 * of a dataset does not fit, its digest takes its place. */
void datasets_yaml(const struct ontology *o, const size_t *datasets, size_t n,
                   size_t budget, struct buf *out);
