/* Any query over a small model: the guardrails check and describe it without a crash; what
 * is found has words. */
#include "guard/guard.h"
#include "ontology/guardrail.h"
#include "ontology/osi.h"
#include <stdint.h>
#include <stdlib.h>
#include "base/banned.h"

static const char shop[] =
    "name: shop\n"
    "datasets:\n"
    "  - {name: customers, source: customers, primary_key: [customer_id],\n"
    "     fields: [{name: customer_id, expression: customer_id},\n"
    "              {name: city, expression: city}]}\n"
    "  - {name: orders, source: orders, primary_key: [order_id],\n"
    "     fields: [{name: order_id, expression: order_id},\n"
    "              {name: customer_id, expression: customer_id},\n"
    "              {name: freight, expression: freight},\n"
    "              {name: day, expression: day}]}\n"
    "  - {name: order_items, source: order_items,\n"
    "     primary_key: [order_id, line],\n"
    "     fields: [{name: order_id, expression: order_id},\n"
    "              {name: line, expression: line},\n"
    "              {name: quantity, expression: quantity}]}\n"
    "relationships:\n"
    "  - {name: of_customer, from: orders, to: customers,\n"
    "     from_columns: [customer_id], to_columns: [customer_id]}\n"
    "  - {name: of_order, from: order_items, to: orders,\n"
    "     from_columns: [order_id], to_columns: [order_id]}\n"
    "metrics:\n"
    "  - {name: light, expression: 'count(case when orders.freight <= 10.5\n"
    "     then 1 end)::numeric / nullif(count(orders.freight), 0)'}\n"
    "  - {name: pieces, expression: sum(order_items.quantity) / 100.0}\n";

static const struct ontology *model(void)
{
    static struct arena arena;
    static struct ontology *o;
    struct osi_report report;
    if (o)
        return o;
    arena_init(&arena, 0);
    if (!osi_read(&arena, str_of(shop), &o, &report))
        abort();
    return o;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str sql = {(const char *)data, size};
    struct query_findings findings;
    struct query_outline outline;
    struct guard_verdict verdict;
    struct arena arena;
    arena_init(&arena, 0);
    guard_check(&arena, sql, &(struct guard_policy){.any_relation = true},
                &verdict);
    if (verdict.ok) {
        query_analyze(&arena, model(), verdict.text, &findings, &outline);
        for (size_t i = 0; i < findings.n; i++)
            if (!findings.items[i].message.len)
                abort();
        findings_to_repair(&arena, &findings);
    }
    arena_done(&arena);
    return 0;
}
