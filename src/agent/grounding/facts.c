/* facts.c - indexes results and the texts around them; see facts.h. */
#include "facts_column.h"
#include "base/buf.h"
#include "base/scan.h"
#include "wording.h"
#include <math.h>
#include <stdlib.h>
#include "base/banned.h"

enum {
    BYTES_MOST = 1024 * 1024, /* of rows, in all results */
    CELLS_MOST = 100 * 1000,  /* likewise */
    COLUMNS_MOST = 200,       /* of one result */
    NAME_BYTES = 160,         /* of a cell that can be named */
    FIGURES_MOST = 600,       /* of one text */
    WORK_MOST = 16 * 1000 * 1000,
    UNIT_MOST = 1000 * 1000,
    ROWS_AT_ONCE = 32,
};

bool facts_work(struct facts *facts, size_t steps)
{
    facts->work += steps;
    facts->unit += steps;
    if (facts->work >= WORK_MOST || facts->unit >= UNIT_MOST)
        facts->spent = true;
    return !facts->spent;
}

void facts_unit(struct facts *facts)
{
    facts->unit = 0;
}

/* ---- words and figures of texts ----------------------------------------- */

static void add_words(struct facts *facts, struct str text)
{
    char lower[NAME_BYTES];
    text = str_cut(text, 0, GROUNDING_TEXT_MOST);
    for (size_t at = 0, end; wording_next(text, &at, &end); at = end) {
        struct str word = {lower, end - at};
        if (word.len > sizeof lower)
            continue;
        wording_lower(lower, str_cut(text, at, word.len));
        if (!map_get(&facts->words, word))
            map_put(&facts->words, arena_str(facts->arena, word), facts);
    }
}

bool fact_figures_add(struct arena *arena, struct fact_figures *to,
                      const struct figure *f)
{
    if (to->n == FIGURES_MOST)
        return false;
    if (to->n == to->cap) {
        size_t cap = to->cap ? 2 * to->cap : 4;
        to->items = (struct figure *)(void *)arena_resize(
            arena, (char *)to->items, to->cap * sizeof *f, cap * sizeof *f);
        to->cap = cap;
    }
    to->items[to->n++] = *f;
    return true;
}

static void add_figures(struct facts *facts, struct fact_figures *to,
                        struct str text)
{
    struct figure f;
    size_t at = 0;
    text = str_cut(text, 0, GROUNDING_TEXT_MOST);
    while (figure_next(text, &at, &f))
        if (!fact_figures_add(facts->arena, to, &f))
            return;
}

/* ---- names -------------------------------------------------------------- */

/* Verbs and marks of a sentence: a text with one of them and a number states
 * something, and is no name. */
static bool states_something(const struct wording *p)
{
    static const char verbs[] =
        " is are was were be equals equal reached reaches totals totaled "
        "totalled grew rose fell made has had have became becomes exceeds "
        "exceeded amounts amounted verified ignore say says write answer ";
    bool digit = false, verb = false;
    for (size_t i = 0; i < p->n_words; i++) {
        char c = p->words[i].lower.ptr[0];
        digit = digit || (c >= '0' && c <= '9');
    }
    for (size_t i = 0; digit && !verb && i < p->n_words; i++)
        verb = wording_among(p->words[i].lower, verbs);
    for (size_t i = 0; digit && !verb && i < p->text.len; i++)
        verb = p->text.ptr[i] == '=' || p->text.ptr[i] == ':';
    return verb;
}

/* Joins the words of a cell into `key`, which has room for them. False: the
 * cell names nothing. Leaves no memory behind. */
static bool name_of_cell(struct arena *arena, struct str cell, char *key,
                         size_t *len, bool *weak)
{
    struct arena_mark mark = arena_mark(arena);
    struct wording p;
    bool letter = false;
    *len = 0;
    wording_read(arena, cell, &p);
    bool names =
        p.n_words && p.n_words <= FACT_NAME_WORDS && !states_something(&p);
    *weak = names && (cell.len < 3 || !p.words[0].capital);
    for (size_t i = 0; names && i < p.n_words; i++) {
        struct str word = p.words[i].lower;
        letter = letter || word.ptr[0] < '0' || word.ptr[0] > '9';
        if (i)
            key[(*len)++] = ' ';
        memcpy(key + *len, word.ptr, word.len);
        *len += word.len;
    }
    arena_reset(arena, mark);
    return names && letter;
}

/* Several texts of one stem leave it without a place. */
static void add_stem(struct facts *facts, struct str key,
                     struct fact_place *place)
{
    struct str stem = wording_stem(key);
    if (!place->weak || stem.len < 4 || str_find_char(key, ' ') >= 0)
        return;
    map_put(&facts->stems, stem,
            map_get(&facts->stems, stem) ? (void *)facts : place);
}

static void add_place(struct facts *facts, struct str cell,
                      struct fact_place at)
{
    char joined[NAME_BYTES + FACT_NAME_WORDS];
    struct str key = {joined, 0}, rest, word;
    if (cell.len > NAME_BYTES ||
        !name_of_cell(facts->arena, cell, joined, &key.len, &at.weak))
        return;
    struct fact_place *place = arena_new(facts->arena, struct fact_place);
    *place = at;
    struct fact_place *first = map_get(&facts->places, key);
    if (first) {
        first->last = first->last->next = place;
        return;
    }
    key = rest = arena_str(facts->arena, key);
    map_put(&facts->places, key, place->last = place);
    add_stem(facts, key, place);
    while (str_split(&rest, ' ', &word))
        map_put(&facts->words, word, facts);
}

/* "Bus 415", of 415 in `bus_no`. */
static void add_number(struct facts *facts, struct str column, struct str cell,
                       struct fact_place at)
{
    enum { DIGITS_MOST = 12 };
    struct str noun = fact_column_noun(column);
    for (size_t i = 0; i < cell.len; i++)
        if (cell.ptr[i] < '0' || cell.ptr[i] > '9')
            return;
    if (noun.len && cell.len && cell.len <= DIGITS_MOST)
        add_place(facts,
                  arena_printf(facts->arena, "%.*s %.*s", STR_ARG(noun),
                               STR_ARG(cell)),
                  at);
}

size_t fact_count_below(const struct fact_column *c, double x, bool same)
{
    size_t low = 0, high = c->n_sorted;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        double value = c->sorted[middle].value;
        if (value < x || (same && value == x))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double fact_bound(const struct fact_column *c, const struct figure *f)
{
    enum { PERCENT = 100 };
    const double most = 1.5;
    bool shares = f->kind == FIGURE_PERCENT && c->percent && c->n_sorted &&
                  !c->named_percent && fabs(c->sorted[0].value) <= most &&
                  fabs(c->sorted[c->n_sorted - 1].value) <= most;
    return shares ? f->value / PERCENT : f->value;
}

const struct fact_place *facts_find_stem(const struct facts *facts,
                                         struct str word)
{
    struct str stem = wording_stem(word);
    const void *found = stem.len < 4 ? NULL : map_get(&facts->stems, stem);
    return found == facts ? NULL : found;
}

const struct fact_place *facts_find(const struct facts *facts, struct str key)
{
    return map_get(&facts->places, key);
}

/* ---- columns ------------------------------------------------------------ */

static bool is_numeric(struct str type)
{
    static const char types[] =
        " int2 int4 int8 float4 float8 numeric money smallint integer bigint "
        "real decimal ";
    return wording_among(type, types) || str_starts(type, STR("numeric")) ||
           str_is(type, "double precision");
}

/* ---- rows --------------------------------------------------------------- */

struct fact_reader {
    struct facts *facts;
    size_t result;            /* the next one */
    size_t bytes, cells_read; /* of the results before */
    size_t column; /* the next one of the table to end; then, after the last,
                    * to pair with others */
    size_t text;   /* the next one */
    struct fact_table *table; /* NULL: none is being read */
    bool rows_left, cut, all; /* of the table */
    size_t at;                /* likewise */
    struct scan rows;
    struct str *keys; /* names as JSON writes them */
    struct map *seen; /* texts of each column */
    struct buf cell;
    size_t cells;
};

static size_t column_of(const struct fact_reader *r, size_t next,
                        struct str key)
{
    size_t n = r->table->n_columns;
    if (next < n && str_eq(r->keys[next], key))
        return next;
    for (size_t i = 0; i < n; i++)
        if (str_eq(r->keys[i], key))
            return i;
    return n;
}

/* A text that is a number, an amount of money or a percentage as a whole. */
static void read_formatted(struct fact_column *c, size_t row, struct str cell)
{
    struct figure f;
    size_t at = 0;
    if (cell.len > 24 || !figure_next(cell, &at, &f) || f.from > 1 ||
        f.to + 3 < cell.len ||
        (f.kind != FIGURE_NUMBER && f.kind != FIGURE_PERCENT))
        return;
    c->values[row] = f.value;
    c->percent = c->percent || f.kind == FIGURE_PERCENT;
}

static void read_text(struct fact_reader *r, size_t column, size_t row)
{
    struct fact_column *c = &r->table->columns[column];
    struct facts *facts = r->facts;
    struct str cell = buf_view(&r->cell);
    int64_t day;
    if (figure_day_of_cell(cell, &day)) {
        if (!c->days) {
            c->days =
                arena_new_array(facts->arena, int64_t, r->table->row_count + 1);
            for (size_t i = 0; i <= r->table->row_count; i++)
                c->days[i] = INT64_MIN;
        }
        c->days[row] = day;
        c->dated = true;
        return;
    }
    read_formatted(c, row, cell);
    add_number(facts, c->name, cell,
               (struct fact_place){r->at, column, row, .number = true});
    cell = arena_str(facts->arena, str_cut(cell, 0, 2 * NAME_BYTES));
    if (!map_get(&r->seen[column], cell)) {
        map_put(&r->seen[column], cell, facts);
        if (!c->adds)
            c->distinct++;
    }
    add_place(
        facts, cell,
        (struct fact_place){.table = r->at, .column = column, .row = row});
}

static void read_flag(struct fact_reader *r, struct fact_column *c, size_t row,
                      bool is)
{
    size_t n = r->table->row_count + 1;
    if (!c->flags) {
        c->flags = arena_new_array(r->facts->arena, signed char, n);
        for (size_t i = 0; i < n; i++)
            c->flags[i] = -1;
    }
    c->flags[row] = is;
    r->facts->flags = true;
}

static void read_cell(struct fact_reader *r, size_t column, size_t row)
{
    struct fact_column *c = &r->table->columns[column];
    char kind = scan_peek(&r->rows);
    double value;
    if (kind != '"') {
        struct str raw = scan_skip(&r->rows);
        add_number(r->facts, c->name, raw,
                   (struct fact_place){r->at, column, row, .number = true});
        if (figure_of_cell(raw, &value))
            c->values[row] = value;
        else if (str_is(raw, "true") || str_is(raw, "false"))
            read_flag(r, c, row, raw.ptr[0] == 't');
        return;
    }
    buf_clear(&r->cell);
    scan_string(&r->rows, &r->cell);
    if (c->adds) {
        if (figure_of_cell(buf_view(&r->cell), &value))
            c->values[row] = value;
        else
            read_formatted(c, row, buf_view(&r->cell));
        return;
    }
    read_text(r, column, row);
}

static void read_row(struct fact_reader *r, size_t row)
{
    struct str key;
    size_t next = 0, n = r->table->n_columns;
    if (!scan_object(&r->rows))
        return;
    while (scan_member(&r->rows, &key)) {
        size_t column = column_of(r, next, key);
        if (column == n) {
            scan_skip(&r->rows);
            continue;
        }
        read_cell(r, column, row);
        r->cells++;
        next = column + 1;
    }
}

static void table_init(struct fact_reader *r, const struct sql_result *result)
{
    struct arena *a = r->facts->arena;
    struct fact_table *t = r->table;
    struct buf key;
    size_t n = result->n_columns;
    t->n_columns = n;
    t->row_count = result->row_count > 0 ? (size_t)result->row_count : 0;
    t->columns = arena_new_array(a, struct fact_column, n + 1);
    r->keys = arena_new_array(a, struct str, n + 1);
    r->seen = arena_new_array(a, struct map, n + 1);
    for (size_t i = 0; i < n; i++) {
        struct fact_column *c = &t->columns[i];
        c->name = result->columns[i];
        c->adds =
            i < result->n_column_types && is_numeric(result->column_types[i]);
        c->values = arena_new_array(a, double, t->row_count + 1);
        for (size_t k = 0; k <= t->row_count; k++)
            c->values[k] = NAN;
        map_init(&r->seen[i], a);
        buf_init(&key, a);
        json_quote(&key, c->name);
        r->keys[i] = str_cut(buf_finish(&key), 1, key.len - 2);
        add_words(r->facts, c->name);
    }
}

/* Reads some rows. */
static void read_rows(struct fact_reader *r)
{
    struct fact_table *t = r->table;
    for (int i = 0; i < ROWS_AT_ONCE; i++) {
        if (!scan_element(&r->rows)) {
            r->rows_left = false;
            return;
        }
        if (t->n_rows >= t->row_count ||
            r->cells + r->cells_read >= CELLS_MOST) {
            r->rows_left = r->all = false;
            return;
        }
        read_row(r, t->n_rows++);
    }
}

static void begin_result(struct fact_reader *r)
{
    struct facts *facts = r->facts;
    size_t at = r->result++;
    const struct sql_result *s = facts->of->results->results[at].sql_result;
    if (!s || s->n_columns > COLUMNS_MOST)
        return;
    struct str rows = facts->of->full_data[at];
    size_t most = s->row_count > 0 ? (size_t)s->row_count : 0;
    if (r->bytes + rows.len > BYTES_MOST || most > rows.len)
        rows = STR("");
    r->bytes += rows.len;
    r->table = &facts->tables[facts->n_tables];
    r->at = facts->n_tables++;
    r->cells = r->column = 0;
    buf_init(&r->cell, facts->arena);
    table_init(r, s);
    r->rows = scan_of(rows);
    r->rows_left = r->all = scan_array(&r->rows);
    r->cut = s->truncated;
}

/* Each row is of one thing, and columns are of times: a date in it, such as
 * `opened_on`, is not the time of its numbers. */
static bool is_of_things(const struct fact_table *t)
{
    bool things = false, series = false;
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct fact_column *c = &t->columns[i];
        things = things || (!c->adds && !c->dated && t->n_rows > 1 &&
                            c->distinct == t->n_rows);
        series = series || c->first <= c->last;
    }
    return things && series;
}

/* Columns end one by one: their numbers are sorted. */
static void end_result(struct fact_reader *r)
{
    struct fact_table *t = r->table;
    if (r->column == 0) {
        t->whole =
            r->all && !r->rows.bad && !r->cut && t->n_rows == t->row_count;
        t->period = t->n_columns;
        r->cells_read += r->cells;
    }
    size_t n = t->n_columns;
    if (r->column < n) {
        struct fact_column *c = &t->columns[r->column];
        fact_column_end(r->facts->arena, c, t->n_rows);
        if (c->dated && t->period == n)
            t->period = r->column;
    } else if (r->column < 2 * n) {
        facts_work(r->facts, n);
        fact_column_pair(t, r->column - n);
    }
    if (++r->column < 2 * n)
        return;
    if (is_of_things(t))
        t->period = n;
    r->table = NULL;
}

/* ---- the whole ---------------------------------------------------------- */

/* What Python printed is computed from rows, as far as its code does not hold
 * the number itself. */
static void read_printed(struct facts *facts, const struct step_result *step)
{
    const struct python_result *p = step->python_result;
    struct fact_figures printed = {0}, code = {0};
    if (!p || step->error.len)
        return;
    add_figures(facts, &printed, p->out);
    add_figures(facts, &code, p->code);
    for (size_t k = 0; k < printed.n; k++) {
        bool planted = false;
        for (size_t c = 0; c < code.n; c++)
            planted = planted || (fabs(printed.items[k].value) >= 10 &&
                                  fabs(printed.items[k].value) ==
                                      fabs(code.items[c].value));
        if (!planted)
            fact_figures_add(facts->arena, &facts->said, &printed.items[k]);
    }
}

/* A period that a query excludes with "<" ends the day before. */
static void add_sql(struct facts *facts, struct str sql)
{
    size_t before = facts->context.n;
    sql = str_trim(sql);
    add_figures(facts, &facts->context, sql);
    for (size_t i = before; i < facts->context.n; i++) {
        struct figure *f = &facts->context.items[i];
        size_t at = f->from;
        while (at && strchr(" '(\"", sql.ptr[at - 1]) && sql.ptr[at - 1])
            at--;
        struct str lead = str_cut(sql, 0, at);
        static const char *const types[] = {"date", "timestamp", "timestamptz"};
        for (size_t k = 0; k < sizeof types / sizeof *types; k++)
            if (lead.len > strlen(types[k]) &&
                str_eq_nocase(str_from(lead, lead.len - strlen(types[k])),
                              str_of(types[k])))
                lead = str_trim(str_cut(lead, 0, lead.len - strlen(types[k])));
        if (f->kind == FIGURE_PERIOD && f->first == f->last &&
            str_ends(lead, STR("<"))) {
            int64_t year;
            int day;
            f->first = --f->last;
            figure_date(f->first, &year, &f->month, &day);
        }
    }
}

static void read_sql(struct facts *facts, const struct step_result *step)
{
    if (!step->sql_result)
        return;
    add_sql(facts, step->sql_result->sql);
    add_words(facts, step->sql_result->sql);
}

static void read_plan(struct facts *facts)
{
    const struct plan *plan = facts->of->plan;
    if (!plan)
        return;
    add_figures(facts, &facts->context, plan->time_window);
    add_words(facts, plan->time_window);
    for (size_t i = 0; i < plan->n_filters; i++) {
        add_figures(facts, &facts->context, plan->filters[i]);
        add_words(facts, plan->filters[i]);
    }
    for (size_t i = 0; i < plan->n_metrics; i++)
        add_words(facts, plan->metrics[i]);
    for (size_t i = 0; i < plan->n_dimensions; i++)
        add_words(facts, plan->dimensions[i]);
    for (size_t i = 0; i < plan->n_ambiguities; i++) {
        add_figures(facts, &facts->context, plan->ambiguities[i].assumption);
        add_words(facts, plan->ambiguities[i].question);
        add_words(facts, plan->ambiguities[i].assumption);
    }
}

/* Reads the i-th text around the results; false: there are no more. */
static bool read_text_around(struct facts *facts, size_t i)
{
    const struct grounding_of *of = facts->of;
    if (i == 0) {
        add_figures(facts, &facts->asked, of->question);
        add_words(facts, of->question);
    } else if (i <= of->n_names) {
        add_words(facts, of->names[i - 1]);
    } else if (i <= of->n_names + of->n_said) {
        struct str said = of->said[i - of->n_names - 1];
        add_figures(facts, &facts->said, said);
        add_words(facts, said);
    } else {
        size_t n = of->results ? of->results->n_results : 0;
        i -= of->n_names + of->n_said + 1;
        if (i < n)
            read_printed(facts, &of->results->results[i]);
        else if (i < 2 * n)
            read_sql(facts, &of->results->results[i - n]);
        else if (i == 2 * n)
            read_plan(facts);
        return i < 2 * n;
    }
    return true;
}

void facts_begin(struct arena *arena, const struct grounding_of *of,
                 struct facts *out)
{
    size_t n = of->results ? of->results->n_results : 0;
    *out = (struct facts){.arena = arena,
                          .of = of,
                          .tables =
                              arena_new_array(arena, struct fact_table, n + 1),
                          .reader = arena_new(arena, struct fact_reader)};
    out->reader->facts = out;
    map_init(&out->places, arena);
    map_init(&out->stems, arena);
    map_init(&out->words, arena);
}

bool facts_read_on(struct facts *facts)
{
    struct fact_reader *r = facts->reader;
    const struct step_results *results = facts->of->results;
    if (r->table && r->rows_left)
        read_rows(r);
    else if (r->table)
        end_result(r);
    else if (results && r->result < results->n_results)
        begin_result(r);
    else
        return read_text_around(facts, r->text++);
    return true;
}
