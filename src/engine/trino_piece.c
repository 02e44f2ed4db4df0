/* trino_piece.c - see trino_piece.h. */
#include "trino_piece.h"
#include <stdarg.h>
#include <string.h>
#include "base/banned.h"

void piece_add_text(struct trino_text *t, enum trino_token_kind kind,
                    struct str text)
{
    t->items[t->n++] = (struct trino_piece){.kind = kind, .text = text};
}

void piece_add(struct trino_text *t, const struct trino_token *token)
{
    t->items[t->n++] = (struct trino_piece){
        .kind = token->kind, .text = token->text, .value = token->value};
}

bool piece_is(const struct trino_text *t, size_t i, const char *word)
{
    return i < t->n && t->items[i].kind == TRINO_WORD &&
           str_is(t->items[i].text, word);
}

/* A point next to a number would become a part of it. */
static bool is_tight(enum trino_token_kind left, enum trino_token_kind right)
{
    if ((left == TRINO_DOT || right == TRINO_DOT) &&
        (left == TRINO_NUMBER || right == TRINO_NUMBER))
        return false;
    return left == TRINO_DOT || right == TRINO_DOT || left == TRINO_OPEN ||
           right == TRINO_CLOSE || right == TRINO_COMMA ||
           (left == TRINO_WORD && right == TRINO_OPEN);
}

struct str piece_join(const struct trino_text *t, size_t from, size_t to)
{
    struct buf out;
    buf_init(&out, t->arena);
    for (size_t i = from; i < to; i++) {
        if (i > from && !is_tight(t->items[i - 1].kind, t->items[i].kind))
            buf_char(&out, ' ');
        buf_str(&out, t->items[i].text);
    }
    return buf_finish(&out);
}

void piece_replace(struct trino_text *t, size_t from, struct str text)
{
    t->n = from;
    *t->made += text.len;
    if (*t->made > TRINO_MADE)
        piece_refuse(t, "the text would become too long for Trino");
    piece_add_text(t, TRINO_NUMBER, text); /* as a value, it is like one */
}

/* Words before "(" that are no name of a function. */
static bool is_keyword(struct str word)
{
    static const char *const words[] = {
        "in",     "and",    "or",     "not",       "select",  "where", "on",
        "then",   "else",   "when",   "case",      "having",  "by",    "as",
        "from",   "join",   "using",  "values",    "any",     "all",   "some",
        "exists", "like",   "over",   "filter",    "between", "is",    "limit",
        "offset", "union",  "except", "intersect", "with",    "end",   "group",
        "within", "escape", "ilike",  "distinct",  "lateral", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(word, words[i]))
            return true;
    return false;
}

static bool is_name(const struct trino_piece *p)
{
    return p->kind == TRINO_QUOTED ||
           (p->kind == TRINO_WORD && !is_keyword(p->text));
}

/* Back over "schema.": the first piece of a dotted name. */
static size_t dotted_start(const struct trino_text *t, size_t i)
{
    while (i >= 2 && t->items[i - 1].kind == TRINO_DOT)
        i -= 2;
    return i;
}

static size_t case_start(const struct trino_text *t, size_t i)
{
    size_t depth = 0;
    for (i++; i-- > 0;) {
        depth += piece_is(t, i, "end");
        if (piece_is(t, i, "case") && --depth == 0)
            return i;
    }
    return 0;
}

static size_t bracket_start(const struct trino_text *t, size_t i)
{
    size_t depth = 0;
    for (i++; i-- > 0;) {
        depth += str_is(t->items[i].text, "]");
        if (str_is(t->items[i].text, "[") && --depth == 0)
            return i;
    }
    return 0;
}

/* At a closing parenthesis: f(…), f(…) filter (…) over (…), (…). */
static size_t call_start(const struct trino_text *t, size_t i)
{
    for (;;) {
        i = t->items[i].open;
        if (!i)
            return 0;
        const struct trino_piece *before = &t->items[i - 1];
        if (piece_is(t, i - 1, "filter") || piece_is(t, i - 1, "over"))
            i -= 1;
        else if (is_name(before))
            return dotted_start(t, i - 1);
        else
            return i;
        if (!i || t->items[i - 1].kind != TRINO_CLOSE)
            return i;
        i--;
    }
}

size_t piece_value(const struct trino_text *t)
{
    if (!t->n)
        return 0;
    size_t i = t->n - 1;
    const struct trino_piece *p = &t->items[i];
    if (p->kind == TRINO_CLOSE)
        return call_start(t, i);
    if (str_is(p->text, "]")) {
        i = bracket_start(t, i);
        bool named = i && (is_name(&t->items[i - 1]));
        return named ? dotted_start(t, i - 1) : i;
    }
    if (piece_is(t, i, "end"))
        return case_start(t, i);
    if (p->kind == TRINO_STRING && i &&
        (piece_is(t, i - 1, "date") || piece_is(t, i - 1, "timestamp") ||
         piece_is(t, i - 1, "time")))
        return i - 1;
    return dotted_start(t, i);
}

bool piece_refuse(struct trino_text *t, const char *format, ...)
{
    struct buf out;
    va_list args;
    if (t->why.len)
        return false;
    buf_init(&out, t->arena);
    va_start(args, format);
    buf_vprintf(&out, format, args);
    va_end(args);
    t->why = buf_finish(&out);
    return false;
}
