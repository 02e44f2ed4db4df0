/* survey.c - the queries of a survey, their rows, and the text of both; see
 * ontology/survey.h. */
#include "ontology/survey.h"
#include "base/mem.h"
#include "base/one_line.h"
#include "base/utf8.h"
#include "ontology/columns.h"
#include <string.h>
#include "base/banned.h"

/* ---- entries ------------------------------------------------------------ */

struct surveyed_dataset *
survey_begin_dataset(struct survey *s, const struct ontology *o, size_t dataset,
                     const struct surveyed_dataset *seen, uint64_t now_ms)
{
    if (!s->datasets) {
        s->datasets = mem_new_array(struct surveyed_dataset *, o->n_datasets);
        s->n = o->n_datasets;
    }
    struct surveyed_dataset *d = s->datasets[dataset];
    if (d) {
        s->bytes -= d->memory.total;
        arena_done(&d->memory);
    } else {
        d = s->datasets[dataset] = mem_new(struct surveyed_dataset);
    }
    *d = *seen;
    d->at_ms = now_ms;
    arena_init(&d->memory, 0);
    return d;
}

const struct surveyed_dataset *survey_of(const struct survey *s, size_t dataset)
{
    return dataset < s->n ? s->datasets[dataset] : NULL;
}

void survey_end_dataset(struct survey *s, const struct surveyed_dataset *d)
{
    s->bytes += d->memory.total;
}

void survey_free(struct survey *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->datasets[i]) {
            arena_done(&s->datasets[i]->memory);
            mem_free(s->datasets[i]);
        }
    mem_free(s->datasets);
    *s = (struct survey){0};
}

/* ---- which fields ------------------------------------------------------- */

static bool contains_word(struct str type, const char *const *words)
{
    for (const char *const *w = words; *w; w++)
        if (str_find_nocase(type, str_of(*w)) >= 0)
            return true;
    return false;
}

/* A field without a type may hold text; values without a letter are left out
 * later. */
static bool holds_text(const struct field *f)
{
    static const char *const text[] = {"char",    "text", "string",
                                       "varchar", "enum", NULL};
    return f->column.len && !f->is_time &&
           (!f->datatype.len || contains_word(f->datatype, text));
}

/* A time of day has no first and last that say anything. */
static bool holds_date(const struct field *f)
{
    static const char *const date[] = {"date", "timestamp", NULL};
    return f->column.len && contains_word(f->datatype, date);
}

static void add_time(struct buf *out, const struct field *f)
{
    buf_printf(out, "%smin(%.*s)::text, max(%.*s)::text",
               out->len ? ", " : "select ", STR_ARG(f->expression),
               STR_ARG(f->expression));
}

/* ---- queries ------------------------------------------------------------ */

struct str survey_times_sql(struct arena *arena, const struct ontology *o,
                            size_t dataset, struct surveyed_dataset *d)
{
    const struct dataset *set = &o->datasets[dataset];
    struct buf out;
    buf_init(&out, arena);
    for (int turn = 0; turn < 2; turn++) /* first those that the model names */
        for (size_t i = 0; i < set->n_fields && d->n_times < SURVEY_TIMES;
             i++) {
            const struct field *f = &set->fields[i];
            if (!holds_date(f) || f->is_time != (turn == 0))
                continue;
            d->times[d->n_times++].field = i;
            add_time(&out, f);
        }
    if (!out.len)
        return STR("");
    buf_printf(&out, " from %.*s as t", STR_ARG(dataset_relation(arena, set)));
    return buf_view(&out);
}

/* "with rows_read as (select a as c0, b as c1 from t limit 20000) " */
static void put_rows(struct buf *out, const struct dataset *set,
                     const struct surveyed_dataset *d, int rows)
{
    buf_text(out, "with rows_read as (select ");
    for (size_t i = 0; i < d->n_fields; i++)
        buf_printf(out, "%s%.*s as c%zu", i ? ", " : "",
                   STR_ARG(set->fields[d->fields[i].field].expression), i);
    buf_printf(out, " from %.*s as t limit %d)\n",
               STR_ARG(dataset_relation(out->arena, set)), rows);
}

/* The values of field c<i>, the most frequent first. */
static void put_counts(struct buf *out, size_t i, size_t most,
                       const struct survey_words *words)
{
    buf_printf(out,
               "(select %zu as field, left(c%zu::text, %d) as value, "
               "count(*) as in_rows from rows_read where ",
               i, i, SURVEY_LETTERS);
    bool any = false;
    for (size_t w = 0; words && w < words->n; w++) {
        if (words->of_model[w])
            continue;
        buf_printf(out, "%sc%zu::text ilike '%%%.*s%%'", any ? " or " : "", i,
                   STR_ARG(survey_stem(words->items[w])));
        any = true;
    }
    if (!any)
        buf_printf(out, "c%zu is not null", i);
    buf_printf(out, " group by 2 order by 3 desc, 2 limit %zu)", most);
}

struct str survey_values_sql(struct arena *arena, const struct ontology *o,
                             size_t dataset, struct surveyed_dataset *d)
{
    const struct dataset *set = &o->datasets[dataset];
    struct buf out;
    for (size_t i = 0; i < set->n_fields && d->n_fields < SURVEY_FIELDS; i++)
        if (holds_text(&set->fields[i]))
            d->fields[d->n_fields++].field = i;
    if (!d->n_fields)
        return STR("");
    buf_init(&out, arena);
    put_rows(&out, set, d, SURVEY_ROWS);
    buf_text(&out, "(select -1 as field, null::text as value, "
                   "count(*) as in_rows from rows_read)");
    for (size_t i = 0; i < d->n_fields; i++) {
        buf_text(&out, "\nunion all ");
        put_counts(&out, i, SURVEY_VALUES + 1, NULL);
    }
    return buf_view(&out);
}

struct str survey_search_sql(struct arena *arena, const struct ontology *o,
                             size_t dataset, const struct surveyed_dataset *d,
                             const struct survey_words *words)
{
    struct buf out;
    bool any = false, named = false;
    for (size_t w = 0; w < words->n; w++)
        named = named || !words->of_model[w];
    if (!named || !d->n_fields)
        return STR("");
    buf_init(&out, arena);
    put_rows(&out, &o->datasets[dataset], d, SURVEY_SEARCH);
    for (size_t i = 0; i < d->n_fields; i++) {
        if (d->fields[i].whole)
            continue;
        buf_text(&out, any ? "\nunion all " : "");
        put_counts(&out, i, SURVEY_FOUND, words);
        any = true;
    }
    return any ? buf_view(&out) : STR("");
}

/* ---- rows --------------------------------------------------------------- */

/* A date or a time as PostgreSQL writes it. The model may call a column of
 * text a date: its first and last values are rows that a model may not see. */
static bool is_moment(struct str s)
{
    bool ok = s.len >= 4 && s.len <= 40;
    for (size_t i = 0; ok && i < s.len; i++)
        ok = s.ptr[i] && strchr("0123456789-:. +TZ", s.ptr[i]);
    return ok;
}

void survey_keep_times(struct surveyed_dataset *d, const struct str *cells,
                       int n_cells)
{
    for (size_t i = 0; i < d->n_times && 2 * (int)i + 1 < n_cells; i++)
        if (is_moment(cells[2 * i]) && is_moment(cells[2 * i + 1])) {
            d->times[i].first = arena_str(&d->memory, cells[2 * i]);
            d->times[i].last = arena_str(&d->memory, cells[2 * i + 1]);
        }
}

static bool has_letter(struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (c >= 0x80 || (str_is_alnum((char)c) && (c < '0' || c > '9')))
            return true;
    }
    return false;
}

/* Adds a value of a field that `asked` values were given of. */
static void keep_value(struct surveyed_dataset *d, struct surveyed_field *f,
                       size_t asked, struct str text, int64_t rows)
{
    if (asked <= SURVEY_VALUES && has_letter(text))
        f->values[f->n++] =
            (struct surveyed_value){arena_str(&d->memory, text), rows};
}

/* One value more than SURVEY_VALUES was asked for, to know whether there are
 * more. Field -1 counts the rows that were read: when it is as many as were
 * asked for, there may be other rows with other values. */
void survey_keep_values(struct surveyed_dataset *d, const struct str *cells,
                        int n_rows, int n_columns)
{
    int64_t field, rows, read = SURVEY_ROWS;
    size_t asked[SURVEY_FIELDS] = {0};
    if (n_columns != 3)
        return;
    for (size_t i = 0; i < d->n_fields; i++)
        d->fields[i].values =
            arena_new_array(&d->memory, struct surveyed_value, SURVEY_VALUES);
    for (int r = 0; r < n_rows; r++) {
        const struct str *cell = &cells[3 * r];
        if (!str_to_int64(cell[0], &field) || !str_to_int64(cell[2], &rows))
            continue;
        if (field == -1)
            read = rows;
        if (field < 0 || (size_t)field >= d->n_fields)
            continue;
        keep_value(d, &d->fields[field], ++asked[field], cell[1], rows);
    }
    for (size_t i = 0; i < d->n_fields; i++) {
        d->fields[i].distinct = asked[i];
        d->fields[i].whole = asked[i] <= SURVEY_VALUES && read < SURVEY_ROWS;
    }
}

/* ---- as text ------------------------------------------------------------ */

static void put_field_name(const struct ontology *o, size_t dataset,
                           size_t field, struct buf *out)
{
    const struct dataset *d = &o->datasets[dataset];
    buf_text(out, "- ");
    one_line_put(out, d->name, SURVEY_LETTERS);
    buf_char(out, '.');
    one_line_put(out, d->fields[field].name, SURVEY_LETTERS);
}

/* A value as a literal of SQL; one that was cut says so. */
static void put_value(struct buf *out, struct str value)
{
    struct buf line;
    buf_init(&line, out->arena);
    one_line_put(&line, value, 0);
    buf_char(out, '\'');
    for (size_t i = 0; i < line.len; i++) {
        if (line.ptr[i] == '\'')
            buf_char(out, '\'');
        buf_char(out, line.ptr[i]);
    }
    buf_text(out, utf8_count(value) >= SURVEY_LETTERS ? "…'" : "'");
    buf_done(&line);
}

void survey_put_times(const struct ontology *o, size_t dataset,
                      const struct surveyed_dataset *d, struct buf *out)
{
    for (size_t i = 0; i < d->n_times; i++) {
        const struct surveyed_time *t = &d->times[i];
        if (!t->first.len)
            continue;
        put_field_name(o, dataset, t->field, out);
        buf_text(out, ": ");
        one_line_put(out, t->first, SURVEY_LETTERS);
        buf_text(out, " to ");
        one_line_put(out, t->last, SURVEY_LETTERS);
        buf_char(out, '\n');
    }
}

/* The first hint of this field: it has the line, and the others follow. */
static bool is_first(const struct value_hints *h, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (h->items[i].dataset == h->items[at].dataset &&
            h->items[i].field == h->items[at].field)
            return false;
    return true;
}

void survey_put_hints(const struct ontology *o, const struct value_hints *h,
                      struct buf *out)
{
    for (size_t i = 0; i < h->n; i++) {
        const struct value_hint *first = &h->items[i];
        if (!is_first(h, i))
            continue;
        put_field_name(o, first->dataset, first->field, out);
        for (size_t k = i; k < h->n; k++) {
            if (h->items[k].dataset != first->dataset ||
                h->items[k].field != first->field)
                continue;
            buf_text(out, k == i ? ": " : ", ");
            put_value(out, h->items[k].text);
        }
        buf_char(out, '\n');
    }
}

/* All values that were seen are kept, few, short, and in enough rows. */
static bool is_list(const struct surveyed_field *f, bool first, int64_t least)
{
    bool list = f->n > 1 && f->n <= SURVEY_FEW && f->n == f->distinct;
    int64_t rows = 0;
    for (size_t v = 0; list && v < f->n; v++) {
        list =
            f->values[v].rows >= least && f->values[v].text.len <= SURVEY_SHORT;
        rows += f->values[v].rows;
    }
    return list && (first || rows >= 2 * (int64_t)f->n);
}

void survey_put_few(const struct ontology *o, size_t dataset,
                    const struct surveyed_dataset *d, int64_t least,
                    struct buf *out)
{
    for (size_t i = 0; i < d->n_fields; i++) {
        const struct surveyed_field *f = &d->fields[i];
        if (!is_list(f, i == 0, least))
            continue;
        put_field_name(o, dataset, f->field, out);
        for (size_t v = 0; v < f->n; v++) {
            buf_text(out, v          ? ", "
                          : f->whole ? " has only: "
                                     : " has, in the rows looked at: ");
            put_value(out, f->values[v].text);
        }
        buf_char(out, '\n');
    }
}
