/* text.h - what models and people read about an ontology.
 *
 * Budgets are in bytes; what was left out is said in the text itself. No text
 * ends within a code point. A budget of 0 is none. */
#pragma once
#include "base/buf.h"
#include "ontology/model.h"

/* Seed 001, list_datasets: "5 datasets available:\n\n- **customers**: Customer
 * master data (source: public.customers)", lines joined by a line feed. */
void dataset_list_markdown(const struct ontology *o, struct buf *out);

/* A line for each relationship of which both datasets are in `datasets` (all
 * of the model when n is 0):
 * "- orders.customer_id -> customers.customer_id (orders_customer)", composite:
 * "- a.(x, y) -> b.(x, y) (name)"; with the description behind, if any. */
void relationships_text(const struct ontology *o, const size_t *datasets,
                        size_t n, struct buf *out);

/* "- revenue: sum(order_items.line_total). Description", a line a metric. */
void metrics_text(const struct ontology *o, struct buf *out);

/* A dataset in few words: name, source, description, keys, then a line for each
 * field with its type, description and synonyms. When that is over the budget,
 * fields lose their descriptions first; then the last ones are only named:
 * "… 380 more fields: a, b, c"; keys and time fields are kept longest. */
void dataset_digest(const struct dataset *dataset, size_t budget,
                    struct buf *out);

/* The YAML of the datasets, joined by "\n---\n\n" as seed 001 joins them. Each
 * gets an equal share of the budget, and what one leaves the others may use; a
 * dataset whose YAML does not fit is given as its digest. */
void datasets_yaml(const struct ontology *o, const size_t *datasets, size_t n,
                   size_t budget, struct buf *out);
