/* turns.c - keeps the settled messages before a question in one compressed
 * block, and reads them back. */
#include "store/turns.h"
#include "base/buf.h"
#include <string.h>
#include "base/banned.h"

static void put_text(struct buf *out, struct str text)
{
    buf_bytes(out, &text.len, sizeof text.len);
    buf_str(out, text);
}

static struct str take_text(struct str *rest)
{
    size_t len;
    memcpy(&len, rest->ptr, sizeof len);
    struct str text = str_cut(*rest, sizeof len, len);
    *rest = str_from(*rest, sizeof len + len);
    return text;
}

struct kept_turns turns_keep(struct arena *memory, struct arena *scratch,
                             const struct run_turn *turns, size_t n)
{
    struct buf all;
    buf_init(&all, scratch);
    for (size_t i = 0; i < n; i++) {
        buf_char(&all, turns[i].from_user ? 1 : 0);
        put_text(&all, turns[i].content);
        put_text(&all, turns[i].status);
        put_text(&all, turns[i].digest);
    }
    return (struct kept_turns){pack(memory, buf_view(&all)), n};
}

struct run_turn *turns_read(const struct kept_turns *kept, struct arena *memory)
{
    struct str rest = unpack(&kept->texts, memory);
    struct run_turn *turns =
        arena_new_array(memory, struct run_turn, kept->n + 1);
    for (size_t i = 0; i < kept->n; i++) {
        turns[i].from_user = rest.ptr[0] == 1;
        rest = str_from(rest, 1);
        turns[i].content = take_text(&rest);
        turns[i].status = take_text(&rest);
        turns[i].digest = take_text(&rest);
    }
    return turns;
}
