/* text.c - the list of datasets; digest.c writes single ones. */
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
