/* prompt.c - fills the holes of prompt files; see agent/prompt.h. */
#include "agent/prompt.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "prompts.h"
#include <assert.h>
#include <string.h>
#include "base/banned.h"

static struct str file_of(const char *name)
{
    for (const struct prompt_file *p = prompt_files; p->name; p++)
        if (!strcmp(p->name, name))
            return str_of(p->text);
    assert(!"no prompt of that name");
    return STR("");
}

static const struct prompt_hole *hole_of(const struct prompt_hole *holes,
                                         struct str name)
{
    for (const struct prompt_hole *h = holes; h->name; h++)
        if (str_is(name, h->name))
            return h;
    assert(!"a hole without a text");
    return NULL;
}

static void put_hole(struct buf *out, const struct prompt_hole *h)
{
    if (!h->budget || h->text.len <= h->budget) {
        buf_str(out, h->text);
        return;
    }
    struct str part = utf8_cut(h->text, h->budget);
    buf_str(out, part);
    buf_printf(out, "\n[… %zu more bytes of this section were cut]",
               h->text.len - part.len);
}

/* Offset of the next "{{", or -1. Braces are rare, so it searches for one. */
static ptrdiff_t find_open(struct str text)
{
    size_t from = 0;
    for (ptrdiff_t at; (at = str_find_char(str_from(text, from), '{')) >= 0;) {
        from += (size_t)at + 1;
        if (from < text.len && text.ptr[from] == '{')
            return (ptrdiff_t)from - 1;
    }
    return -1;
}

/* Copies up to the next "{{", and returns the name in it. */
static bool next_hole(struct str *rest, struct buf *out, struct str *name)
{
    ptrdiff_t open = find_open(*rest);
    if (open < 0) {
        buf_str(out, *rest);
        return false;
    }
    buf_str(out, str_cut(*rest, 0, (size_t)open));
    *rest = str_from(*rest, (size_t)open + 2);
    ptrdiff_t close = str_find(*rest, STR("}}"));
    assert(close > 0 && "a hole is not closed");
    *name = str_cut(*rest, 0, (size_t)close);
    *rest = str_from(*rest, (size_t)close + 2);
    return true;
}

/* What follows "{{/name}}". */
static struct str after_section(struct arena *arena, struct str rest,
                                struct str name)
{
    struct str mark = arena_printf(arena, "{{/%.*s}}", STR_ARG(name));
    ptrdiff_t at = str_find(rest, mark);
    assert(at >= 0 && "a section is not closed");
    return str_from(rest, (size_t)at + mark.len);
}

static struct str fill(struct arena *arena, struct str text,
                       const struct prompt_hole *holes)
{
    struct buf out;
    struct str name;
    buf_init(&out, arena);
    buf_reserve(&out, text.len);
    while (next_hole(&text, &out, &name)) {
        char kind = name.ptr[0];
        if (kind == '/')
            continue;
        if (kind == '#') {
            name = str_from(name, 1);
            if (!hole_of(holes, name)->text.len)
                text = after_section(arena, text, name);
            continue;
        }
        put_hole(&out, hole_of(holes, name));
    }
    buf_cstr(&out);
    return str_trim(buf_view(&out));
}

struct llm_message *prompt_fill(struct arena *arena, const char *name,
                                const struct prompt_hole *holes)
{
    static const struct str border = {"\n=== user ===\n", 14};
    struct str file = file_of(name);
    ptrdiff_t at = str_find(file, border);
    assert(at > 0 && "a prompt has a system and a user part");
    struct llm_message *m =
        arena_new_array(arena, struct llm_message, PROMPT_MESSAGES);
    m[0].role = LLM_SYSTEM;
    m[0].content = fill(arena, str_cut(file, 0, (size_t)at), holes);
    m[1].role = LLM_USER;
    file = str_from(file, (size_t)at + border.len);
    m[1].content = fill(arena, file, holes);
    return m;
}
