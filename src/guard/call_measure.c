/* call_measure.c - how large may the answer of a call get? */
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

static struct measure bounded(struct walk *walk, const struct call *call,
                              double bytes, double most)
{
    struct measure m = call->worst;
    m.bytes = bytes;
    m.made = fmin(m.made, bytes);
    if (!(bytes <= most))
        return refuse(walk, "too_costly", call->location,
                      "%.*s may make about %.0f bytes here; keep it below "
                      "%.0f.",
                      STR_ARG(call->name), fmin(bytes, 1e18), most);
    return m;
}

/* Bytes that the call makes itself, as many as `count` says. */
static struct measure made(struct walk *walk, const struct call *call,
                           double bytes, struct measure count)
{
    struct measure m =
        bounded(walk, call, bytes,
                count.exact ? MEASURE_MAX_MADE : MEASURE_MAX_GUESSED);
    m.made = count.exact || bytes > MEASURE_MAX_MADE ? bytes : 0;
    m.text = fmax(m.text, bytes * fmin(1, call->sum.text));
    return measure_rewritten(m);
}

static struct measure number(const struct call *call, double value)
{
    struct measure m = call->worst;
    m.bytes = 32;
    m.held = 0;
    m.value = value;
    m.digits = log10(fmax(value, 1)) + 1;
    m.text = fmax(MEASURE_FRACTION, m.digits);
    return m;
}

/* The widths in a format string together; -1 when one is taken from an
 * argument. */
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

static struct measure format_measure(struct walk *walk, const struct call *call)
{
    struct str text = node_literal(json_array_get(call->args, 0));
    if (!text.ptr)
        return refuse(walk, "too_costly", call->location,
                      "format needs a literal as its first argument.");
    double widths = format_widths(text);
    if (widths < 0)
        return refuse(walk, "too_costly", call->location,
                      "A width in format must be written as a number, not *.");
    if (isinf(widths))
        return refuse(walk, "too_costly", call->location,
                      "A width in format may be at most %d.", MAX_WIDTH);
    struct measure m =
        bounded(walk, call, call->sum.bytes * 2 + widths, MEASURE_MAX_BYTES);
    m.text = call->sum.text + widths;
    return measure_rewritten(m);
}

/* How often longer a text gets when each `from` in it becomes `to`. */
static double replace_factor(const struct call *call)
{
    struct str from = node_literal(json_array_get(call->args, 1));
    double to = call->arg[2].bytes;
    double shortest = from.ptr ? (double)from.len : 1;
    return fmax(1, to / fmax(shortest, 1));
}

static struct measure replace_measure(struct walk *walk,
                                      const struct call *call, bool pattern)
{
    struct str flags = node_literal(json_array_get(call->args, 3));
    double factor = replace_factor(call);
    if (pattern) {
        bool once = call->n < 4 || (flags.ptr && str_find_char(flags, 'g') < 0);
        factor = once ? 1 : fmax(1, call->arg[2].bytes);
    }
    struct measure m =
        bounded(walk, call, call->arg[0].bytes * factor + call->arg[2].bytes,
                MEASURE_MAX_BYTES);
    m.text = call->arg[2].text > 0 && call->arg[0].text > 0
                 ? fmax(m.bytes, call->arg[0].text)
                 : call->arg[0].text + call->arg[2].text;
    m.digits = 0;
    return measure_rewritten(m);
}

/* To the base of nearly 1 a logarithm is as large as anybody likes. */
static struct measure logarithm_measure(const struct call *call)
{
    bool steep =
        call->n > 1 && !(call->arg[0].exact && call->arg[0].value >= 2);
    return steep ? number(call, MAX_HUGE) : measure_fraction(call->worst);
}

static struct measure scaled(const struct call *call, double factor)
{
    struct measure m = call->worst;
    m.value = fabs(m.value) * factor;
    return m;
}

static struct measure instant_measure(const struct call *call)
{
    struct measure m = call->worst;
    m.text = call->n ? call->arg[call->n - 1].text : CLOCK_TEXT;
    m.digits = 0;
    return m;
}

/* Elements of what the query itself has made; data is as large as it is. */
static struct measure rows_measure(const struct call *call)
{
    struct measure m = measure_rewritten(call->worst);
    double elements = fmax(call->arg[0].text, call->arg[0].made) / 2;
    m.rows = fmax(1, call->worst.rows) * fmax(1, elements);
    m.many = fmax(m.rows, call->arg[0].held);
    m.held = 0;
    return m;
}

static struct measure hash_measure(const struct call *call)
{
    struct measure m = call->worst;
    m.text = m.digits = MAX_HASH;
    m.bytes = fmax(m.bytes, MAX_HASH);
    return m;
}

/* Only quoted text, and V, make digits that the number does not have. */
static struct measure template_measure(struct walk *walk,
                                       const struct call *call)
{
    struct str template = node_literal(json_array_get(call->args, 1));
    bool plain = template.ptr && str_find_char(template, '"') < 0 &&
                 str_find_nocase(template, STR("V")) < 0;
    struct measure m = bounded(walk, call, call->sum.bytes, MEASURE_MAX_BYTES);
    if (!plain)
        return measure_rewritten(m);
    m.text = call->arg[0].text > 0 ? call->sum.bytes : 0;
    /* J alone is a day's number, of seven digits. */
    m.digits = call->arg[0].text > 0 ? 7 * (double)template.len : 0;
    return m;
}

/* Of a window, or of a group of rows that are made. */
static struct measure total_measure(struct walk *walk, const struct call *call,
                                    enum growth growth)
{
    double rows = walk->scope ? walk->scope->rows : 1;
    struct measure m = call->worst;
    m.value = fmax(MEASURE_COLUMN_VALUE, rows);
    if (growth != TOTAL)
        return m;
    bool same = call->arg[0].exact; /* in each row of a table */
    m.value = fabs(call->worst.value) * fmax(rows, 1);
    if (same && fabs(call->arg[0].value) > 1)
        m.value = fabs(call->arg[0].value) * fmax(rows, MEASURE_GROUP_MADE);
    return m;
}

static struct measure power_measure(struct walk *walk, const struct call *call)
{
    struct measure m = measure_arithmetic("^", 1, call->arg[0], call->arg[1]);
    if (measure_exponent(call->arg[1]) > MAX_EXPONENT)
        return refuse(walk, "too_costly", call->location,
                      "An exponent may be at most %d.", MAX_EXPONENT);
    return m;
}

static struct measure factorial_measure(struct walk *walk,
                                        const struct call *call)
{
    if (measure_size(call->arg[0]) > MAX_FACTORIAL)
        return refuse(walk, "too_costly", call->location,
                      "factorial takes at most %d here.", MAX_FACTORIAL);
    return number(call, tgamma(fmin(measure_size(call->arg[0]), 170) + 1));
}

static struct measure part_measure(const struct call *call)
{
    struct str part = node_literal(json_array_get(call->args, 0));
    bool large = !part.ptr || str_eq_nocase(part, STR("epoch")) ||
                 str_starts(part, STR("micro")) ||
                 str_starts(part, STR("julian")) ||
                 call->arg[1].value > MEASURE_DAYS;
    struct measure m = number(call, large ? LARGE_PART : MEASURE_MAX_YEAR);
    m.text = large ? 12 : 4;
    m.digits = large ? 11 : 4; /* up to LARGE_PART */
    return m;
}

/* DISTINCT keeps no more values of a column than its item has rows. */
static double kept_rows(const struct walk *walk, const struct call *call)
{
    double rows = call_rows(walk, call), most = 1;
    const json_t *first = json_array_get(call->args, 0);
    const json_t *second = json_array_get(call->args, 1);
    bool alone = !second || node_literal(second).ptr;
    if (!json_object_get(call->node, "agg_distinct") || !alone ||
        !node_inside(first, "ColumnRef"))
        return rows;
    for (struct source *s = walk->scope ? walk->scope->sources : NULL; s;
         s = s->next)
        most = fmax(most, s->measure.many);
    return fmin(rows, most);
}

static struct measure collect_measure(struct walk *walk,
                                      const struct call *call)
{
    double rows = walk->scope ? walk->scope->rows : 1;
    struct measure m = measure_collected(call->sum, rows);
    bounded(walk, call, m.bytes, MEASURE_MAX_BYTES);
    return cost_collected(walk, call->name, call->location, m,
                          kept_rows(walk, call));
}

static struct measure summed(struct walk *walk, const struct call *call)
{
    struct measure m = bounded(walk, call, call->sum.bytes, MEASURE_MAX_BYTES);
    m.made = call->sum.made;
    m.text = call->sum.text;
    m.digits = call->sum.digits;
    return m;
}

static struct measure abs_measure(const struct call *call)
{
    struct measure m = call->arg[0];
    m.value = fabs(m.value);
    return m;
}

/* substr(s, 1, n) || x || substr(s, n + 2) is no longer than s: a part is taken
 * for a half when its length is not known. */
static struct measure slice_measure(const struct call *call, bool from_start)
{
    struct measure m = call->worst;
    const struct measure *length = &call->arg[from_start ? 1 : 2];
    m.bytes = call->arg[0].bytes / 2;
    m.made = call->arg[0].made / 2;
    if (call->n > (from_start ? 1 : 2) && length->exact) {
        m.bytes = fmin(call->arg[0].bytes, 4 * measure_size(*length));
        m.made = fmin(call->arg[0].made, m.bytes);
    }
    return m;
}

/* All of them in one text. */
static struct measure joined(struct walk *walk, const struct call *call,
                             double bytes)
{
    struct measure m = bounded(walk, call, bytes, MEASURE_MAX_BYTES);
    m.text = call->sum.text;
    m.digits = call->sum.digits;
    return m;
}

/* Those that make text. */
/* Two letters for each byte at most, of the digits that it had. */
static struct measure encode_measure(struct walk *walk, const struct call *call)
{
    struct measure m = measure_part(call->arg[0], call->worst);
    m.bytes =
        bounded(walk, call, call->arg[0].bytes * 2, MEASURE_MAX_BYTES).bytes;
    return m;
}

static struct measure text_measure(struct walk *walk, const struct call *call,
                                   enum growth growth)
{
    const struct measure *arg = call->arg;
    switch (growth) {
    case SUM:
        return summed(walk, call);
    case DOUBLE:
        return bounded(walk, call, call->worst.bytes * 2, MEASURE_MAX_BYTES);
    case QUOTE:
        return joined(walk, call, call->sum.bytes * 2 + 32);
    case JOIN:
        return joined(walk, call,
                      call->sum.bytes + arg[0].bytes * arg[1].bytes +
                          arg[0].bytes * arg[2].bytes);
    case REPEAT:
        return made(walk, call, arg[0].bytes * measure_size(arg[1]), arg[1]);
    case FILL: /* an empty text is an element too */
        return made(walk, call, fmax(arg[0].bytes, 1) * measure_size(arg[1]),
                    arg[1]);
    case PAD:
        return made(walk, call, measure_size(arg[1]), arg[1]);
    case POLYGON:
        return bounded(walk, call,
                       call->n > 1 ? 16 * measure_size(arg[0]) : arg[0].bytes,
                       MAX_POLYGON);
    case FORMAT:
        return format_measure(walk, call);
    default:
        return replace_measure(walk, call, growth == REGEXP_REPLACE);
    }
}

/* substring(x from 2), and from where something else is. */
static bool is_number(const json_t *argument)
{
    static const char *const counts[] = {"position", "strpos", "length",
                                         "char_length", NULL};
    const json_t *constant = node_inside(argument, "A_Const");
    struct str symbol = node_last_name(
        json_object_get(node_inside(argument, "A_Expr"), "name"));
    return name_is_one_of(node_function(argument), counts) ||
           (constant && !json_object_get(constant, "sval")) ||
           (symbol.len == 1 && strchr("+-*/%", *symbol.ptr));
}

static void pattern_argument(struct walk *walk, const struct call *call,
                             enum growth growth)
{
    const json_t *pattern = json_array_get(call->args, 1);
    if (growth == REGEXP || growth == REGEXP_ROWS || growth == REGEXP_REPLACE ||
        (growth == SUBSTRING && !is_number(pattern)))
        pattern_check(walk, pattern, call->location);
}

/* Those that make numbers and moments. */
static struct measure number_measure(const struct call *call,
                                     enum growth growth)
{
    switch (growth) {
    case DAY:
        return measure_read_day(call->arg[0]);
    case YEARS:
        return scaled(call, DAYS_A_YEAR);
    case HUGE:
        return number(call, MAX_HUGE);
    case CODE:
        return number(call, MAX_CODE);
    case DEGREES:
        return scaled(call, 58);
    case PRODUCT:
        return measure_arithmetic("*", 1, call->arg[0], call->arg[1]);
    case QUOTIENT:
        return measure_arithmetic("/", 1, call->arg[0], call->arg[1]);
    case LOGARITHM:
        return logarithm_measure(call);
    default:
        return instant_measure(call);
    }
}

struct measure call_measure(struct walk *walk, const struct call *call,
                            enum growth growth)
{
    pattern_argument(walk, call, growth);
    cost_check_call(walk, call, growth);
    switch (growth) {
    case PLAIN:
    case AGGREGATE:
        return call->worst;
    case FRACTION:
    case MEAN:
        return measure_fraction(call->worst);
    case CUT:
    case REGEXP:
        return measure_part(call->arg[0], call->worst);
    case ENCODE:
        return encode_measure(walk, call);
    case HASH:
        return hash_measure(call);
    case OVERLAY:
        return measure_rewritten(summed(walk, call));
    case KEEP:
        return call->arg[0];
    case NUMBER:
        return measure_read(call->arg[0]);
    case READ:
        return measure_read(measure_rewritten(call->worst));
    case TEMPLATE:
        return template_measure(walk, call);
    case ROWS:
    case REGEXP_ROWS:
        return rows_measure(call);
    case READ_ROWS:
        return measure_read(rows_measure(call));
    case RANK:
    case COUNT:
    case TOTAL:
        return total_measure(walk, call, growth);
    case ABS:
        return abs_measure(call);
    case SLICE:
    case SUBSTRING:
        return measure_part(call->arg[0],
                            slice_measure(call, call->name.len <= 5));
    case UNIT:
        return number(call, call->n > 1 ? fmax(4, call->worst.value) : 4);
    case LENGTH:
        return number(call, call->arg[0].bytes);
    case PART:
        return part_measure(call);
    case POWER:
        return power_measure(walk, call);
    case EXP:
        return number(call, exp(fmin(measure_size(call->arg[0]), 700)));
    case DAY:
    case YEARS:
    case INSTANT:
    case HUGE:
    case CODE:
    case DEGREES:
    case PRODUCT:
    case QUOTIENT:
    case LOGARITHM:
        return number_measure(call, growth);
    case FACTORIAL:
        return factorial_measure(walk, call);
    case SERIES:
        return series_measure(walk, call->node, call->arg, call->n);
    case COLLECT:
        return collect_measure(walk, call);
    default:
        return text_measure(walk, call, growth);
    }
}
