/* call_estimate.c - how large can the answer of a call get? The growth of the
 * function (functions.def) says how the answer follows from the arguments. */
#include "call.h"
#include <math.h>
#include <string.h>
#include "base/banned.h"

enum {
    MAX_WIDTH = 1000, /* in format() */
    MAX_EXPONENT = 1000,
    MAX_FACTORIAL = 1000,
    DAYS_A_YEAR = 366,
    CLOCK_TEXT = 10, /* bytes of a day */
    MAX_HASH = 128,  /* bytes of sha512 in hex */
};

#define MAX_POLYGON 16384.0 /* bytes; some 1000 points */
#define MAX_HUGE 1e18
#define MAX_CODE 1114112.0 /* characters of Unicode */
#define LARGE_PART 1e11

static struct estimate bounded_estimate(struct walk *walk,
                                        const struct call *call, double bytes,
                                        double most)
{
    struct estimate m = call->worst;
    m.bytes = bytes;
    m.made = fmin(m.made, bytes);
    if (!(bytes <= most))
        return walk_refuse(walk, "too_costly", call->location,
                           "%.*s may make about %.0f bytes here; keep it below "
                           "%.0f.",
                           STR_ARG(call->name), fmin(bytes, 1e18), most);
    return m;
}

/* For functions such as repeat, which make as many bytes as `count` says. */
static struct estimate made_estimate(struct walk *walk, const struct call *call,
                                     double bytes, struct estimate count)
{
    struct estimate m = bounded_estimate(walk, call, bytes,
                                         count.exact ? ESTIMATE_MAX_MADE
                                                     : ESTIMATE_MAX_GUESSED);
    m.made = count.exact || bytes > ESTIMATE_MAX_MADE ? bytes : 0;
    m.text = fmax(m.text, bytes * fmin(1, call->sum.text));
    return estimate_rewritten(m);
}

static struct estimate number_estimate(const struct call *call, double value)
{
    struct estimate m = call->worst;
    m.bytes = 32;
    m.held = 0;
    m.value = value;
    m.digits = log10(fmax(value, 1)) + 1;
    m.text = fmax(ESTIMATE_FRACTION, m.digits);
    return m;
}

/* The sum of the widths in a format string; -1 when an argument gives one. */
static double format_widths(struct str s)
{
    double widths = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] != '%')
            continue;
        double n = 0;
        for (i++; i < s.len && strchr("0123456789$-*", s.ptr[i]); i++) {
            if (s.ptr[i] == '*')
                return -1;
            n = s.ptr[i] >= '0' && s.ptr[i] <= '9' ? n * 10 + s.ptr[i] - '0'
                                                   : 0;
        }
        widths = fmax(widths, 0) + n;
        if (n > MAX_WIDTH)
            return INFINITY;
    }
    return widths;
}

static struct estimate format_estimate(struct walk *walk,
                                       const struct call *call)
{
    struct str text = node_literal(json_array_get(call->args, 0));
    if (!text.ptr)
        return walk_refuse(walk, "too_costly", call->location,
                           "format needs a literal as its first argument.");
    double widths = format_widths(text);
    if (widths < 0)
        return walk_refuse(
            walk, "too_costly", call->location,
            "A width in format must be written as a number, not *.");
    if (isinf(widths))
        return walk_refuse(walk, "too_costly", call->location,
                           "A width in format may be at most %d.", MAX_WIDTH);
    struct estimate m = bounded_estimate(
        walk, call, call->sum.bytes * 2 + widths, ESTIMATE_MAX_BYTES);
    m.text = call->sum.text + widths;
    return estimate_rewritten(m);
}

/* By what factor a text grows when each `from` in it becomes `to`. */
static double replace_factor(const struct call *call)
{
    struct str from = node_literal(json_array_get(call->args, 1));
    double to = call->arg[2].bytes;
    double shortest = from.ptr ? (double)from.len : 1;
    return fmax(1, to / fmax(shortest, 1));
}

static struct estimate replace_estimate(struct walk *walk,
                                        const struct call *call, bool pattern)
{
    struct str flags = node_literal(json_array_get(call->args, 3));
    double factor = replace_factor(call);
    if (pattern) {
        bool once = call->n < 4 || (flags.ptr && str_find_char(flags, 'g') < 0);
        factor = once ? 1 : fmax(1, call->arg[2].bytes);
    }
    struct estimate m = bounded_estimate(
        walk, call, call->arg[0].bytes * factor + call->arg[2].bytes,
        ESTIMATE_MAX_BYTES);
    m.text = call->arg[2].text > 0 && call->arg[0].text > 0
                 ? fmax(m.bytes, call->arg[0].text)
                 : call->arg[0].text + call->arg[2].text;
    m.digits = 0;
    return estimate_rewritten(m);
}

/* With a base close to 1 a logarithm has no bound. */
static struct estimate logarithm_estimate(const struct call *call)
{
    bool steep =
        call->n > 1 && !(call->arg[0].exact && call->arg[0].value >= 2);
    return steep ? number_estimate(call, MAX_HUGE)
                 : estimate_fraction(call->worst);
}

static struct estimate scaled_estimate(const struct call *call, double factor)
{
    struct estimate m = call->worst;
    m.value = fabs(m.value) * factor;
    return m;
}

static struct estimate instant_estimate(const struct call *call)
{
    struct estimate m = call->worst;
    m.text = call->n ? call->arg[call->n - 1].text : CLOCK_TEXT;
    m.digits = 0;
    return m;
}

/* One row for each element that the query's own text can make; data has as many
 * as it has. */
static struct estimate rows_estimate(const struct call *call)
{
    struct estimate m = estimate_rewritten(call->worst);
    double elements = fmax(call->arg[0].text, call->arg[0].made) / 2;
    m.rows = fmax(1, call->worst.rows) * fmax(1, elements);
    m.many = fmax(m.rows, call->arg[0].held);
    m.held = 0;
    return m;
}

static struct estimate hash_estimate(const struct call *call)
{
    struct estimate m = call->worst;
    m.text = m.digits = MAX_HASH;
    m.bytes = fmax(m.bytes, MAX_HASH);
    return m;
}

/* Only quoted text and V add digits that the number does not have. */
static struct estimate template_estimate(struct walk *walk,
                                         const struct call *call)
{
    struct str template = node_literal(json_array_get(call->args, 1));
    bool plain = template.ptr && str_find_char(template, '"') < 0 &&
                 str_find_nocase(template, STR("V")) < 0;
    struct estimate m =
        bounded_estimate(walk, call, call->sum.bytes, ESTIMATE_MAX_BYTES);
    if (!plain)
        return estimate_rewritten(m);
    m.text = call->arg[0].text > 0 ? call->sum.bytes : 0;
    /* a J makes the seven digits of a Julian day */
    m.digits = call->arg[0].text > 0 ? 7 * (double)template.len : 0;
    return m;
}

/* Counts, ranks and sums: bounded by the rows of FROM that the text makes. */
static struct estimate
total_estimate(struct walk *walk, const struct call *call, enum growth growth)
{
    double rows = walk->scope ? walk->scope->rows : 1;
    struct estimate m = call->worst;
    m.value = fmax(ESTIMATE_COLUMN_VALUE, rows);
    if (growth != TOTAL)
        return m;
    bool same = call->arg[0].exact; /* the same number in each row of a table */
    m.value = fabs(call->worst.value) * fmax(rows, 1);
    if (same && fabs(call->arg[0].value) > 1)
        m.value = fabs(call->arg[0].value) * fmax(rows, ESTIMATE_GROUP_MADE);
    return m;
}

static struct estimate power_estimate(struct walk *walk,
                                      const struct call *call)
{
    struct estimate m = estimate_arithmetic("^", 1, call->arg[0], call->arg[1]);
    if (estimate_exponent(call->arg[1]) > MAX_EXPONENT)
        return walk_refuse(walk, "too_costly", call->location,
                           "An exponent may be at most %d.", MAX_EXPONENT);
    return m;
}

static struct estimate factorial_estimate(struct walk *walk,
                                          const struct call *call)
{
    if (estimate_size(call->arg[0]) > MAX_FACTORIAL)
        return walk_refuse(walk, "too_costly", call->location,
                           "factorial takes at most %d here.", MAX_FACTORIAL);
    return number_estimate(call,
                           tgamma(fmin(estimate_size(call->arg[0]), 170) + 1));
}

static struct estimate part_estimate(const struct call *call)
{
    struct str part = node_literal(json_array_get(call->args, 0));
    bool large = !part.ptr || str_eq_nocase(part, STR("epoch")) ||
                 str_starts(part, STR("micro")) ||
                 str_starts(part, STR("julian")) ||
                 call->arg[1].value > ESTIMATE_DAYS;
    struct estimate m =
        number_estimate(call, large ? LARGE_PART : ESTIMATE_MAX_YEAR);
    m.text = large ? 12 : 4;
    m.digits = large ? 11 : 4; /* up to LARGE_PART */
    return m;
}

/* The rows that an aggregate keeps. DISTINCT keeps at most as many values of a
 * column as its FROM item has rows. */
static double kept_rows(const struct walk *walk, const struct call *call)
{
    double rows = call_rows(walk, call), most = 1;
    const json_t *first = json_array_get(call->args, 0);
    const json_t *second = json_array_get(call->args, 1);
    bool alone = !second || node_literal(second).ptr;
    if (!json_object_get(call->node, "agg_distinct") || !alone ||
        !node_inside(first, "ColumnRef"))
        return rows;
    for (struct walk_source *s = walk->scope ? walk->scope->sources : NULL; s;
         s = s->next)
        most = fmax(most, s->estimate.many);
    return fmin(rows, most);
}

static struct estimate collect_estimate(struct walk *walk,
                                        const struct call *call)
{
    double rows = walk->scope ? walk->scope->rows : 1;
    struct estimate m = estimate_collected(call->sum, rows);
    bounded_estimate(walk, call, m.bytes, ESTIMATE_MAX_BYTES);
    return cost_collected(walk, call->name, call->location, m,
                          kept_rows(walk, call));
}

static struct estimate summed_estimate(struct walk *walk,
                                       const struct call *call)
{
    struct estimate m =
        bounded_estimate(walk, call, call->sum.bytes, ESTIMATE_MAX_BYTES);
    m.made = call->sum.made;
    m.text = call->sum.text;
    m.digits = call->sum.digits;
    return m;
}

static struct estimate abs_estimate(const struct call *call)
{
    struct estimate m = call->arg[0];
    m.value = fabs(m.value);
    return m;
}

/* A slice whose length is not known counts as half of the text, so that
 * substr(s, 1, n) || x || substr(s, n + 2) is no longer than s. */
static struct estimate slice_estimate(const struct call *call, bool from_start)
{
    struct estimate m = call->worst;
    const struct estimate *length = &call->arg[from_start ? 1 : 2];
    m.bytes = call->arg[0].bytes / 2;
    m.made = call->arg[0].made / 2;
    if (call->n > (from_start ? 1 : 2) && length->exact) {
        m.bytes = fmin(call->arg[0].bytes, 4 * estimate_size(*length));
        m.made = fmin(call->arg[0].made, m.bytes);
    }
    return m;
}

/* All arguments in one text. */
static struct estimate joined_estimate(struct walk *walk,
                                       const struct call *call, double bytes)
{
    struct estimate m = bounded_estimate(walk, call, bytes, ESTIMATE_MAX_BYTES);
    m.text = call->sum.text;
    m.digits = call->sum.digits;
    return m;
}

/* At most two characters for each byte. */
static struct estimate encode_estimate(struct walk *walk,
                                       const struct call *call)
{
    struct estimate m = estimate_part(call->arg[0], call->worst);
    m.bytes =
        bounded_estimate(walk, call, call->arg[0].bytes * 2, ESTIMATE_MAX_BYTES)
            .bytes;
    return m;
}

static struct estimate text_estimate(struct walk *walk, const struct call *call,
                                     enum growth growth)
{
    const struct estimate *arg = call->arg;
    switch (growth) {
    case SUM:
        return summed_estimate(walk, call);
    case DOUBLE:
        return bounded_estimate(walk, call, call->worst.bytes * 2,
                                ESTIMATE_MAX_BYTES);
    case QUOTE:
        return joined_estimate(walk, call, call->sum.bytes * 2 + 32);
    case JOIN:
        return joined_estimate(walk, call,
                               call->sum.bytes + arg[0].bytes * arg[1].bytes +
                                   arg[0].bytes * arg[2].bytes);
    case REPEAT:
        return made_estimate(walk, call, arg[0].bytes * estimate_size(arg[1]),
                             arg[1]);
    case FILL: /* even an empty text is an element */
        return made_estimate(
            walk, call, fmax(arg[0].bytes, 1) * estimate_size(arg[1]), arg[1]);
    case PAD:
        return made_estimate(walk, call, estimate_size(arg[1]), arg[1]);
    case POLYGON:
        return bounded_estimate(
            walk, call, call->n > 1 ? 16 * estimate_size(arg[0]) : arg[0].bytes,
            MAX_POLYGON);
    case FORMAT:
        return format_estimate(walk, call);
    default:
        return replace_estimate(walk, call, growth == REGEXP_REPLACE);
    }
}

/* Is the second argument of substring a position and not a pattern? */
static bool is_number(const json_t *argument)
{
    static const char *const counts[] = {"position", "strpos", "length",
                                         "char_length", NULL};
    const json_t *constant = node_inside(argument, "A_Const");
    struct str symbol = node_last_name(
        json_object_get(node_inside(argument, "A_Expr"), "name"));
    return str_is_one_of(node_function(argument), counts) ||
           (constant && !json_object_get(constant, "sval")) ||
           (symbol.len == 1 && strchr("+-*/%", *symbol.ptr));
}

static void pattern_argument_check(struct walk *walk, const struct call *call,
                                   enum growth growth)
{
    const json_t *pattern = json_array_get(call->args, 1);
    if (growth == REGEXP || growth == REGEXP_ROWS || growth == REGEXP_REPLACE ||
        (growth == SUBSTRING && !is_number(pattern)))
        pattern_check(walk, pattern, call->location);
}

/* Growths whose answer is a number or a moment. */
static struct estimate numeric_estimate(const struct call *call,
                                        enum growth growth)
{
    switch (growth) {
    case DAY:
        return estimate_read_day(call->arg[0]);
    case YEARS:
        return scaled_estimate(call, DAYS_A_YEAR);
    case HUGE:
        return number_estimate(call, MAX_HUGE);
    case CODE:
        return number_estimate(call, MAX_CODE);
    case DEGREES:
        return scaled_estimate(call, 58);
    case PRODUCT:
        return estimate_arithmetic("*", 1, call->arg[0], call->arg[1]);
    case QUOTIENT:
        return estimate_arithmetic("/", 1, call->arg[0], call->arg[1]);
    case LOGARITHM:
        return logarithm_estimate(call);
    default:
        return instant_estimate(call);
    }
}

struct estimate call_estimate(struct walk *walk, const struct call *call,
                              enum growth growth)
{
    pattern_argument_check(walk, call, growth);
    cost_check_call(walk, call, growth);
    switch (growth) {
    case PLAIN:
    case AGGREGATE:
        return call->worst;
    case FRACTION:
    case MEAN:
        return estimate_fraction(call->worst);
    case CUT:
    case REGEXP:
        return estimate_part(call->arg[0], call->worst);
    case ENCODE:
        return encode_estimate(walk, call);
    case HASH:
        return hash_estimate(call);
    case OVERLAY:
        return estimate_rewritten(summed_estimate(walk, call));
    case KEEP:
        return call->arg[0];
    case NUMBER:
        return estimate_read(call->arg[0]);
    case READ:
        return estimate_read(estimate_rewritten(call->worst));
    case TEMPLATE:
        return template_estimate(walk, call);
    case ROWS:
    case REGEXP_ROWS:
        return rows_estimate(call);
    case READ_ROWS:
        return estimate_read(rows_estimate(call));
    case RANK:
    case COUNT:
    case TOTAL:
        return total_estimate(walk, call, growth);
    case ABS:
        return abs_estimate(call);
    case SLICE:
    case SUBSTRING:
        return estimate_part(call->arg[0],
                             slice_estimate(call, call->name.len <= 5));
    case UNIT:
        return number_estimate(call,
                               call->n > 1 ? fmax(4, call->worst.value) : 4);
    case LENGTH:
        return number_estimate(call, call->arg[0].bytes);
    case PART:
        return part_estimate(call);
    case POWER:
        return power_estimate(walk, call);
    case EXP:
        return number_estimate(call,
                               exp(fmin(estimate_size(call->arg[0]), 700)));
    case DAY:
    case YEARS:
    case INSTANT:
    case HUGE:
    case CODE:
    case DEGREES:
    case PRODUCT:
    case QUOTIENT:
    case LOGARITHM:
        return numeric_estimate(call, growth);
    case FACTORIAL:
        return factorial_estimate(walk, call);
    case SERIES:
        return series_estimate(walk, call->node, call->arg, call->n);
    case COLLECT:
        return collect_estimate(walk, call);
    default:
        return text_estimate(walk, call, growth);
    }
}
