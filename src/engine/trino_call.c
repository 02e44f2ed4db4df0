/* trino_call.c - calls of functions that Trino calls otherwise: the simple ones
 * by a template of trino_sql.def, the others here. */
#include "trino_piece.h"
#include <string.h>
#include "base/banned.h"

enum { ARGUMENTS = 3 };

struct trino_call {
    size_t name, open, close; /* indexes of pieces */
    struct {
        size_t from, to;
    } args[ARGUMENTS];
    size_t n; /* arguments; more than ARGUMENTS are only counted */
};

static void call_split(const struct trino_text *t, struct trino_call *c)
{
    size_t from = c->open + 1, depth = 0;
    for (size_t i = from; i <= c->close; i++) {
        enum trino_token_kind kind = t->items[i].kind;
        bool ends = i == c->close || (depth == 0 && kind == TRINO_COMMA);
        depth += kind == TRINO_OPEN || str_is(t->items[i].text, "[");
        depth -= i < c->close &&
                 (kind == TRINO_CLOSE || str_is(t->items[i].text, "]"));
        if (!ends || from == c->close)
            continue;
        if (c->n < ARGUMENTS) {
            c->args[c->n].from = from;
            c->args[c->n].to = i;
        }
        c->n++;
        from = i + 1;
    }
}

static struct str call_argument(const struct trino_text *t,
                                const struct trino_call *c, size_t i)
{
    return piece_join(t, c->args[i].from, c->args[i].to);
}

/* The text of an argument that is one string; ptr NULL: it is none. */
static struct str call_literal(const struct trino_text *t,
                               const struct trino_call *c, size_t i)
{
    const struct trino_piece *p = &t->items[c->args[i].from];
    bool alone = c->args[i].to == c->args[i].from + 1;
    return alone && p->kind == TRINO_STRING ? p->value : (struct str){0};
}

static void fill_template(struct trino_text *t, size_t from,
                          const char *template, const struct str *args)
{
    struct buf out;
    buf_init(&out, t->arena);
    for (const char *at = template; *at; at++)
        if (*at == '$')
            buf_str(&out, args[*++at - '1']);
        else
            buf_char(&out, *at);
    piece_replace(t, from, buf_finish(&out));
}

/* ---- fields of a date ---------------------------------------------------- */

static bool put_field(struct trino_text *t, size_t from, struct str field,
                      struct str value)
{
    static const struct {
        const char *name, *template;
    } fields[] = {
#define FIELD(name, template) {#name, template},
#include "trino_sql.def"
#undef FIELD
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (str_eq_nocase(field, str_of(fields[i].name))) {
            fill_template(t, from, fields[i].template, &value);
            return true;
        }
    return piece_refuse(t, "Trino's extract does not know the field %.*s",
                        STR_ARG(field));
}

/* extract(field from value) */
static bool rewrite_extract(struct trino_text *t, const struct trino_call *c)
{
    const struct trino_piece *field = &t->items[c->open + 1];
    size_t from = c->open + 2;
    if (!piece_is(t, from, "from"))
        return true;
    return put_field(t, c->name,
                     field->kind == TRINO_STRING ? field->value : field->text,
                     piece_join(t, from + 1, c->close));
}

static bool rewrite_date_part(struct trino_text *t, const struct trino_call *c)
{
    struct str field = c->n == 2 ? call_literal(t, c, 0) : (struct str){0};
    return field.ptr
               ? put_field(t, c->name, field, call_argument(t, c, 1))
               : piece_refuse(t, "the field of date_part must be a text such "
                                 "as 'year'");
}

/* ---- formats ------------------------------------------------------------- */

/* PostgreSQL's patterns of to_char and those of Trino's date_format; the longer
 * ones first. */
static const struct {
    const char *ours, *theirs;
} patterns[] = {
    {"YYYY", "%Y"}, {"YY", "%y"},   {"FMMonth", "%M"}, {"Mon", "%b"},
    {"MM", "%m"},   {"FMMM", "%c"}, {"FMDay", "%W"},   {"Dy", "%a"},
    {"DDD", "%j"},  {"DD", "%d"},   {"FMDD", "%e"},    {"HH24", "%H"},
    {"HH12", "%h"}, {"HH", "%h"},   {"MI", "%i"},      {"SS", "%s"},
    {"IYYY", "%x"}, {"IW", "%v"},   {"AM", "%p"},      {"PM", "%p"},
};

static bool put_pattern(struct str format, size_t *at, struct buf *out)
{
    size_t best = SIZE_MAX;
    struct str rest = str_from(format, *at);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (str_starts(rest, str_of(patterns[i].ours)) &&
            (best == SIZE_MAX ||
             strlen(patterns[i].ours) > strlen(patterns[best].ours)))
            best = i;
    if (best == SIZE_MAX)
        return false;
    buf_text(out, patterns[best].theirs);
    *at += strlen(patterns[best].ours);
    return true;
}

/* The format as a literal of Trino; ptr NULL: it has something that Trino's have
 * not. */
static struct str date_pattern(struct trino_text *t, struct str format)
{
    struct buf out;
    buf_init(&out, t->arena);
    buf_char(&out, '\'');
    for (size_t at = 0; at < format.len;) {
        char c = format.ptr[at];
        if (put_pattern(format, &at, &out))
            continue;
        if (c == '"') {
            at++;
            continue;
        }
        if (str_is_alnum(c) || (unsigned char)c >= 0x80)
            return (struct str){0};
        if (c == '%' || c == '\'')
            buf_char(&out, c); /* twice */
        buf_char(&out, c);
        at++;
    }
    buf_char(&out, '\'');
    return buf_finish(&out);
}

static bool rewrite_format(struct trino_text *t, const struct trino_call *c,
                           const char *template)
{
    struct str format = c->n == 2 ? call_literal(t, c, 1) : (struct str){0};
    struct str args[] = {c->n ? call_argument(t, c, 0) : STR(""),
                         format.ptr ? date_pattern(t, format)
                                    : (struct str){0}};
    if (!args[1].ptr)
        return piece_refuse(
            t, "Trino has no such format; use date_format(time, '%%Y-%%m-%%d') "
               "for times, and round or format for numbers");
    fill_template(t, c->name, template, args);
    return true;
}

/* ---- aggregates ---------------------------------------------------------- */

/* string_agg(value, separator order by key) */
static bool rewrite_string_agg(struct trino_text *t, const struct trino_call *c)
{
    if (c->n < 2)
        return true;
    size_t to = c->close, order = c->args[1].from;
    while (order < to && !piece_is(t, order, "order"))
        order++;
    struct str args[] = {call_argument(t, c, 0),
                         piece_join(t, c->args[1].from, order), STR("")};
    struct str value = args[0];
    if (str_starts(value, STR("distinct ")))
        value = str_from(value, strlen("distinct "));
    args[2] = order < to
                  ? piece_join(t, order, to)
                  : arena_printf(t->arena, "order by %.*s", STR_ARG(value));
    fill_template(t, c->name, "listagg($1, $2) within group ($3)", args);
    return true;
}

/* All values, sorted: their number is not known before, so that a function of
 * the array picks the place. */
#define PICKED(pick) \
    "reduce(array[array_sort(array_agg($2) filter (where $3))], " \
    "cast(null as $4), (s, a) -> " pick ", s -> s)"
#define PLACE "$1 * (cardinality(a) - 1)"
#define AT(round) "element_at(a, cast(" round "(" PLACE ") as bigint) + 1)"

bool call_percentile(struct trino_text *t, struct str value, bool descending,
                     struct str condition)
{
    struct trino_call c = {.close = t->n - 1};
    if (t->n && t->items[c.close].kind == TRINO_CLOSE)
        c.open = t->items[c.close].open;
    if (!c.open)
        return piece_refuse(t, "WITHIN GROUP needs a call before it");
    c.name = c.open - 1;
    call_split(t, &c);
    if (!piece_is(t, c.name, "percentile_cont") || c.n != 1)
        return piece_refuse(t, "of the functions with WITHIN GROUP, only "
                               "percentile_cont(share) is known for Trino; use "
                               "approx_percentile(value, share)");
    struct str share = arena_printf(t->arena, "cast(%s%.*s as double)",
                                    descending ? "1 - " : "",
                                    STR_ARG(call_argument(t, &c, 0)));
    struct str where =
        arena_printf(t->arena, "%.*s is not null%s%.*s%s", STR_ARG(value),
                     condition.len ? " and (" : "", STR_ARG(condition),
                     condition.len ? ")" : "");
    struct str args[] = {
        share, arena_printf(t->arena, "cast(%.*s as double)", STR_ARG(value)),
        where, STR("double")};
    fill_template(t, c.name,
                  PICKED(AT("floor") " + (" PLACE " - floor(" PLACE
                                     ")) * (" AT("ceil") " - " AT("floor") ")"),
                  args);
    return true;
}

/* ---- all ----------------------------------------------------------------- */

static bool rewrite_simple(struct trino_text *t, const struct trino_call *c)
{
    static const struct {
        const char *name;
        size_t n;
        const char *template;
    } calls[] = {
#define REWRITE(name, n, template) {#name, n, template},
#include "trino_sql.def"
#undef REWRITE
    };
    struct str args[ARGUMENTS];
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (!piece_is(t, c->name, calls[i].name) || c->n != calls[i].n)
            continue;
        for (size_t k = 0; k < c->n; k++)
            args[k] = call_argument(t, c, k);
        fill_template(t, c->name, calls[i].template, args);
        return true;
    }
    return true;
}

bool call_rewrite(struct trino_text *t)
{
    struct trino_call c = {.close = t->n - 1};
    c.open = t->items[c.close].open;
    bool of_schema = c.open > 1 && t->items[c.open - 2].kind == TRINO_DOT;
    if (!c.open || of_schema || t->items[c.open - 1].kind != TRINO_WORD)
        return true;
    c.name = c.open - 1;
    call_split(t, &c);
    if (piece_is(t, c.name, "extract"))
        return rewrite_extract(t, &c);
    if (piece_is(t, c.name, "date_part"))
        return rewrite_date_part(t, &c);
    if (piece_is(t, c.name, "to_char"))
        return rewrite_format(t, &c, "date_format($1, $2)");
    if (piece_is(t, c.name, "to_date"))
        return rewrite_format(t, &c, "cast(date_parse($1, $2) as date)");
    if (piece_is(t, c.name, "string_agg"))
        return rewrite_string_agg(t, &c);
    return rewrite_simple(t, &c);
}
