/* digest.c - a dataset within a budget.
 *
 * Three tries: all; without what fields are described with; and with only those
 * field lines that fit beside a closing line that names the others. */
#include "ontology/text.h"
#include "base/utf8.h"
#include "line.h"
#include "base/banned.h"

enum {
    DESCRIPTION_MOST = 400,
    TAIL_LEAST = 120, /* for the line that says what was cut */
};

static void list(struct buf *out, const char *before, struct str_list names)
{
    for (size_t i = 0; i < names.n; i++) {
        buf_text(out, i ? ", " : before);
        line_put(out, names.items[i]);
    }
}

static void cut_back(struct buf *out, size_t len)
{
    if (out->len > len)
        out->len = len;
}

static void header(struct buf *out, const struct dataset *d, bool brief)
{
    struct str description =
        brief ? utf8_cut(d->description, DESCRIPTION_MOST) : d->description;
    buf_printf(out, "%.*s (source: ", STR_ARG(d->name));
    line_put(out, brief ? utf8_cut(d->source, DESCRIPTION_MOST) : d->source);
    buf_char(out, ')');
    if (description.len) {
        buf_text(out, ": ");
        line_put(out, description);
        buf_text(out, description.len < d->description.len ? " …" : "");
    }
    if (!brief)
        list(out, "; also: ", d->hints.synonyms);
    list(out, "\nkey: ", d->primary_key);
    buf_char(out, '\n');
}

static void field_line(struct buf *out, const struct field *f, bool brief)
{
    bool computed = f->expression.len && !f->column.len;
    buf_printf(out, "- %.*s", STR_ARG(f->name));
    if (f->datatype.len)
        buf_printf(out, " (%.*s)", STR_ARG(f->datatype));
    if (computed || (f->column.len && !str_eq_nocase(f->column, f->name))) {
        buf_text(out, " = ");
        line_put(out, f->expression);
    }
    if (!brief && f->description.len) {
        buf_text(out, ": ");
        line_put(out, f->description);
    }
    if (!brief)
        list(out, "; also: ", f->hints.synonyms);
    buf_char(out, '\n');
}

static bool fits(const struct buf *out, size_t start, size_t budget)
{
    return !budget || out->len - start <= budget;
}

static bool whole(struct buf *out, const struct dataset *d, size_t budget,
                  bool brief)
{
    size_t start = out->len;
    header(out, d, brief);
    for (size_t i = 0; i < d->n_fields && fits(out, start, budget); i++)
        field_line(out, &d->fields[i], brief);
    if (fits(out, start, budget))
        return true;
    cut_back(out, start);
    return false;
}

/* Names of the fields that got no line, as many as fit. */
static void name_others(struct buf *out, const struct dataset *d,
                        const struct buf *lines, size_t left)
{
    size_t others = 0, named = 0, start = out->len;
    for (size_t i = 0; i < d->n_fields; i++)
        others += !lines->ptr[i];
    buf_printf(out, "… %zu more field%s", others, others == 1 ? "" : "s");
    for (size_t i = 0; i < d->n_fields; i++) {
        struct str name = d->fields[i].name;
        bool room = out->len - start + name.len + 2 + 24 <= left;
        if (lines->ptr[i] || !room)
            continue;
        buf_text(out, named++ ? ", " : ": ");
        buf_str(out, name);
    }
    if (named && named < others)
        buf_printf(out, " and %zu others", others - named);
    buf_char(out, '\n');
}

/* Marks fields that get a line while they fit: first keys and times, then the
 * rest in order. Answers the bytes their lines take. */
static size_t choose(const struct dataset *d, size_t room, struct buf *lines,
                     struct buf *line)
{
    size_t used = 0;
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < d->n_fields; i++) {
            const struct field *f = &d->fields[i];
            if ((f->is_key || f->is_time) != (turn == 0))
                continue;
            buf_clear(line);
            field_line(line, f, true);
            if (used + line->len > room)
                break;
            used += line->len;
            lines->ptr[i] = 1;
        }
    return used;
}

static void shortened(struct buf *out, const struct dataset *d, size_t budget)
{
    struct buf lines, line; /* lines: a byte for each field, 1 is chosen */
    size_t start = out->len;
    buf_init(&lines, out->arena);
    buf_init(&line, out->arena);
    for (size_t i = 0; i < d->n_fields; i++)
        buf_char(&lines, 0);
    header(out, d, true);
    cut_back(out, start + utf8_cut(str_from(buf_view(out), start), budget).len);
    size_t left = budget - (out->len - start);
    /* Half for lines, half for names: a name alone also helps. */
    size_t tail = left / 2 > TAIL_LEAST ? left / 2 : TAIL_LEAST;
    size_t used = choose(d, left > tail ? left - tail : 0, &lines, &line);
    for (size_t i = 0; i < d->n_fields; i++)
        if (lines.ptr[i])
            field_line(out, &d->fields[i], true);
    if (left > used)
        name_others(out, d, &lines, left - used);
    cut_back(out, start + utf8_cut(str_from(buf_view(out), start), budget).len);
    buf_done(&line);
    buf_done(&lines);
}

void dataset_digest(const struct dataset *dataset, size_t budget,
                    struct buf *out)
{
    if (!whole(out, dataset, budget, false) &&
        !whole(out, dataset, budget, true))
        shortened(out, dataset, budget);
}

/* The share of each: what those that need less leave goes to the others. */
static size_t share_of(const struct ontology *o, const size_t *datasets,
                       size_t n, size_t budget)
{
    size_t share = budget / n, before;
    do {
        size_t left = budget, over = 0;
        before = share;
        for (size_t i = 0; i < n; i++) {
            size_t need = o->datasets[datasets[i]].yaml.len;
            over += need > share;
            left -= need > share ? 0 : need;
        }
        share = over ? left / over : SIZE_MAX;
    } while (share > before && share != SIZE_MAX);
    return share;
}

void datasets_yaml(const struct ontology *o, const size_t *datasets, size_t n,
                   size_t budget, struct buf *out)
{
    static const struct str between = {"\n---\n\n", 6};
    size_t room = budget > n * between.len ? budget - n * between.len : 1;
    size_t share = SIZE_MAX;
    if (budget && n)
        share = share_of(o, datasets, n, room);
    for (size_t i = 0; i < n; i++) {
        const struct dataset *d = &o->datasets[datasets[i]];
        if (i)
            buf_str(out, between);
        if (d->yaml.len <= share)
            buf_str(out, d->yaml);
        else
            dataset_digest(d, share ? share : 1, out);
    }
}
