/* search.c - turns the text of a search box into a tsquery, see search.h. */
#include "store/search.h"
#include "base/buf.h"
#include <ctype.h>
#include "base/banned.h"

/* Every byte beyond ASCII counts as part of a letter. */
static bool in_word(unsigned char c)
{
    return c >= 0x80 || isalnum(c);
}

static bool has_word(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (in_word((unsigned char)s.ptr[i]))
            return true;
    return false;
}

/* Appends 'text':* with quotes and backslashes doubled. PostgreSQL splits it
 * into words, which must follow one another. */
static void put_lexeme(struct buf *out, struct str s, bool whole)
{
    if (!has_word(s))
        return;
    if (out->len)
        buf_text(out, " & ");
    buf_char(out, '\'');
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '\'' || s.ptr[i] == '\\')
            buf_char(out, s.ptr[i]);
        buf_char(out, s.ptr[i]);
    }
    buf_text(out, whole ? "'" : "':*");
}

struct str search_query(struct arena *arena, struct str typed)
{
    struct buf out;
    struct str quoted, word;
    bool inside = false;
    buf_init(&out, arena);
    while (str_split(&typed, '"', &quoted)) {
        bool phrase = inside && typed.ptr; /* the last quote has no partner */
        if (phrase)
            put_lexeme(&out, quoted, true);
        else
            while (str_split(&quoted, ' ', &word))
                put_lexeme(&out, word, false);
        inside = !inside;
    }
    buf_cstr(&out);
    return buf_view(&out);
}
