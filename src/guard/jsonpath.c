/* jsonpath.c - how many values of a document does a jsonpath visit?
 *
 * Successive wildcards visit no more values than the document has. These
 * multiply: a path from the root inside a filter or on both sides of a
 * comparison, a second **, a list of subscripts, and keyvalue(). PostgreSQL
 * keeps a copy of everything it has visited. */
#include "walk.h"
#include <ctype.h>
#include <math.h>
#include <string.h>
#include "base/banned.h"

enum { MAX_NESTED = 64 };

#define MAX_VISITED 1e6
#define DOCUMENT_VALUES 1000.0 /* in a document from a table */
#define ITEM_VALUES 10.0       /* below one of them, for a path in a filter */
#define VALUE_BYTES 4.0
#define KEYVALUE_FACTOR 3.0 /* {"key", "value", "id"} */

struct path_scan {
    const char *at, *end;
    double values; /* values of the document */
    int depth;
};

static bool scan_next_is(const struct path_scan *s, const char *text)
{
    size_t n = strlen(text);
    return (size_t)(s->end - s->at) >= n && !memcmp(s->at, text, n);
}

static void scan_string(struct path_scan *s)
{
    for (s->at++; s->at < s->end && *s->at != '"'; s->at++)
        if (*s->at == '\\' && s->at + 1 < s->end)
            s->at++;
    s->at += s->at < s->end;
}

static void scan_space(struct path_scan *s)
{
    while (s->at < s->end) {
        if (scan_next_is(s, "/*")) {
            for (s->at += 2; s->at < s->end && !scan_next_is(s, "*/");)
                s->at++;
            s->at += s->at < s->end ? 2 : 0;
        } else if (isspace((unsigned char)*s->at)) {
            s->at++;
        } else {
            return;
        }
    }
}

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c > 127;
}

static struct str scan_name(struct path_scan *s)
{
    const char *from = s->at;
    while (s->at < s->end && is_name_char(*s->at))
        s->at++;
    return (struct str){from, (size_t)(s->at - from)};
}

struct path_list {
    double entries, visited;
    bool wide; /* [*] or [1 to 9] */
};

static double scan_level(struct path_scan *s, char close,
                         struct path_list *list);

/* All values below one. In a document that the query makes, parts may be as
 * large as the whole. */
static double descendants(const struct path_scan *s, double values, bool first)
{
    return first ? values * fmax(1, s->values / DOCUMENT_VALUES) : values;
}

/* .name, ."name", .*, .**{2 to 5}, .method() */
static double scan_member(struct path_scan *s, double values, bool *wide,
                          bool *deep)
{
    double factor = 1;
    s->at++;
    scan_space(s);
    if (scan_next_is(s, "**")) {
        s->at += 2;
        factor = descendants(s, values, !*deep);
        *wide = *deep = true;
    } else if (scan_next_is(s, "*")) {
        s->at++;
        factor = *wide ? 1 : values;
        *wide = true;
    } else if (scan_next_is(s, "\"")) {
        scan_string(s);
    } else if (str_is(scan_name(s), "keyvalue")) {
        factor = *wide ? KEYVALUE_FACTOR : values;
        *wide = true;
    }
    return factor;
}

/* What follows $ or @: accessors and filters. */
static double scan_path(struct path_scan *s, double values)
{
    double visited = 1;
    bool wide = false, deep = false;
    for (scan_space(s); s->at < s->end; scan_space(s)) {
        struct path_list list = {.entries = 1};
        if (*s->at == '.') {
            visited *= scan_member(s, values, &wide, &deep);
        } else if (*s->at == '[') {
            s->at++;
            list.visited = scan_level(s, ']', &list);
            visited *= list.entries * list.visited;
            visited *= list.wide && !wide ? values : 1;
            wide = wide || list.wide;
        } else if (*s->at == '(' || *s->at == '?' || *s->at == '{') {
            char close = *s->at == '{' ? '}' : ')';
            while (s->at < s->end && *s->at != '(' && *s->at != '{')
                s->at++;
            s->at += s->at < s->end;
            visited *= scan_level(s, close, &list);
        } else {
            break;
        }
    }
    return visited;
}

/* A path from $ or @. $name is a variable, which may hold a document too. */
static double scan_operand(struct path_scan *s)
{
    bool item = *s->at++ == '@';
    if (!item && s->at < s->end && *s->at == '"')
        scan_string(s);
    else if (!item)
        scan_name(s);
    return scan_path(s, item ? ITEM_VALUES : s->values);
}

/* Scans up to `close`. Operands next to each other multiply, but not across &&
 * and ||. */
static double scan_level(struct path_scan *s, char close,
                         struct path_list *list)
{
    double product = 1, most = 1;
    struct path_list inner = {.entries = 1};
    if (++s->depth > MAX_NESTED)
        product = INFINITY;
    for (scan_space(s); s->at < s->end && s->depth <= MAX_NESTED;
         scan_space(s)) {
        if (*s->at == close) {
            s->at++;
            break;
        }
        if (*s->at == '$' || *s->at == '@') {
            product *= scan_operand(s);
        } else if (*s->at == '(') {
            s->at++;
            product *= scan_level(s, ')', &inner);
            product *= scan_path(s, s->values);
        } else if (*s->at == '"') {
            scan_string(s);
        } else if (scan_next_is(s, "&&") || scan_next_is(s, "||")) {
            s->at += 2;
            most = fmax(most, product);
            product = 1;
        } else if (is_name_char(*s->at)) {
            list->wide |= str_is(scan_name(s), "to");
        } else {
            list->entries += *s->at == ',';
            list->wide |= *s->at == '*' && close == ']';
            s->at++;
        }
    }
    s->depth--;
    return fmax(most, product);
}

static double document_values(struct estimate document)
{
    double made = fmax(document.bytes / VALUE_BYTES, document.held);
    return fmax(made, DOCUMENT_VALUES);
}

void jsonpath_check(struct walk *walk, const json_t *path, struct estimate text,
                    struct estimate document, int location)
{
    struct str s = node_literal(path);
    struct path_list list = {.entries = 1};
    if (!s.ptr) {
        walk->path_made = walk->path_made || text.text > 0;
        walk->path_at = location;
        return;
    }
    struct path_scan scan = {
        .at = s.ptr, .end = s.ptr + s.len, .values = document_values(document)};
    double visited = scan_level(&scan, '\0', &list);
    if (!(visited <= MAX_VISITED))
        walk_refuse(
            walk, "too_costly", location,
            "This jsonpath may visit some %.0f values; use fewer wildcards, "
            "lists and paths from $ inside filters.",
            fmin(visited, 1e18));
}
