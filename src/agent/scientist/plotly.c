/* plotly.c - see plotly.h. The text is read once and written again, value by
 * value, so nothing of it comes through that was not looked at. */
#include "plotly.h"
#include "base/json.h"
#include "base/scan.h"
#include "base/utf8.h"
#include <string.h>
#include "base/banned.h"

enum {
    MEMBERS_IN_ALL = 50000, /* compared with those of the same object */
    SIDE_LEAST = 50,        /* pixels of a figure that asks for a size */
    SIDE_MOST = 2000,
    KEY_MOST = 60,
};

struct plotly_figure {
    struct scan scan;
    struct json_writer out;
    struct buf text, clean; /* of one string */
    size_t members;
    bool has_traces;
    const char *why;
};

/* Where in the figure a value is. */
enum plotly_place { THE_FIGURE, TRACES, TRACE, LAYOUT, WITHIN };

static void put_value(struct plotly_figure *g, enum plotly_place place,
                      int depth);

static void refuse(struct plotly_figure *g, const char *why)
{
    if (!g->why)
        g->why = why;
    g->scan.bad = true;
    g->scan.at = g->scan.end;
}

/* ---- texts -------------------------------------------------------------- */

/* Whether the text has the word, which has its first letter once, whatever
 * case it has, and however many blanks are in between. */
static bool has_scheme(struct str s, const char *word)
{
    size_t at = 0;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if ((unsigned char)c <= ' ' || c == 0x7f)
            continue;
        c = str_lower_char(c);
        at = c == word[at] ? at + 1 : c == word[0] ? 1 : 0;
        if (!word[at])
            return true;
    }
    return false;
}

/* The length of the tag that the text begins with, if Plotly draws it and it
 * has no attributes; 0: none. */
static size_t plain_tag(struct str s)
{
    static const char *const tags[] = {
        "<br>", "<br/>", "<br />", "<b>",     "</b>",     "<i>",    "</i>",
        "<em>", "</em>", "<sub>",  "</sub>",  "<sup>",    "</sup>", "<u>",
        "</u>", "<s>",   "</s>",   "<extra>", "</extra>", NULL};
    if (s.len < 3 || !strchr("biesu/", s.ptr[1]))
        return 0;
    for (const char *const *t = tags; *t; t++)
        if (s.ptr[1] == (*t)[1] && str_starts(s, str_of(*t)))
            return str_of(*t).len;
    return 0;
}

static bool opens_tag(struct str s)
{
    char c = s.len > 1 ? s.ptr[1] : '\0';
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/' ||
           c == '!' || c == '?';
}

static bool is_control(char c)
{
    return ((unsigned char)c < ' ' && c != '\n') || c == 0x7f;
}

static bool is_plain(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] == '<' || is_control(s.ptr[i]))
            return false;
    return true;
}

/* The text as Plotly may draw it, until the next one. */
static struct str harmless(struct plotly_figure *g, struct str s)
{
    struct buf *out = &g->clean;
    if (str_find_char(s, ':') >= 0 &&
        (has_scheme(s, "javascript:") || has_scheme(s, "vbscript:")))
        return STR("");
    if (is_plain(s))
        return s;
    buf_clear(out);
    for (size_t i = 0, n; i < s.len; i += n) {
        char c = s.ptr[i];
        struct str rest = str_from(s, i);
        n = c == '<' ? plain_tag(rest) : 0;
        if (n) {
            buf_bytes(out, rest.ptr, n);
            continue;
        }
        n = 1;
        if (c == '<' && opens_tag(rest))
            buf_text(out, "&lt;");
        else
            buf_char(out, is_control(c) ? ' ' : c);
    }
    return buf_view(out);
}

static void put_text(struct plotly_figure *g)
{
    buf_clear(&g->text);
    scan_string(&g->scan, &g->text);
    struct str s = utf8_cut(buf_view(&g->text), PLOTLY_TEXT);
    json_put_str(&g->out, harmless(g, s));
}

/* ---- numbers ------------------------------------------------------------ */

static size_t digits(struct str s, size_t at)
{
    while (at < s.len && s.ptr[at] >= '0' && s.ptr[at] <= '9')
        at++;
    return at;
}

static bool is_at(struct str s, size_t at, const char *any)
{
    return at < s.len && s.ptr[at] && strchr(any, s.ptr[at]);
}

enum number_kind { NO_NUMBER, A_NUMBER, A_LARGE_INTEGER, TOO_LARGE };

/* Readers of JSON refuse integers of more than 64 bits, and reals beyond those
 * of a double. */
static enum number_kind number_of(struct str s)
{
    enum { SAFE_DIGITS = 18, SAFE_POWER = 2, DIGITS_MOST = 40 };
    size_t start = is_at(s, 0, "-"), at = digits(s, start);
    size_t whole = at - start, power = 0;
    if (!whole || (whole > 1 && s.ptr[start] == '0'))
        return NO_NUMBER;
    bool real = is_at(s, at, ".");
    if (real) {
        start = at + 1;
        at = digits(s, start);
        if (at == start)
            return NO_NUMBER;
    }
    if (is_at(s, at, "eE")) {
        real = true;
        start = at + 1 + is_at(s, at + 1, "+-");
        at = digits(s, start);
        power = at - start;
        if (!power)
            return NO_NUMBER;
    }
    if (at != s.len)
        return NO_NUMBER;
    if (whole > DIGITS_MOST || power > SAFE_POWER)
        return TOO_LARGE;
    return real || whole <= SAFE_DIGITS ? A_NUMBER : A_LARGE_INTEGER;
}

static void put_scalar(struct plotly_figure *g)
{
    static const char *const words[] = {"true", "false", "null", NULL};
    struct str s = scan_skip(&g->scan);
    enum number_kind kind = number_of(s);
    if (kind == NO_NUMBER && !str_is_one_of(s, words))
        refuse(g, "is not valid JSON");
    else if (kind == TOO_LARGE)
        json_put_null(&g->out);
    else
        json_put_raw(&g->out, s);
    if (kind == A_LARGE_INTEGER)
        buf_text(g->out.out, ".0");
}

/* ---- members ------------------------------------------------------------ */

/* What Plotly can draw without a network. */
static bool is_drawn(struct str type)
{
    static const char *const types[] = {
        "scatter",      "scattergl",      "bar",
        "histogram",    "histogram2d",    "histogram2dcontour",
        "box",          "violin",         "pie",
        "heatmap",      "contour",        "funnel",
        "funnelarea",   "waterfall",      "sunburst",
        "treemap",      "icicle",         "indicator",
        "table",        "candlestick",    "ohlc",
        "scatterpolar", "barpolar",       "scatterternary",
        "scatter3d",    "surface",        "mesh3d",
        "parcoords",    "parcats",        "sankey",
        "splom",        "scatterpolargl", NULL};
    return str_is_one_of(type, types);
}

/* Names that load, call or refer to something outside the figure. */
static bool is_dropped(struct str key)
{
    static const char *const names[] = {"images",
                                        "image",
                                        "geo",
                                        "mapbox",
                                        "map",
                                        "updatemenus",
                                        "sliders",
                                        "frames",
                                        "config",
                                        "href",
                                        "url",
                                        "src",
                                        "link_url",
                                        "stream",
                                        "transforms",
                                        "bdata",
                                        "accesstoken",
                                        "sourceattribution",
                                        "topojsonURL",
                                        "plotlyServerURL",
                                        "choropleth",
                                        "choroplethmap",
                                        "choroplethmapbox",
                                        "scattergeo",
                                        "scattermap",
                                        "scattermapbox",
                                        "densitymap",
                                        "densitymapbox",
                                        "__proto__",
                                        "constructor",
                                        "prototype",
                                        NULL};
    return str_is_one_of(key, names);
}

/* Names of Plotly's are plain; others could be written in two ways. */
static bool is_plain_key(struct str key)
{
    for (size_t i = 0; i < key.len; i++)
        if (!str_is_alnum(key.ptr[i]) && key.ptr[i] != '_' && key.ptr[i] != '.')
            return false;
    return key.len > 0 && key.len <= KEY_MOST;
}

/* A name of a template of Plotly, and not an address of one. */
static bool is_plain_name(struct str text)
{
    for (size_t i = 1; i + 1 < text.len; i++)
        if (!str_is_alnum(text.ptr[i]) && text.ptr[i] != '_' &&
            text.ptr[i] != '+')
            return false;
    return text.len > 2;
}

static bool is_sane_side(struct str json)
{
    int64_t side;
    return str_to_int64(json, &side) && side >= SIDE_LEAST && side <= SIDE_MOST;
}

/* Whether the member goes without a look at what is in it; `value` is its JSON
 * text. */
static bool leaves_out(enum plotly_place place, struct str key,
                       struct str value)
{
    bool text = value.len && value.ptr[0] == '"';
    if (!is_plain_key(key) || is_dropped(key))
        return true;
    if (place == THE_FIGURE)
        return !str_is(key, "data") && !str_is(key, "layout");
    if (place == LAYOUT && (str_is(key, "width") || str_is(key, "height")))
        return !is_sane_side(value);
    if (str_is(key, "template"))
        return text && !is_plain_name(value);
    return text && (str_is(key, "source") || str_ends(key, STR("src")));
}

static enum plotly_place place_of(enum plotly_place place, struct str key)
{
    if (place != THE_FIGURE)
        return WITHIN;
    return str_is(key, "data") ? TRACES : LAYOUT;
}

static bool is_repeated(struct plotly_figure *g, struct str *keys, size_t n)
{
    if (n == PLOTLY_MEMBERS || ++g->members > MEMBERS_IN_ALL) {
        refuse(g, "has too many members");
        return true;
    }
    for (size_t i = 0; i < n; i++)
        if (str_eq(keys[i], keys[n]))
            return true;
    return false;
}

static void put_member(struct plotly_figure *g, enum plotly_place place,
                       struct str key, int depth)
{
    struct scan at = g->scan;
    char first = scan_peek(&g->scan);
    bool composite = first == '{' || first == '[';
    struct str value = composite ? STR("") : scan_skip(&at);
    if (leaves_out(place, key, value)) {
        scan_skip(&g->scan);
        return;
    }
    if (place == TRACE && str_is(key, "type") &&
        !(value.len > 2 && is_drawn(str_cut(value, 1, value.len - 2)))) {
        refuse(g, "has a kind of chart that is not drawn here");
        return;
    }
    json_put_key_str(&g->out, key);
    put_value(g, place_of(place, key), depth);
}

static void put_object(struct plotly_figure *g, enum plotly_place place,
                       int depth)
{
    struct str keys[PLOTLY_MEMBERS + 1];
    size_t n = 0;
    if (!scan_object(&g->scan))
        return;
    json_put_object(&g->out);
    while (scan_member(&g->scan, &keys[n])) {
        if (is_repeated(g, keys, n)) {
            scan_skip(&g->scan);
            continue;
        }
        put_member(g, place, keys[n++], depth + 1);
    }
    json_put_object_end(&g->out);
}

/* ---- values ------------------------------------------------------------- */

static void put_array(struct plotly_figure *g, enum plotly_place place,
                      int depth)
{
    size_t objects = 0;
    g->has_traces = g->has_traces || place == TRACES;
    if (!scan_array(&g->scan))
        return;
    json_put_array(&g->out);
    while (scan_element(&g->scan)) {
        bool object = scan_peek(&g->scan) == '{';
        objects += object;
        if (place == TRACES && !object)
            refuse(g, "has a trace that is no object");
        else if (place == TRACES && objects > PLOTLY_TRACES)
            refuse(g, "has too many traces");
        else if (objects > PLOTLY_OBJECTS)
            refuse(g, "has too many parts");
        else
            put_value(g, place == TRACES ? TRACE : WITHIN, depth + 1);
    }
    json_put_array_end(&g->out);
}

static void put_value(struct plotly_figure *g, enum plotly_place place,
                      int depth)
{
    char first = scan_peek(&g->scan);
    if (depth > PLOTLY_NESTING)
        refuse(g, "is nested too deeply");
    else if (place == TRACES && first != '[')
        refuse(g, "has no list of traces");
    else if ((place == TRACE || place == LAYOUT) && first != '{')
        refuse(g, "is not a Plotly figure");
    else if (first == '{')
        put_object(g, place, depth);
    else if (first == '[')
        put_array(g, place, depth);
    else if (first == '"')
        put_text(g);
    else
        put_scalar(g);
}

struct str plotly_read(struct arena *arena, struct str json, const char **why)
{
    struct plotly_figure g = {.scan = scan_of(json)};
    struct buf out;
    *why = NULL;
    if (json.len > PLOTLY_BYTES) {
        *why = "is larger than 2 MiB";
        return STR("");
    }
    buf_init(&out, arena);
    buf_init(&g.text, arena);
    buf_init(&g.clean, arena);
    buf_reserve(&out, json.len);
    json_writer_init(&g.out, &out);
    if (scan_peek(&g.scan) != '{')
        g.why = "is not a Plotly figure";
    else
        put_object(&g, THE_FIGURE, 0);
    bool more = !g.why && !g.scan.bad && scan_peek(&g.scan);
    if (!g.why && (g.scan.bad || more))
        g.why = "is not valid JSON";
    if (!g.why && !g.has_traces)
        g.why = "has no list of traces";
    *why = g.why;
    return g.why ? STR("") : buf_finish(&out);
}
