/* prompt.c - fills the holes of prompt files; see agent/prompt.h. */
#include "agent/prompt.h"
#include "base/buf.h"
#include "base/compiler.h"
#include "base/utf8.h"
#include "prompts.h"
#include <assert.h>
#include <string.h>
#include "base/banned.h"

struct prompt {
    struct prompt_section *sections;
    size_t n_sections;
    struct llm_message messages[PROMPT_MESSAGES];
};

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
        bool opens = str_starts(name, STR("#"));
        if (!opens && !str_starts(name, STR("/"))) {
            put_hole(&out, hole_of(holes, name));
            continue;
        }
        name = str_from(name, 1);
        if (opens && !hole_of(holes, name)->text.len)
            text = after_section(arena, text, name);
        if (str_starts(text, STR("\n"))) /* the line was only the mark */
            text = str_from(text, 1);
    }
    buf_cstr(&out);
    return str_trim(buf_view(&out));
}

/* The rest of the last line, if it begins as PROMPT_SHORTENED. */
static struct str shortened_of(struct str text)
{
    text = str_trim(text);
    size_t at = text.len;
    while (at && text.ptr[at - 1] != '\n')
        at--;
    struct str line = str_from(text, at);
    return str_starts(line, STR(PROMPT_SHORTENED))
               ? str_from(line, sizeof PROMPT_SHORTENED - 1)
               : STR("");
}

static void note_sections(struct arena *arena, struct prompt *p,
                          const struct prompt_hole *holes)
{
    size_t n = 0;
    for (const struct prompt_hole *h = holes; h->name; h++)
        n++;
    p->sections = arena_new_array(arena, struct prompt_section, n + 1);
    for (const struct prompt_hole *h = holes; h->name; h++) {
        bool fits = !h->budget || h->text.len <= h->budget;
        size_t kept = fits ? h->text.len : utf8_cut(h->text, h->budget).len;
        if (h->text.len)
            p->sections[p->n_sections++] = (struct prompt_section){
                .name = h->name,
                .bytes = h->text.len,
                .cut = h->text.len - kept,
                .shortened = arena_str(arena, shortened_of(h->text))};
    }
}

const struct prompt_section *prompt_sections(struct llm_message *messages,
                                             size_t *n)
{
    const struct prompt *p = container_of(messages, struct prompt, messages[0]);
    *n = p->n_sections;
    return p->sections;
}

struct llm_message *prompt_fill(struct arena *arena, const char *name,
                                const struct prompt_hole *holes)
{
    static const struct str border = {"\n=== user ===\n", 14};
    struct str file = file_of(name);
    ptrdiff_t at = str_find(file, border);
    assert(at > 0 && "a prompt has a system and a user part");
    struct prompt *p = arena_new(arena, struct prompt);
    struct llm_message *m = p->messages;
    note_sections(arena, p, holes);
    m[0].role = LLM_SYSTEM;
    m[0].content = fill(arena, str_cut(file, 0, (size_t)at), holes);
    m[1].role = LLM_USER;
    file = str_from(file, (size_t)at + border.len);
    m[1].content = fill(arena, file, holes);
    return m;
}
