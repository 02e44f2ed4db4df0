/* count.c - see count.h. */
#include "count.h"
#include "../builtin.h"
#include "base/json.h"
#include "frames.h"
#include "base/banned.h"

static void put_names(struct buf *out, const struct str *names, size_t n)
{
    buf_char(out, '[');
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_text(out, ", ");
        json_quote(out, names[i]);
    }
    buf_char(out, ']');
}

/* Groups without a value count; ties are sorted by the groups. */
static void put_groups(struct buf *out, const struct analyst_count *c)
{
    buf_text(out, "columns = ");
    put_names(out, c->columns, c->n);
    buf_text(out, "\nresult = table.groupby(columns, dropna=False).size()"
                  ".reset_index()\nresult.columns = ");
    put_names(out, c->names, c->n);
    buf_text(out, " + [");
    json_quote(out, c->name);
    buf_text(out, "]\nresult = result.sort_values(list(result.columns[-1:])"
                  " + list(result.columns[:-1]),\n    ascending=[False] + "
                  "[True] * len(columns), ignore_index=True)\n");
}

struct str scientist_count_code(struct arena *a, struct run *r)
{
    struct analyst_count c;
    struct buf out;
    if (!frames_of_files(r).len || !builtin_counts(a, r, &c))
        return STR("");
    buf_init(&out, a);
    buf_text(&out, "table = datasets[");
    json_quote(&out, r->ontology->model->datasets[c.dataset].table);
    buf_text(&out, "]\n");
    if (c.n) {
        put_groups(&out, &c);
    } else {
        buf_text(&out, "result = pd.DataFrame({");
        json_quote(&out, c.name);
        buf_text(&out, ": [len(table)]})\n");
    }
    return buf_finish(&out);
}
