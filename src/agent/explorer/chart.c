/* chart.c - see chart.h. The grammar is a table: each line is a member, the
 * places where it may be, and what its value may be. Writing goes member by
 * member, so nothing comes through that the table does not know. */
#include "chart.h"
#include "base/utf8.h"
#include "chart_words.h"
#include "slice.h"
#include <math.h>
#include <string.h>
#include "base/banned.h"

/* Where a member may be; bits. */
enum chart_place {
    IN_TOP = 1 << 0,
    IN_LAYER = 1 << 1,
    IN_MARK = 1 << 2,
    IN_POSITION = 1 << 3, /* x, y */
    IN_ANGLE = 1 << 4,    /* theta, radius */
    IN_SECOND = 1 << 5,   /* x2, y2 */
    IN_OFFSET = 1 << 6,   /* xOffset, yOffset */
    IN_LEGENDED = 1 << 7, /* color, size, shape, opacity, strokeDash … */
    IN_PLAIN = 1 << 8,    /* tooltip, text */
    IN_DETAIL = 1 << 9,
    IN_ORDER = 1 << 10,
    IN_FACET = 1 << 11, /* row, column */
    IN_ENCODING = 1 << 12,
    IN_AXIS = 1 << 13,
    IN_LEGEND = 1 << 14,
    IN_SCALE = 1 << 15,
    IN_BIN = 1 << 16,
    IN_SORT = 1 << 17,
    IN_HEADER = 1 << 18,
    IN_STACKED = IN_POSITION | IN_ANGLE,
    IN_CHANNEL = IN_POSITION | IN_ANGLE | IN_SECOND | IN_OFFSET | IN_LEGENDED |
                 IN_PLAIN | IN_DETAIL | IN_ORDER | IN_FACET,
    IN_TYPED = IN_CHANNEL & ~IN_SECOND,
    IN_SCALED = IN_STACKED | IN_OFFSET | IN_LEGENDED,
};

/* What a value may be; bits. */
enum chart_value {
    A_BOOL = 1 << 0,
    A_NUMBER = 1 << 1, /* between `least` and `most` */
    A_TEXT = 1 << 2,   /* words for people */
    A_FORMAT = 1 << 3, /* of numbers and times */
    A_COLOUR = 1 << 4,
    A_WORD = 1 << 5, /* one of `words` */
    A_NULL = 1 << 6,
    A_FIELD = 1 << 7,
    AN_OBJECT = 1 << 8,  /* with the members of the place `inside` */
    A_LIST = 1 << 9,     /* of texts and numbers */
    A_PALETTE = 1 << 10, /* of colours, or of numbers */
    A_MARK = 1 << 12,
    A_LAYER_LIST = 1 << 13,
    A_CHANNEL_LIST = 1 << 14, /* objects of the place `inside` */
};

struct chart_member {
    const char *name;
    unsigned where, what;
    const char *const *words;
    unsigned inside;
    double least, most;
};

static const struct chart_member members[] = {
    {"width", IN_TOP, A_NUMBER, NULL, 0, 10, CHART_SIDE},
    {"height", IN_TOP, A_NUMBER, NULL, 0, 10, CHART_SIDE},
    {"mark", IN_TOP | IN_LAYER, A_MARK, NULL, IN_MARK, 0, 0},
    {"encoding", IN_TOP | IN_LAYER, AN_OBJECT, NULL, IN_ENCODING, 0, 0},
    {"layer", IN_TOP, A_LAYER_LIST, NULL, IN_LAYER, 0, 0},
    /* marks */
    {"tooltip", IN_MARK, A_BOOL, NULL, 0, 0, 0},
    {"point", IN_MARK, A_BOOL, NULL, 0, 0, 0},
    {"line", IN_MARK, A_BOOL, NULL, 0, 0, 0},
    {"filled", IN_MARK, A_BOOL, NULL, 0, 0, 0},
    {"color", IN_MARK, A_COLOUR, NULL, 0, 0, 0},
    {"fill", IN_MARK, A_COLOUR, NULL, 0, 0, 0},
    {"stroke", IN_MARK, A_COLOUR, NULL, 0, 0, 0},
    {"opacity", IN_MARK, A_NUMBER, NULL, 0, 0, 1},
    {"fillOpacity", IN_MARK, A_NUMBER, NULL, 0, 0, 1},
    {"strokeOpacity", IN_MARK, A_NUMBER, NULL, 0, 0, 1},
    {"strokeWidth", IN_MARK, A_NUMBER, NULL, 0, 0, 50},
    {"size", IN_MARK, A_NUMBER, NULL, 0, 0, 10000},
    {"cornerRadius", IN_MARK, A_NUMBER, NULL, 0, 0, 100},
    {"innerRadius", IN_MARK, A_NUMBER, NULL, 0, 0, CHART_SIDE},
    {"outerRadius", IN_MARK, A_NUMBER, NULL, 0, 0, CHART_SIDE},
    {"padAngle", IN_MARK, A_NUMBER, NULL, 0, 0, 1},
    {"fontSize", IN_MARK, A_NUMBER, NULL, 0, 1, 72},
    {"dx", IN_MARK, A_NUMBER, NULL, 0, -500, 500},
    {"dy", IN_MARK, A_NUMBER, NULL, 0, -500, 500},
    {"interpolate", IN_MARK, A_WORD, chart_curves, 0, 0, 0},
    {"orient", IN_MARK, A_WORD, chart_directions, 0, 0, 0},
    {"align", IN_MARK, A_WORD, chart_alignments, 0, 0, 0},
    {"baseline", IN_MARK, A_WORD, chart_baselines, 0, 0, 0},
    {"shape", IN_MARK, A_WORD, chart_shapes, 0, 0, 0},
    /* channels */
    {"x", IN_ENCODING, AN_OBJECT, NULL, IN_POSITION, 0, 0},
    {"y", IN_ENCODING, AN_OBJECT, NULL, IN_POSITION, 0, 0},
    {"theta", IN_ENCODING, AN_OBJECT, NULL, IN_ANGLE, 0, 0},
    {"radius", IN_ENCODING, AN_OBJECT, NULL, IN_ANGLE, 0, 0},
    {"x2", IN_ENCODING, AN_OBJECT, NULL, IN_SECOND, 0, 0},
    {"y2", IN_ENCODING, AN_OBJECT, NULL, IN_SECOND, 0, 0},
    {"xOffset", IN_ENCODING, AN_OBJECT, NULL, IN_OFFSET, 0, 0},
    {"yOffset", IN_ENCODING, AN_OBJECT, NULL, IN_OFFSET, 0, 0},
    {"color", IN_ENCODING, AN_OBJECT, NULL, IN_LEGENDED, 0, 0},
    {"fill", IN_ENCODING, AN_OBJECT, NULL, IN_LEGENDED, 0, 0},
    {"stroke", IN_ENCODING, AN_OBJECT, NULL, IN_LEGENDED, 0, 0},
    {"opacity", IN_ENCODING, AN_OBJECT, NULL, IN_LEGENDED, 0, 0},
    {"size", IN_ENCODING, AN_OBJECT, NULL, IN_LEGENDED, 0, 0},
    {"shape", IN_ENCODING, AN_OBJECT, NULL, IN_LEGENDED, 0, 0},
    {"strokeDash", IN_ENCODING, AN_OBJECT, NULL, IN_LEGENDED, 0, 0},
    {"tooltip", IN_ENCODING, AN_OBJECT | A_CHANNEL_LIST, NULL, IN_PLAIN, 0, 0},
    {"text", IN_ENCODING, AN_OBJECT, NULL, IN_PLAIN, 0, 0},
    {"detail", IN_ENCODING, AN_OBJECT | A_CHANNEL_LIST, NULL, IN_DETAIL, 0, 0},
    {"order", IN_ENCODING, AN_OBJECT, NULL, IN_ORDER, 0, 0},
    {"row", IN_ENCODING, AN_OBJECT, NULL, IN_FACET, 0, 0},
    {"column", IN_ENCODING, AN_OBJECT, NULL, IN_FACET, 0, 0},
    /* what a channel shows */
    {"field", IN_CHANNEL, A_FIELD, NULL, 0, 0, 0},
    {"type", IN_TYPED, A_WORD, chart_types, 0, 0, 0},
    {"aggregate", IN_CHANNEL, A_WORD, chart_aggregates, 0, 0, 0},
    {"timeUnit", IN_CHANNEL, A_WORD, chart_time_units, 0, 0, 0},
    {"bin", IN_TYPED & ~IN_DETAIL & ~IN_ORDER, A_BOOL | AN_OBJECT, NULL, IN_BIN,
     0, 0},
    {"title", IN_CHANNEL & ~IN_SECOND, A_TEXT | A_NULL, NULL, 0, 0, 0},
    {"sort", IN_SCALED, A_WORD | A_NULL | A_LIST | AN_OBJECT, chart_sorts,
     IN_SORT, 0, 0},
    {"sort", IN_FACET | IN_ORDER, A_WORD, chart_orders, 0, 0, 0},
    {"stack", IN_STACKED, A_WORD | A_BOOL | A_NULL, chart_stacks, 0, 0, 0},
    {"scale", IN_SCALED, AN_OBJECT | A_NULL, NULL, IN_SCALE, 0, 0},
    {"axis", IN_POSITION, AN_OBJECT | A_NULL, NULL, IN_AXIS, 0, 0},
    {"legend", IN_LEGENDED, AN_OBJECT | A_NULL, NULL, IN_LEGEND, 0, 0},
    {"header", IN_FACET, AN_OBJECT, NULL, IN_HEADER, 0, 0},
    {"format", IN_PLAIN, A_FORMAT, NULL, 0, 0, 0},
    /* axes, legends, scales */
    {"title", IN_AXIS | IN_LEGEND | IN_HEADER, A_TEXT | A_NULL, NULL, 0, 0, 0},
    {"format", IN_AXIS | IN_LEGEND, A_FORMAT, NULL, 0, 0, 0},
    {"grid", IN_AXIS, A_BOOL, NULL, 0, 0, 0},
    {"labels", IN_AXIS, A_BOOL, NULL, 0, 0, 0},
    {"ticks", IN_AXIS, A_BOOL, NULL, 0, 0, 0},
    {"domain", IN_AXIS, A_BOOL, NULL, 0, 0, 0},
    {"labelAngle", IN_AXIS, A_NUMBER, NULL, 0, -360, 360},
    {"labelLimit", IN_AXIS | IN_LEGEND, A_NUMBER, NULL, 0, 0, 1000},
    {"tickCount", IN_AXIS | IN_LEGEND, A_NUMBER, NULL, 0, 0, 100},
    {"orient", IN_AXIS, A_WORD, chart_sides, 0, 0, 0},
    {"orient", IN_LEGEND, A_WORD, chart_corners, 0, 0, 0},
    {"type", IN_SCALE, A_WORD, chart_scales, 0, 0, 0},
    {"zero", IN_SCALE, A_BOOL, NULL, 0, 0, 0},
    {"nice", IN_SCALE, A_BOOL, NULL, 0, 0, 0},
    {"clamp", IN_SCALE, A_BOOL, NULL, 0, 0, 0},
    {"reverse", IN_SCALE, A_BOOL, NULL, 0, 0, 0},
    {"domain", IN_SCALE, A_LIST, NULL, 0, 0, 0},
    {"range", IN_SCALE, A_PALETTE, NULL, 0, 0, 0},
    {"scheme", IN_SCALE, A_WORD, chart_schemes, 0, 0, 0},
    {"padding", IN_SCALE, A_NUMBER, NULL, 0, 0, 100},
    {"maxbins", IN_BIN, A_NUMBER, NULL, 0, 2, 200},
    {"step", IN_BIN, A_NUMBER, NULL, 0, 1e-9, 1e15},
    {"field", IN_SORT, A_FIELD, NULL, 0, 0, 0},
    {"op", IN_SORT, A_WORD, chart_aggregates, 0, 0, 0},
    {"order", IN_SORT, A_WORD, chart_orders, 0, 0, 0},
};

/* ---- refusals ----------------------------------------------------------- */

static bool refuse_chart(struct chart_check *c, const char *why)
{
    if (!c->problem.len)
        c->problem = str_of(why);
    return false;
}

static bool is_word_of(const char *const *words, struct str s)
{
    for (; words && *words; words++)
        if (str_is(s, *words))
            return true;
    return false;
}

/* Members that refuse the whole wherever they are. */
static const struct {
    const char *name, *why;
} refused[] = {
    {"url", "A chart may not load anything: leave `url` out. The rows of "
            "sqlQuery are its data."},
    {"href", "A chart may not link anywhere: leave `href` out."},
    {"expr",
     "A chart may not have expressions: compute the value in sqlQuery."},
    {"signal", "A chart may not have signals."},
    {"calculate", "A chart may not compute: do it in sqlQuery."},
    {"transform", "A chart may not have transforms: do it in sqlQuery."},
    {"params", "A chart may not have parameters."},
    {"selection", "A chart may not have selections."},
    {"datasets", "A chart may not bring data of its own."},
    {"usermeta", "A chart may not have usermeta."},
    {"labelExpr", "A chart may not have expressions: leave labelExpr out."},
    {"projection", "A chart may not be a map."},
    {"condition", "A chart may not have conditions: compute the value in "
                  "sqlQuery."},
    {"test", "A chart may not have conditions."},
    {"hconcat", "One chart at a time: make several calls."},
    {"vconcat", "One chart at a time: make several calls."},
    {"concat", "One chart at a time: make several calls."},
    {"repeat", "One chart at a time: make several calls."},
    {"facet", "Use the channels row and column instead of facet."},
    {"lookup", "A chart may not look up other data."},
    {NULL, NULL}};

/* Looks at every member of the value. */
static bool is_harmless(struct chart_check *c, struct str v, int depth)
{
    struct scan s = scan_of(v);
    struct str key = STR("");
    bool object = slice_kind(v) == '{';
    if (!object && slice_kind(v) != '[')
        return true;
    if (depth == CHART_DEPTH)
        return refuse_chart(c, "The specification is nested too deeply.");
    if (object ? !scan_object(&s) : !scan_array(&s))
        return true;
    while (object ? scan_member(&s, &key) : scan_element(&s)) {
        struct str item = scan_skip(&s);
        for (size_t i = 0; object && refused[i].name; i++)
            if (str_is(key, refused[i].name))
                return refuse_chart(c, refused[i].why);
        bool rows = depth == 0 && str_is(key, "data"); /* judged apart */
        if (!rows && !is_harmless(c, item, depth + 1))
            return false;
    }
    return true;
}

/* ---- values ------------------------------------------------------------- */

static void put_words(struct chart_check *c, struct json_writer *w,
                      struct str text)
{
    struct buf out;
    buf_init(&out, c->arena);
    utf8_put_plain(&out, utf8_first(text, CHART_TEXT));
    json_put_str(w, buf_view(&out));
}

/* Of d3-format and d3-time-format: no more than their letters need. */
static bool is_format(struct str s)
{
    if (!s.len || s.len > 40)
        return false;
    for (size_t i = 0; i < s.len; i++)
        if (!str_is_alnum(s.ptr[i]) && !strchr(" .,~%$+-/:()_*#<>=^", s.ptr[i]))
            return false;
    return true;
}

static bool is_colour(struct str s)
{
    size_t i = 0;
    if (!s.len || s.len > 40)
        return false;
    if (s.ptr[0] == '#') {
        for (i = 1; i < s.len && str_hex_digit(s.ptr[i]) >= 0; i++)
            continue;
        return i == s.len && (s.len == 4 || s.len == 7 || s.len == 9);
    }
    return is_word_of(chart_colours, s);
}

static void note_field(struct chart_check *c, struct str name)
{
    for (size_t i = 0; i < c->n_fields; i++)
        if (str_eq(c->fields[i], name))
            return;
    if (c->n_fields < CHART_FIELDS)
        c->fields[c->n_fields++] = arena_str(c->arena, name);
    else
        refuse_chart(c, "The chart names too many columns.");
}

/* A name as models write it: perhaps with the backslashes that Vega wants. */
static struct str plain_field(struct chart_check *c, struct str name)
{
    struct buf out;
    if (str_find_char(name, '\\') < 0)
        return name;
    buf_init(&out, c->arena);
    for (size_t i = 0; i < name.len; i++) {
        bool escapes = name.ptr[i] == '\\' && i + 1 < name.len &&
                       strchr(".[]\\'\"", name.ptr[i + 1]);
        i += escapes;
        buf_char(&out, name.ptr[i]);
    }
    return buf_finish(&out);
}

/* Dots and brackets are paths in Vega; a column's name has none. */
static void put_field(struct chart_check *c, struct json_writer *w,
                      struct str text)
{
    struct buf out;
    struct str name = plain_field(c, text);
    buf_init(&out, c->arena);
    for (size_t i = 0; i < name.len; i++) {
        if (name.ptr[i] && strchr(".[]\\'\"", name.ptr[i]))
            buf_char(&out, '\\');
        buf_char(&out, name.ptr[i]);
    }
    note_field(c, name);
    json_put_str(w, buf_view(&out));
}

static bool is_plain_value(struct str v)
{
    return (slice_is_number(v) && isfinite(slice_real(v))) ||
           slice_is_bool(v) || slice_kind(v) == '"';
}

static void put_plain_value(struct chart_check *c, struct json_writer *w,
                            struct str v)
{
    if (slice_kind(v) == '"')
        json_put_str(w, utf8_first(slice_text(c->arena, v), CHART_TEXT));
    else if (slice_is_bool(v))
        json_put_bool(w, str_is(v, "true"));
    else
        json_put_real(w, slice_real(v));
}

/* Numbers or texts, all of one type, as the schema wants them. */
static bool is_list(struct chart_check *c, struct str v, bool colours)
{
    size_t n = slice_count(v);
    struct scan s = scan_of(v);
    char kind = '\0';
    if (!n || n > CHART_LIST || !scan_array(&s))
        return false;
    while (scan_element(&s)) {
        struct str item = scan_skip(&s);
        char this = slice_is_number(item) ? '0' : slice_kind(item);
        if (!is_plain_value(item) || slice_is_bool(item) ||
            (kind && kind != this) ||
            (colours && this == '"' && !is_colour(slice_text(c->arena, item))))
            return false;
        kind = this;
    }
    return true;
}

static void put_list(struct chart_check *c, struct json_writer *w, struct str v)
{
    struct scan s = scan_of(v);
    json_put_array(w);
    if (scan_array(&s))
        while (scan_element(&s))
            put_plain_value(c, w, scan_skip(&s));
    json_put_array_end(w);
}

/* ---- members ------------------------------------------------------------ */

static void put_members(struct chart_check *c, struct json_writer *w,
                        struct str object, unsigned place);

/* Enters the array before its first element, and moves to the next one. */
static bool scan_array_next(struct scan *s, size_t n)
{
    return (n || scan_array(s)) && scan_element(s);
}

static void put_key_of(struct json_writer *w, const struct chart_member *m)
{
    json_put_key(w, m->name);
}

/* Values that are texts. */
static bool put_text_value(struct chart_check *c, struct json_writer *w,
                           const struct chart_member *m, struct str v)
{
    struct str s = slice_text(c->arena, v);
    bool words = m->what & A_WORD && is_word_of(m->words, s);
    bool format = m->what & A_FORMAT && is_format(s);
    bool colour = m->what & A_COLOUR && is_colour(s);
    if (m->what & A_FIELD && s.len && utf8_count(s) <= 255) {
        put_key_of(w, m);
        put_field(c, w, s);
    } else if (words || format || colour) {
        put_key_of(w, m);
        json_put_str(w, s);
    } else if (m->what & A_TEXT) {
        put_key_of(w, m);
        put_words(c, w, s);
    } else {
        return false;
    }
    return true;
}

static bool put_number_value(struct json_writer *w,
                             const struct chart_member *m, struct str v)
{
    double d = slice_real(v);
    bool fits = m->what & A_NUMBER && d >= m->least && d <= m->most;
    if (!fits)
        return false;
    put_key_of(w, m);
    json_put_real(w, d);
    return true;
}

static void put_layers(struct chart_check *c, struct json_writer *w,
                       struct str v)
{
    size_t n = slice_count(v);
    struct scan s = scan_of(v);
    if (!n || n > CHART_LAYERS || !scan_array(&s)) {
        refuse_chart(c, "A chart has 1 to 8 layers.");
        return;
    }
    json_field_array(w, "layer");
    while (scan_element(&s)) {
        struct str layer = scan_skip(&s);
        if (!slice_get(layer, "mark").len)
            refuse_chart(c, "Each layer needs a mark.");
        json_put_object(w);
        put_members(c, w, layer, IN_LAYER);
        json_put_object_end(w);
    }
    json_put_array_end(w);
}

static void put_mark(struct chart_check *c, struct json_writer *w, struct str v)
{
    struct str type =
        slice_text(c->arena, slice_kind(v) == '{' ? slice_get(v, "type") : v);
    if (!is_word_of(chart_marks, type)) {
        refuse_chart(c, str_is(type, "image")
                            ? "A chart may not show images."
                            : "The mark has to be bar, line, area, point, "
                              "circle, square, arc, rect, rule, tick, text, "
                              "trail or boxplot.");
        return;
    }
    json_field_object(w, "mark");
    json_field_str(w, "type", type);
    if (slice_kind(v) == '{' && !str_is(type, "boxplot"))
        put_members(c, w, v, IN_MARK);
    json_put_object_end(w);
}

static void put_channels(struct chart_check *c, struct json_writer *w,
                         const struct chart_member *m, struct str v)
{
    struct scan s = scan_of(v);
    put_key_of(w, m);
    json_put_array(w);
    for (size_t n = 0; scan_array_next(&s, n); n++) {
        struct str item = scan_skip(&s);
        if (n >= CHART_FIELDS || !slice_get_text(c->arena, item, "field").len)
            continue;
        json_put_object(w);
        put_members(c, w, item, m->inside);
        json_put_object_end(w);
    }
    json_put_array_end(w);
}

/* {"value": …} instead of a field: constants, by the channel. */
static bool put_constant(struct chart_check *c, struct json_writer *w,
                         const struct chart_member *m, struct str channel)
{
    struct str v = slice_get(channel, "value");
    bool colour = !strcmp(m->name, "color") || !strcmp(m->name, "fill") ||
                  !strcmp(m->name, "stroke");
    bool number = !strcmp(m->name, "size") || !strcmp(m->name, "opacity") ||
                  m->inside == IN_POSITION;
    bool fits = colour ? is_colour(slice_text(c->arena, v))
                       : number && fabs(slice_real(v)) <= 10000;
    if (!fits)
        return false;
    put_key_of(w, m);
    json_put_object(w);
    json_put_key(w, "value");
    put_plain_value(c, w, v);
    json_put_object_end(w);
    return true;
}

static bool is_channel(const struct chart_member *m)
{
    return m->where == IN_ENCODING;
}

/* A channel without a field or a count shows nothing. */
static bool put_object_value(struct chart_check *c, struct json_writer *w,
                             const struct chart_member *m, struct str v)
{
    struct str field = slice_get_text(c->arena, v, "field");
    struct str aggregate = slice_get_text(c->arena, v, "aggregate");
    bool shows = field.len || str_is(aggregate, "count");
    if (is_channel(m) && slice_get(v, "value").len)
        return put_constant(c, w, m, v);
    if ((is_channel(m) && !shows) || (m->inside == IN_SORT && !field.len))
        return false;
    put_key_of(w, m);
    json_put_object(w);
    put_members(c, w, v, m->inside);
    json_put_object_end(w);
    return true;
}

/* False: the value is none that the member may have; it is left out. */
static bool put_member(struct chart_check *c, struct json_writer *w,
                       const struct chart_member *m, struct str v)
{
    if (m->what & A_MARK) {
        put_mark(c, w, v);
        return true;
    }
    if (m->what & A_LAYER_LIST) {
        put_layers(c, w, v);
        return true;
    }
    if (slice_kind(v) == '"')
        return put_text_value(c, w, m, v);
    if (slice_is_number(v))
        return put_number_value(w, m, v);
    if (slice_kind(v) == '{' && m->what & AN_OBJECT)
        return put_object_value(c, w, m, v);
    bool plain = (slice_is_bool(v) && m->what & A_BOOL) ||
                 (str_is(v, "null") && m->what & A_NULL);
    bool list = (m->what & A_LIST && is_list(c, v, false)) ||
                (m->what & A_PALETTE && is_list(c, v, true));
    if (slice_kind(v) == '[' && m->what & A_CHANNEL_LIST) {
        put_channels(c, w, m, v);
        return true;
    }
    if (!plain && !list)
        return false;
    put_key_of(w, m);
    if (list)
        put_list(c, w, v);
    else if (str_is(v, "null"))
        json_put_null(w);
    else
        json_put_bool(w, str_is(v, "true"));
    return true;
}

static void put_members(struct chart_check *c, struct json_writer *w,
                        struct str object, unsigned place)
{
    const struct chart_member *end = members + sizeof members / sizeof *members;
    for (const struct chart_member *m = members; m < end; m++) {
        struct str v = slice_get(object, m->name);
        if (m->where & place && v.len)
            put_member(c, w, m, v);
    }
}

/* ---- the whole ---------------------------------------------------------- */

bool chart_type_known(struct str type)
{
    static const char *const types[] = {"bar",  "line", "scatter",
                                        "area", "pie",  NULL};
    return is_word_of(types, type);
}

/* Rows in `data` are dropped: those of the query take their place. */
static bool has_other_data(struct str spec)
{
    struct str data = slice_get(spec, "data");
    if (!data.len || str_is(data, "null") || slice_get(data, "url").len)
        return slice_get(data, "url").len > 0;
    return !slice_get(data, "values").len && !slice_get(data, "name").len &&
           slice_kind(data) == '{' && str_find_char(data, ':') >= 0;
}

/* A specification without a mark gets that of the chart's type. */
static const char *mark_of(struct str type)
{
    return str_is(type, "scatter") ? "point"
           : str_is(type, "pie")   ? "arc"
           : str_is(type, "line")  ? "line"
           : str_is(type, "area")  ? "area"
                                   : "bar";
}

static bool is_ready(struct chart_check *c)
{
    struct str spec = c->spec;
    if (slice_kind(spec) != '{')
        return refuse_chart(c, "vegaLiteSpec has to be a JSON object.");
    if (!is_harmless(c, spec, 0))
        return false;
    if (has_other_data(spec))
        return refuse_chart(c, "The data of a chart are the rows of sqlQuery: "
                               "leave `data` out.");
    if (!slice_get(spec, "layer").len && !slice_get(spec, "encoding").len)
        return refuse_chart(c, "The chart needs an encoding.");
    return true;
}

bool chart_check(struct chart_check *c)
{
    struct buf out;
    struct json_writer w;
    c->n_fields = 0;
    c->problem = c->text = STR("");
    if (!is_ready(c))
        return false;
    buf_init(&out, c->arena);
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_text(&w, "$schema",
                    "https://vega.github.io/schema/vega-lite/v6.json");
    json_put_key(&w, "title");
    put_words(c, &w, c->title);
    if (!slice_get(c->spec, "mark").len && !slice_get(c->spec, "layer").len)
        json_field_text(&w, "mark", mark_of(c->chart_type));
    put_members(c, &w, c->spec, IN_TOP);
    json_put_object_end(&w);
    if (!c->problem.len && !c->n_fields)
        refuse_chart(c, "The chart shows no column: name the columns of "
                        "sqlQuery in `field`.");
    c->text = buf_finish(&out);
    return !c->problem.len;
}
