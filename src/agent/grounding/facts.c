/* facts.c - indexes results and the texts around them; see facts.h. */
#include "facts_column.h"
#include "facts_text.h"
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
    bool digit = cell.len && strchr("0123456789", cell.ptr[cell.len - 1]);
    *weak = names && ((cell.len < 3 && !digit) || !p.words[0].capital);
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

/* "Larkfield", of "Larkfield Ltd". */
static void add_short(struct facts *facts, struct str key,
                      struct fact_place *place)
{
    static const char *const forms[] = {
        " ltd", " limited", " gmbh", " ag",   " inc", " llc", " corp",
        " co",  " plc",     " bv",   " sarl", " sa",  " srl", " kg"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct str name = key;
        if (!str_ends(key, str_of(forms[i])))
            continue;
        name.len -= strlen(forms[i]);
        if (name.len > 2 && !map_get(&facts->places, name))
            map_put(&facts->places, name, place);
        return;
    }
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
    add_short(facts, key, place);
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
    return shares ? f->value / PERCENT : f->value * fact_factor(c, f);
}

double fact_factor(const struct fact_column *c, const struct figure *f)
{
    bool apart = f->money || c->currency == CURRENCY_NONE;
    double by = unit_in((enum unit)f->measure, c->measure);
    if (f->kind != FIGURE_NUMBER)
        return 1;
    if (by > 0)
        return by;
    return c->scale > 1 && (f->scaled || (apart && fabs(f->value) >= c->scale))
               ? 1 / c->scale
               : 1;
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
    struct str *keys;     /* names as JSON writes them */
    struct map *seen;     /* texts of each column */
    struct str **periods; /* texts of each column's rows; NULL: it has others */
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

static int64_t *new_days(struct facts *facts, size_t n_rows)
{
    int64_t *days = arena_new_array(facts->arena, int64_t, n_rows + 1);
    for (size_t i = 0; i <= n_rows; i++)
        days[i] = INT64_MIN;
    return days;
}

static void add_text(struct fact_reader *r, size_t column, size_t row,
                     struct str cell)
{
    struct fact_column *c = &r->table->columns[column];
    struct facts *facts = r->facts;
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

/* Texts that were read as periods are none, because another one is not. */
static void undate(struct fact_reader *r, size_t column)
{
    struct fact_column *c = &r->table->columns[column];
    struct str *texts = r->periods[column];
    c->dated = c->periods = c->no_year = false;
    c->days = NULL;
    r->periods[column] = NULL;
    for (size_t i = 0; i < r->table->n_rows; i++)
        if (texts[i].len)
            add_text(r, column, i, texts[i]);
}

/* False: the text is no period of the kind that the column has. */
static bool read_period(struct fact_reader *r, size_t column, size_t row,
                        struct str cell)
{
    enum { NO_YEAR = 2000 };
    struct fact_column *c = &r->table->columns[column];
    struct figure f;
    if (c->distinct || (c->dated && !c->periods))
        return false;
    bool found = figure_period_of_cell(cell, &f);
    bool bare = found && f.kind == FIGURE_MONTH;
    bool month = found && (bare ? f.first == 1 : f.last - f.first <= 31);
    enum fact_grain grain = month ? GRAIN_MONTH : GRAIN_QUARTER;
    if (!found || (c->periods && (c->grain != grain || c->no_year != bare))) {
        if (c->periods)
            undate(r, column);
        return false;
    }
    if (!c->periods) {
        c->days = new_days(r->facts, r->table->row_count);
        r->periods[column] = arena_new_array(r->facts->arena, struct str,
                                             r->table->row_count + 1);
    }
    c->dated = c->periods = true;
    c->no_year = bare;
    c->grain = grain;
    c->days[row] = bare ? figure_day(NO_YEAR, f.month, 1) : f.first;
    r->periods[column][row] = arena_str(r->facts->arena, cell);
    return true;
}

static void read_text(struct fact_reader *r, size_t column, size_t row)
{
    struct fact_column *c = &r->table->columns[column];
    struct str cell = buf_view(&r->cell);
    int64_t day;
    if (!c->periods && figure_day_of_cell(cell, &day)) {
        if (!c->days)
            c->days = new_days(r->facts, r->table->row_count);
        c->days[row] = day;
        c->dated = true;
    } else if (!read_period(r, column, row, cell)) {
        add_text(r, column, row, cell);
    }
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
    r->periods = arena_new_array(a, struct str *, n + 1);
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
        facts_add_words(r->facts, c->name);
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
    else if (!facts_read_text(facts, r->text++)) {
        facts_date_periods(facts);
        return false;
    }
    return true;
}
