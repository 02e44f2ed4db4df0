/* query_tokens.c - cuts SQL into tokens; see query_tokens.h. One pass reads the
 * tokens, a second one pairs the parentheses. */
#include "query_tokens.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "guard/guard.h"
#include "base/banned.h"

enum { DEPTH_MOST = 200 };

struct sql_lexer {
    struct str sql;
    size_t at;
    const char *problem;
};

static char char_at(const struct sql_lexer *x, size_t at)
{
    return at < x->sql.len ? x->sql.ptr[at] : '\0';
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' ||
           c == '\v';
}

static bool is_word(char c)
{
    return str_is_alnum(c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- what is no token --------------------------------------------------- */

/* A carriage return alone ends a comment for some, and not for others. */
static void skip_line_comment(struct sql_lexer *x)
{
    for (; x->at < x->sql.len && char_at(x, x->at) != '\n'; x->at++)
        if (char_at(x, x->at) == '\r' && char_at(x, x->at + 1) != '\n')
            x->problem = "A comment has a carriage return in it.";
}

static void skip_block_comment(struct sql_lexer *x)
{
    for (x->at += 2; x->at < x->sql.len; x->at++) {
        if (char_at(x, x->at) == '/' && char_at(x, x->at + 1) == '*')
            x->problem = "Comments inside comments are not allowed.";
        if (char_at(x, x->at) == '*' && char_at(x, x->at + 1) == '/') {
            x->at += 2;
            return;
        }
    }
    x->problem = "A comment does not end.";
}

static void skip_blanks(struct sql_lexer *x)
{
    while (x->at < x->sql.len && !x->problem) {
        char c = char_at(x, x->at), next = char_at(x, x->at + 1);
        if (is_space(c))
            x->at++;
        else if (c == '-' && next == '-')
            skip_line_comment(x);
        else if (c == '/' && next == '*')
            skip_block_comment(x);
        else
            return;
    }
}

/* Blanks and controls beyond ASCII: U+0080 to U+00A0, U+1680, U+180E, U+2000 to
 * U+200F, U+2028 to U+202F, U+205F to U+206F, U+3000, U+FEFF. */
static bool is_odd_blank(struct str s)
{
    const unsigned char *p = (const unsigned char *)s.ptr;
    if (s.len >= 2 && p[0] == 0xc2)
        return p[1] <= 0xa0;
    if (s.len < 3 ||
        (p[0] != 0xe1 && p[0] != 0xe2 && p[0] != 0xe3 && p[0] != 0xef))
        return false;
    unsigned code =
        (p[0] & 15u) << 12 | (p[1] & 63u) << 6 | (unsigned)(p[2] & 63);
    return code == 0x1680 || code == 0x180e ||
           (code >= 0x2000 && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202f) ||
           (code >= 0x205f && code <= 0x206f) || code == 0x3000 ||
           code == 0xfeff;
}

/* ---- tokens ------------------------------------------------------------- */

static void read_quoted(struct sql_lexer *x, char quote)
{
    for (x->at++; x->at < x->sql.len; x->at++) {
        if (char_at(x, x->at) != quote)
            continue;
        x->at++;
        if (char_at(x, x->at) != quote)
            return;
    }
    x->problem = "A quote does not end.";
}

static void read_word(struct sql_lexer *x)
{
    for (; is_word(char_at(x, x->at)); x->at++)
        if (is_odd_blank(str_from(x->sql, x->at)))
            x->problem = "The query has white space that is not ASCII.";
    if (char_at(x, x->at) == '\'')
        x->problem = "Prefixes of strings are not allowed.";
    if (char_at(x, x->at) == '$')
        x->problem = "Dollar signs are not allowed.";
}

static void read_number(struct sql_lexer *x)
{
    while (is_word(char_at(x, x->at)) || char_at(x, x->at) == '.' ||
           ((char_at(x, x->at) == '-' || char_at(x, x->at) == '+') &&
            (char_at(x, x->at - 1) | 32) == 'e'))
        x->at++;
    if (char_at(x, x->at) == '\'')
        x->problem = "Prefixes of strings are not allowed.";
}

static void read_sign(struct sql_lexer *x, char c)
{
    x->at++;
    if (c == '$')
        x->problem = "Dollar signs are not allowed.";
    else if ((unsigned char)c < ' ' || c == 0x7f)
        x->problem = "The query has control characters.";
}

static struct query_token next_token(struct sql_lexer *x)
{
    size_t start = x->at;
    char c = char_at(x, start);
    struct query_token t = {.kind = QUERY_SIGN};
    if (c == '\'' || c == '"') {
        t.kind = c == '"' ? QUERY_QUOTED : QUERY_TEXT;
        read_quoted(x, c);
    } else if (is_digit(c) || (c == '.' && is_digit(char_at(x, start + 1)))) {
        t.kind = QUERY_NUMBER;
        read_number(x);
    } else if (is_word(c)) {
        t.kind = QUERY_WORD;
        read_word(x);
    } else {
        read_sign(x, c);
    }
    t.text = str_cut(x->sql, start, x->at - start);
    return t;
}

/* ---- the whole ---------------------------------------------------------- */

static void pair_parentheses(struct query_tokens *t)
{
    size_t open[DEPTH_MOST];
    int depth = 0;
    for (size_t i = 0; i < t->n; i++) {
        bool closes = query_token_sign(t, i, ')');
        if (closes && depth == 0) {
            t->problem = "A parenthesis is closed that was not opened.";
            return;
        }
        depth -= closes;
        t->items[i].depth = depth;
        if (closes) {
            t->items[i].partner = open[depth];
            t->items[open[depth]].partner = i;
        }
        if (!query_token_sign(t, i, '('))
            continue;
        if (depth == DEPTH_MOST) {
            t->problem = "The query is nested too deeply.";
            return;
        }
        open[depth++] = i;
    }
    if (depth > 0)
        t->problem = "A parenthesis is not closed.";
}

static void drop_last_semicolons(struct query_tokens *t)
{
    while (t->n && query_token_sign(t, t->n - 1, ';'))
        t->n--;
    if (!t->n)
        t->problem = "The query is empty.";
    else
        t->sql = query_tokens_text(t, 0, t->n);
}

bool query_tokens_read(struct arena *arena, struct str sql,
                       struct query_tokens *t)
{
    struct sql_lexer x = {.sql = sql};
    size_t room = 0;
    *t = (struct query_tokens){.sql = sql};
    if (sql.len > GUARD_MAX_BYTES)
        t->problem = "The query is longer than 32 KiB.";
    else if (!utf8_valid(sql))
        t->problem = "The query is not valid UTF-8.";
    if (t->problem)
        return false;
    for (skip_blanks(&x); x.at < sql.len && !x.problem; skip_blanks(&x)) {
        if (t->n == room) {
            size_t more = room ? 2 * room : 64;
            t->items = (struct query_token *)(void *)arena_resize(
                arena, (char *)t->items, room * sizeof *t->items,
                more * sizeof *t->items);
            room = more;
        }
        t->items[t->n++] = next_token(&x);
    }
    t->problem = x.problem;
    if (!t->problem)
        drop_last_semicolons(t);
    if (!t->problem)
        pair_parentheses(t);
    return !t->problem;
}

bool query_token_is(const struct query_tokens *t, size_t i, const char *word)
{
    return i < t->n && t->items[i].kind == QUERY_WORD &&
           str_eq_nocase(t->items[i].text, str_of(word));
}

bool query_token_sign(const struct query_tokens *t, size_t i, char sign)
{
    return i < t->n && t->items[i].kind == QUERY_SIGN &&
           t->items[i].text.ptr[0] == sign;
}

struct str query_tokens_text(const struct query_tokens *t, size_t from,
                             size_t to)
{
    if (from >= to || to > t->n)
        return STR("");
    const struct str *last = &t->items[to - 1].text;
    const char *start = t->items[from].text.ptr;
    return (struct str){start, (size_t)(last->ptr + last->len - start)};
}

struct str query_token_name(struct arena *arena,
                            const struct query_token *token)
{
    struct buf out;
    struct str s = token->text;
    if (token->kind == QUERY_WORD)
        return s;
    if (token->kind != QUERY_QUOTED || s.len < 2)
        return STR("");
    s = str_cut(s, 1, s.len - 2);
    if (str_find_char(s, '"') < 0)
        return s;
    buf_init(&out, arena);
    for (size_t i = 0; i < s.len; i++) {
        buf_char(&out, s.ptr[i]);
        i += s.ptr[i] == '"'; /* it is written twice */
    }
    return buf_finish(&out);
}
