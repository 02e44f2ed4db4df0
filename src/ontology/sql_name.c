/* sql_name.c - reads qualified names such as `a."B c".d`. */
#include "sql_name.h"
#include <string.h>
#include "base/banned.h"

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static bool is_name_char(char c)
{
    return is_name_start(c) || (c >= '0' && c <= '9') || c == '$';
}

struct str sql_fold(struct arena *arena, struct str s)
{
    char *copy = arena_cstr(arena, s);
    for (size_t i = 0; i < s.len; i++)
        if (copy[i] >= 'A' && copy[i] <= 'Z')
            copy[i] = (char)(copy[i] + 32);
    return (struct str){copy, s.len};
}

/* The text is one identifier that needs no quotes. */
static bool sql_is_identifier(struct str text)
{
    if (!text.len || !is_name_start(*text.ptr))
        return false;
    for (size_t i = 1; i < text.len; i++)
        if (!is_name_char(text.ptr[i]))
            return false;
    return true;
}

/* Reads from the quote at the start to the closing one; a doubled quote
 * means one. */
static bool quoted_part(struct arena *arena, struct str *rest, struct str *part)
{
    char quote = *rest->ptr;
    char *copy = arena_alloc(arena, rest->len);
    size_t len = 0;
    for (size_t at = 1; at < rest->len; at++) {
        bool ends = rest->ptr[at] == quote;
        if (ends && at + 1 < rest->len && rest->ptr[at + 1] == quote) {
            ends = false;
            at++;
        }
        if (ends) {
            *part = (struct str){copy, len};
            *rest = str_from(*rest, at + 1);
            return true;
        }
        copy[len++] = rest->ptr[at];
    }
    return false;
}

static struct str bare_part(struct arena *arena, struct str *rest, bool *proper)
{
    size_t len = 0;
    while (len < rest->len && rest->ptr[len] != '.')
        len++;
    struct str part = str_trim(str_cut(*rest, 0, len));
    *rest = str_from(*rest, len);
    if (sql_is_identifier(part))
        return sql_fold(arena, part);
    *proper = false;
    return part;
}

bool sql_name_read(struct arena *arena, struct str text, struct sql_name *name)
{
    struct str rest = str_trim(text);
    name->n = 0;
    name->proper = true;
    for (;;) {
        if (name->n == SQL_NAME_PARTS || !rest.len)
            return false;
        struct str *part = &name->parts[name->n++];
        if (*rest.ptr == '"' || *rest.ptr == '`') {
            if (!quoted_part(arena, &rest, part))
                return false;
        } else {
            *part = bare_part(arena, &rest, &name->proper);
        }
        if (!part->len)
            return false;
        rest = str_trim(rest);
        if (!rest.len)
            return true;
        if (*rest.ptr != '.')
            return false;
        rest = str_trim(str_from(rest, 1));
    }
}

static bool begins_with_word(struct str text, struct str word)
{
    return text.len > word.len &&
           str_eq_nocase(str_cut(text, 0, word.len), word) &&
           !is_name_char(text.ptr[word.len]) && text.ptr[word.len] != '.';
}

struct str sql_source_query(struct str source)
{
    source = str_trim(source);
    while (str_ends(source, STR(";")))
        source = str_trim(str_cut(source, 0, source.len - 1));
    bool wrapped = str_starts(source, STR("(")) && str_ends(source, STR(")"));
    struct str inside =
        wrapped ? str_trim(str_cut(source, 1, source.len - 2)) : source;
    bool query = wrapped || begins_with_word(inside, STR("select")) ||
                 begins_with_word(inside, STR("with"));
    return query ? inside : (struct str){NULL, 0};
}
