/* trino_sql.c - see trino_sql.h. One pass over the tokens writes pieces; what
 * is before an operator is wrapped when the operator is reached. The operand
 * after one is written by a pass of its own. */
#include "trino_sql.h"
#include "trino_piece.h"
#include <string.h>
#include "base/banned.h"

static bool write_tokens(struct trino_text *t, size_t from, size_t to);

static const struct trino_token *token(const struct trino_text *t, size_t i)
{
    return &t->tokens->items[i < t->tokens->n ? i : t->tokens->n];
}

static bool token_is(const struct trino_text *t, size_t i, const char *word)
{
    const struct trino_token *k = token(t, i);
    return k->kind == TRINO_WORD && str_is(k->text, word);
}

/* The index after the token that closes the one at `i`. */
static size_t after_closing(const struct trino_text *t, size_t i)
{
    size_t depth = 0;
    for (; i < t->tokens->n; i++) {
        depth += token(t, i)->kind == TRINO_OPEN;
        if (token(t, i)->kind == TRINO_CLOSE && --depth == 0)
            return i + 1;
    }
    return i;
}

/* The tokens from `from` on, written by a pass of their own. */
static struct str write_part(struct trino_text *t, size_t from, size_t to)
{
    struct trino_text part = {.arena = t->arena,
                              .tokens = t->tokens,
                              .made = t->made,
                              .level = t->level + 1};
    if (to < from || part.level > TRINO_LEVELS) {
        piece_refuse(t, "the text is nested too deeply");
        return STR("");
    }
    part.items =
        arena_new_array(t->arena, struct trino_piece, 3 * (to - from) + 4);
    bool good = write_tokens(&part, from, to);
    if (!good && !t->why.len)
        t->why = part.why;
    return good ? piece_join(&part, 0, part.n) : STR("");
}

/* ---- types --------------------------------------------------------------- */

static const struct {
    const char *words, *type;
} types[] = {
#define TYPE(words, type) {words, type},
#include "trino_sql.def"
#undef TYPE
};

/* The words of a type's name: "double precision". */
static struct str type_words(struct trino_text *t, size_t *at)
{
    struct str name = token(t, *at)->text;
    *at += 1;
    if (token_is(t, *at, "precision") || token_is(t, *at, "varying")) {
        name = arena_printf(t->arena, "%.*s %.*s", STR_ARG(name),
                            STR_ARG(token(t, *at)->text));
        *at += 1;
    }
    return name;
}

static struct str type_named(struct str words, bool sized)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (!str_is(words, types[i].words))
            continue;
        struct str type = str_of(types[i].type);
        ptrdiff_t paren = str_find_char(type, '(');
        return sized && paren > 0 ? str_cut(type, 0, (size_t)paren) : type;
    }
    return words;
}

/* "(10, 2)": numbers only; `out` NULL: it is left out. */
static bool write_size(struct trino_text *t, size_t *at, struct buf *out)
{
    size_t end = after_closing(t, *at), depth = 0;
    for (; *at < end; ++*at) {
        const struct trino_token *k = token(t, *at);
        depth += k->kind == TRINO_OPEN;
        if (depth > 1 || (k->kind != TRINO_NUMBER && k->kind != TRINO_COMMA &&
                          k->kind != TRINO_OPEN && k->kind != TRINO_CLOSE))
            return piece_refuse(t, "the size of a type must be a number");
        if (out)
            buf_str(out, k->text);
    }
    return true;
}

/* The type at token *at, which moves after it; ptr NULL: it is none. */
static struct str write_type(struct trino_text *t, size_t *at)
{
    struct buf out;
    if (token(t, *at)->kind != TRINO_WORD) {
        piece_refuse(t, "a cast needs the name of a type");
        return (struct str){0};
    }
    struct str words = type_words(t, at);
    bool sized = token(t, *at)->kind == TRINO_OPEN;
    buf_init(&out, t->arena);
    buf_str(&out, type_named(words, sized));
    bool unsized = str_is(words, "text") || str_is(words, "float");
    if (sized && !write_size(t, at, unsized ? NULL : &out))
        return (struct str){0};
    if (token_is(t, *at + 1, "time") && token_is(t, *at + 2, "zone")) {
        if (token_is(t, *at, "with"))
            buf_text(&out, " with time zone");
        *at += 3;
    }
    while (str_is(token(t, *at)->text, "[") &&
           str_is(token(t, *at + 1)->text, "]")) {
        *at += 2;
        struct str of = arena_str(t->arena, buf_view(&out));
        buf_clear(&out);
        buf_printf(&out, "array(%.*s)", STR_ARG(of));
    }
    return buf_finish(&out);
}

/* ---- operands ------------------------------------------------------------ */

static size_t operand_end(struct trino_text *t, size_t at)
{
    if (token(t, at)->kind == TRINO_WORD &&
        token(t, at + 1)->kind == TRINO_STRING)
        return at + 2;
    while ((token(t, at)->kind == TRINO_WORD ||
            token(t, at)->kind == TRINO_QUOTED) &&
           token(t, at + 1)->kind == TRINO_DOT)
        at += 2;
    if (token(t, at)->kind == TRINO_OPEN)
        at = after_closing(t, at);
    else if (token(t, at)->kind == TRINO_WORD &&
             token(t, at + 1)->kind == TRINO_OPEN)
        at = after_closing(t, at + 1);
    else
        at++;
    while (token(t, at)->kind == TRINO_CAST) {
        at++;
        if (!write_type(t, &at).ptr)
            return at;
    }
    return at;
}

static bool has_backslash(struct str text)
{
    return str_find_char(text, '\\') >= 0;
}

/* Trino's LIKE has no escape character unless it is named. */
static struct str like_escape(const struct trino_text *t, size_t pattern,
                              size_t after)
{
    bool escapes = token(t, pattern)->kind == TRINO_STRING &&
                   has_backslash(token(t, pattern)->value) &&
                   !token_is(t, after, "escape");
    return escapes ? STR(" escape '\\'") : STR("");
}

/* Takes a NOT off the end of the text. */
static const char *take_not(struct trino_text *t)
{
    if (!piece_is(t, t->n - 1, "not"))
        return "";
    t->n--;
    return "not ";
}

static bool write_ilike(struct trino_text *t, size_t *at)
{
    const char *not = take_not(t);
    size_t from = piece_value(t), pattern = *at + 1;
    size_t end = operand_end(t, pattern);
    struct str left = piece_join(t, from, t->n);
    struct str right = write_part(t, pattern, end);
    struct str escape = like_escape(t, pattern, end);
    piece_replace(t, from,
                  arena_printf(t->arena, "lower(%.*s) %slike lower(%.*s)%.*s",
                               STR_ARG(left), not, STR_ARG(right),
                               STR_ARG(escape)));
    *at = end;
    return !t->why.len;
}

static bool write_like(struct trino_text *t, size_t *at)
{
    size_t pattern = *at + 1;
    piece_add(t, token(t, *at));
    *at = pattern;
    struct str escape = like_escape(t, pattern, pattern + 1);
    if (!escape.len)
        return true;
    piece_add(t, token(t, pattern));
    piece_add_text(t, TRINO_WORD, str_trim(escape));
    *at = pattern + 1;
    return true;
}

/* Signs at the edge of a word have other letters in Trino. */
static struct str pattern_literal(struct trino_text *t, struct str pattern)
{
    struct buf out, quoted;
    buf_init(&out, t->arena);
    buf_init(&quoted, t->arena);
    for (size_t i = 0; i < pattern.len; i++) {
        char c = pattern.ptr[i];
        buf_char(&out, c);
        if (c != '\\' || i + 1 == pattern.len)
            continue;
        c = pattern.ptr[++i];
        buf_char(&out, strchr("mMy", c) && c ? 'b' : c);
    }
    buf_quoted(&quoted, buf_view(&out), '\'');
    return buf_finish(&quoted);
}

/* value ~ pattern, and its kind. */
static bool write_match(struct trino_text *t, size_t *at)
{
    struct str sign = token(t, *at)->text;
    size_t from = piece_value(t), pattern = *at + 1;
    size_t end = operand_end(t, pattern);
    bool literal =
        end == pattern + 1 && token(t, pattern)->kind == TRINO_STRING;
    struct str left = piece_join(t, from, t->n);
    struct str right = literal ? pattern_literal(t, token(t, pattern)->value)
                               : write_part(t, pattern, end);
    piece_replace(t, from,
                  arena_printf(t->arena, "%sregexp_like(%.*s, %s%.*s)",
                               sign.ptr[0] == '!' ? "not " : "", STR_ARG(left),
                               str_ends(sign, STR("*")) ? "'(?i)' || " : "",
                               STR_ARG(right)));
    *at = end;
    return !t->why.len;
}

static bool write_cast(struct trino_text *t, size_t *at)
{
    if (!t->n)
        return piece_refuse(t, "a cast has no value");
    size_t from = piece_value(t);
    struct str value = piece_join(t, from, t->n);
    ++*at;
    struct str type = write_type(t, at);
    piece_replace(t, from,
                  arena_printf(t->arena, "cast(%.*s as %.*s)", STR_ARG(value),
                               STR_ARG(type)));
    return !t->why.len;
}

/* ---- intervals ----------------------------------------------------------- */

static const struct {
    const char *word, *unit;
    int64_t times;
} units[] = {
    {"year", "year", 1},     {"month", "month", 1},   {"mon", "month", 1},
    {"quarter", "month", 3}, {"week", "day", 7},      {"day", "day", 1},
    {"hour", "hour", 1},     {"minute", "minute", 1}, {"min", "minute", 1},
    {"second", "second", 1}, {"sec", "second", 1},
};

static bool is_unit(struct str word, size_t *unit)
{
    if (word.len > 3 && str_ends(word, STR("s")))
        word.len--;
    for (*unit = 0; *unit < sizeof units / sizeof *units; ++*unit)
        if (str_eq_nocase(word, str_of(units[*unit].word)))
            return true;
    return false;
}

static bool next_word(struct str *rest, struct str *word)
{
    *rest = str_trim(*rest);
    return rest->len && str_split(rest, ' ', word);
}

/* '1 month -1 day' as "interval '1' month - interval '1' day"; after a minus,
 * the signs change. */
static bool write_interval(struct trino_text *t, struct str text, bool minus)
{
    struct buf out;
    struct str rest = text, word;
    buf_init(&out, t->arena);
    while (next_word(&rest, &word)) {
        int64_t n = 0, sign = 1;
        size_t unit;
        if (str_is(word, "-") && next_word(&rest, &word))
            sign = -1;
        bool good = str_to_int64(word, &n) && n > -1000000 && n < 1000000 &&
                    next_word(&rest, &word) && is_unit(word, &unit);
        if (!good)
            return piece_refuse(t,
                                "Trino does not read the interval '%.*s'; "
                                "write interval '3' day",
                                STR_ARG(text));
        n *= sign * units[unit].times;
        if (out.len)
            buf_text(&out, (n < 0) != minus ? " - " : " + ");
        bool negative = n < 0 && !out.len;
        buf_printf(&out, "interval %s'%lld' %s", negative ? "-" : "",
                   (long long)(n < 0 ? -n : n), units[unit].unit);
    }
    if (!out.len)
        return piece_refuse(t, "an interval is empty");
    piece_add_text(t, TRINO_NUMBER, buf_finish(&out));
    return true;
}

static bool write_interval_at(struct trino_text *t, size_t *at)
{
    size_t unit;
    bool minus = t->n && str_is(t->items[t->n - 1].text, "-");
    if (token(t, *at + 1)->kind != TRINO_STRING) {
        piece_add(t, token(t, (*at)++));
        return true;
    }
    int64_t n;
    if (token(t, *at + 2)->kind == TRINO_WORD &&
        is_unit(token(t, *at + 2)->text, &unit) &&
        str_to_int64(token(t, *at + 1)->value, &n)) {
        bool negative = n < 0;
        struct str interval =
            arena_printf(t->arena, "interval %s'%lld' %s", negative ? "-" : "",
                         (long long)(negative ? -n : n) * units[unit].times,
                         units[unit].unit);
        piece_add_text(t, TRINO_NUMBER, interval);
        *at += 3;
        return true;
    }
    struct str text = token(t, *at + 1)->value;
    *at += 2;
    return write_interval(t, text, minus);
}

/* ---- words --------------------------------------------------------------- */

/* LIMIT n OFFSET m: Trino wants OFFSET first. */
static bool write_limit(struct trino_text *t, size_t *at)
{
    if (!token_is(t, *at + 2, "offset")) {
        piece_add(t, token(t, (*at)++));
        return true;
    }
    static const size_t order[] = {2, 3, 0, 1};
    for (size_t i = 0; i < 4; i++)
        piece_add(t, token(t, *at + order[i]));
    *at += 4;
    if (token_is(t, *at, "rows") || token_is(t, *at, "row"))
        ++*at;
    return true;
}

/* Does the text end in a call of listagg? */
static bool is_listagg(const struct trino_text *t)
{
    const struct trino_piece *last = t->n ? &t->items[t->n - 1] : NULL;
    return last && last->kind == TRINO_CLOSE && last->open &&
           piece_is(t, last->open - 1, "listagg");
}

/* … within group (order by value [desc]) [filter (where condition)] */
static bool write_within(struct trino_text *t, size_t *at)
{
    size_t from = *at + 5, end = after_closing(t, *at + 2);
    if (is_listagg(t)) { /* as Trino writes it */
        piece_add(t, token(t, (*at)++));
        return true;
    }
    if (!token_is(t, *at + 3, "order") || !token_is(t, *at + 4, "by"))
        return piece_refuse(t, "WITHIN GROUP needs ORDER BY");
    size_t to = end - 1;
    bool descending = token_is(t, to - 1, "desc");
    to -= descending || token_is(t, to - 1, "asc");
    struct str value = write_part(t, from, to), condition = STR("");
    if (token_is(t, end, "filter")) {
        size_t after = after_closing(t, end + 1);
        condition = write_part(t, end + 3, after - 1);
        end = after;
    }
    *at = end;
    return !t->why.len && call_percentile(t, value, descending, condition);
}

static bool in_cast(const struct trino_text *t)
{
    size_t open = t->depth ? t->opens[t->depth - 1] : 0;
    return open &&
           (piece_is(t, open - 1, "cast") || piece_is(t, open - 1, "try_cast"));
}

static bool write_word(struct trino_text *t, size_t *at)
{
    const struct trino_token *k = token(t, *at);
    bool call = token(t, *at + 1)->kind == TRINO_OPEN;
    bool literal = token(t, *at + 1)->kind == TRINO_STRING;
    bool of_name = t->n && t->items[t->n - 1].kind == TRINO_DOT;
    if (!of_name && str_is(k->text, "ilike") && t->n)
        return write_ilike(t, at);
    if (!of_name && str_is(k->text, "like"))
        return write_like(t, at);
    if (!of_name && str_is(k->text, "interval"))
        return write_interval_at(t, at);
    if (!of_name && str_is(k->text, "limit"))
        return write_limit(t, at);
    if (str_is(k->text, "within") && token_is(t, *at + 1, "group"))
        return write_within(t, at);
    if (str_is(k->text, "distinct") && token_is(t, *at + 1, "on"))
        return piece_refuse(t, "Trino has no DISTINCT ON; use row_number() "
                               "over (partition by … order by …) = 1");
    if (str_is(k->text, "materialized") && call && t->n) {
        t->n -= piece_is(t, t->n - 1, "not");
        ++*at;
        return true;
    }
    ++*at;
    if (literal && str_is(k->text, "timestamptz")) {
        piece_add_text(t, TRINO_WORD, STR("timestamp"));
        return true;
    }
    piece_add(t, k);
    if (!str_is(k->text, "as") || !in_cast(t))
        return true;
    piece_add_text(t, TRINO_WORD, write_type(t, at));
    return !t->why.len;
}

static bool write_open(struct trino_text *t, const struct trino_token *k)
{
    if (t->depth == TRINO_DEPTH)
        return piece_refuse(t, "the text is nested too deeply");
    t->opens[t->depth++] = t->n;
    piece_add(t, k);
    return true;
}

static bool write_close(struct trino_text *t, const struct trino_token *k)
{
    if (!t->depth)
        return piece_refuse(t, "a parenthesis closes that was not opened");
    size_t open = t->opens[--t->depth];
    piece_add(t, k);
    t->items[t->n - 1].open = open;
    return call_rewrite(t);
}

static bool write_token(struct trino_text *t, size_t *at)
{
    const struct trino_token *k = token(t, *at);
    static const char *const matches[] = {"~", "~*", "!~", "!~*"};
    switch (k->kind) {
    case TRINO_WORD:
        return write_word(t, at);
    case TRINO_CAST:
        return write_cast(t, at);
    case TRINO_OPEN:
        ++*at;
        return write_open(t, k);
    case TRINO_CLOSE:
        ++*at;
        return write_close(t, k);
    default:
        break;
    }
    for (size_t i = 0; i < sizeof matches / sizeof *matches; i++)
        if (k->kind == TRINO_SIGN && str_is(k->text, matches[i]) && t->n)
            return write_match(t, at);
    if (k->kind == TRINO_SIGN &&
        (strchr("#~?", k->text.ptr[0]) || str_starts(k->text, STR("->")) ||
         str_starts(k->text, STR("!~"))))
        return piece_refuse(t, "Trino does not have the operator %.*s",
                            STR_ARG(k->text));
    piece_add(t, k);
    ++*at;
    return true;
}

static bool write_tokens(struct trino_text *t, size_t from, size_t to)
{
    while (from < to)
        if (!write_token(t, &from) || t->why.len)
            return false;
    return t->depth == 0 || piece_refuse(t, "a parenthesis is not closed");
}

bool trino_sql(struct arena *arena, struct str sql, struct str *out,
               struct str *why)
{
    struct trino_tokens tokens;
    size_t made = 0;
    struct trino_text t = {.arena = arena, .tokens = &tokens, .made = &made};
    if (!trino_tokens_read(arena, sql, &tokens, why))
        return false;
    t.items = arena_new_array(arena, struct trino_piece, 3 * tokens.n + 4);
    bool good = write_tokens(&t, 0, tokens.n);
    *why = t.why;
    if (good)
        *out = piece_join(&t, 0, t.n);
    return good;
}
