/* digest.c - a dataset as text, within a budget of bytes.
 *
 * Three tries: everything; without the descriptions and synonyms of fields; and
 * with as many field lines as fit, plus a last line that names the other
 * fields. */
#include "ontology/text.h"
#include "base/utf8.h"
#include "line.h"
#include "base/banned.h"

enum {
    DESCRIPTION_MOST = 400,
    TAIL_LEAST = 120, /* for the line that names the fields left out */
};

static void put_names(struct buf *out, const char *before,
                      struct str_list names)
{
    for (size_t i = 0; i < names.n; i++) {
        buf_text(out, i ? ", " : before);
        text_put_line(out, names.items[i]);
    }
}

static void truncate_to(struct buf *out, size_t len)
{
    if (out->len > len)
        out->len = len;
}

static void put_header(struct buf *out, const struct dataset *d, bool brief)
{
    struct str description =
        brief ? utf8_cut(d->description, DESCRIPTION_MOST) : d->description;
    buf_printf(out, "%.*s (source: ", STR_ARG(d->name));
    text_put_line(out,
                  brief ? utf8_cut(d->source, DESCRIPTION_MOST) : d->source);
    buf_char(out, ')');
    if (description.len) {
        buf_text(out, ": ");
        text_put_line(out, description);
        buf_text(out, description.len < d->description.len ? " …" : "");
    }
    if (!brief)
        put_names(out, "; also: ", d->hints.synonyms);
    put_names(out, "\nkey: ", d->primary_key);
    buf_char(out, '\n');
}

static void put_field_line(struct buf *out, const struct field *f, bool brief)
{
    bool computed = f->expression.len && !f->column.len;
    buf_printf(out, "- %.*s", STR_ARG(f->name));
    if (f->datatype.len)
        buf_printf(out, " (%.*s)", STR_ARG(f->datatype));
    if (computed || (f->column.len && !str_eq_nocase(f->column, f->name))) {
        buf_text(out, " = ");
        text_put_line(out, f->expression);
    }
    if (!brief && f->description.len) {
        buf_text(out, ": ");
        text_put_line(out, f->description);
    }
    if (!brief)
        put_names(out, "; also: ", f->hints.synonyms);
    buf_char(out, '\n');
}

static bool fits_budget(const struct buf *out, size_t start, size_t budget)
{
    return !budget || out->len - start <= budget;
}

static bool put_whole(struct buf *out, const struct dataset *d, size_t budget,
                      bool brief)
{
    size_t start = out->len;
    put_header(out, d, brief);
    for (size_t i = 0; i < d->n_fields && fits_budget(out, start, budget); i++)
        put_field_line(out, &d->fields[i], brief);
    if (fits_budget(out, start, budget))
        return true;
    truncate_to(out, start);
    return false;
}

/* Names as many of the fields without a line as fit. */
static void put_other_names(struct buf *out, const struct dataset *d,
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

/* Marks the fields that get a line: keys and time fields first, then the others
 * in order, while they fit. Returns the bytes of their lines. */
static size_t choose_fields(const struct dataset *d, size_t room,
                            struct buf *lines, struct buf *line)
{
    size_t used = 0;
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < d->n_fields; i++) {
            const struct field *f = &d->fields[i];
            if ((f->is_key || f->is_time) != (turn == 0))
                continue;
            buf_clear(line);
            put_field_line(line, f, true);
            if (used + line->len > room)
                break;
            used += line->len;
            lines->ptr[i] = 1;
        }
    return used;
}

static void put_shortened(struct buf *out, const struct dataset *d,
                          size_t budget)
{
    struct buf lines, line; /* lines: one byte for each field, 1: chosen */
    size_t start = out->len;
    buf_init(&lines, out->arena);
    buf_init(&line, out->arena);
    for (size_t i = 0; i < d->n_fields; i++)
        buf_char(&lines, 0);
    put_header(out, d, true);
    truncate_to(out,
                start + utf8_cut(str_from(buf_view(out), start), budget).len);
    size_t left = budget - (out->len - start);
    /* Half for lines, half for names, because a name alone helps, too. */
    size_t tail = left / 2 > TAIL_LEAST ? left / 2 : TAIL_LEAST;
    size_t used =
        choose_fields(d, left > tail ? left - tail : 0, &lines, &line);
    for (size_t i = 0; i < d->n_fields; i++)
        if (lines.ptr[i])
            put_field_line(out, &d->fields[i], true);
    if (left > used)
        put_other_names(out, d, &lines, left - used);
    truncate_to(out,
                start + utf8_cut(str_from(buf_view(out), start), budget).len);
    buf_done(&line);
    buf_done(&lines);
}

void dataset_digest(const struct dataset *dataset, size_t budget,
                    struct buf *out)
{
    if (!put_whole(out, dataset, budget, false) &&
        !put_whole(out, dataset, budget, true))
        put_shortened(out, dataset, budget);
}

/* The bytes that each dataset may use. Datasets that need less leave the
 * rest to the others. */
static size_t budget_share(const struct ontology *o, const size_t *datasets,
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
        share = budget_share(o, datasets, n, room);
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
