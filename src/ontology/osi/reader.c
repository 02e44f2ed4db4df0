/* reader.c - collects findings, and reads the plain values of a model: texts,
 * names, lists, booleans. */
#include "reader.h"
#include "datatype.h"
#include "base/utf8.h"
#include "../nearest.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "../sql_name.h"
#include "base/banned.h"

struct osi_note {
    struct osi_finding finding;
    size_t order;
    struct osi_note *older;
};

static void add_note(struct osi_reader *reader, enum osi_severity severity,
                     int line, int column, struct str path, struct str message)
{
    if (++reader->n_found[severity] > OSI_MAX_FINDINGS)
        return;
    struct osi_note *new = arena_new(reader->arena, struct osi_note);
    new->finding = (struct osi_finding){severity, line, column, path, message};
    new->order = reader->n_kept[OSI_ERROR] + reader->n_kept[OSI_WARNING];
    new->older = reader->notes;
    reader->notes = new;
    reader->n_kept[severity]++;
}

static void add_note_at(struct osi_reader *reader, enum osi_severity severity,
                        const struct tree *at, const char *format, va_list args)
{
    struct str path = at ? tree_path(reader->arena, at) : STR("");
    struct str message = arena_vprintf(reader->arena, format, args);
    add_note(reader, severity, at ? at->line : 0, at ? at->column : 0, path,
             message);
}

void reader_error(struct osi_reader *reader, const struct tree *at,
                  const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_note_at(reader, OSI_ERROR, at, format, args);
    va_end(args);
}

void reader_warn(struct osi_reader *reader, const struct tree *at,
                 const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_note_at(reader, OSI_WARNING, at, format, args);
    va_end(args);
}

void reader_problem(struct osi_reader *reader,
                    const struct tree_problem *problem)
{
    add_note(reader, OSI_ERROR, problem->line, problem->column, STR(""),
             arena_printf(reader->arena, "%s", problem->message));
}

static int by_place(const void *a, const void *b)
{
    const struct osi_note *const *x = a, *const *y = b;
    const struct osi_finding *f = &(*x)->finding, *g = &(*y)->finding;
    if (f->line != g->line)
        return f->line < g->line ? -1 : 1;
    if (f->column != g->column)
        return f->column < g->column ? -1 : 1;
    return (*x)->order < (*y)->order ? -1 : 1;
}

void reader_report(struct osi_reader *reader, struct osi_report *report)
{
    size_t n = reader->n_kept[OSI_ERROR] + reader->n_kept[OSI_WARNING];
    struct osi_note **notes =
        arena_new_array(reader->arena, struct osi_note *, n);
    size_t at = 0;
    for (struct osi_note *one = reader->notes; one; one = one->older)
        notes[at++] = one;
    qsort(notes, n, sizeof *notes, by_place);
    report->findings = arena_new_array(reader->arena, struct osi_finding, n);
    for (size_t i = 0; i < n; i++)
        report->findings[i] = notes[i]->finding;
    report->n_findings = n;
    report->n_errors = reader->n_found[OSI_ERROR];
    report->n_warnings = reader->n_found[OSI_WARNING];
}

bool reader_suggests(const struct osi_reader *reader)
{
    return reader->n_found[OSI_ERROR] + reader->n_found[OSI_WARNING] < 50;
}

void reader_warn_unknown_keys(struct osi_reader *reader, const struct tree *map,
                              const char *const *known)
{
    for (const struct tree *v = map->first; v; v = v->next) {
        const char *const *at = known;
        while (*at && !str_is(v->key->text, *at))
            at++;
        if (*at)
            continue;
        struct nearest nearest;
        nearest_begin(&nearest, v->key->text);
        for (at = known; *at && reader_suggests(reader); at++)
            nearest_offer(&nearest, str_of(*at));
        struct str meant = nearest_best(&nearest);
        struct str key = utf8_cut(v->key->text, 80);
        if (meant.len)
            reader_warn(reader, v->key,
                        "unknown key \"%.*s\"; is \"%.*s\" meant?",
                        STR_ARG(key), STR_ARG(meant));
        else
            reader_warn(reader, v->key, "unknown key \"%.*s\"", STR_ARG(key));
    }
}

static void twice(struct osi_reader *reader, const struct tree *key, int line)
{
    reader_error(reader, key, "the key \"%.*s\" is there already, in line %d",
                 STR_ARG(utf8_cut(key->text, 80)), line);
}

enum { FEW_KEYS = 16 };

static void check_few(struct osi_reader *reader, const struct tree *map)
{
    for (const struct tree *v = map->first; v; v = v->next) {
        for (const struct tree *w = map->first; w != v; w = w->next) {
            if (!str_eq(w->key->text, v->key->text))
                continue;
            twice(reader, v->key, w->key->line);
            break;
        }
    }
}

static void check_many(struct osi_reader *reader, const struct tree *map)
{
    struct map seen;
    map_init(&seen, reader->arena);
    for (const struct tree *v = map->first; v; v = v->next) {
        const struct tree *before = map_get(&seen, v->key->text);
        if (before)
            twice(reader, v->key, before->line);
        else
            map_put(&seen, v->key->text, v->key);
    }
}

void reader_check_keys(struct osi_reader *reader, const struct tree *node)
{
    if (node->kind == TREE_MAP && node->n <= FEW_KEYS)
        check_few(reader, node);
    else if (node->kind == TREE_MAP)
        check_many(reader, node);
    for (const struct tree *v = node->first; v; v = v->next)
        reader_check_keys(reader, v);
}

const struct tree *reader_value(const struct tree *map, const char *key)
{
    const struct tree *node = tree_get(map, key);
    return node && !tree_is_null(node) ? node : NULL;
}

const struct tree *reader_pick(const struct tree *map, const char *const *keys)
{
    const struct tree *node = NULL;
    for (; *keys && !node; keys++)
        node = reader_value(map, *keys);
    return node;
}

static const char *key_of(const struct tree *node)
{
    return node->key && node->key->text.len < 60 ? node->key->text.ptr : "this";
}

struct str reader_text(struct osi_reader *reader, const struct tree *node)
{
    if (!node || tree_is_null(node))
        return STR("");
    if (node->kind == TREE_TEXT)
        return str_trim(node->text);
    reader_error(reader, node, "%s must be a text", key_of(node));
    return STR("");
}

struct str reader_name(struct osi_reader *reader, const struct tree *of,
                       const struct tree *node, const char *key)
{
    if (!node) {
        const struct tree *empty = tree_get(of, key);
        reader_error(reader, empty ? empty : of,
                     empty ? "%s is empty" : "%s is missing", key);
        return STR("");
    }
    struct str name = reader_text(reader, node);
    if (node->kind == TREE_TEXT && name.len == 0)
        reader_error(reader, node, "%s is empty", key);
    else if (str_has_control(name))
        reader_error(reader, node, "%s must be on one line", key);
    return name;
}

struct str reader_datatype(struct osi_reader *reader, const struct tree *node)
{
    struct str text = reader_text(reader, node);
    if (text.len && !datatype_is_known(text))
        reader_warn(reader, node,
                    "the datatype \"%.*s\" is unknown; OSI has String, "
                    "Integer, Decimal, Float, Boolean, Date, Time, DateTime, "
                    "DateTimeTz and Opaque",
                    STR_ARG(utf8_cut(text, 80)));
    return text;
}

bool reader_bool(struct osi_reader *reader, const struct tree *node,
                 bool otherwise)
{
    struct str s = node ? reader_text(reader, node) : STR("");
    if (!s.len)
        return otherwise;
    if (str_eq_nocase(s, STR("true")))
        return true;
    if (!str_eq_nocase(s, STR("false")))
        reader_error(reader, node, "%s must be true or false", key_of(node));
    return false;
}

struct str_list reader_texts(struct osi_reader *reader, const struct tree *node)
{
    struct str_list list = {NULL, 0};
    if (!node)
        return list;
    if (node->kind == TREE_MAP) {
        reader_error(reader, node, "%s must be a list of texts", key_of(node));
        return list;
    }
    bool one = node->kind == TREE_TEXT;
    list.items = arena_new_array(reader->arena, struct str, one ? 1 : node->n);
    for (const struct tree *v = one ? node : node->first; v; v = v->next) {
        struct str s = reader_text(reader, v);
        if (s.len)
            list.items[list.n++] = s;
        else if (v->kind == TREE_TEXT)
            reader_error(reader, v, "an empty text in a list");
        if (one)
            break;
    }
    return list;
}

const struct tree *reader_list(struct osi_reader *reader,
                               const struct tree *node)
{
    if (!node || tree_is_null(node))
        return NULL;
    if (node->kind == TREE_LIST)
        return node;
    reader_error(reader, node, "%s must be a list", key_of(node));
    return NULL;
}

bool reader_is_map(struct osi_reader *reader, const struct tree *node)
{
    if (node->kind == TREE_MAP)
        return true;
    reader_error(reader, node, "%s must be a mapping of keys to values",
                 key_of(node));
    return false;
}

struct hints reader_hints(struct osi_reader *reader, const struct tree *of)
{
    struct hints hints = {0};
    const struct tree *context = reader_value(of, "ai_context");
    const struct tree *synonyms = reader_value(of, "synonyms");
    if (context && context->kind == TREE_TEXT) {
        hints.instructions = reader_text(reader, context);
    } else if (context && reader_is_map(reader, context)) {
        hints.instructions =
            reader_text(reader, reader_value(context, "instructions"));
        hints.examples =
            reader_texts(reader, reader_value(context, "examples"));
        if (reader_value(context, "synonyms"))
            synonyms = reader_value(context, "synonyms");
    }
    hints.synonyms = reader_texts(reader, synonyms);
    return hints;
}

void reader_names_init(struct reader_names *names, struct osi_reader *reader,
                       const char *what)
{
    map_init(&names->map, reader->arena);
    names->what = what;
}

void reader_names_check(struct reader_names *names, struct osi_reader *reader,
                        const struct tree *at, struct str name)
{
    if (!name.len || !at)
        return;
    struct str folded = sql_fold(reader->arena, name);
    const struct tree *before = map_get(&names->map, folded);
    struct str shown = utf8_cut(name, 80);
    if (!before)
        map_put(&names->map, folded, (void *)at);
    else if (str_eq(str_trim(before->text), name))
        reader_error(reader, at, "there is already a %s \"%.*s\", in line %d",
                     names->what, STR_ARG(shown), before->line);
    else
        reader_warn(reader, at,
                    "the %s \"%.*s\" differs in case alone from that in line "
                    "%d",
                    names->what, STR_ARG(shown), before->line);
}
