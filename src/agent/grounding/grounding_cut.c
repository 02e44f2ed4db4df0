/* grounding_cut.c - what is done about claims that nothing shows: a list of
 * them, and the text without them; see grounding.h. */
#include "base/buf.h"
#include "base/utf8.h"
#include "grounding.h"
#include "wording.h"
#include "base/banned.h"

enum { EXCERPT_BYTES = 160 };

static void put_excerpt(struct buf *out, struct str text)
{
    struct str cut = utf8_cut(text, EXCERPT_BYTES);
    for (size_t i = 0; i < cut.len; i++)
        buf_char(out,
                 cut.ptr[i] == '\n' || cut.ptr[i] == '`' ? ' ' : cut.ptr[i]);
    if (cut.len < text.len)
        buf_text(out, " \xe2\x80\xa6");
}

struct str grounding_list(struct arena *arena, struct str text,
                          const struct grounding *found)
{
    struct buf out;
    buf_init(&out, arena);
    for (size_t i = 0; i < found->n_claims; i++) {
        const struct grounding_claim *c = &found->claims[i];
        buf_text(&out, i ? "\n- \"" : "- \"");
        put_excerpt(&out, str_cut(text, c->from, c->to - c->from));
        buf_printf(&out, "\" %s: \"", c->why);
        put_excerpt(&out, str_cut(text, c->sentence_from,
                                  c->sentence_to - c->sentence_from));
        buf_char(&out, '"');
    }
    return buf_finish(&out);
}

/* A mark of a list, quotation or emphasis without the text that it was for. */
static bool is_empty_line(struct str line)
{
    for (size_t i = 0; i < line.len; i++)
        if (wording_letter(str_from(line, i)) &&
            !(line.ptr[i] >= '0' && line.ptr[i] <= '9'))
            return false;
    return true;
}

struct str grounding_cut(struct arena *arena, struct str text,
                         const struct grounding *found)
{
    struct buf out;
    struct str rest = text, line;
    size_t claim = 0;
    buf_init(&out, arena);
    if (!found->whole || found->first_bad ||
        2 * found->n_bad > found->n_sentences)
        return STR("");
    while (str_split(&rest, '\n', &line)) {
        size_t from = (size_t)(line.ptr - text.ptr), to = from + line.len;
        size_t start = out.len, at = from;
        bool cut = false;
        while (claim < found->n_claims &&
               found->claims[claim].sentence_from < to) {
            const struct grounding_claim *c = &found->claims[claim++];
            if (c->sentence_from < at)
                continue;
            buf_str(&out, str_cut(text, at, c->sentence_from - at));
            at = c->sentence_to;
            cut = true;
        }
        buf_str(&out, str_cut(text, at, to > at ? to - at : 0));
        if (cut && is_empty_line(str_from(buf_view(&out), start)))
            out.len = start;
        else
            buf_char(&out, '\n');
    }
    return str_trim(buf_finish(&out));
}
