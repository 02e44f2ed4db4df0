/* text.c - lists of datasets, relationships and metrics for prompts; digest.c
 * writes single datasets. */
#include "ontology/text.h"
#include "line.h"
#include "base/banned.h"

static struct str text_or(struct str s, struct str otherwise)
{
    return s.len ? s : otherwise;
}

void text_put_line(struct buf *out, struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        buf_char(out, s.ptr[i] == '\n' || s.ptr[i] == '\r' ? ' ' : s.ptr[i]);
}

void dataset_list_markdown(const struct ontology *o, struct buf *out)
{
    if (!o->n_datasets) {
        buf_text(out, "No datasets found in the ontology.");
        return;
    }
    buf_printf(out, "%zu dataset%s available:\n", o->n_datasets,
               o->n_datasets == 1 ? "" : "s");
    for (size_t i = 0; i < o->n_datasets; i++) {
        const struct dataset *d = &o->datasets[i];
        buf_printf(out, "\n- **%.*s**: ", STR_ARG(d->name));
        text_put_line(out, text_or(d->description, STR("No description")));
        buf_text(out, " (source: ");
        text_put_line(out, text_or(d->source, STR("unknown")));
        buf_char(out, ')');
    }
}

static bool contains_dataset(const size_t *datasets, size_t n, size_t dataset)
{
    for (size_t i = 0; i < n; i++)
        if (datasets[i] == dataset)
            return true;
    return n == 0;
}

static void put_key_columns(struct buf *out, struct str dataset,
                            struct str_list list)
{
    bool many = list.n > 1;
    buf_printf(out, "%.*s.%s", STR_ARG(dataset), many ? "(" : "");
    for (size_t i = 0; i < list.n; i++) {
        buf_text(out, i ? ", " : "");
        buf_str(out, list.items[i]);
    }
    buf_text(out, many ? ")" : "");
}

void relationships_text(const struct ontology *o, const size_t *datasets,
                        size_t n, struct buf *out)
{
    for (size_t i = 0; i < o->n_relationships; i++) {
        const struct relationship *r = &o->relationships[i];
        if (!contains_dataset(datasets, n, r->from) ||
            !contains_dataset(datasets, n, r->to))
            continue;
        buf_text(out, "- ");
        put_key_columns(out, o->datasets[r->from].name, r->from_columns);
        buf_text(out, " -> ");
        put_key_columns(out, o->datasets[r->to].name, r->to_columns);
        buf_printf(out, " (%.*s)", STR_ARG(r->name));
        if (r->description.len) {
            buf_text(out, ": ");
            text_put_line(out, r->description);
        }
        buf_char(out, '\n');
    }
}

void metrics_text(const struct ontology *o, struct buf *out)
{
    for (size_t i = 0; i < o->n_metrics; i++) {
        const struct metric *metric = &o->metrics[i];
        buf_printf(out, "- %.*s: ", STR_ARG(metric->name));
        text_put_line(out, metric->expression);
        if (metric->description.len) {
            buf_text(out, ". ");
            text_put_line(out, metric->description);
        }
        buf_char(out, '\n');
    }
}
